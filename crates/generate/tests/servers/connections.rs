//! Servers that fail below the answer: connections, headers, lengths, chunks and time.

use super::support::{
    Connection, GOOD, Server, ask, cause, check_given_up, check_good, check_tried_again, config, endpoint,
    good_stream, question,
};
use generate::{Cause, EndpointConfig, Key, Proxies, Wait};
use std::net::TcpListener;
use std::time::Duration;

#[test]
fn a_server_that_answers_well() {
    let server = Server::start(Connection::answer_well);
    let (endpoint, waits) = endpoint(config(&server));
    let (result, told) = ask(&endpoint, &question("?"));
    check_good(&result);
    assert_eq!(told, ["e^{i\\pi} ", "= ", "−1"]);
    let completion = result.unwrap();
    assert_eq!((completion.prompt_tokens, completion.completion_tokens), (Some(3), Some(5)));
    assert!(waits.list().is_empty());
    let seen = &server.seen()[0];
    assert!(seen.head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{}", seen.head);
    assert!(!seen.head.to_lowercase().contains("authorization"), "no key, no header");
    assert_eq!((seen.question().as_str(), &seen.body["model"]), ("?", &"m".into()));
}

#[test]
fn connection_refused() {
    // A port that was free a moment ago, and to which nobody listens.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let config = EndpointConfig { attempts: 3, ..EndpointConfig::new(format!("http://{address}/v1"), "m") };
    let (endpoint, waits) = endpoint(config);
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert_eq!(waits.list().len(), 1, "who was never there is asked again once");
    assert!(matches!(cause(error), Cause::Unreachable { .. }));
}

#[test]
fn closes_at_once() {
    assert!(matches!(check_tried_again(|_| {}), Cause::BrokenOff { .. }));
}

#[test]
fn closes_after_the_request() {
    let cause = check_tried_again(|connection| {
        connection.request();
    });
    assert!(matches!(cause, Cause::BrokenOff { .. }), "{cause}");
}

#[test]
fn accepts_and_never_answers() {
    let server = Server::start(Connection::wait_for_close);
    let idle_timeout = Duration::from_millis(50);
    let (endpoint, waits) = endpoint(EndpointConfig { idle_timeout, ..config(&server) });
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert_eq!(waits.list().len(), 3);
    assert_eq!(cause(error), Cause::TimedOut { wait: Wait::Byte, limit: idle_timeout });
}

#[test]
fn stops_in_the_middle_and_stays_connected() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        connection.send(&good_stream()[..200]);
        connection.wait_for_close();
    });
    let idle_timeout = Duration::from_millis(50);
    let (endpoint, _) = endpoint(EndpointConfig { idle_timeout, ..config(&server) });
    let (result, _) = ask(&endpoint, &question("?"));
    assert_eq!(cause(result.unwrap_err()), Cause::TimedOut { wait: Wait::Byte, limit: idle_timeout });
}

#[test]
fn never_stops_saying_that_it_is_there() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        connection.send_without_end(": ping\n\n");
    });
    let answer_timeout = Duration::from_millis(100);
    let config = EndpointConfig { answer_timeout, most_bytes: u64::MAX, attempts: 2, ..config(&server) };
    let (endpoint, _) = endpoint(config);
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert_eq!(cause(error), Cause::TimedOut { wait: Wait::Answer, limit: answer_timeout });
}

#[test]
fn slow_byte_by_byte() {
    let server = Server::start(|connection| {
        connection.request();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n";
        for byte in (head.to_owned() + &good_stream()).bytes() {
            connection.send([byte]);
        }
    });
    let (endpoint, waits) = endpoint(config(&server));
    check_good(&ask(&endpoint, &question("?")).0);
    assert!(waits.list().is_empty());
}

#[test]
fn a_slow_drip_with_breaks() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        for piece in good_stream().as_bytes().chunks(40) {
            connection.send(piece);
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    // Longer than a break, and shorter than all of them.
    let idle_timeout = Duration::from_millis(250);
    let (endpoint, waits) = endpoint(EndpointConfig { idle_timeout, ..config(&server) });
    check_good(&ask(&endpoint, &question("?")).0);
    assert!(waits.list().is_empty());
}

