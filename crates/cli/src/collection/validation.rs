//! `hypatia collection validation`: topics whose relevant items the collection itself knows

use crate::output::{self, OutputFolder, WholeFile};
use crate::{Exit, Run};
use anyhow::{Context, Result};
use clap::Args;
use figures::table::{Cell, Colour, Column, Row, Table};
use std::fs;
use std::path::{Path, PathBuf};
use store::Collection;
use topics::validation::{Kind, Request, SEARCHED, Set, make};

const LONG_ABOUT: &str = "\
Makes validation sets: topics with relevance judgments that come from the collection itself, so that \
there are thousands of them. Each kind hides a link in a copy of the collection, searched.coll, and asks \
systems to find it again:

  answers   A question must find its own answers by their text. All questions leave the collection; \
answers stay, without their question.
  links     A question must find answers to questions linked with it; as duplicates with grade 3, \
otherwise 2. Its thread leaves the collection, as do references to it in other posts and comments.
  titles    A title alone must find its thread. These questions lose their title, at most one in five.
  formulas  A formula (Task 2) must be found after one change: variables renamed, typed in another way \
that looks the same, two operands swapped, or one side of a relation alone. Relevant are the formula, \
formulas that look like the query, and for renamings all that are the same but for names. The collection \
to search is the original.

Each kind is a subfolder with Topics_Task1.xml and task1.qrels (for formulas Topics_Task2.xml and \
task2.qrels, by visual id), topic_info.tsv, which says where each topic comes from and what was done, \
and searched.coll. The same options and seed give the same files.

Only relevant items are known. Measures that leave out unjudged items, such as nDCG', are always 1 \
then: use nDCG@1000, AP or RR.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection validation math.coll -o validation/
  hypatia collection validation math.coll -o validation/ --kinds answers,links --count 5000 --seed 7
  hypatia index validation/answers/searched.coll -o answers.index
  hypatia compare --systems bm25,hypatia-classic-1 --index answers.index -m 'nDCG@1000,AP,RR' \\
      --topics validation/answers/Topics_Task1.xml --qrels validation/answers/task1.qrels";

const COMMAND: &str = "collection validation";

/// Make validation sets: topics whose relevant items are known from the collection
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Validation {
    /// The collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    /// The folder for the sets, one subfolder per kind; created if missing
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Kinds of sets, separated by commas: answers, links, titles, formulas [default: all]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = kind)]
    kinds: Vec<Kind>,

    /// Maximum number of topics per kind
    #[arg(long, value_name = "N", default_value_t = 1000)]
    count: usize,

    /// Random seed for the choice of topics and changes
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Replace files of the same names, even if this command did not write them
    #[arg(long)]
    force: bool,
}

fn kind(text: &str) -> Result<Kind, String> {
    Kind::from_name(text.trim())
        .ok_or_else(|| format!("expected one of {}", Kind::ALL.map(Kind::name).join(", ")))
}

impl Run for Validation {
    fn run(self) -> Result<Exit> {
        let mut kinds = if self.kinds.is_empty() { Kind::ALL.to_vec() } else { self.kinds.clone() };
        kinds.sort_unstable();
        kinds.dedup();
        let output = OutputFolder::open(&self.output, COMMAND)?;
        let names: Vec<String> = kinds.iter().flat_map(|kind| names_of(*kind)).collect();
        if !self.force {
            output.ensure_own(names.iter().map(String::as_str))?;
        }
        let searched = names.iter().map(|name| self.output.join(name));
        for path in searched {
            output::ensure_apart(&path, [self.collection.as_path()])?;
        }
        let collection = Collection::open_whole(&self.collection)?;
        let request = Request { count: self.count, seed: self.seed };
        let mut sets = Vec::new();
        for kind in &kinds {
            match make(&collection, *kind, &request)? {
                Some(set) => sets.push(set),
                None => output::note(&format!("{kind}: {}; skipped", why_none(*kind))),
            }
        }
        if sets.is_empty() {
            output::note("no validation sets, so nothing was written");
            return Ok(Exit::No);
        }
        for set in &sets {
            write(&collection, set, &self.output.join(set.kind.name()))?;
        }
        // Sets of other kinds that were made before are still this command's.
        let earlier = output.own_files().into_iter().filter_map(|path| {
            path.strip_prefix(&self.output).ok().map(|name| name.to_string_lossy().into_owned())
        });
        let mut all: Vec<String> = earlier.collect();
        all.extend(sets.iter().flat_map(|set| names_of(set.kind)));
        all.sort_unstable();
        all.dedup();
        output.finish(all.iter().map(String::as_str))?;
        output::print(summary(&sets).as_bytes())?;
        Ok(Exit::Yes)
    }
}

/// The files of a kind, as seen from the folder.
fn names_of(kind: Kind) -> Vec<String> {
    kind.file_names().iter().map(|name| format!("{kind}/{name}")).collect()
}

fn why_none(kind: Kind) -> &'static str {
    match kind {
        Kind::Answers => "no question has an answer",
        Kind::Links => "no question is linked with another one that has an answer",
        Kind::Titles => "fewer than five questions, or none with a title and an answer",
        Kind::Formulas => "no formula of 5 to 100 symbols in a question or answer can be changed",
    }
}

fn write(collection: &Collection, set: &Set, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    set.write_searched(collection, &folder.join(SEARCHED))?;
    for (name, text) in &set.files {
        WholeFile::create_beside(&folder.join(name))?.write(text.as_bytes())?;
    }
    Ok(())
}

fn summary(sets: &[Set]) -> String {
    let columns = ["topics", "relevant items", "posts left out", "titles left out"];
    let row = |set: &Set| {
        let counts = [set.topics, set.relevant, set.posts_left_out(), set.titles_left_out()];
        let counts = counts.map(|count| Cell::number(count as f64, 0));
        Row::Cells([Cell::text(set.kind.name())].into_iter().chain(counts).collect())
    };
    let table = Table {
        columns: [Column::left("kind")].into_iter().chain(columns.map(Column::right)).collect(),
        rows: sets.iter().map(row).collect(),
        ..Table::default()
    };
    table.to_text(Colour::Off)
}
