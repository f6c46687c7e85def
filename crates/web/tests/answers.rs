//! Answers on the pages and in the API: when there is one, how it is called, what never becomes markup, and
//! what a language model may and may not.

use crate::common;

use axum::body::Body;
use axum::http::Request;
use common::writer::{Fake, Gate, Manner};
use common::{Answer, Site};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use web::{Config, Model};

const QUESTION: &str = "q=is+the+square+never+negative";

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

fn has_not(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(!text.contains(part), "{part} is in\n{text}");
    }
}

async fn send(site: &Site, form: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request =
        Request::post("/answer/write").header("content-type", "application/x-www-form-urlencoded");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.send(request.body(Body::from(form.to_owned())).unwrap()).await
}

#[tokio::test]
async fn a_search_that_asks_has_a_place_for_an_answer() {
    let site = Site::small("answers-box");
    let page = site.get(&format!("/search?{QUESTION}")).await.text();
    has(
        &page,
        &[
            "<section class=\"reply\" aria-labelledby=\"reply\" \
             data-answer=\"/answer/part?q=is+the+square+never+negative\">",
            "<h2 id=\"reply\">A possible answer</h2>",
            "<a href=\"/answer?q=is+the+square+never+negative\">Show an answer</a>",
        ],
    );
    has_not(&page, &["model", "/answer/write"]);
    for path in [
        "/search?q=square",
        "/search?f=x^2",
        "/search?q=tag:algebra",
        "/search?q=real+square",
        "/search?q=is+the+square+real+tag:algebra",
        "/search?q=is+the+square+real&page=2",
        "/search?q=is+the+square+real&view=formulas",
        "/search?q=is+zzzz+qqqq",
        // No post speaks of cubes.
        "/search?q=is+the+square+of+cubes+real",
        "/search",
        "/",
        "/ask",
    ] {
        has_not(&site.get(path).await.text(), &["class=\"reply\""]);
    }
    let asked = site.get("/ask?title=Is+%24x^2%24+negative?&tags=algebra").await.text();
    has(&asked, &["data-answer=\"/answer/part?title=Is+%24x%5E2%24+negative%3F&#38;tags=algebra\""]);
}

