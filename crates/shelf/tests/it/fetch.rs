//! Fetching from a hub of our own.

use crate::made;
use crate::server::{COMMIT, Files, Reply, Request, Server, elsewhere, hub, sha256};
use generate::{Key, Proxies};
use shelf::{AddOptions, Error, Found, Hub, Store, Watch};
use std::sync::Mutex;
use std::time::Duration;
use testkit::TempDir;

const TOKEN: &str = "hf_abcdefghijklmnop";

/// A hub and its other host, both as they should be.
struct Pair {
    hub: Server,
    elsewhere: Server,
}

impl Pair {
    fn start() -> Self {
        Self::with(made::encoder(), true, |request, _, files| elsewhere(files, request))
    }

    fn with(
        files: Files,
        with_blobs: bool,
        answer: impl Fn(&Request, usize, &Files) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let copy = files.clone();
        let elsewhere = Server::start(move |request, number| answer(request, number, &copy));
        let address = elsewhere.address.clone();
        let hub = Server::start(move |request, _| hub(&files, with_blobs, &address, request));
        Self { hub, elsewhere }
    }
}

fn asked(address: &str) -> Hub {
    let mut hub = Hub::new(address);
    hub.token = Some(Key::new(TOKEN).unwrap());
    hub.proxies = Proxies::default();
    hub.idle_timeout = Duration::from_millis(300);
    hub.first_wait = Duration::from_millis(1);
    hub
}

#[derive(Default)]
struct Notes(Vec<String>, u64, u64);

impl Watch for Notes {
    fn begin(&mut self, bytes: u64) {
        self.1 = bytes;
    }

    fn advance(&mut self, bytes: u64) {
        self.2 += bytes;
    }

    fn note(&mut self, text: &str) {
        self.0.push(text.to_owned());
    }
}

fn fetch_as(store: &Store, hub: &Hub, wanted: &str, notes: &mut Notes) -> Result<Found, Error> {
    store.fetch(hub, &wanted.parse().unwrap(), &AddOptions::default(), &mut |_, _| Ok(()), notes)
}

fn fetch(store: &Store, hub: &Hub) -> Result<Found, Error> {
    fetch_as(store, hub, "org/tiny", &mut Notes::default())
}

#[test]
fn needed_files_are_fetched_and_compared() {
    let dir = TempDir::new("fetch");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::start();
    let mut notes = Notes::default();
    let found = fetch_as(&store, &asked(&pair.hub.address), "org/tiny", &mut notes).unwrap();
    assert_eq!(found, store.find("tiny").unwrap());
    let files: Vec<&str> = found.facts.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, made::KEPT);
    assert_eq!((found.facts.source.as_str(), found.facts.revision.as_deref()), ("org/tiny", Some(COMMIT)));
    assert_eq!((notes.1, notes.2), (found.facts.size(), found.facts.size()));
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
    // The same files, added by hand, are the same model.
    let options = shelf::AddOptions { name: Some("by-hand".to_owned()), ..shelf::AddOptions::default() };
    let input = made::folder(&dir.path().join("x"));
    let by_hand = store.add(&[input], &options, &mut |_, _| Ok(()), &mut ()).unwrap();
    assert_eq!(by_hand.facts.fingerprint(), found.facts.fingerprint());
    // Only what is needed was asked for, and the token went to the hub alone.
    assert_eq!(pair.hub.requests().len(), 1 + made::KEPT.len());
    assert!(pair.hub.for_path("pytorch_model.bin").is_empty());
    let bearer = format!("Bearer {TOKEN}");
    assert!(pair.hub.requests().iter().all(|request| request.header("authorization") == Some(&bearer)));
    assert_eq!(pair.elsewhere.requests().len(), 2);
    assert!(pair.elsewhere.requests().iter().all(|request| request.header("authorization").is_none()));
    assert!(!format!("{:?}", pair.elsewhere.requests()).contains(TOKEN));
    // Nothing is left to resume, and a second fetch needs to be meant.
    assert_eq!(store.list().unwrap().unfinished, []);
    assert!(matches!(fetch(&store, &asked(&pair.hub.address)).unwrap_err(), Error::Exists { .. }));
    let options = AddOptions { replace: true, ..AddOptions::default() };
    let wanted = format!("org/tiny@{COMMIT}").parse().unwrap();
    let again =
        store.fetch(&asked(&pair.hub.address), &wanted, &options, &mut |_, _| Ok(()), &mut ()).unwrap();
    assert_eq!(again.facts, found.facts);
}

