//! Which examples an epoch has: pairs of a collection with hard negatives, and the samplers of MIRMU and TU_DBS.

use serde::{Deserialize, Serialize};
use stats::rng::Rng;
use std::collections::HashMap;

/// A query with a text, and perhaps one that does not belong to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// The query.
    pub query: u32,
    /// The text beside it.
    pub document: u32,
    /// A text that does not belong to the query.
    pub negative: Option<u32>,
    /// The thread of query and text: other texts of it are no negatives.
    pub thread: u32,
    /// The thread of the negative.
    pub negative_thread: u32,
    /// How well text and query belong together, from 0 to 1.
    pub target: f32,
    /// What is cut at random depends on it.
    pub chance: u64,
}

impl Example {
    /// A text that belongs to a query.
    #[must_use]
    pub fn new(query: u32, document: u32, thread: u32) -> Self {
        Self { query, document, negative: None, thread, negative_thread: u32::MAX, target: 1.0, chance: 0 }
    }
}

/// A question and its answers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// The question.
    pub question: u32,
    /// Its tags, as numbers.
    pub tags: Vec<u32>,
    /// Its answers, the best known first.
    pub answers: Vec<u32>,
}

/// Questions with answers, and which have a tag.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    all: Vec<Thread>,
    by_tag: HashMap<u32, Vec<u32>>,
}

/// Draws before a search for another thread is given up.
const ATTEMPTS: usize = 20;

impl Threads {
    /// Questions without answers are left out.
    #[must_use]
    pub fn new(threads: impl IntoIterator<Item = Thread>) -> Self {
        let all: Vec<Thread> = threads.into_iter().filter(|thread| !thread.answers.is_empty()).collect();
        let mut by_tag: HashMap<u32, Vec<u32>> = HashMap::new();
        for (number, thread) in (0..).zip(&all) {
            thread.tags.iter().for_each(|tag| by_tag.entry(*tag).or_default().push(number));
        }
        Self { all, by_tag }
    }

    /// The questions.
    #[must_use]
    pub fn all(&self) -> &[Thread] {
        &self.all
    }

    /// An answer of another question, and that question: one that shares a tag, as TU_DBS draws it; where no other
    /// question does, any.
    pub fn other(&self, question: u32, tags: &[u32], rng: &mut Rng) -> Option<(u32, u32)> {
        let pick = |thread: &Thread, rng: &mut Rng| {
            (thread.answers[rng.index(thread.answers.len())], thread.question)
        };
        for _ in 0..ATTEMPTS {
            let Some(tag) = tags.get(rng.index(tags.len())) else { break };
            let Some(same) = self.by_tag.get(tag) else { continue };
            let thread = &self.all[same[rng.index(same.len())] as usize];
            if thread.question != question {
                return Some(pick(thread, rng));
            }
        }
        for _ in 0..ATTEMPTS {
            let thread = self.all.get(rng.index(self.all.len()))?;
            if thread.question != question {
                return Some(pick(thread, rng));
            }
        }
        None
    }
}

/// Where hard negatives come from.
#[derive(Clone, Debug, Default)]
pub enum Candidates {
    /// There are none.
    #[default]
    None,
    /// Answers of questions that share a tag.
    Tags(Threads),
    /// For each query texts with their threads, such as the first of a run.
    Given(HashMap<u32, Vec<(u32, u32)>>),
}

/// Pairs that belong together; each epoch has all of them, in another order and with other negatives.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    examples: Vec<Example>,
    tags: HashMap<u32, Vec<u32>>,
    candidates: Candidates,
}

impl Pairs {
    /// `tags` are those of queries. Pairs that get no negative are left out if negatives are drawn.
    #[must_use]
    pub fn new(mut examples: Vec<Example>, tags: HashMap<u32, Vec<u32>>, candidates: Candidates) -> Self {
        match &candidates {
            Candidates::Given(given) => {
                let usable = |example: &Example| {
                    let texts = given.get(&example.query).map_or(&[][..], |texts| texts);
                    texts.iter().any(|text| text.1 != example.thread && text.0 != example.document)
                };
                examples.retain(usable);
            }
            Candidates::Tags(threads) if threads.all().len() < 2 => examples.clear(),
            Candidates::Tags(_) | Candidates::None => {}
        }
        Self { examples, tags, candidates }
    }

    fn negative(&self, example: &Example, rng: &mut Rng) -> Option<(u32, u32)> {
        match &self.candidates {
            Candidates::None => None,
            Candidates::Tags(threads) => {
                let tags = self.tags.get(&example.query).map_or(&[][..], |tags| tags);
                threads.other(example.thread, tags, rng)
            }
            Candidates::Given(given) => {
                let is_other = |text: &&(u32, u32)| text.1 != example.thread && text.0 != example.document;
                let others: Vec<_> = given.get(&example.query)?.iter().filter(is_other).collect();
                others.get(rng.index(others.len())).map(|text| **text)
            }
        }
    }

