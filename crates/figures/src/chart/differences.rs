//! Two runs compared topic by topic.

use super::axis::{Axis, Range, Spacing};
use super::canvas::{Anchor, Canvas, LABEL, MARGIN, SMALL};
use super::metrics::{shorten, text_width};
use super::{drawable, left_out};
use crate::number::typeset;

/// A bar for each topic, from the topic the system gains most on to the one it
/// loses most on.
///
/// The chart sorts the bars (equal ones keep their order) and says how many go
/// up, down or nowhere. Topics are labelled where there is room, else by tooltips.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Differences {
    /// What the chart shows.
    pub title: String,
    /// The measure whose differences these are.
    pub measure: String,
    /// The run whose gains go up.
    pub system: String,
    /// The run it is compared with.
    pub baseline: String,
    /// One for each topic.
    pub topics: Vec<Difference>,
    /// Differences up to this size count as none.
    pub equal_within: f64,
    /// How many decimals tooltips have.
    pub decimals: usize,
    /// Lines under the chart, such as the outcome of a test.
    pub notes: Vec<String>,
}

/// The difference on one topic.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Difference {
    /// The topic.
    pub topic: String,
    /// The system's value minus the baseline's; a gap if not finite.
    pub value: f64,
}

const PLOT_HEIGHT: f64 = 240.0;
const TOPIC: f64 = 9.5;
const TOPIC_ROOM: f64 = 80.0;

impl Differences {
    /// The chart as SVG text.
    #[must_use]
    pub fn to_svg(&self) -> String {
        let mut drawn: Vec<&Difference> = self.topics.iter().filter(|topic| drawable(topic.value)).collect();
        drawn.sort_by(|a, b| b.value.total_cmp(&a.value));
        let missing: Vec<String> = self
            .topics
            .iter()
            .filter(|topic| !drawable(topic.value))
            .map(|topic| topic.topic.clone())
            .collect();

        let count = drawn.len().max(1) as f64;
        let labelled = drawn.len() <= 90;
        let step = if labelled { (720.0 / count).clamp(12.0, 40.0) } else { (900.0 / count).clamp(5.0, 9.0) };
        let values = || drawn.iter().map(|topic| topic.value);
        let unplaced = Axis::new(values(), Range::FROM_ZERO, Spacing::Linear, (0.0, PLOT_HEIGHT), 6);
        let ticks = unplaced.ticks().iter().map(|tick| text_width(&tick.label, SMALL)).fold(0.0, f64::max);
        let left = MARGIN + ticks + 8.0;
        let right = left + (step * count).max(440.0);
        let width = right + MARGIN;

        let mut canvas = Canvas::default();
        let y = canvas.head(&self.title, &[], width);
        let y = self.draw_key(&mut canvas, &drawn, y, width);
        let heading = format!("Difference in {}", self.measure);
        canvas.text_within("soft", (MARGIN, y + SMALL), Anchor::Start, SMALL, &heading, width - 2.0 * MARGIN);

        let top = y + SMALL + 14.0;
        let bottom = top + PLOT_HEIGHT;
        let axis = Axis::new(values(), Range::FROM_ZERO, Spacing::Linear, (bottom, top), 6);
        for tick in axis.ticks() {
            canvas.line("rule", (left, tick.at), (right, tick.at));
            canvas.text("soft", (left - 6.0, tick.at + SMALL * 0.35), Anchor::End, SMALL, &tick.label);
        }
        let zero = axis.floor();
        let label_height = drawn.iter().map(|topic| text_width(&topic.topic, TOPIC)).fold(0.0, f64::max);
        for (index, topic) in drawn.iter().enumerate() {
            let x = left + index as f64 * step;
            let tip = format!("{}: {}", topic.topic, typeset(topic.value, self.decimals));
            self.draw_bar(&mut canvas, topic.value, &axis, (x, step), &tip);
            if labelled {
                let at = (x + step / 2.0 + TOPIC * 0.35, bottom + 8.0);
                canvas.turned_text_within("soft", at, Anchor::End, TOPIC, -90, &topic.topic, TOPIC_ROOM);
            }
        }
        canvas.line("zero", (left, zero), (right, zero));
        let y = if labelled { bottom + 8.0 + label_height.min(TOPIC_ROOM) } else { bottom + 4.0 };

        let note = left_out(&missing);
        let height = canvas.notes(self.notes.iter().chain(&note), y + 2.0, width);
        let [better, equal, worse] = self.tally(&drawn);
        let description = format!(
            "{} of {} minus {} on {} topics: {better} better, {equal} equal, {worse} worse.",
            self.measure,
            self.system,
            self.baseline,
            drawn.len()
        );
        canvas.finish((width, height), &self.title, &description)
    }

