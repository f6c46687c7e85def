//! Topics as a lab hands them out: HTML with marked formulas, and each formula in three forms.

use formats::{Formula, FormulaId, Html, Role, Site, Topic, Topics};
use formula::FormulaParser;
use formula::mathml::{self, Label, MathmlOptions, write_mathml};
use formula::opt::content::write_content_mathml;
use ingest::documents::{SampleTopic, read_topics};
use latex::Mode;
use markup::{Cleaner, Display, Dollars, Markup};

/// The topics as they were written, in the order of their numbers.
#[must_use]
pub fn topics() -> Vec<SampleTopic> {
    read_topics(include_str!("../data/topics.md")).expect("the topics are ours, and a test reads them")
}

/// The topics of Task 1, which are those of Task 3 too, with all their formulas.
///
/// Formulas have the ids `q_1`, `q_2` and so on, over all topics in order.
#[must_use]
pub fn question_topics() -> Topics {
    let mut converter = Converter::default();
    let list = topics().iter().map(|topic| converter.topic(topic)).collect();
    Topics::new(list).expect("the reader of topics takes no id twice")
}

/// The topics of Task 2: `B.1` looks for a formula of `A.1`.
#[must_use]
pub fn formula_topics() -> Topics {
    let questions = question_topics();
    let list = topics().into_iter().zip(&questions).map(|(written, question)| {
        let mut topic = question.clone();
        topic.id = formula_topic(&written.id).as_str().into();
        topic.formulas.retain(|formula| formula.latex.as_deref() == Some(written.formula.as_str()));
        // Where it stands twice, the body is what people read for its own sake.
        let first_in_body = topic.formulas.iter().position(|formula| formula.site == Some(Site::Body));
        let mut query = topic.formulas.swap_remove(first_in_body.unwrap_or_default());
        query.role = Role::Query;
        topic.formulas = vec![query];
        topic
    });
    Topics::new(list.collect()).expect("the reader of topics takes no id twice")
}

/// The id of the topic of Task 2 that asks for the formula of a topic of Task 1.
pub(crate) fn formula_topic(question: &str) -> String {
    question.replacen('A', "B", 1)
}

/// Makes topics one after another and counts their formulas.
struct Converter {
    cleaner: Cleaner,
    parser: FormulaParser,
    formulas: usize,
}

impl Default for Converter {
    fn default() -> Self {
        Self { cleaner: Cleaner::new(), parser: FormulaParser::default(), formulas: 0 }
    }
}

impl Converter {
    fn topic(&mut self, written: &SampleTopic) -> Topic {
        let mut topic = Topic::new(written.id.as_str());
        let title = self.html(&written.title, Site::Title, &mut topic.formulas);
        // A title is a line and no paragraph.
        let line = title.trim().strip_prefix("<p>").and_then(|line| line.strip_suffix("</p>"));
        topic.title = Some(Html::new(line.unwrap_or(&title)));
        let question = self.html(&written.body, Site::Body, &mut topic.formulas);
        topic.question = Some(Html::new(question.trim()));
        topic.tags.clone_from(&written.tags);
        topic
    }

    /// Markdown as HTML in which formulas are marked by spans, as the labs do it.
    fn html(&mut self, markdown: &str, site: Site, formulas: &mut Vec<Formula>) -> String {
        let cleaned = self.cleaner.clean(markdown, Markup::Markdown, Dollars::Math);
        markup::expand(&cleaned.html, |k, out| {
            let found = &cleaned.formulas[k];
            self.formulas += 1;
            let id = format!("q_{}", self.formulas);
            let dollars = if found.display == Display::Block { "$$" } else { "$" };
            let latex = found.latex.trim();
            let shown = Html::from_text(latex);
            out.push_str(&format!(
                "<span class=\"math-container\" id=\"{id}\">{dollars}{shown}{dollars}</span>"
            ));
            formulas.push(self.formula(FormulaId::new(id), latex, found.display, site));
        })
    }

    fn formula(&mut self, id: FormulaId, latex: &str, display: Display, site: Site) -> Formula {
        let mut formula = Formula::new(Role::Context);
        formula.id = Some(id);
        formula.site = Some(site);
        let display = match display {
            Display::Inline => mathml::Display::Inline,
            Display::Block => mathml::Display::Block,
        };
        let mut parsed = self.parser.parse_latex(latex, Mode::Document);
        let options = MathmlOptions { display, label: Label::None, ..MathmlOptions::default() };
        formula.presentation_mathml = parsed.layout().map(|parse| write_mathml(&parse.tree, latex, options));
        formula.content_mathml = Some(write_content_mathml(parsed.opt_by_meaning()));
        formula.latex = Some(latex.to_owned());
        formula
    }
}
