//! Which post of the collection is this answer?
//!
//! A system that cuts its answers out of posts gives texts that nobody judged, but the posts were judged.
//! An answer *agrees* with a post when it is its whole text, or an excerpt: enough of its tokens stand in the
//! post, in the same order, in runs that are long enough ([`MatchRule`]). Passages may be joined, with an
//! ellipsis or without. White space, and where formulas begin and end, make no difference.

use super::runs::{Numbered, covered};
use super::sequence::Sequence;
use super::text::Normalisation;
use formats::DocId;
use formats::order;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::num::NonZeroU8;

/// When an answer is an excerpt of a post.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchRule {
    /// The share of the answer's tokens that must stand in the post.
    pub share: f64,
    /// How many tokens a run has at least; shorter ones count only if they are whole sentences of both texts.
    pub run: NonZeroU8,
}

impl Default for MatchRule {
    fn default() -> Self {
        Self { share: 0.9, run: const { NonZeroU8::new(8).expect("8 is not 0") } }
    }
}

impl MatchRule {
    fn length(self) -> usize {
        usize::from(self.run.get())
    }
}

impl fmt::Display for MatchRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = (self.share * 100.0).round();
        write!(
            f,
            "{percent} % of the answer's tokens stand in the post, in order, in runs of {} or more or as whole \
             sentences",
            self.run
        )
    }
}

/// What an answer is of a post.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MatchKind {
    /// Its whole text.
    Whole,
    /// A part of it, or several.
    Excerpt {
        /// The share of the post's tokens that stand in the answer.
        share_of_post: f64,
    },
    /// Nothing.
    #[default]
    None,
}

/// What the sources that a run names for an answer are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamedSource {
    /// It names no post that is known.
    #[default]
    None,
    /// The answer agrees with a post that it names.
    Agrees,
    /// It names posts, and the answer agrees with none of them.
    Differs,
}

/// What was found for an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Match {
    /// What it is of the post.
    pub kind: MatchKind,
    /// The post, if there is one.
    pub post: Option<Box<str>>,
    /// Further judged posts with which it agrees.
    pub others: Vec<Box<str>>,
    /// What the named sources are worth.
    pub named: NamedSource,
}

/// The posts among which the answers to a topic are looked for.
///
/// ```
/// use formats::DocId;
/// use eval::task3::{MatchKind, MatchRule, TopicPosts};
/// let text = "Group the terms of [MATH] \\sum \\frac{1}{n} [/MATH] by powers of two. Each group is at least a half.";
/// let posts = TopicPosts::new(MatchRule::default(), [(DocId("12"), text)], []);
/// let found = posts.find("Group the terms of $\\sum\\frac{1}{n}$ by powers  of two.", "");
/// assert_eq!(found.post.as_deref(), Some("12"));
/// assert!(matches!(found.kind, MatchKind::Excerpt { share_of_post } if share_of_post > 0.6));
/// ```
#[derive(Clone, Debug)]
pub struct TopicPosts {
    rule: MatchRule,
    numbers: HashMap<String, u32, foldhash::fast::FixedState>,
    posts: Vec<Post>,
    /// Checksums of all runs of the least length with the place of their post, in order.
    runs: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Post {
    id: Box<str>,
    is_judged: bool,
    text: Numbered,
}

/// What is found when the texts agree.
#[derive(Clone, Copy, Debug)]
struct Agreement {
    post: usize,
    kind: MatchKind,
    covered: usize,
}

/// What a token has that stands in no post.
const UNKNOWN: u32 = u32::MAX;

impl TopicPosts {
    /// Posts with their texts, formulas tagged: those that were judged, and further ones.
    #[must_use]
    pub fn new<'a>(
        rule: MatchRule,
        judged: impl IntoIterator<Item = (DocId<'a>, &'a str)>,
        further: impl IntoIterator<Item = (DocId<'a>, &'a str)>,
    ) -> Self {
        let mut numbers: HashMap<String, u32, _> =
            HashMap::with_hasher(foldhash::fast::FixedState::default());
        let mut posts = Vec::new();
        let judged = judged.into_iter().map(|post| (post, true));
        for ((id, text), is_judged) in judged.chain(further.into_iter().map(|post| (post, false))) {
            let text = Numbered::new(&Sequence::read(text), rule.length(), |token| {
                if let Some(number) = numbers.get(token) {
                    return *number;
                }
                let number = u32::try_from(numbers.len()).unwrap_or(UNKNOWN);
                numbers.insert(token.clone(), number);
                number
            });
            posts.push(Post { id: id.as_str().into(), is_judged, text });
        }
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (place, post) in (0..).zip(&posts) {
            runs.extend(checksums(&post.text.tokens, rule.length()).map(|sum| (sum, place)));
        }
        runs.sort_unstable();
        runs.dedup();
        Self { rule, numbers, posts, runs }
    }

