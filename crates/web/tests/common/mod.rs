//! Indexes to serve, and a server without a socket.

#![allow(dead_code, reason = "each test uses some of it")]

pub(crate) mod bureau;
pub(crate) mod judging;
pub(crate) mod writer;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use index::{FeatureKind, Options};
use ingest::files::Input;
use ingest::{Plan, Strictness, Unwatched};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::Duration;
use testkit::TempDir;
use tokio::sync::oneshot;
use tower::ServiceExt;
use web::{App, Config};

/// Three posts that have a bit of everything.
pub(crate) const POSTS: &str = r#"{"kind":"user","id":3,"name":"Sophie <b>"}
{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"For real $x$ the square is never negative.","tags":["algebra","inequality"],"score":4,"date":"2015-02-03","owner":3,"accepted":2}
{"kind":"answer","id":2,"parent":1,"body":"Yes: \\[x^2=x\\cdot x\\] is a product of equal signs.","score":1}
{"kind":"comment","id":9,"post":2,"body":"Even for $x=0$."}
{"kind":"question","id":3,"title":"Sums of squares","body":"What is $\\sum_{k=1}^n k^2$? <script>alert(1)</script>","tags":["series"]}
"#;

/// Another post, for an index that changes.
pub(crate) const LATER: &str = r#"{"kind":"question","id":4,"title":"Zorn's lemma","body":"Why is $\\aleph_0$ countable?","tags":["set-theory"]}
"#;

/// Makes a collection of lines of JSON.
pub(crate) fn collection(folder: &Path, name: &str, posts: &str) -> PathBuf {
    // Inputs live as long as the program.
    let posts: &'static str = Box::leak(posts.to_owned().into_boxed_str());
    let path = folder.join(name);
    let plan = Plan::new(vec![Input::text("posts.jsonl", posts)], "posts").unwrap();
    ingest::build(&plan, &path, Strictness::Lenient, &AtomicU64::new(0), &mut Unwatched).unwrap();
    path
}

/// Makes an index of a collection.
pub(crate) fn index_of(collection: &Path, target: &Path) {
    let options = Options {
        formula_features: FeatureKind::ALL.to_vec(),
        post_features: FeatureKind::OF_POSTS.to_vec(),
    };
    index::build(collection, target, &options, &index::Unwatched).unwrap();
}

/// As usual, but with limits that only what never ends runs into, on however slow a machine.
pub(crate) fn patient() -> Config {
    let long = Duration::from_secs(300);
    Config { time_limit: long, patience: long, farewell: long, ..Config::default() }
}

/// A server over a folder of its own.
pub(crate) struct Site {
    pub(crate) folder: TempDir,
    pub(crate) app: App,
    pub(crate) router: Router,
}

/// What was answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Site {
    /// Serves the three posts.
    pub(crate) fn small(name: &str) -> Self {
        Self::small_with(name, patient())
    }

    /// Serves the three posts in another way.
    pub(crate) fn small_with(name: &str, config: Config) -> Self {
        let folder = TempDir::new(name);
        let posts = collection(folder.path(), "posts.coll", POSTS);
        index_of(&posts, &folder.path().join("posts.index"));
        Self::over(folder, "posts.index", config)
    }

    /// Serves the sample.
    pub(crate) fn sample(name: &str) -> Self {
        Self::sample_with(name, patient())
    }

    /// Serves the sample in another way.
    pub(crate) fn sample_with(name: &str, config: Config) -> Self {
        let folder = TempDir::new(name);
        let (plan, path) = (sample::plan().unwrap(), folder.path().join("sample.coll"));
        ingest::build(&plan, &path, Strictness::Strict, &AtomicU64::new(0), &mut Unwatched).unwrap();
        index_of(&path, &folder.path().join("sample.index"));
        Self::over(folder, "sample.index", config)
    }

    fn over(folder: TempDir, index: &str, config: Config) -> Self {
        let app = App::open(&folder.path().join(index), config).unwrap();
        let router = web::router(app.clone());
        Self { folder, app, router }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let body = response.into_body().collect().await.unwrap().to_bytes().to_vec();
        Answer { status, headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// What is answered with 200, as JSON.
    pub(crate) async fn json(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.json()
    }

    pub(crate) async fn post(&self, path: &str, body: &str) -> Answer {
        let request = Request::post(path).header("content-type", "application/json");
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A server on a socket.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(site: &Site) -> Self {
        Self::serving(site.app.clone())
    }

    pub(crate) fn serving(app: App) -> Self {
        let listener = web::listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let stop = async {
                let _ = stopped.await;
            };
            runtime.block_on(web::serve(listener, app, stop)).unwrap();
            runtime.shutdown_background();
        });
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
        stream
    }

    /// Sends bytes and reads until the other side hangs up.
    pub(crate) fn talk(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        // It may hang up before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub(crate) fn get(&self, path: &str) -> String {
        self.talk(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes())
    }

    pub(crate) fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.thread.take().unwrap().join().unwrap();
    }
}
