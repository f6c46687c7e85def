//! What was trained, as a folder that every reader of encoders reads.

use super::super::config::{Family, read_json};
use super::super::pipeline::{Modules, SETTINGS as OF_SENTENCES};
use super::super::weights::Weights;
use super::{Kind, Learner};
use crate::Error;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// How a model was made.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The model that it was made from.
    pub base: String,
    /// Data, options, seed and course of the training, as `config.json` keeps them under `hypatia_training`.
    pub training: Value,
    /// The card, for people: a README.md.
    pub card: String,
}

/// Files beside the weights, which are copied as they are, with those of sentence-transformers.
const SETTINGS: [&str; 7] = [
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.txt",
    "modules.json",
    "config_sentence_transformers.json",
];
/// What only encoders that make a vector have.
const OF_VECTORS: [&str; 2] = ["modules.json", "config_sentence_transformers.json"];
const WEIGHTS: &str = "model.safetensors";

fn settings() -> impl Iterator<Item = &'static str> {
    SETTINGS.into_iter().chain(OF_SENTENCES)
}

/// What stands before the names of the encoder's tensors in a model with a head.
pub(super) fn prefix(family: Family) -> &'static str {
    match family {
        Family::Bert => "bert.",
        Family::Roberta => "roberta.",
        Family::Mpnet => "mpnet.",
        Family::Albert => "albert.",
        Family::DistilBert => "distilbert.",
    }
}

impl Learner<'_> {
    /// Writes the model with these parameters into a new folder.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written.
    pub fn write(&self, target: &Path, parameters: &[f32], record: &Record) -> Result<(), Error> {
        let Some(encoder) = self.files.first() else { return Ok(()) };
        let inner = match self.kind {
            Kind::Vectors => encoder.strip_prefix(&self.base).unwrap_or(Path::new("")).to_owned(),
            Kind::Logits(_) => PathBuf::new(),
        };
        let to = target.join(&inner);
        renew(target)?;
        make(&to)?;
        for name in settings() {
            let is_of_vectors = OF_VECTORS.contains(&name) || name.starts_with("sentence_");
            if self.kind == Kind::Vectors || !is_of_vectors {
                copy(&encoder.join(name), &to.join(name))?;
                if inner != Path::new("") {
                    copy(&self.base.join(name), &target.join(name))?;
                }
            }
        }
        self.write_config(&encoder.join("config.json"), &to.join("config.json"), record)?;
        let renames = matches!(self.kind, Kind::Logits(_));
        self.write_weights(0, encoder, &to, parameters, renames)?;
        if self.kind == Kind::Vectors {
            self.write_modules(target, parameters)?;
        }
        write(&target.join("README.md"), record.card.as_bytes())
    }

    fn write_config(&self, from: &Path, to: &Path, record: &Record) -> Result<(), Error> {
        let mut config: Value = read_json(from)?;
        if let Kind::Logits(logits) = self.kind {
            let family = match config["model_type"].as_str().unwrap_or_default() {
                "roberta" => "Roberta",
                "xlm-roberta" => "XLMRoberta",
                "camembert" => "Camembert",
                "mpnet" => "MPNet",
                "albert" => "Albert",
                "distilbert" => "DistilBert",
                _ => "Bert",
            };
            let labels: BTreeMap<String, String> =
                (0..logits).map(|label| (label.to_string(), format!("LABEL_{label}"))).collect();
            config["architectures"] = json!([format!("{family}ForSequenceClassification")]);
            config["label2id"] = (0..logits).map(|label| (format!("LABEL_{label}"), json!(label))).collect();
            config["id2label"] = json!(labels);
        }
        config["_name_or_path"] = json!(record.base);
        config["hypatia_training"] = record.training.clone();
        write_json(to, &config)
    }

    /// The modules after the encoder, and those of an encoder that was published without.
    fn write_modules(&self, target: &Path, parameters: &[f32]) -> Result<(), Error> {
        let modules = Modules::read(&self.base)?;
        if !modules.is_listed() {
            return write_usual_modules(target, self.body.hidden());
        }
        for (file, folder) in self.files.iter().enumerate().skip(1) {
            let to = target.join(folder.strip_prefix(&self.base).unwrap_or(folder));
            make(&to)?;
            copy(&folder.join("config.json"), &to.join("config.json"))?;
            self.write_weights(file, folder, &to, parameters, false)?;
        }
        copy_module_settings(&self.base, target)
    }

    /// The tensors of a file: those that were trained, and the others as they are.
    fn write_weights(
        &self,
        file: usize,
        from: &Path,
        to: &Path,
        parameters: &[f32],
        renames: bool,
    ) -> Result<(), Error> {
        let weights = Weights::open(from)?;
        let trained = || self.parameters.tensors.iter().filter(|tensor| tensor.file == file);
        let replaced: HashSet<&str> = trained().filter_map(|tensor| tensor.read.as_deref()).collect();
        let prefix = prefix(self.config.family);
        // Heads have a name of their own, whatever stands before the others.
        let heads = ["classifier", "pre_classifier", prefix];
        let renamed = |name: &str| {
            if !renames || heads.iter().any(|head| name.starts_with(head)) {
                return name.to_owned();
            }
            format!("{prefix}{}", name.strip_prefix(weights.prefix()).unwrap_or(name))
        };
        let mut tensors: BTreeMap<String, Stored> = BTreeMap::new();
        for raw in weights.raw() {
            let raw = raw?;
            // A head of another size, which was not read.
            let is_stale =
                renames && (raw.name.starts_with("classifier") || raw.name.starts_with("pre_classifier"));
            if !replaced.contains(raw.name.as_str()) && !is_stale {
                tensors.insert(
                    renamed(&raw.name),
                    Stored { dtype: raw.dtype, shape: raw.shape, bytes: raw.bytes },
                );
            }
        }
        for tensor in trained() {
            let numbers = parameters.get(tensor.range.clone()).unwrap_or_default();
            tensors.insert(renamed(&tensor.name), Stored::new(numbers, tensor.shape.clone()));
        }
        write_safetensors(&to.join(WEIGHTS), &tensors)
    }
}

