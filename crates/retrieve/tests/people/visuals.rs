//! Formulas as results.

use super::{Collection, SMALL};
use index::{Change, Index};
use ingest::{Plan, Strictness};
use retrieve::people::{Containment, FormulaResults, FoundVisual, SearchOptions, Total};
use retrieve::typed::Typed;
use retrieve::{Deadline, Engine};
use std::sync::LazyLock;
use std::sync::atomic::AtomicU64;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"About $x^2$","body":"We know $x^2$, written $x^{2}$ or $x^ 2$. Also $x^2+1$ and $y^2$.","tags":["squares"],"score":1,"date":"2014-01-01"}
{"kind":"answer","id":2,"parent":1,"body":"First some words that lead to the point, which is far away from the beginning of this answer, so that all of it is never shown: here and nowhere else we have $x^2$ as it was said, and then many more words follow that nobody will read, since they are only here to be left out by the window.","score":5,"date":"2014-01-02"}
{"kind":"answer","id":3,"parent":1,"body":"$\\frac{x^2+1}{2}$ and $\\sqrt{\\frac{x^2+1}{2}}$ and $x+1$","score":5,"date":"2014-01-03"}
{"kind":"question","id":10,"title":"Ten","body":"$x^2$ again","score":5,"date":"2014-01-02","tags":["other"]}
{"kind":"question","id":4,"title":"No votes","body":"$x^2$ and $x^2$, and only here $\\zeta(s)$"}
{"kind":"comment","id":100,"post":4,"text":"$x^2$ in a comment, and $q_7^3$"}
"#;

static FEW: LazyLock<Collection> = LazyLock::new(|| Collection::of("people-visuals", POSTS));

fn search(engine: &Engine, query: &str) -> FormulaResults {
    engine.search_formulas(&Typed::read(query), &SearchOptions::default()).unwrap()
}

fn visual_id(engine: &Engine, latex: &str) -> u64 {
    let results = search(engine, &format!("${latex}$"));
    assert!(results.hits[0].similarity > 0.99, "{latex}: {:?}", results.hits[0]);
    results.hits[0].visual_id
}

fn latexes(hits: &[FoundVisual]) -> Vec<&str> {
    hits.iter().map(|hit| hit.latex.as_str()).collect()
}

#[test]
fn a_formula_with_its_spellings() {
    let engine = &FEW.engine;
    let visual = engine.visual(visual_id(engine, "x^2"), &Deadline::NEVER).unwrap().unwrap();
    assert_eq!((visual.latex.as_str(), visual.posts, visual.instances), ("x^2", 4, 9));
    let spellings: Vec<_> = visual.spellings.iter().map(|one| (one.latex.as_str(), one.instances)).collect();
    assert_eq!(spellings, [("x^2", 7), ("x^ 2", 1), ("x^{2}", 1)]);
    assert_eq!(engine.visual(7_000, &Deadline::NEVER).unwrap(), None);
    assert!(engine.instances(7_000, 0, 10, &Deadline::NEVER).unwrap().instances.is_empty());
    assert!(engine.similar_formulas(7_000, 10, &Deadline::never()).unwrap().is_empty());
    assert!(engine.containing_formulas(7_000, 10, &Deadline::never()).unwrap().is_empty());
}

#[test]
fn instances_by_votes_then_date_then_id() {
    let engine = &FEW.engine;
    let id = visual_id(engine, "x^2");
    let all = engine.instances(id, 0, 10, &Deadline::NEVER).unwrap();
    let listed = |from: usize, to: usize| -> Vec<(String, usize, usize)> {
        let found = engine.instances(id, from, to, &Deadline::NEVER).unwrap();
        assert_eq!(found.total, 4);
        let instances = found.instances.into_iter();
        instances.map(|one| (one.post.id, one.post.rank, one.times)).collect()
    };
    let expected = [("2", 1, 1), ("10", 2, 1), ("1", 3, 4), ("4", 4, 2)];
    let expected: Vec<(String, usize, usize)> =
        expected.into_iter().map(|(id, rank, times)| (id.to_owned(), rank, times)).collect();
    assert_eq!(listed(0, 10), expected);
    assert_eq!(listed(1, 2), expected[1..3]);
    assert_eq!(listed(0, 1), expected[..1]);
    assert_eq!(listed(9, 9), []);
    let answer = &all.instances[0].post;
    assert!(answer.snippet.text.contains("we have $x^2$ as it was"), "{}", answer.snippet.text);
    assert!(!answer.snippet.text.contains("left out by the window"), "{}", answer.snippet.text);
    assert_eq!(answer.snippet.formulas[0].like, Some(0));
    assert_eq!(answer.title.text, "About $x^2$");
    assert_eq!(answer.title.formulas[0].like, Some(0));
    let question = &all.instances[2].post;
    let likes: Vec<_> = question.snippet.formulas.iter().map(|formula| formula.like).collect();
    assert_eq!(likes, [Some(0), Some(0), Some(0), None, None]);
}

#[test]
fn similar_and_containing() {
    let engine = &FEW.engine;
    let similar = engine.similar_formulas(visual_id(engine, "x^2"), 2, &Deadline::never()).unwrap();
    assert_eq!(similar[0].latex, "y^2");
    assert_eq!(similar.len(), 2);
    for (latex, expected) in [
        ("x^2", vec!["x^2+1", "\\frac{x^2+1}{2}", "\\sqrt{\\frac{x^2+1}{2}}"]),
        ("x^2+1", vec!["\\frac{x^2+1}{2}", "\\sqrt{\\frac{x^2+1}{2}}"]),
        ("\\zeta(s)", vec![]),
    ] {
        let containing =
            engine.containing_formulas(visual_id(engine, latex), 10, &Deadline::never()).unwrap();
        assert_eq!(latexes(&containing), expected, "{latex}");
        assert!(containing.iter().all(|hit| hit.containment == Containment::Whole));
    }
    let first = &engine.containing_formulas(visual_id(engine, "x^2"), 1, &Deadline::never()).unwrap()[0];
    assert_eq!((first.rank, first.posts, first.instances), (1, 1, 1));
    assert_eq!(first.example, Some(("1".to_owned(), "About $x^2$".to_owned())));
    assert!(first.spans.iter().all(|(span, _)| first.latex.get(span.clone()).is_some()));
}

