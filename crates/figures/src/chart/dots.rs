//! Systems by measure: a dot or bar for each system, with its interval.

use super::axis::{Axis, Range, Spacing};
use super::canvas::{Anchor, Canvas, LABEL, MARGIN, SMALL};
use super::metrics::{styled_width, text_width};
use super::{Tone, drawable, left_out};
use crate::number::typeset;

/// Systems in rows, measures side by side.
///
/// Systems stand in the order given. Each measure has its own axis; its values
/// are printed at the right end of the row, clear of the whiskers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dots {
    /// What the chart shows.
    pub title: String,
    /// The rows.
    pub systems: Vec<System>,
    /// The measures.
    pub panels: Vec<Panel>,
    /// Dots or bars.
    pub shape: Shape,
    /// Lines under the chart, such as what the intervals are.
    pub notes: Vec<String>,
}

/// A row of the chart.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct System {
    /// What the row is called.
    pub name: String,
    /// How much it stands out.
    pub tone: Tone,
}

/// One measure of all systems.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// What the measure is called.
    pub measure: String,
    /// One for each system, in the same order. Missing ones are gaps.
    pub estimates: Vec<Estimate>,
    /// Lines across all systems.
    pub references: Vec<Reference>,
    /// From where to where the axis goes.
    pub range: Range,
    /// How many decimals of the values are printed.
    pub decimals: usize,
}

/// A value and how sure it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value; a gap if not finite.
    pub value: f64,
    /// The ends of the interval, if there is one.
    pub interval: Option<(f64, f64)>,
}

/// A value to compare with, such as that of a random order or the highest possible.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reference {
    /// What the value is.
    pub label: String,
    /// Where the line stands.
    pub value: f64,
}

/// How values are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shape {
    /// A dot with whiskers; the axis need not start at zero.
    #[default]
    Dot,
    /// A bar with whiskers, from zero.
    Bar,
}

/// The room between panels, and between a panel and what stands beside it.
const GAP: f64 = 12.0;

