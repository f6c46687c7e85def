//! How quick the work goes, and when it will be done if it goes on like this.

use crate::days::Day;
use std::collections::BTreeMap;

/// Over so many days the pace is taken.
const DAYS: i64 = 7;

/// Something that was judged: when, and how long it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// When, in seconds since 1970.
    pub at: i64,
    /// How long it took, if that is known.
    pub seconds: Option<f64>,
}

/// How quick the work goes.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkPace {
    /// What was judged on each day, from the first to today, days without work included.
    pub days: Vec<(Day, usize)>,
    /// What was judged today.
    pub today: usize,
    /// Judgments a day over the last days that are whole; nothing before the first is over.
    pub a_day: Option<f64>,
    /// The days over which that was taken: the first, and how many.
    pub over: Option<(Day, i64)>,
    /// Judgments in an hour of work, by the time that judging took.
    pub an_hour: Option<f64>,
    /// How long one takes.
    pub time: Option<Time>,
}

/// How long something takes, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The mean.
    pub mean: f64,
    /// The one in the middle.
    pub median: f64,
    /// How many times were known.
    pub of: usize,
}

/// When the work will be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Finish {
    /// How much is left.
    pub left: usize,
    /// How many hours of work that is, if it is known how long one takes.
    pub hours: Option<f64>,
    /// The day on which the last is judged; nothing if it cannot be told.
    pub day: Option<Day>,
    /// How it was computed.
    pub words: String,
}

impl Time {
    /// Of times in any order; nothing if there are none.
    #[must_use]
    pub fn of(mut seconds: Vec<f64>) -> Option<Self> {
        seconds.retain(|seconds| seconds.is_finite() && *seconds >= 0.0);
        seconds.sort_by(f64::total_cmp);
        let of = seconds.len();
        let upper = *seconds.get(of / 2)?;
        let median = if of.is_multiple_of(2) { (seconds[of / 2 - 1] + upper) / 2.0 } else { upper };
        Some(Self { mean: seconds.iter().sum::<f64>() / of as f64, median, of })
    }
}

impl WorkPace {
    /// Of all that was judged, at a moment.
    #[must_use]
    pub fn of(strokes: &[Stroke], now: i64) -> Self {
        let today = Day::of(now);
        let mut counts: BTreeMap<Day, usize> = BTreeMap::new();
        for stroke in strokes {
            *counts.entry(Day::of(stroke.at).min(today)).or_default() += 1;
        }
        let of_day = |day: Day| counts.get(&day).copied().unwrap_or(0);
        let first = counts.keys().next().copied();
        let days = first.map_or_else(Vec::new, |first| {
            (first.0..=today.0).map(|day| (Day(day), of_day(Day(day)))).collect()
        });
        // Today is not over: to count it as a whole day would make everybody slow in the morning.
        let over = first.filter(|first| *first < today).map(|first| {
            let from = first.max(today.later(-DAYS));
            (from, today.0 - from.0)
        });
        let a_day = over.map(|(from, days)| {
            let judged: usize = (from.0..today.0).map(|day| of_day(Day(day))).sum();
            judged as f64 / days as f64
        });
        let time = Time::of(strokes.iter().filter_map(|stroke| stroke.seconds).collect());
        let an_hour = time.filter(|time| time.mean > 0.0).map(|time| 3600.0 / time.mean);
        Self { today: of_day(today), days, a_day, over, an_hour, time }
    }

    /// When what is left will be done. `seconds` is how long all of it takes, if that is known.
    #[must_use]
    pub fn finish(&self, left: usize, seconds: Option<f64>, now: i64) -> Finish {
        let today = Day::of(now);
        let hours = seconds.map(|seconds| seconds / 3600.0);
        let told = |day: Option<Day>, words: String| Finish { left, hours, day, words };
        if left == 0 {
            return told(None, "Nothing is left to judge.".to_owned());
        }
        let one =
            if left == 1 { "1 judgment is left".to_owned() } else { format!("{left} judgments are left") };
        let (Some(a_day), Some((from, days))) = (self.a_day, self.over) else {
            return told(
                None,
                format!(
                    "{one}. The day can be told when one whole day of work is over; days end at midnight UTC."
                ),
            );
        };
        let judged = (a_day * days as f64).round();
        let last = today.later(-1);
        let span = if days == 1 {
            format!("on the last whole day, {},", last.in_words())
        } else {
            format!("in the last {days} whole days, {} to {},", from.in_words(), last.in_words())
        };
        if judged == 0.0 {
            return told(None, format!("{one}, and {span} nothing was judged: at this pace it never ends."));
        }
        // What was judged today is not left any more, so the rest of today counts for the rest of it.
        let rest_of_today = (a_day - self.today as f64).max(0.0) * (1.0 - share_of_day(now));
        let beyond = (left as f64 - rest_of_today).max(0.0);
        let more = (beyond / a_day).ceil() as i64;
        let day = today.later(more);
        let when = match more {
            0 => "today".to_owned(),
            1 => format!("in 1 more day, on {}", day.in_words()),
            more => format!("in {more} more days, on {}", day.in_words()),
        };
        told(
            Some(day),
            format!(
                "{one}. {} {} judged, that is {:.0} a day with days of rest included. At this pace the last is judged {when}.",
                capital(&span),
                if judged == 1.0 { "1 was".to_owned() } else { format!("{judged:.0} were") },
                a_day,
            ),
        )
    }