#[test]
fn searches() {
    let check = |query: &str, first: &[&str]| {
        let results = search(&FEW.engine, query);
        let found = latexes(&results.hits);
        assert_eq!(&found[..first.len()], first, "{query}: {found:?}");
        results
    };
    let plain = check("$x^2$", &["x^2", "y^2"]);
    assert_eq!((plain.hits[0].posts, plain.hits[0].instances), (4, 9));
    assert_eq!(plain.hits[0].example, Some(("2".to_owned(), "About $x^2$".to_owned())));
    assert_eq!(plain.total, Total::Exactly(plain.hits.len()));
    check("$\\zeta(s)$ $x^2$", &["\\zeta(s)", "x^2"]);
    let both = search(&FEW.engine, "$\\zeta(s)$ $x^2$");
    assert_eq!((both.hits[0].query, both.hits[1].query), (0, 1));
    // Filters restrict through the posts, and the example is one that passes.
    let other = check("$x^2$ tag:other", &["x^2"]);
    assert_eq!((other.hits.len(), other.total), (1, Total::Exactly(1)));
    assert_eq!(other.hits[0].example, Some(("10".to_owned(), "Ten".to_owned())));
    assert_eq!(latexes(&check("$x^2$ score:1", &[]).hits), ["x^2", "y^2", "x^2+1"]);
    // Signs say what formulas must hold.
    assert_eq!(latexes(&check("+$x^2$ -$\\frac{?a}{?b}$", &[]).hits), ["x^2", "x^2+1"]);
    // Pages.
    let page = |offset| {
        let options = SearchOptions { offset, limit: 2, ..SearchOptions::default() };
        FEW.engine.search_formulas(&Typed::read("$x^2$"), &options).unwrap()
    };
    let paged: Vec<FoundVisual> = (0..4).flat_map(|number| page(2 * number).hits).collect();
    assert_eq!(paged, plain.hits);
    assert_eq!(page(0).total, plain.total);
}

#[test]
fn notes() {
    for (query, message, about) in [
        ("words only", "there is no formula to look for: write one as in $x^2+1$", ""),
        ("squares $x^2$", "formulas are listed: words do not count", "squares"),
        ("$x^2$ tag:nothing", "no formula is like this", ""),
    ] {
        let results = search(&SMALL.engine, query);
        let note = results.notes.last().unwrap();
        assert_eq!((note.message.as_str(), &query[note.span.clone()]), (message, about), "{query}");
    }
}

#[test]
fn what_stands_in_comments_only_is_in_no_post() {
    let path = FEW.engine.index().sources()[0].collection.path().to_owned();
    let collection = store::Collection::open(&path).unwrap();
    let mut reader = collection.reader();
    let form = collection.forms().find(|form| reader.latex(*form).unwrap() == "q_7^3").unwrap();
    let id = collection.visual_id(collection.form_visual(form));
    let visual = FEW.engine.visual(id, &Deadline::NEVER).unwrap().unwrap();
    assert_eq!((visual.latex.as_str(), visual.posts, visual.instances), ("q_7^3", 0, 1));
    assert_eq!(FEW.engine.instances(id, 0, 10, &Deadline::NEVER).unwrap().total, 0);
}

#[test]
fn what_was_deleted_or_added_is_gone_or_there() {
    let few = Collection::of("people-changed", POSTS);
    let (x2, zeta) = (visual_id(&few.engine, "x^2"), visual_id(&few.engine, "\\zeta(s)"));
    let more = r#"{"kind":"question","id":20,"title":"New","body":"$x^{2}$ and $\\cos(x^2)$"}"#;
    let source = few.folder.write("more.jsonl", more);
    let path = few.folder.path().join("more.coll");
    let done = AtomicU64::new(0);
    let plan = Plan::of(&source).unwrap();
    ingest::build(&plan, &path, Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
    let target = few.folder.path().join("index");
    let delete = ["4".to_owned()];
    index::change(&target, Change { add: Some(&path), delete: &delete }, &index::Unwatched).unwrap();
    let engine = Engine::new(Index::open(&target).unwrap());
    assert_eq!(engine.visual(zeta, &Deadline::NEVER).unwrap(), None);
    assert_eq!(engine.instances(zeta, 0, 5, &Deadline::NEVER).unwrap().total, 0);
    let visual = engine.visual(x2, &Deadline::NEVER).unwrap().unwrap();
    assert_eq!((visual.posts, visual.instances), (4, 7));
    let ids: Vec<String> = engine
        .instances(x2, 0, 9, &Deadline::NEVER)
        .unwrap()
        .instances
        .into_iter()
        .map(|one| one.post.id)
        .collect();
    assert_eq!(ids, ["2", "10", "1", "20"]);
    assert!(latexes(&engine.containing_formulas(x2, 9, &Deadline::never()).unwrap()).contains(&"\\cos(x^2)"));
    assert!(!latexes(&search(&engine, "$\\zeta(s)$").hits).contains(&"\\zeta(s)"));
}
