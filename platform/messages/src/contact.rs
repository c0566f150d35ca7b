//! Persons with every way to reach them, and the deliveries that are written for them (05 D2, D4).

use channels::enums::FailCode;
use infra::{App, Result, Scope, Tx, clock::Moment};
use scenes::{enums::Channel, outbox::PersonKind};
use serde_json::Value;
use sqlx::PgConnection;

/// Somebody who is told.
pub(crate) struct Contact {
    pub(crate) kind: PersonKind,
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) no: Option<String>,
    pub(crate) site_id: Option<i64>,
    /// Only of staff, who are shown before a message is sent.
    pub(crate) site_name: Option<String>,
    pub(crate) class_id: Option<i64>,
    pub(crate) phone: Option<String>,
    pub(crate) email: Option<String>,
    pub(crate) openid: Option<String>,
}

impl Contact {
    /// Phone, mail address, openId or alias; `school` is where the person is known.
    pub(crate) fn address(&self, channel: Channel, school: Option<i64>) -> Option<String> {
        match channel {
            Channel::InApp => None,
            Channel::Sms => self.phone.clone(),
            Channel::Mail => self.email.clone(),
            Channel::Wechat => self.openid.clone(),
            Channel::AppPush => school
                .filter(|_| self.kind.has_client())
                .map(|school| format!("{}{}", alias_of(school, self.kind), self.id)),
        }
    }

    /// Whoever has no account is told by short message and mail alone.
    pub(crate) fn is_on(&self, channel: Channel) -> bool {
        self.kind.has_inbox() || matches!(channel, Channel::Sms | Channel::Mail)
    }
}

/// Under which alias the application of a person registers, up to the person's number. Schools number their people for
/// themselves and may share the platform's push account, so the school is part of it.
pub(crate) fn alias_of(school: i64, kind: PersonKind) -> String {
    format!("school_{school}_{}_", kind.as_str())
}

/// Why somebody without this address is not reached.
pub(crate) fn missing(channel: Channel, address: Option<&str>) -> Option<FailCode> {
    match (channel, address) {
        (Channel::InApp, _) | (_, Some(_)) => None,
        (Channel::Wechat, None) => Some(FailCode::NoOpenid),
        (_, None) => Some(FailCode::NoAddress),
    }
}

/// Students by their numbers.
pub(crate) async fn students(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Contact>> {
    let rows = sqlx::query!(
        "select s.id, s.name, coalesce(s.student_no, s.examinee_no) as no, s.site_id, s.class_id, s.phone, s.email,
                k.wechat_open_id as \"openid?\"
         from student s left join client_account k on k.owner_kind = 'student' and k.owner_id = s.id
         where s.id = any($1) order by s.id",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Contact {
            kind: PersonKind::Student,
            id: row.id,
            name: row.name,
            no: row.no,
            site_id: Some(row.site_id),
            site_name: None,
            class_id: row.class_id,
            phone: row.phone,
            email: row.email,
            openid: row.openid,
        })
        .collect())
}

/// Active teachers, site staff or class managers: those of the numbers, else all, within a data scope. Whose scope is some
/// sites or classes sees no teacher, as in the list of teachers; a class manager is seen by a site or class of theirs.
pub(crate) async fn staff(
    connection: &mut PgConnection,
    kind: PersonKind,
    ids: Option<&[i64]>,
    scope: &Scope,
) -> Result<Vec<Contact>> {
    let rows = sqlx::query!(
        r#"select p.id as "id!", p.name as "name!", p.no, p.site_id, w.name as "site_name?", p.phone, p.email,
                  k.wechat_open_id as "openid?"
           from (
               select t.id, t.name, t.work_no as no, null::bigint as site_id, t.phone, t.email
               from teacher t where $1 = 'teacher' and t.status = 'active' and $3::bigint[] is null
               union all
               select s.id, s.name, s.work_no, s.site_id, s.phone, s.email
               from site_staff s
               where $1 = 'site_staff' and s.status = 'active' and ($3::bigint[] is null or s.site_id = any($3))
               union all
               select m.id, m.name, m.work_no, null, m.phone, t.email
               from class_manager m left join teacher t on t.id = m.teacher_id
               where $1 = 'class_manager' and m.status = 'active'
                 and ($3::bigint[] is null
                      or exists (select from class_manager_site x where x.manager_id = m.id and x.site_id = any($3))
                      or exists (select from class c where c.manager_id = m.id and c.id = any($4::bigint[])))
           ) p
           left join client_account k on k.owner_kind = $1 and k.owner_id = p.id
           left join site w on w.id = p.site_id
           where $2::bigint[] is null or p.id = any($2)
           order by p.id"#,
        kind.as_str(),
        ids,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Contact {
            kind,
            id: row.id,
            name: row.name,
            no: row.no,
            site_id: row.site_id,
            site_name: row.site_name,
            class_id: None,
            phone: row.phone,
            email: row.email,
            openid: row.openid,
        })
        .collect())
}

