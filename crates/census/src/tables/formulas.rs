//! Formulas: where they stand, kinds, the most frequent, and where identities disagree.

use super::{line, line_of, number, number_columns, share, short};
use crate::{Both, Census, Disagreement, Forms, FormulaKind, Histogram, Place, Sheet};
use figures::table::{Cell, Column, Row, Table};

/// Everything about formulas that is a count.
pub(super) fn overview(sheet: &Sheet<'_>, census: &Census) -> Table {
    let counts = sheet.collection.about().counts;
    let Census { posts, forms, visuals, looks } = census;
    let all = u64::from(counts.formulas);
    let mut rows = vec![Row::Section("Instances".into())];
    for place in Place::ALL {
        let count = posts.places[place as usize].all();
        if count > 0 {
            let name = match place {
                Place::Nowhere => "in no text, only in a table".to_owned(),
                place => format!("in a {}", place.name()).replace("a answer", "an answer"),
            };
            rows.push(line_of(&name, count, all));
        }
    }
    rows.push(line("all", all));
    rows.push(line_of(
        "set off on lines of their own",
        posts.places.iter().map(|place| place.block).sum(),
        all,
    ));
    for (name, count) in [
        ("without an id in the source", posts.oddities.our_id),
        ("without a span in the source", posts.oddities.wrapped),
        ("elsewhere than their table says", posts.oddities.elsewhere),
        ("with a visual id that was changed", posts.oddities.new_visual_id),
    ] {
        if count > 0 {
            rows.push(line_of(name, count, all));
        }
    }
    let each = posts.formulas_each();
    rows.push(Row::Section("Posts".into()));
    rows.push(line_of("without a formula", each.at(0), each.count()));

    rows.push(Row::Section("Distinct formulas".into()));
    rows.push(line("formula ids", counts.formula_ids.into()));
    rows.push(line("forms: LaTeX, given MathML and visual id", counts.forms.into()));
    rows.push(line_of("forms that occur once", forms.frequency.at(1), counts.forms.into()));
    rows.push(line("visual ids", counts.visuals.into()));
    rows.push(line_of("visual ids in posts", visuals.in_posts, counts.visuals.into()));
    rows.push(line_of("visual ids that occur once", visuals.frequency.at(1), counts.visuals.into()));
    rows.push(line("our keys of forms with a given visual id", looks.keys));

    rows.push(Row::Section("Forms, and the instances written so".into()));
    for (name, both, shown) in [
        ("a part of the LaTeX cannot be read", forms.unreadable, Shown::Always),
        ("without LaTeX", forms.without_latex, Shown::IfAny),
        ("without given Presentation MathML", forms.without_presentation, Shown::Always),
        ("without given Content MathML", forms.without_content, Shown::Always),
        ("with wrong Presentation MathML", forms.foreign_presentation, Shown::IfAny),
        ("with wrong Content MathML", forms.foreign_content, Shown::IfAny),
        ("with a visual id of ours", forms.our_visual_id, Shown::IfAny),
    ] {
        if both.forms > 0 || shown == Shown::Always {
            rows.push(line_of(name, both.forms, forms.all.forms));
            rows.push(line_of("– instances", both.instances, forms.all.instances));
        }
    }
    Table { caption: vec!["Formulas.".into()], columns: number_columns(), rows, ..Table::default() }
}

/// Whether a line is shown that has nothing to say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Always,
    IfAny,
}

pub(super) fn sizes(forms: &Forms) -> Vec<(&'static str, Histogram)> {
    vec![
        ("symbols, distinct forms", forms.sizes.symbols.clone()),
        ("symbols, instances", forms.instance_sizes.symbols.clone()),
        ("depth, distinct forms", forms.sizes.depth.clone()),
        ("depth, instances", forms.instance_sizes.depth.clone()),
        ("nesting, distinct forms", forms.sizes.nesting.clone()),
        ("nesting, instances", forms.instance_sizes.nesting.clone()),
    ]
}

fn both_columns(name: &str) -> Vec<Column> {
    vec![
        Column::left(name),
        Column::right("Forms"),
        Column::right("Share"),
        Column::right("Instances"),
        Column::right("Share"),
    ]
}

