//! What becomes of the states of tokens, as the `modules.json` of sentence-transformers states.

use super::config::{known, read_json};
use super::matrix::{Blocks, Linear, Spread, Then};
use super::numbers::{Activation, to_unit_length};
use super::weights::Weights;
use crate::Error;
use serde::Deserialize;
use std::path::{Component, Path, PathBuf};

/// What becomes of the states of the tokens of a text.
#[derive(Debug)]
pub(super) struct Pipeline {
    pooling: Vec<Pooling>,
    after: Vec<Step>,
    /// A matrix that states are multiplied by when each token has a vector.
    pub(super) projection: Option<Dense>,
}

/// What is in a folder, before the weights are read.
#[derive(Debug)]
pub(super) struct Modules {
    /// The folder of the encoder itself.
    pub(super) transformer: PathBuf,
    /// The limit that the makers chose.
    pub(super) limit: Option<usize>,
    pub(super) lower_case: bool,
    list: Option<Vec<(Kind, PathBuf)>>,
    /// All files that decide what vectors are, but not those of the encoder itself.
    pub(super) files: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Transformer,
    Pooling,
    Dense,
    Normalize,
}

const KINDS: [(&str, Kind); 4] = [
    ("Transformer", Kind::Transformer),
    ("Pooling", Kind::Pooling),
    ("Dense", Kind::Dense),
    ("Normalize", Kind::Normalize),
];

/// Where sentence-transformers keeps its own settings of the encoder.
pub(super) const SETTINGS: [&str; 6] = [
    "sentence_bert_config.json",
    "sentence_roberta_config.json",
    "sentence_distilbert_config.json",
    "sentence_camembert_config.json",
    "sentence_albert_config.json",
    "sentence_xlm-roberta_config.json",
];

/// A way to make one vector of many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pooling {
    First,
    Max,
    Mean,
    MeanByRoot,
    WeightedMean,
    Last,
}

/// A module after the encoder, before its weights are read.
#[derive(Debug)]
pub(super) enum Part {
    Pooling(Vec<Pooling>),
    Dense(DenseFile),
    Normalize,
}

/// What the folder of a dense module states.
#[derive(Debug)]
pub(super) struct DenseFile {
    pub(super) folder: PathBuf,
    pub(super) columns: usize,
    pub(super) depth: usize,
    pub(super) has_bias: bool,
    pub(super) activation: Activation,
}

/// What is done with a vector.
#[derive(Debug)]
enum Step {
    Dense(Dense),
    Normalize,
}

/// A matrix with an activation.
#[derive(Debug)]
pub(super) struct Dense {
    linear: Linear,
    activation: Activation,
}

const POOLINGS: [(&str, Pooling); 6] = [
    ("cls", Pooling::First),
    ("max", Pooling::Max),
    ("mean", Pooling::Mean),
    ("mean_sqrt_len_tokens", Pooling::MeanByRoot),
    ("weightedmean", Pooling::WeightedMean),
    ("lasttoken", Pooling::Last),
];

const ACTIVATIONS: [(&str, Activation); 6] = [
    ("Identity", Activation::Identity),
    ("Tanh", Activation::Tanh),
    ("ReLU", Activation::Relu),
    ("GELU", Activation::Gelu),
    ("Sigmoid", Activation::Sigmoid),
    ("linear", Activation::Identity),
];

