//! Task 3: how good is the one answer that a system gives to a question?
//!
//! | measure | question | where |
//! | --- | --- | --- |
//! | AR, P@1 | What did people think of the answer? | [`relevance()`] |
//! | LO | Does it say what relevant answers say, in the same tokens? | [`similarity()`] with [`LexicalOverlap`] |
//! | MG, UI | Is it machine-made, does it hold unrelated things? | [`flag_shares`] |
//!
//! An answer that nobody judged may be an excerpt of a post that was: [`TopicPosts`] finds it. What can be
//! counted in any answer are [`Indicators`], and [`compare_grades`] sets two runs side by side.
//!
//! Contextual similarity needs a language model; whoever has one implements
//! [`AnswerSimilarity`] and gets references, ablation and mean from here.
//! Where the lab's scripts do something else than its overview says, both are
//! there under the names *published* and *as run*.

mod error;
mod first;
mod flags;
mod grades;
mod indicators;
mod matching;
mod overlap;
mod references;
mod relevance;
mod runs;
mod sequence;
mod share;
mod similarity;
mod team_references;
mod text;
mod tokens;
mod versus;

#[cfg(test)]
mod tests;

pub use error::Task3Error;
pub use first::{best_answers, first_answers, highest_possible};
pub use flags::{FlagShares, UnrelatedByRelevance, flag_shares};
pub use grades::{RELEVANT, grade_of};
pub use indicators::{Indicator, Indicators, WrittenAnswer};
pub use matching::{Match, MatchKind, MatchRule, NamedSource, TopicPosts, source_words};
pub use overlap::{Counting, LexicalOverlap, token_f1};
pub use references::{Ablation, Contributor, NotUsed, NotUsedReason, Reference, ReferenceTask, References};
pub use relevance::{
    CodeRule, MeanOver, Outcome, Relevance, RelevanceConfig, TopicFilter, TopicRelevance, relevance,
};
pub use share::Share;
pub use similarity::{
    AnswerSimilarity, BestReference, Rule, SimilarityOutcome, SimilarityScore, TopicSimilarity, Unanswered,
    similarity,
};
pub use team_references::TeamReferences;
pub use text::{ComparedAnswer, Normalisation, Piece};
pub use tokens::{Tokenize, TokenizeError, Tokenizer};
pub use versus::{Difference, GradeComparison, SimilarityComparison, compare_grades, compare_similarity};
