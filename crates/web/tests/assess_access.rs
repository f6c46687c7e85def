//! Who comes in, and who does not: signing in, links, sessions, forged forms, limits, and what is told.

use crate::common;

use assess::{Role, Standing};
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Method, Request, header};
use common::Answer;
use common::bureau::{Browser, Bureau, PASSWORD, encoded, form, patient};
use hyper::body::Frame;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use web::AssessConfig;

/// What somebody may try anywhere.
const HOSTILE: [&str; 9] = [
    "' OR '1'='1",
    "x'; DROP TABLE account; --",
    "\" OR 1=1 --",
    "ada\0",
    "<script>alert(1)</script>",
    "../../../../etc/passwd",
    "%2e%2e%2f",
    "\u{202E}\u{1b}[2J\r\nset-cookie: a=b",
    "🙂'\"`\\",
];

/// Where an answer leads.
fn leads(answer: &Answer) -> (u16, &str) {
    (answer.status.as_u16(), answer.header("location"))
}

/// A browser that looks at the form to sign in.
async fn at_login(bureau: &Bureau) -> Browser {
    let mut browser = bureau.browser();
    assert_eq!(browser.open("/login").await.status, 200);
    browser
}

#[tokio::test]
async fn somebody_joins_by_a_link_signs_out_and_in_again() {
    let bureau = Bureau::new("access-flow");
    let link = format!("/join/{}", bureau.invite(Role::Assessor, Standing::Active).as_str());
    let mut ada = bureau.browser();
    let page = ada.open(&link).await;
    assert_eq!(page.status, 200, "{}", page.text());
    assert!(page.text().contains("Join the sample&#39;s lab"), "{}", page.text());
    let fields = [("name", "Ada"), ("password", PASSWORD), ("again", PASSWORD)];
    let joined = ada.post(&link, &fields).await;
    assert_eq!(leads(&joined), (303, "/"), "{}", joined.text());
    let page = ada.open("/account").await;
    assert!(page.text().contains("<h1>Ada</h1>"), "{}", page.text());
    let out = ada.post("/logout", &[]).await;
    assert_eq!(leads(&out), (303, "/login?gone=1"));
    let away = ada.get("/account?x=1").await;
    assert_eq!(leads(&away), (303, "/login?next=%2Faccount%3Fx%3D1"));
    assert_eq!(leads(&ada.sign_in("ada", PASSWORD).await), (303, "/"));
    let noted = ["Ada: joined as active assessor, invited by tester", "Ada: signed in", "Ada: signed out"];
    for noted in noted {
        assert!(bureau.events().iter().any(|event| event == noted), "{:?}", bureau.events());
    }
    // Who is in need not sign in again.
    assert_eq!(leads(&ada.get("/login?next=/account").await), (303, "/account"));
}

#[tokio::test]
async fn a_link_is_used_once_and_what_is_wrong_is_told() {
    let bureau = Bureau::new("access-link");
    let secret = bureau.invite(Role::Assessor, Standing::Applicant);
    let link = format!("/join/{}", secret.as_str());
    let mut ada = bureau.browser();
    ada.open(&link).await;
    let before = bureau.rows(&[]);
    for (name, password, again, wrong) in [
        ("ada", PASSWORD, "another one", "not the same"),
        ("ada", "short", "short", "too short"),
        ("a", PASSWORD, PASSWORD, "2 to 40"),
        ("<b>ada", PASSWORD, PASSWORD, "letters, digits"),
        (".ada", PASSWORD, PASSWORD, "begins with"),
        ("some.long.name", "Some.Long.Name", "Some.Long.Name", "is the name"),
    ] {
        bureau.pass(10);
        let answer = ada.post(&link, &[("name", name), ("password", password), ("again", again)]).await;
        assert_eq!(answer.status, 422, "{wrong}");
        let text = answer.text();
        assert!(text.contains(wrong) && text.contains("role=\"alert\""), "{wrong}: {text}");
        assert!(!text.contains("<b>ada") && !text.contains(PASSWORD), "{text}");
    }
    assert_eq!(bureau.rows(&[]), before, "nothing was written");
    let fields = [("name", "ada"), ("password", PASSWORD), ("again", PASSWORD)];
    assert_eq!(ada.post(&link, &fields).await.status, 303);

    // Nobody else can use it, whether they look at it or not.
    let mut eve = at_login(&bureau).await;
    let rows = bureau.rows(&[]);
    assert_eq!(eve.get(&link).await.status, 404);
    let answer = eve.post(&link, &[("name", "eve"), ("password", PASSWORD), ("again", PASSWORD)]).await;
    assert_eq!(answer.status, 404);
    assert!(answer.text().contains("was used, withdrawn, is too old"), "{}", answer.text());
    assert_eq!(bureau.rows(&[]), rows);
}

