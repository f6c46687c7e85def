//! How much of what is in this collection?
//!
//! [`Census::take`] reads a collection once, on all cores, and counts what the
//! statistics table of a test-collection paper has: posts, answers, links, tags,
//! dates, words, and above all formulas. [`Sheet`] is what can be printed of it:
//! plain counts, tables, charts and JSON.
//!
//! Memory: histograms have at most some 15,000 bins each; what grows is the
//! list of distinct tags. Keys of forms are compared in shares of about a
//! million, so forms and formulas are never held all at once. The collection
//! itself is mapped, not loaded.

mod charts;
mod forms;
mod histogram;
mod json;
mod looks;
mod plain;
mod posts;
mod scan;
mod shape;
mod tables;
mod top;
mod words;

pub use charts::Chart;
pub use forms::{Both, Forms, Frequent, Sizes, Visuals};
pub use histogram::Histogram;
pub use looks::{Disagreement, Example, Looks};
pub use posts::{Dates, Instances, Links, Oddities, Place, Posts, Texts};
pub use shape::{FormulaKind, Shape};

use forms::{FormTally, VisualTally};
use looks::LookTally;
use scan::{Chunks, Progress, fold};
use std::num::NonZeroUsize;
use store::{Collection, Error};

/// What was counted in a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Posts, comments, links and the places of formulas.
    pub posts: Posts,
    /// Forms: sizes and kinds of formulas.
    pub forms: Forms,
    /// Visual ids: how often formulas occur.
    pub visuals: Visuals,
    /// Where our keys and the given visual ids disagree.
    pub looks: Looks,
}

impl Census {
    /// Reads all of a collection. `progress` is told how many of how many steps are done,
    /// from any thread and not always in order. The result does not depend on the number of cores.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn take(
        collection: &Collection,
        cores: NonZeroUsize,
        progress: &(dyn Fn(u64, u64) + Sync),
    ) -> Result<Self, Error> {
        let counts = collection.about().counts;
        let chunks = |count, size, steps| Chunks { count, size, steps };
        // Steps are about microseconds.
        let posts = chunks(collection.num_posts(), 512, 12);
        let comments = chunks(counts.comments, 4096, 2);
        let links = chunks(counts.links, 8192, 1);
        let forms = chunks(counts.forms, 4096, 6);
        let visuals = chunks(counts.visuals, 1 << 14, 1);
        let keys = chunks(LookTally::shares(collection), 1, 1 << 18);
        let all = [posts, comments, links, forms, visuals, visuals, keys];
        let total = all.iter().map(|chunks| u64::from(chunks.count) * chunks.steps).sum();
        let progress = &Progress::new(total, progress);

        let posts = take_posts(collection, cores, [posts, comments, links], progress)?;
        let form_tally = fold(
            cores,
            forms,
            progress,
            || FormTally::new(collection),
            FormTally::look,
            |all, other| all.forms.merge(other.forms),
        )?;
        let visual_tally = fold(
            cores,
            visuals,
            progress,
            VisualTally::new,
            |tally, range| {
                tally.look(collection, range);
                Ok(())
            },
            VisualTally::merge,
        )?;
        let new_looks = || LookTally::new(collection);
        let mut looks =
            fold(cores, visuals, progress, new_looks, LookTally::look_at_visuals, LookTally::merge)?;
        looks.merge(fold(
            cores,
            keys,
            progress,
            new_looks,
            |tally, mut shares| shares.try_for_each(|share| tally.look_at_keys(share, keys.count)),
            LookTally::merge,
        )?);
        Ok(Self {
            posts,
            forms: form_tally.forms,
            visuals: visual_tally.finish(&mut collection.reader())?,
            looks: looks.finish()?,
        })
    }
}

/// Counts over posts, their comments and their links.
fn take_posts(
    collection: &Collection,
    cores: NonZeroUsize,
    [posts, comments, links]: [Chunks; 3],
    progress: &Progress<'_>,
) -> Result<Posts, Error> {
    let start = || (collection.reader(), Posts::default());
    let merge = |all: &mut (_, Posts), other: (_, Posts)| all.1.merge(other.1);
    let (_, mut all) = fold(
        cores,
        posts,
        progress,
        start,
        |(reader, posts), range| posts.look_at_posts(reader, range),
        merge,
    )?;
    let (_, other) = fold(
        cores,
        comments,
        progress,
        start,
        |(reader, posts), range| posts.look_at_comments(reader, range),
        merge,
    )?;
    all.merge(other);
    let (_, other) = fold(
        cores,
        links,
        progress,
        start,
        |(reader, posts), range| posts.look_at_links(reader, range),
        merge,
    )?;
    all.merge(other);
    all.look_at_strays(collection);
    Ok(all)
}

/// What is known of a collection, ready to be printed.
#[derive(Clone, Copy, Debug)]
pub struct Sheet<'a> {
    /// The collection.
    pub collection: &'a Collection,
    /// What was counted in it; without, only what it says of itself is printed.
    pub census: Option<&'a Census>,
}