impl Dots {
    /// The chart as SVG text.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let layout = Layout::of(self);
        let mut canvas = Canvas::default();
        let mut missing = Vec::new();
        let mut y = canvas.head(&self.title, &[], layout.width);
        for panels in self.panels.chunks(layout.per_row) {
            let lanes = panels
                .iter()
                .enumerate()
                .map(|(index, panel)| layout.reference_labels(panel, index).iter().map(|l| l.lane + 1).max())
                .max()
                .flatten()
                .unwrap_or(0);
            let top = y + LABEL + 6.0 + lanes as f64 * (SMALL + 3.0) + 4.0;
            self.draw_names(&mut canvas, &layout, top);
            for (index, panel) in panels.iter().enumerate() {
                self.draw_panel(&mut canvas, &layout, panel, index, (y, top), &mut missing);
            }
            y = top + layout.rows_height(self) + SMALL + 16.0;
        }
        let note = left_out(&missing);
        let height = canvas.notes(self.notes.iter().chain(&note), y, layout.width);
        let names: Vec<&str> = self.panels.iter().map(|panel| panel.measure.as_str()).collect();
        let description = format!("{} systems by {}.", self.systems.len(), names.join(", "));
        canvas.finish((layout.width, height), &self.title, &description)
    }

    fn draw_names(&self, canvas: &mut Canvas, layout: &Layout, top: f64) {
        for (row, system) in self.systems.iter().enumerate() {
            let y = top + (row as f64 + 0.5) * layout.row;
            let class = name_class(system.tone);
            let at = (MARGIN + layout.names, y + layout.size * 0.35);
            canvas.text_within(class, at, Anchor::End, layout.size, &system.name, layout.names);
        }
    }

    fn draw_panel(
        &self,
        canvas: &mut Canvas,
        layout: &Layout,
        panel: &Panel,
        index: usize,
        (head, top): (f64, f64),
        missing: &mut Vec<String>,
    ) {
        let axis = layout.axis(panel, index);
        let (left, right) = layout.plot(index);
        let bottom = top + layout.rows_height(self);
        let room = layout.plot_width + GAP / 2.0 + layout.values;
        canvas.text_within("ink bold", (left, head + LABEL), Anchor::Start, LABEL, &panel.measure, room);

        for tick in axis.ticks_along(SMALL) {
            canvas.line("rule", (tick.at, top), (tick.at, bottom));
            canvas.text("soft", (tick.at, bottom + SMALL + 5.0), Anchor::Middle, SMALL, &tick.label);
        }
        for row in 0..self.systems.len() {
            let y = top + (row as f64 + 0.5) * layout.row;
            canvas.line("guide", (left, y), (right, y));
        }
        let labels = layout.reference_labels(panel, index);
        let lane_y =
            |label: &ReferenceLabel<'_>| head + LABEL + 6.0 + label.lane as f64 * (SMALL + 3.0) + SMALL;
        for label in &labels {
            let x = axis.at(label.reference.value);
            canvas.line("reference", (x, lane_y(label) + 3.0), (x, bottom));
        }
        // After the lines, as a line may pass behind another's label.
        for label in &labels {
            let Reference { label: name, value } = label.reference;
            canvas.open(&format!("{name}: {}", typeset(*value, panel.decimals)));
            let at = (label.left, lane_y(label));
            canvas.text_within("referencetext halo", at, Anchor::Start, SMALL, name, room);
            canvas.close();
        }
        for (row, system) in self.systems.iter().enumerate() {
            let y = top + (row as f64 + 0.5) * layout.row;
            let estimate = panel.estimates.get(row).copied().unwrap_or(Estimate::MISSING);
            if !drawable(estimate.value) {
                missing.push(format!("{} ({})", system.name, panel.measure));
            } else {
                self.draw_estimate(canvas, layout, &axis, (system, panel), estimate, y);
            }
            let text = estimate.text(panel.decimals);
            let at = (right + GAP / 2.0 + layout.values, y + layout.size * 0.35);
            let class = if system.tone == Tone::Accent { "ink bold" } else { "ink" };
            canvas.text(class, at, Anchor::End, layout.size - 0.5, &text);
        }
    }

    fn draw_estimate(
        &self,
        canvas: &mut Canvas,
        layout: &Layout,
        axis: &Axis,
        (system, panel): (&System, &Panel),
        estimate: Estimate,
        y: f64,
    ) {
        let tone = system.tone.class();
        let x = axis.at(estimate.value);
        let interval = estimate.drawn_interval();
        let mut tip = format!("{}, {}: {}", system.name, panel.measure, estimate.text(panel.decimals));
        if let Some((low, high)) = interval {
            let (low, high) = (typeset(low, panel.decimals), typeset(high, panel.decimals));
            tip.push_str(&format!(" [{low}, {high}]"));
        }
        canvas.open(&tip);
        let half = (layout.row * 0.32).min(7.0);
        if self.shape == Shape::Bar {
            let zero = axis.floor();
            canvas.rect(&format!("{tone} bar"), (x.min(zero), y - half), ((x - zero).abs(), half * 2.0));
        }
        if let Some((low, high)) = interval {
            let (low, high) = (axis.at(low), axis.at(high));
            // On a bar the whiskers need another colour than the bar.
            let class = if self.shape == Shape::Bar { "whisker".to_owned() } else { format!("{tone}s") };
            let cap = (half * 0.55).min(3.5);
            canvas.line(&class, (low, y), (high, y));
            canvas.line(&class, (low, y - cap), (low, y + cap));
            canvas.line(&class, (high, y - cap), (high, y + cap));
        }
        if self.shape == Shape::Dot {
            canvas.circle(&format!("{tone} ring"), (x, y), (half * 0.75).clamp(3.0, 4.5));
        }
        canvas.close();
    }
}

fn name_class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "ink",
        Tone::Accent => "ink bold",
        Tone::Dim => "soft",
    }
}

impl Estimate {
    const MISSING: Self = Self { value: f64::NAN, interval: None };

    fn drawn_interval(self) -> Option<(f64, f64)> {
        self.interval.filter(|(low, high)| drawable(*low) && drawable(*high))
    }

    fn text(self, decimals: usize) -> String {
        typeset(if drawable(self.value) { self.value } else { f64::NAN }, decimals)
    }
}

/// A reference with the place of its label.
struct ReferenceLabel<'a> {
    reference: &'a Reference,
    lane: usize,
    left: f64,
}

/// The sizes that follow from the systems and panels.
struct Layout {
    names: f64,
    values: f64,
    row: f64,
    size: f64,
    per_row: usize,
    plot_width: f64,
    width: f64,
    shape: Shape,
}

impl Layout {
    fn of(chart: &Dots) -> Self {
        let (row, size) = match chart.systems.len() {
            0..=20 => (22.0, LABEL),
            21..=40 => (18.0, LABEL),
            _ => (16.0, SMALL),
        };
        let widest = |texts: &mut dyn Iterator<Item = f64>| texts.fold(0.0, f64::max);
        let names = widest(
            &mut chart.systems.iter().map(|system| styled_width(name_class(system.tone), &system.name, size)),
        );
        let values = widest(&mut chart.panels.iter().flat_map(|panel| {
            panel.estimates.iter().map(|estimate| styled_width("bold", &estimate.text(panel.decimals), size))
        }));
        let names = names.clamp(20.0, 240.0);
        let per_row = chart.panels.len().clamp(1, 4);
        let plot_width = [420.0, 270.0, 200.0, 160.0][per_row - 1];
        let panel = plot_width + GAP / 2.0 + values;
        let width = 2.0 * MARGIN + names + per_row as f64 * (panel + 2.0 * GAP) - GAP;
        Self { names, values, row, size, per_row, plot_width, width: width.ceil(), shape: chart.shape }
    }

