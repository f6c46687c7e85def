//! How far people agree who judged the same: Cohen's kappa of every pair.

use crate::books::Books;
use crate::error::Result;
use crate::several::Several;
use lab::{PoolKind, Stage, Verdict};
use stats::agreement::{cohen_kappa, cohen_kappa_at};
use std::collections::BTreeMap;

/// On which occasion two people judged the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Occasion {
    /// Both for the lab.
    During,
    /// One for the lab, the other again afterwards.
    Afterwards,
}

impl Occasion {
    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::During => "judged twice",
            Self::Afterwards => "cross-checked",
        }
    }
}

/// How far two people agree.
#[derive(Clone, Debug, PartialEq)]
pub struct PairAgreement {
    /// On which occasion.
    pub occasion: Occasion,
    /// Who judged first; in a cross-check who judged for the lab.
    pub first: String,
    /// Who else.
    pub second: String,
    /// Things to which both gave a grade.
    pub things: usize,
    /// Things to which one of them gave none; they are left out.
    pub left_out: usize,
    /// The share of things with the same grade.
    pub equal: Option<f64>,
    /// Cohen's kappa by all grades; nothing where both gave one grade to everything.
    pub graded: Option<f64>,
    /// The same by relevant or not.
    pub binary: Option<f64>,
}

/// How far people agree on one kind of things.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// What was judged.
    pub kind: PoolKind,
    /// From which grade on something is relevant.
    pub relevant_from: i32,
    /// Every pair, by occasion and name.
    pub pairs: Vec<PairAgreement>,
}

/// The means over pairs of one occasion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanAgreement {
    /// On which occasion.
    pub occasion: Occasion,
    /// How many pairs there are.
    pub pairs: usize,
    /// Things that both of a pair graded.
    pub things: usize,
    /// The mean kappa by all grades, of pairs that have one.
    pub graded: Option<f64>,
    /// The same by relevant or not.
    pub binary: Option<f64>,
}

impl Agreement {
    /// Of things that several people judged.
    #[must_use]
    pub fn of(kind: PoolKind, relevant_from: i32, things: &[Several]) -> Self {
        type Labels = Vec<(Verdict, Verdict)>;
        let mut labels: BTreeMap<(Occasion, &str, &str), Labels> = BTreeMap::new();
        for (first, second) in things.iter().flat_map(Several::pairs) {
            let occasion = match second.stage {
                Stage::CrossCheck => Occasion::Afterwards,
                _ => Occasion::During,
            };
            let of_pair = labels.entry((occasion, &first.assessor, &second.assessor)).or_default();
            of_pair.push((first.verdict, second.verdict));
        }
        let pairs = labels.into_iter().map(|((occasion, first, second), labels)| {
            let graded = labels.iter().filter_map(|(left, right)| Some((left.grade()?, right.grade()?)));
            let (left, right): (Vec<i32>, Vec<i32>) = graded.unzip();
            let equal = left.iter().zip(&right).filter(|(left, right)| left == right).count();
            PairAgreement {
                occasion,
                first: first.to_owned(),
                second: second.to_owned(),
                things: left.len(),
                left_out: labels.len() - left.len(),
                equal: (!left.is_empty()).then(|| equal as f64 / left.len() as f64),
                graded: cohen_kappa(&left, &right).ok().map(|kappa| kappa.kappa),
                binary: cohen_kappa_at(&left, &right, &relevant_from).ok().map(|kappa| kappa.kappa),
            }
        });
        Self { kind, relevant_from, pairs: pairs.collect() }
    }

    /// The means over pairs, for each occasion that there was.
    #[must_use]
    pub fn means(&self) -> Vec<MeanAgreement> {
        let of = |occasion: Occasion| {
            let pairs: Vec<&PairAgreement> =
                self.pairs.iter().filter(|pair| pair.occasion == occasion).collect();
            let mean = |of: fn(&PairAgreement) -> Option<f64>| {
                let values: Vec<f64> = pairs.iter().filter_map(|pair| of(pair)).collect();
                stats::summary::mean(&values).ok()
            };
            (!pairs.is_empty()).then(|| MeanAgreement {
                occasion,
                pairs: pairs.len(),
                things: pairs.iter().map(|pair| pair.things).sum(),
                graded: mean(|pair| pair.graded),
                binary: mean(|pair| pair.binary),
            })
        };
        [Occasion::During, Occasion::Afterwards].into_iter().filter_map(of).collect()
    }
}

