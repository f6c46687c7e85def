//! The collection as files: threads, topics, judgments.

use std::borrow::Cow;
use std::fmt::Write as _;

use formats::{LineEnd, Representation, TopicFormat, Topics, Written, write_topic_formulas, write_topics};

use crate::topics::formula_topic;
use crate::{Judgment, formula_topics, question_topics, task1, task2, threads, topics};

/// A file of the sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path with `/`, below the folder of the sample.
    pub path: String,
    /// What it says.
    pub text: Cow<'static, str>,
}

/// All files but the judgments of formulas by visual id, which only a built
/// collection can tell: see [`qrels_task2`](crate::qrels_task2).
///
/// # Errors
///
/// When the topics cannot be written in the labs' formats, which a test rules out.
pub fn files() -> Result<Vec<File>, formats::Error> {
    let mut files: Vec<File> = threads()
        .iter()
        .map(|part| File { path: format!("threads/{}", part.name), text: Cow::Borrowed(part.text) })
        .collect();
    let mut add =
        |path: &str, text: String| files.push(File { path: path.to_owned(), text: Cow::Owned(text) });
    let questions = question_topics();
    add("topics/Topics_Task1.xml", xml(&questions)?.text);
    add("topics/Topics_Task2.xml", xml(&formula_topics())?.text);
    let tables = [
        ("topics/Topics_Formulas_Latex.tsv", Representation::Latex),
        ("topics/Topics_Formulas_SLT.tsv", Representation::PresentationMathml),
        ("topics/Topics_Formulas_OPT.tsv", Representation::ContentMathml),
    ];
    for (path, representation) in tables {
        add(path, write_topic_formulas(&questions, representation, LineEnd::Lf)?.text);
    }
    add("topics/topic_labels_task1.tsv", labels(&str::to_owned));
    add("topics/topic_labels_task2.tsv", labels(&formula_topic));
    add("qrels/task1.qrels", qrels(&task1()));
    add("judgments/task1.tsv", table(&task1()));
    add("judgments/task2.tsv", table(&task2()));
    Ok(files)
}

fn xml(topics: &Topics) -> Result<Written, formats::Error> {
    write_topics(topics, TopicFormat::ArqmathXml, LineEnd::Lf)
}

/// What is known of topics, in a form that [`formats::read_labels`] reads.
fn labels(id: &dyn Fn(&str) -> String) -> String {
    let mut table = "Topic\tType\tDifficulty\tDependence\tComplexity\tDuplicate-of\n".to_owned();
    for topic in topics() {
        let (kind, difficulty, dependence) = (&topic.kind, &topic.difficulty, &topic.dependence);
        let (complexity, duplicates) = (&topic.complexity, topic.duplicate_of.join(" "));
        let id = id(&topic.id);
        writeln!(table, "{id}\t{kind}\t{difficulty}\t{dependence}\t{complexity}\t{duplicates}")
            .expect("strings take all");
    }
    table
}

fn qrels(judgments: &[Judgment]) -> String {
    let mut qrels = String::new();
    for Judgment { topic, item, grade, .. } in judgments {
        writeln!(qrels, "{topic}\t0\t{item}\t{grade}").expect("strings take all");
    }
    qrels
}

/// Judgments with their reasons; no field holds a tab or begins with a quote.
fn table(judgments: &[Judgment]) -> String {
    let mut table = "topic\titem\tgrade\treason\n".to_owned();
    for Judgment { topic, item, grade, reason } in judgments {
        writeln!(table, "{topic}\t{item}\t{grade}\t{reason}").expect("strings take all");
    }
    table
}
