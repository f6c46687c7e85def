//! Statements with known outcomes: no true claim fails, nearly all false ones do, and nothing else does.

#![allow(clippy::print_stdout, reason = "who changes a rule wants to see which statements it moves")]

use claims::{Counts, Limits, Status, check};

/// What is found out about a statement.
fn outcome(text: &str) -> (Status, String) {
    let claims = check(text, &[], Limits::default(), &mut || true);
    let notes: Vec<String> = claims
        .iter()
        .map(|claim| format!("{} [{}: {}]", &text[claim.place.clone()], claim.status.word(), claim.note))
        .collect();
    let counts = Counts::of(&claims);
    let status = match counts {
        Counts { failed: 1.., .. } => Status::Failed,
        Counts { checked: 1.., not_checkable: 0, .. } => Status::Checked,
        _ => Status::NotCheckable,
    };
    (status, notes.join("; "))
}

/// How many statements of a kind had which outcome.
#[derive(Debug, Default)]
struct Row {
    checked: usize,
    failed: usize,
    open: usize,
}

fn report(is_wanted: impl Fn(usize) -> bool) -> [Row; 3] {
    let mut rows = [Row::default(), Row::default(), Row::default()];
    for (number, line) in (1..).zip(include_str!("data/claims.tsv").lines()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [expected, text, _] = fields.as_slice() else { continue };
        if line.starts_with('#') || !is_wanted(number) {
            continue;
        }
        let place =
            ["true", "false", "none"].iter().position(|known| known == expected).expect("a known outcome");
        let (status, notes) = outcome(text);
        let row = &mut rows[place];
        match status {
            Status::Checked => row.checked += 1,
            Status::Failed => row.failed += 1,
            Status::NotCheckable => row.open += 1,
        }
        let expected_one = [Status::Checked, Status::Failed, Status::NotCheckable][place];
        if status != expected_one && !(place == 2 && status == Status::Checked) {
            println!("{number} {expected}: {text}\n    {status:?} {notes}");
        }
    }
    rows
}

fn holds(rows: &[Row; 3]) {
    let [true_ones, false_ones, others] = rows;
    assert_eq!(true_ones.failed, 0, "true claims fail: {rows:?}");
    assert_eq!(others.failed, 0, "what is no claim fails: {rows:?}");
    let all = false_ones.checked + false_ones.failed + false_ones.open;
    assert!(false_ones.failed * 10 >= all * 9, "too few false claims are found: {rows:?}");
    assert_eq!(false_ones.checked, 0, "false claims are called checked: {rows:?}");
}

/// Nobody looked at these while the rules were made.
#[test]
fn the_same_holds_for_the_third_that_was_held_out() {
    let rows = report(|number| number % 3 == 0);
    println!("held out: {rows:?}");
    holds(&rows);
}

#[test]
fn true_claims_never_fail_and_false_ones_nearly_always_do() {
    let rows = report(|number| number % 3 != 0);
    println!("{rows:?}");
    holds(&rows);
}
