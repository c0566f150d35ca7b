//! Graduation of a demonstration school: the batch of last season that is over, the one that is examined, punishments, outside examinations and
//! applications for degrees.

use chrono::{Datelike, Days, NaiveDate};
use infra::{Result, Tx};
use term::Season;

use crate::{
    batch::{GraduationBatchForm, insert, steps::list},
    enums::{DegreeSource, GraduationBatchKind},
    user::audit::audit_users,
};

/// Graduates who are examined in one part.
const AT_ONCE: usize = 80;

/// Fills the tables.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    outside(tx, today).await?;
    disciplines(tx, today).await?;
    let season = if today.month() < 7 { Season::Autumn } else { Season::Spring };
    let year = if season == Season::Spring { today.year() + 1 } else { today.year() };
    let on = NaiveDate::from_ymd_opt(year, if season == Season::Spring { 1 } else { 7 }, 10);
    let form = GraduationBatchForm {
        code: format!("{year}{}", if season == Season::Spring { "S" } else { "A" }),
        name: format!("{year}年{}毕业", season.zh()),
        year,
        season,
        kind: GraduationBatchKind::Regular,
        graduates_on: on,
        certificate_date: on,
        grade_ids: Vec::new(),
        level_ids: Vec::new(),
        major_ids: Vec::new(),
        site_ids: Vec::new(),
        audit_starts_on: Some(today),
        audit_ends_on: today.checked_add_days(Days::new(30)),
        degree_enabled: true,
        remark: None,
    };
    let change = insert(tx, form).await?;
    let batch = change.id();
    tx.record(&[change]).await?;
    let now = tx.app().clock().now();
    sqlx::query!("update graduation_batch set status = 'auditing', started_at = $2 where id = $1", batch, now as _)
        .execute(&mut **tx)
        .await?;
    list(tx, batch).await?;
    let users = sqlx::query_scalar!("select id from graduation_user where batch_id = $1 order by id", batch)
        .fetch_all(&mut **tx)
        .await?;
    for part in users.chunks(AT_ONCE) {
        audit_users(tx, part).await?;
    }
    sqlx::query!(
        "update graduation_user g
         set status = 'site_checked', site_opinion = case when n.place % 9 = 4 then 'disagree' else 'agree' end,
             site_remark = case when n.place % 9 = 4 then '材料不全' end, site_by_name = '教务员', site_at = $2
         from (select id, row_number() over (order by id) as place from graduation_user where batch_id = $1) n
         where g.id = n.id and n.place % 3 <> 0",
        batch,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into degree_application (student_id, batch_id, applied_on, source, created_by, updated_by)
         select g.student_id, g.batch_id, $2, $3, 0, 0
         from graduation_user g
         join student y on y.id = g.student_id
         join level l on l.id = y.level_id and l.entry_level <> 'high_school_to_associate'
         where g.batch_id = $1 order by g.id limit 10",
        batch,
        today,
        DegreeSource::Student.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Outside examinations of forty students.
async fn outside(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let on = today.checked_sub_days(Days::new(200)).unwrap_or(today);
    sqlx::query!(
        "insert into external_exam_score (student_id, type, score, certificate_no, exam_date, passed, created_by, updated_by)
         select y.id, case when n.place % 3 = 0 then 'degree_english' else 'cet4' end,
                case when n.place % 3 = 0 then 70 else 400 + n.place end, 'W' || lpad(y.id::text, 10, '0'), $1::date,
                n.place % 3 = 0 or n.place >= 25, 0, 0
         from (select id, row_number() over (order by id) as place from student where status in ('registered', 'expired')) n
         join student y on y.id = n.id
         where n.place <= 40",
        on
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Six punishments, of which some were released.
async fn disciplines(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let on = today.checked_sub_days(Days::new(300)).unwrap_or(today);
    sqlx::query!(
        "insert into student_discipline (student_id, type, document_no, reason, decided_on, released_on, release_reason, status,
                                         created_by, updated_by)
         select n.id, (array['warning', 'serious_warning', 'demerit', 'probation', 'warning', 'warning'])[n.place::integer],
                '校学〔' || n.place || '〕号', '考试违纪', $1::date, case when n.place > 4 then $2::date end,
                case when n.place > 4 then '期满解除' end, case when n.place > 4 then 'released' else 'effective' end, 0, 0
         from (select id, row_number() over (order by id desc) as place from student where status = 'registered') n
         where n.place <= 6",
        on,
        today
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
