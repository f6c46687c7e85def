//! Answers by words, signs, tuples, formulas, nearness and links, as the labs' systems ranked them.

use crate::common;

use common::{explain, posts};
use index::{FeatureKind, Options, Unwatched};
use ingest::{Plan, Strictness};
use retrieve::{Engine, Hit, Need, Query, SYSTEMS, Section, System, SystemTask};
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

/// Some threads of a made-up forum.
const POSTS: &str = r#"{"kind":"question","id":1,"title":"What is a group?","body":"Is $a\\cdot b=b\\cdot a$ needed?","tags":["abstract-algebra","group-theory"]}
{"kind":"answer","id":2,"parent":1,"body":"A group has an inverse for every element; an abelian group has $a\\cdot b=b\\cdot a$ too.","score":5}
{"kind":"answer","id":3,"parent":1,"body":"No: every group of matrices is an example, and the inverse, as far as it is there at all, is a matrix.","score":9}
{"kind":"question","id":4,"title":"Sum of $x^2+y^2$ in a triangle","body":"Why is $x^2+y^2=z^2$ for $z$ in a right triangle?","tags":["geometry"]}
{"kind":"answer","id":5,"parent":4,"body":"Move the triangles in a square of side $x+y$.","score":2}
{"kind":"answer","id":6,"parent":4,"body":"By similar triangles $a^2+b^2=c^2$, so $x^2+y^2=z^2$, and $z$ to the power two is it.","score":2}
{"kind":"question","id":7,"title":"Pythagoras again","body":"Is it so?","tags":["geometry"]}
{"kind":"answer","id":8,"parent":7,"body":"Yes. See $x$ and the other question.","score":-1}
{"kind":"link","from":7,"to":4,"link":"duplicate"}
{"kind":"link","from":7,"to":1,"link":"related"}
"#;

fn engine_over(folder: &TempDir, lines: &str) -> Engine {
    let source = folder.write("posts.jsonl", lines);
    let path = folder.path().join("collection");
    let done = AtomicU64::new(0);
    ingest::build(&Plan::of(&source).unwrap(), &path, Strictness::Lenient, &done, &mut ingest::Unwatched)
        .unwrap();
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    Engine::new(index::build(&path, &folder.path().join("index"), &options, &Unwatched).unwrap())
}

fn query(text: &str, formulas: &[&str]) -> Query {
    let formulas = formulas.iter().map(|latex| (*latex).to_owned()).collect();
    Query { title: Section { text: text.to_owned(), formulas }, ..Query::default() }
}

/// A system whose `[posts]` is this.
fn system(posts: &str) -> System {
    System::read(&format!("name = \"x\"\ntask = 1\nabout = \"x\"\n[posts]\n{posts}"), "x").unwrap()
}

