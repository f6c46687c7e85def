//! Scoring runs by judgments, and printing what was asked for.

use super::load::{self, NamedQrels, NamedRun};
use super::remarks::{remarks, rules, together};
use super::{Eval, Ids, LabRules, OutputFormat, StudyName};
use super::{around, compare, json, plot, refuse, strata, study, table};
use crate::{Exit, output, warn};
use anyhow::{Result, anyhow, ensure};
use eval::{
    Bounds, Codes, Column, Duplicates, Judgments, Measure, Pipeline, Preset, RunScores, Scorer, Stratum,
    Ties, TopicPolicy, VisualIdLookup,
};
use formats::qrels::Qrels;
use formats::run::RunKind;
use formats::{DocId, Exposed, VisualIds};
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
    /// The same by the judgments of formula instances, for the study that compares the two; else none.
    pub(super) instances: Vec<ScoredSet>,
    /// The kinds of topics that were asked for.
    pub(super) kinds: Vec<Stratum>,
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

    /// Where formulas get their visual ids from, if they have some.
    pub(super) fn visual_ids(&self) -> Option<&VisualIds> {
        self.visual_ids.as_ref()
    }

    /// The exposed models of all runs.
    pub(super) fn exposed(&self) -> Exposed {
        Exposed::among(self.runs.iter().flat_map(|run| &run.models))
    }

    /// The rules by which the rows of a run become rankings.
    pub(super) fn with_pipeline<R>(&self, run: usize, work: impl FnOnce(Pipeline<'_>) -> R) -> R {
        PipelineOptions::new(self.args, &self.runs[run]).with(self.visual_ids.as_ref(), work)
    }
}

