//! Two measures, or two sets of judgments, against each other.

use super::axis::{Axis, Range, Spacing};
use super::canvas::{Anchor, Canvas, LABEL, MARGIN, SMALL};
use super::metrics::{shorten, styled_width, text_width, weight};
use super::{Tone, drawable, left_out};
use crate::number::typeset;

/// A labelled point for each system.
///
/// Labels are moved off points and off each other, with a thin line back to
/// their point if they end up far away. A label for which there is no room is
/// named under the chart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scatter {
    /// What the chart shows.
    pub title: String,
    /// What goes along.
    pub x_label: String,
    /// What goes up.
    pub y_label: String,
    /// The systems.
    pub points: Vec<Point>,
    /// Whether the line of equal values is drawn.
    pub diagonal: Diagonal,
    /// How values are spread along the lower axis; not looked at where the line of equal values is drawn.
    pub x_spacing: Spacing,
    /// From where to where the lower axis goes.
    pub x_range: Range,
    /// From where to where the left axis goes.
    pub y_range: Range,
    /// How many decimals tooltips have.
    pub decimals: usize,
    /// A line under the title, such as `Kendall's τ = 0.83, r = 0.91`.
    pub summary: String,
    /// Lines under the chart.
    pub notes: Vec<String>,
}

/// A system's two values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Point {
    /// What the point is called.
    pub label: String,
    /// Where it stands along.
    pub x: f64,
    /// How high it stands.
    pub y: f64,
    /// How much it stands out.
    pub tone: Tone,
}

/// Whether the line of equal values is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Diagonal {
    /// Two axes of their own.
    #[default]
    None,
    /// Both axes the same, and a line where the values are equal.
    Equal,
}

const LABEL_ROOM: f64 = 150.0;
const RADIUS: f64 = 4.0;

impl Scatter {
    /// The chart as SVG text.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let (drawn, missing): (Vec<&Point>, Vec<&Point>) =
            self.points.iter().partition(|point| self.spacing().places(point.x) && drawable(point.y));
        let side = if drawn.len() <= 15 { 440.0 } else { 580.0 };
        let sample = self.axes(&drawn, (0.0, side), (side, 0.0)).1;
        let ticks = sample.ticks().iter().map(|tick| text_width(&tick.label, SMALL)).fold(0.0, f64::max);
        let left = MARGIN + ticks + 8.0;
        let right = left + side;
        let width = (right + MARGIN + 16.0).ceil();

        let mut canvas = Canvas::default();
        let y = canvas.head(&self.title, &[&self.summary], width);
        let y_label = format!("↑ {}", self.y_label);
        canvas.text_within("ink", (MARGIN, y + LABEL), Anchor::Start, LABEL, &y_label, width - 2.0 * MARGIN);
        let top = y + LABEL + 14.0;
        let bottom = top + side;
        let (along, up) = self.axes(&drawn, (left, right), (bottom, top));
        for tick in along.ticks_along(SMALL) {
            canvas.line("rule", (tick.at, top), (tick.at, bottom));
            canvas.text("soft", (tick.at, bottom + SMALL + 6.0), Anchor::Middle, SMALL, &tick.label);
        }
        for tick in up.ticks() {
            canvas.line("rule", (left, tick.at), (right, tick.at));
            canvas.text("soft", (left - 6.0, tick.at + SMALL * 0.35), Anchor::End, SMALL, &tick.label);
        }
        if self.diagonal == Diagonal::Equal {
            canvas.line("zero d1", (left, bottom), (right, top));
        }
        let x_label = format!("{} →", self.x_label);
        let at = (right, bottom + SMALL + LABEL + 14.0);
        canvas.text_within("ink", at, Anchor::End, LABEL, &x_label, side);

        let places: Vec<(f64, f64)> = drawn.iter().map(|point| (along.at(point.x), up.at(point.y))).collect();
        let size = if drawn.len() <= 30 { SMALL } else { SMALL - 1.0 };
        let texts: Vec<String> = drawn
            .iter()
            .map(|point| shorten(&point.label, LABEL_ROOM, size * weight(label_class(point))))
            .collect();
        let field = Area { left, right, top, bottom };
        let widths: Vec<f64> = drawn
            .iter()
            .zip(&texts)
            .map(|(point, text)| styled_width(label_class(point), text, size) + 2.0)
            .collect();
        let labels = place_labels(&widths, &places, size * 1.12, field);
        for (label, &(x, y)) in labels.iter().zip(&places) {
            if let Some(Label { leader: Some(end), .. }) = label {
                canvas.line("leader", (x, y), *end);
            }
        }
        let mut unlabelled = Vec::new();
        for ((point, &at), label) in drawn.iter().zip(&places).zip(&labels) {
            let (x, y) = (typeset(point.x, self.decimals), typeset(point.y, self.decimals));
            canvas.open(&format!("{}: {x}, {y}", point.label));
            canvas.circle(&format!("{} ring", point.tone.class()), at, RADIUS);
            match label {
                Some(label) => {
                    let class = label_class(point);
                    let at = (label.area.left + 1.0, label.area.bottom - size * 0.24);
                    canvas.text_within(class, at, Anchor::Start, size, &point.label, LABEL_ROOM);
                }
                None => unlabelled.push(format!("{} ({x}, {y})", point.label)),
            }
            canvas.close();
        }

