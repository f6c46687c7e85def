//! Who judged, how fast, and how alike.

use super::{judged, relevant, training};
use crate::document::Section;
use crate::input::{Agreement, AssessorId, ItemJudgment, Judging};
use crate::kappa::PairKappa;
use crate::scored::ScoredTask;
use crate::words::{count, count_cell, list, median, optional, shown, some};
use figures::table::{Cell, Column, Mark, Row, Table};
use formats::TopicId;
use formats::qrels::Judgment;
use std::collections::{BTreeMap, BTreeSet};

/// The judging of a task's current test set.
pub(super) fn part(task: &ScoredTask<'_, '_>) -> Section {
    let key = &task.task.key;
    let mut section = Section::new(format!("{key}-assessment-part"), task.task.name.clone());
    if let Some(table) = judged::table(task) {
        section.table(format!("{key}-judged"), table);
    }
    if let Some(items) = relevant::items(task) {
        let charts = items.charts().into_iter().map(|(_, svg)| svg).collect();
        section.charts(charts, items.title.clone());
        section.table(format!("{key}-relevant"), items.table());
    }
    let Some(judging) = &task.task.current.judging else { return section };
    judging.notes.iter().for_each(|note| section.paragraph(note.clone()));
    if judging.judgments.is_empty() {
        section.paragraph("No judgment is recorded.");
    } else {
        words(judging, &mut section);
        section.table(format!("{key}-assessors"), assessors(task, judging));
    }
    dropped(judging, &mut section);
    if !judging.training.is_empty() {
        training::add(task, &judging.training, &mut section);
    }
    if !judging.agreement.is_empty() {
        for occasion in &judging.agreement {
            section.paragraph(agreement_words(task, occasion));
        }
        section.table(format!("{key}-kappa"), agreement(task, &judging.agreement));
    }
    section
}

fn seconds(judgments: &[&ItemJudgment]) -> Vec<f64> {
    let known = judgments.iter().filter_map(|judgment| judgment.seconds);
    known.filter(|seconds| seconds.is_finite() && *seconds >= 0.0).collect()
}

fn words(judging: &Judging, section: &mut Section) {
    let all: Vec<&ItemJudgment> = judging.judgments.iter().collect();
    let assessors: BTreeSet<&AssessorId> = all.iter().map(|judgment| &judgment.assessor).collect();
    let mut by_topic: BTreeMap<&TopicId, usize> = BTreeMap::new();
    for judgment in &all {
        *by_topic.entry(&judgment.topic).or_default() += 1;
    }
    let numbers: Vec<usize> = by_topic.values().copied().collect();
    let mut text = format!(
        "{} made {} on {}, {} a topic on average",
        count(assessors.len(), "assessor", "assessors"),
        count(all.len(), "judgment", "judgments"),
        count(by_topic.len(), "topic", "topics"),
        shown(crate::words::mean(&numbers), 1)
    );
    if let (Some(least), Some(most)) = (
        by_topic.iter().min_by_key(|(topic, number)| (**number, **topic)),
        by_topic.iter().max_by_key(|(topic, number)| (**number, std::cmp::Reverse(**topic))),
    ) {
        let extent = if least.1 == most.1 {
            format!(" ({} for each)", least.1)
        } else {
            format!(" (least {} for {}, most {} for {})", least.1, least.0, most.1, most.0)
        };
        text.push_str(&extent);
    }
    text.push('.');
    let seconds = seconds(&all);
    if seconds.is_empty() {
        text.push_str(" Times are not recorded.");
    } else {
        let known = if seconds.len() < all.len() {
            format!(" of the {} with a time", seconds.len())
        } else {
            String::new()
        };
        text.push_str(&format!(
            " A judgment{known} took {} seconds on average (median {}), {} hours in all, breaks left out.",
            shown(stats::summary::mean(&seconds).ok(), 1),
            shown(median(&seconds), 1),
            shown(Some(seconds.iter().sum::<f64>() / 3600.0), 1)
        ));
    }
    let code = |code: Judgment| all.iter().filter(|judgment| judgment.judgment == code).count();
    let (failures, unknown) = (code(Judgment::SystemFailure), code(Judgment::DoNotKnow));
    let codes = [(failures, "\"system failure\""), (unknown, "\"do not know\"")];
    let codes: Vec<String> = codes
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, name)| format!("{number} {name}"))
        .collect();
    if !codes.is_empty() {
        text.push_str(&format!(" Of the judgments, {} have no grade: {}.", failures + unknown, list(codes)));
    }
    section.paragraph(text);
}

