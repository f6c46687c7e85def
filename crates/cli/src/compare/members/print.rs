//! What members contribute, as tables and as JSON.

use super::{Against, Alone, Members, Report, Row as Member, Without};
use crate::compare::LeftOut;
use crate::compare::print::{against, measures, method};
use crate::compare::runner::Ran;
use crate::evaluate::around::interval_of;
use crate::run_record;
use ::formats::Exposed;
use eval::overlap::{Counts, PERSISTENCE};
use eval::{Column as Measured, RunScores, TopicPolicy};
use figures::table::{Cell, Column, Mark, Row, Table};
use serde_json::{Map, Value, json};
use stats::gain::{Conclusion, Difference};
use stats::summary::Interval;

/// The system that members belong to, and how it is measured.
pub(in crate::compare) struct Frame<'a> {
    pub(in crate::compare) name: &'a str,
    pub(in crate::compare) whole: &'a Ran,
    pub(in crate::compare) columns: &'a [Measured],
    pub(in crate::compare) policy: TopicPolicy,
}

impl Frame<'_> {
    fn num_topics(&self) -> usize {
        self.whole.scores.admitted(self.policy).count()
    }

    /// The name of the first measure, by which members are left out.
    fn first(&self) -> &str {
        &self.columns[0].name
    }

    /// All measures, the first with its interval.
    fn scores(&self, scores: &RunScores) -> Vec<Cell> {
        let mut cells = Vec::new();
        for measure in 0..self.columns.len() {
            cells.push(Cell::number(scores.average(measure, self.policy).value, 4));
            if measure == 0 {
                cells.push(within(interval_of(scores, 0, self.policy), 3));
            }
        }
        cells
    }
}

impl Report {
    /// The members that could not be run.
    pub(in crate::compare) fn left_out(&self) -> &[LeftOut] {
        match self {
            Self::One(_) => &[],
            Self::Several(members) => &members.left_out,
        }
    }

    /// Why there is no table.
    pub(in crate::compare) fn note(&self) -> Option<String> {
        match self {
            Self::One(Some(name)) => Some(format!("made of one member, {name}; there is none to leave out")),
            _ => None,
        }
    }

    /// The tables, with headings.
    pub(in crate::compare) fn sections(&self, frame: &Frame<'_>) -> Vec<(String, Table)> {
        let Self::Several(members) = self else { return Vec::new() };
        let mut sections =
            vec![(format!("What each member of {} contributes", frame.name), members.table(frame))];
        sections.extend(
            members
                .overlap(frame)
                .map(|table| (format!("What members of {} have in common", frame.name), table)),
        );
        sections
    }

    /// All values.
    pub(in crate::compare) fn json(&self, frame: &Frame<'_>) -> Value {
        match self {
            Self::One(_) => json!({ "note": self.note() }),
            Self::Several(members) => members.json(frame),
        }
    }
}

impl Members {
    fn table(&self, frame: &Frame<'_>) -> Table {
        let mut rows: Vec<Row> = self.rows.iter().map(|member| self.row(member, frame)).collect();
        rows.push(Row::Rule);
        let mut whole = vec![run_record::name_cell("all members", &frame.whole.models)];
        whole.extend(frame.scores(&frame.whole.scores));
        whole.push(count(self.whole.relevant[0]));
        rows.push(Row::Cells(whole));
        if let Some(oracle) = &self.oracle {
            let mut cells = vec![Cell::text("best member of each topic")];
            cells.extend(frame.scores(oracle));
            cells.push(count(self.together.relevant[0]));
            rows.push(Row::Cells(cells));
        }
        let caption =
            format!("{}: what each member contributes over {} topics", frame.name, frame.num_topics());
        Table { caption: vec![caption], columns: self.heads(frame), rows, footnotes: self.notes(frame) }
    }

    fn heads(&self, frame: &Frame<'_>) -> Vec<Column> {
        let mut columns = vec![Column::left("Member")];
        for (number, column) in frame.columns.iter().enumerate() {
            columns.push(Column::right(column.name.as_str()).under("alone"));
            if number == 0 {
                columns.push(Column::left("95 %").under("alone"));
            }
        }
        let found = format!("in its first {}", self.depth);
        let counts = ["relevant", "only here", "a topic", "grade 2+"];
        columns.extend(counts.map(|title| Column::right(title).under(found.as_str())));
        let without = "the system without it";
        columns.extend([frame.first(), "difference"].map(|title| Column::right(title).under(without)));
        columns.push(Column::left("95 %").under(without));
        columns.extend(["p", "corrected"].map(|title| Column::right(title).under(without)));
        columns.push(Column::left("verdict").under(without));
        columns
    }

