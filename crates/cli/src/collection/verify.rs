//! `hypatia collection verify`: is a collection as it was written, and what should be mended?

use crate::output::{self, push_row};
use crate::{Exit, Run, relevance};
use anyhow::{Context, Result};
use clap::Args;
use figures::table::{Cell, Colour, Column, Row, Table};
use repair::{Change, ChangeKind, Counts};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use store::Collection;

const LONG_ABOUT: &str = "\
Reads all of a collection, compares checksums, and looks for what ARQMath's collection had to \
be repaired for:

  - given Presentation or Content MathML that is wrong beside its LaTeX: that of another formula \
(the looks differ, and no more than half of the symbols are common to both; where a single symbol \
differs, only if alttext names another formula), made of LaTeX with its escapes, or with an error \
of LaTeXML where the LaTeX can be read;
  - formulas between dollars that have no span, in collections whose formulas have spans;
  - rows of formula tables that stand in no text;
  - visual ids that hold several looks. By ARQMath-3's rule the look with most formulas keeps \
the id; of several as large the one with the largest sum of grades in the judgments that --relevance \
names, then the one with the lowest formula id. Every other look joins the visual id that has it, else \
gets a new one. `hypatia formula cluster --recluster` does the same with a table.

With --repair a collection without these is written: wrong MathML is taken out, formulas \
are wrapped and get ids of ours, rows carry the mark d, visual ids are adjusted and the old \
ones kept beside them. --changes lists every change.

The program leaves with 0 when nothing is to be mended or all was, with 1 when something \
is to be mended, and with 2 when the collection is damaged.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection verify math.coll
  hypatia collection verify math.coll --changes changes.tsv
  hypatia collection verify math.coll --repair -o repaired.coll --changes changes.tsv
  hypatia collection verify math.coll --repair -o repaired.coll --relevance grades_of_formulas.qrels
  hypatia collection verify math.coll --repair           in its place, whole or not at all";

/// Find and mend what is wrong with a collection
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Verify {
    /// The collection
    collection: PathBuf,

    /// Write a repaired collection
    #[arg(long)]
    repair: bool,

    /// Where the repaired collection goes, instead of its own place
    #[arg(short, long, value_name = "COLLECTION", requires = "repair")]
    output: Option<PathBuf>,

    /// Judgments in TREC form that decide between looks as large: topic, iteration, formula id (not
    /// visual id), grade
    #[arg(long, value_name = "FILE")]
    relevance: Option<PathBuf>,

    /// Write every change to this table
    #[arg(long, value_name = "FILE")]
    changes: Option<PathBuf>,
}

impl Run for Verify {
    fn run(self) -> Result<Exit> {
        let collection = Collection::open(&self.collection)?;
        collection.check()?;
        let relevance = self.relevance.as_deref().map(relevance::read).transpose()?.unwrap_or_default();
        let mut list = match &self.changes {
            None => None,
            Some(path) => {
                let name = path.display().to_string();
                let mut file = BufWriter::new(File::create(path).with_context(|| name.clone())?);
                writeln!(file, "kind\tabout\tbefore\tafter").with_context(|| name.clone())?;
                Some((name, file))
            }
        };
        let mut tell = |change: &Change| -> std::io::Result<()> {
            let Some((_, list)) = &mut list else { return Ok(()) };
            let mut row = String::new();
            push_row(&mut row, &[change.kind.name(), &change.about, &change.before, &change.after]);
            list.write_all(row.as_bytes())
        };
        let counts = if self.repair {
            let target = self.output.as_ref().unwrap_or(&self.collection);
            repair::repair(&collection, target, &relevance, &mut tell)?.0
        } else {
            repair::examine(&collection, &relevance, &mut tell)?
        };
        if let Some((name, mut list)) = list {
            list.flush().context(name)?;
        }
        output::print(table(&counts).to_text(Colour::Off).as_bytes())?;
        let open = counts.iter().any(|(kind, count)| *kind != ChangeKind::Nowhere && *count > 0);
        Ok(if open && !self.repair { Exit::No } else { Exit::Yes })
    }
}

fn table(counts: &Counts) -> Table {
    let mut table = Table {
        columns: vec![Column::left("kind"), Column::right("count"), Column::left("meaning")],
        ..Table::default()
    };
    for kind in ChangeKind::ALL {
        let count = counts.get(&kind).copied().unwrap_or_default();
        let cells = vec![Cell::text(kind.name()), Cell::number(count as f64, 0), Cell::text(kind.meaning())];
        table.rows.push(Row::Cells(cells));
    }
    table
}
