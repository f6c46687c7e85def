//! Sessions: who is in, until when, and how they come in and go.

use crate::accounts::{Account, Standing};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::AccountNo;
use crate::office::Office;
use crate::password;
use crate::secret::Secret;
use rusqlite::{OptionalExtension as _, params};

/// The note of a failed attempt has so much of the name that was typed.
const LONGEST_TYPED: usize = 40;
/// That a session is in use is written down when the last note of it is older than this, in seconds.
const SEEN: i64 = 300;

/// For how long sessions live, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionLimits {
    /// A session that is not used for so long ends.
    pub idle: i64,
    /// It ends after so long in any case.
    pub life: i64,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self { idle: 12 * 3600, life: 14 * 24 * 3600 }
    }
}

/// Somebody is in.
#[derive(Clone, Debug)]
pub struct Session {
    /// Who.
    pub account: Account,
    /// Since when, in seconds since 1970.
    pub made_at: i64,
    /// When it was last used, give or take five minutes.
    pub seen_at: i64,
}

impl Session {
    /// Whether it is time to write down that it is in use.
    #[must_use]
    pub fn is_stale(&self, now: i64) -> bool {
        now - self.seen_at >= SEEN
    }
}

/// Somebody has come in.
#[derive(Clone, Debug)]
pub struct SignedIn {
    /// Who.
    pub account: Account,
    /// The secret of the new session, told once.
    pub secret: Secret,
}

impl Books<'_> {
    /// Whose session it is, as long as it lives.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn session(&self, secret: &Secret, limits: &SessionLimits) -> Result<Option<Session>> {
        let mut select = self.database().prepare_cached(
            "SELECT account.*, session.made_at AS begun, session.seen_at AS seen
             FROM session JOIN account ON account.number = session.account
             WHERE token = ?1 AND expires_at > ?2 AND seen_at > ?3 AND standing <> 'left'",
        )?;
        let oldest = self.now().saturating_sub(limits.idle);
        let session = select.query_row(params![secret.checksum(), self.now(), oldest], |row| {
            Ok(Session {
                account: Account::from_row(row)?,
                made_at: row.get("begun")?,
                seen_at: row.get("seen")?,
            })
        });
        Ok(session.optional()?)
    }

    /// Writes down that a session is in use, as long as it lives.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn touch_session(&self, secret: &Secret, limits: &SessionLimits) -> Result<()> {
        let oldest = self.now().saturating_sub(limits.idle);
        let update = "UPDATE session SET seen_at = ?2 WHERE token = ?1 AND seen_at < ?2 AND seen_at > ?3";
        self.database().execute(update, params![secret.checksum(), self.now(), oldest])?;
        Ok(())
    }

    /// Begins a session; those that are over are forgotten.
    pub(crate) fn begin_session(&self, account: AccountNo, limits: &SessionLimits) -> Result<Secret> {
        let oldest = self.now().saturating_sub(limits.idle);
        let forget = "DELETE FROM session WHERE expires_at <= ?1 OR seen_at <= ?2";
        self.database().execute(forget, params![self.now(), oldest])?;
        let secret = Secret::new()?;
        self.database().execute(
            "INSERT INTO session (token, account, made_at, seen_at, expires_at) VALUES (?1, ?2, ?3, ?3, ?4)",
            params![secret.checksum(), account, self.now(), self.now().saturating_add(limits.life)],
        )?;
        Ok(secret)
    }

    /// Ends a session.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn sign_out(&self, secret: &Secret, who: &str) -> Result<()> {
        if self.database().execute("DELETE FROM session WHERE token = ?1", [secret.checksum()])? > 0 {
            self.note(who, "signed out")?;
        }
        Ok(())
    }

    /// Ends all sessions of an account, and says how many there were.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn end_sessions(&self, account: AccountNo) -> Result<usize> {
        Ok(self.database().execute("DELETE FROM session WHERE account = ?1", [account])?)
    }

    /// How many sessions of an account live.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn num_sessions(&self, account: AccountNo, limits: &SessionLimits) -> Result<usize> {
        let oldest = self.now().saturating_sub(limits.idle);
        let count: i64 = self.database().query_row(
            "SELECT count(*) FROM session WHERE account = ?1 AND expires_at > ?2 AND seen_at > ?3",
            params![account, self.now(), oldest],
            |row| row.get(0),
        )?;
        Ok(usize::try_from(count).unwrap_or_default())
    }
}

impl Office {
    /// Lets somebody in by name and password; nothing if they do not fit, whichever of the two it is.
    ///
    /// It hashes, which takes long on purpose, and waits for the disk: it is no work for a thread on which
    /// others wait.
    ///
    /// # Errors
    ///
    /// When the books cannot be read or written.
    pub fn sign_in(&self, name: &str, password: &str, limits: SessionLimits) -> Result<Option<SignedIn>> {
        let known = self.read(|books| {
            let account = books.account_named(name)?;
            account.map(|account| Ok((books.kept_password(account.number)?, account))).transpose()
        })?;
        let fits = password::fits(password, known.as_ref().map(|(kept, _)| kept.as_str()));
        let known = known.filter(|(_, account)| fits && account.standing != Standing::Left);
        let Some((kept, account)) = known else {
            let typed: String = name.chars().filter(|c| !c.is_control()).take(LONGEST_TYPED).collect();
            self.write(move |books| books.note(&typed, "could not sign in"))?;
            return Ok(None);
        };
        self.write(move |books| {
            // It may have been changed while this one was held against it.
            let account = books.account(account.number)?;
            if account.standing == Standing::Left || books.kept_password(account.number)? != kept {
                books.note(&account.name, "could not sign in")?;
                return Ok(None);
            }
            let secret = books.begin_session(account.number, &limits)?;
            books.note(&account.name, "signed in")?;
            Ok(Some(SignedIn { account, secret }))
        })
    }

    /// Lets somebody in who has just made an account or set a password by a link.
    ///
    /// # Errors
    ///
    /// When the books cannot be written.
    pub fn welcome(&self, account: &Account, limits: SessionLimits) -> Result<SignedIn> {
        let number = account.number;
        self.write(move |books| {
            let account = books.account(number)?;
            let secret = books.begin_session(number, &limits)?;
            books.note(&account.name, "signed in")?;
            Ok(SignedIn { account, secret })
        })
    }

    /// Changes a password. All sessions end; the new one is for whoever changed it.
    ///
    /// # Errors
    ///
    /// With a sentence, when the old password is wrong or the new one is not good enough.
    pub fn change_password(
        &self,
        number: AccountNo,
        old: &str,
        new: &str,
        limits: SessionLimits,
    ) -> Result<SignedIn> {
        let (kept, account, lab) = self.read(|books| {
            Ok((books.kept_password(number)?, books.account(number)?, books.manifest().name.clone()))
        })?;
        let wrong = || Error::refused("the present password is another one");
        if !password::fits(old, Some(&kept)) {
            self.write(move |books| books.note(&account.name, "could not change the password"))?;
            return Err(wrong());
        }
        password::check_password(new, &account.name, &lab)?;
        let hashed = password::hash(new)?;
        self.write(move |books| {
            let account = books.account(number)?;
            if account.standing == Standing::Left || books.kept_password(number)? != kept {
                return Err(wrong());
            }
            books.set_password(number, hashed.as_str())?;
            let secret = books.begin_session(number, &limits)?;
            books.note(&account.name, "changed the password")?;
            Ok(SignedIn { account, secret })
        })
    }
}
