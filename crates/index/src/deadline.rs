//! When work has to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When work has to end: at a point in time, as soon as somebody cancels it, or never.
///
/// Clones share the flag, so one of them cancels the work of all.
///
/// ```
/// use index::Deadline;
/// let deadline = Deadline::never();
/// assert!(!deadline.is_over());
/// let (deadline, cancel) = deadline.with_cancel();
/// cancel.cancel();
/// assert!(deadline.is_over());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    at: Option<Instant>,
    cancelled: Option<Arc<AtomicBool>>,
    hurried: Option<Arc<AtomicBool>>,
}

/// Ends the work of a [`Deadline`] before its time.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends the work.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Brings the end of the work of a [`Deadline`] forward: time is up, but somebody still waits for what was found.
#[derive(Clone, Debug)]
pub struct Hurry(Arc<AtomicBool>);

impl Hurry {
    /// Time is up.
    pub fn hurry(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Deadline {
    /// Work that may take as long as it takes.
    pub const NEVER: Self = Self { at: None, cancelled: None, hurried: None };

    /// Work that may take as long as it takes.
    #[must_use]
    pub fn never() -> Self {
        Self::default()
    }

    /// Work that ends at a point in time.
    #[must_use]
    pub fn at(at: Instant) -> Self {
        Self { at: Some(at), ..Self::NEVER }
    }

    /// The same deadline with a way to end the work before it.
    #[must_use]
    pub fn with_cancel(self) -> (Self, Cancel) {
        let flag = Arc::new(AtomicBool::new(false));
        (Self { cancelled: Some(Arc::clone(&flag)), ..self }, Cancel(flag))
    }

    /// The same deadline with a way to bring it forward.
    #[must_use]
    pub fn with_hurry(self) -> (Self, Hurry) {
        let flag = Arc::new(AtomicBool::new(false));
        (Self { hurried: Some(Arc::clone(&flag)), ..self }, Hurry(flag))
    }

    /// The same without a point in time: the work ends only when it is cancelled.
    #[must_use]
    pub fn without_time(self) -> Self {
        Self { at: None, hurried: None, ..self }
    }

    /// Whether the end of the work was brought forward.
    #[must_use]
    pub fn is_hurried(&self) -> bool {
        self.hurried.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether somebody cancelled the work.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// Whether the work has to end now. It takes some 30 ns where there is a point in time.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_cancelled() || self.is_hurried() || self.at.is_some_and(|at| Instant::now() >= at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_deadline_is_brought_forward() {
        let (deadline, hurry) = Deadline::never().with_hurry();
        let (deadline, _cancel) = deadline.with_cancel();
        assert!(!deadline.is_over());
        hurry.hurry();
        assert!(deadline.is_over() && deadline.is_hurried() && !deadline.is_cancelled());
        assert!(!deadline.without_time().is_over());
    }

    #[test]
    fn a_deadline_passes() {
        assert!(!Deadline::at(Instant::now() + Duration::from_secs(60)).is_over());
        assert!(Deadline::at(Instant::now()).is_over());
    }
}
