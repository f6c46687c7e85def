//! What the commands that answer questions share: systems of Task 3, and language models.

pub(crate) mod model;
pub(crate) mod watched;

use crate::run::named;
use crate::{nearest, systems};
use ::formats::Topic;
use ::formats::check::Data;
use ::formats::task3::Task3Answer;
use answer::{Answer, How, Kind, Maker, PromptKind, SYSTEMS, System};
use anyhow::{Context, Result, bail};
use generate::{Cause, Continue};
use retrieve::{Asked, Engine, Query};
use std::fs;
use std::path::Path;

/// All systems that answer and come with the program.
pub(crate) fn all() -> Result<Vec<System>> {
    SYSTEMS.iter().map(|(name, _)| Ok(System::named(name)?)).collect()
}

/// Whether a system of this name comes with the program.
pub(crate) fn is_known(name: &str) -> bool {
    SYSTEMS.iter().any(|(known, _)| *known == name)
}

/// The text of a system's file, by the name of a system or of a file.
pub(crate) fn text(name: &str) -> Result<String> {
    match SYSTEMS.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => Ok((*text).to_owned()),
        None if Path::new(name).extension().is_some_and(|extension| extension == "toml") => {
            fs::read_to_string(name).with_context(|| name.to_owned())
        }
        None => {
            let known: Vec<String> = SYSTEMS.iter().map(|(name, _)| (*name).to_owned()).collect();
            bail!("{name}: there is no such system that answers; {}", nearest::suggest(name, &known))
        }
    }
}

/// A system by its name or its file; its candidates may come from another one than the file says.
pub(crate) fn find(name: &str, candidates: Option<&str>) -> Result<System> {
    let mut system = System::read(&text(name)?, name)?;
    if let Some(other) = candidates {
        match &mut system.candidates {
            Some(stage) => other.clone_into(&mut stage.system),
            None => bail!("--candidates has no effect: {name} takes none from a ranking"),
        }
    }
    Ok(system)
}

/// A system, ready to answer without runs from elsewhere.
pub(crate) fn maker(system: System) -> Result<Maker> {
    Ok(Maker::new(system, &systems::find_member, &std::collections::BTreeMap::new())?)
}

/// The answer of a system that writes nothing.
pub(crate) fn extracted(
    maker: &Maker,
    engine: &Engine,
    query: &Query,
    topic: &Topic,
) -> Result<Option<Answer>> {
    Ok(maker
        .answer(engine, &Asked::answers(query).for_topic(topic.id.as_str()), None, &mut |_| Continue::Yes)?)
}

/// What a system uses, in the words of the guidelines. One that takes whole posts as they are ranked uses what the
/// ranking uses; all others read questions and posts.
pub(crate) fn data(maker: &Maker, engine: &Engine) -> Data {
    let system = maker.system();
    let is_whole = system.extract.is_some_and(|extract| extract.how == How::Whole);
    match maker.pipeline(engine) {
        Some(pipeline) if is_whole && system.rank.is_none() && system.questions.is_none() => {
            named::data(pipeline.uses(engine))
        }
        _ => Data::Both,
    }
}

/// An error, with a word on what may help: a server that knows no texts to be continued says no more than that
/// there is nothing at this address.
pub(crate) fn with_hint(error: anyhow::Error, system: &System) -> anyhow::Error {
    let is_missing = matches!(
        generate_error(&error),
        Some(generate::Error::Endpoint { cause: Cause::Status { status: 404 | 405, .. }, .. })
    );
    if is_missing && system.generate.as_ref().is_some_and(|stage| stage.prompt == PromptKind::Labs) {
        let name = &system.name;
        return error.context(format!(
            "{name} gives a text to be continued, which not every server takes; --system labs-chat asks the same in a conversation"
        ));
    }
    error
}

/// Why a model gave nothing, if that is what an error is about.
pub(crate) fn generate_error(error: &anyhow::Error) -> Option<&generate::Error> {
    error.chain().find_map(|cause| match cause.downcast_ref::<answer::Error>() {
        Some(answer::Error::Generate(error)) => Some(error),
        _ => cause.downcast_ref::<generate::Error>(),
    })
}

/// An answer as a row of a run.
pub(crate) fn row(topic: &Topic, answer: &Answer, tag: &str) -> Task3Answer {
    // Which model wrote it stands beside the run: names of models look like ids.
    let mut sources = answer.source_ids();
    if answer.kind == Kind::Generated {
        sources.push_str(if sources.is_empty() { "generated" } else { " generated" });
    }
    Task3Answer {
        topic: topic.id.clone(),
        rank: "1".to_owned(),
        score: answer.score.to_string(),
        run: tag.to_owned(),
        sources,
        answer: answer.line(),
        line: 0,
    }
}
