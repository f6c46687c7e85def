//! Rows of numbers times matrices, in single precision.
//!
//! A matrix is packed once in panels of 32 columns and rows are packed in
//! blocks of 12, so that the innermost loop reads both from one end to the
//! other and keeps the sums of a tile of 12 × 32 numbers in registers. It is
//! compiled for several processors, of which the best is taken when the
//! program runs.
//!
//! Every number of a product is one chain of fused multiplications and
//! additions along the depth, in order. It is therefore the same to the bit
//! whatever rows stand around it, however many threads share the work and
//! however wide the processor's registers are.

use super::numbers::Activation;
use pulp::{Simd, WithSimd};
use rayon::prelude::*;

/// How many rows a block has.
pub(super) const BLOCK: usize = 12;
/// How many columns a panel has.
pub(super) const PANEL: usize = 32;

/// The numbers of a tile: those of a block of rows in the columns of a panel.
type Tile = [[f32; PANEL]; BLOCK];

/// A matrix that rows are multiplied by, and numbers that are added to each product.
#[derive(Debug)]
pub(super) struct Linear {
    depth: usize,
    columns: usize,
    /// `depth` entries for each panel; what is beyond the last column is 0.
    panels: Vec<[f32; PANEL]>,
    bias: Vec<f32>,
}

/// What becomes of a product.
#[derive(Clone, Copy, Debug)]
pub(super) enum Then {
    /// It replaces what was there.
    Store,
    /// Its activation replaces what was there.
    Activate(Activation),
    /// It is added to what was there.
    Add,
}

/// Whether one product is shared by threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spread {
    /// One thread does it.
    No,
    /// Threads take panels.
    Panels,
}

impl Linear {
    /// A matrix with a row of `depth` numbers for each number of the output, as checkpoints have it, and the
    /// bias; `parts` are stacked upon each other.
    pub(super) fn new(parts: &[(&[f32], &[f32])], depth: usize) -> Self {
        let rows: Vec<&[f32]> = parts.iter().flat_map(|(weights, _)| weights.chunks_exact(depth)).collect();
        let bias: Vec<f32> = parts.iter().flat_map(|(_, bias)| bias.iter().copied()).collect();
        let mut panels = vec![[0.0; PANEL]; rows.len().div_ceil(PANEL) * depth];
        panels.par_chunks_exact_mut(depth).zip(rows.par_chunks(PANEL)).for_each(|(panel, rows)| {
            for (column, row) in rows.iter().enumerate() {
                for (entry, &number) in panel.iter_mut().zip(*row) {
                    entry[column] = number;
                }
            }
        });
        Self { depth, columns: rows.len(), panels, bias }
    }

    /// The same matrix the other way round, without a bias: what leads gradients of the output back to the input.
    pub(super) fn transposed(weights: &[f32], depth: usize) -> Self {
        let rows = weights.len() / depth;
        let mut panels = vec![[0.0; PANEL]; depth.div_ceil(PANEL) * rows];
        panels.par_chunks_exact_mut(rows).enumerate().for_each(|(panel, entries)| {
            let first = panel * PANEL;
            let columns = PANEL.min(depth - first);
            for (row, entry) in weights.chunks_exact(depth).zip(entries) {
                entry[..columns].copy_from_slice(&row[first..][..columns]);
            }
        });
        Self { depth: rows, columns: depth, panels, bias: vec![0.0; depth] }
    }

