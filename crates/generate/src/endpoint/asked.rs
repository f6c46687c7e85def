//! What is sent to a server, and which parameters it turned out not to know.

use crate::{Message, Prompt, Request};
use serde::Serialize;
use serde_json::Value;
use std::fmt;

/// A parameter that not every server takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// `max_tokens`; the same is said as `max_completion_tokens` instead.
    MaxTokens,
    /// `temperature`; without it the server takes its own, so that texts may vary.
    Temperature,
    /// `seed`; without it texts may vary when the temperature is above 0.
    Seed,
    /// `stream_options`; without it the number of tokens may not be told.
    StreamOptions,
    /// `stop`; without it texts are cut here, and nothing changes but that more is written.
    Stop,
    /// `stream`; without it a text comes whole.
    Stream,
}

impl Parameter {
    const ALL: [Self; 6] =
        [Self::MaxTokens, Self::Temperature, Self::Seed, Self::StreamOptions, Self::Stop, Self::Stream];

    /// As it is called in a request.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::Temperature => "temperature",
            Self::Seed => "seed",
            Self::StreamOptions => "stream_options",
            Self::Stop => "stop",
            Self::Stream => "stream",
        }
    }

    /// Whether texts may be others without it.
    #[must_use]
    pub fn matters(self) -> bool {
        matches!(self, Self::Temperature | Self::Seed)
    }

    /// The parameter of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parameter| parameter.name() == name)
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Parameters that are not sent, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LeftOut(pub(super) u8);

impl LeftOut {
    pub(super) fn add(&mut self, parameter: Parameter) {
        self.0 |= 1 << parameter as u8;
    }

    fn has(self, parameter: Parameter) -> bool {
        self.0 & (1 << parameter as u8) != 0
    }

    pub(super) fn list(self) -> Vec<Parameter> {
        Parameter::ALL.into_iter().filter(|parameter| self.has(*parameter)).collect()
    }

    /// The names of those that a request would have had.
    pub(super) fn names(self, request: &Request) -> Vec<String> {
        let had = |parameter: &Parameter| *parameter != Parameter::Stop || !request.stop.is_empty();
        self.list().into_iter().filter(had).map(|parameter| parameter.name().to_owned()).collect()
    }
}

#[derive(Serialize)]
struct Body<'request> {
    model: &'request str,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<&'request [Message]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'request str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    stop: &'request [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// Where a request goes, below the address.
pub(super) fn path(request: &Request) -> &'static str {
    match request.prompt {
        Prompt::Chat(_) => "/chat/completions",
        Prompt::Text(_) => "/completions",
    }
}

/// What is sent there.
pub(super) fn body(model: &str, request: &Request, left_out: LeftOut) -> Vec<u8> {
    let (messages, prompt) = match &request.prompt {
        Prompt::Chat(messages) => (Some(messages.as_slice()), None),
        Prompt::Text(text) => (None, Some(text.as_str())),
    };
    let old_limit = !left_out.has(Parameter::MaxTokens);
    let streams = !left_out.has(Parameter::Stream);
    serde_json::to_vec(&Body {
        model,
        messages,
        prompt,
        max_tokens: old_limit.then_some(request.max_tokens),
        max_completion_tokens: (!old_limit).then_some(request.max_tokens),
        temperature: (!left_out.has(Parameter::Temperature)).then_some(request.temperature),
        seed: (!left_out.has(Parameter::Seed)).then_some(request.seed),
        stop: if left_out.has(Parameter::Stop) { &[] } else { &request.stop },
        stream: streams.then_some(true),
        stream_options: (streams && !left_out.has(Parameter::StreamOptions))
            .then_some(StreamOptions { include_usage: true }),
    })
    .expect("texts and numbers can be written as JSON")
}

