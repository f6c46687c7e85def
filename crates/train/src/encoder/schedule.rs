//! How large steps are: a warm-up, then a line down to zero or the same rate to the end.

use serde::{Deserialize, Serialize};

/// What becomes of the rate after the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Decay {
    /// A line down to zero at the last step.
    #[default]
    Linear,
    /// The same rate to the end.
    Constant,
}

/// The rate of each step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    /// The highest rate.
    pub rate: f64,
    /// Steps in which the rate rises from zero.
    pub warmup: u64,
    /// What comes after.
    pub decay: Decay,
    /// Whether each epoch begins with a warm-up again, as where a trainer is called once for each epoch.
    pub restarts: bool,
}

impl Schedule {
    /// The rate of a step, counted from 0, of a training with `total` steps, `epoch` of them in each epoch.
    #[must_use]
    pub fn rate(&self, step: u64, total: u64, epoch: u64) -> f64 {
        let (step, total) =
            if self.restarts && epoch > 0 { (step % epoch, epoch.min(total)) } else { (step, total) };
        if step < self.warmup {
            return self.rate * step as f64 / self.warmup.max(1) as f64;
        }
        match self.decay {
            Decay::Constant => self.rate,
            Decay::Linear => {
                let rest = total.saturating_sub(step) as f64;
                self.rate * rest / total.saturating_sub(self.warmup).max(1) as f64
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_rise_and_fall_in_lines() {
        let schedule = Schedule { rate: 1.0, warmup: 2, decay: Decay::Linear, restarts: false };
        let rates: Vec<f64> = (0..6).map(|step| schedule.rate(step, 6, 3)).collect();
        assert_eq!(rates, [0.0, 0.5, 1.0, 0.75, 0.5, 0.25]);
        let constant = Schedule { decay: Decay::Constant, ..schedule };
        assert_eq!((3..6).map(|step| constant.rate(step, 6, 3)).collect::<Vec<_>>(), [1.0; 3]);
    }

    /// MIRMU's cross-encoder: 121 steps an epoch and a warm-up of 10,000 never get above 2.4e-7.
    #[test]
    fn a_schedule_that_restarts_stays_in_its_warm_up() {
        let schedule = Schedule { rate: 2e-5, warmup: 10_000, decay: Decay::Linear, restarts: true };
        let most = (0..1210).map(|step| schedule.rate(step, 1210, 121)).fold(0.0, f64::max);
        assert!((most - 2.4e-7).abs() < 1e-9, "{most}");
    }
}
