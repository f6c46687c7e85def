//! When things happened: dates from 2010 to 2018 that grow with the ids.

use std::fmt::Write;

/// 2010-07-20T19:00:00, when the site opened, in milliseconds since 1970.
const OPENED: f64 = 1_279_652_400_000.0;
/// 2018-12-31T23:00:00, just before the first topics.
const CLOSED: f64 = 1_546_297_200_000.0;
/// A site grows: the n-th share of its posts is written by this power of it.
const GROWTH: f64 = 0.7;

/// The moment at which that share of all posts was written, in milliseconds since 1970.
pub(crate) fn moment(share: f64) -> i64 {
    let share = share.clamp(0.0, 1.0);
    (OPENED + (CLOSED - OPENED) * libm::pow(share, GROWTH)) as i64
}

/// Appends a date as the dumps write it, such as `2012-02-29T08:05:09.123`.
pub(crate) fn push_date(out: &mut String, moment: i64) {
    let (days, rest) = (moment.div_euclid(86_400_000), moment.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1000 % 60, rest % 1000);
    // Writing to a string does not fail.
    let _ = write!(out, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}");
}

/// Year, month and day of a day counted from 1970-01-01, for the years from 2000 to 2099.
fn civil(days: i64) -> (i64, i64, i64) {
    // Days since 2000-03-01; a year then ends with its leap day.
    let days = days - 11_017;
    let cycle = days.div_euclid(1461);
    let in_cycle = days.rem_euclid(1461);
    let year_in_cycle = (in_cycle / 365).min(3);
    let day_of_year = in_cycle - year_in_cycle * 365;
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let year = 2000 + 4 * cycle + year_in_cycle;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::{moment, push_date};

    #[test]
    fn dates_are_those_of_the_calendar() {
        let check = |moment: i64, expected: &str| {
            let mut date = String::new();
            push_date(&mut date, moment);
            assert_eq!(date, expected);
        };
        check(moment(0.0), "2010-07-20T19:00:00.000");
        check(moment(1.0), "2018-12-31T23:00:00.000");
        check(1_330_502_709_123, "2012-02-29T08:05:09.123");
        check(1_330_560_000_000, "2012-03-01T00:00:00.000");
        check(1_356_998_399_999, "2012-12-31T23:59:59.999");
        check(1_356_998_400_000, "2013-01-01T00:00:00.000");
    }
}
