use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::account::Account;
use crate::bootstrap;
use crate::error::{At, EmbeddedError, last_words};
use crate::folders::{Endpoint, Folders, SOCKET_PORT};
use crate::installation::Installation;
use crate::keeper::{Keeper, Kept, Restarts};
use crate::postmaster::{Postmaster, end_orphans};

const TICK: Duration = Duration::from_millis(10);
/// Recovery after a crash may take this long.
const SLOWEST_START: Duration = Duration::from_secs(300);
/// A fast stop writes everything down; after this it is cut short.
const SLOWEST_STOP: Duration = Duration::from_secs(60);
/// How long the remains of a killed server may keep a new one from starting.
const LONGEST_REMAINS: Duration = Duration::from_secs(20);
/// After this, the file of a process that is over is taken away, and its children are asked to end.
const REMAINS_ARE_STALE: Duration = Duration::from_secs(2);

/// What a cluster is started with.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder; it is made when missing.
    pub data_dir: PathBuf,
    /// The folder with `postgres` and `initdb` (`PG_BIN_DIR`); none searches for one.
    pub bin_dir: Option<PathBuf>,
    /// False gives up safety against a power cut for speed, which only tests may.
    pub durable: bool,
    /// Further PostgreSQL settings, which win over the ones chosen here.
    pub settings: Vec<(String, String)>,
}

impl Options {
    /// A durable cluster in this folder, served by whatever PostgreSQL is found.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        Self { data_dir: data_dir.into(), bin_dir: None, durable: true, settings: Vec::new() }
    }
}

/// A running cluster and this process's share in it.
///
/// Several processes may use one data folder. The first starts the cluster, the others join it, and the last to leave
/// stops it, by [`stop`](Self::stop) or by being dropped. A process that was killed leaves a running cluster behind,
/// which the next one joins. A cluster that dies while it is used is started again where it was.
#[derive(Debug)]
pub struct Cluster {
    folders: Folders,
    endpoint: Endpoint,
    /// Held shared while the cluster is used; none after leaving.
    share: Option<File>,
    /// None after leaving.
    keeper: Option<Keeper>,
    restarts: Restarts,
}

impl Cluster {
    /// Joins the running cluster of the data folder, or starts it, or makes it first.
    ///
    /// Blocks until connections are accepted, for at most some minutes.
    pub fn start(options: Options) -> Result<Self, EmbeddedError> {
        let account = Account::choose()?;
        let folders = Folders::settle(&options.data_dir, account)?;
        if folders.moved() {
            tracing::info!(from = %folders.data.display(), to = %folders.home.display(), "the database lies elsewhere");
        }
        let turn = take_turn(&folders)?;
        let (endpoint, child) = match running(&folders)? {
            Some(found) => (endpoint(&folders, &found)?, None),
            None => launch(&folders, account, &options, None).map(|(endpoint, child)| (endpoint, Some(child)))?,
        };
        let path = folders.data.join("owner.lock");
        let share = open_lock(&path)?;
        share.lock_shared().at("锁定", &path)?;
        let restarts = Restarts::default();
        let kept = Kept { folders: folders.clone(), account, options, endpoint: endpoint.clone() };
        let keeper = Keeper::begin(kept, child, restarts.clone())?;
        drop(turn);
        Ok(Self { folders, endpoint, share: Some(share), keeper: Some(keeper), restarts })
    }

    /// A connection address for sqlx or libpq. Besides [`OWNER`](crate::OWNER) and [`APP`](crate::APP) any role may be
    /// named that can sign in.
    pub fn url(&self, database: &str, user: &str) -> String {
        self.endpoint.url(database, user)
    }

    /// The folder with the cluster when it could not be in the data folder, because the server runs as root and the
    /// account that it steps down to cannot get there. Tell the person.
    pub fn moved_to(&self) -> Option<&Path> {
        self.folders.moved().then_some(self.folders.home.as_path())
    }

    /// How often the cluster died and was started again while this process used it.
    pub fn restarts(&self) -> Restarts {
        self.restarts.clone()
    }

    /// Leaves the cluster, and stops it when nobody else uses it.
    pub fn stop(mut self) -> Result<(), EmbeddedError> {
        self.leave()
    }

    fn leave(&mut self) -> Result<(), EmbeddedError> {
        let Some(share) = self.share.take() else { return Ok(()) };
        let mut child = self.keeper.take().and_then(Keeper::end);
        let _turn = take_turn(&self.folders)?;
        // Turning the shared lock into an exclusive one succeeds for the last user only.
        if share.try_lock().is_err() {
            return Ok(());
        }
        let cluster = self.folders.cluster();
        if let Some(postmaster) = Postmaster::read(&cluster).filter(|found| found.serves(&cluster)) {
            end(&mut child, &postmaster, &cluster)?;
        }
        if let Endpoint::Socket { folder, .. } = &self.endpoint
            && !folder.starts_with(&self.folders.home)
            && let Err(error) = fs::remove_dir(folder)
        {
            tracing::debug!(%error, "the folder of the socket stays");
        }
        Ok(())
    }
}

