//! The matcher as its users see it: which of two candidates comes first.

use super::{
    Agreement, Containment, Letters, Likeness, Matcher, Parts, Prepared, Preparer, Score, Term, Weights,
    holds,
};
use crate::opt::Opt;
use crate::slt::{Slt, from_latex};
use latex::Mode;
use proptest::prelude::*;

fn read(source: &str, mode: Mode) -> Prepared {
    let mut slt = Slt::default();
    from_latex(&latex::parse_bytes(source.as_bytes(), mode).tree, &mut slt);
    Preparer::new(Weights::default()).from_slt(&slt)
}

fn score(query: &str, candidate: &str) -> Score {
    Matcher::default().score(&read(query, Mode::Query), &read(candidate, Mode::Document))
}

fn agreement(query: &str, candidate: &str) -> Agreement {
    let (query, candidate) = (read(query, Mode::Query), read(candidate, Mode::Document));
    let mut matcher = Matcher::default();
    matcher.score(&query, &candidate);
    matcher.alignment().agreement(query.nodes(), candidate.nodes())
}

/// Every candidate scores higher than the one after it.
fn check_order(query: &str, candidates: &[&str]) {
    let scores: Vec<f32> = candidates.iter().map(|candidate| score(query, candidate).value).collect();
    for (place, pair) in scores.windows(2).enumerate() {
        assert!(
            pair[0] > pair[1],
            "{query}: {} ({}) should come before {} ({})",
            candidates[place],
            pair[0],
            candidates[place + 1],
            pair[1]
        );
    }
}

#[test]
fn the_same_comes_first_then_renamed_then_look_alikes() {
    check_order("x^2+y^2=1", &["x^2+y^2=1", "y^2+x^2=1", "a^2+b^2=1", "x^2-y^2=1", "x+y=1"]);
    check_order(r"\frac{a}{b}", &[r"\frac{a}{b}", "a/b", r"\frac{x}{y}", r"\frac{b}{b}", "a+b"]);
    check_order(r"e^{i\pi}+1=0", &[r"e^{i\pi}+1=0", r"\exp(i\pi)+1=0", r"e^{i\pi}-1=0", "i+1=0"]);
    check_order(
        r"\sum_{n=1}^\infty\frac1{n^2}",
        &[r"\sum_{k=1}^\infty\frac1{k^2}", r"\sum_{k=1}^\infty\frac1{k^3}"],
    );
    check_order(r"\sin x", &[r"\sin x", r"\sin(x)", r"\sin t", r"\cos x", "x"]);
}

#[test]
fn notation_order_and_names_are_told_apart() {
    for (query, candidate, expected) in [
        ("a+b", "b+a", Agreement::Same),
        ("a-b", "-b+a", Agreement::Same),
        ("a<b", "b>a", Agreement::Same),
        (r"\sqrt x", "x^{1/2}", Agreement::Same),
        (r"\frac12mv^2", r"\frac{mv^2}2", Agreement::Same),
        (r"n^{-2}", r"\frac1{n^2}", Agreement::Same),
        (r"\ln x", r"\log(x)", Agreement::Same),
        (r"\sum_{n\ge0}x^n", r"\sum_{k=0}^\infty x^k", Agreement::Same),
        (r"\int_{\mathbb R}f(x)\,dx", r"\int_{-\infty}^\infty f(t)\,dt", Agreement::Same),
        ("y'=ky", r"\frac{dy}{dt}=ky", Agreement::Same),
        (r"\binom nk", "C(n,k)", Agreement::Same),
        ("x^2+y^2", "a^2+b^2", Agreement::Renamed),
        ("f(x)=f(-x)", "g(t)=g(-t)", Agreement::Renamed),
        ("x+y", "a+a", Agreement::Different),
        ("a-b", "b-a", Agreement::Renamed),
        ("a-b=c^a", "b-a=c^a", Agreement::Different),
        ("x^2", "2^x", Agreement::Different),
        ("AB-BA", "BA-AB", Agreement::Renamed),
        (
            r"\frac{dy}{dx}=\frac{dy}{du}\frac{du}{dx}",
            r"\frac{dy}{dx}=\frac{dy}{dx}\frac{du}{dx}",
            Agreement::Different,
        ),
        ("x^2", "x^3", Agreement::Different),
        ("x", "x+1", Agreement::Different),
        ("x+1", "x", Agreement::Different),
    ] {
        assert_eq!(agreement(query, candidate), expected, "{query} and {candidate}");
    }
}

