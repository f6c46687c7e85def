//! From layout trees to the tokens that the labs' grammar reads.
//!
//! Every baseline is a unit of its own: the formula, each script, each part of
//! a fraction, each cell. Brackets do not make units: their signs and what is
//! between them are tokens of the baseline they stand on, as they are typed.
//! Units are listed so that those inside others come later.

use super::role::{Meaning, Role, function, identifier, operator};
use super::tag::{delimiters, is_mark, size, split_tag};
use crate::slt::{Edge, Hints, Look, Slt, SltId};
use latex::Span;

/// Which rule a unit is parsed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// A whole formula: punctuation at its end does not count.
    Formula,
    /// A part of something.
    Part,
    /// A cell of a table; it may be empty.
    Cell,
    /// A cell of `cases`.
    Case,
    Subscript,
    Superscript,
}

/// Which of the things that hang from a symbol its unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// All, and what follows on the baseline.
    Baseline,
    /// The symbol with its scripts, but without the marks over and under it.
    Unmarked,
    /// The symbol alone.
    Bare,
}

/// A baseline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    head: Option<SltId>,
    extent: Extent,
    pub(super) start: Start,
    /// Where its tokens are.
    pub(super) tokens: (u32, u32),
}

/// What a token is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// A symbol of the tree.
    Leaf(Meaning),
    /// A wide space.
    Space,
    /// A sign of a fence: this character.
    Fence(char),
    /// A letter that was typed as this character.
    Character(char),
    /// `ci` with text in it.
    Text,
    Wildcard,
    /// What another unit gives.
    Unit(u32),
    /// A unit with a line through it.
    Cancelled(u32),
    /// An operator applied to two units.
    Binary(Meaning, u32, u32),
    /// A root, with its degree.
    Root(u32, Option<u32>),
    /// A mark over or under a unit; the token's symbol is the mark.
    Mark(u32),
    /// A grid: the first unit, rows and columns.
    Table(Grid, u32, u32, u32),
}

/// What a grid stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grid {
    Array,
    Matrix,
    Determinant,
    Norm,
    Cases,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) role: Role,
    pub(super) made: Made,
    pub(super) symbol: Option<SltId>,
    pub(super) span: Span,
    /// The first character one sees of it.
    pub(super) glyph: char,
}

/// A layout tree and, if known, what was typed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed<'t> {
    pub(super) slt: &'t Slt,
    pub(super) source: &'t str,
}

impl Typed<'_> {
    /// What a symbol was typed with; empty if not known.
    fn text(&self, id: SltId) -> &str {
        self.source.get(self.slt.span(id).range()).unwrap_or_default()
    }
}

/// Units and tokens of a formula.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) units: Vec<Unit>,
    pub(super) tokens: Vec<Token>,
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// The symbols of a baseline from this one on.
    Along(SltId),
    /// The items of a fence from this one on.
    Items(SltId),
    /// The closing sign of a fence.
    Close(SltId),
    /// What hangs from a symbol.
    Scripts(SltId),
}

impl Tokens {
    /// Lists the tokens of all baselines.
    pub(super) fn read(&mut self, typed: Typed<'_>) {
        let slt = typed.slt;
        self.units.clear();
        self.tokens.clear();
        self.unit(slt.root(), Extent::Baseline, Start::Formula);
        let mut next = 0;
        while let Some(&unit) = self.units.get(next) {
            let first = self.tokens.len() as u32;
            if let Some(head) = unit.head {
                match unit.extent {
                    Extent::Baseline => self.steps.push(Step::Along(head)),
                    Extent::Unmarked => {
                        self.steps.push(Step::Scripts(head));
                        self.symbol(typed, head);
                    }
                    Extent::Bare => self.symbol(typed, head),
                }
                while let Some(step) = self.steps.pop() {
                    self.step(typed, step);
                }
            }
            self.units[next].tokens = (first, self.tokens.len() as u32);
            next += 1;
        }
    }

    fn unit(&mut self, head: Option<SltId>, extent: Extent, start: Start) -> u32 {
        self.units.push(Unit { head, extent, start, tokens: (0, 0) });
        self.units.len() as u32 - 1
    }

    fn part(&mut self, typed: Typed<'_>, id: SltId, edge: Edge) -> u32 {
        let slt = typed.slt;
        self.unit(slt.child(id, edge), Extent::Baseline, Start::Part)
    }

