//! What cannot be scored is said instead of printed as 0.

use super::load::{NamedQrels, NamedRun};
use super::remarks::some;
use super::score::ScoredSet;
use super::{Eval, Ids, OutputFormat, StudyName, Task};
use crate::warn;
use anyhow::{Result, anyhow, bail, ensure};
use collection::TopicId;
use collection::qrels::{Qrels, TopicJudgments};
use collection::run::TopicRows;
use eval::{Column, TopicPolicy};

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
