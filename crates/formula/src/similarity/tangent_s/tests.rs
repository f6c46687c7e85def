//! The dossier's rows, and what they leave open.

use super::*;
use crate::opt::Opt;
use crate::similarity::random;
use crate::slt::Slt;
use proptest::prelude::*;

fn slt(text: &str) -> Prepared {
    Prepared::from(&Slt::read(text).unwrap())
}

fn opt(text: &str) -> Prepared {
    Prepared::from(&Opt::read(text).unwrap())
}

#[track_caller]
fn check(query: &Prepared, candidate: &Prepared, expected: [f64; 3]) {
    let Alignment { scores, effort, .. } = Aligner::default().align(query, candidate);
    let got = [scores.mss, scores.precision, scores.recall];
    let near = got.iter().zip(expected).all(|(got, expected)| (got - expected).abs() < 1e-6);
    assert!(near, "got {got:?}, expected {expected:?}");
    assert_eq!(effort, Effort::Full);
}

#[test]
fn layout_trees() {
    for (query, candidate, expected) in [
        ("[V!x[+[N!1]],a[N!2]]", "[V!x[+[N!1]],a[N!2]]", [1.0, 1.0, 1.0]),
        ("[V!x[+[N!1]],a[N!2]]", "[V!y[+[N!3]],a[N!2]]", [1.0, 1.0, 0.5]),
        ("[V!x[+[N!1]],a[N!2]]", "[V!x[-[N!1]],a[N!2]]", [0.461538, 0.75, 0.75]),
        ("[V!x[+[V!x]]]", "[V!x[+[V!y]]]", [0.571429, 0.666667, 0.666667]),
        ("[V!x[+[V!y]]]", "[V!y[+[V!x]]]", [1.0, 1.0, 0.333333]),
        ("[V!sin[V!x]]", "[V!f[V!x]]", [0.5, 0.5, 0.5]),
        ("[V!x]", "[V!y]", [1.0, 1.0, 0.0]),
        ("[+]", "[-]", [0.0, 0.0, 0.0]),
        // Not a number to a number, but not back.
        ("[N!1&comma;5]", "[N!2]", [1.0, 1.0, 0.0]),
        ("[N!2]", "[N!1&comma;5]", [0.0, 0.0, 0.0]),
        ("[N!2]", "[N!𝟏.𝟓]", [1.0, 1.0, 0.0]),
        // Lists by item, matrices by row and column.
        ("[M!()1x2,w[V!a,e[V!b]]]", "[M!()1x3,w[V!a,e[V!b,e[V!c]]]]", [1.0, 0.75, 0.666667]),
        (
            "[M!()2x2,w[N!1,e[N!2,e[N!3,e[N!4]]]]]",
            "[M!()2x3,w[N!1,e[N!2,e[+,e[N!3,e[N!4,e[+]]]]]]]",
            [1.0, 0.714286, 0.8],
        ),
        ("[M!0x0,w[V!a]]", "[M!4294967295x0,w[V!a]]", [0.5, 0.5, 0.5]),
    ] {
        check(&slt(query), &slt(candidate), expected);
    }
}

#[test]
fn operator_trees() {
    for (query, candidate, expected) in [
        ("[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]", "[U!plus,0[N!1],1[O!SUP,0[V!x],1[N!2]]]", [1.0, 1.0, 1.0]),
        ("[U!plus,0[V!a],1[V!b]]", "[U!times,0[V!a],1[V!b]]", [0.285714, 0.333333, 0.333333]),
        ("[O!minus,0[V!a],1[N!2]]", "[O!minus,0[N!2],1[V!a]]", [0.285714, 0.333333, 0.333333]),
        // Lists and sets are not aligned inside each other.
        ("[M!L-1,0[N!1]]", "[M!S-1,0[N!1]]", [0.5, 0.5, 0.5]),
    ] {
        check(&opt(query), &opt(candidate), expected);
    }
}

#[test]
fn wildcards() {
    for (query, candidate, expected) in [
        ("[?x[+[N!1]]]", "[V!a[+[N!1]],b[N!2]]", [1.0, 1.0, 1.0]),
        // Up to what follows.
        ("[?x[=[N!1]]]", "[V!a[+[V!b[=[N!1]]]]]", [1.0, 1.0, 1.0]),
        // To the end where nothing follows.
        ("[V!y[=[?x]]]", "[V!y[=[V!a[+[V!b]]]]]", [1.0, 1.0, 1.0]),
        // The first sum sign is not the one, so it expands to the left.
        ("[?x[+[N!1]]]", "[V!a[+[V!b[+[N!1]]]]]", [1.0, 1.0, 1.0]),
        // With a script of its own it takes one symbol.
        ("[?x[+[N!1]],a[N!2]]", "[V!a[+[N!1]],a[N!2],b[V!i]]", [1.0, 1.0, 1.0]),
        // The same name, the same thing; the larger wins.
        ("[?x[+[?x]]]", "[V!a[+[V!a]]]", [1.0, 1.0, 1.0]),
        ("[?x[+[?x]]]", "[V!a[+[V!b]],b[V!i]]", [0.571429, 0.75, 0.666667]),
        ("[?x[+[?y]]]", "[V!a[+[V!b]],b[V!i]]", [1.0, 1.0, 1.0]),
        // A cell keeps to its cell.
        ("[M!()1x2,w[?x,e[V!b]]]", "[M!()1x2,w[V!a[+[N!1]],e[V!b]]]", [1.0, 1.0, 1.0]),
    ] {
        check(&slt(query), &slt(candidate), expected);
    }
    check(&opt("[U!plus,0[?x],1[N!1]]"), &opt("[U!plus,0[N!1],1[O!SUP,0[V!a],1[N!2]]]"), [1.0, 1.0, 1.0]);
    check(&opt("[O!minus,0[?x],1[?x]]"), &opt("[O!minus,0[F!f,0[V!y]],1[F!f,0[V!y]]]"), [1.0, 1.0, 1.0]);
}