#[tokio::test]
async fn links_that_are_old_withdrawn_or_made_up_lead_nowhere() {
    let bureau = Bureau::new("access-links");
    let old = bureau.invite(Role::Organiser, Standing::Active);
    bureau.pass(14 * 24 * 3600);
    let withdrawn = bureau.invite(Role::Organiser, Standing::Active);
    bureau
        .office()
        .write(|books| {
            let number = books.open_invitations()?[0].number;
            books.withdraw_invitation(number, "tester")
        })
        .unwrap();
    let rows = bureau.rows(&[]);
    let mut eve = at_login(&bureau).await;
    let mut paths = vec![format!("/join/{}", old.as_str()), format!("/join/{}", withdrawn.as_str())];
    paths.extend(HOSTILE.iter().map(|text| format!("/join/{}", encoded(text))));
    let odd = [
        "/join/..%2f",
        "/join/..%2f..%2flab.toml",
        "/join/%00",
        "/join/%ff%fe",
        "/join/",
        "/join",
        "/join/a/b",
    ];
    paths.extend(odd.map(ToOwned::to_owned));
    paths.push(format!("/join/{}", "0".repeat(64)));
    paths.push(format!("/join/{}", "a".repeat(40_000)));
    for path in paths {
        let shown = eve.get(&path).await;
        assert!([400, 404].contains(&shown.status.as_u16()), "{path}: {}", shown.status);
        let fields = [("name", "eve"), ("password", PASSWORD), ("again", PASSWORD)];
        let posted = eve.post(&path, &fields).await;
        assert!([400, 404, 429].contains(&posted.status.as_u16()), "{path}: {}", posted.status);
    }
    assert_eq!(bureau.rows(&[]), rows);
}

#[tokio::test]
async fn a_lost_password_is_set_by_a_link_which_ends_all_sessions() {
    let bureau = Bureau::new("access-reset");
    let mut ada = bureau.assessor("ada").await;
    let number = ada.account.as_ref().unwrap().number;
    let invited = bureau.office().write(move |books| books.reset_link(number, 1000, "grace")).unwrap();
    let mut elsewhere = bureau.browser();
    let page = elsewhere.open(&invited.path()).await.text();
    assert!(page.contains("Set a new password") && page.contains("<b>ada</b>"), "{page}");
    assert!(!page.contains("id=\"name\""));
    let fields = [("password", "another good secret"), ("again", "another good secret")];
    assert_eq!(elsewhere.post(&invited.path(), &fields).await.status, 303);
    assert_eq!(leads(&ada.get("/account").await), (303, "/login?next=%2Faccount"));
    assert_eq!(elsewhere.get("/account").await.status, 200);
    assert_eq!(bureau.browser().sign_in("ada", PASSWORD).await.status, 403);
    assert_eq!(bureau.browser().sign_in("ada", "another good secret").await.status, 303);
}

#[tokio::test]
async fn wrong_names_and_passwords_are_told_apart_by_nobody() {
    let bureau = Bureau::new("access-wrong");
    bureau.account("ada", Role::Assessor, Standing::Active);
    bureau.account("gone", Role::Assessor, Standing::Active);
    let number = bureau.office().read(|books| books.account_named("gone")).unwrap().unwrap().number;
    bureau.office().write(move |books| books.set_standing(number, Standing::Left, "grace")).unwrap();
    let rows = bureau.rows(&["event"]);
    let mut texts = Vec::new();
    for (name, password) in [("ada", "not the password"), ("nobody", PASSWORD), ("gone", PASSWORD)] {
        let mut browser = bureau.browser();
        let answer = browser.sign_in(name, password).await;
        assert_eq!(answer.status, 403);
        assert!(!browser.cookies.contains_key("hypatia"));
        let text = answer.text();
        assert!(text.contains("The name or the password is not right."), "{text}");
        assert!(!text.contains(password), "{text}");
        // The token and the checksums in addresses may hold the letters of a short name, too.
        let field = format!("name=\"name\" type=\"text\" value=\"{name}\"");
        assert!(text.contains(&field), "{text}");
        texts.push(text.replace(&browser.csrf, "CSRF").replace(&field, "NAME"));
    }
    assert!(texts.windows(2).all(|pair| pair[0] == pair[1]), "{texts:#?}");
    assert_eq!(bureau.rows(&["event"]), rows);
    assert!(bureau.events().iter().any(|event| event == "nobody: could not sign in"));
}

