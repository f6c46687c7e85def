//! The columns of each table, and its rows.

use super::ids::Ids;
use super::table::{Cell, Field, Kind, Need};
use super::{GivenMathml, Rows};
use crate::error::Error;
use crate::formulas::{Place, claimed};
use crate::texts::{Texts, Written};
use Kind::{Date, Flag, Int, Long, Text, Texts as List};
use Need::{Always, Maybe};
use std::borrow::Cow;
use store::{
    Collection, Comment, CommentNo, FormMarks, FormNo, FormulaMarks, FormulaNo, Link, LinkNo, Post, PostNo,
    Reader, Stray,
};

pub(super) fn post_fields(ids: Ids) -> Vec<Field> {
    let id = ids.posts.kind;
    vec![
        ("id", id, Always),
        ("kind", Text, Always),
        ("thread_id", id, Always),
        ("parent_id", id, Maybe),
        ("accepted_id", id, Maybe),
        ("title", Text, Maybe),
        ("text", Text, Always),
        ("title_html", Text, Maybe),
        ("html", Text, Always),
        ("tags", List, Always),
        ("score", Int, Maybe),
        ("date", Date, Maybe),
        ("owner", Text, Maybe),
        ("views", Long, Maybe),
    ]
}

/// Reads posts.
pub(super) struct Posts<'c> {
    texts: Texts<'c>,
    ids: Ids,
}

/// A post with its texts.
pub(super) struct PostRow<'c> {
    ids: Ids,
    collection: &'c Collection,
    post: Post<'c>,
    html: (Option<String>, String),
    plain: (Option<String>, String),
}

impl<'c> Posts<'c> {
    pub(super) fn new(collection: &'c Collection, ids: Ids) -> Self {
        Self { texts: Texts::new(collection), ids }
    }
}

impl<'c> Rows for Posts<'c> {
    type Row = PostRow<'c>;

    fn read(&mut self, number: u32) -> Result<PostRow<'c>, Error> {
        let post = self.texts.reader.post(PostNo(number))?;
        let html = self.texts.post_html(&post)?;
        let plain = self.texts.post_plain(&post)?;
        Ok(PostRow { ids: self.ids, collection: self.texts.collection, post, html, plain })
    }

    fn cells<'r>(row: &'r PostRow<'c>) -> Vec<Cell<'r>> {
        let PostRow { ids, collection, post, html, plain } = row;
        let id = |post| ids.posts.cell(Some(collection.post_id(post)));
        vec![
            id(post.number),
            Cell::text(post.facts.kind.name()),
            id(collection.thread_of(post.number)),
            ids.posts.read(post.parent_id.as_deref()),
            ids.posts.cell(post.facts.accepted.map(|answer| collection.post_id(answer))),
            Cell::maybe(plain.0.as_deref()),
            Cell::text(&plain.1),
            Cell::maybe(html.0.as_deref()),
            Cell::text(&html.1),
            Cell::Texts(&post.tags),
            Cell::Int(post.facts.score),
            Cell::Long(post.facts.date.map(|date| date.0)),
            Cell::maybe(post.owner.as_deref()),
            Cell::Long(post.views.map(i64::from)),
        ]
    }
}

pub(super) fn comment_fields(ids: Ids) -> Vec<Field> {
    vec![
        ("id", ids.comments.kind, Always),
        ("post_id", ids.posts.kind, Always),
        ("thread_id", ids.posts.kind, Always),
        ("text", Text, Always),
        ("html", Text, Always),
        ("score", Int, Maybe),
        ("date", Date, Maybe),
        ("owner", Text, Maybe),
    ]
}

/// Reads comments.
pub(super) struct Comments<'c> {
    texts: Texts<'c>,
    ids: Ids,
}

/// A comment with its texts.
pub(super) struct CommentRow<'c> {
    ids: Ids,
    collection: &'c Collection,
    comment: Comment<'c>,
    written: Written,
}

