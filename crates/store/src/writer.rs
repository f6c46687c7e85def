//! Collections, written: added to piece by piece, and there as a whole or not at all.

mod finish;

use crate::about::{About, Counts};
use crate::block::{Block, BlockCache, BlockWriter};
use crate::codec::{put_maybe, put_number, put_text};
use crate::error::Error;
use crate::ids::{CommentNo, FormNo, Id, IdIndex, IdKind, PostNo};
use crate::kinds::{Date, LinkKind, PostKind};
use crate::marks::{FormMarks, FormulaMarks, Part};
use crate::reader::{Comment, Post};
use crate::section::Section;
use crate::spool::{Spool, Workshop};
use crate::{NO_DATE, NO_NUMBER, NO_SCORE};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The size of blocks of texts, and of those of formulas, of which one at a time is wanted.
const TEXT_BLOCK: usize = 64 << 10;
const FORMULA_BLOCK: usize = 16 << 10;

/// A post to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewPost<'a> {
    /// Its id.
    pub id: Id<'a>,
    /// What it is.
    pub kind: PostKind,
    /// The id of the question it answers, in the collection or not.
    pub parent: Option<&'a str>,
    /// Its title, cleaned, with a marker for each formula.
    pub title: Option<&'a str>,
    /// Its text, cleaned, with a marker for each formula.
    pub body: &'a str,
    /// Its tags.
    pub tags: &'a [String],
    /// Votes for it less votes against it.
    pub score: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
    /// Who wrote it.
    pub owner: Option<&'a str>,
    /// How often it was looked at.
    pub views: Option<u32>,
}

/// A comment to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewComment<'a> {
    /// Its id.
    pub id: Id<'a>,
    /// The post it is about.
    pub post: PostNo,
    /// Its text, cleaned, with a marker for each formula.
    pub text: &'a str,
    /// Votes for it.
    pub score: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
    /// Who wrote it.
    pub owner: Option<&'a str>,
}

/// A link to be kept.
#[derive(Clone, Copy, Debug)]
pub struct NewLink<'a> {
    /// The post that leads to the other, in the collection or not.
    pub from: Id<'a>,
    /// The post it leads to, in the collection or not.
    pub to: Id<'a>,
    /// What it says.
    pub kind: LinkKind,
    /// When it was made.
    pub date: Option<Date>,
}

/// A place at which a formula stands.
#[derive(Clone, Copy, Debug)]
pub struct NewFormula<'a> {
    /// Its id.
    pub id: Id<'a>,
    /// How it is written.
    pub form: FormNo,
    /// Where it stands, and what else is known.
    pub marks: FormulaMarks,
}

/// Where a table says that a formula stands, when it does not stand there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claim<'a> {
    /// The post.
    pub post: &'a str,
    /// The comment.
    pub comment: Option<&'a str>,
    /// The part, in the words of the table.
    pub part: &'a str,
}

/// A distinct way in which formulas are written and given.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewForm<'a> {
    /// Its LaTeX, without delimiters.
    pub latex: &'a str,
    /// The Presentation MathML that came with it.
    pub presentation: Option<&'a str>,
    /// The Content MathML that came with it.
    pub content: Option<&'a str>,
    /// The visual id that came with it.
    pub visual: Option<u64>,
    /// The visual id that it had before.
    pub old_visual: Option<u64>,
}

/// What a form looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormLook {
    /// The same for forms that look the same, and for no others.
    pub key: u128,
    /// What else is known of it.
    pub marks: FormMarks,
}

/// Kinds of ids that a collection will have.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdKinds {
    /// Of posts.
    pub posts: IdKind,
    /// Of comments.
    pub comments: IdKind,
    /// Of formulas.
    pub formulas: IdKind,
}

impl From<&About> for IdKinds {
    /// The kinds that a collection has.
    fn from(about: &About) -> Self {
        Self {
            posts: about.post_ids.into(),
            comments: about.comment_ids.into(),
            formulas: about.formula_ids.into(),
        }
    }
}

impl<'p> From<&'p Post<'_>> for NewPost<'p> {
    /// The post as it is in another collection.
    fn from(post: &'p Post<'_>) -> Self {
        Self {
            id: post.id,
            kind: post.facts.kind,
            parent: post.parent_id.as_deref(),
            title: post.title.as_deref(),
            body: &post.body,
            tags: &post.tags,
            score: post.facts.score,
            date: post.facts.date,
            owner: post.owner.as_deref(),
            views: post.views,
        }
    }
}

