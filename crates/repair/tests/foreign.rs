//! MathML that does not belong to its LaTeX: what is found, counted by class.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use repair::{ChangeKind, Counts, Relevance};
use store::{
    About, Collection, CollectionWriter, FormulaMarks, Id, IdKinds, NewForm, NewFormula, NewPost, Part,
    PostKind,
};
use testkit::TempDir;

const SQUARE: &str = "<msup><mi>x</mi><mn>2</mn></msup>";
const SECOND: &str = "<msub><mi>x</mi><mn>2</mn></msub>";
const SUM: &str = "<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>";

fn math(alttext: &str, inner: &str) -> String {
    format!("<math alttext=\"{alttext}\">{inner}</math>")
}

/// What a repair would change in a collection of these forms: LaTeX, Presentation MathML, Content MathML.
fn counts(name: &str, forms: &[(&str, Option<String>, Option<String>)]) -> Counts {
    let folder = TempDir::new(name);
    let path = folder.path().join("c");
    let mut writer = CollectionWriter::create(&path, IdKinds::default()).unwrap();
    let mut new = Vec::new();
    for (id, (latex, presentation, content)) in (1..).zip(forms) {
        let (presentation, content) = (presentation.as_deref(), content.as_deref());
        let form = writer.add_form(&NewForm { latex, presentation, content, ..NewForm::default() }).unwrap();
        new.push(NewFormula { id: Id::Number(id), form, marks: FormulaMarks::new(Part::Body, 0) });
    }
    let body: String = forms.iter().map(|_| "\u{FDD0} ").collect();
    let post = NewPost {
        id: Id::Number(1),
        kind: PostKind::Question,
        parent: None,
        title: None,
        body: &body,
        tags: &[],
        score: None,
        date: None,
        owner: None,
        views: None,
    };
    writer.add_post(&post, &new).unwrap();
    writer.look_at_forms(post::looker).unwrap();
    writer.finish(About::default()).unwrap();
    let collection = Collection::open(&path).unwrap();
    let mut found = repair::examine(&collection, &Relevance::new(), &mut |_| Ok(())).unwrap();
    found.remove(&ChangeKind::VisualId);
    found
}

#[test]
fn wrong_mathml_is_counted_by_class() {
    let sum = "<apply><plus/><ci>a</ci><ci>b</ci></apply>";
    let escaped = "<mrow><mn>0</mn><mi>&amp;</mi><mi>l</mi><mi>t</mi><mi>a</mi></mrow>";
    let forms = [
        // These are right.
        ("x^2", Some(math("x^{2}", SQUARE)), None),
        ("a+b", Some(math("a+b", SUM)), Some(math("a+b", sum))),
        // The symbols are the same, and their places are not.
        ("x^2", Some(math("x_{2}", SECOND)), None),
        ("\\int_0^1 f", Some(math("a+b", SUM)), None),
        ("\\frac{x}{2}", None, Some(math("a+b", sum))),
        ("0<a", Some(math("0&amp;lta", escaped)), None),
        ("a+b", Some(math("a+b", &format!("<mrow><merror><mtext>\\foo</mtext></merror>{SUM}</mrow>"))), None),
    ];
    let expected = Counts::from([
        (ChangeKind::ForeignPresentation, 2),
        (ChangeKind::ForeignContent, 1),
        (ChangeKind::EscapedPresentation, 1),
        (ChangeKind::ErrorPresentation, 1),
    ]);
    assert_eq!(counts("repair-foreign", &forms), expected);
}
