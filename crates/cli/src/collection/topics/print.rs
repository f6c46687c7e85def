//! What is printed of topics: the rules, where questions fell, and how evenly topics are spread.

use figures::table::{Cell, Colour, Column, Row, Table};
use std::fmt::Write;
use std::path::Path;
use topics::balance::{Dimension, balance};
use topics::{Candidates, Chosen, Known, Plan};

/// The widest line of the rules.
const WIDTH: usize = 100;

/// How many of the questions that resemble earlier topics are printed; all are in a file.
const MOST_LEFT_OUT: usize = 20;

/// Rules, each under its name.
pub(in crate::collection) fn rules(rules: &[(&str, &str)]) -> String {
    let mut out = String::new();
    for (name, rule) in rules {
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

/// The funnel, what is known, what resembles earlier topics, and the balance.
pub(super) fn summary(plan: &Plan<'_>, candidates: &Candidates, chosen: &Chosen<'_>) -> String {
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

    let mut out = funnel.to_text(Colour::Off);
    push_unknown(&mut out, &candidates.known);
    push_left_out(&mut out, plan, candidates);
    out.push('\n');
    out.push_str(&balance_table(&balance(&candidates.list, chosen)).to_text(Colour::Off));
    out
}

/// What soft criteria could not be asked for, since nothing is known.
fn push_unknown(out: &mut String, known: &Known) {
    if known.questions == 0 {
        return;
    }
    for (count, what) in [
        (known.score, "the score"),
        (known.answers, "the number of answers"),
        (known.comments, "the number of comments"),
        (known.views, "the number of views"),
    ] {
        if count < known.questions {
            // Writing to a string does not fail.
            let _ = writeln!(
                out,
                "{what} is known for {count} of {} questions with a formula and a duplicate; unknown values count \
                 neither for nor against a question",
                known.questions
            );
        }
    }
}

/// Questions that resemble topics of earlier years, and those that lost quality.
fn push_left_out(out: &mut String, plan: &Plan<'_>, candidates: &Candidates) {
    if plan.earlier.is_empty() {
        return;
    }
    let shares = candidates.list.iter().filter_map(|candidate| candidate.nearest.map(|(_, share)| share));
    let (lowered, most) =
        shares.fold((0_usize, 0.0_f64), |(count, most), share| (count + 1, most.max(share)));
    let _ = writeln!(
        out,
        "\nleft out for their similarity to one of {} earlier topics: {}\nkept with lower quality, since they share \
         less with one: {lowered} (largest share {most:.3})",
        plan.earlier.len(),
        candidates.left_out.len()
    );
    if candidates.left_out.is_empty() {
        return;
    }
    let columns = ["question", "similar to", "file", "reason", "title"];
    let mut table = Table { columns: columns.map(Column::left).to_vec(), ..Table::default() };
    for question in candidates.left_out.iter().take(MOST_LEFT_OUT) {
        let Some(earlier) = plan.earlier.get(question.earlier) else { continue };
        let why = question.why.to_string();
        let file =
            Path::new(&earlier.file).file_name().map_or_else(String::new, |name| name.display().to_string());
        let cells = [&question.question, &earlier.topic, &file, &why, &shortened(&question.title)];
        table.rows.push(Row::Cells(cells.map(Cell::text).to_vec()));
    }
    out.push_str(&table.to_text(Colour::Off));
    let more = candidates.left_out.len().saturating_sub(MOST_LEFT_OUT);
    if more > 0 {
        let _ = writeln!(out, "and {more} more, all in left_out.tsv");
    }
}

/// The beginning of a title.
fn shortened(title: &str) -> String {
    const WIDEST: usize = 60;
    if title.chars().count() <= WIDEST {
        return title.to_owned();
    }
    title.chars().take(WIDEST - 1).chain(['…']).collect()
}

/// Candidates and topics by each dimension: before the choice and after.
fn balance_table(dimensions: &[Dimension]) -> Table {
    let mut table = Table {
        columns: vec![
            Column::left(""),
            Column::right("candidates"),
            Column::right("%"),
            Column::right("topics"),
            Column::right("%"),
        ],
        ..Table::default()
    };
    let [all, topics] = totals(dimensions);
    for dimension in dimensions.iter().filter(|dimension| !dimension.values.is_empty()) {
        table.rows.push(Row::Section(dimension.name.to_owned()));
        for value in &dimension.values {
            let mut cells = vec![Cell::text(value.value)];
            for (count, all) in [(value.candidates, all), (value.topics, topics)] {
                cells.push(Cell::number(count as f64, 0));
                cells.push(if all > 0 {
                    Cell::number(100.0 * count as f64 / all as f64, 1)
                } else {
                    Cell::default()
                });
            }
            table.rows.push(Row::Cells(cells));
        }
        if let Some(evenness) = dimension.evenness() {
            let number = |value: f64| Cell::number(value, 3);
            let cells = vec![
                Cell::text("evenness"),
                number(evenness.candidates),
                Cell::default(),
                number(evenness.topics),
                Cell::default(),
            ];
            table.rows.push(Row::Cells(cells));
        }
    }
    table
}

/// How many candidates and topics there are: each has one type.
pub(super) fn totals(dimensions: &[Dimension]) -> [usize; 2] {
    let types = dimensions.first().map(|dimension| dimension.values.as_slice()).unwrap_or_default();
    [types.iter().map(|value| value.candidates).sum(), types.iter().map(|value| value.topics).sum()]
}
