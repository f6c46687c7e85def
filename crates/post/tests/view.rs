//! Titles, bodies and formulas of stored posts.

use post::{FormulaTexts, MARK, PostView};
use store::{
    About, Collection, CollectionWriter, FormNo, FormulaMarks, Id, IdKinds, NewForm, NewFormula, NewPost,
    Part, PostKind,
};
use testkit::{TempDir, small_collection};

#[test]
fn title_and_body_have_their_own_formulas() {
    let small = small_collection("post-view");
    let collection = &small.collection;
    let mut reader = collection.reader();
    let ten = PostView::read(&mut reader, collection.find_post("10").unwrap()).unwrap();
    assert_eq!(ten.title_text(), format!("Why is {MARK} infinite?"));
    assert_eq!(ten.body.text.trim(), format!("I know {MARK} & its growth."));
    assert_eq!(ten.formulas_in_title(), 1);
    let mut texts = FormulaTexts::default();
    let title = ten.title.unwrap().pieces(&mut reader, &mut texts).unwrap();
    let body = ten.body.pieces(&mut reader, &mut texts).unwrap();
    assert_eq!(title.plain(), r"Why is $\sum 1/n$ infinite?");
    assert_eq!(body.plain(), "I know $H_n$ & its growth.");

    let twelve = PostView::read(&mut reader, collection.find_post("12").unwrap()).unwrap();
    assert!(twelve.title.is_none() && twelve.title_text().is_empty() && twelve.formulas_in_title() == 0);
    let body = twelve.body.pieces(&mut reader, &mut texts).unwrap();
    let shown: Vec<(&str, bool)> =
        body.formulas().iter().map(|formula| (formula.latex.as_str(), formula.display)).collect();
    assert_eq!(shown, [(r"\sum \frac1n", true), (r"\log n", false)]);
}

/// Formulas that came as MathML alone vanished from quoted answers.
#[test]
fn a_formula_without_latex_is_that_of_its_mathml() {
    let folder = TempDir::new("post-mathml");
    let path = folder.path().join("collection");
    let mut writer = CollectionWriter::create(&path, IdKinds::default()).unwrap();
    let square = "<math><msup><mi>x</mi><mn>2</mn></msup></math>";
    for presentation in [square, "<math"] {
        writer.add_form(&NewForm { presentation: Some(presentation), ..NewForm::default() }).unwrap();
    }
    let formula = |number: u32| NewFormula {
        id: Id::Number(number.into()),
        form: FormNo(number),
        marks: FormulaMarks::new(Part::Body, 0),
    };
    let body = format!("<p>Take {MARK}, not {MARK}.</p>");
    let post = NewPost {
        id: Id::Number(1),
        kind: PostKind::Document,
        parent: None,
        title: None,
        body: &body,
        tags: &[],
        score: None,
        date: None,
        owner: None,
        views: None,
    };
    writer.add_post(&post, &[formula(0), formula(1)]).unwrap();
    writer.look_at_forms(post::looker).unwrap();
    writer.finish(About::default()).unwrap();
    let collection = Collection::open(&path).unwrap();
    let mut reader = collection.reader();
    let pieces = post::body(&mut reader, collection.find_post("1").unwrap()).unwrap();
    assert_eq!(pieces.latex().collect::<Vec<_>>(), ["x^{{2}}", ""]);
    assert_eq!(pieces.plain(), "Take $x^{{2}}$, not .");
    assert_eq!(post::latex_of(&mut reader, FormNo(0)).unwrap(), "x^{{2}}");
}
