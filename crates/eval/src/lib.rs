//! How good is a ranking? Measures over verdicts, and what surrounds the number.
//!
//! ```
//! use eval::{Measure, Pool, Ranked, Verdict};
//!
//! let pool = Pool::new(vec![3, 0]);
//! let verdicts = [Verdict::graded(0), Verdict::UNJUDGED, Verdict::graded(3)];
//! let ndcg: Measure = "nDCG'@10".parse()?;
//! let value = ndcg.score(Ranked { verdicts: &verdicts, pool: &pool });
//! assert_eq!(format!("{ndcg} = {value:.4}"), "nDCG'@10 = 0.6309");
//! # Ok::<(), eval::MeasureError>(())
//! ```

mod measure;
mod measures;
mod ranked;

pub use measure::{Aggregate, Measure, MeasureError};
pub use ranked::{Pool, Ranked, Verdict};
