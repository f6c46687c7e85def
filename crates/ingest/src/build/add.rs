//! Adding: records in their order, joined with what the tables say.

use super::{BuildError, Builder, Source};
use crate::dirt::{Dirt, DirtKind};
use crate::forms::Identity;
use crate::index::{Place, Stray, UNSAID};
use crate::prepare::{Prepared, PreparedComment, PreparedPost};
use crate::record::{At, RawLink, RawUser};
use markup::{Display, Found, Origin};
use store::{
    Claim, FormulaMarks, Id, IdKind, NewComment, NewForm, NewFormula, NewLink, NewPost, Part, PostKind,
    PostNo,
};
use xxhash_rust::xxh3::xxh3_64;

/// A formula that is ready to be added.
struct Ready {
    id: ReadyId,
    form: store::FormNo,
    marks: FormulaMarks,
}

enum ReadyId {
    Number(u64),
    Text(String),
}

impl Ready {
    fn as_new(&self) -> NewFormula<'_> {
        let id = match &self.id {
            ReadyId::Number(number) => Id::Number(*number),
            ReadyId::Text(text) => Id::Text(text),
        };
        NewFormula { id, form: self.form, marks: self.marks }
    }
}

/// The text whose formulas are added.
struct Text<'t> {
    at: At,
    about: &'t str,
    /// The id of the post, for ids of formulas of documents.
    post_id: &'t str,
    place: Place,
}

