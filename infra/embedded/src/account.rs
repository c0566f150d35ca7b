//! Who PostgreSQL runs as: ourselves, unless we are root.

use std::fs::{self, DirBuilder, Permissions};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::error::{At, EmbeddedError};

/// The account that the programs of PostgreSQL run under and that owns their files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Account {
    /// Our own, which is not root.
    Ours { uid: u32 },
    /// An account that we, as root, step down to.
    Other { uid: u32, gid: u32 },
}

impl Account {
    /// Ourselves, or as root `postgres`, or else `nobody`.
    pub(crate) fn choose() -> Result<Self, EmbeddedError> {
        let euid = rustix::process::geteuid();
        if !euid.is_root() {
            return Ok(Self::Ours { uid: euid.as_raw() });
        }
        let accounts = Path::new("/etc/passwd");
        let text = fs::read_to_string(accounts).at("读取", accounts)?;
        find(&text, "postgres")
            .or_else(|| find(&text, "nobody"))
            .map(|(uid, gid)| Self::Other { uid, gid })
            .ok_or(EmbeddedError::NoAccount)
    }

    /// A command of this account, at the root folder, with an empty environment but for the language, and nothing to
    /// read.
    pub(crate) fn command(self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("LC_ALL", "C").current_dir("/").stdin(Stdio::null());
        if let Self::Other { uid, gid } = self {
            command.gid(gid).uid(uid);
        }
        command
    }

    /// Whether this account can reach the folder through all its parents.
    pub(crate) fn can_enter(self, folder: &Path) -> bool {
        let mut shell = self.command(Path::new("/bin/sh"));
        shell.args(["-c", "cd \"$1\"", "sh"]).arg(folder).stderr(Stdio::null());
        shell.status().is_ok_and(|status| status.success())
    }

    /// Makes a folder that only this account (and root) may enter.
    pub(crate) fn make_folder(self, folder: &Path) -> Result<(), EmbeddedError> {
        DirBuilder::new().mode(0o700).create(folder).at("创建目录", folder)?;
        self.own(folder)
    }

    /// Gives a file or folder to this account.
    pub(crate) fn own(self, path: &Path) -> Result<(), EmbeddedError> {
        match self {
            Self::Ours { .. } => Ok(()),
            Self::Other { uid, gid } => chown(path, Some(uid), Some(gid)).at("设置所有者", path),
        }
    }

    /// Makes the folder as [`make_folder`](Self::make_folder) does, or accepts one that is exactly like that.
    ///
    /// A link, or a folder that somebody else owns or may enter, is refused: the socket in it admits without password.
    pub(crate) fn private_folder(self, folder: &Path) -> bool {
        let Ok(found) = fs::symlink_metadata(folder) else {
            return self.make_folder(folder).is_ok() && self.can_enter(folder);
        };
        if !found.is_dir() || found.uid() != self.uid() {
            return false;
        }
        let tight = found.mode() & 0o077 == 0 || fs::set_permissions(folder, Permissions::from_mode(0o700)).is_ok();
        tight && self.can_enter(folder)
    }

    fn uid(self) -> u32 {
        match self {
            Self::Ours { uid } | Self::Other { uid, .. } => uid,
        }
    }
}

/// The user and group number of an account in the text of `/etc/passwd`.
fn find(accounts: &str, name: &str) -> Option<(u32, u32)> {
    accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        if fields.next()? != name {
            return None;
        }
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        (uid != 0).then_some((uid, gid))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_found_by_their_whole_name() {
        let accounts = "postgresql:x:1:1::/:\npostgres:x:101:104:PostgreSQL,,,:/var/lib:/bin/bash\nnobody:x:0:0::/:\n";
        assert_eq!(find(accounts, "postgres"), Some((101, 104)));
        assert_eq!(find(accounts, "nobody"), None);
        assert_eq!(find(accounts, "other"), None);
    }
}
