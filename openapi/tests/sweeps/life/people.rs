//! What both areas have: roles, people and their rights, banners, logs, files, and what everybody calls who is signed in.

use kit::PASSWORD;
use serde_json::{Value, json};

use super::{Life, MARK, Upload, id, own};

/// Operations of both areas whose valid call needs more than a body; each has a story of its own.
pub(super) const ELSEWHERE: [&str; 10] = [
    // invitations.rs: the person's own, who is somebody else
    "acceptOwnInvitation",
    "refuseOwnInvitation",
    // sign_in.rs
    "createSchoolToken",
    "renewSchoolEntry",
    "changeOwnPassword",
    // files.rs
    "completeUpload",
    "signFileUrl",
    // imports.rs
    "cancelJob",
    "viewJob",
    // accounts.rs, students.rs
    "viewPlain",
];

const ROLE: &str = "/system/pc/sys/role";
const USER: &str = "/system/pc/sys/school/user";
const BANNER: &str = "/system/pc/banner";

/// What was made and is still there.
pub(super) struct Kept {
    role: i64,
    binding: i64,
    banner: i64,
}

/// `at` is the school that an operator names; nobody in a school names one.
pub(super) async fn live(life: &mut Life<'_>, at: Option<i64>) -> Kept {
    everybody(life).await;
    own::both(life, if at.is_some() { "/sys/school/list" } else { "/schoolPC/basicData/site" }).await;
    let role = role(life, at).await;
    let binding = user(life, at, role).await;
    let banner = banner(life).await;
    life.post("/data/pc/user/log/login/list", json!({})).await;
    life.post("/data/pc/user/log/login/export", json!({})).await;
    life.post("/data/pc/sys/log/userLog", json!({})).await;
    life.post("/data/pc/sys/log/export", json!({ "list": "user" })).await;
    let of = at.map_or("school_id = 1", |_| "school_id is null");
    life.server.wait_until(&format!("select exists (select from platform.sys_log where {of})")).await;
    let log: i64 = life.server.one(&format!("select max(id) from platform.sys_log where {of}")).await;
    life.get(&format!("/data/pc/sys/log/view?id={log}")).await;
    let presign = json!({ "fileName": "a.pdf", "size": 1, "contentType": "application/pdf", "type": 3 });
    life.post("/system/pc/upload/presign", presign).await;
    let large = json!({ "fileName": "a.pdf", "size": 40 << 20, "contentType": "application/pdf", "type": 3 });
    let ticket = life.post("/system/pc/upload/presign", large).await;
    life.post("/system/pc/upload/parts", json!({ "key": ticket["key"] })).await;
    life.upload("/system/pc/upload/picture", picture()).await;
    Kept { role, binding, banner }
}

/// What everybody calls who is signed in.
async fn everybody(life: &mut Life<'_>) {
    for path in [
        "/system/pc/api/enum/list",
        "/system/pc/api/enum/list/siteKind",
        "/system/pc/api/region/children?parent=420000",
        "/system/client/region/children?parent=420000",
        "/system/pc/api/sys/user/getSchoolAccountInfo",
        "/system/pc/dict/data/dictType?dictType=ethnicity",
        "/system/pc/sys/school/available/list",
        "/system/pc/sys/user/permission",
    ] {
        life.get(path).await;
    }
    life.post("/system/pc/job/list", json!({})).await;
    let national =
        life.post("/adult/pc/nationalMajor/list", json!({ "keyword": "120203K" })).await["list"][0]["id"].clone();
    life.get(&format!("/adult/pc/nationalMajor/view?id={national}")).await;
}

fn picture() -> Upload {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::new(4, 3).write_to(&mut bytes, image::ImageFormat::Png).expect("a picture");
    Upload { texts: Vec::new(), field: "picFile", name: "a.png", content_type: "image/png", bytes: bytes.into_inner() }
}

