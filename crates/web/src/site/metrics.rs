//! Numbers about the running server, as Prometheus reads them.

use crate::connections::DoorCounts;
use crate::site::state::App;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Upper ends of the classes of durations, in seconds.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Everything that is counted.
#[derive(Debug)]
pub(crate) struct Metrics {
    routes: RwLock<BTreeMap<String, Arc<Route>>>,
    working: Gauge,
    waiting: Gauge,
    /// Answers that a language model writes, and those that wait for it.
    writing: Gauge,
    writing_waiting: Gauge,
    connections: Gauge,
    door: DoorCounts,
    swaps: AtomicU64,
    failed_swaps: AtomicU64,
    started: SystemTime,
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            routes: RwLock::default(),
            working: Gauge::default(),
            waiting: Gauge::default(),
            writing: Gauge::default(),
            writing_waiting: Gauge::default(),
            connections: Gauge::default(),
            door: DoorCounts::default(),
            swaps: AtomicU64::new(0),
            failed_swaps: AtomicU64::new(0),
            started: SystemTime::now(),
        }
    }
}

/// What is counted of one route.
#[derive(Debug, Default)]
struct Route {
    /// By the first digit of the status.
    classes: [AtomicU64; 5],
    durations: [AtomicU64; SECONDS.len() + 1],
    microseconds: AtomicU64,
    bytes: AtomicU64,
}

/// How many there are just now.
#[derive(Clone, Debug, Default)]
struct Gauge(Arc<AtomicUsize>);

/// One of those that are counted, until it is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    gauge: Arc<AtomicUsize>,
    number: usize,
}

impl Gauge {
    fn enter(&self) -> Counted {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        Counted { gauge: Arc::clone(&self.0), number }
    }

