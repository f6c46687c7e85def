//! Turkle's moments: `Tue Apr 05 12:01:02 UTC 2022`.

use lab::stamp;
use store::Date;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
/// From the day on which counting begins, a Thursday.
const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];

/// A moment as the log has it. What cannot be told for certain stays as it is written: some
/// versions of Turkle write the number of the month where the day should be, which the name of
/// the day of the week mostly gives away.
pub(super) fn moment(text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    Some(read(text).map_or_else(|| text.to_owned(), stamp))
}

fn read(text: &str) -> Option<Date> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [day_name, month, day, time, zone, year] = words[..] else {
        return Date::parse(text);
    };
    if !["UTC", "GMT", "Z", "+0000"].contains(&zone) {
        return None;
    }
    let number = 1 + MONTHS.iter().position(|name| name.eq_ignore_ascii_case(month))?;
    let day: u8 = day.parse().ok()?;
    let year: u16 = year.parse().ok()?;
    let date = Date::parse(&format!("{year:04}-{number:02}-{day:02}T{time}Z"))?;
    let since = usize::try_from(date.0.div_euclid(86_400_000).rem_euclid(7)).ok()?;
    let is_certain = DAYS.get(since)?.eq_ignore_ascii_case(day_name) && usize::from(day) != number;
    is_certain.then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_that_are_certain_are_read() {
        assert_eq!(moment("Tue Apr 05 12:01:02 UTC 2022").unwrap(), "2022-04-05T12:01:02Z");
        assert_eq!(moment("2022-04-05T12:01:02Z").unwrap(), "2022-04-05T12:01:02Z");
        assert_eq!(moment("  "), None);
        // The day is the number of the month, the day of the week another, or the zone unknown.
        for text in [
            "Mon Apr 04 12:01:02 UTC 2022",
            "Wed Apr 05 12:01:02 UTC 2022",
            "Tue Apr 05 12:01:02 EST 2022",
            "Tue Apr 45 12:01:02 UTC 2022",
            "Tue Apr 05 noon UTC 2022",
            "yesterday",
        ] {
            assert_eq!(moment(text).unwrap(), text);
        }
    }
}
