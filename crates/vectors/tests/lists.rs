//! Approximate search: recall, determinism, damaged sections.

use proptest::prelude::*;
use stats::rng::Rng;
use std::collections::HashSet;
use vectors::{ByteRows, Effort, Error, Found, HalfRows, ListOptions, Lists, NewLists, Vectors};

const DIMENSION: usize = 32;

fn random(rng: &mut Rng) -> Vec<f32> {
    (0..DIMENSION).map(|_| (0..4).map(|_| rng.unit() as f32 - 0.5).sum()).collect()
}

fn near(rng: &mut Rng, centre: &[f32]) -> Vec<f32> {
    random(rng).iter().zip(centre).map(|(noise, centre)| centre + 0.5 * noise).collect()
}

/// Vectors around 40 others, and queries from among them.
fn clustered(rows: usize) -> (Vec<u8>, Vec<Vec<f32>>) {
    let mut rng = Rng::seeded(17);
    let centres: Vec<_> = (0..40).map(|_| random(&mut rng)).collect();
    let mut half = Vec::new();
    for _ in 0..rows {
        let centre = rng.index(40);
        HalfRows::push(&near(&mut rng, &centres[centre]), &mut half).unwrap();
    }
    let queries = centres.iter().map(|centre| near(&mut rng, centre)).collect();
    (half, queries)
}

fn build(half: &HalfRows<'_>, seed: u64) -> Vec<u8> {
    let lists = NewLists::build(half, seed, &ListOptions::default(), || false).unwrap();
    lists.to_bytes(half)
}

fn search(vectors: &Vectors<'_>, query: &[f32], k: usize, effort: Effort) -> Found {
    vectors.top(query, k, effort, |_| true, || false).unwrap()
}

fn recall(found: &Found, exact: &Found) -> f64 {
    let rows: HashSet<u32> = found.hits.iter().map(|hit| hit.row).collect();
    exact.hits.iter().filter(|hit| rows.contains(&hit.row)).count() as f64 / exact.hits.len() as f64
}

#[test]
fn most_of_the_result_is_found_in_a_part_of_the_lists() {
    let (half, queries) = clustered(20_000);
    let half = HalfRows::new(DIMENSION, &half).unwrap();
    let bytes = build(&half, 1);
    let none = ByteRows::new(DIMENSION, &[]).unwrap();
    let vectors = Vectors::with_lists(half, Lists::new(&bytes).unwrap(), none).unwrap();
    vectors.check().unwrap();
    let plain = ByteRows::quantise(&half);
    let plain = Vectors::new(half, ByteRows::new(DIMENSION, &plain).unwrap()).unwrap();
    for k in [10, 1000] {
        let (mut sum, mut scanned) = (0.0, 0);
        for query in &queries {
            let exact = search(&plain, query, k, Effort::Exact);
            let of_lists = search(&vectors, query, k, Effort::Exact);
            assert_eq!(of_lists.hits, exact.hits, "all lists hold all rows");
            assert_eq!(
                search(&plain, query, k, Effort::Usual).hits,
                exact.hits,
                "without lists, all is exact"
            );
            let usual = search(&vectors, query, k, Effort::Usual);
            assert!(usual.complete && usual.hits.len() == k);
            assert!(usual.hits.iter().all(|hit| half.dot(hit.row, query) == Some(hit.score)));
            sum += recall(&usual, &exact);
            scanned += usual.scanned;
            assert_eq!(search(&vectors, query, k, Effort::Share(1.0)).hits, exact.hits);
            let little = search(&vectors, query, k, Effort::Share(0.01));
            assert!((200..1000).contains(&little.scanned), "{}", little.scanned);
        }
        let (recall, share) = (sum / 40.0, scanned as f64 / 40.0 / 20_000.0);
        assert!(recall >= 0.98 && share < 0.5, "k {k}: recall {recall}, share {share}");
    }
}

#[test]
fn the_same_rows_and_seed_give_the_same_bytes_on_any_number_of_threads() {
    let (half, queries) = clustered(6000);
    let half = HalfRows::new(DIMENSION, &half).unwrap();
    let with = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let bytes = build(&half, seed);
            let none = ByteRows::new(DIMENSION, &[]).unwrap();
            let vectors = Vectors::with_lists(half, Lists::new(&bytes).unwrap(), none).unwrap();
            let found: Vec<Found> =
                queries.iter().map(|query| search(&vectors, query, 50, Effort::Usual)).collect();
            (bytes, found)
        })
    };
    let one = with(1, 3);
    assert!(one == with(2, 3) && one == with(5, 3));
    assert!(one.0 != with(1, 4).0);
}

