//! What is particular to answers: overlap with relevant answers, machine-made
//! and unrelated content, and Task 1 runs scored by their first answers.

use super::correlations::{coefficients, matrix};
use super::overlap::Similar;
use super::{exposure_note, first, results, rows};
use crate::document::Section;
use crate::error::OverviewError;
use crate::input::{AnswerTask, Kind};
use crate::scored::ScoredTask;
use crate::words::{count, list, percent, shown};
use eval::task3::{FlagShares, UnrelatedByRelevance, flag_shares};
use figures::table::{Cell, Column, Mark, Table};
use formats::check::{AnswerType, RunType};
use stats::correlation::{pearson, tau_b};
use std::collections::{BTreeMap, BTreeSet};

/// The measures of answers beside AR and P@1, one value for each system.
pub(crate) struct AnswerMeasures {
    /// How similar answers are to those that others found relevant, by each measure.
    similar: Vec<Similar>,
    flags: Vec<Option<FlagShares>>,
}

/// Whether more is better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Better {
    More,
    Less,
}

/// A column of Table 5.
struct MeasureColumn {
    name: String,
    group: String,
    better: Better,
    values: Vec<Option<f64>>,
}

impl AnswerMeasures {
    /// The measures of a task with answers; nothing for one with rankings.
    pub(crate) fn new(
        task: &ScoredTask<'_, '_>,
        tasks: &[ScoredTask<'_, '_>],
    ) -> Result<Option<Self>, OverviewError> {
        let Kind::Answers(answers) = &task.task.kind else { return Ok(None) };
        let systems = task.task.systems.len();
        let similar = super::overlap::values(task, answers, tasks)?;
        let mut flags = Vec::with_capacity(systems);
        for system in 0..systems {
            flags.push(flags_of(task, answers, system)?);
        }
        Ok(Some(Self { similar, flags }))
    }

    /// The columns that have values.
    fn columns(&self, task: &ScoredTask<'_, '_>) -> Vec<MeasureColumn> {
        let set = task.current();
        let systems = 0..task.task.systems.len();
        let topics = |number: usize| count(number, "topic", "topics");
        let group = topics(set.topics_in_means());
        let manual = |name: &str, measure| MeasureColumn {
            name: name.to_owned(),
            group: group.clone(),
            better: Better::More,
            values: systems.clone().map(|system| set.value(system, measure)).collect(),
        };
        let flag_topics =
            self.flags.iter().flatten().map(|shares| shares.machine_generated.total).max().unwrap_or(0);
        let flag = |name: &str, of: fn(&FlagShares) -> Option<f64>| MeasureColumn {
            name: name.to_owned(),
            group: topics(flag_topics),
            better: Better::Less,
            values: self.flags.iter().map(|shares| of(shares.as_ref()?)).collect(),
        };
        let similar = self.similar.iter().map(|similar| MeasureColumn {
            name: similar.name.clone(),
            group: topics(similar.values.iter().flatten().map(|(_, topics)| *topics).max().unwrap_or(0)),
            better: Better::More,
            values: similar.values.iter().map(|value| value.map(|(value, _)| value)).collect(),
        });
        let mut columns = vec![manual("AR", 0), manual("P@1", 1)];
        columns.extend(similar);
        columns.extend([
            flag("MG", |shares| shares.machine_generated.value()),
            flag("UI", |shares| shares.unrelated_information.value()),
        ]);
        columns.retain(|column| column.values.iter().any(Option::is_some));
        columns
    }

