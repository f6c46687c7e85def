//! Answers that are written while they are sent, for what is too large to be held or takes long to make.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::Frame;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// So many pieces wait to be sent.
const WAITING: usize = 4;
/// So long a piece is, about.
const PIECE: usize = 64 << 10;

struct Streamed(Receiver<io::Result<Bytes>>);

impl HttpBody for Streamed {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        let piece = ready!(self.0.poll_recv(context));
        Poll::Ready(piece.map(|piece| piece.map(Frame::data)))
    }
}

/// Takes what is written and sends it; fails when nobody waits for it any more.
pub(crate) struct Sending {
    sender: Sender<io::Result<Bytes>>,
    piece: Vec<u8>,
}

impl Write for Sending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = Bytes::from(std::mem::take(&mut self.piece));
        self.sender.blocking_send(Ok(piece)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// A body that `write` writes on a thread of its own. If it fails, the answer breaks off, so that nobody
/// takes a part for the whole.
pub(crate) fn streamed(write: impl FnOnce(&mut Sending) -> Result<(), String> + Send + 'static) -> Body {
    let (sender, receiver) = channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let mut sending = Sending { sender: sender.clone(), piece: Vec::new() };
        let written = write(&mut sending).and_then(|()| sending.flush().map_err(|error| error.to_string()));
        if let Err(cause) = written {
            // Who does not wait any more is not told.
            if !sender.is_closed() {
                tracing::error!(cause, "an answer broke off");
            }
            let _ = sender.blocking_send(Err(io::Error::other(cause)));
        }
    });
    Body::new(Streamed(receiver))
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    #[tokio::test]
    async fn all_comes_or_it_breaks_off() {
        let long = "x".repeat(300_000);
        let expected = long.clone();
        let body = streamed(move |out| out.write_all(long.as_bytes()).map_err(|error| error.to_string()));
        assert_eq!(body.collect().await.unwrap().to_bytes(), expected.as_bytes());
        let body = streamed(|out| {
            out.write_all(b"half").map_err(|error| error.to_string())?;
            Err("no more".to_owned())
        });
        assert!(body.collect().await.is_err());
    }
}
