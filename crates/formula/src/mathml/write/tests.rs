//! What is written for small formulas.

use super::*;
use expect_test::{Expect, expect};

/// The inside of `math`.
fn check(source: &str, expected: Expect) {
    check_in(source, Display::Block, expected);
}

fn check_in(source: &str, display: Display, expected: Expect) {
    let options = MathmlOptions { display, label: Label::None, ..MathmlOptions::default() };
    let mathml = write_mathml(&latex::parse(source).tree, source, options);
    let inside = mathml.split_once('>').and_then(|(_, rest)| rest.strip_suffix("</math>"));
    expected.assert_eq(inside.unwrap_or(&mathml));
}

#[test]
fn the_outer_element() {
    let source = "x < \"1\"\n& y'";
    let mathml = write_mathml(&latex::parse("x").tree, source, MathmlOptions::default());
    expect![[
        r#"<math display="inline" alttext="x &lt; &quot;1&quot; &amp; y'" aria-label="x"><mi>x</mi></math>"#
    ]]
    .assert_eq(&mathml);
    let options = MathmlOptions { display: Display::Block, label: Label::None, ..MathmlOptions::default() };
    expect![[r#"<math display="block" alttext=""></math>"#]].assert_eq(&write_mathml(
        &latex::parse("").tree,
        "",
        options,
    ));
}

