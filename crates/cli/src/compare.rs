//! `hypatia compare`: systems side by side on one index, by quality and time.

mod members;
mod print;
mod runner;
mod score;

use crate::evaluate::Topics;
use crate::output::{WholeFile, note};
use crate::place::find_index;
use crate::progress::Progress;
use crate::run::given::GivenArgs;
use crate::run::topics::{self, Effort, Ids};
use crate::{Exit, Run, evaluate, nearest, run_record, systems, warn};
use ::formats::run::{Run as RankedRun, RunLayout};
use ::formats::{RecordedModel, RunRecord};
use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use eval::{Codes, Judgments, Preset};
use members::Plan;
use retrieve::{Engine, Pipeline, System, SystemTask};
use runner::{Ran, Runner};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Mutex;

const LONG_ABOUT: &str = "\
Runs several systems over one index and scores them as `hypatia eval` does: the measures of the lab \
with 95 % intervals, a paired test against the first system or the one named with --against, and the \
CPU time that a topic takes. --format html makes a page with a chart of quality against time.

All systems must be for one task. A system that cannot be run, since the index lacks what it searches \
or since a run that it is made of was not given, is named with what would help, and the others are \
compared. Several files of topics can be given, each with its judgments; all topics count alike.

--members adds a table for each system that is made of several: every member alone, the relevant items \
that only it has among its first, the system without it with the difference to the whole, the best member \
of each topic as an upper bound, and how much the rankings of two members have in common.

Everything but the times is the same whenever it is run again. --format json has the values of every \
topic, by which `hypatia agree` says how far different topics agree on systems.";

const EXAMPLES: &str = "\
Examples:
  hypatia compare --systems bm25,hypatia-classic-1 --topics t.xml --qrels q.txt --index math.index
  hypatia compare --systems all --task 2 --topics t.xml --qrels q.txt --index math.index \\
      --over relevant --passes 3 -j 1 --format html -o comparison.html
  hypatia compare --systems bm25,mine.toml --against bm25 --topics 2020.xml --qrels 2020.qrels \\
      --topics 2021.xml --qrels 2021.qrels --index math.index --runs runs/
  hypatia compare --systems fused-answers --members --over relevant --topics t.xml --qrels q.txt \\
      --index math.index
  hypatia compare --systems approach0-fusion-alpha05,approach0-a0porter --member colbert=c.tsv \\
      --topics t.xml --qrels q.txt --index math.index";

/// How the comparison is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An aligned table
    Text,
    /// A Markdown table
    Markdown,
    /// A page with the table and a chart of quality against time
    Html,
    /// One object with all values
    Json,
    /// Comma-separated values with all digits
    Csv,
}

/// Compare systems: quality, significance and time
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Compare {
    /// Names or files of systems, separated by commas; 'all' for all of the task
    #[arg(long, value_name = "NAMES", required = true, value_delimiter = ',')]
    systems: Vec<String>,

    /// A file of topics; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    topics: Vec<PathBuf>,

    /// The judgments of these topics, one file for each file of topics; for formulas, of visual ids
    #[arg(long, value_name = "FILE", required = true)]
    qrels: Vec<PathBuf>,

    /// The index [default: that of the settings, see hypatia config]
    #[arg(long, value_name = "INDEX")]
    index: Option<PathBuf>,

    /// The task, for 'all': 1, answers to questions; 2, formulas [default: that of the systems]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=2))]
    task: Option<u8>,

    /// Measures, separated by commas or semicolons; the first is tested and drawn [default: the lab's]
    #[arg(short, long, value_name = "LIST", allow_hyphen_values = true)]
    measures: Vec<String>,

    /// The system that the others are tested against [default: the first]
    #[arg(long, value_name = "NAME")]
    against: Option<String>,

    /// Which topics enter the means
    #[arg(long, value_name = "WHICH", default_value = "all")]
    over: Topics,

    #[command(flatten)]
    given: GivenArgs,

    /// Show what each member of a system contributes: alone, left out, and what no other member finds
    ///
    /// Members are those of a fusion, or the groups, dense sources and rerankers of a sum, or several
    /// ways to find formulas. Each takes two more runs over the topics.
    #[arg(long = "members")]
    with_members: bool,

    /// How many of the first results of a member count for what it finds
    #[arg(long, value_name = "N", default_value = "100", requires = "with_members")]
    members_depth: NonZeroUsize,

    /// How many results a topic has at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    depth: usize,

    /// Leave nothing out to be faster
    #[arg(long)]
    exact: bool,

    /// How often each topic is run, for measuring: the least time of a topic counts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    passes: u32,

    /// How many threads work [default: all cores]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// How the comparison is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Where the comparison goes [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Where the chart of quality against time goes, as SVG
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,

    /// A folder for the runs, one file for each system, in TREC's form
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
}

