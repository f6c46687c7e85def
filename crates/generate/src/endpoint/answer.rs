//! What an answer says, whole or in pieces, and what came of it so far.

use super::guard::{Guard, Passed};
use crate::{Cause, Completion, Continue, Ended, Served};
use serde::Deserialize;
use serde_json::Value;

/// What whoever reads an answer hears of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard<'text> {
    /// The next piece of the text.
    Text(&'text str),
    /// A sign of life.
    Nothing,
    /// The text is whole; more may come, but nothing that matters much.
    End,
}

pub(super) fn unreadable(reason: String) -> Cause {
    Cause::Unreadable { reason }
}

/// An answer, or a piece of one, with what is needed of it.
#[derive(Deserialize)]
pub(super) struct Answer {
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
    error: Option<Value>,
    model: Option<Value>,
    system_fingerprint: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    index: Option<u64>,
    /// In a whole conversation.
    message: Option<Message>,
    /// In a piece of one.
    delta: Option<Message>,
    /// In a text that is continued.
    text: Option<String>,
    finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
struct Message {
    content: Option<Content>,
    /// Thoughts are kept apart by some servers, under one of two names.
    reasoning_content: Option<Value>,
    reasoning: Option<Value>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    r#type: Option<String>,
    text: Option<String>,
}

impl Message {
    fn has_thoughts(&self) -> bool {
        let is_said = |thought: &Option<Value>| {
            thought.as_ref().is_some_and(|thought| !thought.is_null() && thought.as_str() != Some(""))
        };
        let in_parts =
            matches!(&self.content, Some(Content::Parts(parts)) if parts.iter().any(|part| !part.is_text()));
        is_said(&self.reasoning_content) || is_said(&self.reasoning) || in_parts
    }

    fn text(self) -> String {
        match self.content {
            None => String::new(),
            Some(Content::Text(text)) => text,
            Some(Content::Parts(parts)) => {
                parts.into_iter().filter(Part::is_text).filter_map(|part| part.text).collect()
            }
        }
    }
}

impl Part {
    fn is_text(&self) -> bool {
        matches!(self.r#type.as_deref(), None | Some("text" | "output_text"))
    }
}

/// What came so far.
pub(super) struct SoFar {
    guard: Guard,
    text: String,
    has_choice: bool,
    has_thoughts: bool,
    /// Nothing more is wanted.
    pub(super) is_stopped: bool,
    pub(super) ended: Option<Ended>,
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    served: Served,
}

impl SoFar {
    pub(super) fn new(guard: Guard) -> Self {
        Self {
            guard,
            text: String::new(),
            has_choice: false,
            has_thoughts: false,
            is_stopped: false,
            ended: None,
            prompt_tokens: None,
            completion_tokens: None,
            served: Served::default(),
        }
    }

