//! Invitations: links by which accounts are made, and by which a password that was forgotten is set anew.

use crate::accounts::{Account, Role, Standing};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, InvitationNo};
use crate::office::Office;
use crate::password;
use crate::secret::Secret;
use rusqlite::{OptionalExtension as _, Row, params};

/// For so long a link can be used, in seconds, if nothing else is said.
pub const INVITATION_LIFE: i64 = 14 * 24 * 3600;
/// What an organiser calls whom a link is for is no longer than this.
const LONGEST_RECIPIENT: usize = 200;
/// So many links can be open at once.
const MOST: i64 = 2000;

/// A link to be made.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// What the organiser calls whom it is for.
    pub recipient: String,
    /// What they are to do.
    pub role: Role,
    /// Whether they may judge at once, or apply; nobody is invited to leave.
    pub standing: Standing,
    /// For how many seconds it can be used.
    pub life: i64,
}

/// A link that was made. Its secret is told once, here.
#[derive(Clone, Debug)]
pub struct Invited {
    /// Its number.
    pub number: InvitationNo,
    /// What stands in the link: `/join/{secret}`.
    pub secret: Secret,
    /// Until when it can be used, in seconds since 1970.
    pub expires_at: i64,
}

impl Invited {
    /// The path of the link.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/join/{}", self.secret.as_str())
    }
}

/// A link, as the books have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// Its number.
    pub number: InvitationNo,
    /// What the organiser calls whom it is for.
    pub recipient: String,
    /// What they are to do.
    pub role: Role,
    /// Whether they may judge at once, or apply.
    pub standing: Standing,
    /// The account that gets a new password, if it is for that.
    pub resets: Option<AccountNo>,
    /// Who made it.
    pub made_by: String,
    /// When, in seconds since 1970.
    pub made_at: i64,
    /// Until when it can be used.
    pub expires_at: i64,
    /// When it was used or withdrawn.
    pub ended_at: Option<i64>,
    /// By whom it was used.
    pub used_by: Option<AccountNo>,
}

impl Invitation {
    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get("number")?,
            recipient: row.get("recipient")?,
            role: row.get("role")?,
            standing: row.get("standing")?,
            resets: row.get("resets")?,
            made_by: row.get("made_by")?,
            made_at: row.get("made_at")?,
            expires_at: row.get("expires_at")?,
            ended_at: row.get("ended_at")?,
            used_by: row.get("used_by")?,
        })
    }
}

fn useless() -> Error {
    Error::refused(
        "this link cannot be used: it was used, withdrawn, or is too old. Ask an organiser for another",
    )
}

