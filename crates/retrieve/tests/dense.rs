//! Ranking by vectors, by cross-encoders and token by token, with models that are words counted.

use dense::{
    Encode, EncodeError, EncodeTokens, Judge, Kind, Models, Passages, Settings, SharedModels, TokenVectors,
    VectorPart,
};
use index::parts::Over;
use index::{Change, FeatureKind, Index, Options, PartKind, Unwatched};
use ingest::{Plan, Strictness};
use retrieve::people::SearchOptions;
use retrieve::typed::Typed;
use retrieve::{
    Asked, Clue, Deadline, Engine, Error, FormulaHit, Hit, Pipeline, Query, Ranking, Resources, Section,
    System,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use testkit::TempDir;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Harmonic series","body":"Why does $\\sum 1/n$ diverge?"}
{"kind":"answer","id":2,"parent":1,"body":"Compare with powers of two."}
{"kind":"answer","id":3,"parent":1,"body":"The harmonic series has blocks that are large."}
{"kind":"question","id":4,"title":"Groups","body":"What is a group? A set with an operation."}
{"kind":"answer","id":5,"parent":4,"body":"The integers with addition are a group."}
"#;

const DIMENSIONS: usize = 128;

/// Counts words: texts with the same words have the same vector.
#[derive(Debug, Default)]
struct Words {
    encoded: AtomicUsize,
    fingerprint: String,
}

fn vector(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0_f32; DIMENSIONS];
    vector[0] = 0.01;
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let hash =
            word.to_lowercase().bytes().fold(7_usize, |hash, byte| hash * 31 % 10_007 + usize::from(byte));
        vector[1 + hash % (DIMENSIONS - 1)] += 1.0;
    }
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    vector.iter().map(|number| number / length).collect()
}

impl Words {
    fn new(fingerprint: &str) -> Self {
        Self { fingerprint: fingerprint.to_owned(), ..Self::default() }
    }
}

impl Encode for Words {
    fn name(&self) -> &str {
        "Words/counted v1"
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn max_tokens(&self) -> usize {
        256
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        self.encoded.fetch_add(texts.len(), Ordering::Relaxed);
        if texts.iter().any(|text| text.contains("unspeakable")) {
            return Err(EncodeError("Words/counted v1: a word that it cannot say".to_owned()));
        }
        Ok(texts.iter().flat_map(|text| vector(text)).collect())
    }

    fn passages(&self, text: &str, _: usize) -> Result<Vec<Range<usize>>, EncodeError> {
        let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
        Ok(vec![0..middle, middle..text.len()])
    }
}

impl Judge for Words {
    fn name(&self) -> &str {
        "judge"
    }

    fn scores(&self, pairs: &[(&str, &str)]) -> Result<Vec<f32>, EncodeError> {
        // It likes short texts.
        Ok(pairs.iter().map(|(_, text)| -(text.len() as f32)).collect())
    }
}

impl EncodeTokens for Words {
    fn name(&self) -> &str {
        "tokens"
    }

    fn tokens(&self, text: &str) -> Result<TokenVectors, EncodeError> {
        let mut tokens = TokenVectors { dimensions: DIMENSIONS, ..TokenVectors::default() };
        let mut at = 0;
        for word in text.split(' ') {
            tokens.rows.extend(vector(word));
            tokens.spans.push(at..at + word.len());
            at += word.len() + 1;
        }
        Ok(tokens)
    }
}

/// Knows one model of each kind.
#[derive(Debug)]
struct Shelf(String);

impl Models for Shelf {
    fn knows(&self, name: &str) -> bool {
        ["Words/counted v1", "judge", "tokens"].contains(&name)
    }

    fn encoder(&self, _: &str, _: Option<usize>) -> Result<Arc<dyn Encode>, EncodeError> {
        Ok(Arc::new(Words::new(&self.0)))
    }

    fn judge(&self, _: &str) -> Result<Arc<dyn Judge>, EncodeError> {
        Ok(Arc::new(Words::new(&self.0)))
    }

