//! A language model of a GGUF file, asked as any other.

use crate::Error;
use crate::chat::{ChatTemplate, shielded};
use crate::decoder::{Decoder, Shape};
use crate::fingerprint::fingerprint;
use crate::gguf::{Header, packing_name};
use crate::sample::Sampler;
use crate::speech::{Heard, Speech};
use crate::vocabulary::{Origin, Vocabulary};
use generate::{Completion, Continue, Ended, Event, Generator, Prompt, Request};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How a model is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How many tokens it looks at, prompt and completion together; at most what it was made for,
    /// which is the default. (A model whose positions can be stretched looks at what it was first
    /// made for, unless more is asked here.)
    pub context: Option<usize>,
    /// Its `tokenizer.json`; by default the one beside the file, and if there is none what the file
    /// itself says.
    pub tokenizer: Option<PathBuf>,
}

/// A language model that runs in this process, on the CPU.
///
/// The weights stay packed and are held once: a model needs the memory of its file, half as much
/// again if it is packed in fives (Q5), and as much again if it is packed by K, because candle lays
/// such matrices out anew for the processor. While a prompt is read, one matrix at a time is unpacked.
/// Each request has a memory of its own beside that, of [`LocalModel::bytes_per_token`] for each token
/// of prompt and completion (up to three times that while it grows), so requests can be made by
/// several threads at once.
///
/// The same request gives the same text on the same machine. Processors with other instructions add
/// in another order, so the last bits of scores may differ there, and with them, rarely, a token.
///
/// ```no_run
/// use generate::{Continue, Generator, Prompt, Request};
/// use model::{LocalModel, Options};
///
/// let model = LocalModel::open("smollm2.gguf".as_ref(), &Options::default())?;
/// let request = Request {
///     prompt: Prompt::Text("Two plus two is".to_owned()),
///     temperature: 0.0,
///     max_tokens: 8,
///     seed: 1,
///     stop: vec![".".to_owned()],
/// };
/// let completion = model.generate(&request, &mut |_| Continue::Yes)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LocalModel {
    name: String,
    decoder: Decoder,
    vocabulary: Vocabulary,
    template: ChatTemplate,
    context: usize,
    bytes_per_token: usize,
    remarks: Vec<String>,
}

impl LocalModel {
    /// Reads a GGUF file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or is of a kind that is not known here.
    pub fn open(path: &Path, options: &Options) -> Result<Self, Error> {
        let header = Header::read(path)?;
        let shape = Shape::read(&header)?;
        let mut remarks = Vec::new();
        let context = context(&shape, options, path, &mut remarks)?;
        let json = tokenizer_file(path, options);
        let vocabulary = Vocabulary::read(&header, json.as_deref(), &mut remarks)?;
        let decoder = Decoder::read(&header, &shape, context)?;
        if vocabulary.len() > decoder.num_tokens() {
            let reason =
                format!("there are {} tokens, but weights for {}", vocabulary.len(), decoder.num_tokens());
            return Err(Error::damaged(path, reason));
        }
        let source = header.optional_text("tokenizer.chat_template")?;
        let (template, remark) = ChatTemplate::new(source, &vocabulary);
        remarks.extend(remark);
        let used = json.as_deref().filter(|_| vocabulary.origin == Origin::Json);
        let asked = Some(context).filter(|context| *context != shape.usual_context());
        let name = name(path, &header, &shape, used, asked)?;
        Ok(Self {
            name,
            decoder,
            vocabulary,
            template,
            context,
            bytes_per_token: 2 * shape.layers * shape.key_heads * shape.head_size * size_of::<f32>(),
            remarks,
        })
    }

    /// How many tokens it looks at, prompt and completion together.
    #[must_use]
    pub fn context(&self) -> usize {
        self.context
    }

    /// How much memory a request takes for each of its tokens.
    #[must_use]
    pub fn bytes_per_token(&self) -> usize {
        self.bytes_per_token
    }

    /// What is not as one would expect, such as that the file has no chat template.
    #[must_use]
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// How many tokens a prompt has.
    ///
    /// # Errors
    ///
    /// When the model's template refuses the conversation.
    pub fn count_tokens(&self, prompt: &Prompt) -> Result<usize, generate::Error> {
        self.tokens(prompt).map(|tokens| tokens.len())
    }

    fn tokens(&self, prompt: &Prompt) -> Result<Vec<u32>, generate::Error> {
        let tokens = match prompt {
            Prompt::Text(text) => self.vocabulary.encode(text),
            Prompt::Chat(messages) => {
                shielded(messages, &self.vocabulary.markers()).and_then(|(messages, shield)| {
                    self.vocabulary.encode_marked(&self.template.render(&messages)?, shield)
                })
            }
        };
        tokens.map_err(|reason| self.failed(reason))
    }

    fn failed(&self, reason: impl Into<String>) -> generate::Error {
        generate::Error::Model { model: self.name.clone(), reason: reason.into() }
    }
}

