//! Runs from any bytes: what was read is written and read again the same, and
//! the check of submissions finds words for everything.
#![no_main]

use collection::Source;
use collection::check::{Columns, Options, Submission, Task, check, mend};
use collection::run::{Run, RunKind, RunLayout};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for kind in [RunKind::Documents, RunKind::Formulas] {
        let Ok((run, problems)) = Run::read_tolerant(Source::bytes("run", bytes), kind) else { return };
        assert_eq!(Run::read(Source::bytes("run", bytes), kind).is_ok(), problems.is_empty());
        check_round_trip(&run, kind);
        for layout in [RunLayout::Trec, RunLayout::Task1, RunLayout::Task2] {
            let _ = run.to_text(layout);
        }
    }
    let Ok(submission) = Submission::read("run", Some("us-task1-x-auto-both-P.tsv"), bytes) else { return };
    for task in [Task::Task1, Task::Task2] {
        for columns in [Columns::Lab, Columns::Trec] {
            let options = Options { task: Some(task), columns, ..Options::default() };
            let _ = check(&submission, &options);
            if let Some(text) = mend(&submission, &options).text {
                // What was mended needs no mending.
                assert_eq!(mend(&submission.with_text(text), &options).text, None);
            }
        }
    }
});

/// The rows of a run: topic, document, bits of the score, and all other columns.
fn rows(run: &Run) -> Vec<[String; 7]> {
    let rows = run.topics().flat_map(|topic| topic.rows().map(move |row| (topic.id(), row)));
    rows.map(|(topic, row)| {
        for column in 0..run.layout().columns() {
            let _ = row.column_place(column);
        }
        [
            topic.to_string(),
            row.doc().to_string(),
            row.score().to_bits().to_string(),
            row.rank_text().to_owned(),
            row.score_text().to_owned(),
            row.tag_text().to_owned(),
            row.post().map(|post| post.to_string()).unwrap_or_default(),
        ]
    })
    .collect()
}

fn check_round_trip(run: &Run, kind: RunKind) {
    let text = run.to_text(run.layout());
    // A mark at the start of a file is no part of its first topic.
    if text.starts_with('\u{FEFF}') {
        return;
    }
    let again = Run::read(Source::bytes("again", text.clone()), kind).expect("what was written can be read");
    if run.num_rows() > 0 {
        assert_eq!(again.layout(), run.layout());
        assert_eq!(rows(&again), rows(run));
        assert_eq!(again.to_text(again.layout()), text);
    }
}
