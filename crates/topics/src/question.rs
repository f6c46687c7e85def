//! A question of a collection as a topic of a lab.

use crate::Error;
use formats::{Formula, FormulaId, Html, Role, Site, Topic};
use formula::FormulaParser;
use formula::mathml::{Display, Label, MathmlOptions, write_mathml};
use formula::opt::content::write_content_mathml;
use latex::Mode;
use post::FormulaTexts;
use store::{Collection, FormulaMarks, FormulaNo, Part, PostNo, Reader, Shortened, VisualNo};

/// How the cells of the labs begin.
const NAMESPACED: &str = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" ";

/// How a question is shown where it is not shown as it stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown<'s> {
    /// Its text with something taken out.
    pub(crate) body: Option<Shortened>,
    /// Formulas that look like this are written in another way.
    pub(crate) rewritten: Option<(VisualNo, &'s str)>,
}

/// Makes topics of questions; formulas are numbered over all of them.
pub(crate) struct Maker<'c> {
    source: &'c Collection,
    reader: Reader<'c>,
    texts: FormulaTexts,
    parser: FormulaParser,
    /// How many formulas have ids.
    formulas: u32,
}

impl<'c> Maker<'c> {
    pub(crate) fn new(source: &'c Collection) -> Self {
        Self {
            source,
            reader: source.reader(),
            texts: FormulaTexts::default(),
            parser: FormulaParser::default(),
            formulas: 0,
        }
    }

    /// The topic of Task 1 with all its formulas.
    pub(crate) fn topic(&mut self, question: PostNo, id: &str, shown: &Shown<'_>) -> Result<Topic, Error> {
        let post = self.reader.post(question)?;
        let mut topic = Topic::new(id);
        topic.thread = Some(post.id.to_string());
        topic.tags = post.tags.iter().map(|tag| tag.replace(',', " ")).collect();
        let mut spans = Vec::new();
        let mut in_body = 0;
        for number in self.source.formulas_of_post(question).map(FormulaNo) {
            if self.source.formula_marks(number).part() != Part::Title {
                in_body += 1;
                let kept = shown.body.as_ref().and_then(|body| body.kept.get(in_body - 1));
                if kept == Some(&false) {
                    continue;
                }
            }
            let (formula, span) = self.formula(number, shown)?;
            topic.formulas.push(formula);
            spans.push(span);
        }
        let mut next = 0;
        let mut html = |text: &str| {
            let html = markup::expand(text, |_, out| {
                out.push_str(spans.get(next).map_or("", String::as_str));
                next += 1;
            });
            Some(html).filter(|html| !html.trim().is_empty()).map(|html| Html::new(without_controls(&html)))
        };
        topic.title = html(post.title.as_deref().unwrap_or_default());
        topic.question = html(shown.body.as_ref().map_or(&post.body, |body| &body.html));
        Ok(topic)
    }

    /// The id of the next formula.
    pub(crate) fn next_id(&mut self) -> FormulaId {
        self.formulas += 1;
        FormulaId::new(format!("q_{}", self.formulas))
    }

    /// A formula in all its forms, and as it stands in the text.
    fn formula(&mut self, number: FormulaNo, shown: &Shown<'_>) -> Result<(Formula, String), Error> {
        let id = self.next_id();
        let marks = self.source.formula_marks(number);
        let form = self.source.formula_form(number);
        let visual = self.source.form_visual(form);
        let latex = match shown.rewritten {
            Some((rewritten, latex)) if rewritten == visual => latex.to_owned(),
            _ => without_controls(&self.texts.latex(&mut self.reader, form)?),
        };
        let mut formula = Formula::new(Role::Context);
        formula.site = Some(if marks.part() == Part::Title { Site::Title } else { Site::Body });
        let is_block = marks.has(FormulaMarks::BLOCK);
        let dollars = match latex.as_str() {
            "" => "",
            latex if is_environment(latex) => "",
            _ if is_block => "$$",
            _ => "$",
        };
        let text = Html::from_text(&latex);
        let span = format!(
            "<span class=\"math-container\" id=\"{}\">{dollars}{}{dollars}</span>",
            id.as_str(),
            text.as_str()
        );
        formula.id = Some(id);
        if !latex.is_empty() {
            let mut parsed = self.parser.parse_latex(&latex, Mode::Document);
            let display = if is_block { Display::Block } else { Display::Inline };
            let options = MathmlOptions { display, label: Label::None, ..MathmlOptions::default() };
            let mathml = parsed.layout().map(|parse| write_mathml(&parse.tree, &latex, options));
            // Outside of pages an element needs its namespace, and the labs' cells have it.
            formula.presentation_mathml = mathml.map(|mathml| mathml.replacen("<math ", NAMESPACED, 1));
            formula.content_mathml = Some(write_content_mathml(parsed.opt_of_labs()));
            formula.latex = Some(latex);
        }
        Ok((formula, span))
    }
}

/// Whether LaTeX is an environment that stands without dollars.
fn is_environment(latex: &str) -> bool {
    let names = ["align", "alignat", "equation", "gather", "multline", "eqnarray", "flalign"];
    latex.trim_start().strip_prefix("\\begin{").is_some_and(|rest| {
        let name = rest.split(['}', '*']).next().unwrap_or_default();
        names.contains(&name)
    })
}

/// The text without characters that XML cannot hold, and with plain line ends.
pub(crate) fn without_controls(text: &str) -> String {
    let bad = |c: char| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    if !text.contains(bad) {
        return text.to_owned();
    }
    text.replace("\r\n", "\n").chars().map(|c| if bad(c) { ' ' } else { c }).collect()
}
