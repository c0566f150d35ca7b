//! What a running server has: settings, database, clock, keys, caches, store, modules. Cheap to clone.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use store::Store;
use tokio::sync::{Notify, mpsc};
use uuid::Uuid;

use crate::{
    client_session::{self, ClientSessions},
    clock::{Clock, Random},
    config::Config,
    db::{Db, Purpose},
    directory::School,
    error::{Error, Result},
    keys::{Keys, MasterKey},
    machine,
    metrics::Metrics,
    module::Modules,
    notice::{Cached, Notices},
    params::Params,
    session::{Rights, SessionState},
    syslog,
    token::Area,
};

#[derive(Clone)]
pub struct App(Arc<Inner>);

impl std::fmt::Debug for App {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("App")
    }
}

struct Inner {
    config: Config,
    db: Db,
    clock: Clock,
    random: Random,
    keys: Keys,
    notices: Notices,
    listener: tokio::task::AbortHandle,
    caches: Caches,
    store: Store,
    modules: Modules,
    metrics: Metrics,
    syslog: mpsc::Sender<syslog::Row>,
    job_waiting: Notify,
    of_modules: Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>,
    direct_exports: Arc<tokio::sync::Semaphore>,
}

/// What is remembered for a moment; every entry is dropped by a notice when it changes.
#[derive(Clone)]
pub(crate) struct Caches {
    pub(crate) sessions: Cached<Uuid, Option<Arc<SessionState>>>,
    pub(crate) client_sessions: ClientSessions,
    pub(crate) rights: Cached<(i64, Area, Option<i64>), Arc<Rights>>,
    pub(crate) schools: Cached<i64, Option<Arc<School>>>,
    pub(crate) hosts: Cached<String, Option<i64>>,
    pub(crate) params: Cached<(), Params>,
    pub(crate) machines: machine::Machines,
}

impl Caches {
    fn new(notices: &Notices) -> Self {
        let moment = Duration::from_secs(5);
        Self {
            // A session is dropped by its own number or its account's; an empty key drops all.
            sessions: Cached::new(
                notices,
                "session",
                100_000,
                moment,
                |jti: &Uuid, session: &Option<Arc<SessionState>>, key| {
                    key == jti.to_string()
                        || session
                            .as_ref()
                            .is_some_and(|s| key == s.root.to_string() || key == format!("u{}", s.user_id))
                },
            ),
            client_sessions: client_session::cache(notices),
            rights: Cached::new(
                notices,
                "rights",
                100_000,
                moment,
                |(user, _, _): &(i64, Area, Option<i64>), _, key| key == user.to_string(),
            ),
            schools: Cached::new(notices, "school", 10_000, Duration::from_secs(60), |id: &i64, _, key| {
                key == id.to_string()
            }),
            hosts: Cached::new(notices, "school", 10_000, Duration::from_secs(60), |_: &String, _, _| true),
            params: Cached::new(notices, "param", 1, Duration::from_secs(60), |(): &(), _, _| true),
            machines: machine::cache(notices),
        }
    }
}

/// What [`App::start`] needs besides the settings.
pub struct Parts {
    pub config: Config,
    pub db: Db,
    pub clock: Clock,
    pub random: Random,
    pub master: MasterKey,
    pub modules: Modules,
}

