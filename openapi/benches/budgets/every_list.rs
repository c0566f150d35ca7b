//! Every list call of basic data, courses, people, recruitment, the register, teaching, examinations and graduation in a school of
//! 200,000 students and 2,000 classes, and of the operators' site with 200,000 learners and as many orders: what it costs beside its
//! statements by pgbench, and whether the database reads a large table from end to end for it. `BENCH_LISTS` chooses those whose name
//! contains one of its texts, between which commas stand.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use infra::{App, config::Config, tx};
use openapi::{server, start};
use poem::Endpoint;
use serde_json::Value;

use crate::{
    Anything, actor, compared,
    known_scans::KnownScans,
    large_school, large_site,
    list_calls::{self, Call, Whose},
    pgbench::{self, Logged, Statement},
    place::{get, operator, post, token},
    plan::{self, LongScan},
    site_calls, taught_calls,
};

/// Seconds that pgbench runs for a call.
const SECONDS: u32 = 2;
/// How long a call is repeated.
const REPEATED: Duration = Duration::from_secs(1);

/// A call with the statements that it sends, or why it does not answer.
struct Learned {
    call: Call,
    sent: Result<Vec<Statement>, String>,
}

struct Tokens {
    school: String,
    operator: String,
}

impl Tokens {
    async fn open(app: &App, school: i64) -> Result<Self, Anything> {
        Ok(Self { school: token(app, school).await?, operator: operator(app, &[]).await? })
    }
}

async fn answer(call: &Call, endpoint: &impl Endpoint, tokens: &Tokens) -> Result<String, Anything> {
    let token = match call.whose {
        Whose::School | Whose::Platform(_) => &tokens.school,
        Whose::Operators(_) => &tokens.operator,
    };
    match &call.body {
        Some(body) => post(endpoint, token, &call.path, body).await,
        None => get(endpoint, token, &call.path).await,
    }
}

/// A line for each call, below it each long scan of its plans, and how many there were at the end. In a folder of its own: what is due
/// of so many rows is never worked on, here or beside another measurement.
pub async fn every_list(config: &Config) -> Result<(), Anything> {
    let config = Config { data: config.data.join("lists"), ..config.clone() };
    let (school, learned) = learn(&config).await?;
    let database = start::database(&config).await?;
    let app = start::app(config.clone(), database.db.clone()).await?;
    measure(&app, school, &learned).await?;
    app.close().await;
    database.stop().await?;
    Ok(())
}

/// The school, and every call of it and of the site with what a server sends for it.
async fn learn(config: &Config) -> Result<(i64, Vec<Learned>), Anything> {
    let mut server = Logged::start(config).await?;
    let school = large_school::opened(&server.app).await?;
    server.rest().await?;
    large_school::lay_once(&server.app, school).await?;
    large_site::lay_once(&server.app).await?;
    let owner = server.app.db().owner();
    let sample = large_school::sample(owner, school).await?;
    let taught = large_school::taught(owner, school).await?;
    let site = large_site::sample(owner).await?;
    let tokens = Tokens::open(&server.app, school).await?;
    let endpoint = server::endpoint(&server.app);
    let texts = std::env::var("BENCH_LISTS").unwrap_or_default();
    let wanted = |what: &str| texts.split(',').any(|text| what.contains(text));
    let mut lists = list_calls::posted(&sample);
    lists.extend(taught_calls::posted(&sample, &taught));
    lists.extend(site_calls::posted(&site));
    let mut calls = Vec::new();
    for list in lists.into_iter().filter(|list| wanted(list.what())) {
        // A list that does not answer in time has no last page either.
        let pages = match answer(&list.first(), &endpoint, &tokens).await {
            Ok(first) => serde_json::from_str::<Value>(&first)?["data"]["totalPage"].as_i64(),
            Err(_) => Some(1),
        };
        calls.extend(list.calls(pages));
    }
    let mut fetched = list_calls::fetched(&sample);
    fetched.extend(taught_calls::fetched(&taught));
    fetched.extend(site_calls::fetched(&site));
    calls.extend(fetched.into_iter().filter(|call| wanted(&call.what)));
    let mut learned = Vec::new();
    for call in calls {
        let (schema, table) = call.place(school);
        let sent = server.sent(&schema, table, answer(&call, &endpoint, &tokens)).await;
        let sent = sent.map(|(_, statements)| statements).map_err(|why| why.to_string());
        learned.push(Learned { call, sent });
    }
    drop(endpoint);
    server.end().await?;
    Ok((school, learned))
}

async fn measure(app: &App, school: i64, learned: &[Learned]) -> Result<(), Anything> {
    let tokens = Tokens::open(app, school).await?;
    let endpoint = server::endpoint(app);
    let known = KnownScans::read();
    let (mut over, mut scanning, mut known_to_scan, mut failed) = (0, 0, 0, 0);
    for Learned { call, sent } in learned {
        let measured = async {
            let statements = sent.as_ref().map_err(String::as_str)?;
            let ours = repeated(call, &endpoint, &tokens).await?;
            let (schema, _) = call.place(school);
            let beside = pgbench::latency(app.db().owner(), &schema, statements, SECONDS).await?;
            Ok::<_, Anything>((ours, beside, long_scans(app, school, call, statements).await?))
        };
        match measured.await {
            Ok((ours, beside, scans)) => {
                over += i32::from(compared(&call.what, ours, beside) == Some(false));
                let told: Vec<Option<&str>> = scans.iter().map(|scan| known.reason(&call.what, scan)).collect();
                scanning += i32::from(told.contains(&None));
                known_to_scan += i32::from(!told.is_empty() && !told.contains(&None));
                for (LongScan { table, filter }, reason) in scans.iter().zip(told) {
                    match reason {
                        Some(reason) => println!("    known: {table}, {reason}"),
                        None => println!("    NEW: {} | {table} | seq scan by {filter}", call.what),
                    }
                }
            }
            Err(error) => {
                failed += 1;
                println!("{:<52} not measured: {error}", call.what);
            }
        }
    }
    for line in known.outdated(learned.iter().map(|learned| learned.call.what.as_str())) {
        println!("    no more needed in known_scans.txt: {line}");
    }
    println!(
        "    {} list calls: {over} over the budget, {scanning} with a new seq scan of a large table, {known_to_scan} with known ones, \
         {failed} not measured",
        learned.len()
    );
    Ok(())
}

async fn repeated(call: &Call, endpoint: &impl Endpoint, tokens: &Tokens) -> Result<Duration, Anything> {
    answer(call, endpoint, tokens).await?;
    let started = Instant::now();
    let mut calls = 0;
    while calls < 3 || started.elapsed() < REPEATED {
        answer(call, endpoint, tokens).await?;
        calls += 1;
    }
    Ok(started.elapsed() / calls)
}

/// Planned as the server's own transactions are.
async fn long_scans(
    app: &App,
    school: i64,
    call: &Call,
    statements: &[Statement],
) -> Result<BTreeSet<LongScan>, Anything> {
    let mut tx = match call.whose {
        Whose::School => {
            let directory = app.school(school).await?.ok_or("no school")?;
            tx::at_the_server_in(app, &directory, actor()).await?
        }
        Whose::Platform(_) | Whose::Operators(_) => tx::at_the_server(app, actor()).await?,
    };
    plan::long_scans(&mut tx, statements).await
}
