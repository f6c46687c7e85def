//! Tables and figures of what was judged, for reports and for commands on plain files alike.
//!
//! They look like those of the comparison of six collections for formula retrieval: Table 5, judged and relevant
//! items of a topic, and Figure 2, relevant items by the complexity of the query and by grade.

use crate::words::{count_cell, optional};
use eval::{GradeMeans, JudgedCounts};
use figures::chart::{Bars, Bin, Range};
use figures::table::{Cell, Column, Row, Table};

/// Judged items of one kind, such as formula instances.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedPart {
    /// The heading; none for a table of one kind.
    pub heading: Option<String>,
    /// A line for each set of topics.
    pub rows: Vec<JudgedRow>,
}

/// The judged items of a set of topics.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedRow {
    /// The name of the set.
    pub name: String,
    /// The counts.
    pub counts: JudgedCounts,
}

/// Judged and relevant items per topic: minimum, maximum and mean.
#[must_use]
pub fn judged_table(caption: String, parts: &[JudgedPart]) -> Table {
    let mut columns = vec![Column::left("Test set"), Column::right("topics")];
    for group in ["judged", "relevant"] {
        columns.extend(["min", "max", "avg"].map(|title| Column::right(title).under(group)));
    }
    let mut rows = Vec::new();
    for part in parts {
        rows.extend(part.heading.clone().map(Row::Section));
        for JudgedRow { name, counts } in &part.rows {
            let mut cells = vec![Cell::text(name.as_str()), count_cell(counts.topics)];
            for extent in [counts.judged, counts.relevant] {
                cells.extend([extent.least, extent.most].map(count_cell));
                cells.push(Cell::number(extent.mean, 1));
            }
            rows.push(Row::Cells(cells));
        }
    }
    let footnotes = vec![
        "judged: with a grade. relevant: of grade 1 or more. Topics without a judgment are none of these."
            .to_owned(),
    ];
    Table { caption: vec![caption], columns, rows, footnotes }
}

/// A grade and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The grade.
    pub grade: i32,
    /// Its name, such as `High`.
    pub name: String,
}

/// The judgments of one group of assessors, or of all.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevantGroup {
    /// Who judged, such as `undergraduates`.
    pub name: String,
    /// The highest grade that can be given; higher ones are left blank.
    pub highest: i32,
    /// The means for each kind of topics.
    pub kinds: Vec<RelevantKind>,
}

/// Topics of one kind, such as those of high complexity.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevantKind {
    /// The kind.
    pub name: String,
    /// The means, one for each level that is shown.
    pub means: GradeMeans,
}

/// Relevant items per topic by kind of topic and grade, with the groups of assessors apart.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevantItems {
    /// What stands above the table and the figures.
    pub title: String,
    /// What the kinds of topics are, such as `complexity`.
    pub label: String,
    /// What is counted, such as `visually distinct formulas`.
    pub unit: String,
    /// The grades that are shown, the highest first.
    pub levels: Vec<Level>,
    /// The groups of assessors, a section and a figure each.
    pub groups: Vec<RelevantGroup>,
}

impl RelevantItems {
    /// The mean of a level; nothing where the group could not give the grade.
    fn mean(&self, group: &RelevantGroup, kind: &RelevantKind, level: usize) -> Option<f64> {
        let is_given = self.levels[level].grade <= group.highest;
        kind.means.means.get(level).copied().filter(|_| is_given)
    }

