//! Graduation of a demonstration school: the batch of last season that is over, the one that is examined, punishments, outside examinations and
//! applications for degrees.

use chrono::{Datelike, Days, NaiveDate, TimeDelta};
use infra::{Result, Tx};
use scores::offered::lock_students;
use term::Season;

use crate::{
    batch::{
        GraduationBatchForm,
        confirm::{decided_of, ended},
        insert,
        steps::{GraduationBatchStep, held, list},
    },
    degree::steps::audit_all,
    enums::{DegreeSource, GraduationBatchKind, GraduationDecision},
    user::audit::audit_users,
};

/// Graduates who are examined in one part.
const AT_ONCE: usize = 80;
/// People of the batch that is over.
const FORMER: i64 = 120;

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
    // Nobody has a picture of the register yet: it is told, and stops nobody.
    sqlx::query!("update graduation_rule set severity = 'warn' where purpose = 'graduation' and rule_code = 'photo'")
        .execute(&mut **tx)
        .await?;
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
         set status = w.status, site_opinion = case when n.place % 9 = 4 and w.status = 'site_checked' then 'disagree' else 'agree' end,
             site_remark = case when n.place % 9 = 4 and w.status = 'site_checked' then '材料不全' end, site_by_name = '站点教务员', site_at = $2::timestamptz,
             remove_reason = case w.status when 'removed' then '本人申请推迟毕业' end,
             decision = case w.status when 'decided' then g.suggestion else 'none' end,
             decision_reason = case when w.status = 'decided' and g.suggestion in ('complete', 'incomplete') then '未达到毕业条件' end,
             decided_by = case w.status when 'decided' then 0 end, decided_by_name = case w.status when 'decided' then '教务处' end,
             decided_at = case w.status when 'decided' then $2::timestamptz end
         from (select id, row_number() over (order by id) as place from graduation_user where batch_id = $1) n
         cross join lateral (
             select case when n.place % 60 = 17 then 'removed' when n.place % 5 = 1 then 'decided' else 'site_checked' end as status) w
         where g.id = n.id and n.place % 3 <> 0",
        batch,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    degrees(tx, batch, today).await
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
        collect_place: None,
        collect_from: None,
        remark: None,
    }
}

