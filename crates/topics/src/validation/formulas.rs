//! A formula must be found when it is renamed, typed in another way, turned around or cut in half.

mod operands;
mod rename;
mod retype;

use super::{HIGH, Kind, Set};
use crate::Error;
use crate::complexity::{Measure, measure};
use crate::question::{Maker, Shown, without_controls};
use formats::{Formula, Role, Topic};
use formula::FormulaParser;
use formula::identity::Key;
use latex::Mode;
use post::FormulaTexts;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Range, RangeInclusive};
use store::{Collection, FormMarks, FormNo, FormulaNo, Part, PostKind, PostNo, VisualNo};

/// How many signs a formula has that is changed, and one that is left of it.
const SIGNS: RangeInclusive<u32> = 5..=100;

/// How many forms a core looks at in one go.
const BATCH: u32 = 4096;

/// What was done to a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// Its variables have other names.
    Renamed,
    /// It looks the same and is typed in another way.
    Retyped,
    /// Two operands have changed places.
    Swapped,
    /// One side of a relation is left.
    Side,
}

impl Change {
    /// All changes.
    pub const ALL: [Self; 4] = [Self::Renamed, Self::Retyped, Self::Swapped, Self::Side];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Renamed => "renamed",
            Self::Retyped => "retyped",
            Self::Swapped => "swapped",
            Self::Side => "one side",
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A formula that was chosen, and what became of it.
struct Chosen {
    visual: VisualNo,
    formula: FormulaNo,
    /// The question it stands in or under, if that is there.
    question: Option<PostNo>,
    change: Change,
    original: String,
    query: String,
    /// What the query looks like.
    key: Key,
    /// What original and query look like without names, if names were changed.
    nameless: Option<Key>,
}

pub(super) fn make(source: &Collection, count: usize, mut rng: Rng) -> Result<Set, Error> {
    let chosen = choose(source, count, &mut rng)?;
    let relevant = relevant(source, &chosen)?;
    let mut maker = Maker::new(source);
    let columns = ["post", "formula", "visual_id", "change", "original", "query"];
    let mut draft = Kind::Formulas.draft(&columns);
    for (chosen, relevant) in chosen.iter().zip(relevant) {
        let id = draft.next_id();
        let shown = Shown { rewritten: Some((chosen.visual, &chosen.query)), ..Shown::default() };
        let mut topic = match chosen.question {
            Some(question) => maker.topic(question, &id, &shown)?,
            None => Topic::new(id.as_str()),
        };
        let in_text = topic.formulas.iter().find(|formula| formula.latex.as_ref() == Some(&chosen.query));
        let formula_id = in_text.and_then(|formula| formula.id.clone()).unwrap_or_else(|| maker.next_id());
        let query = chosen.query.clone();
        topic.formulas =
            vec![Formula { id: Some(formula_id), latex: Some(query), ..Formula::new(Role::Query) }];
        topic.thread = None;
        let ids = relevant.into_iter().map(|visual| (source.visual_id(visual).to_string(), HIGH));
        let post = source.formula_post(chosen.formula).map(|post| source.post_id(post).to_string());
        let formula = source.formula_id(chosen.formula).to_string();
        let visual = source.visual_id(chosen.visual).to_string();
        let info = [
            post.as_deref().unwrap_or_default(),
            &formula,
            &visual,
            chosen.change.name(),
            &chosen.original,
            &chosen.query,
        ];
        draft.push(topic, ids, &info);
    }
    Kind::Formulas.finish(draft, None)
}

/// Chooses formulas in an order of chance, and for each the change that was made least so far, of those that can
/// be made.
fn choose(source: &Collection, count: usize, rng: &mut Rng) -> Result<Vec<Chosen>, Error> {
    let mut order: Vec<VisualNo> = source.visuals().collect();
    rng.shuffle(&mut order);
    let mut chosen = Vec::new();
    let (mut reader, mut texts) = (source.reader(), FormulaTexts::default());
    let mut changer = Changer::default();
    let mut made = [0_usize; Change::ALL.len()];
    for visual in order {
        if chosen.len() >= count {
            break;
        }
        let Some((formula, question)) = place(source, visual) else { continue };
        let original = texts.latex(&mut reader, source.formula_form(formula))?;
        let Some(original) = on_one_line(&original) else { continue };
        let mut changes = Change::ALL;
        rng.shuffle(&mut changes);
        changes.sort_by_key(|change| made[*change as usize]);
        let Some(changed) = changer.change(&original, &changes, rng) else { continue };
        let Changed { change, query, key, nameless } = changed;
        made[change as usize] += 1;
        chosen.push(Chosen { visual, formula, question, change, original, query, key, nameless });
    }
    Ok(chosen)
}

/// LaTeX on one line, as a query is; `None` if a comment would swallow the rest, or if delimiters stand in it.
fn on_one_line(latex: &str) -> Option<String> {
    let latex = without_controls(latex).replace(['\n', '\t'], " ");
    (!latex.contains(['%', '$'])).then_some(latex)
}

/// Where a formula stands in a question or an answer, and the question; one whose question is there comes first.
fn place(source: &Collection, visual: VisualNo) -> Option<(FormulaNo, Option<PostNo>)> {
    let mut without = None;
    for form in source.forms_of_visual(visual) {
        if source.form_marks(form).has(FormMarks::UNREADABLE) {
            continue;
        }
        for formula in source.formulas_of_form(form).filter(|formula| is_in_thread(source, *formula)) {
            let thread = source.thread_of(source.formula_post(formula)?);
            if source.post_facts(thread).kind == PostKind::Question {
                return Some((formula, Some(thread)));
            }
            without.get_or_insert((formula, None));
        }
    }
    without
}

/// Whether a formula stands in a question or an answer, not in a comment.
fn is_in_thread(source: &Collection, formula: FormulaNo) -> bool {
    let part = source.formula_marks(formula).part();
    let kind = source.formula_post(formula).map(|post| source.post_facts(post).kind);
    matches!(part, Part::Title | Part::Body) && matches!(kind, Some(PostKind::Question | PostKind::Answer))
}

/// The visual ids that are relevant for each: its own first, then what looks like the query, and what is the
/// same but for names where names were changed.
fn relevant(source: &Collection, chosen: &[Chosen]) -> Result<Vec<Vec<VisualNo>>, Error> {
    let mut by_key: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    let mut nameless: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for (at, chosen) in chosen.iter().enumerate() {
        by_key.entry(chosen.key).or_default().push(at);
        if let Some(key) = chosen.nameless {
            nameless.entry(key).or_default().push(at);
        }
    }
    let (by_key, nameless) = (&by_key, &nameless);
    let new_worker = || {
        let (mut reader, mut texts, mut changer) =
            (source.reader(), FormulaTexts::default(), Changer::default());
        move |forms: Range<u32>| -> Result<Vec<(usize, VisualNo)>, Error> {
            let mut found = Vec::new();
            for form in forms.map(FormNo) {
                let mut add = |topics: Option<&Vec<usize>>| {
                    let visual = source.form_visual(form);
                    found.extend(topics.into_iter().flatten().map(|topic| (*topic, visual)));
                };
                add(by_key.get(&Key::from_bits(source.form_key(form))));
                if !nameless.is_empty() && !source.form_marks(form).has(FormMarks::UNREADABLE) {
                    let key = changer.nameless(&texts.latex(&mut reader, form)?);
                    add(key.and_then(|key| nameless.get(&key)));
                }
            }
            Ok(found)
        }
    };
    let mut others: Vec<BTreeSet<VisualNo>> = vec![BTreeSet::new(); chosen.len()];
    if !chosen.is_empty() {
        parallel::batches(source.num_forms(), BATCH, new_worker, |found: Vec<(usize, VisualNo)>| {
            found.into_iter().for_each(|(topic, visual)| {
                others[topic].insert(visual);
            });
            Ok::<(), Error>(())
        })?;
    }
    let is_searched = |visual: &VisualNo| {
        let mut forms = source.forms_of_visual(*visual);
        forms.any(|form| source.formulas_of_form(form).any(|formula| is_in_thread(source, formula)))
    };
    let all = chosen.iter().zip(others).map(|(chosen, others)| {
        let others = others.into_iter().filter(|visual| *visual != chosen.visual && is_searched(visual));
        [chosen.visual].into_iter().chain(others).collect()
    });
    Ok(all.collect())
}

/// A formula that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Changed {
    change: Change,
    query: String,
    key: Key,
    nameless: Option<Key>,
}

