//! What of statistics goes on by itself (part 05 A3, Part I): every minute the schools that were written to, every night all of them.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};
use infra::{
    App, Error, Part, Result, Tx,
    audit::Actor,
    clock::day_began,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
    setting::{Setting, Settings},
    tx,
};

use crate::{
    publish::{publish, publish_own},
    roll_up::{
        self, Done, Key, STANDARD_PERCENT, alone, begin,
        changed::no_day,
        compute, mark, note, sweep, sweep_warm,
        visits::{KEPT_DAYS, fold, fold_own},
        work_all,
    },
    school_day, watch,
};

const WORKER_KIND: &str = "stat.worker";
const DAILY_KIND: &str = "stat.daily";
const VERIFY_KIND: &str = "stat.verify";
const REBUILD_KIND: &str = "stat.rebuild";

pub const WORKER: JobKind = JobKind { kind: WORKER_KIND, code: None, run: |run| Box::pin(worker(run)), headings: None };
pub const FOLD: JobKind = JobKind { kind: "visit.fold", code: None, run: |run| Box::pin(visits(run)), headings: None };
pub const DAILY: JobKind = JobKind { kind: DAILY_KIND, code: None, run: |run| Box::pin(daily(run)), headings: None };
pub const PUBLISH: JobKind =
    JobKind { kind: "stat.publish", code: None, run: |run| Box::pin(published(run)), headings: None };
pub const VERIFY: JobKind = JobKind { kind: VERIFY_KIND, code: None, run: |run| Box::pin(verify(run)), headings: None };
/// Asked for by an operator.
pub const REBUILD: JobKind = JobKind {
    kind: REBUILD_KIND,
    code: Some("data:pc:statistics:rebuild"),
    run: |run| Box::pin(rebuild(run)),
    headings: None,
};

/// 小组隐藏人数: of fewer people the operators see no mean.
pub(crate) const SMALL_GROUP: Setting =
    Setting::int("statSmallGroup", "小组隐藏人数", (5, 0, 20), "平台端不显示人数少于此值的平均数");
/// How long the sign-ins of the clients are kept.
const LOGIN_MONTHS: Setting = Setting::int("clientLoginMonths", "客户端登录记录保留(月)", (24, 6, 60), "");

pub const PART: Part = Part {
    jobs: &[WORKER, FOLD, DAILY, PUBLISH, VERIFY, REBUILD],
    schedules: &[
        Schedule { kind: WORKER.kind, title: "汇总变动的统计数据", when: When::Every { minutes: 1 } },
        Schedule { kind: FOLD.kind, title: "汇总访问记录", when: When::Every { minutes: 5 } },
        Schedule { kind: PUBLISH.kind, title: "上报当日统计", when: When::Every { minutes: 15 } },
        Schedule { kind: DAILY.kind, title: "汇总前一日统计", when: When::Daily { hour: 1, minute: 30 } },
        Schedule { kind: VERIFY.kind, title: "每周日核对统计数据", when: When::Daily { hour: 5, minute: 0 } },
    ],
    settings: &[
        Settings { group: "statistics", settings: &[STANDARD_PERCENT, SMALL_GROUP] },
        Settings { group: "support", settings: &[LOGIN_MONTHS] },
    ],
    ..Part::NONE
};

/// Days whose facts are looked at once more in the night, whatever was marked.
const NIGHT_DAYS: u64 = 7;
/// Years for which days of people and classes are kept (05 E3).
const KEPT_YEARS: u32 = 5;
/// Days for which what roll-ups did is kept.
const RUN_DAYS: i64 = 30;
/// Days after which what a visit led to is looked at no more.
const CONVERSION_DAYS: u64 = 400;
/// Keys of a kind that are compared in a week, at the least.
const SAMPLE: i64 = 200;

async fn worker(run: JobRun) -> Result<Outcome> {
    let (done, errors) = sweep_warm(run.app(), WORKER_KIND).await?;
    Ok(Outcome { message: told(done), errors, ..Outcome::default() })
}

fn told(done: Done) -> String {
    format!("已汇总{}项，其中{}项有变化", done.keys, done.changed)
}

