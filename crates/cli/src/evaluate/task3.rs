//! Task 3: one answer to each topic, by people's grades and by its tokens.

mod against;
mod claims;
mod correlate;
mod entries;
mod finished;
mod footnotes;
mod indicators;
mod json;
mod kind;
mod matched;
mod pooled;
mod posts;
mod print;
mod refuse;
mod similar;

use self::against::Against;
use self::entries::{Answers, Entry, entries};
use self::finished::Finished;
use self::indicators::Questions;
use self::posts::Posts;
use self::print::Shown;
use self::similar::{AblationRule, Comparison, Similar};
use super::score::table_format;
use super::{Eval, OutputFormat, Topics};
use crate::{Exit, output, warn};
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use eval::task3::{
    CodeRule, FlagShares, Indicators, MatchRule, MeanOver, Outcome, Relevance, RelevanceConfig,
    SimilarityScore, TopicFilter, flag_shares, highest_possible, relevance,
};
use formats::qrels::{Qrels, Scale};
use formats::{Flags, Source, TopicId, read_flags};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

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

    /// Whether a token that occurs twice counts twice in lexical overlap [default: that of --rules; with --lab, of
    /// lab.toml]
    #[arg(long, value_name = "RULE", requires = "task")]
    tokens: Option<TokenRule>,

    /// What an answer counts of which assessors said "system failure" or "do not know" alone
    #[arg(long, value_name = "RULE", default_value = "zero", requires = "task")]
    codes: CodesName,

    /// A finished lab: written answers are scored by its judgments, and compared with its relevant answers; without
    /// RUN, its own runs are scored
    #[arg(long, value_name = "LAB", conflicts_with_all = ["qrels", "answers", "collection", "flags"])]
    pub(super) lab: Option<PathBuf>,

    /// The set of topics of the lab [default: the one that is judged now]
    #[arg(long, value_name = "SET", requires = "lab")]
    set: Option<String>,

    /// Topics to leave out, separated by commas
    #[arg(long, value_name = "TOPICS", value_delimiter = ',')]
    except: Vec<String>,

    /// A collection, or an index: written answers are found again in its posts, by whose judgments of Task 1
    /// they are scored
    #[arg(long, value_name = "FILE")]
    collection: Option<PathBuf>,

    /// Judgments of Task 1: with --answers and the collection, references are the relevant answers of Task 3 and the
    /// relevant posts of Task 1 of at most 1,200 characters, as published
    #[arg(long, value_name = "FILE", requires_all = ["answers", "collection"])]
    post_qrels: Option<PathBuf>,

    /// Which references an answer is not compared with [default: own; team with --pool or --post-qrels]
    #[arg(long, value_name = "RULE", requires = "collection")]
    ablation: Option<AblationRule>,

    /// Runs of Task 1 or 3 that were pooled, beside those that are scored, for --ablation team; their names tell
    /// their teams
    #[arg(long, value_name = "RUN", num_args = 1.., requires = "collection")]
    pool: Vec<PathBuf>,

    /// How deep primary and other runs of Task 1 were pooled, for --ablation team [default: 45,20, as in
    /// ARQMath-3]
    #[arg(long, value_name = "P,A", value_parser = pooled::depths, requires = "pool")]
    pool_depths: Option<pool::Depths>,

    /// Print lengths and repetitions of written answers, and how many of their claims fail when tested
    #[arg(long)]
    indicators: bool,

    /// The topics with their questions, for what answers copied from them
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,

    /// A BERT or RoBERTa model, for contextual similarity: its name in the store of models, or a folder with
    /// config.json, tokenizer.json and model.safetensors
    #[arg(long, value_name = "MODEL")]
    encoder: Option<PathBuf>,

    /// The layer of the encoder whose vectors are compared [default: that of lab.toml for the lab's own encoder, else 10 of
    /// 12, else the last]
    #[arg(long, value_name = "N")]
    layer: Option<usize>,
}

