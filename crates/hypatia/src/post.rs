//! Posts and threads as they are read.

use crate::error::Error;
use index::{Document, Index};
use post::{FormulaTexts, MARK, PostView};
use store::{Date, FormulaNo, PostKind, Reader};

/// A post with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post {
    /// Its id.
    pub id: String,
    /// What it is.
    pub kind: PostKind,
    /// The id of the question that it answers.
    pub question_id: Option<String>,
    /// Its title as plain text with LaTeX between dollars; empty if it has none.
    pub title: String,
    /// Its text in the same way, with a line for each paragraph.
    pub body: String,
    /// Its tags.
    pub tags: Vec<String>,
    /// Votes for it less votes against it.
    pub votes: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
    /// The name of who wrote it, or the number where there is no name.
    pub user: Option<String>,
    /// The LaTeX of its formulas, those of the title first, each with its visual id.
    pub formulas: Vec<(String, u64)>,
}

/// A question with its answers, or a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// What it begins with.
    pub first: Post,
    /// The answers, in the order of the collection.
    pub answers: Vec<Post>,
}

pub(crate) fn post(index: &Index, id: &str) -> Result<Option<Post>, Error> {
    index.find(id).map(|document| read(index, document)).transpose()
}

pub(crate) fn thread(index: &Index, id: &str) -> Result<Option<Thread>, Error> {
    let Some(document) = index.find(id) else { return Ok(None) };
    let segment = &index.segments()[document.segment];
    let live = |doc: &u32| segment.is_live(*doc);
    let first = segment.posts.parent(document.doc).filter(live).unwrap_or(document.doc);
    let at = |doc: u32| Document { doc, ..document };
    // Answers follow their question without a gap.
    let answers = (first + 1..segment.posts.documents())
        .take_while(|doc| segment.posts.parent(*doc) == Some(first))
        .filter(live)
        .map(|doc| read(index, at(doc)))
        .collect::<Result<_, _>>()?;
    Ok(Some(Thread { first: read(index, at(first))?, answers }))
}

fn read(index: &Index, document: Document) -> Result<Post, Error> {
    let (source, number) = index.post(document);
    let collection = &source.collection;
    let mut reader = collection.reader();
    let view = PostView::read(&mut reader, number)?;
    let (mut texts, mut formulas) = (FormulaTexts::default(), Vec::new());
    for formula in collection.formulas_of_post(number) {
        let form = collection.formula_form(FormulaNo(formula));
        let visual = collection.form_visual(form);
        formulas.push((texts.latex(&mut reader, form)?, collection.visual_id(visual)));
    }
    let (of_title, of_body) = formulas.split_at(view.formulas_in_title());
    let title = with_dollars(view.title_text(), of_title);
    let body = with_dollars(&view.body.text, of_body);
    let post = view.post;
    let parent = index.segments()[document.segment].posts.parent(document.doc);
    let question_id = parent.map(|doc| {
        let (source, number) = index.post(Document { doc, ..document });
        source.collection.post_id(number).to_string()
    });
    Ok(Post {
        id: post.id.to_string(),
        kind: post.facts.kind,
        question_id: question_id.or(post.parent_id),
        title,
        body,
        tags: post.tags,
        votes: post.facts.score,
        date: post.facts.date,
        user: post.owner.map(|owner| name(&mut reader, owner)).transpose()?,
        formulas,
    })
}

/// A text with the LaTeX of its formulas between dollars.
fn with_dollars(text: &str, formulas: &[(String, u64)]) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, piece) in text.split(MARK).enumerate() {
        if number > 0 {
            let latex = formulas.get(number - 1).map_or("", |(latex, _)| latex);
            out.extend(["$", latex, "$"]);
        }
        out.push_str(piece);
    }
    out
}

fn name(reader: &mut Reader<'_>, owner: String) -> Result<String, Error> {
    Ok(reader.user(&owner)?.unwrap_or(owner))
}
