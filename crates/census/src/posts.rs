//! Posts, comments, links, tags and dates.

use crate::histogram::Histogram;
use crate::words;
use foldhash::fast::FixedState;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use store::{
    Collection, CommentNo, Date, Error, FormulaMarks, FormulaNo, LinkNo, Part, PostKind, PostNo, Reader,
};

/// A place at which formulas stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The title of a post.
    Title,
    /// The text of a question.
    Question,
    /// The text of an answer.
    Answer,
    /// The text of a document.
    Document,
    /// A comment.
    Comment,
    /// No text: only a table has it.
    Nowhere,
}

impl Place {
    /// All places.
    pub const ALL: [Self; 6] =
        [Self::Title, Self::Question, Self::Answer, Self::Document, Self::Comment, Self::Nowhere];

    /// Its name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Document => "document",
            Self::Comment => "comment",
            Self::Nowhere => "nowhere",
        }
    }

    fn of(kind: PostKind, part: Part) -> Self {
        match (part, kind) {
            (Part::Title, _) => Self::Title,
            (_, PostKind::Question) => Self::Question,
            (_, PostKind::Answer) => Self::Answer,
            (_, PostKind::Document) => Self::Document,
        }
    }
}

/// Formula instances in one kind of place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instances {
    /// In a line of text.
    pub inline: u64,
    /// Set off on lines of their own.
    pub block: u64,
}

impl Instances {
    /// All of them.
    #[must_use]
    pub fn all(self) -> u64 {
        self.inline + self.block
    }
}

/// What is unusual about formula instances; one may be several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Oddities {
    /// The id is ours; the source gave none.
    pub our_id: u64,
    /// Stands elsewhere than its table says.
    pub elsewhere: u64,
    /// The visual id was changed.
    pub new_visual_id: u64,
    /// Had no span in the source.
    pub wrapped: u64,
}

/// Posts of one kind, or comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// Words of each text, formulas and title left out.
    pub words: Histogram,
    /// Formulas of each, those of the title included.
    pub formulas: Histogram,
    /// Comments on each; none for comments.
    pub comments: Histogram,
    /// Scores, where given.
    pub scores: Histogram,
}

/// When things were written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dates {
    /// The first date of a post or comment.
    pub first: Option<Date>,
    /// The last one.
    pub last: Option<Date>,
    /// Questions, answers, documents and comments by year.
    pub years: BTreeMap<i64, [u64; 4]>,
}

/// Links of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Both posts are here.
    pub inside: u64,
    /// The post it leads to is not here.
    pub leading_outside: u64,
    /// Only the post it comes from is not here.
    pub from_outside: u64,
}

/// What was counted in posts, comments and links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Posts {
    /// Questions, answers and documents.
    pub kinds: [Texts; 3],
    /// Comments.
    pub comments: Texts,
    /// Words of each title.
    pub title_words: Histogram,
    /// Answers of each question.
    pub answers: Histogram,
    /// Questions with an accepted answer.
    pub accepted: u64,
    /// Answers whose question is not here.
    pub lone_answers: u64,
    /// Tags of each question and document.
    pub tags_each: Histogram,
    /// How often each tag is used: grows with distinct tags.
    pub tags: HashMap<String, u64, FixedState>,
    /// When posts and comments were written.
    pub dates: Dates,
    /// Formula instances by place.
    pub places: [Instances; 6],
    /// What is unusual about formula instances.
    pub oddities: Oddities,
    /// Links that say that two posts are related.
    pub related: Links,
    /// Links that say that two questions ask the same.
    pub duplicate: Links,
}

impl Posts {
    /// The tags used most, with how often; equal ones by name.
    #[must_use]
    pub fn top_tags(&self, limit: usize) -> Vec<(&str, u64)> {
        let mut tags: Vec<(&str, u64)> =
            self.tags.iter().map(|(tag, count)| (tag.as_str(), *count)).collect();
        tags.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        tags.truncate(limit);
        tags
    }

    /// Formulas of each post, whatever its kind.
    #[must_use]
    pub fn formulas_each(&self) -> Histogram {
        let mut all = Histogram::default();
        self.kinds.iter().for_each(|texts| all.merge(&texts.formulas));
        all
    }

    /// Comments on each post, whatever its kind.
    #[must_use]
    pub fn comments_each(&self) -> Histogram {
        let mut all = Histogram::default();
        self.kinds.iter().for_each(|texts| all.merge(&texts.comments));
        all
    }

    pub(crate) fn look_at_posts(&mut self, reader: &mut Reader<'_>, posts: Range<u32>) -> Result<(), Error> {
        posts.map(PostNo).try_for_each(|post| self.look_at_post(reader, post))
    }

    fn look_at_post(&mut self, reader: &mut Reader<'_>, number: PostNo) -> Result<(), Error> {
        let collection = reader.collection();
        let post = reader.post(number)?;
        let kind = post.facts.kind;
        let texts = &mut self.kinds[kind_index(kind)];
        texts.words.add(words::count(&post.body));
        texts.comments.add(signed(collection.comments_on(number).count() as u64));
        post.facts.score.into_iter().for_each(|score| texts.scores.add(score.into()));
        if let Some(title) = &post.title {
            self.title_words.add(words::count(title));
        }
        match kind {
            PostKind::Question => {
                self.answers.add(signed(collection.answers(number).count() as u64));
                self.accepted += u64::from(post.facts.accepted.is_some());
            }
            PostKind::Answer => self.lone_answers += u64::from(post.facts.parent.is_none()),
            PostKind::Document => {}
        }
        if kind != PostKind::Answer {
            self.tags_each.add(signed(post.tags.len() as u64));
        }
        for tag in post.tags {
            *self.tags.entry(tag).or_default() += 1;
        }
        self.dates.add(post.facts.date, kind_index(kind));
        let formulas = collection.formulas_of_post(number);
        let instances = u64::from(formulas.end - formulas.start);
        self.kinds[kind_index(kind)].formulas.add(signed(instances));
        self.look_at_formulas(collection, formulas, |marks| Place::of(kind, marks.part()));
        Ok(())
    }