    fn row(&self, member: &Member, frame: &Frame<'_>) -> Row {
        let ran = member.alone.as_ref().map(|alone| &alone.ran);
        let name = member.component.name();
        let mut name = ran.map_or_else(|| Cell::text(name), |ran| run_record::name_cell(name, &ran.models));
        if ran.is_some_and(|ran| !ran.missing.is_empty()) {
            name = name.marked(Mark::Dagger);
        }
        let mut cells = vec![name];
        match &member.alone {
            Some(Alone { ran, counts }) => {
                cells.extend(frame.scores(&ran.scores));
                cells.extend([count(counts.relevant[0]), count(counts.unique[0])]);
                cells.push(Cell::number(per_topic(counts.unique[0], frame), 2));
                cells.push(count(counts.unique[1]));
            }
            None => cells.resize(frame.columns.len() + 6, Cell::text("–")),
        }
        match &member.without {
            Some(Without { ran, against }) => {
                cells.push(Cell::number(ran.scores.average(0, frame.policy).value, 4));
                if let Some(Against { comparison, difference }) = against.first() {
                    cells.push(Cell::number(comparison.difference, 4));
                    cells.push(within(difference.interval, 4));
                    let chance = |p: Option<f64>| p.map_or_else(|| Cell::text("–"), |p| Cell::number(p, 4));
                    cells.extend([chance(comparison.p), chance(comparison.corrected)]);
                    cells.push(Cell::text(short(difference.conclusion)));
                }
            }
            None => cells.extend(vec![Cell::text("–"); 6]),
        }
        Row::Cells(cells)
    }

    fn notes(&self, frame: &Frame<'_>) -> Vec<String> {
        let method = method(frame.policy);
        let (depth, first) = (self.depth, frame.first());
        let mut notes = vec![
            format!(
                "relevant: judged items of grade 1 or more among the first {depth} of all topics; only here: those \
                 that no other member has among its first {depth}, then their mean per topic, and how many of them \
                 have grade 2 or more."
            ),
            format!(
                "The system without it keeps the weights of the others. The difference is to all members, with a \
                 95 % interval (Student's t over topics), which is not corrected for the number of members, and \
                 p ({}, two-sided), corrected: {} over the members.",
                method.test, method.correction
            ),
            format!("gain, loss: the interval leaves zero out; none shown: {}.", Conclusion::None),
        ];
        if let Some(reads) = self.reads {
            notes.push(format!(
                "The fusion reads the first {reads} results of each member; alone, all results of a member are scored."
            ));
        }
        if self.oracle.is_some() {
            notes.push(format!(
                "best member of each topic: chosen by {first} with the judgments at hand, an upper bound of choosing \
                 one member for a topic; relevant: what the members have together."
            ));
        }
        for Member { component, alone, .. } in &self.rows {
            let missing = alone.as_ref().map_or(&[][..], |alone| &alone.ran.missing);
            if !missing.is_empty() {
                notes.push(format!("† {}: made without {}.", component.name(), missing.join(", ")));
            }
        }
        notes.extend(Exposed::among(&frame.whole.models).note());
        for LeftOut { name, why } in &self.left_out {
            notes.push(format!("Left out: {name}: {why}."));
        }
        notes
    }

    /// The members that retrieve by themselves, by name, and the whole system.
    fn compared_names(&self) -> Vec<&str> {
        let alone = self.rows.iter().filter(|member| member.alone.is_some());
        alone.map(|member| member.component.name()).chain(["all members"]).collect()
    }

    /// The table of what two members have in common; nothing for one.
    fn overlap(&self, frame: &Frame<'_>) -> Option<Table> {
        let names = self.compared_names();
        if names.len() < 3 {
            return None;
        }
        let mut columns = vec![Column::left("Member")];
        columns.extend((1..=names.len()).map(|number| Column::right(number.to_string())));
        let row = |(place, name): (usize, &&str)| {
            let mut cells = vec![Cell::text(format!("{} {name}", place + 1))];
            for other in 0..names.len() {
                let (low, high) = (place.min(other), place.max(other));
                let common = if low == high { None } else { self.common[low][high - low - 1] };
                cells.push(match common {
                    None => Cell::text("–"),
                    Some(common) if place < other => Cell::number(common.share, 3),
                    Some(common) => Cell::number(common.rank_biased, 3),
                });
            }
            Row::Cells(cells)
        };
        let caption = format!("{}: what two members have in common", frame.name);
        let note = format!(
            "Above the diagonal: the share of common items in the first {}; below: rank-biased overlap (p = \
             {PERSISTENCE}). Means over the topics for which one of the two has results.",
            self.depth
        );
        let rows = names.iter().enumerate().map(row).collect();
        Some(Table { caption: vec![caption], columns, rows, footnotes: vec![note] })
    }

