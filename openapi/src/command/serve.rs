//! `serve` and `work`.

use std::{net::SocketAddr, time::Duration};

use infra::{config::Config, metrics::Metrics};
use openapi::{
    connections::{self, Limits},
    server, start,
};
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};
use tokio_util::sync::CancellationToken;

use super::Mistake;

/// Ports that `--demo` tries after the configured one.
const PORTS: u16 = 20;
/// Descriptors for everything that is no visitor: the database, files, other services.
const OTHER_FILES: u64 = 256;
/// Connections to the figures and probes of the operator.
const OPERATIONS: usize = 64;

pub(super) async fn serve(mut config: Config, demo: bool) -> Result<(), Mistake> {
    let asked = Asked::listen()?;
    let database = start::database(&config).await?;
    tokio::select! {
        done = super::upgrade(&database.db) => drop(done?),
        // What was not migrated yet is when a server starts again.
        () = asked.once.cancelled() => return Ok(database.stop().await?),
    }
    let listener = bind(&mut config.server.listen, if demo { PORTS } else { 0 }).await?;
    let ops = bind(&mut config.server.ops_listen, if demo { PORTS } else { 0 }).await?;
    let app = start::app(config.clone(), database.db.clone()).await?;
    if demo && let Err(refused) = super::demo::allowed(&app).await {
        database.stop().await?;
        return Err(refused);
    }
    let stop = CancellationToken::new();
    let worker = config.server.work.then(|| start::worker(&app, &stop));
    if demo {
        tokio::select! {
            filled = super::demo::fill_usual(&app) => filled?,
            () = asked.once.cancelled() => return Ok(database.stop().await?),
        }
        println!("{}", openapi::demo::accounts());
    }
    if config.server.work {
        start::schedule(&app, &stop);
    }
    start::tell(&app, &stop);
    println!("成教云 http://{}/", config.server.listen);
    let drained = Duration::from_secs(config.server.shutdown_seconds);
    let mut limits = Limits::of(&config);
    limits.connections = limits.connections.min(descriptors());
    let few = Limits { connections: OPERATIONS, per_address: OPERATIONS, ..limits.clone() };
    let leaving = CancellationToken::new();
    // Made before anybody is told that this server is ready.
    let visited = server::endpoint(&app);
    let endpoint = server::operations_endpoint(&app, database.restarts(), leaving.clone());
    // Its connections are counted by themselves.
    let apart = Metrics::new();
    let operations =
        tokio::spawn(connections::serve(ops, endpoint, few, apart, CancellationToken::new(), Duration::ZERO));
    let closing = CancellationToken::new();
    let visitors = connections::serve(listener, visited, limits, app.metrics().clone(), closing.clone(), drained);
    let leave = Duration::from_secs(config.server.leave_seconds);
    let ending = async {
        asked.once.cancelled().await;
        leaving.cancel();
        // Whoever asks twice does not want to wait.
        tokio::select! {
            () = tokio::time::sleep(leave) => {}
            () = asked.twice.cancelled() => {}
        }
        closing.cancel();
    };
    tokio::join!(visitors, ending);
    stop.cancel();
    if let Some(worker) = worker
        && tokio::time::timeout(drained, worker).await.is_err()
    {
        tracing::warn!("a job did not end in time; it will be taken up again");
    }
    operations.abort();
    Ok(database.stop().await?)
}

pub(super) async fn work(config: Config) -> Result<(), String> {
    let asked = Asked::listen()?;
    let database = start::database(&config).await?;
    tokio::select! {
        done = super::upgrade(&database.db) => drop(done?),
        () = asked.once.cancelled() => return database.stop().await,
    }
    let app = start::app(config, database.db.clone()).await?;
    let stop = CancellationToken::new();
    start::schedule(&app, &stop);
    start::tell(&app, &stop);
    let worker = start::worker(&app, &stop);
    asked.once.cancelled().await;
    stop.cancel();
    worker.await.map_err(|error| error.to_string())?;
    database.stop().await
}

async fn bind(address: &mut SocketAddr, more: u16) -> Result<TcpListener, String> {
    let first = address.port();
    loop {
        match TcpListener::bind(*address).await {
            Ok(listener) => {
                *address = listener.local_addr().map_err(|error| error.to_string())?;
                return Ok(listener);
            }
            Err(error)
                if error.kind() == std::io::ErrorKind::AddrInUse && address.port() < first.saturating_add(more) =>
            {
                address.set_port(address.port() + 1);
            }
            Err(error) => return Err(format!("{address}: {error}")),
        }
    }
}

/// Takes as many descriptors as the system gives; answers how many visitors they allow.
fn descriptors() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!(%error, "the number of descriptors stays as it is");
    }
    let allowed = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    usize::try_from(allowed.saturating_sub(OTHER_FILES).max(1)).unwrap_or(usize::MAX)
}

/// Whether this process was asked to end, by Ctrl-C or a service manager.
struct Asked {
    once: CancellationToken,
    twice: CancellationToken,
}

impl Asked {
    /// Hears from now on: while it migrates it is to end too, and the first process of a container has no signal that ends it
    /// but those that it hears.
    fn listen() -> Result<Self, String> {
        let told = |error: std::io::Error| format!("signals cannot be heard: {error}");
        let mut terminate = signal(SignalKind::terminate()).map_err(told)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(told)?;
        let asked = Self { once: CancellationToken::new(), twice: CancellationToken::new() };
        let (once, twice) = (asked.once.clone(), asked.twice.clone());
        tokio::spawn(async move {
            for heard in [once, twice] {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
                heard.cancel();
            }
        });
        Ok(asked)
    }
}
