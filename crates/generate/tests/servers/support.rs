//! A server that can lie at the level of bytes, and a clock that waits for nothing.

use generate::{
    Cause, Clock, Completion, Continue, Ended, Endpoint, EndpointConfig, Error, Event, Generator, Message,
    Prompt, Proxies, Request, Role,
};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

/// What a client sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The first line and the headers.
    pub(crate) head: String,
    /// The body, null if it was no JSON.
    pub(crate) body: Value,
}

impl Seen {
    /// What the user said last.
    pub(crate) fn question(&self) -> String {
        self.body["messages"][0]["content"].as_str().unwrap_or_default().to_owned()
    }
}

/// A connection from a client.
pub(crate) struct Connection {
    /// How many there were before.
    pub(crate) number: usize,
    stream: TcpStream,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Connection {
    /// Reads the request to its end.
    pub(crate) fn request(&mut self) -> Seen {
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        loop {
            let text = String::from_utf8_lossy(&bytes);
            if let Some((head, body)) = text.split_once("\r\n\r\n")
                && body.len() >= length_of_body(head)
            {
                let body = serde_json::from_str(body).unwrap_or_default();
                let seen = Seen { head: head.to_owned(), body };
                self.seen.lock().unwrap().push(seen.clone());
                return seen;
            }
            match self.stream.read(&mut buffer) {
                Ok(0) | Err(_) => return Seen::default(),
                Ok(count) => bytes.extend_from_slice(&buffer[..count]),
            }
        }
    }

    /// Reads no more than the first bytes of the request.
    pub(crate) fn request_head(&mut self) {
        let _ = self.stream.read_exact(&mut [0; 16]);
    }

    /// Sends bytes, and says whether they could be sent.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).is_ok()
    }

    /// Sends the same bytes until the client goes away.
    pub(crate) fn send_without_end(&mut self, bytes: &str) {
        let many = bytes.repeat(100);
        while self.send(&many) {}
    }

    /// Waits until the client goes away.
    pub(crate) fn wait_for_close(&mut self) {
        let mut buffer = [0; 4096];
        while matches!(self.stream.read(&mut buffer), Ok(count) if count > 0) {}
    }

    /// Sends a status, headers and a body with its length.
    pub(crate) fn answer(&mut self, status: u16, headers: &str, body: impl AsRef<[u8]>) {
        let body = body.as_ref();
        let length = body.len();
        self.send(format!("HTTP/1.1 {status} X\r\nContent-Length: {length}\r\n{headers}\r\n"));
        self.send(body);
    }

    /// Sends the head of a stream that ends with the connection.
    pub(crate) fn start_stream(&mut self) {
        self.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
    }

    /// Reads the request and answers it well.
    pub(crate) fn answer_well(&mut self) {
        self.request();
        self.start_stream();
        self.send(good_stream());
    }
}

fn length_of_body(head: &str) -> usize {
    let length = |line: &str| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok();
    head.lines().find_map(length).unwrap_or(0)
}

/// A server on this machine, one thread a connection, which is gone when dropped.
pub(crate) struct Server {
    address: SocketAddr,
    connections: Arc<AtomicUsize>,
    seen: Arc<Mutex<Vec<Seen>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server that does this with every connection.
    pub(crate) fn start(handle: impl Fn(&mut Connection) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let connections = Arc::new(AtomicUsize::new(0));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (count, list, over, handle) =
            (Arc::clone(&connections), Arc::clone(&seen), Arc::clone(&is_over), Arc::new(handle));
        let thread = thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                stream.set_nodelay(true).unwrap();
                let number = count.fetch_add(1, Ordering::SeqCst);
                let mut connection = Connection { number, stream, seen: Arc::clone(&list) };
                let handle = Arc::clone(&handle);
                thread::spawn(move || handle(&mut connection));
            }
        });
        Self { address, connections, seen, is_over, thread: Some(thread) }
    }

    /// A server that does this with the first connection, and answers all others well.
    pub(crate) fn start_badly(bad: impl Fn(&mut Connection) + Send + Sync + 'static) -> Self {
        Self::start(
            move |connection| {
                if connection.number == 0 { bad(connection) } else { connection.answer_well() }
            },
        )
    }

    /// Its address, as an endpoint takes it.
    pub(crate) fn address(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How many connections there were.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// What clients sent so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // The thread waits for a connection; this is the last one.
        let _ = TcpStream::connect(self.address);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// The text of [`good_stream`].
pub(crate) const GOOD: &str = "e^{i\\pi} = −1";

/// A stream without fault, piece by piece.
pub(crate) fn good_stream() -> String {
    let role = json!({"id": "a", "choices": [{"index": 0, "delta": {"role": "assistant", "content": null}}]});
    let end = json!({"id": "b", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let usage = json!({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 5}});
    let pieces = GOOD.split_inclusive(' ').map(piece);
    let events = [role].into_iter().chain(pieces).chain([end, usage]);
    events.map(|event| format!("data: {event}\n\n")).chain(["data: [DONE]\n\n".to_owned()]).collect()
}

/// A piece of a stream, as JSON.
pub(crate) fn piece(text: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]})
}