#[test]
fn a_reset_in_the_middle_of_an_answer() {
    let cause = check_tried_again(|connection| {
        connection.request_head();
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":[{\"text\":\"4\"}]}");
        // What was sent and not read makes the system reset the connection when it is closed.
    });
    assert!(matches!(cause, Cause::BrokenOff { .. }), "{cause}");
}

#[test]
fn a_proxy_is_asked_in_place_of_the_server() {
    let proxy = Server::start(|connection| {
        let asked = connection.request();
        assert!(asked.head.starts_with("CONNECT model.example:80 "), "{}", asked.head);
        connection.send("HTTP/1.1 200 OK\r\n\r\n");
        connection.answer_well();
    });
    let address = "http://model.example/v1".to_owned();
    let http = Some(proxy.address().replace("/v1", ""));
    let proxies = Proxies { http, ..Proxies::default() };
    let (endpoint, _) = endpoint(EndpointConfig { address, proxies, ..config(&proxy) });
    check_good(&ask(&endpoint, &question("?")).0);
    assert!(proxy.seen()[1].head.starts_with("POST /v1/chat/completions "), "{:?}", proxy.seen()[1]);
}

#[test]
fn a_proxy_is_not_asked_for_this_machine_or_what_is_excepted() {
    let proxy = Server::start(|_| {});
    let server = Server::start(Connection::answer_well);
    let http = Some(proxy.address().replace("/v1", ""));
    let proxies = Proxies { http, except: "localhost.invalid".to_owned(), ..Proxies::default() };
    let (near, _) = endpoint(EndpointConfig { proxies: proxies.clone(), ..config(&server) });
    check_good(&ask(&near, &question("?")).0);
    let address = "http://model.localhost.invalid/v1".to_owned();
    let (far, _) = endpoint(EndpointConfig { address, proxies, ..config(&server) });
    assert!(matches!(cause(ask(&far, &question("?")).0.unwrap_err()), Cause::Unreachable { .. }));
    assert_eq!(proxy.connections(), 0);
}

#[test]
fn a_proxy_that_cannot_be_used_is_an_error() {
    let proxies = Proxies { https: Some("socks5://127.0.0.1:9".to_owned()), ..Proxies::default() };
    let config = EndpointConfig { proxies, ..EndpointConfig::new("https://model.example/v1", "m") };
    let error = generate::Endpoint::new(config).err().unwrap().to_string();
    assert!(error.contains("a SOCKS5 proxy") && error.contains("NO_PROXY"), "{error}");
}

#[test]
fn half_a_header() {
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.send("HTTP/1.1 200 OK\r\nContent-Ty");
    });
    assert!(matches!(cause, Cause::BrokenOff { .. }), "{cause}");
}

#[test]
fn a_header_that_is_none() {
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.send("SSH-2.0-OpenSSH_9.9\r\n\r\n");
    });
    assert!(matches!(cause, Cause::BrokenOff { .. }), "{cause}");
}

#[test]
fn a_header_without_end() {
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.send("HTTP/1.1 200 OK\r\n");
        connection.send_without_end("X-More: and more\r\n");
    });
    assert!(matches!(cause, Cause::BrokenOff { .. }), "{cause}");
}

#[test]
fn half_a_body() {
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{\"choices\":[{\"text\":\"4\"}]}");
    });
    assert!(matches!(cause, Cause::BrokenOff { .. }), "{cause}");
}

#[test]
fn chunks_are_put_together() {
    let server = Server::start(|connection| {
        connection.request();
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        for chunk in good_stream().as_bytes().chunks(7) {
            connection.send(format!("{:x}\r\n", chunk.len()));
            connection.send(chunk);
            connection.send("\r\n");
        }
        connection.send("0\r\n\r\n");
    });
    let (endpoint, _) = endpoint(config(&server));
    check_good(&ask(&endpoint, &question("?")).0);
}

