//! The process that serves one of the two sites until it is told to stop.

use crate::assess::{AssessApp, serve_assess};
use crate::site::{App, serve};
use std::future::Future;
use std::io;
use std::net::{SocketAddr, TcpListener};
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch as channel;

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

/// Why serving could not begin or go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The index cannot be opened.
    #[error(transparent)]
    Index(#[from] index::Error),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}{}", hint(source))]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The system gives no threads, sockets or signals.
    #[error("the server cannot run")]
    Run(#[from] io::Error),
}

impl ServeError {
    /// Whether another program listens there already.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Listen { source, .. } if source.kind() == io::ErrorKind::AddrInUse)
    }
}

fn hint(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::AddrInUse => {
            ": another program listens there; choose another port with --port, or 0 for any"
        }
        io::ErrorKind::PermissionDenied => {
            ": that is not allowed; ports below 1024 are for the administrator"
        }
        _ => "",
    }
}
