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
    /// What a server said of how it made the text.
    #[serde(default, skip_serializing_if = "Served::is_empty")]
    pub served: Served,
}

impl Completion {
    /// A text of which no more is known than how it came to its end.
    #[must_use]
    pub fn new(text: impl Into<String>, ended: Ended) -> Self {
        Self {
            text: text.into(),
            ended,
            prompt_tokens: None,
            completion_tokens: None,
            served: Served::default(),
        }
    }
}

/// What is known of how a server made a text: the same name and the same request may give another one once
/// the server changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Served {
    /// What the server calls the model that wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// By what the server tells its states apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    /// The parameters that were not sent, since the server does not take them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<String>,
}

impl Served {
    /// Whether nothing is known, as of models in this process.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