#[tokio::test]
async fn anything_can_be_typed_and_nothing_happens() {
    let bureau = Bureau::new("access-hostile");
    let mut ada = bureau.assessor("ada").await;
    let rows = bureau.rows(&["event", "session"]);
    for text in HOSTILE {
        bureau.pass(100);
        let answer = bureau.browser().sign_in(text, text).await;
        assert_eq!(answer.status, 403, "{text:?}");
        assert!(!answer.text().contains("<script>alert"), "{text:?}");
        let mut browser = at_login(&bureau).await;
        let answer = browser.post("/login", &[("name", "ada"), ("password", text), ("next", text)]).await;
        assert_eq!(answer.status, 403, "{text:?}");
        let answer = ada.post("/account/password", &[("old", text), ("new", text), ("again", text)]).await;
        assert_eq!(answer.status, 422, "{text:?}");
        let answer = ada.get(&format!("/{}", encoded(text))).await;
        assert_eq!(answer.status, 404, "{text:?}");
        assert!(!answer.text().contains("<script>alert"), "{text:?}");
        assert_eq!(answer.header("set-cookie"), "");
        // As the cookie of a session.
        let cookie: String = text.chars().filter(|c| c.is_ascii_graphic() || *c == ' ').collect();
        let request = Request::get("/account").header(header::COOKIE, format!("hypatia={cookie}"));
        let answer = bureau.browser().send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, 303, "{text:?}");
    }
    assert_eq!(bureau.rows(&["event", "session"]), rows);
    for event in bureau.events() {
        assert!(event.chars().all(|c| !c.is_control()) && event.chars().count() < 200, "{event:?}");
    }
}

#[tokio::test]
async fn a_session_from_outside_is_never_taken() {
    let bureau = Bureau::new("access-fixation");
    bureau.account("ada", Role::Assessor, Standing::Active);
    let mut ada = bureau.browser();
    let planted = "0123456789abcdef".repeat(4);
    ada.cookies.insert("hypatia".to_owned(), planted.clone());
    assert_eq!(ada.sign_in("ada", PASSWORD).await.status, 303);
    let first = ada.cookies["hypatia"].clone();
    assert_ne!(first, planted);
    let mut eve = bureau.browser();
    eve.cookies.insert("hypatia".to_owned(), planted);
    assert_eq!(eve.get("/account").await.status, 303);

    // Who signs in again while they are in gets another session, and the old one ends.
    let mut again = ada.clone();
    let visit = at_login(&bureau).await;
    again.cookies.extend(visit.cookies.clone());
    again.csrf = visit.csrf.clone();
    let answer = again.post("/login", &[("name", "ada"), ("password", PASSWORD)]).await;
    assert_eq!(answer.status, 303);
    assert_ne!(again.cookies["hypatia"], first);
    assert_eq!(ada.get("/account").await.status, 303);
    assert_eq!(again.get("/account").await.status, 200);
}

#[tokio::test]
async fn a_session_is_over_when_it_is_over() {
    let bureau = Bureau::new("access-over");
    let mut ada = bureau.assessor("ada").await;
    let mut kept = ada.clone();
    assert_eq!(ada.post("/logout", &[]).await.status, 303);
    // Somebody who wrote the cookie and the token down has nothing.
    assert_eq!(kept.get("/account").await.status, 303);
    let rows = bureau.rows(&[]);
    let fields = [("old", PASSWORD), ("new", "another good secret"), ("again", "another good secret")];
    assert_eq!(leads(&kept.post("/account/password", &fields).await), (303, "/login"));
    assert_eq!(leads(&kept.post("/logout", &[]).await), (303, "/login"));
    assert_eq!(bureau.rows(&[]), rows);

    // Idle for twelve hours, and fourteen days in any case.
    let mut ada = bureau.browser();
    ada.sign_in("ada", PASSWORD).await;
    bureau.pass(12 * 3600 - 1);
    assert_eq!(ada.get("/account").await.status, 200);
    bureau.pass(12 * 3600 - 1);
    assert_eq!(ada.get("/account").await.status, 200, "it was used in between");
    bureau.pass(12 * 3600);
    assert_eq!(ada.get("/account").await.status, 303);
    ada.sign_in("ada", PASSWORD).await;
    for _ in 0..14 * 24 / 11 {
        bureau.pass(11 * 3600);
        assert_eq!(ada.get("/account").await.status, 200);
    }
    bureau.pass(11 * 3600);
    assert_eq!(ada.get("/account").await.status, 303);
}

