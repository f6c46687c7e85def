//! What the description says is what the API does.

use crate::common;

use axum::body::Body;
use axum::http::Request;
use common::Site;
use retrieve::{SYSTEMS, System};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Says where a value does not fit a schema; knows what the description uses, and panics at anything else.
fn misfit(document: &Value, schema: &Value, value: &Value, place: &str) -> Option<String> {
    let rules: &Map<String, Value> = schema.as_object().unwrap();
    if let Some(reference) = rules.get("$ref") {
        let target = document.pointer(&reference.as_str().unwrap()[1..]);
        let target = target.unwrap_or_else(|| panic!("{reference} leads nowhere"));
        return misfit(document, target, value, place);
    }
    let wrong = |what: &str| {
        Some(format!("{place}: {what}: {}", value.to_string().chars().take(80).collect::<String>()))
    };
    for (rule, said) in rules {
        let fits = match rule.as_str() {
            "description" | "default" | "additionalProperties" | "required" => true,
            "type" => {
                let types: Vec<&str> = match said {
                    Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
                    one => vec![one.as_str().unwrap()],
                };
                types.iter().any(|one| match *one {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_i64() || value.is_u64(),
                    "number" => value.is_number(),
                    "null" => value.is_null(),
                    other => panic!("unknown type {other}"),
                })
            }
            "enum" => value.is_null() || said.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= said.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|number| number <= said.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|all| all.len() as u64 >= said.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|all| all.len() as u64 <= said.as_u64().unwrap()),
            "minLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 >= said.as_u64().unwrap())
            }
            "maxLength" => {
                value.as_str().is_none_or(|text| text.chars().count() as u64 <= said.as_u64().unwrap())
            }
            "uniqueItems" => true,
            "pattern" => {
                let plain = |text: &str, letters: &str| text.chars().all(|c| letters.contains(c));
                value.as_str().is_none_or(|text| match said.as_str().unwrap() {
                    "^[0-9]{1,20}$" => (1..=20).contains(&text.len()) && plain(text, "0123456789"),
                    "^[0-9a-f]{16}$" => text.len() == 16 && plain(text, "0123456789abcdef"),
                    other => panic!("unknown pattern {other}"),
                })
            }
            "oneOf" => {
                let all = said.as_array().unwrap().iter();
                all.filter(|one| misfit(document, one, value, place).is_none()).count() == 1
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                let mut wrong =
                    items.filter_map(|(at, item)| misfit(document, said, item, &format!("{place}[{at}]")));
                if let Some(wrong) = wrong.next() {
                    return Some(wrong);
                }
                true
            }
            "properties" => {
                for (name, inner) in value.as_object().into_iter().flatten() {
                    match said.get(name) {
                        Some(rule) => {
                            if let Some(wrong) = misfit(document, rule, inner, &format!("{place}.{name}")) {
                                return Some(wrong);
                            }
                        }
                        None => return wrong(&format!("{name} is not described")),
                    }
                }
                true
            }
            other => panic!("unknown rule {other} at {place}"),
        };
        if !fits {
            return wrong(rule);
        }
    }
    let required =
        rules.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let fields = value.as_object();
    fields.and_then(|fields| required.into_iter().find(|name| !fields.contains_key(*name))).and_then(wrong)
}

fn encode(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
}

