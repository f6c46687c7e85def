//! From what was typed to the symbol layout tree of the labs.
//!
//! The labs took LaTeX through LaTeXML to Presentation MathML and from there to
//! trees. What that pipeline does to the layout is done here at once: braces
//! are transparent, delimiters are matched whatever their kind, letters of an
//! upright word make one identifier, scripts hang from the last thing before
//! them or from the fence that ends there, and so on. See `docs/trees.md`.

use super::grammar::{Event, Grammar, Start, Token};
use super::{Builder, Edge, Leaf, Look, Slt, SltId};
use crate::alphabet::styled;
use latex::{Class, Enclosure, Font, Kind, NodeId, TableKind, Text, Tree};

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
    /// Whether a closing delimiter came that nothing had opened.
    stray_close: bool,
    /// How many items there are when the last one is a word that goes on.
    word_end: usize,
    /// Whether the last letter went to the word before it.
    word_went_on: bool,
}

/// What the grammar found out about an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Action {
    #[default]
    None,
    /// Opens an absolute value.
    Open,
    /// Closes one.
    Close,
    /// The first of two bars that open a norm.
    OpenNorm,
    /// The first of two bars that close a norm.
    CloseNorm,
    /// Part of the sign before it.
    Absorbed,
    /// A bar that takes everything from this item on.
    EvaluatedAt(usize),
    /// The d of an integral.
    Differential,
    /// Closes a set with its sign at this item.
    CloseSet(usize),
}

/// One thing on a baseline, before fences are matched and scripts attached.
#[derive(Clone, Copy, Debug)]
struct Item {
    id: Option<SltId>,
    token: Token,
    /// For scripts: below and above.
    scripts: (Option<SltId>, Option<SltId>),
}

/// One thing whose fences are matched.
#[derive(Clone, Copy, Debug)]
struct Done {
    id: Option<SltId>,
    float: Option<(Option<SltId>, Option<SltId>)>,
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
        let mut walk = Walk { tree, builder: Builder::new(slt), memory: self };
        let root = tree.root().and_then(|root| walk.row(root));
        let root = root.unwrap_or_else(|| walk.builder.blank());
        slt.set_root(Some(root));
    }
}

