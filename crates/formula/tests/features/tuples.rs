//! Math tuples.

use super::{any_latex, monsters, slt};
use formula::features::tuples::{Include, NodeTypes, Normalisation, Synonyms};
use formula::features::{TupleExtractor, TupleOptions};
use formula::slt::{Slt, from_latex};
use latex::Mode;
use proptest::prelude::*;

fn tuples(options: TupleOptions, latex: &str) -> Vec<String> {
    let mut slt = Slt::default();
    from_latex(&latex::parse_bytes(latex.as_bytes(), Mode::Query).tree, &mut slt);
    let mut found = Vec::new();
    TupleExtractor::new(options).slt(&slt, |tuple| found.push(tuple.to_owned()));
    found
}

fn check(options: TupleOptions, latex: &str, expected: &str) {
    let expected: Vec<_> = expected.split_whitespace().collect();
    assert_eq!(tuples(options, latex), expected, "{latex}");
}

#[test]
fn worked_examples() {
    let check = |latex, expected| check(TupleOptions::default(), latex, expected);
    check("x", "#(v!x,!0)# #(v!x,!0,-)#");
    check("a=b", "#(v!a,=,n)# #(v!a,=,n,-)# #(=,v!b,n)# #(=,v!b,n,n)# #(v!b,!0)# #(v!b,!0,-)#");
    check(
        "x^2+1",
        "#(v!x,[n,a])# #(v!x,[n,a],-)# #(v!x,+,n)# #(v!x,+,n,-)# #(+,n!1,n)# #(+,n!1,n,n)# #(n!1,!0)# \
         #(n!1,!0,nn)# #(v!x,n!2,a)# #(v!x,n!2,a,-)# #(n!2,!0)# #(n!2,!0,a)#",
    );
    check(
        r"\frac ab",
        "#(f!,[o,u])# #(f!,[o,u],-)# #(f!,v!a,o)# #(f!,v!a,o,-)# #(v!a,!0)# #(v!a,!0,o)# #(f!,v!b,u)# \
         #(f!,v!b,u,-)# #(v!b,!0)# #(v!b,!0,u)#",
    );
    check(
        "f(x)",
        "#(v!f,m!()1x1,n)# #(v!f,m!()1x1,n,-)# #(m!()1x1,v!x,w)# #(m!()1x1,v!x,w,n)# #(v!x,!0)# \
         #(v!x,!0,nw)#",
    );
    check(
        "(x,y)",
        "#(m!()1x2,v!x,w)# #(m!()1x2,v!x,w,-)# #(v!x,v!y,e)# #(v!x,v!y,e,w)# #(v!y,!0)# #(v!y,!0,we)#",
    );
    check("?x+1", "#(*,+,n)# #(*,+,n,-)# #(+,n!1,n)# #(+,n!1,n,n)# #(n!1,!0)# #(n!1,!0,nn)#");
    check(
        "a+a+a",
        "#(v!a,+,n)# #(v!a,+,n,-)# #(+,v!a,n)# #(+,v!a,n,n)# #(v!a,+,n)# #(v!a,+,n,nn)# #(+,v!a,n)# \
         #(+,v!a,n,nnn)# #(v!a,!0)# #(v!a,!0,nnnn)# \
         #{v!a,nn}# #{v!a,nn,nn}# #{?v,nn}# #{?v,nn,nn}# #{+,nn}# #{+,nn,n}# #{?o,nn}# #{?o,nn,n}# \
         #{v!a,nn}# #{v!a,nn,-}# #{?v,nn}# #{?v,nn,-}#",
    );
}

#[test]
fn duplicates_behind_a_relation() {
    let found = tuples(TupleOptions::default(), "y_i^n=n+x^n");
    let duplicates: Vec<_> = found.iter().filter(|tuple| tuple.starts_with("#{")).collect();
    assert_eq!(
        duplicates,
        [
            "#{v!n,nna}#",
            "#{v!n,nna,-}#",
            "#{?v,nna}#",
            "#{?v,nna,-}#",
            "#{v!n,-,a}#",
            "#{v!n,-,a,-}#",
            "#{?v,-,a}#",
            "#{?v,-,a,-}#"
        ]
    );
}

const NOTHING: Include = Include::No;

fn nothing() -> TupleOptions {
    TupleOptions {
        pairs: NOTHING,
        terminals: NOTHING,
        compounds: NOTHING,
        duplicates: NOTHING,
        ..TupleOptions::default()
    }
}

