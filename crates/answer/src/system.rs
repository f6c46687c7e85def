//! Systems that answer: readable files, as those that rank.
//!
//! The files of the systems that come with the program are in `systems/answers/`; `docs/answers.md` says what
//! may stand in one.

use crate::error::Error;
use crate::evidence::Weights;
use formats::task3::LONGEST_ANSWER;
use retrieve::PostStage;
use serde::{Deserialize, de};

/// The system that answers when none is named.
pub const DEFAULT: &str = "hypatia-extract";

/// The systems that come with the program: a name and the text of the file.
pub const SYSTEMS: &[(&str, &str)] = &[
    ("hypatia-extract", include_str!("../../../systems/answers/hypatia-extract.toml")),
    ("first-answer", include_str!("../../../systems/answers/first-answer.toml")),
    ("approach0-sentences", include_str!("../../../systems/answers/approach0-sentences.toml")),
    ("dprl-questions", include_str!("../../../systems/answers/dprl-questions.toml")),
    ("labs-prompt", include_str!("../../../systems/answers/labs-prompt.toml")),
    ("labs-chat", include_str!("../../../systems/answers/labs-chat.toml")),
    ("hypatia-sources", include_str!("../../../systems/answers/hypatia-sources.toml")),
];

/// A system that gives one answer to a question.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct System {
    /// Its name.
    pub name: String,
    /// The task it is for, which is 3.
    #[serde(deserialize_with = "task")]
    pub task: u8,
    /// What it is, in a sentence or two.
    pub about: String,
    /// The run of the labs that it stands for.
    pub lab: Option<Lab>,
    /// Where candidates come from.
    pub candidates: Option<Candidates>,
    /// Similar questions, whose answers are the candidates.
    pub questions: Option<Questions>,
    /// What speaks for a candidate; without it they stay as they were ranked.
    pub rank: Option<Weights>,
    /// What of a candidate is said.
    pub extract: Option<Extract>,
    /// What a language model is told.
    pub generate: Option<GenerateStage>,
}

/// The run of the labs that a system stands for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lab {
    /// The team, as in the overview's table.
    pub team: String,
    /// The run, as in the overview's table.
    pub row: String,
    /// Average relevance and P@1 there.
    pub scores: [f64; 2],
    /// What is not as in the original.
    pub differs: Option<String>,
}

/// Candidates that a system of Task 1 finds.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidates {
    /// The system.
    pub system: String,
    /// The system in its place where the index or the store of models lacks what that one needs.
    pub instead: Option<String>,
    /// How many are looked at.
    pub depth: usize,
}

/// Candidates that are the answers to similar questions.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Questions {
    /// How many questions are looked at.
    pub depth: usize,
    /// How they are ranked.
    pub posts: PostStage,
}

/// What of a candidate is said.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Extract {
    /// How it is chosen.
    pub how: How,
    /// So many candidates are read for sentences.
    #[serde(default = "one")]
    pub posts: usize,
    /// How many characters an answer has at most.
    #[serde(default = "longest")]
    pub longest: usize,
}

/// How an answer is cut out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// The first candidate that is short enough, as it is.
    Whole,
    /// The first candidate: as it is, or the passage of it that speaks most of what is asked.
    Passage,
    /// Of the post with the sentence that is most like what is asked, those that are most like it.
    Sentences,
    /// The first candidate: as it is, or the sentences that are most like all of it.
    Summary,
}

/// What a language model is told.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenerateStage {
    /// The form of the prompt.
    pub prompt: PromptKind,
    /// How many posts it is shown.
    #[serde(default)]
    pub sources: usize,
    /// How many characters of each.
    #[serde(default = "longest")]
    pub source_characters: usize,
    /// 0 takes the most likely word every time.
    pub temperature: f64,
    /// How many tokens it may write.
    pub max_tokens: usize,
    /// How often it is asked for an answer that is short enough.
    pub tries: u32,
    /// How many answers it writes at most, each with another seed: the first without a failed claim is given, or
    /// one with the fewest.
    #[serde(default = "one_answer")]
    pub candidates: u32,
    /// How many characters an answer has at most.
    #[serde(default = "longest")]
    pub longest: usize,
}

/// More answers are not written to choose one of them.
const MOST_WRITTEN: u32 = 16;

/// The form of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PromptKind {
    /// `Q:`, the question, a blank line, `A:`; a text to be continued.
    Labs,
    /// The same as a message in a conversation.
    Chat,
    /// A conversation with numbered sources, which the answer is to cite.
    Sources,
}

fn one() -> usize {
    1
}

fn one_answer() -> u32 {
    1
}

fn longest() -> usize {
    LONGEST_ANSWER
}

fn task<'de, D: de::Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    match u8::deserialize(deserializer)? {
        3 => Ok(3),
        other => Err(de::Error::custom(format!("a system that answers is for task 3, not {other}"))),
    }
}

impl System {
    /// A system that comes with the program.
    ///
    /// # Errors
    ///
    /// When there is none of this name; the error lists those there are.
    pub fn named(name: &str) -> Result<Self, Error> {
        match SYSTEMS.iter().find(|(known, _)| *known == name) {
            Some((_, file)) => Self::read(file, name),
            None => {
                let known: Vec<&str> = SYSTEMS.iter().map(|(name, _)| *name).collect();
                let what = format!("there is no such system; there are {}", known.join(", "));
                Err(Error::System { name: name.to_owned(), what })
            }
        }
    }

