//! SVG text, written element by element.
//!
//! Colours and weights are classes, so that one style sheet serves light and
//! dark screens; places and sizes are attributes. There are no ids, so many
//! charts can stand in one page.

use super::metrics::{shorten, weight, wrap};
use crate::escape::markup;

/// Size of titles.
pub(super) const TITLE: f64 = 15.0;
/// Size of labels.
pub(super) const LABEL: f64 = 12.0;
/// Size of ticks and notes.
pub(super) const SMALL: f64 = 11.0;
/// Blank around the whole chart.
pub(super) const MARGIN: f64 = 14.0;

/// Which part of a text stands at its place.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// An SVG in the making.
#[derive(Default)]
pub(super) struct Canvas {
    body: String,
}

impl Canvas {
    pub(super) fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.body.push_str(&format!(
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n",
            place(x1),
            place(y1),
            place(x2),
            place(y2)
        ));
    }

    pub(super) fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        self.body.push_str(&format!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n",
            place(x),
            place(y),
            place(width.max(0.0)),
            place(height.max(0.0))
        ));
    }

    /// A rectangle whose colour stands for a value and is the same on every screen.
    pub(super) fn tile(&mut self, colour: &str, (x, y): (f64, f64), (width, height): (f64, f64), tip: &str) {
        let tip = if tip.is_empty() { String::new() } else { format!("<title>{}</title>", markup(tip)) };
        self.body.push_str(&format!(
            "<rect fill=\"{colour}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{tip}</rect>\n",
            place(x),
            place(y),
            place(width),
            place(height)
        ));
    }

    pub(super) fn circle(&mut self, class: &str, (x, y): (f64, f64), radius: f64) {
        self.body.push_str(&format!(
            "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n",
            place(x),
            place(y),
            place(radius)
        ));
    }

    /// A line through these points.
    pub(super) fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        self.points("polyline", class, points);
    }

    /// The area these points go around.
    pub(super) fn polygon(&mut self, class: &str, points: &[(f64, f64)]) {
        self.points("polygon", class, points);
    }

    fn points(&mut self, element: &str, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|&(x, y)| format!("{},{}", place(x), place(y))).collect();
        self.body.push_str(&format!("<{element} class=\"{class}\" points=\"{}\"/>\n", points.join(" ")));
    }

    /// Elements that share a tooltip, until [`Canvas::close`].
    pub(super) fn open(&mut self, tip: &str) {
        self.body.push_str(&format!("<g><title>{}</title>\n", markup(tip)));
    }

    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// A text whose baseline is at `y`.
    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, size: f64, text: &str) {
        self.write_text(class, at, anchor, size, 0, text, "");
    }

    /// A text shortened to the room it has; if so, its tooltip has all of it.
    pub(super) fn text_within(
        &mut self,
        class: &str,
        at: (f64, f64),
        anchor: Anchor,
        size: f64,
        text: &str,
        room: f64,
    ) {
        self.turned_text_within(class, at, anchor, size, 0, text, room);
    }

    /// [`Canvas::text_within`], turned by so many degrees about its place.
    #[expect(clippy::too_many_arguments, reason = "one place that writes text, called by thin wrappers")]
    pub(super) fn turned_text_within(
        &mut self,
        class: &str,
        at: (f64, f64),
        anchor: Anchor,
        size: f64,
        degrees: i32,
        text: &str,
        room: f64,
    ) {
        let short = shorten(text, room, size * weight(class));
        let tip = if short == text { "" } else { text };
        self.write_text(class, at, anchor, size, degrees, &short, tip);
    }

    #[expect(clippy::too_many_arguments, reason = "one place that writes text, called by thin wrappers")]
    fn write_text(
        &mut self,
        class: &str,
        (x, y): (f64, f64),
        anchor: Anchor,
        size: f64,
        degrees: i32,
        text: &str,
        tip: &str,
    ) {
        if text.is_empty() {
            return;
        }
        let (x, y) = (place(x), place(y));
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn =
            if degrees == 0 { String::new() } else { format!(" transform=\"rotate({degrees} {x} {y})\"") };
        let tip = if tip.is_empty() { String::new() } else { format!("<title>{}</title>", markup(tip)) };
        self.body.push_str(&format!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" font-size=\"{}\"{turn}>{tip}{}</text>\n",
            place(size),
            markup(text)
        ));
    }

    /// The chart's title, and lines of text under it, from the top margin;
    /// returns the place below.
    pub(super) fn head(&mut self, title: &str, under: &[&str], width: f64) -> f64 {
        let room = width - 2.0 * MARGIN;
        let mut y = MARGIN;
        for line in wrap(title, room, TITLE * weight("bold")) {
            y += TITLE;
            self.text("ink bold", (MARGIN, y), Anchor::Start, TITLE, &line);
            y += 5.0;
        }
        for text in under {
            for line in wrap(text, room, LABEL) {
                y += LABEL + 1.0;
                self.text("soft", (MARGIN, y), Anchor::Start, LABEL, &line);
                y += 4.0;
            }
        }
        y + 8.0
    }

    /// Lines of text from here down; returns the place below with the bottom margin.
    pub(super) fn notes<'a>(
        &mut self,
        notes: impl IntoIterator<Item = &'a String>,
        y: f64,
        width: f64,
    ) -> f64 {
        let mut y = y + 4.0;
        for note in notes {
            for line in wrap(note, width - 2.0 * MARGIN, SMALL) {
                y += SMALL + 1.0;
                self.text("soft", (MARGIN, y), Anchor::Start, SMALL, &line);
                y += 3.0;
            }
        }
        y + MARGIN - 4.0
    }

    /// The whole SVG. `title` and `description` are what a screen reader says.
    pub(super) fn finish(self, (width, height): (f64, f64), title: &str, description: &str) -> String {
        let (width, height) = (place(width.ceil()), place(height.ceil()));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n<desc>{}</desc>\n\
             <style>{STYLE}</style>\n<rect class=\"paper\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\n\
             {}</svg>\n",
            markup(title),
            markup(description),
            self.body
        )
    }
}

