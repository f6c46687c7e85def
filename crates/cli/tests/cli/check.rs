//! `hypatia check`: whole outputs of small files.

use crate::util::Dir;

const NAME: &str = "us-task1-bm25-auto-both-P.tsv";
const GOOD: &str = "A.1\t42\t1\t0.5\tbm25\nA.1\t7\t2\t0.4\tbm25\nA.2\t7\t1\t3\tbm25\n";

#[test]
fn a_valid_run() {
    let dir = Dir::new("check-valid");
    dir.write(NAME, GOOD);
    dir.run(&["check", NAME]).prints("us-task1-bm25-auto-both-P.tsv: valid\n");
    dir.run(&["check", NAME, "--strict", "--all"]).prints("us-task1-bm25-auto-both-P.tsv: valid\n");
}

#[test]
fn errors_and_warnings_with_places_and_fixes() {
    let dir = Dir::new("check-errors");
    dir.write(NAME, "A.1\t42\t0\t0.5\tbm25\r\nA.1\tx\t1\t0.9\tbm25\n");
    let outcome = dir.run(&["check", NAME]);
    let expected = "\
us-task1-bm25-auto-both-P.tsv:1: warning[line-ends]: 1 line ends in CR LF, as on Windows
  fix: end lines with a line feed alone
us-task1-bm25-auto-both-P.tsv:1:8: error[rank]: the ranks of topic A.1 start at 0, not at 1
  fix: count ranks from 1 in each topic, by falling score
us-task1-bm25-auto-both-P.tsv:2:5: error[doc-id]: the document id 'x' is not a whole number
  fix: write the id that the collection has
us-task1-bm25-auto-both-P.tsv:2:9: error[score-order]: the score 0.9 is above 0.5 of the rank before; \
measures go by the score, not by the rank
  fix: sort each topic by score; if low scores are good, write them negative
us-task1-bm25-auto-both-P.tsv: not valid: 3 errors, 1 warning
";
    assert_eq!((outcome.code, outcome.stdout.as_str(), outcome.stderr.as_str()), (1, expected, ""));
}

#[test]
fn warnings_count_only_if_asked() {
    let dir = Dir::new("check-strict");
    dir.write(NAME, GOOD.replace("bm25", "other"));
    let expected = "\
us-task1-bm25-auto-both-P.tsv:1:14: warning[tag]: the tag is 'other', but the name of the file says 'bm25'
  fix: use one name for the run
us-task1-bm25-auto-both-P.tsv: ";
    dir.run(&["check", NAME]).prints(&format!("{expected}valid with 1 warning\n"));
    let outcome = dir.run(&["check", NAME, "--strict"]);
    assert_eq!((outcome.code, outcome.stdout), (1, format!("{expected}not valid: 1 warning (--strict)\n")));
}

/// An even number of dollar signs may still leave one without partner.
#[test]
fn dollar_signs_are_paired_not_counted() {
    let dir = Dir::new("check-dollars");
    let name = "us-task3-gpt-auto-both-generate-P.tsv";
    dir.write(name, "A.301\t1\t1\tgpt\t\tLet $$x$ and y$ be\nA.302\t1\t1\tgpt\t\tIt is $y$.\n");
    let expected = "\
us-task3-gpt-auto-both-generate-P.tsv:1:20: filtered[dollars]: the dollar sign at character 5 of the answer has no partner
  fix: close the formula, or write \\$ for the sign itself
us-task3-gpt-auto-both-generate-P.tsv: ";
    dir.run(&["check", name]).prints(&format!("{expected}valid with 1 filtered hit\n"));
    let outcome = dir.run(&["check", name, "--strict"]);
    assert_eq!(
        (outcome.code, outcome.stdout),
        (1, format!("{expected}not valid: 1 filtered hit (--strict)\n"))
    );
}

