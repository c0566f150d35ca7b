//! What a demonstration school shows of supervision: the cases that a scan finds, some of them called, reminded, closed, and one that
//! somebody watches.

use infra::{App, Change, Result, Tx, audit::Actor, directory::School, tx};
use serde_json::json;

use crate::{
    facts::current,
    scan::{everybody, keep_day},
};

/// Days of which the line of cases tells.
const DAYS: i32 = 20;
/// Students whom staff watch.
const WATCHED: i64 = 24;
const STAFF: &str = "督学教师";

/// Scans the school, and does with the cases what people do. Called behind the sums of statistics.
///
/// # Errors
/// Only internal ones.
pub async fn fill(app: &App, school: &School) -> Result<()> {
    let found = everybody(app, school).await?;
    let mut tx = tx::at_work(app, Some(school), Actor::system("demo")).await?;
    watched(&mut tx).await?;
    called(&mut tx).await?;
    reminded(&mut tx).await?;
    before(&mut tx).await?;
    let what = json!({ "students": found.students, "opened": found.opened });
    tx.commit(Change::event("supervise_scan", 0, "import", what)).await
}

/// Students whom staff watch, so that there is something to do on every day of a semester.
async fn watched(tx: &mut Tx) -> Result<()> {
    let now = tx.app().clock().now();
    let cases = sqlx::query_scalar!(
        "insert into supervise_case (student_id, semester_id, level, manager_id, class_id, flag_count, first_flagged_at, created_by,
             updated_by)
         select s.id, e.id, (array['orange', 'yellow', 'red'])[1 + s.id % 3], k.manager_id, s.class_id, 1, $1::timestamptz, 0, 0
         from student s join semester e on e.current left join class k on k.id = s.class_id
         where s.status = 'registered'
           and not exists (select from supervise_case c where c.student_id = s.id and c.semester_id = e.id)
         order by s.id limit $2
         on conflict (student_id, semester_id) do nothing returning id",
        now as _,
        WATCHED
    )
    .fetch_all(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into supervise_flag (case_id, kind, ref_type, ref_id, title, value, level, since, updated_at)
         select c.id, 'manual', 'student', c.student_id, '家中有变故，需多联系', 0, c.level, $2::timestamptz, $2::timestamptz
         from supervise_case c
         where c.id = any($1) or c.id = (select min(x.id) from supervise_case x)
         on conflict (case_id, kind, ref_id) do nothing",
        &cases,
        now as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Every third case was called, of every ninth nobody needs to be any more; a flag is ignored.
async fn called(tx: &mut Tx) -> Result<()> {
    let (now, today) = (tx.app().clock().now(), tx.app().clock().today());
    sqlx::query!(
        "insert into supervise_contact (case_id, contact_way, contact_result, lag_reason, content, next_contact_on, by_kind, by_id,
             by_name, contacted_at, created_by, updated_by)
         select c.id, (array['phone', 'wechat', 'sms'])[1 + c.id % 3], (array['reached', 'promised', 'no_answer', 'difficulty'])[1 + c.id % 4],
                (array['busy_work', 'no_device', 'not_understand', 'forgot'])[1 + c.id % 4],
                (array['已联系，承诺本周末补学', '工作忙，约定晚上再联系', '电话无人接听，改发短信', '听不懂课程内容，已安排答疑'])[1 + c.id % 4],
                $2::date + (c.id % 7)::integer, 'staff', 0, $3, $1::timestamptz - make_interval(hours => (c.id % 60)::integer), 0, 0
         from supervise_case c where c.status = 'open' and c.id % 3 = 0",
        now as _,
        today,
        STAFF
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update supervise_case c
         set status = 'following',
             last_contact_at = (select max(x.contacted_at) from supervise_contact x where x.case_id = c.id),
             next_contact_on = (select max(x.next_contact_on) from supervise_contact x where x.case_id = c.id)
         where exists (select from supervise_contact x where x.case_id = c.id)"
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update supervise_case set status = 'closed', closed_reason = 'no_need', closed_at = $1, remark = '已补学，无需督学'
         where status = 'following' and id % 9 = 0",
        now as _
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update supervise_flag set muted = true, mute_reason = '已与学生确认', muted_by = $1
         where id = (select f.id from supervise_flag f join supervise_case c on c.id = f.case_id and c.status = 'open'
                     order by f.kind = 'manual', c.flag_count desc, f.id desc limit 1)",
        STAFF
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "update supervise_case c
         set flag_count = (select count(*)::integer from supervise_flag f
                           where f.case_id = c.id and f.cleared_at is null and not f.muted)
         where c.id in (select f.case_id from supervise_flag f where f.muted or f.kind = 'manual')"
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Some were told three days ago; of these no message is left to be sent.
async fn reminded(tx: &mut Tx) -> Result<()> {
    let now = tx.app().clock().now();
    let batch = tx.app().random().uuid();
    sqlx::query!(
        "insert into supervise_remind (batch, case_id, kinds, channels, lines, dedupe_key, reminded_at, by_name)
         select $1, c.id, array(select distinct f.kind from supervise_flag f where f.case_id = c.id and f.cleared_at is null),
                array['in_app'], '有课程学习进度落后，请尽快补学', 'demo:' || c.id, $2::timestamptz - interval '3 days', $3
         from supervise_case c where c.status in ('open', 'following') and c.id % 5 = 0",
        batch,
        now as _,
        STAFF
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// How many cases each class had on the days before: a little fewer each day back.
async fn before(tx: &mut Tx) -> Result<()> {
    let today = tx.app().clock().today();
    let Some(semester) = current(tx).await? else { return Ok(()) };
    keep_day(tx, today, semester.id).await?;
    sqlx::query!(
        "insert into supervise_day (date, class_id, site_id, yellow, orange, red)
         select $1::date - b.n, d.class_id, d.site_id, d.yellow * (40 - b.n) / 40, d.orange * (40 - b.n) / 40,
                d.red * (40 - b.n) / 40
         from supervise_day d cross join generate_series(1, $2::integer) as b (n)
         where d.date = $1
         on conflict (date, class_id, site_id) do nothing",
        today,
        DAYS
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