    fn push(&mut self, typed: Typed<'_>, role: Role, made: Made, id: SltId) {
        let slt = typed.slt;
        let text = split_tag(slt.tag(id)).map_or(slt.tag(id), |(_, text)| text);
        let glyph = text.chars().next().unwrap_or_default();
        self.tokens.push(Token { role, made, symbol: Some(id), span: slt.span(id), glyph });
    }

    fn step(&mut self, typed: Typed<'_>, step: Step) {
        let slt = typed.slt;
        match step {
            Step::Along(id) => self.along(typed, id),
            Step::Items(id) => {
                if let Some(next) = slt.child(id, Edge::Element) {
                    self.steps.push(Step::Items(next));
                }
                self.steps.push(Step::Along(id));
            }
            Step::Close(id) => {
                let (_, close) = delimiters(slt.tag(id));
                for sign in close.chars() {
                    self.fence_sign(typed, id, sign, Role::Close);
                }
            }
            Step::Scripts(id) => self.scripts(typed, id),
        }
    }

    fn along(&mut self, typed: Typed<'_>, id: SltId) {
        let slt = typed.slt;
        let mut next = slt.next(id);
        if slt.hints(id).has(Hints::SPACE_BEFORE) {
            let space = Token {
                role: Role::Punct,
                made: Made::Space,
                symbol: None,
                span: Span::default(),
                glyph: ' ',
            };
            self.tokens.push(space);
        }
        if slt.tag(id) == "{"
            && let Some(table) = next.filter(|&next| slt.hints(next).has(Hints::CASES))
        {
            self.table(typed, table, Grid::Cases);
            self.scripts(typed, table);
            next = slt.next(table);
        } else {
            if let Some(next) = next {
                self.steps.push(Step::Along(next));
            }
            self.marked(typed, id);
            return;
        }
        if let Some(next) = next {
            self.steps.push(Step::Along(next));
        }
    }

    /// A symbol and everything that hangs from it but what follows on the baseline.
    fn marked(&mut self, typed: Typed<'_>, id: SltId) {
        let slt = typed.slt;
        for (edge, role) in [(Edge::PreBelow, Role::FloatSub), (Edge::PreAbove, Role::FloatSup)] {
            if !slt.tag(id).starts_with("O!root")
                && let Some(script) = slt.child(id, edge)
            {
                self.script(typed, script, role);
            }
        }
        let mark = [Edge::Over, Edge::Under]
            .into_iter()
            .filter(|_| slt.tag(id) != "O!divide")
            .filter_map(|edge| slt.child(id, edge))
            .find(|&mark| is_mark(slt, mark));
        match mark {
            None => {
                self.steps.push(Step::Scripts(id));
                self.symbol(typed, id);
            }
            Some(mark) if slt.look(mark).has(Look::COVERS_SCRIPTS) => {
                let base = self.unit(Some(id), Extent::Unmarked, Start::Part);
                self.push(typed, Role::Atom, Made::Mark(base), mark);
                self.limits(typed, id);
            }
            Some(mark) => {
                let base = self.unit(Some(id), Extent::Bare, Start::Part);
                self.push(typed, Role::Atom, Made::Mark(base), mark);
                self.scripts(typed, id);
            }
        }
    }