#[test]
fn many_findings_are_cut_unless_asked_for() {
    let dir = Dir::new("check-many");
    let rows: String = (1..=8).map(|rank| format!("A.1\tx{rank}\t{rank}\t-{rank}\tbm25\n")).collect();
    dir.write(NAME, rows);
    let outcome = dir.run(&["check", NAME]);
    assert_eq!(outcome.stdout.matches("error[doc-id]: the").count(), 5);
    let end = "\
us-task1-bm25-auto-both-P.tsv: error[doc-id]: 3 more; --all shows them
us-task1-bm25-auto-both-P.tsv: not valid: 8 errors
";
    assert!(outcome.stdout.ends_with(end), "{}", outcome.stdout);
    let outcome = dir.run(&["check", NAME, "--all"]);
    assert_eq!(outcome.stdout.matches("error[doc-id]: the").count(), 8);
}

#[test]
fn the_task_may_be_given() {
    let dir = Dir::new("check-task");
    dir.write("run.txt", GOOD);
    let outcome = dir.run(&["check", "run.txt"]);
    assert_eq!(outcome.code, 1);
    assert!(outcome.stdout.starts_with("run.txt: error[name]: the name does not follow"), "{outcome:?}");
    assert!(outcome.stdout.contains("(by its columns it is task1; --task says it)"), "{outcome:?}");
    let outcome = dir.run(&["check", "run.txt", "--task", "1"]);
    assert_eq!(outcome.code, 0);
    assert!(outcome.stdout.ends_with("run.txt: valid with 1 warning\n"), "{outcome:?}");
}

#[test]
fn standard_input() {
    let dir = Dir::new("check-stdin");
    dir.pipe(&["check", "-", "--task", "1"], GOOD.as_bytes()).prints("standard input: valid\n");
    let outcome = dir.pipe(&["check", "-"], GOOD.as_bytes());
    assert!(outcome.stdout.ends_with("standard input: valid with 1 warning\n"), "{outcome:?}");
    dir.pipe(&["check", "-", "--fix"], b"")
        .fails("hypatia: --fix needs files: a copy of standard input has no name");
}

#[test]
fn what_cannot_be_read_is_two_and_the_rest_is_checked() {
    let dir = Dir::new("check-unreadable");
    dir.write(NAME, GOOD);
    let outcome = dir.run(&["check", NAME, "missing.tsv"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, "us-task1-bm25-auto-both-P.tsv: valid\n"));
    assert!(outcome.stderr.starts_with("hypatia: missing.tsv: "), "{outcome:?}");
    let outcome = dir.run(&["check", "missing.tsv", "gone.tsv"]);
    assert_eq!((outcome.code, outcome.stderr.lines().count()), (2, 3));
    assert!(outcome.stderr.ends_with("hypatia: 2 files could not be read\n"), "{outcome:?}");
    dir.write("bytes.tsv", b"A.1\t\xFF\n");
    let line = "hypatia: bytes.tsv:1:5: is not UTF-8 here; convert the file, for example with iconv";
    dir.run(&["check", "bytes.tsv"]).fails(line);
}

#[test]
fn as_json() {
    let dir = Dir::new("check-json");
    dir.write(NAME, "A.1\t42\t2\t0.5\tbm25\nB.1\t7\t1\t0.4\tbm25\n");
    let outcome = dir.run(&["check", NAME, "missing.tsv", "--format", "json"]);
    assert_eq!(outcome.code, 2);
    let value: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    let expected = serde_json::json!({
        "file": NAME, "task": 1, "valid": false, "errors": 1, "filtered": 0, "warnings": 1,
        "findings": [
            {
                "severity": "warning", "rule": "rank", "line": 1, "column": 8,
                "text": "the ranks of topic A.1 start at 2, not at 1",
                "fix": "count ranks from 1 in each topic, by falling score",
            },
            {
                "severity": "error", "rule": "topic-id", "line": 2, "column": 1,
                "text": "topic B.1 is one of Task 2, not of task1",
                "fix": "topics of Task 1 are A. and a number",
            },
        ],
    });
    assert_eq!(value[0], expected);
    assert_eq!(value[1]["file"], "missing.tsv");
    assert!(value[1]["unreadable"].is_string());
}