/// The batch before: examined by the rules and confirmed, with part of those who came to the end of their time and of their courses.
async fn over(tx: &mut Tx, term: (i32, Season), today: NaiveDate) -> Result<()> {
    let form = form(term, (today.checked_sub_days(Days::new(60)), today.checked_sub_days(Days::new(30))));
    let due = sqlx::query_scalar!(
        "select y.id from student y
         where y.status = 'registered' and y.expected_graduation_on <= $1
           and not exists (select from course_selection c where c.student_id = y.id and c.status in ('pending', 'selected'))
         order by y.id limit $2",
        form.graduates_on,
        2 * FORMER
    )
    .fetch_all(&mut **tx)
    .await?;
    // Every second of them; in spring the oldest grade studies still, and there is no such batch.
    let students: Vec<i64> = due.into_iter().step_by(2).collect();
    if students.is_empty() {
        return Ok(());
    }
    let change = insert(tx, form).await?;
    let batch = change.id();
    tx.record(&[change]).await?;
    let at = tx.app().clock().now() - TimeDelta::days(30);
    sqlx::query!("update graduation_batch set status = 'auditing', started_at = $2 where id = $1", batch, at as _)
        .execute(&mut **tx)
        .await?;
    let users = sqlx::query_scalar!(
        "insert into graduation_user (batch_id, student_id, site_opinion, site_by_name, site_at, created_by, updated_by)
         select $1, n.id, 'agree', '站点教务员', $2, 0, 0 from unnest($3::bigint[]) as n (id) order by n.id
         returning id",
        batch,
        at as _,
        &students
    )
    .fetch_all(&mut **tx)
    .await?;
    for part in users.chunks(AT_ONCE) {
        audit_users(tx, part).await?;
    }
    sqlx::query!(
        "update graduation_user g
         set status = 'decided', decision = w.decision, decided_by = 0, decided_by_name = '教务处', decided_at = $2,
             decision_reason = case w.decision when 'complete' then '必修课程未全部通过' when 'incomplete' then '本人申请终止学习' end
         from (select id, audit_result, row_number() over (partition by audit_result order by id) as place
               from graduation_user where batch_id = $1) n
         cross join lateral (
             select case when n.audit_result = 'passed' then 'graduate' when n.place <= 4 then 'complete'
                         when n.place <= 6 then 'incomplete' else 'delay' end as decision) w
         where g.id = n.id",
        batch,
        at as _
    )
    .execute(&mut **tx)
    .await?;
    let rows = decided_of(tx, batch).await?;
    let leaving = rows.iter().filter(|row| row.decision != GraduationDecision::Delay);
    let leaving: Vec<i64> = leaving.map(|row| row.student).collect();
    let locked = lock_students(tx, &leaving).await?;
    tx.record(&locked).await?;
    let version =
        sqlx::query_scalar!("select version from graduation_batch where id = $1", batch).fetch_one(&mut **tx).await?;
    let held = held(tx, GraduationBatchStep { id: batch, version }).await?;
    let changes = ended(tx, &held, &rows).await?;
    tx.record(&changes).await?;
    sqlx::query!(
        "update graduation_batch set confirmed_by_name = '教务处', confirmed_at = $2 where id = $1",
        batch,
        at as _
    )
    .execute(&mut **tx)
    .await?;
    // Of the bachelors among them some had their degree.
    sqlx::query!(
        "insert into degree_application (student_id, batch_id, applied_on, source, audit_result, audited_at, decision, committee_date,
             committee_no, chair_name, decided_by_name, decided_at, awarded_at, status, created_by, updated_by)
         select g.student_id, g.batch_id, $2::date - 50, 'student', 'passed', $3::timestamptz, 'approved', $2::date - 30,
                '校学位〔' || g.batch_id || '〕号', '张主席', '学位办', $3, $3, 'awarded', 0, 0
         from graduation_user g
         join student y on y.id = g.student_id
         join level l on l.id = y.level_id and l.entry_level <> 'high_school_to_associate'
         where g.batch_id = $1 and g.decision = 'graduate' order by g.id limit 6",
        batch,
        today,
        at as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Applications of the batch that is examined, in every state.
async fn degrees(tx: &mut Tx, batch: i64, today: NaiveDate) -> Result<()> {
    let ids = sqlx::query_scalar!(
        r#"insert into degree_application (student_id, batch_id, applied_on, source, created_by, updated_by)
           select n.student_id, n.batch_id, $2, $3, 0, 0
           from (select g.student_id, g.batch_id, row_number() over (order by g.audit_result = 'passed' desc, g.id) as place
                 from graduation_user g
                 join student y on y.id = g.student_id
                 join level l on l.id = y.level_id and l.entry_level <> 'high_school_to_associate'
                 where g.batch_id = $1 and g.status <> 'removed') n
           where n.place <= 12 order by n.place
           returning id"#,
        batch,
        today,
        DegreeSource::Student.as_str()
    )
    .fetch_all(&mut **tx)
    .await?;
    let audited = ids.get(..ids.len() * 2 / 3).unwrap_or_default();
    let changes = audit_all(tx, audited).await?;
    tx.record(&changes).await?;
    let now = tx.app().clock().now();
    sqlx::query!(
        "update degree_application a
         set status = w.status, decision = w.status, committee_date = $2::date - 3, committee_no = '校学位〔' || a.batch_id || '〕号',
             chair_name = '张主席', decided_by_name = '学位办', decided_at = $3,
             reason = case w.status when 'refused' then '未达到学位授予条件' end
         from (select id, audit_result, row_number() over (partition by audit_result order by id) as place
               from degree_application where id = any($1)) n
         cross join lateral (
             select case when n.audit_result = 'passed' and n.place = 1 then 'approved'
                         when n.audit_result = 'failed' and n.place = 1 then 'refused' end as status) w
         where a.id = n.id and w.status is not null",
        audited,
        today,
        now as _
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
