//! Runs and judgments from their files.

pub(super) use crate::names::STDIN;

use super::{Eval, Ids, LabRules};
use crate::{names, nearest, run_record, warn};
use anyhow::{Context, Result, ensure};
use formats::qrels::{Qrels, Scale, TopicJudgments};
use formats::run::{Run, RunKind, RunLayout, RunRow, TopicRows};
use formats::{DocId, FormulaId, Keep, RecordedModel, Source, VisualIds, Wanted, read_visual_ids};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// A run under the name it has in tables.
pub(super) struct NamedRun {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) run: Run,
    /// The models that ranked, by the record beside the run.
    pub(super) models: Vec<RecordedModel>,
}

impl NamedRun {
    /// Whether the documents of the run are formula instances, which have visual ids.
    pub(super) fn holds_instances(&self, args: &Eval) -> bool {
        match args.ranking.ids {
            Some(ids) => ids == Ids::Instance,
            None if args.task.is_some_and(LabRules::judges_instances) => args.ranking.visual_ids.is_some(),
            None => matches!(self.run.layout(), RunLayout::Task2 | RunLayout::Task2WithoutPost),
        }
    }
}

/// A file of judgments under the name it has in tables.
#[derive(Clone)]
pub(super) struct NamedQrels {
    pub(super) name: String,
    pub(super) qrels: Qrels,
    pub(super) judges: Judges,
}

/// Whose grades judgments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judges {
    /// Those on the lab's scale.
    All,
    /// Those of one of several judges whose sum is the lab's scale.
    One,
}

/// Reads all runs, the base of a comparison and the baselines among them.
pub(super) fn runs(args: &Eval, kind: RunKind) -> Result<Vec<NamedRun>> {
    let mut paths = args.runs.clone();
    for further in args.compare.against.iter().chain(&args.compare.baselines) {
        // What is not a file is the name of a run that is given; this is looked at later.
        if further.is_file() && !paths.iter().any(|path| is_same_file(path, further)) {
            paths.push(further.clone());
        }
    }
    let mut seen = HashSet::new();
    paths.retain(|path| seen.insert(path.clone()));
    ensure!(
        !seen.contains(Path::new(STDIN)) || !args.qrels.iter().any(|path| path == Path::new(STDIN)),
        "standard input is either a run or judgments, not both"
    );
    let names = names::of_files(&paths);
    let runs = parallel::map(&paths, |path| Run::read(Source::path(path), kind));
    names
        .into_iter()
        .zip(paths)
        .zip(runs)
        .map(|((name, path), run)| {
            let run = run?;
            ensure!(run.num_rows() > 0, "{}: holds no results", run.name());
            check_marks(&run)?;
            let models = run_record::models(&path);
            Ok(NamedRun { name, path, run, models })
        })
        .collect()
}

/// The second column of a TREC run says nothing. Where it holds another number in another row
/// and the topics are those of Task 2, the file has Task 2's columns, and the documents would be
/// taken from the wrong one.
fn check_marks(run: &Run) -> Result<()> {
    let is_number = |mark: &&str| mark.bytes().all(|byte| byte.is_ascii_digit());
    let of_task2 = run.topics().all(|topic| topic.id().as_str().starts_with("B."));
    let mut rows = run.topics().flat_map(TopicRows::rows);
    let Some(first) = rows.next().and_then(RunRow::mark).filter(is_number).filter(|_| of_task2) else {
        return Ok(());
    };
    let other = |row: &RunRow<'_>| row.mark().filter(is_number).is_some_and(|mark| mark != first);
    if let Some(row) = rows.find(other) {
        anyhow::bail!(
            "{}: the second column, Q0 in TREC runs, differs from row to row as formula ids do; a run of formula \
             ids is read with --task 2 and without --ids visual",
            row.column_place(1)
        );
    }
    Ok(())
}

/// Whether two paths lead to one file, however they are written.
pub(super) fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Which of the runs is meant by a path or a name.
pub(super) fn find(runs: &[NamedRun], wanted: &Path, option: &str) -> Result<usize> {
    let by_path = runs.iter().position(|run| is_same_file(&run.path, wanted));
    let text = wanted.to_string_lossy();
    by_path.or_else(|| runs.iter().position(|run| run.name == text)).with_context(|| {
        let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
        format!("{option}: no run '{text}'; {}", nearest::suggest(&text, &names))
    })
}

