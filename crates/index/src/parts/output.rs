//! What a part is built with: a work folder, the file to be, and reports of progress.

use super::{FORMAT, PartAbout};
use crate::error::Error;
use crate::progress::Watch;
use frame::FrameWriter;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Where a part is written.
pub struct PartOutput<'a> {
    about: PartAbout,
    work: &'a Path,
    file: FrameWriter,
    watch: &'a dyn Watch,
}

impl std::fmt::Debug for PartOutput<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PartOutput")
            .field("about", &self.about)
            .field("work", &self.work)
            .finish_non_exhaustive()
    }
}

/// A section that holds a row of the same length for each document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowSection<'a> {
    /// The name of the section.
    pub name: &'a str,
    /// The number of documents.
    pub documents: u32,
    /// The bytes of a row.
    pub bytes: usize,
    /// The number of documents that a worker takes at a time, and that are noted as done together.
    pub batch: u32,
}

impl<'a> PartOutput<'a> {
    /// Begins a file with its section `about`.
    pub(crate) fn create(
        about: PartAbout,
        work: &'a Path,
        target: &Path,
        watch: &'a dyn Watch,
    ) -> Result<Self, Error> {
        let mut file = FrameWriter::create(target, FORMAT)?;
        let text = serde_json::to_vec(&about).expect("names and numbers can be written");
        file.section::<Error>("about", |put| Ok(put(&text)?))?;
        Ok(Self { about, work, file, watch })
    }

    pub(crate) fn finish(self) -> Result<(), Error> {
        self.file.finish()?;
        Ok(())
    }

    /// A folder for unfinished work. After an interruption it is as it was if name, version, settings and
    /// documents are the same, else empty. Names that begin with a dot are reserved.
    #[must_use]
    pub fn work(&self) -> &'a Path {
        self.work
    }

    /// The file, for sections beside `about`.
    pub fn file(&mut self) -> &mut FrameWriter {
        &mut self.file
    }

    /// Reports of progress.
    #[must_use]
    pub fn watch(&self) -> &'a dyn Watch {
        self.watch
    }

    /// Writes a section with a row for each document, on all cores, and resumes after an interruption.
    ///
    /// `old` gives the row of a document that is known already. Each worker gets the other documents of a
    /// batch, at least one, and returns their rows, one after the other.
    ///
    /// # Errors
    ///
    /// When something cannot be written, or a worker fails or returns rows of another length.
    pub fn rows<'o, Worker>(
        &mut self,
        section: RowSection<'_>,
        old: impl Fn(u32) -> Option<&'o [u8]> + Sync,
        new_worker: impl Fn() -> Worker + Sync,
    ) -> Result<(), Error>
    where
        Worker: FnMut(&[u32]) -> Result<Vec<u8>, Error>,
    {
        let RowSection { documents, bytes, .. } = section;
        let mut spool = Spool::open(self.work, section)?;
        let start = spool.next.min(documents);
        self.watch.stage(&self.about.label.name, u64::from(documents));
        self.watch.done(u64::from(start));
        let part = &self.about.label.name;
        let known = |doc| old(doc).filter(|row| row.len() == bytes);
        let new_batch = || {
            let mut worker = new_worker();
            let known = &known;
            move |batch: Range<u32>| {
                let batch = start + batch.start..start + batch.end;
                let missing: Vec<u32> = batch.clone().filter(|doc| known(*doc).is_none()).collect();
                let made = if missing.is_empty() { Vec::new() } else { worker(&missing)? };
                if made.len() != missing.len() * bytes {
                    return Err(Error::part(part, "the rows have a wrong length"));
                }
                let mut made = made.chunks_exact(bytes.max(1));
                let mut rows = Vec::with_capacity(batch.len() * bytes);
                for doc in batch.clone() {
                    rows.extend_from_slice(known(doc).or_else(|| made.next()).unwrap_or_default());
                }
                Ok((batch.end, rows))
            }
        };
        parallel::batches(documents - start, section.batch.max(1), new_batch, |(next, rows)| {
            spool.add(next, &rows)?;
            self.watch.done(u64::from(next));
            Ok::<_, Error>(())
        })?;
        spool.write(section.name, &mut self.file)
    }
}

/// Rows on disk, and a journal that says after each batch how many are there.
struct Spool {
    rows: File,
    path: PathBuf,
    journal: File,
    journal_path: PathBuf,
    /// The first document without a row.
    next: u32,
}

/// A line of the journal: the document after the batch, the checksum of its rows, and that of the line.
const LINE: usize = 4 + 8 + 8;

impl Spool {
    fn open(work: &Path, section: RowSection<'_>) -> Result<Self, Error> {
        let path = work.join(format!("{}.rows", section.name));
        let journal_path = work.join(format!("{}.journal", section.name));
        let (next, lines) = replay(&path, &journal_path, section.bytes);
        let append = |path: &Path, length: usize| {
            let mut file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(false)
                .open(path)
                .map_err(Error::io(path))?;
            file.set_len(length as u64).map_err(Error::io(path))?;
            file.seek(SeekFrom::End(0)).map_err(Error::io(path))?;
            Ok::<_, Error>(file)
        };
        let rows = append(&path, next as usize * section.bytes)?;
        let journal = append(&journal_path, lines * LINE)?;
        Ok(Self { rows, path, journal, journal_path, next })
    }

    fn add(&mut self, next: u32, rows: &[u8]) -> Result<(), Error> {
        self.rows.write_all(rows).map_err(Error::io(&self.path))?;
        let mut line = [0; LINE];
        line[..4].copy_from_slice(&next.to_le_bytes());
        line[4..12].copy_from_slice(&xxh3_64(rows).to_le_bytes());
        let checksum = xxh3_64(&line[..12]);
        line[12..].copy_from_slice(&checksum.to_le_bytes());
        self.next = next;
        self.journal.write_all(&line).map_err(Error::io(&self.journal_path))
    }

    /// Copies the rows into a section. They stay until the file is whole: making them again may take long.
    fn write(self, section: &str, file: &mut FrameWriter) -> Result<(), Error> {
        let Self { rows, path, .. } = self;
        drop(rows);
        let mut rows = File::open(&path).map_err(Error::io(&path))?;
        let mut buffer = vec![0; 1 << 18];
        file.section::<Error>(section, |put| {
            loop {
                match rows.read(&mut buffer).map_err(Error::io(&path))? {
                    0 => return Ok(()),
                    read => put(&buffer[..read])?,
                }
            }
        })?;
        Ok(())
    }
}

/// How far rows are there as the journal says: the first document without a row, and the valid lines.
fn replay(path: &Path, journal: &Path, bytes: usize) -> (u32, usize) {
    let (Ok(rows), Ok(journal)) = (frame::map(path), fs::read(journal)) else { return (0, 0) };
    let (mut next, mut lines) = (0_u32, 0);
    for line in journal.chunks_exact(LINE) {
        let (front, checksum) = line.split_at(12);
        let end = u32::from_le_bytes(front[..4].try_into().expect("four bytes"));
        let batch = rows.get(next as usize * bytes..end as usize * bytes);
        let whole = checksum == xxh3_64(front).to_le_bytes()
            && batch.is_some_and(|batch| front[4..] == xxh3_64(batch).to_le_bytes());
        if !whole {
            break;
        }
        (next, lines) = (end, lines + 1);
    }
    (next, lines)
}
