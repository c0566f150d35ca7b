//! 院校账号: the administrators of a school, and which roles an account has.

use std::collections::BTreeSet;

use async_trait::async_trait;
use serde_json::{Value as Json, json};

use crate::{
    api::{Api, Call, number, unless_gone},
    entity::{numbered, school_of},
    failure::{Failure, Result},
    field::{Field, Place, Rule, body, differs, field, id, local, school_code, seen, text_field},
    kind::{Given, Kind, Made, Memory, Resource, Secret, Seen, import_command},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Type, attribute},
        value::{Object, Value},
    },
};

const VIEW: &str = "/system/pc/sys/school/user/view";
const OPERATOR: &str = "/system/pc/sys/user/view";
const PASSWORD: Secret = Secret {
    attribute: "initial_password_wo",
    version: "initial_password_wo_version",
    json: "initialPassword",
    tail: None,
};

fn login_name() -> Field {
    text_field("login_name", "loginName", "The name with which one signs in (账号).")
        .required()
        .place(Place::Born)
        .rule(Rule::Pattern("^[A-Za-z0-9_.@-]{4,32}$", "It is 4 to 32 of letters, digits, _ . @ and -."))
}

fn role_names() -> Field {
    let names = attribute("role_names", Type::TextSet, "Names of all roles that the account has there (角色).");
    field(names.required(), "roleIdList").place(Place::Local)
}

fn login_of(state: &Object) -> &str {
    state.get("login_name").and_then(Value::as_text).unwrap_or_default()
}

/// The numbers of roles; of two with one name the school's own.
fn numbers(choices: &Json, names: &[&str]) -> Result<Vec<i64>> {
    names
        .iter()
        .map(|name| {
            let named = choices.as_array().into_iter().flatten().filter(|role| role["roleName"] == **name);
            let role = named.min_by_key(|role| role["template"] == json!(true)).ok_or_else(|| {
                let told = Diagnostic::error(format!("There is no enabled role {name} here"));
                Failure::Told(told.at("role_names"))
            })?;
            number(role, "id")
        })
        .collect()
}

/// The roles of these names at a school.
async fn school_roles(api: &Api, school: i64, names: &[&str]) -> Result<Vec<i64>> {
    let call = Call::get("/system/pc/sys/school/user/selectRoleList").with("schoolId", school);
    numbers(&api.send(call).await?, names)
}

/// The account, and what it is at this school; none when it is not bound to it.
async fn bound(api: &Api, login_name: &str, school: i64) -> Result<Option<(Json, Json)>> {
    let Some(account) = unless_gone(api.send(Call::get(VIEW).with("loginName", login_name)).await)? else {
        return Ok(None);
    };
    let mut bindings = account["bindings"].as_array().into_iter().flatten();
    let binding = bindings.find(|binding| binding["schoolId"].as_i64() == Some(school)).cloned();
    Ok(binding.map(|binding| (account, binding)))
}

fn names_of(binding: &Json) -> Value {
    let roles = binding["roles"].as_array().into_iter().flatten();
    Value::List(roles.filter_map(|role| role["roleName"].as_str()).map(|name| Value::Text(name.to_owned())).collect())
}

/// The sites and classes that the account has of roles that it keeps; without them they would be lost.
fn scopes(binding: &Json, kept: &[i64]) -> Json {
    let roles = binding["roles"].as_array().into_iter().flatten();
    let is_kept = |role: &&Json| role["roleId"].as_i64().is_some_and(|id| kept.contains(&id));
    let has_any = |role: &&Json| ["siteIds", "classIds"].iter().any(|name| role[*name].get(0).is_some());
    roles
        .filter(is_kept)
        .filter(has_any)
        .map(|role| json!({ "roleId": role["roleId"], "siteIds": role["siteIds"], "classIds": role["classIds"] }))
        .collect()
}

/// What somebody else changed since the plan is not written over.
///
/// # Errors
/// When the account has other roles than `prior` says; of a resource that is new there is nothing to say.
fn unchanged(prior: &Object, now: &Value) -> Result<()> {
    let Some(before) = prior.get("role_names") else { return Ok(()) };
    let set = |names: &Value| names.texts().into_iter().map(ToOwned::to_owned).collect::<BTreeSet<String>>();
    if set(before) == set(now) {
        return Ok(());
    }
    let told = Diagnostic::error("The roles changed since the plan; plan again");
    Err(Failure::Told(told.detail(format!("They are {} now.", now.texts().join(", "))).at("role_names")))
}

