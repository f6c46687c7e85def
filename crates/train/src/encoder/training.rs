//! A training from its first step to its last, in a folder of its own.

use super::Network;
use super::adam::clip;
use super::checkpoint::{State, read_parameters, write_parameters};
use super::error::Error;
use super::options::Options;
use super::samplers::{Example, Sampler};
use super::validation::{Held, measure};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Points of the curve of losses.
const POINTS: u64 = 50;

/// A training in a folder of its own.
#[derive(Debug)]
pub struct Training {
    folder: PathBuf,
    every: Duration,
}

/// How far a training is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Steps taken.
    pub step: u64,
    /// All steps.
    pub total: u64,
    /// The loss of the last step.
    pub loss: f64,
    /// The length of its gradient.
    pub length: f64,
    /// Its rate.
    pub rate: f64,
}

/// Hears how a training goes.
pub trait Watch {
    /// A training goes on from a checkpoint.
    fn resumed(&mut self, _step: u64, _total: u64) {}

    /// What a training will take, before it begins: the time of a rehearsed step, and its multiplications. `false`
    /// stops before the first step.
    fn cost(&mut self, _steps: u64, _step: Duration, _multiplications: f64) -> bool {
        true
    }

    /// A step was taken; `false` stops the training, and the next call goes on.
    fn step(&mut self, _progress: &Progress) -> bool {
        true
    }

    /// The mean reciprocal rank on held-out questions after some steps.
    fn measured(&mut self, _step: u64, _value: f64) {}
}

impl Watch for () {}

/// What came of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The parameters: those of the best measure, or of the last step where nothing was measured.
    pub parameters: Vec<f32>,
    /// The step that they are of.
    pub best: u64,
    /// Steps taken.
    pub steps: u64,
    /// Steps with the mean loss until there.
    pub curve: Vec<(u64, f64)>,
    /// Steps with the measure on held-out questions, from before the first step on.
    pub measures: Vec<(u64, f64)>,
}

impl Training {
    /// Opens the folder of a training, or makes it. `plan` says all that decides the result, so that a training is
    /// only resumed with the same data and options. A checkpoint is written after `every`, and after each measure.
    ///
    /// # Errors
    ///
    /// When the folder belongs to another training, or cannot be written.
    pub fn open(folder: &Path, plan: &str, every: Duration) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let path = folder.join("plan.json");
        let training = Self { folder: folder.to_owned(), every };
        let is_same = match fs::read_to_string(&path) {
            Ok(known) => known == plan,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => false,
            Err(cause) => return Err(Error::io(&path)(cause)),
        };
        if !is_same {
            // Another plan under which nothing was learned yet is none to keep.
            if training.checkpoint().exists() {
                return Err(Error::Other { path: folder.to_owned() });
            }
            let hidden = folder.join("plan.new");
            fs::write(&hidden, plan).map_err(Error::io(&hidden))?;
            frame::publish(&hidden, &path)?;
        }
        Ok(training)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Learns what is not yet learned.
    ///
    /// # Errors
    ///
    /// When there are no examples, a text cannot be read, the network gives no numbers, a file cannot be read or
    /// written, or `watch` asks to stop: then the next call goes on.
    pub fn run<N: Network>(
        &self,
        network: &mut N,
        sampler: &Sampler,
        held: &[Held],
        options: &Options,
        watch: &mut dyn Watch,
    ) -> Result<Outcome, Error> {
        if let Some(mistake) = options.mistake() {
            return Err(Error::Options(mistake));
        }
        let examples = sampler.epoch(options.seed, 0);
        if examples.is_empty() {
            return Err(Error::Nothing("no pairs of texts".to_owned()));
        }
        let (in_epoch, total) = (options.steps_in_epoch(examples.len()), options.total_steps(examples.len()));
        let mut state = match State::read(&self.checkpoint(), network.parameters().len())? {
            Some(state) => {
                watch.resumed(state.step, total);
                network.prepare(&state.parameters);
                state
            }
            None => {
                let state = State::new(network.parameters());
                network.prepare(&state.parameters);
                let (time, cost) = rehearse(network, &examples, options)?;
                if !watch.cost(total, time, cost) {
                    return Err(Error::Stopped);
                }
                state
            }
        };
        let mut steps = Steps { training: self, options, held, in_epoch, total, epoch: (0, examples) };
        while !state.done {
            steps.advance(network, sampler, &mut state, watch)?;
        }
        self.outcome(state)
    }

