//! Two runs beside each other for people: a summary, then topics and items.

use super::{Format, Found};
use eval::{Item, Likeness, Move, Position, Presence, TopicDiff, Values};
use figures::table::{Cell, Colour, Column, Row, Table};
use std::io::IsTerminal;

/// How many topics are shown unless more are asked for.
const TOPICS: usize = 10;
/// How many items of a topic are shown unless all are asked for.
const ITEMS: usize = 5;
/// How many decimals values of measures have, and all others.
const DECIMALS: [usize; 2] = [4, 3];

/// Everything that is shown, ended by a line break.
pub(super) fn render(found: &Found<'_>) -> String {
    let shown = shown(found);
    let mut topics = topics(found, &shown);
    let items = items(found, &shown);
    let summary = summary(found);
    if found.args.format == Format::Csv {
        return if items.rows.is_empty() {
            topics.to_csv()
        } else {
            format!("{}\n{}", topics.to_csv(), items.to_csv())
        };
    }
    let markdown = found.args.format == Format::Markdown;
    if shown.is_empty() {
        return format!("{}\n", summary.join(if markdown { "\n\n" } else { "\n" }));
    }
    topics.caption = summary;
    let colour = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let print = |table: &Table| match markdown {
        true => table.to_markdown(),
        false => table.to_text(if colour { Colour::On } else { Colour::Off }),
    };
    let mut out = print(&topics);
    if !items.rows.is_empty() {
        out.push('\n');
        out.push_str(&print(&items));
    }
    out
}

/// The topics that are shown. Those whose rankings are the same, and without
/// judgments those of one run, which the summary names, only if asked for.
fn shown<'a>(found: &Found<'a>) -> Vec<&'a TopicDiff<'a>> {
    let named = !found.args.topic.is_empty();
    let limit = match (found.args.all || named, found.args.top) {
        (_, Some(top)) => top,
        (true, None) => usize::MAX,
        (false, None) => TOPICS,
    };
    let tells = |topic: &&&TopicDiff<'_>| {
        let compared = topic.values.is_some() || topic.presence == Presence::Both;
        found.args.all || named || (compared && !topic.likeness.is_same_ranking())
    };
    found.topics.iter().filter(tells).take(limit).copied().collect()
}

/// `1 topic`, `2 topics`.
fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// What is to be known of the runs as a whole, in lines.
fn summary(found: &Found<'_>) -> Vec<String> {
    let diff = found.diff;
    let mut lines = Vec::new();
    for (side, run, path) in
        [("left: ", found.runs[0], &found.args.left), ("right:", found.runs[1], &found.args.right)]
    {
        let (topics, rows) = (count(run.topics().len(), "topic"), count(run.num_rows(), "row"));
        lines.push(format!("{side} {} (tag {}, {topics}, {rows})", path.display(), run.tag()));
    }
    let likeness = diff.likeness();
    let mut verdict = format!("The runs are {likeness}");
    if likeness == Likeness::Scores || likeness == Likeness::Order {
        verdict = format!("The runs have the {likeness}");
    }
    if likeness.is_same_ranking() && found.runs[0].tag() != found.runs[1].tag() {
        verdict.push_str("; their tags differ");
    }
    let alike = |likeness| diff.present(Presence::Both).filter(|topic| topic.likeness == likeness).count();
    let kinds: Vec<String> = [
        (Likeness::Documents, "with other documents"),
        (Likeness::Order, "with the same documents in another order"),
        (Likeness::Scores, "with other scores only"),
        (Likeness::Identical, "identical"),
    ]
    .into_iter()
    .map(|(likeness, what)| (alike(likeness), what))
    .filter(|(number, _)| *number > 0)
    .map(|(number, what)| format!("{number} {what}"))
    .collect();
    let both = count(diff.present(Presence::Both).count(), "topic");
    let kinds = if kinds.is_empty() { String::new() } else { format!(": {}", kinds.join(", ")) };
    lines.push(format!("{verdict}. {both} in both{kinds}."));
    for (presence, side) in [(Presence::Left, "left"), (Presence::Right, "right")] {
        let names: Vec<String> = diff.present(presence).map(|topic| topic.id.to_string()).collect();
        if !names.is_empty() {
            lines.push(format!(
                "{} only on the {side}: {}.",
                count(names.len(), "topic"),
                crate::nearest::list(&names)
            ));
        }
    }
    lines.extend((diff.present(Presence::Both).next().is_some()).then(|| means(found)));
    if let Some(measure) = found.measure {
        let change = diff.change(measure);
        lines.push(format!(
            "{measure}: {:.4} → {:.4} ({:+.4}) over {}; {} better, {} equal, {} worse.",
            change.left,
            change.right,
            change.difference(),
            count(change.topics, "judged topic"),
            change.better,
            change.equal,
            change.worse
        ));
        let neither = diff.present(Presence::Neither).count();
        if neither > 0 {
            lines.push(format!(
                "{} in neither run, counting 0 on both sides.",
                count(neither, "judged topic")
            ));
        }
    }
    lines
}

