//! How long to wait before a request is made again.

use std::time::{Duration, SystemTime};

/// How long to wait after so many attempts: twice as long each time, of which up to a half is taken off by
/// chance, so that requests that failed together are not made again together. The chance is drawn from the
/// digest of the request: the same request waits as long in every run.
pub(super) fn back_off(first: Duration, longest: Duration, digest: &[u8; 32], attempts: u32) -> Duration {
    let doubled = first.saturating_mul(1_u32.checked_shl(attempts.saturating_sub(1)).unwrap_or(u32::MAX));
    let most = doubled.min(longest);
    let start = (attempts % 8) as usize * 4;
    let bytes = [0, 1, 2, 3].map(|byte| digest[start + byte]);
    let chance = f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0);
    most - most.mul_f64(chance / 2.0)
}

/// How long a server asks to wait, in milliseconds.
pub(super) fn retry_after_milliseconds(header: &str) -> Option<Duration> {
    let milliseconds: f64 = header.trim().parse().ok()?;
    Duration::try_from_secs_f64(milliseconds / 1000.0).ok()
}

/// How long a server asks to wait: a number of seconds, of which some write parts, or a moment.
pub(super) fn retry_after(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let moment = httpdate::parse_http_date(header).ok()?;
    // A moment that has passed is no wait.
    Some(moment.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn waits_double_up_to_the_longest() {
        let longest = 60 * SECOND;
        // No bit set: nothing is taken off.
        let waits: Vec<u64> =
            (1..=8).map(|attempts| back_off(SECOND, longest, &[0; 32], attempts).as_secs()).collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
        assert_eq!(back_off(SECOND, longest, &[0; 32], u32::MAX), longest);
        assert_eq!(back_off(Duration::MAX, Duration::MAX, &[0; 32], 2), Duration::MAX);
    }

    #[test]
    fn at_most_a_half_is_taken_off_and_never_by_the_clock() {
        let mut digest = [0; 32];
        digest[4..8].fill(255);
        let wait = back_off(4 * SECOND, 60 * SECOND, &digest, 1);
        assert!(wait >= 2 * SECOND && wait < Duration::from_millis(2001), "{wait:?}");
        assert_eq!(wait, back_off(4 * SECOND, 60 * SECOND, &digest, 1));
    }

    #[test]
    fn servers_ask_in_seconds_or_by_date() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        assert_eq!(retry_after(" 7 ", now), Some(7 * SECOND));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:50:00 GMT", now), Some(23 * SECOND));
        assert_eq!(retry_after("Sun, 06 Nov 1994 08:00:00 GMT", now), Some(Duration::ZERO));
        assert_eq!(retry_after("1.5", now), Some(Duration::from_millis(1500)));
        assert_eq!(retry_after_milliseconds(" 1500 "), Some(Duration::from_millis(1500)));
        assert_eq!(retry_after_milliseconds("0.5"), Some(Duration::from_micros(500)));
        for bad in ["", "-1", "soon", "99999999999999999999999", "NaN", "inf"] {
            assert_eq!(retry_after(bad, now), None, "{bad}");
            assert_eq!(retry_after_milliseconds(bad), None, "{bad}");
        }
    }
}
