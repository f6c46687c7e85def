//! Which host a request is for: HTTP/1.1 wants to be told once and clearly.

use crate::passing::add_headers;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

/// Refuses requests of HTTP/1.1 that do not name exactly one host: a proxy and this server might
/// take them to be for different ones.
pub(super) async fn one_host(request: Request, next: Next) -> Response {
    if request.version() < Version::HTTP_11 || names_one(request.headers()) {
        return next.run(request).await;
    }
    let text = "A request of HTTP/1.1 must have exactly one valid Host header.\n";
    let mut response = (StatusCode::BAD_REQUEST, text).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    add_headers(headers);
    response
}

fn names_one(headers: &HeaderMap) -> bool {
    let mut hosts = headers.get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let authority = host.to_str().ok().and_then(|host| host.parse::<Authority>().ok());
    // A host has no user.
    authority.is_some_and(|authority| !authority.host().is_empty() && !authority.as_str().contains('@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_named_once_and_is_one() {
        let names = |hosts: &[&str]| {
            let values = hosts.iter().map(|host| (header::HOST, HeaderValue::from_str(host).unwrap()));
            names_one(&values.collect::<Vec<_>>().into_iter().fold(
                HeaderMap::new(),
                |mut map, (name, value)| {
                    map.append(name, value);
                    map
                },
            ))
        };
        for good in ["example.org", "example.org:8080", "127.0.0.1", "[::1]:8080", "x"] {
            assert!(names(&[good]), "{good}");
        }
        for bad in ["", "a b", "a/b", "user@example.org", "a\"b", "a,b c"] {
            assert!(!names(&[bad]), "{bad:?}");
        }
        assert!(!names(&[]) && !names(&["a", "a"]));
    }
}
