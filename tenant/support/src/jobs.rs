//! What happens to the help centre by itself: articles are published and go offline at their moment, schools' staff hear of replies,
//! questions that were answered long ago are closed, old counts go (part 05 B2, B3).

use chrono::{Duration, Months};
use infra::{
    Change, Error, Part, ReadTx, Result, Tx,
    clock::Moment,
    directory::School,
    jobs::{JobKind, JobRun, Outcome},
    schedule::{Schedule, When},
};
use serde_json::{Value, json};
use support_rules::question::OPEN_DAYS;

use crate::{
    article::{
        self,
        publish::{publish_now, take_offline},
    },
    due::{self, POINTER},
    question::reply::untold,
};

const SCHEDULE: JobKind =
    JobKind { kind: "support.schedule", code: None, run: |run| Box::pin(schedule(run)), headings: None };
const CLOSE: JobKind = JobKind { kind: "support.close", code: None, run: |run| Box::pin(close(run)), headings: None };

pub const PART: Part = Part {
    jobs: &[SCHEDULE, CLOSE],
    schedules: &[
        Schedule { kind: SCHEDULE.kind, title: "帮助文章定时发布和下线", when: When::Every { minutes: 1 } },
        Schedule { kind: CLOSE.kind, title: "关闭已回复的咨询", when: When::Daily { hour: 5, minute: 10 } },
    ],
    ..Part::NONE
};

/// Questions that are closed in one transaction.
const AT_ONCE: i64 = 1000;
/// Reads and searches are counted by days so long.
const KEPT_MONTHS: u32 = 24;

/// Where the work is done: in `platform`, or in a school.
#[derive(Clone, Copy)]
struct Place<'a> {
    run: &'a JobRun,
    school: Option<&'a School>,
}

impl Place<'_> {
    async fn read(self) -> Result<ReadTx> {
        match self.school {
            Some(school) => self.run.read_in(school).await,
            None => self.run.read_platform().await,
        }
    }

    async fn begin(self) -> Result<Tx> {
        match self.school {
            Some(school) => self.run.begin_in(school).await,
            None => self.run.begin_in_platform().await,
        }
    }
}

/// What a run did, and what could not be done.
#[derive(Default)]
struct Done {
    count: usize,
    errors: Vec<Value>,
}

impl Done {
    fn outcome(self) -> Outcome {
        Outcome { message: format!("{}项已办理", self.count), errors: self.errors, ..Outcome::default() }
    }

    /// What fails in `platform` is tried again too.
    fn take(&mut self, done: Result<Self>) {
        match done {
            Ok(done) => {
                self.count += done.count;
                self.errors.extend(done.errors);
            }
            Err(error) => self.errors.push(json!({ "name": "平台", "msg": error.msg })),
        }
    }

    /// A school that fails is tried again, and the others go on.
    fn add(&mut self, school: &School, done: Result<Self>) {
        match done {
            Ok(done) => {
                self.count += done.count;
                self.errors.extend(done.errors);
            }
            Err(error) => self.errors.push(json!({ "id": school.id, "name": school.name, "msg": error.msg })),
        }
    }
}

/// The platform each time, a school when it asked for a look.
async fn schedule(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let now = app.clock().now();
    let mut done = Done::default();
    done.take(on_time(Place { run: &run, school: None }, now).await);
    done.take(tell(&run, now).await);
    let wanted =
        sqlx::query_scalar!("select school_id from platform.support_due where look_at <= $1 order by look_at", now)
            .fetch_all(&mut *run.read_platform().await?)
            .await?;
    for id in wanted {
        let Some(school) = app.school(id).await?.filter(|school| school.is_open() && school.key().is_ok()) else {
            continue;
        };
        done.add(&school, look(&run, &school, now).await);
    }
    Ok(done.outcome())
}

/// Brings what was replied to schools' staff to the outboxes of their schools. Killed in between, the next round tells nobody twice: the
/// key of the event names the reply.
async fn tell(run: &JobRun, now: Moment) -> Result<Done> {
    let mut done = Done::default();
    let waiting = untold(&mut *run.read_platform().await?, now).await?;
    for told in waiting {
        let Some(id) = told.school_id else { continue };
        let Some(school) = run.app().school(id).await?.filter(|school| school.is_open() && school.key().is_ok()) else {
            continue;
        };
        let brought = async {
            let mut tx = run.begin_in(&school).await?;
            told.tell(&mut tx).await?;
            tx.commit_untracked("an event of the outbox").await?;
            told.done(run.begin_in_platform().await?).await?;
            Ok::<_, Error>(Done { count: 1, ..Done::default() })
        };
        done.add(&school, brought.await);
    }
    Ok(done)
}

