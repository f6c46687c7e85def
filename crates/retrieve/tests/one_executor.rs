//! One executor: what it finds does not depend on how it is asked, for every system that ships.

use formats::{Html, Topic};
use index::{Change, FeatureKind, Index, Options, Unwatched};
use ingest::Strictness;
use retrieve::people::{SearchOptions, Total};
use retrieve::typed::Typed;
use retrieve::{Asked, Cancel, Deadline, Engine, Hit, Pipeline, Query, Ranking, SYSTEMS, System, SystemTask};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, LazyLock};
use testkit::TempDir;

fn collection(folder: &TempDir, name: &str, lines: &str) -> PathBuf {
    let source = folder.write(&format!("{name}.jsonl"), lines);
    let path = folder.path().join(format!("{name}.coll"));
    let plan = ingest::Plan::of(&source).unwrap();
    let done = AtomicU64::new(0);
    ingest::build(&plan, &path, Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
    path
}

/// Threads of a question and four answers, whose words and formulas mix them in any ranking.
fn threads(range: std::ops::Range<usize>) -> String {
    let mut lines = String::new();
    for thread in range {
        let id = 1000 + thread * 10;
        let words = ["limit", "series", "proof", "matrix", "prime"];
        let word = |salt: usize| words[(thread * 7 + salt * 3) % words.len()];
        writeln!(lines, r#"{{"kind":"question","id":{id},"title":"The {} of $x_{{{}}}$","body":"Why is the {} of $x^{}+1$ a {}?","tags":["{}"],"score":{}}}"#, word(1), thread % 5, word(2), thread % 9, word(3), word(4), thread % 11).unwrap();
        for answer in 1..=4 {
            let (number, score) = (id + answer, answer * thread % 13);
            let body = format!(
                "{} {} {}",
                word(answer),
                word(answer + thread),
                "word ".repeat((thread + answer) % 6)
            );
            writeln!(lines, r#"{{"kind":"answer","id":{number},"parent":{id},"body":"{body} with $x^2+{score}$ and $\\frac{{a}}{{{}}}$","score":{score}}}"#, thread % 7).unwrap();
        }
    }
    lines
}

/// An index of two segments, some of whose posts are replaced and deleted.
static ENGINE: LazyLock<(TempDir, Engine)> = LazyLock::new(|| {
    let folder = TempDir::new("one-executor");
    let (first, second) =
        (collection(&folder, "first", &threads(0..300)), collection(&folder, "second", &threads(280..340)));
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    let target = folder.path().join("index");
    index::build(&first, &target, &options, &Unwatched).unwrap();
    let delete = ["1003".to_owned(), "1990".to_owned()];
    index::change(&target, Change { add: Some(&second), delete: &delete }, &Unwatched).unwrap();
    let engine = Engine::new(Index::open(&target).unwrap());
    assert_eq!(engine.index().segments().len(), 2);
    (folder, engine)
});

/// The systems for answers that need no runs and no models.
fn pipelines() -> impl Iterator<Item = Arc<Pipeline>> {
    let pipelines = SYSTEMS.iter().filter_map(|(name, _)| Pipeline::named(name).ok());
    let pipelines = pipelines.filter(|pipeline| ENGINE.1.lacks(pipeline).is_none());
    pipelines.filter(|pipeline| pipeline.task() == SystemTask::Answers && pipeline.name() != "linked-posts")
}

fn posts(pipeline: &Pipeline, query: &Query, depth: usize) -> Vec<Hit> {
    match ENGINE.1.run(pipeline, &Asked::answers(query), depth).unwrap().ranking {
        Ranking::Posts(hits) => hits,
        Ranking::Formulas(_) => panic!("posts are wanted"),
    }
}

fn ids(hits: &[Hit]) -> Vec<(&str, u64)> {
    hits.iter().map(|hit| (hit.id.as_str(), hit.score.to_bits())).collect()
}

fn title(html: &str) -> Topic {
    Topic { title: Some(Html::new(html)), ..Topic::new("A.1") }
}

#[test]
fn the_first_do_not_depend_on_the_depth() {
    let query = Query::of_typed(&Typed::read("proof of the limit of a series $x^2+3$ $x^5+1$"));
    let whole = Query { typed: None, ..query.clone() };
    let mut long = 0;
    for pipeline in pipelines() {
        for query in [&query, &whole] {
            let deep = posts(&pipeline, query, 1024);
            long += usize::from(deep.len() > 300);
            for depth in [1, 10, 256, 300, 1000] {
                let hits = posts(&pipeline, query, depth);
                assert_eq!(hits.len(), depth.min(deep.len()), "{}", pipeline.name());
                assert_eq!(ids(&hits), ids(&deep[..hits.len()]), "{}, {depth}", pipeline.name());
            }
        }
    }
    assert!(long > 30, "{long} long rankings");
    for (name, _) in SYSTEMS {
        let Ok(pipeline) = Pipeline::named(name) else { continue };
        // Learned systems need vectors, which this index does not have.
        if pipeline.task() != SystemTask::Formulas || ENGINE.1.lacks(&pipeline).is_some() {
            continue;
        }
        let formulas =
            |depth: usize| match ENGINE.1.run(&pipeline, &Asked::formulas("x^2+3"), depth).unwrap().ranking {
                Ranking::Formulas(hits) => hits,
                Ranking::Posts(_) => panic!("formulas are wanted"),
            };
        let deep = formulas(1000);
        assert!(deep.len() > 10, "{name}");
        assert_eq!(formulas(5), deep[..5], "{name}");
    }
}

/// Pages follow each other, whichever step they are ranked in, and are what a run has.
#[test]
fn pages_are_pieces_of_a_run() {
    let typed = "proof of a limit $x^2+3$ is:answer";
    for name in ["search", "hypatia-classic-1", "fused-answers", "approach0-a0porter"] {
        let pipeline = Pipeline::named(name).unwrap();
        let run = posts(&pipeline, &Query::of_typed(&Typed::read(typed)), 1000);
        let mut shown = Vec::new();
        for offset in [0, 100, 250, 300, 900] {
            let options = SearchOptions {
                pipeline: Arc::clone(&pipeline),
                limit: 100,
                offset,
                ..SearchOptions::default()
            };
            let results = ENGINE.1.search(&Typed::read(typed), &options).unwrap();
            for hit in &results.hits {
                assert_eq!(run.get(hit.rank - 1).map(|hit| hit.id.as_str()), Some(hit.id.as_str()), "{name}");
            }
            shown.push(results.hits.len());
        }
        assert!(shown[..2].iter().all(|shown| *shown == 100), "{name}: {shown:?}");
    }
}

/// Queries that nothing can be ranked by, and what only the text of posts can tell, by every system.
#[test]
fn filters_alone_list_posts_by_every_system() {
    for pipeline in pipelines() {
        for query in ["tag:limit", "is:answer", "\"limit series\"", "-limit", "", "?!", "zxcvqq"] {
            let options = SearchOptions { pipeline: Arc::clone(&pipeline), ..SearchOptions::default() };
            let results = ENGINE.1.search(&Typed::read(query), &options).unwrap();
            for hit in &results.hits {
                let sum: f64 = hit.why.clues.iter().map(|clue| clue.score).sum();
                let error = (sum - hit.score).abs();
                assert!(error <= 1e-4 * hit.score.abs().max(1.0), "{}: {query}", pipeline.name());
            }
        }
    }
}

/// A fusion looks at members down to a depth, so what it does not have may still be there.
#[test]
fn a_fusion_does_not_claim_to_have_all() {
    let options =
        SearchOptions { pipeline: Pipeline::named("fused-answers").unwrap(), ..SearchOptions::default() };
    let results = ENGINE.1.search(&Typed::read("proof limit series"), &options).unwrap();
    assert!(matches!(results.total, Total::AtLeast(_)), "{:?}", results.total);
}

#[test]
fn a_title_is_typed_and_stays_what_it_is() {
    let topic = title("Why is <span class=\"math-container\">$x^2$</span> \"odd\"?");
    let query = Query::of_topic(&topic);
    assert_eq!(query.title.formulas, ["x^2"]);
    assert!(query.title.text.starts_with("Why is ") && query.title.text.ends_with("\"odd\"?"));
    assert_eq!(*query.searched(), *Query::of_typed(&Typed::read("Why is $x^2$ \"odd\"?")).searched());
    let typed = &query.typed.as_ref().unwrap().typed;
    assert_eq!((typed.phrases.len(), typed.formulas.len()), (1, 1));
    // A topic with anything else is not typed.
    let asked = Topic { question: Some(Html::new("<p>Why?</p>")), ..title("Why?") };
    assert!(Query::of_topic(&asked).typed.is_none());
    let tagged = Topic { tags: vec!["limits".to_owned()], ..title("Why?") };
    assert!(Query::of_topic(&tagged).typed.is_none());
}

/// An index without features of formulas is searched by words.
#[test]
fn formulas_are_missed_only_when_they_are_asked_for() {
    let folder = TempDir::new("one-executor-words");
    let path = collection(&folder, "c", &threads(0..10));
    let options = Options { formula_features: Vec::new(), post_features: vec![FeatureKind::Parts] };
    let engine = Engine::new(index::build(&path, &folder.path().join("i"), &options, &Unwatched).unwrap());
    let search = |query: &str| engine.search(&Typed::read(query), &SearchOptions::default());
    assert!(!search("limit").unwrap().hits.is_empty());
    assert!(search("limit $x^2$").unwrap_err().to_string().contains("has no parts"));
}

fn cancelled() -> (Deadline, Cancel) {
    let (deadline, cancel) = Deadline::never().with_cancel();
    cancel.cancel();
    (deadline, cancel)
}

/// Every stage looks at the deadline: with none left, no system finds anything, and none remembers that.
#[test]
fn no_system_works_without_time() {
    let query = Query::of_typed(&Typed::read("proof of the limit $x^2+3$"));
    for pipeline in pipelines() {
        let before = posts(&pipeline, &query, 50);
        let (deadline, _) = cancelled();
        let stopped = ENGINE.1.run(&pipeline, &Asked::answers(&query).until(&deadline), 50);
        let nothing = match stopped {
            Err(retrieve::Error::Stopped) => true,
            Ok(outcome) => matches!(outcome.ranking, Ranking::Posts(hits) if hits.is_empty()),
            Err(error) => panic!("{}: {error}", pipeline.name()),
        };
        assert!(nothing, "{}", pipeline.name());
        assert_eq!(ids(&posts(&pipeline, &query, 50)), ids(&before), "{}", pipeline.name());
    }
    for (name, _) in SYSTEMS {
        let system = System::named(name).unwrap();
        let Ok(pipeline) = Pipeline::compile(system, &System::named, &BTreeMap::new()) else { continue };
        if pipeline.task() == SystemTask::Formulas {
            let (deadline, _) = cancelled();
            let stopped = ENGINE.1.run(&pipeline, &Asked::formulas("x^2+1").until(&deadline), 50);
            let found = stopped.map_or(0, |outcome| match outcome.ranking {
                Ranking::Formulas(hits) => hits.len(),
                Ranking::Posts(hits) => hits.len(),
            });
            assert_eq!(found, 0, "{name}");
        }
    }
}

#[test]
fn mistakes_in_a_scorer_of_formulas_are_told_with_their_place() {
    let file = |rerank: &str| {
        format!(
            "name = \"x\"\ntask = 2\nabout = \"\"\n[[formulas.find]]\nfeatures = \"parts\"\n\
             model = {{ name = \"overlap\" }}\n[formulas.rerank]\n{rerank}"
        )
    };
    for (rerank, message) in [
        ("by = \"matcher\"\ndepth = 5\npenalty = 0.1\n", "matcher: unknown field `penalty`"),
        ("by = \"tangent-s\"\ndepth = 5\nx = 1\n", "tangent-s: unknown field `x`"),
        (
            "by = \"mather\"\ndepth = 5\n",
            "there is no scorer `mather`; there are matcher, tangent-s, approach0",
        ),
        ("by = \"matcher\"\n", "missing field `depth`"),
    ] {
        let error = System::read(&file(rerank), "x").unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("line 7"), "{rerank}: {error}");
    }
}
