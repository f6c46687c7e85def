//! Formula tables: rows of tabs with a header, quoted as in CSV, in any version of their columns.
//!
//! Columns are found by their names. A quote that is never closed costs the
//! line it opens on, not the rest of the file.

use crate::dirt::{Dirt, DirtKind};
use crate::record::At;
use crate::rows;
use memchr::{memchr, memchr_iter, memchr2};
use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::ControlFlow;

/// How much of a table is worked on at once.
const PIECE: usize = 1 << 20;

/// A row with an open quote may not be longer than this.
const LONGEST: usize = 1 << 24;

/// What the formulas of a table are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TableKind {
    Presentation,
    Content,
    Latex,
}

impl TableKind {
    /// The kind of a table by its path: `latex_representation_v3/17.tsv`, `slt_representation.tsv`.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        let path = path.to_ascii_lowercase();
        let mut parts = path.rsplit('/');
        let file = parts.next()?.strip_suffix(".tsv")?;
        let folder = parts.next().unwrap_or_default();
        let named = |name: &str| {
            [("latex", Self::Latex), ("slt", Self::Presentation), ("opt", Self::Content)]
                .into_iter()
                .find(|(word, _)| name.starts_with(&format!("{word}_representation")))
                .map(|(_, kind)| kind)
        };
        let numbered = !file.is_empty() && file.bytes().all(|byte| byte.is_ascii_digit());
        named(file).or_else(|| numbered.then(|| named(folder)).flatten())
    }
}

/// The columns of a table, by their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    id: Option<usize>,
    post: Option<usize>,
    kind: Option<usize>,
    comment: Option<usize>,
    visual: Option<usize>,
    old_visual: Option<usize>,
    issue: Option<usize>,
    formula: usize,
    length: usize,
}

impl Columns {
    /// Reads the header; or says what is missing.
    fn read(header: &str) -> Result<Self, String> {
        let names: Vec<String> =
            header.split('\t').map(|name| name.trim().trim_matches('"').to_ascii_lowercase()).collect();
        let find = |wanted: &[&str]| names.iter().position(|name| wanted.contains(&name.as_str()));
        let formula =
            find(&["formula", "latex", "slt", "opt", "mathml", "presentation_mathml", "content_mathml"]);
        let columns = Self {
            id: find(&["id", "formula_id"]),
            post: find(&["post_id"]),
            kind: find(&["type"]),
            comment: find(&["comment_id"]),
            visual: find(&["visual_id"]),
            old_visual: find(&["old_visual_id"]),
            issue: find(&["issue"]),
            formula: formula.ok_or_else(|| format!("no column for formulas among: {}", names.join(", ")))?,
            length: names.len(),
        };
        if columns.id.is_none() && columns.visual.is_none() {
            return Err(format!("neither a column id nor visual_id among: {}", names.join(", ")));
        }
        Ok(columns)
    }
}

/// A piece of a table that begins and ends between rows.
#[derive(Debug)]
pub(crate) struct Piece {
    columns: Columns,
    bytes: Vec<u8>,
    file: u32,
    line: u64,
    /// Whether its last row is the last of the file.
    last: bool,
}

