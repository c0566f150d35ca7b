//! 扫描: every night, and when somebody asks, the facts of students are compared with their cases (part 05 C3, C4). One scan of a school
//! at a time; a part of the students is one transaction; the same facts once more change nothing.

mod apply;

use std::collections::BTreeMap;

use chrono::{Days, NaiveDate};
use infra::{
    Allowed, App, Body, Change, Error, OnConstraint, Part, Reply, Result, Tx,
    audit::Actor,
    clock::Moment,
    directory::School,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    permissions, reply,
    schedule::{Schedule, When},
    tx,
};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;
use sqlx::PgConnection;
use supervision_rules::{
    decide::{Decided, HeldCase, Whom, decide},
    enums::{SuperviseLevel, SuperviseStatus},
    rule::Rule,
};

use self::apply::{Held, Made, apply, held};
use crate::{
    case::filter::SuperviseFilter,
    facts::{Semester, current, facts, students},
    rule::in_force,
    setting::{AUTO_CASE, NOTIFY_MANAGER},
};

permissions! {
    pages "/schoolPC/superVisor/studentSupervisor";
    InSchool Writes ScanCases = "adult:pc:supervise:scan" "重新扫描督学";
}

/// Every night, behind the sums of the day before.
pub(crate) const NIGHTLY: JobKind =
    JobKind { kind: "supervise.scan", code: None, run: |run| Box::pin(nightly(run)), headings: None };
const ASKED: JobKind = JobKind {
    kind: "supervise.scan_some",
    code: Some("adult:pc:supervise:scan"),
    run: |run| Box::pin(some(run)),
    headings: None,
};

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[NIGHTLY, ASKED],
    schedules: &[Schedule {
        kind: NIGHTLY.kind,
        title: "扫描需要督学的学生",
        when: When::Daily { hour: 3, minute: 30 },
    }],
    ..Part::NONE
};

/// Students of one transaction.
const AT_ONCE: usize = 1_000;
/// Students that are scanned while somebody waits.
const DIRECT: usize = 1_000;
/// Students that somebody may ask for at once.
const MOST: usize = 20_000;
/// Minutes after which a scan that got on no further died with its server.
const DEAD_MINUTES: i32 = 5;
/// Days for which scans are kept.
const KEPT_DAYS: i64 = 31;
/// Days for which it is kept how many numbers a manager read.
const KEPT_DAYS_OF_PHONES: u64 = 31;
/// Years for which the days of classes are kept (05 E3).
const KEPT_DAYS_OF_CLASSES: u64 = 5 * 366;

/// What is scanned.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseScanAsked {
    /// 范围
    #[oai(default)]
    pub filter: SuperviseFilter,
    /// 仅试算
    /// 只计算各级别的学生数，不写入
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for SuperviseScanAsked {
    fn example() -> Self {
        Self { filter: SuperviseFilter::default(), dry_run: true }
    }
}

/// What a scan found.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseScanned {
    /// 学生数
    pub students: i64,
    /// 有变化的学生数
    pub done: i64,
    /// 新增案例数
    pub opened: i64,
    /// 黄色
    pub yellow: i64,
    /// 橙色
    pub orange: i64,
    /// 红色
    pub red: i64,
    /// 任务编号
    /// 学生较多时在任务中心进行
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

impl SuperviseScanned {
    fn count(&mut self, level: SuperviseLevel) {
        match level {
            SuperviseLevel::Yellow => self.yellow += 1,
            SuperviseLevel::Orange => self.orange += 1,
            SuperviseLevel::Red => self.red += 1,
        }
    }

    fn told(&self) -> String {
        format!("已扫描{}名学生，{}名有变化，新增{}个案例", self.students, self.done, self.opened)
    }
}

pub struct Scans;