impl Books<'_> {
    /// How far people agree on the current set, for every kind of which something was judged twice.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn agreement(&self) -> Result<Vec<Agreement>> {
        self.agreement_of(&self.manifest().current)
    }

    /// The same for any set.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn agreement_of(&self, set: &str) -> Result<Vec<Agreement>> {
        let mut found = Vec::new();
        for kind in self.manifest().pool_kinds() {
            let things = self.several(kind, set)?;
            let agreement = Agreement::of(kind, self.relevant_from(kind), &things);
            found.extend((!agreement.pairs.is_empty()).then_some(agreement));
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JudgmentNo;
    use crate::several::Opinion;
    use formats::TopicId;

    fn thing(number: i64, main: &[(&str, Verdict)], checks: &[(&str, Verdict)]) -> Several {
        let opinion = |stage: Stage| {
            move |(assessor, verdict): &(&str, Verdict)| Opinion {
                judgment: JudgmentNo(number),
                assessor: (*assessor).to_owned(),
                stage,
                verdict: *verdict,
                comment: String::new(),
            }
        };
        Several {
            kind: PoolKind::Answers,
            set: "now".to_owned(),
            topic: TopicId::from("A.1"),
            item: number.to_string(),
            instance: None,
            main: main.iter().map(opinion(Stage::Main)).collect(),
            checks: checks.iter().map(opinion(Stage::CrossCheck)).collect(),
            decided: None,
        }
    }

    /// Ten things: 7 of 10 have the same grade (0.7); by the grades' shares chance gives
    /// .2*.1 + .2*.2 + .2*.2 + .4*.5 = 0.3; (0.7 - 0.3)/(1 - 0.3) = 0.571. By H+M 9 of 10 agree (0.9);
    /// chance gives .4*.3 + .6*.7 = 0.54; (0.9 - 0.54)/(1 - 0.54) = 0.783.
    #[test]
    fn kappas_worked_by_hand() {
        let first = [3, 2, 1, 0, 0, 3, 2, 0, 1, 0];
        let second = [3, 1, 1, 0, 0, 2, 2, 0, 0, 0];
        let mut things: Vec<Several> = (1..)
            .zip(first.iter().zip(second))
            .map(|(number, (left, right))| {
                thing(number, &[("ada", Verdict::Grade(*left))], &[("bob", Verdict::Grade(right))])
            })
            .collect();
        things.push(thing(11, &[("ada", Verdict::DoNotKnow)], &[("bob", Verdict::Grade(3))]));
        things.push(thing(
            12,
            &[("ada", Verdict::Grade(1)), ("cy", Verdict::Grade(1))],
            &[("ada", Verdict::Grade(0))],
        ));
        let agreement = Agreement::of(PoolKind::Answers, 2, &things);
        let names: Vec<(Occasion, &str, &str, usize, usize)> = agreement
            .pairs
            .iter()
            .map(|pair| {
                (pair.occasion, pair.first.as_str(), pair.second.as_str(), pair.things, pair.left_out)
            })
            .collect();
        assert_eq!(
            names,
            [
                (Occasion::During, "ada", "cy", 1, 0),
                (Occasion::Afterwards, "ada", "bob", 10, 1),
                (Occasion::Afterwards, "cy", "ada", 1, 0),
            ],
            "nobody is compared with themselves"
        );
        let pair = &agreement.pairs[1];
        assert_eq!(pair.equal, Some(0.7));
        assert!((pair.graded.unwrap() - 0.571_429).abs() < 5e-7);
        assert!((pair.binary.unwrap() - 0.782_609).abs() < 5e-7);
        assert_eq!((agreement.pairs[0].graded, agreement.pairs[0].equal), (None, Some(1.0)));
        let means = agreement.means();
        // Grades 1 and 0 of one thing: no agreement, and none by chance either, so kappa is 0.
        assert_eq!((means[0].pairs, means[1].pairs, means[1].things), (1, 2, 11));
        assert!((means[1].graded.unwrap() - 0.571_429 / 2.0).abs() < 5e-7);
        assert_eq!(means[1].binary, pair.binary, "where both say the same of everything there is no kappa");
    }
}
