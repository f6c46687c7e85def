//! Runs scored by a finished lab: its judgments, its references and its way to compare.

use super::super::Eval;
use super::super::load::STDIN;
use super::entries::{Answers, Entry};
use super::kind::Kind;
use crate::similarity::{self, Chosen};
use crate::{names, nearest, run_record};
use anyhow::{Context, Result, ensure};
use formats::task3::Task3Run;
use formats::{Source, SourceText};
use lab::report::AnswerInstruments;
use lab::{AnswerScoring, AnsweredRun, AnsweredTask};
use std::path::{Path, PathBuf};

/// What a lab says of Task 3.
pub(super) struct Finished {
    pub(super) answered: AnsweredTask,
    pub(super) scoring: AnswerScoring,
    pub(super) instruments: AnswerInstruments,
}

impl Finished {
    /// Reads a lab; options stand above what it says.
    pub(super) fn read(args: &Eval, folder: &Path) -> Result<Self> {
        let lab = crate::lab::open_to_read(folder)?;
        let answered = lab.answered(args.task3.set.as_deref(), args.task3.normalisation())?;
        let chosen = Chosen {
            tokenizer: args.task3.tokenizer.as_deref(),
            encoder: args.task3.encoder.as_deref(),
            layer: args.task3.layer,
        };
        Ok(Self {
            answered,
            scoring: lab.manifest().answers.clone(),
            instruments: similarity::instruments(&lab, chosen)?,
        })
    }

    /// The runs that were asked for: files of written answers, names of runs of the lab, or all of these.
    pub(super) fn entries(&self, args: &Eval) -> Result<Vec<Entry>> {
        let paths: Vec<PathBuf> = args.runs.clone();
        let base = args.compare.against.iter().filter(|base| !paths.contains(base));
        let mut entries = match paths.as_slice() {
            [] => self.answered.runs.iter().map(of_lab).collect(),
            paths => self.read_all(paths)?,
        };
        for base in base {
            let text = base.to_string_lossy();
            if !entries.iter().any(|entry| entry.name == text) {
                entries.extend(self.read_all(std::slice::from_ref(base))?);
            }
        }
        Ok(entries)
    }

    fn read_all(&self, paths: &[PathBuf]) -> Result<Vec<Entry>> {
        let named = paths.iter().zip(names::of_files(paths));
        named.map(|(path, name)| self.read_one(path, name)).collect()
    }

    fn read_one(&self, path: &Path, name: String) -> Result<Entry> {
        if path != Path::new(STDIN) && !path.is_file() {
            return self.named(&path.to_string_lossy());
        }
        let SourceText { name: label, text } = Source::path(path).read()?;
        let kind = Kind::of(&text);
        ensure!(
            kind == Kind::Answers,
            "{label}: --lab scores written answers, and by its first row this is {kind}"
        );
        let written = Task3Run::read(Source::bytes(&label, text))?.answers;
        ensure!(!written.is_empty(), "{label}: holds no answers");
        let run = AnsweredRun { name, team: String::new(), answers: written };
        let ids = run.ids().collect();
        let answers = Answers::New { ids, written: run.answers };
        Ok(Entry { name: run.name, path: Some(path.to_owned()), models: run_record::models(path), answers })
    }

    /// A run of the lab, by the name of its file.
    fn named(&self, name: &str) -> Result<Entry> {
        let runs = &self.answered.runs;
        let found = runs.iter().find(|run| run.name == name);
        found.map(of_lab).with_context(|| {
            let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
            format!("{name}: no such file, and no such run of the lab; {}", nearest::suggest(name, &names))
        })
    }
}

/// A run of the lab, whose answers people were given to judge.
fn of_lab(run: &AnsweredRun) -> Entry {
    let answers = Answers::Mapped { ids: run.ids().collect(), written: run.answers.clone() };
    Entry { name: run.name.clone(), path: None, models: Vec::new(), answers }
}
