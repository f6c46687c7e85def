//! Features with grades, from files or from what a system finds.

use super::TrainRank;
use crate::place::find_index;
use crate::progress::Progress;
use crate::run::topics::{ensure_each_is_judged, threads};
use crate::{systems, warn};
use ::formats::qrels::{Qrels, Scale};
use ::formats::{FeatureRow, FeatureTable, Source, Topic, read_topics};
use anyhow::{Context, Result, ensure};
use retrieve::{Asked, Engine, FormulaFeatures, Query};
use std::collections::HashMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

/// What weights are learned from.
pub(super) struct Data {
    pub(super) table: FeatureTable,
    /// Files with their checksums.
    pub(super) files: Vec<String>,
    /// The names of the files, for people.
    pub(super) source: String,
}

impl Data {
    /// The rows of each topic.
    pub(super) fn topics(&self) -> Vec<Range<usize>> {
        let mut start = 0;
        let chunks = self.table.rows.chunk_by(|one, other| one.topic == other.topic);
        let range = |chunk: &[FeatureRow]| {
            start += chunk.len();
            start - chunk.len()..start
        };
        chunks.map(range).collect()
    }

    /// The topics in their order.
    pub(super) fn topic_ids(&self) -> Vec<String> {
        self.topics().into_iter().map(|rows| self.table.rows[rows.start].topic.clone()).collect()
    }
}

/// The name of a file and a checksum.
fn kept(path: &Path) -> Result<String> {
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(format!("{} {:016x}", path.display(), xxhash_rust::xxh3::xxh3_64(&bytes)))
}

/// The name of a file without its folder.
fn short(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

impl TrainRank {
    /// Features of files.
    pub(super) fn of_files(&self) -> Result<Data> {
        let mut data: Option<Data> = None;
        for path in &self.files {
            let table = FeatureTable::read(Source::path(path))?;
            let file = if path == Path::new("-") { "standard input".to_owned() } else { kept(path)? };
            match &mut data {
                None => data = Some(Data { table, files: vec![file], source: short(path) }),
                Some(data) => {
                    let known = &mut data.table;
                    ensure!(
                        known.names == table.names,
                        "{}: has other features than {}",
                        path.display(),
                        self.files[0].display()
                    );
                    let again =
                        table.rows.iter().find(|row| known.rows.iter().any(|old| old.topic == row.topic));
                    if let Some(row) = again {
                        warn(&format!("{}: topic {} is in another file, too", path.display(), row.topic));
                    }
                    known.rows.extend(table.rows);
                    known.values.extend(table.values);
                    data.files.push(file);
                    data.source.push_str(&format!(", {}", short(path)));
                }
            }
        }
        data.context("no file of features")
    }

    /// Features of what a system finds for topics, as far as it is judged.
    pub(super) fn of_system(&self, name: &str) -> Result<Data> {
        ensure_each_is_judged(&self.topics, &self.qrels)?;
        let engine = Engine::open_whole(&find_index(self.index.as_deref())?, crate::models::resources()?)?;
        let system = systems::find(name)?.unlearned();
        let inputs = self.given.read(system.task, engine.index())?;
        let pipeline = inputs.pipeline(system)?;
        let (mut table, mut files, mut sources) = (FeatureTable::default(), Vec::new(), Vec::new());
        let mut without = 0;
        for (topics_path, qrels_path) in self.topics.iter().zip(&self.qrels) {
            let topics = read_topics(Source::path(topics_path))?.topics;
            let (qrels, _) = Qrels::read(Source::path(qrels_path), Scale::Plain)?;
            files.extend([kept(topics_path)?, kept(qrels_path)?]);
            sources.push(short(qrels_path));
            let judged: Vec<&Topic> =
                topics.iter().filter(|topic| qrels.topic(&topic.id).is_some()).collect();
            let progress = Mutex::new(Progress::items(judged.len() as u64));
            let found = parallel::map_on(threads(None), &judged, |topic| {
                let found = features(&engine, &pipeline, topic, &inputs.query(topic));
                if let Ok(mut progress) = progress.lock() {
                    progress.advance(1);
                }
                found
            });
            for (topic, found) in judged.iter().zip(found) {
                let FormulaFeatures { names, rows } = found.with_context(|| format!("topic {}", topic.id))?;
                if table.names.is_empty() {
                    table = FeatureTable::new(names);
                }
                let Some(judgments) = qrels.topic(&topic.id) else { continue };
                let grades: HashMap<String, i32> = judgments
                    .rows()
                    .filter_map(|row| Some((row.doc().as_str().to_owned(), row.judgment().grade()?)))
                    .collect();
                let before = table.rows.len();
                for (doc, values) in rows {
                    let Some(grade) = grades.get(&doc) else { continue };
                    let row = FeatureRow { topic: topic.id.to_string(), doc, grade: f64::from(*grade) };
                    table.push(row, &values);
                }
                without += usize::from(table.rows.len() == before);
            }
        }
        if without > 0 {
            warn(&format!("{name} finds nothing that is judged for {without} topics"));
        }
        ensure!(
            !table.rows.is_empty(),
            "nothing that {name} finds is judged: are these judgments of visual ids?"
        );
        Ok(Data { table, files, source: sources.join(", ") })
    }
}

fn features(
    engine: &Engine,
    pipeline: &retrieve::Pipeline,
    topic: &Topic,
    query: &Query,
) -> Result<FormulaFeatures> {
    let latex = Query::formula_of_topic(topic).context("the topic has no formula to look for")?;
    let asked = Asked::formulas_for_topics(&latex).in_question(query);
    Ok(engine.formula_features(pipeline, &asked.for_topic(topic.id.as_str()))?)
}
