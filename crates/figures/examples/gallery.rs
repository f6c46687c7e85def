//! Draws every chart and table with made-up values into a folder:
//! `cargo run -p hypatia-figures --example gallery -- out/`.

use std::path::Path;

use figures::chart::{
    Band, Bars, Bin, Diagonal, Difference, Differences, Dots, Estimate, Heatmap, Lines, Panel, Point, Range,
    Reference, Scale, Scatter, Series, Shape, Spacing, System, Tone,
};
use figures::page::{Body, Page, Section};
use figures::table::{Cell, Colour, Column, Format, Mark, Row, Table};
use figures::tree::{Direction, Node, Side, Tree};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "gallery".to_owned());
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;

    let charts = [
        ("dots-3", "Three systems", dots(3, 1, Shape::Dot).to_svg()),
        ("dots-30", "Thirty systems, three measures", dots(30, 3, Shape::Dot).to_svg()),
        ("bars-8", "Bars, two measures", dots(8, 2, Shape::Bar).to_svg()),
        ("dots-60", "Sixty systems", dots(60, 4, Shape::Dot).to_svg()),
        ("differences-12", "Two runs on 12 topics", differences(12).to_svg()),
        ("differences-78", "Two runs on 78 topics", differences(78).to_svg()),
        ("differences-200", "Two runs on 200 topics", differences(200).to_svg()),
        ("heatmap-strata", "Systems by kind of question", heatmap_strata().to_svg()),
        ("heatmap-topics", "Systems by topic", heatmap_topics(30, 78).to_svg()),
        ("scatter-12", "Two sets of judgments, 12 systems", scatter(12).to_svg()),
        ("scatter-45", "Two sets of judgments, 45 systems", scatter(45).to_svg()),
        ("lines-time", "Quality against time", lines_time().to_svg()),
        ("lines-depth", "Deeper pools", lines_depth(14).to_svg()),
        ("lines-zipf", "Ranks and frequencies", lines_zipf().to_svg()),
        ("bars-1", "A histogram", bars(9, 1).to_svg()),
        ("bars-2", "Two histograms", bars(12, 2).to_svg()),
        ("bars-years", "Years", bars(30, 3).to_svg()),
        ("tree-down", "A tree", tree_down(40).to_svg()),
        ("tree-right", "A tree as one writes", tree_right().to_svg()),
        ("tree-large", "A tree that is too large", tree_down(2_000).to_svg()),
    ];
    let mut sections = vec![Section {
        heading: "Overview".into(),
        caption: "Bold: best of its column.".into(),
        body: Body::Table(table()),
    }];
    for (name, heading, svg) in charts {
        std::fs::write(folder.join(format!("{name}.svg")), &svg)?;
        sections.push(Section {
            heading: heading.into(),
            caption: "All values are made up.".into(),
            body: Body::Chart(svg),
        });
    }
    let page = Page {
        title: "Gallery of charts".into(),
        lead: vec!["How every chart and table looks, with made-up values.".into()],
        sections,
    };
    std::fs::write(folder.join("index.html"), page.to_html())?;
    for (name, format) in [
        ("table.txt", Format::Text(Colour::Off)),
        ("table.ansi", Format::Text(Colour::On)),
        ("table.md", Format::Markdown),
        ("table.tex", Format::Latex),
        ("table.csv", Format::Csv),
    ] {
        std::fs::write(folder.join(name), table().render(format))?;
    }
    Ok(())
}

/// A number from 0 to 1 that looks random and is always the same.
fn noise(seed: usize) -> f64 {
    let mut x = (seed as u64).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 32;
    (x % 10_000) as f64 / 10_000.0
}

fn run_name(index: usize) -> String {
    const NAMES: [&str; 10] = [
        "BM25",
        "TF-IDF",
        "structure-and-text_fused_by_reciprocal_rank",
        "tree-edit",
        "dense-reranked_top1000_from_formula_paths",
        "paths",
        "paths+text",
        "linked posts",
        "colbert-like late interaction",
        "tuples",
    ];
    if index < NAMES.len() {
        NAMES[index].to_owned()
    } else {
        format!("{}-{}", NAMES[index % NAMES.len()], index / NAMES.len() + 1)
    }
}

fn dots(systems: usize, measures: usize, shape: Shape) -> Dots {
    let measure = |m: usize| ["nDCG'", "MAP'", "P'@10", "Bpref"][m].to_owned();
    Dots {
        title: format!("Effectiveness of {systems} systems"),
        systems: (0..systems)
            .map(|i| System {
                name: run_name(i),
                tone: match i {
                    0 | 1 => Tone::Dim,
                    2 => Tone::Accent,
                    _ => Tone::Plain,
                },
            })
            .collect(),
        panels: (0..measures)
            .map(|m| Panel {
                measure: measure(m),
                estimates: (0..systems)
                    .map(|i| {
                        let best = [0.46, 0.2, 0.3, 0.22][m];
                        let value =
                            best * (1.0 - i as f64 / (systems as f64 * 1.4)) - 0.03 * noise(i * 7 + m);
                        let half = 0.015 + 0.02 * noise(i + 31 * m);
                        let value = if systems == 30 && i == 17 && m == 1 { f64::NAN } else { value };
                        Estimate { value, interval: Some((value - half, value + half)) }
                    })
                    .collect(),
                references: if m == 0 {
                    vec![
                        Reference { label: "random order".into(), value: 0.021 },
                        Reference { label: "highest possible".into(), value: 0.61 },
                    ]
                } else {
                    Vec::new()
                },
                range: Range::FROM_ZERO,
                decimals: 3,
            })
            .collect(),
        shape,
        notes: vec!["Whiskers: 95% bootstrap intervals over 78 topics.".into()],
    }
}

