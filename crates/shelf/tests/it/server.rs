//! A small hub on loopback, and the other host that it sends people to.

use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

pub(crate) const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// A request as it came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first byte that is asked for.
    fn start(&self) -> Option<usize> {
        self.header("range")?.strip_prefix("bytes=")?.strip_suffix('-')?.parse().ok()
    }
}

/// An answer.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    /// Send only this many bytes of the body.
    pub(crate) cut: Option<usize>,
    /// Then keep the connection open until the other side gives up.
    pub(crate) stall: bool,
}

impl Reply {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, body: body.into(), ..Self::default() }
    }

    pub(crate) fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// The bytes that a request asks for.
    pub(crate) fn bytes(request: &Request, bytes: &[u8]) -> Self {
        match request.start() {
            Some(start) if start >= bytes.len() => Self::new(416, ""),
            Some(start) => Self::new(206, &bytes[start..])
                .with("content-range", format!("bytes {start}-{}/{}", bytes.len() - 1, bytes.len())),
            None => Self::new(200, bytes),
        }
    }
}

/// A server that answers each connection once.
pub(crate) struct Server {
    pub(crate) address: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
                thread::spawn(move || {
                    let Some(request) = read(&stream) else { return };
                    let number = {
                        let mut log = log.lock().unwrap();
                        log.push(request.clone());
                        log.iter().filter(|earlier| earlier.path == request.path).count() - 1
                    };
                    send(stream, &answer(&request, number));
                });
            }
        });
        Self { address, requests }
    }

    /// All requests until now.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// The requests for a path that ends like this.
    pub(crate) fn for_path(&self, ending: &str) -> Vec<Request> {
        self.requests().into_iter().filter(|request| request.path.ends_with(ending)).collect()
    }
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut lines = BufReader::new(stream).lines();
    let path = lines.next()?.ok()?.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    for line in lines.map_while(Result::ok).take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
    Some(Request { path, headers })
}

fn send(mut stream: TcpStream, reply: &Reply) {
    let mut head = format!(
        "HTTP/1.1 {} Said\r\ncontent-length: {}\r\nconnection: close\r\n",
        reply.status,
        reply.body.len()
    );
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let body = &reply.body[..reply.cut.unwrap_or(reply.body.len()).min(reply.body.len())];
    // The other side may have gone.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
    if reply.stall {
        let _ = stream.read(&mut [0]);
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

pub(crate) fn git(bytes: &[u8]) -> String {
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", bytes.len()));
    hasher.update(bytes);
    hex(&hasher.finalize())
}

/// The files of a repository, as a hub has them.
pub(crate) type Files = Vec<(&'static str, Vec<u8>)>;

/// Whether the hub keeps a file elsewhere.
pub(crate) fn is_large(path: &str) -> bool {
    path.ends_with(".safetensors") || path.ends_with(".gguf")
}

/// The list of files at a commit; with sizes and checksums, or without as old hubs have it.
pub(crate) fn list(files: &Files, with_blobs: bool) -> String {
    let siblings: Vec<String> = files
        .iter()
        .map(|(path, bytes)| match (with_blobs, is_large(path)) {
            (false, _) => format!(r#"{{"rfilename":"{path}"}}"#),
            (true, true) => format!(
                r#"{{"rfilename":"{path}","size":{0},"blobId":"{1}","lfs":{{"sha256":"{2}","size":{0},"pointerSize":134}}}}"#,
                bytes.len(),
                "00".repeat(20),
                sha256(bytes)
            ),
            (true, false) => {
                format!(r#"{{"rfilename":"{path}","size":{},"blobId":"{}"}}"#, bytes.len(), git(bytes))
            }
        })
        .collect();
    format!(r#"{{"id":"org/tiny","sha":"{COMMIT}","gated":false,"siblings":[{}]}}"#, siblings.join(","))
}

/// What a hub answers that has `org/tiny` and keeps large files at another address.
pub(crate) fn hub(files: &Files, with_blobs: bool, elsewhere: &str, request: &Request) -> Reply {
    let path = request.path.split('?').next().unwrap_or_default();
    if path == "/api/models/org/tiny/revision/main"
        || path == format!("/api/models/org/tiny/revision/{COMMIT}")
    {
        return Reply::new(200, list(files, with_blobs)).with("content-type", "application/json");
    }
    if path.starts_with("/api/models/org/tiny/revision/") {
        return Reply::new(404, r#"{"error":"Invalid rev id"}"#).with("x-error-code", "RevisionNotFound");
    }
    let file = path.strip_prefix(&format!("/org/tiny/resolve/{COMMIT}/"));
    let Some((name, bytes)) = file.and_then(|file| files.iter().find(|(name, _)| *name == file)) else {
        return Reply::new(401, r#"{"error":"Invalid username or password."}"#)
            .with("x-error-code", "RepoNotFound");
    };
    let reply = if is_large(name) {
        Reply::new(302, "elsewhere")
            .with("location", format!("{elsewhere}/blob/{name}?signature=s3cret-signature"))
            .with("x-linked-etag", format!("\"{}\"", sha256(bytes)))
            .with("x-linked-size", bytes.len().to_string())
            .with("etag", "\"of the redirect\"")
    } else {
        Reply::bytes(request, bytes).with("etag", format!("\"{}\"", git(bytes)))
    };
    reply.with("x-repo-commit", COMMIT)
}

/// What the other host answers.
pub(crate) fn elsewhere(files: &Files, request: &Request) -> Reply {
    let path = request.path.split('?').next().unwrap_or_default();
    let file = path.strip_prefix("/blob/").and_then(|file| files.iter().find(|(name, _)| *name == file));
    file.map_or_else(
        || Reply::new(404, ""),
        |(_, bytes)| Reply::bytes(request, bytes).with("etag", "\"d41d8cd98f\""),
    )
}
