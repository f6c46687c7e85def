//! Lists built by spherical k-means over a sample.
//!
//! Chance comes from a seed. Rows are compared by sums of integers, and centroids are sums in the
//! order of rows, so the same rows and seed give the same bytes on every machine and number of threads.

use crate::bytes::{ByteRows, Query};
use crate::half::HalfRows;
use crate::{Error, lists};
use rayon::prelude::*;
use stats::rng::Rng;
use std::convert::Infallible;

/// Rows assigned between two questions whether to stop.
const WAVE: usize = 16_384;

/// How lists are built.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ListOptions {
    /// The number of lists; by default twice the square root of the number of rows.
    pub lists: Option<u32>,
    /// The number of rows for each list from which centroids are learned.
    pub sample: u32,
    /// Rounds of k-means.
    pub rounds: u32,
}

impl Default for ListOptions {
    fn default() -> Self {
        Self { lists: None, sample: 50, rounds: 8 }
    }
}

/// Lists that were built and wait to be written.
#[derive(Debug, Clone)]
pub struct NewLists {
    dimension: usize,
    /// Rows of 16 bits.
    centroids: Vec<u8>,
    ends: Vec<u32>,
    order: Vec<u32>,
}

impl NewLists {
    /// Groups all rows of `half`.
    ///
    /// It needs 12 bytes for each row, beside the rows. The work is the number of rows times the number
    /// of lists, on the threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] if `should_stop` says so, which is asked several times a second.
    pub fn build(
        half: &HalfRows<'_>,
        seed: u64,
        options: &ListOptions,
        mut should_stop: impl FnMut() -> bool,
    ) -> Result<Self, Error> {
        let rows = half.len() as u32;
        let lists =
            options.lists.unwrap_or_else(|| (f64::from(rows).sqrt() * 2.0) as u32).clamp(1, rows.max(1));
        let centroids =
            if rows == 0 { Vec::new() } else { learn(half, lists, seed, options, &mut should_stop)? };
        let mut members: Vec<(u32, u32)> = Vec::with_capacity(rows as usize);
        for start in (0..rows).step_by(WAVE) {
            let wave: Vec<u32> = (start..rows.min(start.saturating_add(WAVE as u32))).collect();
            let nearest = assign(half, &centroids, &wave, &mut should_stop)?;
            members.extend(nearest.iter().zip(wave).map(|(&(list, _), row)| (list, row)));
        }
        members.par_sort_unstable();
        let ends = (0..lists).map(|list| members.partition_point(|&(of, _)| of <= list) as u32).collect();
        let order = members.into_iter().map(|(_, row)| row).collect();
        Ok(Self { dimension: half.dimension(), centroids, ends, order })
    }

    /// Hands over the section that [`Lists::new`](crate::Lists::new) opens, piece by piece; `half` holds the
    /// rows that were grouped.
    ///
    /// # Errors
    ///
    /// Those of `put`.
    pub fn write<E>(
        &self,
        half: &HalfRows<'_>,
        mut put: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let centroids = self.centroids.len() / (self.dimension * 2);
        let head = [lists::VERSION, self.dimension as u32, self.order.len() as u32, centroids as u32];
        put(head.map(u32::to_le_bytes).as_flattened())?;
        put(&self.centroids)?;
        for numbers in [&self.ends[..centroids], &self.order] {
            for numbers in numbers.chunks(WAVE) {
                let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
                put(&bytes)?;
            }
        }
        let mut codes = Vec::new();
        for rows in self.order.chunks(64) {
            codes.clear();
            rows.iter().for_each(|&row| ByteRows::push(half, row, &mut codes));
            put(&codes)?;
        }
        Ok(())
    }

    /// The section as one piece.
    #[must_use]
    pub fn to_bytes(&self, half: &HalfRows<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        let added = self.write(half, |piece| {
            bytes.extend_from_slice(piece);
            Ok::<(), Infallible>(())
        });
        let Ok(()) = added;
        bytes
    }
}

/// Centroids of a sample, as rows of 16 bits.
fn learn(
    half: &HalfRows<'_>,
    lists: u32,
    seed: u64,
    options: &ListOptions,
    should_stop: &mut impl FnMut() -> bool,
) -> Result<Vec<u8>, Error> {
    let mut sample: Vec<u32> = (0..half.len() as u32).collect();
    Rng::seeded(seed).shuffle(&mut sample);
    sample.truncate(lists.saturating_mul(options.sample.max(1)) as usize);
    let mut centroids = Vec::new();
    for &row in &sample[..lists as usize] {
        centroids.extend_from_slice(half.bytes_of(row).unwrap_or_default());
    }
    // In the order of rows, memory is read forwards.
    sample.sort_unstable();
    for _ in 0..options.rounds {
        let mut nearest = Vec::with_capacity(sample.len());
        for wave in sample.chunks(WAVE) {
            nearest.extend(assign(half, &centroids, wave, should_stop)?);
        }
        centroids = means(half, &sample, &nearest, lists);
    }
    Ok(centroids)
}

/// The list of each row, and its score with the centroid.
fn assign(
    half: &HalfRows<'_>,
    centroids: &[u8],
    rows: &[u32],
    should_stop: &mut impl FnMut() -> bool,
) -> Result<Vec<(u32, f32)>, Error> {
    if should_stop() {
        return Err(Error::Stopped);
    }
    let codes = ByteRows::quantise(&HalfRows::new(half.dimension(), centroids)?);
    let codes = ByteRows::new(half.dimension(), &codes)?;
    rows.par_chunks(64)
        .map(|rows| {
            let mut dots = Vec::new();
            let nearest = |&row: &u32| {
                let numbers = half.row(row).unwrap_or_default();
                Ok(Query::new(&numbers, half.dimension())?.nearest(&codes, &mut dots))
            };
            rows.iter().map(nearest).collect::<Result<Vec<_>, Error>>()
        })
        .collect::<Result<Vec<_>, Error>>()
        .map(|parts| parts.concat())
}

/// The normalised mean of the rows of each list. A list without rows gets the row that fits its own
/// list least.
fn means(half: &HalfRows<'_>, sample: &[u32], nearest: &[(u32, f32)], lists: u32) -> Vec<u8> {
    let mut members: Vec<(u32, u32)> =
        nearest.iter().zip(sample).map(|(&(list, _), &row)| (list, row)).collect();
    members.sort_unstable();
    let mut misfits: Vec<(f32, u32)> =
        nearest.iter().zip(sample).map(|(&(_, score), &row)| (score, row)).collect();
    misfits.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(other.1.cmp(&one.1)));
    let mean = |list: u32| -> Option<Vec<u8>> {
        let start = members.partition_point(|&(of, _)| of < list);
        let of_list = members[start..].iter().take_while(|&&(of, _)| of == list);
        let mut sums = vec![0.0_f32; half.dimension()];
        for &(_, row) in of_list {
            for (sum, number) in sums.iter_mut().zip(half.row(row)?) {
                *sum += number;
            }
        }
        let mut bytes = Vec::new();
        HalfRows::push(&sums, &mut bytes).ok()?;
        Some(bytes)
    };
    let means: Vec<Option<Vec<u8>>> = (0..lists).into_par_iter().map(mean).collect();
    let mut centroids = Vec::new();
    for mean in means {
        match mean {
            Some(mean) => centroids.extend(mean),
            None => {
                let row = misfits.pop().map_or(0, |(_, row)| row);
                centroids.extend_from_slice(half.bytes_of(row).unwrap_or_default());
            }
        }
    }
    centroids
}
