//! The job that removes what a deleted school held: its objects, its schema, its role. Each step may run again.

use infra::{
    App, Change, Error, Result, files,
    jobs::{JobRun, Outcome},
};
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::provision::{SchemaNames, schema_names};

/// Objects that are removed between two looks at the table.
const AT_ONCE: i64 = 500;

pub(super) async fn work(run: JobRun) -> Result<Outcome> {
    let id = run.params["schoolId"].as_i64().ok_or_else(|| Error::internal("the job names no school"))?;
    let app = run.app().clone();
    let gone = sqlx::query_scalar!("select deleted_at is not null from platform.school where id = $1", id)
        .fetch_one(&mut *app.platform_read().await?)
        .await?;
    if gone != Some(true) {
        return Err(Error::conflict("院校未被删除，不能清除数据"));
    }
    let names = schema_names(&app, id).await?;
    let mut owner = app.db().owner().acquire().await?;
    let mut removed = remove_objects(&run, &mut owner, &names).await?;
    removed += files::remove_results_of(&app, id).await?;
    run.progress("删除数据表", removed, removed).await?;
    owner.execute(AssertSqlSafe(format!("drop schema if exists {} cascade", names.schema))).await?;
    run.progress("删除数据库角色", removed, removed).await?;
    drop_role(&mut owner, &names.role).await?;
    drop(owner);
    let tx = run.begin_in_platform().await?;
    tx.commit(Change::event("school", id, "erase", json!({ "schema": names.schema, "objects": removed }))).await?;
    Ok(Outcome { message: format!("院校数据已删除，共删除{removed}个文件"), ..Outcome::default() })
}

/// Removes the objects of the school's files, in steps; a second run finds none of them any more.
async fn remove_objects(run: &JobRun, owner: &mut PgConnection, names: &SchemaNames) -> Result<i64> {
    let table = format!("{}.file_object", names.schema);
    let there: bool =
        sqlx::query_scalar("select to_regclass($1) is not null").bind(&table).fetch_one(&mut *owner).await?;
    if !there {
        return Ok(0);
    }
    let (mut after, mut removed) = (0_i64, 0_i64);
    loop {
        run.progress("删除文件", removed, removed).await?;
        // By name at run time: a school that was archived long ago may lack the column.
        let sql = format!(
            "select id, key, to_jsonb(f) ->> 'upload_id' from {table} f where id > $1 order by id limit {AT_ONCE}"
        );
        let page: Vec<(i64, String, Option<String>)> =
            sqlx::query_as(AssertSqlSafe(sql)).bind(after).fetch_all(&mut *owner).await?;
        let Some((last, ..)) = page.last() else { return Ok(removed) };
        after = *last;
        removed += remove(run.app(), page).await?;
    }
}

async fn remove(app: &App, page: Vec<(i64, String, Option<String>)>) -> Result<i64> {
    let many = i64::try_from(page.len()).unwrap_or(i64::MAX);
    for (_, key, upload) in page {
        files::remove_object(app, &key, upload.as_deref()).await?;
    }
    Ok(many)
}

async fn drop_role(owner: &mut PgConnection, role: &str) -> Result<()> {
    let exists: bool = sqlx::query_scalar("select exists (select from pg_roles where rolname = $1)")
        .bind(role)
        .fetch_one(&mut *owner)
        .await?;
    if exists {
        // All that it could reach lay in the schema.
        owner.execute(AssertSqlSafe(format!("drop role {role}"))).await?;
    }
    Ok(())
}
