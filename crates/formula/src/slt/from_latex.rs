//! From what was typed to the symbol layout tree of the labs.
//!
//! The labs took LaTeX through LaTeXML to Presentation MathML and from there to
//! trees. What that pipeline does to the layout is done here at once: braces
//! are transparent, delimiters are matched whatever their kind, letters of an
//! upright word make one identifier, scripts hang from the last thing before
//! them or from the fence that ends there, and so on. See `docs/trees.md`.

mod grammar;
mod join;
mod tokens;

use super::{Builder, Hints, Leaf, Look, Slt, SltId};
use crate::alphabet::styled;
use grammar::{Grammar, Start, Token};
use join::{Action, Done};
use latex::{Class, Enclosure, Font, Kind, NodeId, Span, TableKind, Text, Tree};
use tokens::{delimiter_token, ends_operand, named_token, token_of};

/// Reads layout trees from LaTeX trees; keeps its memory between formulas.
#[derive(Debug, Default)]
pub struct LatexToSlt {
    items: Vec<Item>,
    done: Vec<Done>,
    cells: Vec<Option<SltId>>,
    letters: String,
    ids: Vec<SltId>,
    grammar: Grammar,
    tokens: Vec<Token>,
    actions: Vec<Action>,
    /// Where each item of a baseline went in `done`.
    places: Vec<usize>,
    /// The fences that are open: where each stands in `done`.
    open: Vec<usize>,
    /// Whether a wide space came last.
    after_space: bool,
    /// Whether a closing delimiter came that nothing had opened.
    stray_close: bool,
    /// How many items there are when the last one is a word that goes on.
    word_end: usize,
    /// Whether the last letter went to the word before it.
    word_went_on: bool,
}

/// One thing on a baseline, before fences are matched and scripts attached.
#[derive(Clone, Copy, Debug)]
struct Item {
    id: Option<SltId>,
    token: Token,
    /// For scripts: below and above.
    scripts: (Option<SltId>, Option<SltId>),
}

/// Reads the layout tree of a formula into `slt`, which is emptied first.
///
/// ```
/// use formula::slt::{Slt, from_latex};
///
/// let mut slt = Slt::default();
/// from_latex(&latex::parse(r"f(x)^2").tree, &mut slt);
/// assert_eq!(slt.to_string(), "[V!f[M!()1x1,a[N!2],w[V!x]]]");
/// ```
pub fn from_latex(tree: &Tree, slt: &mut Slt) {
    LatexToSlt::default().read(tree, slt);
}

impl LatexToSlt {
    /// Reads the layout tree of a formula into `slt`, which is emptied first. A formula with nothing to see
    /// is one blank.
    pub fn read(&mut self, tree: &Tree, slt: &mut Slt) {
        slt.clear();
        self.items.clear();
        self.done.clear();
        self.cells.clear();
        let span = Span::default();
        let mut walk = Walk { tree, builder: Builder::new(slt), memory: self, span, part: Part::Exact };
        let root = tree.root().and_then(|root| walk.row(root));
        let root = root.unwrap_or_else(|| walk.builder.blank());
        slt.set_root(Some(root));
    }
}

struct Walk<'w> {
    tree: &'w Tree,
    builder: Builder<'w>,
    memory: &'w mut LatexToSlt,
    /// What is being read now.
    span: Span,
    /// Whether it stands in a part that need only be similar.
    part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Exact,
    Similar,
}

