//! JSON objects with their pairs in order, none of them lost.
//!
//! The usual map keeps the last of two equal keys without a word; for a file
//! of topics that would hide that a topic stands there twice.

use crate::error::{Error, Place};
use crate::source::SourceText;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;

/// The pairs of an object, in the order of the file.
#[derive(Debug)]
pub(crate) struct Pairs<V>(pub(crate) Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Pairs<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairsVisitor<V>(std::marker::PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for PairsVisitor<V> {
            type Value = Pairs<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(PairsVisitor(std::marker::PhantomData))
    }
}

/// Reads a whole text as JSON; errors carry line and column.
pub(crate) fn read<T: DeserializeOwned>(source: &SourceText) -> Result<T, Error> {
    serde_json::from_str(&source.text).map_err(|error| {
        let place =
            Place { file: source.name.clone(), line: error.line().max(1), column: Some(error.column()) };
        // The message ends with the place, which stands in front already.
        let message = error.to_string();
        let reason = message.rsplit_once(" at line ").map_or(message.as_str(), |(reason, _)| reason);
        Error::Bad { place, reason: format!("not the JSON expected here: {reason}") }
    })
}

/// A simple value as text: strings without quotes, nothing for null.
pub(crate) fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_are_both_kept() {
        let source = SourceText { name: "j".to_owned(), text: r#"{"b": 1, "a": 2, "b": 3}"#.to_owned() };
        let pairs: Pairs<u32> = read(&source).unwrap();
        assert_eq!(pairs.0, [("b".to_owned(), 1), ("a".to_owned(), 2), ("b".to_owned(), 3)]);
    }

    #[test]
    fn errors_are_placed() {
        let source = SourceText { name: "j".to_owned(), text: "{\n  \"a\": x}".to_owned() };
        let error = read::<Pairs<Value>>(&source).unwrap_err().to_string();
        assert_eq!(error, "j:2:8: not the JSON expected here: expected value");
    }
}