    /// Reads a system's file.
    ///
    /// # Errors
    ///
    /// When the file says something that is not understood, with line and column, or makes no sense.
    pub fn read(text: &str, file: &str) -> Result<Self, Error> {
        let error = |what: String| Error::System { name: file.to_owned(), what };
        let system: Self = retrieve::read_settings(text).map_err(error)?;
        match system.mistake() {
            Some(mistake) => Err(error(mistake.to_owned())),
            None => Ok(system),
        }
    }

    fn mistake(&self) -> Option<&'static str> {
        let finds = self.candidates.is_some() || self.questions.is_some();
        let limits =
            [self.extract.map(|stage| stage.longest), self.generate.as_ref().map(|stage| stage.longest)];
        if self.candidates.is_some() && self.questions.is_some() {
            return Some("candidates come from [candidates] or from [questions], not from both");
        }
        if limits.iter().flatten().any(|limit| !(1..=LONGEST_ANSWER).contains(limit)) {
            return Some("an answer has 1 to 1200 characters");
        }
        match (&self.extract, &self.generate) {
            (Some(_), Some(_)) => Some("an answer is cut out or written: [extract] or [generate], not both"),
            (None, None) => Some("a system for task 3 needs [extract] or [generate]"),
            (Some(_), None) if !finds => Some("[extract] needs [candidates] or [questions]"),
            (Some(stage), None) if stage.posts != 1 && stage.how != How::Sentences => {
                Some("`posts` has no effect: only `how = \"sentences\"` reads several")
            }
            (None, Some(stage)) => match (stage.prompt, finds) {
                (PromptKind::Sources, false) => {
                    Some("a prompt with sources needs [candidates] or [questions]")
                }
                (PromptKind::Labs | PromptKind::Chat, true) => {
                    Some("candidates have no effect: only the prompt `sources` shows them")
                }
                _ if (stage.prompt == PromptKind::Sources) != (stage.sources > 0) => {
                    Some("`sources` says how many posts the prompt `sources` shows, and only that")
                }
                _ if stage.tries == 0 || stage.max_tokens == 0 => {
                    Some("`tries` and `max_tokens` are at least 1")
                }
                _ if !(1..=MOST_WRITTEN).contains(&stage.candidates) => Some("`candidates` is from 1 to 16"),
                _ if stage.candidates > 1 && stage.temperature == 0.0 => {
                    Some("`candidates` has no effect where `temperature` is 0: all would be the same")
                }
                _ if !(0.0..=10.0).contains(&stage.temperature) => Some("`temperature` is from 0 to 10"),
                _ => None,
            },
            (Some(_), None) => None,
        }
    }

    /// Whether a language model writes the answers.
    #[must_use]
    pub fn is_generative(&self) -> bool {
        self.generate.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_come_with_the_program_can_be_read() {
        for (name, _) in SYSTEMS {
            let system = System::named(name).unwrap();
            assert_eq!(system.name, *name);
        }
        assert!(System::named(DEFAULT).is_ok());
        let error = System::named("x").unwrap_err().to_string();
        assert!(error.starts_with("x: there is no such system; there are hypatia-extract"), "{error}");
    }

    #[test]
    fn what_makes_no_sense_is_told() {
        let check = |rest: &str, expected: &str| {
            let error = System::read(&format!("name = \"x\"\nabout = \"y\"\n{rest}"), "x.toml").unwrap_err();
            let error = error.to_string();
            assert!(error.contains(expected), "{rest}\n{error}");
        };
        let from = "[candidates]\nsystem = \"bm25\"\ndepth = 5\n";
        check("task = 1", "for task 3, not 1");
        check("task = 3", "needs [extract] or [generate]");
        check("task = 3\n[extract]\nhow = \"whole\"", "needs [candidates]");
        check("task = 3\n[extract]\nhow = \"short\"", "unknown variant `short`");
        check(&format!("task = 3\n{from}[extract]\nhow = \"whole\"\nlongest = 1201"), "1 to 1200");
        check(&format!("task = 3\n{from}[extract]\nhow = \"whole\"\nposts = 2"), "has no effect");
        let stage = "[generate]\nprompt = \"labs\"\ntemperature = 0.7\nmax_tokens = 570\ntries = 3\n";
        check(&format!("task = 3\n{from}{stage}"), "have no effect");
        check(&format!("task = 3\n{stage}sources = 2"), "only that");
        check(&format!("task = 3\n{}", stage.replace("tries = 3", "tries = 0")), "at least 1");
        check(&format!("task = 3\n{stage}candidates = 17"), "from 1 to 16");
        let cold = stage.replace("temperature = 0.7", "temperature = 0.0");
        check(&format!("task = 3\n{cold}candidates = 2"), "all would be the same");
        let lab = "[lab]\nteam = \"t\"\nrow = \"r\"\nscores = [0.4, nan]\n";
        check(&format!("task = 3\n{stage}{lab}"), "`lab.scores.1` is NaN");
        check(&format!("task = 3\nrank = {{ luck = 1 }}\n{from}[extract]\nhow = \"whole\""), "luck");
    }
}
