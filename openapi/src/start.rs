//! From settings to a running [`App`]: database, keys, clock.

use std::{path::PathBuf, sync::Arc};

use embedded::{Cluster, Restarts};
use infra::{
    App,
    app::Parts,
    clock::{Clock, Random},
    config::Config,
    db::{Db, DbOptions},
    keys::MasterKey,
};

use crate::modules;

/// The database of this process; a private one is stopped when this is dropped.
pub struct Database {
    pub db: Db,
    cluster: Option<Cluster>,
}

impl Database {
    /// How often a private cluster had to be started again.
    pub fn restarts(&self) -> Restarts {
        self.cluster.as_ref().map(Cluster::restarts).unwrap_or_default()
    }

    /// Stops a private cluster, when nobody else uses it.
    pub async fn stop(self) -> Result<(), String> {
        self.db.close().await;
        match self.cluster {
            Some(cluster) => tokio::task::spawn_blocking(move || cluster.stop()).await.map_err(told)?.map_err(told),
            None => Ok(()),
        }
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Reads file and environment.
///
/// # Errors
/// All mistakes, a line each.
pub fn config(file: Option<PathBuf>) -> Result<Config, String> {
    let file = file.or_else(|| {
        let usual = PathBuf::from("chengjiao.toml");
        usual.exists().then_some(usual)
    });
    Config::load(file.as_deref(), std::env::vars()).map_err(|mistakes| mistakes.join("\n"))
}

/// What this process writes from here on, no other account of the machine reads: exports and papers name people.
pub fn own_files_only() {
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Connects, or starts the private PostgreSQL of the data folder.
pub async fn database(config: &Config) -> Result<Database, String> {
    own_files_only();
    let (app_url, owner_url, listen_url, cluster) = if config.database.url.is_empty() {
        let mut options = embedded::Options::new(&config.data);
        options.bin_dir.clone_from(&config.database.bin_dir);
        let cluster = tokio::task::spawn_blocking(|| Cluster::start(options)).await.map_err(told)?.map_err(told)?;
        if let Some(place) = cluster.moved_to() {
            eprintln!("the private database lies in {}", place.display());
        }
        let app = cluster.url(embedded::DATABASE, embedded::APP);
        (app.clone(), cluster.url(embedded::DATABASE, embedded::OWNER), app, Some(cluster))
    } else {
        std::fs::create_dir_all(&config.data).map_err(|error| format!("{}: {error}", config.data.display()))?;
        let given = &config.database;
        let or_url = |url: &String| if url.is_empty() { given.url.clone() } else { url.clone() };
        (given.url.clone(), or_url(&given.owner_url), or_url(&given.listen_url), None)
    };
    let limits = &config.limits;
    let db = Db::open(DbOptions {
        app_url,
        owner_url,
        listen_url,
        shards: limits.shards,
        connections_per_shard: limits.connections_per_shard,
        platform_connections: limits.platform_connections,
        job_connections: limits.job_connections,
        role_prefix: config.database.role_prefix.clone(),
    })
    .map_err(told)?;
    Ok(Database { db, cluster })
}

/// The running server, without a listener.
pub async fn app(config: Config, db: Db) -> Result<App, String> {
    let random = Random::system();
    let master = match std::env::var("CHENGJIAO_MASTER_KEY") {
        Ok(text) => MasterKey::from_base64(&text)?,
        Err(_) => MasterKey::from_file(&config.data.join("master.key"), &random)?,
    };
    App::start(Parts { config, db, clock: Clock::default(), random, master, modules: modules::modules() }).await
}

/// Runs the worker beside the requests until `stop`.
pub fn worker(app: &App, stop: &tokio_util::sync::CancellationToken) -> tokio::task::JoinHandle<()> {
    let jobs = infra::jobs::work(app.clone(), 2, stop.clone());
    let messages = messages::work::work(app.clone(), stop.clone());
    tokio::spawn(async move {
        tokio::join!(jobs, messages);
    })
}

/// Queues the work that begins by itself, until `stop`.
pub fn schedule(app: &App, stop: &tokio_util::sync::CancellationToken) -> tokio::task::JoinHandle<()> {
    tokio::spawn(infra::schedule::run(app.clone(), stop.clone()))
}

/// Tells where this process writes, for what follows from rows, until `stop`.
pub fn tell(app: &App, stop: &tokio_util::sync::CancellationToken) -> tokio::task::JoinHandle<()> {
    tokio::spawn(statistics::watch::run(app.clone(), stop.clone()))
}

/// Shared by everything that prints progress.
pub type Progress = Arc<dyn Fn(usize, usize) + Send + Sync>;
