//! What cannot be scored is said instead of printed as 0.

use super::load::{NamedQrels, NamedRun};
use super::remarks::some;
use super::score::ScoredSet;
use super::{Eval, Ids, LabRules, OutputFormat, StudyName, Topics};
use crate::warn;
use anyhow::{Result, anyhow, bail, ensure};
use eval::{Column, TopicPolicy};
use formats::TopicId;
use formats::qrels::{Qrels, TopicJudgments};
use formats::run::TopicRows;

/// A run without a judged topic has no scores; zeros would look like some.
pub(super) fn runs_without_topics(runs: &[NamedRun], sets: &[NamedQrels]) -> Result<()> {
    for run in runs {
        let is_judged = |topic: TopicRows<'_>| sets.iter().any(|set| set.qrels.topic(topic.id()).is_some());
        if !run.run.topics().any(is_judged) {
            return Err(no_judged_topic(run.run.name(), run.run.topics().map(TopicRows::id), &sets[0].qrels));
        }
    }
    Ok(())
}

/// That a run answers no judged topic.
pub(super) fn no_judged_topic<'a>(
    run: &str,
    topics: impl ExactSizeIterator<Item = &'a TopicId>,
    qrels: &Qrels,
) -> anyhow::Error {
    let judged = some(qrels.topics().map(TopicJudgments::id));
    anyhow!("{run}: none of its topics ({}) is judged; the judgments are of {judged}", some(topics))
}

/// A mean over no topics is not 0.
pub(super) fn means_over_nothing(runs: &[NamedRun], sets: &[ScoredSet], policy: TopicPolicy) -> Result<()> {
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
pub(super) fn warn_of_high_levels(columns: &[Column], sets: &[ScoredSet], policy: TopicPolicy) {
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

/// What was asked for and could not be done is an error, not silence.
pub(super) fn options_without_effect(args: &Eval) -> Result<()> {
    let (ranking, compare) = (&args.ranking, &args.compare);
    if args.format == OutputFormat::Json {
        let tables = [
            ("--unjudged", args.around.unjudged),
            ("--tukey", compare.tukey),
            ("--correlate", compare.correlate),
            ("--by", compare.by.is_some() && compare.study.is_none()),
        ];
        if let Some((option, _)) = tables.iter().find(|(_, given)| *given) {
            bail!("{option} has no form in JSON; --format csv has all digits, too");
        }
    }
    if args.task.is_some_and(|task| task != LabRules::Two && !task.judges_instances()) {
        let formulas = [
            ("--ids", ranking.ids.is_some()),
            ("--visual-ids", ranking.visual_ids.is_some()),
            ("--qrels-ids instance", ranking.qrels_ids == Some(Ids::Instance)),
        ];
        if let Some((option, _)) = formulas.iter().find(|(_, given)| *given) {
            bail!("{option} has no effect but on formulas: Task 2 and NTCIR");
        }
    }
    ensure!(
        compare.study != Some(StudyName::Kinds) || compare.labels.is_some(),
        "--study kinds needs --labels, a table that says what kind each topic is"
    );
    ensure!(
        compare.pool_depth.is_none() || compare.study == Some(StudyName::Teams),
        "--pool-depth has no effect but on --study teams"
    );
    Ok(())
}

/// What is asked of runs has no effect where there are none.
pub(super) fn options_of_runs(args: &Eval, study: StudyName) -> Result<()> {
    let (ranking, compare, around) = (&args.ranking, &args.compare, &args.around);
    let given = [
        ("RUN", !args.runs.is_empty()),
        ("--measures", !args.measures.is_empty()),
        ("--per-topic", args.per_topic),
        ("--topics", args.topics != Topics::All),
        ("--ids", ranking.ids.is_some()),
        ("--depth", ranking.depth.is_some()),
        ("--duplicates", ranking.duplicates.is_some()),
        ("--against", compare.against.is_some()),
        ("--tukey", compare.tukey),
        ("--correlate", compare.correlate),
        ("--baselines", !compare.baselines.is_empty()),
        ("--around", around.around),
        ("--ties", around.ties),
        ("--unjudged", around.unjudged),
        ("--plot", args.plot.is_some() && study == StudyName::Judged),
    ];
    if let Some((option, _)) = given.iter().find(|(_, given)| *given) {
        bail!("{option} has no effect on --study {}, which looks at judgments alone", study.name());
    }
    ensure!(
        ranking.visual_ids.is_none() || args.qrels_ids() == Ids::Instance,
        "--visual-ids has no effect without --qrels-ids instance: the judgments are of visual ids already"
    );
    Ok(())
}

/// Two conditions can be compared only where instances were judged and returned.
pub(super) fn study_without_instances(args: &Eval, runs: &[NamedRun]) -> Result<()> {
    ensure!(args.ranking.visual_ids.is_some(), "--study instances needs --visual-ids");
    ensure!(
        args.qrels_ids() == Ids::Instance,
        "--study instances needs judgments of formula instances: --qrels-ids instance"
    );
    if let Some(run) = runs.iter().find(|run| !run.holds_instances(args)) {
        bail!(
            "{}: --study instances needs runs of formula instances; say --ids instance if the documents are these",
            run.run.name()
        );
    }
    Ok(())
}