impl Walk<'_> {
    /// A baseline of its own: a whole formula, an argument, a cell.
    fn row(&mut self, id: NodeId) -> Option<SltId> {
        let mark = self.memory.items.len();
        self.memory.word_end = usize::MAX;
        self.flatten(id);
        self.join(mark, Start::Anything)
    }

    /// The same for a sub- or superscript, which may be a lone operator.
    fn script_row(&mut self, id: NodeId) -> Option<SltId> {
        let mark = self.memory.items.len();
        self.memory.word_end = usize::MAX;
        self.flatten(id);
        Some(self.join(mark, Start::Script).unwrap_or_else(|| self.builder.blank()))
    }

    /// The row of a script or a part, with a blank when there is nothing to see.
    fn part(&mut self, id: NodeId) -> Option<SltId> {
        Some(self.row(id).unwrap_or_else(|| self.builder.blank()))
    }

    fn push(&mut self, id: SltId, token: Token) {
        // Space beside an operator or a comma is no comma.
        let beside = matches!(
            token,
            Token::Relation | Token::Angle | Token::MetaRelation | Token::AddOp | Token::MulOp | Token::Punct
        ) || matches!(token, Token::Close(_) | Token::Period);
        if beside && matches!(self.memory.items.last(), Some(Item { id: None, token: Token::Punct, .. })) {
            self.memory.items.pop();
        }
        let slt = self.builder.slt();
        if slt.span(id).is_empty() {
            slt.set_span(id, self.span);
        }
        if matches!(token, Token::Function | Token::TrigFunction) {
            slt.add_hints(id, Hints::FUNCTION);
        }
        self.memory.items.push(Item { id: Some(id), token, scripts: (None, None) });
    }

    fn leaf(&mut self, leaf: Leaf, text: Text, look: Look, token: Token) {
        let id = self.tree.with_text(text, |letters| self.builder.leaf(leaf, letters, look));
        self.push(id, token);
    }

    fn operator(&mut self, sign: char, token: Token) {
        let id = self.builder.leaf(Leaf::Operator, sign.encode_utf8(&mut [0; 4]), Look::default());
        self.push(id, token);
    }

    /// Puts what stands on the baseline of a node onto the list of items.
    fn flatten(&mut self, id: NodeId) {
        let outside = std::mem::replace(&mut self.span, self.tree.node(id).span);
        self.flatten_kind(id);
        self.span = outside;
    }

    fn flatten_kind(&mut self, id: NodeId) {
        match self.tree.kind(id) {
            Kind::Row(list) => self.flatten_list(self.tree.list(list)),
            Kind::Symbol { text, class, font } => self.symbol(text, class, font),
            Kind::Number { text, font } => self.number(text, font),
            Kind::TextRun { text, font } => self.text_run(text, font),
            Kind::Space(_) | Kind::LineBreak | Kind::StyleSwitch(_) | Kind::ColorSwitch(_) => {}
            Kind::Scripts { base, sub, sup, .. } => self.scripts(base, sub, sup),
            Kind::PreScripts { base, sub, sup } => {
                let sub = sub.and_then(|sub| self.part(sub));
                let sup = sup.and_then(|sup| self.part(sup));
                let base = base.and_then(|base| self.row(base));
                let id = self.builder.multiscripts(base, &[], &[sub, sup]);
                self.push(id, Token::Operand);
            }
            Kind::Primes(count) => {
                let id = self.primes(count);
                self.push(id, Token::Operand);
            }
            Kind::Fraction { numerator, denominator, bar, left, right, .. } => {
                let over = self.part(numerator);
                let under = self.part(denominator);
                let look = if bar == latex::Bar::None { Look::NO_BAR } else { Look::default() };
                let fraction = self.builder.fraction(over, under, look);
                let id = self.between(left, Some(fraction), right).unwrap_or(fraction);
                self.push(id, Token::Operand);
            }
            Kind::Root { radicand, degree } => {
                let index = degree.and_then(|degree| self.part(degree));
                let radicand = self.part(radicand);
                let id = self.builder.root(radicand, index);
                self.push(id, Token::Operand);
            }
            Kind::Fenced { left, right, body } => self.fenced(left, right, body),
            Kind::Delimiter { sign, class } => {
                self.operator(sign, delimiter_token(sign, class));
            }
            Kind::Accent { base, mark, under, stretchy } => self.accent(base, mark, under, stretchy),
            Kind::Stack { base, over, under } => self.stack(base, over, under),
            Kind::Table { rows, kind, left, right, columns } => {
                let named = self.tree.with_text(columns, str::is_empty);
                let hints = match kind {
                    TableKind::Cases => Hints::TABLE.with(Hints::CASES),
                    TableKind::Matrix if named => Hints::TABLE.with(Hints::MATRIX),
                    _ => Hints::TABLE,
                };
                self.table(self.tree.list(rows), kind, (left, right), hints);
            }
            Kind::TableRow(list) => self.flatten_list(self.tree.list(list)),
            // Not seen, so not there.
            Kind::Phantom(_) => {}
            Kind::Enclose { body, enclosure } => {
                let content = self.row(body);
                let id = match enclosure {
                    Enclosure::Box => self.builder.enclose("box", content),
                    Enclosure::Cancel => self.builder.enclose("updiagonalstrike", content),
                    Enclosure::BackCancel => self.builder.enclose("downdiagonalstrike", content),
                    Enclosure::CrossCancel => {
                        self.builder.enclose("updiagonalstrike downdiagonalstrike", content)
                    }
                    Enclosure::Not => {
                        self.not(content);
                        return;
                    }
                    Enclosure::Other(text) => {
                        self.tree.with_text(text, |notation| self.builder.enclose(notation, content))
                    }
                };
                self.push(id, Token::Operand);
            }
            Kind::Classed { body, class } => {
                let Some(id) = self.row(body) else { return };
                self.push(id, token_of(class, None));
            }
            Kind::Tag(text) => self.leaf(Leaf::Text, text, Look::default(), Token::Operand),
            Kind::Wildcard(text) => {
                let id = self.tree.with_text(text, |name| self.builder.wildcard(name, Look::default()));
                self.push(id, Token::Operand);
            }
            Kind::Similar { body } => self.similar(body),
            Kind::Opaque { text, .. } => self.leaf(Leaf::Error, text, Look::default(), Token::Operand),
        }
    }

    /// A part that need only be similar: it looks as it would without the mark.
    fn similar(&mut self, body: NodeId) {
        let mark = self.memory.items.len();
        let before = self.builder.slt().len();
        let around = std::mem::replace(&mut self.part, Part::Similar);
        self.memory.word_end = usize::MAX;
        self.flatten(body);
        self.memory.word_end = usize::MAX;
        // One thing keeps its role; several are a level of their own, so that their fences are in the part.
        if self.memory.items.len() > mark + 1
            && let Some(id) = self.join(mark, Start::Anything)
        {
            self.push(id, Token::Operand);
        }
        self.part = around;
        // Parts in parts are marked once.
        if around == Part::Exact {
            self.builder.slt().add_hints_after(before, Hints::SIMILAR);
        }
    }

    fn flatten_list(&mut self, list: &[NodeId]) {
        let mut rest = list;
        let mut space = 0;
        while let Some((&id, tail)) = rest.split_first() {
            if let Kind::Space(mu) = self.tree.kind(id) {
                self.memory.word_end = usize::MAX;
                space += i32::from(mu);
                rest = tail;
                continue;
            }
            // Wide space separates like a comma.
            let wide = std::mem::take(&mut space) >= WIDE_SPACE && rest.len() < list.len();
            if wide && self.memory.items.last().is_some_and(|item| ends_operand(item.token)) {
                self.memory.items.push(Item { id: None, token: Token::Punct, scripts: (None, None) });
            }
            let outside = std::mem::replace(&mut self.span, self.tree.node(id).span);
            let taken = self.ligature(rest);
            self.span = outside;
            if taken > 0 {
                rest = &rest[taken..];
            } else {
                self.flatten(id);
                rest = tail;
            }
        }
    }

    /// Joins neighbours that LaTeXML makes one token of; says how many were taken.
    fn ligature(&mut self, list: &[NodeId]) -> usize {
        let Kind::Symbol { text: Text::Char(first), .. } = self.tree.kind(list[0]) else { return 0 };
        let same = |position: usize, expected: char| {
            list.get(position).is_some_and(
                |&id| matches!(self.tree.kind(id), Kind::Symbol { text: Text::Char(c), .. } if c == expected),
            )
        };
        let joined = match first {
            '.' if same(1, '.') && same(2, '.') => {
                let id = self.builder.leaf(Leaf::Identifier, "…", Look::default());
                self.span = self.span.to(self.tree.node(list[2]).span);
                self.push(id, Token::Operand);
                return 3;
            }
            '⋅' if same(1, '⋅') && same(2, '⋅') => {
                let id = self.builder.leaf(Leaf::Identifier, "⋯", Look::default());
                self.span = self.span.to(self.tree.node(list[2]).span);
                self.push(id, Token::Operand);
                return 3;
            }
            ':' if same(1, '=') => ":=",
            '!' if same(1, '!') => "!!",
            _ => return 0,
        };
        let id = self.builder.leaf(Leaf::Operator, joined, Look::default());
        self.span = self.span.to(self.tree.node(list[1]).span);
        self.push(id, if first == '!' { Token::Postfix } else { Token::Relation });
        2
    }

    fn symbol(&mut self, text: Text, class: Class, font: Font) {
        let leaf = if is_identifier(text, class) { Leaf::Identifier } else { Leaf::Operator };
        match text {
            Text::Char(c) => {
                let token = match c {
                    'd' if matches!(font, Font::Default | Font::Roman) => Token::LetterD,
                    _ => token_of(class, Some(c)),
                };
                let shown = if leaf == Leaf::Identifier { styled(c, font) } else { c };
                if c.is_ascii_alphabetic() && makes_words(font) && self.continue_word(shown, font) {
                    return;
                }
                let id = self.builder.leaf(leaf, shown.encode_utf8(&mut [0; 4]), Look::font(font));
                self.push(id, token);
            }
            _ => {
                let token = self.tree.with_text(text, |name| named_token(name, class));
                // A name of one letter is upright all the same; longer ones always are.
                let single = self.tree.with_text(text, |name| name.chars().nth(1).is_none());
                let look = if single { Look::font(font) } else { Look::default() };
                self.leaf(leaf, text, look, token);
            }
        }
    }

    /// Letters of an upright font side by side are one name: appends to the one before, if there is one.
    fn continue_word(&mut self, c: char, font: Font) -> bool {
        let position = self.memory.items.len();
        let Some(last) = self.memory.items.last_mut().filter(|_| position == self.memory.word_end) else {
            self.memory.word_end = position + 1;
            return false;
        };
        let Some(id) = last.id.filter(|&id| self.builder.slt().look(id).get_font() == font) else {
            self.memory.word_end = position + 1;
            return false;
        };
        last.token = Token::Operand;
        self.memory.word_went_on = true;
        let span = self.builder.slt().span(id).to(self.span);
        self.builder.slt().set_span(id, span);
        self.builder.slt().set_tag_with(id, |tags, old| {
            tags.extend_from_within(old);
            tags.push(c);
        });
        true
    }

    fn number(&mut self, text: Text, font: Font) {
        if matches!(font, Font::Default | Font::Roman | Font::Italic) {
            self.leaf(Leaf::Number, text, Look::default(), Token::Operand);
            return;
        }
        let mut digits = std::mem::take(&mut self.memory.letters);
        digits.clear();
        self.tree.with_text(text, |typed| digits.extend(typed.chars().map(|c| styled(c, font))));
        let id = self.builder.leaf(Leaf::Number, &digits, Look::font(font));
        self.memory.letters = digits;
        self.push(id, Token::Operand);
    }

    fn text_run(&mut self, text: Text, font: Font) {
        let mut words = std::mem::take(&mut self.memory.letters);
        words.clear();
        self.tree.with_text(text, |typed| words.extend(typed.chars().map(|c| styled(c, font))));
        let id = self.builder.leaf(Leaf::Text, &words, Look::font(font));
        self.memory.letters = words;
        self.push(id, Token::Operand);
    }

    fn primes(&mut self, count: u16) -> SltId {
        let mut strokes = std::mem::take(&mut self.memory.letters);
        strokes.clear();
        strokes.extend((0..count).map(|_| '′'));
        let id = self.builder.leaf(Leaf::Operator, &strokes, Look::default());
        self.memory.letters = strokes;
        id
    }

    // Scripts

    fn scripts(&mut self, base: Option<NodeId>, sub: Option<NodeId>, sup: Option<NodeId>) {
        if let Some(base) = base
            && let Kind::Accent { mark: '⏞' | '⏟' | '⏜' | '⏝' | '⎴' | '⎵', .. } = self.tree.kind(base)
        {
            // The label of a brace.
            let braced = self.row(base);
            let under = sub.and_then(|sub| self.part(sub));
            let over = sup.and_then(|sup| self.part(sup));
            let id = self.builder.under_over(braced, under, over);
            self.push(id, Token::Operand);
            return;
        }
        let mark = self.memory.items.len();
        self.memory.word_went_on = false;
        if let Some(base) = base {
            self.flatten(base);
        }
        if self.memory.items.len() > mark || self.memory.word_went_on {
            self.script_item(sub, sup);
            return;
        }
        let sub = sub.and_then(|sub| self.script_row(sub));
        let sup = sup.and_then(|sup| self.script_part(sup));
        if sub.is_some() || sup.is_some() {
            self.memory.items.push(Item { id: None, token: Token::FloatScript, scripts: (sub, sup) });
        }
    }

    fn script_item(&mut self, sub: Option<NodeId>, sup: Option<NodeId>) {
        let sub = sub.and_then(|sub| self.script_row(sub));
        let sup = sup.and_then(|sup| self.script_part(sup));
        if sub.is_some() || sup.is_some() {
            let token = Token::Script(sub.is_some());
            self.memory.items.push(Item { id: None, token, scripts: (sub, sup) });
        }
    }

    /// A superscript: primes in a row are one sign.
    fn script_part(&mut self, id: NodeId) -> Option<SltId> {
        let items = self.tree.row(&id);
        let strokes = items.iter().take_while(|&&item| self.is_prime(item)).count();
        if strokes < 2 || strokes < items.len() {
            return self.script_row(id);
        }
        let count =
            items.iter().map(|&item| if let Kind::Primes(count) = self.tree.kind(item) { count } else { 1 });
        let total = count.fold(0u16, u16::saturating_add);
        let primes = self.primes(total);
        let span = self.tree.node(id).span;
        self.builder.slt().set_span(primes, span);
        Some(primes)
    }

    fn is_prime(&self, id: NodeId) -> bool {
        matches!(self.tree.kind(id), Kind::Primes(_) | Kind::Symbol { text: Text::Char('′'), .. })
    }

    // Constructs

    fn fenced(&mut self, left: Option<char>, right: Option<char>, body: NodeId) {
        let mark = self.memory.items.len();
        if let Some(left) = left {
            self.operator(left, Token::MulOp);
        }
        // The inside is a level of its own for matching, but its things stay side by side with the fences.
        let inner = self.row(body);
        if let Some(inner) = inner {
            self.push(inner, Token::Operand);
        }
        if let Some(right) = right {
            self.operator(right, Token::MulOp);
        }
        let mut ids = std::mem::take(&mut self.memory.ids);
        ids.clear();
        ids.extend(self.memory.items.drain(mark..).filter_map(|item| item.id));
        let id = self.builder.row(&ids);
        self.memory.ids = ids;
        if let Some(id) = id {
            self.builder.slt().add_hints(id, Hints::PAIRED);
            let token = if self.is_modifier(body) { Token::Modifier } else { Token::Operand };
            self.push(id, token);
        }
    }

    /// Whether a fence is that of `\pmod`.
    fn is_modifier(&self, body: NodeId) -> bool {
        let first = self.tree.row(&body).first();
        first.is_some_and(|&id| {
            matches!(
                self.tree.kind(id),
                Kind::Symbol { text: Text::Static("mod"), class: Class::Function, .. }
            )
        })
    }

    /// Something between delimiters that belong to it (`\binom`, `pmatrix`).
    fn between(&mut self, left: Option<char>, inner: Option<SltId>, right: Option<char>) -> Option<SltId> {
        let mut sign = |sign: Option<char>| {
            sign.map(|c| self.builder.leaf(Leaf::Operator, c.encode_utf8(&mut [0; 4]), Look::default()))
        };
        let items = [sign(left), inner, sign(right)];
        self.builder.row(&items)
    }

    fn accent(&mut self, base: NodeId, mark: char, under: bool, stretchy: bool) {
        let base = self.part(base);
        let look = if stretchy { Look::STRETCHY } else { Look::default() };
        let mark = Some(self.builder.leaf(Leaf::Operator, mark.encode_utf8(&mut [0; 4]), look));
        let id = if under {
            self.builder.under_over(base, mark, None)
        } else {
            self.builder.under_over(base, None, mark)
        };
        self.push(id, Token::Operand);
    }

    fn stack(&mut self, base: NodeId, over: Option<NodeId>, under: Option<NodeId>) {
        // `\underset{a}{\overset{b}{x}}` is one stack, whatever `x` carries.
        if let [inner] = *self.tree.row(&base)
            && let Kind::Stack { base, over: inner_over, under: inner_under } = self.tree.kind(inner)
            && !(over.is_some() && inner_over.is_some() || under.is_some() && inner_under.is_some())
        {
            return self.stack(base, over.or(inner_over), under.or(inner_under));
        }
        let base = self.part(base);
        let under = under.and_then(|under| self.part(under));
        let over = over.and_then(|over| self.part(over));
        let operator = base.is_some_and(|base| super::build::is_operator(self.builder.slt().tag(base)));
        let id = self.builder.under_over(base, under, over);
        self.push(id, if operator { Token::Relation } else { Token::Operand });
    }

    fn not(&mut self, content: Option<SltId>) {
        let Some(id) = content else { return };
        let single = !self.builder.slt().has_children(id);
        if single {
            self.builder.slt().set_tag_with(id, |tags, old| {
                tags.extend_from_within(old);
                tags.push('\u{338}');
            });
            self.push(id, Token::Relation);
        } else {
            let id = self.builder.enclose("updiagonalstrike", Some(id));
            self.push(id, Token::Operand);
        }
    }

    fn table(
        &mut self,
        rows: &[NodeId],
        kind: TableKind,
        (left, right): (Option<char>, Option<char>),
        hints: Hints,
    ) {
        let tree = self.tree;
        let cells_of = |row: &NodeId| match tree.kind(*row) {
            Kind::TableRow(list) => tree.list(list),
            _ => &[],
        };
        let longest = rows.iter().map(|row| cells_of(row).len()).max().unwrap_or(0);
        let typed: usize = rows.iter().map(|row| cells_of(row).len()).sum();
        // Cases always have room for a condition.
        let columns = if kind == TableKind::Cases { longest.max(2) } else { longest };
        // Short rows are filled up, unless one long row among many would make that a flood.
        let fill = columns.saturating_mul(rows.len()) <= 4 * typed + 256;
        let mark = self.memory.cells.len();
        for row in rows {
            let cells = cells_of(row);
            for &cell in cells {
                let cell = self.row(cell);
                self.memory.cells.push(cell);
            }
            if fill {
                self.memory.cells.extend((cells.len()..columns).map(|_| None));
            }
        }
        let cells = self.memory.cells.split_off(mark);
        let table = self.builder.table(&cells, rows.len(), columns);
        self.builder.slt().add_hints(table, hints);
        let id = self.between(left, Some(table), right).unwrap_or(table);
        self.push(id, Token::Operand);
    }
}

/// From this width on, in eighteenths of an em, blank space counts as punctuation.
const WIDE_SPACE: i32 = 12;

/// Whether LaTeXML makes one identifier of neighbouring letters in this font.
fn makes_words(font: Font) -> bool {
    matches!(font, Font::Roman | Font::Bold | Font::Italic | Font::SansSerif | Font::Monospace)
}

/// Whether the labs' trees have a symbol of this class as an identifier.
fn is_identifier(text: Text, class: Class) -> bool {
    match class {
        Class::Ord | Class::Inner => true,
        Class::Function => !matches!(text, Text::Static("dim" | "mod")),
        Class::LimitFunction => matches!(text, Text::Static("gcd" | "max" | "min" | "Pr")),
        _ => false,
    }
}
