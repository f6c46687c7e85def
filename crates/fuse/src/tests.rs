//! Worked examples, and what holds for every method.

use super::*;
use proptest::prelude::*;

const METHODS: [Method; 13] = [
    Method::CombSum,
    Method::CombMnz,
    Method::CombMax,
    Method::CombMin,
    Method::CombAnz,
    Method::CombMed,
    Method::Rrf { k: 60.0 },
    Method::RankedSum { k: 60.0 },
    Method::Isr,
    Method::LogIsr { sigma: 0.01 },
    Method::Borda { depth: None },
    Method::Borda { depth: Some(1000) },
    Method::Ibc { depth: 1000, seed: 1 },
];

/// A ranking from its text: `d1:10 d2:6`, or ids alone, whose scores then do not matter.
fn ranking(text: &str) -> Vec<Ranked<&str>> {
    let result = |word: &'_ str| -> (usize, f64) {
        word.split_once(':').map_or((word.len(), 0.0), |(id, score)| (id.len(), score.parse().unwrap()))
    };
    text.split_whitespace()
        .map(|word| (word, result(word)))
        .map(|(word, (end, score))| Ranked { id: &word[..end], score })
        .collect()
}

fn run(rankings: &[&str], how: &Fusion) -> Result<Vec<(String, f64)>, Error> {
    let rankings: Vec<Vec<Ranked<&str>>> = rankings.iter().map(|text| ranking(text)).collect();
    let slices: Vec<&[Ranked<&str>]> = rankings.iter().map(Vec::as_slice).collect();
    Ok(fuse(&slices, how)?.into_iter().map(|result| (result.id.to_owned(), result.score)).collect())
}

/// Fuses and compares with `id:score` to six decimals.
#[track_caller]
fn check(rankings: &[&str], how: &Fusion, expected: &str) {
    let fused = run(rankings, how).unwrap();
    let found = fused.iter().map(|(id, score)| format!("{id}:{}", (score * 1e6).round() / 1e6));
    assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{how:?}");
}

const A: &str = "d1:10 d2:6 d3:2";
const B: &str = "d2:.9 d4:.5 d1:.1";

#[test]
fn the_labs_baseline_adds_min_max_scores() {
    let mut how = Fusion::new(Method::CombSum);
    how.normalisation = Normalisation::MinMax(Flat::Keep);
    check(&[A, B], &how, "d2:1.5 d1:1 d4:0.5 d3:0");
    check(&["d1:10 d2:6 d3:2", "d4:7"], &how, "d4:7 d1:1 d2:0.5 d3:0");
}

#[test]
fn interpolation_as_in_approach0() {
    check(&[A, B], &Fusion::interpolation(0.2), "d2:0.9 d4:0.4 d1:0.2 d3:0");
    check(&[A, B], &Fusion::interpolation(0.5), "d2:0.75 d1:0.5 d4:0.25 d3:0");
    check(&[A, "d4:7"], &Fusion::interpolation(0.5), "d1:0.5 d2:0.25 d4:0 d3:0");
}

#[test]
fn reciprocal_ranks() {
    let lists = ["a b c", "c a d"];
    let rrf = Fusion::new(Method::Rrf { k: 60.0 });
    check(&lists, &rrf, "a:0.032522 c:0.032266 b:0.016129 d:0.015873");
    check(&lists, &Fusion::new(Method::Rrf { k: 275.0 }), "a:0.007233 c:0.00722 b:0.00361 d:0.003597");
    let scored = ["a:.9 b:.8 c:.5", "c:.95 a:.7 d:.6"];
    let ranked_sum =
        Fusion { normalisation: Normalisation::None, ..Fusion::new(Method::RankedSum { k: 60.0 }) };
    check(&scored, &ranked_sum, "a:0.026044 c:0.02351 b:0.012903 d:0.009524");
    check(&lists, &rrf.clone().with_weights([0.0, 2.0]), "c:0.032787 a:0.032258 d:0.031746");
    check(&lists, &Fusion::new(Method::Isr), "a:2.5 c:2.222222 b:0.25 d:0.111111");
    check(&lists, &Fusion::new(Method::LogIsr { sigma: 0.0 }), "a:0.866434 c:0.770164 d:0 b:0");
    check(&lists, &Fusion { depth: Some(1), ..rrf }, "a:0.032522");
}

