//! JSON lines: what `hypatia collection build` reads, so that posts, comments, links, users and the ids of
//! formulas come back as they were.
//!
//! Texts are HTML in which a formula is `<span class="math-container" id="N">$LaTeX$</span>`. Not
//! kept: MathML that came with formulas, old visual ids, formulas that stand in no text, where a
//! table has a formula that stands elsewhere, and whether an id was given or is ours.

use crate::error::Error;
use crate::texts::Texts;
use crate::{Output, Watch};
use serde::{Serialize, Serializer};
use std::ops::Range;
use store::{Collection, CommentNo, Date, Id, IdKind, LinkNo, PostNo};

/// Records that are worked on at once by a core.
const BATCH: u32 = 256;

/// What can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Questions, answers and documents.
    Posts,
    /// Comments.
    Comments,
    /// Links.
    Links,
    /// Users.
    Users,
}

impl Part {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 4] = [Self::Users, Self::Posts, Self::Comments, Self::Links];

    /// How many records it has.
    #[must_use]
    pub fn records(self, collection: &Collection) -> u64 {
        let counts = &collection.about().counts;
        u64::from(match self {
            Self::Posts => collection.num_posts(),
            Self::Comments => counts.comments,
            Self::Links => counts.links,
            Self::Users => counts.users,
        })
    }
}

/// Writes parts of a collection as JSON lines and says how many lines there are.
///
/// # Errors
///
/// When the collection is damaged or the file cannot be written.
pub fn write(
    collection: &Collection,
    parts: &[Part],
    out: &mut Output,
    watch: Watch<'_>,
) -> Result<u64, Error> {
    let mut lines = 0;
    for part in Part::ALL.into_iter().filter(|part| parts.contains(part)) {
        let mut sink = |(text, count): (String, u64)| {
            lines += count;
            watch(count);
            out.put(text.as_bytes())
        };
        if part == Part::Users {
            let mut text = String::new();
            let users = collection.users()?;
            for (id, name) in &users {
                push_line(&mut text, &UserLine { kind: "user", id, name });
            }
            sink((text, users.len() as u64))?;
            continue;
        }
        let count = u32::try_from(part.records(collection)).unwrap_or(u32::MAX);
        let worker = || {
            let mut texts = Texts::new(collection);
            move |batch: Range<u32>| {
                let (mut text, count) = (String::new(), batch.len() as u64);
                for number in batch {
                    match part {
                        Part::Posts => push_post(&mut texts, PostNo(number), &mut text),
                        Part::Comments => push_comment(&mut texts, CommentNo(number), &mut text),
                        Part::Links => push_link(&mut texts, LinkNo(number), &mut text),
                        Part::Users => Ok(()),
                    }?;
                }
                Ok((text, count))
            }
        };
        parallel::batches(count, BATCH, worker, &mut sink)?;
    }
    Ok(lines)
}

/// An id: a number where all are numbers.
#[derive(Debug)]
struct JsonId<'a>(Id<'a>);

impl Serialize for JsonId<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Id::Number(number) => serializer.serialize_u64(number),
            Id::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// An id that stands in a text; what is no number stays a text.
fn json_id(text: &str, kind: IdKind) -> JsonId<'_> {
    JsonId(Id::parse(text, kind).unwrap_or(Id::Text(text)))
}

#[derive(Debug, Serialize)]
struct PostLine<'a> {
    kind: &'static str,
    id: JsonId<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<JsonId<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<JsonId<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    body: String,
    markup: &'static str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<u32>,
}

#[derive(Debug, Serialize)]
struct CommentLine<'a> {
    kind: &'static str,
    id: JsonId<'a>,
    post: JsonId<'a>,
    text: String,
    markup: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct LinkLine<'a> {
    kind: &'static str,
    from: JsonId<'a>,
    to: JsonId<'a>,
    link: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
}

#[derive(Debug, Serialize)]
struct UserLine<'a> {
    kind: &'static str,
    id: &'a str,
    name: &'a str,
}

fn push_line(out: &mut String, line: &impl Serialize) {
    let json = serde_json::to_string(line).expect("maps with string keys and plain values always serialise");
    out.push_str(&json);
    out.push('\n');
}

fn push_post(texts: &mut Texts<'_>, number: PostNo, out: &mut String) -> Result<(), Error> {
    let collection = texts.collection;
    let ids = collection.about().post_ids.into();
    let post = texts.reader.post(number)?;
    let (title, body) = texts.post_html(&post)?;
    let line = PostLine {
        kind: post.facts.kind.name(),
        id: JsonId(post.id),
        parent: post.parent_id.as_deref().map(|parent| json_id(parent, ids)),
        accepted: post.facts.accepted.map(|answer| JsonId(collection.post_id(answer))),
        title,
        body,
        markup: "html",
        tags: &post.tags,
        score: post.facts.score,
        date: written(post.facts.date),
        owner: post.owner.as_deref(),
        views: post.views,
    };
    push_line(out, &line);
    Ok(())
}

fn push_comment(texts: &mut Texts<'_>, number: CommentNo, out: &mut String) -> Result<(), Error> {
    let collection = texts.collection;
    let comment = texts.reader.comment(number)?;
    let formulas = collection.formulas_of_comment(number);
    let line = CommentLine {
        kind: "comment",
        id: JsonId(comment.id),
        post: JsonId(collection.post_id(comment.post)),
        text: texts.html(&comment.text, formulas)?,
        markup: "html",
        score: comment.score,
        date: written(comment.date),
        owner: comment.owner.as_deref(),
    };
    push_line(out, &line);
    Ok(())
}

fn push_link(texts: &mut Texts<'_>, number: LinkNo, out: &mut String) -> Result<(), Error> {
    let ids = texts.collection.about().post_ids.into();
    let link = texts.reader.link(number)?;
    let line = LinkLine {
        kind: "link",
        from: json_id(&link.from, ids),
        to: json_id(&link.to, ids),
        link: link.kind.name(),
        date: written(link.date),
    };
    push_line(out, &line);
    Ok(())
}

fn written(date: Option<Date>) -> Option<String> {
    date.map(|date| date.to_string())
}
