//! `hypatia eval`: runs and judgments in, numbers out.

pub(crate) mod around;
pub(crate) mod compare;
mod json;
mod load;
mod plot;
mod refuse;
mod remarks;
pub(crate) mod score;
mod strata;
mod study;
mod table;
mod task3;
mod trec;

use crate::{Exit, Run};
use anyhow::{Result, ensure};
use clap::{ArgGroup, Args, ValueEnum};
use eval::{Correction, Duplicates, PairedTest, Preset, TopicPolicy};
use formats::order::Width;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Scores runs by judgments: one line a run, one column a measure.

Without --task and --measures it prints what ARQMath does: nDCG', MAP' and P'@10, where the \
prime means that unjudged results were removed first. All means are over all topics of the \
judgments, and a topic without results counts 0, unless --topics says otherwise; the way it \
was done is printed below the table. Rankings are ordered as in trec_eval: by score, highest \
first, then by id, highest first; the ranks in a file are not looked at.

Runs have the columns topic, Q0, document, rank, score, tag (TREC's), or topic, post, rank, \
score, tag (Task 1's), or, with --task 2, topic, formula, post, rank, score, tag; judgments have \
topic, 0, document, grade. All files may be packed with gzip. A line that cannot be read is an \
error that names file, line and column, and so is a run of which no topic is judged.

With --task 3 a run has the columns topic, rank, score, run, sources, answer, quoted as in CSV; a ranking \
is cut after its first result, and a file of run, topic, answer id is a map of several runs. Beside \
LO, CS, MG and UI stands over how many topics they are: LO (n).

--study looks at a test collection instead of single runs: how many items are judged and relevant per topic, \
by kind of topic and grade; whether kinds of topics rank the runs alike; what counting each formula once \
changes; and how far the judgments depend on single teams and on the depth of the pool.";

const EXAMPLES: &str = "\
Examples:
  hypatia eval run.tsv --qrels qrels.txt                    nDCG', MAP', P'@10
  hypatia eval *.tsv --qrels q --task 1 --against bm25.tsv  significance against a baseline
  hypatia eval run.tsv --qrels q -m \"nDCG@10, AP, bpref(rel=2), RBP(p=0.8)\"
  hypatia eval *.tsv --qrels q --labels topics.csv --by difficulty
  hypatia eval *.tsv --qrels q --labels topics.csv --study kinds   do simple and complex queries rank runs alike?
  hypatia eval --qrels q --task 2 --labels topics.csv --study relevant --plot out
  hypatia eval f.tsv --qrels q --task 2 --visual-ids latex_representation.tsv
  hypatia eval --task 3 --answers map.tsv --qrels q         AR and P@1 of every run in the map
  hypatia eval run.tsv --task 3 --qrels q --collection c    written answers, as judged posts of the collection
  hypatia eval new.tsv --task 3 --lab mylab                 new answers by LO and CS, and by the lab's judgments
  hypatia eval *.tsv --qrels q --plot out                   charts, and a page to open
  hypatia eval run.tsv --qrels q --trec -q -m map -l 2      what trec_eval prints

Measures: nDCG, DCG, AP, P, R, Rprec, RR, bpref, infAP, Success, Judged, RBP, ERR, IPrec, 11ptAvg, \
SetP, SetR, SetF, SetAP, GMAP, GMbpref, NumQ, NumRet, NumRel, NumRelRet, NumNonRelJudgedRet; add ' for judged results only, (rel=2) for the \
grade from which on something is relevant, @10 for a cutoff. Names of ir_measures and trec_eval \
are understood, too.";

/// Score runs by judgments, with the measures of the labs and of trec_eval
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
#[command(group = ArgGroup::new("labelled").args(["by", "study"]).multiple(true))]
#[command(group = ArgGroup::new("random").args(["against", "tukey", "unjudged"]).multiple(true))]
pub(crate) struct Eval {
    /// Runs to score; '-' is standard input; for Task 3 also names of runs in --answers
    #[arg(value_name = "RUN", required_unless_present_any = ["answers", "lab", "study"])]
    runs: Vec<PathBuf>,

    /// Judgments; given several times, the runs are scored by each of them
    #[arg(long, value_name = "FILE", required_unless_present = "lab")]
    qrels: Vec<PathBuf>,

    /// Whose rules are followed [default: ARQMath's measures on the documents as they are]
    #[arg(long, value_name = "TASK")]
    task: Option<LabRules>,

    /// Measures, separated by commas or semicolons; may be given several times
    #[arg(short, long, value_name = "LIST", allow_hyphen_values = true)]
    measures: Vec<String>,

    /// Which topics enter the means [Task 3: judged]
    #[arg(long, value_name = "WHICH", default_value = "all", default_value_if("task", "3", "judged"))]
    topics: Topics,

    /// Print every topic
    #[arg(short = 'q', long)]
    per_topic: bool,

    /// How results are printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: OutputFormat,

    /// Write charts and a page that shows them into this folder
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    ranking: RankingArgs,
    #[command(flatten)]
    compare: CompareArgs,
    #[command(flatten)]
    around: AroundArgs,
    #[command(flatten)]
    task3: task3::Task3Args,
    #[command(flatten)]
    trec: trec::TrecArgs,
}

