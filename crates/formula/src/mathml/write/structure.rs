//! Things above, below, beside, inside and around other things.

use super::markup::push_escaped_char;
use super::operator::Side;
use super::styles::{self, Rule, Strikes};
use super::{ALONE, Around, Writer};
use crate::alphabet::styled;
use crate::text::atoms::{Atom, single, unwrapped};
use latex::{Bar, Class, Enclosure, Font, Kind, Limits, NodeId, Span, Style, Text, Tree};

/// Where scripts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Beside,
    AboveAndBelow,
}

impl Writer<'_, '_> {
    pub(super) fn scripts(
        &mut self,
        base: Option<NodeId>,
        sub: Option<NodeId>,
        sup: Option<NodeId>,
        limits: Limits,
        around: Around,
    ) {
        let tree = self.tree;
        let place = self.place(base, limits);
        // A prime of a big operator stays at its side.
        if let (Place::AboveAndBelow, Some(primes)) = (place, sup)
            && matches!(tree.kind(primes), Kind::Primes(_))
        {
            self.out.push_str(if sub.is_some() { "<munder><msup>" } else { "<msup>" });
            self.base(base, around);
            self.script(primes);
            self.out.push_str("</msup>");
            if let Some(sub) = sub {
                self.script(sub);
                self.out.push_str("</munder>");
            }
            return;
        }
        let element = match (place, sub.is_some(), sup.is_some()) {
            (_, false, false) => return self.base(base, around),
            (Place::Beside, true, false) => "msub>",
            (Place::Beside, false, true) => "msup>",
            (Place::Beside, true, true) => "msubsup>",
            (Place::AboveAndBelow, true, false) => "munder>",
            (Place::AboveAndBelow, false, true) => "mover>",
            (Place::AboveAndBelow, true, true) => "munderover>",
        };
        self.out.extend(["<", element]);
        let below_only = sub.is_some() && sup.is_none();
        self.base(base, Around { fixed_limits: limits == Limits::Limits, below_only, ..around });
        for script in [sub, sup].into_iter().flatten() {
            self.script(script);
        }
        self.out.extend(["</", element]);
    }

    fn base(&mut self, base: Option<NodeId>, around: Around) {
        match base {
            None => self.out.push_str("<mrow></mrow>"),
            Some(base) => match self.tree.kind(base) {
                Kind::Row(_) | Kind::Classed { .. } | Kind::Tag(_) | Kind::Space(0) => self.argument(base),
                _ => self.item(base, around),
            },
        }
    }

    fn place(&self, base: Option<NodeId>, limits: Limits) -> Place {
        match limits {
            Limits::Limits => return Place::AboveAndBelow,
            Limits::NoLimits => return Place::Beside,
            Limits::Auto => {}
        }
        let above_and_below = match base.map(|base| self.tree.kind(base)) {
            Some(Kind::Symbol { class, .. }) => matches!(class, Class::BigOp | Class::LimitFunction),
            // A row does not move its limits by itself.
            Some(Kind::Classed { class, .. }) => {
                matches!(class, Class::BigOp | Class::LimitFunction) && self.display
            }
            Some(Kind::Accent { mark, stretchy: true, .. }) => is_brace(mark),
            _ => false,
        };
        if above_and_below { Place::AboveAndBelow } else { Place::Beside }
    }

    pub(super) fn prescripts(&mut self, base: Option<NodeId>, sub: Option<NodeId>, sup: Option<NodeId>) {
        self.out.push_str("<mmultiscripts>");
        match base.and_then(|base| single(self.tree, base)).map(|base| self.tree.kind(base)) {
            Some(Kind::Scripts { base, sub, sup, limits }) if self.place(base, limits) == Place::Beside => {
                self.base(base, ALONE);
                self.script_or_nothing(sub);
                self.script_or_nothing(sup);
            }
            _ => match base {
                Some(base) => self.argument(base),
                None => self.out.push_str("<mrow></mrow>"),
            },
        }
        self.out.push_str("<mprescripts></mprescripts>");
        self.script_or_nothing(sub);
        self.script_or_nothing(sup);
        self.out.push_str("</mmultiscripts>");
    }

