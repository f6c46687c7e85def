//! What was wrong with a table and how it was dealt with, said once it is read.

use crate::stream::Places;
use crate::warn;

/// How many formulas that cannot be read are shown one by one.
const SHOWN: usize = 10;

/// What was noticed in a table.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// Fields that are not text.
    pub(super) invalid_utf8: Places,
    /// Rows whose id cannot stand in a run.
    pub(super) without_id: Places,
    /// Formulas in a notation that does not hold.
    pub(super) unread: Places,
    /// Rows without any formula, or with one that has no symbols.
    pub(super) empty: Places,
    /// The first of those that could not be read, by line.
    reasons: Vec<(u64, String)>,
}

impl Notes {
    /// A formula could not be read.
    pub(super) fn add_unread(&mut self, line: u64, column: &str, reason: &str) {
        self.unread.add(line);
        if self.reasons.len() < SHOWN {
            self.reasons.push((line, format!("{column}: {reason}")));
        }
    }

    /// Adds what was noticed further down.
    pub(super) fn join(&mut self, later: Self) {
        self.invalid_utf8.join(later.invalid_utf8);
        self.without_id.join(later.without_id);
        self.unread.join(later.unread);
        self.empty.join(later.empty);
        let room = SHOWN - self.reasons.len();
        self.reasons.extend(later.reasons.into_iter().take(room));
    }

    /// Says it all, and what becomes of formulas that cannot be read and of rows without a formula.
    pub(super) fn report(&self, name: &str, [unread, empty]: [&str; 2]) {
        for (line, reason) in &self.reasons {
            warn(&format!("{name}:{line}: {reason}"));
        }
        let more = self.unread.count - self.reasons.len() as u64;
        if more > 0 {
            warn(&format!("{name}: and {more} more that could not be read"));
        }
        let cases = [
            (self.invalid_utf8, "field", "with bytes that are not UTF-8, each read as U+FFFD".to_owned()),
            (self.without_id, "row", "left out: the id is empty or holds blanks".to_owned()),
            (self.unread, "formula", format!("that could not be read, {unread}")),
            (self.empty, "row", format!("without a formula that can be read, {empty}")),
        ];
        for (Places { count, first }, thing, what) in cases {
            let plural = if count == 1 { "" } else { "s" };
            if count > 0 {
                warn(&format!("{name}: {count} {thing}{plural} {what} (first in line {first})"));
            }
        }
    }
}
