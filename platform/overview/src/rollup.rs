//! 汇总院校数据: one row a school with what the operators' page adds up, written every ten minutes (05 A3: recomputed,
//! never added to). Each school is read in a short snapshot of its own; one that cannot be read keeps its last row.

use infra::{
    Error, Part, Result,
    access::Caller,
    directory::School,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    schedule::{Schedule, When},
};
use serde_json::{Map, Value, json};

pub const PART: Part = Part { jobs: &[KIND], schedules: &[SCHEDULE], ..Part::NONE };

pub const KIND: JobKind =
    JobKind { kind: "overview.rollup", code: None, run: |run| Box::pin(work(run)), headings: None };

/// How often the figures of the schools are gathered.
pub(crate) const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "汇总院校数据", when: When::Every { minutes: 10 } };

struct Counted {
    school: i64,
    active: i64,
    by_status: Value,
    by_level: Value,
}

async fn work(run: JobRun) -> Result<Outcome> {
    let mut tx = run.read_platform().await?;
    let ids = sqlx::query_scalar!(
        "select id from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') order by id"
    )
    .fetch_all(&mut *tx)
    .await?;
    drop(tx);
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let (mut counted, mut unread) = (Vec::with_capacity(ids.len()), 0);
    for (done, id) in (0_i64..).zip(&ids) {
        if done % 50 == 0 {
            run.progress("统计院校", done, total).await?;
        }
        let Some(school) = run.app().school(*id).await? else { continue };
        match count(&run, &school).await {
            Ok(figures) => counted.push(figures),
            // Being migrated, or just taken away: its last row stays.
            Err(error) if error.code == 409 => unread += 1,
            Err(error) => return Err(error),
        }
    }
    write(&run, &counted).await?;
    let message = match unread {
        0 => format!("已汇总{total}所院校"),
        _ => format!("已汇总{}所院校，{unread}所正在升级，保留上次数据", total - unread),
    };
    Ok(Outcome { message, ..Outcome::default() })
}

async fn count(run: &JobRun, school: &School) -> Result<Counted> {
    let mut tx = run.read_in(school).await?;
    let rows = sqlx::query!(
        r#"select t.status, t.active as "active!", l.name as level, count(*) as "count!"
           from student t join level l on l.id = t.level_id group by t.status, t.active, l.name"#
    )
    .fetch_all(&mut *tx)
    .await?;
    let (mut active, mut by_status, mut by_level) = (0, Map::new(), Map::new());
    for row in rows {
        add(&mut by_status, &row.status, row.count);
        if row.active {
            active += row.count;
            add(&mut by_level, &row.level, row.count);
        }
    }
    Ok(Counted { school: school.id, active, by_status: by_status.into(), by_level: by_level.into() })
}

fn add(sums: &mut Map<String, Value>, name: &str, count: i64) {
    let former = sums.get(name).and_then(Value::as_i64).unwrap_or(0);
    sums.insert(name.to_owned(), json!(former + count));
}

async fn write(run: &JobRun, counted: &[Counted]) -> Result<()> {
    let now = run.app().clock().now();
    let schools: Vec<i64> = counted.iter().map(|one| one.school).collect();
    let active: Vec<i64> = counted.iter().map(|one| one.active).collect();
    let by_status: Vec<Value> = counted.iter().map(|one| one.by_status.clone()).collect();
    let by_level: Vec<Value> = counted.iter().map(|one| one.by_level.clone()).collect();
    let mut tx = run.begin_in_platform().await?;
    sqlx::query!(
        "insert into platform.overview_school (school_id, active_students, students_by_status, students_by_level, computed_at)
         select s, a, t, l, $5 from unnest($1::bigint[], $2::bigint[], $3::jsonb[], $4::jsonb[]) as r (s, a, t, l)
         on conflict (school_id) do update
         set active_students = excluded.active_students, students_by_status = excluded.students_by_status,
             students_by_level = excluded.students_by_level, computed_at = excluded.computed_at",
        &schools,
        &active,
        &by_status,
        &by_level,
        now
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from platform.overview_school o
         where not exists (select from platform.school s where s.id = o.school_id and s.deleted_at is null)"
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("figures that follow from other rows").await
}

/// Gathers now, for somebody who asked for new figures; nothing when it is running already.
pub(crate) async fn start(caller: &Caller) -> Result<()> {
    let job = NewJob { kind: KIND.kind, target: String::new(), title: SCHEDULE.title.to_owned(), params: json!({}) };
    match jobs::start(caller, job).await {
        Ok(_) => Ok(()),
        Err(error) if error.code == 409 => Ok(()),
        Err(error) => Err::<(), Error>(error),
    }
}
