//! What `check` says of files that are too large to be looked at whole.

use formats::check::{Options, RuleId, Submission, check, mend};
use std::fmt::Write as _;

const NAME: &str = "us-task1-big-auto-both-P.tsv";

fn submission(text: String) -> Submission {
    Submission::read(NAME, Some(NAME), text).unwrap()
}

#[test]
fn a_topic_of_too_many_rows_is_looked_at_in_part() {
    let mut text = String::new();
    for row in 0..100_010 {
        writeln!(text, "A.1\t{row}\t{}\t{}\tbig", row + 1, 200_000 - row).unwrap();
    }
    // Twice the same document, beyond the rows that are looked at together.
    text.push_str("A.1\t100009\t100011\t1\tbig\nA.2\t0x\t1\t1\tbig\n");
    let submission = submission(text);
    let checked = check(&submission, &Options::default());
    let of = |rule: RuleId| checked.findings.iter().filter(move |finding| finding.rule == rule);
    let too_many: Vec<&str> = of(RuleId::TooMany).map(|finding| finding.text.as_str()).collect();
    let expected = "topic A.1 has 100011 results; 1000 are the most; the order and the ties of the first 100000 are \
                    looked at";
    assert_eq!(too_many, [expected]);
    assert_eq!(of(RuleId::DocId).count(), 1, "every row's id is looked at");
    let mended = mend(&submission, &Options::default());
    assert_eq!(mended.text, None);
    assert_eq!(mended.refusals[0].text, "topic A.1 has 100011 rows, too many to sort");
}

#[test]
fn topics_beyond_a_number_are_said_once() {
    let mut text = String::new();
    for topic in 0..100_003 {
        writeln!(text, "A.{topic}\t1\t1\t1\tbig").unwrap();
    }
    let submission = submission(text);
    let checked = check(&submission, &Options::default());
    let too_many: Vec<_> =
        checked.findings.iter().filter(|finding| finding.rule == RuleId::TooMany).collect();
    assert_eq!(too_many.len(), 1);
    assert_eq!(too_many[0].place.line(), Some(100_001));
    assert_eq!(mend(&submission, &Options::default()).text, None);
}

#[test]
fn topics_that_start_again_are_grouped_as_before() {
    let text =
        "A.1\t1\t1\t3\tbig\nA.2\t1\t1\t3\tbig\nA.1\t2\t2\t2\tbig\nA.2\t1\t2\t2\tbig\nA.1\t1\t3\t1\tbig\n";
    let checked = check(&submission(text.to_owned()), &Options::default());
    let found: Vec<(RuleId, Option<usize>)> =
        checked.findings.iter().map(|finding| (finding.rule, finding.place.line())).collect();
    let (order, twice) = (RuleId::TopicOrder, RuleId::Duplicate);
    assert_eq!(found, [(order, Some(3)), (order, Some(4)), (twice, Some(4)), (twice, Some(5))]);
}

#[test]
fn names_and_tags_hold_only_characters_that_people_see() {
    let text = "A.1\t1\t1\t3\tb\u{202E}g\n";
    let checked = check(&submission(text.to_owned()), &Options::default());
    assert!(
        checked.findings.iter().any(|finding| finding.text == "the tag holds the hidden character U+202E")
    );
    let error = formats::run::Run::read(formats::Source::bytes("r", text), Default::default()).unwrap_err();
    assert_eq!(error.to_string(), "r:1:11: the tag holds the hidden character U+202E");
    let name = "u\u{202E}s-task1-big-auto-both-P.tsv";
    let error = formats::check::SubmissionName::parse(name).unwrap_err();
    assert_eq!(error.to_string(), "it holds the hidden character U+202E");
}