struct Walk<'w> {
    tree: &'w Tree,
    builder: Builder<'w>,
    memory: &'w mut LatexToSlt,
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

    fn optional_row(&mut self, id: Option<NodeId>) -> Option<SltId> {
        id.and_then(|id| self.row(id))
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
                let base = self.optional_row(base);
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
            Kind::Table { rows, kind, left, right, .. } => {
                self.table(self.tree.list(rows), kind, left, right);
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
                let id = self.tree.with_text(text, |name| {
                    let tag = if name.is_empty() { "w" } else { name };
                    self.builder.leaf(Leaf::Wildcard, tag, Look::default())
                });
                self.push(id, Token::Operand);
            }
            Kind::Opaque { text, .. } => self.leaf(Leaf::Error, text, Look::default(), Token::Operand),
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
            let taken = self.ligature(rest);
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
                self.push(id, Token::Operand);
                return 3;
            }
            '⋅' if same(1, '⋅') && same(2, '⋅') => {
                let id = self.builder.leaf(Leaf::Identifier, "⋯", Look::default());
                self.push(id, Token::Operand);
                return 3;
            }
            ':' if same(1, '=') => ":=",
            '!' if same(1, '!') => "!!",
            _ => return 0,
        };
        let id = self.builder.leaf(Leaf::Operator, joined, Look::default());
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
        Some(self.primes(total))
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

    fn table(&mut self, rows: &[NodeId], kind: TableKind, left: Option<char>, right: Option<char>) {
        let mark = self.memory.cells.len();
        let cells_of = |row: NodeId| match self.tree.kind(row) {
            Kind::TableRow(list) => self.tree.list(list),
            _ => &[],
        };
        let typed = rows.iter().map(|&row| cells_of(row).len()).max().unwrap_or(0);
        // Cases always have room for a condition.
        let columns = if kind == TableKind::Cases { typed.max(2) } else { typed };
        for &row in rows {
            let cells = match self.tree.kind(row) {
                Kind::TableRow(list) => self.tree.list(list),
                _ => &[],
            };
            for position in 0..columns {
                let cell = cells.get(position).and_then(|&cell| self.row(cell));
                self.memory.cells.push(cell);
            }
        }
        let cells = self.memory.cells.split_off(mark);
        let table = self.builder.table(&cells, rows.len(), columns);
        let id = self.between(left, Some(table), right).unwrap_or(table);
        self.push(id, Token::Operand);
    }

    // Fences and scripts

    /// Matches the fences of the items since `mark`, attaches scripts, and puts everything side by side.
    fn join(&mut self, mark: usize, start: Start) -> Option<SltId> {
        self.consult_grammar(mark, start);
        let bottom = self.memory.done.len();
        self.memory.places.clear();
        self.memory.open.clear();
        self.memory.stray_close = false;
        for position in mark..self.memory.items.len() {
            let Item { id, token, scripts: (sub, sup) } = self.memory.items[position];
            let action = self.memory.actions.get(position - mark).copied().unwrap_or_default();
            self.memory.places.push(self.memory.done.len());
            match (token, action) {
                (_, Action::Absorbed) => {}
                (Token::Script(_), _) => {
                    match position.checked_sub(mark + 1).map(|before| self.memory.items[mark + before].token)
                    {
                        // `n!^2`: of the whole.
                        Some(Token::Postfix) if self.memory.done.len() > bottom + 1 => {
                            self.group(self.memory.done.len() - 2);
                        }
                        // A closing delimiter that closes nothing carries nothing.
                        Some(Token::Close(_)) if self.memory.stray_close && self.memory.open.is_empty() => {
                            self.memory.done.push(Done { id: None, float: Some((sub, sup)) });
                            continue;
                        }
                        _ => {}
                    }
                    self.attach(bottom, sub, sup);
                }
                (Token::FloatScript, _) => {
                    self.memory.done.push(Done { id: None, float: Some((sub, sup)) });
                }
                (Token::Open(_), _) | (Token::Bar, Action::Open) => {
                    self.memory.open.push(self.memory.done.len());
                    self.push_done(bottom, id);
                }
                (Token::Close(_), Action::EvaluatedAt(from)) | (Token::Bar, Action::EvaluatedAt(from)) => {
                    self.push_done(bottom, id);
                    self.group(self.memory.places[from]);
                }
                (Token::Close(_), Action::CloseSet(sign)) => {
                    let sign = self.memory.places[sign];
                    self.group(sign + 1);
                    if let Some(start) = self.memory.open.pop() {
                        let right = self.memory.done.split_off(sign);
                        self.group(start + 1);
                        self.memory.done.extend(right);
                        self.push_done(bottom, id);
                        self.group(start);
                    }
                }
                (Token::Close(_), _) | (Token::Bar, Action::Close) => {
                    self.push_done(bottom, id);
                    match self.memory.open.pop() {
                        // After a delimiter that closes nothing, the labs give up on the outermost fences.
                        Some(_) if self.memory.stray_close && self.memory.open.is_empty() => {}
                        Some(start) => self.group(start),
                        None => self.memory.stray_close = true,
                    }
                }
                (Token::Bar, Action::OpenNorm) => {
                    self.memory.open.push(self.memory.done.len());
                    self.double(id);
                    self.push_done(bottom, id);
                }
                (Token::Bar, Action::CloseNorm) => {
                    self.double(id);
                    self.push_done(bottom, id);
                    if let Some(start) = self.memory.open.pop() {
                        self.group(start);
                    }
                }
                (Token::LetterD, Action::Differential) => {
                    if let Some(id) = id {
                        let upright = self.builder.slt().look(id).get_font() == Font::Roman;
                        self.builder.slt().set_tag(id, if upright { "d" } else { "𝑑" });
                    }
                    self.push_done(bottom, id);
                }
                // A wide space.
                (_, _) if id.is_none() => {}
                _ => self.push_done(bottom, id),
            }
        }
        self.memory.items.truncate(mark);
        let head = self.finish(bottom);
        self.memory.done.truncate(bottom);
        head
    }

    /// Asks the grammar about the items since `mark`, where its answer can make a difference.
    fn consult_grammar(&mut self, mark: usize, start: Start) {
        let LatexToSlt { items, tokens, actions, grammar, .. } = &mut *self.memory;
        let items = &items[mark..];
        actions.clear();
        let has = |test: fn(Token) -> bool| items.iter().any(|item| test(item.token));
        let asks = has(|token| token == Token::Bar)
            || has(|token| token == Token::Integral) && has(|token| token == Token::LetterD)
            || has(|token| token == Token::Open('{'))
                && has(|token| token == Token::MetaRelation)
                && has(|token| token == Token::Punct);
        if items.len() < 2 || !asks {
            return;
        }
        tokens.clear();
        tokens.extend(items.iter().map(|item| item.token));
        let Some(events) = grammar.parse(tokens, start) else { return };
        actions.resize(items.len(), Action::None);
        for &event in events {
            match event {
                Event::Absolute(open, close) => {
                    actions[open] = Action::Open;
                    actions[close] = Action::Close;
                }
                Event::Norm(open, close) => {
                    actions[open] = Action::OpenNorm;
                    actions[open + 1] = Action::Absorbed;
                    actions[close] = Action::CloseNorm;
                    actions[close + 1] = Action::Absorbed;
                }
                Event::EvaluatedAt(from, bar) => actions[bar] = Action::EvaluatedAt(from),
                Event::Differential(place) => actions[place] = Action::Differential,
                Event::SuchThat(_, sign, close) => actions[close] = Action::CloseSet(sign),
            }
        }
    }

    /// Writes a bar twice into its tag: two bars of a norm are one sign.
    fn double(&mut self, id: Option<SltId>) {
        if let Some(id) = id {
            self.builder.slt().set_tag_with(id, |tags, old| {
                tags.extend_from_within(old.clone());
                tags.extend_from_within(old);
            });
        }
    }

    fn push_done(&mut self, bottom: usize, id: Option<SltId>) {
        let mut id = id;
        // A script that floats in front belongs to what follows it.
        if let Some(&Done { id: None, float: Some((sub, sup)) }) = self.memory.done.last()
            && self.memory.done.len() > bottom
        {
            self.memory.done.pop();
            id = Some(self.builder.multiscripts(id, &[], &[sub, sup]));
        }
        self.memory.done.push(Done { id, float: None });
    }

    fn attach(&mut self, bottom: usize, sub: Option<SltId>, sup: Option<SltId>) {
        let last = if self.memory.done.len() > bottom { self.memory.done.last().copied() } else { None };
        match last {
            Some(Done { float: None, id }) => {
                let id = match id.filter(|&id| self.stands_apart(id, sub, sup)) {
                    Some(id) => self.add_apart(id, sub, sup),
                    None => self.builder.scripts(id, sub, sup),
                };
                if let Some(last) = self.memory.done.last_mut() {
                    last.id = Some(id);
                }
            }
            _ => self.memory.done.push(Done { id: None, float: Some((sub, sup)) }),
        }
    }

    /// Whether a symbol has a script already, on the other side of its baseline: `{p_i}^n` sets the n further out.
    fn stands_apart(&mut self, base: SltId, sub: Option<SltId>, sup: Option<SltId>) -> bool {
        let slt = self.builder.slt();
        let (below, above) = (slt.child(base, Edge::Below), slt.child(base, Edge::Above));
        slt.next(base).is_none()
            && (below.is_some() && above.is_none() && sub.is_none() && sup.is_some()
                || above.is_some() && below.is_none() && sup.is_none() && sub.is_some())
    }

    fn add_apart(&mut self, base: SltId, sub: Option<SltId>, sup: Option<SltId>) -> SltId {
        for (edge, script) in [(Edge::Below, sub), (Edge::Above, sup)] {
            if let Some(script) = script {
                let blank = self.builder.blank();
                self.builder.slt().append(blank, script);
                self.builder.slt().link(base, edge, blank);
            }
        }
        base
    }

    /// Makes one thing of everything from `start` on.
    fn group(&mut self, start: usize) {
        let mut ids = std::mem::take(&mut self.memory.ids);
        ids.clear();
        for position in start..self.memory.done.len() {
            let done = self.memory.done[position];
            ids.extend(self.settle(done));
        }
        self.memory.done.truncate(start);
        let id = self.builder.row(&ids);
        self.memory.ids = ids;
        if id.is_some() {
            self.memory.done.push(Done { id, float: None });
        }
    }

    /// The node of a thing; scripts that found nothing to hang from hang from a blank.
    fn settle(&mut self, done: Done) -> Option<SltId> {
        match done.float {
            Some((sub, sup)) => Some(self.builder.scripts(None, sub, sup)),
            None => done.id,
        }
    }

    fn finish(&mut self, bottom: usize) -> Option<SltId> {
        let mut ids = std::mem::take(&mut self.memory.ids);
        ids.clear();
        for position in bottom..self.memory.done.len() {
            let done = self.memory.done[position];
            ids.extend(self.settle(done));
        }
        let head = self.builder.row(&ids);
        self.memory.ids = ids;
        head
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

/// Whether an operand may end with this.
fn ends_operand(token: Token) -> bool {
    matches!(
        token,
        Token::Operand
            | Token::LetterD
            | Token::Postfix
            | Token::Close(_)
            | Token::Bar
            | Token::Script(_)
            | Token::Modifier
    )
}

/// What a symbol of this class is to the grammar.
fn token_of(class: Class, c: Option<char>) -> Token {
    let sign = c.unwrap_or_default();
    match class {
        Class::Ord | Class::Inner => Token::Operand,
        Class::BigOp | Class::LimitFunction => Token::BigOp,
        Class::Integral => Token::Integral,
        Class::Function => Token::Function,
        Class::Bin if is_add_op(sign) => Token::AddOp,
        Class::Bin => Token::MulOp,
        Class::Prefix => match sign {
            '∇' | '√' => Token::Operator,
            _ => Token::BigOp,
        },
        Class::Rel | Class::Arrow => match sign {
            '∣' | '∥' => Token::Bar,
            '<' | '>' => Token::Angle,
            ':' | '⊢' | '⊣' | '↔' | '⇔' | '⇌' | '⟷' | '⟺' | '∴' | '∵' => {
                Token::MetaRelation
            }
            _ => Token::Relation,
        },
        Class::Open | Class::Close | Class::Fence => delimiter_token(sign, class),
        Class::Punct => match sign {
            '.' => Token::Period,
            ':' => Token::MetaRelation,
            _ => Token::Punct,
        },
        Class::Postfix => Token::Postfix,
    }
}

fn delimiter_token(sign: char, class: Class) -> Token {
    // `\bigl)` is typed, and closes all the same.
    match sign {
        '(' | '[' | '{' | '⟨' | '⌊' | '⌈' => return Token::Open(sign),
        ')' | ']' | '}' | '⟩' | '⌋' | '⌉' => return Token::Close(sign),
        _ => {}
    }
    match class {
        Class::Open => Token::Open(sign),
        Class::Close => Token::Close(sign),
        _ if matches!(sign, '|' | '∥' | '‖' | '∣') => Token::Bar,
        _ => Token::MulOp,
    }
}

/// What a name is to the grammar.
fn named_token(name: &str, class: Class) -> Token {
    match name {
        "mod" => Token::ModifierOp,
        "cos" | "cosh" | "cot" | "coth" | "csc" | "sec" | "sin" | "sinh" | "tan" | "tanh" => {
            Token::TrigFunction
        }
        "gcd" | "max" | "min" | "Pr" => Token::Function,
        "dim" => Token::BigOp,
        _ => token_of(class, None),
    }
}

/// Whether a binary operator binds more loosely than multiplication.
fn is_add_op(c: char) -> bool {
    matches!(
        c,
        '+' | '-'
            | '−'
            | '±'
            | '∓'
            | '∩'
            | '∪'
            | '⊎'
            | '⊓'
            | '⊔'
            | '∨'
            | '∧'
            | '∖'
            | '⋄'
            | '△'
            | '▽'
    ) || matches!(
        c,
        '⊕' | '⊖'
            | '∔'
            | '⋒'
            | '⋓'
            | '⊼'
            | '⊻'
            | '⊟'
            | '⊞'
            | '⊤'
            | '⊥'
            | '⊝'
            | '⊺'
            | '⋏'
            | '⋎'
    )
}