impl<'p> From<&'p Comment<'_>> for NewComment<'p> {
    /// The comment as it is in another collection; `post` is the number there.
    fn from(comment: &'p Comment<'_>) -> Self {
        Self {
            id: comment.id,
            post: comment.post,
            text: &comment.text,
            score: comment.score,
            date: comment.date,
            owner: comment.owner.as_deref(),
        }
    }
}

/// Ids written one after the other: numbers as they are, names with their ends beside them.
#[derive(Debug)]
struct IdSpool {
    ids: Spool,
    ends: Spool,
    last: Option<u64>,
    ascending: bool,
}

impl IdSpool {
    fn put(&mut self, id: Id<'_>) -> Result<(), Error> {
        match id {
            Id::Number(number) => {
                self.ascending &= self.last.is_none_or(|last| last <= number);
                self.last = Some(number);
                self.ids.put(&number.to_le_bytes())
            }
            Id::Text(text) => {
                self.ascending = false;
                self.ids.put(text.as_bytes())?;
                let end = self.ids.len();
                self.ends.put(&end.to_le_bytes())
            }
        }
    }
}

/// The places of formulas in posts, in comments, or nowhere.
#[derive(Debug)]
struct FormulaSpool {
    ids: IdSpool,
    forms: Spool,
    marks: Spool,
    count: u32,
}

impl FormulaSpool {
    fn put(&mut self, formula: &NewFormula<'_>) -> Result<(), Error> {
        self.count =
            self.count.checked_add(1).filter(|count| *count < NO_NUMBER).ok_or(Error::TooMany("formulas"))?;
        self.ids.put(formula.id)?;
        self.forms.put(&formula.form.0.to_le_bytes())?;
        self.marks.put(&[formula.marks.byte()])
    }
}

/// What is known of posts.
#[derive(Debug)]
struct Posts {
    index: IdIndex,
    ids: IdSpool,
    kinds: Vec<PostKind>,
    parents: Vec<u32>,
    accepted: Vec<u32>,
    scores: Spool,
    dates: Spool,
    formulas: Spool,
    texts: BlockWriter,
}

/// What is known of comments.
#[derive(Debug)]
struct Comments {
    index: IdIndex,
    ids: IdSpool,
    posts: Vec<u32>,
    scores: Spool,
    dates: Spool,
    formulas: Spool,
    texts: BlockWriter,
}

/// Where formulas stand, and where tables say that they do.
#[derive(Debug)]
struct Formulas {
    kind: IdKind,
    in_posts: FormulaSpool,
    in_comments: FormulaSpool,
    nowhere: FormulaSpool,
    claims: Vec<(Part, u32)>,
    claim_texts: BlockWriter,
}

/// How formulas are written.
#[derive(Debug)]
struct Forms {
    given: Spool,
    latex: BlockWriter,
    presentation: BlockWriter,
    content: BlockWriter,
    looks: Vec<FormLook>,
    listed_in_posts: Vec<bool>,
}

/// Writes a collection.
///
/// Posts, comments and so on are added in the order they shall have. Nothing is
/// seen at the path of the collection before [`CollectionWriter::finish`] has
/// written all of it. Memory: about 40 bytes a post, 20 a comment, 30 a form
/// and 8 a formula, beside buffers.
#[derive(Debug)]
pub struct CollectionWriter {
    path: PathBuf,
    workshop: Workshop,
    counts: Counts,
    posts: Posts,
    comments: Comments,
    links: BlockWriter,
    link_ends: Vec<(u32, u32)>,
    users: BlockWriter,
    user_ids: Vec<Box<str>>,
    formulas: Formulas,
    forms: Forms,
    record: Vec<u8>,
}