/// Whose rules lexical overlap follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rules {
    /// The overview's: bags of tokens, all of the text
    Published,
    /// The scripts': sets of tokens, and no character before a dollar sign
    AsRun,
}

/// Whether a token that occurs twice counts twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TokenRule {
    /// It does: answers are bags of tokens, as the overview says
    Bag,
    /// It does not: answers are sets of tokens, as in the lab's script
    Set,
}

/// What answers with codes alone count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CodesName {
    /// 0, as the overview says
    Zero,
    /// Nothing: the topic is left out, which is what the published values of Task 1 runs fit
    LeftOut,
}

impl Task3Args {
    /// None of these means anything for the other tasks.
    pub(super) fn ensure_unused(&self) -> Result<()> {
        let options = [
            ("--answers", self.answers.is_some()),
            ("--flags", self.flags.is_some()),
            ("--tokenizer", self.tokenizer.is_some()),
            ("--except", !self.except.is_empty()),
            ("--collection", self.collection.is_some()),
            ("--indicators", self.indicators),
            ("--questions", self.questions.is_some()),
            ("--encoder", self.encoder.is_some()),
            ("--layer", self.layer.is_some()),
            ("--rules", self.rules != Rules::Published),
            ("--tokens", self.tokens.is_some()),
            ("--codes", self.codes != CodesName::Zero),
            ("--lab", self.lab.is_some()),
        ];
        match options.iter().find(|(_, given)| *given) {
            Some((option, _)) => bail!("{option} has no effect without --task 3"),
            None => Ok(()),
        }
    }
}

/// The scores of one run.
struct Scored {
    relevance: Relevance,
    similar: Vec<Similar>,
    flags: Option<FlagShares>,
    indicators: Option<Indicators>,
    claims: Option<claims::Claims>,
}

impl Scored {
    /// The measures it has, by name.
    fn measures(&self) -> Vec<(String, f64)> {
        let mut measures = vec![("AR", self.relevance.ar()), ("P@1", self.relevance.p_at_1().value())];
        measures.extend(
            self.similar.iter().map(|similar| (similar.score.measure.as_str(), similar.score.mean())),
        );
        if let Some(flags) = &self.flags {
            measures.push(("MG", flags.machine_generated.value()));
            measures.push(("UI", flags.unrelated_information.value()));
        }
        measures.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }

    /// Over how many topics AR and P@1 are.
    fn topics(&self) -> usize {
        self.relevance.num_topics()
    }

    /// How many topics it answers that nobody judged.
    fn topics_not_judged(&self) -> usize {
        let topics = self.relevance.topics.iter();
        topics.filter(|topic| topic.outcome == Outcome::TopicNotJudged).count()
    }

    /// The values of every topic.
    fn per_topic(&self) -> BTreeMap<TopicId, Vec<(String, f64)>> {
        let mut topics: BTreeMap<TopicId, Vec<(String, f64)>> = BTreeMap::new();
        for (topic, grade) in self.relevance.counted() {
            let relevant = if grade >= eval::task3::RELEVANT { 1.0 } else { 0.0 };
            let values = [("AR".to_owned(), f64::from(grade)), ("P@1".to_owned(), relevant)];
            topics.entry(topic.topic.clone()).or_default().extend(values);
        }
        for score in self.similar.iter().map(|similar| &similar.score) {
            for (topic, value) in SimilarityScore::counted(score) {
                topics.entry(topic.clone()).or_default().push((score.measure.clone(), value));
            }
        }
        topics
    }
}

