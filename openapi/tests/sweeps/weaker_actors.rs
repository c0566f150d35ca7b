//! Nobody acts on an account, a role or a machine token that holds more than they could give (01 §2.2.3): every operation of the
//! document that changes one, called by somebody weaker, is refused and changes nothing; called by somebody strong enough,
//! the same call succeeds, so that it was not refused for another reason.
//!
//! The operations come from the document. A new one is inside; what is outside is named with its reason.

use std::collections::{BTreeMap, BTreeSet};

use kit::{Answer, Client, PASSWORD, Server, accounts::all_school_codes};
use openapi::{document, modules};
use poem::http::Method;
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

/// What an operation changes, by the beginning of its path; the longest that fits.
const KINDS: [(&str, Kind); 7] = [
    ("/system/pc/sys/user/", Kind::Account),
    ("/system/pc/sys/school/user/", Kind::Account),
    ("/system/pc/sys/school/user/deleteBingSchool", Kind::Binding),
    ("/system/pc/sys/school/user/editSchoolRole", Kind::Binding),
    ("/system/pc/sys/school/user/invitation/", Kind::Invitation),
    ("/system/pc/sys/role/", Kind::Role),
    ("/system/pc/sys/machineToken/", Kind::Token),
];

/// Menus and permissions are the system's: they belong to no account and to no role.
const NOBODYS: [&str; 2] = ["/system/pc/sys/menu/", "/system/pc/sys/permission/"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Account,
    Binding,
    Invitation,
    Role,
    Token,
}

/// An operation that changes an account, a role or a token which the call names by its number.
struct Step<'d> {
    id: &'d str,
    method: Method,
    path: &'d str,
    area: &'d str,
    permission: &'d str,
    kind: Kind,
    parameters: Vec<&'d str>,
    example: Option<Value>,
}

/// Fields that carry the number of what is changed, or copied.
const NUMBERS: [&str; 4] = ["id", "userId", "roleId", "copyOf"];

fn steps(document: &Value) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for (method, path, operation) in document::operations(document) {
        let permission = operation["x-permission"].as_str().unwrap_or_default();
        let of_accounts = operation["tags"]
            .as_array()
            .is_some_and(|tags| ["accounts", "roles", "sign_in"].iter().any(|module| tags.contains(&json!(module))));
        let has_code = !matches!(permission, "" | "public" | "signed-in");
        if !of_accounts || !has_code || operation["x-writes"] != json!(true) {
            continue;
        }
        let parameters: Vec<&str> = operation["parameters"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|parameter| parameter["in"] == json!("query"))
            .filter_map(|parameter| parameter["name"].as_str())
            .collect();
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        let schema = schema["$ref"]
            .as_str()
            .and_then(|name| name.rsplit('/').next())
            .map(|name| &document["components"]["schemas"][name]);
        let fields: Vec<&str> = schema
            .and_then(|schema| schema["properties"].as_object())
            .into_iter()
            .flat_map(|fields| fields.keys().map(String::as_str))
            .collect();
        let names_one = parameters.iter().chain(&fields).any(|name| NUMBERS.contains(name));
        if !names_one || NOBODYS.iter().any(|beginning| path.starts_with(beginning)) {
            continue;
        }
        let kind = KINDS
            .iter()
            .filter(|(beginning, _)| path.starts_with(beginning))
            .max_by_key(|(beginning, _)| beginning.len())
            .unwrap_or_else(|| panic!("{path} changes something by its number: say what in KINDS"))
            .1;
        steps.push(Step {
            id: operation["operationId"].as_str().expect("an id"),
            method: method.parse().expect("a method"),
            path,
            area: operation["x-area"].as_str().unwrap_or_default(),
            permission,
            kind,
            parameters,
            example: schema.map(example_of),
        });
    }
    assert!(steps.len() >= 24, "only {} operations", steps.len());
    steps
}

/// The document's example; of a body that all modules share, off.
fn example_of(schema: &Value) -> Value {
    match &schema["example"] {
        Value::Null => json!({ "id": 1, "version": 1, "enabled": false }),
        example => example.clone(),
    }
}