impl CollectionWriter {
    /// Prepares to write a collection to a path.
    ///
    /// # Errors
    ///
    /// When the folder cannot be written to, or another process builds the same collection.
    pub fn create(path: &Path, ids: IdKinds) -> Result<Self, Error> {
        if path.is_dir() {
            let cause = std::io::Error::other("is a folder; a collection is a file");
            return Err(Error::io(path)(cause));
        }
        let workshop = Workshop::open(path)?;
        let spool = |section: Section| workshop.spool(section.name());
        let id_spool = |ids: &str, ends: &str| -> Result<IdSpool, Error> {
            Ok(IdSpool {
                ids: workshop.spool(ids)?,
                ends: workshop.spool(ends)?,
                last: None,
                ascending: true,
            })
        };
        let blocks =
            |data: Section, table: Section, size| BlockWriter::new(spool(data)?, spool(table)?, size);
        let formulas = |part: &str| -> Result<FormulaSpool, Error> {
            Ok(FormulaSpool {
                ids: id_spool(&format!("{part}.ids"), &format!("{part}.ids.ends"))?,
                forms: workshop.spool(&format!("{part}.form"))?,
                marks: workshop.spool(&format!("{part}.marks"))?,
                count: 0,
            })
        };
        let posts = Posts {
            index: IdIndex::new(ids.posts),
            ids: id_spool(Section::PostIds.name(), Section::PostIdEnds.name())?,
            kinds: Vec::new(),
            parents: Vec::new(),
            accepted: Vec::new(),
            scores: spool(Section::PostScores)?,
            dates: spool(Section::PostDates)?,
            formulas: spool(Section::PostFormulas)?,
            texts: blocks(Section::PostTexts, Section::PostTextBlocks, TEXT_BLOCK)?,
        };
        let comments = Comments {
            index: IdIndex::new(ids.comments),
            ids: id_spool(Section::CommentIds.name(), Section::CommentIdEnds.name())?,
            posts: Vec::new(),
            scores: spool(Section::CommentScores)?,
            dates: spool(Section::CommentDates)?,
            formulas: spool(Section::CommentFormulas)?,
            texts: blocks(Section::CommentTexts, Section::CommentTextBlocks, TEXT_BLOCK)?,
        };
        let formulas = Formulas {
            kind: ids.formulas,
            in_posts: formulas("posts")?,
            in_comments: formulas("comments")?,
            nowhere: formulas("nowhere")?,
            claims: Vec::new(),
            claim_texts: blocks(Section::StrayPlaces, Section::StrayPlaceBlocks, FORMULA_BLOCK)?,
        };
        let (presentation, table) = (Section::FormPresentation, Section::FormPresentationBlocks);
        let forms = Forms {
            given: workshop.spool("form.given")?,
            latex: blocks(Section::FormLatex, Section::FormLatexBlocks, FORMULA_BLOCK)?,
            presentation: blocks(presentation, table, FORMULA_BLOCK)?,
            content: blocks(Section::FormContent, Section::FormContentBlocks, FORMULA_BLOCK)?,
            looks: Vec::new(),
            listed_in_posts: Vec::new(),
        };
        Ok(Self {
            path: path.to_owned(),
            counts: Counts::default(),
            posts,
            comments,
            links: blocks(Section::Links, Section::LinkBlocks, FORMULA_BLOCK)?,
            link_ends: Vec::new(),
            users: blocks(Section::Users, Section::UserBlocks, FORMULA_BLOCK)?,
            user_ids: Vec::new(),
            formulas,
            forms,
            record: Vec::new(),
            workshop,
        })
    }