#[test]
fn combinations_of_scores() {
    for (method, expected) in [
        (Method::CombSum, "d2:6.9 d1:10.1"),
        (Method::CombMnz, "d2:13.8 d1:20.2"),
        (Method::CombMax, "d2:6 d1:10"),
        (Method::CombMin, "d2:0.9 d1:0.1"),
        (Method::CombAnz, "d2:3.45 d1:5.05"),
        (Method::CombMed, "d2:3.45 d1:5.05"),
    ] {
        let how = Fusion { normalisation: Normalisation::None, ..Fusion::new(method) };
        let fused = run(&[A, B], &how).unwrap();
        for word in expected.split(' ') {
            let (id, score) = word.split_once(':').unwrap();
            let found = fused.iter().find(|(found, _)| found == id).unwrap().1;
            assert!((found - score.parse::<f64>().unwrap()).abs() < 1e-12, "{method} {id}: {found}");
        }
        assert_eq!(fused.iter().find(|(id, _)| id == "d4").unwrap().1, 0.5, "{method}");
    }
    let med = Fusion { normalisation: Normalisation::None, ..Fusion::new(Method::CombMed) };
    check(&["x:1", "x:9", "x:2"], &med, "x:2");
}

#[test]
fn votes() {
    // Four candidates: those that a member lacks get what is left, one point.
    check(&["a b c", "c a d"], &Fusion::new(Method::Borda { depth: None }), "a:7 c:6 b:4 d:3");
    check(&["a b c", "c a d"], &Fusion::new(Method::Borda { depth: Some(2) }), "a:3 c:2 b:1 d:0");
    check(&["a", "b c d e"], &Fusion::new(Method::Borda { depth: None }), "b:7.5 c:6.5 a:6 d:5.5 e:4.5");
}

#[test]
fn median_ranks() {
    let filler = |list: usize, length: usize| (0..length).map(move |place| format!("f{list}-{place}"));
    let list = |list: usize, at: &[(usize, &str)]| {
        let mut ids: Vec<String> = filler(list, 12).collect();
        for (rank, id) in at {
            ids[*rank] = (*id).to_owned();
        }
        ids.join(" ")
    };
    let lists =
        [list(0, &[(0, "x"), (9, "y")]), list(1, &[(4, "x"), (9, "y"), (0, "z")]), list(2, &[(9, "y")])];
    let lists: Vec<&str> = lists.iter().map(String::as_str).collect();
    let fused = run(&lists, &Fusion::new(Method::Ibc { depth: 1000, seed: 7 })).unwrap();
    let score = |id: &str| fused.iter().find(|(found, _)| found == id).unwrap().1;
    for (id, main) in [("x", 0.996), ("y", 0.991), ("z", 0.0)] {
        assert!((main..main + 0.0005).contains(&score(id)), "{id}: {}", score(id));
    }
    assert_eq!((fused[0].0.as_str(), fused[1].0.as_str()), ("x", "y"));
    // Equal medians: more members first, whoever chance asks.
    for seed in 0..20 {
        let ibc = Fusion::new(Method::Ibc { depth: 1000, seed });
        let fused = run(&["a b", "q b", "q2 q3 q4 q5 a", "q6 b"], &ibc).unwrap();
        assert_eq!(fused[0].0, "b");
    }
}

#[test]
fn ties_stand_by_id_highest_first() {
    check(&["10:1 9:1", "100:1"], &Fusion::new(Method::CombSum), "9:1 100:1 10:1");
}

