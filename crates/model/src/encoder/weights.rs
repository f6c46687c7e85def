//! The tensors of a `model.safetensors`, by name, with the shapes that are expected.
//!
//! Tensors are read from the file one by one as they are asked for, so that
//! opening a model takes the memory of its weights and of one tensor more.

use super::matrix::Linear;
use super::numbers::LayerNorm;
use crate::Error;
use crate::decoder::half;
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What makers put before the names, or nothing.
const PREFIXES: [&str; 6] = ["", "bert.", "roberta.", "mpnet.", "albert.", "distilbert."];
/// The tensor that is looked for with each of them.
const ALWAYS_THERE: &str = "embeddings.word_embeddings.weight";
/// The longest header that the format allows.
const MAX_HEADER: u64 = 100_000_000;
/// Names that old checkpoints have for others.
const OLD_NAMES: [(&str, &str); 2] =
    [("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta")];

/// Tensors by name.
#[derive(Debug)]
pub(super) struct Weights {
    path: PathBuf,
    file: File,
    /// Where the numbers begin.
    first: u64,
    tensors: HashMap<String, Place>,
    prefix: &'static str,
}

/// Where a tensor is in the file.
#[derive(Debug, Deserialize)]
struct Place {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (u64, u64),
}

/// A tensor as it is in the file.
pub(super) struct RawTensor {
    pub(super) name: String,
    pub(super) dtype: String,
    pub(super) shape: Vec<usize>,
    pub(super) bytes: Vec<u8>,
}

/// How numbers are stored.
#[derive(Clone, Copy)]
enum Precision {
    Single,
    Half,
    /// The first half of a number of single precision.
    Brain,
}

impl Weights {
    /// Reads where the tensors of `model.safetensors` in a folder are.
    pub(super) fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("model.safetensors");
        let file = File::open(&path).map_err(|cause| no_weights(folder, &path, cause))?;
        let (first, tensors) = header(&path, &file)?;
        let is_there = |prefix: &&str| tensors.contains_key(&format!("{prefix}{ALWAYS_THERE}"));
        let prefix = PREFIXES.into_iter().find(is_there).unwrap_or_default();
        Ok(Self { path, file, first, tensors, prefix })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The same tensors, by their whole names: heads stand beside the encoder, not within.
    pub(super) fn without_prefix(self) -> Self {
        Self { prefix: "", ..self }
    }

    /// The shape of a tensor, if it is there.
    pub(super) fn shape(&self, name: &str) -> Option<&[usize]> {
        self.find(name).map(|(_, place)| &*place.shape)
    }

    /// The name of a tensor in the file, with what its makers put before it.
    pub(super) fn whole_name(&self, name: &str) -> Option<String> {
        self.find(name).map(|(name, _)| name)
    }

    /// What the makers put before the names of the encoder's tensors.
    pub(super) fn prefix(&self) -> &'static str {
        self.prefix
    }

    /// All tensors by their whole names, in the order of these: type, shape and bytes.
    pub(super) fn raw(&self) -> impl Iterator<Item = Result<RawTensor, Error>> {
        let mut names: Vec<&String> = self.tensors.keys().collect();
        names.sort_unstable();
        names.into_iter().map(|name| {
            let Place { dtype, shape, data_offsets: (begin, end) } = &self.tensors[name];
            let mut bytes = vec![0; (end - begin) as usize];
            let io = |cause| Error::io(&self.path, cause);
            (&self.file).seek(SeekFrom::Start(self.first + begin)).map_err(io)?;
            (&self.file).read_exact(&mut bytes).map_err(io)?;
            Ok(RawTensor { name: name.clone(), dtype: dtype.clone(), shape: shape.clone(), bytes })
        })
    }

    fn find(&self, name: &str) -> Option<(String, &Place)> {
        let full = format!("{}{name}", self.prefix);
        if let Some(place) = self.tensors.get(&full) {
            return Some((full, place));
        }
        let (new, old) = OLD_NAMES.into_iter().find(|(new, _)| full.ends_with(new))?;
        let full = format!("{}{old}", full.strip_suffix(new)?);
        self.tensors.get(&full).map(|place| (full, place))
    }

    /// A tensor of this shape, in single precision.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        self.optional(name, shape)?
            .ok_or_else(|| Error::damaged(&self.path, format!("there is no tensor `{}{name}`", self.prefix)))
    }

    /// As [`Weights::tensor`], if it is there.
    pub(super) fn optional(&self, name: &str, shape: &[usize]) -> Result<Option<Vec<f32>>, Error> {
        let Some((name, place)) = self.find(name) else { return Ok(None) };
        if place.shape != shape {
            let reason = format!("the tensor `{name}` has the shape {:?}, not {shape:?}", place.shape);
            return Err(Error::damaged(&self.path, reason));
        }
        let precision = match place.dtype.as_str() {
            "F32" => Precision::Single,
            "F16" => Precision::Half,
            "BF16" => Precision::Brain,
            other => {
                let reason = format!("the tensor `{name}` is of {other}; only F32, F16 and BF16 are read");
                return Err(Error::damaged(&self.path, reason));
            }
        };
        let io = |cause| Error::io(&self.path, cause);
        let (begin, end) = place.data_offsets;
        let length = usize::try_from(end - begin).map_err(|cause| no_safetensors(&self.path, &cause))?;
        let mut bytes = vec![0; length];
        (&self.file).seek(SeekFrom::Start(self.first + begin)).map_err(io)?;
        (&self.file).read_exact(&mut bytes).map_err(io)?;
        let numbers = precision.numbers(&bytes);
        if let Some(place) = numbers.iter().position(|number| !number.is_finite()) {
            let reason = format!("the tensor `{name}` has {} as number {place}", numbers[place]);
            return Err(Error::damaged(&self.path, reason));
        }
        Ok(Some(numbers))
    }

    /// A matrix and what is added then.
    pub(super) fn linear(&self, name: &str, columns: usize, depth: usize) -> Result<Linear, Error> {
        self.stacked(&[name], columns, depth)
    }

    /// Several matrices of one input, stacked upon each other.
    pub(super) fn stacked(&self, names: &[&str], columns: usize, depth: usize) -> Result<Linear, Error> {
        let mut parts = Vec::with_capacity(names.len());
        for name in names {
            let weights = self.tensor(&format!("{name}.weight"), &[columns, depth])?;
            let bias = self.tensor(&format!("{name}.bias"), &[columns])?;
            parts.push((weights, bias));
        }
        let parts: Vec<_> = parts.iter().map(|(weights, bias)| (&**weights, &**bias)).collect();
        Ok(Linear::new(&parts, depth))
    }

    pub(super) fn layer_norm(&self, name: &str, size: usize, epsilon: f32) -> Result<LayerNorm, Error> {
        let weights = self.tensor(&format!("{name}.weight"), &[size])?;
        let bias = self.tensor(&format!("{name}.bias"), &[size])?;
        Ok(LayerNorm { weights, bias, epsilon })
    }
}

