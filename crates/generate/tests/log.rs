//! The key is in no log, however closely it listens. A program of its own: a process has one log.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use generate::{Continue, Endpoint, EndpointConfig, Generator, Key, Prompt, Request};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::Mutex;
use std::thread;

const SECRET: &str = "sk-0123456789abcdef";

/// A log that listens to everything.
struct Log(Mutex<Vec<(log::Level, String)>>);

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        self.0.lock().unwrap().push((record.level(), record.args().to_string()));
    }

    fn flush(&self) {}
}

#[test]
fn the_key_is_in_no_log() {
    static LOG: Log = Log(Mutex::new(Vec::new()));
    log::set_logger(&LOG).unwrap();
    log::set_max_level(log::LevelFilter::Trace);

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = String::new();
        while !request.ends_with('}') {
            let mut buffer = [0; 4096];
            let count = stream.read(&mut buffer).unwrap();
            assert!(count > 0, "{request}");
            request.push_str(str::from_utf8(&buffer[..count]).unwrap());
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n{\"choices\":[{\"text\":\"4\"}]}").unwrap();
        request
    });
    let key = Some(Key::new(SECRET).unwrap());
    let endpoint = Endpoint::new(EndpointConfig { key, ..EndpointConfig::new(address, "m") }).unwrap();
    let prompt = Prompt::Text("2+2=".to_owned());
    let request = Request { prompt, temperature: 0.0, max_tokens: 9, seed: 7, stop: Vec::new() };
    assert_eq!(endpoint.generate(&request, &mut |_| Continue::Yes).unwrap().text, "4");
    assert!(server.join().unwrap().contains(SECRET), "the server got it");

    let lines = LOG.0.lock().unwrap();
    assert!(!lines.is_empty(), "the log listens");
    for (level, line) in lines.iter() {
        // There the client shows every byte it sends, sixteen on a line.
        assert_ne!(*level, log::Level::Trace, "{line}");
        assert!(!line.contains(&SECRET[3..10]), "{line}");
    }
}
