//! MathML in LaTeXML's style, and the layout trees the labs make of it.

use formula::mathml::{MAX_DEPTH, MathmlError, MathmlReader, MathmlRemark, Reading, read_mathml};
use formula::slt::{Builder, Edge, Hints, Leaf, Look, Slt};
use latex::Font;

/// Reads the inside of a `math` element as LaTeXML would write it.
fn tree(reading: Reading, inside: &str) -> Slt {
    let text = format!(
        "<math alttext=\"x\" class=\"ltx_Math\" xmlns=\"http://www.w3.org/1998/Math/MathML\">\
         <semantics>{inside}</semantics></math>"
    );
    let mut slt = Slt::default();
    MathmlReader::new(reading).read(&text, &mut slt).expect("readable MathML");
    slt
}

/// Checks both ways of reading, and that the string can be read back.
fn check(inside: &str, expected: &str) {
    for reading in [Reading::Labs, Reading::Tolerant] {
        let slt = tree(reading, inside);
        assert_eq!(slt.to_string(), expected, "{reading:?} {inside}");
        assert_eq!(Slt::read(expected).expect("a readable string").to_string(), expected);
    }
}

fn check_only(reading: Reading, inside: &str, expected: &str) {
    assert_eq!(tree(reading, inside).to_string(), expected, "{inside}");
}

const TIMES: &str = "<mo>\u{2062}</mo>";
const APPLY: &str = "<mo>\u{2061}</mo>";

fn fenced(open: &str, inside: &str, close: &str) -> String {
    format!("<mrow><mo stretchy=\"false\">{open}</mo>{inside}<mo stretchy=\"false\">{close}</mo></mrow>")
}