/// Who tries, who succeeds, and what is made for them to act on.
struct Scene<'s> {
    server: &'s Server,
    weak: Client<'s>,
    strong: Client<'s>,
    /// In which area both are.
    area: &'static str,
    /// The school that an operator names; nobody inside a school names one.
    named: Option<i64>,
    /// Where school accounts work.
    school: i64,
    /// Codes of what is acted on.
    codes: Vec<String>,
    /// What weaker people may do too, and why.
    may: BTreeMap<&'static str, &'static str>,
}

impl Scene<'_> {
    async fn user(&self, login_name: &str) -> i64 {
        self.server.one(&format!("select id from platform.sys_user where login_name = '{login_name}'")).await
    }

    /// The school that the call names: to be bound, another than where the account works.
    fn named(&self, step: &Step<'_>) -> Option<i64> {
        self.named.map(|school| if step.id == BINDS { 3 - school } else { school })
    }

    /// Makes what an operation is to change; answers its number, and the login name of its account.
    async fn target(&self, step: &Step<'_>) -> (i64, String) {
        let codes: Vec<&str> = self.codes.iter().map(String::as_str).collect();
        let of_platform = !step.path.starts_with("/system/pc/sys/school/") && self.area == "platform";
        let login_name = if of_platform {
            let codes: Vec<String> = modules::modules().permissions().map(|entry| entry.code.to_owned()).collect();
            self.server.platform_account(&codes, None).await
        } else {
            let elsewhere = step.id == BINDS && self.area == "school";
            let school = if elsewhere { 3 - self.school } else { self.school };
            self.server.account(school, &codes, "whole_school", &[]).await
        };
        let user = self.user(&login_name).await;
        let id = match step.kind {
            Kind::Account => user,
            Kind::Binding => {
                self.server.one(&format!("select id from platform.sys_user_school where user_id = {user}")).await
            }
            Kind::Role => {
                // The account's own role, held by nobody any more, so that it may be deleted.
                let role: i64 = self
                    .server
                    .one(&format!("select id from platform.sys_role where role_name = '{login_name}'"))
                    .await;
                self.server.run(&format!("delete from platform.sys_user_role where role_id = {role}")).await;
                role
            }
            Kind::Token => {
                let owner = user;
                let account = self.server.platform_account(&[], None).await;
                let account = self.user(&account).await;
                self.server
                    .one(&format!(
                        "insert into platform.sys_machine_token (name, owner_id, account_id, shown_prefix, secret_digest,
                             permission_codes, expires_at, created_by, updated_by)
                         values ('t{owner}', {owner}, {account}, 'cjm_', decode(md5('{owner}'), 'hex'),
                             '{{data:pc:dashboard:view}}', now() + interval '1 day', 0, 0) returning id"
                    ))
                    .await
            }
            Kind::Invitation => {
                let by = self.user("operator").await;
                self.server
                    .one(&format!(
                        "insert into platform.sys_school_invitation (user_id, school_id, login_name, role_ids, scopes, is_admin,
                             ends_at, created_by, updated_by)
                         select {user}, {}, '{login_name}', array[min(id)], '[]', false, now() + interval '1 day', {by}, {by}
                         from platform.sys_role returning id",
                        self.school
                    ))
                    .await
            }
        };
        (id, login_name)
    }

    async fn version(&self, step: &Step<'_>, id: i64) -> i64 {
        let table = match step.kind {
            Kind::Account => "sys_user",
            Kind::Binding => "sys_user_school",
            Kind::Invitation => "sys_school_invitation",
            Kind::Role => "sys_role",
            Kind::Token => "sys_machine_token",
        };
        self.server.one(&format!("select version::bigint from platform.{table} where id = {id}")).await
    }

    /// A role without rights, which anybody may give.
    async fn empty_role(&self, of_platform: bool) -> i64 {
        let kind = if of_platform { 0 } else { 1 };
        let found: Option<i64> = self
            .server
            .one(&format!("select max(id) from platform.sys_role where role_name = '空角色' and client_type = {kind}"))
            .await;
        match found {
            Some(id) => id,
            None => {
                self.server
                    .one(&format!(
                        "insert into platform.sys_role (role_name, client_type, created_by, updated_by)
                         values ('空角色', {kind}, 0, 0) returning id"
                    ))
                    .await
            }
        }
    }

    /// The example of the document, about this row.
    async fn body(&self, step: &Step<'_>, id: i64, login_name: &str) -> Value {
        let mut body = step.example.clone().expect("an example");
        let of_platform = !step.path.starts_with("/system/pc/sys/school/");
        let role = self.empty_role(of_platform).await;
        let version = if body.get("copyOf").is_some() { 1 } else { self.version(step, id).await };
        let kind = match (self.area, step.kind) {
            ("school", _) => "own",
            _ => "platform",
        };
        for (field, value) in body.as_object_mut().expect("fields") {
            let known = match field.as_str() {
                "id" | "userId" | "roleId" | "copyOf" => json!(id),
                "version" => json!(version),
                "loginName" => json!(login_name),
                "roleName" => json!(format!("改名{id}")),
                "kind" => json!(kind),
                "dataScope" => json!("whole_school"),
                "roleIdList" => json!([role]),
                "schoolId" => json!(self.named(step)),
                "oldPassword" => json!(self.server.cipher(PASSWORD)),
                "loginPassword" | "confirmPassword" => json!(self.server.cipher("Second#2026qiu")),
                "phone" => json!(null),
                "siteIds" | "classIds" | "scopes" | "menuIds" | "permissionIds" => json!([]),
                _ => continue,
            };
            *value = known;
        }
        if self.named.is_none() {
            body.as_object_mut().expect("fields").remove("schoolId");
        }
        body
    }

    async fn call(&self, client: &Client<'_>, step: &Step<'_>, id: i64, login_name: &str) -> Answer {
        let query: Vec<String> = step
            .parameters
            .iter()
            .filter_map(|name| match *name {
                "schoolId" => self.named(step).map(|school| format!("schoolId={school}")),
                "enabled" => Some("enabled=false".to_owned()),
                name => Some(format!("{name}={id}")),
            })
            .collect();
        let path = format!("{}?{}", step.path, query.join("&"));
        match &step.example {
            Some(_) => client.json(step.method.clone(), &path, &self.body(step, id, login_name).await).await,
            None => client.bare(step.method.clone(), &path).await,
        }
    }

    /// Everything that belongs to accounts, roles and tokens.
    async fn state(&self) -> String {
        let tables = [
            "sys_user",
            "sys_user_school",
            "sys_school_invitation",
            "sys_user_role",
            "sys_user_role_scope",
            "sys_role",
            "sys_role_permission",
            "sys_role_menu",
            "sys_role_scope",
            "sys_machine_token",
            "sys_user_totp",
            "sys_recovery_code",
            "sys_password_history",
            "sys_session",
        ];
        let rows: Vec<String> = tables
            .iter()
            .map(|table| {
                format!("select '{table}' || (to_jsonb(t) - 'last_seen_at')::text as line from platform.{table} t")
            })
            .collect();
        let sql = format!("select md5(string_agg(line, '|' order by line)) from ({}) x", rows.join(" union all "));
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut self.server.owner().await).await.expect("a state")
    }

    /// Every step: refused to the weak, nothing changed; done by the strong.
    async fn holds(&self, document: &Value) {
        let mut excused = BTreeSet::new();
        for step in steps(document) {
            if step.area != "both" && step.area != self.area {
                continue;
            }
            let (id, login_name) = self.target(&step).await;
            self.empty_role(true).await;
            self.empty_role(false).await;
            let before = self.state().await;
            let refused = self.call(&self.weak, &step, id, &login_name).await;
            if self.may.contains_key(step.id) {
                assert!(!matches!(refused.code(), 400 | 422 | 500), "{}: {}", step.id, refused.body);
                excused.insert(step.id.to_owned());
                continue;
            }
            assert!(
                matches!(refused.code(), 403 | 404) && refused.msg() != "没有操作权限",
                "{} {} is not refused to somebody weaker: {}",
                step.method,
                step.path,
                refused.body
            );
            assert_eq!(self.state().await, before, "{} changed something", step.id);
            let done = self.call(&self.strong, &step, id, &login_name).await;
            assert_eq!(done.code(), 200, "{} is no valid call: {}", step.id, done.body);
        }
        let listed: BTreeSet<String> = self.may.keys().map(|id| (*id).to_owned()).collect();
        assert_eq!(excused, listed, "an exception without its operation");
    }
}

