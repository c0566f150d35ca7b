//! Lists of the operators' area over the data of many schools (00 §3, 05 F).
//!
//! ```text
//! each school ─[Listed::keys]→ its newest keys and its count ─ merged by time ─→ the page's keys ─[Listed::rows]→ rows
//! ```
//!
//! A school is asked in a transaction of its own, as its own role, for five seconds at the most; who does not answer is
//! named in the answer beside those that are closed or being migrated. With a school named the list is that school's.
//! What changes rows of several schools at once is a [`bulk_over_schools`].

mod breaker;
mod keyed;
mod steps;

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    sync::Arc,
    time::Duration,
};

use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream};
use poem_openapi::{
    Object,
    types::{IsObjectType, ParseFromJSON, ToJSON, Type},
};
use sqlx::PgConnection;

use crate::{
    Allowed, App, Error, Page, Paging, Reply, Result, Scope,
    access::{Caller, EachSchool, Permission, choose_school},
    clock::Moment,
    db::Purpose,
    directory::School,
    module::Part,
    reply,
    token::Area,
};

use breaker::Breaker;

pub use keyed::{KeyQuery, Keyed, page_of};
pub(crate) use steps::of_one;
pub use steps::{BulkOfSchools, Item, ItemOfSchool, SchoolResult, bulk_over_schools, bulk_over_schools_with_rows};

pub const PART: Part = Part { enumerations: &[LeftOut::ENUMERATION], ..Part::NONE };

/// Schools that one list goes over at the most (00 §3).
const MOST_SCHOOLS: usize = 200;
/// Rows before the end of the last page that can be asked for (05 F 4).
const DEPTH: i64 = 10_000;
/// Schools that are asked at once for one list (05 F 6).
const AT_ONCE: usize = 8;
const FOR_ONE: Duration = Duration::from_secs(5);
const FOR_ALL: Duration = Duration::from_secs(20);

/// A row with the school whose it is; `(schoolId, id)` names it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OfSchool<T: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync> {
    #[oai(flatten)]
    pub row: T,
    /// 院校编号
    #[oai(skip_serializing_if_is_none)]
    pub school_id: Option<i64>,
    /// 院校
    #[oai(skip_serializing_if_is_none)]
    pub school_name: Option<String>,
}

crate::enumeration! {
    /// Why a school's rows are missing.
    pub enum LeftOut = "noticeReason" {
        Suspended = "suspended" "已停用",
        Archived = "archived" "已归档",
        Migrating = "migrating" "升级中",
        Unavailable = "unavailable" "暂不可用",
        Timeout = "timeout" "查询超时",
    }
}

/// A school of the operator whose rows are missing.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolNotice {
    /// 院校编号
    pub school_id: i64,
    /// 院校
    pub school_name: String,
    /// 原因
    pub reason: LeftOut,
}

/// How many rows of a list are in one state, whichever of them is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
pub struct Segment {
    /// 状态
    pub value: String,
    /// 条数
    pub count: i64,
}

impl Segment {
    /// How many rows are in a state, or in any.
    pub fn total(segments: &[Self], value: Option<&str>) -> i64 {
        let wanted = segments.iter().filter(|segment| value.is_none_or(|value| segment.value == value));
        wanted.map(|segment| segment.count).sum()
    }
}

/// One page of a list over a school's data, or over those of all schools of an operator.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SchoolPage<T: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync> {
    /// 总条数
    pub total_count: i64,
    /// 总页数
    pub total_page: i64,
    /// 当前页
    pub page_current: i64,
    /// 每页条数
    pub page_size: i64,
    /// 列表
    pub list: Vec<OfSchool<T>>,
    /// 未包含的院校
    #[oai(skip_serializing_if_is_empty, default)]
    pub notices: Vec<SchoolNotice>,
    /// 各状态条数
    /// 其他条件与列表相同；未指明院校或列表没有状态时为空
    #[oai(skip_serializing_if_is_empty, default)]
    pub segments: Vec<Segment>,
    /// 未找到的名单
    /// 按名单查询时，名单中没有对应记录的内容
    #[oai(skip_serializing_if_is_empty, default)]
    pub not_found: Vec<String>,
    /// 截至时间
    /// 查询后续页时原样传回，其后新增的记录不再出现
    #[oai(skip_serializing_if_is_none)]
    pub as_of: Option<Moment>,
}

