//! What each run answered: ids, texts, or both.

use super::super::load::names;
use anyhow::{Context, Result, bail, ensure};
use collection::run::{Run, RunKind};
use collection::task3::Task3Run;
use collection::{AnswerMap, Source, TopicId, read_answers};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The answers of one run.
pub(super) struct Entry {
    /// The run's name.
    pub(super) name: String,
    /// The id of the answer to each topic; empty if they are not known.
    pub(super) ids: BTreeMap<TopicId, String>,
    /// The text of the answer to each topic; empty if they are not known.
    texts: BTreeMap<TopicId, String>,
}

impl Entry {
    pub(super) fn has_ids(&self) -> bool {
        !self.ids.is_empty()
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = (&TopicId, &str)> {
        self.texts.iter().map(|(topic, text)| (topic, text.as_str()))
    }
}

/// What kind of file a run is.
enum Kind {
    /// `run topic answer`: a map of several runs.
    Map,
    /// `topic rank score run sources answer`.
    Answers,
    /// A ranking, of which the first result is the answer.
    Ranking,
}

/// Reads runs: files of answers, rankings, names in the map, or all of the map.
pub(super) fn entries(runs: &[PathBuf], map: Option<&Path>) -> Result<Vec<Entry>> {
    let map = map.map(read_map).transpose()?;
    if runs.is_empty() {
        let map = map.context("neither a run nor --answers is given")?;
        return Ok(all(&map));
    }
    let mut entries = Vec::new();
    for (path, name) in runs.iter().zip(names(runs)) {
        if !path.is_file() {
            let map = map.as_ref().with_context(|| format!("{}: no such file", path.display()))?;
            let text = path.to_string_lossy();
            let answers = map.run(&text)?;
            entries.push(from_map(answers.run.as_str(), map)?);
            continue;
        }
        match kind(path)? {
            Kind::Map => {
                ensure!(
                    map.is_none(),
                    "{}: maps runs to answers, and --answers gives such a map already",
                    path.display()
                );
                entries.extend(all(&read_map(path)?));
            }
            Kind::Ranking => {
                let run = Run::read(Source::path(path), RunKind::Documents)?;
                let first = eval::task3::first_answers(&run)?;
                let ids = first.into_iter().map(|(topic, doc)| (topic, doc.to_string())).collect();
                entries.push(Entry { name, ids, texts: BTreeMap::new() });
            }
            Kind::Answers => {
                let run = Task3Run::read(Source::path(path))?;
                let ids = match &map {
                    Some(map) => from_map(&name, map)?.ids,
                    None => BTreeMap::new(),
                };
                let texts = run.answers.into_iter().map(|answer| (answer.topic, answer.answer)).collect();
                entries.push(Entry { name, ids, texts });
            }
        }
    }
    if let Some(entry) = entries.iter().find(|entry| !entry.has_ids()) {
        let name = &entry.name;
        bail!("{name}: holds written answers; say with --answers which judged answer each of them is");
    }
    Ok(entries)
}

fn read_map(path: &Path) -> Result<AnswerMap> {
    let (map, notes) = read_answers(Source::path(path))?;
    notes.iter().for_each(|note| crate::warn(&note.to_string()));
    ensure!(!map.is_empty(), "{}: holds no answers", path.display());
    Ok(map)
}

fn all(map: &AnswerMap) -> Vec<Entry> {
    map.runs().filter_map(|run| from_map(run.as_str(), map).ok()).collect()
}

fn from_map(name: &str, map: &AnswerMap) -> Result<Entry> {
    let answers = map.run(name)?;
    let ids = answers.all().into_iter().map(|(topic, doc)| (topic.clone(), doc.to_string())).collect();
    Ok(Entry { name: name.to_owned(), ids, texts: BTreeMap::new() })
}

/// What a file holds, by its first line.
fn kind(path: &Path) -> Result<Kind> {
    let text = Source::path(path).read()?.text;
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let fields: Vec<&str> = line.split('\t').map(str::trim).collect();
    Ok(match fields.as_slice() {
        [_, _, _] => Kind::Map,
        // A ranking has a number in its last column but one, an answer its sources.
        [_, rank, score, _, _, _] if is_number(rank) && is_number(score) && *rank != "Q0" => {
            if is_number(fields[3]) && is_number(fields[4]) { Kind::Ranking } else { Kind::Answers }
        }
        // The answer may reach over several lines; then the first has fewer columns.
        [_, rank, score, _, _] if is_number(rank) && is_number(score) && !is_number(fields[3]) => {
            Kind::Answers
        }
        _ => Kind::Ranking,
    })
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}
