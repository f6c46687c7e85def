//! `hypatia formula features`: every kind, and what is refused.

use crate::util::{Dir, Outcome};

fn features(dir: &Dir, formula: &str, options: &[&str]) -> Outcome {
    dir.run(&[&["formula", "features", "-e", formula, "--kind"], options].concat())
}

#[test]
fn every_kind_of_one_formula() {
    let dir = Dir::new("features");
    for (formula, options, expected) in [
        ("x^2+1", &["pairs"][..], "(V!x,+,n) (+,N!1,n) (V!x,N!1,nn) (V!x,N!2,a)"),
        ("x^2+1", &["pairs", "--window", "1"], "(V!x,+,n) (+,N!1,n) (V!x,N!2,a)"),
        ("x^2", &["pairs", "--eob", "none"], "(V!x,N!2,a)"),
        ("x^2", &["pairs"], "(V!x,0!,n) (V!x,N!2,a) (N!2,0!,n)"),
        ("x", &["pairs", "--eob", "none"], "-"),
        (r"\text{a b}c", &["pairs"], "(T!a␣b,V!c,n) (V!c,0!,n)"),
        ("x^2", &["pairs-opt"], "(O!SUP,V!x,0) (V!x,0!,0) (O!SUP,N!2,1) (N!2,0!,0)"),
        ("x", &["tuples"], "#(v!x,!0)# #(v!x,!0,-)#"),
        ("x", &["tuples", "--locations", "1", "--wrap"], "#(start)# #(v!x,!0)# #(end)#"),
        ("x^2", &["tuples", "--locations", "1", "--include", "S"], "#(v!x,n!2,a)#"),
        (
            "x^2",
            &["tuples", "--locations", "1", "--include", "S", "--synonyms", "typed"],
            "#(v!x,n!2,a)# #(?v,n!2,a)# #(v!x,?n,a)#",
        ),
        (
            "a+b",
            &["tuples", "--locations", "1", "--include", "S", "--swapped"],
            "#(v!a,+,n)# #(+,v!b,n)# #(v!b,+,n)# #(+,v!a,n)#",
        ),
        (
            "x+1",
            &["tuples", "--window", "0", "--locations", "1", "--include", "S"],
            "#(v!x,+,n)# #(v!x,n!1,nn)# #(+,n!1,n)#",
        ),
        ("x", &["paths"], "VAR/BASE VAR/BASE/HANGER"),
        ("xy", &["paths", "--prune", "--leaves", "1"], "-"),
        ("x^2", &["phoc", "--regions", "xy2"], "2:d x:13"),
        ("a+b", &["ngrams"], "a a~+ + +~b b"),
        ("a+b", &["ngrams", "--longest", "1", "--tokens", "layout"], "V!a + V!b"),
    ] {
        features(&dir, formula, options).prints(&format!("{expected}\n"));
    }
}

#[test]
fn tables_and_other_notations() {
    let dir = Dir::new("features-tables");
    dir.write("f.tsv", "id\tlatex\n7\tx\n8\ty\n");
    dir.run(&["formula", "features", "f.tsv", "--kind", "ngrams"]).prints("id\tfeatures\n7\tx\n8\ty\n");
    features(&dir, "[V!x,a[N!2]]", &["pairs", "--from", "slt", "--eob", "none"]).prints("(V!x,N!2,a)\n");
    features(&dir, "[V!x,a[N!2]]", &["ngrams", "--from", "slt"]).prints("x x~^ ^ ^~2 2\n");
    let opt = "[U!plus,0[V!a],1[V!b]]";
    features(&dir, opt, &["pairs-opt", "--from", "opt", "--eob", "none"])
        .prints("(U!plus,V!a,0) (U!plus,V!b,0)\n");
    features(&dir, "?x+1", &["pairs", "--query", "--eob", "none", "--window", "1"])
        .prints("(?x,+,n) (+,N!1,n)\n");
    features(&dir, "?x", &["paths", "--query"]).prints("WILDCARD/NIL\n");
}

#[test]
fn options_without_effect_are_refused() {
    let dir = Dir::new("features-refused");
    for (options, complaint) in [
        (&["phoc", "--window", "2"][..], "--window has no effect on --kind phoc"),
        (&["tuples", "--eob", "all"], "--eob has no effect on --kind tuples"),
        (&["pairs", "--include", "S"], "--include has no effect on --kind pairs"),
        (&["pairs-opt", "--wrap"], "--wrap has no effect on --kind pairs-opt"),
        (&["ngrams", "--prune"], "--prune has no effect on --kind ngrams"),
        (&["paths", "--longest", "2"], "--longest has no effect on --kind paths"),
        (
            &["pairs", "--from", "opt"],
            "--from opt has no effect on --kind pairs: an operator tree has no layout",
        ),
        (
            &["tuples", "--include", "SX"],
            "--include: 'X' is no kind of tuple, the kinds are S, T, C, D, R, E, L and A",
        ),
    ] {
        features(&dir, "x", options).fails(&format!("hypatia: {complaint}"));
    }
    let regions = features(&dir, "x", &["phoc", "--regions", "zz"]);
    assert_eq!((regions.code, regions.stdout.as_str()), (2, ""));
    assert!(regions.stderr.contains("`zz` is no set of regions"), "{}", regions.stderr);
}

#[test]
fn a_column_of_operator_trees_has_pairs_only() {
    let dir = Dir::new("features");
    dir.write("o.tsv", "id\topt\n7\t[U!plus,0[V!x],1[N!1]]\n");
    let outcome = dir.run(&["formula", "features", "o.tsv", "--kind", "pairs-opt", "--eob", "none"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    assert!(outcome.stdout.starts_with("id\tfeatures\n7\t(U!plus,V!x,0) "), "{}", outcome.stdout);
    dir.run(&["formula", "features", "o.tsv", "--kind", "tuples"]).fails(
        "hypatia: operator trees do not say what a formula looks like, which this command has to know",
    );
}
