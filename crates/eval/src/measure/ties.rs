//! What a measure could be, were results with equal scores ordered otherwise.

use super::Measure;
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::cmp::Ordering;
use std::ops::Range;

/// Which of all values is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extreme {
    Highest,
    Lowest,
}

impl Measure {
    /// How two tied results are to be ordered for the highest value: `Less`
    /// if the first goes first. The reverse order gives the lowest value.
    ///
    /// This is exact for all measures but infAP with results that are pooled
    /// and not judged, whose best place depends on what stands above.
    #[must_use]
    pub fn benefit_order(&self, first: ResultGrade, second: ResultGrade) -> Ordering {
        let formula = self.kind.measure();
        formula.gain(second).total_cmp(&formula.gain(first))
    }

    /// The highest value over all orders of the results within each tie group.
    ///
    /// Groups are ranges of `verdicts` that do not overlap; results outside
    /// of all groups stay where they are.
    #[must_use]
    pub fn highest_over_ties(
        &self,
        verdicts: &[ResultGrade],
        tie_groups: &[Range<usize>],
        pool: &JudgedGrades,
    ) -> f64 {
        self.over_ties(verdicts, tie_groups, pool, Extreme::Highest)
    }

    /// The lowest value over all orders of the results within each tie group.
    #[must_use]
    pub fn lowest_over_ties(
        &self,
        verdicts: &[ResultGrade],
        tie_groups: &[Range<usize>],
        pool: &JudgedGrades,
    ) -> f64 {
        self.over_ties(verdicts, tie_groups, pool, Extreme::Lowest)
    }

    fn over_ties(
        &self,
        verdicts: &[ResultGrade],
        tie_groups: &[Range<usize>],
        pool: &JudgedGrades,
        extreme: Extreme,
    ) -> f64 {
        let stays = |verdict: &&ResultGrade| !self.is_judged_only() || verdict.is_judged();
        let mut kept = Vec::with_capacity(verdicts.len());
        let mut place = Vec::with_capacity(verdicts.len() + 1);
        for verdict in verdicts {
            place.push(kept.len());
            kept.extend(Some(verdict).filter(stays));
        }
        place.push(kept.len());
        for group in tie_groups {
            let end = place[group.end.min(verdicts.len())];
            let start = place[group.start.min(verdicts.len())].min(end);
            if end - start > 1 {
                let (before, rest) = kept.split_at_mut(start);
                self.kind.measure().arrange(before, &mut rest[..end - start], extreme);
            }
        }
        self.score_filtered(Ranked { grades: &kept, judged: pool })
    }
}