#[test]
fn without_unification_only_equal_symbols_match() {
    let mut aligner = Aligner::new(Unification::None);
    let mut scores = |query: &str, candidate: &str| aligner.align(&slt(query), &slt(candidate)).scores;
    assert_eq!(scores("[V!x[+[V!y]]]", "[V!x[+[V!y]]]").mss, 1.0);
    assert_eq!(scores("[V!x[+[V!x]]]", "[V!x[+[V!y]]]").recall, 2.0 / 3.0);
    assert_eq!(scores("[V!x]", "[V!y]"), Scores::default());
    assert_eq!(scores("[?x]", "[V!y]").mss, 1.0);
}

#[test]
fn matches_tell_what_stands_for_what() {
    let (query, candidate) = (slt("[V!x[+[?w]],a[N!2]]"), slt("[V!y[+[V!z]],a[N!2]]"));
    let kinds: Vec<(usize, usize, MatchKind)> = Aligner::default()
        .matches(&query, &candidate)
        .into_iter()
        .map(|found| (found.query, found.candidate, found.kind))
        .collect();
    let expected = [
        (0, 0, MatchKind::Unified),
        (1, 1, MatchKind::Exact),
        (2, 2, MatchKind::Wildcard),
        (3, 3, MatchKind::Exact),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn combined_scores() {
    let one = Scores { mss: 1.0, precision: 1.0, recall: 1.0 };
    let none = Scores::default();
    for (slt, opt, expected) in
        [(one, one, 2.6769), (one, none, 2.0566), (none, one, 0.9133), (none, none, 0.2930)]
    {
        assert!((combine(slt, opt) - expected).abs() < 1e-9);
    }
}

#[test]
fn nothing_is_aligned_with_nothing_or_with_a_tree_of_another_kind() {
    let nothing = Prepared::from(&Slt::default());
    let letter = slt("[V!x]");
    let mut aligner = Aligner::default();
    for (query, candidate) in [(&nothing, &letter), (&letter, &nothing), (&letter, &opt("[V!x]"))] {
        assert_eq!(aligner.align(query, candidate), Alignment::default());
    }
}

/// A long baseline of letters and numbers in an order without period.
fn chain(count: usize, salt: usize) -> String {
    let tag = |i: usize| match (i * i + salt * i) / 7 % 5 {
        0 => format!("N!{i}"),
        _ => format!("V!{}", char::from(b'a' + ((i * i * salt + i) / 3 % 26) as u8)),
    };
    let nodes: String = (0..count).map(|i| format!("[{}", tag(i))).collect();
    nodes + &"]".repeat(count)
}

/// Sums of sums, all alike.
fn wide(count: usize, width: usize, leaf: &str) -> String {
    let label = crate::opt::text::label;
    let inner: String = (0..width).map(|i| format!(",{}[{leaf}{i}]", label(i))).collect();
    let rows: String = (0..count / width).map(|i| format!(",{}[U!times{inner}]", label(i))).collect();
    format!("[U!plus{rows}]")
}

#[test]
fn large_trees_end() {
    let start = std::time::Instant::now();
    let mut aligner = Aligner::default();
    for size in [2_000, 20_000] {
        aligner.align(&slt(&chain(size, 1)), &slt(&chain(size, 2)));
        aligner.align(&opt(&wide(size, 40, "V!a")), &opt(&wide(size, 41, "V!b")));
        aligner.align(&opt(&wide(size, size, "V!a")), &opt(&wide(size, size, "N!")));
        let wild = "[?x".repeat(size) + &"]".repeat(size);
        aligner.align(&slt(&wild), &slt(&chain(size, 3)));
    }
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

proptest! {
    #[test]
    fn scores_are_shares_and_every_tree_is_like_itself(
        slts in (random::slt(12), random::slt(12)),
        opts in (random::opt(12), random::opt(12)),
    ) {
        let mut aligner = Aligner::default();
        let trees = [
            (Prepared::from(&slts.0), Prepared::from(&slts.1)),
            (Prepared::from(&opts.0), Prepared::from(&opts.1)),
        ];
        for (one, other) in &trees {
            let Alignment { scores, effort, .. } = aligner.align(one, other);
            for score in [scores.mss, scores.precision, scores.recall] {
                prop_assert!((0.0..=1.0).contains(&score), "{scores:?}");
            }
            prop_assert_eq!(effort, Effort::Full);
            let itself = aligner.align(one, one).scores;
            prop_assert_eq!((itself.precision, itself.mss), (1.0, 1.0));
            prop_assert_eq!(aligner.matches(one, one).len(), one.len());
        }
    }

    #[test]
    fn leaving_out_hopeless_start_pairs_changes_nothing(
        slts in (random::slt_query(14), random::slt(14)),
        opts in (random::opt_query(14), random::opt(14)),
        unification in proptest::sample::select(&[Unification::Allowed, Unification::None][..]),
    ) {
        let mut aligner = Aligner::new(unification);
        let trees = [
            (Prepared::from(&slts.0), Prepared::from(&slts.1)),
            (Prepared::from(&opts.0), Prepared::from(&opts.1)),
        ];
        for (query, candidate) in &trees {
            let scores = aligner.align(query, candidate).scores;
            prop_assert_eq!(scores, aligner.align_all(query, candidate).scores);
            for score in [scores.mss, scores.precision, scores.recall] {
                prop_assert!((0.0..=1.0).contains(&score), "{:?}", scores);
            }
        }
    }
}
