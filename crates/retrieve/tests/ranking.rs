//! Systems rank as their formulas say, explain themselves, and see what has changed.

use crate::common;

use common::{explain, formulas, posts};
use formats::{Html, Topic};
use index::{Change, FeatureKind, Index, Options, Unwatched};
use ingest::{Plan, Strictness};
use retrieve::{Engine, Query, SYSTEMS, Section, System, SystemTask};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Group theory","body":"What is a group?","tags":["group-theory"]}
{"kind":"answer","id":2,"parent":1,"body":"A group is a set with an operation; groups have inverses. $a\\cdot b$"}
{"kind":"answer","id":3,"parent":1,"body":"Rings are groups, too, with $a+b=b+a$ for all elements of the ring."}
{"kind":"question","id":4,"title":"Pythagoras","body":"Why is $x^2+y^2=z^2$ in a triangle with a right angle?","tags":["geometry"]}
{"kind":"answer","id":5,"parent":4,"body":"Move the triangles in a square of side $x+y$."}
{"kind":"answer","id":6,"parent":4,"body":"By similar triangles $a^2+b^2=c^2$, which says the same."}
"#;

fn collection(folder: &TempDir, name: &str, lines: &str) -> PathBuf {
    let source = folder.write(&format!("{name}.jsonl"), lines);
    let path = folder.path().join(name);
    let done = AtomicU64::new(0);
    ingest::build(&Plan::of(&source).unwrap(), &path, Strictness::Lenient, &done, &mut ingest::Unwatched)
        .unwrap();
    path
}

fn index_of(collection: &Path, target: &Path) -> Index {
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    index::build(collection, target, &options, &Unwatched).unwrap()
}

fn engine(folder: &TempDir) -> Engine {
    let path = collection(folder, "posts", POSTS);
    Engine::new(index_of(&path, &folder.path().join("index")))
}

fn words(text: &str) -> Query {
    Query { title: Section { text: text.to_owned(), formulas: Vec::new() }, ..Query::default() }
}

fn ids(engine: &Engine, system: &System, query: &Query) -> Vec<String> {
    let hits = posts(engine, system, query, 100);
    hits.into_iter().map(|hit| hit.id).collect()
}

#[test]
fn every_system_that_ships_can_be_read_and_is_called_by_its_name() {
    for (name, text) in SYSTEMS {
        let system = System::read(text, name).unwrap();
        assert_eq!(system.name, *name);
        assert!(!system.about.is_empty());
    }
    let error = System::named("bm26").unwrap_err().to_string();
    assert!(error.contains("hypatia-classic-1") && error.contains("bm25"), "{error}");
}

#[test]
fn a_mistake_in_a_file_is_told_with_its_place() {
    for (text, said) in [
        ("name = \"x\"\ntask = 3\nabout = \"\"\n", "task 3"),
        ("name = \"x\"\ntask = 1\nabout = \"\"\n", "needs [posts]"),
        ("name = \"x\"\ntask = 1\nabout = \"\"\ncolour = 1\n", "colour"),
        (
            "name = \"x\"\ntask = 2\nabout = \"\"\n[[formulas.find]]\nfeatures = \"pears\"\nmodel = { name = \"overlap\" }\n",
            "pears",
        ),
        (
            "name = \"x\"\ntask = 2\nabout = \"\"\n[[formulas.find]]\nfeatures = \"pairs\"\nmodel = { name = \"bm26\" }\n",
            "bm26",
        ),
    ] {
        let error = System::read(text, "mine.toml").unwrap_err().to_string();
        assert!(error.starts_with("mine.toml") && error.contains(said), "{error}");
    }
}

#[test]
fn numbers_of_a_file_can_be_varied() {
    let (name, text) = SYSTEMS.iter().find(|(name, _)| *name == "hypatia-classic-1").unwrap();
    let changes = [
        ("posts.group.words.weight", 7.5),
        ("posts.group.words.part.0.model.k1", 3.0),
        ("posts.query.title", 4.0),
    ];
    let system = System::varied(text, name, &changes).unwrap().posts.unwrap();
    assert_eq!((system.groups[0].weight, system.query.title), (7.5, 4.0));
    assert!(System::varied(text, name, &[("posts.nothing.weight", 1.0)]).is_err());
}