impl Builder<'_> {
    pub(super) fn add(&mut self, item: Prepared) -> Result<(), BuildError> {
        match item {
            Prepared::Post(post) => self.add_post(&post),
            Prepared::Comment(comment) => self.add_comment(&comment),
            Prepared::Link(link) => self.add_link(&link),
            Prepared::User(user) => self.add_user(&user),
            Prepared::Dirt(dirt) => self.journal.add(&dirt),
            Prepared::PassedOver => Ok(()),
        }
    }

    fn tell(&mut self, kind: DirtKind, at: At, about: &str, detail: &str) -> Result<(), BuildError> {
        self.journal.add(&Dirt::new(kind, at, about, detail))
    }

    fn add_post(&mut self, post: &PreparedPost) -> Result<(), BuildError> {
        let raw = &post.raw;
        let about = format!("post {}", raw.id);
        let Some(id) = Id::parse(&raw.id, self.ids.posts).filter(|_| is_visible(&raw.id)) else {
            return self.tell(DirtKind::BadId, raw.at, &about, "");
        };
        if self.writer.find_post(id).is_some() {
            return self.tell(DirtKind::DuplicatePost, raw.at, &about, "");
        }
        let counts = self.writer.counts();
        let number = counts.questions + counts.answers + counts.documents;
        let place = Place { number, part: Part::Title, post: raw.id.parse().ok(), comment: None };
        let mut text = Text { at: raw.at, about: &about, post_id: &raw.id, place };
        let mut formulas = Vec::new();
        for found in post.title.iter().flat_map(|title| &title.formulas) {
            formulas.push(self.ready(found, &text, formulas.len())?);
        }
        text.place.part = Part::Body;
        for found in &post.body.formulas {
            formulas.push(self.ready(found, &text, formulas.len())?);
        }
        let new = NewPost {
            id,
            kind: raw.kind,
            parent: raw.parent.as_deref(),
            title: post.title.as_ref().map(|title| title.html.as_str()),
            body: &post.body.html,
            tags: &raw.tags,
            score: raw.score,
            date: raw.date,
            owner: raw.owner.as_deref(),
            views: raw.views,
        };
        let formulas: Vec<NewFormula<'_>> = formulas.iter().map(Ready::as_new).collect();
        let number = self.writer.add_post(&new, &formulas)?;
        if let Some(parent) = raw.parent.as_deref() {
            let known = Id::parse(parent.trim(), self.ids.posts).and_then(|id| self.writer.find_post(id));
            match known {
                Some(question) => self.set_parent(number, question, raw.at, &about)?,
                None => self.parents.push((number, parent.trim().into(), raw.at)),
            }
        }
        if let Some(accepted) = raw.accepted.as_deref() {
            self.accepted.push((number, accepted.trim().into(), raw.at));
        }
        Ok(())
    }

    fn set_parent(
        &mut self,
        answer: PostNo,
        question: PostNo,
        at: At,
        about: &str,
    ) -> Result<(), BuildError> {
        if self.writer.post_kind(question) != PostKind::Question || answer == question {
            return self.tell(DirtKind::ParentNotQuestion, at, about, "");
        }
        self.writer.set_parent(answer, question);
        Ok(())
    }

    /// Answers that came before their questions.
    pub(super) fn resolve_parents(&mut self) -> Result<(), BuildError> {
        for (answer, parent, at) in std::mem::take(&mut self.parents) {
            let about = format!("answer to {parent}");
            match Id::parse(&parent, self.ids.posts).and_then(|id| self.writer.find_post(id)) {
                Some(question) => self.set_parent(answer, question, at, &about)?,
                None => self.tell(DirtKind::OrphanAnswer, at, &about, "")?,
            }
        }
        Ok(())
    }

    pub(super) fn resolve_accepted(&mut self) -> Result<(), BuildError> {
        for (question, accepted, at) in std::mem::take(&mut self.accepted) {
            let answer = Id::parse(&accepted, self.ids.posts).and_then(|id| self.writer.find_post(id));
            match answer.filter(|answer| self.writer.parent(*answer) == Some(question)) {
                Some(answer) => self.writer.set_accepted(question, answer),
                None => self.tell(DirtKind::BadAccepted, at, "", &format!("accepted answer {accepted}"))?,
            }
        }
        Ok(())
    }

    fn add_comment(&mut self, comment: &PreparedComment) -> Result<(), BuildError> {
        let raw = &comment.raw;
        let about = format!("comment {}", raw.id);
        let Some(id) = Id::parse(&raw.id, self.ids.comments).filter(|_| is_visible(&raw.id)) else {
            return self.tell(DirtKind::BadId, raw.at, &about, "");
        };
        if self.writer.find_comment(id).is_some() {
            return self.tell(DirtKind::DuplicateComment, raw.at, &about, "");
        }
        let Some(post) = Id::parse(&raw.post, self.ids.posts).and_then(|id| self.writer.find_post(id)) else {
            return self.tell(DirtKind::OrphanComment, raw.at, &about, &format!("on post {}", raw.post));
        };
        let place = Place {
            number: self.writer.counts().comments,
            part: Part::Comment,
            post: raw.post.parse().ok(),
            comment: raw.id.parse().ok(),
        };
        let post_id = format!("{}:{}", raw.post, raw.id);
        let text = Text { at: raw.at, about: &about, post_id: &post_id, place };
        let mut formulas = Vec::new();
        for found in &comment.text.formulas {
            formulas.push(self.ready(found, &text, formulas.len())?);
        }
        let formulas: Vec<NewFormula<'_>> = formulas.iter().map(Ready::as_new).collect();
        let new = NewComment {
            id,
            post,
            text: &comment.text.html,
            score: raw.score,
            date: raw.date,
            owner: raw.owner.as_deref(),
        };
        self.writer.add_comment(&new, &formulas)?;
        Ok(())
    }

    /// What a formula is: its id, its form, where it stands. `ahead` formulas of this text come before it.
    fn ready(&mut self, found: &Found, text: &Text<'_>, ahead: usize) -> Result<Ready, BuildError> {
        let mut bits = 0;
        if found.display == Display::Block {
            bits |= FormulaMarks::BLOCK;
        }
        if self.ids.formulas == IdKind::Texts {
            bits |= FormulaMarks::OUR_ID;
            let form = self.form_of(found, text.at)?;
            let id = ReadyId::Text(format!("{}:{ahead}", text.post_id));
            return Ok(Ready { id, form, marks: FormulaMarks::new(text.place.part, bits) });
        }
        if self.plan.source == Source::Arqmath && !matches!(found.origin, Origin::Span | Origin::Math) {
            bits |= FormulaMarks::WRAPPED;
        }
        let given = self.given_id(found, text)?;
        let sighting = given.and_then(|id| self.index.as_mut()?.see(id, text.place));
        let Some(sighting) = sighting else {
            if let (Some(id), Some(_)) = (given, &self.index) {
                bits |= FormulaMarks::NO_ROW;
                let about = format!("formula {id} in {}", text.about);
                self.tell(DirtKind::SpanWithoutRow, text.at, &about, &found.latex)?;
            }
            let form = self.form_of(found, text.at)?;
            let id = given.unwrap_or_else(|| {
                bits |= FormulaMarks::OUR_ID;
                self.next_formula += 1;
                self.next_formula - 1
            });
            let marks = FormulaMarks::new(text.place.part, bits);
            return Ok(Ready { id: ReadyId::Number(id), form, marks });
        };
        let row = sighting.row;
        let about = || format!("formula {} in {}", row.id, text.about);
        if sighting.newly_many {
            self.tell(DirtKind::ManyPlaces, text.at, &about(), "")?;
        }
        if !self.forms.is_written(row.form, &found.latex) {
            self.tell(DirtKind::RowDiffers, text.at, &about(), &found.latex)?;
        }
        if row.changed {
            bits |= FormulaMarks::NEW_VISUAL_ID;
        }
        if sighting.elsewhere {
            bits |= FormulaMarks::ELSEWHERE;
            let ahead = u32::try_from(ahead).unwrap_or(u32::MAX);
            claim(row.post, row.comment, row.part.name(), |claim| {
                self.writer.claim_elsewhere(text.place.part, ahead, claim)
            })?;
        }
        let marks = FormulaMarks::new(text.place.part, bits);
        Ok(Ready { id: ReadyId::Number(row.id), form: row.form, marks })
    }

    /// The id of a span, if it is one of the collection's.
    fn given_id(&mut self, found: &Found, text: &Text<'_>) -> Result<Option<u64>, BuildError> {
        let spans = self.plan.source == Source::Arqmath;
        match &found.id {
            None => {
                if spans && found.origin == Origin::Span {
                    self.tell(DirtKind::SpanWithoutId, text.at, text.about, &found.latex)?;
                }
                Ok(None)
            }
            Some(_) if !self.plan.spans_have_ids => Ok(None),
            Some(id) => match Id::parse(id.trim(), IdKind::Numbers) {
                Some(Id::Number(id)) => Ok(Some(id)),
                _ => {
                    self.tell(DirtKind::BadSpanId, text.at, text.about, id)?;
                    Ok(None)
                }
            },
        }
    }

    /// The form of a formula that no table knows.
    fn form_of(&mut self, found: &Found, at: At) -> Result<store::FormNo, BuildError> {
        let presentation = found.mathml.as_deref();
        let identity = Identity {
            visual: None,
            old_visual: None,
            // Numbers of given texts are small, hashes are not.
            presentation: presentation.map_or(u64::MAX, |mathml| xxh3_64(mathml.as_bytes()) | 1 << 63),
            content: u64::MAX,
        };
        let form = NewForm { latex: &found.latex, presentation, ..NewForm::default() };
        self.forms.add(&mut self.writer, &form, identity, at)
    }

    /// Rows of the table that no text bears out.
    pub(super) fn stray_rows(&mut self) -> Result<(), BuildError> {
        let Some(index) = self.index.take() else { return Ok(()) };
        for (row, stray) in index.strays() {
            let about = format!("formula {}", row.id);
            if stray == Stray::Elsewhere {
                let detail = format!("said to be in {} {}", row.part.name(), row.post);
                self.journal.add(&Dirt::new(DirtKind::RowElsewhere, row.at, about, &detail))?;
                continue;
            }
            self.journal.add(&Dirt::new(DirtKind::RowNowhere, row.at, about, ""))?;
            let bits = if row.changed { FormulaMarks::NEW_VISUAL_ID } else { 0 };
            let marks = FormulaMarks::new(Part::Nowhere, bits);
            let formula = NewFormula { id: Id::Number(row.id), form: row.form, marks };
            claim(row.post, row.comment, row.part.name(), |claim| self.writer.add_nowhere(&formula, claim))?;
        }
        Ok(())
    }

    fn add_link(&mut self, link: &RawLink) -> Result<(), BuildError> {
        let about = format!("link from {} to {}", link.from, link.to);
        let ends = Id::parse(&link.from, self.ids.posts).zip(Id::parse(&link.to, self.ids.posts));
        let Some((from, to)) = ends else {
            return self.tell(DirtKind::BadId, link.at, &about, "");
        };
        if from == to {
            return self.tell(DirtKind::LinkToItself, link.at, &about, "");
        }
        let number = |id: Id<'_>| match id {
            Id::Number(number) => number,
            Id::Text(text) => xxh3_64(text.as_bytes()),
        };
        if !self.links.insert((number(from), number(to), link.kind as u8)) {
            return self.tell(DirtKind::DuplicateLink, link.at, &about, link.kind.name());
        }
        if self.writer.find_post(from).is_none() || self.writer.find_post(to).is_none() {
            self.tell(DirtKind::LinkOutside, link.at, &about, link.kind.name())?;
        }
        self.writer.add_link(&NewLink { from, to, kind: link.kind, date: link.date })?;
        Ok(())
    }

    fn add_user(&mut self, user: &RawUser) -> Result<(), BuildError> {
        if !self.users.insert(user.id.as_str().into()) {
            return self.tell(DirtKind::DuplicateUser, user.at, &format!("user {}", user.id), "");
        }
        self.writer.add_user(&user.id, &user.name)?;
        Ok(())
    }
}

/// Hands over where a row says that its formula stands.
fn claim(
    post: u32,
    comment: u32,
    part: &str,
    with: impl FnOnce(Claim<'_>) -> Result<(), store::Error>,
) -> Result<(), BuildError> {
    let text = |number: u32| if number == UNSAID { String::new() } else { number.to_string() };
    let (post, comment) = (text(post), text(comment));
    let comment = (!comment.is_empty()).then_some(comment.as_str());
    Ok(with(Claim { post: &post, comment, part })?)
}

/// Whether an id holds nothing but characters that people see: another id would look the same.
fn is_visible(id: &str) -> bool {
    text::hidden_character(id).is_none()
}
