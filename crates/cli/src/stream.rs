//! Many formulas through all cores, in order and in bounded memory.
//!
//! One thread cuts the input into batches, which go through `parallel::ordered_on`.
//! What was mended in the input is counted on the way and reported once.

use crate::engine::Engine;
use crate::input::{Columns, Item, Source, Stream};
use crate::progress::Progress;
use crate::records::{Batch, Record};
use crate::warn;
use anyhow::{Context, Result};
use std::borrow::Cow;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// How long to wait for input before looking whether the results are still wanted.
const PATIENCE: Duration = Duration::from_millis(100);

/// Gives every formula of `source` to `work`, with the engine of its thread; it
/// adds to the result of its batch, and the results go to `sink`, in the order
/// of the input. What was wrong with the input is said once, at the end.
pub(crate) fn each<T, W, S>(source: Source, threads: NonZeroUsize, work: W, mut sink: S) -> Result<()>
where
    T: Default + Send,
    W: Fn(&mut Engine, &Item<'_>, &mut T) + Sync,
    S: FnMut(T) -> Result<()>,
{
    match source {
        Source::Given(formulas) => {
            let mut engine = Engine::default();
            let mut result = T::default();
            for (formula, number) in formulas.into_iter().zip(1_u64..) {
                let item =
                    Item { id: number.to_string().into(), formula: Cow::Owned(formula), extra: Vec::new() };
                work(&mut engine, &item, &mut result);
                if engine.take_unread() {
                    warn(&format!("formula {number} could not be read, so it has no tree"));
                }
            }
            sink(result)
        }
        Source::Stream(stream) => {
            let name = stream.name.clone();
            let mut progress = Progress::new(stream.total);
            let mut dirt = Dirt::default();
            through(stream, threads, work, |done| {
                dirt.add(&done.dirt);
                sink(done.result)?;
                progress.advance(done.bytes);
                Ok(())
            })?;
            drop(progress);
            dirt.report(&name);
            Ok(())
        }
    }
}

/// What a worker makes of a batch.
struct Done<T> {
    result: T,
    dirt: Dirt,
    bytes: u64,
}

/// Sends the batches of a stream through `work` and gives the results to `sink`, in order.
fn through<T, W, S>(stream: Stream, threads: NonZeroUsize, work: W, mut sink: S) -> Result<()>
where
    T: Default + Send,
    W: Fn(&mut Engine, &Item<'_>, &mut T) + Sync,
    S: FnMut(Done<T>) -> Result<()>,
{
    let Stream { name, mut reader, columns, .. } = stream;
    let (to_pool, batches) = sync_channel::<io::Result<Batch>>(1);
    // Nobody waits for this thread: it may be waiting for input that never comes, and ends with the program.
    thread::spawn(move || {
        while let Some(batch) = reader.read_batch().transpose() {
            let is_last = batch.is_err();
            if to_pool.send(batch).is_err() || is_last {
                break;
            }
        }
    });
    let failed = &AtomicBool::new(false);
    let produce = move |put: &mut dyn FnMut(Batch) -> ControlFlow<()>| {
        loop {
            match batches.recv_timeout(PATIENCE) {
                Ok(batch) => {
                    if put(batch?).is_break() {
                        return Ok(());
                    }
                }
                Err(RecvTimeoutError::Timeout) if failed.load(Ordering::Relaxed) => return Ok(()),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    };
    let process = |engine: &mut Engine, batch: Batch| {
        let _guard = OnPanic(failed);
        process(&batch, columns.as_ref(), |item, result| {
            work(engine, item, result);
            engine.take_unread()
        })
    };
    let read = parallel::ordered_on(threads, produce, Engine::default, process, |done| {
        let _guard = OnPanic(failed);
        let sunk = sink(done);
        failed.store(sunk.is_err(), Ordering::Relaxed);
        sunk
    });
    read?.with_context(|| name)
}

/// Tells the producer, which may be waiting for input, that nobody wants it any more.
struct OnPanic<'f>(&'f AtomicBool);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Works through a batch; `work` says whether the formula could not be read.
fn process<T: Default>(
    batch: &Batch,
    columns: Option<&Columns>,
    mut work: impl FnMut(&Item<'_>, &mut T) -> bool,
) -> Done<T> {
    let mut done = Done { result: T::default(), dirt: Dirt::default(), bytes: batch.len() as u64 };
    for record in batch.records() {
        let item = item(record, columns, &mut done.dirt);
        if work(&item, &mut done.result) {
            done.dirt.unread.add(record.line);
        }
    }
    done
}

fn item<'r>(record: Record<'r>, columns: Option<&Columns>, dirt: &mut Dirt) -> Item<'r> {
    let number = || Cow::Owned(record.number.to_string());
    let Some(columns) = columns else {
        let formula = text(Cow::Borrowed(record.bytes), record.line, dirt);
        return Item { id: number(), formula, extra: Vec::new() };
    };
    let selected = columns.select(record.bytes);
    if selected.surplus {
        dirt.long_rows.add(record.line);
    }
    let mut field = |field: Option<Cow<'r, [u8]>>| match field {
        Some(bytes) => Some(text(bytes, record.line, dirt)),
        None => {
            dirt.short_rows.add(record.line);
            None
        }
    };
    let formula = field(selected.formula).unwrap_or_default();
    let id = if columns.has_id() { field(selected.id).unwrap_or_else(number) } else { number() };
    let extra = selected.extra.into_iter().map(|value| field(value).unwrap_or_default()).collect();
    Item { id, formula, extra }
}

/// Bytes as text; those that are none become U+FFFD and are counted.
fn text<'r>(bytes: Cow<'r, [u8]>, line: u64, dirt: &mut Dirt) -> Cow<'r, str> {
    let text = match bytes {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => match String::from_utf8(bytes) {
            Ok(text) => return Cow::Owned(text),
            Err(error) => Cow::Owned(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        },
    };
    if let Cow::Owned(_) = text {
        dirt.invalid_utf8.add(line);
    }
    text
}

/// What was wrong with the input and got mended.
#[derive(Debug, Default)]
struct Dirt {
    invalid_utf8: Places,
    short_rows: Places,
    long_rows: Places,
    unread: Places,
}

impl Dirt {
    fn add(&mut self, other: &Self) {
        self.invalid_utf8.join(other.invalid_utf8);
        self.short_rows.join(other.short_rows);
        self.long_rows.join(other.long_rows);
        self.unread.join(other.unread);
    }

    fn report(&self, name: &str) {
        let cases = [
            (self.invalid_utf8, "field", "with bytes that are not UTF-8, each read as U+FFFD"),
            (self.short_rows, "field", "missing because its row is shorter than the header, read as empty"),
            (self.long_rows, "row", "longer than the header, what is beyond it left out"),
            (self.unread, "formula", "that could not be read and so without a tree"),
        ];
        for (Places { count, first }, thing, what) in cases {
            let plural = if count == 1 { "" } else { "s" };
            if count > 0 {
                warn(&format!("{name}: {count} {thing}{plural} {what} (first in line {first})"));
            }
        }
    }
}

/// How often something happened, and on which line first.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Places {
    pub(crate) count: u64,
    pub(crate) first: u64,
}

impl Places {
    pub(crate) fn add(&mut self, line: u64) {
        self.join(Self { count: 1, first: line });
    }

    /// Adds what happened further down.
    pub(crate) fn join(&mut self, later: Self) {
        if self.count == 0 {
            self.first = later.first;
        }
        self.count += later.count;
    }
}