fn ids(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

fn check_scores(hits: &[Hit], expected: &[(&str, f64)]) {
    assert_eq!(ids(hits), expected.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    for (hit, (id, score)) in hits.iter().zip(expected) {
        assert!((hit.score - score).abs() < 1e-5, "{id}: {} and {score}", hit.score);
    }
}

/// MathDowsers' engine on the corpus that the dossier has figures of. Tuples are pairs and tokens of LaTeX
/// here, so that each document has as many as there.
#[test]
fn words_and_tuples_share_one_length() {
    const CORPUS: &str = r#"{"kind":"question","id":1,"title":"","body":"group theory $x$ $ab$"}
{"kind":"question","id":2,"title":"","body":"group rings and groups"}
{"kind":"question","id":3,"title":"","body":"prime $x$ $x$ $a$ $b$"}
"#;
    const FOURTH: &str = r#"{"kind":"question","id":4,"title":"","body":"group theory $x$"}"#;
    let system = system(
        "returns = \"posts\"\n[[posts.group]]\nname = \"all\"\n[[posts.group.part]]\nterms = [\"words\", \"ngrams\"]\n\
         weights = { words = 0.82, ngrams = 0.18 }\nown = { body = 1, math = 1 }\nstem = \"porter\"\n\
         model = { name = \"bm25\", k1 = 1.2, b = 0.75 }\nstatistics = \"documents\"\n",
    );
    let folder = TempDir::new("answers-tuples");
    let engine = engine_over(&folder, &format!("{CORPUS}{FOURTH}\n"));
    for (text, formulas, expected) in [
        ("group", &["x"][..], &[("2", 0.415_124), ("4", 0.412_992), ("1", 0.313_874), ("3", 0.085_602)][..]),
        ("groups theory theory", &[], &[("4", 1.654_903), ("1", 1.257_727), ("2", 0.415_124)]),
    ] {
        check_scores(&posts(&engine, &system, &query(text, formulas), 10), expected);
    }
    // The lab's engine gave the second document's share to the third when the last one is not there.
    let folder = TempDir::new("answers-tuples-without");
    let engine = engine_over(&folder, CORPUS);
    let hits = posts(&engine, &system, &query("group", &["x"]), 10);
    let score = |id: &str| hits.iter().find(|hit| hit.id == id).unwrap().score;
    assert!((score("2") - 0.561_514).abs() < 1e-5 && (score("3") - 0.116_326).abs() < 1e-5, "{hits:?}");
}

/// The word for a sign is the same term as the sign.
#[test]
fn signs_are_words() {
    let folder = TempDir::new("answers-signs");
    let engine = engine_over(&folder, POSTS);
    let system = |terms: &str| {
        system(&format!(
            "[[posts.group]]\nname = \"words\"\n[[posts.group.part]]\nterms = [{terms}]\nown = {{ body = 1 }}\n\
             stem = \"porter\"\nmodel = {{ name = \"tf-idf\" }}\n"
        ))
    };
    let found = |terms: &str, query: &Query| -> Vec<String> {
        let hits = posts(&engine, &system(terms), query, 10);
        let mut ids: Vec<String> = hits.into_iter().map(|hit| hit.id).collect();
        ids.sort();
        ids
    };
    let (words, signs) = ("\"words\"", "\"words\", \"source\", \"symbols\"");
    assert_eq!(found(words, &query("power", &[])), ["6"]);
    assert_eq!(found(signs, &query("power", &[])), ["6"]);
    assert_eq!(found(words, &query("", &["u^v"])), [""; 0]);
    assert_eq!(found(signs, &query("", &["u^v"])), ["6"]);
    // Stems of names: `equals` is found by `equal`.
    assert_eq!(found(signs, &query("equal", &[])), ["2", "6"]);
    assert_eq!(found(signs, &query("plus dollar", &[])), ["2", "5", "6", "8"]);
    // The word stands there once and the sign six times.
    let why = explain(&engine, &system(signs), &query("power", &[]), "6");
    assert_eq!(why.clues[0].frequency, 7.0);
}

/// The cosine of vectors, worked out by hand.
#[test]
fn tf_idf_is_the_cosine_of_vectors() {
    let folder = TempDir::new("answers-cosine");
    let lines = r#"{"kind":"question","id":1,"title":"","body":"limits limit series"}
{"kind":"question","id":2,"title":"","body":"series of the field $limit$"}
{"kind":"question","id":3,"title":"","body":"field field field proof"}
{"kind":"question","id":4,"title":"","body":"proofs"}
"#;
    let engine = engine_over(&folder, lines);
    let system = system(
        "returns = \"posts\"\n[[posts.group]]\nname = \"words\"\n[[posts.group.part]]\nterms = [\"words\", \"source\"]\n\
         own = { body = 1 }\nstem = \"porter\"\nstop = \"long\"\nmodel = { name = \"tf-idf-cosine\" }\n\
         statistics = \"documents\"\n",
    );
    // All terms are in two of four documents: their idf is 1.
    let asked = (2.0_f64 * 2.0 + 1.0).sqrt();
    let hits = posts(&engine, &system, &query("limit limits proof unknown", &[]), 10);
    check_scores(
        &hits,
        &[
            ("1", 2.0 * 2.0 / asked / 5.0_f64.sqrt()),
            ("2", 2.0 / asked / 3.0_f64.sqrt()),
            ("4", 1.0 / asked),
            ("3", 1.0 / asked / 10.0_f64.sqrt()),
        ],
    );
}

#[test]
fn words_of_tags_and_telling_formulas_are_asked() {
    let folder = TempDir::new("answers-chosen");
    let engine = engine_over(&folder, POSTS);
    let part = |extra: &str| {
        system(&format!(
            "[[posts.group]]\nname = \"all\"\n[[posts.group.part]]\nterms = [\"words\", \"tuples-l8\"]\nstem = \"porter\"\n\
             own = {{ body = 1, math = 1 }}\nquestion = {{ title = 1, body = 1, tags = 1, math = 1 }}\n\
             model = {{ name = \"bm25\" }}\nstatistics = \"documents\"\n{extra}"
        ))
    };
    let mut asked = query("The groups in a triangle and the geometry of theories", &["z"]);
    asked.body.formulas = vec!["x".to_owned(), "x+y".to_owned()];
    let terms = |system: &System, id: &str| -> Vec<String> {
        let why = explain(&engine, system, &asked, id);
        let mut terms: Vec<String> = why.clues.into_iter().map(|clue| clue.term).collect();
        terms.sort();
        terms.dedup();
        terms
    };
    assert_eq!(terms(&part(""), "6"), ["a", "and", "geometri", "in", "of", "the", "triangl", "x+y", "z"]);
    let all = part("keep = \"tag-words\"\nformulas = \"telling\"\n");
    assert_eq!(terms(&all, "6"), ["geometri", "x+y", "z"]);
    // Every formula has a beginning and an end, so all have these two in common.
    assert_eq!(terms(&all, "2"), ["group", "theori", "z"]);
    assert_eq!(terms(&part("keep = \"tag-words\"\nformulas = \"largest\"\n"), "6"), ["geometri", "z"]);
    // Tuples without locations are fewer.
    let clues = |extra: &str| {
        let document = engine.index().find("5").unwrap();
        engine.explain_post(&common::pipeline(&part(extra)), &asked, document).unwrap().clues.len()
    };
    assert!(clues("locations = \"none\"\n") < clues(""));
}

const WORDS: &str = "[[posts.group]]\nname = \"words\"\n[[posts.group.part]]\nterms = \"words\"\nown = { body = 1 }\n\
    stem = \"porter\"\nstop = \"long\"\nmodel = { name = \"bm25\", k1 = 1.2, b = 0.0 }\nstatistics = \"documents\"\n";
const PARTS: &str = "[[formulas.find]]\nfeatures = \"parts\"\nmodel = { name = \"overlap\" }\n";

#[test]
fn terms_that_stand_near_each_other_count() {
    let folder = TempDir::new("answers-near");
    let engine = engine_over(&folder, POSTS);
    let asked = query("inverse of every element", &[]);
    let plain = posts(&engine, &system(WORDS), &asked, 10);
    let near = system(&format!("{WORDS}[posts.proximity]\ndepth = 100\n"));
    let hits = posts(&engine, &near, &asked, 10);
    assert_eq!(ids(&hits)[0], "2");
    // "an inverse for every element": two words apart; "every" stands one before "element".
    let gain = |id: &str| {
        let score = |hits: &[Hit]| hits.iter().find(|hit| hit.id == id).unwrap().score;
        score(&hits) - score(&plain)
    };
    let worth = |distance: f64| (0.3 + (-distance).exp()).ln() - 0.3_f64.ln();
    assert!(gain("2") > 0.0 && gain("2") <= worth(1.0) + 1e-9, "{}", gain("2"));
    assert!(gain("3") < gain("2") && gain("3") >= 0.0);
    // What is not looked at gains nothing and stays below.
    let one = system(&format!("{WORDS}[posts.proximity]\ndepth = 1\n"));
    let hits = posts(&engine, &one, &asked, 10);
    assert_eq!(hits[1].score, plain[1].score);
}

#[test]
fn posts_have_the_scores_of_their_formulas() {
    let folder = TempDir::new("answers-formulas");
    let engine = engine_over(&folder, POSTS);
    let by = |extra: &str| system(&format!("[posts.by_formulas]\n{extra}{PARTS}"));
    let mut asked = query("", &["z", "x^2+y^2=z^2"]);
    asked.body.formulas = vec!["a \\cdot b=b \\cdot a".to_owned()];
    let formulas = |latex: &str| common::formulas(&engine, &by(""), latex, 1000);
    let score = |latex: &str, of: &str| {
        formulas(latex).iter().find(|hit| engine.formula_latex(hit) == of).map_or(0.0, |hit| hit.score)
    };
    // The answer has three formulas, of which the best or the last decides; answers without one are not found.
    let pythagoras = "x^2+y^2=z^2";
    let best = score(pythagoras, pythagoras);
    let last = score(pythagoras, "z").min(score(pythagoras, "a^2+b^2=c^2"));
    for (extra, expected) in [
        ("choose = \"largest\"\nkeep = \"best\"\n", best),
        ("choose = \"largest\"\nkeep = \"last\"\nweight = 2\n", 2.0 * last),
    ] {
        let system = by(extra);
        let hits = posts(&engine, &system, &asked, 10);
        let hit = hits.iter().find(|hit| hit.id == "6").unwrap();
        assert!((hit.score - expected).abs() < 1e-9, "{extra}: {} and {expected}", hit.score);
        assert!(!ids(&hits).contains(&"3") && !ids(&hits).contains(&"4"), "{hits:?}");
    }
    let shares = by("choose = \"telling\"\nweight = 3\nbest = 0.98\nothers = 0.02\n");
    let hits = posts(&engine, &shares, &asked, 10);
    // The formula of the query with the highest best score counts most, in a post that has it and in others.
    let of = |latex: &str| formulas(latex)[0].score;
    let highest = [of("z"), of(pythagoras), of("a \\cdot b=b \\cdot a")];
    let share = |place: usize| {
        let most = highest.iter().copied().fold(0.0, f64::max);
        3.0 * if highest[place] == most { 0.98 } else { 0.02 }
    };
    let expected = share(0) * score("z", "z").max(score("z", pythagoras))
        + share(1) * best
        + share(2)
            * score("a \\cdot b=b \\cdot a", "x^2+y^2=z^2")
                .max(score("a \\cdot b=b \\cdot a", "a^2+b^2=c^2"));
    let hit = hits.iter().find(|hit| hit.id == "6").unwrap();
    assert!((hit.score - expected).abs() < 1e-9, "{} and {expected}", hit.score);
}

#[test]
fn every_answer_explains_its_score() {
    let folder = TempDir::new("answers-why");
    let engine = engine_over(&folder, POSTS);
    let mut asked = query("every group element in a triangle", &["x^2+y^2"]);
    asked.tags = vec!["geometry".to_owned()];
    let mixed = system(&format!(
        "{WORDS}[posts.by_formulas]\nchoose = \"telling\"\nweight = 0.5\n[posts.proximity]\ndepth = 3\n{PARTS}"
    ));
    let shipped = SYSTEMS.iter().map(|(name, _)| System::named(name).unwrap());
    for system in shipped.filter(|system| system.task == SystemTask::Answers).chain([mixed]) {
        // Fused systems have no posts of their own.
        let Some(stage) = &system.posts else { continue };
        if needs_vectors(&system) {
            continue;
        }
        let hits = posts(&engine, &system, &asked, 10);
        assert!(!hits.is_empty() || stage.links.is_some(), "{}", system.name);
        assert!(hits.is_sorted_by(|left, right| left.score >= right.score), "{}", system.name);
        for hit in hits {
            let why = explain(&engine, &system, &asked, &hit.id);
            assert!((why.score - hit.score).abs() < 1e-3, "{} {}: {why:?}", system.name, hit.score);
        }
    }
}

#[test]
fn linked_questions_give_their_answers() {
    let folder = TempDir::new("answers-links");
    let engine = engine_over(&folder, POSTS);
    let named = System::named("linked-posts").unwrap();
    let related = system("[posts.links]\nkinds = [\"duplicate\", \"related\"]\n");
    let linked =
        |ids: &[&str]| Query { linked: ids.iter().map(|id| (*id).to_owned()).collect(), ..Query::default() };
    let taken_from = |id: &str| Query { post: Some(id.to_owned()), ..Query::default() };
    for (system, query, expected) in [
        // Most votes first; of equals, the one with the later id.
        (&named, linked(&["1", "4", "99"]), &["3", "2", "6", "5"][..]),
        (&named, taken_from("7"), &["6", "5"]),
        (&related, taken_from("7"), &["3", "2", "6", "5"]),
        (&named, taken_from("4"), &["8"]),
        (&named, query("Pythagoras again", &[]), &["6", "5"]),
        (&named, query("Pythagoras", &[]), &[]),
        (&named, query("Sum of \u{fdd0} in a triangle", &["x^2+y^2"]), &["8"]),
        (&named, query("Sum of \u{fdd0} in a triangle", &["x^2"]), &[]),
        (&named, query("", &["x"]), &[]),
    ] {
        let hits = posts(&engine, system, &query, 10);
        assert_eq!(ids(&hits), expected, "{query:?}");
        for hit in hits {
            let why = explain(&engine, system, &query, &hit.id);
            assert_eq!(why.score, hit.score);
        }
    }
}

/// Whether a system ranks by vectors alone; `dense.rs` tests those.
fn needs_vectors(system: &System) -> bool {
    let dense = system.posts.as_ref().and_then(|posts| posts.dense.first());
    dense.is_some_and(|dense| dense.need == Need::Required)
}

#[test]
fn threads_change_nothing() {
    let folder = TempDir::new("answers-threads");
    let engine = engine_over(&folder, POSTS);
    let queries =
        [query("every group in a triangle", &["x^2+y^2"]), query("inverse matrices", &["a\\cdot b"])];
    let shipped: Vec<System> = SYSTEMS.iter().map(|(name, _)| System::named(name).unwrap()).collect();
    let run = || -> Vec<Vec<(String, u64)>> {
        let systems =
            shipped.iter().filter(|system| system.posts.is_some() && system.task == SystemTask::Answers);
        let systems = systems.filter(|system| !needs_vectors(system));
        let hits = |(system, query): (&System, &Query)| {
            let hits = posts(&engine, system, query, 10);
            hits.into_iter().map(|hit| (hit.id, hit.score.to_bits())).collect()
        };
        systems.flat_map(|system| queries.iter().map(move |query| (system, query))).map(hits).collect()
    };
    let (left, right) = std::thread::scope(|scope| {
        let (left, right) = (scope.spawn(run), scope.spawn(run));
        (left.join().unwrap(), right.join().unwrap())
    });
    assert_eq!(left, right);
    assert_eq!(left, run());
}

#[test]
fn what_cannot_be_is_told() {
    for (posts, said) in [
        ("", "posts.group"),
        ("[posts.by_formulas]\n", "needs [formulas]"),
        ("[posts.links]\nkinds = [\"duplicate\"]\n[posts.proximity]\n", "alone"),
        ("[posts.links]\nkinds = [\"triplicate\"]\n", "triplicate"),
        (&format!("{WORDS}[posts.proximity]\noffset = 0\n"), "offset"),
        (
            "[[posts.group]]\nname = \"x\"\n[[posts.group.part]]\nterms = \"words\"\nmodel = { name = \"tf-idf-cosine\" }\n",
            "documents",
        ),
        (&WORDS.replace("\"words\"\nown", "\"swords\"\nown"), "symbols"),
    ] {
        let text = format!("name = \"x\"\ntask = 1\nabout = \"x\"\n[posts]\n{posts}");
        let error = System::read(&text, "mine.toml").unwrap_err().to_string();
        assert!(error.contains(said), "{posts}: {error}");
    }
}
