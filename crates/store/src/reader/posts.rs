//! Posts, comments, links and users.

use super::{Collection, Reader};
use crate::block::Block;
use crate::codec::Fields;
use crate::error::Error;
use crate::ids::{CommentNo, FormulaNo, Id, LinkNo, PostNo};
use crate::kinds::{Date, LinkKind, PostKind};
use crate::section::Section;
use crate::{NO_DATE, NO_SCORE, number};
use std::ops::Range;

const POST_IDS: (Section, Section, Section) = (Section::PostIds, Section::PostIdEnds, Section::PostsById);
const COMMENT_IDS: (Section, Section, Section) =
    (Section::CommentIds, Section::CommentIdEnds, Section::CommentsById);

/// What is known of a post without reading its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostFacts {
    /// What it is.
    pub kind: PostKind,
    /// The question it answers, if that is in the collection.
    pub parent: Option<PostNo>,
    /// The answer that was accepted.
    pub accepted: Option<PostNo>,
    /// Votes for it less votes against it.
    pub score: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
}

/// A post with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Post<'c> {
    /// Its number.
    pub number: PostNo,
    /// Its id.
    pub id: Id<'c>,
    /// What is known without its text.
    pub facts: PostFacts,
    /// Its title as safe HTML, with a marker for each formula.
    pub title: Option<String>,
    /// Its text as safe HTML, with a marker for each formula.
    pub body: String,
    /// The question it is said to answer, in the collection or not.
    pub parent_id: Option<String>,
    /// Who wrote it.
    pub owner: Option<String>,
    /// How often it was looked at.
    pub views: Option<u32>,
    /// Its tags.
    pub tags: Vec<String>,
}

/// A comment with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment<'c> {
    /// Its number.
    pub number: CommentNo,
    /// Its id.
    pub id: Id<'c>,
    /// The post it is about.
    pub post: PostNo,
    /// Its text as safe HTML, with a marker for each formula.
    pub text: String,
    /// Votes for it.
    pub score: Option<i32>,
    /// When it was written.
    pub date: Option<Date>,
    /// Who wrote it.
    pub owner: Option<String>,
}

/// A link from one post to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its number.
    pub number: LinkNo,
    /// The id of the post that leads to the other, in the collection or not.
    pub from: String,
    /// The id of the post it leads to, in the collection or not.
    pub to: String,
    /// What it says.
    pub kind: LinkKind,
    /// When it was made.
    pub date: Option<Date>,
}

impl Collection {
    /// How many posts there are.
    #[must_use]
    pub fn num_posts(&self) -> u32 {
        let counts = &self.about.counts;
        counts.questions.saturating_add(counts.answers).saturating_add(counts.documents)
    }

    /// All posts, in the order of the collection.
    pub fn posts(&self) -> impl DoubleEndedIterator<Item = PostNo> + ExactSizeIterator {
        (0..self.num_posts()).map(PostNo)
    }

    /// All posts, in the order of their ids.
    pub fn posts_by_id(&self) -> impl DoubleEndedIterator<Item = PostNo> + ExactSizeIterator {
        let count = self.num_posts();
        (0..count).map(move |rank| PostNo(self.ranked(Section::PostsById, rank, count)))
    }

    /// The post that has an id.
    #[must_use]
    pub fn find_post(&self, id: &str) -> Option<PostNo> {
        let ranks = self.find(id, self.about.post_ids.into(), POST_IDS, self.num_posts());
        ranks.map(|rank| PostNo(self.ranked(Section::PostsById, rank, self.num_posts()))).next()
    }

