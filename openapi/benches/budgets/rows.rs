//! The lists whose tables only grow, at ten million rows in each: messages, sign-ins, operations. What a call costs beside
//! its statements by pgbench, and below it the plan of its count and of its page, with rows and times.
//!
//! It fills for a long time and keeps more than ten GB in a folder of its own, so it runs only when it is asked for by name.
//! `BENCH_ROWS` chooses another number.

use std::time::{Duration, Instant};

use chrono::Days;
use infra::{App, config::Config, tx};
use openapi::server;
use poem::Endpoint;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

use crate::{
    Anything, actor, compared,
    pgbench::{self, Logged, Statement},
    place::{operator, post},
    plan,
};

const ROWS: u64 = 10_000_000;
/// Seconds that pgbench runs for a call.
const SECONDS: u32 = 2;
/// How long a call is repeated.
const REPEATED: Duration = Duration::from_secs(1);

/// A list call of the operators' area.
struct Call {
    what: String,
    path: &'static str,
    /// What its statements say.
    table: &'static str,
    body: String,
}

/// A list with what each of its calls says, and its filters by name.
struct List {
    what: &'static str,
    path: &'static str,
    table: &'static str,
    base: Value,
    filters: Vec<(&'static str, Value)>,
}

impl List {
    fn call(&self, name: &str, filter: &Value) -> Call {
        let mut body = self.base.clone();
        if let (Value::Object(body), Value::Object(filter)) = (&mut body, filter.clone()) {
            body.extend(filter);
        }
        let Self { what, path, table, .. } = *self;
        Call { what: format!("{what}, {name}"), path, table, body: body.to_string() }
    }
}

/// The lists, with the longest span that the logs answer.
fn lists(app: &App) -> Vec<List> {
    let today = app.clock().today();
    let first = today - Days::new(90);
    let span = json!({ "startsOn": first, "endsOn": today });
    let of_log = |what, path, table, filters| List { what, path, table, base: span.clone(), filters };
    vec![
        List {
            what: "messages",
            path: "/user/pc/msg/list",
            table: "from msg m",
            base: json!({}),
            filters: vec![
                ("status", json!({ "status": "failed" })),
                ("type", json!({ "msgType": "marketing" })),
                ("channel", json!({ "channel": "sms" })),
                ("created", json!({ "createdFrom": first, "createdTo": today })),
                ("title", json!({ "title": "通知4711" })),
            ],
        },
        of_log(
            "sign-ins",
            "/data/pc/user/log/login/list",
            "login_log",
            vec![
                ("account", json!({ "keyword": "u4711" })),
                ("event", json!({ "event": "logout" })),
                ("failed", json!({ "result": "failed" })),
                ("school", json!({ "schoolId": 1 })),
                ("usual span", json!({ "startsOn": today - Days::new(6) })),
            ],
        ),
        of_log(
            "operations of the platform",
            "/data/pc/sys/log/list",
            "sys_log",
            vec![
                ("person", json!({ "keyword": "教务4710" })),
                ("usual span", json!({ "startsOn": today - Days::new(6) })),
            ],
        ),
        of_log(
            "operations of users",
            "/data/pc/sys/log/userLog",
            "sys_log",
            vec![
                ("person", json!({ "keyword": "教务4712" })),
                ("module", json!({ "module": "adult" })),
                ("result", json!({ "resultCode": 409 })),
                ("usual span", json!({ "startsOn": today - Days::new(6) })),
            ],
        ),
    ]
}

pub async fn rows(config: &Config) -> Result<(), Anything> {
    let rows: u64 = std::env::var("BENCH_ROWS").ok().map(|text| text.parse()).transpose()?.unwrap_or(ROWS);
    let config = Config { data: config.data.join(format!("rows-{rows}")), ..config.clone() };
    let learned = learn(&config, rows).await?;
    let database = openapi::start::database(&config).await?;
    let app = openapi::start::app(config.clone(), database.db.clone()).await?;
    let token = everywhere(&app).await?;
    let endpoint = server::endpoint(&app);
    for (call, sent) in &learned {
        match sent {
            Ok(statements) => measured(&app, &endpoint, &token, call, statements).await?,
            Err(why) => println!("{:<52} not measured: {why}", call.what),
        }
    }
    drop(endpoint);
    app.close().await;
    database.stop().await?;
    Ok(())
}

/// A session of an operator of all schools.
async fn everywhere(app: &App) -> Result<String, Anything> {
    let token = operator(app, &[]).await?;
    app.db().owner().execute("update platform.sys_user set school_scope = 'all' where real_name = '跨校'").await?;
    Ok(token)
}

/// Every call, with what a server sends for it, or why it does not answer.
async fn learn(config: &Config, rows: u64) -> Result<Vec<(Call, Result<Vec<Statement>, String>)>, Anything> {
    let server = Logged::start(config).await?;
    lay(&server.app, rows).await?;
    let token = everywhere(&server.app).await?;
    let endpoint = server::endpoint(&server.app);
    let mut learned = Vec::new();
    for list in lists(&server.app) {
        let first = list.call("first page", &json!({}));
        // A list that does not answer in time has no last page either.
        let pages = match post(&endpoint, &token, first.path, &first.body).await {
            Ok(answer) => serde_json::from_str::<Value>(&answer)?["data"]["totalPage"].as_i64(),
            Err(_) => None,
        };
        let mut calls = vec![first];
        calls.extend(pages.map(|last| list.call("last page", &json!({ "pageCurrent": last }))));
        calls.extend(list.filters.iter().map(|(name, filter)| list.call(name, filter)));
        for call in calls {
            let sent = server.sent("platform", call.table, post(&endpoint, &token, call.path, &call.body)).await;
            learned.push((call, sent.map(|(_, statements)| statements).map_err(|why| why.to_string())));
        }
    }
    drop(endpoint);
    server.end().await?;
    Ok(learned)
}

/// The rows, which are laid once and kept: all of them or none.
async fn lay(app: &App, rows: u64) -> Result<(), Anything> {
    let owner = app.db().owner();
    let laid: bool = sqlx::query_scalar("select exists (select from platform.msg)").fetch_one(owner).await?;
    if laid {
        return Ok(());
    }
    let mut tx = owner.begin().await?;
    sqlx::raw_sql(AssertSqlSafe(include_str!("rows.sql").replace("{rows}", &rows.to_string())))
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    for table in ["login_log", "sys_log", "msg"] {
        owner.execute(AssertSqlSafe(format!("vacuum analyze platform.{table}"))).await?;
    }
    Ok(())
}

async fn measured(
    app: &App,
    endpoint: &impl Endpoint,
    token: &str,
    call: &Call,
    statements: &[Statement],
) -> Result<(), Anything> {
    post(endpoint, token, call.path, &call.body).await?;
    let started = Instant::now();
    let mut calls = 0;
    while calls < 3 || started.elapsed() < REPEATED {
        post(endpoint, token, call.path, &call.body).await?;
        calls += 1;
    }
    let ours = started.elapsed() / calls;
    compared(&call.what, ours, pgbench::latency(app.db().owner(), "platform", statements, SECONDS).await?);
    // Planned as the server's own transactions are.
    let mut tx = tx::at_the_server(app, actor()).await?;
    for line in plan::shown(&mut tx, statements).await? {
        println!("    {line}");
    }
    Ok(())
}