/// Cuts a table into pieces; gives the number of bytes.
pub(crate) fn pieces(
    reader: &mut dyn BufRead,
    file: u32,
    put: &mut dyn FnMut(Result<Piece, Dirt>) -> ControlFlow<()>,
) -> io::Result<u64> {
    let mut header = Vec::new();
    let mut total = io::Read::take(&mut *reader, 1 << 16).read_until(b'\n', &mut header)? as u64;
    let header = String::from_utf8_lossy(&header).trim_start_matches('\u{FEFF}').trim_end().to_owned();
    if header.is_empty() && total == 0 {
        return Ok(0);
    }
    let columns = match Columns::read(&header) {
        Ok(columns) => columns,
        Err(reason) => {
            let _ = put(Err(Dirt::new(DirtKind::UnreadableFile, At { file, line: 1 }, "header", &reason)));
            return Ok(total);
        }
    };
    let mut line = 2;
    let mut bytes: Vec<u8> = Vec::with_capacity(2 * PIECE);
    let mut ended = Ok(false);
    loop {
        let wanted = bytes.len() + PIECE;
        while bytes.len() < wanted && matches!(ended, Ok(false)) {
            match reader.fill_buf() {
                Ok([]) => ended = Ok(true),
                Ok(some) => {
                    bytes.extend_from_slice(some);
                    let length = some.len();
                    reader.consume(length);
                    total += length as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => ended = Err(error),
            }
        }
        let last = !matches!(ended, Ok(false));
        let mut cut = 0;
        while let Some(next) = row_end(&bytes, cut) {
            cut = next;
        }
        let mut open = None;
        if last && cut < bytes.len() {
            let end = memchr(b'\n', &bytes[cut..]).map_or(bytes.len(), |end| cut + end + 1);
            // A last row without a line end is whole, one with an open quote is not.
            if end == bytes.len() && row_end(&[&bytes[cut..], b"\n"].concat(), 0).is_some() {
                cut = end;
            } else {
                open = Some(end);
            }
        } else if cut == 0 && bytes.len() > LONGEST {
            open = Some(memchr(b'\n', &bytes).map_or(bytes.len(), |end| end + 1));
        }
        let rest = bytes.split_off(cut);
        let piece =
            Piece { columns: columns.clone(), file, line, last, bytes: std::mem::replace(&mut bytes, rest) };
        line += memchr_iter(b'\n', &piece.bytes).count() as u64;
        if !piece.bytes.is_empty() && put(Ok(piece)).is_break() {
            return Ok(total);
        }
        if let Some(end) = open {
            let end = end - cut;
            let kind = if last && end == bytes.len() { DirtKind::CutShort } else { DirtKind::BadIndexRow };
            let text = format!("a quote that is never closed: {}", String::from_utf8_lossy(&bytes[..end]));
            let dirt = Dirt::new(kind, At { file, line }, "", &text);
            line += memchr_iter(b'\n', &bytes[..end]).count() as u64;
            bytes.drain(..end);
            if put(Err(dirt)).is_break() {
                return Ok(total);
            }
        }
        if last && bytes.is_empty() {
            return ended.map(|_| total);
        }
    }
}

/// Where the row that begins at `start` ends, after its line end. `None`: not in these bytes.
fn row_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        if bytes.get(at) == Some(&b'"') {
            at = after_quotes(bytes, at)?;
        }
        let end = at + memchr2(b'\t', b'\n', bytes.get(at..)?)?;
        at = end + 1;
        if bytes[end] == b'\n' {
            return Some(at);
        }
    }
}

/// Where a field in quotes that opens at `open` has passed its closing quote.
fn after_quotes(bytes: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += memchr(b'"', bytes.get(at..)?)? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at);
        }
        at += 1;
    }
}

/// A row of a formula table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableRow {
    pub(crate) at: At,
    /// The formula, unless the table is one of visual ids.
    pub(crate) id: Option<u64>,
    pub(crate) post: Option<u32>,
    pub(crate) comment: Option<u32>,
    pub(crate) part: RowPart,
    pub(crate) visual: Option<u64>,
    pub(crate) old_visual: Option<u64>,
    /// Whether the table says that the visual id was changed.
    pub(crate) changed: bool,
    pub(crate) formula: String,
}

/// Where a row says that its formula stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum RowPart {
    #[default]
    Unsaid = 0,
    Title = 1,
    Question = 2,
    Answer = 3,
    Comment = 4,
}

impl RowPart {
    const ALL: [Self; 5] = [Self::Unsaid, Self::Title, Self::Question, Self::Answer, Self::Comment];

    pub(crate) fn from_byte(byte: u8) -> Self {
        Self::ALL.into_iter().find(|part| *part as u8 == byte).unwrap_or_default()
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Unsaid => "",
            Self::Title => "title",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Comment => "comment",
        }
    }
}

impl Piece {
    /// All rows, and what is wrong with some.
    pub(crate) fn each(&self, put: &mut dyn FnMut(Result<TableRow, Dirt>)) {
        let (mut start, mut line) = (0, self.line);
        let mut fields: Vec<Cow<'_, [u8]>> = Vec::with_capacity(self.columns.length);
        while start < self.bytes.len() {
            let end = row_end(&self.bytes, start).unwrap_or(self.bytes.len());
            let row = &self.bytes[start..end];
            if !row.trim_ascii().is_empty() {
                fields.clear();
                split(row, &mut fields);
                self.row(row, &fields, At { file: self.file, line }, put);
            }
            line += memchr_iter(b'\n', row).count() as u64;
            start = end;
        }
    }

