//! `hypatia ask`: one answer to a question, in a terminal.

use crate::answers::model::{KeptArgs, ModelArgs};
use crate::engine::readable;
use crate::place::find_index;
use crate::{Exit, Run, answers, output};
use answer::{Citation, Claim, Kind, Ranked, Weights, Writer};
use anyhow::{Context, Result, ensure};
use clap::Args;
use figures::table::{Cell, Colour, Column, Row, Table};
use generate::{Continue, Event};
use retrieve::people::Question;
use retrieve::{Asked, Engine};
use serde_json::{Value, json};
use std::io::{IsTerminal, Read, Write, stdin, stdout};
use std::path::PathBuf;

/// So many candidates are shown with what speaks for them.
const EXPLAINED: usize = 10;

const LONG_ABOUT: &str = "\
Answers a question in at most 1,200 characters and says where the answer comes from.

Without a language model the answer is cut out of the posts of the index, word for word: the best of them, \
or the passage of it that speaks most of what is asked. With one (--model, --endpoint) the model reads the \
question and passages of the best posts, and cites them; what it writes may be wrong. Which of the two it is \
stands above the answer. Equalities and other claims that a model writes are tested with numbers and listed as \
checked, failed or not checkable, see docs/answers.md.

The question may hold formulas between dollars, and may come as several arguments; a - reads it from standard \
input, where the first line is its title. Without --index it uses the index of the \
settings (`hypatia config` shows them), by default hypatia.index in the current folder. If there is no answer, \
the exit code is 1.";

const EXAMPLES: &str = "\
Examples:
  hypatia ask 'Why does the harmonic series $\\sum 1/n$ diverge?'
  hypatia ask --system first-answer 'is every bounded sequence convergent?'
  hypatia ask --model smollm2.gguf 'what is a Hermitian matrix?'
  hypatia ask --endpoint http://127.0.0.1:8000/v1 --model llama-3 'prove that $\\sqrt2$ is irrational'
  hypatia ask - < question.md
  hypatia ask --json 'sum of the first n cubes' | jq -r .answer";

/// Answer a question, with where the answer comes from
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Ask {
    /// The question
    #[arg(required = true, value_name = "QUESTION")]
    question: Vec<String>,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(short, long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// The system that answers, or its file [default: hypatia-extract, or hypatia-sources with a model]
    #[arg(long, value_name = "NAME")]
    system: Option<String>,

    /// The system, or its file, that ranks the answers among which one is chosen
    #[arg(long, value_name = "NAME")]
    candidates: Option<String>,

    #[command(flatten)]
    model: ModelArgs,

    #[command(flatten)]
    kept: KeptArgs,

    /// Leave formulas as LaTeX
    #[arg(long)]
    latex: bool,

    /// Show which posts were thought of, and what speaks for each
    #[arg(long)]
    explain: bool,

    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["latex", "explain"])]
    json: bool,
}

impl Run for Ask {
    fn run(self) -> Result<Exit> {
        let question = self.read()?;
        let default = if self.model.model.is_some() { "hypatia-sources" } else { answer::DEFAULT };
        let name = self.system.as_deref().unwrap_or(default);
        let system = answers::find(name, self.candidates.as_deref())?;
        ensure!(
            system.is_generative() || self.model.model.is_none(),
            "--model has no effect: {name} writes nothing, it cuts answers out of posts"
        );
        let maker = answers::maker(system)?;
        let engine = Engine::open(&find_index(self.index.as_deref())?, crate::models::resources()?)?;
        let query = question.query();
        let asked = Asked::answers(&query);
        let kept = if self.model.model.is_some() { self.kept.open(None)? } else { None };
        let model = self.model.open(kept)?;
        let writer = model.as_deref().map(|model| Writer::new(model, self.kept.seed()));
        let streams = stdout().is_terminal() && !self.json && writer.is_some();
        let mut screen = Screen::default();
        let told =
            &mut |event: Event<'_>| if streams { screen.tell(event, &mut stdout()) } else { Continue::Yes };
        let answer = maker
            .answer(&engine, &asked, writer.as_ref(), told)
            .map_err(|error| answers::with_hint(error.into(), maker.system()))?;
        engine.index().sound()?;
        if self.json {
            let text = json(&question, name, answer.as_ref());
            output::print((serde_json::to_string_pretty(&text).context("writing JSON")? + "\n").as_bytes())?;
        } else {
            let mut out = String::new();
            if self.explain && maker.pipeline(&engine).is_some() {
                out.push_str(&explained(&maker.candidates(&engine, &asked)?));
            }
            match &answer {
                None => out.push_str("There is no answer.\n"),
                Some(answer) if screen.shows(&answer.text) => {
                    // The text is on the screen already.
                    out.push_str("\n\n");
                    out.push_str(&label(answer));
                    out.push_str(&sources(answer, self.latex));
                    out.push_str(&claims(answer, self.latex));
                }
                Some(answer) => {
                    if screen.has_written {
                        out.push_str("\n\nOf what was written, this is the answer, made fit:\n\n");
                    }
                    out.push_str(&label(answer));
                    out.push('\n');
                    out.push_str(&if self.latex { answer.text.clone() } else { readable(&answer.text) });
                    out.push_str("\n\n");
                    out.push_str(&sources(answer, self.latex));
                    out.push_str(&claims(answer, self.latex));
                }
            }
            output::print(out.as_bytes())?;
        }
        Ok(if answer.is_some() { Exit::Yes } else { Exit::No })
    }
}

