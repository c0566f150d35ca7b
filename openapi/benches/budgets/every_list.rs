//! Every list call of basic data, courses, people, recruitment and the register in a school of 200,000 students and 2,000 classes:
//! what it costs beside its statements by pgbench, and whether the database reads a large table from end to end for it.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use infra::{App, config::Config, tx};
use openapi::server;
use poem::Endpoint;
use serde_json::Value;

use crate::{
    Anything, actor, compared, large_school,
    list_calls::{Call, Whose, fetched, posted},
    pgbench::{self, Logged, Statement},
    place::{get, operator, post, token},
    plan,
};

/// Seconds that pgbench runs for a call.
const SECONDS: u32 = 2;
/// How long a call is repeated.
const REPEATED: Duration = Duration::from_secs(1);

/// A call with the statements that it sends.
pub struct Learned {
    call: Call,
    statements: Vec<Statement>,
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

/// Every call, with what a server sends for it.
pub async fn learn(config: &Config) -> Result<Vec<Learned>, Anything> {
    let mut server = Logged::start(config).await?;
    let school = large_school::laid(&server.app).await?;
    server.rest().await?;
    let sample = large_school::sample(server.app.db().owner(), school).await?;
    let tokens = Tokens::open(&server.app, school).await?;
    let endpoint = server::endpoint(&server.app);
    let mut calls = Vec::new();
    for list in posted(&sample) {
        let first: Value = serde_json::from_str(&answer(&list.first(), &endpoint, &tokens).await?)?;
        calls.extend(list.calls(first["data"]["totalPage"].as_i64()));
    }
    calls.extend(fetched(&sample));
    let mut learned = Vec::new();
    for call in calls {
        let (schema, table) = call.place(school);
        let (_, statements) = server.sent(&schema, table, answer(&call, &endpoint, &tokens)).await?;
        learned.push(Learned { call, statements });
    }
    drop(endpoint);
    server.end().await?;
    Ok(learned)
}

/// A line for each call, below it each long scan of its plans, and how many there were at the end.
pub async fn every_list(app: &App, learned: &[Learned]) -> Result<(), Anything> {
    let school = large_school::laid(app).await?;
    let tokens = Tokens::open(app, school).await?;
    let endpoint = server::endpoint(app);
    let (mut over, mut scanning, mut failed) = (0, 0, 0);
    for Learned { call, statements } in learned {
        let measured = async {
            let ours = repeated(call, &endpoint, &tokens).await?;
            let (schema, _) = call.place(school);
            let beside = pgbench::latency(app.db().owner(), &schema, statements, SECONDS).await?;
            Ok::<_, Anything>((ours, beside, long_scans(app, school, call, statements).await?))
        };
        match measured.await {
            Ok((ours, beside, scans)) => {
                over += i32::from(compared(&call.what, ours, beside) == Some(false));
                scanning += i32::from(!scans.is_empty());
                for scan in scans {
                    println!("    {scan}");
                }
            }
            Err(error) => {
                failed += 1;
                println!("{:<52} not measured: {error}", call.what);
            }
        }
    }
    println!(
        "    {} list calls: {over} over the budget, {scanning} with a seq scan of a large table, {failed} not measured",
        learned.len()
    );
    Ok(())
}

async fn repeated(call: &Call, endpoint: &impl Endpoint, tokens: &Tokens) -> Result<Duration, Anything> {
    answer(call, endpoint, tokens).await?;
    let started = Instant::now();
    let mut calls = 0;
    while calls < 20 || started.elapsed() < REPEATED {
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
) -> Result<BTreeSet<String>, Anything> {
    let mut tx = match call.whose {
        Whose::School => {
            let directory = app.school(school).await?.ok_or("no school")?;
            tx::at_the_server_in(app, &directory, actor()).await?
        }
        Whose::Platform(_) | Whose::Operators(_) => tx::at_the_server(app, actor()).await?,
    };
    plan::long_scans(&mut tx, statements).await
}
