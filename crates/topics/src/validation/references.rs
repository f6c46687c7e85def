//! References to posts, taken out of texts.
//!
//! "Possible duplicate of" is followed by the title of the other question, in a comment or at the top of the
//! text, so that a link is not hidden while this is there.

use crate::Error;
use crate::addresses::next_address;
use render::Site;
use std::ops::Range;
use store::{Collection, Cut, PostNo, Shortened};

/// Finds references in the texts of a collection.
pub(super) struct References<'c> {
    source: &'c Collection,
    site: Site,
}

impl<'c> References<'c> {
    pub(super) fn new(source: &'c Collection) -> Self {
        Self { source, site: Site::of(source) }
    }

    /// Takes references to posts that are left out from the texts that stay; comments with one leave.
    pub(super) fn hide(&self, cut: &mut Cut) -> Result<(), Error> {
        let mut reader = self.source.reader();
        for post in self.source.posts() {
            if !cut.has_post(post)
                && let Some(text) = self.shorten(&reader.post(post)?.body, &|post| cut.has_post(post))
            {
                cut.body(post, text);
            }
        }
        for comment in self.source.comments() {
            if !cut.has_post(self.source.comment_post(comment))
                && !self.find(&reader.comment(comment)?.text, &|post| cut.has_post(post)).is_empty()
            {
                cut.comment(comment);
            }
        }
        Ok(())
    }

    /// A text without references to posts that `is_hidden` names; `None` if it has none.
    pub(super) fn shorten(&self, html: &str, is_hidden: &dyn Fn(PostNo) -> bool) -> Option<Shortened> {
        let found = self.find(html, is_hidden);
        if found.is_empty() {
            return None;
        }
        let mut shortened = Shortened { html: String::with_capacity(html.len()), kept: Vec::new() };
        for (at, _) in html.match_indices(markup::MARKER) {
            shortened.kept.push(!found.iter().any(|range| range.contains(&at)));
        }
        let mut start = 0;
        for Range { start: from, end } in found {
            shortened.html.push_str(&html[start..from]);
            start = end;
        }
        shortened.html.push_str(&html[start..]);
        Some(shortened)
    }

    /// Where references stand: links with their text, and addresses in the text.
    fn find(&self, html: &str, is_hidden: &dyn Fn(PostNo) -> bool) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while let Some((place, end)) = next_address(html, at) {
            let (start, address) = (place.start, &html[place]);
            at = end;
            if self.site.post_at(self.source, address).is_some_and(is_hidden) {
                let mut range = link_around(html, start..end);
                at = at.max(range.end);
                // The text of a link may be an address, too.
                while let Some(last) = found.pop_if(|last| range.start < last.end) {
                    range.start = range.start.min(last.start);
                }
                found.push(range);
            }
        }
        found
    }
}

/// The whole link whose address stands here: `<a href="…">…</a>`, `[…](…)`, or the address alone.
fn link_around(html: &str, address: Range<usize>) -> Range<usize> {
    let (before, after) = (&html[..address.start], &html[address.end..]);
    if before.ends_with("href=\"")
        && let (Some(open), Some(close)) = (before.rfind('<'), after.find("</a>"))
    {
        return open..address.end + close + "</a>".len();
    }
    if before.ends_with("](")
        && after.starts_with(')')
        && let Some(open) = before.rfind('[')
    {
        return open..address.end + 1;
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_leave_with_their_text_and_formulas() {
        let small = testkit::small_collection("references");
        let references = References::new(&small.collection);
        let hidden = small.collection.find_post("10").unwrap();
        let shorten = |html: &str| references.shorten(html, &|post| post == hidden);
        let there = "https://math.stackexchange.com/questions/10/why";
        let shortened = shorten(&format!(
            "<p>\u{FDD0}, see <a href=\"{there}\" rel=\"noopener\">why \u{FDD0}</a>, \
             <a href=\"https://math.stackexchange.com/a/12\">\u{FDD0}</a>.</p>"
        ));
        let html = "<p>\u{FDD0}, see , <a href=\"https://math.stackexchange.com/a/12\">\u{FDD0}</a>.</p>";
        assert_eq!(shortened, Some(Shortened { html: html.to_owned(), kept: vec![true, false, true] }));
        for (text, rest) in [
            (format!("Possible duplicate of [Why \u{FDD0}?]({there})."), "Possible duplicate of ."),
            (format!("see {there}."), "see "),
            (format!("(see:{there})"), "(see:)"),
            (format!("{there} and {there}"), " and "),
            (format!("or [{there}]({there})!"), "or !"),
        ] {
            assert_eq!(shorten(&text).map(|text| text.html).as_deref(), Some(rest), "{text}");
        }
        for text in ["", "a/b", "<p>1/2</p>", "https://math.stackexchange.com/q/20", "http://", "/"] {
            assert_eq!(shorten(text), None, "{text}");
        }
    }
}