#[test]
fn wildcards_stand_for_anything_and_the_same_name_for_the_same() {
    for (query, candidate, fits) in [
        (r"O(?1 \log ?1)", r"O(n \log n)", true),
        (r"O(?1 \log ?1)", r"O(m^2 \log m^2)", true),
        (r"O(?1 \log ?1)", r"O(m \log n)", false),
        (r"\qvar{x}+\qvar{y}", "a+a", true),
        (r"\qvar{x}+1", r"\frac{a}{b}+1", true),
        (r"\qvar{x}+1", "a+2", false),
        ("?+1", "x^2+y+1", true),
        ("?^2+?^2", "a^2+b^2", true),
        ("?x^2+?x^2", "a^2+b^2", false),
        (r"\frac{?}{?}", r"\frac{(n+1)(n+2)}{n!}", true),
        ("?f(?x,?y)=?f(?y,?x)", "g(a,b)=g(b,a)", true),
        ("?f(?x,?y)=?f(?y,?x)", "g(a,b)=g(a,c)", false),
    ] {
        let found = agreement(query, candidate);
        assert_eq!(found == Agreement::Same, fits, "{query} and {candidate}: {found:?}");
    }
    check_order(r"O(?1 \log ?1)", &[r"O(n \log n)", r"O(m \log n)"]);
}

#[test]
fn question_marks_of_candidates_are_no_wildcards() {
    assert_eq!(agreement("a+b", "a+?"), Agreement::Different);
}

#[test]
fn a_part_may_be_similar_while_the_rest_must_stand() {
    check_order(r"\simto{x^2}+\alpha", &[r"x^2+\alpha", r"x^3+\alpha", r"x^2+\beta"]);
    // Without the mark, a renamed letter is as good as another exponent or better.
    assert!(score(r"x^2+\alpha", r"x^2+\beta").value > score(r"x^2+\alpha", r"x^3+\alpha").value);
}

#[test]
fn scores_are_shares_and_the_same_formula_gets_all() {
    for source in ["x", "", r"\frac{a}{b}", r"\int_0^1 f(x)\,dx=\sum_{k} a_k", "a,b", "((("] {
        let score = score(source, source);
        assert!(score.value > 0.999, "{source}: {score:?}");
    }
    assert_eq!(Term::ALL.map(|term| term as usize), std::array::from_fn(|place| place));
}

#[test]
fn alignments_name_places_in_the_source() {
    let (query, candidate) = ("x^2+y", "1+b+a^2");
    let (ours, theirs) = (read(query, Mode::Query), read(candidate, Mode::Document));
    let mut matcher = Matcher::default();
    matcher.score(&ours, &theirs);
    let mut places: Vec<(&str, &str, Likeness)> = matcher
        .alignment()
        .pairs
        .iter()
        .map(|pair| {
            let ours = ours.nodes().all()[pair.query as usize].span;
            let theirs = theirs.nodes().all()[pair.candidate as usize].span;
            (&query[ours.range()], &candidate[theirs.range()], pair.likeness)
        })
        .collect();
    places.sort_unstable();
    assert_eq!(
        places,
        [
            ("2", "2", Likeness::Same),
            ("x", "a", Likeness::Renamed),
            ("x^2", "a^2", Likeness::Same),
            ("x^2+y", "1+b+a^2", Likeness::Same),
            ("y", "b", Likeness::Renamed),
        ]
    );
}

#[test]
fn other_notation_is_named_and_costs_a_little() {
    for (query, candidate) in [
        ("x<y", "y>x"),
        (r"\sqrt x", "x^{1/2}"),
        (r"\ln x", r"\log x"),
        (r"\exp x", "e^x"),
        ("x^{-1}", r"\frac1x"),
    ] {
        let (ours, theirs) = (read(query, Mode::Query), read(candidate, Mode::Document));
        let mut matcher = Matcher::default();
        let score = matcher.score(&ours, &theirs);
        let noted = matcher.alignment().pairs.iter().any(|pair| pair.likeness == Likeness::Notation);
        assert!(noted, "{query} and {candidate}");
        assert!(score.terms[Term::Aligned as usize] < 1.0, "{query} and {candidate}: {score:?}");
    }
}

