//! Practical work and scores of theses of a demonstration school: those of who finished are locked, of the others some are entered, some
//! wait for another person.

use infra::{Result, Scope, Tx};

use crate::grade::compute::computed;

/// Fills the tables; nothing where nobody is in courses of these kinds.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    sqlx::query!(
        "insert into internship (selection_id, student_id, unit, post, starts_on, ends_on, mentor, unit_score, teacher_score, score,
             apply_waiver, status, submitted_at, scored_by, scored_by_name, audited_by, audited_by_name, audited_at, return_reason,
             created_by, updated_by)
         select n.id, n.student_id, '海岸电子有限公司', '质检员', n.starts_on, n.starts_on + 60, '车间主任',
                case when n.scored then 70 + n.place % 25 end, case when n.scored then 75 + n.place % 20 end,
                case when n.scored then round(((70 + n.place % 25) * 4 + (75 + n.place % 20) * 6) / 10.0, 1) end,
                n.place % 10 = 1, n.status, case when n.status <> 'draft' then n.created_at end, 0, '教务员',
                case when n.status in ('passed', 'returned') then 0 end, case when n.status in ('passed', 'returned') then '实习管理员' end,
                case when n.status in ('passed', 'returned') then n.created_at end,
                case when n.status = 'returned' then '实习报告缺少单位盖章' end, 0, 0
         from (select w.*, w.over or w.place % 3 = 0 as scored,
                      case when w.over or w.place % 6 = 0 then 'passed' when w.place % 3 = 2 then 'draft' when w.place % 12 = 1 then 'returned'
                                else 'submitted' end as status
               from (select c.id, c.student_id, c.created_at, e.starts_on, c.status = 'completed' as over,
                            row_number() over (order by c.status desc, c.id) as place
                     from course_selection c
                     join course u on u.id = c.course_id and u.kind = 'internship'
                     join semester e on e.id = c.semester_id
                     where c.status in ('selected', 'completed')) w) n
         where n.place <= 60
         order by n.id"
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into graduation_score (selection_id, student_id, thesis_id, thesis_score, thesis_comment, thesis_by_name, thesis_at,
             status, created_by, updated_by)
         select t.selection_id, t.student_id, t.id, 70 + t.id % 25, '论证充分，数据可靠', a.name, t.created_at, 'entering', 0, 0
         from thesis t join teacher a on a.id = t.adviser_id
         where t.status = 'active' and t.stage in ('review', 'defense')
         order by t.id"
    )
    .execute(&mut **tx)
    .await?;
    let selections =
        sqlx::query_scalar!("select selection_id from graduation_score order by id").fetch_all(&mut **tx).await?;
    let (_, changes) = computed(tx, &selections, &Scope::whole_school()).await?;
    tx.record(&changes).await?;
    // What has a total goes on: one stays, one is submitted, one reviewed, one came back.
    sqlx::query!(
        "update graduation_score g
         set status = w.status, submitted_by = case when w.status <> 'entering' then 0 end,
             submitted_by_name = case when w.status <> 'entering' then '教务员' end,
             submitted_at = case when w.status <> 'entering' then g.thesis_at end,
             reviewed_by = case when w.status = 'reviewed' then 0 end,
             reviewed_by_name = case when w.status = 'reviewed' then '学院教学秘书' end,
             reviewed_at = case when w.status = 'reviewed' then g.thesis_at end,
             return_reason = case when w.status = 'returned' then '评阅成绩与评阅书不符' end
         from (select id, row_number() over (order by id) as place from graduation_score where status = 'entering' and total is not null) n
         cross join lateral (
             select case n.place % 4 when 0 then 'entering' when 1 then 'submitted' when 2 then 'reviewed' else 'returned' end as status) w
         where g.id = n.id"
    )
    .execute(&mut **tx)
    .await?;
    finished(tx).await
}

/// The scores of theses that are over, as their courses say.
async fn finished(tx: &mut Tx) -> Result<()> {
    sqlx::query!(
        "insert into graduation_score (selection_id, student_id, thesis_score, thesis_comment, thesis_by_name, thesis_at, review_score,
             review_by_name, review_at, defense_score, defense_by_name, defense_at, total, grade_word, status, submitted_by,
             submitted_by_name, submitted_at, reviewed_by, reviewed_by_name, reviewed_at, published_at, locked_at, created_by, updated_by)
         select c.id, c.student_id, c.final_score, '论证充分，数据可靠', '指导教师', w.at, c.final_score, '评阅教师', w.at, c.final_score,
                '答辩秘书', w.at, c.final_score,
                case when c.final_score >= 90 then '优秀' when c.final_score >= 80 then '良好' when c.final_score >= 70 then '中等'
                     when c.final_score >= 60 then '及格' else '不及格' end,
                'locked', 0, '教务员', w.at, 0, '学院教学秘书', w.at, w.at, w.at, 0, 0
         from course_selection c
         join course u on u.id = c.course_id and u.kind = 'thesis'
         join semester e on e.id = c.semester_id
         cross join lateral (select e.ends_on::timestamp at time zone 'Asia/Shanghai' as at) w
         where c.status = 'completed' and c.final_score is not null
         order by c.id"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
