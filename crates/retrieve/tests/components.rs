//! Components of systems: each alone, and the system without it.

use formats::Source;
use formats::run::{Run, RunKind};
use index::{FeatureKind, Index, Options, Unwatched};
use ingest::Strictness;
use retrieve::{
    Asked, Component, Engine, Given, Pipeline, Query, Ranking, SYSTEMS, Section, System, SystemTask,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Squares","body":"What is $x^2$?","tags":["algebra"]}
{"kind":"answer","id":11,"parent":1,"body":"A square is $x^2$, a product."}
{"kind":"answer","id":12,"parent":1,"body":"A product of two equal numbers, as $x^2+1$ shows."}
{"kind":"answer","id":13,"parent":1,"body":"A number times itself: $y^2$."}
{"kind":"answer","id":14,"parent":1,"body":"Half of a double square is a square."}
"#;

const ANSWERS: [&str; 4] = ["11", "12", "13", "14"];

const HEAD: &str = "name = \"mine\"\ntask = 1\nabout = \"For a test.\"\n[fusion]\n\
    method = { name = \"combsum\" }\nnormalise = \"max\"\n";
const MEMBERS: [&str; 3] = [
    "[[fusion.member]]\nsystem = \"bm25\"\nweight = 0.5\n",
    "[[fusion.member]]\nrun = \"given\"\n",
    "[[fusion.member]]\nsystem = \"hypatia-classic-1\"\nweight = 0.25\n",
];

fn engine(folder: &TempDir) -> Engine {
    let source = folder.write("posts.jsonl", POSTS);
    let (collection, target) = (folder.path().join("posts"), folder.path().join("index"));
    let plan = ingest::Plan::of(&source).unwrap();
    let done = AtomicU64::new(0);
    ingest::build(&plan, &collection, Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    Engine::new(index::build(&collection, &target, &options, &Unwatched).unwrap())
}

/// A run that ranks 13 before 11.
fn runs(index: &Index) -> BTreeMap<String, Arc<Given>> {
    let rows = "T\tQ0\t11\t2\t0.5\tx\nT\tQ0\t13\t1\t0.75\tx\n";
    let run = Run::read(Source::bytes("run", rows.to_owned()), RunKind::Documents).unwrap();
    BTreeMap::from([("given".to_owned(), Arc::new(Given::of(&run, SystemTask::Answers, index)))])
}

fn query() -> Query {
    let title = Section { text: "square product".to_owned(), formulas: vec!["x^2".to_owned()] };
    Query { title, ..Query::default() }
}

/// All results with all bits of their scores.
fn ranked(engine: &Engine, system: &System) -> Vec<(String, u64)> {
    let pipeline = Pipeline::compile(system.clone(), &System::named, &runs(engine.index())).unwrap();
    let query = query();
    match engine.run(&pipeline, &Asked::answers(&query).for_topic("T"), 100).unwrap().ranking {
        Ranking::Posts(hits) => hits.into_iter().map(|hit| (hit.id, hit.score.to_bits())).collect(),
        Ranking::Formulas(_) => panic!("posts are wanted"),
    }
}

fn scores(engine: &Engine, system: &System) -> Vec<f64> {
    let pipeline = Pipeline::compile(system.clone(), &System::named, &BTreeMap::new()).unwrap();
    engine.post_scores(&pipeline, &Asked::answers(&query()), &ANSWERS).unwrap()
}

fn names(system: &System) -> Vec<String> {
    system.components().iter().map(|component| component.name().to_owned()).collect()
}

fn alone(system: &System, component: &Component) -> System {
    system.only(component, &System::named).unwrap().unwrap()
}

#[test]
fn a_fusion_without_a_member_is_the_file_written_without_it() {
    let folder = TempDir::new("components-without");
    let engine = engine(&folder);
    let whole = System::read(&[HEAD, &MEMBERS.concat()].concat(), "mine").unwrap();
    assert_eq!(names(&whole), ["bm25", "given", "hypatia-classic-1"]);
    let all = ranked(&engine, &whole);
    for (number, component) in whole.components().iter().enumerate() {
        let others: String = (0..3).filter(|other| *other != number).map(|other| MEMBERS[other]).collect();
        let written = System::read(&[HEAD, &others].concat(), "mine").unwrap();
        let without = whole.without(component).unwrap();
        assert_eq!(without, written, "{}", component.name());
        let found = ranked(&engine, &without);
        assert_eq!(found, ranked(&engine, &written));
        assert!(!found.is_empty() && found != all, "{}", component.name());
    }
}

#[test]
fn a_member_alone_ranks_as_the_system_or_run_that_it_is() {
    let folder = TempDir::new("components-only");
    let engine = engine(&folder);
    let whole = System::read(&[HEAD, &MEMBERS.concat()].concat(), "mine").unwrap();
    let [bm25, given, classic] = &whole.components()[..] else { panic!("three members") };
    for (component, name) in [(bm25, "bm25"), (classic, "hypatia-classic-1")] {
        let named = System::named(name).unwrap();
        let alone = alone(&whole, component);
        assert!(alone.ranks_as(&named) && component.retrieves());
        assert_eq!(ranked(&engine, &alone), ranked(&engine, &named));
    }
    let run = ranked(&engine, &alone(&whole, given));
    assert_eq!(run, [("13".to_owned(), 0.75_f64.to_bits()), ("11".to_owned(), 0.5_f64.to_bits())]);
    // A run that is not given cannot be ranked alone, also where the fusion can do without.
    let optional = whole_with_optional_run();
    let missing = &optional.components()[1];
    let error = Pipeline::compile(alone(&optional, missing), &System::named, &BTreeMap::new()).unwrap_err();
    assert!(error.to_string().contains("--member given=RUN"), "{error}");
}

fn whole_with_optional_run() -> System {
    let optional = format!("{}optional = true\n", MEMBERS[1]);
    System::read(&[HEAD, MEMBERS[0], &optional].concat(), "mine").unwrap()
}

#[test]
fn scores_of_sources_alone_add_up_to_the_scores_of_the_whole() {
    let folder = TempDir::new("components-sum");
    let engine = engine(&folder);
    for (name, expected) in [
        ("hypatia-classic-1", &["words", "parts of formulas", "paths in formulas"][..]),
        ("search", &["words", "parts", "by_formulas", "dense"]),
    ] {
        let whole = System::named(name).unwrap();
        assert_eq!(names(&whole), expected);
        // The index has no vectors, which `search` can do without.
        let components = whole.components();
        let sources = components.iter().filter(|component| component.kind() != "dense");
        let mut sums = vec![0.0; ANSWERS.len()];
        for source in sources {
            let alone = scores(&engine, &alone(&whole, source));
            let without = scores(&engine, &whole.without(source).unwrap());
            let all = scores(&engine, &whole);
            for (place, sum) in sums.iter_mut().enumerate() {
                *sum += alone[place];
                assert!((alone[place] + without[place] - all[place]).abs() < 1e-5, "{name} {source:?}");
            }
        }
        let all = scores(&engine, &whole);
        assert!(all.iter().any(|score| *score > 0.5), "{all:?}");
        assert!(sums.iter().zip(&all).all(|(sum, all)| (sum - all).abs() < 1e-5), "{sums:?} {all:?}");
    }
}

#[test]
fn scorers_are_left_out_and_never_alone() {
    let system = System::named("hypatia-1").unwrap();
    let components = system.components();
    let evidence = components.last().unwrap();
    assert_eq!((evidence.name(), evidence.kind(), components.len()), ("rerank, evidence", "rerank", 7));
    assert!(!evidence.retrieves());
    assert_eq!(system.only(evidence, &System::named).unwrap(), None);
    let without = system.without(evidence).unwrap();
    assert!(without.posts.as_ref().unwrap().rerank.is_empty());
    assert_eq!(without.components(), components[..6]);
    assert!(
        !without.ranks_as(&system) && system.ranks_as(&System { name: "other".to_owned(), ..system.clone() })
    );
    // What finds nothing by itself cannot be left alone.
    let proximity = System::named("mathdowsers-proximity").unwrap();
    let [group, near] = &proximity.components()[..] else { panic!("two components") };
    assert_eq!(near.kind(), "proximity");
    let error = proximity.without(group).unwrap_err().to_string();
    assert!(error.contains("needs a [[posts.group]]"), "{error}");
}

#[test]
fn formulas_are_found_in_ways_that_can_be_left_out() {
    for name in ["tangent-s", "tangent-s-answers"] {
        let system = System::named(name).unwrap();
        assert_eq!(names(&system), ["find, pairs", "find, pairs-opt", "rerank, tangent-s"], "{name}");
        let [layout, _, rerank] = &system.components()[..] else { panic!("three components") };
        let only = alone(&system, layout).formulas.unwrap();
        assert_eq!((only.find.len(), only.rerank.is_none()), (1, true), "{name}");
        let without = system.without(rerank).unwrap().formulas.unwrap();
        assert_eq!((without.find.len(), without.rerank.is_none()), (2, true), "{name}");
    }
}

#[test]
fn every_shipped_system_has_components_of_different_names() {
    for (name, _) in SYSTEMS {
        let system = System::named(name).unwrap();
        let components = system.components();
        assert!(!components.is_empty(), "{name}");
        let names: BTreeSet<&str> = components.iter().map(Component::name).collect();
        assert_eq!(names.len(), components.len(), "{name}");
        for component in &components {
            if let Ok(without) = system.without(component) {
                assert!(!without.ranks_as(&system), "{name} without {}", component.name());
            }
            let only = system.only(component, &System::named).unwrap();
            assert_eq!(only.is_some(), component.retrieves(), "{name}: {}", component.name());
        }
    }
}

#[test]
fn a_member_that_is_named_twice_is_left_out_once() {
    let twice = System::read(&[HEAD, MEMBERS[0], MEMBERS[0]].concat(), "mine").unwrap();
    assert_eq!(names(&twice), ["bm25", "bm25 (2)"]);
    let without = twice.without(&twice.components()[1]).unwrap();
    assert_eq!(names(&without), ["bm25"]);
    assert!(without.without(&without.components()[0]).is_err());
}
