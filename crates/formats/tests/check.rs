//! What holds for every file that is checked: no panic, and mending ends where it should.

use formats::check::{
    Columns, Evaluation, Options, RuleId, Severity, Submission, Task, TeamFile, Topics, check, mend, together,
};
use formats::run::{Run, RunKind};
use formats::{Source, TopicId};
use proptest::prelude::*;

const NAME: &str = "us-task1-bm25-auto-both-P.tsv";

/// Rules that `mend` takes care of.
const MENDED: [RuleId; 11] = [
    RuleId::ByteOrderMark,
    RuleId::LineEnds,
    RuleId::BlankLine,
    RuleId::Header,
    RuleId::Separator,
    RuleId::TrecColumns,
    RuleId::Rank,
    RuleId::ScoreOrder,
    RuleId::Duplicate,
    RuleId::TooMany,
    RuleId::TopicOrder,
];

fn submission(bytes: &[u8]) -> Option<Submission> {
    Submission::read(NAME, Some(NAME), bytes).ok()
}

fn options(task: Task, columns: Columns) -> Options<'static> {
    Options { task: Some(task), columns, ..Options::default() }
}

/// Checks and mends; what was mended needs no second mending and broke nothing.
fn check_all(submission: &Submission, options: &Options<'_>) {
    let checked = check(submission, options);
    for finding in &checked.findings {
        assert!(!finding.text.is_empty() && !finding.fix.is_empty(), "{finding:?}");
        assert!(finding.place.line() != Some(0) && finding.place.column() != Some(0), "{finding:?}");
    }
    let mended = mend(submission, options);
    let Some(text) = mended.text.clone() else { return };
    let copy = submission.with_text(text);
    let again = mend(&copy, options);
    assert_eq!((again.text, again.changes.as_slice()), (None, &[][..]), "{mended:?}");
    for finding in check(&copy, options).findings {
        let refused = mended.refusals.iter().any(|refusal| refusal.rule == finding.rule);
        assert!(!MENDED.contains(&finding.rule) || refused, "{finding:?} in {mended:?}");
    }
}

/// A small run, mutated: mostly right, so that every rule is reached.
fn rows() -> impl Strategy<Value = String> {
    let topic = prop::sample::select(vec!["A.1", "A.2", "B.1", "x", ""]);
    let doc = prop::sample::select(vec!["1", "2", "3", "40", "07", "x y", ""]);
    let rank = prop::sample::select(vec!["0", "1", "2", "3", "x", "-1", "99999999999999999999"]);
    let score = prop::sample::select(vec!["1", "0.5", "0.50000000001", "-0.0", "0", "inf", "NaN", "x"]);
    let separator = prop::sample::select(vec!["\t", "\t", "\t", " ", "\t\t", ",", "\tQ0\t"]);
    let end = prop::sample::select(vec!["\n", "\n", "\n", "\r\n", "\r", "\n\n", "\n \n"]);
    let row =
        (topic, separator, doc, rank, score, end).prop_map(|(topic, separator, doc, rank, score, end)| {
            format!("{topic}{separator}{doc}\t{rank}\t{score}\tbm25{end}")
        });
    prop::collection::vec(row, 0..12).prop_map(|rows| rows.concat())
}

/// How ranks are wrong without saying another order than the scores.
#[derive(Clone, Copy, Debug)]
enum Ranks {
    FromZero,
    Gaps,
    Equal,
}

/// A run in which everything that is wrong can be mended.
fn mendable() -> impl Strategy<Value = String> {
    let row = (1..4_u8, 1..30_u32, 0..40_u32, prop::sample::select(vec!["\n", "\r\n", "\n\n"]));
    let rows = prop::collection::vec(row, 1..40);
    let separator = prop::sample::select(vec!["\t", " ", ",", " \t "]);
    let start = prop::sample::select(vec!["", "\u{FEFF}", "topic\tdocument\trank\tscore\ttag\n"]);
    let ranks = prop::sample::select(vec![Ranks::FromZero, Ranks::Gaps, Ranks::Equal]);
    (rows, separator, start, ranks, any::<prop::sample::Index>()).prop_map(
        |(mut rows, separator, start, ranks, at)| {
            rows.sort_by_key(|row| std::cmp::Reverse(row.2));
            // One score may rise; if most did, it would not be clear what is meant.
            if rows.len() > 5 {
                let at = at.index(rows.len() - 1);
                rows.swap(at, at + 1);
            }
            let mut out = start.to_owned();
            let mut counts = [0; 4];
            for (topic, doc, score, end) in rows {
                let count = &mut counts[usize::from(topic)];
                let rank = match ranks {
                    Ranks::FromZero => *count,
                    Ranks::Gaps => 3 * *count + 1,
                    Ranks::Equal => 1,
                };
                *count += 1;
                let fields =
                    [&format!("A.{topic}"), &doc.to_string(), &rank.to_string(), &score.to_string(), "bm25"];
                out.push_str(&(fields.join(separator) + end));
            }
            out
        },
    )
}