#[test]
fn letters_and_numbers() {
    check("x", expect!["<mi>x</mi>"]);
    check("3.14", expect!["<mn>3.14</mn>"]);
    check(
        r"\Gamma\gamma\nabla\partial",
        expect![[r#"<mi mathvariant="normal">Γ</mi><mi>γ</mi><mi mathvariant="normal">∇</mi><mi>∂</mi>"#]],
    );
    check(
        r"\mathbb{R}\mathbf{x1}\mathcal{F}\mathfrak{g}\mathit{h}",
        expect!["<mi>ℝ</mi><mrow><mi>𝐱</mi><mn>𝟏</mn></mrow><mi>ℱ</mi><mi>𝔤</mi><mi>h</mi>"],
    );
    check(r"\mathrm{d}x\mathrm{abc}", expect![[r#"<mi mathvariant="normal">d</mi><mi>x</mi><mi>abc</mi>"#]]);
}

#[test]
fn signs_and_operators() {
    check("a-b", expect!["<mi>a</mi><mo>−</mo><mi>b</mi>"]);
    check("-b", expect![[r#"<mo form="prefix" lspace="0" rspace="0">−</mo><mi>b</mi>"#]]);
    check(
        "(-b)",
        expect![[
            r#"<mo stretchy="false">(</mo><mo form="prefix" lspace="0" rspace="0">−</mo><mi>b</mi><mo stretchy="false">)</mo>"#
        ]],
    );
    check(
        "a=-b",
        expect![[r#"<mi>a</mi><mo>=</mo><mo form="prefix" lspace="0" rspace="0">−</mo><mi>b</mi>"#]],
    );
    check(
        "x^{n+1}",
        expect![[
            r#"<msup><mi>x</mi><mrow><mi>n</mi><mo lspace="0" rspace="0">+</mo><mn>1</mn></mrow></msup>"#
        ]],
    );
    check("x^+", expect!["<msup><mi>x</mi><mo>+</mo></msup>"]);
    check("1{,}5", expect![[r#"<mn>1</mn><mo lspace="0" rspace="0">,</mo><mn>5</mn>"#]]);
    check("a,b", expect!["<mi>a</mi><mo>,</mo><mi>b</mi>"]);
    check("n!", expect![[r#"<mi>n</mi><mo form="postfix" lspace="0" rspace="0">!</mo>"#]]);
    check(
        "|x|",
        expect![[
            r#"<mo stretchy="false" lspace="0" rspace="0">|</mo><mi>x</mi><mo stretchy="false" lspace="0" rspace="0">|</mo>"#
        ]],
    );
    check("a/b", expect![[r#"<mi>a</mi><mo lspace="0" rspace="0">/</mo><mi>b</mi>"#]]);
    check(r"\sin x", expect![[r#"<mi>sin</mi><mo lspace="0" rspace="0.167em">&#x2061;</mo><mi>x</mi>"#]]);
    check(
        r"2\sin^2(x)",
        expect![[
            r#"<mn>2</mn><mspace width="0.167em"/><msup><mi>sin</mi><mn>2</mn></msup><mo lspace="0" rspace="0">&#x2061;</mo><mo stretchy="false">(</mo><mi>x</mi><mo stretchy="false">)</mo>"#
        ]],
    );
}

#[test]
fn limits() {
    check(
        r"\sum_{i}^n i",
        expect![[r#"<munderover><mo lspace="0">∑</mo><mi>i</mi><mi>n</mi></munderover><mi>i</mi>"#]],
    );
    check(
        r"\sum\limits_i",
        expect![[r#"<munder><mo lspace="0" rspace="0" movablelimits="false">∑</mo><mi>i</mi></munder>"#]],
    );
    check(r"\sum\nolimits_i", expect![[r#"<msub><mo lspace="0" rspace="0">∑</mo><mi>i</mi></msub>"#]]);
    check(
        r"\int_0^1 f",
        expect![[r#"<msubsup><mo lspace="0">∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>f</mi>"#]],
    );
    check(
        r"\lim_{x}f",
        expect![[
            r#"<munder><mo movablelimits="true" lspace="0" rspace="0">lim</mo><mi>x</mi></munder><mo lspace="0" rspace="0.167em">&#x2061;</mo><mi>f</mi>"#
        ]],
    );
    check_in(r"\mathop{X}_i", Display::Inline, expect!["<msub><mrow><mi>X</mi></mrow><mi>i</mi></msub>"]);
    check(r"\mathop{X}_i", expect!["<munder><mrow><mi>X</mi></mrow><mi>i</mi></munder>"]);
}

#[test]
fn scripts_and_primes() {
    check("x_i^2", expect!["<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>"]);
    check(
        "f''",
        expect![[
            r#"<msup><mi>f</mi><mo lspace="0" rspace="0" style="position:relative;top:0.25em">″</mo></msup>"#
        ]],
    );
    check("{}^2", expect!["<msup><mrow></mrow><mn>2</mn></msup>"]);
    check(
        r"\prescript{a}{b}{X}_c",
        expect![
            "<msub><mmultiscripts><mi>X</mi><mprescripts></mprescripts><mi>b</mi><mi>a</mi></mmultiscripts><mi>c</mi></msub>"
        ],
    );
}

#[test]
fn fractions_and_roots() {
    check(r"\frac{a}{b+c}", expect!["<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mi>c</mi></mrow></mfrac>"]);
    check(
        r"\binom nk",
        expect![[
            r#"<mrow><mo form="prefix">(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo form="postfix">)</mo></mrow>"#
        ]],
    );
    check(
        r"\tfrac12",
        expect![[
            r#"<mstyle displaystyle="false" scriptlevel="0"><mfrac><mn>1</mn><mn>2</mn></mfrac></mstyle>"#
        ]],
    );
    check(r"\sqrt{x+1}", expect!["<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>"]);
    check(r"\sqrt[3]x", expect!["<mroot><mi>x</mi><mn>3</mn></mroot>"]);
}

#[test]
fn delimiters() {
    check(
        r"\left(\frac ab\right.",
        expect![[r#"<mrow><mo form="prefix">(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac></mrow>"#]],
    );
    check(
        r"\left(x\right)",
        expect![[
            r#"<mrow><mo form="prefix" stretchy="false">(</mo><mi>x</mi><mo form="postfix" stretchy="false">)</mo></mrow>"#
        ]],
    );
    check(
        r"\left\{x\middle|\frac ab\right\}",
        expect![[
            r#"<mrow><mo form="prefix">{</mo><mi>x</mi><mo lspace="0.167em" rspace="0.167em" stretchy="true">|</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo form="postfix">}</mo></mrow>"#
        ]],
    );
    check(
        r"\Bigl(x\bigr)",
        expect![[
            r#"<mo stretchy="true" symmetric="true" minsize="1.8em" maxsize="1.8em" form="prefix">(</mo><mi>x</mi><mo stretchy="true" symmetric="true" minsize="1.2em" maxsize="1.2em" form="postfix">)</mo>"#
        ]],
    );
}

#[test]
fn above_and_below() {
    check(r"\hat x", expect![[r#"<mover accent="true"><mi>x</mi><mo stretchy="false">ˆ</mo></mover>"#]]);
    check(
        r"\overline{ab}",
        expect![[
            r#"<mover accent="true"><mrow style="border-top:0.05em solid;padding-top:0.1em"><mi>a</mi><mi>b</mi></mrow><mo style="display:none">¯</mo></mover>"#
        ]],
    );
    check(
        r"\underbrace{a}_n",
        expect![[
            r#"<munder><munder accentunder="true"><mi>a</mi><mo stretchy="true">⏟</mo></munder><mi>n</mi></munder>"#
        ]],
    );
    check(
        r"\xrightarrow[b]{a}",
        expect![[
            r#"<munderover><mo lspace="0" rspace="0" stretchy="true">→</mo><mrow><mspace width="0.5em"/><mi>b</mi><mspace width="0.5em"/></mrow><mrow><mspace width="0.5em"/><mi>a</mi><mspace width="0.5em"/></mrow></munderover>"#
        ]],
    );
    check(
        r"\overset{a}{\to}",
        expect![[r#"<mover><mo lspace="0" rspace="0" stretchy="false">→</mo><mi>a</mi></mover>"#]],
    );
}

#[test]
fn tables() {
    check(
        r"\begin{pmatrix}a&b\\c&d\end{pmatrix}",
        expect![[
            r#"<mrow><mo form="prefix">(</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd><mtd><mi>d</mi></mtd></mtr></mtable><mo form="postfix">)</mo></mrow>"#
        ]],
    );
    check(
        r"\begin{cases}a&b\end{cases}",
        expect![[
            r#"<mrow><mo form="prefix">{</mo><mtable><mtr><mtd style="text-align:left"><mi>a</mi></mtd><mtd style="text-align:left"><mi>b</mi></mtd></mtr></mtable></mrow>"#
        ]],
    );
    check(
        r"\begin{align}a&=b\\&=c\end{align}",
        expect![[
            r#"<mtable displaystyle="true"><mtr><mtd style="text-align:right;padding-right:0"><mi>a</mi></mtd><mtd style="text-align:left;padding-left:0"><mo>=</mo><mi>b</mi></mtd></mtr><mtr><mtd style="text-align:right;padding-right:0"></mtd><mtd style="text-align:left;padding-left:0"><mo>=</mo><mi>c</mi></mtd></mtr></mtable>"#
        ]],
    );
    check(
        r"\begin{array}{l|r}a&b\end{array}",
        expect![[
            r#"<mtable><mtr><mtd style="text-align:left"><mi>a</mi></mtd><mtd style="text-align:right;border-left:1px solid"><mi>b</mi></mtd></mtr></mtable>"#
        ]],
    );
    check(
        r"a\\b",
        expect![[
            r#"<mtable displaystyle="true"><mtr><mtd style="text-align:left"><mi>a</mi></mtd></mtr><mtr><mtd style="text-align:left"><mi>b</mi></mtd></mtr></mtable>"#
        ]],
    );
}

#[test]
fn styles_and_boxes() {
    check(
        r"a\displaystyle b\color{red}c",
        expect![[
            r#"<mi>a</mi><mstyle displaystyle="true" scriptlevel="0"><mi>b</mi></mstyle><mstyle displaystyle="true" scriptlevel="0" mathcolor="red"><mi>c</mi></mstyle>"#
        ]],
    );
    check(r"{\color{red;x}y}z", expect!["<mrow><mstyle><mi>y</mi></mstyle></mrow><mi>z</mi>"]);
    check(
        r"\boxed x",
        expect![[r#"<mrow class="hyp-box" style="border:1px solid;padding:0.25em"><mi>x</mi></mrow>"#]],
    );
    check(
        r"\cancel x",
        expect![[
            r#"<mrow class="hyp-cancel" style="background:linear-gradient(to bottom right,transparent calc(50% - 0.6px),currentcolor,transparent calc(50% + 0.6px));padding:0.1em"><mi>x</mi></mrow>"#
        ]],
    );
    check(r"\not R", expect!["<mi>𝑅̸</mi>"]);
    check(
        r"\phantom x\hphantom y",
        expect![[
            r#"<mphantom><mi>x</mi></mphantom><mpadded height="0" depth="0"><mphantom><mi>y</mi></mphantom></mpadded>"#
        ]],
    );
    check(
        r"a\,b\!c",
        expect![[
            r#"<mi>a</mi><mspace width="0.167em"/><mi>b</mi><mspace style="margin-left:-0.167em"/><mi>c</mi>"#
        ]],
    );
    check(r"x\tag{1}", expect![[r#"<mi>x</mi><mspace width="2em"/><mtext>(1)</mtext>"#]]);
}

#[test]
fn text_and_what_could_not_be_read() {
    check(
        r"\text{ if }\textbf{a}",
        expect![[r#"<mtext> if </mtext><mtext style="font-weight:bold">a</mtext>"#]],
    );
    check(
        r"\text{<script>alert('x')</script>}",
        expect!["<mtext>&lt;script&gt;alert(’x’)&lt;/script&gt;</mtext>"],
    );
    check(r"\foo", expect![[r#"<mtext class="hyp-opaque">\foo</mtext>"#]]);
    check("\\qvar{x<y}", expect![[r#"<mi class="hyp-wildcard" mathvariant="normal">?x&lt;y</mi>"#]]);
    check("\\text{a\u{0}\u{7}b}", expect!["<mtext>a��b</mtext>"]);
    check("\\color{red\"onclick=alert}x", expect!["<mstyle><mi>x</mi></mstyle>"]);
}
