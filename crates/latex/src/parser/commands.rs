//! What each structural command does.

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

    fn unknown(&mut self, token: Token) -> NodeId {
        let name = String::from_utf8_lossy(self.input.name_bytes(token));
        let message = if name.is_empty() {
            "a backslash with nothing behind it".into()
        } else {
            format!("unknown command `\\{name}`")
        };
        self.report(DiagnosticKind::UnknownCommand, token.span, message);
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
                let bar = if self.length().is_some_and(|points| points == 0.0) { Bar::None } else { Bar::Line };
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
            Structure::RootOf => {
                let degree = self.row(Until::Of);
                let of = self.peek();
                if of.kind == TokenKind::Command && self.input.name(of) == "of" {
                    self.next_solid();
                } else {
                    self.report(DiagnosticKind::MissingArgument, token.span, "`\\root` without `\\of`");
                }
                let radicand = self.argument(token.span, "what stands under the root");
                self.finish(token, Kind::Root { radicand, degree: Some(degree) })
            }
            Structure::Left => self.fenced(token),
            Structure::StrayRight => {
                self.report(DiagnosticKind::UnmatchedDelimiter, token.span, "`\\right` without `\\left`");
                match self.delimiter(token) {
                    Some(sign) => self.finish(token, Kind::Delimiter { sign, class: Class::Close }),
                    None => return Step::Nothing,
                }
            }
            Structure::Middle => match self.delimiter(token) {
                Some(sign) => self.finish(token, Kind::Delimiter { sign, class: Class::Fence }),
                None => return Step::Nothing,
            },
            Structure::Big(class) => self.big(token, class),
            Structure::Begin => return self.environment(token),
            Structure::StrayEnd => {
                let name = self.raw_argument();
                let message = format!("`\\end{{{name}}}` without `\\begin`");
                let span = token.span.to(self.span_here());
                self.report(DiagnosticKind::UnmatchedDelimiter, span, message);
                self.opaque(span, Opaque::Misplaced)
            }
            Structure::LineBreak => self.tree.push(Kind::LineBreak, token.span),
            Structure::BraceTable { kind, left, right } => self.brace_table(token, kind, left, right),
            Structure::OperatorName => {
                let limits = self.skip_star() || self.input.name(token) != "operatorname";
                self.operator_name(token.span, limits)
            }
            Structure::Classed(class) => {
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Classed { body, class })
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
                self.skip_bracket();
                for _ in 0..arguments {
                    self.raw_argument();
                }
                let span = token.span.to(self.span_here());
                let name = self.input.name(token);
                self.report(DiagnosticKind::Ignored, span, format!("`\\{name}` changes nothing here"));
                return Step::Nothing;
            }
            Structure::Wrapper(arguments) => {
                self.skip_bracket();
                for _ in 0..arguments {
                    self.raw_argument();
                }
                let node = self.argument(token.span, "an argument");
                self.spanned(token, node)
            }
            Structure::MathChoice => {
                self.argument(token.span, "an argument");
                let node = self.argument(token.span, "an argument");
                self.argument(token.span, "an argument");
                self.argument(token.span, "an argument");
                self.spanned(token, node)
            }
            Structure::Style(style) => self.tree.push(Kind::StyleSwitch(style), token.span),
            Structure::Size => match size(self.input.name(token)) {
                Some(style) => self.tree.push(Kind::StyleSwitch(style), token.span),
                None => return Step::Nothing,
            },
            Structure::Color => {
                self.skip_bracket();
                let name = self.raw_argument();
                let text = self.tree.write_text(|buffer| buffer.push_str(&name));
                self.finish(token, Kind::ColorSwitch(text))
            }
            Structure::TextColor => self.text_color(token),
            Structure::Skip => {
                let mu = self.length().unwrap_or(0.0);
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
            Structure::BraKet { left, right } => {
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Fenced { left: Some(left), right: Some(right), body })
            }
            Structure::FullBraKet => {
                let body = self.argument(token.span, "an argument");
                self.finish(token, Kind::Fenced { left: Some('⟨'), right: Some('⟩'), body })
            }
            Structure::Wildcard => {
                let name = self.raw_argument();
                let name = name.trim().trim_matches('*').to_owned();
                self.wildcard(&name, token.span.to(self.span_here()))
            }
            Structure::ConstructedWildcard => self.constructed_wildcard(token),
            Structure::Unicode => {
                self.skip_bracket();
                let code = self.raw_argument();
                match code_point(code.trim()) {
                    Some(c) => self.character(c, token.span.to(self.span_here())),
                    None => {
                        let span = token.span.to(self.span_here());
                        self.report(DiagnosticKind::MissingArgument, span, "no character has this number");
                        self.opaque(span, Opaque::Misplaced)
                    }
                }
            }
            Structure::CharCode => self.char_code(token),
            Structure::Unread => {
                self.skip_bracket();
                self.skip_raw_group();
                let span = token.span.to(self.span_here());
                let name = self.input.name(token);
                self.report(DiagnosticKind::Unread, span, format!("`\\{name}` is kept in one piece"));
                self.opaque(span, Opaque::Unread)
            }
            Structure::Verbatim => self.verbatim(token),
            Structure::BeginGroup => self.group(token),
            Structure::StrayEndGroup => {
                self.report(DiagnosticKind::UnmatchedBrace, token.span, "a group ends that never began");
                self.opaque(token.span, Opaque::Misplaced)
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
                self.report(DiagnosticKind::StrayCharacter, token.span, "a formula's delimiter inside a formula");
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
                let mut letters = String::new();
                self.text_accent(self.input.name(token), &mut letters);
                let text = self.tree.write_text(|buffer| buffer.push_str(&letters));
                self.finish(token, Kind::Symbol { text, class: Class::Ord, font: Font::Roman })
            }
            Structure::Nothing => return Step::Nothing,
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

    fn general_fraction(&mut self, token: Token) -> NodeId {
        let [left, right] = [(); 2].map(|()| self.raw_argument());
        let [left, right] = [left, right].map(|text| delimiter_named(text.trim().trim_start_matches('\\')));
        let thickness = self.raw_argument();
        let bar = match parse_length(&thickness) {
            Some(0.0) => Bar::None,
            _ => Bar::Line,
        };
        let style = match self.raw_argument().trim() {
            "0" => Some(Style::Display),
            "1" => Some(Style::Text),
            "2" => Some(Style::Script),
            "3" => Some(Style::ScriptScript),
            _ => None,
        };
        self.fraction(token, bar, left.flatten(), right.flatten(), style)
    }

    // Delimiters

    /// `\left( … \right)`, after `\left`.
    fn fenced(&mut self, token: Token) -> NodeId {
        let left = self.delimiter(token);
        let body = self.row(Until::Right);
        let next = self.next();
        let right = if next.kind == TokenKind::Command && self.input.name(next) == "right" {
            self.delimiter(next)
        } else {
            self.input.unread(next);
            self.report(DiagnosticKind::UnmatchedDelimiter, token.span, "`\\left` without `\\right`");
            None
        };
        self.finish(token, Kind::Fenced { left, right, body })
    }

    fn big(&mut self, token: Token, class: Option<Class>) -> NodeId {
        let next = self.peek();
        match self.delimiter(token) {
            Some(sign) => {
                let class = class.unwrap_or_else(|| match delimiter_class(sign) {
                    Class::Ord => Class::Fence,
                    class => class,
                });
                self.finish(token, Kind::Delimiter { sign, class })
            }
            // `\big.` is nothing; `\big x` was reported and the `x` is still to come.
            None => {
                let span = token.span.to(if matches!(next.kind, TokenKind::Char('.')) { next.span } else { token.span });
                self.tree.push(Kind::Space(0), span)
            }
        }
    }

    /// The delimiter that comes next; `None` for `.` and for what is none, which is left unread.
    fn delimiter(&mut self, command: Token) -> Option<char> {
        let token = self.next_solid();
        let command_span = command.span;
        let found = match token.kind {
            TokenKind::Char('.') => return None,
            // `\big{(}`
            TokenKind::Open => {
                self.input.unread(token);
                let name = self.raw_argument();
                let name = name.trim();
                let command = name.strip_prefix('\\').filter(|rest| !rest.is_empty()).unwrap_or(name);
                match delimiter_named(command) {
                    Some(sign) => return sign,
                    None => {
                        let span = command_span.to(self.span_here());
                        self.report(DiagnosticKind::BadDelimiter, span, format!("`{name}` is no delimiter"));
                        return None;
                    }
                }
            }
            TokenKind::Char(c) => delimiter_named(c.encode_utf8(&mut [0; 4])),
            TokenKind::Command => {
                let name = self.input.name(token);
                // `\left\left(`, `\big\left(`: the inner one is for the eye only.
                if matches!(name, "big" | "Big" | "bigg" | "Bigg" | "displaystyle") {
                    return self.delimiter(command);
                }
                delimiter_named(name).filter(|_| name != ".")
            }
            _ => None,
        };
        match found {
            Some(sign) => sign,
            None => {
                self.input.unread(token);
                let name = self.input.name(command);
                let message = format!("`\\{name}` needs a delimiter behind it");
                self.report(DiagnosticKind::BadDelimiter, command.span, message);
                None
            }
        }
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
            Some(text) => self.tree.push(Kind::Symbol { text, class, font: Font::Roman }, whole),
            None => self.tree.push(Kind::Classed { body, class }, whole),
        }
    }

    /// The letters of a row that holds nothing else but digits, hyphens and spaces.
    fn joined_letters(&mut self, body: NodeId) -> Option<Text> {
        let items = self.tree.row(&body).to_vec();
        if items.is_empty() {
            return None;
        }
        let mut name = String::new();
        for item in items {
            match self.tree.kind(item) {
                Kind::Symbol { text, class: Class::Ord | Class::Function | Class::LimitFunction, .. }
                | Kind::Number { text, .. }
                | Kind::TextRun { text, .. } => self.tree.push_text(text, &mut name),
                Kind::Symbol { text: Text::Char('-' | '*'), .. } => name.push('-'),
                Kind::Space(mu) if mu > 0 => name.push(' '),
                Kind::Space(_) => {}
                _ => return None,
            }
        }
        Some(self.tree.write_text(|buffer| buffer.push_str(&name)))
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

    // Above, below and around

    /// `\buildrel a \over b`.
    fn build_relation(&mut self, token: Token) -> NodeId {
        let over = self.argument(token.span, "what stands above");
        let next = self.peek();
        if next.kind == TokenKind::Command && self.input.name(next) == "over" {
            self.next_solid();
        }
        let base = self.argument(token.span, "what stands below");
        self.finish(token, Kind::Stack { base, over: Some(over), under: None })
    }

    /// `\sideset{_a^b}{_c^d}\sum`.
    fn sideset(&mut self, token: Token) -> NodeId {
        let sides = [(); 2].map(|()| self.argument(token.span, "scripts"));
        let [(pre_sub, pre_sup), (post_sub, post_sup)] = sides.map(|side| self.first_scripts(side));
        let mut base = Some(self.argument(token.span, "an operator"));
        if post_sub.is_some() || post_sup.is_some() {
            let limits = crate::tree::Limits::NoLimits;
            base = Some(self.finish(token, Kind::Scripts { base, sub: post_sub, sup: post_sup, limits }));
        }
        self.finish(token, Kind::PreScripts { base, sub: pre_sub, sup: pre_sup })
    }

    fn first_scripts(&self, side: NodeId) -> (Option<NodeId>, Option<NodeId>) {
        let scripts = self.tree.row(&side).iter().find_map(|&item| match self.tree.kind(item) {
            Kind::Scripts { sub, sup, .. } => Some((sub, sup)),
            _ => None,
        });
        scripts.unwrap_or_default()
    }

    fn is_empty_row(&self, node: NodeId) -> bool {
        matches!(self.tree.kind(node), Kind::Row(list) if self.tree.list(list).is_empty())
    }

    fn text_color(&mut self, token: Token) -> NodeId {
        self.skip_bracket();
        let name = self.raw_argument();
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

    // Wildcards

    pub(super) fn wildcard(&mut self, name: &str, span: Span) -> NodeId {
        let text = self.tree.write_text(|buffer| buffer.push_str(name));
        self.tree.push(Kind::Wildcard(text), span)
    }

    /// `?`, `?x`, `?x0`, `?1`, `?{x0}` in a query.
    pub(super) fn question_mark(&mut self, mut span: Span) -> NodeId {
        let mut name = String::new();
        if self.input.next_is(TokenKind::Open) {
            name = self.raw_argument();
            span = span.to(self.span_here());
        } else if let TokenKind::Char(c) = self.input.peek_raw().kind
            && c.is_ascii_alphanumeric()
        {
            span = span.to(self.input.next_raw().span);
            name.push(c);
            while let TokenKind::Char(c @ '0'..='9') = self.input.peek_raw().kind {
                name.push(c);
                span = span.to(self.input.next_raw().span);
            }
        }
        self.wildcard(name.trim(), span)
    }

    /// In a query a wildcard; in a document, a converter's reading of a question mark and what follows it.
    fn constructed_wildcard(&mut self, token: Token) -> NodeId {
        if self.mode == Mode::Query {
            let name = self.raw_argument();
            return self.wildcard(name.trim().trim_matches('*'), token.span.to(self.span_here()));
        }
        let question = self.character('?', token.span);
        let rest = self.argument(token.span, "what follows the question mark");
        let mark = self.nodes.len();
        self.nodes.push(question);
        match self.tree.kind(rest) {
            Kind::Row(list) => self.nodes.extend_from_slice(self.tree.list(list)),
            _ => self.nodes.push(rest),
        }
        let span = token.span.to(self.span_here());
        let row = self.finish_row(mark, span);
        self.tree.node_mut(row).span = span;
        row
    }

    // Characters by number, raw arguments

    fn char_code(&mut self, token: Token) -> NodeId {
        let mut digits = String::new();
        let first = self.peek();
        if first.kind == TokenKind::Open {
            digits = self.raw_argument();
        } else {
            while let TokenKind::Char(c @ ('0'..='9' | 'a'..='f' | 'A'..='F' | '"' | '\'' | '`')) = self.peek().kind {
                if digits.len() > 8 || matches!(c, 'a'..='f' | 'A'..='F') && !digits.starts_with('"') {
                    break;
                }
                self.next_solid();
                digits.push(c);
            }
        }
        let code = match digits.trim().strip_prefix('"') {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => digits.trim().parse().ok(),
        };
        let span = token.span.to(self.span_here());
        match code.and_then(char::from_u32).filter(|c| !c.is_control()) {
            Some(c) => self.character(c, span),
            None => {
                self.report(DiagnosticKind::MissingArgument, span, "no character has this number");
                self.opaque(span, Opaque::Misplaced)
            }
        }
    }

    /// `\verb|…|`, after the command.
    fn verbatim(&mut self, token: Token) -> NodeId {
        let fence = self.input.next_raw();
        let mut letters = Vec::new();
        loop {
            let next = self.input.next_raw();
            if next.kind == TokenKind::End {
                self.input.unread(next);
                break;
            }
            if next.kind == fence.kind {
                break;
            }
            self.input.push_source(next, &mut letters);
        }
        let text = self.tree.write_text(|buffer| buffer.push_str(&String::from_utf8_lossy(&letters)));
        self.finish(token, Kind::TextRun { text, font: Font::Monospace })
    }

    /// An argument as it was typed, unread.
    pub(super) fn raw_argument(&mut self) -> String {
        let token = self.raw_solid();
        match token.kind {
            TokenKind::Open => {}
            TokenKind::End | TokenKind::Close => {
                self.input.unread(token);
                return String::new();
            }
            _ => return String::from_utf8_lossy(&self.input.source()[token.span.range()]).into_owned(),
        }
        let mut letters = Vec::new();
        let mut open = 0u32;
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::End => {
                    self.input.unread(token);
                    let here = self.span_here();
                    self.report(DiagnosticKind::UnmatchedBrace, here, "an argument is never closed");
                    break;
                }
                TokenKind::Close if open == 0 => break,
                TokenKind::Open => open += 1,
                TokenKind::Close => open -= 1,
                _ => {}
            }
            self.input.push_source(token, &mut letters);
        }
        String::from_utf8_lossy(&letters).into_owned()
    }

    /// Passes over a group without looking inside.
    fn skip_raw_group(&mut self) {
        let token = self.peek();
        if token.kind == TokenKind::Open {
            self.raw_argument();
        }
    }

    /// `[…]`, if that comes next, as a row.
    fn bracket_row(&mut self) -> Option<NodeId> {
        let token = self.peek();
        if token.kind != TokenKind::Char('[') {
            return None;
        }
        self.next_solid();
        let row = self.row(Until::Bracket);
        let close = self.next();
        if close.kind != TokenKind::Char(']') {
            self.input.unread(close);
            self.report(DiagnosticKind::UnmatchedDelimiter, token.span, "this bracket is never closed");
        }
        Some(row)
    }

    /// Leaves out `[…]`, if that comes next.
    pub(super) fn skip_bracket(&mut self) -> Option<String> {
        if self.peek().kind != TokenKind::Char('[') {
            return None;
        }
        self.next_solid();
        let mut letters = Vec::new();
        let mut open = 0u32;
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::Char(']') if open == 0 => break,
                TokenKind::End => {
                    self.input.unread(token);
                    let here = self.span_here();
                    self.report(DiagnosticKind::UnmatchedDelimiter, here, "a bracket is never closed");
                    break;
                }
                TokenKind::Open => open += 1,
                TokenKind::Close => open = open.saturating_sub(1),
                _ => {}
            }
            self.input.push_source(token, &mut letters);
        }
        Some(String::from_utf8_lossy(&letters).into_owned())
    }

    /// A length such as `1.5em` or `3mu plus 1fil`, in eighteenths of an em.
    fn length(&mut self) -> Option<f32> {
        let mut letters = String::new();
        let mut unit = 0;
        loop {
            let token = self.input.next_raw();
            match token.kind {
                TokenKind::Space if letters.is_empty() || unit == 0 => {}
                TokenKind::Char(c @ ('0'..='9' | '.' | '-' | '+' | ',')) if unit == 0 => letters.push(c),
                TokenKind::Char(c) if c.is_ascii_lowercase() && unit < 2 && !letters.is_empty() => {
                    letters.push(c);
                    unit += 1;
                    if unit == 2 {
                        break;
                    }
                }
                _ => {
                    self.input.unread(token);
                    break;
                }
            }
        }
        parse_length(&letters)
    }
}