#[derive(Deserialize)]
struct Module {
    path: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct Settings {
    max_seq_length: Option<usize>,
    #[serde(default)]
    do_lower_case: bool,
}

#[derive(Deserialize)]
struct TokenizerSettings {
    model_max_length: Option<f64>,
}

#[derive(Deserialize)]
struct PoolingSettings {
    #[serde(alias = "embedding_dimension")]
    word_embedding_dimension: Option<usize>,
    pooling_mode: Option<Modes>,
    #[serde(default)]
    pooling_mode_cls_token: bool,
    #[serde(default)]
    pooling_mode_max_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_tokens: bool,
    #[serde(default)]
    pooling_mode_mean_sqrt_len_tokens: bool,
    #[serde(default)]
    pooling_mode_weightedmean_tokens: bool,
    #[serde(default)]
    pooling_mode_lasttoken: bool,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Modes {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct DenseSettings {
    in_features: usize,
    out_features: usize,
    #[serde(default = "yes")]
    bias: bool,
    activation_function: Option<String>,
}

fn yes() -> bool {
    true
}

impl Modules {
    /// Reads `modules.json` and the settings of the encoder, where they are.
    pub(super) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("modules.json");
        let mut files = Vec::new();
        let mut transformer = folder.to_owned();
        let mut list = None;
        if path.exists() {
            let modules: Vec<Module> = read_json(&path)?;
            let mut found = Vec::with_capacity(modules.len());
            for module in &modules {
                let kind = module.kind.rsplit('.').next().unwrap_or_default();
                let kind = known(&path, "module", kind, &KINDS).map_err(|error| match error {
                    Error::Unknown { path, what, known, .. } => {
                        Error::Unknown { path, what, found: module.kind.clone(), known }
                    }
                    other => other,
                })?;
                found.push((kind, inside(&path, folder, &module.path)?));
            }
            check_order(&path, &found)?;
            transformer.clone_from(&found[0].1);
            list = Some(found);
            files.push(path);
        }
        let (mut limit, mut lower_case) = (None, false);
        if let Some(path) = SETTINGS.iter().map(|name| transformer.join(name)).find(|path| path.exists()) {
            let settings: Settings = read_json(&path)?;
            (limit, lower_case) = (settings.max_seq_length, settings.do_lower_case);
            files.push(path);
        }
        let path = transformer.join("tokenizer_config.json");
        if list.is_some() && limit.is_none() && path.exists() {
            let settings: TokenizerSettings = read_json(&path)?;
            // What is not limited has a number with thirty digits.
            limit =
                settings.model_max_length.filter(|most| (1.0..1e9).contains(most)).map(|most| most as usize);
        }
        Ok(Self { transformer, limit, lower_case, list, files })
    }

    /// The modules after the encoder, whose states have `hidden` numbers; none for models that give a vector for
    /// each token only.
    pub(super) fn parts(&self, hidden: usize) -> Result<Option<Vec<Part>>, Error> {
        let Some(list) = &self.list else {
            return Ok(Some(vec![Part::Pooling(vec![Pooling::Mean]), Part::Normalize]));
        };
        if !list.iter().any(|(kind, _)| *kind == Kind::Pooling) {
            return Ok(None);
        }
        let (mut parts, mut size) = (Vec::new(), hidden);
        for (kind, folder) in &list[1..] {
            match kind {
                Kind::Transformer => {}
                Kind::Pooling => {
                    let pooling = read_pooling(&folder.join("config.json"), size)?;
                    size *= pooling.len();
                    parts.push(Part::Pooling(pooling));
                }
                Kind::Normalize => parts.push(Part::Normalize),
                Kind::Dense => {
                    let dense = DenseFile::read(folder, size)?;
                    size = dense.columns;
                    parts.push(Part::Dense(dense));
                }
            }
        }
        Ok(Some(parts))
    }

    /// Whether the folder has a list of modules.
    pub(super) fn is_listed(&self) -> bool {
        self.list.is_some()
    }

    /// Reads the modules after the encoder, whose states have `hidden` numbers.
    pub(super) fn pipeline(&mut self, hidden: usize) -> Result<Pipeline, Error> {
        let usual = Pipeline { pooling: vec![Pooling::Mean], after: vec![Step::Normalize], projection: None };
        let Some(list) = &self.list else { return Ok(usual) };
        let pools = list.iter().any(|(kind, _)| *kind == Kind::Pooling);
        let mut pipeline = Pipeline { pooling: Vec::new(), after: Vec::new(), projection: None };
        let mut size = hidden;
        for (kind, folder) in &list[1..] {
            match kind {
                Kind::Transformer => {}
                Kind::Pooling => {
                    let path = folder.join("config.json");
                    pipeline.pooling = read_pooling(&path, size)?;
                    size *= pipeline.pooling.len();
                    self.files.push(path);
                }
                Kind::Normalize => pipeline.after.push(Step::Normalize),
                Kind::Dense => {
                    let dense = Dense::read(folder, size)?;
                    size = dense.linear.columns();
                    self.files.extend([folder.join("config.json"), folder.join("model.safetensors")]);
                    if pools {
                        pipeline.after.push(Step::Dense(dense));
                    } else {
                        pipeline.projection = Some(dense);
                    }
                }
            }
        }
        // A model for late interaction: it has a vector for each token only.
        Ok(if pools { pipeline } else { Pipeline { projection: pipeline.projection, ..usual } })
    }
}

/// The encoder comes first; one vector is made of many at most once, before anything is done with it.
fn check_order(path: &Path, modules: &[(Kind, PathBuf)]) -> Result<(), Error> {
    let wrong = |reason: &str| Err(Error::damaged(path, reason));
    let count = |kind| modules.iter().filter(|module| module.0 == kind).count();
    match modules.first() {
        Some((Kind::Transformer, _)) if count(Kind::Transformer) == 1 => {}
        _ => return wrong("the first module, and no other, must be a Transformer"),
    }
    match count(Kind::Pooling) {
        0 if count(Kind::Dense) <= 1 => Ok(()),
        1 if modules[1].0 == Kind::Pooling => Ok(()),
        _ => wrong("the second module, and no other, must be a Pooling"),
    }
}

/// A folder in another: nothing that leads out of it.
fn inside(path: &Path, folder: &Path, name: &str) -> Result<PathBuf, Error> {
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    if !plain || name.contains('\\') || name.contains('\0') {
        return Err(Error::damaged(path, format!("the path `{name}` of a module leads out of the folder")));
    }
    Ok(if name.is_empty() { folder.to_owned() } else { folder.join(name) })
}

fn read_pooling(path: &Path, hidden: usize) -> Result<Vec<Pooling>, Error> {
    let settings: PoolingSettings = read_json(path)?;
    if let Some(size) = settings.word_embedding_dimension.filter(|size| *size != hidden) {
        let reason = format!("vectors of {size} numbers are expected, but the encoder gives {hidden}");
        return Err(Error::damaged(path, reason));
    }
    let modes = match settings.pooling_mode {
        Some(Modes::One(mode)) => vec![mode],
        Some(Modes::Several(modes)) => modes,
        None => {
            let flags = [
                settings.pooling_mode_cls_token,
                settings.pooling_mode_max_tokens,
                settings.pooling_mode_mean_tokens,
                settings.pooling_mode_mean_sqrt_len_tokens,
                settings.pooling_mode_weightedmean_tokens,
                settings.pooling_mode_lasttoken,
            ];
            let modes: Vec<_> =
                POOLINGS.iter().zip(flags).filter(|(_, flag)| *flag).map(|((_, mode), _)| *mode).collect();
            return Ok(if modes.is_empty() { vec![Pooling::Mean] } else { modes });
        }
    };
    let modes: Vec<_> =
        modes.iter().map(|mode| known(path, "pooling", mode, &POOLINGS)).collect::<Result<_, _>>()?;
    if modes.is_empty() || modes.len() > POOLINGS.len() {
        return Err(Error::damaged(path, format!("{} ways of pooling", modes.len())));
    }
    Ok(modes)
}

impl DenseFile {
    fn read(folder: &Path, size: usize) -> Result<Self, Error> {
        let path = folder.join("config.json");
        let settings: DenseSettings = read_json(&path)?;
        if settings.in_features != size {
            let reason = format!(
                "`in_features` is {}, but the module before gives {size} numbers",
                settings.in_features
            );
            return Err(Error::damaged(&path, reason));
        }
        let activation = match &settings.activation_function {
            // As the class has it where its configuration does not state it.
            None => Activation::Tanh,
            Some(name) => {
                let name = name.rsplit('.').next().unwrap_or_default();
                known(&path, "activation", name, &ACTIVATIONS)?
            }
        };
        if settings.out_features == 0 || size == 0 {
            return Err(Error::damaged(&path, "the matrix is empty"));
        }
        let (columns, has_bias) = (settings.out_features, settings.bias);
        Ok(Self { folder: folder.to_owned(), columns, depth: size, has_bias, activation })
    }
}

impl Dense {
    fn read(folder: &Path, size: usize) -> Result<Self, Error> {
        let DenseFile { columns, has_bias, activation, .. } = DenseFile::read(folder, size)?;
        let weights = Weights::open(folder)?;
        let matrix = weights.tensor("linear.weight", &[columns, size])?;
        let bias = if has_bias { weights.tensor("linear.bias", &[columns])? } else { vec![0.0; columns] };
        Ok(Self { linear: Linear::new(&[(&matrix, &bias)], size), activation })
    }

