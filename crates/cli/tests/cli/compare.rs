//! `hypatia formula compare` and `hypatia formula suite`: how alike formulas are, and why.

use crate::util::Dir;

fn compare(arguments: &[&str]) -> String {
    let dir = Dir::new("compare");
    let outcome = dir.run(&[&["formula", "compare"], arguments].concat());
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{arguments:?}");
    outcome.stdout
}

#[test]
fn equal_formulas_are_marked_as_the_same() {
    let text = compare(&["x+1", "x+1"]);
    assert!(text.starts_with("score 1.0000\n\nterm "), "{text}");
    assert!(text.contains("\nquery      x+1\n           ^^^\ncandidate  x+1\n           ^^^\n"), "{text}");
    assert!(text.contains("\n^ same\n"), "{text}");
}

#[test]
fn what_the_terms_add_is_the_score() {
    let text = compare(&["x^2+1", "y^2-1"]);
    let mut lines = text.lines();
    let score: f64 = lines.next().unwrap().strip_prefix("score ").unwrap().parse().unwrap();
    let terms: Vec<f64> = lines
        .skip(2)
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_whitespace().last().unwrap().parse().unwrap())
        .collect();
    assert!(!terms.is_empty());
    assert!((terms.iter().sum::<f64>() - score).abs() < 0.001, "{text}");
}

#[test]
fn wildcards_and_what_is_left_over_are_marked() {
    let text = compare(&["?a", "x"]);
    assert!(text.contains("wildcards: ?a → x\n"), "{text}");
    assert!(text.contains("? wildcard"), "{text}");
    assert!(compare(&["x", "xyz"]).contains("- unmatched"));
}

#[test]
fn marks_stand_under_long_formulas_line_by_line() {
    let long = "x+".repeat(60) + "é";
    let text = compare(&[&long, "x"]);
    let line = text.lines().position(|line| line.starts_with("query")).unwrap();
    let lines: Vec<&str> = text.lines().skip(line).take(4).collect();
    assert_eq!(lines[0].chars().count(), 11 + 88);
    assert_eq!(lines[2].trim_start(), &("x+".repeat(16) + "é"));
    assert!(lines[3].chars().count() <= 11 + 33);
}

#[test]
fn several_candidates_are_ranked() {
    let text = compare(&["x+1", "q", "x+1"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2, "  1  1.0000  x+1"));
    assert!(lines[1].ends_with("  q"));
    let text = compare(&["x+1", "q", "x+1", "-v"]);
    assert!(text.contains("\n\n1: x+1\nscore 1.0000\n"), "{text}");
    assert!(text.contains("\n2: q\nscore "), "{text}");
}

#[test]
fn colours_only_where_they_are_wanted() {
    assert!(!compare(&["x", "x"]).contains('\x1b'));
    assert!(!compare(&["x", "x", "--color", "never"]).contains('\x1b'));
    assert!(compare(&["x", "x", "--color", "always"]).contains("\x1b[32mx\x1b[0m"));
}

#[test]
fn other_notations_are_shown_as_latex() {
    let text = compare(&["--from", "slt", "[V!x[+[N!1]]]", "[V!x[+[N!1]]]"]);
    assert!(text.starts_with("score 1.0000\n"), "{text}");
    assert!(text.contains("\nquery      x+"), "{text}");
    let tree = "[U!plus,0[V!x],1[N!1]]";
    let text = compare(&["--from", "opt", tree, tree, "--all"]);
    assert!(text.contains("An operator tree has no layout"), "{text}");
    assert!(text.contains("\ndice-slt                   -  "), "{text}");
    assert!(text.contains("\ndice-opt              1.0000  "), "{text}");
}

#[test]
fn all_measures_stand_side_by_side() {
    let text = compare(&["x^2+1", "x^2+1", "--all"]);
    for measure in ["hypatia", "dice-slt", "dice-opt", "mss-slt", "mss-opt", "edit-slt", "edit-opt"] {
        assert!(text.contains(&format!("\n{measure:<20}  1.0000  ")), "{measure}: {text}");
    }
    assert!(text.contains("\ntangent-s             2.6769  "), "{text}");
}

