//! A post as a result.

use crate::site::pages::{Accepted, Link, why};
use crate::view::{Formulas, Html, Pen, Search, View, day, encode, marked, number_of, votes};
use retrieve::people::{FoundPost, Standing};
use retrieve::typed::Typed;
use store::PostKind;

/// A post as it is shown.
pub(crate) struct HitView {
    pub(crate) rank: usize,
    pub(crate) address: String,
    /// The address of its thread.
    pub(crate) thread: String,
    pub(crate) title: Html,
    pub(crate) kind: &'static str,
    pub(crate) accepted: Accepted,
    pub(crate) votes: String,
    /// For people and for machines.
    pub(crate) day: (String, String),
    pub(crate) user: String,
    pub(crate) tags: Vec<Link>,
    pub(crate) snippet: Html,
    pub(crate) others: Vec<HitView>,
    /// What is said about posts of the thread that are not shown.
    pub(crate) more: String,
    pub(crate) why: Html,
}

/// Makes a result ready to be shown.
pub(crate) fn shown(pen: &mut Pen, search: &Search, typed: &Typed, hit: &FoundPost) -> HitView {
    let mut view = bare(pen, hit, Formulas::Links);
    view.tags =
        hit.tags
            .iter()
            .map(|tag| {
                let other = if search.q.is_empty() && search.f.is_empty() {
                    Search { q: format!("tag:{tag}"), page: 1, ..Search::default() }
                } else {
                    search.viewed(search.view).narrowed(typed, &format!("tag:{tag}"))
                };
                let known = typed.filters.iter().any(
                    |filter| matches!(&filter.filter, retrieve::typed::Filter::Tag(known) if known == tag),
                );
                Link::new(if known { search.paged(1).address() } else { other.address() }, tag)
            })
            .collect();
    view.why = why::why(pen, typed, hit);
    if search.view == View::Threads {
        view.others = hit.others.iter().map(|other| bare(pen, other, Formulas::Low)).collect();
        let hidden = hit.num_others.saturating_sub(hit.others.len());
        if hidden > 0 {
            view.more = format!("and {} more in this thread", number_of(hidden));
        }
    }
    view
}

/// A result without what depends on the query.
pub(crate) fn bare(pen: &mut Pen, hit: &FoundPost, formulas: Formulas) -> HitView {
    let thread = format!("/thread/{}", encode(hit.question_id.as_deref().unwrap_or(&hit.id)));
    let mut title = marked(pen, &hit.title, &hit.why.formulas, Formulas::Plain);
    let kind = match hit.kind {
        PostKind::Question => "Question",
        PostKind::Answer => "Answer",
        _ => "Document",
    };
    if title.as_str().trim().is_empty() {
        title = Html::text(&hit.label());
    }
    HitView {
        rank: hit.rank,
        address: format!("{thread}#post-{}", encode(&hit.id)),
        thread,
        title,
        kind,
        accepted: if hit.standing == Standing::Accepted { Accepted::Yes } else { Accepted::No },
        votes: hit.votes.map(votes).unwrap_or_default(),
        day: hit.date.map(day).unwrap_or_default(),
        user: hit.user.as_deref().map(author).unwrap_or_default(),
        tags: Vec::new(),
        snippet: marked(pen, &hit.snippet, &hit.why.formulas, formulas),
        others: Vec::new(),
        more: String::new(),
        why: Html::default(),
    }
}

/// Who wrote it; a number alone would say nothing.
fn author(user: &str) -> String {
    if user.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        format!("user {user}")
    } else {
        user.to_owned()
    }
}
