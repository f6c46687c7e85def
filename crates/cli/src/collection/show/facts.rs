//! What is known of a post, comment, formula or visual id, gathered once for people and programs.

use super::Named;
use anyhow::Result;
use post::FormulaTexts;
use serde::Serialize;
use std::ops::Range;
use store::{
    Collection, CommentNo, Date, FormMarks, FormNo, FormulaMarks, FormulaNo, Id, LinkKind, Part, PostNo,
    Reader, VisualNo,
};

/// How many places that look the same are named.
const NAMED: usize = 10;

/// What is known of something.
#[derive(Debug, Serialize)]
#[serde(tag = "what", rename_all = "lowercase")]
pub(super) enum Facts {
    Post(Box<Post>),
    Comment(Comment),
    Formula(Formula),
    Visual(Visual),
}

/// An id as people gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(super) enum Name {
    Number(u64),
    Text(String),
}

impl From<Id<'_>> for Name {
    fn from(id: Id<'_>) -> Self {
        match id {
            Id::Number(number) => Self::Number(number),
            Id::Text(text) => Self::Text(text.to_owned()),
        }
    }
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => f.pad(text),
        }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct Post {
    pub(super) kind: &'static str,
    pub(super) id: Name,
    pub(super) title: Option<String>,
    /// The question it answers, in the collection or not.
    pub(super) parent: Option<String>,
    pub(super) parent_is_here: bool,
    pub(super) score: Option<i32>,
    pub(super) date: Option<String>,
    pub(super) owner: Option<String>,
    pub(super) owner_name: Option<String>,
    pub(super) views: Option<u32>,
    pub(super) tags: Vec<String>,
    pub(super) accepted: Option<Name>,
    pub(super) answers: Vec<Name>,
    pub(super) links: Vec<Link>,
    pub(super) text: String,
    pub(super) formulas: Vec<Instance>,
    pub(super) comments: Vec<Comment>,
}

#[derive(Debug, Serialize)]
pub(super) struct Link {
    pub(super) kind: &'static str,
    pub(super) from: String,
    pub(super) to: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Comment {
    pub(super) id: Name,
    pub(super) post: Name,
    pub(super) score: Option<i32>,
    pub(super) date: Option<String>,
    pub(super) owner: Option<String>,
    pub(super) owner_name: Option<String>,
    pub(super) text: String,
    pub(super) formulas: Vec<Instance>,
}

/// A formula in the list of a text.
#[derive(Debug, Serialize)]
pub(super) struct Instance {
    pub(super) id: Name,
    pub(super) visual_id: u64,
    pub(super) part: &'static str,
    pub(super) latex: String,
}

/// Where a formula stands.
#[derive(Debug, Serialize)]
pub(super) struct Place {
    pub(super) id: Name,
    pub(super) post: Option<Name>,
    /// What the post is.
    pub(super) kind: Option<&'static str>,
    pub(super) comment: Option<Name>,
    pub(super) part: &'static str,
    pub(super) marks: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Form {
    pub(super) latex: String,
    pub(super) has_presentation: bool,
    pub(super) has_content: bool,
    pub(super) old_visual_id: Option<u64>,
    pub(super) marks: Vec<&'static str>,
    pub(super) num_places: usize,
}

#[derive(Debug, Serialize)]
pub(super) struct Formula {
    pub(super) id: Name,
    pub(super) visual_id: u64,
    pub(super) form: Form,
    pub(super) places: Vec<Place>,
    /// Other places that look the same, and the first of them.
    pub(super) num_alike: usize,
    pub(super) alike: Vec<Place>,
}

#[derive(Debug, Serialize)]
pub(super) struct Visual {
    pub(super) id: u64,
    pub(super) forms: Vec<Form>,
    pub(super) num_places: usize,
    pub(super) places: Vec<Place>,
}

/// Gathers facts.
pub(super) struct Fetch<'r, 'c> {
    reader: &'r mut Reader<'c>,
    collection: &'c Collection,
    texts: FormulaTexts,
}

impl<'r, 'c> Fetch<'r, 'c> {
    pub(super) fn new(reader: &'r mut Reader<'c>) -> Self {
        let collection = reader.collection();
        Self { reader, collection, texts: FormulaTexts::default() }
    }

