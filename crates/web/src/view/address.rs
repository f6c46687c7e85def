//! Addresses of searches: what was typed, which view of it, which page.

use retrieve::people::Sort;
use retrieve::typed::{Filter, Typed, Understanding};
use std::mem::discriminant;
use std::ops::Range;

/// What one result is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum View {
    /// A thread, with its best posts.
    #[default]
    Threads,
    /// A post.
    Posts,
    /// A formula; what looks the same is one.
    Formulas,
}

impl View {
    /// Its name in addresses.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::Posts => "posts",
            Self::Formulas => "formulas",
        }
    }

    /// The view of this name; threads for any other.
    pub(crate) fn named(name: &str) -> Self {
        [Self::Posts, Self::Formulas].into_iter().find(|view| view.name() == name).unwrap_or_default()
    }
}

/// A search as its address says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Search {
    /// What is in the box.
    pub(crate) q: String,
    /// What is in the row for a formula: LaTeX without dollars.
    pub(crate) f: String,
    /// What one result is.
    pub(crate) view: View,
    /// From 1.
    pub(crate) page: usize,
    /// The system, if it is not the usual one.
    pub(crate) system: Option<String>,
    /// The order of the results.
    pub(crate) sort: Sort,
    /// How what was typed is understood.
    pub(crate) understanding: Understanding,
}

impl Search {
    /// Reads the parameters of an address. Nothing in them is an error; the first of each name counts.
    pub(crate) fn read(pairs: &[(String, String)]) -> Self {
        let value = |name: &str| pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        Self {
            q: line(value("q")),
            f: formula(value("f")),
            view: View::named(value("view")),
            page: value("page").parse().unwrap_or(1).max(1),
            system: Some(value("system").to_owned()).filter(|name| !name.is_empty()),
            sort: Sort::named(value("sort")).unwrap_or_default(),
            understanding: Understanding::named(value("read")).unwrap_or_default(),
        }
    }

    /// The query in one: the formula of the row comes last.
    pub(crate) fn query(&self) -> String {
        match (self.q.is_empty(), self.f.is_empty()) {
            (_, true) => self.q.clone(),
            (true, false) => format!("${}$", self.f),
            (false, false) => format!("{} ${}$", self.q, self.f),
        }
    }

    /// The query, taken apart.
    pub(crate) fn typed(&self) -> Typed {
        Typed::read_as(&self.query(), self.understanding)
    }

    /// Whether nothing was typed.
    pub(crate) fn is_empty(&self) -> bool {
        self.q.is_empty() && self.f.is_empty()
    }

    /// The address of its results.
    pub(crate) fn address(&self) -> String {
        let mut out = "/search".to_owned();
        let mut mark = '?';
        let mut add = |name: &str, value: &str| {
            out.push(mark);
            out.extend([name, "=", &encode(value)]);
            mark = '&';
        };
        if !self.q.is_empty() || self.f.is_empty() {
            add("q", &self.q);
        }
        if !self.f.is_empty() {
            add("f", &self.f);
        }
        if self.view != View::default() {
            add("view", self.view.name());
        }
        if self.sort != Sort::default() {
            add("sort", self.sort.name());
        }
        if self.understanding != Understanding::default() {
            add("read", self.understanding.name());
        }
        if self.page > 1 {
            add("page", &self.page.to_string());
        }
        if let Some(system) = &self.system {
            add("system", system);
        }
        out
    }

    /// The same, first page, in another view.
    pub(crate) fn viewed(&self, view: View) -> Self {
        Self { view, page: 1, ..self.clone() }
    }

    /// The same, first page, in another order.
    pub(crate) fn sorted(&self, sort: Sort) -> Self {
        Self { sort, page: 1, ..self.clone() }
    }

    /// The same, first page, searched for as it was typed.
    pub(crate) fn literally(&self) -> Self {
        Self { understanding: Understanding::Literal, page: 1, ..self.clone() }
    }

    /// The same on another page.
    pub(crate) fn paged(&self, page: usize) -> Self {
        Self { page, ..self.clone() }
    }

    /// The same without what stands in a range of the query; a sign before it goes, too. What stands in the
    /// row for a formula takes the whole row with it.
    pub(crate) fn without(&self, span: &Range<usize>) -> Self {
        self.replaced(span, "")
    }

