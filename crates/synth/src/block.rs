//! Making a block of posts: the rows of all files, from the plan.

use crate::calendar::{moment, push_date};
use crate::draw::{Draw, Use, place};
use crate::people::author;
use crate::plan::{BLOCK, Plan, PostPlan, ThreadPlan, plan, post_id};
use crate::plant::{Plants, topic_subject};
use crate::subject::{Subject, Voice};
use crate::text::{Composer, FormulaTable, Location, Site};
use crate::vocabulary::vocabulary;
use crate::xml::{attribute, text_attribute};
use std::ops::Range;

/// What all blocks have in common.
#[derive(Debug)]
pub(crate) struct Collection<'a> {
    pub(crate) seed: u64,
    pub(crate) posts: u64,
    pub(crate) plants: &'a Plants,
}

/// The first ids that a block uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FirstIds {
    pub(crate) formula: u64,
    pub(crate) comment: u64,
    pub(crate) link: u64,
}

/// Rows made in one order and written in another.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    text: String,
    /// By position: where the row stands.
    order: Vec<Range<usize>>,
}

impl Rows {
    fn new(rows: usize) -> Self {
        Self { text: String::new(), order: vec![0..0; rows] }
    }

    /// The rows in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(|range| &self.text[range.clone()])
    }
}

/// A block of posts and all that goes with it.
#[derive(Debug)]
pub(crate) struct Block {
    pub(crate) posts: Rows,
    pub(crate) comments: Rows,
    pub(crate) links: String,
    pub(crate) table: FormulaTable,
    pub(crate) questions: u64,
    pub(crate) duplicates: u64,
    /// Uses of each tag.
    pub(crate) tags: Vec<u64>,
}

/// How many other blocks the links of a block go to.
const LINKED_BLOCKS: usize = 6;

/// A question that can be linked to.
#[derive(Clone, Copy, Debug)]
struct Target {
    block: u64,
    thread: u32,
    id: u64,
}

struct Maker<'a> {
    collection: &'a Collection<'a>,
    block: u64,
    ids: FirstIds,
    plan: &'a Plan,
    /// Plans of other blocks, to which links may go.
    linked: Vec<(u64, Plan)>,
    made: Block,
}

/// Makes a block. It depends on its number and the collection's settings only.
pub(crate) fn make(collection: &Collection<'_>, block: u64, ids: FirstIds) -> Block {
    let plan = plan(collection.seed, collection.posts, block, collection.plants);
    let mut draw = Draw::at(collection.seed, Use::Link, block, 0);
    let mut linked = Vec::new();
    for _ in 0..LINKED_BLOCKS.min(block as usize) {
        let other = draw.below(block as usize) as u64;
        linked.push((other, crate::plan::plan(collection.seed, collection.posts, other, collection.plants)));
    }
    let made = Block {
        posts: Rows::new(plan.posts.len()),
        comments: Rows::new(plan.comments.len()),
        links: String::new(),
        table: FormulaTable::new(ids.formula, ""),
        questions: plan.threads.len() as u64,
        duplicates: 0,
        tags: vec![0; vocabulary().themes.len()],
    };
    let mut maker = Maker { collection, block, ids, plan: &plan, linked, made };
    for number in 0..plan.threads.len() {
        maker.thread(number as u32);
    }
    maker.made
}

impl Collection<'_> {
    /// The number of a post from its place in a block.
    fn number(&self, block: u64, position: u32) -> u64 {
        block * BLOCK + u64::from(position)
    }

    pub(crate) fn id(&self, block: u64, position: u32) -> u64 {
        post_id(self.seed, self.number(block, position))
    }

    /// The seed of a thread's own subject.
    fn subject_seed(&self, block: u64, thread: u32) -> u64 {
        place(self.seed, Use::Thread, block, u64::from(thread))
    }

    /// When something was written, counted in posts.
    fn moment(&self, block: u64, time: f64) -> i64 {
        moment(((block * BLOCK) as f64 + time) / self.posts as f64)
    }
}