    pub(super) fn facts(&mut self, named: &Named) -> Result<Facts> {
        Ok(match named {
            Named::Post(post) => Facts::Post(Box::new(self.post(*post)?)),
            Named::Comment(comment) => Facts::Comment(self.comment(*comment)?),
            Named::Formula(places) => Facts::Formula(self.formula(places)?),
            Named::Visual(visual) => Facts::Visual(self.visual(*visual)?),
        })
    }

    fn post(&mut self, number: PostNo) -> Result<Post> {
        let collection = self.collection;
        let post = self.reader.post(number)?;
        let Range { start, end } = collection.formulas_of_post(number);
        let in_title = post.title.as_deref().map_or(0, markup::markers);
        let in_title = u32::try_from(in_title).unwrap_or(u32::MAX);
        let title = post.title.as_deref().map(|title| self.text(title, start..end)).transpose()?;
        let text = self.text(&post.body, start.saturating_add(in_title)..end)?;
        let mut links = Vec::new();
        for link in collection.links_of(number) {
            let link = self.reader.link(link)?;
            let kind = match link.kind {
                LinkKind::Related => "related",
                LinkKind::Duplicate => "duplicate",
            };
            links.push(Link { kind, from: link.from, to: link.to });
        }
        let mut comments = Vec::new();
        for comment in collection.comments_on(number) {
            comments.push(self.comment(comment)?);
        }
        Ok(Post {
            kind: post.facts.kind.name(),
            id: post.id.into(),
            title: title.map(|title| super::text::one_line(&title)),
            parent: post.parent_id,
            parent_is_here: post.facts.parent.is_some(),
            score: post.facts.score,
            date: post.facts.date.map(shown),
            owner_name: self.user(post.owner.as_deref())?,
            owner: post.owner,
            views: post.views,
            tags: post.tags,
            accepted: post.facts.accepted.map(|answer| collection.post_id(answer).into()),
            answers: collection.answers(number).map(|answer| collection.post_id(answer).into()).collect(),
            links,
            text,
            formulas: self.instances(start..end)?,
            comments,
        })
    }

    fn comment(&mut self, number: CommentNo) -> Result<Comment> {
        let formulas = self.collection.formulas_of_comment(number);
        let comment = self.reader.comment(number)?;
        Ok(Comment {
            id: comment.id.into(),
            post: self.collection.post_id(comment.post).into(),
            score: comment.score,
            date: comment.date.map(shown),
            owner_name: self.user(comment.owner.as_deref())?,
            owner: comment.owner,
            text: self.text(&comment.text, formulas.clone())?,
            formulas: self.instances(formulas)?,
        })
    }

    fn user(&mut self, owner: Option<&str>) -> Result<Option<String>> {
        Ok(owner.map(|owner| self.reader.user(owner)).transpose()?.flatten())
    }

    /// Stored HTML as text, with formulas between dollars.
    fn text(&mut self, html: &str, formulas: Range<u32>) -> Result<String> {
        let mut error = None;
        let text = markup::text(html, |k, out| {
            let number = u32::try_from(k).ok().and_then(|k| formulas.start.checked_add(k));
            let Some(number) = number.filter(|number| *number < formulas.end) else { return };
            let formula = FormulaNo(number);
            let block = self.collection.formula_marks(formula).has(FormulaMarks::BLOCK);
            let dollars = if block { "$$" } else { "$" };
            match self.texts.latex(self.reader, self.collection.formula_form(formula)) {
                Ok(latex) => out.extend([dollars, latex.trim(), dollars]),
                Err(damage) => error = Some(damage),
            }
        });
        match error {
            Some(error) => Err(error.into()),
            None => Ok(text),
        }
    }

    fn instances(&mut self, formulas: Range<u32>) -> Result<Vec<Instance>> {
        let mut instances = Vec::new();
        for formula in formulas.map(FormulaNo) {
            let form = self.collection.formula_form(formula);
            instances.push(Instance {
                id: self.collection.formula_id(formula).into(),
                visual_id: self.collection.visual_id(self.collection.form_visual(form)),
                part: part(self.collection.formula_marks(formula).part()),
                latex: self.texts.latex(self.reader, form)?,
            });
        }
        Ok(instances)
    }

