//! Cookies: the secret of a session, and that of a visit before anybody signs in.

use super::config::AssessConfig;
use assess::Secret;
use axum::http::{HeaderMap, HeaderValue, header};

/// Which cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cookie {
    /// Somebody is in.
    Session,
    /// Somebody looks at a form before they are in.
    Visit,
}

impl Cookie {
    /// Over HTTPS the name begins so that browsers take it from this very host only.
    fn name(self, config: &AssessConfig) -> &'static str {
        match (self, config.behind_https) {
            (Self::Session, true) => "__Host-hypatia",
            (Self::Session, false) => "hypatia",
            (Self::Visit, true) => "__Host-hypatia-visit",
            (Self::Visit, false) => "hypatia-visit",
        }
    }

    /// What a request has of it.
    pub(super) fn read(self, config: &AssessConfig, headers: &HeaderMap) -> Option<Secret> {
        let name = self.name(config);
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        lines
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(key, _)| *key == name)
            .find_map(|(_, value)| Secret::read(value))
    }

    /// The header that sets it.
    pub(super) fn set(self, config: &AssessConfig, secret: &Secret) -> HeaderValue {
        let life = match self {
            Self::Session => format!("; Max-Age={}", config.sessions.life),
            // It is gone with the browser.
            Self::Visit => String::new(),
        };
        self.header(config, secret.as_str(), &life)
    }

    /// The header that takes it away.
    pub(super) fn end(self, config: &AssessConfig) -> HeaderValue {
        self.header(config, "", "; Max-Age=0")
    }

    fn header(self, config: &AssessConfig, value: &str, life: &str) -> HeaderValue {
        let secure = if config.behind_https { "; Secure" } else { "" };
        let text = format!("{}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{life}", self.name(config));
        HeaderValue::from_str(&text).expect("names, secrets and numbers are plain letters and digits")
    }
}

/// Adds a cookie to an answer.
pub(super) fn add(response: &mut axum::response::Response, cookie: HeaderValue) {
    response.headers_mut().append(header::SET_COOKIE, cookie);
}
