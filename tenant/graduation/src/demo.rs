//! Graduation of a demonstration school: the batch of last season that is over, the one that is examined, punishments, outside examinations and
//! applications for degrees.

use chrono::{Datelike, Days, NaiveDate, TimeDelta};
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
    // Twice a year, in January and in July: the one that comes, and the one before it.
    let (next, last) = match (today.month() < 7, today.year()) {
        (true, year) => ((year, Season::Autumn), (year, Season::Spring)),
        (false, year) => ((year + 1, Season::Spring), (year, Season::Autumn)),
    };
    over(tx, last, today).await?;
    let days = (Some(today), today.checked_add_days(Days::new(30)));
    let change = insert(tx, form(next, days)).await?;
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

fn form((year, season): (i32, Season), (from, to): (Option<NaiveDate>, Option<NaiveDate>)) -> GraduationBatchForm {
    let (letter, month) = if season == Season::Spring { ("S", 1) } else { ("A", 7) };
    let on = NaiveDate::from_ymd_opt(year, month, 10);
    GraduationBatchForm {
        code: format!("{year}{letter}"),
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
        audit_starts_on: from,
        audit_ends_on: to,
        degree_enabled: true,
        remark: None,
    }
}

/// The batch before: confirmed, with those who left last, each with what the rules said.
async fn over(tx: &mut Tx, term: (i32, Season), today: NaiveDate) -> Result<()> {
    let ago = |days: u64| today.checked_sub_days(Days::new(days));
    let change = insert(tx, form(term, (ago(60), ago(30)))).await?;
    let batch = change.id();
    tx.record(&[change]).await?;
    let at = tx.app().clock().now() - TimeDelta::days(30);
    sqlx::query!(
        "update graduation_batch
         set status = 'confirmed', started_at = $2, confirmed_by = 0, confirmed_by_name = '教务处', confirmed_at = $2, updated_at = $2
         where id = $1",
        batch,
        at as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into graduation_user (batch_id, student_id, audit_result, audited_at, suggestion, site_opinion, site_by_name, site_at,
                                      decision, decision_reason, decided_by, decided_by_name, decided_at, status, former_status, snapshot,
                                      created_by, updated_by)
         select $1::bigint, n.id, case n.status when 'graduated' then 'passed' else 'failed' end, $2::timestamptz, w.decision, 'agree',
                '教务员', $2, w.decision, w.reason, 0, '教务处', $2, 'confirmed', 'registered',
                jsonb_build_object('earnedCredits', coalesce(m.total_credits, 0), 'average', 78.6, 'gpa', 2.86), 0, 0
         from (select y.id, y.status, y.major_id,
                      row_number() over (partition by y.status order by y.ended_on desc nulls last, y.id) as place
               from student y where y.status in ('graduated', 'completed', 'incomplete')) n
         join major m on m.id = n.major_id
         cross join lateral (
             select case n.status when 'graduated' then 'graduate' when 'completed' then 'complete' else 'incomplete' end as decision,
                    case n.status when 'completed' then '必修课程未全部通过' when 'incomplete' then '已达最长学习期限' end as reason) w
         where n.place <= case n.status when 'graduated' then 54 when 'completed' then 4 else 2 end
         order by n.id",
        batch,
        at as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into graduation_audit_item (graduation_user_id, rule_code, severity, passed, explanation, created_by, updated_by)
         select g.id, r.rule_code, r.severity, w.said is null, coalesce(w.said, ''), 0, 0
         from graduation_user g
         join graduation_rule r on r.purpose = 'graduation' and r.enabled and r.grade_id is null and r.level_id is null
                                   and r.major_id is null
         cross join lateral (
             select case when r.rule_code = 'compulsory' and g.decision <> 'graduate' then '未通过必修课 1 门'
                         when r.rule_code = 'credits' and g.decision = 'incomplete' then '已获学分不足计划的三分之一' end as said) w
         where g.batch_id = $1",
        batch
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