    fn checkpoint(&self) -> PathBuf {
        self.folder.join("learned")
    }

    fn best(&self) -> PathBuf {
        self.folder.join("best")
    }

    fn outcome(&self, state: State) -> Result<Outcome, Error> {
        let best = best(&state.measures).map(|(step, _)| step);
        let parameters = match best {
            Some(step) if step != state.step => read_parameters(&self.best(), state.parameters.len())?,
            _ => state.parameters,
        };
        Ok(Outcome {
            parameters,
            best: best.unwrap_or(state.step),
            steps: state.step,
            curve: state.curve,
            measures: state.measures,
        })
    }

    /// Removes the folder.
    ///
    /// # Errors
    ///
    /// When that cannot be done.
    pub fn remove(self) -> Result<(), Error> {
        fs::remove_dir_all(&self.folder).map_err(Error::io(&self.folder))
    }
}

/// The best measure after the first step; of equal ones the first.
fn best(measures: &[(u64, f64)]) -> Option<(u64, f64)> {
    let after = measures.iter().copied().filter(|(step, _)| *step > 0);
    after.fold(None, |best, next| match best {
        Some((_, value)) if value >= next.1 => best,
        _ => Some(next),
    })
}

/// Measures since the best one.
fn since_best(measures: &[(u64, f64)]) -> u32 {
    let best = best(measures).map_or(0, |(step, _)| step);
    measures.iter().filter(|(step, _)| *step > best).count() as u32
}

/// What one step learns from: the loss and its gradient, and the multiplications.
fn learn<N: Network>(
    network: &mut N,
    examples: &[Example],
    options: &Options,
    gradient: &mut [f32],
) -> Result<(f64, f64), Error> {
    let objective = options.objective;
    let batches: Vec<&[Example]> = examples.chunks(options.batch).collect();
    let (mut sum, mut cost) = (0.0, 0.0);
    for batch in &batches {
        let all_have_negatives = batch.iter().all(|example| example.negative.is_some());
        let mut texts: Vec<(u32, Option<u32>, u64)> = Vec::with_capacity(3 * batch.len());
        if objective.is_cross() {
            texts.extend(batch.iter().map(|example| (example.query, Some(example.document), example.chance)));
        } else {
            texts.extend(batch.iter().map(|example| (example.query, None, example.chance)));
            texts.extend(batch.iter().map(|example| (example.document, None, example.chance)));
            if objective.reads_negatives() && all_have_negatives {
                let negatives =
                    batch.iter().filter_map(|example| Some((example.negative?, None, example.chance)));
                texts.extend(negatives);
            } else if objective.needs_negatives() {
                return Err(Error::Nothing("the loss needs a hard negative for each pair".to_owned()));
            }
        }
        let read = |(text, other, chance): (u32, Option<u32>, u64)| network.read(text, other, chance);
        let inputs: Vec<N::Input> =
            texts.into_iter().map(read).collect::<Result<_, _>>().map_err(Error::Network)?;
        let rows = network.outputs(&inputs).map_err(Error::Network)?;
        let mut lossy = objective.loss(&rows, network.width(), batch);
        if !lossy.loss.is_finite() {
            return Err(Error::Network(
                "the loss is no longer a finite number; train with a lower rate".to_owned(),
            ));
        }
        let share = 1.0 / batches.len() as f32;
        lossy.gradient.iter_mut().for_each(|slope| *slope *= share);
        network.back(&inputs, &lossy.gradient, gradient);
        sum += lossy.loss / batches.len() as f64;
        cost += network.cost(&inputs);
    }
    Ok((sum, cost))
}

