//! What a GGUF file holds: metadata, and where its tensors are.
//!
//! The header is read here and not by candle, because a model file comes from
//! elsewhere: every count, length and offset is held against the size of the
//! file before anything is allocated, so that a damaged file is an error that
//! says where, and never needs more memory than a small multiple of its header.
//! What the tensors mean is the [decoder](crate::decoder)'s.

mod reader;
mod tensors;
mod value;

pub(crate) use reader::Header;
#[cfg(test)]
pub(crate) use tensors::TensorInfo;
pub(crate) use tensors::{Packing, Tensors, packing_name};
pub(crate) use value::Array;
#[cfg(test)]
pub(crate) use value::Value;
