//! A config as it stands in the table, and opened, with its secrets in hand.

use futures_util::TryStreamExt;
use infra::{App, Change, Error, Paging, Result, Tx, clock::Moment, transfer::Rows};
use poem_openapi::types::Any;
use serde_json::{Map, Value, json};
use sqlx::PgConnection;

use super::{
    Config, ConfigFilter, ConfigKind, SecretState,
    content::{Secrets, for_people, missing},
};

pub(super) fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// One kind has one enabled default in a school; the former one steps back.
pub(super) async fn sole_default(tx: &mut Tx, kind: ConfigKind, school_id: Option<i64>, but: i64) -> Result<()> {
    let by = tx.by();
    let stepped_back = sqlx::query_scalar!(
        "update platform.sys_config set is_default = false, updated_at = now(), updated_by = $4, version = version + 1
         where config_kind = $1 and school_id is not distinct from $2 and is_default and enabled and id <> $3 returning id",
        kind.as_str(),
        school_id,
        but,
        by
    )
    .fetch_optional(&mut **tx)
    .await?;
    match stepped_back {
        Some(id) => tx.record(&[Change::status("sys_config", id, "isDefault", true, false)]).await,
        None => Ok(()),
    }
}

pub(super) struct Row {
    pub(super) id: i64,
    pub(super) config_name: String,
    pub(super) config_kind: ConfigKind,
    pub(super) school_id: Option<i64>,
    pub(super) school_name: Option<String>,
    pub(super) content: Value,
    pub(super) secrets: Option<Vec<u8>>,
    pub(super) is_default: bool,
    pub(super) enabled: bool,
    pub(super) remark: Option<String>,
    pub(super) created_at: Moment,
    pub(super) version: i32,
}

impl Row {
    pub(super) fn open(mut self, app: &App) -> Result<Opened> {
        let secrets = Secrets::unseal(app, self.secrets.as_deref())?;
        let content = object(self.content.take());
        Ok(Opened { row: self, content, secrets })
    }
}

/// A config with its secrets in hand; it never leaves this module.
pub(super) struct Opened {
    pub(super) row: Row,
    pub(super) content: Map<String, Value>,
    pub(super) secrets: Secrets,
}

impl Opened {
    pub(super) fn shown(self) -> Config {
        let kind = self.row.config_kind;
        let set = kind.secrets().iter().filter(|secret| self.secrets.has(secret)).count();
        let secret_state = match (set, kind.secrets().len()) {
            (_, 0) => SecretState::None,
            (0, _) => SecretState::Unset,
            (set, all) if set == all => SecretState::Set,
            _ => SecretState::Partial,
        };
        Config {
            id: self.row.id,
            config_name: self.row.config_name,
            config_kind: kind,
            school_id: self.row.school_id,
            school_name: self.row.school_name,
            content: Any(for_people(kind, self.content, &self.secrets)),
            is_default: self.row.is_default,
            secret_state,
            enabled: self.row.enabled,
            remark: self.row.remark,
            created_at: self.row.created_at,
            version: self.row.version,
        }
    }

    /// What the trail keeps: no secret, only which of them changed.
    pub(super) fn for_trail(&self, before: &Secrets) -> Any<Value> {
        Any(json!({
            "configName": self.row.config_name,
            "configKind": self.row.config_kind.as_str(),
            "schoolId": self.row.school_id,
            "content": self.content,
            "isDefault": self.row.is_default,
            "enabled": self.row.enabled,
            "remark": self.row.remark,
            "keysChanged": self.secrets.changed_since(before),
        }))
    }

    /// The platform keeps one default of what it cannot be without (01 §3.2.5); a school falls back on the platform's.
    pub(super) fn may_step_back(&self) -> Result<()> {
        let Row { is_default, enabled, school_id, config_kind, .. } = &self.row;
        if *is_default && *enabled && school_id.is_none() && config_kind.is_indispensable() {
            return Err(Error::conflict("至少保留一个启用的默认配置"));
        }
        Ok(())
    }

    pub(super) fn may_be_enabled(&self) -> Result<()> {
        if missing(self.row.config_kind, &self.content, &self.secrets).is_empty() {
            Ok(())
        } else {
            Err(Error::conflict("配置不完整，请先编辑补全后再启用"))
        }
    }

    pub(super) fn is_complete(&self) -> Result<()> {
        if missing(self.row.config_kind, &self.content, &self.secrets).is_empty() {
            Ok(())
        } else {
            Err(Error::conflict("配置不完整，请先编辑补全后再测试"))
        }
    }
}

pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &ConfigFilter,
    page: Option<Paging>,
) -> Rows<'c, Row> {
    sqlx::query_as!(
        Row,
        r#"select c.id, c.config_name, c.config_kind as "config_kind: _", c.school_id, s.name as "school_name?", c.content,
                  c.secrets, c.is_default, c.enabled, c.remark, c.created_at, c.version
           from platform.sys_config c left join platform.school s on s.id = c.school_id
           where ($1::bigint is null or c.id = $1)
             and ($2::text is null or strpos(c.config_name, $2) > 0)
             and ($3::text is null or c.config_kind = $3)
             and ($4::bigint is null or c.school_id = $4)
             and ($5::boolean is null or c.enabled = $5)
           order by c.config_kind, c.school_id nulls first, c.is_default desc, c.id desc
           limit $6 offset $7"#,
        only,
        filter.config_name,
        filter.config_kind.map(ConfigKind::as_str),
        filter.school_id,
        filter.enabled,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
}

pub(super) async fn find(app: &App, connection: &mut PgConnection, id: i64) -> Result<Opened> {
    let found = select(connection, Some(id), &ConfigFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)?.open(app)
}
