//! What each run answered: ids, texts, or both.

use super::super::load::{STDIN, is_same_file};
use super::kind::Kind;
use crate::names;
use crate::{nearest, run_record};
use anyhow::{Context, Result, anyhow, bail, ensure};
use eval::task3::{Match, TopicFilter};
use formats::check::SubmissionName;
use formats::qrels::Qrels;
use formats::run::{Run, RunKind};
use formats::task3::{Task3Answer, Task3Run};
use formats::{
    AnswerMap, DocId, RecordedModel, RunAnswers, RunTag, Source, SourceText, TopicId, read_answers,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The answers of one run.
pub(super) struct Entry {
    /// The run's name.
    pub(super) name: String,
    /// Its file, if it has one.
    pub(super) path: Option<PathBuf>,
    /// The models that ranked, by the record beside the run.
    pub(super) models: Vec<RecordedModel>,
    /// What is known of the answers.
    pub(super) answers: Answers,
}

/// What is known of the answers of a run.
pub(super) enum Answers {
    /// The id of the answer to each topic, said by a map; the texts as well if there is a file of them.
    Mapped { ids: BTreeMap<TopicId, String>, written: Vec<Task3Answer> },
    /// The first result of each topic of a ranking, and all results.
    Ranked { first: BTreeMap<TopicId, String>, run: Run },
    /// Texts that came after a lab, and the ids that a lab gives to them: one has a judgment only if the lab judged the
    /// same text.
    New { ids: BTreeMap<TopicId, String>, written: Vec<Task3Answer> },
    /// Texts, and which posts they are, once that was looked for.
    Written { written: Vec<Task3Answer>, matches: BTreeMap<TopicId, Match> },
}

impl Entry {
    pub(super) fn tag(&self) -> RunTag {
        RunTag::from(self.name.as_str())
    }

    /// What it is called in messages: its file, if it has one.
    pub(super) fn label(&self) -> String {
        let file = self.path.as_ref().filter(|path| *path != Path::new(STDIN));
        file.map_or_else(|| self.name.clone(), |path| path.display().to_string())
    }

    /// The answers that were written, if their texts are known.
    pub(super) fn written(&self) -> &[Task3Answer] {
        match &self.answers {
            Answers::Mapped { written, .. }
            | Answers::New { written, .. }
            | Answers::Written { written, .. } => written,
            Answers::Ranked { .. } => &[],
        }
    }

    /// The topics and the texts of the answers, if they are known.
    pub(super) fn texts(&self) -> impl Iterator<Item = (TopicId, &str)> {
        self.written().iter().map(|answer| (answer.topic.clone(), answer.answer.as_str()))
    }

    /// The topics and the ids of the answers; one that agrees with no post has none.
    pub(super) fn ids(&self) -> Vec<(TopicId, Option<DocId<'_>>)> {
        match &self.answers {
            Answers::Mapped { ids, .. } | Answers::Ranked { first: ids, .. } => {
                ids.iter().map(|(topic, id)| (topic.clone(), Some(DocId(id)))).collect()
            }
            Answers::New { ids, written } => {
                let id = |topic| ids.get(topic).map(|id| DocId(id));
                written.iter().map(|answer| (answer.topic.clone(), id(&answer.topic))).collect()
            }
            Answers::Written { written, matches } => {
                let id = |topic| matches.get(topic).and_then(|found| found.post.as_deref());
                written.iter().map(|answer| (answer.topic.clone(), id(&answer.topic).map(DocId))).collect()
            }
        }
    }

    /// Answers that are known by an id.
    pub(super) fn known_ids(&self) -> impl Iterator<Item = (TopicId, DocId<'_>)> {
        self.ids().into_iter().filter_map(|(topic, id)| Some((topic, id?)))
    }

    /// The name of its file, if it has one.
    pub(super) fn file_name(&self) -> Option<String> {
        Some(self.path.as_ref()?.file_name()?.to_string_lossy().into_owned())
    }

    /// Forgets the answers to topics that are left out, so that no measure and no count meets them.
    pub(super) fn keep(&mut self, filter: &TopicFilter) {
        let keeps = |answer: &Task3Answer| filter.keeps(&answer.topic);
        match &mut self.answers {
            Answers::Mapped { ids, written } | Answers::New { ids, written } => {
                ids.retain(|topic, _| filter.keeps(topic));
                written.retain(keeps);
            }
            Answers::Ranked { first, .. } => first.retain(|topic, _| filter.keeps(topic)),
            Answers::Written { written, matches } => {
                written.retain(keeps);
                matches.retain(|topic, _| filter.keeps(topic));
            }
        }
    }

    /// Which posts the answers are, if that was to be found out.
    pub(super) fn matches(&self) -> Option<&BTreeMap<TopicId, Match>> {
        match &self.answers {
            Answers::Written { matches, .. } => Some(matches),
            Answers::Mapped { .. } | Answers::New { .. } | Answers::Ranked { .. } => None,
        }
    }
}

/// Reads runs: files of answers, rankings, names in the map, or all of the map.
pub(super) fn entries(runs: &[PathBuf], map: Option<&Path>, qrels: &Qrels) -> Result<Vec<Entry>> {
    let map = map.map(|path| read_map(Source::path(path), qrels)).transpose()?;
    if runs.is_empty() {
        let map = map.context("neither a run nor --answers is given")?;
        return Ok(all(&map));
    }
    let mut entries = Vec::new();
    for (path, name) in runs.iter().zip(names::of_files(runs)) {
        // A name in the map may be that of a folder, too.
        let is_file = path == Path::new(STDIN) || (path.exists() && !(map.is_some() && path.is_dir()));
        if !is_file {
            let map = map.as_ref().with_context(|| format!("{}: no such file", path.display()))?;
            let text = path.to_string_lossy();
            let answers = map.run(&text)?;
            entries.push(from_map(answers.run.as_str(), map)?);
            continue;
        }
        // Standard input can be read once only.
        let SourceText { name: label, text } = Source::path(path).read()?;
        let kind = Kind::of(&text);
        let source = Source::bytes(&label, text);
        let unfit = |error: anyhow::Error| anyhow!("{error}; by its first row the file was taken for {kind}");
        let answers = match kind {
            Kind::Map => {
                ensure!(
                    map.is_none(),
                    "{label}: maps runs to answers, and --answers gives such a map already",
                );
                entries.extend(all(&read_map(source, qrels).map_err(unfit)?));
                continue;
            }
            Kind::Ranking => {
                let run = Run::read(source, RunKind::Documents).map_err(|error| unfit(error.into()))?;
                let first = eval::task3::first_answers(&run).map_err(|error| unfit(error.into()))?;
                let first = first.into_iter().map(|(topic, doc)| (topic, doc.to_string())).collect();
                Answers::Ranked { first, run }
            }
            Kind::Answers => {
                let written = Task3Run::read(source).map_err(|error| unfit(error.into()))?.answers;
                match &map {
                    Some(map) => Answers::Mapped { ids: ids(&name, map)?, written },
                    None => Answers::Written { written, matches: BTreeMap::new() },
                }
            }
        };
        let entry = Entry { name, path: Some(path.clone()), models: run_record::models(path), answers };
        ensure!(!entry.ids().is_empty(), "{label}: holds no answers");
        entries.push(entry);
    }
    Ok(entries)
}

/// Which of the runs is meant by a path or a name.
pub(super) fn find(entries: &[Entry], wanted: &Path, option: &str) -> Result<usize> {
    let same = |entry: &Entry| entry.path.as_ref().is_some_and(|path| is_same_file(path, wanted));
    let text = wanted.to_string_lossy();
    let by_path = entries.iter().position(same);
    by_path.or_else(|| entries.iter().position(|entry| entry.name == text)).with_context(|| {
        let names: Vec<String> = entries.iter().map(|entry| entry.name.clone()).collect();
        format!("{option}: no run '{text}'; {}", nearest::suggest(&text, &names))
    })
}

/// Reads a map. A run of three columns would be read as one, its topics as names of runs.
fn read_map(source: Source<'_>, qrels: &Qrels) -> Result<AnswerMap> {
    let label = source.name().to_owned();
    let (map, notes) = read_answers(source)?;
    notes.iter().for_each(|note| crate::warn(&note.to_string()));
    ensure!(!map.is_empty(), "{label}: holds no answers");
    if let Some(topic) = map.runs().find(|run| qrels.topic(&TopicId::from(run.as_str())).is_some()) {
        bail!(
            "{label}: the first of its three columns holds topics ({topic}), where {} has the names of runs",
            Kind::Map
        );
    }
    Ok(map)
}

fn all(map: &AnswerMap) -> Vec<Entry> {
    map.runs().filter_map(|run| from_map(run.as_str(), map).ok()).collect()
}

fn from_map(name: &str, map: &AnswerMap) -> Result<Entry> {
    let answers = Answers::Mapped { ids: ids(name, map)?, written: Vec::new() };
    Ok(Entry { name: name.to_owned(), path: None, models: Vec::new(), answers })
}

fn ids(name: &str, map: &AnswerMap) -> Result<BTreeMap<TopicId, String>> {
    Ok(of_run(name, map)?.all().into_iter().map(|(topic, doc)| (topic.clone(), doc.to_string())).collect())
}

/// The answers of a run, by the name of its file or as `team/run`, which is how older labs wrote it.
fn of_run<'a>(name: &str, map: &'a AnswerMap) -> Result<RunAnswers<'a>> {
    let found = map.run(name);
    let by_team = SubmissionName::parse(name).ok().map(|(said, _)| format!("{}/{}", said.group, said.id));
    match (found, by_team.and_then(|name| map.run(&name).ok())) {
        (Err(_), Some(answers)) => Ok(answers),
        (found, _) => Ok(found?),
    }
}