async fn visits(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    watch::tell(app).await?;
    let (mut done, mut errors) = (fold_own(app).await?, Vec::new());
    for school in watch::warm(app).await? {
        match fold(app, &school).await {
            Ok(of_school) => done += of_school,
            Err(error) => errors.push(roll_up::failed(&school, &error)),
        }
    }
    Ok(Outcome { message: told(done), errors, ..Outcome::default() })
}

async fn published(run: JobRun) -> Result<Outcome> {
    let app = run.app();
    let today = app.clock().today();
    let (mut count, mut errors) = (0, Vec::new());
    for school in watch::unpublished(app).await? {
        let outcome = async {
            let mut tx = begin(app, &school).await?;
            school_day::write(&mut tx, today).await?;
            tx.commit_untracked("figures follow from other rows").await?;
            publish(app, &school, today, today, false).await
        };
        match outcome.await {
            Ok(()) => count += 1,
            Err(error) => errors.push(roll_up::failed(&school, &error)),
        }
    }
    publish_own(app, today, today).await?;
    Ok(Outcome { message: format!("已上报{count}所院校的统计"), errors, ..Outcome::default() })
}

async fn daily(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    watch::tell(&app).await?;
    let schools = watch::all(&app).await?;
    let total = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    let (mut done, mut errors) = (Done::default(), Vec::new());
    for (school, before) in schools.iter().zip(0..) {
        run.progress("汇总前一日统计", before, total).await?;
        match night(&app, school).await {
            Ok(of_school) => done += of_school,
            Err(error) => errors.push(roll_up::failed(school, &error)),
        }
    }
    let today = app.clock().today();
    publish_own(&app, today.checked_sub_days(Days::new(1)).unwrap_or(today), today).await?;
    keep_own(&app).await?;
    Ok(Outcome { message: told(done), errors, ..Outcome::default() })
}

/// Closes yesterday of a school: what changed lately, also what was deleted, is computed anew; then the day is written and published,
/// and what is too old goes.
async fn night(app: &App, school: &School) -> Result<Done> {
    mark_lately(app, school).await?;
    let mut done = sweep(app, school, DAILY_KIND).await?;
    done += work_all(app, school).await?;
    done += fold(app, school).await?;
    let today = app.clock().today();
    let yesterday = today.checked_sub_days(Days::new(1)).unwrap_or(today);
    let mut tx = begin(app, school).await?;
    alone(&mut tx).await?;
    let kept = sqlx::query_scalar!(
        r#"select exists (select from stat_school_day where date = $1 and computed_at >= $2::timestamptz) as "kept!""#,
        yesterday,
        day_began(today) as _
    )
    .fetch_one(&mut *tx)
    .await?;
    // The night closes a day once; what is found later belongs to the day on which it took effect, not to its table.
    if !kept {
        school_day::write(&mut tx, yesterday).await?;
    }
    school_day::write_progress(&mut tx, yesterday).await?;
    school_day::write(&mut tx, today).await?;
    tx.commit_untracked("figures follow from other rows").await?;
    // As far back as what visits led to is looked at.
    let visits_from = today.checked_sub_days(Days::new(CONVERSION_DAYS)).unwrap_or(today);
    publish(app, school, yesterday, visits_from, false).await?;
    publish(app, school, today, today, true).await?;
    keep(app, school).await?;
    Ok(done)
}

/// Marks the openings and examinations of semesters that go on, the study of the last days, and what visits led to.
async fn mark_lately(app: &App, school: &School) -> Result<()> {
    let (now, today) = (app.clock().now(), app.clock().today());
    let since = today.checked_sub_days(Days::new(NIGHT_DAYS)).unwrap_or(today);
    let mut tx = begin(app, school).await?;
    alone(&mut tx).await?;
    sqlx::query!(
        "insert into stat_dirty (kind, k1, k2, day, marked_at)
         select k.kind, k.k1, 0, k.day, $2::timestamptz
         from (select 'opening_class' as kind, o.id as k1, date '1970-01-01' as day
               from course_opening o join semester e on e.id = o.semester_id and e.closed_at is null
               where o.status in ('opened', 'closed')
                 and (exists (select from course_selection c where c.opening_id = o.id)
                      or exists (select from stat_opening_class s where s.opening_id = o.id))
               union
               select 'opening_class', s.opening_id, date '1970-01-01'
               from stat_opening_class s
               where not exists (select from course_opening o where o.id = s.opening_id and o.status in ('opened', 'closed'))
               union
               select 'exam_class', t.id, date '1970-01-01'
               from exam_setup t join semester e on e.id = t.semester_id and e.closed_at is null
               where t.status in ('published', 'closed')
               union
               select 'study', d.selection_id, $1::date from study_day d where d.day >= $1
               union
               select 'study', s.selection_id, $1::date from stat_study_day s where s.date >= $1) k
         on conflict (kind, k1, k2, day) do nothing",
        since,
        now as _
    )
    .execute(&mut *tx)
    .await?;
    let converted = today.checked_sub_days(Days::new(CONVERSION_DAYS)).unwrap_or(today);
    let days = sqlx::query_scalar!(
        r#"select distinct (c.at at time zone 'Asia/Shanghai')::date as "day!" from visit_conversion c
           where c.at >= $1::timestamptz"#,
        day_began(converted) as _
    )
    .fetch_all(&mut *tx)
    .await?;
    let keys: Vec<Key> = days.into_iter().map(|day| Key { k1: 0, k2: 0, day }).collect();
    mark(&mut tx, "visit", &keys).await?;
    tx.commit_untracked("what is looked at again is marked, and changes nothing itself").await
}

