//! 院校: a tenant. It is opened once, never replaced, and at the end archived; people alone delete.
//!
//! ```text
//! create   save under a key → wait until it is ready ─interrupted, too late→ kept, with a warning; an apply waits on
//!                                                    └failed→ an error; an apply asks the server to try again
//! update   restore → edit (an end of the service that is past is renewed before anything asks for it) → resume → to active →
//!          suspend, as the status asks
//! end      refused while deletion_protection is on; archive, or (abandon) nothing
//! ```

use std::time::{Duration, Instant};

use async_trait::async_trait;
use serde_json::{Value as Json, json};

use crate::{
    api::{Api, Call, number, text, unless_gone},
    entity::{number_in, numbered},
    failure::{Failure, Result},
    field::{Place, Rule, body, differs, field, group, id, local, number_field, seen, switch, text_field},
    kind::{Given, Kind, Made, Memory, Resource, Secret, Seen},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Nesting, Type, attribute},
        value::{Object, Value},
    },
};

const VIEW: &str = "/system/pc/sys/school/view";
const PASSWORD: Secret =
    Secret { attribute: "admin_password_wo", version: "admin_password_wo_version", json: "adminPassword", tail: None };
/// Between the first two looks at a school that is being opened; then longer each time, up to [`LONGEST_PAUSE`]. One alone is soon
/// seen to be open, and of many that wait for each other the looks do not take the time in which the server opens them.
const PAUSE: Duration = Duration::from_millis(400);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How long a school may take when nobody says, in seconds.
const PATIENCE: i64 = 300;

/// Attributes of the first administrator, and their names in the call.
const ADMIN: [(&str, &str); 3] =
    [("login_name", "adminLoginName"), ("real_name", "adminRealName"), ("phone", "adminPhone")];

pub struct School(Resource);

fn picture(name: &'static str, json: &'static str, says: &'static str) -> crate::field::Field {
    text_field(name, json, says).rule(Rule::Pattern(
        r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$",
        "It begins with https://, http:// or /.",
    ))
}