    fn json(&self, frame: &Frame<'_>) -> Value {
        let names = self.compared_names();
        let mut overlap = Vec::new();
        for (place, with_later) in self.common.iter().enumerate() {
            for (later, common) in (place + 1..).zip(with_later) {
                let Some(common) = common else { continue };
                overlap.push(json!({
                    "members": [names[place], names[later]],
                    "share": common.share,
                    "rbo": common.rank_biased,
                }));
            }
        }
        let left_out = self.left_out.iter().map(|left| json!({ "member": left.name, "why": left.why }));
        json!({
            "depth": self.depth,
            "fusion_reads": self.reads,
            "topics": frame.num_topics(),
            "rows": self.rows.iter().map(|member| member_json(member, frame)).collect::<Vec<_>>(),
            "all": {
                "measures": measures(&frame.whole.scores, frame.columns, frame.policy),
                "interval_95": intervals(&frame.whole.scores, frame),
                "relevant": self.whole.relevant[0],
                "relevant_grade_2": self.whole.relevant[1],
            },
            "together": {
                "relevant": self.together.relevant[0],
                "relevant_grade_2": self.together.relevant[1],
            },
            "best_of_each_topic": self.oracle.as_ref().map(|oracle| json!({
                "measures": measures(oracle, frame.columns, frame.policy),
                "interval_95": intervals(oracle, frame),
            })),
            "overlap": overlap,
            "rbo_persistence": PERSISTENCE,
            "left_out": left_out.collect::<Vec<_>>(),
        })
    }
}

fn member_json(member: &Member, frame: &Frame<'_>) -> Value {
    let alone = member.alone.as_ref().map(|Alone { ran, counts: Counts { relevant, unique } }| {
        let mut alone = json!({
            "measures": measures(&ran.scores, frame.columns, frame.policy),
            "interval_95": intervals(&ran.scores, frame),
            "missing_members": ran.missing,
            "relevant": relevant[0],
            "relevant_grade_2": relevant[1],
            "unique": unique[0],
            "unique_grade_2": unique[1],
            "unique_per_topic": per_topic(unique[0], frame),
        });
        run_record::add_to(&mut alone, &ran.models);
        alone
    });
    let without = member.without.as_ref().map(|Without { ran, against: compared }| {
        let of_measure = |(column, found): (&Measured, &Against)| {
            let Difference { interval, conclusion, .. } = found.difference;
            let mut value = against(&found.comparison);
            value["interval_95"] = json!(interval.map(ends));
            value["verdict"] = json!(conclusion.name());
            (column.name.clone(), value)
        };
        let compared: Map<String, Value> = frame.columns.iter().zip(compared).map(of_measure).collect();
        json!({ "measures": measures(&ran.scores, frame.columns, frame.policy), "against_all": compared })
    });
    json!({
        "member": member.component.name(),
        "kind": member.component.kind(),
        "alone": alone,
        "without": without,
    })
}

fn intervals(scores: &RunScores, frame: &Frame<'_>) -> Map<String, Value> {
    let interval = |(measure, column): (usize, &Measured)| {
        (column.name.clone(), json!(interval_of(scores, measure, frame.policy).map(ends)))
    };
    frame.columns.iter().enumerate().map(interval).collect()
}

fn ends(interval: Interval) -> [f64; 2] {
    [interval.low, interval.high]
}

fn per_topic(count: usize, frame: &Frame<'_>) -> f64 {
    count as f64 / frame.num_topics().max(1) as f64
}

fn count(count: usize) -> Cell {
    Cell::number(count as f64, 0)
}

fn within(interval: Option<Interval>, decimals: usize) -> Cell {
    interval.map_or_else(Cell::default, |Interval { low, high }| {
        Cell::text(format!("{low:.decimals$} to {high:.decimals$}"))
    })
}

fn short(conclusion: Conclusion) -> &'static str {
    match conclusion {
        Conclusion::Gain => "gain",
        Conclusion::Loss => "loss",
        Conclusion::None => "none shown",
    }
}