#[test]
fn rows_that_came_later_are_found() {
    let (half, queries) = clustered(5000);
    let row_bytes = DIMENSION * 2;
    let old = HalfRows::new(DIMENSION, &half[..4000 * row_bytes]).unwrap();
    let lists = build(&old, 1);
    let half = HalfRows::new(DIMENSION, &half).unwrap();
    let mut rest = Vec::new();
    for row in 4000..5000 {
        ByteRows::push(&half, row, &mut rest);
    }
    let rest = ByteRows::new(DIMENSION, &rest).unwrap();
    let lists = Lists::new(&lists).unwrap();
    let vectors = Vectors::with_lists(half, lists, rest).unwrap();
    vectors.check().unwrap();
    assert!(Vectors::with_lists(old, lists, rest).is_err());
    let of = |row: u32| row / 2;
    for query in &queries {
        let exact = vectors
            .top_documents(query, 30, Effort::Exact, of, |document| document >= 2000, || false)
            .unwrap();
        let usual = vectors
            .top_documents(query, 30, Effort::Usual, of, |document| document >= 2000, || false)
            .unwrap();
        assert!(exact.hits.iter().all(|hit| hit.row >= 4000 && hit.document == hit.row / 2));
        assert_eq!(exact.hits, usual.hits, "rows beside the lists are always scanned");
        let stopped = vectors.top(query, 5, Effort::Usual, |_| true, || true).unwrap();
        assert!(!stopped.complete && stopped.hits.is_empty());
    }
    let each: Vec<&[f32]> = queries.iter().map(Vec::as_slice).collect();
    let found = vectors.top_documents_of_each(&each, 9, Effort::Usual, of, |_| true, || false).unwrap();
    assert_eq!(found.len(), queries.len());
    for (query, found) in queries.iter().zip(found) {
        assert_eq!(found, vectors.top_documents(query, 9, Effort::Usual, of, |_| true, || false).unwrap());
    }
}

#[test]
fn few_rows_make_lists_too() {
    let none = ByteRows::new(DIMENSION, &[]).unwrap();
    for rows in [0, 1, 2, 3] {
        let (half, queries) = clustered(rows);
        let half = HalfRows::new(DIMENSION, &half).unwrap();
        let bytes = build(&half, 1);
        let vectors = Vectors::with_lists(half, Lists::new(&bytes).unwrap(), none).unwrap();
        vectors.check().unwrap();
        assert_eq!(search(&vectors, &queries[0], 10, Effort::Usual).hits.len(), rows);
    }
    // More lists than different vectors.
    let mut half = Vec::new();
    for _ in 0..100 {
        HalfRows::push(&[1.0; DIMENSION], &mut half).unwrap();
    }
    let half = HalfRows::new(DIMENSION, &half).unwrap();
    let bytes = build(&half, 1);
    let vectors = Vectors::with_lists(half, Lists::new(&bytes).unwrap(), none).unwrap();
    let rows: Vec<u32> =
        search(&vectors, &[1.0; DIMENSION], 3, Effort::Exact).hits.iter().map(|hit| hit.row).collect();
    assert_eq!(rows, [0, 1, 2]);
    let stopped = NewLists::build(&half, 1, &ListOptions::default(), || true);
    assert_eq!(stopped.unwrap_err(), Error::Stopped);
}

#[test]
fn a_section_that_was_cut_off_is_refused() {
    let (half, _) = clustered(200);
    let bytes = build(&HalfRows::new(DIMENSION, &half).unwrap(), 1);
    for length in 0..bytes.len() {
        assert!(Lists::new(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
    }
    let mut long = bytes.clone();
    long.push(0);
    assert_eq!(Lists::new(&long).unwrap_err(), Error::Lists("not as long as its head says"));
    let mut other = bytes;
    other[0] = 9;
    assert_eq!(Lists::new(&other).unwrap_err(), Error::Lists("written by another version"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn damaged_lists_never_panic(damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..30)) {
        let (half, queries) = clustered(300);
        let half = HalfRows::new(DIMENSION, &half).unwrap();
        let mut bytes = build(&half, 1);
        let whole = bytes.clone();
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let Ok(lists) = Lists::new(&bytes) else { return Ok(()) };
        let Ok(vectors) = Vectors::with_lists(half, lists, ByteRows::new(DIMENSION, &[]).unwrap()) else { return Ok(()) };
        let _ = vectors.check();
        for effort in [Effort::Exact, Effort::Usual, Effort::Share(0.3), Effort::Share(f32::NAN), Effort::Share(-1.0)] {
            let found = search(&vectors, &queries[0], 20, effort);
            prop_assert!(found.hits.iter().all(|hit| hit.row < 300));
        }
        // A check finds any change of a row. Centroids and ends only decide where a search looks.
        let head = 16 + lists.len() * (DIMENSION * 2 + 4);
        prop_assert!(bytes[head..] == whole[head..] || vectors.check().is_err());
    }
}

#[test]
fn bytes_from_nowhere_are_refused() {
    let mut rng = Rng::seeded(1);
    for length in [0, 1, 15, 16, 17, 100, 1000] {
        let bytes: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
        assert!(Lists::new(&bytes).is_err());
    }
    // A head that promises more than memory has.
    let head: Vec<u8> =
        [1, 8192, u32::MAX, u32::MAX].iter().flat_map(|number: &u32| number.to_le_bytes()).collect();
    assert_eq!(Lists::new(&head).unwrap_err(), Error::Lists("not as long as its head says"));
}
