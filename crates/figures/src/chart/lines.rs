//! Values along a quantity: pool depth, training rounds, time.

use super::axis::{Axis, Range, Spacing};
use super::canvas::{Anchor, COLOURS, Canvas, LABEL, MARGIN, SMALL};
use super::left_out;
use super::metrics::text_width;
use crate::number::typeset;

/// A line for each series, named at its right end.
///
/// Names stand in the order in which the lines end, each with a piece of its
/// line. A point that is not finite breaks its line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lines {
    /// What the chart shows.
    pub title: String,
    /// What goes along.
    pub x_label: String,
    /// What goes up.
    pub y_label: String,
    /// The lines.
    pub series: Vec<Series>,
    /// How values are spread along; on [`Spacing::Log`], points at zero or
    /// below are left out.
    pub x_spacing: Spacing,
    /// The same for values going up.
    pub y_spacing: Spacing,
    /// From where to where the lower axis goes.
    pub x_range: Range,
    /// From where to where the left axis goes.
    pub y_range: Range,
    /// How many decimals tooltips have.
    pub decimals: usize,
    /// Lines of text under the chart.
    pub notes: Vec<String>,
}

/// One line.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// What the line is called.
    pub name: String,
    /// Where it goes through, in this order.
    pub points: Vec<(f64, f64)>,
    /// An interval around it, where there is one.
    pub band: Vec<Band>,
}

/// The interval at one place of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// Where along.
    pub x: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

const PLOT_WIDTH: f64 = 540.0;
/// The room in which lines lead to names.
const GUTTER: f64 = 34.0;
const PLOT_HEIGHT: f64 = 300.0;
const NAME_ROOM: f64 = 200.0;
/// Lines with more points than this have no dots.
const MOST_DOTS: usize = 40;
const NAME_STEP: f64 = LABEL + 5.0;

impl Lines {
    /// The chart as SVG text.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let high = PLOT_HEIGHT.max(self.series.len() as f64 * NAME_STEP);
        let ticks = self.y_axis((high, 0.0)).ticks();
        let ticks = ticks.iter().map(|tick| text_width(&tick.label, SMALL)).fold(0.0, f64::max);
        let names = self.series.iter().map(|series| text_width(&series.name, LABEL)).fold(0.0, f64::max);
        let left = MARGIN + ticks + 8.0;
        let right = left + PLOT_WIDTH;
        let width = (right + GUTTER + 32.0 + names.min(NAME_ROOM) + MARGIN).ceil();

        let mut canvas = Canvas::default();
        let y = canvas.head(&self.title, &[], width);
        let y_label = format!("↑ {}", self.y_label);
        canvas.text_within("ink", (MARGIN, y + LABEL), Anchor::Start, LABEL, &y_label, width - 2.0 * MARGIN);
        let top = y + LABEL + 14.0;
        let bottom = top + high;
        let (along, up) = (self.x_axis((left, right)), self.y_axis((bottom, top)));
        for tick in along.ticks_along(SMALL) {
            canvas.line("rule", (tick.at, top), (tick.at, bottom));
            canvas.text("soft", (tick.at, bottom + SMALL + 6.0), Anchor::Middle, SMALL, &tick.label);
        }
        for tick in up.ticks() {
            canvas.line("rule", (left, tick.at), (right, tick.at));
            canvas.text("soft", (left - 6.0, tick.at + SMALL * 0.35), Anchor::End, SMALL, &tick.label);
        }
        let at = (right, bottom + SMALL + LABEL + 14.0);
        canvas.text_within("ink", at, Anchor::End, LABEL, &format!("{} →", self.x_label), PLOT_WIDTH);

