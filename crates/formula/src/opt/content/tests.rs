//! Content MathML in and out.

use super::*;

fn labs(markup: &str) -> String {
    let mut opt = Opt::default();
    ContentReader::new(Reading::Labs).read(markup, &mut opt).unwrap();
    opt.to_string()
}

fn check(markup: &str, expected: &str) {
    assert_eq!(labs(&format!("<math>{markup}</math>")), expected, "{markup}");
}

/// What an example of the dossier looks like in LaTeXML's dialect.
#[test]
fn examples_of_the_labs() {
    let sub = r#"<csymbol cd="ambiguous">subscript</csymbol>"#;
    let sup = r#"<csymbol cd="ambiguous">superscript</csymbol>"#;
    for (markup, expected) in [
        (
            format!("<apply><plus/><apply>{sup}<ci>x</ci><cn>2</cn></apply><cn>1</cn></apply>"),
            "[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]",
        ),
        ("<apply><times/><cn>2</cn><ci>x</ci></apply>".into(), "[U!times,0[N!2],1[V!x]]"),
        ("<apply><ci>f</ci><ci>x</ci></apply>".into(), "[F!f,0[V!x]]"),
        ("<apply><sin/><ci>x</ci></apply>".into(), "[F!sin,0[V!x]]"),
        ("<apply><minus/><ci>a</ci></apply>".into(), "[O!minus,0[V!a]]"),
        ("<apply><minus/><ci>a</ci><ci>b</ci></apply>".into(), "[O!minus,0[V!a],1[V!b]]"),
        ("<apply><divide/><ci>a</ci><ci>b</ci></apply>".into(), "[O!divide,0[V!a],1[V!b]]"),
        ("<apply><root/><ci>x</ci></apply>".into(), "[O!root,0[V!x],1[N!2]]"),
        ("<apply><root/><degree><cn>3</cn></degree><ci>x</ci></apply>".into(), "[O!root,0[V!x],1[N!3]]"),
        (format!("<apply>{sub}<ci>a</ci><ci>i</ci></apply>"), "[O!SUB,0[V!a],1[V!i]]"),
        (
            "<apply><and/><apply><lt/><ci>a</ci><ci>b</ci></apply>\
             <apply><lt/><share href=\"#.cmml\"/><ci>c</ci></apply></apply>"
                .into(),
            "[U!and,0[O!lt,0[V!a],1[V!b]],1[O!lt,0[V!b],1[V!c]]]",
        ),
        (
            "<interval closure=\"closed\"><ci>a</ci><ci>b</ci></interval>".into(),
            "[O!interval(C-C),0[V!a],1[V!b]]",
        ),
        (
            format!(
                "<apply><apply>{sup}<apply>{sub}<sum/><apply><eq/><ci>i</ci><cn>1</cn></apply></apply>\
                 <ci>n</ci></apply><ci>i</ci></apply>"
            ),
            "[+!O!SUB,0[O!SUP,0[O!SUB,0[O!sum],1[U!eq,0[V!i],1[N!1]]],1[V!n]],1[V!i]]",
        ),
        (
            format!(
                "<apply><apply>{sub}<limit/><apply><ci>→</ci><ci>x</ci><cn>0</cn></apply></apply>\
                 <ci>f</ci></apply>"
            ),
            "[+!O!limit,0[O!SUB,0[O!limit],1[F!→,0[V!x],1[N!0]]],1[V!f]]",
        ),
        ("<set><ci>a</ci><ci>b</ci></set>".into(), "[M!S-2,0[V!a],1[V!b]]"),
        (
            "<matrix><matrixrow><ci>a</ci><ci>b</ci></matrixrow>\
             <matrixrow><ci>c</ci><ci>d</ci></matrixrow></matrix>"
                .into(),
            "[M!M-2x2,0[M!R!,0[V!a],1[V!b]],1[M!R!,0[V!c],1[V!d]]]",
        ),
        ("<apply><abs/><ci>x</ci></apply>".into(), "[F!abs,0[V!x]]"),
        ("<apply><csymbol cd=\"latexml\">norm</csymbol><ci>x</ci></apply>".into(), "[O!norm,0[V!x]]"),
        ("<apply><factorial/><ci>n</ci></apply>".into(), "[O!factorial,0[V!n]]"),
        (
            "<apply><csymbol cd=\"latexml\">binomial</csymbol><ci>n</ci><ci>k</ci></apply>".into(),
            "[O!binomial,0[V!n],1[V!k]]",
        ),
        (
            "<apply><csymbol cd=\"latexml\">plus-or-minus</csymbol><ci>a</ci><ci>b</ci></apply>".into(),
            "[O!plus-or-minus,0[V!a],1[V!b]]",
        ),
        ("<apply><plus/><qvar name=\"x\"/><cn>1</cn></apply>".into(), "[U!plus,0[?x],1[N!1]]"),
    ] {
        check(&markup, expected);
    }
}

