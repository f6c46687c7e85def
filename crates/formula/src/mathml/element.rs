//! The elements of Presentation MathML, by what the reader does with them.

use crate::slt::Leaf;

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// Around everything, not in the text.
    Document,
    Math,
    Row,
    Padded,
    Style,
    Semantics,
    Leaf(Leaf),
    QuotedText,
    Glyph,
    Wildcard,
    /// A part of a query that need only be similar.
    Similar,
    Sub,
    Sup,
    SubSup,
    Under,
    Over,
    UnderOver,
    Multiscripts,
    Prescripts,
    Fraction,
    Sqrt,
    Root,
    Table,
    TableRow,
    LabeledRow,
    Cell,
    Enclose,
    Error,
    Space,
    Phantom,
    Fenced,
    Action,
    Annotation,
    AnnotationXml,
    /// The head of a content tree, which is not read here.
    Content,
    /// Anything inside a leaf; its text is the leaf's.
    InLeaf,
    Unknown,
}

impl Element {
    /// The element with this name, without its namespace prefix.
    pub(super) fn from_name(name: &str) -> Self {
        match name {
            "math" => Self::Math,
            "mrow" => Self::Row,
            "mpadded" => Self::Padded,
            "mstyle" => Self::Style,
            "semantics" => Self::Semantics,
            "mi" => Self::Leaf(Leaf::Identifier),
            "mn" => Self::Leaf(Leaf::Number),
            "mo" => Self::Leaf(Leaf::Operator),
            "mtext" => Self::Leaf(Leaf::Text),
            "ms" => Self::QuotedText,
            "mglyph" => Self::Glyph,
            "qvar" => Self::Wildcard,
            "simto" => Self::Similar,
            "msub" => Self::Sub,
            "msup" => Self::Sup,
            "msubsup" => Self::SubSup,
            "munder" => Self::Under,
            "mover" => Self::Over,
            "munderover" => Self::UnderOver,
            "mmultiscripts" => Self::Multiscripts,
            "mprescripts" => Self::Prescripts,
            "mfrac" => Self::Fraction,
            "msqrt" => Self::Sqrt,
            "mroot" => Self::Root,
            "mtable" => Self::Table,
            "mtr" => Self::TableRow,
            "mlabeledtr" => Self::LabeledRow,
            "mtd" => Self::Cell,
            "menclose" => Self::Enclose,
            "merror" => Self::Error,
            "mspace" | "none" | "malignmark" | "maligngroup" => Self::Space,
            "mphantom" => Self::Phantom,
            "mfenced" => Self::Fenced,
            "maction" => Self::Action,
            "annotation" => Self::Annotation,
            "annotation-xml" => Self::AnnotationXml,
            "apply" | "bind" | "ci" | "cn" | "csymbol" | "cerror" | "cs" | "cbytes" | "share"
            | "piecewise" | "lambda" | "matrix" | "vector" | "set" | "list" | "interval" | "infinity"
            | "emptyset" | "imaginaryi" | "exponentiale" | "pi" | "true" | "false" => Self::Content,
            _ => Self::Unknown,
        }
    }

    /// Whether the labs' reader knows it.
    pub(super) fn is_known_to_labs(self) -> bool {
        !matches!(
            self,
            Self::Unknown
                | Self::Content
                | Self::QuotedText
                | Self::Glyph
                | Self::LabeledRow
                | Self::Action
                | Self::Similar
        )
    }

    /// Whether its text makes a tag.
    pub(super) fn holds_text(self) -> bool {
        matches!(
            self,
            Self::Leaf(_) | Self::QuotedText | Self::Glyph | Self::Wildcard | Self::Error | Self::InLeaf
        )
    }

    /// Whether taking its tags away changes only how things are grouped.
    pub(super) fn is_row_like(self) -> bool {
        matches!(self, Self::Row | Self::Padded | Self::Style | Self::Similar | Self::Unknown)
    }

    /// Whether nothing in it is read.
    pub(super) fn is_skipped(self) -> bool {
        matches!(self, Self::Annotation | Self::Content | Self::Phantom | Self::Space)
    }
}
