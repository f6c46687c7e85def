//! Who drifts away from known grades as the work goes on.

use super::agreement::Agreement;
use crate::books::Books;
use crate::error::{Error, Result};
use lab::{PoolKind, Verdict};
use std::collections::BTreeMap;
use std::fmt;

/// When somebody is said to drift.
///
/// The last `window` judgments of items with known grades are held against the first `window` of
/// those before. There is an alarm when the last ones are at least `at_least` and
///
/// - the share with the very same grade is below `lowest_exact`, or
/// - kappa with squared distances is below `lowest_kappa`, or
/// - the first ones are at least `at_least` too, and the share with the same grade fell by more
///   than `fall` between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftRule {
    /// How many judgments are looked at together.
    pub window: usize,
    /// How many there must be, for chance not to decide.
    pub at_least: usize,
    /// The share with the same grade must not be below this.
    pub lowest_exact: f64,
    /// Kappa must not be below this.
    pub lowest_kappa: f64,
    /// The share with the same grade must not fall by more than this.
    pub fall: f64,
}

impl Default for DriftRule {
    /// Twenty judgments, at least ten; half of the grades the same, kappa 0.4, a fall by a quarter.
    fn default() -> Self {
        Self { window: 20, at_least: 10, lowest_exact: 0.5, lowest_kappa: 0.4, fall: 0.25 }
    }
}

/// How somebody judges what is known, first and last.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// Who.
    pub assessor: String,
    /// What they judge.
    pub kind: PoolKind,
    /// How many hidden things they gave a grade.
    pub judged: usize,
    /// How often they gave none.
    pub without_grade: usize,
    /// The first ones, those that count as the last left out.
    pub first: Agreement,
    /// The last ones.
    pub last: Agreement,
    /// What is wrong, if anything is.
    pub alarms: Vec<Alarm>,
}

/// What is wrong with how somebody judges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alarm {
    /// Too few of the last grades are the same.
    FewSame {
        /// The share.
        share: f64,
        /// What it must not be below.
        lowest: f64,
    },
    /// The last grades agree too little.
    LowKappa {
        /// Kappa with squared distances.
        kappa: f64,
        /// What it must not be below.
        lowest: f64,
    },
    /// Fewer of the last grades are the same than of the first.
    Fell {
        /// The share before.
        from: f64,
        /// The share now.
        to: f64,
    },
}

impl fmt::Display for Alarm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewSame { share, lowest } => write!(
                f,
                "{:.0} % of the last grades are those that are known, and {:.0} % should be",
                share * 100.0,
                lowest * 100.0
            ),
            Self::LowKappa { kappa, lowest } => {
                let kappa = format!("{kappa:.2}").replace('-', "\u{2212}");
                write!(f, "the weighted kappa of the last grades is {kappa}, below {lowest:.2}")
            }
            Self::Fell { from, to } => {
                write!(
                    f,
                    "the share of grades that are those known fell from {:.0} % to {:.0} %",
                    from * 100.0,
                    to * 100.0
                )
            }
        }
    }
}

impl DriftRule {
    /// Holds what somebody said against what is known, in the order of their work.
    #[must_use]
    pub fn look(
        &self,
        assessor: &str,
        kind: PoolKind,
        said: &[(Verdict, Verdict)],
        relevant_from: i32,
    ) -> Drift {
        let graded: Vec<(Verdict, Verdict)> = said
            .iter()
            .filter(|(own, known)| own.grade().is_some() && known.grade().is_some())
            .copied()
            .collect();
        let (before, last) = graded.split_at(graded.len().saturating_sub(self.window));
        let first = Agreement::of(&before[..before.len().min(self.window)], relevant_from);
        let last = Agreement::of(last, relevant_from);
        let mut alarms = Vec::new();
        if last.things >= self.at_least {
            if let Some(share) = last.exact.filter(|share| *share < self.lowest_exact) {
                alarms.push(Alarm::FewSame { share, lowest: self.lowest_exact });
            }
            if let Some(kappa) = last.weighted.filter(|kappa| *kappa < self.lowest_kappa) {
                alarms.push(Alarm::LowKappa { kappa, lowest: self.lowest_kappa });
            }
            if let (Some(from), Some(to)) = (first.exact, last.exact)
                && first.things >= self.at_least
                && from - to > self.fall
            {
                alarms.push(Alarm::Fell { from, to });
            }
        }
        let (judged, without_grade) = (graded.len(), said.len() - graded.len());
        Drift { assessor: assessor.to_owned(), kind, judged, without_grade, first, last, alarms }
    }
}

