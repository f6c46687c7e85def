//! Input that is meant to hurt: deep, long, endless. Each must come back at once, with a tree.
//!
//! A test that hangs or dies here has found work that is not linear, or
//! recursion that is not bounded. Times are not asserted, only that they end.

use latex::{Mode, Parse, parse_bytes};

/// Reads in both modes, prints, and checks what holds for every tree.
fn read(source: impl AsRef<[u8]>) -> Parse {
    let source = source.as_ref();
    let _ = parse_bytes(source, Mode::Query);
    let parse = parse_bytes(source, Mode::Document);
    assert!(parse.tree.root().is_some());
    // Every node is made from some byte of the source, or by a macro.
    assert!(parse.tree.len() < 8 * source.len() + 400_000, "{} nodes", parse.tree.len());
    let diagnostics = parse.diagnostics.len();
    assert!(diagnostics <= 1001, "{diagnostics} diagnostics");
    parse
}

fn nested(open: &str, close: &str) -> Parse {
    let depth = 100_000;
    let closed = read(format!("{}x{}", open.repeat(depth), close.repeat(depth)));
    read(format!("{}x", open.repeat(depth)));
    read(close.repeat(depth));
    closed
}

#[test]
fn deep_braces() {
    let parse = nested("{", "}");
    assert!(parse.has_errors());
}

#[test]
fn deep_fences() {
    nested("\\left(", "\\right)");
    nested("\\left{", "\\right}");
}

#[test]
fn deep_roots_and_fractions() {
    nested("\\sqrt", "");
    nested("\\sqrt{", "}");
    nested("\\sqrt[", "]x");
    nested("\\frac", "");
    nested("\\frac{", "}2");
    nested("\\root", "\\of x");
    nested("\\buildrel", "\\over x");
}

#[test]
fn deep_scripts() {
    nested("x^{", "}");
    nested("x^", "");
    nested("_{^{", "}}");
    nested("\\sp", "");
}

#[test]
fn deep_environments() {
    nested("\\begin{matrix}", "\\end{matrix}");
    nested("\\begin{matrix}a&", "\\end{matrix}");
    nested("\\begin{foo}", "\\end{bar}");
    nested("\\begin{CD}", "\\end{CD}");
    nested("\\matrix{", "}");
    nested("\\@@eqnarray", "&");
}

#[test]
fn deep_text() {
    nested("\\text{", "}");
    nested("\\text{$", "$}");
    nested("\\text{\\(", "\\)}");
    nested("\\text{{", "}}");
    nested("\\fbox{", "}");
    nested("\\text", "");
}

#[test]
fn deep_commands() {
    for command in
        ["\\hat", "\\mathbf", "\\not", "\\mathop", "\\overset", "\\cancel", "\\phantom", "\\bra", "\\braket"]
    {
        nested(command, "");
        nested(&format!("{command}{{"), "}");
    }
    nested("\\qvar@construct{", "}");
    nested("\\rm", "");
    nested("x^\\rm", "");
    nested("\\operatorname{", "}");
    nested("\\sideset{", "}{}\\sum");
    nested("\\mathchoice{}{", "}{}{}");
    nested("\\textcolor{red}{", "}");
    nested("\\bgroup", "\\egroup");
    nested("\\left\\big", "");
    nested("\\hskip1pt plus", "");
    nested("\\abs{", "}");
    nested("\\array{", "}");
    nested("\\tensor{", "}{_a}");
    nested("\\tensor x{_", "}");
    nested("\\tensor[_", "]x");
    nested("\\multiscripts{_", "}{}{}");
    nested("\\root{", "}{x}");
    nested("\\underoverset{", "}{}{}");
    nested("\\begin{matrix}{x\\hfil&", "}\\end{matrix}");
    nested("\\begin{matrix}{x\\hfil&", "\\end{matrix}}");
    nested("\\begin{matrix}{", "}\\end{matrix}");
}

#[test]
fn very_much_of_the_same() {
    let pieces = [
        "x",
        "^",
        "_",
        "'",
        "\\",
        "&",
        "{",
        "}",
        "$",
        "$ ",
        "#",
        "%",
        "%\n",
        "~",
        " ",
        "?",
        "1",
        ".",
        "1.",
        "[",
        "]",
        "|",
        "\\over",
        "\\over x",
        "\\displaystyle",
        "\\bf",
        "\\def\\a{}",
        "\\def",
        "\\let",
        "\\newcommand",
        "\u{301}",
        "²",
        "₁",
        "²'",
        "x²'₁",
        "^2'",
        "x^a",
        "^a",
        "_a",
        "^a_b",
        "\\limits",
        "\\\\",
        "\\cr",
        "a\\\\&",
        "\\left",
        "\\right",
        "\\right)",
        "\\middle|",
        "\\big",
        "\\begin",
        "\\end",
        "\\begin{",
        "\\end{x}",
        "\\text",
        "\\text{",
        "\\verb",
        "\\verb|",
        "\\foo",
        "\\char",
        "\\kern",
        "\\kern1pt",
        "\\hskip1pt plus",
        "\\label",
        "\\label{",
        "\\tag",
        "\\ce",
        "\\xymatrix",
        "\\xy",
        "\\sqrt[",
        "\\\\[",
        "\\\\[1pt]",
        "&amp;",
        "&lt;",
        "&",
        "&;",
        "\u{0}",
        "\u{ffff}",
        "\u{1d465}",
        "\\ ",
        "\\\n",
        "\\'",
        "\\'e",
        "\\sideset",
        "\\of",
        "\\egroup",
        "\\limits_x",
        "\\hline",
        "\\braket",
        "\\dots",
        "\\operatorname",
        "\\dots\\foo",
        "\\require",
        "\\renewenvironment",
        "\\cline[",
        "\\bra[",
        "\\href[",
        "\\color[",
        "\\unicode",
        "\\above",
        "\\genfrac",
        "\\overwithdelims",
        "\\atopwithdelims..",
        "\\@@eqnarray",
        "\\multicolumn",
        "\\matrix",
        "\\mathchoice",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "&\\displaystyle amp;",
        "&\\displaystyle lt;",
        "$&$\\displaystyle gt;",
        "& ",
        "amp;",
        "\\array{\\arrayopts{\\collayout{left}}",
        "\\tensor",
        "\\tensor x_",
        "\\multiscripts",
        "\\begin{matrix}{x\\hfil&",
        "\\begin{matrix}{x",
        "\\end{document}",
        "\\lx@foo",
        "\\qvar@construct{&}amp;",
        "\\abs(",
        "\\Set",
    ];
    for piece in pieces {
        read(piece.repeat(100_000 / piece.len()));
    }
}

