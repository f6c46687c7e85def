//! Commands with a rule of their own, by name.

use crate::tree::{Bar, Class, Enclosure, Style, TableKind, Text};

/// What a structural command does; `commands.rs` does it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Structure {
    /// `\frac{a}{b}`
    Fraction { bar: Bar, left: Option<char>, right: Option<char>, style: Option<Style> },
    /// `\cfrac[l]{a}{b}`
    ContinuedFraction,
    /// `\genfrac{(}{)}{0pt}{}{a}{b}`
    GeneralFraction,
    /// `a \over b`
    Infix { bar: Bar, left: Option<char>, right: Option<char> },
    /// `a \above1pt b`
    Above,
    /// `a \overwithdelims() b`
    InfixWithDelimiters { bar: Bar },
    /// `\sqrt[n]{x}`
    SquareRoot,
    /// `\root n \of x`
    RootOf,
    /// `\left`
    Left,
    /// `\right` that nothing waits for
    StrayRight,
    /// `\middle`
    Middle,
    /// `\big`, `\bigl`, …; `None` lets the delimiter say what it is.
    Big(Option<Class>),
    /// `\begin`
    Begin,
    /// `\end` that nothing waits for
    StrayEnd,
    /// `\\` outside a table
    LineBreak,
    /// `\matrix{… \cr …}` and other tables in braces
    BraceTable { kind: TableKind, left: Option<char>, right: Option<char> },
    /// iTeX's `\array{\arrayopts{…} … \\ …}`
    BraceArray,
    /// `\operatorname`
    OperatorName,
    /// `\mathop`, `\mathrel`, …
    Classed(Class),
    /// `\varlimsup` and its kin: `lim` with a mark
    MarkedLimit { mark: char, under: bool },
    /// `\not`
    Not,
    /// `\overset{a}{b}`
    Overset,
    /// `\underset{a}{b}`
    Underset,
    /// `\overunderset{a}{b}{c}`
    Overunderset,
    /// iTeX's `\underoverset{a}{b}{c}`
    Underoverset,
    /// `\buildrel a \over b`
    BuildRelation,
    /// `\xrightarrow[b]{a}`
    ExtensibleArrow(char),
    /// `\sideset{}{}`
    Sideset,
    /// `\prescript{a}{b}{c}`
    Prescript,
    /// `\tensor[^a]{T}{_b^c}`
    Tensor,
    /// iTeX's `\multiscripts{_a^b}{T}{_c^d}`
    Multiscripts,
    /// `\boxed`, `\cancel`, …
    Enclose(Enclosure),
    /// `\fbox{text}`
    TextBox,
    /// `\cancelto{a}{b}`
    CancelTo,
    /// `\enclose{notation}{x}`
    EncloseAs,
    /// `\phantom` and its kin
    Phantom,
    /// The argument and nothing else (`\smash`, `\mathstrut` without one)
    Transparent,
    /// Arguments that are read and left out: how many in brackets at most, how many in braces.
    Ignored(u8),
    /// The first arguments are left out, the last one is kept.
    Wrapper(u8),
    /// The same, with text as the last one.
    TextWrapper(u8),
    /// `\mathchoice`: the second of four
    MathChoice,
    /// A style switch
    Style(Style),
    /// `\large` and its kin
    Size,
    /// `\color{…}`
    Color,
    /// `\textcolor{…}{…}`, `\colorbox{…}{…}`
    TextColor,
    /// A length behind it is skipped (`\hskip 1em`)
    Skip,
    /// A length in braces (`\hspace{1em}`)
    HorizontalSpace,
    /// `\tag{…}`
    Tag,
    /// `\def`
    DefinePlain,
    /// `\newcommand`
    DefineLatex,
    /// `\let`
    DefineAlias,
    /// `\DeclareMathOperator`
    DefineOperator,
    /// `\bmod`, and `\mod`, `\pmod`, `\pod` with what stands around them
    Modulo(Modulo),
    /// `\bra`, `\ket`, …
    BraKet { left: char, right: char },
    /// `\abs{x}`, `\norm x`; before a delimiter, as in `\abs(x)`, a function's name
    Delimited { left: char, right: char },
    /// `\Set{…}` in braces, otherwise the category of sets
    SetOrName,
    /// `\Braket`, `\braket` with bars inside
    FullBraKet,
    /// `\ketbra{a}{b}`
    KetBra,
    /// `\simto{…}`
    Similar,
    /// `\qvar{…}`
    Wildcard,
    /// `\qvar@construct{…}`
    ConstructedWildcard,
    /// `\unicode{x2102}`
    Unicode,
    /// `\char"41`
    CharCode,
    /// Kept in one piece with its argument (`\ce`)
    Unread,
    /// The same, with whatever stands in front of the argument (`\xymatrix`), or up to the end (`\xy`)
    UnreadDiagram,
    /// `\verb|…|`
    Verbatim,
    /// `\bgroup`
    BeginGroup,
    /// `\egroup` that nothing waits for
    StrayEndGroup,
    /// `\limits` without an operator
    StrayLimits,
    /// `\ref`, `\eqref`: the name as text
    Reference { parentheses: bool },
    /// `\(`, `\)`, `\[`, `\]` inside a formula
    MathDelimiter,
    /// `\LaTeX`
    Logo(&'static str),
    /// `\sp`, `\sb`
    ScriptCommand { above: bool },
    /// LaTeXML's inner form of a table without its `\begin` and `\end`
    RestOfTable,
    /// `\'e`
    LetterAccent,
    /// `\dots`
    Dots,
    /// Left out
    Nothing,
}

