//! Systems that answer, over a small forum and over the sample.

#![allow(clippy::unwrap_used, reason = "a test that fails is what unwrap is for here")]

use answer::{Answer, Error, Kind, LONGEST_ANSWER, Maker, SYSTEMS, System, Writer};
use generate::{Completion, Continue, Ended, Event, Generator, Prompt, Request};
use index::{FeatureKind, Options, Unwatched};
use ingest::{Plan, Strictness};
use retrieve::people::Question;
use retrieve::{Asked, Engine, Query};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

/// A made-up forum. The text of answer 3 is too long to be given as a whole.
fn posts() -> String {
    let filler = "This sentence says nothing about it at all and is only here to be long enough. ".repeat(20);
    let long = format!(
        "{filler}A square root of two that is a fraction would be $\\\\sqrt2=p/q$ in lowest terms. Then\\n$$p^2=2q^2$$\\nso \
         that both are even. {filler}"
    );
    format!(
        r#"{{"kind":"question","id":1,"title":"Is $\\sqrt2$ irrational?","body":"I want a proof that the square root of two is no fraction.","tags":["number-theory"]}}
{{"kind":"answer","id":2,"parent":1,"body":"Suppose $\\sqrt2=p/q$ is a fraction. Then $p^2=2q^2$, and both are even.","score":5}}
{{"kind":"answer","id":3,"parent":1,"body":"{long}","score":9}}
{{"kind":"question","id":4,"title":"What is a Hermitian matrix?","body":"I know what a matrix is.","tags":["linear-algebra"]}}
{{"kind":"answer","id":5,"parent":4,"body":"One that equals its own conjugate transpose.","score":2}}
{{"kind":"answer","id":6,"parent":4,"body":"Look it up. A Hermitian matrix satisfies $A=A^*$.","score":3}}
{{"kind":"question","id":7,"title":"Cubes","body":"What is the sum of the first cubes?","tags":["sums"]}}
"#
    )
}

