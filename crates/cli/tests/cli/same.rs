//! `hypatia formula same`: the answer is also the exit code.

use crate::util::Dir;

#[test]
fn yes_is_zero_and_no_is_one() {
    let dir = Dir::new("same");
    for rule in ["key", "labs"] {
        let yes = dir.run(&["formula", "same", "x_1^2", "x^2_1", "--by", rule]);
        assert_eq!((yes.code, yes.stdout.lines().next()), (0, Some("yes")), "{rule}: {yes:?}");
        let no = dir.run(&["formula", "same", "x", "y", "--by", rule]);
        assert_eq!((no.code, no.stdout.lines().next()), (1, Some("no")), "{rule}: {no:?}");
        assert!(no.stdout.lines().count() > 1, "{rule}: no reason given: {no:?}");
        assert_eq!(no.stderr, "");
    }
}

#[test]
fn as_json() {
    let dir = Dir::new("same-json");
    let outcome = dir.run(&["formula", "same", "x", "y", "--format", "json"]);
    let object: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((outcome.code, &object["same"]), (1, &serde_json::Value::Bool(false)));
    assert!(object["because"].is_string());
}

#[test]
fn one_formula_is_not_enough() {
    let outcome = Dir::new("same-one").run(&["formula", "same", "x"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
}