    pub(super) fn primes(&mut self, count: u16) {
        // In most fonts a prime stands high already.
        self.out.push_str("<mo lspace=\"0\" rspace=\"0\"");
        self.style(&[styles::PRIME]);
        self.out.push('>');
        match count {
            2 => self.out.push('″'),
            3 => self.out.push('‴'),
            4 => self.out.push('⁗'),
            _ => self.out.extend(std::iter::repeat_n('′', usize::from(count))),
        }
        self.out.push_str("</mo>");
    }

    pub(super) fn fraction(
        &mut self,
        numerator: NodeId,
        denominator: NodeId,
        bar: Bar,
        (left, right): (Option<char>, Option<char>),
        style: Option<Style>,
    ) {
        let (display, level) = (self.display, self.level);
        if let Some(style) = style {
            self.out.push_str("<mstyle");
            self.style_attributes(style);
            self.out.push('>');
        }
        let fenced = left.is_some() || right.is_some();
        if fenced {
            self.out.push_str("<mrow>");
            if let Some(sign) = left {
                self.fence(sign, Side::Left);
            }
        }
        self.out.push_str(match bar {
            Bar::Line => "<mfrac>",
            Bar::None => "<mfrac linethickness=\"0\">",
        });
        if !self.display {
            self.level = self.level.saturating_add(1);
        }
        self.display = false;
        self.argument(numerator);
        self.argument(denominator);
        self.out.push_str("</mfrac>");
        if fenced {
            if let Some(sign) = right {
                self.fence(sign, Side::Right);
            }
            self.out.push_str("</mrow>");
        }
        if style.is_some() {
            self.out.push_str("</mstyle>");
        }
        (self.display, self.level) = (display, level);
    }

    pub(super) fn root(&mut self, radicand: NodeId, degree: Option<NodeId>) {
        match degree {
            None => {
                self.out.push_str("<msqrt>");
                let radicand = unwrapped(self.tree, radicand);
                self.row(self.tree.row(&radicand), None);
                self.out.push_str("</msqrt>");
            }
            Some(degree) => {
                self.out.push_str("<mroot>");
                self.argument(radicand);
                self.script(degree);
                self.out.push_str("</mroot>");
            }
        }
    }

    pub(super) fn fenced(&mut self, id: NodeId, left: Option<char>, right: Option<char>, body: NodeId) {
        let tree = self.tree;
        let body = unwrapped(tree, body);
        let items = tree.row(&body);
        // Browsers leave room around what may stretch, so what need not does not.
        let tall = is_tall(tree, body);
        // A delimiter is marked as the first or the last byte of all is.
        let delimiter = |writer: &mut Self, sign: Option<char>, side: Side, at: u32| {
            let Some(sign) = sign else { return };
            writer.marked(Span { start: at, end: at.saturating_add(1) }, |writer| {
                if tall { writer.fence(sign, side) } else { writer.small_fence(sign, side) }
            });
        };
        let Span { start, end } = tree.node(id).span;
        self.out.push_str("<mrow>");
        delimiter(self, left, Side::Left, start);
        self.row_in(items, Some(Atom::Open), true);
        delimiter(self, right, Side::Right, end.saturating_sub(1));
        self.out.push_str("</mrow>");
    }

    pub(super) fn accent(&mut self, base: NodeId, mark: char, under: bool, stretchy: bool) {
        self.out.push_str(if under { "<munder accentunder=\"true\">" } else { "<mover accent=\"true\">" });
        if mark == '¯' {
            // No font stretches a bar reliably. The line is a border; the sign is there for programs.
            self.out.push_str("<mrow");
            self.style(&[if under { styles::BAR_BELOW } else { styles::BAR_ABOVE }]);
            self.out.push('>');
            let base = unwrapped(self.tree, base);
            self.row(self.tree.row(&base), None);
            self.out.push_str("</mrow><mo");
            self.style(&[styles::HIDDEN]);
            self.out.push_str(">¯");
        } else {
            self.argument(base);
            self.out.push_str(if stretchy { "<mo stretchy=\"true\"" } else { "<mo stretchy=\"false\"" });
            self.drawn_mark(mark, stretchy);
        }
        self.out.push_str(if under { "</mo></munder>" } else { "</mo></mover>" });
    }

