//! 提醒: a student is told in one message what they are behind with, by the channels that somebody chose (part 05 C4). Nobody is told
//! twice within some hours, and nobody at night: what is asked for then waits for the morning.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::NaiveDate;
use infra::{
    Allowed, App, Body, BulkFailure, Change, Entity, Error, Page, Paged, Part, Reply, Result, Scope, Tx,
    access::Caller,
    clock::{Moment, day_began, day_ended, next_within},
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    permissions, reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use scenes::{
    Person, PersonKind, Persons, Telling,
    enums::Channel,
    notify_so, switch,
    template::{self, Values},
};
use serde_json::json;
use settings::sensitive;
use sqlx::{PgConnection, types::Uuid};
use student_status::student::check::NOT_YOURS;
use supervision_rules::{
    enums::SuperviseKind,
    lines::{Told, lines},
};

use crate::{
    case::filter::{SuperviseFilter, of_cases},
    setting::{REMIND_GAP, REMIND_HOURS},
};

permissions! {
    pages "/schoolPC/superVisor/studentSupervisor";
    InSchool Writes RemindStudents = "adult:pc:supervise:remind" "督学提醒";
    InSchool Reads  LookAhead      = "adult:pc:supervise:remind" "督学提醒";
    InSchool Reads  ListReminders  = "adult:pc:supervise:list" "督学案例列表";
}

const CODE: &str = "adult:pc:supervise:remind";
const JOB: JobKind =
    JobKind { kind: "supervise.remind", code: Some(CODE), run: |run| Box::pin(work(run)), headings: None };

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "supervise_remind", name: "督学提醒", counted: "次督学提醒" }],
    jobs: &[JOB],
    ..Part::NONE
};

const SCENE: &str = "supervise_reminder";
/// Of whoever sends a text in spite of the sensitive words in it (05 D6).
const SEND: &str = "user:pc:msg:send";
/// Students that one call reminds, and those that it reminds while somebody waits.
const MOST: usize = 20_000;
const DIRECT: usize = 1_000;
/// Students of one transaction.
const AT_ONCE: usize = 500;

/// Whom, of what and how.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SuperviseRemindAsked {
    /// 案例
    /// 不填时为筛选出的全部
    #[oai(validator(min_items = 1, max_items = 20000))]
    pub ids: Option<Vec<i64>>,
    /// 筛选条件
    #[oai(default)]
    pub filter: SuperviseFilter,
    /// 预警类型
    /// 不填时为全部
    #[oai(default, validator(max_items = 20))]
    pub kinds: Vec<SuperviseKind>,
    /// 发送通道
    /// 不填时为该场景已开通的全部通道
    #[oai(default, validator(max_items = 5))]
    pub channels: Vec<Channel>,
    /// 附言
    #[oai(validator(max_length = 100))]
    pub text: Option<String>,
    /// 仍然发送
    /// 附言包含敏感词时仍然发送，需要发送消息的权限
    #[oai(default)]
    pub force: bool,
}

impl Example for SuperviseRemindAsked {
    fn example() -> Self {
        Self { ids: Some(vec![1]), channels: vec![Channel::InApp], ..Self::default() }
    }
}

/// What came of it.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseReminded {
    /// 已提醒人数
    pub done: i64,
    /// 未提醒
    pub failed: Vec<BulkFailure>,
    /// 发送时间
    /// 不在提醒时段时，到时段开始再发送
    pub sent_at: Option<Moment>,
    /// 任务编号
    /// 人数较多时在任务中心进行
    #[oai(skip_serializing_if_is_none)]
    pub job_id: Option<i64>,
}

/// How many a channel reaches.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseReach {
    /// 发送通道
    pub channel: Channel,
    /// 可达人数
    pub reachable: i64,
}

/// Why how many are not told.
#[derive(Debug, Clone, Object)]
pub struct SuperviseSkipped {
    /// 原因
    pub reason: String,
    /// 人数
    pub count: i64,
}

