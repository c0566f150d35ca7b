//! 平台默认: the settings with which a new school begins. A change here touches no school that exists.

use infra::{Allowed, App, Change, Error, Result, Tx, setting::Setting};
use poem_openapi::types::Any;
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use super::{
    SettingEdit, SettingItem, SettingsOfGroup, ViewSchoolSetting, item,
    kept::{Row, unchanged_since, version_of, wanted},
    registry::{SettingGroup, groups},
};

/// # Errors
/// 400 for a group that new schools cannot begin with.
fn settings_of(app: &App, group: SettingGroup) -> Result<Vec<Setting>> {
    if group.of_new_schools() { Ok(item::settings_of(app, group)) } else { Err(Error::malformed()) }
}

async fn rows(connection: &mut PgConnection, settings: &[Setting]) -> Result<Vec<Row>> {
    let keys: Vec<String> = settings.iter().map(|setting| setting.key.to_owned()).collect();
    let rows = sqlx::query_as!(
        Row,
        "select key, value, version, updated_by, updated_at from platform.school_setting_default
         where key = any($1) order by key",
        &keys
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

pub(super) async fn view(caller: &Allowed<ViewSchoolSetting>, group: SettingGroup) -> Result<SettingsOfGroup> {
    let settings = settings_of(caller.app(), group)?;
    let mut tx = caller.read().await?;
    let rows = rows(&mut tx, &settings).await?;
    let items = settings
        .iter()
        .map(|setting| {
            let set = rows.iter().find(|row| row.key == setting.key).map(|row| row.value.clone());
            SettingItem::of(setting, set, setting.kind.default())
        })
        .collect();
    let (version, groups) = (version_of(&rows), groups(caller.app(), false));
    Ok(SettingsOfGroup { group, school_id: None, school_name: None, version, items, groups })
}

/// Saves a group; answers its number.
pub(super) async fn edit(mut tx: Tx, edit: &SettingEdit) -> Result<i32> {
    let app = tx.app().clone();
    let settings = settings_of(&app, edit.group)?;
    sqlx::query!("select pg_advisory_xact_lock(7002, hashtext(current_schema() || $1))", edit.group.as_str())
        .execute(&mut *tx)
        .await?;
    let rows = rows(&mut tx, &settings).await?;
    unchanged_since(&app, &rows, edit.version).await?;
    let wanted = wanted(&settings, &rows, &edit.value.0)?;
    if wanted.keys.is_empty() {
        return Ok(edit.version);
    }
    let (by, version) = (tx.by(), edit.version + 1);
    sqlx::query!(
        "insert into platform.school_setting_default as s (key, value, version, created_by, updated_by)
         select t.key, t.value, $3, $4, $4 from unnest($1::text[], $2::jsonb[]) as t (key, value)
         on conflict (key) do update set value = excluded.value, version = excluded.version,
             updated_at = now(), updated_by = excluded.updated_by",
        &wanted.keys,
        &wanted.values,
        version,
        by
    )
    .execute(&mut *tx)
    .await?;
    let (before, after) = (Any(Value::Object(wanted.before)), Any(Value::Object(wanted.after)));
    tx.commit(Change::edited("school_setting_default", 0, &before, &after)).await?;
    Ok(version)
}

/// Gives a new school the defaults; what it has already stays. `schema` is a plain identifier, checked by the caller.
pub async fn copy_into(owner: &mut PgConnection, schema: &str) -> Result<()> {
    owner
        .execute(AssertSqlSafe(format!(
            "insert into {schema}.school_setting (key, value, created_by, updated_by)
             select key, value, 0, 0 from platform.school_setting_default where value <> 'null'
             on conflict (key) do nothing"
        )))
        .await?;
    Ok(())
}