/// A place in hundredths of a pixel, as short as it can be written.
fn place(value: f64) -> String {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// How many kinds of line the style sheet has.
pub(super) const COLOURS: usize = 8;

/// Classes: `ink`, `soft` for text; `rule`, `guide`, `zero` for lines;
/// `plain`, `accent`, `dim`, `up`, `down` for marks, and the same with an `s`
/// for strokes; `k0` to `k7` for series.
pub(super) const STYLE: &str = "
.chart text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-variant-numeric:tabular-nums}
.chart .bold{font-weight:600}
.chart .paper{fill:#fff}
.chart .ink{fill:#1c2127}
.chart .soft{fill:#59636e}
.chart .onlight{fill:#111}
.chart .ondark{fill:#fff}
.chart .rule{stroke:#dfe3e8;stroke-width:1}
.chart .guide{stroke:#eceff2;stroke-width:1}
.chart .zero{stroke:#6b7580;stroke-width:1}
.chart .reference{stroke:#8a5a00;stroke-width:1.2;stroke-dasharray:5 3}
.chart .referencetext{fill:#7a4f00}
.chart .leader{stroke:#7d8894;stroke-width:.8;fill:none}
.chart .halo{paint-order:stroke;stroke:#fff;stroke-width:3;stroke-linejoin:round}
.chart .bar{fill-opacity:.6}
.chart .whisker{stroke:#1c2127;stroke-width:1.3}
.chart .gap{fill:none;stroke:#b8c0c8;stroke-width:1}
.chart .ring{stroke:#fff;stroke-width:1}
.chart .plain{fill:#3d5a80}.chart .plains{stroke:#3d5a80;stroke-width:1.5;fill:none}
.chart .accent{fill:#c2410c}.chart .accents{stroke:#c2410c;stroke-width:2;fill:none}
.chart .dim{fill:#98a2ad}.chart .dims{stroke:#98a2ad;stroke-width:1.5;fill:none}
.chart .up{fill:#1f6fb2}.chart .down{fill:#d0701c}
.chart .series{fill:none;stroke-width:1.8;stroke-linejoin:round}
.chart .band{fill-opacity:.16;stroke:none}
.chart .d1{stroke-dasharray:6 3}.chart .d2{stroke-dasharray:2 2.5}.chart .d3{stroke-dasharray:8 3 2 3}
.chart .k0{stroke:#1f5fa8;fill:#1f5fa8}.chart .k1{stroke:#c2410c;fill:#c2410c}
.chart .k2{stroke:#0a7f5f;fill:#0a7f5f}.chart .k3{stroke:#9b3c87;fill:#9b3c87}
.chart .k4{stroke:#a67c00;fill:#a67c00}.chart .k5{stroke:#2f9bc4;fill:#2f9bc4}
.chart .k6{stroke:#5b6570;fill:#5b6570}.chart .k7{stroke:#7a4b2a;fill:#7a4b2a}
.chart .k0.series,.chart .k1.series,.chart .k2.series,.chart .k3.series,.chart .k4.series,.chart .k5.series,.chart .k6.series,.chart .k7.series{fill:none}
.chart .k0.band,.chart .k1.band,.chart .k2.band,.chart .k3.band,.chart .k4.band,.chart .k5.band,.chart .k6.band,.chart .k7.band{stroke:none}
@media (prefers-color-scheme:dark){
.chart .paper{fill:#14181d}
.chart .ink{fill:#e4e8ec}
.chart .soft{fill:#a3adb8}
.chart .rule{stroke:#323a43}
.chart .guide{stroke:#232a31}
.chart .zero{stroke:#8b96a2}
.chart .reference{stroke:#d9a441}
.chart .referencetext{fill:#e2b35c}
.chart .leader{stroke:#7d8894}
.chart .halo{stroke:#14181d}
.chart .whisker{stroke:#e4e8ec}
.chart .gap{stroke:#4c5661}
.chart .ring{stroke:#14181d}
.chart .plain{fill:#8fb3dd}.chart .plains{stroke:#8fb3dd}
.chart .accent{fill:#ff8a4c}.chart .accents{stroke:#ff8a4c}
.chart .dim{fill:#6f7a86}.chart .dims{stroke:#6f7a86}
.chart .up{fill:#5aa9e6}.chart .down{fill:#f0994a}
.chart .k0{stroke:#6fb0f2;fill:#6fb0f2}.chart .k1{stroke:#ff8a4c;fill:#ff8a4c}
.chart .k2{stroke:#3ec9a0;fill:#3ec9a0}.chart .k3{stroke:#dd8fce;fill:#dd8fce}
.chart .k4{stroke:#e0b93f;fill:#e0b93f}.chart .k5{stroke:#8fd6f0;fill:#8fd6f0}
.chart .k6{stroke:#aab4bf;fill:#aab4bf}.chart .k7{stroke:#cf9a72;fill:#cf9a72}
}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_short() {
        assert_eq!(place(12.0), "12");
        assert_eq!(place(0.125), "0.12");
        assert_eq!(place(-0.001), "0");
        assert_eq!(place(f64::NAN), "0");
    }
}
