//! Reference data that ship with the server: dictionaries and administrative divisions (05 H).
//!
//! A file is loaded when it was never loaded in this form; what people edited stays.

use std::collections::HashSet;

use infra::{Error, Result, module::Modules};
use setting_rules::seed::{DICT_DATA, DICT_TYPES, REGIONS, rows};
use sqlx::PgConnection;

/// Loads what changed; the caller holds the migration lock and commits.
pub async fn run(connection: &mut PgConnection, modules: &Modules) -> Result<()> {
    crate::param::seed(connection, modules).await?;
    if changed(connection, "dict_type.csv", DICT_TYPES).await? | changed(connection, "dict_data.csv", DICT_DATA).await?
    {
        dictionaries(connection).await?;
    }
    if changed(connection, "region_gbt2260.csv", REGIONS).await? {
        regions(connection).await?;
    }
    Ok(())
}

async fn changed(connection: &mut PgConnection, file: &str, text: &str) -> Result<bool> {
    let row = sqlx::query!(
        "insert into platform.seed_load as s (file, sha256, loaded_at) values ($1, encode(sha256($2::bytea), 'hex'), now())
         on conflict (file) do update set sha256 = excluded.sha256, loaded_at = excluded.loaded_at where s.sha256 <> excluded.sha256",
        file,
        text.as_bytes()
    )
    .execute(connection)
    .await?;
    Ok(row.rows_affected() == 1)
}

async fn dictionaries(connection: &mut PgConnection) -> Result<()> {
    for row in rows(DICT_TYPES)? {
        sqlx::query!(
            "insert into platform.dict_type (dict_type, dict_name, standard, built_in, created_by, updated_by)
             values ($1, $2, nullif($3, ''), $4, 0, 0) on conflict (dict_type) do nothing",
            &row[0],
            &row[1],
            &row[2],
            &row[3] == "true"
        )
        .execute(&mut *connection)
        .await?;
    }
    for row in rows(DICT_DATA)? {
        let sort: i32 = row[3].parse().map_err(Error::internal)?;
        sqlx::query!(
            "insert into platform.dict_data (dict_type, dict_value, dict_label, sort, is_default, enabled, built_in, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, true, 0, 0) on conflict do nothing",
            &row[0],
            &row[1],
            &row[2],
            sort,
            &row[4] == "true",
            &row[5] == "true"
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn regions(connection: &mut PgConnection) -> Result<()> {
    let rows = rows(REGIONS)?;
    let column = |n: usize| -> Vec<String> { rows.iter().map(|row| row[n].to_owned()).collect() };
    let codes = column(0);
    if codes.iter().collect::<HashSet<_>>().len() != codes.len() {
        return Err(Error::internal("region_gbt2260.csv has a code twice"));
    }
    sqlx::query!(
        "insert into platform.region as r (code, name, level, parent_code, kind)
         select code, name, level, nullif(parent, ''), kind
         from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) as t (code, name, level, parent, kind)
         order by case level when 'province' then 1 when 'prefecture' then 2 else 3 end
         on conflict (code) do update set name = excluded.name, level = excluded.level, parent_code = excluded.parent_code,
             kind = excluded.kind, enabled = true",
        &codes,
        &column(1),
        &column(2),
        &column(3),
        &column(4)
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("update platform.region set enabled = false where enabled and not code = any($1)", &codes)
        .execute(&mut *connection)
        .await?;
    Ok(())
}
