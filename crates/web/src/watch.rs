//! Looks whether the index has changed, and takes the new state over.

use crate::state::{App, Served};
use index::Index;
use std::time::Instant;

/// Looks again and again, for ever.
pub(crate) async fn watch(app: App) {
    // What went wrong is told once.
    let mut told = String::new();
    loop {
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
    if Index::fingerprint_at(app.path())? == app.served().fingerprint() {
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
