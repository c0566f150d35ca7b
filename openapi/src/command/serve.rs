//! `serve` and `work`.

use std::{net::SocketAddr, time::Duration};

use infra::config::Config;
use openapi::{server, start};
use poem::listener::{Acceptor, Listener, TcpListener};
use tokio_util::sync::CancellationToken;

/// Ports that `--demo` tries after the configured one.
const PORTS: u16 = 20;

pub(super) async fn serve(mut config: Config, demo: bool) -> Result<(), String> {
    let database = start::database(&config).await?;
    super::upgrade(&database.db).await?;
    let acceptor = bind(&mut config.server.listen, if demo { PORTS } else { 0 }).await?;
    let ops = bind(&mut config.server.ops_listen, if demo { PORTS } else { 0 }).await?;
    let app = start::app(config.clone(), database.db.clone()).await?;
    let stop = CancellationToken::new();
    let worker = config.server.work.then(|| start::worker(&app, &stop));
    if demo {
        super::operator::fill_demo(&app).await?;
        println!("{}", openapi::demo::accounts());
    }
    if config.server.work {
        start::schedule(&app, &stop);
    }
    println!("成教云 http://{}/", config.server.listen);
    let operations = tokio::spawn(poem::Server::new_with_acceptor(ops).run(server::operations_endpoint(&app)));
    let drained = Duration::from_secs(config.server.shutdown_seconds);
    poem::Server::new_with_acceptor(acceptor)
        .run_with_graceful_shutdown(server::endpoint(&app), asked_to_stop(), Some(drained))
        .await
        .map_err(|error| error.to_string())?;
    stop.cancel();
    if let Some(worker) = worker
        && tokio::time::timeout(drained, worker).await.is_err()
    {
        tracing::warn!("a job did not end in time; it will be taken up again");
    }
    operations.abort();
    database.stop().await
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

async fn bind(address: &mut SocketAddr, more: u16) -> Result<impl Acceptor + use<>, String> {
    let first = address.port();
    loop {
        match TcpListener::bind(*address).into_acceptor().await {
            Ok(acceptor) => {
                if let Some(bound) = acceptor.local_addr().first().and_then(|local| local.as_socket_addr().copied()) {
                    *address = bound;
                }
                return Ok(acceptor);
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
