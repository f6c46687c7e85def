//! A post as it is shown: title, the window of its text that says most, and why it was found.

mod window;

use crate::desk::{Desk, PostText};
use crate::engine::Work;
use crate::error::Error;
use crate::hits::{Clue, Hit};
use crate::people::formulas::QueryFormula;
use crate::people::highlight::Highlight;
use crate::people::{FoundFormula, FoundPost, FoundWord, Reasons};
use crate::restrict::standing;
use formula::matching::Prepared;
use index::Document;
use latex::Mode;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use text::Tokenizer;
use window::Source;

/// Formulas that are less similar are not shown as similar.
const LEAST_SHOWN: f32 = 0.3;
/// Formulas at least this similar are marked; the best of each post is marked anyway.
const LEAST_MARKED: f32 = 0.6;
/// So many different formulas of a post are compared.
const MOST_FORMULAS: usize = 200;

/// The formula of the query that a formula is most like, by its place among those searched for, and how much.
type Like = Option<(usize, f32)>;

/// For each formula of a post the one of the query that it is like, by its place among those typed.
pub(super) type Places = Vec<Option<usize>>;

/// Makes a hit a result; clues are what makes up its score. Formulas are marked as long as there is time.
pub(super) fn show(
    desk: &mut Desk<'_>,
    asked: &Highlight,
    similar: &[QueryFormula],
    (rank, hit, clues): (usize, &Hit, Vec<Clue>),
    work: &mut Work,
) -> Result<FoundPost, Error> {
    let document = hit.document;
    let post = desk.read(document)?;
    let above = desk.question(document).map(|question| desk.read(question)).transpose()?;
    let (likes, formulas) = compare(desk, similar, (&post.formulas, post.in_title), work);
    let place = |like: &Like| like.map(|(number, _)| similar[number].place);
    let places: Places = likes.iter().map(place).collect();
    let title_places: Places = match &above {
        Some(above) if post.title.is_empty() => {
            let in_title = above.in_title.min(above.formulas.len());
            let (likes, _) = compare(desk, similar, (&above.formulas[..in_title], in_title), work);
            likes.iter().map(place).collect()
        }
        _ => places.clone(),
    };
    let mut found = card(desk, asked, document, (&places, &title_places))?;
    let mut clues = merged(clues);
    clues.sort_by(|left, right| right.score.total_cmp(&left.score));
    (found.rank, found.score) = (rank, hit.score);
    found.why = Reasons { clues, words: words(asked, &post, above.as_deref()), formulas };
    Ok(found)
}

/// A post with its words and formulas marked; it has no rank, score and reasons. Places are those of its
/// own formulas and of those of the title that is shown.
pub(super) fn card(
    desk: &mut Desk<'_>,
    asked: &Highlight,
    document: Document,
    (places, title_places): (&Places, &Places),
) -> Result<FoundPost, Error> {
    let post = desk.read(document)?;
    let question = desk.question(document);
    let above = question.map(|question| desk.read(question)).transpose()?;
    let index = desk.engine.index();
    let (source, number) = index.post(document);
    let facts = source.collection.post_facts(number);
    let titled = above.as_deref().filter(|_| post.title.is_empty()).unwrap_or(&post);
    let title = Source { text: &titled.title, formulas: &titled.formulas, places: title_places };
    let in_title = post.in_title.min(post.formulas.len());
    let body = Source {
        text: &post.body,
        formulas: &post.formulas[in_title..],
        places: places.get(in_title..).unwrap_or_default(),
    };
    let user = match &post.owner {
        Some(owner) => Some(desk.user(document, owner)?.unwrap_or_else(|| owner.clone())),
        None => None,
    };
    let tagged = above.as_deref().filter(|_| post.tags.is_empty()).unwrap_or(&post);
    Ok(FoundPost {
        document,
        id: source.collection.post_id(number).to_string(),
        question_id: question.map(|question| {
            let (source, number) = index.post(question);
            source.collection.post_id(number).to_string()
        }),
        rank: 0,
        score: 0.0,
        kind: facts.kind,
        standing: standing(desk.engine, document),
        title: title.whole(asked),
        tags: tagged.tags.clone(),
        votes: facts.score,
        date: facts.date,
        user,
        snippet: body.best_window(asked),
        why: Reasons::default(),
        others: Vec::new(),
        num_others: 0,
    })
}

