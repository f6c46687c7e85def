//! Do two questions ask the same? Near-duplicates by their words and formulas.

use crate::Level;
use crate::look::{Look, Looker};
use crate::wording::words;
use collection::{Topic, Topics};
use markup::{Cleaner, Dollars, MARKER, Markup};
use std::fmt;
use xxhash_rust::xxh3::xxh3_64;

/// The rule in words.
pub const RULE: &str = "\
Two questions are alike if they share many traits, or the same query. The traits of a question are every three \
words in a row of title and text (formulas stand among them as one and the same word) and the looks of its \
formulas of more than 4 points; if the traits that both have are at least a share --alike (0.3) of those that either \
has, they are alike. They also are if the formula query of one, of medium or high complexity, stands in the other. \
Questions like one of --earlier do not become candidates; in the choice, one like a topic already chosen is \
passed over, and so is one that has a duplicate with it in common, or is a duplicate of it.";

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

/// Why two questions are alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Alike {
    /// They share this part of their traits.
    Traits(f64),
    /// They share the formula that would be looked for.
    Query,
}

impl fmt::Display for Alike {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Traits(share) => write!(f, "{:.0} % of traits in common", share * 100.0),
            Self::Query => f.write_str("the same formula query"),
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
        let share = share(&self.marks, &other.marks);
        (share >= threshold).then_some(Alike::Traits(share))
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

/// The traits of topics of earlier years, with their threads where a file says so.
#[must_use]
pub fn earlier(topics: &Topics) -> Vec<(Traits, Option<String>)> {
    let mut cleaner = Cleaner::new();
    let mut looker = Looker::default();
    topics.iter().map(|topic| (of_topic(topic, &mut cleaner, &mut looker), topic.thread.clone())).collect()
}

fn of_topic(topic: &Topic, cleaner: &mut Cleaner, looker: &mut Looker) -> Traits {
    let mut text = String::new();
    let mut formulas: Vec<Look> = Vec::new();
    for html in topic.title.iter().chain(&topic.question) {
        let cleaned = cleaner.clean(html.as_str(), Markup::Html, Dollars::Stray);
        text.push_str(&markup::text(&cleaned.html, |_, out| out.push(MARKER)));
        text.push('\n');
        formulas.extend(cleaned.formulas.iter().map(|found| looker.look(&found.latex)));
    }
    let query = topic.queries().next().and_then(|query| query.plain_latex().map(|latex| looker.look(&latex)));
    let at = query.is_some().then_some(formulas.len());
    formulas.extend(query);
    Traits::new(&text, &formulas, at)
}
