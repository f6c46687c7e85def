//! `hypatia check`: is this a valid submission to the lab?

mod inputs;
mod mend;
mod print;

use crate::{Exit, Run, output};
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use formats::check::{self, Checked, Columns, Options, Severity, Submission, Task, TeamFile};
use std::num::NonZeroUsize;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Says whether runs are valid submissions to the lab. The program leaves with 0 when all \
files are valid, with 1 when one is not, and with 2 when one could not be read.

The task is taken from the name of the file, which follows \
[group]-[task]-[id]-[run-type]-[data]-[ans-type]-[eval].tsv: task1, task2 or task3; \
manual or auto; text, math or both; in Task 3 extract or generate; P for the primary run, \
A for others. Columns are parted by tabs: topic, post, rank, score, tag in Task 1; topic, \
formula, post, rank, score, tag in Task 2; topic, rank, score, tag, sources, answer in \
Task 3. Files packed with gzip are unpacked.

Errors make a file invalid. Hits that break a rule of the guidelines are filtered by the lab, which \
keeps the rest of the run: posts that are no answers in Task 1, formulas in comments or not in the \
collection in Task 2, answers of more than 1,200 characters or with dollar signs that have no partner \
in Task 3. --formulas or --collection says what posts are and where formulas stand. With --strict, \
filtered hits and warnings make a file invalid, too. Several files are also held \
against each other: at most five runs of a team in a task, one of them primary, no run \
id twice, no file twice.

With --fix, a corrected copy is written and checked again: separators, line ends, byte \
order mark, header, blank lines, TREC's columns, ranks (counted anew by falling score, \
which is what measures go by), the lower of two rows for a document, rows beyond the limit, hits that the \
lab filters. \
Files are never overwritten. What cannot be mended without guessing is said and left to you. \
Where a copy was written, the exit code is about the copy.

--format json prints an array with an object for each file: 'file', 'task', 'valid', \
'errors', 'filtered', 'warnings', 'findings' (each with 'severity', 'rule', 'line', 'column', 'text', \
'fix'; line and column are null where there is none), with --fix also 'mended' ('file', \
'changes', 'refused', and again 'valid' to 'findings'), and for a \
file that could not be read only 'file' and 'unreadable'.";

const EXAMPLES: &str = "\
Examples:
  hypatia check us-task1-bm25-auto-both-P.tsv           the name says the task
  hypatia check us-task1-*.tsv --qrels topics.txt       all runs of a team, all topics
  hypatia check run.txt --task 2 --formulas latex.tsv   formulas are where the run says
  hypatia check us-task1-*.tsv --collection math.coll   posts are answers of the collection
  hypatia check run.trec --task 1 --columns trec        TREC's columns are meant
  hypatia check us-task1-*.tsv --fix -o mended          corrected copies in a folder
  zcat run.gz | hypatia check - --task 3 --strict       for scripts: only the exit code
  hypatia check us-*.tsv --format json | jq '.[] | select(.valid | not) | .file'";

/// Say whether runs are valid submissions, and what is wrong with them
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Check {
    /// Runs to check; '-' for standard input
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,

    /// The task, whatever the names of the files say
    #[arg(long, value_name = "TASK")]
    task: Option<TaskNumber>,

    /// The columns that the files shall have
    #[arg(long, value_name = "COLUMNS", default_value = "lab")]
    columns: ColumnNames,

    /// Topics that shall have results: judgments, or a list with one topic id a line
    ///
    /// A list is taken for all topics, so that others are errors; with judgments, others are
    /// said to count nowhere.
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,

    /// The lab's topics, in any of its forms: each shall have results, and others are errors
    #[arg(long, value_name = "FILE", conflicts_with = "qrels")]
    topics: Option<PathBuf>,

    /// A table of formulas with the columns id, post_id and type; may be given several times
    #[arg(long, value_name = "TABLE")]
    formulas: Vec<PathBuf>,

    /// The collection, or an index of it: what is returned is held against its posts and formulas
    #[arg(long, value_name = "COLLECTION", conflicts_with = "formulas")]
    collection: Option<PathBuf>,

    /// How many results a topic may have [default: 1000; NTCIR-10 took 100]
    #[arg(long, value_name = "N")]
    limit: Option<NonZeroUsize>,

    /// Take warnings for errors
    #[arg(long)]
    strict: bool,

    /// Show all findings, not only the first five of each rule
    #[arg(long)]
    all: bool,

    /// Write corrected copies, named *.fixed.tsv, and check them
    #[arg(long)]
    fix: bool,

    /// The folder for corrected copies, which keep their names there; made if need be
    #[arg(short = 'o', long = "output", value_name = "DIR", requires = "fix")]
    output: Option<PathBuf>,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

/// A task of the lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TaskNumber {
    /// Answers to questions
    #[value(name = "1")]
    One,
    /// Formulas like a formula
    #[value(name = "2")]
    Two,
    /// Written answers
    #[value(name = "3")]
    Three,
}

