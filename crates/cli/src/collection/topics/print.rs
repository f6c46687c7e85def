//! What is printed of topics: the rules, where questions fell, and how many topics are of which kind.

use report::table::{Cell, Colour, Column, Row, Table};
use std::fmt::Write;
use topics::{Candidates, Chosen, Dependence, Level, QuestionType, Stratum};

/// The widest line of the rules.
const WIDTH: usize = 100;

/// A value of a dimension: its name, and whether a stratum has it.
type Value<'v> = (&'static str, &'v dyn Fn(&Stratum) -> bool);

/// All rules, each under its name.
pub(super) fn rules() -> String {
    let mut out = String::new();
    for (name, rule) in topics::rules() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{name}");
        let mut line = String::new();
        for word in rule.split(' ') {
            if line.chars().count() + word.chars().count() >= WIDTH {
                let _ = writeln!(out, " {line}");
                line.clear();
            }
            line.push(' ');
            line.push_str(word);
        }
        let _ = writeln!(out, " {line}\n");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// The funnel, then topics and candidates by each dimension.
pub(super) fn summary(candidates: &Candidates, chosen: &Chosen<'_>) -> String {
    let mut funnel = Table {
        columns: vec![Column::left("criterion"), Column::right("fell"), Column::right("left")],
        ..Table::default()
    };
    let count = |count: u64| Cell::number(count as f64, 0);
    let mut row = |name: &str, fell: Option<u64>, left: u64| {
        let cells = vec![Cell::text(name), fell.map_or_else(Cell::default, count), count(left)];
        funnel.rows.push(Row::Cells(cells));
    };
    row("questions", None, candidates.funnel.questions);
    for (criterion, fell, left) in candidates.funnel.steps() {
        row(criterion.name(), Some(fell), left);
    }
    let all = candidates.list.len();
    let apart = (chosen.shared + chosen.alike) as u64;
    row("no duplicate in common with a topic", Some(chosen.shared as u64), (all - chosen.shared) as u64);
    row("not like a topic", Some(chosen.alike as u64), all as u64 - apart);
    let topics = chosen.topics.len() as u64;
    row("chosen", Some(all as u64 - apart - topics), topics);

    let mut strata = Table {
        columns: vec![Column::left(""), Column::right("topics"), Column::right("candidates")],
        ..Table::default()
    };
    let mut section = |name: &str, values: [Value<'_>; 3]| {
        strata.rows.push(Row::Section(name.to_owned()));
        for (value, has) in values {
            let topics = chosen.topics.iter().filter(|picked| has(&picked.candidate.stratum)).count();
            let others = candidates.list.iter().filter(|candidate| has(&candidate.stratum)).count();
            strata.rows.push(Row::Cells(vec![Cell::text(value), count(topics as u64), count(others as u64)]));
        }
    };
    section(
        "type",
        [
            ("Computation", &|stratum| stratum.kind == QuestionType::Computation),
            ("Concept", &|stratum| stratum.kind == QuestionType::Concept),
            ("Proof", &|stratum| stratum.kind == QuestionType::Proof),
        ],
    );
    section(
        "difficulty",
        [
            ("Low", &|stratum| stratum.difficulty == Level::Low),
            ("Medium", &|stratum| stratum.difficulty == Level::Medium),
            ("High", &|stratum| stratum.difficulty == Level::High),
        ],
    );
    section(
        "dependence",
        [
            ("Text", &|stratum| stratum.dependence == Dependence::Text),
            ("Formula", &|stratum| stratum.dependence == Dependence::Formula),
            ("Both", &|stratum| stratum.dependence == Dependence::Both),
        ],
    );
    section(
        "complexity",
        [
            ("Low", &|stratum| stratum.complexity == Level::Low),
            ("Medium", &|stratum| stratum.complexity == Level::Medium),
            ("High", &|stratum| stratum.complexity == Level::High),
        ],
    );
    let parts = chosen.topics.iter().filter(|picked| picked.candidate.multi_part.starts_with("Yes")).count();
    let parts_of_all =
        candidates.list.iter().filter(|candidate| candidate.multi_part.starts_with("Yes")).count();
    strata.rows.push(Row::Rule);
    let cells = vec![Cell::text("multi-part"), count(parts as u64), count(parts_of_all as u64)];
    strata.rows.push(Row::Cells(cells));
    format!("{}\n{}", funnel.to_text(Colour::Off), strata.to_text(Colour::Off))
}