#[test]
fn each_kind_alone() {
    let plain = Include::Near(1);
    check(nothing(), "x^2+1", "");
    check(TupleOptions { pairs: plain, ..nothing() }, "x^2+1", "#(v!x,+,n)# #(+,n!1,n)# #(v!x,n!2,a)#");
    check(
        TupleOptions { pairs: plain, window: 2, ..nothing() },
        "x^2+1",
        "#(v!x,+,n)# #(v!x,n!1,nn)# #(+,n!1,n)# #(v!x,n!2,a)#",
    );
    check(TupleOptions { terminals: plain, ..nothing() }, "x^2+1", "#(n!1,!0)# #(n!2,!0)#");
    check(TupleOptions { compounds: plain, ..nothing() }, "x_1^2+1", "#(v!x,[n,a,b])#");
    check(TupleOptions { edge_pairs: plain, ..nothing() }, "y+x^2z", "#(n,n,v!x)# #(n,a,v!x)# #(n,n,+)#");
    check(TupleOptions { edge_pairs: Include::Near(3), ..nothing() }, "y+x", "#(n,n,+)# #(n,n,+,n)#");
    check(TupleOptions { ends: plain, ..nothing() }, "x^2+1", "#(n!1,!0,n)# #(n!2,!0,n)#");
    check(TupleOptions { ends: plain, ..nothing() }, "x+y+1", "");
    check(TupleOptions { long_pairs: plain, ..nothing() }, "a+b^2", "#(v!a,v!b)# #(v!a,n!2)# #(+,n!2)#");
    check(
        TupleOptions { abbreviated_pairs: plain, ..nothing() },
        "a+b^2",
        "#(v!a,v!b,nn)# #(v!a,n!2,na)# #(+,n!2,na)#",
    );
    let numbers: NodeTypes = "N".parse().unwrap();
    let duplicates = TupleOptions { duplicates: plain, duplicates_of: numbers, ..nothing() };
    check(duplicates, "a1+a1", "#{n!1,nnn}# #{?n,nnn}#");
    check(TupleOptions { wild_duplicates_of: NodeTypes::NONE, ..duplicates }, "a1+a1", "#{n!1,nnn}#");
    assert_eq!("VNOMFRTW".parse(), Ok(NodeTypes::ALL));
    assert!("VX".parse::<NodeTypes>().is_err());
}

#[test]
fn locations_have_a_bound() {
    let options = TupleOptions { terminals: Include::Near(8), ..nothing() };
    check(options, "aaaaaaa", "#(v!a,!0)# #(v!a,!0,6n)#");
    check(options, "aaaaaaaa", "#(v!a,!0)#");
    check(options.with_locations_below(1), "a", "#(v!a,!0)#");
    check(
        TupleOptions { terminals: Include::EVERYWHERE, ..nothing() },
        "aaaaaaaaaaaa",
        "#(v!a,!0)# #(v!a,!0,11n)#",
    );
}

#[test]
fn wildcards_and_synonyms() {
    let plain = TupleOptions::default().with_locations_below(1);
    check(plain, "?x^2+?y", "#(*,[n,a])# #(*,+,n)# #(+,*,n)# #(*,n!2,a)# #(n!2,!0)#");
    check(plain, "?x?y", "");
    let pairs = TupleOptions { pairs: Include::Near(1), compounds: Include::Near(1), ..nothing() };
    check(
        TupleOptions { synonyms: Synonyms::Typed, ..pairs },
        "x^2",
        "#(v!x,n!2,a)# #(?v,n!2,a)# #(v!x,?n,a)#",
    );
    check(
        TupleOptions { synonyms: Synonyms::Any, ..pairs },
        "x_1^2",
        "#(v!x,[a,b])# #(*,[a,b])# #(v!x,n!2,a)# #(*,n!2,a)# #(v!x,*,a)# #(v!x,n!1,b)# #(*,n!1,b)# #(v!x,*,b)#",
    );
}

#[test]
fn swapped_operands() {
    let swap =
        TupleOptions { pairs: Include::Near(1), normalisation: Normalisation::SwappedOperands, ..nothing() };
    let sorted = |latex| {
        let mut found = tuples(swap, latex);
        found.sort();
        found
    };
    assert_eq!(sorted("a+b"), sorted("b+a"));
    assert_eq!(sorted("a<b"), sorted("b>a"));
    assert_ne!(sorted("a-b"), sorted("b-a"));
    check(swap, "a+b", "#(v!a,+,n)# #(+,v!b,n)# #(v!b,+,n)# #(+,v!a,n)#");
}

#[test]
fn formulas_are_wrapped() {
    let mut found = Vec::new();
    TupleExtractor::new(TupleOptions::tangent_l()).wrapped(&slt("x"), |tuple| found.push(tuple.to_owned()));
    assert_eq!(found, ["#(start)#", "#(v!x,!0)#", "#(v!x,!0,n)#", "#(end)#"]);
}

#[test]
fn memory_used_again_changes_nothing() {
    let mut extractor = TupleExtractor::default();
    for latex in ["a+a+a", "x^2", "b+a", "a+a+a", "y_i^n=n+x^n"] {
        let mut again = Vec::new();
        extractor.slt(&slt(latex), |tuple| again.push(tuple.to_owned()));
        assert_eq!(again, tuples(TupleOptions::default(), latex));
    }
}

#[test]
fn monsters_end() {
    let mut extractor = TupleExtractor::default();
    for latex in monsters() {
        let mut count = 0;
        let tree = slt(&latex);
        extractor.slt(&tree, |_| count += 1);
        assert!(count <= 20 * tree.len());
    }
}

proptest! {
    #[test]
    fn any_input_has_tuples(latex in any_latex()) {
        let mut tree = Slt::default();
        from_latex(&latex::parse_bytes(&latex, Mode::Query).tree, &mut tree);
        let everything = TupleOptions {
            window: 2,
            edge_pairs: Include::EVERYWHERE,
            ends: Include::EVERYWHERE,
            long_pairs: Include::EVERYWHERE,
            abbreviated_pairs: Include::EVERYWHERE,
            synonyms: Synonyms::Typed,
            normalisation: Normalisation::SwappedOperands,
            ..TupleOptions::default()
        };
        for options in [TupleOptions::default(), everything] {
            TupleExtractor::new(options).slt(&tree, |tuple| {
                assert!(tuple.starts_with("#(") && tuple.ends_with(")#") || tuple.starts_with("#{") && tuple.ends_with("}#"));
                assert!(!tuple.contains(char::is_whitespace), "{tuple}");
            });
        }
    }
}
