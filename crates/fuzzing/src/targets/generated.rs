//! What the servers of language models send.

use crate::Outcome;
use generate::sse::{EventReader, SseError};

const LIMIT: usize = 64;

/// Streams of events from any bytes: where they are cut makes no difference, and nothing grows beyond the
/// limit. The first byte says how they are cut.
pub fn sse(bytes: &[u8]) -> Outcome {
    let Some((&length, stream)) = bytes.split_first() else { return Outcome::Refused };
    let whole = read(stream, stream.len().max(1));
    assert_eq!(read(stream, usize::from(length) + 1), whole);
    assert!(whole.0.iter().all(|event| event.len() <= LIMIT));
    if whole.1.is_none() { Outcome::Read } else { Outcome::Refused }
}

fn read(stream: &[u8], length: usize) -> (Vec<String>, Option<SseError>) {
    let (mut reader, mut events) = (EventReader::new(LIMIT), Vec::new());
    for piece in stream.chunks(length) {
        if let Err(error) = reader.push(piece, &mut events) {
            return (events, Some(error));
        }
    }
    let error = reader.finish(&mut events).err();
    (events, error)
}
