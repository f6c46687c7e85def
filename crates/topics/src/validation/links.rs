//! A question must find answers to questions that were linked with it, as if it were new.

use super::references::References;
use super::{HIGH, Kind, Set, answers_to, is_answered};
use crate::Error;
use crate::question::{Maker, Shown};
use formats::Topic;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use store::{Collection, Cut, LinkKind, PostKind, PostNo};

/// The grade of answers to questions that are linked and do not ask the same.
const MEDIUM: u8 = 2;

/// Questions with those they are linked with, in either direction, and the grade of those.
type Graph = BTreeMap<PostNo, BTreeMap<PostNo, u8>>;

pub(super) fn make(source: &Collection, count: usize, mut rng: Rng) -> Result<Set, Error> {
    let graph = graph(source)?;
    let asked = choose(&graph, |question| is_answered(source, question), count, &mut rng);
    let mut cut = Cut::new(source);
    for question in &asked {
        cut.post(*question);
        source.answers(*question).for_each(|answer| cut.post(answer));
    }
    let references = References::new(source);
    references.hide(&mut cut)?;
    let (mut maker, mut reader) = (Maker::new(source), source.reader());
    let mut draft = Kind::Links.draft(&["question", "duplicates", "linked", "change"]);
    for question in asked {
        let targets: Vec<(PostNo, u8)> = graph[&question]
            .iter()
            .filter(|(target, _)| is_answered(source, **target) && !cut.has_post(**target))
            .map(|(target, grade)| (*target, *grade))
            .collect();
        // A question that quotes the title of its target would be a search for that title.
        let leads_to_target = |post| targets.iter().any(|(target, _)| source.thread_of(post) == *target);
        let body = references.shorten(&reader.post(question)?.body, &leads_to_target);
        let shown = Shown { body, ..Shown::default() };
        let topic = maker.topic(question, &draft.next_id(), &shown)?;
        let topic = Topic { formulas: Vec::new(), thread: None, ..topic };
        let ids = |wanted: u8| {
            let targets = targets.iter().filter(|(_, grade)| *grade == wanted);
            let ids = targets.map(|(target, _)| source.post_id(*target).to_string());
            ids.collect::<Vec<_>>().join(" ")
        };
        let relevant = targets.iter().flat_map(|(target, grade)| answers_to(source, *target, *grade));
        let id = source.post_id(question).to_string();
        draft.push(topic, relevant, &[&id, &ids(HIGH), &ids(MEDIUM), "thread left out"]);
    }
    Kind::Links.finish(draft, Some(cut))
}

/// Reads which questions are linked. A link from or to an answer counts for its question.
fn graph(source: &Collection) -> Result<Graph, Error> {
    let question = |id: &str| {
        let thread = source.thread_of(source.find_post(id)?);
        (source.post_facts(thread).kind == PostKind::Question).then_some(thread)
    };
    let mut graph = Graph::new();
    let mut reader = source.reader();
    for link in source.links() {
        let link = reader.link(link)?;
        let Some((from, to)) = question(&link.from).zip(question(&link.to)) else { continue };
        if from == to {
            continue;
        }
        let grade = if link.kind == LinkKind::Duplicate { HIGH } else { MEDIUM };
        for (one, other) in [(from, to), (to, from)] {
            let known = graph.entry(one).or_default().entry(other).or_default();
            *known = grade.max(*known);
        }
    }
    Ok(graph)
}

/// Chooses questions in an order of chance, each only if one of its targets is left, and if it is not the last
/// target of one that was chosen before.
fn choose(graph: &Graph, is_answered: impl Fn(PostNo) -> bool, count: usize, rng: &mut Rng) -> Vec<PostNo> {
    let mut order: Vec<PostNo> = graph.keys().copied().collect();
    rng.shuffle(&mut order);
    let mut chosen = Vec::new();
    let mut taken: BTreeSet<PostNo> = BTreeSet::new();
    // How many targets of each that was chosen are left.
    let mut left: BTreeMap<PostNo, usize> = BTreeMap::new();
    for question in order {
        if chosen.len() >= count {
            break;
        }
        let linked = || graph[&question].keys();
        let targets = linked().filter(|target| is_answered(**target) && !taken.contains(target)).count();
        let is_target = is_answered(question);
        let is_last = is_target && linked().any(|topic| left.get(topic) == Some(&1));
        if targets == 0 || is_last {
            continue;
        }
        if is_target {
            for topic in linked() {
                if let Some(left) = left.get_mut(topic) {
                    *left -= 1;
                }
            }
        }
        left.insert(question, targets);
        taken.insert(question);
        chosen.push(question);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph_of(links: &[(u32, u32)]) -> Graph {
        let mut graph = Graph::new();
        for (one, other) in links {
            graph.entry(PostNo(*one)).or_default().insert(PostNo(*other), MEDIUM);
            graph.entry(PostNo(*other)).or_default().insert(PostNo(*one), MEDIUM);
        }
        graph
    }

    /// In every order, each topic keeps a target, and nothing more could have been chosen.
    #[test]
    fn every_topic_keeps_a_target_and_the_choice_is_maximal() {
        let graph = graph_of(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (2, 5), (6, 7)]);
        let unanswered = PostNo(5);
        let is_answered = |post: PostNo| post != unanswered;
        for seed in 0..200 {
            let chosen = choose(&graph, is_answered, usize::MAX, &mut Rng::seeded(seed));
            let keeps = |topic: &PostNo, gone: &[PostNo]| {
                graph[topic].keys().any(|target| is_answered(*target) && !gone.contains(target))
            };
            assert!(chosen.iter().all(|topic| keeps(topic, &chosen)), "{seed}: {chosen:?}");
            for other in graph.keys().filter(|post| !chosen.contains(post)) {
                let more: Vec<PostNo> = chosen.iter().copied().chain([*other]).collect();
                assert!(!more.iter().all(|topic| keeps(topic, &more)), "{seed}: {chosen:?} {other:?}");
            }
            let fewer = choose(&graph, is_answered, 2, &mut Rng::seeded(seed));
            assert_eq!(fewer, chosen[..2]);
        }
    }

    #[test]
    fn of_two_linked_questions_one_stays() {
        let graph = graph_of(&[(0, 1)]);
        for seed in 0..20 {
            assert_eq!(choose(&graph, |_| true, 9, &mut Rng::seeded(seed)).len(), 1);
            // What has no answer is nobody's target, so only it can be a topic.
            assert_eq!(choose(&graph, |post| post.0 == 1, 9, &mut Rng::seeded(seed)), [PostNo(0)]);
        }
    }
}