    fn token_encoder(&self, _: &str) -> Result<Arc<dyn EncodeTokens>, EncodeError> {
        Ok(Arc::new(Words::new(&self.0)))
    }
}

fn collection(folder: &TempDir, name: &str, posts: &str) -> PathBuf {
    let source = folder.write(&format!("{name}.jsonl"), posts);
    let path = folder.path().join(format!("{name}.coll"));
    let done = AtomicU64::new(0);
    ingest::build(&Plan::of(&source).unwrap(), &path, Strictness::Lenient, &done, &mut ingest::Unwatched)
        .unwrap();
    path
}

fn build(folder: &TempDir, words: &Words, settings: Settings) -> PathBuf {
    build_parts(folder, POSTS, &[&VectorPart::new(Over::Posts, words, settings)])
}

fn build_parts(folder: &TempDir, posts: &str, parts: &[&dyn PartKind]) -> PathBuf {
    let kinds = vec![FeatureKind::Parts];
    let options = Options { formula_features: kinds.clone(), post_features: kinds };
    let target = folder.path().join("index");
    let collection = collection(folder, "posts", posts);
    index::build_with(&collection, &target, &options, parts, &Unwatched).unwrap();
    target
}

fn engine(target: &Path, fingerprint: &str) -> Engine {
    let models = SharedModels(Arc::new(Shelf(fingerprint.to_owned())));
    Engine::open(target, Resources::default().with_models(models)).unwrap()
}

fn pipeline(posts: &str) -> Pipeline {
    let text = format!("name = \"dense\"\ntask = 1\nabout = \"\"\n[posts]\n{posts}");
    Pipeline::compile(System::read(&text, "dense").unwrap(), &System::named, &BTreeMap::new()).unwrap()
}

fn formula_pipeline(formulas: &str) -> Pipeline {
    let text = format!("name = \"formulas\"\ntask = 2\nabout = \"\"\n[formulas]\n{formulas}");
    Pipeline::compile(System::read(&text, "formulas").unwrap(), &System::named, &BTreeMap::new()).unwrap()
}

/// The LaTeX of formulas, where they stand, and their scores.
fn rank_formulas(engine: &Engine, pipeline: &Pipeline, asked: &Asked<'_>) -> Vec<(String, String, f64)> {
    let Ranking::Formulas(hits) = engine.run(pipeline, asked, 10).unwrap().ranking else {
        panic!("formulas are wanted")
    };
    let place = |hit: &FormulaHit| engine.formula_place(hit).unwrap().post_id;
    hits.iter().map(|hit| (engine.formula_latex(hit).to_owned(), place(hit), hit.score)).collect()
}

fn query(title: &str) -> Query {
    Query { title: Section { text: title.to_owned(), formulas: Vec::new() }, ..Query::default() }
}

fn rank(engine: &Engine, pipeline: &Pipeline, query: &Query) -> Vec<Hit> {
    match engine.run(pipeline, &Asked::answers(query), 10).unwrap().ranking {
        Ranking::Posts(hits) => hits,
        Ranking::Formulas(_) => panic!("posts are wanted"),
    }
}

fn ids(hits: &[Hit]) -> Vec<&str> {
    hits.iter().map(|hit| hit.id.as_str()).collect()
}

#[test]
fn answers_rank_by_themselves_and_by_their_questions() {
    let folder = TempDir::new("dense");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    let engine = engine(&target, "a");
    let query = query("harmonic series");
    let own = rank(&engine, &pipeline("[posts.dense]\nown = 1"), &query);
    assert_eq!(ids(&own)[0], "3");
    let by_question = rank(&engine, &pipeline("[posts.dense]\nown = 0\nquestion = 1"), &query);
    assert!(ids(&by_question)[..2].contains(&"2") && ids(&by_question)[2] == "5", "{by_question:?}");
    let expected: f32 = vector("harmonic series")
        .iter()
        .zip(vector("The harmonic series has blocks that are large."))
        .map(|(left, right)| left * right)
        .sum();
    assert!((own[0].score - f64::from(expected)).abs() < 1e-3, "{} {expected}", own[0].score);
    let mean = pipeline("[posts.dense]\nown = 0.5\nquestion = 0.5");
    let clues = engine.explain_post(&mean, &query, own[0].document).unwrap();
    let places: Vec<&str> = clues.clues.iter().map(|clue: &Clue| clue.place).collect();
    assert_eq!(places, ["post", "question"]);
    assert!(clues.clues.iter().all(|clue| clue.term == "matched by meaning"));
    let hit = rank(&engine, &mean, &query).into_iter().find(|hit| hit.id == "3").unwrap();
    assert!((clues.score - hit.score).abs() < 1e-9);
}

#[test]
fn the_nearest_passage_of_a_post_counts() {
    let folder = TempDir::new("dense-passages");
    let words = Words::new("a");
    let settings = Settings { passages: Passages::Overlapping(0), ..Settings::of(&words) };
    let target = build(&folder, &words, settings);
    let engine = engine(&target, "a");
    let query = query("blocks that are large");
    let pipeline = pipeline("[posts.dense]");
    let found = rank(&engine, &pipeline, &query);
    assert_eq!(ids(&found)[0], "3");
    let clues = engine.explain_post(&pipeline, &query, found[0].document).unwrap().clues;
    assert_eq!(clues[0].term, "matched by meaning, passage 2");
}

#[test]
fn an_update_encodes_what_is_new_and_keeps_the_rest() {
    let folder = TempDir::new("dense-update");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    assert_eq!(words.encoded.swap(0, Ordering::Relaxed), 5);
    let more = collection(&folder, "more", r#"{"kind":"answer","id":6,"parent":1,"body":"Harmonic."}"#);
    let part = VectorPart::new(Over::Posts, &words, Settings::of(&words));
    let change = Change { add: Some(&more), delete: &["5".to_owned()] };
    index::change_with(&target, change, &[&part], &Unwatched).unwrap();
    assert_eq!(words.encoded.load(Ordering::Relaxed), 1);
    index::compact_with(&target, &[&part], &Unwatched).unwrap();
    assert_eq!(words.encoded.load(Ordering::Relaxed), 1);
    Index::open(&target).unwrap().check().unwrap();
    let engine = engine(&target, "a");
    let found = rank(&engine, &pipeline("[posts.dense]"), &query("harmonic"));
    assert_eq!(ids(&found)[0], "6");
    assert!(!ids(&found).contains(&"5"));
    // The same posts with other settings are other vectors.
    let settings = Settings { of: BTreeSet::from([Kind::Answers]), ..Settings::of(&words) };
    index::add_part(&target, &VectorPart::new(Over::Posts, &words, settings), &Unwatched).unwrap();
    assert_eq!(words.encoded.load(Ordering::Relaxed), 1 + 3);
}

#[test]
fn vectors_of_another_model_are_not_compared() {
    let folder = TempDir::new("dense-other");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    let other = engine(&target, "b");
    let query = query("harmonic series");
    let error = other.run(&pipeline("[posts.dense]"), &Asked::answers(&query), 10).unwrap_err();
    assert!(
        error.to_string().contains("its vectors were made by another model of the name Words/counted v1")
    );
    let none = Engine::open(&target, Resources::default()).unwrap();
    let lacking = "the model Words/counted v1, which made its vectors";
    assert_eq!(none.lacks(&pipeline("[posts.dense]")).as_deref(), Some(lacking));
    let error = none.run(&pipeline("[posts.dense]"), &Asked::answers(&query), 10).unwrap_err();
    assert!(error.to_string().ends_with(&format!("ranking by meaning lacks {lacking}")), "{error}");
    // What does not need them ranks without them.
    let optional = "[posts.dense]\nneed = \"optional\"\n[[posts.group]]\nname = \"words\"\n[[posts.group.part]]\n\
                    terms = \"words\"\nown = { body = 1 }\nmodel = { name = \"bm25\" }\n";
    assert_eq!(other.lacks(&pipeline(optional)), None);
    assert_eq!(ids(&rank(&other, &pipeline(optional), &query)), ["3"]);
    let with = engine(&target, "a");
    assert_eq!(rank(&with, &pipeline(optional), &query).len(), 3);
}

#[test]
fn a_model_that_fails_is_an_error_with_its_reason() {
    let folder = TempDir::new("dense-failing");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    let engine = engine(&target, "a");
    let error =
        engine.run(&pipeline("[posts.dense]"), &Asked::answers(&query("unspeakable")), 10).unwrap_err();
    assert!(
        matches!(&error, Error::Model { reason } if reason == "Words/counted v1: a word that it cannot say")
    );
    // The engine goes on.
    assert_eq!(rank(&engine, &pipeline("[posts.dense]"), &query("group")).len(), 3);
}

#[test]
fn judges_and_tokens_rerank() {
    let folder = TempDir::new("dense-rerank");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    let engine = engine(&target, "a");
    let query = query("harmonic series");
    let rerank = |settings: &str| {
        pipeline(&format!(
            "[posts.dense]\nown = 1\n[[posts.rerank]]\nmix = \"replace\"\ndepth = 3\n{settings}"
        ))
    };
    let judged = rank(&engine, &rerank("by = \"cross-encoder\"\nmodel = \"judge\""), &query);
    assert_eq!(ids(&judged), ["2", "5", "3"]);
    // In blocks of one nothing changes its place.
    let plain = rank(&engine, &pipeline("[posts.dense]\nown = 1"), &query);
    let blocks =
        rank(&engine, &rerank("by = \"cross-encoder\"\nmodel = \"judge\"\nblocks = [1, 2, 3]"), &query);
    assert_eq!(ids(&blocks), ids(&plain));
    let late = rerank("by = \"maxsim\"\nmodel = \"tokens\"");
    let compared = rank(&engine, &late, &query);
    assert_eq!(ids(&compared)[0], "3");
    let clues = engine.explain_post(&late, &query, compared[0].document).unwrap().clues;
    assert!(clues[0].term.contains("harmonic ~ harmonic"), "{clues:?}");
    assert!(engine.lacks(&rerank("by = \"maxsim\"\nmodel = \"other\"")).is_some());
}

#[test]
fn what_was_typed_is_encoded_in_its_order() {
    let folder = TempDir::new("dense-typed");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    let engine = engine(&target, "a");
    let typed = Typed::read("group -addition");
    let results = engine.search(&typed, &SearchOptions::default()).unwrap();
    let ids: Vec<&str> = results.hits.iter().map(|hit| hit.id.as_str()).collect();
    assert_eq!(ids.first(), Some(&"4"), "{results:?}");
    assert!(!ids.contains(&"5"), "a post with an excluded word is not found by its meaning: {results:?}");
}

/// Threads about a few things each, in words that stand for them.
fn many_threads(threads: usize) -> String {
    let mut posts = String::new();
    let mut number = 12_345_usize;
    let mut word = |group: usize| {
        number = number * 1_103_515_245 % 2_147_483_648 + 12_345;
        format!("w{}", group * 10 + number / 65_536 % 10)
    };
    for thread in 0..threads {
        let group = thread % 40;
        let mut text = |words: usize| (0..words).map(|_| word(group)).collect::<Vec<_>>().join(" ");
        let id = 3 * thread + 1;
        posts.push_str(&format!(
            "{{\"kind\":\"question\",\"id\":{id},\"title\":\"{}\",\"body\":\"{}\"}}\n",
            text(4),
            text(12)
        ));
        for answer in [id + 1, id + 2] {
            let body = text(15);
            posts.push_str(&format!(
                "{{\"kind\":\"answer\",\"id\":{answer},\"parent\":{id},\"body\":\"{body} $w{answer}$\"}}\n"
            ));
        }
    }
    posts
}

#[test]
fn lists_leave_most_out_and_lose_next_to_nothing() {
    let folder = TempDir::new("dense-lists");
    let words = Words::new("a");
    let posts = VectorPart::new(Over::Posts, &words, Settings::of(&words)).with_lists_from(1000);
    let formulas = VectorPart::new(Over::Formulas, &words, Settings::of(&words)).with_lists_from(1000);
    let target = build_parts(&folder, &many_threads(6000), &[&posts, &formulas]);
    let index = Index::open(&target).unwrap();
    index.check().unwrap();
    for file in index.segments().iter().flat_map(|segment| segment.part(posts.name())) {
        assert!(file.sections().any(|section| section == "lists"));
    }
    assert!(index.sources()[0].part(formulas.name()).unwrap().sections().any(|section| section == "lists"));
    let engine = engine(&target, "a");
    for settings in ["own = 1", "own = 0\nquestion = 1", "own = 0.5\nquestion = 0.5\nnormalise = \"max\""] {
        let pipeline_of = |settings: &str| pipeline(&format!("[posts.dense]\n{settings}"));
        let usual = pipeline_of(settings);
        let exact = usual.clone().exact();
        let (mut found, mut all) = (0, 0);
        for group in 0..40 {
            let query = query(&format!("w{group}1 w{group}5 w{group}7"));
            let (usual, exact) = (rank(&engine, &usual, &query), rank(&engine, &exact, &query));
            assert_eq!((usual.len(), exact.len()), (10, 10));
            if group == 0 {
                let more =
                    match engine.run(&pipeline_of(settings), &Asked::answers(&query), 100).unwrap().ranking {
                        Ranking::Posts(hits) => hits,
                        Ranking::Formulas(_) => panic!("posts are wanted"),
                    };
                assert_eq!(more[..10], usual[..], "{settings}");
            }
            // Ten posts of eighteen thousand are found with the same scores, to the last bit.
            assert_eq!(usual[0].score.to_bits(), exact[0].score.to_bits(), "{settings}");
            found += exact.iter().filter(|hit| usual.contains(hit)).count();
            all += exact.len();
        }
        assert!(found as f64 >= 0.98 * f64::from(all as u32), "{settings}: {found} of {all}");
    }
    let usual = formula_pipeline("[formulas.dense]");
    let asked = Asked::formulas("w2001");
    let scores = |pipeline: &Pipeline| -> Vec<u64> {
        let found = rank_formulas(&engine, pipeline, &asked);
        found.iter().map(|(_, _, score)| score.to_bits()).collect()
    };
    // Several formulas have this vector.
    assert!(f64::from_bits(scores(&usual)[0]) > 0.99);
    assert_eq!(scores(&usual), scores(&usual.clone().exact()));
}

const FORMULAS: &str = r#"{"kind":"question","id":1,"title":"Triangles","body":"In a right triangle $a^2+b^2=c^2$ holds."}
{"kind":"answer","id":2,"parent":1,"body":"Norms of vectors: $a^2+b^2=c^2$ by definition, and $a^2+b^2=d$."}
{"kind":"question","id":3,"title":"Number theory","body":"Integers with $a^2+b^2=d$ as sums of squares."}
"#;

#[test]
fn formulas_rank_by_their_vectors_and_in_context() {
    let folder = TempDir::new("dense-formulas");
    let words = Words::new("a");
    let posts = VectorPart::new(Over::Posts, &words, Settings::of(&words));
    let formulas = VectorPart::new(Over::Formulas, &words, Settings::of(&words));
    let target = build_parts(&folder, FORMULAS, &[&posts, &formulas]);
    let engine = engine(&target, "a");
    let asked = Asked::formulas("a^2+b^2=c^2");
    let dense = formula_pipeline("[formulas.dense]\nmodel = \"Words/counted v1\"\nweight = 2");
    assert_eq!(engine.models_of(&dense).into_iter().collect::<Vec<_>>(), ["Words/counted v1"]);
    let found = rank_formulas(&engine, &dense, &asked);
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("a^2+b^2=c^2", "1"));
    assert!((found[0].2 - 2.0).abs() < 1e-2 && found[1].2 < found[0].2, "{found:?}");

    let context = "[formulas.dense]\n[formulas.context]\nweight = 0.3\nown = 1\n";
    let vectors = query("Norms of vectors by definition");
    let found = rank_formulas(&engine, &formula_pipeline(context), &asked.in_question(&vectors));
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("a^2+b^2=c^2", "2"));
    // A heavy context decides on its own.
    let heavy = context.replace("0.3", "30");
    let integers = query("Integers as sums of squares");
    let found = rank_formulas(&engine, &formula_pipeline(&heavy), &asked.in_question(&integers));
    assert_eq!((found[0].0.as_str(), found[0].1.as_str()), ("a^2+b^2=d", "3"));
    // Without a question there is no context.
    let plain = rank_formulas(&engine, &formula_pipeline("[formulas.dense]"), &asked);
    assert_eq!(rank_formulas(&engine, &formula_pipeline(&heavy), &asked), plain);
    // Formulas beyond the depth stay below.
    let shallow = heavy.clone() + "depth = 1\n";
    let found = rank_formulas(&engine, &formula_pipeline(&shallow), &asked.in_question(&integers));
    assert_eq!((found[0].0.as_str(), found.len()), ("a^2+b^2=c^2", plain.len()));
    assert!(found[0].2 > found[1].2);
}

