//! How values are spread: a histogram, or bars side by side.

use super::axis::{Axis, Range, Spacing};
use super::canvas::{Anchor, COLOURS, Canvas, LABEL, MARGIN, SMALL};
use super::metrics::text_width;
use super::{drawable, left_out};
use crate::number::typeset;

/// Bars for each bin, one a series, upright from zero.
///
/// Bins are not computed here. Their names stand below, as far as they do not
/// run into each other; tooltips have all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// What the chart shows.
    pub title: String,
    /// What the bins are.
    pub x_label: String,
    /// What the bars measure.
    pub y_label: String,
    /// The names of the series; may be empty when there is one.
    pub series: Vec<String>,
    /// The bins, left to right.
    pub bins: Vec<Bin>,
    /// From where to where the left axis goes; it always goes through zero.
    /// Charts that stand side by side are given the same.
    pub y_range: Range,
    /// How many decimals values have.
    pub decimals: usize,
    /// Lines of text under the chart.
    pub notes: Vec<String>,
}

/// What falls into one bin.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bin {
    /// Its name.
    pub label: String,
    /// One value for each series.
    pub values: Vec<f64>,
}

const PLOT_HEIGHT: f64 = 260.0;
const PLOT_WIDTH: f64 = 600.0;
const LABEL_ROOM: f64 = 120.0;

impl Bars {
    /// The chart as SVG text.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let num_series = self.num_series();
        let count = self.bins.len().max(1) as f64;
        // Beyond this, bars could not be told apart.
        let step = (PLOT_WIDTH / count).clamp(num_series as f64 * 3.0 + 2.0, 84.0);
        let ticks = self.axis((PLOT_HEIGHT, 0.0)).ticks();
        let ticks = ticks.iter().map(|tick| text_width(&tick.label, SMALL)).fold(0.0, f64::max);
        let left = MARGIN + ticks + 8.0;
        let right = left + (step * count).max(360.0);
        let width = (right + MARGIN).ceil();

        let mut canvas = Canvas::default();
        let y = canvas.head(&self.title, &[], width);
        let y = self.draw_key(&mut canvas, y, width);
        let y_label = format!("↑ {}", self.y_label);
        canvas.text_within("ink", (MARGIN, y + LABEL), Anchor::Start, LABEL, &y_label, width - 2.0 * MARGIN);
        let top = y + LABEL + 22.0;
        let bottom = top + PLOT_HEIGHT;
        let axis = self.axis((bottom, top));
        for tick in axis.ticks() {
            canvas.line("rule", (left, tick.at), (right, tick.at));
            canvas.text("soft", (left - 6.0, tick.at + SMALL * 0.35), Anchor::End, SMALL, &tick.label);
        }
        let mut missing = Vec::new();
        for (index, bin) in self.bins.iter().enumerate() {
            self.draw_bin(&mut canvas, bin, &axis, (left + index as f64 * step, step), &mut missing);
        }
        canvas.line("zero", (left, axis.floor()), (right, axis.floor()));
        self.draw_names(&mut canvas, (left, step), bottom);
        let at = (right, bottom + SMALL + LABEL + 14.0);
        canvas.text_within("ink", at, Anchor::End, LABEL, &format!("{} →", self.x_label), right - left);