/// What a reminder would be.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseRemindPreview {
    /// 人数
    pub students: i64,
    /// 可提醒人数
    pub sends: i64,
    /// 各通道可达人数
    pub channels: Vec<SuperviseReach>,
    /// 跳过
    pub skipped: Vec<SuperviseSkipped>,
    /// 发送时间
    pub sent_at: Moment,
    /// 示例姓名
    pub sample_name: Option<String>,
    /// 示例内容
    pub sample_text: Option<String>,
}

/// A reminder, as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseReminder {
    /// 编号
    pub id: i64,
    /// 案例编号
    pub case_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 预警类型
    pub kinds: Vec<SuperviseKind>,
    /// 发送通道
    pub channels: Vec<Channel>,
    /// 提醒内容
    pub lines: String,
    /// 提醒时间
    pub reminded_at: Moment,
    /// 提醒人
    pub by_name: String,
}

/// What a list of reminders asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SuperviseReminderFilter {
    /// 提醒时间起
    pub from: Option<NaiveDate>,
    /// 提醒时间止
    pub to: Option<NaiveDate>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 案例
    pub case_id: Option<i64>,
    /// 提醒人
    #[oai(validator(max_length = 50))]
    pub by_name: Option<String>,
}

pub struct Reminders;

#[OpenApi(prefix_path = "/adult/pc/supervise/remind", tag = "crate::Tag::Supervision")]
impl Reminders {
    /// 预览督学提醒
    #[oai(path = "/preview", method = "post", operation_id = "previewSuperviseReminder")]
    async fn preview(
        &self,
        caller: Allowed<LookAhead>,
        Body(asked): Body<SuperviseRemindAsked>,
    ) -> Result<Reply<SuperviseRemindPreview>> {
        let app = caller.app();
        let offered = channels(app, caller.school_id()).await?;
        let mut tx = caller.read_long().await?;
        let (ids, beyond) = meant(&mut tx, &asked, &caller.scope(), app.clock().today()).await?;
        let mut skipped: BTreeMap<String, i64> = BTreeMap::new();
        if !beyond.is_empty() {
            skipped.insert(NOT_YOURS.to_owned(), i64::try_from(beyond.len()).unwrap_or(i64::MAX));
        }
        let telling = Telling { channels: chosen(&offered, &asked.channels), not_before: None };
        let terms = Terms::of(&mut tx, &asked, telling, app.clock().now()).await?;
        let mut reach: Vec<(Channel, i64)> = terms.telling.channels.iter().map(|channel| (*channel, 0)).collect();
        let mut sends = 0;
        let mut sample = None;
        for part in ids.chunks(AT_ONCE) {
            for one in ready(&mut tx, part, &terms).await? {
                match one.refused {
                    Some(reason) => *skipped.entry(reason).or_insert(0) += 1,
                    None => {
                        sends += 1;
                        for (channel, count) in &mut reach {
                            *count += i64::from(one.reached.contains(channel));
                        }
                        sample.get_or_insert(one);
                    }
                }
            }
        }
        let students = sends + skipped.values().sum::<i64>();
        let sample_text = match &sample {
            Some(one) => Some(shown(app, one).await?),
            None => None,
        };
        Ok(reply(SuperviseRemindPreview {
            students,
            sends,
            channels: reach.into_iter().map(|(channel, reachable)| SuperviseReach { channel, reachable }).collect(),
            skipped: skipped.into_iter().map(|(reason, count)| SuperviseSkipped { reason, count }).collect(),
            sent_at: terms.sent_at,
            sample_name: sample.map(|one| one.name),
            sample_text,
        }))
    }

    /// 督学提醒记录
    #[oai(path = "/list", method = "post", operation_id = "listSuperviseReminders")]
    async fn list(
        &self,
        caller: Allowed<ListReminders>,
        Body(asked): Body<Paged<SuperviseReminderFilter>>,
    ) -> Result<Reply<Page<SuperviseReminder>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter, &scope).await?;
        let list = select(&mut tx, &filter, &scope, (paging.limit(), paging.offset())).await?;
        Ok(reply(paging.page(total, list)))
    }
}