fn end(child: &mut Option<Child>, postmaster: &Postmaster, cluster: &Path) -> Result<(), EmbeddedError> {
    for (signal, patience) in [(Signal::INT, SLOWEST_STOP), (Signal::QUIT, Duration::from_secs(10))] {
        postmaster.signal(signal);
        let deadline = Instant::now() + patience;
        while Instant::now() < deadline {
            reap(child);
            if !postmaster.serves(cluster) {
                return Ok(());
            }
            sleep(TICK);
        }
    }
    Err(EmbeddedError::Stop { pid: postmaster.pid })
}

/// Takes note of the end of a child, which otherwise stays in the process table.
pub(crate) fn reap(child: &mut Option<Child>) {
    if child.as_mut().is_some_and(|child| !matches!(child.try_wait(), Ok(None))) {
        *child = None;
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Err(error) = self.leave() {
            tracing::error!(%error, "the embedded database was not stopped");
        }
    }
}

fn open_lock(path: &Path) -> Result<File, EmbeddedError> {
    OpenOptions::new().create(true).truncate(false).write(true).open(path).at("打开", path)
}

/// Waits until no other process is starting or stopping the cluster. The turn ends when the file is dropped.
pub(crate) fn take_turn(folders: &Folders) -> Result<File, EmbeddedError> {
    let path = folders.data.join("start.lock");
    let file = open_lock(&path)?;
    let deadline = Instant::now() + SLOWEST_START + SLOWEST_STOP;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(error).at("锁定", &path),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(TICK),
            Err(TryLockError::WouldBlock) => return Err(EmbeddedError::Busy { path: folders.data.clone() }),
        }
    }
}

/// The server of the cluster once it is ready, or none when there is none, or when it was just stopping.
pub(crate) fn running(folders: &Folders) -> Result<Option<Postmaster>, EmbeddedError> {
    let cluster = folders.cluster();
    let deadline = Instant::now() + SLOWEST_START;
    while Instant::now() < deadline {
        match Postmaster::read(&cluster).filter(|found| found.serves(&cluster)) {
            None => return Ok(None),
            Some(found) if found.ready && found.answers() => return Ok(Some(found)),
            Some(_) => sleep(TICK),
        }
    }
    Err(EmbeddedError::Slow { log: folders.log() })
}

fn endpoint(folders: &Folders, found: &Postmaster) -> Result<Endpoint, EmbeddedError> {
    Ok(match &found.socket_folder {
        Some(folder) => Endpoint::Socket { folder: folder.clone(), port: found.port },
        None => Endpoint::Tcp { port: found.port, password: folders.password()? },
    })
}

/// Starts the server; with `before`, where it was.
pub(crate) fn launch(
    folders: &Folders,
    account: Account,
    options: &Options,
    before: Option<&Endpoint>,
) -> Result<(Endpoint, Child), EmbeddedError> {
    let cluster = folders.cluster();
    let installation = Installation::find(options.bin_dir.as_deref(), folders.made_by()?, &cluster, account)?;
    let begun = Instant::now();
    loop {
        let attempt = bootstrap::ensure(folders, &installation, account, options.durable)
            .and_then(|()| spawn(folders, &installation, account, options, before));
        match attempt {
            Ok((found, child)) => return Ok((endpoint(folders, &found)?, child)),
            // A killed server's children need a moment to go, and its file stays.
            Err(error) => match Remains::of(&error) {
                Some(remains) if begun.elapsed() < LONGEST_REMAINS => {
                    let dead = Postmaster::read(&cluster);
                    // Whose file was taken away is over as well: its children keep the memory all the same.
                    if begun.elapsed() > REMAINS_ARE_STALE && dead.as_ref().is_none_or(Postmaster::is_over) {
                        match (remains, dead) {
                            (Remains::File, Some(dead)) => dead.remove_files(&cluster)?,
                            (Remains::File, None) => {}
                            (Remains::Children, _) => end_orphans(&cluster),
                        }
                    }
                    sleep(Duration::from_millis(200));
                }
                _ => return Err(error),
            },
        }
    }
}

/// What a killed server left that keeps a new one from starting.
enum Remains {
    /// A file that names a process.
    File,
    /// Processes that still use the memory; the file must stay until they are gone, because it names that memory.
    Children,
}

impl Remains {
    fn of(error: &EmbeddedError) -> Option<Self> {
        match error {
            EmbeddedError::Start { detail, .. } | EmbeddedError::Initdb { detail, .. } => {
                if detail.contains("shared memory block") {
                    Some(Self::Children)
                } else {
                    detail.contains("lock file").then_some(Self::File)
                }
            }
            _ => None,
        }
    }
}

