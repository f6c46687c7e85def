//! What the labs' tools make of formulas.

use super::*;
use crate::slt::from_latex;

fn labs(latex: &str) -> Opt {
    let (mut slt, mut opt) = (Slt::default(), Opt::default());
    from_latex(&latex::parse(latex).tree, &mut slt);
    from_slt(&slt, &mut opt);
    opt
}

fn check(latex: &str, expected: &str) {
    assert_eq!(labs(latex).to_string(), expected, "{latex}");
}

#[test]
fn examples_of_the_labs() {
    for (latex, expected) in [
        ("x^2+1", "[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]"),
        ("2x", "[U!times,0[N!2],1[V!x]]"),
        ("f(x)", "[U!times,0[V!f],1[V!x]]"),
        (r"\sin x", "[F!sin,0[V!x]]"),
        ("-a", "[O!minus,0[V!a]]"),
        ("a-b", "[O!minus,0[V!a],1[V!b]]"),
        (r"\frac{a}{b}", "[O!divide,0[V!a],1[V!b]]"),
        (r"\sqrt{x}", "[O!root,0[V!x],1[N!2]]"),
        (r"\sqrt[3]{x}", "[O!root,0[V!x],1[N!3]]"),
        ("a_i", "[O!SUB,0[V!a],1[V!i]]"),
        ("a<b<c", "[U!and,0[O!lt,0[V!a],1[V!b]],1[O!lt,0[V!b],1[V!c]]]"),
        ("[a,b]", "[O!interval(C-C),0[V!a],1[V!b]]"),
        (r"\sum_{i=1}^n i", "[+!O!SUB,0[O!SUP,0[O!SUB,0[O!sum],1[U!eq,0[V!i],1[N!1]]],1[V!n]],1[V!i]]"),
        (r"\lim_{x\to0}f", "[+!O!limit,0[O!SUB,0[O!limit],1[F!→,0[V!x],1[N!0]]],1[V!f]]"),
        (r"\{a,b\}", "[M!S-2,0[V!a],1[V!b]]"),
        (
            r"\left(\begin{array}{cc}a&b\\c&d\end{array}\right)",
            "[M!M-2x2,0[M!R!,0[V!a],1[V!b]],1[M!R!,0[V!c],1[V!d]]]",
        ),
        ("|x|", "[F!abs,0[V!x]]"),
        (r"\|x\|", "[O!norm,0[V!x]]"),
        ("n!", "[O!factorial,0[V!n]]"),
        (r"\binom{n}{k}", "[O!binomial,0[V!n],1[V!k]]"),
        (r"a\pm b", "[O!plus-or-minus,0[V!a],1[V!b]]"),
    ] {
        check(latex, expected);
    }
}