        let place = |(x, y): (f64, f64)| (along.at(x), up.at(y));
        for (index, series) in self.series.iter().enumerate() {
            self.draw_band(&mut canvas, series, index, &place);
        }
        let mut missing = Vec::new();
        for (index, series) in self.series.iter().enumerate() {
            let lost = self.draw_line(&mut canvas, series, index, &place);
            if lost > 0 {
                let points = if lost == 1 { "point" } else { "points" };
                missing.push(format!("{lost} {points} of {}", series.name));
            }
        }
        self.draw_names(&mut canvas, right, (top, bottom), &place);

        let note = left_out(&missing);
        let y = bottom + SMALL + LABEL + 18.0;
        let height = canvas.notes(self.notes.iter().chain(&note), y, width);
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let description = format!("{} by {}: {}.", self.y_label, self.x_label, names.join(", "));
        canvas.finish((width, height), &self.title, &description)
    }

    fn has_place(&self, (x, y): (f64, f64)) -> bool {
        self.x_spacing.places(x) && self.y_spacing.places(y)
    }

    fn band_has_place(&self, band: &Band) -> bool {
        self.x_spacing.places(band.x) && self.y_spacing.places(band.low) && self.y_spacing.places(band.high)
    }

    fn x_axis(&self, place: (f64, f64)) -> Axis {
        let values = self.series.iter().flat_map(|series| {
            let points = series.points.iter().filter(|&&point| self.has_place(point)).map(|&(x, _)| x);
            points.chain(series.band.iter().filter(|band| self.band_has_place(band)).map(|band| band.x))
        });
        Axis::new(values, self.x_range, self.x_spacing, place, 8)
    }

    fn y_axis(&self, place: (f64, f64)) -> Axis {
        let values = self.series.iter().flat_map(|series| {
            let points = series.points.iter().filter(|&&point| self.has_place(point)).map(|&(_, y)| y);
            let bands = series.band.iter().filter(|band| self.band_has_place(band));
            points.chain(bands.flat_map(|band| [band.low, band.high]))
        });
        Axis::new(values, self.y_range, self.y_spacing, place, 6)
    }

    fn draw_band(
        &self,
        canvas: &mut Canvas,
        series: &Series,
        index: usize,
        place: &dyn Fn((f64, f64)) -> (f64, f64),
    ) {
        for part in series.band.split(|band| !self.band_has_place(band)).filter(|part| part.len() > 1) {
            let upper = part.iter().map(|band| place((band.x, band.high)));
            let lower = part.iter().rev().map(|band| place((band.x, band.low)));
            let points: Vec<(f64, f64)> = upper.chain(lower).collect();
            canvas.polygon(&format!("k{} band", index % COLOURS), &points);
        }
    }

    /// Draws the line, and returns how many of its points have no place.
    fn draw_line(
        &self,
        canvas: &mut Canvas,
        series: &Series,
        index: usize,
        place: &dyn Fn((f64, f64)) -> (f64, f64),
    ) -> usize {
        // Among many lines, large dots would hide the dashes.
        let radius = if self.series.len() <= COLOURS { 3.2 } else { 2.2 };
        canvas.open(&series.name);
        for part in series.points.split(|&point| !self.has_place(point)) {
            let points: Vec<(f64, f64)> = part.iter().map(|&point| place(point)).collect();
            if points.len() > 1 {
                canvas.polyline(&line_class(index), &points);
            }
            // A point alone between two gaps would not be seen without a dot.
            if series.points.len() <= MOST_DOTS || points.len() == 1 {
                for (&(x, y), &at) in part.iter().zip(&points) {
                    let (x, y) = (short(x), typeset(y, self.decimals));
                    canvas.open(&format!("{}, {} {x}: {y}", series.name, self.x_label));
                    canvas.circle(&format!("k{} ring", index % COLOURS), at, radius);
                    canvas.close();
                }
            }
        }
        canvas.close();
        series.points.iter().filter(|&&point| !self.has_place(point)).count()
    }

    /// Names to the right, as near to the ends of their lines as there is room.
    fn draw_names(
        &self,
        canvas: &mut Canvas,
        right: f64,
        (top, bottom): (f64, f64),
        place: &dyn Fn((f64, f64)) -> (f64, f64),
    ) {
        let mut ends: Vec<(usize, Option<(f64, f64)>)> = self
            .series
            .iter()
            .enumerate()
            .map(|(index, series)| {
                let last = series.points.iter().rev().find(|&&point| self.has_place(point));
                (index, last.map(|&point| place(point)))
            })
            .collect();
        let wanted = |end: &(usize, Option<(f64, f64)>)| end.1.map_or(bottom, |(_, y)| y);
        ends.sort_by(|a, b| wanted(a).total_cmp(&wanted(b)));
        let half = NAME_STEP / 2.0;
        let mut places: Vec<f64> = Vec::new();
        for end in &ends {
            let above = places.last().map_or(top + half, |above| above + NAME_STEP);
            places.push(wanted(end).max(above));
        }
        let mut below = bottom + half;
        for place in places.iter_mut().rev() {
            *place = place.min(below - NAME_STEP);
            below = *place;
        }
        for ((index, end), y) in ends.into_iter().zip(places) {
            let name = &self.series[index].name;
            let from = right + GUTTER;
            if let Some((x, end)) = end
                && right - x < PLOT_WIDTH / 3.0
            {
                canvas.polyline("leader", &[(x + 4.0, end), (right + 4.0, end), (from - 4.0, y)]);
            }
            canvas.open(name);
            canvas.polyline(&line_class(index), &[(from, y), (from + 24.0, y)]);
            canvas.circle(&format!("k{} ring", index % COLOURS), (from + 12.0, y), 3.2);
            let at = (from + 30.0, y + LABEL * 0.35);
            canvas.text_within("ink", at, Anchor::Start, LABEL, name, NAME_ROOM);
            canvas.close();
        }
    }
}

