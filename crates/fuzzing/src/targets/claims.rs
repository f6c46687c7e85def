//! Claims of texts that a language model wrote.

use crate::Outcome;
use claims::{Counts, Limits, Status, check};

/// Steps that are few enough for a fuzzer.
const LIMITS: Limits = Limits { claim: 4_000, text: 20_000, claims: 16 };

/// Texts whose claims are tested: the same text has the same outcomes, a claim is a part of its text, and each has
/// a note. A text with a claim counts as read.
pub fn claims(bytes: &[u8]) -> Outcome {
    let Ok(text) = std::str::from_utf8(bytes) else { return Outcome::Refused };
    // The part before a form feed is what the text answers.
    let (context, text) = text.split_once('\u{c}').unwrap_or(("", text));
    let found = check(text, &[context], LIMITS, &mut || true);
    assert!(found.len() <= LIMITS.claims);
    for claim in &found {
        assert!(text.get(claim.place.clone()).is_some(), "{:?} is no part of the text", claim.place);
        assert!(!claim.note.is_empty());
        assert!(!claim.quoted(text).contains('\n'));
    }
    assert_eq!(Counts::of(&found).all(), found.len());
    assert_eq!(check(text, &[context], LIMITS, &mut || true), found);
    let stopped = check(text, &[context], LIMITS, &mut || false);
    assert!(stopped.iter().all(|claim| claim.status == Status::NotCheckable));
    if found.is_empty() { Outcome::Refused } else { Outcome::Read }
}
