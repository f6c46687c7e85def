//! How far a model and people agree.

use stats::agreement::{Distance, cohen_kappa_at, weighted_kappa};
use stats::rng::Rng;
use std::fmt;

/// The least grade of a relevant answer.
const RELEVANT: i32 = 2;

/// How far a model's grades and people's agree, on answers that both graded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trust {
    /// How many answers both graded.
    pub answers: usize,
    /// How many of those that people graded the model gave no grade.
    pub without_grade: usize,
    /// On how many of them both gave the same grade.
    pub same: usize,
    /// Cohen's kappa of relevant (2 and 3) against not; nothing if it is not defined.
    pub relevant: Option<f64>,
    /// Kappa with squared distances of grades; nothing if it is not defined.
    pub graded: Option<f64>,
    /// The mean of the model's grades less that of people's.
    pub kinder: f64,
}

impl Trust {
    /// From pairs of a model's grade, if it gave one, and people's.
    #[must_use]
    pub fn of(pairs: &[(Option<i32>, i32)]) -> Self {
        let both: Vec<(i32, i32)> =
            pairs.iter().filter_map(|(model, people)| Some(((*model)?, *people))).collect();
        let (model, people): (Vec<i32>, Vec<i32>) = both.iter().copied().unzip();
        let sum = |grades: &[i32]| grades.iter().map(|grade| f64::from(*grade)).sum::<f64>();
        let answers = both.len();
        let kappa = |found: Result<stats::agreement::Kappa, stats::Error>| {
            found.ok().map(|kappa| kappa.kappa).filter(|value| value.is_finite())
        };
        Self {
            answers,
            without_grade: pairs.len() - answers,
            same: both.iter().filter(|(model, people)| model == people).count(),
            relevant: kappa(cohen_kappa_at(&model, &people, &RELEVANT)),
            graded: kappa(weighted_kappa(&model, &people, Distance::Quadratic)),
            kinder: if answers > 0 { (sum(&model) - sum(&people)) / answers as f64 } else { 0.0 },
        }
    }
}

impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.answers == 0 {
            return write!(
                f,
                "agreement with people is not known: none of {} answers that people judged got a grade",
                self.without_grade
            );
        }
        let kappa = |value: Option<f64>| {
            value.map_or_else(|| "not defined".to_owned(), |value| format!("{value:.3}"))
        };
        write!(
            f,
            "agreement with people on {} answers that they judged: kappa {} (relevant or not), {} (grades, squared), \
             the same grade for {}, {:+.2} in the mean",
            self.answers,
            kappa(self.relevant),
            kappa(self.graded),
            self.same,
            self.kinder
        )?;
        match self.without_grade {
            0 => Ok(()),
            number => write!(f, "; {number} more got no grade"),
        }
    }
}

/// So many of some things, drawn by a seed, as many of each grade as there are; all if there are no more.
#[must_use]
pub fn choose<T>(mut graded: Vec<(i32, T)>, most: usize, seed: u64) -> Vec<(i32, T)> {
    Rng::seeded(seed).shuffle(&mut graded);
    // The first of every grade, then the second of every grade, and so on.
    let mut counts = [0_usize; 4];
    let mut turns: Vec<(usize, i32, T)> = graded
        .into_iter()
        .filter_map(|(grade, thing)| {
            let count = usize::try_from(grade).ok().and_then(|grade| counts.get_mut(grade))?;
            *count += 1;
            Some((*count, grade, thing))
        })
        .collect();
    turns.sort_by_key(|(turn, grade, _)| (*turn, *grade));
    turns.truncate(most);
    turns.into_iter().map(|(_, grade, thing)| (grade, thing)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_counted_over_what_both_graded() {
        let pairs = [(Some(3), 3), (Some(2), 1), (Some(0), 0), (None, 2), (Some(0), 0)];
        let trust = Trust::of(&pairs);
        assert_eq!((trust.answers, trust.without_grade, trust.same), (4, 1, 3));
        // Observed 3/4; the model finds 2 of 4 relevant, people 1: expected 1/2·1/4 + 1/2·3/4 = 1/2.
        assert!((trust.relevant.unwrap() - 0.5).abs() < 1e-12, "{trust:?}");
        assert!((trust.kinder - 0.25).abs() < 1e-12);
        assert!(
            trust.to_string().ends_with("the same grade for 3, +0.25 in the mean; 1 more got no grade"),
            "{trust}"
        );
    }

    #[test]
    fn what_is_not_known_is_said() {
        let trust = Trust::of(&[(None, 2)]);
        assert_eq!(
            trust.to_string(),
            "agreement with people is not known: none of 1 answers that people judged got a grade"
        );
        let same = Trust::of(&[(Some(0), 0)]);
        assert!(same.to_string().contains("kappa not defined (relevant or not)"), "{same}");
    }

    #[test]
    fn grades_are_drawn_in_turn() {
        let graded: Vec<(i32, usize)> =
            (0..40).map(|number| (if number < 36 { 0 } else { number as i32 - 36 }, number)).collect();
        let chosen = choose(graded.clone(), 6, 1);
        let grades: Vec<i32> = chosen.iter().map(|(grade, _)| *grade).collect();
        assert_eq!(grades, [0, 1, 2, 3, 0, 0]);
        assert_eq!(choose(graded.clone(), 6, 1), chosen);
        assert_eq!(choose(graded, 100, 1).len(), 40);
    }
}