#[test]
fn formulas_are_near_by_their_vectors() {
    let folder = TempDir::new("dense-near");
    let words = Words::new("a");
    let formulas = VectorPart::new(Over::Formulas, &words, Settings::of(&words));
    let target = build_parts(&folder, FORMULAS, &[&formulas]);
    let engine = engine(&target, "a");
    assert_eq!(engine.formula_models(), ["Words/counted v1"]);
    let never = Deadline::never();
    let near = engine.nearest_formulas("a^2+b^2=c^2", "Words/counted v1", 5, &never).unwrap();
    assert_eq!(engine.formula_latex(&near[0]), "a^2+b^2=c^2");
    assert!((near[0].score - 1.0).abs() < 1e-3 && near[1].score < near[0].score);
    let similar = engine.similar_by_vectors(near[0].visual_id, 8, &never).unwrap();
    assert_eq!(similar.iter().map(|hit| hit.latex.as_str()).collect::<Vec<_>>(), ["a^2+b^2=d"]);
    assert!((f64::from(similar[0].similarity) - near[1].score).abs() < 1e-6);
    // Without the model there are none, and that is no error.
    let none = Engine::open(&target, Resources::default()).unwrap();
    assert!(none.formula_models().is_empty());
    assert!(none.similar_by_vectors(near[0].visual_id, 8, &never).unwrap().is_empty());
    assert!(none.nearest_formulas("x", "Words/counted v1", 5, &never).is_err());
}

