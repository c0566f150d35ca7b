//! Where a cluster lies and how it is reached.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::error::{At, EmbeddedError};

/// The number in the socket's name; nothing listens on this port.
pub(crate) const SOCKET_PORT: u16 = 5432;
/// The longest path that the operating system takes for a socket, in bytes.
const LONGEST_SOCKET_PATH: usize = 107;
/// A log larger than this is set aside at the next start, in bytes.
const LARGEST_LOG: u64 = 16 << 20;

/// The files and folders of one embedded database.
#[derive(Debug, Clone)]
pub(crate) struct Folders {
    /// The data folder that was asked for; the lock files lie here.
    pub(crate) data: PathBuf,
    /// The folder with the cluster: `data`, unless the account cannot get there.
    pub(crate) home: PathBuf,
}

impl Folders {
    /// Makes the data folder, which nobody else may list, and decides where the cluster lies. Another account that PostgreSQL
    /// runs as goes through to its own folder.
    pub(crate) fn settle(data: &Path, account: Account) -> Result<Self, EmbeddedError> {
        let enterable = Permissions::from_mode(if matches!(account, Account::Ours { .. }) { 0o700 } else { 0o711 });
        let missing: Vec<&Path> =
            data.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.exists()).collect();
        fs::create_dir_all(data).at("创建目录", data)?;
        for folder in missing {
            fs::set_permissions(folder, enterable.clone()).at("设置权限", folder)?;
        }
        // As earlier versions made it.
        if fs::metadata(data).at("打开", data)?.permissions().mode() & 0o777 == 0o755 {
            fs::set_permissions(data, enterable.clone()).at("设置权限", data)?;
        }
        let data = fs::canonicalize(data).at("打开", data)?;
        if account.can_enter(&data) {
            return Ok(Self { home: data.clone(), data });
        }
        let all = Path::new("/var/lib/chengjiao");
        let home = all.join(short_hash(&data));
        fs::create_dir_all(&home).at("创建目录", &home)?;
        for folder in [all, &home] {
            fs::set_permissions(folder, enterable.clone()).at("设置权限", folder)?;
        }
        Ok(Self { data, home })
    }

    pub(crate) fn moved(&self) -> bool {
        self.data != self.home
    }

    pub(crate) fn cluster(&self) -> PathBuf {
        self.home.join("postgres")
    }

    pub(crate) fn staging(&self) -> PathBuf {
        self.home.join("postgres.tmp")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.home.join("postgres.log")
    }

    /// The major version that made the cluster, if there is one.
    pub(crate) fn made_by(&self) -> Result<Option<u32>, EmbeddedError> {
        let file = self.cluster().join("PG_VERSION");
        match fs::read_to_string(&file) {
            Ok(text) => Ok(text.trim().parse().ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).at("读取", &file),
        }
    }

    /// The first folder that is private and whose path is short enough for a socket; none means TCP with a password.
    pub(crate) fn socket_folder(&self, account: Account) -> Option<PathBuf> {
        let short = format!("chengjiao-{}", short_hash(&self.home));
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|_| matches!(account, Account::Ours { .. }));
        [
            Some(self.home.join("run")),
            runtime.map(|folder| Path::new(&folder).join(&short)),
            Some(Path::new("/run").join(&short)),
            Some(Path::new("/tmp").join(&short)),
        ]
        .into_iter()
        .flatten()
        .find(|folder| fits(folder) && account.private_folder(folder))
    }

    /// Opens the log to write on, and sets aside one that has grown large.
    pub(crate) fn open_log(&self) -> Result<fs::File, EmbeddedError> {
        let log = self.log();
        if fs::metadata(&log).is_ok_and(|found| found.len() > LARGEST_LOG) {
            let old = log.with_extension("log.1");
            fs::rename(&log, &old).at("移动", &log)?;
        }
        OpenOptions::new().create(true).append(true).mode(0o600).open(&log).at("打开", &log)
    }

    /// The password for TCP, made once and readable by the server's account alone.
    pub(crate) fn password(&self) -> Result<String, EmbeddedError> {
        let path = self.home.join("postgres.password");
        match fs::read_to_string(&path) {
            Ok(password) => return Ok(password),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).at("读取", &path),
        }
        let mut random = [0; 24];
        getrandom::fill(&mut random).map_err(io::Error::other).at("生成", &path)?;
        let password: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).at("创建", &path)?;
        file.write_all(password.as_bytes()).at("写入", &path)?;
        Ok(password)
    }
}

/// How a running cluster is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Endpoint {
    Socket { folder: PathBuf, port: u16 },
    Tcp { port: u16, password: String },
}

impl Endpoint {
    /// A connection address that sqlx and libpq both understand.
    pub(crate) fn url(&self, database: &str, user: &str) -> String {
        let (database, user) = (percent(database.as_bytes()), percent(user.as_bytes()));
        match self {
            Self::Socket { folder, port } => {
                let folder = percent(folder.as_os_str().as_bytes());
                format!("postgres:///{database}?host={folder}&port={port}&user={user}")
            }
            Self::Tcp { port, password } => format!("postgres://{user}:{password}@127.0.0.1:{port}/{database}"),
        }
    }
}

fn fits(folder: &Path) -> bool {
    folder.join(format!(".s.PGSQL.{SOCKET_PORT}")).as_os_str().len() <= LONGEST_SOCKET_PATH
}

/// Percent-encodes everything but letters, digits and `-_.~/`.
fn percent(bytes: &[u8]) -> String {
    bytes
        .iter()
        .map(|&byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => char::from(byte).to_string(),
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

/// Sixteen hexadecimal digits that stand for a path (FNV-1a, because it must stay the same from build to build).
fn short_hash(path: &Path) -> String {
    let hash = path
        .as_os_str()
        .as_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_percent_encoded() {
        let socket = Endpoint::Socket { folder: "/数据/a b".into(), port: 5432 };
        assert_eq!(
            socket.url("chengjiao", "chengjiao_app"),
            "postgres:///chengjiao?host=/%E6%95%B0%E6%8D%AE/a%20b&port=5432&user=chengjiao_app"
        );
        let tcp = Endpoint::Tcp { port: 4000, password: "ab".into() };
        assert_eq!(tcp.url("d", "u"), "postgres://u:ab@127.0.0.1:4000/d");
    }

    #[test]
    fn the_hash_of_a_path_never_changes() {
        assert_eq!(short_hash(Path::new("")), "cbf29ce484222325");
        assert_eq!(short_hash(Path::new("/secret/data")), short_hash(Path::new("/secret/data")));
        assert_ne!(short_hash(Path::new("/secret/data")), short_hash(Path::new("/secret/data2")));
    }

    #[test]
    fn the_password_is_made_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let folders = Folders { data: folder.path().into(), home: folder.path().into() };
        let password = folders.password().unwrap();
        assert_eq!(password.len(), 48);
        assert_eq!(folders.password().unwrap(), password);
        let file = fs::metadata(folder.path().join("postgres.password")).unwrap();
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
}
