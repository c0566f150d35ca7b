//! `make bench`: what the product costs beside what it stands on, as ratios of one run. Fails nothing.
//!
//! Keeps its database in `target/bench`; `BENCH=name` chooses one of: lists routing school migrate export import
//! across, and rows, season, selection, study, terraform and timetable, which run only by their names. Lists and rows have folders
//! of their own in it; what is named behind them keeps nothing. One program, because each links the whole server.

mod across;
mod every_list;
mod known_scans;
mod large_school;
mod large_site;
mod list_calls;
mod load;
mod pgbench;
mod place;
mod plan;
mod routing;
mod rows;
mod schools;
mod season;
mod selection;
mod sheets;
mod site_calls;
mod study;
mod taught_calls;
mod terraform;
mod timetable;

use std::{path::PathBuf, time::Duration};

use infra::{audit::Actor, config::Config};
use openapi::{modules, start, upgrade};

type Anything = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Anything> {
    // Cargo itself adds `--bench`.
    let chosen = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    match chosen.as_str() {
        "season" => season::season().await,
        "selection" => selection::selection().await,
        "study" => study::study().await,
        "terraform" => terraform::terraform().await,
        "timetable" => timetable::timetable(),
        _ => return budgets(&chosen).await,
    }
    Ok(())
}

/// What is chosen of the table of budgets; all of it but `rows` when nothing is.
async fn budgets(chosen: &str) -> Result<(), Anything> {
    let wanted = |name: &str| chosen.is_empty() || chosen == name;
    let config =
        Config { data: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../target/bench")), ..Config::default() };
    headings();
    if chosen == "rows" {
        return rows::rows(&config).await;
    }
    if wanted("lists") {
        every_list::every_list(&config).await?;
    }
    if chosen == "lists" {
        return Ok(());
    }
    let database = start::database(&config).await?;
    upgrade::run(&database.db, &modules::modules(), |_, _| {}).await?;
    let app = start::app(config.clone(), database.db.clone()).await?;
    let stop = tokio_util::sync::CancellationToken::new();
    let worker = start::worker(&app, &stop);
    if wanted("routing") {
        routing::routing(&app).await?;
    }
    if wanted("school") {
        schools::open_one(&app).await?;
    }
    if wanted("migrate") {
        schools::migrations(&app).await?;
    }
    if wanted("export") {
        sheets::export(&app).await?;
    }
    if wanted("import") {
        sheets::import(&app).await?;
    }
    if wanted("across") {
        across::across(&app).await?;
    }
    stop.cancel();
    worker.await?;
    app.close().await;
    database.stop().await?;
    Ok(())
}

fn actor() -> Actor {
    Actor {
        kind: "job".to_owned(),
        id: 0,
        name: "bench".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    }
}

fn headings() {
    println!("{:<52} {:>13} {:>13} {:>8} {:>8}", "what", "ours", "beside", "ratio", "budget");
}

/// A line of the table; ratio and budget are of `ours` to `beside`.
fn row(what: &str, ours: Duration, beside: Duration, budget: f64) {
    let ratio = ours.as_secs_f64() / beside.as_secs_f64();
    let shown = |time: Duration| {
        if time < Duration::from_secs(10) {
            format!("{:.2} ms", time.as_secs_f64() * 1e3)
        } else {
            format!("{:.1} s", time.as_secs_f64())
        }
    };
    println!("{what:<52} {:>13} {:>13} {ratio:>8.2} {budget:>8.2}", shown(ours), shown(beside));
}

/// What a list call may cost beside its statements by pgbench.
const LIST_BUDGET: f64 = 1.67;

/// A call beside its statements by pgbench; whether it keeps the budget, when this machine has pgbench.
fn compared(what: &str, ours: Duration, beside: Option<Duration>) -> Option<bool> {
    let Some(beside) = beside else {
        println!("{what:<52} {:>10.2} ms  no pgbench here: apt-get install postgresql", ours.as_secs_f64() * 1e3);
        return None;
    };
    row(what, ours, beside, LIST_BUDGET);
    Some(ours.as_secs_f64() <= LIST_BUDGET * beside.as_secs_f64())
}

/// The same for memory, in MB.
fn memory(what: &str, ours: f64, limit: f64) {
    println!("{what:<52} {ours:>10.1} MB {limit:>10.1} MB {:>8.2} {:>8.2}", ours / limit, 1.0);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