#[test]
fn the_grammar_of_the_labs() {
    for (latex, expected) in [
        // Sums and products.
        ("a+b+c-d", "[O!minus,0[U!plus,0[V!a],1[V!b],2[V!c]],1[V!d]]"),
        ("-a+b", "[U!plus,0[O!minus,0[V!a]],1[V!b]]"),
        (r"a*b\cdot c", "[F!⋅,0[U!times,0[V!a],1[V!b]],1[V!c]]"),
        ("a*b c", "[U!times,0[U!times,0[V!a],1[V!b]],1[V!c]]"),
        ("x+", "[O!limit-from,0[V!x],1[U!plus]]"),
        (r"2\frac{1}{4}", "[U!plus,0[N!2],1[O!divide,0[N!1],1[N!4]]]"),
        // Relations and lists.
        ("a=b,c=d", "[O!form-seq,0[U!eq,0[V!a],1[V!b]],1[U!eq,0[V!c],1[V!d]]]"),
        ("a,b=c", "[U!eq,0[M!L-2,0[V!a],1[V!b]],1[V!c]]"),
        ("a=b,c", "[U!eq,0[V!a],1[M!L-2,0[V!b],1[V!c]]]"),
        (r"a=b\quad c=d", "[O!form-seq,0[U!eq,0[V!a],1[V!b]],1[U!eq,0[V!c],1[V!d]]]"),
        ("=b", "[U!eq,0[W!],1[V!b]]"),
        ("a=", "[U!eq,0[V!a],1[W!]]"),
        (r"A\ni x", "[O!in,0[V!x],1[V!A]]"),
        (r"A\supset B", "[O!subset,0[V!B],1[V!A]]"),
        (r"f:A\to B", "[F!:,0[V!f],1[F!→,0[V!A],1[V!B]]]"),
        (r"A\stackrel{f}{\to}B", "[+!V!→,0[O!SUP,0[V!→],1[V!f]],1[V!A],2[V!B]]"),
        (r"a\equiv b\pmod{n}", "[U!equivalent,0[V!a],1[O!annotated,0[V!b],1[F!pmod,0[V!n]]]]"),
        (r"a\bmod n", "[O!rem,0[V!a],1[V!n]]"),
        // Functions.
        (r"\sin(x)y", "[U!times,0[F!sin,0[V!x]],1[V!y]]"),
        (r"\sin xy", "[F!sin,0[U!times,0[V!x],1[V!y]]]"),
        (r"\sin x\cos y", "[U!times,0[F!sin,0[V!x]],1[F!cos,0[V!y]]]"),
        (r"\log_2 x", "[+!F!log,0[O!SUB,0[F!log],1[N!2]],1[V!x]]"),
        (r"\max(a,b)", "[F!max,0[V!a],1[V!b]]"),
        // Fences.
        ("(a,b)", "[O!interval(O-O),0[V!a],1[V!b]]"),
        ("[a,b)", "[O!interval(C-O),0[V!a],1[V!b]]"),
        ("(a,b,c)", "[M!V-3,0[V!a],1[V!b],2[V!c]]"),
        ("[a]", "[M!D-lsqb;&rsqb;,0[V!a]]"),
        (r"\{x|x>0\}", "[O!conditional-set,0[V!x],1[O!gt,0[V!x],1[N!0]]]"),
        ("P(A|B)", "[U!times,0[V!P],1[F!c,0[V!A],1[V!B]]]"),
        (r"\lfloor x\rfloor", "[F!floor,0[V!x]]"),
        ("||x||", "[O!norm,0[V!x]]"),
        ("2|x|+|y|", "[U!plus,0[U!times,0[N!2],1[F!abs,0[V!x]]],1[F!abs,0[V!y]]]"),
        (r"\left|a\right|+\left|b\right|", "[U!plus,0[F!abs,0[V!a]],1[F!abs,0[V!b]]]"),
        ("f|_0", "[O!evaluated-at,0[V!f],1[N!0]]"),
        ("()", "[M!L-0]"),
        // Scripts, marks, integrals.
        ("f'(x)", "[U!times,0[O!SUP,0[V!f],1[V!′]],1[V!x]]"),
        ("x^2_1", "[O!SUB,0[O!SUP,0[V!x],1[N!2]],1[N!1]]"),
        ("{x_1}^2", "[O!SUP,0[O!SUB,0[V!x],1[N!1]],1[N!2]]"),
        ("n!^2", "[O!SUP,0[O!factorial,0[V!n]],1[N!2]]"),
        ("n!!", "[O!double-factorial,0[V!n]]"),
        (r"\bar{x}^2", "[O!SUP,0[F!¯,0[V!x]],1[N!2]]"),
        (r"\int f dx", "[O!int,0[U!times,0[V!f],1[F!d,0[V!x]]],1[W!],2[W!]]"),
        (r"\boxed{x=1}", "[U!eq,0[V!x],1[N!1]]"),
        (r"a\cancel{x}", "[U!times,0[V!a],1[O!cancel,0[V!x]]]"),
        // Tables.
        (r"\begin{matrix}a\\b\end{matrix}", "[O!matrix,0[M!M-2x1,0[M!R!,0[V!a]],1[M!R!,0[V!b]]]]"),
        (r"\begin{vmatrix}a\end{vmatrix}", "[F!det,0[O!matrix,0[M!M-1x1,0[M!R!,0[V!a]]]]]"),
        (r"\begin{cases}a,&b\\c\end{cases}", "[O!cases,0[V!a],1[V!b],2[V!c],3[W!]]"),
        // Text means nothing to the labs' converter, and a lone comma is a comma.
        (r"x \text{ if } y", "[U!times,0[V!x],1[W!],2[V!y]]"),
        ("", "[W!]"),
        (",", "[V!&comma;]"),
        // What the grammar does not cover.
        ("(a", "[E!,0[O!fragments],1[V!(],2[-!a]]"),
        ("a)^2b", "[E!,0[O!fragments],1[-!a],2[V!)],3[O!SUP,0[-!b],1[N!2]]]"),
    ] {
        check(latex, expected);
    }
}

