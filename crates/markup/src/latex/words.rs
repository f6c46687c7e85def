//! What LaTeX commands stand for in text.

/// What a command does.
#[derive(Clone, Copy)]
pub(crate) enum Command {
    /// It stands for this text.
    Text(&'static str),
    /// Its argument stands between these tags.
    Inline(&'static str, &'static str),
    /// Its argument is a block between these tags.
    Heading(&'static str, &'static str),
    /// It and this many arguments are not text.
    Drop(u32),
    /// Only its name is dropped.
    Unknown,
}

/// What the command with this name does.
pub(crate) fn command(name: &str) -> Command {
    use Command::{Drop, Heading, Inline, Text, Unknown};
    match name {
        "title" | "part" | "chapter" => Heading("<h1>", "</h1>"),
        "section" => Heading("<h2>", "</h2>"),
        "subsection" => Heading("<h3>", "</h3>"),
        "subsubsection" => Heading("<h4>", "</h4>"),
        "paragraph" | "subparagraph" => Heading("<p><b>", "</b> "),
        "author" | "date" | "caption" => Heading("<p>", "</p>"),
        "emph" | "textit" | "textsl" => Inline("<em>", "</em>"),
        "textbf" => Inline("<strong>", "</strong>"),
        "underline" => Inline("<u>", "</u>"),
        "texttt" | "url" | "path" => Inline("<code>", "</code>"),
        "textsuperscript" => Inline("<sup>", "</sup>"),
        "textsubscript" => Inline("<sub>", "</sub>"),
        "footnote" | "thanks" => Inline(" (", ")"),
        "cite" | "citep" | "citet" | "ref" | "eqref" | "cref" | "autoref" => Inline("[", "]"),
        "enquote" => Inline("“", "”"),
        "label" | "index" | "vspace" | "hspace" | "bibliographystyle" | "bibliography" | "usepackage"
        | "documentclass" | "includegraphics" | "input" | "include" | "pagestyle" | "thispagestyle"
        | "hypersetup" | "bibitem" | "color" | "theoremstyle" | "pagenumbering" => Drop(1),
        "newcommand"
        | "renewcommand"
        | "providecommand"
        | "setlength"
        | "setcounter"
        | "newtheorem"
        | "addtocounter"
        | "DeclareMathOperator" => Drop(2),
        "newenvironment" | "renewenvironment" => Drop(3),
        "ss" => Text("ß"),
        "ae" => Text("æ"),
        "AE" => Text("Æ"),
        "oe" => Text("œ"),
        "OE" => Text("Œ"),
        "o" => Text("ø"),
        "O" => Text("Ø"),
        "aa" => Text("å"),
        "AA" => Text("Å"),
        "l" => Text("ł"),
        "L" => Text("Ł"),
        "i" => Text("ı"),
        "j" => Text("ȷ"),
        "S" => Text("§"),
        "P" => Text("¶"),
        "copyright" => Text("©"),
        "pounds" => Text("£"),
        "dots" | "ldots" | "textellipsis" => Text("…"),
        "textbackslash" => Text("\\"),
        "textasciitilde" => Text("~"),
        "textasciicircum" => Text("^"),
        "textbar" => Text("|"),
        "textless" => Text("<"),
        "textgreater" => Text(">"),
        "textendash" => Text("–"),
        "textemdash" => Text("—"),
        "textquotedblleft" => Text("“"),
        "textquotedblright" => Text("”"),
        "textquoteleft" => Text("‘"),
        "textquoteright" => Text("’"),
        "LaTeX" => Text("LaTeX"),
        "TeX" => Text("TeX"),
        "qed" => Text("∎"),
        "quad" | "qquad" | "enspace" | "thinspace" | "space" | "newline" | "linebreak" | "hfill" => Text(" "),
        _ => Unknown,
    }
}

/// Whether a command defines another one.
pub(crate) fn defines(name: &str) -> bool {
    matches!(name, "newcommand" | "renewcommand" | "providecommand" | "DeclareMathOperator")
}

/// The title of the paragraph that an environment becomes.
pub(crate) fn environment(name: &str) -> Option<&'static str> {
    Some(match name {
        "theorem" | "thm" | "Theorem" => "Theorem",
        "lemma" | "lem" | "Lemma" => "Lemma",
        "proposition" | "prop" | "Proposition" => "Proposition",
        "corollary" | "cor" | "coro" | "Corollary" => "Corollary",
        "definition" | "defn" | "defi" | "dfn" | "Definition" => "Definition",
        "remark" | "rem" | "rmk" | "Remark" => "Remark",
        "example" | "exa" | "exmp" | "Example" => "Example",
        "proof" | "pf" | "Proof" => "Proof",
        "claim" | "Claim" => "Claim",
        "fact" => "Fact",
        "conjecture" | "conj" => "Conjecture",
        "question" => "Question",
        "exercise" | "exer" => "Exercise",
        "problem" => "Problem",
        "solution" => "Solution",
        "answer" => "Answer",
        "note" => "Note",
        "notation" => "Notation",
        "assumption" => "Assumption",
        "axiom" => "Axiom",
        "abstract" => "Abstract",
        _ => return None,
    })
}

/// Letters with each accent: the accent, letters without and with it, and the mark that combines.
const ACCENTS: [(char, &str, &str, char); 16] = [
    ('\'', "aeiouyncszrlgAEIOUYNCSZRLG", "áéíóúýńćśźŕĺǵÁÉÍÓÚÝŃĆŚŹŔĹǴ", '\u{301}'),
    ('`', "aeiounAEIOUN", "àèìòùǹÀÈÌÒÙǸ", '\u{300}'),
    ('^', "aeioucghjswyAEIOUCGHJSWY", "âêîôûĉĝĥĵŝŵŷÂÊÎÔÛĈĜĤĴŜŴŶ", '\u{302}'),
    ('"', "aeiouyAEIOUY", "äëïöüÿÄËÏÖÜŸ", '\u{308}'),
    ('~', "anoiuANOIU", "ãñõĩũÃÑÕĨŨ", '\u{303}'),
    ('=', "aeiouAEIOU", "āēīōūĀĒĪŌŪ", '\u{304}'),
    ('.', "zecgZECGI", "żėċġŻĖĊĠİ", '\u{307}'),
    ('c', "cstCSTeklnr", "çşţÇŞŢȩķļņŗ", '\u{327}'),
    ('v', "cszrendtlgCSZREND", "čšžřěňďťľǧČŠŽŘĚŇĎ", '\u{30C}'),
    ('H', "ouOU", "őűŐŰ", '\u{30B}'),
    ('u', "agiouAGIOU", "ăğĭŏŭĂĞĬŎŬ", '\u{306}'),
    ('r', "auAU", "åůÅŮ", '\u{30A}'),
    ('k', "aeiuAEIU", "ąęįųĄĘĮŲ", '\u{328}'),
    ('d', "aeiouAEIOU", "ạẹịọụẠẸỊỌỤ", '\u{323}'),
    ('b', "", "", '\u{331}'),
    ('t', "", "", '\u{361}'),
];

/// Writes a letter with an accent.
pub(crate) fn accent(mark: char, base: &str, out: &mut String) {
    let Some((_, without, with, combining)) = ACCENTS.iter().find(|(known, ..)| *known == mark) else {
        out.push_str(base);
        return;
    };
    let found = without.chars().position(|c| base.starts_with(c)).and_then(|at| with.chars().nth(at));
    match found {
        Some(c) => out.push(c),
        None => {
            out.push_str(base);
            out.push(*combining);
        }
    }
}