/// Does what is due in a school, counts its questions, and says when to come again; at once where something failed.
async fn look(run: &JobRun, school: &School, now: Moment) -> Result<Done> {
    let mut tx = run.begin_in_platform().await?;
    sqlx::query!(
        "update platform.support_due set look_at = null where school_id = $1 and look_at <= $2",
        school.id,
        now
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked(POINTER).await?;
    let looked = looked(run, school, now).await;
    let again = looked.as_ref().map_or(Some(now), |(_, next)| *next);
    if let Some(at) = again {
        due::note(run.app(), Some(school.id), at).await?;
    }
    looked.map(|(done, _)| done)
}

async fn looked(run: &JobRun, school: &School, now: Moment) -> Result<(Done, Option<Moment>)> {
    let place = Place { run, school: Some(school) };
    let done = on_time(place, now).await?;
    count(run, school, now).await?;
    let next = sqlx::query_scalar!(
        r#"select min(w.at) as "at?" from (
               select publish_at as at from support_article where publish_at is not null
               union all
               select offline_at from support_article where offline_at is not null) w"#
    )
    .fetch_one(&mut *place.read().await?)
    .await?;
    Ok((done, next))
}

/// Publishes and takes offline what is due at a place, each article for itself.
async fn on_time(place: Place<'_>, now: Moment) -> Result<Done> {
    let due = sqlx::query_scalar!(
        "select id from support_article where publish_at <= $1 or offline_at <= $1 order by coalesce(publish_at, offline_at), id",
        now
    )
    .fetch_all(&mut *place.read().await?)
    .await?;
    let mut done = Done::default();
    for id in due {
        match one(place, id, now).await {
            Ok(true) => done.count += 1,
            // Somebody else did it, or said otherwise meanwhile.
            Ok(false) => {}
            Err(error) if error.code == 500 => return Err(error),
            Err(error) => {
                let title = give_up(place, id, now).await?;
                done.errors.push(json!({ "id": id, "name": title, "msg": error.msg }));
            }
        }
    }
    Ok(done)
}

