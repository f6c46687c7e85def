//! What every answer has, and how connections and indexes come and go.

use crate::common;

use axum::body::Body;
use axum::http::Request;
use common::writer::{Fake, Gate, Manner};
use common::{LATER, Running, Site, collection, patient};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use web::{App, AppError, Config, Served};

#[tokio::test]
async fn headers_of_every_answer() {
    let site = Site::small("server-headers");
    for path in ["/", "/healthz", "/metrics", "/nothing", "/api/v1/search?q=x", "/api/v1/nothing", "/api"] {
        let answer = site.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'"), "{path}: {policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), value, "{path}");
        }
        assert_eq!(answer.header("x-request-id").len(), 8, "{path}");
        let text = answer.text();
        assert!(
            !text.contains(" style=") && !text.contains("<style") && !text.contains("<script>"),
            "{path}"
        );
    }
    let given = Request::get("/healthz").header("x-request-id", "from-proxy.1");
    let answer = site.send(given.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.header("x-request-id"), "from-proxy.1");
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let site = Site::small("server-tags");
    for path in ["/api/v1/search?q=square", "/api/v1/openapi.json", "/api", "/", "/search?q=square"] {
        let first = site.get(path).await;
        let tag = first.header("etag").to_owned();
        assert_eq!((first.status.as_u16(), first.header("cache-control")), (200, "no-cache"), "{path}");
        let again = |tag: &str| {
            let request = Request::get(path).header("if-none-match", tag);
            site.send(request.body(Body::empty()).unwrap())
        };
        let second = again(&format!("\"x\", {tag}")).await;
        assert_eq!((second.status.as_u16(), second.body.len()), (304, 0), "{path}");
        assert_eq!(second.header("etag"), tag);
        assert_eq!(again("\"x\"").await.status, 200, "{path}");
    }
    let other = site.get("/api/v1/search?q=squares").await;
    assert_ne!(other.header("etag"), site.get("/api/v1/search?q=square").await.header("etag"));
    assert_eq!(site.get("/healthz").await.header("cache-control"), "no-store");
    assert_eq!(site.get("/api/v1/posts/77").await.header("cache-control"), "no-store");
}

#[tokio::test]
async fn long_answers_are_packed() {
    let site = Site::small("server-packed");
    for (accept, path, encoding) in [
        ("gzip", "/api/v1/openapi.json", "gzip"),
        ("br, gzip", "/api/v1/openapi.json", "br"),
        ("identity", "/api/v1/openapi.json", ""),
        ("gzip", "/healthz", ""),
    ] {
        let request = Request::get(path).header("accept-encoding", accept);
        let answer = site.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.header("content-encoding"), encoding, "{accept} {path}");
        assert!(answer.header("vary").contains("accept-encoding") || encoding.is_empty(), "{accept} {path}");
    }
}

/// Serves an index whose files are treated as large ones are.
fn mapped(site: &Site, config: Config) -> App {
    let path = site.folder.path().join("posts.index");
    let index = index::Index::open_as(&path, index::Opening::MAPPED).unwrap();
    App::new(Served::new(retrieve::Engine::new(index)), config)
}

/// Changes a byte of the lists of posts that is not needed to open the index.
fn damage(site: &Site) {
    let name = "posts.index/1.posts";
    let whole = std::fs::read(site.folder.path().join(name)).unwrap();
    let path = site.folder.path().join("posts.index");
    let found = (1..whole.len()).step_by(7).any(|place| {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        site.folder.write(name, &bytes);
        let opened = index::Index::open_as(&path, index::Opening::MAPPED);
        opened.is_ok_and(|index| {
            let words = index::Field::Words(index::Part::Body);
            let postings = index.segments()[0].posts.postings(words);
            let key = index::word_key("square");
            let _ = postings.and_then(|postings| postings.find(key)).map(|list| list.len());
            index.num_damaged() > 0
        })
    });
    assert!(found);
}

#[tokio::test]
async fn a_damaged_index_gives_an_error_that_names_the_section() {
    let mut site = Site::small("server-damaged");
    damage(&site);
    site.app = mapped(&site, patient());
    site.router = web::router(site.app.clone());
    assert_eq!(site.get("/healthz").await.status, 200);
    for path in ["/api/v1/search?q=square", "/search?q=square", "/api/v1/posts/1"] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, 500, "{path}");
        let text = answer.text();
        assert!(text.contains("he index is damaged: 1.posts: the section words.body."), "{path}: {text}");
        assert!(!text.contains(&*site.folder.path().to_string_lossy()), "{path}: {text}");
    }
    let health = site.get("/healthz").await;
    assert_eq!((health.status.as_u16(), health.json()["status"].as_str()), (503, Some("damaged")));
    assert!(site.get("/metrics").await.text().contains("hypatia_index_damaged_sections 1\n"));
}