    /// A path in the folder in which the collection is put together, for what is needed on the way.
    #[must_use]
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.workshop.path(name)
    }

    /// How much there is so far.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// The number of a post that was added.
    #[must_use]
    pub fn find_post(&self, id: Id<'_>) -> Option<PostNo> {
        self.posts.index.get(id).map(PostNo)
    }

    /// The number of a comment that was added.
    #[must_use]
    pub fn find_comment(&self, id: Id<'_>) -> Option<CommentNo> {
        self.comments.index.get(id).map(CommentNo)
    }

    /// What a post is.
    #[must_use]
    pub fn post_kind(&self, post: PostNo) -> PostKind {
        self.posts.kinds[post.index()]
    }

    /// The question that an answer was said to belong to.
    #[must_use]
    pub fn parent(&self, post: PostNo) -> Option<PostNo> {
        crate::number(self.posts.parents[post.index()]).map(PostNo)
    }

    /// Says which question an answer belongs to.
    pub fn set_parent(&mut self, answer: PostNo, question: PostNo) {
        self.posts.parents[answer.index()] = question.0;
    }

    /// Says which answer was accepted.
    pub fn set_accepted(&mut self, question: PostNo, answer: PostNo) {
        self.posts.accepted[question.index()] = answer.0;
    }

    /// Adds a post and its formulas, those of the title first.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or there are too many.
    pub fn add_post(&mut self, post: &NewPost<'_>, formulas: &[NewFormula<'_>]) -> Result<PostNo, Error> {
        let number = u32::try_from(self.posts.kinds.len()).ok().filter(|number| *number < NO_NUMBER - 1);
        let number = number.ok_or(Error::TooMany("posts"))?;
        self.posts.index.insert(post.id, number);
        self.posts.ids.put(post.id)?;
        self.posts.kinds.push(post.kind);
        self.posts.parents.push(NO_NUMBER);
        self.posts.accepted.push(NO_NUMBER);
        self.posts.scores.put(&post.score.unwrap_or(NO_SCORE).to_le_bytes())?;
        self.posts.dates.put(&post.date.map_or(NO_DATE, |date| date.0).to_le_bytes())?;
        self.record.clear();
        put_maybe(&mut self.record, post.title);
        put_text(&mut self.record, post.body);
        put_maybe(&mut self.record, post.parent);
        put_maybe(&mut self.record, post.owner);
        put_number(&mut self.record, post.views.map_or(0, |views| u64::from(views) + 1));
        put_number(&mut self.record, post.tags.len() as u64);
        for tag in post.tags {
            put_text(&mut self.record, tag);
        }
        self.posts.texts.push(&self.record)?;
        let in_kind = match post.kind {
            PostKind::Question => {
                self.counts.questions += 1;
                &mut self.counts.in_questions
            }
            PostKind::Answer => {
                self.counts.answers += 1;
                &mut self.counts.in_answers
            }
            PostKind::Document => {
                self.counts.documents += 1;
                &mut self.counts.in_documents
            }
        };
        for formula in formulas {
            match formula.marks.part() {
                Part::Title => self.counts.in_titles += 1,
                _ => *in_kind += 1,
            }
            self.formulas.in_posts.put(formula)?;
        }
        self.posts.formulas.put(&self.formulas.in_posts.count.to_le_bytes())?;
        Ok(PostNo(number))
    }

    /// Adds a comment and its formulas.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or there are too many.
    pub fn add_comment(
        &mut self,
        comment: &NewComment<'_>,
        formulas: &[NewFormula<'_>],
    ) -> Result<CommentNo, Error> {
        let number = u32::try_from(self.comments.posts.len()).ok().filter(|number| *number < NO_NUMBER - 1);
        let number = number.ok_or(Error::TooMany("comments"))?;
        self.comments.index.insert(comment.id, number);
        self.comments.ids.put(comment.id)?;
        self.comments.posts.push(comment.post.0);
        self.comments.scores.put(&comment.score.unwrap_or(NO_SCORE).to_le_bytes())?;
        self.comments.dates.put(&comment.date.map_or(NO_DATE, |date| date.0).to_le_bytes())?;
        self.record.clear();
        put_text(&mut self.record, comment.text);
        put_maybe(&mut self.record, comment.owner);
        self.comments.texts.push(&self.record)?;
        for formula in formulas {
            self.counts.in_comments += 1;
            self.formulas.in_comments.put(formula)?;
        }
        self.comments.formulas.put(&self.formulas.in_comments.count.to_le_bytes())?;
        self.counts.comments += 1;
        Ok(CommentNo(number))
    }

    /// Adds a formula that a table names and that stands in no text.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or there are too many.
    pub fn add_nowhere(&mut self, formula: &NewFormula<'_>, claim: Claim<'_>) -> Result<(), Error> {
        self.claim(Part::Nowhere, self.formulas.nowhere.count, claim)?;
        self.counts.nowhere += 1;
        self.formulas.nowhere.put(formula)
    }

    /// Says where a table has the formula that will be added next to a post or comment.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn claim_elsewhere(&mut self, part: Part, ahead: u32, claim: Claim<'_>) -> Result<(), Error> {
        let count = if part == Part::Comment {
            self.formulas.in_comments.count
        } else {
            self.formulas.in_posts.count
        };
        self.claim(part, count + ahead, claim)
    }

    fn claim(&mut self, part: Part, number: u32, claim: Claim<'_>) -> Result<(), Error> {
        self.record.clear();
        put_text(&mut self.record, claim.post);
        put_maybe(&mut self.record, claim.comment);
        put_text(&mut self.record, claim.part);
        self.formulas.claims.push((part, number));
        self.formulas.claim_texts.push(&self.record)
    }

    /// Counts a formula id that a table lists, in a part of a post by the table's own words.
    pub fn list_formula(&mut self, form: FormNo, part: &str) {
        self.counts.listed += 1;
        match part {
            "title" => self.counts.listed_in_titles += 1,
            "question" => self.counts.listed_in_questions += 1,
            "answer" => self.counts.listed_in_answers += 1,
            "comment" => {
                self.counts.listed_in_comments += 1;
                return;
            }
            _ => {}
        }
        if self.forms.listed_in_posts.len() <= form.index() {
            self.forms.listed_in_posts.resize(form.index() + 1, false);
        }
        self.forms.listed_in_posts[form.index()] = true;
    }

    /// Adds a link. Both posts were added before, if they are in the collection.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add_link(&mut self, link: &NewLink<'_>) -> Result<(), Error> {
        self.record.clear();
        put_text(&mut self.record, &link.from.to_string());
        put_text(&mut self.record, &link.to.to_string());
        put_number(&mut self.record, u64::from(link.kind as u8));
        put_number(&mut self.record, link.date.map_or(0, |date| date.0.cast_unsigned().wrapping_add(1)));
        self.links.push(&self.record)?;
        let number = |id| self.find_post(id).map_or(NO_NUMBER, |post| post.0);
        self.link_ends.push((number(link.from), number(link.to)));
        self.counts.links += 1;
        Ok(())
    }

    /// Adds a user.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn add_user(&mut self, id: &str, name: &str) -> Result<(), Error> {
        self.record.clear();
        put_text(&mut self.record, id);
        put_text(&mut self.record, name);
        self.counts.users += 1;
        self.user_ids.push(id.into());
        self.users.push(&self.record)
    }

    /// Adds a form, which must differ from those before.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or there are too many.
    pub fn add_form(&mut self, form: &NewForm<'_>) -> Result<FormNo, Error> {
        let number = self.forms.latex.records();
        if number >= NO_NUMBER - 1 {
            return Err(Error::TooMany("forms"));
        }
        self.forms.latex.push(form.latex.as_bytes())?;
        self.forms.presentation.push(form.presentation.unwrap_or_default().as_bytes())?;
        self.forms.content.push(form.content.unwrap_or_default().as_bytes())?;
        for visual in [form.visual, form.old_visual] {
            self.forms.given.put(&visual.unwrap_or(u64::MAX).to_le_bytes())?;
        }
        Ok(FormNo(number))
    }

    /// Finds out what each form looks like, on all cores; `look` gets LaTeX and Presentation MathML.
    ///
    /// # Errors
    ///
    /// When what was written cannot be read back.
    pub fn look_at_forms<L>(&mut self, new_look: impl Fn() -> L + Sync) -> Result<&[FormLook], Error>
    where
        L: FnMut(&str, &str) -> FormLook,
    {
        let presentation = self.forms.presentation.written()?;
        let latex = self.forms.latex.written()?;
        let (blocks, given) = (latex.blocks(), presentation.blocks());
        let path = &self.path;
        let new_worker = || {
            let mut look = new_look();
            let (mut block, mut beside) = (Block::default(), BlockCache::new(2));
            let mut looks_of = move |number: u32| -> Option<Vec<FormLook>> {
                blocks.unpack(number as usize, &mut block)?;
                let look_at = |(form, latex)| {
                    let latex = std::str::from_utf8(latex).ok()?;
                    let mathml = std::str::from_utf8(beside.record(given, form)?).ok()?;
                    Some(look(latex, mathml))
                };
                block.records().map(look_at).collect()
            };
            move |batch: Range<u32>| -> Result<Vec<Vec<FormLook>>, Error> {
                let looks: Option<_> = batch.map(&mut looks_of).collect();
                looks.ok_or_else(|| Error::Damaged {
                    file: path.clone(),
                    what: "a block of formulas could not be read back".to_owned(),
                })
            }
        };
        let count = u32::try_from(blocks.len()).map_err(|_| Error::TooMany("blocks"))?;
        let mut all = Vec::new();
        parallel::batches(count, 1, new_worker, |looks: Vec<Vec<FormLook>>| {
            all.extend(looks.into_iter().flatten());
            Ok(())
        })?;
        self.forms.looks = all;
        Ok(&self.forms.looks)
    }

    /// Says what all forms look like, in the order in which they were added, where that is known.
    pub fn set_looks(&mut self, looks: Vec<FormLook>) {
        self.forms.looks = looks;
    }

    /// Adds to what is known of a form that was looked at.
    pub fn mark_form(&mut self, form: FormNo, marks: FormMarks) {
        self.forms.looks[form.index()].marks.0 |= marks.0;
    }
}
