//! 日历订阅: a calendar program reads somebody's lessons under an address that nobody can guess (issue of part 03 B9: an iCalendar address
//! for a person).
//!
//! ```text
//! renew → an address, shown once; the former opens nothing any more      revoke → no address opens anything
//! address ─[calendar: number of the school, key]→ lessons of the last 30 days and of all that lies ahead
//! ```
//! The address alone opens it, without a session: it names the school, whose table knows the hash of the key, and tells lessons, nothing
//! else of anybody. Who left the school has none.

use aws_lc_rs::digest::{SHA256, digest};
use chrono::TimeDelta;
use infra::{
    Allowed, Body, Change, Client, Entity, Error, Part, Public, Reads, Reply, Result, Scope, Tx, Writes, clients,
    clock::Moment,
    pace::Pace,
    permissions, reply,
    transfer::{Feed, Known},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use sqlx::PgConnection;
use timetable_rules::ical::calendar;

use crate::arrange::timetable::{Asked, Whose, entries};

permissions! {
    pages "/schoolPC/examination/arrange/courseArrange";
    // Whoever hands out the address hands out all lessons of the teacher, at whatever site.
    WholeSchool Reads  ViewFeed  = "adult:pc:courseArrange:feed" "课表日历订阅";
    WholeSchool Writes WriteFeed = "adult:pc:courseArrange:feed" "课表日历订阅";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "timetable_feed", name: "课表日历订阅", counted: "个课表日历订阅" }],
    ..Part::NONE
};

clients! {
    /// People with lessons of their own.
    pub LessonClient = "student", "teacher";
}

/// No sign that is taken for another.
const SIGNS: &[u8] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// More than 180 bits.
const KEY_LENGTH: usize = 32;
/// Days of the past that a calendar shows.
const BACK: TimeDelta = TimeDelta::days(30);
/// Days ahead that nothing is arranged beyond.
const AHEAD: TimeDelta = TimeDelta::days(730);
/// A program reads some times an hour.
const OF_ONE: Pace = Pace::per_minute(30);
/// Programs of many people may share the address of a service.
const OF_ADDRESS: Pace = Pace::per_minute(600);
/// Told to whoever acts for somebody: the address would stay theirs.
const NOT_FOR_OTHERS: &str = "代登录只能查看，不能生成或取消订阅";

/// Whose lessons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Person {
    Student(i64),
    Teacher(i64),
}

impl Person {
    fn of(kind: &str, id: i64) -> Self {
        if kind == "teacher" { Self::Teacher(id) } else { Self::Student(id) }
    }

    const fn parts(self) -> (&'static str, i64) {
        match self {
            Self::Student(id) => ("student", id),
            Self::Teacher(id) => ("teacher", id),
        }
    }

    const fn whose(self) -> Whose {
        match self {
            Self::Student(id) => Whose::Student(id),
            Self::Teacher(id) => Whose::Teacher(id),
        }
    }
}

/// Whether somebody's lessons can be read under an address.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CalendarFeed {
    /// 已有订阅地址
    pub active: bool,
    /// 生成时间
    pub renewed_at: Option<Moment>,
}

/// An address that is shown once.
#[derive(Debug, Clone, Object)]
pub struct CalendarAddress {
    /// 订阅地址
    /// 接口网址（/admin/apis）之后的部分；只显示这一次，重新生成后原地址失效
    pub address: String,
}

/// Of which teacher.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct FeedOfTeacher {
    /// 教师
    pub teacher_id: i64,
}

impl Example for FeedOfTeacher {
    fn example() -> Self {
        Self { teacher_id: 1 }
    }
}

/// How an address was taken back.
#[derive(Debug, Clone, Object)]
pub struct FeedRevoked {
    /// 已取消
    pub revoked: bool,
}

pub struct Feeds;