/// The time and the multiplications of the first step, which is not taken.
fn rehearse<N: Network>(
    network: &mut N,
    examples: &[Example],
    options: &Options,
) -> Result<(Duration, f64), Error> {
    let first = &examples[..examples.len().min(options.batch * options.accumulate)];
    let mut gradient = vec![0.0; network.parameters().len()];
    let begun = Instant::now();
    let (_, cost) = learn(network, first, options, &mut gradient)?;
    Ok((begun.elapsed(), cost))
}

/// Takes steps.
struct Steps<'t> {
    training: &'t Training,
    options: &'t Options,
    held: &'t [Held],
    in_epoch: u64,
    total: u64,
    /// The examples of an epoch.
    epoch: (u64, Vec<Example>),
}

impl Steps<'_> {
    /// Goes on to the next checkpoint.
    fn advance<N: Network>(
        &mut self,
        network: &mut N,
        sampler: &Sampler,
        state: &mut State,
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        let begun = Instant::now();
        if state.step == 0 && state.measures.is_empty() && !self.held.is_empty() {
            self.measure(network, state, watch)?;
        }
        let mut gradient = vec![0.0; state.parameters.len()];
        while state.step < self.total && !state.done {
            let epoch = state.step / self.in_epoch;
            if self.epoch.0 != epoch {
                self.epoch =
                    (epoch, sampler.epoch(self.options.seed, u32::try_from(epoch).unwrap_or(u32::MAX)));
            }
            let progress = self.step(network, state, &mut gradient)?;
            let go_on = watch.step(&progress);
            let every =
                if self.options.measure_every > 0 { self.options.measure_every } else { self.in_epoch };
            let is_end = state.step == self.total;
            if !self.held.is_empty() && (state.step.is_multiple_of(every) || is_end) {
                self.measure(network, state, watch)?;
                let patience = self.options.patience;
                state.done = patience > 0 && since_best(&state.measures) >= patience;
            }
            state.done |= is_end;
            if !go_on {
                state.write(&self.training.checkpoint())?;
                return Err(Error::Stopped);
            }
            if begun.elapsed() >= self.training.every {
                break;
            }
        }
        state.done |= state.step >= self.total;
        state.write(&self.training.checkpoint())
    }

    fn step<N: Network>(
        &self,
        network: &mut N,
        state: &mut State,
        gradient: &mut [f32],
    ) -> Result<Progress, Error> {
        let options = self.options;
        let size = options.batch * options.accumulate;
        let first = (state.step % self.in_epoch) as usize * size;
        let examples = &self.epoch.1[first.min(self.epoch.1.len())..(first + size).min(self.epoch.1.len())];
        gradient.fill(0.0);
        let (mut loss, _) = learn(network, examples, options, gradient)?;
        loss += network.pull(&state.parameters, gradient);
        let length = clip(gradient, options.clip);
        if !length.is_finite() {
            return Err(Error::Network(
                "the gradient is no longer a finite number; train with a lower rate".to_owned(),
            ));
        }
        let rate = options.schedule.rate(state.step, self.total, self.in_epoch);
        state.adam.step(&mut state.parameters, gradient, rate, options.decay, network.decayed());
        network.prepare(&state.parameters);
        state.step += 1;
        state.losses = (state.losses.0 + loss, state.losses.1 + 1);
        let points = self.total.min(POINTS);
        if state.step * points / self.total > (state.step - 1) * points / self.total {
            state.curve.push((state.step, state.losses.0 / state.losses.1 as f64));
            state.losses = (0.0, 0);
        }
        Ok(Progress { step: state.step, total: self.total, loss, length, rate })
    }

    fn measure<N: Network>(
        &self,
        network: &mut N,
        state: &mut State,
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        let value = measure(network, self.options.objective, self.held)?;
        state.measures.push((state.step, value));
        watch.measured(state.step, value);
        if best(&state.measures).is_some_and(|(step, _)| step == state.step) {
            write_parameters(&self.training.best(), &state.parameters)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
