//! The comparison as a table, a chart, a page or JSON.

use super::members::{self, Frame};
use super::score::Set;
use super::{Entry, Format, LeftOut};
use crate::evaluate::around::interval_of;
use crate::evaluate::compare::{RESAMPLES, star};
use crate::run_record;
use crate::systems::ListedLab;
use ::formats::Exposed;
use anyhow::{Context, Result};
use eval::{
    Column as Measured, Comparison, Correction, Method, PairedTest, Preset, TopicPolicy, TopicScores,
};
use figures::chart::{Point, Range, Scatter, Spacing, Tone};
use figures::page::{Body, Page, Section};
use figures::table::{Cell, Colour, Column, Format as TableFormat, Mark, Row, Table};
use retrieve::{OUR_OWN, SYSTEMS, SystemTask};
use serde_json::{Map, Value, json};
use stats::paired::Resampling;
use std::io::IsTerminal;

/// Everything that was run and scored.
pub(super) struct Report {
    /// In the order in which they were asked for.
    pub(super) entries: Vec<Entry>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) columns: Vec<Measured>,
    pub(super) sets: Vec<Set>,
    pub(super) policy: TopicPolicy,
    /// The system that the others are tested against.
    pub(super) base: usize,
    pub(super) task: SystemTask,
    pub(super) preset: Preset,
}

/// How systems are tested; as `hypatia eval` does if nothing else is said.
pub(super) fn method(policy: TopicPolicy) -> Method {
    Method {
        test: PairedTest::T,
        correction: Correction::Holm,
        policy,
        resampling: Resampling { resamples: RESAMPLES, seed: 1 },
    }
}

/// The values of all measures.
pub(super) fn measures(
    scores: &eval::RunScores,
    columns: &[Measured],
    policy: TopicPolicy,
) -> Map<String, Value> {
    let value = |(measure, column): (usize, &Measured)| {
        (column.name.clone(), json!(scores.average(measure, policy).value))
    };
    columns.iter().enumerate().map(value).collect()
}

/// A comparison with all its numbers.
pub(super) fn against(c: &Comparison) -> Value {
    json!({
        "difference": c.difference, "p": c.p, "p_corrected": c.corrected, "effect": c.effect,
        "topics": c.topics, "better": c.better, "equal": c.equal, "worse": c.worse,
    })
}

impl Report {
    /// The comparison in one of its forms.
    pub(super) fn render(&self, format: Format) -> Result<String> {
        Ok(match format {
            Format::Text => {
                let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
                let colour = if colour { Colour::On } else { Colour::Off };
                self.tables(format).iter().map(|table| table.to_text(colour)).collect::<Vec<_>>().join("\n")
            }
            Format::Markdown => {
                self.tables(format).iter().map(Table::to_markdown).collect::<Vec<_>>().join("\n")
            }
            Format::Csv => self.table(format).render(TableFormat::Csv),
            Format::Html => self.page().to_html(),
            Format::Json => {
                serde_json::to_string_pretty(&self.json()).context("writing the comparison")? + "\n"
            }
        })
    }

    fn value(&self, entry: &Entry, measure: usize) -> f64 {
        entry.ran.scores.average(measure, self.policy).value
    }

