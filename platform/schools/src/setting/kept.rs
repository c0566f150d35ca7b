//! The rows of one school's `school_setting`, read and saved by groups.

use std::collections::BTreeMap;

use infra::{
    App, Change, Error, Result, Tx,
    clock::Moment,
    directory,
    files::{self, Takes},
    setting::{Setting, kind::Kind},
};
use poem_openapi::types::Any;
use serde_json::{Map, Value};
use sqlx::PgConnection;

use super::{
    SettingEdit, SettingItem,
    item::{as_value, settings_of},
    registry::SettingGroup,
    unknown,
};

/// What one key holds.
pub(super) struct Row {
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) version: i32,
    pub(super) updated_by: i64,
    pub(super) updated_at: Moment,
}

/// The number of a group is the greatest of its rows; 0 while it has none.
pub(super) fn version_of(rows: &[Row]) -> i32 {
    rows.iter().map(|row| row.version).max().unwrap_or(0)
}

/// # Errors
/// 409 when the group was saved since it was read, with who did it and when.
pub(super) async fn unchanged_since(app: &App, rows: &[Row], version: i32) -> Result<()> {
    if version_of(rows) == version {
        return Ok(());
    }
    let Some(last) = rows.iter().max_by_key(|row| row.version) else {
        return Err(Error::conflict("数据已被修改，请刷新后重试"));
    };
    let name = app.account_name(last.updated_by).await?;
    let at = last.updated_at.format("%Y-%m-%d %H:%M:%S");
    Err(Error::conflict(format!("数据已被{name}于{at}修改，请刷新后重试")))
}

/// What is to be written of an edit.
pub(super) struct Wanted {
    pub(super) keys: Vec<String>,
    pub(super) values: Vec<Value>,
    /// For the trail: the keys that differ, before and after.
    pub(super) before: Map<String, Value>,
    pub(super) after: Map<String, Value>,
}

impl Wanted {
    /// For the trail of a school.
    fn change(self, school_id: i64) -> Change {
        let (before, after) = (Any(Value::Object(self.before)), Any(Value::Object(self.after)));
        Change::edited("school_setting", school_id, &before, &after)
    }
}

/// The keys whose value differs from what stands there. Null, the default, is kept as a row too, so that the group's number
/// never goes back.
///
/// # Errors
/// 422 with every wrong value at its key, and for a key that the group does not have.
pub(super) fn wanted(settings: &[Setting], rows: &[Row], value: &Map<String, Value>) -> Result<Wanted> {
    let stands: BTreeMap<&str, &Value> = rows.iter().map(|row| (row.key.as_str(), &row.value)).collect();
    let mut errors = Vec::new();
    let mut wanted = Wanted { keys: Vec::new(), values: Vec::new(), before: Map::new(), after: Map::new() };
    for (key, typed) in value {
        let setting = settings.iter().find(|setting| setting.key == key).ok_or_else(|| unknown(key))?;
        let before = stands.get(key.as_str()).copied().cloned().unwrap_or(Value::Null);
        let refusal = |message: String| infra::FieldError { field: key.clone(), message };
        match setting.kind.normal(typed) {
            Err(why) => errors.push(refusal(format!("{}{why}", setting.name))),
            Ok(after) if after == before => {}
            Ok(_) if setting.read_only => errors.push(refusal(format!("{}不能修改", setting.name))),
            Ok(after) => {
                wanted.before.insert(key.clone(), before);
                wanted.after.insert(key.clone(), after.clone());
                wanted.keys.push(key.clone());
                wanted.values.push(after);
            }
        }
    }
    if errors.is_empty() { Ok(wanted) } else { Err(Error::fields(errors)) }
}