    /// The post that an answer is, as it was written, with the sources that are named for it.
    ///
    /// Of several posts a judged one comes first, then one that is named, then the one with more of the
    /// answer's tokens, then the shorter one, then the one whose id is higher, as in rankings. Every word of
    /// the sources that is the id of a post names it. A named post whose text does not agree is not believed,
    /// and a post that is neither judged nor named is not looked at.
    #[must_use]
    pub fn find(&self, answer: &str, sources: &str) -> Match {
        let is_named = |post: &Post| source_words(sources).any(|word| word == &*post.id);
        let mut found = self.agreeing(&Normalisation::Published.apply(answer));
        found.retain(|found| self.posts[found.post].is_judged || is_named(&self.posts[found.post]));
        let better = |a: &Agreement, b: &Agreement| -> Ordering {
            let (left, right) = (&self.posts[a.post], &self.posts[b.post]);
            (right.is_judged, is_named(right), b.covered)
                .cmp(&(left.is_judged, is_named(left), a.covered))
                .then_with(|| left.text.tokens.len().cmp(&right.text.tokens.len()))
                .then_with(|| order::compare((0.0, DocId(&left.id)), (0.0, DocId(&right.id))))
        };
        let best = found.iter().min_by(|a, b| better(a, b)).copied();
        let named = if found.iter().any(|found| is_named(&self.posts[found.post])) {
            NamedSource::Agrees
        } else if self.posts.iter().any(is_named) {
            NamedSource::Differs
        } else {
            NamedSource::None
        };
        let is_other = |found: &&Agreement| {
            self.posts[found.post].is_judged && Some(found.post) != best.map(|best| best.post)
        };
        Match {
            kind: best.map_or(MatchKind::None, |best| best.kind),
            post: best.map(|best| self.posts[best.post].id.clone()),
            others: found.iter().filter(is_other).map(|found| self.posts[found.post].id.clone()).collect(),
            named,
        }
    }

    /// Whether an answer, formulas tagged, agrees with a post.
    pub(super) fn agrees(&self, tagged: &str) -> bool {
        !self.agreeing(tagged).is_empty()
    }

    fn agreeing(&self, tagged: &str) -> Vec<Agreement> {
        let number = |token: &String| self.numbers.get(token).copied().unwrap_or(UNKNOWN);
        let answer = Numbered::new(&Sequence::read(tagged), self.rule.length(), number);
        let length = answer.tokens.len();
        let needed = (self.rule.share * length as f64).ceil() as usize;
        let longest = self.posts.iter().map(|post| post.text.tokens.len()).max().unwrap_or(0);
        if length == 0 || needed > longest {
            return Vec::new();
        }
        let reachable = self.reachable(&answer);
        let mut found = Vec::new();
        for (place, post) in self.posts.iter().enumerate() {
            if post.text.tokens == answer.tokens {
                found.push(Agreement { post: place, kind: MatchKind::Whole, covered: length });
                continue;
            }
            let possible = reachable.get(&(place as u32)).copied().unwrap_or(0);
            if possible == 0
                || possible + answer.in_short_sentences() < needed
                || post.text.tokens.len() < needed
            {
                continue;
            }
            let covered = covered(&answer, &post.text, self.rule.length());
            if covered >= needed {
                let share_of_post = covered as f64 / post.text.tokens.len() as f64;
                found.push(Agreement { post: place, kind: MatchKind::Excerpt { share_of_post }, covered });
            }
        }
        found
    }

    /// How many tokens of the answer stand in runs that a post has somewhere, by the place of the post.
    fn reachable(&self, answer: &Numbered) -> BTreeMap<u32, usize> {
        let run = self.rule.length();
        // By post: how many tokens were counted, and up to where.
        let mut counted: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for (start, sum) in checksums(&answer.tokens, run).enumerate() {
            let from = self.runs.partition_point(|(other, _)| *other < sum);
            for (_, post) in self.runs[from..].iter().take_while(|(other, _)| *other == sum) {
                let (tokens, up_to) = counted.entry(*post).or_default();
                *tokens += start + run - (*up_to).max(start);
                *up_to = start + run;
            }
        }
        counted.into_iter().map(|(post, (tokens, _))| (post, tokens)).collect()
    }
}

