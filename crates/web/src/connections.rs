//! Connections: who may connect, for how long, and how it ends.

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::net::{IpAddr, TcpListener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch as channel};
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;

/// The head of a request takes no more memory than this.
const LONGEST_HEAD: usize = 128 * 1024;
/// A request has no more headers than this.
const MOST_HEADERS: usize = 100;
/// When the system has no more sockets, how long to wait for one.
const BREATH: Duration = Duration::from_millis(100);

/// Who may connect, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    /// So many connections are open at once; more wait outside.
    pub(crate) connections: usize,
    /// Who is silent for so long, before a request or in the middle of its head, is hung up on.
    pub(crate) patience: Duration,
    /// A connection is closed after so long, once the request under way is answered.
    pub(crate) life: Duration,
    /// What is under way then has so long to be answered and read.
    pub(crate) longest: Duration,
    /// What is under way when the program is told to stop has so long to end.
    pub(crate) farewell: Duration,
}

/// From where a request came: each has it that came over a socket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Serves until `stop` ends, and then what is under way. Each connection holds what `enter` gives.
pub(crate) async fn serve_router<C: Send + 'static>(
    listener: TcpListener,
    router: Router,
    door: Door,
    enter: impl Fn() -> C,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let most = door.connections;
    let slots = Arc::new(Semaphore::new(most));
    let (close, closing) = channel::channel(());
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
        let (stream, peer) = match accepted {
            Ok((stream, address)) => (stream, Peer(address.ip())),
            Err(error) => {
                tracing::warn!(cause = error.to_string(), "a connection cannot be accepted");
                sleep(BREATH).await;
                continue;
            }
        };
        let entered = enter();
        let connection = connection(stream, peer, router.clone(), door, closing.clone());
        tokio::spawn(async move {
            connection.await;
            drop((slot, entered));
        });
    }
    drop(listener);
    tracing::info!(connections = most - slots.available_permits(), "stopping");
    // Idle connections end at once, others with their answer.
    let _ = close.send(());
    let all = slots.acquire_many(u32::try_from(most).unwrap_or(u32::MAX));
    if timeout(door.farewell, all).await.is_err() {
        tracing::warn!(connections = most - slots.available_permits(), "not all was answered in time");
    }
    Ok(())
}

/// Answers what comes over a connection until it ends.
async fn connection(
    stream: TcpStream,
    peer: Peer,
    router: Router,
    door: Door,
    mut closing: channel::Receiver<()>,
) {
    // Answers go out whole; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let service = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        request
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(door.patience)
        .max_buf_size(LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    let mut connection = pin!(connection);
    let left = tokio::select! {
        // What goes wrong here is a client that went away or does not speak HTTP.
        ended = connection.as_mut() => {
            if let Err(error) = ended {
                tracing::debug!(cause = error.to_string(), "a connection ended");
            }
            return;
        }
        _ = closing.changed() => door.farewell,
        () = sleep(door.life) => door.longest,
    };
    connection.as_mut().graceful_shutdown();
    // A client that does not read its answer is not waited for.
    let _ = timeout(left, connection).await;
}
