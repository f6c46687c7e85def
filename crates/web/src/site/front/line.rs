//! What the log and the metrics are told about a request when its answer has been sent.

use crate::counted::Sent;
use crate::site::state::App;
use axum::http::{Method, StatusCode};
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

impl Sent for Line {
    fn sent(&self, bytes: u64) {
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