/// By what a row is found again, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    pub id: i64,
    pub created_at: Moment,
    /// Rows of the school that the filter names.
    pub total: i64,
}

/// A list over a school's data.
pub trait Listed: Send + 'static {
    type Filter: Send + Sync + 'static;
    type Row: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync + 'static;

    fn id(row: &Self::Row) -> i64;

    /// How many rows of one school the filter names, and a page of them in the list's own order.
    fn page(
        connection: &mut PgConnection,
        filter: &Self::Filter,
        scope: &Scope,
        paging: Paging,
    ) -> impl Future<Output = Result<(i64, Vec<Self::Row>)>> + Send;

    /// How many rows of one school each state of the list has, the filter's own state left out; nothing where the list has
    /// no states.
    fn segments(
        _connection: &mut PgConnection,
        _filter: &Self::Filter,
        _scope: &Scope,
    ) -> impl Future<Output = Result<Vec<Segment>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// [`page`](Self::page) and [`segments`](Self::segments); a list whose rows are costly to count counts them once for both.
    fn page_with_segments(
        connection: &mut PgConnection,
        filter: &Self::Filter,
        scope: &Scope,
        paging: Paging,
    ) -> impl Future<Output = Result<(i64, Vec<Self::Row>, Vec<Segment>)>> + Send {
        async move {
            let (total, rows) = Self::page(&mut *connection, filter, scope, paging).await?;
            Ok((total, rows, Self::segments(connection, filter, scope).await?))
        }
    }

    /// What of the names and numbers that the filter brings (`among`) names no row of the school within the scope.
    fn not_found(
        _connection: &mut PgConnection,
        _filter: &Self::Filter,
        _scope: &Scope,
    ) -> impl Future<Output = Result<Vec<String>>> + Send {
        async { Ok(Vec::new()) }
    }

    /// The newest `most` keys of the rows that the filter names and that are no younger than `until`, newest first, then
    /// by id.
    fn keys(
        connection: &mut PgConnection,
        filter: &Self::Filter,
        scope: &Scope,
        until: Moment,
        most: i64,
    ) -> impl Future<Output = Result<Vec<Key>>> + Send;

    /// Rows of one school by their ids, in any order.
    fn rows(connection: &mut PgConnection, ids: &[i64]) -> impl Future<Output = Result<Vec<Self::Row>>> + Send;
}

/// The body of a `list` operation of both areas. Over schools the order is fixed, newest first: a `sortField` is left aside (05 F 10).
///
/// # Errors
/// 422 at `schoolId` above 200 schools, at `pageCurrent` beyond 10,000 rows of a list over schools.
pub fn list<L: Listed, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    paging: Paging,
    filter: L::Filter,
) -> BoxFuture<'_, Result<Reply<SchoolPage<L::Row>>>> {
    listed::<L, P>(caller, paging, filter).boxed()
}

async fn listed<L: Listed, P: Permission<Realm = EachSchool>>(
    caller: &Allowed<P>,
    paging: Paging,
    filter: L::Filter,
) -> Result<Reply<SchoolPage<L::Row>>> {
    let Some(school) = &caller.school else {
        return Ok(reply(over_all::<L>(caller.caller(), Arc::new(filter), caller.scope(), paging).await?));
    };
    let mut tx = caller.read().await?;
    let (total, rows, segments) = L::page_with_segments(&mut tx, &filter, &caller.scope(), paging).await?;
    let not_found = L::not_found(&mut tx, &filter, &caller.scope()).await?;
    // Inside a school nobody needs to be told whose the rows are.
    let whose = (caller.session.area == Area::Platform).then_some(school.as_ref());
    let list = rows.into_iter().map(|row| of(row, whose)).collect();
    Ok(reply(SchoolPage { segments, not_found, ..answer(paging, total, list) }))
}

fn of<T: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync>(row: T, whose: Option<&School>) -> OfSchool<T> {
    OfSchool { row, school_id: whose.map(|school| school.id), school_name: whose.map(School::shown_name) }
}

fn answer<T: Type + IsObjectType + ParseFromJSON + ToJSON + Send + Sync>(
    paging: Paging,
    total: i64,
    list: Vec<OfSchool<T>>,
) -> SchoolPage<T> {
    let Page { total_count, total_page, page_current, page_size, list, .. } = paging.page(total, list);
    SchoolPage {
        total_count,
        total_page,
        page_current,
        page_size,
        list,
        notices: Vec::new(),
        segments: Vec::new(),
        not_found: Vec::new(),
        as_of: None,
    }
}

