//! 菜单: what the menus of an area are called, in which order, and whether they are shown.

use std::collections::BTreeMap;

use async_trait::async_trait;
use serde_json::{Value as Json, json};

use crate::{
    api::{Api, Call, number},
    failure::{Failure, Result},
    field::{Rule, id, local},
    kind::{Given, Kind, Made, Memory, Resource, Seen},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Nesting, Type, attribute},
        value::{Object, Value},
    },
    rights::client_type,
};

/// Attributes of a menu, and their names in the record.
const PARTS: [(&str, &str); 4] = [("name", "menuName"), ("icon", "icon"), ("sort", "sort"), ("hidden", "hidden")];
/// Changed by a step of its own.
const ENABLED: (&str, &str) = ("enabled", "enabled");
/// Which the form of a menu has besides; they stay as they are.
const KEPT: [&str; 7] = ["clientType", "frameUrl", "keepAlive", "menuType", "parentId", "path", "remark"];

/// Some menus of an area: those that are listed, and of them what is given.
pub struct MenuSet(Resource);

impl MenuSet {
    pub fn new() -> Self {
        let menu = vec![
            attribute("name", Type::Text, "Name (名称); as it is when left out."),
            attribute("icon", Type::Text, "Icon (图标); as it is when left out."),
            attribute("sort", Type::Number, "Place among its neighbours (排序); as it is when left out."),
            attribute("hidden", Type::Bool, "Whether it is left out of the menu (隐藏); as it is when left out."),
            attribute("enabled", Type::Bool, "Whether it and its permissions count (启用); as it is when left out."),
        ];
        let menus =
            attribute("menus", Type::Nested(Nesting::Map, menu), "By the path of the page; others stay as they are.");
        let area = attribute("area", Type::Text, "platform or school.");
        Self(Resource {
            name: "school_menu_set",
            says: "The menus of an area (菜单): names, order, what is shown. Only what is listed is managed.",
            fields: vec![
                id(),
                local(area.required()).rule(Rule::OneOf(&["platform", "school"])),
                local(menus.required()),
            ],
            secrets: Vec::new(),
            import: &["area"],
            frozen: &[],
            replaced: &["area"],
        })
    }

    /// All menus of the area that have a path.
    async fn menus(api: &Api, state: &Object) -> Result<BTreeMap<String, Json>> {
        let client_type = client_type(state.get("area").and_then(Value::as_text).unwrap_or_default());
        let tree = api.send(Call::get("/system/pc/sys/menu/list").with("clientType", client_type)).await?;
        let mut found = BTreeMap::new();
        flatten(&tree, &mut found);
        Ok(found)
    }

    async fn write(api: &Api, prior: &Object, planned: &Object) -> Result<()> {
        let none = Object::new();
        let wanted = planned["menus"].as_object().unwrap_or(&none);
        let before = prior.get("menus").and_then(Value::as_object).unwrap_or(&none);
        let known = Self::menus(api, planned).await?;
        if let Some(path) = wanted.keys().find(|path| !known.contains_key(*path)) {
            let told = Diagnostic::error(format!("There is no menu with the path {path}"));
            return Err(Failure::Told(told.at("menus").at_key(path)));
        }
        for (path, menu) in wanted {
            let (record, menu) = (&known[path], menu.as_object().unwrap_or(&none));
            let known_before = before.get(path).and_then(Value::as_object);
            if known_before != Some(menu) {
                if let Some(attribute) = known_before.and_then(|before| changed(record, before)) {
                    let told =
                        Diagnostic::error(format!("`{attribute}` of the menu changed since the plan; plan again"));
                    return Err(Failure::Told(told.at("menus").at_key(path)));
                }
                one(api, record, menu).await.map_err(|failure| of_menu(failure, path))?;
            }
        }
        Ok(())
    }
}

/// Puts the failure of one menu where it stands in the configuration.
fn of_menu(failure: Failure, path: &str) -> Failure {
    match failure {
        Failure::Refused(refusal) => {
            Failure::Told(Diagnostic::error("The menu is refused").detail(refusal.msg).at("menus").at_key(path))
        }
        other => other,
    }
}

/// The attribute that somebody else changed: the record has another value than the state.
fn changed(record: &Json, before: &Object) -> Option<&'static str> {
    let mut parts = PARTS.iter().chain(&[ENABLED]);
    let differs = |value: &Value, json: &str| !value.is_null() && *value != Value::of_json(&record[json]);
    let found = parts.find(|(attribute, json)| before.get(*attribute).is_some_and(|value| differs(value, json)));
    found.map(|(attribute, _)| *attribute)
}

