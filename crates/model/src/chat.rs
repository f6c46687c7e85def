//! What does a conversation look like to this model?
//!
//! Models bring a template for that, which is a small program, and [guarded](guard).
//! What people wrote may hold the spelling of
//! a control token, and a template puts it among its own: so each one that
//! people wrote gets a character within that occurs nowhere else, the shield,
//! and the [vocabulary](crate::vocabulary) makes control tokens of the others only.

mod guard;

use crate::vocabulary::Vocabulary;
use generate::{Message, Role};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value};
use std::borrow::Cow;

/// How much of what a template says of itself is told.
const LONGEST_REASON: usize = 300;

/// How a conversation is written.
#[derive(Debug)]
pub(crate) struct ChatTemplate {
    kind: Kind,
    /// What templates call `bos_token` and `eos_token`.
    begin_marker: String,
    end_marker: String,
    /// Whether it ends with the mark that opens a thought, whatever the conversation.
    opens_thought: bool,
}

#[derive(Debug)]
enum Kind {
    /// As the model's own template says.
    Own { source: String, system: SystemRole },
    /// Each turn between `<|im_start|>` and `<|im_end|>`.
    ChatMl,
    /// Each turn after the name of who speaks, for models that have no tokens for turns.
    Plain,
}

impl Kind {
    /// What is used, for a remark.
    fn told(&self) -> &'static str {
        match self {
            Self::Own { .. } => "it is used",
            Self::ChatMl => "ChatML is used",
            Self::Plain => {
                "turns are written as `User: …` and `Assistant: …`, because there are no tokens for ChatML"
            }
        }
    }
}

/// With these a model that has no tokens for turns begins one that is not its own.
const PLAIN_TURNS: [&str; 2] = ["\nUser:", "\nSystem:"];

/// Where a template wants what the model is told to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SystemRole {
    /// In a turn of its own.
    Own,
    /// Before what is said first by the user, because it knows no other roles.
    BeforeUser,
}

impl ChatTemplate {
    /// The model's template, tried on a small conversation; if there is none or it does not work,
    /// ChatML, or plain text for a vocabulary that has no tokens for that, and then why.
    pub(crate) fn new(source: Option<&str>, vocabulary: &Vocabulary) -> (Self, Option<String>) {
        let with = |kind| Self {
            kind,
            begin_marker: vocabulary.begin_marker.clone(),
            end_marker: vocabulary.end_marker.clone(),
            opens_thought: false,
        };
        let markers = vocabulary.markers();
        let has_chat_ml = ["<|im_start|>", "<|im_end|>"].iter().all(|marker| markers.contains(marker));
        let otherwise = |reason: String| {
            let kind = if has_chat_ml { Kind::ChatMl } else { Kind::Plain };
            let remark = format!("{reason}: {}", kind.told());
            (with(kind), Some(remark))
        };
        let Some(source) = source else { return otherwise("there is no chat template".to_owned()) };
        let message = |role, content: &str| Message { role, content: content.to_owned() };
        let user = message(Role::User, "a");
        let own = |system| with(Kind::Own { source: source.to_owned(), system });
        // Some templates leave a system turn out without a word.
        let told = own(SystemRole::Own).render(&[message(Role::System, "to be told"), user.clone()]);
        let opens_thought = |text: &str| text.trim_end().ends_with("<think>");
        if let Some(text) = told.ok().filter(|text| text.contains("to be told")) {
            return (Self { opens_thought: opens_thought(&text), ..own(SystemRole::Own) }, None);
        }
        match own(SystemRole::BeforeUser).render(&[user]) {
            Ok(text) => (Self { opens_thought: opens_thought(&text), ..own(SystemRole::BeforeUser) }, None),
            Err(reason) => otherwise(format!("the chat template does not work ({reason})")),
        }
    }

    /// Whether the assistant begins within a thought, which its template opened for it.
    pub(crate) fn opens_thought(&self) -> bool {
        self.opens_thought
    }

