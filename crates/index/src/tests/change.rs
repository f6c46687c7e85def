//! An index that was changed is one that was built anew.

use super::util::{Draft, collection, drafts, files, options, view};
use super::world::{World, scattered};
use crate::top::{ByDocument, Clause, Level, Member, Searcher, Spread, TermScorer};
use crate::{Change, Error, Field, Index, Part, Unwatched, build, change, compact, word_key};
use std::collections::BTreeSet;
use testkit::TempDir;

#[test]
fn changes_in_any_order_leave_what_would_be_built_anew() {
    for seed in 1..=8 {
        let mut random = scattered(seed);
        let mut world = World::new("change-random", drafts(12));
        for version in 1..=5 {
            world.step(version, &mut random);
            if random(4) == 0 {
                let index = compact(&world.target, &Unwatched).unwrap();
                assert_eq!(index.segments().len(), 1);
                world.check(&index);
            }
        }
        let (before, index) =
            (Index::open(&world.target).unwrap(), compact(&world.target, &Unwatched).unwrap());
        assert!(view(&before) == view(&index));
        world.check(&index);
        let names: Vec<String> = files(&world.target).into_keys().collect();
        assert_eq!(names.len(), 3 + 2 * index.sources().len(), "{names:?}");
    }
}

#[test]
fn an_answer_stays_when_its_question_goes_and_finds_it_again() {
    let mut world = World::new("change-orphan", drafts(8));
    assert_eq!(world.posts[&32].parent, Some(31));
    world.change(&[], &[31]);
    let index = Index::open(&world.target).unwrap();
    assert_eq!(view(&index)["32"].parent, None);
    world.change(&[Draft::new(31, None, 7)], &[]);
    let index = Index::open(&world.target).unwrap();
    assert_eq!(view(&index)["32"].parent.as_deref(), Some("31"));
    // An answer before its question, then both in one change.
    world.change(&[Draft::new(902, Some(901), 1)], &[]);
    world.change(&[Draft::new(901, None, 1), Draft::new(903, Some(901), 1)], &[902]);
    world.change(&[Draft::new(902, Some(901), 2)], &[901]);
}

#[test]
fn posts_move_between_questions() {
    let mut world = World::new("change-move", drafts(8));
    world.change(&[Draft::new(32, Some(71), 3)], &[]);
    world.change(&[Draft::new(32, Some(31), 4), Draft::new(71, None, 4)], &[32]);
    let all: Vec<u32> = world.posts.keys().copied().collect();
    world.change(&[], &all[1..]);
    let again: Vec<Draft> =
        drafts(8).into_iter().map(|draft| Draft::new(draft.id, draft.parent, 9)).collect();
    world.change(&again, &[]);
    // All posts are new: of the first collection nothing is left.
    assert_eq!(Index::open(&world.target).unwrap().sources().len(), 1);
}

#[test]
fn all_posts_can_go() {
    let mut world = World::new("change-all", drafts(4));
    let all: Vec<u32> = world.posts.keys().copied().collect();
    let ids: Vec<String> = all.iter().map(u32::to_string).collect();
    let (index, changed) = change(&world.target, Change { add: None, delete: &ids }, &Unwatched).unwrap();
    assert_eq!((index.num_posts(), changed.deleted as usize), (0, all.len()));
    let index = compact(&world.target, &Unwatched).unwrap();
    assert_eq!(index.num_posts(), 0);
    world.posts.clear();
    world.change(&drafts(3), &[]);
}

#[derive(Clone, Copy, Debug)]
struct Count;

impl TermScorer for Count {
    fn score(&self, frequency: f32, _: f32) -> f32 {
        frequency
    }

    fn most(&self) -> f32 {
        1000.0
    }
}

