//! How long after its deadline a search ends.

use formats::{Source, read_topics};
use retrieve::{Asked, Deadline, Engine, Error, Pipeline, Query, Resources, SystemTask};
use std::path::Path;
use std::time::{Duration, Instant};

/// The systems that are tried when none is named.
const SYSTEMS: [&str; 8] = [
    "bm25",
    "search",
    "hypatia-classic-1",
    "hypatia-classic-2",
    "approach0-a0porter",
    "tangent-s",
    "mathdowsers-proximity",
    "mirmu-ibc",
];
/// After which shares of its whole time a search has to end.
const SHARES: [f64; 4] = [0.1, 0.3, 0.5, 0.8];

/// Runs topics with deadlines at shares of the time that they take without one, and prints how much later
/// they ended: `deadlines INDEX TASK1_TOPICS TASK2_TOPICS [SYSTEM…]`.
pub(crate) fn run(mut arguments: impl Iterator<Item = String>) {
    let (Some(index), Some(answers), Some(formulas)) = (arguments.next(), arguments.next(), arguments.next())
    else {
        println!("deadlines INDEX TASK1_TOPICS TASK2_TOPICS [SYSTEM…]");
        return;
    };
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = SYSTEMS.map(str::to_owned).to_vec();
    }
    let engine = Engine::open(Path::new(&index), Resources::default()).expect("an index");
    let topics =
        [&answers, &formulas].map(|path| read_topics(Source::path(Path::new(path))).expect("topics"));
    println!("after its deadline, ms: p50, p95, p99, highest (searches that were cut short)");
    for name in names {
        let pipeline = Pipeline::named(&name).expect("a system that ships");
        let mut late = Vec::new();
        for topic in &topics[usize::from(pipeline.task() == SystemTask::Formulas)].topics {
            let (query, latex) = (Query::of_topic(topic), Query::formula_of_topic(topic));
            let asked = match (pipeline.task(), &latex) {
                (SystemTask::Answers, _) => Asked::answers(&query),
                (SystemTask::Formulas, Some(latex)) => Asked::formulas(latex),
                (SystemTask::Formulas, None) => continue,
            };
            let mut whole = Duration::MAX;
            for _ in 0..2 {
                let start = Instant::now();
                engine.run(&pipeline, &asked, 1000).expect("a search");
                whole = whole.min(start.elapsed());
            }
            for share in SHARES {
                let start = Instant::now();
                let at = start + whole.mul_f64(share);
                let ended = engine.run(&pipeline, &asked.until(&Deadline::at(at)), 1000);
                let lateness = Instant::now().saturating_duration_since(at);
                match ended {
                    Ok(outcome) if outcome.completeness == retrieve::Completeness::Whole => {}
                    Ok(_) | Err(Error::Stopped) => late.push(lateness.as_secs_f64() * 1000.0),
                    Err(error) => panic!("{name}: {error}"),
                }
            }
        }
        late.sort_by(f64::total_cmp);
        let at = |share: f64| late.get((late.len() as f64 * share) as usize).or(late.last()).copied();
        let shown = [0.5, 0.95, 0.99, 1.0].map(|share| at(share).unwrap_or(0.0));
        println!(
            "{name:<24} {:.2}  {:.2}  {:.2}  {:.2}  ({})",
            shown[0],
            shown[1],
            shown[2],
            shown[3],
            late.len()
        );
    }
}
