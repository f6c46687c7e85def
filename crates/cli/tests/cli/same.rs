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

#[test]
fn what_cannot_be_read_is_the_same_only_as_itself() {
    let dir = Dir::new("same-unread");
    let errors = ["<math><merror>a</merror></math>", "<math><merror>b</merror></math>"];
    for (notation, [a, b]) in [("slt", ["[V!x", "V!y]"]), ("mathml", ["a", "b"]), ("mathml", errors)] {
        let same = |a, b, rule| dir.run(&["formula", "same", "--from", notation, "--by", rule, a, b]).code;
        for rule in ["key", "labs"] {
            assert_eq!((same(a, a, rule), same(a, b, rule)), (0, 1), "{a} {b} {rule}");
        }
    }
    let outcome = dir.run(&["formula", "same", "--from", "slt", "--by", "labs", "[V!x", "[V!x]"]);
    assert_eq!(outcome.stdout, "no\nno tree, so compared as written without blanks: [V!x\n[V!x]\n");
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::new("same-bytes");
    let mut command = dir.command(&["formula", "same", "x"]);
    let output = command.arg(std::ffi::OsStr::from_bytes(b"\xFF")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
}
