//! `hypatia sample`: something to try everything on.

use crate::output::{self, OutputFolder, WholeFile};
use crate::{Exit, Run};
use anyhow::{Context, Result};
use clap::Args;
use ingest::{Plan, Strictness, Unwatched, files};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use store::Collection;

/// The judgments that are only known when the collection is built.
const TASK2: &str = "qrels/task2.qrels";

const LONG_ABOUT: &str = "\
Writes a small collection with topics and judgments, so that everything can be tried without \
a download. It was written for this program: about 230 questions with 500 answers on analysis, \
algebra, discrete mathematics, geometry and first courses, 20 topics, and a reason for each judgment.

In the folder there are then:
  threads/                 questions, answers and comments in Markdown, one file a subject
  topics/Topics_Task1.xml  questions to be answered, as ARQMath has them; also for Task 3
  topics/Topics_Task2.xml  formulas to be found
  topics/Topics_Formulas_* all formulas of the topics as LaTeX, Presentation and Content MathML
  topics/topic_labels_*    type, difficulty, dependence, complexity and a known duplicate
  qrels/                   judgments for evaluation: answers by id, formulas by visual id
  judgments/               the same with reasons; formulas as they are typed

Files of an earlier sample are replaced; files that this command did not write stay, unless --force is given.";

const EXAMPLES: &str = "\
Examples:
  hypatia sample -o sample                                    write it
  hypatia collection build sample/threads -o sample.coll      make a collection of it
  hypatia eval run.tsv --qrels sample/qrels/task1.qrels --task 1
  hypatia sample -o notes --force                             replace files of the same names";

/// Write a small collection with topics and judgments to try things on
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Sample {
    /// The folder to write to; made if need be
    #[arg(short = 'o', long = "output", value_name = "DIR")]
    output: PathBuf,

    /// Replace files of the same names, even if this command did not write them
    #[arg(long)]
    force: bool,
}

impl Run for Sample {
    fn run(self) -> Result<Exit> {
        let files = sample::files().context("the sample")?;
        let folder = OutputFolder::open(&self.output, "sample")?;
        let names = || files.iter().map(|file| file.path.as_str()).chain([TASK2]);
        if !self.force {
            folder.ensure_own(names())?;
        }
        for file in &files {
            let path = self.output.join(&file.path);
            let folder = path.parent().unwrap_or(Path::new(""));
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            WholeFile::create_beside(&path)?.write(file.text.as_bytes())?;
        }
        let task2 = self.output.join(TASK2);
        WholeFile::create_beside(&task2)?.write(judge_formulas(&self.output)?.as_bytes())?;
        folder.finish(names())?;
        output::note(&format!("{} files in {}", files.len() + 1, self.output.display()));
        Ok(Exit::Yes)
    }
}

/// The judgments of formulas by visual id, from a collection of the threads in the folder that is
/// built and thrown away.
fn judge_formulas(folder: &Path) -> Result<String> {
    let path = folder.join(format!(".sample.{}.tmp", std::process::id()));
    let qrels = build(&folder.join("threads"), &path).and_then(|()| {
        let collection = Collection::open(&path)?;
        Ok(sample::qrels_task2(&collection)?)
    });
    // It is in nobody's way; what matters is whether the judgments are there.
    let _ = fs::remove_file(&path);
    qrels.context("the collection of the sample")
}

/// Builds a collection of our threads, whatever else lies beside them.
fn build(threads: &Path, target: &Path) -> Result<()> {
    let ours = |input: &files::Input| sample::threads().iter().any(|part| part.name == input.relative());
    let name = threads.display().to_string();
    let inputs = files::list(threads).with_context(|| name.clone())?;
    let plan = Plan::new(inputs.into_iter().filter(ours).collect(), &name)?;
    ingest::build(&plan, target, Strictness::Strict, &AtomicU64::new(0), &mut Unwatched)?;
    Ok(())
}