async fn role(life: &mut Life<'_>, at: Option<i64>) -> i64 {
    let kind = if at.is_some() { "template" } else { "own" };
    let form = json!({ "roleName": format!("{MARK}查询员"), "kind": kind, "dataScope": "whole_school" });
    let role = id(&life.post(&format!("{ROLE}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["remark"]) = (json!(role), version(life, role).await, json!("只看"));
    life.put(&format!("{ROLE}/edit"), edit).await;
    let permission: i64 = life
        .server
        .one("select min(p.id) from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id and m.client_type = 1
              where p.permission_code = 'adult:pc:grade:list'")
        .await;
    let rights =
        json!({ "roleId": role, "menuIds": [], "permissionIds": [permission], "version": version(life, role).await });
    life.post(&format!("{ROLE}/allocation"), rights).await;
    life.get(&format!("{ROLE}/selectMenuAndPermission?id={role}")).await;
    let scope =
        json!({ "roleId": role, "dataScope": "named_sites", "siteIds": [], "version": version(life, role).await });
    life.put(&format!("{ROLE}/scope"), scope).await;
    life.get(&format!("{ROLE}/scope?id={role}")).await;
    for path in ["/list", "/selectPageList?pageSize=100"] {
        life.get(&format!("{ROLE}{path}")).await;
    }
    for _ in 0..2 {
        life.step(&format!("{ROLE}/disableOrEnableRole?id={role}")).await;
    }
    role
}

async fn version(life: &mut Life<'_>, role: i64) -> Value {
    life.get(&format!("{ROLE}/view?id={role}")).await["version"].clone()
}

/// Answers the number of the binding that is left.
async fn user(life: &mut Life<'_>, at: Option<i64>, role: i64) -> i64 {
    let form = |changes: Value| {
        let mut body = json!({ "roleIdList": [role] });
        for (field, value) in changes.as_object().expect("fields") {
            body[field] = value.clone();
        }
        if let Some(school) = at {
            body["schoolId"] = json!(school);
        }
        body
    };
    let named = at.map_or_else(String::new, |school| format!("&schoolId={school}"));
    let new = form(json!({ "loginName": "jiaxiao", "realName": format!("{MARK}李老师") }));
    let user = id(&life.post(&format!("{USER}/save"), new).await);
    let listed = life.get(&format!("{USER}/selectPageList?loginName=jiaxiao{named}")).await["list"][0].clone();
    life.get(&format!("{USER}/view?userId={user}")).await;
    let edit =
        json!({ "id": user, "version": listed["version"], "realName": format!("{MARK}李老师"), "remark": "教务" });
    life.put(&format!("{USER}/edit"), edit).await;
    let mut filter = form(json!({ "loginName": "jiaxiao" }));
    filter.as_object_mut().expect("fields").remove("roleIdList");
    life.post(&format!("{USER}/export"), filter).await;
    let query: i64 = life.server.one("select id from platform.sys_role where seed_key = 'query'").await;
    let mut roles = form(json!({ "userId": user }));
    roles["roleIdList"] = json!([role, query]);
    life.post(&format!("{USER}/allocation"), roles).await;
    life.get(&format!("{USER}/select/roleId?userId={user}{named}")).await;
    life.get(&format!("{USER}/selectRoleList?{}", named.trim_start_matches('&'))).await;
    life.get(&format!("{USER}/selectRolePageList?{}", named.trim_start_matches('&'))).await;
    for _ in 0..2 {
        life.step(&format!("{USER}/disableOrEnableAccount?userId={user}")).await;
    }
    life.step(&format!("{USER}/kick?userId={user}")).await;
    life.step(&format!("{USER}/unlock?userId={user}")).await;
    let server = life.server;
    let passwords = json!({
        "userId": user, "oldPassword": server.cipher(PASSWORD), "loginPassword": server.cipher("Second#2026qiu"),
        "confirmPassword": server.cipher("Second#2026qiu"),
    });
    life.put(&format!("{USER}/update/password"), passwords).await;
    let first = listed["bindingId"].as_i64().expect("a binding");
    life.delete(&format!("{USER}/deleteBingSchool?id={first}")).await;
    let bound =
        id(&life.post(&format!("{USER}/bindSchool"), form(json!({ "userId": user, "loginName": "jiaxiao" }))).await);
    let binding = match at {
        Some(_) => bound,
        // From inside a school the person is asked, and agrees at the next sign-in.
        None => agreed(life, user, bound).await,
    };
    let invitation = invited(life, at.unwrap_or(1)).await;
    life.get(&format!("{USER}/invitation/list?{}", named.trim_start_matches('&'))).await;
    life.delete(&format!("{USER}/invitation/delete?id={invitation}{named}")).await;
    life.put(&format!("{USER}/editSchoolRole"), json!({ "id": binding, "roleIdList": [query, role] })).await;
    binding
}

/// Answers the number of the binding that an invitation became.
async fn agreed(life: &Life<'_>, user: i64, invitation: i64) -> i64 {
    let server = life.server;
    let client = server.anonymous();
    client.challenge("jiaxiao", "schoolLogin").await;
    let login =
        json!({ "loginName": "jiaxiao", "loginPassword": server.cipher("Second#2026qiu"), "agreeTo": invitation });
    assert_eq!(client.post("/system/pc/api/sys/user/schoolLogin", login).await.code(), 200);
    server.one(&format!("select id from platform.sys_user_school where user_id = {user}")).await
}

/// An invitation of somebody else, of which only the number is needed.
async fn invited(life: &Life<'_>, school: i64) -> i64 {
    let name = life.server.account(2, &[], "whole_school", &[]).await;
    life.server
        .one(&format!(
            "insert into platform.sys_school_invitation (user_id, school_id, login_name, role_ids, scopes, is_admin, ends_at,
                 created_by, updated_by)
             select u.id, {school}, '{MARK}{name}', array[(select min(id) from platform.sys_role)], '[]', false,
                    now() + interval '1 day', o.id, o.id
             from platform.sys_user u, platform.sys_user o where u.login_name = '{name}' and o.login_name = 'operator'
             returning id"
        ))
        .await
}

async fn banner(life: &mut Life<'_>) -> i64 {
    let form = json!({ "title": format!("{MARK}开学"), "imageUrl": "/admin/files/public/a.png", "terminal": "pc", "position": "home" });
    let banner = id(&life.post(&format!("{BANNER}/save"), form.clone()).await);
    let mut edit = form;
    (edit["id"], edit["version"], edit["sort"]) = (json!(banner), json!(1), json!(2));
    life.put(&format!("{BANNER}/edit"), edit).await;
    // Back and forth, so that it changes something each time when others try the same.
    for enabled in [false, true] {
        life.put(&format!("{BANNER}/update/status"), json!({ "id": banner, "enabled": enabled })).await;
    }
    life.get(&format!("{BANNER}/view?id={banner}")).await;
    life.post(&format!("{BANNER}/list"), json!({})).await;
    banner
}

/// Undoes what was kept.
pub(super) async fn end(life: &mut Life<'_>, kept: &Kept) {
    life.delete(&format!("{USER}/deleteBingSchool?id={}", kept.binding)).await;
    life.delete(&format!("{ROLE}/delete?id={}", kept.role)).await;
    life.delete(&format!("{BANNER}/delete?id={}", kept.banner)).await;
}