    /// How many numbers a row of the output has.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// How many numbers a row of the input has.
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Multiplies rows, which stand one after the other; so do those of the output.
    pub(super) fn forward(
        &self,
        rows: &[f32],
        blocks: &mut Blocks,
        out: &mut [f32],
        then: Then,
        spread: Spread,
    ) {
        blocks.pack(rows, self.depth, 0, self.depth);
        let num_rows = blocks.num_rows;
        let whole = Product {
            blocks,
            panels: &self.panels,
            bias: Some(&self.bias),
            columns: self.columns,
            out,
            stride: self.columns,
            then,
        };
        if spread == Spread::No || self.columns <= PANEL || num_rows == 0 {
            whole.run();
            return;
        }
        // Columns of the output cannot be given to threads: each fills a panel of its own, which is copied.
        let mut strips = vec![[0.0; PANEL]; num_rows * self.columns.div_ceil(PANEL)];
        strips.par_chunks_exact_mut(num_rows).enumerate().for_each(|(panel, strip)| {
            let first = panel * PANEL;
            let columns = PANEL.min(self.columns - first);
            Product {
                blocks: whole.blocks,
                panels: &self.panels[panel * self.depth..][..self.depth],
                bias: Some(&self.bias[first..][..columns]),
                columns,
                out: strip.as_flattened_mut(),
                stride: PANEL,
                then: if matches!(then, Then::Add) { Then::Store } else { then },
            }
            .run();
        });
        for (panel, strip) in strips.chunks_exact(num_rows).enumerate() {
            let first = panel * PANEL;
            let columns = PANEL.min(self.columns - first);
            for (row, strip) in whole.out.chunks_exact_mut(self.columns).zip(strip) {
                for (out, number) in row[first..][..columns].iter_mut().zip(strip) {
                    *out = if matches!(then, Then::Add) { *out + number } else { *number };
                }
            }
        }
    }
}

/// Rows, packed in blocks; the memory is used again.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    depth: usize,
    num_rows: usize,
    /// `depth` entries for each block; what is beyond the last row is 0 or left from before, and not used.
    entries: Vec<[f32; BLOCK]>,
}

impl Blocks {
    /// Packs `depth` numbers from `first` on of each row of `stride` numbers.
    pub(super) fn pack(&mut self, rows: &[f32], stride: usize, first: usize, depth: usize) {
        self.depth = depth;
        self.num_rows = rows.len() / stride;
        self.entries.resize(self.num_rows.div_ceil(BLOCK) * depth, [0.0; BLOCK]);
        for (rows, block) in rows.chunks(BLOCK * stride).zip(self.entries.chunks_exact_mut(depth)) {
            for (place, row) in rows.chunks_exact(stride).enumerate() {
                for (entry, &number) in block.iter_mut().zip(&row[first..]) {
                    entry[place] = number;
                }
            }
        }
    }
}

impl Blocks {
    /// Packs `count` columns from `first` on of rows of `stride` numbers, each as a row.
    pub(super) fn pack_columns(&mut self, rows: &[f32], stride: usize, first: usize, count: usize) {
        self.depth = rows.len() / stride;
        self.num_rows = count;
        self.entries.resize(count.div_ceil(BLOCK) * self.depth, [0.0; BLOCK]);
        for (number, block) in self.entries.chunks_exact_mut(self.depth.max(1)).enumerate() {
            let first = first + number * BLOCK;
            let columns = BLOCK.min(count - number * BLOCK);
            for (row, entry) in rows.chunks_exact(stride).zip(block) {
                entry[..columns].copy_from_slice(&row[first..][..columns]);
            }
        }
    }
}

/// A matrix made while encoding, packed; the memory is used again.
#[derive(Debug, Default)]
pub(super) struct Panels {
    columns: usize,
    entries: Vec<[f32; PANEL]>,
}

impl Panels {
    /// Each row, of which `depth` numbers from `first` on are taken, becomes a column.
    pub(super) fn pack_columns(&mut self, rows: &[f32], stride: usize, first: usize, depth: usize) {
        self.columns = rows.len() / stride;
        self.entries.resize(self.columns.div_ceil(PANEL) * depth, [0.0; PANEL]);
        for (rows, panel) in rows.chunks(PANEL * stride).zip(self.entries.chunks_exact_mut(depth)) {
            for (column, row) in rows.chunks_exact(stride).enumerate() {
                for (entry, &number) in panel.iter_mut().zip(&row[first..]) {
                    entry[column] = number;
                }
            }
        }
    }