#[test]
fn what_is_wrong_is_named() {
    let sum = Fusion::new(Method::CombSum);
    for (rankings, how, message) in [
        (["a:1", "b:2 c:NaN"], sum.clone(), "ranking 2, result 2: the score is not finite"),
        (["a:inf", "b:2"], sum.clone(), "ranking 1, result 1: the score is not finite"),
        (["a:3 b:2 a:1", "b:2"], sum.clone(), "ranking 1: result 3 is result 1 again"),
        (["a:1", "b:2"], sum.clone().with_weights([1.0]), "1 weights for 2 rankings"),
        (["a:1", "b:2"], sum.clone().with_weights([1.0, f64::NAN]), "weight 2 is not finite"),
        (["a:1e308 b:-1e308", "b:2"], sum, "the scores are too large to be combined"),
        (
            ["a:1", "b:2"],
            Fusion::new(Method::CombMax).with_weights([1.0, 2.0]),
            "weights have no effect on combmax, which adds nothing up",
        ),
        (["a:1", "b:2"], Fusion::new(Method::Rrf { k: -1.0 }), "k is -1; it must be a number of 0 or more"),
        (["a:1", "b:2"], Fusion::new(Method::Ibc { depth: 0, seed: 1 }), "depth is 0; it must be 1 or more"),
    ] {
        assert_eq!(run(&rankings, &how).unwrap_err().to_string(), message);
    }
    for method in METHODS {
        assert_eq!(run(&[], &Fusion::new(method)), Ok(vec![]), "{method}");
        assert_eq!(run(&["", ""], &Fusion::new(method)), Ok(vec![]), "{method}");
    }
}

/// A ranking in order, of ids below 30.
fn rankings() -> impl Strategy<Value = Vec<Vec<Ranked<u8>>>> {
    let list = prop::collection::btree_map(0_u8..30, -20_i32..20, 0..25).prop_map(|scores| {
        let mut list: Vec<Ranked<u8>> =
            scores.into_iter().map(|(id, score)| Ranked { id, score: f64::from(score) / 4.0 }).collect();
        list.sort_by(|a, b| b.score.total_cmp(&a.score).then(b.id.cmp(&a.id)));
        list
    });
    prop::collection::vec(list, 1..5)
}

proptest! {
    #[test]
    fn every_document_once_in_the_one_order(lists in rankings()) {
        let slices: Vec<&[Ranked<u8>]> = lists.iter().map(Vec::as_slice).collect();
        let mut all: Vec<u8> = lists.iter().flatten().map(|result| result.id).collect();
        all.sort_unstable();
        all.dedup();
        for method in METHODS {
            let fused = fuse(&slices, &Fusion::new(method)).unwrap();
            prop_assert!(fused.is_sorted_by(|a, b| a.score > b.score || (a.score == b.score && a.id > b.id)));
            let mut ids: Vec<u8> = fused.iter().map(|result| result.id).collect();
            ids.sort_unstable();
            prop_assert_eq!(&ids, &all);
            let cut = fuse(&slices, &Fusion { depth: Some(3), ..Fusion::new(method) }).unwrap();
            prop_assert_eq!(&cut[..], &fused[..fused.len().min(3)]);
        }
    }

    #[test]
    fn fusing_one_ranking_returns_it(lists in rankings(), place in 0..4_usize) {
        let list = &lists[place % lists.len()];
        let ids = |list: &[Ranked<u8>]| list.iter().map(|result| result.id).collect::<Vec<_>>();
        for method in METHODS {
            prop_assert_eq!(ids(&fuse(&[list], &Fusion::new(method)).unwrap()), ids(list), "{}", method);
            if method.is_sum() {
                // A member that counts 0 is as if it were not there.
                let weights: Vec<f64> = (0..lists.len()).map(|at| f64::from(u8::from(at == place % lists.len()))).collect();
                let slices: Vec<&[Ranked<u8>]> = lists.iter().map(Vec::as_slice).collect();
                let fused = fuse(&slices, &Fusion::new(method).with_weights(weights)).unwrap();
                prop_assert_eq!(ids(&fused), ids(list), "{}", method);
            }
        }
    }
}