/// What is known of LaTeX that can be read in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Read {
    key: Key,
    nameless: Key,
    measure: Measure,
}

/// Changes formulas; keeps its memory between them.
#[derive(Default)]
struct Changer {
    parser: FormulaParser,
}

impl Changer {
    /// Changes a formula in the first of these ways that can be done.
    fn change(&mut self, original: &str, changes: &[Change], rng: &mut Rng) -> Option<Changed> {
        let read = self.read(original).filter(|read| SIGNS.contains(&read.measure.signs))?;
        changes.iter().find_map(|change| self.make(*change, original, read, rng))
    }

    /// One change, if it can be made and does what it says.
    fn make(&mut self, change: Change, original: &str, read: Read, rng: &mut Rng) -> Option<Changed> {
        let tree = &self.parser.layout(original, Mode::Document).tree;
        let queries = match change {
            Change::Renamed => rename::renamed(original, tree, rng).into_iter().collect(),
            Change::Retyped => return self.retyped(original, read, rng),
            Change::Swapped => operands::swapped(original, tree, rng),
            Change::Side => operands::sides(original, tree, rng),
        };
        queries.into_iter().find_map(|query| {
            let new = self.read(&query).filter(|new| new.key != read.key)?;
            let is_right = match change {
                Change::Renamed => new.nameless == read.nameless,
                Change::Swapped => new.measure == read.measure,
                Change::Side | Change::Retyped => SIGNS.contains(&new.measure.signs),
            };
            let nameless = (change == Change::Renamed).then_some(read.nameless);
            is_right.then_some(Changed { change, query, key: new.key, nameless })
        })
    }

