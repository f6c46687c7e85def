//! `hypatia model info`: what is known of a model.

use super::{Format, StoreArgs, leak, size};
use crate::output;
use crate::{Exit, Run};
use anyhow::Result;
use clap::Args;
use serde::Serialize;
use shelf::{Exposure, Facts, Found, Origin};

const LONG_ABOUT: &str = "\
Shows what is known of a model: kind, family, vectors, length limit, source and commit, licence, the sets that it \
was trained on and who says so, and its files. The fingerprint is a checksum of all files but the card and the \
licence: models of the same fingerprint compute the same.";

const EXAMPLES: &str = "\
Examples:
  hypatia model info all-MiniLM-L6-v2
  hypatia model info all-MiniLM-L6-v2 --format json";

/// Show what is known of a model
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Info {
    /// The name of the model
    #[arg(value_name = "NAME")]
    name: String,

    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Serialize)]
struct Line<'f> {
    #[serde(flatten)]
    facts: &'f Facts,
    folder: String,
    size: u64,
    fingerprint: String,
    math_stack_exchange: Exposure,
}

/// Appends what is known of a model as one line of JSON.
pub(super) fn push_json(out: &mut String, found: &Found) {
    let facts = &found.facts;
    let line = Line {
        facts,
        // A path that is not Unicode could not be written otherwise.
        folder: found.folder.display().to_string(),
        size: facts.size(),
        fingerprint: facts.fingerprint(),
        math_stack_exchange: facts.math_stack_exchange(),
    };
    output::push_json(out, &line);
}

impl Run for Info {
    fn run(self) -> Result<Exit> {
        let found = self.store.open()?.find(&self.name)?;
        let mut out = String::new();
        match self.format {
            Format::Json => push_json(&mut out, &found),
            Format::Text => push_text(&mut out, &found),
        }
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}

fn push_text(out: &mut String, found: &Found) {
    let facts = &found.facts;
    let mut row = |name: &str, value: &str| out.push_str(&format!("{name:<13}{}\n", text::visible(value)));
    row("name", &facts.name);
    row("kind", &format!("{} ({})", facts.kind, facts.family));
    if let Some(dimensions) = facts.dimensions {
        row("dimensions", &dimensions.to_string());
    }
    if let Some(most) = facts.max_tokens {
        row("tokens", &format!("up to {most}"));
    }
    if let Some(pooling) = &facts.pooling {
        row("pooling", &format!("{pooling}{}", if facts.normalised { ", normalised" } else { "" }));
    }
    if let Some(parameters) = facts.parameters {
        row("parameters", &parameters.to_string());
    }
    row("source", &facts.source);
    if let Some(revision) = &facts.revision {
        row("revision", revision);
    }
    row("licence", facts.licence.as_deref().unwrap_or("not stated"));
    row("folder", &found.folder.display().to_string());
    row("fingerprint", &facts.fingerprint());
    let mut title = "trained on";
    for mark in &facts.trained_on {
        let from = match mark.from {
            Origin::User => " (as given when it was added)",
            Origin::Known => " (known of this model)",
            Origin::Card => "",
        };
        row(title, &format!("{}{from}", mark.set));
        title = "";
    }
    if facts.trained_on.is_empty() {
        row(title, "not stated");
    }
    if let Some(leak) = leak(facts) {
        row("note", leak);
    }
    let mut title = "files";
    for file in &facts.files {
        row(title, &format!("{}  {:>8}  {}", file.sha256, size(file.size), file.path));
        title = "";
    }
}
