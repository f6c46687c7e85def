//! Which item of a topic is judged next, when judgments are few: the chooser
//! learns from each judgment which runs are worth looking at.
//!
//! An adaptive order finds relevant items sooner, and what it does not find is
//! not found evenly: runs unlike the others are looked at less. See
//! [`crate::simulate`] for what that costs on judgments that exist.

mod arms;
mod method;
mod stop;

pub use method::Method;
pub use stop::{Stop, StopReason};

use crate::error::Error;
use crate::item::{ItemId, PoolItem};
use crate::pool::TopicPool;
use crate::seed::{Purpose, topic_rng};
use arms::Arms;
use formats::{RunTag, TopicId};
use stats::rng::Rng;
use std::collections::BTreeMap;
use stop::Tally;

/// What a judge said, as far as choosing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Relevance {
    /// The item is of use.
    Relevant,
    /// It is not; "do not know" and "system failure" count as this.
    NotRelevant,
}

/// How items are chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// By which method.
    pub method: Method,
    /// When enough has been judged.
    pub stop: Stop,
    /// What chance begins with; each topic has a seed of its own that follows from it.
    pub seed: u64,
}

/// Gives the items of a topic one after the other, each once.
///
/// Several items may be out at once, for several people: what comes next
/// depends on the judgments that are in. With the same seed and the same calls
/// it gives the same items.
///
/// ```
/// use pool::choose::{Choice, Chooser, Method, Relevance, Stop};
/// use pool::{Extent, PooledRun, Reading, Standing, Unit, pool_runs};
/// # use formats::{Source, run::{Run, RunKind}};
/// let text = "A.1\tQ0\t7\t1\t0.9\tus\nA.1\tQ0\t8\t2\t0.5\tus\n";
/// let run = Run::read(Source::bytes("us.tsv", text), RunKind::Documents)?;
/// let runs = [PooledRun { name: "us".into(), run: &run, standing: Standing::Primary }];
/// let pool = pool_runs(&runs, &["A.1".into()], &Reading::new(Unit::Posts), Extent::depth(45))?;
///
/// let choice = Choice { method: Method::MAX_MEAN_LAST, stop: Stop::default(), seed: 2022 };
/// let mut chooser = Chooser::new(&pool.topics[0], &choice)?;
/// let mut judged = Vec::new();
/// while let Some(item) = chooser.next_item() {
///     chooser.judged(&item, Relevance::NotRelevant)?;
///     judged.push(item.to_string());
/// }
/// assert_eq!(judged, ["7", "8"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Chooser {
    topic: TopicId,
    stop: Stop,
    /// By kind and id.
    items: Vec<Item>,
    order: Order,
    /// What the judgments say of each run, by the names of the runs.
    tallies: Vec<Tally>,
    /// How many were given out or judged.
    given: usize,
    /// How many were judged relevant.
    found: usize,
    /// How many judgments in a row, up to the last one, were not relevant.
    dry: usize,
}

#[derive(Clone, Debug)]
struct Item {
    id: ItemId,
    /// The runs that brought it.
    runs: Vec<usize>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Waiting,
    /// Given out, from the list of a run if the method asks runs.
    Out(Option<usize>),
    Judged,
}

/// Where the next item comes from.
#[derive(Clone, Debug)]
enum Order {
    /// A list that was made at the beginning, and how much of it is done.
    Fixed(Vec<usize>, usize),
    /// The runs, by what is known of them.
    Runs(Arms, Rng),
}

