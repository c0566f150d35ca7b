//! 角色: bundles of permissions; the set of codes is the whole truth of a role.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use serde_json::{Value as Json, json};

use crate::{
    api::{Api, Call, number, unless_gone},
    entity::{number_in, numbered},
    failure::{Failure, Result},
    field::{Place, Rule, body, differs, field, id, local, seen, switch, text_field},
    kind::{Given, Kind, Made, Memory, PLATFORM, Resource, Seen},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Type, attribute},
        value::{Object, Value},
    },
    rights::{Right, TEMPLATE, rights, role_kind},
};

const VIEW: &str = "/system/pc/sys/role/view";

pub struct Role(Resource);

/// The rights of a role in the whole tree of its area.
struct Rights {
    version: i64,
    all: Vec<Right>,
}

impl Rights {
    fn codes(&self) -> BTreeSet<&str> {
        self.all.iter().filter(|right| right.checked).map(|right| right.code.as_str()).collect()
    }

    /// The numbers of the codes: all of them, or the first code that there is not.
    fn numbers<'a>(&self, codes: &[&'a str]) -> Result<Vec<i64>, &'a str> {
        let mut known: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for right in &self.all {
            known.entry(&right.code).or_default().push(right.id);
        }
        let mut numbers = Vec::new();
        for code in codes {
            numbers.extend(known.get(*code).ok_or(*code)?);
        }
        Ok(numbers)
    }
}

fn scope(state: &Object) -> &str {
    state.get("scope").and_then(Value::as_text).unwrap_or_default()
}

impl Role {
    pub fn new() -> Self {
        let scope = attribute("scope", Type::Text, "platform, template (for all schools) or the code of a school.");
        let permissions = attribute("permissions", Type::TextSet, "All codes that the role has (权限).");
        Self(Resource {
            name: "school_role",
            says: "A role (角色). Its permissions are exactly those that are listed.",
            fields: vec![
                id(),
                local(scope.required()),
                text_field("name", "roleName", "Name (角色名称).").required().rule(Rule::Longest(30)),
                text_field(
                    "data_scope",
                    "dataScope",
                    "whole_school (全校), named_sites (指定站点) or named_classes (指定班级).",
                )
                .default(Value::Text("whole_school".to_owned()))
                .place(Place::Born)
                .rule(Rule::OneOf(&["whole_school", "named_sites", "named_classes"])),
                field(permissions.required(), "permissionIds").place(Place::Local),
                switch("totp_required", "totpRequired", false, "Whether its people need a second step (须两步验证)."),
                text_field("remark", "remark", "Remark (备注).").rule(Rule::Longest(255)),
                switch("enabled", "enabled", true, "Whether it counts (启用).").place(Place::Step),
            ],
            secrets: Vec::new(),
            import: &["scope", "name"],
            frozen: &[],
            replaced: &["scope"],
        })
    }

    async fn school(api: &Api, state: &Object) -> Result<Option<i64>> {
        match scope(state) {
            PLATFORM | TEMPLATE => Ok(None),
            code => api.school(code).await.map(Some),
        }
    }

    async fn record(api: &Api, state: &Object, school: Option<i64>) -> Result<Option<Json>> {
        let call = Call::get(VIEW).within(school);
        let call = match number_in(state) {
            Some(id) => call.with("id", id),
            None => {
                let name = state.get("name").and_then(Value::as_text).unwrap_or_default();
                call.with("roleName", name).with("kind", role_kind(scope(state)))
            }
        };
        unless_gone(api.send(call).await)
    }

    async fn rights(api: &Api, id: i64, school: Option<i64>) -> Result<Rights> {
        let call = Call::get("/system/pc/sys/role/selectMenuAndPermission").with("id", id).within(school);
        let answer = api.send(call).await?;
        Ok(Rights { version: number(&answer, "version")?, all: rights(&answer["menus"]) })
    }

    /// Gives the role exactly these codes, in one call.
    async fn grant(api: &Api, id: i64, codes: &Value, school: Option<i64>) -> Result<()> {
        let rights = Self::rights(api, id, school).await?;
        let wanted = codes.texts();
        if rights.codes() == wanted.iter().copied().collect() {
            return Ok(());
        }
        let numbers = rights.numbers(&wanted).map_err(|unknown| {
            let told = Diagnostic::error(format!("There is no permission {unknown} in this scope"));
            Failure::Told(told.detail("`school_permission_catalogue` lists them.").at("permissions"))
        })?;
        // The menus of a role are those to its permissions: the server adds them.
        let body = json!({ "roleId": id, "menuIds": [], "permissionIds": numbers, "version": rights.version });
        api.send(Call::post("/system/pc/sys/role/allocation", body).within(school)).await.map(|_| ())
    }

