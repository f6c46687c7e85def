//! What is shown is what was asked for, harmless, and what is missing is told.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use super::*;
use ingest::files::Input;
use ingest::{Plan, Strictness, Unwatched};
use lab::{Context, NewFiles, NewSet, Rules, Scale};
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"<p>For real $x$ <script>alert(1)</script><img src=x onerror=alert(2)> the <a href=\"javascript:alert(3)\">square</a> of $x$ is <a href=\"https://example.org/\">never</a> negative.</p>","tags":["algebra"],"score":4}
{"kind":"answer","id":2,"parent":1,"body":"Yes: \\[x^2=x\\cdot x\\] by <a href=\"/questions/1\">this</a>.","score":99}
{"kind":"answer","id":3,"parent":1,"body":"$x^2$, $x^2$ and $x^2$ again."}
{"kind":"comment","id":9,"post":2,"body":"Even for $x=0$."}
"#;
const QUESTIONS: &str = "<Topics><Topic number=\"A.1\">\
    <Title>A &lt;b onmouseover=\"x()\"&gt;bold&lt;/b&gt; $y$&lt;script&gt;evil()&lt;/script&gt;</Title>\
    <Question>&lt;p style=\"x\"&gt;Why is $$y&lt;1$$ so?&lt;/p&gt;&lt;iframe src=x&gt;&lt;/iframe&gt;\
    &lt;a href=\"https://elsewhere.org/\"&gt;there&lt;/a&gt; and &lt;a href=\"https://math.stackexchange.com/questions/1\"&gt;here&lt;/a&gt;</Question>\
    <Tags>alg&lt;i&gt;,b</Tags></Topic></Topics>";
const FORMULAS: &str = "<Topics><Topic number=\"B.1\"><Formula_Id>q_2</Formula_Id><Latex>z</Latex>\
    <Title>Title with &lt;span class=\"math-container\" id=\"q_1\"&gt;$z$&lt;/span&gt;</Title>\
    <Question>Body with &lt;span class=\"math-container\" id=\"q_2\"&gt;$z$&lt;/span&gt; and \
    &lt;span class=\"math-container\" id=\"q_3\"&gt;$z$&lt;/span&gt;.</Question><Tags>a</Tags></Topic>\
    <Topic number=\"B.2\"><Formula_Id>q_9</Formula_Id><Latex>w</Latex><Title>Only</Title>\
    <Question>Here is $w$ and $v$.</Question><Tags>a</Tags></Topic></Topics>";

fn manifest(context: Context) -> Manifest {
    Manifest { context, ..Manifest::new("shown", Rules::Arqmath, &[1, 2, 3]) }
}

fn material(name: &str, context: Context, with: Option<&'static str>) -> (TempDir, Material) {
    let dir = TempDir::new(name);
    let topics = |file: &str, text: &str| NewFiles { topics: dir.write(file, text), ..NewFiles::default() };
    let sets = [NewSet {
        name: "now".to_owned(),
        questions: Some(topics("questions.xml", QUESTIONS)),
        formulas: Some(topics("formulas.xml", FORMULAS)),
    }];
    let path = dir.path().join("posts.coll");
    if let Some(posts) = with {
        let plan = Plan::new(vec![Input::text("posts.jsonl", posts)], "posts").unwrap();
        let plan = plan.of_site("math.stackexchange.com");
        ingest::build(&plan, &path, Strictness::Lenient, &AtomicU64::new(0), &mut Unwatched).unwrap();
    }
    let lab =
        Lab::create(&dir.path().join("lab"), manifest(context), with.map(|_| path.as_path()), &sets).unwrap();
    (dir, Material::open(&lab).unwrap())
}

/// Nothing that runs, loads, styles or leads out of the collection.
fn harmless(html: &str) {
    for forbidden in
        ["<script", "onerror", "onmouseover", "<img", "<iframe", "javascript:", " style=", "href=\"http"]
    {
        assert!(!html.contains(forbidden), "{forbidden} in {html}");
    }
}

