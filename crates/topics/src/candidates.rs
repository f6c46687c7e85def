//! Which questions come into consideration, and where did the others fall?

mod funnel;

pub use funnel::{Criterion, Funnel};

use crate::elements::{Element, Elements};
use crate::look::{Look, Looker};
use crate::near::{Alike, Earlier, Traits};
use crate::query::{Reason, pick};
use crate::wording::{parts, question_type, words};
use crate::{Dependence, Error, Level, QuestionType, Stratum, estimate};
use formats::{Site, TopicLabels};
use post::{FormulaTexts, PostView};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use store::{Collection, Date, FormulaNo, LinkKind, Part, PostKind, PostNo, Reader};

/// The rule in words.
pub const RULE: &str = "\
A candidate is a question of the later period (--since, --until; with --from, a question of that collection \
that the target does not have) with at least one formula and at least one known duplicate, linked either way, \
among the questions of the target. Where --since parts one collection in two, the target is what is older or has no date, \
and questions without a date are not of the later period. Without --since and --from, every question may be a topic.";

/// The rule for soft criteria in words.
pub const SOFT_RULE: &str = "\
Candidates fall outside these bounds: words 5 to 300 (--min-terms, --max-terms), formulas 1 to 50 \
(--min-formulas, --max-formulas), score from 0 (--min-score), answers from 0 (--min-answers), comments on the question \
from 0 (--min-comments), views from 0 (--min-views). What is not known counts neither for nor against; how much is known \
is printed, and a bound on what is known of no question is an error. The quality of a candidate is the mean of what is \
known of: words (1 from 20 to 120, else n/20 or 120/n), formulas (1 from 2 to 15, else n/2 or 15/n), score s (s/(s+5)), \
answers (n/3, at most 1), comments (n/3, at most 1), views v (v/(v+200)); what it shares with a topic of an earlier year \
lowers it (see earlier topics).";

/// Bounds of the soft criteria; what is not known does not count against a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many words title and text have, formulas not counted.
    pub terms: RangeInclusive<u32>,
    /// How many formulas they have.
    pub formulas: RangeInclusive<u32>,
    /// The lowest score.
    pub min_score: i32,
    /// The fewest answers.
    pub min_answers: u32,
    /// The fewest comments on the question.
    pub min_comments: u32,
    /// The fewest views.
    pub min_views: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { terms: 5..=300, formulas: 1..=50, min_score: 0, min_answers: 0, min_comments: 0, min_views: 0 }
    }
}

/// When questions must have been asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    /// Not before this.
    pub since: Option<Date>,
    /// Before this.
    pub until: Option<Date>,
}

/// Where candidates come from and what is asked of them.
#[derive(Clone, Debug)]
pub struct Plan<'c> {
    /// The collection in which systems will search.
    pub target: &'c Collection,
    /// The collection whose questions may become topics, if it is another.
    pub later: Option<&'c Collection>,
    /// When they must have been asked.
    pub period: Period,
    /// The soft criteria.
    pub bounds: Bounds,
    /// Topics of earlier years, which are excluded.
    pub earlier: &'c [Earlier],
    /// How much two questions may have in common; see [`crate::near`].
    pub alike: f64,
    /// What people said of questions, by their ids.
    pub labels: Option<&'c TopicLabels>,
    /// Whose elements make strata.
    pub elements: ElementsOf,
}

/// Whose mathematical elements make strata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ElementsOf {
    /// The formula query: for formula topics.
    #[default]
    Query,
    /// All formulas of the question: for question topics.
    Question,
}

