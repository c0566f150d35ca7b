//! Which database and which school may hold invented people (05 G1), and what of them stands in `platform`.
//!
//! Invariant: the mark of the database is written only while there is neither school nor account, the flag of a school
//! only by the statement that opens it, and neither by a call.

use chrono::NaiveDate;
use infra::{App, Change, Error, Result, Tx};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{
    closing,
    school::{NewSchool, Opened, find, write},
};

/// The row of `school_setting` that tells what a school was filled with. No setting has this key, so no call reaches it.
const FILLED: &str = "demoFilled";

/// What a school was filled with, and what `verify` expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Filled {
    pub students: usize,
    pub seed: u64,
    pub as_of: NaiveDate,
    pub years: i32,
}

/// Whether this database was made for demonstration.
///
/// # Errors
/// Only internal ones.
pub async fn is_for_demonstration(app: &App) -> Result<bool> {
    let mut tx = app.platform_read().await?;
    let marked = sqlx::query_scalar!(r#"select exists (select from platform.demonstration) as "marked!""#)
        .fetch_one(&mut *tx)
        .await?;
    Ok(marked)
}

/// Marks a database in which there is neither school nor account; answers whether it is marked now.
///
/// # Errors
/// Only internal ones.
pub async fn mark(app: &App, mut tx: Tx) -> Result<bool> {
    if is_for_demonstration(app).await? {
        return Ok(true);
    }
    let made = sqlx::query!(
        "insert into platform.demonstration (id)
         select true where not exists (select from platform.school) and not exists (select from platform.sys_user)"
    )
    .execute(&mut *tx)
    .await?;
    if made.rows_affected() == 0 {
        return Ok(false);
    }
    tx.commit(Change::event("demonstration", 0, "insert", json!({ "demonstration": true }))).await?;
    Ok(true)
}

/// Opens a school for demonstration; its administrator keeps the password that was given.
///
/// # Errors
/// Those of opening any school.
pub async fn open(tx: Tx, new: &NewSchool, password: String) -> Result<Opened> {
    write(tx, new, Some(password), true).await
}

/// A demonstration school by its code: number and name.
///
/// # Errors
/// 409 when the school of this code is a real one.
pub async fn of_code(app: &App, code: &str) -> Result<Option<i64>> {
    let mut tx = app.platform_read().await?;
    let known = sqlx::query!("select id, demo from platform.school where code = $1 and deleted_at is null", code)
        .fetch_optional(&mut *tx)
        .await?;
    match known {
        Some(school) if !school.demo => Err(Error::conflict(format!("院校{code}不是演示院校，不能写入或清除演示数据"))),
        known => Ok(known.map(|school| school.id)),
    }
}

/// The host at which the people of a demonstration school sign in to their clients; one without a domain gets `<code>.localhost`,
/// which is this machine wherever it is asked for.
///
/// # Errors
/// 404 for a real school.
pub async fn host(mut tx: Tx, id: i64) -> Result<String> {
    let known = sqlx::query_scalar!("select domain from platform.school where id = $1 and demo for update", id)
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
    if let Some(domain) = known {
        return Ok(domain);
    }
    let by = tx.by();
    let domain = sqlx::query_scalar!(
        r#"update platform.school
           set domain = code || '.localhost', updated_at = now(), updated_by = $2, version = version + 1
           where id = $1 returning domain as "domain!""#,
        id,
        by
    )
    .fetch_one(&mut *tx)
    .await?;
    tx.notice("school", id);
    tx.commit(Change::status("school", id, "domain", serde_json::Value::Null, domain.clone())).await?;
    Ok(domain)
}

/// Every demonstration school: number and code.
///
/// # Errors
/// Only internal ones.
pub async fn all(app: &App) -> Result<Vec<(i64, String)>> {
    let mut tx = app.platform_read().await?;
    let schools = sqlx::query!("select id, code from platform.school where demo and deleted_at is null order by id")
        .fetch_all(&mut *tx)
        .await?;
    Ok(schools.into_iter().map(|school| (school.id, school.code)).collect())
}

/// Notes rows of `platform` that are part of the demonstration.
///
/// # Errors
/// Only internal ones.
pub async fn note(tx: &mut Tx, table: &str, rows: &[i64], school: Option<i64>) -> Result<()> {
    sqlx::query!(
        "insert into platform.demo_row (table_name, row_id, school_id) select $1, id, $3 from unnest($2::bigint[]) as r (id)
         on conflict do nothing",
        table,
        rows,
        school
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Takes back the notes of a table's rows, those of a school or the operators' own; the caller removes the rows.
///
/// # Errors
/// Only internal ones.
pub async fn take(tx: &mut Tx, table: &str, school: Option<i64>) -> Result<Vec<i64>> {
    let rows = sqlx::query_scalar!(
        "delete from platform.demo_row where table_name = $1 and school_id is not distinct from $2 returning row_id",
        table,
        school
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows)
}

/// What is noted of a table's rows.
///
/// # Errors
/// Only internal ones.
pub async fn noted(app: &App, table: &str, school: Option<i64>) -> Result<Vec<i64>> {
    let mut tx = app.platform_read().await?;
    let rows = sqlx::query_scalar!(
        "select row_id from platform.demo_row where table_name = $1 and school_id is not distinct from $2 order by row_id",
        table,
        school
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok(rows)
}

/// What the school was filled with, as long as it was.
///
/// # Errors
/// Only internal ones.
pub async fn filled(connection: &mut sqlx::PgConnection) -> Result<Option<Filled>> {
    let value = sqlx::query_scalar!("select value from school_setting where key = $1", FILLED)
        .fetch_optional(connection)
        .await?;
    value.map(|value| serde_json::from_value(value).map_err(Error::internal)).transpose()
}

/// Notes in the school's own schema, and in the transaction that fills it, what it is filled with.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, filled: &Filled) -> Result<()> {
    let value = serde_json::to_value(filled).map_err(Error::internal)?;
    sqlx::query!(
        "insert into school_setting (key, value, created_by, updated_by) values ($1, $2, 0, 0)",
        FILLED,
        value
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Removes a demonstration school at once, without the waiting and the export that a real one asks for; answers the job
/// that takes its schema away. Its code is free again.
///
/// # Errors
/// 409 for a real school, and while a job of the school runs.
pub async fn remove(mut tx: Tx, id: i64) -> Result<i64> {
    let school = find(&mut tx, 0, Some(id), None).await?;
    if !school.demo {
        return Err(Error::conflict(format!("院校{}不是演示院校，不能写入或清除演示数据", school.code)));
    }
    if jobs_of(&mut tx, id).await? {
        return Err(Error::conflict("有任务正在执行，请等待完成或取消后再清除"));
    }
    let tombstone = format!("{}~{id}", school.code);
    sqlx::query!("update platform.school set code = $2 where id = $1 and demo", id, tombstone)
        .execute(&mut *tx)
        .await?;
    closing::delete(tx, &school).await
}

async fn jobs_of(tx: &mut Tx, id: i64) -> Result<bool> {
    let busy = sqlx::query_scalar!(
        r#"select exists (select from platform.job where state = 'running'
               and (school_id = $1 or kind like 'school.%' and target = $1::bigint::text)) as "busy!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(busy)
}
