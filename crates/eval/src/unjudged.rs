//! What a value could be if the unjudged results were judged.
//!
//! The lowest and highest values are taken over all ways to call each unjudged
//! result irrelevant or of the highest grade: relevant ones do most good at
//! the top and least at the bottom, so it is enough to try every number of
//! them from either end; in lists of thousands, a thousand numbers are tried.
//! The expected value is the mean over random verdicts with the frequencies of
//! the topic's own judgments.

use crate::judgments::JudgedTopic;
use crate::measure::Measure;
use crate::ranked::{JudgedGrades, Ranked, ResultGrade};
use stats::rng::Rng;

/// What a value could be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cases {
    /// At least.
    pub worst: f64,
    /// On average, if unjudged results were as relevant as the judged pool.
    pub expected: f64,
    /// At most.
    pub best: f64,
}

/// How many random verdicts the expected value is the mean of.
pub const DRAWS: usize = 100;

/// How many numbers of relevant results are tried at most; in longer lists, every so many.
const MOST_TRIED: usize = 1000;

/// What the value of a measure could be for one ranking with unjudged results.
///
/// `highest_grade` is the highest grade of the scale; `rng` decides the random verdicts.
#[must_use]
pub fn cases(
    measure: &Measure,
    verdicts: &[ResultGrade],
    topic: &JudgedTopic<'_>,
    highest_grade: i32,
    rng: &mut Rng,
) -> Cases {
    let unjudged: Vec<usize> = (0..verdicts.len()).filter(|rank| !verdicts[*rank].is_judged()).collect();
    let value = |assign: &mut dyn FnMut(usize) -> i32| {
        let mut verdicts = verdicts.to_vec();
        let mut grades = topic.pool().grades().to_vec();
        for (index, rank) in unjudged.iter().enumerate() {
            let grade = assign(index);
            verdicts[*rank] = ResultGrade::graded(grade);
            grades.push(grade);
        }
        measure.score_filtered(Ranked { grades: &verdicts, judged: &JudgedGrades::new(grades) })
    };
    let grade = |relevant| if relevant { highest_grade } else { 0 };
    let (mut worst, mut best) = (f64::INFINITY, f64::NEG_INFINITY);
    let step = unjudged.len().div_ceil(MOST_TRIED).max(1);
    for count in (0..unjudged.len()).step_by(step).chain([unjudged.len()]) {
        let from_top = value(&mut |index| grade(index < count));
        let from_bottom = value(&mut |index| grade(index >= unjudged.len() - count));
        worst = worst.min(from_top).min(from_bottom);
        best = best.max(from_top).max(from_bottom);
    }
    let pool = topic.pool().grades();
    let mut draw = |_| if pool.is_empty() { 0 } else { pool[rng.index(pool.len())] };
    let draws = if unjudged.is_empty() { 1 } else { DRAWS };
    #[expect(clippy::cast_precision_loss, reason = "a few draws")]
    let expected = (0..draws).map(|_| value(&mut draw)).sum::<f64>() / draws as f64;
    Cases { worst, expected, best }
}
