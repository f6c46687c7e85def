//! `hypatia lab judgments`: what assessors said, in and out.

use super::counted;
use crate::output::{WholeFile, note};
use crate::{Exit, Run, warn};
use ::formats::{Assessment, Place, Source, write_assessments};
use anyhow::{Result, bail, ensure};
use clap::Args;
use lab::judgments::{ImportOptions, Unpooled};
use lab::{Error, Lab, Stage};
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Takes judgments from tables into the log of a lab, or writes the log as a table. The log is only \
added to: a later row of the same assessor for the same thing takes the place of an earlier one, and \
both stay. Importing a table twice adds nothing.

A table has a header and the columns topic, item, assessor and verdict; instance (of a formula), \
seconds, comment, stage and at (when) may be there. Verdicts are grades of the lab by number or name, \
failure (the item could not be shown) or unknown (the assessor cannot tell); these two should have a \
comment. Stages are main, adjudication (what an adjudicator decided), cross-check (judged again by \
another) and training-1, training-2, …

After judging, assessors may say of written answers whether they look machine-made and whether they hold \
unrelated things: --flags takes a table with topic, answer, MG and UI (1, 0 or blank).

All rows must fit the lab: topics of the set, items of its pool, instances that were shown, grades of \
its scale. If one does not, every such row is listed and none is taken.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab judgments mylab --import ada.tsv --import bob.tsv
  hypatia lab judgments mylab --import again.tsv --stage cross-check
  hypatia lab judgments mylab --import old.tsv --set 2021 --unpooled
  hypatia lab judgments mylab --flags machine-made.tsv
  hypatia lab judgments mylab --export log.tsv";

/// Take judgments from tables, or write them
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Judgments {
    /// The folder of the lab
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// A table to take; may be given several times
    #[arg(long, value_name = "FILE", required_unless_present_any = ["export", "flags"])]
    import: Vec<PathBuf>,

    /// A table of what was asked about written answers after judging; may be given several times
    #[arg(long, value_name = "FILE")]
    flags: Vec<PathBuf>,

    /// Where the whole log goes; - for standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["import", "flags"])]
    export: Option<PathBuf>,

    /// The set of topics [default: the one that is judged now]
    #[arg(long, value_name = "SET")]
    set: Option<String>,

    /// What rows are for that do not say so [default: main]
    #[arg(long, value_name = "STAGE", value_parser = stage)]
    stage: Option<Stage>,

    /// Take judgments of items that are in no pool, as those of an earlier lab
    #[arg(long)]
    unpooled: bool,
}

fn stage(text: &str) -> Result<Stage, String> {
    Stage::read(text)
        .ok_or_else(|| "expected main, adjudication, cross-check or training-1, training-2, …".to_owned())
}

impl Run for Judgments {
    fn run(self) -> Result<Exit> {
        if let Some(path) = &self.export {
            ensure!(
                self.stage.is_none() && !self.unpooled,
                "--stage and --unpooled have no effect on --export"
            );
            return self.write(&super::open_to_read(&self.folder)?, WholeFile::create_private(path)?);
        }
        let mut lab = super::open(&self.folder)?;
        let options = ImportOptions {
            set: self.set.clone(),
            stage: self.stage.unwrap_or(Stage::Main),
            unpooled: if self.unpooled { Unpooled::Take } else { Unpooled::Refuse },
        };
        for path in &self.import {
            match lab.import_judgments(Source::path(path), &options) {
                Ok(done) => {
                    let known =
                        if done.known > 0 { format!(", {} known before", done.known) } else { String::new() };
                    note(&format!(
                        "{}: {} added{known}",
                        path.display(),
                        counted(done.added, "judgment", "judgments")
                    ));
                    if done.uncommented > 0 {
                        let codes = counted(done.uncommented, "code has", "codes have");
                        warn(&format!("{}: {codes} no comment", path.display()));
                    }
                }
                Err(error) => return refuse(&path.display().to_string(), error),
            }
        }
        for path in &self.flags {
            match lab.import_flags(Source::path(path), self.set.as_deref(), "organiser") {
                Ok(added) => {
                    note(&format!("{}: {} added", path.display(), counted(added, "remark", "remarks")));
                }
                Err(error) => return refuse(&path.display().to_string(), error),
            }
        }
        Ok(Exit::Yes)
    }
}

/// Tells all rows that do not fit, and gives up.
fn refuse(file: &str, error: Error) -> Result<Exit> {
    let Error::Rows(problems) = error else { return Err(error.into()) };
    for problem in &problems {
        note(problem);
    }
    bail!("{file}: {} and nothing was taken", counted(problems.len(), "row does not fit", "rows do not fit"));
}

impl Judgments {
    fn write(&self, lab: &Lab, output: WholeFile) -> Result<Exit> {
        let set = lab.manifest().set(self.set.as_deref())?.name.clone();
        let mut rows = Vec::new();
        for kind in lab.manifest().pool_kinds() {
            rows.extend(lab.judgment_log(kind, &set)?);
        }
        rows.sort_by_key(|row| row.number);
        let rows: Vec<Assessment> = rows
            .into_iter()
            .map(|row| Assessment {
                place: Place { file: String::new(), line: 0, column: None },
                topic: row.said.topic,
                item: row.said.item,
                instance: row.said.instance,
                assessor: row.said.assessor,
                verdict: row.said.verdict.to_string(),
                seconds: row.said.seconds,
                comment: row.said.comment,
                stage: Some(row.said.stage.to_string()),
                at: row.said.at,
            })
            .collect();
        output.write(write_assessments(&rows).as_bytes())?;
        Ok(Exit::Yes)
    }
}