/// A question that may become a topic.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The question.
    pub post: PostNo,
    /// Its id.
    pub id: String,
    /// Its title as text, with LaTeX between dollars.
    pub title: String,
    /// The ids of its duplicates in the target, in the order of the target.
    pub duplicates: Vec<String>,
    /// What kind of question it is.
    pub stratum: Stratum,
    /// Whether it asks for several things: `No`, or `Yes` with what shows it, or what a label says.
    pub multi_part: String,
    /// The place of the formula to be looked for among its formulas.
    pub query: usize,
    /// Why that formula.
    pub reason: Reason,
    /// The elements of that formula.
    pub query_elements: Elements,
    /// The elements of all its formulas.
    pub elements: Elements,
    /// What it is compared by.
    pub traits: Traits,
    /// The topic of an earlier year that it shares most with, by its place, and the share.
    pub nearest: Option<(usize, f64)>,
    /// How good a topic it seems to make, from 0 to 1.
    pub quality: f64,
    /// How many words it has.
    pub terms: u32,
    /// How many formulas it has.
    pub formulas: u32,
    /// Its score.
    pub score: Option<i32>,
    /// How many answers it has, where there are answers at all.
    pub answers: Option<u32>,
    /// How many comments the question has, where there are comments at all.
    pub comments: Option<u32>,
    /// How often it was looked at.
    pub views: Option<u32>,
}

/// All candidates, and where other questions fell.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// The candidates in the order of their collection.
    pub list: Vec<Candidate>,
    /// How many questions fell at each criterion.
    pub funnel: Funnel,
    /// Questions that met all other criteria, and resemble a topic of an earlier year.
    pub left_out: Vec<LeftOut>,
    /// What is known of the questions that the soft criteria were asked of.
    pub known: Known,
}

/// A question that resembles a topic of an earlier year.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// Its id.
    pub question: String,
    /// Its title as text, with LaTeX between dollars.
    pub title: String,
    /// The place of the topic that it resembles most among [`Plan::earlier`].
    pub earlier: usize,
    /// Why.
    pub why: Alike,
}

/// Of how many questions something is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// All that the soft criteria were asked of.
    pub questions: u64,
    /// Those with a score.
    pub score: u64,
    /// Those whose answers are counted.
    pub answers: u64,
    /// Those whose comments are counted.
    pub comments: u64,
    /// Those with a number of views.
    pub views: u64,
}

impl Known {
    fn add(&mut self, candidate: &Candidate) {
        self.questions += 1;
        self.score += u64::from(candidate.score.is_some());
        self.answers += u64::from(candidate.answers.is_some());
        self.comments += u64::from(candidate.comments.is_some());
        self.views += u64::from(candidate.views.is_some());
    }
}

impl<'c> Plan<'c> {
    /// The collection whose questions may become topics.
    #[must_use]
    pub fn source(&self) -> &'c Collection {
        self.later.unwrap_or(self.target)
    }
}

/// Finds the candidates. Texts are read only of questions that have a formula and a duplicate.
///
/// # Errors
///
/// When a collection is damaged, or a label says what no question can be.
pub fn find(plan: &Plan<'_>) -> Result<Candidates, Error> {
    let source = plan.source();
    let mut search = Search {
        plan,
        reader: source.reader(),
        looker: Looker::default(),
        texts: FormulaTexts::default(),
        links: outside_links(plan)?,
        relatives: relatives(plan)?,
        has_answers: source.about().counts.answers > 0,
        has_comments: source.num_comments() > 0,
        known: Known::default(),
        left_out: Vec::new(),
    };
    let mut list = Vec::new();
    let mut funnel = Funnel::new(plan);
    for post in source.posts() {
        if source.post_facts(post).kind != PostKind::Question {
            continue;
        }
        funnel.questions += 1;
        match search.question(post)? {
            Ok(candidate) => list.push(candidate),
            Err(criterion) => funnel.fall(criterion),
        }
    }
    Ok(Candidates { list, funnel, left_out: search.left_out, known: search.known })
}

/// For each topic of an earlier year, the questions that are linked as duplicates with its thread.
fn relatives(plan: &Plan<'_>) -> Result<Vec<BTreeSet<String>>, Error> {
    let mut found = vec![BTreeSet::new(); plan.earlier.len()];
    let mut by_thread: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, earlier) in plan.earlier.iter().enumerate() {
        if let Some(thread) = &earlier.thread {
            by_thread.entry(thread).or_default().push(at);
        }
    }
    if by_thread.is_empty() {
        return Ok(found);
    }
    for collection in [Some(plan.target), plan.later].into_iter().flatten() {
        let mut reader = collection.reader();
        for number in collection.links() {
            let link = reader.link(number)?;
            if link.kind != LinkKind::Duplicate {
                continue;
            }
            for (one, other) in [(&link.from, &link.to), (&link.to, &link.from)] {
                for at in by_thread.get(one.as_str()).into_iter().flatten() {
                    found[*at].insert(other.clone());
                }
            }
        }
    }
    Ok(found)
}