/// A clock that writes down for how long it should have waited.
#[derive(Clone, Default)]
pub(crate) struct Waits(Arc<Mutex<Vec<Duration>>>);

impl Waits {
    pub(crate) fn list(&self) -> Vec<Duration> {
        self.0.lock().unwrap().clone()
    }
}

impl Clock for Waits {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777)
    }

    fn sleep(&self, duration: Duration, go_on: &mut dyn FnMut() -> Continue) -> Continue {
        self.0.lock().unwrap().push(duration);
        go_on()
    }
}

/// Four attempts, waits from 1 to 10 seconds that nobody waits for, and a hundred kilobytes.
pub(crate) fn config(server: &Server) -> EndpointConfig {
    EndpointConfig {
        connect_timeout: Duration::from_secs(20),
        idle_timeout: Duration::from_secs(20),
        answer_timeout: Duration::from_secs(60),
        attempts: 4,
        first_wait: Duration::from_secs(1),
        longest_wait: Duration::from_secs(10),
        most_bytes: 100_000,
        proxies: Proxies::default(),
        ..EndpointConfig::new(server.address(), "m")
    }
}

/// An endpoint that waits for nothing, and what it should have waited.
pub(crate) fn endpoint(config: EndpointConfig) -> (Endpoint, Waits) {
    let waits = Waits::default();
    (Endpoint::with_clock(config, Box::new(waits.clone())).unwrap(), waits)
}

/// A question to a model.
pub(crate) fn question(text: &str) -> Request {
    let prompt = Prompt::Chat(vec![Message { role: Role::User, content: text.to_owned() }]);
    Request { prompt, temperature: 0.0, max_tokens: 100, seed: 1, stop: Vec::new() }
}

/// Asks, and gives the answer with what whoever listened was told: pieces, and `↺` for a restart.
pub(crate) fn ask(generator: &impl Generator, request: &Request) -> (Result<Completion, Error>, Vec<String>) {
    let mut told = Vec::new();
    let result = generator.generate(request, &mut |event| {
        match event {
            Event::Text(text) => told.push(text.to_owned()),
            Event::Restart => told.push("↺".to_owned()),
            Event::Waiting => {}
        }
        Continue::Yes
    });
    if let Ok(completion) = &result {
        let last = told.iter().rposition(|piece| piece == "↺").map_or(0, |place| place + 1);
        assert_eq!(told[last..].concat(), completion.text, "all pieces together are the text");
    }
    (result, told)
}

/// Checks that an answer is the one of [`good_stream`].
pub(crate) fn check_good(result: &Result<Completion, Error>) {
    let completion = result.as_ref().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((completion.text.as_str(), completion.ended), (GOOD, Ended::Itself));
}

/// A server that does this once is asked again and answers; one that always does it is asked as often as
/// allowed. Gives the cause.
pub(crate) fn check_tried_again(bad: impl Fn(&mut Connection) + Clone + Send + Sync + 'static) -> Cause {
    let server = Server::start_badly(bad.clone());
    let (endpoint, waits) = self::endpoint(config(&server));
    check_good(&ask(&endpoint, &question("?")).0);
    assert_eq!((server.connections(), waits.list().len()), (2, 1));

    let server = Server::start(bad);
    let (endpoint, waits) = self::endpoint(config(&server));
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert_eq!((server.connections(), waits.list().len()), (4, 3));
    assert!(error.is_temporary() && error.to_string().contains("asked 4 times"), "{error}");
    cause(error)
}

/// A server that does this is asked once only. Gives the cause.
pub(crate) fn check_given_up(bad: impl Fn(&mut Connection) + Send + Sync + 'static) -> Cause {
    let server = Server::start(bad);
    let (endpoint, waits) = self::endpoint(config(&server));
    let error = ask(&endpoint, &question("?")).0.unwrap_err();
    assert_eq!((server.connections(), waits.list().len()), (1, 0));
    assert!(!error.is_temporary());
    cause(error)
}

/// The cause of an error of an endpoint.
pub(crate) fn cause(error: Error) -> Cause {
    match error {
        Error::Endpoint { cause, .. } => cause,
        other => panic!("{other}"),
    }
}