impl Maker<'_> {
    fn thread(&mut self, number: u32) {
        let thread = self.plan.threads[number as usize];
        let posts = self.plan.thread_posts(&thread);
        let collection = self.collection;
        let thread_id = collection.id(self.block, posts[0].position);
        let mut draw = Draw::at(collection.seed, Use::Thread, self.block, u64::from(number));
        let key = draw.word();
        let original = self.links(number, &thread, thread_id, &mut draw);
        let own = Subject::new(original.unwrap_or_else(|| collection.subject_seed(self.block, number)));
        let voice = match collection.plants.get(self.block, number) {
            Some(plant) => {
                let topic = topic_subject(collection.seed, plant.topic);
                Voice::planted(&topic, plant.share, plant.number, &own, key)
            }
            None => Voice::ordinary(&own, key),
        };
        for (ordinal, post) in posts.iter().enumerate() {
            self.post(&thread, post, ordinal, thread_id, &voice, &mut draw);
        }
    }

    /// Writes the links of a question; gives the subject of the thread that it
    /// is a duplicate of.
    fn links(&mut self, number: u32, thread: &ThreadPlan, id: u64, draw: &mut Draw) -> Option<u64> {
        let mut original = None;
        for link in 0..thread.links {
            let mut target = self.target(number, draw);
            let duplicate = link < thread.duplicates;
            // A duplicate of a planted thread would be relevant and not judged.
            for _ in 0..8 {
                if !duplicate || self.collection.plants.get(target.block, target.thread).is_none() {
                    break;
                }
                target = self.target(number, draw);
            }
            let planted = self.collection.plants.get(target.block, target.thread).is_some();
            if duplicate && !planted {
                original.get_or_insert(self.collection.subject_seed(target.block, target.thread));
            }
            let posted = self.plan.posts[thread.first_post as usize].position;
            let out = &mut self.made.links;
            out.push_str("   <row");
            attribute(out, "Id", self.ids.link);
            out.push_str(" CreationDate=\"");
            push_date(out, self.collection.moment(self.block, f64::from(posted) + 1.0));
            out.push('"');
            attribute(out, "PostId", id);
            attribute(out, "RelatedPostId", target.id);
            attribute(out, "LinkTypeId", if duplicate { 3 } else { 1 });
            out.push_str(" />\n");
            self.ids.link += 1;
            self.made.duplicates += u64::from(duplicate);
        }
        original
    }

    /// A question other than that one: of this block or of one before it.
    fn target(&self, number: u32, draw: &mut Draw) -> Target {
        let other = draw.below(self.linked.len() + 1);
        let (block, plan) = match self.linked.get(other) {
            Some((block, plan)) => (*block, plan),
            None => (self.block, self.plan),
        };
        let mut thread = draw.below(plan.threads.len()) as u32;
        if block == self.block && thread == number {
            thread = (thread + 1) % plan.threads.len() as u32;
        }
        let first = plan.threads[thread as usize].first_post as usize;
        Target { block, thread, id: self.collection.id(block, plan.posts[first].position) }
    }

    fn post(
        &mut self,
        thread: &ThreadPlan,
        post: &PostPlan,
        ordinal: usize,
        thread_id: u64,
        voice: &Voice,
        draw: &mut Draw,
    ) {
        let collection = self.collection;
        let number = collection.number(self.block, post.position);
        let id = post_id(collection.seed, number);
        let share = number as f64 / collection.posts as f64;
        let user = author(draw, collection.posts, share);
        let created = collection.moment(self.block, f64::from(post.position) + draw.unit());
        let score = (libm::exp(draw.normal() * 1.1 + 0.6) - 1.5) as i64;
        let site = if ordinal == 0 { Site::Question } else { Site::Answer };
        let mut composer = Composer {
            seed: collection.seed,
            voice,
            table: &mut self.made.table,
            location: Location { site: Site::Title, post_id: id, thread_id, comment_id: 0 },
            draw: Draw::at(collection.seed, Use::Text, number, 0),
            person: place(collection.seed, Use::User, user, 1),
            planted: &voice.planted,
            html: String::with_capacity(2048),
            last_id: id,
        };
        let mut title = String::new();
        if ordinal == 0 {
            composer.title(thread.title);
            title.clone_from(&composer.html);
            composer.start();
        }
        composer.location.site = site;
        composer.body(post.body);
        let body = composer.html;

        let out = &mut self.made.posts.text;
        let start = out.len();
        out.push_str("   <row");
        attribute(out, "Id", id);
        attribute(out, "PostTypeId", if ordinal == 0 { 1 } else { 2 });
        if ordinal > 0 {
            attribute(out, "ParentId", thread_id);
        } else if thread.posts > 1 && draw.percent(60) {
            let accepted = draw.between(1, thread.posts as usize - 1);
            let answer = self.plan.thread_posts(thread)[accepted];
            attribute(out, "AcceptedAnswerId", collection.id(self.block, answer.position));
        }
        out.push_str(" CreationDate=\"");
        push_date(out, created);
        out.push('"');
        attribute(out, "Score", score);
        if ordinal == 0 {
            attribute(out, "ViewCount", 20 + libm::exp(draw.normal() * 1.2 + 5.0) as u64);
        }
        text_attribute(out, "Body", &body);
        attribute(out, "OwnerUserId", user);
        if ordinal == 0 {
            text_attribute(out, "Title", &title);
            let mut names = String::new();
            for tag in voice.tags(draw) {
                self.made.tags[tag] += 1;
                names.push('<');
                names.push_str(vocabulary().themes[tag].tag);
                names.push('>');
            }
            text_attribute(out, "Tags", &names);
            attribute(out, "AnswerCount", thread.posts - 1);
        }
        attribute(out, "CommentCount", post.comments);
        out.push_str(" />\n");
        self.made.posts.order[post.position as usize] = start..out.len();
        self.comments(post, id, thread_id, voice, draw);
    }

    fn comments(&mut self, post: &PostPlan, post_id: u64, thread_id: u64, voice: &Voice, draw: &mut Draw) {
        let collection = self.collection;
        let mut html = String::with_capacity(256);
        for index in post.first_comment..post.first_comment + post.comments {
            let comment = self.plan.comments[index as usize];
            let id = self.ids.comment + u64::from(comment.position);
            let share = ((self.block * BLOCK) as f64 + comment.time) / collection.posts as f64;
            let user = author(draw, collection.posts, share);
            html.clear();
            let mut composer = Composer {
                seed: collection.seed,
                voice,
                table: &mut self.made.table,
                location: Location { site: Site::Comment, post_id, thread_id, comment_id: id },
                draw: Draw::new(draw.word()),
                person: place(collection.seed, Use::User, user, 1),
                planted: &[],
                html,
                last_id: post_id,
            };
            composer.comment(comment.text);
            html = composer.html;
            let out = &mut self.made.comments.text;
            let start = out.len();
            out.push_str("   <row");
            attribute(out, "Id", id);
            attribute(out, "PostId", post_id);
            attribute(out, "Score", draw.exponential(0.6) as u64);
            text_attribute(out, "Text", &html);
            out.push_str(" CreationDate=\"");
            push_date(out, collection.moment(self.block, comment.time));
            out.push('"');
            attribute(out, "UserId", user);
            out.push_str(" />\n");
            self.made.comments.order[comment.position as usize] = start..out.len();
        }
    }
}