/// Duplicates that the target knows for questions it does not have, by their ids.
fn outside_links(plan: &Plan<'_>) -> Result<BTreeMap<String, BTreeSet<PostNo>>, Error> {
    let mut links: BTreeMap<String, BTreeSet<PostNo>> = BTreeMap::new();
    if plan.later.is_none() {
        return Ok(links);
    }
    let mut reader = plan.target.reader();
    for number in plan.target.links() {
        let link = reader.link(number)?;
        if link.kind == LinkKind::Duplicate {
            match (plan.target.find_post(&link.from), plan.target.find_post(&link.to)) {
                (None, Some(inside)) => links.entry(link.from).or_default().insert(inside),
                (Some(inside), None) => links.entry(link.to).or_default().insert(inside),
                _ => false,
            };
        }
    }
    Ok(links)
}

struct Search<'p, 'c> {
    plan: &'p Plan<'c>,
    reader: Reader<'c>,
    looker: Looker,
    texts: FormulaTexts,
    links: BTreeMap<String, BTreeSet<PostNo>>,
    /// For each topic of an earlier year, the duplicates of its thread.
    relatives: Vec<BTreeSet<String>>,
    has_answers: bool,
    has_comments: bool,
    known: Known,
    left_out: Vec<LeftOut>,
}

/// A candidate, or where the question fell.
type Considered = Result<Candidate, Criterion>;

impl Search<'_, '_> {
    fn question(&mut self, post: PostNo) -> Result<Considered, Error> {
        let (plan, source) = (self.plan, self.plan.source());
        let facts = source.post_facts(post);
        let Period { since, until } = plan.period;
        let in_period = since.is_none_or(|since| facts.date.is_some_and(|date| date >= since))
            && until.is_none_or(|until| facts.date.is_some_and(|date| date < until));
        if !in_period {
            return Ok(Err(Criterion::Period));
        }
        let id = source.post_id(post).to_string();
        if plan.later.is_some() && plan.target.find_post(&id).is_some() {
            return Ok(Err(Criterion::New));
        }
        if source.formulas_of_post(post).is_empty() {
            return Ok(Err(Criterion::Formula));
        }
        let duplicates = self.duplicates(post, &id)?;
        if duplicates.is_empty() {
            return Ok(Err(Criterion::Duplicate));
        }
        let duplicates = duplicates.into_iter().map(|post| plan.target.post_id(post).to_string()).collect();
        self.read(post, id, duplicates)
    }

    /// The questions of the target that ask the same.
    fn duplicates(&mut self, post: PostNo, id: &str) -> Result<BTreeSet<PostNo>, Error> {
        let plan = self.plan;
        let mut found = self.links.get(id).cloned().unwrap_or_default();
        for number in plan.source().links_of(post) {
            let link = self.reader.link(number)?;
            let other = if link.from == id { &link.to } else { &link.from };
            if link.kind == LinkKind::Duplicate && other != id {
                found.extend(plan.target.find_post(other));
            }
        }
        // Where one collection is parted by a date, its later part is not searched.
        let end = plan.period.since.filter(|_| plan.later.is_none());
        found.retain(|post| {
            let facts = plan.target.post_facts(*post);
            facts.kind == PostKind::Question && end.is_none_or(|end| facts.date.is_none_or(|date| date < end))
        });
        Ok(found)
    }