impl Books<'_> {
    /// How everybody judges the hidden items with known grades, by the usual rule; those with alarms
    /// first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn drift(&self) -> Result<Vec<Drift>> {
        self.drift_by(&DriftRule::default())
    }

    /// How everybody judges the hidden items with known grades; those with alarms first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn drift_by(&self, rule: &DriftRule) -> Result<Vec<Drift>> {
        // Of what somebody said of one thing several times, the last counts, at the place of the first.
        let mut select = self.database().prepare_cached(
            "SELECT j.assessor, j.kind, j.verdict, p.gold,
                    (SELECT min(e.judgment) FROM judged e WHERE e.part = d.part) AS first
             FROM judged d JOIN judgment j ON j.number = d.judgment JOIN part p ON p.number = d.part
             WHERE j.stage = 'gold' AND p.gold IS NOT NULL
             AND NOT EXISTS (SELECT 1 FROM judged e JOIN judgment k ON k.number = e.judgment
                 WHERE e.part = d.part AND k.assessor = j.assessor AND e.judgment > d.judgment)
             ORDER BY first",
        )?;
        let mut rows = select.query([])?;
        let mut said: BTreeMap<(String, PoolKind), Vec<(Verdict, Verdict)>> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let (kind, own, known): (String, String, String) = (row.get(1)?, row.get(2)?, row.get(3)?);
            let kind = PoolKind::read(&kind).ok_or(Error::Broken)?;
            let verdict = |text: &str| Verdict::stored(text).ok_or(Error::Broken);
            let (own, known) = (verdict(&own)?, verdict(&known)?);
            if own != Verdict::Withdrawn {
                said.entry((row.get(0)?, kind)).or_default().push((own, known));
            }
        }
        let mut drifts: Vec<Drift> = said
            .iter()
            .map(|((assessor, kind), said)| rule.look(assessor, *kind, said, self.relevant_from(*kind)))
            .collect();
        drifts.sort_by_key(|drift| drift.alarms.is_empty());
        Ok(drifts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(pairs: &[(i32, i32)]) -> Drift {
        let said: Vec<(Verdict, Verdict)> =
            pairs.iter().map(|(own, known)| (Verdict::Grade(*own), Verdict::Grade(*known))).collect();
        DriftRule::default().look("ada", PoolKind::Answers, &said, 2)
    }

    /// Ten things that are known, of which the first `same` get their grade, the others one three away.
    fn ten(same: usize) -> Vec<(i32, i32)> {
        let known = [3, 0, 3, 0, 3, 0, 3, 0, 3, 0];
        known
            .iter()
            .enumerate()
            .map(|(at, known)| (if at < same { *known } else { 3 - known }, *known))
            .collect()
    }

    /// Thirty judgments: the first ten are right; of the last twenty twelve are. With grades of 0
    /// and 3 alone, kappa with squares is Cohen's: (12/20 - 1/2)/(1/2) = 0.2.
    #[test]
    fn worked_by_hand() {
        let pairs: Vec<(i32, i32)> = [ten(10), ten(6), ten(6)].concat();
        let drift = look(&pairs);
        assert_eq!((drift.judged, drift.first.things, drift.last.things), (30, 10, 20));
        assert_eq!((drift.first.exact, drift.last.exact), (Some(1.0), Some(0.6)));
        assert!((drift.last.weighted.unwrap() - 0.2).abs() < 1e-9);
        let told: Vec<String> = drift.alarms.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "the weighted kappa of the last grades is 0.20, below 0.40",
                "the share of grades that are those known fell from 100 % to 60 %",
            ]
        );
        assert!(matches!(look(&ten(4)).alarms[0], Alarm::FewSame { share, .. } if share == 0.4));
    }

    #[test]
    fn few_judgments_and_good_ones_are_no_alarm() {
        assert_eq!(look(&[(0, 3); 9]).alarms, []);
        assert_eq!(look(&[ten(10), ten(10), ten(10)].concat()).alarms, []);
        assert_eq!(look(&[]).last, Agreement::default());
        let all_same = look(&[(2, 2); 12]);
        assert_eq!((all_same.last.weighted, all_same.alarms.len()), (None, 0));
    }

    /// With fewer than forty, the first ones are those that are not among the last.
    #[test]
    fn the_first_and_the_last_have_nothing_in_common() {
        let drift = look(&[ten(10), ten(10), ten(10), ten(10), ten(10)].concat());
        assert_eq!((drift.judged, drift.first.things, drift.last.things), (50, 20, 20));
        assert_eq!(look(&ten(10)).first.things, 0);
    }
}
