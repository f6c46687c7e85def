//! What a block of posts will hold, before any of it is written.
//!
//! A plan has every number: threads, answers, comments, how many words and
//! formulas stand where. From the plans of all blocks follows which ids each
//! block may use, so that blocks can be made in any order. A plan is cheap; the
//! blocks are planned twice rather than kept.
//!
//! The numbers follow a sample of ARQMath (6,164 posts): the lengths of questions
//! have a median of 57 words and a 90th percentile of 178, those of answers 56
//! and 260, those of comments 21 and 65, and the lognormal distributions through
//! these two points also have the means of the sample. Answers a question are
//! those of the whole collection, 1.4.

use crate::draw::{Draw, Use};
use crate::plant::Plants;

/// How many posts a block has.
pub(crate) const BLOCK: u64 = 1024;

/// The id of the post with that number. Every fourth id or so is not in use,
/// as those of deleted posts.
pub(crate) fn post_id(seed: u64, number: u64) -> u64 {
    let (group, place) = (number / 3, number % 3);
    let unused = crate::draw::place(seed, Use::Post, group, 0) % 4;
    4 * group + place + u64::from(place >= unused) + 1
}

/// How long a text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extent {
    pub(crate) words: u16,
    pub(crate) formulas: u16,
}

/// A post, in the order of its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PostPlan {
    pub(crate) body: Extent,
    /// Its place among the posts of the block.
    pub(crate) position: u32,
    /// The first of its comments.
    pub(crate) first_comment: u32,
    pub(crate) comments: u32,
}

/// A comment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CommentPlan {
    pub(crate) text: Extent,
    /// When it was written, counted in posts of the block.
    pub(crate) time: f64,
    /// Its place among the comments of the block.
    pub(crate) position: u32,
}

/// A question and its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ThreadPlan {
    pub(crate) title: Extent,
    /// The question; the answers follow it.
    pub(crate) first_post: u32,
    pub(crate) posts: u32,
    /// Links to other questions.
    pub(crate) links: u32,
    /// How many of them say that this is a duplicate.
    pub(crate) duplicates: u32,
}

/// All of a block.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) threads: Vec<ThreadPlan>,
    /// The posts, thread by thread.
    pub(crate) posts: Vec<PostPlan>,
    /// The comments, post by post.
    pub(crate) comments: Vec<CommentPlan>,
    pub(crate) formulas: u64,
    pub(crate) links: u64,
}

/// A length whose logarithm is normal.
fn length(deviate: f64, median: f64, spread: f64, most: f64) -> u16 {
    (median * libm::exp(spread * deviate)).min(most) as u16
}

/// Words and formulas that go together: long texts have more formulas.
fn extent(draw: &mut Draw, words: (f64, f64), formulas: (f64, f64)) -> Extent {
    let (common, own) = (draw.normal(), draw.normal());
    Extent {
        words: length(common, words.0, words.1, 3000.0).max(2),
        formulas: length(0.6 * common + 0.8 * own, formulas.0, formulas.1, 400.0),
    }
}

fn title(draw: &mut Draw) -> Extent {
    let words = length(draw.normal(), 6.4, 0.58, 24.0).max(2);
    let formulas = [0, 1, 2, 3, 4][draw.weighted(&[560, 265, 110, 45, 20])];
    Extent { words, formulas }
}

fn comment(draw: &mut Draw) -> Extent {
    let words = length(draw.normal(), 20.0, 0.88, 105.0).max(2);
    let formulas = if draw.percent(62) { 0 } else { 1 + (draw.exponential(1.8) as u16).min(20) };
    Extent { words, formulas }
}

/// How many posts a block has: the last one may have fewer.
pub(crate) fn block_posts(posts: u64, block: u64) -> u64 {
    (posts - block * BLOCK).min(BLOCK)
}

/// Plans a block. Planted threads get room for the formulas of their topic.
pub(crate) fn plan(seed: u64, posts: u64, block: u64, plants: &Plants) -> Plan {
    let size = block_posts(posts, block);
    let mut draw = Draw::at(seed, Use::Plan, block, 0);
    let mut plan = Plan::default();
    while (plan.posts.len() as u64) < size {
        let room = size - plan.posts.len() as u64;
        plan.thread(&mut draw, room, plants.get(block, plan.threads.len() as u32).is_some());
    }
    if posts <= BLOCK && plan.threads.len() == 1 {
        // There is nothing to link to.
        plan.threads[0].links = 0;
        plan.threads[0].duplicates = 0;
        plan.links = 0;
    }
    plan.order_posts(&mut draw, size);
    plan.order_comments(&mut draw, size);
    plan
}

