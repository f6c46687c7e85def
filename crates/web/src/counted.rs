//! The body of an answer, which tells when it has been sent.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};

/// What is told when an answer has been sent.
pub(crate) trait Sent: Unpin {
    /// It has been sent, with so many bytes.
    fn sent(&self, bytes: u64);
}

/// A body that is counted.
pub(crate) struct CountedBody<L: Sent> {
    body: Body,
    bytes: u64,
    line: L,
}

impl<L: Sent> CountedBody<L> {
    pub(crate) fn new(body: Body, line: L) -> Self {
        Self { body, bytes: 0, line }
    }
}

impl<L: Sent> HttpBody for CountedBody<L> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            self.bytes += frame.data_ref().map_or(0, |data| data.len() as u64);
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<L: Sent> Drop for CountedBody<L> {
    /// It is dropped when all is sent, and when the client has gone away.
    fn drop(&mut self) {
        self.line.sent(self.bytes);
    }
}