/// Reads all judgments; NTCIR's judges are followed by their sum if there are several.
pub(super) fn qrels(args: &Eval) -> Result<Vec<NamedQrels>> {
    let ntcir = args.task.is_some_and(LabRules::judges_instances);
    let mut sets = Vec::new();
    for (path, name) in args.qrels.iter().zip(names::of_files(&args.qrels)) {
        let qrels = match args.task {
            Some(LabRules::One | LabRules::Two) => crate::judged::read_coded(path)?,
            _ => {
                let (qrels, notes) =
                    Qrels::read(Source::path(path), if ntcir { Scale::Ntcir } else { Scale::Plain })?;
                if !notes.is_empty() {
                    warn(&notes.to_string());
                }
                qrels
            }
        };
        check_grades(args, &qrels)?;
        sets.push(NamedQrels { name, qrels, judges: Judges::All });
    }
    if ntcir && sets.len() > 1 {
        let judges: Vec<Qrels> = sets.iter().map(|set| set.qrels.clone()).collect();
        let (sum, partial) = Qrels::sum(&judges)?;
        if partial > 0 {
            warn(&format!(
                "{partial} documents were not seen by every judge; they count 0 for those who did not"
            ));
        }
        sets.iter_mut().for_each(|set| set.judges = Judges::One);
        sets.insert(0, NamedQrels { name: "aggregate".to_owned(), qrels: sum, judges: Judges::All });
    }
    Ok(sets)
}

/// A grade that the lab does not have may be a code, or the judgments those of another lab.
fn check_grades(args: &Eval, qrels: &Qrels) -> Result<()> {
    let (lab, highest) = match args.task {
        Some(LabRules::One | LabRules::Two) | None => ("ARQMath", 3),
        Some(LabRules::Ntcir10 | LabRules::Ntcir12) => ("NTCIR", 4),
        Some(_) => return Ok(()),
    };
    let mut rows = qrels.topics().flat_map(TopicJudgments::rows);
    let Some(row) = rows.find(|row| row.judgment().grade().is_some_and(|grade| grade > highest)) else {
        return Ok(());
    };
    let grade = row.judgment().grade().unwrap_or_default();
    let message = format!("{}: the grade {grade} is above {highest}, the highest of {lab}", row.place());
    ensure!(args.task.is_none(), "{message}; leave out what could not be judged");
    if args.measures.is_empty() {
        warn(&message);
    }
    Ok(())
}

/// Reads the visual ids of the formulas that the runs (and, if they are by
/// instance, the judgments) name; `None` when none are needed.
pub(super) fn visual_ids(
    args: &Eval,
    runs: &[NamedRun],
    sets: &mut [NamedQrels],
) -> Result<Option<VisualIds>> {
    let by_instance = args.qrels_ids() == Ids::Instance;
    let mut of_instances = runs.iter().filter(|run| run.holds_instances(args)).peekable();
    let Some(table) = &args.ranking.visual_ids else {
        ensure!(
            args.ranking.qrels_ids != Some(Ids::Instance) || args.ranking.ids == Some(Ids::Instance),
            "--qrels-ids instance needs --visual-ids, or --ids instance to score instances as they are"
        );
        if args.task == Some(LabRules::Two)
            && args.ranking.ids.is_none()
            && let Some(run) = of_instances.next()
        {
            anyhow::bail!(
                "{}: a run of formula ids needs --visual-ids TABLE, or --ids instance to score instances as they \
                 are; if the documents are visual ids, say --ids visual",
                run.run.name()
            );
        }
        return Ok(None);
    };
    ensure!(
        by_instance || of_instances.peek().is_some(),
        "--visual-ids has no effect: the documents of TREC runs are visual ids already, unless --ids instance \
         says otherwise"
    );
    let id = |doc: DocId<'_>| FormulaId::from(doc.as_str());
    let mut wanted: HashSet<FormulaId> = HashSet::new();
    for run in of_instances {
        wanted.extend(run.run.topics().flat_map(|topic| topic.rows().map(|row| id(row.doc()))));
    }
    if by_instance {
        for set in sets.iter() {
            wanted.extend(set.qrels.topics().flat_map(|topic| topic.rows().map(|row| id(row.doc()))));
        }
    }
    let ids = read_visual_ids(table, Wanted::Only(&wanted), Keep::VisualIds)?;
    ensure!(!ids.is_empty(), "{}: holds none of the formulas of runs and judgments", table.display());
    if by_instance {
        for set in sets {
            let (qrels, without) = set
                .qrels
                .by_visual_id(|doc| ids.get(doc.as_str()).map(ToString::to_string))
                .with_context(|| format!("{}: no judged formula is in {}", set.name, table.display()))?;
            if without > 0 {
                warn(&format!("{}: {without} judged formulas have no visual id and do not count", set.name));
            }
            set.qrels = qrels;
        }
    }
    Ok(Some(ids))
}