/// The parameter that a server does not take, by what it said: the one in `error.param`, else the first one
/// it names, if it was sent and the words around it are about what is not supported rather than about a wrong
/// value.
pub(super) fn complaint(status: u16, said: &str, left_out: LeftOut) -> Option<Parameter> {
    const WORDS: [&str; 10] = [
        "unsupported",
        "not support",
        "n't support",
        "unrecognized",
        "unrecognised",
        "unknown",
        "unexpected",
        "not permitted",
        "not allowed",
        "forbidden",
    ];
    let said = said.to_lowercase();
    if !matches!(status, 400 | 422) || !WORDS.iter().any(|word| said.contains(word)) {
        return None;
    }
    let answer: Value = serde_json::from_str(&said).unwrap_or_default();
    let param = answer["error"]["param"].as_str().filter(|name| !matches!(*name, "" | "none" | "null"));
    let named = match param {
        // Another parameter is at fault, whatever else is spoken of.
        Some(name) => Parameter::named(name)?,
        None => said
            .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
            .find_map(|word| Parameter::named(if word == "streaming" { "stream" } else { word }))?,
    };
    (!left_out.has(named)).then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;

    fn request() -> Request {
        let message = Message { role: Role::User, content: "2+2?".to_owned() };
        let prompt = Prompt::Chat(vec![message]);
        Request { prompt, temperature: 0.0, max_tokens: 9, seed: 7, stop: Vec::new() }
    }

    fn sent(request: &Request, left_out: &[Parameter]) -> String {
        let mut bits = LeftOut::default();
        left_out.iter().for_each(|parameter| bits.add(*parameter));
        assert_eq!(bits.list(), left_out);
        String::from_utf8(body("m", request, bits)).unwrap()
    }

    #[test]
    fn what_is_sent_for_a_conversation() {
        let expected = r#"{"model":"m","messages":[{"role":"user","content":"2+2?"}],"max_tokens":9,"temperature":0.0,"seed":7,"stream":true,"stream_options":{"include_usage":true}}"#;
        assert_eq!(sent(&request(), &[]), expected);
        assert_eq!(path(&request()), "/chat/completions");
    }

    #[test]
    fn what_is_sent_for_a_text_without_all_that_can_be_left_out() {
        let prompt = Prompt::Text("2+2=".to_owned());
        let request = Request { prompt, stop: vec!["\n".to_owned()], ..request() };
        let expected = r#"{"model":"m","prompt":"2+2=","max_completion_tokens":9}"#;
        assert_eq!(sent(&request, &Parameter::ALL), expected);
        let expected =
            r#"{"model":"m","prompt":"2+2=","max_tokens":9,"temperature":0.0,"seed":7,"stop":["\n"]}"#;
        assert_eq!(sent(&request, &[Parameter::Stream]), expected);
        assert_eq!(path(&request), "/completions");
    }

    #[test]
    fn what_servers_say_of_parameters_they_do_not_take() {
        let said = |text: &str| complaint(400, text, LeftOut::default());
        let openai = "Unsupported parameter: 'max_tokens' is not supported with this model. \
                      Use 'max_completion_tokens' instead.";
        assert_eq!(said(openai), Some(Parameter::MaxTokens));
        let value = "Unsupported value: 'temperature' does not support 0 with this model.";
        assert_eq!(said(value), Some(Parameter::Temperature));
        let loc =
            r#"{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}"#;
        assert_eq!(complaint(422, loc, LeftOut::default()), Some(Parameter::Seed));
        assert_eq!(said("unknown field `stream_options`"), Some(Parameter::StreamOptions));
        assert_eq!(said("Streaming is not supported for this model"), Some(Parameter::Stream));
        let stop = r#"{"error":{"message":"Unsupported parameter: 'stop'","param":"stop"}}"#;
        assert_eq!(said(stop), Some(Parameter::Stop));
        let verified = r#"{"error":{"message":"You must be verified to stop waiting and stream this model.","param":"stream","code":"unsupported_value"}}"#;
        assert_eq!(said(verified), Some(Parameter::Stream));
    }

    #[test]
    fn a_wrong_value_or_another_parameter_is_no_complaint() {
        let said = |status, text: &str| complaint(status, text, LeftOut::default());
        assert_eq!(said(400, "max_tokens is too large: 9. At most 4 are possible."), None);
        assert_eq!(said(400, "temperature must be between 0 and 2"), None);
        assert_eq!(said(400, "unknown model"), None);
        let messages = r#"{"error":{"message":"Unsupported content; stop","param":"messages"}}"#;
        assert_eq!(said(400, messages), None);
        assert_eq!(said(400, "'max_completion_tokens' is not supported"), None);
        assert_eq!(said(500, "seed is not supported"), None);
        let mut left_out = LeftOut::default();
        left_out.add(Parameter::Seed);
        assert_eq!(complaint(400, "seed is not supported", left_out), None);
    }
}
