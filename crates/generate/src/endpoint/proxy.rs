//! Through whom a server is asked.

use crate::Error;
use std::{env, fmt};
use ureq::{Proxy, ProxyProtocol};

/// Through whom servers are asked, as the environment names it. Printing it shows no address: there may be a
/// password in it.
///
/// ```
/// use generate::Proxies;
/// let proxies = Proxies { http: Some("http://me:secret@proxy:3128".to_owned()), ..Proxies::default() };
/// assert!(!format!("{proxies:?}").contains("secret"));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Proxies {
    /// For plain http, such as `http://proxy:3128`.
    pub http: Option<String>,
    /// For https.
    pub https: Option<String>,
    /// The hosts that are asked without, as in `NO_PROXY`: names, which stand for all below them, or `*`.
    pub except: String,
}

impl Proxies {
    /// Those that `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` name, in large or small letters.
    #[must_use]
    pub fn from_environment() -> Self {
        Self::read(|variable| env::var(variable).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Self {
        let either = |name: &str| {
            let value = variable(&name.to_lowercase()).or_else(|| variable(name));
            value.filter(|value| !value.trim().is_empty())
        };
        Self {
            http: either("HTTP_PROXY").or_else(|| either("ALL_PROXY")),
            https: either("HTTPS_PROXY").or_else(|| either("ALL_PROXY")),
            except: either("NO_PROXY").unwrap_or_default(),
        }
    }

    /// Through whom a host is asked.
    ///
    /// # Errors
    ///
    /// When the environment names a proxy that cannot be used.
    pub fn of(&self, is_safe: bool, host: &str) -> Result<Option<Proxy>, Error> {
        let named = if is_safe { &self.https } else { &self.http };
        let Some(address) = named else { return Ok(None) };
        if self.is_excepted(host) {
            return Ok(None);
        }
        let refuse = |reason: String| Err(Error::Address { reason });
        let Ok(proxy) = Proxy::new(address.trim()) else {
            return refuse("the proxy that the environment names for it has no address".to_owned());
        };
        // Going around it in silence would tell others what it is there to hide.
        if !matches!(proxy.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) {
            let reason = format!(
                "the environment names a {} proxy for it, and only those for HTTP can be used; name one, or except {host} in NO_PROXY",
                proxy.protocol()
            );
            return refuse(reason);
        }
        Ok(Some(proxy))
    }

    fn is_excepted(&self, host: &str) -> bool {
        let host = host.trim_matches(['[', ']']).to_lowercase();
        self.except.split(',').map(|entry| entry.trim().to_lowercase()).any(|entry| {
            let name = entry.trim_start_matches('*').trim_start_matches('.');
            let name = match name.rsplit_once(':') {
                Some((before, port)) if !before.contains(':') && port.parse::<u16>().is_ok() => before,
                _ => name,
            };
            entry == "*"
                || (!name.is_empty()
                    && host
                        .strip_suffix(name)
                        .is_some_and(|before| before.is_empty() || before.ends_with('.')))
        })
    }
}

impl fmt::Debug for Proxies {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |proxy: &Option<String>| proxy.as_ref().map(|_| "…");
        formatter
            .debug_struct("Proxies")
            .field("http", &shown(&self.http))
            .field("https", &shown(&self.https))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies(variables: &'static [(&str, &str)]) -> Proxies {
        let find = |name: &str| variables.iter().find(|(known, _)| *known == name);
        Proxies::read(|name| find(name).map(|(_, value)| (*value).to_owned()))
    }

    fn host(proxies: &Proxies, is_safe: bool, host: &str) -> Option<String> {
        proxies.of(is_safe, host).unwrap().map(|proxy| proxy.host().to_owned())
    }

    #[test]
    fn which_proxy_is_for_what() {
        let both = proxies(&[("http_proxy", "http://a:1"), ("HTTPS_PROXY", "http://b:1"), ("ALL_PROXY", "")]);
        assert_eq!(host(&both, false, "x.org").as_deref(), Some("a"));
        assert_eq!(host(&both, true, "x.org").as_deref(), Some("b"));
        let all = proxies(&[("all_proxy", "http://c:1")]);
        assert_eq!(
            (host(&all, false, "x.org"), host(&all, true, "x.org")),
            (Some("c".into()), Some("c".into()))
        );
        assert_eq!(host(&proxies(&[]), true, "x.org"), None);
    }

    #[test]
    fn which_hosts_need_none() {
        let some =
            proxies(&[("HTTP_PROXY", "http://a:1"), ("NO_PROXY", "x.org, .y.org,*.z.org,10.0.0.1:8000,")]);
        for host in ["x.org", "X.org", "a.x.org", "a.y.org", "a.z.org", "10.0.0.1"] {
            assert!(some.is_excepted(host), "{host}");
        }
        for host in ["ax.org", "org", "10.0.0.2", "x.org.evil"] {
            assert!(!some.is_excepted(host), "{host}");
        }
        let none = proxies(&[("HTTP_PROXY", "socks5://a:1"), ("no_proxy", "*")]);
        assert_eq!(host(&none, false, "x.org"), None);
    }

    #[test]
    fn a_proxy_that_cannot_be_used_is_not_gone_around() {
        for address in ["socks5://me:secret@a:1", "SOCKS4://a:1", "socks5h://a:1", "ftp://a:1", "a b secret"]
        {
            let some = Proxies { http: Some(address.to_owned()), ..Proxies::default() };
            let error = some.of(false, "x.org").unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
            assert!(!address.starts_with("socks5:") || error.contains("SOCKS5 proxy"), "{error}");
        }
    }
}
