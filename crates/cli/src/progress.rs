//! A progress bar for work that takes long enough to wonder about.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr, stdout};
use std::time::{Duration, Instant};

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_secs(2);

const BYTES: &str = "{bar:32} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left";
const ITEMS: &str = "{bar:32} {human_pos}/{human_len}  {per_sec}  {eta} left";

/// Bytes or items done, drawn on standard error. Draws nothing when standard
/// error is no terminal, when the results go to the terminal themselves, or
/// when the total is not known.
#[derive(Debug)]
pub(crate) struct Progress {
    template: &'static str,
    total: Option<u64>,
    done: u64,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Progress through a file whose results are printed.
    pub(crate) fn new(total: Option<u64>) -> Self {
        let watched = stderr().is_terminal() && !stdout().is_terminal();
        Self::watched(BYTES, total.filter(|_| watched))
    }

    /// Progress through so many items, whose results go to a file.
    pub(crate) fn items(total: u64) -> Self {
        Self::watched(ITEMS, Some(total).filter(|_| stderr().is_terminal()))
    }

    /// Progress through bytes whose results go to a file.
    pub(crate) fn bytes(total: u64) -> Self {
        Self::watched(BYTES, Some(total).filter(|_| stderr().is_terminal()))
    }

    fn watched(template: &'static str, total: Option<u64>) -> Self {
        Self { template, total, done: 0, started: Instant::now(), bar: None }
    }

    /// Counts bytes or items that are finished.
    pub(crate) fn advance(&mut self, done: u64) {
        self.done += done;
        let Some(total) = self.total else { return };
        if self.bar.is_none() && self.started.elapsed() > PATIENCE {
            let style =
                ProgressStyle::with_template(self.template).unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bar = Some(ProgressBar::new(total).with_style(style).with_elapsed(self.started.elapsed()));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(self.done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A sign on standard error that something is being done whose end cannot be told; drawn for people only.
#[derive(Debug)]
pub(crate) struct Waiting(Option<ProgressBar>);

impl Waiting {
    /// Says what is being done until it is dropped.
    pub(crate) fn new(what: &'static str) -> Self {
        let bar = stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner().with_message(what);
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Self(bar)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
