//! The directory of schools: which exist, where each lives, whether it is open.

use std::sync::Arc;

use chrono::NaiveDate;

use crate::{
    app::App,
    db::{Purpose, SchoolKey},
    error::{Error, Result},
    migrate,
};

/// What a request must know of a school before it may touch it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct School {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub short_name: Option<String>,
    pub logo: Option<String>,
    pub domain: Option<String>,
    pub status: String,
    pub provision_state: String,
    pub expires_on: Option<NaiveDate>,
    /// How much its files may fill; unlimited without one.
    pub storage_quota_gb: Option<i32>,
    /// Its people are invented.
    pub demo: bool,
    pub schema_version: i64,
    pub schema_checksum: String,
    key: SchoolKey,
}

impl School {
    /// Trial or active: people may sign in and work.
    pub fn is_open(&self) -> bool {
        matches!(self.status.as_str(), "trial" | "active")
    }

    pub fn is_ready(&self) -> bool {
        self.provision_state == "ready"
    }

    /// What a list over schools calls it, where a row has other things to tell (05 F3).
    pub fn shown_name(&self) -> String {
        self.short_name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| self.name.clone())
    }

    /// The way into its schema. A school that a newer server has migrated stays open to this one: a change of structure
    /// only adds, until no server of the former version runs any more.
    ///
    /// # Errors
    /// 409 while it is being opened, or is behind this server.
    pub fn key(&self) -> Result<&SchoolKey> {
        let target = migrate::target(&migrate::SCHOOL);
        if !self.is_ready() {
            return Err(Error::conflict("院校未开通完成"));
        }
        let same = self.schema_version == target.version && self.schema_checksum == target.checksum;
        if !same && self.schema_version <= target.version {
            return Err(Error::conflict("系统升级中，请稍后再试"));
        }
        Ok(&self.key)
    }
}

impl App {
    /// The school, unless it was never there or is deleted.
    pub async fn school(&self, id: i64) -> Result<Option<Arc<School>>> {
        self.caches()
            .schools
            .get(id, async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let row = sqlx::query!(
                    "select id, code, name, short_name, logo, domain, status, provision_state, expires_on, storage_quota_gb, demo, schema_version,
                            schema_checksum, schema_name, db_role
                     from platform.school where id = $1 and deleted_at is null",
                    id
                )
                .fetch_optional(&mut *tx)
                .await?;
                let Some(row) = row else { return Ok(None) };
                Ok::<_, Error>(Some(Arc::new(School {
                    key: SchoolKey::new(row.id, &row.schema_name, &row.db_role)?,
                    id: row.id,
                    code: row.code,
                    name: row.name,
                    short_name: row.short_name,
                    logo: row.logo,
                    domain: row.domain,
                    status: row.status,
                    provision_state: row.provision_state,
                    expires_on: row.expires_on,
                    storage_quota_gb: row.storage_quota_gb,
                    demo: row.demo,
                    schema_version: row.schema_version,
                    schema_checksum: row.schema_checksum,
                })))
            })
            .await
    }

    /// The open school that has this host as its domain; none at a host of the operators.
    pub async fn school_of_host(&self, host: &str) -> Result<Option<Arc<School>>> {
        if self.config().server.is_operators(host) {
            return Ok(None);
        }
        let host = host.split(':').next().unwrap_or_default().to_lowercase();
        let id = self
            .caches()
            .hosts
            .get(host.clone(), async {
                let mut tx = self.db().in_platform(Purpose::Read).await?;
                let id = sqlx::query_scalar!(
                    "select id from platform.school where domain = $1 and deleted_at is null and status in ('trial', 'active')",
                    host
                )
                .fetch_optional(&mut *tx)
                .await?;
                Ok::<_, Error>(id)
            })
            .await?;
        match id {
            Some(id) => self.school(id).await,
            None => Ok(None),
        }
    }
}
