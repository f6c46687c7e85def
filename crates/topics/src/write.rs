//! What do the lab's files say of the topics?

use crate::choose::Picked;
use crate::{Candidate, Chosen, Error};
use collection::{
    Formula, FormulaId, Html, LineEnd, Representation, Role, Site, Topic, TopicFormat, Topics,
    write_topic_formulas, write_topics,
};
use formula::mathml::{Display, Label, MathmlOptions, write_mathml};
use formula::opt::content::write_content_mathml;
use formula::opt::{Opt, labs::LabsOpt};
use formula::slt::{LatexToSlt, Slt};
use latex::Mode;
use std::fmt::Write;
use store::{Collection, FormulaMarks, FormulaNo, Part, Reader};

/// How the cells of the labs begin.
const NAMESPACED: &str = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" ";

/// How topics are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbering {
    /// What ids of Task 1 begin with: `A`.
    pub prefix: String,
    /// What ids of Task 2 begin with: `B`.
    pub formula_prefix: String,
    /// The first number.
    pub start: u32,
}

impl Default for Numbering {
    fn default() -> Self {
        Self { prefix: "A".to_owned(), formula_prefix: "B".to_owned(), start: 301 }
    }
}

impl Numbering {
    /// The ids in both tasks of the topic that was chosen after so many others.
    #[must_use]
    pub fn ids(&self, at: usize) -> [String; 2] {
        let number = u64::from(self.start) + at as u64;
        [&self.prefix, &self.formula_prefix].map(|prefix| format!("{prefix}.{number}"))
    }
}

/// A file: its name and its content.
pub type NamedFile = (&'static str, String);

/// The files of a set of topics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Files {
    /// Names and contents.
    pub list: Vec<NamedFile>,
}

/// The names of the files, in the order in which they are made.
pub const NAMES: [&str; 6] = [
    "Topics_Task1.xml",
    "Topics_Task2.xml",
    "Topics_Formulas_Latex.tsv",
    "Topics_Formulas_SLT.tsv",
    "Topics_Formulas_OPT.tsv",
    "topic_info.tsv",
];

/// Makes the files of topics; `source` is the collection that they were chosen from.
///
/// # Errors
///
/// When the collection is damaged, or two topics have one id.
pub fn files(source: &Collection, chosen: &Chosen<'_>, numbering: &Numbering) -> Result<Files, Error> {
    let mut maker = Maker {
        source,
        reader: source.reader(),
        latex: latex::Reader::default(),
        to_slt: LatexToSlt::default(),
        labs: LabsOpt::default(),
        formulas: 0,
    };
    let (mut first, mut second, mut tables) = (Vec::new(), Vec::new(), Vec::new());
    let mut info = INFO_COLUMNS.join("\t");
    info.push('\n');
    for (at, picked) in chosen.topics.iter().enumerate() {
        let [one, two] = numbering.ids(at);
        let topic = maker.topic(picked.candidate, &one)?;
        let mut asked = Topic { formulas: Vec::new(), thread: None, ..topic.clone() };
        let query = &topic.formulas[picked.candidate.query];
        push_info(&mut info, &one, picked, query.id.as_ref().map_or("", FormulaId::as_str));
        first.push(asked.clone());
        asked.id = two.as_str().into();
        let query = Formula { id: query.id.clone(), latex: query.latex.clone(), ..Formula::new(Role::Query) };
        asked.formulas.push(query);
        second.push(asked);
        tables.push(topic);
    }
    let (first, second, tables) = (Topics::new(first)?, Topics::new(second)?, Topics::new(tables)?);
    let xml = |topics: &Topics| write_topics(topics, TopicFormat::ArqmathXml, LineEnd::Lf);
    let table = |representation| write_topic_formulas(&tables, representation, LineEnd::Lf);
    let contents = [
        xml(&first)?.text,
        xml(&second)?.text,
        table(Representation::Latex)?.text,
        table(Representation::PresentationMathml)?.text,
        table(Representation::ContentMathml)?.text,
        info,
    ];
    Ok(Files { list: NAMES.into_iter().zip(contents).collect() })
}

struct Maker<'c> {
    source: &'c Collection,
    reader: Reader<'c>,
    latex: latex::Reader,
    to_slt: LatexToSlt,
    labs: LabsOpt,
    /// How many formulas have ids.
    formulas: u32,
}

