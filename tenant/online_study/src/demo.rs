//! Online study of a demonstration school: courses with material are studied by some to the end, by some in part and by some not at
//! all; sessions of every end, progress from another platform, and questions in every state.

use chrono::NaiveDate;
use infra::{Result, Tx, clock::day_began};

use crate::counting::{self, Counting};

/// Selections that are counted at once.
const AT_ONCE: usize = 1_000;

/// Lets the students who are in a course with material study it.
///
/// # Errors
/// Only internal ones.
pub async fn fill(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    // A third of what is taught now is set: in order, from a share of its own on, and asked for before homework.
    sqlx::query!(
        "insert into online_teaching (id, finish_percent, max_speed, sequential, daily_limit_minutes, required_progress, created_by,
             updated_by)
         select o.id, 80, 1.5, o.id % 2 = 0, 180, 60, 0, 0
         from course_opening o
         where o.status = 'opened' and o.id % 3 = 0
           and exists (select from course_record r where r.course_id = o.course_id and r.is_default and r.status = 'published')"
    )
    .execute(&mut **tx)
    .await?;
    watched(tx, today).await?;
    let ids = sqlx::query_scalar!(
        "select c.id from course_selection c
         where exists (select from study_progress x where x.selection_id = c.id)
            or c.status = 'selected' and c.id % 50 = 1
               and exists (select from course_record r where r.course_id = c.course_id and r.is_default and r.status = 'published')
         order by c.id"
    )
    .fetch_all(&mut **tx)
    .await?;
    for part in ids.chunks(AT_ONCE) {
        counting::hold(tx, part).await?;
        sqlx::query!(
            "update study_course_progress g
             set last_at = (select max(x.last_at) from study_progress x where x.selection_id = g.id),
                 imported_progress = case when g.id % 50 = 1 then 45 end,
                 imported_seconds = case when g.id % 50 = 1 then 5400 else 0 end
             where g.id = any($1)",
            part
        )
        .execute(&mut **tx)
        .await?;
        counting::recount(tx, part, Counting::anew_at(day_began(today))).await?;
    }
    sqlx::query!(
        "insert into study_reminder (selection_id, day, progress, reminded_at)
         select g.id, $1::date - 2, g.progress, ($1::date - 2)::timestamp at time zone 'Asia/Shanghai'
         from study_course_progress g join course_selection c on c.id = g.id
         where c.status = 'selected' and g.finished_at is null and g.id % 10 = 3",
        today
    )
    .execute(&mut **tx)
    .await?;
    sessions(tx).await?;
    questions(tx, today).await
}

