//! The tensors of a `model.safetensors`, by name, with the shapes that are expected.

use crate::Error;
use candle_core::safetensors::SliceSafetensors;
use candle_core::{DType, Device, Tensor};
use std::path::Path;

/// What makers put before the names, or nothing.
const PREFIXES: [&str; 3] = ["", "bert.", "roberta."];

/// Tensors by name.
pub(super) struct Weights<'a> {
    path: &'a Path,
    tensors: SliceSafetensors<'a>,
    prefix: &'static str,
}

impl<'a> Weights<'a> {
    pub(super) fn new(path: &'a Path, bytes: &'a [u8]) -> Result<Self, Error> {
        let tensors = SliceSafetensors::new(bytes)
            .map_err(|cause| Error::damaged(path, format!("these are no safetensors: {cause}")))?;
        let is_there =
            |prefix: &&str| tensors.get(&format!("{prefix}embeddings.word_embeddings.weight")).is_ok();
        let prefix = PREFIXES.into_iter().find(is_there).unwrap_or_default();
        Ok(Self { path, tensors, prefix })
    }

    /// A tensor of this shape, in single precision.
    pub(super) fn tensor(&self, name: &str, shape: &[usize]) -> Result<Tensor, Error> {
        self.optional(name, shape)?
            .ok_or_else(|| Error::damaged(self.path, format!("there is no tensor `{}{name}`", self.prefix)))
    }

    /// As [`Weights::tensor`], if it is there.
    pub(super) fn optional(&self, name: &str, shape: &[usize]) -> Result<Option<Tensor>, Error> {
        let full = format!("{}{name}", self.prefix);
        let Ok(view) = self.tensors.get(&full) else { return Ok(None) };
        if view.shape() != shape {
            let reason = format!("the tensor `{full}` has the shape {:?}, not {shape:?}", view.shape());
            return Err(Error::damaged(self.path, reason));
        }
        let tensor = self.tensors.load(&full, &Device::Cpu).and_then(|tensor| tensor.to_dtype(DType::F32));
        tensor.map(Some).map_err(|cause| self.failed(name, &cause))
    }

    /// That candle could not do something with a tensor.
    pub(super) fn failed(&self, name: &str, cause: &candle_core::Error) -> Error {
        Error::damaged(self.path, format!("the tensor `{}{name}`: {cause}", self.prefix))
    }
}
