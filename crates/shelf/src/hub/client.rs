//! Requests to a hub: who gets the token, which redirects are followed, and what a refusal means.

use super::Hub;
use crate::{Error, Watch};
use generate::{Key, is_loopback, trusted_roots};
use std::io::Read as _;
use std::thread;
use std::time::Duration;
use ureq::config::Config;
use ureq::http::{HeaderValue, Response, StatusCode, Uri, header};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

/// Redirects that are followed, one after the other.
const MOST_REDIRECTS: usize = 8;
/// The longest wait between two attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// How long a list of files may take.
const LIST_TIMEOUT: Duration = Duration::from_secs(120);
/// What is read of a refusal.
const LONGEST_MESSAGE: usize = 300;

/// Why a request gave nothing.
#[derive(Debug)]
pub(super) enum Failure {
    /// Asking again would not help.
    Final(String),
    /// Asking again may help, after this wait if the server named one.
    Temporary(String, Option<Duration>),
}

/// An answer, and what the hub itself said about the file before it sent us elsewhere.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) response: Response<Body>,
    pub(super) etag: Option<String>,
    pub(super) size: Option<u64>,
    pub(super) commit: Option<String>,
}

pub(super) struct Client<'h> {
    hub: &'h Hub,
    repository: &'h str,
    endpoint: Uri,
    roots: RootCerts,
}

impl<'h> Client<'h> {
    pub(super) fn new(hub: &'h Hub, repository: &'h str) -> Result<Self, Error> {
        let wrong = |reason: &str| Error::hub("HF_ENDPOINT", reason);
        let address = hub.endpoint.trim_end_matches('/');
        // Before anything shows the address: there may be a password in it.
        if address.contains('@') {
            return Err(wrong("the address holds an @; give a token with HF_TOKEN"));
        }
        let endpoint: Uri = address.parse().map_err(|_| wrong("not an address"))?;
        let (Some("http" | "https"), Some(host)) = (endpoint.scheme_str(), endpoint.host()) else {
            return Err(wrong("an address starts with https:// or http:// and a host"));
        };
        if endpoint.query().is_some() {
            return Err(wrong("the address holds a question mark"));
        }
        let is_safe = endpoint.scheme_str() == Some("https");
        if hub.token.is_some() && !is_safe && !is_loopback(host) {
            return Err(wrong(
                "plain http, where others could read the token; use https, or unset the token",
            ));
        }
        // Where plain http leads, https may follow.
        Ok(Self { hub, repository, endpoint, roots: trusted_roots() })
    }