impl TaskNumber {
    pub(crate) fn task(self) -> Task {
        match self {
            Self::One => Task::Task1,
            Self::Two => Task::Task2,
            Self::Three => Task::Task3,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColumnNames {
    /// Those of the task; TREC's are taken with a warning
    Lab,
    /// Topic, Q0, document, rank, score, tag, parted by tabs or blanks
    Trec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Findings by file, then whether it is valid
    Text,
    /// An array of objects, one a file
    Json,
}

/// Whether warnings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rigour {
    Lenient,
    Strict,
}

impl Rigour {
    fn is_valid(self, checked: &Checked) -> bool {
        match self {
            Self::Lenient => checked.count(Severity::Error) == 0,
            Self::Strict => checked.findings.is_empty(),
        }
    }
}

/// A file that was read, what was found, and what became of it.
struct Report {
    submission: Submission,
    checked: Checked,
    mended: Option<mend::Copy>,
}

impl Report {
    /// Whether the file, or its corrected copy if there is one, is valid.
    fn is_valid(&self, rigour: Rigour) -> bool {
        let copy = self.mended.as_ref().and_then(|copy| copy.written.as_ref());
        rigour.is_valid(copy.map_or(&self.checked, |written| &written.checked))
    }
}

/// What happened to a file.
type Outcome = std::result::Result<Report, Unreadable>;

/// A file that could not be read, and why.
struct Unreadable {
    file: String,
    reason: String,
}

impl Run for Check {
    fn run(self) -> Result<Exit> {
        ensure!(
            self.task != Some(TaskNumber::Three) || self.formulas.is_empty(),
            "--formulas has no effect on Task 3"
        );
        ensure!(
            self.task != Some(TaskNumber::Three) || self.collection.is_none(),
            "--collection has no effect on Task 3"
        );
        ensure!(
            self.task != Some(TaskNumber::Three) || self.columns == ColumnNames::Lab,
            "--columns has no effect on Task 3"
        );
        let is_input = |path: &&PathBuf| path.as_os_str() == "-";
        let inputs = self.runs.iter().filter(is_input).count();
        ensure!(inputs < 2, "standard input can be read once");
        ensure!(inputs == 0 || !self.fix, "--fix needs files: a copy of standard input has no name");
        let topics = match (&self.topics, &self.qrels) {
            (Some(path), _) => Some(inputs::read_topic_file(path)?),
            (None, path) => path.as_deref().map(inputs::read_topics).transpose()?,
        };
        let known = inputs::Known::read(&self.formulas, self.collection.as_deref())?;
        let options = Options {
            task: self.task.map(TaskNumber::task),
            columns: match self.columns {
                ColumnNames::Lab => Columns::Lab,
                ColumnNames::Trec => Columns::Trec,
            },
            most_results: self.limit.map(NonZeroUsize::get),
            topics: topics.as_ref().map(inputs::KnownTopics::topics),
            lookup: known.as_ref().map(|known| known as &dyn check::CollectionLookup),
        };
        let mut outcomes: Vec<Outcome> = Vec::new();
        for path in &self.runs {
            outcomes.push(inputs::read_submission(path).map(|submission| {
                let checked = check::check(&submission, &options);
                Report { submission, checked, mended: None }
            }));
        }
        if let Some(known) = &known {
            known.sound()?;
        }
        self.hold_together(&mut outcomes);
        if self.fix {
            self.write_copies(&mut outcomes, &options)?;
        }
        let rigour = if self.strict { Rigour::Strict } else { Rigour::Lenient };
        let out = match self.format {
            Format::Text => {
                let shown = if self.all { usize::MAX } else { print::SHOWN };
                print::text(&outcomes, rigour, shown)
            }
            Format::Json => print::json(&outcomes, rigour),
        };
        output::print(out.as_bytes())?;
        self.answer(&outcomes, rigour)
    }
}

impl Check {
    /// The rules over all files; their findings join those of each file.
    fn hold_together(&self, outcomes: &mut [Outcome]) {
        let read: Vec<usize> = (0..outcomes.len()).filter(|index| outcomes[*index].is_ok()).collect();
        let files: Vec<TeamFile<'_>> = outcomes
            .iter()
            .flatten()
            .map(|report| TeamFile {
                label: &report.submission.label,
                name: report.checked.name.as_ref(),
                text: &report.submission.text,
            })
            .collect();
        for (file, finding) in check::together(&files) {
            if let Ok(report) = &mut outcomes[read[file]] {
                let at = report.checked.findings.partition_point(|other| other.place <= finding.place);
                report.checked.findings.insert(at, finding);
            }
        }
    }

    /// Mends all files, and writes copies only if none would take another's place.
    fn write_copies(&self, outcomes: &mut [Outcome], options: &Options<'_>) -> Result<()> {
        let dir = self.output.as_deref();
        let plan = |(path, outcome): (&PathBuf, &Outcome)| {
            outcome.as_ref().ok().map(|report| mend::plan(path, dir, report, options))
        };
        let plans: Vec<Option<mend::Plan>> = self.runs.iter().zip(&*outcomes).map(plan).collect();
        mend::ensure_free(plans.iter().flatten())?;
        for (plan, outcome) in plans.into_iter().zip(outcomes) {
            if let (Some(plan), Ok(report)) = (plan, outcome) {
                report.mended = Some(mend::write(plan, report, options)?);
            }
        }
        Ok(())
    }

    fn answer(&self, outcomes: &[Outcome], rigour: Rigour) -> Result<Exit> {
        let unreadable: Vec<&Unreadable> =
            outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).collect();
        match unreadable.as_slice() {
            [] => {}
            [one] => bail!("{}", one.reason),
            several => {
                for one in several {
                    output::note(&format!("hypatia: {}", one.reason));
                }
                bail!("{} files could not be read", several.len());
            }
        }
        let valid = outcomes.iter().flatten().all(|report| report.is_valid(rigour));
        Ok(if valid { Exit::Yes } else { Exit::No })
    }
}
