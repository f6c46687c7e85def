//! What a model is, from the files that were published with it.

use crate::card::Card;
use crate::facts::ModelFile;
use crate::facts::{Facts, Kind, Origin, TrainedOn};
use crate::gguf::{self, Value};
use crate::known;
use crate::{Error, safetensors};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::path::Path;

/// The `model_type` of models of tokens that this program trains.
const TOKEN_VECTORS: &str = "token-vectors";
/// Names that say nothing about a model.
const GENERIC: [&str; 7] = ["model", "models", "checkpoint", "snapshot", "main", "data", "joined"];

/// The names by which a model may be known.
pub(crate) struct Named<'n> {
    /// The name that was asked for.
    pub(crate) wanted: Option<&'n str>,
    /// The name of the folder or file.
    pub(crate) file: Option<&'n str>,
    /// Where it comes from.
    pub(crate) source: &'n str,
    pub(crate) trained_on: &'n [String],
}

/// Reads and checks what is in `folder`, whose files these are.
pub(crate) fn describe(folder: &Path, files: Vec<ModelFile>, named: &Named<'_>) -> Result<Facts, Error> {
    let card = Card::read(folder);
    let mut facts = match files.iter().find(|file| file.path.ends_with(".gguf")) {
        Some(file) => of_gguf(&folder.join(&file.path))?,
        None => of_folder(folder, &files)?,
    };
    let base = base_models(folder, &card);
    facts.name = match named.wanted {
        Some(name) => name.to_owned(),
        None => guess_name(&card, &files, named).ok_or_else(|| {
            Error::refused(
                Path::new(named.source),
                "its name says nothing about the model; give one with --name",
            )
        })?,
    };
    crate::name::check(&facts.name)?;
    if facts.source.is_empty() {
        named.source.clone_into(&mut facts.source);
    }
    let mut marks: Vec<TrainedOn> = Vec::new();
    let mut mark = |set: &str, from: Origin| {
        if !marks.iter().any(|known| known.set == set) {
            marks.push(TrainedOn { set: set.to_owned(), from });
        }
    };
    named.trained_on.iter().for_each(|set| mark(set, Origin::User));
    let names = [facts.name.as_str(), named.source].into_iter();
    let names = names.chain(card.title.as_deref()).chain(base.iter().map(String::as_str));
    let weights = files.iter().filter(|file| file.is_weights()).map(|file| file.sha256.as_str());
    known::trained_on(names, weights).iter().for_each(|known| mark(&known.set, known.from));
    card.datasets.iter().for_each(|set| mark(set, Origin::Card));
    facts.trained_on = marks;
    facts.licence = card.licence;
    facts.files = files;
    Ok(facts)
}

/// The name that people know a model by.
fn guess_name(card: &Card, files: &[ModelFile], named: &Named<'_>) -> Option<String> {
    let is_telling = |name: &&str| {
        let is_commit = name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        crate::name::is_good(name) && !is_commit && !GENERIC.contains(&name.to_lowercase().as_str())
    };
    let weights = files.iter().find_map(|file| known::name_of_weights(&file.sha256));
    let names = [named.file, weights, card.title.as_deref(), Some(named.source)];
    names.into_iter().flatten().find(is_telling).map(str::to_owned)
}

/// The models that this one was made from.
fn base_models(folder: &Path, card: &Card) -> Vec<String> {
    let mut names = card.base_models.clone();
    if let Ok(config) = json(&folder.join("config.json")) {
        names.extend(config["_name_or_path"].as_str().map(|name| name.trim_end_matches('/').to_owned()));
    }
    names
}

fn json(path: &Path) -> Result<Json, Error> {
    let bytes = std::fs::read(path).map_err(|cause| Error::io(path, cause))?;
    serde_json::from_slice(&bytes).map_err(|cause| Error::damaged(path, format!("not JSON: {cause}")))
}