    /// The symbol itself; for a fence, all that is in it.
    fn symbol(&mut self, typed: Typed<'_>, id: SltId) {
        let slt = typed.slt;
        let tag = slt.tag(id);
        // A character typed as it is, not by its name, says nothing to LaTeXML.
        if let Some(letter) = typed.text(id).chars().next().filter(|letter| !letter.is_ascii())
            && typed.text(id).len() == letter.len_utf8()
            && split_tag(tag).is_none_or(|(prefix, _)| prefix == "V!")
        {
            return self.push(typed, Role::Unknown, Made::Character(letter), id);
        }
        let Some((prefix, text)) = split_tag(tag) else {
            if slt.child(id, Edge::Within).is_some() {
                // A box says nothing, a line through it does.
                let inner = self.part(typed, id, Edge::Within);
                let struck = tag.contains("strike");
                let made = if struck { Made::Cancelled(inner) } else { Made::Unit(inner) };
                return self.push(typed, Role::Atom, made, id);
            }
            let (role, meaning) = operator(tag);
            // Two names of one sign.
            let meaning = match typed.text(id) {
                "\\Leftrightarrow" | "\\Longrightarrow" | "\\Longleftarrow" => Meaning::Letters,
                _ => meaning,
            };
            // Shown as an operator, read as a letter.
            let role = if matches!(tag, "d" | "𝑑") { Role::Unknown } else { role };
            return match tag.strip_prefix('?') {
                Some(_) => self.push(typed, Role::Atom, Made::Wildcard, id),
                None => self.push(typed, role, Made::Leaf(meaning), id),
            };
        };
        match prefix {
            "V!" => {
                let as_function = slt.hints(id).has(Hints::FUNCTION);
                let from_elsewhere = slt.span(id).is_empty();
                let (role, meaning) = match (as_function, from_elsewhere) {
                    (true, _) => function(text),
                    (false, true) if text.chars().nth(1).is_some() => match function(text) {
                        (_, Meaning::Letters) => (Role::Unknown, Meaning::Letters),
                        known => known,
                    },
                    _ => identifier(text),
                };
                self.push(typed, role, Made::Leaf(meaning), id);
            }
            "N!" => self.push(typed, Role::Number, Made::Leaf(Meaning::Letters), id),
            "T!" if typed.text(id).starts_with("\\tag") => {}
            "T!" | "E!" => self.push(typed, Role::Atom, Made::Text, id),
            "W!" => {}
            "O!" if text == "divide" => {
                let over = self.part(typed, id, Edge::Over);
                let under = self.part(typed, id, Edge::Under);
                let meaning = if slt.look(id).has(Look::NO_BAR) {
                    Meaning::Symbol("binomial")
                } else if typed.text(id).starts_with("\\cfrac") {
                    Meaning::Symbol("continued-fraction")
                } else {
                    Meaning::Sign("divide")
                };
                self.push(typed, Role::Atom, Made::Binary(meaning, over, under), id);
            }
            "O!" if text == "root" => {
                let degree = slt.child(id, Edge::PreAbove).map(|_| self.part(typed, id, Edge::PreAbove));
                let radicand = self.part(typed, id, Edge::Within);
                self.push(typed, Role::Atom, Made::Root(radicand, degree), id);
            }
            "M!" => self.group(typed, id),
            _ => self.push(typed, Role::Atom, Made::Leaf(Meaning::Letters), id),
        }
    }

    fn group(&mut self, typed: Typed<'_>, id: SltId) {
        let slt = typed.slt;
        let tag = slt.tag(id);
        let (open, close) = delimiters(tag);
        let hints = slt.hints(id);
        let within = slt.child(id, Edge::Within);
        let is_row = size(tag).0 == 1 && !open.is_empty();
        if hints.has(Hints::TABLE) || !is_row && tag != "M!1x1" {
            let paired = hints.has(Hints::PAIRED) || !hints.has(Hints::TABLE);
            if paired || !hints.has(Hints::MATRIX) {
                for sign in open.chars() {
                    self.fence_sign(typed, id, sign, Role::Open);
                }
            }
            let grid = match open.chars().next() {
                _ if !hints.has(Hints::MATRIX) => Grid::Array,
                Some('|') if !paired => Grid::Determinant,
                Some('∥') if !paired => Grid::Norm,
                _ => Grid::Matrix,
            };
            self.table(typed, id, grid);
            if paired || !hints.has(Hints::MATRIX) {
                for sign in close.chars() {
                    self.fence_sign(typed, id, sign, Role::Close);
                }
            }
            return;
        }
        if !is_row {
            // Braces, or the bar of an evaluation with what stands before it.
            let last = within.map(|head| std::iter::successors(Some(head), |&id| slt.next(id)).last());
            let bar = last.flatten().is_some_and(|last| slt.tag(last) == "|" || slt.tag(last) == "∣");
            if let Some(head) = within.filter(|_| bar && slt.child(id, Edge::Below).is_some()) {
                self.steps.push(Step::Along(head));
                return;
            }
            let unit = self.unit(within, Extent::Baseline, Start::Part);
            self.push(typed, Role::Atom, Made::Unit(unit), id);
            return;
        }
        if let Some(head) = within {
            let lone = slt.next(head).is_none() && slt.child(head, Edge::Element).is_none();
            if open == "("
                && close == ")"
                && lone
                && slt.look(head).has(Look::NO_BAR)
                && slt.tag(head) == "O!divide"
            {
                self.symbol(typed, head);
                return;
            }
            if slt.tag(head) == "mod" && hints.has(Hints::PAIRED) {
                let unit = self.unit(slt.next(head), Extent::Baseline, Start::Part);
                self.push(typed, Role::Modifier, Made::Unit(unit), id);
                return;
            }
        }
        self.steps.push(Step::Close(id));
        if let Some(head) = within {
            self.steps.push(Step::Items(head));
        }
        for sign in open.chars() {
            self.fence_sign(typed, id, sign, Role::Open);
        }
    }