#[OpenApi(prefix_path = "/adult/pc/supervise", tag = "crate::Tag::Supervision")]
impl Scans {
    /// 重新扫描督学
    /// 一次最多20000名学生；同一院校同时只进行一次扫描
    #[oai(path = "/scan", method = "post", operation_id = "scanSuperviseCases")]
    async fn scan(
        &self,
        caller: Allowed<ScanCases>,
        Body(asked): Body<SuperviseScanAsked>,
    ) -> Result<Reply<SuperviseScanned>> {
        let app = caller.app();
        let mut read = caller.read_long().await?;
        let Some(on) = On::of(app, &mut read).await? else {
            return Err(Error::conflict("没有进行中的当前学期，不能扫描"));
        };
        let ids = asked.filter.students(&mut read, &caller.scope(), MOST + 1).await?;
        if ids.len() > MOST {
            return Err(Error::conflict(format!("一次最多扫描{MOST}名学生，请缩小范围")));
        }
        if asked.dry_run {
            let mut found = SuperviseScanned::default();
            for part in ids.chunks(AT_ONCE) {
                look(&mut read, part, &on, &mut found).await?;
            }
            return Ok(reply(SuperviseScanned { done: 0, ..found }));
        }
        drop(read);
        if ids.len() > DIRECT {
            let job = NewJob {
                kind: ASKED.kind,
                target: String::new(),
                title: "重新扫描督学".to_owned(),
                params: json!({ "students": ids }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(SuperviseScanned { job_id, ..SuperviseScanned::default() }));
        }
        let mut tx = caller.begin_long().await?;
        let scan = begin(&mut tx).await?;
        let mut made = Totals::default();
        let mut changes = Vec::new();
        for part in ids.chunks(AT_ONCE) {
            changes.extend(step(&mut tx, part, &on, &mut made).await?);
        }
        tell(&mut tx, scan, &on, &made).await?;
        end(&mut tx, scan, &made.found).await?;
        changes.push(made.change(scan));
        tx.commit_all(changes).await?;
        Ok(reply(made.found))
    }
}

/// What a scan goes by.
struct On {
    semester: Semester,
    rules: Vec<Rule>,
    day: NaiveDate,
    now: Moment,
    opens: bool,
}

impl On {
    /// None where no semester goes on.
    async fn of(app: &App, connection: &mut PgConnection) -> Result<Option<Self>> {
        let Some(semester) = current(&mut *connection).await? else { return Ok(None) };
        let rules = in_force(&mut *connection).await?;
        let opens = AUTO_CASE.is_on(connection).await?;
        let (day, now) = (app.clock().today(), app.clock().now());
        Ok(Some(Self { semester, rules, day, now, opens }))
    }

    fn whom(&self, one: &crate::facts::Whose) -> Whom {
        Whom {
            place: one.place,
            gone: one.gone,
            day: self.day,
            semester_starts: self.semester.starts_on,
            opens: self.opens,
        }
    }
}

/// What a scan did so far, and whom the new cases belong to.
#[derive(Clone, Default)]
struct Totals {
    found: SuperviseScanned,
    /// Class and manager, with the number of new cases.
    assigned: BTreeMap<(i64, i64), i64>,
}

impl Totals {
    fn add(&mut self, made: &Made) {
        self.found.done += made.changed;
        self.found.opened += made.opened;
        for place in &made.assigned {
            *self.assigned.entry(*place).or_insert(0) += 1;
        }
    }