async fn over_all<L: Listed>(
    caller: &Caller,
    filter: Arc<L::Filter>,
    scope: Scope,
    paging: Paging,
) -> Result<SchoolPage<L::Row>> {
    let most = paging.offset() + paging.limit();
    if most > DEPTH {
        return Err(Error::field("pageCurrent", "请缩小查询范围或选择院校"));
    }
    let breaker = caller.app().of_room(|_| Breaker::default());
    let _place = breaker.enter(caller.user_id())?;
    let ends = tokio::time::Instant::now() + FOR_ALL;
    let asked = ask_each(caller, &breaker, ends, move |connection, until| {
        let (filter, scope) = (filter.clone(), scope.clone());
        Box::pin(async move { L::keys(connection, &filter, &scope, until, most).await })
    });
    let Asked { answers, mut notices, until, now } = asked.await?;
    let by_id: HashMap<i64, Arc<School>> = answers.iter().map(|(school, _)| (school.id, school.clone())).collect();
    let mut total = 0;
    let mut keys = Vec::new();
    for (school, found) in answers {
        total += found.first().map_or(0, |key| key.total);
        keys.extend(found.into_iter().map(|key| (school.id, key)));
    }
    keys.sort_by_key(|(school, key)| (std::cmp::Reverse(key.created_at), *school, key.id));

    let mut wanted: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let offset = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
    let limit = usize::try_from(paging.limit()).unwrap_or(usize::MAX);
    let page: Vec<(i64, i64)> =
        keys.into_iter().skip(offset).take(limit).map(|(school, key)| (school, key.id)).collect();
    for (school, id) in &page {
        wanted.entry(*school).or_default().push(*id);
    }
    let mut rows: HashMap<(i64, i64), L::Row> = HashMap::new();
    let mut fetched = stream::iter(wanted.into_iter().map(|(id, ids)| {
        let school = by_id[&id].clone();
        async move {
            let found = read_with_deadline(&school, ends, async {
                let mut tx = caller.app().db().in_school(school.key()?, Purpose::AcrossSchools).await?;
                L::rows(&mut tx, &ids).await
            });
            let found = found.await;
            (school, found)
        }
    }))
    .buffer_unordered(AT_ONCE);
    while let Some((school, found)) = fetched.next().await {
        match found {
            Ok(found) => rows.extend(found.into_iter().map(|row| ((school.id, L::id(&row)), row))),
            Err(reason) => {
                breaker.failed(school.id, reason, now);
                notices.push(notice(&school, reason));
            }
        }
    }
    drop(fetched);
    let list = page
        .into_iter()
        .filter_map(|(school, id)| Some(of(rows.remove(&(school, id))?, by_id.get(&school).map(Arc::as_ref))))
        .collect();
    notices.sort_by_key(|notice| notice.school_id);
    Ok(SchoolPage { notices, as_of: Some(until), ..answer(paging, total, list) })
}

/// What the schools of an operator answer to one question.
struct Asked<T> {
    answers: Vec<(Arc<School>, T)>,
    notices: Vec<SchoolNotice>,
    /// Rows that are younger do not count.
    until: Moment,
    now: Moment,
}

/// Asks every school of an operator that is not resting; who does not answer in time is noticed.
async fn ask_each<T, F>(caller: &Caller, breaker: &Breaker, ends: tokio::time::Instant, question: F) -> Result<Asked<T>>
where
    T: Send,
    F: for<'c> Fn(&'c mut PgConnection, Moment) -> BoxFuture<'c, Result<T>> + Send + Sync,
{
    let now = caller.app().clock().now();
    let OwnSchools { schools, mut notices, read_at } = own_schools(caller.app(), caller.user_id()).await?;
    let (resting, schools): (Vec<_>, Vec<_>) = schools.into_iter().partition(|school| breaker.is_open(school.id, now));
    notices.extend(resting.iter().map(|school| notice(school, LeftOut::Unavailable)));
    if schools.len() > MOST_SCHOOLS {
        return Err(choose_school());
    }
    let until = caller.until().unwrap_or(read_at);
    let question = &question;
    let mut asked = stream::iter(schools.into_iter().map(|school| async move {
        let found = read_with_deadline(&school, ends, async {
            let mut tx = caller.app().db().in_school(school.key()?, Purpose::AcrossSchools).await?;
            question(&mut tx, until).await
        });
        let found = found.await;
        (school, found)
    }))
    .buffer_unordered(AT_ONCE);
    let mut answers = Vec::new();
    while let Some((school, found)) = asked.next().await {
        match found {
            Ok(found) => {
                breaker.answered(school.id);
                answers.push((school, found));
            }
            Err(reason) => {
                breaker.failed(school.id, reason, now);
                notices.push(notice(&school, reason));
            }
        }
    }
    drop(asked);
    Ok(Asked { answers, notices, until, now })
}

