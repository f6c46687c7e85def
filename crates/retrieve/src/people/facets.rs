//! By what results can be narrowed down, and how many would be left.

use crate::desk::Desk;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::Hit;
use crate::people::{Grouping, Standing};
use crate::restrict::standing;
use crate::typed::{Bounds, Filter, Must, PostIs, Typed};
use index::Document;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use store::PostKind;

/// Threads that are read between two looks at the clock.
const AT_ONCE: usize = 64;
/// So many values of a facet are shown.
const MOST_VALUES: usize = 12;
/// Votes are told apart from these on.
const VOTES: [i64; 8] = [1, 5, 10, 25, 50, 100, 500, 1000];

/// One way to narrow results down, such as by tags.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facet {
    /// Its name: `tags`, `kind`, `year` or `votes`.
    pub name: &'static str,
    /// Its values, in the order in which they are shown.
    pub values: Vec<FacetValue>,
}

/// A value of a facet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FacetValue {
    /// What people read: `calculus`, `questions`, `2015`, `10 or more`.
    pub label: String,
    /// What is added to the query: `tag:calculus`, `is:question`, `year:2015`, `score:>=10`.
    pub filter: String,
    /// How many of the posts that were counted have it.
    pub count: usize,
}

impl FacetValue {
    fn new(label: impl Into<String>, filter: impl Into<String>, count: usize) -> Self {
        Self { label: label.into(), filter: filter.into(), count }
    }
}

/// Counts what posts that were found have, for each facet that tells some of them from others or is in use.
/// None if there is no time: counts of a part of the results would mislead.
pub(super) fn count(engine: &Engine, typed: &Typed, posts: &[Hit], work: &Work) -> Result<Vec<Facet>, Error> {
    if work.is_cut_short() || work.deadline.is_over() {
        return Ok(Vec::new());
    }
    let desk = &mut Desk::new(engine);
    let in_use: Vec<Filter> = typed
        .filters
        .iter()
        .filter(|filter| filter.must == Must::Must)
        .map(|filter| filter.filter.clone())
        .collect();
    let mut documents: Vec<Document> = posts.iter().map(|post| post.document).collect();
    // Neighbours share a block, which is unpacked once.
    documents.sort_unstable();
    let Some(tags) = tags(desk, &documents, &in_use, work)? else { return Ok(Vec::new()) };
    let facets = [
        ("tags", tags),
        ("kind", kinds(desk, &documents, &in_use)),
        ("year", years(desk, &documents, &in_use)),
        ("votes", votes(desk, &documents, &in_use)),
    ];
    let facets = facets.into_iter().filter(|(_, values)| !values.is_empty());
    Ok(facets.map(|(name, values)| Facet { name, values }).collect())
}

