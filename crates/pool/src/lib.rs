//! What should people look at?
//!
//! Runs and rules go in, pools come out: for each topic the items to be
//! judged, each once, with the runs that returned it. Nothing here shows an
//! item to anyone, reads a file or knows an index, and no number is drawn
//! without a seed that the caller gave.
//!
//! The same runs, rules and seed give the same pool, whatever the order in
//! which runs are given: runs go by their names, which must differ, and items
//! by their ids. Only [`simulate::Replay::values_by_all`] answers in the order given.
//!
//! | part | answers |
//! |---|---|
//! | [`Reading`], [`Rankings`] | in which order did the runs return what? |
//! | [`Extent`], [`Preset`] | how deep are they pooled? |
//! | [`pool_runs`], [`pool_answers`] | which items are judged, and who brought them? |
//! | [`Show`] | which formulas are shown for a visual id? |
//! | [`judging_order`] | in which order are items judged? |
//! | [`preview`] | how long will that take? |
//! | [`choose`] | which item is next, when judgments are few? |
//! | [`simulate`] | what would that have saved? |
//!
//! ```
//! use formats::{Source, TopicId, run::{Run, RunKind}, task3::Task3Run};
//! use pool::{AnsweringRun, PooledRun, Preset, Rates, Reading, Standing, Unit};
//!
//! let first = "A.301\tQ0\t12\t1\t0.9\tus\nA.301\tQ0\t34\t2\t0.4\tus\n";
//! let first = Run::read(Source::bytes("first.tsv", first), RunKind::Documents)?;
//! let second = Run::read(Source::bytes("second.tsv", "A.301\tQ0\t34\t1\t7\tthem\n"), RunKind::Documents)?;
//! let written = Task3Run::read(Source::bytes("written.tsv", "A.301\t1\t1\twriter\t\tIt is $x$.\n"))?;
//!
//! let topics = [TopicId::from("A.301")];
//! let runs = [
//!     PooledRun { name: "us".into(), run: &first, standing: Standing::Primary },
//!     PooledRun { name: "them".into(), run: &second, standing: Standing::Alternate },
//! ];
//! let extent = Preset::Arqmath3Task1.extent();
//! let posts = pool::pool_runs(&runs, &topics, &Reading::new(Unit::Posts), extent)?;
//! let answers = pool::pool_answers(&[AnsweringRun { name: "writer".into(), run: &written }], &topics)?;
//! let pool = posts.merged(answers);
//!
//! let both = &pool.topics[0].items[1];
//! assert_eq!(both.id.to_string(), "34");
//! let brought: Vec<_> = both.sources.within.iter().map(|by| (by.run.as_str(), by.rank)).collect();
//! assert_eq!(brought, [("them", 1), ("us", 2)]);
//!
//! assert_eq!(pool::judging_order(&pool.topics[0], 2022).len(), 3);
//! let cost = pool::preview(&pool, pool::AT_MOST, Rates::default());
//! assert_eq!(format!("{:.4} hours", cost.hours), "0.0368 hours");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answers;
mod build;
pub mod choose;
mod cost;
mod error;
mod extent;
mod item;
mod order;
mod pool;
mod presets;
mod ranking;
mod seed;
mod show;
pub mod simulate;
#[cfg(test)]
mod testing;

pub use answers::{AnsweringRun, answer_id, pool_answers};
pub use cost::{Preview, Rates, Spread, TopicCost, preview};
pub use error::Error;
pub use extent::{Depths, Extent, Standing};
pub use item::{AnswerId, Candidate, ItemId, ItemKind, PoolItem, Returned, Sources};
pub use order::judging_order;
pub use pool::{Pool, RunShare, TopicPool, pool_runs};
pub use presets::Preset;
pub use ranking::{PooledRun, Rankings, Reading, Unit};
pub use show::{AT_MOST, FormulaThread, Show, ShowRule, Shown, ThreadLookup};
