//! A server that listens, for whoever calls over the wire.

use std::time::Duration;

use infra::metrics::Metrics;
use openapi::{
    connections::{self, Limits},
    server,
};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use crate::Server;

/// Running requests get so long to come to their end.
const DRAINED: Duration = Duration::from_secs(30);

/// A server that listens until it is closed.
pub struct Listening {
    /// `http://127.0.0.1:` and a port.
    pub address: String,
    stop: CancellationToken,
    ended: JoinHandle<()>,
}

impl Server {
    /// Listens at a free port, with the limits of the settings.
    pub async fn listen(&self) -> Listening {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let stop = CancellationToken::new();
        let (endpoint, limits) = (server::endpoint(&self.app), Limits::of(self.app.config()));
        let serving = connections::serve(listener, endpoint, limits, Metrics::new(), stop.clone(), DRAINED);
        Listening { address, stop, ended: tokio::spawn(serving) }
    }
}

impl Listening {
    pub async fn close(self) {
        self.stop.cancel();
        self.ended.await.expect("it stops");
    }
}