/// The most frequent tags; none if there is no time. A tag that cannot be typed is left out.
fn tags(
    desk: &mut Desk<'_>,
    documents: &[Document],
    in_use: &[Filter],
    work: &Work,
) -> Result<Option<Vec<FacetValue>>, Error> {
    let mut of_threads: BTreeMap<Document, usize> = BTreeMap::new();
    for document in documents {
        *of_threads.entry(Grouping::Threads.of(desk.engine, *document)).or_insert(0) += 1;
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (number, (thread, posts)) in of_threads.into_iter().enumerate() {
        if number.is_multiple_of(AT_ONCE) && work.deadline.is_over() {
            return Ok(None);
        }
        let tags: BTreeSet<String> = desk.label(thread)?.tags.iter().map(|tag| tag.to_lowercase()).collect();
        for tag in tags {
            *counts.entry(tag).or_insert(0) += posts;
        }
    }
    let wanted = |tag: &str| in_use.iter().any(|filter| matches!(filter, Filter::Tag(used) if used == tag));
    for filter in in_use {
        if let Filter::Tag(tag) = filter {
            counts.entry(tag.clone()).or_insert(0);
        }
    }
    let tells = counts.iter().any(|(tag, count)| *count < documents.len() || wanted(tag));
    let mut counts: Vec<(String, usize)> = counts.into_iter().filter(|_| tells).collect();
    counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    let mut values = Vec::new();
    let mut left = MOST_VALUES;
    for (tag, count) in counts {
        if left == 0 && !wanted(&tag) {
            continue;
        }
        if let Some(filter) = typed_tag(&tag) {
            left = left.saturating_sub(1);
            values.push(FacetValue::new(tag, filter, count));
        }
    }
    Ok(Some(values))
}

/// What to type to get a tag; none if nothing does.
fn typed_tag(tag: &str) -> Option<String> {
    let reads = |text: &str| {
        let typed = Typed::read(text);
        typed.words.is_empty()
            && typed.phrases.is_empty()
            && typed.formulas.is_empty()
            && matches!(&typed.filters[..], [filter] if filter.filter == Filter::Tag(tag.to_owned()))
    };
    [format!("tag:{tag}"), format!("tag:\"{tag}\"")].into_iter().find(|text| reads(text))
}

/// Questions, answers and those of them that were accepted.
fn kinds(desk: &Desk<'_>, documents: &[Document], in_use: &[Filter]) -> Vec<FacetValue> {
    let mut counts = [0; 3];
    for document in documents {
        let (source, post) = desk.engine.index().post(*document);
        match source.collection.post_facts(post).kind {
            PostKind::Question => counts[0] += 1,
            PostKind::Answer => counts[1] += 1,
            PostKind::Document => {}
        }
        if standing(desk.engine, *document) == Standing::Accepted {
            counts[2] += 1;
        }
    }
    let known = [
        ("questions", "is:question", PostIs::Question),
        ("answers", "is:answer", PostIs::Answer),
        ("accepted answers", "is:accepted", PostIs::Accepted),
    ];
    let wanted = |is: PostIs| in_use.contains(&Filter::Is(is));
    let used = known.iter().any(|(.., is)| wanted(*is));
    let tells = counts.iter().any(|count| *count > 0 && *count < documents.len());
    let values = known.into_iter().zip(counts);
    let values = values.filter(|((.., is), count)| (used || tells) && (*count > 0 || wanted(*is)));
    values.map(|((label, filter, _), count)| FacetValue::new(label, filter, count)).collect()
}

/// Years, the latest first; of many, the rarest are left out.
fn years(desk: &Desk<'_>, documents: &[Document], in_use: &[Filter]) -> Vec<FacetValue> {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    let mut undated = 0;
    for document in documents {
        let (source, post) = desk.engine.index().post(*document);
        // Years of four digits can be typed.
        match source.collection.post_facts(post).date.map(store::Date::year) {
            Some(year @ 1000..=9999) => *counts.entry(year).or_insert(0) += 1,
            _ => undated += 1,
        }
    }
    let mut used = Vec::new();
    for filter in in_use {
        if let Filter::Date(Bounds { from: Some(from), to: Some(to) }) = filter
            && (from.year, from.month, from.day) == (to.year, 1, 1)
            && (to.month, to.day) == (12, 31)
        {
            counts.entry(i64::from(from.year)).or_insert(0);
            used.push(i64::from(from.year));
        }
    }
    if used.is_empty() && counts.len() + undated.min(1) < 2 {
        return Vec::new();
    }
    let mut years: Vec<(i64, usize)> = counts.into_iter().collect();
    years.sort_by_key(|(year, count)| (Reverse(used.contains(year)), Reverse(*count), Reverse(*year)));
    years.truncate(MOST_VALUES);
    years.sort_by_key(|(year, _)| Reverse(*year));
    let value =
        |(year, count): (i64, usize)| FacetValue::new(year.to_string(), format!("year:{year:04}"), count);
    years.into_iter().map(value).collect()
}

/// Ranges of votes; one within another is shown only if it has fewer posts.
fn votes(desk: &Desk<'_>, documents: &[Document], in_use: &[Filter]) -> Vec<FacetValue> {
    let votes = documents.iter().map(|document| {
        let (source, post) = desk.engine.index().post(*document);
        source.collection.post_facts(post).score.map(i64::from)
    });
    let votes: Vec<i64> = votes.flatten().collect();
    let count = |bounds: Bounds<i64>| votes.iter().filter(|votes| bounds.contains(**votes)).count();
    let wanted = |bounds: Bounds<i64>| in_use.contains(&Filter::Score(bounds));
    let none = Bounds { from: None, to: Some(0) };
    let mut values = Vec::new();
    let mut used = wanted(none);
    if count(none) > 0 || wanted(none) {
        values.push(FacetValue::new("0 or less", "score:<=0", count(none)));
    }
    for (place, from) in VOTES.into_iter().enumerate() {
        let bounds = Bounds { from: Some(from), to: None };
        let posts = count(bounds);
        let next = VOTES.get(place + 1).map_or(0, |next| count(Bounds { from: Some(*next), to: None }));
        used |= wanted(bounds);
        if posts > next || wanted(bounds) {
            values.push(FacetValue::new(format!("{from} or more"), format!("score:>={from}"), posts));
        }
    }
    if used || values.iter().any(|value| value.count < documents.len()) { values } else { Vec::new() }
}