/// Writes what differs of one menu.
async fn one(api: &Api, record: &Json, menu: &Object) -> Result<()> {
    let id = number(record, "id")?;
    let differs = PARTS.iter().any(|(attribute, json)| {
        menu.get(*attribute).is_some_and(|value| !value.is_null() && *value != Value::of_json(&record[*json]))
    });
    if differs {
        let mut form = json!({ "id": id, "version": record["version"] });
        for name in KEPT {
            form[name] = record[name].clone();
        }
        for (attribute, json) in PARTS {
            let value = menu.get(attribute).filter(|value| !value.is_null());
            form[json] = value.map_or_else(|| record[json].clone(), Value::json);
        }
        api.send(Call::put("/system/pc/sys/menu/edit", form)).await?;
    }
    let wanted = menu.get("enabled").and_then(Value::as_bool);
    if let Some(enabled) = wanted.filter(|enabled| record["enabled"] != json!(enabled)) {
        let call = Call::step("/system/pc/sys/menu/disableOrEnableMenu").with("id", id).with("enabled", enabled);
        api.send(call).await?;
    }
    Ok(())
}

fn flatten(tree: &Json, found: &mut BTreeMap<String, Json>) {
    for menu in tree.as_array().into_iter().flatten() {
        if let Some(path) = menu["path"].as_str().filter(|path| !path.is_empty()) {
            found.insert(path.to_owned(), menu.clone());
        }
        flatten(&menu["children"], found);
    }
}

/// Of a menu, what the configuration says something of; after an import, everything.
fn shown(record: &Json, managed: Option<&Object>) -> Value {
    let value = |attribute: &str, json: &str| match managed {
        Some(managed) if managed.get(attribute).is_none_or(Value::is_null) => Value::Null,
        // Terraform writes a configuration without empty texts.
        None if record[json] == json!("") => Value::Null,
        _ => Value::of_json(&record[json]),
    };
    let parts = PARTS.iter().chain(&[ENABLED]);
    Value::Object(parts.map(|(attribute, json)| ((*attribute).to_owned(), value(attribute, json))).collect())
}

#[async_trait]
impl Kind for MenuSet {
    fn resource(&self) -> &Resource {
        &self.0
    }

    async fn read(&self, api: &Api, state: &Object) -> Result<Option<Seen>> {
        let known = Self::menus(api, state).await?;
        let menus = match state.get("menus").and_then(Value::as_object) {
            Some(managed) => managed
                .iter()
                .filter_map(|(path, menu)| Some((path.clone(), shown(known.get(path)?, menu.as_object()))))
                .collect(),
            None => known.iter().map(|(path, record)| (path.clone(), shown(record, None))).collect(),
        };
        let area = state.get("area").cloned().unwrap_or_default();
        let values = Object::from([
            ("id".to_owned(), area.clone()),
            ("area".to_owned(), area),
            ("menus".to_owned(), Value::Object(menus)),
        ]);
        Ok(Some(Seen { values, version: None }))
    }

    async fn create(&self, api: &Api, given: Given<'_>) -> Result<Made> {
        Self::write(api, given.prior, given.planned).await?;
        Ok(Made::default())
    }

    async fn update(&self, api: &Api, given: Given<'_>) -> Result<Vec<Diagnostic>> {
        Self::write(api, given.prior, given.planned).await?;
        Ok(Vec::new())
    }

    async fn delete(&self, _api: &Api, _prior: &Object, _memory: &Memory) -> Result<Vec<Diagnostic>> {
        Ok(vec![Diagnostic::warning("The menus stay as they are; they are only no longer managed here")])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Json {
        json!([{ "path": "", "menuName": "系统", "children": [
            { "path": "/sys/user/list", "menuName": "账号", "icon": "user", "sort": 3, "hidden": false,
              "enabled": true, "children": [] }
        ] }])
    }

    #[test]
    fn menus_are_found_by_their_path_at_any_depth() {
        let mut found = BTreeMap::new();
        flatten(&tree(), &mut found);
        assert_eq!(found.keys().collect::<Vec<_>>(), ["/sys/user/list"]);
    }

    #[test]
    fn what_somebody_else_changed_is_not_written_over() {
        let mut found = BTreeMap::new();
        flatten(&tree(), &mut found);
        let record = &found["/sys/user/list"];
        let before = |sort: i64, enabled: bool| {
            Object::from([
                ("sort".to_owned(), Value::Integer(sort)),
                ("name".to_owned(), Value::Null),
                ("enabled".to_owned(), Value::Bool(enabled)),
            ])
        };
        assert_eq!(changed(record, &before(3, true)), None);
        assert_eq!(changed(record, &before(1, true)), Some("sort"));
        assert_eq!(changed(record, &before(3, false)), Some("enabled"));
    }

    #[test]
    fn only_what_is_listed_is_shown() {
        let mut found = BTreeMap::new();
        flatten(&tree(), &mut found);
        let record = &found["/sys/user/list"];
        let managed = Object::from([("sort".to_owned(), Value::Integer(1)), ("name".to_owned(), Value::Null)]);
        let shown_now = shown(record, Some(&managed)).json();
        assert_eq!(shown_now, json!({ "name": null, "icon": null, "sort": 3, "hidden": null, "enabled": null }));
        assert_eq!(shown(record, None).json()["name"], "账号");
    }
}
