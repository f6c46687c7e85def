//! infAP: AP estimated when only a sample of the pool was judged.
//!
//! At a relevant result of rank k, precision is estimated as 1/k for itself
//! plus, for the k − 1 above, the share of them in the pool times the share
//! of relevant among those judged, smoothed with ε = 0.00001.
//! Items listed with a negative grade are in the pool and not judged.
//! Default: relevant from grade 1 on. Source: Yilmaz and Aslam, CIKM 2006, as
//! computed by trec_eval 9.

use super::{Names, TopicMeasure, binary_gain};
use crate::measure::{Args, Extreme, MeasureError, Printed};
use crate::{Ranked, ResultGrade};

pub(crate) static NAMES: Names = Names::new("infAP", &["inferredap"]);

/// Keeps the estimate defined where nothing is judged.
const EPSILON: f64 = 0.00001;

/// Inferred average precision.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InferredAp {
    level: i32,
}

/// What stands above a rank.
#[derive(Clone, Copy, Debug, Default)]
struct Above {
    results: usize,
    relevant: usize,
    others: usize,
    pooled: usize,
}

impl Above {
    fn add(&mut self, verdict: ResultGrade, level: i32) {
        self.results += 1;
        if verdict.is_relevant(level) {
            self.relevant += 1;
        } else if verdict.is_judged() {
            self.others += 1;
        } else if verdict == ResultGrade::POOLED {
            self.pooled += 1;
        }
    }

    /// The estimated precision at a relevant result that stands next.
    fn precision(self) -> f64 {
        if self.results == 0 {
            return 1.0;
        }
        let above = self.results as f64;
        let judged = (self.relevant + self.others) as f64;
        let in_pool = judged + self.pooled as f64;
        1.0 / (above + 1.0)
            + (above / (above + 1.0))
                * (in_pool / above)
                * ((self.relevant as f64 + EPSILON) / (judged + 2.0 * EPSILON))
    }
}

impl InferredAp {
    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()? })
    }

    /// Mixes relevant and merely pooled results, `above` them being fixed.
    ///
    /// Which of two orders is better depends on what stands above, so all
    /// mixtures are compared: `best[p][r]` is the best sum that the relevant
    /// results after the first p pooled and r relevant ones can still have.
    fn mix(above: Above, pooled: usize, relevant: usize, extreme: Extreme) -> Vec<ResultGrade> {
        let at = |p: usize, r: usize| Above {
            results: above.results + p + r,
            relevant: above.relevant + r,
            others: above.others,
            pooled: above.pooled + p,
        };
        let width = relevant + 1;
        let mut best = vec![0.0; (pooled + 1) * width];
        let mut relevant_next = vec![false; best.len()];
        for p in (0..=pooled).rev() {
            for r in (0..relevant).rev() {
                let here = p * width + r;
                let take = at(p, r).precision() + best[here + 1];
                let wait = (p < pooled).then(|| best[here + width]);
                let takes = wait.is_none_or(|wait| match extreme {
                    Extreme::Highest => take >= wait,
                    Extreme::Lowest => take <= wait,
                });
                best[here] = if takes { take } else { wait.unwrap_or(take) };
                relevant_next[here] = takes;
            }
        }
        let (mut p, mut r) = (0, 0);
        let mut is_relevant = Vec::with_capacity(pooled + relevant);
        while p < pooled || r < relevant {
            let takes = relevant_next[p * width + r];
            is_relevant.push(takes);
            if takes { r += 1 } else { p += 1 }
        }
        is_relevant
            .into_iter()
            .map(|takes| if takes { ResultGrade::graded(i32::MAX) } else { ResultGrade::POOLED })
            .collect()
    }
}

impl TopicMeasure for InferredAp {
    fn names(&self) -> &'static Names {
        &NAMES
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let relevant = ranked.judged.num_relevant(self.level);
        if relevant == 0 {
            return 0.0;
        }
        let mut above = Above::default();
        let mut sum = 0.0;
        for verdict in ranked.grades {
            if verdict.is_relevant(self.level) {
                sum += above.precision();
            }
            above.add(*verdict, self.level);
        }
        sum / relevant as f64
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    /// Relevant results come before all others or after them, except that
    /// pooled ones may help those below.
    fn arrange(&self, before: &[ResultGrade], tied: &mut [ResultGrade], extreme: Extreme) {
        let is_pooled = |verdict: &ResultGrade| *verdict == ResultGrade::POOLED;
        let is_relevant = |verdict: &ResultGrade| verdict.is_relevant(self.level);
        let pooled = tied.iter().filter(|verdict| is_pooled(verdict)).count();
        let mut relevant: Vec<_> = tied.iter().copied().filter(is_relevant).collect();
        let rest: Vec<_> =
            tied.iter().copied().filter(|verdict| !is_pooled(verdict) && !is_relevant(verdict)).collect();
        let mut above = Above::default();
        let first = if extreme == Extreme::Lowest { rest.as_slice() } else { &[] };
        for verdict in before.iter().chain(first) {
            above.add(*verdict, self.level);
        }
        let mut mixed = Self::mix(above, pooled, relevant.len(), extreme);
        for verdict in &mut mixed {
            if !is_pooled(verdict) {
                *verdict = relevant.pop().unwrap_or(*verdict);
            }
        }
        let order: Vec<_> = match extreme {
            Extreme::Highest => mixed.into_iter().chain(rest).collect(),
            Extreme::Lowest => rest.into_iter().chain(mixed).collect(),
        };
        tied.copy_from_slice(&order);
    }

    fn trec_name(&self) -> Option<String> {
        Some("infAP".to_owned())
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn negative_grades_are_in_the_pool() {
        // As trec_eval 9 prints it.
        check("infAP", "a:3 b:0 c:-1 d:1 e:-2", "x c e b a d", 0.350002999940001);
        check("infAP", "a:3 b:0 d:1", "x c e b a d", 0.266667666646667);
    }
}