    fn row(&self, raw: &[u8], fields: &[Cow<'_, [u8]>], at: At, put: &mut dyn FnMut(Result<TableRow, Dirt>)) {
        let columns = &self.columns;
        // Only the last row of a file may have no line end, and then all columns must be there.
        let is_cut = self.last && !raw.ends_with(b"\n") && fields.len() < columns.length;
        let bad = |what: &str| {
            let text = format!("{what}: {}", String::from_utf8_lossy(raw));
            let kind = if is_cut { DirtKind::CutShort } else { DirtKind::BadIndexRow };
            Err(Dirt::new(kind, at, "", &text))
        };
        if fields.len() != columns.length {
            put(bad(&format!("{} columns instead of {}", fields.len(), columns.length)));
            return;
        }
        let field = |column: usize| String::from_utf8_lossy(&fields[column]);
        let id = match columns.id {
            None => None,
            Some(column) => match field(column).trim().parse::<u64>() {
                Ok(id) => Some(id),
                Err(_) => {
                    put(bad("an id that is no number"));
                    return;
                }
            },
        };
        let about = id.map_or_else(String::new, |id| format!("formula {id}"));
        let mut flaw = |kind, text: &str| put(Err(Dirt::new(kind, at, about.clone(), text)));
        let mut number = |column: Option<usize>, kind| {
            let text = column.map(&field).unwrap_or_default();
            let text = text.trim();
            let number = text.parse::<u64>().ok();
            if number.is_none() && !text.is_empty() && text != "None" {
                flaw(kind, text);
            }
            number
        };
        let visual = number(columns.visual, DirtKind::BadVisualId);
        let old_visual = number(columns.old_visual, DirtKind::BadVisualId);
        let mut small =
            |column| number(column, DirtKind::BadNumber).and_then(|number| u32::try_from(number).ok());
        let (post, comment) = (small(columns.post), small(columns.comment));
        let part = columns.kind.map(&field).unwrap_or_default();
        let part = match part.trim() {
            "" => RowPart::Unsaid,
            name => RowPart::ALL.into_iter().find(|part| part.name() == name).unwrap_or_else(|| {
                flaw(DirtKind::OtherPlace, name);
                RowPart::Unsaid
            }),
        };
        if std::str::from_utf8(&fields[columns.formula]).is_err() {
            flaw(DirtKind::BadEncoding, &field(columns.formula));
        }
        let changed = columns.issue.is_some_and(|column| field(column).contains('v'));
        let formula = field(columns.formula).trim().to_owned();
        put(Ok(TableRow { at, id, post, comment, part, visual, old_visual, changed, formula }));
    }
}

/// Takes a row apart; quotes are undone.
fn split<'a>(row: &'a [u8], fields: &mut Vec<Cow<'a, [u8]>>) {
    let row = row.strip_suffix(b"\n").unwrap_or(row);
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    let mut at = 0;
    loop {
        let mut quoted = None;
        if row.get(at) == Some(&b'"')
            && let Some(after) = after_quotes(row, at)
        {
            quoted = Some(&row[at + 1..after - 1]);
            at = after;
        }
        let end = memchr(b'\t', &row[at..]).map_or(row.len(), |end| at + end);
        let rest = &row[at..end];
        fields.push(match quoted {
            None => Cow::Borrowed(rest),
            Some(inner) if memchr(b'"', inner).is_none() && rest.is_empty() => Cow::Borrowed(inner),
            Some(inner) => {
                let mut field = Vec::with_capacity(inner.len());
                let mut pair = false;
                for &byte in inner {
                    pair = byte == b'"' && !pair;
                    if !pair {
                        field.push(byte);
                    }
                }
                field.extend_from_slice(rest);
                Cow::Owned(field)
            }
        });
        if end >= row.len() {
            return;
        }
        at = end + 1;
    }
}