#[test]
fn context_without_a_model_is_an_error_unless_it_is_optional() {
    let folder = TempDir::new("dense-context");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    let none = Engine::open(&target, Resources::default()).unwrap();
    let system = |need: &str| {
        formula_pipeline(&format!(
            "[[formulas.find]]\nfeatures = \"parts\"\nmodel = {{ name = \"bm25\" }}\n\
             [formulas.context]\nweight = 1\nneed = \"{need}\"\n"
        ))
    };
    let lacking = "the model Words/counted v1, which made its vectors";
    assert_eq!(none.lacks(&system("required")).as_deref(), Some(lacking));
    assert_eq!(none.lacks(&system("optional")), None);
    let question = query("harmonic series");
    let asked = Asked::formulas("\\sum 1/n").in_question(&question);
    assert!(!rank_formulas(&none, &system("optional"), &asked).is_empty());
    for (weight, what) in [("nan", "`formulas.context.weight` is NaN"), ("-1", "[formulas.context]")] {
        let text = format!(
            "name = \"x\"\ntask = 2\nabout = \"\"\n[formulas.dense]\n[formulas.context]\nweight = {weight}"
        );
        assert!(System::read(&text, "x").unwrap_err().to_string().contains(what));
    }
    let nothing = System::read("name = \"x\"\ntask = 2\nabout = \"\"\n[formulas]\n", "x").unwrap_err();
    assert!(nothing.to_string().contains("[[formulas.find]], [formulas.dense]"), "{nothing}");
}