    /// The address of a path at the hub.
    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.hub.endpoint.trim_end_matches('/'))
    }

    /// A short answer of the hub itself.
    pub(super) fn text(&self, path: &str, limit: u64) -> Result<Vec<u8>, Failure> {
        let mut answer = self.get(path, None, Some(LIST_TIMEOUT))?;
        let mut bytes = Vec::new();
        let reader = answer.response.body_mut().as_reader();
        reader.take(limit + 1).read_to_end(&mut bytes).map_err(|cause| {
            Failure::Temporary(format!("the answer broke off: {}", self.scrub(&cause.to_string())), None)
        })?;
        if bytes.len() as u64 > limit {
            return Err(Failure::Final(format!("the answer has more than {limit} bytes")));
        }
        Ok(bytes)
    }

    /// Asks for a path at the hub, from a byte on, and follows redirects. The token goes to the hub's own
    /// origin only.
    pub(super) fn get(
        &self,
        path: &str,
        from: Option<u64>,
        timeout: Option<Duration>,
    ) -> Result<Answer, Failure> {
        let mut address = self.address(path);
        let (mut linked, mut etag, mut size, mut commit) = (None, None, None, None);
        for _ in 0..=MOST_REDIRECTS {
            let uri: Uri =
                address.parse().map_err(|_| Failure::Final("redirected to no address".to_owned()))?;
            let is_own = is_same_origin(&uri, &self.endpoint);
            let response = self.call(&uri, from, timeout, is_own)?;
            let told = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
            if is_own {
                linked = told("x-linked-etag").map(str::to_owned).or(linked);
                // That of the last answer: a redirect within the hub may have one of its own.
                etag = told("etag").map(str::to_owned).or(etag);
                size = told("x-linked-size").and_then(|text| text.parse().ok()).or(size);
                commit = told("x-repo-commit").map(str::to_owned).or(commit);
            }
            let status = response.status();
            if status.is_redirection() && status != StatusCode::NOT_MODIFIED {
                let location =
                    told("location").ok_or_else(|| Failure::Final("redirected nowhere".to_owned()))?;
                address = follow(&uri, location).map_err(Failure::Final)?;
                continue;
            }
            if status.is_success() || status == StatusCode::RANGE_NOT_SATISFIABLE {
                return Ok(Answer { response, etag: linked.or(etag), size, commit });
            }
            return Err(self.refused(response, &uri));
        }
        Err(Failure::Final(format!("more than {MOST_REDIRECTS} redirects")))
    }

    fn call(
        &self,
        uri: &Uri,
        from: Option<u64>,
        timeout: Option<Duration>,
        is_own: bool,
    ) -> Result<Response<Body>, Failure> {
        let agent = self.agent(uri, timeout).map_err(Failure::Final)?;
        let mut request = agent.get(uri.clone());
        if let Some(from) = from {
            request = request.header(header::RANGE, format!("bytes={from}-"));
        }
        if let Some(token) = self.hub.token.as_ref().filter(|_| is_own) {
            let mut value = HeaderValue::from_str(&token.authorization())
                .map_err(|_| Failure::Final("the token cannot be sent".to_owned()))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        request.call().map_err(|error| self.failed(&error, uri))
    }

    fn agent(&self, uri: &Uri, timeout: Option<Duration>) -> Result<Agent, String> {
        let host = uri.host().unwrap_or_default();
        let is_safe = uri.scheme_str() == Some("https");
        let proxy = if is_loopback(host) {
            None
        } else {
            self.hub.proxies.of(is_safe, host).map_err(|error| error.to_string())?
        };
        let config: Config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .max_idle_connections(0)
            .proxy(proxy)
            .tls_config(TlsConfig::builder().root_certs(self.roots.clone()).build())
            .user_agent(concat!("hypatia/", env!("CARGO_PKG_VERSION")))
            .accept_encoding("identity")
            .timeout_resolve(Some(self.hub.connect_timeout))
            .timeout_connect(Some(self.hub.connect_timeout))
            .timeout_per_read(Some(self.hub.idle_timeout))
            .timeout_per_write(Some(self.hub.idle_timeout))
            .timeout_global(timeout)
            .build();
        Ok(config.new_agent())
    }

    /// What it means that there was no answer.
    fn failed(&self, error: &ureq::Error, uri: &Uri) -> Failure {
        let host = shown(uri);
        let reason = self.scrub(&error.to_string());
        match error {
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) | ureq::Error::Pem(_) | ureq::Error::TlsRequired => {
                Failure::Final(format!("{host}: the connection is not safe: {reason}"))
            }
            ureq::Error::Io(cause) if cause.kind() == std::io::ErrorKind::InvalidData => {
                Failure::Final(format!("{host}: the connection is not safe: {reason}"))
            }
            ureq::Error::BadUri(_) | ureq::Error::InvalidProxyUrl => {
                Failure::Final(format!("{host}: {reason}"))
            }
            _ => Failure::Temporary(format!("{host}: {reason}"), None),
        }
    }

    /// What it means that a server answered with a status that is no success.
    fn refused(&self, mut response: Response<Body>, uri: &Uri) -> Failure {
        let status = response.status().as_u16();
        let told = |name: &str| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.map(|value| self.scrub(value))
        };
        let (code, mut message) = (told("x-error-code").unwrap_or_default(), told("x-error-message"));
        let retry_after =
            told("retry-after").and_then(|text| text.trim().parse().ok()).map(Duration::from_secs);
        if message.is_none() {
            let mut bytes = Vec::new();
            // What could not be read of a message would not change what happened.
            let _ = response.body_mut().as_reader().take(1 << 16).read_to_end(&mut bytes);
            let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
            message = value["error"].as_str().map(|text| self.scrub(text));
        }
        let message: String = message.unwrap_or_default().chars().take(LONGEST_MESSAGE).collect();
        let said = if message.is_empty() { String::new() } else { format!(" ({message})") };
        let page = self.address(&format!("/{}", self.repository));
        let token = match self.hub.token {
            Some(_) => "the token does not give access to it",
            None => "if it is private, set HF_TOKEN",
        };
        let reason = match (status, code.as_str()) {
            (401 | 403, "GatedRepo") => format!(
                "gated: accept its terms at {page}, then set HF_TOKEN to a token of that account{said}"
            ),
            (404, "RevisionNotFound") => format!("the repository has no such revision{said}"),
            (404, "EntryNotFound") => format!("the repository has no such file{said}"),
            (401 | 404, "RepoNotFound") | (401, "") => {
                format!("there is no such repository, or {token}{said}")
            }
            (404, _) => format!("{} does not have it{said}", shown(uri)),
            (403, _) => format!("refused, status 403; {token}{said}"),
            (408 | 425 | 429 | 500 | 502..=504 | 520..=530, _) => {
                return Failure::Temporary(
                    format!("{} answered with status {status}{said}", shown(uri)),
                    retry_after,
                );
            }
            _ => format!("{} answered with status {status}{said}", shown(uri)),
        };
        Failure::Final(reason)
    }

    /// A text without the token, whatever a server put into it.
    pub(super) fn scrub(&self, text: &str) -> String {
        self.hub.token.as_ref().map_or_else(|| text.to_owned(), |token: &Key| token.scrub(text))
    }
}