/// Starts PostgreSQL and waits until it accepts connections.
fn spawn(
    folders: &Folders,
    installation: &Installation,
    account: Account,
    options: &Options,
    before: Option<&Endpoint>,
) -> Result<(Postmaster, Child), EmbeddedError> {
    let (cluster, log) = (folders.cluster(), folders.log());
    let program = installation.program("postgres");
    let mut command = account.command(&program);
    command.arg("-D").arg(&cluster);
    for (name, value) in settings(folders, installation, account, options, before)? {
        command.arg("-c").arg(format!("{name}={value}"));
    }
    let output = folders.open_log()?;
    let log_start = output.metadata().at("读取", &log)?.len();
    // A group of its own, so that Ctrl-C does not reach the database before the server has drained.
    command.process_group(0).stdout(Stdio::null()).stderr(output);
    let mut child = command.spawn().at("运行", &program)?;

    let deadline = Instant::now() + SLOWEST_START;
    while Instant::now() < deadline {
        if child.try_wait().at("等待", &program)?.is_some() {
            return Err(EmbeddedError::Start { detail: last_words(&tail(&log, log_start)), log });
        }
        if let Some(found) = Postmaster::read(&cluster).filter(|found| found.pid == child.id() && found.ready) {
            return Ok((found, child));
        }
        sleep(TICK);
    }
    if let Some(found) = Postmaster::read(&cluster).filter(|found| found.pid == child.id()) {
        found.signal(Signal::INT);
    }
    Err(EmbeddedError::Slow { log })
}

/// What PostgreSQL is told on its command line; the last of two equal names wins.
fn settings(
    folders: &Folders,
    installation: &Installation,
    account: Account,
    options: &Options,
    before: Option<&Endpoint>,
) -> Result<Vec<(String, String)>, EmbeddedError> {
    let mut settings: Vec<(&str, String)> = vec![
        // Many schools times many tables are touched by one transaction of a migration.
        ("max_locks_per_transaction", "1024".into()),
        ("max_connections", "100".into()),
        ("shared_buffers", format!("{}MB", shared_buffers_mb(options.durable))),
        // Thousands of schemas: looking through them every minute would be all that an idle server does.
        ("autovacuum_naptime", "5min".into()),
        // Statements and values identify people; the log keeps neither.
        ("log_error_verbosity", "terse".into()),
        ("log_min_error_statement", "panic".into()),
    ];
    if installation.has_library("pg_stat_statements") {
        settings.push(("shared_preload_libraries", "pg_stat_statements".into()));
    }
    if !options.durable {
        settings.extend(["fsync", "synchronous_commit", "full_page_writes"].map(|name| (name, "off".into())));
    }
    let folder = match before {
        Some(Endpoint::Socket { folder, .. }) => Some(folder.clone()),
        Some(Endpoint::Tcp { .. }) => None,
        None => folders.socket_folder(account),
    };
    match folder {
        Some(folder) => settings.extend([
            ("listen_addresses", String::new()),
            ("port", SOCKET_PORT.to_string()),
            ("unix_socket_directories", format!("\"{}\"", folder.display().to_string().replace('"', "\"\""))),
        ]),
        None => {
            bootstrap::set_password(&folders.cluster(), installation, account, &folders.password()?)?;
            settings.extend([
                ("listen_addresses", "127.0.0.1".into()),
                ("port", port(folders, before)?.to_string()),
                ("unix_socket_directories", String::new()),
            ]);
        }
    }
    let chosen = settings.into_iter().map(|(name, value)| (name.to_owned(), value));
    Ok(chosen.chain(options.settings.iter().cloned()).collect())
}

/// An eighth of the memory, from 128 MB to 1 GB; tests keep to the least.
fn shared_buffers_mb(durable: bool) -> u64 {
    let kilobytes = || {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
        line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()
    };
    if !durable {
        return 128;
    }
    kilobytes().map_or(128, |total| (total / 1024 / 8).clamp(128, 1024))
}

/// The port of before, which everybody knows, or a free one.
fn port(folders: &Folders, before: Option<&Endpoint>) -> Result<u16, EmbeddedError> {
    if let Some(Endpoint::Tcp { port, .. }) = before {
        return Ok(*port);
    }
    let probe = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    Ok(probe.at("查找空闲端口", &folders.home)?.port())
}

/// What a file has gained beyond a position.
fn tail(path: &Path, from: u64) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|mut file| {
        file.seek(SeekFrom::Start(from))?;
        file.read_to_end(&mut bytes)
    });
    if let Err(error) = read {
        tracing::debug!(%error, "the database's log cannot be read");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
