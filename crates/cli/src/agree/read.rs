//! Systems with the values of their topics, from the JSON of `hypatia compare` or `hypatia eval`.

use crate::nearest;
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The values of a topic, by measure.
type Values = BTreeMap<String, f64>;

/// What `hypatia compare --format json` writes.
#[derive(Deserialize)]
struct Comparison {
    task: Option<u8>,
    #[serde(default)]
    measures: Vec<String>,
    systems: Vec<System>,
}

#[derive(Deserialize)]
struct System {
    system: String,
    per_topic: Option<BTreeMap<String, Values>>,
}

/// One run of what `hypatia eval --per-topic --format json` writes.
#[derive(Deserialize)]
struct Run {
    run: String,
    judgments: Option<String>,
    per_topic: Option<BTreeMap<String, Values>>,
}

/// Systems, each with a value for its topics.
pub(super) struct Scored {
    /// The name of the file without its ending.
    pub(super) name: String,
    /// Its path.
    pub(super) path: String,
    pub(super) task: Option<u8>,
    pub(super) measure: String,
    /// In the order of the file.
    systems: Vec<(String, BTreeMap<String, f64>)>,
}

impl Scored {
    /// Reads a file; without a measure, the first of the comparison counts.
    pub(super) fn read(path: &Path, measure: Option<&str>) -> Result<Self> {
        let shown = path.display().to_string();
        let bytes = fs::read(path).with_context(|| shown.clone())?;
        let is_array = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'[');
        let wanted =
            || format!("{shown}: is not the JSON of `hypatia compare` or of `hypatia eval --per-topic`");
        let comparison = if is_array {
            let runs: Vec<Run> = serde_json::from_slice(&bytes).with_context(wanted)?;
            of_runs(runs, &shown)?
        } else {
            serde_json::from_slice(&bytes).with_context(wanted)?
        };
        let measure = chosen(&comparison, measure, &shown)?;
        let mut systems = Vec::new();
        for System { system, per_topic } in comparison.systems {
            let topics = per_topic.with_context(|| {
                format!("{shown}: {system} has no values of topics; write it again with --format json, and eval with --per-topic")
            })?;
            ensure!(
                systems.iter().all(|(known, _)| *known != system),
                "{shown}: the system {system} is there twice"
            );
            let mut values = BTreeMap::new();
            for (topic, by_measure) in topics {
                let value = by_measure
                    .get(&measure)
                    .with_context(|| format!("{shown}: {system} has no {measure} for topic {topic}"))?;
                values.insert(topic, *value);
            }
            systems.push((system, values));
        }
        let name = path.file_stem().map_or_else(|| shown.clone(), |stem| stem.to_string_lossy().into_owned());
        Ok(Self { name, path: shown, task: comparison.task, measure, systems })
    }

    /// The names of the systems.
    pub(super) fn systems(&self) -> impl Iterator<Item = &str> {
        self.systems.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn has(&self, system: &str) -> bool {
        self.systems().any(|known| known == system)
    }

    /// The values of some systems on the topics that all of them have.
    pub(super) fn values(&self, wanted: &[&str]) -> Result<Vec<Vec<f64>>> {
        let of = |name: &str| self.systems.iter().find(|(known, _)| known == name).map(|(_, values)| values);
        let all: Vec<&BTreeMap<String, f64>> = wanted.iter().filter_map(|name| of(name)).collect();
        let topics: BTreeSet<&String> = all
            .first()
            .into_iter()
            .flat_map(|values| values.keys())
            .filter(|topic| all.iter().all(|values| values.contains_key(*topic)))
            .collect();
        ensure!(topics.len() >= 2, "{}: the systems have {} topics in common", self.path, topics.len());
        Ok(all.iter().map(|values| topics.iter().map(|topic| values[*topic]).collect()).collect())
    }
}

/// Runs as if they had been compared.
fn of_runs(runs: Vec<Run>, shown: &str) -> Result<Comparison> {
    let several: BTreeSet<&String> = runs.iter().filter_map(|run| run.judgments.as_ref()).collect();
    ensure!(several.len() < 2, "{shown}: has several files of judgments; evaluate each by itself");
    let systems = runs.into_iter().map(|run| System { system: run.run, per_topic: run.per_topic }).collect();
    Ok(Comparison { task: None, measures: Vec::new(), systems })
}

/// The measure that counts.
fn chosen(comparison: &Comparison, asked: Option<&str>, shown: &str) -> Result<String> {
    let values = comparison.systems.iter().filter_map(|system| system.per_topic.as_ref());
    let known: Vec<String> = match values.flat_map(|topics| topics.values()).next() {
        Some(values) => values.keys().cloned().collect(),
        None => bail!("{shown}: has no systems with values of topics"),
    };
    match asked {
        Some(asked) if known.iter().any(|measure| measure == asked) => Ok(asked.to_owned()),
        Some(asked) => bail!("{shown}: has no {asked}; {}", nearest::suggest(asked, &known)),
        None => match (comparison.measures.first(), &known[..]) {
            (Some(first), _) => Ok(first.clone()),
            (None, [only]) => Ok(only.clone()),
            (None, _) => {
                bail!("{shown}: has several measures ({}); name one with --measure", known.join(", "))
            }
        },
    }
}
