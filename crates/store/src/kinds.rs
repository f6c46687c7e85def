//! The small types that readers and the store share.

use std::fmt;

/// What a post is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum PostKind {
    /// A question; it may have answers.
    Question = 1,
    /// An answer to a question.
    Answer = 2,
    /// A document of its own: a page, a paper, a paragraph.
    Document = 3,
}

impl PostKind {
    /// The kind that a stored number stands for.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::Question, Self::Answer, Self::Document].into_iter().find(|kind| *kind as u8 == number)
    }

    /// Its name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Document => "document",
        }
    }
}

/// How one post leads to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum LinkKind {
    /// It mentions the other.
    Related = 1,
    /// It asks the same.
    Duplicate = 3,
}

impl LinkKind {
    /// The kind that a number in a file stands for.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        [Self::Related, Self::Duplicate].into_iter().find(|kind| *kind as u8 == number)
    }

    /// Its name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Related => "related",
            Self::Duplicate => "duplicate",
        }
    }
}

/// A moment, in milliseconds since 1970, without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub i64);

const DAY: i64 = 86_400_000;

impl Date {
    /// Reads `2014-03-02`, `2014-03-02T09:15:00` or `2014-03-02T09:15:00.123`, with or without a final `Z`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.strip_suffix('Z').unwrap_or(text);
        let (day, time) = match text.split_once(['T', ' ']) {
            Some((day, time)) => (day, Some(time)),
            None => (text, None),
        };
        let mut parts = day.split('-');
        let (year, month, day) =
            (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
        if parts.next().is_some() || !(1..=12).contains(&month) || day < 1 || day > days_in(year, month) {
            return None;
        }
        let mut of_day = 0;
        if let Some(time) = time {
            let (time, fraction) =
                time.split_once('.').map_or((time, "0"), |(time, fraction)| (time, fraction));
            let mut parts = time.split(':');
            let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
            let second = parts.next().map_or(Some(0), |second| digits(second, 2))?;
            if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
                return None;
            }
            if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            let milliseconds: i64 = format!("{fraction:0<3}")[..3].parse().ok()?;
            of_day = ((hour * 60 + minute) * 60 + second) * 1000 + milliseconds;
        }
        Some(Self(days_before(year, month, day) * DAY + of_day))
    }

    /// Its year.
    #[must_use]
    pub fn year(self) -> i64 {
        self.civil().0
    }

    fn civil(self) -> (i64, i64, i64) {
        // Years that begin in March make the leap day the last of its year.
        let day = self.0.div_euclid(DAY) + 719_468;
        let era = day.div_euclid(146_097);
        let of_era = day.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        (year_of_era + era * 400 + i64::from(month <= 2), month, day)
    }
}

impl fmt::Display for Date {
    /// Writes `2014-03-02T09:15:00.123`, as the dumps do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.civil();
        let of_day = self.0.rem_euclid(DAY);
        let (seconds, milliseconds) = (of_day / 1000, of_day % 1000);
        let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milliseconds:03}")
    }
}

fn digits(text: &str, length: usize) -> Option<i64> {
    let plain = text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

fn days_before(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn dates_are_read_and_written() {
        for (text, written) in [
            ("1970-01-01", "1970-01-01T00:00:00.000"),
            ("2014-03-02T09:15:00", "2014-03-02T09:15:00.000"),
            ("2012-02-29T23:59:59.987", "2012-02-29T23:59:59.987"),
            ("1969-12-31T23:59:59.9Z", "1969-12-31T23:59:59.900"),
            ("2000-12-31 10:11", "2000-12-31T10:11:00.000"),
        ] {
            let date = Date::parse(text).unwrap_or_else(|| panic!("{text} is a date"));
            assert_eq!(date.to_string(), written);
            assert_eq!(Date::parse(written), Some(date));
        }
        assert_eq!(Date::parse("2020-01-01").map(|date| date.0), Some(1_577_836_800_000));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "2014",
            "2014-13-01",
            "2013-02-29",
            "2014-1-2",
            "2014-03-02T25:00:00",
            "x-y-z",
            "2014-03-02T09:15:00.x",
        ] {
            assert_eq!(Date::parse(text), None, "{text}");
        }
    }
}
