//! Time, as waiting needs it; tests bring a clock of their own and wait for nothing.

use crate::Continue;
use std::thread;
use std::time::{Duration, SystemTime};

/// How often whoever waits is asked whether to go on.
pub(crate) const ASKED_EVERY: Duration = Duration::from_millis(250);

/// What knows the time and can wait.
pub trait Clock: Send + Sync {
    /// What time it is: servers may name the moment at which to ask again.
    fn now(&self) -> SystemTime;

    /// Waits so long, or until `go_on`, which is asked now and then, wants no more. Gives what it said last.
    fn sleep(&self, duration: Duration, go_on: &mut dyn FnMut() -> Continue) -> Continue;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration, go_on: &mut dyn FnMut() -> Continue) -> Continue {
        let mut left = duration;
        while !left.is_zero() {
            let step = left.min(ASKED_EVERY);
            thread::sleep(step);
            left -= step;
            if go_on() == Continue::No {
                return Continue::No;
            }
        }
        Continue::Yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_no_more_is_not_waited_for() {
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            Continue::No
        };
        assert_eq!(SystemClock.sleep(Duration::from_secs(3600), &mut go_on), Continue::No);
        assert_eq!(asked, 1);
        assert_eq!(SystemClock.sleep(Duration::ZERO, &mut || Continue::No), Continue::Yes);
    }
}
