//! Turkle's files: batches that it reads, and what its assessors said.
//!
//! Turkle takes a template of HTML and tables cut at commas, one row a task. It puts the fields
//! of a row into the template wherever it says `${name}`, one name after the other and without
//! changing them. So what stands in a field must be safe HTML, and must not hold such a name
//! itself ([`safe_field`]). Its results repeat the fields as `Input.name` and have what was
//! answered as `Answer.name`, with the name of the assessor and times.
//!
//! What posts and formulas look like is told by whoever knows HTML ([`Pages`]).

mod columns;
mod export;
mod import;
mod moment;

pub use columns::Columns;
pub use export::{MOST_PARTS, Pages, Question, ToShow, TurkleFile, safe_field, safe_id};
pub use import::TurkleOptions;
