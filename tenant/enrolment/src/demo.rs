//! The recruitment of a demonstration school: each older grade's is over, the newest grade's first batch too, and its
//! second is open, with sites that were granted everything, wait, or still write.

use chrono::{Duration, NaiveDate};
use classes::demo::Places;
use infra::{Result, Tx, clock::day_began};
use poem_openapi::types::ToJSON;
use term::{Season, Term};

use crate::batch::{usual_columns, usual_values};

/// Batches of a school with so many grades.
pub fn batches_for(grades: i32) -> i64 {
    i64::from(grades) + 1
}

/// Writes batches, their majors, and the plans of the sites.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, places: &Places, today: NaiveDate) -> Result<()> {
    let newest = places.calendar.newest()?;
    for (grade, year) in &places.calendar.grades {
        let batch = batch(tx, (*grade, *year), ("1", "招生", "closed"), today).await?;
        majors(tx, batch, *grade).await?;
        plans(tx, batch, "closed").await?;
    }
    let batch = batch(tx, newest, ("2", "补录招生", "open"), today).await?;
    majors(tx, batch, newest.0).await?;
    plans(tx, batch, "open").await
}

async fn batch(
    tx: &mut Tx,
    (grade, year): (i64, i32),
    (number, name, status): (&str, &str, &str),
    today: NaiveDate,
) -> Result<i64> {
    let entry = Term { year, season: Season::Spring }.entry_on().unwrap_or(today);
    // People of the open batch report these days.
    let (report_from, report_to) = if status == "open" {
        (today - Duration::days(7), today + Duration::days(23))
    } else {
        (entry, entry + Duration::days(30))
    };
    let apply_ends = if status == "open" { today + Duration::days(30) } else { entry - Duration::days(180) };
    let id = sqlx::query_scalar!(
        "insert into enrollment_batch (code, name, year, season, grade_id, enrolled_on, site_apply_ends_at, report_starts_at,
             report_ends_at, column_map, value_maps, status, created_by, updated_by)
         values ($1, $2, $3, 'spring', $4, $5, $6, $7, $8, $9, $10, $11, 0, 0) returning id",
        format!("ZS{year}-{number}"),
        format!("{year}级{name}"),
        year - 1,
        grade,
        entry,
        day_began(apply_ends),
        day_began(report_from),
        day_began(report_to),
        usual_columns().to_json(),
        usual_values().to_json(),
        status
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(id)
}

/// What was filed for the grade.
async fn majors(tx: &mut Tx, batch: i64, grade: i64) -> Result<()> {
    sqlx::query!(
        "insert into enrollment_major (batch_id, major_id, level_id, forecast_major_id, authority_code, authority_name, quota,
             tuition, created_by, updated_by)
         select $1, m.id, m.level_id, f.id, (100 + m.id)::text, m.name, f.planned_quota, coalesce(f.tuition_per_year, 0), 0, 0
         from forecast_major f join major m on m.id = f.major_id where f.grade_id = $2 and f.status = 'filed'",
        batch,
        grade
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Of the sites of an open batch one has sent its plan, one writes it, one had it back; the others were granted theirs.
/// The first site was granted all of the first major.
async fn plans(tx: &mut Tx, batch: i64, status: &str) -> Result<()> {
    sqlx::query!(
        "insert into site_enrollment (batch_id, site_id, status, submitted_at, review_remark, created_by, updated_by)
         select $1, s.id, w.status, case when w.status <> 'draft' then now() end,
                case when w.status = 'rejected' then '请按上年人数申报' end, 0, 0
         from (select id, row_number() over (order by code) as place from site where status = 'active') s
         cross join lateral (select case when $2 = 'closed' then 'approved' when s.place = 2 then 'submitted'
                                    when s.place = 3 then 'draft' when s.place = 4 then 'rejected' else 'approved' end as status) w",
        batch,
        status
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into site_enrollment_line (site_enrollment_id, batch_id, enrollment_major_id, quota_applied, quota_approved)
         select p.id, p.batch_id, e.id, w.wanted, case when p.status = 'approved' then w.wanted end
         from (select id, batch_id, status, row_number() over (order by site_id) as place, count(*) over () as plans
               from site_enrollment where batch_id = $1) p
         join (select id, batch_id, quota, row_number() over (order by id) as place from enrollment_major where batch_id = $1) e
              on e.batch_id = p.batch_id
         cross join lateral (select case when e.place = 1 then e.quota else greatest(e.quota / p.plans, 1) end::integer as wanted) w
         where e.place > 1 or p.place = 1",
        batch
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