impl Books<'_> {
    /// Makes a link by which somebody makes an account.
    ///
    /// # Errors
    ///
    /// When it is not said for whom, too many are open, or the database cannot be written.
    pub fn invite(&self, new: &NewInvitation, by: &str) -> Result<Invited> {
        if new.standing == Standing::Left {
            return Err(Error::refused("nobody is invited to leave"));
        }
        if new.role == Role::Organiser && new.standing == Standing::Applicant {
            return Err(Error::refused("organisers do not apply; invite them as active"));
        }
        let invited = self.make_link(new, None, by)?;
        self.note(by, &format!("invited {} as {} {}", new.recipient.trim(), new.standing, new.role))?;
        Ok(invited)
    }

    /// Makes a link for the first organiser, as long as there is none who can come in.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn first_invitation(&self) -> Result<Option<Invited>> {
        if self.num_organisers()? > 0 {
            return Ok(None);
        }
        let new = NewInvitation {
            recipient: "the first organiser".to_owned(),
            role: Role::Organiser,
            standing: Standing::Active,
            life: INVITATION_LIFE,
        };
        self.invite(&new, "command line").map(Some)
    }

    /// Makes a link by which somebody sets a new password. Older ones for the same account end.
    ///
    /// # Errors
    ///
    /// When the account has left, or the database cannot be written.
    pub fn reset_link(&self, number: AccountNo, life: i64, by: &str) -> Result<Invited> {
        let account = self.account(number)?;
        if account.standing == Standing::Left {
            return Err(Error::refused(format!("{} has left and cannot come in", account.name)));
        }
        let end = "UPDATE invitation SET ended_at = ?2 WHERE resets = ?1 AND ended_at IS NULL";
        self.database().execute(end, params![number, self.now()])?;
        let new = NewInvitation {
            recipient: account.name.clone(),
            role: account.role,
            standing: account.standing,
            life,
        };
        let invited = self.make_link(&new, Some(number), by)?;
        self.note(by, &format!("made a link for a new password of {}", account.name))?;
        Ok(invited)
    }

    fn make_link(&self, new: &NewInvitation, resets: Option<AccountNo>, by: &str) -> Result<Invited> {
        let recipient = new.recipient.trim();
        if recipient.is_empty() {
            return Err(Error::refused("say for whom the link is, by a name or an address"));
        }
        if recipient.chars().count() > LONGEST_RECIPIENT || recipient.chars().any(char::is_control) {
            let reason =
                format!("whom the link is for is said in one line of at most {LONGEST_RECIPIENT} characters");
            return Err(Error::refused(reason));
        }
        let open: i64 = self.database().query_row(
            "SELECT count(*) FROM invitation WHERE ended_at IS NULL AND expires_at > ?1",
            [self.now()],
            |row| row.get(0),
        )?;
        if open >= MOST {
            return Err(Error::refused(format!("there are {open} open links; withdraw some first")));
        }
        let secret = Secret::new()?;
        let expires_at = self.now().saturating_add(new.life.max(1));
        self.database().execute(
            "INSERT INTO invitation (token, recipient, role, standing, resets, made_by, made_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![secret.checksum(), recipient, new.role, new.standing, resets, by, self.now(), expires_at],
        )?;
        let number = InvitationNo(self.database().last_insert_rowid());
        Ok(Invited { number, secret, expires_at })
    }

    /// Links that can still be used, newest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn open_invitations(&self) -> Result<Vec<Invitation>> {
        let mut select = self.database().prepare_cached(
            "SELECT * FROM invitation WHERE ended_at IS NULL AND expires_at > ?1 ORDER BY number DESC",
        )?;
        let rows = select.query_map([self.now()], Invitation::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// What a link is for, as long as it can be used.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn invitation(&self, secret: &Secret) -> Result<Option<Invitation>> {
        let mut select = self.database().prepare_cached(
            "SELECT * FROM invitation WHERE token = ?1 AND ended_at IS NULL AND expires_at > ?2",
        )?;
        let found =
            select.query_row(params![secret.checksum(), self.now()], Invitation::from_row).optional()?;
        match found.as_ref().and_then(|found| found.resets) {
            Some(number) if self.account(number)?.standing == Standing::Left => Ok(None),
            _ => Ok(found),
        }
    }

    /// Withdraws a link that was not used.
    ///
    /// # Errors
    ///
    /// When it has ended already, or the database cannot be written.
    pub fn withdraw_invitation(&self, number: InvitationNo, by: &str) -> Result<()> {
        let update = "UPDATE invitation SET ended_at = ?2 WHERE number = ?1 AND ended_at IS NULL";
        if self.database().execute(update, params![number, self.now()])? == 0 {
            return Err(Error::refused("there is no such link, or it has been used or withdrawn"));
        }
        self.note(by, &format!("withdrew the link {number}"))
    }

    /// Ends a link since it was used.
    fn use_up(&self, invitation: &Invitation, account: AccountNo) -> Result<()> {
        let update =
            "UPDATE invitation SET ended_at = ?2, used_by = ?3 WHERE number = ?1 AND ended_at IS NULL";
        if self.database().execute(update, params![invitation.number, self.now(), account])? == 0 {
            return Err(useless());
        }
        Ok(())
    }
}

impl Office {
    /// Makes an account by a link, or sets a new password by it; then `name` is not looked at.
    ///
    /// It hashes, which takes long on purpose, and waits for the disk: it is no work for a thread on which
    /// others wait.
    ///
    /// # Errors
    ///
    /// With a sentence, when the link cannot be used, the name is taken, or the password is not good enough.
    pub fn join(&self, secret: &Secret, name: &str, password: &str) -> Result<Account> {
        let invitation = self.read(|books| books.invitation(secret))?.ok_or_else(useless)?;
        let name = match invitation.resets {
            Some(number) => self.read(|books| books.account(number))?.name,
            None => crate::accounts::account_name(name)?,
        };
        let lab = self.read(|books| Ok(books.manifest().name.clone()))?;
        password::check_password(password, &name, &lab)?;
        let hashed = password::hash(password)?;
        let secret = secret.clone();
        self.write(move |books| {
            // Somebody else may have used it while the password was hashed.
            let invitation = books.invitation(&secret)?.ok_or_else(useless)?;
            match invitation.resets {
                Some(number) => {
                    let account = books.account(number)?;
                    books.set_password(number, hashed.as_str())?;
                    books.use_up(&invitation, number)?;
                    books.note(&account.name, "set a new password by a link")?;
                    Ok(account)
                }
                None => {
                    let account =
                        books.add_account(&name, invitation.role, invitation.standing, hashed.as_str())?;
                    books.use_up(&invitation, account.number)?;
                    let what = format!(
                        "joined as {} {}, invited by {}",
                        account.standing, account.role, invitation.made_by
                    );
                    books.note(&account.name, &what)?;
                    Ok(account)
                }
            }
        })
    }
}
