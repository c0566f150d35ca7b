//! From an event to a message and its deliveries, in one transaction with the event's own end (05 D2): killed midway, nothing
//! has happened; run again, the unique key of a delivery writes no second one.
//!
//! scene enabled? → persons? → switches (school, else platform, else default channels) → templates → address → queued

use infra::{App, Change, Error, Result, Tx, clock::Moment};
use serde_json::{Value, json};
use sqlx::types::Json;

use crate::{
    outbox::{Payload, Person, PersonKind, Persons},
    sender::{self, RETRIES},
    switch,
    template::{self, Values, Variable},
    words::{Channel, FailCode, MsgType, SkipReason, words_of},
    work::Place,
};

/// Events of one visit.
const AT_ONCE: usize = 20;

/// Dispatches what is pending; says whether there may be more.
pub(crate) async fn events(place: &Place) -> Result<bool> {
    for _ in 0..AT_ONCE {
        if !next(place).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

struct Event {
    id: i64,
    scene: String,
    payload: Value,
    attempts: i32,
    occurred_at: Moment,
}

/// Takes one event; false when none is due.
async fn next(place: &Place) -> Result<bool> {
    let now = place.now();
    let mut tx = place.begin().await?;
    let event = sqlx::query_as!(
        Event,
        "select id, name as scene, payload, attempts, occurred_at from event_outbox
         where status = 'pending' and kind = 'message' and next_attempt_at <= $1
         order by id limit 1 for update skip locked",
        now
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(event) = event else { return Ok(false) };
    tx.savepoint().await?;
    match told(place, &mut tx, &event).await {
        Ok(Ok(change)) => {
            tx.row_done().await?;
            ended(&mut tx, &event, "done", None, now).await?;
            tx.commit(change).await?;
        }
        Ok(Err(skipped)) => {
            tx.row_done().await?;
            ended(&mut tx, &event, "skipped", Some(skipped), now).await?;
            tx.commit_untracked("an event that nobody is told of; its row says why").await?;
        }
        Err(error) => {
            tracing::warn!(event = event.id, scene = event.scene, %error, "an event could not be dispatched");
            drop(tx);
            try_later(place, &event).await?;
        }
    }
    Ok(true)
}

async fn ended(tx: &mut Tx, event: &Event, status: &str, skipped: Option<SkipReason>, now: Moment) -> Result<()> {
    sqlx::query!(
        "update event_outbox set status = $2, skip_reason = $3, attempts = attempts + 1, processed_at = $4 where id = $1",
        event.id,
        status,
        skipped.map(SkipReason::as_str),
        now
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

async fn try_later(place: &Place, event: &Event) -> Result<()> {
    let now = place.now();
    let wait = usize::try_from(event.attempts).ok().and_then(|tries| RETRIES.get(tries)).copied();
    let status = if wait.is_some() { "pending" } else { "failed" };
    let next = now + chrono::Duration::minutes(wait.unwrap_or_default());
    let mut tx = place.begin().await?;
    sqlx::query!(
        "update event_outbox set attempts = attempts + 1, status = $2, next_attempt_at = $3,
                processed_at = case when $2 = 'failed' then $4::timestamptz end
         where id = $1 and status = 'pending'",
        event.id,
        status,
        next,
        now
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_untracked("an event that waits for its next attempt").await
}

struct Scene {
    id: i64,
    module: String,
    variables: Json<Vec<Variable>>,
    enabled: bool,
}

struct Template {
    id: i64,
    channel: Channel,
    title: String,
    content: String,
    provider_template_code: Option<String>,
}

/// Somebody who is told, with every way to reach them.
struct Contact {
    kind: PersonKind,
    id: i64,
    name: String,
    no: Option<String>,
    site_id: Option<i64>,
    class_id: Option<i64>,
    phone: Option<String>,
    email: Option<String>,
    openid: Option<String>,
}

impl Contact {
    fn address(&self, channel: Channel) -> Option<String> {
        match channel {
            Channel::InApp => None,
            Channel::Sms => self.phone.clone(),
            Channel::Mail => self.email.clone(),
            Channel::Wechat => self.openid.clone(),
            Channel::AppPush => (self.kind == PersonKind::Student).then(|| format!("student_{}", self.id)),
        }
    }

    /// Whoever has no account is told by short message and mail alone.
    fn is_on(&self, channel: Channel) -> bool {
        match self.kind {
            PersonKind::Student | PersonKind::Account => true,
            PersonKind::PreRegistration => matches!(channel, Channel::Sms | Channel::Mail),
        }
    }
}

/// Makes the message, or says why nobody is told.
async fn told(place: &Place, tx: &mut Tx, event: &Event) -> Result<Result<Change, SkipReason>> {
    let payload: Payload = serde_json::from_value(event.payload.clone()).map_err(Error::internal)?;
    let mut platform = place.app.platform_read().await?;
    let scene = sqlx::query_as!(
        Scene,
        r#"select id, module, variables as "variables: _", enabled from platform.psd_info where scene_code = $1"#,
        event.scene
    )
    .fetch_optional(&mut *platform)
    .await?;
    let Some(scene) = scene else { return Ok(Err(SkipReason::SceneUnknown)) };
    if !scene.enabled {
        return Ok(Err(SkipReason::SceneOff));
    }
    let channels = switch::channels_on(&mut platform, scene.id, place.school_id()).await?;
    let mut templates = sqlx::query_as!(
        Template,
        r#"select id, channel as "channel: _", title, content, provider_template_code from platform.psd_conf
           where scene_id = $1 and enabled and channel = any($2) order by id"#,
        scene.id,
        &words_of(&channels)
    )
    .fetch_all(&mut *platform)
    .await?;
    drop(platform);
    let contacts = contacts(&place.app, tx, payload.persons).await?;
    if contacts.is_empty() {
        return Ok(Err(SkipReason::NoRecipient));
    }
    if channels.is_empty() {
        return Ok(Err(SkipReason::ChannelsOff));
    }
    templates.retain(|template| contacts.iter().any(|contact| contact.is_on(template.channel)));
    if templates.is_empty() {
        return Ok(Err(SkipReason::TemplateMissing));
    }
    let values = values(place, &event.scene, &scene.variables.0, payload.variables);
    let draft = Draft { place, event, scene: &scene, templates: &templates, values };
    Ok(Ok(draft.write(tx, &contacts).await?))
}

/// What the event gives and the scene knows; the rest is dropped and logged, what is missing renders as nothing.
fn values(place: &Place, code: &str, variables: &[Variable], mut given: Values) -> Values {
    let known = template::known_names(variables);
    given.retain(|name, _| {
        let keep = known.contains(name) && !template::is_sensitive(name);
        if !keep {
            tracing::warn!(scene = code, name, "an event gives a variable that its scene does not have");
        }
        keep
    });
    for variable in variables.iter().filter(|variable| !given.contains_key(&variable.name)) {
        tracing::warn!(scene = code, name = variable.name, "an event gives no value for a variable of its scene");
    }
    let school = place.school.as_ref().map_or_else(|| "平台".to_owned(), |school| school.name.clone());
    given.entry("school".to_owned()).or_insert(school);
    given.entry("date".to_owned()).or_insert_with(|| place.app.clock().today().to_string());
    given
}

async fn contacts(app: &App, tx: &mut Tx, persons: Persons) -> Result<Vec<Contact>> {
    let (students, accounts, applicants) = match persons {
        Persons::Recipients(named) => {
            let of = |kind| -> Vec<i64> { named.iter().filter(|p: &&Person| p.kind == kind).map(|p| p.id).collect() };
            (of(PersonKind::Student), of(PersonKind::Account), of(PersonKind::PreRegistration))
        }
        Persons::Holders(code) => (Vec::new(), holders(app, &code).await?, Vec::new()),
    };
    let mut found = applicants_of(tx, &applicants).await?;
    if !students.is_empty() {
        let rows = sqlx::query!(
            "select s.id, s.name, coalesce(s.student_no, s.examinee_no) as no, s.site_id, s.class_id, s.phone, s.email,
                    k.wechat_open_id as \"openid?\"
             from student s left join client_account k on k.owner_kind = 'student' and k.owner_id = s.id
             where s.id = any($1) order by s.id",
            &students
        )
        .fetch_all(&mut **tx)
        .await?;
        found.extend(rows.into_iter().map(|row| Contact {
            kind: PersonKind::Student,
            id: row.id,
            name: row.name,
            no: row.no,
            site_id: Some(row.site_id),
            class_id: row.class_id,
            phone: row.phone,
            email: row.email,
            openid: row.openid,
        }));
    }
    if !accounts.is_empty() {
        let mut platform = app.platform_read().await?;
        let rows = sqlx::query!(
            "select id, login_name, real_name, phone, email from platform.sys_user where id = any($1) and enabled order by id",
            &accounts
        )
        .fetch_all(&mut *platform)
        .await?;
        found.extend(rows.into_iter().map(|row| Contact {
            kind: PersonKind::Account,
            id: row.id,
            name: row.real_name,
            no: Some(row.login_name),
            site_id: None,
            class_id: None,
            phone: row.phone,
            email: row.email,
            openid: None,
        }));
    }
    Ok(found)
}

async fn applicants_of(tx: &mut Tx, ids: &[i64]) -> Result<Vec<Contact>> {
    // Only schools have such a table.
    if ids.is_empty() {
        return Ok(Vec::new());
    }
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
            class_id: None,
            phone: Some(row.phone),
            email: row.email,
            openid: None,
        })
        .collect())
}

/// Enabled operators with an enabled role that has the code.
async fn holders(app: &App, code: &str) -> Result<Vec<i64>> {
    let mut tx = app.platform_read().await?;
    let ids = sqlx::query_scalar!(
        "select distinct u.id from platform.sys_user u
         join platform.sys_user_role ur on ur.user_id = u.id
         join platform.sys_role r on r.id = ur.role_id and r.enabled and r.client_type = 0
         join platform.sys_role_permission rp on rp.role_id = r.id
         join platform.sys_permission p on p.id = rp.permission_id and p.enabled and p.permission_code = $1
         where u.enabled and u.user_type = 'platform'",
        code
    )
    .fetch_all(&mut *tx)
    .await?;
    Ok(ids)
}

struct Draft<'a> {
    place: &'a Place,
    event: &'a Event,
    scene: &'a Scene,
    templates: &'a [Template],
    values: Values,
}

/// Deliveries as columns, for one insert.
#[derive(Default)]
struct Columns {
    kinds: Vec<&'static str>,
    ids: Vec<i64>,
    names: Vec<String>,
    nos: Vec<Option<String>>,
    sites: Vec<Option<i64>>,
    classes: Vec<Option<i64>>,
    addresses: Vec<Option<String>>,
    channels: Vec<&'static str>,
    fail_codes: Vec<Option<&'static str>>,
    templates: Vec<i64>,
    titles: Vec<Option<String>>,
    contents: Vec<Option<String>>,
    provider: Vec<Option<Value>>,
    segments: Vec<i32>,
}

impl Draft<'_> {
    async fn write(&self, tx: &mut Tx, contacts: &[Contact]) -> Result<Change> {
        let now = self.place.now();
        let shown = self.templates.iter().find(|template| template.channel == Channel::InApp);
        let shown = shown.or(self.templates.first()).ok_or_else(|| Error::internal("a scene without templates"))?;
        let common = template::rendered(shown.channel, &shown.title, &shown.content, &self.values)?;
        let channels = words_of(&self.templates.iter().map(|template| template.channel).collect::<Vec<_>>());
        let msg_id = sqlx::query_scalar!(
            "insert into msg (title, content, msg_type, channels, audience, send_mode, status, scene_code, resolved_at, creator_name,
                 created_by, updated_by)
             values ($1, $2, $3, $4, 'scene', 'now', 'sending', $5, $6, '系统', 0, 0) returning id",
            common.title.chars().take(100).collect::<String>(),
            common.content,
            type_of(&self.scene.module).as_str(),
            &channels,
            self.event.scene,
            now
        )
        .fetch_one(&mut **tx)
        .await?;
        let columns = self.columns(contacts)?;
        let urgent = self.event.scene == "account_password_reset";
        let lives = match self.event.scene.as_str() {
            "account_password_reset" => chrono::Duration::minutes(10),
            "supervise_reminder" => chrono::Duration::hours(24),
            _ => chrono::Duration::days(7),
        };
        let made = sqlx::query!(
            r#"with made as (
                   insert into msg_delivery (msg_id, recipient_type, recipient_id, recipient_name, recipient_no, site_id, class_id,
                       address, channel, priority, status, fail_code, next_attempt_at, expires_at, template_id, rendered_title,
                       rendered_content, provider_template, segments, created_at)
                   select $1, kind, person, name, no, site, class, address, channel, $2,
                          case when fail_code is null then 'queued' else 'failed' end, fail_code, $3, $4, template, title, content,
                          provider, segments, $3
                   from unnest($5::text[], $6::bigint[], $7::text[], $8::text[], $9::bigint[], $10::bigint[], $11::text[],
                               $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[], $17::jsonb[], $18::integer[])
                        as t (kind, person, name, no, site, class, address, channel, fail_code, template, title, content,
                              provider, segments)
                   on conflict on constraint msg_delivery_once do nothing
                   returning recipient_type, recipient_id, status),
               counted as (
                   select count(distinct (recipient_type, recipient_id)) as persons, count(*) as total,
                          count(*) filter (where status = 'failed') as failed from made)
               update msg set person_count = c.persons, total_count = c.total, failed_count = c.failed from counted c
               where msg.id = $1 returning c.persons as "persons!""#,
            msg_id,
            if urgent { 1_i16 } else { 5 },
            now,
            self.event.occurred_at.max(now) + lives,
            &columns.kinds as &[&str],
            &columns.ids,
            &columns.names,
            &columns.nos as &[Option<String>],
            &columns.sites as &[Option<i64>],
            &columns.classes as &[Option<i64>],
            &columns.addresses as &[Option<String>],
            &columns.channels as &[&str],
            &columns.fail_codes as &[Option<&str>],
            &columns.templates,
            &columns.titles as &[Option<String>],
            &columns.contents as &[Option<String>],
            &columns.provider as &[Option<Value>],
            &columns.segments
        )
        .fetch_one(&mut **tx)
        .await?;
        sender::close(tx, &[msg_id], now).await?;
        Ok(Change::event("msg", msg_id, "insert", json!({ "scene": self.event.scene, "persons": made.persons })))
    }

    fn columns(&self, contacts: &[Contact]) -> Result<Columns> {
        let mut columns = Columns::default();
        for template in self.templates {
            let personal = [&template.title, &template.content].iter().any(|text| text.contains("{{name}}"));
            for contact in contacts.iter().filter(|contact| contact.is_on(template.channel)) {
                let mut values = self.values.clone();
                values.insert("name".to_owned(), contact.name.clone());
                let text = template::rendered(template.channel, &template.title, &template.content, &values)?;
                let address = contact.address(template.channel);
                let missing = match template.channel {
                    Channel::InApp => None,
                    Channel::Wechat => address.is_none().then_some(FailCode::NoOpenid),
                    _ => address.is_none().then_some(FailCode::NoAddress),
                };
                // The inbox shows the message's own text unless it calls the person by name.
                let own = template.channel != Channel::InApp || personal;
                columns.kinds.push(contact.kind.as_str());
                columns.ids.push(contact.id);
                columns.names.push(contact.name.clone());
                columns.nos.push(contact.no.clone());
                columns.sites.push(contact.site_id);
                columns.classes.push(contact.class_id);
                columns.addresses.push(address);
                columns.channels.push(template.channel.as_str());
                columns.fail_codes.push(missing.map(FailCode::as_str));
                columns.templates.push(template.id);
                columns.titles.push(own.then_some(text.title));
                columns.contents.push(own.then_some(text.content));
                columns.provider.push(
                    template.provider_template_code.as_ref().map(|code| json!({ "code": code, "values": text.values })),
                );
                columns.segments.push(text.segments);
            }
        }
        Ok(columns)
    }
}

fn type_of(module: &str) -> MsgType {
    match module {
        "教学" | "督学" => MsgType::Teaching,
        "考试" | "成绩" => MsgType::Exam,
        "招生" => MsgType::Recruit,
        "毕业" => MsgType::Graduation,
        _ => MsgType::System,
    }
}
