//! Runs of ARQMath-1 pooled again, and judged again by methods that choose; skipped where they are not at hand.

#![allow(clippy::print_stderr, reason = "the figures are for people who look at them")]

use eval::{Measure, TopicPolicy};
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};
use formats::{Source, TopicId};
use pool::choose::Method;
use pool::simulate::{Replay, Setting};
use pool::{
    Depths, Extent, ItemKind, PooledRun, Preset, Rankings, Rates, Reading, Standing, Unit, pool_runs, preview,
};
use std::path::Path;

/// All runs of Task 1 at hand.
const RUNS: [&str; 7] =
    ["approach0", "dprl-a3", "linked-mse", "mathdowsers-alpha05", "mirmu-ensemble", "psu-full", "zbmath"];

fn read_run(data: &Path, name: &str) -> Option<Run> {
    let path = data.join(format!("runs/{name}.tsv"));
    path.exists().then(|| Run::read(Source::path(&path), RunKind::Documents).unwrap())
}

fn read_qrels(data: &Path) -> Option<Qrels> {
    let path = data.join("arqmath-mini/official/task1_2020.qrels");
    path.exists().then(|| Qrels::read(Source::path(&path), Scale::Plain).unwrap().0)
}

/// The figures come from this, run in the folder of the data:
///
/// ```text
/// python3 - <<'E'
/// import struct, collections
/// def read(path):
///     topics = collections.defaultdict(dict)
///     for line in open(path, newline=''):
///         topic, _, doc, rank, score, tag = line.split()
///         topics[topic].setdefault(doc, struct.unpack('f', struct.pack('f', float(score)))[0])
///     return {t: sorted(docs, key=lambda d: (docs[d], d), reverse=True) for t, docs in topics.items()}
/// a, b = (read(f'runs/task1-2020/{name}.tsv') for name in ('psu-full', 'linked-mse'))
/// topics = {line.split()[0] for line in open('arqmath-mini/official/task1_2020.qrels')}
/// top = lambda run, t, k: set(run.get(t, [])[:k])
/// sizes = [len(top(a, t, 45) | top(b, t, 20)) for t in topics]
/// print(sum(sizes), min(sizes), max(sizes), sum(len(top(a, t, 45) & top(b, t, 20)) for t in topics))
/// print(sum(d in a.get(t, []) for t in topics for d in top(b, t, 20) - top(a, t, 45)))
/// print([sum(len(top(a, t, k) | top(b, t, k)) for t in topics) for k in (10, 20, 30, 45, 60)])
/// E
/// ```
#[test]
fn answers_of_two_whole_runs_are_pooled_again() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let runs = ["psu-full", "linked-mse"].map(|name| read_run(&data, &format!("task1-2020/{name}")));
    let ([Some(psu), Some(linked)], Some(qrels)) = (runs, read_qrels(&data)) else {
        return testkit::skip("no runs of Task 1");
    };
    let runs = [
        PooledRun { name: "psu-full".into(), run: &psu, standing: Standing::Primary },
        PooledRun { name: "linked-mse".into(), run: &linked, standing: Standing::Alternate },
    ];
    let topics: Vec<TopicId> = qrels.topics().map(|topic| topic.id().clone()).collect();
    let rankings = Rankings::new(&runs, &topics, &Reading::new(Unit::Posts)).unwrap();
    let pool = rankings.pool(Preset::Arqmath3Task1.extent());
    let cost = preview(&pool, pool::AT_MOST, Rates::default());
    assert_eq!((pool.topics.len(), cost.items.total, cost.items.min, cost.items.max), (77, 4137, 45, 65));
    assert!((cost.hours - 4137.0 * 44.1 / 3600.0).abs() < 1e-9);
    let items = || pool.topics.iter().flat_map(|topic| &topic.items);
    assert_eq!(items().filter(|item| item.sources.within.len() == 2).count(), 42);
    let below = |item: &&pool::PoolItem| {
        item.sources.within.len() == 1
            && item.sources.deeper.iter().any(|place| place.run.as_str() == "psu-full")
    };
    assert_eq!(items().filter(below).count(), 109);
    assert!(items().flat_map(|item| &item.sources.within).all(|by| by.rank <= 45));
    let depths = [10, 20, 30, 45, 60].map(Extent::depth);
    let what_if = rankings.what_if(&depths, pool::AT_MOST, Rates::default());
    let totals: Vec<usize> = what_if.iter().map(|(_, cost)| cost.items.total).collect();
    assert_eq!(totals, [1299, 2226, 3036, 4191, 5337]);
}