#[test]
fn hubs_that_list_no_checksums_are_believed_by_their_headers() {
    let dir = TempDir::new("fetch-plain");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::with(made::encoder(), false, |request, _, files| elsewhere(files, request));
    fetch(&store, &asked(&pair.hub.address)).unwrap();
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
}

#[test]
fn a_download_that_breaks_off_is_resumed() {
    let dir = TempDir::new("fetch-resume");
    let store = Store::open(dir.path().join("models"));
    // Each answer ends after 5,000 bytes; the second one stalls then.
    let pair = Pair::with(made::encoder(), true, |request, number, files| Reply {
        cut: Some(5000),
        stall: number == 1,
        ..elsewhere(files, request)
    });
    let mut notes = Notes::default();
    let found = fetch_as(&store, &asked(&pair.hub.address), "org/tiny", &mut notes).unwrap();
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
    let weights = made::weights(3000).len();
    let ranges: Vec<_> = pair
        .elsewhere
        .requests()
        .into_iter()
        .filter(|request| request.path.starts_with("/blob/model"))
        .collect();
    assert_eq!(ranges.len(), weights.div_ceil(5000));
    assert_eq!(ranges[0].header("range"), None);
    assert_eq!(ranges[1].header("range"), Some("bytes=5000-"));
    assert_eq!(ranges[2].header("range"), Some("bytes=10000-"));
    assert!(!notes.0.is_empty() && notes.2 == found.facts.size(), "{:?} {}", notes.0, notes.2);
}

#[test]
fn a_download_that_was_given_up_is_resumed_by_the_next_command() {
    let dir = TempDir::new("fetch-killed");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::with(made::encoder(), true, |request, number, files| Reply {
        cut: (number == 0).then_some(7000),
        ..elsewhere(files, request)
    });
    let once = Hub { attempts: 1, ..asked(&pair.hub.address) };
    let error = fetch(&store, &once).unwrap_err().to_string();
    assert!(error.starts_with("org/tiny/model.safetensors: ") && error.contains("tried 1 times"), "{error}");
    let listing = store.list().unwrap();
    assert!(listing.models.is_empty() && store.find("tiny").is_err());
    assert_eq!(listing.unfinished[0].name, "tiny");
    assert!(listing.unfinished[0].size > 7000);
    let before = pair.hub.requests().len();
    fetch(&store, &once).unwrap();
    // The list and the one file; everything else was there.
    assert_eq!(pair.hub.requests().len() - before, 2);
    assert_eq!(pair.elsewhere.requests().last().unwrap().header("range"), Some("bytes=7000-"));
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
    assert_eq!(store.list().unwrap().unfinished, []);
}

#[test]
fn an_unfinished_download_can_be_removed() {
    let dir = TempDir::new("fetch-remove");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::with(made::encoder(), true, |_, _, _| Reply::new(404, ""));
    assert!(fetch(&store, &asked(&pair.hub.address)).is_err());
    assert_eq!(store.list().unwrap().unfinished.len(), 1);
    store.remove("tiny").unwrap();
    assert_eq!(store.list().unwrap().unfinished, []);
    assert!(store.remove("tiny").is_err());
}

#[test]
fn redirects_within_the_hub_keep_the_token() {
    let dir = TempDir::new("fetch-within");
    let store = Store::open(dir.path().join("models"));
    let files = made::encoder();
    let copy = files.clone();
    let host = Server::start(move |request, _| elsewhere(&copy, request));
    let address = host.address.clone();
    // Small files are kept at another path of the hub; the list names no checksums.
    let server = Server::start(move |request, _| {
        let cached =
            Request { path: request.path.replace("/cache/", "/org/tiny/resolve/"), ..request.clone() };
        let is_small = !crate::server::is_large(&request.path);
        match request.path.strip_prefix("/org/tiny/resolve/") {
            Some(file) if is_small => Reply::new(307, "")
                .with("location", format!("/cache/{file}"))
                .with("etag", "\"0000000000000000000000000000000000000000\""),
            _ => hub(&files, false, &address, &cached),
        }
    });
    fetch(&store, &asked(&server.address)).unwrap();
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
    let cached: Vec<_> =
        server.requests().into_iter().filter(|request| request.path.starts_with("/cache/")).collect();
    assert_eq!(cached.len(), made::KEPT.len() - 2);
    assert!(cached.iter().all(|request| request.header("authorization").is_some()));
    assert!(host.requests().iter().all(|request| request.header("authorization").is_none()));
}

