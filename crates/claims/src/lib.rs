//! Which statements of a text can be tested, and do they hold?
//!
//! [`check`] finds equalities, inequalities, congruences and the like in a text whose formulas stand between
//! dollars, and tests them: by exact arithmetic where it can, otherwise at chosen places with a bound of the
//! rounding error. A claim that holds wherever it was tested is [`Status::Checked`], which proves nothing; one
//! that is clearly violated is [`Status::Failed`]; all others are [`Status::NotCheckable`] with the reason.
//! Definitions, assumptions and equations to be solved are no claims.
//!
//! Formulas are read as operator trees by `formula`. Nothing here searches, ranks or prints.

mod ball;
mod decimals;
mod derive;
mod domain;
mod eval;
mod expr;
mod function;
mod grammar;
mod integral;
mod judge;
mod limit;
mod rational;
mod read;
mod sentence;
mod series;
mod state;
mod value;
mod words;

pub use judge::{Claim, Counts, Status};

/// How much work a text may cost, in steps of some tens of nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For one claim.
    pub claim: u64,
    /// For all claims of a text; those beyond are not checkable.
    pub text: u64,
    /// More claims are not looked at.
    pub claims: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { claim: 400_000, text: 4_000_000, claims: 200 }
    }
}

/// Tests the claims of a text, in their order.
///
/// `context` is what the text answers or goes on from: what is assumed or defined there holds in the text, too.
/// `go_on` is asked before each claim; once it says no, the rest are not checkable.
///
/// ```
/// use claims::{Limits, Status, check};
///
/// let text = "Since $2^5=32$ and $\\sin 2x = 2\\sin x$ for all real $x$, we are done.";
/// let claims = check(text, &[], Limits::default(), &mut || true);
/// assert_eq!(claims[0].status, Status::Checked);
/// assert_eq!(claims[1].status, Status::Failed);
/// assert_eq!(&text[claims[1].place.clone()], r"\sin 2x = 2\sin x");
/// ```
#[must_use]
pub fn check(text: &str, context: &[&str], limits: Limits, go_on: &mut dyn FnMut() -> bool) -> Vec<Claim> {
    let mut state = state::State::new(text, context, limits);
    for known in context {
        sentence::assume(known, &mut state);
    }
    sentence::claims(text, &mut state, go_on)
}