    /// What needs the text.
    fn read(&mut self, number: PostNo, id: String, duplicates: Vec<String>) -> Result<Considered, Error> {
        let (plan, source) = (self.plan, self.plan.source());
        let PostView { post, title, body } = PostView::read(&mut self.reader, number)?;
        let shown_title =
            title.as_ref().map(|title| title.pieces(&mut self.reader, &mut self.texts)).transpose()?;
        let (title, body) = (title.map(|title| title.text).unwrap_or_default(), body.text);
        let mut formulas: Vec<(Site, Look)> = Vec::new();
        for formula in source.formulas_of_post(number).map(FormulaNo) {
            let site = match source.formula_marks(formula).part() {
                Part::Title => Site::Title,
                _ => Site::Body,
            };
            let latex = self.texts.latex(&mut self.reader, source.formula_form(formula))?;
            formulas.push((site, self.looker.look(&latex)));
        }
        // Formulas with nothing to see are none.
        let Some((query, reason)) = pick(&formulas) else { return Ok(Err(Criterion::Formula)) };
        let looks: Vec<Look> = formulas.iter().map(|(_, look)| *look).collect();
        let (title_words, body_words) = (words(&title), words(&body));
        let terms = title_words.terms + body_words.terms;
        let complexity = looks[query].measure.level();
        let elements = looks.iter().fold(Elements::default(), |all, look| all.and(look.elements));
        let leading = match plan.elements {
            ElementsOf::Query => looks[query].elements.leading(),
            ElementsOf::Question => elements.leading(),
        };
        let labels = Labels { labels: plan.labels, id: &id };
        let stratum = Stratum {
            kind: labels
                .value("type", QuestionType::from_name, &QuestionType::ALL.map(QuestionType::name))?
                .unwrap_or_else(|| question_type(&title_words, &body_words)),
            difficulty: labels
                .value("difficulty", Level::from_name, &Level::ALL.map(Level::name))?
                .unwrap_or_else(|| estimate::difficulty(&post.tags, complexity, terms)),
            dependence: labels
                .value("dependence", Dependence::from_name, &Dependence::ALL.map(Dependence::name))?
                .unwrap_or_else(|| estimate::dependence(terms, different_points(&looks))),
            complexity: labels
                .value("complexity", Level::from_name, &Level::ALL.map(Level::name))?
                .unwrap_or(complexity),
            element: labels
                .value("element", Element::from_name, &Element::ALL.map(Element::name))?
                .unwrap_or(leading),
        };
        let multi_part = labels.text("multi-part").map_or_else(
            || parts(&body).map_or_else(|| "No".to_owned(), |sign| format!("Yes ({sign})")),
            str::to_owned,
        );
        let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let mut candidate = Candidate {
            post: number,
            duplicates,
            stratum,
            multi_part,
            query,
            reason,
            query_elements: looks[query].elements,
            elements,
            title: shown_title.map(|title| title.plain()).unwrap_or_default(),
            nearest: None,
            traits: Traits::new(&format!("{title}\n{body}"), &looks, Some(query)),
            quality: 0.0,
            terms: count(terms),
            formulas: count(looks.len()),
            score: post.facts.score,
            answers: self.has_answers.then(|| count(source.answers(number).count())),
            comments: self.has_comments.then(|| count(source.comments_on(number).count())),
            views: post.views,
            id,
        };
        self.known.add(&candidate);
        if let Some(criterion) = plan.falls(&candidate) {
            return Ok(Err(criterion));
        }
        if let Some((earlier, why)) = self.resembled(&candidate) {
            let Candidate { id: question, title, .. } = candidate;
            self.left_out.push(LeftOut { question, title, earlier, why });
            return Ok(Err(Criterion::Earlier));
        }
        candidate.nearest = nearest(&candidate.traits, plan.earlier);
        let kept = 1.0 - candidate.nearest.map_or(0.0, |(_, share)| share);
        candidate.quality = quality(&candidate) * kept;
        Ok(Ok(candidate))
    }

