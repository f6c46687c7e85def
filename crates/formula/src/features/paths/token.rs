//! What a node of approach0's operator tree is, as far as structure goes.

use std::fmt;

macro_rules! tokens {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The class of a node. Symbols of one class match structurally and differ only as symbols.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Token {
            $($(#[$doc])* $name,)*
        }

        impl Token {
            /// All classes.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name approach0 has for it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

tokens! {
    /// Above a formula that is one leaf.
    Nil = "NIL",
    /// A letter.
    Var = "VAR",
    /// The number 0.
    Zero = "ZERO",
    /// The number 1.
    One = "ONE",
    /// Any other number.
    Num = "NUM",
    /// A number with a decimal point: its two halves.
    Float = "FLOAT",
    /// Dots.
    Dots = "DOTS",
    /// ∞
    Infty = "INFTY",
    /// ∅
    Empty = "EMPTY",
    /// π
    Pi = "PI",
    /// An asterisk.
    Star = "STAR",
    /// An upright stroke that is no fence.
    Vert = "VERT",
    /// Angle brackets, angles, triangles.
    Angle = "ANGLE",
    /// ∂ and ∇
    Partial = "PARTIAL",
    /// ⊥
    Perp = "PERP",
    /// ∘
    Circ = "CIRC",
    /// %
    Percent = "PERCENT",
    /// ′
    Prime = "PRIME",
    /// sin and its kin.
    Trigonometric = "TRIGONOMETRIC",
    /// Logarithms.
    Log = "LOG",
    /// exp
    Exp = "EXP",
    /// Other names, and text.
    NameFun = "NAME_FUN",
    /// max and min.
    Maxmin = "MAXMIN",
    /// Sums.
    Sum = "SUM",
    /// Products.
    Prod = "PROD",
    /// Integrals.
    Int = "INT",
    /// lim
    Lim = "LIM",
    /// inf, sup and limits of them.
    Infsup = "INFSUP",
    /// Big unions and intersections.
    Bcapcup = "BCAPCUP",
    /// Other big operators.
    Bigo = "BIGO",
    /// arg
    Arg = "ARG",
    /// A wildcard of a query.
    Wildcard = "WILDCARD",
    /// Sums of two and more, differences.
    Add = "ADD",
    /// Around an operand of a sum: its sign.
    Sign = "SIGN",
    /// Products of two and more.
    Times = "TIMES",
    /// Relations such as = and <.
    Gtls = "GTLS",
    /// ⊂ and its kin.
    Subset = "SUBSET",
    /// Unions, intersections, and, or.
    Capcup = "CAPCUP",
    /// ∈ and its kin.
    Inni = "INNI",
    /// ∥
    Parall = "PARALL",
    /// ∝
    Propto = "PROPTO",
    /// ⋈
    Bowtie = "BOWTIE",
    /// Arrows.
    Arrow = "ARROW",
    /// Brackets.
    Group = "GROUP",
    /// ⌈ ⌉
    Ceil = "CEIL",
    /// ⌊ ⌋
    Floor = "FLOOR",
    /// | |
    Verts = "VERTS",
    /// The rows of a table.
    TabRow = "TAB_ROW",
    /// The cells of a row.
    TabCol = "TAB_COL",
    /// A symbol with what hangs from it.
    Hanger = "HANGER",
    /// The symbol itself.
    Base = "BASE",
    /// A superscript.
    Supscript = "SUPSCRIPT",
    /// A subscript.
    Subscript = "SUBSCRIPT",
    /// Fractions, however written.
    Frac = "FRAC",
    /// Binomials.
    Binom = "BINOM",
    /// Roots.
    Root = "ROOT",
    /// mod
    Modular = "MODULAR",
    /// Arrows over something.
    Vect = "VECT",
    /// Factorials.
    Fact = "FACT",
    /// Commas, colons, line breaks.
    Sep = "SEP",
    /// ∀
    Forall = "FORALL",
    /// ∃
    Exists = "EXISTS",
}

impl Token {
    /// Whether the order of children does not count.
    #[must_use]
    pub const fn is_commutative(self) -> bool {
        !matches!(
            self,
            Self::Frac
                | Self::Binom
                | Self::Root
                | Self::Modular
                | Self::Vect
                | Self::Fact
                | Self::Sep
                | Self::Forall
                | Self::Exists
                | Self::Float
        )
    }

    /// Whether an operator below itself is one with it.
    pub(super) const fn is_flat(self) -> bool {
        matches!(
            self,
            Self::Add
                | Self::Times
                | Self::Gtls
                | Self::Subset
                | Self::Capcup
                | Self::Inni
                | Self::Parall
                | Self::Propto
                | Self::Bowtie
                | Self::Arrow
        )
    }

    /// Whether scripts of this sign make a node of the same class.
    pub(super) const fn is_sum_class(self) -> bool {
        matches!(
            self,
            Self::Sum
                | Self::Prod
                | Self::Int
                | Self::Lim
                | Self::Infsup
                | Self::Bcapcup
                | Self::Bigo
                | Self::Arg
        )
    }

    /// Whether a node says what its leaves are part of, so that it counts in fingerprints.
    pub(super) const fn is_structural(self) -> bool {
        !matches!(self, Self::Base | Self::Hanger | Self::Sign | Self::Nil)
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
