//! Data sources: what is only read, the facts that change by themselves among it.

use serde_json::{Value as Json, json};

use crate::{
    api::{Api, Call, number},
    failure::{Failure, Result},
    protocol::{
        diagnostic::Diagnostic,
        schema::{Attribute, Nesting, Type, attribute},
        value::{Object, Value},
    },
    rights::{Right, client_type, rights, role_kind},
};

/// A type by its name.
#[derive(Debug)]
pub struct Described {
    pub name: &'static str,
    pub says: &'static str,
    pub attributes: Vec<Attribute>,
}

/// An attribute of an answer, and its name there.
type Answered = (&'static str, &'static str, Type, &'static str);

static SCHOOL: [Answered; 12] = [
    ("id", "id", Type::Text, "The server's number of it."),
    ("code", "code", Type::Text, "Its code (院校代码)."),
    ("name", "name", Type::Text, "Name (院校名称)."),
    ("short_name", "shortName", Type::Text, "Short name (简称)."),
    ("identity_code", "identityCode", Type::Text, "National number (院校标识码)."),
    ("domain", "domain", Type::Text, "Host name of its site (域名)."),
    ("status", "status", Type::Text, "trial, active, suspended or archived."),
    ("expires_on", "expiresOn", Type::Text, "Until when it is served (服务到期)."),
    ("student_quota", "studentQuota", Type::Number, "Most students (学生配额)."),
    ("storage_quota_gb", "storageQuotaGb", Type::Number, "Most gigabytes (存储配额)."),
    ("province", "province", Type::Text, "Province (省份)."),
    ("deletion_protection", "deletionProtection", Type::Bool, "Whether deleting is refused (删除保护)."),
];

static HEALTH: [Answered; 9] = [
    ("id", "id", Type::Text, "The server's number of it."),
    ("status", "status", Type::Text, "trial, active, suspended or archived."),
    ("provision_state", "provisionState", Type::Text, "pending, running, ready or failed (开通进度)."),
    ("provision_step", "provisionStep", Type::Text, "At which step opening is (开通步骤)."),
    ("provision_error", "provisionError", Type::Text, "Why it failed (开通错误)."),
    ("student_count", "studentCount", Type::Number, "Registered students (在籍学生)."),
    ("site_count", "siteCount", Type::Number, "Sites that are not closed (站点数)."),
    ("storage_used", "storageUsed", Type::Number, "Bytes of its files (已用存储)."),
    ("last_active_at", "lastActiveAt", Type::Text, "When somebody last worked in it (最近活跃)."),
];

static MENU: [Answered; 7] = [
    ("path", "path", Type::Text, "Path of the page (路径)."),
    ("name", "menuName", Type::Text, "Name (名称)."),
    ("icon", "icon", Type::Text, "Icon (图标)."),
    ("sort", "sort", Type::Number, "Place among its neighbours (排序)."),
    ("hidden", "hidden", Type::Bool, "Whether it is left out of the menu (隐藏)."),
    ("enabled", "enabled", Type::Bool, "Whether it and its permissions count (启用)."),
    ("shipped", "shipped", Type::Bool, "Whether the console has the page (已上线)."),
];

static RIGHT: [Answered; 2] =
    [("code", "code", Type::Text, "The code (权限标识)."), ("name", "name", Type::Text, "Its name (权限名称).")];

static ENTRY: [Answered; 3] = [
    ("value", "dictValue", Type::Text, "The value that is kept (值)."),
    ("label", "dictLabel", Type::Text, "What people see (标签)."),
    ("default", "isDefault", Type::Bool, "Whether forms begin with it (默认)."),
];

static ROLE: [Answered; 5] = [
    ("id", "id", Type::Text, "The server's number of it."),
    ("data_scope", "dataScope", Type::Text, "whole_school, named_sites or named_classes."),
    ("enabled", "enabled", Type::Bool, "Whether it counts (启用)."),
    ("totp_required", "totpRequired", Type::Bool, "Whether its people need a second step."),
    ("remark", "remark", Type::Text, "Remark (备注)."),
];

fn read_only(parts: &[Answered]) -> Vec<Attribute> {
    parts.iter().map(|(name, _, kind, says)| attribute(name, kind.clone(), says).read_only()).collect()
}

fn asked(name: &'static str, says: &'static str) -> Attribute {
    attribute(name, Type::Text, says)
}

fn list(name: &'static str, says: &'static str, parts: &[Answered]) -> Attribute {
    attribute(name, Type::Nested(Nesting::List, read_only(parts)), says).read_only()
}

/// The attributes that are asked with, then those that are answered.
fn with(asked: Vec<Attribute>, answered: Vec<Attribute>) -> Vec<Attribute> {
    let mut all = asked;
    let names: Vec<&str> = all.iter().map(|attribute| attribute.name).collect();
    let others: Vec<Attribute> = answered.into_iter().filter(|attribute| !names.contains(&attribute.name)).collect();
    all.extend(others);
    all
}

pub fn all() -> Vec<Described> {
    let code = || asked("code", "Code of the school (院校代码).").required();
    let area = || asked("area", "platform or school.").required();
    vec![
        Described { name: "school", says: "A school by its code.", attributes: with(vec![code()], read_only(&SCHOOL)) },
        Described {
            name: "school_schools",
            says: "The schools of the token, as far as they fit.",
            attributes: with(
                vec![
                    asked("keyword", "A part of the name, or how the code begins."),
                    asked("status", "trial, active, suspended or archived."),
                    asked("province", "Province (省份)."),
                ],
                vec![list("schools", "The schools, newest first.", &SCHOOL)],
            ),
        },
        Described {
            name: "school_health",
            says: "What changes by itself at a school: whether it is open, how much is in it.",
            attributes: with(vec![code()], read_only(&HEALTH)),
        },
        Described {
            name: "school_role",
            says: "A role by its name.",
            attributes: with(
                vec![
                    asked("scope", "platform, template or the code of a school.").required(),
                    asked("name", "Name (角色名称).").required(),
                ],
                read_only(&ROLE),
            ),
        },
        Described {
            name: "school_permission_catalogue",
            says: "All permissions that roles of an area can have.",
            attributes: with(vec![area()], vec![list("permissions", "The permissions, each code once.", &RIGHT)]),
        },
        Described {
            name: "school_menu_tree",
            says: "The menus of an area.",
            attributes: with(vec![area()], vec![list("menus", "All menus, each after the one above it.", &MENU)]),
        },
        Described {
            name: "school_dict",
            says: "The values of a type of the dictionary that are offered.",
            attributes: with(
                vec![asked("type", "Code of the type (字典类型).").required()],
                vec![list("items", "The values in their order.", &ENTRY)],
            ),
        },
    ]
}

/// The parts of a record; a number that is an id is text.
fn taken(record: &Json, parts: &[Answered]) -> Object {
    parts
        .iter()
        .map(|(name, json, kind, _)| {
            let value = match (kind, Value::of_json(&record[*json])) {
                (Type::Text, Value::Integer(number)) => Value::Text(number.to_string()),
                (_, value) => value,
            };
            ((*name).to_owned(), value)
        })
        .collect()
}

fn rows<'a>(list: impl Iterator<Item = &'a Json>, parts: &[Answered]) -> Value {
    Value::List(list.map(|record| Value::Object(taken(record, parts))).collect())
}