/// Reads, scores and prints.
pub(super) fn print(args: &Eval) -> Result<Exit> {
    ensure!(
        args.measures.is_empty(),
        "--measures has no effect with --task 3: it prints AR, P@1, LO, MG and UI"
    );
    ensure!(args.plot.is_none(), "--plot draws rankings; Task 3 has none");
    refuse::options_of_rankings(args)?;
    refuse::several_readers_of_stdin(args)?;
    refuse::layer_without_encoder(&args.task3)?;
    let finished = args.task3.lab.as_ref().map(|folder| Finished::read(args, folder)).transpose()?;
    let qrels = match &finished {
        Some(finished) => finished.answered.qrels.clone(),
        None => qrels(args)?,
    };
    let apart = finished.as_ref().map(|finished| &finished.answered.train);
    let config = config(args, apart)?;
    for topic in &args.task3.except {
        if qrels.topic(&TopicId::from(topic.as_str())).is_none() {
            warn(&format!("--except: {topic} is not judged anyway"));
        }
    }
    let mut entries = match &finished {
        Some(finished) => finished.entries(args)?,
        None => read(args, &qrels)?,
    };
    refuse::runs_without_topics(&entries, &qrels)?;
    // Grades are counted with all judgments, so that a topic that is left out is listed as such.
    let kept = qrels.only(|topic| config.filter.keeps(topic));
    for entry in &mut entries {
        entry.keep(&config.filter);
        let is_left = entry.ids().iter().any(|(topic, _)| kept.topic(topic).is_some());
        let leaves = match apart {
            Some(train) if !train.is_empty() => "the topics set apart for training and --except leave",
            _ => "--except leaves",
        };
        ensure!(is_left, "{}: {leaves} none of its judged topics", entry.label());
    }
    refuse::warn_of_long_answers(&entries);
    let base = args.compare.against.as_ref().map(|base| entries::find(&entries, base, "--against"));
    let base = base.transpose()?;
    let rule = MatchRule::default();
    let comparison = match &finished {
        Some(finished) => Some(Comparison::with_lab(args, finished)?),
        None => comparison(args, &mut entries, &kept, &config.filter, rule)?,
    };
    let flags = match &finished {
        Some(finished) => finished.answered.flags.clone(),
        None => args.task3.flags.as_ref().map(|path| read_flags(Source::path(path))).transpose()?,
    };
    let scored = score(args, &entries, &qrels, &config, comparison.as_ref(), flags.as_ref())?;
    refuse::flags_without_effect(args.task3.flags.as_deref(), &scored)?;
    refuse::warn_of_strange_rankings(&entries, &scored);
    let against = base.map(|base| Against::new(args, &entries, &scored, base)).transpose()?;
    let best = highest_possible(&qrels, &config)?;
    let references = match &comparison {
        Some(comparison) if args.task3.collection.is_some() || finished.is_some() => comparison.about(),
        _ => Vec::new(),
    };
    let shown = Shown {
        entries: &entries,
        scored: &scored,
        best: &best,
        flags: flags.as_ref(),
        qrels: &kept,
        rule,
        references: &references,
        codes: config.codes,
    };
    let out = match args.format {
        OutputFormat::Json => json::array(&shown, against.as_ref(), args.per_topic)?,
        format => {
            let mut tables = vec![print::table(&shown, format)];
            tables.extend(against.as_ref().map(|against| against.table(&entries)));
            if args.compare.correlate {
                tables.push(correlate::table(&scored)?);
            }
            if args.task3.indicators {
                let counted = entries.iter().zip(&scored);
                let counted: Vec<(&str, &Indicators)> = counted
                    .filter_map(|(entry, scored)| Some((entry.name.as_str(), scored.indicators.as_ref()?)))
                    .collect();
                tables.push(indicators::table(&counted));
                let counted = entries.iter().zip(&scored);
                let counted: Vec<(&str, claims::Claims)> = counted
                    .filter_map(|(entry, scored)| Some((entry.name.as_str(), scored.claims?)))
                    .collect();
                tables.push(claims::table(&counted));
            }
            if args.per_topic {
                tables.push(print::per_topic(&entries, &scored));
            }
            let tables: Vec<String> = tables.iter().map(|table| table.render(table_format(format))).collect();
            tables.join("\n")
        }
    };
    output::print(out.as_bytes())?;
    Ok(Exit::Yes)
}

