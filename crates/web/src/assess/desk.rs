//! The organiser's desk.

use super::app::AssessApp;
use axum::Router;

/// All the pages of organisers.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
}
