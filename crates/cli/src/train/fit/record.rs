//! Where a model comes from and how it was made, for its folder and for people.

use ::train::encoder::Outcome;
use anyhow::{Context, Result, ensure};
use model::training::Record;
use serde_json::{Value, json};
use shelf::Store;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// The model that a training begins with.
pub(in crate::train) struct Base {
    pub(in crate::train) folder: PathBuf,
    pub(super) name: String,
    pub(super) fingerprint: String,
    /// What it was trained on, and judged topics among that.
    sets: Vec<String>,
    topics: Vec<String>,
    licence: Option<String>,
}

impl Base {
    /// A model of the store, or a folder.
    pub(super) fn find(store: &Store, name: &str) -> Result<Self> {
        let path = Path::new(name);
        if store.find(name).is_err() && path.is_dir() {
            let mut checksums = String::new();
            for file in ["config.json", "modules.json", "tokenizer.json", "model.safetensors"] {
                let path = path.join(file);
                if path.exists() {
                    let bytes = std::fs::read(&path).with_context(|| path.display().to_string())?;
                    write!(checksums, "{:032x}", xxh3_128(&bytes))?;
                }
            }
            ensure!(!checksums.is_empty(), "{name}: there is no model in this folder");
            let known =
                path.file_name().map_or_else(|| name.to_owned(), |name| name.to_string_lossy().into_owned());
            let fingerprint = format!("{:032x}", xxh3_128(checksums.as_bytes()));
            return Ok(Self {
                folder: path.to_owned(),
                name: known,
                fingerprint,
                sets: Vec::new(),
                topics: Vec::new(),
                licence: None,
            });
        }
        let found = store.find(name)?;
        Ok(Self {
            folder: found.folder,
            name: name.to_owned(),
            fingerprint: found.facts.fingerprint(),
            topics: found.facts.topics,
            sets: found.facts.trained_on.into_iter().map(|trained| trained.set).collect(),
            licence: found.facts.licence,
        })
    }
}

/// A training that is done.
pub(super) struct Recorded<'r> {
    pub(super) name: &'r str,
    pub(super) base: &'r Base,
    /// What it was trained on now.
    pub(super) sets: &'r [String],
    /// The judged topics among that.
    pub(super) topics: &'r [String],
    pub(super) plan: Value,
    pub(super) outcome: &'r Outcome,
}

impl Recorded<'_> {
    /// What the folder of the model keeps.
    pub(super) fn record(&self) -> Record {
        let Outcome { best, steps, curve, measures, .. } = self.outcome;
        let mut training = self.plan.clone();
        training["trained_on"] = json!(self.sets);
        let topics: BTreeSet<&String> = self.topics.iter().chain(&self.base.topics).collect();
        training["seen_topics"] = json!(topics);
        training["course"] = json!({
            "steps": steps, "parameters_of_step": best, "loss": curve, "mean_reciprocal_rank": measures,
        });
        Record { base: self.base.name.clone(), training, card: self.card() }
    }

    /// A card for people, with base and training sets where readers of cards look for them.
    fn card(&self) -> String {
        let mut card = format!("---\nbase_model: {}\n", self.base.name);
        if let Some(licence) = &self.base.licence {
            card.push_str(&format!("license: {licence}\n"));
        }
        let mut sets: Vec<&str> = Vec::new();
        for set in self.sets.iter().chain(&self.base.sets) {
            if !sets.contains(&set.as_str()) {
                sets.push(set);
            }
        }
        if !sets.is_empty() {
            card.push_str("datasets:\n");
            sets.iter().for_each(|set| card.push_str(&format!("- {set}\n")));
        }
        let kind = self.plan["kind"].as_str().unwrap_or("model");
        card.push_str(&format!(
            "---\n\nA {kind} trained by hypatia from {}. `config.json` has data, options, seed and the course of the \
             loss under `hypatia_training`.\n\n{}.\n",
            self.base.name,
            self.course(),
        ));
        card
    }

    /// The course in a sentence.
    fn course(&self) -> String {
        let Outcome { best, steps, curve, measures, .. } = self.outcome;
        let mut text = format!("{steps} steps");
        if let (Some(first), Some(last)) = (curve.first(), curve.last()) {
            text.push_str(&format!(", loss {:.4} to {:.4}", first.1, last.1));
        }
        let at = |step: u64| measures.iter().find(|measure| measure.0 == step).map(|measure| measure.1);
        if let (Some(before), Some(after)) = (at(0), at(*best)) {
            text.push_str(&format!(
                ", mean reciprocal rank of held-out questions {before:.4} before and {after:.4} after step {best}"
            ));
            if after <= before {
                text.push_str(": training did not help");
            }
        }
        text
    }

    /// The same for standard error.
    pub(super) fn summary(&self) -> String {
        format!("{}: {}", self.name, self.course())
    }
}