impl Plan {
    /// Adds a thread of at most that many posts.
    fn thread(&mut self, draw: &mut Draw, room: u64, planted: bool) {
        const ANSWERS: [u16; 9] = [190, 450, 220, 80, 32, 14, 7, 4, 3];
        let answers = (draw.weighted(&ANSWERS) as u64).min(room - 1) as u32;
        let (links, duplicates) = links(draw);
        let first_post = self.posts.len() as u32;
        let thread = ThreadPlan { title: title(draw), first_post, posts: 1 + answers, links, duplicates };
        self.formulas += u64::from(thread.title.formulas);
        self.links += u64::from(links);
        self.threads.push(thread);
        for ordinal in 0..=answers {
            let mut body = match ordinal {
                0 => extent(draw, (57.0, 0.89), (4.3, 1.08)),
                _ => extent(draw, (56.0, 1.2), (6.5, 1.144)),
            };
            if planted {
                body.formulas = body.formulas.max(5);
                body.words = body.words.max(30);
            }
            let comments = u32::from(length(draw.normal(), 1.45, 1.24, 50.0));
            let first_comment = self.comments.len() as u32;
            self.posts.push(PostPlan { body, position: 0, first_comment, comments });
            self.formulas += u64::from(body.formulas);
            for _ in 0..comments {
                let text = comment(draw);
                self.formulas += u64::from(text.formulas);
                self.comments.push(CommentPlan { text, time: 0.0, position: 0 });
            }
        }
    }

    /// Gives each post its place: questions come evenly, answers some time after theirs.
    fn order_posts(&mut self, draw: &mut Draw, size: u64) {
        let pace = size as f64 / self.threads.len() as f64;
        let mut times: Vec<(f64, u32)> = Vec::with_capacity(self.posts.len());
        for (number, thread) in self.threads.iter().enumerate() {
            let asked = number as f64 * pace;
            times.push((asked, thread.first_post));
            for answer in 1..thread.posts {
                let mean = if draw.percent(80) { 15.0 } else { 250.0 };
                let mut time = asked + draw.exponential(mean);
                if time >= size as f64 {
                    time = asked + draw.unit() * (size as f64 - asked);
                }
                times.push((time, thread.first_post + answer));
            }
        }
        times.sort_by(|left, right| left.0.total_cmp(&right.0).then(left.1.cmp(&right.1)));
        for (position, (_, post)) in times.iter().enumerate() {
            self.posts[*post as usize].position = position as u32;
        }
    }

    /// Gives each comment a time after its post, and its place.
    fn order_comments(&mut self, draw: &mut Draw, size: u64) {
        for post in &self.posts {
            let first = post.first_comment as usize;
            for comment in &mut self.comments[first..first + post.comments as usize] {
                let written = f64::from(post.position) + 1.0;
                let time = written + draw.exponential(12.0);
                comment.time = time.min(size as f64);
            }
        }
        let mut order: Vec<u32> = (0..self.comments.len() as u32).collect();
        order.sort_by(|left, right| {
            let time = |number: &u32| self.comments[*number as usize].time;
            time(left).total_cmp(&time(right)).then(left.cmp(right))
        });
        for (position, comment) in order.iter().enumerate() {
            self.comments[*comment as usize].position = position as u32;
        }
    }

    /// The posts of a thread.
    pub(crate) fn thread_posts(&self, thread: &ThreadPlan) -> &[PostPlan] {
        let first = thread.first_post as usize;
        &self.posts[first..first + thread.posts as usize]
    }
}

/// Links of a question, and how many of them say that it is a duplicate: 2.5
/// links and 0.58 duplicates in the sample.
fn links(draw: &mut Draw) -> (u32, u32) {
    let duplicates = u32::from(draw.percent(47));
    let duplicates = duplicates + if duplicates == 1 && draw.percent(23) { 1 } else { 0 };
    let others = (draw.exponential(2.42) as u32).min(30);
    (duplicates + others, duplicates)
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, plan, post_id};
    use crate::plant::Plants;

    #[test]
    fn ids_grow_and_some_are_not_used() {
        let ids: Vec<u64> = (0..3000).map(|number| post_id(7, number)).collect();
        assert!(ids.is_sorted_by(|left, right| left < right));
        assert!(ids[2999] <= 4000 && ids[0] >= 1);
    }

    #[test]
    fn every_block_is_full_and_answers_follow_questions() {
        for (posts, block) in [(1, 0), (2, 0), (17, 0), (5000, 1), (5000, 2), (1 << 20, 300)] {
            let plan = plan(3, posts, block, &Plants::default());
            assert_eq!(plan.posts.len() as u64, (posts - block * BLOCK).min(BLOCK));
            let mut positions: Vec<u32> = plan.posts.iter().map(|post| post.position).collect();
            for thread in &plan.threads {
                let posts = plan.thread_posts(thread);
                assert!(posts[1..].iter().all(|answer| answer.position > posts[0].position));
                assert!(thread.duplicates <= thread.links);
            }
            positions.sort_unstable();
            assert!(positions.iter().enumerate().all(|(index, position)| index == *position as usize));
        }
    }
}
