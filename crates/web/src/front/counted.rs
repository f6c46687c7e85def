//! The body of an answer, which tells the log and the metrics when it has been sent.

use crate::state::App;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Method, StatusCode};
use hyper::body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

/// What the log says about a request.
pub(super) struct Line {
    pub(super) app: App,
    pub(super) method: Method,
    pub(super) route: String,
    pub(super) status: StatusCode,
    pub(super) start: Instant,
    pub(super) id: String,
    pub(super) generation: u64,
    pub(super) query: Option<String>,
}

impl Line {
    fn write(&self, bytes: u64) {
        let duration = self.start.elapsed();
        self.app.metrics().answered(&self.route, self.status.as_u16(), duration, bytes);
        let milliseconds = (duration.as_secs_f64() * 1e5).round() / 100.0;
        tracing::info!(
            method = self.method.as_str(),
            route = self.route,
            status = self.status.as_u16(),
            milliseconds,
            bytes,
            id = self.id,
            generation = self.generation,
            query = self.query,
            "answered"
        );
    }
}

/// A body that is counted.
pub(super) struct CountedBody {
    body: Body,
    bytes: u64,
    line: Line,
}

impl CountedBody {
    pub(super) fn new(body: Body, line: Line) -> Self {
        Self { body, bytes: 0, line }
    }
}

impl HttpBody for CountedBody {
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

impl Drop for CountedBody {
    /// It is dropped when all is sent, and when the client has gone away.
    fn drop(&mut self) {
        self.line.write(self.bytes);
    }
}