#[test]
fn questions_are_drawn_and_harmless() {
    let (_dir, material) = material("material-question", Context::Post, Some(POSTS));
    let question = material.question("now", PoolKind::Answers, "A.1");
    let (title, body) = (question.title.clone().unwrap().to_string(), question.body.to_string());
    harmless(&title);
    harmless(&body);
    assert!(title.starts_with("A <b>bold</b> <span class=\"math-container\""), "{title}");
    assert!(body.contains("<span class=\"math-container block\" title=\"y&lt;1\"><math"), "{body}");
    assert!(body.contains("<span class=\"outside\" title=\"https://elsewhere.org/\">there</span>"), "{body}");
    assert!(
        body.contains("<a target=\"_blank\" rel=\"noopener\" href=\"/thread/1#post-1\">here</a>"),
        "{body}"
    );
    assert!(!body.contains(" hit\""), "{body}");
    assert_eq!(question.tags, ["alg<i>", "b"]);
    assert_eq!(question.trouble, None);
}

#[test]
fn the_formula_that_is_looked_for_is_set_off() {
    let (_dir, material) = material("material-query", Context::Post, Some(POSTS));
    let question = material.question("now", PoolKind::Formulas, "B.1");
    let body = question.body.as_str();
    assert!(!question.title.as_ref().unwrap().as_str().contains(" hit\""));
    assert_eq!(body.matches(" hit\"").count(), 1, "{body}");
    assert!(body.starts_with("Body with <span class=\"math-container hit\""), "{body}");
    assert_eq!(question.formulas.len(), 1);
    assert!(question.formulas[0].as_str().contains("<mi>z</mi>"), "{:?}", question.formulas);
    // Without ids in the text, the one that is written the same.
    let plain = material.question("now", PoolKind::Formulas, "B.2");
    assert_eq!(plain.body.as_str().matches(" hit\"").count(), 1, "{:?}", plain.body);
}

#[test]
fn missing_topics_are_told() {
    let (_dir, material) = material("material-topics", Context::Post, None);
    for (set, topic) in [("now", "A.77"), ("never", "A.1")] {
        let question = material.question(set, PoolKind::Answers, topic);
        assert!(question.trouble.as_ref().is_some_and(|told| told.contains(set)), "{question:?}");
        assert!(question.body.is_empty());
    }
}

#[test]
fn posts_are_drawn_without_what_others_think_of_them() {
    let (_dir, material) = material("material-post", Context::Post, Some(POSTS));
    let post = material.piece(Wanted::Post("1".to_owned()));
    harmless(post.body.as_str());
    assert_eq!(post.heading, "Question");
    assert_eq!(post.thread.as_deref(), Some("/thread/1#post-1"));
    let answer = material.piece(Wanted::Post("2".to_owned()));
    assert!(!answer.body.as_str().contains("99"), "{:?}", answer.body);
    assert!(!answer.body.as_str().contains("Even for"), "{:?}", answer.body);
    // The same again comes from the shelf.
    assert!(Arc::ptr_eq(&answer, &material.piece(Wanted::Post("2".to_owned()))));
}

#[test]
fn one_instance_of_three_is_set_off() {
    let (_dir, material) = material("material-instance", Context::Post, Some(POSTS));
    let collection = material.collection().unwrap();
    let post = collection.find_post("3").unwrap();
    let ids: Vec<String> =
        collection.formulas_of_post(post).map(|k| collection.formula_id(FormulaNo(k)).to_string()).collect();
    assert_eq!(ids.len(), 3);
    for (place, id) in ids.iter().enumerate() {
        let wanted = Wanted::Instance { formula: id.clone(), post: Some("3".to_owned()) };
        let piece = material.piece(wanted);
        let body = piece.body.as_str();
        assert_eq!(body.matches(" hit\"").count(), 1, "{body}");
        let hit = body.find(" hit\"").unwrap();
        assert_eq!(body[..hit].matches("math-container").count(), place + 1, "{body}");
        assert!(piece.formula.as_ref().unwrap().as_str().contains("<math"));
        assert_eq!(piece.thread, Some(format!("/thread/3?formula={id}#post-3")));
        assert_eq!(piece.trouble, None);
    }
}

