//! What was written, in numbers.

use serde::Serialize;

/// The content of `synth.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Manifest {
    /// What made the files.
    pub generator: String,
    /// Its version: other versions may give other files.
    pub version: String,
    /// Questions and answers.
    pub posts: u64,
    /// The seed.
    pub seed: u64,
    /// Questions.
    pub questions: u64,
    /// Answers.
    pub answers: u64,
    /// Comments.
    pub comments: u64,
    /// Links between questions.
    pub links: u64,
    /// Links that name a duplicate.
    pub duplicates: u64,
    /// Tags.
    pub tags: u64,
    /// Users.
    pub users: u64,
    /// Formulas.
    pub formulas: FormulaCounts,
    /// Topics.
    pub topics: u64,
    /// Threads planted for topics.
    pub planted_threads: u64,
    /// Judgments of answers.
    pub judged_answers: u64,
    /// Judgments of visual ids.
    pub judged_formulas: u64,
}

/// Formula instances by the text they stand in, and distinct ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FormulaCounts {
    /// All.
    pub instances: u64,
    /// In titles.
    pub title: u64,
    /// In questions.
    pub question: u64,
    /// In answers.
    pub answer: u64,
    /// In comments.
    pub comment: u64,
    /// Distinct visual ids.
    pub distinct_visual_ids: u64,
    /// Distinct LaTeX.
    pub distinct_latex: u64,
    /// Whether the distinct ones were counted or, above half a million, estimated to
    /// about 0.2 per cent.
    pub distinct_are_exact: bool,
}