    fn rows_height(&self, chart: &Dots) -> f64 {
        self.row * chart.systems.len() as f64
    }

    fn plot(&self, index: usize) -> (f64, f64) {
        let step = self.plot_width + GAP / 2.0 + self.values + 2.0 * GAP;
        let left = MARGIN + self.names + GAP + index as f64 * step;
        (left, left + self.plot_width)
    }

    fn axis(&self, panel: &Panel, index: usize) -> Axis {
        let values = panel.estimates.iter().flat_map(|estimate| {
            let (low, high) = estimate.drawn_interval().unwrap_or((estimate.value, estimate.value));
            [estimate.value, low, high]
        });
        let zero = (self.shape == Shape::Bar).then_some(0.0);
        let values = values.chain(panel.references.iter().map(|reference| reference.value)).chain(zero);
        Axis::new(
            values,
            panel.range,
            Spacing::Linear,
            self.plot(index),
            (self.plot_width / 40.0).min(8.0) as usize,
        )
    }

    /// Labels in lanes, so that none runs into another or leaves the panel.
    fn reference_labels<'a>(&self, panel: &'a Panel, index: usize) -> Vec<ReferenceLabel<'a>> {
        let axis = self.axis(panel, index);
        let (start, end) = self.plot(index);
        let end = end + GAP / 2.0 + self.values;
        let mut taken: Vec<Vec<(f64, f64)>> = Vec::new();
        let mut labels = Vec::new();
        for reference in panel.references.iter().filter(|reference| drawable(reference.value)) {
            let width = text_width(&reference.label, SMALL).min(end - start);
            let left = (axis.at(reference.value) - width / 2.0).clamp(start, end - width);
            let free = |lane: &Vec<(f64, f64)>| {
                lane.iter().all(|&(from, to)| left > to + 8.0 || left + width < from - 8.0)
            };
            let lane = taken.iter().position(free).unwrap_or(taken.len());
            if lane == taken.len() {
                taken.push(Vec::new());
            }
            taken[lane].push((left, left + width));
            labels.push(ReferenceLabel { reference, lane, left });
        }
        labels
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, has_text, name};
    use super::*;

    fn chart(systems: usize, panels: usize) -> Dots {
        Dots {
            title: "Effectiveness of <all> runs & baselines".into(),
            systems: (0..systems)
                .map(|i| System { name: name(i), tone: [Tone::Plain, Tone::Accent, Tone::Dim][i % 3] })
                .collect(),
            panels: (0..panels)
                .map(|p| Panel {
                    measure: format!("nDCG'@{p}"),
                    estimates: (0..systems)
                        .map(|i| {
                            let value = ((i * 37 + p * 11) % 100) as f64 / 100.0;
                            Estimate { value, interval: Some((value - 0.05, value + 0.04)) }
                        })
                        .collect(),
                    references: vec![
                        Reference { label: "random order".into(), value: 0.02 },
                        Reference { label: "highest possible".into(), value: 0.97 },
                    ],
                    range: Range::UNIT,
                    decimals: 3,
                })
                .collect(),
            shape: if systems.is_multiple_of(2) { Shape::Dot } else { Shape::Bar },
            notes: vec!["Whiskers: 95% intervals over topics.".into()],
        }
    }

    #[test]
    fn any_number_of_systems_and_measures() {
        for systems in [0, 1, 2, 3, 21, 30, 60] {
            for panels in [0, 1, 2, 3, 4, 7] {
                let svg = chart(systems, panels).to_svg();
                check(&svg);
                if panels > 0 {
                    (0..systems).for_each(|i| assert!(has_text(&svg, &name(i))));
                }
            }
        }
    }

    #[test]
    fn missing_values_are_gaps_and_named() {
        let mut chart = chart(4, 1);
        chart.panels[0].estimates[1].value = f64::NAN;
        chart.panels[0].estimates[2].interval = Some((f64::NEG_INFINITY, f64::NAN));
        chart.panels[0].estimates.truncate(3);
        chart.panels[0].references[0].value = f64::NAN;
        let svg = chart.to_svg();
        check(&svg);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(svg.contains("Not drawn, as not a finite number"));
    }
}