#[test]
fn symbols_and_scripts() {
    check("<mi>x</mi>", "[V!x]");
    check("<mrow><msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mn>1</mn></mrow>", "[V!x[+[N!1]],a[N!2]]");
    check("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "[V!x,a[N!2],b[N!1]]");
    check("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "[M!1x1,a[N!3],w[V!x,a[N!2]]]");
    let square = |letter| format!("<msup><mi>{letter}</mi><mn>2</mn></msup>");
    check(
        &format!(
            "<mrow><mrow>{}<mo>+</mo>{}</mrow><mo>=</mo>{}</mrow>",
            square('a'),
            square('b'),
            square('c')
        ),
        "[V!a[+[V!b[=[V!c,a[N!2]]],a[N!2]]],a[N!2]]",
    );
    check(
        &format!("<msup><mrow><mi>a</mi>{TIMES}<mi>b</mi></mrow><mn>2</mn></msup>"),
        "[M!1x1,a[N!2],w[V!a[V!b]]]",
    );
    check(&format!("<mrow><mn>2</mn>{TIMES}<mi>x</mi></mrow>"), "[N!2[V!x]]");
    check(&format!("<mrow><mi>sin</mi>{APPLY}<mi>x</mi></mrow>"), "[V!sin[V!x]]");
    check("<mrow><mi>n</mi><mo>!</mo></mrow>", "[V!n[!]]");
    check("<mover accent=\"true\"><mi>x</mi><mo stretchy=\"false\">¯</mo></mover>", "[V!x,o[¯]]");
    check("<mrow><qvar name=\"x\"/><mo>+</mo><mn>1</mn></mrow>", "[?x[+[N!1]]]");
    check("<msup><mi/><mn>2</mn></msup>", "[W!,a[N!2]]");
    check("<msup><mi>x</mi><mi/></msup>", "[V!x,a[W!]]");
    check("<msup><mo>!</mo><mn>2</mn></msup>", "[!,o[N!2]]");
    check("<msup><mrow><mo>-</mo><mi>x</mi></mrow><mn>2</mn></msup>", "[M!1x1,o[N!2],w[-[V!x]]]");
    // Wrong numbers of children.
    check("<msup><mi>x</mi></msup>", "[V!x]");
    check("<mfrac><mi>x</mi><mi>y</mi><mi>z</mi></mfrac>", "[V!x[V!y[V!z]]]");
}

#[test]
fn fractions_roots_and_big_operators() {
    check(
        "<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>",
        "[O!divide,o[V!a],u[V!b[+[N!1]]]]",
    );
    check("<msqrt><mi>x</mi></msqrt>", "[O!root,w[V!x]]");
    check("<mroot><mi>x</mi><mn>3</mn></mroot>", "[O!root,c[N!3],w[V!x]]");
    let sum = "[∑[V!i],o[V!n],u[V!i[=[N!1]]]]";
    let bounds = "<mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi>";
    check(&format!("<mrow><munderover>{bounds}</munderover><mi>i</mi></mrow>"), sum);
    check(&format!("<mrow><msubsup>{bounds}</msubsup><mi>i</mi></mrow>"), sum);
    check(
        &format!(
            "<mrow><msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup>\
             <mrow><mi>x</mi>{TIMES}<mrow><mo>d</mo><mi>x</mi></mrow></mrow></mrow>"
        ),
        "[∫[V!x[d[V!x]]],o[N!1],u[N!0]]",
    );
    check(
        &format!(
            "<mrow><munder><mo>lim</mo><mrow><mi>n</mi><mo>→</mo><mi mathvariant=\"normal\">∞</mi></mrow></munder>\
             {APPLY}<msub><mi>a</mi><mi>n</mi></msub></mrow>"
        ),
        "[lim[V!a,b[V!n]],u[V!n[→[V!∞]]]]",
    );
    let binomial = fenced("(", "<mfrac linethickness=\"0pt\"><mi>n</mi><mi>k</mi></mfrac>", ")");
    check(&binomial, "[M!()1x1,w[O!divide,o[V!n],u[V!k]]]");
    let slt = tree(Reading::Labs, &binomial);
    let fraction = slt.child(slt.root().unwrap(), Edge::Within).unwrap();
    assert!(slt.look(fraction).has(Look::NO_BAR));
}

#[test]
fn fences() {
    let application = |inside: &str| format!("<mrow><mi>f</mi>{APPLY}{}</mrow>", fenced("(", inside, ")"));
    check(&application("<mi>x</mi>"), "[V!f[M!()1x1,w[V!x]]]");
    check(&application("<mi>x</mi><mo>,</mo><mi>y</mi>"), "[V!f[M!()1x2,w[V!x[&comma;],e[V!y]]]]");
    check(
        &format!("<mrow><msup><mi>f</mi><mo>′</mo></msup>{}</mrow>", fenced("(", "<mi>x</mi>", ")")),
        "[V!f[M!()1x1,w[V!x]],a[′]]",
    );
    check(&fenced("|", "<mi>x</mi>", "|"), "[M!||1x1,w[V!x]]");
    check(&fenced("[", "<mn>0</mn><mo>,</mo><mn>1</mn>", ")"), "[M!&lsqb;)1x2,w[N!0[&comma;],e[N!1]]]");
    let sum = fenced("(", "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>", ")");
    check(&format!("<msup>{sum}<mn>2</mn></msup>"), "[M!()1x1,a[N!2],w[V!a[+[V!b]]]]");
    check(
        &format!("<mrow>{sum}{TIMES}{}</mrow>", fenced("(", "<mi>c</mi>", ")")),
        "[M!()1x1[M!()1x1,w[V!c]],w[V!a[+[V!b]]]]",
    );
    check(
        &fenced("{", "<mi>x</mi><mo>|</mo><mrow><mi>x</mi><mo>&gt;</mo><mn>0</mn></mrow>", "}"),
        "[M!{}1x1,w[V!x[|[V!x[>[N!0]]]]]]",
    );
    check(&fenced("⟨", "<mi>x</mi><mo>,</mo><mi>y</mi>", "⟩"), "[⟨[V!x[&comma;[V!y[⟩]]]]]");
    check(&fenced("(", "", ")"), "[([)]]");
    // Separators at the edges and in a nested row.
    check(&fenced("(", "<mo>,</mo><mi>x</mi>", ")"), "[M!()1x2,w[W![&comma;],e[V!x]]]");
    check(&fenced("(", "<mi>x</mi><mo>,</mo>", ")"), "[M!()1x2,w[V!x[&comma;]]]");
    check(&fenced("(", "<mo>,</mo>", ")"), "[M!()1x2,w[W![&comma;]]]");
    let row = |inside: &str| fenced("(", &format!("<mrow>{inside}</mrow>"), ")");
    check(
        &row("<mi>x</mi><mo>+</mo><mi>y</mi><mo>,</mo><mi>z</mi><mo>,</mo><mi>t</mi>"),
        "[M!()1x3,w[V!x[+[V!y[&comma;]]],e[V!z[&comma;],e[V!t]]]]",
    );
    check(&row("<mo>,</mo><mi>x</mi>"), "[M!()1x2,w[W![&comma;],e[V!x]]]");
    check(&row("<mi>x</mi><mo>,</mo>"), "[M!()1x2,w[V!x[&comma;]]]");
    // What follows a nested row that was split must find the right end.
    check(
        &format!("<mrow>{}<mi>z</mi></mrow>", row("<mi>x</mi><mo>,</mo><mi>y</mi>")),
        "[M!()1x2[V!z],w[V!x[&comma;],e[V!y]]]",
    );
}

#[test]
fn tables() {
    let cell = |inside: &str| format!("<mtd columnalign=\"center\">{inside}</mtd>");
    let cells = |cells: &[&str]| cells.iter().map(|inside| cell(inside)).collect::<String>();
    let table = format!(
        "<mtable><mtr>{}</mtr><mtr>{}</mtr></mtable>",
        cells(&["<mi>a</mi>", "<mi>b</mi>"]),
        cells(&["<mi>c</mi>", "<mi>d</mi>"])
    );
    check(&fenced("(", &table, ")"), "[M!()2x2,w[V!a,e[V!b,e[V!c,e[V!d]]]]]");
    let cases = format!(
        "<mrow><mo>{{</mo><mtable><mtr>{}</mtr><mtr>{}</mtr></mtable></mrow>",
        cells(&["<mi>x</mi>", "<mtext>if</mtext>"]),
        cells(&["<mi>y</mi>", "<mtext>else</mtext>"])
    );
    check(&cases, "[{[M!2x2,w[V!x,e[T!if,e[V!y,e[T!else]]]]]]");
    check("<mtable><mtr><mtd/><mtd><mi>x</mi></mtd></mtr></mtable>", "[M!1x2,w[W!,e[V!x]]]");
    // Neighbouring tables become one, column by column.
    check(
        &format!("<mrow>{table}{table}</mrow>"),
        "[M!2x4,w[V!a,e[V!b,e[V!a,e[V!b,e[V!c,e[V!d,e[V!c,e[V!d]]]]]]]]]",
    );
}

#[test]
fn the_labs_lose_scripts_and_the_tolerant_reading_keeps_them() {
    let brackets = "<mrow><mo>(</mo><mi>x</mi><msup><mo>)</mo><mn>2</mn></msup></mrow>";
    check_only(Reading::Labs, brackets, "[M!()1x1,w[V!x]]");
    check_only(Reading::Tolerant, brackets, "[M!()1x1,a[N!2],w[V!x]]");
    let group = |letter| format!("<msup><mrow><mi>{letter}</mi><mo>!</mo></mrow><mn>2</mn></msup>");
    let groups = format!("<mrow>{}{}</mrow>", group('a'), group('b'));
    check_only(Reading::Labs, &groups, "[M!1x2,a[N!2],w[V!a[!],e[V!b[!]]]]");
    check_only(Reading::Tolerant, &groups, "[M!1x1[M!1x1,a[N!2],w[V!b[!]]],a[N!2],w[V!a[!]]]");
    let error = "<merror class=\"ltx_ERROR\"><mtext>\\foo</mtext></merror>";
    check_only(Reading::Labs, error, "[E!]");
    check_only(Reading::Tolerant, error, "[E!\\foo]");
    // A row without groups, as browsers and people write it.
    let flat = "<mrow><mo>(</mo><mi>a</mi><mo>)</mo><mo>(</mo><mi>b</mi><mo>)</mo></mrow>";
    check_only(Reading::Tolerant, flat, "[M!()1x1[M!()1x1,w[V!b]],w[V!a]]");
    let flat = "<mrow><mo>(</mo><mo>(</mo><mi>a</mi><mo>)</mo><mi>b</mi><mo>)</mo></mrow>";
    check_only(Reading::Tolerant, flat, "[M!()1x1,w[M!()1x1[V!b],w[V!a]]]");
    check_only(Reading::Tolerant, "<mrow><mi>a</mi><mo>−</mo><mo>…</mo></mrow>", "[V!a[-[V!…]]]");
    assert!(tree(Reading::Labs, error).has_error_node());
    assert!(!tree(Reading::Labs, brackets).has_error_node());
}

#[test]
fn multiscripts() {
    check(
        "<mmultiscripts><mi>C</mi><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>",
        "[V!C,c[N!14],d[N!6]]",
    );
    check(
        "<mmultiscripts><mi>T</mi><mi>a</mi><none/><none/><mi>b</mi><mprescripts/><none/><mi>c</mi></mmultiscripts>",
        "[V!T,a[W![V!b]],b[V!a],c[V!c]]",
    );
    check("<mmultiscripts><mi>x</mi><none/><none/></mmultiscripts>", "[V!x]");
}

#[test]
fn other_elements() {
    check("<menclose notation=\"box\"><mi>x</mi></menclose>", "[box,w[V!x]]");
    check("<menclose><mi>x</mi></menclose>", "[longdiv,w[V!x]]");
    check(
        "<mrow><mi>x</mi><mspace width=\"1em\"/><mphantom><mi>y</mi></mphantom><mi>z</mi></mrow>",
        "[V!x[V!z]]",
    );
    check("<mstyle displaystyle=\"true\"><mi>x</mi></mstyle>", "[V!x]");
    check(
        "<mfenced open=\"[\" close=\")\"><mi>a</mi><mi>b</mi></mfenced>",
        "[M!&lsqb;)1x2,w[V!a[&comma;],e[V!b]]]",
    );
    check_only(Reading::Tolerant, "<maction selection=\"2\"><mi>a</mi><mi>b</mi></maction>", "[V!b]");
    check_only(Reading::Tolerant, "<ms>a</ms>", "[T!\"a\"]");
    check_only(Reading::Tolerant, "<mi><mglyph alt=\"blob\"/></mi>", "[V!blob]");
    check_only(Reading::Tolerant, "<mlongdiv><mn>1</mn><mn>2</mn></mlongdiv>", "[N!1[N!2]]");
    check("<mtext>a, b? [c]</mtext>", "[T!a&comma; b&quest; &lsqb;c&rsqb;]");
}

fn check_text(text: &str, expected: &str) -> Vec<MathmlRemark> {
    let mut slt = Slt::default();
    let remarks = read_mathml(text, &mut slt).expect("readable MathML");
    assert_eq!(slt.to_string(), expected, "{text}");
    remarks
}

#[test]
fn prefixes_declarations_blanks_and_entities() {
    let remarks = check_text(
        "<?xml version=\"1.0\"?>\n<m:math xmlns:m=\"http://www.w3.org/1998/Math/MathML\">\n <m:mrow>\n  \
         <m:mi>&alpha;</m:mi> <m:mo>&InvisibleTimes;</m:mo>\n <m:mi> &#x78; </m:mi>\n<!-- no -->\
         <mws:qvar xmlns:mws=\"http://search.mathweb.org/ns\" name=\"y\"/><ns0:qvar>z</ns0:qvar></m:mrow></m:math>",
        "[V!α[V!x[?y[?z]]]]",
    );
    assert_eq!(remarks, []);
    let remarks = check_text("<math><mi>&nosuch;</mi></math>", "[V!&nosuch;]");
    assert_eq!(remarks, [MathmlRemark::UnknownEntity("nosuch".to_owned())]);
    assert_eq!(
        check_text("<math><mi>a</mi><mi>b</mi></math>", "[V!a[V!b]]"),
        [MathmlRemark::SeveralChildren]
    );
    // A nested mathvariant is inherited and stays out of the tag.
    let mut slt = Slt::default();
    read_mathml("<math><mstyle mathvariant=\"bold\"><mi>x</mi></mstyle></math>", &mut slt).unwrap();
    assert_eq!(slt.look(slt.root().unwrap()).get_font(), Font::Bold);
}

#[test]
fn wildcards() {
    for (inside, expected) in [
        ("<qvar name=\"x\"/>", "[?x]"),
        ("<qvar>x</qvar>", "[?x]"),
        ("<m:qvar>?x</m:qvar>", "[?x]"),
        ("<mws:qvar name=\"*1*\"/>", "[?1]"),
        ("<mrow><qvar>*1*</qvar><mo>+</mo><mws:qvar name=\"1\"/></mrow>", "[?1[+[?1]]]"),
        ("<mi><qvar>*12*</qvar></mi>", "[?12]"),
        ("<mi><mws:qvar name=\"y\"/></mi>", "[?y]"),
        ("<mtext>?<qvar>y</qvar></mtext>", "[?y]"),
        ("<mtext>\n <csymbol>*\n 2 *</csymbol>\n</mtext>", "[?2]"),
        ("<mtext><csymbol>2</csymbol></mtext>", "[T!2]"),
        // Without a name.
        ("<mrow><qvar/><mo>+</mo><qvar>w</qvar></mrow>", "[?[+[?w]]]"),
        ("<mi><qvar/></mi>", "[?]"),
        ("<msup><qvar/><mn>2</mn></msup>", "[?,a[N!2]]"),
    ] {
        assert_eq!(check_text(&format!("<math>{inside}</math>"), expected), []);
    }
    // A question mark that is typed is no wildcard.
    check("<mo>?</mo>", "[&quest;]");
    check_only(Reading::Labs, "<qvar>*1*</qvar>", "[?*1*]");
}

#[test]
fn parts_that_need_only_be_similar() {
    let x = "<mi>x</mi>";
    let sum = "<mi>a</mi><mo>+</mo><mi>b</mi>";
    for (inside, expected, similar) in [
        (format!("<mws:simto>{x}</mws:simto>"), "[V!x]", "V!x"),
        (
            format!("<mrow><mws:simto name=\"1\"><m:mrow>{sum}</m:mrow></mws:simto><mo>=</mo>{x}</mrow>"),
            "[V!a[+[V!b[=[V!x]]]]]",
            "V!a + V!b",
        ),
        (
            format!("<msup><simto>{sum}</simto><mn>2</mn></msup>"),
            "[M!1x1,a[N!2],w[V!a[+[V!b]]]]",
            "V!a + V!b",
        ),
        (
            format!("<msup>{x}<simto>{x}<simto>{sum}</simto>{x}</simto></msup>"),
            "[V!x,a[V!x[V!a[+[V!b[V!x]]]]]]",
            "V!x V!a + V!b V!x",
        ),
        (format!("<mrow><simto/>{x}</mrow>"), "[V!x]", ""),
    ] {
        let mut slt = Slt::default();
        let remarks = read_mathml(&format!("<math>{inside}</math>"), &mut slt).expect("readable MathML");
        assert_eq!(remarks, [], "{inside}");
        assert_eq!(slt.to_string(), expected, "{inside}");
        let tags: Vec<_> =
            slt.preorder().filter(|&id| slt.hints(id).has(Hints::SIMILAR)).map(|id| slt.tag(id)).collect();
        assert_eq!(tags.join(" "), similar, "{inside}");
    }
    let mut slt = Slt::default();
    let refused = MathmlReader::new(Reading::Labs).read("<math><simto><mi>x</mi></simto></math>", &mut slt);
    assert_eq!(refused, Err(MathmlError::UnknownElement("simto".to_owned())));
}

#[test]
fn semantics() {
    let content = "<apply><plus/><ci>x</ci></apply>";
    check_text(
        &format!(
            "<math><semantics><mi>x</mi><annotation-xml encoding=\"MathML-Content\">{content}</annotation-xml>\
                  <annotation encoding=\"application/x-tex\">x &lt; y</annotation></semantics></math>"
        ),
        "[V!x]",
    );
    check_text(
        &format!(
            "<math><semantics>{content}<annotation-xml encoding=\"MathML-Presentation\"><mi>y</mi>\
                  </annotation-xml></semantics></math>"
        ),
        "[V!y]",
    );
    let mut slt = Slt::default();
    assert_eq!(read_mathml(&format!("<math>{content}</math>"), &mut slt), Err(MathmlError::OnlyContent));
}

#[test]
fn what_the_labs_refuse() {
    let mut slt = Slt::default();
    let mut reader = MathmlReader::new(Reading::Labs);
    assert_eq!(reader.read("<math><mi>a</mi><mi>b</mi></math>", &mut slt), Err(MathmlError::MathChildren(2)));
    assert_eq!(
        reader.read("<math><foo/></math>", &mut slt),
        Err(MathmlError::UnknownElement("foo".to_owned()))
    );
    assert_eq!(reader.read("", &mut slt), Err(MathmlError::NoMathml));
    assert_eq!(reader.read("x^2", &mut slt), Err(MathmlError::NoMathml));
    assert!(slt.is_empty());
}

#[test]
fn damage_is_repaired() {
    check_text("<math><mrow><mi>a</mi><mo><</mo><mi>b</mi></mrow></math>", "[V!a[<[V!b]]]");
    check_text("<math><mrow><mi>a</mi><mo>></mo><mi>b</mi></mrow></math>", "[V!a[>[V!b]]]");
    check_text("<math><mrow><mi>a</mi><mo>&</mo><mi>b</mi></mrow></math>", "[V!a[&[V!b]]]");
    check_text("<math alttext=\"a<b\"><mi>a</mi></math>", "[V!a]");
    check_text("<math alttext=\"say \"a\" & <b\" class=\"x\"><mi>a</mi></math>", "[V!a]");
    check_text("<math alttext=\"say \"a\"><mi>a</mi></math>", "[V!a]");
    check_text("<math alttext=\"\"x\"\" class=\"\"y\"\"><mi>a</mi></math>", "[V!a]");
    // An `mpadded` that never ends counts as not written: the brackets still meet.
    check_text(
        "<math><mrow><mo>(</mo><mpadded width=\"1\"><mi>a</mi><mo>)</mo></mrow></math>",
        "[M!()1x1,w[V!a]]",
    );
    check_text("<math><mrow><mi>a</mi></mrow></mstyle></math>", "[V!a]");
    check_text("<math><mrow><mi>a</mi>", "[V!a]");
    let entity = "<mi>&amp;</mi><mi>l</mi><mi>t</mi><mo>;</mo>";
    check_text(&format!("<math><mrow><mi>a</mi>{entity}<mi>b</mi></mrow></math>"), "[V!a[<[V!b]]]");
}

#[test]
fn deep_and_long_input() {
    let mut slt = Slt::default();
    let nested = |levels: usize| format!("{}<mi>x</mi>{}", "<mrow>".repeat(levels), "</mrow>".repeat(levels));
    assert_eq!(read_mathml(&nested(100_000), &mut slt), Err(MathmlError::TooDeep));
    assert_eq!(read_mathml(&nested(MAX_DEPTH - 2), &mut slt), Ok(vec![]));
    assert_eq!(slt.to_string(), "[V!x]");
    assert_eq!(read_mathml(&"<mrow>".repeat(100_000), &mut slt), Err(MathmlError::TooDeep));

    let long = |items: usize| {
        format!("<math><mrow><mo>(</mo>{}<mo>)</mo></mrow></math>", "<mi>x</mi><mo>,</mo>".repeat(items))
    };
    assert_eq!(read_mathml(&long(500_000), &mut slt), Err(MathmlError::TooLong));
    read_mathml(&long(100_000), &mut slt).unwrap();
    assert_eq!(slt.preorder().count(), 200_001);
    let string = slt.to_string();
    assert!(Slt::read(&string).unwrap() == slt);
}

#[test]
fn long_chains_in_every_grouping_take_linear_time() {
    const COUNT: usize = 200_000;
    let mut slt = Slt::default();
    let mut builder = Builder::new(&mut slt);
    let leaf = |builder: &mut Builder<'_>| builder.leaf(Leaf::Identifier, "x", Look::default());
    // ((x x) x) x … and x (x (x x)) …
    let mut left = Some(leaf(&mut builder));
    let mut right = Some(leaf(&mut builder));
    for _ in 0..COUNT {
        let next = leaf(&mut builder);
        left = builder.row(&[left, Some(next)]);
        let next = leaf(&mut builder);
        right = builder.row(&[Some(next), right]);
    }
    let both = builder.row(&[left, right]);
    slt.set_root(both);
    assert_eq!(slt.preorder().count(), 2 * COUNT + 2);
    assert_eq!(slt.to_string().matches("V!x").count(), 2 * COUNT + 2);
}

#[test]
fn strings_of_the_labs_are_repaired() {
    let repaired = |text: &str| Slt::read_repaired(text).unwrap().to_string();
    assert_eq!(repaired("[V!a[V!&[V!l[V!t[;[V!b]]]]]]"), "[V!a[<[V!b]]]");
    assert_eq!(repaired("[V!&[V!g[V!t[;]]]]"), "[>]");
    assert_eq!(repaired("[N!0[V!&[V!a[V!m[V!p[;,b[N!1]]]]]]]"), "[N!0[&,b[N!1]]]");
    assert_eq!(repaired("[V!a[V!&[V!l[V!t,a[N!2]]]]]"), "[V!a[V!&[V!l[V!t,a[N!2]]]]]");
    assert_eq!(repaired("[V!f[V!&[V!#[N!39[;[V!&[V!#[N!39[;[=[V!g]]]]]]]]]]]"), "[V!f[=[V!g]],a[′′]]");
    assert_eq!(repaired(r#"\"[V!f[V!\"\"]]\""#), r#"[V!f[V!"]]"#);
}

#[test]
fn strings_that_are_no_trees() {
    use formula::slt::SltErrorReason as Reason;
    let fails = |text: &str, offset: usize, reason: Reason| {
        let error = Slt::read(text).unwrap_err();
        assert_eq!((error.offset, error.reason), (offset, reason), "{text}");
    };
    fails("", 0, Reason::NoNode);
    fails("x", 0, Reason::NoNode);
    fails("[x", 2, Reason::Unclosed);
    fails("[x,a[y]", 7, Reason::Unclosed);
    fails("[x]y", 3, Reason::TrailingText);
    fails("[x,q[y]]", 3, Reason::NoLabel);
    fails("[x,n[y]]", 3, Reason::NoLabel);
    fails("[x,ay]", 4, Reason::NoNode);
    fails("[x,a[y],a[z]]", 9, Reason::TwoChildren);
    fails("[x,a[y][z]]", 7, Reason::NextTooLate);
    fails("[x[y]z]", 5, Reason::TrailingText);
    assert_eq!(Slt::read("[x,b[y],a[z]]").unwrap().to_string(), "[x,a[z],b[y]]");
    let deep = "[".repeat(1_000_000);
    assert!(Slt::read(&deep).is_err());
    let deep = format!("{}{}", "[x,a".repeat(100_000), "]".repeat(100_000));
    assert!(Slt::read(&deep).is_err());
    let deep = format!("{}[x]{}", "[x,a".repeat(100_000), "]".repeat(100_000));
    assert_eq!(Slt::read(&deep).unwrap().to_string(), deep);
}