/// Somebody cuts a large file of the index short while it is served.
#[tokio::test]
async fn a_file_that_is_cut_short_does_not_end_the_server() {
    let mut site = Site::small("server-cut");
    site.app = mapped(&site, patient());
    site.router = web::router(site.app.clone());
    let before = site.json("/api/v1/search?q=square").await["hits"].to_string();
    // Files that are in memory do not mind.
    let in_memory = Site { app: App::open(site.app.path(), patient()).unwrap(), ..site };
    let in_memory = Site { router: web::router(in_memory.app.clone()), ..in_memory };
    let router = web::router(mapped(&in_memory, patient()));
    for name in ["1.posts", "1.collection"] {
        let file = in_memory.folder.path().join("posts.index").join(name);
        let mut rights = std::fs::metadata(&file).unwrap().permissions();
        #[expect(clippy::permissions_set_readonly_false, reason = "in a test")]
        rights.set_readonly(false);
        std::fs::set_permissions(&file, rights).unwrap();
        std::fs::OpenOptions::new().write(true).open(&file).unwrap().set_len(100).unwrap();
        assert_eq!(in_memory.json("/api/v1/search?q=square").await["hits"].to_string(), before);
    }
    let request = Request::get("/api/v1/search?q=square").body(Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(router, request).await.unwrap();
    assert_eq!(response.status(), 500);
    let body = http_body_util::BodyExt::collect(response.into_body()).await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(text.contains("it was cut short while it was open"), "{text}");
}

#[test]
fn the_index_is_checked_in_the_background() {
    let value = |text: &str, name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name} in\n{text}")).parse().unwrap()
    };
    let site = Site::small("server-checked");
    let config = Config { look: Duration::from_millis(10), ..patient() };
    let wait_for = |running: &Running, what: &dyn Fn(&str) -> bool| {
        let start = Instant::now();
        while !what(&running.get("/metrics")) {
            assert!(start.elapsed() < Duration::from_secs(300), "{}", running.get("/metrics"));
            thread::sleep(Duration::from_millis(10));
        }
    };
    let running = Running::serving(mapped(&site, config.clone()));
    wait_for(&running, &|text| {
        value(text, "hypatia_index_checked_bytes") == value(text, "hypatia_index_bytes")
    });
    assert!(running.get("/metrics").contains("hypatia_index_damaged_sections 0\n"));
    running.stop();
    damage(&site);
    let running = Running::serving(mapped(&site, config));
    // Nobody searches; it is found all the same.
    wait_for(&running, &|text| value(text, "hypatia_index_damaged_sections") > 0.0);
    assert!(running.get("/healthz").starts_with("HTTP/1.1 503"));
    // Built anew, it has the same content in other files, and is taken over.
    common::index_of(&site.folder.path().join("posts.coll"), &site.folder.path().join("posts.index"));
    wait_for(&running, &|text| text.contains("hypatia_index_damaged_sections 0\n"));
    assert!(running.get("/api/v1/search?q=square").starts_with("HTTP/1.1 200"));
    running.stop();
}

