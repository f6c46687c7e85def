//! What is in an index, and what making it took.

use crate::output::size;
use index::{Changed, FeatureKind, Index};
use serde_json::{Map, Value, json};
use std::fs;

/// What making an index took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) changed: Option<Changed>,
    pub(super) seconds: f64,
}

/// Names and values, in the order in which they are printed.
#[derive(Debug)]
pub(super) struct Facts(Vec<(&'static str, Value)>);

impl Facts {
    pub(super) fn of(index: &Index, work: Option<Work>) -> Self {
        let mut facts: Vec<(&'static str, Value)> = Vec::new();
        if let Some(changed) = work.and_then(|work| work.changed) {
            facts.extend([
                ("added", json!(changed.added)),
                ("replaced", json!(changed.replaced)),
                ("deleted", json!(changed.deleted)),
            ]);
            if changed.unknown > 0 {
                facts.push(("unknown", json!(changed.unknown)));
            }
        }
        let documents: u64 =
            index.segments().iter().map(|segment| u64::from(segment.posts.documents())).sum();
        let formulas: u64 = index.sources().iter().map(|source| u64::from(source.formulas.documents())).sum();
        let words: u64 = index.segments().iter().map(|segment| segment.posts.words()).sum();
        let collections: u64 = index.sources().iter().map(|source| source.collection.size()).sum();
        facts.extend([
            ("posts", json!(index.num_posts())),
            ("outdated", json!(documents - u64::from(index.num_posts()))),
            ("formulas", json!(formulas)),
            ("words", json!(words)),
            ("collections", json!(index.sources().len())),
            ("segments", json!(index.segments().len())),
            ("generation", json!(index.generation())),
            ("features", json!(names(&index.formula_features()))),
            ("post-features", json!(names(&index.post_features()))),
            ("bytes", json!(index.size())),
            ("bytes-posts", json!(index.size() - index.formulas_size() - collections - index.parts_size())),
            ("bytes-formulas", json!(index.formulas_size())),
            ("bytes-collections", json!(collections)),
        ]);
        if !index.parts().is_empty() {
            facts.extend([("parts", json!(part_names(index))), ("bytes-parts", json!(index.parts_size()))]);
        }
        if let Some(work) = work {
            facts.push(("seconds", json!((work.seconds * 1000.0).round() / 1000.0)));
            if let Some(peak) = peak_memory() {
                facts.push(("peak-memory", json!(peak)));
            }
        }
        Self(facts)
    }

    /// A name and a value a line; sizes also as people say them.
    pub(super) fn to_text(&self) -> String {
        let width = self.0.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (name, value) in &self.0 {
            let shown = match value {
                Value::Array(names) if names.is_empty() => "none".to_owned(),
                Value::Array(names) => {
                    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                    names.join(",")
                }
                value => value.to_string(),
            };
            text.push_str(&format!("{name:width$}  {shown}"));
            if name.starts_with("bytes") || *name == "peak-memory" {
                text.push_str(&format!("  ({})", size(value.as_u64().unwrap_or(0))));
            }
            text.push('\n');
        }
        text
    }

    pub(super) fn to_json(&self) -> String {
        let object: Map<String, Value> =
            self.0.iter().map(|(name, value)| (name.replace('-', "_"), value.clone())).collect();
        format!("{:#}\n", Value::Object(object))
    }
}

fn names(kinds: &[FeatureKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.name()).collect()
}

/// The names of an index's parts of other kinds.
pub(super) fn part_names(index: &Index) -> Vec<&str> {
    index.parts().iter().map(|label| label.name.as_str()).collect()
}

/// The most memory that the program has had, where the system says so. Mapped files count as far as
/// they were read.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
