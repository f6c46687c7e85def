//! IPrec@r: the highest precision at or below the rank where recall r is reached.
//!
//! Recall r of R relevant items means the ⌊r·R + 0.9⌋-th one, as in trec_eval
//! 9; version 10 rounds to the nearest instead. 0 if that many were not
//! found. `11ptAvg` is the mean over r = 0, 0.1, … 1.
//! trec_eval gives NaN at recall 0 when nothing is returned; we give 0.
//! Default: relevant from grade 1 on. Source: trec_eval 9, `iprec_at_recall`.

use super::{Names, TopicMeasure, binary_gain, count_relevant};
use crate::measure::{Args, MeasureError, Number, Printed};
use crate::{Ranked, ResultGrade};

pub(crate) static NAMES: Names = Names::new("IPrec", &["iprecatrecall", "interpolatedprecision"]);
pub(crate) static AVERAGE_NAMES: Names = Names::new("11ptAvg", &[]);

/// The recall points of the average, in the order in which they are met from below.
const POINTS: [f64; 11] = [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.0];

/// Interpolated precision at a recall, or averaged over eleven.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Interpolated {
    level: i32,
    /// None for the average.
    recall: Option<Number>,
}

impl Interpolated {
    /// The average, for a level.
    pub(crate) fn new(level: i32) -> Self {
        Self { level, recall: None }
    }

    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()?, recall: Some(args.recall()?) })
    }

    pub(crate) fn read_average(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        Ok(Self { level: args.level()?, recall: None })
    }

    /// Adds up the interpolated precision at recall points, the highest point first.
    ///
    /// A point that stands behind a lower one counts with the highest precision of all.
    pub(crate) fn sum_at(&self, points: &[f64], ranked: Ranked<'_>) -> f64 {
        let relevant = ranked.judged.num_relevant(self.level) as f64;
        let found = count_relevant(ranked.grades, self.level);
        if found == 0 {
            return 0.0;
        }
        let mut wanted = points
            .iter()
            .map(|recall| (recall * relevant + 0.9) as usize)
            .skip_while(|count| *count > found)
            .peekable();
        let mut left = found;
        let mut highest = 0.0f64;
        let mut sum = 0.0;
        for (index, verdict) in ranked.grades.iter().enumerate().rev() {
            if left == 0 {
                break;
            }
            highest = highest.max(left as f64 / (index + 1) as f64);
            if verdict.is_relevant(self.level) {
                while wanted.next_if_eq(&left).is_some() {
                    sum += highest;
                }
                left -= 1;
            }
        }
        sum + wanted.fold(0.0, |sum, _| sum + highest)
    }
}

impl TopicMeasure for Interpolated {
    fn names(&self) -> &'static Names {
        if self.recall.is_some() { &NAMES } else { &AVERAGE_NAMES }
    }

    fn print(&self, out: &mut Printed) {
        out.level(self.level);
        if let Some(recall) = self.recall {
            out.at(recall);
        }
    }

    fn score(&self, ranked: Ranked<'_>) -> f64 {
        match self.recall {
            Some(recall) => self.sum_at(&[recall.get()], ranked),
            None => self.sum_at(&POINTS, ranked) / POINTS.len() as f64,
        }
    }

    fn gain(&self, verdict: ResultGrade) -> f64 {
        binary_gain(verdict, self.level)
    }

    fn trec_name(&self) -> Option<String> {
        Some(match self.recall {
            Some(recall) => format!("iprec_at_recall_{:.2}", recall.get()),
            None => "11pt_avg".to_owned(),
        })
    }

    fn set_level(&mut self, level: i32) {
        self.level = level;
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::testing::check;

    #[test]
    fn the_best_precision_further_down_counts() {
        let (qrels, order) = ("a:1 b:1 c:1 d:1", "x a b c y");
        check("IPrec@0", qrels, order, 0.75);
        check("IPrec@0.1", qrels, order, 0.75);
        check("IPrec@0.75", qrels, order, 0.75);
        check("IPrec@1", qrels, order, 0.0);
        // Recall 0.8 of 4 is the fourth item, which was not found.
        check("11ptAvg", qrels, order, 0.75 * 8.0 / 11.0);
    }

    #[test]
    fn nothing_returned_gives_0() {
        check("IPrec@0", "a:1", "", 0.0);
        check("11ptAvg'", "a:1", "x y", 0.0);
    }
}
