//! Scripts, fractions, roots, delimiters, stacks and tables.

use super::Printer;
use crate::mathml::is_extensible;
use latex::{Bar, Class, Enclosure, Font, Kind, Limits, NodeId, Style, TableKind, Text};

/// The arrows that grow with their labels.
const ARROWS: &[(char, &str)] = &[
    ('→', "xrightarrow"),
    ('←', "xleftarrow"),
    ('↔', "xleftrightarrow"),
    ('⇒', "xRightarrow"),
    ('⇐', "xLeftarrow"),
    ('⇔', "xLeftrightarrow"),
    ('↪', "xhookrightarrow"),
    ('↩', "xhookleftarrow"),
    ('↦', "xmapsto"),
    ('⇀', "xrightharpoonup"),
    ('⇁', "xrightharpoondown"),
    ('↼', "xleftharpoonup"),
    ('↽', "xleftharpoondown"),
    ('⇌', "xrightleftharpoons"),
    ('⇋', "xleftrightharpoons"),
    ('↠', "xtwoheadrightarrow"),
    ('↞', "xtwoheadleftarrow"),
    ('=', "xlongequal"),
    ('⇄', "xtofrom"),
];

/// Matrices by their delimiters.
const MATRICES: &[(Option<char>, Option<char>, &str)] = &[
    (None, None, "matrix"),
    (Some('('), Some(')'), "pmatrix"),
    (Some('['), Some(']'), "bmatrix"),
    (Some('{'), Some('}'), "Bmatrix"),
    (Some('|'), Some('|'), "vmatrix"),
    (Some('∥'), Some('∥'), "Vmatrix"),
];

