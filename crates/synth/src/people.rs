//! Who wrote it: users, of whom a few write most.

use crate::calendar::{moment, push_date};
use crate::draw::{Draw, Use};
use crate::vocabulary::vocabulary;
use crate::xml::attribute;

/// How many users a site has: about one for four posts.
pub(crate) fn users(posts: u64) -> u64 {
    posts / 4 + 1
}

/// How many are there when the site opens.
const FOUNDERS: u64 = 30;

/// The author of something written at that share of the site's life: a user
/// who was there by then, early ones more often.
pub(crate) fn author(draw: &mut Draw, posts: u64, share: f64) -> u64 {
    let there = ((users(posts) as f64 * share) as u64 + FOUNDERS).min(users(posts)) as usize;
    // Half of all is written by the few who write a lot.
    let number = match draw.percent(50) {
        true => draw.ranked(there, 20.0),
        false => draw.below(there),
    };
    number as u64 + 1
}

/// Appends the row of a user.
pub(crate) fn push_user(out: &mut String, seed: u64, posts: u64, number: u64) {
    let mut draw = Draw::at(seed, Use::User, number, 0);
    let joined = moment(number.saturating_sub(FOUNDERS) as f64 / users(posts) as f64);
    let reputation = 1 + (libm::exp(draw.normal() * 2.0 + 3.0)) as u64;
    out.push_str("   <row");
    attribute(out, "Id", number);
    attribute(out, "Reputation", reputation);
    out.push_str(" CreationDate=\"");
    push_date(out, joined);
    out.push_str("\" DisplayName=\"");
    vocabulary().push_name(out, seed, draw.ranked(1 << 30, 4.0) as u64);
    out.push_str("\" LastAccessDate=\"");
    push_date(out, joined + draw.exponential(4e9) as i64);
    out.push('"');
    attribute(out, "Views", reputation / 7);
    attribute(out, "UpVotes", reputation / 11);
    attribute(out, "DownVotes", reputation / 200);
    out.push_str(" />\n");
}
