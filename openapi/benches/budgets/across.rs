//! Lists of the operators' area over a hundred schools (05 F).

use std::time::{Duration, Instant};

use infra::App;
use openapi::server;

use crate::{
    Anything, median,
    place::{operator, post, token, with_students},
    row,
};

const SCHOOLS: usize = 100;
const STUDENTS: i64 = 2_000;
const LIST: &str = "/adult/pc/studentRoll/list";

/// The list over a hundred schools beside the same page of one of them; a budget is a school's work for each of them on
/// one core.
pub async fn across(app: &App) -> Result<(), Anything> {
    let mut schools = Vec::with_capacity(SCHOOLS);
    for n in 0..SCHOOLS {
        schools.push(with_students(app, &format!("across{n}"), STUDENTS).await?);
    }
    let endpoint = server::endpoint(app);
    let (inside, outside) = (token(app, schools[0]).await?, operator(app, &schools).await?);
    for page in [1, 10, 100] {
        let body = format!(r#"{{"scope":"all","pageCurrent":{page}}}"#);
        let one = measured(async || post(&endpoint, &inside, LIST, &body).await.map(drop)).await?;
        let all = measured(async || post(&endpoint, &outside, LIST, &body).await.map(drop)).await?;
        row(&format!("student list over {SCHOOLS} schools, page {page}"), all, one, SCHOOLS as f64);
    }
    Ok(())
}

async fn measured(call: impl AsyncFn() -> Result<(), Anything>) -> Result<Duration, Anything> {
    call().await?;
    let mut times = Vec::new();
    for _ in 0..21 {
        let started = Instant::now();
        call().await?;
        times.push(started.elapsed());
    }
    Ok(median(times))
}