/// Sets the roles at a school, in one call.
async fn give(api: &Api, binding: &Json, school: i64, names: &[&str]) -> Result<()> {
    let ids = school_roles(api, school, names).await?;
    let form = json!({
        "id": binding["id"], "version": binding["version"], "teacherId": binding["teacherId"],
        "scopes": scopes(binding, &ids), "roleIdList": ids,
    });
    api.send(Call::put("/system/pc/sys/school/user/editSchoolRole", form)).await.map(|_| ())
}

fn not_bound(login_name: &str) -> Failure {
    let told = Diagnostic::error(format!("There is no account {login_name} at this school"));
    Failure::Told(told.at("login_name"))
}

/// An administrator of a school: an account that is made with the resource and unbound at its end.
pub struct SchoolAdmin(Resource);

impl SchoolAdmin {
    pub fn new() -> Self {
        let password = attribute(
            PASSWORD.attribute,
            Type::Text,
            "With what one signs in the first time (初始密码); a random one that nobody knows when left out.",
        );
        let version = attribute(PASSWORD.version, Type::Number, "1; the password is only given once, at creation.");
        Self(Resource {
            name: "school_admin",
            says: "An administrator of a school (院校管理员).",
            fields: vec![
                id(),
                school_code(),
                login_name(),
                text_field("real_name", "realName", "Name (姓名).").required().rule(Rule::Longest(30)),
                text_field("phone", "phone", "Mobile phone (手机号); shown masked by the server.").masked().rule(
                    Rule::Pattern(r"^1[3-9][0-9]([0-9]{4}|\*{4})[0-9]{4}$", "It is a mobile number of 11 digits."),
                ),
                text_field("email", "email", "Mail address (邮箱); shown masked by the server.")
                    .masked()
                    .rule(Rule::Longest(60)),
                text_field(
                    "expires_at",
                    "gmtExpires",
                    "Until when it may sign in (有效期至), YYYY-MM-DDThh:mm:ss+08:00.",
                )
                .rule(Rule::Pattern(
                    r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+08:00$",
                    "It is a time of China, such as 2027-09-01T00:00:00+08:00.",
                )),
                role_names(),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(255)),
                local(password.write_only()),
                local(version),
            ],
            secrets: vec![PASSWORD],
            import: &["school_code", "login_name"],
            frozen: &[
                ("school_code", "It is a person's account: make another one at the other school."),
                ("login_name", "It is a person's account: make another one under the other name."),
            ],
            replaced: &[],
        })
    }
}

impl SchoolAdmin {
    /// Of an account the server says it without a field, and it may be there without being bound to the school.
    fn taken(&self, planned: &Object, failure: Failure) -> Failure {
        match failure {
            Failure::Refused(refusal) if refusal.code == 409 && refusal.msg.contains("账号已") => {
                let told = Diagnostic::error("The account is there already").at("login_name");
                let next = "If it is to be managed here: bind it to the school in the console where it is not, then";
                let command = import_command(&self.0, planned);
                Failure::Told(told.detail(format!("{}. {next} {command}", refusal.msg)))
            }
            other => other,
        }
    }
}

#[async_trait]
impl Kind for SchoolAdmin {
    fn resource(&self) -> &Resource {
        &self.0
    }

