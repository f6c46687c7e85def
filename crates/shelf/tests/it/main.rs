//! The store and the hub from outside.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

mod add;
mod fetch;
mod made;
mod server;
