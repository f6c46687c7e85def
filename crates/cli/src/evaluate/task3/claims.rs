//! The claims of written answers, tested: a row for each run.

use super::entries::Entry;
use super::indicators::Questions;
use ::claims::{Counts, Limits, Status, check};
use figures::table::{Cell, Column, Row, Table};
use serde_json::{Value, json};

/// Counts over the answers of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Claims {
    counts: Counts,
    /// How many answers have a claim.
    with: usize,
    /// How many answers have a claim that fails.
    with_failed: usize,
}

/// Tests the claims of the answers of a run; nothing if their texts are not known.
pub(super) fn count(entry: &Entry, questions: Option<&Questions>) -> Option<Claims> {
    let mut claims = Claims::default();
    for answer in entry.written() {
        let question = questions.and_then(|questions| questions.text(&answer.topic));
        let found = check(&answer.answer, question.as_slice(), Limits::default(), &mut || true);
        claims.counts += Counts::of(&found);
        claims.with += usize::from(!found.is_empty());
        claims.with_failed += usize::from(found.iter().any(|claim| claim.status == Status::Failed));
    }
    (!entry.written().is_empty()).then_some(claims)
}

/// A row for each run.
pub(super) fn table(runs: &[(&str, Claims)]) -> Table {
    let names =
        ["Claims", "Checked", "Failed", "Not checkable", "Answers with claims", "Answers with a failed one"];
    let mut columns = vec![Column::left("Run")];
    columns.extend(names.map(Column::right));
    let row = |(name, claims): &(&str, Claims)| {
        let Counts { checked, failed, not_checkable } = claims.counts;
        let counts = [claims.counts.all(), checked, failed, not_checkable, claims.with, claims.with_failed];
        let mut cells = vec![Cell::text(*name)];
        cells.extend(counts.map(|count| Cell::number(count as f64, 0)));
        Row::Cells(cells)
    };
    let footnotes = vec![
        "A claim is an equality, an inequality or the like that the answer states. Checked: it holds at the values \
         that were tried. Failed: it is clearly violated. Neither says that the answer is right or wrong."
            .to_owned(),
    ];
    let caption = vec!["Claims, tested with numbers".to_owned()];
    Table { caption, columns, rows: runs.iter().map(row).collect(), footnotes }
}

/// The counts by name.
pub(super) fn json(claims: &Claims) -> Value {
    let Counts { checked, failed, not_checkable } = claims.counts;
    json!({
        "checked": checked,
        "failed": failed,
        "not_checkable": not_checkable,
        "answers_with_claims": claims.with,
        "answers_with_failed": claims.with_failed,
    })
}