#[OpenApi(tag = "crate::Tag::Timetable")]
impl Feeds {
    /// 教师课表订阅状态
    #[oai(path = "/adult/pc/courseArrange/feed/view", method = "get", operation_id = "viewTeacherFeed")]
    async fn view(
        &self,
        caller: Allowed<ViewFeed>,
        /// 教师
        #[oai(name = "teacherId")]
        teacher_id: Query<i64>,
    ) -> Result<Reply<CalendarFeed>> {
        let mut tx = caller.read().await?;
        known_teacher(&mut tx, teacher_id.0).await?;
        Ok(reply(state(&mut tx, Person::Teacher(teacher_id.0)).await?))
    }

    /// 生成教师课表订阅地址
    /// 原地址失效
    #[oai(path = "/adult/pc/courseArrange/feed/renew", method = "post", operation_id = "renewTeacherFeed")]
    async fn renew(
        &self,
        caller: Allowed<WriteFeed>,
        Body(wanted): Body<FeedOfTeacher>,
    ) -> Result<Reply<CalendarAddress>> {
        let school = caller.school_id().ok_or_else(Error::not_found)?;
        let mut tx = caller.begin().await?;
        known_teacher(&mut tx, wanted.teacher_id).await?;
        let (address, change) = renewed(&mut tx, school, Person::Teacher(wanted.teacher_id)).await?;
        tx.commit(change).await?;
        Ok(reply(CalendarAddress { address }))
    }

    /// 取消教师课表订阅
    #[oai(path = "/adult/pc/courseArrange/feed/revoke", method = "delete", operation_id = "revokeTeacherFeed")]
    async fn revoke(
        &self,
        caller: Allowed<WriteFeed>,
        /// 教师
        #[oai(name = "teacherId")]
        teacher_id: Query<i64>,
    ) -> Result<Reply<FeedRevoked>> {
        let mut tx = caller.begin().await?;
        let change = revoked(&mut tx, Person::Teacher(teacher_id.0)).await?;
        tx.commit(change).await?;
        Ok(reply(FeedRevoked { revoked: true }))
    }

    /// 我的课表订阅状态
    #[oai(path = "/user/client/timetable/feed", method = "get", operation_id = "viewOwnFeed")]
    async fn own(&self, caller: Client<LessonClient, Reads>) -> Result<Reply<CalendarFeed>> {
        let mut tx = caller.read().await?;
        Ok(reply(state(&mut tx, Person::of(&caller.session.kind, caller.session.person_id)).await?))
    }

    /// 生成我的课表订阅地址
    /// 原地址失效
    #[oai(path = "/user/client/timetable/feed", method = "post", operation_id = "renewOwnFeed")]
    async fn renew_own(&self, caller: Client<LessonClient, Writes>) -> Result<Reply<CalendarAddress>> {
        caller.in_person(NOT_FOR_OTHERS)?;
        let mut tx = caller.begin().await?;
        let person = Person::of(&caller.session.kind, caller.session.person_id);
        let (address, change) = renewed(&mut tx, caller.school.id, person).await?;
        tx.commit(change).await?;
        Ok(reply(CalendarAddress { address }))
    }

    /// 取消我的课表订阅
    #[oai(path = "/user/client/timetable/feed", method = "delete", operation_id = "revokeOwnFeed")]
    async fn revoke_own(&self, caller: Client<LessonClient, Writes>) -> Result<Reply<FeedRevoked>> {
        caller.in_person(NOT_FOR_OTHERS)?;
        let mut tx = caller.begin().await?;
        let change = revoked(&mut tx, Person::of(&caller.session.kind, caller.session.person_id)).await?;
        tx.commit(change).await?;
        Ok(reply(FeedRevoked { revoked: true }))
    }

