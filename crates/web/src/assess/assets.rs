//! Files that the pages of the assessment site load.

use super::{Answer, AssessError};
use crate::assets::{Assets, SCRIPT, STYLE, given, made};
use axum::extract::Path;
use axum::response::Redirect;
use std::sync::LazyLock;

static ASSETS: LazyLock<Assets> = LazyLock::new(|| {
    let school = format!("{}{}", figures::chart::STYLE, include_str!("../../assets/school.css"));
    let desk = format!("{}{}", figures::chart::STYLE, include_str!("../../assets/desk.css"));
    Assets::new(vec![
        given("assess.css", STYLE, include_str!("../../assets/assess.css")),
        made("school.css", STYLE, school),
        given("judge.css", STYLE, include_str!("../../assets/judge.css")),
        given("judge.js", SCRIPT, include_str!("../../assets/judge.js")),
        given("judge-clock.js", SCRIPT, include_str!("../../assets/judge-clock.js")),
        given("judge-keys.js", SCRIPT, include_str!("../../assets/judge-keys.js")),
        given("judge-sheet.js", SCRIPT, include_str!("../../assets/judge-sheet.js")),
        given("judge-outbox.js", SCRIPT, include_str!("../../assets/judge-outbox.js")),
        made("desk.css", STYLE, desk),
        given("desk.js", SCRIPT, include_str!("../../assets/desk.js")),
    ])
});

/// The address of a file.
pub(crate) fn address(name: &str) -> String {
    ASSETS.address(name)
}

/// Gives a file.
pub(super) async fn asset(Path((hash, name)): Path<(String, String)>) -> Answer {
    ASSETS.file(&hash, &name).ok_or_else(|| AssessError::NotFound("such file".to_owned()))
}

/// The icon by its old address.
pub(super) async fn favicon() -> Redirect {
    ASSETS.favicon()
}