    /// Each row, of which `columns` numbers from `first` on are taken, stays a row.
    pub(super) fn pack_rows(&mut self, rows: &[f32], stride: usize, first: usize, columns: usize) {
        let depth = rows.len() / stride;
        self.columns = columns;
        self.entries.resize(columns.div_ceil(PANEL) * depth, [0.0; PANEL]);
        for (panel, entries) in self.entries.chunks_exact_mut(depth).enumerate() {
            let first = first + panel * PANEL;
            let columns = PANEL.min(columns - panel * PANEL);
            for (row, entry) in rows.chunks_exact(stride).zip(entries) {
                entry[..columns].copy_from_slice(&row[first..][..columns]);
            }
        }
    }

    /// Multiplies packed rows; `out` has rows of `stride` numbers, of which the first are written.
    pub(super) fn multiply(&self, blocks: &Blocks, out: &mut [f32], stride: usize) {
        self.product(blocks, out, stride, Then::Store);
    }

    /// As [`Panels::multiply`], but adds to what is there.
    pub(super) fn multiply_add(&self, blocks: &Blocks, out: &mut [f32], stride: usize) {
        self.product(blocks, out, stride, Then::Add);
    }

    fn product(&self, blocks: &Blocks, out: &mut [f32], stride: usize, then: Then) {
        let columns = self.columns;
        Product { blocks, panels: &self.entries, bias: None, columns, out, stride, then }.run();
    }
}

/// A product to be made.
struct Product<'a> {
    blocks: &'a Blocks,
    panels: &'a [[f32; PANEL]],
    bias: Option<&'a [f32]>,
    columns: usize,
    out: &'a mut [f32],
    stride: usize,
    then: Then,
}

impl Product<'_> {
    fn run(self) {
        if self.blocks.depth > 0 {
            pulp::Arch::new().dispatch(self);
        }
    }

    /// Does with a tile what is to be done.
    #[inline(always)]
    fn finish(&mut self, first_row: usize, rows: usize, first_column: usize, tile: &mut Tile) {
        let columns = PANEL.min(self.columns - first_column);
        let mut bias = [0.0; PANEL];
        if let Some(all) = self.bias {
            bias[..columns].copy_from_slice(&all[first_column..][..columns]);
        }
        for (row, tile) in tile.iter_mut().enumerate().take(rows) {
            for place in 0..PANEL {
                tile[place] += bias[place];
            }
            if let Then::Activate(activation) = self.then {
                activation.apply(tile);
            }
            let out = &mut self.out[(first_row + row) * self.stride + first_column..][..columns];
            let adds = matches!(self.then, Then::Add);
            // A whole panel has a size that is known here, so no loop is needed.
            if let Ok(out) = <&mut [f32; PANEL]>::try_from(&mut *out) {
                put(out, tile, adds);
            } else {
                put(out, &tile[..columns], adds);
            }
        }
    }
}

/// Puts numbers in their place, or adds them.
#[inline(always)]
fn put(out: &mut [f32], numbers: &[f32], adds: bool) {
    if adds {
        out.iter_mut().zip(numbers).for_each(|(out, number)| *out += number);
    } else {
        out.iter_mut().zip(numbers).for_each(|(out, number)| *out = *number);
    }
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let (blocks, depth) = (self.blocks, self.blocks.depth);
        for (number, panel) in self.panels.chunks_exact(depth).enumerate() {
            for (block_number, block) in blocks.entries.chunks_exact(depth).enumerate() {
                let first_row = block_number * BLOCK;
                let rows = BLOCK.min(blocks.num_rows - first_row);
                let mut tile = [[0.0; PANEL]; BLOCK];
                match (S::F32_LANES, rows) {
                    // As many sums as there are registers for.
                    (16, 9..) => sums::<S, 12, 2>(simd, block, panel, rows, &mut tile),
                    (16, 5..) => sums::<S, 8, 2>(simd, block, panel, rows, &mut tile),
                    (16, _) => sums::<S, 4, 2>(simd, block, panel, rows, &mut tile),
                    (4, _) => sums::<S, 6, 4>(simd, block, panel, rows, &mut tile),
                    _ => sums::<S, 6, 2>(simd, block, panel, rows, &mut tile),
                }
                self.finish(first_row, rows, number * PANEL, &mut tile);
            }
        }
    }
}

