//! Judgments of formulas, added up: what decides between parts of a visual id that are as large.

use anyhow::{Context, Result};
use repair::Relevance;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The grades of each formula added up over all topics.
pub(crate) fn read(path: &Path) -> Result<Relevance> {
    let name = path.display();
    let file = File::open(path).with_context(|| name.to_string())?;
    let mut sums: HashMap<String, f64> = HashMap::new();
    for (line, number) in BufReader::new(file).lines().zip(1_u64..) {
        let line = line.with_context(|| format!("{name}: line {number}"))?;
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.is_empty() {
            continue;
        }
        let [_, _, id, grade] = fields[..] else {
            anyhow::bail!(
                "{name}: line {number}: {} fields instead of topic, iteration, id, grade",
                fields.len()
            );
        };
        let grade: f64 =
            grade.parse().with_context(|| format!("{name}: line {number}: '{grade}' is no grade"))?;
        *sums.entry(id.to_owned()).or_default() += grade;
    }
    Ok(sums.into_iter().map(|(id, sum)| (id, sum.max(0.0).round() as u32)).collect())
}
