//! Lines of JSON: one object a line, each a post, a comment, a link or a user.
//!
//! | field | in | what it is |
//! |---|---|---|
//! | `kind` | all | `document` (if not given), `question`, `answer`, `post` (an answer if it has a `parent`, otherwise a question), `comment`, `link` or `user` |
//! | `id` | all but links | a text or a whole number |
//! | `title`, `body` | posts | texts |
//! | `markup` | posts, comments | `markdown` (if not given), `html`, `latex` or `text` |
//! | `parent` | answers | the id of the question |
//! | `accepted` | questions | the id of the accepted answer |
//! | `tags` | posts | a list of texts, or a text: `<a><b>`, `\|a\|b\|`, `a, b` or `a b` |
//! | `score`, `views` | posts (`score`: comments too) | whole numbers |
//! | `date` | all but users | `2014-03-02`, with or without `T09:15:00.123` |
//! | `owner` | posts, comments | the id of a user |
//! | `post`, `text` | comments | the id of the post, and the text (`body` is read as well) |
//! | `from`, `to`, `link` | links | the ids of two posts; `related` (if not given) or `duplicate` |
//! | `name` | users | the name that is shown |
//!
//! Other fields are ignored, `null` is as if not given, and numbers may be
//! written as texts. Blank lines are skipped. A line that is no object, or
//! where a text is something else, is left out.

use std::fmt;
use std::io::{self, BufRead};

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use store::{Date, LinkKind, PostKind};

use super::lines::{End, Lines};
use super::{DocumentInput, Item, LIMIT, Sink, decode, split_tags};
use crate::{At, Dirt, DirtKind, Markup, RawComment, RawLink, RawPost, RawUser, Record};

