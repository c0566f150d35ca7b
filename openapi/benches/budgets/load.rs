//! What the benches of many people at once share: who calls, a bare database beside, and the lines that are printed.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use futures_util::{StreamExt, future::join_all, stream};
use kit::{Listening, Server};
use openapi::document;
use serde_json::Value;
use sqlx::PgConnection;

/// Calls that are on their way at once.
pub const AT_ONCE: usize = 64;
/// Connections that a server has for a school.
const CONNECTIONS: usize = 3;

/// The clients of a server that listens.
pub struct Wire {
    http: reqwest::Client,
    base: String,
}

impl Wire {
    pub fn to(listening: &Listening) -> Self {
        let http = reqwest::Client::builder().pool_max_idle_per_host(AT_ONCE).build().expect("a client");
        Self { http, base: format!("{}{}", listening.address, document::BASE) }
    }

    /// The envelope of an answer.
    pub async fn get(&self, token: &str, path: &str) -> Value {
        Self::answered(self.http.get(format!("{}{path}", self.base)), token).await
    }

    pub async fn post(&self, token: &str, path: &str, body: &Value) -> Value {
        Self::answered(self.http.post(format!("{}{path}", self.base)).json(body), token).await
    }

    async fn answered(request: reqwest::RequestBuilder, token: &str) -> Value {
        let answer = request.header("token", token).send().await.expect("an answer");
        serde_json::from_slice(&answer.bytes().await.expect("a whole answer")).expect("an envelope")
    }
}

/// Makes the calls of everybody, as many at once as are on their way.
pub async fn at_once<T>(calls: impl Iterator<Item = impl Future<Output = T>>) -> Vec<T> {
    stream::iter(calls).buffer_unordered(AT_ONCE).collect().await
}

/// Does each of the works once, on as many connections as the server has; how long all of them took.
pub async fn bare<T>(server: &Server, works: &[T], work: impl AsyncFn(&mut PgConnection, &T)) -> Duration {
    let mut connections = Vec::with_capacity(CONNECTIONS);
    for _ in 0..CONNECTIONS {
        connections.push(server.owner().await);
    }
    let (next, work) = (&AtomicUsize::new(0), &work);
    let begun = Instant::now();
    join_all(connections.iter_mut().map(|connection| async move {
        while let Some(one) = works.get(next.fetch_add(1, Ordering::Relaxed)) {
            work(&mut *connection, one).await;
        }
    }))
    .await;
    begun.elapsed()
}

pub fn headings() {
    println!("{:<60} {:>13} {:>13} {:>8}", "what", "ours", "beside", "ratio");
}

/// How many a second.
pub fn rate(what: &str, ours: f64, beside: f64) {
    println!("{what:<60} {ours:>11.0}/s {beside:>11.0}/s {:>8.2}", ours / beside);
}

pub fn time(what: &str, ours: Duration, beside: Duration) {
    let shown = |time: Duration| match time.as_secs() {
        0..=9 => format!("{:.2} ms", time.as_secs_f64() * 1e3),
        _ => format!("{:.1} s", time.as_secs_f64()),
    };
    let ratio = ours.as_secs_f64() / beside.as_secs_f64();
    println!("{what:<60} {:>13} {:>13} {ratio:>8.2}", shown(ours), shown(beside));
}

/// The time within which so many of a hundred were done.
pub fn within(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}
