//! Charts of the scores, and a page that shows them.

use super::around::interval;
use super::score::{Results, ScoredSet};
use super::table::{Sections, decimals};
use super::{Eval, compare, strata, table};
use anyhow::{Context, Result};
use eval::pairs;
use figures::chart::{
    Diagonal, Difference, Differences, Dots, Estimate, Heatmap, Panel, Point, Range, Reference, Scale,
    Scatter, Shape, Spacing, System, Tone,
};
use figures::page::{Body, Page, Section};
use figures::table::Table;
use stats::correlation::{pearson, tau_b};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A chart under the name of its file.
struct Chart {
    file: String,
    heading: String,
    caption: String,
    svg: String,
}

/// Writes all charts that make sense for the runs, and the page; gives its path.
pub(super) fn write(results: &Results<'_>, dir: &Path) -> Result<PathBuf> {
    fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    let mut charts = Vec::new();
    for set in &results.sets {
        let suffix =
            if results.sets.len() > 1 { format!("-{}", file_name(&set.name)) } else { String::new() };
        charts.push(systems(results, set, &suffix)?);
        charts.extend(differences(results, set, &suffix)?);
        charts.extend(measures(results, set, &suffix)?);
        if results.args.compare.label().is_some() {
            charts.extend(kinds(results, set, &suffix)?);
        }
    }
    charts.extend(judgments(results)?);
    let runs = results.runs.iter().map(|run| run.path.as_path());
    let lead = results.rules.iter().cloned().chain(provenance(results.args, runs)?);
    write_page(dir, "Scores", table::overviews(results)?, charts, lead.collect())
}

/// Writes the figures of a study of judgments and the page; gives its path.
pub(super) fn write_judgments(
    args: &Eval,
    dir: &Path,
    table: &Table,
    charts: Vec<(String, String)>,
) -> Result<PathBuf> {
    fs::create_dir_all(dir).with_context(|| dir.display().to_string())?;
    let several = charts.len() > 1;
    let charts = charts.into_iter().map(|(name, svg)| Chart {
        file: if several { format!("relevant-{}", file_name(&name)) } else { "relevant".to_owned() },
        heading: name,
        caption: table.footnotes.join(" "),
        svg,
    });
    let lead = provenance(args, std::iter::empty())?;
    write_page(dir, "Judgments", vec![table.clone()], charts.collect(), lead)
}

/// Writes charts, and a page with tables and charts.
fn write_page(
    dir: &Path,
    heading: &str,
    tables: Vec<Table>,
    charts: Vec<Chart>,
    lead: Vec<String>,
) -> Result<PathBuf> {
    let section =
        |table| Section { heading: heading.to_owned(), caption: String::new(), body: Body::Table(table) };
    let mut sections: Vec<Section> = tables.into_iter().map(section).collect();
    let mut used: HashMap<String, usize> = HashMap::new();
    for chart in charts {
        // Names may become alike when characters are replaced.
        let count = used.entry(chart.file.to_lowercase()).and_modify(|count| *count += 1).or_insert(1);
        let number = if *count > 1 { format!("-{count}") } else { String::new() };
        let path = dir.join(format!("{}{number}.svg", chart.file));
        fs::write(&path, &chart.svg).with_context(|| path.display().to_string())?;
        sections.push(Section {
            heading: chart.heading,
            caption: chart.caption,
            body: Body::Chart(chart.svg),
        });
    }
    let page = Page { title: "Evaluation".to_owned(), lead, sections };
    let path = dir.join("index.html");
    fs::write(&path, page.to_html()).with_context(|| path.display().to_string())?;
    Ok(path)
}

/// How the page was made: the program, its arguments, and what it read.
fn provenance<'p>(args: &'p Eval, runs: impl Iterator<Item = &'p Path>) -> Result<Vec<String>> {
    // Where the page lies is not a part of how it was made.
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(plot) = arguments.iter().position(|argument| argument == "--plot") {
        arguments.drain(plot..(plot + 2).min(arguments.len()));
    }
    arguments.retain(|argument| !argument.starts_with("--plot="));
    let mut lines = vec![format!("Made by hypatia {}: {}", env!("CARGO_PKG_VERSION"), arguments.join(" "))];
    let inputs = runs.chain(args.qrels.iter().map(PathBuf::as_path));
    for path in inputs.filter(|path| path.is_file()) {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        lines.push(format!("{}: XXH3 {:032x}", path.display(), xxhash_rust::xxh3::xxh3_128(&bytes)));
    }
    Ok(lines)
}

/// A name that every file system takes.
fn file_name(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    name.chars().map(kept).collect()
}