/// Waits before the next attempt.
///
/// # Errors
///
/// After the last attempt, its reason.
pub(super) fn wait(
    hub: &Hub,
    failures: u32,
    reason: &str,
    asked: Option<Duration>,
    watch: &mut dyn Watch,
) -> Result<(), String> {
    if failures >= hub.attempts.max(1) {
        return Err(format!("{reason}; tried {failures} times"));
    }
    let doubled = hub.first_wait.saturating_mul(1 << (failures - 1).min(16));
    let wait = doubled.max(asked.unwrap_or_default()).min(LONGEST_WAIT);
    watch.note(&format!("{reason}; trying again in {:.0} s", wait.as_secs_f64()));
    thread::sleep(wait);
    Ok(())
}

/// An address for people: without its path and query, which may hold signatures.
fn shown(uri: &Uri) -> String {
    uri.authority().map_or_else(|| "the hub".to_owned(), ToString::to_string)
}

fn port(uri: &Uri) -> Option<u16> {
    uri.port_u16().or(match uri.scheme_str() {
        Some("https") => Some(443),
        Some("http") => Some(80),
        _ => None,
    })
}

/// Whether two addresses have the same scheme, host and port.
fn is_same_origin(a: &Uri, b: &Uri) -> bool {
    let host = |uri: &Uri| uri.host().map(str::to_ascii_lowercase);
    a.scheme_str() == b.scheme_str() && host(a).is_some() && host(a) == host(b) && port(a) == port(b)
}

/// The address that a redirect leads to.
fn follow(from: &Uri, location: &str) -> Result<String, String> {
    let origin = format!("{}://{}", from.scheme_str().unwrap_or("https"), shown(from));
    let address = if location.starts_with("//") {
        format!("{}:{location}", from.scheme_str().unwrap_or("https"))
    } else if location.starts_with('/') {
        format!("{origin}{location}")
    } else if location.contains("://") {
        location.to_owned()
    } else {
        let folder = from.path().rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{origin}{folder}/{location}")
    };
    let to: Uri = address.parse().map_err(|_| "redirected to no address".to_owned())?;
    match (from.scheme_str(), to.scheme_str()) {
        (_, Some("https")) | (Some("http"), Some("http")) => Ok(address),
        (_, Some("http")) => Err(format!("redirected from https to plain http at {}", shown(&to))),
        _ => Err("redirected to no address of http".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_differ_by_scheme_host_and_port() {
        let same = |a: &str, b: &str| is_same_origin(&a.parse().unwrap(), &b.parse().unwrap());
        assert!(same("https://a.org/x", "https://A.org:443/y"));
        for other in ["http://a.org/", "https://b.a.org/", "https://a.org.evil/", "https://a.org:8443/"] {
            assert!(!same("https://a.org/", other), "{other}");
        }
    }

    #[test]
    fn redirects_never_leave_https() {
        let follow = |from: &str, to: &str| follow(&from.parse().unwrap(), to);
        assert_eq!(follow("https://a.org/x/y", "/z?q").unwrap(), "https://a.org/z?q");
        assert_eq!(follow("https://a.org/x/y", "z").unwrap(), "https://a.org/x/z");
        assert_eq!(follow("https://a.org/", "//b.org/z").unwrap(), "https://b.org/z");
        assert_eq!(follow("http://127.0.0.1:1/", "http://127.0.0.1:2/z").unwrap(), "http://127.0.0.1:2/z");
        assert!(follow("https://a.org/", "http://a.org/").unwrap_err().contains("plain http"));
        assert!(follow("https://a.org/", "ftp://a.org/").is_err());
    }

    #[test]
    fn addresses_with_secrets_or_without_https_are_refused() {
        for (endpoint, told) in [
            ("https://me:secret@a.org", "holds an @"),
            ("ftp://a.org", "starts with"),
            ("nonsense", "starts with"),
            ("https://a.org?x=1", "question mark"),
            ("http://a.org", "plain http"),
        ] {
            let hub = Hub { token: Some(Key::new("hf_secret").unwrap()), ..Hub::new(endpoint) };
            let error = Client::new(&hub, "a/b").err().unwrap().to_string();
            assert!(error.contains(told) && !error.contains("secret"), "{error}");
        }
    }
}
