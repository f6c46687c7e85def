//! Runs of Task 3 from any bytes: what was read is written and read again the
//! same, and the check of submissions finds words for everything.
#![no_main]

use collection::Source;
use collection::check::{Options, Submission, Task, check, mend};
use collection::task3::{Task3Answer, Task3Run};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok((run, problems)) = Task3Run::read_tolerant(Source::bytes("run", bytes)) else { return };
    let (again, none) =
        Task3Run::read_tolerant(Source::bytes("run", run.to_text())).expect("what was written can be read");
    assert!(none.is_empty(), "{none}");
    assert_eq!(without_lines(again.answers), without_lines(run.answers));
    if !problems.is_empty() {
        assert!(Task3Run::read(Source::bytes("run", bytes)).is_err());
    }
    let Ok(submission) = Submission::read("run", Some("us-task3-x-auto-both-gen-P.tsv"), bytes) else {
        return;
    };
    let options = Options { task: Some(Task::Task3), ..Options::default() };
    let _ = check(&submission, &options);
    if let Some(text) = mend(&submission, &options).text {
        // What was mended needs no mending.
        assert_eq!(mend(&submission.with_text(text), &options).text, None);
    }
});

fn without_lines(mut answers: Vec<Task3Answer>) -> Vec<Task3Answer> {
    answers.iter_mut().for_each(|answer| answer.line = 0);
    answers
}
