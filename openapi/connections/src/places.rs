use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex},
};

use infra::{metrics::Metrics, network::Network};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Limits, timing::Overdue};

/// How many connections each address has.
type Counts = Arc<Mutex<HashMap<IpAddr, usize>>>;

/// Who has connections.
pub(super) struct Places {
    free: Arc<Semaphore>,
    addresses: Counts,
    per_address: usize,
    proxies: Vec<Network>,
    metrics: Metrics,
}

/// One connection's place; it is free again when this is dropped.
pub(super) struct Place {
    _free: OwnedSemaphorePermit,
    /// None of an address that is not counted.
    counted: Option<(IpAddr, Counts)>,
    metrics: Metrics,
}

impl Places {
    pub(super) fn new(limits: &Limits, metrics: Metrics) -> Self {
        Self {
            free: Arc::new(Semaphore::new(limits.connections)),
            addresses: Arc::default(),
            per_address: limits.per_address,
            proxies: limits.proxies.clone(),
            metrics,
        }
    }

    /// Waits until there is a place.
    pub(super) async fn one_free(&self) -> OwnedSemaphorePermit {
        if self.free.available_permits() == 0 {
            tracing::warn!("all connections are taken; new ones wait (limits.connections)");
        }
        self.free.clone().acquire_owned().await.expect("the places are never closed")
    }

    /// None when the address has as many as it may.
    pub(super) fn take(&self, free: OwnedSemaphorePermit, address: IpAddr) -> Option<Place> {
        let address = address.to_canonical();
        let counted = if address.is_loopback() || self.proxies.iter().any(|network| network.contains(address)) {
            None
        } else {
            let mut known = self.addresses.lock().expect("counting does not panic");
            let count = known.entry(address).or_default();
            if *count >= self.per_address {
                self.metrics.cut("address");
                return None;
            }
            *count += 1;
            Some((address, self.addresses.clone()))
        };
        self.metrics.visitors().inc();
        Some(Place { _free: free, counted, metrics: self.metrics.clone() })
    }
}

impl Place {
    pub(super) fn cut(&self, why: Overdue) {
        tracing::debug!(?why, "a connection was cut");
        self.metrics.cut(why.name());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.metrics.visitors().dec();
        let Some((address, addresses)) = &self.counted else { return };
        let mut known = addresses.lock().expect("counting does not panic");
        if let Some(count) = known.get_mut(address) {
            *count -= 1;
            if *count == 0 {
                known.remove(address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn an_address_has_its_share_and_proxies_have_all() {
        let proxy: IpAddr = "10.0.0.1".parse().expect("an address");
        let second = Duration::from_secs(1);
        let proxies = vec!["10.0.0.0/24".parse().expect("a network")];
        let limits = Limits { head: second, body: second, idle: second, connections: 9, per_address: 2, proxies };
        let places = Places::new(&limits, Metrics::new());
        let take = async |address: IpAddr| places.take(places.one_free().await, address);
        let visitor: IpAddr = "203.0.113.7".parse().expect("an address");
        let first = take(visitor).await.expect("a first");
        let _second = take(visitor).await.expect("a second");
        assert!(take(visitor).await.is_none());
        assert!(take("::ffff:203.0.113.7".parse().expect("an address")).await.is_none());
        let mut others = Vec::new();
        for address in
            [proxy, proxy, proxy, "127.0.0.1".parse().expect("an address"), "203.0.113.8".parse().expect("one")]
        {
            others.push(take(address).await.expect("a place"));
        }
        drop(first);
        let _again = take(visitor).await.expect("a place that was given back");
    }

    #[tokio::test]
    async fn no_more_than_there_are_places() {
        let second = Duration::from_secs(1);
        let limits =
            Limits { head: second, body: second, idle: second, connections: 1, per_address: 9, proxies: vec![] };
        let places = Places::new(&limits, Metrics::new());
        let only = places.take(places.one_free().await, "::1".parse().expect("an address")).expect("the place");
        assert!(tokio::time::timeout(Duration::from_millis(20), places.one_free()).await.is_err());
        drop(only);
        drop(places.one_free().await);
    }
}
