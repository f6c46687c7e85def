//! What do the lab's files say of the topics?

use crate::choose::Picked;
use crate::near::{Alike, Earlier};
use crate::question::{Maker, Shown};
use crate::{Candidates, Chosen, Error, Plan};
use formats::{
    Formula, FormulaId, LineEnd, Representation, Role, Topic, TopicFormat, Topics, write_topic_formulas,
    write_topics,
};
use std::fmt::Write;

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

/// The names of the files of topics, in the order in which they are made.
pub const NAMES: [&str; 6] = [
    "Topics_Task1.xml",
    "Topics_Task2.xml",
    "Topics_Formulas_Latex.tsv",
    "Topics_Formulas_SLT.tsv",
    "Topics_Formulas_OPT.tsv",
    "topic_info.tsv",
];

/// Makes the files of topics that were chosen by a plan.
///
/// # Errors
///
/// When the collection is damaged, or two topics have one id.
pub fn files(plan: &Plan<'_>, chosen: &Chosen<'_>, numbering: &Numbering) -> Result<Files, Error> {
    let mut maker = Maker::new(plan.source());
    let (mut first, mut second, mut tables) = (Vec::new(), Vec::new(), Vec::new());
    let mut info = INFO_COLUMNS.join("\t");
    info.push('\n');
    for (at, picked) in chosen.topics.iter().enumerate() {
        let [one, two] = numbering.ids(at);
        let topic = maker.topic(picked.candidate.post, &one, &Shown::default())?;
        let mut asked = Topic { formulas: Vec::new(), thread: None, ..topic.clone() };
        let query = &topic.formulas[picked.candidate.query];
        push_info(&mut info, &one, picked, query.id.as_ref().map_or("", FormulaId::as_str), plan.earlier);
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

const INFO_COLUMNS: [&str; 22] = [
    "topic",
    "question",
    "duplicates",
    "type",
    "difficulty",
    "dependence",
    "complexity",
    "multi-part",
    "element",
    "elements",
    "question_elements",
    "score",
    "answers",
    "comments",
    "views",
    "terms",
    "formulas",
    "formula_id",
    "nearest_earlier",
    "quality",
    "round",
    "why",
];

fn push_info(out: &mut String, topic: &str, picked: &Picked<'_>, formula: &str, earlier: &[Earlier]) {
    let Picked { candidate, round } = picked;
    let nearest = candidate.nearest.and_then(|(at, share)| earlier.get(at).map(|topic| (topic, share)));
    let nearest =
        nearest.map_or_else(String::new, |(earlier, share)| format!("{} {share:.3}", earlier.topic));
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
        stratum.element.to_string(),
        candidate.query_elements.to_string(),
        candidate.elements.to_string(),
        number(candidate.score.map(|score| score.to_string())),
        number(candidate.answers.map(|answers| answers.to_string())),
        number(candidate.comments.map(|comments| comments.to_string())),
        number(candidate.views.map(|views| views.to_string())),
        candidate.terms.to_string(),
        candidate.formulas.to_string(),
        formula.to_owned(),
        nearest,
        format!("{:.3}", candidate.quality),
        round.to_string(),
        why,
    ];
    // Only ids and labels come from outside; a tab in one would part it.
    let cells = cells.map(|cell| cell.replace(['\t', '\n', '\r'], " "));
    let _ = writeln!(out, "{}", cells.join("\t"));
}

/// The name of the table of questions that resemble topics of earlier years.
pub const LEFT_OUT: &str = "left_out.tsv";

/// The questions that were left out because they resemble topics of earlier years, each with the topic that it
/// resembles and why.
#[must_use]
pub fn left_out(plan: &Plan<'_>, candidates: &Candidates) -> String {
    let mut out = "question\ttitle\tearlier_topic\tfile\treason\tshare\n".to_owned();
    for question in &candidates.left_out {
        let Some(earlier) = plan.earlier.get(question.earlier) else { continue };
        let share = match question.why {
            Alike::Traits(share) => format!("{share:.3}"),
            _ => String::new(),
        };
        let cells = [
            &question.question,
            &question.title,
            &earlier.topic,
            &earlier.file,
            &question.why.to_string(),
            &share,
        ];
        let cells = cells.map(|cell| cell.replace(['\t', '\n', '\r'], " "));
        let _ = writeln!(out, "{}", cells.join("\t"));
    }
    out
}