impl<'c> Comments<'c> {
    pub(super) fn new(collection: &'c Collection, ids: Ids) -> Self {
        Self { texts: Texts::new(collection), ids }
    }
}

impl<'c> Rows for Comments<'c> {
    type Row = CommentRow<'c>;

    fn read(&mut self, number: u32) -> Result<CommentRow<'c>, Error> {
        let comment = self.texts.reader.comment(CommentNo(number))?;
        let written = self.texts.comment(&comment)?;
        Ok(CommentRow { ids: self.ids, collection: self.texts.collection, comment, written })
    }

    fn cells<'r>(row: &'r CommentRow<'c>) -> Vec<Cell<'r>> {
        let CommentRow { ids, collection, comment, written } = row;
        let id = |post| ids.posts.cell(Some(collection.post_id(post)));
        vec![
            ids.comments.cell(Some(comment.id)),
            id(comment.post),
            id(collection.thread_of(comment.post)),
            Cell::text(&written.plain),
            Cell::text(&written.html),
            Cell::Int(comment.score),
            Cell::Long(comment.date.map(|date| date.0)),
            Cell::maybe(comment.owner.as_deref()),
        ]
    }
}

pub(super) fn link_fields(ids: Ids) -> Vec<Field> {
    let id = ids.posts.kind;
    // Links lead to posts outside, whose ids need not be of the same sort.
    vec![("from_id", id, Maybe), ("to_id", id, Maybe), ("kind", Text, Always), ("date", Date, Maybe)]
}

/// Reads links.
pub(super) struct Links<'c> {
    reader: Reader<'c>,
    ids: Ids,
}

impl<'c> Links<'c> {
    pub(super) fn new(collection: &'c Collection, ids: Ids) -> Self {
        Self { reader: collection.reader(), ids }
    }
}

impl Rows for Links<'_> {
    type Row = (Ids, Link);

    fn read(&mut self, number: u32) -> Result<(Ids, Link), Error> {
        Ok((self.ids, self.reader.link(LinkNo(number))?))
    }

    fn cells((ids, link): &(Ids, Link)) -> Vec<Cell<'_>> {
        vec![
            ids.posts.read(Some(&link.from)),
            ids.posts.read(Some(&link.to)),
            Cell::text(link.kind.name()),
            Cell::Long(link.date.map(|date| date.0)),
        ]
    }
}

pub(super) const USER_FIELDS: [Field; 2] = [("id", Text, Always), ("name", Text, Always)];

/// Users, who are few enough to be held.
pub(super) struct Users<'u>(pub(super) &'u [(String, String)]);

impl<'u> Rows for Users<'u> {
    type Row = &'u (String, String);

    fn read(&mut self, number: u32) -> Result<&'u (String, String), Error> {
        Ok(&self.0[number as usize])
    }

    fn cells<'r>((id, name): &'r &'u (String, String)) -> Vec<Cell<'r>> {
        vec![Cell::text(id), Cell::text(name)]
    }
}

pub(super) fn formula_fields(ids: Ids, mathml: GivenMathml) -> Vec<Field> {
    let mut fields = vec![
        ("id", ids.formulas.kind, Always),
        ("post_id", ids.posts.kind, Maybe),
        ("thread_id", ids.posts.kind, Maybe),
        ("type", Text, Always),
        ("comment_id", ids.comments.kind, Maybe),
        ("place", Int, Maybe),
        ("visual_id", ids.visuals.kind, Always),
        ("old_visual_id", ids.visuals.kind, Maybe),
        ("issue", Text, Always),
        ("display", Text, Always),
        ("latex", Text, Always),
        ("key", Text, Always),
        ("unreadable", Flag, Always),
        ("id_given", Flag, Always),
        ("visual_id_given", Flag, Always),
        ("table_post_id", ids.posts.kind, Maybe),
        ("table_comment_id", ids.comments.kind, Maybe),
        ("table_type", Text, Maybe),
    ];
    if mathml == GivenMathml::Yes {
        fields.extend([("presentation_mathml", Text, Maybe), ("content_mathml", Text, Maybe)]);
    }
    fields
}

