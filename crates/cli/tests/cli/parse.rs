//! `hypatia formula parse`: trees, remarks and the report.

use crate::util::Dir;
use serde_json::{Value, json};

#[test]
fn a_single_formula_is_shown_with_its_remarks() {
    let dir = Dir::new("parse");
    let outcome = dir.run(&["formula", "parse", "a+\\foo"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert!(outcome.stdout.contains("error: unknown-command: "), "{}", outcome.stdout);
    assert!(outcome.stdout.ends_with("  a+\\foo\n    ^^^^\n"), "{}", outcome.stdout);
}

#[test]
fn a_file_gives_a_row_or_an_object_for_each_formula() {
    let dir = Dir::new("parse-file");
    dir.write("f.txt", "x\n\\foo+\\foo\n");
    let outcome = dir.run(&["formula", "parse", "f.txt"]);
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[..2], ["id\terrors\tdiagnostics", "1\t0\t"]);
    assert!(lines[2].starts_with("2\t2\tunknown-command@0-4: "), "{}", lines[2]);

    let outcome = dir.run(&["formula", "parse", "f.txt", "--format", "json"]);
    let objects: Vec<Value> =
        outcome.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects[0], json!({"id": "1", "errors": 0, "diagnostics": []}));
    assert_eq!(objects[1]["errors"], 2);
    let second = &objects[1]["diagnostics"][1];
    assert_eq!(
        (&second["kind"], &second["error"], &second["start"], &second["end"]),
        (&json!("unknown-command"), &json!(true), &json!(5), &json!(9))
    );
}

#[test]
fn the_report_counts() {
    let dir = Dir::new("report");
    dir.write("f.tsv", "id\tformula\na\tx\nb\t\\foo+\\foo\nc\t\\foo+\\baz\nd\t{x\n");
    let outcome = dir.run(&["formula", "parse", "f.tsv", "--report", "--format", "json"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["formulas"], 4);
    assert_eq!(report["with_errors"], 3);
    assert_eq!(report["diagnostics"], json!({"unknown-command": 4, "unmatched-brace": 1}));
    assert_eq!(report["commands"], json!({"\\foo": 3, "\\baz": 1}));
    let example = json!([{"id": "c", "formula": "\\foo+\\baz"}]);
    assert_eq!(report["examples"]["\\baz"], example);

    let outcome = dir.run(&["formula", "parse", "f.tsv", "--report"]);
    assert!(outcome.stdout.starts_with("         4 formulas\n         3 with errors (75.000 %)\n"));
    dir.run(&["formula", "parse", "f.tsv", "--report", "--format", "tsv"])
        .fails("hypatia: --report prints text or json, not tsv");
}

#[test]
fn the_report_is_the_same_however_many_threads_work() {
    let dir = Dir::new("report-threads");
    let lines: Vec<String> = (0..5000).map(|number| format!("\\c{}", "abc".repeat(number % 7))).collect();
    dir.write("f.txt", lines.join("\n"));
    let run =
        |threads| dir.run(&["formula", "parse", "f.txt", "--report", "--format", "json", "-j", threads]);
    assert!(run("1") == run("3"));
}

#[test]
fn only_latex_is_read() {
    let dir = Dir::new("parse-latex");
    dir.write("f.tsv", "id\tslt\n1\t[V!x]\n");
    for more in [&[][..], &["--report"]] {
        dir.run(&[&["formula", "parse", "f.tsv"], more].concat()).fails(
            "hypatia: f.tsv: LaTeX is wanted, but there is only a column 'slt': name another with --column",
        );
    }
    dir.run(&["formula", "parse", "f.tsv", "--column", "slt"]).prints("id\terrors\tdiagnostics\n1\t0\t\n");
}
