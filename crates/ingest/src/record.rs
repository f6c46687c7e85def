//! What readers give: posts, comments, links and users as they stand in files.
//!
//! A reader says what a file says and no more: texts are not cleaned, ids not
//! looked up, formulas not found. That is the builder's.

use markup::Markup;
use store::{Date, LinkKind, PostKind};

/// Where a record stands: the number of its file in the list of inputs, and the line from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// The number of the file.
    pub file: u32,
    /// The line on which the record begins.
    pub line: u64,
}

/// A post as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct RawPost {
    /// Where.
    pub at: At,
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: PostKind,
    /// The question it answers.
    pub parent: Option<String>,
    /// The answer its asker accepted.
    pub accepted: Option<String>,
    /// How title and body are marked up.
    pub markup: Markup,
    /// Its title.
    pub title: Option<String>,
    /// Its text.
    pub body: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Votes for it less votes against it.
    pub score: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
    /// Who wrote it.
    pub owner: Option<String>,
    /// How often it was looked at.
    pub views: Option<u32>,
}

/// A comment as it stands in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct RawComment {
    /// Where.
    pub at: At,
    /// Its id; comments are numbered apart from posts.
    pub id: String,
    /// The post it is about.
    pub post: String,
    /// How it is marked up.
    pub markup: Markup,
    /// Its text.
    pub text: String,
    /// Votes for it.
    pub score: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
    /// Who wrote it.
    pub owner: Option<String>,
}

/// A link as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLink {
    /// Where.
    pub at: At,
    /// The newer post, which leads to the other.
    pub from: String,
    /// The post it leads to.
    pub to: String,
    /// What the link says.
    pub kind: LinkKind,
    /// When it was made.
    pub date: Option<Date>,
}

/// A user as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawUser {
    /// Where.
    pub at: At,
    /// The id by which posts name their owner.
    pub id: String,
    /// The name that is shown.
    pub name: String,
}

/// One thing that a file says.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// A question, an answer or a document.
    Post(RawPost),
    /// A comment on a post.
    Comment(RawComment),
    /// A link from one post to another.
    Link(RawLink),
    /// Somebody who writes.
    User(RawUser),
}
