//! `hypatia collection topics`: choose topics from a collection

mod print;
mod record;

pub(super) use print::rules;

use crate::output::{self, OutputFolder, WholeFile};
use crate::{Exit, Run};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use formats::{Source, read_labels, read_topics};
use std::fs;
use std::path::PathBuf;
use store::{Collection, Date};
use topics::write::{LEFT_OUT, NAMES, left_out};
use topics::{Bounds, Choice, ElementsOf, Known, Numbering, Period, Plan};

/// The name of the record.
const RECORD: &str = "selection.json";

const LONG_ABOUT: &str = "\
Chooses questions that make good topics, and writes them as a lab does.

A topic is a question of a later period, with a formula, and with a known duplicate in the \
collection, so that something relevant is there to be found. Later questions come from the \
collection itself (--since) or from a collection built from a later dump (--from). Of all \
candidates a varied set is chosen, over type, difficulty, dependence on text or formulas, \
complexity of the formula query, and mathematical elements such as integrals, limits and \
matrices, of the formula query or, with --elements question, of the whole question. \
--explain prints all rules in full. The same options and the same --seed give the same topics.

Near-duplicates of each other are left out, and so are questions that resemble a topic of an \
earlier year (--earlier): the same question or formula query, a common duplicate, or many \
common words and formulas. Each of these is listed with the topic that it resembles. A question \
that has less in common with an earlier topic stays with lower quality.

The soft criteria are numbers of words, formulas, answers, comments and views, and the score. \
Data without views, such as ARQMath's, is reported as such: views then count neither for \
nor against a question, and --min-views is an error.

Type, difficulty and dependence are estimates from words, tags and formulas. Where people \
know better, --labels takes a table with the column 'topic', which holds ids of questions, and \
any of 'type' (Proof, Concept, Computation), 'difficulty' (Low, Medium, High), 'dependence' \
(Text, Formula, Both), 'complexity' (Low, Medium, High), 'element' (Integral, Limit, …) and \
'multi-part'. The topic_info.tsv of a first choice, looked through by people, is a good \
beginning: its column 'question' becomes 'topic' then.

Written are Topics_Task1.xml, Topics_Task2.xml, Topics_Formulas_Latex.tsv, \
Topics_Formulas_SLT.tsv (Presentation MathML), Topics_Formulas_OPT.tsv (Content MathML), \
topic_info.tsv, which says of each topic where it comes from and why it was chosen, left_out.tsv, \
which lists the questions that resemble earlier topics, and selection.json, the record of the \
choice: its options, how many questions fell at each criterion, and the balance. The balance \
shows, for each type, level and element, its share among the candidates and among the topics; \
evenness is 1 where all values are equally frequent. It is printed, too.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection topics math.coll --since 2021-01-01 -o topics/
  hypatia collection topics arqmath.coll --from 2021.coll --earlier Topics_2020.xml \
--earlier Topics_2021.xml -o topics/
  hypatia collection topics math.coll --since 2021-01-01 --count 50 --min-score 3 --seed 7 -o t/
  hypatia collection topics math.coll --since 2021-01-01 --labels seen.tsv -o topics/ --force
  hypatia collection topics math.coll --elements question --min-comments 1 --format json -o topics/
  hypatia collection topics --explain                  the rules, and nothing else";

/// How the summary is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Aligned tables
    Text,
    /// One object, the same as selection.json
    Json,
}

/// Whose mathematical elements make strata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Elements {
    /// Those of the formula query: for formula topics
    Query,
    /// Those of all formulas of the question: for question topics
    Question,
}

/// Choose questions that make good topics, and write them as a lab does
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Topics {
    /// The collection in which systems will search
    #[arg(value_name = "COLLECTION", required_unless_present = "explain")]
    collection: Option<PathBuf>,

    /// The folder for the files; made if need be
    #[arg(short, long, value_name = "DIR", required_unless_present = "explain")]
    output: Option<PathBuf>,

    /// Take questions from this collection, built from a later dump
    #[arg(long, value_name = "COLLECTION")]
    from: Option<PathBuf>,

    /// Take questions asked on this day or later
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<Date>,

    /// Take questions asked before this day
    #[arg(long, value_name = "DATE", value_parser = date)]
    until: Option<Date>,

    /// How many topics, at most
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,

    /// What chance begins with
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Topics of an earlier year: questions that resemble one are left out; may be given several times
    #[arg(long, value_name = "TOPICS")]
    earlier: Vec<PathBuf>,

    /// From this share of common traits on, two questions are near-duplicates
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    alike: f64,

    /// Whose mathematical elements are spread evenly
    #[arg(long, value_enum, default_value_t = Elements::Query)]
    elements: Elements,

    /// What people say of questions: a table with the column 'topic', which holds their ids
    #[arg(long, value_name = "FILE")]
    labels: Option<PathBuf>,

    /// What ids of Task 1 begin with
    #[arg(long, value_name = "PREFIX", default_value = "A", value_parser = prefix)]
    prefix: String,

    /// What ids of Task 2 begin with
    #[arg(long, value_name = "PREFIX", default_value = "B", value_parser = prefix)]
    formula_prefix: String,

    /// The number of the first topic
    #[arg(long, value_name = "N", default_value_t = 301)]
    start: u32,

    /// The fewest words in title and text
    #[arg(long, value_name = "N", default_value_t = 5)]
    min_terms: u32,

    /// The most words in title and text
    #[arg(long, value_name = "N", default_value_t = 300)]
    max_terms: u32,

    /// The fewest formulas
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_formulas: u32,

    /// The most formulas
    #[arg(long, value_name = "N", default_value_t = 50)]
    max_formulas: u32,

    /// The lowest score; questions without one stay, and it is an error if none has one
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    min_score: i32,

    /// The fewest answers; an error in a collection without any
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_answers: u32,

    /// The fewest comments on the question; an error in a collection without any
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_comments: u32,

    /// The fewest views; questions without a count stay, and it is an error if none has one
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_views: u32,

    /// How the summary is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Replace files of the same names, even if this command did not write them
    #[arg(long)]
    force: bool,

    /// Print the rules by which topics are chosen, and do nothing else
    #[arg(long)]
    explain: bool,
}

