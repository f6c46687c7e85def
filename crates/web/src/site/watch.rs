//! Looks whether the index has changed, and takes the new state over.

use crate::site::checking;
use crate::site::state::{App, Served};
use index::Index;
use std::sync::{Arc, Weak};
use std::time::Instant;

/// Looks again and again, for ever.
pub(crate) async fn watch(app: App) {
    // What went wrong is told once.
    let mut told = String::new();
    let mut checked = Weak::new();
    loop {
        let served = app.served();
        if !Weak::ptr_eq(&checked, &Arc::downgrade(&served)) {
            checked = Arc::downgrade(&served);
            checking::begin(served);
        }
        tokio::select! {
            () = tokio::time::sleep(app.config().look) => {}
            () = app.look_now().notified() => told.clear(),
        }
        let looking = app.clone();
        let looked = tokio::task::spawn_blocking(move || look(&looking)).await;
        let trouble = match looked {
            Ok(Ok(())) => String::new(),
            Ok(Err(error)) => error.to_string(),
            Err(error) => error.to_string(),
        };
        if !trouble.is_empty() && trouble != told {
            app.metrics().not_swapped();
            tracing::error!(cause = trouble, "the index cannot be opened; the old state is served on");
        }
        told = trouble;
    }
}

/// Takes the state on the disk over if it is another than the one that is served.
fn look(app: &App) -> Result<(), index::Error> {
    let (fingerprint, generation) = Index::state_at(app.path())?;
    let served = app.served();
    let index = served.engine.index();
    // An index that was built anew because it was damaged holds the same, in other files.
    let is_mended = generation != index.generation() && index.sound().is_err();
    if fingerprint == served.fingerprint() && !is_mended {
        return Ok(());
    }
    let start = Instant::now();
    let served = Served::open(app.path(), app.config().resources.clone())?;
    let (generation, posts) = (served.engine.index().generation(), served.engine.index().num_posts());
    app.swap(served);
    let milliseconds = start.elapsed().as_millis();
    tracing::info!(generation, posts, milliseconds, "the index has changed; the new state is served");
    Ok(())
}
