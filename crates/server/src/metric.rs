//! What the server counts of itself, in the text format of Prometheus. No names, no tokens.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// One number that goes up, or up and down.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn up(&self) {
        self.add(1);
    }

    pub(crate) fn add(&self, n: u64) {
        self.0.fetch_add(n, Ordering::Relaxed);
    }

    pub(crate) fn down(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    pub(crate) fn now(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Upper bounds of the classes of the histogram, in microseconds.
const BOUNDS: [u64; 10] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000,
];

/// Everything that is counted.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    pub(crate) sockets: Count,
    pub(crate) tables: Count,
    pub(crate) events: Count,
    pub(crate) refusals: Count,
    pub(crate) frames_in: Count,
    pub(crate) frames_out: Count,
    pub(crate) bot_faults: Count,
    pub(crate) analyses: Count,
    pub(crate) requests: Count,
    pub(crate) failures: Count,
    store_classes: [Count; 10],
    store_micros: Count,
}

impl Metrics {
    /// Notes that an event was stored, and how long that took.
    pub(crate) fn stored(&self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.events.up();
        self.store_micros.add(micros);
        for (bound, class) in BOUNDS.iter().zip(&self.store_classes) {
            if micros <= *bound {
                class.up();
            }
        }
    }

    /// The text for `/metrics`.
    pub(crate) fn text(&self) -> String {
        let plain: [(&str, &str, &str, &Count); 10] = [
            ("sockets", "gauge", "Open sockets.", &self.sockets),
            ("tables", "gauge", "Tables in memory.", &self.tables),
            ("events_total", "counter", "Events stored.", &self.events),
            (
                "refusals_total",
                "counter",
                "Actions refused.",
                &self.refusals,
            ),
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
        ];
        let mut text = String::new();
        for (name, kind, help, count) in plain {
            let value = count.now();
            let head = format!("# HELP convoy_{name} {help}\n# TYPE convoy_{name} {kind}\n");
            text.push_str(&head);
            writeln!(text, "convoy_{name} {value}").expect("a string takes all text");
        }
        self.store_histogram(&mut text);
        text
    }

    #[allow(
        clippy::cast_precision_loss,
        reason = "a sum of seconds is read to a few digits"
    )]
    fn store_histogram(&self, text: &mut String) {
        let name = "convoy_store_seconds";
        let seconds = |micros: u64| micros as f64 / 1e6;
        let mut lines =
            format!("# HELP {name} Time until an event was stored.\n# TYPE {name} histogram\n");
        for (bound, class) in BOUNDS.iter().zip(&self.store_classes) {
            let (le, count) = (seconds(*bound), class.now());
            writeln!(lines, "{name}_bucket{{le=\"{le}\"}} {count}")
                .expect("a string takes all text");
        }
        let (sum, count) = (seconds(self.store_micros.now()), self.events.now());
        writeln!(
            lines,
            "{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {sum}\n{name}_count {count}"
        )
        .expect("a string takes all text");
        text.push_str(&lines);
    }
}
