//! The tensors of a GGUF file, read one by one and kept as they are packed.

use super::reader::Header;
use crate::Error;
pub(crate) use candle_core::quantized::GgmlDType as Packing;
use candle_core::quantized::{QStorage, QTensor};
use candle_core::{Device, Tensor};
use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// What the header says of a tensor.
#[derive(Clone, Debug)]
pub(crate) struct TensorInfo {
    /// Its dimensions; the last is the one that lies together.
    pub(crate) shape: Vec<usize>,
    pub(crate) packing: Packing,
    /// How many numbers it has.
    pub(crate) elements: u64,
    /// Where it begins, after the header.
    offset: u64,
    bytes: u64,
}

impl TensorInfo {
    /// Checks what the header says; the error completes "the tensor x …".
    pub(crate) fn new(shape: Vec<usize>, packing: u32, offset: u64) -> Result<Self, String> {
        let packing =
            packing_of(packing).ok_or_else(|| format!("is packed in a way that is not known ({packing})"))?;
        let elements = shape
            .iter()
            .try_fold(1_u64, |product, &size| product.checked_mul(size as u64))
            .ok_or_else(|| format!("has more numbers than can be counted: {shape:?}"))?;
        if elements == 0 {
            return Err(format!("is empty: {shape:?}"));
        }
        let block = packing.block_size() as u64;
        if shape.last().is_none_or(|&size| !(size as u64).is_multiple_of(block)) {
            return Err(format!("has rows that are no multiple of {block}: {shape:?}"));
        }
        let bytes = (elements / block)
            .checked_mul(packing.type_size() as u64)
            .ok_or_else(|| format!("is larger than any file: {shape:?}"))?;
        Ok(Self { shape, packing, elements, offset, bytes })
    }
}

/// Reads tensors, by name, with the shapes that the decoder expects.
pub(crate) struct Tensors<'a> {
    header: &'a Header,
    file: File,
}

impl<'a> Tensors<'a> {
    pub(crate) fn open(header: &'a Header) -> Result<Self, Error> {
        // Before anything is read, everything must be there.
        for (name, info) in &header.tensors {
            let end =
                header.data_start.checked_add(info.offset).and_then(|start| start.checked_add(info.bytes));
            if end.is_none_or(|end| end > header.file_size) {
                let reason = format!(
                    "the file is cut short: the tensor `{name}` has {} bytes from {}, the file only {}",
                    info.bytes,
                    header.data_start.saturating_add(info.offset),
                    header.file_size
                );
                return Err(Error::damaged(&header.path, reason));
            }
        }
        // Each is read by itself: a small file whose tensors are all the same bytes would need gigabytes.
        let mut places: Vec<_> =
            header.tensors.iter().map(|(name, info)| (info.offset, info.bytes, name)).collect();
        places.sort_unstable();
        for pair in places.windows(2) {
            let [(offset, bytes, name), (next, _, other)] = pair else { continue };
            if next - offset < *bytes {
                let reason = format!("the tensors `{name}` and `{other}` overlap");
                return Err(Error::damaged(&header.path, reason));
            }
        }
        let file = File::open(&header.path).map_err(|cause| Error::io(&header.path, cause))?;
        Ok(Self { header, file })
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.header.tensors.contains_key(name)
    }

    /// A list of numbers, unpacked.
    pub(crate) fn vector(&mut self, name: &str, length: usize) -> Result<Tensor, Error> {
        let (packing, bytes) = self.bytes(name, &[length])?;
        QStorage::from_data(Cow::Owned(bytes), &Device::Cpu, packing)
            .and_then(|storage| QTensor::new(storage, length)?.dequantize(&Device::Cpu))
            .map_err(|cause| self.failed(name, &cause))
    }

    /// As [`Tensors::vector`], if it is there.
    pub(crate) fn optional_vector(&mut self, name: &str, length: usize) -> Result<Option<Tensor>, Error> {
        if self.has(name) { self.vector(name, length).map(Some) } else { Ok(None) }
    }

    /// The bytes of a tensor that has this shape, and how they are packed.
    pub(crate) fn bytes(&mut self, name: &str, shape: &[usize]) -> Result<(Packing, Vec<u8>), Error> {
        let path = &self.header.path;
        let info = self
            .header
            .tensors
            .get(name)
            .ok_or_else(|| Error::damaged(path, format!("there is no tensor `{name}`")))?;
        if info.shape != shape {
            let reason = format!("the tensor `{name}` has the shape {:?}, not {shape:?}", info.shape);
            return Err(Error::damaged(path, reason));
        }
        let io = |cause| Error::io(path, cause);
        self.file.seek(SeekFrom::Start(self.header.data_start + info.offset)).map_err(io)?;
        let mut bytes = vec![0; info.bytes as usize];
        self.file.read_exact(&mut bytes).map_err(io)?;
        Ok((info.packing, bytes))
    }

    /// That candle could not do something with a tensor.
    pub(crate) fn failed(&self, name: &str, cause: &candle_core::Error) -> Error {
        Error::damaged(&self.header.path, format!("the tensor `{name}`: {cause}"))
    }

    /// That a tensor holds what cannot be; the reason completes "the tensor x …".
    pub(crate) fn wrong(&self, name: &str, reason: &str) -> Error {
        Error::damaged(&self.header.path, format!("the tensor `{name}` {reason}"))
    }
}

/// The packing with this number in the format.
fn packing_of(number: u32) -> Option<Packing> {
    Some(match number {
        0 => Packing::F32,
        1 => Packing::F16,
        2 => Packing::Q4_0,
        3 => Packing::Q4_1,
        6 => Packing::Q5_0,
        7 => Packing::Q5_1,
        8 => Packing::Q8_0,
        10 => Packing::Q2K,
        11 => Packing::Q3K,
        12 => Packing::Q4K,
        13 => Packing::Q5K,
        14 => Packing::Q6K,
        30 => Packing::BF16,
        _ => return None,
    })
}

/// A packing, as people write it.
pub(crate) fn packing_name(packing: Packing) -> &'static str {
    match packing {
        Packing::F32 => "F32",
        Packing::F16 => "F16",
        Packing::BF16 => "BF16",
        Packing::Q4_0 => "Q4_0",
        Packing::Q4_1 => "Q4_1",
        Packing::Q5_0 => "Q5_0",
        Packing::Q5_1 => "Q5_1",
        Packing::Q8_0 => "Q8_0",
        Packing::Q8_1 => "Q8_1",
        Packing::Q2K => "Q2_K",
        Packing::Q3K => "Q3_K",
        Packing::Q4K => "Q4_K",
        Packing::Q5K => "Q5_K",
        Packing::Q6K => "Q6_K",
        Packing::Q8K => "Q8_K",
    }
}