    /// The id of a post. Of a post that there is not, all methods that take a number give zeros and
    /// empty texts.
    #[must_use]
    pub fn post_id(&self, post: PostNo) -> Id<'_> {
        self.id(self.about.post_ids.into(), POST_IDS.0, POST_IDS.1, post.index())
    }

    /// What is known of a post without its text.
    #[must_use]
    pub fn post_facts(&self, post: PostNo) -> PostFacts {
        let at = post.index();
        let score = i32::from_le_bytes(self.array(Section::PostScores, at));
        let date = i64::from_le_bytes(self.array(Section::PostDates, at));
        let kind = self.array::<1>(Section::PostKinds, at)[0];
        let known = |number: &u32| *number < self.num_posts();
        PostFacts {
            kind: PostKind::from_number(kind).unwrap_or(PostKind::Document),
            parent: number(self.u32_at(Section::PostParents, at)).filter(known).map(PostNo),
            accepted: number(self.u32_at(Section::PostAccepted, at)).filter(known).map(PostNo),
            score: (score != NO_SCORE).then_some(score),
            date: (date != NO_DATE).then_some(Date(date)),
        }
    }

    /// The post that a thread begins with: the question of an answer, else the post itself.
    #[must_use]
    pub fn thread_of(&self, post: PostNo) -> PostNo {
        self.post_facts(post).parent.unwrap_or(post)
    }

    /// The answers to a question, in the order of the collection.
    pub fn answers(&self, question: PostNo) -> impl Iterator<Item = PostNo> {
        let count = self.num_posts();
        let answers = self.group(Section::AnswerEnds, Section::Answers, question.index());
        answers.filter(move |post| *post < count).map(PostNo)
    }

    /// The formulas of a post, those of the title first.
    #[must_use]
    pub fn formulas_of_post(&self, post: PostNo) -> Range<u32> {
        self.within(self.span(Section::PostFormulas, post.index()))
    }

    /// How many comments there are.
    #[must_use]
    pub fn num_comments(&self) -> u32 {
        self.about.counts.comments
    }

    /// All comments, in the order of the collection.
    pub fn comments(&self) -> impl DoubleEndedIterator<Item = CommentNo> + ExactSizeIterator {
        (0..self.num_comments()).map(CommentNo)
    }

    /// The comment that has an id.
    #[must_use]
    pub fn find_comment(&self, id: &str) -> Option<CommentNo> {
        let ranks = self.find(id, self.about.comment_ids.into(), COMMENT_IDS, self.num_comments());
        ranks.map(|rank| CommentNo(self.ranked(Section::CommentsById, rank, self.num_comments()))).next()
    }

    /// The id of a comment.
    #[must_use]
    pub fn comment_id(&self, comment: CommentNo) -> Id<'_> {
        self.id(self.about.comment_ids.into(), COMMENT_IDS.0, COMMENT_IDS.1, comment.index())
    }

    /// The post that a comment is about.
    #[must_use]
    pub fn comment_post(&self, comment: CommentNo) -> PostNo {
        let post = self.u32_at(Section::CommentPosts, comment.index());
        PostNo(post.min(self.num_posts().saturating_sub(1)))
    }

    /// The comments on a post, in the order of the collection.
    pub fn comments_on(&self, post: PostNo) -> impl Iterator<Item = CommentNo> {
        let count = self.num_comments();
        let comments = self.group(Section::PostCommentEnds, Section::PostComments, post.index());
        comments.filter(move |comment| *comment < count).map(CommentNo)
    }

    /// The formulas of a comment.
    #[must_use]
    pub fn formulas_of_comment(&self, comment: CommentNo) -> Range<u32> {
        let base = self.first_in_comments();
        let Range { start, end } = self.span(Section::CommentFormulas, comment.index());
        self.within(base.saturating_add(start)..base.saturating_add(end))
    }

    /// Numbers of formulas, of which there are no others even if the file says so.
    fn within(&self, formulas: Range<u32>) -> Range<u32> {
        formulas.start.min(self.num_formulas())..formulas.end.min(self.num_formulas())
    }

    /// The number of the first formula in a comment.
    pub(super) fn first_in_comments(&self) -> u32 {
        self.num_posts().checked_sub(1).map_or(0, |last| self.u32_at(Section::PostFormulas, last as usize))
    }

    /// The post that a formula of a post stands in.
    pub(super) fn post_of(&self, formula: FormulaNo) -> PostNo {
        PostNo(self.holder(Section::PostFormulas, formula.0, self.num_posts()))
    }

    /// The comment that a formula of a comment stands in.
    pub(super) fn comment_of(&self, formula: FormulaNo) -> CommentNo {
        let number = formula.0.saturating_sub(self.first_in_comments());
        CommentNo(self.holder(Section::CommentFormulas, number, self.num_comments()))
    }

    /// The first whose end lies beyond a number.
    fn holder(&self, ends: Section, number: u32, count: u32) -> u32 {
        let (mut low, mut high) = (0, count.saturating_sub(1));
        while low < high {
            let middle = low.midpoint(high);
            if self.u32_at(ends, middle as usize) <= number { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The links from and to a post.
    pub fn links_of(&self, post: PostNo) -> impl Iterator<Item = LinkNo> {
        let count = self.about.counts.links;
        let links = self.group(Section::PostLinkEnds, Section::PostLinks, post.index());
        links.filter(move |link| *link < count).map(LinkNo)
    }

    /// All links, in the order of the collection.
    pub fn links(&self) -> impl ExactSizeIterator<Item = LinkNo> {
        (0..self.about.counts.links).map(LinkNo)
    }

    /// All users, with the names that are shown.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn users(&self) -> Result<Vec<(String, String)>, Error> {
        let blocks = self.blocks(Section::Users, Section::UserBlocks);
        let mut users = Vec::new();
        let mut block = Block::default();
        for number in 0..blocks.len() {
            blocks.unpack(number, &mut block).ok_or_else(|| self.damaged("a block of users"))?;
            for (_, record) in block.records() {
                let mut fields = Fields(record);
                let user = fields.text().zip(fields.text()).ok_or_else(|| self.damaged("a user"))?;
                users.push((user.0.to_owned(), user.1.to_owned()));
            }
        }
        Ok(users)
    }
}

impl<'c> Reader<'c> {
    /// Reads a post.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn post(&mut self, post: PostNo) -> Result<Post<'c>, Error> {
        let collection = self.collection;
        let blocks = collection.blocks(Section::PostTexts, Section::PostTextBlocks);
        let record = self.posts.record(blocks, post.0);
        let read = |record| {
            let mut fields = Fields(record);
            Some(Post {
                number: post,
                id: collection.post_id(post),
                facts: collection.post_facts(post),
                title: fields.maybe()?.map(str::to_owned),
                body: fields.text()?.to_owned(),
                parent_id: fields.maybe()?.map(str::to_owned),
                owner: fields.maybe()?.map(str::to_owned),
                views: fields.number()?.checked_sub(1).and_then(|views| u32::try_from(views).ok()),
                tags: (0..fields.number()?)
                    .map(|_| fields.text().map(str::to_owned))
                    .collect::<Option<_>>()?,
            })
        };
        record.and_then(read).ok_or_else(|| collection.damaged(&format!("the text of post {}", post.0)))
    }

    /// Reads a comment.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn comment(&mut self, comment: CommentNo) -> Result<Comment<'c>, Error> {
        let collection = self.collection;
        let blocks = collection.blocks(Section::CommentTexts, Section::CommentTextBlocks);
        let record = self.comments.record(blocks, comment.0);
        let at = comment.index();
        let score = i32::from_le_bytes(collection.array(Section::CommentScores, at));
        let date = i64::from_le_bytes(collection.array(Section::CommentDates, at));
        let read = |record| {
            let mut fields = Fields(record);
            Some(Comment {
                number: comment,
                id: collection.comment_id(comment),
                post: collection.comment_post(comment),
                text: fields.text()?.to_owned(),
                score: (score != NO_SCORE).then_some(score),
                date: (date != NO_DATE).then_some(Date(date)),
                owner: fields.maybe()?.map(str::to_owned),
            })
        };
        record.and_then(read).ok_or_else(|| collection.damaged(&format!("the text of comment {}", comment.0)))
    }

    /// The name that is shown of a user.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn user(&mut self, id: &str) -> Result<Option<String>, Error> {
        let collection = self.collection;
        let blocks = collection.blocks(Section::Users, Section::UserBlocks);
        let (mut low, mut high) = (0, collection.about.counts.users);
        while low < high {
            let middle = low.midpoint(high);
            let number = collection.u32_at(Section::UsersById, middle as usize);
            let user = self.users.record(blocks, number).and_then(|record| {
                let mut fields = Fields(record);
                fields.text().zip(fields.text())
            });
            let (found, name) = user.ok_or_else(|| collection.damaged("a user"))?;
            match found.cmp(id) {
                std::cmp::Ordering::Equal => return Ok(Some(name.to_owned())),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }

    /// Reads a link.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn link(&mut self, link: LinkNo) -> Result<Link, Error> {
        let collection = self.collection;
        let record = self.links.record(collection.blocks(Section::Links, Section::LinkBlocks), link.0);
        let read = |record| {
            let mut fields = Fields(record);
            Some(Link {
                number: link,
                from: fields.text()?.to_owned(),
                to: fields.text()?.to_owned(),
                kind: LinkKind::from_number(u8::try_from(fields.number()?).ok()?)?,
                date: fields.number()?.checked_sub(1).map(|date| Date(date.cast_signed())),
            })
        };
        record.and_then(read).ok_or_else(|| collection.damaged(&format!("link {}", link.0)))
    }
}