#[test]
fn a_corrected_copy_is_written_beside_the_file() {
    let dir = Dir::new("check-fix");
    let text = "topic post rank score tag\nA.1 42 0 0.5 bm25\nA.1 7 1 0.4 bm25\nA.1 42 2 0.3 bm25\n\nA.1 8 3 0.2 bm25\n";
    dir.write(NAME, text);
    let outcome = dir.run(&["check", NAME, "--fix"]);
    let (_, after) = outcome.stdout.split_once("not valid: ").unwrap();
    let expected = "\
7 errors, 1 warning
us-task1-bm25-auto-both-P.tsv: corrected copy written to us-task1-bm25-auto-both-P.fixed.tsv
  mended[blank-line]: 1 blank line dropped
  mended[header]: 1 header dropped
  mended[separator]: 4 rows written with single tabs between columns
  mended[duplicate]: 1 row dropped whose document stands higher in its topic
  mended[rank]: 1 topic with ranks counted anew
us-task1-bm25-auto-both-P.fixed.tsv: valid
";
    assert_eq!((outcome.code, after), (0, expected));
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read(NAME), text);
    let fixed = "A.1\t42\t1\t0.5\tbm25\nA.1\t7\t2\t0.4\tbm25\nA.1\t8\t3\t0.2\tbm25\n";
    assert_eq!(read("us-task1-bm25-auto-both-P.fixed.tsv"), fixed);
    let again = dir.run(&["check", NAME, "--fix"]);
    assert_eq!((again.code, again.stdout.as_str()), (2, ""));
    assert!(again.stderr.contains(".fixed.tsv: exists, and nothing is ever overwritten"), "{again:?}");
    assert_eq!(dir.run(&["check", NAME, "--fix", "-o", "out"]).code, 0);
    assert_eq!(read(&format!("out/{NAME}")), fixed);
    assert_eq!(dir.run(&["check", NAME, "--fix", "-o", "."]).code, 2);
    assert_eq!(read(NAME), text);
}

#[test]
fn no_copy_is_written_if_one_cannot_be() {
    let dir = Dir::new("check-fix-clash");
    let (a, b) = (format!("a/{NAME}"), format!("b/{NAME}"));
    for (folder, file) in [("a", &a), ("b", &b)] {
        std::fs::create_dir(dir.path().join(folder)).unwrap();
        std::fs::write(dir.path().join(file), GOOD.replace('\t', " ")).unwrap();
    }
    let outcome = dir.run(&["check", &a, &b, "--fix", "-o", "out"]);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(outcome.stderr.contains("two corrected copies would have this name"), "{outcome:?}");
    assert!(!dir.path().join("out").exists());
}

#[test]
fn what_cannot_be_mended_is_refused() {
    let dir = Dir::new("check-refuse");
    dir.write(NAME, "A.1 42 1 0.5 bm25\nA.1 7\n");
    let outcome = dir.run(&["check", NAME, "--fix"]);
    let end = "\
not mended[columns]: line 2 is not a row, and no row is dropped: correct it by hand
us-task1-bm25-auto-both-P.tsv: no copy written: see above
";
    assert_eq!(outcome.code, 1);
    assert!(outcome.stdout.ends_with(end), "{}", outcome.stdout);
    dir.write(NAME, "A.1\t42\t1\t0.1\tbm25\nA.1\t7\t2\t0.2\tbm25\nA.1\t8\t3\t0.3\tbm25\n");
    let outcome = dir.run(&["check", NAME, "--fix"]);
    assert!(outcome.stdout.contains("not mended[score-order]: 2 of 2 scores rise"), "{}", outcome.stdout);
    dir.write(NAME, GOOD);
    let outcome = dir.run(&["check", NAME, "--fix"]);
    outcome.prints(
        "us-task1-bm25-auto-both-P.tsv: valid
us-task1-bm25-auto-both-P.tsv: no copy written: there is nothing that can be mended
",
    );
}

