//! Systems: how to rank, as readable files.
//!
//! The files of the systems that come with the program are in `systems/`;
//! `docs/systems.md` says what may stand in one.

mod beyond;
mod components;
mod formulas;
mod fusion;
mod lab;
mod numbers;
mod posts;
mod shipped;

pub use beyond::{
    ByFormulas, Chosen, Dense, FormulaGain, Kept, KeptWords, Linked, Links, Locations, Proximity, QueryText,
    Shares,
};
pub use components::Component;
pub use formulas::{Features, Find, FormulaContext, FormulaDense, FormulaStage, Identical, Rerank};
pub use fusion::{FusionStage, Member, Need, Only, Origin, Topics};
pub use lab::{Lab, State};
pub use numbers::read_settings;
pub use posts::{
    Feedback, Group, Mix, Normalise, Part, PostRerank, PostStage, Returns, Statistics, Terms, Weights,
};
pub use shipped::{OUR_OWN, SYSTEMS};

use serde::{Deserialize, Deserializer, de};

/// The system for posts when none is named and the index has no vectors.
pub const DEFAULT_POSTS: &str = "hypatia-classic-1";
/// The system for formulas when none is named and the index has no vectors.
pub const DEFAULT_FORMULAS: &str = "hypatia-classic-2";
/// The system for people's searches when none is named.
pub const DEFAULT_SEARCH: &str = "search";
/// The system for people's searches for formulas.
pub const DEFAULT_SEARCH_FORMULAS: &str = "search-formulas";

/// Which task of the labs a system is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "u8")]
pub enum SystemTask {
    /// Find answers to questions.
    Answers,
    /// Find formulas.
    Formulas,
}

impl SystemTask {
    /// Its number in the labs.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Answers => 1,
            Self::Formulas => 2,
        }
    }
}

impl TryFrom<u8> for SystemTask {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        match number {
            1 => Ok(Self::Answers),
            2 => Ok(Self::Formulas),
            other => {
                Err(format!("there is no task {other} for systems; there are 1 (answers) and 2 (formulas)"))
            }
        }
    }
}

/// A system.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The task it is for.
    pub task: SystemTask,
    /// What it is, in a sentence or two.
    pub about: String,
    /// The run of the labs that it stands for.
    pub lab: Option<Lab>,
    /// How posts are ranked.
    pub posts: Option<PostStage>,
    /// How formulas are ranked.
    pub formulas: Option<FormulaStage>,
    /// How what other systems find becomes one ranking.
    pub fusion: Option<FusionStage>,
}

/// A system's file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {what}")]
pub struct SystemError {
    name: String,
    what: String,
}

impl SystemError {
    /// What is wrong with the file of this name.
    #[must_use]
    pub fn new(name: &str, what: &str) -> Self {
        Self { name: name.to_owned(), what: what.to_owned() }
    }
}

impl System {
    /// A system that comes with the program.
    ///
    /// # Errors
    ///
    /// When there is none of this name; the error lists those there are.
    pub fn named(name: &str) -> Result<Self, SystemError> {
        let Some((_, file)) = SYSTEMS.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = SYSTEMS.iter().map(|(name, _)| *name).collect();
            let what = format!("there is no such system; there are {}", known.join(", "));
            return Err(SystemError { name: name.to_owned(), what });
        };
        Self::read(file, name)
    }

    /// Reads a system's file.
    ///
    /// # Errors
    ///
    /// When the file says something that is not understood, with line and column, or holds a number that is
    /// not finite, with its key.
    pub fn read(text: &str, file: &str) -> Result<Self, SystemError> {
        let error = |what: String| SystemError { name: file.to_owned(), what };
        let system: Self = read_settings(text).map_err(error)?;
        system.checked(file)
    }

    /// Reads a system's file with other numbers in some places, such as `posts.group.words.weight`: parts of
    /// a list are called by their name, or by their place from 0 on.
    ///
    /// # Errors
    ///
    /// As [`System::read`], and when there is no such place.
    pub fn varied(text: &str, file: &str, changes: &[(&str, f64)]) -> Result<Self, SystemError> {
        let error = |what: String| SystemError { name: file.to_owned(), what };
        let table = changed(text, changes).map_err(error)?;
        numbers::check_numbers(&table).map_err(error)?;
        let system: Self = table.try_into().map_err(|cause: toml::de::Error| error(cause.to_string()))?;
        system.checked(file)
    }

    /// A system's file under another name with other numbers in some places, without its comments.
    ///
    /// # Errors
    ///
    /// As [`System::varied`].
    pub fn rewritten(text: &str, name: &str, changes: &[(&str, f64)]) -> Result<String, SystemError> {
        let error = |what: String| SystemError { name: name.to_owned(), what };
        let mut table = changed(text, changes).map_err(error)?;
        table.insert("name".to_owned(), toml::Value::String(name.to_owned()));
        let text = toml::to_string(&table).map_err(|cause| error(cause.to_string()))?;
        Self::read(&text, name)?;
        Ok(text)
    }

    /// The same without what leaves a part of the work out: every feature of a query is searched for. The
    /// members of a fusion are systems of their own: see [`Pipeline::exact`](crate::Pipeline::exact).
    #[must_use]
    pub fn exact(mut self) -> Self {
        if let Some(formulas) = &mut self.formulas {
            formulas.search_for_all();
        }
        if let Some(posts) = &mut self.posts {
            posts.budget = None;
            if let Some(by) = &mut posts.by_formulas {
                by.all_scored = None;
            }
            posts.dense.iter_mut().for_each(|dense| dense.exact = true);
        }
        self
    }

    /// The same without the weights that are to be learned: its features can be computed before there are any.
    #[must_use]
    pub fn unlearned(mut self) -> Self {
        if let Some(formulas) = &mut self.formulas {
            formulas.rerank = formulas.rerank.take().map(Rerank::unlearned);
        }
        self
    }

    fn checked(self, file: &str) -> Result<Self, SystemError> {
        let error = |what: String| SystemError { name: file.to_owned(), what };
        let system = self;
        if let Some(mistake) = system.formulas.as_ref().and_then(FormulaStage::mistake) {
            return Err(error(mistake.to_owned()));
        }
        let is_from_other = system.formulas.as_ref().is_some_and(|formulas| formulas.from.is_some());
        if is_from_other && system.task != SystemTask::Formulas {
            return Err(error("only a system for task 2 has formulas that another one finds".to_owned()));
        }
        match (system.task, &system.posts, &system.formulas, &system.fusion) {
            (_, None, None, Some(_)) => Ok(system),
            (_, _, _, Some(_)) => Err(error(
                "a system with [fusion] is made of others: it has no [posts] and no [formulas]".to_owned(),
            )),
            (SystemTask::Answers, None, _, None) => {
                Err(error("a system for task 1 needs [posts] or [fusion]".to_owned()))
            }
            (SystemTask::Formulas, _, None, None) => {
                Err(error("a system for task 2 needs [formulas] or [fusion]".to_owned()))
            }
            (_, Some(posts), formulas, None) => match posts.mistake(formulas.as_ref()) {
                Some(mistake) => Err(error(mistake.to_owned())),
                None => Ok(system),
            },
            _ => Ok(system),
        }
    }
}

