//! How far a training is, written whole to a file now and then.

use super::adam::AdamW;
use super::error::Error;
use frame::{Format, Frame, FrameWriter};
use std::path::Path;

const FORMAT: Format = Format { head: *b"HYPENCP\0", foot: *b"\0PCNEPYH", version: 1 };
/// Numbers that are turned into bytes at once.
const AT_ONCE: usize = 1 << 16;

/// What a training has learned, and what it needs to go on.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) step: u64,
    pub(super) parameters: Vec<f32>,
    pub(super) adam: AdamW,
    /// The sum of losses, and how many, since the last point of the curve.
    pub(super) losses: (f64, u64),
    /// Steps with the mean loss until there.
    pub(super) curve: Vec<(u64, f64)>,
    /// Steps with the measure on held-out questions.
    pub(super) measures: Vec<(u64, f64)>,
    pub(super) done: bool,
}

impl State {
    pub(super) fn new(parameters: &[f32]) -> Self {
        Self {
            step: 0,
            parameters: parameters.to_vec(),
            adam: AdamW::new(parameters.len()),
            losses: (0.0, 0),
            curve: Vec::new(),
            measures: Vec::new(),
            done: false,
        }
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        let hidden = path.with_extension("new");
        let mut writer = FrameWriter::create(&hidden, FORMAT)?;
        let facts = [
            self.step,
            self.adam.steps,
            self.losses.0.to_bits(),
            self.losses.1,
            u64::from(self.done),
            self.curve.len() as u64,
            self.measures.len() as u64,
        ];
        let points = self.curve.iter().chain(&self.measures);
        let points = points.flat_map(|(step, value)| [*step, value.to_bits()]);
        writer.items("facts", facts.into_iter().chain(points).map(u64::to_le_bytes))?;
        let all =
            [("parameters", &self.parameters), ("first", &self.adam.first), ("second", &self.adam.second)];
        for (name, numbers) in all {
            put(&mut writer, name, numbers)?;
        }
        writer.finish()?;
        Ok(frame::publish(&hidden, path)?)
    }

    /// Reads a checkpoint with this many parameters, if there is one.
    pub(super) fn read(path: &Path, parameters: usize) -> Result<Option<Self>, Error> {
        if !path.exists() {
            return Ok(None);
        }
        let frame = Frame::open(path, &FORMAT)?;
        let facts: Vec<u64> =
            frame.bytes("facts").as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let damaged = || frame.damaged("it does not say how far the training is");
        let (facts, points) = facts.split_first_chunk::<7>().ok_or_else(damaged)?;
        let [step, steps, loss, losses, done, curve, measures] = *facts;
        let points: Vec<(u64, f64)> =
            points.as_chunks::<2>().0.iter().map(|[step, value]| (*step, f64::from_bits(*value))).collect();
        if curve.checked_add(measures) != Some(points.len() as u64) {
            return Err(damaged().into());
        }
        let (curve, measures) = points.split_at(curve as usize);
        let state = Self {
            step,
            parameters: get(&frame, "parameters", parameters)?,
            adam: AdamW {
                first: get(&frame, "first", parameters)?,
                second: get(&frame, "second", parameters)?,
                steps,
            },
            losses: (f64::from_bits(loss), losses),
            curve: curve.to_vec(),
            measures: measures.to_vec(),
            done: done == 1,
        };
        frame.sound()?;
        Ok(Some(state))
    }
}

/// Writes parameters alone: the best until now.
pub(super) fn write_parameters(path: &Path, parameters: &[f32]) -> Result<(), Error> {
    let hidden = path.with_extension("new");
    let mut writer = FrameWriter::create(&hidden, FORMAT)?;
    put(&mut writer, "parameters", parameters)?;
    writer.finish()?;
    Ok(frame::publish(&hidden, path)?)
}

/// Reads what [`write_parameters`] wrote.
pub(super) fn read_parameters(path: &Path, parameters: usize) -> Result<Vec<f32>, Error> {
    let frame = Frame::open(path, &FORMAT)?;
    let numbers = get(&frame, "parameters", parameters)?;
    frame.sound()?;
    Ok(numbers)
}

fn put(writer: &mut FrameWriter, name: &'static str, numbers: &[f32]) -> Result<(), Error> {
    writer.section::<frame::Error>(name, |put| {
        let mut bytes = Vec::with_capacity(AT_ONCE * 4);
        for numbers in numbers.chunks(AT_ONCE) {
            bytes.clear();
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            put(&bytes)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn get(frame: &Frame, name: &str, count: usize) -> Result<Vec<f32>, Error> {
    let (numbers, rest) = frame.bytes(name).as_chunks::<4>();
    if numbers.len() != count || !rest.is_empty() {
        return Err(frame.damaged("it has other parameters than the model").into());
    }
    Ok(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}
