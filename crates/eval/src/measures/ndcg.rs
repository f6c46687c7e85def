//! nDCG and DCG: gains, worth less further down, over those of the ideal ranking.
//!
//! DCG is Σ gain(rᵢ) / log₂(i + 1) over the results; nDCG divides it by the
//! DCG of all judged items with a gain above 0, the highest first.
//! With a cutoff both are cut (trec_eval's `ndcg_cut`); a topic without gains
//! scores 0. Gains are the grades unless `gain=exp` or `gains={…}` is said.
//! Source: Järvelin and Kekäläinen, TOIS 20 (2002), as computed by trec_eval 9.

use super::gain::{Gain, discounted};
use super::{Names, TopicMeasure, head};
use crate::measure::{Args, MeasureError, Printed};
use crate::{JudgedGrades, Ranked, ResultGrade};
use std::num::NonZeroUsize;

pub(crate) static NAMES: Names = Names::new("nDCG", &["ndcgcut"]);
pub(crate) static DCG_NAMES: Names = Names::new("DCG", &[]);

/// Whether the sum is divided by that of the ideal ranking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Norm {
    Ideal,
    None,
}

/// nDCG or DCG.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Ndcg {
    gain: Gain,
    cutoff: Option<NonZeroUsize>,
    norm: Norm,
}

impl Ndcg {
    /// nDCG with grades as gains.
    pub(crate) fn new(cutoff: Option<NonZeroUsize>) -> Self {
        Self { gain: Gain::Linear, cutoff, norm: Norm::Ideal }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Self::read_as(args, Norm::Ideal)
    }

    pub(crate) fn read_dcg(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Self::read_as(args, Norm::None)
    }

    fn read_as(args: &mut Args<'_>, norm: Norm) -> Result<Self, MeasureError> {
        args.has_no("rel", "it has no threshold: every grade counts with its gain");
        Ok(Self { gain: Gain::read(args)?, cutoff: args.cutoff()?, norm })
    }

    fn ideal(&self, pool: &JudgedGrades) -> f64 {
        let limit = self.cutoff.map_or(usize::MAX, NonZeroUsize::get);
        let gains = pool.grades().iter().map(|grade| self.gain.of_grade(*grade));
        if let Gain::Table(_) = self.gain {
            let mut gains: Vec<f64> = gains.filter(|gain| *gain > 0.0).collect();
            gains.sort_by(|a, b| b.total_cmp(a));
            discounted(gains.into_iter().take(limit))
        } else {
            discounted(gains.take(limit).take_while(|gain| *gain > 0.0))
        }
    }

    fn normalised(&self, sum: f64, pool: &JudgedGrades) -> f64 {
        match self.norm {
            Norm::None => sum,
            Norm::Ideal => {
                let ideal = self.ideal(pool);
                if ideal > 0.0 { sum / ideal } else { 0.0 }
            }
        }
    }
}

impl TopicMeasure for Ndcg {
    fn names(&self) -> &'static Names {
        match self.norm {
            Norm::Ideal => &NAMES,
            Norm::None => &DCG_NAMES,
        }
    }

    fn print(&self, out: &mut Printed) {
        self.gain.print(out);
        out.cutoff(self.cutoff);
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        let verdicts = head(ranked.grades, self.cutoff).iter();
        let sum = match self.gain {
            Gain::Linear => discounted(verdicts.map(|verdict| f64::from(verdict.gain()))),
            _ => discounted(verdicts.map(|verdict| self.gain.of(*verdict))),
        };
        self.normalised(sum, ranked.judged)
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        self.gain.of(verdict)
    }

    fn trec_name(&self) -> Option<String> {
        match (self.norm, &self.gain, self.cutoff) {
            (Norm::Ideal, Gain::Linear, None) => Some("ndcg".to_owned()),
            (Norm::Ideal, Gain::Table(table), None) => {
                let pairs: Vec<_> = table.iter().map(|(grade, gain)| format!("{grade}={gain}")).collect();
                Some(format!("ndcg_{}", pairs.join(",")))
            }
            (Norm::Ideal, Gain::Linear, Some(cutoff)) => Some(format!("ndcg_cut_{cutoff}")),
            _ => None,
        }
    }

    /// Every rank has the mean gain.
    fn chance(&self, pool: &JudgedGrades) -> Option<f64> {
        let judged = pool.num_judged();
        if judged == 0 {
            return Some(0.0);
        }
        let total: f64 = pool.grades().iter().map(|grade| self.gain.of_grade(*grade)).sum();
        let depth = self.cutoff.map_or(judged, |cutoff| cutoff.get().min(judged));
        let sum = total / judged as f64 * discounted(std::iter::repeat_n(1.0, depth));
        Some(self.normalised(sum, pool))
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::{chance, check, score};

    #[test]
    fn grades_as_gains() {
        check("nDCG", "a:3 b:2 c:1", "b c", 0.552500);
        check("nDCG", "a:3 b:0", "b a", 0.630930);
        check("nDCG", "a:0 b:0", "a b", 0.0);
    }

    #[test]
    fn a_cutoff_cuts_the_ideal_too() {
        check("nDCG@1", "a:3 b:3", "a", 1.0);
        check("nDCG@2", "a:3 b:3", "x a b", 0.386853);
    }

    #[test]
    fn other_gains() {
        // (1 + 7/log₂3) / (7 + 1/log₂3)
        check("nDCG(gain=exp)", "a:3 b:1", "b a", 0.709810);
        check("nDCG(gains={1:7,3:1})", "a:3 b:1", "b a", 1.0);
        check("DCG@2", "a:3 b:1", "b a c", 1.0 + 3.0 / 3f64.log2());
    }

    #[test]
    fn negative_gains_count_against_the_ranking_but_not_in_the_ideal() {
        assert!(score("nDCG(gains={0:-1})", "a:1 b:0", "b a") < 0.0);
        check("nDCG(gains={0:-1})", "a:1 b:0", "a", 1.0);
    }

    #[test]
    fn chance_is_high_when_little_is_judged() {
        let nine_zeros = "a:3 b:0 c:0 d:0 e:0 f:0 g:0 h:0 i:0 j:0";
        let many = "a:3 b:3 c:3 d:3 e:2 f:2 g:2 h:2 i:1 j:1 k:1 l:1 m:1 n:1 o:1 p:1 q:0 r:0";
        let cases = [
            ("a:3 b:2 c:0 d:0", 0.751317),
            ("a:1 b:0", 0.815465),
            ("a:3 b:3", 1.0),
            (nine_zeros, 0.454356),
            (many, 0.811140),
        ];
        for (qrels, expected) in cases {
            let found = chance("nDCG'@1000", qrels).unwrap();
            assert!((found - expected).abs() < 5e-7, "{qrels}: {found}, not {expected}");
        }
    }
}
