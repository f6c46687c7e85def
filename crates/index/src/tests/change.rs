//! An index that was changed is one that was built anew.

use super::util::{Draft, collection, drafts, files, options, view};
use crate::top::{ByDocument, Clause, Member, Searcher, Spread, Worth};
use crate::{Change, Changed, Error, Field, Index, Part, Unwatched, build, change, compact, word_key};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use testkit::TempDir;

/// Numbers that look random and depend on a seed alone.
fn scattered(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from((state >> 11) % below.max(1) as u64).unwrap()
    }
}

/// An index and the posts that should be in it.
struct World {
    folder: TempDir,
    target: PathBuf,
    posts: BTreeMap<u32, Draft>,
    made: u32,
}

impl World {
    fn new(name: &str, drafts: Vec<Draft>) -> Self {
        let folder = TempDir::new(name);
        let target = folder.path().join("index");
        let path = collection(&folder, "first", &drafts);
        build(&path, &target, &options(), &Unwatched).unwrap();
        let posts = drafts.into_iter().map(|draft| (draft.id, draft)).collect();
        Self { folder, target, posts, made: 0 }
    }

    fn collection(&mut self, drafts: &[Draft]) -> PathBuf {
        self.made += 1;
        collection(&self.folder, &format!("c{}", self.made), drafts)
    }

    /// Changes the index and what should be in it.
    fn change(&mut self, add: &[Draft], delete: &[u32]) -> Changed {
        let path = (!add.is_empty()).then(|| self.collection(add));
        let ids: Vec<String> = delete.iter().map(u32::to_string).collect();
        let before = Index::open(&self.target).unwrap();
        let view_before = view(&before);
        let mut expected = Changed::default();
        for draft in add {
            match self.posts.insert(draft.id, draft.clone()) {
                None => expected.added += 1,
                Some(_) => expected.replaced += 1,
            }
        }
        for id in delete {
            match self.posts.remove(id) {
                Some(_) => expected.deleted += 1,
                None => expected.unknown += 1,
            }
        }
        let asked = Change { add: path.as_deref(), delete: &ids };
        let (index, changed) = change(&self.target, asked, &Unwatched).unwrap();
        assert_eq!(changed, expected);
        assert_eq!(index.generation(), before.generation() + 1);
        // Whoever had it open sees what was there then.
        assert!(view(&before) == view_before);
        before.check().unwrap();
        self.check(&index);
        changed
    }

    /// The index says what one that is built anew says.
    fn check(&mut self, index: &Index) {
        let posts: Vec<Draft> = self.posts.values().cloned().collect();
        let fresh = self.folder.path().join("fresh");
        if posts.is_empty() {
            assert_eq!(index.num_posts(), 0);
            return;
        }
        let path = self.collection(&posts);
        let fresh = view(&build(&path, &fresh, &options(), &Unwatched).unwrap());
        let found = view(index);
        assert_eq!(found.keys().collect::<Vec<_>>(), fresh.keys().collect::<Vec<_>>());
        for (id, fresh) in &fresh {
            assert_eq!(found[id], *fresh, "{id}");
        }
        // Collections of which nothing is used are gone.
        let used: BTreeSet<u16> = index
            .segments()
            .iter()
            .flat_map(|segment| (0..segment.posts.documents()).map(|doc| segment.posts.place(doc).0))
            .collect();
        assert!(index.sources().iter().all(|source| used.contains(&source.number)));
        assert!(index.segments().iter().all(|segment| segment.live() > 0));
    }

    fn ids(&self, wanted: impl Fn(&Draft) -> bool) -> Vec<u32> {
        self.posts.values().filter(|draft| wanted(draft)).map(|draft| draft.id).collect()
    }

    /// Something happens.
    fn step(&mut self, version: u32, random: &mut impl FnMut(usize) -> usize) {
        let (questions, all) = (self.ids(|draft| draft.parent.is_none()), self.ids(|_| true));
        let mut add: BTreeMap<u32, Draft> = BTreeMap::new();
        let mut put = |draft: Draft| add.insert(draft.id, draft);
        for _ in 0..random(5) {
            // A post as another version of itself.
            if !all.is_empty() {
                let old = &self.posts[&all[random(all.len())]];
                put(Draft::new(old.id, old.parent, version));
            }
        }
        for _ in 0..random(4) {
            // An answer to a question that is known, gone or to come.
            let id = 500 + u32::try_from(random(200)).unwrap();
            if self.posts.get(&id).is_none_or(|draft| draft.parent.is_some()) {
                let parent = match random(4) {
                    0 => 701 + 10 * u32::try_from(random(3)).unwrap(),
                    _ if questions.is_empty() => 1,
                    _ => questions[random(questions.len())],
                };
                put(Draft::new(id, Some(parent), version));
            }
        }
        for _ in 0..random(3) {
            let id = 701 + 10 * u32::try_from(random(8)).unwrap();
            put(Draft::new(id, None, version));
        }
        let mut delete = BTreeSet::new();
        for _ in 0..random(5) {
            delete.insert(match random(6) {
                0 => 9999,
                1 => add.keys().next().copied().unwrap_or(1),
                _ if all.is_empty() => 2,
                _ => all[random(all.len())],
            });
        }
        let add: Vec<Draft> = add.into_values().collect();
        self.change(&add, &delete.into_iter().collect::<Vec<_>>());
    }
}

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

impl Worth for Count {
    fn worth(&self, frequency: f32, _: f32) -> f32 {
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
            worth: Count,
            norms: ByDocument { norms: &norms, least: &least },
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
