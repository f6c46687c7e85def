//! The report of a lab: what the folder holds, given to `labreport`, and what comes of it, written.

mod groups;
mod judged;
mod judging;
mod load;
mod measures;
mod pooling;

pub use measures::AnswerInstruments;

use crate::error::{Error, Result};
use crate::files;
use crate::folder::Lab;
use crate::manifest::Rules;
use eval::task3::{AnswerSimilarity, ComparedAnswer, Normalisation};
use eval::{Pipeline, Preset, TopicPolicy};
use formats::DocId;
use formats::check::Task;
pub(crate) use judged::{provenance, qrels};
use labreport::{
    AnswerTask, Fact, Kind, Output, Overview, PostTexts, Settings, SimilaritySettings, SystemIndex,
    TopicPages, overview,
};
use load::{LoadedSet, LoadedTask, Returned};
pub(crate) use load::{flags, training_topics};
pub(crate) use pooling::contributed;
use std::path::PathBuf;
use store::Collection;

/// What the report shall show.
#[derive(Clone, Debug, Default)]
pub struct ReportRequest {
    /// The system that others are compared with, as `team/run`; the best baseline if none is named.
    pub compare_with: Option<String>,
    /// Which topics have a part of their own.
    pub topic_pages: TopicPages,
    /// The folder to write to; `report` in the lab, if none is named.
    pub output: Option<PathBuf>,
    /// More facts on how the report was made, such as the command.
    pub facts: Vec<(String, String)>,
    /// The tokenizer and the encoder that `lab.toml` names for Task 3, opened.
    pub instruments: AnswerInstruments,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct MadeReport {
    /// The page.
    pub page: PathBuf,
    /// All files, the page first.
    pub files: Vec<PathBuf>,
    /// Damage that the report works around, such as a record that cannot be read.
    pub warnings: Vec<String>,
}

impl Lab {
    /// Makes the report and writes it below `report`, or where it was asked for: a page, the same as Markdown, every table
    /// as LaTeX and every figure as SVG.
    ///
    /// # Errors
    ///
    /// When a file of the lab is missing or was changed, a run cannot be scored, or the report
    /// cannot be written.
    pub fn make_report(&self, request: &ReportRequest) -> Result<MadeReport> {
        let (report, warnings) = self.overview_with_warnings(request)?;
        let mut written = Vec::new();
        let folder = request.output.clone().unwrap_or_else(|| self.path("report"));
        let page = folder.join("index.html");
        let mut write = |path: PathBuf, text: &str| -> Result<()> {
            files::write_public(&path, text.as_bytes())?;
            written.push(path);
            Ok(())
        };
        write(page.clone(), &report.to_html())?;
        write(folder.join("report.md"), &report.to_markdown())?;
        for table in report.latex_files() {
            write(folder.join("tables").join(format!("{}.tex", table.name)), &table.text)?;
        }
        for figure in report.figure_files() {
            write(folder.join("figures").join(format!("{}.svg", figure.name)), &figure.svg)?;
        }
        Ok(MadeReport { page, files: written, warnings })
    }

    /// Makes the report without writing it.
    ///
    /// # Errors
    ///
    /// As [`Lab::make_report`].
    pub fn overview(&self, request: &ReportRequest) -> Result<Overview> {
        Ok(self.overview_with_warnings(request)?.0)
    }

    fn overview_with_warnings(&self, request: &ReportRequest) -> Result<(Overview, Vec<String>)> {
        let tasks: Vec<LoadedTask> =
            self.manifest().all_tasks().map(|task| LoadedTask::read(self, task)).collect::<Result<_>>()?;
        let known = self.known()?;
        let posts = known.collection().map(Posts);
        let first = tasks.iter().find(|loaded| loaded.task == Task::Task1);
        let first_qrels = first.and_then(|task| task.current().qrels.as_ref());
        let overlap = request.instruments.overlap(&self.manifest().answers)?;
        let contextual = request.instruments.contextual(&self.manifest().answers)?;
        let mut lab = labreport::Lab {
            name: self.manifest().name.clone(),
            about: Some(self.manifest().about.clone())
                .into_iter()
                .filter(|about| !about.is_empty())
                .collect(),
            facts: self.facts(&tasks, request)?,
            tasks: Vec::new(),
            notes: Vec::new(),
            settings: Settings {
                seed: self.manifest().seed,
                topic_pages: request.topic_pages,
                ..Settings::default()
            },
        };
        for loaded in &tasks {
            let preset = self.manifest().rules.preset(loaded.task);
            let (name, key) = names(self.manifest().rules, loaded.task);
            let kind = match loaded.task {
                Task::Task3 => Kind::Answers(AnswerTask {
                    flags: loaded.flags.as_ref(),
                    similarity: Some(SimilaritySettings {
                        measures: [&overlap as &dyn AnswerSimilarity].into_iter().chain(contextual).collect(),
                        normalisation: Normalisation::Published,
                        posts: posts.as_ref().map(|posts| posts as &dyn PostTexts),
                    }),
                    first_answers: first_qrels,
                }),
                Task::Task1 | Task::Task2 => Kind::Ranked(preset),
            };
            let mut task = labreport::Task::new(name, key, kind);
            if self.manifest().rules != Rules::Arqmath {
                task.relevant_from = 3;
                task.relevant_name = "relevant".to_owned();
            }
            // What two assessors' sum asks 3 of, one grade asks the highest of.
            task.relevant_from_one = self.manifest().highest_grade(loaded.task).min(2);
            task.grades = loaded.grades.clone();
            task.aggregation = loaded.aggregation.clone();
            task.codes = loaded.codes.clone();
            task.systems = {
                let systems = loaded.systems.iter().zip(&loaded.models);
                systems
                    .map(|(system, models)| load::described(self, system, models.clone()))
                    .collect::<Result<_>>()?
            };
            task.compare_with = self.compared(loaded, request)?;
            task.current = test_set(loaded, loaded.current(), preset);
            let others = loaded.sets.iter().filter(|set| set.name != self.manifest().current);
            task.earlier = others.map(|set| test_set(loaded, set, preset)).collect();
            lab.tasks.push(task);
        }
        let report = overview(&lab).map_err(|error| Error::asked(error.to_string()))?;
        let mut warnings: Vec<String> = tasks.iter().flat_map(|task| task.warnings.clone()).collect();
        warnings.extend(groups::unknown_assessors(self)?);
        Ok((report, warnings))
    }