    /// 课表日历
    /// iCalendar，前30天和以后的课次；地址由订阅生成，不需要登录
    #[oai(path = "/user/client/timetable/calendar", method = "get", operation_id = "readCalendar")]
    async fn calendar(
        &self,
        caller: Public<Reads>,
        /// 院校编号
        school: Query<i64>,
        /// 订阅密钥
        #[oai(validator(max_length = 64))]
        key: Query<String>,
        known: Known,
    ) -> Result<Feed> {
        let gone = || Error::new(404, "订阅地址已失效，请重新生成");
        caller.app.in_pace("calendar", &caller.visit.ip, OF_ADDRESS)?;
        caller.app.in_pace("calendar key", &key.0, OF_ONE)?;
        let school = caller.app.school(school.0).await?.filter(|school| school.is_open()).ok_or_else(gone)?;
        let mut tx = caller.read_in(&school).await?;
        let (person, name) = reader(&mut tx, &key.0).await?.ok_or_else(gone)?;
        let now = caller.app.clock().now();
        let today = now.date_naive();
        let days = (today - BACK, today + AHEAD);
        let asked = Asked { whose: person.whose(), days, only_published: true, cancelled: true };
        let lessons = entries(&mut tx, &asked, &Scope::whole_school()).await?;
        let text = calendar(&format!("{name}的课表"), &school.code, today, &lessons);
        Ok(Feed::calendar(text, &known))
    }
}

fn hash(key: &str) -> Vec<u8> {
    digest(&SHA256, key.as_bytes()).as_ref().to_vec()
}

/// # Errors
/// 404 when there is no such teacher, 409 for one who left.
async fn known_teacher(connection: &mut PgConnection, id: i64) -> Result<()> {
    let active = sqlx::query_scalar!(r#"select status = 'active' as "active!" from teacher where id = $1"#, id)
        .fetch_optional(connection)
        .await?
        .ok_or_else(Error::not_found)?;
    if active { Ok(()) } else { Err(Error::conflict("教师已离职或停用，不能订阅课表")) }
}

async fn state(connection: &mut PgConnection, person: Person) -> Result<CalendarFeed> {
    let (kind, id) = person.parts();
    let renewed_at =
        sqlx::query_scalar!("select updated_at from timetable_feed where kind = $1 and person_id = $2", kind, id)
            .fetch_optional(connection)
            .await?;
    Ok(CalendarFeed { active: renewed_at.is_some(), renewed_at })
}

/// Makes an address; the former, if there was one, opens nothing any more.
async fn renewed(tx: &mut Tx, school: i64, person: Person) -> Result<(String, Change)> {
    let key = tx.app().random().text(SIGNS, KEY_LENGTH);
    let ((kind, id), by, hashed) = (person.parts(), tx.by(), hash(&key));
    let feed = sqlx::query_scalar!(
        "insert into timetable_feed (kind, person_id, key_hash, created_by, updated_by) values ($1, $2, $3, $4, $4)
         on conflict (kind, person_id) do update
         set key_hash = excluded.key_hash, updated_at = excluded.updated_at, updated_by = excluded.updated_by,
             version = timetable_feed.version + 1
         returning id",
        kind,
        id,
        hashed.as_slice(),
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    let change = Change::event("timetable_feed", feed, "update", json!({ "kind": kind, "personId": id }));
    let address = format!("/user/client/timetable/calendar?school={school}&key={key}");
    Ok((address, change))
}

/// # Errors
/// 404 when there is none.
async fn revoked(tx: &mut Tx, person: Person) -> Result<Change> {
    let (kind, id) = person.parts();
    let feed =
        sqlx::query_scalar!("delete from timetable_feed where kind = $1 and person_id = $2 returning id", kind, id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(Error::not_found)?;
    Ok(Change::event("timetable_feed", feed, "delete", json!({ "kind": kind, "personId": id })))
}

/// Whose lessons a key opens, with their name; none of who left.
async fn reader(connection: &mut PgConnection, key: &str) -> Result<Option<(Person, String)>> {
    let hashed = hash(key);
    let found = sqlx::query!(
        "select f.kind, f.person_id,
                case f.kind when 'teacher' then (select t.name from teacher t where t.id = f.person_id and t.status = 'active')
                            else (select s.name from student s where s.id = f.person_id and s.active) end as name
         from timetable_feed f where f.key_hash = $1",
        hashed.as_slice()
    )
    .fetch_optional(connection)
    .await?;
    Ok(found.and_then(|row| Some((Person::of(&row.kind, row.person_id), row.name?))))
}
