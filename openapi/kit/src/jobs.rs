//! Long work.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Client;

/// Asks for a job until a condition holds, for at most ten minutes.
pub async fn job_until(client: &Client<'_>, id: &Value, holds: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let job = client.get(&format!("/system/pc/job/view?id={id}")).await.data().clone();
        if holds(&job) {
            return job;
        }
        assert!(begun.elapsed() < Duration::from_secs(600), "never: {job}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

pub async fn ended(client: &Client<'_>, id: &Value) -> Value {
    job_until(client, id, |job| !["queued", "running"].contains(&job["state"].as_str().unwrap_or_default())).await
}
