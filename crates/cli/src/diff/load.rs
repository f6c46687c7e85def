//! Two runs and their judgments from their files, and the rules for ranking them.

use super::{Diff, Task};
use crate::warn;
use anyhow::{Result, ensure};
use eval::{Pipeline, Preset, VisualIdLookup};
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};
use formats::{DocId, FormulaId, Keep, Source, VisualIds, Wanted, read_visual_ids};
use std::collections::HashSet;

/// What was read.
pub(super) struct Loaded {
    pub(super) runs: [Run; 2],
    pub(super) qrels: Option<Qrels>,
    pub(super) visual_ids: Option<VisualIds>,
}

/// Reads all files that the arguments name.
pub(super) fn read(args: &Diff) -> Result<Loaded> {
    let formulas = args.task == Some(Task::Two) || args.visual_ids.is_some();
    let kind = if formulas { RunKind::Formulas } else { RunKind::Documents };
    let paths = [&args.left, &args.right];
    let inputs = paths.into_iter().chain(&args.qrels).filter(|path| path.as_os_str() == "-").count();
    ensure!(inputs < 2, "standard input can be read once");
    let mut runs = parallel::map(&paths, |path| Run::read(Source::path(path), kind)).into_iter();
    let mut next = || -> Result<Run> {
        let run = runs.next().expect("there is a result for every path")?;
        ensure!(run.num_rows() > 0, "{}: holds no results", run.name());
        Ok(run)
    };
    let runs = [next()?, next()?];
    let qrels = args.qrels.as_ref().map(|path| Qrels::read(Source::path(path), Scale::Plain)).transpose()?;
    let qrels = qrels.map(|(qrels, notes)| {
        if !notes.is_empty() {
            warn(&notes.to_string());
        }
        qrels
    });
    let visual_ids = visual_ids(args, &runs)?;
    Ok(Loaded { runs, qrels, visual_ids })
}

/// The visual ids of the formulas of both runs, if a table of them is given.
fn visual_ids(args: &Diff, runs: &[Run; 2]) -> Result<Option<VisualIds>> {
    let Some(table) = &args.visual_ids else { return Ok(None) };
    ensure!(args.task != Some(Task::One), "--visual-ids has no effect on Task 1, which is about answers");
    let rows = runs.iter().flat_map(Run::topics).flat_map(|topic| topic.rows());
    let wanted: HashSet<FormulaId> = rows.map(|row| FormulaId::from(row.doc().as_str())).collect();
    let ids = read_visual_ids(table, Wanted::Only(&wanted), Keep::VisualIds)?;
    ensure!(!ids.is_empty(), "{}: holds none of the formulas of the runs", table.display());
    Ok(Some(ids))
}

/// The rules by which rows become a ranking.
pub(super) fn pipeline<'a>(args: &Diff, table: Option<&'a Table<'a>>) -> Pipeline<'a> {
    let preset = args.task.map(|task| match task {
        Task::One => Preset::Task1,
        Task::Two => Preset::Task2,
    });
    Pipeline {
        width: args.score_bits.width(),
        duplicates: args.duplicates.rule(),
        visual_ids: table.map(|table| table as &dyn VisualIdLookup),
        depth: args.depth.map(|depth| depth as usize).or_else(|| preset.and_then(Preset::depth)),
    }
}

/// A table of visual ids as the pipeline asks for it.
pub(super) struct Table<'a>(pub(super) &'a VisualIds);

impl VisualIdLookup for Table<'_> {
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>> {
        self.0.get(formula.as_str()).map(|id| DocId(id.as_str()))
    }
}