/// Reads formulas.
pub(super) struct Formulas<'c> {
    texts: Texts<'c>,
    ids: Ids,
    mathml: GivenMathml,
}

/// A formula with its texts.
pub(super) struct FormulaRow<'c> {
    ids: Ids,
    collection: &'c Collection,
    formula: FormulaNo,
    place: Place,
    form: FormNo,
    latex: String,
    claim: Option<Stray>,
    /// Presentation and content.
    mathml: Option<(String, String)>,
}

impl<'c> Formulas<'c> {
    pub(super) fn new(collection: &'c Collection, ids: Ids, mathml: GivenMathml) -> Self {
        Self { texts: Texts::new(collection), ids, mathml }
    }
}

impl<'c> Rows for Formulas<'c> {
    type Row = FormulaRow<'c>;

    fn read(&mut self, number: u32) -> Result<FormulaRow<'c>, Error> {
        let (collection, formula) = (self.texts.collection, FormulaNo(number));
        let form = collection.formula_form(formula);
        let reader = &mut self.texts.reader;
        let mathml = match self.mathml {
            GivenMathml::Yes => {
                Some((reader.presentation(form)?.to_owned(), reader.content(form)?.to_owned()))
            }
            GivenMathml::No => None,
        };
        let claim = claimed(reader, formula)?;
        let latex = reader.latex(form)?.to_owned();
        let place = Place::of(collection, formula);
        Ok(FormulaRow { ids: self.ids, collection, formula, place, form, latex, claim, mathml })
    }

    fn cells<'r>(row: &'r FormulaRow<'c>) -> Vec<Cell<'r>> {
        let FormulaRow { ids, collection, formula, place, form, latex, claim, mathml } = row;
        let post_id = |post: Option<PostNo>| ids.posts.cell(post.map(|post| collection.post_id(post)));
        let visual_id = |id| ids.visuals.cell(id);
        let marks = collection.formula_marks(*formula);
        let form_marks = collection.form_marks(*form);
        let display = if marks.has(FormulaMarks::BLOCK) { "block" } else { "inline" };
        let claim = claim.as_ref();
        let key = format!("{:032x}", collection.form_key(*form));
        let mut cells = vec![
            ids.formulas.cell(Some(collection.formula_id(*formula))),
            post_id(place.post),
            post_id(place.post.map(|post| collection.thread_of(post))),
            Cell::text(place.kind),
            ids.comments.cell(place.comment.map(|comment| collection.comment_id(comment))),
            Cell::Int(place.index.and_then(|index| i32::try_from(index).ok())),
            visual_id(Some(store::Id::Number(collection.visual_id(collection.form_visual(*form))))),
            visual_id(collection.form_old_visual(*form).map(store::Id::Number)),
            Cell::text(marks.issue()),
            Cell::text(display),
            Cell::text(latex),
            Cell::Text(Some(Cow::Owned(key))),
            Cell::Flag(form_marks.has(FormMarks::UNREADABLE)),
            Cell::Flag(!marks.has(FormulaMarks::OUR_ID)),
            Cell::Flag(!form_marks.has(FormMarks::OUR_VISUAL_ID)),
            ids.posts.read(claim.map(|claim| claim.post.as_str())),
            ids.comments.read(claim.and_then(|claim| claim.comment.as_deref())),
            Cell::maybe(claim.map(|claim| claim.part.as_str())),
        ];
        if let Some((presentation, content)) = mathml {
            let given = |text: &'r String| Some(text.as_str()).filter(|text| !text.is_empty());
            cells.extend([Cell::maybe(given(presentation)), Cell::maybe(given(content))]);
        }
        cells
    }
}