/// A number with at most four decimals.
fn short(value: f64) -> String {
    let text = typeset(value, 4);
    if text.contains('e') { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// Eight colours, and after every eight another kind of dash.
fn line_class(index: usize) -> String {
    format!("series k{} d{}", index % COLOURS, index / COLOURS % 4)
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, has_text, name};
    use super::*;

    fn chart(series: usize, points: usize) -> Lines {
        Lines {
            title: "Quality against time".into(),
            x_label: "milliseconds per topic".into(),
            y_label: "nDCG'".into(),
            series: (0..series)
                .map(|s| {
                    let value = |i: usize| 0.5 - 0.4 / (i + s % 5 + 1) as f64;
                    Series {
                        name: name(s),
                        points: (0..points).map(|i| (2_f64.powi(i as i32 % 12), value(i))).collect(),
                        band: (0..points)
                            .map(|i| {
                                let x = 2_f64.powi(i as i32 % 12);
                                Band { x, low: value(i) - 0.02, high: value(i) + 0.02 }
                            })
                            .collect(),
                    }
                })
                .collect(),
            decimals: 3,
            ..Lines::default()
        }
    }

    #[test]
    fn any_number_of_series() {
        for series in [0, 1, 3, 12, 60] {
            for points in [0, 1, 2, 12, 200] {
                for x_spacing in [Spacing::Linear, Spacing::Log] {
                    let svg = Lines { x_spacing, y_spacing: x_spacing, ..chart(series, points) }.to_svg();
                    check(&svg);
                    (0..series).for_each(|i| assert!(has_text(&svg, &name(i))));
                }
            }
        }
    }

    #[test]
    fn gaps_break_the_line() {
        let mut chart = chart(1, 8);
        chart.series[0].points[3].1 = f64::NAN;
        chart.series[0].points[7].0 = 0.0;
        chart.series[0].band[2].high = f64::INFINITY;
        chart.x_spacing = Spacing::Log;
        let svg = chart.to_svg();
        check(&svg);
        assert_eq!(svg.matches("<polyline class=\"series").count(), 3, "two parts and the name's");
        assert!(svg.contains("2 points of BM25-0"));
    }
}
