//! Scoring runs by judgments, and printing what was asked for.

use super::load::{self, NamedQrels, NamedRun};
use super::{Eval, Ids, OutputFormat, StudyName, Task};
use super::{around, compare, json, plot, strata, study, table};
use crate::{Answer, output, parallel, warn};
use anyhow::{Result, anyhow, bail, ensure};
use collection::qrels::{Qrels, TopicJudgments};
use collection::run::{RunKind, RunRow, TopicRows};
use collection::{DocId, TopicId, VisualIds};
use eval::{
    Bounds, Codes, Column, Duplicates, Judgments, Makeup, Measure, Outcome, Pipeline, Preset, RunScores,
    Scorer, Ties, TopicPolicy, TopicScores, VisualIdLookup,
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

    /// The rules by which the rows of a run become rankings.
    pub(super) fn with_pipeline<R>(&self, run: usize, work: impl FnOnce(Pipeline<'_>) -> R) -> R {
        PipelineOptions::new(self.args, &self.runs[run]).with(self.visual_ids.as_ref(), work)
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
    refuse_without_effect(args)?;
    let columns = columns(args)?;
    let kind = match (args.task, args.ranking.ids) {
        (Some(Task::Two), None | Some(Ids::Instance)) => RunKind::Formulas,
        (None, _) if args.ranking.visual_ids.is_some() => RunKind::Formulas,
        _ => RunKind::Documents,
    };
    let mut sets = load::qrels(args)?;
    let runs = load::runs(args, kind)?;
    ensure_common_topics(&runs, &sets)?;
    let visual_ids = load::visual_ids(args, &runs, &mut sets)?;
    let mut measures: Vec<Measure> = columns.iter().map(|column| column.measure.clone()).collect();
    measures.push("Judged@10".parse().expect("Judged@10 is a measure"));
    let ties = if args.around.ties { Ties::Bounded } else { Ties::Ordered };
    let sets: Result<Vec<ScoredSet>> = sets
        .into_iter()
        .map(|set| {
            let judgments = Judgments::new(&set.qrels, Codes::Unjudged);
            let scores = parallel::map(&runs, |run| {
                PipelineOptions::new(args, run).with(visual_ids.as_ref(), |pipeline| {
                    let scorer = Scorer { judgments: &judgments, measures: &measures, pipeline, ties };
                    scorer.score(&run.run)
                })
            });
            let scores = scores.into_iter().collect::<Result<Vec<RunScores>, _>>();
            let scores = scores.map_err(|error| anyhow!("{error}; see --duplicates"))?;
            let bounds = Bounds::new(&judgments, &measures);
            drop(judgments);
            Ok(ScoredSet { name: set.name, qrels: set.qrels, scores, bounds })
        })
        .collect();
    let sets = sets?;
    let policy = args.topics.policy();
    ensure_counted(&runs, &sets, policy)?;
    warn_of_high_levels(&columns, &sets, policy);
    let rules = rules(args, policy);
    Ok(Results { args, columns, runs, sets, policy, rules, visual_ids })
}

/// A run without a judged topic has no scores; zeros would look like some.
fn ensure_common_topics(runs: &[NamedRun], sets: &[NamedQrels]) -> Result<()> {
    for run in runs {
        let is_judged = |topic: TopicRows<'_>| sets.iter().any(|set| set.qrels.topic(topic.id()).is_some());
        if !run.run.topics().any(is_judged) {
            let of_run = some(run.run.topics().map(TopicRows::id));
            let judged = some(sets[0].qrels.topics().map(TopicJudgments::id));
            bail!(
                "{}: none of its topics ({of_run}) is judged; the judgments are of {judged}",
                run.run.name()
            );
        }
    }
    Ok(())
}

/// A mean over no topics is not 0.
fn ensure_counted(runs: &[NamedRun], sets: &[ScoredSet], policy: TopicPolicy) -> Result<()> {
    for set in sets {
        for (run, scores) in runs.iter().zip(&set.scores) {
            ensure!(
                scores.admitted(policy).next().is_some(),
                "{}: no topic of {} counts: means are over {policy} (see --topics)",
                run.run.name(),
                set.qrels.name()
            );
        }
    }
    Ok(())
}

/// A measure that no order of the pool can raise above 0 says nothing about the runs.
fn warn_of_high_levels(columns: &[Column], sets: &[ScoredSet], policy: TopicPolicy) {
    for set in sets {
        let Some(scores) = set.scores.first() else { continue };
        let dead = |measure: &usize| set.bounds.around(scores, *measure, policy).ceiling <= 0.0;
        let dead: Vec<&str> =
            (0..columns.len()).filter(dead).map(|measure| columns[measure].name.as_str()).collect();
        if let Some(highest) = scores.admitted(policy).filter_map(|topic| topic.highest_grade).max()
            && !dead.is_empty()
        {
            warn(&format!(
                "{}: no judgment is high enough to count (the highest grade is {highest}), so these are 0 for \
                 every run: {}",
                set.qrels.name(),
                dead.join(", ")
            ));
        }
    }
}

/// The first few topics of many.
fn some<'a>(topics: impl ExactSizeIterator<Item = &'a TopicId>) -> String {
    let more = if topics.len() > 3 { ", …" } else { "" };
    let shown: Vec<&str> = topics.take(3).map(TopicId::as_str).collect();
    format!("{}{more}", shown.join(", "))
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
    ensure!(!columns.is_empty(), "--measures names no measure");
    Ok(columns)
}

/// What was asked for and could not be done is an error, not silence.
fn refuse_without_effect(args: &Eval) -> Result<()> {
    let (ranking, compare) = (&args.ranking, &args.compare);
    if args.format == OutputFormat::Json {
        let tables = [
            ("--unjudged", args.around.unjudged),
            ("--tukey", compare.tukey),
            ("--correlate", compare.correlate),
            ("--by", compare.by.is_some()),
            ("--study", compare.study.is_some()),
        ];
        if let Some((option, _)) = tables.iter().find(|(_, given)| *given) {
            bail!("{option} has no form in JSON; --format csv has all digits, too");
        }
    }
    if args.task.is_some_and(|task| task != Task::Two) {
        let formulas = [
            ("--ids", ranking.ids.is_some()),
            ("--visual-ids", ranking.visual_ids.is_some()),
            ("--qrels-ids instance", ranking.qrels_ids == Ids::Instance),
        ];
        if let Some((option, _)) = formulas.iter().find(|(_, given)| *given) {
            bail!("{option} has no effect but on Task 2");
        }
    }
    ensure!(
        compare.pool_depth.is_none() || compare.study == Some(StudyName::Teams),
        "--pool-depth has no effect but on --study teams"
    );
    Ok(())
}

/// How rows become rankings, as far as it does not borrow.
struct PipelineOptions {
    /// Whether documents become visual ids.
    by_visual_id: bool,
    width: collection::order::Width,
    duplicates: Duplicates,
    depth: Option<usize>,
}

impl PipelineOptions {
    fn new(args: &Eval, run: &NamedRun) -> Self {
        let preset = args.task.and_then(Task::preset);
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

/// What is to be known about the numbers, in sentences.
fn rules(args: &Eval, policy: TopicPolicy) -> Vec<String> {
    let mut rules = Vec::new();
    match args.task.and_then(Task::preset) {
        Some(Preset::Task2) if args.ranking.ids == Some(Ids::Instance) && args.ranking.visual_ids.is_none() => {
            rules.push(
                "ARQMath Task 2's measures on formula instances as they are: not the lab's way, which counts each \
                 visual id once."
                    .to_owned(),
            );
        }
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
        let considered =
            |topic: &&TopicScores| results.policy != TopicPolicy::Relevant || results.policy.admits(topic);
        let topics: Vec<&TopicScores> = scores.topics.iter().filter(considered).collect();
        let count = |outcome| topics.iter().filter(|topic| topic.outcome == outcome).count();
        let all = topics.len();
        let (missing, blind) = (count(Outcome::NoResults), count(Outcome::NothingJudged));
        if missing > 0 {
            let counted = match results.policy {
                TopicPolicy::All | TopicPolicy::Relevant => "counting 0",
                TopicPolicy::Returned | TopicPolicy::Judged => "left out of the means",
            };
            remarks.push(format!("{name}{by}: no results for {missing} of {all} topics ({counted})"));
        }
        if blind > 0 {
            let counted = if results.policy == TopicPolicy::Judged { " (left out of the means)" } else { "" };
            remarks.push(format!("{name}{by}: no judged result for {blind} of {all} topics{counted}"));
        }
        if blind > 0 && blind + missing == all {
            remarks.push(format!(
                "{name}{by}: not one result is judged: do run and judgments have ids of the same kind?"
            ));
        }
        if !scores.without_judgments.is_empty() {
            let topics = &scores.without_judgments;
            let verb = if topics.len() == 1 { "topic is" } else { "topics are" };
            let (count, shown) = (topics.len(), some(topics.iter()));
            remarks.push(format!("{name}{by}: {count} {verb} not judged and left out ({shown})"));
        }
        if scores.coverage(TopicPolicy::All).makeup == Makeup::JudgedOnly {
            remarks.push(format!(
                "{name}{by}: every result is judged, as if unjudged ones had been removed before; then only \
                 judged-only measures (') say something about the system"
            ));
        }
        let left_out = scores.left_out;
        for (count, one, many) in [
            (
                left_out.duplicates,
                "row repeats a document of its topic",
                "rows repeat a document of their topic",
            ),
            (
                left_out.without_visual_id,
                "formula has no visual id and is left out",
                "formulas have no visual id and are left out",
            ),
            (
                left_out.too_deep,
                "result lies beyond the depth that counts",
                "results lie beyond the depth that counts",
            ),
        ] {
            if count > 0 {
                let what = if count == 1 { one } else { many };
                remarks.push(format!("{name}{by}: {count} {what}"));
            }
        }
    }
    let unordered = run_topics_out_of_order(&results.runs[run]);
    if unordered > 0 {
        let topics = if unordered == 1 { "topic" } else { "topics" };
        remarks.push(format!(
            "{name}: in {unordered} {topics} a later rank has a higher score; scores decide, ranks are not looked at"
        ));
    }
    remarks
}

/// In how many topics of a run ranks and scores disagree, as when low scores are good.
fn run_topics_out_of_order(run: &NamedRun) -> usize {
    let disagrees = |topic: &TopicRows<'_>| {
        let ranked = |row: RunRow<'_>| Some((row.rank_text().parse::<u64>().ok()?, row.score()));
        let mut before = None;
        topic.rows().filter_map(ranked).any(|(rank, score)| {
            let (last_rank, last_score) = before.replace((rank, score)).unwrap_or((rank, score));
            rank > last_rank && score > last_score
        })
    };
    run.run.topics().filter(disagrees).count()
}
