//! Vectors of an index: which are wanted, and which it has.

use crate::models;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use dense::text::FormulaStyle;
use dense::{Encode, Kind, Passages, Reads, Settings, VectorPart};
use index::parts::{Over, PartLabel};
use index::{Index, PartKind};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

/// What gets vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Of {
    /// Answers
    Answers,
    /// Questions, and documents of other collections
    Questions,
    /// Distinct formulas
    Formulas,
}

/// Vectors that an index gets.
#[derive(Debug, Args)]
pub(super) struct EncodeArgs {
    /// Encode posts or formulas by these models of the store (see hypatia model and hypatia train), with commas
    /// between; A+B adds the vectors of models of formulas
    #[arg(
        long,
        value_name = "MODELS",
        value_delimiter = ',',
        conflicts_with_all = ["update", "delete", "look"]
    )]
    encode: Vec<String>,

    /// What --encode encodes, with commas between [default: answers,questions; of models of formulas: formulas]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', requires = "encode")]
    of: Vec<Of>,

    /// How --encode writes formulas: latex, words (of approach0), spoken or omitted [default: latex]
    #[arg(long, value_name = "STYLE", requires = "encode")]
    formulas_as: Option<FormulaStyle>,

    /// Encode long posts in passages that overlap by this many tokens; without it, only their beginning
    #[arg(long, value_name = "TOKENS", requires = "encode")]
    passages: Option<usize>,

    /// The tokens of a text that --encode reads at most [default: what the model says]
    #[arg(long, value_name = "N", requires = "encode")]
    max_tokens: Option<usize>,

    /// Remove the vectors of this model from the index
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["source", "sample", "encode", "update", "delete", "look"])]
    drop_vectors: Option<String>,

    /// The store of models; by default that of the settings
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
}

/// Encoders, and the parts of an index that they make.
#[derive(Debug, Default)]
pub(super) struct Vectors(Vec<(Arc<dyn Encode>, Over, Settings)>);

impl Vectors {
    /// The kinds of the parts.
    pub(super) fn kinds(&self) -> Vec<Box<dyn PartKind + '_>> {
        let mut kinds: Vec<Box<dyn PartKind + '_>> = Vec::new();
        for (encoder, over, settings) in &self.0 {
            kinds.push(Box::new(VectorPart::new(*over, &**encoder, settings.clone())));
        }
        kinds
    }
}

/// Kinds as the index takes them.
pub(super) fn as_kinds<'k>(kinds: &'k [Box<dyn PartKind + 'k>]) -> Vec<&'k dyn PartKind> {
    kinds.iter().map(|kind| &**kind).collect()
}

impl EncodeArgs {
    /// Whether an index gets vectors.
    pub(super) fn encodes(&self) -> bool {
        !self.encode.is_empty()
    }

    /// The model whose vectors go.
    pub(super) fn drops(&self) -> Option<&str> {
        self.drop_vectors.as_deref()
    }

    /// The vectors that are asked for.
    pub(super) fn wanted(&self) -> Result<Vectors> {
        let mut vectors = Vec::new();
        for name in &self.encode {
            self.push_wanted(name, &mut vectors)?;
        }
        Ok(Vectors(vectors))
    }

    fn push_wanted(&self, name: &str, vectors: &mut Vec<(Arc<dyn Encode>, Over, Settings)>) -> Result<()> {
        let encoder = models::encoder(self.models.as_deref(), name, self.max_tokens)?;
        if self.passages.is_some_and(|overlap| overlap >= encoder.max_tokens()) {
            bail!("--passages: passages of {} tokens cannot overlap by as many", encoder.max_tokens());
        }
        let mut settings = Settings::of(&*encoder);
        settings.formulas = self.formulas_as.unwrap_or_default();
        settings.passages = self.passages.map_or(Passages::First, Passages::Overlapping);
        let mut of: BTreeSet<Of> = self.of.iter().copied().collect();
        match encoder.reads() {
            Reads::Formulas if of.is_empty() => of.extend([Of::Formulas]),
            Reads::Texts if of.is_empty() => of.extend([Of::Answers, Of::Questions]),
            Reads::Formulas if of.iter().any(|of| *of != Of::Formulas) => {
                bail!("{name} is a model of formulas, which encodes no posts: --of formulas");
            }
            Reads::Formulas if self.formulas_as.is_some() => {
                bail!("--formulas-as has no effect on {name}, a model of formulas, which reads trees");
            }
            _ => {}
        }
        settings.of = of
            .iter()
            .filter_map(|of| match of {
                Of::Answers => Some(Kind::Answers),
                Of::Questions => Some(Kind::Questions),
                Of::Formulas => None,
            })
            .collect();
        if !settings.of.is_empty() {
            vectors.push((Arc::clone(&encoder), Over::Posts, settings.clone()));
        }
        if of.contains(&Of::Formulas) {
            let settings = Settings { of: BTreeSet::new(), passages: Passages::First, ..settings };
            vectors.push((encoder, Over::Formulas, settings));
        }
        Ok(())
    }

    /// The vectors that an index has, for a change of it.
    pub(super) fn of_index(&self, index: &Index) -> Result<Vectors> {
        let mut vectors = Vec::new();
        for label in index.parts() {
            let Some(settings) = Settings::read(label) else { continue };
            let encoder = self.again(&settings).with_context(|| {
                format!(
                    "{} has vectors of {}; without that model, remove them with --drop-vectors {}",
                    index.path().display(),
                    settings.model,
                    settings.model
                )
            })?;
            vectors.push((encoder, label.over, settings));
        }
        Ok(Vectors(vectors))
    }

    /// The encoder that made vectors.
    fn again(&self, settings: &Settings) -> Result<Arc<dyn Encode>> {
        let encoder = models::encoder(self.models.as_deref(), &settings.model, Some(settings.tokens))?;
        if encoder.fingerprint() != settings.fingerprint {
            bail!("the model {} of the store is another than the one that made the vectors", settings.model);
        }
        Ok(encoder)
    }
}

/// The parts with vectors of a model.
pub(super) fn parts_of(index: &Index, model: &str) -> Result<Vec<String>> {
    let of = |label: &&PartLabel| Settings::read(label).is_some_and(|settings| settings.model == model);
    let names: Vec<String> = index.parts().iter().filter(of).map(|label| label.name.clone()).collect();
    if names.is_empty() {
        let known = index.parts().iter().filter_map(Settings::read).map(|settings| settings.model);
        let known: BTreeSet<String> = known.collect();
        let known: Vec<String> = known.into_iter().collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        bail!("{} has no vectors of {model}; it has those of: {known}", index.path().display());
    }
    Ok(names)
}