    /// Table 5: all systems by all measures there are.
    pub(super) fn table(&self, task: &ScoredTask<'_, '_>) -> Table {
        let found = self.columns(task);
        let mut columns = results::type_columns(task);
        columns.extend(
            found.iter().map(|column| Column::right(column.name.as_str()).under(column.group.clone())),
        );
        let marks: Vec<Vec<Option<Mark>>> = found
            .iter()
            .map(|column| {
                let sign = if column.better == Better::More { 1.0 } else { -1.0 };
                let values: Vec<Option<f64>> =
                    column.values.iter().map(|value| value.map(|v| sign * v)).collect();
                results::best_marks(task, &values, |_| false)
            })
            .collect();
        let rows = rows(task, |system| {
            let mut cells = results::type_cells(task, system);
            for (column, marks) in found.iter().zip(&marks) {
                let cell =
                    column.values[system].map_or_else(|| Cell::text("–"), |value| Cell::number(value, 3));
                cells.push(match &marks[system] {
                    Some(mark) => cell.marked(mark.clone()),
                    None => cell,
                });
            }
            Some(cells)
        });
        let mut footnotes = vec![results::type_words(task), self.words(task)];
        footnotes.push(
            "Bold: the best run of a column, and where that is a manual one the best automatic run, too. In \
             parentheses: a baseline that is better than every run."
                .to_owned(),
        );
        footnotes.extend(exposure_note(task, &rows));
        footnotes.extend(self.similar.iter().flat_map(|similar| similar.rules.iter().cloned()));
        footnotes.extend(results::means_over(&[task.current()]));
        footnotes.extend(results::highest(task, task.current()));
        footnotes.extend(results::remarks(task, task.current()));
        let caption = vec![format!("{}: results on {}.", task.task.name, task.current().set.name)];
        Table { caption, columns, rows, footnotes }
    }

    /// What the measures are, and which are missing.
    fn words(&self, task: &ScoredTask<'_, '_>) -> String {
        let has: BTreeSet<String> = self.columns(task).into_iter().map(|column| column.name).collect();
        let meanings = [
            ("AR", "AR: average relevance, the mean grade."),
            ("P@1", "P@1: share of answers that are relevant."),
            ("LO", "LO: lexical overlap with relevant answers of other teams."),
            ("CS", "CS: contextual similarity to them."),
            ("MG", "MG: share of answers assessed as machine-generated."),
            ("UI", "UI: share of answers with unrelated information."),
        ];
        let mut words: Vec<String> = meanings
            .iter()
            .filter(|(name, _)| has.contains(*name))
            .map(|(_, words)| (*words).to_owned())
            .collect();
        let missing: Vec<&str> =
            meanings.iter().map(|(name, _)| *name).filter(|name| !has.contains(*name)).collect();
        if !missing.is_empty() {
            let verb = if missing.len() == 1 { "is" } else { "are" };
            words.push(format!("{} {verb} missing: nothing to compute from was given.", list(&missing)));
        }
        words.join(" ")
    }

    /// Adds sentences, correlations, and Task 1 runs by their first answers.
    pub(super) fn add(
        &self,
        task: &ScoredTask<'_, '_>,
        tasks: &[ScoredTask<'_, '_>],
        section: &mut Section,
    ) -> Result<(), OverviewError> {
        let key = &task.task.key;
        if let Some(text) = groups(task) {
            section.paragraph(text);
        }
        if let Some(text) = relevant_topics(task) {
            section.paragraph(text);
        }
        if let Some(text) = self.unrelated(task) {
            section.paragraph(text);
        }
        let measures: Vec<(String, Vec<Option<f64>>)> =
            self.columns(task).into_iter().map(|column| (column.name, column.values)).collect();
        if task.current().with_scores().len() > 2 {
            for (name, words, coefficient) in coefficients() {
                let caption = format!("{}: {words} between the measures of answers.", task.task.name);
                section.table(format!("{key}-answers-{name}"), matrix(caption, &measures, coefficient));
            }
        }
        first::add(task, tasks, section)
    }