fn by(results: &Results<'_>, set: &ScoredSet) -> String {
    if results.sets.len() > 1 { format!(", {}", set.name) } else { String::new() }
}

/// All runs by all measures, with intervals.
fn systems(results: &Results<'_>, set: &ScoredSet, suffix: &str) -> Result<Chart> {
    let order: Vec<usize> = Sections::new(results)?.runs().collect();
    let base = compare::base(results)?;
    let systems = order
        .iter()
        .map(|run| System {
            name: results.runs[*run].name.clone(),
            tone: if base == Some(*run) { Tone::Accent } else { Tone::Plain },
        })
        .collect();
    let panel = |measure: usize| {
        let estimates = order
            .iter()
            .map(|run| Estimate {
                value: set.scores[*run].average(measure, results.policy).value,
                interval: interval(results, set, *run, measure).map(|interval| (interval.low, interval.high)),
            })
            .collect();
        let around = set.bounds.around(&set.scores[0], measure, results.policy);
        let mut references = vec![Reference { label: "highest".to_owned(), value: around.ceiling }];
        references.extend(around.floor.map(|value| Reference { label: "chance".to_owned(), value }));
        Panel {
            measure: results.columns[measure].name.clone(),
            estimates,
            references,
            range: Range::FROM_ZERO,
            decimals: decimals(results, measure).min(3),
        }
    };
    let chart = Dots {
        title: format!("Runs by measure{}", by(results, set)),
        systems,
        panels: (0..results.num_measures()).map(panel).collect(),
        shape: Shape::Dot,
        notes: Vec::new(),
    };
    Ok(Chart {
        file: format!("systems{suffix}"),
        heading: chart.title.clone(),
        caption: "Means with 95 % intervals over topics; chance is a random order of the judged pool."
            .to_owned(),
        svg: chart.to_svg(),
    })
}

/// Per-topic differences of each run from the base, else of the second run from the first.
fn differences(results: &Results<'_>, set: &ScoredSet, suffix: &str) -> Result<Vec<Chart>> {
    let base = match compare::base(results)? {
        Some(base) => base,
        None if results.runs.len() == 2 => 0,
        None => return Ok(Vec::new()),
    };
    let mut charts = Vec::new();
    for run in (0..results.runs.len()).filter(|run| *run != base) {
        let (scores, base_scores) = (&set.scores[run], &set.scores[base]);
        let counted = scores.topics.iter().zip(&base_scores.topics);
        let counted = counted.filter(|(a, b)| results.policy.admits(a) && results.policy.admits(b));
        let (values, base_values) = pairs(scores, base_scores, 0, results.policy);
        let topics = counted
            .zip(values.iter().zip(&base_values))
            .map(|((topic, _), (value, base))| Difference {
                topic: topic.id.to_string(),
                value: value - base,
            })
            .collect();
        let (system, baseline) = (results.runs[run].name.clone(), results.runs[base].name.clone());
        let chart = Differences {
            title: format!("{system} against {baseline}{}", by(results, set)),
            measure: results.columns[0].name.clone(),
            topics,
            equal_within: 0.0,
            decimals: 3,
            notes: Vec::new(),
            system: system.clone(),
            baseline,
        };
        charts.push(Chart {
            file: format!("differences-{}{suffix}", file_name(&system)),
            heading: chart.title.clone(),
            caption: format!("Difference in {} on every topic.", chart.measure),
            svg: chart.to_svg(),
        });
    }
    Ok(charts)
}

fn scatter(title: String, labels: [String; 2], names: &[String], x: &[f64], y: &[f64]) -> Scatter {
    let points = names
        .iter()
        .zip(x.iter().zip(y))
        .map(|(name, (x, y))| Point { label: name.clone(), x: *x, y: *y, tone: Tone::Plain })
        .collect();
    let shown = |name: &str, value: Result<f64, stats::Error>| match value {
        Ok(value) => format!("{name} {value:.3}"),
        Err(_) => format!("{name} undefined"),
    };
    let [x_label, y_label] = labels;
    Scatter {
        title,
        x_label,
        y_label,
        points,
        diagonal: Diagonal::None,
        x_spacing: Spacing::Linear,
        x_range: Range::Data,
        y_range: Range::Data,
        decimals: 3,
        summary: format!(
            "{}, {}",
            shown("Kendall's tau-b", tau_b(x, y)),
            shown("Pearson's r", pearson(x, y))
        ),
        notes: Vec::new(),
    }
}

fn run_names(results: &Results<'_>) -> Vec<String> {
    results.runs.iter().map(|run| run.name.clone()).collect()
}