    fn plan(&self, prior: Option<&Object>, planned: &mut Object, told: &mut Vec<Diagnostic>) {
        let before = prior.and_then(|prior| prior.get(PASSWORD.version)).filter(|version| !version.is_null());
        let next = planned.get(PASSWORD.version).filter(|version| !version.is_null() && !version.has_unknown());
        if next.is_some() && before.is_some_and(|before| Some(before) != next) {
            let told_why =
                "It is given once. Who forgot theirs gets another in the console, from a person who signs for it.";
            told.push(Diagnostic::error("A password is not changed from here").detail(told_why).at(PASSWORD.version));
        }
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let Some(school) = school_of(api, state).await? else { return Ok(None) };
        let Some((account, binding)) = bound(api, login_of(state), school).await? else { return Ok(None) };
        let mut values = seen(api, &self.0.fields, &account, state, None).await?;
        values.insert("id".to_owned(), Value::Text(number(&account, "id")?.to_string()));
        values.insert("role_names".to_owned(), names_of(&binding));
        Ok(Some(Seen { values, version: account["version"].as_i64() }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        let code = given.planned["school_code"].as_text().unwrap_or_default();
        let school = api.school(code).await?;
        let roles = school_roles(api, school, &given.planned["role_names"].texts()).await?;
        let mut form = body(api, &self.0.fields, given.planned, None, true).await?;
        form.insert("schoolId".to_owned(), json!(school));
        form.insert("isAdmin".to_owned(), json!(true));
        form.insert("roleIdList".to_owned(), json!(roles));
        if let Some(password) = given.secret(&PASSWORD) {
            form.insert(PASSWORD.json.to_owned(), json!(api.cipher(password).await?));
        }
        let call = Call::post("/system/pc/sys/school/user/save", Json::Object(form)).under_key(given.memory.key());
        let answer = api.send(call).await.map_err(|failure| self.taken(given.planned, failure))?;
        // A password in the answer is dropped here: it must not come into a state.
        Ok(Made::numbered(number(&answer, "id")?))
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        let code = given.planned["school_code"].as_text().unwrap_or_default();
        let school = api.school(code).await?;
        let login_name = login_of(given.prior);
        if differs(&self.0.fields, Place::Form, given.prior, given.planned) {
            let (account, _) = bound(api, login_name, school).await?.ok_or_else(|| not_bound(login_name))?;
            let version = given.memory.version().map_or_else(|| number(&account, "version"), Ok)?;
            let mut form = body(api, &self.0.fields, given.planned, None, false).await?;
            form.insert("id".to_owned(), json!(numbered(given.prior)?));
            form.insert("version".to_owned(), json!(version));
            form.insert("gender".to_owned(), account["gender"].clone());
            api.send(Call::put("/system/pc/sys/school/user/edit", Json::Object(form))).await?;
        }
        if given.changes("role_names") {
            let (_, binding) = bound(api, login_name, school).await?.ok_or_else(|| not_bound(login_name))?;
            unchanged(given.prior, &names_of(&binding))?;
            give(api, &binding, school, &given.planned["role_names"].texts()).await?;
        }
        Ok(Vec::new())
    }

    async fn delete(&self, api: &Api, prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        let code = prior["school_code"].as_text().unwrap_or_default();
        let school = api.school(code).await?;
        let Some((_, binding)) = bound(api, login_of(prior), school).await? else { return Ok(Vec::new()) };
        let id = number(&binding, "id")?;
        api.send(Call::delete("/system/pc/sys/school/user/deleteBingSchool").with("id", id)).await?;
        Ok(vec![Diagnostic::warning("The account is no longer bound to the school; what it did stays in its name")])
    }
}

/// All roles of an account that is there already, at a school or at the platform.
pub struct RoleAssignment(Resource);

impl RoleAssignment {
    pub fn new() -> Self {
        let school = attribute("school_code", Type::Text, "Code of the school; without it, the roles at the platform.");
        Self(Resource {
            name: "school_role_assignment",
            says: "The roles of an account that is not made here (分配角色); of one that is, `school_admin` has them.",
            fields: vec![id(), local(school), login_name(), role_names()],
            secrets: Vec::new(),
            import: &["school_code", "login_name"],
            frozen: &[],
            replaced: &["school_code", "login_name"],
        })
    }

    async fn set(api: &Api, prior: &Object, state: &Object) -> Result<i64> {
        let (login_name, names) = (login_of(state), state["role_names"].texts());
        if let Some(school) = school_of(api, state).await? {
            let (account, binding) = bound(api, login_name, school).await?.ok_or_else(|| not_bound(login_name))?;
            unchanged(prior, &names_of(&binding))?;
            give(api, &binding, school, &names).await?;
            return number(&account, "id");
        }
        let account = api.send(Call::get(OPERATOR).with("loginName", login_name)).await?;
        unchanged(prior, &Value::of_json(&account["roleNames"]))?;
        let id = number(&account, "id")?;
        let roles = numbers(&api.send(Call::get("/system/pc/sys/role/list")).await?, &names)?;
        let form = json!({ "userId": id, "roleIdList": roles, "version": account["version"] });
        api.send(Call::post("/system/pc/sys/user/allocation", form)).await?;
        Ok(id)
    }
}

#[async_trait]
impl Kind for RoleAssignment {
    fn resource(&self) -> &Resource {
        &self.0
    }

    fn validate(&self, config: &Object, told: &mut Vec<Diagnostic>) {
        if matches!(config.get("role_names"), Some(Value::List(names)) if names.is_empty()) {
            told.push(Diagnostic::error("An account has at least one role").at("role_names"));
        }
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let login_name = login_of(state);
        let (account, names) = match school_of(api, state).await? {
            Some(school) => match bound(api, login_name, school).await? {
                Some((account, binding)) => (account, names_of(&binding)),
                None => return Ok(None),
            },
            None => match unless_gone(api.send(Call::get(OPERATOR).with("loginName", login_name)).await)? {
                Some(account) => {
                    let names = Value::of_json(&account["roleNames"]);
                    (account, names)
                }
                None => return Ok(None),
            },
        };
        let mut values = state.clone();
        values.insert("id".to_owned(), Value::Text(number(&account, "id")?.to_string()));
        values.insert("role_names".to_owned(), names);
        Ok(Some(Seen { values, version: None }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        Self::set(api, given.prior, given.planned).await.map(Made::numbered)
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        Self::set(api, given.prior, given.planned).await?;
        Ok(Vec::new())
    }

    async fn delete(&self, _api: &Api, _prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        Ok(vec![Diagnostic::warning("The account keeps its roles; they are only no longer managed here")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schools_own_role_comes_before_a_template_of_the_same_name() {
        let choices = json!([
            { "id": 1, "roleName": "教务", "template": true },
            { "id": 2, "roleName": "教务", "template": false },
            { "id": 3, "roleName": "招生" },
        ]);
        assert_eq!(numbers(&choices, &["教务", "招生"]), Ok(vec![2, 3]));
        let Err(Failure::Told(told)) = numbers(&choices, &["财务"]) else { panic!("there is none") };
        assert_eq!(told, Diagnostic::error("There is no enabled role 财务 here").at("role_names"));
    }

    #[test]
    fn an_account_that_is_there_is_to_be_imported() {
        let text = |text: &str| Value::Text(text.to_owned());
        let planned =
            Object::from([("school_code".to_owned(), text("10589")), ("login_name".to_owned(), text("office"))]);
        let refused = |msg: &str| {
            Failure::Refused(crate::failure::Refusal { code: 409, msg: msg.to_owned(), ..Default::default() })
        };
        for msg in ["账号已存在，可直接绑定", "该账号已绑定本院校"] {
            let Failure::Told(told) = SchoolAdmin::new().taken(&planned, refused(msg)) else { panic!("it is told") };
            assert!(told.detail.ends_with("terraform import school_admin.<name> '10589/office'"), "{told:?}");
        }
        assert_eq!(SchoolAdmin::new().taken(&planned, refused("其他")), refused("其他"));
    }

    #[test]
    fn roles_that_somebody_else_gave_meanwhile_are_not_taken_away() {
        let names = |names: &[&str]| Value::List(names.iter().map(|name| Value::Text((*name).to_owned())).collect());
        let prior = Object::from([("role_names".to_owned(), names(&["教务", "招生"]))]);
        assert_eq!(unchanged(&prior, &names(&["招生", "教务"])), Ok(()));
        assert!(unchanged(&prior, &names(&["教务", "招生", "财务"])).is_err());
        assert_eq!(unchanged(&Object::new(), &names(&["财务"])), Ok(()));
    }

    #[test]
    fn sites_and_classes_of_a_role_that_stays_are_kept() {
        let binding = json!({ "roles": [
            { "roleId": 1, "roleName": "站点", "siteIds": [5], "classIds": [] },
            { "roleId": 2, "roleName": "教务", "siteIds": [], "classIds": [] },
            { "roleId": 3, "roleName": "班级", "siteIds": [], "classIds": [9] },
        ] });
        assert_eq!(scopes(&binding, &[1, 2]), json!([{ "roleId": 1, "siteIds": [5], "classIds": [] }]));
        assert_eq!(names_of(&binding).texts(), ["站点", "教务", "班级"]);
    }
}