#[test]
fn trec_columns_are_made_the_labs_and_back() {
    let dir = Dir::new("check-trec");
    let (trec, lab) = ("A.1 Q0 42 1 0.5 bm25\n", "A.1\t42\t1\t0.5\tbm25\n");
    dir.write(NAME, trec);
    dir.run(&["check", NAME, "--columns", "trec"]).prints("us-task1-bm25-auto-both-P.tsv: valid\n");
    assert_eq!(dir.run(&["check", NAME, "--fix", "-o", "lab"]).code, 0);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read(&format!("lab/{NAME}")), lab);
    dir.write(NAME, lab);
    assert_eq!(dir.run(&["check", NAME, "--columns", "trec"]).code, 1);
    assert_eq!(dir.run(&["check", NAME, "--columns", "trec", "--fix", "-o", "trec"]).code, 0);
    assert_eq!(read(&format!("trec/{NAME}")), trec.replace(' ', "\t"));
}

#[test]
fn topics_and_formulas_are_looked_up() {
    let dir = Dir::new("check-lookup");
    let name = "us-task2-x-auto-math-A.tsv";
    dir.write(name, "B.1\t7\t99\t1\t3\tx\nB.1\t8\t99\t2\t2\tx\nB.1\t9\t99\t3\t1\tx\nB.1\t6\t99\t4\t0\tx\n");
    dir.write("f.tsv", "id\tpost_id\ttype\n7\t99\tanswer\n8\t98\ttitle\n9\t99\tcomment\n");
    dir.write("topics.txt", "B.1\nB.2\n");
    let outcome = dir.run(&["check", name, "--formulas", "f.tsv", "--qrels", "topics.txt"]);
    let expected = "\
us-task2-x-auto-math-A.tsv: warning[missing-topic]: 1 topic has no results and will count as zero: B.2
  fix: add rows for all topics
us-task2-x-auto-math-A.tsv:2:7: filtered[formula-place]: formula 8 stands in post 98, not in 99
  fix: write the post that holds the formula
us-task2-x-auto-math-A.tsv:3:5: filtered[formula-place]: formula 9 stands in a comment, which the lab does not judge
  fix: return formulas of questions and answers
us-task2-x-auto-math-A.tsv:4:5: filtered[formula-place]: formula 6 is not in the collection
  fix: return formulas of the collection; see that all formula tables are given
us-task2-x-auto-math-A.tsv: valid with 3 filtered hits, 1 warning
";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, expected));
    dir.write(NAME, "A.1\t98\t1\t3\tbm25\n");
    let outcome = dir.run(&["check", NAME, "--formulas", "f.tsv"]);
    assert!(outcome.stdout.contains(":1:5: filtered[not-an-answer]: post 98 is a question;"), "{outcome:?}");
    dir.run(&["check", NAME, "--qrels", "."]).fails("hypatia: .: is a folder, not a file");
    dir.run(&["check", "x", "--task", "3", "--formulas", "f.tsv"])
        .fails("hypatia: --formulas has no effect on Task 3");
}

#[test]
fn files_of_a_team_are_held_together() {
    let dir = Dir::new("check-team");
    let files = [NAME, "us-task1-lm-auto-both-P.tsv"];
    dir.write(files[0], GOOD);
    dir.write(files[1], GOOD.replace("bm25", "lm"));
    let outcome = dir.run(&["check", files[0], files[1]]);
    let expected = "\
us-task1-bm25-auto-both-P.tsv: valid

us-task1-lm-auto-both-P.tsv: error[primary]: us has a primary run in task1 already: us-task1-bm25-auto-both-P.tsv
  fix: let all names but one end in A
us-task1-lm-auto-both-P.tsv: not valid: 1 error
";
    assert_eq!((outcome.code, outcome.stdout.as_str()), (1, expected));
}

