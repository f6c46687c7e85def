//! Every system of a task on every test set, scored once for all sections.
//!
//! Answers are scored as rankings of length one: the same topics, policies and
//! tests then serve all tasks.

mod answers;
mod names;
mod order;

use answers::scores as answer_scores;
pub(crate) use order::{TeamSection, best_first, team_sections};

use crate::error::{OverviewError, Scored};
use crate::input::{Kind, Output, Role, Settings, Task, TestSet};
use eval::{Average, Bounds, Codes, Column, Comparison, Judgments, Measure, Method, RunScores, Scorer, Ties};
use formats::check::RunType;
use formats::qrels::Qrels;
use formats::{Exposed, TopicId};
use stats::paired::Resampling;
use stats::summary::{Interval, t_interval};
use std::num::NonZeroUsize;

/// How sure intervals are.
pub(crate) const LEVEL: f64 = 0.95;

/// What is called significant, once and twice starred.
pub(crate) const SIGNIFICANT: [f64; 2] = [0.05, 0.01];

/// A task with all its scores.
pub(crate) struct ScoredTask<'t, 'a> {
    pub(crate) task: &'t Task<'a>,
    pub(crate) columns: Vec<Column>,
    /// What each system is called outside its team's section.
    pub(crate) names: Vec<String>,
    /// The earlier test sets, and the current one at the end.
    pub(crate) sets: Vec<ScoredSet<'t, 'a>>,
    /// The systems in the order of the tables.
    pub(crate) sections: Vec<TeamSection>,
    /// The system that others are compared with.
    pub(crate) base: Option<usize>,
    /// By measure and system, on the current set.
    pub(crate) comparisons: Vec<Vec<Option<Comparison>>>,
    pub(crate) method: Method,
}

/// A test set with all scores.
pub(crate) struct ScoredSet<'t, 'a> {
    pub(crate) set: &'t TestSet<'a>,
    /// What it is called in tables of results.
    pub(crate) name: String,
    /// One for each system, over the topics that were not set apart for training; nothing where it was not run or
    /// nothing is judged.
    pub(crate) scores: Vec<Option<RunScores>>,
    /// The judged topics, in the order in which people list them, with their
    /// grades, the highest first.
    pub(crate) judged: Vec<(TopicId, Vec<i32>)>,
    bounds: Option<Bounds>,
    /// Which measure is the share of judged results, if it is among them.
    judged_measure: Option<usize>,
    /// The topics that were set apart for training, scored by themselves.
    pub(crate) training: Option<Box<Self>>,
}

impl<'t, 'a> ScoredTask<'t, 'a> {
    /// Scores everything.
    pub(crate) fn new(task: &'t Task<'a>, settings: &Settings) -> Result<Self, OverviewError> {
        let columns = columns(task);
        let names = names::labels(&task.systems);
        let all = task.earlier.iter().chain(std::iter::once(&task.current));
        let sets: Vec<ScoredSet<'t, 'a>> =
            all.map(|set| ScoredSet::new(task, set, &columns, &names)).collect::<Result<_, _>>()?;
        let current = sets.last().expect("there is a current set");
        let values: Vec<Option<f64>> =
            (0..task.systems.len()).map(|system| current.value(system, 0)).collect();
        let sections = team_sections(&task.systems, &values);
        let base = base(task, &values)?;
        let method = Method {
            test: settings.test,
            correction: settings.correction,
            policy: task.current.policy,
            resampling: Resampling { resamples: settings.resamples, seed: settings.seed },
        };
        let comparisons = (0..columns.len())
            .map(|measure| base.map_or_else(Vec::new, |base| compare(current, base, measure, method)))
            .collect();
        Ok(Self { task, columns, names, sets, sections, base, comparisons, method })
    }

    /// The current test set.
    pub(crate) fn current(&self) -> &ScoredSet<'t, 'a> {
        self.sets.last().expect("there is a current set")
    }

    /// The systems one after the other, as in the tables.
    pub(crate) fn systems(&self) -> impl Iterator<Item = usize> {
        self.sections.iter().flat_map(|section| section.systems.iter().copied())
    }

    /// The systems that have a value on the current set, the best first.
    pub(crate) fn ranking(&self) -> Vec<usize> {
        let mut systems: Vec<usize> = self.current().with_scores();
        let values: Vec<Option<f64>> =
            (0..self.task.systems.len()).map(|system| self.current().value(system, 0)).collect();
        systems.sort_by(|a, b| best_first(&values, *a, *b));
        systems
    }

    pub(crate) fn is_baseline(&self, system: usize) -> bool {
        self.task.systems[system].role == Role::Baseline
    }

    pub(crate) fn is_manual(&self, system: usize) -> bool {
        self.task.systems[system].run_type == RunType::Manual
    }

