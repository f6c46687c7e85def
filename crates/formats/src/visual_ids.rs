//! Which formulas look the same: tables from formula ids to visual ids.
//!
//! The tables of a whole collection have 28 million rows, most of them about
//! formulas that no run names. They are streamed, and only the formulas that
//! are wanted are kept: at most 250 bytes for each, 280 with its place (ids of
//! eight digits, measured), beside one record and two buffers of 128 KiB,
//! however large the tables are.

use crate::delimited::{Delimiter, Header, Quoting, Records};
use crate::error::Error;
use crate::ids::{FormulaId, PostId, VisualId};
use crate::source::Source;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::BufRead;
use std::path::{Path, PathBuf};

/// Which formulas to keep.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// All of the table.
    All,
    /// Only these.
    Only(&'a HashSet<FormulaId>),
}

impl Wanted<'_> {
    fn contains(self, id: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(ids) => ids.contains(id),
        }
    }
}

/// What to keep of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Its visual id.
    VisualIds,
    /// Its place, too, where the table gives it.
    Places,
}

/// The part of a thread that a formula stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaSite {
    /// The title of a question.
    Title,
    /// A question.
    Question,
    /// An answer.
    Answer,
    /// A comment on either.
    Comment,
}

/// Where in the collection a formula stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaPlace {
    /// The question or answer; for a comment, the one commented on.
    pub post: PostId,
    /// The part.
    pub site: FormulaSite,
}

/// Visual ids of formulas.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VisualIds {
    formulas: HashMap<FormulaId, Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    visual: Option<VisualId>,
    place: Option<FormulaPlace>,
}

impl VisualIds {
    /// The visual id of a formula.
    #[must_use]
    pub fn get(&self, formula: &str) -> Option<&VisualId> {
        self.formulas.get(formula).and_then(|row| row.visual.as_ref())
    }

    /// Where a formula stands, if places were kept and the table gives them.
    #[must_use]
    pub fn place(&self, formula: &str) -> Option<&FormulaPlace> {
        self.formulas.get(formula).and_then(|row| row.place.as_ref())
    }

    /// How many formulas were kept. A few have no visual id in the tables;
    /// they count when places are kept.
    #[must_use]
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// All formulas that have one with their visual ids, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (&FormulaId, &VisualId)> {
        self.formulas.iter().filter_map(|(formula, row)| Some((formula, row.visual.as_ref()?)))
    }
}

/// Reads a table, or all tables (`*.tsv`, `*.tsv.gz`) of a folder.
///
/// # Errors
///
/// As [`read_visual_id_table`], and when a folder holds no table.
pub fn read_visual_ids(path: &Path, wanted: Wanted<'_>, keep: Keep) -> Result<VisualIds, Error> {
    let mut ids = VisualIds::default();
    if path.is_dir() {
        for file in tables_in(path)? {
            read_into(&mut ids, Source::path(&file), wanted, keep)?;
        }
    } else {
        read_into(&mut ids, Source::path(path), wanted, keep)?;
    }
    Ok(ids)
}

/// Reads one table: with a header that names `id` and `visual_id`, whatever
/// else there is, or two columns without a header.
///
/// ```
/// use formats::{Keep, Source, Wanted, read_visual_id_table};
/// let table = Source::bytes("1.tsv", "id\tpost_id\ttype\tvisual_id\tformula\n7\t3\tanswer\t99\tx\n");
/// let ids = read_visual_id_table(table, Wanted::All, Keep::Places)?;
/// assert_eq!(ids.get("7").unwrap().as_str(), "99");
/// assert_eq!(ids.place("7").unwrap().post.as_str(), "3");
/// # Ok::<(), formats::Error>(())
/// ```
///
/// # Errors
///
/// When it cannot be read, is no such table, or gives a formula two visual ids.
pub fn read_visual_id_table(source: Source<'_>, wanted: Wanted<'_>, keep: Keep) -> Result<VisualIds, Error> {
    let mut ids = VisualIds::default();
    read_into(&mut ids, source, wanted, keep)?;
    Ok(ids)
}

/// Reads the two tables of the first years: `formulas` with formula id, post
/// id and SLT string, `visual` with visual id, SLT string (or `None`) and
/// LaTeX, both without a header. A formula without an SLT string stays without
/// a visual id, since its LaTeX is in neither table by its id. The SLT strings
/// of the wanted formulas are in memory while reading.
///
/// # Errors
///
/// When a table cannot be read or has not three columns.
pub fn read_visual_ids_by_slt(
    formulas: Source<'_>,
    visual: Source<'_>,
    wanted: Wanted<'_>,
) -> Result<VisualIds, Error> {
    let mut by_slt: HashMap<Box<str>, Vec<FormulaId>> = HashMap::new();
    let mut records = open(formulas)?;
    while records.advance()? {
        let [id, _, slt] = three(&records)?;
        if wanted.contains(id) && is_slt(slt) {
            by_slt.entry(slt.into()).or_default().push(id.into());
        }
    }
    let mut ids = VisualIds::default();
    let mut records = open(visual)?;
    while records.advance()? {
        let [visual, slt, _] = three(&records)?;
        if let Some(formulas) = by_slt.remove(slt).filter(|_| is_slt(slt)) {
            for formula in formulas {
                ids.formulas.insert(formula, Row { visual: Some(visual.into()), place: None });
            }
        }
    }
    Ok(ids)
}