/// A system that was run.
struct Entry {
    system: System,
    ran: Rc<Ran>,
    /// What its members contribute, if that was asked for.
    members: Option<members::Report>,
}

/// A system that could not be run.
struct LeftOut {
    name: String,
    why: String,
}

impl LeftOut {
    fn new(name: String, why: &anyhow::Error) -> Self {
        // What is wrong with a fusion is told with its name, which stands before it anyway.
        let why = format!("{why:#}");
        let why = why.strip_prefix(&format!("{name}: ")).unwrap_or(&why).to_owned();
        Self { name, why }
    }
}

impl Run for Compare {
    fn run(self) -> Result<Exit> {
        self.ensure_members()?;
        topics::ensure_each_is_judged(&self.topics, &self.qrels)?;
        let asked = self.task.map(SystemTask::try_from).transpose().map_err(anyhow::Error::msg)?;
        let systems = systems::of_one_task(&self.systems, asked)?;
        let task = systems.first().context("--systems names no system")?.1.task;
        let base = self.base(&systems)?;
        let preset = if task == SystemTask::Answers { Preset::Task1 } else { Preset::Task2 };
        let columns = evaluate::score::columns(&self.measures, Some(preset))?;
        let policy = self.over.policy();
        let sets = score::read(&self.topics, &self.qrels, policy)?;
        for (path, set) in self.qrels.iter().zip(&sets) {
            let judgments = Judgments::new(&set.qrels, Codes::Unjudged);
            let primes = columns.iter().filter(|column| column.measure.is_judged_only());
            let primes = primes.map(|column| column.name.clone());
            topics::warn_of_primes(path, judgments.topics(), primes, "-m 'nDCG@1000,AP,RR'");
        }
        let output = self.output.as_deref().map(WholeFile::create).transpose()?;
        let chart = self.chart.as_deref().map(WholeFile::create).transpose()?;
        if let Some(folder) = &self.runs {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        }
        let engine = Engine::open_whole(&find_index(self.index.as_deref())?, self.given.resources()?)?;
        let inputs = self.given.read(task, engine.index())?;
        let compile = |system: System| -> Result<Pipeline> {
            let pipeline = inputs.pipeline_quietly(system)?;
            Ok(if self.exact { pipeline.exact() } else { pipeline })
        };
        let (pipelines, mut left_out) = compiled(systems.into_iter().map(|(_, system)| system), compile);
        inputs.ensure_used(&pipelines.iter().map(|(_, pipeline)| pipeline).collect::<Vec<_>>())?;
        let mut plan = Plan::new(pipelines);
        if self.with_members {
            plan.add_members(&engine, &compile);
        }
        let topics: usize = sets.iter().map(|set| set.topics.len()).sum();
        let progress = Mutex::new(Progress::items((topics * plan.num_runs()) as u64));
        let measures: Vec<eval::Measure> = columns.iter().map(|column| column.measure.clone()).collect();
        let runner = Runner {
            engine: &engine,
            inputs: &inputs,
            sets: &sets,
            measures: &measures,
            preset,
            effort: Effort {
                depth: self.depth,
                passes: self.passes,
                threads: topics::threads(self.threads),
                ids: Ids::Visual,
            },
            progress: &progress,
            firsts: if self.with_members { self.members_depth.get() } else { 0 },
        };
        let entries = self.run_all(&mut plan, &runner, policy, &mut left_out)?;
        drop(progress);
        warn_of_left_out(&left_out, &entries);
        ensure!(!entries.is_empty(), "no system could be run");
        let base = match entries.iter().position(|entry| entry.system.name == base) {
            Some(place) => place,
            None => {
                warn(&format!(
                    "{base} was not run; the others are tested against {}",
                    entries[0].system.name
                ));
                0
            }
        };
        let report = print::Report { entries, left_out, columns, sets, policy, base, task, preset };
        if let Some(chart) = chart {
            chart.write(report.chart().as_bytes())?;
        }
        let text = report.render(self.format)?;
        match output {
            Some(file) => file.write(text.as_bytes())?,
            None => crate::output::print(text.as_bytes())?,
        }
        if self.format == Format::Text {
            note("a chart of quality against time: --format html -o FILE, or --chart FILE.svg");
        }
        Ok(Exit::Yes)
    }
}