#[test]
fn bytes_that_are_no_text() {
    for bytes in
        [&b"\xed\xa0\x80"[..], b"\xff", b"\x00", b"\xe2\x88", b"\\\xff", b"\\\xe2", b"&\xff;", b"\xc3("]
    {
        read(bytes.repeat(250_000 / bytes.len()));
        read(bytes);
    }
    // All bytes, in an order without pattern.
    let mut state = 1u32;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    read(noise.take(1_000_000).collect::<Vec<u8>>());
}

#[test]
fn a_script_character_behind_a_blank_ends() {
    let parse = read("x ʸ");
    assert_eq!(parse.tree.to_string().lines().count(), 4);
}

#[test]
fn nothing_at_all() {
    let parse = read("");
    assert_eq!((parse.tree.len(), parse.diagnostics.len()), (1, 0));
}

#[test]
fn macros_that_call_themselves() {
    for source in [
        r"\def\a{\a}\a",
        r"\def\a{\a\a}\a",
        r"\def\a{x\a}\a",
        r"\def\a{\frac\a\a}\a",
        r"\def\a{{\a}}\a",
        r"\def\a#1{\a{#1#1}}\a x",
        r"\def\a#1{\a{#1}\a{#1}}\a x",
        r"\newcommand\a[1][\a]{#1}\a",
        r"\def\a{\b}\def\b{\a}\a",
        r"\let\a=\b\def\b{\a}\a",
        r"\DeclareMathOperator\a{\a}\a",
        r"\def\a{\text{\a}}\a",
        r"\def\a{\def\a{\a}\a}\a",
        r"\def\a{\begin{matrix}\a&\a\end{matrix}}\a",
        r"\def\a{^\a}x\a",
        r"\def\a{\left(\a\right)}\a",
    ] {
        let parse = read(source);
        assert!(parse.has_errors(), "{source}");
    }
}

#[test]
fn macros_that_grow() {
    // Each doubles the one before.
    let mut doubling = String::from(r"\def\a{xx}");
    for pair in ('a'..='z').collect::<Vec<_>>().windows(2) {
        doubling.push_str(&format!(r"\def\{}{{\{}\{}}}", pair[1], pair[0], pair[0]));
    }
    assert!(read(format!(r"{doubling}\z")).has_errors());
    let long = "x".repeat(200_000);
    let calls = r"\a".repeat(200_000);
    // A long body, a long argument, a long default, a long name, each used often.
    read(format!(r"\def\a{{{long}}}{calls}"));
    read(format!(r"\def\a#1{{#1#1#1#1#1#1#1#1#1}}\a{{{long}}}"));
    read(format!(r"\newcommand\a[1][{long}]{{}}{calls}"));
    read(format!(r"\def\a{{\{long}}}{calls}"));
    read(format!(r"\def\a{{\begin{{{long}}}}}{calls}"));
    // Nothing comes of a body that is long to look at.
    let parameters = "#1".repeat(200_000);
    let empty_calls = r"\a{}".repeat(200_000);
    read(format!(r"\def\a#1{{{parameters}}}{empty_calls}"));
    // Many tokens that all stand for the same long call.
    for piece in ["&", r"\ce{}", r"\foo", "}", r"\over", r"\end", r"\unicode{}", "'", r"\label x"] {
        let body = piece.repeat(20_000).replace('}', "\\egroup ").replace("{\\egroup ", "{}");
        read(format!(r"\def\a#1{{{body}}}\a{{{long}}}"));
    }
    // Arguments inside arguments.
    let deep = r"\a{".repeat(100_000);
    read(format!(r"\def\a#1{{#1}}{deep}x{}", "}".repeat(100_000)));
    read(format!(r"\def\a#1{{}}{deep}x{}", "}".repeat(100_000)));
    read(format!(r"\def\a#1{{#1}}{deep}"));
}

#[test]
fn many_primes_are_all_counted() {
    let parse = read("x".to_owned() + &"'".repeat(60_000));
    let primes: u32 = parse
        .tree
        .nodes()
        .map(|node| match node.kind {
            latex::Kind::Primes(count) => u32::from(count),
            _ => 0,
        })
        .sum();
    assert_eq!(primes, 60_000);
}

#[test]
fn an_error_behind_a_thousand_remarks_is_still_an_error() {
    let parse = read(r"\label{a}".repeat(3000) + r"\foo");
    assert!(parse.has_errors());
}