#[tokio::test]
async fn another_password_signs_out_everywhere_else() {
    let bureau = Bureau::new("access-change");
    let mut ada = bureau.assessor("ada").await;
    let mut elsewhere = bureau.browser();
    elsewhere.sign_in("ada", PASSWORD).await;
    assert!(ada.get("/account").await.text().contains("In 2 browsers"));
    let change = |old, new, again| [("old", old), ("new", new), ("again", again)];
    for (fields, wrong) in [
        (change("no", "another good secret", "another good secret"), "present password"),
        (change(PASSWORD, "another good secret", "another"), "not the same"),
        (change(PASSWORD, "short", "short"), "too short"),
    ] {
        let answer = ada.post("/account/password", &fields).await;
        assert_eq!(answer.status, 422);
        assert!(answer.text().contains(wrong), "{wrong}: {}", answer.text());
    }
    assert_eq!(elsewhere.get("/account").await.status, 200);
    let answer =
        ada.post("/account/password", &change(PASSWORD, "another good secret", "another good secret")).await;
    assert_eq!(leads(&answer), (303, "/account?changed=1"));
    assert_eq!(elsewhere.get("/account").await.status, 303);
    let page = ada.open("/account?changed=1").await.text();
    assert!(page.contains("Only here.") && page.contains("The password was changed"), "{page}");

    elsewhere.sign_in("ada", "another good secret").await;
    assert_eq!(leads(&ada.post("/account/sessions", &[]).await), (303, "/login?gone=1"));
    assert_eq!(elsewhere.get("/account").await.status, 303);
}

#[tokio::test]
async fn who_leaves_is_out_at_once_and_applicants_are_in() {
    let bureau = Bureau::new("access-left");
    let mut ada = bureau.person("ada", Role::Assessor, Standing::Applicant).await;
    assert!(ada.get("/account").await.text().contains("an applicant"));
    let number = ada.account.as_ref().unwrap().number;
    bureau.office().write(move |books| books.set_standing(number, Standing::Left, "grace")).unwrap();
    assert_eq!(ada.get("/account").await.status, 303);
    assert_eq!(ada.sign_in("ada", PASSWORD).await.status, 403);
}

