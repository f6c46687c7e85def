//! Colours that stand for values.
//!
//! Both scales are mixed in the OKLab space (Ottosson, 2020), where equal steps
//! look equal. Lightness alone tells the values of the sequential scale apart,
//! so it survives grey printing and any kind of colour sight; the diverging
//! scale goes from orange to blue.

type Lab = [f64; 3];

/// An opaque colour, channels from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Colour([f64; 3]);

/// Low values light, high values dark. `share` goes from 0 to 1.
pub(super) fn sequential(share: f64) -> Colour {
    // Lightness falls in equal steps; the tint turns from cream over green to blue.
    const STOPS: [Lab; 3] = [[0.965, -0.004, 0.035], [0.655, -0.075, 0.002], [0.345, -0.015, -0.105]];
    between(&STOPS, share)
}

/// Below the middle orange, above it blue. `share` goes from 0 to 1.
pub(super) fn diverging(share: f64) -> Colour {
    const STOPS: [Lab; 5] = [
        [0.48, 0.085, 0.095],
        [0.74, 0.065, 0.085],
        [0.965, 0.0, 0.004],
        [0.72, -0.035, -0.09],
        [0.42, -0.025, -0.125],
    ];
    between(&STOPS, share)
}

fn between(stops: &[Lab], share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let index = (place as usize).min(stops.len() - 2);
    let (from, to, part) = (stops[index], stops[index + 1], place - index as f64);
    Colour::from_lab(std::array::from_fn(|i| from[i] + (to[i] - from[i]) * part))
}

impl Colour {
    fn from_lab([l, a, b]: Lab) -> Self {
        let [l, m, s] = [
            l + 0.396_337_777_4 * a + 0.215_803_757_3 * b,
            l - 0.105_561_345_8 * a - 0.063_854_172_8 * b,
            l - 0.089_484_177_5 * a - 1.291_485_548 * b,
        ]
        .map(|root| root * root * root);
        let linear = [
            4.076_741_662_1 * l - 3.307_711_591_3 * m + 0.230_969_929_2 * s,
            -1.268_438_004_6 * l + 2.609_757_401_1 * m - 0.341_319_396_5 * s,
            -0.004_196_086_3 * l - 0.703_418_614_7 * m + 1.707_614_701 * s,
        ];
        Self(linear.map(|channel| {
            let channel = channel.clamp(0.0, 1.0);
            if channel <= 0.003_130_8 { channel * 12.92 } else { 1.055 * channel.powf(1.0 / 2.4) - 0.055 }
        }))
    }

    /// As `#rrggbb`.
    pub(super) fn hex(self) -> String {
        let [r, g, b] = self.0.map(|channel| (channel * 255.0).round() as u8);
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// The class of the text that is easier to read on this colour, by the
    /// contrast ratio of WCAG 2.
    pub(super) fn text_class(self) -> &'static str {
        if self.luminance() > 0.19 { "onlight" } else { "ondark" }
    }

    fn luminance(self) -> f64 {
        let [r, g, b] = self.0.map(|channel| {
            if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_darkens_all_the_way() {
        let steps: Vec<f64> = (0..=20).map(|i| sequential(f64::from(i) / 20.0).luminance()).collect();
        assert!(steps.windows(2).all(|pair| pair[1] < pair[0]), "{steps:?}");
    }

    #[test]
    fn text_can_be_read_on_every_colour() {
        for i in 0..=50 {
            for colour in [sequential(f64::from(i) / 50.0), diverging(f64::from(i) / 50.0)] {
                let back = colour.luminance();
                let text = if colour.text_class() == "ondark" { 1.0 } else { 0.0056 };
                let contrast = (back.max(text) + 0.05) / (back.min(text) + 0.05);
                assert!(contrast >= 4.0, "{} {contrast}", colour.hex());
            }
        }
    }
}
