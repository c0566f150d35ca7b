//! Which rows carry a word of the dictionary. A column that holds values of a dictionary type is named like the type
//! (`student.ethnicity`), so the catalogue tells, and a new table cannot be forgotten (01 §3.1).

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, PgConnection};

use crate::error::Result;

/// Tables of the transaction's schema with the number of their rows whose column `word_type` is `value`; those without
/// such rows are absent. The names come from the catalogue, never from a caller.
pub async fn rows_using(connection: &mut PgConnection, word_type: &str, value: &str) -> Result<BTreeMap<String, i64>> {
    let tables = sqlx::query_as::<_, (String, String)>(
        // What lies in a schema is found by what depends on it: pg_class has no index on the schema, and each school of a
        // thousand is asked.
        "select quote_ident(c.relname), quote_ident(a.attname)
         from pg_depend d
         join pg_class c on c.oid = d.objid and c.relkind in ('r', 'p')
         join pg_attribute a on a.attrelid = c.oid and a.attname = $1 and not a.attisdropped
         where d.refclassid = 'pg_namespace'::regclass and d.refobjid = current_schema()::regnamespace
           and d.classid = 'pg_class'::regclass and a.atttypid = 'text'::regtype
         order by 1",
    )
    .bind(word_type)
    .fetch_all(&mut *connection)
    .await?;
    let mut found = BTreeMap::new();
    for (table, column) in tables {
        let sql = format!("select count(*) from {table} where {column} = $1");
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).bind(value).fetch_one(&mut *connection).await?;
        if count > 0 {
            found.insert(table, count);
        }
    }
    Ok(found)
}
