//! The way back through attention: from the gradient of what tokens attended to, to that of queries, keys and values.

use super::super::matrix::{Blocks, PANEL, Panels};
use super::super::network::{Distances, TokenIds, bucket};
use super::super::numbers::softmax;

/// Memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    blocks: Blocks,
    panels: Panels,
    /// How much each token attends to each other.
    shares: Vec<f32>,
    slopes: Vec<f32>,
    sums: Vec<f32>,
    bias: Vec<f32>,
}

/// How attention is shaped.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) heads: usize,
    pub(super) hidden: usize,
    /// Of MPNet.
    pub(super) distances: Option<&'a Distances>,
    /// How many distances are told apart.
    pub(super) buckets: usize,
}

impl Shape<'_> {
    /// `input` has queries, keys and values of each token, `slope` the gradient of what it attended to; `out` gets
    /// that of the input, and `of_distances` that of the distances is added to.
    pub(super) fn back(
        &self,
        texts: &[TokenIds<'_>],
        (input, slope): (&[f32], &[f32]),
        out: &mut [f32],
        of_distances: &mut [f32],
        buffers: &mut Buffers,
    ) {
        let hidden = self.hidden;
        let (mut input, mut slope, mut out) = (input, slope, out);
        for text in texts {
            let tokens = text.ids.len();
            let (these, rest) = input.split_at(tokens * 3 * hidden);
            input = rest;
            let (slopes, rest) = slope.split_at(tokens * hidden);
            slope = rest;
            let (to, rest) = out.split_at_mut(tokens * 3 * hidden);
            out = rest;
            if tokens == 0 {
                continue;
            }
            for head in 0..self.heads {
                self.head(head, (these, slopes), to, of_distances, buffers);
            }
        }
    }

    fn head(
        &self,
        head: usize,
        (input, slope): (&[f32], &[f32]),
        out: &mut [f32],
        of_distances: &mut [f32],
        buffers: &mut Buffers,
    ) {
        let Buffers { blocks, panels, shares, slopes, sums, bias } = buffers;
        let (hidden, size) = (self.hidden, self.hidden / self.heads);
        let tokens = input.len() / (3 * hidden);
        let stride = tokens.next_multiple_of(PANEL);
        let scale = 1.0 / (size as f32).sqrt();
        let [query, key, value] = [0, 1, 2].map(|part| part * hidden + head * size);
        shares.resize(tokens * stride, 0.0);
        slopes.resize(tokens * stride, 0.0);
        // The shares as on the way forward: keeping them would take more memory than this takes time.
        blocks.pack(input, 3 * hidden, query, size);
        panels.pack_columns(input, 3 * hidden, key, size);
        panels.multiply(blocks, shares, stride);
        let bias = self.distances.map(|distances| distances.bias(head, tokens, bias));
        softmax(shares, stride, tokens, scale, bias, sums);
        for (row, sum) in shares.chunks_exact_mut(stride).zip(&*sums) {
            row[..tokens].iter_mut().for_each(|share| *share /= sum);
        }
        // Of the values: each token has what others attended to it for.
        blocks.pack_columns(shares, stride, 0, tokens);
        panels.pack_rows(slope, hidden, head * size, size);
        panels.multiply(blocks, &mut out[value..], 3 * hidden);
        // Of the shares, then of the scores before the softmax.
        blocks.pack(slope, hidden, head * size, size);
        panels.pack_columns(input, 3 * hidden, value, size);
        panels.multiply(blocks, slopes, stride);
        for (slopes, shares) in slopes.chunks_exact_mut(stride).zip(shares.chunks_exact(stride)) {
            let (slopes, shares) = (&mut slopes[..tokens], &shares[..tokens]);
            let mean: f32 = slopes.iter().zip(shares).map(|(slope, share)| slope * share).sum();
            slopes.iter_mut().zip(shares).for_each(|(slope, share)| *slope = share * (*slope - mean));
        }
        if self.distances.is_some() {
            for (token, row) in slopes.chunks_exact(stride).enumerate() {
                for (other, slope) in row[..tokens].iter().enumerate() {
                    let distance = other as isize - token as isize;
                    of_distances[bucket(distance, self.buckets) * self.heads + head] += slope;
                }
            }
        }
        slopes.iter_mut().for_each(|slope| *slope *= scale);
        // Of the queries and of the keys.
        blocks.pack(slopes, stride, 0, tokens);
        panels.pack_rows(input, 3 * hidden, key, size);
        panels.multiply(blocks, &mut out[query..], 3 * hidden);
        blocks.pack_columns(slopes, stride, 0, tokens);
        panels.pack_rows(input, 3 * hidden, query, size);
        panels.multiply(blocks, &mut out[key..], 3 * hidden);
    }
}