    pub(crate) fn look_at_comments(
        &mut self,
        reader: &mut Reader<'_>,
        comments: Range<u32>,
    ) -> Result<(), Error> {
        for number in comments.map(CommentNo) {
            let comment = reader.comment(number)?;
            self.comments.words.add(words::count(&comment.text));
            comment.score.into_iter().for_each(|score| self.comments.scores.add(score.into()));
            self.dates.add(comment.date, 3);
            let formulas = reader.collection().formulas_of_comment(number);
            self.comments.formulas.add(signed(u64::from(formulas.end - formulas.start)));
            self.look_at_formulas(reader.collection(), formulas, |_| Place::Comment);
        }
        Ok(())
    }

    /// Formulas that stand nowhere come last.
    pub(crate) fn look_at_strays(&mut self, collection: &Collection) {
        let comments = collection.comments().next_back();
        let last = comments.map(|comment| collection.formulas_of_comment(comment));
        let last = last.or_else(|| {
            let post = collection.num_posts().checked_sub(1).map(PostNo);
            post.map(|post| collection.formulas_of_post(post))
        });
        let first = last.map_or(0, |formulas| formulas.end);
        self.look_at_formulas(collection, first..collection.num_formulas(), |_| Place::Nowhere);
    }

    fn look_at_formulas(
        &mut self,
        collection: &Collection,
        formulas: Range<u32>,
        place: impl Fn(FormulaMarks) -> Place,
    ) {
        for formula in formulas.start..formulas.end.min(collection.num_formulas()) {
            let marks = collection.formula_marks(FormulaNo(formula));
            let instances = &mut self.places[place(marks) as usize];
            if marks.has(FormulaMarks::BLOCK) {
                instances.block += 1;
            } else {
                instances.inline += 1;
            }
            let odd = &mut self.oddities;
            odd.our_id += u64::from(marks.has(FormulaMarks::OUR_ID));
            odd.elsewhere += u64::from(marks.has(FormulaMarks::ELSEWHERE));
            odd.new_visual_id += u64::from(marks.has(FormulaMarks::NEW_VISUAL_ID));
            odd.wrapped += u64::from(marks.has(FormulaMarks::WRAPPED));
        }
    }

    pub(crate) fn look_at_links(&mut self, reader: &mut Reader<'_>, links: Range<u32>) -> Result<(), Error> {
        for number in links.map(LinkNo) {
            let link = reader.link(number)?;
            let links = match link.kind {
                store::LinkKind::Related => &mut self.related,
                store::LinkKind::Duplicate => &mut self.duplicate,
            };
            let here = |id: &str| reader.collection().find_post(id).is_some();
            match (here(&link.from), here(&link.to)) {
                (true, true) => links.inside += 1,
                (_, false) => links.leading_outside += 1,
                (false, true) => links.from_outside += 1,
            }
        }
        Ok(())
    }

    pub(crate) fn merge(&mut self, other: Self) {
        for (ours, theirs) in self.kinds.iter_mut().zip(&other.kinds) {
            ours.merge(theirs);
        }
        self.comments.merge(&other.comments);
        self.title_words.merge(&other.title_words);
        self.answers.merge(&other.answers);
        self.accepted += other.accepted;
        self.lone_answers += other.lone_answers;
        self.tags_each.merge(&other.tags_each);
        for (tag, count) in other.tags {
            *self.tags.entry(tag).or_default() += count;
        }
        self.dates.merge(&other.dates);
        for (ours, theirs) in self.places.iter_mut().zip(other.places) {
            ours.inline += theirs.inline;
            ours.block += theirs.block;
        }
        self.oddities.our_id += other.oddities.our_id;
        self.oddities.elsewhere += other.oddities.elsewhere;
        self.oddities.new_visual_id += other.oddities.new_visual_id;
        self.oddities.wrapped += other.oddities.wrapped;
        for (ours, theirs) in [(&mut self.related, other.related), (&mut self.duplicate, other.duplicate)] {
            ours.inside += theirs.inside;
            ours.leading_outside += theirs.leading_outside;
            ours.from_outside += theirs.from_outside;
        }
    }
}

impl Texts {
    fn merge(&mut self, other: &Self) {
        self.words.merge(&other.words);
        self.formulas.merge(&other.formulas);
        self.comments.merge(&other.comments);
        self.scores.merge(&other.scores);
    }
}

impl Dates {
    fn add(&mut self, date: Option<Date>, kind: usize) {
        let Some(date) = date else { return };
        self.first = Some(self.first.map_or(date, |first| first.min(date)));
        self.last = Some(self.last.map_or(date, |last| last.max(date)));
        self.years.entry(date.year()).or_default()[kind] += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.first = self.first.into_iter().chain(other.first).min();
        self.last = self.last.into_iter().chain(other.last).max();
        for (year, counts) in &other.years {
            let ours = self.years.entry(*year).or_default();
            ours.iter_mut().zip(counts).for_each(|(ours, theirs)| *ours += theirs);
        }
    }
}

fn kind_index(kind: PostKind) -> usize {
    match kind {
        PostKind::Question => 0,
        PostKind::Answer => 1,
        PostKind::Document => 2,
    }
}

fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