    /// The comparison of a system with the base by a measure.
    pub(crate) fn comparison(&self, measure: usize, system: usize) -> Option<&Comparison> {
        self.comparisons.get(measure)?.get(system)?.as_ref()
    }

    /// How two systems compare by the first measure on the current set, without correction.
    pub(crate) fn pair(&self, left: usize, right: usize) -> Option<Comparison> {
        let scores = &self.current().scores;
        let (left, right) = (scores.get(left)?.as_ref()?, scores.get(right)?.as_ref()?);
        eval::against(right, &[left], 0, self.method).pop()
    }

    /// Whether a system was trained on the topics of a set.
    pub(crate) fn trained_on(&self, system: usize, set: &TestSet<'_>) -> bool {
        self.task.systems[system].trained_on.contains(&set.name)
    }

    /// The models of a system that were trained on the site of the topics.
    pub(crate) fn exposed(&self, system: usize) -> Exposed {
        Exposed::among(&self.task.systems[system].models)
    }
}

impl<'t, 'a> ScoredSet<'t, 'a> {
    fn new(
        task: &Task<'a>,
        set: &'t TestSet<'a>,
        columns: &[Column],
        names: &[String],
    ) -> Result<Self, OverviewError> {
        let Some(qrels) = set.qrels.filter(|_| !set.train.is_empty()) else {
            return Self::over(task, set, set.qrels, columns, names);
        };
        let mut tested = Self::over(task, set, Some(&set.tested(qrels)), columns, names)?;
        let apart = qrels.only(|topic| !set.is_tested(topic));
        let mut training = Self::over(task, set, Some(&apart), columns, names)?;
        training.name = format!("{}, training", set.name);
        if !training.judged.is_empty() {
            // What was judged is of all topics; results are not.
            tested.judged.extend(training.judged.iter().cloned());
            tested.judged.sort_by(|(left, _), (right, _)| left.natural_cmp(right));
            tested.training = Some(Box::new(training));
        }
        Ok(tested)
    }

    /// Scores everything by some judgments of the set.
    fn over(
        task: &Task<'a>,
        set: &'t TestSet<'a>,
        qrels: Option<&Qrels>,
        columns: &[Column],
        names: &[String],
    ) -> Result<Self, OverviewError> {
        let no_scores = || task.systems.iter().map(|_| None).collect();
        let Some(qrels) = qrels else {
            return Ok(Self {
                set,
                name: set.name.clone(),
                scores: no_scores(),
                judged: Vec::new(),
                bounds: None,
                judged_measure: None,
                training: None,
            });
        };
        let mut measures: Vec<Measure> = columns.iter().map(|column| column.measure.clone()).collect();
        let (codes, judged_measure) = match task.kind {
            Kind::Ranked(_) => (Codes::Unjudged, Some(measures.len())),
            Kind::Answers(_) => (Codes::Zero, None),
        };
        if judged_measure.is_some() {
            measures.push(Measure::judged(NonZeroUsize::new(10)));
        }
        let judgments = Judgments::new(qrels, codes);
        let scorer = Scorer {
            judgments: &judgments,
            measures: &measures,
            pipeline: set.pipeline,
            ties: Ties::Ordered,
        };
        let mut scores = Vec::with_capacity(task.systems.len());
        for (system, name) in names.iter().enumerate() {
            let of = || {
                let (task, system, set) = (task.name.clone(), name.clone(), set.name.clone());
                Box::new(Scored { task, system, set })
            };
            let wrong = |wanted| Err(OverviewError::WrongOutput { of: of(), wanted });
            let output = set.outputs.get(system).and_then(Option::as_ref);
            scores.push(match (output, &task.kind) {
                (None, _) => None,
                (Some(Output::Ranking(run)), Kind::Ranked(_)) => {
                    let scores = scorer.score(run);
                    Some(
                        scores
                            .map_err(|cause| OverviewError::Duplicate { of: of(), cause: Box::new(cause) })?,
                    )
                }
                (Some(Output::Answers(answers)), Kind::Answers(_)) => {
                    let scores = answer_scores(answers, qrels, &judgments, &measures);
                    Some(
                        scores
                            .map_err(|cause| OverviewError::Answers { of: of(), cause: Box::new(cause) })?,
                    )
                }
                (Some(Output::Answers(_)), Kind::Ranked(_)) => return wrong("rankings, not for answers"),
                (Some(Output::Ranking(_)), Kind::Answers(_)) => return wrong("answers, not for rankings"),
            });
        }
        let bounds = Some(Bounds::new(&judgments, &measures));
        let topics =
            judgments.topics().iter().map(|topic| (topic.id().clone(), topic.pool().grades().to_vec()));
        let judged = topics.filter(|(_, grades)| !grades.is_empty()).collect();
        Ok(Self { set, name: set.name.clone(), scores, judged, bounds, judged_measure, training: None })
    }

