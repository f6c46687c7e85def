//! Stages of tests: what they need, what becomes of their scores, and what happens when time is up.

use super::stage::{OpenPostScorer, OpenPostSource, PostScorer};
use super::*;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind, Hit};
use crate::query::{Query, Section};
use crate::resources::Resources;
use crate::system::{Mix, PostRerank};
use index::{Deadline, Document, FeatureKind, Index, Options, Unwatched};
use need::Need;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use testkit::TempDir;

/// Five answers, each with the word `limit` more often than the one before.
fn engine(folder: &TempDir, resources: Resources) -> Engine {
    let mut posts = String::from("{\"kind\":\"question\",\"id\":1,\"title\":\"Limits\",\"body\":\"How?\"}\n");
    for id in 11..16 {
        let body = "limit ".repeat(id - 10);
        posts.push_str(&format!(
            "{{\"kind\":\"answer\",\"id\":{id},\"parent\":1,\"body\":\"{body} of $x^{id}$ {}\"}}\n",
            "word ".repeat(20 - id)
        ));
    }
    let source = folder.write("posts.jsonl", posts);
    let collection = folder.path().join("posts.coll");
    let plan = ingest::Plan::of(&source).unwrap();
    let done = AtomicU64::new(0);
    ingest::build(&plan, &collection, ingest::Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
    let kinds = vec![FeatureKind::Parts];
    let options = Options { formula_features: kinds.clone(), post_features: kinds };
    let target = folder.path().join("index");
    index::build(&collection, &target, &options, &Unwatched).unwrap();
    Engine::with(Index::open(&target).unwrap(), resources)
}

/// Gives each post a number that a resource has, as long as there is time.
#[derive(Debug)]
struct Numbers {
    /// How many posts are scored before somebody cancels.
    patience: AtomicUsize,
}

/// What the scorer needs: a number for each id, and a way to cancel.
#[derive(Debug)]
struct Table(Vec<(&'static str, f64)>, Option<index::Cancel>);

struct OpenNumbers<'q> {
    engine: &'q Engine,
    table: &'q Table,
    scorer: &'q Numbers,
}

impl PostScorer for Numbers {
    fn needs(&self) -> Vec<Need> {
        vec![Need::Resource("table".to_owned())]
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        _: &'q Query,
        _: &[Box<dyn OpenPostSource + 'q>],
        _: &mut Work,
    ) -> Result<Box<dyn OpenPostScorer + 'q>, Error> {
        let table = engine.resources().get::<Table>("table").unwrap();
        Ok(Box::new(OpenNumbers { engine, table, scorer: self }))
    }
}

impl OpenPostScorer for OpenNumbers<'_> {
    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error> {
        let mut scores = Vec::new();
        for document in documents {
            if work.is_over() {
                break;
            }
            let id = self.engine.hit(*document, 0.0).id;
            let Table(numbers, cancel) = self.table;
            scores.push(numbers.iter().find(|(known, _)| *known == id).map_or(0.0, |(_, number)| *number));
            if self.scorer.patience.fetch_sub(1, Ordering::Relaxed) == 1
                && let Some(cancel) = cancel
            {
                cancel.cancel();
            }
        }
        Ok(scores)
    }

    fn explain(&mut self, _: Document, score: f64, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let (group, term) = ("numbers".to_owned(), "number".to_owned());
        Ok(vec![Clue { group, place: "post", term, kind: ClueKind::Remark, frequency: 1.0, score }])
    }
}

const WORDS: &str = "name = \"words\"\ntask = 1\nabout = \"\"\n[posts]\n[[posts.group]]\nname = \"words\"\n\
    [[posts.group.part]]\nterms = \"words\"\nown = { body = 1 }\nmodel = { name = \"bm25\" }\n";

fn pipeline(depth: usize, mix: Mix, patience: usize) -> Pipeline {
    let mut system = System::read(WORDS, "words").unwrap();
    let scorer = Arc::new(Numbers { patience: AtomicUsize::new(patience) });
    let mut rerank = PostRerank::new("numbers", depth, 2.0, scorer);
    rerank.mix = mix;
    system.posts.as_mut().unwrap().rerank.push(rerank);
    Pipeline::compile(system, &System::named, &BTreeMap::new()).unwrap()
}

fn query() -> Query {
    Query { title: Section { text: "limit".to_owned(), formulas: Vec::new() }, ..Query::default() }
}

fn ids(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

fn posts(outcome: Outcome) -> Vec<Hit> {
    match outcome.ranking {
        Ranking::Posts(hits) => hits,
        Ranking::Formulas(_) => panic!("posts are wanted"),
    }
}

#[test]
fn a_resource_is_needed_and_used() {
    let folder = TempDir::new("pipeline-resource");
    let (add, query) = (pipeline(3, Mix::Add, 100), query());
    let without = engine(&folder, Resources::default());
    assert_eq!(without.lacks(&add).as_deref(), Some("table"));
    without.run(&add, &Asked::answers(&query), 10).unwrap_err();
    let table = Table(vec![("13", 100.0), ("11", 1000.0)], None);
    let engine = engine(&folder, Resources::default().with("table", table));
    assert_eq!(engine.lacks(&add), None);
    // The first three are 15, 14 and 13; 11 is not looked at.
    let hits = posts(engine.run(&add, &Asked::answers(&query), 10).unwrap());
    assert_eq!(ids(&hits), ["13", "15", "14", "12", "11"]);
    assert!(hits[0].score > 200.0 && hits[1].score < 10.0);
    let why = engine.explain_post(&add, &query, hits[0].document).unwrap();
    assert!((why.score - hits[0].score).abs() < 1e-4, "{why:?}");
    assert_eq!(why.clues.iter().map(|clue| clue.group.as_str()).collect::<Vec<_>>(), ["numbers", "words"]);
    // Scores that replace others bring those that are not scored below them.
    let replace = pipeline(3, Mix::Replace, 100);
    let hits = posts(engine.run(&replace, &Asked::answers(&query), 10).unwrap());
    assert_eq!(ids(&hits), ["13", "15", "14", "12", "11"]);
    assert_eq!(hits[..3].iter().map(|hit| hit.score).collect::<Vec<_>>(), [200.0, 0.0, 0.0]);
    assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score), "{hits:?}");
    let why = engine.explain_post(&replace, &query, hits[0].document).unwrap();
    assert_eq!((why.clues.len(), why.score), (1, 200.0));
}

