//! A part of a collection, written as a collection of its own.
//!
//! Posts, comments and titles leave together with their formulas; links from and to posts that left
//! leave as well, and an answer whose question left has no question any more. Everything else keeps its
//! ids, visual ids included, and the order of the collection; forms that stand nowhere any more leave.

use crate::about::{About, DirtNote};
use crate::error::Error;
use crate::ids::{CommentNo, FormNo, FormulaNo, Id, PostNo};
use crate::marks::{FormulaMarks, Part};
use crate::reader::{Collection, Reader, Stray};
use crate::writer::{Claim, CollectionWriter, FormLook, NewComment, NewForm, NewFormula, NewLink, NewPost};
use crate::{NO_NUMBER, number};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What is left out of a part of a collection.
#[derive(Clone, Debug)]
pub struct Cut {
    posts: Vec<bool>,
    comments: BTreeSet<CommentNo>,
    titles: BTreeSet<PostNo>,
    bodies: BTreeMap<PostNo, Shortened>,
}

/// A text of which something was taken out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The rest, with a marker for each formula that is still in it.
    pub html: String,
    /// Of each formula of the whole text, whether it is still there.
    pub kept: Vec<bool>,
}

impl Cut {
    /// Leaves nothing out yet.
    #[must_use]
    pub fn new(collection: &Collection) -> Self {
        Self {
            posts: vec![false; collection.num_posts() as usize],
            comments: BTreeSet::new(),
            titles: BTreeSet::new(),
            bodies: BTreeMap::new(),
        }
    }

    /// Leaves out a post and the comments on it. Answers to a question stay, without it.
    pub fn post(&mut self, post: PostNo) {
        if let Some(left) = self.posts.get_mut(post.index()) {
            *left = true;
        }
    }

    /// Leaves out a comment.
    pub fn comment(&mut self, comment: CommentNo) {
        self.comments.insert(comment);
    }

    /// Leaves out the title of a post.
    pub fn title(&mut self, post: PostNo) {
        self.titles.insert(post);
    }

    /// Shortens the text of a post, its title aside.
    pub fn body(&mut self, post: PostNo, text: Shortened) {
        self.bodies.insert(post, text);
    }

    /// Whether a post is left out.
    #[must_use]
    pub fn has_post(&self, post: PostNo) -> bool {
        self.posts.get(post.index()) == Some(&true)
    }

    /// How many posts are left out.
    #[must_use]
    pub fn num_posts(&self) -> usize {
        self.posts.iter().filter(|left| **left).count()
    }

    /// How many titles are left out.
    #[must_use]
    pub fn num_titles(&self) -> usize {
        self.titles.len()
    }

    fn has_comment(&self, collection: &Collection, comment: CommentNo) -> bool {
        self.comments.contains(&comment) || self.has_post(collection.comment_post(comment))
    }
}

/// Writes a collection without what is cut to a path.
///
/// `note` says for [`About::repairs`] what the part is for.
///
/// # Errors
///
/// When the collection is damaged or the part cannot be written; then nothing has changed at the path.
pub fn write_part(source: &Collection, target: &Path, cut: &Cut, note: DirtNote) -> Result<About, Error> {
    let writer = CollectionWriter::create(target, source.about().into())?;
    let mut copy =
        Copy { source, cut, reader: source.reader(), writer, forms: Vec::new(), posts: Vec::new() };
    copy.forms()?;
    copy.posts()?;
    copy.comments()?;
    copy.rest()?;
    let mut about = source.about().clone();
    about.repairs.push(note);
    copy.writer.finish(about)
}

struct Copy<'c> {
    source: &'c Collection,
    cut: &'c Cut,
    reader: Reader<'c>,
    writer: CollectionWriter,
    /// The new numbers of forms and posts, or [`NO_NUMBER`].
    forms: Vec<u32>,
    posts: Vec<u32>,
}

impl<'c> Copy<'c> {
    /// The forms of formulas that stay.
    fn forms(&mut self) -> Result<(), Error> {
        let source = self.source;
        let mut used = vec![false; source.num_forms() as usize];
        let mut mark = |formula: FormulaNo| {
            if let Some(used) = used.get_mut(source.formula_form(formula).index()) {
                *used = true;
            }
        };
        for post in source.posts().filter(|post| !self.cut.has_post(*post)) {
            self.formulas_of_post(post).into_iter().for_each(&mut mark);
        }
        for comment in source.comments().filter(|comment| !self.cut.has_comment(source, *comment)) {
            source.formulas_of_comment(comment).map(FormulaNo).for_each(&mut mark);
        }
        for formula in source.formulas() {
            if source.formula_marks(formula).part() == Part::Nowhere
                && Self::stays_nowhere(source, self.cut, self.reader.stray(formula)?.as_ref())
            {
                mark(formula);
            }
        }
        let mut looks = Vec::new();
        self.forms = vec![NO_NUMBER; used.len()];
        for form in source.forms().filter(|form| used[form.index()]) {
            let latex = self.reader.latex(form)?.to_owned();
            let presentation = self.reader.presentation(form)?.to_owned();
            let content = self.reader.content(form)?;
            let given = |text| Some(text).filter(|text: &&str| !text.is_empty());
            let new = self.writer.add_form(&NewForm {
                latex: &latex,
                presentation: given(&presentation),
                content: given(content),
                visual: Some(source.visual_id(source.form_visual(form))),
                old_visual: source.form_old_visual(form),
            })?;
            self.forms[form.index()] = new.0;
            looks.push(FormLook { key: source.form_key(form), marks: source.form_marks(form) });
        }
        self.writer.set_looks(looks);
        Ok(())
    }