    /// The mean of a system; nothing where it is over no topics.
    pub(crate) fn average(&self, system: usize, measure: usize) -> Option<Average> {
        let scores = self.scores.get(system)?.as_ref()?;
        Some(scores.average(measure, self.set.policy)).filter(|average| average.topics > 0)
    }

    /// The value of that mean.
    pub(crate) fn value(&self, system: usize, measure: usize) -> Option<f64> {
        self.average(system, measure).map(|average| average.value)
    }

    /// The values of a system on the topics that count.
    pub(crate) fn topic_values(&self, system: usize, measure: usize) -> Vec<f64> {
        let scores = self.scores.get(system).and_then(Option::as_ref);
        let values = scores.map(|scores| scores.admitted(self.set.policy).map(|topic| topic.values[measure]));
        values.map_or_else(Vec::new, Iterator::collect)
    }

    /// The value of a system on a topic, if the topic counts for it.
    pub(crate) fn topic_value(&self, system: usize, topic: &TopicId, measure: usize) -> Option<f64> {
        let scores = self.scores.get(system)?.as_ref()?;
        let found = scores.topics.iter().find(|scores| scores.id == *topic)?;
        self.set.policy.admits(found).then(|| found.values[measure])
    }

    /// The interval around the mean of a system.
    pub(crate) fn interval(&self, system: usize, measure: usize) -> Option<Interval> {
        t_interval(&self.topic_values(system, measure), LEVEL).ok()
    }

    /// The highest mean that any system could have.
    pub(crate) fn highest(&self, measure: usize) -> Option<f64> {
        let system = *self.with_scores().first()?;
        let scores = self.scores[system].as_ref()?;
        Some(self.bounds.as_ref()?.around(scores, measure, eval::TopicPolicy::All).ceiling)
    }

    /// The share of a system's first results that is judged.
    pub(crate) fn judged_share(&self, system: usize) -> Option<f64> {
        match self.judged_measure {
            Some(measure) => self.value(system, measure),
            None => {
                let scores = self.scores.get(system)?.as_ref()?;
                let coverage = scores.coverage(eval::TopicPolicy::All);
                (coverage.makeup != eval::Makeup::Empty).then_some(coverage.judged_share)
            }
        }
    }

    /// The systems that were scored.
    pub(crate) fn with_scores(&self) -> Vec<usize> {
        (0..self.scores.len()).filter(|system| self.value(*system, 0).is_some()).collect()
    }

    /// Over how many topics the means go; runs may have fewer.
    pub(crate) fn topics_in_means(&self) -> usize {
        let topics = (0..self.scores.len()).filter_map(|system| self.average(system, 0));
        topics.map(|average| average.topics).max().unwrap_or(self.tested().count())
    }

    /// The judged topics that results are over.
    pub(crate) fn tested(&self) -> impl Iterator<Item = &(TopicId, Vec<i32>)> {
        self.judged.iter().filter(|(topic, _)| self.training.is_none() || self.set.is_tested(topic))
    }

    /// How many topics are judged.
    pub(crate) fn num_topics(&self) -> usize {
        self.judged.len()
    }
}

/// The measures of a task under the names of the lab.
fn columns(task: &Task<'_>) -> Vec<Column> {
    match &task.kind {
        Kind::Ranked(preset) => preset.columns(),
        Kind::Answers(_) => answers::columns(task.relevant_from),
    }
}

/// The system that was named, else the best baseline with a value.
fn base(task: &Task<'_>, values: &[Option<f64>]) -> Result<Option<usize>, OverviewError> {
    if let Some(index) = task.compare_with {
        let systems = task.systems.len();
        if index.0 >= systems {
            return Err(OverviewError::NoSuchSystem { task: task.name.clone(), index: index.0, systems });
        }
        return Ok(Some(index.0));
    }
    let mut baselines: Vec<usize> = (0..task.systems.len())
        .filter(|system| task.systems[*system].role == Role::Baseline && values[*system].is_some())
        .collect();
    baselines.sort_by(|a, b| best_first(values, *a, *b));
    Ok(baselines.first().copied())
}

/// Every system with scores beside the base.
fn compare(set: &ScoredSet<'_, '_>, base: usize, measure: usize, method: Method) -> Vec<Option<Comparison>> {
    let mut found = vec![None; set.scores.len()];
    let Some(Some(base_scores)) = set.scores.get(base) else { return found };
    let others: Vec<usize> = set.with_scores().into_iter().filter(|system| *system != base).collect();
    let runs: Vec<&RunScores> = others.iter().filter_map(|system| set.scores[*system].as_ref()).collect();
    for (system, comparison) in others.iter().zip(eval::against(base_scores, &runs, measure, method)) {
        found[*system] = Some(comparison);
    }
    found
}
