//! `hypatia collection thread` and `hypatia collection show`.

use crate::util::{Dir, Outcome};
use testkit::{SmallCollection, small_collection};

struct Try {
    dir: Dir,
    small: SmallCollection,
}

impl Try {
    fn new(name: &str) -> Self {
        Self { dir: Dir::new(name), small: small_collection(name) }
    }

    fn path(&self) -> String {
        self.small.collection.path().display().to_string()
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Outcome {
        let path = self.path();
        self.dir.run(&[&["collection", command, &path], arguments].concat())
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.dir.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

#[test]
fn one_thread_to_standard_output_or_a_file() {
    let small = Try::new("thread");
    let printed = small.run("thread", &["12"]);
    assert_eq!((printed.code, printed.stderr.as_str()), (0, ""));
    assert!(printed.stdout.starts_with("<!DOCTYPE html>"), "{}", printed.stdout);
    small.run("thread", &["10", "-o", "x.html"]).prints("");
    assert_eq!(small.read("x.html"), printed.stdout);
    // Only what is written is led to.
    assert!(!printed.stdout.contains("20.html"));
}

#[test]
fn several_threads_lead_to_each_other() {
    let small = Try::new("threads");
    small.run("thread", &["12", "20", "10", "-o", "pages"]).prints("");
    assert!(small.read("pages/10.html").contains("<a href=\"20.html\">"));
    assert!(small.read("pages/20.html").contains("<a href=\"10.html\">"));
    small
        .run("thread", &["10", "20"])
        .fails("hypatia: 2 threads are several pages; say where with -o FOLDER");
}

#[test]
fn all_threads_in_folders_of_the_labs() {
    let small = Try::new("all-threads");
    let outcome = small.run("thread", &["--all", "-o", "pages"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, "2 threads written to pages\n"));
    assert!(small.read("pages/10_2014/10_03/10.html").contains("<a href=\"../../20_2015/20_01/20.html\">"));
    assert!(small.read("pages/20_2015/20_01/20.html").contains("<a href=\"../../10_2014/10_03/10.html\">"));
}

#[test]
fn highlights_that_show_nowhere_are_mistakes() {
    let small = Try::new("highlights");
    let path = small.path();
    let page = small.run("thread", &["10", "--highlight", "2", "--visual", "501"]).stdout;
    assert_eq!(page.matches("hit\" id=").count(), 3);
    small
        .run("thread", &["10", "--highlight", "77"])
        .fails(&format!("hypatia: {path}: there is no formula 77"));
    small
        .run("thread", &["20", "--highlight", "1"])
        .fails("hypatia: formula 1 does not stand in what is written");
    small
        .run("thread", &["20", "--visual", "503"])
        .fails("hypatia: no formula with the visual id 503 stands in what is written");
    small
        .run("thread", &["10", "--visual", "77"])
        .fails(&format!("hypatia: {path}: there is no visual id 77"));
}

#[test]
fn unknown_ids_are_said() {
    let small = Try::new("unknown-ids");
    let path = small.path();
    small.run("thread", &["99"]).fails(&format!("hypatia: {path}: there is no post 99"));
    small
        .run("thread", &["7"])
        .fails(&format!("hypatia: {path}: there is no post 7, but a comment 7, on post 12"));
    for (id, expected) in [
        ("99", "there is no post, comment or formula 99"),
        ("c:10", "there is no comment 10"),
        ("f:10", "there is no formula 10"),
        ("p:7", "there is no post 7"),
        ("v:1", "there is no visual id 1"),
        ("v:x", "visual ids are numbers, and x is none"),
    ] {
        small.run("show", &[id]).fails(&format!("hypatia: {path}: {expected}"));
    }
}

#[test]
fn posts_are_shown() {
    let small = Try::new("show-post");
    small.run("show", &["10"]).prints(
        r"Question 10
Title     Why is $\sum 1/n$ infinite?
Score     7
Date      2014-03-02 09:15
By        Hypatia (user 3)
Views     120
Tags      calculus, series
Answers   12 (accepted)
Links     20 is a duplicate

I know $H_n$ & its growth.

Formulas
  id  visual  part     LaTeX
  1   501     title    \sum 1/n
  2   502     body     H_n
",
    );
    small.run("show", &["12"]).prints(
        r"Answer 12
Question  10
Score     -1
Date      2014-03-02 10:00

Group the terms of
$$\sum \frac1n$$
and compare with $\log n$.

Formulas
  id  visual  part     LaTeX
  3   501     body     \sum \frac1n
  4   503     body     \log n

Comments
  7, Hypatia (user 3), score 1: Only for $n>1$?
",
    );
}

#[test]
fn comments_formulas_and_looks_are_shown() {
    let small = Try::new("show-others");
    let comment = r"Comment 7 on post 12
Score     1
By        Hypatia (user 3)

Only for $n>1$?

Formulas
  id  visual  part     LaTeX
  6   504     comment  n>1
";
    small.run("show", &["7"]).prints(comment);
    small.run("show", &["c:7"]).prints(comment);
    small.run("show", &["f:3"]).prints(
        r"Formula 3
LaTeX     \sum \frac1n
Given     no MathML
Visual id 501
Stands    in answer 12; on a line of its own

Other places that look the same: 1
  1: in the title of question 10
",
    );
    small.run("show", &["9"]).prints(
        r"Formula 9
LaTeX     z
Given     no MathML
Visual id 505
Stands    nowhere; its table has it in post 20 (question)

Other places that look the same: 0
",
    );
    small.run("show", &["v:502"]).prints(
        r"Visual id 502
LaTeX     H_n
Given     Presentation MathML
Places    2

Places: 2
  2: in question 10
  5: in answer 21; its table has it in post 12 (answer)
",
    );
}

#[test]
fn other_formats() {
    let small = Try::new("show-formats");
    small.run("show", &["12", "--as", "latex"]).prints("\\sum \\frac1n\n\\log n\n");
    small.run("show", &["v:501", "--as", "latex"]).prints("\\sum 1/n\n\\sum \\frac1n\n");
    let html = small.run("show", &["10", "--as", "html"]).stdout;
    assert!(html.starts_with("<h1>Why is <span class=\"math-container\""), "{html}");
    assert!(small.run("show", &["f:1", "--as", "html"]).stdout.contains("<math "));
    for (id, kind) in [("10", "post"), ("7", "comment"), ("f:1", "formula"), ("v:501", "visual")] {
        let json = small.run("show", &[id, "--as", "json"]).stdout;
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["what"], kind, "{json}");
    }
    let json = small.run("show", &["10", "--as", "json"]).stdout;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["title"], r"Why is $\sum 1/n$ infinite?");
    assert_eq!(value["answers"], serde_json::json!([12]));
    assert_eq!(value["formulas"][1]["visual_id"], 502);
}
