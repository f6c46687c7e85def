//! Formula ids that stand at several places, names as ids, dollars in texts.

use export::{Existing, Folder, OptAs, Output, jsonl, parquet, trec, tsv};
use std::fs;
use store::{
    About, Claim, Collection, CollectionWriter, FormLook, FormMarks, FormNo, FormulaMarks, Id, IdKind,
    IdKinds, NewForm, NewFormula, NewPost, Part, PostKind,
};
use testkit::TempDir;

/// The id and the text of a post, and its formulas as id and marks.
type Document<'d> = (Id<'d>, &'d str, &'d [(Id<'d>, u8)]);

fn documents(dir: &TempDir, ids: IdKinds, posts: &[Document<'_>]) -> Collection {
    let path = dir.path().join("coll");
    let mut writer = CollectionWriter::create(&path, ids).unwrap();
    writer.add_form(&NewForm { latex: "a&b\n<c", visual: Some(1), ..NewForm::default() }).unwrap();
    writer.add_form(&NewForm { latex: "", visual: Some(2), ..NewForm::default() }).unwrap();
    for (id, body, formulas) in posts {
        let post = NewPost {
            id: *id,
            kind: PostKind::Document,
            parent: None,
            title: None,
            body,
            tags: &[],
            score: None,
            date: None,
            owner: None,
            views: None,
        };
        let formulas: Vec<NewFormula<'_>> = formulas
            .iter()
            .enumerate()
            .map(|(place, (id, bits))| {
                if bits & FormulaMarks::ELSEWHERE != 0 {
                    let claim = Claim { post: "8", comment: None, part: "answer" };
                    writer.claim_elsewhere(Part::Body, place as u32, claim).unwrap();
                }
                NewFormula { id: *id, form: FormNo(0), marks: FormulaMarks::new(Part::Body, *bits) }
            })
            .collect();
        writer.add_post(&post, &formulas).unwrap();
    }
    writer.look_at_forms(|| |_: &str, _: &str| FormLook { key: 0, marks: FormMarks(0) }).unwrap();
    writer.finish(About::default()).unwrap();
    Collection::open(&path).unwrap()
}

fn table(dir: &TempDir, collection: &Collection, table: tsv::Table) -> (String, tsv::Summary) {
    let options = tsv::Options { tables: vec![table], mathml: tsv::Mathml::Ours(OptAs::Labs), split: None };
    let mut folder = Folder::create(&dir.path().join("tables"), Existing::Replace).unwrap();
    let summary = tsv::write(collection, &options, &mut folder, &mut |_| {}).unwrap();
    folder.finish().unwrap();
    let name = if table == tsv::Table::Slt { "slt_representation.tsv" } else { "latex_representation.tsv" };
    (fs::read_to_string(dir.path().join("tables").join(name)).unwrap(), summary)
}

#[test]
fn an_id_has_one_row_where_its_table_has_it_else_where_it_stands_first() {
    let dir = TempDir::new("places");
    let number = Id::Number;
    let elsewhere = FormulaMarks::ELSEWHERE;
    let collection = documents(
        &dir,
        IdKinds::default(),
        &[
            (
                number(7),
                "\u{FDD0} \u{FDD0} \u{FDD0}",
                &[(number(5), elsewhere), (number(3), elsewhere), (number(4), 0)],
            ),
            (
                number(8),
                "\u{FDD0} \u{FDD0} \u{FDD0}",
                &[(number(5), 0), (number(3), elsewhere), (number(4), 0)],
            ),
        ],
    );
    let (text, summary) = table(&dir, &collection, tsv::Table::Latex);
    assert_eq!(
        text,
        "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula\n\
         3\t7\t7\tdocument\t\t\t1\t\t\"a&b\n<c\"\n\
         4\t7\t7\tdocument\t\t\t1\t\t\"a&b\n<c\"\n\
         5\t8\t8\tdocument\t\t\t1\t\t\"a&b\n<c\"\n"
    );
    assert_eq!((summary.rows, summary.other_places), (3, 3));
    // MathML is on one line.
    let (text, _) = table(&dir, &collection, tsv::Table::Slt);
    assert_eq!(text.lines().count(), 4, "{text}");
}

#[test]
fn names_and_dollars_go_out_safely() {
    let dir = TempDir::new("names");
    let ids = IdKinds { posts: IdKind::Texts, formulas: IdKind::Texts, ..IdKinds::default() };
    let body = "<p>$5 or \\(6\\) for \u{FDD0} &lt;/TEXT&gt;</p>";
    let formulas: &[(Id<'_>, u8)] = &[(Id::Text("f \"1\""), 0)];
    let collection = documents(&dir, ids, &[(Id::Text("a b.md"), body, formulas)]);
    let write = |name: &str, write: &dyn Fn(&mut Output) -> u64| {
        let path = dir.path().join(name);
        let mut out = Output::create(&path, Existing::Keep).unwrap();
        assert_eq!(write(&mut out), 1);
        out.finish().unwrap();
        fs::read_to_string(path).unwrap()
    };
    let text =
        write("docs.trec", &|out| trec::write(&collection, trec::Unit::Post, out, &mut |_| {}).unwrap());
    assert_eq!(
        text,
        "<DOC>\n<DOCNO>a%20b.md</DOCNO>\n<TEXT>\n\
         $5 or \\(6\\) for $a&amp;b\n&lt;c$ &lt;/TEXT&gt;\n</TEXT>\n</DOC>\n"
    );
    let text =
        write("docs.jsonl", &|out| jsonl::write(&collection, &jsonl::Part::ALL, out, &mut |_| {}).unwrap());
    assert_eq!(
        text,
        "{\"kind\":\"document\",\"id\":\"a b.md\",\"body\":\"<p>&#36;5 or &#92;(6&#92;) for \
         <span class=\\\"math-container\\\" id=\\\"f &quot;1&quot;\\\">$a&amp;b\\n&lt;c$</span> \
         &lt;/TEXT&gt;</p>\",\"markup\":\"html\"}\n"
    );
    let mut folder = Folder::create(&dir.path().join("tables"), Existing::Keep).unwrap();
    let (parts, mathml) = (parquet::Part::ALL, parquet::GivenMathml::No);
    let rows = parquet::write(&collection, &parts, mathml, &mut folder, &mut |_| {}).unwrap();
    assert_eq!(rows.iter().map(|(_, rows)| *rows).collect::<Vec<_>>(), [1, 0, 0, 0, 1]);
    folder.finish().unwrap();
}
