//! Reading: files in their order, cut into pieces, through all cores.

use super::plan::Holds;
use super::{BuildError, Builder, Source};
use crate::dirt::{Dirt, DirtKind};
use crate::documents::{self, DocumentInput, Format, Item, PageId};
use crate::dump::{self, Dialect, Said};
use crate::files::Input;
use crate::forms::Identity;
use crate::given::{Given, GivenBy, GivenWriter, Leftover};
use crate::index::{FormulaTable, IndexRow};
use crate::prepare::{Prepared, prepare};
use crate::record::{At, Record};
use crate::rows::{self, FileKind, Found};
use crate::tables::{self, TableKind, TableRow, plain_latex};
use markup::{Cleaner, Dollars, Markup};
use parallel::ordered;
use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use store::{NewForm, TableWriter};

/// Records that are worked on at once, and how much text.
const BATCH: usize = 256;
const BATCH_TEXT: usize = 1 << 20;

/// Which records of a file of documents are wanted: posts first, since others refer to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    Posts,
    Others,
}

/// A piece of a file.
enum Piece {
    Rows(rows::Piece),
    Items(Vec<Item>),
}

impl Builder<'_> {
    /// Files that nothing is known about are named.
    pub(super) fn unknown_files(&mut self) -> Result<(), BuildError> {
        for (file, _) in self.plan.holding(|holds| holds == Holds::Unknown) {
            self.journal.add(&Dirt::new(DirtKind::UnknownFile, At { file, line: 0 }, "", ""))?;
        }
        Ok(())
    }

    /// Files that cannot be opened or unpacked at all are named.
    pub(super) fn broken_files(&mut self) -> Result<(), BuildError> {
        for (file, input) in self.plan.holding(|holds| holds == Holds::Broken) {
            let read = input.read(self.done, &mut |reader| reader.fill_buf().map(|_| ()));
            self.ended(file, read)?;
        }
        Ok(())
    }

    /// Reads all formula tables: MathML first, which is asked for when LaTeX is read.
    pub(super) fn formula_tables(&mut self) -> Result<(), BuildError> {
        let files = |kind| self.plan.holding(|holds| holds == Holds::Table(kind));
        let latex = files(TableKind::Latex);
        if latex.is_empty()
            && files(TableKind::Presentation).is_empty()
            && files(TableKind::Content).is_empty()
        {
            self.next_formula = if self.plan.spans_have_ids { OUR_IDS } else { 1 };
            return Ok(());
        }
        self.journal.watch.stage("formula tables");
        let mut presentation = self.given(TableKind::Presentation, &files(TableKind::Presentation))?;
        let mut content = self.given(TableKind::Content, &files(TableKind::Content))?;
        let mut table = FormulaTable::create(&self.writer.scratch("index"))?;
        for (file, input) in latex {
            self.table(file, input, |builder, row| {
                builder.latex_row(&row, &mut presentation, &mut content, &mut table)
            })?;
        }
        let index = FormulaTable::new(table.finish()?);
        for row in index.repeated() {
            let about = format!("formula {}", row.id);
            self.journal.add(&Dirt::new(DirtKind::DuplicateIndexRow, row.at, about, ""))?;
        }
        for row in index.rows() {
            self.writer.list_formula(row.form, row.part.name());
        }
        for given in [&presentation, &content] {
            for (why, id, file, line) in given.leftovers() {
                let kind = match why {
                    Leftover::Repeated => DirtKind::DuplicateIndexRow,
                    Leftover::Unasked => DirtKind::NoLatexRow,
                };
                self.journal.add(&Dirt::new(kind, At { file, line }, format!("formula {id}"), ""))?;
            }
        }
        // Ids of ours begin at a power of ten that no id of the table reaches.
        let mut base = OUR_IDS - 1;
        while base <= index.highest() {
            base = base.saturating_mul(10);
        }
        self.next_formula = base + 1;
        self.index = Some(index);
        Ok(())
    }

    fn given(&mut self, kind: TableKind, files: &[(u32, &Input)]) -> Result<Given, BuildError> {
        let name = if kind == TableKind::Presentation { "presentation" } else { "content" };
        let mut writer = GivenWriter::create(&self.writer.scratch(name))?;
        for &(file, input) in files {
            self.table(file, input, |_, row| writer.push(&row))?;
        }
        writer.finish()
    }

    /// Reads a table row by row.
    fn table(
        &mut self,
        file: u32,
        input: &Input,
        mut each: impl FnMut(&mut Self, TableRow) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let done = self.done;
        let mut bytes = 0;
        let read = ordered(
            |put| {
                input.read(done, &mut |reader| {
                    bytes = tables::pieces(reader, file, put)?;
                    Ok(())
                })
            },
            || (),
            |(), piece| {
                let mut rows = Vec::new();
                match piece {
                    Ok(piece) => piece.each(&mut |row| rows.push(row)),
                    Err(dirt) => rows.push(Err(dirt)),
                }
                rows
            },
            |rows| {
                rows.into_iter().try_for_each(|row| match row {
                    Ok(row) => each(self, row),
                    Err(dirt) => self.journal.add(&dirt),
                })
            },
        )?;
        self.bytes[file as usize] = bytes;
        self.ended(file, read)
    }

    fn latex_row(
        &mut self,
        row: &TableRow,
        presentation: &mut Given,
        content: &mut Given,
        table: &mut TableWriter<IndexRow>,
    ) -> Result<(), BuildError> {
        let Some(id) = row.id else { return Ok(()) };
        let latex = plain_latex(&row.formula);
        let (slt, opt) = (presentation.find(id, row.visual), content.find(id, row.visual));
        for given in [slt, opt].into_iter().flatten() {
            let other = given.by == GivenBy::Formula && row.visual.is_some() && given.visual != row.visual;
            if other && given.visual.is_some() {
                let detail = format!("{:?} and {:?}", row.visual, given.visual);
                let detail = detail.replace("Some(", "").replace(')', "");
                let about = format!("formula {id}");
                self.journal.add(&Dirt::new(DirtKind::OtherVisualId, row.at, about, &detail))?;
            }
        }
        let identity = Identity {
            visual: row.visual,
            old_visual: row.old_visual,
            presentation: slt.map_or(u64::MAX, |given| u64::from(given.number)),
            content: opt.map_or(u64::MAX, |given| u64::from(given.number)),
        };
        let form = match self.forms.find(&latex, identity) {
            Some(form) => form,
            None => {
                let form = NewForm {
                    latex: &latex,
                    presentation: slt.and_then(|given| presentation.text(given.number)),
                    content: opt.and_then(|given| content.text(given.number)),
                    visual: row.visual,
                    old_visual: row.old_visual,
                };
                self.forms.add(&mut self.writer, &form, identity, row.at)?
            }
        };
        table.push(&IndexRow::new(id, form, row))?;
        Ok(())
    }

    /// Reads posts, then what refers to posts, then the rest.
    pub(super) fn records(&mut self) -> Result<(), BuildError> {
        if !matches!(self.plan.source, Source::Arqmath | Source::StackExchange) {
            return self.documents();
        }
        for kind in [
            FileKind::Posts,
            FileKind::Comments,
            FileKind::PostLinks,
            FileKind::Users,
            FileKind::Tags,
            FileKind::Votes,
            FileKind::Badges,
            FileKind::PostHistory,
        ] {
            let files = self.plan.holding(|holds| holds == Holds::Rows(kind));
            if !files.is_empty() {
                self.journal.watch.stage(kind.name());
            }
            let mut passed_over = 0;
            for (file, input) in files {
                let mut bytes = 0;
                passed_over += self.pieces(file, Some(kind), input, |reader, put| {
                    bytes = rows::pieces(reader, file, &mut |piece| put(Piece::Rows(piece)))?;
                    Ok(())
                })?;
                self.bytes[file as usize] = bytes;
            }
            if passed_over > 0 {
                self.passed_over.push((kind.name().to_owned(), passed_over));
            }
        }
        Ok(())
    }

    fn documents(&mut self) -> Result<(), BuildError> {
        self.journal.watch.stage("documents");
        let wanted = |holds| matches!(holds, Holds::Documents(format) if format != Format::Topics);
        let files = self.plan.holding(wanted);
        let pages: Vec<&str> = self
            .plan
            .holding(|holds| holds == Holds::Documents(Format::Page))
            .iter()
            .map(|(_, input)| input.relative())
            .collect();
        let pages = documents::page_ids(&pages);
        let pages: HashMap<&str, &PageId> = pages.iter().map(|page| (page.path.as_str(), page)).collect();
        for pass in [Pass::Posts, Pass::Others] {
            for &(file, input) in &files {
                let Holds::Documents(format) = self.plan.inputs[file as usize].1 else { continue };
                if pass == Pass::Others && format == Format::Page {
                    continue;
                }
                let path = input.relative();
                let document = DocumentInput { file, path, page_id: pages.get(path).copied() };
                let mut bytes = 0;
                self.pieces(file, None, input, |reader, put| {
                    let mut counted = Counted { inner: reader, bytes: 0 };
                    let (mut batch, mut text) = (Vec::new(), 0);
                    let read = documents::read(format, &document, &mut counted, &mut |item| {
                        let post = matches!(&item, Item::Record(Record::Post(_)) | Item::Dirt(_));
                        if post != (pass == Pass::Posts) {
                            return ControlFlow::Continue(());
                        }
                        if let Item::Record(Record::Post(post)) = &item {
                            text += post.body.len();
                        }
                        batch.push(item);
                        if batch.len() < BATCH && text < BATCH_TEXT {
                            return ControlFlow::Continue(());
                        }
                        text = 0;
                        put(Piece::Items(std::mem::take(&mut batch)))
                    });
                    bytes = counted.bytes;
                    let _ = put(Piece::Items(batch));
                    read
                })?;
                self.bytes[file as usize] = bytes;
            }
        }
        Ok(())
    }

    /// Runs the pieces of a file through all cores and adds what comes out.
    /// Says how many records were counted and not kept.
    fn pieces(
        &mut self,
        file: u32,
        kind: Option<FileKind>,
        input: &Input,
        produce: impl FnOnce(&mut dyn io::BufRead, &mut dyn FnMut(Piece) -> ControlFlow<()>) -> io::Result<()>
        + Send,
    ) -> Result<u64, BuildError> {
        let done = self.done;
        let spans = self.plan.source == Source::Arqmath;
        let dollars = if spans { Dollars::Stray } else { Dollars::Math };
        let dialect = Dialect { comments: if spans { Markup::Html } else { Markup::Markdown } };
        let mut produce = Some(produce);
        let mut passed_over = 0;
        let read = ordered(
            |put| {
                input.read(done, &mut |reader| match produce.take() {
                    Some(produce) => produce(reader, put),
                    None => Ok(()),
                })
            },
            Cleaner::new,
            |cleaner, piece| {
                let mut prepared = Vec::new();
                match piece {
                    Piece::Rows(piece) => {
                        let kind = kind.unwrap_or(FileKind::Posts);
                        piece.each(&mut |found| match found {
                            Found::Dirt(dirt) => prepared.push(Prepared::Dirt(dirt)),
                            Found::Row(at, attributes) => {
                                let mut tell = |dirt| prepared.push(Prepared::Dirt(dirt));
                                match dump::read(kind, dialect, at, attributes, &mut tell) {
                                    Said::Record(record) => {
                                        prepare(cleaner, *record, dollars, &mut |item| prepared.push(item));
                                    }
                                    Said::PassedOver => prepared.push(Prepared::PassedOver),
                                    Said::Nothing => {}
                                }
                            }
                        });
                    }
                    Piece::Items(items) => {
                        for item in items {
                            match item {
                                Item::Record(record) => {
                                    prepare(cleaner, record, dollars, &mut |item| prepared.push(item));
                                }
                                Item::Dirt(dirt) => prepared.push(Prepared::Dirt(dirt)),
                            }
                        }
                    }
                }
                prepared
            },
            |prepared| {
                for item in prepared {
                    match item {
                        Prepared::PassedOver => passed_over += 1,
                        other => self.add(other)?,
                    }
                }
                Ok::<(), BuildError>(())
            },
        )?;
        self.ended(file, read)?;
        Ok(passed_over)
    }

    /// A file that could not be read to its end is said. It ends the build, or what came of it is kept.
    fn ended(&mut self, file: u32, read: io::Result<()>) -> Result<(), BuildError> {
        if let Err(error) = read {
            let at = At { file, line: 0 };
            self.journal.add(&Dirt::new(DirtKind::UnreadableFile, at, "", &error.to_string()))?;
        }
        self.journal.whole()
    }
}

/// Where ids of ours begin in a collection that has its own.
const OUR_IDS: u64 = 1_000_000_001;

/// Counts what is read.
struct Counted<'r> {
    inner: &'r mut dyn io::BufRead,
    bytes: u64,
}

impl io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.bytes += read as u64;
        Ok(read)
    }
}

impl io::BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.bytes += amount as u64;
        self.inner.consume(amount);
    }
}
