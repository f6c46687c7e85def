//! What may be said of numbers that were chosen: how good they are where they were not chosen, and whether that is a
//! gain.

use super::ledger::{self, Entry, Held};
use super::{Judged, Tune};
use crate::Exit;
use crate::output::{WholeFile, note, print};
use ::fuse::tune::{CrossValidation, Folds, cross_validate};
use anyhow::{Context, Result, ensure};
use retrieve::System;
use stats::gain::Difference;
use stats::summary::mean;
use std::fs;
use std::path::Path;

/// How good a method is on topics for which its numbers were not chosen.
#[derive(Clone, Debug)]
pub(super) struct HeldOut {
    pub(super) folds: CrossValidation,
    /// With several files of topics, chosen on all of them but one.
    pub(super) files: Option<CrossValidation>,
}

/// Numbers that were chosen, and their values on topics.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) measure: String,
    pub(super) held_out: HeldOut,
    pub(super) tried: usize,
    /// The values of the file as it stands.
    pub(super) stands: Vec<f64>,
    /// What learned weights are compared with.
    pub(super) learned: Option<Learned>,
}

/// What learned weights are compared with.
#[derive(Clone, Debug)]
pub(super) struct Learned {
    /// The values with all learned weights at 1.
    pub(super) equal: Vec<f64>,
    /// If places were selected, weights of all of them.
    pub(super) all_places: Option<HeldOut>,
    /// Trees, whose numbers are those of trees and leaves and the learning rate.
    pub(super) trees: Option<HeldOut>,
}

impl Chosen {
    /// Weights of all places, whether or not some were selected: what trees are compared with.
    pub(super) fn linear(&self) -> &HeldOut {
        let all_places = self.learned.as_ref().and_then(|learned| learned.all_places.as_ref());
        all_places.unwrap_or(&self.held_out)
    }
}

impl HeldOut {
    /// Chooses numbers in all the ways.
    pub(super) fn by(
        tune: &Tune,
        judged: &[Judged<'_>],
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
        Ok(Self { folds: by_folds, files })
    }

    /// Each topic's value by the stricter of the two ways: other files, where there are several.
    pub(super) fn values(&self) -> &[f64] {
        &self.files.as_ref().unwrap_or(&self.folds).held_out
    }
}

impl Tune {
    /// Says what was found, records it, and writes the numbers.
    pub(super) fn conclude(&self, chosen: &Chosen, index: u64) -> Result<Exit> {
        let path = ledger::path(self.ledger.as_deref(), &self.system);
        let entry = self.entry(chosen, index)?;
        let earlier = ledger::tried_before(&path, &entry);
        print(self.report(chosen, earlier).as_bytes())?;
        if let Some(folder) = &self.held_out {
            self.write_held_out(chosen, folder)?;
        }
        if let Some(path) = &self.output {
            let numbers = self.places().zip(&chosen.held_out.folds.fitted.parameters);
            let lines = numbers.map(|(place, value)| format!("{place} = {value}\n"));
            WholeFile::create(path)?.write(lines.collect::<String>().as_bytes())?;
        }
        if let Some(path) = self.output.as_deref().filter(|path| *path != Path::new("-")) {
            note(&format!("written to {}", path.display()));
        }
        ledger::append(&path, &entry)?;
        note(&format!("recorded in {}", path.display()));
        Ok(Exit::Yes)
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
        let Some(files) = &chosen.held_out.files else { return Ok(()) };
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

    fn entry(&self, chosen: &Chosen, index: u64) -> Result<Entry<'_>> {
        let Chosen { held_out: HeldOut { folds, files }, learned, .. } = chosen;
        let difference = Difference::of(chosen.held_out.values(), &chosen.stands);
        let names = |paths: &[std::path::PathBuf]| paths.iter().map(|path| ledger::named(path)).collect();
        let method = match (self.learn.is_empty(), self.select) {
            (true, _) => "search",
            (false, false) => "logistic regression over pairs",
            (false, true) => "logistic regression over pairs, places selected",
        };
        Ok(Entry {
            system: ledger::name(Path::new(&self.system)),
            system_fingerprint: ledger::fingerprint(self.text()?.as_bytes()),
            index_fingerprint: format!("{index:016x}"),
            topics: names(&self.topics),
            qrels: names(&self.qrels),
            measure: chosen.measure.clone(),
            method: method.to_owned(),
            penalties: if self.learn.is_empty() { Vec::new() } else { self.penalty.clone() },
            unjudged: self.unjudged,
            folds: self.folds,
            seed: self.seed,
            tried: chosen.tried,
            num_topics: chosen.stands.len(),
            places: self.places().map(str::to_owned).collect(),
            chosen: folds.fitted.parameters.clone(),
            training: folds.fitted.mean,
            held_out_by_folds: Held::of(folds),
            held_out_by_files: files.as_ref().map(Held::of),
            as_it_stands: mean(&chosen.stands).unwrap_or(f64::NAN),
            difference: difference.mean,
            difference_interval: difference.interval,
            conclusion: difference.conclusion,
            learned: learned.as_ref().map(|learned| self.compared(chosen, learned)),
        })
    }

    /// What the ledger keeps of the methods that learned weights are compared with.
    fn compared(&self, chosen: &Chosen, learned: &Learned) -> ledger::Compared<'_> {
        let (selected, linear) = (chosen.held_out.values(), chosen.linear().values());
        let Learned { equal, all_places, trees } = learned;
        ledger::Compared {
            equal_weights: mean(equal).unwrap_or(f64::NAN),
            linear_less_equal_weights: Difference::of(linear, equal),
            selection: all_places.as_ref().map(|all_places| ledger::Selection {
                subsets_tried: self.num_subsets(),
                kept_by_folds: self.kept_in_folds(&chosen.held_out.folds),
                kept_by_files: chosen.held_out.files.as_ref().map(|files| self.kept_in_folds(files)),
                kept: self.kept(&chosen.held_out.folds.fitted.parameters),
                all_places_held_out_by_folds: Held::of(&all_places.folds),
                all_places_held_out_by_files: all_places.files.as_ref().map(Held::of),
                selected_less_all_places: Difference::of(selected, linear),
                selected_less_equal_weights: Difference::of(selected, equal),
            }),
            trees: trees.as_ref().map(|trees| ledger::Trees {
                settings: self.trees.iter().flat_map(|grid| grid.settings()).collect(),
                pairs: self.tree_pairs,
                chosen: trees.folds.fitted.parameters.clone(),
                training: trees.folds.fitted.mean,
                held_out_by_folds: Held::of(&trees.folds),
                held_out_by_files: trees.files.as_ref().map(Held::of),
                trees_less_linear: Difference::of(trees.values(), linear),
                trees_less_equal_weights: Difference::of(trees.values(), equal),
            }),
        }
    }

    /// The places with a weight other than 0.
    pub(super) fn kept(&self, weights: &[f64]) -> Vec<&str> {
        self.places().zip(weights).filter(|(_, weight)| **weight != 0.0).map(|(place, _)| place).collect()
    }

    fn kept_in_folds(&self, found: &CrossValidation) -> Vec<Vec<&str>> {
        found.folds.iter().map(|fold| self.kept(&fold.fitted.parameters)).collect()
    }

    /// The text of the system's file.
    fn text(&self) -> Result<String> {
        crate::systems::text(&self.system).or_else(|_| crate::answers::text(&self.system))
    }
}