/// Every topic has more than 25 visual ids: `cut -f1 tangent-s.tsv | sort | uniq -c | sort -n | head -1` gives
/// 74, and `cut -f1 tangent-s.tsv | sort -u | wc -l` 85 topics, so that 2125 items are pooled.
#[test]
fn visual_ids_of_a_run_are_pooled_again() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let Some(run) = read_run(&data, "task2-2020/tangent-s") else { return testkit::skip("no run of Task 2") };
    let topics: Vec<TopicId> = run.topics().map(|rows| rows.id().clone()).collect();
    let runs = [PooledRun { name: "tangent-s".into(), run: &run, standing: Standing::Primary }];
    let reading = Reading::new(Unit::VisualIds);
    let pool = pool_runs(&runs, &topics, &reading, Preset::Arqmath1Task2.extent()).unwrap();
    assert_eq!((pool.topics.len(), pool.num_items()), (85, 2125));
    assert!(pool.topics.iter().all(|topic| topic.runs[0].depth == 25 && topic.runs[0].alone == 25));
    let first = pool.topic(&"B.1".into()).unwrap();
    let best = first.items.iter().find(|item| item.sources.best_rank() == 1).unwrap();
    assert_eq!((best.id.kind(), best.id.as_str()), (ItemKind::Formula, "1047717"));
}

#[test]
fn judging_again_by_methods_that_choose() {
    let Some(data) = testkit::data_dir() else { return testkit::skip("the real data is not there") };
    let runs = RUNS.map(|name| read_run(&data, &format!("task1-2020/{name}")));
    let Some(qrels) = read_qrels(&data).filter(|_| runs.iter().all(Option::is_some)) else {
        return testkit::skip("no runs of Task 1");
    };
    let pooled: Vec<PooledRun<'_>> = RUNS
        .into_iter()
        .zip(runs.iter().flatten())
        .map(|(name, run)| PooledRun { name: name.into(), run, standing: Standing::Primary })
        .collect();
    let shares: Vec<f64> = (1..=20).map(|step| f64::from(step) / 20.0).collect();
    for (name, measure) in [("nDCG'", "nDCG'"), ("MAP'", "AP'(rel=2)")] {
        let measure: Measure = measure.parse().unwrap();
        let replay = Replay::new(Setting {
            runs: &pooled,
            reading: Reading::new(Unit::Posts),
            extent: Extent::Depths(Depths::WHOLE),
            qrels: &qrels,
            level: 2,
            measure: &measure,
            policy: TopicPolicy::All,
        })
        .unwrap();
        for method in Method::ALL {
            let replayed = replay.run(method, 2020, &shares).unwrap();
            let last = replayed.points.last().unwrap();
            assert_eq!((last.judgments, last.found), (replayed.judgments, 1.0));
            assert!((last.tau.unwrap() - 1.0).abs() < 1e-12);
            assert!(replayed.points.is_sorted_by(|a, b| a.found <= b.found && a.judgments <= b.judgments));
            assert!(replayed.steady_from(0.9).is_some());
            let at = |share: f64| replayed.points.iter().find(|point| point.share >= share).unwrap();
            eprintln!(
                "{name:6} {method:14} {} judgments, {} relevant: tau stays at 0.9 from {:3.0} % on; found {:.3} after \
                 10 %, {:.3} after 25 %, {:.3} after 50 %; tau {:.3}, {:.3}, {:.3}",
                replayed.judgments,
                replayed.relevant,
                100.0 * replayed.steady_from(0.9).unwrap(),
                at(0.1).found,
                at(0.25).found,
                at(0.5).found,
                at(0.1).tau.unwrap(),
                at(0.25).tau.unwrap(),
                at(0.5).tau.unwrap(),
            );
        }
    }
}
