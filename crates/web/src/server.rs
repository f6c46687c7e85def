//! What is served, and the process that serves it.

use crate::assess::{AssessApp, serve_assess};
use crate::connections::{Door, serve_router};
use crate::error::{AppError, ServeError};
use crate::state::App;
use crate::{api, front, pages, watch};
use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::json;
use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch as channel;

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
    let (status, code) = match app.served().engine.index().sound() {
        Ok(()) => ("ok", StatusCode::OK),
        Err(_) => ("damaged", StatusCode::SERVICE_UNAVAILABLE),
    };
    let health = json!({ "status": status, "version": env!("CARGO_PKG_VERSION"), "generation": generation });
    (code, [(header::CACHE_CONTROL, "no-store")], axum::Json(health)).into_response()
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
        let Self { runtime, stopped } = self;
        runtime.block_on(async {
            let mut look = signal(SignalKind::hangup())?;
            let hurry = app.clone();
            tokio::spawn(async move {
                while look.recv().await.is_some() {
                    hurry.look_now().notify_one();
                }
            });
            serve(listener, app, told(stopped)).await
        })?;
        // Work that nobody waits for any more is not waited for.
        runtime.shutdown_background();
        Ok(())
    }

    /// Serves the pages for assessors until the process is told to stop.
    ///
    /// # Errors
    ///
    /// When the listener is not one.
    pub fn run_assess(self, listener: TcpListener, app: AssessApp) -> Result<(), ServeError> {
        let Self { runtime, stopped } = self;
        runtime.block_on(serve_assess(listener, app, told(stopped)))?;
        runtime.shutdown_background();
        Ok(())
    }
}

/// Ends when the process has been told to stop.
async fn told(mut stopped: channel::Receiver<bool>) {
    // The sender lives until it has told.
    let _ = stopped.wait_for(|stopped| *stopped).await;
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
    let config = app.config();
    let door = Door {
        connections: config.connections,
        per_address: config.per_address,
        patience: config.patience,
        life: config.connection_life,
        longest: config.longest_work() + front::READING,
        farewell: config.farewell,
    };
    if let Some(model) = &config.model {
        tracing::info!(
            model = model.full_name(),
            called = model.display_name,
            "a language model writes answers"
        );
    }
    let watcher = tokio::spawn(watch::watch(app.clone()));
    let (counts, enter) = (app.metrics().door(), || app.metrics().connects());
    let served = serve_router(listener, router(app.clone()), door, counts, enter, stop).await;
    watcher.abort();
    served
}
