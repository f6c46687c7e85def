//! A value of the metadata.

/// A value of the metadata.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    Bool(bool),
    String(String),
    Array(Array),
}

/// A list of values, packed by kind: vocabularies have hundreds of thousands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Array {
    /// Integers of any size and sign, and truth values as 0 and 1.
    Integers(Vec<i64>),
    Floats(Vec<f32>),
    Strings(Vec<String>),
}

impl Value {
    /// A whole number that is not negative.
    pub(crate) fn as_count(&self) -> Option<u64> {
        match *self {
            Self::Unsigned(number) => Some(number),
            Self::Signed(number) => u64::try_from(number).ok(),
            _ => None,
        }
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        match *self {
            Self::Float(number) => Some(number),
            Self::Unsigned(number) => Some(number as f64),
            Self::Signed(number) => Some(number as f64),
            _ => None,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match *self {
            Self::Bool(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&Array> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    /// What kind of value it is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Unsigned(_) | Self::Signed(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Bool(_) => "a truth value",
            Self::String(_) => "a text",
            Self::Array(_) => "a list",
        }
    }
}
