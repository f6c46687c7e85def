//! Measures of gains, as only trec_eval has them: `ndcg` with other gains, `ndcg_rel`, `Rndcg`, `G`.
//!
//! The ideal ranking has all documents with a gain above 0, the highest first;
//! DCG and nDCG are those of the measure `nDCG`.
//! `ndcg_rel` is the mean of nDCG at the ranks of the results with a gain
//! above 0; each such document that is not returned counts with the nDCG of
//! the whole list. `Rndcg` is the mean of nDCG at the ranks where the gains of
//! the ideal ranking change, and at the last result if that is more than one
//! further down. `G` is the sum over results of gain / log₂(2 + what the ideal
//! ranking has gained down to that rank more than this one), divided by all
//! gains of the ideal; there the ideal ranking gains at least 1 at each rank.
//! Source: trec_eval 9 and its help; the 1 of `G`, the last rank of `Rndcg`
//! and the order of gains less than 1 apart are learnt from its output.

use super::topic::Topic;
use crate::ranked::{JudgedGrades, Ranked, ResultGrade};

/// Up to this grade, those that no document has take part in the sorting, as in trec_eval.
const HIGHEST_LEVEL: i32 = 1000;

/// What grades are worth.
#[derive(Clone, Debug)]
pub(super) struct Gains {
    /// Pairs of a grade and its gain.
    given: Vec<(i64, f64)>,
}

impl Gains {
    /// From pairs of a grade and its gain, no grade twice; other grades are their own gain.
    pub(super) fn new(given: Vec<(i64, f64)>) -> Self {
        Self { given }
    }

    fn of(&self, verdict: ResultGrade) -> f64 {
        let Some(grade) = verdict.grade() else { return 0.0 };
        let given = self.given.iter().find(|(given, _)| *given == i64::from(grade));
        given.map_or(f64::from(grade), |(_, gain)| *gain)
    }

    /// The gains of the ideal ranking, down to the first that is not above 0.
    fn ideal(&self, pool: &JudgedGrades) -> Vec<f64> {
        if self.given.is_empty() {
            return pool
                .grades()
                .iter()
                .take_while(|grade| **grade > 0)
                .map(|grade| f64::from(*grade))
                .collect();
        }
        let highest = pool.grades().first().copied().unwrap_or(-1);
        let is_given = |grade: i32| self.given.iter().any(|(given, _)| *given == i64::from(grade));
        let others = (0..=highest.min(HIGHEST_LEVEL)).chain(pool.grades().iter().copied().rev());
        let mut others: Vec<i32> = others.filter(|grade| !is_given(*grade)).collect();
        others.sort_unstable();
        others.dedup();
        let others = others.into_iter().map(|grade| (i64::from(grade), f64::from(grade)));
        let mut levels: Vec<(i64, f64)> = self.given.iter().copied().chain(others).collect();
        merge_sort(&mut levels);
        if levels.last().is_none_or(|(_, gain)| *gain <= 0.0) {
            return Vec::new();
        }
        let count = |level: i64| pool.grades().iter().filter(|grade| i64::from(**grade) == level).count();
        let levels = levels.into_iter().rev().map(|(level, gain)| (count(level), gain));
        let levels = levels.filter(|(count, _)| *count > 0).take_while(|(_, gain)| *gain > 0.0);
        levels.flat_map(|(count, gain)| std::iter::repeat_n(gain, count)).collect()
    }
}

/// Sorts by gain as trec_eval does, lowest first.
///
/// It cuts the difference of two gains to a whole number, so that gains less
/// than 1 apart stay in the order in which they are; as that is no order, the
/// steps of the sorting matter, too, and a sort from a library would not do.
fn merge_sort(levels: &mut [(i64, f64)]) {
    if levels.len() < 2 {
        return;
    }
    let (left, right) = levels.split_at_mut(levels.len() / 2);
    merge_sort(left);
    merge_sort(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let next = if (a.1 - b.1).trunc() <= 0.0 { left.next() } else { right.next() };
        merged.extend(next);
    }
    merged.extend(left.chain(right));
    levels.copy_from_slice(&merged);
}

/// Walks down a ranking and the ideal one beside it.
struct Walk<'a> {
    gains: &'a Gains,
    verdicts: &'a [ResultGrade],
    ideal: &'a [f64],
    /// How many ranks are done.
    rank: usize,
    sum: f64,
    ideal_sum: f64,
}

impl<'a> Walk<'a> {
    fn new(verdicts: &'a [ResultGrade], gains: &'a Gains, ideal: &'a [f64]) -> Self {
        Self { gains, verdicts, ideal, rank: 0, sum: 0.0, ideal_sum: 0.0 }
    }

