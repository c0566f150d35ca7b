//! 接收范围: whom a message is for. Fields are joined by AND, the values inside one by OR; always within the data scope of the
//! sender; each student once, by ID number (01 §7.3-1).

use channels::enums::FailCode;
use infra::{Error, Result, Scope, Tx, clock::Moment};
use poem_openapi::Object;
use scenes::{enums::Channel, outbox::PersonKind};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    contact::{self, Columns, Letter, Shared, Written, alias_of},
    enums::MsgAudience,
};

/// The conditions of `student_filter`; an empty one does not count.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Object)]
#[serde(rename_all = "camelCase", default)]
#[oai(rename_all = "camelCase")]
pub struct AudienceFilter {
    /// 年级
    #[oai(default, validator(max_items = 100))]
    pub grade_ids: Vec<i64>,
    /// 层次
    #[oai(default, validator(max_items = 100))]
    pub level_ids: Vec<i64>,
    /// 专业
    #[oai(default, validator(max_items = 200))]
    pub major_ids: Vec<i64>,
    /// 站点
    #[oai(default, validator(max_items = 500))]
    pub site_ids: Vec<i64>,
    /// 班级
    #[oai(default, validator(max_items = 500))]
    pub class_ids: Vec<i64>,
    /// 学籍状态
    /// 不选时为待注册、在籍、休学和超学制
    #[oai(default, validator(max_items = 9))]
    pub student_status: Vec<String>,
    /// 学生
    /// 只发给这些学生；不选学籍状态时无论何种状态
    #[oai(default, validator(max_items = 1000))]
    pub student_ids: Vec<i64>,
}

/// Persons, ready to be found.
#[derive(Debug, Clone)]
pub(crate) enum Chosen {
    Students(Students),
    /// Of one kind; of some only when they are reminded.
    Staff {
        kind: PersonKind,
        ids: Option<Vec<i64>>,
        scope: Scope,
    },
}

impl Chosen {
    /// The persons of an audience. `ids` are those of a list.
    pub(crate) fn of(audience: MsgAudience, filter: AudienceFilter, ids: Option<Vec<i64>>, scope: Scope) -> Self {
        match audience.person_kind() {
            PersonKind::Student => Self::Students(Students::of(audience, filter, ids, scope)),
            kind => Self::Staff { kind, ids, scope },
        }
    }
}

/// Students, ready to be bound to a statement.
#[derive(Debug, Clone)]
pub(crate) struct Students {
    grades: Option<Vec<i64>>,
    levels: Option<Vec<i64>>,
    majors: Option<Vec<i64>>,
    sites: Option<Vec<i64>>,
    classes: Option<Vec<i64>>,
    statuses: Option<Vec<String>>,
    ids: Option<Vec<i64>>,
    scope: Scope,
}

impl Students {
    fn of(audience: MsgAudience, filter: AudienceFilter, ids: Option<Vec<i64>>, scope: Scope) -> Self {
        let filter = if audience == MsgAudience::StudentFilter { filter } else { AudienceFilter::default() };
        let some = |ids: Vec<i64>| (!ids.is_empty()).then_some(ids);
        let statuses = match audience {
            // Who was put on a list is meant whatever became of them, and so is who was named.
            MsgAudience::List => None,
            _ if !filter.student_ids.is_empty() && filter.student_status.is_empty() => None,
            _ => Some(filter.student_status),
        };
        Self {
            grades: some(filter.grade_ids),
            levels: some(filter.level_ids),
            majors: some(filter.major_ids),
            sites: some(filter.site_ids),
            classes: some(filter.class_ids),
            statuses,
            ids: if audience == MsgAudience::List { Some(ids.unwrap_or_default()) } else { some(filter.student_ids) },
            scope,
        }
    }
}

/// A statement over the students `s` of some [`Students`]; parameters behind its nine are the caller's.
macro_rules! of_students {
    ($query:ident [$($row:ident)?] [$($head:tt)+] $chosen:ident [$($tail:tt)*] $(, $extra:expr)*) => {
        sqlx::$query!(
            $($row,)?
            $($head)+ +
            " where ($1::bigint[] is null or s.grade_id = any($1))
                and ($2::bigint[] is null or s.level_id = any($2))
                and ($3::bigint[] is null or s.major_id = any($3))
                and ($4::bigint[] is null or s.site_id = any($4))
                and ($5::bigint[] is null or s.class_id = any($5))
                and ($6::text[] is null or s.status = any($6) or (s.active and cardinality($6) = 0))
                and ($7::bigint[] is null or s.id = any($7))
                and ($8::bigint[] is null or s.site_id = any($8) or s.class_id = any($9::bigint[])) " $($tail)*,
            $chosen.grades.as_deref(),
            $chosen.levels.as_deref(),
            $chosen.majors.as_deref(),
            $chosen.sites.as_deref(),
            $chosen.classes.as_deref(),
            $chosen.statuses.as_deref(),
            $chosen.ids.as_deref(),
            $chosen.scope.sites(),
            $chosen.scope.classes()
            $(, $extra)*
        )
    };
}