pub struct Reminding;

#[OpenApi(prefix_path = "/adult/pc/supervise", tag = "crate::Tag::Supervision")]
impl Reminding {
    /// 发送督学提醒
    /// 每名学生一条，一次最多20000人
    #[oai(path = "/remind", method = "post", operation_id = "remindSuperviseStudents")]
    async fn remind(
        &self,
        caller: Allowed<RemindStudents>,
        Body(asked): Body<SuperviseRemindAsked>,
    ) -> Result<Reply<SuperviseReminded>> {
        let app = caller.app();
        screened(caller.caller(), &asked, &caller.scope()).await?;
        let offered = channels(app, caller.school_id()).await?;
        let mut read = caller.read_long().await?;
        let (ids, beyond) = meant(&mut read, &asked, &caller.scope(), app.clock().today()).await?;
        drop(read);
        if ids.len() > DIRECT {
            let job = NewJob {
                kind: JOB.kind,
                target: caller.user_id().to_string(),
                title: "发送督学提醒".to_owned(),
                params: json!({ "asked": asked.to_json() }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(SuperviseReminded { job_id, ..SuperviseReminded::default() }));
        }
        let telling = Telling { channels: chosen(&offered, &asked.channels), not_before: None };
        let mut tx = caller.begin_long().await?;
        let batch = app.random().uuid();
        let (mut told, changes) = send(&mut tx, &ids, &asked, (batch, telling)).await?;
        told.failed.extend(unseen(beyond));
        tx.commit_all(changes).await?;
        Ok(reply(told))
    }
}

/// Warns of sensitive words in what somebody adds; who sends it in spite of them is in the log with the words.
///
/// # Errors
/// 422 with sensitive words unless the call says that it is meant, and 403 then for whoever may send no messages, or not to all whom
/// they may remind.
async fn screened(caller: &Caller, asked: &SuperviseRemindAsked, scope: &Scope) -> Result<()> {
    let Some(text) = &asked.text else { return Ok(()) };
    let words = sensitive::met(caller.app(), text).await?;
    if words.is_empty() {
        return Ok(());
    }
    let told = words.join("、");
    if !asked.force {
        let told = format!("附言包含敏感词：{told}，请修改；确认无误可以仍然发送");
        return Err(Error::refused(told).with_data(json!({ "words": words })));
    }
    let Some(sends) = caller.rights().get(SEND) else {
        return Err(Error::new(403, format!("附言包含敏感词：{told}，仍然发送需要发送消息的权限")));
    };
    if !sends.covers(scope) {
        let narrower = "您的发送消息权限只包含部分站点或班级，请修改附言，或由权限包含全部范围的人员发送";
        return Err(Error::new(403, format!("附言包含敏感词：{told}，{narrower}")));
    }
    caller.note("sensitiveWords", words);
    Ok(())
}

/// The channels by which the scene tells students of a school.
///
/// # Errors
/// Those of the database.
pub(crate) async fn channels(app: &App, school: Option<i64>) -> Result<Vec<Channel>> {
    let mut platform = app.platform_read().await?;
    let scene = sqlx::query_scalar!("select id from platform.psd_info where scene_code = $1 and enabled", SCENE)
        .fetch_optional(&mut *platform)
        .await?;
    let Some(scene) = scene else { return Ok(Vec::new()) };
    let on = switch::channels_on(&mut platform, scene, school).await?;
    let written = sqlx::query_scalar!("select channel from platform.psd_conf where scene_id = $1 and enabled", scene)
        .fetch_all(&mut *platform)
        .await?;
    Ok(on.into_iter().filter(|channel| written.iter().any(|word| word == channel.as_str())).collect())
}

fn chosen(offered: &[Channel], wanted: &[Channel]) -> Vec<Channel> {
    offered.iter().copied().filter(|channel| wanted.is_empty() || wanted.contains(channel)).collect()
}

/// The cases within the scope that are meant, in order, and those that were named and lie beyond it.
///
/// # Errors
/// 409 for more than one call reminds.
async fn meant(
    connection: &mut PgConnection,
    asked: &SuperviseRemindAsked,
    scope: &Scope,
    today: NaiveDate,
) -> Result<(Vec<i64>, Vec<i64>)> {
    let mut beyond = Vec::new();
    let ids = match &asked.ids {
        Some(ids) => {
            let mut named = ids.clone();
            named.sort_unstable();
            named.dedup();
            let found = sqlx::query_scalar!(
                "select c.id from supervise_case c join student s on s.id = c.student_id
                 where c.id = any($1) and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))
                 order by c.id",
                &named,
                scope.sites(),
                scope.classes()
            )
            .fetch_all(connection)
            .await?;
            beyond = named.into_iter().filter(|id| found.binary_search(id).is_err()).collect();
            found
        }
        None => {
            let wanted = asked.filter.wanted(&mut *connection, scope, today).await?;
            let rows = of_cases!(query_scalar []
                [r#"select c.id from supervise_case c join student s on s.id = c.student_id
                    left join class k on k.id = s.class_id"#]
                wanted
                [+ " order by c.id limit $17"],
                i64::try_from(MOST + 1).unwrap_or(i64::MAX));
            rows.fetch_all(connection).await?
        }
    };
    if ids.len() > MOST {
        return Err(Error::conflict(format!("一次最多提醒{MOST}名学生，请缩小范围")));
    }
    Ok((ids, beyond))
}

