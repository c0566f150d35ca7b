//! Students whom rows and forms name.

use std::collections::HashMap;

use infra::{Error, Result, Scope, sheet::Row};
use sqlx::PgConnection;

/// Told of somebody outside the scope, or who is none.
pub(crate) const NOT_YOURS: &str = "学生不存在或不在您的管辖范围内";

/// # Errors
/// 422 at the field for a student who is none within the scope.
pub(crate) async fn seen(connection: &mut PgConnection, field: &str, student: i64, scope: &Scope) -> Result<()> {
    let found =
        sqlx::query!("select site_id, class_id from student where id = $1", student).fetch_optional(connection).await?;
    match found {
        Some(row) if scope.sees(Some(row.site_id), row.class_id) => Ok(()),
        _ => Err(Error::field(field, NOT_YOURS)),
    }
}

/// A student whom a row names.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub id: i64,
    pub name: String,
    site_id: i64,
    class_id: Option<i64>,
}

/// The students whom the rows name by number.
pub(crate) async fn of_rows(
    connection: &mut PgConnection,
    rows: &[Row],
    heading: &str,
) -> Result<HashMap<String, Named>> {
    let numbers: Vec<String> = rows.iter().filter_map(|row| row.peek(heading)).collect();
    let found = sqlx::query!(
        r#"select id, student_no as "student_no!", name, site_id, class_id from student where student_no = any($1)"#,
        &numbers
    )
    .fetch_all(connection)
    .await?;
    let named = found.into_iter().map(|row| {
        (row.student_no, Named { id: row.id, name: row.name, site_id: row.site_id, class_id: row.class_id })
    });
    Ok(named.collect())
}

/// Whom a row means; what is wrong is told on the row.
pub(crate) fn of_row(
    row: &mut Row,
    (number, name): (&str, Option<&str>),
    known: &HashMap<String, Named>,
    scope: &Scope,
) -> Option<i64> {
    let typed = row.required(number);
    let person = known.get(&typed).filter(|person| scope.sees(Some(person.site_id), person.class_id));
    let Some(person) = person else {
        row.refuse_once(number, NOT_YOURS);
        return None;
    };
    if let Some(heading) = name
        && row.required(heading) != person.name
    {
        row.refuse_once(heading, "姓名与学号不符");
        return None;
    }
    Some(person.id)
}
