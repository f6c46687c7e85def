//! The rules of aggregation on judgments worked by hand.

use super::*;
use crate::judgments::NewJudgment;
use crate::manifest::PoolKind;

const FAILURE: Verdict = Verdict::SystemFailure;
const UNKNOWN: Verdict = Verdict::DoNotKnow;

fn grade(grade: i32) -> Verdict {
    Verdict::Grade(grade)
}

fn row(item: &str, instance: Option<&str>, stage: Stage, assessor: &str, verdict: Verdict) -> Judgment {
    Judgment {
        number: 0,
        said: NewJudgment {
            kind: PoolKind::Formulas,
            set: "s".to_owned(),
            topic: TopicId::from("B.1"),
            item: item.to_owned(),
            instance: instance.map(str::to_owned),
            stage,
            assessor: assessor.to_owned(),
            verdict,
            comment: String::new(),
            seconds: None,
            at: None,
            origin: String::new(),
        },
    }
}

fn main(item: &str, assessor: &str, verdict: Verdict) -> Judgment {
    row(item, None, Stage::Main, assessor, verdict)
}

fn verdict(rows: &[Judgment], rule: Rule) -> Result<Verdict, String> {
    let result = aggregate(rows, rule);
    match result.undecided.as_slice() {
        [] => Ok(*result.topics[&TopicId::from("B.1")].values().next().unwrap()),
        [one, ..] => Err(one.reason.clone()),
    }
}

/// The lab's tests of grade aggregation: instances judged 0, 0, 1 give 1; 3, 0 give 3; a failure
/// only is not judged; 2 and "do not know" give 2.
#[test]
fn a_formula_has_the_highest_grade_of_its_instances() {
    for (verdicts, expected) in [
        (vec![grade(0), grade(0), grade(1)], grade(1)),
        (vec![grade(3), grade(0)], grade(3)),
        (vec![FAILURE], FAILURE),
        (vec![grade(2), UNKNOWN], grade(2)),
        (vec![UNKNOWN, FAILURE], FAILURE),
        (vec![FAILURE, grade(0)], grade(0)),
    ] {
        let names = ["i1", "i2", "i3"];
        let rows: Vec<Judgment> = verdicts
            .iter()
            .zip(names)
            .map(|(verdict, name)| row("7", Some(name), Stage::Main, "ada", *verdict))
            .collect();
        for rule in [Rule::Maximum, Rule::Majority, Rule::Adjudicated] {
            assert_eq!(verdict(&rows, rule), Ok(expected), "{verdicts:?} by {rule:?}");
        }
        let instances = aggregate(&rows, Rule::Maximum).instances;
        assert_eq!(instances[&TopicId::from("B.1")].len(), rows.len());
    }
}

/// NTCIR's tests: (R, P) 3; (P, P) 2; (R, N) 2; (R, R) 4.
#[test]
fn two_assessors_are_summed() {
    for (one, other, sum) in [(2, 1, 3), (1, 1, 2), (2, 0, 2), (2, 2, 4)] {
        let rows = [main("7", "ada", grade(one)), main("7", "bob", grade(other))];
        assert_eq!(verdict(&rows, Rule::Sum), Ok(grade(sum)));
    }
    assert!(verdict(&[main("7", "ada", grade(2))], Rule::Sum).unwrap_err().contains("two must"));
    let three = [main("7", "a", grade(1)), main("7", "b", grade(1)), main("7", "c", grade(1))];
    assert!(verdict(&three, Rule::Sum).unwrap_err().starts_with("3 assessors"));
    let with_code = [main("7", "a", grade(1)), main("7", "b", UNKNOWN)];
    assert!(verdict(&with_code, Rule::Sum).unwrap_err().contains("gave no grade"));
    let only_codes = [main("7", "a", FAILURE), main("7", "b", UNKNOWN)];
    assert_eq!(verdict(&only_codes, Rule::Sum), Ok(FAILURE));
}

#[test]
fn most_assessors_decide_and_a_tie_is_undecided() {
    let rows = [main("7", "a", grade(3)), main("7", "b", grade(1)), main("7", "c", grade(1))];
    assert_eq!(verdict(&rows, Rule::Majority), Ok(grade(1)));
    assert_eq!(verdict(&rows, Rule::Maximum), Ok(grade(3)));
    let tied = [main("7", "a", grade(3)), main("7", "b", grade(1))];
    assert!(verdict(&tied, Rule::Majority).unwrap_err().contains("1 and 3"));
    let mut decided = tied.to_vec();
    decided.push(row("7", None, Stage::Adjudication, "head", grade(2)));
    assert_eq!(verdict(&decided, Rule::Majority), Ok(grade(2)));
    assert_eq!(verdict(&decided, Rule::Maximum), Ok(grade(2)));
}

#[test]
fn disagreement_needs_an_adjudicator() {
    let same = [main("7", "a", grade(3)), main("7", "b", grade(3))];
    assert_eq!(verdict(&same, Rule::Adjudicated), Ok(grade(3)));
    let mut other = vec![main("7", "a", grade(3)), main("7", "b", grade(0))];
    assert!(verdict(&other, Rule::Adjudicated).unwrap_err().contains("0 and 3"));
    other.push(row("7", None, Stage::Adjudication, "head", grade(0)));
    assert_eq!(verdict(&other, Rule::Adjudicated), Ok(grade(0)));
}

#[test]
fn training_and_cross_checks_do_not_count() {
    let rows = [
        main("7", "a", grade(1)),
        row("7", None, Stage::CrossCheck, "b", grade(3)),
        row("8", None, Stage::Training(1), "a", grade(3)),
    ];
    let result = aggregate(&rows, Rule::Maximum);
    let topic = &result.topics[&TopicId::from("B.1")];
    assert_eq!((topic.len(), topic["7"]), (1, grade(1)));
}