proptest! {
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for task in [Task::Task1, Task::Task2, Task::Task3] {
            if let Some(submission) = submission(&bytes) {
                check_all(&submission, &options(task, Columns::Lab));
            }
        }
    }

    #[test]
    fn any_text(text in "[AB.1-3 \t\n\r\"$,;xQ0\\\\<pé\u{FEFF}]{0,200}", name in "[a-zA-Z0-9_.-]{0,40}") {
        let submission = Submission::read("run", Some(&name), text).unwrap();
        check_all(&submission, &Options::default());
        for task in [Task::Task1, Task::Task2, Task::Task3] {
            check_all(&submission, &options(task, Columns::Trec));
        }
    }

    #[test]
    fn mutated_rows(text in rows()) {
        let submission = submission(text.as_bytes()).unwrap();
        for task in [Task::Task1, Task::Task2, Task::Task3] {
            for columns in [Columns::Lab, Columns::Trec] {
                check_all(&submission, &options(task, columns));
            }
        }
    }

    #[test]
    fn what_has_no_errors_is_read(text in rows()) {
        let submission = submission(text.as_bytes()).unwrap();
        for (task, kind) in [(Task::Task1, RunKind::Documents), (Task::Task2, RunKind::Formulas)] {
            let valid = check(&submission, &options(task, Columns::Lab)).count(Severity::Error) == 0;
            prop_assert!(!valid || Run::read(Source::bytes("run", text.as_str()), kind).is_ok());
        }
    }

    #[test]
    fn what_can_be_mended_is_valid_then(text in mendable()) {
        let submission = submission(text.as_bytes()).unwrap();
        let options = Options::default();
        let mended = mend(&submission, &options);
        prop_assert_eq!(&mended.refusals, &[]);
        let copy = submission.with_text(mended.text.unwrap_or(text));
        let checked = check(&copy, &options);
        let ties = |rule| matches!(rule, RuleId::Ties | RuleId::Ties32Bits);
        let left: Vec<_> = checked.findings.iter().filter(|finding| !ties(finding.rule)).collect();
        prop_assert!(left.is_empty(), "{:?}", left);
    }
}

#[test]
fn more_than_a_thousand_are_cut() {
    let row = |number: usize| format!("A.1\t{number}\t{number}\t{}\tbm25\n", 5000 - number);
    let text: String = (1..=1003).map(row).collect();
    let submission = submission(text.as_bytes()).unwrap();
    let mended = mend(&submission, &Options::default());
    assert_eq!(mended.text.as_ref().map(|text| text.lines().count()), Some(1000));
    assert_eq!(mended.changes[0].text, "3 rows dropped behind rank 1000");
    let rules: Vec<RuleId> =
        check(&submission, &Options::default()).findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, [RuleId::TooMany]);
}

/// NTCIR-10 took 100 instances for a query where the later labs took 1,000.
#[test]
fn the_limit_of_results_is_that_of_the_lab() {
    let row = |number: usize| format!("A.1\t{number}\t{number}\t{}\tbm25\n", 5000 - number);
    let text: String = (1..=101).map(row).collect();
    let submission = submission(text.as_bytes()).unwrap();
    let ntcir10 = Options { most_results: Some(formats::check::MOST_RESULTS_NTCIR10), ..Options::default() };
    let found = check(&submission, &ntcir10).findings;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].rule, RuleId::TooMany);
    assert!(found[0].text.contains("101 results; 100 are the most"), "{}", found[0].text);
    let mended = mend(&submission, &ntcir10);
    assert_eq!(mended.text.as_ref().map(|text| text.lines().count()), Some(100));
    assert_eq!(mended.changes[0].text, "1 row dropped behind rank 100");
    assert!(check(&submission, &Options::default()).findings.is_empty());
}