    /// How unrelated information goes with relevance.
    fn unrelated(&self, task: &ScoredTask<'_, '_>) -> Option<String> {
        let Kind::Answers(answers) = &task.task.kind else { return None };
        let set = &task.task.current;
        let counts = UnrelatedByRelevance::count(answers.flags?, &set.tested(set.qrels?));
        let (of_unrelated, of_all) = (counts.not_relevant_of_unrelated(), counts.not_relevant_of_all());
        let share = percent(of_unrelated.count, of_unrelated.total)?;
        // Two systems are always on a line.
        let together = if task.current().with_scores().len() > 2 {
            let (r, tau) = self.relevance_and_unrelated(task);
            let (r, tau) = (shown(r, 2), shown(tau, 2));
            format!("UI and AR over the systems: Pearson's r is {r}, Kendall's tau-b {tau}. ")
        } else {
            String::new()
        };
        Some(format!(
            "{together}Of the answers with unrelated information, {share} ({of_unrelated}) are not relevant; of all \
             assessed answers, {} ({of_all}).",
            percent(of_all.count, of_all.total)?
        ))
    }

    /// Pearson's r and Kendall's tau-b of AR and UI.
    fn relevance_and_unrelated(&self, task: &ScoredTask<'_, '_>) -> (Option<f64>, Option<f64>) {
        let pairs = self.flags.iter().enumerate().filter_map(|(system, shares)| {
            Some((task.current().value(system, 0)?, shares.as_ref()?.unrelated_information.value()?))
        });
        let (relevance, unrelated): (Vec<f64>, Vec<f64>) = pairs.unzip();
        (pearson(&relevance, &unrelated).ok(), tau_b(&relevance, &unrelated).ok())
    }
}

/// MG and UI of a system.
fn flags_of(
    task: &ScoredTask<'_, '_>,
    answers: &AnswerTask<'_>,
    system: usize,
) -> Result<Option<FlagShares>, OverviewError> {
    let (Some(flags), Some(given)) = (answers.flags, super::overlap::given(task, system)) else {
        return Ok(None);
    };
    let given = given.iter().filter(|answer| task.task.current.is_tested(&answer.topic));
    let given = given.map(|answer| (answer.topic.clone(), formats::DocId(&answer.id)));
    let shares = flag_shares(given, flags).map_err(|cause| super::overlap::failed(task, system, cause))?;
    Ok(Some(shares).filter(|shares| shares.machine_generated.total + shares.unrelated_information.total > 0))
}

/// The best run of each type, as the overview of ARQMath-3 names them.
fn groups(task: &ScoredTask<'_, '_>) -> Option<String> {
    let mut best: BTreeMap<(RunType, AnswerType), usize> = BTreeMap::new();
    for system in task.ranking().into_iter().filter(|system| !task.is_baseline(*system)) {
        let about = &task.task.systems[system];
        best.entry((about.run_type, about.answer_type?)).or_insert(system);
    }
    let named = best.iter().map(|((run_type, answer_type), system)| {
        let kind = match (run_type, answer_type) {
            (RunType::Manual, AnswerType::Generate) => "manual generative",
            (RunType::Manual, AnswerType::Extract) => "manual extractive",
            (RunType::Auto, AnswerType::Generate) => "automatic generative",
            (RunType::Auto, AnswerType::Extract) => "automatic extractive",
        };
        format!("{} among {kind} runs ({})", task.names[*system], shown(task.current().value(*system, 0), 3))
    });
    (!best.is_empty()).then(|| format!("By AR the best are {}.", list(named)))
}

/// How many topics have a relevant answer, and how many from two teams.
fn relevant_topics(task: &ScoredTask<'_, '_>) -> Option<String> {
    let set = task.current();
    let mut with = 0;
    let mut with_two = 0;
    for (topic, _) in set.tested() {
        let systems = set.with_scores().into_iter();
        let relevant =
            systems.filter(|system| set.topic_value(*system, topic, 1).is_some_and(|value| value > 0.0));
        let teams: BTreeSet<&str> = relevant.map(|system| task.task.systems[system].team.as_str()).collect();
        with += usize::from(!teams.is_empty());
        with_two += usize::from(teams.len() > 1);
    }
    let judged = set.tested().count();
    (judged > 0).then(|| {
        format!(
            "For {with} of {} at least one system has a relevant answer ({}), and for {with_two} of them systems of at \
             least two teams have one.",
            count(judged, "judged topic", "judged topics"),
            task.task.relevant_name
        )
    })
}
