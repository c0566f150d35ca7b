//! What pgbench reaches with the statements of one call: the measure of the list budget.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::PathBuf,
    process::{Command, Stdio},
    time::Duration,
};

use embedded::Cluster;
use infra::{App, config::Config};
use openapi::{
    modules,
    start::{self, Database},
    upgrade,
};
use sqlx::PgPool;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio_util::sync::CancellationToken;

use crate::Anything;

/// A statement as the server sent it: `$1`, `$2`, … and their values as the log shows them, `None` for NULL.
#[derive(Debug, Clone)]
pub struct Statement {
    pub text: String,
    pub values: Vec<Option<String>>,
}

impl Statement {
    /// As the `nth` of a script of pgbench: a value becomes a variable, so that the statement is planned at each call as
    /// the server's is; NULL and an empty text are written in, as pgbench has neither. The highest first, so that `$1`
    /// leaves `$12` alone.
    fn script(&self, nth: usize) -> String {
        let text = self.values.iter().enumerate().rev().fold(self.text.clone(), |text, (at, value)| {
            let written = match value.as_deref() {
                None => "null".to_owned(),
                Some("") => "''".to_owned(),
                Some(_) => format!(":{}", variable(nth, at)),
            };
            text.replace(&format!("${}", at + 1), &written)
        });
        format!("{text};\n")
    }

    /// The values of its variables, as pgbench takes them on its command line: `\set` knows numbers alone.
    fn definitions(&self, nth: usize) -> impl Iterator<Item = String> {
        let texts = self.values.iter().enumerate().filter_map(|(at, value)| Some((at, value.as_deref()?)));
        texts.filter(|(_, text)| !text.is_empty()).map(move |(at, text)| format!("{}={text}", variable(nth, at)))
    }
}

fn variable(nth: usize, at: usize) -> String {
    format!("s{nth}v{at}")
}

/// A server over a database that is started for this alone and logs every statement, so that what is measured later is
/// not logged.
pub struct Logged {
    pub app: App,
    log: PathBuf,
    stop: CancellationToken,
    /// None once it rests.
    worker: Option<JoinHandle<()>>,
    database: Database,
    cluster: Cluster,
}

impl Logged {
    pub async fn start(config: &Config) -> Result<Self, Anything> {
        let mut options = embedded::Options::new(&config.data);
        for (name, value) in [("log_statement", "all"), ("log_error_verbosity", "default")] {
            options.settings.push((name.to_owned(), value.to_owned()));
        }
        let cluster = spawn_blocking(|| Cluster::start(options)).await??;
        let log = cluster.moved_to().unwrap_or(&config.data).join("postgres.log");
        let database = start::database(config).await?;
        upgrade::run(&database.db, &modules::modules(), |_, _| {}).await?;
        let app = start::app(config.clone(), database.db.clone()).await?;
        let stop = CancellationToken::new();
        let worker = Some(start::worker(&app, &stop));
        Ok(Self { app, log, stop, worker, database, cluster })
    }

    /// The answer of a call, and what it sent in its transaction: the last in this schema that names `table`.
    pub async fn sent(
        &self,
        schema: &str,
        table: &str,
        call: impl Future<Output = Result<String, Anything>>,
    ) -> Result<(String, Vec<Statement>), Anything> {
        let before = std::fs::metadata(&self.log)?.len();
        let answer = call.await?;
        let mut log = File::open(&self.log)?;
        log.seek(SeekFrom::Start(before))?;
        let mut bytes = Vec::new();
        log.read_to_end(&mut bytes)?;
        let entries = entries(&String::from_utf8_lossy(&bytes));
        let sent = transactions(&entries, schema)
            .into_iter()
            .rfind(|sent| sent.iter().any(|statement| statement.text.contains(table)))
            .ok_or_else(|| format!("{} has no statement with {table:?} in {schema}", self.log.display()))?;
        Ok((answer, sent))
    }

    /// From here on the server does nothing of its own, so that what it sends is its calls'.
    pub async fn rest(&mut self) -> Result<(), Anything> {
        self.stop.cancel();
        if let Some(worker) = self.worker.take() {
            worker.await?;
        }
        Ok(())
    }

    pub async fn end(mut self) -> Result<(), Anything> {
        self.rest().await?;
        self.app.close().await;
        self.database.stop().await?;
        spawn_blocking(|| self.cluster.stop()).await??;
        Ok(())
    }
}