/// BM25 over answers with the title and tags of their question, worked out by hand.
#[test]
fn bm25_is_what_its_formula_says() {
    let folder = TempDir::new("ranking-bm25");
    let engine = engine(&folder);
    let text = "name = \"x\"\ntask = 1\nabout = \"x\"\n[posts]\n[[posts.group]]\nname = \"words\"\n\
        [[posts.group.part]]\nterms = \"words\"\nown = { body = 1 }\nquestion = { title = 1, tags = 1 }\n\
        stem = \"porter\"\nstatistics = \"documents\"\nmodel = { name = \"bm25\", k1 = 0.9, b = 0.4 }\n";
    let system = System::read(text, "x").unwrap();
    let hits = posts(&engine, &system, &words("groups groups"), 10);
    // Answer 2: title and tags have two words each with one "group", the text "group … groups".
    // Answer 3: the same context, and "groups" once. Answers 5 and 6 have none.
    let lengths = [4.0 + 11.0, 4.0 + 11.0, 2.0 + 8.0, 2.0 + 7.0];
    let mean = lengths.iter().sum::<f64>() / 4.0;
    let idf = (1.0_f64 + (4.0 - 2.0 + 0.5) / (2.0 + 0.5)).ln();
    let score = |frequency: f64, length: f64| {
        2.0 * idf * 1.9 * frequency / (frequency + 0.9 * (0.6 + 0.4 * length / mean))
    };
    let expected = [("2", score(4.0, lengths[0])), ("3", score(3.0, lengths[1]))];
    assert_eq!(hits.len(), 2);
    for (hit, (id, score)) in hits.iter().zip(expected) {
        assert_eq!(hit.id, id);
        assert!((hit.score - score).abs() < 1e-5, "{id}: {} and {score}", hit.score);
    }
}

/// A word is one term wherever it stands: its documents are counted once, and its frequencies add up.
#[test]
fn a_word_in_a_text_and_in_latex_is_one_term() {
    let folder = TempDir::new("ranking-source");
    let lines = r#"{"kind":"question","id":1,"title":"Logs","body":"The log of a log: $\\log n$"}
{"kind":"question","id":2,"title":"Other","body":"Only $\\log\\log n$ here"}
{"kind":"question","id":3,"title":"None","body":"Nothing of it"}
"#;
    let path = collection(&folder, "posts", lines);
    let engine = Engine::new(index_of(&path, &folder.path().join("index")));
    let text = "name = \"x\"\ntask = 1\nabout = \"x\"\n[posts]\nreturns = \"posts\"\n[[posts.group]]\nname = \"words\"\n\
        [[posts.group.part]]\nterms = [\"words\", \"source\"]\nown = { body = 1 }\nstatistics = \"documents\"\n\
        model = { name = \"bm25\", k1 = 1.0, b = 0.0 }\n";
    let system = System::read(text, "x").unwrap();
    let query = Query {
        title: Section { text: "log".to_owned(), formulas: vec![r"\log n".to_owned()] },
        ..Query::default()
    };
    let hits = posts(&engine, &system, &query, 10);
    let idf = (1.0_f64 + (3.0 - 2.0 + 0.5) / (2.0 + 0.5)).ln();
    // "log" twice in the query and three times in the first post, "n" once in each.
    let score = |log: f64| 2.0 * idf * 2.0 * log / (log + 1.0) + idf * 2.0 * 1.0 / 2.0;
    let found: Vec<(&str, f64)> = hits.iter().map(|hit| (hit.id.as_str(), hit.score)).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    for ((id, found), (expected_id, expected)) in
        found.into_iter().zip([("1", score(3.0)), ("2", score(2.0))])
    {
        assert_eq!(id, expected_id);
        assert!((found - expected).abs() < 1e-5, "{id}: {found} and {expected}");
    }
}

#[test]
fn what_explains_a_score_adds_up_to_it() {
    let folder = TempDir::new("ranking-why");
    let engine = engine(&folder);
    let query = Query {
        title: Section { text: "squares in a triangle".to_owned(), formulas: vec!["x^2+y^2=z^2".to_owned()] },
        body: Section::default(),
        tags: vec!["geometry".to_owned()],
        ..Query::default()
    };
    for name in ["hypatia-classic-1", "bm25", "formula+keywords"] {
        let system = System::named(name).unwrap();
        let hits = posts(&engine, &system, &query, 10);
        assert!(!hits.is_empty(), "{name}");
        for hit in hits {
            let why = explain(&engine, &system, &query, &hit.id);
            assert!(
                (why.score - hit.score).abs() < 1e-3,
                "{name} {}: {} and {}",
                hit.id,
                why.score,
                hit.score
            );
            assert!(why.clues.iter().all(|clue| clue.score > 0.0 && !clue.term.is_empty()));
        }
    }
}

