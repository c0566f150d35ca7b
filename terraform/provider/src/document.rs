//! The provider beside the server's document, `openapi/openapi.json`: every call is an operation of it, every field stands where it is
//! sent and where it is read, and what is refused here is what the server refuses.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;
use serde_json::Value as Json;

use crate::{
    field::{Codec, Field, Place, Rule},
    protocol::schema::Type,
    resources,
};

/// The document.
pub(crate) struct Document(Json);

impl Document {
    pub(crate) fn read() -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../openapi/openapi.json");
        Self(serde_json::from_slice(&fs::read(path).expect("the document")).expect("JSON"))
    }

    fn operation(&self, method: &str, path: &str) -> Option<&Json> {
        self.0["paths"].get(path)?.get(method)
    }

    /// The schema itself, where a reference to it stands.
    fn resolved<'a>(&'a self, schema: &'a Json) -> &'a Json {
        let reference = schema["$ref"].as_str().or_else(|| schema["allOf"][0]["$ref"].as_str());
        match reference.and_then(|reference| reference.strip_prefix("#/components/schemas/")) {
            Some(name) => self.resolved(&self.0["components"]["schemas"][name]),
            None => schema,
        }
    }

    fn schema(&self, name: &str) -> &Json {
        &self.0["components"]["schemas"][name]
    }

    /// What a call takes.
    fn taken(&self, method: &str, path: &str) -> &Json {
        let operation = self.operation(method, path).unwrap_or_else(|| panic!("{method} {path} is no operation"));
        self.resolved(&operation["requestBody"]["content"]["application/json"]["schema"])
    }

    /// What a call answers, without its envelope.
    pub(crate) fn answered(&self, method: &str, path: &str) -> &Json {
        let operation = self.operation(method, path).unwrap_or_else(|| panic!("{method} {path} is no operation"));
        let answer = &operation["responses"]["200"]["content"]["application/json; charset=utf-8"]["schema"];
        let envelope = self.resolved(&answer["oneOf"][0]);
        self.resolved(&envelope["properties"]["data"])
    }

    /// The items of an array.
    pub(crate) fn items<'a>(&'a self, schema: &'a Json) -> &'a Json {
        self.resolved(&schema["items"])
    }

    /// A property of an object.
    pub(crate) fn property<'a>(&'a self, schema: &'a Json, name: &str) -> Option<&'a Json> {
        let property = schema["properties"].get(name)?;
        let resolved = self.resolved(property);
        Some(if resolved.is_null() { property } else { resolved })
    }
}

fn sources() -> Vec<(PathBuf, String)> {
    fn below(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(folder).expect("the sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                below(&path, found);
            } else if !path.ends_with("document.rs") {
                let text = fs::read_to_string(&path).expect("a source");
                // Tests have calls of their own.
                let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                found.push((path, text));
            }
        }
    }
    let mut found = Vec::new();
    below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found
}

