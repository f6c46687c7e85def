//! How far the work is.

mod pace;

pub use pace::{Finish, Pace, Stroke, Time};
