//! Which threads are relevant to which topic, decided before anything is written.

use crate::Settings;
use crate::draw::{Draw, Use, place};
use crate::plan::{BLOCK, plan};
use crate::subject::{Share, Subject};
use std::collections::BTreeMap;

/// A thread made relevant to a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plant {
    /// The topic, counted from 0.
    pub(crate) topic: u32,
    /// Its number among the threads of the topic.
    pub(crate) number: u64,
    pub(crate) share: Share,
}

/// All planted threads, by block and number in the block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plants(BTreeMap<(u64, u32), Plant>);

/// The subject of a topic.
pub(crate) fn topic_subject(seed: u64, topic: u32) -> Subject {
    Subject::new(place(seed, Use::Topic, u64::from(topic), 0))
}

/// How much each thread of a topic shares, in turn.
const SHARES: [Share; 4] = [Share::Whole, Share::Most, Share::Part, Share::Whole];

impl Plants {
    /// Chooses threads that have an answer: from four to twelve a topic, as many as fit.
    pub(crate) fn choose(settings: &Settings) -> Self {
        let &Settings { posts, seed, topics, .. } = settings;
        let mut plants = Self::default();
        if topics == 0 {
            return plants;
        }
        let each = (posts / (6 * u64::from(topics))).clamp(4, 12);
        let mut wanted: BTreeMap<u64, Vec<Plant>> = BTreeMap::new();
        for topic in 0..topics {
            for number in 0..each {
                let mut draw = Draw::at(seed, Use::Plant, u64::from(topic), number);
                let block = (draw.unit() * posts as f64) as u64 / BLOCK;
                let share = SHARES[number as usize % SHARES.len()];
                wanted.entry(block).or_default().push(Plant { topic, number, share });
            }
        }
        // What finds no place in its block is taken to the next, in a circle.
        let blocks = posts.div_ceil(BLOCK);
        let mut left: Vec<Plant> = Vec::new();
        for round in 0..2 {
            for block in 0..blocks {
                if round == 0 {
                    left.extend(wanted.remove(&block).unwrap_or_default());
                }
                if !left.is_empty() {
                    left = plants.place_in(seed, posts, block, left);
                }
            }
        }
        plants
    }

    /// Places threads in a block and gives back those for which there was no room.
    fn place_in(&mut self, seed: u64, posts: u64, block: u64, mut wanted: Vec<Plant>) -> Vec<Plant> {
        let plan = plan(seed, posts, block, &Self::default());
        let threads = plan.threads.len();
        let mut draw = Draw::at(seed, Use::Plant, block, u64::MAX);
        let start = draw.below(threads);
        // Threads of a topic are not neighbours: they are spread over the block.
        let stride = (threads / (wanted.len() + 1)).max(1);
        let mut at = start;
        wanted.retain(|plant| {
            for _ in 0..threads {
                let thread = at % threads;
                let free = !self.0.contains_key(&(block, thread as u32));
                if free && plan.threads[thread].posts > 1 {
                    self.0.insert((block, thread as u32), *plant);
                    at += stride;
                    return false;
                }
                at += 1;
            }
            true
        });
        wanted
    }

    pub(crate) fn get(&self, block: u64, thread: u32) -> Option<&Plant> {
        self.0.get(&(block, thread))
    }

    /// The planted threads of a block, in order.
    pub(crate) fn in_block(&self, block: u64) -> impl Iterator<Item = (u32, &Plant)> {
        self.0.range((block, 0)..=(block, u32::MAX)).map(|((_, thread), plant)| (*thread, plant))
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Plant> {
        self.0.values()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::Plants;
    use crate::{POSTS_PER_TOPIC, Settings};

    #[test]
    fn every_topic_finds_its_threads() {
        for (posts, seed) in [(25, 1), (50, 2), (100, 3), (500, 4), (500, 5), (2100, 6), (5000, 7)] {
            let topics = (posts / POSTS_PER_TOPIC).min(60) as u32;
            let plants = Plants::choose(&Settings { posts, seed, topics, threads: 1 });
            assert!(plants.len() as u64 >= 4 * u64::from(topics), "{posts} posts: {}", plants.len());
        }
    }
}