#[tokio::test]
async fn numbers_for_prometheus() {
    let site = Site::small("server-metrics");
    site.get("/api/v1/search?q=secret").await;
    site.get("/nothing-of-the-kind").await;
    let text = site.get("/metrics").await.text();
    for line in [
        "hypatia_requests_total{route=\"/api/v1/search\",status=\"2xx\"} 1\n",
        "hypatia_requests_total{route=\"none\",status=\"4xx\"} 1\n",
        "hypatia_request_seconds_count{route=\"/api/v1/search\"} 1\n",
        "hypatia_searches 0\n",
        "hypatia_index_posts 3\n",
        "hypatia_index_generation 1\n",
        "hypatia_index_swaps_total 0\n",
        "hypatia_index_checked_bytes 0\n",
        "hypatia_index_damaged_sections 0\n",
        "process_start_time_seconds ",
        "process_resident_memory_bytes ",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    assert!(!text.contains("secret") && !text.contains("nothing-of-the-kind"), "{text}");
    let health = site.get("/healthz").await.json();
    assert_eq!((health["status"].as_str(), health["generation"].as_u64()), (Some("ok"), Some(1)));
}

/// Work that goes on until it is let go.
fn hold(app: &App, let_go: &Arc<AtomicBool>) -> tokio::task::JoinHandle<Result<(), AppError>> {
    let (app, let_go) = (app.clone(), Arc::clone(let_go));
    tokio::spawn(async move {
        app.work(move |_, _| {
            while !let_go.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(())
        })
        .await
    })
}

#[tokio::test]
async fn who_comes_too_late_is_sent_away() {
    let config = Config { workers: 1, waiting: 1, ..patient() };
    let site = Site::small_with("server-busy", config);
    let let_go = Arc::new(AtomicBool::new(false));
    let mut held = Vec::new();
    // The first works, is set aside for the second, and the third waits.
    for (working, waiting) in [(1, 0), (2, 0), (2, 1)] {
        held.push(hold(&site.app, &let_go));
        let expected =
            [format!("hypatia_searches {working}\n"), format!("hypatia_searches_waiting {waiting}\n")];
        loop {
            let metrics = site.get("/metrics").await.text();
            if expected.iter().all(|line| metrics.contains(line)) {
                break;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    let late = site.get("/api/v1/search?q=x").await;
    assert_eq!((late.status.as_u16(), late.header("retry-after")), (503, "1"), "{}", late.text());
    let_go.store(true, Ordering::Relaxed);
    for held in held {
        held.await.unwrap().unwrap();
    }
    assert_eq!(site.get("/api/v1/search?q=x").await.status, 200);
}

/// Work that goes on until it is told to end; says whether it was told so for others' sake.
fn long_work(app: &App) -> tokio::task::JoinHandle<Result<bool, AppError>> {
    let app = app.clone();
    tokio::spawn(async move {
        app.work(|_, deadline: &retrieve::Deadline| {
            while !deadline.is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(deadline.is_hurried())
        })
        .await
    })
}

#[tokio::test]
async fn long_work_keeps_nobody_from_an_answer() {
    let config = Config { workers: 1, time_limit: Duration::from_secs(600), ..patient() };
    let site = Site::small_with("server-attack", config);
    let attack: Vec<_> = (0..6).map(|_| long_work(&site.app)).collect();
    // All would go on for nine minutes.
    for _ in 0..3 {
        assert_eq!(site.get("/api/v1/search?q=x").await.status, 200);
    }
    assert!(attack.iter().any(|work| !work.is_finished()));
    // Those who ask for an answer after them make all end but the last two.
    let more: Vec<_> = (0..2).map(|_| long_work(&site.app)).collect();
    for work in attack {
        assert!(work.await.unwrap().unwrap());
    }
    more.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn a_query_with_too_much_in_it_is_answered_with_a_note() {
    let site = Site::small("server-much");
    let query: String = (0..300).map(|power| format!("%2B%24x%5E%7B{power}%7D%24+")).collect();
    let found = site.get(&format!("/api/v1/search?q={query}")).await;
    assert_eq!(found.status, 200);
    assert!(found.text().contains("only the first 8 formulas were searched for"), "{}", found.text());
}

#[tokio::test]
async fn what_takes_too_long_is_told() {
    let config = Config { time_limit: Duration::from_millis(50), ..patient() };
    let site = Site::small_with("server-slow", config);
    let (end, ended) = mpsc::channel::<()>();
    let slow = site.app.work(move |_, _| Ok(ended.recv().is_ok()));
    assert!(matches!(slow.await, Err(AppError::TooSlow)));
    drop(end);
}

/// Work is told when nobody waits for it any more.
#[tokio::test]
async fn work_ends_when_nobody_waits() {
    let site = Site::small("server-gone");
    let (told, heard) = mpsc::channel();
    let work = site.app.work(move |_, deadline: &retrieve::Deadline| {
        while !deadline.is_over() {
            std::thread::yield_now();
        }
        told.send(()).unwrap();
        Ok(())
    });
    // It is begun, and then nobody waits for it.
    assert!(tokio::time::timeout(Duration::from_millis(20), work).await.is_err());
    tokio::task::spawn_blocking(move || heard.recv().unwrap()).await.unwrap();
}

// With the ordinary limit of time: telling where a panic happened can take long.
#[tokio::test]
async fn what_breaks_is_told_and_nothing_else_breaks() {
    let site = Site::small("server-broken");
    let broken = site.app.work(|_, _| -> Result<(), AppError> { panic!("on purpose") });
    assert!(matches!(broken.await, Err(AppError::Broken)));
    assert_eq!(AppError::Broken.status(), 500);
    assert!(site.app.work(|served, _| Ok(served.engine.index().num_posts())).await.is_ok());
}

#[test]
fn nonsense_on_a_socket_is_answered_or_hung_up_on() {
    let site = Site::small("server-nonsense");
    let running = Running::start(&site);
    let parentheses = "(".repeat(100_000);
    let many: String = (0..200).map(|number| format!("x-{number}: 1\r\n")).collect();
    for (bytes, expected) in [
        (format!("GET /api/v1/search?q={parentheses} HTTP/1.1\r\nhost: x\r\n\r\n"), "HTTP/1.1 414"),
        (
            format!("GET /{} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", "a".repeat(50_000)),
            "HTTP/1.1 414",
        ),
        (format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n"), "HTTP/1.1 431"),
        (format!("GET / HTTP/1.1\r\nhost: {}\r\n\r\n", "a".repeat(200_000)), "HTTP/1.1 431"),
        ("GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n".to_owned(), "HTTP/1.1 400"),
        ("hello\r\n\r\n".to_owned(), "HTTP/1.1 400"),
        ("GET / HTTP/9.9\r\n\r\n".to_owned(), "HTTP/1.1 400"),
        (
            "GET /api/v1/search?q=%00%FF HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_owned(),
            "HTTP/1.1 200",
        ),
        (
            format!(
                "POST /api/v1/ask HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\n\r\n",
                2 << 20
            ),
            "HTTP/1.1 413",
        ),
    ] {
        let answer = running.talk(bytes.as_bytes());
        assert!(
            answer.starts_with(expected),
            "{}: {}",
            &bytes[..bytes.len().min(60)],
            &answer[..answer.len().min(200)]
        );
    }
    assert!(running.get("/healthz").starts_with("HTTP/1.1 200"));
    running.stop();
}

#[test]
fn slow_clients_do_not_stop_others() {
    let config = Config { patience: Duration::from_secs(1), connections: 3, ..patient() };
    let site = Site::small_with("server-slow-clients", config);
    let running = Running::start(&site);
    // All places are taken by clients that say nothing, or not enough.
    let mut silent: Vec<TcpStream> = (0..3).map(|_| running.connect()).collect();
    silent[0].write_all(b"GET / HTTP/1.1\r\nho").unwrap();
    assert!(running.get("/healthz").starts_with("HTTP/1.1 200"), "their time is up at some point");
    for stream in &mut silent {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"), "{}", String::from_utf8_lossy(&rest));
    }
    running.stop();
}

#[test]
fn who_finds_no_place_waits_for_one() {
    let site = Site::small_with("server-places", Config { connections: 3, ..patient() });
    let running = Running::start(&site);
    let many: Vec<_> = (0..60)
        .map(|_| {
            let address = running.address;
            thread::spawn(move || {
                let mut stream = TcpStream::connect(address).unwrap();
                stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").unwrap();
                let mut answer = String::new();
                stream.read_to_string(&mut answer).unwrap();
                answer.starts_with("HTTP/1.1 200")
            })
        })
        .collect();
    assert!(many.into_iter().all(|one| one.join().unwrap()), "who waits is let in");
    running.stop();
}

#[test]
fn connections_are_kept_and_end_at_some_point() {
    let config = Config { connection_life: Duration::from_secs(1), ..patient() };
    let site = Site::small_with("server-kept", config);
    let running = Running::start(&site);
    let answered = |stream: &mut TcpStream| {
        let mut answer = Vec::new();
        let mut buffer = [0; 4096];
        if stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").is_err() {
            return false;
        }
        while !answer.ends_with(b"}") {
            match stream.read(&mut buffer) {
                Ok(length) if length > 0 => answer.extend_from_slice(&buffer[..length]),
                _ => return false,
            }
        }
        answer.starts_with(b"HTTP/1.1 200")
    };
    // On a machine that is busy elsewhere a connection may end before both are asked for.
    let mut kept = (0..100).map(|_| running.connect());
    let mut stream =
        kept.find_map(|mut stream| (0..2).all(|_| answered(&mut stream)).then_some(stream)).unwrap();
    assert_eq!(stream.read(&mut [0; 1]).unwrap(), 0, "it is closed when its time is up");
    running.stop();
}

#[test]
fn an_answer_that_is_being_written_outlives_its_connection() {
    let gate = Arc::new(Gate::default());
    let fake = Fake::new(Manner::Waits(Arc::clone(&gate)));
    let config =
        Config { connection_life: Duration::from_secs(2), farewell: Duration::ZERO, ..fake.config() };
    let site = Site::small_with("server-writing", config);
    let running = Running::start(&site);
    let form = "q=is+the+square+never+negative";
    let request = format!(
        "POST /answer/write HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n\
         content-length: {}\r\n\r\n{form}",
        form.len()
    );
    let mut stream = running.connect();
    stream.write_all(request.as_bytes()).unwrap();
    let start = Instant::now();
    while fake.asked.load(Ordering::SeqCst) == 0 {
        assert!(start.elapsed() < Duration::from_secs(300), "it is never asked");
        thread::yield_now();
    }
    // One that began later is over already.
    let _ = running.connect().read(&mut [0; 1]);
    gate.open();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("At last."), "{answer}");
    running.stop();
}

/// As long as an idle connection would hold up the end, if it did.
const FAREWELL: Duration = Duration::from_secs(60);

#[test]
fn what_is_under_way_is_finished() {
    let site = Site::small_with("server-stop", Config { farewell: FAREWELL, ..patient() });
    let running = Running::start(&site);
    let address = running.address;
    let idle = running.connect();
    let answered = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let answered = Arc::clone(&answered);
            thread::spawn(move || {
                // Whoever was let in is answered; the rest cannot connect.
                while let Ok(mut stream) = TcpStream::connect(address) {
                    let request =
                        b"GET /api/v1/search?q=square HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
                    let mut answer = String::new();
                    if stream.write_all(request).is_err() || stream.read_to_string(&mut answer).is_err() {
                        return 0;
                    }
                    if answer.is_empty() {
                        return 0;
                    }
                    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
                    assert!(answer.trim_end().ends_with('}'), "it is whole: {answer}");
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                1
            })
        })
        .collect();
    while answered.load(Ordering::Relaxed) < 20 {
        thread::sleep(Duration::from_millis(10));
    }
    let start = Instant::now();
    running.stop();
    assert!(start.elapsed() < FAREWELL, "an idle connection holds nobody up");
    drop(idle);
    for client in clients {
        client.join().unwrap();
    }
}

#[test]
fn the_index_is_swapped_while_people_search() {
    let config = Config { look: Duration::from_millis(50), ..patient() };
    let site = Site::small_with("server-swap", config);
    let index = site.folder.path().join("posts.index");
    let later = collection(site.folder.path(), "later.coll", LATER);
    let running = Running::start(&site);
    let address = running.address;
    let done = Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..3)
        .map(|_| {
            let done = Arc::clone(&done);
            thread::spawn(move || {
                let (mut answered, mut found) = (0, 0);
                while done.load(Ordering::Relaxed) == 0 || found == 0 {
                    let mut stream = TcpStream::connect(address).unwrap();
                    let request =
                        b"GET /api/v1/search?q=zorn+square HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
                    stream.write_all(request).unwrap();
                    let mut answer = String::new();
                    stream.read_to_string(&mut answer).unwrap();
                    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
                    answered += 1;
                    found += usize::from(answer.contains("Zorn's lemma"));
                }
                (answered, found)
            })
        })
        .collect();
    let wait_for = |generation: u64| {
        let start = Instant::now();
        while !running.get("/healthz").contains(&format!("\"generation\":{generation}")) {
            assert!(start.elapsed() < Duration::from_secs(300), "generation {generation} is never served");
            thread::sleep(Duration::from_millis(10));
        }
    };
    wait_for(1);
    let tag = running.get("/api/v1/posts/1");
    let change = index::Change { add: Some(&later), delete: &[] };
    let changed = index::change(&index, change, &index::Unwatched).unwrap().0.generation();
    wait_for(changed);
    assert!(running.get("/api/v1/posts/4").contains("Zorn's lemma"));
    assert_ne!(running.get("/api/v1/posts/1"), tag, "the tag is another one");
    let compacted = index::compact(&index, &index::Unwatched).unwrap().generation();
    wait_for(compacted);
    assert!(running.get("/api/v1/posts/4").contains("Zorn's lemma"));
    // A state that cannot be read is not served.
    let manifest = index.join("index.json");
    let whole = std::fs::read(&manifest).unwrap();
    // At once: half of it would be another state that cannot be read.
    let replace = |text: &[u8]| {
        let other = site.folder.path().join("other.json");
        std::fs::write(&other, text).unwrap();
        std::fs::rename(&other, &manifest).unwrap();
    };
    replace(b"nonsense");
    let start = Instant::now();
    while !running.get("/metrics").contains("hypatia_index_failed_swaps_total 1\n") {
        assert!(start.elapsed() < Duration::from_secs(300), "{}", running.get("/metrics"));
        thread::sleep(Duration::from_millis(10));
    }
    assert!(running.get("/api/v1/posts/4").contains("Zorn's lemma"));
    replace(&whole);
    done.store(1, Ordering::Relaxed);
    for client in clients {
        let (answered, found) = client.join().unwrap();
        assert!(answered >= found && found > 0, "{answered} answered, {found} with the new post");
    }
    running.stop();
}
