//! How many pairs of formulas each measure of similarity compares in a second.

use formula::features::ngrams::Tokens;
use formula::features::pairs::{PairExtractor, PairOptions};
use formula::features::paths::{PathExtractor, Paths};
use formula::features::phoc::{Phoc, PhocExtractor};
use formula::features::tuples::{TupleExtractor, TupleOptions};
use formula::matching::{Matcher, Preparer, Weights};
use formula::opt::Opt;
use formula::opt::labs::LabsOpt;
use formula::opt::meaning::SltToOpt;
use formula::similarity::dice::{self, Counted};
use formula::similarity::edit::{Costs, EditDistance, EditTree, Labels};
use formula::similarity::structure::best_match;
use formula::similarity::tangent_s::{Aligner, Prepared, Unification};
use formula::slt::Slt;
use std::hint::black_box;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

const ROUNDS: usize = 5;

/// The sizes around the median of formulas in questions and answers.
const MEDIAN: RangeInclusive<usize> = 10..=15;

/// Where the data is not: a few formulas as layout and operator trees.
const BUILT_IN: [[&str; 2]; 6] = [
    [
        "[V!a[+[V!b[=[V!c[+[V!d[+[N!1]]],a[N!2]]],a[N!2]]],a[N!2]]",
        "[U!eq,0[U!plus,0[O!SUP,0[V!a],1[N!2]],1[O!SUP,0[V!b],1[N!2]]],1[U!plus,0[O!SUP,0[V!c],1[N!2]],1[V!d]]]",
    ],
    [
        "[∑[O!divide[=[V!e,a[V!x]]],o[V!x,a[V!n]],u[V!n[!]]],o[V!∞],u[V!n[=[N!0]]]]",
        "[U!eq,0[O!divide,0[O!SUP,0[V!x],1[V!n]],1[O!factorial,0[V!n]]],1[O!SUP,0[V!e],1[V!x]]]",
    ],
    [
        "[lim[O!divide[=[N!1]],o[V!sin[V!x]],u[V!x]],u[V!x[→[N!0]]]]",
        "[U!eq,0[+!O!limit,0[O!SUB,0[O!limit],1[F!→,0[V!x],1[N!0]]],1[O!divide,0[F!sin,0[V!x]],1[V!x]]],1[N!1]]",
    ],
    [
        "[V!b[V!f[M!()1x1[-[V!a[V!f[M!()1x1,w[V!a]]]]],w[V!b[+[N!1]]]]]]",
        "[O!minus,0[U!times,0[V!b],1[V!f],2[V!b]],1[U!times,0[V!a],1[V!f],2[U!plus,0[V!a],1[N!1]]]]",
    ],
    [
        "[∫[V!x[V!f[M!()1x1[d[V!x[=[N!0]]]],w[V!x]]],a[V!k]],o[N!1],u[N!0]]",
        "[U!eq,0[O!int,0[U!times,0[O!SUP,0[V!x],1[V!k]],1[V!f],2[V!x]],1[W!],2[W!]],1[N!0]]",
    ],
    [
        "[V!P[M!()1x2[=[V!X[V!Y[-[N!1]]]],w[V!X[&comma;],e[V!Y]]],b[N!1]]",
        "[U!eq,0[U!times,0[O!SUB,0[V!P],1[N!1]],1[O!interval(O-O),0[V!X],1[V!Y]]],1[O!minus,0[V!X],1[N!1]]]",
    ],
];

