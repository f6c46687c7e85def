//! Scoring runs by judgments, and printing what was asked for.

use super::load::{self, NamedRun};
use super::{Eval, Ids, OutputFormat, Task};
use super::{around, compare, json, plot, strata, study, table};
use crate::{Answer, output, parallel, warn};
use anyhow::{Context, Result};
use collection::qrels::Qrels;
use collection::run::RunKind;
use collection::{DocId, TopicId, VisualIds};
use eval::{
    Bounds, Codes, Column, Duplicates, Judgments, Makeup, Measure, Outcome, Pipeline, Preset, RunScores,
    Scorer, Ties, TopicPolicy, VisualIdLookup,
};
use std::io::IsTerminal;

/// Everything that was read and computed, for the printers.
pub(super) struct Results<'a> {
    pub(super) args: &'a Eval,
    /// The measures that were asked for.
    pub(super) columns: Vec<Column>,
    /// All runs, in the order given.
    pub(super) runs: Vec<NamedRun>,
    /// A set of scores for each file of judgments.
    pub(super) sets: Vec<ScoredSet>,
    /// Which topics enter the means.
    pub(super) policy: TopicPolicy,
    /// How runs become rankings, in words.
    pub(super) rules: Vec<String>,
    /// Where formulas get their visual ids from.
    visual_ids: Option<VisualIds>,
}

/// The scores by one file of judgments.
pub(super) struct ScoredSet {
    pub(super) name: String,
    pub(super) qrels: Qrels,
    /// One for each run.
    pub(super) scores: Vec<RunScores>,
    pub(super) bounds: Bounds,
}

impl Results<'_> {
    /// How many measures were asked for; one more is scored: see [`Results::judged_at`].
    pub(super) fn num_measures(&self) -> usize {
        self.columns.len()
    }

    /// The share of the first ten results that is judged, which stands beside every score.
    pub(super) fn judged_at(&self, scores: &RunScores) -> f64 {
        scores.average(self.columns.len(), self.policy).value
    }

    /// The rules by which rows become rankings.
    pub(super) fn with_pipeline<R>(&self, work: impl FnOnce(Pipeline<'_>) -> R) -> R {
        let options = PipelineOptions::new(self.args);
        options.with(self.visual_ids.as_ref(), work)
    }
}

/// Reads, scores and prints.
pub(super) fn print(args: &Eval) -> Result<Answer> {
    let results = results(args)?;
    if args.format == OutputFormat::Csv {
        // A table of values has no room for sentences.
        let remarks = (0..results.runs.len()).flat_map(|run| remarks(&results, run));
        remarks.for_each(|remark| warn(&remark));
    }
    let mut out = match args.format {
        OutputFormat::Json => json::array(&results)?,
        _ => {
            let mut tables = vec![table::overview(&results)?];
            if args.around.around {
                tables.push(around::surroundings(&results));
            }
            if args.around.ties {
                tables.push(around::ties(&results));
            }
            if args.around.unjudged {
                tables.push(around::unjudged(&results)?);
            }
            if args.compare.against.is_some() {
                tables.push(compare::against(&results)?);
            }
            if args.compare.tukey {
                tables.push(compare::tukey(&results)?);
            }
            if args.compare.correlate {
                tables.extend(compare::correlations(&results)?);
            }
            if args.compare.by.is_some() {
                tables.extend(strata::tables(&results)?);
            }
            if args.compare.study.is_some() {
                tables.push(study::table(&results)?);
            }
            if args.per_topic {
                tables.extend(table::per_topic(&results));
            }
            let format = table_format(args.format);
            let tables: Vec<String> = tables.iter().map(|table| table.render(format)).collect();
            tables.join("\n")
        }
    };
    if !out.ends_with('\n') {
        out.push('\n');
    }
    if let Some(dir) = &args.plot {
        let page = plot::write(&results, dir)?;
        output::note(&format!("charts: open {}", page.display()));
    }
    output::print(out.as_bytes())?;
    Ok(Answer::Yes)
}

/// How tables are printed.
pub(super) fn table_format(format: OutputFormat) -> report::table::Format {
    use report::table::{Colour, Format};
    match format {
        OutputFormat::Text | OutputFormat::Json => {
            let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            Format::Text(if colour { Colour::On } else { Colour::Off })
        }
        OutputFormat::Csv => Format::Csv,
        OutputFormat::Latex => Format::Latex,
        OutputFormat::Markdown => Format::Markdown,
        OutputFormat::Html => Format::Html,
    }
}

fn results(args: &Eval) -> Result<Results<'_>> {
    let columns = columns(args)?;
    let kind = match (args.task, args.ranking.ids) {
        (Some(Task::Two), None | Some(Ids::Instance)) => RunKind::Formulas,
        (None, _) if args.ranking.visual_ids.is_some() => RunKind::Formulas,
        _ => RunKind::Documents,
    };
    let mut sets = load::qrels(args)?;
    let runs = load::runs(args, kind)?;
    let visual_ids = load::visual_ids(args, &runs, &mut sets)?;
    let mut measures: Vec<Measure> = columns.iter().map(|column| column.measure.clone()).collect();
    measures.push("Judged@10".parse().expect("Judged@10 is a measure"));
    let ties = if args.around.ties { Ties::Bounded } else { Ties::Ordered };
    let options = PipelineOptions::new(args);
    let sets: Result<Vec<ScoredSet>> = sets
        .into_iter()
        .map(|set| {
            let judgments = Judgments::new(&set.qrels, Codes::Unjudged);
            let scores = options.with(visual_ids.as_ref(), |pipeline| {
                let scorer = Scorer { judgments: &judgments, measures: &measures, pipeline, ties };
                parallel::map(&runs, |run| scorer.score(&run.run))
            });
            let scores = scores.into_iter().collect::<Result<Vec<RunScores>, _>>().with_context(|| {
                "a document may stand in the list of a topic only once (see --duplicates)".to_owned()
            })?;
            let bounds = Bounds::new(&judgments, &measures);
            drop(judgments);
            Ok(ScoredSet { name: set.name, qrels: set.qrels, scores, bounds })
        })
        .collect();
    let policy = args.topics.policy();
    let rules = rules(args, policy);
    Ok(Results { args, columns, runs, sets: sets?, policy, rules, visual_ids })
}

