//! What was learned so far, written whole to a file now and then.

use super::error::Error;
use super::learner::Network;
use super::numbers::{BLOCK, Block, zeros};
use super::rows::Matrix;
use frame::{Format, Frame, FrameWriter, Put};
use std::path::Path;

const FORMAT: Format = Format { head: *b"HYPTRCP\0", foot: *b"\0PCRTPYH", version: 1 };

/// How far a training is: this many epochs and pieces of the next one are learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) epoch: u32,
    pub(super) piece: usize,
}

/// Writes what was learned from sequences with this fingerprint.
pub(super) fn write<M: Matrix>(
    path: &Path,
    network: &Network<M>,
    blocks: usize,
    cursor: Cursor,
    sequences: u64,
) -> Result<(), Error> {
    let hidden = path.with_extension("new");
    let mut writer = FrameWriter::create(&hidden, FORMAT)?;
    let cursor = [u64::from(cursor.epoch), cursor.piece as u64, sequences];
    writer.items("cursor", cursor.map(u64::to_le_bytes))?;
    for (name, matrix) in
        [("input", &network.input), ("output", &network.output), ("positions", &network.positions)]
    {
        writer.section::<frame::Error>(name, |put| put_rows(matrix, blocks, put))?;
    }
    writer.finish()?;
    frame::publish(&hidden, path)?;
    Ok(())
}

fn put_rows<M: Matrix>(matrix: &M, blocks: usize, put: &mut Put<'_>) -> Result<(), frame::Error> {
    let mut row = zeros(blocks);
    let mut bytes = Vec::with_capacity(blocks * BLOCK * 4);
    for number in 0..matrix.len() {
        matrix.read(number, &mut row);
        bytes.clear();
        bytes.extend(row.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
        put(&bytes)?;
    }
    Ok(())
}

/// Reads what was learned, if there is a checkpoint of these sequences with matrices of these numbers of rows.
pub(super) fn read<M: Matrix>(
    path: &Path,
    rows: [usize; 3],
    blocks: usize,
    sequences: u64,
) -> Result<Option<(Network<M>, Cursor)>, Error> {
    if !path.exists() {
        return Ok(None);
    }
    let frame = Frame::open(path, &FORMAT)?;
    let numbers: Vec<u64> =
        frame.bytes("cursor").as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
    let [epoch, piece, of] = numbers[..] else {
        return Err(frame.damaged("it does not say how far the training is").into());
    };
    if of != sequences {
        return Err(frame.damaged("it belongs to other sequences").into());
    }
    let matrix = |name: &str, rows: usize| -> Result<M, Error> {
        let bytes = frame.bytes(name);
        if bytes.len() != rows * blocks * BLOCK * 4 {
            return Err(frame.damaged("its matrices have other sizes").into());
        }
        let stored = bytes.as_chunks::<4>().0;
        Ok(M::new(rows, blocks, |row, into| {
            let stored = &stored[row * blocks * BLOCK..(row + 1) * blocks * BLOCK];
            fill(into, stored.iter().map(|bytes| f32::from_le_bytes(*bytes)));
        }))
    };
    let network = Network {
        input: matrix("input", rows[0])?,
        output: matrix("output", rows[1])?,
        positions: matrix("positions", rows[2])?,
    };
    frame.sound()?;
    let cursor = Cursor { epoch: u32::try_from(epoch).unwrap_or(u32::MAX), piece: piece as usize };
    Ok(Some((network, cursor)))
}

/// Writes numbers into the blocks of a row.
pub(super) fn fill(row: &mut [Block], numbers: impl Iterator<Item = f32>) {
    for (into, number) in row.as_flattened_mut().iter_mut().zip(numbers) {
        *into = number;
    }
}
