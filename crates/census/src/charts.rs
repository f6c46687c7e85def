//! Charts of how things are spread.

use crate::{Census, Histogram, Sheet};
use figures::chart::{Bars, Bin, Lines, Range, Series, Spacing};
use figures::page::{Body, Page, Section};

/// A chart under the name of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    /// The name of its file, without ending.
    pub file: &'static str,
    /// What it shows.
    pub heading: String,
    /// What there is to know about it.
    pub caption: String,
    /// The chart.
    pub svg: String,
}

impl Sheet<'_> {
    /// All charts that have something to show.
    #[must_use]
    pub fn charts(&self) -> Vec<Chart> {
        let Some(census) = self.census else { return Vec::new() };
        let charts =
            [answers(census), formulas_per_post(census), symbols(census), frequency(census), years(census)];
        charts.into_iter().flatten().collect()
    }

    /// A page with all tables and charts.
    #[must_use]
    pub fn page(&self, title: &str) -> Page {
        let about = self.collection.about();
        let mut sections = Vec::new();
        for mut table in self.tables() {
            let heading = table.caption.join(" ");
            let heading = heading.trim_end_matches('.').to_owned();
            table.caption.clear();
            sections.push(Section { heading, caption: String::new(), body: Body::Table(table) });
        }
        for chart in self.charts() {
            let body = Body::Chart(chart.svg);
            sections.push(Section { heading: chart.heading, caption: chart.caption, body });
        }
        let lead = vec![format!("Built by {} from {} files.", about.program, about.source)];
        Page { title: title.to_owned(), lead, sections }
    }
}

/// How many answers questions have, one by one up to ten.
fn answers(census: &Census) -> Option<Chart> {
    const LAST: i64 = 10;
    let answers = &census.posts.answers;
    let greatest = answers.greatest()?;
    let mut bins: Vec<Bin> =
        (0..=greatest.min(LAST)).map(|value| bin(value.to_string(), [answers.at(value)])).collect();
    if greatest > LAST {
        bins.push(bin(format!("≥ {}", LAST + 1), [answers.at_least(LAST + 1)]));
    }
    let chart = Bars {
        title: "Answers per question".into(),
        x_label: "answers".into(),
        y_label: "questions".into(),
        bins,
        ..Bars::default()
    };
    Some(Chart {
        file: "answers-per-question",
        heading: chart.title.clone(),
        caption: spread(answers),
        svg: chart.to_svg(),
    })
}

fn formulas_per_post(census: &Census) -> Option<Chart> {
    let kinds = [("questions", 0), ("answers", 1), ("documents", 2)];
    let used: Vec<(&str, &Histogram)> = kinds
        .iter()
        .map(|(name, kind)| (*name, &census.posts.kinds[*kind].formulas))
        .filter(|(_, histogram)| histogram.count() > 0)
        .collect();
    let all = census.posts.formulas_each();
    all.greatest()?;
    let histograms: Vec<&Histogram> = used.iter().map(|(_, histogram)| *histogram).collect();
    let chart = Bars {
        title: "Formulas per post".into(),
        x_label: "formulas, those of the title included".into(),
        y_label: "posts".into(),
        series: used.iter().map(|(name, _)| (*name).to_owned()).collect(),
        bins: doubling(&histograms, all.greatest().unwrap_or(0), Scale::Counts),
        ..Bars::default()
    };
    Some(Chart {
        file: "formulas-per-post",
        heading: chart.title.clone(),
        caption: format!("{} Bins double in width.", spread(&all)),
        svg: chart.to_svg(),
    })
}

fn symbols(census: &Census) -> Option<Chart> {
    let (forms, instances) = (&census.forms.sizes.symbols, &census.forms.instance_sizes.symbols);
    let greatest = forms.greatest()?;
    let chart = Bars {
        title: "Symbols per formula".into(),
        x_label: "symbols".into(),
        y_label: "share in percent".into(),
        series: vec!["distinct forms".into(), "instances".into()],
        bins: doubling(&[forms, instances], greatest, Scale::Percent),
        decimals: 1,
        ..Bars::default()
    };
    Some(Chart {
        file: "symbols-per-formula",
        heading: chart.title.clone(),
        caption: format!("Distinct forms: {} Bins double in width.", spread(forms).to_lowercase()),
        svg: chart.to_svg(),
    })
}

