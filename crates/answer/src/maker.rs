//! Answers, made by a system over an index.

use crate::candidates::{self, Candidate};
use crate::choose;
use crate::desk::{Desk, Post};
use crate::error::Error;
use crate::evidence::{Evidence, Scales};
use crate::fit::fit;
use crate::prompt::{self, Source};
use crate::summary::summary;
use crate::system::{Extract, GenerateStage, How, System};
use crate::write::{Check, Told, Writer};
use claims::{Claim, Counts};
use formats::{DocId, order};
use index::Document;
use post::Quote;
use retrieve::{Asked, Engine, Given, Kinds, Pipeline, SystemError, SystemTask};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How an answer came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It was cut out of posts, word for word.
    Extracted,
    /// A language model wrote it.
    Generated,
}

impl Kind {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Extracted => "extracted",
            Self::Generated => "generated",
        }
    }
}

/// A post that an answer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The number by which the answer calls it, from 1; nothing if the answer was cut out of it.
    pub number: Option<usize>,
    /// The id of the post.
    pub id: String,
    /// The id of the question that it answers, or its own.
    pub thread: String,
    /// The title of that question, with formulas between dollars.
    pub title: String,
}

/// One answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Plain text in paragraphs, with formulas between one or two dollars, balanced, and no longer than
    /// allowed.
    pub text: String,
    /// How sure the system is, where it can say so; only answers of one system can be compared.
    pub score: f64,
    /// How it came about.
    pub kind: Kind,
    /// What it comes from, best first.
    pub sources: Vec<Citation>,
    /// Whether the sources are what the answer was cut from or names itself. If not, they are only what a
    /// model was shown.
    pub cited: bool,
    /// Whether the text is all of a post.
    pub whole: bool,
    /// How much of what is asked the first source and its question speak of, from 0 to 1; nothing if there is
    /// no source. It says whether the answer is about the same thing, not whether it is right.
    pub fit: Option<f64>,
    /// The language model that wrote it.
    pub model: Option<String>,
    /// How often the model was asked.
    pub tries: u32,
    /// Whether what the model wrote was too long every time, and was cut after a sentence.
    pub cut: bool,
    /// The claims of what a model wrote, tested, in their order; none of those that are quoted from people.
    pub claims: Vec<Claim>,
}

impl Answer {
    /// Whether its first source speaks of more than half of what is asked. If not, it may well be about
    /// something else.
    #[must_use]
    pub fn is_close(&self) -> bool {
        self.fit.is_some_and(|fit| fit > 0.5)
    }

    /// How many of its claims were checked, failed, or could not be checked.
    #[must_use]
    pub fn claim_counts(&self) -> Counts {
        Counts::of(&self.claims)
    }

