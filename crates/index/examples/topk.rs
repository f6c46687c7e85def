//! x
use index::top::{ByDocument, Clause, Member, Searcher, Spread, TermScorer};
use index::{Field, Index, Part, word_key};
use std::collections::BTreeMap;
use std::time::Instant;

#[derive(Clone, Copy)]
struct Bm25(f32);

impl TermScorer for Bm25 {
    #[inline(always)]
    fn score(&self, frequency: f32, norm: f32) -> f32 {
        self.0 / (1.0 + norm / frequency)
    }
    fn most(&self) -> f32 {
        self.0
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let index = Index::open(args[1].as_ref()).unwrap();
    let queries = std::fs::read_to_string(&args[2]).unwrap();
    let (k, passes): (usize, usize) = (args[3].parse().unwrap(), args[4].parse().unwrap());
    let posts = &index.segments()[0].posts;
    let field = Field::Words(Part::Body);
    let lengths: Vec<f32> = posts.lengths(field, text::StopWords::None).map(f32::from).collect();
    let mean = lengths.iter().sum::<f32>() / lengths.len() as f32;
    let norms: Vec<f32> = lengths.iter().map(|length| 0.9 * (0.6 + 0.4 * length / mean)).collect();
    let windows = posts.windows();
    let ends = windows.iter().skip(1).map(|end| *end as usize).chain([norms.len()]);
    let least: Vec<f32> = windows
        .iter()
        .zip(ends)
        .map(|(start, end)| norms[*start as usize..end].iter().copied().fold(f32::INFINITY, f32::min))
        .collect();
    let postings = posts.postings(field).unwrap();
    let n = lengths.len() as f32;
    let mut times = Vec::new();
    let mut searcher = Searcher::default();
    let mut sum = 0.0;
    let (mut total, mut blocks) = (0_u64, 0);
    for query in queries.lines() {
        let mut counts = BTreeMap::new();
        for word in query.split(' ') {
            *counts.entry(word).or_insert(0.0_f32) += 1.0;
        }
        let clauses: Vec<_> = counts
            .iter()
            .filter_map(|(word, count)| {
                let list = postings.find(word_key(word))?;
                total += u64::from(list.len());
                let df = list.len() as f32;
                let idf = (1.0 + (n - df + 0.5) / (df + 0.5)).ln();
                Some(Clause {
                    members: vec![Member { list, factor: 1.0, spread: Spread::Own }],
                    scorer: Bm25(idf * count * 1.9),
                    norms: ByDocument { norms: &norms, least: &least },
                    level: index::top::Level::Document,
                })
            })
            .collect();
        let mut best = f64::INFINITY;
        for _ in 0..passes {
            let begin = Instant::now();
            let found = searcher.top(&clauses, &posts.space(), k, |_| true);
            best = best.min(begin.elapsed().as_secs_f64() * 1000.0);
            sum += found.iter().map(|found| found.score).sum::<f64>();
        }
        blocks += searcher.effort().blocks;
        times.push(best);
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    times.sort_by(f64::total_cmp);
    println!(
        "p50 {:.3} mean {mean:.3} ms; checksum {sum:.4}; postings {} blocks {}",
        times[times.len() / 2],
        total / times.len() as u64,
        blocks / times.len() as u64
    );
}
