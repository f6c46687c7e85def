//! Two runs beside each other, topic by topic: how far apart, and by chance?

use crate::average::TopicPolicy;
use crate::measure::Aggregate;
use crate::scores::RunScores;
use stats::correction;
use stats::paired::{self, Resampling};
use std::fmt;

/// A test of paired values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PairedTest {
    /// Student's t-test, two-sided.
    #[default]
    T,
    /// Wilcoxon's signed-rank test.
    Wilcoxon,
    /// The sign test.
    Sign,
    /// The randomisation test of the mean difference.
    Randomisation,
}

impl fmt::Display for PairedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::T => "paired t-test",
            Self::Wilcoxon => "Wilcoxon signed-rank test",
            Self::Sign => "sign test",
            Self::Randomisation => "randomisation test",
        })
    }
}

/// What is done about many tests at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Correction {
    /// Nothing.
    None,
    /// Bonferroni's.
    Bonferroni,
    /// Holm's, which is never weaker than Bonferroni's.
    #[default]
    Holm,
    /// Benjamini and Hochberg's, of the false discovery rate.
    BenjaminiHochberg,
}

impl Correction {
    /// The p-values of several tests after the correction, in their order; none if one of them is no chance.
    #[must_use]
    pub fn apply(self, p_values: &[f64]) -> Vec<f64> {
        let corrected = match self {
            Self::None => Ok(p_values.to_vec()),
            Self::Bonferroni => correction::bonferroni(p_values),
            Self::Holm => correction::holm(p_values),
            Self::BenjaminiHochberg => correction::benjamini_hochberg(p_values),
        };
        corrected.unwrap_or_default()
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "not corrected",
            Self::Bonferroni => "Bonferroni-corrected",
            Self::Holm => "Holm-corrected",
            Self::BenjaminiHochberg => "Benjamini-Hochberg-corrected",
        })
    }
}

/// How runs are compared.
#[derive(Clone, Copy, Debug)]
pub struct Method {
    /// The test.
    pub test: PairedTest,
    /// What is done about many of them.
    pub correction: Correction,
    /// Which topics count.
    pub policy: TopicPolicy,
    /// How often and from which seed, for the randomisation test.
    pub resampling: Resampling,
}

/// A run beside a baseline, by one measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Comparison {
    /// Over how many topics.
    pub topics: usize,
    /// The mean (or sum, or geometric mean, as the measure has it) of the run minus that of the baseline.
    pub difference: f64,
    /// How many topics are better, equal and worse than in the baseline.
    pub better: usize,
    /// See `better`.
    pub equal: usize,
    /// See `better`.
    pub worse: usize,
    /// How likely so large a difference is by chance; nothing where the test
    /// has nothing to say, as for two runs that are equal everywhere.
    pub p: Option<f64>,
    /// The same after the correction.
    pub corrected: Option<f64>,
    /// The mean difference in standard deviations of the differences (Cohen's d_z).
    pub effect: Option<f64>,
}

/// Compares runs with a baseline by one measure, which is named by its place.
///
/// All must have been scored with the same judgments and measures.
#[must_use]
pub fn against(base: &RunScores, runs: &[&RunScores], measure: usize, method: Method) -> Vec<Comparison> {
    let mut comparisons: Vec<Comparison> = runs.iter().map(|run| one(base, run, measure, method)).collect();
    let tested: Vec<usize> = (0..runs.len()).filter(|index| comparisons[*index].p.is_some()).collect();
    let p_values: Vec<f64> = tested.iter().filter_map(|index| comparisons[*index].p).collect();
    for (index, p) in tested.into_iter().zip(method.correction.apply(&p_values)) {
        comparisons[index].corrected = Some(p);
    }
    comparisons
}

/// The values of two runs on the topics that count for both.
#[must_use]
pub fn pairs(
    left: &RunScores,
    right: &RunScores,
    measure: usize,
    policy: TopicPolicy,
) -> (Vec<f64>, Vec<f64>) {
    let both = left.topics.iter().zip(&right.topics);
    both.filter(|(left, right)| policy.admits(left) && policy.admits(right))
        .map(|(left, right)| (left.values[measure], right.values[measure]))
        .unzip()
}

fn one(base: &RunScores, run: &RunScores, measure: usize, method: Method) -> Comparison {
    let aggregate = run.measures[measure].aggregate();
    let (values, base) = pairs(run, base, measure, method.policy);
    let count = |of: fn(&f64, &f64) -> bool| values.iter().zip(&base).filter(|(a, b)| of(a, b)).count();
    let [better, equal, worse] = [count(|a, b| a > b), count(|a, b| a == b), count(|a, b| a < b)];
    let topics = values.len();
    let differences = values.iter().zip(&base).map(|(value, base)| value - base);
    #[expect(clippy::cast_precision_loss, reason = "there are far fewer than 2^53 topics")]
    let difference = match aggregate {
        Aggregate::Mean if topics > 0 => differences.sum::<f64>() / topics as f64,
        _ => aggregate.of(&values) - aggregate.of(&base),
    };
    // What is tested is what is averaged.
    let (values, base) = (aggregate.terms(values), aggregate.terms(base));
    let p = match method.test {
        PairedTest::T => paired::t_test(&values, &base).ok().map(|test| test.p_value),
        PairedTest::Wilcoxon => paired::wilcoxon(&values, &base).ok().map(|test| test.p_value),
        PairedTest::Sign => paired::sign_test(&values, &base).ok().map(|test| test.p_value),
        PairedTest::Randomisation => {
            paired::randomisation_test(&values, &base, &method.resampling).ok().map(|test| test.p_value)
        }
    };
    Comparison {
        topics,
        difference,
        better,
        equal,
        worse,
        p,
        corrected: None,
        effect: paired::cohen_d_z(&values, &base).ok(),
    }
}