impl School {
    pub fn new() -> Self {
        let admin = vec![
            attribute("login_name", Type::Text, "Its account; <code>_admin when left out."),
            attribute("real_name", Type::Text, "Its name."),
            attribute("phone", Type::Text, "Its mobile phone."),
        ];
        let admin = attribute(
            "admin",
            Type::Nested(Nesting::Single, admin),
            "The first administrator; counts at creation only.",
        );
        let password =
            attribute(PASSWORD.attribute, Type::Text, "The first administrator's password; counts at creation only.");
        let version = attribute(PASSWORD.version, Type::Number, "1; the password is only given once, at creation.");
        let on_destroy = attribute("on_destroy", Type::Text, "At the end: archive (归档), or abandon (left as it is).");
        let wait = attribute("wait_for_ready", Type::Bool, "Whether an apply waits until the school is open.");
        let timeout = attribute("create_timeout", Type::Number, "How many seconds it waits at most.");
        Self(Resource {
            name: "school",
            says: "A school (院校): a tenant with data of its own.",
            fields: vec![
                id(),
                text_field("code", "code", "Its code (院校代码); never changes.")
                    .required()
                    .place(Place::Born)
                    .rule(Rule::Pattern("^[0-9a-z]{2,20}$", "It is 2 to 20 of 0-9 and a-z.")),
                text_field("name", "name", "Name (院校名称).").required().rule(Rule::Longest(60)),
                text_field("short_name", "shortName", "Short name (简称).").rule(Rule::Longest(12)),
                text_field("identity_code", "identityCode", "National number (院校标识码), ten digits.")
                    .rule(Rule::Pattern("^[0-9]{10}$", "It has ten digits.")),
                text_field("domain", "domain", "Host name of its site (域名).").rule(Rule::Pattern(
                    "^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$",
                    "It is a host name in small letters, without protocol and port.",
                )),
                text_field("status", "status", "trial (试用), active (正常) or suspended (停用).")
                    .default(Value::Text("active".to_owned()))
                    .place(Place::Step)
                    .rule(Rule::OneOf(&["trial", "active", "suspended"])),
                text_field("expires_on", "expiresOn", "Until when it is served (服务到期), YYYY-MM-DD.")
                    .or_computed()
                    .rule(Rule::date()),
                number_field("student_quota", "studentQuota", "Most students (学生配额).")
                    .rule(Rule::Between(1, 10_000_000)),
                number_field("storage_quota_gb", "storageQuotaGb", "Most gigabytes (存储配额).")
                    .rule(Rule::Between(1, 1_000_000)),
                group(
                    "contact",
                    "Whom to ask at the school.",
                    vec![
                        text_field("name", "contactName", "Name (联系人).").rule(Rule::Longest(30)),
                        text_field("phone", "contactPhone", "Phone (联系电话).").rule(Rule::Longest(30)),
                    ],
                ),
                text_field("province", "province", "Province (省份).").rule(Rule::Longest(30)),
                text_field("address", "address", "Address (地址).").rule(Rule::Longest(200)),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(255)),
                group(
                    "brand",
                    "How its site looks.",
                    vec![
                        picture("logo", "logo", "Address of the logo (标志)."),
                        picture("logo_no_word", "logoNoWord", "Address of the logo without words (无字标志)."),
                        picture("ico", "ico", "Address of the icon (页面图标)."),
                        text_field("title", "title", "Title (站点标题).").rule(Rule::Longest(60)),
                        picture("login_background", "loginBackground", "Address of the picture at sign-in (登录背景)."),
                        text_field("color", "brandColor", "Colour (品牌色), such as #165DFF.")
                            .rule(Rule::Pattern("^#[0-9a-fA-F]{6}$", "It is a colour such as #165DFF.")),
                    ],
                ),
                switch(
                    "assistance_center_enabled",
                    "assistanceCenterEnabled",
                    false,
                    "Whether it has the help centre (帮助中心).",
                ),
                switch(
                    "deletion_protection",
                    "deletionProtection",
                    true,
                    "Whether archiving and deleting are refused (删除保护).",
                )
                .place(Place::Step),
                local(on_destroy.default(Value::Text("archive".to_owned()))).rule(Rule::OneOf(&["archive", "abandon"])),
                local(wait.default(Value::Bool(true))),
                local(timeout.default(Value::Integer(PATIENCE))).rule(Rule::Between(0, 86_400)),
                local(admin),
                local(password.write_only()),
                local(version),
                field(attribute("ready", Type::Bool, "Whether the school is open.").read_only(), "")
                    .place(Place::Local),
            ],
            secrets: vec![PASSWORD],
            import: &["code"],
            frozen: &[(
                "code",
                "A code is given once. Another school is another resource; this one is archived, not replaced.",
            )],
            replaced: &[],
        })
    }

    async fn form(&self, api: &Api, planned: &Object, born: bool) -> Result<Json> {
        // Out of the configuration, the end of the service is the server's.
        let mut form = body(api, &self.0.fields, planned, None, born).await?;
        if planned.get("expires_on") == Some(&Value::Unknown) {
            form.remove("expiresOn");
        }
        Ok(Json::Object(form))
    }

    /// Writes over `record` as it was read, and over nothing newer.
    async fn edit(&self, api: &Api, record: &Json, planned: &Object, activate: bool) -> Result<()> {
        let id = number(record, "id")?;
        let mut form = self.form(api, planned, false).await?;
        form["id"] = json!(id);
        form["version"] = record["version"].clone();
        form["activate"] = json!(activate);
        form["deletionProtection"] = planned["deletion_protection"].json();
        if planned.get("expires_on").is_some_and(Value::has_unknown) {
            form["expiresOn"] = record["expiresOn"].clone();
        }
        api.send(Call::put("/system/pc/sys/school/edit", form)).await.map(|_| ())
    }

    /// What a new school is not yet.
    async fn finish(&self, api: &Api, id: i64, planned: &Object) -> Result<()> {
        if planned["deletion_protection"] == Value::Bool(false) {
            self.edit(api, &view(api, id).await?, planned, false).await?;
        }
        if planned["status"].as_text() == Some("suspended") {
            suspend(api, id).await?;
        }
        Ok(())
    }
}

async fn view(api: &Api, id: i64) -> Result<Json> {
    api.send(Call::get(VIEW).with("id", id)).await
}