    /// The same with something else in a range of the query.
    pub(crate) fn replaced(&self, span: &Range<usize>, by: &str) -> Self {
        let mut search = Self { page: 1, ..self.clone() };
        match (self.q.get(..span.start), self.q.get(span.end..)) {
            (Some(before), Some(after)) => {
                let before = if by.is_empty() { before.trim_end_matches(['+', '-', '"']) } else { before };
                let after = if by.is_empty() { after.trim_start_matches(['"']) } else { after };
                search.q = line(&format!("{before}{by}{after}"));
            }
            _ => search.f.clear(),
        }
        search
    }

    /// The same with one more filter. Where only one of a kind makes sense, it takes the place of the other.
    pub(crate) fn narrowed(&self, typed: &Typed, filter: &str) -> Self {
        let mut search = Self { page: 1, ..self.clone() };
        let wanted = Typed::read(filter).filters.into_iter().next();
        if let Some(wanted) = wanted.filter(|wanted| !matches!(wanted.filter, Filter::Tag(_))) {
            let same = |known: &&retrieve::typed::TypedFilter| {
                discriminant(&known.filter) == discriminant(&wanted.filter)
            };
            // From the back, so that the places of those before stay right.
            for known in typed.filters.iter().rev().filter(same) {
                search = search.without(&known.span);
            }
        }
        search.q = line(&format!("{} {filter}", search.q));
        search
    }
}

/// One line without blanks around it or control characters in it.
fn line(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    text.trim().to_owned()
}

/// The LaTeX of the row, without the dollars that some put around it: inside, they would end it.
fn formula(text: &str) -> String {
    let mut out = String::new();
    let mut escaped = false;
    for c in line(text).chars() {
        if c != '$' || escaped {
            out.push(c);
        }
        escaped = c == '\\' && !escaped;
    }
    // A backslash at the end would take the closing dollar with it.
    if escaped {
        out.pop();
    }
    out.trim().to_owned()
}

/// A value in an address.
pub fn encode(value: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(value.len() + 8);
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b':' | b',' => {
                out.push(char::from(byte));
            }
            b' ' => out.push('+'),
            // Writing to a string cannot fail.
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn search(q: &str, f: &str) -> Search {
        Search::read(&[("q".into(), q.into()), ("f".into(), f.into())])
    }

    #[test]
    fn addresses_keep_what_was_typed() {
        for (q, f, query, address) in [
            ("", "", "", "/search?q="),
            ("a b", "", "a b", "/search?q=a+b"),
            ("", "x^2", "$x^2$", "/search?f=x%5E2"),
            (" a\n", "$x$", "a $x$", "/search?q=a&f=x"),
            ("a&b=\"", "\\$ 5 \\\\", "a&b=\" $\\$ 5 \\\\$", "/search?q=a%26b%3D%22&f=%5C%24+5+%5C%5C"),
            ("", "x\\", "$x$", "/search?f=x"),
        ] {
            let search = search(q, f);
            assert_eq!((search.query().as_str(), search.address().as_str()), (query, address), "{q} {f}");
        }
    }

    #[test]
    fn an_order_is_kept_and_only_told_if_it_is_another() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let base = Search::read(&[pair("q", "x"), pair("sort", "date"), pair("page", "3")]);
        assert_eq!(base.address(), "/search?q=x&sort=date&page=3");
        assert_eq!(base.sorted(Sort::Votes).address(), "/search?q=x&sort=votes");
        assert_eq!(base.sorted(Sort::Relevance).address(), "/search?q=x");
        assert_eq!(Search::read(&[pair("sort", "size")]).sort, Sort::Relevance);
    }

    #[test]
    fn filters_come_and_go() {
        let base = search("matrix tag:calculus -year:2014 score:>5", "");
        let typed = Typed::read(&base.q);
        let spans: Vec<_> = typed.filters.iter().map(|filter| filter.span.clone()).collect();
        assert_eq!(base.without(&spans[0]).q, "matrix  -year:2014 score:>5");
        assert_eq!(base.without(&spans[1]).q, "matrix tag:calculus  score:>5");
        assert_eq!(base.narrowed(&typed, "score:>=10").q, "matrix tag:calculus -year:2014 score:>=10");
        assert_eq!(
            base.narrowed(&typed, "tag:limits").q,
            "matrix tag:calculus -year:2014 score:>5 tag:limits"
        );
    }

    #[test]
    fn a_mistaken_word_is_replaced() {
        let base = search("polynomal $x$", "");
        assert_eq!(base.replaced(&(0..9), "polynomial").q, "polynomial $x$");
    }
}