/// A number for every run of so many tokens; other runs may have the same one.
fn checksums(tokens: &[u32], run: usize) -> impl Iterator<Item = u32> {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    tokens.windows(run).map(|window| {
        let sum = window
            .iter()
            .fold(0_u64, |sum, token| (sum.rotate_left(23) ^ u64::from(*token)).wrapping_mul(FACTOR));
        (sum >> 32) as u32
    })
}

/// The words of a column of sources that may be ids of posts.
///
/// ```
/// let named: Vec<&str> = eval::task3::source_words("post 7 (part 2), https://example.org/a/12.").collect();
/// assert_eq!(named, ["post", "7", "part", "2", "https", "example.org", "a", "12"]);
/// ```
pub fn source_words(sources: &str) -> impl Iterator<Item = &str> {
    let parts = sources.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')));
    parts.map(|part| part.trim_matches(['.', '-'])).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LONG: &str = "We group the terms by powers of two. So [MATH] \\sum_{n} 1/n [/MATH] is infinite, as each \
                        group is at least [MATH] 1/2 [/MATH] . Done! The integral test says the same thing, as \
                        the integral of [MATH] 1/x [/MATH] grows without any bound.";

    fn posts<'a>(judged: &[(&'a str, &'a str)]) -> TopicPosts {
        TopicPosts::new(MatchRule::default(), judged.iter().map(|(id, text)| (DocId(id), *text)), [])
    }

    /// The post that is found in one text, and the share of it in percent; 100 if it is whole.
    fn found(answer: &str, text: &str) -> Option<f64> {
        match posts(&[("7", text)]).find(answer, "").kind {
            MatchKind::Whole => Some(100.0),
            MatchKind::Excerpt { share_of_post } => Some((share_of_post * 100.0).round()),
            MatchKind::None => None,
        }
    }

    #[test]
    fn whole_posts_and_excerpts() {
        // The post has 9 + 22 + 2 + 20 = 53 tokens.
        let whole = "We group the terms by powers of two. So $\\sum_{n} 1/n$ is infinite, as each group is at \
                     least $1/2$. Done! The integral test says the same thing, as the integral of $1/x$ grows \
                     without any bound.";
        assert_eq!(found(whole, LONG), Some(100.0));
        assert_eq!(found(&format!("  {}\n", whole.replace(' ', "\n ")), LONG), Some(100.0));
        assert_eq!(
            found("the integral test says the same thing , as the integral of $1/x$ grows", LONG),
            Some(30.0)
        );
        // Two passages, and a short sentence between them.
        let joined =
            "We group the terms by powers of two. […] Done! … The integral of $1/x$ grows without any bound.";
        assert_eq!(found(joined, LONG), Some(42.0));
        assert_eq!(found(&joined.replace("[…]", "").replace('…', ""), LONG), Some(42.0));
    }

    #[test]
    fn what_is_no_excerpt() {
        // Passages in another order, other words, a few words only, nothing.
        let turned = "The integral of $1/x$ grows without any bound. We group the terms by powers of two.";
        assert_eq!(found(turned, LONG), None);
        assert_eq!(
            found("We collect the terms by powers of three, so that the sum of each group is small.", LONG),
            None
        );
        assert_eq!(found("We group the terms by.", LONG), None, "no run is long enough");
        assert_eq!(found("Done!", LONG), None, "a short sentence alone says nothing");
        assert_eq!(found("", LONG), None);
        assert_eq!(found("$", LONG), None);
        assert_eq!(found("We group the terms", ""), None);
    }

    #[test]
    fn a_tenth_may_be_added() {
        let passage =
            "The integral test says the same thing, as the integral of $1/x$ grows without any bound.";
        assert_eq!(found(&format!("Hint: {passage}"), LONG), Some(38.0));
        assert_eq!(found(&format!("Here is a long hint for you, dear reader: {passage}"), LONG), None);
        // What was cut off in the middle of a word or a formula.
        assert_eq!(
            found("says the same thing, as the integral of $1/x$ grows without any bou", LONG),
            Some(28.0)
        );
        assert_eq!(
            found("Done! The integral test says the same thing, as the integral of $1/", LONG),
            Some(30.0)
        );
    }

    #[test]
    fn short_posts_agree_only_whole() {
        assert_eq!(found("Take $x=1$.", "Take [MATH] x=1 [/MATH] ."), Some(100.0));
        assert_eq!(found("Take $x=2$.", "Take [MATH] x=1 [/MATH] ."), None);
    }

    #[test]
    fn the_judged_then_the_named_then_the_shorter_then_the_higher_id() {
        let excerpt =
            "The integral test says the same thing, as the integral of $1/x$ grows without any bound.";
        let longer = format!("{LONG} And so on.");
        let judged = [("7", longer.as_str()), ("8", LONG), ("9", LONG), ("10", "another text")];
        let judged = judged.iter().map(|(id, text)| (DocId(id), *text));
        let posts = TopicPosts::new(MatchRule::default(), judged, [(DocId("11"), LONG)]);
        let check = |sources: &str, post: &str, named: NamedSource| {
            let found = posts.find(excerpt, sources);
            assert_eq!((found.post.as_deref(), found.named), (Some(post), named), "{sources}");
            found
        };
        let found = check("", "9", NamedSource::None);
        let others: Vec<&str> = found.others.iter().map(|id| &**id).collect();
        assert_eq!(others, ["7", "8"]);
        check("post 7, part 2", "7", NamedSource::Agrees);
        check("https://example.org/a/8", "8", NamedSource::Agrees);
        check("10", "9", NamedSource::Differs);
        check("11", "9", NamedSource::Agrees);
        check("12", "9", NamedSource::None);
        let only_named = TopicPosts::new(MatchRule::default(), [], [(DocId("11"), LONG)]);
        assert_eq!(only_named.find(excerpt, "11").post.as_deref(), Some("11"));
        assert_eq!(only_named.find(excerpt, "").post, None);
    }

    #[test]
    fn hostile_texts_end() {
        let huge = "a ".repeat(300_000);
        assert_eq!(found(&huge, LONG), None);
        assert_eq!(found(&huge, &huge), Some(100.0));
        assert_eq!(found(&huge[..400_000], &huge), Some(67.0));
        assert_eq!(found(&"$ \\".repeat(50_000), LONG), None);
        assert_eq!(posts(&[]).find("a", "b"), Match::default());
    }

    /// A post of sentences of words, each so rare that no run stands in it twice by chance.
    fn post() -> impl Strategy<Value = Vec<Vec<String>>> {
        prop::collection::vec(prop::collection::vec("[a-e]{1,3}|\\$[x-z]\\^[0-9]\\$", 1..14), 2..10)
    }

    fn text(sentences: &[Vec<String>]) -> String {
        sentences.iter().map(|words| format!("{}. ", words.join(" "))).collect()
    }

    proptest! {
        #[test]
        fn what_was_cut_from_a_post_agrees_with_it(
            sentences in post(),
            kept in prop::collection::vec(any::<bool>(), 10),
            ellipsis in prop::sample::select(vec![" ", " … ", " [...] "]),
        ) {
            let tagged = Normalisation::Published.apply(&text(&sentences));
            let cut: Vec<Vec<String>> =
                sentences.iter().zip(kept).filter(|(_, kept)| *kept).map(|(words, _)| words.clone()).collect();
            let answer: Vec<String> = cut.iter().map(|words| text(std::slice::from_ref(words))).collect();
            if cut.iter().any(|words| words.len() >= 8) {
                prop_assert!(found(&answer.join(ellipsis), &tagged).is_some(), "{answer:?} in {tagged:?}");
            }
        }

        #[test]
        fn white_space_makes_no_difference(sentences in post(), blank in "[ \t\n]{1,3}") {
            let tagged = Normalisation::Published.apply(&text(&sentences));
            let spread = text(&sentences).replace(' ', &blank);
            prop_assert_eq!(found(&spread, &tagged), Some(100.0));
        }

        #[test]
        fn unrelated_text_does_not_agree(sentences in post()) {
            // The same words backwards: all tokens, but hardly a run.
            let tagged = Normalisation::Published.apply(&text(&sentences));
            let words: Vec<&String> = sentences.iter().flatten().collect();
            prop_assume!(words.len() > 20);
            let other: Vec<String> = words.iter().rev().map(|word| format!("{word}q")).collect();
            prop_assert_eq!(found(&other.join(" "), &tagged), None);
        }

        #[test]
        fn any_text_is_looked_for(answer in "\\PC{0,60}", other in "\\PC{0,60}", sources in "\\PC{0,10}") {
            let found = posts(&[("7", &other)]).find(&answer, &sources);
            prop_assert_eq!(found.post.is_some(), found.kind != MatchKind::None);
        }
    }
}
