//! A query: what is asked, taken apart into words and formulas.

use crate::typed::{Must, Typed, TypedWord};
use formats::{Formula, Html, Topic};
use markup::{Cleaner, Dollars, Markup};
use post::FormulaTexts;
use std::borrow::Cow;
use text::{FORMULA, Tokenizer};

/// A part of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// Its plain text, with [`FORMULA`] for each formula.
    pub text: String,
    /// Its formulas as LaTeX.
    pub formulas: Vec<String>,
}

impl Section {
    /// Reads a text in some markup; dollars mean formulas.
    pub(crate) fn of_text(
        text: &str,
        markup: Markup,
        (cleaner, texts): (&mut Cleaner, &mut FormulaTexts),
    ) -> Self {
        let cleaned = cleaner.clean(text, markup, Dollars::Math);
        let formulas = cleaned.formulas.iter().map(|found| texts.found(found).into_owned());
        Self { formulas: formulas.collect(), text: post::plain(&cleaned.html) }
    }

    /// Whether it has a formula that can be searched for.
    fn has_formula(&self) -> bool {
        self.formulas.iter().any(|latex| !latex.trim().is_empty())
    }

    /// Its text with formulas between dollars.
    fn with_dollars(&self) -> String {
        let mut text = String::new();
        for (number, piece) in self.text.split(FORMULA).enumerate() {
            if let Some(latex) = number.checked_sub(1).and_then(|formula| self.formulas.get(formula)) {
                text.push('$');
                text.push_str(latex);
                text.push('$');
            }
            text.push_str(piece);
        }
        text
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
    /// Decides between formulas of the topic that are as large, where a system looks for the largest alone; without
    /// it the first is taken.
    pub chance: Option<u64>,
    /// What was typed, if it was, and what is searched for then: filters, phrases and signs restrict.
    pub typed: Option<Box<TypedQuery>>,
}

/// What was typed, and what is searched for then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedQuery {
    /// What was typed, taken apart.
    pub typed: Typed,
    /// Its words and formulas, as a title.
    pub query: Query,
}

impl Query {
    /// The same with what chance begins with.
    #[must_use]
    pub fn with_chance(mut self, chance: u64) -> Self {
        self.chance = Some(chance);
        if let Some(typed) = &mut self.typed {
            typed.query.chance = Some(chance);
        }
        self
    }

    /// Nothing is asked.
    pub(crate) const EMPTY: Self = Self {
        title: Section { text: String::new(), formulas: Vec::new() },
        body: Section { text: String::new(), formulas: Vec::new() },
        tags: Vec::new(),
        post: None,
        linked: Vec::new(),
        chance: None,
        typed: None,
    };

    /// The query that somebody typed: words and phrases with formulas, as a title.
    #[must_use]
    pub fn of_typed(typed: &Typed) -> Self {
        let words = typed.words.iter().filter(|word| word.must != Must::MustNot).map(TypedWord::searched);
        let phrases = typed.phrases.iter().filter(|phrase| phrase.must != Must::MustNot);
        let words: Vec<&str> = words.chain(phrases.map(|phrase| phrase.text.as_str())).collect();
        let formulas = typed.formulas.iter().filter(|formula| formula.must != Must::MustNot);
        let formulas = formulas.map(|formula| formula.latex.clone());
        let title = Section { text: words.join(" \n"), formulas: formulas.collect() };
        let query = Self { title, ..Self::default() };
        Self { typed: Some(Box::new(TypedQuery { typed: typed.clone(), query: query.clone() })), ..query }
    }

    /// What is searched for: the words and formulas of what was typed, or all that is asked.
    #[must_use]
    pub fn searched(&self) -> &Self {
        self.typed.as_ref().map_or(self, |typed| &typed.query)
    }

    /// Whether there are words or formulas to rank by.
    #[must_use]
    pub(crate) fn is_rankable(&self) -> bool {
        let has_words = |text: &str| {
            let mut words = false;
            Tokenizer::default().tokenize(text, |_| words = true);
            words
        };
        let has = |section: &Section| !section.formulas.is_empty() || has_words(&section.text);
        let Self { title, body, tags, .. } = self.searched();
        has(title) || has(body) || tags.iter().any(|tag| has_words(tag))
    }

