//! What a report is made from, read out of the folder.

use super::{groups, judged, judging, pooling};
use crate::aggregate::{Rule, aggregate};
use crate::error::Result;
use crate::folder::Lab;
use crate::judgments::{Judgment, Stage};
use crate::known::FormulaFacts;
use crate::manifest::{PoolKind, Rules};
use crate::qrels::Provenance;
use crate::systems::{DataUsed, Role, System};
use crate::verdict::Verdict;
use formats::check::{Data, Evaluation, Task};
use formats::qrels::{Qrels, Scale};
use formats::run::Run;
use formats::{Flags, RecordedModel, Source, TopicId, read_flags};
use labreport::{Answer, Judging, PoolStatistics};
use post::plain_html;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A task with all that is known of it.
pub(super) struct LoadedTask {
    pub(super) task: Task,
    current: String,
    pub(super) systems: Vec<System>,
    /// Those of each system.
    pub(super) models: Vec<Vec<RecordedModel>>,
    /// Records that could not be read.
    pub(super) warnings: Vec<String>,
    pub(super) grades: Vec<labreport::Grade>,
    pub(super) aggregation: Option<String>,
    pub(super) codes: Option<String>,
    pub(super) flags: Option<Flags>,
    pub(super) sets: Vec<LoadedSet>,
}

/// A set of topics with what systems returned for it.
pub(super) struct LoadedSet {
    pub(super) name: String,
    pub(super) topics: Vec<labreport::Topic>,
    pub(super) qrels: Option<Qrels>,
    /// The judgments of formula instances.
    pub(super) instance_qrels: Option<Qrels>,
    /// The judgments of visually distinct formulas, where the task judges instances.
    pub(super) distinct_qrels: Option<Qrels>,
    /// What groups of assessors said.
    pub(super) groups: Vec<(String, Qrels)>,
    /// The topics that were set apart for training.
    pub(super) train: BTreeSet<TopicId>,
    /// The file of the judgments and its checksum.
    pub(super) judgments: Option<(String, String)>,
    pub(super) formulas: Option<FormulaFacts>,
    pub(super) outputs: Vec<Option<Returned>>,
    pub(super) pool: Option<PoolStatistics>,
    pub(super) judging: Option<Judging>,
}

/// What a system returned.
pub(super) enum Returned {
    Ranking(Run),
    Answers(Vec<Answer>),
}

impl LoadedTask {
    pub(super) fn read(lab: &Lab, task: Task) -> Result<Self> {
        let manifest = lab.manifest();
        let systems: Vec<System> = lab.systems()?.into_iter().filter(|system| system.task == task).collect();
        let mut warnings = Vec::new();
        let models = systems.iter().map(|system| models(lab, system, &mut warnings)).collect();
        let grades = manifest
            .grades_of(task)
            .into_iter()
            .map(|grade| labreport::Grade {
                grade: grade.grade,
                name: grade.name.clone(),
                definition: grade.definition.clone(),
            })
            .collect();
        let of_task = manifest.sets.iter().filter(|set| set.files(task).is_some());
        let sets: Vec<LoadedSet> =
            of_task.map(|set| LoadedSet::read(lab, task, &set.name, &systems)).collect::<Result<_>>()?;
        let provenance = judged::provenance(lab, task, &manifest.current)?;
        Ok(Self {
            task,
            current: manifest.current.clone(),
            aggregation: provenance.as_ref().map(|made| {
                let grade = format!("The grade of an item is {}.", made.rule);
                match made.adjudicated {
                    0 => grade,
                    1 => format!(
                        "{grade} One grade was decided by an adjudicator, which overrides the assessors'."
                    ),
                    many => format!(
                        "{grade} {many} grades were decided by an adjudicator and override the assessors'."
                    ),
                }
            }),
            codes: provenance.is_some().then(|| codes_in_words(task)),
            flags: if task == Task::Task3 { flags(lab, &manifest.current)? } else { None },
            systems,
            models,
            warnings,
            grades,
            sets,
        })
    }

    /// The set that is judged now.
    pub(super) fn current(&self) -> &LoadedSet {
        let is_current = |set: &&LoadedSet| set.name == self.current;
        self.sets.iter().find(is_current).expect("a lab has topics for every task in its current set")
    }
}

