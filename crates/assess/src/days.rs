//! Days of the calendar, as work is counted by them. All of them are days of UTC.

use std::fmt;
use store::Date;

const SECONDS: i64 = 86_400;

/// A day, by its number since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(pub i64);

impl Day {
    /// The day of a moment, in seconds since 1970.
    #[must_use]
    pub fn of(seconds: i64) -> Self {
        Self(seconds.div_euclid(SECONDS))
    }

    /// Reads `2022-05-01`, and of a longer text its beginning.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let date = Date::parse(text.get(..10)?)?;
        Some(Self::of(date.0.div_euclid(1000)))
    }

    /// So many days later.
    #[must_use]
    pub fn later(self, days: i64) -> Self {
        Self(self.0.saturating_add(days))
    }

    /// As people write it: `1 May 2022`.
    #[must_use]
    pub fn in_words(self) -> String {
        const MONTHS: [&str; 12] = [
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ];
        let machine = self.to_string();
        let mut parts = machine.rsplitn(3, '-');
        let (day, month, year) = (parts.next(), parts.next(), parts.next());
        match (day, month.and_then(|month| month.parse::<usize>().ok()), year) {
            (Some(day), Some(month @ 1..=12), Some(year)) => {
                format!("{} {} {year}", day.trim_start_matches('0'), MONTHS[month - 1])
            }
            _ => machine,
        }
    }
}

impl fmt::Display for Day {
    /// `2022-05-01`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Date(self.0.saturating_mul(SECONDS * 1000)).to_string();
        f.pad(text.split('T').next().unwrap_or(&text))
    }
}

/// The moment that stands in the database, in seconds since 1970.
pub(crate) fn moment(stamp: &str) -> Option<i64> {
    Date::parse(stamp).map(|date| date.0.div_euclid(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_read_and_written() {
        let day = Day::read("2022-05-01T23:59:59Z").unwrap();
        assert_eq!((day.to_string(), day.in_words()), ("2022-05-01".to_owned(), "1 May 2022".to_owned()));
        assert_eq!(day.later(31).to_string(), "2022-06-01");
        assert_eq!(Day::of(moment("2022-05-01T00:00:00Z").unwrap()), day);
        assert_eq!(Day::of(moment("2022-04-30T23:59:59Z").unwrap()), day.later(-1));
        assert_eq!(Day::read("soon"), None);
        assert_eq!(Day::read("2022-02-30"), None);
    }
}