/// Of what is over everybody finished; of what is taught now two in ten did, two in ten did not begin, the others are on their way.
async fn watched(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    sqlx::query!(
        "with courses as (
             select c.id, o.status, coalesce(n.course_record_id, r.id) as record, least(e.starts_on, $1::date - 30) as began
             from course_selection c
             join course_opening o on o.id = c.opening_id and o.status in ('opened', 'closed')
             join semester e on e.id = o.semester_id and e.ends_on > $1::date - 232
             join course_record r on r.course_id = o.course_id and r.is_default and r.status = 'published'
             left join online_teaching n on n.id = o.id
             where c.status in ('selected', 'completed')
         ), periods as (
             select p.id, p.course_record_id, p.duration_seconds,
                    row_number() over (partition by p.course_record_id order by p.chapter_id, p.sort_no, p.id) as place,
                    count(*) over (partition by p.course_record_id) as all_of
             from course_period p where p.enabled and p.required and p.duration_seconds > 0
         ), reached as (
             select k.id, k.began, p.id as period, p.duration_seconds as whole, p.place,
                    case when k.status = 'closed' or k.id % 10 >= 8 then p.all_of when k.id % 10 < 2 then 0
                         else 1 + (k.id * 7) % (p.all_of - 1) end as done
             from courses k join periods p on p.course_record_id = k.record and p.all_of > 1
         )
         insert into study_progress (selection_id, period_id, watched, seen, watched_seconds, last_position, progress, finished_at,
             first_at, last_at, client_kinds)
         select r.id, r.period, int4multirange(int4range(0, w.seen)), w.seen, w.seen, w.seen, round(w.seen * 100.0 / r.whole, 1),
                case when r.place <= r.done then w.at end, w.at, w.at,
                array[case when r.id % 3 = 0 then 'pc' else 'mobile' end]
         from reached r
         cross join lateral (
             select case when r.place <= r.done then r.whole else r.whole / 2 end as seen,
                    (least(r.began + (r.place * 2 + r.id % 9)::integer, $1::date - 1)::timestamp + interval '20 hours')
                        at time zone 'Asia/Shanghai' as at) w
         where r.done > 0 and r.place <= r.done + 1",
        today
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into study_day (selection_id, day, seconds)
         select selection_id, (last_at at time zone 'Asia/Shanghai')::date, sum(watched_seconds)::integer
         from study_progress group by 1, 2"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Of every fifth selection; some claimed more than the clock allowed, fell silent, or went on elsewhere.
async fn sessions(tx: &mut Tx) -> Result<()> {
    sqlx::query!(
        "insert into study_session (selection_id, student_id, period_id, sign_in, started_at, last_beat_at, seq, credited_seconds,
             rejected_seconds, ip, device, ended_at, end_reason)
         select x.selection_id, c.student_id, x.period_id, '00000000-0000-0000-0000-000000000000'::uuid,
                x.last_at - make_interval(secs => x.watched_seconds), x.last_at, greatest(1, x.watched_seconds / 30),
                x.watched_seconds, case when x.id % 4 = 0 then 30 else 0 end, '10.20.' || x.id % 200 || '.' || x.selection_id % 250,
                x.client_kinds[1], x.last_at,
                case x.id % 9 when 0 then 'silent' when 1 then 'other_device' when 2 then 'other_period' else 'closed' end
         from study_progress x join course_selection c on c.id = x.selection_id
         where x.selection_id % 5 = 0"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Of every fortieth selection that studies a question: answered by a fellow student, by the teacher, or not yet; one in seven is
/// marked, one in nine hidden.
async fn questions(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    sqlx::query!(
        "insert into course_qa (selection_id, chapter_id, title, content, excellent, hidden, created_at, created_by, updated_at,
             updated_by)
         select c.id, (select h.id from course_chapter h where h.course_id = c.course_id order by h.parent_id nulls first, h.sort_no limit 1),
                case c.id % 3 when 0 then '第一章的例题如何理解' when 1 then '教材与视频的定义不一致' else '作业第3题的思路' end,
                '老师好，学习到这里有些疑问，请帮忙解答，谢谢。', c.place % 7 = 1, c.place % 9 = 2, w.at, 0, w.at, 0
         from (select c.id, c.course_id, row_number() over (order by c.id) as place from course_selection c
               where c.status = 'selected' and c.id % 40 < 3 and exists (select from study_progress x where x.selection_id = c.id)) c
         cross join lateral (
             select ($1::date - (c.id % 20)::integer)::timestamp at time zone 'Asia/Shanghai' as at) w",
        today
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into course_qa_reply (qa_id, by_kind, by_id, by_name, content, created_at)
         select q.id, 'teacher', t.id, t.name, '请结合本节视频后半部分的讲解，再看教材的例题。', q.created_at + interval '5 hours'
         from course_qa q
         join course_selection c on c.id = q.selection_id
         cross join lateral (
             select w.id, w.name from course_allocation a join teacher w on w.id = a.teacher_id
             where a.opening_id = c.opening_id and a.role = 'lecturer' order by a.class_id nulls last limit 1) t
         where q.id % 3 <> 0"
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into course_qa_reply (qa_id, by_kind, by_id, by_name, content, created_at)
         select q.id, 'student', s.id, s.name, '我也有同样的疑问，可以参考教材的小结。', q.created_at + interval '2 hours'
         from course_qa q
         join course_selection c on c.id = q.selection_id
         cross join lateral (
             select y.id, y.name from course_selection o join student y on y.id = o.student_id
             where o.opening_id = c.opening_id and o.status = 'selected' and o.id <> c.id order by o.id limit 1) s
         where q.id % 2 = 0"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
