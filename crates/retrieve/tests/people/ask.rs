//! Questions in full.

use super::SMALL;
use proptest::prelude::*;
use retrieve::people::{Answers, LONGEST_QUESTION, Question};
use retrieve::{Deadline, Pipeline, System};
use std::collections::BTreeMap;

fn question(title: &str, body: &str, tags: &[&str]) -> Question {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    Question { title: title.to_owned(), body: body.to_owned(), tags }
}

const ANSWERS: &str = r#"
name = "answers"
task = 1
about = "Answers by words."
[posts]
returns = "answers"
[[posts.group]]
name = "words"
[[posts.group.part]]
terms = "words"
own = { body = 1 }
question = { title = 1 }
stem = "porter"
stop = "long"
model = { name = "bm25" }
"#;

const FUSION: &str = r#"
name = "both"
task = 1
about = "Two systems and a run."
[fusion]
method = { name = "rrf" }
[[fusion.member]]
system = "answers"
[[fusion.member]]
system = "search"
[[fusion.member]]
run = "dense"
about = "vectors of sentences"
optional = true
"#;

fn pipeline(name: &str) -> Pipeline {
    let find = |name: &str| match name {
        "answers" => System::read(ANSWERS, "answers"),
        "both" => System::read(FUSION, "both"),
        other => System::named(other),
    };
    Pipeline::compile(find(name).unwrap(), &find, &BTreeMap::new()).unwrap()
}

fn ask(system: &str, question: &Question) -> Answers {
    SMALL.engine.ask(&pipeline(system), question, 10, &Deadline::never()).unwrap()
}

fn ids(answers: &Answers) -> Vec<&str> {
    answers.hits.iter().map(|hit| hit.id.as_str()).collect()
}

#[test]
fn answers_with_marks() {
    let asked = question(
        "Signs of squares",
        "Why is the product $x\\cdot x$ of *equal* signs **never** negative, with $x$ real?",
        &["inequality"],
    );
    let answers = ask("answers", &asked);
    assert_eq!(ids(&answers), ["12", "11"]);
    let best = &answers.hits[0];
    let marked: Vec<&str> = best.snippet.words.iter().map(|word| &best.snippet.text[word.clone()]).collect();
    assert!(["signs", "square", "product", "equal"].iter().all(|word| marked.contains(word)), "{marked:?}");
    assert_eq!((best.rank, best.title.text.as_str()), (1, "Is $x^2\\ge 0$ for every real number?"));
    assert!(best.why.formulas.iter().any(|found| found.query == 0), "{:?}", best.why.formulas);
    let sum: f64 = best.why.clues.iter().map(|clue| clue.score).sum();
    assert!((sum - best.score).abs() < 1e-4 && sum > 0.0, "{sum} is not {}", best.score);
    assert!(answers.notes.is_empty(), "{:?}", answers.notes);
}

#[test]
fn fusions_say_what_they_are_made_without() {
    let answers = ask("both", &question("square", "", &[]));
    assert_eq!(ids(&answers)[0], "12");
    assert_eq!(answers.notes[0].message, "both is run without dense (vectors of sentences)");
}

#[test]
fn notes() {
    for (asked, message) in [
        (question("", " \n", &[" "]), "there is no question yet: write a title, a text or tags"),
        (question("qqqq", "", &[]), "nothing was found"),
        (
            question("square", &"x ".repeat(LONGEST_QUESTION), &[]),
            "only the first 10000 characters of the question were read",
        ),
    ] {
        let answers = ask("answers", &asked);
        assert_eq!(answers.notes[0].message, message);
    }
}

#[test]
fn what_cannot_be_run_is_told() {
    for (name, expected) in
        [("search", None), ("answers", None), ("both", None), ("tangent-s", Some("pairs"))]
    {
        assert_eq!(SMALL.engine.lacks(&pipeline(name)).as_deref(), expected, "{name}");
    }
    let formulas = pipeline("hypatia-classic-2");
    let error = SMALL.engine.ask(&formulas, &question("a", "", &[]), 3, &Deadline::never()).unwrap_err();
    assert_eq!(error.to_string(), "the system hypatia-classic-2 returns formulas, not posts");
}

#[test]
fn every_system_that_comes_along_is_run_or_refused() {
    for (name, file) in retrieve::SYSTEMS {
        let Ok(pipeline) =
            Pipeline::compile(System::read(file, name).unwrap(), &System::named, &BTreeMap::new())
        else {
            continue;
        };
        let asked = question("Is $x^2\\ge 0$?", "square of a real number", &["inequality"]);
        let ran = SMALL.engine.ask(&pipeline, &asked, 3, &Deadline::never()).is_ok();
        let can = SMALL.engine.lacks(&pipeline).is_none() && pipeline.task() == retrieve::SystemTask::Answers;
        assert_eq!(ran, can, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn any_question_is_answered(title in r#"([ -~]|[$*_`<>-]|square|\n){0,30}"#, body in r#"([ -~]|[$*_`<>-]|real|x\^2|\n|[À-ῼ]){0,60}"#) {
        let answers = ask("search", &question(&title, &body, &["inequality"]));
        for hit in &answers.hits {
            prop_assert!(super::spans_fit(&hit.title) && super::spans_fit(&hit.snippet));
        }
    }
}
