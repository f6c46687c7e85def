//! What should be looked at, in words.

use super::words;
use crate::view::count;
use assess::Alarm;
use assess::school::Drift;

/// Something to be looked at.
pub(super) struct AlarmView {
    /// How pressing, as a class; the words say it, too.
    pub(super) kind: &'static str,
    pub(super) title: String,
    pub(super) text: String,
    pub(super) link: String,
    pub(super) action: &'static str,
}

/// Somebody who drifts away from the known grades.
pub(super) fn drift_view(drift: &Drift) -> AlarmView {
    let reasons: Vec<String> = drift.alarms.iter().map(ToString::to_string).collect();
    AlarmView {
        kind: "drift",
        title: format!("{} drifts from the known grades", drift.assessor),
        text: format!(
            "{} ({}; {} hidden items judged).",
            words::capital(&reasons.join("; ")),
            words::kind(drift.kind).to_lowercase(),
            drift.judged
        ),
        link: "/desk/people".to_owned(),
        action: "People",
    }
}

/// Something else.
pub(super) fn alarm_view(alarm: &Alarm, now: i64) -> AlarmView {
    match alarm {
        Alarm::Expires { name, batch, topic, at, .. } => AlarmView {
            kind: "expires",
            title: format!("A batch of {name} returns to the queue {}", words::until(now, *at)),
            text: format!(
                "Batch {batch} of {topic}, at {} UTC, unless they judge something before.",
                words::moment(*at)
            ),
            link: format!("/desk/batches?batch={batch}"),
            action: "Batch",
        },
        Alarm::Unsure { name, unknown, of, usual, .. } => AlarmView {
            kind: "unsure",
            title: format!("{name} often does not know"),
            text: format!(
                "{unknown} of {of} judgments, {}; of everybody's it is {}.",
                words::percent(*unknown as f64 / *of as f64),
                words::percent(*usual)
            ),
            link: "/desk/comments".to_owned(),
            action: "Comments",
        },
        Alarm::Quick { name, median, of, .. } => AlarmView {
            kind: "quick",
            title: format!("{name} is very quick"),
            text: format!("Half of {of} judgments took {} or less.", words::seconds(*median)),
            link: "/desk/people".to_owned(),
            action: "People",
        },
        Alarm::Instant { name, instant, of, .. } => AlarmView {
            kind: "quick",
            title: format!("{name} judges within a second"),
            text: format!("{instant} of {} took less than a second.", count(*of, "judgment", "judgments")),
            link: "/desk/people".to_owned(),
            action: "People",
        },
        Alarm::Straight { name, grade, length, .. } => AlarmView {
            kind: "quick",
            title: format!("{name} gave the same grade {length} times in a row"),
            text: format!("Grade {grade}, more often in a row than its share of all judgments explains."),
            link: "/desk/people".to_owned(),
            action: "People",
        },
        Alarm::Paused { name, since, .. } => AlarmView {
            kind: "paused",
            title: format!("{name} paused in the middle of a batch"),
            text: format!("The last judgment in it was made {}.", words::ago(now, *since)),
            link: "/desk/people".to_owned(),
            action: "People",
        },
        Alarm::Silent { name, since, left, .. } => AlarmView {
            kind: "silent",
            title: match since {
                Some(since) => format!("{name} was last here {}", words::ago(now, *since)),
                None => format!("{name} has not begun"),
            },
            text: format!(
                "{} in their batches {} open.",
                count(*left, "judgment", "judgments"),
                if *left == 1 { "is" } else { "are" }
            ),
            link: "/desk/people".to_owned(),
            action: "People",
        },
        Alarm::Disagree { kind, pair } => AlarmView {
            kind: "disagree",
            title: format!("{} and {} hardly agree", pair.first, pair.second),
            text: format!(
                "Kappa {} by all grades over {} {}.",
                words::decimals(pair.graded),
                pair.things,
                words::kind(*kind).to_lowercase()
            ),
            link: "/desk/disagreements".to_owned(),
            action: "Disagreements",
        },
    }
}