    /// The formula after all ways to type it in another way that keep its look.
    fn retyped(&mut self, original: &str, read: Read, rng: &mut Rng) -> Option<Changed> {
        let mut query = original.to_owned();
        let mut habits = retype::HABITS;
        rng.shuffle(&mut habits);
        for habit in habits {
            // Not everybody has all habits.
            if rng.below(3) == 0 {
                continue;
            }
            let tree = &self.parser.layout(&query, Mode::Document).tree;
            if let Some(typed) = habit(&query, tree, rng)
                && self.read(&typed).is_some_and(|typed| typed.key == read.key)
            {
                query = typed;
            }
        }
        let signs = |latex: &str| latex.split_whitespace().collect::<String>();
        (signs(&query) != signs(original)).then_some(Changed {
            change: Change::Retyped,
            query,
            key: read.key,
            nameless: None,
        })
    }

    /// What LaTeX looks like without names, if all of it can be read.
    fn nameless(&mut self, latex: &str) -> Option<Key> {
        let mut parsed = self.parser.parse_latex(latex, Mode::Document);
        parsed.is_readable().then(|| parsed.key_without_names()).flatten()
    }

    /// Reads LaTeX, if all of it can be read.
    fn read(&mut self, latex: &str) -> Option<Read> {
        let mut parsed = self.parser.parse_latex(latex, Mode::Document);
        if !parsed.is_readable() {
            return None;
        }
        let nameless = parsed.key_without_names()?;
        let measure = measure(&parsed.layout()?.tree);
        let key = parsed.key_of_tree()?;
        Some(Read { key, nameless, measure })
    }
}

#[cfg(test)]
mod tests;