pub(super) async fn rows(connection: &mut PgConnection, settings: &[Setting]) -> Result<Vec<Row>> {
    let keys: Vec<String> = settings.iter().map(|setting| setting.key.to_owned()).collect();
    let rows = sqlx::query_as!(
        Row,
        "select key, value, version, updated_by, updated_at from school_setting where key = any($1) order by key",
        &keys
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Number and items of one group of a school.
pub(super) async fn view(
    app: &App,
    connection: &mut PgConnection,
    school: &directory::School,
    group: SettingGroup,
) -> Result<(i32, Vec<SettingItem>)> {
    let settings = settings_of(app, group);
    let rows = rows(connection, &settings).await?;
    let mut items = Vec::with_capacity(settings.len());
    for setting in &settings {
        let default = if group == SettingGroup::Params {
            as_value(setting.kind, app.param_text(setting.key).await?)
        } else {
            setting.of_school.map_or_else(|| setting.kind.default(), |of| of(school))
        };
        let set = rows.iter().find(|row| row.key == setting.key).map(|row| row.value.clone());
        items.push(SettingItem::of(setting, set, default));
    }
    Ok((version_of(&rows), items))
}

/// For what the files of settings are uploaded: seals and signatures, which are printed.
const PRINTED: &str = "print";

/// Saves a group of one school; answers its number.
///
/// # Errors
/// 409 when it was saved since it was read; 422 at each wrong value, at what is no picture of at most 2 MB, and where a change is to be
/// confirmed first.
pub(super) async fn edit(mut tx: Tx, school_id: i64, edit: &SettingEdit) -> Result<i32> {
    let app = tx.app().clone();
    let settings = settings_of(&app, edit.group);
    hold(&mut tx, edit.group).await?;
    let rows = rows(&mut tx, &settings).await?;
    unchanged_since(&app, &rows, edit.version).await?;
    let mut wanted = wanted(&settings, &rows, &edit.value.0)?;
    if wanted.keys.is_empty() {
        return Ok(edit.version);
    }
    if confirmed(&mut tx, &settings, &wanted, edit.confirmed).await? {
        wanted.after.insert("confirmed".to_owned(), Value::Bool(true));
    }
    let former = adopt(&mut tx, school_id, &settings, &wanted).await?;
    let version = edit.version + 1;
    write(&mut tx, &wanted, version).await?;
    let_go(&mut tx, &former).await?;
    tx.commit(wanted.change(school_id)).await?;
    Ok(version)
}

/// Sets values of a group that hold no files, in the caller's transaction, whatever its number is.
///
/// # Errors
/// 422 at each wrong value, and where a change is to be confirmed first: nobody is there to do it.
pub(super) async fn set(
    tx: &mut Tx,
    school_id: i64,
    group: SettingGroup,
    value: &Map<String, Value>,
) -> Result<Change> {
    let settings = settings_of(&tx.app().clone(), group);
    hold(tx, group).await?;
    let rows = rows(tx, &settings).await?;
    let wanted = wanted(&settings, &rows, value)?;
    confirmed(tx, &settings, &wanted, false).await?;
    write(tx, &wanted, version_of(&rows) + 1).await?;
    Ok(wanted.change(school_id))
}

/// Nobody else saves the group until this transaction ends: it has no row of its own that could be locked.
async fn hold(tx: &mut Tx, group: SettingGroup) -> Result<()> {
    sqlx::query!("select pg_advisory_xact_lock(7002, hashtext(current_schema() || $1))", group.as_str())
        .execute(&mut **tx)
        .await?;
    Ok(())
}

async fn write(tx: &mut Tx, wanted: &Wanted, version: i32) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into school_setting as s (key, value, version, created_by, updated_by)
         select t.key, t.value, $3, $4, $4 from unnest($1::text[], $2::jsonb[]) as t (key, value)
         on conflict (key) do update set value = excluded.value, version = excluded.version,
             updated_at = excluded.updated_at, updated_by = excluded.updated_by",
        &wanted.keys,
        &wanted.values,
        version,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Whether something of what changes had to be confirmed, and was.
///
/// # Errors
/// 422 at a setting that was not confirmed.
async fn confirmed(tx: &mut Tx, settings: &[Setting], wanted: &Wanted, confirmed: bool) -> Result<bool> {
    let mut asked = false;
    for setting in settings.iter().filter(|setting| wanted.keys.iter().any(|key| key == setting.key)) {
        let Some(doubt) = setting.doubt else { continue };
        if let Some(why) = doubt(tx).await? {
            if !confirmed {
                return Err(Error::field(setting.key, why));
            }
            asked = true;
        }
    }
    Ok(asked)
}

/// Takes over the files that are wanted; answers the keys of those in whose place they come.
async fn adopt(tx: &mut Tx, school_id: i64, settings: &[Setting], wanted: &Wanted) -> Result<Vec<String>> {
    let mut former = Vec::new();
    for setting in settings.iter().filter(|setting| matches!(setting.kind, Kind::File)) {
        let typed = wanted.keys.iter().zip(&wanted.values).find(|(key, _)| *key == setting.key);
        let Some((_, value)) = typed else { continue };
        if let Value::String(key) = value {
            let adopted = files::adopt_of(tx, key, ("school_setting", school_id), PRINTED, Takes::Picture).await;
            adopted.map_err(|error| if error.code == 422 { Error::field(setting.key, error.msg) } else { error })?;
        }
        former.extend(wanted.before.get(setting.key).and_then(Value::as_str).map(ToOwned::to_owned));
    }
    Ok(former)
}

/// Files that no setting names any more are nobody's.
async fn let_go(tx: &mut Tx, former: &[String]) -> Result<()> {
    let free = sqlx::query_scalar!(
        r#"select o.key from file_object o
           where o.key = any($1) and o.owner_type = 'school_setting'
             and not exists (select from school_setting s where s.value = to_jsonb(o.key))"#,
        former as _
    )
    .fetch_all(&mut **tx)
    .await?;
    files::release(tx, &free).await
}