/// Prints pairs per second for each measure.
pub(crate) fn speed() {
    let (slts, opts) = trees();
    println!(
        "{} layout trees and {} operator trees of {} to {} nodes, every one against every other, one core, best of \
         {ROUNDS} rounds",
        slts.len(),
        opts.len(),
        MEDIAN.start(),
        MEDIAN.end()
    );
    println!("{:<44} {:>12} {:>12}", "pairs a second", "SLT", "OPT");
    let row = |name: &str, [slt, opt]: [f64; 2]| println!("{name:<44} {slt:>12.0} {opt:>12.0}");

    let prepared = [
        slts.iter().map(Prepared::from).collect::<Vec<_>>(),
        opts.iter().map(Prepared::from).collect::<Vec<_>>(),
    ];
    for (name, unification) in [
        ("Tangent-S, alignment with unification", Unification::Allowed),
        ("Tangent-S, alignment without unification", Unification::None),
    ] {
        let mut aligner = Aligner::new(unification);
        row(
            name,
            [&prepared[0], &prepared[1]].map(|trees| rate(trees, |a, b| aligner.align(a, b).scores.mss)),
        );
    }
    let mut pairs = PairExtractor::new(PairOptions::default());
    let mut hashes = Vec::new();
    let slt_bags = slts.iter().map(|slt| {
        hashes.clear();
        pairs.slt_hashes(slt, &mut hashes);
        dice::count(hashes.iter().copied())
    });
    let slt_bags: Vec<Vec<Counted>> = slt_bags.collect();
    let opt_bags = opts.iter().map(|opt| {
        hashes.clear();
        pairs.opt_hashes(opt, &mut hashes);
        dice::count(hashes.iter().copied())
    });
    let bags = [slt_bags, opt_bags.collect::<Vec<_>>()];
    let bag_row = |name, score: fn(&[Counted], &[Counted]) -> f64| {
        row(name, [&bags[0], &bags[1]].map(|bags| rate(bags, |a, b| score(a, b))));
    };
    bag_row("Dice of symbol pairs, four edges", dice::dice);
    bag_row("cosine of symbol pairs", dice::cosine);
    let edit = [
        slts.iter().map(|slt| EditTree::slt(slt, Labels::Tags)).collect::<Vec<_>>(),
        opts.iter().map(|opt| EditTree::opt(opt, Labels::Tags)).collect::<Vec<_>>(),
    ];
    let mut distances = EditDistance::default();
    let [slt, opt] = [(&edit[0], Costs::SLT), (&edit[1], Costs::OPT)]
        .map(|(trees, costs)| rate(trees, |a, b| distances.distance(a, b, costs).inverse()));
    row("tree edit distance, exact", [slt, opt]);
    structure(&slts);
    matcher(&slts, &opts);

    println!("\n{:<44} {:>12}", "formulas a second", "SLT");
    extraction("symbol pairs, window 4", &slts, |slt| {
        pairs.slt(slt, |pair| {
            black_box(pair);
        });
    });
    let mut tuples = TupleExtractor::new(TupleOptions::default());
    extraction("math tuples", &slts, |slt| {
        tuples.slt(slt, |tuple| {
            black_box(tuple);
        });
    });
    let (mut paths, mut found) = (PathExtractor::default(), Paths::default());
    extraction("leaf-root paths", &slts, |slt| paths.slt(slt, &mut found));
    let regions = "xy7o4".parse().unwrap_or_else(|error| panic!("xy7o4: {error}"));
    let (mut boxes, mut phoc) = (PhocExtractor::new(regions), Phoc::default());
    extraction("XY-PHOC, xy7o4", &slts, |slt| boxes.read(slt, &mut phoc));
    let mut tokens = Tokens::default();
    extraction("n-grams of layout tags, up to 3", &slts, |slt| {
        tokens.read_slt(slt);
        tokens.ngrams(3, |ngram| {
            black_box(ngram.hash());
        });
    });
    let mut opt = Opt::default();
    let mut to_opt = SltToOpt::default();
    extraction("operator trees by meaning", &slts, |slt| to_opt.read(slt, &mut opt));
    let mut to_labs = LabsOpt::default();
    extraction("operator trees as the labs'", &slts, |slt| to_labs.read(slt, &mut opt));
    let mut preparer = Preparer::new(Weights::default());
    extraction("made ready for the matcher", &slts, |slt| drop(black_box(preparer.from_slt(slt))));
}

/// approach0's scores.
fn structure(slts: &[Slt]) {
    let mut extractor = PathExtractor::default();
    let paths: Vec<Paths> = slts
        .iter()
        .map(|slt| {
            let mut paths = Paths::default();
            extractor.slt(slt, &mut paths);
            paths
        })
        .collect();
    let pairs =
        rate(&paths, |a, b| best_match(a, b, |_| 1.0).map_or(0.0, |found| found.score(b.leaves(), 0.2)));
    println!("{:<44} {pairs:>12.0}", "approach0, structure and symbols");
}

/// Ours, from layout trees and from operator trees alone.
fn matcher(slts: &[Slt], opts: &[Opt]) {
    let mut preparer = Preparer::new(Weights::default());
    let ours: Vec<_> = slts.iter().map(|slt| preparer.from_slt(slt)).collect();
    let alone: Vec<_> = opts.iter().map(|opt| preparer.from_opt(opt)).collect();
    let mut matcher = Matcher::default();
    let [slt, opt] =
        [&ours, &alone].map(|formulas| rate(formulas, |a, b| f64::from(matcher.score(a, b).value)));
    println!("{:<44} {slt:>12.0} {opt:>12.0}", "our matcher");
}

/// Trees of median size from the labs' pool where it is, else those above.
fn trees() -> (Vec<Slt>, Vec<Opt>) {
    let strings: Vec<[String; 2]> = match testkit::data_dir() {
        Some(dir) => testkit::read_tsv(&dir.join("arqmath1-pool/pool.tsv"))
            .into_iter()
            .map(|mut row| ["slt", "opt"].map(|column| row.remove(column).unwrap_or_default()))
            .collect(),
        None => {
            testkit::skip("no data folder: a few built-in formulas instead of the labs' pool");
            BUILT_IN.iter().map(|strings| strings.map(str::to_owned)).collect()
        }
    };
    let slts = strings.iter().filter_map(|[slt, _]| Slt::read_repaired(slt).ok());
    let opts = strings.iter().filter_map(|[_, opt]| Opt::read(opt).ok());
    (
        slts.filter(|slt| MEDIAN.contains(&slt.preorder().count())).collect(),
        opts.filter(|opt| MEDIAN.contains(&opt.len())).collect(),
    )
}

/// Pairs a second when every item is scored against every other, for at least a tenth of a second a round.
fn rate<T>(items: &[T], mut score: impl FnMut(&T, &T) -> f64) -> f64 {
    let mut best = 0f64;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut pairs = 0u64;
        while start.elapsed() < Duration::from_millis(100) && !items.is_empty() {
            // A different query each time, all candidates.
            let query = &items[pairs as usize / items.len() % items.len()];
            for candidate in items {
                black_box(score(query, candidate));
            }
            pairs += items.len() as u64;
        }
        best = best.max(pairs as f64 / start.elapsed().as_secs_f64());
    }
    best
}

/// Formulas a second that `extract` takes apart.
fn extraction(name: &str, slts: &[Slt], mut extract: impl FnMut(&Slt)) {
    let formulas = rate(slts, |_, slt| {
        extract(slt);
        0.0
    });
    println!("{name:<44} {formulas:>12.0}");
}
