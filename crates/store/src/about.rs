//! What a collection says about itself.

use crate::ids::IdKind;
use serde::{Deserialize, Serialize};

/// What a collection says about itself: how it was made, of what, and how much is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The program that wrote it, with its version.
    pub program: String,
    /// What it was built from: `arqmath`, `stack-exchange`, `documents`.
    pub source: String,
    /// The site whose posts these are, such as `math.stackexchange.com`, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// The files it was built from.
    pub inputs: Vec<InputNote>,
    /// How much is in it.
    pub counts: Counts,
    /// What was wrong with the files, by kind, in the order of kinds.
    pub dirt: Vec<DirtNote>,
    /// Records that were read and are not kept, such as votes, by kind.
    pub passed_over: Vec<(String, u64)>,
    /// What was changed after it was built.
    pub repairs: Vec<DirtNote>,
    /// Whether posts have numbers or names.
    pub post_ids: IdKindNote,
    /// Whether comments have numbers or names.
    pub comment_ids: IdKindNote,
    /// Whether formulas have numbers or names.
    pub formula_ids: IdKindNote,
}

/// A file that a collection was built from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputNote {
    /// Its name.
    pub name: String,
    /// Its length, unpacked.
    pub bytes: u64,
}

/// How often a kind of dirt was met.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirtNote {
    /// The name of the kind.
    pub kind: String,
    /// What was done about it: `kept`, `mended` or `skipped`.
    pub action: String,
    /// How often.
    pub count: u64,
}

/// How much is in a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Questions.
    pub questions: u32,
    /// Answers.
    pub answers: u32,
    /// Documents of their own.
    pub documents: u32,
    /// Comments.
    pub comments: u32,
    /// Links.
    pub links: u32,
    /// Users.
    pub users: u32,
    /// Places at which a formula stands in a post, and formulas of tables that stand nowhere.
    pub formulas: u32,
    /// Of these, in titles.
    pub in_titles: u32,
    /// Of these, in questions.
    pub in_questions: u32,
    /// Of these, in answers.
    pub in_answers: u32,
    /// Of these, in documents.
    pub in_documents: u32,
    /// Of these, in comments.
    pub in_comments: u32,
    /// Of these, nowhere.
    pub nowhere: u32,
    /// Distinct formula ids.
    pub formula_ids: u32,
    /// Formula ids that tables list, whether they stand in a text or not.
    pub listed: u32,
    /// Of these, those that a table has in titles.
    pub listed_in_titles: u32,
    /// Of these, those that a table has in questions.
    pub listed_in_questions: u32,
    /// Of these, those that a table has in answers.
    pub listed_in_answers: u32,
    /// Of these, those that a table has in comments.
    pub listed_in_comments: u32,
    /// Visual ids that tables give to formulas outside comments.
    pub listed_visuals_in_posts: u32,
    /// Distinct ways in which formulas are written and given.
    pub forms: u32,
    /// Distinct looks: visual ids.
    pub visuals: u32,
}

/// [`IdKind`] as it is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IdKindNote {
    /// See [`IdKind::Numbers`].
    #[default]
    Numbers,
    /// See [`IdKind::Texts`].
    Texts,
}

impl From<IdKind> for IdKindNote {
    fn from(kind: IdKind) -> Self {
        match kind {
            IdKind::Numbers => Self::Numbers,
            IdKind::Texts => Self::Texts,
        }
    }
}

impl From<IdKindNote> for IdKind {
    fn from(kind: IdKindNote) -> Self {
        match kind {
            IdKindNote::Numbers => Self::Numbers,
            IdKindNote::Texts => Self::Texts,
        }
    }
}
