//! A million vectors: building, size, time and recall of exact and approximate search, memory.
//!
//! `million` makes up vectors; `million ROWS` makes up that many; `million VECTORS QUERIES` reads files
//! of little-endian `f32`, 384 to a row. `bench/vectors/README.md` has the figures.

#![allow(clippy::print_stdout, reason = "it prints a report")]
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on fails")]

use cpu_time::{ProcessTime, ThreadTime};
use rayon::prelude::*;
use stats::rng::Rng;
use std::collections::HashSet;
use std::hint::black_box;
use std::time::Instant;
use vectors::{ByteRows, Effort, Found, HalfRows, ListOptions, Lists, NewLists, Vectors};

const DIMENSION: usize = 384;
const QUERIES: usize = 100;
const SEED: u64 = 1;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [vectors, queries] => {
            let mut half = Vec::new();
            read(vectors).chunks_exact(DIMENSION).for_each(|row| HalfRows::push(row, &mut half).unwrap());
            let queries: Vec<Vec<f32>> = read(queries).chunks_exact(DIMENSION).map(<[f32]>::to_vec).collect();
            report(vectors, &half, &queries);
        }
        rest => {
            let rows = rest.first().map_or(1_000_000, |rows| rows.parse().unwrap());
            for (name, topics) in
                [("made up, in groups", Some(Topics::new())), ("made up, without groups", None)]
            {
                let vector = |row: usize| {
                    let mut rng = Rng::seeded(row as u64);
                    match &topics {
                        Some(topics) => topics.vector(&mut rng),
                        None => unit(&mut rng),
                    }
                };
                let mut half = Vec::new();
                for start in (0..rows).step_by(10_000) {
                    let part: Vec<_> =
                        (start..rows.min(start + 10_000)).into_par_iter().map(vector).collect();
                    part.iter().for_each(|row| HalfRows::push(row, &mut half).unwrap());
                }
                let queries: Vec<_> = (rows..rows + QUERIES).map(vector).collect();
                report(name, &half, &queries);
            }
        }
    }
}

fn report(name: &str, half: &[u8], queries: &[Vec<f32>]) {
    let half = HalfRows::new(DIMENSION, half).unwrap();
    println!("\n{name}: {} rows of {DIMENSION}, {} queries", half.len(), queries.len());
    let plain = ByteRows::quantise(&half);
    println!(
        "  16-bit rows {:.0} MB, 8-bit rows {:.0} MB",
        megabytes(half.len() * DIMENSION * 2),
        megabytes(plain.len())
    );
    let words = vec![1_u64; plain.len() / 8];
    let memory = least(5, || black_box(words.iter().fold(0_u64, |sum, word| sum.wrapping_add(*word))));
    drop(words);
    let dots = least(3, || {
        (0..half.len() as u32).fold(0.0_f32, |most, row| most.max(half.dot(row, &queries[0]).unwrap()))
    });
    let without = Vectors::new(half, ByteRows::new(DIMENSION, &plain).unwrap()).unwrap();
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let scan = one_thread.install(|| least(5, || search(&without, &queries[0], 10, Effort::Exact)));
    let speed = |bytes: usize, time: f64| bytes as f64 / time / 1e9;
    println!(
        "  one core: memory {:.1} GB/s, exact scan of 8 bits {:.1} GB/s, products of 16 bits {:.1} GB/s",
        speed(plain.len(), memory),
        speed(plain.len(), scan),
        speed(half.len() * DIMENSION * 2, dots)
    );

    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let lists = NewLists::build(&half, SEED, &ListOptions::default(), || false).unwrap();
    let bytes = lists.to_bytes(&half);
    println!(
        "  lists: built in {:.1} s, {:.1} s of CPU; {:.0} MB in place of the 8-bit rows",
        wall.elapsed().as_secs_f64(),
        cpu.elapsed().as_secs_f64(),
        megabytes(bytes.len())
    );
    let opened = Lists::new(&bytes).unwrap();
    let with = Vectors::with_lists(half, opened, ByteRows::new(DIMENSION, &[]).unwrap()).unwrap();

    println!("  k     search   recall  least  scanned  scored   CPU ms p50    p95   all cores ms p50    p95");
    for k in [10, 1000] {
        let mut exact = Vec::new();
        for (name, vectors, effort) in [
            ("exact", &without, Effort::Exact),
            ("usual", &with, Effort::Usual),
            ("10 %", &with, Effort::Share(0.1)),
        ] {
            let mut cpu = Vec::new();
            let mut found = Vec::new();
            one_thread.install(|| {
                for query in queries {
                    cpu.push(least(3, || black_box(search(vectors, query, k, effort))));
                    found.push(search(vectors, query, k, effort));
                }
            });
            let mut wall: Vec<f64> = queries
                .iter()
                .map(|query| {
                    let start = Instant::now();
                    black_box(search(vectors, query, k, effort));
                    start.elapsed().as_secs_f64()
                })
                .collect();
            if exact.is_empty() {
                exact.clone_from(&found);
            }
            let recalls: Vec<f64> =
                found.iter().zip(&exact).map(|(found, exact)| recall(found, exact)).collect();
            let mean = |number: fn(&Found) -> usize| found.iter().map(number).sum::<usize>() / found.len();
            println!(
                "  {k:<5} {name:<8} {:.4}  {:.3}  {:>7}  {:>6}  {:>10.2} {:>7.2}  {:>16.2} {:>7.2}",
                recalls.iter().sum::<f64>() / recalls.len() as f64,
                recalls.iter().copied().fold(1.0, f64::min),
                mean(|found| found.scanned),
                mean(|found| found.scored),
                percentile(&mut cpu, 50) * 1e3,
                percentile(&mut cpu, 95) * 1e3,
                percentile(&mut wall, 50) * 1e3,
                percentile(&mut wall, 95) * 1e3
            );
        }
    }
    let documents = |effort| {
        let vectors = if effort == Effort::Exact { &without } else { &with };
        let search = |query: &Vec<f32>| {
            let of = |row| row / 3;
            least(3, || vectors.top_documents(query, 1000, effort, of, |_| true, || false).unwrap())
        };
        percentile(&mut one_thread.install(|| queries.iter().map(search).collect::<Vec<_>>()), 50) * 1e3
    };
    println!(
        "  1000 documents of three rows each: exact {:.2}, usual {:.2} ms of CPU (p50)",
        documents(Effort::Exact),
        documents(Effort::Usual)
    );
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        println!("  peak memory, all of the above: {}", peak.trim());
    }
}

