//! Tables of visual ids: all versions, large and small, whole and damaged.

use formats::{
    FormulaId, FormulaSite, Keep, Source, VisualIds, Wanted, read_visual_id_table, read_visual_ids,
    read_visual_ids_by_slt,
};
use std::collections::HashSet;
use std::io::Write;

const V2: &str = "id\tpost_id\tthread_id\ttype\tvisual_id\tformula\r\n\
                  1\t10\t10\ttitle\t100\tx\r\n\
                  2\t11\t10\tcomment\t200\t\"a\nb\"\r\n\
                  3\t11\t10\tanswer\t100\tx\r\n";
const V3: &str = "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula\n\
                  4\t11\t10\tanswer\t\t5\t7\tv\tx\n\
                  5\t11\t10\tquestion\t\t5\t\t\tx\n";

fn read(text: &str, wanted: Wanted<'_>) -> VisualIds {
    read_visual_id_table(Source::bytes("t", text), wanted, Keep::Places).unwrap()
}

fn check_error(text: &str, expected: &str) {
    let error =
        read_visual_id_table(Source::bytes("t", text), Wanted::All, Keep::Places).unwrap_err().to_string();
    assert!(error.starts_with(expected), "{text}\n{error}");
}

#[test]
fn the_second_version() {
    let ids = read(V2, Wanted::All);
    assert_eq!(ids.len(), 3);
    assert_eq!(ids.get("3").unwrap().as_str(), "100");
    let place = ids.place("2").unwrap();
    assert_eq!((place.post.as_str(), place.site), ("11", FormulaSite::Comment));
}

#[test]
fn the_third_version_takes_the_new_ids() {
    let ids = read(V3, Wanted::All);
    assert_eq!(ids.get("4").unwrap().as_str(), "7");
    assert_eq!(ids.get("5"), None, "without a visual id");
    assert_eq!(ids.place("5").unwrap().site, FormulaSite::Question);
    let bare = read_visual_id_table(Source::bytes("t", V3), Wanted::All, Keep::VisualIds).unwrap();
    assert_eq!((bare.len(), bare.place("4")), (1, None));
}

#[test]
fn only_what_is_wanted_is_kept() {
    let wanted: HashSet<FormulaId> = ["3", "9"].into_iter().map(FormulaId::from).collect();
    let ids = read(V2, Wanted::Only(&wanted));
    assert_eq!(ids.len(), 1);
    assert!(ids.get("3").is_some() && ids.get("1").is_none());
}

#[test]
fn two_columns_without_a_header() {
    let ids = read("1\t100\n2\t100\n1\t100\n", Wanted::All);
    assert_eq!(ids.len(), 2);
    assert_eq!(ids.place("1"), None);
}

#[test]
fn a_folder_of_tables_packed_or_not() {
    let folder = testkit::TempDir::new("visual-ids");
    folder.write("1.tsv", V2);
    folder.write("README.txt", "not a table");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(V3.as_bytes()).unwrap();
    folder.write("2.tsv.gz", packer.finish().unwrap());
    let ids = read_visual_ids(folder.path(), Wanted::All, Keep::VisualIds).unwrap();
    assert_eq!(ids.len(), 4);
    // The same formula with another visual id in a later table: the tables go by number.
    folder.write("10.tsv", "1\t999\n");
    let error = read_visual_ids(folder.path(), Wanted::All, Keep::VisualIds).unwrap_err().to_string();
    assert!(error.ends_with("10.tsv:1:3: formula 1 has visual id 999 here and 100 above"), "{error}");
    let empty = testkit::TempDir::new("visual-ids-empty");
    let error = read_visual_ids(empty.path(), Wanted::All, Keep::VisualIds).unwrap_err().to_string();
    assert!(error.ends_with("there is no table (*.tsv, *.tsv.gz) in this folder"), "{error}");
    assert!(read_visual_ids(&empty.path().join("none"), Wanted::All, Keep::VisualIds).is_err());
}

#[test]
fn the_pair_of_tables_of_the_first_years() {
    let formulas = || Source::bytes("f", "1\t10\t[V!x]\n2\t10\t[V!y]\n3\t11\t[V!x]\n4\t11\tNone\n");
    let visual = || Source::bytes("v", "100\t[V!x]\tx\n200\tNone\tz\n300\t[V!y]\ty\n");
    let ids = read_visual_ids_by_slt(formulas(), visual(), Wanted::All).unwrap();
    assert_eq!(ids.len(), 3);
    assert_eq!(ids.get("3").unwrap().as_str(), "100");
    let error = read_visual_ids_by_slt(Source::bytes("f", "1\t2\n"), visual(), Wanted::All).unwrap_err();
    assert_eq!(error.to_string(), "f:1:4: 2 columns where three were expected");
}

#[test]
fn damaged_tables_are_placed() {
    let v1 = "id\tpost_id\tthread_id\ttype\tformula\n1\t1\t1\ttitle\tx\n";
    check_error(
        v1,
        "t:1:1: no column visual_id; the columns are id, post_id, thread_id, type, formula. The first",
    );
    check_error(
        "visual_id\tcontent_mathml\n",
        "t:1:1: no column id; the columns are visual_id, content_mathml",
    );
    check_error("1\t2\t3\n", "t:1:1: neither a header with id and visual_id nor two columns");
    check_error("1\t2\n\t3\n", "t:2:1: a row without a formula id");
    check_error("1\t2\n3\n", "t:2:2: the row ends before its visual id");
    check_error(&V2.replace("answer", "poem"), "t:5:9: type \"poem\"; known are");
    check_error("1\t2\n1\t3\n", "t:2:3: formula 1 has visual id 3 here and 2 above");
    check_error(&V2.replace("b\"", "b"), "t:3:21: the quote that opens here is never closed");
}

#[test]
fn an_empty_table_has_no_formulas() {
    assert!(read("", Wanted::All).is_empty());
}
