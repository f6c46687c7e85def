//! Servers that fail above the connection: statuses, messages, JSON and streams.

use super::support::{
    Connection, GOOD, Server, ask, cause, check_given_up, check_good, check_tried_again, config, endpoint,
    good_stream, piece, question,
};
use generate::{Cause, Continue, Ended, EndpointConfig, Error, Event, Generator, Parameter, Prompt, Request};
use serde_json::json;
use std::sync::mpsc;
use std::time::Duration;

/// Does with a connection what gives this status and this body.
fn status(
    status: u16,
    headers: &'static str,
    body: &'static str,
) -> impl Fn(&mut Connection) + Clone + Send + Sync + 'static {
    move |connection| {
        connection.request();
        connection.answer(status, headers, body);
    }
}

/// Does with a connection what gives this stream.
fn stream(text: impl Into<Vec<u8>>) -> impl Fn(&mut Connection) + Clone + Send + Sync + 'static {
    let bytes = text.into();
    move |connection| {
        connection.request();
        connection.start_stream();
        connection.send(&bytes);
    }
}

/// What comes of a server that answers so, at the first attempt.
fn answered(handle: impl Fn(&mut Connection) + Send + Sync + 'static) -> (String, Ended) {
    let server = Server::start(handle);
    let (endpoint, waits) = endpoint(config(&server));
    let completion = ask(&endpoint, &question("?")).0.unwrap();
    assert!(waits.list().is_empty());
    (completion.text, completion.ended)
}

fn good() -> (String, Ended) {
    (GOOD.to_owned(), Ended::Itself)
}

fn unreadable(cause: &Cause) -> &str {
    match cause {
        Cause::Unreadable { reason } => reason,
        other => panic!("{other}"),
    }
}

#[test]
fn too_many_requests_then_success() {
    for (header, seconds) in [
        ("Retry-After: 7\r\n", 7),
        ("Retry-After: Sun, 06 Nov 1994 08:49:46 GMT\r\n", 9),
        // No longer than the longest wait, whatever the server wants.
        ("Retry-After: 86400\r\n", 10),
    ] {
        let server = Server::start_badly(status(429, header, ""));
        let (endpoint, waits) = endpoint(config(&server));
        check_good(&ask(&endpoint, &question("?")).0);
        assert_eq!(waits.list(), [Duration::from_secs(seconds)], "{header}");
    }
}

#[test]
fn waits_double_and_are_the_same_in_every_run() {
    let server = Server::start(status(503, "", ""));
    let (endpoint, waits) = endpoint(EndpointConfig { attempts: 6, ..config(&server) });
    assert!(ask(&endpoint, &question("?")).0.is_err());
    let first = waits.list();
    assert_eq!(first.len(), 5);
    for (wait, most) in first.iter().zip([1, 2, 4, 8, 10]) {
        let most = Duration::from_secs(most);
        assert!(*wait >= most / 2 && *wait <= most, "{wait:?} {most:?}");
    }
    assert!(ask(&endpoint, &question("?")).0.is_err());
    assert_eq!(waits.list()[5..], first);
    assert!(ask(&endpoint, &question("What else?")).0.is_err());
    assert_ne!(waits.list()[10..], first);
}

#[test]
fn failing_several_times_then_success() {
    let server = Server::start(|connection| match connection.number {
        0 => status(500, "", "oh")(connection),
        1 => status(503, "", "busy")(connection),
        2 => status(529, "", "{}")(connection),
        _ => connection.answer_well(),
    });
    let (endpoint, waits) = endpoint(config(&server));
    let (result, told) = ask(&endpoint, &question("?"));
    check_good(&result);
    assert_eq!((server.connections(), waits.list().len()), (4, 3));
    assert!(!told.contains(&"↺".to_owned()), "nothing was told that would not count");
}

