//! The pages and the API.
//!
//! [`Process::run`] answers what comes in on a socket with what the engine of `retrieve` finds; [`router`] is the
//! same without a socket. It is the only crate that speaks HTTP and writes pages with forms, and it works
//! nothing out itself that a library could.
//!
//! `state.rs` holds the index that is served and the gate that all work goes through, `connections.rs` the
//! connections, `watch.rs` swaps the index when it changes, `front.rs` is what every request passes through:
//! headers, caching, the log and the metrics. `api` is the JSON, `pages` the HTML, `view` how formulas and
//! texts are drawn, `systems.rs` which systems can be named where, `answers.rs` those that give one answer, and
//! `model.rs` the language model that may write it.
//!
//! [`assess_router`] is the other half: the pages on which people judge, over the books of `assess`.

mod answers;
mod api;
mod assess;
mod checking;
mod config;
mod connections;
mod error;
mod front;
mod gate;
mod logs;
mod material;
mod metrics;
mod model;
mod pages;
mod server;
mod state;
mod systems;
mod trees;
mod view;
mod waiting;
mod watch;

pub use crate::assess::{
    AssessApp, AssessConfig, AssessError, AttemptLimits, RequestLimits, Ticks, assess_router, serve_assess,
    turkle_template, write_turkle,
};
pub use api::{Mathml, Reasons, Shown, search_json};
pub use config::{Config, Queries};
pub use connections::PerAddress;
pub use error::{AppError, ServeError};
pub use logs::{LogFormat, log_to_stderr};
pub use material::Material;
pub use model::Model;
pub use server::{Process, listen, router, serve};
pub use state::{App, Served};
pub use trees::{layout_tree, operator_tree};
pub use view::encode;
