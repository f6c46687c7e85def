//! What Task 3 cannot score, or what has no effect on it, is said instead of printed as 0.

use super::super::load::STDIN;
use super::super::refuse::no_judged_topic;
use super::super::remarks::some;
use super::super::{Eval, Ids, OutputFormat, ScoreBits};
use super::entries::{Answers, Entry};
use super::kind::Kind;
use super::{Scored, Task3Args};
use crate::warn;
use anyhow::{Result, bail, ensure};
use formats::TopicId;
use formats::qrels::Qrels;
use formats::task3::LONGEST_ANSWER;
use std::path::{Path, PathBuf};

/// A run without a judged topic has no scores; zeros would look like some.
pub(super) fn runs_without_topics(entries: &[Entry], qrels: &Qrels) -> Result<()> {
    for entry in entries {
        let ids = entry.ids();
        if !ids.iter().any(|(topic, _)| qrels.topic(topic).is_some()) {
            return Err(no_judged_topic(&entry.label(), ids.iter().map(|(topic, _)| topic), qrels));
        }
    }
    Ok(())
}

/// Zeros for a ranking of which nothing was judged may come of a file of another kind.
pub(super) fn warn_of_strange_rankings(entries: &[Entry], scored: &[Scored]) {
    for (entry, scored) in entries.iter().zip(scored) {
        if let Answers::Ranked { first, .. } = &entry.answers
            && let Some(document) = first.values().next()
            && scored.relevance.judged().count == 0
        {
            warn(&format!(
                "{}: none of its first results ({document}, …) was judged; the file was taken for {}",
                entry.label(),
                Kind::Ranking
            ));
        }
    }
}

/// Standard input is there once.
pub(super) fn several_readers_of_stdin(args: &Eval) -> Result<()> {
    let is_stdin = |path: &&PathBuf| path.as_os_str() == STDIN;
    let run = args.runs.iter().find(is_stdin);
    let files = run.into_iter().chain(&args.qrels).chain(&args.task3.answers).chain(&args.task3.flags);
    let readers = files.chain(&args.task3.pool).chain(&args.task3.questions).chain(&args.task3.post_qrels);
    let readers = readers.filter(is_stdin).count();
    ensure!(readers < 2, "standard input is read once: either as a run or as one of the other files");
    Ok(())
}

/// A layer is one of an encoder: the one that is given, or that of a lab.
pub(super) fn layer_without_encoder(args: &Task3Args) -> Result<()> {
    ensure!(
        args.layer.is_none() || args.encoder.is_some() || args.lab.is_some(),
        "--layer has no effect without --encoder"
    );
    Ok(())
}

/// What is about rankings or compares them is an error, not silence.
pub(super) fn options_of_rankings(args: &Eval) -> Result<()> {
    let (ranking, compare, around) = (&args.ranking, &args.compare, &args.around);
    let options = [
        ("--ids", ranking.ids.is_some()),
        ("--visual-ids", ranking.visual_ids.is_some()),
        ("--qrels-ids instance", ranking.qrels_ids == Some(Ids::Instance)),
        ("--depth", ranking.depth.is_some()),
        ("--duplicates", ranking.duplicates.is_some()),
        ("--score-bits 64", ranking.score_bits == ScoreBits::F64),
        ("--tukey", compare.tukey),
        ("--by", compare.by.is_some()),
        ("--study", compare.study.is_some()),
        ("--baselines", !compare.baselines.is_empty()),
        ("--around", around.around),
        ("--ties", around.ties),
        ("--unjudged", around.unjudged),
    ];
    ensure!(
        !compare.correlate || args.format != OutputFormat::Json,
        "--correlate has no form in JSON; --format csv has all digits, too"
    );
    match options.iter().find(|(_, given)| *given) {
        Some((option, _)) => bail!("{option} has no effect with --task 3"),
        None => Ok(()),
    }
}

/// Extra assessments of other answers give no shares.
pub(super) fn flags_without_effect(path: Option<&Path>, scored: &[Scored]) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    let has_flags = |scored: &Scored| {
        let flags = scored.flags.as_ref();
        flags.is_some_and(|flags| flags.machine_generated.total + flags.unrelated_information.total > 0)
    };
    let path = path.display();
    ensure!(scored.iter().any(has_flags), "--flags has no effect: {path} holds no answer of the runs");
    Ok(())
}

/// Longer answers than the lab takes have more room for what is relevant.
pub(super) fn warn_of_long_answers(entries: &[Entry]) {
    for entry in entries {
        let long = entry.texts().filter(|(_, text)| text.chars().count() > LONGEST_ANSWER);
        let long: Vec<TopicId> = long.map(|(topic, _)| topic).collect();
        if !long.is_empty() {
            let answers = if long.len() == 1 { "answer has" } else { "answers have" };
            warn(&format!(
                "{}: {} {answers} more than {LONGEST_ANSWER} characters, the most that the lab takes: {}",
                entry.label(),
                long.len(),
                some(long.iter())
            ));
        }
    }
}