#[test]
fn formulas_are_found_renamed_and_with_wildcards() {
    let folder = TempDir::new("ranking-formulas");
    let engine = engine(&folder);
    let system = System::named("hypatia-classic-2").unwrap();
    for (query, first) in [
        ("x^2+y^2=z^2", "x^2+y^2=z^2"),
        ("a^2+b^2=c^2", "a^2+b^2=c^2"),
        ("?a+?b=?b+?a", "a+b=b+a"),
        ("b+a=a+b", "a+b=b+a"),
    ] {
        let exact = formulas(&engine, &system.clone().exact(), query, 10);
        let hits = formulas(&engine, &system, query, 10);
        assert_eq!(engine.formula_latex(&hits[0]), first, "{query}");
        assert_eq!(engine.formula_latex(&exact[0]), first, "{query}");
        assert!(engine.formula_place(&hits[0]).is_some());
    }
    assert!(formulas(&engine, &system, "", 10).is_empty());
    // The formula has no words in its LaTeX.
    for kind in FeatureKind::ALL.into_iter().filter(|kind| *kind != FeatureKind::LatexWords) {
        let text = format!(
            "name = \"x\"\ntask = 2\nabout = \"x\"\n[[formulas.find]]\nfeatures = \"{kind}\"\nmodel = {{ name = \"bm25-plus\" }}\n"
        );
        let hits = formulas(&engine, &System::read(&text, "x").unwrap(), "a^2+b^2=c^2", 10);
        assert_eq!(engine.formula_latex(&hits[0]), "a^2+b^2=c^2", "{kind}");
    }
}

#[test]
fn every_model_ranks_what_has_the_word_more_often_first() {
    let folder = TempDir::new("ranking-models");
    let engine = engine(&folder);
    for model in ["bm25", "bm25-plus", "tf-idf", "dirichlet", "jelinek-mercer"] {
        for extra in ["", "keywords = 3\n", "feedback = { documents = 2, terms = 5, original = 0.7 }\n"] {
            let text = format!(
                "name = \"x\"\ntask = 1\nabout = \"x\"\n[posts]\n[[posts.group]]\nname = \"words\"\n[[posts.group.part]]\n\
                 terms = \"words\"\nown = {{ body = 1 }}\nstem = \"english\"\nstop = \"long\"\nmodel = {{ name = \"{model}\" }}\n{extra}"
            );
            let system = System::read(&text, "x").unwrap();
            let found = ids(&engine, &system, &words("group"));
            // Feedback may bring others before it.
            assert!(
                found[0] == "2" || extra.starts_with("feedback") && found.contains(&"2".to_owned()),
                "{model} {extra}"
            );
        }
    }
}

#[test]
fn what_is_replaced_or_deleted_is_not_found_any_more() {
    let folder = TempDir::new("ranking-change");
    let before = engine(&folder);
    let target = folder.path().join("index");
    let system = System::named("hypatia-classic-1").unwrap();
    let formulas = System::named("hypatia-classic-2").unwrap();
    let more = r#"{"kind":"answer","id":6,"parent":4,"body":"Nothing to see here."}
{"kind":"answer","id":7,"parent":4,"body":"Look at the triangles again: $u^2+v^2=w^2$."}
"#;
    let path = collection(&folder, "more", more);
    let delete = ["5".to_owned()];
    index::change(&target, Change { add: Some(&path), delete: &delete }, &Unwatched).unwrap();
    let after = Engine::new(Index::open(&target).unwrap());
    let query = words("triangles");
    let sorted = |engine: &Engine| {
        let mut ids = ids(engine, &system, &query);
        ids.sort();
        ids
    };
    // The question speaks of a triangle, so its answers are found, whatever they say.
    assert_eq!(sorted(&after), ["6", "7"]);
    assert_eq!(sorted(&before), ["5", "6"]);
    let latex = |engine: &Engine| -> Vec<String> {
        let hits = common::formulas(engine, &formulas, "a^2+b^2=c^2", 100);
        hits.iter().map(|hit| engine.formula_latex(hit).to_owned()).collect()
    };
    assert!(latex(&before).contains(&"a^2+b^2=c^2".to_owned()));
    assert!(!latex(&after).contains(&"a^2+b^2=c^2".to_owned()));
    assert!(latex(&after).contains(&"u^2+v^2=w^2".to_owned()));
}

#[test]
fn a_topic_becomes_a_query() {
    let mut topic = Topic::new("A.1");
    topic.title = Some(Html::new(r#"Is <span class="math-container" id="q_1">$x&lt;1$</span> so?"#));
    topic.question = Some(Html::new("<p>No <b>bold</b> words.</p>"));
    topic.tags = vec!["real-analysis".to_owned()];
    let query = Query::of_topic(&topic);
    assert_eq!(query.title.formulas, ["x<1"]);
    assert!(query.title.text.contains("Is") && !query.title.text.contains('<'));
    assert!(query.body.text.contains("bold"));
    assert_eq!(System::named(retrieve::DEFAULT_POSTS).unwrap().task, SystemTask::Answers);
}