/// The log's entries with all of their lines.
fn entries(text: &str) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix('\t'), entries.last_mut()) {
            (Some(more), Some(entry)) => {
                entry.push('\n');
                entry.push_str(more);
            }
            _ => entries.push(line.to_owned()),
        }
    }
    entries
}

/// What ran in each transaction of the schema, between its opening and its end.
fn transactions(entries: &[String], schema: &str) -> Vec<Vec<Statement>> {
    let path = format!("search_path = {schema},");
    let openings = entries.iter().enumerate().filter(|(_, entry)| entry.contains(&path));
    openings.map(|(at, opening)| of_transaction(opening, &entries[at + 1..])).collect()
}

fn of_transaction(opening: &str, behind: &[String]) -> Vec<Statement> {
    let process = opening.split_inclusive(']').next().and_then(|head| head.split('[').nth(1)).unwrap_or("?");
    let own = behind.iter().filter(|entry| entry.contains(&format!("[{process}")));
    let mut found: Vec<Statement> = Vec::new();
    for entry in own.take_while(|entry| !entry.contains("LOG:  statement: ")) {
        if let Some((_, statement)) = entry.split_once("LOG:  execute ") {
            let text = statement.split_once(": ").map(|(_, text)| text.to_owned());
            found.extend(text.map(|text| Statement { text, values: Vec::new() }));
        } else if let (Some((_, told)), Some(last)) = (entry.split_once("arameters: "), found.last_mut()) {
            last.values = values(told);
        }
    }
    found
}

/// Of `$1 = 'a', $2 = NULL`.
fn values(mut told: &str) -> Vec<Option<String>> {
    let mut found = Vec::new();
    while let Some((_, rest)) = told.split_once(" = ") {
        let (value, behind) = match rest.strip_prefix('\'') {
            Some(quoted) => unquoted(quoted),
            None => (None, rest.split_once(',').map_or("", |(_, behind)| behind)),
        };
        found.push(value);
        told = behind;
    }
    found
}

/// A text up to its closing quote, where two quotes are one of its own, and what follows it.
fn unquoted(mut rest: &str) -> (Option<String>, &str) {
    let mut value = String::new();
    while let Some((part, behind)) = rest.split_once('\'') {
        value.push_str(part);
        let Some(more) = behind.strip_prefix('\'') else { return (Some(value), behind) };
        value.push('\'');
        rest = more;
    }
    (Some(value), "")
}

/// How long pgbench takes for one transaction of the statements in so many seconds, planning as the server does (its
/// settings are those of `infra::db`); `None` when this machine has no pgbench.
pub async fn latency(
    owner: &PgPool,
    schema: &str,
    statements: &[Statement],
    seconds: u32,
) -> Result<Option<Duration>, Anything> {
    let Some(program) = program() else { return Ok(None) };
    let options = owner.connect_options();
    let script = tempfile::Builder::new().suffix(".sql").tempfile()?;
    let text: String = statements.iter().enumerate().map(|(nth, statement)| statement.script(nth)).collect();
    std::fs::write(script.path(), format!("begin;\n{text}commit;\n"))?;
    let planning = "-c plan_cache_mode=force_custom_plan -c join_collapse_limit=4 -c jit=off";
    let mut command = Command::new(program);
    command
        .args(["--no-vacuum", "--client=1", "--protocol=prepared", &format!("--time={seconds}"), "--file"])
        .arg(script.path())
        .env("PGOPTIONS", format!("-c search_path={schema},ext {planning}"))
        .env("PGUSER", options.get_username())
        .env("PGDATABASE", options.get_database().unwrap_or_default())
        .env("PGPORT", options.get_port().to_string())
        .stdin(Stdio::null());
    for (nth, statement) in statements.iter().enumerate() {
        for definition in statement.definitions(nth) {
            command.arg("-D").arg(definition);
        }
    }
    match options.get_socket() {
        Some(folder) => command.env("PGHOST", folder),
        None => command.env("PGHOST", options.get_host()),
    };
    let output = spawn_blocking(move || command.output()).await??;
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    let milliseconds = told.lines().find_map(|line| line.strip_prefix("latency average = ")?.strip_suffix(" ms"));
    let milliseconds: f64 =
        milliseconds.ok_or_else(|| format!("{told}{}", String::from_utf8_lossy(&output.stderr)))?.parse()?;
    Ok(Some(Duration::from_secs_f64(milliseconds / 1e3)))
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join("pgbench")).find(|program| program.exists())
}