/// The rows of cases that lie beyond the scope: their names are not told.
fn unseen(beyond: Vec<i64>) -> impl Iterator<Item = BulkFailure> {
    beyond.into_iter().map(|id| BulkFailure { id, name: String::new(), msg: NOT_YOURS.to_owned() })
}

/// By what reminders go.
struct Terms {
    telling: Telling,
    kinds: Vec<&'static str>,
    text: Option<String>,
    now: Moment,
    /// Within so many hours nobody is told again.
    gap: i64,
    sent_at: Moment,
}

impl Terms {
    async fn of(
        connection: &mut PgConnection,
        asked: &SuperviseRemindAsked,
        telling: Telling,
        now: Moment,
    ) -> Result<Self> {
        let gap = REMIND_GAP.number(&mut *connection).await?;
        let hours = REMIND_HOURS.value(connection).await?;
        let sent_at = next_within(hours.as_str().unwrap_or_default(), now);
        let text = asked.text.as_deref().map(str::trim).filter(|text| !text.is_empty());
        Ok(Self {
            telling: Telling { not_before: (sent_at > now).then_some(sent_at), ..telling },
            kinds: asked.kinds.iter().map(|kind| kind.as_str()).collect(),
            text: text.map(ToOwned::to_owned),
            now,
            gap,
            sent_at,
        })
    }
}

/// A student as they would be told.
struct Ready {
    case: i64,
    student: i64,
    name: String,
    class_name: String,
    manager_name: String,
    phone: String,
    kinds: Vec<String>,
    lines: String,
    reached: Vec<Channel>,
    /// Why they are not.
    refused: Option<String>,
}

