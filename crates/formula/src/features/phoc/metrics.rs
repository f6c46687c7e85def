//! How big characters are, roughly, in ems of the main size.
//!
//! Not of any one font: what counts is which symbol stands left of, above or
//! inside which other.

/// Room a thing takes, seen from the left end of its baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Extent {
    pub(super) width: f32,
    /// Above the baseline.
    pub(super) ascent: f32,
    /// Below the baseline.
    pub(super) descent: f32,
}

impl Extent {
    pub(super) const fn new(width: f32, ascent: f32, descent: f32) -> Self {
        Self { width, ascent, descent }
    }

    pub(super) fn height(self) -> f32 {
        self.ascent + self.descent
    }

    pub(super) fn scaled(self, scale: f32) -> Self {
        Self::new(self.width * scale, self.ascent * scale, self.descent * scale)
    }

    /// Grows to hold another extent whose baseline begins this much to the right and further up.
    pub(super) fn cover(&mut self, other: Self, right: f32, up: f32) {
        self.width = self.width.max(right + other.width);
        self.ascent = self.ascent.max(up + other.ascent);
        self.descent = self.descent.max(other.descent - up);
    }
}

/// Where fraction lines and minus signs are, above the baseline.
pub(super) const AXIS: f32 = 0.25;
/// The width of a bracket.
pub(super) const FENCE: f32 = 0.39;
/// The width of the hook of a root.
pub(super) const HOOK: f32 = 0.83;
/// Between columns, and between rows.
pub(super) const COLUMN_GAP: f32 = 1.0;
pub(super) const ROW_GAP: f32 = 0.4;
/// How much smaller scripts are, and their scripts; it ends there.
pub(super) const SCALES: [f32; 3] = [1.0, 0.7, 0.5];

/// A character of the main size.
pub(super) fn character(c: char) -> Extent {
    let (width, ascent, descent) = match c {
        '0'..='9' => (0.5, 0.65, 0.02),
        'i' => (0.34, 0.66, 0.0),
        'j' => (0.41, 0.66, 0.19),
        'l' => (0.3, 0.69, 0.0),
        't' | 'r' => (0.42, 0.55, 0.0),
        'm' | 'w' => (0.8, 0.44, 0.0),
        'b' | 'd' | 'h' | 'k' | 'δ' | 'θ' | 'λ' => (0.53, 0.69, 0.0),
        'f' | 'β' | 'ζ' | 'ξ' | 'φ' | 'ψ' => (0.57, 0.7, 0.2),
        'g' | 'p' | 'q' | 'y' | 'γ' | 'η' | 'μ' | 'ρ' | 'χ' | 'ς' => (0.5, 0.44, 0.2),
        'a'..='z' | 'α'..='ω' => (0.55, 0.44, 0.0),
        'M' | 'W' => (1.0, 0.68, 0.0),
        'I' => (0.44, 0.68, 0.0),
        'A'..='Z' | 'Α'..='Ω' => (0.74, 0.68, 0.0),
        ',' | ';' => (0.28, 0.12, 0.2),
        '.' | ':' => (0.28, 0.3, 0.0),
        '!' | '\'' | '′' | '″' | '‴' => (0.28, 0.7, 0.0),
        '(' | ')' | '[' | ']' | '{' | '}' | '⟨' | '⟩' | '⌊' | '⌋' | '⌈' | '⌉' => {
            (FENCE, 0.75, 0.25)
        }
        '|' | '∣' | '∥' | '‖' | '/' | '\\' => (0.3, 0.75, 0.25),
        '-' | '−' | '¬' => (0.78, 0.3, -0.2),
        '+' | '±' | '∓' | '×' | '÷' | '⊕' | '⊗' | '∘' | '∗' | '*' => (0.78, 0.58, 0.08),
        '·' | '⋅' | '•' => (0.28, 0.3, -0.2),
        '=' | '≡' | '∼' | '~' | '≃' | '≈' | '≅' | '≠' => (0.78, 0.4, -0.1),
        '<' | '>' | '≤' | '≥' | '∈' | '∉' | '⊂' | '⊆' | '⊃' | '⊇' | '≪' | '≫' => {
            (0.78, 0.54, 0.04)
        }
        '∫' | '∬' | '∭' | '∮' => (0.6, 1.36, 0.86),
        '∑' | '∏' | '∐' | '⋂' | '⋃' | '⨁' | '⨂' | '⋀' | '⋁' | '⨆' => (1.3, 0.95, 0.45),
        '…' | '⋯' => (1.0, 0.3, -0.2),
        '←'..='⇿' | '⟵'..='⟿' => (1.0, 0.5, 0.0),
        '∞' => (1.0, 0.44, 0.0),
        ' ' | '\u{a0}' => (0.25, 0.0, 0.0),
        // Letters of other alphabets, fonts included.
        _ if c.is_lowercase() => (0.55, 0.5, 0.05),
        _ if c.is_alphabetic() => (0.74, 0.68, 0.0),
        _ => (0.6, 0.6, 0.0),
    };
    Extent::new(width, ascent, descent)
}

/// The room left and right of an operator on the main line.
pub(super) fn space_around(c: char) -> f32 {
    match c {
        '='
        | '≡'
        | '∼'
        | '≃'
        | '≈'
        | '≅'
        | '≠'
        | '<'
        | '>'
        | '≤'
        | '≥'
        | '∈'
        | '∉'
        | '⊂'
        | '⊆'
        | '⊃'
        | '⊇'
        | '≪'
        | '≫'
        | ':'
        | '←'..='⇿'
        | '⟵'..='⟿' => 0.28,
        '+' | '-' | '−' | '±' | '∓' | '×' | '÷' | '⊕' | '⊗' | '∘' | '∗' | '·' | '⋅' | '∪' | '∩' | '∧'
        | '∨' => 0.22,
        '∑' | '∏' | '∫' | '∬' | '∭' | '∮' | ',' | ';' => 0.08,
        _ => 0.0,
    }
}

/// Whether limits of this sign stand beside it.
pub(super) fn has_limits_beside(c: char) -> bool {
    matches!(c, '∫' | '∬' | '∭' | '∮' | '∯' | '∰')
}
