//! Systems made of others: members found, runs given from outside, what is missing, and the labs' examples.

use formats::Source;
use formats::run::{Run, RunKind};
use index::{FeatureKind, Index, Options, Unwatched};
use ingest::Strictness;
use retrieve::{
    Asked, CompileError, Engine, Given, Pipeline, Query, Ranking, SYSTEMS, Section, System, SystemError,
    SystemTask,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Squares","body":"What is $x^2$?","tags":["algebra"]}
{"kind":"answer","id":11,"parent":1,"body":"A square is $x^2$, a product."}
{"kind":"answer","id":12,"parent":1,"body":"A product of two equal numbers, as $x^2+1$ shows."}
{"kind":"answer","id":13,"parent":1,"body":"A number times itself: $y^2$."}
{"kind":"answer","id":14,"parent":1,"body":"Half of a double square is a square."}
"#;

fn engine(folder: &TempDir) -> Engine {
    let source = folder.write("posts.jsonl", POSTS);
    let (collection, target) = (folder.path().join("posts"), folder.path().join("index"));
    let pipeline = ingest::Plan::of(&source).unwrap();
    let done = AtomicU64::new(0);
    ingest::build(&pipeline, &collection, Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    Engine::new(index::build(&collection, &target, &options, &Unwatched).unwrap())
}

/// A run for topic T from its text: `11:10 12:6`.
fn given(text: &str, index: &Index) -> Arc<Given> {
    let row = |word: &str| {
        let (doc, score) = word.split_once(':').unwrap();
        format!("T\tQ0\t{doc}\t1\t{score}\tx\n")
    };
    let rows: String = text.split_whitespace().map(row).collect();
    let run = Run::read(Source::bytes("run", rows), RunKind::Documents).unwrap();
    Arc::new(Given::of(&run, SystemTask::Answers, index))
}

fn head(name: &str, task: u8) -> String {
    format!("name = \"{name}\"\ntask = {task}\nabout = \"For a test.\"\n")
}

/// A system that fuses, with members `run a` or `system b 0.5 optional`.
fn fusion(name: &str, settings: &str, members: &[&str]) -> String {
    let mut text = format!("{}[fusion]\n{settings}\n", head(name, 1));
    for member in members {
        let words: Vec<&str> = member.split(' ').collect();
        text.push_str(&format!("[[fusion.member]]\n{} = \"{}\"\n", words[0], words[1]));
        for word in &words[2..] {
            let line =
                if *word == "optional" { "optional = true".to_owned() } else { format!("weight = {word}") };
            text.push_str(&format!("{line}\n"));
        }
    }
    text
}

fn pipeline(
    text: &str,
    others: &[&str],
    runs: &BTreeMap<String, Arc<Given>>,
) -> Result<Pipeline, CompileError> {
    let others: Vec<System> = others.iter().map(|text| System::read(text, "other").unwrap()).collect();
    let find = |name: &str| -> Result<System, SystemError> {
        others.iter().find(|system| system.name == name).cloned().map_or_else(|| System::named(name), Ok)
    };
    Pipeline::compile(System::read(text, "mine").unwrap(), &find, runs)
}

fn asked(words: &str) -> Query {
    Query { title: Section { text: words.to_owned(), formulas: vec!["x^2".to_owned()] }, ..Query::default() }
}

/// Ids and scores to six decimals.
fn ranked(engine: &Engine, pipeline: &Pipeline, depth: usize) -> String {
    let query = asked("square");
    let asked = Asked { query: &query, ..Asked::formulas("x^2") }.for_topic("T");
    let results: Vec<(String, f64)> = match engine.run(pipeline, &asked, depth).unwrap().ranking {
        Ranking::Posts(hits) => hits.into_iter().map(|hit| (hit.id, hit.score)).collect(),
        Ranking::Formulas(hits) => {
            hits.into_iter().map(|hit| (engine.formula_latex(&hit).to_owned(), hit.score)).collect()
        }
    };
    let result = |(id, score): (String, f64)| format!("{id}:{}", (score * 1e6).round() / 1e6);
    results.into_iter().map(result).collect::<Vec<_>>().join(" ")
}

const A: &str = "11:10 12:6 13:2";
const B: &str = "12:.9 14:.5 11:.1";

/// The worked examples of the labs' fusions. That of median ranks is a test of crate `fuse`: it takes more
/// documents than there are here.
#[test]
fn runs_are_fused_as_the_labs_did() {
    let folder = TempDir::new("pipeline-examples");
    let engine = engine(&folder);
    let min_max = "method = { name = \"combsum\" }\nnormalise = \"min-max\"\nflat =";
    let [keep, zero] = ["keep", "zero"].map(|flat| format!("{min_max} \"{flat}\""));
    let rrf = "method = { name = \"rrf\", k = 60 }";
    for (settings, members, runs, expected) in [
        (keep.as_str(), ["run a", "run b"], [A, B], "12:1.5 11:1 14:0.5 13:0"),
        (&keep, ["run a", "run b"], ["11:10 12:6 13:2", "14:7"], "14:7 11:1 12:0.5 13:0"),
        (&zero, ["run a 0.2", "run b 0.8"], [A, B], "12:0.9 14:0.4 11:0.2 13:0"),
        (&zero, ["run a 0.5", "run b 0.5"], [A, B], "12:0.75 11:0.5 14:0.25 13:0"),
        (
            rrf,
            ["run a", "run b"],
            ["11:3 12:2 13:1", "13:3 11:2 14:1"],
            "11:0.032522 13:0.032266 12:0.016129 14:0.015873",
        ),
        ("method = { name = \"combsum\" }\nonly = \"first\"", ["run a 0", "run b 1"], [A, B], "12:1 11:0"),
        ("method = { name = \"combsum\" }\ntopics = \"first\"", ["run a", "run b"], ["", B], ""),
        ("method = { name = \"combsum\" }\ndepth = 1", ["run a", "run b"], [A, B], "12:1 11:1"),
    ] {
        let runs = BTreeMap::from([
            ("a".to_owned(), given(runs[0], engine.index())),
            ("b".to_owned(), given(runs[1], engine.index())),
        ]);
        let pipeline = pipeline(&fusion("mine", settings, &members), &[], &runs).unwrap();
        assert_eq!(ranked(&engine, &pipeline, 1000), expected, "{settings}");
    }
}

#[test]
fn median_ranks_decide_in_mirmus_ensemble() {
    let folder = TempDir::new("pipeline-ibc");
    let engine = engine(&folder);
    let runs = ["11:2", "12:2 11:1"].map(|run| given(run, engine.index()));
    let runs = BTreeMap::from([("a".to_owned(), runs[0].clone()), ("b".to_owned(), runs[1].clone())]);
    let text = fusion("mine", "method = { name = \"ibc\", depth = 1000, seed = 1 }", &["run a", "run b"]);
    let found = ranked(&engine, &pipeline(&text, &[], &runs).unwrap(), 10);
    // Ranks count from 0, and what is missing has rank 1000: medians of 0.5 and 500.
    let score = |place: usize| -> f64 {
        found.split(' ').nth(place).unwrap().split_once(':').unwrap().1.parse().unwrap()
    };
    assert!(found.starts_with("11:") && found.contains(" 12:"), "{found}");
    assert!((0.9995..1.0).contains(&score(0)) && (0.5..0.5005).contains(&score(1)), "{found}");
}

#[test]
fn members_that_are_missing_are_told_and_the_others_count_as_they_did() {
    let folder = TempDir::new("pipeline-missing");
    let engine = engine(&folder);
    let runs = BTreeMap::from([("b".to_owned(), given(B, engine.index()))]);
    let none = BTreeMap::new();
    let sum = "method = { name = \"combsum\" }";
    let text = fusion("mine", sum, &["run a 0.2 optional", "run b 0.8 optional"]);
    let made = pipeline(&text, &[], &runs).unwrap();
    assert_eq!(ranked(&engine, &made, 10), "12:0.8 14:0.4 11:0");
    assert_eq!((made.missing().len(), made.missing()[0].member.as_str()), (1, "a"));
    assert_eq!(made.runs().collect::<Vec<_>>(), ["b"]);
    // What does not count is better than nothing.
    let text_zero = fusion("mine", sum, &["run b 0", "run a optional"]);
    assert_eq!(ranked(&engine, &pipeline(&text_zero, &[], &runs).unwrap(), 10), "12:1 14:0.5 11:0");
    assert!(matches!(pipeline(&text, &[], &none), Err(CompileError::Nothing { .. })));
    let needed = pipeline(&fusion("mine", sum, &["run a"]), &[], &none).unwrap_err();
    assert!(needed.to_string().contains("--member a=RUN"), "{needed}");
    // A member of which nothing is left is missing itself.
    let inner = fusion("inner", sum, &["run a optional"]);
    let needed = pipeline(&fusion("mine", sum, &["system inner"]), &[&inner], &runs).unwrap_err();
    assert_eq!(needed.to_string(), "inner: none of its members is there; give runs with --member: a");
    let outer = fusion("mine", sum, &["system inner optional", "run b"]);
    let made = pipeline(&outer, &[&inner], &runs).unwrap();
    let missing: Vec<&str> = made.missing().iter().map(|missing| missing.member.as_str()).collect();
    assert_eq!(missing, ["a", "inner"]);
    assert_eq!(ranked(&engine, &made, 10), "12:1 14:0.5 11:0");
}

#[test]
fn circles_and_depths_without_end_are_refused() {
    let rrf = "method = { name = \"rrf\" }";
    let [a, b, c] = [("a", "b"), ("b", "c"), ("c", "b")]
        .map(|(name, member)| fusion(name, rrf, &[&format!("system {member}")]));
    let error = pipeline(&a, &[&b, &c], &BTreeMap::new()).unwrap_err();
    assert_eq!(error, CompileError::Circle(["b", "c", "b"].map(str::to_owned).to_vec()));
    assert_eq!(error.to_string(), "a system cannot be made of itself: b → c → b");
    let others: Vec<String> = (1..40)
        .map(|number| fusion(&format!("s{number}"), rrf, &[&format!("system s{}", number + 1)]))
        .collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    let error = pipeline(&fusion("s0", rrf, &["system s1"]), &others, &BTreeMap::new()).unwrap_err();
    assert!(matches!(error, CompileError::Deep(_)), "{error}");
    let error =
        pipeline(&fusion("x", rrf, &["system nowhere"]), &[], &BTreeMap::new()).unwrap_err().to_string();
    assert!(error.starts_with("x: nowhere: there is no such system"), "{error}");
    let error =
        pipeline(&fusion("x", rrf, &["system hypatia-classic-2"]), &[], &BTreeMap::new()).unwrap_err();
    assert!(error.to_string().contains("its member hypatia-classic-2 for task 2"), "{error}");
}

#[test]
fn a_fusion_of_systems_is_the_fusion_of_their_runs() {
    let folder = TempDir::new("pipeline-systems");
    let engine = engine(&folder);
    let rrf = "method = { name = \"rrf\" }";
    let text = fusion("mine", rrf, &["system bm25", "system inner 2"]);
    let inner =
        fusion("inner", "method = { name = \"combmnz\" }", &["system bm25", "system hypatia-classic-1"]);
    let none = BTreeMap::new();
    let made = pipeline(&text, &[&inner], &none).unwrap();
    assert_eq!(made.systems().collect::<Vec<_>>(), ["bm25", "hypatia-classic-1", "inner", "mine"]);
    let as_run = |name: &str, pipeline: &Pipeline| {
        (name.to_owned(), given(&ranked(&engine, pipeline, 1000), engine.index()))
    };
    let runs = BTreeMap::from([
        as_run(
            "x",
            &Pipeline::compile(System::named("bm25").unwrap(), &System::named, &BTreeMap::new()).unwrap(),
        ),
        as_run("y", &pipeline(&inner, &[], &none).unwrap()),
    ]);
    let of_runs = pipeline(&fusion("mine", rrf, &["run x", "run y 2"]), &[], &runs).unwrap();
    let found = ranked(&engine, &made, 1000);
    assert!(found.split(' ').count() > 2, "{found}");
    assert_eq!(found, ranked(&engine, &of_runs, 1000));
    assert_eq!(found, ranked(&engine, &made.exact(), 1000));
}

#[test]
fn formulas_are_fused_by_visual_id() {
    let folder = TempDir::new("pipeline-formulas");
    let engine = engine(&folder);
    let classic = Pipeline::named("hypatia-classic-2").unwrap();
    let query = asked("");
    let asked = Asked { query: &query, ..Asked::formulas("y^2") }.for_topic("T");
    let Ranking::Formulas(hits) = engine.run(&classic, &asked, 10).unwrap().ranking else {
        panic!("formulas")
    };
    let places: Vec<_> = hits.iter().map(|hit| engine.formula_place(hit).unwrap()).collect();
    let rows = |line: &dyn Fn(usize) -> String| -> String { (0..hits.len()).map(line).collect() };
    let instances = rows(&|at| {
        format!("T\t{}\t{}\t1\t{}\tx\n", places[at].formula_id, places[at].post_id, hits[at].score)
    });
    let visual = rows(&|at| format!("T\tQ0\t{}\t1\t{}\tx\n", hits[at].visual_id, hits[at].score));
    let foreign = "T\tQ0\t999999\t1\t9\tx\n".to_owned();
    let text = format!(
        "{}[fusion]\nmethod = {{ name = \"combsum\" }}\n[[fusion.member]]\nrun = \"a\"\n",
        head("mine", 2)
    );
    for (rows, unknown) in [(instances, 0), (visual.clone(), 0), (visual + &foreign, 1)] {
        let run = Run::read(Source::bytes("run", rows), RunKind::Formulas).unwrap();
        let given = Arc::new(Given::of(&run, SystemTask::Formulas, engine.index()));
        assert_eq!(given.unknown(), unknown);
        let pipeline = pipeline(&text, &[], &BTreeMap::from([("a".to_owned(), given)])).unwrap();
        let Ranking::Formulas(fused) = engine.run(&pipeline, &asked, 10).unwrap().ranking else {
            panic!("formulas")
        };
        let ids = |hits: &[retrieve::FormulaHit]| hits.iter().map(|hit| hit.visual_id).collect::<Vec<_>>();
        assert_eq!(ids(&fused), ids(&hits));
    }
}

#[test]
fn mistakes_in_a_fusion_are_told() {
    let rrf = "method = { name = \"rrf\" }";
    for (settings, members, said) in [
        ("method = { name = \"rrd\" }", vec!["run a"], "rrd"),
        ("method = { name = \"combsum\", k = 3 }", vec!["run a"], "k"),
        ("method = { name = \"rrf\", k = -1 }", vec!["run a"], "0 or more"),
        ("method = { name = \"rrf\" }\nnormalise = \"z\"", vec!["run a"], "looks at ranks"),
        ("method = { name = \"combsum\" }\nnormalise = \"z\"\nflat = \"one\"", vec!["run a"], "flat"),
        ("method = { name = \"combmax\" }", vec!["run a 2"], "weights have no effect"),
        (rrf, vec![], "needs members"),
        ("method = { name = \"rrf\" }\ndepth = 0", vec!["run a"], "depth"),
    ] {
        let error = System::read(&fusion("x", settings, &members), "mine.toml").unwrap_err().to_string();
        assert!(error.starts_with("mine.toml") && error.contains(said), "{settings}: {error}");
    }
    let twice = fusion("x", rrf, &["run a"]).replace("run = \"a\"", "run = \"a\"\nsystem = \"b\"");
    assert!(System::read(&twice, "x").unwrap_err().to_string().contains("either"));
    let both = format!("{}[posts]\ngroup = []\n", fusion("x", rrf, &["run a"]));
    assert!(System::read(&both, "x").unwrap_err().to_string().contains("made of others"));
    let varied = System::varied(
        &fusion("x", rrf, &["run a", "system bm25"]),
        "x",
        &[("fusion.method.k", 7.0), ("fusion.member.bm25.weight", 0.5), ("fusion.member.0.weight", 2.0)],
    );
    let stage = varied.unwrap().fusion.unwrap();
    assert_eq!(stage.method, fuse::Method::Rrf { k: 7.0 });
    assert_eq!(stage.members.iter().map(|member| member.weight).collect::<Vec<_>>(), [2.0, 0.5]);
}

#[test]
fn scores_of_the_labs_are_read() {
    let lab = "[lab]\nteam = \"T\"\nrow = \"R\"\nscores = { 2020 = [0.1, 0.2, 0.3], 2022 = [1, 0, 0.5] }\n";
    let text = format!("{}{lab}", fusion("x", "method = { name = \"rrf\" }", &["run a"]));
    let read = System::read(&text, "x").unwrap().lab.unwrap();
    assert_eq!(read.scores[&2020], [0.1, 0.2, 0.3]);
    assert_eq!(read.scores[&2022], [1.0, 0.0, 0.5]);
    let wrong = System::read(&text.replace("2020", "lately"), "x").unwrap_err().to_string();
    assert!(wrong.contains("`lately` is no year"), "{wrong}");
}

/// Every system that comes with the program can be planned without any run, and stands for something.
#[test]
fn every_system_that_ships_can_be_planned() {
    for (name, _) in SYSTEMS {
        let system = System::named(name).unwrap();
        let lab = system.lab.clone();
        let pipeline = Pipeline::compile(system, &System::named, &BTreeMap::new()).unwrap();
        assert!(pipeline.systems().any(|system| system == *name));
        if let (Some(lab), false) = (lab, pipeline.missing().is_empty()) {
            assert!(
                lab.missing.is_some() || lab.differs.is_some(),
                "{name}: says nothing of what is missing"
            );
        }
    }
}
