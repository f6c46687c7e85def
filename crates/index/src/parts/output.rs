//! What a part is built with: a work folder, the file to be, and reports of progress.

use super::{FORMAT, PartAbout};
use crate::error::Error;
use crate::progress::Watch;
use frame::{FrameWriter, Put};
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

/// A section that holds any number of rows of the same length for each document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListSection<'a> {
    /// The name of the section. A second one, with `-ends` behind the name, says where the rows of each document
    /// end.
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
    /// batch, at least one, and returns their rows, one after the other. Says where in the file the rows lie.
    ///
    /// # Errors
    ///
    /// When something cannot be written, or a worker fails or returns rows of another length.
    pub fn rows<'o, Worker>(
        &mut self,
        section: RowSection<'_>,
        old: impl Fn(u32) -> Option<&'o [u8]> + Sync,
        new_worker: impl Fn() -> Worker + Sync,
    ) -> Result<Range<usize>, Error>
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

    /// Writes a section that is made from bytes of the file itself, such as those of a section before it. They are
    /// mapped, not read into memory.
    ///
    /// # Errors
    ///
    /// When something cannot be written or mapped, or `write` fails.
    pub fn derived(
        &mut self,
        section: &str,
        from: Range<usize>,
        write: impl FnOnce(&[u8], &mut Put<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        self.file.flush()?;
        let written = frame::map(self.file.path())?;
        let from =
            written.get(from).ok_or_else(|| Error::part(section, "what it is made from is missing"))?;
        self.file.section::<Error>(section, |put| write(from, put))?;
        Ok(())
    }

    /// Writes a section with any number of rows for each document, as [`PartOutput::rows`] does with one:
    /// workers return the rows of each document, one after the other. Says where in the file the rows lie.
    ///
    /// # Errors
    ///
    /// When something cannot be written, or a worker fails or returns something that is not made of rows.
    pub fn lists<'o, Worker>(
        &mut self,
        section: ListSection<'_>,
        old: impl Fn(u32) -> Option<&'o [u8]> + Sync,
        new_worker: impl Fn() -> Worker + Sync,
    ) -> Result<Range<usize>, Error>
    where
        Worker: FnMut(&[u32]) -> Result<Vec<Vec<u8>>, Error>,
    {
        let ListSection { documents, bytes, .. } = section;
        let mut spool = ListSpool::open(self.work, section.name)?;
        let start = spool.next.min(documents);
        self.watch.stage(&self.about.label.name, u64::from(documents));
        self.watch.done(u64::from(start));
        let part = &self.about.label.name;
        let is_list = |rows: &[u8]| rows.len().is_multiple_of(bytes.max(1));
        let known = |doc| old(doc).filter(|rows| is_list(rows));
        let new_batch = || {
            let mut worker = new_worker();
            let (known, is_list) = (&known, &is_list);
            move |batch: Range<u32>| {
                let batch = start + batch.start..start + batch.end;
                let missing: Vec<u32> = batch.clone().filter(|doc| known(*doc).is_none()).collect();
                let made = if missing.is_empty() { Vec::new() } else { worker(&missing)? };
                if made.len() != missing.len() || !made.iter().all(|rows| is_list(rows)) {
                    return Err(Error::part(part, "the rows have a wrong length"));
                }
                let mut made = made.iter().map(Vec::as_slice);
                let lists: Vec<&[u8]> =
                    batch.clone().filter_map(|doc| known(doc).or_else(|| made.next())).collect();
                let counts = lists.iter().flat_map(|rows| ((rows.len() / bytes.max(1)) as u32).to_le_bytes());
                let mut bytes: Vec<u8> = counts.collect();
                bytes.extend(lists.iter().flat_map(|rows| rows.iter()));
                Ok((batch.end, bytes))
            }
        };
        parallel::batches(documents - start, section.batch.max(1), new_batch, |(next, batch)| {
            spool.add(next, &batch)?;
            self.watch.done(u64::from(next));
            Ok::<_, Error>(())
        })?;
        spool.write(section, &mut self.file)
    }
}

/// Lists of rows on disk, batch by batch: how many rows each document has, then the rows.
struct ListSpool {
    batches: File,
    path: PathBuf,
    journal: File,
    journal_path: PathBuf,
    /// The first document without a list.
    next: u32,
    /// The number of documents and bytes of each batch.
    lengths: Vec<(u32, u64)>,
}

/// A line of the journal of lists: the document after the batch, the bytes of the batch, their checksum, and that
/// of the line.
const LIST_LINE: usize = 4 + 8 + 8 + 8;

impl ListSpool {
    fn open(work: &Path, name: &str) -> Result<Self, Error> {
        let path = work.join(format!("{name}.lists"));
        let journal_path = work.join(format!("{name}.lists-journal"));
        let lengths = replay_lists(&path, &journal_path);
        let batches = append(&path, lengths.iter().map(|(_, bytes)| bytes).sum())?;
        let journal = append(&journal_path, (lengths.len() * LIST_LINE) as u64)?;
        let next = lengths.iter().map(|(documents, _)| documents).sum();
        Ok(Self { batches, path, journal, journal_path, next, lengths })
    }