/// What is searched for as typed is also answered as typed.
#[tokio::test]
async fn an_answer_follows_a_literal_reading() {
    let site = Site::small("answers-literal");
    let page = site.get(&format!("/search?{QUESTION}&read=literal")).await.text();
    has(
        &page,
        &[
            "data-answer=\"/answer/part?q=is+the+square+never+negative&#38;read=literal\"",
            "<a href=\"/answer?q=is+the+square+never+negative&#38;read=literal\">Show an answer</a>",
        ],
    );
    let asked = |read: &str| format!("/api/v1/answer?q=is+x^2+never+negative{read}");
    for (read, question) in [("", "is $x^2$ never negative"), ("&read=literal", "is x^2 never negative")] {
        let answer = site.get(&asked(read)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let answer: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
        assert_eq!(answer["question"], question);
    }
    assert_eq!(site.get(&asked("&read=loosely")).await.status, 400);
}

/// Hints that promise a drawing are marked, so that pages without scripts do not show them.
#[tokio::test]
async fn hints_of_live_drawing_need_scripts() {
    let site = Site::small("answers-hints");
    for path in ["/", "/search?q=square", "/ask", "/preview?q=square"] {
        let page = site.get(path).await.text();
        has(&page, &["class=\"hint when-live\""]);
        has_not(&page, &["class=\"hint\">Formulas are drawn", "class=\"hint\">The question is drawn"]);
    }
}

#[tokio::test]
async fn an_answer_says_where_it_comes_from() {
    let site = Site::small("answers-part");
    let part = site.get(&format!("/answer/part?{QUESTION}")).await;
    assert_eq!(part.status, 200);
    assert!(!part.header("etag").is_empty());
    let html = part.text();
    has(
        &html,
        &[
            "<p class=\"from extracted\"><strong class=\"badge\">Extracted</strong> from an answer to \
             <a href=\"/thread/1#post-2\">Is <span class=\"tied\"><span class=\"fx\"><math",
            "</a> <span class=\"standing\"><span class=\"accepted\">✓\u{A0}accepted</span>\
             <span class=\"dot\"> · </span>1\u{A0}vote</span></p>",
            "<div class=\"said text extracted\">",
            "<span class=\"scroll\" tabindex=\"0\"><math",
            "is a product of equal signs.",
        ],
    );
    has_not(&html, &["<!DOCTYPE", "language model"]);
    let page =
        site.get(&format!("/answer?{QUESTION}&system=hypatia-extract&system=first-answer")).await.text();
    has(
        &page,
        &[
            "<h1>Answer</h1>",
            "aria-label=\"Your question\"",
            "<h2 id=\"reply-1\">hypatia-extract ",
            "<h2 id=\"reply-2\">first-answer ",
            "value=\"dprl-questions\"",
            "href=\"/search?q=is+the+square+never+negative\"",
        ],
    );
    // Without a model nothing speaks of one.
    has_not(&page, &["hypatia-sources", "labs-prompt", "language model", "/answer/write"]);
    let nothing = site.get("/answer?q=zzzz").await.text();
    has(&nothing, &["No answer was found."]);
    for empty in ["/answer", "/answer?q=", "/answer/part"] {
        assert_eq!(site.get(empty).await.status, 200, "{empty}");
    }
    for (path, status, told) in [
        ("/answer?q=x&system=nothing", 400, "No system &#34;nothing&#34; answers; there are hypatia-extract"),
        ("/answer?q=x&system=hypatia-sources", 404, "There is no language model here"),
        ("/answer/part?q=x&system=hypatia-sources", 404, "There is no language model here"),
        ("/answer?system=a&system=b&system=c&system=d&system=e", 400, "4 systems can be"),
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, status, "{path}");
        has(&answer.text(), &[told]);
    }
    assert_eq!(send(&site, QUESTION, &[]).await.status, 404);
    for (path, place) in [("/answer/write", "/answer"), ("/answer/write?q=x%3Cy&f=z", "/answer?q=x%3Cy&f=z")]
    {
        let led = site.get(path).await;
        assert_eq!((led.status.as_u16(), led.header("location")), (303, place));
    }
    let long = site.get(&format!("/answer?body={}", "x".repeat(20_001))).await;
    assert_eq!(long.status, 400);
}

#[tokio::test]
async fn another_question_is_asked_alone() {
    let site = Site::small("answers-another");
    let page = site.get("/answer?title=Is+it+odd?&body=Is+%24x^2%24?&tags=algebra&f=y&q=why").await.text();
    let forms: Vec<&str> =
        page.split("<form").skip(1).filter_map(|part| part.split("</form>").next()).collect();
    assert_eq!(forms.len(), 2, "{page}");
    has(
        forms[0],
        &[
            "type=\"hidden\" name=\"q\" value=\"why\"",
            "type=\"hidden\" name=\"f\" value=\"y\"",
            "type=\"hidden\" name=\"title\" value=\"Is it odd?\"",
            "type=\"hidden\" name=\"body\" value=\"Is $x^2$?\"",
            "type=\"hidden\" name=\"tags\" value=\"algebra\"",
            "type=\"checkbox\" name=\"system\"",
        ],
    );
    has_not(forms[0], &["type=\"text\""]);
    has(forms[1], &["Another question", "name=\"q\" type=\"text\""]);
    has_not(forms[1], &["hidden", "value="]);
    let empty = site.get("/answer").await.text();
    has(&empty, &["<label for=\"q\">Question</label>", "type=\"checkbox\" name=\"system\""]);
    assert_eq!(empty.matches("<form").count(), 1);
    let text_only = site.get("/answer?body=Is+%24x^2%24+odd?%0AI+tried.").await.text();
    has(&text_only, &["href=\"/search?q=Is+%24x%5E2%24+odd%3F\">Search for it"]);
}

