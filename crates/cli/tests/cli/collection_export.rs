//! `hypatia collection export`: a small collection in every form.

use crate::util::{Dir, Outcome};
use std::fs;
use std::path::Path;
use testkit::{SmallCollection, small_collection};

struct Case {
    dir: Dir,
    small: SmallCollection,
}

impl Case {
    fn new(name: &str) -> Self {
        Self { dir: Dir::new(name), small: small_collection(name) }
    }

    fn export(&self, arguments: &[&str]) -> Outcome {
        let path = self.small.collection.path().to_str().unwrap();
        self.dir.run(&[&["collection", "export", path], arguments].concat())
    }

    /// It was written, and this was said of it.
    #[track_caller]
    fn says(&self, arguments: &[&str], stderr: &str) {
        let expected = Outcome { code: 0, stdout: String::new(), stderr: stderr.to_owned() };
        assert_eq!(self.export(arguments), expected, "{arguments:?}");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.dir.path().join(name)).unwrap()
    }

    fn read_bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.dir.path().join(name)).unwrap()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

#[test]
fn trec_goes_to_a_file_a_folder_or_standard_output() {
    let case = Case::new("export-trec");
    let answers = ["--to", "trec", "--unit", "answer", "-o"];
    let to = |path: &'static str| [&answers[..], &[path]].concat();
    let path = case.dir.path().canonicalize().unwrap();
    case.says(&to("answers.trec"), "answers.trec: 2 documents\n");
    let text = case.read("answers.trec");
    let first = "<DOC>\n<DOCNO>12</DOCNO>\n<TITLE>Why is $\\sum 1/n$ infinite?</TITLE>\n\
                 <TAGS>calculus series</TAGS>\n<TEXT>\nI know $H_n$ &amp; its growth.\n\nGroup the terms of\n";
    assert!(text.starts_with(first), "{text}");
    let outcome = case.export(&to("-"));
    assert_eq!((outcome.stdout, outcome.stderr.as_str()), (text, "standard output: 2 documents\n"));
    case.says(&to("."), "./docs.trec: 2 documents\n");
    assert_eq!(names(&path), ["answers.trec", "docs.trec"]);
}

#[test]
fn a_named_file_is_replaced_and_others_in_a_folder_are_kept_unless_forced() {
    let case = Case::new("export-force");
    case.dir.write("docs.jsonl", "earlier");
    case.says(&["--to", "jsonl", "-o", "docs.jsonl"], "docs.jsonl: replaced\ndocs.jsonl: 8 lines\n");
    assert!(case.read("docs.jsonl").starts_with("{\"kind\":\"user\",\"id\":\"3\",\"name\":\"Hypatia\"}\n"));
    fs::create_dir(case.dir.path().join("tables")).unwrap();
    case.dir.write("tables/users.parquet", "mine");
    let tables = ["--to", "parquet", "-o", "tables"];
    case.export(&tables).fails("hypatia: tables/users.parquet: exists already; --force replaces it");
    assert_eq!(names(&case.dir.path().join("tables")), ["users.parquet"]);
    assert_eq!(case.export(&[&tables[..], &["--force"]].concat()).code, 0);
    assert_ne!(case.read_bytes("tables/users.parquet"), b"mine");
}

#[test]
fn parquet_and_tables_go_to_a_folder() {
    let case = Case::new("export-folder");
    case.says(
        &["--to", "parquet", "-o", "tables", "--only", "links,formulas"],
        "tables/links.parquet: 2 rows\ntables/formulas.parquet: 7 rows\n",
    );
    assert_eq!(names(&case.dir.path().join("tables")), [".hypatia", "formulas.parquet", "links.parquet"]);
    case.says(&["--to", "tsv", "-o", "labs"], "labs: 7 rows a table\n");
    case.says(
        &["--to", "tsv", "-o", "given", "--only", "slt", "--given", "--split", "2"],
        "given: 7 rows a table\n5 formulas with an empty cell in slt_representation\n",
    );
    assert_eq!(names(&case.dir.path().join("given/slt_representation")), ["1.tsv", "2.tsv"]);
    assert!(case.read("labs/visual_ids.tsv").starts_with("id\tvisual_id\n1\t501\n2\t502\n"));
}

#[test]
fn options_without_effect_are_mistakes() {
    let case = Case::new("export-idle");
    for (arguments, line) in [
        (&["--to", "jsonl", "--unit", "post"][..], "--unit goes with --to trec only"),
        (&["--to", "trec", "--only", "posts"], "--only has no effect on --to trec: see --unit"),
        (&["--to", "tsv", "--with-mathml"], "--with-mathml goes with --to parquet only"),
        (&["--to", "trec", "--split", "2"], "--split goes with --to tsv only"),
        (&["--to", "tsv", "--only", "latex", "--given"], "--given has no effect without slt or opt"),
        (&["--to", "tsv", "--only", "slt", "--as", "labs"], "--as has no effect without opt"),
        (
            &["--to", "jsonl", "--only", "formulas"],
            "--to jsonl has no formulas: it has posts, comments, links, users",
        ),
        (
            &["--to", "tsv", "--only", "slt,posts"],
            "--to tsv has no posts: it has latex, slt, opt, visual-ids",
        ),
    ] {
        case.export(&[arguments, &["-o", "out"]].concat()).fails(&format!("hypatia: {line}"));
    }
    assert!(names(case.dir.path()).is_empty());
}

#[test]
fn what_is_no_collection_is_said() {
    let dir = Dir::new("export-wrong");
    dir.write("a.txt", "text");
    dir.run(&["collection", "export", "a.txt", "--to", "trec", "-o", "b"])
        .fails("hypatia: a.txt: is no collection; make one with `hypatia collection build`");
    let outcome = dir.run(&["collection", "export", "missing", "--to", "trec", "-o", "b"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.starts_with("hypatia: missing: "), "{}", outcome.stderr);
}
