//! What each structural command does.

use super::raw::parse_length;
use super::structure::{Modulo, Structure};
use super::{Infix, Mode, Parser, Step, Until, size};
use crate::diagnostic::DiagnosticKind;
use crate::lexer::{Token, TokenKind};
use crate::tables::{Meaning, tables};
use crate::tree::{Bar, Class, Enclosure, Font, Kind, NodeId, Opaque, Span, Style, Text};

impl Parser<'_, '_> {
    /// Reads a command with its arguments.
    pub(super) fn command(&mut self, token: Token) -> Step {
        let Some(meaning) = self.meaning(token) else {
            if self.is_inner_command(token) {
                self.left_out(token);
                return Step::Nothing;
            }
            return Step::Node(self.unknown(token));
        };
        let node = match meaning {
            Meaning::Symbol { text, class } => {
                let mut chars = text.chars();
                let text = match (chars.next(), chars.next()) {
                    (Some(c), None) => Text::Char(c),
                    _ => Text::Static(text),
                };
                self.symbol(text, class, token.span)
            }
            Meaning::Space(mu) => self.tree.push(Kind::Space(mu), token.span),
            Meaning::Accent { mark, under, stretchy } => {
                let base = self.argument(token.span, "what stands under the accent");
                self.finish(token, Kind::Accent { base, mark, under, stretchy })
            }
            Meaning::FontArgument(font) => {
                let before = self.font;
                self.font = combine(before, font);
                let node = self.argument(token.span, "what the font is for");
                self.font = before;
                self.spanned(token, node)
            }
            Meaning::FontSwitch(font) => {
                self.font = font;
                return Step::Nothing;
            }
            Meaning::Text(font) => self.text_argument(token, font),
            Meaning::Structure(structure) => return self.structure(token, structure),
        };
        Step::Node(node)
    }

    /// `\dots` stand in the middle between operators and on the line otherwise.
    fn dots(&mut self) -> Text {
        let next = self.peek();
        let class = match next.kind {
            TokenKind::Char(c) => tables().character(c).0,
            TokenKind::Command => match self.meaning(next) {
                Some(Meaning::Symbol { class, .. }) => class,
                Some(Meaning::Structure(Structure::Not | Structure::Modulo(Modulo::Binary))) => Class::Rel,
                _ => Class::Ord,
            },
            _ => Class::Ord,
        };
        Text::Char(if matches!(class, Class::Bin | Class::Rel) { '⋯' } else { '…' })
    }

    fn unknown(&mut self, token: Token) -> NodeId {
        let bytes = self.input.name_bytes(token);
        let name = String::from_utf8_lossy(bytes);
        // A backslash in front of a line end or any other blank is a space.
        if !name.is_empty() && name.trim().is_empty() {
            return self.tree.push(Kind::Space(6), token.span);
        }
        if name.is_empty() {
            self.report(DiagnosticKind::UnknownCommand, token.span, "a backslash with nothing behind it");
        } else if self.input.macro_named(bytes).is_none() {
            // A macro is known, but was called too often; that has been said.
            let message = if self.is_heard() { format!("unknown command `\\{name}`") } else { String::new() };
            self.report(DiagnosticKind::UnknownCommand, token.span, message);
        }
        self.unknown_end = token.span.end;
        let text = self.tree.write_text(|buffer| {
            buffer.push('\\');
            buffer.push_str(&name);
        });
        self.tree.push(Kind::Opaque { text, reason: Opaque::UnknownCommand }, token.span)
    }

    /// Pushes a node that reaches from the command to here.
    pub(super) fn finish(&mut self, token: Token, kind: Kind) -> NodeId {
        let span = token.span.to(self.span_here());
        self.tree.push(kind, span)
    }

    /// Remarks that a command, with what was read since, is not in the tree.
    pub(super) fn left_out(&mut self, token: Token) {
        let span = token.span.to(self.span_here());
        let name = self.input.name(token);
        self.report(DiagnosticKind::Ignored, span, format!("`\\{name}` is left out"));
    }

