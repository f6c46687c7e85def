//! The question of a topic, drawn: its formula set off where the topic asks for one.

use super::shelf::Weight;
use super::{Material, draw_found, in_new_tabs, thread_address};
use crate::view::{Html, Pen};
use askama::Template;
use formats::{Formula, Topic};
use formula::mathml::Display;
use lab::PoolKind;
use latex::Mode;
use markup::{Cleaner, Dollars, Found, Markup};
use post::FormulaTexts;
use render::{Shape, given};
use std::collections::BTreeSet;

/// So many formulas of a text are drawn.
const MOST: usize = 500;

/// A question that answers or formulas are judged by.
#[derive(Clone, Debug, Default, Template)]
#[template(path = "assess/question.html")]
pub(crate) struct Question {
    /// The id of the topic.
    pub(crate) topic: String,
    /// Its title, if it has one.
    pub(crate) title: Option<Html>,
    /// What is asked.
    pub(crate) body: Html,
    /// Its tags.
    pub(crate) tags: Vec<String>,
    /// Words to look for.
    pub(crate) keywords: Vec<String>,
    /// The formulas that are looked for, each by itself.
    pub(crate) formulas: Vec<Html>,
    /// For what it is searched.
    pub(crate) scenario: Option<String>,
    /// What makes a result relevant to it.
    pub(crate) criteria: Option<String>,
    /// The address of its thread, if that is in the collection.
    pub(crate) thread: Option<String>,
    /// Why it cannot be shown.
    pub(crate) trouble: Option<String>,
}

impl Question {
    /// It as part of a page: title, formula, text and tags.
    pub(crate) fn html(&self) -> Html {
        // Only a formatter that fails can make it fail, and none of ours does.
        Html::trusted(self.render().unwrap_or_default())
    }
}

impl Weight for Question {
    fn weight(&self) -> usize {
        let html = |html: &Html| html.as_str().len();
        200 + html(&self.body)
            + self.title.as_ref().map_or(0, html)
            + self.formulas.iter().map(html).sum::<usize>()
    }
}

pub(super) fn draw(material: &Material, set: &str, kind: PoolKind, topic: &str) -> Question {
    let trouble = |sentence: String| Question {
        topic: topic.to_owned(),
        trouble: Some(sentence),
        ..Question::default()
    };
    match material.topics.get(&(set.to_owned(), kind)) {
        None => trouble(format!("The set {set} has no topics for {kind}.")),
        Some(Err(reason)) => trouble(format!("The topics of the set {set} cannot be read: {reason}.")),
        Some(Ok(topics)) => match topics.get(topic) {
            Some(topic) => drawn(material, topic, kind),
            None => trouble(format!("The topics of the set {set} have no {topic}.")),
        },
    }
}

fn drawn(material: &Material, topic: &Topic, kind: PoolKind) -> Question {
    let queries: Vec<&Formula> = match kind {
        PoolKind::Formulas => topic.queries().collect(),
        PoolKind::Answers => Vec::new(),
    };
    let mut writer = Writer {
        material,
        pen: Pen::default(),
        texts: FormulaTexts::default(),
        cleaner: Cleaner::new(),
        looked_for: Vec::new(),
    };
    let texts =
        [&topic.title, &topic.question].map(|html| html.as_ref().map(|html| writer.clean(html.as_str())));
    let found = texts.iter().flatten().flat_map(|text| &text.formulas);
    writer.looked_for = looked_for(&queries, found, &mut writer.texts);
    let [title, body] = texts;
    let title = title.map(|text| writer.write(&text, Shape::Line));
    let body = body.map(|text| writer.write(&text, Shape::Blocks)).unwrap_or_default();
    let alone = |formula: &&Formula| {
        let latex = writer.texts.given(formula)?;
        Some(writer.pen.block(latex.trim(), Mode::Document, &[]))
    };
    let formulas: Vec<Html> = queries.iter().filter_map(alone).collect();
    let in_collection =
        |post: &&String| material.collection().is_some_and(|known| known.find_post(post).is_some());
    let nothing = title.is_none() && body.is_empty() && formulas.is_empty() && topic.keywords.is_empty();
    Question {
        topic: topic.id.as_str().to_owned(),
        title,
        body,
        tags: topic.tags.clone(),
        keywords: topic.keywords.iter().map(|keyword| keyword.text.clone()).collect(),
        formulas,
        thread: topic_thread(material, topic)
            .or_else(|| topic.thread.as_ref().filter(in_collection).map(|post| thread_address(post))),
        scenario: topic.scenario.clone(),
        criteria: topic.criteria.clone(),
        trouble: nothing.then(|| "The file of topics has nothing but its id.".to_owned()),
    }
}