async fn suspend(api: &Api, id: i64) -> Result<()> {
    let form = json!({ "id": id, "reason": "Terraform: status = suspended" });
    api.send(Call::put("/system/pc/sys/school/suspend", form)).await.map(|_| ())
}

/// Waits until the school is open. Too late and interrupted are warnings: an error would make core replace the school.
async fn ready(api: &Api, id: i64, planned: &Object) -> Result<Vec<Diagnostic>> {
    if planned["wait_for_ready"] == Value::Bool(false) {
        return Ok(Vec::new());
    }
    let seconds = planned["create_timeout"].as_integer().and_then(|time| u64::try_from(time).ok()).unwrap_or_default();
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut pause = PAUSE;
    loop {
        let record = view(api, id).await?;
        match record["provisionState"].as_str() {
            Some("ready") => return Ok(Vec::new()),
            Some("failed") => {
                let why = record["provisionError"].as_str().unwrap_or_default().to_owned();
                let told = Diagnostic::error("The school could not be opened");
                let next = "The school is there. Where a plan wants to replace it: terraform untaint, then apply.";
                return Err(Failure::Told(told.detail(format!("{why}\n{next}"))));
            }
            _ => {}
        }
        if Instant::now() >= end || !api.pause(pause).await {
            let why = if api.is_stopped() { "Interrupted" } else { "Too late" };
            let step = record["provisionStep"].as_str().unwrap_or_default();
            let told = Diagnostic::warning(format!("{why}: the school is still being opened"));
            return Ok(vec![told.detail(format!("It is at the step {step}. The next apply waits on."))]);
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

#[async_trait]
impl Kind for School {
    fn resource(&self) -> &Resource {
        &self.0
    }

    fn plan(&self, prior: Option<&Object>, planned: &mut Object, told: &mut Vec<Diagnostic>) {
        let Some(prior) = prior else { return };
        let before = prior.get(PASSWORD.version).filter(|version| !version.is_null());
        let next = planned.get(PASSWORD.version).filter(|version| !version.is_null() && !version.has_unknown());
        if next.is_some() && before.is_some_and(|before| Some(before) != next) {
            let why = "It is given once, when the school is opened. The administrator changes it.";
            told.push(Diagnostic::error("A password is not changed from here").detail(why).at(PASSWORD.version));
        }
        if prior["status"].as_text() == Some("active") && planned["status"].as_text() == Some("trial") {
            told.push(Diagnostic::error("A school that is active never goes back to trial").at("status"));
        }
        // Still being opened, or failed: the apply waits on, or tries again.
        if prior.get("ready") == Some(&Value::Bool(false)) && planned["wait_for_ready"] == Value::Bool(true) {
            planned.insert("ready".to_owned(), Value::Unknown);
        }
    }

    fn plan_end(&self, prior: &Object, told: &mut Vec<Diagnostic>) {
        let is_archived = prior.get("on_destroy").and_then(Value::as_text) != Some("abandon");
        if is_archived && prior.get("deletion_protection") == Some(&Value::Bool(true)) {
            let code = prior.get("code").and_then(Value::as_text).unwrap_or_default();
            let why = "Set `deletion_protection = false` and apply, then destroy; or terraform state rm.";
            let told_here = Diagnostic::error(format!("The school {code} is protected from deletion"));
            told.push(told_here.detail(why).at("deletion_protection"));
        }
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let call = match number_in(state) {
            Some(id) => Call::get(VIEW).with("id", id),
            None => Call::get(VIEW).with("code", state["code"].as_text().unwrap_or_default()),
        };
        let Some(record) = unless_gone(api.send(call).await)? else { return Ok(None) };
        let mut values = seen(api, &self.0.fields, &record, state, None).await?;
        values.insert("id".to_owned(), Value::Text(number(&record, "id")?.to_string()));
        let is_ready = text(&record, "provisionState")? == "ready";
        values.insert("ready".to_owned(), Value::Bool(is_ready));
        Ok(Some(Seen { values, version: record["version"].as_i64() }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        let mut form = self.form(api, given.planned, true).await?;
        let status = if given.planned["status"].as_text() == Some("trial") { "trial" } else { "active" };
        form["status"] = json!(status);
        if let Some(admin) = given.planned["admin"].as_object() {
            for (attribute, json) in ADMIN {
                form[json] = admin.get(attribute).map_or(Json::Null, Value::json);
            }
        }
        if let Some(password) = given.secret(&PASSWORD) {
            form[PASSWORD.json] = json!(api.cipher(password).await?);
        }
        let call = Call::post("/system/pc/sys/school/save", form).under_key(given.memory.key());
        // A password in the answer is dropped here: it must not come into a state.
        let id = number(&api.send(call).await?, "id")?;
        let mut made = Made::numbered(id);
        match ready(api, id, given.planned).await {
            Ok(told) => made.told = told,
            // It will not open by itself: the one thing that is an error.
            Err(Failure::Told(failed)) => {
                made.told.push(failed);
                return Ok(made);
            }
            Err(failure) => {
                made.failure = Some(failure);
                return Ok(made);
            }
        }
        Ok(made.then(self.finish(api, id, given.planned).await))
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        let id = numbered(given.prior)?;
        let mut record = view(api, id).await?;
        if given.memory.version().is_some_and(|planned| record["version"].as_i64() != Some(planned)) {
            return Err(Failure::Told(Diagnostic::error("The school changed since the plan; plan again")));
        }
        let mut told = Vec::new();
        if given.planned.get("ready") == Some(&Value::Unknown) {
            if record["provisionState"] == *"failed" {
                api.send(Call::ask("/system/pc/sys/school/provision/retry").with("id", id)).await?;
            }
            told = ready(api, id, given.planned).await?;
        }
        let wanted = given.planned["status"].as_text().unwrap_or_default().to_owned();
        if record["status"] == *"archived" {
            api.send(Call::step("/system/pc/sys/school/restore").with("id", id)).await?;
            record = view(api, id).await?;
        }
        // With the version that was looked at above, or that the step just made.
        if given.changes("deletion_protection") || differs(&self.0.fields, Place::Form, given.prior, given.planned) {
            self.edit(api, &record, given.planned, false).await?;
        }
        if record["status"] == *"suspended" && wanted != "suspended" {
            api.send(Call::step("/system/pc/sys/school/resume").with("id", id)).await?;
        }
        let record = view(api, id).await?;
        let now = text(&record, "status")?;
        if now == "trial" && wanted == "active" {
            self.edit(api, &record, given.planned, true).await?;
        }
        if wanted == "suspended" && now != "suspended" {
            suspend(api, id).await?;
        }
        if wanted == "trial" && now == "active" {
            return Err(Failure::Told(
                Diagnostic::error("A school that is active never goes back to trial").at("status"),
            ));
        }
        Ok(told)
    }

    async fn delete(&self, api: &Api, prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        if prior["on_destroy"].as_text() == Some("abandon") {
            return Ok(vec![Diagnostic::warning("The school stays as it is; it is only no longer managed here")]);
        }
        let id = numbered(prior)?;
        let record = view(api, id).await?;
        if record["status"] == *"archived" {
            return Ok(Vec::new());
        }
        if record["deletionProtection"] == json!(true) {
            let told = Diagnostic::error("Somebody protected the school from deletion since the plan");
            return Err(Failure::Told(told.at("deletion_protection")));
        }
        let form = json!({ "id": id, "reason": "Terraform: destroy" });
        api.send(Call::put("/system/pc/sys/school/archive", form)).await?;
        Ok(vec![Diagnostic::warning(
            "The school is archived: its data stay, its code stays taken; people alone delete it",
        )])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{kind, protocol::provider::Change};

    fn state(values: &[(&str, Value)]) -> Value {
        let school = School::new();
        let mut object: Object = school.0.fields.iter().map(|field| (field.name().to_owned(), Value::Null)).collect();
        object.extend(values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        Value::Object(object)
    }

    fn words(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn standing() -> Vec<(&'static str, Value)> {
        vec![
            ("id", words("3")),
            ("code", words("10589")),
            ("name", words("海南示范大学")),
            ("status", words("active")),
            ("expires_on", words("2027-12-31")),
            ("assistance_center_enabled", Value::Bool(false)),
            ("deletion_protection", Value::Bool(true)),
            ("on_destroy", words("archive")),
            ("wait_for_ready", Value::Bool(true)),
            ("create_timeout", Value::Integer(300)),
            ("ready", Value::Bool(true)),
        ]
    }

    fn plan(prior: Value, config: Value) -> crate::protocol::provider::Plan {
        kind::plan(&School::new(), Change { prior, next: config.clone(), config, private: Vec::new() })
    }

    #[test]
    fn a_protected_school_does_not_end() {
        let ended = |values: &[(&str, Value)]| {
            let change = Change { prior: state(values), next: Value::Null, config: Value::Null, private: Vec::new() };
            kind::plan(&School::new(), change).told
        };
        let told = ended(&standing());
        assert_eq!((told.len(), told[0].summary.as_str()), (1, "The school 10589 is protected from deletion"));
        assert_eq!(told[0].path, Diagnostic::error("").at("deletion_protection").path);
        let mut open = standing();
        open[6].1 = Value::Bool(false);
        assert!(ended(&open).is_empty());
        let mut left = standing();
        left[7].1 = words("abandon");
        assert!(ended(&left).is_empty());
    }

    #[test]
    fn a_school_is_never_replaced() {
        let plan = plan(state(&standing()), state(&[("code", words("10590")), ("name", words("海南示范大学"))]));
        assert!(plan.replaces.is_empty());
        assert_eq!((plan.told.len(), plan.told[0].summary.as_str()), (1, "`code` of school never changes"));
    }

    #[test]
    fn nothing_changes_where_nothing_differs() {
        let plan = plan(state(&standing()), state(&[("code", words("10589")), ("name", words("海南示范大学"))]));
        assert_eq!((plan.state.value, plan.told.len()), (state(&standing()), 0));
    }

    #[test]
    fn a_school_that_is_not_open_yet_is_waited_for_again() {
        let mut opening = standing();
        opening[10].1 = Value::Bool(false);
        let config = state(&[("code", words("10589")), ("name", words("海南示范大学"))]);
        let planned = plan(state(&opening), config).state.value.into_object();
        assert_eq!(planned["ready"], Value::Unknown);
        let patient =
            state(&[("code", words("10589")), ("name", words("海南示范大学")), ("wait_for_ready", Value::Bool(false))]);
        assert_eq!(plan(state(&opening), patient).state.value.into_object()["ready"], Value::Bool(false));
    }

    #[test]
    fn an_active_school_does_not_go_back_to_trial() {
        let config = state(&[("code", words("10589")), ("name", words("海南示范大学")), ("status", words("trial"))]);
        assert_eq!(plan(state(&standing()), config).told[0].path, Diagnostic::error("").at("status").path);
    }

    #[test]
    fn a_password_that_was_given_may_leave_the_configuration() {
        let mut given = standing();
        given.push((PASSWORD.version, Value::Integer(1)));
        let config = |version: Value| {
            state(&[("code", words("10589")), ("name", words("海南示范大学")), (PASSWORD.version, version)])
        };
        assert!(plan(state(&given), config(Value::Null)).told.is_empty());
        assert!(plan(state(&given), config(Value::Unknown)).told.is_empty());
        assert_eq!(plan(state(&given), config(Value::Integer(2))).told.len(), 1);
    }

    #[tokio::test]
    async fn a_school_whose_service_ended_is_renewed_before_it_is_resumed() {
        let record = |status: &str, version: i64| json!({ "id": 3, "status": status, "version": version });
        let (api, served) = crate::api::answering(vec![
            ("/school/view", record("suspended", 7)),
            ("/school/edit", json!({ "id": 3 })),
            ("/school/resume", json!(true)),
            ("/school/view", record("active", 9)),
        ])
        .await;
        let mut ended = standing();
        ended[3].1 = words("suspended");
        let mut renewed = standing();
        renewed[4].1 = words("2029-12-31");
        let (prior, planned) = (state(&ended).into_object(), state(&renewed).into_object());
        let memory = Memory::of(br#"{"version":7}"#);
        let given = Given { prior: &prior, planned: &planned, config: &planned, memory: &memory };
        assert_eq!(School::new().update(&api, given).await, Ok(Vec::new()));
        let sent = served.await.expect("all calls in this order");
        // The version is the one that was compared with the plan's.
        assert_eq!((&sent[1]["version"], &sent[1]["expiresOn"]), (&json!(7), &json!("2029-12-31")));
    }
}
