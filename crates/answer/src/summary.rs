//! What a post says in short: the units that are most like all of it.

use crate::choose::pick;
use crate::desk::{Desk, Post};
use crate::words::{Worth, cosine};
use excerpt::Quote;

/// The units that are most like the whole post by their words, as many as fit.
///
/// The original takes vectors of a trained encoder for sentences; here they are weighted words.
pub(crate) fn summary(
    post: &Post,
    longest: usize,
    desk: &mut Desk<'_>,
    worth: &mut Worth<'_>,
) -> Option<Quote> {
    let whole = worth.weigh(&post.words);
    let mut values = Vec::with_capacity(post.units.len());
    for unit in &post.units {
        let words = desk.words.count(unit.plain());
        values.push(cosine(&whole, &worth.weigh(&words)));
    }
    pick(&post.units, &values, longest)
}
