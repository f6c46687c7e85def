//! `hypatia formula cluster`: the same number for what looks the same.

use crate::util::Dir;

#[test]
fn numbers_in_the_order_of_the_input() {
    let dir = Dir::new("cluster");
    dir.write("f.tsv", "id\tformula\n10\tx\n11\ty\n12\tx\n13\tz\n14\ty\n");
    let expected = "id\tvisual_id\n10\t1\n11\t2\n12\t1\n13\t3\n14\t2\n";
    for rule in ["key", "labs"] {
        dir.run(&["formula", "cluster", "f.tsv", "--by", rule]).prints(expected);
    }
    let json = dir.run(&["formula", "cluster", "f.tsv", "--format", "json"]);
    assert_eq!(json.stdout.lines().next(), Some(r#"{"id":"10","visual_id":"1"}"#));
}

#[test]
fn what_looks_the_same_is_together() {
    let dir = Dir::new("cluster-same");
    dir.write("f.txt", "\\frac{a}{b}\n{a \\over b}\n\\frac ba\n");
    dir.run(&["formula", "cluster", "f.txt"]).prints("id\tvisual_id\n1\t1\n2\t1\n3\t2\n");
}

#[test]
fn a_right_numbering_stays() {
    let dir = Dir::new("recluster-right");
    dir.write("f.tsv", "id\tvisual_id\tformula\n1\t7\tx\n2\t7\tx\n3\t8\ty\n");
    let arguments = ["formula", "cluster", "f.tsv", "--recluster", "--visual-id", "visual_id"];
    let run = dir.run(&arguments);
    assert_eq!(run.stdout, "id\told_visual_id\tnew_visual_id\n");
    assert!(run.stderr.contains("visual ids split\t0"), "{}", run.stderr);
}

#[test]
fn the_largest_part_keeps_its_id() {
    let dir = Dir::new("recluster");
    let rows = "1\t7\tx\n2\t7\ty\n3\t7\ty\n4\t8\tx\n5\t9\tz\n6\t9\tw\n";
    dir.write("f.tsv", format!("id\tvisual_id\tformula\n{rows}"));
    let arguments = ["formula", "cluster", "f.tsv", "--recluster", "--visual-id", "visual_id"];
    // 1 joins 4; of the tie in 9 the lowest formula id keeps it, the other is new.
    let run = dir.run(&arguments);
    assert_eq!(run.stdout, "id\told_visual_id\tnew_visual_id\n1\t7\t8\n6\t9\t10\n");
    assert!(run.stderr.contains("visual ids split\t2"), "{}", run.stderr);
    // Relevance turns the tie.
    dir.write("qrels", "B.1 0 6 3\nB.2 0 5 1\n");
    let with_relevance = [&arguments[..], &["--relevance", "qrels"]].concat();
    let run = dir.run(&with_relevance);
    assert_eq!(run.stdout, "id\told_visual_id\tnew_visual_id\n1\t7\t8\n5\t9\t10\n");
    assert!(run.stderr.ends_with("formulas with judgments\t2\n"), "{}", run.stderr);
    // A formula that nobody numbered is left out, and that is said.
    dir.write("f.tsv", format!("id\tvisual_id\tformula\n{rows}7\t\tv\n"));
    let run = dir.run(&arguments);
    assert!(run.stderr.ends_with("left out\t1\n"), "{}", run.stderr);
}

#[test]
fn a_numbering_is_needed_to_put_one_right() {
    let dir = Dir::new("recluster-needs");
    dir.write("f.tsv", "id\tformula\n1\tx\n");
    assert_eq!(dir.run(&["formula", "cluster", "f.tsv", "--recluster"]).code, 2);
    dir.run(&["formula", "cluster", "f.tsv", "--recluster", "--visual-id", "vid"])
        .fails("hypatia: f.tsv: no column 'vid'; did you mean 'id'? known: id, formula");
    dir.write("g.tsv", "id\tv\tformula\n1\t1\tx\n");
    dir.write("qrels", "B.1 0 6\n");
    let arguments =
        ["formula", "cluster", "g.tsv", "--recluster", "--visual-id", "v", "--relevance", "qrels"];
    dir.run(&arguments).fails("hypatia: qrels: line 1: 3 fields instead of topic, iteration, id, grade");
}

/// A collection is repaired by the same rule as a table.
#[test]
fn a_collection_and_its_table_get_the_same_visual_ids() {
    let dir = Dir::new("recluster-collection");
    // In the post the formulas stand in another order than their ids.
    let formulas = [
        (21, 9, "z"),
        (5, 9, "w"),
        (1, 7, "x"),
        (2, 7, "y"),
        (3, 7, "y"),
        (4, 8, "x"),
        (30, 12, "u"),
        (31, 12, "v"),
    ];
    let spans: String = formulas
        .iter()
        .map(|(id, _, latex)| {
            format!("&lt;span class=&quot;math-container&quot; id=&quot;{id}&quot;&gt;{latex}&lt;/span&gt; ")
        })
        .collect();
    dir.write(
        "dump/Posts.xml",
        format!(
            "<posts>\n<row Id=\"1\" PostTypeId=\"1\" Title=\"t\" Body=\"{spans}\" Tags=\"\"/>\n</posts>\n"
        ),
    );
    let rows: String = formulas
        .iter()
        .map(|(id, visual, latex)| format!("{id}\t1\t1\tquestion\t{visual}\t{latex}\n"))
        .collect();
    dir.write(
        "dump/latex_representation.tsv",
        format!("id\tpost_id\tthread_id\ttype\tvisual_id\tformula\n{rows}"),
    );
    dir.write("qrels", "B.1 0 31 2\nB.2 0 30 1\n");
    let built = dir.run(&["collection", "build", "dump", "-o", "c"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let of_collection = |arguments: &[&str]| {
        let verify = ["collection", "verify", "c", "--changes", "changes.tsv"];
        assert_eq!(dir.run(&[&verify[..], arguments].concat()).code, 1);
        let changes = std::fs::read_to_string(dir.path().join("changes.tsv")).unwrap();
        let changes = changes.lines().filter_map(|line| line.strip_prefix("visual-id\tformula "));
        let mut changes: Vec<String> = changes.map(str::to_owned).collect();
        changes.sort();
        changes
    };
    let of_table = |arguments: &[&str]| {
        let cluster = [
            "formula",
            "cluster",
            "dump/latex_representation.tsv",
            "--recluster",
            "--visual-id",
            "visual_id",
        ];
        let run = dir.run(&[&cluster[..], arguments].concat());
        let mut changes: Vec<String> = run.stdout.lines().skip(1).map(str::to_owned).collect();
        changes.sort();
        changes
    };
    assert_eq!(of_collection(&[]), of_table(&[]));
    assert_eq!(of_collection(&[]), ["1\t7\t8", "21\t9\t13", "31\t12\t14"]);
    let relevance = ["--relevance", "qrels"];
    assert_eq!(of_collection(&relevance), of_table(&relevance));
    assert_eq!(of_collection(&relevance), ["1\t7\t8", "21\t9\t13", "30\t12\t14"]);
}
