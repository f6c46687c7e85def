//! The training of assessors: how alike each judged with the others, round by round.

use crate::document::Section;
use crate::input::{AssessorId, AssessorLabels, TrainingRound};
use crate::kappa::PairKappa;
use crate::scored::ScoredTask;
use crate::words::{count_cell, optional};
use figures::chart::{Bars, Bin, Range};
use figures::table::{Cell, Column, Row, Table};
use formats::TopicId;
use formats::qrels::Judgment;
use std::collections::BTreeMap;

/// Adds a chart for each round and a table of all.
pub(super) fn add(task: &ScoredTask<'_, '_>, rounds: &[TrainingRound], section: &mut Section) {
    let mut rows = Vec::new();
    let rounds: Vec<(&TrainingRound, Vec<MeanKappa<'_>>)> = rounds
        .iter()
        .map(|round| (round, means(round, task.task.relevant_from_one)))
        .filter(|(_, kappas)| !kappas.is_empty())
        .collect();
    let all =
        || rounds.iter().flat_map(|(_, kappas)| kappas).flat_map(|mean| [mean.graded, mean.binary]).flatten();
    let range = Range::AtLeast { low: all().fold(0.0, f64::min), high: all().fold(0.0, f64::max) };
    for (round, kappas) in &rounds {
        rows.push(Row::Section(round.name.clone()));
        for mean in kappas {
            rows.push(Row::Cells(vec![
                Cell::text(mean.assessor.to_string()),
                count_cell(mean.others),
                optional(mean.graded, 3),
                optional(mean.binary, 3),
            ]));
        }
    }
    if rows.is_empty() {
        section.paragraph("Training is recorded, but no two assessors judged the same items.");
        return;
    }
    let charts = rounds.iter().map(|(round, kappas)| chart(task, round, kappas, range)).collect();
    let caption = format!(
        "Agreement in training: mean of Cohen's kappa of each assessor with all others, by all grades and by {}.",
        task.task.relevant_name
    );
    section.charts(charts, caption);
    let mut columns = vec![Column::left("Assessor"), Column::right("others")];
    let binary = task.task.relevant_name.as_str();
    columns.extend(["all grades", binary].map(|title| Column::right(title).under("Mean kappa")));
    let caption = vec![format!("{}: agreement in training.", task.task.name)];
    section.table(
        format!("{}-training", task.task.key),
        Table { caption, columns, rows, footnotes: Vec::new() },
    );
}

/// How alike an assessor judged with the others.
#[derive(Debug, PartialEq)]
struct MeanKappa<'a> {
    assessor: &'a AssessorId,
    /// With how many others there are items in common.
    others: usize,
    graded: Option<f64>,
    binary: Option<f64>,
}

/// The mean kappa of each assessor with each of the others, over the items of both.
fn means(round: &TrainingRound, relevant_from: i32) -> Vec<MeanKappa<'_>> {
    let mut means = Vec::new();
    for one in &round.assessors {
        let others = round.assessors.iter().filter(|other| other.assessor != one.assessor);
        let kappas: Vec<PairKappa> = others
            .map(|other| PairKappa::of(&common(one, other), relevant_from))
            .filter(|kappa| kappa.items > 0)
            .collect();
        if !kappas.is_empty() {
            let (graded, binary) = PairKappa::means(&kappas);
            means.push(MeanKappa { assessor: &one.assessor, others: kappas.len(), graded, binary });
        }
    }
    means
}

/// What two assessors said of the items that both saw.
fn common(one: &AssessorLabels, other: &AssessorLabels) -> Vec<(Judgment, Judgment)> {
    let of_other: BTreeMap<(&TopicId, &str), Judgment> =
        other.labels.iter().map(|label| ((&label.topic, label.item.as_str()), label.judgment)).collect();
    let both = one.labels.iter().filter_map(|label| {
        let second = of_other.get(&(&label.topic, label.item.as_str()))?;
        Some((label.judgment, *second))
    });
    both.collect()
}

fn chart(
    task: &ScoredTask<'_, '_>,
    round: &TrainingRound,
    means: &[MeanKappa<'_>],
    y_range: Range,
) -> String {
    let bins = means.iter().map(|mean| Bin {
        label: mean.assessor.to_string(),
        values: [mean.graded, mean.binary].map(|kappa| kappa.unwrap_or(f64::NAN)).to_vec(),
    });
    Bars {
        title: format!("{}: training, {}", task.task.name, round.name),
        x_label: "assessor".to_owned(),
        y_label: "mean Cohen's kappa".to_owned(),
        series: vec!["all grades".to_owned(), format!("relevant or not ({})", task.task.relevant_name)],
        bins: bins.collect(),
        y_range,
        decimals: 2,
        notes: Vec::new(),
    }
    .to_svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::LabelledItem;

    fn labels(assessor: &str, grades: &[(&str, i32)]) -> AssessorLabels {
        let label = |(item, grade): &(&str, i32)| LabelledItem {
            topic: TopicId::from("A.1"),
            item: (*item).to_owned(),
            judgment: Judgment::Grade(*grade),
        };
        AssessorLabels {
            assessor: AssessorId(assessor.to_owned()),
            labels: grades.iter().map(label).collect(),
        }
    }

    /// 0,0,1,1 beside 0,0,0,1 is 0.5, beside itself 1: means 0.75, 0.5 and 0.75.
    #[test]
    fn each_assessor_with_all_others() {
        let first = [("a", 0), ("b", 0), ("c", 1), ("d", 1)];
        let round = TrainingRound {
            name: "Round 1".to_owned(),
            assessors: vec![
                labels("1", &first),
                labels("2", &[("d", 1), ("c", 0), ("b", 0), ("a", 0)]),
                labels("3", &first),
                labels("4", &[("z", 3)]),
            ],
        };
        let means = means(&round, 1);
        let shown: Vec<(&str, usize, f64)> =
            means.iter().map(|mean| (mean.assessor.0.as_str(), mean.others, mean.graded.unwrap())).collect();
        assert_eq!(shown, [("1", 2, 0.75), ("2", 2, 0.5), ("3", 2, 0.75)]);
        assert_eq!(means[0].binary, Some(0.75));
    }
}