        let note = left_out(&missing);
        let y = bottom + SMALL + LABEL + 18.0;
        let height = canvas.notes(self.notes.iter().chain(&note), y, width);
        let description = format!("{} by {}, {} bins.", self.y_label, self.x_label, self.bins.len());
        canvas.finish((width, height), &self.title, &description)
    }

    /// As many as have a name or a value.
    fn num_series(&self) -> usize {
        let values = self.bins.iter().map(|bin| bin.values.len()).max().unwrap_or(0);
        values.max(self.series.len()).max(1)
    }

    fn axis(&self, place: (f64, f64)) -> Axis {
        let values = self.bins.iter().flat_map(|bin| bin.values.iter().copied());
        let range = match self.y_range {
            Range::Data => Range::FROM_ZERO,
            Range::AtLeast { low, high } => Range::AtLeast { low: low.min(0.0), high: high.max(0.0) },
        };
        Axis::new(values, range, Spacing::Linear, place, 6)
    }

    fn class(&self, series: usize) -> String {
        if self.num_series() == 1 { "plain".to_owned() } else { format!("k{}", series % COLOURS) }
    }

    fn name(&self, series: usize) -> &str {
        self.series.get(series).map_or("", String::as_str)
    }

    fn draw_bin(
        &self,
        canvas: &mut Canvas,
        bin: &Bin,
        axis: &Axis,
        (x, step): (f64, f64),
        missing: &mut Vec<String>,
    ) {
        let gap = if step > 12.0 { step * 0.12 } else { 0.5 };
        let bar = (step - 2.0 * gap) / self.num_series() as f64;
        for (series, &value) in bin.values.iter().enumerate() {
            let name = self.name(series);
            let of = if name.is_empty() { bin.label.clone() } else { format!("{}, {name}", bin.label) };
            if !drawable(value) {
                missing.push(of);
                continue;
            }
            let text = typeset(value, self.decimals);
            let (zero, end) = (axis.floor(), axis.at(value));
            // What is there but small keeps a stub, so that it is not taken for nothing.
            let height = if value == 0.0 { 0.0 } else { (end - zero).abs().max(1.0) };
            let upper = if value < 0.0 { zero } else { zero - height };
            let left = x + gap + series as f64 * bar;
            canvas.open(&format!("{of}: {text}"));
            canvas.rect(&self.class(series), (left, upper), (bar, height));
            if self.num_series() == 1 && value >= 0.0 && text_width(&text, SMALL) < step - 4.0 {
                canvas.text("soft", (x + step / 2.0, upper - 4.0), Anchor::Middle, SMALL, &text);
            }
            canvas.close();
        }
    }

    /// The names of the bins, as many as there is room for.
    fn draw_names(&self, canvas: &mut Canvas, (left, step): (f64, f64), bottom: f64) {
        let right = left + step * self.bins.len() as f64;
        let mut taken = f64::NEG_INFINITY;
        for (index, bin) in self.bins.iter().enumerate() {
            let half = text_width(&bin.label, SMALL).min(LABEL_ROOM) / 2.0;
            // The first and the last must not leave the chart.
            let x = left + (index as f64 + 0.5) * step;
            let x = x.max(MARGIN + half).min((right - half).max(MARGIN + half));
            if x - half > taken + 8.0 {
                let at = (x, bottom + SMALL + 6.0);
                canvas.text_within("soft", at, Anchor::Middle, SMALL, &bin.label, LABEL_ROOM);
                taken = x + half;
            }
        }
    }

    /// Which colour is which series.
    fn draw_key(&self, canvas: &mut Canvas, y: f64, width: f64) -> f64 {
        if self.series.len() < 2 {
            return y;
        }
        let room = width - 2.0 * MARGIN - 24.0;
        let (mut x, mut y) = (MARGIN, y);
        for (series, name) in self.series.iter().enumerate() {
            let wide = 16.0 + text_width(name, LABEL).min(room) + 20.0;
            if x > MARGIN && x + wide > width - MARGIN {
                x = MARGIN;
                y += LABEL + 6.0;
            }
            canvas.open(name);
            canvas.rect(&self.class(series), (x, y + 2.0), (10.0, 10.0));
            canvas.text_within("ink", (x + 16.0, y + 11.0), Anchor::Start, LABEL, name, room);
            canvas.close();
            x += wide;
        }
        y + LABEL + 12.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, has_text, name};
    use super::*;

    fn chart(bins: usize, series: usize) -> Bars {
        Bars {
            title: "Formulas per post".into(),
            x_label: "formulas".into(),
            y_label: "posts".into(),
            series: (0..series).map(name).collect(),
            bins: (0..bins)
                .map(|bin| Bin {
                    label: format!("{}–{}", bin * 1000, bin * 1000 + 999),
                    values: (0..series.max(1)).map(|s| ((bin * 37 + s * 11) % 101) as f64 * 1234.0).collect(),
                })
                .collect(),
            ..Bars::default()
        }
    }

    #[test]
    fn charts_side_by_side_can_share_an_axis() {
        let shared = Range::AtLeast { low: -0.5, high: 1.0 };
        let svg = |value: f64| {
            let bins = vec![Bin { label: "1".into(), values: vec![value] }];
            Bars { bins, y_range: shared, decimals: 2, ..Bars::default() }.to_svg()
        };
        for value in [0.1, 0.9] {
            let svg = svg(value);
            check(&svg);
            assert!(has_text(&svg, "1.0") && has_text(&svg, "−0.5"), "{svg}");
        }
    }

    #[test]
    fn any_number_of_bins() {
        for bins in [0, 1, 2, 7, 30, 200] {
            for series in [0, 1, 2, 4, 12] {
                let svg = chart(bins, series).to_svg();
                check(&svg);
                (0..bins).for_each(|bin| assert!(has_text(&svg, &format!("{}–", bin * 1000))));
            }
        }
    }

    #[test]
    fn odd_values_and_names_break_nothing() {
        let odd = [f64::NAN, f64::INFINITY, 9e299, -9e299, 0.0, -3.0, 5e-324, 1.0];
        for a in odd {
            for b in odd {
                for label in ["", "x", &"many words one after the other ".repeat(9), "数学検索の評価"]
                {
                    let bin = |values| Bin { label: label.to_owned(), values };
                    let bars = Bars {
                        title: label.to_owned(),
                        x_label: label.to_owned(),
                        y_label: label.to_owned(),
                        series: vec![label.to_owned(), label.to_owned()],
                        bins: vec![bin(vec![a, b]), bin(vec![b]), bin(vec![])],
                        notes: vec![label.to_owned()],
                        ..Bars::default()
                    };
                    check(&bars.to_svg());
                }
            }
        }
    }

    #[test]
    fn what_is_not_drawn_is_said() {
        let mut chart = chart(3, 1);
        chart.bins[1].values[0] = f64::NAN;
        let svg = chart.to_svg();
        check(&svg);
        assert!(svg.contains("Not drawn, as not a finite number: 1000–1999"), "{svg}");
    }
}