fn each(list: &Json) -> impl Iterator<Item = &Json> {
    list.as_array().into_iter().flatten()
}

/// What a data source answers.
///
/// # Errors
/// Those of its calls.
pub async fn read(api: &Api, name: &str, config: Object) -> Result<Object> {
    let text = |name: &str| config.get(name).and_then(Value::as_text).unwrap_or_default().to_owned();
    let answered = match name {
        "school" | "school_health" => {
            let record = api.send(Call::get("/system/pc/sys/school/view").with("code", text("code"))).await?;
            taken(&record, if name == "school" { &SCHOOL } else { &HEALTH })
        }
        "school_schools" => {
            let found = schools(api, &config).await?;
            Object::from([("schools".to_owned(), rows(found.iter(), &SCHOOL))])
        }
        "school_role" => {
            let (scope, name) = (text("scope"), text("name"));
            let kind = role_kind(&scope);
            let school = if kind == "own" { Some(api.school(&scope).await?) } else { None };
            let call = Call::get("/system/pc/sys/role/view").with("roleName", name).with("kind", kind).within(school);
            taken(&api.send(call).await?, &ROLE)
        }
        "school_permission_catalogue" => {
            let found = permissions(api, &text("area")).await?;
            let each = |right: &Right| {
                let text = |text: &String| Value::Text(text.clone());
                let values = [("code", text(&right.code)), ("name", text(&right.name))];
                Value::Object(values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
            };
            Object::from([("permissions".to_owned(), Value::List(found.iter().map(each).collect()))])
        }
        "school_menu_tree" => {
            let client_type = client_type(&text("area"));
            let tree = api.send(Call::get("/system/pc/sys/menu/list").with("clientType", client_type)).await?;
            let mut menus = Vec::new();
            collect(&tree, &mut menus);
            Object::from([("menus".to_owned(), rows(menus.into_iter(), &MENU))])
        }
        "school_dict" => {
            let call = Call::get("/system/pc/dict/data/dictType").with("dictType", text("type"));
            let found = api.send(call).await?;
            Object::from([("items".to_owned(), rows(each(&found), &ENTRY))])
        }
        _ => return Err(Failure::Told(Diagnostic::error(format!("There is no data source {name}")))),
    };
    let mut value = config;
    value.extend(answered);
    Ok(value)
}

fn collect<'a>(tree: &'a Json, found: &mut Vec<&'a Json>) {
    for menu in each(tree) {
        found.push(menu);
        collect(&menu["children"], found);
    }
}

