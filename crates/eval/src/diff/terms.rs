//! What each result of a ranking adds to its value.

use crate::measure::Measure;
use crate::ranked::{JudgedGrades, Ranked, ResultGrade};

/// The term of each result: M(r₁…rᵢ) − M(r₁…rᵢ₋₁).
///
/// Unjudged results have been removed if the measure asks for that. Results
/// with the same verdict in a row move a value in one direction only, so when
/// it is the same before and after them all their terms are 0; long stretches
/// of unjudged results therefore cost one walk and not one each.
pub(super) fn terms(measure: &Measure, verdicts: &[ResultGrade], pool: &JudgedGrades) -> Vec<f64> {
    let value = |length: usize| measure.score_filtered(Ranked { grades: &verdicts[..length], judged: pool });
    let mut terms = vec![0.0; verdicts.len()];
    let mut start = 0;
    let mut before = value(0);
    for block in verdicts.chunk_by(|a, b| a == b) {
        let end = start + block.len();
        let after = value(end);
        if after.total_cmp(&before).is_ne() {
            for (length, term) in (start + 1..=end).zip(&mut terms[start..end]) {
                let now = if length == end { after } else { value(length) };
                *term = now - before;
                before = now;
            }
        }
        before = after;
        start = end;
    }
    terms
}