#[test]
fn what_was_typed_tells_signs_apart() {
    let typed = |latex: &str| {
        let (mut slt, mut opt) = (Slt::default(), Opt::default());
        from_latex(&latex::parse(latex).tree, &mut slt);
        LabsOpt::default().read_typed(&slt, latex, &mut opt);
        opt.to_string()
    };
    assert_eq!(typed("x→y"), "[U!times,0[V!x],1[V!→],2[V!y]]");
    assert_eq!(typed(r"x\to y"), "[F!→,0[V!x],1[V!y]]");
    assert_eq!(typed(r"a\iff b"), "[O!iff,0[V!a],1[V!b]]");
    assert_eq!(typed(r"a\Leftrightarrow b"), "[F!⇔,0[V!a],1[V!b]]");
    assert_eq!(typed(r"\cfrac{a}{b}"), "[O!continued-fraction,0[V!a],1[V!b]]");
    assert_eq!(typed(r"x\tag{1}"), "[V!x]");
}

/// Each node's source is what was typed for the whole of it.
#[test]
fn nodes_know_their_source() {
    let latex = r"f(a+b)=\frac{x^2}{y_1}";
    let opt = labs(latex);
    let typed: Vec<(&str, &str)> =
        opt.preorder().map(|id| (opt.tag(id), latex.get(opt.span(id).range()).unwrap())).collect();
    let fraction = r"\frac{x^2}{y_1}";
    let expected = [
        ("U!eq", latex),
        ("U!times", "f(a+b)"),
        ("V!f", "f"),
        ("U!plus", "(a+b)"),
        ("V!a", "a"),
        ("V!b", "b"),
        ("O!divide", fraction),
        ("O!SUP", "x^2"),
        ("V!x", "x"),
        ("N!2", "2"),
        ("O!SUB", "y_1"),
        ("V!y", "y"),
        ("N!1", "1"),
    ];
    assert_eq!(typed, expected);
    let sum = opt.preorder().find(|&id| opt.tag(id) == "U!plus").unwrap();
    assert_eq!(opt.brackets(sum), crate::opt::Brackets::Round);
}

/// Long and deep formulas give a tree, soon.
#[test]
fn nothing_is_too_much() {
    let long = 30_000;
    for (part, end) in [
        ("(", ""),
        ("(", ")"),
        ("|", ""),
        ("x+", ""),
        ("a-b+", "c"),
        ("abc", ""),
        ("a=", ""),
        ("a,b=", "c"),
        (r"\sin ", ""),
        ("x^", "2"),
        (r"\int ", "dx"),
        (r"\nabla ", ""),
        (r"\left|", r"\right|"),
        ("{a|", "}"),
        ("!", ""),
        ("'", ""),
        (r"\frac", ""),
        ("<", ""),
        ("(a,", ")"),
        (r"\sqrt", "x"),
    ] {
        let latex = part.repeat(long / part.len()) + &end.repeat(long / part.len());
        let opt = labs(&latex);
        assert!(opt.root().is_some(), "{part}");
        Opt::read(&opt.to_string()).unwrap();
    }
}

/// Layout trees from elsewhere, with tags that do not say what is there.
#[test]
fn strange_layout_trees() {
    for (text, expected) in [
        ("[V!sin[V!x]]", "[F!sin,0[V!x]]"),
        ("[M!2x999999999,w[V!a,e[V!b]]]", "[M!M-1x2,0[M!R!,0[V!a],1[V!b]]]"),
        ("[M!2x2,w[V!a,e[V!b,e[V!c]]]]", "[M!M-2x2,0[M!R!,0[V!a],1[V!b]],1[M!R!,0[V!c],1[E!,0[W!]]]]"),
        ("[M!0x0]", "[M!M-0x0]"),
        ("[M!(1x1,w[V!a]]", "[E!,0[O!fragments],1[V!(],2[-!a]]"),
        ("[O!divide]", "[O!divide,0[W!],1[W!]]"),
        ("[O!root]", "[O!root,0[W!],1[N!2]]"),
        ("[?x[+[N!1]]]", "[U!plus,0[?x],1[N!1]]"),
        ("[W!,a[V!k]]", "[F!k]"),
        ("[X!y]", "[V!y]"),
        ("[]", "[W!]"),
    ] {
        let mut opt = Opt::default();
        from_slt(&Slt::read(text).unwrap(), &mut opt);
        assert_eq!(opt.to_string(), expected, "{text}");
    }
}