/// What two font commands inside one another give: `\mathbf{\mathit x}` is the inner one, but bold and italic add up.
fn combine(outer: Font, inner: Font) -> Font {
    match (outer, inner) {
        (Font::Bold, Font::Italic) | (Font::Italic, Font::Bold) => Font::BoldItalic,
        _ => inner,
    }
}

/// A delimiter by its character or its command's name: `Some(None)` for `.`.
fn delimiter_named(name: &str) -> Option<Option<char>> {
    let sign = match name {
        "." | "" => return Some(None),
        "<" | "lt" => '⟨',
        ">" | "gt" => '⟩',
        "|" if name.len() == 1 => '|',
        "(" | ")" | "[" | "]" | "/" => name.chars().next()?,
        _ => match tables().command(name) {
            Some(Meaning::Symbol { text, class })
                if matches!(class, Class::Open | Class::Close | Class::Fence | Class::Arrow)
                    || matches!(name, "backslash" | "mid" | "divides" | "parallel" | "setminus") =>
            {
                text.chars().next()?
            }
            None => {
                let mut chars = name.chars();
                let c = chars.next().filter(|c| chars.next().is_none() && !c.is_ascii())?;
                matches!(tables().character(c).0, Class::Open | Class::Close | Class::Fence | Class::Arrow).then_some(c)?
            }
            Some(_) => return None,
        },
    };
    Some(Some(sign))
}