/// Lets go what is kept no longer (05 E3).
async fn keep(app: &App, school: &School) -> Result<()> {
    let (now, today) = (app.clock().now(), app.clock().today());
    let old = years_ago(today);
    let mut tx = begin(app, school).await?;
    let months = u32::try_from(LOGIN_MONTHS.number(&mut tx).await?).unwrap_or(24);
    let logins_from = day_began(today.checked_sub_months(Months::new(months)).unwrap_or(today));
    sqlx::query!("delete from client_login where at < $1::timestamptz", logins_from as _).execute(&mut *tx).await?;
    keep_visits(&mut tx, today).await?;
    sqlx::query!("delete from stat_study_day where date < $1", old).execute(&mut *tx).await?;
    sqlx::query!("delete from stat_login_day where date < $1", old).execute(&mut *tx).await?;
    sqlx::query!("delete from stat_class_day where date < $1", old).execute(&mut *tx).await?;
    sqlx::query!("delete from stat_progress_day where date < $1", old).execute(&mut *tx).await?;
    sqlx::query!(
        "delete from stat_run where started_at < $1::timestamptz",
        (now - chrono::Duration::days(RUN_DAYS)) as _
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("what is old goes").await
}

/// The same of the operators' own site, which has visits alone.
async fn keep_own(app: &App) -> Result<()> {
    let mut tx = tx::at_work(app, None, Actor::system("statistics")).await?;
    keep_visits(&mut tx, app.clock().today()).await?;
    tx.commit_untracked("what is old goes").await
}

/// Visits of the school of the transaction, or of `platform`: both have the tables.
async fn keep_visits(tx: &mut Tx, today: NaiveDate) -> Result<()> {
    let visits_from = day_began(today.checked_sub_days(Days::new(KEPT_DAYS)).unwrap_or(today));
    sqlx::query!("delete from visit where at < $1::timestamptz", visits_from as _).execute(&mut **tx).await?;
    sqlx::query!("delete from visit_day where date < $1", years_ago(today)).execute(&mut **tx).await?;
    Ok(())
}

/// From here on days of people, classes and visits are kept.
fn years_ago(today: NaiveDate) -> NaiveDate {
    today.checked_sub_months(Months::new(12 * KEPT_YEARS)).unwrap_or(today)
}

/// Compares a part of the rows with what their facts say, on Sundays; what differs is mended, and told.
async fn verify(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    if app.clock().today().weekday() != Weekday::Sun {
        return Ok(Outcome { message: "每周日核对".to_owned(), ..Outcome::default() });
    }
    let schools = watch::all(&app).await?;
    let total = i64::try_from(schools.len()).unwrap_or(i64::MAX);
    let (mut compared, mut errors) = (Done::default(), Vec::new());
    for (school, before) in schools.iter().zip(0..) {
        run.progress("核对统计数据", before, total).await?;
        match verify_one(&app, school).await {
            Ok(of_school) => {
                if of_school.changed > 0 {
                    let error = Error::conflict(format!("有{}项与明细不一致，已更正", of_school.changed));
                    errors.push(roll_up::failed(school, &error));
                }
                compared += of_school;
            }
            Err(error) => errors.push(roll_up::failed(school, &error)),
        }
    }
    let message = format!("核对{}项，更正{}项", compared.keys, compared.changed);
    Ok(Outcome { message, errors, ..Outcome::default() })
}

/// One of a hundred keys of each kind, at least two hundred: other ones each week, as rows that were right stay as they were.
pub(crate) async fn verify_one(app: &App, school: &School) -> Result<Done> {
    let started = app.clock().now();
    // What is known to have changed is no difference.
    sweep(app, school, VERIFY_KIND).await?;
    work_all(app, school).await?;
    let mut done = Done::default();
    for kind in ["opening_class", "exam_class", "study"] {
        let keys = sample(app, school, kind).await?;
        let mut tx = begin(app, school).await?;
        alone(&mut tx).await?;
        let changed = compute(&mut tx, kind, &keys).await?;
        tx.commit_untracked("figures follow from other rows").await?;
        done += Done { keys: keys.len(), changed };
    }
    if done.changed > 0 {
        let told = format!("有{}项与明细不一致，已更正", done.changed);
        note(app, school, VERIFY_KIND, started, done, Some(&told)).await?;
    }
    Ok(done)
}

async fn sample(app: &App, school: &School, kind: &str) -> Result<Vec<Key>> {
    let mut read = tx::at_the_server_read_in(app, school).await?;
    let day = app.clock().today().to_string();
    let ids = match kind {
        "opening_class" => {
            sqlx::query_scalar!(
                r#"select k.id as "id!" from (select distinct opening_id as id from stat_opening_class) k
                   order by md5(k.id::text || $2::text)
                   limit greatest($1::bigint, (select count(distinct opening_id) / 100 from stat_opening_class))"#,
                SAMPLE,
                day
            )
            .fetch_all(&mut *read)
            .await?
        }
        "exam_class" => {
            sqlx::query_scalar!(
                r#"select k.id as "id!" from (select distinct setup_id as id from stat_exam_class) k
                   order by md5(k.id::text || $2::text)
                   limit greatest($1::bigint, (select count(distinct setup_id) / 100 from stat_exam_class))"#,
                SAMPLE,
                day
            )
            .fetch_all(&mut *read)
            .await?
        }
        _ => {
            sqlx::query_scalar!(
                r#"with k as (select distinct s.selection_id as id from stat_study_day s
                              join semester e on e.id = s.semester_id and e.closed_at is null)
                   select k.id as "id!" from k
                   order by md5(k.id::text || $2::text)
                   limit greatest($1::bigint, (select count(*) / 100 from k))"#,
                SAMPLE,
                day
            )
            .fetch_all(&mut *read)
            .await?
        }
    };
    Ok(ids.into_iter().map(|id| Key { k1: id, k2: 0, day: no_day() }).collect())
}