    /// The best by the first measure first.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        let value = |place: usize| self.value(&self.entries[place], 0);
        order.sort_by(|left, right| value(*right).total_cmp(&value(*left)).then(left.cmp(right)));
        order
    }

    /// The comparison of each system with the base by a measure; the base has none.
    fn comparisons(&self, measure: usize) -> Vec<Option<Comparison>> {
        let others: Vec<usize> = (0..self.entries.len()).filter(|place| *place != self.base).collect();
        let scores: Vec<_> = others.iter().map(|place| &self.entries[*place].ran.scores).collect();
        let found = eval::against(&self.entries[self.base].ran.scores, &scores, measure, method(self.policy));
        let mut all = vec![None; self.entries.len()];
        for (place, comparison) in others.into_iter().zip(found) {
            all[place] = Some(comparison);
        }
        all
    }

    fn num_topics(&self) -> usize {
        self.entries[self.base].ran.scores.admitted(self.policy).count()
    }

    fn base_name(&self) -> &str {
        &self.entries[self.base].system.name
    }

    /// The comparison, then what members contribute.
    fn tables(&self, format: Format) -> Vec<Table> {
        let members = self.member_sections().into_iter().map(|(_, table)| table);
        [self.table(format)].into_iter().chain(members).collect()
    }

    /// What the members of each system contribute, with headings.
    fn member_sections(&self) -> Vec<(String, Table)> {
        let of_entry = |place: usize| {
            let Entry { system, ran, members } = &self.entries[place];
            let frame = Frame { name: &system.name, whole: ran, columns: &self.columns, policy: self.policy };
            members.iter().flat_map(move |members| members.sections(&frame))
        };
        self.order().into_iter().flat_map(of_entry).collect()
    }

    fn table(&self, format: Format) -> Table {
        let comparisons: Vec<Vec<Option<Comparison>>> =
            (0..self.columns.len()).map(|measure| self.comparisons(measure)).collect();
        let best: Vec<f64> = (0..self.columns.len())
            .map(|measure| {
                let values = self.entries.iter().map(|entry| self.value(entry, measure));
                values.fold(f64::NEG_INFINITY, f64::max)
            })
            .collect();
        let rows =
            self.order().into_iter().map(|place| self.row(place, &comparisons, &best, format)).collect();
        let caption = vec![format!(
            "Task {}: {} systems over {} topics",
            self.task.number(),
            self.entries.len(),
            self.num_topics()
        )];
        Table { caption, columns: self.heads(format), rows, footnotes: self.footnotes() }
    }

    fn heads(&self, format: Format) -> Vec<Column> {
        let mut columns = vec![Column::left("System")];
        columns.extend(["p50", "p95"].map(|title| Column::right(title).under("CPU ms a topic")));
        for column in &self.columns {
            columns.push(Column::right(column.name.as_str()));
            if format == Format::Csv {
                columns.extend(["from", "to"].map(|end| Column::right(format!("{} {end}", column.name))));
            } else {
                columns.push(Column::left("95 %"));
            }
        }
        let first = self.columns[0].name.as_str();
        if self.sets.len() > 1 {
            columns.extend(self.sets.iter().map(|set| Column::right(set.name.as_str()).under(first)));
        }
        if format == Format::Csv {
            columns.push(Column::left(run_record::EXPOSURE_FIELD));
        }
        let against = format!("{first} against {}", self.base_name());
        let mut tests = vec!["difference", "p", "corrected"];
        // Numbers that stand together in print are apart for programs.
        tests.extend(if format == Format::Csv { &["better", "equal", "worse"][..] } else { &["+ = −"] });
        columns.extend(tests.into_iter().map(|title| Column::right(title).under(against.as_str())));
        columns
    }

    fn row(
        &self,
        place: usize,
        comparisons: &[Vec<Option<Comparison>>],
        best: &[f64],
        format: Format,
    ) -> Row {
        let entry = &self.entries[place];
        let name = match format {
            Format::Csv => Cell::text(entry.system.name.as_str()),
            _ => run_record::name_cell(&entry.system.name, &entry.ran.models),
        };
        let mut cells = vec![if entry.is_whole() { name } else { name.marked(Mark::Dagger) }];
        cells.extend([entry.ran.cpu.p50, entry.ran.cpu.p95].map(|time| Cell::number(time, 2)));
        for (measure, best) in best.iter().enumerate() {
            let value = self.value(entry, measure);
            let mut cell = Cell::number(value, 4);
            if value >= *best {
                cell = cell.marked(Mark::Best);
            }
            if let Some(mark) = comparisons[measure][place].as_ref().and_then(star) {
                cell = cell.marked(mark);
            }
            cells.push(cell);
            let interval = interval_of(&entry.ran.scores, measure, self.policy);
            match (interval, format) {
                (Some(ends), Format::Csv) => {
                    cells.extend([ends.low, ends.high].map(|end| Cell::number(end, 4)));
                }
                (None, Format::Csv) => cells.extend([Cell::default(), Cell::default()]),
                (Some(ends), _) => cells.push(Cell::text(format!("{:.3}–{:.3}", ends.low, ends.high))),
                (None, _) => cells.push(Cell::default()),
            }
        }
        if self.sets.len() > 1 {
            let value = |scores: &eval::RunScores| Cell::number(scores.average(0, self.policy).value, 4);
            cells.extend(entry.ran.by_set.iter().map(value));
        }
        if format == Format::Csv {
            cells.push(run_record::exposure_cell(&entry.ran.models));
        }
        if let Some(found) = &comparisons[0][place] {
            let chance = |p: Option<f64>| p.map_or_else(|| Cell::text("–"), |p| Cell::number(p, 4));
            cells.extend([Cell::number(found.difference, 4), chance(found.p), chance(found.corrected)]);
            let counts = [found.better, found.equal, found.worse];
            if format == Format::Csv {
                cells.extend(counts.map(|count| Cell::number(count as f64, 0)));
            } else {
                cells.push(Cell::text(counts.map(|count| count.to_string()).join(" ")));
            }
        }
        Row::Cells(cells)
    }

    fn footnotes(&self) -> Vec<String> {
        let method = method(self.policy);
        let mut notes = vec![
            format!("{}.", self.preset.rules()),
            format!("Means over {}, with 95 % intervals (Student's t over topics).", self.policy),
            format!(
                "* p < 0.05, ** p < 0.01 against {} ({}, two-sided, {} over the systems).",
                self.base_name(),
                method.test,
                method.correction
            ),
            "+ = −: on how many topics it is better, equal and worse.".to_owned(),
        ];
        for entry in self.entries.iter().filter(|entry| !entry.is_whole()) {
            notes.push(format!("† {}: {}", entry.system.name, entry.what_is_missing()));
        }
        notes.extend(Exposed::among(self.entries.iter().flat_map(|entry| &entry.ran.models)).note());
        for LeftOut { name, why } in &self.left_out {
            notes.push(format!("Left out: {name}: {why}."));
        }
        for entry in &self.entries {
            let note = entry.members.as_ref().and_then(members::Report::note);
            notes.extend(note.map(|note| format!("{}: {note}.", entry.system.name)));
        }
        notes
    }

    /// Quality against time.
    fn scatter(&self) -> Scatter {
        let point = |entry: &Entry| Point {
            label: entry.system.name.clone(),
            x: entry.ran.cpu.p50,
            y: self.value(entry, 0),
            tone: match (entry.is_ours(), entry.is_whole()) {
                (true, _) => Tone::Accent,
                (false, true) => Tone::Plain,
                (false, false) => Tone::Dim,
            },
        };
        Scatter {
            title: format!("Quality against time, task {}", self.task.number()),
            x_label: "CPU milliseconds a topic, in the middle".to_owned(),
            y_label: self.columns[0].name.clone(),
            points: self.order().into_iter().map(|place| point(&self.entries[place])).collect(),
            x_spacing: Spacing::Log,
            y_range: Range::Data,
            decimals: 3,
            summary: format!("{} topics; further up is better, further left is faster", self.num_topics()),
            ..Scatter::default()
        }
    }

    /// The chart as SVG.
    pub(super) fn chart(&self) -> String {
        self.scatter().to_svg()
    }

    fn page(&self) -> Page {
        let chart = Section {
            heading: "Quality against time".to_owned(),
            caption: "Bold: systems of our own and yours. Pale: systems of which a part is missing."
                .to_owned(),
            body: Body::Chart(self.chart()),
        };
        let table = Section {
            heading: "Scores".to_owned(),
            caption: String::new(),
            body: Body::Table(self.table(Format::Html)),
        };
        let members = self.member_sections().into_iter().map(|(heading, table)| Section {
            heading,
            caption: String::new(),
            body: Body::Table(table),
        });
        Page {
            title: format!("Systems for task {} compared", self.task.number()),
            lead: vec![format!("Made by hypatia {}.", env!("CARGO_PKG_VERSION"))],
            sections: [chart, table].into_iter().chain(members).collect(),
        }
    }

    fn json(&self) -> Value {
        let comparisons: Vec<Vec<Option<Comparison>>> =
            (0..self.columns.len()).map(|measure| self.comparisons(measure)).collect();
        let measures = |scores: &eval::RunScores| measures(scores, &self.columns, self.policy);
        let values = |topic: &TopicScores| -> Map<String, Value> {
            let value = |(column, value): (&Measured, &f64)| (column.name.clone(), json!(value));
            self.columns.iter().zip(&topic.values).map(value).collect()
        };
        let per_topic = |entry: &Entry| -> Map<String, Value> {
            let mut all = Map::new();
            for (set, scores) in self.sets.iter().zip(&entry.ran.by_set) {
                for topic in scores.admitted(self.policy) {
                    // Files of two years may have topics of the same id.
                    let id = topic.id.to_string();
                    let id = if all.contains_key(&id) { format!("{}:{id}", set.name) } else { id };
                    all.insert(id, values(topic).into());
                }
            }
            all
        };
        let system = |(place, entry): (usize, &Entry)| {
            let mut around = Map::new();
            for (measure, column) in self.columns.iter().enumerate() {
                let interval = interval_of(&entry.ran.scores, measure, self.policy);
                let against = comparisons[measure][place].as_ref().map(against);
                let interval = interval.map(|interval| [interval.low, interval.high]);
                around.insert(column.name.clone(), json!({ "interval_95": interval, "against": against }));
            }
            let sets = self.sets.iter().zip(&entry.ran.by_set).map(|(set, scores)| {
                let topics = scores.admitted(self.policy).count();
                json!({ "judgments": set.name, "topics": topics, "measures": measures(scores) })
            });
            let mut object = json!({
                "system": entry.system.name,
                "about": entry.system.about,
                "lab": entry.system.lab.as_ref().map(ListedLab::of),
                "missing_members": entry.ran.missing,
                "topics": entry.ran.scores.admitted(self.policy).count(),
                "measures": measures(&entry.ran.scores),
                "around": around,
                "by_judgments": sets.collect::<Vec<_>>(),
                "per_topic": per_topic(entry),
                "cpu_milliseconds": entry.ran.cpu,
            });
            run_record::add_to(&mut object, &entry.ran.models);
            if let Some(members) = &entry.members {
                let (name, whole) = (&entry.system.name, &entry.ran);
                let frame = Frame { name, whole, columns: &self.columns, policy: self.policy };
                object["members"] = members.json(&frame);
            }
            object
        };
        let left_out: Vec<Value> =
            self.left_out.iter().map(|left| json!({ "system": left.name, "why": left.why })).collect();
        json!({
            "task": self.task.number(),
            "measures": self.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(),
            "averaged_over": self.policy.to_string(),
            "against": self.base_name(),
            "systems": self.entries.iter().enumerate().map(system).collect::<Vec<_>>(),
            "left_out": left_out,
            "made_by": concat!("hypatia ", env!("CARGO_PKG_VERSION")),
        })
    }
}

impl Entry {
    /// Whether it is one of our own, or of whoever asks.
    fn is_ours(&self) -> bool {
        let name = self.system.name.as_str();
        OUR_OWN.contains(&name) || SYSTEMS.iter().all(|(known, _)| *known != name)
    }

    /// Whether all of it is there: every member that its file names, and all that the lab's system had.
    fn is_whole(&self) -> bool {
        let is_complete = |lab: &retrieve::Lab| lab.state() == retrieve::State::Complete;
        self.ran.missing.is_empty() && self.system.lab.as_ref().is_none_or(is_complete)
    }

    fn what_is_missing(&self) -> String {
        let lab =
            self.system.lab.as_ref().and_then(|lab| lab.missing.clone().or_else(|| lab.reduced.clone()));
        let members = format!("made without {}.", self.ran.missing.join(", "));
        match (lab, self.ran.missing.is_empty()) {
            (Some(missing), true) => missing,
            (Some(missing), false) => format!("{missing} Here {members}"),
            (None, _) => members,
        }
    }
}