/// Reads the judgments that runs are scored by.
fn qrels(args: &Eval) -> Result<Qrels> {
    let [qrels] = args.qrels.as_slice() else {
        bail!("--task 3 takes one file of judgments; --post-qrels takes those of Task 1 for references")
    };
    read_qrels(qrels)
}

fn read_qrels(qrels: &Path) -> Result<Qrels> {
    let (qrels, notes) = Qrels::read(Source::path(qrels), Scale::Task3)?;
    if !notes.is_empty() {
        warn(&notes.to_string());
    }
    Ok(qrels)
}

/// Reads the runs, and the base if it is a file that is not among them.
fn read(args: &Eval, qrels: &Qrels) -> Result<Vec<Entry>> {
    let map = args.task3.answers.as_deref();
    let is_given = |base: &&PathBuf| args.runs.iter().any(|run| super::load::is_same_file(run, base));
    let base = args.compare.against.as_ref().filter(|base| base.is_file() && !is_given(base));
    if args.runs.is_empty() {
        // All of the map, and the base.
        let mut all = entries(&[], map, qrels)?;
        all.extend(
            base.map(|base| entries(std::slice::from_ref(base), map, qrels))
                .transpose()?
                .into_iter()
                .flatten(),
        );
        return Ok(all);
    }
    let mut seen = BTreeSet::new();
    let mut paths: Vec<PathBuf> = args.runs.iter().chain(base).cloned().collect();
    paths.retain(|path| seen.insert(path.clone()));
    entries(&paths, map, qrels)
}

/// What answers are compared with, if there is something; with a collection also which posts they are.
fn comparison<'a>(
    args: &'a Eval,
    entries: &mut [Entry],
    qrels: &Qrels,
    filter: &TopicFilter,
    rule: MatchRule,
) -> Result<Option<Comparison<'a>>> {
    if args.task3.post_qrels.is_some() {
        return with_both(args, entries, qrels, filter).map(Some);
    }
    ensure!(
        args.task3.collection.is_none() || args.task3.answers.is_none(),
        "--collection with --answers needs --post-qrels, the judgments of Task 1 whose posts are references"
    );
    let written = entries.iter().find(|entry| matches!(entry.answers, Answers::Written { .. }));
    let Some(path) = &args.task3.collection else {
        if let Some(entry) = written {
            let name = &entry.name;
            bail!(
                "{name}: holds written answers; say with --answers which judged answer each of them is, or find \
                 them in judged posts with --collection"
            );
        }
        return Comparison::with_answers(args, entries, qrels);
    };
    ensure!(written.is_some(), "--collection has no effect: no run holds written answers");
    let asked = args.task3.ablation;
    ensure!(
        asked != Some(AblationRule::Team) || !args.task3.pool.is_empty(),
        "--ablation team needs --pool, which says who contributed what"
    );
    ensure!(
        args.task3.pool.is_empty() || matches!(asked, None | Some(AblationRule::Team)),
        "--pool has no effect without --ablation team"
    );
    let mut pool = match args.task3.pool.as_slice() {
        [] => Vec::new(),
        pool => self::entries::entries(pool, None, qrels)?,
    };
    similar::warn_of_teams_outside(entries, &pool);
    let all: Vec<&Entry> = entries.iter().chain(&pool).collect();
    let posts = Posts::read(path, qrels, &all)?;
    ensure!(posts.judged(qrels).count > 0, "{}: holds none of the judged posts", path.display());
    let mut all: Vec<&mut Entry> = entries.iter_mut().chain(&mut pool).collect();
    posts.find(qrels, &mut all, rule);
    Comparison::with_posts(args, &posts, entries, &pool, qrels).map(Some)
}