    /// The projection of ColBERT, which has no bias and no activation, if it is among the weights.
    pub(super) fn of_colbert(weights: &Weights, hidden: usize) -> Result<Option<Self>, Error> {
        let Some(&[columns, _]) = weights.shape("linear.weight") else { return Ok(None) };
        let matrix = weights.tensor("linear.weight", &[columns, hidden])?;
        if columns == 0 {
            return Err(Error::damaged(weights.path(), "the tensor `linear.weight` is empty"));
        }
        let linear = Linear::new(&[(&matrix, &vec![0.0; columns])], hidden);
        Ok(Some(Self { linear, activation: Activation::Identity }))
    }

    /// How many numbers it gives.
    pub(super) fn columns(&self) -> usize {
        self.linear.columns()
    }

    pub(super) fn forward(&self, rows: &[f32]) -> Vec<f32> {
        let mut out = vec![0.0; rows.len() / self.linear.depth() * self.linear.columns()];
        let then = Then::Activate(self.activation);
        self.linear.forward(rows, &mut Blocks::default(), &mut out, then, Spread::No);
        out
    }
}

impl Pipeline {
    /// How many numbers a vector has, if states have `hidden`.
    pub(super) fn dimensions(&self, hidden: usize) -> usize {
        let last = self.after.iter().rev().find_map(|step| match step {
            Step::Dense(dense) => Some(dense.columns()),
            Step::Normalize => None,
        });
        last.unwrap_or(hidden * self.pooling.len())
    }

