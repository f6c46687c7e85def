//! The rule of 2020: what is shown comes from different threads.

use super::Shown;
use crate::item::Candidate;
use formats::{FormulaId, PostId};
use stats::rng::Rng;
use std::collections::BTreeMap;

/// Where a formula stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaThread {
    /// The post that holds it.
    pub post: PostId,
    /// The thread of the post, by the id of its question.
    pub thread: PostId,
}

/// Knows the posts and threads of formula instances.
pub trait ThreadLookup: Sync {
    /// Where a formula stands, if that is known.
    fn thread_of(&self, formula: &FormulaId) -> Option<FormulaThread>;
}

/// A post and the formula in it that would be shown.
struct Post<'a> {
    id: PostId,
    thread: PostId,
    best: &'a Candidate,
}

/// Candidates come by their ids.
pub(super) fn choose(
    candidates: &[&Candidate],
    lookup: &dyn ThreadLookup,
    at_most: usize,
    rng: &mut Rng,
) -> Shown {
    let mut without_post = 0;
    let mut by_post: BTreeMap<PostId, Post<'_>> = BTreeMap::new();
    for candidate in candidates.iter().copied() {
        let Some(FormulaThread { post, thread }) = lookup.thread_of(&candidate.instance) else {
            without_post += 1;
            continue;
        };
        let known = by_post.entry(post.clone()).or_insert(Post { id: post, thread, best: candidate });
        if candidate.sources.best_rank() < known.best.sources.best_rank() {
            known.best = candidate;
        }
    }
    let mut threads: BTreeMap<PostId, Vec<Post<'_>>> = BTreeMap::new();
    let num_posts = by_post.len();
    for post in by_post.into_values() {
        threads.entry(post.thread.clone()).or_default().push(post);
    }
    let mut threads: Vec<Vec<Post<'_>>> = threads.into_values().collect();
    let mut posts: Vec<Post<'_>> = if num_posts <= at_most {
        threads.into_iter().flatten().collect()
    } else if threads.len() < at_most {
        let mut chosen: Vec<Post<'_>> = threads.iter_mut().map(|thread| draw(thread, rng)).collect();
        let mut others: Vec<Post<'_>> = threads.into_iter().flatten().collect();
        rng.shuffle(&mut others);
        others.truncate(at_most - chosen.len());
        chosen.extend(others);
        chosen
    } else {
        rng.shuffle(&mut threads);
        threads.truncate(at_most);
        threads.iter_mut().map(|thread| draw(thread, rng)).collect()
    };
    posts.sort_by(|a, b| a.id.cmp(&b.id));
    let instances = posts.into_iter().map(|post| post.best.instance.clone()).collect();
    Shown { instances, without_post }
}

/// Takes one post out of a thread, which is never empty, by chance.
fn draw<'a>(thread: &mut Vec<Post<'a>>, rng: &mut Rng) -> Post<'a> {
    let place = rng.index(thread.len());
    thread.swap_remove(place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::item::{Returned, Sources};
    use std::collections::BTreeSet;

    /// Formula `t.p.n` stands in post `t.p` of thread `t`; `lost` stands nowhere.
    struct Names;

    impl ThreadLookup for Names {
        fn thread_of(&self, formula: &FormulaId) -> Option<FormulaThread> {
            let (post, _) = formula.as_str().rsplit_once('.')?;
            let (thread, _) = post.rsplit_once('.')?;
            Some(FormulaThread { post: post.into(), thread: thread.into() })
        }
    }

    fn candidates(ids: &str) -> Vec<Candidate> {
        let candidate = |(place, id): (usize, &str)| Candidate {
            instance: id.into(),
            sources: Sources {
                within: vec![Returned { run: "r".into(), rank: 100 - place }],
                deeper: Vec::new(),
            },
        };
        ids.split(' ').enumerate().map(candidate).collect()
    }

    fn check(ids: &str, at_most: usize, seed: u64) -> Vec<String> {
        let candidates = candidates(ids);
        let candidates: Vec<&Candidate> = candidates.iter().collect();
        let shown = choose(&candidates, &Names, at_most, &mut Rng::seeded(seed));
        shown.instances.iter().map(ToString::to_string).collect()
    }

    fn threads_of(shown: &[String]) -> BTreeSet<&str> {
        shown.iter().map(|id| &id[..1]).collect()
    }

    #[test]
    fn few_posts_are_all_shown_and_of_a_post_its_best_ranked_formula() {
        // Later ones have better ranks here, so 1.a.2 stands for its post.
        for seed in 0..9 {
            assert_eq!(check("1.a.1 1.a.2 1.b.1 2.c.1", 3, seed), ["1.a.2", "1.b.1", "2.c.1"]);
        }
    }

    #[test]
    fn many_posts_of_few_threads_fill_up() {
        let mut seen = BTreeSet::new();
        for seed in 0..200 {
            let shown = check("1.a.1 1.b.1 1.c.1 1.d.1 2.e.1", 3, seed);
            assert_eq!(shown.len(), 3);
            assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), 3);
            assert_eq!(threads_of(&shown).len(), 2, "each thread gives one");
            seen.extend(shown);
        }
        assert_eq!(seen.len(), 5, "chance reaches every post");
    }

    #[test]
    fn many_threads_give_one_post_each() {
        let ids = "1.a.1 1.b.1 2.c.1 3.d.1 3.e.1 4.f.1";
        let mut seen = BTreeSet::new();
        for seed in 0..200 {
            let shown = check(ids, 3, seed);
            assert_eq!((shown.len(), threads_of(&shown).len()), (3, 3));
            seen.extend(shown);
            // As many threads as wanted, and more posts: the same rule.
            let shown = check(ids, 4, seed);
            assert_eq!((shown.len(), threads_of(&shown).len()), (4, 4));
        }
        assert_eq!(seen.len(), 6, "chance reaches every post");
    }

    #[test]
    fn formulas_of_no_known_post_are_counted() {
        let candidates = candidates("1.a.1 lost");
        let candidates: Vec<&Candidate> = candidates.iter().collect();
        let shown = choose(&candidates, &Names, 5, &mut Rng::seeded(0));
        assert_eq!((shown.instances.len(), shown.without_post), (1, 1));
        assert_eq!(choose(&candidates, &Names, 0, &mut Rng::seeded(0)).instances.len(), 0);
    }
}