fn is_slt(text: &str) -> bool {
    !text.is_empty() && text != "None"
}

fn open<'a>(source: Source<'a>) -> Result<Records<Box<dyn BufRead + 'a>>, Error> {
    let name = source.name().to_owned();
    Ok(Records::new(&name, source.open()?, Delimiter::Tab, Quoting::Csv))
}

fn three<R: BufRead>(records: &Records<R>) -> Result<[&str; 3], Error> {
    let record = records.record();
    if record.len() != 3 {
        let reason = format!("{} columns where three were expected", record.len());
        return Err(records.bad(record.len().min(3), reason));
    }
    Ok([0, 1, 2].map(|at| record.get(at).unwrap_or_default()))
}

/// The tables of a folder, `2.tsv` before `10.tsv`.
fn tables_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let file = || folder.display().to_string();
    let entries = std::fs::read_dir(folder).map_err(|cause| Error::Io { file: file(), cause })?;
    let mut tables = Vec::new();
    for entry in entries {
        let path = entry.map_err(|cause| Error::Io { file: file(), cause })?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.ends_with(".tsv") || name.ends_with(".tsv.gz") {
            let number = name.split('.').next().and_then(|number| number.parse::<u64>().ok());
            tables.push((number.unwrap_or(u64::MAX), name, path));
        }
    }
    tables.sort();
    if tables.is_empty() {
        let reason = "there is no table (*.tsv, *.tsv.gz) in this folder".to_owned();
        return Err(Error::File { file: file(), reason });
    }
    Ok(tables.into_iter().map(|(_, _, path)| path).collect())
}

/// Where the columns are.
struct Columns {
    id: usize,
    visual: usize,
    place: Option<(usize, usize)>,
}

fn read_into(ids: &mut VisualIds, source: Source<'_>, wanted: Wanted<'_>, keep: Keep) -> Result<(), Error> {
    let mut records = open(source)?;
    if !records.advance()? {
        return Ok(());
    }
    let (columns, mut more) = match find_columns(&records)? {
        Some(columns) => (columns, records.advance()?),
        None => (Columns { id: 0, visual: 1, place: None }, true),
    };
    while more {
        read_row(ids, &records, &columns, wanted, keep)?;
        more = records.advance()?;
    }
    Ok(())
}

/// The columns by the names in the first line; `None` if it is no header.
fn find_columns<R: BufRead>(records: &Records<R>) -> Result<Option<Columns>, Error> {
    let header = Header::new(records.record());
    let id = header.find(&["id", "formula_id"]);
    let visual = header.find(&["visual_id"]);
    let names = header.names();
    match (id, visual) {
        (Some(id), Some(visual)) => {
            let place = header.find(&["post_id"]).zip(header.find(&["type"]));
            Ok(Some(Columns { id, visual, place }))
        }
        (Some(_), None) => {
            let reason = format!(
                "no column visual_id; the columns are {names}. The first version of the formula index has no \
                 visual ids: take the second or third"
            );
            Err(records.bad(0, reason))
        }
        (None, Some(_)) => Err(records.bad(0, format!("no column id; the columns are {names}"))),
        (None, None) if records.record().len() == 2 => Ok(None),
        (None, None) => {
            let reason = "neither a header with id and visual_id nor two columns without a header";
            Err(records.bad(0, reason))
        }
    }
}

fn read_row<R: BufRead>(
    ids: &mut VisualIds,
    records: &Records<R>,
    columns: &Columns,
    wanted: Wanted<'_>,
    keep: Keep,
) -> Result<(), Error> {
    let record = records.record();
    let field = |at: usize| record.get(at).unwrap_or_default().trim();
    let id = field(columns.id);
    if id.is_empty() {
        return Err(records.bad(columns.id, "a row without a formula id"));
    }
    if record.get(columns.visual).is_none() {
        return Err(records.bad(columns.visual, "the row ends before its visual id"));
    }
    // Some formulas have none.
    let visual = Some(field(columns.visual)).filter(|visual| !visual.is_empty());
    if !wanted.contains(id) || (visual.is_none() && keep == Keep::VisualIds) {
        return Ok(());
    }
    let place = match columns.place.filter(|_| keep == Keep::Places) {
        None => None,
        Some((post_at, type_at)) => {
            let site = match field(type_at) {
                "title" => FormulaSite::Title,
                "question" => FormulaSite::Question,
                "answer" => FormulaSite::Answer,
                "comment" => FormulaSite::Comment,
                other => {
                    let reason = format!("type {other:?}; known are title, question, answer and comment");
                    return Err(records.bad(type_at, reason));
                }
            };
            Some(FormulaPlace { post: field(post_at).into(), site })
        }
    };
    match ids.formulas.entry(id.into()) {
        Entry::Vacant(entry) => {
            entry.insert(Row { visual: visual.map(VisualId::from), place });
        }
        Entry::Occupied(entry) => {
            let before = entry.get().visual.as_ref().map(VisualId::as_str);
            if before != visual {
                let name = |visual: Option<&str>| visual.unwrap_or("none").to_owned();
                let reason =
                    format!("formula {id} has visual id {} here and {} above", name(visual), name(before));
                return Err(records.bad(columns.visual, reason));
            }
        }
    }
    Ok(())
}