    /// Goes one rank down; the gain there, 0 below the last result.
    fn step(&mut self) -> f64 {
        let divisor = ((self.rank + 2) as f64).log2();
        let gain = self.verdicts.get(self.rank).map_or(0.0, |verdict| self.gains.of(*verdict));
        if gain != 0.0 {
            self.sum += gain / divisor;
        }
        if let Some(ideal) = self.ideal.get(self.rank) {
            self.ideal_sum += ideal / divisor;
        }
        self.rank += 1;
        gain
    }

    /// nDCG at the rank reached.
    fn ndcg(&self) -> f64 {
        if self.ideal_sum > 0.0 { self.sum / self.ideal_sum } else { 0.0 }
    }
}

/// nDCG of the whole list.
pub(super) fn ndcg(ranked: Ranked<'_>, gains: &Gains) -> f64 {
    let ideal = gains.ideal(ranked.judged);
    let mut walk = Walk::new(ranked.grades, gains, &ideal);
    for _ in 0..ranked.grades.len().max(ideal.len()) {
        walk.step();
    }
    walk.ndcg()
}

/// nDCG at results with a gain; no more of them than the ideal ranking has, and never below 0.
pub(super) fn ndcg_at_relevant(ranked: Ranked<'_>, gains: &Gains) -> f64 {
    let ideal = gains.ideal(ranked.judged);
    let mut walk = Walk::new(ranked.grades, gains, &ideal);
    let mut sum = 0.0;
    let mut missing = ideal.len();
    while missing > 0 && walk.rank < ranked.grades.len() {
        if walk.step() > 0.0 {
            sum += walk.ndcg();
            missing -= 1;
        }
    }
    while walk.rank < ideal.len() {
        walk.step();
    }
    sum += missing as f64 * walk.ndcg();
    if sum > 0.0 { sum / ideal.len() as f64 } else { 0.0 }
}

/// nDCG where the gains of the ideal ranking change.
pub(super) fn ndcg_at_levels(topic: &Topic<'_>, gains: &Gains) -> f64 {
    let Ranked { grades: verdicts, judged: pool } = topic.ranked;
    let ideal = gains.ideal(pool);
    if topic.num_rel == 0 {
        return 0.0;
    }
    if ideal.is_empty() {
        return f64::NAN;
    }
    let mut walk = Walk::new(verdicts, gains, &ideal);
    let mut sum = 0.0;
    let mut points = 0.0;
    for level in ideal.chunk_by(|a, b| a == b) {
        for _ in level {
            walk.step();
        }
        sum += walk.ndcg();
        points += 1.0;
    }
    if verdicts.len() > ideal.len() + 1 {
        while walk.rank < verdicts.len() {
            walk.step();
        }
        sum += walk.ndcg();
        points += 1.0;
    }
    sum / points
}

/// G.
pub(super) fn gain(ranked: Ranked<'_>, gains: &Gains) -> f64 {
    let ideal = gains.ideal(ranked.judged);
    let total: f64 = ideal.iter().sum();
    let mut behind = 0.0;
    let mut sum = 0.0;
    for (index, verdict) in ranked.grades.iter().enumerate() {
        let gain = gains.of(*verdict);
        behind += ideal.get(index).map_or(1.0, |ideal| ideal.max(1.0)) - gain;
        if gain != 0.0 {
            sum += gain / (2.0 + behind).log2();
        }
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grades, then the gains of the ideal ranking; as seen in what trec_eval prints.
    fn check(given: &[(i64, f64)], grades: &[i32], expected: &[f64]) {
        assert_eq!(Gains::new(given.to_vec()).ideal(&JudgedGrades::new(grades.to_vec())), expected);
    }

    #[test]
    fn gains_that_are_one_apart_are_sorted() {
        check(&[], &[0, 1, 3, -1], &[3.0, 1.0]);
        check(&[(1, 9.0), (3, 4.5)], &[1, 2, 3, 1], &[9.0, 9.0, 4.5, 2.0]);
        check(&[(0, 1.0), (2, -1.0)], &[0, 1, 2, 3], &[3.0, 1.0, 1.0]);
    }

    #[test]
    fn gains_less_than_one_apart_stay_as_given() {
        check(&[(1, 0.25)], &[1], &[]);
        check(&[(0, 0.0), (1, 0.25)], &[1], &[0.25]);
        check(&[(1, 0.25)], &[0, 1, 2], &[2.0]);
        check(&[(1, 0.25)], &[1, 2], &[2.0, 0.25]);
        check(&[(2, 1.2), (1, 0.5)], &[1, 2], &[]);
    }
}