#[test]
fn topics_are_sorted_by_score_unless_that_is_not_meant() {
    let mended = |scores: [&str; 4]| {
        let row = |(score, rank): (&&str, usize)| format!("A.1\t{rank}\t{rank}\t{score}\tbm25\n");
        let text: String = scores.iter().zip(1..).map(row).collect();
        mend(&submission(text.as_bytes()).unwrap(), &Options::default())
    };
    let sorted = mended(["0.9", "0.7", "0.8", "0.6"]);
    let expected = "A.1\t1\t1\t0.9\tbm25\nA.1\t3\t2\t0.8\tbm25\nA.1\t2\t3\t0.7\tbm25\nA.1\t4\t4\t0.6\tbm25\n";
    assert_eq!(sorted.text.as_deref(), Some(expected));
    let rising = mended(["0.1", "0.2", "0.3", "0.2"]);
    assert_eq!((rising.text, rising.refusals[0].rule), (None, RuleId::ScoreOrder));
}

#[test]
fn rows_in_another_order_than_their_ranks_are_put_in_order() {
    let text = "A.1\t2\t2\t0.5\tbm25\nA.1\t1\t1\t0.9\tbm25\n";
    let submission = submission(text.as_bytes()).unwrap();
    let rules: Vec<RuleId> =
        check(&submission, &Options::default()).findings.iter().map(|finding| finding.rule).collect();
    assert_eq!(rules, [RuleId::Rank, RuleId::Rank]);
    let mended = mend(&submission, &Options::default());
    assert_eq!(mended.text.as_deref(), Some("A.1\t1\t1\t0.9\tbm25\nA.1\t2\t2\t0.5\tbm25\n"));
}

#[test]
fn topics_are_held_against_a_list() {
    let submission = submission(b"A.1\t1\t1\t1\tbm25\nA.7\t1\t1\t1\tbm25\n").unwrap();
    let topics = ["A.1", "A.2", "A.10"].map(TopicId::from);
    let shown = |topics: Topics<'_>| -> Vec<String> {
        let options = Options { topics: Some(topics), ..Options::default() };
        check(&submission, &options).findings.iter().map(|finding| finding.line("r")).collect()
    };
    let missing = "r: warning[missing-topic]: 2 topics have no results and will count as zero: A.2, A.10";
    let unknown = "r:2:1: error[unknown-topic]: topic A.7 is not a topic of the lab";
    assert_eq!(shown(Topics::All(&topics)), [missing, unknown]);
    let unjudged = "r:2:1: warning[unknown-topic]: 1 topic is not judged and will count nowhere: A.7";
    assert_eq!(shown(Topics::Judged(&topics)), [missing, unjudged]);
}

#[test]
fn names_of_rules_differ() {
    let mut names: Vec<&str> = RuleId::ALL.iter().map(|rule| rule.name()).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn files_of_a_team_are_held_together() {
    let names: Vec<_> = ["a", "b", "B", "c", "d", "e"]
        .iter()
        .map(|id| format!("us-task1-{id}-auto-both-P.tsv"))
        .map(|name| formats::check::SubmissionName::parse(&name).unwrap().0)
        .collect();
    let texts = ["1", "2", "1", "4", "5", "6"];
    let labels = ["f0", "f1", "f2", "f3", "f4", "f5"];
    let mut names = names;
    for name in &mut names[1..4] {
        name.evaluation = Evaluation::Alternate;
    }
    let files: Vec<TeamFile<'_>> = (0..6)
        .map(|index| TeamFile { label: labels[index], name: Some(&names[index]), text: texts[index] })
        .collect();
    let shown: Vec<String> =
        together(&files).iter().map(|(file, finding)| finding.line(labels[*file])).collect();
    assert_eq!(
        shown,
        [
            "f2: error[run-id]: the run id 'B' is also that of f1",
            "f2: error[identical]: the file is the same as f0",
            "f4: error[primary]: us has a primary run in task1 already: f0",
            "f5: error[runs-per-team]: us has 6 runs in task1; 5 are the most",
            "f5: error[primary]: us has a primary run in task1 already: f0",
        ]
    );
}

/// Five runs are the most, and the team has to know which are beyond.
#[test]
fn every_run_beyond_the_fifth_of_a_team_is_flagged() {
    let names: Vec<String> = (0..7).map(|run| format!("us-task1-r{run}-auto-both-A.tsv")).collect();
    let parsed: Vec<_> =
        names.iter().map(|name| formats::check::SubmissionName::parse(name).unwrap().0).collect();
    let files: Vec<TeamFile<'_>> = names
        .iter()
        .zip(&parsed)
        .map(|(label, name)| TeamFile { label, name: Some(name), text: label })
        .collect();
    let flagged: Vec<usize> = together(&files)
        .into_iter()
        .filter(|(_, finding)| finding.rule == RuleId::RunsPerTeam)
        .map(|(file, _)| file)
        .collect();
    assert_eq!(flagged, [5, 6]);
}