    /// Nothing is asked of the server where it is as wanted.
    async fn switch(api: &Api, id: i64, wanted: &Value, school: Option<i64>) -> Result<()> {
        let record = api.send(Call::get(VIEW).with("id", id).within(school)).await?;
        if Value::of_json(&record["enabled"]) == *wanted {
            return Ok(());
        }
        let call = Call::step("/system/pc/sys/role/disableOrEnableRole").with("id", id);
        let call = call.with("enabled", *wanted == Value::Bool(true)).within(school);
        api.send(call).await.map(|_| ())
    }
}

#[async_trait]
impl Kind for Role {
    fn resource(&self) -> &Resource {
        &self.0
    }

    fn validate(&self, config: &Object, told: &mut Vec<Diagnostic>) {
        let data_scope = config.get("data_scope").and_then(Value::as_text);
        if scope(config) == PLATFORM && data_scope.is_some_and(|scope| scope != "whole_school") {
            told.push(Diagnostic::error("A role of the platform always reaches the whole school").at("data_scope"));
        }
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let school = Self::school(api, state).await?;
        let Some(record) = Self::record(api, state, school).await? else { return Ok(None) };
        let id = number(&record, "id")?;
        let rights = Self::rights(api, id, school).await?;
        let codes = rights.codes().into_iter().map(|code| Value::Text(code.to_owned())).collect();
        let mut values = seen(api, &self.0.fields, &record, state, school).await?;
        values.insert("id".to_owned(), Value::Text(id.to_string()));
        values.insert("permissions".to_owned(), Value::List(codes));
        Ok(Some(Seen { values, version: record["version"].as_i64() }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        let school = Self::school(api, given.planned).await?;
        let mut form = body(api, &self.0.fields, given.planned, school, true).await?;
        form.insert("kind".to_owned(), json!(role_kind(scope(given.planned))));
        let call =
            Call::post("/system/pc/sys/role/save", Json::Object(form)).within(school).under_key(given.memory.key());
        let id = number(&api.send(call).await?, "id")?;
        let granted = Self::grant(api, id, &given.planned["permissions"], school).await;
        let outcome = match granted {
            Ok(()) => Self::switch(api, id, &given.planned["enabled"], school).await,
            Err(failure) => Err(failure),
        };
        Ok(Made::numbered(id).then(outcome))
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        let school = Self::school(api, given.planned).await?;
        let id = numbered(given.prior)?;
        let now = api.send(Call::get(VIEW).with("id", id).within(school)).await?;
        let mut version = number(&now, "version")?;
        if given.memory.version().is_some_and(|planned| planned != version) {
            return Err(Failure::Told(Diagnostic::error("The role changed since the plan; plan again")));
        }
        if differs(&self.0.fields, Place::Form, given.prior, given.planned) {
            let mut form = body(api, &self.0.fields, given.planned, school, false).await?;
            form.insert("id".to_owned(), json!(id));
            form.insert("version".to_owned(), json!(version));
            form.insert("kind".to_owned(), now["kind"].clone());
            form.insert("dataScope".to_owned(), now["dataScope"].clone());
            api.send(Call::put("/system/pc/sys/role/edit", Json::Object(form)).within(school)).await?;
        }
        if given.changes("data_scope") {
            version = number(&api.send(Call::get(VIEW).with("id", id).within(school)).await?, "version")?;
            let form = json!({ "roleId": id, "version": version, "dataScope": given.planned["data_scope"].json() });
            api.send(Call::put("/system/pc/sys/role/scope", form).within(school)).await?;
        }
        if given.changes("permissions") {
            Self::grant(api, id, &given.planned["permissions"], school).await?;
        }
        if given.changes("enabled") {
            Self::switch(api, id, &given.planned["enabled"], school).await?;
        }
        Ok(Vec::new())
    }

    async fn delete(&self, api: &Api, prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        let school = Self::school(api, prior).await?;
        let call = Call::delete("/system/pc/sys/role/delete").with("id", numbered(prior)?).within(school);
        api.send(call).await?;
        Ok(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rights() -> Rights {
        let menus = json!([{ "permissions": [{ "id": 1, "code": "a:list", "checked": true }], "children": [
            { "permissions": [{ "id": 2, "code": "a:list", "checked": false },
                { "id": 3, "code": "b:edit", "checked": false }], "children": [] }
        ] }]);
        Rights { version: 1, all: crate::rights::rights(&menus) }
    }

    #[test]
    fn a_code_stands_for_all_its_places_in_the_tree() {
        let rights = rights();
        assert_eq!(rights.codes(), BTreeSet::from(["a:list"]));
        assert_eq!(rights.numbers(&["a:list", "b:edit"]), Ok(vec![1, 2, 3]));
        assert_eq!(rights.numbers(&["a:list", "moon"]), Err("moon"));
    }
}
