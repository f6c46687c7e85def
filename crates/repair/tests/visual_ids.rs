//! Which look keeps a visual id that holds several, and where the others go.

#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use repair::{ChangeKind, Relevance};
use store::{
    About, Collection, CollectionWriter, FormNo, FormulaMarks, Id, IdKinds, NewForm, NewFormula, NewPost,
    Part, PostKind,
};
use testkit::TempDir;

/// A collection of one post with formulas in the order given: id, LaTeX, visual id.
fn collection(name: &str, formulas: &[(u64, &str, Option<u64>)]) -> (TempDir, Collection) {
    let folder = TempDir::new(name);
    let path = folder.path().join("c");
    let mut writer = CollectionWriter::create(&path, IdKinds::default()).unwrap();
    let mut forms: Vec<(&str, Option<u64>)> = Vec::new();
    let mut new = Vec::new();
    for (id, latex, visual) in formulas {
        let form = forms.iter().position(|form| *form == (*latex, *visual)).unwrap_or_else(|| {
            writer.add_form(&NewForm { latex, visual: *visual, ..NewForm::default() }).unwrap();
            forms.push((latex, *visual));
            forms.len() - 1
        });
        let form = FormNo(u32::try_from(form).unwrap());
        new.push(NewFormula { id: Id::Number(*id), form, marks: FormulaMarks::new(Part::Body, 0) });
    }
    let body: String = formulas.iter().map(|_| "\u{FDD0} ").collect();
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
    (folder, collection)
}

/// What changes: formula id, old and new visual id.
fn changes(collection: &Collection, relevance: &Relevance) -> Vec<(String, String, String)> {
    let mut changes = Vec::new();
    let mut tell = |change: &repair::Change| {
        if change.kind == ChangeKind::VisualId {
            let id = change.about.trim_start_matches("formula ").to_owned();
            changes.push((id, change.before.clone(), change.after.clone()));
        }
        Ok(())
    };
    repair::examine(collection, relevance, &mut tell).unwrap();
    changes
}

fn change(id: &str, old: &str, new: &str) -> (String, String, String) {
    (id.to_owned(), old.to_owned(), new.to_owned())
}

#[test]
fn the_largest_look_keeps_the_visual_id_and_others_join_their_look_or_get_a_new_one() {
    let rows = [(1, "x", 7), (2, "y", 7), (3, "y", 7), (4, "x", 8), (5, "z", 7)];
    let (_folder, collection) =
        collection("repair-largest", &rows.map(|(id, latex, visual)| (id, latex, Some(visual))));
    let found = changes(&collection, &Relevance::new());
    assert_eq!(found, [change("1", "7", "8"), change("5", "7", "9")]);
}

#[test]
fn of_looks_as_large_the_one_with_more_relevance_keeps_the_visual_id_then_the_lowest_formula_id() {
    // The formula with the lower id stands behind the other.
    let (_folder, collection) = collection("repair-ties", &[(20, "x", Some(7)), (3, "y", Some(7))]);
    assert_eq!(changes(&collection, &Relevance::new()), [change("20", "7", "8")]);
    let relevance = Relevance::from([("20".to_owned(), 3), ("3".to_owned(), 1)]);
    assert_eq!(changes(&collection, &relevance), [change("3", "7", "8")]);
}

/// A formula without a visual id got that of its look when the collection was built.
#[test]
fn formulas_without_a_visual_id_of_their_own_move_with_their_look() {
    let rows = [(1, "y", Some(7)), (2, "y", Some(7)), (3, "x", Some(7)), (4, "x", None)];
    let (_folder, collection) = collection("repair-ours", &rows);
    // Two of each: the lowest formula id is that of y.
    let found = changes(&collection, &Relevance::new());
    assert_eq!(found, [change("3", "7", "8"), change("4", "7", "8")]);
}

#[test]
fn a_repaired_collection_needs_no_repair() {
    let rows =
        [(9, "x", Some(7)), (2, "y", Some(7)), (3, "z", Some(7)), (4, "y", Some(8)), (5, "z", Some(8))];
    let (folder, first) = collection("repair-again", &rows);
    let target = folder.path().join("repaired");
    repair::repair(&first, &target, &Relevance::new(), &mut |_| Ok(())).unwrap();
    let repaired = Collection::open(&target).unwrap();
    assert_eq!(changes(&repaired, &Relevance::new()), []);
}
