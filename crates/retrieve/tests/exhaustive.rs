//! Whatever is left out of a search is not among the first: with few results, for which most documents are passed
//! over, every system gives the first of those that it gives when every document is scored.

use index::{FeatureKind, Index, Options, Unwatched};
use ingest::{Plan, Strictness};
use retrieve::typed::Typed;
use retrieve::{Asked, Engine, Pipeline, Query, Ranking, SYSTEMS, System, SystemTask};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

/// More documents than fit into two windows, of posts and of formulas.
const THREADS: u32 = 7000;
/// Queries of each collection.
const QUERIES: usize = 4;

/// Numbers that look random and depend on a seed alone.
fn scattered(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from((state >> 11) % u64::from(below)).unwrap()
    }
}

/// A few words, some of them much more frequent than others.
fn words(random: &mut impl FnMut(u32) -> u32, most: u32) -> String {
    let mut text = String::new();
    for _ in 0..=random(most) {
        let word = random(400) * random(400) / 400;
        let ending = ["", "s", "ed"][random(3) as usize];
        write!(text, "term{word}{ending} ").unwrap();
    }
    text
}

fn formula(random: &mut impl FnMut(u32) -> u32) -> String {
    let letter = |at: u32| ["a", "b", "x", "y", "n"][at as usize];
    let (left, right, power) = (letter(random(5)), letter(random(5)), random(40));
    match random(4) {
        0 => format!(r"{left}^{{{power}}}+{right}_{{{}}}", random(40)),
        1 => format!(r"\\frac{{{left}}}{{{right}+{power}}}={}", random(50)),
        2 => format!(r"\\sum_{{{left}={power}}}^{{\\infty}} {right}^{{{}}}", random(50)),
        _ => format!(r"\\sqrt{{{left}+{power}{right}}}-{}", random(40)),
    }
}

fn collection(seed: u64) -> (String, Vec<String>) {
    let (mut lines, mut random) = (String::new(), scattered(seed));
    for thread in 0..THREADS {
        let id = thread * 8;
        let (title, body, math) = (words(&mut random, 6), words(&mut random, 14), formula(&mut random));
        writeln!(
            lines,
            r#"{{"kind":"question","id":{id},"title":"{title}","body":"{body} ${math}$","tags":["tag{}"]}}"#,
            random(9)
        )
        .unwrap();
        for answer in 1..=random(4) {
            let (number, body, math) = (id + answer, words(&mut random, 20), formula(&mut random));
            writeln!(
                lines,
                r#"{{"kind":"answer","id":{number},"parent":{id},"body":"{body} ${math}$ and ${}$"}}"#,
                formula(&mut random)
            )
            .unwrap();
        }
    }
    let queries = (0..QUERIES)
        .map(|_| format!("{} ${}$", words(&mut random, 12), formula(&mut random).replace(r"\\", r"\")));
    let queries = queries.collect();
    (lines, queries)
}

fn engine(folder: &TempDir, lines: &str) -> Engine {
    let source = folder.write("threads.jsonl", lines);
    let path = folder.path().join("threads.coll");
    let done = AtomicU64::new(0);
    ingest::build(&Plan::of(&source).unwrap(), &path, Strictness::Lenient, &done, &mut ingest::Unwatched)
        .unwrap();
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    let target = folder.path().join("index");
    index::build(&path, &target, &options, &Unwatched).unwrap();
    let engine = Engine::new(Index::open(&target).unwrap());
    let segment = &engine.index().segments()[0].posts;
    assert!(segment.windows().len() >= 2, "{} posts", segment.documents());
    let formulas = &engine.index().sources()[0].formulas;
    assert!(formulas.space().windows.len() >= 2, "{} formulas", formulas.documents());
    engine
}

/// Ids and scores to the last bit.
fn ranking(engine: &Engine, pipeline: &Pipeline, asked: &Asked<'_>, depth: usize) -> Vec<(String, u64)> {
    match engine.run(pipeline, asked, depth).unwrap().ranking {
        Ranking::Posts(hits) => hits.into_iter().map(|hit| (hit.id, hit.score.to_bits())).collect(),
        Ranking::Formulas(hits) => {
            hits.into_iter().map(|hit| (format!("{}/{}", hit.source, hit.doc), hit.score.to_bits())).collect()
        }
    }
}

#[test]
fn what_is_passed_over_is_not_among_the_first() {
    let folder = TempDir::new("exhaustive");
    let mut compared = 0;
    for seed in [1, 2] {
        let (lines, queries) = collection(seed);
        let engine = engine(&folder, &lines);
        for (name, _) in SYSTEMS {
            let find = |name: &str| System::named(name);
            let Ok(pipeline) = Pipeline::compile(find(name).unwrap(), &find, &BTreeMap::new()) else {
                continue;
            };
            if engine.lacks(&pipeline).is_some() || *name == "linked-posts" {
                continue;
            }
            let pipeline = pipeline.exact();
            for text in &queries {
                let query = Query { typed: None, ..Query::of_typed(&Typed::read(text)) };
                let latex = text.split('$').nth(1).unwrap();
                let asked = match pipeline.task() {
                    SystemTask::Answers => Asked::answers(&query),
                    SystemTask::Formulas => Asked::formulas(latex),
                };
                let all = ranking(&engine, &pipeline, &asked, 1_000_000);
                for depth in [1, 30] {
                    let first = ranking(&engine, &pipeline, &asked, depth);
                    assert_eq!(first, all[..depth.min(all.len())], "{name}, first {depth}, {text}");
                }
                compared += usize::from(all.len() > 1000);
            }
        }
    }
    assert!(compared > 200, "{compared} long rankings");
}
