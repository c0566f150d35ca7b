//! Settings of a deployment: `chengjiao.toml`, each key also as `CHENGJIAO_SECTION_KEY`; checked at the start, all mistakes at once.

use std::{
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
};

use serde::Deserialize;

use crate::{network::Network, outbound::Targets};

/// All settings, checked.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Everything that this machine keeps: the private database, local files, the master key.
    pub data: PathBuf,
    pub server: Server,
    pub database: Database,
    pub store: Store,
    pub limits: Limits,
    pub passwords: Passwords,
    pub outbound: Outbound,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            data: "./data".into(),
            server: Server::default(),
            database: Database::default(),
            store: Store::default(),
            limits: Limits::default(),
            passwords: Passwords::default(),
            outbound: Outbound::default(),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Server {
    /// Where the console and the calls are served.
    pub listen: SocketAddr,
    /// Where `/metrics`, `/healthz` and `/readyz` are served; never to the internet.
    pub ops_listen: SocketAddr,
    /// The built console, served from disk; a program that has it inside does not look there.
    pub console_dir: PathBuf,
    /// Addresses and ranges whose `X-Forwarded-For` counts. The host is always that of `Host`, which they pass on.
    pub trusted_proxies: Vec<Network>,
    /// Hosts of the operators' own site: there they sign in, and nowhere else, and no school is served there. When this is
    /// empty, any host will do.
    pub operator_hosts: Vec<String>,
    /// Seconds for which a server that is asked to stop goes on as before but says that it is not ready, so that whoever
    /// sends visitors here learns to send them elsewhere.
    pub leave_seconds: u64,
    /// Seconds that running requests get after that.
    pub shutdown_seconds: u64,
    /// Whether this process also runs jobs.
    pub work: bool,
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            ops_listen: SocketAddr::from(([127, 0, 0, 1], 9464)),
            console_dir: "./console/dist".into(),
            trusted_proxies: Vec::new(),
            operator_hosts: Vec::new(),
            leave_seconds: 0,
            shutdown_seconds: 20,
            work: true,
        }
    }
}

