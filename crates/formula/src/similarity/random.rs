//! Random trees for tests of properties.

use crate::opt::{Opt, OptId};
use crate::slt::{Edge, Look, Slt, SltId};
use proptest::prelude::*;

/// Each node's tag, and numbers that choose where it hangs.
fn plan(
    tags: &'static [&'static str],
    most: usize,
) -> impl Strategy<Value = Vec<(&'static str, usize, usize)>> {
    proptest::collection::vec((proptest::sample::select(tags), 0..1000usize, 0..9usize), 1..=most)
}

const SLT_TAGS: &[&str] =
    &["V!x", "V!y", "V!sin", "N!1", "N!2", "+", "=", "O!divide", "M!()1x1", "T!if", "?a", "?b"];
const OPT_TAGS: &[&str] = &["V!x", "V!y", "N!1", "N!2", "U!plus", "U!times", "O!minus", "O!SUP", "?a", "?b"];
/// Both lists end with so many wildcards.
const WILDCARDS: usize = 2;

/// A layout tree with up to `most` nodes.
pub(super) fn slt(most: usize) -> impl Strategy<Value = Slt> {
    slt_of(&SLT_TAGS[..SLT_TAGS.len() - WILDCARDS], most)
}

/// A layout tree that may have wildcards.
pub(super) fn slt_query(most: usize) -> impl Strategy<Value = Slt> {
    slt_of(SLT_TAGS, most)
}

/// An operator tree with up to `most` nodes.
pub(super) fn opt(most: usize) -> impl Strategy<Value = Opt> {
    opt_of(&OPT_TAGS[..OPT_TAGS.len() - WILDCARDS], most)
}

/// An operator tree that may have wildcards.
pub(super) fn opt_query(most: usize) -> impl Strategy<Value = Opt> {
    opt_of(OPT_TAGS, most)
}

fn slt_of(tags: &'static [&'static str], most: usize) -> impl Strategy<Value = Slt> {
    plan(tags, most).prop_map(|plan| {
        let mut slt = Slt::default();
        let mut ids: Vec<SltId> = Vec::new();
        for (tag, parent, edge) in plan {
            let place = (!ids.is_empty()).then(|| (ids[parent % ids.len()], Edge::ALL[edge]));
            if place.is_some_and(|(parent, edge)| slt.child(parent, edge).is_some() || edge == Edge::Element)
            {
                continue;
            }
            let id = slt.push_with(Look::default(), |tags| tags.push_str(tag));
            match place {
                Some((parent, edge)) => slt.link(parent, edge, id),
                None => slt.set_root(Some(id)),
            }
            ids.push(id);
        }
        slt
    })
}

fn opt_of(tags: &'static [&'static str], most: usize) -> impl Strategy<Value = Opt> {
    plan(tags, most).prop_map(|plan| {
        let mut opt = Opt::default();
        let mut ids: Vec<OptId> = Vec::new();
        for (tag, parent, _) in plan {
            let id = opt.push(tag);
            match ids.len() {
                0 => opt.set_root(Some(id)),
                count => opt.append(ids[parent % count], id),
            }
            ids.push(id);
        }
        opt
    })
}