    fn add(&mut self, next: u32, batch: &[u8]) -> Result<(), Error> {
        self.batches.write_all(batch).map_err(Error::io(&self.path))?;
        let mut line = [0; LIST_LINE];
        line[..4].copy_from_slice(&next.to_le_bytes());
        line[4..12].copy_from_slice(&(batch.len() as u64).to_le_bytes());
        line[12..20].copy_from_slice(&xxh3_64(batch).to_le_bytes());
        let checksum = xxh3_64(&line[..20]);
        line[20..].copy_from_slice(&checksum.to_le_bytes());
        self.journal.write_all(&line).map_err(Error::io(&self.journal_path))?;
        self.lengths.push((next - self.next, batch.len() as u64));
        self.next = next;
        Ok(())
    }

    /// Copies the lists into two sections: the rows of all documents, and where those of each end.
    fn write(self, section: ListSection<'_>, file: &mut FrameWriter) -> Result<Range<usize>, Error> {
        let Self { batches, path, lengths, .. } = self;
        drop(batches);
        let mut ends: Vec<u8> = Vec::new();
        let mut end = 0_u32;
        let mut batches = File::open(&path).map_err(Error::io(&path))?;
        let rows = file.section::<Error>(section.name, |put| {
            let mut batch = Vec::new();
            for (documents, bytes) in lengths {
                batch.resize(usize::try_from(bytes).unwrap_or(usize::MAX), 0);
                batches.read_exact(&mut batch).map_err(Error::io(&path))?;
                let (counts, rows) = batch.split_at(documents as usize * 4);
                for count in counts.chunks_exact(4) {
                    let count = u32::from_le_bytes(count.try_into().expect("four bytes"));
                    end = end
                        .checked_add(count)
                        .ok_or_else(|| Error::part(section.name, "there are too many rows"))?;
                    ends.extend_from_slice(&end.to_le_bytes());
                }
                put(rows)?;
            }
            Ok(())
        })?;
        file.section::<Error>(&ends_name(section.name), |put| Ok(put(&ends)?))?;
        Ok(rows.range)
    }
}

/// The section that says where the rows of each document end.
pub(super) fn ends_name(section: &str) -> String {
    format!("{section}-ends")
}

/// How far lists are there as the journal says: the documents and bytes of each whole batch.
fn replay_lists(path: &Path, journal: &Path) -> Vec<(u32, u64)> {
    let (Ok(batches), Ok(journal)) = (frame::map(path), fs::read(journal)) else { return Vec::new() };
    let (mut next, mut at) = (0_u32, 0_usize);
    let mut lengths = Vec::new();
    for line in journal.chunks_exact(LIST_LINE) {
        let (front, checksum) = line.split_at(20);
        let end = u32::from_le_bytes(front[..4].try_into().expect("four bytes"));
        let length = u64::from_le_bytes(front[4..12].try_into().expect("eight bytes"));
        let stop = usize::try_from(length).ok().and_then(|length| at.checked_add(length));
        let batch = stop.and_then(|stop| batches.get(at..stop));
        let whole = checksum == xxh3_64(front).to_le_bytes()
            && end >= next
            && batch.is_some_and(|batch| {
                batch.len() >= (end - next) as usize * 4 && front[12..] == xxh3_64(batch).to_le_bytes()
            });
        let (Some(stop), true) = (stop, whole) else { break };
        lengths.push((end - next, length));
        (next, at) = (end, stop);
    }
    lengths
}

/// Opens a file to write on from a place.
fn append(path: &Path, length: u64) -> Result<File, Error> {
    let open = OpenOptions::new().write(true).create(true).truncate(false).open(path);
    let mut file = open.map_err(Error::io(path))?;
    file.set_len(length).map_err(Error::io(path))?;
    file.seek(SeekFrom::End(0)).map_err(Error::io(path))?;
    Ok(file)
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
        let rows = append(&path, u64::from(next) * section.bytes as u64)?;
        let journal = append(&journal_path, (lines * LINE) as u64)?;
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
    fn write(self, section: &str, file: &mut FrameWriter) -> Result<Range<usize>, Error> {
        let Self { rows, path, .. } = self;
        drop(rows);
        let mut made = File::open(&path).map_err(Error::io(&path))?;
        let mut buffer = vec![0; 1 << 18];
        let rows = file.section::<Error>(section, |put| {
            loop {
                match made.read(&mut buffer).map_err(Error::io(&path))? {
                    0 => return Ok(()),
                    read => put(&buffer[..read])?,
                }
            }
        })?;
        Ok(rows.range)
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