#[test]
fn rules_of_the_labs() {
    let latexml = |name: &str| format!("<csymbol cd=\"latexml\">{name}</csymbol>");
    for (markup, expected) in [
        (format!("<apply>{}<ci>x</ci></apply>", latexml("delimited-[]")), "[M!D-lsqb;&rsqb;,0[V!x]]"),
        (format!("<apply>{}<ci>x</ci></apply>", latexml("delimited-⌊⌋")), "[M!D-⌋,0[V!x]]"),
        (format!("<apply>{}<ci>x</ci></apply>", latexml("differential-d")), "[F!d,0[V!x]]"),
        (format!("<apply>{}<ci>x</ci><ci>y</ci></apply>", latexml("conditional")), "[F!c,0[V!x],1[V!y]]"),
        (format!("<apply>{}<ci>x</ci></apply>", latexml("open-interval")), "[O!open-interval,0[V!x]]"),
        (latexml("for-all"), "[O!forall]"),
        (latexml("Planck-constant-over-2-pi"), "[C!hbar]"),
        (latexml("12"), "[N!12.0]"),
        (latexml("absent"), "[W!]"),
        ("<apply><int/><ci>f</ci></apply>".into(), "[O!int,0[V!f],1[W!],2[W!]]"),
        ("<infinity/>".into(), "[C!infinity]"),
        ("<apply><determinant/><ci>A</ci></apply>".into(), "[F!det,0[V!A]]"),
        ("<list><ci>,</ci><ci>[</ci></list>".into(), "[M!L-2,0[V!&comma;],1[V!&lsqb;]]"),
        ("<vector/>".into(), "[M!V-0]"),
        ("<ci><mtext>if</mtext></ci>".into(), "[W!]"),
        (
            "<matrix><matrixrow><ci>a</ci></matrixrow><matrixrow><ci>b</ci><ci>c</ci></matrixrow></matrix>"
                .into(),
            "[M!M-2x2,0[M!R!,0[V!a],1[E!]],1[M!R!,0[V!b],1[V!c]]]",
        ),
        (
            "<cerror><csymbol cd=\"ambiguous\">fragments</csymbol><csymbol cd=\"unknown\">a</csymbol>\
             <csymbol cd=\"unknown\">B</csymbol><cn>1</cn><csymbol cd=\"unknown\">c</csymbol></cerror>"
                .into(),
            "[E!,0[O!fragments],1[T!ab],2[N!1],3[-!c]]",
        ),
        ("<apply><share href=\"#.cmml\"/><ci>x</ci></apply>".into(), "[W!,0[V!x]]"),
        ("<apply/>".into(), "[W!]"),
        (
            "<semantics><mrow><mi>y</mi></mrow><annotation-xml encoding=\"MathML-Content\"><ci>x</ci>\
             </annotation-xml><annotation encoding=\"application/x-tex\">z</annotation></semantics>"
                .into(),
            "[V!x]",
        ),
    ] {
        check(&markup, expected);
    }
    let many = "<ci>x</ci>".repeat(100);
    let text = labs(&format!("<apply><times/>{many}</apply>"));
    assert_eq!(text.matches("U!times").count(), 3);
}