    /// The text in one line, as it stands in a run.
    #[must_use]
    pub fn line(&self) -> String {
        self.text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The ids of its sources, as they stand in a run.
    #[must_use]
    pub fn source_ids(&self) -> String {
        self.sources.iter().map(|source| source.id.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// A candidate, with what speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// Its document.
    pub document: Document,
    /// Its id.
    pub id: String,
    /// By which it is ranked.
    pub score: f64,
    /// What speaks for it.
    pub evidence: Evidence,
}

/// Makes answers by a system. Can be used by many threads at once.
#[derive(Clone, Debug)]
pub struct Maker {
    system: System,
    /// What finds candidates, or questions whose answers they are.
    pipeline: Option<Pipeline>,
    /// What finds them where that one lacks something.
    instead: Option<Pipeline>,
    depth: usize,
}

impl Maker {
    /// Makes a system ready: `find` gives the systems that rank, `runs` are those that are given for them.
    ///
    /// # Errors
    ///
    /// When the system that finds candidates is not there, or is not for answers.
    pub fn new(
        system: System,
        find: &dyn Fn(&str) -> Result<retrieve::System, SystemError>,
        runs: &BTreeMap<String, Arc<Given>>,
    ) -> Result<Self, Error> {
        let error = |what: String| Error::System { name: system.name.clone(), what };
        let compiled = |name: &str| {
            let ranks = find(name).map_err(|cause| error(cause.to_string()))?;
            if ranks.task != SystemTask::Answers {
                return Err(error(format!("{name} ranks formulas, not answers")));
            }
            Ok(Pipeline::compile(ranks, find, runs)?)
        };
        let instead = system.candidates.as_ref().and_then(|candidates| candidates.instead.as_deref());
        let instead = instead.map(compiled).transpose()?;
        let (pipeline, depth) = if let Some(candidates) = &system.candidates {
            (Some(compiled(&candidates.system)?), candidates.depth)
        } else if let Some(questions) = &system.questions {
            let ranks = retrieve::System {
                name: format!("{}: similar questions", system.name),
                task: SystemTask::Answers,
                about: String::new(),
                lab: None,
                posts: Some(questions.posts.clone()),
                formulas: None,
                fusion: None,
            };
            (Some(Pipeline::compile(ranks, find, runs)?), questions.depth)
        } else {
            (None, 0)
        };
        Ok(Self { system, pipeline, instead, depth })
    }

    /// A system that comes with the program, over others that do.
    ///
    /// # Errors
    ///
    /// When there is none of this name.
    pub fn named(name: &str) -> Result<Self, Error> {
        Self::new(System::named(name)?, &retrieve::System::named, &BTreeMap::new())
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// What finds candidates with an engine, if any are needed.
    #[must_use]
    pub fn pipeline(&self, engine: &Engine) -> Option<&Pipeline> {
        let first = self.pipeline.as_ref()?;
        match &self.instead {
            Some(instead) if engine.lacks(first).is_some() => Some(instead),
            _ => Some(first),
        }
    }

    /// The candidates for an answer with what speaks for each, best first.
    ///
    /// # Errors
    ///
    /// When the index cannot be read, or lacks what the system needs.
    pub fn candidates(&self, engine: &Engine, asked: &Asked<'_>) -> Result<Vec<Ranked>, Error> {
        let mut desk = Desk::new(engine, asked.deadline);
        let mut scales = Scales::new(asked.query, &mut desk, self.longest());
        let found = self.found(&mut desk, &mut scales, asked)?;
        self.rank(&mut desk, &mut scales, found)
    }

    /// Answers a question; nothing if nothing was found that could be said. A system that lets a language
    /// model write needs one.
    ///
    /// # Errors
    ///
    /// When the index cannot be read or lacks what the system needs, or when the model fails.
    pub fn answer(
        &self,
        engine: &Engine,
        asked: &Asked<'_>,
        writer: Option<&Writer<'_>>,
        told: &mut Told<'_>,
    ) -> Result<Option<Answer>, Error> {
        let mut desk = Desk::new(engine, asked.deadline);
        let mut scales = Scales::new(asked.query, &mut desk, self.longest());
        let found = self.found(&mut desk, &mut scales, asked)?;
        match (&self.system.extract, &self.system.generate) {
            (Some(stage), _) => self.extract(*stage, &mut desk, &mut scales, found),
            (None, Some(stage)) => {
                let writer = writer.ok_or_else(|| Error::NoModel(self.system.name.clone()))?;
                let shown = self.shown(stage, &mut desk, &mut scales, found)?;
                write(stage, asked, shown, writer, told)
            }
            (None, None) => Ok(None),
        }
    }

    fn longest(&self) -> usize {
        let extracted = self.system.extract.map(|stage| stage.longest);
        let written = self.system.generate.as_ref().map(|stage| stage.longest);
        extracted.or(written).unwrap_or(formats::task3::LONGEST_ANSWER)
    }

    fn found(
        &self,
        desk: &mut Desk<'_>,
        scales: &mut Scales<'_>,
        asked: &Asked<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        let Some(pipeline) = self.pipeline(desk.engine) else { return Ok(Vec::new()) };
        // A system that looks for similar questions says so itself.
        let kinds = if self.system.questions.is_some() { Kinds::All } else { Kinds::ForTopics };
        let mut found = candidates::ranked(desk, pipeline, &Asked { kinds, ..*asked }, self.depth)?;
        if self.system.questions.is_some() {
            found = candidates::of_questions(desk, scales, found)?;
        }
        Ok(candidates::standing(desk, found))
    }

    /// Ranks candidates by what speaks for them; without weights they stay as they are.
    fn rank(
        &self,
        desk: &mut Desk<'_>,
        scales: &mut Scales<'_>,
        found: Vec<Candidate>,
    ) -> Result<Vec<Ranked>, Error> {
        let mut ranked = Vec::with_capacity(found.len());
        for Candidate { document, id, standing } in found {
            if desk.is_over() {
                return Err(retrieve::Error::Stopped.into());
            }
            let evidence = scales.weigh(document, standing, desk)?;
            let score = self.system.rank.map_or(standing.score, |weights| evidence.score(&weights));
            ranked.push(Ranked { document, id, score, evidence });
        }
        if self.system.rank.is_some() {
            ranked.sort_by(|left, right| {
                order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
            });
        }
        Ok(ranked)
    }

    /// The candidates in their order, with their scores. What speaks for each is only looked at if it counts.
    fn ordered(
        &self,
        desk: &mut Desk<'_>,
        scales: &mut Scales<'_>,
        found: Vec<Candidate>,
    ) -> Result<Vec<(Document, f64)>, Error> {
        if self.system.rank.is_none() {
            return Ok(found.into_iter().map(|one| (one.document, one.standing.score)).collect());
        }
        let ranked = self.rank(desk, scales, found)?;
        Ok(ranked.into_iter().map(|one| (one.document, one.score)).collect())
    }

    fn extract(
        &self,
        stage: Extract,
        desk: &mut Desk<'_>,
        scales: &mut Scales<'_>,
        found: Vec<Candidate>,
    ) -> Result<Option<Answer>, Error> {
        let mut ordered = self.ordered(desk, scales, found)?;
        if stage.how == How::Sentences {
            put_best_sentence_first(&mut ordered, stage.posts, desk, scales)?;
        }
        for (document, score) in ordered {
            let post = desk.read(document)?;
            let all = Quote::of(&post.units);
            let whole = all.characters() <= stage.longest;
            let quote = match stage.how {
                _ if post.units.is_empty() => None,
                How::Whole => whole.then_some(all),
                How::Passage | How::Summary | How::Sentences if whole => Some(all),
                How::Passage => choose::passage(
                    &post,
                    &scales.asked,
                    stage.longest,
                    desk,
                    &mut scales.idf,
                    &mut scales.matcher,
                ),
                How::Summary => summary(&post, stage.longest, desk, &mut scales.idf),
                How::Sentences => {
                    let values =
                        choose::sentences(&post, &scales.asked, desk, &mut scales.idf, &mut scales.matcher);
                    choose::pick(&post.units, &values, stage.longest)
                }
            };
            if let Some(quote) = quote {
                let question = desk.question(document).map(|question| desk.read(question)).transpose()?;
                return Ok(Some(Answer {
                    text: quote.text().to_owned(),
                    score,
                    kind: Kind::Extracted,
                    sources: vec![citation(&post, question.as_deref(), None)],
                    cited: true,
                    whole,
                    fit: Some(fit(&post, question.as_deref(), scales, desk)),
                    model: None,
                    tries: 0,
                    cut: false,
                    claims: Vec::new(),
                }));
            }
        }
        Ok(None)
    }

    /// What a model is shown: the best candidates, or passages of them.
    fn shown(
        &self,
        stage: &GenerateStage,
        desk: &mut Desk<'_>,
        scales: &mut Scales<'_>,
        found: Vec<Candidate>,
    ) -> Result<Shown, Error> {
        let mut shown = Shown::default();
        for (document, _) in self.ordered(desk, scales, found)? {
            if shown.sources.len() == stage.sources {
                break;
            }
            let post = desk.read(document)?;
            let all = Quote::of(&post.units);
            let quote = if all.characters() <= stage.source_characters {
                Some(all)
            } else {
                let (idf, matcher) = (&mut scales.idf, &mut scales.matcher);
                choose::passage(&post, &scales.asked, stage.source_characters, desk, idf, matcher)
            };
            if let Some(quote) = quote.filter(|quote| quote.characters() > 0) {
                let question = desk.question(document).map(|question| desk.read(question)).transpose()?;
                let citation = citation(&post, question.as_deref(), Some(shown.sources.len() + 1));
                shown.sources.push(Source { title: citation.title.clone(), text: quote.text().to_owned() });
                shown.citations.push(citation);
                if shown.fit.is_none() {
                    shown.fit = Some(fit(&post, question.as_deref(), scales, desk));
                }
            }
        }
        Ok(shown)
    }
}

/// Of the first candidates, the one with the sentence that is most like what is asked comes first.
fn put_best_sentence_first(
    ordered: &mut [(Document, f64)],
    posts: usize,
    desk: &mut Desk<'_>,
    scales: &mut Scales<'_>,
) -> Result<(), Error> {
    let mut best: Option<(f64, usize)> = None;
    for (place, (document, _)) in ordered.iter().take(posts).enumerate() {
        let post = desk.read(*document)?;
        let values = choose::sentences(&post, &scales.asked, desk, &mut scales.idf, &mut scales.matcher);
        let value = values.into_iter().fold(0.0, f64::max);
        if best.is_none_or(|(highest, _)| value > highest) {
            best = Some((value, place));
        }
    }
    if let Some((_, place)) = best {
        ordered[..=place].rotate_right(1);
    }
    Ok(())
}

fn citation(post: &Post, question: Option<&Post>, number: Option<usize>) -> Citation {
    let thread = question.unwrap_or(post);
    Citation { number, id: post.id.clone(), thread: thread.id.clone(), title: thread.shown_title.clone() }
}

/// What a model is shown.
#[derive(Default)]
struct Shown {
    citations: Vec<Citation>,
    sources: Vec<Source>,
    /// Of the first.
    fit: Option<f64>,
}

/// Lets a model write.
fn write(
    stage: &GenerateStage,
    asked: &Asked<'_>,
    shown: Shown,
    writer: &Writer<'_>,
    told: &mut Told<'_>,
) -> Result<Option<Answer>, Error> {
    let Shown { citations, sources, fit } = shown;
    let question = writer.question().unwrap_or(asked.query);
    let prompt = prompt::prompt(stage.prompt, question, &sources);
    // The time of a model is its own; who waits for nothing more wants no checks either.
    let check = Check { question: prompt::question_text(question), deadline: asked.deadline };
    let written = writer.write(stage, prompt, &check, told)?;
    if written.text.is_empty() {
        return Ok(None);
    }
    let numbers = prompt::cited(&written.text, citations.len());
    let is_cited = |one: &Citation| one.number.is_some_and(|number| numbers.contains(&number));
    let sources = match numbers.is_empty() {
        true => citations,
        false => citations.into_iter().filter(is_cited).collect(),
    };
    Ok(Some(Answer {
        text: written.text,
        score: 1.0,
        kind: Kind::Generated,
        sources,
        cited: !numbers.is_empty(),
        whole: false,
        fit,
        model: Some(writer.name()),
        tries: written.tries,
        cut: written.cut,
        claims: written.claims,
    }))
}