#[test]
fn servers_without_ranges_are_asked_for_the_whole_again() {
    let dir = TempDir::new("fetch-no-range");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::with(made::encoder(), true, |request, number, files| {
        let plain = Request { path: request.path.clone(), headers: Vec::new() };
        Reply { cut: (number == 0).then_some(3000), ..elsewhere(files, &plain) }
    });
    fetch(&store, &asked(&pair.hub.address)).unwrap();
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
}

#[test]
fn other_bytes_than_promised_are_refused() {
    let dir = TempDir::new("fetch-wrong");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::with(made::encoder(), true, |request, _, files| {
        let mut reply = elsewhere(files, request);
        if request.path.starts_with("/blob/model") {
            *reply.body.last_mut().unwrap() ^= 1;
        }
        reply
    });
    let error = fetch(&store, &asked(&pair.hub.address)).unwrap_err().to_string();
    let expected = sha256(&made::weights(3000));
    assert!(error.contains("but the hub says") && error.contains(&expected), "{error}");
    assert!(store.list().unwrap().models.is_empty());
    // What was wrong is not resumed.
    let before = pair.elsewhere.requests().len();
    assert!(fetch(&store, &asked(&pair.hub.address)).is_err());
    assert_eq!(pair.elsewhere.requests()[before].header("range"), None);
}

#[test]
fn a_partial_file_of_something_else_is_fetched_again() {
    let dir = TempDir::new("fetch-foreign");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::start();
    let weights = made::weights(3000);
    let part = format!("models/.partial/tiny/model.safetensors.{}.part", &sha256(&weights)[..16]);
    dir.write(&part, vec![7; 4000]);
    let mut notes = Notes::default();
    fetch_as(&store, &asked(&pair.hub.address), "org/tiny", &mut notes).unwrap();
    assert!(notes.0[0].contains("starting over"), "{:?}", notes.0);
    // One that is too long, as well.
    store.remove("tiny").unwrap();
    dir.write(&part, vec![7; weights.len() + 1]);
    fetch(&store, &asked(&pair.hub.address)).unwrap();
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
}

#[test]
fn small_files_are_compared_as_git_does() {
    let dir = TempDir::new("fetch-git");
    let store = Store::open(dir.path().join("models"));
    let files = made::encoder();
    let listed = files.clone();
    let server = Server::start(move |request, _| {
        let mut reply = hub(&listed, true, "http://127.0.0.1:1", request);
        if request.path.ends_with("/config.json") {
            reply.body = vec![b' '; reply.body.len()];
        }
        reply
    });
    let error = fetch(&store, &asked(&server.address)).unwrap_err().to_string();
    assert!(error.contains("config.json: its checksum is"), "{error}");
}