    fn change(&self, scan: i64) -> Change {
        let what = json!({ "students": self.found.students, "changed": self.found.done, "opened": self.found.opened });
        Change::event("supervise_scan", scan, "scanned", what)
    }
}

/// How a case stands after what was decided, as far as it is shown.
fn shown(decided: &Decided, held: Option<&HeldCase>) -> Option<SuperviseLevel> {
    let (status, level, flags) = match (&decided.case, held) {
        (Some(after), _) => (after.status, after.level, after.flag_count),
        (None, Some(held)) => (held.status, held.level, held.flag_count),
        (None, None) => return None,
    };
    (flags > 0 && matches!(status, SuperviseStatus::Open | SuperviseStatus::Following)).then_some(level)
}

/// What would become of students, without writing.
async fn look(connection: &mut PgConnection, ids: &[i64], on: &On, found: &mut SuperviseScanned) -> Result<()> {
    let whose = students(&mut *connection, ids, on.day).await?;
    let facts = facts(&mut *connection, &whose, &on.rules, on.semester, (on.day, on.now)).await?;
    let held = held(connection, ids, on.semester.id).await?;
    for one in &whose {
        let list = facts.get(&one.id).map(Vec::as_slice).unwrap_or_default();
        let case = held.get(&one.id).map(|held| &held.case);
        let decided = decide(&on.whom(one), &on.rules, list, case);
        if let Some(level) = shown(&decided, case) {
            found.count(level);
        }
    }
    found.students += i64::try_from(whose.len()).unwrap_or(i64::MAX);
    Ok(())
}

/// Scans a part of the students; answers which cases stand otherwise, for the trail.
async fn step(tx: &mut Tx, ids: &[i64], on: &On, totals: &mut Totals) -> Result<Vec<Change>> {
    // Whoever changes a case of these waits, and is seen.
    sqlx::query!(
        "select id from supervise_case where semester_id = $1 and student_id = any($2) order by id for update",
        on.semester.id,
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    let whose = students(tx, ids, on.day).await?;
    let facts = facts(tx, &whose, &on.rules, on.semester, (on.day, on.now)).await?;
    let held = held(tx, ids, on.semester.id).await?;
    let mut decided = Vec::with_capacity(whose.len());
    for one in whose {
        let list = facts.get(&one.id).map(Vec::as_slice).unwrap_or_default();
        let held: Option<&Held> = held.get(&one.id);
        let case = held.map(|held| &held.case);
        let steps = decide(&on.whom(&one), &on.rules, list, case);
        if let Some(level) = shown(&steps, case) {
            totals.found.count(level);
        }
        totals.found.students += 1;
        decided.push((one, held, steps));
    }
    let made = apply(tx, on.semester.id, on.now, &decided).await?;
    totals.add(&made);
    Ok(made.changes)
}

/// Begins the one scan that goes on.
///
/// # Errors
/// 409 while another one does.
async fn begin(tx: &mut Tx) -> Result<i64> {
    let running = || Error::conflict("扫描正在进行");
    let (now, name) = (tx.app().clock().now(), tx.actor().name.clone());
    // One that is a single transaction is seen before it ends, too.
    let free = sqlx::query_scalar!(
        r#"select pg_try_advisory_xact_lock(hashtextextended('supervise scan ' || current_schema(), 0)) as "free!""#
    )
    .fetch_one(&mut **tx)
    .await?;
    if !free {
        return Err(running());
    }
    sqlx::query!(
        "update supervise_scan set ended_at = $1
         where ended_at is null and beat_at < $1::timestamptz - make_interval(mins => $2)",
        now as _,
        DEAD_MINUTES
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query_scalar!(
        "insert into supervise_scan (started_at, beat_at, by_name) values ($1, $1, $2) returning id",
        now as _,
        name
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| (name == "supervise_scan_one").then(running))
}

/// Says that a scan gets on.
///
/// # Errors
/// 409 when it was silent for so long that another one took its place.
async fn beat(tx: &mut Tx, scan: i64) -> Result<()> {
    let now = tx.app().clock().now();
    let goes_on =
        sqlx::query!("update supervise_scan set beat_at = $2 where id = $1 and ended_at is null", scan, now as _)
            .execute(&mut **tx)
            .await?;
    if goes_on.rows_affected() == 0 {
        return Err(Error::conflict("扫描中断过久，已由另一次扫描接替"));
    }
    Ok(())
}

async fn end(tx: &mut Tx, scan: i64, found: &SuperviseScanned) -> Result<()> {
    let now = tx.app().clock().now();
    sqlx::query!(
        "update supervise_scan set ended_at = $2, students = $3, changed = $4 where id = $1",
        scan,
        now as _,
        i32::try_from(found.students).unwrap_or(i32::MAX),
        i32::try_from(found.done).unwrap_or(i32::MAX)
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Tells managers of the new cases of their classes.
async fn tell(tx: &mut Tx, scan: i64, on: &On, totals: &Totals) -> Result<()> {
    if totals.assigned.is_empty() || !NOTIFY_MANAGER.is_on(tx).await? {
        return Ok(());
    }
    let classes: Vec<i64> = totals.assigned.keys().map(|(class, _)| *class).collect();
    let names: BTreeMap<i64, String> = sqlx::query!("select id, name from class where id = any($1)", &classes)
        .fetch_all(&mut **tx)
        .await?
        .into_iter()
        .map(|row| (row.id, row.name))
        .collect();
    for ((class, manager), count) in &totals.assigned {
        let name = names.get(class).cloned().unwrap_or_default();
        let key = format!("supervise_assigned:{}:{scan}:{class}", on.semester.id);
        assigned(tx, *manager, (name, *count), &key).await?;
    }
    Ok(())
}

/// Tells a manager of so many new cases of a class; once a `key`.
///
/// # Errors
/// Those of the database.
pub(crate) async fn assigned(tx: &mut Tx, manager: i64, (class, count): (String, i64), key: &str) -> Result<()> {
    let person = Person { kind: PersonKind::ClassManager, id: manager };
    let values = [("className".to_owned(), class), ("count".to_owned(), count.to_string())];
    notify(tx, "supervise_assigned", Persons::Recipients(vec![person]), values.into(), Some(key)).await
}

/// Keeps how many cases of each class go on, as the scan of a night left them.
///
/// # Errors
/// Those of the database.
pub(crate) async fn keep_day(tx: &mut Tx, day: NaiveDate, semester: i64) -> Result<()> {
    sqlx::query!(
        "insert into supervise_day (date, class_id, site_id, yellow, orange, red)
         select $1::date, coalesce(s.class_id, 0), s.site_id,
                (count(*) filter (where c.status in ('open', 'following') and c.level = 'yellow'))::integer,
                (count(*) filter (where c.status in ('open', 'following') and c.level = 'orange'))::integer,
                (count(*) filter (where c.status in ('open', 'following') and c.level = 'red'))::integer
         from supervise_case c join student s on s.id = c.student_id
         where c.semester_id = $2
         group by coalesce(s.class_id, 0), s.site_id
         on conflict (date, class_id, site_id) do update
         set yellow = excluded.yellow, orange = excluded.orange, red = excluded.red",
        day,
        semester
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// Scans students part by part, each in a transaction of its own.
async fn parts(app: &App, school: &School, ids: &[i64], run: Option<&JobRun>) -> Result<SuperviseScanned> {
    let actor = run.map_or_else(|| Actor::system("督学扫描"), |run| run.actor.clone());
    let open = || tx::at_work(app, Some(school), actor.clone());
    let mut tx = open().await?;
    let Some(on) = On::of(app, &mut tx).await? else { return Ok(SuperviseScanned::default()) };
    let scan = begin(&mut tx).await?;
    tx.commit_untracked("which scan goes on is no record that somebody keeps").await?;
    let mut totals = Totals::default();
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let outcome = async {
        for part in ids.chunks(AT_ONCE) {
            if let Some(run) = run {
                run.progress("扫描学生", totals.found.students, total).await?;
            }
            let mut tx = open().await?;
            beat(&mut tx, scan).await?;
            let mut after = totals.clone();
            let changes = step(&mut tx, part, &on, &mut after).await?;
            if changes.is_empty() {
                tx.commit_untracked("measures follow from other rows; no case stands otherwise than before").await?;
            } else {
                tx.commit_all(changes).await?;
            }
            totals = after;
        }
        Ok::<_, Error>(())
    }
    .await;
    let mut tx = open().await?;
    // Also of a scan that came to no end: the next one finds these cases open already.
    tell(&mut tx, scan, &on, &totals).await?;
    // Of everybody alone: whoever asks for a part knows nothing of the rest.
    if outcome.is_ok() && run.is_none() {
        keep_day(&mut tx, on.day, on.semester.id).await?;
    }
    end(&mut tx, scan, &totals.found).await?;
    tx.commit(totals.change(scan)).await?;
    outcome?;
    Ok(totals.found)
}

/// The students that somebody asked for, as far as they may still scan them.
async fn some(run: JobRun) -> Result<Outcome> {
    let school = run.school.clone().ok_or_else(Error::not_found)?;
    let scope = run.scope("adult:pc:supervise:scan").await?;
    let listed = run.params["students"].as_array().map(Vec::as_slice).unwrap_or_default();
    let listed: Vec<i64> = listed.iter().filter_map(serde_json::Value::as_i64).collect();
    let mut read = run.read().await?;
    let ids = sqlx::query_scalar!(
        "select id from student
         where id = any($1) and ($2::bigint[] is null or site_id = any($2) or class_id = any($3::bigint[]))
         order by id",
        &listed,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(&mut *read)
    .await?;
    drop(read);
    let found = parts(run.app(), &school, &ids, Some(&run)).await?;
    Ok(Outcome { message: found.told(), ..Outcome::default() })
}

/// Everybody who studies in a school, and whoever has a case there that goes on.
pub(crate) async fn everybody(app: &App, school: &School) -> Result<SuperviseScanned> {
    let mut read = tx::at_the_server_read_in(app, school).await?;
    let Some(semester) = current(&mut read).await? else { return Ok(SuperviseScanned::default()) };
    let ids = sqlx::query_scalar!(
        "select s.id from student s
         where s.status in ('registered', 'pending_registration', 'expired')
            or exists (select from supervise_case c
                       where c.student_id = s.id and c.semester_id = $1 and c.status <> 'closed')
         order by s.id",
        semester.id
    )
    .fetch_all(&mut *read)
    .await?;
    drop(read);
    parts(app, school, &ids, None).await
}

async fn nightly(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let ids = sqlx::query_scalar!(
        "select id from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') order by id"
    )
    .fetch_all(&mut *app.platform_read().await?)
    .await?;
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let (mut all, mut errors) = (SuperviseScanned::default(), Vec::new());
    for (id, before) in ids.into_iter().zip(0..) {
        run.progress("扫描需要督学的学生", before, total).await?;
        let Some(school) = app.school(id).await?.filter(|school| school.is_open() && school.key().is_ok()) else {
            continue;
        };
        match of_night(&app, &school).await {
            Ok(found) => {
                all.students += found.students;
                all.done += found.done;
                all.opened += found.opened;
            }
            Err(error) => errors.push(json!({ "id": school.id, "name": school.name, "msg": error.msg })),
        }
    }
    Ok(Outcome { message: all.told(), errors, ..Outcome::default() })
}

async fn of_night(app: &App, school: &School) -> Result<SuperviseScanned> {
    let found = everybody(app, school).await?;
    let (now, today) = (app.clock().now(), app.clock().today());
    while closed_with_semester(app, school, now).await? == AT_ONCE {}
    let mut tx = tx::at_work(app, Some(school), Actor::system("督学扫描")).await?;
    sqlx::query!(
        "delete from supervise_scan where ended_at < $1::timestamptz",
        (now - chrono::Duration::days(KEPT_DAYS)) as _
    )
    .execute(&mut *tx)
    .await?;
    let old = today.checked_sub_days(Days::new(KEPT_DAYS_OF_CLASSES)).unwrap_or(today);
    sqlx::query!("delete from supervise_day where date < $1", old).execute(&mut *tx).await?;
    let old = today.checked_sub_days(Days::new(KEPT_DAYS_OF_PHONES)).unwrap_or(today);
    sqlx::query!("delete from supervise_phone_view where day < $1", old).execute(&mut *tx).await?;
    tx.commit_untracked("what is old goes").await?;
    Ok(found)
}

/// Closes cases of semesters that are over, as many as a transaction takes; answers how many.
async fn closed_with_semester(app: &App, school: &School, now: Moment) -> Result<usize> {
    let mut tx = tx::at_work(app, Some(school), Actor::system("督学扫描")).await?;
    let closed = sqlx::query!(
        r#"update supervise_case c
           set status = 'closed', closed_reason = 'semester_end', closed_at = $1, updated_at = now(), updated_by = 0,
               version = c.version + 1
           from (select o.id, o.status from supervise_case o join semester e on e.id = o.semester_id
                 where e.closed_at is not null and o.status <> 'closed'
                 order by o.id limit $2 for update of o) b
           where c.id = b.id
           returning c.id as "id!", b.status as "before!""#,
        now as _,
        i64::try_from(AT_ONCE).unwrap_or(i64::MAX)
    )
    .fetch_all(&mut *tx)
    .await?;
    let changes: Vec<Change> = closed
        .iter()
        .map(|row| Change::status("supervise_case", row.id, "status", row.before.as_str(), "closed"))
        .collect();
    if changes.is_empty() {
        tx.commit_untracked("no semester ended with cases").await?;
    } else {
        tx.commit_all(changes).await?;
    }
    Ok(closed.len())
}
