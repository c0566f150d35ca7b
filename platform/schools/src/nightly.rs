//! 服务到期: each night schools whose service has ended are suspended, and those whose end is near are warned of
//! (01 §5.2).

use chrono::{Days, NaiveDate};
use infra::{
    Change, Part, Result,
    access::Permission,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use scenes::{Person, PersonKind, Persons, notify, template::Values};
use school_rules::term::due;
use serde_json::{Value, json};

use crate::{school::ListSchools, suspension};

pub const PART: Part = Part { jobs: &[EXPIRY], schedules: &[SCHEDULE], ..Part::NONE };

pub const EXPIRY: JobKind =
    JobKind { kind: "school.expiry", code: None, run: |run| Box::pin(work(run)), headings: None };
pub const SCHEDULE: Schedule =
    Schedule { kind: EXPIRY.kind, title: "检查院校服务到期", when: When::Daily { hour: 0, minute: 20 } };

/// The scene of the warning; its template says who, when and how many days (01 §12).
const SCENE: &str = "school_expiring";

async fn work(run: JobRun) -> Result<Outcome> {
    let today = run.app().clock().today();
    let suspended = suspend_ended(&run, today).await?;
    let (warned, errors) = warn(&run, today).await?;
    let message = format!("到期停用{suspended}所院校，到期提醒{warned}所院校");
    Ok(Outcome { message, errors, ..Outcome::default() })
}

async fn suspend_ended(run: &JobRun, today: NaiveDate) -> Result<usize> {
    let ended = sqlx::query_scalar!(
        "select id from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') and expires_on < $1 order by id",
        today
    )
    .fetch_all(&mut *run.app().platform_read().await?)
    .await?;
    let mut suspended = 0;
    for id in ended {
        match suspension::suspend(run.begin_in_platform().await?, 0, id, "服务到期").await {
            Ok(()) => suspended += 1,
            // Its standing changed a moment ago, and the others' turn comes all the same.
            Err(error) if matches!(error.code, 404 | 409) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(suspended)
}

/// A school whose service ends within thirty days.
struct Near {
    id: i64,
    name: String,
    expires_on: NaiveDate,
    /// The last warning that was given for this end.
    given: Option<i32>,
}

/// Warns of every school whose turn it is; says how many those were, and which could not be reached.
async fn warn(run: &JobRun, today: NaiveDate) -> Result<(usize, Vec<Value>)> {
    let until = today.checked_add_days(Days::new(30)).unwrap_or(today);
    let near = sqlx::query_as!(
        Near,
        r#"select id, name, expires_on as "expires_on!", case when warned_end = expires_on then warned_days end as given
           from platform.school
           where deleted_at is null and status in ('trial', 'active') and expires_on between $1 and $2
           order by id"#,
        today,
        until
    )
    .fetch_all(&mut *run.app().platform_read().await?)
    .await?;
    let (mut warned, mut errors) = (0, Vec::new());
    for school in near {
        let left = (school.expires_on - today).num_days();
        let Some(days) = due(left, school.given) else { continue };
        match warn_of(run, &school, left, days).await {
            Ok(given) => warned += usize::from(given),
            // It is being migrated, for example. The others are warned, and this one with tomorrow's round.
            Err(error) => errors.push(json!({ "id": school.id, "name": school.name, "msg": error.msg })),
        }
    }
    Ok((warned, errors))
}

/// Tells the school's administrators, who find it in the school's inbox, then the operators. Killed in between, the next
/// round tells nobody twice: the key of the event names school, end and warning.
async fn warn_of(run: &JobRun, school: &Near, left: i64, days: i32) -> Result<bool> {
    let key = format!("{SCENE}:{}:{}:{days}", school.id, school.expires_on);
    let values = Values::from([
        ("school".to_owned(), school.name.clone()),
        ("endsOn".to_owned(), school.expires_on.to_string()),
        ("days".to_owned(), left.to_string()),
    ]);
    // A school that was never opened to its end has nobody to tell.
    if let Some(place) = run.app().school(school.id).await?.filter(|place| place.is_ready()) {
        let admins = administrators(run, school.id).await?;
        let mut tx = run.begin_in(&place).await?;
        notify(&mut tx, SCENE, accounts_of(admins), values.clone(), Some(&key)).await?;
        tx.commit_untracked("an event of the outbox").await?;
    }
    let operators = operators(run, school.id).await?;
    let mut tx = run.begin_in_platform().await?;
    let marked = sqlx::query!(
        "update platform.school set warned_end = expires_on, warned_days = $3 where id = $1 and expires_on = $2",
        school.id,
        school.expires_on,
        days
    )
    .execute(&mut *tx)
    .await?;
    if marked.rows_affected() == 0 {
        // It was prolonged a moment ago.
        return Ok(false);
    }
    notify(&mut tx, SCENE, accounts_of(operators), values, Some(&key)).await?;
    let what = json!({ "expiresOn": school.expires_on, "daysLeft": left });
    tx.commit(Change::event("school", school.id, "expiry_warning", what)).await?;
    Ok(true)
}

fn accounts_of(ids: Vec<i64>) -> Persons {
    Persons::Recipients(ids.into_iter().map(|id| Person { kind: PersonKind::Account, id }).collect())
}

/// The administrators that a school has today.
async fn administrators(run: &JobRun, school_id: i64) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        "select b.user_id from platform.sys_user_school b
         join platform.sys_user u on u.id = b.user_id and u.enabled
         where b.school_id = $1 and b.is_admin and b.enabled and (b.gmt_expires is null or b.gmt_expires > $2)
         order by b.user_id",
        school_id,
        run.app().clock().now()
    )
    .fetch_all(&mut *run.app().platform_read().await?)
    .await?;
    Ok(ids)
}

/// The operators who see this school in their list.
async fn operators(run: &JobRun, school_id: i64) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        "select u.id from platform.sys_user u
         where u.enabled and u.user_type = 'platform'
           and (u.school_scope = 'all' or exists (
               select from platform.sys_user_school b where b.user_id = u.id and b.school_id = $1 and b.enabled))
           and exists (
               select from platform.sys_user_role ur
               join platform.sys_role r on r.id = ur.role_id and r.enabled and r.client_type = 0
               join platform.sys_role_permission rp on rp.role_id = r.id
               join platform.sys_permission p on p.id = rp.permission_id and p.enabled and p.permission_code = $2
               where ur.user_id = u.id)
         order by u.id",
        school_id,
        ListSchools::CODE
    )
    .fetch_all(&mut *run.app().platform_read().await?)
    .await?;
    Ok(ids)
}