#[tokio::test]
async fn forms_of_others_are_refused() {
    let bureau = Bureau::new("access-forged");
    let (mut ada, bob) = (bureau.assessor("ada").await, bureau.assessor("bob").await);
    let rows = bureau.rows(&[]);
    let change = [("old", PASSWORD), ("new", "another good secret"), ("again", "another good secret")];
    let of_visit = at_login(&bureau).await.csrf;
    let (half, whole) = (ada.csrf[1..].to_owned(), ada.csrf.to_uppercase());
    let secret = ada.cookies["hypatia"].clone();
    for csrf in ["", "0", bob.csrf.as_str(), &half, &of_visit, &secret, &whole] {
        for (path, fields) in
            [("/account/password", &change[..]), ("/logout", &[]), ("/account/sessions", &[])]
        {
            let fields: Vec<_> = fields.iter().copied().chain([("csrf", csrf)]).collect();
            let answer = ada.post_bare(path, &fields).await;
            assert_eq!(answer.status, 403, "{path} {csrf}");
            assert!(answer.text().contains("too old, or is not ours"), "{}", answer.text());
        }
    }
    // None at all, and a header that is wrong beside a field that is right.
    assert_eq!(ada.post_bare("/logout", &[]).await.status, 403);
    let mut request = form("/logout", &format!("csrf={}", ada.csrf));
    request.headers_mut().insert("x-csrf", bob.csrf.parse().unwrap());
    assert_eq!(ada.send(request).await.status, 403);
    // What other sites can send without asking.
    for kind in ["text/plain", "multipart/form-data; boundary=x", ""] {
        let mut request = form("/logout", &format!("csrf={}", ada.csrf));
        request.headers_mut().insert(header::CONTENT_TYPE, kind.parse().unwrap());
        assert_eq!(ada.send(request).await.status, 415, "{kind}");
    }
    // What a browser says of where it comes from.
    for (name, value) in [
        ("origin", "https://evil.org"),
        ("origin", "null"),
        ("origin", "http://lab.example.org.evil.org"),
        ("origin", "http://lab.example.org:81"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let mut request = form("/logout", &format!("csrf={}", ada.csrf));
        request.headers_mut().insert(name, value.parse().unwrap());
        assert_eq!(ada.send(request).await.status, 403, "{name}: {value}");
    }
    // A form that is got instead of sent does nothing.
    assert_eq!(ada.get(&format!("/logout?csrf={}", ada.csrf.clone())).await.status, 405);
    assert_eq!(bureau.rows(&[]), rows, "nothing was written");
    // The right one.
    let mut request = form("/logout", &format!("csrf={}", ada.csrf));
    request.headers_mut().insert("origin", "https://LAB.example.org".parse().unwrap());
    request.headers_mut().insert("sec-fetch-site", "same-origin".parse().unwrap());
    assert_eq!(ada.send(request).await.status, 303);
}

#[tokio::test]
async fn forms_before_signing_in_are_checked_too() {
    let bureau = Bureau::new("access-forged-login");
    bureau.account("ada", Role::Assessor, Standing::Active);
    let link = format!("/join/{}", bureau.invite(Role::Assessor, Standing::Active).as_str());
    let rows = bureau.rows(&[]);
    let other = at_login(&bureau).await;
    let mut visitor = at_login(&bureau).await;
    let known = [("name", "ada"), ("password", PASSWORD), ("next", "/")];
    let new = [("name", "eve"), ("password", PASSWORD), ("again", PASSWORD)];
    for (path, fields) in [("/login", known), (link.as_str(), new)] {
        for csrf in ["", other.csrf.as_str()] {
            let fields: Vec<_> = fields.iter().copied().chain([("csrf", csrf)]).collect();
            assert_eq!(visitor.post_bare(path, &fields).await.status, 403, "{path}");
        }
        // Without the cookie the token is worth nothing.
        let fields: Vec<_> = fields.iter().copied().chain([("csrf", visitor.csrf.as_str())]).collect();
        let answer = bureau.browser().post_bare(path, &fields).await;
        assert_eq!(answer.status, 403);
        assert!(answer.text().contains("allow cookies"), "{}", answer.text());
        let mut from_elsewhere = visitor.clone();
        let mut request = form(path, &format!("csrf={}", visitor.csrf));
        request.headers_mut().insert("origin", "https://evil.org".parse().unwrap());
        assert_eq!(from_elsewhere.send(request).await.status, 403);
    }
    assert_eq!(bureau.rows(&[]), rows, "nothing was written");
}

#[tokio::test]
async fn nobody_is_led_elsewhere() {
    let bureau = Bureau::new("access-next");
    bureau.account("ada", Role::Assessor, Standing::Active);
    for (next, led) in [
        ("/account", "/account"),
        ("//evil.org", "/"),
        ("https://evil.org/", "/"),
        ("/\\evil.org", "/"),
        ("/\r\nlocation: https://evil.org", "/"),
        ("javascript:alert(1)", "/"),
    ] {
        let mut browser = bureau.browser();
        let page = browser.open(&format!("/login?next={}", encoded(next))).await.text();
        assert!(page.contains(&format!("name=\"next\" value=\"{led}\"")), "{next}: {page}");
        let fields = [("name", "ada"), ("password", PASSWORD), ("next", next)];
        assert_eq!(leads(&browser.post("/login", &fields).await), (303, led), "{next}");
        assert_eq!(leads(&browser.get(&format!("/login?next={}", encoded(next))).await), (303, led));
    }
}

#[tokio::test]
async fn many_attempts_are_slowed_down() {
    let bureau = Bureau::with("access-often", AssessConfig { trust_proxy: true, ..patient() });
    bureau.account("ada", Role::Assessor, Standing::Active);
    bureau.account("bob", Role::Assessor, Standing::Active);
    let from = |address: &str| {
        let mut browser = bureau.browser();
        browser.address = Some(address.to_owned());
        browser
    };
    for _ in 0..5 {
        assert_eq!(from("192.0.2.1").sign_in("ada", "not the password").await.status, 403);
    }
    let events = bureau.events().len();
    for name in ["ada", "ADA", " ada "] {
        // The right password does not help, or trying would tell when it is right.
        let answer = from("192.0.2.1").sign_in(name, PASSWORD).await;
        assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (429, "10"), "{name}");
        assert!(answer.text().contains("That was too often; try again in 10 s."), "{}", answer.text());
    }
    assert_eq!(bureau.events().len(), events, "what is refused is not even looked at");
    // Others at that address, and she elsewhere, are let in; what a client says of itself is not believed.
    assert_eq!(from("192.0.2.1").sign_in("bob", PASSWORD).await.status, 303);
    assert_eq!(from("192.0.2.9, 192.0.2.1").sign_in("ada", PASSWORD).await.status, 429);
    assert_eq!(from("192.0.2.2").sign_in("ada", PASSWORD).await.status, 303);
    bureau.pass(10);
    assert_eq!(from("192.0.2.1").sign_in("ada", PASSWORD).await.status, 303);
    // Slips are forgiven to who knew it in the end.
    for _ in 0..5 {
        assert_eq!(from("192.0.2.1").sign_in("ada", "a slip of the pen").await.status, 403);
    }

    // Strangers everywhere keep nobody out for long.
    let mut refused = 0;
    for number in 0..40 {
        let answer = from(&format!("198.51.100.{number}")).sign_in("bob", "not the password").await;
        refused += u32::from(answer.status == 429);
    }
    assert!(refused > 0);
    bureau.pass(2);
    assert_eq!(from("192.0.2.3").sign_in("bob", PASSWORD).await.status, 303);
}

