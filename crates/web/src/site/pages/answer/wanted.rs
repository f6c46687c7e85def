//! What an address or a form asks, and the addresses that ask the same.

use crate::site::answers::Asked;
use crate::site::error::AppError;
use crate::view::{Search, encode};
use ::answer::DEFAULT;
use retrieve::people::Question;
use retrieve::typed::{self, Understanding};

/// So many systems answer at once.
const MOST_SYSTEMS: usize = 4;
/// So many characters of a question are read.
pub(crate) const LONGEST: usize = 20_000;
/// So many tags are read.
const MOST_TAGS: usize = 20;
/// So many characters of a question name it.
const NAME: usize = 70;

/// A question from the search box or in full, and the systems that are to answer it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) q: String,
    pub(crate) f: String,
    /// How these two are read.
    pub(crate) understanding: Understanding,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) tags: String,
    /// As they were named.
    pub(crate) systems: Vec<String>,
}

impl Wanted {
    /// Reads the parameters of an address or the fields of a form; the first of each name counts.
    pub(crate) fn read(pairs: &[(String, String)]) -> Result<Self, AppError> {
        let value = |name: &str| pairs.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        let Search { q, f, understanding, .. } = Search::read(pairs);
        let mut systems: Vec<String> = Vec::new();
        for (_, name) in pairs.iter().filter(|(key, name)| key == "system" && !name.is_empty()) {
            if !systems.contains(name) {
                systems.push(name.clone());
            }
        }
        let [title, body, tags] = ["title", "body", "tags"].map(|name| value(name).trim().to_owned());
        let wanted = Self { q, f, understanding, title, body, tags, systems };
        wanted.check()?;
        Ok(wanted)
    }

    fn check(&self) -> Result<(), AppError> {
        let bad = |message: String| Err(AppError::BadRequest(message));
        if self.q.chars().count() + self.f.chars().count() > typed::LONGEST {
            return bad(format!("a query can have {} characters", typed::LONGEST));
        }
        if self.title.chars().count() + self.body.chars().count() > LONGEST {
            return bad(format!("a question can have {LONGEST} characters"));
        }
        if self.systems.len() > MOST_SYSTEMS {
            return bad(format!("{MOST_SYSTEMS} systems can be put side by side"));
        }
        Ok(())
    }

    /// What was typed into the box.
    pub(crate) fn of_search(search: &Search) -> Self {
        let understanding = search.understanding;
        Self { q: search.q.clone(), f: search.f.clone(), understanding, ..Self::default() }
    }

    /// A question in full.
    pub(crate) fn of_question(title: &str, body: &str, tags: &str) -> Self {
        let [title, body, tags] = [title, body, tags].map(ToOwned::to_owned);
        Self { title, body, tags, ..Self::default() }
    }

    /// What is typed into one box, the formula of the row last.
    pub(crate) fn query(&self) -> String {
        Search { q: self.q.clone(), f: self.f.clone(), ..Search::default() }.query()
    }

    /// The question.
    pub(crate) fn asked(&self) -> Asked {
        let Asked(Question { title: typed, .. }) = Asked::typed(&self.query(), self.understanding);
        let title = [typed.as_str(), &self.title].join(" ").trim().to_owned();
        let tags = self.tags.split(|c: char| c.is_whitespace() || c == ',').filter(|tag| !tag.is_empty());
        let tags = tags.take(MOST_TAGS).map(str::to_lowercase).collect();
        Asked(Question { title, body: self.body.clone(), tags })
    }

    /// The systems that are to answer.
    pub(crate) fn systems(&self) -> Vec<&str> {
        if self.systems.is_empty() {
            vec![DEFAULT]
        } else {
            self.systems.iter().map(String::as_str).collect()
        }
    }

    /// Whether other systems than the usual one are to answer.
    pub(crate) fn compares(&self) -> bool {
        self.systems() != [DEFAULT]
    }

    /// What was asked, short.
    pub(crate) fn name(&self) -> String {
        let asked = self.asked().0;
        let first = asked.title.lines().chain(asked.body.lines()).find(|line| !line.trim().is_empty());
        first.unwrap_or_default().chars().take(NAME).collect()
    }

