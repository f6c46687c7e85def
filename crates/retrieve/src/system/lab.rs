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
    /// What of the original is not here.
    pub missing: Option<String>,
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