fn engine(folder: &TempDir, plan: &Plan) -> Engine {
    let path = folder.path().join("collection");
    let done = AtomicU64::new(0);
    ingest::build(plan, &path, Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    Engine::new(index::build(&path, &folder.path().join("index"), &options, &Unwatched).unwrap())
}

fn forum(name: &str) -> (TempDir, Engine) {
    let folder = TempDir::new(name);
    let source = folder.write("posts.jsonl", posts());
    let engine = engine(&folder, &Plan::of(&source).unwrap());
    (folder, engine)
}

fn asked(title: &str) -> Query {
    Question { title: title.to_owned(), ..Question::default() }.query()
}

fn ask(engine: &Engine, system: &str, title: &str) -> Option<Answer> {
    let maker = Maker::named(system).unwrap();
    maker.answer(engine, &Asked::answers(&asked(title)), None, &mut |_| Continue::Yes).unwrap()
}

/// A system that takes candidates from bm25 and cuts in some way.
fn system(how: &str) -> Maker {
    let file = format!(
        "name = \"x\"\ntask = 3\nabout = \"x\"\n[candidates]\nsystem = \"bm25\"\ndepth = 10\n[extract]\n{how}\n"
    );
    Maker::new(System::read(&file, "x").unwrap(), &retrieve::System::named, &BTreeMap::new()).unwrap()
}

fn cut(engine: &Engine, how: &str, title: &str) -> Answer {
    system(how).answer(engine, &Asked::answers(&asked(title)), None, &mut |_| Continue::Yes).unwrap().unwrap()
}

const ROOT: &str = "Proof that $\\sqrt2$ is irrational: no fraction $p/q$ has square two";

#[test]
fn the_first_that_fits_is_given_as_it_is() {
    let (_folder, engine) = forum("answer-whole");
    let answer = ask(&engine, "first-answer", ROOT).unwrap();
    assert_eq!(answer.text, "Suppose $\\sqrt2=p/q$ is a fraction. Then $p^2=2q^2$, and both are even.");
    assert_eq!((answer.kind, answer.whole, answer.source_ids().as_str()), (Kind::Extracted, true, "2"));
    let source = &answer.sources[0];
    assert_eq!((source.thread.as_str(), source.title.as_str()), ("1", "Is $\\sqrt2$ irrational?"));
    // With less room nothing that was found fits.
    let told = &mut |_: Event<'_>| Continue::Yes;
    let maker = system("how = \"whole\"\nlongest = 50");
    assert_eq!(maker.answer(&engine, &Asked::answers(&asked(ROOT)), None, told).unwrap(), None);
}

#[test]
fn a_passage_of_a_long_answer_keeps_what_belongs_together() {
    let (_folder, engine) = forum("answer-passage");
    let file = "name = \"x\"\ntask = 3\nabout = \"x\"\nrank = { votes = 1 }\n[candidates]\nsystem = \"bm25\"\ndepth = 10\n\
                [extract]\nhow = \"passage\"\nlongest = 300\n";
    let maker =
        Maker::new(System::read(file, "x").unwrap(), &retrieve::System::named, &BTreeMap::new()).unwrap();
    let answer =
        maker.answer(&engine, &Asked::answers(&asked(ROOT)), None, &mut |_| Continue::Yes).unwrap().unwrap();
    assert_eq!((answer.whole, answer.source_ids().as_str()), (false, "3"));
    assert!(answer.text.contains("in lowest terms.\u{20}Then"), "{}", answer.text);
    assert!(
        answer.text.contains("\n$$p^2=2q^2$$\n") && answer.text.contains("both are even."),
        "{}",
        answer.text
    );
    assert!(answer.text.chars().count() <= 300 && post::is_balanced(&answer.text));
}

#[test]
fn the_answer_with_the_best_sentence_is_taken() {
    let (_folder, engine) = forum("answer-sentences");
    let title = "When is $A=A^*$ for a Hermitian matrix?";
    let answer = cut(&engine, "how = \"sentences\"\nposts = 5", title);
    assert_eq!(answer.text, "Look it up. A Hermitian matrix satisfies $A=A^*$.");
    let answer = cut(&engine, "how = \"sentences\"\nposts = 5\nlongest = 40", title);
    assert_eq!((answer.text.as_str(), answer.whole), ("A Hermitian matrix satisfies $A=A^*$.", false));
}

#[test]
fn answers_of_similar_questions_are_found_by_the_question() {
    let (_folder, engine) = forum("answer-questions");
    let answer = ask(&engine, "dprl-questions", "Define a matrix that is Hermitian").unwrap();
    assert_eq!(answer.source_ids(), "6");
}

#[test]
fn an_answer_says_whether_it_is_about_the_same_thing() {
    let (_folder, engine) = forum("answer-fit");
    let fit = |title: &str| {
        let answer = ask(&engine, "first-answer", title).unwrap();
        (answer.source_ids(), answer.fit.unwrap(), answer.is_close())
    };
    // Words count whether the question has them or the answer.
    assert_eq!(fit("Which matrix equals its conjugate transpose?"), ("5".to_owned(), 1.0, true));
    let (_, of_other, close) = fit("Which zebra crosses the matrix tonight?");
    assert!(of_other < 0.5 && !close, "{of_other}");
    // A formula counts as a word does, by how alike the best one is.
    let (_, same, _) = fit("Hermitian matrix $A=A^*$");
    let (_, other, _) = fit("Hermitian matrix $\\int_0^1 f(t)\\,dt=0$");
    assert!(same > 0.9 && other < same - 0.2, "{same} {other}");
}

#[test]
fn what_nothing_is_known_of_has_no_answer() {
    let (_folder, engine) = forum("answer-none");
    for (name, _) in SYSTEMS.iter().filter(|(name, _)| !System::named(name).unwrap().is_generative()) {
        assert_eq!(ask(&engine, name, "zebra"), None, "{name}");
        assert_eq!(ask(&engine, name, ""), None, "{name}");
    }
}

/// A model that writes down what it is asked.
#[derive(Default)]
struct Scribe {
    says: &'static str,
    asked: Mutex<Vec<Request>>,
}

impl Generator for Scribe {
    fn name(&self) -> String {
        "scribe".to_owned()
    }

    fn generate(
        &self,
        request: &Request,
        told: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, generate::Error> {
        self.asked.lock().unwrap().push(request.clone());
        told(Event::Text(self.says));
        let text = self.says.to_owned();
        Ok(Completion::new(text, Ended::Itself))
    }
}

#[test]
fn the_labs_prompt_asks_as_the_labs_did() {
    let (_folder, engine) = forum("answer-labs");
    let scribe = Scribe { says: " A matrix is Hermitian if $A=A^*$.", ..Scribe::default() };
    let maker = Maker::named("labs-prompt").unwrap();
    let query = asked("What is a Hermitian matrix?");
    let mut told = String::new();
    let mut listen = |event: Event<'_>| {
        if let Event::Text(text) = event {
            told.push_str(text);
        }
        Continue::Yes
    };
    let writer = Writer::new(&scribe, 3);
    let answer = maker.answer(&engine, &Asked::answers(&query), Some(&writer), &mut listen).unwrap().unwrap();
    assert_eq!((answer.text.as_str(), answer.kind), ("A matrix is Hermitian if $A=A^*$.", Kind::Generated));
    assert_eq!((answer.model.as_deref(), answer.sources.len(), answer.tries), (Some("scribe"), 0, 1));
    assert_eq!(told, scribe.says);
    let requests = scribe.asked.into_inner().unwrap();
    assert_eq!(requests[0].prompt, Prompt::Text("Q: What is a Hermitian matrix?\n\nA:".to_owned()));
    assert_eq!((requests[0].temperature, requests[0].max_tokens, requests[0].seed), (0.7, 570, 3));
    let error = maker.answer(&engine, &Asked::answers(&query), None, &mut |_| Continue::Yes).unwrap_err();
    assert!(matches!(error, Error::NoModel(_)), "{error}");
}

#[test]
fn sources_that_are_cited_are_named() {
    let (_folder, engine) = forum("answer-cited");
    let maker = Maker::named("hypatia-sources").unwrap();
    let query = asked("What is a Hermitian matrix?");
    let ids = |says: &'static str| {
        let scribe = Scribe { says, ..Scribe::default() };
        let writer = Writer::new(&scribe, 1);
        let answer = maker
            .answer(&engine, &Asked::answers(&query), Some(&writer), &mut |_| Continue::Yes)
            .unwrap()
            .unwrap();
        let Prompt::Chat(messages) = scribe.asked.into_inner().unwrap().remove(0).prompt else { panic!() };
        let ids: Vec<String> = answer.sources.into_iter().map(|source| source.id).collect();
        (ids, answer.cited, messages[1].content.clone())
    };
    let (all, none_cited, prompt) = ids("It is one that is $A=A^*$.");
    assert!(all.contains(&"5".to_owned()) && all.contains(&"6".to_owned()), "{all:?}");
    assert!(prompt.starts_with("[1] What is a Hermitian matrix?\n"), "{prompt}");
    assert!(!none_cited);
    let (cited, is_cited, _) = ids("It is one that is $A=A^*$ [2].");
    assert_eq!((cited, is_cited), (vec![all[1].clone()], true));
}

