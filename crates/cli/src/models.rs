//! The models of the store, as engines use them: opened when they are first needed, and shared.

use crate::settings::Settings;
use ::formats::{RecordedModel, Topic};
use anyhow::{Context, Result};
use dense::formulas::{FormulaEncoder, FormulaModel};
use dense::{Encode, EncodeError, EncodeTokens, FeatureWeights, Judge, Models, SharedModels, TokenVectors};
use model::{CrossEncoder, EncoderOptions, TextEncoder};
use retrieve::Resources;
use shelf::{Exposure, MATH_STACK_EXCHANGE, Store};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// What engines use beside an index: the models of the store. Nothing is opened yet.
///
/// # Errors
///
/// When the settings cannot be read.
pub(crate) fn resources() -> Result<Resources> {
    let models = match Settings::read()?.models.value {
        Some(folder) => StoreModels::new(Store::open(folder)),
        None => return Ok(Resources::default()),
    };
    Ok(Resources::default().with_models(SharedModels(Arc::new(models))))
}

/// The encoder of a name, from the store of an option or of the settings.
///
/// # Errors
///
/// When there is no such model, or it cannot be opened.
pub(crate) fn encoder(
    store: Option<&Path>,
    name: &str,
    max_tokens: Option<usize>,
) -> Result<Arc<dyn Encode>> {
    let folder = match store {
        Some(folder) => folder.to_owned(),
        None => {
            Settings::read()?.models.value.context("no folder for models is set; name one with --models")?
        }
    };
    Ok(StoreModels::new(Store::open(folder)).encoder(name, max_tokens)?)
}

/// Warns of models that were trained on the site of ARQMath's topics.
pub(crate) fn warn_of_exposed(models: &[RecordedModel]) {
    for model in models {
        if !model.seen_topics.is_empty() {
            crate::warn(&format!(
                "{} was trained on judgments of {} of these topics: its scores on them say nothing about others",
                model.name,
                model.seen_topics.len()
            ));
            continue;
        }
        let trained = match model.exposure() {
            Exposure::Yes => "was trained",
            Exposure::Likely => "was perhaps trained",
            Exposure::Topics | Exposure::Unknown => continue,
        };
        crate::warn(&format!(
            "{} {trained} on posts of {MATH_STACK_EXCHANGE}: scores on topics from there may be too high",
            model.name
        ));
    }
}

/// The models of these names, as the record of a run over these topics lists them.
///
/// # Errors
///
/// When the settings or the facts of a model cannot be read.
pub(crate) fn used(names: &BTreeSet<String>, topics: &[&Topic]) -> Result<Vec<RecordedModel>> {
    let Some(folder) = Settings::read()?.models.value else { return Ok(Vec::new()) };
    let store = Store::open(folder);
    // Of a sum each model is listed.
    let names: BTreeSet<&str> = names.iter().flat_map(|name| name.split(JOINED)).collect();
    let used = |name: &str| {
        let facts = store.find(name)?.facts;
        let trained_on = facts.trained_on.iter().map(|trained| trained.set.clone()).collect();
        let seen = |id: &String| topics.iter().any(|topic| topic.id.as_str() == id);
        let seen_topics = facts.topics.iter().filter(|id| seen(id)).cloned().collect();
        Ok(RecordedModel { name: name.to_owned(), fingerprint: facts.fingerprint(), trained_on, seen_topics })
    };
    names.into_iter().map(used).collect()
}

/// The models of a store.
#[derive(Debug)]
struct StoreModels {
    store: Store,
    encoders: Opened<(String, Option<usize>), NamedEncoder>,
    judges: Opened<String, NamedJudge>,
    rankers: Opened<String, FeatureWeights>,
    formulas: Opened<String, FormulaEncoder>,
    formula_models: Opened<String, FormulaModel>,
}

/// What joins the names of models whose vectors are added.
const JOINED: char = '+';

/// What was opened before.
type Opened<K, T> = Mutex<HashMap<K, Arc<T>>>;

impl StoreModels {
    fn new(store: Store) -> Self {
        Self {
            store,
            encoders: Opened::default(),
            judges: Opened::default(),
            rankers: Opened::default(),
            formulas: Opened::default(),
            formula_models: Opened::default(),
        }
    }

    /// Opens the folder of a model.
    fn open<T>(&self, name: &str, open: impl Fn(&Path) -> Result<T, model::Error>) -> Result<T, EncodeError> {
        let found = self.store.find(name).map_err(|error| EncodeError(error.to_string()))?;
        open(&found.folder).map_err(|error| EncodeError(error.to_string()))
    }

