//! Numbers, moments and names as organisers read them.

use assess::{Asks, Day, Sort};
use lab::{PoolKind, Stage};

/// How long ago something was: `4 min ago`.
pub(super) fn ago(now: i64, then: i64) -> String {
    match now - then {
        ..=59 => "just now".to_owned(),
        seconds @ 60..=5399 => format!("{} min ago", seconds / 60),
        seconds @ 5400..=172_799 => format!("{} h ago", (seconds + 1800) / 3600),
        seconds => format!("{} days ago", seconds / 86_400),
    }
}

/// How long until something is: `in 4 h`.
pub(super) fn until(now: i64, then: i64) -> String {
    match then - now {
        ..=0 => "now".to_owned(),
        seconds @ 1..=5399 => format!("in {} min", (seconds + 59) / 60),
        seconds @ 5400..=172_799 => format!("in {} h", (seconds + 1800) / 3600),
        seconds => format!("in {} days", seconds / 86_400),
    }
}

/// A moment: `2026-03-02 09:15`.
pub(super) fn moment(seconds: i64) -> String {
    let of_day = seconds.rem_euclid(86_400);
    format!("{} {:02}:{:02}", Day::of(seconds), of_day / 3600, of_day / 60 % 60)
}

/// A moment of the log in the same way.
pub(super) fn stamp(stamp: &str) -> String {
    stamp.get(..16).unwrap_or(stamp).replace('T', " ")
}

/// Seconds in a table: `12 s`, `1:05 min`.
pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 9.95 {
        format!("{seconds:.1} s")
    } else if seconds < 59.5 {
        format!("{seconds:.0} s")
    } else {
        let whole = seconds.round();
        format!("{:.0}:{:02.0} min", (whole / 60.0).floor(), whole % 60.0)
    }
}

/// A kappa or a share with two decimals; a dash where there is none.
pub(super) fn decimals(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}").replace('-', "−"))
}

/// A share in percent.
pub(super) fn percent(value: f64) -> String {
    format!("{:.0} %", value * 100.0)
}

/// How good a kappa is, for a colour that the number beside it tells, too.
pub(super) fn strength(kappa: Option<f64>) -> &'static str {
    match kappa {
        None => "",
        Some(kappa) if kappa < 0.2 => "low",
        Some(kappa) if kappa < 0.4 => "fair",
        Some(_) => "good",
    }
}

/// What a kind is called.
pub(super) fn kind(kind: PoolKind) -> &'static str {
    match kind {
        PoolKind::Answers => "Answers",
        PoolKind::Formulas => "Formulas",
    }
}

/// What a stage is called.
pub(super) fn stage(stage: Stage) -> String {
    match stage {
        Stage::Main => "judging".to_owned(),
        Stage::Adjudication => "decision".to_owned(),
        Stage::CrossCheck => "cross-check".to_owned(),
        Stage::Training(round) => format!("training {round}"),
        Stage::Sample => "sample".to_owned(),
        Stage::Gold => "hidden gold".to_owned(),
    }
}

/// What a sort of batches is called.
pub(super) fn sort(sort: Sort) -> String {
    match sort.asks {
        Asks::Grades => format!("{}, {}", kind(sort.kind), stage(sort.stage)),
        Asks::Flags => format!("{}, questions afterwards", kind(sort.kind)),
    }
}

/// The name of an item while its grade is being decided: an id tells a post of the collection from an answer that a
/// system wrote.
pub(super) fn blind_item(kind: PoolKind) -> &'static str {
    match kind {
        PoolKind::Answers => "Answer",
        PoolKind::Formulas => "Formula",
    }
}

/// The name of an item with its id: `Answer 42`, `Formula 7 (instance 9)`.
pub(super) fn item(kind: PoolKind, item: &str, instance: Option<&str>) -> String {
    let name = blind_item(kind);
    match instance {
        Some(instance) => format!("{name} {item} (instance {instance})"),
        None => format!("{name} {item}"),
    }
}

/// Begins with a capital, as a sentence does.
pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_say_them() {
        for (then, told) in
            [(0, "just now"), (-61, "1 min ago"), (-7000, "2 h ago"), (-260_000, "3 days ago")]
        {
            assert_eq!(ago(0, then), told);
        }
        for (then, told) in [(-5, "now"), (61, "in 2 min"), (7000, "in 2 h"), (260_000, "in 3 days")] {
            assert_eq!(until(0, then), told);
        }
        assert_eq!(moment(1_651_406_460), "2022-05-01 12:01");
        for (given, told) in [(2.449, "2.4 s"), (31.4, "31 s"), (59.6, "1:00 min"), (125.0, "2:05 min")] {
            assert_eq!(seconds(given), told);
        }
    }

    #[test]
    fn kappas_have_two_decimals_and_a_sign() {
        assert_eq!((decimals(Some(-0.104)), decimals(None)), ("−0.10".to_owned(), "–".to_owned()));
        assert_eq!((strength(Some(0.1)), strength(Some(0.3)), strength(Some(0.7))), ("low", "fair", "good"));
    }
}