/// Writes an encoder with a matrix after it: the folder `base` as it is, with one more dense module and, if its
/// vectors have unit length, a normalisation.
///
/// # Errors
///
/// When the model gives no vectors for texts, the matrix does not fit, or a file cannot be read or written.
pub fn write_adapter(base: &Path, target: &Path, matrix: &[f32], record: &Record) -> Result<(), Error> {
    let modules = Modules::read(base)?;
    let inner = modules.transformer.strip_prefix(base).unwrap_or(Path::new("")).to_owned();
    renew(target)?;
    make(&target.join(&inner))?;
    for folder in [PathBuf::new(), inner.clone()] {
        for name in settings().chain([WEIGHTS]) {
            copy(&base.join(&folder).join(name), &target.join(&folder).join(name))?;
        }
    }
    let width = matrix.len().isqrt();
    let mut config: Value = read_json(&modules.transformer.join("config.json"))?;
    config["_name_or_path"] = json!(record.base);
    config["hypatia_training"] = record.training.clone();
    write_json(&target.join(&inner).join("config.json"), &config)?;
    let path = target.join("modules.json");
    if modules.is_listed() {
        copy_module_settings(base, target)?;
        copy_module_weights(base, target)?;
    } else {
        write_usual_modules(target, width)?;
    }
    let mut list: Vec<Value> = read_json(&path)?;
    let folder = format!("{}_Dense", list.len());
    for (kind, folder) in [("Dense", folder.clone()), ("Normalize", format!("{}_Normalize", list.len() + 1))]
    {
        list.push(module(list.len(), kind, &folder));
    }
    write_json(&path, &json!(list))?;
    let folder = target.join(folder);
    make(&folder)?;
    let activation = "torch.nn.modules.linear.Identity";
    let settings = json!({
        "in_features": width, "out_features": width, "bias": false, "activation_function": activation,
    });
    write_json(&folder.join("config.json"), &settings)?;
    let tensors = BTreeMap::from([("linear.weight".to_owned(), Stored::new(matrix, vec![width, width]))]);
    write_safetensors(&folder.join(WEIGHTS), &tensors)?;
    write(&target.join("README.md"), record.card.as_bytes())
}