impl Generator for LocalModel {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn generate(
        &self,
        request: &Request,
        on_event: &mut dyn FnMut(Event<'_>) -> Continue,
    ) -> Result<Completion, generate::Error> {
        let prompt = self.tokens(&request.prompt)?;
        if prompt.is_empty() {
            return Err(self.failed("the prompt is empty"));
        }
        if prompt.len() > self.context {
            let (tokens, limit) = (prompt.len(), self.context);
            return Err(generate::Error::TooLong { model: self.name.clone(), tokens, limit });
        }
        let mut sampler =
            Sampler::new(request.temperature, request.seed).map_err(|reason| self.failed(reason))?;
        let limit = request.max_tokens.min(self.context - prompt.len());
        let mut memory = self.decoder.memory();
        let mut stop: Vec<&str> = request.stop.iter().map(String::as_str).collect();
        if matches!(request.prompt, Prompt::Chat(_)) {
            stop.extend(self.template.stop_texts());
        }
        let mut speech = Speech::new(&stop, on_event);
        let mut written = 0;
        let mut next = prompt.clone();
        let mut ended = Ended::Limit;
        let mut heard = Heard::More;
        // Who reads what was written must see that it begins within a thought.
        if matches!(request.prompt, Prompt::Chat(_)) && self.template.opens_thought() {
            heard = speech.add(b"<think>");
        }
        while heard == Heard::More && written < limit {
            let scores = self.decoder.forward(&next, &mut memory, &mut || speech.wait());
            let Some(scores) = scores.map_err(|cause| self.failed(cause.to_string()))? else {
                heard = Heard::Enough;
                break;
            };
            // Matrices are often larger than the vocabulary; nobody knows what the rest would mean.
            let scores = &scores[..self.vocabulary.len().min(scores.len())];
            let token = sampler.take(scores).map_err(|reason| self.failed(reason))?;
            written += 1;
            if self.vocabulary.is_end(token) {
                ended = Ended::Itself;
                break;
            }
            heard = speech.add(self.vocabulary.bytes(token));
            next = vec![token];
        }
        let (text, ended) = match heard {
            Heard::More => (speech.finish(), ended),
            Heard::StopText => (speech.into_told(), Ended::Itself),
            Heard::Enough => (speech.into_told(), Ended::Stopped),
        };
        Ok(Completion {
            prompt_tokens: Some(prompt.len() as u64),
            completion_tokens: Some(written as u64),
            ..Completion::new(text, ended)
        })
    }
}

/// How many tokens the model will look at.
fn context(shape: &Shape, options: &Options, path: &Path, remarks: &mut Vec<String>) -> Result<usize, Error> {
    match options.context {
        Some(asked) if asked == 0 || asked > shape.context => {
            let reason =
                format!("a context of {asked} tokens was asked for; it was made for {}", shape.context);
            Err(Error::Option { path: path.to_owned(), reason })
        }
        Some(asked) => Ok(asked),
        None => {
            let usual = shape.usual_context();
            if usual < shape.context {
                remarks.push(format!(
                    "it looks at {usual} tokens, for which it was first made; up to {} can be asked for",
                    shape.context
                ));
            }
            Ok(usual)
        }
    }
}

fn tokenizer_file(path: &Path, options: &Options) -> Option<PathBuf> {
    let beside = path.with_file_name("tokenizer.json");
    options.tokenizer.clone().or_else(|| beside.is_file().then_some(beside))
}

/// What the model is called: its file, what it is, and a checksum; and whatever else what it writes depends
/// on, if it is not what the file itself says.
fn name(
    path: &Path,
    header: &Header,
    shape: &Shape,
    tokenizer: Option<&Path>,
    context: Option<usize>,
) -> Result<String, Error> {
    let file = path
        .file_name()
        .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
    let mut elements: BTreeMap<&str, u64> = BTreeMap::new();
    for info in header.tensors.values() {
        *elements.entry(packing_name(info.packing)).or_default() += info.elements;
    }
    let packed = elements.iter().max_by_key(|(_, count)| **count).map_or("no weights", |(name, _)| name);
    let parameters = parameters(elements.values().sum());
    let mut name =
        format!("{file} ({}, {parameters} parameters, {packed}, xxh3 {}", shape.name, fingerprint(path)?);
    if let Some(tokenizer) = tokenizer {
        name.push_str(&format!(", tokenizer.json xxh3 {}", fingerprint(tokenizer)?));
    }
    if let Some(context) = context {
        name.push_str(&format!(", context {context}"));
    }
    Ok(name + ")")
}

/// A number of parameters, as people write it.
fn parameters(count: u64) -> String {
    match count {
        0..1_000_000 => count.to_string(),
        1_000_000..1_000_000_000 => format!("{:.0}M", count as f64 / 1e6),
        _ => format!("{:.1}B", count as f64 / 1e9),
    }
}
