//! The chart of a task's systems, with intervals.

use crate::input::Kind;
use crate::scored::ScoredTask;
use crate::words::shown;
use figures::chart::{Dots, Estimate, Panel, Range, Reference, Shape, System, Tone};

/// Systems by the measures on the current set, the best first.
pub(super) fn chart(task: &ScoredTask<'_, '_>) -> String {
    let ranking = task.ranking();
    let set = task.current();
    let systems = ranking
        .iter()
        .map(|system| System {
            name: task.names[*system].clone(),
            tone: match task.is_baseline(*system) {
                true => Tone::Dim,
                false if task.is_manual(*system) => Tone::Accent,
                false => Tone::Plain,
            },
        })
        .collect();
    let panels = task.columns.iter().enumerate().take(3).map(|(measure, column)| Panel {
        measure: column.name.clone(),
        estimates: ranking
            .iter()
            .map(|system| Estimate {
                value: set.value(*system, measure).unwrap_or(f64::NAN),
                interval: set.interval(*system, measure).map(|interval| (interval.low, interval.high)),
            })
            .collect(),
        references: set
            .highest(measure)
            .filter(|highest| *highest < 0.9995)
            .map(|value| Reference { label: "highest".to_owned(), value })
            .into_iter()
            .collect(),
        range: Range::FROM_ZERO,
        decimals: 3,
    });
    let title = format!("{}: systems on {}", task.task.name, set.set.name);
    Dots { title, systems, panels: panels.collect(), shape: Shape::Dot, notes: Vec::new() }.to_svg()
}

/// What the chart shows, and how much of it is judged.
pub(super) fn caption(task: &ScoredTask<'_, '_>) -> String {
    let judged: Vec<f64> = task
        .current()
        .with_scores()
        .into_iter()
        .filter_map(|system| task.current().judged_share(system))
        .collect();
    let lowest = judged.iter().copied().reduce(f64::min);
    let judged = match (&task.task.kind, lowest) {
        (Kind::Ranked(_), Some(_)) => {
            format!(" Of the first ten results of a run, at least the share {} is judged.", shown(lowest, 2))
        }
        _ => String::new(),
    };
    format!(
        "Means with 95 % intervals over topics (Student's t). Baselines are grey, manual runs stand out in colour.{judged}"
    )
}
