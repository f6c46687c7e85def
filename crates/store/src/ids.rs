//! Ids as people gave them, and the numbers that the collection gives.

use std::collections::HashMap;
use std::fmt;

/// Whether the ids of something are numbers or texts; all of one sort are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdKind {
    /// Whole numbers, as in dumps; they are ordered as numbers.
    #[default]
    Numbers,
    /// Names, as of files; they are ordered by their bytes.
    Texts,
}

/// An id as it stands in the files that the collection was built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Id<'a> {
    /// A number.
    Number(u64),
    /// A name.
    Text(&'a str),
}

impl<'a> Id<'a> {
    /// Reads an id; `None` when a number is wanted and this is none, or is written in another way.
    #[must_use]
    pub fn parse(text: &'a str, kind: IdKind) -> Option<Self> {
        match kind {
            IdKind::Texts => Some(Self::Text(text)),
            IdKind::Numbers => {
                let plain =
                    text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
                plain.then(|| text.parse().ok().map(Self::Number)).flatten()
            }
        }
    }
}

impl fmt::Display for Id<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.pad(text),
        }
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// It as an index.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

numbers! {
    /// The number of a post in the order of the collection, from 0.
    PostNo
    /// The number of a comment in the order of the collection, from 0.
    CommentNo
    /// The number of a link, from 0.
    LinkNo
    /// The number of a formula instance: those of posts in the order of posts, then those of
    /// comments, then those that stand nowhere.
    FormulaNo
    /// The number of a form: a distinct way in which a formula is written and given.
    FormNo
    /// The number of a visual id: formulas that look the same share one.
    VisualNo
}

/// From ids to numbers while a collection is built: 16 bytes an id when ids come in order.
#[derive(Debug)]
pub(crate) struct IdIndex {
    kind: IdKind,
    ascending: Vec<(u64, u32)>,
    others: HashMap<u64, u32, foldhash::fast::FixedState>,
    texts: HashMap<Box<str>, u32, foldhash::fast::FixedState>,
}

impl IdIndex {
    pub(crate) fn new(kind: IdKind) -> Self {
        Self { kind, ascending: Vec::new(), others: HashMap::default(), texts: HashMap::default() }
    }

    pub(crate) fn kind(&self) -> IdKind {
        self.kind
    }

    pub(crate) fn get(&self, id: Id<'_>) -> Option<u32> {
        match id {
            Id::Number(id) => {
                let found = self.ascending.binary_search_by_key(&id, |(id, _)| *id);
                found.ok().map(|at| self.ascending[at].1).or_else(|| self.others.get(&id).copied())
            }
            Id::Text(id) => self.texts.get(id).copied(),
        }
    }

    pub(crate) fn insert(&mut self, id: Id<'_>, number: u32) {
        match id {
            Id::Number(id) if self.ascending.last().is_none_or(|(last, _)| *last < id) => {
                self.ascending.push((id, number));
            }
            Id::Number(id) => {
                self.others.insert(id, number);
            }
            Id::Text(id) => {
                self.texts.insert(id.into(), number);
            }
        }
    }
}