async fn one(place: Place<'_>, id: i64, now: Moment) -> Result<bool> {
    let mut tx = place.begin().await?;
    // Of two servers one holds the article; the other finds nothing left to do.
    let held = sqlx::query!(
        r#"select publish_at <= $2 as "publish?", offline_at <= $2 as "offline?" from support_article
           where id = $1 for update skip locked"#,
        id,
        now
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(held) = held else { return Ok(false) };
    let before = article::find(&mut tx, id).await?;
    // Of both moments that passed while nothing ran, the later one counts.
    let change = if held.offline == Some(true) {
        take_offline(&mut tx, id, &before).await?
    } else if held.publish == Some(true) {
        publish_now(&mut tx, id, &before).await?
    } else {
        return Ok(false);
    };
    tx.commit(change).await?;
    Ok(true)
}

/// What may not be published at its moment waits for a person.
async fn give_up(place: Place<'_>, id: i64, now: Moment) -> Result<String> {
    let mut tx = place.begin().await?;
    tx.lock("support_article", id).await?;
    let before = article::find(&mut tx, id).await?;
    sqlx::query!(
        "update support_article set publish_at = null, updated_at = now(), updated_by = 0, version = version + 1
         where id = $1 and publish_at <= $2",
        id,
        now
    )
    .execute(&mut *tx)
    .await?;
    let after = article::find(&mut tx, id).await?;
    tx.commit(Change::edited("support_article", id, &before, &after)).await?;
    Ok(before.title)
}

/// Tells the operators how many questions of a school are in each state.
async fn count(run: &JobRun, school: &School, now: Moment) -> Result<()> {
    let rows = sqlx::query!(
        r#"select audience, count(*) filter (where status = 'waiting') as "waiting!",
                  count(*) filter (where status = 'replied') as "replied!",
                  count(*) filter (where status = 'closed') as "closed!"
           from support_question group by audience"#
    )
    .fetch_all(&mut *run.read_in(school).await?)
    .await?;
    let (mut audiences, mut waiting, mut replied, mut closed) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        audiences.push(row.audience);
        waiting.push(row.waiting);
        replied.push(row.replied);
        closed.push(row.closed);
    }
    let mut tx = run.begin_in_platform().await?;
    sqlx::query!(
        "insert into platform.support_count (school_id, audience, waiting, replied, closed, computed_at)
         select $1, w.audience, w.waiting, w.replied, w.closed, $6
         from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as w (audience, waiting, replied, closed)
         on conflict (school_id, audience) do update
         set waiting = excluded.waiting, replied = excluded.replied, closed = excluded.closed, computed_at = excluded.computed_at",
        school.id,
        &audiences,
        &waiting,
        &replied,
        &closed,
        now
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("counts of questions whose own changes are in the trail").await
}

/// Goes over the platform and every open school, each by itself.
async fn close(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let now = app.clock().now();
    let mut done = of_night(Place { run: &run, school: None }, now).await?;
    gone(&run).await?;
    let schools = sqlx::query_scalar!(
        "select id from platform.school
         where deleted_at is null and provision_state = 'ready' and status in ('trial', 'active') order by id"
    )
    .fetch_all(&mut *run.read_platform().await?)
    .await?;
    let total = i64::try_from(schools.len()).map_err(Error::internal)?;
    for (id, before) in schools.into_iter().zip(0..) {
        run.progress("关闭已回复的咨询", before, total).await?;
        let Some(school) = app.school(id).await?.filter(|school| school.is_open() && school.key().is_ok()) else {
            continue;
        };
        let of_school = async {
            let mut done = of_night(Place { run: &run, school: Some(&*school) }, now).await?;
            let looked = look(&run, &school, now).await?;
            done.count += looked.count;
            done.errors.extend(looked.errors);
            Ok::<_, Error>(done)
        };
        done.add(&school, of_school.await);
    }
    Ok(done.outcome())
}

async fn of_night(place: Place<'_>, now: Moment) -> Result<Done> {
    let mut done = Done::default();
    loop {
        let mut tx = place.begin().await?;
        let closed = sqlx::query_scalar!(
            "update support_question set status = 'closed', closed_at = $1, updated_at = now(), updated_by = 0, version = version + 1
             where id in (select id from support_question where status = 'replied' and replied_at < $2
                          order by replied_at limit $3 for update skip locked)
             returning id",
            now,
            now - Duration::days(OPEN_DAYS),
            AT_ONCE
        )
        .fetch_all(&mut *tx)
        .await?;
        let last = closed.len() < usize::try_from(AT_ONCE).map_err(Error::internal)?;
        done.count += closed.len();
        let change = |id| Change::status("support_question", id, "status", "replied", "closed");
        tx.commit_all(closed.into_iter().map(change).collect()).await?;
        if last {
            break;
        }
    }
    let kept = now.date_naive() - Months::new(KEPT_MONTHS);
    let mut tx = place.begin().await?;
    sqlx::query!("delete from support_read where day < $1", kept).execute(&mut *tx).await?;
    sqlx::query!("delete from support_search_miss where day < $1", kept).execute(&mut *tx).await?;
    tx.commit_untracked("counters that nobody asks for any more").await?;
    Ok(done)
}

/// What is said of schools, and what their staff asked, goes with them.
async fn gone(run: &JobRun) -> Result<()> {
    let mut tx = run.begin_in_platform().await?;
    let gone = sqlx::query_scalar!(
        r#"select w.school_id as "school_id!" from (
               select school_id from platform.support_hidden
               union select school_id from platform.support_due
               union select school_id from platform.support_count
               union select school_id from platform.support_question where school_id is not null) w
           where not exists (select from platform.school s where s.id = w.school_id and s.deleted_at is null)"#
    )
    .fetch_all(&mut *tx)
    .await?;
    forget(&mut tx, &gone).await?;
    tx.commit_untracked("what was noted of schools that are gone").await
}

/// # Errors
/// Those of the database.
pub(crate) async fn forget(tx: &mut Tx, schools: &[i64]) -> Result<()> {
    if schools.is_empty() {
        return Ok(());
    }
    sqlx::query!("delete from platform.support_hidden where school_id = any($1)", schools).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.support_due where school_id = any($1)", schools).execute(&mut **tx).await?;
    sqlx::query!("delete from platform.support_count where school_id = any($1)", schools).execute(&mut **tx).await?;
    sqlx::query!(
        "delete from platform.support_reply where question_id in (
             select id from platform.support_question where school_id = any($1))",
        schools
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.support_question where school_id = any($1)", schools).execute(&mut **tx).await?;
    Ok(())
}
