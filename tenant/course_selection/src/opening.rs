//! Openings and rules of selection as selections know them. They are read and held here; their own module writes them.

use std::collections::HashMap;

pub use course_selection_rules::opening::{Cohort, Opening, Rule, rule_of};
use infra::{Error, Result};
use sqlx::PgConnection;

/// Openings by their ids.
///
/// # Errors
/// Those of the database.
pub async fn known(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Opening>> {
    let rows = sqlx::query_as!(
        Opening,
        r#"select o.id, o.semester_id, e.name as semester_name, e.closed_at is not null as "semester_closed!",
                  e.year * 2 + case e.season when 'autumn' then 1 else 0 end as "ordinal!", o.course_id,
                  c.name as course_name, o.kind as "kind: _", o.status as "status: _", o.nature as "nature: _",
                  o.grade_id, o.major_id, (o.credits * 10)::bigint as "credits!", o.capacity
           from course_opening o
           join semester e on e.id = o.semester_id
           join course c on c.id = o.course_id
           where o.id = any($1)"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// The same, held in the order of their ids behind their semesters, which are not closed meanwhile: whoever counts places or
/// changes a roster holds its opening first.
///
/// # Errors
/// Those of the database; 409 when somebody else holds one for too long.
pub async fn hold(connection: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Opening>> {
    sqlx::query_scalar!(
        "select id from semester where id in (select semester_id from course_opening where id = any($1)) order by id for share",
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    sqlx::query_scalar!("select id from course_opening where id = any($1) order by id for no key update", ids)
        .fetch_all(&mut *connection)
        .await?;
    // Read after they are held, so that what others did until then is seen.
    known(connection, ids).await
}

/// One opening, held.
///
/// # Errors
/// 404 when there is none.
pub async fn held(connection: &mut PgConnection, id: i64) -> Result<Opening> {
    hold(connection, &[id]).await?.remove(&id).ok_or_else(Error::not_found)
}

/// The openings of these selections, held.
pub(crate) async fn hold_of(connection: &mut PgConnection, selections: &[i64]) -> Result<HashMap<i64, Opening>> {
    let ids = sqlx::query_scalar!("select distinct opening_id from course_selection where id = any($1)", selections)
        .fetch_all(&mut *connection)
        .await?;
    hold(connection, &ids).await
}

/// The rules of these semesters.
///
/// # Errors
/// Those of the database.
pub async fn rules(connection: &mut PgConnection, semesters: &[i64]) -> Result<Vec<Rule>> {
    Ok(sqlx::query_as!(
        Rule,
        r#"select id, semester_id, grade_id, major_id, term_no, (min_credits * 10)::bigint as "min_credits!",
                  (max_credits * 10)::bigint as "max_credits!", select_starts_at, select_ends_at, drop_ends_at, need_audit
           from selection_rule where semester_id = any($1)"#,
        semesters
    )
    .fetch_all(connection)
    .await?)
}
