//! A query: what is asked, taken apart into words and formulas.

use collection::{Formula, Html, Topic};
use formula::mathml::{MathmlReader, Reading};
use formula::slt::Slt;
use markup::{Cleaner, Dollars, Markup};
use text::FORMULA;

/// A part of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its plain text, with [`FORMULA`] for each formula.
    pub text: String,
    /// Its formulas as LaTeX.
    pub formulas: Vec<String>,
}

impl Section {
    fn of_html(html: &Html, cleaner: &mut Cleaner) -> Self {
        Self::of_text(html.as_str(), Markup::Html, cleaner)
    }

    /// Reads a text in some markup; dollars mean formulas.
    pub(crate) fn of_text(text: &str, markup: Markup, cleaner: &mut Cleaner) -> Self {
        let cleaned = cleaner.clean(text, markup, Dollars::Math);
        let text = markup::text(&cleaned.html, |_, out| out.push(FORMULA));
        Self { text, formulas: cleaned.formulas.into_iter().map(|found| found.latex).collect() }
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty() && self.text.trim().is_empty()
    }
}

/// What is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// The title, or what was typed.
    pub title: Section,
    /// The question in full.
    pub body: Section,
    /// The tags, or words given as such.
    pub tags: Vec<String>,
    /// The id of the post that it was taken from, where that may be one of the collection.
    pub post: Option<String>,
    /// The ids of questions that it is known to be linked to.
    pub linked: Vec<String>,
}

impl Query {
    /// The query of a topic: title, question and tags; keywords and formulas that stand by themselves belong
    /// to the title.
    #[must_use]
    pub fn of_topic(topic: &Topic) -> Self {
        let mut cleaner = Cleaner::new();
        let mut section = |html: &Option<Html>| {
            html.as_ref().map(|html| Section::of_html(html, &mut cleaner)).unwrap_or_default()
        };
        let mut query = Self {
            title: section(&topic.title),
            body: section(&topic.question),
            tags: topic.tags.clone(),
            post: Some(topic.thread.clone().unwrap_or_else(|| topic.id.to_string())),
            linked: Vec::new(),
        };
        for keyword in &topic.keywords {
            query.title.text.push('\n');
            query.title.text.push_str(&keyword.text);
        }
        if query.title.formulas.is_empty() && query.body.formulas.is_empty() {
            query.title.formulas = topic.queries().filter_map(formula_latex).collect();
        }
        query
    }

    /// The formula that a topic of formula search is about.
    #[must_use]
    pub fn formula_of_topic(topic: &Topic) -> Option<String> {
        topic.queries().find_map(formula_latex)
    }
}

/// The LaTeX of a formula; made from a tree when it has none.
fn formula_latex(formula: &Formula) -> Option<String> {
    if let Some(latex) = formula.latex.as_ref().filter(|latex| !latex.trim().is_empty()) {
        return Some(latex.clone());
    }
    let mut slt = Slt::default();
    let mathml = formula.presentation_mathml.as_ref().or(formula.mathml.as_ref());
    let read = mathml
        .is_some_and(|mathml| MathmlReader::new(Reading::Tolerant).read(mathml, &mut slt).is_ok())
        || formula.slt.as_ref().is_some_and(|text| slt.read_repaired_into(text).is_ok());
    read.then(|| slt.to_latex())
}
