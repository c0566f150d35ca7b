//! What the numbers and codes of the trail stand for: `gradeId: 3` is read as `2026级`, `ethnicity: 01` as `汉族` (05 E1).
//!
//! Whose number a field holds is told by the foreign keys of its table; a field without one is named after what it holds
//! (`siteIds`, `ethnicity`). A row is called by the first of [`CALLED`] that its table has.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use infra::{App, Result};
use log_rules::trail::column;
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection};

/// Columns that hold what people call a row.
const CALLED: [&str; 5] = ["name", "real_name", "title", "login_name", "dict_label"];

/// Changed fields of one record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trace<'t> {
    pub(crate) table: &'t str,
    pub(crate) id: i64,
    pub(crate) changes: &'t Value,
}

/// Names of rows and words of dictionaries.
#[derive(Debug, Default)]
pub(crate) struct Referred {
    /// Whose number a field of a table holds, as the foreign keys say.
    keys: HashMap<(String, String), &'static str>,
    /// By table and number.
    rows: HashMap<(&'static str, i64), String>,
    /// By dictionary and value.
    words: HashMap<(String, String), String>,
}

impl Referred {
    /// Looks up what some records' changes name, in the school or the platform in which the connection stands.
    pub(crate) async fn by(app: &App, connection: &mut PgConnection, traces: &[Trace<'_>]) -> Result<Self> {
        let mut found = Self { keys: keys(app, connection, traces).await?, ..Self::default() };
        let mut wanted: BTreeMap<&'static str, BTreeSet<i64>> = BTreeMap::new();
        let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for trace in traces {
            if let Some(table) = known(app, trace.table) {
                wanted.entry(table).or_default().insert(trace.id);
            }
            for change in trace.changes.as_array().into_iter().flatten() {
                let field = change["field"].as_str().unwrap_or_default();
                let table = found.table(app, trace.table, field);
                for value in ["before", "after"].into_iter().flat_map(|side| each(&change[side])) {
                    match (value, table) {
                        (Value::Number(number), Some(table)) => {
                            wanted.entry(table).or_default().extend(number.as_i64());
                        }
                        (Value::String(text), _) => {
                            texts.entry(column(field)).or_default().insert(text.clone());
                        }
                        _ => {}
                    }
                }
            }
        }
        found.name(connection, &wanted).await?;
        found.look_up(app, texts).await?;
        Ok(found)
    }

    /// The words of these too.
    pub(crate) fn extend(&mut self, other: Self) {
        self.keys.extend(other.keys);
        self.rows.extend(other.rows);
        self.words.extend(other.words);
    }

    /// What a row is called.
    pub(crate) fn called(&self, app: &App, table: &str, id: i64) -> Option<&str> {
        self.rows.get(&(known(app, table)?, id)).map(String::as_str)
    }

    /// A number or a code of a field as people read it.
    pub(crate) fn read(&self, app: &App, table: &str, field: &str, value: &Value) -> Option<&str> {
        match value {
            Value::Number(number) => {
                self.rows.get(&(self.table(app, table, field)?, number.as_i64()?)).map(String::as_str)
            }
            Value::String(text) => self.words.get(&(column(field), text.clone())).map(String::as_str),
            _ => None,
        }
    }

    /// The table whose numbers a field holds.
    pub(crate) fn table(&self, app: &App, table: &str, field: &str) -> Option<&'static str> {
        let column = column(field);
        let by_name = || {
            let thing = column.strip_suffix("_ids").or_else(|| column.strip_suffix("_id"))?;
            known(app, thing).or_else(|| known(app, &format!("sys_{thing}")))
        };
        self.keys.get(&(table.to_owned(), column.clone())).copied().or_else(by_name)
    }

    async fn name(
        &mut self,
        connection: &mut PgConnection,
        wanted: &BTreeMap<&'static str, BTreeSet<i64>>,
    ) -> Result<()> {
        let tables: Vec<String> = wanted.keys().map(|table| (*table).to_owned()).collect();
        let columns = CALLED.map(ToOwned::to_owned);
        let called = sqlx::query!(
            r#"select wanted.name as "table!",
                      (select a.attname::text from pg_attribute a
                       where a.attrelid = to_regclass(wanted.name) and not a.attisdropped and a.attname = any($2)
                       order by array_position($2, a.attname::text) limit 1) as called
               from unnest($1::text[]) as wanted (name)"#,
            &tables,
            columns.as_slice()
        )
        .fetch_all(&mut *connection)
        .await?;
        for row in called {
            let Some((table, ids)) = wanted.get_key_value(row.table.as_str()) else { continue };
            let Some(called) = CALLED.into_iter().find(|column| row.called.as_deref() == Some(column)) else {
                continue;
            };
            // The table is a constant of a module, the column one of this file.
            let statement = format!("select id, {called} from {table} where id = any($1)");
            let ids: Vec<i64> = ids.iter().copied().collect();
            let rows: Vec<(i64, Option<String>)> =
                sqlx::query_as(AssertSqlSafe(statement)).bind(ids).fetch_all(&mut *connection).await?;
            self.rows.extend(rows.into_iter().filter_map(|(id, name)| Some(((*table, id), name?))));
        }
        Ok(())
    }

    /// Dictionaries are the platform's; no school reads them by itself.
    async fn look_up(&mut self, app: &App, texts: BTreeMap<String, BTreeSet<String>>) -> Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        let (kinds, values): (Vec<String>, Vec<String>) = texts
            .into_iter()
            .flat_map(|(kind, values)| values.into_iter().map(move |value| (kind.clone(), value)))
            .unzip();
        let words = sqlx::query!(
            "select d.dict_type, d.dict_value, d.dict_label
             from unnest($1::text[], $2::text[]) as wanted (kind, value)
             join platform.dict_data d on d.dict_type = wanted.kind and d.dict_value = wanted.value",
            &kinds,
            &values
        )
        .fetch_all(&mut *app.platform_read().await?)
        .await?;
        self.words.extend(words.into_iter().map(|word| ((word.dict_type, word.dict_value), word.dict_label)));
        Ok(())
    }
}

/// The foreign keys of one column of the records' tables.
async fn keys(
    app: &App,
    connection: &mut PgConnection,
    traces: &[Trace<'_>],
) -> Result<HashMap<(String, String), &'static str>> {
    let tables: BTreeSet<&str> = traces.iter().filter_map(|trace| known(app, trace.table)).collect();
    let tables: Vec<String> = tables.into_iter().map(ToOwned::to_owned).collect();
    let keys = sqlx::query!(
        r#"select wanted.name as "table!", a.attname::text as "column!", named.relname::text as "named!"
           from unnest($1::text[]) as wanted (name)
           join pg_constraint k on k.conrelid = to_regclass(wanted.name) and k.contype = 'f' and cardinality(k.conkey) = 1
           join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
           join pg_class named on named.oid = k.confrelid"#,
        &tables
    )
    .fetch_all(connection)
    .await?;
    Ok(keys.into_iter().filter_map(|key| Some(((key.table, key.column), known(app, &key.named)?))).collect())
}

/// A table that a module owns, as that module spells it.
fn known(app: &App, table: &str) -> Option<&'static str> {
    app.modules().entity(table).map(|entity| entity.table)
}

/// The items of a list, or the value itself.
pub(crate) fn each(value: &Value) -> &[Value] {
    value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice)
}
