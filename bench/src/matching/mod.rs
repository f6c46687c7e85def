//! The matcher on judged formulas: how good it is, and learning its weights.

mod data;
mod report;
mod train;

pub(crate) use report::report;
pub(crate) use train::{across_years, train};

use data::Values;
use eval::Measure;

/// The measures of ARQMath.
fn measures() -> [Measure; 3] {
    ["nDCG'", "AP'(rel=2)", "P'(rel=2)@10"]
        .map(|name| name.parse().unwrap_or_else(|error| panic!("{name}: {error}")))
}

fn mean(values: &[Values]) -> Values {
    let count = values.len().max(1) as f64;
    [0, 1, 2].map(|which: usize| values.iter().map(|topic| topic[which]).sum::<f64>() / count)
}

fn print_values(name: &str, values: &[Values]) {
    let [ndcg, map, precision] = mean(values);
    println!("{name:32} {ndcg:.4}  {map:.4}  {precision:.4}");
}
