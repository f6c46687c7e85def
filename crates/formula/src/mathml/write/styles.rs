//! What MathML Core has no attribute for, as declarations of CSS: in place, or by classes of one sheet.
//!
//! Each rule stands here once, so what is written in place and what the sheet says cannot differ.

use super::Writer;
use super::markup::push_number;

/// How declarations are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Styles {
    /// In `style` attributes: the formula needs nothing else.
    #[default]
    Inline,
    /// As classes, for pages that allow no `style` attributes; they need [`STYLE_SHEET`]. Blanks that go
    /// back are rounded to the nearest of a few.
    Classes,
}

/// A class and what it declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    class: &'static str,
    css: &'static str,
}

/// A line through all of an element: a gradient along a diagonal is a line across the other one.
macro_rules! line {
    ($direction:literal) => {
        concat!(
            "linear-gradient(",
            $direction,
            ",transparent calc(50% - 0.6px),currentcolor,transparent calc(50% + 0.6px))"
        )
    };
}

macro_rules! lines {
    ($first:literal $(, $more:literal)*) => {
        concat!("background:", line!($first) $(, ",", line!($more))*, ";padding:0.1em")
    };
}

macro_rules! rules {
    (
        named { $($name:ident $class:literal $css:literal)* }
        strikes { $($strike:literal $lines:expr,)* }
        back { $($back:literal $margin:literal)* }
    ) => {
        $(pub(super) const $name: Rule = Rule { class: $class, css: $css };)*

        /// By which of four lines there are, in the order of [`Strikes`]; the last is `\xcancel`.
        const STRIKES: &[Rule] = &[$(Rule { class: $strike, css: $lines }),*];

        /// Blanks that go back: first by eighteenths of an em up to one, then by whole ems.
        const BACK: &[Rule] = &[$(Rule { class: $back, css: $margin }),*];

        /// The rules for the classes of formulas that were written with [`Styles::Classes`].
        pub const STYLE_SHEET: &str = concat!(
            $(".", $class, "{", $css, "}\n",)*
            $(".", $strike, "{", $lines, "}\n",)*
            $(".", $back, "{", $margin, "}\n",)*
        );

        #[cfg(test)]
        const ALL: &[Rule] = &[$($name),*];
    };
}

rules! {
    named {
    BOLD "hyp-bold" "font-weight:bold"
    ITALIC "hyp-italic" "font-style:italic"
    SANS "hyp-sans" "font-family:sans-serif"
    MONO "hyp-mono" "font-family:monospace"
    PRIME "hyp-prime" "position:relative;top:0.25em"
    BAR_ABOVE "hyp-bar-above" "border-top:0.05em solid;padding-top:0.1em"
    BAR_BELOW "hyp-bar-below" "border-bottom:0.05em solid;padding-bottom:0.1em"
    HIDDEN "hyp-hidden" "display:none"
    SMALL_ARROW "hyp-small-arrow" "font-size:0.6em"
    SMALL_DOTS "hyp-small-dots" "font-size:0.7em"
    FRAME "hyp-frame" "border:1px solid;padding:0.25em"
    ROOM "hyp-room" "padding:0.2em"
    BORDER "hyp-border" "border:1px solid"
    ROUNDED "hyp-rounded" "border:1px solid;border-radius:0.5em"
    CIRCLE "hyp-circle" "border:1px solid;border-radius:50%"
    LEFT_LINE "hyp-line-left" "border-left:1px solid"
    RIGHT_LINE "hyp-line-right" "border-right:1px solid"
    TOP_LINE "hyp-line-top" "border-top:1px solid"
    BOTTOM_LINE "hyp-line-bottom" "border-bottom:1px solid"
    LONG_DIVISION "hyp-division" "border-top:1px solid;border-left:1px solid"
    ACTUARIAL "hyp-actuarial" "border-top:1px solid;border-right:1px solid"
    MADRUWB "hyp-madruwb" "border-bottom:1px solid;border-right:1px solid"
    LEFT "hyp-left" "text-align:left"
    RIGHT "hyp-right" "text-align:right"
    FURTHER_SIDE "hyp-further-side" "text-align:right;padding-left:2em;padding-right:0"
    LEFT_SIDE "hyp-left-side" "text-align:right;padding-right:0"
    RIGHT_SIDE "hyp-right-side" "text-align:left;padding-left:0"
    SIGN "hyp-sign" "padding-left:0;padding-right:0"
    TIGHT_LEFT "hyp-tight-left" "text-align:left;padding:0"
    TIGHT "hyp-tight" "padding:0"
    }
    strikes {
    "hyp-strike-1" lines!("to bottom right"),
    "hyp-strike-2" lines!("to top right"),
    "hyp-strike-3" lines!("to bottom right", "to top right"),
    "hyp-strike-4" lines!("to bottom"),
    "hyp-strike-5" lines!("to bottom right", "to bottom"),
    "hyp-strike-6" lines!("to top right", "to bottom"),
    "hyp-strike-7" lines!("to bottom right", "to top right", "to bottom"),
    "hyp-strike-8" lines!("to right"),
    "hyp-strike-9" lines!("to bottom right", "to right"),
    "hyp-strike-10" lines!("to top right", "to right"),
    "hyp-strike-11" lines!("to bottom right", "to top right", "to right"),
    "hyp-strike-12" lines!("to bottom", "to right"),
    "hyp-strike-13" lines!("to bottom right", "to bottom", "to right"),
    "hyp-strike-14" lines!("to top right", "to bottom", "to right"),
    "hyp-strike-15" lines!("to bottom right", "to top right", "to bottom", "to right"),
    "hyp-cross" lines!("to top right", "to bottom right"),
    }
    back {
    "hyp-back-1" "margin-left:-0.056em"
    "hyp-back-2" "margin-left:-0.111em"
    "hyp-back-3" "margin-left:-0.167em"
    "hyp-back-4" "margin-left:-0.222em"
    "hyp-back-5" "margin-left:-0.278em"
    "hyp-back-6" "margin-left:-0.333em"
    "hyp-back-7" "margin-left:-0.389em"
    "hyp-back-8" "margin-left:-0.444em"
    "hyp-back-9" "margin-left:-0.500em"
    "hyp-back-10" "margin-left:-0.556em"
    "hyp-back-11" "margin-left:-0.611em"
    "hyp-back-12" "margin-left:-0.667em"
    "hyp-back-13" "margin-left:-0.722em"
    "hyp-back-14" "margin-left:-0.778em"
    "hyp-back-15" "margin-left:-0.833em"
    "hyp-back-16" "margin-left:-0.889em"
    "hyp-back-17" "margin-left:-0.944em"
    "hyp-back-18" "margin-left:-1em"
    "hyp-back-36" "margin-left:-2em"
    "hyp-back-54" "margin-left:-3em"
    "hyp-back-72" "margin-left:-4em"
    "hyp-back-90" "margin-left:-5em"
    "hyp-back-108" "margin-left:-6em"
    "hyp-back-126" "margin-left:-7em"
    "hyp-back-144" "margin-left:-8em"
    }
}

