//! Reads all of the index that is served, beside the searches, and compares it with its checksums.
//!
//! Searches compare what they read themselves, so they never give anything wrong; this finds damage that no
//! search has met yet, and says so once.

use crate::site::state::Served;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Bytes read before a pause, in which other programs can use the disk.
const STEP: u64 = 1 << 20;
const PAUSE: Duration = Duration::from_millis(1);

/// Begins to check an index, on a thread that ends with the process.
pub(crate) fn begin(served: Arc<Served>) {
    let checking = thread::Builder::new().name("checking".to_owned()).spawn(move || check(&served));
    if let Err(cause) = checking {
        tracing::error!(%cause, "the index is not checked in the background");
    }
}

/// Checks an index until the end, or until nobody else holds it any more.
pub(crate) fn check(served: &Arc<Served>) {
    let start = Instant::now();
    let index = served.engine.index();
    let (mut since, mut swapped) = (0, false);
    let checked = index.check_slowly(|bytes| {
        served.add_checked(bytes);
        since += bytes;
        if since >= STEP {
            since = 0;
            swapped = Arc::strong_count(served) == 1;
            thread::sleep(PAUSE);
        }
        !swapped
    });
    if checked.is_ok() && !swapped {
        // Tables and what lies between sections were checked when the files were opened.
        served.add_checked(index.size().saturating_sub(served.checked()));
    }
    let (generation, bytes) = (index.generation(), served.checked());
    let milliseconds = start.elapsed().as_millis();
    match checked {
        Err(cause) => {
            let sections = index.num_damaged();
            tracing::error!(generation, sections, %cause, "the index is damaged; requests are refused");
        }
        Ok(()) if swapped => {}
        Ok(()) => {
            tracing::info!(
                generation,
                bytes,
                milliseconds,
                "the index is as it was written: all checksums match"
            );
        }
    }
}