#[tokio::test]
async fn what_may_be_about_something_else_is_not_offered() {
    let site = Site::sample("answers-far");
    let close = "q=why+are+the+eigenvalues+of+a+symmetric+matrix+real?";
    has(&site.get(&format!("/answer/part?{close}")).await.text(), &["class=\"said text extracted\""]);
    let json = site.json(&format!("/api/v1/answer?{close}")).await;
    assert!(json["fit"].as_f64().unwrap() > 0.5 && json["cited"] == true, "{json}");
    let far = "q=which+weather+is+best+for+a+matrix?";
    let json = site.json(&format!("/api/v1/answer?{far}")).await;
    assert!(json["fit"].as_f64().unwrap() <= 0.5 && json["answer"].is_string(), "{json}");
    let part = site.get(&format!("/answer/part?{far}")).await.text();
    has(&part, &["No post speaks of more than half of what is asked.", "<a href=\"/answer?q=which+weather"]);
    has_not(&part, &["class=\"said"]);
    let page = site.get(&format!("/answer?{far}")).await.text();
    has(&page, &["this may be about something else.", "class=\"said text extracted\""]);
}

#[tokio::test]
async fn a_passage_is_called_one() {
    let site = Site::sample("answers-passage");
    let mut kinds = [0, 0];
    for q in
        ["square+root+of+two+irrational", "eigenvalues+of+a+symmetric+matrix", "why+does+a+series+diverge"]
    {
        let json = site.json(&format!("/api/v1/answer?q={q}")).await;
        let part = site.get(&format!("/answer?q={q}")).await.text();
        let whole = json["whole"].as_bool().unwrap();
        has(&part, &[if whole { ">Extracted</strong> from" } else { ">Extracted passage</strong> from" }]);
        kinds[usize::from(whole)] += 1;
    }
    assert!(kinds.iter().sum::<i32>() == 3 && kinds[1] > 0, "{kinds:?}");
}

#[tokio::test]
async fn programs_get_answers() {
    let site = Site::small("answers-api");
    let answer = site.get(&format!("/api/v1/answer?{QUESTION}")).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.header("etag").is_empty());
    let json = answer.json();
    assert_eq!(json["question"], "is the square never negative");
    assert_eq!(json["system"], "hypatia-extract");
    assert_eq!(json["answer"], "Yes:\n$$x^2=x\\cdot x$$\nis a product of equal signs.");
    assert_eq!(json["kind"], "extracted");
    assert_eq!((json["whole"].clone(), json["cut"].clone()), (true.into(), false.into()));
    assert!(json["model"].is_null() && json["score"].is_number() && json["milliseconds"].is_number());
    assert!(json["html"].as_str().unwrap().contains("<math"));
    let source = &json["sources"][0];
    assert_eq!((source["id"].as_str(), source["thread"].as_str()), (Some("2"), Some("1")));
    assert_eq!(source["url"], "/thread/1#post-2");
    assert_eq!(source["title"], "Is $x^2\\ge 0$?");
    assert!(source["number"].is_null());
    let full = "title=Is+%24x^2%24+negative?&body=For+*real*+numbers.&tags=algebra,+Real&q=why+x^2";
    let json = site.json(&format!("/api/v1/answer?{full}")).await;
    assert_eq!(json["question"], "why $x^2$ Is $x^2$ negative?\n\nFor real numbers.");
    for nothing in ["", "?q=zzzz", "?f="] {
        let json = site.json(&format!("/api/v1/answer{nothing}")).await;
        assert!(json["answer"].is_null() && json["kind"].is_null(), "{json}");
        assert_eq!(json["sources"].as_array().map(Vec::len), Some(0));
    }
    let long = format!("q={}", "x".repeat(10_001));
    for (query, status, told) in [
        ("q=x&system=bm25", 400, "no system \"bm25\" answers; there are hypatia-extract, first-answer"),
        ("q=x&system=hypatia-sources", 404, "there is no language model here"),
        ("q=x&limit=3", 400, "there is no parameter limit here"),
        ("q=x&q=y", 400, "twice"),
        (long.as_str(), 400, "q may have 10000 characters"),
    ] {
        let answer = site.get(&format!("/api/v1/answer?{query}")).await;
        assert_eq!(answer.status, status, "{query:.60}");
        assert_eq!(answer.header("content-type"), "application/problem+json");
        has(answer.json()["detail"].as_str().unwrap(), &[told]);
    }
    let systems = site.json("/api/v1/systems").await;
    let reason = |name: &str| {
        let mut all = systems["answers"].as_array().unwrap().iter();
        all.find(|system| system["name"] == name).unwrap()["reason"].clone()
    };
    assert!(reason("hypatia-extract").is_null());
    assert_eq!(reason("hypatia-sources"), "there is no language model here");
}

