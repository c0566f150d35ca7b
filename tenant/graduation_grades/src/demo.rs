//! Practical work and scores of theses of a demonstration school: some are entered, some wait for another person.

use infra::{Result, Scope, Tx};

use crate::grade::compute::computed;

/// Fills the tables; nothing where nobody is in courses of these kinds.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx) -> Result<()> {
    sqlx::query!(
        "insert into internship (selection_id, student_id, unit, post, starts_on, ends_on, mentor, unit_score, teacher_score, score,
             apply_waiver, status, submitted_at, scored_by, scored_by_name, created_by, updated_by)
         select n.id, n.student_id, '海岸电子有限公司', '质检员', n.starts_on, n.starts_on + 60, '车间主任',
                case when n.place % 3 = 0 then 70 + n.place % 25 end, case when n.place % 3 = 0 then 75 + n.place % 20 end,
                case when n.place % 3 = 0 then round(((70 + n.place % 25) * 4 + (75 + n.place % 20) * 6) / 10.0, 1) end,
                n.place % 10 = 1, case when n.place % 3 = 2 then 'draft' else 'submitted' end,
                case when n.place % 3 <> 2 then n.created_at end, 0, '教务员', 0, 0
         from (select c.id, c.student_id, c.created_at, e.starts_on, row_number() over (order by c.id) as place
               from course_selection c
               join course u on u.id = c.course_id and u.kind = 'internship'
               join semester e on e.id = c.semester_id
               where c.status = 'selected') n
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
    tx.record(&changes).await
}