    /// The characters that fonts draw best for a mark, after the rest of the tag.
    fn drawn_mark(&mut self, mark: char, stretchy: bool) {
        let (style, drawn): (&[Rule], char) = match (mark, stretchy) {
            ('^', false) => (&[], 'ˆ'),
            ('^', true) => (&[], '\u{302}'),
            ('~', false) => (&[], '˜'),
            ('→', false) => (&[styles::SMALL_ARROW], '→'),
            ('\u{30a}', _) => (&[], '˚'),
            ('\u{20db}' | '\u{20dc}', _) => (&[styles::SMALL_DOTS], '…'),
            ('﹇', _) => (&[], '⎴'),
            ('﹈', _) => (&[], '⎵'),
            _ => (&[], mark),
        };
        self.style(style);
        self.out.push('>');
        push_escaped_char(drawn, self.out);
    }

    pub(super) fn stack(
        &mut self,
        id: NodeId,
        base: NodeId,
        over: Option<NodeId>,
        under: Option<NodeId>,
        around: Around,
    ) {
        let tree = self.tree;
        let element = match (over.is_some(), under.is_some()) {
            (true, false) => "mover>",
            (false, true) => "munder>",
            (true, true) => "munderover>",
            (false, false) => return self.argument(base),
        };
        // `\xrightarrow{a}` is typed where its arrow is; the base of `\overset` comes later.
        let grows = is_extensible(tree, id, base);
        self.out.extend(["<", element]);
        match single(tree, base) {
            Some(only) if self.is_one_element(only) => {
                self.item(only, Around { stretchy: Some(grows), fixed_limits: true, ..around });
            }
            _ => self.argument(base),
        }
        for label in [under, over].into_iter().flatten() {
            if grows {
                // The arrow is longer than its label.
                self.out.push_str("<mrow><mspace width=\"0.5em\"/>");
                self.script(label);
                self.out.push_str("<mspace width=\"0.5em\"/></mrow>");
            } else {
                self.script(label);
            }
        }
        self.out.extend(["</", element]);
    }

    pub(super) fn phantom(&mut self, id: NodeId, body: NodeId) {
        let typed = self.typed(id);
        let (open, close) = if typed.starts_with("\\hphantom") {
            ("<mpadded height=\"0\" depth=\"0\"><mphantom>", "</mphantom></mpadded>")
        } else if typed.starts_with("\\vphantom") {
            ("<mpadded width=\"0\"><mphantom>", "</mphantom></mpadded>")
        } else {
            ("<mphantom>", "</mphantom>")
        };
        self.out.push_str(open);
        self.argument(body);
        self.out.push_str(close);
    }

    pub(super) fn enclose(&mut self, body: NodeId, enclosure: Enclosure, around: Around) {
        match enclosure {
            Enclosure::Box => self.open_row("hyp-box", &[styles::FRAME]),
            Enclosure::Cancel => self.struck(Strikes::UP),
            Enclosure::BackCancel => self.struck(Strikes::DOWN),
            Enclosure::CrossCancel => self.struck(Strikes::CROSS),
            Enclosure::Not => return self.negation(body, around),
            Enclosure::Other(notation) => self.notation(notation),
        }
        self.argument(body);
        self.out.push_str("</mrow>");
    }

    fn open_row(&mut self, class: &str, rules: &[Rule]) {
        self.out.push_str("<mrow");
        self.named_style(class, rules);
        self.out.push('>');
    }

    /// A row with lines through it, drawn as its background.
    fn struck(&mut self, strikes: Strikes) {
        self.open_row("hyp-cancel", strikes.rule().as_slice());
    }

    /// MathML's notations by name, as far as borders can draw them.
    fn notation(&mut self, notation: Text) {
        self.tree.with_text(notation, |notation| {
            let has = |name: &str| notation.split_whitespace().any(|word| word == name);
            let mut strikes = Strikes::default();
            for (name, strike) in [
                ("updiagonalstrike", Strikes::UP),
                ("downdiagonalstrike", Strikes::DOWN),
                ("horizontalstrike", Strikes::ACROSS),
                ("verticalstrike", Strikes::UPRIGHT),
            ] {
                if has(name) {
                    strikes = strikes.and(strike);
                }
            }
            if strikes.rule().is_some() {
                return self.struck(strikes);
            }
            let mut rules = vec![styles::ROOM];
            for (name, rule) in [
                ("box", styles::BORDER),
                ("roundedbox", styles::ROUNDED),
                ("circle", styles::CIRCLE),
                ("left", styles::LEFT_LINE),
                ("right", styles::RIGHT_LINE),
                ("top", styles::TOP_LINE),
                ("bottom", styles::BOTTOM_LINE),
                ("longdiv", styles::LONG_DIVISION),
                ("actuarial", styles::ACTUARIAL),
                ("madruwb", styles::MADRUWB),
            ] {
                if has(name) {
                    rules.push(rule);
                }
            }
            self.open_row("hyp-enclose", &rules);
        });
    }

