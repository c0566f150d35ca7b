//! A private PostgreSQL in the data folder, for everyone who has no database server to point at.
//!
//! ```text
//! data/owner.lock      shared by every server that uses the cluster; whoever leaves last stops it
//! data/start.lock      held only while a cluster is looked for, made, started or stopped
//! data/postgres/       the cluster; data/postgres.tmp while it is being made
//! data/postgres.log    what PostgreSQL says (without statements and values)
//! data/run/            the socket; nothing listens on the network
//! ```
//!
//! Invariant: a folder `data/postgres` is a complete cluster. It is made under another name and renamed.
//!
//! Invariant: PostgreSQL never runs as root, and is never reachable without either the rights on a 0700 folder or a
//! password.
//!
//! Invariant: while a process uses the cluster it runs, or is being started again at the same address.
//!
//! Everything here blocks, for up to minutes when a crashed cluster recovers: async code calls it through
//! `spawn_blocking`.

mod account;
mod bootstrap;
mod cluster;
mod error;
mod folders;
mod installation;
mod keeper;
mod postmaster;

pub use cluster::{Cluster, Options};
pub use error::EmbeddedError;
pub use keeper::Restarts;

/// The role that owns the databases and changes their structure. It is no superuser.
pub const OWNER: &str = "chengjiao_owner";
/// The role that the server works as. It inherits nothing: it takes a school's role per transaction.
pub const APP: &str = "chengjiao_app";
/// The database of the product, owned by [`OWNER`].
pub const DATABASE: &str = "chengjiao";