impl LoadedSet {
    fn read(lab: &Lab, task: Task, set: &str, systems: &[System]) -> Result<Self> {
        let labels = lab.labels(set, task)?;
        let topic = |topic: &formats::Topic| labreport::Topic {
            id: topic.id.clone(),
            title: topic.title.as_ref().map(plain_html).unwrap_or_default(),
            labels: labels.iter().flat_map(|labels| topic_labels(labels, &topic.id)).collect(),
        };
        let topics = lab.topics(set, task)?.topics.iter().map(topic).collect();
        let outputs: Vec<Option<Returned>> =
            systems.iter().map(|system| returned(lab, system, set)).collect::<Result<_>>()?;
        let runs = outputs.iter().flatten().filter_map(|returned| match returned {
            Returned::Ranking(run) => Some(run),
            Returned::Answers(_) => None,
        });
        let looks = if task == Task::Task2 { Some(lab.known()?.formulas(runs)?) } else { None };
        let (formulas, looks) = match lab.manifest().rules {
            Rules::Arqmath => (looks, None),
            Rules::Ntcir10 | Rules::Ntcir12 => (None, looks.filter(|looks| !looks.is_empty())),
        };
        let provenance = judged::provenance(lab, task, set)?;
        let (qrels, judgments) = judged::read(lab, task, set, provenance.as_ref())?.unzip();
        let kind = PoolKind::of(task);
        let pool = lab.pool(kind, set)?;
        let log = lab.judgments(kind, set)?;
        let distinct = |qrels: &Qrels| groups::distinct(qrels, looks.as_ref());
        let mut groups = groups::judged(lab.manifest(), qrels.as_ref(), &log)?;
        for (_, qrels) in &mut groups {
            if let Some(distinct) = distinct(qrels)? {
                *qrels = distinct;
            }
        }
        Ok(Self {
            distinct_qrels: qrels.as_ref().map(distinct).transpose()?.flatten(),
            groups,
            name: set.to_owned(),
            topics,
            qrels,
            instance_qrels: instance_qrels(lab, task, set)?,
            train: set_apart(provenance.as_ref(), labels.as_ref()),
            judgments,
            formulas,
            outputs,
            pool: pool.as_ref().map(|pool| pooling::statistics(pool, task, systems, &log)),
            judging: judging::judging(
                task,
                pool.as_ref(),
                &log,
                &trained_elsewhere(lab, kind, set)?,
                provenance.as_ref(),
            ),
        })
    }
}

/// The topics of a set that are set apart for training, which no result is over.
pub(crate) fn training_topics(lab: &Lab, task: Task, set: &str) -> Result<BTreeSet<TopicId>> {
    Ok(set_apart(judged::provenance(lab, task, set)?.as_ref(), lab.labels(set, task)?.as_ref()))
}

/// The topics that `lab qrels` set apart for training, else those that the labels call so.
fn set_apart(provenance: Option<&Provenance>, labels: Option<&formats::TopicLabels>) -> BTreeSet<TopicId> {
    if let Some(split) = provenance.and_then(|made| made.train.as_ref()) {
        return split.topics.iter().map(|topic| TopicId::from(topic.as_str())).collect();
    }
    let splits = labels.and_then(|labels| labels.strata("split").ok()).unwrap_or_default();
    let is_training = |value: &str| ["train", "training"].contains(&value.to_lowercase().as_str());
    splits.into_iter().filter(|split| is_training(&split.value)).flat_map(|split| split.topics).collect()
}

/// What assessors of the current set judged to learn, with topics of other sets.
fn trained_elsewhere(lab: &Lab, kind: PoolKind, set: &str) -> Result<Vec<Judgment>> {
    let mut rows = Vec::new();
    if set == lab.manifest().current {
        for other in lab.manifest().sets.iter().filter(|other| other.name != set) {
            let said = lab.judgments(kind, &other.name)?;
            rows.extend(said.into_iter().filter(|row| matches!(row.said.stage, Stage::Training(_))));
        }
    }
    Ok(rows)
}

/// How codes count in the measures of a task.
fn codes_in_words(task: Task) -> String {
    let count = match task {
        Task::Task1 | Task::Task2 => "not judged",
        Task::Task3 => "not relevant",
    };
    format!("Items with \"system failure\" or \"do not know\" alone count as {count}.")
}

fn topic_labels(labels: &formats::TopicLabels, topic: &formats::TopicId) -> Vec<labreport::TopicLabel> {
    labels
        .names()
        .iter()
        .filter(|name| {
            ["type", "difficulty", "dependence", "complexity", "multi-part"].contains(&name.as_str())
        })
        .filter_map(|name| {
            let value = labels.get(topic.as_str(), name).ok()??.value.clone();
            Some(labreport::TopicLabel { name: name.clone(), value })
        })
        .collect()
}

fn returned(lab: &Lab, system: &System, set: &str) -> Result<Option<Returned>> {
    let Some(submission) = system.on(set) else { return Ok(None) };
    if system.task != Task::Task3 {
        return Ok(Some(Returned::Ranking(lab.run(system.task, submission)?)));
    }
    let answers = lab.answers(submission)?.answers.into_iter();
    let answers = answers.map(|answer| Answer {
        id: pool::answer_id(&answer.topic, &answer.answer).to_string(),
        topic: answer.topic,
        text: Some(answer.answer),
    });
    Ok(Some(Returned::Answers(answers.collect())))
}