/// How rows become rankings.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rankings")]
struct RankingArgs {
    /// What the documents of a Task 2 run are [default: visual if the second column is Q0 or xxx]
    #[arg(long, value_name = "WHAT")]
    ids: Option<Ids>,

    /// Visual ids of formulas, to score runs of formula ids (Task 2, NTCIR): the TSV of a formula index, a
    /// file of two columns (formula, visual id), or a folder of such files
    #[arg(long, value_name = "TABLE")]
    visual_ids: Option<PathBuf>,

    /// What the judgments of formulas are about; instances become visual ids by the highest grade
    /// [default: visual; instance for NTCIR]
    #[arg(long, value_name = "WHAT")]
    qrels_ids: Option<Ids>,

    /// How many results of a topic count [default: 1000 for Task 1, else all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,

    /// What happens to a document listed twice for a topic [default: the task's rule, else refuse]
    #[arg(long, value_name = "RULE")]
    duplicates: Option<DuplicateRule>,

    /// How many bits of a score count: trec_eval 9 keeps 32, version 10 keeps 64
    #[arg(long, value_name = "BITS", default_value = "32")]
    score_bits: ScoreBits,
}

/// Runs beside each other.
#[derive(Debug, Args)]
#[command(next_help_heading = "Comparison")]
struct CompareArgs {
    /// A run to compare the others with: its file, or its name in the table
    #[arg(long, value_name = "BASE")]
    against: Option<PathBuf>,

    /// The test of paired values [default: t; Task 3: random]
    #[arg(long, value_name = "TEST", requires = "against")]
    test: Option<TestName>,

    /// What is done about many tests at once
    #[arg(long, value_name = "RULE", default_value = "holm", requires = "against")]
    correction: CorrectionName,

    /// Compare every two runs (Tukey's honest significant difference, randomised)
    #[arg(long)]
    tukey: bool,

    /// Correlation between measures, and between judgments if there are several
    #[arg(long)]
    correlate: bool,

    /// What the organisers say about topics (CSV, TSV or JSON), for --by and --study
    #[arg(long, value_name = "FILE", requires = "labelled")]
    labels: Option<PathBuf>,

    /// Score each kind of topics apart, such as complexity, type, difficulty, dependence, split
    /// [default for --study: complexity]
    #[arg(long, value_name = "LABEL", requires = "labels")]
    by: Option<String>,

    /// Study the test collection instead of single runs; judged and relevant need no RUN
    #[arg(long, value_name = "STUDY")]
    study: Option<StudyName>,

    /// How deep the runs were pooled, for --study teams [default: any depth]
    #[arg(long, value_name = "N", requires = "study", value_parser = clap::value_parser!(u32).range(1..))]
    pool_depth: Option<u32>,

    /// Runs that are no team's, listed first: files or names, separated by commas
    #[arg(long, value_name = "RUNS", value_delimiter = ',')]
    baselines: Vec<PathBuf>,

    /// Where random numbers start, for --test random, --tukey and --unjudged
    #[arg(long, value_name = "NUMBER", default_value_t = 1, requires = "random")]
    seed: u64,
}

impl CompareArgs {
    /// By which label topics are parted, if they are.
    fn label(&self) -> Option<&str> {
        self.labels.as_ref().map(|_| self.by.as_deref().unwrap_or("complexity"))
    }
}

/// What surrounds a number.
#[derive(Debug, Args)]
#[command(next_help_heading = "Around the number")]
struct AroundArgs {
    /// What chance and the best order would score, the value between these two, and 95 % intervals
    #[arg(long)]
    around: bool,

    /// The lowest and highest value over all orders of results with equal scores
    #[arg(long)]
    ties: bool,

    /// What each value could be if the unjudged results were judged
    #[arg(long)]
    unjudged: bool,
}

/// The tasks in which documents are ranked, for commands that know no others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RankingTask {
    /// ARQMath Task 1: answers to questions
    #[value(name = "1")]
    One,
    /// ARQMath Task 2: formulas
    #[value(name = "2")]
    Two,
}

/// The rules of a lab.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LabRules {
    /// ARQMath Task 1: answers to questions
    #[value(name = "1")]
    One,
    /// ARQMath Task 2: formulas; those that look the same count once
    #[value(name = "2")]
    Two,
    /// ARQMath Task 3: one written answer to each question
    #[value(name = "3")]
    Three,
    /// NTCIR-10: formulas in papers
    Ntcir10,
    /// NTCIR-11: known formulas in Wikipedia
    Ntcir11,
    /// NTCIR-12: formula browsing in Wikipedia
    Ntcir12,
}

impl LabRules {
    /// Whether single formula instances are judged.
    fn judges_instances(self) -> bool {
        matches!(self, Self::Ntcir10 | Self::Ntcir11 | Self::Ntcir12)
    }