impl Maker<'_> {
    /// The topic of Task 1 with all its formulas.
    fn topic(&mut self, candidate: &Candidate, id: &str) -> Result<Topic, Error> {
        let post = self.reader.post(candidate.post)?;
        let mut topic = Topic::new(id);
        topic.thread = Some(candidate.id.clone());
        topic.tags = post.tags.iter().map(|tag| tag.replace(',', " ")).collect();
        let mut spans = Vec::new();
        for number in self.source.formulas_of_post(candidate.post).map(FormulaNo) {
            let (formula, span) = self.formula(number)?;
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
        topic.question = html(&post.body);
        Ok(topic)
    }

    /// A formula in all its forms, and as it stands in the text.
    fn formula(&mut self, number: FormulaNo) -> Result<(Formula, String), Error> {
        self.formulas += 1;
        let id = format!("q_{}", self.formulas);
        let marks = self.source.formula_marks(number);
        let latex = without_controls(self.reader.latex(self.source.formula_form(number))?);
        let mut formula = Formula::new(Role::Context);
        formula.id = Some(FormulaId::new(id.as_str()));
        formula.site = Some(if marks.part() == Part::Title { Site::Title } else { Site::Body });
        let is_block = marks.has(FormulaMarks::BLOCK);
        let dollars = match latex.as_str() {
            "" => "",
            latex if is_environment(latex) => "",
            _ if is_block => "$$",
            _ => "$",
        };
        let shown = Html::from_text(&latex);
        let span =
            format!("<span class=\"math-container\" id=\"{id}\">{dollars}{}{dollars}</span>", shown.as_str());
        if !latex.is_empty() {
            let parse = self.latex.read(latex.as_bytes(), Mode::Document);
            let display = if is_block { Display::Block } else { Display::Inline };
            let options = MathmlOptions { display, label: Label::None, ..MathmlOptions::default() };
            let mathml = write_mathml(&parse.tree, &latex, options);
            // Outside of pages an element needs its namespace, and the labs' cells have it.
            formula.presentation_mathml = Some(mathml.replacen("<math ", NAMESPACED, 1));
            let (mut slt, mut opt) = (Slt::default(), Opt::default());
            self.to_slt.read(&parse.tree, &mut slt);
            self.labs.read_typed(&slt, &latex, &mut opt);
            formula.content_mathml = Some(write_content_mathml(&opt));
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
fn without_controls(text: &str) -> String {
    let bad = |c: char| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    if !text.contains(bad) {
        return text.to_owned();
    }
    text.replace("\r\n", "\n").chars().map(|c| if bad(c) { ' ' } else { c }).collect()
}

const INFO_COLUMNS: [&str; 17] = [
    "topic",
    "question",
    "duplicates",
    "type",
    "difficulty",
    "dependence",
    "complexity",
    "multi-part",
    "score",
    "answers",
    "views",
    "terms",
    "formulas",
    "formula_id",
    "quality",
    "round",
    "why",
];

fn push_info(out: &mut String, topic: &str, picked: &Picked<'_>, formula: &str) {
    let Picked { candidate, round } = picked;
    let stratum = candidate.stratum;
    let number = |number: Option<String>| number.unwrap_or_default();
    let why = format!("round {round} of {stratum}; quality {:.3}; {}", candidate.quality, candidate.reason);
    let cells = [
        topic.to_owned(),
        candidate.id.clone(),
        candidate.duplicates.join(" "),
        stratum.kind.to_string(),
        stratum.difficulty.to_string(),
        stratum.dependence.to_string(),
        stratum.complexity.to_string(),
        candidate.multi_part.clone(),
        number(candidate.score.map(|score| score.to_string())),
        number(candidate.answers.map(|answers| answers.to_string())),
        number(candidate.views.map(|views| views.to_string())),
        candidate.terms.to_string(),
        candidate.formulas.to_string(),
        formula.to_owned(),
        format!("{:.3}", candidate.quality),
        round.to_string(),
        why,
    ];
    // Only ids and labels come from outside; a tab in one would part it.
    let cells = cells.map(|cell| cell.replace(['\t', '\n', '\r'], " "));
    let _ = writeln!(out, "{}", cells.join("\t"));
}
