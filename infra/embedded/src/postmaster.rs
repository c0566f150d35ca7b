//! The running server process, as its file `postmaster.pid` and the operating system describe it.

use std::fs;
use std::net::TcpStream;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::error::{At, EmbeddedError};

/// The lines of `postmaster.pid` that matter here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Postmaster {
    pub(crate) pid: u32,
    pub(crate) port: u16,
    /// None when it listens on TCP only.
    pub(crate) socket_folder: Option<PathBuf>,
    pub(crate) ready: bool,
}

impl Postmaster {
    /// Reads the file of a cluster; none when it is absent or not yet complete.
    pub(crate) fn read(cluster: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(cluster.join("postmaster.pid")).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let line = |number: usize| lines.get(number - 1).copied().unwrap_or_default();
        Some(Self {
            pid: line(1).trim_start_matches('-').parse().ok()?,
            port: line(4).parse().unwrap_or_default(),
            socket_folder: Some(line(5)).filter(|folder| !folder.is_empty()).map(PathBuf::from),
            ready: line(8) == "ready",
        })
    }

    /// Whether the process lives and is the server of this cluster.
    ///
    /// After a crash the number may belong to another program, or to another cluster's server.
    pub(crate) fn serves(&self, cluster: &Path) -> bool {
        match process(self.pid) {
            Process::Gone => false,
            Process::Postgres { arguments } => contains(&arguments, cluster) || (self.ready && self.answers()),
            Process::Other => false,
            Process::Unknown => self.answers() || !self.ready,
        }
    }

    /// Whether the file's process is over, although PostgreSQL may think that it lives: the number went to another
    /// program, or nobody has taken note of the end of the process.
    pub(crate) fn is_over(&self) -> bool {
        matches!(process(self.pid), Process::Gone | Process::Other)
    }

    /// Takes away what a process that is over has left: its file, and the mark beside its socket.
    pub(crate) fn remove_files(&self, cluster: &Path) -> Result<(), EmbeddedError> {
        let mark = |folder: &PathBuf| folder.join(format!(".s.PGSQL.{}.lock", self.port));
        for file in self.socket_folder.as_ref().map(mark).into_iter().chain([cluster.join("postmaster.pid")]) {
            if file.exists() {
                fs::remove_file(&file).at("删除", &file)?;
            }
        }
        Ok(())
    }

    /// Asks the server to end; `QUIT` skips the last checkpoint.
    pub(crate) fn signal(&self, signal: Signal) {
        let Some(pid) = i32::try_from(self.pid).ok().and_then(Pid::from_raw) else { return };
        if let Err(error) = kill_process(pid, signal) {
            tracing::debug!(pid = self.pid, %error, "the database process is already gone");
        }
    }

    /// Whether somebody listens where the file says.
    pub(crate) fn answers(&self) -> bool {
        match &self.socket_folder {
            Some(folder) => UnixStream::connect(folder.join(format!(".s.PGSQL.{}", self.port))).is_ok(),
            None => TcpStream::connect(("127.0.0.1", self.port)).is_ok(),
        }
    }
}

/// Asks the processes of a cluster whose server is dead to end: one that computes does not look whether it still has a
/// server. Where the system does not tell a process's folder, they are waited for.
pub(crate) fn end_orphans(cluster: &Path) {
    let Ok(processes) = fs::read_dir("/proc") else { return };
    for entry in processes.flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok());
        let works_here = || fs::read_link(entry.path().join("cwd")).is_ok_and(|folder| folder == cluster);
        if let Some(pid) = pid
            && matches!(process(pid), Process::Postgres { .. })
            && works_here()
        {
            tracing::warn!(pid, "a process of the dead database is asked to end");
            let orphan = Postmaster { pid, port: 0, socket_folder: None, ready: false };
            orphan.signal(Signal::QUIT);
        }
    }
}

/// What the operating system knows about a process number.
enum Process {
    Gone,
    Postgres {
        arguments: Vec<u8>,
    },
    Other,
    /// Something lives under the number, and this system has no `/proc` to say what.
    Unknown,
}

fn process(pid: u32) -> Process {
    let proc = Path::new("/proc");
    if !proc.join("self/stat").exists() {
        let alive = i32::try_from(pid)
            .ok()
            .and_then(Pid::from_raw)
            .is_some_and(|pid| !matches!(test_kill_process(pid), Err(rustix::io::Errno::SRCH)));
        return if alive { Process::Unknown } else { Process::Gone };
    }
    let folder = proc.join(pid.to_string());
    let Ok(stat) = fs::read_to_string(folder.join("stat")) else { return Process::Gone };
    // `12 (postgres) S …`; a name may itself contain brackets.
    let (Some((_, after_open)), Some((_, state))) = (stat.split_once('('), stat.rsplit_once(") ")) else {
        return Process::Gone;
    };
    if state.starts_with(['Z', 'X']) {
        return Process::Gone;
    }
    if !after_open.starts_with("postgres)") && !after_open.starts_with("postmaster)") {
        return Process::Other;
    }
    Process::Postgres { arguments: fs::read(folder.join("cmdline")).unwrap_or_default() }
}

/// Whether one of the zero-separated arguments is the path.
fn contains(arguments: &[u8], path: &Path) -> bool {
    arguments.split(|&byte| byte == 0).any(|argument| argument == path.as_os_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_says_where_and_whether_ready() {
        let text = "4711\n/data/postgres\n1790000000\n5432\n/data/run\n\n  5432001   32769\nready   \n";
        let found = Postmaster::parse(text).unwrap();
        assert_eq!(found, Postmaster { pid: 4711, port: 5432, socket_folder: Some("/data/run".into()), ready: true });
        assert!(!Postmaster::parse("4711\n/data/postgres\n").unwrap().ready);
        assert_eq!(Postmaster::parse(""), None);
    }

    #[test]
    fn a_number_that_went_to_another_program_is_not_the_server() {
        let us = Postmaster { pid: std::process::id(), port: 1, socket_folder: None, ready: true };
        assert!(!us.serves(Path::new("/data/postgres")));
        assert!(us.is_over());
    }
}
