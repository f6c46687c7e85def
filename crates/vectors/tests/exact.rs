//! Exact search beside a scan that knows no tricks.

use proptest::prelude::*;
use stats::rng::Rng;
use std::cell::Cell;
use vectors::{ByteRows, Effort, Error, Found, HalfRows, Hit, Vectors};

/// Rows and their quantised form.
struct Stored {
    dimension: usize,
    half: Vec<u8>,
    bytes: Vec<u8>,
}

impl Stored {
    fn new(dimension: usize, rows: impl IntoIterator<Item = Vec<f32>>) -> Self {
        let mut half = Vec::new();
        for row in rows {
            HalfRows::push(&row, &mut half).unwrap();
        }
        let bytes = ByteRows::quantise(&HalfRows::new(dimension, &half).unwrap());
        Self { dimension, half, bytes }
    }

    fn vectors(&self) -> Vectors<'_> {
        let half = HalfRows::new(self.dimension, &self.half).unwrap();
        Vectors::new(half, ByteRows::new(self.dimension, &self.bytes).unwrap()).unwrap()
    }
}

fn random(rng: &mut Rng, dimension: usize) -> Vec<f32> {
    (0..dimension).map(|_| (0..4).map(|_| rng.unit() as f32 - 0.5).sum()).collect()
}

/// Vectors around a few others, as those of texts are.
fn clustered(seed: u64, rows: usize, dimension: usize) -> Stored {
    let mut rng = Rng::seeded(seed);
    let centres: Vec<_> = (0..12).map(|_| random(&mut rng, dimension)).collect();
    Stored::new(
        dimension,
        (0..rows).map(|row| {
            let noise = random(&mut rng, dimension);
            centres[row % 12].iter().zip(noise).map(|(centre, noise)| centre + 0.4 * noise).collect()
        }),
    )
}

fn all(vectors: &Vectors<'_>, query: &[f32], k: usize) -> Found {
    vectors.top(query, k, Effort::Exact, |_| true, || false).unwrap()
}

/// The best rows of documents by the scores of [`HalfRows::dot`].
fn naive(vectors: &Vectors<'_>, query: &[f32], k: usize, document_of: impl Fn(u32) -> u32) -> Vec<Hit> {
    let mut hits: Vec<Hit> = (0..vectors.len() as u32)
        .map(|row| Hit { document: document_of(row), row, score: vectors.half().dot(row, query).unwrap() })
        .collect();
    hits.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.row.cmp(&other.row)));
    let mut seen = std::collections::HashSet::new();
    hits.retain(|hit| seen.insert(hit.document));
    hits.truncate(k);
    hits
}

proptest! {
    #[test]
    fn the_result_is_that_of_a_scan_in_64_bits(
        seed in any::<u64>(), rows in 0_usize..300, dimension in 1_usize..100, k in 0_usize..320, levels in 1_i32..50,
    ) {
        // Few levels make many equal scores.
        let mut rng = Rng::seeded(seed);
        let mut vector = || -> Vec<f32> {
            let level = |rng: &mut Rng| (rng.unit() * f64::from(levels)).round() as f32 + 0.25;
            (0..dimension).map(|_| level(&mut rng) - levels as f32 / 2.0).collect()
        };
        let query = vector();
        let stored = Stored::new(dimension, (0..rows).map(|_| vector()));
        let vectors = stored.vectors();
        let found = all(&vectors, &query, k);
        prop_assert!(found.complete && found.scanned == rows);
        prop_assert_eq!(&found.hits, &naive(&vectors, &query, k, |row| row));
        // And these scores are those of 64 bits, as far as 32 bits can tell.
        let norm = query.iter().map(|number| f64::from(number * number)).sum::<f64>().sqrt();
        for hit in &found.hits {
            let row = vectors.half().row(hit.row).unwrap();
            let sum: f64 = row.iter().zip(&query).map(|(one, other)| f64::from(*one) * f64::from(*other)).sum();
            prop_assert!((sum - f64::from(hit.score)).abs() <= 1e-6 * norm, "{} {}", sum, hit.score);
        }
    }

    #[test]
    fn documents_rank_by_their_best_row(
        seed in any::<u64>(), lengths in proptest::collection::vec(1_usize..6, 1..80), k in 1_usize..90,
    ) {
        let documents: Vec<u32> =
            lengths.iter().enumerate().flat_map(|(document, &length)| vec![document as u32; length]).collect();
        let stored = clustered(seed, documents.len(), 24);
        let vectors = stored.vectors();
        let query = random(&mut Rng::seeded(seed ^ 1), 24);
        let of = |row: u32| documents[row as usize];
        let found = vectors.top_documents(&query, k, Effort::Exact, of, |_| true, || false).unwrap();
        prop_assert_eq!(&found.hits, &naive(&vectors, &query, k, of));
        let odd = vectors.top_documents(&query, k, Effort::Exact, of, |document| document % 2 == 1, || false).unwrap();
        let mut expected = naive(&vectors, &query, usize::MAX, of);
        expected.retain(|hit| hit.document % 2 == 1);
        expected.truncate(k);
        prop_assert_eq!(&odd.hits, &expected);
        let each = vectors.top_documents_of_each(&[&query, &query[..]], k, Effort::Exact, of, |_| true, || false).unwrap();
        prop_assert_eq!(each, vec![found.clone(), found]);
    }
}

