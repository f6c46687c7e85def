//! Indexes that a program makes, from many threads, with odd ids and texts.

#![allow(clippy::unwrap_used, reason = "a test that fails is what unwrap is for here")]

use hypatia::{Document, Error, Index, Kind, Markup, Source};
use testkit::TempDir;

fn shared(_: impl Send + Sync + Clone + 'static) {}

#[test]
fn names_may_look_like_numbers() {
    let folder = TempDir::new("library-ids");
    let path = folder.path().join("i");
    let ids = ["1", "007", "name", "a/b c", "é", "\"quoted\"", "18446744073709551616"];
    let index =
        Index::build(&path, ids.map(|id| Document::new(id, "Title", format!("word $x$ {id}")))).unwrap();
    assert_eq!(index.num_posts() as usize, ids.len());
    for id in ids {
        assert_eq!(index.post(id).unwrap().unwrap().body, format!("word $x$ {id}"));
    }
    assert_eq!(index.post("7").unwrap(), None);
    assert_eq!(index.thread("8").unwrap(), None);
    let changed = index.change([Document::new("007", "Other", "new")], &["name".to_owned()]).unwrap();
    assert_eq!(changed.num_posts() as usize, ids.len() - 1);
    assert_eq!(changed.post("007").unwrap().unwrap().title, "Other");
    assert_eq!(index.post("007").unwrap().unwrap().title, "Title");
    assert_eq!(Index::open(&path).unwrap().num_posts(), changed.num_posts());
    shared(index);
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["i"]);
}

#[test]
fn all_markups_and_facts() {
    let folder = TempDir::new("library-markups");
    let documents = [
        Document {
            kind: Kind::Question,
            markup: Markup::Html,
            tags: vec!["a-tag".into()],
            votes: Some(-3),
            date: Some("2014-03-02T09:15:00".into()),
            ..Document::new("q", "<i>Title</i> $a$", "<p>One $b$</p><script>bad()</script><p>two</p>")
        },
        Document {
            kind: Kind::Answer { to: "q".into() },
            markup: Markup::Latex,
            ..Document::new("l", "", "\\emph{Yes}: \\[c\\]")
        },
        Document {
            kind: Kind::Answer { to: "q".into() },
            markup: Markup::Text,
            ..Document::new("t", "", "*no* $d$")
        },
        Document::new("empty", "", ""),
    ];
    let index = Index::build(folder.path().join("i"), documents).unwrap();
    let thread = index.thread("t").unwrap().unwrap();
    let first = &thread.first;
    assert_eq!((first.title.as_str(), first.body.as_str()), ("Title $a$", "One $b$\ntwo"));
    assert_eq!(
        (first.votes, first.date.unwrap().to_string().as_str()),
        (Some(-3), "2014-03-02T09:15:00.000")
    );
    assert_eq!(first.tags, ["a-tag"]);
    assert_eq!(first.formulas.iter().map(|(latex, _)| latex.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let answers: Vec<_> = thread
        .answers
        .iter()
        .map(|post| (post.id.as_str(), post.body.as_str(), post.question_id.as_deref()))
        .collect();
    assert_eq!(answers, [("l", "Yes: $c$", Some("q")), ("t", "*no* $d$", Some("q"))]);
    assert_eq!(index.search("is:question tag:a-tag score:-3 year:2014").unwrap().hits[0].id, "q");
}

#[test]
fn many_threads_search_one_index() {
    let folder = TempDir::new("library-threads");
    let documents = (0..50).map(|number| {
        Document::new(format!("d{number}"), format!("Number {number}"), format!("$x^{{{number}}}$ power"))
    });
    let index = Index::build(folder.path().join("i"), documents).unwrap();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let index = index.clone();
            scope.spawn(move || {
                let results = index.search(&format!("$x^{{{number}}}$")).unwrap();
                assert_eq!(results.hits[0].id, format!("d{number}"));
            });
        }
    });
}

#[test]
fn errors_are_told() {
    let folder = TempDir::new("library-errors");
    let path = folder.path().join("none");
    assert!(matches!(Index::open(&path), Err(Error::Index(_))));
    let nothing: [Document; 0] = [];
    let empty = Index::build(&path, nothing).unwrap();
    assert!(empty.num_posts() == 0 && empty.search("anything $x^2$").unwrap().hits.is_empty());
    assert!(matches!(
        Index::build_from(&path, Source::Files(&folder.path().join("absent"))),
        Err(Error::Build(_))
    ));
    let index = Index::build(&path, [Document::new("1", "a", "b")]).unwrap();
    assert!(matches!(index.ask_with("no-such", &hypatia::Question::default(), 1), Err(Error::System(_))));
    let question = hypatia::Question { title: "a".into(), ..hypatia::Question::default() };
    let error = index.ask_with("mathdowsers-proximity", &question, 1).unwrap_err();
    assert!(error.to_string().contains("has no tuples"), "{error}");
}

#[test]
fn files_become_an_index() {
    let folder = TempDir::new("library-files");
    let file = folder.write("posts.jsonl", "{\"id\":1,\"title\":\"Limits\",\"body\":\"$\\\\lim x$\"}\n");
    let index = Index::build_from(folder.path().join("i"), Source::Files(&file)).unwrap();
    assert_eq!(index.search("limits").unwrap().hits[0].id, "1");
    let collection = index.engine().index().sources()[0].collection.path().to_owned();
    let again = Index::build_from(folder.path().join("j"), Source::Collection(&collection)).unwrap();
    assert_eq!(again.num_posts(), 1);
}