#[test]
fn scores_that_lose_fall_below_what_was_not_looked_at() {
    let folder = TempDir::new("pipeline-lose");
    let table = Table(vec![("15", -100.0)], None);
    let engine = engine(&folder, Resources::default().with("table", table));
    let hits = posts(engine.run(&pipeline(2, Mix::Add, 100), &Asked::answers(&query()), 10).unwrap());
    assert_eq!(ids(&hits), ["14", "13", "12", "11", "15"]);
}

#[test]
fn work_that_is_cancelled_gives_what_it_has() {
    let folder = TempDir::new("pipeline-cancel");
    let (deadline, cancel) = Deadline::never().with_cancel();
    let table = Table(vec![("15", 1.0), ("14", 2.0), ("13", 1000.0)], Some(cancel));
    let engine = engine(&folder, Resources::default().with("table", table));
    let query = query();
    // After two posts somebody cancels: the third is not looked at, and keeps its place.
    let pipeline = pipeline(5, Mix::Add, 2);
    let outcome = engine.run(&pipeline, &Asked::answers(&query).until(&deadline), 10).unwrap();
    assert_eq!(outcome.completeness, Completeness::CutShort);
    assert_eq!(ids(&posts(outcome)), ["14", "15", "13", "12", "11"]);
    // Now the flag is set from the beginning.
    let stopped = engine.run(&pipeline, &Asked::answers(&query).until(&deadline), 10);
    let Ok(outcome) = stopped else { panic!("what was worked out before is known") };
    assert_eq!(outcome.completeness, Completeness::CutShort);
    assert!(posts(outcome).is_empty());
    // Nothing of that is remembered.
    let outcome = engine.run(&pipeline, &Asked::answers(&query), 10).unwrap();
    assert_eq!((outcome.completeness, posts(outcome).len()), (Completeness::Whole, 5));
}

#[test]
fn costs_are_told_by_stage() {
    let folder = TempDir::new("pipeline-costs");
    let engine = engine(&folder, Resources::default().with("table", Table(Vec::new(), None)));
    let outcome = engine.run(&pipeline(2, Mix::Add, 100), &Asked::answers(&query()), 10).unwrap();
    let stages: Vec<&str> = outcome.costs.iter().map(|cost| cost.stage.as_str()).collect();
    assert_eq!(stages, ["terms", "numbers"]);
}

#[test]
fn scorers_are_read_from_files() {
    let with = |extra: &str| System::read(&format!("{WORDS}[[posts.rerank]]\n{extra}"), "x");
    let system = with("by = \"proximity\"\ndepth = 7\nweight = 0.5\noffset = 0.2\n").unwrap();
    let rerank = &system.posts.as_ref().unwrap().rerank[0];
    assert_eq!((rerank.by(), rerank.depth, rerank.weight, rerank.mix), ("proximity", 7, 0.5, Mix::Add));
    assert_eq!(system, system.clone());
    let file = format!("{WORDS}[[posts.rerank]]\nby = \"proximity\"\n");
    let varied = System::varied(&file, "x", &[("posts.rerank.proximity.weight", 0.25)]).unwrap();
    assert_eq!(varied.posts.as_ref().unwrap().rerank[0].weight, 0.25);
    assert_ne!(system, with("by = \"proximity\"\ndepth = 7\nweight = 0.5\noffset = 0.3\n").unwrap());
    for (extra, message) in [
        ("by = \"votes\"\n", "there is no scorer `votes`; there are proximity"),
        ("depth = 3\n", "`by` says which scorer it is"),
        ("by = \"proximity\"\nofset = 1\n", "proximity: unknown field `ofset`, expected `offset`"),
        ("by = \"proximity\"\ndepth = \"x\"\n", "`depth`: invalid type"),
        ("by = \"proximity\"\nmix = \"multiply\"\n", "`mix`: unknown variant `multiply`"),
        ("by = \"proximity\"\nweight = 1e300\n", "`weight` is a number from -1e9 to 1e9"),
        ("by = \"proximity\"\nweight = nan\n", "`weight` is a number from -1e9 to 1e9"),
        ("by = \"proximity\"\noffset = 0\n", "`offset` is a number above 0"),
    ] {
        let error = with(extra).unwrap_err().to_string();
        assert!(error.contains(message) && error.contains("line 11"), "{extra}: {error}");
    }
}
