//! A body that is sent as it is made, so that a table of any length is never whole in memory.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::Frame;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// What is made and not yet sent: so many pieces wait at most.
const WAITING: usize = 8;

/// Where pieces of a body are put.
pub(super) type Pieces = mpsc::Sender<Result<Bytes, BrokenOff>>;

/// The table could not be finished; the log has been told why.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("the table broke off")]
pub(super) struct BrokenOff;

/// A body, and where its pieces are put.
pub(super) fn body() -> (Pieces, Body) {
    let (sender, receiver) = mpsc::channel(WAITING);
    (sender, Body::new(Rows(receiver)))
}

struct Rows(mpsc::Receiver<Result<Bytes, BrokenOff>>);

impl HttpBody for Rows {
    type Data = Bytes;
    type Error = BrokenOff;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BrokenOff>>> {
        self.0.poll_recv(context).map(|piece| piece.map(|piece| piece.map(Frame::data)))
    }
}