#[test]
fn a_new_answer_is_found_by_the_words_of_its_question() {
    let mut world = World::new("change-answer", drafts(8));
    let mut question = Draft::new(31, None, 5);
    question.title = "Hyperbolic zebras".to_owned();
    world.change(&[question], &[]);
    world.change(&[Draft::new(38, Some(31), 1)], &[]);
    let index = Index::open(&world.target).unwrap();
    let mut found = BTreeSet::new();
    for (number, segment) in index.segments().iter().enumerate() {
        let postings = segment.posts.postings(Field::Words(Part::Title)).unwrap();
        let Some(list) = postings.find(word_key("zebras")) else { continue };
        let norms = vec![1.0; segment.posts.documents() as usize];
        let least = vec![1.0; segment.posts.windows().len()];
        let clause = Clause {
            members: vec![Member { list, factor: 1.0, spread: Spread::Answers }],
            scorer: Count,
            norms: ByDocument { norms: &norms, least: &least },
            level: Level::Document,
        };
        let top = Searcher::default().top(&[clause], &segment.posts.space(), 100, |doc| segment.is_live(doc));
        for hit in top {
            let (source, post) = index.post(crate::Document { segment: number, doc: hit.doc });
            found.insert(source.collection.post_id(post).to_string());
        }
    }
    let expected = world.ids(|draft| draft.parent == Some(31));
    assert_eq!(
        found.into_iter().collect::<Vec<_>>(),
        expected.iter().map(u32::to_string).collect::<Vec<_>>()
    );
    assert!(expected.contains(&38));
}

/// Tries something while a build is under way.
struct Meanwhile<F>(F);

impl<F: Fn() + Sync> crate::Watch for Meanwhile<F> {
    fn stage(&self, _: &str, _: u64) {
        self.0();
    }

    fn done(&self, _: u64) {}
}

#[test]
fn the_second_writer_is_told_that_it_is_busy() {
    let world = World::new("change-busy", drafts(4));
    let (path, target) = (world.folder.path().join("first.coll"), &world.target);
    let delete = ["1".to_owned()];
    let busy = |outcome: Result<(), Error>| assert!(matches!(outcome, Err(Error::Busy(_))), "{outcome:?}");
    let watch = Meanwhile(|| {
        busy(build(&path, target, &options(), &Unwatched).map(drop));
        busy(change(target, Change { add: None, delete: &delete }, &Unwatched).map(drop));
        busy(compact(target, &Unwatched).map(drop));
        // Readers are not in the way.
        Index::open(target).unwrap();
    });
    build(&path, target, &options(), &watch).unwrap();
    change(target, Change { add: Some(&path), delete: &delete }, &watch).unwrap();
    compact(target, &watch).unwrap();
}

#[test]
fn folders_that_are_something_else_are_left_alone() {
    let folder = TempDir::new("change-foreign");
    let path = collection(&folder, "c", &drafts(2));
    for (name, file) in
        [("notes", "notes.txt"), ("web", "index.json"), ("locked", "lock"), ("deep", "building/notes.txt")]
    {
        folder.write(&format!("{name}/{file}"), "mine");
        folder.write(&format!("{name}/other.txt"), "mine, too");
        let target = folder.path().join(name);
        for outcome in [
            build(&path, &target, &options(), &Unwatched).map(drop),
            change(&target, Change { add: Some(&path), delete: &[] }, &Unwatched).map(drop),
            compact(&target, &Unwatched).map(drop),
        ] {
            let error = outcome.unwrap_err();
            assert!(matches!(error, Error::NotAnIndex(_) | Error::Damaged { .. }), "{name}: {error}");
        }
        assert_eq!(std::fs::read(target.join(file)).unwrap(), b"mine");
        assert_eq!(std::fs::read_dir(&target).unwrap().count(), 2);
    }
    let missing = folder.path().join("missing");
    change(&missing, Change { add: Some(&path), delete: &[] }, &Unwatched).unwrap_err();
    assert!(!missing.exists());
    // What somebody put beside an index stays there.
    let target = folder.path().join("index");
    build(&path, &target, &options(), &Unwatched).unwrap();
    folder.write("index/notes.txt", "mine");
    folder.write("index/more/notes.txt", "mine");
    build(&path, &target, &options(), &Unwatched).unwrap();
    compact(&target, &Unwatched).unwrap();
    assert!(target.join("notes.txt").exists() && target.join("more/notes.txt").exists());
}