#[tokio::test]
async fn the_description_is_true() {
    let site = Site::sample("openapi");
    let document = site.json("/api/v1/openapi.json").await;
    let resolve = |value: &Value| match value["$ref"].as_str() {
        Some(reference) => document.pointer(&reference[1..]).unwrap_or_else(|| panic!("{reference}")).clone(),
        None => value.clone(),
    };
    let mut ids = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = format!("{method} {path}");
            assert!(ids.insert(operation["operationId"].to_string()), "{name}");
            let mut address = format!("/api/v1{path}");
            let mut pairs = Vec::new();
            for parameter in operation["parameters"].as_array().into_iter().flatten().map(resolve) {
                let (key, example) =
                    (parameter["name"].as_str().unwrap(), encode(&shown(&parameter["example"])));
                assert!(!parameter["example"].is_null(), "{name}: {key} has no example");
                match parameter["in"].as_str().unwrap() {
                    "path" => address = address.replace(&format!("{{{key}}}"), &example),
                    _ => pairs.push((key.to_owned(), example)),
                }
            }
            let ok = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            assert!(ok.is_object(), "{name}");
            // All parameters at once, each alone, and none.
            let mut tried: Vec<Vec<(String, String)>> = vec![pairs.clone(), Vec::new()];
            tried.extend(pairs.iter().map(|pair| vec![pair.clone()]));
            for pairs in tried {
                let query: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
                let address = format!("{address}?{}", query.join("&"));
                let address = address.trim_end_matches('?');
                let request = Request::builder().method(method.to_uppercase().as_str()).uri(address);
                let body = &operation["requestBody"]["content"]["application/json"];
                let request = match body["example"].is_null() {
                    true => request.body(Body::empty()),
                    false => {
                        assert_eq!(
                            misfit(&document, &body["schema"], &body["example"], "example"),
                            None,
                            "{name}"
                        );
                        let json = request.header("content-type", "application/json");
                        json.body(Body::from(body["example"].to_string()))
                    }
                };
                let answer = site.send(request.unwrap()).await;
                assert_eq!(answer.status, 200, "{method} {address}: {}", answer.text());
                assert_eq!(answer.header("content-type"), "application/json", "{address}");
                let json = answer.json();
                assert_eq!(misfit(&document, ok, &json, "answer"), None, "{method} {address}");
            }
            for (status, response) in operation["responses"].as_object().unwrap() {
                let response = resolve(response);
                assert!(response["description"].is_string(), "{name} {status}");
                // An address that is far too long is sent away before it is known what it is for.
                if status.as_str() >= "400" && status != "414" && status != "431" {
                    let problem = &response["content"]["application/problem+json"]["schema"];
                    assert!(problem.is_object(), "{name} {status}");
                }
            }
        }
    }
    for (path, status) in [("search?limit=0", 400), ("posts/none", 404)] {
        let answer = site.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, status);
        let problem = document.pointer("/components/schemas/Problem").unwrap();
        assert_eq!(misfit(&document, problem, &answer.json(), "problem"), None);
    }
    // Examples show something.
    let found = site.json("/api/v1/formulas?f=%5Cint+%3Ff+dx&mathml=true").await;
    assert!(found["hits"].as_array().is_some_and(|hits| !hits.is_empty()), "{found}");
}

#[tokio::test]
async fn systems_are_those_there_are() {
    let site = Site::small("openapi-systems");
    let document = site.json("/api/v1/openapi.json").await;
    let systems = site.json("/api/v1/systems").await;
    let usable = |place: &str| -> BTreeSet<String> {
        let all = systems["systems"].as_array().unwrap().iter();
        let usable = all.filter(|system| system["usable"].as_array().unwrap().iter().any(|one| one == place));
        usable.map(|system| shown(&system["name"])).collect()
    };
    let described = |schema: &Value| -> BTreeSet<String> {
        schema["enum"].as_array().unwrap().iter().map(shown).collect()
    };
    let parameters = document["paths"]["/search"]["get"]["parameters"].as_array().unwrap();
    let system = parameters.iter().find(|parameter| parameter["name"] == "system").unwrap();
    assert_eq!(described(&system["schema"]), usable("search"));
    let asked = &document["components"]["schemas"]["Question"]["properties"]["systems"]["items"];
    assert_eq!(described(asked), usable("ask"));
    let parameters = document["paths"]["/answer"]["get"]["parameters"].as_array().unwrap();
    let system = parameters.iter().find(|parameter| parameter["name"] == "system").unwrap();
    let answers: BTreeSet<String> =
        systems["answers"].as_array().unwrap().iter().map(|one| shown(&one["name"])).collect();
    assert_eq!(described(&system["schema"]), answers);
    assert_eq!(answers, answer::SYSTEMS.iter().map(|(name, _)| (*name).to_owned()).collect());
    let known: BTreeSet<&str> = SYSTEMS.iter().map(|(name, _)| *name).collect();
    assert!(usable("ask").iter().all(|name| known.contains(name.as_str()) && System::named(name).is_ok()));
}

#[tokio::test]
async fn the_page_shows_all_of_it() {
    let site = Site::small("openapi-page");
    let document = site.json("/api/v1/openapi.json").await;
    let page = site.get("/api").await.text();
    for path in document["paths"].as_object().unwrap().keys() {
        assert!(page.contains(&format!("/api/v1{path}")), "{path}");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(page.contains(&format!("id=\"object-{name}\"")), "{name}");
    }
    assert!(page.contains("<form class=\"try\" action=\"/api/v1/search\""));
}