        let mut notes = self.notes.clone();
        if !unlabelled.is_empty() {
            notes.push(format!("No room for the labels of: {}.", unlabelled.join("; ")));
        }
        let missing: Vec<String> = missing.iter().map(|point| point.label.clone()).collect();
        notes.extend(left_out(&missing));
        let height = canvas.notes(&notes, bottom + SMALL + LABEL + 18.0, width);
        let description =
            format!("{} systems by {} and {}. {}", drawn.len(), self.x_label, self.y_label, self.summary);
        canvas.finish((width, height), &self.title, &description)
    }

    /// How values are spread along the lower axis.
    fn spacing(&self) -> Spacing {
        match self.diagonal {
            Diagonal::None => self.x_spacing,
            Diagonal::Equal => Spacing::Linear,
        }
    }

    fn axes(&self, drawn: &[&Point], along: (f64, f64), up: (f64, f64)) -> (Axis, Axis) {
        let xs = || drawn.iter().map(|point| point.x);
        let ys = || drawn.iter().map(|point| point.y);
        let ends = |range: Range| match range {
            Range::Data => vec![],
            Range::AtLeast { low, high } => vec![low, high],
        };
        let axis =
            |mut values: Vec<f64>, other: Vec<f64>, range: Range, other_range: Range, place, spacing| {
                if self.diagonal == Diagonal::Equal {
                    values.extend(other);
                    values.extend(ends(other_range));
                }
                Axis::new(values, range, spacing, place, 6)
            };
        (
            axis(xs().collect(), ys().collect(), self.x_range, self.y_range, along, self.spacing()),
            axis(ys().collect(), xs().collect(), self.y_range, self.x_range, up, Spacing::Linear),
        )
    }
}

fn label_class(point: &Point) -> &'static str {
    if point.tone == Tone::Accent { "ink halo bold" } else { "ink halo" }
}