    fn compared(&self, loaded: &LoadedTask, request: &ReportRequest) -> Result<Option<SystemIndex>> {
        let Some(name) = &request.compare_with else { return Ok(None) };
        if !self.systems()?.iter().any(|system| system.is_called(name)) {
            return Err(Error::asked(format!("there is no system {name:?} to compare with")));
        }
        // A system of another task is none of this one's.
        Ok(loaded.systems.iter().position(|system| system.is_called(name)).map(SystemIndex))
    }

    fn facts(&self, tasks: &[LoadedTask], request: &ReportRequest) -> Result<Vec<Fact>> {
        let manifest = self.manifest();
        let mut facts = vec![
            fact("program", format!("hypatia {}", env!("CARGO_PKG_VERSION"))),
            fact("rules", manifest.rules.to_string()),
            fact("seed", manifest.seed.to_string()),
        ];
        if let Some(collection) = &manifest.collection {
            facts.push(fact("collection", format!("fingerprint {}", collection.fingerprint)));
        }
        for task in tasks {
            for set in &task.sets {
                if let Some((path, sha256)) = &set.judgments {
                    facts.push(fact(
                        &format!("judgments of task {} for {}", task.task.number(), set.name),
                        format!("{path}, SHA-256 {sha256}"),
                    ));
                }
            }
        }
        facts.extend(request.facts.iter().map(|(name, value)| fact(name, value.clone())));
        Ok(facts)
    }
}

fn fact(name: &str, value: String) -> Fact {
    Fact { name: name.to_owned(), value }
}

fn names(rules: Rules, task: Task) -> (&'static str, &'static str) {
    match (rules, task) {
        (Rules::Ntcir10 | Rules::Ntcir12, _) => ("Formula retrieval", "formulas"),
        (_, Task::Task1) => ("Task 1: Answer retrieval", "task1"),
        (_, Task::Task2) => ("Task 2: Formula retrieval", "task2"),
        (_, Task::Task3) => ("Task 3: Open-domain question answering", "task3"),
    }
}

fn test_set<'a>(loaded: &'a LoadedTask, set: &'a LoadedSet, preset: Preset) -> labreport::TestSet<'a> {
    let visual_ids = set.formulas.as_ref().map(|formulas| formulas as &dyn eval::VisualIdLookup);
    let pipeline = Pipeline {
        duplicates: preset.duplicates(),
        depth: preset.depth(),
        visual_ids: visual_ids.filter(|_| loaded.task == Task::Task2),
        ..Pipeline::default()
    };
    let output = |returned: &'a Option<Returned>| match returned {
        None => None,
        Some(Returned::Ranking(run)) => Some(Output::Ranking(run)),
        Some(Returned::Answers(answers)) => Some(Output::Answers(answers.clone())),
    };
    labreport::TestSet {
        name: set.name.clone(),
        topics: set.topics.clone(),
        qrels: set.qrels.as_ref(),
        instance_qrels: set.instance_qrels.as_ref(),
        distinct_qrels: set.distinct_qrels.as_ref(),
        groups: set
            .groups
            .iter()
            .map(|(name, qrels)| labreport::AssessorGroup { name: name.clone(), qrels })
            .collect(),
        train: set.train.clone(),
        pipeline,
        // Of written answers the labs average those that were judged.
        policy: if loaded.task == Task::Task3 { TopicPolicy::Judged } else { TopicPolicy::All },
        outputs: set.outputs.iter().map(output).collect(),
        pool: set.pool.clone(),
        judging: set.judging.clone(),
    }
}

/// Texts of the posts of a collection.
pub(crate) struct Posts<'a>(pub(crate) &'a Collection);

impl PostTexts for Posts<'_> {
    fn text(&self, post: DocId<'_>) -> Option<ComparedAnswer> {
        let number = self.0.find_post(post.as_str())?;
        let pieces = post::body(&mut self.0.reader(), number).ok()?;
        Some(ComparedAnswer::from_marked(pieces.text(), post::MARK, pieces.latex()))
    }
}
