//! Systems that give one answer to a question: which there are here, and what they say.
//!
//! What is asked comes from the search box (`q` and `f`) or in full (title, body and tags); both become one
//! [`Asked`]. How an answer is shown is left to `pages` and `api`.

use crate::site::error::AppError;
use crate::site::model::{Model, Patience};
use crate::site::pages::Accepted;
use crate::site::state::Served;
use ::answer::{Answer, Maker, SYSTEMS, Writer, question_text};
use generate::Continue;
use retrieve::people::Question;
use retrieve::typed::{How, Reading, Typed, Understanding};
use retrieve::{Deadline, Engine};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// The system that lets a model write when none is named.
pub(crate) const USUAL_WRITER: &str = "hypatia-sources";

/// All of them; their files are read once.
static MAKERS: LazyLock<Vec<Maker>> =
    LazyLock::new(|| SYSTEMS.iter().filter_map(|(name, _)| Maker::named(name).ok()).collect());

/// All systems, in the order in which they are listed.
pub(crate) fn all() -> &'static [Maker] {
    &MAKERS
}

/// The system with a name.
fn named(name: &str) -> Result<&'static Maker, AppError> {
    all().iter().find(|maker| maker.system().name == name).ok_or_else(|| {
        let name: String = name.chars().take(40).collect();
        let known: Vec<&str> = all().iter().map(|maker| maker.system().name.as_str()).collect();
        AppError::BadRequest(format!("no system {name:?} answers; there are {}", known.join(", ")))
    })
}

/// Why a system cannot answer here.
pub(crate) fn reason(maker: &Maker, engine: &Engine, model: Option<&Model>) -> Option<String> {
    if maker.system().is_generative() && model.is_none() {
        return Some("there is no language model here".to_owned());
    }
    let lacks = maker.pipeline(engine).and_then(|pipeline| engine.lacks(pipeline))?;
    Some(format!("the index was built without {lacks}"))
}

/// The system with a name, if it can answer here.
pub(crate) fn ready(name: &str, engine: &Engine, model: Option<&Model>) -> Result<&'static Maker, AppError> {
    let maker = named(name)?;
    match reason(maker, engine, model) {
        None => Ok(maker),
        Some(_) if maker.system().is_generative() && model.is_none() => Err(no_model()),
        Some(reason) => Err(AppError::BadRequest(format!("{name}: {reason}"))),
    }
}

/// What is told where no model can write.
pub(crate) fn no_model() -> AppError {
    AppError::NotFound("language model here".to_owned())
}

/// A question, however it was asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked(pub(crate) Question);

impl Asked {
    /// What was typed into the search box; formulas need no dollars there, unless it is read literally.
    pub(crate) fn typed(query: &str, understanding: Understanding) -> Self {
        Self(Question { title: with_dollars(query, understanding), ..Question::default() })
    }

    /// Whether nothing is asked.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.title.trim().is_empty() && self.0.body.trim().is_empty()
    }
}

/// What was typed, with dollars around formulas that had none.
fn with_dollars(query: &str, understanding: Understanding) -> String {
    let mut text = query.to_owned();
    // From the back, so that the places of those before stay right.
    for formula in Typed::read_as(query, understanding).formulas.iter().rev() {
        let shown = match (formula.how, formula.reading) {
            (How::Dollars, Reading::AsTyped) => continue,
            (How::Dollars, Reading::Translated) => formula.latex.clone(),
            _ => format!("${}$", formula.latex),
        };
        if text.get(formula.span.clone()).is_some() {
            text.replace_range(formula.span.clone(), &shown);
        }
    }
    text
}

/// What a system said to a question.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) system: &'static str,
    /// What was asked, as it was understood.
    pub(crate) question: String,
    /// Nothing, if nothing was found that could be said.
    pub(crate) answer: Option<Answer>,
    /// What people thought of the post that it was cut out of.
    pub(crate) standing: Option<Standing>,
    pub(crate) elapsed: Duration,
    /// Whether the model was stopped before it was done.
    pub(crate) stopped: bool,
}

