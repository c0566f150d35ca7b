//! Rooms of the sites of a demonstration school, and the majors it files for its newest year.

use infra::{Result, Tx, pinyin};

/// Building, number, kind, seats, seats in an examination.
const ROOMS: [(&str, &str, &str, i32, Option<i32>); 4] = [
    ("第一教学楼", "101", "multimedia", 120, Some(60)),
    ("第一教学楼", "102", "multimedia", 120, Some(60)),
    ("第一教学楼", "201", "ordinary", 60, Some(30)),
    ("实训楼", "301", "computer", 50, Some(25)),
];

pub(super) async fn fill(tx: &mut Tx, sites: &[(i64, String)], newest: (i64, i32)) -> Result<()> {
    let ids: Vec<i64> = sites.iter().map(|(id, _)| *id).collect();
    for (building, room_no, kind, capacity, exam) in ROOMS {
        let name = format!("{building}{room_no}");
        sqlx::query!(
            "insert into classroom (site_id, building, room_no, name, room_type, capacity, exam_capacity, initials, created_by, updated_by)
             select id, $2, $3, $4, $5, $6, $7, $8, 0, 0 from unnest($1::bigint[]) as site (id)",
            &ids,
            building,
            room_no,
            name,
            kind,
            capacity,
            exam,
            pinyin::text_initials(&name)
        )
        .execute(&mut **tx)
        .await?;
    }
    let (grade, year) = newest;
    // Of three majors one is filed, one waits for its result, one is a draft; the last was refused.
    sqlx::query!(
        "insert into forecast_major (year, grade_id, major_id, planned_quota, tuition_per_year, status, filing_no, filed_on, created_by, updated_by)
         select $1::integer, $2, major.id, 100 + (major.id % 5)::integer * 40, tuition_per_year,
                case when major.id = newest.id then 'rejected' when major.id % 3 = 0 then 'filed' when major.id % 3 = 1 then 'submitted' else 'draft' end,
                case when major.id <> newest.id and major.id % 3 = 0 then '备' || $1::integer || '-' || lpad(major.id::text, 3, '0') end,
                case when major.id <> newest.id and major.id % 3 = 0 then make_date($1::integer - 1, 11, 2) end, 0, 0
         from major, (select max(id) as id from major where enabled) as newest where enabled",
        year,
        grade
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into forecast_major_site (forecast_major_id, site_id)
         select f.id, s.id from forecast_major f cross join site s where s.status = 'active' and (f.id + s.id) % 2 = 0"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
