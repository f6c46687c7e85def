//! An answer as it is shown: how it came about comes first, what it says next, and what it comes from.

use super::Wanted;
use crate::site::answers::{Made, Standing};
use crate::site::model::Model;
use crate::site::pages::{Accepted, Link};
use crate::view::{Html, Pen, encode, said, texts, votes};
use ::answer::{Answer, Citation, Claim, ClaimStatus, Kind};

/// An answer.
pub(crate) struct Card {
    pub(crate) id: usize,
    pub(crate) system: &'static str,
    pub(crate) time: String,
    /// Nothing if nothing was found.
    pub(crate) shown: Option<Shown>,
}

/// What was said.
pub(crate) struct Shown {
    /// Where it comes from, in words.
    pub(crate) from: Html,
    pub(crate) kind: &'static str,
    pub(crate) text: Html,
    /// What is missing of it.
    pub(crate) note: &'static str,
    /// Whether it may be about something else.
    pub(crate) far: bool,
    /// What a model was shown, by number.
    pub(crate) sources: Vec<(usize, Link)>,
    /// What is said above them.
    pub(crate) sources_are: &'static str,
    /// The claims of what a model wrote.
    pub(crate) claims: Vec<ClaimView>,
}

/// A claim, and what came of testing it.
pub(crate) struct ClaimView {
    pub(crate) claim: Html,
    /// For its colour; the word is there, too.
    pub(crate) class: &'static str,
    pub(crate) status: &'static str,
    pub(crate) note: String,
}

impl Card {
    /// Whether there is an answer that is about what is asked.
    pub(crate) fn is_close(&self) -> bool {
        self.shown.as_ref().is_some_and(|shown| !shown.far)
    }

    /// Makes an answer ready to be shown.
    pub(crate) fn new(pen: &mut Pen, id: usize, made: &Made) -> Self {
        let milliseconds = made.elapsed.as_secs_f64() * 1000.0;
        let time = match milliseconds {
            long if long >= 9950.0 => format!("{:.0}\u{A0}s", long / 1000.0),
            short => format!("{:.0}\u{A0}ms", short.max(1.0)),
        };
        let shown = made.answer.as_ref().map(|answer| Shown::new(pen, answer, made));
        Self { id, system: made.system, time, shown }
    }
}

impl Shown {
    fn new(pen: &mut Pen, answer: &Answer, made: &Made) -> Self {
        let numbered = answer.sources.iter().filter_map(|source| Some((source.number?, source)));
        let addresses: Vec<(usize, String)> =
            numbered.clone().map(|(number, source)| (number, address(source))).collect();
        let sources = numbered.map(|(number, source)| (number, link(pen, source))).collect();
        let from = match (answer.kind, answer.sources.first()) {
            (Kind::Generated, _) => written(answer.model.as_deref().unwrap_or("unknown")),
            (Kind::Extracted, Some(source)) => extracted(pen, answer, source, made.standing),
            (Kind::Extracted, None) => badge("Extracted"),
        };
        let note = match (made.stopped, answer.cut) {
            (true, _) => "The model was stopped before it was done; this is what it wrote until then.",
            (false, true) => "The model wrote more than fits here; this is the beginning.",
            (false, false) => "",
        };
        Self {
            from,
            kind: answer.kind.word(),
            text: said(pen, &answer.text, &addresses),
            note,
            far: answer.fit.is_some() && !answer.is_close(),
            sources,
            claims: answer.claims.iter().map(|claim| ClaimView::new(pen, answer, claim)).collect(),
            sources_are: if answer.cited {
                "Sources"
            } else {
                "Shown to the model, which names none of them"
            },
        }
    }
}

impl ClaimView {
    fn new(pen: &mut Pen, answer: &Answer, claim: &Claim) -> Self {
        let class = match claim.status {
            ClaimStatus::Checked => "checked",
            ClaimStatus::Failed => "failed",
            ClaimStatus::NotCheckable => "open",
        };
        Self {
            claim: texts(pen, &claim.quoted(&answer.text), latex::Mode::Document),
            class,
            status: claim.status.word(),
            note: claim.note.clone(),
        }
    }
}

fn written(model: &str) -> Html {
    let mut out = badge("Written by a model");
    out.push(" ");
    out.push_text(model);
    out.push(". It may be wrong.");
    out
}

/// The mark by which people see how an answer came about: words, so that it needs no colour.
fn badge(words: &'static str) -> Html {
    let mut out = Html::default();
    out.push("<strong class=\"badge\">");
    out.push(words);
    out.push("</strong>");
    out
}

fn extracted(pen: &mut Pen, answer: &Answer, source: &Citation, standing: Option<Standing>) -> Html {
    let mut out = badge(if answer.whole { "Extracted" } else { "Extracted passage" });
    out.push(" from ");
    // A post that answers nothing has a title of its own.
    if source.id != source.thread {
        out.push("an answer to ");
    }
    let Link { address, text } = link(pen, source);
    out.push("<a href=\"");
    out.push_text(&address);
    out.push("\">");
    out.push_html(&text);
    out.push("</a>");
    if let Some(standing) = standing {
        push_standing(standing, &mut out);
    }
    out
}

/// What people thought of a post, as results have it.
fn push_standing(Standing { votes: number, accepted }: Standing, out: &mut Html) {
    let accepted = accepted == Accepted::Yes;
    if !accepted && number.is_none() {
        return;
    }
    out.push(" <span class=\"standing\">");
    if accepted {
        out.push("<span class=\"accepted\">✓\u{A0}accepted</span>");
    }
    out.push(if accepted && number.is_some() { "<span class=\"dot\"> · </span>" } else { "" });
    out.push_text(&number.map(votes).unwrap_or_default());
    out.push("</span>");
}

/// Where a source stands.
pub(crate) fn address(source: &Citation) -> String {
    format!("/thread/{}#post-{}", encode(&source.thread), encode(&source.id))
}

fn link(pen: &mut Pen, source: &Citation) -> Link {
    let mut text = texts(pen, &source.title, latex::Mode::Document);
    if text.as_str().trim().is_empty() {
        text = Html::text(&format!("post {}", source.thread));
    }
    Link { address: address(source), text }
}

/// The button with which a model is asked to write.
pub(crate) struct WriteView {
    pub(crate) model: String,
    pub(crate) system: String,
    /// What is sent along.
    pub(crate) fields: Vec<(&'static str, String)>,
}

impl WriteView {
    /// Nothing where there is no model.
    pub(crate) fn new(model: Option<&Model>, wanted: &Wanted, system: &str) -> Option<Self> {
        let fields = wanted.fields().into_iter().map(|(name, value)| (name, value.to_owned()));
        Some(Self { model: model?.display_name.clone(), system: system.to_owned(), fields: fields.collect() })
    }
}
