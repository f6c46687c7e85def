//! One step of work on the lab's books: what is read and written belongs together.

use crate::error::Result;
use lab::{Lab, Manifest};
use rusqlite::Connection;

/// The lab's books, open for one step. All in a step happens at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Books<'l> {
    lab: &'l Lab,
    now: i64,
}

impl<'l> Books<'l> {
    /// Opens the books at a moment, in seconds since 1970.
    #[must_use]
    pub fn new(lab: &'l Lab, now: i64) -> Self {
        Self { lab, now }
    }

    /// The lab.
    #[must_use]
    pub fn lab(&self) -> &'l Lab {
        self.lab
    }

    /// What the lab is.
    #[must_use]
    pub fn manifest(&self) -> &'l Manifest {
        self.lab.manifest()
    }

    /// The moment of the step, in seconds since 1970.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.now
    }

    pub(crate) fn database(&self) -> &'l Connection {
        self.lab.database()
    }

    /// Writes down what somebody did, for organisers to read.
    ///
    /// # Errors
    ///
    /// When the database cannot be written.
    pub fn note(&self, who: &str, what: &str) -> Result<()> {
        Ok(self.lab.note_event(who, what)?)
    }
}