/// Every call that stands in the sources: method, path, the names in its query.
fn calls() -> BTreeMap<(String, String), BTreeSet<String>> {
    let pattern = |text: &str| Regex::new(text).expect("a pattern");
    let constant = pattern(r#"const (\w+): &str = "(/[^"]+)";"#);
    let call = pattern(
        r#"Call::(get|list|post|put|ask|step|delete)\(\s*(?:"(/[^"]+)"|([A-Z_]+))\s*((?:\)\s*\.with\("\w+",[^()]*(?:\([^()]*\)[^()]*)*)*)"#,
    );
    let named = pattern(r#"\.with\("(\w+)""#);
    let described = pattern(r#"\b(view|save|edit|delete): "(/[^"]+)""#);
    let step = pattern(r#"Step::(?:Enabled|Status)\("(/[^"]+)"\)"#);
    let literal = pattern(r#""(/[a-z]+/[^"]+)""#);
    let mut calls: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for (file, text) in sources() {
        let constants: BTreeMap<&str, &str> =
            constant.captures_iter(&text).map(|found| found.extract::<2>().1.into()).collect();
        let mut known = BTreeSet::new();
        let mut add = |method: &str, path: &str, names: BTreeSet<String>| {
            known.insert(path.to_owned());
            calls.entry((method.to_owned(), path.to_owned())).or_default().extend(names);
        };
        for found in call.captures_iter(&text) {
            let path = match (found.get(2), found.get(3)) {
                (Some(path), _) => path.as_str(),
                (_, Some(name)) => constants[name.as_str()],
                _ => continue,
            };
            let method = match &found[1] {
                "get" => "get",
                "list" | "post" | "ask" => "post",
                "put" | "step" => "put",
                _ => "delete",
            };
            let names = named.captures_iter(&found[4]).map(|name| name[1].to_owned()).collect();
            add(method, path, names);
        }
        for found in described.captures_iter(&text) {
            let method = match &found[1] {
                "view" => "get",
                "save" => "post",
                "edit" => "put",
                _ => "delete",
            };
            add(method, &found[2], BTreeSet::new());
        }
        for found in step.captures_iter(&text) {
            add("put", &found[1], BTreeSet::new());
        }
        let is_call =
            |path: &str| ["/system/", "/adult/", "/user/", "/data/"].iter().any(|area| path.starts_with(area));
        for found in literal.captures_iter(&text) {
            let path = &found[1];
            assert!(!is_call(path) || known.contains(path), "{}: how is {path} called?", file.display());
        }
    }
    calls
}

#[test]
fn every_call_is_an_operation_of_the_server() {
    let document = Document::read();
    let calls = calls();
    assert!(calls.len() > 60, "only {} calls were found", calls.len());
    let mut wrong = Vec::new();
    for ((method, path), names) in &calls {
        let Some(operation) = document.operation(method, path) else {
            wrong.push(format!("{method} {path} is no operation"));
            continue;
        };
        let parameters = operation["parameters"].as_array();
        let known: BTreeSet<&str> = parameters
            .into_iter()
            .flatten()
            .filter(|each| each["in"] == "query")
            .filter_map(|each| each["name"].as_str())
            .collect();
        wrong.extend(
            names
                .iter()
                .filter(|name| !known.contains(name.as_str()))
                .map(|name| format!("{method} {path} has no {name}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What an operator gives a token that is to manage everything; besides, it has what the roles have that it makes or gives.
#[test]
fn the_permissions_of_all_calls_are_listed() {
    let document = Document::read();
    let codes: BTreeSet<String> = calls()
        .keys()
        .filter_map(|(method, path)| document.operation(method, path)?["x-permission"].as_str())
        // To act inside a school.
        .chain(["system:pc:sys:school:enter"])
        .filter(|code| code.contains(':'))
        // People alone issue tokens.
        .filter(|code| !code.contains(":machineToken:"))
        .map(|code| format!("{code}\n"))
        .collect();
    assert!(codes.len() > 40, "{codes:?}");
    is_current("permissions.txt", &codes.into_iter().collect::<String>());
}

/// Compares a file of `docs/` with what it is to be; `UPDATE_EXPECT=1` writes it.
pub(crate) fn is_current(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, text).expect("written");
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == text, "docs/{name} is not current: UPDATE_EXPECT=1 cargo test --package terraform-provider-school");
}

/// The calls of a resource whose form is its fields, and what the forms have besides.
struct Forms {
    resource: &'static str,
    save: &'static str,
    edit: &'static str,
    view: &'static str,
    /// What the provider adds to a save, and to an edit.
    added: &'static [&'static str],
    edited: &'static [&'static str],
    /// The schemas of `content`, of which each field is in one at least.
    content: &'static [&'static str],
}

const fn forms(resource: &'static str, save: &'static str, edit: &'static str, view: &'static str) -> Forms {
    Forms { resource, save, edit, view, added: &[], edited: &["id", "version"], content: &[] }
}

const fn config(resource: &'static str, content: &'static [&'static str]) -> Forms {
    Forms {
        added: &["configKind", "schoolId", "content"],
        edited: &["id", "version", "configKind", "schoolId", "content"],
        content,
        ..forms(resource, "/system/pc/sys/config/save", "/system/pc/sys/config/edit", "/system/pc/sys/config/view")
    }
}

static FORMS: &[Forms] = &[
    Forms {
        added: &["status", "adminLoginName", "adminRealName", "adminPhone", "adminPassword"],
        edited: &["id", "version", "activate", "deletionProtection"],
        ..forms("school", "/system/pc/sys/school/save", "/system/pc/sys/school/edit", "/system/pc/sys/school/view")
    },
    Forms {
        added: &["schoolId", "isAdmin", "roleIdList", "initialPassword"],
        edited: &["id", "version", "gender"],
        ..forms(
            "school_admin",
            "/system/pc/sys/school/user/save",
            "/system/pc/sys/school/user/edit",
            "/system/pc/sys/school/user/view",
        )
    },
    Forms {
        added: &["kind"],
        edited: &["id", "version", "kind", "dataScope"],
        ..forms("school_role", "/system/pc/sys/role/save", "/system/pc/sys/role/edit", "/system/pc/sys/role/view")
    },
    forms("school_dict_type", "/system/pc/dict/type/save", "/system/pc/dict/type/edit", "/system/pc/dict/type/view"),
    Forms {
        edited: &["dictCode", "version"],
        ..forms(
            "school_dict_item",
            "/system/pc/dict/data/save",
            "/system/pc/dict/data/edit",
            "/system/pc/dict/data/view",
        )
    },
    forms("school_site", "/adult/pc/site/save", "/adult/pc/site/edit", "/adult/pc/site/view"),
    forms("school_grade", "/adult/pc/grade/save", "/adult/pc/grade/edit", "/adult/pc/grade/view"),
    forms("school_level", "/adult/pc/arrangement/save", "/adult/pc/arrangement/edit", "/adult/pc/arrangement/view"),
    forms("school_term", "/adult/pc/semester/save", "/adult/pc/semester/edit", "/adult/pc/semester/view"),
    forms("school_major", "/adult/pc/major/save", "/adult/pc/major/edit", "/adult/pc/major/view"),
    config("school_website_config", &["website_config"]),
    config("school_storage_config", &["storage_config"]),
    config("school_sms_config", &["sms_config"]),
    config("school_video_config", &["video_polyv_config", "video_baijiayun_config", "video_aliyun_config"]),
    config("school_wechat_config", &["wechat_mp_config"]),
    config("school_mail_config", &["mail_config"]),
];

/// Resources that send what they have by calls of their own kind.
const WITHOUT_FORMS: [&str; 4] = ["school_role_assignment", "school_menu_set", "school_param", "school_setting"];

/// The fields with those inside groups.
fn flat(fields: &[Field]) -> Vec<&Field> {
    fields
        .iter()
        .flat_map(|field| match &field.codec {
            Codec::Group(within) => within.iter().collect::<Vec<_>>(),
            _ => vec![field],
        })
        .collect()
}

/// Why a property is not what the field takes it for.
fn differs(field: &Field, property: &Json) -> Option<String> {
    let is = property["type"].as_str().unwrap_or_default();
    let wanted: &[&str] = match (&field.codec, &field.attribute.kind) {
        (Codec::Code { .. } | Codec::NationalMajor, _) => &["integer"],
        (_, Type::Text) => &["string"],
        (_, Type::Number) => &["integer", "number"],
        (_, Type::Bool) => &["boolean"],
        _ => &["array"],
    };
    if !wanted.contains(&is) {
        return Some(format!("is {is}"));
    }
    let most = property["maxLength"].as_u64();
    match &field.rule {
        Some(Rule::OneOf(values)) => {
            let known = property["enum"].as_array()?;
            let strange: Vec<&str> =
                values.iter().copied().filter(|value| !known.contains(&Json::from(*value))).collect();
            (!strange.is_empty()).then(|| format!("is never {strange:?}"))
        }
        Some(Rule::Longest(here) | Rule::Name(here)) if most.is_some_and(|most| most != *here as u64) => {
            Some(format!("has at most {most:?} characters"))
        }
        Some(Rule::Between(least, most)) => {
            let (from, to) = (property["minimum"].as_f64(), property["maximum"].as_f64());
            let fits = |known: Option<f64>, here: i64| known.is_none_or(|known| known == here as f64);
            (!fits(from, *least) || !fits(to, *most)).then(|| format!("is from {from:?} to {to:?}"))
        }
        _ => None,
    }
}

/// Everything that is wrong with the fields of a resource.
fn compared(document: &Document, forms: &Forms, fields: &[Field], secrets: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    let (save, edit) = (document.taken("post", forms.save), document.taken("put", forms.edit));
    let view = document.answered("get", forms.view);
    let look = |schema: &Json, name: &str| -> Vec<Json> {
        match name.strip_prefix("content.") {
            Some(inner) => forms
                .content
                .iter()
                .filter_map(|content| document.property(document.schema(content), inner).cloned())
                .collect(),
            None => document.property(schema, name).cloned().into_iter().collect(),
        }
    };
    let mut check = |schema: &Json, call: &str, field: &Field, name: &str, strictly: bool| {
        let found = look(schema, name);
        if found.is_empty() {
            wrong.push(format!("{}.{}: {call} has no {name}", forms.resource, field.name()));
        }
        for property in found.iter().filter(|_| strictly) {
            if let Some(why) = differs(field, property) {
                wrong.push(format!("{}.{}: {name} of {call} {why}", forms.resource, field.name()));
            }
        }
    };
    let mut sent: BTreeSet<&str> = forms.added.iter().copied().collect();
    let mut edited: BTreeSet<&str> = forms.edited.iter().copied().collect();
    for field in flat(fields) {
        let is_sent = matches!(field.place, Place::Form | Place::Born);
        if is_sent {
            check(save, "save", field, field.json, true);
            sent.insert(field.json);
        }
        if field.place == Place::Form {
            check(edit, "edit", field, field.json, true);
            edited.insert(field.json);
        }
        match field.codec {
            Codec::NationalMajor => check(view, "view", field, "nationalCode", false),
            _ if field.place != Place::Local => {
                check(
                    view,
                    "view",
                    field,
                    field.json,
                    matches!(field.codec, Codec::Plain) && field.place == Place::Step,
                );
            }
            _ => {}
        }
    }
    for secret in secrets {
        if look(save, secret).is_empty() {
            wrong.push(format!("{}: save has no {secret}", forms.resource));
        }
    }
    for (schema, names, call) in [(save, &sent, "save"), (edit, &edited, "edit")] {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            if !names.contains(name) {
                wrong.push(format!("{}: {call} wants {name}, which is not sent", forms.resource));
            }
        }
        for name in names.iter().filter(|name| !name.starts_with("content.")) {
            if document.property(schema, name).is_none() {
                wrong.push(format!("{}: {call} has no {name}", forms.resource));
            }
        }
    }
    wrong
}

#[test]
fn every_field_is_one_of_the_server() {
    let document = Document::read();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for kind in resources::all() {
        let resource = kind.resource();
        if let Some(forms) = FORMS.iter().find(|forms| forms.resource == resource.name) {
            let secrets: Vec<&str> = resource.secrets.iter().map(|secret| secret.json).collect();
            wrong.extend(compared(&document, forms, &resource.fields, &secrets));
            seen.insert(resource.name);
        } else {
            assert!(WITHOUT_FORMS.contains(&resource.name), "{}: which are its calls?", resource.name);
        }
    }
    assert_eq!(seen.len(), FORMS.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_field_that_the_server_has_not_is_found() {
    let document = Document::read();
    let grades = &FORMS[6];
    let field = |json: &'static str| vec![crate::field::text_field("x", json, "")];
    let missing = compared(&document, grades, &field("moon"), &[]);
    assert!(missing.iter().any(|wrong| wrong == "school_grade.x: save has no moon"), "{missing:?}");
    assert!(missing.iter().any(|wrong| wrong == "school_grade: save wants code, which is not sent"), "{missing:?}");
    let of_another_type = compared(&document, grades, &field("sortNo"), &[]);
    assert!(of_another_type.iter().any(|wrong| wrong.contains("sortNo of save is integer")), "{of_another_type:?}");
}

/// What is sent by calls that are no form of a described resource.
static STEPS: &[(&str, &str, &[&str])] = &[
    ("post", "/adult/pc/nationalMajor/list", &["keyword", "enabled", "pageSize"]),
    ("post", "/system/pc/sys/config/list", &["pageSize", "configKind", "schoolId", "configName"]),
    (
        "post",
        "/system/pc/sys/machineToken/save",
        &["name", "remark", "permissionCodes", "expiresAt", "schoolScope", "schoolIds"],
    ),
    ("post", "/system/pc/sys/param/config/save", &["paramCode", "paramName", "paramValue", "remark"]),
    ("post", "/system/pc/sys/role/allocation", &["roleId", "menuIds", "permissionIds", "version"]),
    ("post", "/system/pc/sys/school/list", &["pageCurrent", "pageSize", "keyword", "status", "province"]),
    ("post", "/system/pc/sys/user/allocation", &["userId", "roleIdList", "version"]),
    ("put", "/adult/pc/arrangement/update/status", &["id", "enabled"]),
    ("put", "/adult/pc/grade/update/status", &["id", "enabled"]),
    ("put", "/adult/pc/major/update/status", &["id", "enabled"]),
    ("put", "/adult/pc/site/changeStatus", &["id", "status", "version", "reason"]),
    ("put", "/system/pc/dict/data/update/status", &["id", "enabled"]),
    (
        "put",
        "/system/pc/sys/menu/edit",
        &[
            "id",
            "version",
            "clientType",
            "frameUrl",
            "keepAlive",
            "menuType",
            "parentId",
            "path",
            "remark",
            "menuName",
            "icon",
            "sort",
            "hidden",
        ],
    ),
    ("put", "/system/pc/sys/param/config/edit", &["id", "version", "paramValue", "paramName", "remark"]),
    ("put", "/system/pc/sys/role/scope", &["roleId", "version", "dataScope"]),
    ("put", "/system/pc/sys/school/archive", &["id", "reason"]),
    ("put", "/system/pc/sys/school/setting/edit", &["id", "group", "version", "value"]),
    ("put", "/system/pc/sys/school/suspend", &["id", "reason"]),
    ("put", "/system/pc/sys/school/user/editSchoolRole", &["id", "version", "teacherId", "scopes", "roleIdList"]),
];

#[test]
fn every_step_sends_what_the_server_takes() {
    let document = Document::read();
    let mut wrong = Vec::new();
    for (method, path, names) in STEPS {
        let schema = document.taken(method, path);
        let strange = names.iter().filter(|name| document.property(schema, name).is_none());
        wrong.extend(strange.map(|name| format!("{method} {path} has no {name}")));
        let wanted = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
        wrong.extend(
            wanted
                .filter(|name| !names.contains(name))
                .map(|name| format!("{method} {path} wants {name}, which is not sent")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // None with a body is left out.
    let known: BTreeSet<(&str, &str)> = STEPS.iter().map(|(method, path, _)| (*method, *path)).collect();
    let of_forms: BTreeSet<(&str, &str)> =
        FORMS.iter().flat_map(|forms| [("post", forms.save), ("put", forms.edit)]).collect();
    for (method, path) in calls().keys() {
        let call = (method.as_str(), path.as_str());
        let operation = document.operation(method, path);
        let has_body = operation.is_some_and(|operation| operation.get("requestBody").is_some());
        assert!(!has_body || known.contains(&call) || of_forms.contains(&call), "{method} {path}: what is sent?");
    }
}