/// LaTeX of a table as it was typed: HTML's escapes and damage undone, delimiters off, blanks evened out at the ends.
pub(crate) fn plain_latex(formula: &str) -> Cow<'_, str> {
    let escaped = ["&lt;", "&gt;", "&amp;", "&quot;", "&#39;"].iter().any(|escape| formula.contains(escape));
    let text = if escaped { rows::unescape(formula) } else { Cow::Borrowed(formula) };
    let text = match markup::mended(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(mended) => Cow::Owned(mended),
    };
    let trimmed = text.trim();
    let inner = ["$$", "$"].iter().find_map(|mark| {
        let inner = trimmed.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inner.contains('$') && !inner.is_empty()).then(|| inner.trim().to_owned())
    });
    match inner {
        Some(inner) => Cow::Owned(inner),
        None if trimmed.len() == text.len() => text,
        None => Cow::Owned(trimmed.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut put = |piece: Result<Piece, Dirt>| {
            let mut one = |row: Result<TableRow, Dirt>| {
                found.push(match row {
                    Ok(row) => format!(
                        "{} {:?} {:?} {:?} {:?} {}",
                        row.at.line, row.id, row.post, row.part, row.visual, row.formula
                    ),
                    Err(dirt) => format!("{} {}", dirt.at.line, dirt.kind.name()),
                });
            };
            match piece {
                Ok(piece) => piece.each(&mut one),
                Err(dirt) => one(Err(dirt)),
            }
            ControlFlow::Continue(())
        };
        pieces(&mut text.as_bytes(), 0, &mut put).unwrap();
        found
    }

    #[test]
    fn every_version_is_read_by_names() {
        let v1 = "id\tpost_id\tthread_id\ttype\tformula\r\n1\t10\t10\ttitle\t\"a\"\"b\nc\"\r\n";
        assert_eq!(read(v1), ["2 Some(1) Some(10) Title None a\"b\nc"]);
        let v3 = "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula\n\
                  2\t11\t10\tanswer\t\t7\t8\tv\tx\n3\t11\t10\tcomment\t5\t\t9\t\ty";
        assert_eq!(read(v3), ["2 Some(2) Some(11) Answer Some(8) x", "3 Some(3) Some(11) Comment Some(9) y"]);
        assert_eq!(read("visual_id\tcontent_mathml\n4\t<math/>\n"), ["2 None None Unsaid Some(4) <math/>"]);
    }

    #[test]
    fn bad_rows_cost_themselves_only() {
        let text = "id\tvisual_id\ttype\tformula\n1\t2\n\nx\t2\ttitle\tf\n3\tv\tbody\tg\n4\t4\ttitle\t\"h\n5\t5\ttitle\ti\n";
        assert_eq!(
            read(text),
            [
                "2 bad-index-row",
                "4 bad-index-row",
                "5 bad-visual-id",
                "5 other-place",
                "5 Some(3) None Unsaid None g",
                "6 bad-index-row",
                "7 Some(5) None Title Some(5) i",
            ]
        );
        assert_eq!(read("a\tb\n1\t2\n"), ["1 unreadable-file"]);
        assert_eq!(read("id\tformula\n1\t\"x"), ["2 cut-short"]);
        assert!(read("").is_empty());
    }

    #[test]
    fn paths_say_what_tables_hold() {
        for (path, kind) in [
            ("latex_representation.tsv", Some(TableKind::Latex)),
            ("Formulas/latex_representation_v3/101.tsv", Some(TableKind::Latex)),
            ("slt_representation_v2/1.tsv", Some(TableKind::Presentation)),
            ("opt_representation.tsv", Some(TableKind::Content)),
            ("qrels/1.tsv", None),
            ("latex_representation_v3/readme.txt", None),
        ] {
            assert_eq!(TableKind::of_path(path), kind, "{path}");
        }
    }

    #[test]
    fn latex_loses_its_wrapping() {
        for (given, plain) in [
            ("x", "x"),
            (" $x$ ", "x"),
            ("$$a &lt; b$$", "a < b"),
            ("$a$ and $b$", "$a$ and $b$"),
            ("$", "$"),
            ("a & b", "a & b"),
            (r"a&\displaystyle amp;=b", r"a&\displaystyle =b"),
            ("$x</p><p>y$", "x  y"),
            ("</p><p>", "{}"),
        ] {
            assert_eq!(plain_latex(given), plain);
        }
    }
}