    fn formula(&mut self, numbers: &[FormulaNo]) -> Result<Formula> {
        let collection = self.collection;
        let first = numbers.first().copied().unwrap_or(FormulaNo(0));
        let form = collection.formula_form(first);
        let visual = collection.form_visual(form);
        let mut alike = self.places_of(visual);
        alike.retain(|place| !numbers.contains(place));
        Ok(Formula {
            id: collection.formula_id(first).into(),
            visual_id: collection.visual_id(visual),
            form: self.form(form)?,
            places: self.places(numbers)?,
            num_alike: alike.len(),
            alike: self.places(&alike[..alike.len().min(NAMED)])?,
        })
    }

    fn visual(&mut self, visual: VisualNo) -> Result<Visual> {
        let collection = self.collection;
        let places = self.places_of(visual);
        let forms = collection.forms_of_visual(visual).map(|form| self.form(form)).collect::<Result<_>>()?;
        Ok(Visual {
            id: collection.visual_id(visual),
            forms,
            num_places: places.len(),
            places: self.places(&places[..places.len().min(NAMED)])?,
        })
    }

    /// All that looks like this, in the order of the collection.
    fn places_of(&self, visual: VisualNo) -> Vec<FormulaNo> {
        let forms = self.collection.forms_of_visual(visual);
        let mut places: Vec<FormulaNo> =
            forms.flat_map(|form| self.collection.formulas_of_form(form)).collect();
        places.sort_unstable();
        places
    }

    fn form(&mut self, form: FormNo) -> Result<Form> {
        let marks = self.collection.form_marks(form);
        let known = [
            (FormMarks::UNREADABLE, "a part could not be read"),
            (FormMarks::OUR_VISUAL_ID, "the visual id is ours"),
            (FormMarks::FOREIGN_PRESENTATION, "the Presentation MathML that was given is wrong"),
            (FormMarks::FOREIGN_CONTENT, "the Content MathML that was given is wrong"),
        ];
        Ok(Form {
            latex: self.texts.latex(self.reader, form)?,
            has_presentation: !self.reader.presentation(form)?.is_empty(),
            has_content: !self.reader.content(form)?.is_empty(),
            old_visual_id: self.collection.form_old_visual(form),
            marks: known.into_iter().filter(|(bit, _)| marks.has(*bit)).map(|(_, mark)| mark).collect(),
            num_places: self.collection.formulas_of_form(form).count(),
        })
    }

    fn places(&mut self, numbers: &[FormulaNo]) -> Result<Vec<Place>> {
        numbers.iter().map(|number| self.place(*number)).collect()
    }

    fn place(&mut self, formula: FormulaNo) -> Result<Place> {
        let collection = self.collection;
        let marks = collection.formula_marks(formula);
        let post = collection.formula_post(formula);
        let known = [
            (FormulaMarks::BLOCK, "on a line of its own"),
            (FormulaMarks::OUR_ID, "the id is ours"),
            (FormulaMarks::NEW_VISUAL_ID, "the visual id was changed"),
            (FormulaMarks::WRAPPED, "it had no span"),
        ];
        let known = known.into_iter().filter(|(bit, _)| marks.has(*bit));
        let mut marks_in_words: Vec<String> = known.map(|(_, mark)| mark.to_owned()).collect();
        if let Some(stray) = self.reader.stray(formula)? {
            let comment = stray.comment.map(|comment| format!(", comment {comment}")).unwrap_or_default();
            marks_in_words.push(format!("its table has it in post {}{comment} ({})", stray.post, stray.part));
        }
        Ok(Place {
            id: collection.formula_id(formula).into(),
            post: post.map(|post| collection.post_id(post).into()),
            kind: post.map(|post| collection.post_facts(post).kind.name()),
            comment: collection.formula_comment(formula).map(|comment| collection.comment_id(comment).into()),
            part: part(marks.part()),
            marks: marks_in_words,
        })
    }
}

fn part(part: Part) -> &'static str {
    match part {
        Part::Title => "title",
        Part::Body => "body",
        Part::Comment => "comment",
        Part::Nowhere => "nowhere",
    }
}

fn shown(date: Date) -> String {
    date.to_string()
}
