//! Demonstration data: the final examinations of the last semester, those of this one, and a make-up that is being prepared; deferrals,
//! violations and markers in every state.

use chrono::{Days, NaiveDate};
use infra::{Change, Result, Tx, clock::day_began};
use serde_json::json;

use crate::{
    batch::{self, TestBatchForm},
    enums::{ExamModeOfBatch, TestBatchKind},
};

/// Examinations that a demonstration school has by others: the numbers of its batches.
#[derive(Debug, Clone, Copy)]
pub struct Batches {
    pub last: Option<i64>,
    pub current: Option<i64>,
    pub makeup: Option<i64>,
}

/// The batches of a demonstration school.
///
/// # Errors
/// Those of the database.
pub async fn batches(tx: &mut Tx) -> Result<Batches> {
    let rows = sqlx::query!("select id, code from test_batch order by id").fetch_all(&mut **tx).await?;
    let of = |ending: &str| rows.iter().find(|row| row.code.ends_with(ending)).map(|row| row.id);
    Ok(Batches { last: of("QM0"), current: of("QM1"), makeup: of("BK1") })
}

/// Fills a school with batches.
///
/// # Errors
/// Those of the database.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let semesters = sqlx::query!(
        "select id, code, name, starts_on, ends_on from semester where starts_on <= $1 order by starts_on desc limit 2",
        today
    )
    .fetch_all(&mut **tx)
    .await?;
    let Some(now) = semesters.first() else { return Ok(()) };
    let far = |from: NaiveDate, days: u64| from.checked_add_days(Days::new(days)).unwrap_or(from);
    let back = |from: NaiveDate, days: u64| from.checked_sub_days(Days::new(days)).unwrap_or(from);
    let mut plans = vec![
        (now.id, format!("{}-QM1", now.code), format!("{}期末考试", now.name), TestBatchKind::Final, back(today, 3)),
        (now.id, format!("{}-BK1", now.code), format!("{}补考", now.name), TestBatchKind::Makeup, far(today, 60)),
    ];
    if let Some(last) = semesters.get(1) {
        let begins = back(last.ends_on, 14);
        plans.insert(
            0,
            (last.id, format!("{}-QM0", last.code), format!("{}期末考试", last.name), TestBatchKind::Final, begins),
        );
    }
    for (semester_id, code, name, kind, begins) in plans {
        let is_over = code.ends_with("QM0");
        let form = TestBatchForm {
            code,
            name,
            semester_id,
            kind,
            mode: ExamModeOfBatch::Mixed,
            exam_starts_on: Some(begins),
            exam_ends_on: Some(far(begins, 13)),
            ticket_publish_at: Some(day_began(back(begins, 5))),
            score_entry_starts_at: Some(day_began(begins)),
            score_entry_ends_at: Some(day_began(far(begins, 40))),
            review_levels: None,
            auto_lock_days: None,
            room_capacity_default: None,
            room_min_fill: None,
            ticket_prefix: None,
            notice: Some("请携带准考证和身份证，提前15分钟到达考场；考试开始30分钟后不得入场。".to_owned()),
            remark: None,
        };
        let (id, change) = batch::insert(tx, form).await?;
        tx.record(&[change]).await?;
        // The make-up is being prepared still.
        if kind == TestBatchKind::Final {
            let at = is_over.then(|| day_began(far(begins, 42)));
            sqlx::query!(
                "update test_batch set status = case when $2::timestamptz is null then 'active' else 'closed' end, closed_at = $2
                 where id = $1",
                id,
                at as _
            )
            .execute(&mut **tx)
            .await?;
        }
    }
    Ok(())
}