    /// Texts with which the turn of the assistant is over, beside its control tokens.
    pub(crate) fn stop_texts(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::Own { .. } | Kind::ChatMl => &[],
            Kind::Plain => &PLAIN_TURNS,
        }
    }

    /// A conversation, up to where the assistant speaks.
    ///
    /// # Errors
    ///
    /// When the template refuses it, with its reason.
    pub(crate) fn render(&self, messages: &[Message]) -> Result<String, String> {
        match &self.kind {
            Kind::Own { source, system } => {
                let messages = match system {
                    SystemRole::Own => Cow::Borrowed(messages),
                    SystemRole::BeforeUser => Cow::Owned(system_before_user(messages)),
                };
                self.render_own(source, &messages).map_err(|cause| reason(&cause))
            }
            Kind::ChatMl => {
                let turn = |message: &Message| {
                    format!("<|im_start|>{}\n{}<|im_end|>\n", role_name(message.role), message.content)
                };
                Ok(messages.iter().map(turn).collect::<String>() + "<|im_start|>assistant\n")
            }
            Kind::Plain => {
                let turn = |message: &Message| {
                    let speaker = match message.role {
                        Role::System => "System",
                        Role::User => "User",
                        Role::Assistant => "Assistant",
                    };
                    format!("{speaker}: {}\n\n", message.content)
                };
                Ok(messages.iter().map(turn).collect::<String>() + "Assistant:")
            }
        }
    }

    fn render_own(&self, source: &str, messages: &[Message]) -> Result<String, minijinja::Error> {
        let mut environment = Environment::new();
        environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        let bytes = messages.iter().map(|message| message.content.len()).sum();
        guard::limit(&mut environment, messages.len(), bytes);
        environment.add_function("raise_exception", |reason: &Value| -> Result<Value, minijinja::Error> {
            let reason: String = reason.as_str().unwrap_or_default().chars().take(LONGEST_REASON).collect();
            Err(minijinja::Error::new(ErrorKind::InvalidOperation, reason))
        });
        // A date in a prompt would make the same request another one tomorrow.
        environment.add_function("strftime_now", |_format: &Value| String::new());
        let messages: Vec<Value> = messages
            .iter()
            .map(|message| {
                Value::from_pairs([("role", role_name(message.role)), ("content", message.content.as_str())])
            })
            .collect();
        let values = Value::from_pairs([
            ("messages", Value::from(messages)),
            ("add_generation_prompt", Value::from(true)),
            ("bos_token", Value::from(self.begin_marker.as_str())),
            ("eos_token", Value::from(self.end_marker.as_str())),
            // What a model thinks is not what it was asked for.
            ("enable_thinking", Value::from(false)),
            ("tools", Value::from(())),
        ]);
        let source = guard::guarded(source)?;
        let mut rendered = guard::Bounded::new(bytes);
        environment.template_from_str(&source)?.render_captured_to(values, &mut rendered)?;
        Ok(rendered.into_text())
    }
}

/// The reason of an error and of what caused it.
fn reason(error: &minijinja::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

fn system_before_user(messages: &[Message]) -> Vec<Message> {
    let mut told = String::new();
    let mut others = Vec::new();
    for message in messages {
        if message.role == Role::System {
            told.push_str(&message.content);
            told.push_str("\n\n");
        } else {
            others.push(message.clone());
        }
    }
    match others.first_mut() {
        Some(first) if first.role == Role::User => first.content.insert_str(0, &told),
        _ if told.is_empty() => {}
        _ => others.insert(0, Message { role: Role::User, content: told.trim_end().to_owned() }),
    }
    others
}

/// Puts the shield into everything that people wrote and that is spelled as a marker, or may become
/// one with what stands beside it. Gives the messages and the shield.
///
/// # Errors
///
/// When no character is left for a shield.
pub(crate) fn shielded(messages: &[Message], markers: &[&str]) -> Result<(Vec<Message>, char), String> {
    // No text needs these: they are no characters, or nobody's.
    let mut shields = ('\u{fdd0}'..='\u{fdef}').chain('\u{f0000}'..='\u{ffffd}');
    let shield = shields
        .find(|&shield| !messages.iter().any(|message| message.content.contains(shield)))
        .ok_or("the messages use every character there is")?;
    let mut shielded = messages.to_vec();
    for message in &mut shielded {
        for marker in markers {
            shield_marker(&mut message.content, marker, shield);
        }
    }
    Ok((shielded, shield))
}

fn shield_marker(content: &mut String, marker: &str, shield: char) {
    let first = marker.chars().next().map_or(0, char::len_utf8);
    let last = marker.chars().next_back().map_or(0, char::len_utf8);
    if content.contains(marker) {
        *content = content.replace(marker, &format!("{}{shield}{}", &marker[..first], &marker[first..]));
    }
    // The beginning of a marker at the end of what was said, and the end of one at its beginning,
    // where a template may add the rest; it may also take blanks away there.
    let kept = content.trim_end();
    let mut beginnings = marker.char_indices().map(|(at, _)| at).filter(|&at| at > first).rev();
    if let Some(at) = beginnings.find(|&at| kept.ends_with(&marker[..at])) {
        content.insert(kept.len() - at + first, shield);
    }
    let kept = content.trim_start();
    let mut endings =
        marker.char_indices().map(|(at, _)| at).filter(|&at| at > 0 && at + last < marker.len());
    if let Some(at) = endings.find(|&at| kept.starts_with(&marker[at..])) {
        content.insert(content.len() - kept.len() + marker.len() - at - last, shield);
    }
}