    fn now(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counted {
    /// How many there are now, itself included.
    pub(crate) fn now(&self) -> usize {
        self.gauge.load(Ordering::Relaxed)
    }

    /// How many there were when it came, itself included.
    pub(crate) fn number(&self) -> usize {
        self.number
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.gauge.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Work begins.
    pub(crate) fn works(&self) -> Counted {
        self.working.enter()
    }

    /// Work waits for its turn.
    pub(crate) fn waits(&self) -> Counted {
        self.waiting.enter()
    }

    /// A language model begins to write.
    pub(crate) fn writes(&self) -> Counted {
        self.writing.enter()
    }

    /// Someone waits for the language model.
    pub(crate) fn waits_to_write(&self) -> Counted {
        self.writing_waiting.enter()
    }

    /// A connection is opened.
    pub(crate) fn connects(&self) -> Counted {
        self.connections.enter()
    }

    /// Connections that were closed for others or turned away.
    pub(crate) fn door(&self) -> &DoorCounts {
        &self.door
    }

    /// Another state of the index is served.
    pub(crate) fn swapped(&self) {
        self.swaps.fetch_add(1, Ordering::Relaxed);
    }

    /// Another state of the index could not be opened.
    pub(crate) fn not_swapped(&self) {
        self.failed_swaps.fetch_add(1, Ordering::Relaxed);
    }

    /// A request was answered.
    pub(crate) fn answered(&self, route: &str, status: u16, duration: Duration, bytes: u64) {
        let known = self.routes.read().unwrap_or_else(PoisonError::into_inner).get(route).cloned();
        let stats = known.unwrap_or_else(|| {
            let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(routes.entry(route.to_owned()).or_default())
        });
        let class = usize::from(status / 100).clamp(1, 5) - 1;
        stats.classes[class].fetch_add(1, Ordering::Relaxed);
        let seconds = duration.as_secs_f64();
        let place = SECONDS.iter().position(|end| seconds <= *end).unwrap_or(SECONDS.len());
        stats.durations[place].fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        stats.microseconds.fetch_add(microseconds, Ordering::Relaxed);
        stats.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// All of it in the text format of Prometheus.
    pub(crate) fn to_text(&self, app: &App) -> String {
        let mut out = String::new();
        self.routes_to_text(&mut out);
        self.state_to_text(app, &mut out);
        if app.config().model.is_some() {
            for (name, help, gauge) in [
                ("hypatia_answers_writing", "Answers that the language model writes.", &self.writing),
                (
                    "hypatia_answers_waiting",
                    "Answers that wait for the language model.",
                    &self.writing_waiting,
                ),
            ] {
                head(&mut out, name, "gauge", help);
                put(&mut out, name, "", gauge.now());
            }
        }
        if let Some(bytes) = resident_bytes() {
            let name = "process_resident_memory_bytes";
            head(&mut out, name, "gauge", "Memory in use, pages of the index that are in memory included.");
            put(&mut out, name, "", bytes);
        }
        out
    }

    /// What was answered, by the route.
    fn routes_to_text(&self, out: &mut String) {
        let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner).clone();
        let get = |number: &AtomicU64| number.load(Ordering::Relaxed);
        head(out, "hypatia_requests_total", "counter", "Requests that were answered.");
        for (route, stats) in &routes {
            for (class, count) in (1..).zip(&stats.classes).filter(|(_, count)| get(count) > 0) {
                let count = get(count);
                put(out, "hypatia_requests_total", &format!("route=\"{route}\",status=\"{class}xx\""), count);
            }
        }
        let name = "hypatia_request_seconds";
        head(out, name, "histogram", "How long requests took until the last byte of the answer.");
        for (route, stats) in &routes {
            let mut sum = 0;
            for (end, count) in SECONDS.iter().zip(&stats.durations) {
                sum += get(count);
                put(out, &format!("{name}_bucket"), &format!("route=\"{route}\",le=\"{end}\""), sum);
            }
            sum += get(&stats.durations[SECONDS.len()]);
            put(out, &format!("{name}_bucket"), &format!("route=\"{route}\",le=\"+Inf\""), sum);
            let seconds = get(&stats.microseconds) as f64 / 1e6;
            put(out, &format!("{name}_sum"), &format!("route=\"{route}\""), seconds);
            put(out, &format!("{name}_count"), &format!("route=\"{route}\""), sum);
        }
        head(out, "hypatia_response_bytes_total", "counter", "Bytes of bodies that were sent.");
        for (route, stats) in &routes {
            put(out, "hypatia_response_bytes_total", &format!("route=\"{route}\""), get(&stats.bytes));
        }
    }

    /// What is served, and what is under way.
    fn state_to_text(&self, app: &App, out: &mut String) {
        let served = app.served();
        let index = served.engine.index();
        let formulas: u64 =
            index.sources().iter().map(|source| u64::from(source.collection.num_visuals())).sum();
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        for (name, kind, help, value) in [
            ("hypatia_searches", "gauge", "Searches that are under way.", self.working.now() as f64),
            (
                "hypatia_searches_waiting",
                "gauge",
                "Searches that wait for their turn.",
                self.waiting.now() as f64,
            ),
            ("hypatia_connections", "gauge", "Connections that are open.", self.connections.now() as f64),
            (
                "hypatia_connections_shed_total",
                "counter",
                "Idle connections that were closed to make room for others.",
                self.door.shed() as f64,
            ),
            (
                "hypatia_connections_refused_total",
                "counter",
                "Connections that were turned away since their address had too many.",
                self.door.refused() as f64,
            ),
            (
                "hypatia_index_generation",
                "gauge",
                "How often the index was changed.",
                index.generation() as f64,
            ),
            ("hypatia_index_posts", "gauge", "Posts in the index.", f64::from(index.num_posts())),
            (
                "hypatia_index_formulas",
                "gauge",
                "Visually distinct formulas in the collections of the index.",
                formulas as f64,
            ),
            ("hypatia_index_bytes", "gauge", "Bytes of the index's files.", index.size() as f64),
            (
                "hypatia_index_checked_bytes",
                "gauge",
                "Bytes of the index that were compared with their checksums in the background.",
                served.checked() as f64,
            ),
            (
                "hypatia_index_damaged_sections",
                "gauge",
                "Sections of the index that are not as they were written.",
                index.num_damaged() as f64,
            ),
            (
                "hypatia_index_swaps_total",
                "counter",
                "Changed indexes that were taken over.",
                self.swaps.load(Ordering::Relaxed) as f64,
            ),
            (
                "hypatia_index_failed_swaps_total",
                "counter",
                "Changed indexes that could not be opened.",
                self.failed_swaps.load(Ordering::Relaxed) as f64,
            ),
            ("process_start_time_seconds", "gauge", "When the server began.", since(self.started)),
        ] {
            head(out, name, kind, help);
            put(out, name, "", value);
        }
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

fn put(out: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let _ = match labels {
        "" => writeln!(out, "{name} {value}"),
        _ => writeln!(out, "{name}{{{labels}}} {value}"),
    };
}

/// The memory of this process, where the system tells it.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