#[test]
fn every_answer_to_the_topics_of_the_sample_is_valid() {
    let folder = TempDir::new("answer-sample");
    let engine = engine(&folder, &sample::plan().unwrap());
    let topics = sample::question_topics();
    let mut answered = BTreeMap::new();
    for (name, _) in SYSTEMS.iter().filter(|(name, _)| !System::named(name).unwrap().is_generative()) {
        let maker = Maker::named(name).unwrap();
        for topic in &topics {
            let query = Query::of_topic(topic);
            let told = &mut |_: Event<'_>| Continue::Yes;
            let Some(answer) = maker
                .answer(&engine, &Asked::answers(&query).for_topic(topic.id.as_str()), None, told)
                .unwrap()
            else {
                continue;
            };
            *answered.entry(*name).or_insert(0) += 1;
            let length = answer.text.chars().count();
            assert!((1..=LONGEST_ANSWER).contains(&length), "{name} {}", topic.id);
            assert!(
                post::is_balanced(&answer.text) && post::is_balanced(&answer.line()),
                "{name} {}",
                topic.id
            );
            assert_eq!(answer.sources.len(), 1, "{name} {}", topic.id);
            let again = maker
                .answer(&engine, &Asked::answers(&query).for_topic(topic.id.as_str()), None, told)
                .unwrap();
            assert_eq!(again.as_ref(), Some(&answer), "{name} {}", topic.id);
        }
    }
    assert_eq!(answered.values().copied().collect::<Vec<usize>>(), [topics.len(); 4], "{answered:?}");
}