#[tokio::test]
async fn a_model_writes_when_it_is_asked_to() {
    let fake = Fake::new(Manner::Says("It is never negative [1], since $x^2=x\\cdot x$.".to_owned()));
    let site = Site::small_with("answers-model", fake.config());
    for path in [
        format!("/search?{QUESTION}"),
        format!("/answer?{QUESTION}"),
        format!("/answer?{QUESTION}&system=labs-prompt"),
        "/ask?title=square".to_owned(),
    ] {
        let page = site.get(&path).await.text();
        has(
            &page,
            &[
                "method=\"post\" action=\"/answer/write\"",
                "Let the model write an answer",
                "fake &#60;1&#62;",
            ],
        );
    }
    assert_eq!(fake.asked.load(Ordering::SeqCst), 0, "no page asks it by itself");
    let answer = send(&site, &format!("{QUESTION}&system=hypatia-sources"), &[]).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, "no-store"));
    assert_eq!(answer.header("etag"), "");
    let page = answer.text();
    has(
        &page,
        &[
            "<!DOCTYPE",
            "<strong class=\"badge\">Written by a model</strong> fake &lt;1&gt;. It may be wrong.",
            "<div class=\"said text generated\">",
            "<span class=\"cites\">[<a href=\"/thread/1#post-2\" aria-label=\"Source 1\">1</a>]</span>",
            "<h3 class=\"small-caps\">Sources</h3>",
            "<span class=\"number\">[1]</span> <a href=\"/thread/1#post-2\">",
            "<math",
        ],
    );
    let part =
        send(&site, &format!("{QUESTION}&part=yes"), &[("sec-fetch-site", "same-origin")]).await.text();
    has(&part, &["Written by a model"]);
    has_not(&part, &["<!DOCTYPE"]);
    let answer = site.get(&format!("/api/v1/answer?{QUESTION}&system=hypatia-sources")).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let json = answer.json();
    assert_eq!((json["kind"].as_str(), json["model"].as_str()), (Some("generated"), Some("fake <1>")));
    assert_eq!(json["sources"][0]["number"], 1);
    assert!(json["html"].as_str().unwrap().contains("href=\"/thread/1#post-2\""));
    assert_eq!(fake.asked.load(Ordering::SeqCst), 3);
    for (form, headers, status) in [
        ("", &[][..], 400),
        ("q=+", &[], 400),
        ("q=x&system=first-answer", &[], 400),
        ("q=x&system=nothing", &[], 400),
        (QUESTION, &[("sec-fetch-site", "cross-site")], 403),
        (QUESTION, &[("sec-fetch-site", "same-site")], 403),
        (QUESTION, &[("origin", "https://example.org"), ("host", "here")], 403),
        (QUESTION, &[("origin", "http://here"), ("host", "here")], 200),
    ] {
        assert_eq!(send(&site, form, headers).await.status, status, "{form} {headers:?}");
    }
    assert!(site.get("/metrics").await.text().contains("hypatia_answers_writing 0\n"));
}

