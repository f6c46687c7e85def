//! Somebody leaves: what they had goes to a colleague or back into the queue.

use crate::accounts::Standing;
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, BatchNo};
use rusqlite::params;

/// What became of the batches of somebody who left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leaving {
    /// Batches that the colleague has now.
    pub handed: usize,
    /// Batches that are in the queue again, as nobody was named or the colleague knows their items.
    pub returned: usize,
}

impl Books<'_> {
    /// Lets somebody leave. What they had is given to a colleague, if one is named, as far as they may
    /// judge it; the rest returns to the queue, and so does what was kept for them. What was judged stays.
    ///
    /// # Errors
    ///
    /// When nobody would be left to run the lab, or the colleague is the one who leaves.
    pub fn leave(&self, account: AccountNo, to: Option<AccountNo>, by: &str) -> Result<Leaving> {
        if to == Some(account) {
            return Err(Error::refused("name a colleague, not the one who leaves"));
        }
        let select = "SELECT batch FROM assignment WHERE account = ?1 AND state = 'open' ORDER BY number";
        let mut statement = self.database().prepare(select)?;
        let open: Vec<BatchNo> =
            statement.query_map([account], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
        let mut leaving = Leaving::default();
        for batch in open {
            match to.map(|colleague| self.assign(batch, colleague, by)) {
                Some(Ok(_)) => leaving.handed += 1,
                Some(Err(Error::Refused(_))) | None => leaving.returned += 1,
                Some(Err(other)) => return Err(other),
            }
        }
        self.set_standing(account, Standing::Left, by)?;
        let free = "UPDATE batch SET kept_for = NULL WHERE kept_for = ?1 AND NOT EXISTS (
                    SELECT 1 FROM assignment a WHERE a.batch = batch.number AND a.state = 'done')
                    AND stage IN ('main', 'cross-check')";
        self.database().execute(free, params![account])?;
        Ok(leaving)
    }
}