#[test]
fn titles_are_compared_by_themselves_and_answers_by_what_speaks_for_them() {
    let folder = TempDir::new("dense-evidence");
    let words = Words::new("a");
    let target = build(&folder, &words, Settings::of(&words));
    let engine = engine(&target, "a");
    let body = Section { text: "what is a group".to_owned(), formulas: Vec::new() };
    let query = Query { body, ..query("harmonic series") };
    let by_title = rank(&engine, &pipeline("[posts.dense]\nquery = \"title\""), &query);
    let expected = rank(&engine, &pipeline("[posts.dense]"), &self::query("harmonic series"));
    assert_eq!(by_title, expected);
    let both = pipeline("[[posts.dense]]\n[[posts.dense]]\nquery = \"title\"\nweight = 2");
    let all = rank(&engine, &pipeline("[posts.dense]"), &query);
    for hit in rank(&engine, &both, &query) {
        let score = |hits: &[Hit]| hits.iter().find(|other| other.id == hit.id).unwrap().score;
        assert!((hit.score - score(&all) - 2.0 * score(&by_title)).abs() < 1e-9);
    }
    // Posts have scores wherever they rank, the same as in a ranking.
    let evidence = "[posts.dense]\nown = 0\n[[posts.rerank]]\nby = \"evidence\"\ndepth = 10\nweight = 2\n";
    let scored = |settings: &str, ids: &[&str]| {
        let pipeline = pipeline(&format!("{evidence}{settings}"));
        let ranked = rank(&engine, &pipeline, &query);
        let scores = engine.post_scores(&pipeline, &Asked::answers(&query), ids).unwrap();
        for (id, score) in ids.iter().zip(&scores) {
            let hit = ranked.iter().find(|hit| hit.id == *id);
            assert!(hit.is_none_or(|hit| (hit.score - score).abs() < 1e-9), "{settings} {id}");
            if let Some(hit) = hit {
                let why = engine.explain_post(&pipeline, &query, hit.document).unwrap();
                assert!((why.score - score).abs() < 1e-9, "{why:?}");
            }
        }
        scores
    };
    // Five words, eight words; a post that is not there scores nothing.
    let lengths = scored("words = 1", &["2", "3", "77"]);
    let share = |words: f64| 2.0 * words.ln_1p() / 1000_f64.ln_1p();
    assert!((lengths[0] - share(5.0)).abs() < 1e-9 && (lengths[1] - share(8.0)).abs() < 1e-9, "{lengths:?}");
    assert_eq!(lengths[2], 0.0);
    let nearness = scored("own_question = -1", &["3", "2"]);
    let dot = |left: &str, right: &str| -> f32 {
        vector(left).iter().zip(vector(right)).map(|(left, right)| left * right).sum()
    };
    let question = "Harmonic series. Why does $\\sum 1/n$ diverge?";
    let expected = -2.0 * f64::from(dot("The harmonic series has blocks that are large.", question));
    assert!((nearness[0] - expected).abs() < 5e-3 && nearness[0] < nearness[1], "{nearness:?} {expected}");
    let wrong = System::read(
        "name = \"x\"\ntask = 1\nabout = \"\"\n[posts.dense]\n[[posts.rerank]]\nby = \"evidence\"\ndepth = 9\nwords = inf",
        "x",
    );
    assert!(wrong.unwrap_err().to_string().contains("weights are numbers"));
    let none = Engine::open(&target, Resources::default()).unwrap();
    let needs = |settings: &str| {
        none.lacks(&pipeline(&format!("[[posts.group]]\nname = \"w\"\n[[posts.group.part]]\nterms = \"words\"\nown = {{ body = 1 }}\nmodel = {{ name = \"bm25\" }}\n[[posts.rerank]]\nby = \"evidence\"\ndepth = 9\n{settings}")))
    };
    assert_eq!(needs("words = 1"), None);
    assert!(needs("own_question = 1").is_some());
    assert_eq!((engine.default_posts(), none.default_posts()), ("hypatia-1", "hypatia-classic-1"));
    assert_eq!((engine.default_formulas(), none.default_formulas()), ("hypatia-2", "hypatia-classic-2"));
}
