//! Time, as waiting needs it; tests bring a clock of their own and wait for nothing.

use std::thread;
use std::time::{Duration, SystemTime};

/// What knows the time and can wait.
pub trait Clock: Send + Sync {
    /// What time it is: servers may name the moment at which to ask again.
    fn now(&self) -> SystemTime;

    /// Waits.
    fn sleep(&self, duration: Duration);
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) {
        thread::sleep(duration);
    }
}