/// A rectangle on paper.
#[derive(Clone, Copy)]
struct Area {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Area {
    fn meets(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    fn holds(&self, (x, y): (f64, f64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    fn is_within(&self, field: &Self) -> bool {
        self.left >= field.left
            && self.right <= field.right
            && self.top >= field.top
            && self.bottom <= field.bottom
    }

    /// The point of the edge nearest to this one.
    fn nearest(&self, (x, y): (f64, f64)) -> (f64, f64) {
        (x.clamp(self.left, self.right), y.clamp(self.top, self.bottom))
    }
}

/// Where a label stands, and where the line to its point ends, if it has one.
struct Label {
    area: Area,
    leader: Option<(f64, f64)>,
}

/// A place for each label, the nearest free one; `None` where there is none.
///
/// Points in the thick of others choose first, as they have the least choice.
fn place_labels(widths: &[f64], places: &[(f64, f64)], high: f64, field: Area) -> Vec<Option<Label>> {
    let dots: Vec<Area> = places
        .iter()
        .map(|&(x, y)| {
            let r = RADIUS + 1.0;
            Area { left: x - r, right: x + r, top: y - r, bottom: y + r }
        })
        .collect();
    let crowd = |index: usize| {
        let (x, y) = places[index];
        places.iter().filter(|(ox, oy)| (ox - x).abs() < 60.0 && (oy - y).abs() < 25.0).count()
    };
    let mut order: Vec<usize> = (0..widths.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(crowd(index)));

    let mut labels: Vec<Option<Label>> = widths.iter().map(|_| None).collect();
    let mut taken: Vec<Area> = Vec::new();
    let mut leaders: Vec<(f64, f64)> = Vec::new();
    for index in order {
        let place = candidates(places[index], widths[index], high).find_map(|area| {
            let leader = leader(places[index], &area);
            let line = leader.map_or_else(Vec::new, |end| samples(places[index], end));
            let free = area.is_within(&field)
                && !dots.iter().any(|dot| dot.meets(&area))
                && !taken.iter().any(|other| other.meets(&area))
                && !leaders.iter().any(|&point| area.holds(point))
                && !line.iter().any(|&point| taken.iter().any(|other| other.holds(point)))
                && !line.iter().skip(2).any(|&point| dots.iter().any(|dot| dot.holds(point)));
            free.then_some((Label { area, leader }, line))
        });
        if let Some((label, line)) = place {
            taken.push(label.area);
            leaders.extend(line);
            labels[index] = Some(label);
        }
    }
    labels
}

/// Boxes around a point, the nearest first: right, left, above, below, then the
/// corners, then the same further out.
fn candidates((x, y): (f64, f64), wide: f64, high: f64) -> impl Iterator<Item = Area> {
    const RINGS: [f64; 10] = [0.0, 7.0, 16.0, 27.0, 40.0, 55.0, 72.0, 92.0, 115.0, 140.0];
    const SIDES: [(f64, f64); 16] = [
        (1.0, 0.0),
        (-1.0, 0.0),
        (0.0, -1.0),
        (0.0, 1.0),
        (1.0, -1.0),
        (1.0, 1.0),
        (-1.0, -1.0),
        (-1.0, 1.0),
        (1.0, -0.5),
        (1.0, 0.5),
        (-1.0, -0.5),
        (-1.0, 0.5),
        (0.5, -1.0),
        (-0.5, -1.0),
        (0.5, 1.0),
        (-0.5, 1.0),
    ];
    RINGS.into_iter().flat_map(move |ring| {
        SIDES.into_iter().map(move |(dx, dy)| {
            let reach = RADIUS + 2.0 + ring;
            let middle_x = x + dx * (reach + wide / 2.0);
            let middle_y = y + dy * (reach + high / 2.0);
            Area {
                left: middle_x - wide / 2.0,
                right: middle_x + wide / 2.0,
                top: middle_y - high / 2.0,
                bottom: middle_y + high / 2.0,
            }
        })
    })
}

fn leader(point: (f64, f64), area: &Area) -> Option<(f64, f64)> {
    let end = area.nearest(point);
    ((end.0 - point.0).hypot(end.1 - point.1) > RADIUS + 6.0).then_some(end)
}

fn samples(from: (f64, f64), to: (f64, f64)) -> Vec<(f64, f64)> {
    let steps = ((to.0 - from.0).hypot(to.1 - from.1) / 4.0).ceil().max(1.0) as usize;
    (0..steps)
        .map(|step| {
            let part = step as f64 / steps as f64;
            (from.0 + (to.0 - from.0) * part, from.1 + (to.1 - from.1) * part)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, has_text, name};
    use super::*;

    fn chart(points: usize) -> Scatter {
        Scatter {
            title: "Two sets of judgments".into(),
            x_label: "nDCG' (experts)".into(),
            y_label: "nDCG' (students)".into(),
            points: (0..points)
                .map(|i| Point {
                    label: name(i),
                    x: ((i * 37) % 61) as f64 / 100.0,
                    y: ((i * 37 + i * i % 9) % 61) as f64 / 100.0,
                    tone: Tone::Plain,
                })
                .collect(),
            summary: "Kendall's τ = 0.83".into(),
            decimals: 3,
            ..Scatter::default()
        }
    }

    #[test]
    fn any_number_of_points() {
        for points in [0, 1, 3, 15, 30, 60] {
            for diagonal in [Diagonal::None, Diagonal::Equal] {
                let svg = Scatter { diagonal, ..chart(points) }.to_svg();
                check(&svg);
                (0..points).for_each(|i| assert!(has_text(&svg, &name(i))));
            }
        }
    }

    #[test]
    fn ratios_have_equal_steps_on_a_log_axis() {
        let at = |x: f64| Point { label: format!("{x}"), x, y: 0.5, tone: Tone::Plain };
        let points = vec![at(1.0), at(10.0), at(100.0), at(0.0)];
        let svg = Scatter { x_spacing: Spacing::Log, points, ..Scatter::default() }.to_svg();
        check(&svg);
        let circles =
            svg.split("<circle").skip(1).map(|text| text.split('"').find_map(|word| word.parse().ok()));
        let along: Vec<f64> = circles.flatten().collect();
        assert_eq!(along.len(), 3, "{svg}");
        assert!(((along[2] - along[1]) - (along[1] - along[0])).abs() < 0.2, "{along:?}");
        assert!(svg.contains("Not drawn"), "zero has no place there");
    }

    #[test]
    fn points_in_one_place_keep_their_labels_apart() {
        let mut chart = chart(20);
        for point in &mut chart.points {
            (point.x, point.y) = (0.5, 0.5);
        }
        check(&chart.to_svg());
        chart.points[0].y = f64::NAN;
        let svg = chart.to_svg();
        check(&svg);
        assert_eq!(svg.matches("<circle").count(), 19);
        assert!(svg.contains("Not drawn, as not a finite number: BM25-0."));
    }
}