/// The codes of all these steps in an area, so that nobody is refused for want of the step's own code.
fn codes_of_steps(document: &Value, area: &str) -> Vec<String> {
    let steps = steps(document);
    let here = steps.iter().filter(|step| step.area == "both" || step.area == area);
    let codes: BTreeSet<String> = here.map(|step| step.permission.to_owned()).collect();
    codes.into_iter().collect()
}

const BINDS: &str = "bindSchoolUser";
const WITHDRAWS: (&str, &str) =
    ("withdrawSchoolInvitation", "takes back what the school asked; nothing of the account is touched");
const CREATES: (&str, &str) = ("saveRole", "a new role gives nothing to anybody, and only what whoever makes it holds");

#[tokio::test]
async fn inside_a_school_nobody_acts_on_what_is_stronger() {
    let server = Server::start().await;
    let document = document::document();
    let own = codes_of_steps(document, "school");
    let weak = server.staff(1, &own.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let strong = kit::accounts::admin(&server, 1).await;
    let may = BTreeMap::from([WITHDRAWS, (BINDS, "an invitation opens nothing of the account until its owner agrees")]);
    let scene =
        Scene { server: &server, weak, strong, area: "school", named: None, school: 1, codes: all_school_codes(), may };
    scene.holds(document).await;
}

/// The same codes, but of one site.
#[tokio::test]
async fn inside_a_school_nobody_acts_on_what_reaches_further() {
    let server = Server::start().await;
    let document = document::document();
    let own = codes_of_steps(document, "school");
    let names: Vec<&str> = own.iter().map(String::as_str).collect();
    let weak = server.staff_within(1, &names, "named_sites", &[1]).await;
    let strong = kit::accounts::admin(&server, 1).await;
    let may = BTreeMap::from([WITHDRAWS, (BINDS, "an invitation opens nothing of the account until its owner agrees")]);
    let scene = Scene { server: &server, weak, strong, area: "school", named: None, school: 1, codes: own, may };
    scene.holds(document).await;
}

#[tokio::test]
async fn at_the_platform_nobody_acts_on_what_is_stronger() {
    let server = Server::start().await;
    let document = document::document();
    let strong = server.operator().await;
    let weak = server.platform_account(&codes_of_steps(document, "platform"), None).await;
    let weak = server.signed_in(&weak, "login").await;
    let may = BTreeMap::from([WITHDRAWS, (BINDS, "gives what whoever binds holds; the account keeps what it has")]);
    let scene = Scene {
        server: &server,
        weak,
        strong,
        area: "platform",
        named: Some(1),
        school: 1,
        codes: all_school_codes(),
        may,
    };
    scene.holds(document).await;
}

/// An operator of one school, who holds every right there is.
#[tokio::test]
async fn an_operator_of_one_school_acts_on_nothing_beyond_it() {
    let server = Server::start().await;
    let document = document::document();
    let strong = server.operator().await;
    let weak = server.platform_account(&[], Some(&[1])).await;
    for role in ["super", "support"] {
        server
            .run(&format!(
                "insert into platform.sys_user_role (user_id, role_id, created_by)
                 select u.id, r.id, 0 from platform.sys_user u, platform.sys_role r
                 where u.login_name = '{weak}' and r.seed_key = '{role}'"
            ))
            .await;
    }
    let weak = server.signed_in(&weak, "login").await;
    let scene = Scene {
        server: &server,
        weak,
        strong,
        area: "platform",
        named: Some(2),
        school: 2,
        codes: Vec::new(),
        may: BTreeMap::from([CREATES]),
    };
    scene.holds(document).await;
}