#[test]
fn a_formula_alone() {
    let (_dir, material) = material("material-alone", Context::Formula, Some(POSTS));
    let id = {
        let collection = material.collection().unwrap();
        let post = collection.find_post("3").unwrap();
        collection.formula_id(FormulaNo(collection.formulas_of_post(post).start)).to_string()
    };
    let piece = material.piece(Wanted::Instance { formula: id, post: None });
    assert!(piece.formula.as_ref().unwrap().as_str().contains("<math"), "{piece:?}");
    assert!(piece.body.is_empty() && piece.thread.is_none() && piece.trouble.is_none(), "{piece:?}");
}

#[test]
fn what_is_not_there_is_told() {
    let formula =
        |post: Option<&str>| Wanted::Instance { formula: "777".to_owned(), post: post.map(str::to_owned) };
    let missing = [
        Wanted::Post("88".to_owned()),
        Wanted::Post("../../etc/passwd".to_owned()),
        formula(None),
        formula(Some("3")),
        Wanted::Written { id: "A.1_x".to_owned(), text: None },
    ];
    for (name, posts) in [("material-missing", Some(POSTS)), ("material-none", None)] {
        let (_dir, material) = material(name, Context::Post, posts);
        for wanted in &missing {
            let piece = material.piece(wanted.clone());
            assert!(piece.trouble.is_some() && piece.body.is_empty() && piece.thread.is_none(), "{piece:?}");
        }
    }
}

#[test]
fn written_answers_are_text_and_formulas() {
    let (_dir, material) = material("material-written", Context::Post, None);
    let text = "Since <b>$x<1$</b> & so:\nnext line\n\n$$y^2$$ <script>alert(1)</script> costs 5\\$.";
    let piece = material.piece(Wanted::Written { id: "a".to_owned(), text: Some(text.to_owned()) });
    let body = piece.body.as_str();
    assert!(
        body.starts_with("<p>Since &lt;b&gt;<span class=\"math-container\" title=\"x&lt;1\"><math"),
        "{body}"
    );
    assert!(body.contains("</span>&lt;/b&gt; &amp; so:<br>"), "{body}");
    assert!(body.contains("<span class=\"math-container block\" title=\"y^2\"><math"), "{body}");
    assert!(body.contains("&lt;script&gt;alert(1)&lt;/script&gt; costs 5$."), "{body}");
}

#[test]
fn threads_are_found_by_any_of_their_posts() {
    let (_dir, material) = material("material-thread", Context::Post, Some(POSTS));
    let thread = |post: &str| material.thread(post, std::iter::empty(), std::iter::empty()).unwrap();
    let found = thread("2").unwrap();
    harmless(&found.content);
    assert!(
        found.content.contains("id=\"post-1\"") && found.content.contains("Even for"),
        "{}",
        found.content
    );
    assert!(!found.content.contains("/formula/") && !found.content.contains("/search"), "{}", found.content);
    assert_eq!(thread("99"), None);
    assert_eq!(thread("../1"), None);
}