    fn preset(self) -> Option<Preset> {
        match self {
            Self::One => Some(Preset::Task1),
            Self::Two => Some(Preset::Task2),
            Self::Three => None,
            Self::Ntcir10 => Some(Preset::Ntcir10),
            Self::Ntcir11 => Some(Preset::Ntcir11),
            Self::Ntcir12 => Some(Preset::Ntcir12),
        }
    }
}

/// Which topics enter the means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Topics {
    /// All topics of the judgments; one without results counts 0
    All,
    /// Those with an item of grade 1 or more; one without results counts 0
    Relevant,
    /// Those for which the run has results, as trec_eval does without -c
    Returned,
    /// Those for which the run has a judged result, as the labs' scripts do
    Judged,
}

impl Topics {
    pub(crate) fn policy(self) -> TopicPolicy {
        match self {
            Self::All => TopicPolicy::All,
            Self::Relevant => TopicPolicy::Relevant,
            Self::Returned => TopicPolicy::Returned,
            Self::Judged => TopicPolicy::Judged,
        }
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// An aligned table
    Text,
    /// An array with an object for each run
    Json,
    /// Comma-separated values with all digits
    Csv,
    /// A LaTeX tabular (booktabs)
    Latex,
    /// A Markdown table
    Markdown,
    /// An HTML table
    Html,
}

/// What documents of Task 2 are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ids {
    /// Visual ids: formulas that look the same are one
    Visual,
    /// Formula instances, each for itself
    Instance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DuplicateRule {
    /// It is an error, as in trec_eval
    Refuse,
    /// The first row counts, as in the scripts of Task 1
    First,
    /// The last row counts, as in the scripts of Task 2
    Last,
}

impl DuplicateRule {
    pub(crate) fn rule(self) -> Duplicates {
        match self {
            Self::Refuse => Duplicates::Refuse,
            Self::First => Duplicates::KeepFirst,
            Self::Last => Duplicates::KeepLast,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScoreBits {
    #[value(name = "32", help = "As in trec_eval 9")]
    F32,
    #[value(name = "64", help = "As in trec_eval 10")]
    F64,
}

impl ScoreBits {
    pub(crate) fn width(self) -> Width {
        match self {
            Self::F32 => Width::F32,
            Self::F64 => Width::F64,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TestName {
    /// Student's paired t-test
    T,
    /// Wilcoxon's signed-rank test
    Wilcoxon,
    /// The sign test
    Sign,
    /// The randomisation test
    Random,
}

impl TestName {
    fn test(self) -> PairedTest {
        match self {
            Self::T => PairedTest::T,
            Self::Wilcoxon => PairedTest::Wilcoxon,
            Self::Sign => PairedTest::Sign,
            Self::Random => PairedTest::Randomisation,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CorrectionName {
    /// None
    None,
    /// Bonferroni's
    Bonferroni,
    /// Holm's
    Holm,
    /// Benjamini and Hochberg's (false discovery rate)
    Bh,
}

impl CorrectionName {
    fn correction(self) -> Correction {
        match self {
            Self::None => Correction::None,
            Self::Bonferroni => Correction::Bonferroni,
            Self::Holm => Correction::Holm,
            Self::Bh => Correction::BenjaminiHochberg,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StudyName {
    /// Each run without the judgments that only its team brought
    Teams,
    /// Pools of the first 1, 5, 10, 20, … results of each run
    Depth,
    /// How alike kinds of topics rank the runs: Kendall's tau, mean gap, swaps
    #[value(alias = "complexity")]
    Kinds,
    /// All formula instances beside visually distinct formulas
    Instances,
    /// Judged and relevant items per topic: minimum, maximum, mean
    Judged,
    /// Relevant items per topic by kind of topic and grade
    Relevant,
}

impl StudyName {
    /// What it is called on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Teams => "teams",
            Self::Depth => "depth",
            Self::Kinds => "kinds",
            Self::Instances => "instances",
            Self::Judged => "judged",
            Self::Relevant => "relevant",
        }
    }

    /// Whether it looks at judgments alone.
    fn is_of_judgments(self) -> bool {
        matches!(self, Self::Judged | Self::Relevant)
    }
}

impl Eval {
    /// What the judgments are about.
    fn qrels_ids(&self) -> Ids {
        let by_instance = self.task.is_some_and(LabRules::judges_instances);
        self.ranking.qrels_ids.unwrap_or(if by_instance { Ids::Instance } else { Ids::Visual })
    }
}

impl Run for Eval {
    fn run(self) -> Result<Exit> {
        let scores_answers = self.task == Some(LabRules::Three) && !self.trec.trec;
        ensure!(self.task3.lab.is_none() || scores_answers, "--lab has no effect without --task 3");
        let of_judgments = self.compare.study.filter(|study| study.is_of_judgments());
        ensure!(
            of_judgments.is_some() || !self.runs.is_empty() || scores_answers,
            "give at least one RUN to score; only --study judged and --study relevant need none"
        );
        if self.trec.trec {
            return trec::print(&self);
        }
        if self.task == Some(LabRules::Three) {
            return task3::print(&self);
        }
        self.task3.ensure_unused()?;
        if let Some(study) = of_judgments {
            return study::judgments::print(&self, study);
        }
        score::print(&self)
    }
}
