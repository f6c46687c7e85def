//! The report of a tuning run, as text.

use super::Tune;
use super::ledger::{self, Earlier};
use super::protocol::{Chosen, HeldOut, Learned};
use crate::lab::counted;
use ::figures::table::{Cell, Colour, Column, Row, Table};
use ::fuse::tune::{CrossValidation, Fitted};
use stats::gain::Difference;
use stats::summary::{Interval, mean, t_interval};
use std::fmt::Write as _;

impl Tune {
    pub(super) fn report(&self, chosen: &Chosen, earlier: Earlier) -> String {
        let mut lines = Lines(self.table(chosen).to_text(Colour::Off));
        lines.0.push('\n');
        if self.select {
            self.say_kept(&mut lines, &chosen.held_out);
        }
        lines.held_out("Held out", &chosen.held_out);
        if let Some(Learned { all_places, trees, .. }) = &chosen.learned {
            all_places.iter().for_each(|held_out| lines.held_out("All places", held_out));
            trees.iter().for_each(|held_out| lines.held_out("Trees", held_out));
        }
        lines.values("The file as it stands:", &chosen.stands, "");
        if let Some(Learned { equal, .. }) = &chosen.learned {
            lines.values("All weights at 1:", equal, "");
        }
        let (held_out, linear) = (chosen.held_out.values(), chosen.linear().values());
        lines.difference("Held out less as it stands:", held_out, &chosen.stands);
        if let Some(Learned { equal, all_places, trees }) = &chosen.learned {
            if all_places.is_some() {
                lines.difference("Selected less all places:", held_out, linear);
                lines.difference("Selected less equal weights:", held_out, equal);
            }
            lines.difference("Linear less equal weights:", linear, equal);
            if let Some(trees) = trees {
                lines.difference("Trees less linear:", trees.values(), linear);
                lines.difference("Trees less equal weights:", trees.values(), equal);
                self.say_settings(&mut lines, trees);
            }
        }
        if earlier.runs > 0 {
            let Earlier { runs, tried } = earlier;
            lines.add(format_args!(
                "Earlier runs in the ledger on these topics: {runs}, with {tried} settings"
            ));
        }
        lines.0
    }

    /// The numbers that were chosen without each fold and file, and on all topics.
    fn table(&self, chosen: &Chosen) -> Table {
        let Chosen { measure, held_out: HeldOut { folds, files }, stands, .. } = chosen;
        let topics = stands.len();
        let mut columns = vec![Column::left("Fold"), Column::right("topics")];
        columns.extend(self.places().map(Column::right));
        columns.extend([Column::right("training"), Column::right("held out")]);
        let number = |value: &f64| match value {
            0.0 if self.select => "–".to_owned(),
            _ => format!("{value}"),
        };
        let row = |name: String, topics: usize, fitted: &Fitted, held_out: f64| {
            let mut cells = vec![Cell::text(name), Cell::text(topics.to_string())];
            cells.extend(fitted.parameters.iter().map(|value| Cell::text(number(value))));
            cells.extend([Cell::number(fitted.mean, 4), Cell::number(held_out, 4)]);
            Row::Cells(cells)
        };
        let rows_of = |found: &CrossValidation, names: Vec<String>| -> Vec<Row> {
            let folds = names.into_iter().zip(&found.folds);
            folds.map(|(name, fold)| row(name, fold.topics.len(), &fold.fitted, fold.held_out_mean)).collect()
        };
        let mut rows = rows_of(folds, numbered(folds));
        if let Some(files) = files {
            rows.push(Row::Rule);
            rows.extend(rows_of(files, self.file_names()));
        }
        rows.push(Row::Rule);
        rows.push(row("all".to_owned(), topics, &folds.fitted, folds.held_out_mean));
        let caption = format!(
            "{measure} of {} over {topics} topics with something relevant; {}, seed {}",
            self.system,
            self.effort(chosen.tried),
            self.seed
        );
        Table { caption: vec![caption], columns, rows, ..Table::default() }
    }

