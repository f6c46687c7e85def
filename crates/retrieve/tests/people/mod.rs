//! Search for people, on a small collection of JSON lines: every filter, phrases, signs, formulas, snippets,
//! reasons and notes.

mod ask;
mod facets;
mod sort;
mod threads;
mod visuals;

use index::{FeatureKind, Index, Options};
use ingest::{Plan, Strictness};
use proptest::prelude::*;
use retrieve::Engine;
use retrieve::people::{Marked, Rest, Results, SearchOptions, Standing, Total};
use retrieve::typed::{Typed, Understanding};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

const POSTS: &str = r#"{"kind":"user","id":3,"name":"Émilie du Châtelet"}
{"kind":"user","id":4,"name":"Sophie"}
{"kind":"question","id":10,"title":"Is $x^2\\ge 0$ for every real number?","body":"For real $x$ the square seems never negative. How do I prove it?","tags":["real-analysis","inequality"],"score":7,"date":"2014-03-02","owner":3,"accepted":12}
{"kind":"answer","id":11,"parent":10,"body":"Look at the graph of the parabola.","score":-2,"date":"2014-03-02","owner":4}
{"kind":"answer","id":12,"parent":10,"body":"Both signs give a square: $x^2=x\\cdot x=(-x)\\cdot(-x)$, so the product of two numbers with equal signs is never negative.","score":9,"date":"2014-03-03","owner":3}
{"kind":"question","id":20,"title":"Arithmetic and geometric mean","body":"Why is $a^2+b^2\\ge 2ab$? The Cauchy–Schwarz inequality should help.","tags":["inequality"],"score":3,"date":"2015-12-31","owner":4}
{"kind":"answer","id":21,"parent":20,"body":"Because $(a-b)^2\\ge 0$.","score":5,"date":"2016-01-01"}
{"kind":"question","id":30,"title":"What is a group?","body":"A set with an operation. The integers are a group under addition.","tags":["group-theory","abstract-algebra"],"score":1,"date":"2016-06-15"}
{"kind":"question","id":40,"title":"Integral of a power","body":"I want $\\int_0^1 x^n dx$ and then $\\int_0^1 y^2 dy$, both over the unit interval.","tags":["calculus"]}
{"kind":"document","id":50,"title":"Notes","body":"The mean value theorem; the theorem on mean values. To be or not to be."}
"#;

struct Collection {
    engine: Engine,
    /// The index lives in it.
    folder: TempDir,
}

