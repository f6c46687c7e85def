//! The ledger of a system: every tuning run, a line of JSON each.

use super::learned::TreePairs;
use ::fuse::tune::CrossValidation;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize, Serializer};
use stats::gain::{Conclusion, Difference};
use stats::summary::{Interval, t_interval};
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes an interval as its two ends.
fn interval<S: Serializer>(interval: &Option<Interval>, serializer: S) -> Result<S::Ok, S::Error> {
    interval.map(|Interval { low, high }| [low, high]).serialize(serializer)
}

fn conclusion<S: Serializer>(conclusion: &Conclusion, serializer: S) -> Result<S::Ok, S::Error> {
    conclusion.name().serialize(serializer)
}

fn difference<S: Serializer>(found: &Difference, serializer: S) -> Result<S::Ok, S::Error> {
    /// A difference as it is written.
    #[derive(Serialize)]
    struct Written {
        mean: f64,
        #[serde(serialize_with = "interval")]
        interval: Option<Interval>,
        #[serde(rename = "verdict", serialize_with = "conclusion")]
        conclusion: Conclusion,
    }
    let Difference { mean, interval, conclusion } = *found;
    Written { mean, interval, conclusion }.serialize(serializer)
}

/// A tuning run.
#[derive(Debug, Serialize)]
pub(super) struct Entry<'t> {
    pub(super) system: String,
    pub(super) system_fingerprint: String,
    pub(super) index_fingerprint: String,
    pub(super) topics: Vec<Named>,
    pub(super) qrels: Vec<Named>,
    pub(super) measure: String,
    pub(super) method: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) penalties: Vec<f64>,
    /// How many unjudged posts of a topic counted as judged 0 when learning.
    #[serde(skip_serializing_if = "is_zero")]
    pub(super) unjudged: usize,
    pub(super) folds: usize,
    pub(super) seed: u64,
    pub(super) tried: usize,
    pub(super) num_topics: usize,
    pub(super) places: Vec<String>,
    pub(super) chosen: Vec<f64>,
    /// The mean on the topics that the numbers were chosen on: all.
    pub(super) training: f64,
    pub(super) held_out_by_folds: Held,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) held_out_by_files: Option<Held>,
    pub(super) as_it_stands: f64,
    pub(super) difference: f64,
    #[serde(serialize_with = "interval")]
    pub(super) difference_interval: Option<Interval>,
    #[serde(rename = "verdict", serialize_with = "conclusion")]
    pub(super) conclusion: Conclusion,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) learned: Option<Compared<'t>>,
}

/// What learned weights are compared with.
#[derive(Debug, Serialize)]
pub(super) struct Compared<'t> {
    /// The mean with all weights at 1.
    pub(super) equal_weights: f64,
    /// Of all places, whether or not some were selected.
    #[serde(serialize_with = "difference")]
    pub(super) linear_less_equal_weights: Difference,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) selection: Option<Selection<'t>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) trees: Option<Trees>,
}

/// The places that were kept of those that could be learned.
#[derive(Debug, Serialize)]
pub(super) struct Selection<'t> {
    /// For each set of training topics.
    pub(super) subsets_tried: usize,
    pub(super) kept_by_folds: Vec<Vec<&'t str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kept_by_files: Option<Vec<Vec<&'t str>>>,
    /// Those kept on all topics.
    pub(super) kept: Vec<&'t str>,
    pub(super) all_places_held_out_by_folds: Held,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) all_places_held_out_by_files: Option<Held>,
    #[serde(serialize_with = "difference")]
    pub(super) selected_less_all_places: Difference,
    #[serde(serialize_with = "difference")]
    pub(super) selected_less_equal_weights: Difference,
}

/// Boosted trees over the same features.
#[derive(Debug, Serialize)]
pub(super) struct Trees {
    /// Those tried, as TREESxLEAVESxRATE.
    pub(super) settings: Vec<String>,
    pub(super) pairs: TreePairs,
    /// The numbers of trees and leaves and the learning rate that were chosen on all topics.
    pub(super) chosen: Vec<f64>,
    /// The mean on the topics that the trees were learned on: all.
    pub(super) training: f64,
    pub(super) held_out_by_folds: Held,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) held_out_by_files: Option<Held>,
    #[serde(serialize_with = "difference")]
    pub(super) trees_less_linear: Difference,
    #[serde(serialize_with = "difference")]
    pub(super) trees_less_equal_weights: Difference,
}

/// A file, by its name and what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Named {
    name: String,
    fingerprint: String,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A held-out mean with its 95 % interval.
#[derive(Debug, Serialize)]
pub(super) struct Held {
    mean: f64,
    #[serde(serialize_with = "interval")]
    interval: Option<Interval>,
}

impl Held {
    pub(super) fn of(found: &CrossValidation) -> Self {
        Self { mean: found.held_out_mean, interval: t_interval(&found.held_out, 0.95).ok() }
    }
}

/// What earlier runs tried on the same topics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Earlier {
    pub(super) runs: usize,
    pub(super) tried: usize,
}

/// The ledger of a system, by its name or file.
pub(super) fn path(given: Option<&Path>, system: &str) -> PathBuf {
    given.map_or_else(|| Path::new(system).with_extension("tuning.jsonl"), Path::to_owned)
}

pub(super) fn fingerprint(bytes: &[u8]) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(bytes))
}

/// The last part of a path.
pub(super) fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| "-".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// A file that was read before.
pub(super) fn named(path: &Path) -> Named {
    let fingerprint = fs::read(path).map_or_else(|_| String::new(), |bytes| fingerprint(&bytes));
    Named { name: name(path), fingerprint }
}

/// Counts runs of the ledger on one of the same files of topics. A ledger that cannot be read, and a line that is cut
/// off, are left out with a warning.
pub(super) fn tried_before(path: &Path, entry: &Entry<'_>) -> Earlier {
    #[derive(Deserialize)]
    struct Line {
        topics: Vec<Named>,
        tried: usize,
    }
    let text = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            if error.kind() != ErrorKind::NotFound {
                crate::warn(&format!("{}: {error}", path.display()));
            }
            return Earlier::default();
        }
    };
    let is_same = |topics: &Named| {
        let known = entry.topics.iter().map(|known| &known.fingerprint);
        !topics.fingerprint.is_empty() && known.into_iter().any(|known| *known == topics.fingerprint)
    };
    let mut earlier = Earlier::default();
    for (number, line) in (1_usize..).zip(text.lines()) {
        match serde_json::from_str::<Line>(line) {
            Ok(line) if line.topics.iter().any(is_same) => {
                earlier.runs += 1;
                earlier.tried += line.tried;
            }
            Ok(_) => {}
            Err(error) => {
                crate::warn(&format!("{}:{number}: not a record of tuning: {error}", path.display()));
            }
        }
    }
    earlier
}

/// Adds a line to the ledger.
pub(super) fn append(path: &Path, entry: &Entry<'_>) -> Result<()> {
    let mut line = serde_json::to_string(entry)?;
    line.push('\n');
    let failed = || path.display().to_string();
    let mut file = File::options().create(true).append(true).read(true).open(path).with_context(failed)?;
    // What a cut-off line left open is ended first.
    let text = fs::read(path).with_context(failed)?;
    if text.last().is_some_and(|last| *last != b'\n') {
        line.insert(0, '\n');
    }
    file.write_all(line.as_bytes()).and_then(|()| file.sync_all()).with_context(failed)
}