fn averages(results: &Results<'_>, set: &ScoredSet, measure: usize) -> Vec<f64> {
    set.scores.iter().map(|scores| scores.average(measure, results.policy).value).collect()
}

/// The first measure against each other one.
fn measures(results: &Results<'_>, set: &ScoredSet, suffix: &str) -> Result<Vec<Chart>> {
    if results.runs.len() < 3 {
        return Ok(Vec::new());
    }
    let first = &results.columns[0].name;
    let chart = |measure: usize| {
        let name = &results.columns[measure].name;
        let title = format!("{first} and {name}{}", by(results, set));
        let (x, y) = (averages(results, set, 0), averages(results, set, measure));
        let chart = scatter(title, [first.clone(), name.clone()], &run_names(results), &x, &y);
        Chart {
            file: format!("measures-{}{suffix}", file_name(name)),
            heading: chart.title.clone(),
            caption: "Do the two measures order the runs alike?".to_owned(),
            svg: chart.to_svg(),
        }
    };
    Ok((1..results.num_measures()).map(chart).collect())
}

/// The first measure by the first judgments against the others.
fn judgments(results: &Results<'_>) -> Result<Vec<Chart>> {
    if results.runs.len() < 3 {
        return Ok(Vec::new());
    }
    let measure = &results.columns[0].name;
    let first = &results.sets[0];
    let chart = |set: &ScoredSet| {
        let labels = [format!("{measure} by {}", first.name), format!("{measure} by {}", set.name)];
        let title = format!("{measure} by {} and by {}", first.name, set.name);
        let (x, y) = (averages(results, first, 0), averages(results, set, 0));
        let chart =
            Scatter { diagonal: Diagonal::Equal, ..scatter(title, labels, &run_names(results), &x, &y) };
        Chart {
            file: format!("judgments-{}", file_name(&set.name)),
            heading: chart.title.clone(),
            caption: "Do the two sets of judgments order the runs alike?".to_owned(),
            svg: chart.to_svg(),
        }
    };
    Ok(results.sets[1..].iter().map(chart).collect())
}

/// Runs by kinds of topics, and each two kinds against each other.
fn kinds(results: &Results<'_>, set: &ScoredSet, suffix: &str) -> Result<Vec<Chart>> {
    let kinds = &results.kinds;
    let label = results.args.compare.label().unwrap_or_default();
    let study = strata::study(results, set, kinds, 0);
    let order: Vec<usize> = Sections::new(results)?.runs().collect();
    let measure = &results.columns[0].name;
    let topics = |kind: usize| study.values[kind].iter().map(|average| average.topics).max().unwrap_or(0);
    let heatmap = Heatmap {
        title: format!("{measure} by {label}{}", by(results, set)),
        rows: order.iter().map(|run| results.runs[*run].name.clone()).collect(),
        columns: (0..kinds.len()).map(|kind| format!("{} ({})", kinds[kind].name, topics(kind))).collect(),
        values: order
            .iter()
            .map(|run| {
                let value = |kind: &Vec<eval::Average>| match kind[*run].topics {
                    0 => f64::NAN,
                    _ => kind[*run].value,
                };
                study.values.iter().map(value).collect()
            })
            .collect(),
        measure: measure.clone(),
        scale: Scale::Sequential,
        range: Range::Data,
        decimals: 3,
        notes: Vec::new(),
    };
    let mut charts = vec![Chart {
        file: format!("kinds{suffix}"),
        heading: heatmap.title.clone(),
        caption: "In parentheses: how many topics.".to_owned(),
        svg: heatmap.to_svg(),
    }];
    if results.runs.len() < 3 {
        return Ok(charts);
    }
    for pair in &study.pairs {
        let values =
            |kind: usize| -> Vec<f64> { study.values[kind].iter().map(|average| average.value).collect() };
        let (left, right) = (&kinds[pair.left].name, &kinds[pair.right].name);
        let labels = [format!("{measure}, {left}"), format!("{measure}, {right}")];
        let title = format!("{label}: {left} and {right}{}", by(results, set));
        let names = run_names(results);
        let chart = Scatter {
            diagonal: Diagonal::Equal,
            ..scatter(title, labels, &names, &values(pair.left), &values(pair.right))
        };
        charts.push(Chart {
            file: format!("kinds-{}-{}{suffix}", file_name(left), file_name(right)),
            heading: chart.title.clone(),
            caption: format!("{} pairs of runs stand the other way round.", pair.swaps),
            svg: chart.to_svg(),
        });
    }
    Ok(charts)
}