#[test]
fn refusals_are_explained_and_never_show_the_token() {
    let dir = TempDir::new("fetch-refused");
    let store = Store::open(dir.path().join("models"));
    let answer = |reply: Reply| {
        let server = Server::start(move |_, _| reply.clone());
        let error = fetch(&store, &asked(&server.address)).unwrap_err();
        assert!(!format!("{error} {error:?}").contains(TOKEN), "{error}");
        // Whatever cannot get better is asked once.
        (error.to_string(), server.requests().len(), server.address.clone())
    };
    let (error, asked_for, _) = answer(
        Reply::new(401, "")
            .with("x-error-code", "RepoNotFound")
            .with("x-error-message", "Repository not found"),
    );
    assert_eq!(asked_for, 1);
    assert_eq!(
        error,
        "org/tiny: there is no such repository, or the token does not give access to it (Repository not found)"
    );
    let (error, _, address) = answer(
        Reply::new(403, "")
            .with("x-error-code", "GatedRepo")
            .with("x-error-message", format!("Access denied for {TOKEN}")),
    );
    assert_eq!(
        error,
        format!(
            "org/tiny: gated: accept its terms at {address}/org/tiny, then set HF_TOKEN to a token of that account (Access denied for [key])"
        )
    );
    let (error, ..) =
        answer(Reply::new(404, r#"{"error":"Invalid rev id"}"#).with("x-error-code", "RevisionNotFound"));
    assert_eq!(error, "org/tiny: the repository has no such revision (Invalid rev id)");
    let (error, asked_for, _) = answer(Reply::new(503, ""));
    assert!(error.ends_with("answered with status 503; tried 5 times"), "{error}");
    assert_eq!(asked_for, 5);
    let (error, ..) = answer(Reply::new(200, "<html>"));
    assert!(error.contains("does not answer as a hub of models does"), "{error}");
    let (error, ..) = answer(Reply::new(200, r#"{"sha":"x","siblings":[]}"#));
    assert!(error.contains("names no commit"), "{error}");
    let (error, ..) = answer(Reply::new(302, "").with("location", "/again"));
    assert!(error.contains("more than 8 redirects"), "{error}");
    let (error, ..) = answer(Reply { stall: true, cut: Some(3), ..Reply::new(200, "{\"sha\":1}") });
    assert!(error.contains("broke off") && error.contains("tried 5 times"), "{error}");
    let error = fetch(&store, &Hub { attempts: 2, ..asked("http://127.0.0.1:1") }).unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1") && error.contains("tried 2 times"), "{error}");
    assert!(store.list().unwrap().models.is_empty());
}

#[test]
fn a_hub_that_recovers_is_asked_again() {
    let dir = TempDir::new("fetch-again");
    let store = Store::open(dir.path().join("models"));
    let files = made::encoder();
    let other = files.clone();
    let host = Server::start(
        move |request, number| {
            if number == 0 { Reply::new(503, "") } else { elsewhere(&other, request) }
        },
    );
    let address = host.address.clone();
    let server = Server::start(move |request, number| {
        if number == 0 {
            Reply::new(429, "").with("retry-after", "0")
        } else {
            hub(&files, true, &address, request)
        }
    });
    fetch(&store, &asked(&server.address)).unwrap();
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
}

#[test]
fn names_that_lead_out_are_never_written() {
    let dir = TempDir::new("fetch-out");
    let store = Store::open(dir.path().join("deep/models"));
    let mut files = made::encoder();
    files.push(("../../../evil/config.json", b"x".to_vec()));
    files.push(("/evil.safetensors", b"x".to_vec()));
    let pair = Pair::with(files, true, |request, _, files| elsewhere(files, request));
    fetch(&store, &asked(&pair.hub.address)).unwrap();
    assert!(!dir.path().join("evil").exists());
    let found = store.find("tiny").unwrap();
    assert_eq!(found.facts.files.len(), made::KEPT.len());
}

#[test]
fn one_of_several_gguf_files_is_named() {
    let dir = TempDir::new("fetch-gguf");
    let store = Store::open(dir.path().join("models"));
    let files: Files =
        vec![("q4.gguf", made::gguf()), ("q8.gguf", made::gguf()), ("config.json", b"{}".to_vec())];
    let pair = Pair::with(files, true, |request, _, files| elsewhere(files, request));
    let hub = asked(&pair.hub.address);
    let error = fetch(&store, &hub).unwrap_err().to_string();
    assert_eq!(error, "org/tiny: the repository holds 2 GGUF files; name one with --file: q4.gguf, q8.gguf");
    let options = AddOptions { file: Some("q8.gguf".to_owned()), ..AddOptions::default() };
    let found =
        store.fetch(&hub, &"org/tiny".parse().unwrap(), &options, &mut |_, _| Ok(()), &mut ()).unwrap();
    assert_eq!(found.facts.files.len(), 1);
}

#[test]
fn nothing_is_asked_for_offline() {
    let dir = TempDir::new("fetch-offline");
    let store = Store::open(dir.path().join("models"));
    let pair = Pair::start();
    let error = fetch(&store, &Hub { offline: true, ..asked(&pair.hub.address) }).unwrap_err().to_string();
    assert_eq!(error, "org/tiny: HF_HUB_OFFLINE is set, so nothing is fetched");
    assert!(pair.hub.requests().is_empty() && !store.folder().exists());
}

/// Collects what the libraries below log.
struct Log(Mutex<String>);

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        self.0.lock().unwrap().push_str(&format!("{} {}\n", record.level(), record.args()));
    }

    fn flush(&self) {}
}

#[test]
fn no_log_shows_the_token() {
    static LOG: Log = Log(Mutex::new(String::new()));
    log::set_logger(&LOG).unwrap();
    log::set_max_level(log::LevelFilter::Trace);
    let dir = TempDir::new("fetch-log");
    let store = Store::open(dir.path().join("models"));
    fetch(&store, &asked(&Pair::start().hub.address)).unwrap();
    let logged = LOG.0.lock().unwrap().clone();
    assert!(!logged.contains(TOKEN), "{logged}");
    // That something was collected at all.
    assert!(logged.contains("DEBUG"), "{logged}");
}
