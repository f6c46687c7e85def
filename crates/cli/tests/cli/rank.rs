//! `hypatia formula rank`: tables in, a run out.

use crate::util::{Dir, Outcome};

/// Runs `rank` on `q.tsv` and `c.tsv`, the run on standard output.
fn rank(dir: &Dir, more: &[&str]) -> Outcome {
    let arguments = ["formula", "rank", "--queries", "q.tsv", "--candidates", "c.tsv", "-o", "-"];
    dir.run(&[&arguments, more].concat())
}

/// Topics and ids in the order of a run.
fn order(run: &str) -> Vec<(&str, &str)> {
    run.lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!(fields.len(), 6, "{line}");
            (fields[0], fields[2])
        })
        .collect()
}

fn scores(run: &str) -> Vec<f32> {
    run.lines().map(|line| line.split('\t').nth(4).unwrap().parse().unwrap()).collect()
}

#[test]
fn the_most_alike_stand_first() {
    let dir = Dir::new("rank");
    dir.write("q.tsv", "topic\tlatex\nB.2\tx^2+y\nB.1\t\\frac{a}{b}\n");
    dir.write("c.tsv", "id\tlatex\n1\t\\frac{a}{b}\n2\tx^2+y\n3\t\\sum_{i}k\n");
    let run = rank(&dir, &["--tag", "us"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let order = order(&run.stdout);
    assert_eq!((order.len(), order[0], order[3]), (6, ("B.2", "2"), ("B.1", "1")));
    let first = run.stdout.lines().next().unwrap();
    assert_eq!(first, "B.2\tQ0\t2\t1\t1\tus");
    let scores = scores(&run.stdout);
    assert!(scores[0] >= scores[1] && scores[1] >= scores[2], "{scores:?}");
    // Fewer of them are the first of them, and 0 is all.
    let two = rank(&dir, &["--tag", "us", "--depth", "2"]);
    let wanted: Vec<&str> =
        run.stdout.lines().enumerate().filter(|(n, _)| n % 3 < 2).map(|(_, l)| l).collect();
    assert_eq!(two.stdout.lines().collect::<Vec<_>>(), wanted);
    assert_eq!(rank(&dir, &["--tag", "us", "--depth", "0"]), run);
}

#[test]
fn queries_can_rank_only_their_own() {
    let dir = Dir::new("rank-by");
    dir.write("q.tsv", "topic\tpart\tlatex\nB.1\tu\tx\nB.2\tv\ty\nB.3\tw\tz\n");
    dir.write("c.tsv", "visual\ttopic\tpart\tslt\n7\tB.1\tv\t[V!x]\n8\tB.2\tu\t[V!y]\n9\tB.9\tu\t[V!x]\n");
    let warning = |topics: &str| format!("hypatia: warning: c.tsv: no candidates for 1 topic: {topics}\n");
    let run = rank(&dir, &["--id", "visual", "--by", "topic"]);
    assert_eq!(order(&run.stdout), [("B.1", "7"), ("B.2", "8")]);
    assert_eq!((run.code, run.stderr), (0, warning("B.3")));
    let run = rank(&dir, &["--id", "visual", "--by", "part"]);
    assert_eq!(order(&run.stdout), [("B.1", "9"), ("B.1", "8"), ("B.2", "7")]);
    // A column that only the candidates have holds topics.
    dir.write("q.tsv", "topic\tlatex\nB.1\tx\n");
    dir.write("c.tsv", "id\tquery\tlatex\n1\tB.1\tx\n2\tB.2\tx\n");
    assert_eq!(order(&rank(&dir, &["--by", "query"]).stdout), [("B.1", "1")]);
}

#[test]
fn both_sides_use_the_same_notation() {
    // The wrong notation would score less than 1: its formula is another one.
    let check = |query: &str, candidate: &str| {
        let dir = Dir::new("rank-notation");
        dir.write("q.tsv", query);
        dir.write("c.tsv", candidate);
        let run = rank(&dir, &[]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{query}{candidate}");
        assert_eq!(scores(&run.stdout), [1.0], "{query}{candidate}");
    };
    check("topic\tslt\tlatex\n1\t[=]\tx+1\n", "id\tslt\tlatex\n1\t[<]\tx+1\n");
    check("topic\tlatex\tslt\topt\n1\ta\t[V!x[+[N!1]]]\t[V!q]\n", "id\tslt\topt\n1\t[V!x[+[N!1]]]\t[V!p]\n");
    // Row by row where a cell is empty.
    check("topic\tlatex\tslt\n1\t \t[V!x[+[N!1]]]\n", "id\tlatex\tslt\n1\ta\t[V!x[+[N!1]]]\n");
    // Nothing in common: layout is layout.
    check("topic\tlatex\n1\tx+1\n", "id\tslt\n1\t[V!x[+[N!1]]]\n");
    check("topic\tmathml\n1\t<math><mi>x</mi></math>\n", "id\tlatex\n1\tx\n");
}

#[test]
fn operator_trees_alone_are_enough() {
    let dir = Dir::new("rank-opt");
    dir.write("q.tsv", "topic\tslt\topt\n1\t[V!x]\t[U!plus,0[V!x],1[N!1]]\n");
    dir.write("c.tsv", "id\topt\na\t[O!SUP,0[V!x],1[N!2]]\nb\t[U!plus,0[V!x],1[N!1]]\n");
    let run = rank(&dir, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(order(&run.stdout), [("1", "b"), ("1", "a")]);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let dir = Dir::new("rank-threads");
    let letters = ["x", "y", "\\alpha", "n"];
    let mut candidates = String::from("id\tlatex\n");
    for number in 0..5000 {
        let (a, b) = (letters[number % 4], letters[number / 4 % 4]);
        // Ids come back, with another formula.
        candidates.push_str(&format!("{}\t{a}^{{{}}}+{b}_{}\n", number % 1700, number % 7, number % 3));
    }
    dir.write("c.tsv", candidates);
    dir.write("q.tsv", "topic\tlatex\nA\tx^2+y_1\nB\t?a^{?b}\nC\t\\alpha+1\n");
    let one = rank(&dir, &["-j", "1", "--depth", "50"]);
    assert_eq!((one.code, one.stdout.lines().count()), (0, 150));
    assert!(one.stderr.contains("again at least"), "{}", one.stderr);
    for threads in ["2", "7"] {
        assert_eq!(rank(&dir, &["-j", threads, "--depth", "50"]), one);
    }
    // The best of all are the best of fewer.
    let all = rank(&dir, &["--depth", "0"]);
    assert!(
        all.stderr.ends_with("a topic has an id again 9900 times; the best score counts\n"),
        "{}",
        all.stderr
    );
    let lines: Vec<&str> = all.stdout.lines().collect();
    assert_eq!(lines.len(), 3 * 1700);
    let first: Vec<&str> = lines.chunks(1700).flat_map(|topic| &topic[..50]).copied().collect();
    assert_eq!(first, one.stdout.lines().collect::<Vec<_>>());
}

#[test]
fn equal_scores_are_ordered_by_id_from_the_end() {
    let dir = Dir::new("rank-ties");
    dir.write("q.tsv", "topic\tlatex\n1\tx\n");
    dir.write("c.tsv", "id\tlatex\n10\tx\n9\tx\n100\tx\n");
    let run = rank(&dir, &[]);
    assert_eq!(order(&run.stdout), [("1", "9"), ("1", "100"), ("1", "10")]);
}

#[test]
fn what_cannot_be_read_stands_last_and_is_said() {
    let dir = Dir::new("rank-unread");
    dir.write("q.tsv", "topic\tslt\nB.1\t[V!x]\n");
    dir.write("c.tsv", "id\tslt\n1\t[V!x\n2\t[V!q]\n3\t\n\tx\na b\t[V!x]\n4\n");
    let run = rank(&dir, &[]);
    assert_eq!(order(&run.stdout), [("B.1", "2"), ("B.1", "4"), ("B.1", "3"), ("B.1", "1")]);
    assert_eq!(scores(&run.stdout)[1..], [-1.0; 3]);
    let said: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(said.len(), 4, "{}", run.stderr);
    assert!(said[0].starts_with("hypatia: warning: c.tsv:2: slt: "), "{}", said[0]);
    assert_eq!(
        said[1..],
        [
            "hypatia: warning: c.tsv: 2 rows left out: the id is empty or holds blanks (first in line 5)",
            "hypatia: warning: c.tsv: 1 formula that could not be read, ranked last (first in line 2)",
            "hypatia: warning: c.tsv: 2 rows without a formula that can be read, ranked last (first in line 4)",
        ]
    );
    // Only the first ones are shown, all are counted.
    let rows: String = (0..30).map(|number| format!("{number}\t[\n")).collect();
    dir.write("c.tsv", format!("id\tslt\n{rows}"));
    let run = rank(&dir, &[]);
    assert_eq!(run.stderr.lines().count(), 12, "{}", run.stderr);
    assert!(run.stderr.contains("c.tsv: and 20 more that could not be read\n"), "{}", run.stderr);
    assert!(run.stderr.contains("c.tsv: 30 formulas that could not be read"), "{}", run.stderr);
}

#[test]
fn a_query_that_cannot_be_read_still_has_results() {
    let dir = Dir::new("rank-unread-query");
    dir.write("q.tsv", "topic\tslt\nB.1\t[V!\nB.2\t\n");
    dir.write("c.tsv", "id\tslt\n1\t[V!x]\n");
    let run = rank(&dir, &[]);
    assert_eq!(order(&run.stdout), [("B.1", "1"), ("B.2", "1")]);
    assert!(run.stderr.starts_with("hypatia: warning: q.tsv:2: slt: "), "{}", run.stderr);
    assert!(
        run.stderr.contains("q.tsv: 2 rows without a formula that can be read, so nothing is alike"),
        "{}",
        run.stderr
    );
}

#[test]
fn wrong_tables_are_refused() {
    let check = |query: &str, candidates: &str, more: &[&str], expected: &str| {
        let dir = Dir::new("rank-wrong");
        dir.write("q.tsv", query);
        dir.write("c.tsv", candidates);
        rank(&dir, more).fails(&format!("hypatia: {expected}"));
    };
    let header = "in the first line, which has to be the header";
    let (query, candidates) = ("topic\tlatex\n1\tx\n", "id\tlatex\n1\tx\n");
    check("", candidates, &[], "q.tsv: is empty, but a table needs a header line");
    check("\t\n", candidates, &[], "q.tsv: the first line is blank, but a table needs a header line");
    check("topic\tlatex\n", candidates, &[], "q.tsv: no queries, only a header");
    check(
        "topics\tlatex\n1\tx\n",
        candidates,
        &[],
        &format!("q.tsv: no column 'topic' {header}; did you mean 'topics'? known: topics, latex"),
    );
    check(
        "topic\tformula\n1\tx\n",
        candidates,
        &[],
        &format!("q.tsv: no column of formulas (latex, mathml, slt, opt) {header}; known: topic, formula"),
    );
    check(
        query,
        "id,latex\n",
        &[],
        &format!("c.tsv: no column 'id' {header}; known: id,latex (columns are separated by tabs)"),
    );
    check(
        query,
        candidates,
        &["--id", "visual_id"],
        &format!("c.tsv: no column 'visual_id' {header}; known: id, latex"),
    );
    check(
        query,
        candidates,
        &["--by", "latx"],
        &format!("c.tsv: no column 'latx' {header}; did you mean 'latex'? known: id, latex"),
    );
    check(
        "topic\tlatex\nB.1\tx\nB.2\ty\nB.1\tz\n",
        candidates,
        &[],
        "q.tsv:4: topic 'B.1' is there twice, first in line 2",
    );
    check("topic\tlatex\nB 1\tx\n", candidates, &[], "q.tsv:2: the topic 'B 1' is empty or holds blanks");
    check(query, "id\tlatex\n1\t\"x\n", &[], "c.tsv: line 2: a quoted field is never closed");
}

#[test]
fn a_table_of_nothing_gives_an_empty_run() {
    let dir = Dir::new("rank-nothing");
    dir.write("q.tsv", "topic\tlatex\n1\tx\n");
    dir.write("c.tsv", "id\tlatex\n");
    let run = rank(&dir, &[]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert_eq!(run.stderr, "hypatia: warning: c.tsv: no candidates for 1 topic: 1\n");
}

#[test]
fn a_run_is_written_whole_or_not_at_all() {
    let dir = Dir::new("rank-whole");
    dir.write("q.tsv", "topic\tlatex\n1\tx\n");
    dir.write("c.tsv", "id\tlatex\n1\t\"x\n");
    dir.write("run", "before");
    let arguments = ["formula", "rank", "--queries", "q.tsv", "--candidates", "c.tsv", "-o", "run"];
    assert_eq!(dir.run(&arguments).code, 2);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let files = || {
        let mut files: Vec<String> = std::fs::read_dir(dir.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        files
    };
    assert_eq!(read("run"), "before");
    assert_eq!(files(), ["c.tsv", "q.tsv", "run"]);
    dir.write("c.tsv", "id\tlatex\n1\tx\n");
    let ranked = dir.run(&arguments);
    assert_eq!((ranked.code, ranked.stderr.as_str()), (0, "run: replaced\n"));
    assert_eq!(read("run"), "1\tQ0\t1\t1\t1\thypatia-formula\n");
    assert_eq!(files(), ["c.tsv", "q.tsv", "run"]);
    // The inputs are not written over, and a missing folder is said before the work.
    let to = |output: &str| dir.run(&[&arguments[..7], &[output]].concat());
    to("./c.tsv").fails("hypatia: c.tsv: would be overwritten by its result");
    assert!(to("none/run").stderr.starts_with("hypatia: none/run: "));
    to(".").fails("hypatia: .: is a folder, not a file");
}

#[test]
fn the_record_says_how_the_run_was_made() {
    let dir = Dir::new("rank-record");
    dir.write("q.tsv", "topic\tlatex\n1\tx\n");
    dir.write("c.tsv", "id\tlatex\n1\tx\n2\ty\n");
    assert_eq!(rank(&dir, &["--record", "run.json", "--tag", "us"]).code, 0);
    let record = std::fs::read_to_string(dir.path().join("run.json")).unwrap();
    for part in [
        r#""tag": "us""#,
        r#""depth": 1000"#,
        r#""term": "aligned""#,
        r#""file": "c.tsv""#,
        r#""checksum": "xxh3-128:"#,
        r#""rows": 2"#,
    ] {
        assert!(record.contains(part), "{part} is not in {record}");
    }
}

#[test]
fn candidates_can_come_from_standard_input() {
    let dir = Dir::new("rank-stdin");
    dir.write("q.tsv", "topic\tlatex\n1\tx\n");
    let arguments = ["formula", "rank", "--queries", "q.tsv", "--candidates", "-", "-o", "-"];
    dir.pipe(&arguments, b"id\tlatex\n1\tx\n").prints("1\tQ0\t1\t1\t1\thypatia-formula\n");
    dir.run(&["formula", "rank", "--queries", "-", "--candidates", "-", "-o", "-"])
        .fails("hypatia: standard input can hold the queries or the candidates, not both");
    let run = rank(&dir, &["--tag", "two words"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("a tag is a word without blanks"), "{}", run.stderr);
}

#[test]
fn a_missing_folder_is_named() {
    let dir = Dir::new("rank");
    dir.write("q.tsv", "topic\tlatex\n1\tx\n");
    dir.write("c.tsv", "id\tlatex\n1\tx\n");
    let arguments = ["formula", "rank", "--queries", "q.tsv", "--candidates", "c.tsv", "-o", "none/run.tsv"];
    dir.run(&arguments).fails("hypatia: none/run.tsv: there is no folder none");
}
