//! What may be said of numbers that were chosen: how good they are where they were not chosen, and whether that is a
//! gain.

use super::ledger::{self, Entry, Held};
use super::{Judged, Tune};
use crate::Answer;
use crate::gain::Difference;
use crate::output::{WholeFile, note, print};
use ::fuse::tune::{CrossValidation, Fitted, Folds, cross_validate};
use anyhow::{Context, Result, ensure};
use report::table::{Cell, Colour, Column, Row, Table};
use retrieve::System;
use stats::summary::{Interval, mean, t_interval};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Numbers that were chosen, and their values on topics.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) measure: String,
    pub(super) folds: CrossValidation,
    /// With several files of topics, chosen on all of them but one.
    pub(super) files: Option<CrossValidation>,
    pub(super) tried: usize,
    /// The values of the file as it stands.
    pub(super) stands: Vec<f64>,
    /// Those with all learned weights at 1.
    pub(super) equal: Option<Vec<f64>>,
}

impl Chosen {
    /// Chooses numbers in all the ways.
    pub(super) fn by(
        tune: &Tune,
        judged: &[Judged<'_>],
        measure: &str,
        mut choose: impl FnMut(&[usize]) -> Result<(Vec<f64>, Vec<f64>)>,
    ) -> Result<Self> {
        // Both ways of holding out end with all topics.
        let mut on_all = None;
        let mut choose = |training: &[usize]| {
            if training.len() < judged.len() {
                return choose(training);
            }
            if on_all.is_none() {
                on_all = Some(choose(training)?);
            }
            on_all.clone().context("it was just chosen")
        };
        let strata: Vec<usize> = judged.iter().map(|judged| judged.file).collect();
        let folds = Folds::stratified(&strata, tune.folds, tune.seed).context("--folds")?;
        let by_folds = cross_validate(&folds, &mut choose)?;
        let files = Folds::of_strata(&strata).ok();
        let files = files.map(|files| cross_validate(&files, &mut choose)).transpose()?;
        Ok(Self {
            measure: measure.to_owned(),
            folds: by_folds,
            files,
            tried: 0,
            stands: Vec::new(),
            equal: None,
        })
    }

    /// The stricter of the two: other files, where there are several.
    fn strictest(&self) -> &CrossValidation {
        self.files.as_ref().unwrap_or(&self.folds)
    }

    fn difference(&self) -> Difference {
        Difference::of(&self.strictest().held_out, &self.stands)
    }
}

impl Tune {
    /// Says what was found, records it, and writes the numbers.
    pub(super) fn conclude(&self, chosen: &Chosen, index: u64) -> Result<Answer> {
        let path = ledger::path(self.ledger.as_deref(), &self.system);
        let entry = self.entry(chosen, index)?;
        let earlier = ledger::tried_before(&path, &entry);
        print(self.report(chosen, earlier).as_bytes())?;
        if let Some(folder) = &self.held_out {
            self.write_held_out(chosen, folder)?;
        }
        if let Some(path) = &self.output {
            let numbers = self.places().zip(&chosen.folds.fitted.parameters);
            let lines = numbers.map(|(place, value)| format!("{place} = {value}\n"));
            WholeFile::create(path)?.write(lines.collect::<String>().as_bytes())?;
        }
        if let Some(path) = self.output.as_deref().filter(|path| *path != Path::new("-")) {
            note(&format!("written to {}", path.display()));
        }
        ledger::append(&path, &entry)?;
        note(&format!("recorded in {}", path.display()));
        Ok(Answer::Yes)
    }

    /// Refuses what `--held-out` could not write, before the work begins.
    pub(super) fn ensure_held_out(&self) -> Result<()> {
        if self.held_out.is_none() {
            return Ok(());
        }
        ensure!(self.topics.len() > 1, "--held-out needs several files of topics");
        for (number, path) in self.topics.iter().enumerate() {
            let twice = self.topics[..number].iter().any(|other| other.file_stem() == path.file_stem());
            ensure!(!twice, "--held-out: two files of topics are called {}", ledger::name(path));
        }
        Ok(())
    }

    /// Writes a file of the system for each file of topics, with the numbers that were chosen without it.
    fn write_held_out(&self, chosen: &Chosen, folder: &Path) -> Result<()> {
        let Some(files) = &chosen.files else { return Ok(()) };
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let text = self.text()?;
        let stem = Path::new(&self.system)
            .file_stem()
            .map_or_else(String::new, |stem| stem.to_string_lossy().into());
        for (fold, topics) in files.folds.iter().zip(&self.topics) {
            let without =
                topics.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            let name = format!("{stem}-without-{without}");
            let changes: Vec<(&str, f64)> =
                self.places().zip(fold.fitted.parameters.iter().copied()).collect();
            let text = System::rewritten(&text, &name, &changes)?;
            let path = folder.join(format!("{name}.toml"));
            WholeFile::create(&path)?.write(text.as_bytes())?;
            note(&format!("written to {}", path.display()));
        }
        Ok(())
    }