fn delimiter_class(sign: char) -> Class {
    match tables().character(sign).0 {
        class @ (Class::Open | Class::Close | Class::Fence) => class,
        _ => Class::Ord,
    }
}

/// A length in eighteenths of an em; `None` when there is no number.
fn parse_length(text: &str) -> Option<f32> {
    let text = text.trim();
    let split = text.find(|c: char| !matches!(c, '0'..='9' | '.' | '-' | '+' | ',')).unwrap_or(text.len());
    let number: f32 = text[..split].replace(',', ".").parse().ok()?;
    let unit = match text[split..].trim() {
        "mu" => 1.0,
        "em" => 18.0,
        "ex" => 8.0,
        "pt" | "px" => 1.8,
        "pc" => 21.6,
        "mm" => 5.1,
        "cm" => 51.0,
        "in" => 130.0,
        _ => 1.0,
    };
    Some((number * unit).clamp(-1800.0, 1800.0))
}

/// `x2102`, `U+2102`, `8450`.
fn code_point(text: &str) -> Option<char> {
    let hex = text.strip_prefix(['x', 'X']).or_else(|| text.strip_prefix("U+")).or_else(|| text.strip_prefix("0x"));
    let code = match hex {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => text.parse(),
    };
    char::from_u32(code.ok()?).filter(|c| !c.is_control())
}
