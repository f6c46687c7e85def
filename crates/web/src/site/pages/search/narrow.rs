//! Filters: those that are active, those that could be, and what notes suggest.

use crate::site::pages::{Current, Link};
use crate::view::{Search, number_of};
use retrieve::people::{Facet, FacetValue};
use retrieve::typed::{Must, Note, Typed, TypedFilter};

/// A filter of the query; the link takes it away.
pub(crate) struct Chip {
    pub(crate) text: String,
    pub(crate) address: String,
}

/// A way to narrow results down.
pub(crate) struct FacetView {
    pub(crate) title: &'static str,
    /// Those that are shown at once.
    pub(crate) values: Vec<ValueView>,
    /// The others.
    pub(crate) more: Vec<ValueView>,
}

/// One of its values.
pub(crate) struct ValueView {
    pub(crate) label: String,
    pub(crate) count: String,
    pub(crate) address: String,
    pub(crate) current: Current,
}

/// Something to know, perhaps with something to do about it.
pub(crate) struct NoteView {
    pub(crate) about: String,
    pub(crate) message: String,
    pub(crate) link: Option<Link>,
}

/// So many values of a facet are shown at once.
const MOST: usize = 8;
/// What the note says that gives no reason.
const NOTHING: &str = "nothing was found";

/// The filters of a query.
pub(super) fn chips(search: &Search, typed: &Typed) -> Vec<Chip> {
    let chip = |filter: &TypedFilter| {
        let text = search.q.get(filter.span.clone())?;
        let sign = if filter.must == Must::MustNot { "-" } else { "" };
        Some(Chip { text: format!("{sign}{text}"), address: search.without(&filter.span).address() })
    };
    typed.filters.iter().filter_map(chip).collect()
}

/// Facets as links that add a filter, or take it away if it is active.
pub(super) fn facets(search: &Search, typed: &Typed, facets: &[Facet]) -> Vec<FacetView> {
    let value = |value: &FacetValue| {
        let meant = Typed::read(&value.filter).filters.into_iter().next();
        let same = |known: &&TypedFilter| {
            known.must != Must::MustNot && meant.as_ref().is_some_and(|meant| meant.filter == known.filter)
        };
        let active = typed.filters.iter().find(same);
        let other = match active {
            Some(active) => search.without(&active.span),
            None => search.narrowed(typed, &value.filter),
        };
        ValueView {
            label: value.label.clone(),
            count: number_of(value.count),
            address: other.address(),
            current: if active.is_some() { Current::Here } else { Current::Elsewhere },
        }
    };
    let facet = |facet: &Facet| {
        let mut values: Vec<ValueView> = facet.values.iter().map(value).collect();
        // Two more are no reason for something to open.
        let shown = if values.len() <= MOST + 2 { values.len() } else { MOST };
        let more = values.split_off(shown);
        let title = match facet.name {
            "tags" => "Tags",
            "kind" => "Kind",
            "year" => "Year",
            "votes" => "Votes",
            other => other,
        };
        FacetView { title, values, more }
    };
    facets.iter().map(facet).filter(|facet| !facet.values.is_empty()).collect()
}

/// Notes, with links that do what they suggest.
pub(super) fn notes(search: &Search, query: &str, notes: &[Note]) -> Vec<NoteView> {
    let note = |note: &Note| {
        let about = query.get(note.span.clone()).unwrap_or_default().trim();
        let mut message = note.message.clone();
        let mut link = None;
        let suggestion = message
            .split_once("; did you mean ")
            .and_then(|(before, meant)| Some((before.to_owned(), meant.strip_suffix('?')?.to_owned())));
        if let (Some((before, meant)), false) = (suggestion, about.is_empty()) {
            message = format!("{before}. Did you mean");
            link = Some(Link::new(search.replaced(&note.span, &meant).address(), &format!("{meant}?")));
        } else if message.starts_with("without this") {
            message.push('.');
            link = Some(Link::new(search.without(&note.span).address(), "Search without it"));
        }
        let mut letters = about.chars();
        let mut short: String = letters.by_ref().take(60).collect();
        if letters.next().is_some() {
            short.push('…');
        }
        NoteView { about: short, message, link }
    };
    // Two formulas of one mistake say it twice otherwise; that there is nothing, the page says itself.
    let mut all: Vec<NoteView> = Vec::new();
    for view in notes.iter().filter(|note| note.message != NOTHING).map(note) {
        if !all.iter().any(|known| known.about == view.about && known.message == view.message) {
            all.push(view);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_facet_adds_and_removes_its_filter() {
        let search = Search { q: "limit [calculus]".into(), page: 3, ..Search::default() };
        let typed = Typed::read(&search.q);
        let value = |label: &str, filter: &str| FacetValue {
            label: label.into(),
            filter: filter.into(),
            count: 12_345,
        };
        let given = Facet {
            name: "tags",
            values: vec![value("calculus", "tag:calculus"), value("real", "tag:real")],
        };
        let shown = &facets(&search, &typed, &[given])[0];
        assert_eq!(shown.values[0].address, "/search?q=limit");
        assert_eq!(shown.values[0].current, Current::Here);
        assert_eq!(shown.values[1].address, "/search?q=limit+%5Bcalculus%5D+tag:real");
        assert_eq!(shown.values[1].count, "12,345");
    }

    #[test]
    fn suggestions_are_links() {
        let search = Search { q: "polynomal".into(), page: 1, ..Search::default() };
        let given =
            Note { message: "no post has the word polynomal; did you mean polynomial?".into(), span: 0..9 };
        let shown = &notes(&search, "polynomal", &[given])[0];
        assert_eq!(shown.message, "no post has the word polynomal. Did you mean");
        let link = shown.link.as_ref().expect("a link");
        assert_eq!((link.address.as_str(), link.text.as_str()), ("/search?q=polynomial", "polynomial?"));
    }
}