    fn entry(&self, chosen: &Chosen, index: u64) -> Result<Entry> {
        let Difference { mean: difference, interval, verdict } = chosen.difference();
        let held = |found: &CrossValidation| Held {
            mean: found.held_out_mean,
            interval: t_interval(&found.held_out, 0.95).ok().map(|Interval { low, high }| [low, high]),
        };
        let names = |paths: &[std::path::PathBuf]| paths.iter().map(|path| ledger::named(path)).collect();
        Ok(Entry {
            system: ledger::name(Path::new(&self.system)),
            system_fingerprint: ledger::fingerprint(self.text()?.as_bytes()),
            index_fingerprint: format!("{index:016x}"),
            topics: names(&self.topics),
            qrels: names(&self.qrels),
            measure: chosen.measure.clone(),
            method: if self.learn.is_empty() { "search" } else { "logistic regression over pairs" }
                .to_owned(),
            penalties: if self.learn.is_empty() { Vec::new() } else { self.penalty.clone() },
            folds: self.folds,
            seed: self.seed,
            tried: chosen.tried,
            num_topics: chosen.stands.len(),
            places: self.places().map(str::to_owned).collect(),
            chosen: chosen.folds.fitted.parameters.clone(),
            training: chosen.folds.fitted.mean,
            held_out_by_folds: held(&chosen.folds),
            held_out_by_files: chosen.files.as_ref().map(held),
            as_it_stands: mean(&chosen.stands).unwrap_or(f64::NAN),
            difference,
            difference_interval: interval.map(|Interval { low, high }| [low, high]),
            verdict,
        })
    }

    /// The text of the system's file.
    fn text(&self) -> Result<String> {
        crate::systems::text(&self.system).or_else(|_| crate::answers::text(&self.system))
    }

    fn report(&self, chosen: &Chosen, earlier: ledger::Earlier) -> String {
        let Chosen { measure, folds, files, tried, stands, equal } = chosen;
        let topics = stands.len();
        let mut columns = vec![Column::left("Fold"), Column::right("topics")];
        columns.extend(self.places().map(Column::right));
        columns.extend([Column::right("training"), Column::right("held out")]);
        let row = |name: String, topics: usize, fitted: &Fitted, held_out: f64| {
            let mut cells = vec![Cell::text(name), Cell::text(topics.to_string())];
            cells.extend(fitted.parameters.iter().map(|value| Cell::text(format!("{value}"))));
            cells.extend([Cell::number(fitted.mean, 4), Cell::number(held_out, 4)]);
            Row::Cells(cells)
        };
        let mut rows: Vec<Row> = (1_usize..)
            .zip(&folds.folds)
            .map(|(name, fold)| row(name.to_string(), fold.topics.len(), &fold.fitted, fold.held_out_mean))
            .collect();
        if let Some(files) = files {
            rows.push(Row::Rule);
            rows.extend(files.folds.iter().zip(&self.topics).map(|(fold, path)| {
                row(ledger::name(path), fold.topics.len(), &fold.fitted, fold.held_out_mean)
            }));
        }
        rows.push(Row::Rule);
        rows.push(row("all".to_owned(), topics, &folds.fitted, folds.held_out_mean));
        let tried_how = match self.learn.is_empty() {
            true => format!("{tried} settings tried"),
            false => format!("weights learned by logistic regression over pairs, {tried} penalties tried"),
        };
        let caption = format!(
            "{measure} of {} over {topics} topics with something relevant; {tried_how}, seed {}",
            self.system, self.seed
        );
        let table = Table { caption: vec![caption], columns, rows, ..Table::default() };
        let mut text = table.to_text(Colour::Off);
        text.push('\n');
        let line = |text: &mut String, what: &str, values: &[f64], more: &str| {
            let mean = mean(values).unwrap_or(f64::NAN);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{what:<32}{mean:.4}{}{more}", within(t_interval(values, 0.95).ok()));
        };
        let gap = |found: &CrossValidation| {
            let training =
                found.folds.iter().map(|fold| fold.fitted.mean).sum::<f64>() / found.folds.len() as f64;
            format!("; {:.4} where chosen, a gap of {:.4}", training, training - found.held_out_mean)
        };
        line(&mut text, "Held out, other folds:", &folds.held_out, &gap(folds));
        if let Some(files) = files {
            line(&mut text, "Held out, other files:", &files.held_out, &gap(files));
        }
        line(&mut text, "The file as it stands:", stands, "");
        if let Some(equal) = equal {
            line(&mut text, "All weights at 1:", equal, "");
        }
        let Difference { mean: difference, interval, verdict } = chosen.difference();
        let verdict = verdict.words();
        let _ = writeln!(
            text,
            "{:<32}{difference:+.4}{}: {verdict}",
            "Held out less as it stands:",
            within(interval)
        );
        if let Some(equal) = equal {
            let Difference { mean: difference, interval, .. } =
                Difference::of(&chosen.strictest().held_out, equal);
            let _ =
                writeln!(text, "{:<32}{difference:+.4}{}", "Held out less weights at 1:", within(interval));
        }
        if earlier.runs > 0 {
            let _ = writeln!(
                text,
                "Earlier runs in the ledger on these topics: {}, with {} settings",
                earlier.runs, earlier.tried
            );
        }
        text
    }
}

fn within(interval: Option<Interval>) -> String {
    interval.map_or_else(String::new, |Interval { low, high }| format!(" ({low:.4} to {high:.4})"))
}
