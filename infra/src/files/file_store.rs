//! In which store a file lies. New files go to the store of the enabled default storage config: the school's, else the
//! platform's, else the deployment's own (`chengjiao.toml`). A key names its store, so that files stay readable when the
//! default changes.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::Value;
use sqlx::PgConnection;
use store::{S3Settings, Store};

use crate::{
    app::App,
    db::Purpose,
    error::{Error, Result},
    notice::{Cached, Notices},
};

/// A store, and where in it our keys lie.
#[derive(Debug, Clone)]
pub struct FileStore {
    /// The storage config; none for the deployment's own store.
    pub config_id: Option<i64>,
    pub store: Store,
    directory: Option<String>,
    /// Where public files are read, without a slash at its end; empty: through this server.
    public_base_url: String,
}

impl FileStore {
    /// The key inside the store.
    pub fn path(&self, key: &str) -> String {
        match &self.directory {
            Some(directory) => format!("{directory}/{key}"),
            None => key.to_owned(),
        }
    }

    /// The address of a public file.
    pub fn public_url(&self, key: &str) -> String {
        if self.public_base_url.is_empty() {
            format!("/admin/files/{key}")
        } else {
            format!("{}/{}", self.public_base_url, self.path(key))
        }
    }
}

/// The storage config that a key names: `public-7/s1/…` lies in the store of config 7.
pub(super) fn config_of(key: &str) -> Option<i64> {
    key.split('/').next()?.split_once('-')?.1.parse().ok()
}

/// What a server remembers of the storage configs, until one changes.
struct Remembered {
    defaults: Cached<Option<i64>, Option<i64>>,
    places: Cached<i64, Arc<FileStore>>,
}

fn remembered(app: &App) -> Arc<Remembered> {
    app.of_room(|notices: &Notices| {
        let age = Duration::from_secs(300);
        Remembered {
            defaults: Cached::new(notices, "config", 10_000, age, |_: &Option<i64>, _: &Option<i64>, _: &str| true),
            places: Cached::new(notices, "config", 1_000, age, |_: &i64, _: &Arc<FileStore>, _: &str| true),
        }
    })
}

/// Where a new file goes.
pub async fn for_new(app: &App, school_id: Option<i64>) -> Result<Arc<FileStore>> {
    let load = async {
        let mut tx = app.db().in_platform(Purpose::Read).await?;
        let id = sqlx::query_scalar!(
            "select id from platform.sys_config
             where config_kind = 'storage' and is_default and enabled and (school_id = $1 or school_id is null)
             order by school_id nulls last limit 1",
            school_id
        )
        .fetch_optional(&mut *tx)
        .await?;
        Ok::<_, Error>(id)
    };
    match remembered(app).defaults.get(school_id, load).await? {
        Some(id) => of_config(app, id).await,
        None => Ok(Arc::new(own(app))),
    }
}

/// Where a known file lies.
///
/// # Errors
/// 404 when the key names a config that does not exist.
pub async fn of_key(app: &App, key: &str) -> Result<Arc<FileStore>> {
    match config_of(key) {
        Some(id) => of_config(app, id).await,
        None => Ok(Arc::new(own(app))),
    }
}

fn own(app: &App) -> FileStore {
    FileStore {
        config_id: None,
        store: app.store().clone(),
        directory: None,
        public_base_url: app.config().store.public_base_url.trim_end_matches('/').to_owned(),
    }
}

async fn of_config(app: &App, id: i64) -> Result<Arc<FileStore>> {
    let load = async {
        let mut tx = app.db().in_platform(Purpose::Read).await?;
        let row = sqlx::query!(
            "select content, secrets from platform.sys_config where id = $1 and config_kind = 'storage'",
            id
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(|| Error::new(404, "文件不存在或已被删除"))?;
        let secrets: BTreeMap<String, String> = match row.secrets {
            Some(sealed) => serde_json::from_slice(&app.keys().unseal(&sealed)?).map_err(Error::internal)?,
            None => BTreeMap::new(),
        };
        configured(app, id, &row.content, &secrets).map(Arc::new)
    };
    remembered(app).places.get(id, load).await
}

/// Whether any file of the platform or of a school lies in the store of a config.
pub async fn is_used(app: &App, id: i64) -> Result<bool> {
    let mut tx = app.db().in_platform(Purpose::Read).await?;
    let schools = sqlx::query_scalar!(
        "select id from platform.school where deleted_at is null and provision_state = 'ready' order by id"
    )
    .fetch_all(&mut *tx)
    .await?;
    if holds(&mut tx, id).await? {
        return Ok(true);
    }
    drop(tx);
    for school in schools {
        let Some(school) = app.school(school).await? else { continue };
        if holds(&mut *app.db().in_school(school.key()?, Purpose::Read).await?, id).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

async fn holds(connection: &mut PgConnection, id: i64) -> Result<bool> {
    // Unchecked because the table stands in `platform` and in every school; the path decides.
    Ok(sqlx::query_scalar("select exists (select from file_object where storage_config_id = $1)")
        .bind(id)
        .fetch_one(connection)
        .await?)
}

fn configured(app: &App, id: i64, content: &Value, secrets: &BTreeMap<String, String>) -> Result<FileStore> {
    let text = |name: &str| content[name].as_str().unwrap_or_default().to_owned();
    let some = |name: &str| Some(text(name)).filter(|text| !text.is_empty());
    let provider = text("provider");
    let (store, directory) = if provider == "local" {
        // A folder of this machine is the deployment's; its keys are told apart by the config that they name.
        let secret = app.keys().sign(b"addresses of local files");
        (Store::local(&app.config().data.join("files"), "", &secret)?, None)
    } else {
        let region = text("region");
        let settings = S3Settings {
            endpoint: some("endpoint").or_else(|| usual_endpoint(&provider, &region)),
            region,
            bucket: text("bucket"),
            access_key: text("keyId"),
            secret_key: secrets.get("secret").cloned().unwrap_or_default(),
            path_style: content["forcePathStyle"] == Value::Bool(true) || provider == "minio",
        };
        (app.config().outbound.targets.storage(settings)?, some("directory"))
    };
    let public_base_url = text("publicBaseUrl").trim_end_matches('/').to_owned();
    Ok(FileStore { config_id: Some(id), store, directory, public_base_url })
}

/// Where a provider answers in a region, when nobody typed another address.
fn usual_endpoint(provider: &str, region: &str) -> Option<String> {
    match provider {
        "aliyun_oss" => Some(format!("https://s3.oss-{region}.aliyuncs.com")),
        "tencent_cos" => Some(format!("https://cos.{region}.myqcloud.com")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_names_its_store() {
        assert_eq!(config_of("private/s1/202611/a.pdf"), None);
        assert_eq!(config_of("private-7/s1/202611/a.pdf"), Some(7));
        assert_eq!(config_of("public-12/platform/202611/a.png"), Some(12));
        assert_eq!(config_of("public-x/s1/a.png"), None);
    }
}
