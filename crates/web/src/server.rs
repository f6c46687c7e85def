//! Connections: who may connect, for how long, and how it ends.

use crate::error::{AppError, ServeError};
use crate::state::App;
use crate::{api, front, pages, watch};
use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::json;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Semaphore, watch as channel};
use tokio::time::{sleep, timeout};

/// The head of a request takes no more memory than this.
const LONGEST_HEAD: usize = 128 * 1024;
/// A request has no more headers than this.
const MOST_HEADERS: usize = 100;
/// When the system has no more sockets, how long to wait for one.
const BREATH: Duration = Duration::from_millis(100);

/// Everything that is served, without a socket.
pub fn router(app: App) -> Router {
    let routes = Router::new()
        .merge(pages::routes())
        .merge(api::page())
        .route("/healthz", get(healthy))
        .route("/metrics", get(metrics))
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .nest("/api/v1", api::routes());
    front::build(routes, &app).with_state(app)
}

async fn unknown(uri: Uri) -> Response {
    let path: String = uri.path().chars().take(100).collect();
    front::failed(uri.path(), AppError::NotFound(format!("page at {path}")))
}

async fn wrong_method(method: Method) -> Response {
    page(&AppError::Method(method.to_string()))
}

/// An error as a page.
pub(crate) fn page(error: &AppError) -> Response {
    let mut response = pages::error_page(error.status(), &error.told());
    error.note(&mut response);
    response
}

async fn healthy(State(app): State<App>) -> Response {
    let generation = app.served().engine.index().generation();
    let health = json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION"), "generation": generation });
    ([(header::CACHE_CONTROL, "no-store")], axum::Json(health)).into_response()
}

async fn metrics(State(app): State<App>) -> Response {
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    let text = app.metrics().to_text(&app);
    (StatusCode::OK, [kind, (header::CACHE_CONTROL, "no-store")], text).into_response()
}

/// Listens on an address. Who connects from now on waits until the server runs.
///
/// # Errors
///
/// When the system does not allow it, or another program listens there.
pub fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    let failed = |source| ServeError::Listen { address, source };
    let listener = TcpListener::bind(address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

/// A process that serves until it is told to stop.
///
/// It hears SIGINT and SIGTERM from the moment it is made, so that what is done before the server runs is
/// cleaned up, too, and no signal is lost in between.
#[derive(Debug)]
pub struct Process {
    runtime: Runtime,
    stopped: channel::Receiver<bool>,
}

impl Process {
    /// Begins to listen for signals.
    ///
    /// # Errors
    ///
    /// When the system gives no threads or signals.
    pub fn new() -> Result<Self, ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let (stop, stopped) = channel::channel(false);
        let heard = {
            let _inside = runtime.enter();
            told_to_stop()?
        };
        runtime.spawn(async move {
            heard.await;
            let _ = stop.send(true);
        });
        Ok(Self { runtime, stopped })
    }

    /// Whether the process has been told to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        *self.stopped.borrow()
    }

    /// Serves until the process is told to stop; SIGHUP has it look for a changed index at once.
    ///
    /// # Errors
    ///
    /// When the system gives no signals, or the listener is not one.
    pub fn run(self, listener: TcpListener, app: App) -> Result<(), ServeError> {
        let Self { runtime, mut stopped } = self;
        runtime.block_on(async {
            let mut look = signal(SignalKind::hangup())?;
            let hurry = app.clone();
            tokio::spawn(async move {
                while look.recv().await.is_some() {
                    hurry.look_now().notify_one();
                }
            });
            let stop = async {
                // The sender lives until it has told.
                let _ = stopped.wait_for(|stopped| *stopped).await;
            };
            serve(listener, app, stop).await
        })?;
        // Work that nobody waits for any more is not waited for.
        runtime.shutdown_background();
        Ok(())
    }
}

/// Ends when the process is told to stop.
fn told_to_stop() -> io::Result<impl Future<Output = ()> + Send> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Serves until `stop` ends, and then what is under way for as long as the configuration says.
///
/// # Errors
///
/// When the listener is not one.
pub async fn serve(listener: TcpListener, app: App, stop: impl Future<Output = ()>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let watcher = tokio::spawn(watch::watch(app.clone()));
    let most = app.config().connections;
    let slots = Arc::new(Semaphore::new(most));
    let (close, closing) = channel::channel(());
    let router = router(app.clone());
    let mut stop = pin!(stop);
    loop {
        let next = async {
            // It is never closed.
            let slot = Arc::clone(&slots).acquire_owned().await.ok();
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            () = &mut stop => break,
            next = next => next,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!(cause = error.to_string(), "a connection cannot be accepted");
                sleep(BREATH).await;
                continue;
            }
        };
        let connection = connection(stream, router.clone(), app.clone(), closing.clone());
        tokio::spawn(async move {
            connection.await;
            drop(slot);
        });
    }
    drop(listener);
    tracing::info!(connections = most - slots.available_permits(), "stopping");
    watcher.abort();
    // Idle connections end at once, others with their answer.
    let _ = close.send(());
    let all = slots.acquire_many(u32::try_from(most).unwrap_or(u32::MAX));
    if timeout(app.config().farewell, all).await.is_err() {
        tracing::warn!(connections = most - slots.available_permits(), "not all was answered in time");
    }
    Ok(())
}

/// Answers what comes over a connection until it ends.
async fn connection(stream: TcpStream, router: Router, app: App, mut closing: channel::Receiver<()>) {
    let _counted = app.metrics().connects();
    let config = app.config();
    // Answers go out whole; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(config.patience)
        .max_buf_size(LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let mut connection = pin!(connection);
    tokio::select! {
        // What goes wrong here is a client that went away or does not speak HTTP.
        ended = connection.as_mut() => {
            if let Err(error) = ended {
                tracing::debug!(cause = error.to_string(), "a connection ended");
            }
            return;
        }
        _ = closing.changed() => {}
        () = sleep(config.connection_life) => {}
    }
    connection.as_mut().graceful_shutdown();
    // A client that does not read its answer is not waited for.
    let _ = timeout(config.farewell, connection).await;
}
