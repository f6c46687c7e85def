//! Whether somebody still waits for work that is under way.

use retrieve::{Cancel, Deadline};
use std::cell::Cell;
use std::time::Instant;

tokio::task_local! {
    /// Whether work for this request was told to end before its time, since others needed its place.
    pub(crate) static HURRIED: Cell<bool>;
}

/// Held by whoever waits for work: when it is dropped, nobody does, and the work ends.
#[derive(Debug)]
pub(crate) struct Waiting(Cancel);

impl Waiting {
    /// A deadline for work that ends at a time, or when the other is dropped.
    pub(crate) fn until(at: Instant) -> (Deadline, Self) {
        let (deadline, cancel) = Deadline::at(at).with_cancel();
        (deadline, Self(cancel))
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}
