//! The header of a safetensors file: names, types and shapes of its tensors, and whether the file is whole.

use crate::Error;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The format allows no larger header.
const LARGEST_HEADER: u64 = 100_000_000;

#[derive(Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<u64>,
    data_offsets: (u64, u64),
}

/// The tensors of a file.
#[derive(Debug, Default)]
pub(crate) struct Tensors {
    /// The shape of each tensor.
    pub(crate) shapes: BTreeMap<String, Vec<u64>>,
    /// The number of weights, as floating-point numbers.
    pub(crate) parameters: u64,
}

/// Reads a header and compares it with the size of the file.
pub(crate) fn read(path: &Path) -> Result<Tensors, Error> {
    let io = |cause| Error::io(path, cause);
    let damaged = |reason: String| Error::damaged(path, reason);
    let mut file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    let mut length = [0; 8];
    if size < 8 {
        return Err(damaged(format!("not a safetensors file: it has {size} bytes")));
    }
    file.read_exact(&mut length).map_err(io)?;
    let length = u64::from_le_bytes(length);
    if length > LARGEST_HEADER {
        return Err(damaged(format!("not a safetensors file: its header would have {length} bytes")));
    }
    let mut header = Vec::new();
    file.take(length).read_to_end(&mut header).map_err(io)?;
    if header.len() as u64 != length {
        return Err(damaged(format!("cut short: it ends after {size} bytes, within its header")));
    }
    let values: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&header)
        .map_err(|cause| damaged(format!("its header is damaged: {cause}")))?;
    let mut tensors = Tensors::default();
    let mut end = 0;
    for (name, value) in values {
        if name == "__metadata__" {
            continue;
        }
        let entry: Entry = serde_json::from_value(value)
            .map_err(|cause| damaged(format!("the tensor '{name}' is damaged: {cause}")))?;
        let count = entry.shape.iter().try_fold(1u64, |product, side| product.checked_mul(*side));
        let (from, to) = entry.data_offsets;
        let bits = bits(&entry.dtype).ok_or_else(|| {
            damaged(format!("the tensor '{name}' is of the unknown type '{}'", entry.dtype))
        })?;
        let bytes = count.and_then(|count| count.checked_mul(bits)).map(|bits| bits.div_ceil(8));
        if to.checked_sub(from) != bytes || bytes.is_none() {
            return Err(damaged(format!(
                "the shape of the tensor '{name}' does not fit its place in the file"
            )));
        }
        end = end.max(to);
        // Whole numbers are positions and other constants, which nobody trained.
        if entry.dtype.contains('F') {
            tensors.parameters = tensors.parameters.saturating_add(count.unwrap_or(0));
        }
        tensors.shapes.insert(name, entry.shape);
    }
    if tensors.shapes.is_empty() {
        return Err(damaged("it holds no tensors".to_owned()));
    }
    let whole = end.saturating_add(8 + length);
    if whole > size {
        return Err(damaged(format!("cut short: it has {size} of {whole} bytes")));
    }
    if whole < size {
        return Err(damaged(format!("it has {} bytes too many", size - whole)));
    }
    Ok(tensors)
}

/// The bits of a number of this type.
fn bits(dtype: &str) -> Option<u64> {
    Some(match dtype {
        "F64" | "I64" | "U64" => 64,
        "F32" | "I32" | "U32" => 32,
        "F16" | "BF16" | "I16" | "U16" => 16,
        "I8" | "U8" | "BOOL" | "F8_E4M3" | "F8_E5M2" | "F8_E8M0" => 8,
        "F4" => 4,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: usize) -> Vec<u8> {
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.as_bytes());
        bytes.extend(vec![0; data]);
        bytes
    }

    const GOOD: &str = r#"{"__metadata__":{"a":"b"},"w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"F16","shape":[3],"data_offsets":[24,30]}}"#;

    #[test]
    fn shapes_and_counts() {
        let dir = testkit::TempDir::new("safetensors");
        let tensors = read(&dir.write("a", file(GOOD, 30))).unwrap();
        assert_eq!((tensors.parameters, &tensors.shapes["w"][..]), (9, &[2, 3][..]));
    }

    #[test]
    fn what_is_not_whole_is_damage() {
        let dir = testkit::TempDir::new("safetensors-bad");
        let huge = u64::MAX.to_le_bytes().to_vec();
        let cases: [(Vec<u8>, &str); 8] = [
            (b"abc".to_vec(), "it has 3 bytes"),
            (huge, "its header would have"),
            (file(GOOD, 29), "cut short: it has"),
            (file(GOOD, 31), "1 bytes too many"),
            (file(GOOD, 0)[..40].to_vec(), "within its header"),
            (file("{}", 0), "holds no tensors"),
            (file(r#"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}"#, 4), "does not fit"),
            (
                file(r#"{"w":{"dtype":"F32","shape":[18446744073709551615,2],"data_offsets":[0,4]}}"#, 4),
                "does not fit",
            ),
        ];
        for (bytes, told) in cases {
            let error = read(&dir.write("bad", bytes)).unwrap_err();
            assert!(error.is_damage() && error.to_string().contains(told), "{error}");
        }
    }
}