    /// How many judgments a day are needed to be done on a day, that day included.
    #[must_use]
    pub fn needed(left: usize, by: Day, now: i64) -> Option<f64> {
        let days = by.0 - Day::of(now).0 + 1;
        (days > 0).then(|| left as f64 / days as f64)
    }
}

/// How much of its day has gone at a moment.
fn share_of_day(now: i64) -> f64 {
    now.rem_euclid(86_400) as f64 / 86_400.0
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 12 * 3600;

    /// Noon of a day of May 2022.
    fn noon(day: i64) -> i64 {
        Day::read("2022-05-01").unwrap().later(day - 1).0 * 86_400 + NOON
    }

    fn strokes(days: &[(i64, usize)]) -> Vec<Stroke> {
        let of = |(day, count): &(i64, usize)| vec![Stroke { at: noon(*day), seconds: Some(30.0) }; *count];
        days.iter().flat_map(of).collect()
    }

    #[test]
    fn the_middle_of_times() {
        let time = Time::of(vec![9.0, 1.0, 2.0]).unwrap();
        assert_eq!((time.mean, time.median, time.of), (4.0, 2.0, 3));
        let time = Time::of(vec![8.0, 1.0, 2.0, 5.0, f64::NAN]).unwrap();
        assert_eq!((time.mean, time.median, time.of), (4.0, 3.5, 4));
        assert_eq!(Time::of(Vec::new()), None);
    }

    /// 10 on the 1st, none on the 2nd, 20 on the 3rd, 4 today: 30 in three days are 10 a day.
    #[test]
    fn days_of_rest_count_and_today_does_not() {
        let pace = WorkPace::of(&strokes(&[(1, 10), (3, 20), (4, 4)]), noon(4));
        assert_eq!(pace.days.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [10, 0, 20, 4]);
        assert_eq!((pace.a_day, pace.today), (Some(10.0), 4));
        assert_eq!(pace.over, Some((Day::read("2022-05-01").unwrap(), 3)));
        assert_eq!(pace.an_hour, Some(120.0));
    }

    /// At noon half of today's 6 that are missing still come: 45 - 3 = 42 are 4.2 days, so five.
    #[test]
    fn the_last_day_is_told_with_its_reason() {
        let pace = WorkPace::of(&strokes(&[(1, 10), (3, 20), (4, 4)]), noon(4));
        let finish = pace.finish(45, Some(45.0 * 30.0), noon(4));
        assert_eq!(finish.day.unwrap().to_string(), "2022-05-09");
        assert_eq!(finish.hours, Some(0.375));
        assert_eq!(
            finish.words,
            "45 judgments are left. In the last 3 whole days, 1 May 2022 to 3 May 2022, 30 were judged, that is 10 a day \
             with days of rest included. At this pace the last is judged in 5 more days, on 9 May 2022."
        );
        assert_eq!(pace.finish(3, None, noon(4)).day, Some(Day::read("2022-05-04").unwrap()), "still today");
        assert_eq!(pace.finish(0, None, noon(4)).day, None);
    }

    #[test]
    fn only_the_last_week_counts() {
        let pace = WorkPace::of(&strokes(&[(1, 700), (5, 14)]), noon(12));
        assert_eq!((pace.a_day, pace.over), (Some(2.0), Some((Day::read("2022-05-05").unwrap(), 7))));
        let pace = WorkPace::of(&strokes(&[(1, 700)]), noon(12));
        assert!(pace.finish(5, None, noon(12)).words.contains("it never ends"));
    }

    #[test]
    fn the_first_day_tells_nothing_yet() {
        let pace = WorkPace::of(&strokes(&[(4, 4)]), noon(4));
        assert_eq!((pace.a_day, pace.today), (None, 4));
        assert!(
            pace.finish(9, None, noon(4)).words.starts_with("9 judgments are left. The day can be told when")
        );
        assert_eq!(WorkPace::of(&[], noon(4)).days, []);
    }

    #[test]
    fn what_a_last_day_needs() {
        let by = Day::read("2022-05-09").unwrap();
        assert_eq!(WorkPace::needed(60, by, noon(4)), Some(10.0), "from the 4th to the 9th are six days");
        assert_eq!(WorkPace::needed(60, by, noon(10)), None);
    }
}
