//! What is written is read back, and what is damaged is noticed.
use std::fs;
use store::{Collection, Error, FormulaNo, Id, LinkKind, Part, PostKind, PostNo, VisualNo};
use testkit::small_collection;

#[test]
fn posts_are_read_back() {
    let small = small_collection("store-posts");
    let collection = &small.collection;
    let mut reader = collection.reader();
    let ten = reader.post(collection.find_post("10").unwrap()).unwrap();
    assert_eq!(ten.id, Id::Number(10));
    assert_eq!(ten.title.as_deref(), Some("Why is \u{FDD0} infinite?"));
    assert_eq!(ten.tags, ["calculus", "series"]);
    assert_eq!((ten.facts.kind, ten.facts.score, ten.views), (PostKind::Question, Some(7), Some(120)));
    assert_eq!(ten.facts.date.unwrap().to_string(), "2014-03-02T09:15:00.000");
    assert_eq!(ten.facts.accepted.map(|post| collection.post_id(post)), Some(Id::Number(12)));
    assert_eq!(collection.answers(PostNo(0)).collect::<Vec<_>>(), [PostNo(1)]);
    assert_eq!(collection.thread_of(PostNo(3)), PostNo(2));
    let comments: Vec<_> = collection.comments_on(PostNo(1)).collect();
    assert_eq!(reader.comment(comments[0]).unwrap().text, "Only for \u{FDD0}?");
    assert_eq!(comments.len(), 1);
    let links: Vec<_> = collection.links_of(PostNo(0)).map(|link| reader.link(link).unwrap()).collect();
    assert_eq!(links.len(), 1);
    assert_eq!(
        (links[0].from.as_str(), links[0].to.as_str(), links[0].kind),
        ("20", "10", LinkKind::Duplicate)
    );
    assert_eq!(collection.users().unwrap(), [("3".to_owned(), "Hypatia".to_owned())]);
    assert_eq!(reader.user("3").unwrap().as_deref(), Some("Hypatia"));
    assert_eq!(reader.user("4").unwrap(), None);
    for unknown in ["11", "010", "x", "", "99999999999999999999999"] {
        assert_eq!(collection.find_post(unknown), None, "{unknown}");
    }
}

#[test]
fn formulas_know_their_places() {
    let small = small_collection("store-formulas");
    let collection = &small.collection;
    let mut reader = collection.reader();
    let mut table = Vec::new();
    for formula in collection.formulas_by_id() {
        let marks = collection.formula_marks(formula);
        let form = collection.formula_form(formula);
        table.push((
            collection.formula_id(formula).to_string(),
            marks.part(),
            collection.formula_post(formula).map(|post| collection.post_id(post).to_string()),
            collection.formula_comment(formula).map(|comment| collection.comment_id(comment).to_string()),
            collection.visual_id(collection.form_visual(form)),
            reader.latex(form).unwrap().to_owned(),
        ));
    }
    let row = |id: &str, part, post: &str, comment: &str, visual, latex: &str| {
        let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        (id.to_owned(), part, given(post), given(comment), visual, latex.to_owned())
    };
    let expected = [
        row("1", Part::Title, "10", "", 501, r"\sum 1/n"),
        row("2", Part::Body, "10", "", 502, "H_n"),
        row("3", Part::Body, "12", "", 501, r"\sum \frac1n"),
        row("4", Part::Body, "12", "", 503, r"\log n"),
        row("5", Part::Body, "21", "", 502, "H_n"),
        row("6", Part::Comment, "12", "7", 504, "n>1"),
        row("9", Part::Nowhere, "", "", 505, "z"),
    ];
    assert_eq!(table, expected);
    assert_eq!(reader.stray(FormulaNo(4)).unwrap().unwrap().post, "12");
    assert_eq!(reader.stray(FormulaNo(6)).unwrap().unwrap().post, "20");
    assert_eq!(reader.stray(FormulaNo(3)).unwrap(), None);
    let visual = collection.find_visual(501).unwrap();
    let places: Vec<u32> = collection
        .forms_of_visual(visual)
        .flat_map(|form| collection.formulas_of_form(form))
        .map(|formula| formula.0)
        .collect();
    assert_eq!(places, [0, 2]);
    assert_eq!(collection.find_visual(500), None);
    assert_eq!(collection.visual_id(VisualNo(0)), 501);
    assert_eq!(collection.find_formulas("5").count(), 1);
    assert_eq!(collection.about().counts.formula_ids, 7);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (one, two) = (small_collection("store-same-1"), small_collection("store-same-2"));
    assert_eq!(fs::read(one.collection.path()).unwrap(), fs::read(two.collection.path()).unwrap());
    assert_eq!(fs::read_dir(one.folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn every_cut_and_every_changed_byte_is_noticed_or_harmless() {
    let small = small_collection("store-damage");
    let whole = fs::read(small.collection.path()).unwrap();
    let path = small.folder.path().join("damaged");
    for length in (0..whole.len()).step_by(17).chain(whole.len() - 40..whole.len()) {
        fs::write(&path, &whole[..length]).unwrap();
        assert!(Collection::open(&path).is_err(), "cut to {length} bytes");
    }
    for at in (0..whole.len()).step_by(5).chain(whole.len() - 40..whole.len()) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x41;
        fs::write(&path, &bytes).unwrap();
        let Ok(collection) = Collection::open(&path) else { continue };
        // Padding between sections belongs to nobody.
        let noticed = collection.check().is_err() || whole[at] == 0;
        assert!(noticed, "byte {at} of {}", whole.len());
        let mut reader = collection.reader();
        for post in collection.posts() {
            let _ = reader.post(post);
            let _ = (collection.answers(post).count(), collection.links_of(post).count());
        }
        for formula in collection.formulas() {
            let form = collection.formula_form(formula);
            let _ = (reader.latex(form).map(str::len), reader.stray(formula), collection.form_visual(form));
        }
    }
}

#[test]
fn other_files_are_told_apart() {
    let small = small_collection("store-other");
    let path = small.folder.path().join("other");
    let mut bytes = fs::read(small.collection.path()).unwrap();
    bytes[8] = 9;
    fs::write(&path, &bytes).unwrap();
    assert!(matches!(Collection::open(&path), Err(Error::Version { found: 9, .. })));
    fs::write(&path, "<posts>").unwrap();
    assert!(matches!(Collection::open(&path), Err(Error::NotACollection(_))));
    fs::write(&path, "").unwrap();
    assert!(matches!(Collection::open(&path), Err(Error::NotACollection(_))));
    assert!(matches!(
        Collection::open(small.folder.path()),
        Err(Error::Io { .. } | Error::NotACollection(_))
    ));
}

#[test]
fn two_builds_of_one_collection_do_not_meet() {
    let small = small_collection("store-busy");
    let path = small.folder.path().join("one");
    let first = store::CollectionWriter::create(&path, store::IdKinds::default()).unwrap();
    let second = store::CollectionWriter::create(&path, store::IdKinds::default());
    assert!(matches!(second, Err(Error::Busy(_))));
    drop(first);
    assert!(store::CollectionWriter::create(&path, store::IdKinds::default()).is_ok());
}