/// The judgments of formula instances, if the lab made some. Instances with codes alone are left out, whatever the
/// file keeps of them.
fn instance_qrels(lab: &Lab, task: Task, set: &str) -> Result<Option<Qrels>> {
    let path = format!("qrels/{set}/task{}.instances.qrels", task.number());
    if task != Task::Task2 || !lab.path(&path).is_file() {
        return Ok(None);
    }
    let bytes = lab.unchanged(&path)?;
    let kept = Qrels::read(Source::bytes(&path, bytes), Scale::Coded)?.0;
    // Codes count only where nobody gave a grade, whatever the rule for grades is.
    let judged = aggregate(&lab.judgments(PoolKind::Formulas, set)?, Rule::Maximum).instances;
    let mut text = String::new();
    for topic in kept.topics() {
        let instances = judged.get(topic.id()).into_iter().flatten();
        let coded: BTreeSet<&str> = instances
            .filter(|(_, verdict)| matches!(verdict, Verdict::SystemFailure | Verdict::DoNotKnow))
            .map(|((_, instance), _)| instance.as_str())
            .collect();
        for row in topic.rows().filter(|row| !coded.contains(row.doc().as_str())) {
            if let Some(grade) = row.judgment().grade() {
                let _ = writeln!(text, "{}\t0\t{}\t{grade}", topic.id(), row.doc());
            }
        }
    }
    Ok(Some(Qrels::read(Source::bytes(&path, text), Scale::Plain)?.0))
}

/// What was said of answers after judging, in the form in which flags are read.
pub(crate) fn flags(lab: &Lab, set: &str) -> Result<Option<Flags>> {
    let failed = lab.failed();
    // What was said last counts; who took everything back said nothing.
    let select = "SELECT topic, item, machine_generated, unrelated FROM flag
                  WHERE number IN (SELECT max(number) FROM flag WHERE topic_set = ?1 GROUP BY topic, item)
                  AND (machine_generated IS NOT NULL OR unrelated IS NOT NULL) ORDER BY number";
    let mut statement = lab.database().prepare(select).map_err(&failed)?;
    let rows = statement.query_map([set], |row| {
        let flag = |column: usize| -> rusqlite::Result<String> {
            Ok(row.get::<_, Option<i64>>(column)?.map_or_else(String::new, |flag| flag.to_string()))
        };
        Ok(format!(
            "{}\t{}\t{}\t{}\n",
            row.get::<_, String>(0)?,
            row.get::<_, String>(1)?,
            flag(2)?,
            flag(3)?
        ))
    });
    let rows: Vec<String> = rows.map_err(&failed)?.collect::<rusqlite::Result<_>>().map_err(&failed)?;
    if rows.is_empty() {
        return Ok(None);
    }
    let table = format!("topic\tanswer\tMG\tUI\n{}", rows.concat());
    Ok(Some(read_flags(Source::bytes("flags", table))?))
}

/// The models of a system, by the records of its runs. A record that cannot be read is a warning.
fn models(lab: &Lab, system: &System, warnings: &mut Vec<String>) -> Vec<RecordedModel> {
    let mut models = Vec::new();
    for submission in &system.submissions {
        match lab.record(submission) {
            Ok(record) => models.extend(record.map(|record| record.models).unwrap_or_default()),
            Err(error) => warnings.push(format!("{error}; the run is reported without its record")),
        }
    }
    models
}

/// A system as the report speaks of it.
pub(super) fn described(lab: &Lab, system: &System, models: Vec<RecordedModel>) -> Result<labreport::System> {
    let mut filtered = 0;
    for submission in &system.submissions {
        filtered += lab.filtered(submission)?.filtered.len();
    }
    Ok(labreport::System {
        team: system.team.clone(),
        run: system.run.clone(),
        role: match system.role {
            Role::Team => labreport::Role::Submitted(system.evaluation),
            Role::Baseline => labreport::Role::Baseline,
        },
        pooled: match system.pooled_as {
            Evaluation::Primary => labreport::Pooled::AsPrimary,
            Evaluation::Alternate => labreport::Pooled::AsAlternate,
        },
        run_type: system.run_type,
        data: match system.data {
            DataUsed::Content(Data::Text) => labreport::DataUsed::Text,
            DataUsed::Content(Data::Math) => labreport::DataUsed::Math,
            DataUsed::Content(Data::Both) => labreport::DataUsed::Both,
            DataUsed::Links => labreport::DataUsed::Links,
        },
        answer_type: system.answer_type,
        trained_on: system.trained_on.clone(),
        models,
        warnings: system.submissions.iter().map(|submission| submission.warnings).sum(),
        filtered,
    })
}
