//! Axes: from values to places on paper, with ticks at round numbers.

use super::drawable;
use super::metrics::text_width;

/// From where to where an axis goes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Range {
    /// As far as the values need.
    #[default]
    Data,
    /// At least from `low` to `high`, and further if the values need it:
    /// nothing is ever cut off.
    AtLeast {
        /// A value the axis starts at or below.
        low: f64,
        /// A value the axis ends at or above.
        high: f64,
    },
}

impl Range {
    /// From nothing to the highest value.
    pub const FROM_ZERO: Self = Self::AtLeast { low: 0.0, high: 0.0 };
    /// All of the unit interval, where most measures live.
    pub const UNIT: Self = Self::AtLeast { low: 0.0, high: 1.0 };

    fn values(self) -> impl Iterator<Item = f64> {
        let pair = match self {
            Self::Data => None,
            Self::AtLeast { low, high } => Some([low, high]),
        };
        pair.into_iter().flatten()
    }
}

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Spacing {
    /// Equal steps for equal differences.
    #[default]
    Linear,
    /// Equal steps for equal ratios; only values above zero have a place.
    Log,
}

impl Spacing {
    /// Has the value a place on such an axis?
    pub(super) fn places(self, value: f64) -> bool {
        drawable(value) && (self == Self::Linear || value > 1e-300)
    }
}

/// A labelled place on an axis.
pub(super) struct Tick {
    pub(super) at: f64,
    pub(super) label: String,
}

/// An axis laid out between two places on paper.
pub(super) struct Axis {
    low: f64,
    high: f64,
    spacing: Spacing,
    start: f64,
    end: f64,
    values: Vec<(f64, String)>,
}

impl Axis {
    /// An axis over these values, from `start` to `end` in pixels, with about
    /// `wanted` ticks. Values without a place on it are passed over.
    pub(super) fn new(
        values: impl IntoIterator<Item = f64>,
        range: Range,
        spacing: Spacing,
        (start, end): (f64, f64),
        wanted: usize,
    ) -> Self {
        let mut low = f64::INFINITY;
        let mut high = f64::NEG_INFINITY;
        for value in values.into_iter().chain(range.values()).filter(|&value| spacing.places(value)) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = if spacing == Spacing::Log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        let (low, high, values) = match spacing {
            Spacing::Linear => linear(low, high, wanted.max(1)),
            Spacing::Log => log(low, high, wanted.max(2)),
        };
        Self { low, high, spacing, start, end, values }
    }

    /// An axis that ends with its outermost values, wherever the ticks are:
    /// for colours, of which none should be wasted.
    pub(super) fn snug(
        values: impl IntoIterator<Item = f64>,
        range: Range,
        place: (f64, f64),
        wanted: usize,
    ) -> Self {
        let values: Vec<f64> = values.into_iter().chain(range.values()).filter(|&v| drawable(v)).collect();
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut axis = Self::new(values, Range::Data, Spacing::Linear, place, wanted);
        if high - low > (axis.high - axis.low) * 0.1 {
            let slack = (high - low) * 1e-9;
            axis.values.retain(|(value, _)| (low - slack..=high + slack).contains(value));
            (axis.low, axis.high) = (low, high);
        }
        axis
    }