impl Server {
    pub fn is_trusted_proxy(&self, peer: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.contains(peer))
    }

    /// Whether this host, with or without a port, is named as the operators' own.
    pub fn is_operators(&self, host: &str) -> bool {
        let host = host.split(':').next().unwrap_or_default();
        self.operator_hosts.iter().any(|own| own.eq_ignore_ascii_case(host))
    }

    /// Whether operators sign in at this host.
    pub fn admits_operators(&self, host: &str) -> bool {
        self.operator_hosts.is_empty() || self.is_operators(host)
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Database {
    /// Login role of requests; empty starts a private PostgreSQL in the data folder. Also `DATABASE_URL`.
    pub url: String,
    /// Owner of all tables; the same as `url` unless said. Also `DATABASE_OWNER_URL`.
    pub owner_url: String,
    /// Where LISTEN is possible; the same as `url` unless said. Also `DATABASE_LISTEN_URL`.
    pub listen_url: String,
    /// Folder of PostgreSQL's programs for the private database. Also `PG_BIN_DIR`.
    pub bin_dir: Option<PathBuf>,
    /// Before the names of school roles; only for several installations in one cluster.
    pub role_prefix: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Store {
    /// `local` or `s3`.
    pub kind: String,
    pub endpoint: String,
    pub region: String,
    pub bucket: String,
    pub key_id: String,
    pub secret: String,
    /// Where public files are read; empty: through this server.
    pub public_base_url: String,
}

impl Default for Store {
    fn default() -> Self {
        Self {
            kind: "local".to_owned(),
            endpoint: String::new(),
            region: "us-east-1".to_owned(),
            bucket: String::new(),
            key_id: String::new(),
            secret: String::new(),
            public_base_url: String::new(),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Pools over the schools.
    pub shards: usize,
    pub connections_per_shard: u32,
    pub platform_connections: u32,
    pub job_connections: u32,
    /// Largest JSON body.
    pub json_bytes: usize,
    /// Largest uploaded sheet or archive.
    pub upload_bytes: usize,
    /// Connections of visitors at the same time; more wait until one ends.
    pub connections: usize,
    /// The same of one address; more are refused. Trusted proxies and this machine are not counted.
    pub connections_per_address: usize,
    /// Seconds for the head of a request.
    pub head_seconds: u64,
    /// Seconds without a byte of a body, or without a byte of an answer being taken.
    pub body_seconds: u64,
    /// Seconds between an answer and the next request.
    pub idle_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            shards: 4,
            connections_per_shard: 3,
            platform_connections: 4,
            job_connections: 2,
            json_bytes: 2 << 20,
            upload_bytes: 1 << 30,
            connections: 2000,
            connections_per_address: 500,
            head_seconds: 10,
            body_seconds: 60,
            idle_seconds: 75,
        }
    }
}

/// What the hash of a password costs whoever makes or checks it (Argon2id, RFC 9106); hashes made before keep their own cost.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Passwords {
    /// Memory in KiB: from 19,456, what is usual, to 1,048,576.
    pub memory_kib: u32,
    /// Times the memory is gone through: from 2 to 10.
    pub passes: u32,
}

impl Default for Passwords {
    fn default() -> Self {
        Self { memory_kib: 19_456, passes: 2 }
    }
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Outbound {
    /// What mail servers and storages of a config may be: `public`, `lan` (also one's own network) or `any`.
    pub targets: Targets,
}

impl Config {
    /// Reads the file (when there is one) and the environment, then checks everything.
    ///
    /// # Errors
    /// All mistakes, a line each, each naming its key.
    pub fn load(file: Option<&Path>, environment: impl Iterator<Item = (String, String)>) -> Result<Self, Vec<String>> {
        let mut table = match file {
            Some(path) => std::fs::read_to_string(path)
                .map_err(|error| vec![format!("{}: {error}", path.display())])?
                .parse::<toml::Table>()
                .map_err(|error| vec![format!("{}: {error}", path.display())])?,
            None => toml::Table::new(),
        };
        let mut mistakes = Vec::new();
        for (name, value) in environment {
            if let Some((section, key)) = place(&name) {
                set(&mut table, section, &key, &value);
            } else if name.starts_with("CHENGJIAO_") && !OTHER.contains(&name.as_str()) {
                mistakes.push(format!("{name}: no such setting"));
            }
        }
        let config = match Self::deserialize(toml::Value::Table(table)) {
            Ok(config) => config,
            Err(error) => {
                mistakes.push(error.to_string().replace('\n', " "));
                return Err(mistakes);
            }
        };
        mistakes.extend(config.mistakes());
        if mistakes.is_empty() { Ok(config) } else { Err(mistakes) }
    }

    fn mistakes(&self) -> Vec<String> {
        let mut found = Vec::new();
        match self.store.kind.as_str() {
            "local" => {}
            "s3" => {
                for (key, value) in
                    [("bucket", &self.store.bucket), ("key_id", &self.store.key_id), ("secret", &self.store.secret)]
                {
                    if value.is_empty() {
                        found.push(format!("store.{key}: needed when store.kind is s3"));
                    }
                }
            }
            other => found.push(format!("store.kind: {other:?} is neither local nor s3")),
        }
        for (key, value) in [
            ("url", &self.database.url),
            ("owner_url", &self.database.owner_url),
            ("listen_url", &self.database.listen_url),
        ] {
            if !value.is_empty() && !value.starts_with("postgres://") && !value.starts_with("postgresql://") {
                found.push(format!("database.{key}: must begin with postgres://"));
            }
        }
        if self.database.url.is_empty() && !self.database.owner_url.is_empty() {
            found.push("database.owner_url: given without database.url".to_owned());
        }
        if self.limits.shards == 0 || self.limits.connections_per_shard == 0 || self.limits.platform_connections < 2 {
            found.push("limits: at least one shard, one connection each and two platform connections".to_owned());
        }
        let limits = &self.limits;
        if limits.connections == 0 || limits.connections_per_address == 0 {
            found.push("limits.connections, limits.connections_per_address: at least one".to_owned());
        }
        if [limits.head_seconds, limits.body_seconds, limits.idle_seconds].iter().any(|it| !(1..=86_400).contains(it)) {
            found.push("limits.head_seconds, limits.body_seconds, limits.idle_seconds: from one to a day".to_owned());
        }
        if !(19_456..=1 << 20).contains(&self.passwords.memory_kib) || !(2..=10).contains(&self.passwords.passes) {
            found.push("passwords: memory_kib from 19456 to 1048576, passes from 2 to 10".to_owned());
        }
        if self.server.listen == self.server.ops_listen && self.server.listen.port() != 0 {
            found.push("server.ops_listen: the same address as server.listen".to_owned());
        }
        found
    }
}

/// Variables with our prefix that are no settings of this file.
const OTHER: [&str; 4] = ["CHENGJIAO_MASTER_KEY", "CHENGJIAO_URL", "CHENGJIAO_LOG", "CHENGJIAO_CONFIG"];

/// Section and key that a variable sets; an empty section is the top of the file.
fn place(name: &str) -> Option<(&'static str, String)> {
    match name {
        "DATABASE_URL" => return Some(("database", "url".to_owned())),
        "DATABASE_OWNER_URL" => return Some(("database", "owner_url".to_owned())),
        "DATABASE_LISTEN_URL" => return Some(("database", "listen_url".to_owned())),
        "PG_BIN_DIR" => return Some(("database", "bin_dir".to_owned())),
        "CHENGJIAO_DATA" => return Some(("", "data".to_owned())),
        _ => {}
    }
    let rest = name.strip_prefix("CHENGJIAO_")?;
    ["server", "database", "store", "limits", "passwords", "outbound"].into_iter().find_map(|section| {
        let key = rest.strip_prefix(&section.to_uppercase())?.strip_prefix('_')?;
        Some((section, key.to_lowercase()))
    })
}

fn set(table: &mut toml::Table, section: &str, key: &str, text: &str) {
    let value = match text.parse::<i64>() {
        Ok(number) => toml::Value::Integer(number),
        Err(_) if text == "true" || text == "false" => toml::Value::Boolean(text == "true"),
        Err(_) if matches!(key, "trusted_proxies" | "operator_hosts") => toml::Value::Array(
            text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| item.to_owned().into()).collect(),
        ),
        Err(_) => toml::Value::String(text.to_owned()),
    };
    if section.is_empty() {
        table.insert(key.to_owned(), value);
    } else {
        let inner = table.entry(section).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        if let toml::Value::Table(inner) = inner {
            inner.insert(key.to_owned(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> impl Iterator<Item = (String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn the_environment_wins_over_the_file() {
        let config =
            Config::load(None, environment(&[("CHENGJIAO_SERVER_LISTEN", "0.0.0.0:9000"), ("CHENGJIAO_DATA", "/x")]))
                .expect("both are right");
        assert_eq!(config.server.listen.port(), 9000);
        assert_eq!(config.data, PathBuf::from("/x"));
    }

    #[test]
    fn proxies_are_addresses_and_ranges() {
        let named = |text| Config::load(None, environment(&[("CHENGJIAO_SERVER_TRUSTED_PROXIES", text)]));
        let config = named("10.0.0.1, 10.20.0.0/16").expect("both are right");
        let trusted = |peer: &str| config.server.is_trusted_proxy(peer.parse().expect("an address"));
        assert!(trusted("10.0.0.1") && trusted("10.20.3.4") && !trusted("10.0.0.2"));
        let mistakes = named("the-proxy").expect_err("no address");
        assert!(mistakes[0].contains("the-proxy"), "{mistakes:?}");
    }

    #[test]
    fn operators_have_the_hosts_that_are_named() {
        let config =
            Config::load(None, environment(&[("CHENGJIAO_SERVER_OPERATOR_HOSTS", "ops.example.cn, 10.0.0.9")]));
        let server = config.expect("both are right").server;
        assert!(server.admits_operators("OPS.example.cn:8443") && server.is_operators("10.0.0.9"));
        assert!(!server.admits_operators("donghu.example.cn") && !server.admits_operators(""));
        let usual = Config::default().server;
        assert!(usual.admits_operators("donghu.example.cn") && !usual.is_operators("donghu.example.cn"));
    }

    #[test]
    fn all_mistakes_are_told_at_once() {
        let mistakes = Config::load(
            None,
            environment(&[
                ("CHENGJIAO_STORE_KIND", "s3"),
                ("DATABASE_URL", "mysql://x"),
                ("CHENGJIAO_NONSENSE", "1"),
                ("CHENGJIAO_PASSWORDS_MEMORY_KIB", "64"),
            ]),
        )
        .expect_err("six mistakes");
        assert_eq!(mistakes.len(), 6, "{mistakes:?}");
    }
}
