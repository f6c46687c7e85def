//! The pages on which people judge.

use super::app::AssessApp;
use axum::Router;

/// All the pages of assessors.
pub(super) fn routes() -> Router<AssessApp> {
    Router::new()
}