/// All of a semester anew, for an operator.
async fn rebuild(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let school = run.school.clone().ok_or_else(Error::not_found)?;
    let semester =
        run.params["semesterId"].as_i64().ok_or_else(|| Error::internal("a rebuild without its semester"))?;
    run.progress("重建统计", 0, 0).await?;
    let done = rebuild_semester(&app, &school, semester).await?;
    Ok(Outcome { message: told(done), ..Outcome::default() })
}

/// Marks all of a semester and computes until nothing waits.
///
/// # Errors
/// Those of the database.
pub(crate) async fn rebuild_semester(app: &App, school: &School, semester: i64) -> Result<Done> {
    let mut tx = begin(app, school).await?;
    mark(&mut tx, "semester", &[Key { k1: semester, k2: 0, day: no_day() }]).await?;
    tx.commit_untracked("what is computed anew is marked, and changes nothing itself").await?;
    rebuild_all(app, school).await
}

/// Computes until nothing waits; the first time all that there is.
///
/// # Errors
/// Those of the database.
pub(crate) async fn rebuild_all(app: &App, school: &School) -> Result<Done> {
    let mut done = sweep(app, school, REBUILD_KIND).await?;
    done += work_all(app, school).await?;
    done += fold(app, school).await?;
    let today: NaiveDate = app.clock().today();
    let mut tx = begin(app, school).await?;
    school_day::write(&mut tx, today).await?;
    school_day::write_progress(&mut tx, today).await?;
    tx.commit_untracked("figures follow from other rows").await?;
    publish(app, school, today, today, true).await?;
    Ok(done)
}