/// Where the topic's own thread is, later answers and comments included, if the lab has it.
fn topic_thread(material: &Material, topic: &Topic) -> Option<String> {
    let threads = material.topic_threads.as_ref()?;
    let post = threads.find(topic)?;
    let id = crate::view::encode(&threads.collection.post_id(post).to_string());
    Some(format!("/topic-thread/{id}#post-{id}"))
}

/// Which formulas of a text are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum LookedFor {
    Id(String),
    Latex(String),
}

/// By their ids where the text has them; else all that are written the same.
fn looked_for<'a>(
    queries: &[&Formula],
    found: impl Iterator<Item = &'a Found>,
    texts: &mut FormulaTexts,
) -> Vec<LookedFor> {
    let ids: BTreeSet<&str> = found.filter_map(|found| found.id.as_deref()).collect();
    let of = |formula: &&Formula| {
        let id = formula.id.as_ref().map(|id| id.as_str()).filter(|id| ids.contains(id));
        match id {
            Some(id) => Some(LookedFor::Id(id.to_owned())),
            None => texts.given(formula).map(|latex| LookedFor::Latex(latex.trim().to_owned())),
        }
    };
    queries.iter().filter_map(of).collect()
}

struct Writer<'m> {
    material: &'m Material,
    pen: Pen,
    texts: FormulaTexts,
    cleaner: Cleaner,
    looked_for: Vec<LookedFor>,
}

impl Writer<'_> {
    fn clean(&mut self, html: &str) -> markup::Cleaned {
        self.cleaner.clean(html, Markup::Html, Dollars::Math)
    }

    fn write(&mut self, text: &markup::Cleaned, shape: Shape) -> Html {
        let room = match shape {
            Shape::Blocks => Display::Block,
            Shape::Line => Display::Inline,
        };
        let (looked_for, pen, texts) = (&self.looked_for, &mut self.pen, &mut self.texts);
        let written = given(&text.html, shape, self.material.collection(), &mut |k, out| {
            match text.formulas.get(k) {
                Some(found) if k < MOST => {
                    let latex = texts.found(found);
                    let latex = latex.trim();
                    let is_it = looked_for.iter().any(|wanted| match wanted {
                        LookedFor::Id(id) => found.id.as_ref() == Some(id),
                        LookedFor::Latex(wanted) => latex == wanted,
                    });
                    draw_found((latex, found.display), room, is_it, pen, out);
                }
                Some(found) => out.push_str(Html::text(&format!("${}$", texts.found(found))).as_str()),
                None => {}
            }
            Ok(())
        });
        // Nothing above fails.
        Html::trusted(in_new_tabs(&written.unwrap_or_default()))
    }
}

/// A title: plain text with formulas between dollars, in one line.
pub(super) fn line(material: &Material, text: &str) -> Html {
    let cleaned = Cleaner::new().clean(text, Markup::Text, Dollars::Math);
    let mut writer = Writer {
        material,
        pen: Pen::default(),
        texts: FormulaTexts::default(),
        cleaner: Cleaner::new(),
        looked_for: Vec::new(),
    };
    writer.write(&cleaned, Shape::Line)
}

/// An answer that a system wrote: plain text with formulas between dollars.
pub(super) fn written(material: &Material, text: &str) -> Html {
    let cleaned = Cleaner::new().clean(text, Markup::Text, Dollars::Math);
    let mut writer = Writer {
        material,
        pen: Pen::default(),
        texts: FormulaTexts::default(),
        cleaner: Cleaner::new(),
        looked_for: Vec::new(),
    };
    writer.write(&cleaned, Shape::Blocks)
}
