//! About how wide a formula is, which decides how it stands in a line.

/// So many characters fit into a line of a phone.
const WIDE: usize = 24;
/// So many characters fit into a line.
const HUGE: usize = 60;

/// How much room a formula needs in a line, for the classes that give it a box of its own that scrolls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// It fits into any line.
    Small,
    /// It may be too wide for a phone.
    Wide,
    /// It may be too wide for any line.
    Huge,
}

impl Width {
    /// The width of a formula, given its LaTeX and what writes it as a line of text.
    pub fn of(latex: &str, text: impl FnOnce() -> String) -> Self {
        // Commands are longer than what they draw, so short sources are narrow for sure.
        if latex.len() <= WIDE {
            return Self::Small;
        }
        // Blanks of any length are not seen in a line of text.
        if ["\\hskip", "\\hspace", "\\kern", "\\phantom", "\\hphantom"]
            .iter()
            .any(|blank| latex.contains(blank))
        {
            return Self::Huge;
        }
        match text().chars().count() {
            0..=WIDE => Self::Small,
            number if number <= HUGE => Self::Wide,
            _ => Self::Huge,
        }
    }

    /// Its class, after a blank.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Small => "",
            Self::Wide => " w2",
            Self::Huge => " w3",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Width;

    #[test]
    fn what_may_not_fit_is_wide() {
        let of = |latex: &str| Width::of(latex, || latex.to_owned());
        assert_eq!(of("x+y"), Width::Small);
        assert_eq!(of(&"x+".repeat(15)), Width::Wide);
        assert_eq!(of(&"x+".repeat(50)), Width::Huge);
        assert_eq!(of("\\hskip 167.87126pt\\Rightarrow x"), Width::Huge);
    }
}