/// The table of a system's file with numbers put into places.
fn changed(text: &str, changes: &[(&str, f64)]) -> Result<toml::Table, String> {
    let mut table: toml::Table = toml::from_str(text).map_err(|cause| cause.to_string())?;
    for (place, value) in changes {
        change(&mut table, place, *value)
            .ok_or_else(|| format!("there is no place `{place}` for a number"))?;
    }
    Ok(table)
}

/// Puts a number where a path leads. The last step may be new, all others must be there.
fn change(table: &mut toml::Table, place: &str, value: f64) -> Option<()> {
    let (path, last) = place.rsplit_once('.').unwrap_or(("", place));
    let mut at = table;
    let mut steps = path.split('.').filter(|step| !step.is_empty());
    while let Some(step) = steps.next() {
        at = match at.get_mut(step)? {
            toml::Value::Table(table) => table,
            toml::Value::Array(items) => {
                let wanted = steps.next()?;
                // Members of a fusion and scorers have no name of their own.
                let called =
                    |item: &toml::Value, key| item.get(key).and_then(toml::Value::as_str) == Some(wanted);
                let named = |item: &toml::Value| {
                    ["name", "system", "run", "by"].into_iter().any(|key| called(item, key))
                };
                let found = items.iter().position(named).or_else(|| wanted.parse().ok())?;
                items.get_mut(found)?.as_table_mut()?
            }
            _ => return None,
        };
    }
    // Counts stay whole numbers.
    let whole = value.fract() == 0.0 && matches!(at.get(last), None | Some(toml::Value::Integer(_)));
    let value = if whole { toml::Value::Integer(value as i64) } else { toml::Value::Float(value) };
    at.insert(last.to_owned(), value);
    Some(())
}

/// How many of a query's terms are searched for, the rarest first.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// As long as their lists together are no longer than this share of all documents,
    #[serde(deserialize_with = "amount")]
    pub share: f64,
    /// or than this number,
    #[serde(deserialize_with = "amount")]
    pub postings: f64,
    /// and so many in any case. The others count for what is found.
    pub least: usize,
}

/// Whether a number can be a weight.
fn is_weight(weight: f64) -> bool {
    (0.0..=1e6).contains(&weight)
}

/// Reads a number that is neither negative nor infinite.
fn amount<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let amount = f64::deserialize(deserializer)?;
    if amount.is_finite() && amount >= 0.0 {
        Ok(amount)
    } else {
        Err(serde::de::Error::custom(format!("a budget is a number from 0 on, not {amount}")))
    }
}

impl Budget {
    /// How many lists of these lengths, the shortest first, are searched for among so many documents.
    pub(crate) fn allows(&self, lengths: impl Iterator<Item = f64>, documents: f64) -> usize {
        let limit = (self.share * documents).max(self.postings);
        let mut sum = 0.0;
        let within = lengths.take_while(|length| {
            sum += length;
            sum <= limit
        });
        within.count().max(self.least).max(1)
    }
}

fn one() -> f64 {
    1.0
}

fn named<'de, D: Deserializer<'de>, T: std::str::FromStr<Err: std::fmt::Display>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}