    pub(super) fn take(
        &mut self,
        answer: Answer,
        on_heard: &mut dyn FnMut(Heard<'_>) -> Continue,
    ) -> Result<(), Cause> {
        if let Some(error) = answer.error.filter(|error| !error.is_null()) {
            return Err(reported(&error));
        }
        if let Some(usage) = answer.usage {
            self.prompt_tokens = usage["prompt_tokens"].as_u64().or(self.prompt_tokens);
            self.completion_tokens = usage["completion_tokens"].as_u64().or(self.completion_tokens);
        }
        let said = |value: Option<Value>| value.as_ref().and_then(Value::as_str).map(str::to_owned);
        self.served.model = said(answer.model).or(self.served.model.take());
        self.served.system_fingerprint =
            said(answer.system_fingerprint).or(self.served.system_fingerprint.take());
        let choices = answer.choices.ok_or_else(|| unreadable("it has no choices".to_owned()))?;
        // One text was asked for; others, and what comes after its end, are not looked at.
        let first = choices.into_iter().find(|choice| choice.index.unwrap_or(0) == 0);
        let Some(choice) = first.filter(|_| self.ended.is_none()) else { return Ok(()) };
        let piece = match (choice.message, choice.delta, choice.text) {
            (Some(message), ..) | (None, Some(message), _) => {
                self.has_thoughts |= message.has_thoughts();
                message.text()
            }
            (None, None, Some(text)) => text,
            (None, None, None) if choice.finish_reason.is_some() => String::new(),
            (None, None, None) => return Err(unreadable("a choice has no text".to_owned())),
        };
        self.has_choice = true;
        let ended = match choice.finish_reason.as_deref() {
            None | Some("") => None,
            Some(reason) => Some(ended(reason)?),
        };
        let Passed { mut text, is_stopped } = self.guard.add(&piece)?;
        if ended.is_some() {
            text.push_str(&self.guard.rest());
        }
        self.tell(&text, ended.is_none(), on_heard);
        if is_stopped && !self.is_stopped {
            (self.is_stopped, self.ended) = (true, Some(Ended::Itself));
        } else if !self.is_stopped && ended.is_some() {
            self.ended = ended;
            on_heard(Heard::End);
        }
        Ok(())
    }

    /// Tells a piece of the text; if there is none, that the server is alive, if that is of interest.
    fn tell(&mut self, text: &str, is_open: bool, on_heard: &mut dyn FnMut(Heard<'_>) -> Continue) {
        self.text.push_str(text);
        let go_on = match (text.is_empty(), is_open) {
            (false, _) => on_heard(Heard::Text(text)),
            // Servers send thoughts in pieces of their own, and nobody wants to wait for all of them.
            (true, true) => on_heard(Heard::Nothing),
            (true, false) => Continue::Yes,
        };
        if go_on == Continue::No {
            (self.is_stopped, self.ended) = (true, Some(Ended::Stopped));
        }
    }

    pub(super) fn completion(
        mut self,
        on_heard: &mut dyn FnMut(Heard<'_>) -> Continue,
    ) -> Result<Completion, Cause> {
        if !self.is_stopped {
            let rest = self.guard.rest();
            self.tell(&rest, false, on_heard);
        }
        match self.ended {
            Some(Ended::Limit) if self.has_thoughts && self.text.trim().is_empty() => {
                Err(Cause::OnlyThoughts)
            }
            Some(ended) if self.has_choice => Ok(Completion {
                text: self.text,
                ended,
                prompt_tokens: self.prompt_tokens,
                completion_tokens: self.completion_tokens,
                served: self.served,
            }),
            _ => Err(unreadable("there is no choice in it".to_owned())),
        }
    }
}

/// How a text came to its end, by the word of the server. A word that is not known is an error: the text
/// may be cut off, and nobody would see it.
fn ended(reason: &str) -> Result<Ended, Cause> {
    match reason.to_ascii_lowercase().as_str() {
        "stop" | "eos" | "eos_token" | "end_turn" | "stop_sequence" => Ok(Ended::Itself),
        "length" | "max_tokens" | "model_length" => Ok(Ended::Limit),
        "abort" | "cancelled" | "error" => Err(Cause::BrokenOff { reason: format!("\"{reason}\"") }),
        _ => Err(Cause::Withheld { reason: reason.to_owned() }),
    }
}

/// An error that stands where an answer should.
fn reported(error: &Value) -> Cause {
    let message = message(error);
    match error["code"].as_u64().or_else(|| error["code"].as_str()?.parse().ok()) {
        Some(status @ 400..=599) => Cause::Status { status: status as u16, message },
        _ => Cause::Reported { message },
    }
}

/// What a server said, found in the places where servers put it.
pub(super) fn message(said: &Value) -> String {
    let places = [&said["error"]["message"], &said["message"], &said["detail"], &said["error"], said];
    places.into_iter().find_map(Value::as_str).map_or_else(|| said.to_string(), str::to_owned)
}