impl Ready {
    fn values(&self) -> Values {
        [
            ("className", self.class_name.clone()),
            ("managerName", self.manager_name.clone()),
            ("managerPhone", self.phone.clone()),
            ("lines", self.lines.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}

/// What each of these cases is told, or why not.
async fn ready(connection: &mut PgConnection, ids: &[i64], terms: &Terms) -> Result<Vec<Ready>> {
    let cases = sqlx::query!(
        r#"select c.id as "id!", s.id as "student!", s.name as "name!", coalesce(k.name, '') as "class_name!",
                  coalesce(m.name, '班主任') as "manager_name!", coalesce(t.phone, '') as "phone!",
                  s.phone is not null as "has_phone!", s.email is not null as "has_mail!",
                  a.id is not null as "has_account!", coalesce(a.wechat_open_id, '') <> '' as "has_wechat!",
                  c.status <> 'closed' and s.status in ('registered', 'pending_registration', 'expired') as "supervised!",
                  exists (select from supervise_remind r join supervise_case o on o.id = r.case_id
                          where o.student_id = c.student_id
                            and r.reminded_at > $2::timestamptz - make_interval(hours => $3::integer)) as "told!"
           from supervise_case c
           join student s on s.id = c.student_id
           join site t on t.id = s.site_id
           left join class k on k.id = s.class_id
           left join class_manager m
                on m.id = case when c.class_id is not distinct from s.class_id then c.manager_id else k.manager_id end
           left join client_account a on a.owner_kind = 'student' and a.owner_id = s.id and a.enabled
           where c.id = any($1) order by c.id"#,
        ids,
        terms.now as _,
        i32::try_from(terms.gap).unwrap_or(24)
    )
    .fetch_all(&mut *connection)
    .await?;
    let rows = sqlx::query!(
        r#"select case_id, kind as "kind: SuperviseKind", title, value, expected, lack from supervise_flag
           where case_id = any($1) and cleared_at is null and not muted
             and (cardinality($2::text[]) = 0 or kind = any($2))
           order by case_id, id"#,
        ids,
        &terms.kinds as _
    )
    .fetch_all(connection)
    .await?;
    let mut flags: HashMap<i64, Vec<Told>> = HashMap::new();
    for row in rows {
        let told = Told { kind: row.kind, title: row.title, value: row.value, expected: row.expected, lack: row.lack };
        flags.entry(row.case_id).or_default().push(told);
    }
    let mut meant = HashSet::new();
    let ready = cases.into_iter().map(|row| {
        let told = flags.remove(&row.id).unwrap_or_default();
        let reaches = |channel: &Channel| match channel {
            Channel::InApp | Channel::AppPush => row.has_account,
            Channel::Sms => row.has_phone,
            Channel::Wechat => row.has_wechat,
            Channel::Mail => row.has_mail,
        };
        let reached: Vec<Channel> = terms.telling.channels.iter().copied().filter(reaches).collect();
        let refused = if row.told {
            Some(format!("{}小时内已提醒", terms.gap))
        } else if told.is_empty() || !row.supervised {
            Some("该生没有预警".to_owned())
        } else if reached.is_empty() {
            Some("无可用联系方式".to_owned())
        } else if !meant.insert(row.student) {
            // With a case of another semester, of which they are told in this call.
            Some(format!("{}小时内已提醒", terms.gap))
        } else {
            None
        };
        let mut kinds: Vec<String> = told.iter().map(|flag| flag.kind.as_str().to_owned()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let mut said = lines(&told);
        said.extend(terms.text.clone());
        Ready {
            case: row.id,
            student: row.student,
            name: row.name,
            class_name: row.class_name,
            manager_name: row.manager_name,
            phone: row.phone,
            kinds,
            lines: said.join("；"),
            reached,
            refused,
        }
    });
    Ok(ready.collect())
}

/// What the inbox would show.
async fn shown(app: &App, one: &Ready) -> Result<String> {
    let written = sqlx::query!(
        "select c.title, c.content from platform.psd_conf c join platform.psd_info i on i.id = c.scene_id
         where i.scene_code = $1 and c.channel = 'in_app' and c.enabled",
        SCENE
    )
    .fetch_optional(&mut *app.platform_read().await?)
    .await?;
    let Some(written) = written else { return Ok(one.lines.clone()) };
    let mut values = one.values();
    values.insert("name".to_owned(), one.name.clone());
    Ok(template::rendered(Channel::InApp, &written.title, &written.content, &values)?.content)
}

/// Tells these students, each once; answers who was not told, and why.
async fn send(
    tx: &mut Tx,
    ids: &[i64],
    asked: &SuperviseRemindAsked,
    (batch, telling): (Uuid, Telling),
) -> Result<(SuperviseReminded, Vec<Change>)> {
    let now = tx.app().clock().now();
    let terms = Terms::of(tx, asked, telling, now).await?;
    let mut told = SuperviseReminded { sent_at: Some(terms.sent_at), ..SuperviseReminded::default() };
    let mut changes = Vec::new();
    for part in ids.chunks(AT_ONCE) {
        // Of two who remind the same student, the second finds that it was done.
        sqlx::query!("select id from supervise_case where id = any($1) order by id for update", part)
            .fetch_all(&mut **tx)
            .await?;
        for one in ready(tx, part, &terms).await? {
            if let Some(msg) = one.refused {
                told.failed.push(BulkFailure { id: one.case, name: one.name, msg });
                continue;
            }
            changes.push(tell(tx, &one, &terms, batch).await?);
            told.done += 1;
        }
    }
    Ok((told, changes))
}

async fn tell(tx: &mut Tx, one: &Ready, terms: &Terms, batch: Uuid) -> Result<Change> {
    let key = format!("{SCENE}:{batch}:{}", one.case);
    let words: Vec<String> = one.reached.iter().map(|channel| channel.as_str().to_owned()).collect();
    let name = tx.actor().name.clone();
    sqlx::query!(
        "insert into supervise_remind (batch, case_id, kinds, channels, lines, dedupe_key, reminded_at, by_name)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        batch,
        one.case,
        &one.kinds,
        &words,
        one.lines,
        key,
        terms.now as _,
        name
    )
    .execute(&mut **tx)
    .await?;
    let person = Person { kind: PersonKind::Student, id: one.student };
    let telling = Telling { channels: one.reached.clone(), ..terms.telling.clone() };
    notify_so(tx, SCENE, Persons::Recipients(vec![person]), one.values(), (Some(&key), &telling)).await?;
    let what = json!({ "kinds": one.kinds, "channels": words });
    Ok(Change::event("supervise_case", one.case, "remind", what))
}

/// Reminds those who were asked for.
async fn work(run: JobRun) -> Result<Outcome> {
    let app = run.app().clone();
    let asked = SuperviseRemindAsked::parse_from_json(Some(run.params["asked"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let scope = run.scope(CODE).await?;
    let school = run.school.as_ref().map(|school| school.id);
    let offered = channels(&app, school).await?;
    let mut read = run.read().await?;
    let (ids, beyond) = meant(&mut read, &asked, &scope, app.clock().today()).await?;
    drop(read);
    let total = i64::try_from(ids.len()).unwrap_or(i64::MAX);
    let batch = app.random().uuid();
    let (mut done, mut before) = (0, 0);
    let mut failed: Vec<BulkFailure> = unseen(beyond).collect();
    for part in ids.chunks(AT_ONCE) {
        run.progress("发送提醒", before, total).await?;
        let mut tx = run.begin().await?;
        let telling = Telling { channels: chosen(&offered, &asked.channels), not_before: None };
        let (told, changes) = send(&mut tx, part, &asked, (batch, telling)).await?;
        if changes.is_empty() {
            tx.commit_untracked("nobody of this part was reminded").await?;
        } else {
            tx.commit_all(changes).await?;
        }
        done += told.done;
        before += i64::try_from(part.len()).unwrap_or(i64::MAX);
        failed.extend(told.failed);
    }
    let errors = failed.into_iter().map(|row| json!({ "id": row.id, "name": row.name, "msg": row.msg })).collect();
    Ok(Outcome { message: format!("已提醒{done}名学生"), errors, ..Outcome::default() })
}

/// Reminds students of a class manager, of all that they are behind with.
///
/// # Errors
/// Those of the database.
pub(crate) async fn remind_own(
    tx: &mut Tx,
    ids: &[i64],
    school: Option<i64>,
    channels_wanted: &[Channel],
) -> Result<(SuperviseReminded, Vec<Change>)> {
    let app = tx.app().clone();
    let offered = channels(&app, school).await?;
    let telling = Telling { channels: chosen(&offered, channels_wanted), not_before: None };
    send(tx, ids, &SuperviseRemindAsked::default(), (app.random().uuid(), telling)).await
}

async fn count(connection: &mut PgConnection, filter: &SuperviseReminderFilter, scope: &Scope) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from supervise_remind r join supervise_case c on c.id = r.case_id
           join student s on s.id = c.student_id
           where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and ($3::timestamptz is null or r.reminded_at >= $3) and ($4::timestamptz is null or r.reminded_at < $4)
             and ($5::bigint is null or s.site_id = $5) and ($6::bigint is null or s.class_id = $6)
             and ($7::bigint is null or r.case_id = $7) and ($8::text is null or strpos(r.by_name, $8) > 0)"#,
        scope.sites(),
        scope.classes(),
        filter.from.map(day_began) as _,
        filter.to.map(day_ended) as _,
        filter.site_id,
        filter.class_id,
        filter.case_id,
        filter.by_name
    )
    .fetch_one(connection)
    .await?)
}

/// A row of the statement.
struct Line {
    id: i64,
    case_id: i64,
    student_no: Option<String>,
    name: String,
    class_name: Option<String>,
    kinds: Vec<String>,
    channels: Vec<String>,
    lines: String,
    reminded_at: Moment,
    by_name: String,
}

impl From<Line> for SuperviseReminder {
    fn from(line: Line) -> Self {
        Self {
            id: line.id,
            case_id: line.case_id,
            student_no: line.student_no,
            name: line.name,
            class_name: line.class_name,
            kinds: line.kinds.iter().filter_map(|kind| SuperviseKind::parse(kind)).collect(),
            channels: line.channels.iter().filter_map(|channel| Channel::parse(channel)).collect(),
            lines: line.lines,
            reminded_at: line.reminded_at,
            by_name: line.by_name,
        }
    }
}

async fn select(
    connection: &mut PgConnection,
    filter: &SuperviseReminderFilter,
    scope: &Scope,
    (limit, offset): (i64, i64),
) -> Result<Vec<SuperviseReminder>> {
    let rows = sqlx::query_as!(
        Line,
        r#"select r.id, r.case_id, s.student_no as "student_no?", s.name as "name!", k.name as "class_name?", r.kinds, r.channels,
                  r.lines, r.reminded_at, r.by_name
           from supervise_remind r join supervise_case c on c.id = r.case_id
           join student s on s.id = c.student_id left join class k on k.id = s.class_id
           where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
             and ($3::timestamptz is null or r.reminded_at >= $3) and ($4::timestamptz is null or r.reminded_at < $4)
             and ($5::bigint is null or s.site_id = $5) and ($6::bigint is null or s.class_id = $6)
             and ($7::bigint is null or r.case_id = $7) and ($8::text is null or strpos(r.by_name, $8) > 0)
           order by r.reminded_at desc, r.id desc limit $9 offset $10"#,
        scope.sites(),
        scope.classes(),
        filter.from.map(day_began) as _,
        filter.to.map(day_ended) as _,
        filter.site_id,
        filter.class_id,
        filter.case_id,
        filter.by_name,
        limit,
        offset
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(SuperviseReminder::from).collect())
}

/// The reminders of a case, the newest first.
///
/// # Errors
/// Those of the database.
pub(crate) async fn of_case(connection: &mut PgConnection, case: i64) -> Result<Vec<SuperviseReminder>> {
    let filter = SuperviseReminderFilter { case_id: Some(case), ..SuperviseReminderFilter::default() };
    select(connection, &filter, &Scope::whole_school(), (100, 0)).await
}