#[test]
fn written_answers() {
    let dir = Dir::new("check-task3");
    let name = "us-task3-gpt-auto-both-extract-P.tsv";
    dir.write(name, "A.301\t1\t0.9\tgpt\tpost 7\tTake $x$.\nA.302\t2\t0.5\tgpt\t\tTake $x.\n");
    let outcome = dir.run(&["check", name]);
    outcome.prints(
        "us-task3-gpt-auto-both-extract-P.tsv:2: warning[rank]: the rank is '2'; the only answer to a topic has rank 1
  fix: write 1
us-task3-gpt-auto-both-extract-P.tsv:2: warning[sources]: the answer to topic A.302 is extracted, but names no source
  fix: write the posts it was taken from
us-task3-gpt-auto-both-extract-P.tsv:2:23: filtered[dollars]: the dollar sign at character 6 of the answer has no partner
  fix: close the formula, or write \\$ for the sign itself
us-task3-gpt-auto-both-extract-P.tsv: valid with 1 filtered hit, 2 warnings
",
    );
}

#[test]
fn help_says_what_is_checked() {
    let help = Dir::new("check-help").run(&["check", "--help"]).stdout;
    for word in ["Examples:", "--fix", "--columns", "--strict", "[ans-type]", "'findings'"] {
        assert!(help.contains(word), "{word} is not in the help");
    }
}

#[test]
fn topics_of_the_lab_are_held_against_the_run() {
    let dir = Dir::new("check-topics");
    dir.write(NAME, GOOD);
    let topic = |number: u32| {
        format!("<Topic number=\"A.{number}\"><Title>t</Title><Question>q</Question><Tags>a</Tags></Topic>")
    };
    dir.write("all.xml", format!("<Topics>{}{}</Topics>", topic(1), topic(2)));
    dir.run(&["check", NAME, "--topics", "all.xml"]).prints("us-task1-bm25-auto-both-P.tsv: valid\n");
    dir.write("few.xml", format!("<Topics>{}</Topics>", topic(1)));
    let outcome = dir.run(&["check", NAME, "--topics", "few.xml"]);
    assert_eq!(outcome.code, 1, "{outcome:?}");
    assert!(outcome.stdout.contains("A.2"), "{outcome:?}");
}