    /// The topic of an earlier year that a candidate resembles most, if it resembles one.
    fn resembled(&self, candidate: &Candidate) -> Option<(usize, Alike)> {
        let mut most: Option<(usize, Alike)> = None;
        for (at, (earlier, relatives)) in self.plan.earlier.iter().zip(&self.relatives).enumerate() {
            let own = || candidate.duplicates.iter().chain([&candidate.id]);
            let why = match earlier.thread.as_deref() {
                Some(thread) if thread == candidate.id => Some(Alike::Question),
                Some(thread) if own().any(|id| id == thread || relatives.contains(id)) => {
                    Some(Alike::Duplicate)
                }
                _ => candidate.traits.alike(&earlier.traits, self.plan.alike),
            };
            if let Some(why) = why
                && most.is_none_or(|(_, other)| why.strength() > other.strength())
            {
                most = Some((at, why));
            }
        }
        most
    }
}

/// The topic that shares most with a question, the first of several, if one shares anything.
fn nearest(traits: &Traits, earlier: &[Earlier]) -> Option<(usize, f64)> {
    let shares = earlier.iter().map(|earlier| traits.share(&earlier.traits)).enumerate();
    let most = shares.filter(|(_, share)| *share > 0.0);
    most.max_by(|(at, share), (other, most)| share.total_cmp(most).then(other.cmp(at)))
}

/// The points of all formulas, those that look the same once.
pub(crate) fn different_points(looks: &[Look]) -> u32 {
    let mut seen = BTreeSet::new();
    let different = looks.iter().filter(|look| seen.insert(look.key));
    different.fold(0, |sum: u32, look| sum.saturating_add(look.measure.points()))
}

impl Plan<'_> {
    /// The first soft criterion that a candidate does not meet.
    fn falls(&self, candidate: &Candidate) -> Option<Criterion> {
        let Bounds { terms, formulas, min_score, min_answers, min_comments, min_views } = &self.bounds;
        if !terms.contains(&candidate.terms) {
            Some(Criterion::Terms)
        } else if !formulas.contains(&candidate.formulas) {
            Some(Criterion::Formulas)
        } else if candidate.score.is_some_and(|score| score < *min_score) {
            Some(Criterion::Score)
        } else if candidate.answers.is_some_and(|answers| answers < *min_answers) {
            Some(Criterion::Answers)
        } else if candidate.comments.is_some_and(|comments| comments < *min_comments) {
            Some(Criterion::Comments)
        } else if candidate.views.is_some_and(|views| views < *min_views) {
            Some(Criterion::Views)
        } else {
            None
        }
    }
}

/// How good a topic a question seems to make: the mean of what is known of it.
fn quality(candidate: &Candidate) -> f64 {
    let within = |count: u32, low: f64, high: f64| {
        let count = f64::from(count);
        (count / low).min(1.0) * (high / count.max(1.0)).min(1.0)
    };
    let known = [
        Some(within(candidate.terms, 20.0, 120.0)),
        Some(within(candidate.formulas, 2.0, 15.0)),
        candidate.score.map(|score| f64::from(score.max(0)) / (f64::from(score.max(0)) + 5.0)),
        candidate.answers.map(|answers| f64::from(answers.min(3)) / 3.0),
        candidate.comments.map(|comments| f64::from(comments.min(3)) / 3.0),
        candidate.views.map(|views| f64::from(views) / (f64::from(views) + 200.0)),
    ];
    let count = known.iter().flatten().count();
    known.iter().flatten().sum::<f64>() / count.max(1) as f64
}

/// What people said of one question.
struct Labels<'l> {
    labels: Option<&'l TopicLabels>,
    id: &'l str,
}

impl<'l> Labels<'l> {
    /// A label as it stands; one that the file does not have at all is not given.
    fn text(&self, name: &str) -> Option<&'l str> {
        let label = self.labels?.get(self.id, name).ok().flatten()?;
        Some(label.value.as_str())
    }

    fn value<T>(
        &self,
        name: &'static str,
        read: impl Fn(&str) -> Option<T>,
        known: &[&str],
    ) -> Result<Option<T>, Error> {
        let Some(value) = self.text(name) else { return Ok(None) };
        read(value).map(Some).ok_or_else(|| Error::Label {
            name,
            question: self.id.to_owned(),
            value: value.to_owned(),
            known: known.join(", "),
        })
    }
}
