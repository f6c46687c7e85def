//! Accounts: who may come in, and as what.

use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::AccountNo;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};
use std::fmt;
use unicode_normalization::UnicodeNormalization as _;

/// A name has so many characters at least.
const SHORTEST: usize = 2;
/// And so many at most.
const LONGEST: usize = 40;

/// Defines words that stand in the books.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$each:meta])* $case:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum $name { $($(#[$each])* $case),+ }

        impl $name {
            /// All there are.
            pub const ALL: &'static [Self] = &[$(Self::$case),+];

            /// The word that stands in the books.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$case => $word),+ }
            }

            /// Reads the word.
            #[must_use]
            pub fn read(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                Self::read(value.as_str()?).ok_or(FromSqlError::InvalidType)
            }
        }
    };
}

words! {
    /// What somebody does here.
    Role {
        /// Runs the lab: gives out work, sees everything.
        Organiser = "organiser",
        /// Judges.
        Assessor = "assessor",
    }
}

words! {
    /// Whether somebody may judge.
    Standing {
        /// Sees sample work only, until an organiser takes them on.
        Applicant = "applicant",
        /// May judge.
        Active = "active",
        /// Cannot come in any more; what they judged stays.
        Left = "left",
    }
}

/// Somebody who can come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Its number.
    pub number: AccountNo,
    /// The name, which stands in judgments.
    pub name: String,
    /// What they do here.
    pub role: Role,
    /// Whether they may judge.
    pub standing: Standing,
    /// When it was made, in seconds since 1970.
    pub made_at: i64,
}

impl Account {
    /// Whether they run the lab.
    #[must_use]
    pub fn is_organiser(&self) -> bool {
        self.role == Role::Organiser
    }

    pub(crate) fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get("number")?,
            name: row.get("name")?,
            role: row.get("role")?,
            standing: row.get("standing")?,
            made_at: row.get("made_at")?,
        })
    }
}

/// Reads a name that somebody chose, in the one way in which it is written here.
///
/// # Errors
///
/// With a sentence, when it cannot be a name.
pub fn account_name(typed: &str) -> Result<String> {
    let name: String = typed.trim().nfc().take(4 * LONGEST).collect();
    let length = name.chars().count();
    if !(SHORTEST..=LONGEST).contains(&length) {
        return Err(Error::refused(format!("a name has {SHORTEST} to {LONGEST} characters")));
    }
    if !name.chars().all(|c| c.is_alphanumeric() || "._-".contains(c)) {
        return Err(Error::refused("a name has letters, digits, dots, hyphens and underscores only"));
    }
    if !name.starts_with(char::is_alphanumeric) {
        return Err(Error::refused("a name begins with a letter or a digit"));
    }
    Ok(name)
}

/// What is the same for names that differ in case only.
#[must_use]
pub fn folded_name(name: &str) -> String {
    // Some letters have a longer form in capitals, such as ß.
    name.trim().nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

impl Books<'_> {
    /// All accounts, by name.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn accounts(&self) -> Result<Vec<Account>> {
        let mut select = self.database().prepare_cached("SELECT * FROM account ORDER BY name, number")?;
        let rows = select.query_map([], Account::from_row)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// An account.
    ///
    /// # Errors
    ///
    /// When there is none, or the database cannot be read.
    pub fn account(&self, number: AccountNo) -> Result<Account> {
        let mut select = self.database().prepare_cached("SELECT * FROM account WHERE number = ?1")?;
        select
            .query_row([number], Account::from_row)
            .optional()?
            .ok_or_else(|| Error::refused(format!("there is no account {number}")))
    }

    /// The account with a name, in whatever case it is written.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn account_named(&self, name: &str) -> Result<Option<Account>> {
        // The database folds the case of ASCII only, and a lab has few accounts.
        let wanted = folded_name(name);
        Ok(self.accounts()?.into_iter().find(|account| folded_name(&account.name) == wanted))
    }

    /// How many organisers can come in.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn num_organisers(&self) -> Result<usize> {
        let accounts = self.accounts()?;
        Ok(accounts.iter().filter(|one| one.is_organiser() && one.standing != Standing::Left).count())
    }

    /// Lets somebody judge, or ends that they do. Who leaves is out at once, and what they had not
    /// finished can be given to others.
    ///
    /// # Errors
    ///
    /// When nobody would be left to run the lab, or the database cannot be written.
    pub fn set_standing(&self, number: AccountNo, standing: Standing, by: &str) -> Result<Account> {
        let account = self.account(number)?;
        if account.standing == standing {
            return Ok(account);
        }
        match standing {
            Standing::Applicant => {
                return Err(Error::refused(format!("{} has been taken on already", account.name)));
            }
            Standing::Active => {
                self.note(by, &format!("{} is active now, was {}", account.name, account.standing))?;
            }
            Standing::Left => {
                if account.is_organiser() && self.num_organisers()? < 2 {
                    let reason = "this is the only organiser; invite another one first";
                    return Err(Error::refused(reason));
                }
                let returned = self.database().execute(
                    "UPDATE assignment SET state = 'returned', ended_at = ?2 WHERE account = ?1 AND state = 'open'",
                    params![number, self.now()],
                )?;
                self.end_sessions(number)?;
                self.database().execute(
                    "UPDATE invitation SET ended_at = ?2 WHERE resets = ?1 AND ended_at IS NULL",
                    params![number, self.now()],
                )?;
                self.note(by, &format!("{} has left; batches returned: {returned}", account.name))?;
            }
        }
        let update = "UPDATE account SET standing = ?2 WHERE number = ?1";
        self.database().execute(update, params![number, standing])?;
        Ok(Account { standing, ..account })
    }

    /// Takes an applicant on.
    ///
    /// # Errors
    ///
    /// When they are no applicant, or the database cannot be written.
    pub fn promote(&self, number: AccountNo, by: &str) -> Result<Account> {
        let account = self.account(number)?;
        if account.standing != Standing::Applicant {
            return Err(Error::refused(format!("{} is no applicant", account.name)));
        }
        self.set_standing(number, Standing::Active, by)
    }

    /// Makes an account; the name must be free.
    pub(crate) fn add_account(
        &self,
        name: &str,
        role: Role,
        standing: Standing,
        hashed: &str,
    ) -> Result<Account> {
        let name = account_name(name)?;
        if self.account_named(&name)?.is_some() {
            return Err(Error::refused(format!("the name {name} is taken; choose another")));
        }
        let insert =
            "INSERT INTO account (name, role, standing, password, made_at) VALUES (?1, ?2, ?3, ?4, ?5)";
        self.database().execute(insert, params![name, role, standing, hashed, self.now()])?;
        self.account(AccountNo(self.database().last_insert_rowid()))
    }

    /// What is kept of somebody's password.
    pub(crate) fn kept_password(&self, number: AccountNo) -> Result<String> {
        let mut select = self.database().prepare_cached("SELECT password FROM account WHERE number = ?1")?;
        Ok(select.query_row([number], |row| row.get(0))?)
    }

    /// Sets a password, and ends all sessions of the account.
    pub(crate) fn set_password(&self, number: AccountNo, hashed: &str) -> Result<()> {
        let update = "UPDATE account SET password = ?2 WHERE number = ?1";
        self.database().execute(update, params![number, hashed])?;
        self.end_sessions(number)?;
        Ok(())
    }
}
