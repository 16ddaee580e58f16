//! What the server counts of itself, in the text format of Prometheus. No names, no tokens.

mod process;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::pool::Class;
use crate::store::Health;

/// One number that goes up, or up and down.
#[derive(Debug, Default)]
pub(crate) struct Gauge(AtomicU64);

impl Gauge {
    pub(crate) fn inc(&self) {
        self.add(1);
    }

    pub(crate) fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    pub(crate) fn dec(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn set(&self, n: u64) {
        self.0.store(n, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Upper bounds of the buckets of a histogram, in microseconds.
const BOUNDS: [u64; 12] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000,
    30_000_000,
];

/// How long something took, in buckets.
#[derive(Debug, Default)]
pub(crate) struct Histogram {
    buckets: [Gauge; BOUNDS.len()],
    micros: Gauge,
    count: Gauge,
}

impl Histogram {
    pub(crate) fn add(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.count.inc();
        self.micros.add(micros);
        for (bound, bucket) in BOUNDS.iter().zip(&self.buckets) {
            if micros <= *bound {
                bucket.inc();
            }
        }
    }

    /// Its lines; `labels` are those of the histogram, or nothing.
    #[allow(
        clippy::cast_precision_loss,
        reason = "a sum of seconds is read to a few digits"
    )]
    fn write(&self, text: &mut String, name: &str, labels: &str) {
        let seconds = |micros: u64| micros as f64 / 1e6;
        let (open, comma) = if labels.is_empty() {
            ("", "")
        } else {
            (labels, ",")
        };
        let braced = if labels.is_empty() {
            String::new()
        } else {
            format!("{{{labels}}}")
        };
        let bucket = |text: &mut String, le: &str, count: u64| {
            line(
                text,
                &format!("{name}_bucket{{{open}{comma}le=\"{le}\"}} {count}"),
            );
        };
        for (bound, of) in BOUNDS.iter().zip(&self.buckets) {
            bucket(text, &seconds(*bound).to_string(), of.get());
        }
        bucket(text, "+Inf", self.count.get());
        line(
            text,
            &format!("{name}_sum{braced} {}", seconds(self.micros.get())),
        );
        line(text, &format!("{name}_count{braced} {}", self.count.get()));
    }
}

fn line(text: &mut String, line: &str) {
    writeln!(text, "{line}").expect("a string takes all text");
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    line(text, &format!("# HELP {name} {help}\n# TYPE {name} {kind}"));
}

/// How often something happened, by a code.
#[derive(Debug, Default)]
pub(crate) struct Codes(Mutex<BTreeMap<&'static str, u64>>);

impl Codes {
    pub(crate) fn inc(&self, code: &'static str) {
        let mut codes = self.0.lock().expect("no holder of this lock panics");
        *codes.entry(code).or_default() += 1;
    }

    fn write(&self, text: &mut String, name: &str, help: &str) {
        head(text, name, "counter", help);
        let codes = self.0.lock().expect("no holder of this lock panics");
        for (code, count) in &*codes {
            line(text, &format!("{name}{{code=\"{code}\"}} {count}"));
        }
    }
}

/// How the storage does.
fn write_storage(text: &mut String, storage: &Health) {
    let up = u8::from(storage.fault.is_none());
    let waiting = storage.waiting;
    let help = "Whether the storage takes changes: 1, or 0 while they are refused.";
    head(text, "convoy_storage_up", "gauge", help);
    line(text, &format!("convoy_storage_up {up}"));
    let help = "Events that wait to be written.";
    head(text, "convoy_appends_waiting", "gauge", help);
    line(text, &format!("convoy_appends_waiting {waiting}"));
}

/// What is counted of one class of jobs.
#[derive(Debug, Default)]
pub(crate) struct JobMetrics {
    pub(crate) waiting: Gauge,
    pub(crate) refused: Gauge,
    /// From when a job is queued until it first runs.
    pub(crate) waits: Histogram,
    /// How long jobs ran, all slices together.
    pub(crate) times: Histogram,
}

/// What is counted of a pool, by class.
#[derive(Debug, Default)]
pub(crate) struct PoolMetrics([JobMetrics; Class::ALL.len()]);

impl PoolMetrics {
    pub(crate) fn of(&self, class: Class) -> &JobMetrics {
        &self.0[class as usize]
    }
}

/// Everything that is counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) sockets: Gauge,
    pub(crate) tables: Gauge,
    pub(crate) events: Gauge,
    /// Actions refused at tables.
    pub(crate) refusals: Codes,
    pub(crate) http_refusals: Codes,
    pub(crate) frames_in: Gauge,
    pub(crate) frames_out: Gauge,
    pub(crate) bot_faults: Gauge,
    pub(crate) analyses: Gauge,
    pub(crate) requests: Gauge,
    pub(crate) failures: Gauge,
    store: Histogram,
    pub(crate) thinking: Arc<PoolMetrics>,
    pub(crate) answering: Arc<PoolMetrics>,
    pub(crate) drawing: Arc<PoolMetrics>,
    pub(crate) passwords: Arc<PoolMetrics>,
    /// Requests to workers, by what became of them.
    pub(crate) workers: Arc<Codes>,
}

impl Metrics {
    /// Notes that an event was stored, and how long that took.
    pub(crate) fn stored(&self, took: Duration) {
        self.events.inc();
        self.store.add(took);
    }