/// Each assessor: topics, grades, codes, times.
fn assessors(task: &ScoredTask<'_, '_>, judging: &Judging) -> Table {
    let mut grades: BTreeSet<i32> = task.task.grades.iter().map(|grade| grade.grade).collect();
    grades.extend(judging.judgments.iter().filter_map(|judgment| judgment.judgment.grade()));
    let name = |grade: i32| {
        let known = task.task.grades.iter().find(|known| known.grade == grade);
        known.map_or_else(|| grade.to_string(), |known| known.name.clone())
    };
    let mut columns = vec![Column::left("Assessor"), Column::right("topics"), Column::right("judgments")];
    columns.extend(grades.iter().rev().map(|grade| Column::right(name(*grade)).under("Judged as")));
    columns.extend(["failure", "do not know"].map(|title| Column::right(title).under("Judged as")));
    columns.extend(["mean", "median"].map(|title| Column::right(title).under("Seconds")));
    columns.push(Column::right("hours"));
    let mut by_assessor: BTreeMap<&AssessorId, Vec<&ItemJudgment>> = BTreeMap::new();
    for judgment in &judging.judgments {
        by_assessor.entry(&judgment.assessor).or_default().push(judgment);
    }
    let row = |label: Cell, judgments: &[&ItemJudgment]| {
        let topics: BTreeSet<&TopicId> = judgments.iter().map(|judgment| &judgment.topic).collect();
        let of = |wanted: Judgment| judgments.iter().filter(|judgment| judgment.judgment == wanted).count();
        let mut cells = vec![label, count_cell(topics.len()), count_cell(judgments.len())];
        cells.extend(grades.iter().rev().map(|grade| count_cell(of(Judgment::Grade(*grade)))));
        cells.extend([Judgment::SystemFailure, Judgment::DoNotKnow].map(|code| count_cell(of(code))));
        let seconds = seconds(judgments);
        cells.push(optional(stats::summary::mean(&seconds).ok(), 1));
        cells.push(optional(median(&seconds), 1));
        cells.push(optional((!seconds.is_empty()).then(|| seconds.iter().sum::<f64>() / 3600.0), 1));
        Row::Cells(cells)
    };
    let mut assessors: Vec<(&AssessorId, Vec<&ItemJudgment>)> = by_assessor.into_iter().collect();
    let natural = |id: &AssessorId| TopicId::new(id.0.as_str());
    assessors.sort_by(|(a, _), (b, _)| natural(a).natural_cmp(&natural(b)));
    let mut rows: Vec<Row> = assessors
        .iter()
        .map(|(assessor, judgments)| row(Cell::text(assessor.to_string()), judgments))
        .collect();
    rows.push(Row::Rule);
    let all: Vec<&ItemJudgment> = judging.judgments.iter().collect();
    rows.push(row(Cell::text("All").marked(Mark::Best), &all));
    let caption = vec![format!("{}: judgments by assessor.", task.task.name)];
    Table { caption, columns, rows, footnotes: Vec::new() }
}

fn dropped(judging: &Judging, section: &mut Section) {
    if judging.dropped.is_empty() {
        if !judging.judgments.is_empty() {
            section.paragraph("No judged topic was left out.");
        }
        return;
    }
    let mut reasons: Vec<(&str, Vec<&TopicId>)> = Vec::new();
    for dropped in &judging.dropped {
        match reasons.iter_mut().find(|(reason, _)| *reason == dropped.reason) {
            Some((_, topics)) => topics.push(&dropped.topic),
            None => reasons.push((&dropped.reason, vec![&dropped.topic])),
        }
    }
    for (reason, topics) in reasons {
        let named = some(topics.iter(), 12);
        let verb = if topics.len() == 1 { "was left out" } else { "were left out" };
        section.paragraph(format!("{} {verb} ({named}): {reason}.", count(topics.len(), "topic", "topics")));
    }
}

fn pairs(task: &ScoredTask<'_, '_>, occasion: &Agreement) -> Vec<PairKappa> {
    occasion.pairs.iter().map(|pair| PairKappa::of(&pair.labels, task.task.relevant_from_one)).collect()
}

fn agreement_words(task: &ScoredTask<'_, '_>, occasion: &Agreement) -> String {
    let kappas = pairs(task, occasion);
    let (graded, binary) = PairKappa::means(&kappas);
    let people: BTreeSet<&AssessorId> =
        occasion.pairs.iter().flat_map(|pair| [&pair.first, &pair.second]).collect();
    let items: usize = kappas.iter().map(|kappa| kappa.items).sum();
    format!(
        "{}: {} ({}) judged {} a second time; the mean of Cohen's kappa is {} by all grades and {} by {}.",
        occasion.name,
        count(kappas.len(), "pair of assessors", "pairs of assessors"),
        list([count(people.len(), "person", "people")]),
        count(items, "item", "items"),
        shown(graded, 2),
        shown(binary, 2),
        task.task.relevant_name
    )
}

fn agreement(task: &ScoredTask<'_, '_>, occasions: &[Agreement]) -> Table {
    let mut columns = vec![Column::left("Assessors"), Column::right("items"), Column::right("left out")];
    let binary = task.task.relevant_name.as_str();
    columns.extend(["all grades", binary].map(|title| Column::right(title).under("Cohen's kappa")));
    let mut rows = Vec::new();
    for occasion in occasions {
        rows.push(Row::Section(occasion.name.clone()));
        let kappas = pairs(task, occasion);
        for (pair, kappa) in occasion.pairs.iter().zip(&kappas) {
            rows.push(Row::Cells(vec![
                Cell::text(format!("{} and {}", pair.first, pair.second)),
                count_cell(kappa.items),
                count_cell(kappa.left_out),
                optional(kappa.graded, 3),
                optional(kappa.binary, 3),
            ]));
        }
        let (graded, binary) = PairKappa::means(&kappas);
        rows.push(Row::Cells(vec![
            Cell::text("Mean").marked(Mark::Best),
            count_cell(kappas.iter().map(|kappa| kappa.items).sum()),
            count_cell(kappas.iter().map(|kappa| kappa.left_out).sum()),
            optional(graded, 3),
            optional(binary, 3),
        ]));
    }
    let footnotes = vec![
        "left out: items to which one of the two gave no grade. The mean is over the pairs with a value; a dash \
         stands where kappa is not defined, as when both gave one grade only."
            .to_owned(),
    ];
    Table { caption: vec![format!("{}: agreement of assessors.", task.task.name)], columns, rows, footnotes }
}
