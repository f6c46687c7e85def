//! Charts as SVG text, one file for each kind.
//!
//! Every chart is a struct of plain values with a `to_svg`. Its size follows
//! from what it shows; the same values give the same bytes. Text that is too
//! long is shortened in the middle and stands in full in a tooltip. Values that
//! are not finite are left out, and a line under the chart says which.
//!
//! The charts carry their own style: system fonts, colours that people with any
//! kind of colour sight can tell apart, and a second set for dark screens.

mod axis;
mod bars;
mod canvas;
mod colour;
mod differences;
mod dots;
mod heatmap;
mod lines;
pub(crate) mod metrics;
mod scatter;

#[cfg(test)]
mod check;

pub use axis::{Range, Spacing};
pub use bars::{Bars, Bin};
pub use differences::{Difference, Differences};
pub use dots::{Dots, Estimate, Panel, Reference, Shape, System};
pub use heatmap::{Heatmap, Scale};
pub use lines::{Band, Lines, Series};
pub use scatter::{Diagonal, Point, Scatter};

/// How charts look: for pages whose style sheet has it, as they allow no other; see [`without_style`].
pub const STYLE: &str = canvas::STYLE;

/// A chart without the style that it carries.
///
/// ```
/// let chart = figures::chart::Lines::default().to_svg();
/// assert!(!figures::chart::without_style(&chart).contains("<style>"));
/// ```
#[must_use]
pub fn without_style(svg: &str) -> String {
    svg.replacen(&format!("<style>{STYLE}</style>\n"), "", 1)
}

/// How much a system stands out among the others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tone {
    /// Like most.
    #[default]
    Plain,
    /// The one the chart is about.
    Accent,
    /// Less than others: baselines, runs out of competition.
    Dim,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Accent => "accent",
            Self::Dim => "dim",
        }
    }
}

/// Can the value be drawn? Beyond this size, differences would overflow.
fn drawable(value: f64) -> bool {
    value.is_finite() && value.abs() < 1e300
}

/// The line that says which values were left out, if any were.
fn left_out(names: &[String]) -> Option<String> {
    const SHOWN: usize = 12;
    if names.is_empty() {
        return None;
    }
    let mut text = format!(
        "Not drawn, as not a finite number: {}",
        names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("; ")
    );
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text.push('.');
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::check::check;
    use super::*;

    const ODD: [f64; 12] = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        9e299,
        -9e299,
        0.0,
        -0.0,
        1.0,
        1.0 + f64::EPSILON,
    ];

    fn odd_names() -> [String; 5] {
        let long = "a name without blanks that goes on".replace(' ', "_").repeat(20);
        let words = "many words, one after the other ".repeat(20);
        [String::new(), long, words, "\u{0}\u{1b}[31m\n]]><\u{ffff}".into(), "数学検索の評価".repeat(9)]
    }

    /// Every chart with these two values beside each other, and this name everywhere.
    fn check_all(name: &str, a: f64, b: f64) {
        let text = || name.to_owned();
        let reference = Reference { label: text(), value: b };
        for shape in [Shape::Dot, Shape::Bar] {
            let system = System { name: text(), tone: Tone::Accent };
            let panel = Panel {
                measure: text(),
                estimates: vec![
                    Estimate { value: a, interval: Some((b, a)) },
                    Estimate { value: b, interval: None },
                ],
                references: vec![reference.clone(), Reference { label: text(), value: a }],
                range: Range::AtLeast { low: a, high: b },
                decimals: 3,
            };
            let (systems, panels) = (vec![system.clone(), system], vec![panel.clone(), panel]);
            check(&Dots { title: text(), systems, panels, shape, notes: vec![text()] }.to_svg());
        }
        check(
            &Differences {
                title: text(),
                measure: text(),
                system: text(),
                baseline: text(),
                topics: [a, b, 0.3].map(|value| Difference { topic: text(), value }).to_vec(),
                equal_within: b,
                decimals: usize::MAX,
                notes: vec![text()],
            }
            .to_svg(),
        );
        for scale in [Scale::Sequential, Scale::Diverging { centre: b }] {
            check(
                &Heatmap {
                    title: text(),
                    rows: vec![text(), text()],
                    columns: vec![text(), text()],
                    values: vec![vec![a, b], vec![0.1, a]],
                    measure: text(),
                    scale,
                    range: Range::AtLeast { low: a, high: b },
                    decimals: 2,
                    notes: vec![text()],
                }
                .to_svg(),
            );
        }
        for (diagonal, x_spacing) in [
            (Diagonal::None, Spacing::Linear),
            (Diagonal::None, Spacing::Log),
            (Diagonal::Equal, Spacing::Log),
        ] {
            let point = |x, y| Point { label: text(), x, y, tone: Tone::Accent };
            let chart = Scatter {
                title: text(),
                x_label: text(),
                y_label: text(),
                points: vec![point(a, b), point(b, a), point(a, a)],
                diagonal,
                x_spacing,
                decimals: 3,
                summary: text(),
                ..Scatter::default()
            };
            check(&chart.to_svg());
        }
        for x_spacing in [Spacing::Linear, Spacing::Log] {
            let series = Series {
                name: text(),
                points: vec![(a, b), (b, a), (1.0, b)],
                band: vec![Band { x: a, low: b, high: a }, Band { x: b, low: a, high: b }],
            };
            let chart = Lines {
                title: text(),
                x_label: text(),
                y_label: text(),
                series: vec![series.clone(), series],
                x_spacing,
                x_range: Range::AtLeast { low: a, high: b },
                decimals: 3,
                ..Lines::default()
            };
            check(&chart.to_svg());
        }
    }

    #[test]
    fn odd_values_break_nothing() {
        for a in ODD {
            for b in ODD {
                check_all("BM25", a, b);
            }
        }
    }

    #[test]
    fn odd_names_break_nothing() {
        for name in odd_names() {
            check_all(&name, 0.2, 0.7);
            check_all(&name, f64::NAN, 0.7);
        }
    }
}