/// Clues of the same term are one: a formula has many features.
fn merged(clues: Vec<Clue>) -> Vec<Clue> {
    let mut merged: Vec<Clue> = Vec::new();
    let mut places: BTreeMap<(String, &'static str, String), usize> = BTreeMap::new();
    for clue in clues {
        let key = (clue.group.clone(), clue.place, clue.term.clone());
        match places.get(&key) {
            Some(place) => {
                merged[*place].score += clue.score;
                merged[*place].frequency += clue.frequency;
            }
            None => {
                places.insert(key, merged.len());
                merged.push(clue);
            }
        }
    }
    merged
}

/// The formula of the query that each formula of a post is most like, and the best for each of the query.
fn compare(
    desk: &mut Desk<'_>,
    similar: &[QueryFormula],
    (formulas, in_title): (&[String], usize),
    work: &mut Work,
) -> (Vec<Like>, Vec<FoundFormula>) {
    let mut likes: Vec<Like> = vec![None; formulas.len()];
    let mut best: Vec<Option<(f32, usize)>> = vec![None; similar.len()];
    let mut seen: HashMap<&str, Like> = HashMap::new();
    // The formulas that are the best of some formula of the query, by their places.
    let mut kept: BTreeMap<usize, Prepared> = BTreeMap::new();
    for (place, latex) in formulas.iter().enumerate() {
        if let Some(like) = seen.get(latex.as_str()) {
            likes[place] = *like;
            continue;
        }
        if similar.is_empty() || seen.len() >= MOST_FORMULAS || work.deadline.is_over() {
            break;
        }
        let Some(prepared) = desk.comparer.prepare(latex, Mode::Document) else { continue };
        for (number, query) in similar.iter().enumerate() {
            let Some(query) = &query.prepared else { continue };
            let similarity = desk.comparer.similarity(query, &prepared);
            if likes[place].is_none_or(|(_, most)| similarity > most) {
                likes[place] = Some((number, similarity));
            }
            if similarity >= LEAST_SHOWN && best[number].is_none_or(|(most, _)| similarity > most) {
                best[number] = Some((similarity, place));
            }
        }
        seen.insert(latex, likes[place]);
        if best.iter().flatten().any(|(_, best)| *best == place) {
            kept.insert(place, prepared);
            kept.retain(|place, _| best.iter().flatten().any(|(_, best)| best == place));
        }
    }
    let told: BTreeSet<&str> = best.iter().flatten().map(|(_, place)| formulas[*place].as_str()).collect();
    for (like, latex) in likes.iter_mut().zip(formulas) {
        if like.is_some_and(|(_, similarity)| similarity < LEAST_MARKED) && !told.contains(latex.as_str()) {
            *like = None;
        }
    }
    let mut found = Vec::new();
    for (query, best) in similar.iter().zip(best) {
        let Some((similarity, place)) = best else { continue };
        let latex = &formulas[place];
        let (Some(prepared), Some(candidate)) = (&query.prepared, kept.get(&place)) else { continue };
        let [query_spans, spans] = desk.comparer.spans((prepared, &query.latex), (candidate, latex));
        found.push(FoundFormula {
            query: query.place,
            latex: latex.clone(),
            field: if place < in_title { "title" } else { "body" },
            similarity,
            spans,
            query_spans,
        });
    }
    (likes, found)
}

/// The words of the query that a post has, and where.
fn words(asked: &Highlight, post: &PostText, question: Option<&PostText>) -> Vec<FoundWord> {
    let (tags, above_tags) =
        (post.tags.join(" "), question.map(|question| question.tags.join(" ")).unwrap_or_default());
    let fields = [
        ("title", post.title.as_str()),
        ("body", &post.body),
        ("tags", &tags),
        ("title of the question", question.map_or("", |question| &question.title)),
        ("tags of the question", &above_tags),
    ];
    let mut found: BTreeMap<&str, Vec<&'static str>> = BTreeMap::new();
    let (mut tokenizer, mut memory) = (Tokenizer::default(), String::new());
    for (field, text) in fields {
        tokenizer.tokenize(text, |word| {
            if let Some(stem) = asked.matches(word.term, &mut memory) {
                let fields = found.entry(stem).or_default();
                if fields.last() != Some(&field) {
                    fields.push(field);
                }
            }
        });
    }
    let word = |(stem, fields): (&str, Vec<&'static str>)| FoundWord {
        word: asked.stems.get(stem).cloned().unwrap_or_default(),
        fields,
    };
    found.into_iter().map(word).collect()
}