    /// The encoder of formulas of a name, if it is one: that of a model that was trained on them, or the sum of
    /// several, whose names are joined by `+`.
    fn of_formulas(&self, name: &str) -> Result<Option<Arc<FormulaEncoder>>, EncodeError> {
        let failed = |error: shelf::Error| EncodeError(error.to_string());
        let is_sum = name.contains(JOINED);
        if !is_sum && self.store.find(name).map_err(failed)?.facts.kind != shelf::Kind::TokenVectors {
            return Ok(None);
        }
        // Held while models are opened, so that each is opened once.
        let mut encoders = self.formulas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = encoders.get(name) {
            return Ok(Some(Arc::clone(known)));
        }
        let mut opened = self.formula_models.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut models, mut fingerprints) = (Vec::new(), Vec::new());
        for part in name.split(JOINED) {
            let found = self.store.find(part).map_err(failed)?;
            fingerprints.push(found.facts.fingerprint());
            let model = match opened.get(part) {
                Some(model) => Arc::clone(model),
                None => Arc::new(FormulaModel::open(&found.folder)?),
            };
            opened.insert(part.to_owned(), Arc::clone(&model));
            models.push(model);
        }
        let encoder = Arc::new(FormulaEncoder::new(name.to_owned(), fingerprints.join("+"), models)?);
        encoders.insert(name.to_owned(), Arc::clone(&encoder));
        Ok(Some(encoder))
    }

    fn named(&self, name: &str, max_tokens: Option<usize>) -> Result<Arc<NamedEncoder>, EncodeError> {
        // Held while a model is opened, so that it is opened once.
        let mut encoders = self.encoders.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (name.to_owned(), max_tokens);
        if let Some(known) = encoders.get(&key) {
            return Ok(Arc::clone(known));
        }
        let options = max_tokens.map(EncoderOptions::with_max_tokens).unwrap_or_default();
        let encoder = self.open(name, |folder| TextEncoder::open(folder, &options))?;
        let named = Arc::new(NamedEncoder { name: name.to_owned(), encoder });
        encoders.insert(key, Arc::clone(&named));
        Ok(named)
    }
}

impl Models for StoreModels {
    fn knows(&self, name: &str) -> bool {
        // A model that is open serves on, whatever becomes of its folder, and nothing is read to find it.
        let encoders = self.encoders.lock().unwrap_or_else(PoisonError::into_inner);
        let is_open = encoders.keys().any(|(open, _)| open == name);
        drop(encoders);
        is_open || name.split(JOINED).all(|part| self.store.find(part).is_ok())
    }

    fn encoder(&self, name: &str, max_tokens: Option<usize>) -> Result<Arc<dyn Encode>, EncodeError> {
        if let Some(encoder) = self.of_formulas(name)? {
            return Ok(encoder);
        }
        Ok(self.named(name, max_tokens)?)
    }

    fn judge(&self, name: &str) -> Result<Arc<dyn Judge>, EncodeError> {
        let mut judges = self.judges.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = judges.get(name) {
            return Ok(Arc::clone(known) as _);
        }
        let encoder = self.open(name, |folder| CrossEncoder::open(folder, &EncoderOptions::default()))?;
        let named = Arc::new(NamedJudge { name: name.to_owned(), encoder });
        judges.insert(name.to_owned(), Arc::clone(&named));
        Ok(named)
    }

    fn token_encoder(&self, name: &str) -> Result<Arc<dyn EncodeTokens>, EncodeError> {
        Ok(self.named(name, None)?)
    }

    fn ranker(&self, name: &str) -> Result<Arc<FeatureWeights>, EncodeError> {
        let mut rankers = self.rankers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = rankers.get(name) {
            return Ok(Arc::clone(known));
        }
        let found = self.store.find(name).map_err(|error| EncodeError(error.to_string()))?;
        let ranker = crate::train::read_ranker(&found).map_err(|error| EncodeError(format!("{error:#}")))?;
        let weights = ranker.features.into_iter().zip(ranker.weights).collect();
        let weights = Arc::new(FeatureWeights(weights));
        rankers.insert(name.to_owned(), Arc::clone(&weights));
        Ok(weights)
    }
}

/// An encoder under its name in the store.
#[derive(Debug)]
struct NamedEncoder {
    name: String,
    encoder: TextEncoder,
}

impl NamedEncoder {
    fn failed(&self, error: &model::Error) -> EncodeError {
        EncodeError(format!("{}: {error}", self.name))
    }
}

impl Encode for NamedEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        self.encoder.fingerprint()
    }

    fn dimensions(&self) -> usize {
        self.encoder.dimensions()
    }

    fn max_tokens(&self) -> usize {
        self.encoder.max_tokens()
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        self.encoder.encode(texts).map_err(|error| self.failed(&error))
    }

    fn passages(&self, text: &str, overlap: usize) -> Result<Vec<Range<usize>>, EncodeError> {
        self.encoder.passages(text, overlap).map_err(|error| self.failed(&error))
    }
}

impl EncodeTokens for NamedEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn tokens(&self, text: &str) -> Result<TokenVectors, EncodeError> {
        let model::TokenVectors { rows, dimensions, spans } =
            self.encoder.encode_tokens(text).map_err(|error| self.failed(&error))?;
        Ok(TokenVectors { dimensions, rows, spans })
    }
}

/// A cross-encoder under its name in the store.
#[derive(Debug)]
struct NamedJudge {
    name: String,
    encoder: CrossEncoder,
}

impl Judge for NamedJudge {
    fn name(&self) -> &str {
        &self.name
    }

    fn scores(&self, pairs: &[(&str, &str)]) -> Result<Vec<f32>, EncodeError> {
        self.encoder.scores(pairs).map_err(|error| EncodeError(format!("{}: {error}", self.name)))
    }
}