/// The means over the topics in both runs, in a line.
fn means(found: &Found<'_>) -> String {
    let mean = |value: fn(&TopicDiff<'_>) -> Option<f64>| {
        found.diff.mean(value).map_or_else(|| "–".to_owned(), |mean| format!("{mean:.3}"))
    };
    let depth = found.depth.map_or(String::new(), |depth| format!(", the first {depth} results"));
    format!(
        "Means over topics in both{depth}: overlap@10 {}, overlap@100 {}, overlap {}, RBO(p={}) {}, tau-b {}.",
        mean(|topic| Some(topic.overlap.at_10)),
        mean(|topic| Some(topic.overlap.at_100)),
        mean(|topic| Some(topic.overlap.all)),
        found.args.rbo_p,
        mean(|topic| topic.rbo),
        mean(|topic| topic.tau_b),
    )
}

/// A number, or a dash where there is none, which is how tables print what is no number.
fn optional(value: Option<f64>, decimals: usize) -> Cell {
    Cell::number(value.unwrap_or(f64::NAN), decimals)
}

#[expect(clippy::cast_precision_loss, reason = "counts and ranks")]
fn whole(number: usize) -> Cell {
    Cell::number(number as f64, 0)
}

/// A line for each topic.
fn topics(found: &Found<'_>, shown: &[&TopicDiff<'_>]) -> Table {
    let mut columns = vec![Column::left("Topic")];
    if let Some(measure) = found.measure {
        columns.extend(
            ["left", "right", "difference"].map(|title| Column::right(title).under(measure.to_string())),
        );
    }
    columns.extend(["@10", "@100", "all"].map(|title| Column::right(title).under("overlap")));
    columns.extend(["RBO", "tau-b"].map(Column::right));
    columns.extend(["left", "right"].map(|title| Column::right(title).under("only")));
    columns.extend(["moved", "by ties"].map(Column::right));
    columns.push(Column::left("is"));
    let row = |topic: &&TopicDiff<'_>| {
        let mut cells = vec![Cell::text(topic.id.as_str())];
        if found.measure.is_some() {
            let values = topic.values;
            cells.extend([
                optional(values.map(|values| values.left), DECIMALS[0]),
                optional(values.map(|values| values.right), DECIMALS[0]),
                optional(values.map(|values| values.difference()), DECIMALS[0]),
            ]);
        }
        let overlap = topic.overlap;
        cells.extend(
            [overlap.at_10, overlap.at_100, overlap.all].map(|share| Cell::number(share, DECIMALS[1])),
        );
        cells.extend([topic.rbo, topic.tau_b].map(|value| optional(value, DECIMALS[1])));
        cells.extend(topic.results.map(|results| whole(results - topic.common)));
        cells.extend([topic.moved, topic.tie_order].map(whole));
        cells.push(Cell::text(state(topic)));
        Row::Cells(cells)
    };
    let rows: Vec<Row> = shown.iter().map(row).collect();
    let mut footnotes = Vec::new();
    if shown.len() < found.topics.len() {
        footnotes.push(format!("{} of {} shown.", shown.len(), count(found.topics.len(), "topic")));
    }
    Table { caption: Vec::new(), columns, rows, footnotes }
}

