//! `hypatia collection info`: how much of what is in a collection

use crate::output::{self, WholeFile};
use crate::progress::Progress;
use crate::{Exit, Run};
use anyhow::{Context, Result};
use census::{Census, Sheet};
use clap::{Args, ValueEnum};
use figures::table::{Colour, Table};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use store::Collection;

const LONG_ABOUT: &str = "\
Prints the statistics of a collection: first plain counts, a name and a number a line, at \
once; then what a paper about a test collection shows, for which all of it is read, on all \
cores.

The tables: posts, answers per question, links, tags and dates; how words, formulas, scores \
and the sizes of formulas are spread; where formulas stand, how many are distinct, cannot be \
read or came without MathML; their kinds; the most frequent ones; where our key of a \
formula's look and the given visual ids disagree, with examples; what was wrong with the \
files it was built from; these files with their sizes.

A form is a distinct way in which formulas are written and given: LaTeX, MathML and visual \
id. Sizes are those of our layout trees. A word is what stands between blanks and has a \
letter or digit; formulas are left out. Quartiles between two values lie in proportion.

Kinds of formulas, by the first rule that holds: empty (nothing is to be seen), number (one \
number), symbol (one other symbol, word or name), table (two rows or more, anywhere), \
equation (= on the main baseline), relation (another relation or an arrow there), \
expression (all others).

--format json prints an object: the plain counts under the same names, 'bytes', \
'input_bytes', 'ratio', 'inputs', 'sections', 'dirt', 'repairs', 'passed_over', 'program', \
'source', and under 'survey' what was scanned ('posts', 'formulas', 'looks').";

const EXAMPLES: &str = "\
Examples:
  hypatia collection info math.coll                     all tables
  hypatia collection info math.coll --quick             only what needs no reading
  hypatia collection info math.coll --format latex -o statistics.tex
  hypatia collection info math.coll --format html -o math.html --plots plots/
  hypatia collection info math.coll --format json | jq .survey.formulas.kinds
  hypatia collection info math.coll --quick | awk '$1 == \"answers\" {print $2}'";

/// Print how much of what is in a collection
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Info {
    /// The collection
    collection: PathBuf,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,

    /// Print only what needs no reading
    #[arg(long)]
    quick: bool,

    /// Write charts of distributions into this folder, as SVG; made if need be
    #[arg(long, value_name = "DIR", conflicts_with = "quick")]
    plots: Option<PathBuf>,

    /// Where to write; '-' for standard output
    #[arg(short = 'o', long = "output", value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain counts, then aligned tables
    Text,
    /// Pipe tables
    Markdown,
    /// Tables with the rules of the booktabs package
    Latex,
    /// An object
    Json,
    /// A page with tables and charts
    Html,
}

impl Run for Info {
    fn run(self) -> Result<Exit> {
        let collection = Collection::open(&self.collection)?;
        let file = WholeFile::create(&self.output)?;
        if let Some(dir) = &self.plots {
            fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
        }
        let mut sheet = Sheet { collection: &collection, census: None };
        let mut text = String::new();
        if self.format == Format::Text {
            text = sheet.plain();
            // Counts are there before the reading begins.
            if self.output == Path::new("-") {
                output::print(text.as_bytes())?;
                text.clear();
            }
        }
        let census = if self.quick {
            None
        } else {
            collection.check()?;
            Some(take(&collection)?)
        };
        sheet.census = census.as_ref();
        match self.format {
            Format::Text => {
                // The plain counts are a table already.
                let skipped = usize::from(self.quick);
                for table in sheet.tables().iter().skip(skipped) {
                    text.push_str(&format!("\n{}", table.to_text(Colour::Off)));
                }
            }
            Format::Markdown => text = joined(&sheet, Table::to_markdown),
            Format::Latex => {
                text = format!("% \\usepackage{{booktabs}}\n\n{}", joined(&sheet, Table::to_latex));
            }
            Format::Json => {
                text = serde_json::to_string_pretty(&sheet.to_json()).context("writing JSON")?;
                text.push('\n');
            }
            Format::Html => text = sheet.page(&title(&self.collection)).to_html(),
        }
        if let Some(dir) = &self.plots {
            for chart in sheet.charts() {
                let path = dir.join(format!("{}.svg", chart.file));
                WholeFile::create_beside(&path)?.write(chart.svg.as_bytes())?;
            }
        }
        file.write(text.as_bytes())?;
        Ok(Exit::Yes)
    }
}

/// Reads all of it, with a bar.
fn take(collection: &Collection) -> Result<Census> {
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let size = collection.size();
    let bar = Mutex::new((Progress::items(size), 0));
    let tell = |done: u64, total: u64| {
        let bytes = (u128::from(size) * u128::from(done) / u128::from(total.max(1))) as u64;
        let (progress, told) = &mut *bar.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads tell what they know at different times.
        if bytes > *told {
            progress.advance(bytes - *told);
            *told = bytes;
        }
    };
    Ok(Census::take(collection, cores, &tell)?)
}

fn joined(sheet: &Sheet<'_>, print: fn(&Table) -> String) -> String {
    let tables: Vec<String> = sheet.tables().iter().map(print).collect();
    tables.join("\n")
}

fn title(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}