fn differences(topics: usize) -> Differences {
    Differences {
        title: "Fused run against BM25, topic by topic".into(),
        measure: "nDCG'".into(),
        system: run_name(2),
        baseline: "BM25".into(),
        topics: (0..topics)
            .map(|i| {
                let value = noise(i) * 0.9 - 0.35;
                let value = if i % 9 == 4 { 0.0 } else { value * value.abs().sqrt() };
                Difference { topic: format!("A.{}", 301 + i), value: if i == 70 { f64::NAN } else { value } }
            })
            .collect(),
        equal_within: 0.0005,
        decimals: 3,
        notes: vec!["Mean difference 0.052 [0.021, 0.084]; randomisation test p = 0.002.".into()],
    }
}

fn heatmap_strata() -> Heatmap {
    let columns = ["computation", "concept", "proof", "easy", "medium", "hard", "formula", "text", "both"];
    Heatmap {
        title: "nDCG' by kind of question".into(),
        rows: (0..8).map(run_name).collect(),
        columns: columns.map(String::from).to_vec(),
        values: (0..8)
            .map(|row| {
                (0..columns.len())
                    .map(|column| {
                        let value = 0.05 + 0.06 * row as f64 + 0.25 * noise(row * 17 + column);
                        if row == 3 && column == 5 { f64::NAN } else { value }
                    })
                    .collect()
            })
            .collect(),
        measure: "nDCG'".into(),
        range: Range::FROM_ZERO,
        decimals: 2,
        ..Heatmap::default()
    }
}

fn heatmap_topics(rows: usize, topics: usize) -> Heatmap {
    Heatmap {
        title: "Difference from the median system, topic by topic".into(),
        rows: (0..rows).map(run_name).collect(),
        columns: (0..topics).map(|i| format!("A.{}", 301 + i)).collect(),
        values: (0..rows)
            .map(|row| {
                (0..topics)
                    .map(|topic| {
                        let level = 0.3 - 0.6 * row as f64 / rows as f64;
                        level * noise(topic) + 0.5 * (noise(row * 211 + topic) - 0.5)
                    })
                    .collect()
            })
            .collect(),
        measure: "nDCG' minus median".into(),
        scale: Scale::Diverging { centre: 0.0 },
        decimals: 2,
        ..Heatmap::default()
    }
}

fn scatter(systems: usize) -> Scatter {
    Scatter {
        title: "Do students and experts rank systems alike?".into(),
        x_label: "nDCG' (experts)".into(),
        y_label: "nDCG' (students)".into(),
        points: (0..systems)
            .map(|i| {
                let x = 0.1 + 0.4 * noise(i * 3 + 1).sqrt();
                let tone = if i == 2 { Tone::Accent } else { Tone::Plain };
                Point { label: run_name(i), x, y: x * 0.9 + 0.08 * noise(i * 5 + 2), tone }
            })
            .collect(),
        diagonal: Diagonal::Equal,
        decimals: 3,
        summary: "Kendall's τ = 0.81 [0.72, 0.89], Pearson's r = 0.93".into(),
        ..Scatter::default()
    }
}

fn lines_time() -> Lines {
    let names = ["paths", "paths, pruned", "dense", "late interaction", "BM25"];
    Lines {
        title: "Quality against time".into(),
        x_label: "milliseconds per topic".into(),
        y_label: "nDCG'".into(),
        series: names
            .iter()
            .enumerate()
            .map(|(s, name)| Series {
                name: (*name).to_owned(),
                points: (0..8)
                    .map(|i| {
                        let x = 1.5 * 3_f64.powi(i) * (1.0 + s as f64 * 0.3);
                        let y = 0.45 - 0.05 * s as f64 - 0.25 / f64::from(i + 1);
                        (x, if s == 2 && i == 4 { f64::NAN } else { y })
                    })
                    .collect(),
                band: Vec::new(),
            })
            .collect(),
        x_spacing: Spacing::Log,
        y_range: Range::FROM_ZERO,
        decimals: 3,
        ..Lines::default()
    }
}