/// How alike the rankings of a topic are, or which run has none.
fn state(topic: &TopicDiff<'_>) -> String {
    match topic.presence {
        Presence::Both => topic.likeness.to_string(),
        Presence::Left => "only on the left".to_owned(),
        Presence::Right => "only on the right".to_owned(),
        Presence::Neither => "in neither run".to_owned(),
    }
}

/// What moved in each topic, and what came of it.
fn items(found: &Found<'_>, shown: &[&TopicDiff<'_>]) -> Table {
    let flat = found.args.format == Format::Csv;
    let mut columns = if flat { vec![Column::left("Topic")] } else { Vec::new() };
    columns.push(Column::left("Item"));
    columns.extend(["left", "right"].map(|title| Column::right(title).under("rank")));
    if let Some(measure) = found.measure {
        columns.push(Column::right("grade"));
        if measure.is_judged_only() {
            columns.extend(["left", "right"].map(|title| Column::right(title).under("judged rank")));
        }
        columns.extend(["left", "right"].map(|title| Column::right(title).under("term")));
        columns.push(Column::right("contribution"));
    }
    columns.push(Column::left("move"));
    let mut rows = Vec::new();
    let limit = if found.args.all || flat { usize::MAX } else { ITEMS };
    for topic in shown.iter().filter(|topic| !topic.items.is_empty()) {
        if !flat {
            rows.push(Row::Section(heading(found, topic)));
        }
        for item in topic.items.iter().take(limit) {
            let mut cells = if flat { vec![Cell::text(topic.id.as_str())] } else { Vec::new() };
            cells.extend(item_cells(found, item));
            rows.push(Row::Cells(cells));
        }
        let rest = topic.items.get(limit..).unwrap_or_default();
        if !rest.is_empty() {
            let mut cells = vec![Cell::text(format!("and {} more", rest.len()))];
            if found.measure.is_some() {
                cells.resize(columns.len() - 2, Cell::default());
                cells.push(Cell::number(rest.iter().map(Item::contribution).sum(), DECIMALS[0]));
            }
            rows.push(Row::Cells(cells));
        }
    }
    Table { caption: Vec::new(), columns, rows, footnotes: Vec::new() }
}

/// A topic over its items.
fn heading(found: &Found<'_>, topic: &TopicDiff<'_>) -> String {
    match (found.measure, topic.values) {
        (Some(measure), Some(values)) => {
            let Values { left, right } = values;
            format!("{}: {measure} {left:.4} → {right:.4} ({:+.4})", topic.id, values.difference())
        }
        (Some(_), None) => format!("{}: not judged", topic.id),
        (None, _) => topic.id.to_string(),
    }
}

/// The columns of an item.
fn item_cells(found: &Found<'_>, item: &Item<'_>) -> Vec<Cell> {
    let sides = [item.left, item.right];
    let number = |value: Option<usize>| value.map_or_else(|| optional(None, 0), whole);
    let mut cells = vec![Cell::text(item.doc.as_str())];
    cells.extend(sides.map(|side| number(side.map(|position| position.rank))));
    if let Some(measure) = found.measure {
        let grade = item.verdict.grade();
        cells.push(grade.map_or_else(|| Cell::text("unjudged"), |grade| Cell::number(f64::from(grade), 0)));
        if measure.is_judged_only() {
            cells.extend(sides.map(|side| number(side.and_then(|position| position.counted))));
        }
        let term = |side: Option<Position>| optional(side.map(|position| position.term), DECIMALS[0]);
        cells.extend(sides.map(term));
        cells.push(Cell::number(item.contribution(), DECIMALS[0]));
    }
    cells.push(Cell::text(match item.moved {
        Move::Stayed => "stayed",
        Move::TieOrder => "tie order",
        Move::OnlyLeft => "only on the left",
        Move::OnlyRight => "only on the right",
        Move::Moved => direction(item),
    }));
    cells
}

/// Whether an item that both runs have rose or fell.
fn direction(item: &Item<'_>) -> &'static str {
    let rank = |side: Option<Position>| side.map_or(usize::MAX, |position| position.rank);
    if rank(item.right) < rank(item.left) { "up" } else { "down" }
}
