//! The pages and the API.
//!
//! [`Process::run`] answers what comes in on a socket with what the engine of `retrieve` finds; [`router`] is the
//! same without a socket. It is the only crate that speaks HTTP and writes pages with forms, and it works
//! nothing out itself that a library could.
//!
//! There are two sites: `site` is for those who search, `assess` for those who judge, over the books of the crate
//! `assess`. Neither knows the other. They share `connections.rs`, `passing.rs` (headers, compression, names in the
//! log), `assets.rs` (files that pages load), `view` (how formulas and texts are drawn) and `process.rs`, which
//! serves the one or the other.

mod assess;
mod assets;
mod connections;
mod counted;
mod logs;
mod passing;
mod process;
mod site;
mod trees;
mod view;

pub use assess::{
    AssessApp, AssessConfig, AssessError, AttemptLimits, Material, RequestLimits, Ticks, assess_router,
    serve_assess, turkle_template, write_turkle,
};
pub use connections::PerAddress;
pub use logs::{LogFormat, log_to_stderr};
pub use process::{Process, ServeError, listen};
pub use site::{
    App, AppError, Config, Mathml, Model, Queries, Reasons, Served, Shown, router, search_json, serve,
};
pub use trees::{layout_tree, operator_tree};
pub use view::encode;
