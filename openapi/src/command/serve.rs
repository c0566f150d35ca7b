//! `serve` and `work`.

use std::{net::SocketAddr, time::Duration};

use infra::{config::Config, metrics::Metrics};
use openapi::{
    connections::{self, Limits},
    server, start,
};
use rustix::process::{Resource, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::Mistake;

/// Ports that `--demo` tries after the configured one.
const PORTS: u16 = 20;
/// Descriptors for everything that is no visitor: the database, files, other services.
const OTHER_FILES: u64 = 256;
/// Connections to the figures and probes of the operator.
const OPERATIONS: usize = 64;

pub(super) async fn serve(mut config: Config, demo: bool) -> Result<(), Mistake> {
    let database = start::database(&config).await?;
    super::upgrade(&database.db).await?;
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
        super::demo::fill_usual(&app).await?;
        println!("{}", openapi::demo::accounts());
    }
    if config.server.work {
        start::schedule(&app, &stop);
    }
    println!("成教云 http://{}/", config.server.listen);
    let drained = Duration::from_secs(config.server.shutdown_seconds);
    let mut limits = Limits::of(&config);
    limits.connections = limits.connections.min(descriptors());
    let few = Limits { connections: OPERATIONS, per_address: OPERATIONS, ..limits.clone() };
    let endpoint = server::operations_endpoint(&app, database.restarts());
    // Its connections are counted by themselves.
    let apart = Metrics::new();
    let operations =
        tokio::spawn(connections::serve(ops, endpoint, few, apart, CancellationToken::new(), Duration::ZERO));
    let closing = CancellationToken::new();
    let visitors =
        connections::serve(listener, server::endpoint(&app), limits, app.metrics().clone(), closing.clone(), drained);
    let asked = async {
        asked_to_stop().await;
        closing.cancel();
    };
    tokio::join!(visitors, asked);
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
    let database = start::database(&config).await?;
    super::upgrade(&database.db).await?;
    let app = start::app(config, database.db.clone()).await?;
    let stop = CancellationToken::new();
    start::schedule(&app, &stop);
    let worker = start::worker(&app, &stop);
    asked_to_stop().await;
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

/// Ctrl-C or the signal of a service manager.
async fn asked_to_stop() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut terminate) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        }
        Err(error) => {
            tracing::warn!(%error, "only Ctrl-C stops this server");
            if let Err(error) = tokio::signal::ctrl_c().await {
                tracing::error!(%error, "no signal can be heard");
            }
        }
    }
}
