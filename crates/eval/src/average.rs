//! One number of many topics: over which ones, and how.

use crate::measure::Measure;
use crate::scores::{Outcome, RunScores, TopicScores};
use std::fmt;

/// Which topics enter a mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TopicPolicy {
    /// All judged topics; one without results counts 0. trec_eval's `-c`.
    #[default]
    All,
    /// Judged topics with at least one item of grade 1 or more; one without results counts 0.
    Relevant,
    /// Judged topics for which the run has results, as trec_eval does without `-c`.
    Returned,
    /// Judged topics for which the run has a judged result, which is what the
    /// labs' scripts do without saying so.
    Judged,
}

impl TopicPolicy {
    /// Whether a topic counts.
    #[must_use]
    pub fn admits(self, topic: &TopicScores) -> bool {
        match self {
            Self::All => true,
            Self::Relevant => topic.highest_grade.is_some_and(|grade| grade >= 1),
            Self::Returned => topic.outcome != Outcome::NoResults,
            Self::Judged => topic.outcome == Outcome::Judged,
        }
    }
}

impl fmt::Display for TopicPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all judged topics, those without results as 0",
            Self::Relevant => "judged topics with an item of grade 1 or more, those without results as 0",
            Self::Returned => "judged topics for which the run has results",
            Self::Judged => "topics for which the run has a judged result",
        })
    }
}

/// A value over several topics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Average {
    /// The value; 0 when there are no topics.
    pub value: f64,
    /// Over how many topics.
    pub topics: usize,
}

impl RunScores {
    /// The topics that a policy admits.
    pub fn admitted(&self, policy: TopicPolicy) -> impl Iterator<Item = &TopicScores> {
        self.topics.iter().filter(move |topic| policy.admits(topic))
    }

    /// One value for a measure, which is named by its place in [`RunScores::measures`].
    ///
    /// # Panics
    ///
    /// When there is no such measure.
    #[must_use]
    pub fn average(&self, measure: usize, policy: TopicPolicy) -> Average {
        average(&self.measures[measure], self.admitted(policy).map(|topic| topic.values[measure]))
    }
}

/// One value of many: their mean, or what the measure asks for.
pub fn average(measure: &Measure, values: impl Iterator<Item = f64>) -> Average {
    let values: Vec<f64> = values.collect();
    Average { value: measure.aggregate().of(&values), topics: values.len() }
}
