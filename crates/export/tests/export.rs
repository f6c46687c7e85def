//! A small collection in every form, byte by byte.

use ::parquet::file::reader::{FileReader, SerializedFileReader};
use expect_test::{Expect, expect};
use export::parquet::{GivenMathml, Part};
use export::{Error, Existing, Folder, OptAs, Output, jsonl, parquet, trec, tsv};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use testkit::{SmallCollection, TempDir, small_collection};

fn names(folder: &Path) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder).unwrap().map(name).collect();
    names.sort();
    names
}

fn trec_of(small: &SmallCollection, unit: trec::Unit, expected: &Expect) {
    let path = small.folder.path().join("docs.trec");
    let mut out = Output::create(&path, Existing::Replace).unwrap();
    let mut seen = 0;
    let documents = trec::write(&small.collection, unit, &mut out, &mut |done| seen += done).unwrap();
    out.finish().unwrap();
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((documents, seen), (text.matches("<DOC>").count() as u64, 4));
    expected.assert_eq(&text);
}

#[test]
fn trec_documents_are_posts_answers_or_threads() {
    let small = small_collection("trec");
    trec_of(
        &small,
        trec::Unit::Post,
        &expect![[r#"
        <DOC>
        <DOCNO>10</DOCNO>
        <TITLE>Why is $\sum 1/n$ infinite?</TITLE>
        <TAGS>calculus series</TAGS>
        <TEXT>
        I know $H_n$ &amp; its growth.
        </TEXT>
        </DOC>
        <DOC>
        <DOCNO>12</DOCNO>
        <TEXT>
        Group the terms of
        $\sum \frac1n$
        and compare with $\log n$.
        </TEXT>
        </DOC>
        <DOC>
        <DOCNO>20</DOCNO>
        <TITLE>Harmonic numbers</TITLE>
        <TEXT>
        Do they grow?
        </TEXT>
        </DOC>
        <DOC>
        <DOCNO>21</DOCNO>
        <TEXT>
        Yes: $H_n$, see there.
        </TEXT>
        </DOC>
    "#]],
    );
    trec_of(
        &small,
        trec::Unit::Answer,
        &expect![[r#"
        <DOC>
        <DOCNO>12</DOCNO>
        <TITLE>Why is $\sum 1/n$ infinite?</TITLE>
        <TAGS>calculus series</TAGS>
        <TEXT>
        I know $H_n$ &amp; its growth.

        Group the terms of
        $\sum \frac1n$
        and compare with $\log n$.
        </TEXT>
        </DOC>
        <DOC>
        <DOCNO>21</DOCNO>
        <TITLE>Harmonic numbers</TITLE>
        <TEXT>
        Do they grow?

        Yes: $H_n$, see there.
        </TEXT>
        </DOC>
    "#]],
    );
    trec_of(
        &small,
        trec::Unit::Thread,
        &expect![[r#"
        <DOC>
        <DOCNO>10</DOCNO>
        <TITLE>Why is $\sum 1/n$ infinite?</TITLE>
        <TAGS>calculus series</TAGS>
        <TEXT>
        I know $H_n$ &amp; its growth.

        Group the terms of
        $\sum \frac1n$
        and compare with $\log n$.
        </TEXT>
        </DOC>
        <DOC>
        <DOCNO>20</DOCNO>
        <TITLE>Harmonic numbers</TITLE>
        <TEXT>
        Do they grow?

        Yes: $H_n$, see there.
        </TEXT>
        </DOC>
    "#]],
    );
}

#[test]
fn a_name_that_ends_in_gz_is_packed() {
    let small = small_collection("gz");
    let [plain, packed] = ["docs.jsonl", "docs.jsonl.gz"].map(|name| {
        let path = small.folder.path().join(name);
        let mut out = Output::create(&path, Existing::Keep).unwrap();
        jsonl::write(&small.collection, &jsonl::Part::ALL, &mut out, &mut |_| {}).unwrap();
        out.finish().unwrap();
        path
    });
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(File::open(packed).unwrap()).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, fs::read_to_string(plain).unwrap());
    expect![[r#"
        {"kind":"user","id":"3","name":"Hypatia"}
        {"kind":"question","id":10,"accepted":12,"title":"Why is <span class=\"math-container\" id=\"1\">$\\sum 1/n$</span> infinite?","body":"<p>I know <span class=\"math-container\" id=\"2\">$H_n$</span> &amp; its <em>growth</em>.</p>","markup":"html","tags":["calculus","series"],"score":7,"date":"2014-03-02T09:15:00.000","owner":"3","views":120}
        {"kind":"answer","id":12,"parent":10,"body":"<p>Group the terms of</p><p><span class=\"math-container\" id=\"3\">$$\\sum \\frac1n$$</span></p><p>and compare with <span class=\"math-container\" id=\"4\">$\\log n$</span>.</p>","markup":"html","score":-1,"date":"2014-03-02T10:00:00.000"}
        {"kind":"question","id":20,"title":"Harmonic numbers","body":"<p>Do they grow?</p>","markup":"html","date":"2015-01-01T00:00:00.000","owner":"3"}
        {"kind":"answer","id":21,"parent":20,"body":"<p>Yes: <span class=\"math-container\" id=\"5\">$H_n$</span>, see <a href=\"https://example.org/\" rel=\"noopener noreferrer\">there</a>.</p>","markup":"html","score":2}
        {"kind":"comment","id":7,"post":12,"text":"Only for <span class=\"math-container\" id=\"6\">$n&gt;1$</span>?","markup":"html","score":1,"owner":"3"}
        {"kind":"link","from":20,"to":10,"link":"duplicate"}
        {"kind":"link","from":21,"to":99,"link":"related"}
    "#]].assert_eq(&unpacked);
}

#[test]
fn parts_are_written_alone() {
    let small = small_collection("parts");
    let path = small.folder.path().join("links.jsonl");
    let mut out = Output::create(&path, Existing::Keep).unwrap();
    let lines = jsonl::write(&small.collection, &[jsonl::Part::Links], &mut out, &mut |_| {}).unwrap();
    out.finish().unwrap();
    assert_eq!(lines, 2);
    assert!(fs::read_to_string(path).unwrap().lines().all(|line| line.starts_with(r#"{"kind":"link""#)));
}

fn parquet_to(small: &SmallCollection, name: &str, mathml: GivenMathml) -> TempDir {
    let dir = TempDir::new(name);
    let mut folder = Folder::create(dir.path(), Existing::Keep).unwrap();
    let rows = parquet::write(&small.collection, &Part::ALL, mathml, &mut folder, &mut |_| {}).unwrap();
    let counts: Vec<u64> = rows.iter().map(|(_, rows)| *rows).collect();
    assert_eq!(counts, [4, 1, 2, 1, 7]);
    folder.finish().unwrap();
    dir
}

/// The schema and the rows of a file, as the library prints them.
fn printed(path: &Path) -> String {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let mut schema = Vec::new();
    ::parquet::schema::printer::print_schema(&mut schema, reader.metadata().file_metadata().schema());
    let mut text = String::from_utf8(schema).unwrap();
    for row in reader.get_row_iter(None).unwrap() {
        text += &format!("{}\n", row.unwrap());
    }
    text
}

#[test]
fn parquet_tables_can_be_read_back() {
    let small = small_collection("parquet");
    let dir = parquet_to(&small, "parquet-tables", GivenMathml::No);
    assert_eq!(
        names(dir.path()),
        ["comments.parquet", "formulas.parquet", "links.parquet", "posts.parquet", "users.parquet"]
    );
    expect![[r#"
        message posts {
          REQUIRED INT64 id;
          REQUIRED BYTE_ARRAY kind (STRING);
          REQUIRED INT64 thread_id;
          OPTIONAL INT64 parent_id;
          OPTIONAL INT64 accepted_id;
          OPTIONAL BYTE_ARRAY title (STRING);
          REQUIRED BYTE_ARRAY text (STRING);
          OPTIONAL BYTE_ARRAY title_html (STRING);
          REQUIRED BYTE_ARRAY html (STRING);
          REQUIRED group tags (LIST) {
            REPEATED group list {
              REQUIRED BYTE_ARRAY element (STRING);
            }
          }
          OPTIONAL INT32 score;
          OPTIONAL INT64 date (TIMESTAMP(MILLIS,false));
          OPTIONAL BYTE_ARRAY owner (STRING);
          OPTIONAL INT64 views;
        }
        {id: 10, kind: "question", thread_id: 10, parent_id: null, accepted_id: 12, title: "Why is $\sum 1/n$ infinite?", text: "I know $H_n$ & its growth.", title_html: "Why is <span class="math-container" id="1">$\sum 1/n$</span> infinite?", html: "<p>I know <span class="math-container" id="2">$H_n$</span> &amp; its <em>growth</em>.</p>", tags: ["calculus", "series"], score: 7, date: 2014-03-02 09:15:00.000 +00:00, owner: "3", views: 120}
        {id: 12, kind: "answer", thread_id: 10, parent_id: 10, accepted_id: null, title: null, text: "Group the terms of
        $\sum \frac1n$
        and compare with $\log n$.", title_html: null, html: "<p>Group the terms of</p><p><span class="math-container" id="3">$$\sum \frac1n$$</span></p><p>and compare with <span class="math-container" id="4">$\log n$</span>.</p>", tags: [], score: -1, date: 2014-03-02 10:00:00.000 +00:00, owner: null, views: null}
        {id: 20, kind: "question", thread_id: 20, parent_id: null, accepted_id: null, title: "Harmonic numbers", text: "Do they grow?", title_html: "Harmonic numbers", html: "<p>Do they grow?</p>", tags: [], score: null, date: 2015-01-01 00:00:00.000 +00:00, owner: "3", views: null}
        {id: 21, kind: "answer", thread_id: 20, parent_id: 20, accepted_id: null, title: null, text: "Yes: $H_n$, see there.", title_html: null, html: "<p>Yes: <span class="math-container" id="5">$H_n$</span>, see <a href="https://example.org/" rel="noopener noreferrer">there</a>.</p>", tags: [], score: 2, date: null, owner: null, views: null}
    "#]].assert_eq(&printed(&dir.path().join("posts.parquet")));
    expect![[r#"
        message comments {
          REQUIRED INT64 id;
          REQUIRED INT64 post_id;
          REQUIRED INT64 thread_id;
          REQUIRED BYTE_ARRAY text (STRING);
          REQUIRED BYTE_ARRAY html (STRING);
          OPTIONAL INT32 score;
          OPTIONAL INT64 date (TIMESTAMP(MILLIS,false));
          OPTIONAL BYTE_ARRAY owner (STRING);
        }
        {id: 7, post_id: 12, thread_id: 10, text: "Only for $n>1$?", html: "Only for <span class="math-container" id="6">$n&gt;1$</span>?", score: 1, date: null, owner: "3"}
    "#]].assert_eq(&printed(&dir.path().join("comments.parquet")));
    expect![[r#"
        message links {
          OPTIONAL INT64 from_id;
          OPTIONAL INT64 to_id;
          REQUIRED BYTE_ARRAY kind (STRING);
          OPTIONAL INT64 date (TIMESTAMP(MILLIS,false));
        }
        {from_id: 20, to_id: 10, kind: "duplicate", date: null}
        {from_id: 21, to_id: 99, kind: "related", date: null}
    "#]]
    .assert_eq(&printed(&dir.path().join("links.parquet")));
    expect![[r#"
        message users {
          REQUIRED BYTE_ARRAY id (STRING);
          REQUIRED BYTE_ARRAY name (STRING);
        }
        {id: "3", name: "Hypatia"}
    "#]]
    .assert_eq(&printed(&dir.path().join("users.parquet")));
    expect![[r#"
        message formulas {
          REQUIRED INT64 id;
          OPTIONAL INT64 post_id;
          OPTIONAL INT64 thread_id;
          REQUIRED BYTE_ARRAY type (STRING);
          OPTIONAL INT64 comment_id;
          OPTIONAL INT32 place;
          REQUIRED INT64 visual_id;
          OPTIONAL INT64 old_visual_id;
          REQUIRED BYTE_ARRAY issue (STRING);
          REQUIRED BYTE_ARRAY display (STRING);
          REQUIRED BYTE_ARRAY latex (STRING);
          REQUIRED BYTE_ARRAY key (STRING);
          REQUIRED BOOLEAN unreadable;
          REQUIRED BOOLEAN id_given;
          REQUIRED BOOLEAN visual_id_given;
          OPTIONAL INT64 table_post_id;
          OPTIONAL INT64 table_comment_id;
          OPTIONAL BYTE_ARRAY table_type (STRING);
        }
        {id: 1, post_id: 10, thread_id: 10, type: "title", comment_id: null, place: 0, visual_id: 501, old_visual_id: null, issue: "", display: "inline", latex: "\sum 1/n", key: "00000000000000000000000000000008", unreadable: false, id_given: true, visual_id_given: true, table_post_id: null, table_comment_id: null, table_type: null}
        {id: 2, post_id: 10, thread_id: 10, type: "question", comment_id: null, place: 0, visual_id: 502, old_visual_id: null, issue: "", display: "inline", latex: "H_n", key: "00000000000000000000000000000003", unreadable: false, id_given: true, visual_id_given: true, table_post_id: null, table_comment_id: null, table_type: null}
        {id: 3, post_id: 12, thread_id: 10, type: "answer", comment_id: null, place: 0, visual_id: 501, old_visual_id: null, issue: "", display: "block", latex: "\sum \frac1n", key: "0000000000000000000000000000000c", unreadable: false, id_given: true, visual_id_given: true, table_post_id: null, table_comment_id: null, table_type: null}
        {id: 4, post_id: 12, thread_id: 10, type: "answer", comment_id: null, place: 1, visual_id: 503, old_visual_id: null, issue: "", display: "inline", latex: "\log n", key: "00000000000000000000000000000006", unreadable: false, id_given: true, visual_id_given: true, table_post_id: null, table_comment_id: null, table_type: null}
        {id: 5, post_id: 21, thread_id: 20, type: "answer", comment_id: null, place: 0, visual_id: 502, old_visual_id: null, issue: "", display: "inline", latex: "H_n", key: "00000000000000000000000000000003", unreadable: false, id_given: true, visual_id_given: true, table_post_id: 12, table_comment_id: null, table_type: "answer"}
        {id: 6, post_id: 12, thread_id: 10, type: "comment", comment_id: 7, place: 0, visual_id: 504, old_visual_id: null, issue: "", display: "inline", latex: "n>1", key: "00000000000000000000000000000003", unreadable: false, id_given: true, visual_id_given: true, table_post_id: null, table_comment_id: null, table_type: null}
        {id: 9, post_id: null, thread_id: null, type: "nowhere", comment_id: null, place: null, visual_id: 505, old_visual_id: null, issue: "d", display: "inline", latex: "z", key: "00000000000000000000000000000001", unreadable: false, id_given: true, visual_id_given: true, table_post_id: 20, table_comment_id: null, table_type: "question"}
    "#]].assert_eq(&printed(&dir.path().join("formulas.parquet")));
    let reader = SerializedFileReader::new(File::open(dir.path().join("posts.parquet")).unwrap()).unwrap();
    let notes = reader.metadata().file_metadata().key_value_metadata().unwrap();
    let note = |key: &str| notes.iter().find(|note| note.key == key).and_then(|note| note.value.clone());
    assert_eq!(note("hypatia.collection.source").as_deref(), Some("arqmath"));
}

#[test]
fn parquet_is_the_same_every_time_and_has_mathml_if_asked() {
    let small = small_collection("parquet-again");
    let dirs = ["one", "two"].map(|name| parquet_to(&small, name, GivenMathml::Yes));
    for name in names(dirs[0].path()) {
        let [one, two] = [&dirs[0], &dirs[1]].map(|dir| fs::read(dir.path().join(&name)).unwrap());
        assert!(one == two, "{name}");
    }
    let formulas = printed(&dirs[0].path().join("formulas.parquet"));
    assert!(formulas.contains("presentation_mathml: \"<math><mi>H</mi></math>\""), "{formulas}");
}

fn tsv_to(small: &SmallCollection, options: &tsv::Options) -> (TempDir, tsv::Summary) {
    let dir = TempDir::new("tsv-tables");
    let mut folder = Folder::create(dir.path(), Existing::Keep).unwrap();
    let mut seen = 0;
    let summary = tsv::write(&small.collection, options, &mut folder, &mut |done| seen += done).unwrap();
    assert_eq!(seen, options.items(&small.collection));
    folder.finish().unwrap();
    (dir, summary)
}

fn options(mathml: tsv::Mathml) -> tsv::Options {
    tsv::Options { tables: tsv::Table::ALL.to_vec(), mathml, split: None }
}

#[test]
fn tables_of_formulas_are_the_labs() {
    let small = small_collection("tsv");
    let (dir, summary) = tsv_to(&small, &options(tsv::Mathml::Ours(OptAs::Labs)));
    assert_eq!(summary, tsv::Summary { rows: 7, ..tsv::Summary::default() });
    let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(
        names(dir.path()),
        ["latex_representation.tsv", "opt_representation.tsv", "slt_representation.tsv", "visual_ids.tsv"]
    );
    expect![[r#"
        id	post_id	thread_id	type	comment_id	old_visual_id	visual_id	issue	formula
        1	10	10	title			501		\sum 1/n
        2	10	10	question			502		H_n
        3	12	10	answer			501		\sum \frac1n
        4	12	10	answer			503		\log n
        5	21	20	answer			502		H_n
        6	12	10	comment	7		504		n>1
        9	20	20	question			505	d	z
    "#]]
    .assert_eq(&read("latex_representation.tsv"));
    expect![[r#"
        id	post_id	thread_id	type	comment_id	old_visual_id	visual_id	issue	formula
        1	10	10	title			501		"<math xmlns=""http://www.w3.org/1998/Math/MathML"" display=""inline"" alttext=""\sum 1/n""><mo lspace=""0"">∑</mo><mn>1</mn><mo lspace=""0"" rspace=""0"">/</mo><mi>n</mi></math>"
        2	10	10	question			502		"<math xmlns=""http://www.w3.org/1998/Math/MathML"" display=""inline"" alttext=""H_n""><msub><mi>H</mi><mi>n</mi></msub></math>"
        3	12	10	answer			501		"<math xmlns=""http://www.w3.org/1998/Math/MathML"" display=""inline"" alttext=""\sum \frac1n""><mo lspace=""0"">∑</mo><mfrac><mn>1</mn><mi>n</mi></mfrac></math>"
        4	12	10	answer			503		"<math xmlns=""http://www.w3.org/1998/Math/MathML"" display=""inline"" alttext=""\log n""><mi>log</mi><mo lspace=""0"" rspace=""0.167em"">&#x2061;</mo><mi>n</mi></math>"
        5	21	20	answer			502		"<math xmlns=""http://www.w3.org/1998/Math/MathML"" display=""inline"" alttext=""H_n""><msub><mi>H</mi><mi>n</mi></msub></math>"
        6	12	10	comment	7		504		"<math xmlns=""http://www.w3.org/1998/Math/MathML"" display=""inline"" alttext=""n&gt;1""><mi>n</mi><mo>&gt;</mo><mn>1</mn></math>"
        9	20	20	question			505	d	"<math xmlns=""http://www.w3.org/1998/Math/MathML"" display=""inline"" alttext=""z""><mi>z</mi></math>"
    "#]].assert_eq(&read("slt_representation.tsv"));
    expect![[r#"
        id	post_id	thread_id	type	comment_id	old_visual_id	visual_id	issue	formula
        1	10	10	title			501		"<math xmlns=""http://www.w3.org/1998/Math/MathML""><apply><sum/><apply><divide/><cn>1</cn><ci>n</ci></apply></apply></math>"
        2	10	10	question			502		"<math xmlns=""http://www.w3.org/1998/Math/MathML""><apply><csymbol cd=""ambiguous"">subscript</csymbol><ci>H</ci><ci>n</ci></apply></math>"
        3	12	10	answer			501		"<math xmlns=""http://www.w3.org/1998/Math/MathML""><apply><sum/><apply><divide/><cn>1</cn><ci>n</ci></apply></apply></math>"
        4	12	10	answer			503		"<math xmlns=""http://www.w3.org/1998/Math/MathML""><apply><log/><ci>n</ci></apply></math>"
        5	21	20	answer			502		"<math xmlns=""http://www.w3.org/1998/Math/MathML""><apply><csymbol cd=""ambiguous"">subscript</csymbol><ci>H</ci><ci>n</ci></apply></math>"
        6	12	10	comment	7		504		"<math xmlns=""http://www.w3.org/1998/Math/MathML""><apply><gt/><ci>n</ci><cn>1</cn></apply></math>"
        9	20	20	question			505	d	"<math xmlns=""http://www.w3.org/1998/Math/MathML""><ci>z</ci></math>"
    "#]].assert_eq(&read("opt_representation.tsv"));
    expect![[r#"
        id	visual_id
        1	501
        2	502
        3	501
        4	503
        5	502
        6	504
        9	505
    "#]]
    .assert_eq(&read("visual_ids.tsv"));
}

#[test]
fn given_mathml_is_written_if_asked_and_nothing_else() {
    let small = small_collection("tsv-given");
    let (dir, summary) = tsv_to(&small, &options(tsv::Mathml::Given));
    assert_eq!((summary.without_slt, summary.without_opt), (5, 7));
    let table = fs::read_to_string(dir.path().join("slt_representation.tsv")).unwrap();
    assert_eq!(table.lines().nth(2).unwrap(), "2\t10\t10\tquestion\t\t\t502\t\t<math><mi>H</mi></math>");
}

#[test]
fn tables_are_split_into_numbered_files() {
    let small = small_collection("tsv-split");
    let mathml = tsv::Mathml::Ours(OptAs::Meaning);
    let tables = vec![tsv::Table::Latex];
    let (dir, _) = tsv_to(&small, &tsv::Options { tables, mathml, split: Some(3) });
    let rows: Vec<usize> = (1..=3)
        .map(|part| dir.path().join(format!("latex_representation/{part}.tsv")))
        .map(|path| fs::read_to_string(path).unwrap().lines().count() - 1)
        .collect();
    assert_eq!(rows, [3, 3, 1]);
    // More files than rows: all are there.
    let tables = vec![tsv::Table::Latex];
    let (dir, _) = tsv_to(&small, &tsv::Options { tables, mathml, split: Some(9) });
    assert_eq!(names(&dir.path().join("latex_representation")).len(), 9);
}

#[test]
fn files_are_kept_and_failures_leave_none() {
    let small = small_collection("kept");
    let dir = TempDir::new("kept-tables");
    dir.write("links.parquet", "mine");
    let mut folder = Folder::create(dir.path(), Existing::Keep).unwrap();
    let error =
        parquet::write(&small.collection, &Part::ALL, GivenMathml::No, &mut folder, &mut |_| {}).unwrap_err();
    assert!(matches!(error, Error::Exists(_)), "{error}");
    assert_eq!(names(dir.path()), ["links.parquet"]);
    assert_eq!(fs::read_to_string(dir.path().join("links.parquet")).unwrap(), "mine");
    // What was not finished goes, and the old file stays.
    let mut folder = Folder::create(dir.path(), Existing::Replace).unwrap();
    parquet::write(&small.collection, &Part::ALL, GivenMathml::No, &mut folder, &mut |_| {}).unwrap();
    assert_eq!(names(dir.path()).len(), 6);
    drop(folder);
    assert_eq!(names(dir.path()), ["links.parquet"]);
    assert_eq!(fs::read_to_string(dir.path().join("links.parquet")).unwrap(), "mine");
}