/// All pages of the list.
async fn schools(api: &Api, config: &Object) -> Result<Vec<Json>> {
    let filter = |name: &str| config.get(name).map_or(Json::Null, Value::json);
    let mut found = Vec::new();
    let mut page = 1;
    loop {
        let body = json!({
            "pageCurrent": page, "pageSize": 500,
            "keyword": filter("keyword"), "status": filter("status"), "province": filter("province"),
        });
        let answer = api.send(Call::list("/system/pc/sys/school/list", body)).await?;
        found.extend(each(&answer["list"]).cloned());
        if page >= number(&answer, "totalPage")? {
            return Ok(found);
        }
        page += 1;
    }
}

/// The tree of rights is asked of a role; every role of an area has the whole tree.
async fn permissions(api: &Api, area: &str) -> Result<Vec<Right>> {
    let kind = if area == "school" { "template" } else { "platform" };
    let roles = api.send(Call::get("/system/pc/sys/role/list").with("kind", kind)).await?;
    let Some(role) = roles.get(0) else { return Ok(Vec::new()) };
    let call = Call::get("/system/pc/sys/role/selectMenuAndPermission").with("id", number(role, "id")?);
    let tree = api.send(call).await?;
    let mut found = rights(&tree["menus"]);
    found.sort_by(|one, other| one.code.cmp(&other.code));
    found.dedup_by(|one, other| one.code == other.code);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_with_is_not_answered_twice() {
        for described in all() {
            let names: std::collections::BTreeSet<&str> = described.attributes.iter().map(|each| each.name).collect();
            assert_eq!(names.len(), described.attributes.len(), "{}", described.name);
        }
    }

    #[test]
    fn what_is_answered_is_what_the_server_answers() {
        let document = crate::document::Document::read();
        let view = |path: &str| document.answered("get", path);
        let menus = document.items(view("/system/pc/sys/menu/list"));
        let entries = document.items(view("/system/pc/dict/data/dictType"));
        let records = [
            (&SCHOOL[..], view("/system/pc/sys/school/view")),
            (&HEALTH, view("/system/pc/sys/school/view")),
            (&ROLE, view("/system/pc/sys/role/view")),
            (&MENU, menus),
            (&ENTRY, entries),
        ];
        for (parts, record) in records {
            for (name, json, kind, _) in parts {
                let property = document.property(record, json).unwrap_or_else(|| panic!("{name}: there is no {json}"));
                let is = property["type"].as_str().unwrap_or_default();
                let fits = match kind {
                    Type::Number => ["integer", "number"].contains(&is),
                    Type::Bool => is == "boolean",
                    _ => is == "string" || *name == "id",
                };
                assert!(fits, "{name}: {json} is {is}");
            }
        }
    }

    #[test]
    fn a_number_of_a_record_is_text() {
        let value = taken(&json!({ "id": 9_007_199_254_740_993_i64, "studentQuota": 5 }), &SCHOOL);
        assert_eq!(value["id"], Value::Text("9007199254740993".to_owned()));
        assert_eq!((&value["student_quota"], &value["name"]), (&Value::Integer(5), &Value::Null));
    }

    #[test]
    fn menus_come_each_after_the_one_above() {
        let tree = json!([{ "path": "/a", "children": [{ "path": "/a/b" }] }, { "path": "/c" }]);
        let mut menus = Vec::new();
        collect(&tree, &mut menus);
        let paths: Vec<&str> = menus.iter().filter_map(|menu| menu["path"].as_str()).collect();
        assert_eq!(paths, ["/a", "/a/b", "/c"]);
    }
}