impl Ask {
    /// The question: one line is its title; of several, the first.
    fn read(&self) -> Result<Question> {
        let text = if self.question == ["-"] {
            let mut text = String::new();
            stdin().read_to_string(&mut text).context("reading the question from standard input")?;
            text
        } else {
            self.question.join(" ")
        };
        let text = text.trim();
        ensure!(!text.is_empty(), "there is no question");
        let (title, body) = text.split_once('\n').unwrap_or((text, ""));
        Ok(Question { title: title.trim().to_owned(), body: body.trim().to_owned(), tags: Vec::new() })
    }
}

/// What a model writes, while it does.
#[derive(Default)]
struct Screen {
    /// What was shown since the text started anew.
    shown: String,
    has_written: bool,
}

impl Screen {
    fn tell(&mut self, event: Event<'_>, out: &mut dyn Write) -> Continue {
        let text = match event {
            // What is no letter may do anything to a terminal.
            Event::Text(text) => {
                let plain = |letter: &char| matches!(letter, '\n' | '\t') || !letter.is_control();
                text::visible(&text.chars().filter(plain).collect::<String>()).into_owned()
            }
            Event::Waiting => return Continue::Yes,
            Event::Restart => "\n\n(again: that was too long, or broke off)\n\n".to_owned(),
        };
        match event {
            Event::Restart => self.shown.clear(),
            _ => self.shown.push_str(&text),
        }
        // Who went away wants no more.
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        self.has_written = true;
        if written.is_ok() { Continue::Yes } else { Continue::No }
    }

    /// Whether it is this text that is there to be read last.
    fn shows(&self, text: &str) -> bool {
        self.has_written && self.shown.trim() == text.trim()
    }
}

/// How the answer came about, in a line; and in another one if it may be about something else.
fn label(answer: &answer::Answer) -> String {
    let mut label = origin(answer);
    if answer.fit.is_some() && !answer.is_close() {
        label.push_str("No post speaks of more than half of what is asked: it may be about something else\n");
    }
    label
}

fn origin(answer: &answer::Answer) -> String {
    match (answer.kind, answer.whole, &answer.model) {
        (Kind::Extracted, true, _) => "Extracted: all of an answer\n".to_owned(),
        (Kind::Extracted, false, _) => "Extracted: a passage of an answer\n".to_owned(),
        (Kind::Generated, _, model) => {
            let cut = if answer.cut { ", cut after a sentence" } else { "" };
            format!("Written by {}{cut}; it may be wrong\n", model.as_deref().unwrap_or("a language model"))
        }
    }
}

fn sources(answer: &answer::Answer, latex: bool) -> String {
    let mut out = String::new();
    if !answer.cited && !answer.sources.is_empty() {
        out.push_str("The model was shown these posts and names none of them:\n");
    }
    for Citation { number, id, thread, title } in &answer.sources {
        let mark = number.map_or_else(String::new, |number| format!("[{number}] "));
        let title = if latex { title.clone() } else { readable(title) };
        let of = if thread == id { String::new() } else { format!(", to question {thread}") };
        out.push_str(&format!("{mark}post {id}{of}: {title}\n"));
    }
    out
}

/// What came of testing the claims of an answer.
fn claims(answer: &answer::Answer, latex: bool) -> String {
    if answer.claims.is_empty() {
        return String::new();
    }
    let mut out = "Claims, tested with numbers:\n".to_owned();
    for claim in &answer.claims {
        let said = claim.quoted(&answer.text);
        let said = if latex { said } else { readable(&said) };
        out.push_str(&format!("{}: {said} ({})\n", claim.status.word(), claim.note));
    }
    text::visible(&out).into_owned()
}

fn json(question: &Question, system: &str, answer: Option<&answer::Answer>) -> Value {
    let mut value =
        json!({ "question": { "title": question.title, "body": question.body }, "system": system });
    value["answer"] = json!(answer.map(|answer| &answer.text));
    if let Some(answer) = answer {
        let source = |one: &Citation| json!({ "number": one.number, "id": one.id, "thread": one.thread, "title": one.title });
        value["kind"] = json!(answer.kind.word());
        value["score"] = json!(answer.score);
        value["whole"] = json!(answer.whole);
        value["fit"] = json!(answer.fit);
        value["close"] = json!(answer.fit.map(|_| answer.is_close()));
        value["cited"] = json!(answer.cited);
        value["model"] = json!(answer.model);
        value["tries"] = json!(answer.tries);
        value["cut"] = json!(answer.cut);
        value["sources"] = answer.sources.iter().map(source).collect();
        let claim = |one: &Claim| json!({ "claim": one.quoted(&answer.text), "status": one.status.word(), "note": one.note });
        value["claims"] = answer.claims.iter().map(claim).collect();
    }
    value
}

