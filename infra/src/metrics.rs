//! Figures for operators, in Prometheus' text form. No label names a person or a school.

use std::time::Duration;

use prometheus::{
    Encoder, HistogramOpts, HistogramVec, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry,
    TextEncoder, core::Collector,
};

use crate::db::Db;

#[derive(Clone)]
pub struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    connections: IntGaugeVec,
    jobs: IntCounterVec,
    visitors: IntGauge,
    cut: IntCounterVec,
    answers: IntGauge,
    restarts: IntCounter,
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
        let visitors = IntGauge::new("chengjiao_visitor_connections", "Connections of visitors");
        let cut = IntCounterVec::new(
            Opts::new("chengjiao_visitor_connections_cut_total", "Connections that kept the server waiting"),
            &["why"],
        );
        let answers = IntGauge::new("chengjiao_database_answers", "Whether the database answered just now");
        let restarts =
            IntCounter::new("chengjiao_database_restarts_total", "Deaths of the private database that were repaired");
        let metrics = Self {
            registry,
            requests: requests.expect("constant name"),
            seconds: seconds.expect("constant name"),
            connections: connections.expect("constant name"),
            jobs: jobs.expect("constant name"),
            visitors: visitors.expect("constant name"),
            cut: cut.expect("constant name"),
            answers: answers.expect("constant name"),
            restarts: restarts.expect("constant name"),
        };
        let collectors: [Box<dyn Collector>; 8] = [
            Box::new(metrics.requests.clone()),
            Box::new(metrics.seconds.clone()),
            Box::new(metrics.connections.clone()),
            Box::new(metrics.jobs.clone()),
            Box::new(metrics.visitors.clone()),
            Box::new(metrics.cut.clone()),
            Box::new(metrics.answers.clone()),
            Box::new(metrics.restarts.clone()),
        ];
        for collector in collectors {
            metrics.registry.register(collector).expect("registered once");
        }
        metrics
    }

    pub(crate) fn request(&self, method: &str, code: i32, took: Duration) {
        self.requests.with_label_values(&[method, &code.to_string()]).inc();
        self.seconds.with_label_values(&[method]).observe(took.as_secs_f64());
    }

    pub(crate) fn job(&self, kind: &str, state: &str) {
        self.jobs.with_label_values(&[kind, state]).inc();
    }

    /// Connections of visitors at this moment.
    pub fn visitors(&self) -> &IntGauge {
        &self.visitors
    }

    /// A connection was cut or not admitted.
    pub fn cut(&self, why: &str) {
        self.cut.with_label_values(&[why]).inc();
    }

    /// How often the private database was started again since this server began.
    pub fn restarts(&self, restarts: u64) {
        self.restarts.inc_by(restarts.saturating_sub(self.restarts.get()));
    }

    /// The page that Prometheus reads.
    pub fn page(&self, db: &Db) -> String {
        self.answers.set(i64::from(db.pulse().answers()));
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
