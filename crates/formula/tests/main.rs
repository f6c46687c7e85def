//! The tests of `formula` from outside, in one program: each more would link all dependencies again.

#![allow(clippy::unwrap_used, reason = "tests and their helpers fail by panicking")]

mod content_properties;
mod equivalence;
mod features;
mod identity_pairs;
mod labs_operator_trees;
mod latex_layouts;
mod layout_properties;
mod layout_trees;
mod official_trees;
mod operator_meaning;
mod tangent_s;
mod visual_ids;
mod writers;