#[test]
fn many_rows_give_the_same_on_any_number_of_threads() {
    let stored = clustered(5, 30_000, 48);
    let vectors = stored.vectors();
    vectors.check().unwrap();
    let of = |row: u32| row / 3;
    for (seed, k) in [(1, 1), (2, 10), (3, 1000), (4, 29_999), (5, 40_000)] {
        let query = random(&mut Rng::seeded(seed), 48);
        let expected = naive(&vectors, &query, k, |row| row);
        let documents = naive(&vectors, &query, k, of);
        for threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| all(&vectors, &query, k));
            assert_eq!(found.hits, expected, "{threads} threads, k {k}");
            assert!(k > 10 || found.scored < 200, "{} rows scored for k {k}", found.scored);
            let found = pool
                .install(|| vectors.top_documents(&query, k, Effort::Exact, of, |_| true, || false).unwrap());
            assert_eq!(found.hits, documents, "{threads} threads, k {k}");
        }
    }
}

#[test]
fn of_equal_scores_the_smaller_row_comes_first() {
    let stored = Stored::new(
        3,
        (0..10_000).map(|row| if row % 4 == 3 { vec![1.0, 2.0, 2.0] } else { vec![1.0, 0.0, 0.0] }),
    );
    let found = all(&stored.vectors(), &[0.0, 0.0, 1.0], 2502);
    let rows: Vec<u32> = found.hits.iter().map(|hit| hit.row).collect();
    let expected: Vec<u32> = (0..2500).map(|place| place * 4 + 3).chain([0, 1]).collect();
    assert_eq!(rows, expected);
}

#[test]
fn nothing_is_found_among_nothing() {
    let stored = Stored::new(4, []);
    assert_eq!(all(&stored.vectors(), &[1.0; 4], 10).hits, []);
    let stored = Stored::new(4, [vec![1.0; 4]]);
    assert_eq!(all(&stored.vectors(), &[1.0; 4], 0).hits, []);
    assert_eq!(all(&stored.vectors(), &[0.0; 4], 3).hits, [Hit { document: 0, row: 0, score: 0.0 }]);
    let refused = stored.vectors().top(&[1.0; 4], 10, Effort::Exact, |_| false, || false).unwrap();
    assert_eq!(refused.hits, []);
}

#[test]
fn bad_queries_and_sections_are_errors() {
    let stored = Stored::new(2, [vec![1.0, 1.0], vec![0.0, 1.0]]);
    let vectors = stored.vectors();
    let refused = |query: &[f32]| vectors.top(query, 1, Effort::Exact, |_| true, || false).unwrap_err();
    assert_eq!(refused(&[1.0]), Error::Length { expected: 2, found: 1 });
    assert_eq!(refused(&[1.0, f32::NAN]), Error::NotFinite(1));
    assert_eq!(refused(&[f32::INFINITY, 0.0]), Error::NotFinite(0));
    let half = vectors.half();
    let fewer = ByteRows::new(2, &stored.bytes[..10]).unwrap();
    assert_eq!(Vectors::new(half, fewer).unwrap_err(), Error::RowCount { half: 2, bytes: 1 });
    let other = ByteRows::new(12, &stored.bytes).unwrap();
    assert_eq!(Vectors::new(half, other).unwrap_err(), Error::Length { expected: 2, found: 12 });
    assert!(matches!(HalfRows::new(0, &[]), Err(Error::Dimension(0))));
    assert!(matches!(ByteRows::new(usize::MAX, &[]), Err(Error::Dimension(usize::MAX))));
}

#[test]
fn a_stopped_search_returns_what_it_has() {
    let stored = clustered(6, 20_000, 16);
    let query = random(&mut Rng::seeded(2), 16);
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > 1
    };
    let found = stored.vectors().top(&query, 10, Effort::Exact, |_| true, stop).unwrap();
    assert!(!found.complete && found.scanned > 0 && found.scanned < 20_000);
    assert_eq!(found.hits.len(), 10);
    let found = stored.vectors().top(&query, 10, Effort::Exact, |_| true, || true).unwrap();
    assert_eq!((found.complete, found.hits.len()), (false, 0));
}

#[test]
fn damaged_bytes_never_panic() {
    let mut rng = Rng::seeded(9);
    let query = random(&mut rng, 5);
    for _ in 0..300 {
        let mut stored = clustered(7, 200, 5);
        for _ in 0..20 {
            let place = (rng.unit() * stored.bytes.len() as f64) as usize;
            stored.bytes[place] = (rng.unit() * 256.0) as u8;
            let place = (rng.unit() * stored.half.len() as f64) as usize;
            stored.half[place] = (rng.unit() * 256.0) as u8;
        }
        assert!(stored.vectors().check().is_err());
        let found = all(&stored.vectors(), &query, 7);
        assert!(found.hits.len() <= 7 && found.hits.iter().all(|hit| hit.row < 200));
    }
}
