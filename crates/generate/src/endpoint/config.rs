//! Where a server is, who asks, and how long one waits.

use super::proxy::Proxies;
use crate::{Cause, Error, Key};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use ureq::Proxy;
use ureq::http::Uri;
use ureq::tls::{Certificate, RootCerts};

/// Where a server is, who asks, and how long one waits.
#[derive(Clone, Debug)]
pub struct EndpointConfig {
    /// The address up to the version, such as `https://host/v1` or `http://127.0.0.1:8000/v1`.
    pub address: String,
    /// The name by which the server knows the model.
    pub model: String,
    /// Who asks; none by default.
    pub key: Option<Key>,
    /// Send the key where others on the way can read it: over plain http to another machine. Not by default.
    pub key_over_plain_http: bool,
    /// How long a connection may take: 10 seconds by default, and as long again for the name of the host.
    pub connect_timeout: Duration,
    /// How long no byte may come: 120 seconds by default, since a model reads all it is given before it
    /// writes.
    pub idle_timeout: Duration,
    /// How long one attempt may take from its beginning to its end: 600 seconds by default.
    pub answer_timeout: Duration,
    /// How often a request is made at most, the first time included: 6 by default. A server that was never
    /// reached is asked twice at most.
    pub attempts: u32,
    /// Is told why an attempt failed, and how long is waited before the next. Nobody by default.
    pub on_retry: Option<fn(&Cause, Duration)>,
    /// Through whom the server is asked: those that the environment names, by default. They are not used for
    /// addresses of this machine.
    pub proxies: Proxies,
    /// How long to wait after the first attempt: 1 second by default; each wait is twice the one before.
    pub first_wait: Duration,
    /// How long to wait at most, also when the server asks for more: 60 seconds by default.
    pub longest_wait: Duration,
    /// How many bytes an answer may have: 64 MiB by default. A token takes some 300 in a stream.
    pub most_bytes: u64,
}

impl EndpointConfig {
    /// A model at an address, everything else by default.
    #[must_use]
    pub fn new(address: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            address: address.into(),
            model: model.into(),
            key: None,
            key_over_plain_http: false,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(120),
            answer_timeout: Duration::from_secs(600),
            attempts: 6,
            on_retry: None,
            proxies: Proxies::from_environment(),
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            most_bytes: 64 << 20,
        }
    }

    /// Checks the address and what is sent there.
    pub(super) fn place(&self) -> Result<Place, Error> {
        let refuse = |reason: String| Err(Error::Address { reason });
        let address = self.address.trim_end_matches('/');
        // Before anything shows the address: there may be a password in it, however it is written.
        if address.contains('@') {
            let reason = "there is an @ in it, as before a host stands a name or a password; a key has a place of its own";
            return refuse(reason.to_owned());
        }
        if address.contains(['?', '#']) {
            return refuse("there is a question mark or a number sign in it".to_owned());
        }
        for end in ["/chat/completions", "/completions"] {
            if let Some(before) = address.strip_suffix(end) {
                return refuse(format!("{address} is too long; {before} is what is asked for"));
            }
        }
        let uri: Uri = match address.parse() {
            Ok(uri) => uri,
            Err(error) => return refuse(format!("{address}: {error}")),
        };
        let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) else {
            return refuse(format!("{address} does not begin with https:// or http:// and a host"));
        };
        if !matches!(scheme, "http" | "https") {
            return refuse(format!("{address} begins neither with https:// nor with http://"));
        }
        let is_loopback = is_loopback(host);
        if self.key.is_some() && scheme == "http" && !is_loopback && !self.key_over_plain_http {
            let reason = format!(
                "{address} is plain http, where others could read the key; use https, or allow it if nobody can"
            );
            return refuse(reason);
        }
        let is_safe = scheme == "https";
        let proxy = if is_loopback { None } else { self.proxies.of(is_safe, host)? };
        Ok(Place { address: address.to_owned(), proxy, is_safe })
    }
}

/// An address that was checked.
#[derive(Debug)]
pub(super) struct Place {
    /// Without a slash at its end.
    pub(super) address: String,
    /// Through whom it is reached.
    pub(super) proxy: Option<Proxy>,
    /// Whether it is https.
    is_safe: bool,
}

impl Place {
    pub(super) fn roots(&self) -> RootCerts {
        if self.is_safe { trusted_roots() } else { RootCerts::WebPki }
    }
}

/// Who may say that a server is the one it claims to be: those whom the system trusts, since a server in a
/// house of its own is known there and nowhere else. Where there are none, as in a bare container, it is those
/// that come with the program.
#[must_use]
pub fn trusted_roots() -> RootCerts {
    // A certificate that cannot be read is as good as none.
    let found = rustls_native_certs::load_native_certs().certs;
    if found.is_empty() {
        return RootCerts::WebPki;
    }
    let certificates = found.iter().map(|certificate| Certificate::from_der(certificate).to_owned());
    RootCerts::Specific(Arc::new(certificates.collect()))
}

/// Whether a host is this machine.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(address: &str, key: Option<&str>) -> Result<Place, String> {
        let mut config = EndpointConfig::new(address, "m");
        config.key = key.map(|key| Key::new(key).unwrap());
        config.place().map_err(|error| error.to_string())
    }

    #[test]
    fn a_key_goes_over_plain_http_to_this_machine_only() {
        let key = Some("sk-secret");
        for good in ["http://127.0.0.1:8000/v1", "http://localhost/v1", "http://[::1]:1/v1", "https://a.org"]
        {
            assert!(place(good, key).is_ok(), "{good}");
        }
        for bad in ["http://a.org/v1", "http://10.0.0.1/v1", "http://localhost.a.org/v1", "http://128.0.0.1"]
        {
            let error = place(bad, key).unwrap_err();
            assert!(error.contains("plain http") && !error.contains("secret"), "{error}");
            assert!(place(bad, None).is_ok(), "{bad}");
        }
        let mut config = EndpointConfig::new("http://10.0.0.1/v1", "m");
        config.key = Some(Key::new("sk-secret").unwrap());
        config.key_over_plain_http = true;
        assert!(config.place().is_ok());
    }

    #[test]
    fn an_address_that_is_none_is_refused() {
        for bad in ["", "a.org/v1", "ftp://a.org", "https://", "https://a b/", "https://a.org/v1?x=1"] {
            assert!(place(bad, None).is_err(), "{bad}");
        }
        let error = place("https://a.org/v1/chat/completions", None).unwrap_err();
        assert!(error.contains("https://a.org/v1 is what is asked for"), "{error}");
    }

    #[test]
    fn a_password_in_an_address_is_refused_and_not_shown() {
        for address in [
            "https://me:secret@a.org/v1",
            "me:secret@a.org/v1",
            "https:/me:secret@a.org/v1",
            "https:me:secret@a.org",
            "https://me:secret@a.org/v1/chat/completions",
        ] {
            let error = place(address, None).unwrap_err();
            assert!(error.contains("password") && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn slashes_at_the_end_do_not_matter() {
        assert_eq!(place("https://a.org/v1//", None).unwrap().address, "https://a.org/v1");
    }
}
