//! Where formulas come from: an argument, a file of lines, a table, standard input.

use crate::engine::Notation;
use crate::nearest;
use crate::records::{Layout, RecordReader, fields};
use crate::run::topics::threads;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::Path;

/// Names that a column of formulas goes by, the likeliest first.
const FORMULA_COLUMNS: [&str; 5] = ["formula", "latex", "mathml", "slt", "opt"];

/// What files are called that hold neither lines nor a table.
const OTHER_FILES: [&str; 7] = ["csv", "gz", "zip", "xml", "html", "json", "jsonl"];

/// The arguments of all commands that read formulas.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// A file of formulas, '-' for standard input, or a formula itself
    ///
    /// FILE.tsv is a table with a header line; FILE.txt and most others hold one formula a
    /// line; --input says it where the name does not. What is not the name of a file is taken as a formula; put '--' before one that
    /// starts with a hyphen.
    #[arg(value_name = "INPUT", required_unless_present = "formulas", conflicts_with = "formulas")]
    source: Option<OsString>,

    /// A formula, even if a file has that name; may be given several times
    #[arg(short = 'e', long = "formula", value_name = "FORMULA", allow_hyphen_values = true)]
    formulas: Vec<OsString>,

    /// The column of a table that holds the formulas [default: formula, latex, mathml, slt or opt]
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,

    /// The column of a table that holds the ids [default: id, else rows are numbered from 1]
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,

    /// How the file is laid out [default: by its name; standard input: txt]
    #[arg(long = "input", value_name = "LAYOUT")]
    layout: Option<Layout>,

    /// How many threads work [default: all cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl InputArgs {
    /// How many threads shall work.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        threads(self.threads.and_then(|threads| NonZeroUsize::new(threads.into())))
    }

    /// Opens the input and finds its columns; `extra` names further columns,
    /// which stand in [`Item::extra`] in the same order.
    pub(crate) fn open(&self, extra: &[&str]) -> Result<Source> {
        let Some(source) = &self.source else {
            return self.given(&self.formulas, extra);
        };
        if source == OsStr::new("-") {
            let layout = self.layout.unwrap_or(Layout::Txt);
            return self.stream("standard input", Box::new(io::stdin()), None, layout, extra);
        }
        let path = Path::new(source);
        let name = path.display().to_string();
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
        if !path.exists() {
            let named_as_file = ["txt", "tsv"].iter().chain(&OTHER_FILES).any(|known| *known == extension);
            ensure!(!named_as_file, "{name}: no such file");
            return self.given(std::slice::from_ref(source), extra);
        }
        ensure!(!path.is_dir(), "{name}: is a folder, not a file (use -e to read it as a formula)");
        let layout = match (self.layout, extension.as_str()) {
            (Some(layout), _) => layout,
            (None, "tsv") => Layout::Tsv,
            (None, other) if OTHER_FILES.contains(&other) => {
                bail!("{name}: not a .txt or .tsv file; say what it is with --input txt or --input tsv")
            }
            (None, _) => Layout::Txt,
        };
        let file = File::open(path).with_context(|| name.clone())?;
        let total = file.metadata().ok().filter(|data| data.is_file()).map(|data| data.len());
        self.stream(&name, Box::new(file), total, layout, extra)
    }

    /// Opens the input of a command that reads LaTeX only.
    pub(crate) fn open_latex(&self) -> Result<Source> {
        let source = self.open(&[])?;
        if let (None, Source::Stream(Stream { name, columns: Some(columns), .. })) = (&self.column, &source) {
            let column = &columns.formula_name;
            ensure!(
                source.notation(None) == Notation::Latex,
                "{name}: LaTeX is wanted, but there is only a column '{column}': name another with --column"
            );
        }
        Ok(source)
    }

    fn given(&self, formulas: &[OsString], extra: &[&str]) -> Result<Source> {
        self.ensure_no_columns("a formula", extra)?;
        ensure!(self.layout.is_none(), "--input has no effect on a formula");
        Ok(Source::Given(formulas.iter().map(|formula| formula.to_string_lossy().into_owned()).collect()))
    }

    fn stream(
        &self,
        name: &str,
        input: Box<dyn Read + Send>,
        total: Option<u64>,
        layout: Layout,
        extra: &[&str],
    ) -> Result<Source> {
        let mut reader = RecordReader::new(input, layout);
        let columns = match layout {
            Layout::Txt => {
                self.ensure_no_columns("a file of lines", extra)?;
                None
            }
            Layout::Tsv => {
                let header = reader.read_header().with_context(|| name.to_owned())?;
                Some(self.columns(&header, extra).with_context(|| name.to_owned())?)
            }
        };
        Ok(Source::Stream(Stream { name: name.to_owned(), total, reader, columns }))
    }

    fn ensure_no_columns(&self, what: &str, extra: &[&str]) -> Result<()> {
        ensure!(self.column.is_none(), "--column has no effect on {what}: it has no columns");
        ensure!(self.id.is_none(), "--id has no effect on {what}: it has no columns");
        if let Some(column) = extra.first() {
            bail!("column '{column}' is asked for, but {what} has no columns");
        }
        Ok(())
    }

    fn columns(&self, header: &[String], extra: &[&str]) -> Result<Columns> {
        ensure!(!header.is_empty(), "is empty, but a table needs a header line");
        let blank = header.iter().all(String::is_empty);
        ensure!(!blank, "the first line is blank, but a table needs a header line");
        let find = |name: &str| header.iter().position(|column| column == name);
        let require = |name: &str| {
            find(name).with_context(|| format!("no column '{name}'; {}", nearest::suggest(name, header)))
        };
        let formula = match &self.column {
            Some(name) => require(name)?,
            None => FORMULA_COLUMNS.iter().find_map(|name| find(name)).with_context(|| {
                let looked_for = FORMULA_COLUMNS.join(", ");
                let known = nearest::list(header);
                format!(
                    "no column of formulas ({looked_for}) in the first line, which has to be the header: \
                     name it with --column; known: {known}"
                )
            })?,
        };
        let id = match &self.id {
            Some(name) => Some(require(name)?),
            None => find("id"),
        };
        let extra = extra.iter().map(|name| require(name)).collect::<Result<Vec<usize>>>()?;
        let width = header.len();
        Ok(Columns { formula, formula_name: header[formula].clone(), id, extra, width })
    }
}