fn lines_depth(series: usize) -> Lines {
    Lines {
        title: "Share of relevant answers found by deeper pools".into(),
        x_label: "pool depth".into(),
        y_label: "share found".into(),
        series: (0..series)
            .map(|s| {
                let value =
                    |depth: f64| 1.0 - (-depth / (12.0 + 4.0 * s as f64)).exp() * (0.9 - 0.02 * s as f64);
                Series {
                    name: run_name(s),
                    points: (1..=20).map(|i| (f64::from(i * 5), value(f64::from(i * 5)))).collect(),
                    band: if s < 2 {
                        (1..=20)
                            .map(|i| {
                                let x = f64::from(i * 5);
                                Band { x, low: value(x) - 0.04, high: value(x) + 0.03 }
                            })
                            .collect()
                    } else {
                        Vec::new()
                    },
                }
            })
            .collect(),
        y_range: Range::UNIT,
        decimals: 3,
        notes: vec!["Bands: 95% intervals.".into()],
        ..Lines::default()
    }
}

fn lines_zipf() -> Lines {
    Lines {
        title: "How often each formula occurs".into(),
        x_label: "rank".into(),
        y_label: "instances".into(),
        series: vec![Series {
            name: "visual ids".into(),
            points: (0..60)
                .map(|i| {
                    let rank = 1.2_f64.powi(i);
                    (rank, (9000.0 / rank.powf(0.9)).max(1.0).round())
                })
                .collect(),
            band: Vec::new(),
        }],
        x_spacing: Spacing::Log,
        y_spacing: Spacing::Log,
        ..Lines::default()
    }
}

fn bars(bins: usize, series: usize) -> Bars {
    Bars {
        title: "Formulas per post".into(),
        x_label: "formulas".into(),
        y_label: "posts".into(),
        series: ["questions", "answers", "documents"][..series].iter().map(|&name| name.to_owned()).collect(),
        bins: (0..bins)
            .map(|bin| Bin {
                label: if bin < 2 {
                    bin.to_string()
                } else {
                    format!("{}–{}", 1 << (bin - 1), (1 << bin) - 1)
                },
                values: (0..series)
                    .map(|s| (9000.0 * (-((bin as f64 - 3.0 - s as f64) / 2.0).powi(2)).exp()).round())
                    .collect(),
            })
            .collect(),
        ..Bars::default()
    }
}

fn table() -> Table {
    let groups = ["ARQMath-1 / 77 topics", "ARQMath-2 / 71 topics", "ARQMath-3 / 78 topics"];
    let measures = ["nDCG'", "MAP'", "P'@10"];
    let mut columns = vec![Column::left("Run")];
    for group in groups {
        columns.extend(measures.map(|measure| Column::right(measure).under(group)));
    }
    let row = |name: &str, level: f64, best: bool| {
        let mut cells = vec![Cell::text(name)];
        for column in 0..9 {
            let value = level * [1.0, 0.35, 0.5][column % 3] + 0.03 * noise(name.len() * 13 + column);
            let mut cell = Cell::number(value, 3);
            if best {
                cell = cell.marked(Mark::Best);
            }
            if level > 0.3 {
                cell = cell.marked(if column % 2 == 0 { Mark::DoubleStar } else { Mark::Star });
            }
            cells.push(cell);
        }
        Row::Cells(cells)
    };
    Table {
        caption: vec!["Answer retrieval: effectiveness of all runs.".into()],
        columns,
        rows: vec![
            Row::Section("Baselines".into()),
            row("BM25", 0.19, false),
            row("TF-IDF", 0.2, false),
            row("Linked posts", 0.25, false),
            Row::Section("Team A".into()),
            row("fused", 0.43, true),
            row("paths+text", 0.38, false),
            row("paths", 0.29, false),
            Row::Section("Team B & guests".into()),
            row("dense_reranked", 0.35, false),
            row("tuples", 0.22, false),
        ],
        footnotes: vec!["* p < 0.05, ** p < 0.01 against BM25, Holm-corrected.".into()],
    }
}

/// A tree of words, some of them long.
fn tree_down(count: usize) -> Tree {
    let label =
        |place: usize| ["plus", "x", "a longer label than most have, so long that it is cut", "2"][place % 4];
    let nodes = (0..count)
        .map(|place| Node {
            label: label(place).into(),
            edge: if place % 3 == 1 { place.to_string() } else { String::new() },
            parent: place.checked_sub(1).map(|last| last / 2 + place % 3 * last / 9),
            ..Node::default()
        })
        .collect();
    Tree { title: "A tree".into(), nodes, direction: Direction::Down }
}

/// A layout tree: x squared plus a fraction.
fn tree_right() -> Tree {
    let node = |label: &str, edge: &str, parent| Node {
        label: label.into(),
        edge: edge.into(),
        side: if edge == "n" { Side::Straight } else { Side::Branch },
        parent,
        ..Node::default()
    };
    let nodes = vec![
        node("x", "", None),
        node("2", "a", Some(0)),
        node("+", "n", Some(0)),
        node("fraction", "n", Some(2)),
        node("a", "o", Some(3)),
        node("=", "n", Some(3)),
        node("b", "u", Some(3)),
        node("i", "b", Some(6)),
        node("c", "n", Some(5)),
    ];
    Tree { title: "x squared plus a over b".into(), nodes, direction: Direction::Right }
}
