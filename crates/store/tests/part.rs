//! A part of a collection holds what was not cut, as it was.
use store::{Collection, Cut, DirtNote, Shortened, write_part};
use testkit::{SmallCollection, small_collection};

fn part(small: &SmallCollection, cut: &Cut) -> Collection {
    let path = small.folder.path().join("part");
    let note = DirtNote { kind: "test".to_owned(), action: "left out".to_owned(), count: 1 };
    let about = write_part(&small.collection, &path, cut, note.clone()).unwrap();
    assert_eq!(about.repairs, [note]);
    Collection::open_whole(&path).unwrap()
}

fn posts(collection: &Collection) -> Vec<String> {
    collection.posts().map(|post| collection.post_id(post).to_string()).collect()
}

/// Ids of formulas with their visual ids, LaTeX and claims.
fn formulas(collection: &Collection) -> Vec<(String, u64, String, Option<store::Stray>)> {
    let mut reader = collection.reader();
    let one = |formula| {
        let form = collection.formula_form(formula);
        let latex = reader.latex(form).unwrap().to_owned();
        let id = collection.formula_id(formula).to_string();
        (id, collection.visual_id(collection.form_visual(form)), latex, reader.stray(formula).unwrap())
    };
    collection.formulas().map(one).collect()
}

#[test]
fn nothing_cut_is_the_same_collection() {
    let small = small_collection("part-whole");
    let whole = &small.collection;
    let part = part(&small, &Cut::new(whole));
    assert_eq!(posts(&part), posts(whole));
    assert_eq!(formulas(&part), formulas(whole));
    let counts = |collection: &Collection| collection.about().counts;
    assert_eq!(counts(&part), counts(whole));
    for post in whole.posts() {
        assert_eq!(part.reader().post(post).unwrap(), whole.reader().post(post).unwrap());
        assert_eq!(part.links_of(post).count(), whole.links_of(post).count());
    }
    for form in whole.forms() {
        assert_eq!(part.form_key(form), whole.form_key(form));
        let given = |collection: &Collection| collection.reader().presentation(form).unwrap().to_owned();
        assert_eq!(given(&part), given(whole));
    }
    assert_eq!(part.users().unwrap(), whole.users().unwrap());
}

#[test]
fn a_question_leaves_with_its_comments_links_and_formulas() {
    let small = small_collection("part-question");
    let whole = &small.collection;
    let mut cut = Cut::new(whole);
    cut.post(whole.find_post("20").unwrap());
    cut.post(whole.find_post("12").unwrap());
    assert_eq!((cut.num_posts(), cut.num_titles()), (2, 0));
    let part = part(&small, &cut);
    assert_eq!(posts(&part), ["10", "21"]);
    // Comment 7 is on answer 12; the links are of question 20, and of its answer with a post outside.
    assert_eq!(part.num_comments(), 0);
    let links: Vec<_> = part.links().map(|link| part.reader().link(link).unwrap()).collect();
    assert!(links.iter().all(|link| link.from != "20" && link.to != "20"), "{links:?}");
    // An answer whose question left has none; the accepted answer is gone.
    let answer = part.reader().post(part.find_post("21").unwrap()).unwrap();
    assert_eq!((answer.parent_id, answer.facts.parent), (None, None));
    assert_eq!(part.post_facts(part.find_post("10").unwrap()).accepted, None);
    // Formula 9 stands nowhere, and its table has it in question 20.
    let ids: Vec<String> = formulas(&part).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, ["1", "2", "5"]);
    // Where its table has formula 5 is still known.
    assert_eq!(formulas(&part)[2].3.as_ref().map(|stray| stray.post.as_str()), Some("12"));
    let counts = part.about().counts;
    assert_eq!((counts.forms, counts.visuals, counts.formulas), (2, 2, 3));
}

#[test]
fn titles_and_pieces_of_texts_leave_with_their_formulas() {
    let small = small_collection("part-texts");
    let whole = &small.collection;
    let (ten, twelve) = (whole.find_post("10").unwrap(), whole.find_post("12").unwrap());
    let mut cut = Cut::new(whole);
    cut.title(ten);
    let html = "<p>Compare with \u{FDD0}.</p>".to_owned();
    cut.body(twelve, Shortened { html: html.clone(), kept: vec![false, true] });
    cut.comment(whole.find_comment("7").unwrap());
    let part = part(&small, &cut);
    assert_eq!((cut.num_titles(), posts(&part)), (1, posts(whole)));
    let mut reader = part.reader();
    assert_eq!(reader.post(ten).unwrap().title, None);
    assert_eq!(reader.post(twelve).unwrap().body, html);
    let ids: Vec<String> = formulas(&part).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, ["2", "4", "5", "9"]);
    let in_post = |post| part.formulas_of_post(post).len();
    assert_eq!((in_post(ten), in_post(twelve), part.num_comments()), (1, 1, 0));
}
