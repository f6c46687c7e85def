//! The description of the API, for programs and for people.

use super::params::Params;
use crate::site::error::ApiError;
use crate::site::pages::PageError;
use crate::view::Html;
use askama::Template;
use axum::http::{Uri, header};
use axum::response::{Html as Page, IntoResponse, Response};
use serde_json::Value;
use std::sync::LazyLock;

/// Written by hand; a test compares it with what the API does.
const DOCUMENT: &str = include_str!("../../../data/openapi.json");

/// The page is the same for everyone.
static PAGE: LazyLock<String> = LazyLock::new(|| {
    let document: Value = serde_json::from_str(DOCUMENT).unwrap_or_default();
    // Only a formatter that fails can make it fail, and none of ours does.
    Api::of(&document).render().unwrap_or_default()
});

pub(super) async fn json(uri: Uri) -> Result<Response, ApiError> {
    Params::read(&uri, &[])?;
    Ok(([(header::CONTENT_TYPE, "application/json")], DOCUMENT).into_response())
}

pub(super) async fn page() -> Result<Page<&'static str>, PageError> {
    Ok(Page(PAGE.as_str()))
}

#[derive(Template)]
#[template(path = "api.html")]
struct Api {
    about: String,
    groups: Vec<Group>,
    errors: Vec<Status>,
    objects: Vec<Object>,
}

struct Group {
    name: String,
    about: String,
    operations: Vec<Operation>,
}

struct Operation {
    anchor: String,
    method: String,
    path: String,
    summary: String,
    about: String,
    parameters: Vec<Field>,
    /// What is sent.
    body: Option<Html>,
    statuses: Vec<Status>,
    /// The example as an address, where that says it all.
    example: Option<String>,
    /// The example for a terminal.
    curl: String,
    /// Fields to try it with, where it has a fixed address.
    tries: Vec<Try>,
}

struct Try {
    name: String,
    value: String,
    choices: Vec<String>,
}

struct Status {
    code: String,
    about: String,
    kind: Html,
}

struct Object {
    name: String,
    about: String,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    place: String,
    kind: Html,
    about: String,
    /// The usual value, or what else is to be said.
    usual: String,
}

fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// Follows a reference within the document.
fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let pointer = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(value)
}

/// What kind of value a schema allows, with links to objects. Schemas nest a few levels, no more.
fn kind(schema: &Value) -> Html {
    let mut out = Html::default();
    push_kind(schema, &mut out, 0);
    out
}

fn push_kind(schema: &Value, out: &mut Html, depth: usize) {
    if depth > 8 {
        return;
    }
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        out.push("<a href=\"#object-");
        out.push_text(name);
        out.push("\">");
        out.push_text(name);
        out.push("</a>");
        return;
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        for (place, choice) in choices.iter().enumerate() {
            out.push_text(if place > 0 { " or " } else { "" });
            push_kind(choice, out, depth + 1);
        }
        return;
    }
    if let Some(types) = schema["type"].as_array() {
        let types: Vec<&str> = types.iter().filter_map(Value::as_str).collect();
        out.push_text(&types.join(" or "));
        return;
    }
    match schema["type"].as_str().unwrap_or_default() {
        "array" => {
            out.push_text("list of ");
            push_kind(&schema["items"], out, depth + 1);
        }
        "object" => {
            out.push_text("{ ");
            let fields = schema["properties"].as_object().into_iter().flatten();
            for (place, (name, field)) in fields.enumerate() {
                out.push_text(if place > 0 { ", " } else { "" });
                out.push("<code>");
                out.push_text(name);
                out.push("</code> ");
                push_kind(field, out, depth + 1);
            }
            out.push_text(" }");
        }
        plain => out.push_text(plain),
    }
}

/// What else is to be said of a value: choices, limits, the usual one.
fn usual(schema: &Value) -> String {
    let mut parts = Vec::new();
    let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
    let choices = if schema["type"] == "array" { &schema["items"]["enum"] } else { &schema["enum"] };
    if let Some(choices) = choices.as_array() {
        parts.push(choices.iter().map(shown).collect::<Vec<_>>().join(", "));
    }
    if let (Some(least), Some(most)) = (schema["minimum"].as_u64(), schema["maximum"].as_u64()) {
        parts.push(format!("from {least} to {most}"));
    }
    if let Some(longest) = schema["maxLength"].as_u64() {
        parts.push(format!("at most {longest} characters"));
    }
    if let Some(default) = schema.get("default").filter(|default| !shown(default).is_empty()) {
        parts.push(format!("usually {}", shown(default)));
    }
    parts.join("; ")
}

fn fields(schema: &Value) -> Vec<Field> {
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let field = |(name, schema): (&String, &Value)| Field {
        name: name.clone(),
        place: if required.contains(&name.as_str()) { String::new() } else { "may be missing".to_owned() },
        kind: kind(schema),
        about: text(schema, "description"),
        usual: usual(schema),
    };
    schema["properties"].as_object().into_iter().flatten().map(field).collect()
}

