//! Claims of what a language model wrote, tested.

use claims::{Claim, Counts, Limits, check};
use retrieve::Deadline;

/// The claims of a text that answers a question, tested until the deadline is over.
pub(crate) fn checked(text: &str, question: &str, deadline: &Deadline) -> Vec<Claim> {
    check(text, &[question], Limits::default(), &mut || !deadline.is_over())
}

/// How many claims of a text fail.
pub(crate) fn failed(claims: &[Claim]) -> usize {
    Counts::of(claims).failed
}
