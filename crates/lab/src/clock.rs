//! What time it is, for records of who did what when.

use std::time::{SystemTime, UNIX_EPOCH};
use store::Date;

/// The present moment, or the one that `SOURCE_DATE_EPOCH` names in seconds since 1970.
///
/// With that variable a lab can be made again with the same bytes.
#[must_use]
pub fn now() -> Date {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse::<i64>().ok());
    let seconds = |elapsed: std::time::Duration| i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX / 1000);
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, seconds);
    Date(fixed.unwrap_or_else(now).saturating_mul(1000))
}

/// A moment as it stands in the database: `2022-05-01T12:00:00Z`.
#[must_use]
pub fn stamp(date: Date) -> String {
    let text = date.to_string();
    format!("{}Z", text.split('.').next().unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_have_whole_seconds_and_a_zone() {
        assert_eq!(stamp(Date(0)), "1970-01-01T00:00:00Z");
        assert_eq!(Date::parse(&stamp(Date(1_651_400_000_000))), Some(Date(1_651_400_000_000)));
    }
}