/// A call of the API that lets the model write.
async fn call(site: &Site, method: &str, headers: &[(&str, &str)]) -> Answer {
    let address = format!("/api/v1/answer?{QUESTION}&system=hypatia-sources");
    let mut request = Request::builder().method(method).uri(address).header("host", "here");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn only_a_site_that_may_lets_the_model_write() {
    const OURS: &[(&str, &str)] = &[("sec-fetch-site", "same-origin")];
    const PROGRAM: &[(&str, &str)] = &[];
    // As a browser asks for a picture on a page of any site.
    const PICTURE: &[(&str, &str)] = &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")];
    const ALLOWED: &[(&str, &str)] = &[("sec-fetch-site", "cross-site"), ("origin", "https://example.org")];
    const OTHER: &[(&str, &str)] = &[("sec-fetch-site", "cross-site"), ("origin", "https://example.com")];
    const OLD: &[(&str, &str)] = &[("origin", "https://example.com")];
    let asking = [OURS, PROGRAM, PICTURE, ALLOWED, OTHER, OLD];
    for (number, (allow_origin, expected)) in [
        (None, [200, 200, 403, 403, 403, 403]),
        (Some("https://example.org"), [200, 200, 403, 200, 403, 403]),
        (Some("*"), [200, 200, 200, 200, 200, 200]),
    ]
    .into_iter()
    .enumerate()
    {
        let fake = Fake::new(Manner::Says("Yes [1].".to_owned()));
        let config = Config { allow_origin: allow_origin.map(str::to_owned), ..fake.config() };
        let site = Site::small_with(&format!("answers-origin-{number}"), config);
        for (headers, status) in asking.into_iter().zip(expected) {
            assert_eq!(call(&site, "GET", headers).await.status, status, "{allow_origin:?} {headers:?}");
        }
        let asked = fake.asked.load(Ordering::SeqCst);
        assert_eq!(asked, expected.iter().filter(|status| **status == 200).count());
        let head = call(&site, "HEAD", OURS).await;
        assert_eq!((head.status.as_u16(), head.header("cache-control")), (200, "no-store"));
        assert_eq!(call(&site, "HEAD", OTHER).await.status, expected[4]);
        assert_eq!(fake.asked.load(Ordering::SeqCst), asked, "the head alone asks nobody");
    }
}

#[tokio::test]
async fn claims_of_a_model_are_shown_with_what_came_of_testing_them() {
    let said = "Since $2+2=5$ and $1+1=2$, we have $\\text{<b>}x=f(x)$.";
    let fake = Fake::new(Manner::Says(said.to_owned()));
    let site = Site::small_with("answers-claims", fake.config());
    let page = send(&site, QUESTION, &[]).await.text();
    has(
        &page,
        &[
            "<summary>Claims, tested with numbers</summary>",
            "<li class=\"failed\"><strong>failed</strong> ",
            "<span class=\"note\">the left side is 4, the right side 5</span>",
            "<li class=\"checked\"><strong>checked</strong> ",
            "<li class=\"open\"><strong>not checkable</strong> ",
        ],
    );
    let (_, claims) = page.split_once("<details class=\"claims\">").unwrap();
    let (claims, _) = claims.split_once("</details>").unwrap();
    has_not(claims, &["proved", "<b>", "<script", " style="]);
    let json = site.json(&format!("/api/v1/answer?{QUESTION}&system=hypatia-sources")).await;
    let status = |at: usize| (json["claims"][at]["claim"].as_str(), json["claims"][at]["status"].as_str());
    assert_eq!(status(0), (Some("$2+2=5$"), Some("failed")));
    assert_eq!(status(1), (Some("$1+1=2$"), Some("checked")));
    assert_eq!(json["claims"][2]["status"], "not checkable");
    let cut = site.json(&format!("/api/v1/answer?{QUESTION}")).await;
    assert_eq!(cut["claims"], serde_json::json!([]), "what people wrote is not tested");
}

#[tokio::test]
async fn nothing_that_a_model_writes_becomes_markup() {
    let hostile = "<script>alert(1)</script><img src=x onerror=alert(1)> [1](javascript:alert(1)) \
        <a href=\"javascript:x\">y</a> $\\text{</math><script>x</script>}\\href{javascript:a}{b}$ \
        $\\style{color:red}{z}\\class{top}{w}\\unicode{60}$ \u{202E}[1]\"><b>";
    let fake = Fake::new(Manner::Says(hostile.to_owned()));
    let site = Site::small_with("answers-hostile", fake.config());
    let page = send(&site, QUESTION, &[]).await;
    assert_eq!(page.status, 200);
    let json = site.json(&format!("/api/v1/answer?{QUESTION}&system=hypatia-sources")).await;
    for html in [page.text(), json["html"].as_str().unwrap().to_owned()] {
        has_not(
            &html,
            &[
                "<script>",
                "<img",
                "href=\"javascript",
                " style=",
                "<b>y",
                "\"><b>",
                "</math><script",
                "\u{202E}",
            ],
        );
        for tag in html.split('<').skip(1).filter_map(|part| part.split('>').next()) {
            let names: String = tag.split('"').step_by(2).collect();
            assert!(!names.contains("onerror"), "{tag}");
        }
    }
}

#[tokio::test]
async fn nobody_is_told_where_a_model_is() {
    let fake = Fake::named("smart <1> at http://10.1.2.3:8000/v1", Manner::Says("Yes [1].".to_owned()));
    let site = Site::small_with("answers-name", fake.config());
    let written = send(&site, QUESTION, &[]).await.text();
    let offered = site.get(&format!("/answer?{QUESTION}")).await.text();
    for page in [&written, &offered] {
        has(page, &["smart &"]);
        has_not(page, &["10.1.2.3"]);
    }
    assert_eq!(call(&site, "GET", &[]).await.json()["model"], "smart <1>");
    let model = Model { display_name: "The oracle".to_owned(), ..fake.model() };
    let named = Site::small_with("answers-named", Config { model: Some(model), ..fake.config() });
    has(&named.get(&format!("/answer?{QUESTION}")).await.text(), &["The oracle; this may take"]);
    assert_eq!(call(&named, "GET", &[]).await.json()["model"], "The oracle");
}

#[tokio::test]
async fn a_model_that_fails_is_told_without_its_secrets() {
    let fake = Fake::new(Manner::Fails);
    let site = Site::small_with("answers-fails", fake.config());
    let page = send(&site, QUESTION, &[]).await;
    assert_eq!((page.status.as_u16(), page.header("retry-after")), (503, "1"));
    has(&page.text(), &["The language model gave no answer; try again later."]);
    has_not(&page.text(), &["secret"]);
    let json = site.get(&format!("/api/v1/answer?{QUESTION}&system=labs-prompt")).await;
    assert_eq!(json.status, 503);
    has_not(&json.text(), &["secret"]);
}

#[tokio::test]
async fn a_model_is_stopped_when_its_time_is_up() {
    let fake = Fake::new(Manner::Never);
    let model = Model { time_limit: Duration::ZERO, ..fake.model() };
    let site = Site::small_with("answers-late", Config { model: Some(model), ..fake.config() });
    let answer = send(&site, QUESTION, &[]).await;
    assert_eq!(answer.status, 200);
    has(&answer.text(), &["on and", "The model was stopped before it was done"]);
    let json = site.json(&format!("/api/v1/answer?{QUESTION}&system=hypatia-sources")).await;
    assert_eq!(json["cut"], true);
}

/// Waits until something has happened.
async fn until(done: impl Fn() -> bool) {
    let all = async {
        while !done() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(300), all).await.unwrap();
}

#[tokio::test]
async fn a_model_is_stopped_when_nobody_waits() {
    let fake = Fake::new(Manner::Never);
    let site = Site::small_with("answers-gone", fake.config());
    {
        let asking = send(&site, QUESTION, &[]);
        tokio::select! {
            answer = asking => panic!("{}", answer.text()),
            () = until(|| fake.asked.load(Ordering::SeqCst) > 0) => {}
        }
    }
    until(|| fake.ended.load(Ordering::SeqCst) > 0).await;
}

#[tokio::test]
async fn only_so_many_answers_are_written_at_once() {
    let gate = Arc::new(Gate::default());
    let fake = Fake::new(Manner::Waits(Arc::clone(&gate)));
    let model = Model { at_once: 1, waiting: 1, ..fake.model() };
    let site = Site::small_with("answers-limit", Config { model: Some(model), ..fake.config() });
    let (first, second) = (send(&site, QUESTION, &[]), send(&site, QUESTION, &[]));
    let others = async {
        until(|| fake.asked.load(Ordering::SeqCst) > 0).await;
        let waiting = async {
            while !site.get("/metrics").await.text().contains("hypatia_answers_waiting 1\n") {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(300), waiting).await.unwrap();
        let third = send(&site, QUESTION, &[]).await;
        assert_eq!((third.status.as_u16(), third.header("retry-after")), (503, "30"));
        has(&third.text(), &["The language model is busy with the questions of others; try again"]);
        // Searches go on meanwhile.
        assert_eq!(site.get(&format!("/search?{QUESTION}")).await.status, 200);
        assert_eq!(fake.asked.load(Ordering::SeqCst), 1);
        gate.open();
    };
    let (first, second, ()) = tokio::join!(first, second, others);
    assert_eq!((first.status.as_u16(), second.status.as_u16()), (200, 200));
    has(&second.text(), &["At last."]);
    assert_eq!(fake.asked.load(Ordering::SeqCst), 2);
}