/// The references as published: relevant answers of Task 3 and relevant posts of Task 1.
fn with_both<'a>(
    args: &'a Eval,
    entries: &[Entry],
    qrels: &Qrels,
    filter: &TopicFilter,
) -> Result<Comparison<'a>> {
    let Task3Args { post_qrels: Some(post_qrels), collection: Some(collection), .. } = &args.task3 else {
        bail!("--post-qrels needs --collection");
    };
    ensure!(
        entries.iter().any(|entry| !entry.written().is_empty()),
        "--post-qrels has no effect: no run gives the text of an answer"
    );
    let post_qrels = read_qrels(post_qrels)?.only(|topic| filter.keeps(topic));
    let pool = match args.task3.pool.as_slice() {
        [] => Vec::new(),
        pool => self::entries::entries(pool, args.task3.answers.as_deref(), qrels)?,
    };
    let is_ranking = |entry: &Entry| matches!(entry.answers, Answers::Ranked { .. });
    if args.task3.ablation.unwrap_or(AblationRule::Team) == AblationRule::Team && !pool.iter().any(is_ranking)
    {
        warn(
            "--pool has no run of Task 1, so no post is known to be a team's own: answers that were cut out of relevant \
             posts are compared with them",
        );
    }
    let posts = Posts::read(collection, &post_qrels, &[])?;
    ensure!(posts.judged(&post_qrels).count > 0, "{}: holds none of the judged posts", collection.display());
    Comparison::with_both(args, (qrels, &post_qrels), &posts, entries, &pool)
}

/// Scores every run.
fn score(
    args: &Eval,
    entries: &[Entry],
    qrels: &Qrels,
    config: &RelevanceConfig,
    comparison: Option<&Comparison<'_>>,
    flags: Option<&Flags>,
) -> Result<Vec<Scored>> {
    let has_texts = entries.iter().any(|entry| !entry.written().is_empty());
    for (option, given) in
        [("--indicators", args.task3.indicators), ("--questions", args.task3.questions.is_some())]
    {
        ensure!(!given || has_texts, "{option} has no effect: no run holds written answers");
    }
    ensure!(
        args.task3.questions.is_none() || args.task3.indicators || args.format == OutputFormat::Json,
        "--questions has no effect without --indicators"
    );
    let questions = args.task3.questions.as_ref();
    let questions = questions.map(|path| Questions::read(path, entries)).transpose()?;
    let measures = comparison.map(Comparison::measures).unwrap_or_default();
    let one = |entry: &Entry| {
        let flags = flags.map(|flags| flag_shares(entry.known_ids(), flags)).transpose()?;
        let similar = comparison.map(|comparison| comparison.of(entry, &measures)).transpose()?;
        Ok(Scored {
            relevance: relevance(entry.ids(), qrels, config)?,
            similar: similar.unwrap_or_default(),
            flags,
            indicators: indicators::count(entry, questions.as_ref()),
            claims: args.task3.indicators.then(|| claims::count(entry, questions.as_ref())).flatten(),
        })
    };
    let scored = entries.iter().map(one).collect();
    for measure in &measures {
        measure.remarks().iter().for_each(|remark| crate::warn(&format!("{}: {remark}", measure.name())));
    }
    scored
}

/// How people's grades are counted. Topics that a lab set apart for training are in no result, as in its report.
fn config(args: &Eval, apart: Option<&BTreeSet<TopicId>>) -> Result<RelevanceConfig> {
    let mean_over = match args.topics {
        Topics::All => MeanOver::JudgedTopics,
        Topics::Judged => MeanOver::JudgedAnswers,
        Topics::Relevant => MeanOver::RelevantTopics,
        Topics::Returned => bail!("Task 3 has means over --topics judged (as published), all or relevant"),
    };
    let except = args.task3.except.iter().map(|topic| TopicId::from(topic.as_str()));
    let except: BTreeSet<TopicId> = except.chain(apart.into_iter().flatten().cloned()).collect();
    let filter = if except.is_empty() { TopicFilter::All } else { TopicFilter::Except(except) };
    let codes = match args.task3.codes {
        CodesName::Zero => CodeRule::Zero,
        CodesName::LeftOut => CodeRule::LeftOut,
    };
    Ok(RelevanceConfig { mean_over, filter, codes })
}