impl Precision {
    fn numbers(self, bytes: &[u8]) -> Vec<f32> {
        match self {
            Self::Single => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Self::Half => {
                bytes.as_chunks().0.iter().map(|bytes| exactly(u16::from_le_bytes(*bytes))).collect()
            }
            Self::Brain => {
                let number = |bytes: &[u8; 2]| f32::from_bits(u32::from(u16::from_le_bytes(*bytes)) << 16);
                bytes.as_chunks().0.iter().map(number).collect()
            }
        }
    }
}

/// A number of half precision, or that it is none.
fn exactly(bits: u16) -> f32 {
    const SPECIAL: u16 = 0x7c00;
    if bits & SPECIAL == SPECIAL { f32::NAN } else { half(bits) }
}

/// Where the numbers begin, and where each tensor is within them.
fn header(path: &Path, mut file: &File) -> Result<(u64, HashMap<String, Place>), Error> {
    let wrong = |reason: &dyn std::fmt::Display| no_safetensors(path, reason);
    let length = file.metadata().map_err(|cause| Error::io(path, cause))?.len();
    let mut read = |bytes: &mut [u8]| match file.read_exact(bytes) {
        Err(cause) if cause.kind() == ErrorKind::UnexpectedEof => Err(wrong(&"the header ends early")),
        other => other.map_err(|cause| Error::io(path, cause)),
    };
    let mut first = [0; 8];
    read(&mut first)?;
    let header_length = u64::from_le_bytes(first);
    if header_length > MAX_HEADER || header_length > length.saturating_sub(8) {
        return Err(wrong(&format!("a header of {header_length} bytes in a file of {length}")));
    }
    let mut header = vec![0; header_length as usize];
    read(&mut header)?;
    let mut entries: HashMap<String, serde_json::Value> =
        serde_json::from_slice(&header).map_err(|cause| wrong(&cause))?;
    entries.remove("__metadata__");
    let room = length - 8 - header_length;
    let mut tensors = HashMap::with_capacity(entries.len());
    for (name, entry) in entries {
        let wrong = |reason: &dyn std::fmt::Display| wrong(&format!("the tensor `{name}`: {reason}"));
        let place: Place = serde_json::from_value(entry).map_err(|cause| wrong(&cause))?;
        let (begin, end) = place.data_offsets;
        if begin > end || end > room {
            return Err(wrong(&format!("bytes {begin} to {end} of {room}")));
        }
        let bytes = match place.dtype.as_str() {
            "F32" => 4,
            "F16" | "BF16" => 2,
            // Others are read by nobody here.
            _ => {
                tensors.insert(name, place);
                continue;
            }
        };
        let size = place.shape.iter().try_fold(bytes, |size: usize, more| size.checked_mul(*more));
        if size.and_then(|size| u64::try_from(size).ok()) != Some(end - begin) {
            return Err(wrong(&format!("{} bytes for the shape {:?}", end - begin, place.shape)));
        }
        tensors.insert(name, place);
    }
    Ok((8 + header_length, tensors))
}

fn no_safetensors(path: &Path, reason: &dyn std::fmt::Display) -> Error {
    Error::damaged(path, format!("these are no safetensors: {reason}"))
}

/// That there are no weights that can be read; if there are others, how to convert them.
fn no_weights(folder: &Path, path: &Path, cause: std::io::Error) -> Error {
    // These hold a program, which is not run here.
    let other = folder.join("pytorch_model.bin");
    if cause.kind() != ErrorKind::NotFound || !other.exists() {
        return Error::io(path, cause);
    }
    let folder = folder.display();
    let reason = format!(
        "only model.safetensors is read; make it with python3 -c \"from transformers import AutoModel as m; \
         m.from_pretrained('{folder}').save_pretrained('{folder}')\""
    );
    Error::damaged(&other, reason)
}