#[test]
fn the_tolerant_reading_keeps_everything() {
    for (markup, expected) in [
        ("<ci><mtext>if</mtext></ci>", "[T!if]"),
        ("<cn type=\"rational\">1<sep/>2</cn>", "[N!1/2]"),
        ("<pi/>", "[C!pi]"),
        ("<ci>x</ci><ci>y</ci>", "[M!L-2,0[V!x],1[V!y]]"),
        (
            "<apply><int/><bvar><ci>x</ci></bvar><lowlimit><cn>0</cn></lowlimit><uplimit><cn>1</cn></uplimit>\
             <ci>f</ci></apply>",
            "[O!int,0[V!f],1[O!interval(C-C),0[N!0],1[N!1]],2[V!x]]",
        ),
        (
            "<piecewise><piece><ci>a</ci><ci>b</ci></piece><otherwise><ci>c</ci></otherwise></piecewise>",
            "[O!piecewise,0[O!piece,0[V!a],1[V!b]],1[O!otherwise,0[V!c]]]",
        ),
        // Not XML.
        ("<apply><plus/><ci>a & b</ci><ci>c</ci>", "[U!plus,0[V!a & b],1[V!c]]"),
    ] {
        let mut opt = Opt::default();
        read_content_mathml(&format!("<math>{markup}</math>"), &mut opt).unwrap();
        assert_eq!(opt.to_string(), expected, "{markup}");
    }
    let mut opt = Opt::default();
    assert_eq!(read_content_mathml("x", &mut opt), Err(ContentError::NoMathml));
    assert_eq!(read_content_mathml("<math><mi>x</mi></math>", &mut opt), Err(ContentError::NoContent));
}

#[test]
fn names_the_labs_do_not_know_are_remarked_on() {
    let mut opt = Opt::default();
    let remarks = read_content_mathml("<csymbol cd=\"latexml\">open-interval</csymbol>", &mut opt).unwrap();
    assert_eq!(remarks, [ContentRemark::UnknownName("open-interval".to_owned())]);
    assert_eq!(read_content_mathml("<plus/>", &mut opt).unwrap(), []);
}

#[test]
fn chains_that_share_chains_stay_small() {
    let mut markup = String::from("<ci>x</ci>");
    for _ in 0..200 {
        markup = format!(
            "<apply><and/><apply><eq/><ci>a</ci>{markup}</apply><apply><eq/><share/><ci>b</ci></apply></apply>"
        );
    }
    let mut opt = Opt::default();
    read_content_mathml(&markup, &mut opt).unwrap();
    assert!(opt.len() < 20_000, "{}", opt.len());
}

#[test]
fn italics_fold() {
    let mut opt = Opt::read("[U!plus,0[V!𝑥],1[V!italic-ϕ],2[V!𝐱],3[+!V!𝑓],4[F!normal-→]]").unwrap();
    fold_italics(&mut opt);
    assert_eq!(opt.to_string(), "[U!plus,0[V!x],1[V!ϕ],2[V!𝐱],3[+!V!f],4[F!→]]");
}

#[test]
fn written_trees_read_back() {
    for text in [
        "[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]",
        "[F!f,0[V!x]]",
        "[O!root,0[V!x],1[N!3]]",
        "[O!root,0[V!x],1[N!2]]",
        "[O!root]",
        "[O!int,0[V!f],1[W!],2[W!]]",
        "[O!int,0[V!f],1[V!x]]",
        "[U!and,0[O!lt,0[V!a],1[V!b]],1[O!lt,0[V!b],1[V!c]]]",
        "[+!O!SUB,0[O!SUP,0[O!SUB,0[O!sum],1[U!eq,0[V!i],1[N!1]]],1[V!n]],1[V!i]]",
        "[+!nonsense,0[V!x]]",
        "[M!M-2x2,0[M!R!,0[V!a],1[V!b]],1[M!R!,0[V!c],1[V!d]]]",
        "[M!M-2x2,0[V!x]]",
        "[M!V-3,0[V!a],1[V!b],2[V!c]]",
        "[M!S-7,0[V!a]]",
        "[M!D-lsqb;&rsqb;,0[V!x]]",
        "[M!D-⌋,0[V!x]]",
        "[O!interval(C-O),0[V!a],1[V!b]]",
        "[E!,0[O!fragments],1[T!ab],2[N!1],3[-!c]]",
        "[?x]",
        "[V!&comma;]",
        "[V!a&b<c]",
        "[C!infinity]",
        "[C!hbar]",
        "[F!det,0[V!A]]",
        "[F!sin]",
        "[F!→]",
        "[V!x,0[V!y]]",
        "[W!,0[N!2]]",
        "[O!binomial,0[V!n],1[V!k]]",
        "[O!forall,0[V!x]]",
        "[O!rem,0[V!x],1[N!2]]",
        "[O!Strange,0[V!x]]",
        "[strange]",
        "[]",
        "[X!]",
        "[$!bvar,0[V!x]]",
    ] {
        let opt = Opt::read(text).unwrap();
        let markup = write_content_mathml(&opt);
        let mut again = Opt::default();
        let result = read_content_mathml(&markup, &mut again);
        assert!(result.is_ok(), "{text}: {markup}");
        assert_eq!(again.to_string(), text, "{markup}");
    }
}
