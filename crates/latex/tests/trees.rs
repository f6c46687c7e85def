//! Formulas beside their trees, as files: `test_data/{ok,err,query}/*.tex` and `*.tree`.
//!
//! A `.tex` file holds formulas parted by empty lines; the `.tree` file shows
//! for each the source, the tree and the diagnostics. `UPDATE_EXPECT=1` writes
//! the trees anew; read what changed. Formulas in `ok` have no error (though
//! maybe a remark), all those in `err` have one, those in `query` are queries.

use latex::{Mode, Parse, parse_bytes};
use std::fmt::Write;
use std::path::Path;

fn check(folder: &str, mode: Mode, judge: impl Fn(&str, &Parse)) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("test_data").join(folder);
    testkit::check_dir(folder, "tex", "tree", |file| {
        let mut out = String::new();
        for source in file.split("\n\n") {
            let parse = parse_bytes(source.as_bytes(), mode);
            judge(source, &parse);
            show(source, &parse, &mut out);
        }
        out
    });
}

fn show(source: &str, parse: &Parse, out: &mut String) {
    let separator = if out.is_empty() { "" } else { "\n" };
    write!(out, "{separator}{source}\n{}", parse.tree).expect("strings can be written to");
    for diagnostic in &parse.diagnostics {
        let latex::Span { start, end } = diagnostic.span;
        writeln!(out, "! {start}..{end} {}: {}", diagnostic.kind, diagnostic.message).expect("the same");
    }
}

#[test]
fn what_people_write_is_read() {
    check("ok", Mode::Document, |source, parse| {
        assert!(!parse.has_errors(), "{source}: {:?}", parse.diagnostics);
    });
}

#[test]
fn what_has_no_place_is_kept_and_reported() {
    check("err", Mode::Document, |source, parse| assert!(parse.has_errors(), "{source} has no error"));
}

#[test]
fn queries_have_wildcards() {
    check("query", Mode::Query, |_, _| {});
}