/// Reads, scores and prints.
pub(super) fn print(args: &Eval) -> Result<Exit> {
    let results = results(args)?;
    if args.format == OutputFormat::Csv {
        // A table of values has no room for sentences.
        let remarks = (0..results.runs.len()).flat_map(|run| remarks(&results, run));
        together(remarks).iter().for_each(|remark| warn(remark));
    }
    let mut out = match args.format {
        OutputFormat::Json => match args.compare.study {
            Some(name) => json::study(name, &study::tables(&results)?)?,
            None => json::array(&results)?,
        },
        _ => {
            let mut tables = Vec::new();
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
            // Studies of kinds have tables of their own.
            let by_kinds = matches!(args.compare.study, Some(StudyName::Kinds | StudyName::Instances));
            if args.compare.by.is_some() && !by_kinds {
                tables.extend(strata::tables(&results)?);
            }
            if args.compare.study.is_some() {
                tables.extend(study::tables(&results)?);
            }
            if args.per_topic {
                tables.extend(table::per_topic(&results));
            }
            // A program that reads CSV wants the table that was asked for, not the overview before it.
            if args.format != OutputFormat::Csv || tables.is_empty() {
                tables.splice(0..0, table::overviews(&results)?);
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
    Ok(Exit::Yes)
}

/// How tables are printed.
pub(super) fn table_format(format: OutputFormat) -> figures::table::Format {
    use figures::table::{Colour, Format};
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
    refuse::options_without_effect(args)?;
    let columns = columns(&args.measures, args.task.and_then(LabRules::preset))?;
    let kind = match (args.task, args.ranking.ids) {
        (Some(LabRules::Two), None | Some(Ids::Instance)) => RunKind::Formulas,
        (None, _) if args.ranking.visual_ids.is_some() => RunKind::Formulas,
        _ => RunKind::Documents,
    };
    let mut sets = load::qrels(args)?;
    let runs = load::runs(args, kind)?;
    refuse::runs_without_topics(&runs, &sets)?;
    let mut instances = Vec::new();
    if args.compare.study == Some(StudyName::Instances) {
        refuse::study_without_instances(args, &runs)?;
        instances.clone_from(&sets);
    }
    let visual_ids = load::visual_ids(args, &runs, &mut sets)?;
    let scored = |sets: Vec<NamedQrels>, visual_ids: Option<&VisualIds>| -> Result<Vec<ScoredSet>> {
        sets.into_iter().map(|set| scored_set(args, &columns, &runs, set, visual_ids)).collect()
    };
    let sets = scored(sets, visual_ids.as_ref())?;
    let instances = scored(instances, None)?;
    let policy = args.topics.policy();
    refuse::means_over_nothing(&runs, &sets, policy)?;
    refuse::warn_of_high_levels(&columns, &sets, policy);
    let rules = rules(args, policy);
    let kinds = strata::read(args, &sets.iter().map(|set| &set.qrels).collect::<Vec<_>>())?;
    Ok(Results { args, columns, runs, sets, policy, rules, instances, kinds, visual_ids })
}

/// Scores all runs by one file of judgments, formulas by their visual ids if these are given.
fn scored_set(
    args: &Eval,
    columns: &[Column],
    runs: &[NamedRun],
    set: NamedQrels,
    visual_ids: Option<&VisualIds>,
) -> Result<ScoredSet> {
    let ties = if args.around.ties { Ties::Bounded } else { Ties::Ordered };
    let judgments = Judgments::new(&set.qrels, Codes::Unjudged);
    let measures = measures(args, columns, set.judges);
    let scores = parallel::map(runs, |run| {
        PipelineOptions::new(args, run).with(visual_ids, |pipeline| {
            let scorer = Scorer { judgments: &judgments, measures: &measures, pipeline, ties };
            scorer.score(&run.run)
        })
    });
    let scores = scores.into_iter().collect::<Result<Vec<RunScores>, _>>();
    let scores = scores.map_err(|error| anyhow!("{error}; see --duplicates"))?;
    let bounds = Bounds::new(&judgments, &measures);
    drop(judgments);
    Ok(ScoredSet { name: set.name, qrels: set.qrels, scores, bounds })
}

/// The measures that were asked for, else those of the task, else those of ARQMath.
pub(crate) fn columns(lists: &[String], preset: Option<Preset>) -> Result<Vec<Column>> {
    if lists.is_empty() {
        return Ok(preset.unwrap_or(Preset::Task1).columns());
    }
    let mut columns: Vec<Column> = Vec::new();
    for list in lists {
        for measure in Measure::parse_list(list)? {
            let column = Column::plain(measure);
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
    }
    ensure!(!columns.is_empty(), "--measures names no measure");
    Ok(columns)
}

/// What is scored by the judgments of one or several judges; the last is for [`Results::judged_at`].
fn measures(args: &Eval, columns: &[Column], judges: load::Judges) -> Vec<Measure> {
    let preset = args.task.and_then(LabRules::preset).filter(|_| args.measures.is_empty());
    let of_one = preset.filter(|_| judges == load::Judges::One).map(Preset::columns_of_one_judge);
    let columns = of_one.as_deref().unwrap_or(columns);
    let mut measures: Vec<Measure> = columns.iter().map(|column| column.measure.clone()).collect();
    measures.push("Judged@10".parse().expect("Judged@10 is a measure"));
    measures
}

/// How rows become rankings, as far as it does not borrow.
struct PipelineOptions {
    /// Whether documents become visual ids.
    by_visual_id: bool,
    width: formats::order::Width,
    duplicates: Duplicates,
    depth: Option<usize>,
}

impl PipelineOptions {
    fn new(args: &Eval, run: &NamedRun) -> Self {
        let preset = args.task.and_then(LabRules::preset);
        let by_visual_id = args.ranking.visual_ids.is_some() && run.holds_instances(args);
        let default = match preset {
            // A file of visual ids is made by a program that joined them already.
            Some(Preset::Task2) if !by_visual_id => Duplicates::Refuse,
            Some(preset) => preset.duplicates(),
            None => Duplicates::Refuse,
        };
        Self {
            by_visual_id,
            width: args.ranking.score_bits.width(),
            duplicates: args.ranking.duplicates.map_or(default, super::DuplicateRule::rule),
            depth: args.ranking.depth.map(|depth| depth as usize).or_else(|| preset.and_then(Preset::depth)),
        }
    }

    fn with<R>(&self, visual_ids: Option<&VisualIds>, work: impl FnOnce(Pipeline<'_>) -> R) -> R {
        let Self { by_visual_id, width, duplicates, depth } = *self;
        let table = visual_ids.filter(|_| by_visual_id).map(Table);
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