/// Applications to sit later, in every state: of examinations that come, and one of the last semester that was made up for. Before
/// anybody is seated.
///
/// # Errors
/// Those of the database.
pub async fn deferrals(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let at = day_began(today);
    let ids = sqlx::query_scalar!(
        r#"insert into exam_deferral (student_id, batch_id, course_id, selection_id, reason_type, reason, applied_by, applied_by_name,
               status, reviewed_by, reviewed_by_name, reviewed_at, opinion, created_by, updated_by)
           select n.student_id, n.batch_id, n.course_id, n.selection_id,
                  (array['illness', 'work', 'family', 'other'])[1 + n.place % 4],
                  (array['住院治疗，附诊断证明', '单位派往外地出差', '直系亲属病重需要照顾', '与职业资格考试时间冲突'])[1 + n.place % 4],
                  case when n.place % 2 = 0 then 'student' else 'staff' end,
                  case when n.place % 2 = 0 then y.name else '教务员' end, n.status,
                  case when n.status in ('approved', 'rejected', 'used') then 0 end,
                  case when n.status in ('approved', 'rejected', 'used') then '教务处' end,
                  case when n.status in ('approved', 'rejected', 'used') then $1::timestamptz end,
                  case n.status when 'rejected' then '证明材料不足' when 'approved' then '同意缓考' end, 0, 0
           from (
               select w.*, (array['applied', 'approved', 'applied', 'rejected', 'approved', 'cancelled'])[w.place] as status
               from (select c.student_id, c.batch_id, c.course_id, c.selection_id,
                            (row_number() over (order by c.id))::integer as place
                     from exam_candidate c
                     join exam_setup s on s.id = c.setup_id and s.mode = 'offline' and s.status in ('approved', 'published')
                     join exam_setup_time t on t.setup_id = s.id and t.starts_at > $1::timestamptz
                     where c.eligibility = 'eligible' and not c.removed) w
               where w.place <= 6
               union all
               (select c.student_id, b.id, c.course_id, c.id, 7, 'used'
                from test_batch b
                join course_selection c on c.semester_id = b.semester_id and c.status = 'completed' and c.passed
                where b.status = 'closed' order by b.id, c.id limit 1)) n
           join student y on y.id = n.student_id
           order by n.place
           returning id"#,
        at as _
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update exam_candidate c set eligibility = 'deferred', eligibility_reason = '已批准缓考'
         from exam_deferral d
         where d.status = 'approved' and d.batch_id = c.batch_id and d.course_id = c.course_id and d.student_id = c.student_id"
    )
    .execute(&mut **tx)
    .await?;
    let changes: Vec<Change> =
        ids.into_iter().map(|id| Change::event("exam_deferral", id, "insert", json!({}))).collect();
    tx.record(&changes).await
}

/// What happened in the rooms of sessions that were held: cases in every state. Before their examinations are closed.
///
/// # Errors
/// Those of the database.
pub async fn violations(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let at = day_began(today);
    let ids = sqlx::query_scalar!(
        r#"insert into exam_violation (candidate_id, level, clause, description, source, reported_by, reported_by_name, status,
               decided_by, decided_by_name, decided_at, decision, penalty, revoke_reason, created_by, updated_by)
           select n.id, w.level, w.clause, w.said, 'invigilator', 0, '监考员', w.status,
                  case when w.status <> 'reported' then 0 end, case when w.status <> 'reported' then '教务处' end,
                  case when w.status <> 'reported' then $1::timestamptz end,
                  case w.status when 'reported' then null when 'dismissed' then '经核实不构成违规' else '事实清楚，予以认定' end,
                  case when w.status in ('confirmed', 'revoked') then 'score_void' end,
                  case when w.status = 'revoked' then '申诉成立，撤销认定' end, 0, 0
           from (select c.id, row_number() over (order by c.id * 7 % 31, c.id) as place
                 from exam_candidate c
                 join exam_setup s on s.id = c.setup_id and s.mode = 'offline' and s.status = 'published'
                 join exam_setup_time t on t.setup_id = s.id and t.ends_at < $1::timestamptz
                 where c.attendance = 'present' and not c.removed) n
           join (values (1, 'violation', 'W1', '开考后发现携带手机，已关机上交', 'reported'),
                        (2, 'violation', 'W4', '多次旁窥邻座答卷，经提醒未改正', 'confirmed'),
                        (3, 'cheating', 'Z1', '桌内发现与考试内容相关的纸条', 'confirmed'),
                        (4, 'violation', 'W2', '坐错座位，发现后已更正', 'dismissed'),
                        (5, 'violation', 'W3', '考试结束铃响后继续答题', 'revoked'),
                        (6, 'cheating', 'Z2', '与后座传递答案', 'reported')) w (place, level, clause, said, status)
             on w.place = n.place
           order by n.place
           returning id"#,
        at as _
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "update exam_candidate c set violation_level = v.level, violation_id = v.id
         from exam_violation v where v.candidate_id = c.id and v.status = 'confirmed'"
    )
    .execute(&mut **tx)
    .await?;
    let changes: Vec<Change> =
        ids.into_iter().map(|id| Change::event("exam_violation", id, "insert", json!({}))).collect();
    tx.record(&changes).await
}

/// Two markers of an examination.
///
/// # Errors
/// Those of the database.
pub async fn markers(tx: &mut Tx, setup: i64) -> Result<()> {
    sqlx::query!(
        "insert into exam_marker (setup_id, teacher_id, scope, deadline_at, created_by, updated_by)
         select s.id, t.id, 'all', w.ends_at + interval '10 days', 0, 0
         from exam_setup s
         join exam_setup_time w on w.setup_id = s.id
         cross join lateral (
             select id from teacher where status = 'active' order by (id * 7 + s.id * 3) % 31, id limit 2) t
         where s.id = $1
         on conflict do nothing",
        setup
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Markers of what was written on paper; the sheets that are made of it are theirs to enter.
///
/// # Errors
/// Those of the database.
pub async fn markers_on_paper(tx: &mut Tx) -> Result<()> {
    let setups = sqlx::query_scalar!(
        "select id from exam_setup where mode = 'offline' and status in ('published', 'closed') order by id"
    )
    .fetch_all(&mut **tx)
    .await?;
    for setup in setups {
        markers(tx, setup).await?;
    }
    Ok(())
}
