//! An index and the posts that should be in it, through any number of changes.

use super::numbers::{self, Numbers, kinds};
use super::util::{Draft, collection, options, view};
use crate::{Change, Changed, Index, Unwatched, build_with, change_with, compact_with};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use testkit::TempDir;

/// Numbers that look random and depend on a seed alone.
pub(super) fn scattered(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from((state >> 11) % below.max(1) as u64).unwrap()
    }
}

/// An index and the posts that should be in it.
pub(super) struct World {
    pub(super) folder: TempDir,
    pub(super) target: PathBuf,
    pub(super) posts: BTreeMap<u32, Draft>,
    pub(super) made: u32,
    /// The parts of the index.
    pub(super) parts: Vec<Numbers>,
}

impl World {
    pub(super) fn new(name: &str, drafts: Vec<Draft>) -> Self {
        Self::with_parts(name, drafts, Vec::new())
    }

    pub(super) fn with_parts(name: &str, drafts: Vec<Draft>, parts: Vec<Numbers>) -> Self {
        let folder = TempDir::new(name);
        let target = folder.path().join("index");
        let path = collection(&folder, "first", &drafts);
        build_with(&path, &target, &options(), &kinds(&parts), &Unwatched).unwrap();
        let posts = drafts.into_iter().map(|draft| (draft.id, draft)).collect();
        Self { folder, target, posts, made: 0, parts }
    }

    /// How often each part computed a number since this was asked last.
    pub(super) fn computed(&self) -> Vec<u32> {
        self.parts.iter().map(Numbers::computed).collect()
    }

    /// Compacts the index. No part computes anything then.
    pub(super) fn compact(&mut self) {
        self.computed();
        let before = Index::open(&self.target).unwrap();
        let index = compact_with(&self.target, &kinds(&self.parts), &Unwatched).unwrap();
        assert_eq!(index.segments().len(), 1);
        assert!(self.computed().iter().all(|computed| *computed == 0));
        assert!(view(&before) == view(&index));
        self.check(&index);
    }

    pub(super) fn collection(&mut self, drafts: &[Draft]) -> PathBuf {
        self.made += 1;
        collection(&self.folder, &format!("c{}", self.made), drafts)
    }

    /// Changes the index and what should be in it.
    pub(super) fn change(&mut self, add: &[Draft], delete: &[u32]) -> Changed {
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
        self.computed();
        let asked = Change { add: path.as_deref(), delete: &ids };
        let (index, changed) = change_with(&self.target, asked, &kinds(&self.parts), &Unwatched).unwrap();
        assert_eq!(changed, expected);
        assert_eq!(index.generation(), before.generation() + 1);
        // Whoever had it open sees what was there then.
        assert!(view(&before) == view_before);
        before.check().unwrap();
        // The value of a post is computed when the post is new, and never again.
        if let Some(part) = self.parts.iter().find(|part| part.from == numbers::From::Post) {
            let computed = part.computed();
            assert_eq!(computed as usize, add.iter().filter(|draft| !delete.contains(&draft.id)).count());
            part.note(computed);
        }
        self.check(&index);
        changed
    }

    /// The index says what one that is built anew says.
    pub(super) fn check(&mut self, index: &Index) {
        let posts: Vec<Draft> = self.posts.values().cloned().collect();
        let fresh = self.folder.path().join("fresh");
        if posts.is_empty() {
            assert_eq!(index.num_posts(), 0);
            return;
        }
        let path = self.collection(&posts);
        let _ = std::fs::remove_dir_all(&fresh);
        let parts: Vec<Numbers> = self.parts.iter().map(Numbers::again).collect();
        let fresh = build_with(&path, &fresh, &options(), &kinds(&parts), &Unwatched).unwrap();
        for (part, fresh_part) in self.parts.iter().zip(&parts) {
            let (found, fresh) = (part.values(index), fresh_part.values(&fresh));
            // Formulas of posts that are not valid any more stay with their collection.
            assert!(part.from == numbers::From::Formula || found == fresh, "{}", part.name);
        }
        let (fresh, found) = (view(&fresh), view(index));
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

    pub(super) fn ids(&self, wanted: impl Fn(&Draft) -> bool) -> Vec<u32> {
        self.posts.values().filter(|draft| wanted(draft)).map(|draft| draft.id).collect()
    }

    /// Something happens.
    pub(super) fn step(&mut self, version: u32, random: &mut impl FnMut(usize) -> usize) {
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
