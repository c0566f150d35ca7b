//! 日志保存: a month of a log is a table; what is older than `log.keepMonths` is dropped, the coming months are made ready
//! (01 §6, 05 E3). Of the trails go after ten years those that are not part of a person's record. Only the owner of the
//! tables can do it: no role of a request may change or delete a row.

use chrono::{Datelike, Months, NaiveDate};
use infra::{
    Part, Result,
    clock::day_began,
    db::PLATFORM_ROLE,
    jobs::{JobKind, JobRun, Outcome},
    params::{IntParam, Param},
    schedule::{Schedule, When},
};
use sqlx::{AssertSqlSafe, Executor, PgConnection};

pub const PART: Part = Part { jobs: &[KIND], params: &[PARAMS], schedules: &[SCHEDULE], ..Part::NONE };

pub const KIND: JobKind = JobKind { kind: "logs.keep", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: KIND.kind, title: "清理过期日志", when: When::Daily { hour: 4, minute: 30 } };

/// 日志保留月数; the law asks for six (01 §12).
const KEEP_MONTHS: IntParam = IntParam { code: "log.keepMonths", default: 36, min: 6, max: 120 };
pub const PARAMS: &[Param] = &[KEEP_MONTHS.entry("日志保留月数", "日志")];

/// The partitioned tables.
const LOGS: [&str; 2] = ["login_log", "sys_log"];
/// Months that are ready before they begin.
const AHEAD: u32 = 2;

async fn work(run: JobRun) -> Result<Outcome> {
    let months = u32::try_from(run.app().int(KEEP_MONTHS).await?).unwrap_or(u32::MAX);
    let mut owner = run.app().db().owner().acquire().await?;
    let today = run.app().clock().today();
    let gone = keep(&mut owner, today, months).await?;
    let mut message = if gone.is_empty() {
        "没有过期的日志".to_owned()
    } else {
        format!("已删除过期日志：{}", gone.join("、"))
    };
    let trail = keep_trails(&mut owner, today).await?;
    if trail > 0 {
        message += &format!("；已删除满十年的变更记录{trail}条");
    }
    Ok(Outcome { message, ..Outcome::default() })
}

/// Makes the coming months and drops those that ended `months` ago. Answers the names of the tables that went.
///
/// # Errors
/// Internal, when rows of a month that was not made in time lie among the others.
pub async fn keep(owner: &mut PgConnection, today: NaiveDate, months: u32) -> Result<Vec<String>> {
    let this = today.with_day(1).unwrap_or(today);
    let kept_from = today.checked_sub_months(Months::new(months)).unwrap_or(NaiveDate::MIN);
    let mut gone = Vec::new();
    for log in LOGS {
        for ahead in 0..=AHEAD {
            make(owner, log, this + Months::new(ahead)).await?;
        }
        let parts: Vec<String> = sqlx::query_scalar!(
            r#"select c.relname::text as "name!" from pg_inherits i join pg_class c on c.oid = i.inhrelid
               where i.inhparent = ('platform.' || $1)::regclass order by 1"#,
            log
        )
        .fetch_all(&mut *owner)
        .await?;
        for part in parts {
            let month = part
                .rsplit_once('_')
                .and_then(|(_, month)| NaiveDate::parse_from_str(&format!("{month}01"), "%Y%m%d").ok());
            // A month goes when its last day is no longer kept.
            if month.is_some_and(|month| month + Months::new(1) <= kept_from) {
                owner.execute(AssertSqlSafe(format!("drop table platform.{part}"))).await?;
                gone.push(part);
            }
        }
    }
    Ok(gone)
}

/// Years that the trail of other things than [`FOR_EVER`] stays.
const TRAIL_YEARS: i32 = 10;
/// The tables whose rows are a person's record: their trail stays.
const FOR_EVER: [&str; 6] =
    ["student", "student_change", "student_correction", "course_score", "certificate", "graduation_archive"];
/// Rows of a trail that are deleted at once.
const AT_ONCE: i64 = 10_000;

/// Deletes from the trails of `platform` and of every school that is not archived what is older than ten calendar years.
/// Answers how many rows went.
///
/// # Errors
/// Internal.
pub async fn keep_trails(owner: &mut PgConnection, today: NaiveDate) -> Result<u64> {
    let kept_from = NaiveDate::from_ymd_opt(today.year() - TRAIL_YEARS, 1, 1).unwrap_or(NaiveDate::MIN);
    let kept_from = day_began(kept_from);
    let schemas = sqlx::query_scalar!(
        r#"select 'platform' as "schema!" union all
           select schema_name from platform.school
           where deleted_at is null and provision_state = 'ready' and status <> 'archived'"#
    )
    .fetch_all(&mut *owner)
    .await?;
    let mut gone = 0;
    for schema in schemas {
        // The schema's name is the directory's. Numbers ascend with time, so a young trail is told by its first row.
        let young = AssertSqlSafe(format!(
            "select coalesce((select at >= $1 from {schema}.audit_log order by id limit 1), true)"
        ));
        if sqlx::query_scalar::<_, bool>(young).bind(kept_from).fetch_one(&mut *owner).await? {
            continue;
        }
        let some = format!(
            "delete from {schema}.audit_log where id in (
                 select id from {schema}.audit_log where at < $1 and entity_type <> all($2) order by id limit $3)"
        );
        loop {
            let deleted = sqlx::query(AssertSqlSafe(some.clone()))
                .bind(kept_from)
                .bind(&FOR_EVER[..])
                .bind(AT_ONCE)
                .execute(&mut *owner)
                .await?
                .rows_affected();
            gone += deleted;
            if deleted < AT_ONCE.unsigned_abs() {
                break;
            }
        }
    }
    Ok(gone)
}

async fn make(owner: &mut PgConnection, log: &str, month: NaiveDate) -> Result<()> {
    let part = format!("{log}_{}", month.format("%Y%m"));
    let (from, to) = (day_began(month).to_rfc3339(), day_began(month + Months::new(1)).to_rfc3339());
    // Names and moments are made here.
    for statement in [
        format!(
            "create table if not exists platform.{part} partition of platform.{log} for values from ('{from}') to ('{to}')"
        ),
        format!("revoke update, delete on platform.{part} from {PLATFORM_ROLE}"),
    ] {
        owner.execute(AssertSqlSafe(statement)).await?;
    }
    Ok(())
}
