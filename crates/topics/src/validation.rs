//! Topics whose relevant items are known without people: validation sets.
//!
//! A collection holds links that nobody had to judge: answers belong to questions, questions are linked with
//! others, a title belongs to its thread, and a formula stays the same formula when it is typed in another way.
//! Each [`Kind`] hides one of these links in a copy of the collection and asks systems to find it again.
//! All that is known is what is relevant, nothing is known not to be, so that measures which leave out what is
//! not judged say nothing here.
//!
//! | module | hides |
//! |---|---|
//! | `answers` | which question an answer belongs to |
//! | `links` | which questions were linked with another |
//! | `titles` | which title a question had |
//! | `formulas` | how a formula was written |

mod answers;
mod formulas;
mod links;
mod references;
mod titles;

use crate::Error;
use crate::draft::{Draft, Drafted};
use crate::write::NamedFile;
use stats::rng::Rng;
use std::fmt;
use std::path::Path;
use store::{Collection, Cut, DirtNote, PostKind, PostNo, write_part};
use xxhash_rust::xxh3::xxh3_64_with_seed;

pub use formulas::Change;

/// The grade of what is relevant for sure.
pub(crate) const HIGH: u8 = 3;

/// The name of the collection to search.
pub const SEARCHED: &str = "searched.coll";

/// The largest share of questions that lose their title, as a divisor: one in five.
const UNTITLED: usize = 5;

/// What a validation set asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A question must find its own answers.
    Answers,
    /// A question must find answers to questions that were linked with it.
    Links,
    /// A title must find its thread.
    Titles,
    /// A formula must be found when it is written in another way.
    Formulas,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Answers, Self::Links, Self::Titles, Self::Formulas];

    /// Its name, and that of its folder.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Answers => "answers",
            Self::Links => "links",
            Self::Titles => "titles",
            Self::Formulas => "formulas",
        }
    }

    /// The kind of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The files of a set: topics, judgments, where topics come from, and the collection to search if it is
    /// another one.
    #[must_use]
    pub fn file_names(self) -> &'static [&'static str] {
        match self {
            Self::Formulas => &["Topics_Task2.xml", "task2.qrels", "topic_info.tsv"],
            _ => &["Topics_Task1.xml", "task1.qrels", "topic_info.tsv", SEARCHED],
        }
    }

    /// A draft without topics. No two kinds have a topic id in common.
    fn draft(self, columns: &[&str]) -> Draft {
        let prefix = match self {
            Self::Answers => "VA",
            Self::Links => "VL",
            Self::Titles => "VT",
            Self::Formulas => "VF",
        };
        Draft::new(prefix, 1, columns)
    }

    /// The set; `cut` is what the collection to search is without.
    fn finish(self, draft: Draft, cut: Option<Cut>) -> Result<Set, Error> {
        let Drafted { topics, relevant, texts } = draft.finish()?;
        let files = self.file_names().iter().copied().zip(texts).collect();
        Ok(Set { kind: self, topics, relevant, files, cut })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How many topics, and the seed of the choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// How many topics at most.
    pub count: usize,
    /// The seed.
    pub seed: u64,
}

impl Request {
    /// The generator for a kind; what is drawn for one kind does not depend on the others.
    fn rng(&self, kind: Kind) -> Rng {
        Rng::seeded(xxh3_64_with_seed(kind.name().as_bytes(), self.seed))
    }
}

/// A validation set.
#[derive(Clone, Debug)]
pub struct Set {
    /// What it asks for.
    pub kind: Kind,
    /// How many topics there are.
    pub topics: usize,
    /// How many items are relevant, over all topics.
    pub relevant: usize,
    /// The files, in the order of [`Kind::file_names`], without the collection to search.
    pub files: Vec<NamedFile>,
    /// What the collection to search is without.
    cut: Option<Cut>,
}

impl Set {
    /// How many posts the collection to search is without.
    #[must_use]
    pub fn posts_left_out(&self) -> usize {
        self.cut.as_ref().map_or(0, Cut::num_posts)
    }

    /// How many questions lost their title.
    #[must_use]
    pub fn titles_left_out(&self) -> usize {
        self.cut.as_ref().map_or(0, Cut::num_titles)
    }

    /// Writes the collection to search, if it is another than that of the topics.
    ///
    /// # Errors
    ///
    /// When the collection is damaged, or the other cannot be written.
    pub fn write_searched(&self, source: &Collection, target: &Path) -> Result<(), Error> {
        if let Some(cut) = &self.cut {
            let note = DirtNote {
                kind: format!("validation set: {}", self.kind),
                action: "left out".to_owned(),
                count: (cut.num_posts() + cut.num_titles()) as u64,
            };
            write_part(source, target, cut, note)?;
        }
        Ok(())
    }
}

/// Makes a validation set of a collection; `None` if it has nothing to make one of.
///
/// # Errors
///
/// When the collection is damaged.
pub fn make(source: &Collection, kind: Kind, request: &Request) -> Result<Option<Set>, Error> {
    let rng = request.rng(kind);
    let set = match kind {
        Kind::Answers => answers::make(source, request.count, rng),
        Kind::Links => links::make(source, request.count, rng),
        Kind::Titles => titles::make(source, request.count, rng),
        Kind::Formulas => formulas::make(source, request.count, rng),
    }?;
    Ok(Some(set).filter(|set| set.topics > 0))
}

/// All questions, in the order of the collection.
fn questions(source: &Collection) -> impl Iterator<Item = PostNo> {
    source.posts().filter(|post| source.post_facts(*post).kind == PostKind::Question)
}

/// Whether a question has an answer.
fn is_answered(source: &Collection, question: PostNo) -> bool {
    source.answers(question).next().is_some()
}

/// The answers to a question as relevant items.
fn answers_to(source: &Collection, question: PostNo, grade: u8) -> impl Iterator<Item = (String, u8)> {
    source.answers(question).map(move |answer| (source.post_id(answer).to_string(), grade))
}