#[tokio::test]
async fn a_session_asks_quickly_but_not_for_ever() {
    let bureau = Bureau::new("access-requests");
    let mut ada = bureau.assessor("ada").await;
    let mut bob = bureau.assessor("bob").await;
    // One was for the token.
    for number in 1..150 {
        assert_eq!(ada.get("/account").await.status, 200, "{number}");
    }
    let answer = ada.get("/account").await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (429, "1"));
    assert_eq!(bob.get("/account").await.status, 200);
    bureau.pass(1);
    assert_eq!(ada.get("/account").await.status, 200);
}

#[tokio::test]
async fn bodies_that_are_too_long_are_not_read() {
    let bureau = Bureau::new("access-long");
    let mut ada = bureau.assessor("ada").await;
    let mut grace = bureau.organiser("grace").await;
    let rows = bureau.rows(&[]);
    let long = "x".repeat((64 << 10) + 1);
    for path in ["/account/password", "/logout"] {
        let answer = ada.post(path, &[("old", &long)]).await;
        assert_eq!(answer.status, 413, "{path}");
        assert!(answer.text().contains("longer than 65536 bytes"), "{}", answer.text());
    }
    // Said beforehand, and not said at all.
    let streamed = |browser: &Browser| {
        let first = format!("csrf={}&old=", browser.csrf);
        let chunks = std::iter::once(first).chain((0..100).map(|_| "x".repeat(1 << 10)));
        let mut request = form("/account/password", "");
        *request.body_mut() = Body::new(Chunks(chunks.map(Bytes::from).collect()));
        request
    };
    let request = streamed(&ada);
    assert_eq!(ada.send(request).await.status, 413);
    let mut request = form("/account/password", "");
    request.headers_mut().insert(header::CONTENT_LENGTH, "70000".parse().unwrap());
    assert_eq!(ada.send(request).await.status, 413);
    // Files may be longer, but only of organisers; this page takes none of anybody.
    for (browser, status) in [(&mut ada, 413), (&mut grace, 415)] {
        let mut request = form("/account/password", "");
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_LENGTH, "70000".parse().unwrap());
        headers.insert(header::CONTENT_TYPE, "multipart/form-data; boundary=x".parse().unwrap());
        assert_eq!(browser.send(request).await.status, status);
    }
    let mut request = form("/account/password", "");
    request.headers_mut().insert(header::CONTENT_LENGTH, "999999999".parse().unwrap());
    request.headers_mut().insert(header::CONTENT_TYPE, "multipart/form-data; boundary=x".parse().unwrap());
    assert_eq!(grace.send(request).await.status, 413);
    let address = format!("/login?next={}", "x".repeat(60_000));
    assert_eq!(ada.get(&address).await.status, 414);
    assert_eq!(bureau.rows(&[]), rows);
}

