//! Cross-validation: each topic is scored by weights that were learned on topics of other folds.

use super::TrainRank;
use super::data::Data;
use crate::output::{WholeFile, note};
use ::formats::order;
use ::formats::run::{RunBuilder, RunLayout};
use ::formats::{DocId, RunTag, TopicId};
use anyhow::{Result, ensure};
use fuse::tune::Folds;
use std::path::Path;

pub(super) fn run(args: &TrainRank, data: &Data, folds: usize, output: &Path) -> Result<()> {
    let ranges = data.topics();
    ensure!(
        data.table.rows.iter().all(|row| !row.doc.is_empty()),
        "a run needs documents: name them in the file, behind #"
    );
    let dealt = Folds::new(ranges.len(), folds, args.seed)?;
    let mut scores = vec![0.0; data.table.rows.len()];
    for fold in 0..folds {
        let (test, train): (Vec<usize>, Vec<usize>) =
            (0..ranges.len()).partition(|topic| dealt.fold_of(*topic) == fold);
        let fitted = args.fit(data, &train)?;
        note(&format!(
            "fold {}: {} topics, {} pairs, objective {:.6}, gap {:.1e}",
            fold + 1,
            train.len(),
            fitted.pairs,
            fitted.last.objective,
            fitted.gap()
        ));
        for row in test.iter().flat_map(|topic| ranges[*topic].clone()) {
            let values = data.table.values_of(row);
            scores[row] = values.iter().zip(&fitted.weights).map(|(value, weight)| value * weight).sum();
        }
    }
    let mut builder = RunBuilder::new(RunTag::from("rank-svm"));
    for rows in ranges {
        let topic = TopicId::from(data.table.rows[rows.start].topic.as_str());
        let mut order: Vec<usize> = rows.collect();
        order.sort_by(|one, other| {
            let item = |row: &usize| (scores[*row], DocId(&data.table.rows[*row].doc));
            order::compare(item(one), item(other))
        });
        for (rank, row) in (1..).zip(order) {
            builder.push(&topic, DocId(&data.table.rows[row].doc), rank, scores[row]);
        }
    }
    let run = builder.finish(&output.display().to_string())?;
    WholeFile::create(output)?.write(run.to_text(RunLayout::Trec).as_bytes())
}