/// The candidates with what speaks for each.
fn explained(candidates: &[Ranked]) -> String {
    let told: Vec<usize> = (0..Weights::NAMES.len())
        .filter(|at| candidates.iter().any(|candidate| candidate.evidence.0[*at] != 0.0))
        .collect();
    let mut columns = vec![Column::left("post"), Column::right("worth")];
    columns.extend(told.iter().map(|at| Column::right(Weights::NAMES[*at].replace('_', " "))));
    let row = |candidate: &Ranked| {
        let mut cells = vec![Cell::text(&candidate.id), Cell::number(candidate.score, 3)];
        cells.extend(told.iter().map(|at| Cell::number(candidate.evidence.0[*at], 3)));
        Row::Cells(cells)
    };
    let rows = candidates.iter().take(EXPLAINED).map(row).collect();
    Table { columns, rows, ..Table::default() }.to_text(Colour::Off) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use answer::ClaimStatus;

    fn answer(source: Citation, fit: f64) -> answer::Answer {
        answer::Answer {
            text: "It is.".to_owned(),
            score: 1.0,
            kind: Kind::Extracted,
            sources: vec![source],
            cited: true,
            whole: true,
            fit: Some(fit),
            model: None,
            tries: 0,
            cut: false,
            claims: Vec::new(),
        }
    }

    fn source() -> Citation {
        let title = "Is $x^2$ even?".to_owned();
        Citation { number: Some(2), id: "12".to_owned(), thread: "7".to_owned(), title }
    }

    #[test]
    fn what_is_shown_does_nothing_to_a_terminal() {
        let (mut screen, mut out) = (Screen::default(), Vec::new());
        for text in ["\u{1B}]0;x\u{7}It\n", "\tis\r\u{9B}2J 4."] {
            assert_eq!(screen.tell(Event::Text(text), &mut out), Continue::Yes);
        }
        assert_eq!(String::from_utf8(out).unwrap(), "]0;xIt\n\tis2J 4.");
    }

    #[test]
    fn an_answer_that_is_not_what_was_shown_last_is_shown_again() {
        let (mut screen, mut out) = (Screen::default(), Vec::new());
        assert!(!screen.shows(""), "nothing is on the screen");
        screen.tell(Event::Text("It is"), &mut out);
        screen.tell(Event::Text(" 4.\n"), &mut out);
        assert!(screen.shows("It is 4."));
        assert!(!screen.shows("It is $4$."), "it was mended");
        screen.tell(Event::Restart, &mut out);
        screen.tell(Event::Waiting, &mut out);
        screen.tell(Event::Text("It is not."), &mut out);
        assert!(screen.shows("It is not.") && !screen.shows("It is 4."), "the first was chosen after all");
    }

    #[test]
    fn sources_are_named_with_their_question() {
        let cited = answer(source(), 1.0);
        assert_eq!(sources(&cited, true), "[2] post 12, to question 7: Is $x^2$ even?\n");
        let own = Citation { number: None, thread: "12".to_owned(), ..source() };
        assert_eq!(sources(&answer(own, 1.0), false), "post 12: Is x² even?\n");
        let shown = sources(&answer::Answer { cited: false, ..cited }, true);
        assert!(shown.starts_with("The model was shown these posts and names none of them:\n[2]"), "{shown}");
    }

    #[test]
    fn claims_are_listed_with_what_was_computed() {
        let claim =
            |status, note: &str| Claim { place: 4..9, is_formula: true, status, note: note.to_owned() };
        let claims = vec![
            claim(ClaimStatus::Failed, "the left side is 4, the right side 5"),
            claim(ClaimStatus::NotCheckable, "a side has no value"),
        ];
        let answer = answer::Answer { text: "So $x^2=5$.".to_owned(), claims, ..answer(source(), 1.0) };
        let shown = super::claims(&answer, true);
        assert_eq!(
            shown,
            "Claims, tested with numbers:\nfailed: $x^2=5$ (the left side is 4, the right side 5)\n\
             not checkable: $x^2=5$ (a side has no value)\n"
        );
        assert_eq!(json(&Question::default(), "s", Some(&answer))["claims"][0]["status"], "failed");
    }

    #[test]
    fn what_may_be_about_something_else_says_so() {
        assert_eq!(label(&answer(source(), 0.6)), "Extracted: all of an answer\n");
        assert!(
            label(&answer(source(), 0.5)).contains("\nNo post speaks of more than half of what is asked")
        );
    }
}
