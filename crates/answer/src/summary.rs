//! What a post says in short: the units that are most like all of it.

use crate::choose::pick;
use crate::desk::{Desk, Post};
use crate::words::{WordIdf, cosine};
use post::Quote;

/// The units that are most like the whole post by their words, as many as fit.
///
/// The original takes vectors of a trained encoder for sentences; here they are weighted words.
pub(crate) fn summary(
    post: &Post,
    longest: usize,
    desk: &mut Desk<'_>,
    idf: &mut WordIdf<'_>,
) -> Option<Quote> {
    let whole = idf.weigh(&post.words);
    let mut values = Vec::with_capacity(post.units.len());
    for unit in &post.units {
        let words = desk.words.count(unit.plain());
        values.push(cosine(&whole, &idf.weigh(&words)));
    }
    pick(&post.units, &values, longest)
}
