//! Words that the pages share.

use assess::{Asks, Batch};
use lab::{PoolKind, Stage};
use pool::ItemKind;

/// A time as people say it: `45 s`, `3 min`, `5 h`, `2 days`.
pub(crate) fn duration(seconds: f64) -> String {
    let rounded = |unit: f64| (seconds / unit).round();
    if seconds.is_nan() || seconds < 0.0 {
        return "0 s".to_owned();
    }
    match seconds {
        _ if rounded(1.0) < 120.0 => format!("{} s", rounded(1.0)),
        _ if rounded(60.0) < 120.0 => format!("{} min", rounded(60.0)),
        _ if rounded(3600.0) < 48.0 => format!("{} h", rounded(3600.0)),
        _ => format!("{} days", rounded(86_400.0)),
    }
}

/// A moment of the log as people read it: `2026-03-02 09:15`.
pub(crate) fn moment(stamp: &str) -> String {
    stamp.get(..16).unwrap_or(stamp).replace('T', " ")
}

/// What a batch is about: `Answers to A.1`.
pub(super) fn title_of(batch: &Batch) -> String {
    let topic = batch.topic.as_str();
    match (batch.asks, batch.kind) {
        (Asks::Flags, _) => format!("Two questions on answers to {topic}"),
        (Asks::Grades, PoolKind::Answers) => format!("Answers to {topic}"),
        (Asks::Grades, PoolKind::Formulas) => format!("Formulas like that of {topic}"),
    }
}

/// For what a batch is judged, where people shall know it. Who judges what others judge, too, is not told, so
/// that they judge as always.
pub(super) fn stage_of(batch: &Batch) -> Option<String> {
    match batch.stage {
        Stage::Main | Stage::CrossCheck | Stage::Gold => None,
        Stage::Training(round) => Some(format!("training, round {round}")),
        Stage::Sample => Some("sample".to_owned()),
        Stage::Adjudication => Some("adjudication".to_owned()),
    }
}

/// What an item is called in a list. Judging is blind: neither the id nor whether a system wrote it is shown.
pub(super) fn item_name(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Post | ItemKind::Answer => "Answer",
        ItemKind::Formula | ItemKind::Instance => "Formula",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        for (seconds, expected) in [
            (0.0, "0 s"),
            (31.4, "31 s"),
            (119.4, "119 s"),
            (119.6, "2 min"),
            (3600.0, "60 min"),
            (7200.0, "2 h"),
            (259_000.0, "3 days"),
            (-5.0, "0 s"),
            (f64::NAN, "0 s"),
        ] {
            assert_eq!(duration(seconds), expected);
        }
        assert_eq!(moment("2026-03-02T09:15:30Z"), "2026-03-02 09:15");
        assert_eq!(moment("?"), "?");
    }
}
