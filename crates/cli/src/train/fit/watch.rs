//! What a training says while it goes.

use crate::output::note;
use crate::progress;
use ::train::encoder::{Progress, Watch};
use std::time::Duration;

/// Says what a training takes, how far it is, and how its loss and its measure go.
pub(super) struct Watcher {
    name: String,
    /// Whether only the cost is asked for.
    estimate: bool,
    bar: Option<progress::Progress>,
    losses: (f64, u32),
}

impl Watcher {
    pub(super) fn new(name: &str, estimate: bool) -> Self {
        Self { name: name.to_owned(), estimate, bar: None, losses: (0.0, 0) }
    }
}

/// A time that people can read.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        ..120.0 => format!("{seconds:.1} s"),
        ..7200.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

impl Watch for Watcher {
    fn resumed(&mut self, step: u64, total: u64) {
        note(&format!("{}: resuming after step {step} of {total}", self.name));
    }

    fn cost(&mut self, steps: u64, step: Duration, multiplications: f64) -> bool {
        let all = Duration::try_from_secs_f64(step.as_secs_f64() * steps as f64).unwrap_or(Duration::MAX);
        note(&format!(
            "{}: {steps} steps of about {:.3} G multiply-adds; the first took {} when it was rehearsed, so all take \
             about {}",
            self.name,
            multiplications / 1e9,
            minutes(step),
            minutes(all),
        ));
        !self.estimate
    }

    fn step(&mut self, progress: &Progress) -> bool {
        let Progress { step, total, loss, rate, .. } = *progress;
        let bar = self.bar.get_or_insert_with(|| progress::Progress::items(total - step + 1));
        bar.advance(1);
        self.losses = (self.losses.0 + loss, self.losses.1 + 1);
        if step * 10 / total > (step - 1) * 10 / total {
            let loss = self.losses.0 / f64::from(self.losses.1);
            note(&format!("{}: step {step} of {total}, loss {loss:.4}, rate {rate:.2e}", self.name));
            self.losses = (0.0, 0);
        }
        true
    }

    fn measured(&mut self, step: u64, value: f64) {
        note(&format!(
            "{}: mean reciprocal rank of held-out questions after step {step}: {value:.4}",
            self.name
        ));
    }
}
