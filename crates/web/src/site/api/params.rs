//! Parameters of addresses, read strictly: programs shall learn of their mistakes.

use crate::site::error::{ApiError, AppError};
use crate::site::state::App;
use crate::site::systems;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::Uri;
use axum::http::request::Parts;
use retrieve::people::DEEPEST;
use retrieve::typed::LONGEST;
use retrieve::{DEFAULT_SEARCH, Pipeline};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// How many results are given at most.
const MOST: usize = 100;

/// The parameters of an address.
#[derive(Debug)]
pub(super) struct Params(Vec<(String, String)>);

impl Params {
    /// Reads the parameters of an address, of which only these are known, each at most once.
    pub(super) fn read(uri: &Uri, known: &[&str]) -> Result<Self, AppError> {
        let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri)
            .map_err(|_| bad("the part of the address after ? cannot be read"))?;
        for (place, (name, _)) in pairs.iter().enumerate() {
            if !known.contains(&name.as_str()) {
                let name: String = name.chars().take(40).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(bad(&format!("there is no parameter {name} here; known: {known}")));
            }
            if pairs[..place].iter().any(|(other, _)| other == name) {
                return Err(bad(&format!("the parameter {name} is there twice")));
            }
        }
        Ok(Self(pairs))
    }

    /// What is said by a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A text, empty if it is not there.
    pub(super) fn text(&self, name: &str) -> Result<&str, AppError> {
        let text = self.get(name).unwrap_or_default();
        check_length(name, text, LONGEST)?;
        Ok(text)
    }

    /// The query: the formula `f` comes after what is in `q`.
    pub(super) fn query(&self) -> Result<String, AppError> {
        let (q, f) = (self.text("q")?.trim(), self.text("f")?.trim());
        Ok(match (q, f) {
            (q, "") => q.to_owned(),
            ("", f) => format!("${f}$"),
            (q, f) => format!("{q} ${f}$"),
        })
    }

    fn number(&self, name: &str, range: RangeInclusive<usize>, usual: usize) -> Result<usize, AppError> {
        let Some(text) = self.get(name) else { return Ok(usual) };
        let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| plain && range.contains(number));
        number.ok_or_else(|| {
            let text: String = text.chars().take(40).collect();
            bad(&format!("{name} is a whole number from {} to {}, not {text:?}", range.start(), range.end()))
        })
    }

    /// How many results are wanted.
    pub(super) fn limit(&self) -> Result<usize, AppError> {
        self.number("limit", 1..=MOST, 10)
    }

    /// How many of the best are left out.
    pub(super) fn offset(&self) -> Result<usize, AppError> {
        self.number("offset", 0..=DEEPEST, 0)
    }

    /// One of a few values; the first is the usual one.
    pub(super) fn choice<T: Copy, const N: usize>(
        &self,
        name: &str,
        choices: [(&str, T); N],
    ) -> Result<T, AppError> {
        let Some(text) = self.get(name) else { return Ok(choices[0].1) };
        choices.iter().find(|(known, _)| *known == text).map(|(_, value)| *value).ok_or_else(|| {
            let text: String = text.chars().take(40).collect();
            let known = choices.map(|(known, _)| known).join(" or ");
            bad(&format!("{name} is {known}, not {text:?}"))
        })
    }

    /// The system that ranks what people search for.
    pub(super) fn pipeline(&self) -> Result<Arc<Pipeline>, AppError> {
        systems::for_search(self.get("system").unwrap_or(DEFAULT_SEARCH))
    }
}

/// What stands in a place of the path; what is no text names nothing.
#[derive(Debug)]
pub(super) struct Id(pub(super) String);

impl FromRequestParts<App> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match Path::<String>::from_request_parts(parts, app).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(ApiError(AppError::NotFound("thing of this name".to_owned()))),
        }
    }
}

/// A text must not be longer than so many characters.
pub(super) fn check_length(name: &str, text: &str, longest: usize) -> Result<(), AppError> {
    if text.len() > longest && text.chars().count() > longest {
        return Err(bad(&format!("{name} may have {longest} characters, and there are more")));
    }
    Ok(())
}

pub(super) fn bad(message: &str) -> AppError {
    AppError::BadRequest(message.to_owned())
}