#[test]
fn json_has_it_all() {
    let json = compare(&["?a+1", "y", "x+1", "--format", "json"]);
    assert_eq!(json.lines().count(), 1);
    for part in [
        r#"{"query":"?a+1","candidates":[{"rank":1,"number":2,"candidate":"x+1","latex":"x+1","score":"#,
        r#""terms":[{"term":"aligned","value":"#,
        r#""measures":[{"measure":"hypatia","value":"#,
        r#""pairs":[{"query":{"start":"#,
        r#""wildcards":[{"from":"?a","to":"x"}]"#,
        r#""moved":0"#,
    ] {
        assert!(json.contains(part), "{part} is not in {json}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let dir = Dir::new("compare-wrong");
    for (arguments, start) in [
        (["--from", "slt", "[V!x", "[V!x]"], "hypatia: the query cannot be read: "),
        (["--from", "slt", "[V!x]", "V!x]"], "hypatia: candidate 1 cannot be read: "),
    ] {
        let outcome = dir.run(&[&["formula", "compare"], &arguments[..]].concat());
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
        assert!(outcome.stderr.starts_with(start), "{}", outcome.stderr);
    }
    // Anything is LaTeX.
    for wild in ["", "{", "^^^^", "\\frac", "((((", "\u{1}\n\té"] {
        compare(&["--", wild, "x"]);
        compare(&["--", "x", wild]);
    }
}

#[test]
fn the_suite_is_scored_by_any_measure() {
    let dir = Dir::new("suite");
    let outcome = dir.run(&["formula", "suite", "--by", "dice-slt"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = outcome.stdout.lines().collect();
    assert!(lines[1].starts_with("same "), "{}", outcome.stdout);
    assert!(lines.last().unwrap().starts_with("overall "), "{}", outcome.stdout);
    let verbose = dir.run(&["formula", "suite", "--by", "dice-slt", "-v"]);
    assert!(verbose.stdout.starts_with(&outcome.stdout));
    assert!(verbose.stdout.contains("  grade 3  "), "{}", verbose.stdout);
    let json = dir.run(&["formula", "suite", "--format", "json"]);
    assert!(json.stdout.starts_with(r#"{"measure":"hypatia","overall":{"share":0."#), "{}", json.stdout);
    assert!(dir.run(&["formula", "suite", "--by", "dice"]).stderr.contains("dice-slt"));
}

#[test]
fn functions_are_renamed_without_their_arguments_in_reading_order() {
    for (query, candidate, expected) in [
        ("f(x)=x+y", "g(t)=t+u", "renamed: f → g, x → t, y → u\n"),
        ("\\Gamma(z+1)=z\\Gamma(z)", "F(n+1)=nF(n)", "renamed: \\Gamma → F, z → n\n"),
        ("x^2+y^2=z^2", "a^2+b^2=c^2", "renamed: x → a, y → b, z → c\n"),
    ] {
        let text = compare(&[query, candidate]);
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn parts_are_whole_and_listed_once() {
    let text = compare(&["\\sqrt{x}", "x^{1/2}"]);
    assert!(text.contains("\\sqrt{x}  ↔  x^{1/2}  other notation"), "{text}");
    let text = compare(&["--", "a-b", "b-a"]);
    assert!(text.contains("\n-b   ↔  -a   same"), "{text}");
    assert_eq!(text.matches("\nb    ↔  a ").count(), 1, "{text}");
    let text = compare(&["f\\left(x\\right)", "g\\bigl(x\\bigr)"]);
    assert!(text.contains("renamed: f → g\n"), "{text}");
}

#[test]
fn formulas_of_nothing_are_said_to_be_so() {
    let text = compare(&["", "x"]);
    assert!(text.contains("query      (nothing)\ncandidate  x\n"), "{text}");
}
