//! What is known of a model: `hypatia-model.json` in its folder.

use crate::Error;
use formats::Exposure;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::fmt;
use std::path::Path;

/// The file of facts in the folder of a model.
pub const FACTS_FILE: &str = "hypatia-model.json";
/// The version of that file.
const FORMAT: u32 = 1;
/// Facts are a page; anything larger is something else.
const LARGEST: u64 = 4 << 20;

/// What a model does with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// Makes one vector of a text, by the modules that `modules.json` lists.
    SentenceEncoder,
    /// Makes a vector of each token; published without pooling.
    Encoder,
    /// Scores a pair of texts.
    CrossEncoder,
    /// Makes a vector of each token, compared by MaxSim.
    LateInteraction,
    /// Continues a text; a GGUF file.
    Decoder,
    /// Has a vector for each token and for its sub-words; trained by `hypatia train vectors`.
    TokenVectors,
    /// Weighs features of what was found; trained by this program.
    Ranker,
}

impl Kind {
    /// The kind in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SentenceEncoder => "sentence encoder",
            Self::Encoder => "encoder",
            Self::CrossEncoder => "cross-encoder",
            Self::LateInteraction => "late interaction",
            Self::Decoder => "decoder",
            Self::TokenVectors => "token vectors",
            Self::Ranker => "linear ranker",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Who says that a model was trained on a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The person who added the model.
    User,
    /// The model's card.
    Card,
    /// This program, which knows the model.
    Known,
}

/// A set that a model was trained on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainedOn {
    /// The set, such as `math.stackexchange.com` or the id of a dataset on the hub.
    pub set: String,
    /// Who says so.
    pub from: Origin,
}

/// One file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFile {
    /// The path in the folder, with slashes.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 checksum, in hexadecimal digits.
    pub sha256: String,
}

impl ModelFile {
    /// Whether the file holds weights.
    #[must_use]
    pub fn is_weights(&self) -> bool {
        self.path.ends_with(".safetensors") || self.path.ends_with(".gguf")
    }

    /// Whether the file is for people: the card or a licence.
    fn is_text(&self) -> bool {
        crate::select::is_text(&self.path)
    }
}

/// What is known of a model. The same files under the same name always give the same facts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Facts {
    /// The version of the format.
    format: u32,
    /// The name in the store.
    pub name: String,
    /// Where it comes from: a repository of a hub, or the name of a file or folder.
    pub source: String,
    /// The commit of the repository, if it was fetched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// What it does with a text.
    pub kind: Kind,
    /// The architecture, as `config.json` or the GGUF file names it: `bert`, `mpnet`, `llama`.
    pub family: String,
    /// The length of its vectors; of a cross-encoder, and of a decoder, that of its hidden states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimensions: Option<u64>,
    /// The most tokens of a text that it looks at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// How vectors of tokens become one: `mean`, `cls`, `max`, or several joined by `+`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pooling: Option<String>,
    /// Whether the vectors are scaled to length 1.
    #[serde(default)]
    pub normalised: bool,
    /// The number of weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<u64>,
    /// The licence, as the card names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// The sets that it was trained on, as far as is known.
    #[serde(default)]
    pub trained_on: Vec<TrainedOn>,
    /// The topics whose judgments it was trained on, where this program trained it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub topics: Vec<String>,
    /// Its files, ordered by path.
    pub files: Vec<ModelFile>,
}

impl Facts {
    pub(crate) fn new(name: String, kind: Kind, family: String) -> Self {
        Self {
            format: FORMAT,
            name,
            source: String::new(),
            revision: None,
            kind,
            family,
            dimensions: None,
            max_tokens: None,
            pooling: None,
            normalised: false,
            parameters: None,
            licence: None,
            trained_on: Vec::new(),
            topics: Vec::new(),
            files: Vec::new(),
        }
    }

    /// Reads the facts of a folder.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(FACTS_FILE);
        let size = std::fs::metadata(&path).map_err(|cause| Error::io(&path, cause))?.len();
        if size > LARGEST {
            return Err(Error::damaged(&path, "too large for the facts of a model"));
        }
        let bytes = std::fs::read(&path).map_err(|cause| Error::io(&path, cause))?;
        let facts: Self =
            serde_json::from_slice(&bytes).map_err(|cause| Error::damaged(&path, cause.to_string()))?;
        if facts.format != FORMAT {
            let reason = format!("format {}; this program reads format {FORMAT}", facts.format);
            return Err(Error::damaged(&path, reason));
        }
        // Paths are joined with the folder, so a changed file must not lead out of it.
        if let Some(file) = facts.files.iter().find(|file| !crate::select::is_safe(&file.path)) {
            return Err(Error::damaged(&path, format!("'{}' leads out of the folder", file.path)));
        }
        Ok(facts)
    }

    /// The facts as they are stored.
    pub(crate) fn to_json(&self) -> String {
        let mut json =
            serde_json::to_string_pretty(self).expect("strings and numbers can always be written as JSON");
        json.push('\n');
        json
    }

    /// The size of all files in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.files.iter().map(|file| file.size).sum()
    }

    /// The files that hold weights.
    pub fn weights(&self) -> impl Iterator<Item = &ModelFile> {
        self.files.iter().filter(|file| file.is_weights())
    }

    /// A checksum of everything that changes what the model computes, in 64 hexadecimal digits: all files but
    /// the card and the licence. The name of the model is not part of it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let mut hasher = Sha256::new();
        for file in self.files.iter().filter(|file| !file.is_text()) {
            hasher.update(format!("{} {} {}\n", file.sha256, file.size, file.path));
        }
        crate::digest::hex(&hasher.finalize())
    }

    /// Whether the model saw Math Stack Exchange, the site of ARQMath's collections, while it was trained.
    #[must_use]
    pub fn math_stack_exchange(&self) -> Exposure {
        Exposure::of(self.trained_on.iter().map(|mark| &mark.set))
    }
}