    /// Passes over the arguments in front of the one that is kept.
    fn skip_arguments(&mut self, token: Token, arguments: u8) {
        for _ in 0..arguments {
            self.skip_options();
            self.raw_argument();
        }
        self.skip_options();
        let span = token.span.to(self.span_here());
        let name = self.input.name(token);
        self.report(DiagnosticKind::Ignored, span, format!("of `\\{name}` only the last argument is kept"));
    }

    /// Widens a group's span so that it holds the command in front of it.
    fn spanned(&mut self, token: Token, node: NodeId) -> NodeId {
        let span = token.span.to(self.tree.node(node).span);
        self.tree.node_mut(node).span = span;
        node
    }

    fn structure(&mut self, token: Token, structure: Structure) -> Step {
        let node = match structure {
            Structure::Fraction { bar, left, right, style } => self.fraction(token, bar, left, right, style),
            Structure::ContinuedFraction => {
                self.skip_bracket();
                self.fraction(token, Bar::Line, None, None, Some(Style::Display))
            }
            Structure::GeneralFraction => self.general_fraction(token),
            Structure::Infix { bar, left, right } => return Step::Infix(Infix { bar, left, right }),
            Structure::Above => {
                let bar = if self.length(token) == 0.0 { Bar::None } else { Bar::Line };
                return Step::Infix(Infix { bar, left: None, right: None });
            }
            Structure::InfixWithDelimiters { bar } => {
                let (left, right) = (self.delimiter(token), self.delimiter(token));
                return Step::Infix(Infix { bar, left, right });
            }
            Structure::SquareRoot => {
                let degree = self.bracket_row();
                let radicand = self.argument(token.span, "what stands under the root");
                self.finish(token, Kind::Root { radicand, degree })
            }
            Structure::RootOf => self.root_of(token),
            Structure::Left => self.fenced(token),
            Structure::StrayRight => {
                self.report(DiagnosticKind::UnmatchedDelimiter, token.span, "`\\right` without `\\left`");
                self.lone_delimiter(token, Some(Class::Close))
            }
            Structure::Middle => self.lone_delimiter(token, Some(Class::Fence)),
            Structure::Big(class) => self.lone_delimiter(token, class),
            Structure::Begin => return self.environment(token),
            Structure::StrayEnd => return self.stray_end(token),
            Structure::LineBreak => {
                if self.input.name(token) == "\\" {
                    self.skip_row_space();
                }
                self.finish(token, Kind::LineBreak)
            }
            Structure::BraceTable { kind, left, right } => self.brace_table(token, kind, left, right),
            Structure::BraceArray => self.brace_array(token),
            Structure::OperatorName => {
                let limits = self.skip_star() || self.input.name(token) != "operatorname";
                self.operator_name(token.span, limits)
            }
            Structure::Classed(class) => {
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Classed { body, class })
            }
            Structure::MarkedLimit { mark, under } => {
                let (text, class) = (Text::Static("lim"), Class::Function);
                let base = self.tree.push(Kind::Symbol { text, class, font: Font::Roman }, token.span);
                self.tree.push(Kind::Accent { base, mark, under, stretchy: true }, token.span)
            }
            Structure::Not => self.not(token),
            Structure::Overset => {
                let over = Some(self.argument(token.span, "what stands above"));
                let base = self.argument(token.span, "what stands below");
                self.finish(token, Kind::Stack { base, over, under: None })
            }
            Structure::Underset => {
                let under = Some(self.argument(token.span, "what stands below"));
                let base = self.argument(token.span, "what stands above");
                self.finish(token, Kind::Stack { base, over: None, under })
            }
            Structure::Overunderset => {
                let over = Some(self.argument(token.span, "what stands above"));
                let under = Some(self.argument(token.span, "what stands below"));
                let base = self.argument(token.span, "what stands between");
                self.finish(token, Kind::Stack { base, over, under })
            }
            Structure::Underoverset => {
                let under = Some(self.argument(token.span, "what stands below"));
                let over = Some(self.argument(token.span, "what stands above"));
                let base = self.argument(token.span, "what stands between");
                self.finish(token, Kind::Stack { base, over, under })
            }
            Structure::BuildRelation => self.build_relation(token),
            Structure::ExtensibleArrow(arrow) => {
                let under = self.bracket_row();
                let over = Some(self.argument(token.span, "what stands above the arrow"));
                let class = if arrow == '=' { Class::Rel } else { Class::Arrow };
                let base = self.symbol(Text::Char(arrow), class, token.span);
                self.finish(token, Kind::Stack { base, over, under })
            }
            Structure::Sideset => self.sideset(token),
            Structure::Prescript => {
                let sup = self.argument(token.span, "a script");
                let sub = self.argument(token.span, "a script");
                let base = Some(self.argument(token.span, "what carries the scripts"));
                let sup = Some(sup).filter(|&node| !self.is_empty_row(node));
                let sub = Some(sub).filter(|&node| !self.is_empty_row(node));
                self.finish(token, Kind::PreScripts { base, sub, sup })
            }
            Structure::Tensor => self.tensor(token),
            Structure::Multiscripts => self.multiscripts(token),
            Structure::Enclose(enclosure) => {
                let body = self.argument(token.span, "what is enclosed");
                self.finish(token, Kind::Enclose { body, enclosure })
            }
            Structure::TextBox => {
                self.skip_bracket();
                self.skip_bracket();
                let body = self.text_argument(token, Font::Roman);
                self.finish(token, Kind::Enclose { body, enclosure: Enclosure::Box })
            }
            Structure::CancelTo => {
                let sup = Some(self.argument(token.span, "the value"));
                let body = self.argument(token.span, "what is cancelled");
                let base = Some(self.finish(token, Kind::Enclose { body, enclosure: Enclosure::Cancel }));
                let limits = crate::tree::Limits::Auto;
                self.finish(token, Kind::Scripts { base, sub: None, sup, limits })
            }
            Structure::EncloseAs => {
                let notation = self.raw_argument();
                self.skip_bracket();
                let body = self.argument(token.span, "what is enclosed");
                let text = self.tree.write_text(|buffer| buffer.push_str(&notation));
                self.finish(token, Kind::Enclose { body, enclosure: Enclosure::Other(text) })
            }
            Structure::Phantom => {
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Phantom(body))
            }
            Structure::Transparent => {
                self.skip_bracket();
                let node = self.argument(token.span, "an argument");
                self.spanned(token, node)
            }
            Structure::Ignored(arguments) => {
                self.skip_star();
                for _ in 0..arguments {
                    self.skip_options();
                    self.raw_argument();
                }
                self.left_out(token);
                return Step::Nothing;
            }
            Structure::Wrapper(arguments) => {
                self.skip_arguments(token, arguments);
                let node = self.argument(token.span, "an argument");
                self.spanned(token, node)
            }
            Structure::TextWrapper(arguments) => {
                self.skip_arguments(token, arguments);
                self.text_argument(token, Font::Roman)
            }
            Structure::MathChoice => {
                let styles = [(); 4].map(|()| self.argument(token.span, "an argument"));
                let span = token.span.to(self.span_here());
                self.report(DiagnosticKind::Ignored, span, "of four styles only the second is kept");
                self.spanned(token, styles[1])
            }
            Structure::Style(style) => self.tree.push(Kind::StyleSwitch(style), token.span),
            Structure::Size => match size(self.input.name(token)) {
                Some(style) => self.tree.push(Kind::StyleSwitch(style), token.span),
                None => return Step::Nothing,
            },
            Structure::Color => {
                let name = self.color_name();
                let text = self.tree.write_text(|buffer| buffer.push_str(&name));
                self.finish(token, Kind::ColorSwitch(text))
            }
            Structure::TextColor => self.text_color(token),
            Structure::Skip => {
                let mu = self.length(token);
                self.finish(token, Kind::Space(mu as i16))
            }
            Structure::HorizontalSpace => {
                self.skip_star();
                let mu = parse_length(&self.raw_argument()).unwrap_or(0.0);
                self.finish(token, Kind::Space(mu as i16))
            }
            Structure::Tag => {
                self.skip_star();
                let label = self.raw_argument();
                let text = self.tree.write_text(|buffer| buffer.push_str(&label));
                self.finish(token, Kind::Tag(text))
            }
            Structure::DefinePlain => {
                self.define_plain(token);
                return Step::Nothing;
            }
            Structure::DefineLatex => {
                self.define_latex(token);
                return Step::Nothing;
            }
            Structure::DefineAlias => {
                self.define_alias(token);
                return Step::Nothing;
            }
            Structure::DefineOperator => {
                self.define_operator(token);
                return Step::Nothing;
            }
            Structure::Modulo(modulo) => self.modulo(token, modulo),
            Structure::Delimited { left, right } => {
                self.skip_star();
                if self.before_delimiter() {
                    let name = self.input.name(token);
                    let text = self.tree.write_text(|buffer| buffer.push_str(name));
                    let (class, font) = (Class::Function, Font::Roman);
                    return Step::Node(self.finish(token, Kind::Symbol { text, class, font }));
                }
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Fenced { left: Some(left), right: Some(right), body })
            }
            Structure::SetOrName if self.peek().kind != TokenKind::Open => {
                let (text, class) = (Text::Static("Set"), Class::Function);
                self.tree.push(Kind::Symbol { text, class, font: Font::Roman }, token.span)
            }
            Structure::SetOrName => {
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Fenced { left: Some('{'), right: Some('}'), body })
            }
            Structure::BraKet { left, right } => {
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Fenced { left: Some(left), right: Some(right), body })
            }
            Structure::FullBraKet => self.bra_ket(token),
            Structure::KetBra => self.ket_bra(token),
            // In documents nobody means this by it.
            Structure::Similar if self.mode == Mode::Document => self.unknown(token),
            Structure::Similar => {
                let body = self.argument(token.span, "what is to be similar");
                self.finish(token, Kind::Similar { body })
            }
            Structure::Wildcard => self.named_wildcard(token),
            Structure::ConstructedWildcard => self.constructed_wildcard(token),
            Structure::Unicode => self.unicode(token),
            Structure::CharCode => self.char_code(token),
            Structure::Unread => {
                self.skip_options();
                self.skip_raw_group();
                self.unread(token)
            }
            Structure::UnreadDiagram => {
                self.skip_diagram(token);
                self.unread(token)
            }
            Structure::Verbatim => self.verbatim(token),
            Structure::BeginGroup => self.group(token),
            Structure::StrayEndGroup => {
                self.report(DiagnosticKind::UnmatchedBrace, token.span, "a group ends that never began");
                self.misplaced(token)
            }
            Structure::StrayLimits => {
                self.report(DiagnosticKind::Ignored, token.span, "limits without an operator");
                return Step::Nothing;
            }
            Structure::Reference { parentheses } => {
                let label = self.raw_argument();
                let text = self.tree.write_text(|buffer| match parentheses {
                    true => buffer.extend(["(", &label, ")"]),
                    false => buffer.push_str(&label),
                });
                self.finish(token, Kind::TextRun { text, font: Font::Roman })
            }
            Structure::MathDelimiter => {
                self.report(
                    DiagnosticKind::StrayCharacter,
                    token.span,
                    "a formula's delimiter inside a formula",
                );
                return Step::Nothing;
            }
            Structure::Logo(name) => {
                self.tree.push(Kind::TextRun { text: Text::Static(name), font: Font::Roman }, token.span)
            }
            Structure::ScriptCommand { above } => {
                let kind = if above { TokenKind::Sup } else { TokenKind::Sub };
                self.input.unread(Token::new(kind, token.span));
                match self.scripts(None, token.span) {
                    Some(node) => node,
                    None => return Step::Nothing,
                }
            }
            Structure::RestOfTable => self.rest_of_table(token),
            Structure::LetterAccent => {
                let text = self.accented_letter(self.input.name(token));
                self.finish(token, Kind::Symbol { text, class: Class::Ord, font: Font::Roman })
            }
            Structure::Dots => {
                let text = self.dots();
                self.symbol(text, Class::Inner, token.span)
            }
            Structure::Nothing => {
                self.left_out(token);
                return Step::Nothing;
            }
        };
        Step::Node(node)
    }

    // Fractions

    fn fraction(
        &mut self,
        token: Token,
        bar: Bar,
        left: Option<char>,
        right: Option<char>,
        style: Option<Style>,
    ) -> NodeId {
        let numerator = self.argument(token.span, "the numerator");
        let denominator = self.argument(token.span, "the denominator");
        self.finish(token, Kind::Fraction { numerator, denominator, bar, left, right, style })
    }

    // Names

    /// The argument of `\operatorname`: letters are joined to one name.
    pub(super) fn operator_name(&mut self, span: Span, limits: bool) -> NodeId {
        let class = if limits { Class::LimitFunction } else { Class::Function };
        let before = std::mem::replace(&mut self.font, Font::Roman);
        let body = self.argument(span, "the name");
        self.font = before;
        let whole = span.to(self.span_here());
        match self.joined_letters(body) {
            Some((text, font)) => self.tree.push(Kind::Symbol { text, class, font }, whole),
            None => self.tree.push(Kind::Classed { body, class }, whole),
        }
    }

    /// The letters of a row that holds nothing else but digits, hyphens and spaces, all of one font.
    fn joined_letters(&mut self, mut body: NodeId) -> Option<(Text, Font)> {
        while let [inner] = *self.tree.row(&body)
            && inner != body
        {
            body = inner;
        }
        let mut name = String::new();
        let mut fonts = None;
        for &item in self.tree.row(&body) {
            match self.tree.kind(item) {
                Kind::Symbol { text, class: Class::Ord | Class::Function | Class::LimitFunction, font }
                | Kind::Symbol { text: text @ Text::Char('-' | '*' | '.' | '/' | ':'), font, .. }
                | Kind::Number { text, font }
                | Kind::TextRun { text, font } => {
                    if *fonts.get_or_insert(font) != font {
                        return None;
                    }
                    self.tree.push_text(text, &mut name);
                }
                Kind::Space(mu) if mu > 0 => name.push(' '),
                Kind::Space(_) => {}
                _ => return None,
            }
        }
        Some((self.tree.write_text(|buffer| buffer.push_str(&name)), fonts?))
    }

    fn not(&mut self, token: Token) -> NodeId {
        let body = self.argument(token.span, "what is negated");
        let item = match *self.tree.row(&body) {
            [single] => single,
            _ => body,
        };
        if let Kind::Symbol { text, class, font } = self.tree.kind(item) {
            let single = self.tree.with_text(text, |letters| {
                let mut chars = letters.chars();
                chars.next().filter(|_| chars.next().is_none())
            });
            if let Some(negated) = single.and_then(|c| tables().negation(c)) {
                return self.finish(token, Kind::Symbol { text: Text::Char(negated), class, font });
            }
        }
        self.finish(token, Kind::Enclose { body, enclosure: Enclosure::Not })
    }

    fn modulo(&mut self, token: Token, modulo: Modulo) -> NodeId {
        let class = if modulo == Modulo::Binary { Class::Bin } else { Class::Function };
        let before = std::mem::replace(&mut self.font, Font::Roman);
        let word = self.symbol(Text::Static("mod"), class, token.span);
        self.font = before;
        match modulo {
            Modulo::Binary | Modulo::Spaced => word,
            Modulo::Parenthesised | Modulo::Bare => {
                let argument = self.argument(token.span, "the modulus");
                let mark = self.nodes.len();
                if modulo == Modulo::Parenthesised {
                    self.nodes.push(word);
                }
                self.nodes.push(argument);
                let span = token.span.to(self.tree.node(argument).span);
                let body = self.finish_row(mark, span);
                self.finish(token, Kind::Fenced { left: Some('('), right: Some(')'), body })
            }
        }
    }

    /// `[…]`, if that comes next, as a row.
    fn bracket_row(&mut self) -> Option<NodeId> {
        let open = self.peek();
        if open.kind != TokenKind::Char('[') {
            return None;
        }
        self.next_solid();
        let row = self.row(Until::Bracket);
        let close = self.next();
        if close.kind == TokenKind::Char(']') {
            self.tree.node_mut(row).span = open.span.to(close.span);
        } else {
            self.input.unread(close);
            self.report(DiagnosticKind::UnmatchedDelimiter, open.span, "this bracket is never closed");
        }
        Some(row)
    }

    // Above, below and around

    /// `\buildrel a \over b`.
    fn build_relation(&mut self, token: Token) -> NodeId {
        let over = self.row(Until::Over);
        let next = self.peek();
        if next.kind == TokenKind::Command && self.input.name(next) == "over" {
            self.next_solid();
        } else {
            self.report(DiagnosticKind::MissingArgument, token.span, "`\\buildrel` without `\\over`");
        }
        let base = self.argument(token.span, "what stands below");
        self.finish(token, Kind::Stack { base, over: Some(over), under: None })
    }

    /// `\root n \of x`, and iTeX's `\root{n}{x}`.
    fn root_of(&mut self, token: Token) -> NodeId {
        let mut group = None;
        if self.peek().kind == TokenKind::Open {
            let open = self.next_solid();
            let degree = self.group(open);
            if self.peek().kind == TokenKind::Open {
                let radicand = self.argument(token.span, "what stands under the root");
                return self.finish(token, Kind::Root { radicand, degree: Some(degree) });
            }
            group = Some(self.scripts(Some(degree), open.span).unwrap_or(degree));
        }
        let rest = self.row(Until::Of);
        let degree = match group {
            Some(group) if self.is_empty_row(rest) => group,
            Some(group) => self.pair(group, rest),
            None => rest,
        };
        let of = self.peek();
        if of.kind == TokenKind::Command && self.input.name(of) == "of" {
            self.next_solid();
        } else {
            self.report(DiagnosticKind::MissingArgument, token.span, "`\\root` without `\\of`");
        }
        let radicand = self.argument(token.span, "what stands under the root");
        self.finish(token, Kind::Root { radicand, degree: Some(degree) })
    }

    /// `\sideset{_a^b}{_c^d}\sum`.
    fn sideset(&mut self, token: Token) -> NodeId {
        let sides = [(); 2].map(|()| self.argument(token.span, "scripts"));
        let [(pre_sub, pre_sup), (post_sub, post_sup)] = sides.map(|side| self.only_scripts(side));
        let mut base = Some(self.argument(token.span, "an operator"));
        if post_sub.is_some() || post_sup.is_some() {
            let limits = crate::tree::Limits::NoLimits;
            base = Some(self.finish(token, Kind::Scripts { base, sub: post_sub, sup: post_sup, limits }));
        }
        self.finish(token, Kind::PreScripts { base, sub: pre_sub, sup: pre_sup })
    }

    /// The scripts that a side of `\sideset` is.
    fn only_scripts(&mut self, side: NodeId) -> (Option<NodeId>, Option<NodeId>) {
        if self.is_empty_row(side) {
            return (None, None);
        }
        if let [single] = *self.tree.row(&side)
            && let Kind::Scripts { base: None, sub, sup, .. } = self.tree.kind(single)
        {
            return (sub, sup);
        }
        let span = self.tree.node(side).span;
        self.report(DiagnosticKind::Misplaced, span, "only scripts can stand at a side");
        (None, Some(side))
    }

    pub(super) fn is_empty_row(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Row(list) if self.tree.list(list).is_empty())
    }

    fn text_color(&mut self, token: Token) -> NodeId {
        let name = self.color_name();
        let color = self.tree.write_text(|buffer| buffer.push_str(&name));
        let switch = self.finish(token, Kind::ColorSwitch(color));
        let body = match self.input.name(token) {
            "colorbox" => self.text_argument(token, Font::Roman),
            _ => self.argument(token.span, "what is coloured"),
        };
        let mark = self.nodes.len();
        self.nodes.extend([switch, body]);
        let span = token.span.to(self.span_here());
        self.finish_row(mark, span)
    }

    /// `{red}`, `[rgb]{1,0,0}`.
    fn color_name(&mut self) -> String {
        match self.bracket_text() {
            Some(model) => format!("{model}:{}", self.raw_argument()),
            None => self.raw_argument(),
        }
    }

    // In one piece

    /// Keeps a command with what was read since as it is.
    fn unread(&mut self, token: Token) -> NodeId {
        let span = token.span.to(self.span_here());
        let name = self.input.name(token);
        self.report(DiagnosticKind::Unread, span, format!("`\\{name}` is kept in one piece"));
        self.opaque(span, Opaque::Unread)
    }

    /// Passes over a group without looking inside.
    fn skip_raw_group(&mut self) {
        if self.peek().kind == TokenKind::Open {
            self.raw_argument();
        }
    }

    /// `\xymatrix@R=1pc{…}`, `\xy … \endxy`.
    fn skip_diagram(&mut self, token: Token) {
        let closes = |parser: &Self, next: Token| match parser.input.name(token) {
            "xy" => next.kind == TokenKind::Command && parser.input.name(next) == "endxy",
            _ => false,
        };
        let is_matrix = self.input.name(token) != "xy";
        loop {
            let end = self.input.end();
            let next = self.raw_solid();
            match next.kind {
                TokenKind::Open if is_matrix => {
                    self.input.unread_to(next, end);
                    self.raw_argument();
                    return;
                }
                TokenKind::Open => {
                    self.input.unread_to(next, end);
                    self.raw_argument();
                }
                TokenKind::End | TokenKind::Close => {
                    self.input.unread_to(next, end);
                    return;
                }
                _ if closes(self, next) => return,
                _ => {}
            }
        }
    }

    fn general_fraction(&mut self, token: Token) -> NodeId {
        let [left, right] = [(); 2].map(|()| self.delimiter_argument(token));
        let here = self.span_here();
        let thickness = self.raw_argument();
        let bar = if parse_length(&thickness) == Some(0.0) { Bar::None } else { Bar::Line };
        let number = self.raw_argument();
        let style = match number.trim() {
            "0" => Some(Style::Display),
            "1" => Some(Style::Text),
            "2" => Some(Style::Script),
            "3" => Some(Style::ScriptScript),
            _ => None,
        };
        let is_read = |text: &str, read: bool| read || text.trim().is_empty();
        if !is_read(&thickness, parse_length(&thickness).is_some()) || !is_read(&number, style.is_some()) {
            let span = here.to(self.span_here());
            self.report(DiagnosticKind::Ignored, span, "this option changes nothing here");
        }
        self.fraction(token, bar, left, right, style)
    }
}

/// What two font commands inside one another give: `\mathbf{\mathit x}` is the inner one, but bold and italic add up.
fn combine(outer: Font, inner: Font) -> Font {
    match (outer, inner) {
        (Font::Bold, Font::Italic) | (Font::Italic, Font::Bold) => Font::BoldItalic,
        _ => inner,
    }
}
