//! The layout tree: what was typed, as nodes that know where they came from.
//!
//! Nodes live in one arena per formula, so a tree is three growing buffers and
//! no pointers; a [`Tree`] can be emptied and filled again without allocating.
//! The tree says how things stand (this is above that), not what they mean:
//! operator precedence, fences that were not typed with `\left` and the like
//! are for the `formula` crate.

use std::num::NonZeroU32;

/// A half-open range of bytes in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to but not including `end`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Whether it holds no byte.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start >= self.end
    }

    /// The span as a range for slicing the source's bytes.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The index of a node in its [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(NonZeroU32);

impl NodeId {
    fn from_index(index: usize) -> Self {
        Self(NonZeroU32::MIN.saturating_add(index as u32))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The letters of a leaf; read with [`Tree::text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Text {
    /// One character.
    Char(char),
    /// A name from a table, such as `sin`.
    Static(&'static str),
    /// A range of the tree's own buffer.
    Buffer(Span),
}

/// A list of nodes; read with [`Tree::list`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct List(Span);

/// What kind of atom a symbol is, in TeX's terms and a little finer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Letters and letter-like symbols.
    Ord,
    /// Big operators such as `∑`, whose scripts may go above and below.
    BigOp,
    /// Integral signs, whose scripts stay at the side unless `\limits` is given.
    Integral,
    /// Named functions such as `sin`.
    Function,
    /// Named functions with limits such as `lim` and `max`.
    LimitFunction,
    /// Binary operators.
    Bin,
    /// Relations.
    Rel,
    /// Arrows, which are relations that may stretch.
    Arrow,
    /// Opening delimiters.
    Open,
    /// Closing delimiters.
    Close,
    /// Delimiters that are the same on both sides, such as `|`.
    Fence,
    /// Punctuation.
    Punct,
    /// Things written after what they belong to, such as `!`.
    Postfix,
    /// Things written before what they act on, such as `∀`, `¬`, `∂`.
    Prefix,
    /// Dots, which stand between or instead of anything.
    Inner,
}

/// Letter shapes. `Default` is what TeX does without any font command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Font {
    /// Italic for Latin and lower-case Greek letters, upright for the rest.
    #[default]
    Default,
    /// `\mathrm`, `\rm`.
    Roman,
    /// `\mathit`, `\it`.
    Italic,
    /// `\mathbf`, `\bf`.
    Bold,
    /// `\boldsymbol`, `\bm`.
    BoldItalic,
    /// `\mathbb`.
    DoubleStruck,
    /// `\mathcal`.
    Calligraphic,
    /// `\mathscr`.
    Script,
    /// `\mathfrak`.
    Fraktur,
    /// `\mathsf`, `\sf`.
    SansSerif,
    /// `\mathtt`, `\tt`.
    Monospace,
}

/// Where the scripts of an operator stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Limits {
    /// Not said: depends on the operator and the style.
    #[default]
    Auto,
    /// `\limits`: above and below.
    Limits,
    /// `\nolimits`: at the side.
    NoLimits,
}

/// `\displaystyle` and its kin, sizes such as `\large` included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// `\displaystyle`.
    Display,
    /// `\textstyle`.
    Text,
    /// `\scriptstyle`.
    Script,
    /// `\scriptscriptstyle`.
    ScriptScript,
    /// A text size command such as `\large`, in per cent of the normal size.
    Size(u16),
}

/// How a fraction is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Bar {
    /// With a line.
    #[default]
    Line,
    /// Without (`\binom`, `\atop`).
    None,
}

/// What is drawn around the content of [`Kind::Enclose`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Enclosure {
    /// `\boxed`, `\fbox`.
    Box,
    /// `\cancel`.
    Cancel,
    /// `\bcancel`.
    BackCancel,
    /// `\xcancel`.
    CrossCancel,
    /// `\not` in front of something that has no negated form.
    Not,
    /// `\enclose{…}` with a notation of its own: the text says which.
    Other(Text),
}

/// What kind of grid a [`Kind::Table`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableKind {
    /// `matrix` and its bracketed kin, `smallmatrix`, `array`.
    Matrix,
    /// `cases`, `rcases`.
    Cases,
    /// `align`, `aligned`, `split`, `eqnarray`: right, left, right, left.
    Align,
    /// `gather`, `gathered`, `multline`: one column.
    Gather,
    /// `\substack`.
    Substack,
}

/// What an opaque node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opaque {
    /// A command that nothing here knows.
    UnknownCommand,
    /// Something known whose inside is not read (`\ce`, `\xymatrix`, `CD`).
    Unread,
    /// Input that has no place: an unmatched brace, a stray `&`, nesting that is too deep.
    Misplaced,
}

/// One node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// What it is, with its children.
    pub kind: Kind,
    /// The bytes it came from; for macro expansions, those of the call.
    pub span: Span,
}

/// The kinds of node. Children are ids into the same [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// Things side by side: a group in braces, an argument, the whole formula.
    Row(List),
    /// A symbol or a name.
    Symbol {
        /// Its letters.
        text: Text,
        /// Its class.
        class: Class,
        /// Its font.
        font: Font,
    },
    /// Digits, with a decimal point if there is one.
    Number {
        /// The digits as typed.
        text: Text,
        /// Their font.
        font: Font,
    },
    /// Text in a formula (`\text`, `\mbox`). Formulas inside it are siblings in a row.
    TextRun {
        /// The words, with inner blanks as typed.
        text: Text,
        /// Their font.
        font: Font,
    },
    /// A line break outside any table.
    LineBreak,
    /// Blank space, in eighteenths of an em (`\,` is 3, `\quad` 18, `\!` -3).
    Space(i16),
    /// Sub- and superscripts, on the right and on the left.
    Scripts {
        /// What carries the scripts; `None` where nothing stands before them (`{}^2` has an empty row).
        base: Option<NodeId>,
        /// Below on the right.
        sub: Option<NodeId>,
        /// Above on the right; primes are part of it.
        sup: Option<NodeId>,
        /// `\limits` and `\nolimits`.
        limits: Limits,
    },
    /// Scripts in front of their base: `\sideset`, `\prescript`. (`{}^{14}_6 C` are [`Kind::Scripts`] of an
    /// empty row, with the `C` beside them: whose they are is not said.)
    PreScripts {
        /// What carries the scripts.
        base: Option<NodeId>,
        /// Below on the left.
        sub: Option<NodeId>,
        /// Above on the left.
        sup: Option<NodeId>,
    },
    /// A run of primes: `n` strokes. Stands in a superscript.
    Primes(u16),
    /// One thing over another.
    Fraction {
        /// Above the line.
        numerator: NodeId,
        /// Below the line.
        denominator: NodeId,
        /// Whether there is a line.
        bar: Bar,
        /// Left delimiter (`\binom` has one).
        left: Option<char>,
        /// Right delimiter.
        right: Option<char>,
        /// A style the command sets (`\dfrac`, `\tfrac`).
        style: Option<Style>,
    },
    /// A root.
    Root {
        /// What is under the sign.
        radicand: NodeId,
        /// The degree, if written.
        degree: Option<NodeId>,
    },
    /// `\left … \right`; a `\middle` delimiter is a [`Kind::Delimiter`] in the body.
    Fenced {
        /// `None` for `.`.
        left: Option<char>,
        /// `None` for `.`.
        right: Option<char>,
        /// A row.
        body: NodeId,
    },
    /// A single delimiter with a size: `\big(`, `\middle|`.
    Delimiter {
        /// The sign.
        sign: char,
        /// What it acts as.
        class: Class,
    },
    /// A mark over or under: `\hat`, `\overline`, `\underbrace`, `\overrightarrow`.
    Accent {
        /// What carries the mark.
        base: NodeId,
        /// The mark.
        mark: char,
        /// Whether it stands below.
        under: bool,
        /// Whether it stretches over the whole base.
        stretchy: bool,
    },
    /// `\overset`, `\underset`, `\stackrel`, labels of braces, extensible arrows.
    Stack {
        /// The middle.
        base: NodeId,
        /// Above.
        over: Option<NodeId>,
        /// Below.
        under: Option<NodeId>,
    },
    /// A grid. Its list holds [`Kind::TableRow`]s.
    Table {
        /// The rows.
        rows: List,
        /// What kind of grid.
        kind: TableKind,
        /// Left delimiter.
        left: Option<char>,
        /// Right delimiter.
        right: Option<char>,
        /// Column alignments (`l`, `c`, `r`, `|`), empty when the kind decides.
        columns: Text,
    },
    /// One row of a grid: its cells, each a [`Kind::Row`].
    TableRow(List),
    /// Something that is set but not seen (`\phantom`).
    Phantom(NodeId),
    /// Something with lines around or through it.
    Enclose {
        /// A row.
        body: NodeId,
        /// The lines.
        enclosure: Enclosure,
    },
    /// `\mathop{…}`, `\mathrel{…}`: a row that acts as one symbol of a class.
    Classed {
        /// A row.
        body: NodeId,
        /// The class.
        class: Class,
    },
    /// From here to the end of the row, another style.
    StyleSwitch(Style),
    /// From here to the end of the row, another colour: its name, or `model:values` as in `rgb:1,0,0`.
    ColorSwitch(Text),
    /// `\tag{…}`: an equation number.
    Tag(Text),
    /// A wildcard of a query, with its name: what was typed without the stars around it. Wildcards of one
    /// name stand for the same thing; those without a name for anything, each by itself.
    Wildcard(Text),
    /// `\simto{…}`: a part of a query that need only be similar.
    Similar {
        /// A row or a single thing.
        body: NodeId,
    },
    /// Something kept as it was typed.
    Opaque {
        /// The name or the source text.
        text: Text,
        /// Why it is kept like this.
        reason: Opaque,
    },
}

/// A formula's layout, in an arena: three growing buffers and no pointers. Where a node came from is its span.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Node>,
    lists: Vec<NodeId>,
    buffer: String,
    root: Option<NodeId>,
}

impl Tree {
    /// The whole formula: a [`Kind::Row`]. `None` only before anything was read.
    #[must_use]
    pub fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// The node with this id.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What this node is.
    #[must_use]
    pub fn kind(&self, id: NodeId) -> Kind {
        self.nodes[id.index()].kind
    }

    /// The nodes of a list.
    #[must_use]
    pub fn list(&self, list: List) -> &[NodeId] {
        &self.lists[list.0.range()]
    }

    /// The children of a row; any other node is a row of itself.
    #[must_use]
    pub fn row<'t>(&'t self, id: &'t NodeId) -> &'t [NodeId] {
        match self.kind(*id) {
            Kind::Row(list) => self.list(list),
            _ => std::slice::from_ref(id),
        }
    }

    /// Calls `f` with the letters of a leaf.
    pub fn with_text<R>(&self, text: Text, f: impl FnOnce(&str) -> R) -> R {
        match text {
            Text::Char(c) => f(c.encode_utf8(&mut [0; 4])),
            Text::Static(name) => f(name),
            Text::Buffer(span) => f(&self.buffer[span.range()]),
        }
    }

    /// The letters of a leaf, in a string of their own.
    #[must_use]
    pub fn text(&self, text: Text) -> String {
        self.with_text(text, str::to_owned)
    }

    /// Appends the letters of a leaf to `out`.
    pub fn push_text(&self, text: Text, out: &mut String) {
        self.with_text(text, |letters| out.push_str(letters));
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was read yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes, in the order in which they were finished (children before parents).
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.lists.clear();
        self.buffer.clear();
        self.root = None;
    }

    pub(crate) fn set_root(&mut self, root: NodeId) {
        self.root = Some(root);
    }

    pub(crate) fn push(&mut self, kind: Kind, span: Span) -> NodeId {
        let id = NodeId::from_index(self.nodes.len());
        self.nodes.push(Node { kind, span });
        id
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }

    pub(crate) fn push_list(&mut self, items: &[NodeId]) -> List {
        let start = self.lists.len();
        self.lists.extend_from_slice(items);
        List(Span::new(start, self.lists.len()))
    }

    /// Makes every span hold those of the node's children, which macros may have brought from elsewhere.
    pub(crate) fn widen_spans(&mut self) {
        let mut children = Vec::new();
        for index in 0..self.nodes.len() {
            let id = NodeId::from_index(index);
            children.clear();
            self.children(id, &mut children);
            let span = self.nodes[index].span;
            self.nodes[index].span =
                children.iter().fold(span, |span, &(_, child)| span.to(self.node(child).span));
        }
    }

    /// Everything written to the text buffer since `start` was.
    pub(crate) fn text_since(&self, start: Text) -> Text {
        match start {
            Text::Buffer(span) => Text::Buffer(Span { start: span.start, end: self.buffer.len() as u32 }),
            Text::Char(_) | Text::Static(_) => start,
        }
    }

    /// Runs `write` on the text buffer and returns what it appended.
    pub(crate) fn write_text(&mut self, write: impl FnOnce(&mut String)) -> Text {
        let start = self.buffer.len();
        write(&mut self.buffer);
        Text::Buffer(Span::new(start, self.buffer.len()))
    }
}
