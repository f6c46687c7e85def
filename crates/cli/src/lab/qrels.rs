//! `hypatia lab qrels`: one grade an item, for evaluation.

use super::counted;
use crate::check::TaskNumber;
use crate::output::note;
use crate::{Exit, Run, warn};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use formats::TopicId;
use lab::Error;
use lab::aggregate::{Codes, Rule};
use lab::qrels::{MadeQrels, QrelsRequest, WhenUndecided};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const LONG_ABOUT: &str = "\
Makes judgments for evaluation of what assessors said, below qrels/ in the lab, each with a file that \
says how they were made. Task 1 has the posts of the pool, Task 3 the answers that systems wrote, with \
a table that says which run gave which answer; Task 2 has visual ids and, beside them, instances.

Several assessors' grades become one by a rule: the maximum (ARQMath: of all instances of a formula), \
the sum of two (NTCIR), the majority, or what all say and else the adjudicator. The grade of a formula \
is the highest of its instances. Items that a rule does not decide are listed, and nothing is written unless \
--undecided leave-out.

\"System failure\" and \"do not know\" are left out in Tasks 1 and 2 and kept as 5 and 6 in Task 3. \
Topics with fewer than two items of grade 2 or more are dropped, as in ARQMath-3. --train sets a share \
of the topics apart in files of their own, the same questions in Tasks 1 and 3, --train-topics those that a \
file names; results of the report are over the other topics, with the training topics in a table of their own.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab qrels mylab
  hypatia lab qrels mylab --task 2 --rule majority --codes zero
  hypatia lab qrels mylab --rule adjudicated --undecided leave-out
  hypatia lab qrels mylab --least-relevant 0 --train 0.3";

/// Make judgments for evaluation
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Qrels {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// Only one task
    #[arg(long, value_name = "N")]
    task: Option<TaskNumber>,

    /// The set of topics [default: the one that is judged now]
    #[arg(long, value_name = "SET")]
    set: Option<String>,

    /// How several grades become one [default: maximum; sum by NTCIR's rules]
    #[arg(long, value_name = "RULE")]
    rule: Option<RuleName>,

    /// What becomes of codes [default: leave-out; keep in Task 3]
    #[arg(long, value_name = "WHAT")]
    codes: Option<CodesName>,

    /// How many items a topic must have of the level or more to stay [default: 2; 0 by NTCIR's rules]
    #[arg(long, value_name = "N")]
    least_relevant: Option<usize>,

    /// From which grade on an item counts for that
    #[arg(long, value_name = "GRADE", default_value_t = 2)]
    level: i32,

    /// What happens when the rule leaves things undecided
    #[arg(long, value_name = "WHAT", default_value = "refuse")]
    undecided: Undecided,

    /// The share of topics that is set apart for training, from 0 to 1
    #[arg(long, value_name = "SHARE", conflicts_with = "train_topics")]
    train: Option<f64>,

    /// The topics that are set apart for training: a file with one topic id per line
    #[arg(long, value_name = "FILE")]
    train_topics: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleName {
    /// The highest of all assessors and instances
    Maximum,
    /// The sum of two assessors
    Sum,
    /// What most assessors said
    Majority,
    /// What all said, else the adjudicator
    Adjudicated,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CodesName {
    /// As if not judged
    LeaveOut,
    /// As not relevant
    Zero,
    /// As 5 and 6
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Undecided {
    /// Nothing is written
    Refuse,
    /// They are left out
    LeaveOut,
}

impl Run for Qrels {
    fn run(self) -> Result<Exit> {
        let mut lab = super::open(&self.folder)?;
        let wanted = self.task.map(TaskNumber::task);
        ensure!(
            self.train_topics.is_none() || wanted.is_some() || lab.manifest().tasks.len() == 1,
            "--train-topics names topics of one task: say which one with --task"
        );
        let train_topics = self.train_topics.as_deref().map(topic_ids).transpose()?;
        let tasks: Vec<_> =
            lab.manifest().all_tasks().filter(|task| wanted.is_none_or(|wanted| wanted == *task)).collect();
        let mut made = 0;
        for task in &tasks {
            let request = QrelsRequest {
                set: self.set.clone(),
                rule: self.rule.map(|rule| match rule {
                    RuleName::Maximum => Rule::Maximum,
                    RuleName::Sum => Rule::Sum,
                    RuleName::Majority => Rule::Majority,
                    RuleName::Adjudicated => Rule::Adjudicated,
                }),
                codes: self.codes.map(|codes| match codes {
                    CodesName::LeaveOut => Codes::LeaveOut,
                    CodesName::Zero => Codes::Zero,
                    CodesName::Keep => Codes::Keep,
                }),
                least_relevant: self.least_relevant,
                level: self.level,
                undecided: match self.undecided {
                    Undecided::Refuse => WhenUndecided::Refuse,
                    Undecided::LeaveOut => WhenUndecided::LeaveOut,
                },
                train_share: self.train,
                train_topics: train_topics.clone(),
                ..QrelsRequest::new(*task)
            };
            match lab.make_qrels(&request) {
                Ok(files) => {
                    tell(&files);
                    made += 1;
                }
                Err(Error::Rows(undecided)) => {
                    for one in &undecided {
                        note(one);
                    }
                    bail!(
                        "{}; nothing was written for task {}",
                        counted(undecided.len(), "thing is undecided", "things are undecided"),
                        task.number()
                    );
                }
                Err(Error::Asked(reason)) if tasks.len() > 1 => warn(&reason),
                Err(error) => return Err(error.into()),
            }
        }
        if made == 0 {
            bail!("nothing was judged yet");
        }
        Ok(Exit::Yes)
    }
}

/// The ids in a file with one on each line; blank lines count for nothing.
fn topic_ids(path: &Path) -> Result<BTreeSet<TopicId>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut topics = BTreeSet::new();
    for (line, id) in text.lines().map(str::trim).enumerate().filter(|(_, id)| !id.is_empty()) {
        let place = format!("{}:{}", path.display(), line + 1);
        ensure!(!id.contains(char::is_whitespace), "{place}: one topic id is expected on each line");
        ensure!(topics.insert(TopicId::from(id)), "{place}: topic {id} is there twice");
    }
    ensure!(!topics.is_empty(), "{}: holds no topic", path.display());
    Ok(topics)
}

fn tell(made: &MadeQrels) {
    let provenance = &made.provenance;
    let judged: usize = provenance.verdicts.values().sum();
    let first = made.files.first().map_or("", String::as_str);
    let rows = counted(provenance.rows, "item", "items");
    if judged == provenance.rows {
        note(&format!("{first}: {rows}"));
    } else {
        note(&format!("{first}: {rows} of {judged} judged; the others have a code or are of dropped topics"));
    }
    if provenance.not_judged > 0 {
        warn(&format!(
            "{first}: {} of the pool not judged yet",
            counted(provenance.not_judged, "item is", "items are")
        ));
    }
    for topic in &provenance.dropped {
        let relevant = counted(topic.relevant, "item is relevant", "items are relevant");
        note(&format!("  topic {} is dropped: {relevant}", topic.topic));
    }
    if provenance.undecided > 0 {
        warn(&format!(
            "{first}: {} left out as undecided",
            counted(provenance.undecided, "thing is", "things are")
        ));
    }
    if provenance.identical > 0 {
        let formulas = counted(provenance.identical, "formula looks", "formulas look");
        note(&format!("  {formulas} like the one asked for and got the highest grade"));
    }
}