/// The measures that were asked for, else those of the task, else those of ARQMath.
fn columns(args: &Eval) -> Result<Vec<Column>> {
    if args.measures.is_empty() {
        let preset = args.task.and_then(Task::preset).unwrap_or(Preset::Task1);
        return Ok(preset.columns());
    }
    let mut columns: Vec<Column> = Vec::new();
    for list in &args.measures {
        for measure in Measure::parse_list(list)? {
            let column = Column::plain(measure);
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    Ok(columns)
}

/// How rows become rankings, as far as it does not borrow.
struct PipelineOptions {
    width: collection::order::Width,
    duplicates: Duplicates,
    depth: Option<usize>,
}

impl PipelineOptions {
    fn new(args: &Eval) -> Self {
        let preset = args.task.and_then(Task::preset);
        let default = match preset {
            // A file of visual ids is made by a program that joined them already.
            Some(Preset::Task2) if args.ranking.visual_ids.is_none() => Duplicates::Refuse,
            Some(preset) => preset.duplicates(),
            None => Duplicates::Refuse,
        };
        Self {
            width: args.ranking.score_bits.width(),
            duplicates: args.ranking.duplicates.map_or(default, super::DuplicateRule::rule),
            depth: args.ranking.depth.map(|depth| depth as usize).or_else(|| preset.and_then(Preset::depth)),
        }
    }

    fn with<R>(&self, visual_ids: Option<&VisualIds>, work: impl FnOnce(Pipeline<'_>) -> R) -> R {
        let Self { width, duplicates, depth } = *self;
        let table = visual_ids.map(Table);
        let visual_ids = table.as_ref().map(|table| table as &dyn VisualIdLookup);
        work(Pipeline { width, duplicates, visual_ids, depth })
    }
}

/// A table of visual ids as the pipeline asks for it.
struct Table<'a>(&'a VisualIds);

impl VisualIdLookup for Table<'_> {
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>> {
        self.0.get(formula.as_str()).map(|id| DocId(id.as_str()))
    }
}

/// What is to be known about the numbers, in sentences.
fn rules(args: &Eval, policy: TopicPolicy) -> Vec<String> {
    let mut rules = Vec::new();
    match args.task.and_then(Task::preset) {
        Some(preset) => rules.push(format!("{}.", preset.rules())),
        None if args.measures.is_empty() => rules.push(
            "ARQMath's measures: unjudged results removed; MAP' and P'@10 count grades of 2 or more as relevant."
                .to_owned(),
        ),
        None => {}
    }
    rules.push(format!("Means over {policy}."));
    if args.ranking.score_bits == super::ScoreBits::F64 {
        rules.push("Scores compared in 64 bits.".to_owned());
    }
    rules
}

/// What a reader of a run's scores should know, in sentences.
pub(super) fn remarks(results: &Results<'_>, run: usize) -> Vec<String> {
    let name = &results.runs[run].name;
    let mut remarks = Vec::new();
    for set in &results.sets {
        let scores = &set.scores[run];
        let by = if results.sets.len() > 1 { format!(" by {}", set.name) } else { String::new() };
        let count = |outcome| scores.topics.iter().filter(|topic| topic.outcome == outcome).count();
        let all = scores.topics.len();
        let (missing, blind) = (count(Outcome::NoResults), count(Outcome::NothingJudged));
        if missing > 0 {
            let counted = if results.policy == TopicPolicy::All { "counting 0" } else { "see --topics" };
            remarks.push(format!("{name}{by}: no results for {missing} of {all} topics ({counted})"));
        }
        if blind > 0 {
            remarks.push(format!("{name}{by}: no judged result for {blind} of {all} topics"));
        }
        if !scores.without_judgments.is_empty() {
            let topics: Vec<&str> = scores.without_judgments.iter().take(3).map(TopicId::as_str).collect();
            let (count, more) =
                (scores.without_judgments.len(), if scores.without_judgments.len() > 3 { ", …" } else { "" });
            let verb = if count == 1 { "topic is" } else { "topics are" };
            remarks.push(format!(
                "{name}{by}: {count} {verb} not judged and left out ({}{more})",
                topics.join(", ")
            ));
        }
        if scores.coverage(results.policy).makeup == Makeup::JudgedOnly {
            remarks.push(format!(
                "{name}{by}: every result is judged, so unjudged ones were removed before; only judged-only \
                 measures (') say something about the system"
            ));
        }
        let left_out = scores.left_out;
        for (count, what) in [
            (left_out.duplicates, "rows repeat a document of their topic"),
            (left_out.without_visual_id, "formulas have no visual id and are left out"),
            (left_out.too_deep, "results lie beyond the depth that counts"),
        ] {
            if count > 0 {
                remarks.push(format!("{name}{by}: {count} {what}"));
            }
        }
    }
    remarks
}