/// The sums of a tile, in groups of `R` rows and `V` registers.
#[inline(always)]
fn sums<S: Simd, const R: usize, const V: usize>(
    simd: S,
    block: &[[f32; BLOCK]],
    panel: &[[f32; PANEL]],
    rows: usize,
    tile: &mut Tile,
) {
    for first_row in (0..rows).step_by(R) {
        for first in (0..PANEL / S::F32_LANES).step_by(V) {
            let mut sums = [[simd.splat_f32s(0.0); V]; R];
            for (left, right) in block.iter().zip(panel) {
                let (right, _) = S::as_simd_f32s(right);
                for (row, sums) in sums.iter_mut().enumerate() {
                    let left = simd.splat_f32s(left[first_row + row]);
                    for (place, sum) in sums.iter_mut().enumerate() {
                        *sum = simd.mul_add_f32s(left, right[first + place], *sum);
                    }
                }
            }
            for (row, sums) in sums.iter().enumerate() {
                let (out, _) = S::as_mut_simd_f32s(&mut tile[first_row + row]);
                out[first..][..V].copy_from_slice(sums);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every shape that makes whole and partial blocks and panels, shared by threads or not, as plain sums.
    #[test]
    fn products_are_the_plain_sums_to_the_bit() {
        for (rows, depth, columns) in
            [(1, 1, 1), (3, 5, 7), (5, 8, 32), (12, 16, 33), (13, 3, 64), (25, 40, 70)]
        {
            let number = |place: usize| ((place * 7919 % 1013) as f32 - 506.0) / 300.0;
            let left: Vec<f32> = (0..rows * depth).map(number).collect();
            let weights: Vec<f32> = (0..columns * depth).map(|place| number(place + 5)).collect();
            let bias: Vec<f32> = (0..columns).map(|place| number(place + 11)).collect();
            let linear = Linear::new(&[(&weights, &bias)], depth);
            let mut expected = Vec::new();
            for row in left.chunks_exact(depth) {
                for (weights, bias) in weights.chunks_exact(depth).zip(&bias) {
                    let sum = row.iter().zip(weights).fold(0.0_f32, |sum, (a, b)| a.mul_add(*b, sum));
                    expected.push(sum + bias);
                }
            }
            for spread in [Spread::No, Spread::Panels] {
                let mut out = vec![f32::NAN; rows * columns];
                linear.forward(&left, &mut Blocks::default(), &mut out, Then::Store, spread);
                assert_eq!(out, expected, "{rows} × {depth} × {columns}");
                linear.forward(&left, &mut Blocks::default(), &mut out, Then::Add, spread);
                assert!(out.iter().zip(&expected).all(|(out, expected)| *out == expected + expected));
            }
        }
    }

    #[test]
    fn matrices_made_while_encoding_are_packed_both_ways() {
        // Two rows of five numbers, of which the three from the second on count.
        let rows: Vec<f32> = (0..10_u8).map(f32::from).collect();
        let (mut blocks, mut panels, mut out) = (Blocks::default(), Panels::default(), [0.0; 4]);
        blocks.pack(&rows, 5, 1, 3);
        panels.pack_columns(&rows, 5, 1, 3);
        panels.multiply(&blocks, &mut out, 2);
        assert_eq!(out, [14.0, 44.0, 44.0, 149.0]);
        let mut out = [0.0; 6];
        blocks.pack(&[1.0, 2.0, 0.0, 1.0], 2, 0, 2);
        panels.pack_rows(&rows, 5, 1, 3);
        panels.multiply(&blocks, &mut out, 3);
        assert_eq!(out, [13.0, 16.0, 19.0, 6.0, 7.0, 8.0]);
    }
}