    /// How many bars go up, nowhere and down.
    fn tally(&self, drawn: &[&Difference]) -> [usize; 3] {
        let better = drawn.iter().filter(|topic| topic.value > self.tolerance()).count();
        let worse = drawn.iter().filter(|topic| topic.value < -self.tolerance()).count();
        [better, drawn.len() - better - worse, worse]
    }

    fn tolerance(&self) -> f64 {
        if self.equal_within > 0.0 { self.equal_within } else { 0.0 }
    }

    fn draw_bar(&self, canvas: &mut Canvas, value: f64, axis: &Axis, (x, step): (f64, f64), tip: &str) {
        let (zero, end) = (axis.floor(), axis.at(value));
        let inset = if step > 8.0 { 1.5 } else { 0.5 };
        let class = if value > self.tolerance() {
            "up"
        } else if value < -self.tolerance() {
            "down"
        } else {
            "dim"
        };
        // Bars of no height keep a stub, which can be seen and pointed at.
        let height = (end - zero).abs().max(2.0);
        let (top, height) = match class {
            "up" => (zero - height, height),
            "down" => (zero, height),
            _ => (zero - 1.5, 3.0),
        };
        canvas.open(tip);
        canvas.rect(class, (x + inset, top), (step - 2.0 * inset, height));
        canvas.close();
    }

    /// The line that says which colour is which run's, and how often; in as
    /// many lines as it needs.
    fn draw_key(&self, canvas: &mut Canvas, drawn: &[&Difference], y: f64, width: f64) -> f64 {
        let [better, equal, worse] = self.tally(drawn);
        let room = width - 2.0 * MARGIN - 24.0;
        let (system, baseline) =
            (shorten(&self.system, room * 0.5, LABEL), shorten(&self.baseline, room * 0.5, LABEL));
        let entries = [
            ("up", format!("{system} better: {better}"), format!("{} better: {better}", self.system)),
            ("dim", format!("equal: {equal}"), String::new()),
            ("down", format!("{baseline} better: {worse}"), format!("{} better: {worse}", self.baseline)),
        ];
        let (mut x, mut y) = (MARGIN, y);
        for (class, text, full) in entries {
            let wide = 16.0 + text_width(&text, LABEL) + 20.0;
            if x > MARGIN && x + wide > width - MARGIN {
                x = MARGIN;
                y += LABEL + 6.0;
            }
            canvas.open(if full.is_empty() { &text } else { &full });
            canvas.rect(class, (x, y + 2.0), (10.0, 10.0));
            canvas.text_within("ink", (x + 16.0, y + 11.0), Anchor::Start, LABEL, &text, room);
            canvas.close();
            x += wide;
        }
        y + LABEL + 12.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{check, has_text};
    use super::*;

    fn chart(topics: usize) -> Differences {
        Differences {
            title: "Tree against BM25".into(),
            measure: "nDCG'".into(),
            system: "a system with quite a long name, longer than any other".into(),
            baseline: "BM25".into(),
            topics: (0..topics)
                .map(|i| Difference {
                    topic: format!("A.{}", 301 + i),
                    value: ((i * 37) % 101) as f64 / 100.0 - 0.4,
                })
                .collect(),
            decimals: 3,
            ..Differences::default()
        }
    }

    #[test]
    fn any_number_of_topics() {
        for topics in [0, 1, 2, 3, 20, 78, 90, 91, 200] {
            let svg = chart(topics).to_svg();
            check(&svg);
            (0..topics).for_each(|i| assert!(has_text(&svg, &format!("A.{}", 301 + i))));
        }
    }

    #[test]
    fn counts_and_gaps() {
        let mut chart = chart(4);
        for (topic, value) in chart.topics.iter_mut().zip([0.2, 0.0005, f64::NAN, -0.3]) {
            topic.value = value;
        }
        chart.equal_within = 0.001;
        let svg = chart.to_svg();
        check(&svg);
        assert!(svg.contains("1 better, 1 equal, 1 worse"));
        assert!(svg.contains("Not drawn, as not a finite number: A.303."));
    }
}