    fn epoch(&self, rng: &mut Rng) -> Vec<Example> {
        let mut examples = self.examples.clone();
        rng.shuffle(&mut examples);
        for example in &mut examples {
            if let Some((text, thread)) = self.negative(example, rng) {
                (example.negative, example.negative_thread) = (Some(text), thread);
            }
            example.chance = rng.next_u64();
        }
        if !matches!(self.candidates, Candidates::None) {
            examples.retain(|example| example.negative.is_some());
        }
        examples
    }
}

/// A topic and the texts that were judged relevant for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedTopic {
    /// The query.
    pub query: u32,
    /// Relevant texts, in ascending order.
    pub relevant: Vec<u32>,
}

/// MIRMU's sampler: a topic, then a relevant text or, as likely, any other.
#[derive(Clone, Debug, Default)]
pub struct Mirmu {
    /// Topics that have a relevant text.
    pub topics: Vec<JudgedTopic>,
    /// All texts.
    pub texts: Vec<u32>,
    /// Draws for each topic and epoch; 50 in the lab.
    pub draws: usize,
}

impl Mirmu {
    fn epoch(&self, rng: &mut Rng) -> Vec<Example> {
        let mut examples = Vec::with_capacity(self.draws * self.topics.len());
        for _ in 0..self.draws * self.topics.len() {
            let topic = &self.topics[rng.index(self.topics.len())];
            let is_relevant = rng.below(2) == 0;
            let mut text = if is_relevant {
                topic.relevant[rng.index(topic.relevant.len())]
            } else {
                self.texts[rng.index(self.texts.len())]
            };
            for _ in 0..ATTEMPTS {
                if is_relevant || topic.relevant.binary_search(&text).is_err() {
                    break;
                }
                text = self.texts[rng.index(self.texts.len())];
            }
            let target = f32::from(u8::from(is_relevant));
            examples.push(Example {
                target,
                chance: rng.next_u64(),
                ..Example::new(topic.query, text, topic.query)
            });
        }
        examples
    }
}

/// TU_DBS's sampler: up to `most` of a question's own answers, and as many of questions that share a tag.
#[derive(Clone, Debug, Default)]
pub struct TuDbs {
    /// The questions that are learned from.
    pub threads: Threads,
    /// Answers of each kind for a question: 10 in 2022, 1 in 2021.
    pub most: usize,
}

impl TuDbs {
    fn epoch(&self, rng: &mut Rng) -> Vec<Example> {
        let mut examples = Vec::new();
        for thread in self.threads.all() {
            let mut own = thread.answers.clone();
            rng.shuffle(&mut own);
            own.truncate(self.most);
            let example =
                |text, target| Example { target, ..Example::new(thread.question, text, thread.question) };
            examples.extend(own.iter().map(|answer| example(*answer, 1.0)));
            for _ in 0..self.most {
                let other = self.threads.other(thread.question, &thread.tags, rng);
                examples.extend(other.map(|(text, _)| example(text, 0.0)));
            }
        }
        rng.shuffle(&mut examples);
        examples.iter_mut().for_each(|example| example.chance = rng.next_u64());
        examples
    }
}

/// What an epoch is drawn from.
#[derive(Clone, Debug)]
pub enum Sampler {
    /// All pairs.
    Pairs(Pairs),
    /// MIRMU's.
    Mirmu(Mirmu),
    /// TU_DBS's.
    TuDbs(TuDbs),
}