fn module(number: usize, kind: &str, folder: &str) -> Value {
    json!({
        "idx": number, "name": number.to_string(), "path": folder,
        "type": format!("sentence_transformers.models.{kind}"),
    })
}

/// The modules of an encoder that was published without: what is done here with such a model.
fn write_usual_modules(target: &Path, hidden: usize) -> Result<(), Error> {
    let list = json!([
        module(0, "Transformer", ""),
        module(1, "Pooling", "1_Pooling"),
        module(2, "Normalize", "2_Normalize")
    ]);
    write_json(&target.join("modules.json"), &list)?;
    make(&target.join("1_Pooling"))?;
    let settings = json!({"word_embedding_dimension": hidden, "pooling_mode_mean_tokens": true});
    write_json(&target.join("1_Pooling/config.json"), &settings)
}

/// The folders of modules.
fn module_folders(base: &Path) -> Result<Vec<String>, Error> {
    let list: Vec<HashMap<String, Value>> = read_json(&base.join("modules.json"))?;
    let path = |module: &HashMap<String, Value>| Some(module.get("path")?.as_str()?.to_owned());
    Ok(list.iter().skip(1).filter_map(path).filter(|path| !path.is_empty()).collect())
}

fn copy_module_settings(base: &Path, target: &Path) -> Result<(), Error> {
    for folder in module_folders(base)? {
        let from = base.join(&folder).join("config.json");
        if from.exists() {
            make(&target.join(&folder))?;
            copy(&from, &target.join(&folder).join("config.json"))?;
        }
    }
    Ok(())
}

fn copy_module_weights(base: &Path, target: &Path) -> Result<(), Error> {
    for folder in module_folders(base)? {
        copy(&base.join(&folder).join(WEIGHTS), &target.join(&folder).join(WEIGHTS))?;
    }
    Ok(())
}

/// A tensor to be written.
struct Stored {
    dtype: String,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Stored {
    fn new(numbers: &[f32], shape: Vec<usize>) -> Self {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Self { dtype: "F32".to_owned(), shape, bytes }
    }
}

fn write_safetensors(path: &Path, tensors: &BTreeMap<String, Stored>) -> Result<(), Error> {
    let mut header = serde_json::Map::new();
    // Readers of Hugging Face look for it.
    header.insert("__metadata__".to_owned(), json!({"format": "pt"}));
    let mut at = 0;
    for (name, tensor) in tensors {
        let end = at + tensor.bytes.len();
        let place = json!({"dtype": tensor.dtype, "shape": tensor.shape, "data_offsets": [at, end]});
        header.insert(name.clone(), place);
        at = end;
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    let io = |cause| Error::io(path, cause);
    let mut file = BufWriter::with_capacity(1 << 18, File::create(path).map_err(io)?);
    file.write_all(&(header.len() as u64).to_le_bytes()).map_err(io)?;
    file.write_all(&header).map_err(io)?;
    for tensor in tensors.values() {
        file.write_all(&tensor.bytes).map_err(io)?;
    }
    let file = file.into_inner().map_err(|error| io(error.into_error()))?;
    file.sync_all().map_err(io)
}

/// Makes a folder empty.
fn renew(folder: &Path) -> Result<(), Error> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|cause| Error::io(folder, cause))?;
    }
    make(folder)
}

fn make(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|cause| Error::io(folder, cause))
}

/// Copies a file, if it is there.
fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    if !from.is_file() {
        return Ok(());
    }
    fs::copy(from, to).map(drop).map_err(|cause| Error::io(from, cause))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    fs::write(path, bytes).map_err(|cause| Error::io(path, cause))
}

fn write_json(path: &Path, value: &Value) -> Result<(), Error> {
    write(path, format!("{value:#}\n").as_bytes())
}