fn search(vectors: &Vectors<'_>, query: &[f32], k: usize, effort: Effort) -> Found {
    vectors.top(query, k, effort, |_| true, || false).unwrap()
}

fn recall(found: &Found, exact: &Found) -> f64 {
    let rows: HashSet<u32> = found.hits.iter().map(|hit| hit.row).collect();
    exact.hits.iter().filter(|hit| rows.contains(&hit.row)).count() as f64 / exact.hits.len() as f64
}

/// The least CPU seconds of this thread in several rounds.
fn least<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let round = |_| {
        let start = ThreadTime::now();
        black_box(work());
        start.elapsed().as_secs_f64()
    };
    (0..rounds).map(round).fold(f64::MAX, f64::min)
}

fn percentile(times: &mut [f64], percent: usize) -> f64 {
    times.sort_by(f64::total_cmp);
    times[(times.len() - 1) * percent / 100]
}

fn megabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e6
}

fn read(path: &str) -> Vec<f32> {
    std::fs::read(path).unwrap().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()
}

/// A vector of length one in a random direction: each number is nearly normally distributed.
fn unit(rng: &mut Rng) -> Vec<f32> {
    let mut vector: Vec<f32> =
        (0..DIMENSION).map(|_| (0..4).map(|_| rng.unit() as f32 - 0.5).sum()).collect();
    let norm = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter_mut().for_each(|number| *number /= norm);
    vector
}

/// Groups of groups of vectors, as texts of a field, a subject and a question are.
struct Topics {
    centres: Vec<Vec<f32>>,
}

impl Topics {
    fn new() -> Self {
        let mut rng = Rng::seeded(SEED);
        let fields: Vec<_> = (0..200).map(|_| unit(&mut rng)).collect();
        let centre = |_| {
            let field = rng.index(fields.len());
            fields[field].iter().zip(unit(&mut rng)).map(|(field, own)| 0.6 * field + 0.8 * own).collect()
        };
        Self { centres: (0..6000).map(centre).collect() }
    }

    /// Between two centres, nearer to the first, and six tenths of its length away.
    fn vector(&self, rng: &mut Rng) -> Vec<f32> {
        let [first, second] = [rng.index(self.centres.len()), rng.index(self.centres.len())];
        let share = 0.5 * rng.unit() as f32;
        let noise = unit(rng);
        let pairs = self.centres[first].iter().zip(&self.centres[second]);
        pairs
            .zip(noise)
            .map(|((first, second), noise)| (1.0 - share) * first + share * second + 0.6 * noise)
            .collect()
    }
}
