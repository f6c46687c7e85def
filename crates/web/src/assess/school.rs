//! The assessors' school.

use super::app::AssessApp;
use axum::Router;

/// All the pages of the school.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
}