#[test]
fn operator_trees_alone_can_be_matched() {
    let mut preparer = Preparer::new(Weights::default());
    let mut of = |text: &str| preparer.from_opt(&Opt::read(text).unwrap());
    let query = of("[U!plus,0[V!x],1[N!1]]");
    let [same, other] = ["[U!plus,0[N!1],1[V!x]]", "[O!minus,0[V!x],1[N!1]]"].map(&mut of);
    let mut matcher = Matcher::default();
    assert!(matcher.score(&query, &same).value > matcher.score(&query, &other).value);
    assert!((matcher.score(&query, &query).value - 1.0).abs() < 1e-6);
}

#[test]
fn long_formulas_end_soon() {
    let sum = vec!["x^2"; 20_000].join("+");
    let nested = format!("{}x{}", "(".repeat(20_000), ")".repeat(20_000));
    let letters = "xyz".repeat(20_000);
    for source in [&sum, &nested, &letters] {
        let formula = read(source, Mode::Document);
        assert!(Matcher::default().score(&formula, &formula).value > 0.9);
    }
}

proptest! {
    #[test]
    fn any_two_formulas_have_a_score(query in "\\PC{0,40}", candidate in r"[a-c0-2+=^_{}()|\\ ]{0,40}") {
        for (query, candidate) in [(&query, &candidate), (&candidate, &query), (&candidate, &candidate)] {
            let found = score(query, candidate);
            prop_assert!((0.0..=1.0001).contains(&found.value), "{found:?}");
            prop_assert!(found.terms.iter().all(|term| (0.0..=1.0).contains(term)), "{found:?}");
            prop_assert_eq!(found, score(query, candidate));
        }
    }
}

#[test]
fn what_holds_a_formula_has_the_parts_that_it_needs() {
    let notations = [
        r"\int dx",
        r"\int_0^1 x\,dx",
        "f''",
        r"x^{\prime\prime}",
        "y'''",
        r"\mathbf{x}^2",
        r"\log x",
        r"\ln x",
        r"\exp x",
        "x",
        "2",
        "1",
        "0",
    ];
    let mut pairs: Vec<(&str, &str)> = Vec::new();
    for line in include_str!("../../data/equivalence.tsv").lines().filter(|line| !line.starts_with('#')) {
        if let [_, left, right, ..] = line.split('\t').collect::<Vec<_>>()[..] {
            pairs.extend([(left, right), (right, left), (notations[pairs.len() % notations.len()], left)]);
        }
    }
    for (left, right) in [
        (r"\arcsin x", r"\sin^{-1}x"),
        (r"\sec^2 x", r"\text{sec}^2x"),
        (r"\sin x", r"\text{sin}x"),
        (r"\operatorname{rank}(A)", r"\text{rank}(A)"),
        ("E(X)", r"\text{E}(X)"),
        (r"\ln(x)", "ln(x)"),
        (r"\log(x)", "ln(x)"),
        (r"\operatorname{abs}(x)", "|x|"),
        (r"\operatorname{floor}(x)", r"\lfloor x\rfloor"),
        (r"\det A", r"\operatorname{det} A"),
    ] {
        pairs.extend([(left, right), (right, left)]);
    }
    pairs.extend(notations.iter().flat_map(|query| notations.map(|candidate| (*query, candidate))));
    let mut parts = Parts::default();
    let mut slt = Slt::default();
    let (mut held, mut ruled_out) = (0, 0);
    for (query, candidate) in &pairs {
        from_latex(&latex::parse_bytes(candidate.as_bytes(), Mode::Document).tree, &mut slt);
        let mut own = std::collections::HashSet::new();
        parts.of(&slt, |part, _| _ = own.insert(part));
        from_latex(&latex::parse_bytes(query.as_bytes(), Mode::Query).tree, &mut slt);
        let needed = parts.needed(&slt, Letters::Same);
        let may = needed.iter().all(|group| group.iter().any(|part| own.contains(part)));
        let wanted = read(query, Mode::Query);
        let holds = holds(&wanted, &read(candidate, Mode::Document)) == Containment::Whole;
        assert!(may || !holds, "{candidate} holds {query}");
        held += usize::from(holds);
        ruled_out += usize::from(!may);
    }
    // Some hold the other, and many others are told apart without being compared.
    assert!(held > pairs.len() / 20 && ruled_out > pairs.len() / 4, "{held} {ruled_out} of {}", pairs.len());
}