    /// The table: a section for each group, a line for each kind, a column for each grade.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut columns = vec![Column::left(self.label.as_str()), Column::right("topics")];
        columns.extend(
            self.levels.iter().map(|level| Column::right(level.name.as_str()).under("mean per topic")),
        );
        columns.push(Column::right("relevant").under("mean per topic"));
        let mut rows = Vec::new();
        for group in &self.groups {
            if self.groups.len() > 1 {
                rows.push(Row::Section(group.name.clone()));
            }
            for kind in &group.kinds {
                let mut cells = vec![Cell::text(kind.name.as_str()), count_cell(kind.means.topics)];
                cells.extend((0..self.levels.len()).map(|level| match self.mean(group, kind, level) {
                    Some(mean) => Cell::number(mean, 1),
                    None => Cell::default(),
                }));
                cells.push(optional(Some(kind.means.relevant), 1));
                rows.push(Row::Cells(cells));
            }
        }
        let footnotes =
            vec![format!("Mean number of {} per topic, by grade. relevant: of grade 1 or more.", self.unit)];
        Table { caption: vec![self.title.clone()], columns, rows, footnotes }
    }

    /// The figures, one for each group under its name, on one scale.
    #[must_use]
    pub fn charts(&self) -> Vec<(String, String)> {
        let highest = self
            .groups
            .iter()
            .flat_map(|group| &group.kinds)
            .flat_map(|kind| kind.means.means.iter().copied())
            .fold(0.0, f64::max);
        self.groups.iter().map(|group| (group.name.clone(), self.chart(group, highest))).collect()
    }

    fn chart(&self, group: &RelevantGroup, highest: f64) -> String {
        let shown: Vec<usize> =
            (0..self.levels.len()).filter(|level| self.levels[*level].grade <= group.highest).collect();
        let bins = group.kinds.iter().map(|kind| Bin {
            label: format!("{} ({})", kind.name, kind.means.topics),
            values: shown.iter().filter_map(|level| self.mean(group, kind, *level)).collect(),
        });
        let who = if self.groups.len() > 1 { format!(", {}", group.name) } else { String::new() };
        Bars {
            title: format!("{}{who}", self.title.trim_end_matches('.')),
            x_label: self.label.clone(),
            y_label: format!("{} per topic", self.unit),
            series: shown.iter().map(|level| self.levels[*level].name.clone()).collect(),
            bins: bins.collect(),
            y_range: Range::AtLeast { low: 0.0, high: highest },
            decimals: 1,
            notes: vec!["In parentheses: number of topics.".to_owned()],
        }
        .to_svg()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str, topics: &[&[i32]], levels: &[i32]) -> RelevantKind {
        RelevantKind { name: name.to_owned(), means: GradeMeans::of(topics.iter().copied(), levels).unwrap() }
    }

    fn items() -> RelevantItems {
        let levels = [4, 3, 2, 1];
        let group = |name: &str, highest, kinds| RelevantGroup { name: name.to_owned(), highest, kinds };
        RelevantItems {
            title: "Relevant formulas by complexity.".to_owned(),
            label: "complexity".to_owned(),
            unit: "visually distinct formulas".to_owned(),
            levels: levels.map(|grade| Level { grade, name: format!("grade {grade}") }).into(),
            groups: vec![
                group("aggregate", 4, vec![kind("Low", &[&[4, 3, 0], &[3, 2]], &levels)]),
                group("UG", 2, vec![kind("Low", &[&[2, 2, 0], &[2, 1]], &levels)]),
            ],
        }
    }

    #[test]
    fn groups_of_assessors_stand_apart_and_grades_that_they_cannot_give_are_blank() {
        let csv = items().table().to_csv();
        let lines: Vec<&str> = csv.lines().map(str::trim_end).collect();
        assert_eq!(lines[1..], ["aggregate,Low,2,0.5,1,0.5,0,2", "UG,Low,2,,,1.5,0.5,2"]);
    }

    #[test]
    fn each_group_has_a_figure_with_its_own_grades() {
        let charts = items().charts();
        let names: Vec<&str> = charts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["aggregate", "UG"]);
        assert!(charts[0].1.contains("Low (2), grade 4: 0.5"), "{}", charts[0].1);
        assert!(charts[1].1.contains("Low (2), grade 2: 1.5") && !charts[1].1.contains("grade 4"));
    }
}