impl<'t> Printer<'t, '_> {
    pub(super) fn scripts(
        &mut self,
        base: Option<NodeId>,
        sub: Option<NodeId>,
        sup: Option<NodeId>,
        limits: Limits,
    ) {
        self.base(base);
        match limits {
            Limits::Auto => {}
            Limits::Limits => self.command("limits"),
            Limits::NoLimits => self.command("nolimits"),
        }
        if let Some(sub) = sub {
            self.push("_");
            self.script(self.tree.row(&self.opened(sub)));
        }
        if let Some(sup) = sup {
            self.superscript(sup);
        }
    }

    fn base(&mut self, base: Option<NodeId>) {
        let tree = self.tree;
        let start = self.out.len();
        let word = self.word;
        if let Some(base) = base {
            let base = self.opened(base);
            let item = match tree.kind(base) {
                Kind::Row(list) => self.only_one(tree.list(list)).unwrap_or(base),
                _ => base,
            };
            let bare = match tree.kind(item) {
                // A font command has braces of its own.
                _ if self.run_font(item).is_some() => true,
                Kind::Row(_) | Kind::Scripts { .. } | Kind::StyleSwitch(_) | Kind::ColorSwitch(_) => {
                    item == base && !matches!(tree.kind(item), Kind::Row(_) | Kind::Scripts { .. })
                }
                // A digit after a digit would join it.
                Kind::Number { .. } => !self.out.ends_with(|c: char| c.is_ascii_digit() || c == '.'),
                Kind::Symbol { text: Text::Char('.'), .. } | Kind::Primes(_) => false,
                Kind::LineBreak => item == base,
                // In braces it is an ordinary thing, whose scripts stand beside it.
                Kind::Symbol { class, .. } | Kind::Classed { class, .. } => {
                    item == base || matches!(class, Class::Ord)
                }
                Kind::Accent { .. } | Kind::Delimiter { .. } => item == base,
                _ => true,
            };
            if !bare {
                return self.group_of(item, base);
            }
            self.items(&[item]);
        }
        if self.out.len() == start {
            self.word = word;
            self.push("{}");
        }
    }

    /// A base in braces.
    fn group_of(&mut self, item: NodeId, base: NodeId) {
        let tree = self.tree;
        if item == base {
            match tree.kind(base) {
                Kind::Row(_) => self.group(base),
                _ => self.braced(|printer| printer.items(&[base])),
            }
        } else {
            self.braced(|printer| printer.items(&[item]));
        }
    }

    /// A script: one token bare, anything longer in braces.
    fn script(&mut self, items: &[NodeId]) {
        let tree = self.tree;
        let bare = match self.only_one(items) {
            Some(item) => match tree.kind(item) {
                Kind::Number { text, .. } => {
                    self.run_font(item).is_none() && tree.with_text(text, |digits| digits.len() == 1)
                }
                Kind::Symbol { text, class, .. } => {
                    self.run_font(item).is_none() && self.is_one_token(text, class)
                }
                Kind::Enclose { body, enclosure: Enclosure::Not } => match self.negated(body) {
                    Some((item, text, class, _)) => {
                        self.run_font(item).is_none() && self.is_one_token(text, class)
                    }
                    None => false,
                },
                _ => false,
            },
            None => false,
        };
        if bare {
            self.items(items);
        } else {
            self.braced(|printer| printer.items(items));
        }
    }

    /// Whether a symbol is written as one character or one command.
    fn is_one_token(&self, text: Text, class: Class) -> bool {
        self.tree.with_text(text, |letters| {
            let mut chars = letters.chars();
            match (chars.next(), chars.next()) {
                // With digits behind it, a point would be part of a number.
                (Some('.'), None) => false,
                (Some(c), None) if !matches!(class, Class::Function | Class::LimitFunction) => {
                    c.is_alphabetic() && !latex::is_script_character(c)
                        || matches!(c, '+' | '-' | '*' | '=' | '<' | '>' | '/' | '!')
                        || latex::command_for_letters(letters).is_some()
                }
                _ => latex::command_for(letters, class).is_some(),
            }
        })
    }

    /// Primes stand before or after the rest of a superscript.
    fn superscript(&mut self, sup: NodeId) {
        let tree = self.tree;
        let sup = self.opened(sup);
        let mut items = tree.row(&sup);
        let mut primed = false;
        while let Some((&first, rest)) = items.split_first() {
            match tree.kind(first) {
                Kind::Primes(count) => self.primes(count),
                _ if self.is_nothing(first) => {}
                _ => break,
            }
            primed |= matches!(tree.kind(first), Kind::Primes(_));
            items = rest;
        }
        if primed && items.is_empty() {
            return;
        }
        let mut after = 0u16;
        while let Some((&last, rest)) = items.split_last() {
            match tree.kind(last) {
                Kind::Primes(count) => after = after.saturating_add(count),
                _ if self.is_nothing(last) => {}
                _ => break,
            }
            items = rest;
        }
        self.push("^");
        self.script(items);
        self.primes(after);
    }

    pub(super) fn primes(&mut self, count: u16) {
        for _ in 0..count {
            self.push("'");
        }
    }

    pub(super) fn prescripts(&mut self, base: Option<NodeId>, sub: Option<NodeId>, sup: Option<NodeId>) {
        self.command("prescript");
        for part in [sup, sub, base] {
            self.braced(|printer| {
                if let Some(part) = part {
                    printer.inside(part);
                }
            });
        }
    }

    pub(super) fn fraction(
        &mut self,
        numerator: NodeId,
        denominator: NodeId,
        bar: Bar,
        (left, right): (Option<char>, Option<char>),
        style: Option<Style>,
    ) {
        let name = match (bar, left, right, style) {
            (Bar::Line, None, None, None) => "frac",
            (Bar::Line, None, None, Some(Style::Display)) => "dfrac",
            (Bar::Line, None, None, Some(Style::Text)) => "tfrac",
            (Bar::None, Some('('), Some(')'), None) => "binom",
            (Bar::None, Some('('), Some(')'), Some(Style::Display)) => "dbinom",
            (Bar::None, Some('('), Some(')'), Some(Style::Text)) => "tbinom",
            _ => {
                self.command("genfrac");
                for sign in [left, right] {
                    self.braced(|printer| {
                        if let Some(sign) = sign {
                            printer.sign(sign);
                        }
                    });
                }
                self.push(if bar == Bar::None { "{0pt}" } else { "{}" });
                self.push(match style {
                    Some(Style::Display) => "{0}",
                    Some(Style::Text) => "{1}",
                    Some(Style::Script) => "{2}",
                    Some(Style::ScriptScript) => "{3}",
                    Some(Style::Size(_)) | None => "{}",
                });
                self.braced(|printer| printer.inside(numerator));
                return self.braced(|printer| printer.inside(denominator));
            }
        };
        self.call(name, &[numerator, denominator]);
    }

    pub(super) fn root(&mut self, radicand: NodeId, degree: Option<NodeId>) {
        self.command("sqrt");
        if let Some(degree) = degree {
            self.push("[");
            self.bracket(degree);
            self.push("]");
        }
        self.braced(|printer| printer.inside(radicand));
    }

    /// The inside of an argument in brackets: in braces too, unless it is one plain thing.
    fn bracket(&mut self, id: NodeId) {
        let tree = self.tree;
        let plain = |item: NodeId| match tree.kind(item) {
            Kind::Number { .. } => true,
            Kind::Symbol { text, class: Class::Ord, .. } => {
                tree.with_text(text, |letters| letters.chars().all(char::is_alphanumeric))
            }
            _ => false,
        };
        // A group that keeps its braces needs no more of them.
        if self.only(id).is_some_and(|item| plain(item) || matches!(tree.kind(item), Kind::Row(_))) {
            self.inside(id);
        } else {
            self.braced(|printer| printer.inside(id));
        }
    }

    // Delimiters

    pub(super) fn fenced(&mut self, left: Option<char>, right: Option<char>, body: NodeId) {
        let tree = self.tree;
        let body = self.opened(body);
        let items = tree.row(&body);
        if let Some(table) = self.only_one(items)
            && let Kind::Table { rows, kind: TableKind::Matrix, left: None, right: None, columns } =
                tree.kind(table)
            && self.is_matrix(tree.list(rows), columns)
            && MATRICES.iter().skip(1).any(|entry| (entry.0, entry.1) == (left, right))
        {
            return self.table(tree.list(rows), TableKind::Matrix, (left, right), Text::Static(""));
        }
        if let Some(modulus) = self.modulus(left, right, body) {
            self.command("pmod");
            return self.braced(|printer| match modulus {
                [only] => printer.inside(*only),
                _ => printer.items(modulus),
            });
        }
        self.command("left");
        self.sign_or_none(left);
        self.items(items);
        self.command("right");
        self.sign_or_none(right);
    }

    /// What `\pmod` has as its argument.
    pub(super) fn modulus(
        &self,
        left: Option<char>,
        right: Option<char>,
        body: NodeId,
    ) -> Option<&'t [NodeId]> {
        let tree = self.tree;
        let Kind::Row(list) = tree.kind(self.opened(body)) else { return None };
        let (first, rest) = tree.list(list).split_first()?;
        match tree.kind(*first) {
            Kind::Symbol { text, class: Class::Function, font: Font::Roman }
                if (left, right) == (Some('('), Some(')')) =>
            {
                tree.with_text(text, |name| name == "mod").then_some(rest)
            }
            _ => None,
        }
    }

    fn sign_or_none(&mut self, sign: Option<char>) {
        match sign {
            Some(sign) => self.sign(sign),
            None => self.push("."),
        }
    }

    /// A delimiter behind `\left` and its kin.
    pub(super) fn sign(&mut self, sign: char) {
        if matches!(sign, '(' | ')' | '[' | ']' | '|' | '/') {
            return self.push_char(sign);
        }
        let mut buffer = [0; 4];
        let letters: &str = sign.encode_utf8(&mut buffer);
        let classes = [Class::Open, Class::Close, Class::Fence, Class::Arrow];
        let name = classes.into_iter().find_map(|class| latex::command_for(letters, class));
        let name = name.or(match sign {
            '\\' => Some("backslash"),
            '∣' => Some("mid"),
            '∖' => Some("setminus"),
            _ => None,
        });
        match name {
            Some(name) => self.command(name),
            None => self.push_char(sign),
        }
    }

    pub(super) fn delimiter(&mut self, sign: char, class: Class) {
        let natural = match latex::typed_character(sign).0 {
            class @ (Class::Open | Class::Close | Class::Fence) => class,
            _ => Class::Fence,
        };
        self.command(match class {
            _ if class == natural => "big",
            Class::Open => "bigl",
            Class::Close => "bigr",
            Class::Rel => "bigm",
            _ => "middle",
        });
        self.sign(sign);
    }

    // Above, below, around

    pub(super) fn stack(&mut self, id: NodeId, base: NodeId, over: Option<NodeId>, under: Option<NodeId>) {
        let tree = self.tree;
        let arrow = match tree.kind(base) {
            Kind::Symbol { text: Text::Char(c), font: Font::Default, .. }
                if is_extensible(tree, id, base) =>
            {
                ARROWS.iter().find(|(arrow, _)| *arrow == c)
            }
            _ => None,
        };
        if let Some((_, name)) = arrow {
            self.command(name);
            if let Some(under) = under {
                self.push("[");
                self.bracket(under);
                self.push("]");
            }
            return self.braced(|printer| {
                if let Some(over) = over {
                    printer.inside(over);
                }
            });
        }
        if let Some(under) = under {
            self.command("underset");
            self.braced(|printer| printer.inside(under));
            self.push("{");
        }
        match over {
            Some(over) => self.call("overset", &[over, base]),
            None => self.inside(base),
        }
        if under.is_some() {
            self.push("}");
        }
    }

    pub(super) fn enclose(&mut self, body: NodeId, enclosure: Enclosure) {
        match enclosure {
            Enclosure::Box => self.call("boxed", &[body]),
            Enclosure::Cancel => self.call("cancel", &[body]),
            Enclosure::BackCancel => self.call("bcancel", &[body]),
            Enclosure::CrossCancel => self.call("xcancel", &[body]),
            Enclosure::Other(notation) => {
                self.raw("enclose", notation);
                self.braced(|printer| printer.inside(body));
            }
            Enclosure::Not => {
                if let Some((item, text, class, font)) = self.negated(body) {
                    return match self.run_font(item) {
                        Some(_) => {
                            self.command(super::letters::font_command(font));
                            self.braced(|printer| printer.symbol(text, class, font));
                        }
                        None => self.symbol(text, class, font),
                    };
                }
                self.call("not", &[body]);
            }
        }
    }

    /// The symbol that has a stroke of its own, and what it is with the stroke.
    fn negated(&self, body: NodeId) -> Option<(NodeId, Text, Class, Font)> {
        let item = self.only(body)?;
        let Kind::Symbol { text: Text::Char(c), class, font } = self.tree.kind(item) else { return None };
        Some((item, Text::Char(latex::negated(c)?), class, font))
    }

    pub(super) fn classed(&mut self, body: NodeId, class: Class) {
        let name = match class {
            Class::BigOp | Class::Integral => "mathop",
            Class::Rel | Class::Arrow => "mathrel",
            Class::Bin => "mathbin",
            Class::Ord | Class::Fence | Class::Prefix | Class::Postfix => "mathord",
            Class::Open => "mathopen",
            Class::Close => "mathclose",
            Class::Punct => "mathpunct",
            Class::Inner => "mathinner",
            Class::Function | Class::LimitFunction => {
                let mut letters = String::new();
                let mut font = None;
                if self.joined(body, &mut letters, &mut font) && !letters.is_empty() {
                    return self.name(&letters, class, font.unwrap_or(Font::Roman));
                }
                // The name is read with upright letters.
                self.command(if class == Class::Function { "operatorname" } else { "operatorname*" });
                self.word = false;
                let font = std::mem::replace(&mut self.font, Font::Roman);
                self.braced(|printer| printer.inside(body));
                self.font = font;
                return;
            }
        };
        self.call(name, &[body]);
    }

    /// Appends the letters of a name as the reader would join them once they are written.
    fn joined(&self, body: NodeId, letters: &mut String, fonts: &mut Option<Font>) -> bool {
        let tree = self.tree;
        let body = self.opened(body);
        tree.row(&body).iter().all(|&item| {
            let (text, font) = match tree.kind(item) {
                Kind::Symbol { text, class: Class::Ord | Class::Function | Class::LimitFunction, font }
                | Kind::Symbol { text: text @ Text::Char('-' | '*' | '.' | '/' | ':'), font, .. }
                | Kind::Number { text, font }
                | Kind::TextRun { text, font } => (text, font),
                Kind::Opaque { text, reason } if !self.stays_opaque(text, reason) => (text, Font::Roman),
                Kind::Classed { body, class: Class::Function | Class::LimitFunction } => {
                    return self.joined(body, letters, fonts);
                }
                Kind::Space(mu) => {
                    if mu > 0 {
                        letters.push(' ');
                    }
                    return true;
                }
                _ => return false,
            };
            tree.push_text(text, letters);
            *fonts.get_or_insert(font) == font
        })
    }

    // Tables

    /// Whether a grid has no alignments but centred columns.
    fn is_matrix(&self, rows: &[NodeId], columns: Text) -> bool {
        let width = rows.iter().map(|&row| self.cells(row).len()).max().unwrap_or(0);
        self.tree.with_text(columns, |columns| {
            columns.is_empty() || columns.bytes().all(|b| b == b'c') && columns.len() >= width
        })
    }

    fn cells(&self, row: NodeId) -> &[NodeId] {
        match self.tree.kind(row) {
            Kind::TableRow(cells) => self.tree.list(cells),
            _ => &[],
        }
    }

    pub(super) fn table(
        &mut self,
        rows: &[NodeId],
        kind: TableKind,
        (left, right): (Option<char>, Option<char>),
        columns: Text,
    ) {
        let tree = self.tree;
        if kind == TableKind::Substack {
            self.command("substack");
            return self.braced(|printer| printer.rows(rows));
        }
        let matrix = MATRICES.iter().find(|entry| (entry.0, entry.1) == (left, right));
        let name = match kind {
            TableKind::Matrix if self.is_matrix(rows, columns) => matrix.map_or("", |entry| entry.2),
            TableKind::Cases if (left, right) == (Some('{'), None) => "cases",
            TableKind::Cases if (left, right) == (None, Some('}')) => "rcases",
            TableKind::Align => tree.with_text(columns, |columns| match columns {
                "" | "rl" => "aligned",
                _ => "",
            }),
            TableKind::Gather => tree.with_text(columns, |columns| match columns {
                "l" => "lgathered",
                "r" => "rgathered",
                _ => "gathered",
            }),
            _ => "",
        };
        if !name.is_empty() {
            self.out.extend(["\\begin{", name, "}"]);
            self.word = false;
            self.rows(rows);
            self.out.extend(["\\end{", name, "}"]);
            self.word = false;
            return;
        }
        // Anything else is an array between delimiters.
        let fenced = left.is_some() || right.is_some();
        if fenced {
            self.command("left");
            self.sign_or_none(left);
        }
        self.out.push_str("\\begin{array}{");
        tree.push_text(columns, self.out);
        self.out.push('}');
        self.word = false;
        self.rows(rows);
        self.out.push_str("\\end{array}");
        if fenced {
            self.command("right");
            self.sign_or_none(right);
        }
    }

    fn rows(&mut self, rows: &[NodeId]) {
        let tree = self.tree;
        for (index, &row) in rows.iter().enumerate() {
            if index > 0 {
                self.push("\\\\ ");
            }
            let start = self.out.len();
            let Kind::TableRow(cells) = tree.kind(row) else { continue };
            for (index, &cell) in tree.list(cells).iter().enumerate() {
                if index > 0 {
                    // A blank, or `&` and letters might read as an entity.
                    self.push(" & ");
                }
                if self.breaks_line(self.opened(cell)) {
                    self.braced(|printer| printer.inside(cell));
                } else {
                    self.inside(cell);
                }
            }
            // A star, a bracket or nothing at all would belong to the command before.
            let written = &self.out[start..];
            let last_and_empty = index + 1 == rows.len() && written.is_empty();
            if last_and_empty || written.starts_with(['*', '[']) {
                self.out.insert_str(start, "{}");
                self.word = false;
            }
        }
    }
}