/// Reads a file of lines of JSON.
///
/// # Errors
///
/// When reading fails; the lines before were given.
pub fn read(input: &DocumentInput<'_>, reader: &mut dyn BufRead, sink: &mut Sink<'_>) -> io::Result<()> {
    let mut lines = Lines::new(reader, LIMIT);
    while let Some((line, bytes, end)) = lines.next()? {
        let at = At { file: input.file, line };
        let mut items = Vec::new();
        if end == End::TooLong {
            let detail = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]);
            items.push(Item::Dirt(Dirt::new(DirtKind::TooLong, at, "", &detail)));
        } else if !bytes.trim_ascii().is_empty() {
            read_line(at, bytes, end, &mut items);
        }
        for item in items {
            if sink(item).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn read_line(at: At, bytes: &[u8], end: End, items: &mut Vec<Item>) {
    let (text, bad) = decode(bytes);
    let fields = match serde_json::from_str::<Fields>(&text) {
        Ok(fields) => fields,
        Err(error) => {
            let cut = end == End::File && error.is_eof();
            let kind = if cut { DirtKind::CutShort } else { DirtKind::BrokenRow };
            // Lines are counted by us; within its line the error knows the column only.
            let detail = format!("column {}: {text}", error.column());
            items.push(Item::Dirt(Dirt::new(kind, at, "", &detail)));
            return;
        }
    };
    let mut line = Line { at, fields: fields.0, about: String::new(), dirt: Vec::new() };
    let record = line.record();
    if bad {
        line.dirt(DirtKind::BadEncoding, "");
    }
    match record {
        Ok(record) => items.push(Item::Record(record)),
        Err((kind, detail)) => line.dirt(kind, &detail),
    }
    items.extend(line.dirt.into_iter().map(Item::Dirt));
}

/// The fields of an object in their order, since a map would hide those that are given twice.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// Why a line gives no record.
type Refusal = (DirtKind, String);

struct Line {
    at: At,
    fields: Vec<(String, Value)>,
    about: String,
    dirt: Vec<Dirt>,
}

impl Line {
    fn dirt(&mut self, kind: DirtKind, detail: &str) {
        self.dirt.push(Dirt::new(kind, self.at, self.about.clone(), detail));
    }

    fn record(&mut self) -> Result<Record, Refusal> {
        let kind = self.text("kind")?.unwrap_or_else(|| "document".to_owned());
        let noun = match kind.as_str() {
            "question" | "answer" | "document" | "post" => "post",
            "comment" | "link" | "user" => kind.as_str(),
            _ => return Err((DirtKind::OtherKind, kind)),
        };
        if noun == "link" {
            return self.link().map(Record::Link);
        }
        let id = self.id("id")?;
        self.about = format!("{noun} {id}");
        match noun {
            "comment" => self.comment(id).map(Record::Comment),
            "user" => {
                let name = self.text("name")?.unwrap_or_default();
                Ok(Record::User(RawUser { at: self.at, id, name }))
            }
            _ => self.post(id, &kind).map(Record::Post),
        }
    }

    fn post(&mut self, id: String, kind: &str) -> Result<RawPost, Refusal> {
        let parent = self.reference("parent");
        let kind = match kind {
            "document" => PostKind::Document,
            "answer" => PostKind::Answer,
            "post" if parent.is_some() => PostKind::Answer,
            _ => PostKind::Question,
        };
        Ok(RawPost {
            at: self.at,
            id,
            kind,
            parent,
            accepted: self.reference("accepted"),
            markup: self.markup()?,
            title: self.text("title")?,
            body: self.text("body")?.unwrap_or_default(),
            tags: self.tags(),
            score: self.number("score"),
            date: self.date(),
            owner: self.reference("owner"),
            views: self.number("views"),
        })
    }

    fn comment(&mut self, id: String) -> Result<RawComment, Refusal> {
        let Some(post) = self.reference("post") else {
            return Err((DirtKind::OrphanComment, "it names no post".to_owned()));
        };
        let text = match self.text("text")? {
            Some(text) => text,
            None => self.text("body")?.unwrap_or_default(),
        };
        let markup = self.markup()?;
        let (score, date, owner) = (self.number("score"), self.date(), self.reference("owner"));
        Ok(RawComment { at: self.at, id, post, markup, text, score, date, owner })
    }

    fn link(&mut self) -> Result<RawLink, Refusal> {
        "link".clone_into(&mut self.about);
        let (from, to) = (self.id("from")?, self.id("to")?);
        self.about = format!("link {from} {to}");
        let kind = match self.take("link") {
            None => LinkKind::Related,
            Some(Value::String(kind)) if kind == LinkKind::Related.name() => LinkKind::Related,
            Some(Value::String(kind)) if kind == LinkKind::Duplicate.name() => LinkKind::Duplicate,
            Some(other) => return Err((DirtKind::OtherLinkKind, other.to_string())),
        };
        Ok(RawLink { at: self.at, from, to, kind, date: self.date() })
    }

    /// The value of a field, the first if there are several.
    fn take(&mut self, name: &str) -> Option<Value> {
        let mut values = self.fields.iter_mut().filter(|(field, _)| field == name);
        let value = values.next().map(|(_, value)| value.take())?;
        if values.next().is_some() {
            self.dirt(DirtKind::RepeatedAttribute, name);
        }
        Some(value).filter(|value| !value.is_null())
    }

    fn text(&mut self, name: &str) -> Result<Option<String>, Refusal> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err((DirtKind::BrokenRow, format!("{name} is not a text: {other}"))),
        }
    }

    /// An id without which there is no record.
    fn id(&mut self, name: &str) -> Result<String, Refusal> {
        let value = self.take(name);
        let found = value.as_ref().map(as_id);
        match (found, value) {
            (Some(Some(id)), _) => Ok(id),
            (None, _) | (_, Some(Value::String(_)) | None) => {
                Err((DirtKind::MissingId, format!("no {name}")))
            }
            (_, Some(other)) => Err((DirtKind::BadId, format!("{name} is {other}"))),
        }
    }

    /// An id of something else, which may not be given.
    fn reference(&mut self, name: &str) -> Option<String> {
        let value = self.take(name)?;
        let id = as_id(&value);
        if id.is_none() && !value.is_string() {
            self.dirt(DirtKind::BadNumber, &format!("{name}: {value}"));
        }
        id
    }

    fn number<N: TryFrom<i64>>(&mut self, name: &str) -> Option<N> {
        let value = self.take(name)?;
        let number = match &value {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let number = number.and_then(|number| N::try_from(number).ok());
        if number.is_none() {
            self.dirt(DirtKind::BadNumber, &format!("{name}: {value}"));
        }
        number
    }

    fn date(&mut self) -> Option<Date> {
        let value = self.take("date")?;
        let date = value.as_str().and_then(|text| Date::parse(text.trim()));
        if date.is_none() {
            self.dirt(DirtKind::BadDate, &value.to_string());
        }
        date
    }

    fn markup(&mut self) -> Result<Markup, Refusal> {
        let Some(name) = self.text("markup")? else { return Ok(Markup::Markdown) };
        match name.as_str() {
            "markdown" => Ok(Markup::Markdown),
            "html" => Ok(Markup::Html),
            "latex" => Ok(Markup::Latex),
            "text" => Ok(Markup::Text),
            _ => Err((
                DirtKind::BrokenRow,
                format!("unknown markup {name}: not markdown, html, latex or text"),
            )),
        }
    }

    fn tags(&mut self) -> Vec<String> {
        match self.take("tags") {
            None => Vec::new(),
            Some(Value::String(text)) => split_tags(&text),
            Some(Value::Array(values)) => {
                let mut tags = Vec::new();
                for value in values {
                    match as_id(&value) {
                        Some(tag) => tags.push(tag),
                        None => self.dirt(DirtKind::BadTags, &value.to_string()),
                    }
                }
                tags
            }
            Some(other) => {
                self.dirt(DirtKind::BadTags, &other.to_string());
                Vec::new()
            }
        }
    }
}

/// A text that is not blank, or a whole number as text.
fn as_id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|id| !id.is_empty()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}
