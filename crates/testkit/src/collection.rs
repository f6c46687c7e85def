//! A small collection, written without any reader, for tests of what is done with one.

use crate::TempDir;
use store::{
    About, Claim, Collection, CollectionWriter, Date, FormLook, FormMarks, FormNo, FormulaMarks, Id, IdKinds,
    LinkKind, NewComment, NewForm, NewFormula, NewLink, NewPost, Part, PostKind,
};

/// A collection in a folder that goes when it is dropped.
#[derive(Debug)]
pub struct SmallCollection {
    /// The collection, opened.
    pub collection: Collection,
    /// The folder that it lies in.
    pub folder: TempDir,
}

/// Two questions, two answers, a comment, two links (one leads outside), and seven formulas:
///
/// - question 10, "Why is `$\sum 1/n$` infinite?" (formula 1; visual id 501), with `$H_n$` (2; 502)
///   in its text, score 7, tags calculus and series, accepted answer 12;
/// - answer 12 to it: the same sum (3; 501, another form), set off, and `$\log n$` (4; 503);
/// - question 20, without formulas, a duplicate of 10, by user 3;
/// - answer 21 to it, with a formula that its table has in post 12 (5; 502), and links to 99 outside;
/// - comment 7 on answer 12, with `$n>1$` (6; 504);
/// - formula 9 (505) stands nowhere; its table says in post 20.
#[must_use]
pub fn small_collection(name: &str) -> SmallCollection {
    let folder = TempDir::new(name);
    let path = folder.path().join("small");
    let mut writer = CollectionWriter::create(&path, IdKinds::default()).expect("the folder can be written");
    let mathml = "<math><mi>H</mi></math>";
    let forms = [
        (r"\sum 1/n", None, 501),
        ("H_n", Some(mathml), 502),
        (r"\sum \frac1n", None, 501),
        (r"\log n", None, 503),
        ("n>1", None, 504),
        ("z", None, 505),
    ];
    for (latex, presentation, visual) in forms {
        let form = NewForm { latex, presentation, visual: Some(visual), ..NewForm::default() };
        writer.add_form(&form).expect("a form is added");
    }
    let formula = |id, form, part, bits| NewFormula {
        id: Id::Number(id),
        form: FormNo(form),
        marks: FormulaMarks::new(part, bits),
    };
    let post = NewPost {
        id: Id::Number(10),
        kind: PostKind::Question,
        parent: None,
        title: Some("Why is \u{FDD0} infinite?"),
        body: "<p>I know \u{FDD0} &amp; its <em>growth</em>.</p>",
        tags: &["calculus".to_owned(), "series".to_owned()],
        score: Some(7),
        date: Date::parse("2014-03-02T09:15:00"),
        owner: Some("3"),
        views: Some(120),
    };
    let ten = writer.add_post(&post, &[formula(1, 0, Part::Title, 0), formula(2, 1, Part::Body, 0)]);
    let post = NewPost {
        id: Id::Number(12),
        kind: PostKind::Answer,
        parent: Some("10"),
        title: None,
        body: "<p>Group the terms of</p><p>\u{FDD0}</p><p>and compare with \u{FDD0}.</p>",
        tags: &[],
        score: Some(-1),
        date: Date::parse("2014-03-02T10:00:00"),
        owner: None,
        views: None,
    };
    let formulas = [formula(3, 2, Part::Body, FormulaMarks::BLOCK), formula(4, 3, Part::Body, 0)];
    let twelve = writer.add_post(&post, &formulas);
    let post = NewPost {
        id: Id::Number(20),
        kind: PostKind::Question,
        parent: None,
        title: Some("Harmonic numbers"),
        body: "<p>Do they grow?</p>",
        tags: &[],
        score: None,
        date: Date::parse("2015-01-01"),
        owner: Some("3"),
        views: None,
    };
    let twenty = writer.add_post(&post, &[]).expect("a post is added");
    let claim = Claim { post: "12", comment: None, part: "answer" };
    writer.claim_elsewhere(Part::Body, 0, claim).expect("a claim is added");
    let post = NewPost {
        id: Id::Number(21),
        kind: PostKind::Answer,
        parent: Some("20"),
        title: None,
        body: "<p>Yes: \u{FDD0}, see <a href=\"https://example.org/\" rel=\"noopener noreferrer\">there</a>.</p>",
        tags: &[],
        score: Some(2),
        date: None,
        owner: None,
        views: None,
    };
    let formulas = [formula(5, 1, Part::Body, FormulaMarks::ELSEWHERE)];
    let twenty_one = writer.add_post(&post, &formulas).expect("a post is added");
    let (ten, twelve) = (ten.expect("a post is added"), twelve.expect("a post is added"));
    writer.set_parent(twelve, ten);
    writer.set_parent(twenty_one, twenty);
    writer.set_accepted(ten, twelve);
    let comment = NewComment {
        id: Id::Number(7),
        post: twelve,
        text: "Only for \u{FDD0}?",
        score: Some(1),
        date: None,
        owner: Some("3"),
    };
    writer.add_comment(&comment, &[formula(6, 4, Part::Comment, 0)]).expect("a comment is added");
    let claim = Claim { post: "20", comment: None, part: "question" };
    writer.add_nowhere(&formula(9, 5, Part::Nowhere, 0), claim).expect("a formula is added");
    for (from, to, kind) in [(20, 10, LinkKind::Duplicate), (21, 99, LinkKind::Related)] {
        let link = NewLink { from: Id::Number(from), to: Id::Number(to), kind, date: None };
        writer.add_link(&link).expect("a link is added");
    }
    writer.add_user("3", "Hypatia").expect("a user is added");
    let look = |latex: &str, _: &str| FormLook { key: latex.len() as u128, marks: FormMarks(0) };
    writer.look_at_forms(|| look).expect("forms are read back");
    writer
        .finish(About { program: "test".to_owned(), source: "arqmath".to_owned(), ..About::default() })
        .expect("the collection is written");
    SmallCollection { collection: Collection::open(&path).expect("the collection opens"), folder }
}