    /// `\not` before what has no negated form: one sign gets a combining stroke.
    fn negation(&mut self, body: NodeId, around: Around) {
        let tree = self.tree;
        if let Some(only) = single(tree, body)
            && let Kind::Symbol { text, class, font } = tree.kind(only)
        {
            let start = self.out.len();
            // Two characters in one element are not slanted by the browser.
            let font = if class == Class::Ord && font == Font::Default { Font::Italic } else { font };
            match text {
                Text::Char(c) if font == Font::Italic => {
                    self.symbol(Text::Char(styled(c, font)), class, Font::Default, around);
                }
                _ => self.symbol(text, class, font, around),
            }
            // The stroke goes into the element that was just written.
            if let Some(end) = self.out[start..].rfind("</") {
                self.out.insert(start + end, '\u{338}');
            }
            return;
        }
        self.struck(Strikes::UP);
        self.argument(body);
        self.out.push_str("</mrow>");
    }

    pub(super) fn classed(&mut self, body: NodeId, class: Class, around: Around) {
        let tree = self.tree;
        if let Some(only) = single(tree, body)
            && let Kind::Symbol { text, font, .. } = tree.kind(only)
            && !matches!(class, Class::Ord | Class::Function | Class::LimitFunction | Class::BigOp)
            && font == Font::Default
            && !tree.with_text(text, |text| text.chars().all(char::is_alphanumeric))
        {
            return self.marked(tree.node(only).span, |writer| writer.symbol(text, class, font, around));
        }
        let blank = match class {
            Class::Bin => "<mspace width=\"0.222em\"/>",
            Class::Rel | Class::Arrow => "<mspace width=\"0.278em\"/>",
            _ => "",
        };
        let blank = if self.level > 0 || around.alone { "" } else { blank };
        let before = around.before.is_some();
        self.out.push_str(if before { blank } else { "" });
        self.argument(body);
        self.out.push_str(if class == Class::Punct { "<mspace width=\"0.167em\"/>" } else { blank });
    }
}

/// Whether a stack is an arrow that grows with its label.
pub(crate) fn is_extensible(tree: &Tree, stack: NodeId, base: NodeId) -> bool {
    matches!(tree.kind(base), Kind::Symbol { text: Text::Char(_), class: Class::Arrow | Class::Rel, .. })
        && tree.node(stack).span.start == tree.node(base).span.start
}

/// Whether something is higher than a line of text, so that delimiters around it grow.
fn is_tall(tree: &Tree, id: NodeId) -> bool {
    let optional = |id: Option<NodeId>| id.is_some_and(|id| is_tall(tree, id));
    match tree.kind(id) {
        Kind::Row(list) => tree.list(list).iter().any(|&item| is_tall(tree, item)),
        Kind::Symbol { class, .. } => matches!(class, Class::BigOp | Class::Integral),
        Kind::Scripts { base, sub, sup, .. } | Kind::PreScripts { base, sub, sup } => {
            optional(base) || optional(sub) || optional(sup)
        }
        Kind::Fenced { body, .. }
        | Kind::Classed { body, .. }
        | Kind::Similar { body }
        | Kind::Phantom(body) => is_tall(tree, body),
        Kind::Accent { base, mark, .. } => is_brace(mark) || is_tall(tree, base),
        Kind::Fraction { .. }
        | Kind::Root { .. }
        | Kind::Stack { .. }
        | Kind::Table { .. }
        | Kind::Enclose { .. }
        | Kind::Delimiter { .. }
        | Kind::StyleSwitch(_)
        | Kind::LineBreak => true,
        _ => false,
    }
}

fn is_brace(mark: char) -> bool {
    matches!(mark, '⏞' | '⏟' | '⏜' | '⏝' | '⏠' | '⏡' | '⎴' | '⎵' | '﹇' | '﹈')
}
