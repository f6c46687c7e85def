//! The run of the labs that a system stands for, as a system's file says it.

use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;

/// The run of the labs that a system stands for.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// The team, as in the overview's table.
    pub team: String,
    /// The run, as in the overview's table.
    pub row: String,
    /// nDCG', MAP' and P'@10 there, on the whole collection, by the year of the topics.
    #[serde(default, deserialize_with = "by_year")]
    pub scores: BTreeMap<u16, [f64; 3]>,
    /// What is not as in the original.
    pub differs: Option<String>,
    /// What stands in the place of a part of the original that cannot be had here.
    pub reduced: Option<String>,
    /// What of the original is not here, and how to provide it.
    pub missing: Option<String>,
}

/// How much of the original a system is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// All of it, but for what [`Lab::differs`] says.
    Complete,
    /// A part of it is something simpler.
    Reduced,
    /// A part of it has to be provided: weights, or a run.
    Needs,
}

impl State {
    /// The word in lists.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Reduced => "reduced",
            Self::Needs => "needs weights",
        }
    }
}

impl Lab {
    /// How much of the original the system is. What has to be provided says more than what is simpler.
    #[must_use]
    pub fn state(&self) -> State {
        match (&self.missing, &self.reduced) {
            (Some(_), _) => State::Needs,
            (None, Some(_)) => State::Reduced,
            (None, None) => State::Complete,
        }
    }
}

/// Keys of a file are texts, and years are numbers.
fn by_year<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<u16, [f64; 3]>, D::Error> {
    let written = BTreeMap::<String, [f64; 3]>::deserialize(deserializer)?;
    let year = |(year, scores): (String, [f64; 3])| match year.parse() {
        Ok(year) => Ok((year, scores)),
        Err(_) => Err(de::Error::custom(format!("`{year}` is no year"))),
    };
    written.into_iter().map(year).collect()
}
