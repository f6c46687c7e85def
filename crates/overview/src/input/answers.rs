//! What is particular to a task with one answer for each topic.

use collection::qrels::Qrels;
use collection::{DocId, Flags, TopicId};
use eval::task3::{Counting, Normalisation, PostText, Tokenize};

/// What a task with one answer for each topic is scored with, beside the judgments.
#[derive(Default)]
pub struct AnswerTask<'a> {
    /// Which answers look machine-generated or hold unrelated information.
    pub flags: Option<&'a Flags>,
    /// How lexical overlap is computed; it is left out where nothing is said.
    pub overlap: Option<OverlapSettings<'a>>,
    /// Contextual similarity of each system, computed elsewhere, in their
    /// order; may be shorter.
    pub contextual: Vec<Option<f64>>,
    /// The judgments by which the first answers of the lab's Task 1 runs are
    /// scored as if they were the only ones; the codes of Task 3 must not be
    /// among its grades.
    pub first_answers: Option<&'a Qrels>,
}

/// How lexical overlap is computed.
#[derive(Clone, Copy)]
pub struct OverlapSettings<'a> {
    /// What cuts the texts into tokens.
    pub tokenizer: &'a dyn Tokenize,
    /// Whether a token that occurs twice counts twice.
    pub counting: Counting,
    /// How dollar signs are read.
    pub normalisation: Normalisation,
    /// The texts of posts, so that relevant answers of Task 1 runs are references, too.
    pub posts: Option<&'a dyn PostTexts>,
}

/// Knows the texts of posts.
pub trait PostTexts {
    /// The text of a post as it is compared, if it is known.
    fn text(&self, post: DocId<'_>) -> Option<PostText>;
}

/// The answer of a system to a topic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The topic.
    pub topic: TopicId,
    /// The id under which it was judged.
    pub id: String,
    /// The text as it was written; overlap is computed for answers that have one.
    pub text: Option<String>,
}
