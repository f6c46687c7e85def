//! Judgments by day, as a chart.

use crate::view::Html;
use assess::{Day, Progress};
use figures::chart::{Lines, Range, Series, without_style};

/// All that was judged until each day, and where it goes if it goes on like this.
pub(super) fn by_day(progress: &Progress) -> Option<Html> {
    let pace = &progress.pace;
    let (first, _) = *pace.days.first()?;
    let mut all = 0;
    let judged: Vec<(f64, f64)> = std::iter::once((0.0, 0.0))
        .chain(pace.days.iter().map(|(day, count)| {
            all += count;
            (place(first, *day), all as f64)
        }))
        .collect();
    let (last, so_far) = judged.last().copied()?;
    let wanted = so_far + progress.finish.left as f64;
    let mut series = vec![Series { name: "judged".to_owned(), points: judged, band: Vec::new() }];
    if let Some(day) = progress.finish.day.filter(|day| place(first, *day) > last) {
        // A pace that never ends would make the past a dot.
        let end = place(first, day).min(last + 60.0);
        let share = (end - last) / (place(first, day) - last);
        let points = vec![(last, so_far), (end, so_far + share * (wanted - so_far))];
        series.push(Series { name: "at this pace".to_owned(), points, band: Vec::new() });
    }
    let end = series.iter().flat_map(|one| &one.points).map(|(x, _)| *x).fold(1.0, f64::max);
    let end = progress.last_day.map_or(end, |day| end.max(place(first, day).min(last + 60.0)));
    series.push(Series {
        name: "all".to_owned(),
        points: vec![(0.0, wanted), (end, wanted)],
        band: Vec::new(),
    });
    let mut notes = Vec::new();
    if let Some(day) = progress.last_day {
        let x = place(first, day);
        if x <= end {
            series.push(Series {
                name: "last day".to_owned(),
                points: vec![(x, 0.0), (x, wanted)],
                band: Vec::new(),
            });
        }
        notes.push(format!("The last day is {}.", day.in_words()));
    }
    let chart = Lines {
        title: "Judgments so far".to_owned(),
        x_label: format!("days since {}", first.in_words()),
        y_label: "judgments".to_owned(),
        series,
        y_range: Range::FROM_ZERO,
        x_range: Range::FROM_ZERO,
        notes,
        ..Lines::default()
    };
    Some(Html::trusted(without_style(&chart.to_svg())))
}

/// The end of a day, counted from the beginning of the first.
fn place(first: Day, day: Day) -> f64 {
    (day.0 - first.0 + 1) as f64
}
