//! Keys and values of the tokens that a layer has seen.

use candle_core::{DType, Device, Result, Tensor};

/// For how many tokens there is room at first.
const FIRST_ROOM: usize = 256;

/// Keys and values of one layer. The room for them doubles when it is full, so
/// that a long context costs nothing before it is used.
#[derive(Debug)]
pub(super) struct Cache {
    length: usize,
    stored: Option<(Tensor, Tensor)>,
}

impl Cache {
    pub(super) fn new() -> Self {
        Self { length: 0, stored: None }
    }

    /// How many tokens it has seen.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Adds keys and values, each heads by tokens by size, and gives all there are.
    pub(super) fn append(&mut self, keys: &Tensor, values: &Tensor) -> Result<(Tensor, Tensor)> {
        let (heads, added, size) = keys.dims3()?;
        let length = self.length + added;
        let room = match &self.stored {
            Some((stored, _)) => stored.dim(1)?,
            None => 0,
        };
        if length > room {
            let larger = length.next_power_of_two().max(FIRST_ROOM);
            let grown = (
                Tensor::zeros((heads, larger, size), DType::F32, &Device::Cpu)?,
                Tensor::zeros((heads, larger, size), DType::F32, &Device::Cpu)?,
            );
            if let Some((old_keys, old_values)) = &self.stored {
                grown.0.slice_set(&old_keys.narrow(1, 0, self.length)?.contiguous()?, 1, 0)?;
                grown.1.slice_set(&old_values.narrow(1, 0, self.length)?.contiguous()?, 1, 0)?;
            }
            self.stored = Some(grown);
        }
        let Some((all_keys, all_values)) = &self.stored else {
            candle_core::bail!("there is room for no token");
        };
        all_keys.slice_set(&keys.contiguous()?, 1, self.length)?;
        all_values.slice_set(&values.contiguous()?, 1, self.length)?;
        self.length = length;
        Ok((all_keys.narrow(1, 0, length)?, all_values.narrow(1, 0, length)?))
    }
}