/// Formulas to be read.
pub(crate) enum Source {
    /// From the command line.
    Given(Vec<String>),
    /// From a file or standard input.
    Stream(Stream),
}

impl Source {
    /// Whether it is exactly one formula from the command line.
    pub(crate) fn is_single(&self) -> bool {
        matches!(self, Self::Given(formulas) if formulas.len() == 1)
    }

    /// The same for commands that must know what the formulas look like.
    pub(crate) fn layout_notation(&self, asked: Option<Notation>) -> Result<Notation> {
        let notation = self.notation(asked);
        ensure!(notation != Notation::Opt, NO_LAYOUT);
        Ok(notation)
    }

    /// The notation asked for, else the one the column is named after, else LaTeX.
    pub(crate) fn notation(&self, asked: Option<Notation>) -> Notation {
        let column = match self {
            Self::Stream(Stream { columns: Some(columns), .. }) => columns.formula_name.as_str(),
            _ => "",
        };
        asked.unwrap_or(match column {
            "mathml" => Notation::Mathml,
            "slt" => Notation::Slt,
            "opt" => Notation::Opt,
            _ => Notation::Latex,
        })
    }
}

/// Why most commands do not read operator trees.
pub(crate) const NO_LAYOUT: &str =
    "operator trees do not say what a formula looks like, which this command has to know";

/// A file that is open and whose columns are known.
pub(crate) struct Stream {
    /// What to call it in messages.
    pub(crate) name: String,
    /// Its size in bytes, if known.
    pub(crate) total: Option<u64>,
    /// Its records.
    pub(crate) reader: RecordReader<Box<dyn Read + Send>>,
    /// Where in a record things stand; `None` when the record is the formula.
    pub(crate) columns: Option<Columns>,
}

/// Which columns of a table are wanted.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    formula: usize,
    formula_name: String,
    id: Option<usize>,
    extra: Vec<usize>,
    /// How many columns there are.
    width: usize,
}

impl Columns {
    /// Takes a row apart; a field the row is too short for is `None`.
    pub(crate) fn select<'r>(&self, row: &'r [u8]) -> Selected<'r> {
        let extra = vec![None; self.extra.len()];
        let mut selected = Selected { formula: None, id: None, extra, surplus: false };
        for (index, field) in fields(row).enumerate() {
            for (slot, wanted) in selected.extra.iter_mut().zip(&self.extra) {
                if *wanted == index {
                    *slot = Some(field.clone());
                }
            }
            selected.surplus |= index >= self.width && !field.is_empty();
            if self.id == Some(index) {
                selected.id = Some(field.clone());
            }
            if self.formula == index {
                selected.formula = Some(field);
            }
        }
        selected
    }

    /// Whether ids come from the table.
    pub(crate) fn has_id(&self) -> bool {
        self.id.is_some()
    }
}

/// The wanted fields of a row.
#[derive(Debug)]
pub(crate) struct Selected<'r> {
    pub(crate) formula: Option<Cow<'r, [u8]>>,
    pub(crate) id: Option<Cow<'r, [u8]>>,
    pub(crate) extra: Vec<Option<Cow<'r, [u8]>>>,
    /// Whether there is something beyond the last column.
    pub(crate) surplus: bool,
}

/// One formula with its id.
#[derive(Debug)]
pub(crate) struct Item<'r> {
    /// The id from the table, or the number of the line or row from 1.
    pub(crate) id: Cow<'r, str>,
    /// The formula as it stands in the input.
    pub(crate) formula: Cow<'r, str>,
    /// The further columns asked for.
    pub(crate) extra: Vec<Cow<'r, str>>,
}
