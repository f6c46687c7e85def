//! What is particular to a task with one answer for each topic.

use eval::task3::{AnswerSimilarity, ComparedAnswer, Normalisation};
use formats::qrels::Qrels;
use formats::{DocId, Flags, TopicId};

/// What a task with one answer for each topic is scored with, beside the judgments.
#[derive(Default)]
pub struct AnswerTask<'a> {
    /// Which answers look machine-generated or hold unrelated information.
    pub flags: Option<&'a Flags>,
    /// How answers are compared with those that others found relevant; left out where nothing is said.
    pub similarity: Option<SimilaritySettings<'a>>,
    /// The judgments by which the first answers of the lab's Task 1 runs are scored as if they were the only
    /// ones, with codes where there are no grades, so that both ways to count them can be shown.
    pub first_answers: Option<&'a Qrels>,
}

/// How answers are compared with those that others found relevant.
#[derive(Clone)]
pub struct SimilaritySettings<'a> {
    /// The measures, such as lexical overlap (LO) and contextual similarity (CS); each is a column.
    pub measures: Vec<&'a dyn AnswerSimilarity>,
    /// How dollar signs are read.
    pub normalisation: Normalisation,
    /// The texts of posts, so that relevant answers of Task 1 runs are references, too.
    pub posts: Option<&'a dyn PostTexts>,
}

/// Knows the texts of posts.
pub trait PostTexts {
    /// The text of a post as it is compared, if it is known.
    fn text(&self, post: DocId<'_>) -> Option<ComparedAnswer>;
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
