//! Who notices the death of the server and starts it again.
//!
//! Each process that uses the cluster watches it. The turn (`start.lock`) decides who starts it; the others find it
//! running. So it lives while anybody uses it, whoever of them began it.

use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::account::Account;
use crate::cluster::{Options, launch, reap, running, take_turn};
use crate::error::{At, EmbeddedError};
use crate::folders::{Endpoint, Folders};
use crate::postmaster::Postmaster;

const LOOK_EVERY: Duration = Duration::from_millis(200);
/// After a start that failed or did not last, the next waits longer each time.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// A server that lived this long was started for good.
const LASTS: Duration = Duration::from_secs(60);

/// How often this process found its database dead and running again afterwards. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Restarts(Arc<AtomicU64>);

impl Restarts {
    /// The count so far.
    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a new server must have in common with the one that died.
pub(crate) struct Kept {
    pub(crate) folders: Folders,
    pub(crate) account: Account,
    pub(crate) options: Options,
    pub(crate) endpoint: Endpoint,
}

/// The thread that watches.
#[derive(Debug)]
pub(crate) struct Keeper {
    stop: Sender<()>,
    thread: JoinHandle<Option<Child>>,
}

impl Keeper {
    /// Watches from now on; `child` is the server when this process started it.
    pub(crate) fn begin(kept: Kept, child: Option<Child>, restarts: Restarts) -> Result<Self, EmbeddedError> {
        let (stop, stopped) = mpsc::channel();
        let data = kept.folders.data.clone();
        let watch = move || watch(&kept, child, &restarts, &stopped);
        let thread = std::thread::Builder::new().name("postgres keeper".to_owned()).spawn(watch).at("监视", &data)?;
        Ok(Self { stop, thread })
    }

    /// Ends the watch, after a start that is under way; answers the server that this process started.
    pub(crate) fn end(self) -> Option<Child> {
        drop(self.stop);
        self.thread.join().ok().flatten()
    }
}

fn watch(kept: &Kept, mut child: Option<Child>, restarts: &Restarts, stopped: &Receiver<()>) -> Option<Child> {
    let cluster = kept.folders.cluster();
    let (mut pause, mut begun) = (Duration::ZERO, Instant::now());
    while stopped.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
        reap(&mut child);
        if Postmaster::read(&cluster).is_some_and(|found| found.serves(&cluster)) {
            continue;
        }
        if begun.elapsed() > LASTS {
            pause = Duration::ZERO;
        }
        tracing::error!(?pause, log = %kept.folders.log().display(), "the private database is gone; it is started again");
        if stopped.recv_timeout(pause) != Err(RecvTimeoutError::Timeout) {
            break;
        }
        pause = (pause * 2).clamp(FIRST_PAUSE, LONGEST_PAUSE);
        begun = Instant::now();
        match again(kept) {
            Ok(started) => {
                child = started.or(child);
                restarts.0.fetch_add(1, Ordering::Relaxed);
                tracing::warn!(took = ?begun.elapsed(), "the private database runs again");
            }
            Err(error) => tracing::error!(%error, "the private database could not be started again"),
        }
    }
    child
}

/// Starts the server, or waits for whoever is starting it.
fn again(kept: &Kept) -> Result<Option<Child>, EmbeddedError> {
    let _turn = take_turn(&kept.folders)?;
    match running(&kept.folders)? {
        Some(_) => Ok(None),
        None => launch(&kept.folders, kept.account, &kept.options, Some(&kept.endpoint)).map(|(_, child)| Some(child)),
    }
}