impl App {
    /// Reads the keys (the platform's schema must be migrated), starts to listen for notices and to write the log.
    ///
    /// # Errors
    /// A sentence for the operator.
    pub async fn start(parts: Parts) -> Result<Self, String> {
        let Parts { config, db, clock, random, master, modules } = parts;
        let keys = {
            let mut tx = db.in_platform(Purpose::Write).await.map_err(|error| error.to_string())?;
            let keys = Keys::load(&mut tx, &master, &random, clock.now()).await?;
            tx.commit().await.map_err(|error| error.to_string())?;
            keys
        };
        let store = open_store(&config, &keys)?;
        let notices = Notices::default();
        let caches = Caches::new(&notices);
        let listener = tokio::spawn(notices.clone().listen(db.listen_url().to_owned())).abort_handle();
        tokio::spawn(db.pulse().clone().keep());
        let (sender, receiver) = mpsc::channel(10_000);
        tokio::spawn(syslog::write(db.clone(), receiver));
        Ok(Self(Arc::new(Inner {
            config,
            db,
            clock,
            random,
            keys,
            notices,
            listener,
            caches,
            store,
            modules,
            metrics: Metrics::new(),
            syslog: sender,
            job_waiting: Notify::new(),
            of_modules: Mutex::default(),
            direct_exports: Arc::new(tokio::sync::Semaphore::new(4)),
        })))
    }

    /// Stops listening and closes the pools, after the last request.
    pub async fn close(&self) {
        self.0.listener.abort();
        self.0.db.close().await;
    }

    pub fn config(&self) -> &Config {
        &self.0.config
    }

    pub fn db(&self) -> &Db {
        &self.0.db
    }

    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub fn random(&self) -> &Random {
        &self.0.random
    }

    pub fn keys(&self) -> &Keys {
        &self.0.keys
    }

    pub fn notices(&self) -> &Notices {
        &self.0.notices
    }

    pub(crate) fn caches(&self) -> &Caches {
        &self.0.caches
    }

    /// What a module remembers in this server: its caches, made when they are first asked for.
    pub fn of_room<T: Send + Sync + 'static>(&self, make: impl FnOnce(&Notices) -> T) -> Arc<T> {
        let mut known = self.0.of_modules.lock().expect("making caches does not panic");
        let kept = known.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(make(&self.0.notices)));
        Arc::clone(kept).downcast().expect("a type's entry is of that type")
    }

    pub fn store(&self) -> &Store {
        &self.0.store
    }

    pub fn modules(&self) -> &Modules {
        &self.0.modules
    }

    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    pub(crate) fn syslog(&self) -> &mpsc::Sender<syslog::Row> {
        &self.0.syslog
    }

    pub(crate) fn job_waiting(&self) -> &Notify {
        &self.0.job_waiting
    }

    /// A place among the few exports that may run beside the requests.
    ///
    /// # Errors
    /// 429 when all places are taken.
    pub fn export_place(&self) -> Result<tokio::sync::OwnedSemaphorePermit> {
        let places = Arc::clone(&self.0.direct_exports);
        places.try_acquire_owned().map_err(|_| Error::too_many("导出任务较多，请稍后再试"))
    }

    /// A look at `platform` for a caller who was admitted already, or for what everybody may see.
    pub async fn platform_read(&self) -> Result<crate::tx::ReadTx> {
        Ok(crate::tx::ReadTx::new(self.db().in_platform(Purpose::Read).await?))
    }

    /// The real name of an account, for messages.
    pub async fn account_name(&self, id: i64) -> Result<String> {
        if id == 0 {
            return Ok("系统".to_owned());
        }
        let mut tx = self.db().in_platform(Purpose::Read).await?;
        let name = sqlx::query_scalar!("select real_name from platform.sys_user where id = $1", id)
            .fetch_optional(&mut *tx)
            .await?;
        Ok(name.unwrap_or_else(|| "其他用户".to_owned()))
    }
}

fn open_store(config: &Config, keys: &Keys) -> Result<Store, String> {
    let settings = &config.store;
    if settings.kind == "s3" {
        return Ok(Store::s3(store::S3Settings {
            endpoint: Some(settings.endpoint.clone()).filter(|endpoint| !endpoint.is_empty()),
            region: settings.region.clone(),
            bucket: settings.bucket.clone(),
            access_key: settings.key_id.clone(),
            secret_key: settings.secret.clone(),
            path_style: true,
        }));
    }
    let secret = keys.sign(b"addresses of local files");
    Store::local(&config.data.join("files"), "", &secret).map_err(|error| error.to_string())
}