#[test]
fn a_formula_stands_whole_in_another_or_it_does_not() {
    let contains = |query: &str, candidate: &str| {
        holds(&read(query, Mode::Query), &read(candidate, Mode::Document)) == Containment::Whole
    };
    for (query, candidate) in [
        ("x^2+1", r"\frac{x^2+1}{2}"),
        ("x^2+1", "1+x^2=0"),
        ("x^2+1", "y+x^2+1"),
        ("x-1", "y+x-1"),
        ("a=b", "a=b=c"),
        ("b,c", "a,b,c"),
        (r"\sqrt x", "x^{1/2}"),
        (r"e^{i\pi}+1=0", r"e^{\pi i}+1=0"),
        (r"O(?1 \log ?2)", r"O(mn \log m)"),
        (r"O(?1 \log ?1)", r"O(m \log m)"),
        (r"\int ?f\,dx", r"\int x^2\,dx"),
        ("?a^2+?b^2=?c^2", "x^2+y^2=z^2"),
        ("?a+?a^2", "1+x+x^2"),
        ("?a+1", "x+y+1"),
        ("?a(?b+?a)", "x(x+y)"),
        ("?b(?b+?a)", "x(x+y)"),
        ("?f(x)", "g(x)+1"),
        ("?", "x"),
    ] {
        assert!(contains(query, candidate), "{query} in {candidate}");
    }
    for (query, candidate) in [
        ("x^2+1", "x^2-1"),
        ("x^2+1", "x^2+y+1"),
        ("x^2+1", "x_2+1"),
        ("x^2+1", "y^2+1"),
        (r"e^{i\pi}+1=0", r"1-e^{2\pi i n}=0"),
        (r"O(?1 \log ?1)", r"O(mn \log m)"),
        ("?a^2+?a^2=?c^2", "x^2+y^2=z^2"),
        ("a<b", "b<a"),
        ("a=b", r"a\ne b"),
        (r"\sin x", r"\cos x"),
        ("x+y+z", "x+y"),
        ("AB", "A+B"),
    ] {
        assert!(!contains(query, candidate), "{query} in {candidate}");
    }
}

#[test]
fn letters_may_be_renamed_when_that_is_asked_for() {
    let contains = |query: &str, candidate: &str| {
        let query = read(query, Mode::Query).with_letters(Letters::Any);
        holds(&query, &read(candidate, Mode::Document)) == Containment::Whole
    };
    for (query, candidate) in [
        ("x^2+1", r"\frac{n^2+1}{2}"),
        ("a^2+b^2=c^2", "x^2+y^2=z^2"),
        ("f(x)+g(x)", "1+u(t)+v(t)"),
        ("x^?n+x", "y^{k+1}+y"),
    ] {
        assert!(contains(query, candidate), "{query} in {candidate}");
        assert!(
            holds(&read(query, Mode::Query), &read(candidate, Mode::Document)) == Containment::Part,
            "{query} in {candidate}"
        );
    }
    for (query, candidate) in [
        ("a^2+b^2", "x^2+x^2"),
        ("a^2+a", "x^2+y"),
        ("x^2+1", "n^2-1"),
        ("f(x)+g(x)", "u(t)+v(s)"),
        (r"x+\pi", "x+y"),
        ("x+1", "2+1"),
    ] {
        assert!(!contains(query, candidate), "{query} in {candidate}");
    }
}

#[test]
fn looking_for_a_formula_in_another_ends() {
    let query = (0..16).map(|number| format!("?{number}x_{{?}}")).collect::<Vec<_>>().join("+");
    let candidate = (0..60).map(|number| format!("a_{{{number}}}y")).collect::<Vec<_>>().join("+");
    assert_eq!(holds(&read(&query, Mode::Query), &read(&candidate, Mode::Document)), Containment::Part);
    // Every product of the query fits every product of the candidate, and z fits none of its operands.
    let candidate = candidate.replace('y', "x_{1}") + "+z^2";
    let query = query + "+z";
    assert_eq!(holds(&read(&query, Mode::Query), &read(&candidate, Mode::Document)), Containment::Undecided);
    let deep = "{".repeat(300) + "x" + &"}^2".repeat(300);
    let sum = read(&format!("?a+{deep}"), Mode::Query);
    assert_eq!(holds(&sum, &read(&deep, Mode::Document)), Containment::Part);
}