/// Pieces of a body that come one after the other, of which nobody said how many there are.
struct Chunks(VecDeque<Bytes>);

impl HttpBody for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Ready(self.0.pop_front().map(|chunk| Ok(Frame::data(chunk))))
    }
}

#[tokio::test]
async fn cookies_are_for_this_server_only() {
    for (https, names) in
        [(false, ["hypatia-visit", "hypatia"]), (true, ["__Host-hypatia-visit", "__Host-hypatia"])]
    {
        let config = AssessConfig { behind_https: https, ..patient() };
        let bureau = Bureau::with("access-cookies", config);
        bureau.account("ada", Role::Assessor, Standing::Active);
        let mut browser = bureau.browser();
        let mut set = vec![browser.open("/login").await];
        set.push(browser.post("/login", &[("name", "ada"), ("password", PASSWORD)]).await);
        for (answer, name) in set.iter().zip(names) {
            let cookie = answer.header("set-cookie");
            assert!(cookie.starts_with(&format!("{name}=")), "{cookie}");
            for flag in ["; Path=/", "; HttpOnly", "; SameSite=Lax"] {
                assert!(cookie.contains(flag), "{cookie}");
            }
            assert_eq!(cookie.contains("; Secure"), https, "{cookie}");
            assert!(!cookie.contains("Domain"), "{cookie}");
        }
        assert_eq!(browser.open("/account").await.status, 200);
        assert_eq!(browser.post("/logout", &[]).await.status, 303);
        assert!(!browser.cookies.contains_key(names[1]));
    }
}

#[tokio::test]
async fn what_every_answer_has() {
    let bureau = Bureau::new("access-headers");
    let (mut nobody, mut ada) = (bureau.browser(), bureau.assessor("ada").await);
    let page = nobody.get("/login").await.text();
    let style = page.split('"').find(|part| part.ends_with("/assess.css")).unwrap().to_owned();
    let paths = [
        "/login",
        "/account",
        "/nothing",
        "/join/x",
        "/healthz",
        "/robots.txt",
        "/static/x/y",
        "/favicon.ico",
        &style,
    ];
    for browser in [&mut nobody, &mut ada] {
        for path in paths {
            let answer = browser.get(path).await;
            let policy = answer.header("content-security-policy");
            assert!(
                policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
                "{path}: {policy}"
            );
            assert!(
                policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"),
                "{policy}"
            );
            for (name, value) in [
                ("x-content-type-options", "nosniff"),
                ("referrer-policy", "same-origin"),
                ("x-frame-options", "DENY"),
                ("cross-origin-opener-policy", "same-origin"),
                ("cross-origin-resource-policy", "same-origin"),
            ] {
                assert_eq!(answer.header(name), value, "{path}");
            }
            assert!(!answer.header("x-request-id").is_empty(), "{path}");
            let kept = answer.header("cache-control");
            if path == style {
                assert!(kept.contains("immutable"), "{kept}");
            } else {
                assert_eq!(kept, "no-store", "{path}");
            }
            let text = answer.text();
            let inline = [" style=", "<style", "<script>", " onclick=", "javascript:"];
            assert!(inline.iter().all(|inline| !text.contains(inline)), "{path}: {text}");
        }
    }
    // Scripts get a sentence as JSON, and are not led to a page.
    let asked = |method: Method, path: &str| {
        let request = Request::builder().method(method).uri(path).header(header::ACCEPT, "application/json");
        request.body(Body::empty()).unwrap()
    };
    let answer = nobody.send(asked(Method::GET, "/account")).await;
    assert_eq!(answer.status, 401);
    assert!(answer.json()["error"].as_str().unwrap().contains("not signed in"), "{}", answer.text());
    let answer = ada.send(asked(Method::DELETE, "/account")).await;
    assert_eq!(answer.status, 405);
    assert!(answer.header("allow").contains("GET"), "{}", answer.header("allow"));
    let answer = ada.send(asked(Method::GET, "/nothing")).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (404, "application/json"));
    let mut request = form("/account/password", "old=1&new=2");
    request.headers_mut().insert("x-csrf", ada.csrf.parse().unwrap());
    let answer = ada.send(request).await;
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("again is missing"), "{}", answer.text());
}