/// A lab with a topic of NTCIR and the thread of the topic in a collection of its own.
fn with_topic_threads(name: &str) -> (TempDir, Lab, Material) {
    let dir = TempDir::new(name);
    let build = |file: &str, posts: &'static str| {
        let path = dir.path().join(file);
        let plan = Plan::new(vec![Input::text("posts.jsonl", posts)], "posts").unwrap();
        ingest::build(&plan, &path, Strictness::Lenient, &AtomicU64::new(0), &mut Unwatched).unwrap();
        path
    };
    let later = r#"{"kind":"question","id":77,"title":"Is $z$ so?","body":"The question.","tags":["late"]}
{"kind":"answer","id":78,"parent":77,"body":"Posted later."}
"#;
    let (posts, threads) = (build("posts.coll", POSTS), build("later.coll", later));
    let topics = "<topics><topic><num>77</num><query><formula id=\"f.0\">z</formula></query>\
                  <scenario>A student &lt;b&gt; searches.</scenario><relevance>Only z is R.</relevance></topic></topics>";
    let files = NewFiles { topics: dir.write("topics.xml", topics), ..NewFiles::default() };
    let sets = [NewSet { name: "now".to_owned(), questions: None, formulas: Some(files) }];
    let manifest = Manifest {
        tasks: vec![2],
        grades: Scale::Arqmath.grades(2),
        topic_threads: Some(lab::CollectionFile { path: threads, fingerprint: String::new() }),
        answers: lab::AnswerScoring::default(),
        assessor_groups: Vec::new(),
        ..manifest(Context::Post)
    };
    let lab = Lab::create(&dir.path().join("lab"), manifest, Some(&posts), &sets).unwrap();
    let material = Material::open(&lab).unwrap();
    (dir, lab, material)
}

/// ARQMath's topics are called A.1 and name no post.
#[test]
fn the_thread_of_a_topic_is_found_by_its_title_unless_two_have_it() {
    let dir = TempDir::new("material-topic-titles");
    let posts = r#"{"kind":"question","id":77,"title":"Is  $z^2$ even?","body":"One.","tags":[]}
{"kind":"question","id":78,"title":"Why?","body":"Two.","tags":[]}
{"kind":"question","id":79,"title":"Why?","body":"Three.","tags":[]}
"#;
    let path = dir.path().join("threads.coll");
    let plan = Plan::new(vec![Input::text("posts.jsonl", posts)], "posts").unwrap();
    ingest::build(&plan, &path, Strictness::Lenient, &AtomicU64::new(0), &mut Unwatched).unwrap();
    let threads = super::topic_threads::TopicThreads::new(store::Collection::open(&path).unwrap());
    let found = |title: &str| {
        let title = Some(formats::Html::new(title));
        let topic = formats::Topic { title, ..formats::Topic::new("A.1") };
        threads.find(&topic).map(|post| threads.collection.post_id(post).to_string())
    };
    let title = "Is <span class=\"math-container\" id=\"q_1\">$z^2$</span> even?";
    assert_eq!(found(title).as_deref(), Some("77"));
    assert_eq!(found("Is $z^3$ even?"), None);
    assert_eq!(found("Why?"), None, "two questions have this title");
    assert_eq!(found(""), None);
}

#[test]
fn scenario_and_judgment_criteria_of_a_topic_are_shown() {
    let (_dir, _lab, material) = with_topic_threads("material-scenario");
    let html = material.question("now", PoolKind::Formulas, "77").html();
    assert!(html.as_str().contains("<b>Scenario.</b> A student &#60;b&#62; searches."), "{html:?}");
    assert!(html.as_str().contains("<b>Judgment criteria.</b> Only z is R."), "{html:?}");
}

#[test]
fn the_thread_of_a_topic_is_shown_and_never_searched() {
    let (_dir, lab, material) = with_topic_threads("material-topic-thread");
    let question = material.question("now", PoolKind::Formulas, "77");
    assert_eq!(question.thread.as_deref(), Some("/topic-thread/77#post-77"));
    let thread = material.topic_thread("77").unwrap().unwrap();
    harmless(&thread.content);
    assert!(
        thread.content.contains("Posted later.") && thread.content.contains("late"),
        "{}",
        thread.content
    );
    // Neither the searched collection nor its threads know the post, and no run may return it.
    assert_eq!(material.thread("77", std::iter::empty(), std::iter::empty()).unwrap(), None);
    assert!(lab.known().unwrap().collection().unwrap().find_post("78").is_none());
    assert!(material.topic_thread("1").unwrap().is_none());
    let toml = std::fs::read_to_string(lab.path("lab.toml")).unwrap();
    assert!(toml.contains("[topic_threads]\npath = \"../later.coll\""), "{toml}");
}