/// Enabled accounts of the back-office.
pub(crate) async fn accounts(app: &App, ids: &[i64]) -> Result<Vec<Contact>> {
    let mut platform = app.platform_read().await?;
    let rows = sqlx::query!(
        "select id, login_name, real_name, phone, email from platform.sys_user where id = any($1) and enabled order by id",
        ids
    )
    .fetch_all(&mut *platform)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Contact {
            kind: PersonKind::Account,
            id: row.id,
            name: row.real_name,
            no: Some(row.login_name),
            site_id: None,
            site_name: None,
            class_id: None,
            phone: row.phone,
            email: row.email,
            openid: None,
        })
        .collect())
}

/// People who only said that they want to study.
pub(crate) async fn applicants(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Contact>> {
    let rows = sqlx::query!(
        "select id, name, examinee_no, site_id, phone, email from pre_registration
         where id = any($1) and deleted_at is null and scrubbed_at is null order by id",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Contact {
            kind: PersonKind::PreRegistration,
            id: row.id,
            name: row.name,
            no: row.examinee_no,
            site_id: Some(row.site_id),
            site_name: None,
            class_id: None,
            phone: Some(row.phone),
            email: row.email,
            openid: None,
        })
        .collect())
}

/// People whom the authority admitted; who has come meanwhile is told as well.
pub(crate) async fn admitted(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Contact>> {
    let rows = sqlx::query!(
        "select id, name, examinee_no, site_id, phone from admission where id = any($1) and deleted_at is null order by id",
        ids
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Contact {
            kind: PersonKind::Admission,
            id: row.id,
            name: row.name,
            no: Some(row.examinee_no),
            site_id: row.site_id,
            site_name: None,
            class_id: None,
            phone: row.phone,
            email: None,
            openid: None,
        })
        .collect())
}

/// Enabled customers of the operators' site.
pub(crate) async fn learners(app: &App, ids: &[i64]) -> Result<Vec<Contact>> {
    let mut platform = app.platform_read().await?;
    let rows = sqlx::query!(
        r#"select id, coalesce(nickname, '学员') as "name!", phone from platform.user_ext where id = any($1) and enabled order by id"#,
        ids
    )
    .fetch_all(&mut *platform)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Contact {
            kind: PersonKind::Learner,
            id: row.id,
            name: row.name,
            no: None,
            site_id: None,
            site_name: None,
            class_id: None,
            phone: Some(row.phone),
            email: None,
            openid: None,
        })
        .collect())
}

/// One delivery to be written.
#[derive(Default)]
pub(crate) struct Letter {
    pub(crate) address: Option<String>,
    pub(crate) fail: Option<FailCode>,
    pub(crate) marketing: bool,
    pub(crate) due: Option<Moment>,
    pub(crate) template_id: Option<i64>,
    pub(crate) title: Option<String>,
    pub(crate) content: Option<String>,
    pub(crate) provider: Option<Value>,
    pub(crate) segments: i32,
}

