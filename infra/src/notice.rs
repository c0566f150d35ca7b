//! Caches of all servers, kept honest: whoever changes something says so in the same transaction, and every server
//! drops what it remembers of it. While a server cannot hear the others it remembers nothing.

use std::{
    future::Future,
    hash::Hash,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use moka::future::Cache;
use sqlx::{Executor, PgConnection, postgres::PgListener};

const CHANNEL: &str = "chengjiao";

type Forget = Box<dyn Fn(&str) + Send + Sync>;

/// The ear of this server: who wants to hear about which topic.
#[derive(Clone, Default)]
pub struct Notices {
    hearing: Arc<AtomicBool>,
    listeners: Arc<Mutex<Vec<(&'static str, Forget)>>>,
}

impl Notices {
    /// Calls `heard` with the key of every notice of a topic; an empty key means that anything may have changed.
    pub fn on(&self, topic: &'static str, heard: impl Fn(&str) + Send + Sync + 'static) {
        self.listen_to(topic, Box::new(heard));
    }

    fn listen_to(&self, topic: &'static str, forget: Forget) {
        self.listeners.lock().expect("no listener panics").push((topic, forget));
    }

    /// Drops here at once what is remembered under `topic` and `key`; an empty key drops all of the topic.
    pub(crate) fn forget(&self, topic: &str, key: &str) {
        for (wanted, forget) in self.listeners.lock().expect("no listener panics").iter() {
            if *wanted == topic {
                forget(key);
            }
        }
    }

    fn forget_everything(&self) {
        for (_, forget) in self.listeners.lock().expect("no listener panics").iter() {
            forget("");
        }
    }

    /// Whether this server hears the others; only then may anything be remembered.
    pub fn is_hearing(&self) -> bool {
        self.hearing.load(Ordering::Acquire)
    }

    /// Listens until the process ends. A lost connection is made again; meanwhile the caches are off.
    pub(crate) async fn listen(self, url: String) {
        loop {
            if let Err(error) = self.listen_once(&url).await {
                tracing::warn!(%error, "the notice connection was lost; caches are off until it is back");
            }
            self.hearing.store(false, Ordering::Release);
            self.forget_everything();
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    async fn listen_once(&self, url: &str) -> Result<(), sqlx::Error> {
        let mut listener = PgListener::connect(url).await?;
        // By this name the servers of a deployment count each other.
        listener.execute("set application_name = 'chengjiao listener'").await?;
        listener.listen(CHANNEL).await?;
        self.forget_everything();
        self.hearing.store(true, Ordering::Release);
        loop {
            match listener.try_recv().await? {
                Some(heard) => {
                    let (topic, key) = heard.payload().split_once(':').unwrap_or((heard.payload(), ""));
                    self.forget(topic, key);
                }
                None => return Ok(()),
            }
        }
    }
}

/// How many servers of this deployment listen now.
pub async fn instances(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from pg_stat_activity
           where application_name = 'chengjiao listener' and datname = current_database()"#
    )
    .fetch_one(connection)
    .await
}

/// Tells every server when the transaction commits.
pub(crate) async fn publish(tx: &mut PgConnection, topic: &str, key: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("select pg_notify($1, $2)", CHANNEL, format!("{topic}:{key}")).execute(tx).await.map(|_| ())
}

/// Remembers values of one topic for a short time.
#[derive(Clone)]
pub struct Cached<K: Hash + Eq + Send + Sync + 'static, V: Clone + Send + Sync + 'static> {
    cache: Cache<K, V>,
    notices: Notices,
}

impl<K: Hash + Eq + Clone + Send + Sync + 'static, V: Clone + Send + Sync + 'static> Cached<K, V> {
    /// `hit` decides from a notice's key whether an entry is meant; an empty key means all.
    pub fn new(
        notices: &Notices,
        topic: &'static str,
        most: u64,
        age: Duration,
        hit: impl Fn(&K, &V, &str) -> bool + Send + Sync + Clone + 'static,
    ) -> Self {
        let cache = Cache::builder().max_capacity(most).time_to_live(age).support_invalidation_closures().build();
        let dropped = cache.clone();
        notices.listen_to(
            topic,
            Box::new(move |key| {
                if key.is_empty() {
                    dropped.invalidate_all();
                } else {
                    let (hit, key) = (hit.clone(), key.to_owned());
                    // Fails only when the cache was built without closures; then nothing may be kept.
                    if dropped.invalidate_entries_if(move |k, v| hit(k, v, &key)).is_err() {
                        dropped.invalidate_all();
                    }
                }
            }),
        );
        Self { cache, notices: notices.clone() }
    }

    /// The remembered value, else what `load` gives; errors are not remembered.
    pub async fn get<E: Clone + Send + Sync + 'static>(
        &self,
        key: K,
        load: impl Future<Output = Result<V, E>>,
    ) -> Result<V, E> {
        if !self.notices.is_hearing() {
            return load.await;
        }
        self.cache.try_get_with(key, load).await.map_err(|error| (*error).clone())
    }
}
