//! From what was typed to the symbol layout tree of the labs.
//!
//! The labs took LaTeX through LaTeXML to Presentation MathML and from there to
//! trees. What that pipeline does to the layout is done here at once: braces
//! are transparent, delimiters are matched whatever their kind, letters of an
//! upright word make one identifier, scripts hang from the last thing before
//! them or from the fence that ends there, and so on. See `docs/trees.md`.

use super::bars::{self, Bar};
use super::{Builder, Leaf, Look, Slt, SltId};
use crate::alphabet::styled;
use latex::{Class, Enclosure, Font, Kind, NodeId, Text, Tree};

/// Reads layout trees from LaTeX trees; keeps its memory between formulas.
#[derive(Debug, Default)]
pub struct LatexToSlt {
    items: Vec<Item>,
    done: Vec<Done>,
    cells: Vec<Option<SltId>>,
    letters: String,
    ids: Vec<SltId>,
    bars: bars::Bars,
}

/// One thing on a baseline, before fences are matched and scripts attached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    id: Option<SltId>,
    pub(super) role: Role,
}

/// What a thing does on its baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    /// A letter, number, fraction, …
    Operand,
    /// The letter d, which after an integral may be a differential.
    LetterD,
    /// A function's name: what follows is its argument.
    Function,
    /// `∑`, `lim`, …
    BigOp,
    /// `∫`
    Integral,
    /// Between two operands, or in front of one.
    Operator,
    /// A relation or an arrow.
    Relation,
    /// After an operand.
    Postfix,
    /// A comma or its kin.
    Punct,
    /// An opening delimiter.
    Open,
    /// A closing delimiter.
    Close,
    /// `|` or `∥`: both in one.
    Bar,
    /// Scripts of what stands before.
    Script(Option<SltId>, Option<SltId>),
    /// Scripts of nothing: `{}^2`.
    FloatScript(Option<SltId>, Option<SltId>),
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
        self.flatten(id);
        self.join(mark)
    }

    fn optional_row(&mut self, id: Option<NodeId>) -> Option<SltId> {
        id.and_then(|id| self.row(id))
    }

    /// The row of a script or a part, with a blank when there is nothing to see.
    fn part(&mut self, id: NodeId) -> Option<SltId> {
        Some(self.row(id).unwrap_or_else(|| self.builder.blank()))
    }

    fn push(&mut self, id: SltId, role: Role) {
        self.memory.items.push(Item { id: Some(id), role });
    }

    fn leaf(&mut self, leaf: Leaf, text: Text, look: Look, role: Role) {
        let id = self.tree.with_text(text, |letters| self.builder.leaf(leaf, letters, look));
        self.push(id, role);
    }

    fn operator(&mut self, sign: char, role: Role) {
        let id = self.builder.leaf(Leaf::Operator, sign.encode_utf8(&mut [0; 4]), Look::default());
        self.push(id, role);
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
                self.push(id, Role::Operand);
            }
            Kind::Primes(count) => {
                let id = self.primes(count);
                self.push(id, Role::Operand);
            }
            Kind::Fraction { numerator, denominator, bar, left, right, .. } => {
                let over = self.part(numerator);
                let under = self.part(denominator);
                let look = if bar == latex::Bar::None { Look::NO_BAR } else { Look::default() };
                let fraction = self.builder.fraction(over, under, look);
                let id = self.between(left, Some(fraction), right).unwrap_or(fraction);
                self.push(id, Role::Operand);
            }
            Kind::Root { radicand, degree } => {
                let index = degree.and_then(|degree| self.part(degree));
                let radicand = self.part(radicand);
                let id = self.builder.root(radicand, index);
                self.push(id, Role::Operand);
            }
            Kind::Fenced { left, right, body } => self.fenced(left, right, body),
            Kind::Delimiter { sign, class } => {
                let role = match class {
                    Class::Open => Role::Open,
                    Class::Close => Role::Close,
                    Class::Fence if matches!(sign, '|' | '∥' | '‖') => Role::Bar,
                    _ => Role::Operator,
                };
                self.operator(sign, role);
            }
            Kind::Accent { base, mark, under, stretchy } => self.accent(base, mark, under, stretchy),
            Kind::Stack { base, over, under } => self.stack(base, over, under),
            Kind::Table { rows, left, right, .. } => self.table(self.tree.list(rows), left, right),
            Kind::TableRow(list) => self.flatten_list(self.tree.list(list)),
            // Not seen, so not there.
            Kind::Phantom(_) => {}
            Kind::Enclose { body, enclosure } => {
                let content = self.row(body);
                let id = match enclosure {
                    Enclosure::Box => self.builder.enclose("box", content),
                    Enclosure::Cancel => self.builder.enclose("updiagonalstrike", content),
                    Enclosure::BackCancel => self.builder.enclose("downdiagonalstrike", content),
                    Enclosure::CrossCancel => self.builder.enclose("updiagonalstrike downdiagonalstrike", content),
                    Enclosure::Not => {
                        self.not(content);
                        return;
                    }
                    Enclosure::Other(text) => {
                        self.tree.with_text(text, |notation| self.builder.enclose(notation, content))
                    }
                };
                self.push(id, Role::Operand);
            }
            Kind::Classed { body, class } => {
                let Some(id) = self.row(body) else { return };
                self.push(id, role_of(class));
            }
            Kind::Tag(text) => self.leaf(Leaf::Text, text, Look::default(), Role::Operand),
            Kind::Wildcard(text) => {
                let id = self.tree.with_text(text, |name| {
                    let tag = if name.is_empty() { "w" } else { name };
                    self.builder.leaf(Leaf::Wildcard, tag, Look::default())
                });
                self.push(id, Role::Operand);
            }
            Kind::Opaque { text, .. } => self.leaf(Leaf::Error, text, Look::default(), Role::Operand),
        }
    }

    fn flatten_list(&mut self, list: &[NodeId]) {
        let mut rest = list;
        while let Some((&id, tail)) = rest.split_first() {
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
        let Kind::Symbol { text: Text::Char(first), font, class } = self.tree.kind(list[0]) else { return 0 };
        let same = |position: usize, expected: char| {
            list.get(position).is_some_and(|&id| {
                matches!(self.tree.kind(id), Kind::Symbol { text: Text::Char(c), .. } if c == expected)
            })
        };
        let joined = match first {
            '.' if same(1, '.') && same(2, '.') => {
                let id = self.builder.leaf(Leaf::Identifier, "…", Look::default());
                self.push(id, Role::Operand);
                return 3;
            }
            '⋅' if same(1, '⋅') && same(2, '⋅') => {
                let id = self.builder.leaf(Leaf::Identifier, "⋯", Look::default());
                self.push(id, Role::Operand);
                return 3;
            }
            ':' if same(1, '=') => ":=",
            '!' if same(1, '!') => "!!",
            _ => {
                return if class == Class::Ord && makes_words(font) { self.word(list, font) } else { 0 };
            }
        };
        let id = self.builder.leaf(Leaf::Operator, joined, Look::default());
        self.push(id, if first == '!' { Role::Postfix } else { Role::Relation });
        2
    }

    /// Letters of an upright font side by side are one name. A last letter with scripts takes them for the word.
    fn word(&mut self, list: &[NodeId], font: Font) -> usize {
        let mut letters = std::mem::take(&mut self.memory.letters);
        letters.clear();
        let mut taken = 0;
        let mut scripts = None;
        for &id in list {
            match self.letter(id, font) {
                Some(c) => letters.push(styled(c, font)),
                None => {
                    if let Kind::Scripts { base: Some(base), sub, sup, .. } = self.tree.kind(id)
                        && let Some(c) = self.letter(base, font)
                    {
                        letters.push(styled(c, font));
                        scripts = Some((sub, sup));
                        taken += 1;
                    }
                    break;
                }
            }
            taken += 1;
        }
        let id = self.builder.leaf(Leaf::Identifier, &letters, Look::font(font));
        self.memory.letters = letters;
        self.push(id, Role::Operand);
        if let Some((sub, sup)) = scripts {
            self.script_item(sub, sup);
        }
        taken
    }

    fn letter(&self, id: NodeId, font: Font) -> Option<char> {
        match self.tree.kind(id) {
            Kind::Symbol { text: Text::Char(c), class: Class::Ord, font: found }
                if found == font && c.is_ascii_alphabetic() =>
            {
                Some(c)
            }
            _ => None,
        }
    }

    fn symbol(&mut self, text: Text, class: Class, font: Font) {
        let leaf = if is_identifier(self.tree, text, class) { Leaf::Identifier } else { Leaf::Operator };
        let mut role = role_of(class);
        match text {
            Text::Char(c) => {
                if leaf == Leaf::Identifier && c == 'd' && font == Font::Default {
                    role = Role::LetterD;
                }
                let shown = if leaf == Leaf::Identifier { styled(c, font) } else { c };
                let id = self.builder.leaf(leaf, shown.encode_utf8(&mut [0; 4]), Look::font(font));
                self.push(id, role);
            }
            _ => self.leaf(leaf, text, Look::default(), role),
        }
    }

    fn number(&mut self, text: Text, font: Font) {
        if matches!(font, Font::Default | Font::Roman | Font::Italic) {
            self.leaf(Leaf::Number, text, Look::default(), Role::Operand);
            return;
        }
        let mut digits = std::mem::take(&mut self.memory.letters);
        digits.clear();
        self.tree.with_text(text, |typed| digits.extend(typed.chars().map(|c| styled(c, font))));
        let id = self.builder.leaf(Leaf::Number, &digits, Look::font(font));
        self.memory.letters = digits;
        self.push(id, Role::Operand);
    }

    fn text_run(&mut self, text: Text, font: Font) {
        let mut words = std::mem::take(&mut self.memory.letters);
        words.clear();
        self.tree.with_text(text, |typed| words.extend(typed.chars().map(|c| styled(c, font))));
        let id = self.builder.leaf(Leaf::Text, &words, Look::font(font));
        self.memory.letters = words;
        self.push(id, Role::Operand);
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
        let mark = self.memory.items.len();
        if let Some(base) = base {
            self.flatten(base);
        }
        if self.memory.items.len() > mark {
            self.script_item(sub, sup);
            return;
        }
        let sub = sub.and_then(|sub| self.part(sub));
        let sup = sup.and_then(|sup| self.script_part(sup));
        if sub.is_some() || sup.is_some() {
            self.memory.items.push(Item { id: None, role: Role::FloatScript(sub, sup) });
        }
    }

    fn script_item(&mut self, sub: Option<NodeId>, sup: Option<NodeId>) {
        let sub = sub.and_then(|sub| self.part(sub));
        let sup = sup.and_then(|sup| self.script_part(sup));
        if sub.is_some() || sup.is_some() {
            self.memory.items.push(Item { id: None, role: Role::Script(sub, sup) });
        }
    }

    /// A superscript: primes in a row are one sign.
    fn script_part(&mut self, id: NodeId) -> Option<SltId> {
        let items = self.tree.row(&id);
        let strokes = items.iter().take_while(|&&item| self.is_prime(item)).count();
        if strokes < 2 || strokes < items.len() {
            return self.part(id);
        }
        let count = items.iter().map(|&item| if let Kind::Primes(count) = self.tree.kind(item) { count } else { 1 });
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
            self.operator(left, Role::Operator);
        }
        // The inside is a level of its own for matching, but its things stay side by side with the fences.
        let inner = self.row(body);
        if let Some(inner) = inner {
            self.push(inner, Role::Operand);
        }
        if let Some(right) = right {
            self.operator(right, Role::Operator);
        }
        let mut ids = std::mem::take(&mut self.memory.ids);
        ids.clear();
        ids.extend(self.memory.items.drain(mark..).filter_map(|item| item.id));
        let id = self.builder.row(&ids);
        self.memory.ids = ids;
        if let Some(id) = id {
            self.push(id, Role::Operand);
        }
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
        self.push(id, Role::Operand);
    }

    fn stack(&mut self, base: NodeId, over: Option<NodeId>, under: Option<NodeId>) {
        let base = self.part(base);
        let under = under.and_then(|under| self.part(under));
        let over = over.and_then(|over| self.part(over));
        let operator = base.is_some_and(|base| super::build::is_operator(self.builder.slt().tag(base)));
        let id = self.builder.under_over(base, under, over);
        self.push(id, if operator { Role::Relation } else { Role::Operand });
    }

    fn not(&mut self, content: Option<SltId>) {
        let Some(id) = content else { return };
        let single = !self.builder.slt().has_children(id);
        if single {
            self.builder.slt().set_tag_with(id, |tags, old| {
                tags.extend_from_within(old);
                tags.push('\u{338}');
            });
            self.push(id, Role::Relation);
        } else {
            let id = self.builder.enclose("updiagonalstrike", Some(id));
            self.push(id, Role::Operand);
        }
    }

    fn table(&mut self, rows: &[NodeId], left: Option<char>, right: Option<char>) {
        let mark = self.memory.cells.len();
        let cells_of = |row: NodeId| match self.tree.kind(row) {
            Kind::TableRow(list) => self.tree.list(list),
            _ => &[],
        };
        let columns = rows.iter().map(|&row| cells_of(row).len()).max().unwrap_or(0);
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
        self.push(id, Role::Operand);
    }

    // Fences and scripts

    /// Matches the fences of the items since `mark`, attaches scripts, and puts everything side by side.
    fn join(&mut self, mark: usize) -> Option<SltId> {
        let mut bars = std::mem::take(&mut self.memory.bars);
        bars.decide(&self.memory.items[mark..]);
        let bottom = self.memory.done.len();
        let mut integral = false;
        // Where the content of each open fence begins in `done`; the fence itself stands just before.
        for position in mark..self.memory.items.len() {
            let Item { id, role } = self.memory.items[position];
            match role {
                Role::Script(sub, sup) => self.attach(bottom, sub, sup),
                Role::FloatScript(sub, sup) => {
                    self.memory.done.push(Done { id: None, float: Some((sub, sup)) });
                }
                Role::Open => {
                    self.push_done(bottom, id);
                    bars.open(self.memory.done.len());
                }
                Role::Close => {
                    self.push_done(bottom, id);
                    if let Some(start) = bars.close() {
                        self.fence(start - 1);
                    }
                }
                Role::Bar => {
                    let decision = bars.at(position - mark);
                    self.push_done(bottom, id);
                    match decision {
                        Bar::Open => bars.open(self.memory.done.len()),
                        Bar::Close => {
                            if let Some(start) = bars.close() {
                                self.fence(start - 1);
                            }
                        }
                        Bar::Plain => {}
                    }
                }
                Role::Integral => {
                    integral = true;
                    self.push_done(bottom, id);
                }
                Role::LetterD => {
                    if integral && self.is_differential(position)
                        && let Some(id) = id
                    {
                        self.builder.slt().set_tag(id, "𝑑");
                    }
                    self.push_done(bottom, id);
                }
                _ => self.push_done(bottom, id),
            }
        }
        self.memory.bars = bars;
        self.memory.items.truncate(mark);
        let head = self.finish(bottom);
        self.memory.done.truncate(bottom);
        head
    }

    /// Whether the letter d at this place is followed by a letter, as in `dx`.
    fn is_differential(&mut self, position: usize) -> bool {
        let next = self.memory.items.get(position + 1);
        next.is_some_and(|next| {
            matches!(next.role, Role::Operand | Role::LetterD)
                && next.id.is_some_and(|id| self.builder.slt().tag(id).starts_with("V!"))
        })
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
                let id = self.builder.scripts(id, sub, sup);
                if let Some(last) = self.memory.done.last_mut() {
                    last.id = Some(id);
                }
            }
            _ => self.memory.done.push(Done { id: None, float: Some((sub, sup)) }),
        }
    }

    /// Makes one thing of everything from `start`, which is a pair of fences and what they hold.
    fn fence(&mut self, start: usize) {
        let mut ids = std::mem::take(&mut self.memory.ids);
        ids.clear();
        for position in start..self.memory.done.len() {
            let done = self.memory.done[position];
            ids.extend(self.settle(done));
        }
        self.memory.done.truncate(start);
        let id = self.builder.row(&ids);
        self.memory.ids = ids;
        self.memory.done.push(Done { id, float: None });
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

/// Whether LaTeXML makes one identifier of neighbouring letters in this font.
fn makes_words(font: Font) -> bool {
    matches!(font, Font::Roman | Font::Bold | Font::Italic | Font::SansSerif | Font::Monospace)
}

/// Whether the labs' trees have a symbol of this class as an identifier.
fn is_identifier(tree: &Tree, text: Text, class: Class) -> bool {
    match class {
        Class::Ord | Class::Inner => true,
        Class::Function => !tree.with_text(text, |name| matches!(name, "dim" | "mod")),
        Class::LimitFunction => tree.with_text(text, |name| matches!(name, "gcd" | "max" | "min" | "Pr")),
        _ => false,
    }
}

fn role_of(class: Class) -> Role {
    match class {
        Class::Ord | Class::Inner => Role::Operand,
        Class::BigOp | Class::LimitFunction => Role::BigOp,
        Class::Integral => Role::Integral,
        Class::Function => Role::Function,
        Class::Bin | Class::Prefix => Role::Operator,
        Class::Rel | Class::Arrow => Role::Relation,
        Class::Open => Role::Open,
        Class::Close => Role::Close,
        Class::Fence => Role::Bar,
        Class::Punct => Role::Punct,
        Class::Postfix => Role::Postfix,
    }
}