/// The first content of a response or a body, whatever its kind.
fn content(value: &Value) -> Option<&Value> {
    value["content"].as_object().and_then(|contents| contents.values().next())
}

fn status(document: &Value, code: &str, response: &Value) -> Status {
    let response = resolved(document, response);
    let kind = content(response).map(|content| kind(&content["schema"])).unwrap_or_default();
    Status { code: code.to_owned(), about: text(response, "description"), kind }
}

impl Operation {
    fn of(document: &Value, path: &str, method: &str, operation: &Value) -> Self {
        let site = document["servers"][0]["url"].as_str().unwrap_or_default();
        let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
        let parameters: Vec<&Value> =
            parameters.into_iter().map(|parameter| resolved(document, parameter)).collect();
        let (mut address, mut pairs, mut tries) = (format!("{site}{path}"), Vec::new(), Vec::new());
        for parameter in &parameters {
            let name = text(parameter, "name");
            let example = &parameter["example"];
            let example = example.as_str().map_or_else(|| example.to_string(), ToOwned::to_owned);
            if parameter["in"] == "path" {
                address = address.replace(&format!("{{{name}}}"), &crate::view::encode(&example));
                continue;
            }
            pairs.push(format!("{name}={}", crate::view::encode(&example)));
            let choices = parameter["schema"]["enum"].as_array().into_iter().flatten();
            let mut choices: Vec<String> = choices.filter_map(Value::as_str).map(ToOwned::to_owned).collect();
            if parameter["schema"]["type"] == "boolean" {
                choices = vec!["false".to_owned(), "true".to_owned()];
            }
            tries.push(Try { name, value: example, choices });
        }
        if !pairs.is_empty() {
            address = format!("{address}?{}", pairs.join("&"));
        }
        let body = content(&operation["requestBody"]);
        let sent = body.map(|body| serde_json::to_string_pretty(&body["example"]).unwrap_or_default());
        let fixed = !path.contains('{') && method == "get";
        Self {
            anchor: text(operation, "operationId"),
            method: method.to_uppercase(),
            path: format!("{site}{path}"),
            summary: text(operation, "summary"),
            about: text(operation, "description"),
            parameters: parameters
                .iter()
                .map(|parameter| Field {
                    name: text(parameter, "name"),
                    place: text(parameter, "in"),
                    kind: kind(&parameter["schema"]),
                    about: text(parameter, "description"),
                    usual: usual(&parameter["schema"]),
                })
                .collect(),
            curl: match &sent {
                Some(sent) => {
                    let sent = sent.replace('\'', "'\\''");
                    format!("curl 'http://localhost:8080{address}' --json '{sent}'")
                }
                None => format!("curl 'http://localhost:8080{address}'"),
            },
            body: body.map(|body| kind(&body["schema"])),
            statuses: operation["responses"]
                .as_object()
                .into_iter()
                .flatten()
                .filter(|(code, _)| code.starts_with('2'))
                .map(|(code, response)| status(document, code, response))
                .collect(),
            example: (method == "get").then_some(address),
            tries: if fixed { tries } else { Vec::new() },
        }
    }
}

impl Api {
    fn of(document: &Value) -> Self {
        let mut groups: Vec<Group> = document["tags"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|tag| Group {
                name: text(tag, "name"),
                about: text(tag, "description"),
                operations: Vec::new(),
            })
            .collect();
        for (path, methods) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in methods.as_object().into_iter().flatten() {
                let ours = operation["tags"][0].as_str().unwrap_or_default();
                if let Some(group) = groups.iter_mut().find(|group| group.name == ours) {
                    group.operations.push(Operation::of(document, path, method, operation));
                }
            }
        }
        // As the document has them.
        let place = |operation: &Operation| DOCUMENT.find(&format!("\"{}\"", operation.anchor));
        groups.iter_mut().for_each(|group| group.operations.sort_by_key(place));
        let mut errors: Vec<Status> = Vec::new();
        let operations = document["paths"].as_object().into_iter().flatten();
        for operation in operations.flat_map(|(_, methods)| methods.as_object().into_iter().flatten()) {
            for (code, response) in operation.1["responses"].as_object().into_iter().flatten() {
                let known = errors.iter().any(|error| error.code == *code);
                if !known && code.as_str() >= "400" {
                    errors.push(status(document, code, response));
                }
            }
        }
        errors.sort_by(|left, right| left.code.cmp(&right.code));
        let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
        let object = |(name, schema): (&String, &Value)| Object {
            name: name.clone(),
            about: text(schema, "description"),
            fields: fields(schema),
        };
        Self {
            about: text(&document["info"], "description"),
            groups,
            errors,
            objects: schemas.map(object).collect(),
        }
    }

    fn here(&self) -> &'static str {
        "api"
    }
}
