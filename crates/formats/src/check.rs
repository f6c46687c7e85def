//! Is this file a valid submission to the lab?
//!
//! A file is read once into a [`Submission`]; [`check`] holds it against the
//! rules and lists what it finds, each with its place and how to mend it,
//! [`filter()`] takes out the hits that the lab filters, and [`mend()`] makes a
//! corrected text where that is safe. [`together`] looks at
//! all the files of a team. Nothing here opens files or prints.

mod answers;
mod documents;
mod file_name;
mod filter;
mod finding;
mod lookup;
mod mend;
mod rows;
mod scores;
mod submission;
mod team;
mod topics;

pub use file_name::{AnswerType, Data, Departure, Evaluation, NameError, RunType, SubmissionName, Task};
pub use filter::{Filtered, FilteredHit, filter};
pub use finding::{Finding, RuleId, Severity, Spot};
pub use lookup::{CollectionLookup, FormulaPlace, FormulaTable, PostKind};
pub use mend::{Change, Mended, Refusal, mend};
pub use submission::Submission;
pub use team::{TeamFile, together};
pub use topics::Topics;

use finding::Findings;

/// How many results a topic may have in ARQMath and NTCIR-12.
pub const MOST_RESULTS: usize = 1000;

/// How many formula instances a topic could have in NTCIR-10.
pub const MOST_RESULTS_NTCIR10: usize = 100;

/// Which columns a run shall have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Columns {
    /// The lab's; TREC's are taken, with a warning.
    #[default]
    Lab,
    /// TREC's six, as the measures read them, parted by tabs or blanks.
    Trec,
}

/// What to hold a file against beside its own name.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// The task, whatever the name of the file says.
    pub task: Option<Task>,
    /// The columns.
    pub columns: Columns,
    /// How many results a topic may have, where it is not [`MOST_RESULTS`].
    pub most_results: Option<usize>,
    /// The topics of the task.
    pub topics: Option<Topics<'a>>,
    /// What is known of the collection.
    pub lookup: Option<&'a dyn CollectionLookup>,
}

impl Options<'_> {
    fn most_results(&self) -> usize {
        self.most_results.unwrap_or(MOST_RESULTS)
    }
}

impl std::fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Options").field("task", &self.task).field("columns", &self.columns).finish()
    }
}

/// A file that was checked.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The task it was checked for.
    pub task: Task,
    /// What its name says, if the name follows the convention.
    pub name: Option<SubmissionName>,
    /// What was found, in the order of the file; what is about the whole file comes first.
    pub findings: Vec<Finding>,
}

impl Checked {
    /// How many findings have a severity.
    #[must_use]
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }
}

/// Holds a file against the rules.
///
/// ```
/// use formats::check::{Options, Submission, check};
/// let text = "A.1\t42\t1\t0.5\tbm25\nA.1\t42\t2\t0.4\tbm25\n";
/// let name = "us-task1-bm25-auto-both-P.tsv";
/// let checked = check(&Submission::read(name, Some(name), text)?, &Options::default());
/// let shown: Vec<String> = checked.findings.iter().map(|finding| finding.line(name)).collect();
/// assert_eq!(shown, [
///     "us-task1-bm25-auto-both-P.tsv:2:5: error[duplicate]: document 42 was returned for topic A.1 \
///      before, on line 1",
/// ]);
/// # Ok::<(), formats::Error>(())
/// ```
#[must_use]
pub fn check(submission: &Submission, options: &Options<'_>) -> Checked {
    let mut findings = Findings::default();
    let (task, name) = file_name::check(submission, options.task, &mut findings);
    submission::check(submission, task, &mut findings);
    match task {
        Task::Task3 => answers::check(submission, name.as_ref(), options, &mut findings),
        Task::Task1 | Task::Task2 => {
            let rows = rows::read(&submission.text, task, options.columns, &mut findings);
            scores::check(&rows, options.most_results(), &mut findings);
            documents::check(&rows, task, options.lookup, &mut findings);
            topics::check(&rows.topics(), task, options.topics, &mut findings);
            documents::check_tags(rows.tags(), submission, name.as_ref(), &mut findings);
            rows::check_reader(submission, task, &rows, &mut findings);
        }
    }
    Checked { task, name, findings: findings.sorted() }
}
