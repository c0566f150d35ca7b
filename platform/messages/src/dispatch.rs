//! From an event to a message and its deliveries, in one transaction with the event's own end (05 D2): killed midway, nothing
//! has happened; run again, the unique key of a delivery writes no second one.
//!
//! scene enabled? → persons? → switches (school, else platform, else default channels) → templates → address → queued

use channels::workspace::Workspace;
use infra::{App, Change, Error, Result, Scope, Tx};
use scenes::{
    client::CLIENT_URLS,
    enums::{Channel, SkipReason, words_of},
    outbox::{self, Event, Payload, Person, PersonKind, Persons},
    switch,
    template::{self, Values, Variable},
};
use serde_json::{Value, json};
use settings::config::{ConfigKind, in_force, kinds::WebsiteConfig};
use sqlx::types::Json;

use crate::{
    contact::{self, Columns, Contact, Letter, Shared},
    enums::MsgType,
    sender::{self, RETRIES},
};

/// Events of one visit.
const AT_ONCE: usize = 20;

/// Dispatches what is pending; says whether there may be more.
pub(crate) async fn events(workspace: &Workspace) -> Result<bool> {
    for _ in 0..AT_ONCE {
        if !next(workspace).await? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes one event; false when none is due.
async fn next(workspace: &Workspace) -> Result<bool> {
    let now = workspace.now();
    let mut tx = workspace.begin().await?;
    let event = outbox::take(&mut tx, now).await?;
    let Some(event) = event else { return Ok(false) };
    tx.savepoint().await?;
    match told(workspace, &mut tx, &event).await {
        Ok(Ok(change)) => {
            tx.row_done().await?;
            outbox::ended(&mut tx, event.id, None, now).await?;
            tx.commit(change).await?;
        }
        Ok(Err(skipped)) => {
            tx.row_done().await?;
            outbox::ended(&mut tx, event.id, Some(skipped), now).await?;
            tx.commit_untracked("an event that nobody is told of; its row says why").await?;
        }
        Err(error) => {
            tracing::warn!(event = event.id, scene = event.scene, %error, "an event could not be dispatched");
            drop(tx);
            try_later(workspace, &event).await?;
        }
    }
    Ok(true)
}

async fn try_later(workspace: &Workspace, event: &Event) -> Result<()> {
    let now = workspace.now();
    let wait = usize::try_from(event.attempts).ok().and_then(|tries| RETRIES.get(tries)).copied();
    let mut tx = workspace.begin().await?;
    outbox::put_off(&mut tx, event.id, wait.map(|minutes| now + chrono::Duration::minutes(minutes)), now).await?;
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

/// Makes the message, or says why nobody is told.
async fn told(workspace: &Workspace, tx: &mut Tx, event: &Event) -> Result<Result<Change, SkipReason>> {
    let payload: Payload = serde_json::from_value(event.payload.clone()).map_err(Error::internal)?;
    let mut platform = workspace.app.platform_read().await?;
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
    let mut channels = switch::channels_on(&mut platform, scene.id, workspace.school_id()).await?;
    if !payload.channels.is_empty() {
        channels.retain(|channel| payload.channels.iter().any(|chosen| chosen == channel.as_str()));
    }
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
    let contacts = contacts(&workspace.app, tx, payload.persons).await?;
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
    let values = values(workspace, &event.scene, &scene.variables.0, payload.variables);
    let origin = Origin::of(workspace, tx).await?;
    let draft = Draft { workspace, event, scene: &scene, templates: &templates, values, origin };
    Ok(Ok(draft.write(tx, &contacts).await?))
}

/// What the event gives and the scene knows; the rest is dropped and logged, what is missing renders as nothing.
fn values(workspace: &Workspace, code: &str, variables: &[Variable], mut given: Values) -> Values {
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
    let school = workspace.school.as_ref().map_or_else(|| "平台".to_owned(), |school| school.name.clone());
    given.entry("school".to_owned()).or_insert(school);
    given.entry("date".to_owned()).or_insert_with(|| workspace.app.clock().today().to_string());
    given
}

async fn contacts(app: &App, tx: &mut Tx, persons: Persons) -> Result<Vec<Contact>> {
    let named = match persons {
        Persons::Recipients(named) => named,
        Persons::Holders(code) => {
            holders(app, &code).await?.into_iter().map(|id| Person { kind: PersonKind::Account, id }).collect()
        }
    };
    let mut found = Vec::new();
    for kind in PersonKind::ALL {
        let ids: Vec<i64> = named.iter().filter(|person| person.kind == kind).map(|person| person.id).collect();
        // Only schools have people, so a table that nobody is looked for in is not asked.
        if ids.is_empty() {
            continue;
        }
        found.extend(match kind {
            PersonKind::Student => contact::students(tx, &ids).await?,
            PersonKind::Account => contact::accounts(app, &ids).await?,
            PersonKind::PreRegistration => contact::applicants(tx, &ids).await?,
            PersonKind::Admission => contact::admitted(tx, &ids).await?,
            PersonKind::Learner => contact::learners(app, &ids).await?,
            PersonKind::Teacher | PersonKind::SiteStaff | PersonKind::ClassManager => {
                contact::staff(tx, kind, Some(&ids), &Scope::whole_school()).await?
            }
        });
    }
    Ok(found)
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
    workspace: &'a Workspace,
    event: &'a Event,
    scene: &'a Scene,
    templates: &'a [Template],
    values: Values,
    origin: Origin,
}

/// Where links lead outside of the inbox.
struct Origin {
    /// What the school says of its clients (01 §13 `clientUrls`).
    clients: Value,
    /// The school's own domain, else the platform's; none before one is configured.
    domain: Option<String>,
}

impl Origin {
    async fn of(workspace: &Workspace, tx: &mut Tx) -> Result<Self> {
        let clients = match &workspace.school {
            Some(_) => CLIENT_URLS.value(tx).await?,
            None => Value::Null,
        };
        Ok(Self { clients, domain: domain(workspace).await? })
    }

    /// Before the path of a link of such a person.
    fn before(&self, kind: PersonKind) -> Option<&str> {
        let client = kind.client().and_then(|client| self.clients[client].as_str());
        let client = client.map(|url| url.trim_end_matches('/')).filter(|url| !url.is_empty());
        client.or(self.domain.as_deref())
    }
}

async fn domain(workspace: &Workspace) -> Result<Option<String>> {
    let own = workspace.school.as_ref().and_then(|school| school.domain.clone());
    let domain = match own {
        Some(domain) => Some(domain),
        None => {
            let site = in_force::<WebsiteConfig>(&workspace.app, ConfigKind::Website, None).await?;
            site.and_then(|site| site.domain)
        }
    };
    Ok(domain.map(|domain| format!("https://{domain}")))
}

impl Draft<'_> {
    async fn write(&self, tx: &mut Tx, contacts: &[Contact]) -> Result<Change> {
        let now = self.workspace.now();
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
        let lives = match self.event.scene.as_str() {
            "supervise_reminder" => chrono::Duration::hours(24),
            _ => chrono::Duration::days(7),
        };
        let shared = Shared {
            msg_id,
            priority: if self.event.scene == "account_password_reset" { 1 } else { 5 },
            now,
            expires_at: self.event.occurred_at.max(now) + lives,
        };
        let written = self.columns(contacts)?.write(tx, &shared).await?;
        sqlx::query!(
            "update msg set person_count = $2, total_count = $3, failed_count = $4 where id = $1",
            msg_id,
            written.persons,
            written.total,
            written.failed
        )
        .execute(&mut **tx)
        .await?;
        sender::close(tx, &[msg_id], now).await?;
        Ok(Change::event("msg", msg_id, "insert", json!({ "scene": self.event.scene, "persons": written.persons })))
    }

    fn columns(&self, contacts: &[Contact]) -> Result<Columns> {
        let mut columns = Columns::default();
        for template in self.templates {
            let personal = [&template.title, &template.content].iter().any(|text| text.contains("{{name}}"));
            for contact in contacts.iter().filter(|contact| contact.is_on(template.channel)) {
                let mut values = self.values.clone();
                values.insert("name".to_owned(), contact.name.clone());
                if let (true, Some(origin), Some(link)) =
                    (template.channel != Channel::InApp, self.origin.before(contact.kind), values.get_mut("link"))
                    && link.starts_with('/')
                {
                    link.insert_str(0, origin);
                }
                let text = template::rendered(template.channel, &template.title, &template.content, &values)?;
                let address = contact.address(template.channel, self.workspace.school_id());
                // The inbox shows the message's own text unless it calls the person by name.
                let own = template.channel != Channel::InApp || personal;
                let provider =
                    template.provider_template_code.as_ref().map(|code| json!({ "code": code, "values": text.values }));
                let letter = Letter {
                    fail: contact::missing(template.channel, address.as_deref()),
                    address,
                    template_id: Some(template.id),
                    title: own.then_some(text.title),
                    content: own.then_some(text.content),
                    provider,
                    segments: text.segments,
                    ..Letter::default()
                };
                columns.push(contact, template.channel, letter);
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
