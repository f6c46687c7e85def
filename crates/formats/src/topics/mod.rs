//! Topics: what is asked, whatever file it stands in.
//!
//! One [`Topic`] serves the three ARQMath tasks, the NTCIR tasks and plain
//! tables of queries. What a format does not say is absent, never guessed:
//! formulas marked in the text of a question are found by
//! [`Topic::marked_formulas`] when they are wanted. Formulas stay text here;
//! reading LaTeX, MathML and tree strings is left to other crates.
//!
//! ```
//! use formats::{Source, read_topics};
//! let file = read_topics(Source::bytes("q.tsv", "B.1\tx^2\nB.2\t\\frac{1}{n}\n"))?;
//! let topic = file.topics.get("B.2").unwrap();
//! assert_eq!(topic.queries().next().unwrap().latex.as_deref(), Some("\\frac{1}{n}"));
//! # Ok::<(), formats::Error>(())
//! ```

mod arqmath;
mod formulas;
mod html;
mod join;
mod ntcir;
mod pya0;
mod read;
mod tables;
mod write;

pub use html::Html;
pub use join::Joined;
pub use read::{LineEnd, TopicFile, TopicFormat, read_topics, read_topics_as};
pub use write::{Loss, Written, write_topic_formulas, write_topics};

use crate::ids::{FormulaId, TopicId};
use std::borrow::Cow;
use std::collections::HashMap;

/// One topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its id, such as `A.301`.
    pub id: TopicId,
    /// Its title; never empty when there.
    pub title: Option<Html>,
    /// The question itself; never empty when there.
    pub question: Option<Html>,
    /// The tags its asker gave.
    pub tags: Vec<String>,
    /// Words and phrases to look for.
    pub keywords: Vec<Keyword>,
    /// For what and by whom the topic is searched, as NTCIR's organisers wrote it.
    pub scenario: Option<String>,
    /// What makes a result relevant to this topic, as NTCIR's organisers wrote it.
    pub criteria: Option<String>,
    /// The thread it was taken from, where a file says so.
    pub thread: Option<String>,
    /// Its formulas that stand in the file as such.
    pub formulas: Vec<Formula>,
}

impl Topic {
    /// A topic with nothing but an id.
    #[must_use]
    pub fn new(id: impl Into<TopicId>) -> Self {
        Self {
            id: id.into(),
            title: None,
            question: None,
            tags: Vec::new(),
            keywords: Vec::new(),
            scenario: None,
            criteria: None,
            thread: None,
            formulas: Vec::new(),
        }
    }

    /// The formulas that are looked for.
    pub fn queries(&self) -> impl Iterator<Item = &Formula> {
        self.formulas.iter().filter(|formula| formula.role == Role::Query)
    }

    /// The formula with that id.
    #[must_use]
    pub fn formula(&self, id: &str) -> Option<&Formula> {
        self.formulas.iter().find(|formula| formula.id.as_ref().is_some_and(|own| own.as_str() == id))
    }

    /// The formulas that are marked in title and question by spans of the
    /// class `math-container`, in reading order, without their delimiters.
    ///
    /// ```
    /// use formats::{Html, Site, Topic};
    /// let mut topic = Topic::new("A.1");
    /// topic.title = Some(Html::new(r#"Is <span class="math-container" id="q_7">$x&lt;1$</span>?"#));
    /// let formulas = topic.marked_formulas();
    /// assert_eq!(formulas[0].id.as_ref().unwrap().as_str(), "q_7");
    /// assert_eq!(formulas[0].latex.as_deref(), Some("x<1"));
    /// assert_eq!(formulas[0].site, Some(Site::Title));
    /// ```
    #[must_use]
    pub fn marked_formulas(&self) -> Vec<Formula> {
        let parts = [(Site::Title, &self.title), (Site::Body, &self.question)];
        let mut formulas = Vec::new();
        for (site, html) in parts {
            for span in html.iter().flat_map(|html| html.math_spans()) {
                let mut formula = Formula::new(Role::Context);
                formula.id = span.id.map(FormulaId::new);
                formula.site = Some(site);
                formula.latex = Some(span.latex).filter(|latex| !latex.is_empty());
                formulas.push(formula);
            }
        }
        formulas
    }
}

/// A word or phrase to look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// Its id in the file, such as `w.0`.
    pub id: Option<String>,
    /// The word or phrase.
    pub text: String,
}

