//! TREC documents: what search engines of the lab and its neighbours read.
//!
//! ```text
//! <DOC>
//! <DOCNO>12</DOCNO>
//! <TITLE>Why is $\sum 1/n$ infinite?</TITLE>
//! <TAGS>calculus series</TAGS>
//! <TEXT>
//! I know $H_n$ &amp; its growth.
//! </TEXT>
//! </DOC>
//! ```
//!
//! `&`, `<` and `>` of texts are entities, so no text looks like a tag. Ids that are names have
//! blanks, `&`, `<`, `>` and `%` written as `%20` and the like, since a run parts its columns by blanks.

use crate::error::Error;
use crate::texts::Texts;
use crate::{Output, Watch};
use std::fmt::Write as _;
use std::ops::Range;
use store::{Collection, Id, Post, PostKind, PostNo};

/// Posts that are worked on at once by a core.
const BATCH: u32 = 256;

/// What becomes a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// Each post: questions, answers and documents.
    #[default]
    Post,
    /// Each answer, with title, tags and text of its question before it; the id is the answer's.
    Answer,
    /// Each question with its answers, and each post that stands alone; the id is the question's.
    Thread,
}

/// Writes a collection as TREC documents and says how many there are.
///
/// # Errors
///
/// When the collection is damaged or the file cannot be written.
pub fn write(collection: &Collection, unit: Unit, out: &mut Output, watch: Watch<'_>) -> Result<u64, Error> {
    let worker = || {
        let mut texts = Texts::new(collection);
        move |posts: Range<u32>| {
            let (mut text, mut count, seen) = (String::new(), 0, posts.len() as u64);
            for post in posts.map(PostNo) {
                if let Some(parts) = parts(collection, unit, post) {
                    push_document(&mut texts, post, &parts, &mut text)?;
                    count += 1;
                }
            }
            Ok::<_, Error>((text, count, seen))
        }
    };
    let mut documents = 0;
    parallel::batches(collection.num_posts(), BATCH, worker, |(text, count, seen): (String, u64, u64)| {
        out.put(text.as_bytes())?;
        documents += count;
        watch(seen);
        Ok(())
    })?;
    Ok(documents)
}

/// The posts that make the document of a post, if it has one.
fn parts(collection: &Collection, unit: Unit, post: PostNo) -> Option<Vec<PostNo>> {
    let facts = collection.post_facts(post);
    match unit {
        Unit::Post => Some(vec![post]),
        Unit::Answer if facts.kind != PostKind::Answer => None,
        Unit::Answer => Some(facts.parent.into_iter().chain([post]).collect()),
        Unit::Thread if collection.thread_of(post) != post => None,
        Unit::Thread => Some(std::iter::once(post).chain(collection.answers(post)).collect()),
    }
}

fn push_document(
    texts: &mut Texts<'_>,
    number: PostNo,
    parts: &[PostNo],
    out: &mut String,
) -> Result<(), Error> {
    out.push_str("<DOC>\n<DOCNO>");
    push_number(out, texts.collection.post_id(number));
    out.push_str("</DOCNO>\n");
    let mut body = String::new();
    for (place, part) in parts.iter().enumerate() {
        let post: Post<'_> = texts.reader.post(*part)?;
        let (title, text) = texts.post_plain(&post)?;
        if place == 0 {
            for (tag, value) in [("TITLE", title.unwrap_or_default()), ("TAGS", post.tags.join(" "))] {
                if !value.is_empty() {
                    let _ = write!(out, "<{tag}>");
                    // A title is one line.
                    push_text(out, &value.replace('\n', " "));
                    let _ = writeln!(out, "</{tag}>");
                }
            }
        }
        if !text.is_empty() {
            if !body.is_empty() {
                body.push_str("\n\n");
            }
            push_text(&mut body, &text);
        }
    }
    if !body.is_empty() {
        body.push('\n');
    }
    let _ = write!(out, "<TEXT>\n{body}</TEXT>\n</DOC>\n");
    Ok(())
}

/// Appends a text in which nothing looks like a tag.
fn push_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(c),
        }
    }
}

/// Appends an id that has no blanks and no tags.
fn push_number(out: &mut String, id: Id<'_>) {
    let Id::Text(text) = id else {
        let _ = write!(out, "{id}");
        return;
    };
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '&' | '%') {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(out, "%{byte:02X}");
            }
        } else {
            out.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_looks_like_a_tag() {
        let mut out = String::new();
        push_text(&mut out, "a</TEXT></DOC><DOC><DOCNO>1</DOCNO> & $x<y$");
        assert_eq!(out, "a&lt;/TEXT&gt;&lt;/DOC&gt;&lt;DOC&gt;&lt;DOCNO&gt;1&lt;/DOCNO&gt; &amp; $x&lt;y$");
    }

    #[test]
    fn ids_have_no_blanks() {
        for (id, written) in [
            (Id::Number(12), "12"),
            (Id::Text("a/b.md"), "a/b.md"),
            (Id::Text("a b\u{A0}<c>&100%"), "a%20b%C2%A0%3Cc%3E%26100%25"),
        ] {
            let mut out = String::new();
            push_number(&mut out, id);
            assert_eq!(out, written);
        }
    }
}