    /// Plain numbers: name, kind, meaning.
    fn counts(&self) -> [(&'static str, &'static str, &'static str, &Gauge); 9] {
        [
            ("sockets", "gauge", "Open sockets.", &self.sockets),
            ("tables", "gauge", "Tables in memory.", &self.tables),
            ("events_total", "counter", "Events stored.", &self.events),
            (
                "frames_in_total",
                "counter",
                "Frames read.",
                &self.frames_in,
            ),
            (
                "frames_out_total",
                "counter",
                "Frames sent.",
                &self.frames_out,
            ),
            (
                "bot_faults_total",
                "counter",
                "Bots that came back with nothing lawful.",
                &self.bot_faults,
            ),
            (
                "analyses_total",
                "counter",
                "Analyses begun.",
                &self.analyses,
            ),
            (
                "requests_total",
                "counter",
                "HTTP requests.",
                &self.requests,
            ),
            (
                "failures_total",
                "counter",
                "HTTP answers of 500 and above.",
                &self.failures,
            ),
        ]
    }

    /// The text for `/metrics`.
    pub(crate) fn text(&self, storage: &Health, nats: Option<bool>) -> String {
        let mut text = String::new();
        for (name, kind, help, count) in self.counts() {
            let name = format!("convoy_{name}");
            head(&mut text, &name, kind, help);
            line(&mut text, &format!("{name} {}", count.get()));
        }
        let name = "convoy_store_seconds";
        head(
            &mut text,
            name,
            "histogram",
            "Time until an event was stored.",
        );
        self.store.write(&mut text, name, "");
        self.write_jobs(&mut text);
        let help = "Actions refused at tables, by the code of the refusal.";
        self.refusals
            .write(&mut text, "convoy_refusals_total", help);
        let help = "HTTP requests refused, by the code of the refusal.";
        self.http_refusals
            .write(&mut text, "convoy_http_refusals_total", help);
        let help = "Requests to workers: done, nobody, refused, silent or stopped.";
        self.workers
            .write(&mut text, "convoy_worker_requests_total", help);
        write_storage(&mut text, storage);
        if let Some(is_up) = nats {
            let help = "Whether the connection to NATS stands: 1, or 0 while it is lost.";
            head(&mut text, "convoy_nats_up", "gauge", help);
            line(&mut text, &format!("convoy_nats_up {}", u8::from(is_up)));
        }
        process::write(&mut text);
        text
    }

    /// The pools, by what their jobs are for.
    fn write_jobs(&self, text: &mut String) {
        let thinking = Class::ALL.map(|class| (class.name(), self.thinking.of(class)));
        let others = [
            ("question", self.answering.of(Class::Short)),
            ("picture", self.drawing.of(Class::Short)),
            ("password", self.passwords.of(Class::Move)),
            ("known-password", self.passwords.of(Class::Short)),
        ];
        let all: Vec<_> = thinking.into_iter().chain(others).collect();
        head(
            text,
            "convoy_jobs_waiting",
            "gauge",
            "Jobs that wait for a thread.",
        );
        for (class, of) in &all {
            let count = of.waiting.get();
            line(
                text,
                &format!("convoy_jobs_waiting{{class=\"{class}\"}} {count}"),
            );
        }
        let name = "convoy_jobs_refused_total";
        head(text, name, "counter", "Jobs that there was no room for.");
        for (class, of) in &all {
            let count = of.refused.get();
            line(text, &format!("{name}{{class=\"{class}\"}} {count}"));
        }
        let name = "convoy_job_wait_seconds";
        head(text, name, "histogram", "Time until a job first ran.");
        for (class, of) in &all {
            of.waits.write(text, name, &format!("class=\"{class}\""));
        }
        let name = "convoy_job_seconds";
        head(text, name, "histogram", "Time that a job ran.");
        for (class, of) in &all {
            of.times.write(text, name, &format!("class=\"{class}\""));
        }
    }
}
