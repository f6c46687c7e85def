//! Do two questions ask the same? Near-duplicates by their words and formulas.

use crate::Level;
use crate::look::{Look, Looker};
use crate::wording::words;
use formats::{Topic, Topics};
use markup::{Cleaner, Dollars, Markup};
use post::FormulaTexts;
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// The rule in words.
pub const RULE: &str = "\
Two questions are alike if they share many traits, or the same query. The traits of a question are every three \
words in a row of title and text (formulas stand among them as one and the same word) and the looks of its \
formulas of more than 4 points; if the traits that both have are at least a share --alike (0.3) of those that either \
has, they are alike. They also are if the formula query of one, of medium or high complexity, stands in the other. \
In the choice, a question like a topic already chosen is passed over, and so is one that has a duplicate with it \
in common, or is a duplicate of it.";

/// The rule for topics of earlier years in words.
pub const EARLIER_RULE: &str = "\
A question is left out if it resembles a topic of --earlier: it is the same question (where the file names the \
topic's thread), one is linked as a duplicate of the other or both have a duplicate in common (likewise), the formula \
query of one stands in the other, or they share at least --alike of their traits (see near-duplicates). Each one left \
out is reported with the topic that it resembles most, the reasons in this order and then the larger share. A question \
that shares less stays, and its quality is multiplied by 1 minus the largest share.";

/// Formulas of no more points are too common to say anything.
const COMMON_UP_TO: u32 = 4;

/// What of a question is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// Hashes of words in a row and of formulas, in order, each once.
    marks: Vec<u64>,
    /// The formulas that are complex enough to make two questions alike, in order.
    formulas: Vec<u64>,
    /// The formula query, if it is.
    query: Option<u64>,
}

/// A topic of an earlier year.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Earlier {
    /// Its id.
    pub topic: String,
    /// The file that it comes from.
    pub file: String,
    /// The question that it was made of, where the file says so.
    pub thread: Option<String>,
    /// What it is compared by.
    pub traits: Traits,
}

/// Why two questions are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alike {
    /// They are the same question.
    Question,
    /// They are duplicates, or have one in common.
    Duplicate,
    /// They share this part of their traits.
    Traits(f64),
    /// They share the formula that would be looked for.
    Query,
}

impl Alike {
    /// The order of reasons, the strongest last, and the share of traits where that is the reason.
    pub(crate) fn strength(self) -> (u8, f64) {
        match self {
            Self::Traits(share) => (0, share),
            Self::Query => (1, 0.0),
            Self::Duplicate => (2, 0.0),
            Self::Question => (3, 0.0),
        }
    }
}

impl fmt::Display for Alike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Question => f.write_str("the same question"),
            Self::Duplicate => f.write_str("linked as a duplicate"),
            Self::Traits(share) => write!(f, "{:.0} % of traits in common", share * 100.0),
            Self::Query => f.write_str("formula query occurs in both"),
        }
    }
}

impl Traits {
    /// The traits of a question: its text with markers, its formulas, and which of them is looked for.
    pub(crate) fn new(text: &str, formulas: &[Look], query: Option<usize>) -> Self {
        let words = words(text);
        let list: Vec<&str> = words.iter().collect();
        let mut marks: Vec<u64> = list.windows(3).map(|three| xxh3_64(three.join(" ").as_bytes())).collect();
        if list.len() < 3 {
            marks.push(xxh3_64(list.join(" ").as_bytes()));
        }
        marks
            .extend(formulas.iter().filter(|look| look.measure.points() > COMMON_UP_TO).map(|look| look.key));
        let complex = |look: &&Look| look.measure.level() > Level::Low;
        let mut keys: Vec<u64> = formulas.iter().filter(complex).map(|look| look.key).collect();
        let query = query.and_then(|at| formulas.get(at)).filter(complex).map(|look| look.key);
        for list in [&mut marks, &mut keys] {
            list.sort_unstable();
            list.dedup();
        }
        Self { marks, formulas: keys, query }
    }

    /// Whether two questions are alike, and why.
    #[must_use]
    pub fn alike(&self, other: &Self, threshold: f64) -> Option<Alike> {
        let stands_in = |query: Option<u64>, formulas: &[u64]| {
            query.is_some_and(|query| formulas.binary_search(&query).is_ok())
        };
        if stands_in(self.query, &other.formulas) || stands_in(other.query, &self.formulas) {
            return Some(Alike::Query);
        }
        let share = self.share(other);
        (share >= threshold).then_some(Alike::Traits(share))
    }

    /// The share of the traits of either that both have.
    #[must_use]
    pub fn share(&self, other: &Self) -> f64 {
        share(&self.marks, &other.marks)
    }
}

/// What two lists have in common, as a share of what either has; both are in order.
fn share(left: &[u64], right: &[u64]) -> f64 {
    let (mut at, mut other, mut common) = (0, 0, 0_usize);
    while at < left.len() && other < right.len() {
        match left[at].cmp(&right[other]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => other += 1,
            std::cmp::Ordering::Equal => (at, other, common) = (at + 1, other + 1, common + 1),
        }
    }
    common as f64 / (left.len() + right.len() - common).max(1) as f64
}

/// The topics of a file of an earlier year.
#[must_use]
pub fn earlier(topics: &Topics, file: &str) -> Vec<Earlier> {
    let mut cleaner = Cleaner::new();
    let (mut looker, mut texts) = (Looker::default(), FormulaTexts::default());
    let earlier = topics.iter().map(|topic| Earlier {
        topic: topic.id.as_str().to_owned(),
        file: file.to_owned(),
        thread: topic.thread.clone(),
        traits: of_topic(topic, &mut cleaner, &mut looker, &mut texts),
    });
    earlier.collect()
}

fn of_topic(topic: &Topic, cleaner: &mut Cleaner, looker: &mut Looker, texts: &mut FormulaTexts) -> Traits {
    let mut text = String::new();
    let mut formulas: Vec<Look> = Vec::new();
    for html in topic.title.iter().chain(&topic.question) {
        let cleaned = cleaner.clean(html.as_str(), Markup::Html, Dollars::Stray);
        text.push_str(&post::plain(&cleaned.html));
        text.push('\n');
        formulas.extend(cleaned.formulas.iter().map(|found| looker.look(&texts.found(found))));
    }
    let query = topic.queries().next().and_then(|query| texts.given(query)).map(|latex| looker.look(&latex));
    let at = query.is_some().then_some(formulas.len());
    formulas.extend(query);
    Traits::new(&text, &formulas, at)
}
