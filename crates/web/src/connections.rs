//! Connections: who may connect, for how long, and how it ends.
//!
//! A connection that says nothing must not keep others out. So each network has a limit of its
//! own, and where all places are taken, the connection that has been idle for longest is closed,
//! of the network that has most of them.

mod guests;
mod head;
mod host;

pub(crate) use guests::DoorCounts;

use crate::counted::{CountedBody, Sent};
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::from_fn;
use axum::response::Response;
use guests::{Guest, Guests};
use head::StrictStream;
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
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch as channel};
use tokio::time::{sleep, timeout};
use tower::ServiceExt as _;

/// The head of a request takes no more memory than this.
const LONGEST_HEAD: usize = 128 * 1024;
/// A request has no more headers than this.
const MOST_HEADERS: usize = 100;
/// How long to wait for a place or a socket before another connection is closed for it.
const BREATH: Duration = Duration::from_millis(50);
/// Files that the program needs beside its connections.
const OTHER_FILES: usize = 64;
/// The answer to a connection that is one too many.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\nretry-after: 1\r\n\
    connection: close\r\ncontent-length: 38\r\n\r\nToo many connections from your network";

/// Who may connect, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    /// The most connections that are open at once.
    pub(crate) connections: usize,
    /// The most of them that may come from one network.
    pub(crate) per_address: PerAddress,
    /// Who is silent for so long, before a request or in the middle of its head, is hung up on.
    pub(crate) patience: Duration,
    /// A connection is closed after so long, once the request under way is answered.
    pub(crate) life: Duration,
    /// What is under way then has so long to be answered and read.
    pub(crate) longest: Duration,
    /// What is under way when the program is told to stop has so long to end.
    pub(crate) farewell: Duration,
}

/// How many connections one address may have open. Addresses of IPv6 count by their /64, which is
/// what one customer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerAddress {
    /// A limit for each address but those of this computer, where a reverse proxy may run.
    Remote(usize),
    /// A limit for each address.
    Every(usize),
    /// As many as there are places, for a server behind a reverse proxy on another computer.
    Unlimited,
}

impl Default for PerAddress {
    fn default() -> Self {
        Self::Remote(128)
    }
}

impl PerAddress {
    /// How many connections an address may have open.
    fn most(self, network: IpAddr) -> usize {
        match self {
            Self::Remote(_) if network.is_loopback() => usize::MAX,
            Self::Remote(most) | Self::Every(most) => most.max(1),
            Self::Unlimited => usize::MAX,
        }
    }
}

/// From where a request came: each has it that came over a socket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The network that an address counts to: an address of IPv4 alone, of IPv6 the first 64 bits,
/// within which a client can choose its address freely.
pub(crate) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        // The loopback address of IPv6 is alone in its network.
        IpAddr::V6(address) if !address.is_loopback() => {
            IpAddr::V6((u128::from(address) & !u128::from(u64::MAX)).into())
        }
        other => other,
    }
}