fn both_line(name: &str, both: Both, all: Both) -> Row {
    Row::Cells(vec![
        Cell::text(name),
        number(both.forms),
        share(both.forms, all.forms),
        number(both.instances),
        share(both.instances, all.instances),
    ])
}

/// Formulas by kind, with the rules.
pub(super) fn kinds(census: &Census) -> Table {
    let forms = &census.forms;
    let rows =
        FormulaKind::ALL.iter().map(|kind| both_line(kind.name(), forms.kinds[*kind as usize], forms.all));
    let rules: Vec<String> =
        FormulaKind::ALL.iter().map(|kind| format!("{}: {}", kind.name(), kind.rule())).collect();
    Table {
        caption: vec!["Kinds of formulas.".into()],
        columns: both_columns("Kind"),
        rows: rows.collect(),
        footnotes: vec![format!("The first rule that holds makes the kind. {}.", rules.join("; "))],
    }
}

/// The formulas that occur most.
pub(super) fn most_frequent(census: &Census) -> Option<Table> {
    let all = census.forms.all.instances;
    let frequent = &census.visuals.most_frequent;
    (!frequent.is_empty()).then(|| Table {
        caption: vec!["Most frequent formulas.".into()],
        columns: vec![
            Column::left("LaTeX"),
            Column::right("Visual id"),
            Column::right("Instances"),
            Column::right("Share"),
        ],
        rows: frequent
            .iter()
            .map(|formula| {
                Row::Cells(vec![
                    Cell::text(short(&formula.latex)),
                    Cell::text(formula.visual_id.to_string()),
                    number(formula.instances),
                    share(formula.instances, all),
                ])
            })
            .collect(),
        ..Table::default()
    })
}

/// What the reader of LaTeX remarks.
pub(super) fn remarks(census: &Census) -> Option<Table> {
    let forms = &census.forms;
    (!forms.remarks.is_empty()).then(|| Table {
        caption: vec!["What our reader remarks about LaTeX.".into()],
        columns: both_columns("Remark"),
        rows: forms.remarks.iter().map(|(remark, both)| both_line(remark, *both, forms.all)).collect(),
        footnotes: vec!["A formula may have several.".into()],
    })
}

/// Where our key and visual ids disagree, then examples of both sides.
pub(super) fn looks(census: &Census) -> Vec<Table> {
    let looks = &census.looks;
    if looks.forms == 0 {
        return Vec::new();
    }
    let line = |name: &str, side: &Disagreement| {
        Row::Cells(vec![
            Cell::text(name),
            number(side.groups),
            number(side.same_latex),
            number(side.forms),
            number(side.instances),
        ])
    };
    let counts = Table {
        caption: vec!["Where our keys and the given visual ids disagree.".into()],
        columns: vec![
            Column::left(""),
            Column::right("Groups"),
            Column::right("Same LaTeX"),
            Column::right("Forms"),
            Column::right("Instances"),
        ],
        rows: vec![
            line("visual ids with several keys", &looks.split),
            line("keys with several visual ids", &looks.joined),
        ],
        footnotes: vec![
            "Same LaTeX: groups in which two forms that are apart are written alike, letter by letter."
                .into(),
        ],
    };
    let mut tables = vec![counts];
    for (caption, column, side) in [
        ("One visual id, several keys: examples.", "Keys", &looks.split),
        ("One key, several visual ids: examples.", "Visual ids", &looks.joined),
    ] {
        if side.examples.is_empty() {
            continue;
        }
        tables.push(Table {
            caption: vec![caption.into()],
            columns: vec![
                Column::left("LaTeX"),
                Column::left("and"),
                Column::right("Visual id"),
                Column::right("and"),
                Column::right(column),
                Column::right("Instances"),
            ],
            rows: side
                .examples
                .iter()
                .map(|example| {
                    let (first, second) = example.visual_ids;
                    let second = if first == second { String::new() } else { second.to_string() };
                    let parts = example.num_keys.max(example.num_visual_ids) as u64;
                    Row::Cells(vec![
                        Cell::text(short(&example.latex.0)),
                        Cell::text(short(&example.latex.1)),
                        Cell::text(first.to_string()),
                        Cell::text(second),
                        number(parts),
                        number(example.instances),
                    ])
                })
                .collect(),
            ..Table::default()
        });
    }
    tables
}
