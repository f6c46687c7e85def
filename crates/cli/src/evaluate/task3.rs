//! Task 3: one answer to each topic, by people's grades and by its tokens.

mod entries;
mod print;

use self::entries::{Entry, entries};
use super::score::table_format;
use super::table::team;
use super::{Eval, OutputFormat, ScoreBits, Topics};
use crate::{Answer, output, warn};
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use collection::qrels::{Qrels, Scale};
use collection::{DocId, RunTag, Source, TopicId, read_flags};
use eval::task3::{
    Contributor, Counting, FlagShares, LexicalOverlap, MeanOver, Normalisation, ReferenceTask, References,
    Relevance, RelevanceConfig, SimilarityScore, Tokenize, Tokenizer, TopicFilter, Unanswered, flag_shares,
    highest_possible, relevance, similarity,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use tokenizer::{ModelTokenizer, PrefixSpace};

/// What Task 3 needs beside runs and judgments.
#[derive(Debug, Args)]
#[command(next_help_heading = "Task 3")]
pub(super) struct Task3Args {
    /// Which answer each run gave: run, topic, answer id; without RUN, all its runs are scored
    #[arg(long, value_name = "MAP")]
    pub(super) answers: Option<PathBuf>,

    /// Extra assessments (topic, answer, machine-generated, unrelated information), for MG and UI
    #[arg(long, value_name = "FILE")]
    flags: Option<PathBuf>,

    /// A language model's tokenizer.json for lexical overlap [default: words and LaTeX]
    #[arg(long, value_name = "FILE")]
    tokenizer: Option<PathBuf>,

    /// Lexical overlap by the rules of the overview, or as the lab's scripts computed it
    #[arg(long, value_name = "RULES", default_value = "published", requires = "task")]
    rules: Rules,

    /// Topics to leave out, separated by commas
    #[arg(long, value_name = "TOPICS", value_delimiter = ',')]
    except: Vec<String>,
}

/// Whose rules lexical overlap follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rules {
    /// The overview's: bags of tokens, all of the text
    Published,
    /// The scripts': sets of tokens, and no character before a dollar sign
    AsRun,
}

impl Task3Args {
    /// None of these means anything for the other tasks.
    pub(super) fn ensure_unused(&self) -> Result<()> {
        let options = [
            ("--answers", self.answers.is_some()),
            ("--flags", self.flags.is_some()),
            ("--tokenizer", self.tokenizer.is_some()),
            ("--except", !self.except.is_empty()),
            ("--rules", self.rules != Rules::Published),
        ];
        match options.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!("{option} has no effect without --task 3"),
            None => Ok(()),
        }
    }
}

/// The scores of one run.
struct Scored {
    relevance: Option<Relevance>,
    overlap: Option<SimilarityScore>,
    flags: Option<FlagShares>,
}

impl Scored {
    /// The measures it has, by name.
    fn measures(&self) -> Vec<(&'static str, f64)> {
        let mut measures = Vec::new();
        if let Some(relevance) = &self.relevance {
            measures.extend(relevance.ar().map(|value| ("AR", value)));
            measures.extend(relevance.p_at_1().value().map(|value| ("P@1", value)));
        }
        measures.extend(self.overlap.as_ref().and_then(SimilarityScore::mean).map(|value| ("LO", value)));
        if let Some(flags) = &self.flags {
            measures.extend(flags.machine_generated.value().map(|value| ("MG", value)));
            measures.extend(flags.unrelated_information.value().map(|value| ("UI", value)));
        }
        measures
    }

    /// Over how many topics AR and P@1 are, else lexical overlap.
    fn topics(&self) -> usize {
        let overlap = self.overlap.as_ref().map_or(0, SimilarityScore::num_topics);
        self.relevance.as_ref().map_or(overlap, Relevance::num_topics)
    }

