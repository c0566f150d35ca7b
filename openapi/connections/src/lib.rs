//! The connections of visitors: how many there may be, how long each may keep the server waiting, and how they end.
//!
//! ```text
//! head ─request─► busy ─answered─► idle ─first byte─► head
//! ```
//! A head has seconds, an idle connection a little more than a minute. While a call is worked on, only two things are timed,
//! from one byte to the next: a body that does not come, and an answer that is not taken.
//!
//! Whoever refuses a call before its body was read leaves the body to `Call::settle`: the little that is still to come is
//! read and thrown away, and otherwise the answer says that the connection ends with it.
//!
//! HTTP/1.1 only: a proxy that speaks HTTP/2 to the visitors speaks HTTP/1.1 to this server.

mod call;
mod places;
mod timing;

use std::{io, sync::Arc, time::Duration};

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use infra::{config, metrics::Metrics, network::Network};
use poem::{
    Endpoint, EndpointExt, IntoEndpoint, Response,
    web::{LocalAddr, RemoteAddr},
};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use call::Call;
use places::{Place, Places};
use timing::{Timed, Timing};

/// After an accept that failed for want of something (descriptors, memory) the next waits this long.
const BREATH: Duration = Duration::from_millis(200);

/// Told to whom finds no place of their address, before anything of theirs is read.
const CROWDED: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n";

/// What one connection may take.
#[derive(Debug, Clone)]
pub struct Limits {
    /// For a request's head, from its first byte, and for the first byte of a new connection.
    pub head: Duration,
    /// Without a byte of a body that is waited for, or of an answer that is to be taken.
    pub body: Duration,
    /// Between an answer and the next request.
    pub idle: Duration,
    /// Connections at the same time; more are not accepted until one ends.
    pub connections: usize,
    /// Connections of one address at the same time; more are told so and closed.
    pub per_address: usize,
    /// Addresses that speak for others and are not counted; those of this machine are not either.
    pub proxies: Vec<Network>,
}

impl Limits {
    /// What the settings say.
    pub fn of(config: &config::Config) -> Self {
        let limits = &config.limits;
        Self {
            head: Duration::from_secs(limits.head_seconds),
            body: Duration::from_secs(limits.body_seconds),
            idle: Duration::from_secs(limits.idle_seconds),
            connections: limits.connections,
            per_address: limits.connections_per_address,
            proxies: config.server.trusted_proxies.clone(),
        }
    }
}

/// Serves until `stop`; running requests then get `drained` to come to their end.
pub async fn serve<E>(
    listener: TcpListener,
    endpoint: E,
    limits: Limits,
    metrics: Metrics,
    stop: CancellationToken,
    drained: Duration,
) where
    E: IntoEndpoint,
    E::Endpoint: 'static,
{
    let limits = Arc::new(limits);
    let places = Places::new(&limits, metrics);
    let endpoint = Arc::new(endpoint.into_endpoint().map_to_response());
    let (connections, cut) = (TaskTracker::new(), CancellationToken::new());
    loop {
        let accepted = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        if let Some((stream, place)) = accepted {
            let connection = connection(stream, place, endpoint.clone(), limits.clone(), stop.clone());
            let cut = cut.clone();
            connections.spawn(async move {
                tokio::select! {
                    () = connection => {}
                    () = cut.cancelled() => {}
                }
            });
        }
    }
    drop(listener);
    connections.close();
    if tokio::time::timeout(drained, connections.wait()).await.is_err() {
        tracing::warn!(left = connections.len(), "requests did not end in time");
        cut.cancel();
        connections.wait().await;
    }
}

/// The next connection that has a place.
async fn accept(listener: &TcpListener, places: &Places) -> Option<(TcpStream, Place)> {
    let free = places.one_free().await;
    match listener.accept().await {
        Ok((stream, address)) => match places.take(free, address.ip()) {
            Some(place) => Some((stream, place)),
            None => {
                // Whoever does not read it learns of it by the end of the connection.
                stream.try_write(CROWDED).ok();
                None
            }
        },
        Err(error) => {
            refused(&error).await;
            None
        }
    }
}

/// An accept may fail because of one visitor, who went away, or because of the server: then trying again at once would
/// spin without an end.
async fn refused(error: &io::Error) {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    if !matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted) {
        tracing::warn!(%error, "no connection can be accepted");
        tokio::time::sleep(BREATH).await;
    }
}

async fn connection<E: Endpoint<Output = Response> + 'static>(
    stream: TcpStream,
    place: Place,
    endpoint: Arc<E>,
    limits: Arc<Limits>,
    stop: CancellationToken,
) {
    let (Ok(local), Ok(remote)) = (stream.local_addr(), stream.peer_addr()) else { return };
    let timing = Timing::new(&limits);
    let service = {
        let timing = timing.clone();
        hyper::service::service_fn(move |request| {
            let (endpoint, timing) = (endpoint.clone(), timing.clone());
            async move {
                let (call, request) = Call::begin(request, LocalAddr(local.into()), RemoteAddr(remote.into()), &timing);
                let response = endpoint.get_response(request).await;
                Ok::<_, std::convert::Infallible>(call.settle(response).await)
            }
        })
    };
    let io = TokioIo::new(Timed::new(stream, timing.clone()));
    let mut served = std::pin::pin!(http1::Builder::new().serve_connection(io, service));
    let mut stopping = false;
    loop {
        tokio::select! {
            ended = &mut served => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection broke");
                }
                return;
            }
            why = timing.overdue() => {
                place.cut(why);
                return;
            }
            () = stop.cancelled(), if !stopping => {
                stopping = true;
                served.as_mut().graceful_shutdown();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_want_of_descriptors_does_not_spin_and_a_visitor_who_left_costs_nothing() {
        let begun = std::time::Instant::now();
        refused(&io::Error::from_raw_os_error(rustix::io::Errno::MFILE.raw_os_error())).await;
        assert!(begun.elapsed() >= BREATH);
        let begun = std::time::Instant::now();
        refused(&io::ErrorKind::ConnectionAborted.into()).await;
        assert!(begun.elapsed() < BREATH);
    }
}