/// What all deliveries of a message have in common.
pub(crate) struct Shared {
    pub(crate) msg_id: i64,
    /// 1 codes and security, 5 normal, 9 bulk.
    pub(crate) priority: i16,
    pub(crate) now: Moment,
    pub(crate) expires_at: Moment,
}

/// How many persons and rows were made.
pub(crate) struct Written {
    pub(crate) persons: i64,
    pub(crate) total: i64,
    pub(crate) failed: i64,
}

/// Deliveries as columns, for one insert.
#[derive(Default)]
pub(crate) struct Columns {
    kinds: Vec<&'static str>,
    ids: Vec<i64>,
    names: Vec<String>,
    nos: Vec<Option<String>>,
    sites: Vec<Option<i64>>,
    classes: Vec<Option<i64>>,
    addresses: Vec<Option<String>>,
    channels: Vec<&'static str>,
    fail_codes: Vec<Option<&'static str>>,
    marketing: Vec<bool>,
    dues: Vec<Option<Moment>>,
    templates: Vec<Option<i64>>,
    titles: Vec<Option<String>>,
    contents: Vec<Option<String>>,
    provider: Vec<Option<Value>>,
    segments: Vec<i32>,
}

impl Columns {
    pub(crate) fn push(&mut self, contact: &Contact, channel: Channel, letter: Letter) {
        self.kinds.push(contact.kind.as_str());
        self.ids.push(contact.id);
        self.names.push(contact.name.clone());
        self.nos.push(contact.no.clone());
        self.sites.push(contact.site_id);
        self.classes.push(contact.class_id);
        self.addresses.push(letter.address);
        self.channels.push(channel.as_str());
        self.fail_codes.push(letter.fail.map(FailCode::as_str));
        self.marketing.push(letter.marketing);
        self.dues.push(letter.due);
        self.templates.push(letter.template_id);
        self.titles.push(letter.title);
        self.contents.push(letter.content);
        self.provider.push(letter.provider);
        self.segments.push(letter.segments);
    }

    /// Writes them in one statement; a second run writes nothing.
    pub(crate) async fn write(self, tx: &mut Tx, shared: &Shared) -> Result<Written> {
        let row = sqlx::query!(
            r#"with made as (
                   insert into msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, recipient_no, site_id, class_id,
                       address, channel, priority, status, fail_code, next_attempt_at, expires_at, template_id, rendered_title,
                       rendered_content, provider_template, segments, created_at, marketing)
                   select $1, kind, person, name, no, site, class, address, channel, $2,
                          case when fail_code is null then 'queued' else 'failed' end, fail_code, coalesce(due, $3), $4, template,
                          title, content, provider, segments, $3, marketing
                   from unnest($5::text[], $6::bigint[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::text[],
                               $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[], $17::jsonb[], $18::integer[],
                               $19::boolean[], $20::timestamptz[])
                        as t (kind, person, name, no, site, class, address, channel, fail_code, template, title, content,
                              provider, segments, marketing, due)
                   on conflict on constraint msg_delivery_once do nothing
                   returning recipient_type, recipient_id, status)
               select count(distinct (recipient_type, recipient_id)) as "persons!", count(*) as "total!",
                      count(*) filter (where status = 'failed') as "failed!" from made"#,
            shared.msg_id,
            shared.priority,
            shared.now,
            shared.expires_at,
            &self.kinds as &[&str],
            &self.ids,
            &self.names,
            &self.nos as &[Option<String>],
            &self.sites as &[Option<i64>],
            &self.classes as &[Option<i64>],
            &self.addresses as &[Option<String>],
            &self.channels as &[&str],
            &self.fail_codes as &[Option<&str>],
            &self.templates as &[Option<i64>],
            &self.titles as &[Option<String>],
            &self.contents as &[Option<String>],
            &self.provider as &[Option<Value>],
            &self.segments,
            &self.marketing,
            &self.dues as &[Option<Moment>]
        )
        .fetch_one(&mut **tx)
        .await?;
        Ok(Written { persons: row.persons, total: row.total, failed: row.failed })
    }
}