    fn fence_sign(&mut self, typed: Typed<'_>, id: SltId, sign: char, side: Role) {
        let slt = typed.slt;
        let is_bar = matches!(sign, '|' | '∥' | '∣' | '‖');
        let paired = slt.hints(id).has(Hints::PAIRED);
        let start = typed.text(id);
        // `\lVert` is only ever an opening sign, and means nothing.
        let named = ["\\lVert", "\\left\\lVert", "\\lvert"].iter().any(|name| start.starts_with(name));
        let sign = if sign == '∥' && paired && !named { '‖' } else { sign };
        let role = if is_bar && !paired && !named { Role::Bar } else { side };
        let whole = slt.span(id);
        // Of the fence's place, only the end where the sign stands.
        let span = match side {
            _ if whole.is_empty() => whole,
            Role::Close => Span { start: whole.end - 1, end: whole.end },
            _ => Span { start: whole.start, end: whole.start + 1 },
        };
        self.tokens.push(Token { role, made: Made::Fence(sign), symbol: Some(id), span, glyph: sign });
    }

    fn table(&mut self, typed: Typed<'_>, id: SltId, grid: Grid) {
        let slt = typed.slt;
        let (rows, columns) = size(slt.tag(id));
        let first = self.units.len() as u32;
        let mut cell = slt.child(id, Edge::Within);
        while let Some(head) = cell {
            let start = if grid == Grid::Cases { Start::Case } else { Start::Cell };
            self.unit(Some(head), Extent::Baseline, start);
            cell = slt.child(head, Edge::Element);
        }
        let count = self.units.len() as u32 - first;
        // The tag need not tell the truth.
        let columns = columns.min(count).max(1);
        let rows = if rows.checked_mul(columns) == Some(count) { rows } else { count.div_ceil(columns) };
        for _ in count..rows * columns {
            self.unit(None, Extent::Baseline, Start::Cell);
        }
        let role = if grid == Grid::Array { Role::Array } else { Role::Atom };
        self.push(typed, role, Made::Table(grid, first, rows, columns), id);
    }

    fn scripts(&mut self, typed: Typed<'_>, id: SltId) {
        let slt = typed.slt;
        let (below, above) = (slt.child(id, Edge::Below), slt.child(id, Edge::Above));
        self.pair(typed, below, above);
        if slt.tag(id) != "O!divide" {
            self.limits(typed, id);
        }
    }

    /// Scripts over and under a symbol that are no marks.
    fn limits(&mut self, typed: Typed<'_>, id: SltId) {
        let slt = typed.slt;
        let plain = |edge| slt.child(id, edge).filter(|&script| !is_mark(slt, script));
        self.pair(typed, plain(Edge::Under), plain(Edge::Over));
    }

    /// Two scripts, as they were typed; without a source, the lower one first.
    fn pair(&mut self, typed: Typed<'_>, below: Option<SltId>, above: Option<SltId>) {
        let slt = typed.slt;
        let mut scripts = [(below, Role::PostSub), (above, Role::PostSup)];
        if let (Some(below), Some(above)) = (below, above)
            && !slt.span(above).is_empty()
            && !slt.span(below).is_empty()
            && slt.span(above).start < slt.span(below).start
        {
            scripts.reverse();
        }
        for (script, role) in scripts {
            if let Some(script) = script {
                self.script(typed, script, role);
            }
        }
    }

    fn script(&mut self, typed: Typed<'_>, head: SltId, role: Role) {
        let start = match role {
            Role::PostSub | Role::FloatSub => Start::Subscript,
            _ => Start::Superscript,
        };
        let unit = self.unit(Some(head), Extent::Baseline, start);
        self.push(typed, role, Made::Unit(unit), head);
    }
}