    /// The values of every topic.
    fn per_topic(&self) -> BTreeMap<TopicId, Vec<(&'static str, f64)>> {
        let mut topics: BTreeMap<TopicId, Vec<(&'static str, f64)>> = BTreeMap::new();
        for (topic, grade) in self.relevance.iter().flat_map(Relevance::counted) {
            let relevant = if grade >= eval::task3::RELEVANT { 1.0 } else { 0.0 };
            topics
                .entry(topic.topic.clone())
                .or_default()
                .extend([("AR", f64::from(grade)), ("P@1", relevant)]);
        }
        for (topic, value) in self.overlap.iter().flat_map(SimilarityScore::counted) {
            topics.entry(topic.clone()).or_default().push(("LO", value));
        }
        topics
    }
}

/// Reads, scores and prints.
pub(super) fn print(args: &Eval) -> Result<Answer> {
    ensure!(
        args.measures.is_empty(),
        "--measures has no effect with --task 3: it prints AR, P@1, LO, MG and UI"
    );
    ensure!(args.plot.is_none(), "--plot draws rankings; Task 3 has none");
    ensure_no_rankings(args)?;
    let [qrels] = args.qrels.as_slice() else { bail!("--task 3 takes one file of judgments") };
    let (qrels, notes) = Qrels::read(Source::path(qrels), Scale::Task3)?;
    if !notes.is_empty() {
        warn(&notes.to_string());
    }
    let config = config(args)?;
    for topic in &args.task3.except {
        if qrels.topic(&TopicId::from(topic.as_str())).is_none() {
            warn(&format!("--except: {topic} is not judged anyway"));
        }
    }
    let entries = entries(&args.runs, args.task3.answers.as_deref())?;
    let flags = args.task3.flags.as_ref().map(|path| read_flags(Source::path(path))).transpose()?;
    let overlaps = overlaps(args, &entries, &qrels)?;
    let scored: Result<Vec<Scored>> = entries
        .iter()
        .zip(overlaps)
        .map(|(entry, overlap)| {
            let relevance = entry.has_ids().then(|| relevance(entry.ids(), &qrels, &config)).transpose()?;
            let flags = flags.as_ref().filter(|_| entry.has_ids());
            let flags = flags.map(|flags| flag_shares(entry.ids(), flags)).transpose()?;
            Ok(Scored { relevance, overlap, flags })
        })
        .collect();
    let scored = scored?;
    let best = highest_possible(&qrels, &config)?;
    let out = match args.format {
        OutputFormat::Json => print::json(args, &entries, &scored, &best)?,
        format => {
            let mut tables = vec![print::table(&entries, &scored, &best, flags.as_ref(), &qrels)];
            if args.per_topic {
                tables.push(print::per_topic(&entries, &scored));
            }
            let tables: Vec<String> = tables.iter().map(|table| table.render(table_format(format))).collect();
            tables.join("\n")
        }
    };
    output::print(out.as_bytes())?;
    Ok(Answer::Yes)
}

/// What is about rankings or compares them is an error, not silence.
fn ensure_no_rankings(args: &Eval) -> Result<()> {
    let (ranking, compare, around) = (&args.ranking, &args.compare, &args.around);
    let options = [
        ("--depth", ranking.depth.is_some()),
        ("--duplicates", ranking.duplicates.is_some()),
        ("--score-bits 64", ranking.score_bits == ScoreBits::F64),
        ("--against", compare.against.is_some()),
        ("--tukey", compare.tukey),
        ("--correlate", compare.correlate),
        ("--by", compare.by.is_some()),
        ("--study", compare.study.is_some()),
        ("--baselines", !compare.baselines.is_empty()),
        ("--around", around.around),
        ("--ties", around.ties),
        ("--unjudged", around.unjudged),
    ];
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} has no effect with --task 3"),
        None => Ok(()),
    }
}

fn config(args: &Eval) -> Result<RelevanceConfig> {
    let mean_over = match args.topics {
        Topics::All => MeanOver::JudgedTopics,
        Topics::Judged => MeanOver::JudgedAnswers,
        Topics::Relevant | Topics::Returned => {
            bail!("Task 3 has means over --topics judged (as published) or all")
        }
    };
    let except: BTreeSet<TopicId> =
        args.task3.except.iter().map(|topic| TopicId::from(topic.as_str())).collect();
    let filter = if except.is_empty() { TopicFilter::All } else { TopicFilter::Except(except) };
    Ok(RelevanceConfig { mean_over, filter })
}

/// Lexical overlap of every run whose text is known with the relevant answers of other teams.
fn overlaps(args: &Eval, entries: &[Entry], qrels: &Qrels) -> Result<Vec<Option<SimilarityScore>>> {
    let (normalisation, counting) = match args.task3.rules {
        Rules::Published => (Normalisation::Published, Counting::Bags),
        Rules::AsRun => (Normalisation::AsRun, Counting::Sets),
    };
    let mut references = References::new(normalisation);
    for entry in entries.iter().filter(|entry| entry.has_ids()) {
        let answers = entry.texts().filter_map(|(topic, text)| Some((topic.clone(), entry.id(topic)?, text)));
        references.add_task3(&entry.tag(), answers, qrels);
    }
    if references.num_references() == 0 {
        ensure!(
            args.task3.tokenizer.is_none(),
            "--tokenizer has no effect: no run gives the text of a relevant answer"
        );
        return Ok(entries.iter().map(|_| None).collect());
    }
    let model;
    let tokenizer: &dyn Tokenize = match &args.task3.tokenizer {
        None => &Tokenizer::WordsAndLatex,
        Some(path) => {
            // The lab asks for a blank before the text; tokenizers that know none are taken as they are.
            model = match ModelTokenizer::read(path, PrefixSpace::On) {
                Err(tokenizer::Error::NoPrefixSpace { .. }) => {
                    ModelTokenizer::read(path, PrefixSpace::AsInFile)?
                }
                other => other?,
            };
            &model
        }
    };
    let measure = LexicalOverlap { tokenizer, counting };
    let team_of = |entry: &Entry| team(&entry.name).unwrap_or_else(|| entry.name.clone());
    entries
        .iter()
        .map(|entry| {
            if entry.texts().next().is_none() {
                return Ok(None);
            }
            let own: BTreeSet<Contributor> = entries
                .iter()
                .filter(|other| other.has_ids() && team_of(other) == team_of(entry))
                .map(|other| Contributor { task: ReferenceTask::Task3, run: other.tag() })
                .collect();
            let others = references.without_team(&own)?;
            let answers = entry.texts().map(|(topic, text)| (topic.clone(), text));
            Ok(Some(similarity(&measure, answers, &others, Unanswered::LeftOut)?))
        })
        .collect()
}

impl Entry {
    fn tag(&self) -> RunTag {
        RunTag::from(self.name.as_str())
    }

    fn ids(&self) -> impl Iterator<Item = (TopicId, DocId<'_>)> {
        self.ids.iter().map(|(topic, id)| (topic.clone(), DocId(id)))
    }

    fn id(&self, topic: &TopicId) -> Option<DocId<'_>> {
        self.ids.get(topic).map(|id| DocId(id))
    }
}
