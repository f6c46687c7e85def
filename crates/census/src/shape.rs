//! How large is this formula, and of which kind, seen from its layout tree?

use formula::slt::build::BLANK;
use formula::slt::{Edge, Slt, SltId, Step};
use latex::{Class, command_for, typed_character};

/// Simple kinds of formulas. The first whose rule holds is the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormulaKind {
    /// Nothing is to be seen.
    Empty,
    /// One number and nothing else.
    Number,
    /// One other symbol, word or name and nothing else.
    Symbol,
    /// Somewhere in it stands a table of two or more rows.
    Table,
    /// The sign `=` stands on the main baseline.
    Equation,
    /// Another relation or an arrow stands on the main baseline.
    Relation,
    /// None of the others.
    Expression,
}

impl FormulaKind {
    /// All kinds, in the order in which their rules are tried.
    pub const ALL: [Self; 7] = [
        Self::Empty,
        Self::Number,
        Self::Symbol,
        Self::Table,
        Self::Equation,
        Self::Relation,
        Self::Expression,
    ];

    /// Its name in tables and files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Number => "number",
            Self::Symbol => "symbol",
            Self::Table => "table",
            Self::Equation => "equation",
            Self::Relation => "relation",
            Self::Expression => "expression",
        }
    }

    /// Its rule, in words.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Empty => "nothing is to be seen",
            Self::Number => "one number",
            Self::Symbol => "one other symbol, word or name",
            Self::Table => "a matrix, cases or several lines: two rows or more, anywhere in it",
            Self::Equation => "= on the main baseline",
            Self::Relation => "another relation or an arrow on the main baseline",
            Self::Expression => "all others",
        }
    }
}

/// The size and kind of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Nodes of the layout tree without blanks; a pair of fences is one, as is a fraction's line.
    pub symbols: u32,
    /// Nodes on the longest way from the first symbol to another: a baseline is a way too.
    pub depth: u32,
    /// How often the way to a symbol leaves a baseline, at most: 0 for `a+b`, 1 for `a_1`, 2 for `2^{a_1}`.
    pub nesting: u32,
    /// Of which kind it is.
    pub kind: FormulaKind,
}

impl Shape {
    /// Measures a tree.
    #[must_use]
    pub fn of(slt: &Slt) -> Self {
        let (mut symbols, mut depth, mut nesting) = (0, 0, 0);
        let (mut deep, mut nested) = (0_u32, 0_u32);
        let mut has_table = false;
        // Items of a list or table hang one from the other; only the first leaves the baseline.
        let leaves = |edge: Edge| u32::from(!matches!(edge, Edge::Next | Edge::Element));
        let mut edges: Vec<Edge> = Vec::new();
        for step in slt.walk() {
            match step {
                Step::Open(edge, id) => {
                    edges.push(edge);
                    deep += 1;
                    nested += leaves(edge);
                    let tag = slt.tag(id);
                    symbols += u32::from(tag != BLANK);
                    has_table |= has_rows(tag);
                    (depth, nesting) = (depth.max(deep), nesting.max(nested));
                }
                Step::Close => {
                    deep -= 1;
                    nested -= edges.pop().map_or(0, leaves);
                }
            }
        }
        let kind = match (symbols, slt.root()) {
            (0, _) | (_, None) => FormulaKind::Empty,
            (1, Some(root)) if depth == 1 && slt.tag(root).starts_with("N!") => FormulaKind::Number,
            _ if has_table => FormulaKind::Table,
            (1, Some(_)) if depth == 1 => FormulaKind::Symbol,
            (_, Some(root)) => on_baseline(slt, root),
        };
        Self { symbols, depth, nesting, kind }
    }
}

/// Whether a tag is that of a table with two rows or more: `M!`, fences, `RxC`.
fn has_rows(tag: &str) -> bool {
    let Some((before, columns)) = tag.strip_prefix("M!").and_then(|rest| rest.rsplit_once('x')) else {
        return false;
    };
    let rows = before.trim_start_matches(|c: char| !c.is_ascii_digit());
    columns.bytes().all(|byte| byte.is_ascii_digit()) && !rows.is_empty() && rows != "1" && rows != "0"
}