/// Serves until `stop` ends, and then what is under way. Each connection holds what `enter` gives.
pub(crate) async fn serve_router<C: Send + 'static>(
    listener: TcpListener,
    router: Router,
    door: Door,
    counts: &DoorCounts,
    enter: impl Fn() -> C,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let router = router.layer(from_fn(host::one_host));
    let most = places(door.connections);
    let slots = Arc::new(Semaphore::new(most));
    let guests = Guests::new(counts);
    let (close, closing) = channel::channel(());
    let mut stop = pin!(stop);
    loop {
        let next = async {
            let (stream, address) = listener.accept().await?;
            let network = network_of(address.ip());
            if !guests.has_room(network, door.per_address.most(network)) {
                // Nobody reads it who does not wait for an answer.
                let _ = stream.try_write(FULL);
                return Ok(None);
            }
            let slot = slot(&slots, &guests).await;
            Ok::<_, io::Error>(Some((stream, Peer(address.ip()), network, slot)))
        };
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = next => accepted,
        };
        let (stream, peer, network, slot) = match accepted {
            Ok(Some(accepted)) => accepted,
            Ok(None) => continue,
            Err(error) => {
                tracing::warn!(cause = error.to_string(), "a connection cannot be accepted");
                // The system may have no more sockets for us.
                guests.shed_any();
                sleep(BREATH).await;
                continue;
            }
        };
        let guest = guests.enter(network);
        let entered = enter();
        let connection = connection(stream, peer, router.clone(), door, Arc::clone(&guest), closing.clone());
        let guests = guests.clone();
        tokio::spawn(async move {
            connection.await;
            guests.leave(&guest);
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

/// How many connections there can be: no more than the system lets the program have files.
fn places(wanted: usize) -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let files = limits.lines().find_map(|line| {
        let soft = line.strip_prefix("Max open files")?.split_whitespace().next()?;
        soft.parse::<usize>().ok()
    });
    let possible = files.map_or(wanted, |files| files.saturating_sub(OTHER_FILES).max(files / 4).max(1));
    if possible < wanted {
        tracing::warn!(connections = possible, wanted, "the limit of open files allows fewer connections");
    }
    wanted.min(possible)
}

/// Waits for a place; where there is none, an idle connection is closed for it.
async fn slot(slots: &Arc<Semaphore>, guests: &Guests) -> Option<OwnedSemaphorePermit> {
    if let Ok(slot) = Arc::clone(slots).try_acquire_owned() {
        return Some(slot);
    }
    loop {
        guests.shed_any();
        // It is never closed.
        if let Ok(slot) = timeout(BREATH, Arc::clone(slots).acquire_owned()).await {
            return slot.ok();
        }
    }
}

/// Answers what comes over a connection until it ends.
async fn connection(
    stream: TcpStream,
    peer: Peer,
    router: Router,
    door: Door,
    guest: Arc<Guest>,
    mut closing: channel::Receiver<()>,
) {
    // Answers go out whole; waiting for more would only delay them.
    let _ = stream.set_nodelay(true);
    let (asking, asked) = (Arc::clone(&guest), Arc::clone(&guest));
    let service = router
        .map_request(move |mut request: Request<Incoming>| {
            asking.works();
            request.extensions_mut().insert(peer);
            request
        })
        .map_response(move |response: Response| {
            let guest = Arc::clone(&asked);
            response.map(|body| Body::new(CountedBody::new(body, guest)))
        });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(door.patience)
        .max_buf_size(LONGEST_HEAD)
        .max_headers(MOST_HEADERS)
        .serve_connection(
            TokioIo::new(StrictStream::new(stream, Arc::clone(&guest))),
            TowerToHyperService::new(service),
        );
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
        () = guest.told_to_leave() => {
            if guest.is_idle() {
                return;
            }
            // A request came in the last moment; it is answered first.
            door.longest
        }
    };
    connection.as_mut().graceful_shutdown();
    // A client that does not read its answer is not waited for.
    let _ = timeout(left, connection).await;
}

impl Sent for Arc<Guest> {
    /// The connection is idle again.
    fn sent(&self, _: u64) {
        self.rests();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn addresses_of_one_customer_count_as_one() {
        assert_eq!(network_of(at("2001:db8:1:2:3:4:5:6")), network_of(at("2001:db8:1:2::9")));
        assert_ne!(network_of(at("2001:db8:1:2::9")), network_of(at("2001:db8:1:3::9")));
        assert_eq!(network_of(at("::ffff:192.0.2.7")), at("192.0.2.7"));
        assert_ne!(network_of(at("192.0.2.7")), network_of(at("192.0.2.8")));
        assert_eq!(network_of(at("::1")), at("::1"));
    }

    #[test]
    fn a_proxy_on_this_computer_has_no_limit_unless_one_is_given() {
        let usual = PerAddress::default();
        assert_eq!(usual.most(at("192.0.2.7")), 128);
        for near in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(usual.most(network_of(at(near))), usize::MAX, "{near}");
            assert_eq!(PerAddress::Every(5).most(network_of(at(near))), 5, "{near}");
        }
        assert_eq!(PerAddress::Unlimited.most(at("192.0.2.7")), usize::MAX);
    }

    #[test]
    fn the_answer_to_one_too_many_is_whole() {
        let text = std::str::from_utf8(FULL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.ends_with(&format!("content-length: {}", body.len())), "{head}");
    }
}