/// Systems with their pipelines, and those that cannot be run.
fn compiled(
    systems: impl Iterator<Item = System>,
    compile: impl Fn(System) -> Result<Pipeline>,
) -> (Vec<(System, Pipeline)>, Vec<LeftOut>) {
    let (mut pipelines, mut left_out) = (Vec::new(), Vec::new());
    for system in systems {
        match compile(system.clone()) {
            Ok(pipeline) => pipelines.push((system, pipeline)),
            Err(error) => left_out.push(LeftOut::new(system.name, &error)),
        }
    }
    (pipelines, left_out)
}

/// Says which systems and members were not run, and why.
fn warn_of_left_out(left_out: &[LeftOut], entries: &[Entry]) {
    for LeftOut { name, why } in left_out {
        warn(&format!("{name} is left out: {why}"));
    }
    for entry in entries {
        for LeftOut { name, why } in entry.members.iter().flat_map(members::Report::left_out) {
            warn(&format!("{}: {name} is left out: {why}", entry.system.name));
        }
    }
}

impl Compare {
    /// Runs all systems, and their members where that is asked for.
    fn run_all(
        &self,
        plan: &mut Plan,
        runner: &Runner<'_>,
        policy: eval::TopicPolicy,
        left_out: &mut Vec<LeftOut>,
    ) -> Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for number in 0..plan.num_compared() {
            let (system, pipeline) = plan.run(number);
            let system = system.clone();
            let ran = match runner.run(&system.name, pipeline, self.passes)? {
                Ok((ran, runs)) => {
                    if let Some(folder) = &self.runs {
                        write_runs(folder, &system, &runs, &ran.models)?;
                    }
                    Ok(ran)
                }
                Err(why) => {
                    left_out.push(LeftOut { name: system.name.clone(), why: why.clone() });
                    Err(why)
                }
            };
            if let Some(ran) = plan.keep(number, ran) {
                entries.push((number, Entry { system, ran, members: None }));
            }
        }
        if self.with_members {
            for (number, entry) in &mut entries {
                entry.members = Some(plan.report(*number, runner, policy)?);
            }
        }
        Ok(entries.into_iter().map(|(_, entry)| entry).collect())
    }

    /// Refuses options for members that contradict others.
    fn ensure_members(&self) -> Result<()> {
        if !self.with_members {
            return Ok(());
        }
        ensure!(
            self.format != Format::Csv,
            "--members makes several tables, and CSV holds one: take --format json, text, markdown or html"
        );
        let (first, depth) = (self.members_depth.get(), self.depth);
        ensure!(first <= depth, "--members-depth {first} is more than the {depth} results of --depth");
        Ok(())
    }

    /// The name of the system that the others are tested against.
    fn base(&self, systems: &[(String, System)]) -> Result<String> {
        let Some(wanted) = &self.against else { return Ok(systems[0].1.name.clone()) };
        let found = systems.iter().find(|(asked, system)| asked == wanted || system.name == *wanted);
        found.map(|(_, system)| system.name.clone()).with_context(|| {
            let known: Vec<String> = systems.iter().map(|(_, system)| system.name.clone()).collect();
            format!("--against: '{wanted}' is not compared here; {}", nearest::suggest(wanted, &known))
        })
    }
}

/// Writes the runs of a system as one file, with its record.
fn write_runs(folder: &Path, system: &System, runs: &[RankedRun], models: &[RecordedModel]) -> Result<()> {
    let text: String = runs.iter().map(|run| run.to_text(RunLayout::Trec)).collect();
    let path = folder.join(format!("{}.run", system.name));
    WholeFile::create(&path)?.write(text.as_bytes())?;
    let record =
        RunRecord { system: Some(system.name.clone()), models: models.to_vec(), ..RunRecord::default() };
    run_record::write(&path, &record)
}