/// The spellings of "modulo".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modulo {
    /// `a \bmod b`
    Binary,
    /// `a \mod b`
    Spaced,
    /// `a \pmod b`
    Parenthesised,
    /// `a \pod b`
    Bare,
}

const fn fraction(bar: Bar, style: Option<Style>) -> Structure {
    Structure::Fraction { bar, left: None, right: None, style }
}

const fn binomial(style: Option<Style>) -> Structure {
    Structure::Fraction { bar: Bar::None, left: Some('('), right: Some(')'), style }
}

const fn infix(bar: Bar, left: Option<char>, right: Option<char>) -> Structure {
    Structure::Infix { bar, left, right }
}

const fn brace_table(kind: TableKind, left: Option<char>, right: Option<char>) -> Structure {
    Structure::BraceTable { kind, left, right }
}

/// Every structural command.
pub(crate) const STRUCTURES: &[(&str, Structure)] = &[
    // Fractions
    ("frac", fraction(Bar::Line, None)),
    ("dfrac", fraction(Bar::Line, Some(Style::Display))),
    ("tfrac", fraction(Bar::Line, Some(Style::Text))),
    ("sfrac", fraction(Bar::Line, Some(Style::Text))),
    ("nicefrac", fraction(Bar::Line, Some(Style::Text))),
    ("cfrac", Structure::ContinuedFraction),
    ("genfrac", Structure::GeneralFraction),
    ("binom", binomial(None)),
    ("dbinom", binomial(Some(Style::Display))),
    ("tbinom", binomial(Some(Style::Text))),
    ("binomial", binomial(None)),
    ("over", infix(Bar::Line, None, None)),
    ("atop", infix(Bar::None, None, None)),
    ("choose", infix(Bar::None, Some('('), Some(')'))),
    ("brace", infix(Bar::None, Some('{'), Some('}'))),
    ("brack", infix(Bar::None, Some('['), Some(']'))),
    ("bangle", infix(Bar::None, Some('⟨'), Some('⟩'))),
    ("above", Structure::Above),
    ("overwithdelims", Structure::InfixWithDelimiters { bar: Bar::Line }),
    ("atopwithdelims", Structure::InfixWithDelimiters { bar: Bar::None }),
    // Roots
    ("sqrt", Structure::SquareRoot),
    ("root", Structure::RootOf),
    // Delimiters
    ("left", Structure::Left),
    ("right", Structure::StrayRight),
    ("middle", Structure::Middle),
    ("big", Structure::Big(None)),
    ("Big", Structure::Big(None)),
    ("bigg", Structure::Big(None)),
    ("Bigg", Structure::Big(None)),
    ("bigl", Structure::Big(Some(Class::Open))),
    ("Bigl", Structure::Big(Some(Class::Open))),
    ("biggl", Structure::Big(Some(Class::Open))),
    ("Biggl", Structure::Big(Some(Class::Open))),
    ("bigr", Structure::Big(Some(Class::Close))),
    ("Bigr", Structure::Big(Some(Class::Close))),
    ("biggr", Structure::Big(Some(Class::Close))),
    ("Biggr", Structure::Big(Some(Class::Close))),
    ("bigm", Structure::Big(Some(Class::Rel))),
    ("Bigm", Structure::Big(Some(Class::Rel))),
    ("biggm", Structure::Big(Some(Class::Rel))),
    ("Biggm", Structure::Big(Some(Class::Rel))),
    // Tables
    ("begin", Structure::Begin),
    ("end", Structure::StrayEnd),
    ("\\", Structure::LineBreak),
    ("cr", Structure::LineBreak),
    ("newline", Structure::LineBreak),
    ("linebreak", Structure::LineBreak),
    ("tabularnewline", Structure::LineBreak),
    ("matrix", brace_table(TableKind::Matrix, None, None)),
    ("pmatrix", brace_table(TableKind::Matrix, Some('('), Some(')'))),
    ("bordermatrix", brace_table(TableKind::Matrix, Some('('), Some(')'))),
    ("cases", brace_table(TableKind::Cases, Some('{'), None)),
    ("eqalign", brace_table(TableKind::Align, None, None)),
    ("eqalignno", brace_table(TableKind::Align, None, None)),
    ("leqalignno", brace_table(TableKind::Align, None, None)),
    ("displaylines", brace_table(TableKind::Gather, None, None)),
    ("substack", brace_table(TableKind::Substack, None, None)),
    ("array", Structure::BraceArray),
    ("arrayopts", Structure::Ignored(1)),
    ("rowopts", Structure::Ignored(1)),
    ("cellopts", Structure::Ignored(1)),
    ("@@eqnarray", Structure::RestOfTable),
    ("@@amsalign", Structure::RestOfTable),
    ("hline", Structure::Nothing),
    ("toprule", Structure::Nothing),
    ("midrule", Structure::Nothing),
    ("bottomrule", Structure::Nothing),
    ("hdashline", Structure::Nothing),
    ("hdash", Structure::Nothing),
    ("hlinedash", Structure::Nothing),
    ("cline", Structure::Ignored(1)),
    ("noalign", Structure::Ignored(1)),
    ("cmidrule", Structure::Ignored(1)),
    ("multicolumn", Structure::Wrapper(2)),
    ("multirow", Structure::Wrapper(2)),
    ("intertext", Structure::Reference { parentheses: false }),
    ("shortintertext", Structure::Reference { parentheses: false }),
    // Classes and names
    ("operatorname", Structure::OperatorName),
    ("operatornamewithlimits", Structure::OperatorName),
    ("mathop", Structure::Classed(Class::BigOp)),
    ("mathrel", Structure::Classed(Class::Rel)),
    ("mathbin", Structure::Classed(Class::Bin)),
    ("mathord", Structure::Classed(Class::Ord)),
    ("mathopen", Structure::Classed(Class::Open)),
    ("mathclose", Structure::Classed(Class::Close)),
    ("mathpunct", Structure::Classed(Class::Punct)),
    ("mathinner", Structure::Classed(Class::Inner)),
    ("varlimsup", Structure::MarkedLimit { mark: '¯', under: false }),
    ("varliminf", Structure::MarkedLimit { mark: '¯', under: true }),
    ("varinjlim", Structure::MarkedLimit { mark: '→', under: true }),
    ("varprojlim", Structure::MarkedLimit { mark: '←', under: true }),
    ("not", Structure::Not),
    ("centernot", Structure::Not),
    ("limits", Structure::StrayLimits),
    ("nolimits", Structure::StrayLimits),
    ("displaylimits", Structure::StrayLimits),
    ("sp", Structure::ScriptCommand { above: true }),
    ("sb", Structure::ScriptCommand { above: false }),
    // Things above and below
    ("overset", Structure::Overset),
    ("stackrel", Structure::Overset),
    ("stackbin", Structure::Overset),
    ("underset", Structure::Underset),
    ("overunderset", Structure::Overunderset),
    ("underoverset", Structure::Underoverset),
    ("buildrel", Structure::BuildRelation),
    ("xrightarrow", Structure::ExtensibleArrow('→')),
    ("xleftarrow", Structure::ExtensibleArrow('←')),
    ("xleftrightarrow", Structure::ExtensibleArrow('↔')),
    ("xRightarrow", Structure::ExtensibleArrow('⇒')),
    ("xLeftarrow", Structure::ExtensibleArrow('⇐')),
    ("xLeftrightarrow", Structure::ExtensibleArrow('⇔')),
    ("xhookrightarrow", Structure::ExtensibleArrow('↪')),
    ("xhookleftarrow", Structure::ExtensibleArrow('↩')),
    ("xmapsto", Structure::ExtensibleArrow('↦')),
    ("xrightharpoonup", Structure::ExtensibleArrow('⇀')),
    ("xrightharpoondown", Structure::ExtensibleArrow('⇁')),
    ("xleftharpoonup", Structure::ExtensibleArrow('↼')),
    ("xleftharpoondown", Structure::ExtensibleArrow('↽')),
    ("xrightleftharpoons", Structure::ExtensibleArrow('⇌')),
    ("xleftrightharpoons", Structure::ExtensibleArrow('⇋')),
    ("xtwoheadrightarrow", Structure::ExtensibleArrow('↠')),
    ("xtwoheadleftarrow", Structure::ExtensibleArrow('↞')),
    ("xlongequal", Structure::ExtensibleArrow('=')),
    ("xtofrom", Structure::ExtensibleArrow('⇄')),
    ("sideset", Structure::Sideset),
    ("prescript", Structure::Prescript),
    ("tensor", Structure::Tensor),
    ("multiscripts", Structure::Multiscripts),
    // Boxes
    ("boxed", Structure::Enclose(Enclosure::Box)),
    ("fbox", Structure::TextBox),
    ("framebox", Structure::TextBox),
    ("cancel", Structure::Enclose(Enclosure::Cancel)),
    ("bcancel", Structure::Enclose(Enclosure::BackCancel)),
    ("xcancel", Structure::Enclose(Enclosure::CrossCancel)),
    ("cancelto", Structure::CancelTo),
    ("canceledto", Structure::CancelTo),
    ("enclose", Structure::EncloseAs),
    ("sout", Structure::Enclose(Enclosure::Other(Text::Static("horizontalstrike")))),
    ("phase", Structure::Enclose(Enclosure::Other(Text::Static("phasorangle")))),
    ("angl", Structure::Enclose(Enclosure::Other(Text::Static("actuarial")))),
    ("phantom", Structure::Phantom),
    ("hphantom", Structure::Phantom),
    ("vphantom", Structure::Phantom),
    ("smash", Structure::Transparent),
    ("mathclap", Structure::Transparent),
    ("mathllap", Structure::Transparent),
    ("mathrlap", Structure::Transparent),
    ("llap", Structure::Transparent),
    ("rlap", Structure::Transparent),
    ("clap", Structure::Transparent),
    ("ensuremath", Structure::Transparent),
    ("mathstrut", Structure::Nothing),
    ("strut", Structure::Nothing),
    ("vcenter", Structure::Transparent),
    ("shoveleft", Structure::Transparent),
    ("shoveright", Structure::Transparent),
    ("mathlarger", Structure::Transparent),
    ("mathsmaller", Structure::Transparent),
    ("bbox", Structure::Transparent),
    ("ds", Structure::Transparent),
    ("itexnum", Structure::Transparent),
    ("mtexnum", Structure::Transparent),
    ("mmlToken", Structure::Wrapper(1)),
    ("class", Structure::Wrapper(1)),
    ("style", Structure::Wrapper(1)),
    ("cssId", Structure::Wrapper(1)),
    ("href", Structure::Wrapper(1)),
    ("statusline", Structure::Wrapper(1)),
    ("tooltip", Structure::Wrapper(1)),
    ("toggle", Structure::Wrapper(1)),
    ("fghilight", Structure::Wrapper(1)),
    ("fghighlight", Structure::Wrapper(1)),
    ("bghilight", Structure::Wrapper(1)),
    ("bghighlight", Structure::Wrapper(1)),
    ("mathraisebox", Structure::Wrapper(1)),
    ("raisebox", Structure::TextWrapper(1)),
    ("parbox", Structure::TextWrapper(1)),
    ("makebox", Structure::TextWrapper(0)),
    ("skew", Structure::Wrapper(1)),
    ("htmlClass", Structure::Wrapper(1)),
    ("htmlId", Structure::Wrapper(1)),
    ("htmlStyle", Structure::Wrapper(1)),
    ("htmlData", Structure::Wrapper(1)),
    ("mathchoice", Structure::MathChoice),
    // Styles, sizes, colours
    ("displaystyle", Structure::Style(Style::Display)),
    ("textstyle", Structure::Style(Style::Text)),
    ("scriptstyle", Structure::Style(Style::Script)),
    ("scriptscriptstyle", Structure::Style(Style::ScriptScript)),
    ("textsize", Structure::Style(Style::Text)),
    ("scriptscriptsize", Structure::Style(Style::ScriptScript)),
    ("tiny", Structure::Size),
    ("Tiny", Structure::Size),
    ("scriptsize", Structure::Size),
    ("SMALL", Structure::Size),
    ("footnotesize", Structure::Size),
    ("small", Structure::Size),
    ("normalsize", Structure::Size),
    ("large", Structure::Size),
    ("Large", Structure::Size),
    ("LARGE", Structure::Size),
    ("huge", Structure::Size),
    ("Huge", Structure::Size),
    ("color", Structure::Color),
    ("textcolor", Structure::TextColor),
    ("colorbox", Structure::TextColor),
    ("fcolorbox", Structure::TextWrapper(2)),
    ("definecolor", Structure::Ignored(3)),
    ("pagecolor", Structure::Ignored(1)),
    ("bgcolor", Structure::Ignored(1)),
    // Space that is measured
    ("hskip", Structure::Skip),
    ("mskip", Structure::Skip),
    ("kern", Structure::Skip),
    ("mkern", Structure::Skip),
    ("vskip", Structure::Skip),
    ("raise", Structure::Skip),
    ("lower", Structure::Skip),
    ("moveleft", Structure::Skip),
    ("moveright", Structure::Skip),
    ("uproot", Structure::Ignored(1)),
    ("leftroot", Structure::Ignored(1)),
    ("hspace", Structure::HorizontalSpace),
    ("mspace", Structure::HorizontalSpace),
    ("vspace", Structure::Ignored(1)),
    ("rule", Structure::Ignored(2)),
    ("Rule", Structure::Ignored(3)),
    ("Space", Structure::Ignored(3)),
    // Numbers, labels and the page around the formula
    ("tag", Structure::Tag),
    ("notag", Structure::Nothing),
    ("nonumber", Structure::Nothing),
    ("label", Structure::Ignored(1)),
    ("index", Structure::Ignored(1)),
    ("cite", Structure::Reference { parentheses: false }),
    ("ref", Structure::Reference { parentheses: false }),
    ("url", Structure::Reference { parentheses: false }),
    ("eqref", Structure::Reference { parentheses: true }),
    ("require", Structure::Ignored(1)),
    ("usepackage", Structure::Ignored(1)),
    ("renewenvironment", Structure::Ignored(3)),
    ("newenvironment", Structure::Ignored(3)),
    ("newtheorem", Structure::Ignored(2)),
    ("footnote", Structure::Ignored(1)),
    ("DeclarePairedDelimiter", Structure::Ignored(3)),
    ("expandafter", Structure::Nothing),
    ("noexpand", Structure::Nothing),
    ("setlength", Structure::Ignored(2)),
    ("linethickness", Structure::Ignored(1)),
    ("allowbreak", Structure::Nothing),
    ("nobreak", Structure::Nothing),
    ("break", Structure::Nothing),
    ("noindent", Structure::Nothing),
    ("centering", Structure::Nothing),
    ("par", Structure::LineBreak),
    ("protect", Structure::Nothing),
    ("relax", Structure::Nothing),
    ("null", Structure::Nothing),
    ("hfil", Structure::Nothing),
    ("hfill", Structure::Nothing),
    ("hss", Structure::Nothing),
    ("hidewidth", Structure::Nothing),
    ("pagebreak", Structure::Nothing),
    ("newpage", Structure::Nothing),
    ("smallskip", Structure::Nothing),
    ("medskip", Structure::Nothing),
    ("bigskip", Structure::Nothing),
    ("/", Structure::Nothing),
    ("-", Structure::Nothing),
    ("@", Structure::Nothing),
    // Definitions
    ("def", Structure::DefinePlain),
    ("gdef", Structure::DefinePlain),
    ("edef", Structure::DefinePlain),
    ("xdef", Structure::DefinePlain),
    ("newcommand", Structure::DefineLatex),
    ("renewcommand", Structure::DefineLatex),
    ("providecommand", Structure::DefineLatex),
    ("DeclareRobustCommand", Structure::DefineLatex),
    ("let", Structure::DefineAlias),
    ("DeclareMathOperator", Structure::DefineOperator),
    ("long", Structure::Nothing),
    ("global", Structure::Nothing),
    ("dots", Structure::Dots),
    // Congruences
    ("bmod", Structure::Modulo(Modulo::Binary)),
    ("mod", Structure::Modulo(Modulo::Spaced)),
    ("pmod", Structure::Modulo(Modulo::Parenthesised)),
    ("pod", Structure::Modulo(Modulo::Bare)),
    // Bra-kets
    ("bra", Structure::BraKet { left: '⟨', right: '|' }),
    ("ket", Structure::BraKet { left: '|', right: '⟩' }),
    ("Bra", Structure::BraKet { left: '⟨', right: '|' }),
    ("Ket", Structure::BraKet { left: '|', right: '⟩' }),
    ("braket", Structure::FullBraKet),
    ("Braket", Structure::FullBraKet),
    ("set", Structure::BraKet { left: '{', right: '}' }),
    ("Set", Structure::SetOrName),
    ("ketbra", Structure::KetBra),
    ("Ketbra", Structure::KetBra),
    // Delimiters around an argument, by the names that authors give them
    ("abs", Structure::Delimited { left: '|', right: '|' }),
    ("verts", Structure::Delimited { left: '|', right: '|' }),
    ("norm", Structure::Delimited { left: '∥', right: '∥' }),
    ("floor", Structure::Delimited { left: '⌊', right: '⌋' }),
    ("ceil", Structure::Delimited { left: '⌈', right: '⌉' }),
    ("paren", Structure::Delimited { left: '(', right: ')' }),
    ("parens", Structure::Delimited { left: '(', right: ')' }),
    ("pars", Structure::Delimited { left: '(', right: ')' }),
    ("bracks", Structure::Delimited { left: '[', right: ']' }),
    ("braces", Structure::Delimited { left: '{', right: '}' }),
    ("angles", Structure::Delimited { left: '⟨', right: '⟩' }),
    // Queries
    ("simto", Structure::Similar),
    ("qvar", Structure::Wildcard),
    ("qvar@construct", Structure::ConstructedWildcard),
    // Characters by number
    ("unicode", Structure::Unicode),
    ("char", Structure::CharCode),
    ("symbol", Structure::CharCode),
    ("mathchar", Structure::CharCode),
    ("'", Structure::LetterAccent),
    ("`", Structure::LetterAccent),
    ("\"", Structure::LetterAccent),
    ("^", Structure::LetterAccent),
    ("~", Structure::LetterAccent),
    ("=", Structure::LetterAccent),
    (".", Structure::LetterAccent),
    // In one piece
    ("ce", Structure::Unread),
    ("cee", Structure::Unread),
    ("pu", Structure::Unread),
    ("xymatrix", Structure::UnreadDiagram),
    ("xy", Structure::UnreadDiagram),
    ("tikz", Structure::Unread),
    ("includegraphics", Structure::Unread),
    ("image", Structure::Unread),
    ("verb", Structure::Verbatim),
    // Groups
    ("bgroup", Structure::BeginGroup),
    ("begingroup", Structure::BeginGroup),
    ("egroup", Structure::StrayEndGroup),
    ("endgroup", Structure::StrayEndGroup),
    ("(", Structure::MathDelimiter),
    (")", Structure::MathDelimiter),
    ("[", Structure::MathDelimiter),
    ("]", Structure::MathDelimiter),
    ("LaTeX", Structure::Logo("LaTeX")),
    ("TeX", Structure::Logo("TeX")),
    ("LaTeXe", Structure::Logo("LaTeX2ε")),
];