/// What people thought of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Votes for it less votes against it.
    pub(crate) votes: Option<i32>,
    /// Whether whoever asked accepted it.
    pub(crate) accepted: Accepted,
}

impl Standing {
    fn of(engine: &Engine, id: &str) -> Option<Self> {
        let index = engine.index();
        let (source, post) = index.post(index.find(id)?);
        let facts = source.collection.post_facts(post);
        let question = facts.parent.map(|question| source.collection.post_facts(question));
        let accepted = question.is_some_and(|question| question.accepted == Some(post));
        Some(Self { votes: facts.score, accepted: if accepted { Accepted::Yes } else { Accepted::No } })
    }
}

/// Lets a system cut an answer out of posts.
pub(crate) fn extract(
    served: &Served,
    maker: &'static Maker,
    asked: &Asked,
    deadline: &Deadline,
) -> Result<Made, AppError> {
    let mut made = make(served, maker, asked, None, (&mut |_| Continue::Yes, deadline))?;
    let source = made.answer.as_ref().and_then(|answer| answer.sources.first());
    made.standing = source.and_then(|source| Standing::of(&served.engine, &source.id));
    Ok(made)
}

/// Lets a model write an answer.
pub(crate) fn write(
    served: &Served,
    maker: &'static Maker,
    asked: &Asked,
    model: &Model,
    patience: &mut Patience,
) -> Result<Made, AppError> {
    let writer = Writer::new(model.generator.as_ref(), model.seed);
    let deadline = patience.deadline();
    let mut made = make(served, maker, asked, Some(&writer), (&mut |event| patience.told(event), &deadline))?;
    made.stopped = patience.is_ended();
    // Its full name is nothing for others, see `Model::full_name`.
    if let Some(answer) = &mut made.answer {
        answer.model = Some(model.display_name.clone());
    }
    if made.stopped && made.answer.is_none() {
        return Err(AppError::TooSlow);
    }
    Ok(made)
}

fn make(
    served: &Served,
    maker: &'static Maker,
    asked: &Asked,
    writer: Option<&Writer<'_>>,
    (told, deadline): (&mut ::answer::Told<'_>, &Deadline),
) -> Result<Made, AppError> {
    let start = Instant::now();
    let query = asked.0.query();
    let wanted = retrieve::Asked::answers(&query).until(deadline);
    let answer = if asked.is_empty() { None } else { maker.answer(&served.engine, &wanted, writer, told)? };
    Ok(Made {
        system: &maker.system().name,
        question: question_text(&query),
        answer,
        standing: None,
        elapsed: start.elapsed(),
        stopped: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_formula_becomes_one() {
        let check = |typed: &str, expected: &str| {
            assert_eq!(Asked::typed(typed, Understanding::Helpful).0.title, expected);
        };
        check("why is $x$ odd?", "why is $x$ odd?");
        check("prove a^2+b^2>=2ab", r"prove $a^2+b^2\ge2ab$");
        check("is $sqrt(2)$ odd", r"is $\sqrt{2}$ odd");
        check("\\(y\\) and x^2", "\\(y\\) and $x^2$");
        check("", "");
    }

    #[test]
    fn what_is_read_literally_stays_as_typed() {
        for typed in ["prove a^2+b^2>=2ab", "is $sqrt(2)$ odd", "why is $x$ odd?", "integral of x^2"] {
            assert_eq!(Asked::typed(typed, Understanding::Literal).0.title, typed);
        }
    }

    #[test]
    fn systems_are_known_by_name() {
        assert_eq!(all().len(), SYSTEMS.len());
        assert!(named(USUAL_WRITER).is_ok_and(|maker| maker.system().is_generative()));
        assert!(named(::answer::DEFAULT).is_ok_and(|maker| !maker.system().is_generative()));
        let told = named("bm25").map(|_| ()).map_err(|error| error.to_string());
        assert!(
            told.is_err_and(|told| told.starts_with("no system \"bm25\" answers; there are hypatia-extract"))
        );
    }
}
