//! Connections that take places from others, and requests that two programs may understand differently.

use crate::common;

use axum::body::Body;
use axum::http::Request;
use common::{Running, Site, patient};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;
use web::{Config, PerAddress};

/// Connects from another address of this computer.
#[cfg(target_os = "linux")]
fn connect_from(source: Ipv4Addr, running: &Running) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from((source, 0))).unwrap();
        socket.connect(running.address).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream
}

/// What the server answers to a request on a connection.
fn ask(mut stream: TcpStream, request: &str) -> String {
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

fn is_open(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let read = stream.peek(&mut [0; 1]);
    matches!(read, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Many idle connections of one client, far beyond the limit: who comes from elsewhere is answered while they are
/// idle, and one of theirs is closed for it.
#[test]
#[cfg(target_os = "linux")]
fn idle_connections_of_one_address_do_not_keep_another_out() {
    let config = Config {
        connections: 40,
        per_address: PerAddress::Unlimited,
        patience: Duration::from_secs(3600),
        ..patient()
    };
    let site = Site::small_with("connections-idle", config);
    let running = Running::start(&site);
    let other = Ipv4Addr::new(127, 0, 0, 2);
    let before = connect_from(other, &running);
    let idle: Vec<TcpStream> = (0..60).map(|_| running.connect()).collect();
    for _ in 0..3 {
        let answer = ask(connect_from(other, &running), HEALTH);
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    let open = idle.iter().filter(|stream| is_open(stream)).count();
    assert!((30..60).contains(&open), "{open} of 60 are still open");
    assert!(is_open(&before), "the address with few connections keeps its own");
    before.set_nonblocking(false).unwrap();
    assert!(ask(before, HEALTH).starts_with("HTTP/1.1 200"));
    // The client that has most of them is answered, too: its own idle ones make room.
    let metrics = running.get("/metrics");
    let shed = metrics.lines().find_map(|line| line.strip_prefix("hypatia_connections_shed_total "));
    assert!(shed.unwrap().parse::<u32>().unwrap() >= 20, "{metrics}");
    running.stop();
}

/// An address that has as many connections as it may have, all of them at work.
#[test]
#[cfg(target_os = "linux")]
fn an_address_has_no_more_connections_than_it_may_have() {
    let config = Config { per_address: PerAddress::Every(5), ..patient() };
    let site = Site::small_with("connections-address", config);
    let running = Running::start(&site);
    let working: Vec<TcpStream> = (0..5)
        .map(|_| {
            let mut stream = running.connect();
            // The body is never sent, so that the request is under way until its time is up.
            let head = "POST /api/v1/ask HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n\
                        content-length: 10\r\n\r\n";
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    let refused = ask(running.connect(), "");
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("Too many connections"), "{refused}");
    let other = ask(connect_from(Ipv4Addr::new(127, 0, 0, 2), &running), HEALTH);
    assert!(other.starts_with("HTTP/1.1 200"), "{other}");
    assert!(other.contains("\r\n\r\n{"), "{other}");
    drop(working);
    running.stop();
}

#[test]
fn a_request_must_name_one_host_and_end_its_lines_with_cr_lf() {
    let site = Site::small("connections-heads");
    let running = Running::start(&site);
    let post =
        "POST /api/v1/ask HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n";
    for (request, expected) in [
        // Without a host, with two, or with none that could be one.
        ("GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.0\r\n\r\n".to_owned(), 200),
        (HEALTH.to_owned(), 200),
        // With a line feed alone, in every place.
        ("GET /healthz HTTP/1.1\nhost: x\r\nconnection: close\r\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\r\nhost: x\nconnection: close\r\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\n".to_owned(), 400),
        ("\nGET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".to_owned(), 400),
        ("GET /healthz HTTP/1.1\nhost: x\nconnection: close\n\n".to_owned(), 400),
        // With a body whose length is told in two ways.
        (format!("{post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"), 400),
        (format!("{post}content-length: 2\r\ncontent-length: 3\r\n\r\n{{}}"), 400),
        (format!("{post}transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n"), 400),
        // Line feeds in a body are nobody's business, whichever way its length is told.
        (format!("{post}content-length: 21\r\n\r\n{{\n\"title\":\n\"square\"\n}}"), 200),
        (
            format!(
                "{post}transfer-encoding: chunked\r\n\r\n15\r\n{{\n\"title\":\n\"square\"\n}}\r\n0\r\n\r\n"
            ),
            200,
        ),
    ] {
        let answer = running.talk(request.as_bytes());
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {expected}"))
                || answer.starts_with(&format!("HTTP/1.0 {expected}")),
            "{request:?}: {}",
            &answer[..answer.len().min(300)]
        );
    }
    let hidden = running.talk(
        b"GET /healthz HTTP/1.1\r\nhost: x\r\nx: y\n\r\nGET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
    );
    assert!(!hidden.contains("hypatia_requests_total"), "a second request is hidden in the first: {hidden}");
    let unnamed = running.talk(b"GET /healthz HTTP/1.1\r\n\r\n");
    assert!(
        unnamed.contains("content-security-policy") && unnamed.contains("connection: close"),
        "{unnamed}"
    );
    running.stop();
}

#[tokio::test]
async fn the_description_for_browsers_cannot_be_poisoned() {
    let get = async |site: &Site, host: &str, tag: &str| {
        let request = Request::get("/opensearch.xml").header("host", host).header("if-none-match", tag);
        site.send(request.body(Body::empty()).unwrap()).await
    };
    let site = Site::small("connections-opensearch");
    let evil = get(&site, "evil.example", "").await;
    assert!(evil.text().contains("\"http://evil.example/search"), "{}", evil.text());
    assert_eq!((evil.header("cache-control"), evil.header("etag")), ("no-store", ""));
    assert!(evil.header("vary").contains("host"), "{}", evil.header("vary"));

    let address = Some("https://search.example.org".to_owned());
    let site = Site::small_with("connections-opensearch-address", Config { address, ..patient() });
    let (evil, good) = (get(&site, "evil.example", "").await, get(&site, "search.example.org", "").await);
    assert!(evil.text().contains("\"https://search.example.org/search"), "{}", evil.text());
    assert_eq!((evil.text(), evil.header("etag")), (good.text(), good.header("etag")));
    assert_eq!(get(&site, "search.example.org", evil.header("etag")).await.status, 304);
}
