//! The API over a small index: every route, and what it says to nonsense.

use crate::common;

use axum::body::Body;
use axum::http::Request;
use common::Site;
use serde_json::Value;
use web::Config;

/// The value at a place such as `hits.0.id`.
fn at<'v>(value: &'v Value, place: &str) -> &'v Value {
    place.split('.').fold(value, |value, part| match part.parse::<usize>() {
        Ok(number) => &value[number],
        Err(_) => &value[part],
    })
}

#[tokio::test]
async fn what_is_found() {
    let site = Site::small("api-found");
    for (path, place, expected) in [
        ("search?q=product+of+signs+is:answer", "hits.0.id", "\"2\""),
        ("search?q=product+of+signs+is:answer", "hits.0.question_id", "\"1\""),
        ("search?q=product+of+signs+is:answer", "hits.0.accepted", "true"),
        ("search?q=product+of+signs+is:answer", "hits.0.why", "null"),
        ("search?q=signs+is:answer&explain=true", "hits.0.why.words.0.word", "\"signs\""),
        ("search?q=square&f=x^2%5Cge+0&limit=1", "query.text", r#""square $x^2\\ge 0$""#),
        ("search?q=square&f=x^2%5Cge+0&limit=1", "hits.0.id", "\"1\""),
        ("search?f=x^2%5Cge+0", "formulas.0.posts", "1"),
        ("search?f=x^2%5Cge+0", "formulas.0.mathml", "null"),
        ("search?q=squaer", "corrections.0.meant", "\"square\""),
        ("search?q=squaer&read=literal", "notes.1.about", "\"squaer\""),
        ("search?q=square&offset=10000", "hits", "[]"),
        ("search?q=product+equal+signs+sums+squares+square&sort=votes", "hits.0.id", "\"1\""),
        ("search?q=product+equal+signs+sums+squares+square&sort=votes", "hits.1.id", "\"2\""),
        ("search?q=product+equal+signs+sums+squares+square&sort=votes", "hits.2.id", "\"3\""),
        ("search?q=sums+of+squares&sort=date&offset=0&limit=1", "hits.0.id", "\"1\""),
        ("search", "hits", "[]"),
        ("preview?q=why+%24a%3C%5Cfoo+b%24", "formulas.0.diagnostics.0.kind", "\"unknown-command\""),
        ("preview?q=why+%24a%3C%5Cfoo+b%24", "formulas.0.diagnostics.0.span", "[2,6]"),
        ("preview?q=why+%24a%3C%5Cfoo+b%24", "formulas.0.span", "[5,13]"),
        ("preview?f=x", "formulas.0.latex", "\"x\""),
        ("posts/1", "title", r#""Is $x^2\\ge 0$?""#),
        ("posts/1", "text", "\"For real $x$ the square is never negative.\""),
        ("posts/1", "user", "\"Sophie <b>\""),
        ("posts/1", "accepted_answer_id", "\"2\""),
        ("posts/1", "formulas.1.field", "\"body\""),
        ("posts/2", "comments.0.text", "\"Even for $x=0$.\""),
        ("posts/2", "accepted", "true"),
        ("posts/2", "thread_id", "\"1\""),
        ("threads/2", "id", "\"1\""),
        ("threads/2", "posts.1.id", "\"2\""),
        ("index", "posts", "3"),
        ("index", "generation", "1"),
        ("openapi.json", "openapi", "\"3.1.0\""),
    ] {
        let json = site.json(&format!("/api/v1/{path}")).await;
        assert_eq!(at(&json, place).to_string(), expected, "{place} of {path}: {json}");
    }
    let drawn = site.json("/api/v1/search?f=x^2%5Cge+0&mathml=true&explain=true").await;
    for place in ["formulas.0", "hits.0.marks.title.formulas.0", "hits.0.why.formulas.0"] {
        let mathml = at(&drawn, &format!("{place}.mathml"));
        assert!(mathml.as_str().is_some_and(|mathml| mathml.starts_with("<math")), "{place}: {drawn}");
    }
    let systems = site.json("/api/v1/systems").await;
    let named = |name: &str| {
        let mut systems = systems["systems"].as_array().unwrap().iter();
        systems.find(|system| system["name"] == name).cloned().unwrap()
    };
    assert_eq!(named("search")["usual"].to_string(), "[\"search\"]");
    assert_eq!(named("bm25")["usable"].to_string(), "[\"search\",\"ask\"]");
    assert_eq!(named("tangent-s")["usable"].to_string(), "[]");
}

#[tokio::test]
async fn questions_are_answered_by_systems() {
    let site = Site::small("api-ask");
    let asked = r#"{"title":"square $x^2$","body":"never negative","tags":["algebra"],"systems":["bm25","search"],"limit":2}"#;
    let answer = site.post("/api/v1/ask", asked).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    assert_eq!(at(&json, "rankings.0.system"), "bm25");
    assert_eq!(at(&json, "rankings.1.system"), "search");
    assert_eq!(answer.header("cache-control"), "no-store");
    for fine in ["{}", "{\"limit\":3.0}", "{\"limit\":3,\"mathml\":true,\"explain\":true}"] {
        let answer = site.post("/api/v1/ask", fine).await;
        assert_eq!(answer.status, 200, "{fine}: {}", answer.text());
    }
    for (body, status, expected) in [
        ("", 400, "EOF"),
        ("[\"title\"]", 400, "a question is a JSON object"),
        ("{\"titel\":\"x\"}", 400, "unknown field `titel`"),
        ("{\"title\":null}", 400, "null"),
        ("{\"limit\":0}", 400, "from 1 to 100"),
        ("{\"limit\":-1}", 400, "-1"),
        ("{\"limit\":1.5}", 400, "1.5"),
        ("{\"limit\":1e300}", 400, "from 1 to 100"),
        ("{\"limit\":\"1\"}", 400, "string"),
        ("{\"systems\":[\"x\"]}", 400, "there is no system \"x\""),
        ("{\"systems\":[\"tangent-s\"]}", 400, "ranks formulas"),
        ("{\"systems\":[\"bm25\",\"bm25\"]}", 400, "twice"),
        ("{\"systems\":[\"a\",\"b\",\"c\",\"d\",\"e\"]}", 400, "4 systems"),
        ("{\"tags\":[1]}", 400, "integer"),
    ] {
        let answer = site.post("/api/v1/ask", body).await;
        assert_eq!(answer.status, status, "{body}");
        let detail = answer.json()["detail"].to_string();
        assert!(detail.replace('\\', "").contains(expected), "{body}: {detail}");
    }
    let plain = Request::post("/api/v1/ask").body(Body::from("{}")).unwrap();
    assert_eq!(site.send(plain).await.status, 415);
    let long = format!("{{\"body\":\"{}\"}}", "x".repeat(1 << 20));
    assert_eq!(site.post("/api/v1/ask", &long).await.status, 413);
    let long = format!("{{\"body\":\"{}\"}}", "x".repeat(200_000));
    assert_eq!(site.post("/api/v1/ask", &long).await.status, 400);
}

#[tokio::test]
async fn mistakes_are_told() {
    let site = Site::small("api-mistakes");
    let long = format!("search?q={}", "x".repeat(10_001));
    let longer = format!("search?q={}", "x".repeat(60_000));
    for (path, status, expected) in [
        ("search?limit=0", 400, "limit is a whole number from 1 to 100, not \"0\""),
        ("search?limit=101", 400, "from 1 to 100"),
        ("search?limit=99999999999999999999", 400, "from 1 to 100"),
        ("search?limit=+1", 400, "from 1 to 100"),
        ("search?limit=", 400, "not \"\""),
        ("search?limit=ten", 400, "not \"ten\""),
        ("search?offset=10001", 400, "from 0 to 10000"),
        ("search?q=a&q=b", 400, "the parameter q is there twice"),
        ("search?query=a", 400, "there is no parameter query here; known: q, f, limit"),
        ("search?sort=size", 400, "sort is relevance or votes or date, not \"size\""),
        ("search?group=users", 400, "group is posts or threads, not \"users\""),
        ("search?facets=1", 400, "facets is false or true"),
        ("search?system=google", 400, "there is no system \"google\""),
        ("search?system=tangent-s", 400, "tangent-s: it ranks formulas, not answers"),
        (&long, 400, "q may have 10000 characters"),
        (&longer, 414, "the address is longer than 49152 bytes"),
        ("preview?limit=1", 400, "known: q, f"),
        ("systems?x=1", 400, "known: none"),
        ("posts/77", 404, "there is no post with the id \"77\""),
        ("posts/%FF", 404, "there is no thing of this name"),
        ("posts/%00", 404, "there is no post"),
        ("threads/77", 404, "there is no post with the id \"77\""),
        ("formulas/abc", 404, "there is no formula with the visual id \"abc\""),
        ("formulas/+1", 404, "there is no formula"),
        ("formulas/99999999999999999999999", 404, "there is no formula"),
        ("formulas/77777777", 404, "there is no formula"),
        ("formulas/77777777/similar", 404, "there is no formula"),
        ("formulas/77777777/containing", 404, "there is no formula"),
        ("formulas/77777777/instances", 404, "there is no formula"),
        ("nothing", 404, "there is no /api/v1/nothing here"),
        ("", 404, "there is no"),
    ] {
        let answer = site.get(&format!("/api/v1/{path}")).await;
        let shown: String = path.chars().take(60).collect();
        assert_eq!(answer.status, status, "{shown}: {}", answer.text());
        assert_eq!(answer.header("content-type"), "application/problem+json", "{shown}");
        let problem = answer.json();
        assert_eq!(problem["status"], status);
        assert!(problem["detail"].as_str().unwrap().contains(expected), "{shown}: {problem}");
    }
}

#[tokio::test]
async fn hostile_input_is_searched_as_text() {
    let site = Site::small("api-hostile");
    let deep = "(".repeat(9_999);
    let powers = "x^".repeat(4_999);
    for q in [
        "%00",
        "%FF%FE",
        "%",
        "%zz",
        "%24",
        "%24%24%24",
        "%5C",
        &deep,
        &powers,
        "a%0d%0aSet-Cookie:x",
        "\u{22}'%3C%3E",
    ] {
        for path in
            ["search?q=", "search?explain=true&mathml=true&facets=true&f=", "preview?f=", "formulas?f="]
        {
            let answer = site.get(&format!("/api/v1/{path}{}", q.replace('"', "%22"))).await;
            assert_eq!(answer.status, 200, "{path} {}: {}", &q[..q.len().min(20)], answer.text());
        }
    }
}

#[tokio::test]
async fn methods() {
    let site = Site::small("api-methods");
    let send = |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path);
        site.send(request.body(Body::empty()).unwrap())
    };
    for (method, path, status, allow) in [
        ("POST", "/api/v1/search", 405, "GET,HEAD"),
        ("DELETE", "/api/v1/posts/1", 405, "GET,HEAD"),
        ("TRACE", "/api/v1/search", 405, "GET,HEAD"),
        ("PUT", "/healthz", 405, "GET,HEAD"),
        ("GET", "/api/v1/ask", 405, "POST"),
        ("OPTIONS", "/api/v1/ask", 204, "POST"),
        ("OPTIONS", "/api/v1/search", 204, "GET,HEAD"),
        ("OPTIONS", "/api/v1/nothing", 404, ""),
        ("HEAD", "/api/v1/search?q=square", 200, ""),
    ] {
        let answer = send(method, path).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow")), (status, allow), "{method} {path}");
    }
    let head = send("HEAD", "/api/v1/search?q=square").await;
    assert!(head.body.is_empty() && head.header("etag").starts_with("W/"), "{head:?}");
    assert_eq!(head.header("access-control-allow-origin"), "");
}

#[tokio::test]
async fn other_sites_may_call_if_that_is_wished() {
    let origin = Some("https://example.org".to_owned());
    let site = Site::small_with("api-origin", Config { allow_origin: origin, ..Config::default() });
    let answer = site.get("/api/v1/index").await;
    assert_eq!(answer.header("access-control-allow-origin"), "https://example.org");
    assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");
    let preflight = Request::options("/api/v1/ask").header("origin", "https://example.org");
    let answer = site.send(preflight.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.header("access-control-allow-methods"), "GET, HEAD, POST");
    assert!(answer.header("access-control-allow-headers").contains("content-type"));
    assert_eq!(site.get("/healthz").await.header("access-control-allow-origin"), "");
}