    /// What it holds besides systems, by name.
    pub(crate) fn fields(&self) -> Vec<(&'static str, &str)> {
        let is_usual = self.understanding == Understanding::default();
        let read = if is_usual { "" } else { self.understanding.name() };
        let all = [
            ("q", self.q.as_str()),
            ("f", &self.f),
            ("read", read),
            ("title", &self.title),
            ("body", &self.body),
            ("tags", &self.tags),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    /// The address at a path that asks the same.
    pub(crate) fn address(&self, path: &str) -> String {
        let fields =
            self.fields().into_iter().chain(self.systems.iter().map(|name| ("system", name.as_str())));
        let pairs: Vec<String> = fields.map(|(name, value)| format!("{name}={}", encode(value))).collect();
        format!("{path}?{}", pairs.join("&"))
    }

    /// Where the same is asked in full: title, text and tags.
    pub(crate) fn in_full(&self) -> String {
        let Asked(Question { title, .. }) = self.asked();
        Self::of_question(&title, &self.body, &self.tags).address("/ask")
    }

    /// Where it is searched for: by what was typed and the title, or else by the first line of the text, since
    /// an empty search would find nothing.
    pub(crate) fn search(&self) -> String {
        let mut q = format!("{} {}", self.q, self.title).trim().to_owned();
        if q.is_empty() && self.f.is_empty() {
            let first = self.body.lines().map(str::trim).find(|line| !line.is_empty());
            q = first.unwrap_or_default().chars().take(typed::LONGEST).collect();
        }
        let understanding = self.understanding;
        Search { q, f: self.f.clone(), page: 1, understanding, ..Search::default() }.address()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(pairs: &[(&str, &str)]) -> Result<Wanted, AppError> {
        let pairs: Vec<_> =
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Wanted::read(&pairs)
    }

    #[test]
    fn addresses_ask_the_same_again() {
        let asked = [("q", "why x^2"), ("f", "y"), ("tags", "A, b"), ("system", "first-answer")];
        let wanted = wanted(&asked).expect("short");
        assert_eq!(wanted.asked().0.title, "why $x^2$ $y$");
        assert_eq!(wanted.asked().0.tags, ["a", "b"]);
        assert_eq!(wanted.systems(), ["first-answer"]);
        assert_eq!(wanted.address("/answer"), "/answer?q=why+x%5E2&f=y&tags=A,+b&system=first-answer");
        assert_eq!(wanted.in_full(), "/ask?title=why+%24x%5E2%24+%24y%24&tags=A,+b");
        assert_eq!(wanted.search(), "/search?q=why+x%5E2&f=y");
        assert_eq!(Wanted::default().systems(), [DEFAULT]);
        let text_only = Wanted::of_question("", "\n  Is $x^2$ odd?\nI tried.", "");
        assert_eq!(text_only.search(), "/search?q=Is+%24x%5E2%24+odd%3F");
        assert_eq!(Wanted::of_question("Why?", "I tried.", "").search(), "/search?q=Why%3F");
    }

    #[test]
    fn what_is_read_literally_is_asked_literally() {
        let literal = wanted(&[("q", "why x^2"), ("read", "literal")]).expect("short");
        assert_eq!(literal.asked().0.title, "why x^2");
        assert_eq!(literal.address("/answer"), "/answer?q=why+x%5E2&read=literal");
        assert_eq!(literal.search(), "/search?q=why+x%5E2&read=literal");
        assert_eq!(literal.in_full(), "/ask?title=why+x%5E2");
        let search = Search { q: "why x^2".to_owned(), ..Search::default() }.literally();
        assert_eq!(Wanted::of_search(&search), literal);
        assert_eq!(wanted(&[("q", "why x^2")]).expect("short").asked().0.title, "why $x^2$");
    }

    #[test]
    fn what_is_too_long_is_told() {
        assert!(wanted(&[("q", &"x".repeat(typed::LONGEST + 1))]).is_err());
        assert!(wanted(&[("body", &"x".repeat(LONGEST + 1))]).is_err());
        assert!(
            wanted(&[("system", "a"), ("system", "b"), ("system", "c"), ("system", "d"), ("system", "e")])
                .is_err()
        );
        assert!(wanted(&[("system", "a"), ("system", "a")]).is_ok_and(|wanted| wanted.systems == ["a"]));
    }
}