/// What a formula is to its topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is looked for.
    Query,
    /// It stands in the question.
    Context,
}

/// Which part of a question a formula stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// The title.
    Title,
    /// The question below it.
    Body,
}

/// A formula of a topic in all the forms a file gives; none of them is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// Its id, such as `q_12` or `f.0`.
    pub id: Option<FormulaId>,
    /// What it is to its topic.
    pub role: Role,
    /// Where in the question it stands, if it does and the file says so.
    pub site: Option<Site>,
    /// LaTeX, without delimiters.
    pub latex: Option<String>,
    /// MathML in which both kinds may stand side by side.
    pub mathml: Option<String>,
    /// Presentation MathML.
    pub presentation_mathml: Option<String>,
    /// Content MathML.
    pub content_mathml: Option<String>,
    /// A symbol layout tree as a string.
    pub slt: Option<String>,
    /// An operator tree as a string.
    pub opt: Option<String>,
}

/// The forms in which a formula can be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// LaTeX.
    Latex,
    /// MathML of either kind or both.
    Mathml,
    /// Presentation MathML.
    PresentationMathml,
    /// Content MathML.
    ContentMathml,
    /// A symbol layout tree as a string.
    Slt,
    /// An operator tree as a string.
    Opt,
}

impl Representation {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Latex, Self::Mathml, Self::PresentationMathml, Self::ContentMathml, Self::Slt, Self::Opt];
}

impl Formula {
    /// A formula of which nothing is known but its role.
    #[must_use]
    pub fn new(role: Role) -> Self {
        Self {
            id: None,
            role,
            site: None,
            latex: None,
            mathml: None,
            presentation_mathml: None,
            content_mathml: None,
            slt: None,
            opt: None,
        }
    }

    /// One of its forms.
    #[must_use]
    pub fn get(&self, representation: Representation) -> Option<&str> {
        match representation {
            Representation::Latex => self.latex.as_deref(),
            Representation::Mathml => self.mathml.as_deref(),
            Representation::PresentationMathml => self.presentation_mathml.as_deref(),
            Representation::ContentMathml => self.content_mathml.as_deref(),
            Representation::Slt => self.slt.as_deref(),
            Representation::Opt => self.opt.as_deref(),
        }
    }

    /// Its LaTeX with entities of HTML resolved: files of the labs have here and
    /// there `&lt;` for `<` even where the text is not HTML.
    ///
    /// ```
    /// let mut formula = formats::Formula::new(formats::Role::Query);
    /// formula.latex = Some("I=&lt;p,x&gt;".to_owned());
    /// assert_eq!(formula.plain_latex().unwrap(), "I=<p,x>");
    /// ```
    #[must_use]
    pub fn plain_latex(&self) -> Option<Cow<'_, str>> {
        self.latex.as_deref().map(|latex| match latex.contains('&') {
            true => html::unescape(latex).into(),
            false => latex.into(),
        })
    }

    /// The place of one of its forms.
    pub(crate) fn slot(&mut self, representation: Representation) -> &mut Option<String> {
        match representation {
            Representation::Latex => &mut self.latex,
            Representation::Mathml => &mut self.mathml,
            Representation::PresentationMathml => &mut self.presentation_mathml,
            Representation::ContentMathml => &mut self.content_mathml,
            Representation::Slt => &mut self.slt,
            Representation::Opt => &mut self.opt,
        }
    }
}

/// Topics in the order of their file, each id once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Topics {
    list: Vec<Topic>,
    index: HashMap<TopicId, usize>,
}

/// A topic id that stands in a list twice.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("topic {0} is there twice")]
pub struct DuplicateTopic(pub TopicId);

impl Topics {
    /// Topics from a list.
    ///
    /// # Errors
    ///
    /// When two have the same id.
    pub fn new(list: Vec<Topic>) -> Result<Self, DuplicateTopic> {
        let mut index = HashMap::with_capacity(list.len());
        for (at, topic) in list.iter().enumerate() {
            if index.insert(topic.id.clone(), at).is_some() {
                return Err(DuplicateTopic(topic.id.clone()));
            }
        }
        Ok(Self { list, index })
    }

    /// The topic with that id.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&Topic> {
        self.index.get(id).map(|at| &self.list[*at])
    }

    /// All of them, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Topic> {
        self.list.iter()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

impl<'a> IntoIterator for &'a Topics {
    type Item = &'a Topic;
    type IntoIter = std::slice::Iter<'a, Topic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