/// How many persons would get a message.
pub(crate) async fn count(connection: &mut PgConnection, chosen: &Chosen) -> Result<i64> {
    let chosen = match chosen {
        Chosen::Students(students) => students,
        Chosen::Staff { kind, ids, scope } => {
            let found = contact::staff(connection, *kind, ids.as_deref(), scope).await?;
            return i64::try_from(found.len()).map_err(Error::internal);
        }
    };
    let count = of_students!(query_scalar []
        [r#"select count(distinct (s.id_card_type, s.id_card_no)) as "count!" from student s"#] chosen []);
    Ok(count.fetch_one(connection).await?)
}

/// A few of them.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SamplePerson {
    /// 姓名
    pub name: String,
    /// 学号或工号
    pub student_no: Option<String>,
    /// 站点
    pub site_name: Option<String>,
}

/// As many are shown.
const SAMPLE: usize = 5;

/// The newest of the chosen, at most five.
pub(crate) async fn sample(connection: &mut PgConnection, chosen: &Chosen) -> Result<Vec<SamplePerson>> {
    let chosen = match chosen {
        Chosen::Students(students) => students,
        Chosen::Staff { kind, ids, scope } => {
            let found = contact::staff(connection, *kind, ids.as_deref(), scope).await?;
            let shown = found.into_iter().rev().take(SAMPLE);
            return Ok(shown
                .map(|one| SamplePerson { name: one.name, student_no: one.no, site_name: one.site_name })
                .collect());
        }
    };
    let rows = of_students!(query_as [SamplePerson]
        [r#"select s.name, coalesce(s.student_no, s.examinee_no) as student_no, t.name as "site_name?"
            from student s join site t on t.id = s.site_id"#]
        chosen [+ " order by s.created_at desc, s.id desc limit 5"]);
    Ok(rows.fetch_all(connection).await?)
}

/// What the deliveries of a message have in common.
pub(crate) struct Sending {
    pub(crate) msg_id: i64,
    pub(crate) channels: Vec<String>,
    pub(crate) marketing: bool,
    pub(crate) priority: i16,
    /// Of sms, wechat and app_push.
    pub(crate) title: String,
    pub(crate) text: String,
    /// Of advertising: the text with the way to refuse more of it, for sms and app_push.
    pub(crate) advertised: String,
    pub(crate) segments: i32,
    pub(crate) school_id: i64,
    pub(crate) now: Moment,
    /// When advertising may go out.
    pub(crate) marketing_from: Moment,
    pub(crate) day_began: Moment,
    pub(crate) expires_at: Moment,
}

/// Writes the deliveries of a message: a row for each person and channel, failed at once where the person has no address. A
/// second run writes nothing.
pub(crate) async fn resolve(tx: &mut Tx, chosen: &Chosen, sending: &Sending) -> Result<Written> {
    match chosen {
        Chosen::Students(students) => resolve_students(tx, students, sending).await,
        Chosen::Staff { kind, ids, scope } => resolve_staff(tx, *kind, ids.as_deref(), scope, sending).await,
    }
}

/// A school's staff are few, so their rows are made here.
async fn resolve_staff(
    tx: &mut Tx,
    kind: PersonKind,
    ids: Option<&[i64]>,
    scope: &Scope,
    sending: &Sending,
) -> Result<Written> {
    let contacts = contact::staff(tx, kind, ids, scope).await?;
    let advertised: Vec<i64> = if sending.marketing {
        sqlx::query_scalar!(
            "select distinct recipient_id from msg_delivery
             where recipient_type = $1 and marketing and created_at >= $2 and msg_id <> $3
               and status in ('queued', 'delivering', 'sent', 'delivered')",
            kind.as_str(),
            sending.day_began,
            sending.msg_id
        )
        .fetch_all(&mut **tx)
        .await?
    } else {
        Vec::new()
    };
    let mut columns = Columns::default();
    for contact in &contacts {
        for channel in scenes::enums::channels(&sending.channels) {
            let address = contact.address(channel, Some(sending.school_id));
            let marketing = sending.marketing && matches!(channel, Channel::Sms | Channel::AppPush);
            // Advertising by sms or push reaches a person once a day, whatever the channel.
            let by_sms_too =
                sending.channels.iter().any(|word| word == Channel::Sms.as_str()) && contact.phone.is_some();
            let too_often =
                marketing && (advertised.contains(&contact.id) || channel == Channel::AppPush && by_sms_too);
            let text = if marketing { &sending.advertised } else { &sending.text };
            let own = !matches!(channel, Channel::InApp | Channel::Mail);
            let letter = Letter {
                fail: contact::missing(channel, address.as_deref()).or(too_often.then_some(FailCode::RateLimited)),
                address,
                marketing,
                due: marketing.then_some(sending.marketing_from),
                title: own.then(|| sending.title.clone()),
                content: own.then(|| text.clone()),
                segments: if channel == Channel::Sms { sending.segments } else { 0 },
                ..Letter::default()
            };
            columns.push(contact, channel, letter);
        }
    }
    let shared =
        Shared { msg_id: sending.msg_id, priority: sending.priority, now: sending.now, expires_at: sending.expires_at };
    columns.write(tx, &shared).await
}

async fn resolve_students(connection: &mut PgConnection, chosen: &Students, sending: &Sending) -> Result<Written> {
    let row = of_students!(query []
        [r#"with person as (
                select distinct on (s.id_card_type, s.id_card_no) s.id, s.name, coalesce(s.student_no, s.examinee_no) as no,
                       s.site_id, s.class_id, s.phone, s.email
                from student s"#]
        chosen
        [+ r#"  order by s.id_card_type, s.id_card_no, s.created_at desc, s.id desc
            ), made as (
                insert into msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, recipient_no, site_id, class_id,
                    address, channel, marketing, priority, status, fail_code, next_attempt_at, expires_at, rendered_title,
                    rendered_content, segments, created_at)
                select $10, 'student', p.id, p.name, p.no, p.site_id, p.class_id, a.address, c.channel, m.marketing, $13,
                       case when f.code is null then 'queued' else 'failed' end, f.code,
                       case when m.marketing then $18 else $17::timestamptz end, $20,
                       case when c.channel in ('sms', 'wechat', 'app_push') then $14 end,
                       case when m.marketing then $22 when c.channel in ('sms', 'wechat', 'app_push') then $15 end,
                       case when c.channel = 'sms' then $16::integer else 0 end, $17
                from person p
                cross join unnest($11::text[]) as c (channel)
                left join client_account k on k.owner_kind = 'student' and k.owner_id = p.id
                cross join lateral (
                    select case c.channel when 'sms' then p.phone when 'mail' then p.email when 'wechat' then k.wechat_open_id
                                          when 'app_push' then $21 || p.id end as address) a
                cross join lateral (select $12::boolean and c.channel in ('sms', 'app_push') as marketing) m
                cross join lateral (
                    select case when c.channel = 'in_app' then null
                                when a.address is null and c.channel = 'wechat' then 'no_openid'
                                when a.address is null then 'no_address'
                                -- Advertising by sms or push reaches a person once a day, whatever the channel.
                                when m.marketing and (
                                    (c.channel = 'app_push' and 'sms' = any($11) and p.phone is not null)
                                    or exists (select from msg_delivery o
                                               where o.recipient_id = p.id and o.marketing and o.created_at >= $19
                                                 and o.recipient_type = 'student' and o.msg_id <> $10
                                                 and o.status in ('queued', 'delivering', 'sent', 'delivered')))
                                then 'rate_limited' end as code) f
                on conflict on constraint msg_delivery_once do nothing
                returning recipient_id, status)
            select count(distinct recipient_id) as "persons!", count(*) as "total!",
                   count(*) filter (where status = 'failed') as "failed!" from made"#],
        sending.msg_id,
        &sending.channels,
        sending.marketing,
        sending.priority,
        sending.title,
        sending.text,
        sending.segments,
        sending.now,
        sending.marketing_from,
        sending.day_began,
        sending.expires_at,
        alias_of(sending.school_id, PersonKind::Student),
        sending.advertised
    )
    .fetch_one(connection)
    .await?;
    Ok(Written { persons: row.persons, total: row.total, failed: row.failed })
}

/// The imported numbers of a list.
pub(crate) async fn listed(connection: &mut PgConnection, list_id: Option<i64>) -> Result<Option<Vec<i64>>> {
    let Some(id) = list_id else { return Ok(None) };
    Ok(sqlx::query_scalar!("select person_ids from msg_list where id = $1", id).fetch_optional(connection).await?)
}

/// The filter as it stands in the table.
pub(crate) fn filter_of(value: Value) -> Result<AudienceFilter> {
    serde_json::from_value(value).map_err(Error::internal)
}
