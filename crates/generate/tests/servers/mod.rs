//! An endpoint against servers on this machine that fail and lie in every way we know.

mod answers;
mod connections;
mod keys;
mod listening;
mod nothing_lost;
mod support;