    /// Where the value stands.
    pub(super) fn at(&self, value: f64) -> f64 {
        let share = match self.spacing {
            Spacing::Linear => (value - self.low) / (self.high - self.low),
            Spacing::Log => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// The lowest value on the axis, or zero if it is on it: where bars start.
    pub(super) fn floor(&self) -> f64 {
        self.at(0.0_f64.clamp(self.low, self.high))
    }

    /// All ticks, for an axis that goes up.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        self.values.iter().map(|(value, label)| Tick { at: self.at(*value), label: label.clone() }).collect()
    }

    /// The ticks, for an axis that goes along: of labels that would run into
    /// each other only every second, third, … is kept, the others are empty.
    pub(super) fn ticks_along(&self, size: f64) -> Vec<Tick> {
        let mut ticks = self.ticks();
        let clear = |every: usize, ticks: &[Tick]| {
            let kept: Vec<&Tick> = ticks.iter().step_by(every).collect();
            kept.windows(2).all(|pair| {
                let halves = (text_width(&pair[0].label, size) + text_width(&pair[1].label, size)) / 2.0;
                pair[1].at - pair[0].at > halves + 6.0
            })
        };
        let every = (1..=ticks.len()).find(|&every| clear(every, &ticks)).unwrap_or(1);
        for (index, tick) in ticks.iter_mut().enumerate() {
            if index % every != 0 {
                tick.label.clear();
            }
        }
        ticks
    }
}

type Laid = (f64, f64, Vec<(f64, String)>);

/// Ends and ticks at multiples of 1, 2 or 5 times a power of ten.
fn linear(mut low: f64, mut high: f64, wanted: usize) -> Laid {
    let size = low.abs().max(high.abs());
    if high - low <= size * 1e-9 || high - low < 1e-290 {
        let room = if size < 1e-280 { 0.5 } else { size * 0.1 };
        (low, high) = (low - room, high + room);
    }
    let raw = (high - low) / wanted as f64;
    let power = 10_f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().find(|m| m * power >= raw * 0.999).unwrap_or(10.0) * power;
    let first = (low / step + 1e-9).floor();
    let last = (high / step - 1e-9).ceil();
    let decimals = (-(step.log10() + 1e-9).floor()).max(0.0);
    let count = (last - first).clamp(1.0, 100.0) as usize;
    let values = (0..=count)
        .map(|index| {
            let value = (first + index as f64) * step;
            (value, tick_label(value, decimals))
        })
        .collect();
    (first * step, last * step, values)
}

/// Ends and ticks at powers of ten; over few decades also at 2 and 5.
fn log(low: f64, high: f64, wanted: usize) -> Laid {
    const FINE: [f64; 3] = [1.0, 2.0, 5.0];
    let from = low.log10().floor() as i32;
    let to = (high.log10().ceil() as i32).max(from + 1);
    let decades = (to - from) as usize;
    let multiples: &[f64] = if decades * 3 <= wanted.max(6) { &FINE } else { &FINE[..1] };
    let every = decades.div_ceil(wanted).max(1);
    let mut values: Vec<f64> = (from..=to)
        .step_by(every)
        .flat_map(|power| multiples.iter().map(move |m| m * 10_f64.powi(power)))
        .collect();
    let last = 10_f64.powi(to);
    values.retain(|&value| value <= last * 1.000_001);
    // The outermost ticks that still enclose the values are the ends.
    while values.len() > 2 && values[1] <= low {
        values.remove(0);
    }
    while values.len() > 2 && values[values.len() - 2] >= high {
        values.pop();
    }
    let first = values.first().copied().unwrap_or(low).min(low);
    let last = values.last().copied().unwrap_or(high).max(high);
    let labelled = values
        .into_iter()
        .map(|value| {
            let decimals = (-value.log10().floor()).max(0.0);
            (value, tick_label(value, decimals))
        })
        .collect();
    (first, last, labelled)
}

fn tick_label(value: f64, decimals: f64) -> String {
    if decimals > 6.0 || value.abs() >= 9.999e6 {
        let text = format!("{value:.1e}").replace(".0e", "e").replace('-', "−");
        return if value == 0.0 { "0".to_owned() } else { text };
    }
    crate::number::typeset(value, decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], range: Range, spacing: Spacing) -> String {
        let axis = Axis::new(values.iter().copied(), range, spacing, (0.0, 100.0), 5);
        let ticks = axis.ticks();
        assert!(ticks.iter().all(|tick| (-0.01..=100.01).contains(&tick.at)), "{values:?}");
        for &value in values.iter().filter(|&&value| spacing.places(value)) {
            assert!((0.0..=100.0).contains(&axis.at(value)));
        }
        ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round() {
        let linear = |values: &[f64]| labels(values, Range::Data, Spacing::Linear);
        assert_eq!(linear(&[0.03, 0.43]), "0.0 0.1 0.2 0.3 0.4 0.5");
        assert_eq!(linear(&[-0.7, 0.2]), "−0.8 −0.6 −0.4 −0.2 0.0 0.2");
        assert_eq!(linear(&[3.0, 97.0]), "0 20 40 60 80 100");
        assert_eq!(linear(&[0.5, 0.5]), "0.44 0.46 0.48 0.50 0.52 0.54 0.56");
        assert_eq!(linear(&[]), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(&[0.3], Range::UNIT, Spacing::Linear), "0.0 0.2 0.4 0.6 0.8 1.0");
    }

    #[test]
    fn log_ticks() {
        let log = |values: &[f64]| labels(values, Range::Data, Spacing::Log);
        assert_eq!(log(&[1.0, 1000.0]), "1 10 100 1000");
        assert_eq!(log(&[3.0, 40.0]), "2 5 10 20 50");
        assert_eq!(log(&[0.002, 5.0, -1.0, 0.0]), "0.001 0.010 0.1 1 10".replace("0.010", "0.01"));
        assert_eq!(log(&[7.0]), "5 10");
    }

    #[test]
    fn odd_values_give_finite_places() {
        for values in [
            &[0.0][..],
            &[1e299, -1e299],
            &[1e-300, 2e-300],
            &[1.0, 1.0 + 1e-15],
            &[f64::NAN, f64::INFINITY, 1.0],
            &[5e-324],
        ] {
            for spacing in [Spacing::Linear, Spacing::Log] {
                let axis = Axis::new(values.iter().copied(), Range::Data, spacing, (0.0, 10.0), 5);
                for tick in axis.ticks() {
                    assert!(tick.at.is_finite(), "{values:?}");
                    assert!(!tick.label.contains("NaN") && !tick.label.contains("inf"), "{}", tick.label);
                }
            }
        }
    }
}