/// Lines through something; at least one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Strikes(u8);

impl Strikes {
    pub(super) const UP: Self = Self(1);
    pub(super) const DOWN: Self = Self(2);
    pub(super) const ACROSS: Self = Self(4);
    pub(super) const UPRIGHT: Self = Self(8);
    /// Up and down, as `\xcancel` has it.
    pub(super) const CROSS: Self = Self(16);

    /// Both.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The rule, if there is a line at all.
    pub(super) fn rule(self) -> Option<Rule> {
        STRIKES.get(usize::from(self.0).checked_sub(1)?).copied()
    }
}

/// The blank nearest to one that goes back by so many eighteenths of an em; none goes further than the last.
fn back(mu: u16) -> Rule {
    let mu = usize::from(mu);
    let place = if mu <= 18 { mu.saturating_sub(1) } else { 16 + (mu + 9) / 18 };
    BACK[place.min(BACK.len() - 1)]
}

impl Writer<'_, '_> {
    /// Writes declarations into an open tag.
    pub(super) fn style(&mut self, rules: &[Rule]) {
        if rules.is_empty() {
            return;
        }
        match self.styles {
            Styles::Inline => self.out.push_str(" style=\""),
            Styles::Classes => self.out.push_str(" class=\""),
        }
        self.declarations(rules);
        self.out.push('"');
    }

    /// The same with a class that says what the element is.
    pub(super) fn named_style(&mut self, class: &str, rules: &[Rule]) {
        self.out.extend([" class=\"", class]);
        self.out.push_str(match self.styles {
            Styles::Inline => "\" style=\"",
            Styles::Classes => " ",
        });
        self.declarations(rules);
        self.out.push('"');
    }

    fn declarations(&mut self, rules: &[Rule]) {
        for (index, rule) in rules.iter().enumerate() {
            let (between, text) = match self.styles {
                Styles::Inline => (";", rule.css),
                Styles::Classes => (" ", rule.class),
            };
            self.out.extend([if index > 0 { between } else { "" }, text]);
        }
    }

    /// A blank, in eighteenths of an em.
    pub(super) fn space(&mut self, mu: i16) {
        let size = mu.unsigned_abs();
        // A negative width is none in Core; a negative margin works.
        match (mu, self.styles) {
            (0, _) => return,
            (1.., _) => self.out.push_str("<mspace width=\""),
            (_, Styles::Inline) => self.out.push_str("<mspace style=\"margin-left:-"),
            (_, Styles::Classes) => {
                self.out.extend(["<mspace class=\"", back(size).class, "\"/>"]);
                return;
            }
        }
        let thousandths = (u32::from(size) * 1000 + 9) / 18;
        push_number(thousandths / 1000, self.out);
        let rest = thousandths % 1000;
        if rest > 0 {
            self.out.push('.');
            for digit in [rest / 100, rest / 10 % 10, rest % 10] {
                push_number(digit, self.out);
            }
        }
        self.out.push_str("em\"/>");
    }
}

#[cfg(test)]
mod tests;