    /// The query of a topic: title, question and tags; keywords and formulas that stand by themselves belong
    /// to the title. A topic that has a title and nothing else is searched for as if somebody had typed it.
    #[must_use]
    pub fn of_topic(topic: &Topic) -> Self {
        let (mut cleaner, mut texts) = (Cleaner::new(), FormulaTexts::default());
        let mut section = |html: &Option<Html>| {
            let html = html.as_ref().map(Html::as_str);
            html.map(|html| Section::of_text(html, Markup::Html, (&mut cleaner, &mut texts)))
                .unwrap_or_default()
        };
        let mut query = Self {
            title: section(&topic.title),
            body: section(&topic.question),
            tags: topic.tags.clone(),
            post: Some(topic.thread.clone().unwrap_or_else(|| topic.id.to_string())),
            linked: Vec::new(),
            chance: None,
            typed: None,
        };
        let alone = query.body.is_empty() && query.tags.iter().all(|tag| tag.trim().is_empty());
        if alone && topic.keywords.is_empty() && topic.queries().next().is_none() && !query.title.is_empty() {
            query.typed = Self::of_typed(&Typed::read(&query.title.with_dollars())).typed;
            return query;
        }
        for keyword in &topic.keywords {
            query.title.text.push('\n');
            query.title.text.push_str(&keyword.text);
        }
        if !query.title.has_formula() && !query.body.has_formula() {
            let given = topic.queries().filter_map(|formula| given_latex(formula, &mut texts));
            query.title.formulas = given.collect();
            query.body.formulas.clear();
        }
        query
    }

    /// Formulas of a topic that are too long to be searched for whole, each as a sentence.
    #[must_use]
    pub fn long_formulas(topic: &Topic) -> Vec<String> {
        let texts = [&topic.title, &topic.question].into_iter().flatten().map(|html| html.as_str().len());
        let given = |formula: &Formula| {
            let parts = [&formula.latex, &formula.presentation_mathml, &formula.mathml, &formula.slt];
            parts.into_iter().flatten().map(String::len).max().unwrap_or(0)
        };
        if texts.chain(topic.queries().map(given)).all(|length| length <= latex::LONGEST) {
            return Vec::new();
        }
        let query = Self::of_topic(topic);
        let written = query.title.formulas.into_iter().chain(query.body.formulas);
        let mut lengths: Vec<usize> =
            written.chain(Self::formula_of_topic(topic)).map(|latex| latex.len()).collect();
        lengths.retain(|length| *length > latex::LONGEST);
        lengths.sort_unstable();
        lengths.dedup();
        let latex = lengths.into_iter().map(|length| {
            format!("a formula has {length} bytes; only its first {} are searched for", latex::LONGEST)
        });
        let given =
            topic.queries().flat_map(|formula| [&formula.presentation_mathml, &formula.mathml, &formula.slt]);
        let limit = formula::mathml::LONGEST;
        let given = given.flatten().filter(|text| text.len() > limit);
        latex
            .chain(given.map(|text| {
                format!("a formula tree has {} bytes; more than {limit} are not read", text.len())
            }))
            .collect()
    }

    /// The formula that a topic of formula search is about.
    #[must_use]
    pub fn formula_of_topic(topic: &Topic) -> Option<String> {
        let mut texts = FormulaTexts::default();
        topic.queries().find_map(|formula| given_latex(formula, &mut texts))
    }
}

/// The LaTeX of a formula of a topic. Where it is given, it is searched for as it stands, entities of HTML included:
/// runs have always been made so.
fn given_latex(formula: &Formula, texts: &mut FormulaTexts) -> Option<String> {
    let given = formula.latex.as_ref().filter(|latex| !latex.trim().is_empty());
    given.cloned().or_else(|| texts.given(formula).map(Cow::into_owned))
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::Role;

    const POWER: &str = "<math><msup><mi>x</mi><mn>2</mn></msup></math>";

    #[test]
    fn a_topic_whose_formulas_are_mathml_alone_is_searched_for_by_them() {
        let mut topic = Topic::new("A.1");
        topic.title = Some(Html::new(format!("Is {POWER} even?")));
        topic.question = Some(Html::new(format!("Where $y$ or {POWER}")));
        let query = Query::of_topic(&topic);
        assert_eq!(query.title.formulas, ["x^{{2}}"]);
        assert_eq!(query.body.formulas, ["y", "x^{{2}}"]);
    }

    #[test]
    fn formulas_that_cannot_be_read_in_the_text_are_those_that_the_topic_gives() {
        let mut topic = Topic::new("B.1");
        topic.question = Some(Html::new("Is <span class=\"math-container\"> </span> even?"));
        let mut formula = Formula::new(Role::Query);
        formula.presentation_mathml = Some(POWER.to_owned());
        topic.formulas = vec![formula];
        let query = Query::of_topic(&topic);
        assert_eq!((query.title.formulas, query.body.formulas), (vec!["x^{{2}}".to_owned()], vec![]));
        assert_eq!(Query::formula_of_topic(&topic).as_deref(), Some("x^{{2}}"));
    }
}
