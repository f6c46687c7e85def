//! A matrix of weights, kept packed, that rows are multiplied by.

use super::blocks::Blocks;
use crate::Error;
use crate::gguf::{Packing, Tensors};
use candle_core::quantized::{QStorage, QTensor};
use candle_core::{Device, Result, Tensor};
use std::borrow::Cow;

/// From how many rows on it pays to unpack blocks once and multiply in single precision.
const MANY_ROWS: usize = 4;

/// A matrix of weights.
#[derive(Debug)]
pub(super) enum Matrix {
    /// In single precision.
    Plain(Tensor),
    /// In blocks that are unpacked here.
    Blocks(Blocks),
    /// In another packing, which candle knows.
    Packed(QTensor),
}

impl Matrix {
    pub(super) fn read(
        tensors: &mut Tensors<'_>,
        name: &str,
        rows: usize,
        columns: usize,
    ) -> std::result::Result<Self, Error> {
        let (packing, bytes) = tensors.bytes(name, &[rows, columns])?;
        if let Some(blocks) = Blocks::new(packing, columns, &bytes) {
            return Ok(Self::Blocks(blocks));
        }
        let packed = QStorage::from_data(Cow::Owned(bytes), &Device::Cpu, packing)
            .and_then(|storage| QTensor::new(storage, (rows, columns)));
        let matrix = packed.and_then(|packed| match packing {
            Packing::F32 => packed.dequantize(&Device::Cpu).map(Self::Plain),
            // Half numbers stay so: unpacked they would take twice the memory of the file.
            _ => Ok(Self::Packed(packed)),
        });
        matrix.map_err(|cause| tensors.failed(name, &cause))
    }

    /// How many rows it has.
    pub(super) fn rows(&self) -> usize {
        let first = |dimensions: &[usize]| dimensions.first().copied().unwrap_or(0);
        match self {
            Self::Plain(matrix) => first(matrix.dims()),
            Self::Blocks(blocks) => blocks.rows(),
            Self::Packed(packed) => first(packed.shape().dims()),
        }
    }

    /// Each of `rows` multiplied by each row of the matrix.
    pub(super) fn multiply(&self, rows: &Tensor) -> Result<Tensor> {
        match self {
            Self::Plain(matrix) => rows.matmul(&matrix.t()?),
            Self::Packed(packed) => rows.contiguous()?.apply_op1_no_bwd(packed),
            Self::Blocks(blocks) => {
                let (count, columns) = rows.dims2()?;
                if count >= MANY_ROWS {
                    let matrix = Tensor::from_vec(blocks.unpacked(), (blocks.rows(), columns), &Device::Cpu)?;
                    return rows.matmul(&matrix.t()?);
                }
                let mut products = Vec::with_capacity(count * blocks.rows());
                for row in rows.to_vec2::<f32>()? {
                    products.extend(blocks.multiply(&row));
                }
                Tensor::from_vec(products, (count, blocks.rows()), &Device::Cpu)
            }
        }
    }

    /// The rows with these numbers.
    pub(super) fn select(&self, numbers: &[u32]) -> Result<Tensor> {
        match self {
            Self::Plain(matrix) => matrix.index_select(&Tensor::new(numbers, &Device::Cpu)?, 0),
            Self::Packed(packed) => packed.embedding(&Tensor::new(numbers, &Device::Cpu)?),
            Self::Blocks(blocks) => {
                let mut rows = Vec::with_capacity(numbers.len());
                for &number in numbers {
                    let Some(row) = blocks.row(number as usize) else {
                        candle_core::bail!("there is no row {number}");
                    };
                    rows.extend(row);
                }
                let columns = rows.len() / numbers.len().max(1);
                Tensor::from_vec(rows, (numbers.len(), columns), &Device::Cpu)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Blocks, Matrix, Packing};
    use candle_core::quantized::QTensor;
    use candle_core::{Device, Tensor};
    use stats::rng::Rng;

    fn random(rng: &mut Rng, rows: usize, columns: usize) -> Tensor {
        let numbers: Vec<f32> = (0..rows * columns).map(|_| rng.unit() as f32 - 0.5).collect();
        Tensor::from_vec(numbers, (rows, columns), &Device::Cpu).unwrap()
    }

    fn distance(left: &Tensor, right: &Tensor) -> f32 {
        let difference = (left - right).unwrap().abs().unwrap();
        difference.max_all().unwrap().to_scalar().unwrap()
    }

    /// One row and several take different ways through the packings; all lead to nearly the same.
    #[test]
    fn every_packing_multiplies_as_its_numbers_do() {
        let mut rng = Rng::seeded(4);
        let (rows, columns) = (24, 512);
        let weights = random(&mut rng, rows, columns);
        for packing in [
            Packing::F32,
            Packing::F16,
            Packing::BF16,
            Packing::Q4_0,
            Packing::Q4_1,
            Packing::Q5_0,
            Packing::Q5_1,
            Packing::Q8_0,
            Packing::Q2K,
            Packing::Q3K,
            Packing::Q4K,
            Packing::Q5K,
            Packing::Q6K,
        ] {
            let packed = QTensor::quantize(&weights, packing).unwrap();
            let exact = packed.dequantize(&Device::Cpu).unwrap();
            let matrix = match Blocks::new(packing, columns, &packed.data().unwrap()) {
                Some(blocks) => Matrix::Blocks(blocks),
                None if packing == Packing::F32 => Matrix::Plain(exact.clone()),
                None => Matrix::Packed(packed),
            };
            assert_eq!(matrix.rows(), rows);
            for count in [1, 3, 9] {
                let numbers = random(&mut rng, count, columns);
                let expected = numbers.matmul(&exact.t().unwrap()).unwrap();
                let found = matrix.multiply(&numbers).unwrap();
                // Candle rounds what is multiplied, to bytes or half numbers.
                assert!(distance(&found, &expected) < 0.1, "{packing:?} {count}");
            }
            let chosen = matrix.select(&[3, 0, 3]).unwrap();
            let expected =
                exact.index_select(&Tensor::new(&[3_u32, 0, 3], &Device::Cpu).unwrap(), 0).unwrap();
            assert_eq!(distance(&chosen, &expected), 0.0, "{packing:?}");
            assert!(matrix.select(&[24]).is_err(), "{packing:?}");
        }
    }
}