#[test]
fn chunks_of_broken_sizes() {
    for chunk in
        ["zz\r\n{\"choices\"", "-5\r\n{\"cho", "ffffffffffffffffffff\r\n{\"cho", "5\r\n{\"choices\":[]}\r\n"]
    {
        let cause = check_tried_again(move |connection| {
            connection.request();
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
            connection.send(chunk);
        });
        assert!(matches!(cause, Cause::BrokenOff { .. }), "{chunk:?}: {cause}");
    }
}

#[test]
fn chunks_without_a_last_one() {
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        connection.send("1b\r\n{\"choices\":[{\"text\":\"no\"}]}\r\n");
    });
    assert!(matches!(cause, Cause::BrokenOff { .. }), "{cause}");
}

#[test]
fn gzip_claimed_but_not() {
    let server = Server::start(|connection| {
        connection.request();
        let body = format!(r#"{{"choices":[{{"message":{{"content":{GOOD:?}}}}}]}}"#);
        connection.answer(200, "Content-Encoding: gzip\r\n", body);
    });
    let (endpoint, _) = endpoint(config(&server));
    check_good(&ask(&endpoint, &question("?")).0);
    assert!(server.seen()[0].head.to_lowercase().contains("accept-encoding: identity"));
}

#[test]
fn gzip_that_was_not_asked_for() {
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.answer(200, "Content-Encoding: gzip\r\n", b"\x1F\x8B\x08\x00\x00\x00\x00\x00\x00\x03");
    });
    assert!(matches!(cause, Cause::Unreadable { .. }), "{cause}");
}

#[test]
fn a_huge_body_without_end() {
    let too_large = Cause::TooLarge { limit: 100_000 };
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.send("HTTP/1.1 200 OK\r\n\r\n{\"choices\":[");
        connection.send_without_end("        ");
    });
    assert_eq!(cause, too_large);
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.start_stream();
        connection.send_without_end(": ping\n\n");
    });
    assert_eq!(cause, too_large);
}

#[test]
fn an_endless_line_of_a_stream() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        connection.send("data: ");
        connection.send_without_end("xxxxxxxxxx");
    });
    let config = EndpointConfig { most_bytes: u64::MAX, attempts: 2, ..config(&server) };
    let (endpoint, _) = endpoint(config);
    let cause = cause(ask(&endpoint, &question("?")).0.unwrap_err());
    assert!(cause.to_string().contains("a line of the stream has more than"), "{cause}");
}

#[test]
fn a_redirect_is_not_followed_and_takes_no_key_along() {
    for status in [301, 302, 303, 307, 308] {
        let other = Server::start(Connection::answer_well);
        let to = format!("Location: {}/chat/completions\r\n", other.address());
        let server = Server::start(move |connection| {
            connection.request();
            connection.answer(status, &to, "moved");
        });
        let key = Some(Key::new("sk-secret").unwrap());
        let (endpoint, waits) = endpoint(EndpointConfig { key, ..config(&server) });
        let error = ask(&endpoint, &question("?")).0.unwrap_err();
        assert!(error.to_string().contains("is not followed"), "{error}");
        assert!(!error.is_temporary() && waits.list().is_empty());
        assert!(error.to_string().contains(&other.address()), "where it points to is told");
        assert_eq!((server.connections(), other.connections()), (1, 0));
        assert!(server.seen()[0].head.contains("Bearer sk-secret"));
    }
}

#[test]
fn a_safe_connection_to_a_server_that_knows_none() {
    let server = Server::start(|connection| {
        connection.answer(400, "", "This is plain HTTP.");
        connection.wait_for_close();
    });
    let address = server.address().replace("http:", "https:");
    let (endpoint, _) = endpoint(EndpointConfig { address, ..config(&server) });
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert!(!error.is_temporary());
    assert!(matches!(cause(error), Cause::Insecure { .. }));
}

#[test]
fn a_status_that_was_never_heard_of() {
    let cause = check_given_up(|connection| {
        connection.request();
        connection.answer(418, "", "");
    });
    assert_eq!(cause, Cause::Status { status: 418, message: "without a word".to_owned() });
}
