//! What a grade is worth, and how much less further down: the parts of nDCG and DCG.
//!
//! Gains after Järvelin and Kekäläinen, TOIS 20 (2002): the grade itself, as
//! in trec_eval; 2^grade − 1, as in Burges et al., ICML 2005, and gdeval; or
//! a table, where a grade that is not listed keeps its own value.
//! The discount is log₂(rank + 1).

use crate::ResultGrade;
use crate::measure::{Args, MeasureError, Number, Printed};
use std::sync::LazyLock;

/// Beyond this grade, 2^grade leaves no room to add up.
const HIGHEST_EXPONENT: i32 = 900;

/// The largest gain that a table may hold.
const HIGHEST_GAIN: f64 = 1e100;

/// How grades become gains.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Gain {
    /// The grade.
    Linear,
    /// 2^grade − 1.
    Exponential,
    /// As listed, by ascending grade; the others as they are.
    Table(Box<[(i32, Number)]>),
}

impl Gain {
    /// Reads `gain=`, or what other tools call `dcg=` and `gains=`.
    pub(crate) fn read(args: &mut Args<'_>) -> Result<Self, MeasureError> {
        let gain = args.text("gain");
        if let Some(text) = args.text("gains") {
            if gain.is_some() {
                return Err(args.bad("gains", text, "only one of gain= and gains="));
            }
            return Self::read_table(text).ok_or_else(|| args.bad("gains", text, "{grade:gain, …}"));
        }
        let dcg = args.text("dcg");
        match (gain, dcg) {
            (None, None) | (Some("linear"), None) | (None, Some("log2")) => Ok(Self::Linear),
            (Some("exp"), None) | (None, Some("exp-log2")) => Ok(Self::Exponential),
            (Some(text), None) => Err(args.bad("gain", text, "linear or exp")),
            (None, Some(text)) => Err(args.bad("dcg", text, "log2 or exp-log2")),
            (Some(_), Some(text)) => Err(args.bad("dcg", text, "only one of gain= and dcg=")),
        }
    }

    fn read_table(text: &str) -> Option<Self> {
        let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}')).unwrap_or(text);
        let mut table = Vec::new();
        for pair in inner.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (grade, gain) = pair.split_once([':', '='])?;
            let grade: i32 = grade.trim().parse().ok().filter(|grade| *grade >= 0)?;
            let gain: f64 = gain.trim().parse().ok()?;
            let gain = Number::new(gain).filter(|gain| gain.get().abs() <= HIGHEST_GAIN)?;
            table.push((grade, gain));
        }
        table.sort_by_key(|(grade, _)| *grade);
        let twice = table.windows(2).any(|pair| pair[0].0 == pair[1].0);
        table.retain(|(grade, gain)| f64::from(*grade) != gain.get());
        match (twice, table.is_empty()) {
            (true, _) => None,
            (false, true) => Some(Self::Linear),
            (false, false) => Some(Self::Table(table.into())),
        }
    }

    /// Prints what [`read`](Self::read) reads.
    pub(crate) fn print(&self, out: &mut Printed) {
        match self {
            Self::Linear => {}
            Self::Exponential => out.param("gain", "exp"),
            Self::Table(table) => {
                let pairs: Vec<_> = table.iter().map(|(grade, gain)| format!("{grade}:{gain}")).collect();
                out.param("gains", format_args!("{{{}}}", pairs.join(",")));
            }
        }
    }

    /// What a result is worth; nothing if it is not judged.
    pub(crate) fn of(&self, verdict: ResultGrade) -> f64 {
        verdict.grade().map_or(0.0, |grade| self.of_grade(grade))
    }

    /// What a grade is worth.
    pub(crate) fn of_grade(&self, grade: i32) -> f64 {
        match self {
            Self::Linear => f64::from(grade),
            Self::Exponential => 2f64.powi(grade.min(HIGHEST_EXPONENT)) - 1.0,
            Self::Table(table) => {
                let listed = table.iter().find(|(listed, _)| *listed == grade);
                listed.map_or(f64::from(grade), |(_, gain)| gain.get())
            }
        }
    }
}

/// Divisors for the first ranks.
static LOG2: LazyLock<Vec<f64>> = LazyLock::new(|| (0..2048).map(|n| f64::from(n).log2()).collect());

/// Adds up gains, each divided by log₂(rank + 1), in order of rank.
pub(crate) fn discounted(gains: impl Iterator<Item = f64>) -> f64 {
    let table: &[f64] = &LOG2;
    let mut sum = 0.0;
    for (index, gain) in gains.enumerate() {
        if gain != 0.0 {
            sum += gain / table.get(index + 2).copied().unwrap_or_else(|| ((index + 2) as f64).log2());
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grades_beyond_all_bounds_stay_numbers() {
        let sum = discounted(std::iter::repeat_n(Gain::Exponential.of_grade(i32::MAX), 100_000));
        assert!(sum.is_finite());
    }

    #[test]
    fn a_grade_that_is_not_listed_keeps_its_value() {
        let gain = Gain::read_table("{2: 3, 0:0}").unwrap();
        assert_eq!(gain.of_grade(1), 1.0);
        assert_eq!(gain.of_grade(2), 3.0);
        assert_eq!(gain.of(ResultGrade::UNJUDGED), 0.0);
    }

    #[test]
    fn the_table_of_logarithms_goes_on_where_it_ends() {
        let exact: f64 = (1..=3000).map(|rank| 1.0 / f64::from(rank + 1).log2()).sum();
        assert_eq!(discounted(std::iter::repeat_n(1.0, 3000)), exact);
    }
}
