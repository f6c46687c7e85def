//! Small labs for tests.

use crate::input::{DataUsed, Pooled, Role, System};
use formats::Source;
use formats::check::{Evaluation, RunType};
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};

/// An alternate run of a team.
pub(crate) fn submitted(team: &str, run: &str) -> System {
    System {
        team: team.to_owned(),
        run: run.to_owned(),
        role: Role::Submitted(Evaluation::Alternate),
        pooled: Pooled::AsAlternate,
        run_type: RunType::Auto,
        data: DataUsed::Both,
        answer_type: None,
        trained_on: Vec::new(),
        models: Vec::new(),
        warnings: 0,
        filtered: 0,
    }
}

/// The primary run of a team.
pub(crate) fn primary(team: &str, run: &str) -> System {
    System { role: Role::Submitted(Evaluation::Primary), pooled: Pooled::AsPrimary, ..submitted(team, run) }
}

/// A baseline that is pooled like alternate runs.
pub(crate) fn baseline(run: &str) -> System {
    System { role: Role::Baseline, ..submitted("Organisers", run) }
}

/// The same made by hand.
pub(crate) fn manual(system: System) -> System {
    System { run_type: RunType::Manual, ..system }
}

/// Judgments from lines of topic, 0, document, grade.
pub(crate) fn qrels(text: &str) -> Qrels {
    Qrels::read(Source::bytes("qrels", text.to_owned()), Scale::Task3).unwrap().0
}

/// A run from topics with documents, the best first.
pub(crate) fn run(topics: &[(&str, &str)]) -> Run {
    let mut text = String::new();
    for (topic, docs) in topics {
        for (rank, doc) in docs.split_whitespace().enumerate() {
            text.push_str(&format!("{topic} Q0 {doc} {} {} r\n", rank + 1, 100 - rank));
        }
    }
    Run::read(Source::bytes("run", text), RunKind::Documents).unwrap()
}