impl Chooser {
    /// A chooser for the pool of a topic.
    ///
    /// # Errors
    ///
    /// When a setting of the method or the stopping rule is out of its range.
    pub fn new(pool: &TopicPool, choice: &Choice) -> Result<Self, Error> {
        choice.method.check()?;
        choice.stop.check()?;
        let mut rng = topic_rng(choice.seed, Purpose::Choose, &pool.topic);
        let mut pooled: Vec<&PoolItem> = pool.items.iter().collect();
        pooled.sort_by(|a, b| a.id.cmp(&b.id));
        let mut lists: BTreeMap<&RunTag, Vec<(usize, usize)>> = BTreeMap::new();
        for (place, item) in pooled.iter().enumerate() {
            for source in &item.sources.within {
                lists.entry(&source.run).or_default().push((source.rank, place));
            }
        }
        let mut items: Vec<Item> = pooled
            .iter()
            .map(|item| Item { id: item.id.clone(), runs: Vec::new(), state: State::Waiting })
            .collect();
        let mut by_run: Vec<Vec<usize>> = Vec::with_capacity(lists.len());
        for mut list in lists.into_values() {
            list.sort_unstable();
            for (_, place) in &list {
                items[*place].runs.push(by_run.len());
            }
            by_run.push(list.into_iter().map(|(_, place)| place).collect());
        }
        let tallies = vec![Tally::default(); by_run.len()];
        let order = match choice.method {
            Method::Random => Order::Fixed(shuffled(items.len(), &mut rng), 0),
            Method::RankByRank => {
                let mut order = shuffled(items.len(), &mut rng);
                let mut highest = vec![usize::MAX; items.len()];
                for (rank, place) in by_run.iter().flat_map(|list| list.iter().enumerate()) {
                    highest[*place] = highest[*place].min(rank);
                }
                order.sort_by_key(|place| highest[*place]);
                Order::Fixed(order, 0)
            }
            Method::MoveToFront | Method::MaxMean { .. } => {
                Order::Runs(Arms::new(choice.method, by_run), rng)
            }
        };
        let (topic, stop) = (pool.topic.clone(), choice.stop);
        Ok(Self { topic, stop, items, order, tallies, given: 0, found: 0, dry: 0 })
    }

    /// The next item to judge; nothing when it is time to stop. See [`Chooser::stopped`].
    pub fn next_item(&mut self) -> Option<ItemId> {
        if self.stopped().is_some() {
            return None;
        }
        let items = &self.items;
        let is_waiting = |place: usize| items[place].state == State::Waiting;
        let (place, run) = match &mut self.order {
            Order::Fixed(order, done) => {
                *done += order[*done..].iter().take_while(|place| !is_waiting(**place)).count();
                (order.get(*done).copied(), None)
            }
            Order::Runs(arms, rng) => match arms.draw(is_waiting, rng) {
                Some((place, run)) => (Some(place), Some(run)),
                None => (None, None),
            },
        };
        let item = &mut self.items[place?];
        item.state = State::Out(run);
        self.given += 1;
        Some(item.id.clone())
    }

    /// Takes a judgment. An item that was not given out may be judged too: it will not be given out any more.
    ///
    /// # Errors
    ///
    /// When the item is not in the pool, or is judged a second time.
    pub fn judged(&mut self, item: &ItemId, relevance: Relevance) -> Result<(), Error> {
        let Ok(place) = self.items.binary_search_by(|known| known.id.cmp(item)) else {
            return Err(Error::NotPooled { topic: self.topic.clone(), item: item.clone() });
        };
        let known = &mut self.items[place];
        let drawn_from = match known.state {
            State::Judged => {
                return Err(Error::JudgedTwice { topic: self.topic.clone(), item: item.clone() });
            }
            State::Waiting => {
                self.given += 1;
                None
            }
            State::Out(run) => run,
        };
        known.state = State::Judged;
        match relevance {
            Relevance::Relevant => (self.found, self.dry) = (self.found + 1, 0),
            Relevance::NotRelevant => self.dry += 1,
        }
        if let Order::Runs(arms, _) = &mut self.order {
            arms.learn(&known.runs, drawn_from, relevance);
        }
        for run in &known.runs {
            self.tallies[*run].add(relevance);
        }
        Ok(())
    }
}

fn shuffled(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut places);
    places
}

#[cfg(test)]
mod tests;