fn date(text: &str) -> Result<Date, String> {
    Date::parse(text).ok_or_else(|| "a date such as 2021-01-01 was expected".to_owned())
}

pub(super) fn prefix(text: &str) -> Result<String, String> {
    let good = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    good.then(|| text.to_owned()).ok_or_else(|| "letters, digits and hyphens were expected".to_owned())
}

impl Run for Topics {
    fn run(self) -> Result<Exit> {
        if self.explain {
            output::print(rules(&topics::rules()).as_bytes())?;
            return Ok(Exit::Yes);
        }
        let (Some(path), Some(folder)) = (&self.collection, &self.output) else {
            bail!("a collection and -o are needed");
        };
        ensure!(
            (0.0..=1.0).contains(&self.alike),
            "--alike {}: a share from 0 to 1 was expected",
            self.alike
        );
        let output = OutputFolder::open(folder, "collection topics")?;
        if !self.force {
            output.ensure_own(all_names())?;
        }
        let target = Collection::open_whole(path)?;
        let later = self.from.as_deref().map(Collection::open_whole).transpose()?;
        let labels = match &self.labels {
            None => None,
            Some(path) => {
                let (labels, notes) = read_labels(Source::path(path))?;
                notes.iter().for_each(|note| output::note(&note.to_string()));
                Some(labels)
            }
        };
        let mut earlier = Vec::new();
        for path in &self.earlier {
            let topics = read_topics(Source::path(path))?.topics;
            earlier.extend(topics::near::earlier(&topics, &path.display().to_string()));
        }
        let plan = Plan {
            target: &target,
            later: later.as_ref(),
            period: Period { since: self.since, until: self.until },
            bounds: self.bounds(),
            earlier: &earlier,
            alike: self.alike,
            labels: labels.as_ref(),
            elements: match self.elements {
                Elements::Query => ElementsOf::Query,
                Elements::Question => ElementsOf::Question,
            },
        };
        let candidates = topics::find(&plan)?;
        self.ensure_known(&candidates.known)?;
        let choice = Choice { count: self.count, seed: self.seed, alike: self.alike };
        let chosen = topics::choose(&candidates.list, &choice);
        let record = self.record(&plan, &candidates, &chosen)?;
        let summary = match self.format {
            Format::Text => print::summary(&plan, &candidates, &chosen),
            Format::Json => record.clone(),
        };
        if chosen.topics.is_empty() {
            output::print(summary.as_bytes())?;
            output::note("no topics, so nothing was written");
            return Ok(Exit::No);
        }
        let numbering = Numbering {
            prefix: self.prefix.clone(),
            formula_prefix: self.formula_prefix.clone(),
            start: self.start,
        };
        let mut files = topics::files(&plan, &chosen, &numbering)?;
        files.list.push((LEFT_OUT, left_out(&plan, &candidates)));
        files.list.push((RECORD, record));
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let opened = files.list.iter().map(|(name, _)| WholeFile::create_beside(&folder.join(name)));
        let opened: Vec<WholeFile> = opened.collect::<Result<_>>()?;
        for (file, (_, text)) in opened.into_iter().zip(&files.list) {
            file.write(text.as_bytes())?;
        }
        output.finish(all_names())?;
        output::print(summary.as_bytes())?;
        Ok(Exit::Yes)
    }
}

/// The files that this command writes.
fn all_names() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().chain([LEFT_OUT, RECORD])
}

impl Topics {
    /// An option that has no effect is an error.
    fn ensure_known(&self, known: &Known) -> Result<()> {
        if known.questions == 0 {
            return Ok(());
        }
        for (is_set, count, option, what) in [
            (self.min_score != 0, known.score, "--min-score", "the score"),
            (self.min_answers > 0, known.answers, "--min-answers", "the number of answers"),
            (self.min_comments > 0, known.comments, "--min-comments", "the number of comments"),
            (self.min_views > 0, known.views, "--min-views", "the number of views"),
        ] {
            ensure!(
                !is_set || count > 0,
                "{option} has no effect: {what} is known for 0 of {} questions with a formula and a duplicate",
                known.questions
            );
        }
        Ok(())
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            terms: self.min_terms..=self.max_terms,
            formulas: self.min_formulas..=self.max_formulas,
            min_score: self.min_score,
            min_answers: self.min_answers,
            min_comments: self.min_comments,
            min_views: self.min_views,
        }
    }
}