    /// How much was tried.
    fn effort(&self, tried: usize) -> String {
        if self.learn.is_empty() {
            return format!("{tried} settings tried");
        }
        let penalties = counted(self.penalty.len(), "penalty", "penalties");
        let mut text = format!("weights learned by logistic regression over pairs, {penalties} tried");
        if self.select {
            let subsets = self.num_subsets();
            let _ = write!(text, ", {subsets} subsets of places tried for each set of training topics");
        }
        if let Some(grid) = &self.trees {
            let settings = counted(grid.num_settings(), "setting", "settings");
            let _ = write!(text, ", {settings} of trees tried");
        }
        text
    }

    /// The places that were kept without each fold and file, and on all topics.
    fn say_kept(&self, lines: &mut Lines, HeldOut { folds, files }: &HeldOut) {
        let mut say = |name: &str, fitted: &Fitted| {
            let kept = self.kept(&fitted.parameters);
            let count = format!("{} of {}", kept.len(), self.learn.len());
            lines.add(format_args!("Kept, {name}: {count}: {}", kept.join(", ")));
        };
        for (name, fold) in numbered(folds).iter().zip(&folds.folds) {
            say(&format!("without fold {name}"), &fold.fitted);
        }
        for (name, fold) in self.file_names().iter().zip(files.iter().flat_map(|files| &files.folds)) {
            say(&format!("without {name}"), &fold.fitted);
        }
        say("all topics", &folds.fitted);
        lines.0.push('\n');
    }

    /// The settings of trees that were chosen without each fold and file.
    fn say_settings(&self, lines: &mut Lines, HeldOut { folds, files }: &HeldOut) {
        let settings = |found: &CrossValidation| {
            let setting = |fitted: &Fitted| {
                let numbers: Vec<String> =
                    fitted.parameters.iter().map(|number| format!("{number}")).collect();
                numbers.join("x")
            };
            found.folds.iter().map(|fold| setting(&fold.fitted)).collect::<Vec<_>>().join(", ")
        };
        let mut say = |what: &str, found: &CrossValidation| {
            lines.add(format_args!("{:<32}{}", format!("Trees chosen, {what}:"), settings(found)));
        };
        say("other folds", folds);
        files.iter().for_each(|files| say("other files", files));
    }

    fn file_names(&self) -> Vec<String> {
        self.topics.iter().map(|path| ledger::name(path)).collect()
    }
}

/// The numbers of folds, from 1.
fn numbered(found: &CrossValidation) -> Vec<String> {
    (1..=found.folds.len()).map(|number| number.to_string()).collect()
}

/// Lines of text.
struct Lines(String);

impl Lines {
    fn add(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "{line}");
    }

    /// The held-out means of a method, and those where it was chosen.
    fn held_out(&mut self, what: &str, HeldOut { folds, files }: &HeldOut) {
        let mut say = |how: &str, found: &CrossValidation| {
            let sum: f64 = found.folds.iter().map(|fold| fold.fitted.mean).sum();
            let training = sum / found.folds.len() as f64;
            let gap = training - found.held_out_mean;
            let more = format!("; {training:.4} where chosen, a gap of {gap:.4}");
            self.values(&format!("{what}, {how}:"), &found.held_out, &more);
        };
        say("other folds", folds);
        files.iter().for_each(|files| say("other files", files));
    }

    fn values(&mut self, what: &str, values: &[f64], more: &str) {
        let mean = mean(values).unwrap_or(f64::NAN);
        self.add(format_args!("{what:<32}{mean:.4}{}{more}", within(t_interval(values, 0.95).ok())));
    }

    fn difference(&mut self, what: &str, left: &[f64], right: &[f64]) {
        let Difference { mean, interval, conclusion } = Difference::of(left, right);
        self.add(format_args!("{what:<32}{mean:+.4}{}: {conclusion}", within(interval)));
    }
}

fn within(interval: Option<Interval>) -> String {
    interval.map_or_else(String::new, |Interval { low, high }| format!(" ({low:.4} to {high:.4})"))
}
