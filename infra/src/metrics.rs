//! Figures for operators, in Prometheus' text form. No label names a person or a school.

use std::time::Duration;

use prometheus::{Encoder, HistogramOpts, HistogramVec, IntCounterVec, IntGaugeVec, Opts, Registry, TextEncoder};

use crate::db::Db;

#[derive(Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    connections: IntGaugeVec,
    jobs: IntCounterVec,
}

impl Metrics {
    /// # Panics
    /// Never: the names are constants and differ.
    pub fn new() -> Self {
        let registry = Registry::new();
        let requests = IntCounterVec::new(Opts::new("chengjiao_requests_total", "Answered calls"), &["method", "code"]);
        let seconds = HistogramVec::new(HistogramOpts::new("chengjiao_request_seconds", "Time to answer"), &["method"]);
        let connections =
            IntGaugeVec::new(Opts::new("chengjiao_connections", "Database connections"), &["pool", "state"]);
        let jobs = IntCounterVec::new(Opts::new("chengjiao_jobs_total", "Finished jobs"), &["kind", "state"]);
        let (requests, seconds, connections, jobs) = (
            requests.expect("constant name"),
            seconds.expect("constant name"),
            connections.expect("constant name"),
            jobs.expect("constant name"),
        );
        registry.register(Box::new(requests.clone())).expect("registered once");
        registry.register(Box::new(seconds.clone())).expect("registered once");
        registry.register(Box::new(connections.clone())).expect("registered once");
        registry.register(Box::new(jobs.clone())).expect("registered once");
        Self { registry, requests, seconds, connections, jobs }
    }

    pub(crate) fn request(&self, method: &str, code: i32, took: Duration) {
        self.requests.with_label_values(&[method, &code.to_string()]).inc();
        self.seconds.with_label_values(&[method]).observe(took.as_secs_f64());
    }

    pub(crate) fn job(&self, kind: &str, state: &str) {
        self.jobs.with_label_values(&[kind, state]).inc();
    }

    /// The page that Prometheus reads.
    pub fn page(&self, db: &Db) -> String {
        for (pool, size, idle) in db.pools() {
            let idle = i64::try_from(idle).unwrap_or(i64::MAX);
            self.connections.with_label_values(&[&pool, "idle"]).set(idle);
            self.connections.with_label_values(&[&pool, "used"]).set(i64::from(size) - idle);
        }
        let mut page = Vec::new();
        if let Err(error) = TextEncoder::new().encode(&self.registry.gather(), &mut page) {
            tracing::error!(%error, "metrics could not be written");
        }
        String::from_utf8_lossy(&page).into_owned()
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