/// The kind of what has no table and is more than a symbol.
fn on_baseline(slt: &Slt, root: SltId) -> FormulaKind {
    let mut kind = FormulaKind::Expression;
    let mut at = Some(root);
    while let Some(id) = at {
        let tag = slt.tag(id);
        if tag == "=" {
            return FormulaKind::Equation;
        }
        if is_relation(tag) {
            kind = FormulaKind::Relation;
        }
        at = slt.next(id);
    }
    kind
}

fn is_relation(tag: &str) -> bool {
    // Names, numbers and tables have a letter and an exclamation mark before them.
    if tag.as_bytes().get(1) == Some(&b'!') && tag.len() > 2 {
        return false;
    }
    let mut chars = tag.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        match typed_character(c).0 {
            Class::Rel | Class::Arrow => return true,
            // Nobody types it as it is: the commands know more.
            Class::Ord => {}
            _ => return false,
        }
    }
    command_for(tag, Class::Rel).or_else(|| command_for(tag, Class::Arrow)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use formula::slt::from_latex;

    fn shape(latex: &str) -> Shape {
        let mut slt = Slt::default();
        from_latex(&latex::parse(latex).tree, &mut slt);
        Shape::of(&slt)
    }

    #[test]
    fn kinds_follow_their_rules() {
        for (kind, formulas) in [
            ("empty", &["", r"\ ", "{}", "%"][..]),
            ("number", &["0", "12.5", "{2}"]),
            ("symbol", &["x", r"\pi", r"\mathbb{R}", "=", r"\sin", r"\text{if}", "+"]),
            (
                "table",
                &[
                    r"\begin{matrix} a & b \\ c & d\end{matrix}",
                    r"A=\begin{pmatrix} a \\ c\end{pmatrix}",
                    r"\begin{align} a&=b\\ c&=d\end{align}",
                    r"f(x)=\begin{cases}1&x>0\\0&x\le0\end{cases}",
                ],
            ),
            ("equation", &["a=b", r"a^2+b^2=c^2", r"x\le y=z", r"f(x)=\sum_{i=1}^n i"]),
            (
                "relation",
                &["a<b", r"a\le b", r"a\neq b", r"x\in A", r"f\colon A\to B", r"a\implies b", r"A\subset B"],
            ),
            (
                "expression",
                &["H_n", "x^2", r"\sum_{i=1}^n i", "(a,b)", "f(x)", r"\{x\mid x>0\}", "a+b", "-1"],
            ),
        ] {
            for formula in formulas {
                assert_eq!(shape(formula).kind.name(), kind, "{formula}");
            }
        }
    }

    #[test]
    fn sizes_are_counted_in_the_tree() {
        for (latex, symbols, depth, nesting) in [
            ("", 0, 1, 0),
            ("x", 1, 1, 0),
            ("a+b", 3, 3, 0),
            ("a_1", 2, 2, 1),
            ("2^{a_1}", 3, 3, 2),
            (r"\frac12", 3, 2, 1),
            ("f(x,y)", 5, 4, 1),
            ("x^{2}+1", 4, 3, 1),
        ] {
            let found = shape(latex);
            assert_eq!((found.symbols, found.depth, found.nesting), (symbols, depth, nesting), "{latex}");
        }
    }

    #[test]
    fn deep_and_long_formulas_are_measured() {
        for latex in ["(".repeat(100_000), "^".repeat(100_000), "{a_".repeat(20_000), "x+".repeat(50_000)] {
            let found = shape(&latex);
            assert!(found.depth >= found.nesting, "{found:?}");
        }
    }

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let mut names: Vec<&str> = FormulaKind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FormulaKind::ALL.len());
        assert!(FormulaKind::ALL.iter().all(|kind| !kind.rule().is_empty()));
    }
}