    /// The vector of a text from the states of its tokens.
    pub(super) fn vector(&self, states: &[f32], hidden: usize) -> Vec<f32> {
        let mut vector: Vec<f32> =
            self.pooling.iter().flat_map(|pooling| pooling.pool(states, hidden)).collect();
        for step in &self.after {
            match step {
                Step::Dense(dense) => vector = dense.forward(&vector),
                Step::Normalize => to_unit_length(&mut vector),
            }
        }
        vector
    }
}

impl Pooling {
    /// Adds the gradient of the states, from that of the vector.
    pub(super) fn back(self, states: &[f32], slope: &[f32], out: &mut [f32]) {
        let hidden = slope.len();
        let count = states.len() / hidden.max(1);
        let mut add = |place: usize, share: f32| {
            let row = out[place * hidden..][..hidden].iter_mut();
            row.zip(slope).for_each(|(sum, slope)| *sum += share * slope);
        };
        match self {
            _ if count == 0 => {}
            Self::First => add(0, 1.0),
            Self::Last => add(count - 1, 1.0),
            Self::Mean => (0..count).for_each(|place| add(place, 1.0 / count as f32)),
            Self::MeanByRoot => (0..count).for_each(|place| add(place, 1.0 / (count as f32).sqrt())),
            Self::WeightedMean => {
                let all = count as f32 * (count as f32 + 1.0) / 2.0;
                (0..count).for_each(|place| add(place, (place + 1) as f32 / all));
            }
            Self::Max => {
                for (column, slope) in slope.iter().enumerate() {
                    let at = |place: usize| states[place * hidden + column];
                    // Of equal ones the first.
                    let best =
                        (0..count).fold(0, |best, place| if at(place) > at(best) { place } else { best });
                    out[best * hidden + column] += slope;
                }
            }
        }
    }

    pub(super) fn pool(self, states: &[f32], hidden: usize) -> Vec<f32> {
        let rows = || states.chunks_exact(hidden);
        let fold = |first: f32, f: &dyn Fn(usize, f32, f32) -> f32| {
            let mut vector = vec![first; hidden];
            for (place, row) in rows().enumerate() {
                for (sum, &number) in vector.iter_mut().zip(row) {
                    *sum = f(place, *sum, number);
                }
            }
            vector
        };
        let divided = |mut vector: Vec<f32>, by: f32| {
            vector.iter_mut().for_each(|number| *number /= by.max(1e-9));
            vector
        };
        let count = rows().len() as f32;
        match self {
            Self::First => rows().next().map_or_else(|| vec![0.0; hidden], <[f32]>::to_vec),
            Self::Last => rows().next_back().map_or_else(|| vec![0.0; hidden], <[f32]>::to_vec),
            Self::Max => fold(f32::NEG_INFINITY, &|_, most, number| most.max(number)),
            Self::Mean => divided(fold(0.0, &|_, sum, number| sum + number), count),
            Self::MeanByRoot => divided(fold(0.0, &|_, sum, number| sum + number), count.sqrt()),
            Self::WeightedMean => {
                let sum = fold(0.0, &|place, sum, number| number.mul_add((place + 1) as f32, sum));
                divided(sum, count * (count + 1.0) / 2.0)
            }
        }
    }
}
