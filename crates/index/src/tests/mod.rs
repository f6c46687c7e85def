//! Indexes of small collections: what is in them, what changes do, and what survives damage.

mod change;
mod content;
mod damage;
mod folder;
mod numbers;
mod parts;
mod resume;
mod util;
mod world;