/// The same, if there is such a file.
fn optional_json(path: &Path) -> Result<Option<Json>, Error> {
    match json(path) {
        Ok(value) => Ok(Some(value)),
        Err(Error::Io { cause, .. }) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn of_gguf(path: &Path) -> Result<Facts, Error> {
    let metadata = gguf::read(path)?;
    let Some(Value::Text(family)) = metadata.get("general.architecture") else {
        return Err(Error::damaged(path, "the metadata have no general.architecture"));
    };
    let number = |key: &str| match metadata.get(&format!("{family}.{key}")) {
        Some(Value::Number(number)) => Some(*number),
        _ => None,
    };
    let mut facts = Facts::new(String::new(), Kind::Decoder, family.clone());
    facts.dimensions = number("embedding_length");
    facts.max_tokens = number("context_length");
    Ok(facts)
}

fn of_folder(folder: &Path, files: &[ModelFile]) -> Result<Facts, Error> {
    let modules = Modules::read(folder)?;
    let inner = folder.join(&modules.transformer);
    let path = inner.join("config.json");
    let config = json(&path)?;
    let family = config["model_type"]
        .as_str()
        .ok_or_else(|| Error::damaged(&path, "has no model_type, which names the architecture"))?;
    let architecture = config["architectures"][0].as_str().unwrap_or_default();
    let mut shapes = BTreeMap::new();
    let mut parameters = 0u64;
    for file in files.iter().filter(|file| file.is_weights()) {
        let tensors = safetensors::read(&folder.join(&file.path))?;
        parameters = parameters.saturating_add(tensors.parameters);
        shapes.extend(tensors.shapes);
    }
    if family == TOKEN_VECTORS {
        let algorithm = config["options"]["algorithm"].as_str().unwrap_or("unknown");
        let mut facts = Facts::new(String::new(), Kind::TokenVectors, algorithm.to_owned());
        facts.parameters = Some(parameters);
        facts.dimensions = config["hidden_size"].as_u64();
        facts.pooling = Some("mean".to_owned());
        config["source"].as_str().unwrap_or_default().clone_into(&mut facts.source);
        return Ok(facts);
    }
    let settings = optional_json(&folder.join("config_sentence_transformers.json"))?.unwrap_or_default();
    let is_late = settings["model_type"] == "ColBERT"
        || architecture == "HF_ColBERT"
        || modules.types.iter().any(|name| name.contains("pylate"))
        || files.iter().any(|file| file.path == "artifact.metadata");
    let kind = if is_late {
        Kind::LateInteraction
    } else if architecture.ends_with("ForSequenceClassification") {
        Kind::CrossEncoder
    } else if modules.is_sparse() {
        return Err(Error::refused(&folder.join("modules.json"), "a sparse encoder, which is not supported"));
    } else if !modules.types.is_empty() {
        Kind::SentenceEncoder
    } else if ["ForCausalLM", "LMHeadModel", "ForConditionalGeneration"]
        .iter()
        .any(|end| architecture.ends_with(end))
    {
        return Err(Error::refused(
            &path,
            format!("{architecture} is a decoder, which is read from a GGUF file"),
        ));
    } else {
        Kind::Encoder
    };
    let hidden = config["hidden_size"].as_u64().or_else(|| config["dim"].as_u64());
    let mut facts = Facts::new(String::new(), kind, family.to_owned());
    facts.parameters = Some(parameters);
    facts.normalised = modules.types.iter().any(|name| name.ends_with("Normalize"));
    facts.pooling = modules.pooling(folder)?;
    facts.dimensions = match kind {
        Kind::LateInteraction => {
            let linear = shapes.get("linear.weight").and_then(|shape| shape.first().copied());
            modules.dense(folder)?.or(linear).or(hidden)
        }
        _ => {
            let joined = facts.pooling.as_ref().map_or(1, |modes| modes.split('+').count() as u64);
            modules.dense(folder)?.or(hidden.map(|hidden| hidden.saturating_mul(joined)))
        }
    };
    facts.max_tokens = max_tokens(&inner, &config, family)?;
    Ok(facts)
}

/// The most tokens of a text, as sentence-transformers chooses it: the setting of the model, else the smaller
/// of what the tokenizer and the positions allow. Settings beyond the positions are not taken.
fn max_tokens(inner: &Path, config: &Json, family: &str) -> Result<Option<u64>, Error> {
    // These count positions from the padding, which takes the first two.
    let taken = if ["roberta", "xlm-roberta", "mpnet", "camembert"].contains(&family) { 2 } else { 0 };
    let positions = config["max_position_embeddings"].as_u64().map(|most| most.saturating_sub(taken));
    let mut set = None;
    for name in ["bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet", "mpnet"] {
        if let Some(settings) = optional_json(&inner.join(format!("sentence_{name}_config.json")))? {
            set = set.or(settings["max_seq_length"].as_u64());
        }
    }
    let tokenizer = optional_json(&inner.join("tokenizer_config.json"))?.unwrap_or_default();
    // Tokenizers without a limit have a number with thirty digits.
    let allowed = tokenizer["model_max_length"].as_u64().filter(|most| *most < 1 << 30);
    Ok([set.or(allowed), positions].into_iter().flatten().min())
}

/// What `modules.json` lists.
#[derive(Default)]
struct Modules {
    /// The classes of the modules, in order.
    types: Vec<String>,
    /// The folder of each.
    folders: Vec<String>,
    /// The folder of the first, which is the transformer.
    transformer: String,
}

impl Modules {
    fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("modules.json");
        let Some(value) = optional_json(&path)? else { return Ok(Self::default()) };
        let wrong = |reason: &str| Error::damaged(&path, reason);
        let list = value.as_array().ok_or_else(|| wrong("not a list of modules"))?;
        let mut modules = Self::default();
        for module in list {
            let (Some(name), Some(place)) = (module["type"].as_str(), module["path"].as_str()) else {
                return Err(wrong("a module has no type or no path"));
            };
            if !place.is_empty() && !crate::select::is_safe(place) {
                return Err(wrong("the path of a module leads out of the folder"));
            }
            modules.types.push(name.to_owned());
            modules.folders.push(place.to_owned());
        }
        modules.transformer = modules.folders.first().cloned().unwrap_or_default();
        if modules.types.is_empty() {
            return Err(wrong("no modules are listed"));
        }
        Ok(modules)
    }

    fn is_sparse(&self) -> bool {
        self.types.iter().any(|name| name.contains("sparse_encoder") || name.ends_with("SpladePooling"))
    }

    /// The configuration of the last module of a class.
    fn config(&self, folder: &Path, class: &str) -> Result<Option<Json>, Error> {
        let last = self.types.iter().rposition(|name| name.rsplit('.').next() == Some(class));
        last.map(|number| json(&folder.join(&self.folders[number]).join("config.json"))).transpose()
    }

    /// The length of vectors after the last dense layer.
    fn dense(&self, folder: &Path) -> Result<Option<u64>, Error> {
        Ok(self.config(folder, "Dense")?.and_then(|config| config["out_features"].as_u64()))
    }

    /// How the vectors of tokens become one.
    fn pooling(&self, folder: &Path) -> Result<Option<String>, Error> {
        let Some(config) = self.config(folder, "Pooling")? else { return Ok(None) };
        if let Some(mode) = config["pooling_mode"].as_str() {
            return Ok(Some(mode.to_owned()));
        }
        let modes = [
            ("pooling_mode_cls_token", "cls"),
            ("pooling_mode_max_tokens", "max"),
            ("pooling_mode_mean_tokens", "mean"),
            ("pooling_mode_mean_sqrt_len_tokens", "mean-sqrt-len"),
            ("pooling_mode_weightedmean_tokens", "weighted-mean"),
            ("pooling_mode_lasttoken", "last"),
        ];
        let on: Vec<&str> =
            modes.iter().filter(|(key, _)| config[key] == true).map(|(_, mode)| *mode).collect();
        Ok((!on.is_empty()).then(|| on.join("+")))
    }
}
