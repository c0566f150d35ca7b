//! What was filed for a grade, as recruitment takes it over; and what holds a filing (03 A3).

use std::collections::HashMap;

use infra::{Error, Result, Tx};

/// A filed major.
#[derive(Debug, Clone, Copy)]
pub struct Filed {
    pub id: i64,
    pub planned_quota: i32,
    /// 分 a year.
    pub tuition_per_year: i64,
}

/// The majors that were filed for a grade, by the major's number. Nobody withdraws them until the transaction ends.
///
/// # Errors
/// Those of the database.
pub async fn filed_for(tx: &mut Tx, grade: i64) -> Result<HashMap<i64, Filed>> {
    let rows = sqlx::query!(
        r#"select f.id, f.major_id, f.planned_quota, coalesce(f.tuition_per_year, m.tuition_per_year, 0) as "tuition!"
           from forecast_major f join major m on m.id = f.major_id
           where f.grade_id = $1 and f.status = 'filed' order by f.year, f.id for share of f"#,
        grade
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let filed = Filed { id: row.id, planned_quota: row.planned_quota, tuition_per_year: row.tuition };
            (row.major_id, filed)
        })
        .collect())
}

/// # Errors
/// 409 when it is recruited for: with the sites that plan for it, or with the batch.
pub(super) async fn unplanned(tx: &mut Tx, id: i64) -> Result<()> {
    let held = sqlx::query!(
        r#"select (select count(distinct l.site_enrollment_id) from enrollment_major e
                   join site_enrollment_line l on l.enrollment_major_id = e.id where e.forecast_major_id = $1) as "sites!",
                  (select b.name from enrollment_major e join enrollment_batch b on b.id = e.batch_id
                   where e.forecast_major_id = $1 order by b.created_at desc, b.id limit 1) as batch"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    match (held.sites, held.batch) {
        (0, None) => Ok(()),
        (0, Some(batch)) => Err(Error::conflict(format!("该专业已在招生批次“{batch}”中，不能撤销"))),
        (sites, _) => Err(Error::conflict(format!("该专业已编制{sites}个站点的招生计划，不能撤销"))),
    }
}
