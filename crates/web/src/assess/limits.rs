//! How often: each one who asks has a bucket that fills slowly and is emptied by asking.

use super::app::Ticks;
use super::config::{AttemptLimits, RequestLimits};
use crate::connections::network_of;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::{BuildHasher as _, Hash};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// So many buckets are kept.
const MOST: usize = 20_000;

/// How often everybody has asked.
pub(crate) struct Limits {
    limits: RequestLimits,
    ticks: Ticks,
    /// Whoever could choose what falls together could fill the buckets of others.
    hasher: RandomState,
    buckets: Mutex<HashMap<u64, Bucket>>,
}

#[derive(Clone, Copy, Debug)]
struct Bucket {
    limits: AttemptLimits,
    left: f64,
    at: Duration,
}

impl Bucket {
    /// What is in it at a moment.
    fn left_at(&self, now: Duration) -> f64 {
        let every = self.limits.every.as_secs_f64().max(1e-9);
        let gained = now.saturating_sub(self.at).as_secs_f64() / every;
        (self.left + gained).min(self.limits.at_once)
    }
}

impl fmt::Debug for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limits").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Limits {
    pub(super) fn new(limits: RequestLimits, ticks: Ticks) -> Self {
        Self { limits, ticks, hasher: RandomState::new(), buckets: Mutex::default() }
    }

    /// Somebody tries a name, or a link, and a password. How long to wait, if it is too often; then nothing
    /// is even looked at, so that waiting tells nothing about the password.
    pub(super) fn attempt(&self, name: &str, address: Option<IpAddr>) -> Result<(), Duration> {
        let (limits, address) = (&self.limits, address.map(network_of));
        let kinds = [
            (self.key(&("both", name, address)), limits.attempts),
            (self.key(&("name", name)), limits.attempts_of_name),
            (self.key(&("address", address)), limits.attempts_of_address),
        ];
        self.take(&kinds)
    }

    /// They knew the password: their earlier attempts were slips.
    pub(super) fn forgive(&self, name: &str, address: Option<IpAddr>) {
        let key = self.key(&("both", name, address.map(network_of)));
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner).remove(&key);
    }

    /// A session asks for anything.
    pub(super) fn request(&self, session: &str) -> Result<(), Duration> {
        self.take(&[(self.key(&("session", session)), self.limits.requests)])
    }

    fn key(&self, of: &impl Hash) -> u64 {
        self.hasher.hash_one(of)
    }

    /// Takes one out of each, or none if one of them is empty.
    fn take(&self, wanted: &[(u64, AttemptLimits)]) -> Result<(), Duration> {
        let now = (self.ticks)();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() + wanted.len() > MOST {
            make_room(&mut buckets, now);
        }
        let mut after = Vec::with_capacity(wanted.len());
        let mut wait = Duration::ZERO;
        for (key, limits) in wanted {
            let left = buckets.get(key).map_or(limits.at_once, |bucket| bucket.left_at(now));
            wait = wait.max(limits.every.mul_f64((1.0 - left).clamp(0.0, 1.0)));
            after.push((*key, Bucket { limits: *limits, left: left - 1.0, at: now }));
        }
        // Less than that is lost in rounding.
        if wait > Duration::from_micros(1) {
            return Err(wait);
        }
        buckets.extend(after);
        Ok(())
    }
}

/// Forgets those who may ask as often as anybody; and where that is not enough, those who come next to it.
fn make_room(buckets: &mut HashMap<u64, Bucket>, now: Duration) {
    buckets.retain(|_, bucket| bucket.left_at(now) < bucket.limits.at_once);
    if buckets.len() > MOST / 2 {
        let share = |bucket: &Bucket| bucket.left_at(now) / bucket.limits.at_once.max(1.0);
        let mut shares: Vec<f64> = buckets.values().map(share).collect();
        shares.sort_by(f64::total_cmp);
        let most = shares.get(MOST / 2).copied().unwrap_or_default();
        let mut kept = 0;
        buckets.retain(|_, bucket| {
            let stays = share(bucket) <= most && kept < MOST / 2;
            kept += usize::from(stays);
            stays
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    fn limits() -> (Limits, Arc<AtomicU64>) {
        let clock = Arc::new(AtomicU64::new(0));
        let ticks = Arc::clone(&clock);
        let ticks: Ticks = Arc::new(move || Duration::from_millis(ticks.load(Ordering::Relaxed)));
        (Limits::new(RequestLimits::default(), ticks), clock)
    }

    fn at(number: u32) -> Option<IpAddr> {
        Some(IpAddr::V4(Ipv4Addr::from(number)))
    }

    #[test]
    fn five_attempts_and_then_one_in_ten_seconds() {
        let (limits, clock) = limits();
        for _ in 0..5 {
            limits.attempt("ada", at(1)).unwrap();
        }
        assert_eq!(limits.attempt("ada", at(1)), Err(Duration::from_secs(10)));
        // Others are not touched by it, and neither is she elsewhere.
        limits.attempt("bob", at(1)).unwrap();
        limits.attempt("ada", at(2)).unwrap();
        clock.store(9_000, Ordering::Relaxed);
        assert_eq!(limits.attempt("ada", at(1)), Err(Duration::from_secs(1)));
        clock.store(10_000, Ordering::Relaxed);
        limits.attempt("ada", at(1)).unwrap();
        limits.attempt("ada", at(1)).unwrap_err();
        limits.forgive("ada", at(1));
        limits.attempt("ada", at(1)).unwrap();
    }

    /// A customer of IPv6 has 2^64 addresses, and one of IPv4 may come as one of IPv6.
    #[test]
    fn addresses_of_one_customer_have_one_bucket() {
        let (limits, _) = limits();
        let address = |text: &str| Some(text.parse::<IpAddr>().unwrap());
        for number in 0..5 {
            limits.attempt("ada", address(&format!("2001:db8:0:7::{number}"))).unwrap();
        }
        limits.attempt("ada", address("2001:db8:0:7:ffff::1")).unwrap_err();
        limits.attempt("ada", address("2001:db8:0:8::1")).unwrap();
        limits.forgive("ada", address("2001:db8:0:7:1234::5"));
        limits.attempt("ada", address("2001:db8:0:7::1")).unwrap();
        for _ in 0..5 {
            limits.attempt("bob", address("192.0.2.1")).unwrap();
        }
        limits.attempt("bob", address("::ffff:192.0.2.1")).unwrap_err();
    }

    #[test]
    fn strangers_shut_nobody_out_for_long() {
        let (limits, clock) = limits();
        let refused = (0..1000).filter(|number| limits.attempt("ada", at(*number)).is_err()).count();
        assert_eq!(refused, 970);
        limits.attempt("ada", at(5000)).unwrap_err();
        clock.store(2_000, Ordering::Relaxed);
        limits.attempt("ada", at(5000)).unwrap();
    }

    #[test]
    fn memory_is_bounded() {
        let (limits, _) = limits();
        for number in 0..100_000 {
            let _ = limits.attempt(&format!("name{number}"), at(number));
        }
        assert!(limits.buckets.lock().unwrap().len() <= MOST);
    }

    #[test]
    fn a_session_may_ask_quickly_but_not_for_ever() {
        let (limits, clock) = limits();
        let count = |limits: &Limits| (0..1000).filter(|_| limits.request("s").is_ok()).count();
        assert_eq!(count(&limits), 150);
        clock.store(1_000, Ordering::Relaxed);
        assert_eq!(count(&limits), 30);
    }
}
