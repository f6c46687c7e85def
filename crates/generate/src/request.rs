//! What is asked of a model, and what it wrote.

use serde::{Deserialize, Serialize};

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What the model is told to be.
    System,
    /// Who asks.
    User,
    /// The model.
    Assistant,
}

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// By whom.
    pub role: Role,
    /// What.
    pub content: String,
}

/// What a model is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Prompt {
    /// A text to be continued, as models of the first kind were asked.
    Text(String),
    /// A conversation, to which the model adds what the assistant says next.
    Chat(Vec<Message>),
}

/// What is asked of a model. All of it belongs to the key under which the completion is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// What it is given.
    pub prompt: Prompt,
    /// 0 takes the most likely token every time.
    pub temperature: f64,
    /// How many tokens it may write.
    pub max_tokens: usize,
    /// What chance is drawn from; a server may not know it.
    pub seed: u64,
    /// Texts at which the model stops; they are no part of what it wrote.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
}

/// How a completion came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// The model was done.
    Itself,
    /// It had no more tokens, or no more room.
    Limit,
    /// Whoever listened had enough.
    Stopped,
}

/// What a model wrote.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Completion {
    /// The text.
    pub text: String,
    /// How it came to its end.
    pub ended: Ended,
    /// How many tokens it was given, if that is known.
    pub prompt_tokens: Option<u64>,
    /// How many tokens it wrote, if that is known.
    pub completion_tokens: Option<u64>,
}