    fn posts(&mut self) -> Result<(), Error> {
        let source = self.source;
        self.posts = vec![NO_NUMBER; source.num_posts() as usize];
        for post in source.posts().filter(|post| !self.cut.has_post(*post)) {
            let mut post = self.reader.post(post)?;
            let formulas = self.formulas_of_post(post.number);
            if post.facts.parent.is_some_and(|parent| self.cut.has_post(parent)) {
                post.parent_id = None;
            }
            if self.cut.titles.contains(&post.number) {
                post.title = None;
            }
            let shortened = self.cut.bodies.get(&post.number);
            let body = shortened.map_or(post.body.as_str(), |text| &text.html);
            self.claims(Part::Body, &formulas)?;
            let new = self.new_formulas(&formulas);
            let number = self.writer.add_post(&NewPost { body, ..NewPost::from(&post) }, &new)?;
            self.posts[post.number.index()] = number.0;
        }
        for post in source.posts() {
            let Some(new) = self.new_post(post) else { continue };
            let facts = source.post_facts(post);
            if let Some(parent) = facts.parent.and_then(|parent| self.new_post(parent)) {
                self.writer.set_parent(new, parent);
            }
            if let Some(accepted) = facts.accepted.and_then(|accepted| self.new_post(accepted)) {
                self.writer.set_accepted(new, accepted);
            }
        }
        Ok(())
    }

    fn comments(&mut self) -> Result<(), Error> {
        let source = self.source;
        for comment in source.comments() {
            let Some(post) = self.new_post(source.comment_post(comment)) else { continue };
            if self.cut.has_comment(source, comment) {
                continue;
            }
            let formulas: Vec<FormulaNo> = source.formulas_of_comment(comment).map(FormulaNo).collect();
            let comment = self.reader.comment(comment)?;
            self.claims(Part::Comment, &formulas)?;
            let new = self.new_formulas(&formulas);
            self.writer.add_comment(&NewComment { post, ..NewComment::from(&comment) }, &new)?;
        }
        Ok(())
    }

    /// Links, users, and formulas that stand nowhere.
    fn rest(&mut self) -> Result<(), Error> {
        let source = self.source;
        let kind = source.about().post_ids.into();
        for link in source.links() {
            let link = self.reader.link(link)?;
            let left = |id: &str| source.find_post(id).is_some_and(|post| self.cut.has_post(post));
            if left(&link.from) || left(&link.to) {
                continue;
            }
            if let Some((from, to)) = Id::parse(&link.from, kind).zip(Id::parse(&link.to, kind)) {
                self.writer.add_link(&NewLink { from, to, kind: link.kind, date: link.date })?;
            }
        }
        for (id, name) in source.users()? {
            self.writer.add_user(&id, &name)?;
        }
        for formula in source.formulas() {
            if source.formula_marks(formula).part() != Part::Nowhere {
                continue;
            }
            let stray = self.reader.stray(formula)?;
            if Self::stays_nowhere(source, self.cut, stray.as_ref()) {
                let claim = stray.as_ref().map_or_else(Claim::default, Claim::from);
                let new = self.new_formulas(&[formula]);
                self.writer.add_nowhere(&new[0], claim)?;
            }
        }
        Ok(())
    }

    /// Whether a formula that stands in no text stays: unless its table has it in something that left.
    fn stays_nowhere(source: &Collection, cut: &Cut, stray: Option<&Stray>) -> bool {
        let Some(stray) = stray else { return true };
        let comment = stray.comment.as_deref().and_then(|comment| source.find_comment(comment));
        if comment.is_some_and(|comment| cut.has_comment(source, comment)) {
            return false;
        }
        let Some(post) = source.find_post(&stray.post) else { return true };
        let in_title = stray.part == "title" && cut.titles.contains(&post);
        !in_title && !cut.has_post(post)
    }

    /// Where tables have formulas that are about to be added elsewhere.
    fn claims(&mut self, part: Part, formulas: &[FormulaNo]) -> Result<(), Error> {
        for (ahead, formula) in (0_u32..).zip(formulas) {
            if self.source.formula_marks(*formula).has(FormulaMarks::ELSEWHERE)
                && let Some(stray) = self.reader.stray(*formula)?
            {
                self.writer.claim_elsewhere(part, ahead, Claim::from(&stray))?;
            }
        }
        Ok(())
    }

    /// The formulas of a post that stay, those of the title first.
    fn formulas_of_post(&self, post: PostNo) -> Vec<FormulaNo> {
        let all = self.source.formulas_of_post(post).map(FormulaNo);
        let (in_title, in_body): (Vec<FormulaNo>, Vec<FormulaNo>) =
            all.partition(|formula| self.source.formula_marks(*formula).part() == Part::Title);
        let mut formulas = if self.cut.titles.contains(&post) { Vec::new() } else { in_title };
        match self.cut.bodies.get(&post) {
            None => formulas.extend(in_body),
            Some(Shortened { kept, .. }) => {
                formulas
                    .extend(in_body.iter().zip(kept).filter(|(_, kept)| **kept).map(|(formula, _)| formula));
            }
        }
        formulas
    }

    fn new_formulas(&self, formulas: &[FormulaNo]) -> Vec<NewFormula<'c>> {
        let source = self.source;
        let new = |formula: &FormulaNo| NewFormula {
            id: source.formula_id(*formula),
            form: FormNo(self.forms[source.formula_form(*formula).index()]),
            marks: source.formula_marks(*formula),
        };
        formulas.iter().map(new).collect()
    }

    fn new_post(&self, post: PostNo) -> Option<PostNo> {
        number(self.posts[post.index()]).map(PostNo)
    }
}

impl<'s> From<&'s Stray> for Claim<'s> {
    fn from(stray: &'s Stray) -> Self {
        Self { post: &stray.post, comment: stray.comment.as_deref(), part: &stray.part }
    }
}