/// What each school of an operator answers, by its code, and who does not: for figures beside a list over schools.
///
/// # Errors
/// 422 at `schoolId` above 200 schools; 403 from inside a school.
pub async fn each<T, P, F>(caller: &Allowed<P>, question: F) -> Result<(Vec<(Arc<School>, T)>, Vec<SchoolNotice>)>
where
    T: Send,
    P: Permission<Realm = EachSchool>,
    F: for<'c> Fn(&'c mut PgConnection) -> BoxFuture<'c, Result<T>> + Send + Sync,
{
    if caller.session.area != Area::Platform {
        return Err(Error::forbidden());
    }
    let breaker = caller.app().of_room(|_| Breaker::default());
    let _place = breaker.enter(caller.user_id())?;
    let ends = tokio::time::Instant::now() + FOR_ALL;
    let asked = ask_each(caller.caller(), &breaker, ends, |connection, _| question(connection)).await?;
    let Asked { mut answers, mut notices, .. } = asked;
    answers.sort_by(|(a, _), (b, _)| a.code.cmp(&b.code));
    notices.sort_by_key(|notice| notice.school_id);
    Ok((answers, notices))
}

pub(crate) fn notice(school: &School, reason: LeftOut) -> SchoolNotice {
    SchoolNotice { school_id: school.id, school_name: school.shown_name(), reason }
}

/// The schools of an operator that can be asked, by their codes, and those that cannot.
pub(crate) struct OwnSchools {
    pub(crate) schools: Vec<Arc<School>>,
    pub(crate) notices: Vec<SchoolNotice>,
    /// The database's time, by which rows are created.
    read_at: Moment,
}

pub(crate) async fn own_schools(app: &App, user_id: i64) -> Result<OwnSchools> {
    let mut platform = app.platform_read().await?;
    let known = sqlx::query!(
        r#"select s.id, s.provision_state = 'ready' as "ready!", clock_timestamp() as "now!"
           from platform.school s
           join platform.sys_user u on u.id = $1
           where s.deleted_at is null
             and (u.school_scope = 'all' or exists (
                  select from platform.sys_user_school b where b.user_id = u.id and b.school_id = s.id and b.enabled))
           order by s.code"#,
        user_id
    )
    .fetch_all(&mut *platform)
    .await?;
    drop(platform);
    let read_at = known.first().map_or_else(|| app.clock().now(), |row| row.now);
    let mut own = OwnSchools { schools: Vec::new(), notices: Vec::new(), read_at };
    for row in known {
        // A school that is being opened has no rows yet.
        let Some(school) = app.school(row.id).await?.filter(|_| row.ready) else { continue };
        let reason = match school.status.as_str() {
            "suspended" => Some(LeftOut::Suspended),
            _ if !school.is_open() => Some(LeftOut::Archived),
            _ if school.key().is_err() => Some(LeftOut::Migrating),
            _ => None,
        };
        match reason {
            Some(reason) => own.notices.push(notice(&school, reason)),
            None => own.schools.push(school),
        }
    }
    Ok(own)
}

/// What one school answers, if it does in time.
async fn read_with_deadline<T>(
    school: &School,
    ends: tokio::time::Instant,
    asked: impl Future<Output = Result<T>>,
) -> std::result::Result<T, LeftOut> {
    let by = ends.min(tokio::time::Instant::now() + FOR_ONE);
    match tokio::time::timeout_at(by, asked).await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => {
            tracing::warn!(school = school.id, %error, "a school did not answer its part of a list");
            Err(LeftOut::Unavailable)
        }
        Err(_) => Err(LeftOut::Timeout),
    }
}