#[test]
fn failing_always() {
    let cause = check_tried_again(status(500, "", r#"{"error":{"message":"out of memory"}}"#));
    assert_eq!(cause, Cause::Status { status: 500, message: "out of memory".to_owned() });
}

#[test]
fn what_is_wrong_with_a_request_is_told_and_not_tried_again() {
    for code in [400, 402, 403, 404, 413, 422] {
        let body = "{\"error\":{\"message\":\"no\\u001b[31m such\\n model\"}}";
        let cause = check_given_up(status(code, "", body));
        assert_eq!(cause, Cause::Status { status: code, message: "no[31m such model".to_owned() });
    }
}

#[test]
fn a_long_message_is_shortened() {
    let cause = check_given_up(|connection| {
        connection.request();
        connection.answer(400, "", "x".repeat(1_000_000));
    });
    let message = cause.to_string();
    assert!(message.ends_with("xx…") && message.chars().count() < 400, "{message}");
}

#[test]
fn a_message_without_end() {
    let cause = check_given_up(|connection| {
        connection.request();
        connection.send("HTTP/1.1 400 Bad Request\r\n\r\n");
        connection.send_without_end("no, ");
    });
    assert!(cause.to_string().contains("no, no"), "{cause}");
}

#[test]
fn wrong_json() {
    let cause = check_tried_again(status(200, "Content-Type: application/json\r\n", "{\"choices\": [}"));
    assert!(unreadable(&cause).contains("application/json"), "{cause}");
}

#[test]
fn json_of_another_shape() {
    for body in ["{}", r#"{"choices":{}}"#, r#"{"choices":[{"message":"4"}]}"#, r#"{"choices":[{"a":1}]}"#] {
        unreadable(&check_tried_again(status(200, "", body)));
    }
}

#[test]
fn empty_choices() {
    let cause = check_tried_again(status(200, "", r#"{"choices":[]}"#));
    assert_eq!(unreadable(&cause), "there is no choice in it");
    let cause = check_tried_again(stream("data: {\"choices\":[]}\n\ndata: [DONE]\n\n"));
    assert_eq!(unreadable(&cause), "there is no choice in it");
}

#[test]
fn a_page_of_html() {
    let html = "<!doctype html>\n<title>Sign in</title>\n\n<p>Welcome to the hotel.\n";
    let cause = check_tried_again(status(200, "Content-Type: text/html\r\n", html));
    assert!(unreadable(&cause).contains("(text/html)"), "{cause}");
}

#[test]
fn an_answer_without_a_byte() {
    assert!(matches!(check_tried_again(status(200, "", "")), Cause::BrokenOff { .. }));
}

#[test]
fn invalid_utf_8() {
    let cause = check_tried_again(stream(b"data: {\"choices\":[{\"text\":\"\xC3\x28\"}]}\n\n".as_slice()));
    assert!(unreadable(&cause).contains("UTF-8"), "{cause}");
    let cause = check_tried_again(|connection| {
        connection.request();
        connection.answer(200, "", b"{\"choices\":[{\"text\":\"\xC3\x28\"}]}");
    });
    unreadable(&cause);
}

#[test]
fn an_error_in_the_middle_of_a_stream() {
    let text = format!("data: {}\n\ndata: {{\"error\":{{\"message\":\"no more memory\"}}}}\n\n", piece("e"));
    let cause = check_tried_again(stream(text));
    assert_eq!(cause, Cause::Reported { message: "no more memory".to_owned() });
}

#[test]
fn half_a_stream_starts_anew_for_whoever_listens() {
    let end = good_stream().find("= ").unwrap() + 20;
    let server = Server::start_badly(stream(&good_stream().as_bytes()[..end]));
    let (endpoint, _) = endpoint(config(&server));
    let (result, told) = ask(&endpoint, &question("?"));
    check_good(&result);
    assert_eq!(told, ["e^{i\\pi} ", "↺", "e^{i\\pi} ", "= ", "−1"]);
}

#[test]
fn half_a_stream_always() {
    let text = format!("data: {}\n\n", piece("e^"));
    assert!(matches!(check_tried_again(stream(text)), Cause::BrokenOff { .. }));
}

#[test]
fn who_listens_can_stop_at_a_restart() {
    let server = Server::start(stream(format!("data: {}\n\n", piece("e"))));
    let (endpoint, _) = endpoint(config(&server));
    let mut listen = |event: Event<'_>| if event == Event::Restart { Continue::No } else { Continue::Yes };
    let completion = endpoint.generate(&question("?"), &mut listen).unwrap();
    assert_eq!((completion.text.as_str(), completion.ended), ("", Ended::Stopped));
    assert_eq!(server.connections(), 1);
}

#[test]
fn who_listens_can_stop_before_a_server_is_asked_again() {
    let server = Server::start(status(503, "", "busy"));
    let (endpoint, _) = endpoint(config(&server));
    let mut listen = |_: Event<'_>| if server.connections() > 0 { Continue::No } else { Continue::Yes };
    let completion = endpoint.generate(&question("?"), &mut listen).unwrap();
    assert_eq!((completion.text.as_str(), completion.ended), ("", Ended::Stopped));
    assert_eq!(server.connections(), 1);
}

#[test]
fn who_listens_can_stop_and_the_connection_is_closed() {
    let (sender, receiver) = mpsc::channel();
    let server = Server::start(move |connection| {
        connection.request();
        connection.start_stream();
        connection.send_without_end(&format!("data: {}\n\n", piece("e")));
        let _ = sender.send(());
    });
    let (endpoint, _) = endpoint(config(&server));
    let mut left = 3;
    let completion = endpoint
        .generate(&question("?"), &mut |event| {
            left -= i32::from(event != Event::Waiting);
            if left == 0 { Continue::No } else { Continue::Yes }
        })
        .unwrap();
    assert_eq!((completion.text.as_str(), completion.ended), ("eee", Ended::Stopped));
    receiver.recv_timeout(Duration::from_secs(60)).expect("the server could send no more");
}

#[test]
fn what_comes_after_the_end_does_not_count() {
    let more = format!("data: {}\n\ndata: [DONE]\n\ndata: oh\n\n", piece("more"));
    assert_eq!(answered(stream(good_stream() + &more)), good());
    // It may even never come to an end.
    let endless = |connection: &mut Connection| {
        connection.request();
        connection.start_stream();
        connection.send(good_stream());
        connection.wait_for_close();
    };
    assert_eq!(answered(endless), good());
}

#[test]
fn signs_of_life_and_line_ends_of_every_kind() {
    let text =
        format!(": ping\n\nevent: message\nid: 1\n{}", good_stream().replace("\n\n", "\n\n: ping\n\n"));
    assert_eq!(answered(stream(text.clone())), good());
    assert_eq!(answered(stream(text.replace('\n', "\r\n"))), good());
    assert_eq!(answered(stream(text.replace('\n', "\r"))), good());
}

#[test]
fn the_limit_of_tokens() {
    let cut = good_stream().replace("\"stop\"", "\"length\"");
    assert_eq!(answered(stream(cut)), (GOOD.to_owned(), Ended::Limit));
}

#[test]
fn a_content_that_is_null() {
    let body = r#"{"choices":[{"message":{"role":"assistant","content":null},"finish_reason":"length"}]}"#;
    assert_eq!(answered(status(200, "", body)), (String::new(), Ended::Limit));
}

#[test]
fn a_text_that_was_withheld() {
    let cause =
        check_given_up(status(200, "", r#"{"choices":[{"text":"","finish_reason":"content_filter"}]}"#));
    assert!(matches!(cause, Cause::Withheld { .. }));
}

#[test]
fn a_whole_answer_in_place_of_a_stream_and_the_id_of_another() {
    let server = Server::start(|connection| {
        connection.request();
        let usage = json!({"prompt_tokens": 3, "completion_tokens": 5});
        let choice = json!({"index": 0, "message": {"content": GOOD}, "finish_reason": "stop"});
        let body = json!({"id": "of-another-request", "choices": [choice], "usage": usage});
        connection.answer(200, "Content-Type: application/json\r\n", body.to_string());
    });
    let (endpoint, _) = endpoint(config(&server));
    let (result, told) = ask(&endpoint, &question("?"));
    check_good(&result);
    assert_eq!(told, [GOOD]);
    assert_eq!(result.unwrap().completion_tokens, Some(5));
}

#[test]
fn a_text_goes_to_the_other_place() {
    let server = Server::start(|connection| {
        connection.request();
        connection.start_stream();
        connection.send("data: {\"choices\":[{\"text\":\"4\",\"finish_reason\":\"stop\"}]}\n\n");
    });
    let (endpoint, _) = endpoint(config(&server));
    let request = Request { prompt: Prompt::Text("2+2=".to_owned()), ..question("") };
    assert_eq!(ask(&endpoint, &request).0.unwrap().text, "4");
    let seen = &server.seen()[0];
    assert!(seen.head.starts_with("POST /v1/completions "), "{}", seen.head);
    assert_eq!(seen.body["prompt"], "2+2=");
}

#[test]
fn a_server_that_only_knows_conversations_is_suspected() {
    let server = Server::start(status(404, "", "Not Found"));
    let (endpoint, _) = endpoint(config(&server));
    let request = Request { prompt: Prompt::Text("2+2=".to_owned()), ..question("") };
    let error = ask(&endpoint, &request).0.unwrap_err().to_string();
    assert!(error.contains("may only know conversations") && error.ends_with("Not Found"), "{error}");
    let error = ask(&endpoint, &question("?")).0.unwrap_err().to_string();
    assert!(error.ends_with("answered 404: Not Found"), "{error}");
}

#[test]
fn parameters_that_a_server_does_not_know_are_left_out_and_remembered() {
    let server = Server::start(|connection| {
        let body = connection.request().body;
        let unknown = ["max_tokens", "temperature", "seed", "stream_options"];
        match unknown.into_iter().find(|name| body.get(name).is_some()) {
            Some(name) => {
                let message = format!("Unsupported parameter: '{name}' is not supported.");
                let error = json!({"error": {"message": message, "param": name}});
                connection.answer(400, "", error.to_string());
            }
            None => {
                connection.start_stream();
                connection.send(good_stream());
            }
        }
    });
    let (endpoint, waits) = endpoint(config(&server));
    check_good(&ask(&endpoint, &question("?")).0);
    assert_eq!(server.connections(), 5);
    check_good(&ask(&endpoint, &question("again?")).0);
    assert_eq!((server.connections(), waits.list().len()), (6, 0));
    assert_eq!(server.seen()[5].body["max_completion_tokens"], 100);
    use Parameter::{MaxTokens, Seed, StreamOptions, Temperature};
    assert_eq!(endpoint.left_out(), [MaxTokens, Temperature, Seed, StreamOptions]);
}

#[test]
fn what_does_not_help_is_not_remembered() {
    let server = Server::start(status(400, "", "seed is not supported"));
    let (endpoint, _) = endpoint(config(&server));
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert_eq!(server.connections(), 2);
    assert_eq!(cause(error), Cause::Status { status: 400, message: "seed is not supported".to_owned() });
    assert!(endpoint.left_out().is_empty());
}

#[test]
fn a_temperature_that_is_no_number_is_not_sent() {
    let server = Server::start(Connection::answer_well);
    let (endpoint, _) = endpoint(config(&server));
    let error = ask(&endpoint, &Request { temperature: f64::NAN, ..question("?") }).0.unwrap_err();
    assert!(matches!(error, Error::Request { .. }));
    assert_eq!(server.connections(), 0);
}