/// Questions in Task 1 and formulas in comments or without a published id in Task 2 are filtered by the lab.
#[test]
fn hits_that_the_lab_filters_are_told_and_dropped_beforehand() {
    let dir = Dir::new("check-filtered");
    let span = |id: u64| {
        format!("&lt;span class=&quot;math-container&quot; id=&quot;{id}&quot;&gt;x_{id}&lt;/span&gt;")
    };
    let posts = format!(
        "<posts>\n<row Id=\"1\" PostTypeId=\"1\" Title=\"t\" Body=\"{} $y$\" Tags=\"\"/>\n\
         <row Id=\"2\" PostTypeId=\"2\" ParentId=\"1\" Body=\"{}\"/>\n</posts>\n",
        span(1),
        span(2)
    );
    dir.write("dump/Posts.xml", posts);
    dir.write(
        "dump/Comments.xml",
        format!("<comments>\n<row Id=\"8\" PostId=\"2\" Text=\"{}\"/>\n</comments>\n", span(3)),
    );
    let row = |id: u64, kind: &str, post: u64| format!("{id}\t{post}\t1\t{kind}\t{id}\tx_{id}\n");
    let rows = [row(1, "question", 1), row(2, "answer", 2), row(3, "comment", 2)].concat();
    dir.write(
        "dump/latex_representation.tsv",
        format!("id\tpost_id\tthread_id\ttype\tvisual_id\tformula\n{rows}"),
    );
    for command in [&["collection", "build", "dump", "-o", "c"][..], &["index", "c", "-o", "i"]] {
        let built = dir.run(command);
        assert_eq!(built.code, 0, "{}", built.stderr);
    }
    let answers = "us-task1-a-auto-both-P.tsv";
    dir.write(answers, "A.1\t1\t1\t0.9\ta\nA.1\t2\t2\t0.8\ta\nA.1\t8\t3\t0.7\ta\nA.1\t9\t4\t0.6\ta\n");
    let formulas = "us-task2-a-auto-math-P.tsv";
    dir.write(
        formulas,
        "B.1\t1\t1\t1\t0.9\ta\nB.1\t3\t2\t2\t0.8\ta\nB.1\t1000000001\t1\t3\t0.7\ta\nB.1\t2\t2\t4\t0.6\ta\n",
    );
    for known in ["c", "i"] {
        let told = dir.run(&["check", answers, formulas, "--collection", known]);
        assert_eq!(told.code, 0, "{}{}", told.stdout, told.stderr);
        for line in [
            ":1:5: filtered[not-an-answer]: post 1 is a question; Task 1 returns answers",
            ":3:5: filtered[not-an-answer]: post 8 is a comment; Task 1 returns answers",
            ":4:5: filtered[not-an-answer]: post 9 is not in the collection",
            ":2:5: filtered[formula-place]: formula 3 stands in a comment",
            ":3:5: filtered[formula-place]: formula 1000000001 is not in the collection",
            "us-task1-a-auto-both-P.tsv: valid with 3 filtered hits\n",
            "us-task2-a-auto-math-P.tsv: valid with 2 filtered hits\n",
        ] {
            assert!(told.stdout.contains(line), "{line} in\n{}", told.stdout);
        }
    }
    assert_eq!(dir.run(&["check", answers, "--collection", "c", "--strict"]).code, 1);
    let fixed = dir.run(&["check", answers, formulas, "--collection", "c", "--fix", "-o", "out"]);
    assert_eq!(fixed.code, 0, "{}", fixed.stdout);
    assert!(
        fixed.stdout.contains("mended[not-an-answer]: 3 hits dropped that the lab filters"),
        "{}",
        fixed.stdout
    );
    let read = |name: &str| std::fs::read_to_string(dir.path().join("out").join(name)).unwrap();
    assert_eq!(read(answers), "A.1\t2\t1\t0.8\ta\n");
    assert_eq!(read(formulas), "B.1\t1\t1\t1\t0.9\ta\nB.1\t2\t2\t2\t0.6\ta\n");
    // The lab itself takes the same.
    dir.write(
        "q.xml",
        "<Topics><Topic number=\"A.1\"><Title>t</Title><Question>q</Question><Tags>a</Tags></Topic></Topics>",
    );
    dir.write(
        "f.xml",
        "<Topics><Topic number=\"B.1\"><Formula_Id>q_1</Formula_Id><Latex>x</Latex><Title>t</Title><Question>q</Question>\
         <Tags>a</Tags></Topic></Topics>",
    );
    let init = [
        "lab",
        "init",
        "lab",
        "--name",
        "x",
        "--topics",
        "1=q.xml",
        "--topics",
        "2=f.xml",
        "--collection",
        "c",
    ];
    let made = dir.run(&init);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let taken = dir.run(&["lab", "submit", "lab", answers, formulas]);
    assert_eq!(taken.code, 0, "{}{}", taken.stdout, taken.stderr);
    assert!(
        taken
            .stderr
            .contains("3 hits are filtered, listed in runs/main/us-task1-a-auto-both-P.tsv.filtered.json"),
        "{}",
        taken.stderr
    );
    let kept = std::fs::read_to_string(dir.path().join("lab/runs/main").join(formulas)).unwrap();
    assert_eq!(kept, "B.1\t1\t1\t1\t0.9\ta\nB.1\t2\t2\t4\t0.6\ta\n");
}