impl Collection {
    /// Makes a collection of JSON lines and its index.
    fn of(name: &str, posts: &str) -> Self {
        let folder = TempDir::new(name);
        let source = folder.write("posts.jsonl", posts);
        let path = folder.path().join("posts.coll");
        let plan = Plan::of(&source).unwrap();
        let done = AtomicU64::new(0);
        ingest::build(&plan, &path, Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
        let kinds = vec![FeatureKind::Parts];
        let options = Options { formula_features: kinds.clone(), post_features: kinds };
        let target = folder.path().join("index");
        index::build(&path, &target, &options, &index::Unwatched).unwrap();
        Self { engine: Engine::new(Index::open(&target).unwrap()), folder }
    }
}

static SMALL: LazyLock<Collection> = LazyLock::new(|| Collection::of("people", POSTS));

fn search(query: &str) -> Results {
    SMALL.engine.search(&Typed::read(query), &SearchOptions::default()).unwrap()
}

fn ids(results: &Results) -> Vec<&str> {
    results.hits.iter().map(|hit| hit.id.as_str()).collect()
}

/// The ids of what is found, in order of ids.
fn found(query: &str) -> String {
    let results = search(query);
    let mut ids = ids(&results);
    ids.sort_unstable();
    ids.join(" ")
}

#[test]
fn filters() {
    for (query, expected) in [
        ("tag:inequality", "10 11 12 20 21"),
        ("[real-analysis]", "10 11 12"),
        ("tag:real", ""),
        ("tag:analysis", ""),
        ("-tag:inequality", "30 40 50"),
        ("tag:inequality -tag:real-analysis", "20 21"),
        ("is:question", "10 20 30 40"),
        ("is:answer", "11 12 21"),
        ("is:accepted", "12"),
        ("-is:accepted is:answer", "11 21"),
        ("user:sophie", "11 20"),
        ("user:4", "11 20"),
        ("user:\"emilie du chatelet\"", "10 12"),
        ("user:nobody", ""),
        ("is:answer -user:sophie", "12 21"),
        ("score:>5", "10 12"),
        ("score:-2", "11"),
        ("score:3..5", "20 21"),
        ("is:question -score:>2", "30 40"),
        ("year:2014", "10 11 12"),
        ("date:2015-12-31..2016-01-01", "20 21"),
        ("date:>2016-01-01", "30"),
        ("date:<2014-03-03", "10 11"),
        ("answers:2", "10 11 12"),
        ("is:question answers:0", "30 40"),
        ("is:question -answers:0", "10 20"),
        ("square tag:inequality is:answer", "11 12"),
        ("inequality score:>100", ""),
    ] {
        assert_eq!(found(query), expected, "{query}");
    }
}

#[test]
fn words_and_phrases() {
    for (query, expected) in [
        ("group", "30"),
        ("groups", "30"),
        ("+groups", ""),
        ("mean +geometric", "20 21"),
        ("mean -geometric", "50"),
        ("number -square", "11"),
        ("\"mean value\"", "50"),
        ("\"value mean\"", ""),
        ("\"theorem on mean\"", "50"),
        ("mean -\"mean value\"", "20 21"),
        ("\"cauchy schwarz\"", "20"),
        ("cauchy-schwarz", "20 21"),
        ("CauchySchwarz", "20 21"),
        ("\"why is $x$\"", "20"),
        ("\"arithmetic and\"", "20 21"),
        ("to be or not to be", "50"),
        ("+calculus", "40"),
        ("-inequality -group -calculus", "50"),
    ] {
        assert_eq!(found(query), expected, "{query}");
    }
}

#[test]
fn formulas_rank() {
    for (query, first) in [
        ("$x^2\\ge 0$", "10"),
        ("$a^2+b^2\\ge 2ab$", "20"),
        ("$p^2+q^2\\ge 2pq$", "20"),
        ("$\\int_0^1 t^2 dt$", "40"),
        ("$\\int_0^1 ?f dx$", "40"),
        ("$(a-b)^2$", "21"),
        ("product of signs $x^2$", "12"),
    ] {
        let results = search(query);
        assert_eq!(ids(&results).first(), Some(&first), "{query}: {:?}", ids(&results));
        let why = &results.hits[0].why;
        assert!(!why.formulas.is_empty(), "{query}");
        for found in &why.formulas {
            assert!(found.similarity > 0.3 && found.similarity <= 1.0, "{query}");
            assert!(!found.spans.is_empty(), "{query}");
            for (span, _) in &found.spans {
                assert!(found.latex.get(span.clone()).is_some_and(|part| !part.is_empty()), "{query}");
            }
        }
    }
    assert_eq!(found("+$(a-b)^2$"), "21");
    assert_eq!(found("+$(a-?x)^2$"), "21");
    assert_eq!(found("+$x^2$ -$\\ge$ is:answer"), "12");
}

/// A formula in which the search for another gives up is kept by a required formula and dropped by an excluded one.
#[test]
fn undecided_formulas_are_kept_and_dropped() {
    let query = (0..8).map(|number| format!("?{number}x_{{?}}")).collect::<Vec<_>>().join("+") + "+z";
    let hard = (0..30).map(|number| format!("a_{{{number}}}x_{{{number}}}")).collect::<Vec<_>>().join("+");
    let post = |id: u32, formula: &str| {
        format!("{{\"kind\":\"question\",\"id\":{id},\"title\":\"Sums\",\"body\":\"A sum: ${formula}$.\"}}\n")
    };
    let posts = [post(1, &format!("{hard}+z^2")), post(2, "x_1+z"), post(3, "y")].concat();
    let small = Collection::of("people-undecided", &posts);
    let options = SearchOptions::default();
    for (query, expected) in
        [(format!("sums +${query}$"), vec!["1"]), (format!("sums -${query}$"), vec!["2", "3"])]
    {
        let results = small.engine.search(&Typed::read(&query), &options).unwrap();
        let mut found = ids(&results);
        found.sort_unstable();
        assert_eq!(found, expected, "{query} {:?}", results.notes);
    }
    // It is found, but nothing says that it contains the formula.
    let typed = Typed::read(&format!("+${query}$"));
    let formulas = small.engine.search_formulas(&typed, &options).unwrap();
    let found: Vec<_> = formulas.hits.iter().map(|hit| (hit.latex.len() > 100, hit.containment)).collect();
    assert_eq!(found, [(true, retrieve::people::Containment::Undecided)]);
}

#[test]
fn best_formulas() {
    let results = search("squares $x^2\\ge 0$");
    let best = &results.formulas[0];
    assert_eq!((best.latex.as_str(), best.posts, best.query), ("x^2\\ge 0", 1, 0));
    assert!(best.similarity > 0.99, "{best:?}");
    assert!(results.formulas.windows(2).all(|pair| pair[0].similarity >= pair[1].similarity));
    assert!(search("squares").formulas.is_empty());
}

fn marked_words(marked: &Marked) -> Vec<&str> {
    marked.words.iter().map(|word| &marked.text[word.clone()]).collect()
}

#[test]
fn snippets_and_titles() {
    let results = search("squares of real numbers $x^2$");
    let hit = results.hits.iter().find(|hit| hit.id == "10").unwrap();
    assert_eq!(hit.title.text, "Is $x^2\\ge 0$ for every real number?");
    assert_eq!(marked_words(&hit.title), ["real", "number"]);
    assert_eq!(hit.title.latex(&hit.title.formulas[0]), "x^2\\ge 0");
    assert_eq!(hit.title.formulas[0].like, Some(0));
    assert_eq!(marked_words(&hit.snippet), ["real", "square"]);
    let answer = results.hits.iter().find(|hit| hit.id == "12").unwrap();
    assert_eq!(answer.title.text, hit.title.text);
    assert_eq!(answer.question_id.as_deref(), Some("10"));
    assert_eq!(answer.tags, ["real-analysis", "inequality"]);
    assert_eq!((answer.standing, answer.votes), (Standing::Accepted, Some(9)));
    assert_eq!(answer.user.as_deref(), Some("Émilie du Châtelet"));
    assert!(answer.snippet.text.contains("$x^2=x\\cdot x=(-x)\\cdot(-x)$"), "{}", answer.snippet.text);
    assert_eq!(marked_words(&answer.snippet), ["square", "numbers"]);
}

#[test]
fn reasons_add_up() {
    for query in
        ["inequality", "real square numbers", "$x^2$", "prove $x^2\\ge 0$ and $a^2+b^2$", "tag:calculus"]
    {
        for hit in search(query).hits {
            let sum: f64 = hit.why.clues.iter().map(|clue| clue.score).sum();
            assert!((sum - hit.score).abs() < 1e-4, "{query}: {sum} is not {}", hit.score);
        }
    }
    let results = search("inequality");
    let answer = results.hits.iter().find(|hit| hit.id == "21").unwrap();
    assert_eq!(answer.why.words[0].fields, ["tags of the question"]);
}

#[test]
fn pages() {
    let page = |offset: usize, limit: usize| {
        let options = SearchOptions { offset, limit, ..SearchOptions::default() };
        SMALL.engine.search(&Typed::read("tag:inequality square inequality"), &options).unwrap()
    };
    let all = page(0, 10);
    assert_eq!(all.total, Total::Exactly(5));
    let parts: Vec<String> =
        (0..3).flat_map(|number| page(2 * number, 2).hits).map(|hit| hit.id.clone()).collect();
    assert_eq!(parts, ids(&all));
    assert!(matches!(page(0, 2).total, Total::AtLeast(_)));
    assert_eq!(page(2, 2).hits[0].rank, 3);
    let beyond = page(100, 10);
    assert!(beyond.hits.is_empty());
    assert_eq!(beyond.notes.last().unwrap().message, "there are only 5 results");
    assert!(page(usize::MAX, usize::MAX).hits.is_empty());
}

#[test]
fn notes_say_why() {
    for (query, message, about) in [
        ("", "type words, formulas such as", ""),
        ("?!", "type words, formulas such as", ""),
        ("qqqqqqqq", "no post has the word qqqqqqqq", "qqqqqqqq"),
        ("group tag:calculus", "without this, there would be results", "tag:calculus"),
        ("tag:nothing", "no post is like this", "tag:nothing"),
        ("square \"square group\"", "without this, there would be results", "square group"),
        ("tga:calculus group", "did you mean tag:?", "tga:"),
    ] {
        let results = search(query);
        let note = results.notes.iter().find(|note| note.message.contains(message));
        let note = note.unwrap_or_else(|| panic!("{query}: {:?}", results.notes));
        assert_eq!(query.get(note.span.clone()), Some(about), "{query}");
    }
}

#[test]
fn mistyped_words_are_corrected() {
    for (query, typed, meant) in [
        ("inequalty", "inequalty", "inequality"),
        ("gruop", "gruop", "group"),
        ("the Gruop", "Gruop", "group"),
    ] {
        let results = search(query);
        let corrections: Vec<(&str, &str)> = results
            .corrections
            .iter()
            .map(|correction| (&query[correction.span.clone()], correction.meant.as_str()))
            .collect();
        assert_eq!(corrections, [(typed, meant)]);
        assert_eq!(ids(&results), ids(&search(meant)), "{query}");
    }
    for query in ["+gruop", "\"gruop\"", "-gruop square", "group", "$gruop$", "qqqqqqqq"] {
        assert_eq!(search(query).corrections, [], "{query}");
    }
    let options = SearchOptions { understanding: Understanding::Literal, ..SearchOptions::default() };
    let results = SMALL.engine.search(&Typed::read("gruop"), &options).unwrap();
    assert!(results.hits.is_empty() && results.corrections.is_empty());
    assert!(
        results.notes.iter().any(|note| note.message.ends_with("did you mean group?")),
        "{:?}",
        results.notes
    );
}

#[test]
fn long_texts_are_cut_around_what_was_found() {
    let filler = "lorem ipsum dolor sit amet ".repeat(40);
    let body = format!("{filler} here the torsion of $E$ matters {filler}");
    let line = format!("{{\"kind\":\"document\",\"id\":1,\"title\":\"Long\",\"body\":\"{body}\"}}\n");
    let long = Collection::of("people-long", &line);
    let results = long.engine.search(&Typed::read("torsion $E$"), &SearchOptions::default()).unwrap();
    let snippet = &results.hits[0].snippet;
    assert_eq!(marked_words(snippet), ["torsion"]);
    assert_eq!((snippet.before, snippet.after), (Rest::Cut, Rest::Cut));
    assert!(snippet.text.contains("the torsion of $E$ matters"), "{}", snippet.text);
    assert!(snippet.text.split(' ').count() < 40, "{}", snippet.text);
    assert_eq!(&snippet.text[snippet.formulas[0].span.clone()], "$E$");
    assert_eq!(snippet.formulas[0].like, Some(0));
}

fn spans_fit(marked: &Marked) -> bool {
    let fits = |range: &std::ops::Range<usize>| marked.text.get(range.clone()).is_some();
    marked.words.iter().all(fits) && marked.formulas.iter().all(|formula| fits(&formula.span))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_query_is_answered(query in r#"([ -~]|[+"$?:-]|is:|tag:|real|square|x\^2|[À-ῼ]){0,40}"#) {
        let results = search(&query);
        for hit in &results.hits {
            prop_assert!(spans_fit(&hit.title) && spans_fit(&hit.snippet));
        }
        prop_assert!(!results.hits.is_empty() || !results.notes.is_empty(), "{query:?}");
    }
}

#[test]
fn hostile_queries_are_answered() {
    for query in ["(", "^", "$", "\"", "+", "-", "x^", "\\frac{", "{", "a_", "?x", "tag:", "$x$ ", "é"] {
        search(&query.repeat(5_000));
    }
}
