//! Asking before something is done to several batches at once.

use super::Pairs;
use crate::assess::{Answer, AssessApp, Person, page};
use crate::view::count;
use askama::Template;
use assess::AccountNo;

#[derive(Template)]
#[template(path = "assess/desk/confirm.html")]
struct ConfirmPage {
    person: Person,
    /// What would be done, as a question.
    question: String,
    /// What follows from it.
    about: &'static str,
    /// The words on the button.
    action: String,
    /// All that was sent, to be sent again.
    fields: Vec<(String, String)>,
    /// Where to go back to.
    back: String,
}

impl ConfirmPage {
    fn here(&self) -> &'static str {
        "desk"
    }

    fn tab(&self) -> &'static str {
        "batches"
    }
}

/// Whether something is done to several batches and nobody has said yes to it yet.
pub(super) fn asks_first(sent: &Pairs) -> bool {
    let known = matches!(sent.get("action"), "give" | "take" | "withdraw");
    let complete = sent.get("action") != "give" || sent.number::<i64>("to").is_some();
    known && complete && sent.all("pick").count() > 1 && sent.get("sure") != "yes"
}

/// The page that asks.
pub(super) async fn confirm(app: &AssessApp, person: Person, sent: &Pairs, back: String) -> Answer {
    let batches = count(sent.all("pick").count(), "batch", "batches");
    let (question, about, action) = match sent.get("action") {
        "give" => {
            let to = sent.number("to").map_or(AccountNo(0), AccountNo);
            let name = app.read(move |books| Ok(books.account(to)?.name)).await?;
            (
                format!("Give {batches} to {name}?"),
                "Batches that somebody else has open are taken from them; their judgments stay.",
                format!("Give {batches}"),
            )
        }
        "take" => (
            format!("Take {batches} back?"),
            "They return to the queue; judgments made so far stay.",
            format!("Take {batches} back"),
        ),
        _ => (
            format!("Withdraw {batches}?"),
            "Nobody can take them any more. Assessors who have one open may finish it.",
            format!("Withdraw {batches}"),
        ),
    };
    let fields = sent.0.iter().filter(|(name, _)| name != "csrf" && name != "sure").cloned().collect();
    page(&ConfirmPage { person, question, about, action, fields, back })
}