impl Sampler {
    /// The examples of an epoch, in order.
    #[must_use]
    pub fn epoch(&self, seed: u64, epoch: u32) -> Vec<Example> {
        // Far apart, whatever the seeds are.
        let mut rng = Rng::seeded(seed ^ (u64::from(epoch) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        match self {
            Self::Pairs(pairs) => pairs.epoch(&mut rng),
            Self::Mirmu(mirmu) => mirmu.epoch(&mut rng),
            Self::TuDbs(tu_dbs) => tu_dbs.epoch(&mut rng),
        }
    }
}

/// The targets of the answers of a thread from their votes, as CompuBERT of 2020 made them: from the fewest votes, 0,
/// to the most, 1. None where all answers have the same votes; a single answer has 1 if people voted for it.
#[must_use]
pub fn vote_targets(votes: &[i32]) -> Option<Vec<f32>> {
    if let [only] = votes {
        return Some(vec![f32::from(u8::from(*only > 0))]);
    }
    let (least, most) = (votes.iter().min()?, votes.iter().max()?);
    let span = f64::from(*most) - f64::from(*least);
    (span > 0.0)
        .then(|| votes.iter().map(|vote| ((f64::from(*vote) - f64::from(*least)) / span) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn threads() -> Threads {
        let thread = |question, tags: &[u32], answers: &[u32]| Thread {
            question,
            tags: tags.to_vec(),
            answers: answers.to_vec(),
        };
        Threads::new([
            thread(0, &[1], &[10, 11]),
            thread(1, &[1, 2], &[12]),
            thread(2, &[3], &[13, 14, 15]),
            thread(3, &[1], &[]),
        ])
    }

    #[test]
    fn votes_become_targets() {
        let targets = vote_targets(&[7, 1, -2, 3]).unwrap();
        for (found, expected) in targets.iter().zip([1.0, 0.333_333, 0.0, 0.555_556]) {
            assert!((found - expected).abs() < 1e-6, "{targets:?}");
        }
        assert_eq!(vote_targets(&[2, 2]), None);
        assert_eq!(vote_targets(&[3]), Some(vec![1.0]));
        assert_eq!(vote_targets(&[0]), Some(vec![0.0]));
    }

    #[test]
    fn hard_negatives_share_a_tag_and_are_never_of_the_same_thread() {
        let all = threads();
        assert_eq!(all.all().len(), 3);
        let mut rng = Rng::seeded(1);
        for _ in 0..200 {
            // Of the tag there is one other question with answers.
            assert_eq!(all.other(0, &[1], &mut rng), Some((12, 1)));
            let (text, thread) = all.other(2, &[3], &mut rng).unwrap();
            assert!(thread != 2 && [10, 11, 12].contains(&text));
        }
        assert_eq!(Threads::new([]).other(0, &[1], &mut rng), None);
    }

    #[test]
    fn epochs_have_all_pairs_in_other_orders_with_other_negatives() {
        let examples: Vec<Example> =
            (0..40).map(|number| Example::new(number, 100 + number, number)).collect();
        let tags = (0..40).map(|number| (number, vec![number % 3])).collect();
        let others = Threads::new((0..40).map(|number| Thread {
            question: number,
            tags: vec![number % 3],
            answers: vec![100 + number],
        }));
        let sampler = Sampler::Pairs(Pairs::new(examples, tags, Candidates::Tags(others)));
        let (first, second) = (sampler.epoch(7, 0), sampler.epoch(7, 1));
        assert_eq!(first, sampler.epoch(7, 0));
        assert_ne!(first, second);
        for epoch in [first, second] {
            assert_eq!(epoch.iter().map(|example| example.query).collect::<BTreeSet<_>>().len(), 40);
            for example in epoch {
                assert_eq!(example.negative_thread % 3, example.thread % 3);
                assert_ne!(example.negative_thread, example.thread);
            }
        }
    }

    #[test]
    fn given_negatives_leave_out_the_own_thread() {
        let given = HashMap::from([(0, vec![(100, 0), (105, 0), (200, 9)]), (1, vec![(101, 1)])]);
        let examples = vec![Example::new(0, 100, 0), Example::new(1, 101, 1)];
        let sampler = Sampler::Pairs(Pairs::new(examples, HashMap::new(), Candidates::Given(given)));
        for epoch in 0..9 {
            let drawn = sampler.epoch(3, epoch);
            assert_eq!(drawn.iter().map(|example| example.negative).collect::<Vec<_>>(), [Some(200)]);
        }
    }

    #[test]
    fn mirmu_draws_half_of_its_texts_from_the_relevant_ones() {
        let topic = |query, relevant: &[u32]| JudgedTopic { query, relevant: relevant.to_vec() };
        let topics = vec![topic(0, &[10, 11]), topic(1, &[12])];
        let sampler = Sampler::Mirmu(Mirmu { topics, texts: (10..60).collect(), draws: 50 });
        let drawn: Vec<Example> = (0..20).flat_map(|epoch| sampler.epoch(1, epoch)).collect();
        assert_eq!(drawn.len(), 2000);
        let relevant = |example: &&Example| match example.query {
            0 => [10, 11].contains(&example.document),
            _ => example.document == 12,
        };
        assert!(drawn.iter().all(|example| relevant(&example) == (example.target == 1.0)));
        let positives = drawn.iter().filter(|example| example.target == 1.0).count();
        assert!((900..1100).contains(&positives), "{positives}");
    }

    #[test]
    fn tu_dbs_draws_own_answers_and_as_many_others() {
        let sampler = Sampler::TuDbs(TuDbs { threads: threads(), most: 2 });
        let drawn = sampler.epoch(1, 0);
        let count = |target: f32| drawn.iter().filter(|example| example.target == target).count();
        assert_eq!((count(1.0), count(0.0)), (2 + 1 + 2, 3 * 2));
        let own = |example: &Example| {
            threads()
                .all()
                .iter()
                .any(|thread| thread.question == example.query && thread.answers.contains(&example.document))
        };
        assert!(drawn.iter().all(|example| own(example) == (example.target == 1.0)));
    }
}