/// How often the most frequent formula occurs, the second, and so on.
fn frequency(census: &Census) -> Option<Chart> {
    let frequency = &census.visuals.frequency;
    frequency.greatest().filter(|greatest| *greatest > 0)?;
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut rank = 0;
    for (instances, count) in frequency.bins().rev().filter(|(instances, _)| *instances > 0) {
        // A step of the curve is its first and its last rank.
        points.push(((rank + 1) as f64, instances as f64));
        rank += count;
        if count > 1 {
            points.push((rank as f64, instances as f64));
        }
    }
    let chart = Lines {
        title: "How often each formula occurs".into(),
        x_label: "rank of the visual id".into(),
        y_label: "instances".into(),
        series: vec![Series { name: "visual ids".into(), points, ..Series::default() }],
        x_spacing: Spacing::Log,
        y_spacing: Spacing::Log,
        x_range: Range::AtLeast { low: 1.0, high: 10.0 },
        y_range: Range::AtLeast { low: 1.0, high: 10.0 },
        ..Lines::default()
    };
    Some(Chart {
        file: "formula-frequency",
        heading: chart.title.clone(),
        caption: "Both axes are logarithmic; under Zipf's law this is a straight line.".into(),
        svg: chart.to_svg(),
    })
}

fn years(census: &Census) -> Option<Chart> {
    let years = &census.posts.dates.years;
    let (first, last) = (*years.keys().next()?, *years.keys().next_back()?);
    let names = ["questions", "answers", "documents", "comments"];
    let used: Vec<usize> =
        (0..names.len()).filter(|kind| years.values().any(|counts| counts[*kind] > 0)).collect();
    // A wrong date must not make a chart of a thousand years.
    let shown: Vec<i64> =
        if last - first < 60 { (first..=last).collect() } else { years.keys().copied().collect() };
    let bins = shown.iter().map(|year| {
        let counts = years.get(year).copied().unwrap_or_default();
        Bin { label: year.to_string(), values: used.iter().map(|kind| counts[*kind] as f64).collect() }
    });
    let chart = Bars {
        title: "Posts and comments by year".into(),
        x_label: "year".into(),
        y_label: "number".into(),
        series: used.iter().map(|kind| names[*kind].to_owned()).collect(),
        bins: bins.collect(),
        ..Bars::default()
    };
    Some(Chart {
        file: "posts-by-year",
        heading: chart.title.clone(),
        caption: "Only what has a date is counted.".into(),
        svg: chart.to_svg(),
    })
}

fn bin(label: String, values: impl IntoIterator<Item = u64>) -> Bin {
    Bin { label, values: values.into_iter().map(|value| value as f64).collect() }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Scale {
    Counts,
    Percent,
}

/// Bins 0, 1, 2–3, 4–7, 8–15, … up to the greatest value; bins of several histograms beside each other.
fn doubling(histograms: &[&Histogram], greatest: i64, scale: Scale) -> Vec<Bin> {
    let mut ranges = vec![(0, 0)];
    let mut low = 1_i64;
    while low <= greatest {
        let high = low.saturating_mul(2) - 1;
        ranges.push((low, high));
        low = high.saturating_add(1);
        if high == i64::MAX - 1 {
            break;
        }
    }
    let value = |histogram: &Histogram, (low, high): (i64, i64)| {
        // Beyond the exact values, a bin of the histogram never crosses a power of two.
        let count = (histogram.at_least(low) - histogram.at_least(high + 1)) as f64;
        match scale {
            Scale::Counts => count,
            Scale::Percent => 100.0 * count / histogram.count().max(1) as f64,
        }
    };
    ranges
        .into_iter()
        .map(|(low, high)| Bin {
            label: if low == high { low.to_string() } else { format!("{low}–{high}") },
            values: histograms.iter().map(|histogram| value(histogram, (low, high))).collect(),
        })
        .collect()
}

fn spread(histogram: &Histogram) -> String {
    let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}"));
    let median = histogram.median().map_or_else(|| "–".to_owned(), |median| median.to_string());
    let greatest = histogram.greatest().map_or_else(|| "–".to_owned(), |greatest| greatest.to_string());
    format!("Mean {}, median {median}, greatest {greatest}.", text(histogram.mean()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubling_bins_hold_everything() {
        let mut histogram = Histogram::default();
        [0, 1, 1, 2, 3, 4, 7, 8, 5000, 100_000].into_iter().for_each(|value| histogram.add(value));
        let bins = doubling(&[&histogram], 100_000, Scale::Counts);
        let shown: Vec<(&str, f64)> = bins.iter().map(|bin| (bin.label.as_str(), bin.values[0])).collect();
        assert_eq!(shown[..5], [("0", 1.0), ("1", 2.0), ("2–3", 2.0), ("4–7", 2.0), ("8–15", 1.0)]);
        assert_eq!(shown.iter().map(|(_, count)| count).sum::<f64>(), 10.0);
        assert_eq!(shown.last(), Some(&("65536–131071", 1.0)));
    }
}
