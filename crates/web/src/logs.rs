//! The log: one line for each request, and for what happens to the index.

use std::io::{IsTerminal, stderr};
use std::panic;

/// What the lines of the log look like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// An object a line.
    Json,
}

/// Sends the log of this process to standard error, panics included. The first call counts.
pub fn log_to_stderr(format: LogFormat) {
    let builder = tracing_subscriber::fmt().with_writer(stderr).with_target(false);
    let colours = stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let set = match format {
        LogFormat::Text => builder.with_ansi(colours).try_init().is_ok(),
        LogFormat::Json => builder.json().flatten_event(true).with_current_span(false).try_init().is_ok(),
    };
    if set {
        panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            let payload = panic.payload();
            let text = payload.downcast_ref::<&str>().copied();
            let message = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
            let message = message.unwrap_or("(no message)");
            tracing::error!(place, message, "a panic; the request is answered with 500");
        }));
    }
}
