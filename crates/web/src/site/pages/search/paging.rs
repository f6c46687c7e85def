//! Links to other pages of results.

use crate::view::{Search, number_of};
use retrieve::people::{DEEPEST, Total};

/// A link to a page; without an address it is the page one is on, or a gap.
pub(crate) struct PageLink {
    pub(crate) address: String,
    pub(crate) text: String,
    /// Said instead of the text.
    pub(crate) label: String,
    pub(crate) rel: &'static str,
}

/// The pages around one, the first, and the next.
pub(super) fn pages(search: &Search, total: Total, size: usize) -> Vec<PageLink> {
    let last = total.known().min(DEEPEST).div_ceil(size.max(1));
    let here = search.page;
    if last < 2 && here == 1 {
        return Vec::new();
    }
    let link = |page: usize, text: String, label: String, rel| PageLink {
        address: search.paged(page).address(),
        text,
        label,
        rel,
    };
    let mut links = Vec::new();
    if here > 1 {
        let before = (here - 1).min(last.max(1));
        links.push(link(before, "‹ Previous".to_owned(), "Previous page".to_owned(), "prev"));
    }
    let mut before = 0;
    for page in (1..=last).filter(|page| *page == 1 || page.abs_diff(here) <= 2) {
        if page > before + 1 {
            links.push(PageLink {
                address: String::new(),
                text: "…".to_owned(),
                label: String::new(),
                rel: "",
            });
        }
        before = page;
        let text = number_of(page);
        if page == here {
            links.push(PageLink { address: String::new(), text, label: String::new(), rel: "" });
        } else {
            links.push(link(page, text, format!("Page {page}"), ""));
        }
    }
    if here < last {
        links.push(link(here + 1, "Next ›".to_owned(), "Next page".to_owned(), "next"));
    }
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_around_are_listed() {
        let shown = |page, total| {
            let search = Search { q: "x".into(), page, ..Search::default() };
            let links = pages(&search, Total::Exactly(total), 10);
            links.into_iter().map(|link| link.text).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(1, 10), "");
        assert_eq!(shown(1, 11), "1 2 Next ›");
        assert_eq!(shown(6, 95), "‹ Previous 1 … 4 5 6 7 8 Next ›");
        assert_eq!(shown(10, 95), "‹ Previous 1 … 8 9 10");
        assert_eq!(shown(999, 15), "‹ Previous 1");
    }
}
