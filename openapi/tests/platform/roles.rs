//! Roles, menus and permissions (part 01 §2).

use kit::{
    Client, Server,
    accounts::{USER, new_user, role},
    within,
};
use poem::http::Method;
use serde_json::{Value, json};

const ROLE: &str = "/system/pc/sys/role";
const MENU: &str = "/system/pc/sys/menu";
const PERMISSION: &str = "/system/pc/sys/permission";

/// The codes of somebody at a school who looks after its roles.
const KEEPER: [&str; 8] = [
    "system:pc:sys:role:selectPageList",
    "system:pc:sys:role:save",
    "system:pc:sys:role:edit",
    "system:pc:sys:role:delete",
    "system:pc:sys:role:allocation",
    "system:pc:sys:role:selectMenuAndPermission",
    "system:pc:sys:role:scope",
    "system:pc:sys:role:disableOrEnableRole",
];

async fn new_role(client: &Client<'_>, name: &str, kind: &str) -> i64 {
    let form = json!({ "roleName": name, "kind": kind, "dataScope": "whole_school" });
    client.post(&format!("{ROLE}/save"), form).await.id()
}

/// The numbers of the rows of a code in an area.
async fn rows_of(server: &Server, client_type: i16, code: &str) -> Vec<i64> {
    server
        .one(&format!(
            "select array_agg(p.id order by p.id) from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
             where m.client_type = {client_type} and p.permission_code = '{code}'"
        ))
        .await
}

fn allocation(role: i64, permissions: &[i64], version: i64) -> Value {
    json!({ "roleId": role, "menuIds": [], "permissionIds": permissions, "version": version })
}

async fn switch(client: &Client<'_>, path: &str, id: i64) -> kit::Answer {
    client.bare(Method::PUT, &format!("{path}?id={id}")).await
}

#[tokio::test]
async fn a_role_is_made_given_rights_renamed_switched_and_deleted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let role = new_role(&operator, "巡查", "platform").await;
    let again = operator
        .post(&format!("{ROLE}/save"), json!({ "roleName": "巡查", "kind": "platform", "dataScope": "whole_school" }))
        .await;
    assert_eq!(again.refused(), (422, "角色名称已存在"));
    let list = rows_of(&server, 0, "system:pc:sys:school:list").await;
    assert_eq!(operator.post(&format!("{ROLE}/allocation"), allocation(role, &list, 1)).await.code(), 200);
    let rights = operator.get(&format!("{ROLE}/selectMenuAndPermission?id={role}")).await;
    assert_eq!(rights.data()["checkedPermissionIds"], json!(list));
    // The menus above a code come with it.
    let above: i64 = server
        .one("select count(*) from platform.sys_role_menu rm join platform.sys_menu m on m.id = rm.menu_id and m.path = '/sys/school/list'")
        .await;
    assert!(above >= 1);
    let edited =
        json!({ "id": role, "version": 2, "roleName": "巡查员", "kind": "platform", "dataScope": "whole_school" });
    assert_eq!(operator.put(&format!("{ROLE}/edit"), edited.clone()).await.code(), 200);
    let stale = operator.put(&format!("{ROLE}/edit"), edited).await;
    assert_eq!(stale.code(), 409, "{}", stale.body);
    assert_eq!(switch(&operator, &format!("{ROLE}/disableOrEnableRole"), role).await.data()["enabled"], json!(false));
    let options = operator.get(&format!("{ROLE}/list?kind=platform")).await;
    assert!(options.data().as_array().expect("options").iter().all(|option| option["id"] != json!(role)));
    assert_eq!(operator.delete(&format!("{ROLE}/delete?id={role}")).await.code(), 200);
    assert_eq!(operator.get(&format!("{ROLE}/view?id={role}")).await.code(), 404);
    let trail: Vec<String> = server
        .one(&format!(
            "select array_agg(action order by id) from platform.audit_log where entity_type = 'sys_role' and entity_id = {role}"
        ))
        .await;
    assert_eq!(trail, ["insert", "update", "update", "status", "delete"]);
}

/// 01 §2.5.3: the first of two editors wins.
#[tokio::test]
async fn of_two_allocations_over_one_version_the_second_is_refused() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let role = new_role(&operator, "巡查", "platform").await;
    let (view, list) = (
        rows_of(&server, 0, "system:pc:sys:school:view").await,
        rows_of(&server, 0, "system:pc:sys:school:list").await,
    );
    assert_eq!(operator.post(&format!("{ROLE}/allocation"), allocation(role, &view, 1)).await.code(), 200);
    assert_eq!(operator.post(&format!("{ROLE}/allocation"), allocation(role, &list, 1)).await.code(), 409);
    let rights = operator.get(&format!("{ROLE}/selectMenuAndPermission?id={role}")).await;
    assert_eq!(rights.data()["checkedPermissionIds"], json!(view));
}

/// 01 §2.5.4: what hangs below a disabled menu counts for nobody, on every server at once, and comes back as it was.
#[tokio::test]
async fn a_disabled_menu_takes_the_codes_below_it_and_gives_them_back() {
    let server = Server::start().await;
    let second = Server::beside(&server).await;
    let operator = server.operator().await;
    let staff =
        server.staff(1, &["adult:pc:studentRoll:list", "adult:pc:studentRoll:view", "adult:pc:grade:list"]).await;
    let elsewhere = staff.at(&second);
    let codes = async |client: &Client<'_>| client.get("/system/pc/sys/user/permission").await.data().clone();
    let before = codes(&elsewhere).await;
    assert!(before.as_array().expect("codes").contains(&json!("adult:pc:studentRoll:list")));
    // One code below is off already, and stays off.
    let view = rows_of(&server, 1, "adult:pc:studentRoll:view").await;
    for id in &view {
        assert_eq!(switch(&operator, &format!("{PERMISSION}/disableOrEnablePermission"), *id).await.code(), 200);
    }
    let menu: i64 =
        server.one("select id from platform.sys_menu where client_type = 1 and path = '/schoolPC/studentStatus'").await;
    let others: i64 = server
        .one(
            "select count(*) from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
             where m.client_type = 1 and p.permission_code = 'adult:pc:studentRoll:list' and m.path not like '/schoolPC/studentStatus/%'",
        )
        .await;
    assert_eq!(others, 0, "the code hangs below this menu only");
    assert_eq!(switch(&operator, &format!("{MENU}/disableOrEnableMenu"), menu).await.data()["enabled"], json!(false));
    let left = json!(["adult:pc:grade:list"]);
    within(1, "the right is gone elsewhere", async || codes(&elsewhere).await == left).await;
    assert_eq!(elsewhere.post("/adult/pc/studentRoll/list", json!({})).await.code(), 403);
    assert_eq!(switch(&operator, &format!("{MENU}/disableOrEnableMenu"), menu).await.data()["enabled"], json!(true));
    let both = json!(["adult:pc:grade:list", "adult:pc:studentRoll:list"]);
    within(1, "the right is back elsewhere", async || codes(&elsewhere).await == both).await;
    second.close().await;
}

/// Two people look at the same old page: what the second wants is what stands already, and is not turned round.
#[tokio::test]
async fn a_switch_says_what_it_wants() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let role = new_role(&operator, "巡查", "platform").await;
    let menu: i64 =
        server.one("select id from platform.sys_menu where client_type = 1 and path = '/schoolPC/studentStatus'").await;
    let code = rows_of(&server, 1, "adult:pc:studentRoll:view").await[0];
    let switches = [
        (format!("{ROLE}/disableOrEnableRole?id={role}"), "sys_role", role),
        (format!("{PERMISSION}/disableOrEnablePermission?id={code}"), "sys_permission", code),
        (format!("{MENU}/disableOrEnableMenu?id={menu}"), "sys_menu", menu),
    ];
    for (path, table, id) in switches {
        let at = async |wanted: bool| {
            let answer = operator.put(&format!("{path}&enabled={wanted}"), json!({})).await;
            assert_eq!(answer.data()["enabled"], json!(wanted), "{table}: {}", answer.body);
            server.one::<bool>(&format!("select enabled from platform.{table} where id = {id}")).await
        };
        assert_eq!((at(false).await, at(false).await), (false, false), "{table}");
        assert_eq!((at(true).await, at(true).await), (true, true), "{table}");
        // As the contract has it, without the word it turns.
        assert_eq!(operator.put(&path, json!({})).await.data()["enabled"], json!(false), "{table}");
    }
}

/// 01 §2.5.8.
#[tokio::test]
async fn a_role_in_use_is_not_deleted() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let role = new_role(&operator, "模板甲", "template").await;
    for _ in 0..12 {
        let login = server.account(1, &[], "whole_school", &[]).await;
        server
            .run(&format!(
                "insert into platform.sys_user_role (user_id, role_id, school_id, created_by)
                 select id, {role}, 1, 0 from platform.sys_user where login_name = '{login}'"
            ))
            .await;
    }
    let refused = operator.delete(&format!("{ROLE}/delete?id={role}")).await;
    assert_eq!(refused.refused(), (409, "该角色已分配给12个账号，请先解除"));
    let built_in: i64 = server.one("select id from platform.sys_role where seed_key = 'school_admin'").await;
    assert_eq!(operator.delete(&format!("{ROLE}/delete?id={built_in}")).await.refused(), (409, "内置数据不能删除"));
    let switched = switch(&operator, &format!("{ROLE}/disableOrEnableRole"), built_in).await;
    assert_eq!(switched.refused(), (409, "内置角色不能停用"));
}

/// 01 §2.2.3: a person gives only what they hold, in the area and as far as they hold it.
#[tokio::test]
async fn nobody_gives_what_he_does_not_hold_nor_changes_his_own_role() {
    let server = Server::start().await;
    let login = server.account(1, &[&KEEPER[..], &["adult:pc:studentRoll:list"]].concat(), "whole_school", &[]).await;
    let keeper = server.signed_in(&login, "schoolLogin").await;
    let role = new_role(&keeper, "学生查询", "own").await;
    let plain = rows_of(&server, 1, "adult:pc:studentRoll:exportPlain").await;
    let refused = keeper.post(&format!("{ROLE}/allocation"), allocation(role, &plain, 1)).await;
    assert_eq!(refused.code(), 403);
    assert!(refused.refused().1.starts_with("不能授予自己没有的权限："), "{}", refused.body);
    let list = rows_of(&server, 1, "adult:pc:studentRoll:list").await;
    assert_eq!(keeper.post(&format!("{ROLE}/allocation"), allocation(role, &list, 1)).await.code(), 200);
    let own: i64 = server.one(&format!("select id from platform.sys_role where role_name = '{login}'")).await;
    let mine = keeper.post(&format!("{ROLE}/allocation"), allocation(own, &list, 1)).await;
    assert_eq!(mine.refused(), (409, "不能修改自己的角色"));
    assert_eq!(switch(&keeper, &format!("{ROLE}/disableOrEnableRole"), own).await.code(), 409);

    let limited =
        server.staff_within(1, &[&KEEPER[..], &["adult:pc:studentRoll:list"]].concat(), "named_sites", &[3]).await;
    let wide = new_role(&limited, "越权", "own").await;
    let refused = limited.post(&format!("{ROLE}/allocation"), allocation(wide, &list, 1)).await;
    assert!(refused.refused().1.starts_with("不能授予超出自己数据范围的权限："), "{}", refused.body);

    let operator = server.operator().await;
    let root: i64 = server.one("select id from platform.sys_role where seed_key = 'super'").await;
    let refused = operator.post(&format!("{ROLE}/allocation"), allocation(root, &[], 1)).await;
    assert_eq!(refused.refused(), (409, "超级管理员始终拥有全部权限，不需要分配"));
}

/// 01 §2.2.4: templates are the operators'; a school copies them and sees no other school's roles.
#[tokio::test]
async fn a_school_copies_a_template_and_keeps_its_roles_to_itself() {
    let server = Server::start().await;
    let admin = server.operator_in(1).await;
    let template: i64 = server.one("select id from platform.sys_role where seed_key = 'query'").await;
    let form =
        json!({ "id": template, "version": 1, "roleName": "改名", "kind": "template", "dataScope": "whole_school" });
    let refused = admin.put(&format!("{ROLE}/edit"), form).await;
    assert_eq!(refused.refused(), (403, "院校模板由平台维护，请复制为本校角色后修改"));
    let copied = json!({ "roleName": "查询（本校）", "kind": "own", "dataScope": "whole_school", "copyOf": template });
    let role = admin.post(&format!("{ROLE}/save"), copied).await.id();
    let counts: Vec<i64> = server
        .one(&format!(
            "select array[(select count(*) from platform.sys_role_permission where role_id = {template}),
                          (select count(*) from platform.sys_role_permission where role_id = {role})]"
        ))
        .await;
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0] > 0);
    let other = server.staff(2, &[&KEEPER[..], &["system:pc:sys:role:view"]].concat()).await;
    assert_eq!(other.get(&format!("{ROLE}/view?id={role}")).await.code(), 404);
    assert_eq!(other.delete(&format!("{ROLE}/delete?id={role}")).await.code(), 404);
    let names = async |client: &Client<'_>| {
        let list = client.get(&format!("{ROLE}/selectPageList?pageSize=100")).await;
        list.data()["list"].as_array().expect("rows").iter().map(|row| row["roleName"].clone()).collect::<Vec<_>>()
    };
    assert!(names(&admin).await.contains(&json!("查询（本校）")));
    assert!(!names(&other).await.contains(&json!("查询（本校）")));
    let platform = json!({ "roleName": "越区", "kind": "platform", "dataScope": "whole_school" });
    assert_eq!(admin.post(&format!("{ROLE}/save"), platform).await.refused(), (422, "院校只能新增本校角色"));
    assert!(!names(&server.operator().await).await.contains(&json!("查询（本校）")));
}

/// 01 §2.5.6 in part: a role over one site opens that site's students and no others, wherever they are asked for.
#[tokio::test]
async fn the_targets_of_a_role_decide_whose_students_it_opens() {
    let server = Server::start().await;
    let admin = kit::cohort::registrar(&server).await;
    let place = kit::cohort::cohort(&admin).await;
    let codes = ["adult:pc:studentRoll:list", "adult:pc:studentRoll:view"];
    let login = server.account(1, &codes, "named_sites", &[place.site]).await;
    let staff = server.signed_in(&login, "schoolLogin").await;
    let rows = vec![kit::students::row(1).to_vec()];
    assert_eq!(kit::students::import_rows(&admin, &kit::students::HEADINGS, &rows).await.data()["imported"], json!(1));
    let count = async || staff.post("/adult/pc/studentRoll/list", json!({})).await.data()["totalCount"].clone();
    assert_eq!(count().await, json!(1));
    let id: i64 = server.one("select id from school_1.student").await;
    let role: i64 = server.one(&format!("select id from platform.sys_role where role_name = '{login}'")).await;
    let form = |sites: &[i64], version: i64| json!({ "roleId": role, "dataScope": "named_sites", "siteIds": sites, "version": version });
    let admin = server.operator_in(1).await;
    let unknown = admin.put(&format!("{ROLE}/scope"), form(&[place.site + 500], 1)).await;
    assert_eq!(unknown.refused(), (422, "所选站点不存在，请重新选择"));
    assert_eq!(admin.put(&format!("{ROLE}/scope"), form(&[], 1)).await.code(), 200);
    assert_eq!(count().await, json!(0));
    assert_eq!(staff.get(&format!("/adult/pc/studentRoll/view?id={id}")).await.code(), 404);
    assert_eq!(admin.put(&format!("{ROLE}/scope"), form(&[place.site], 2)).await.code(), 200);
    assert_eq!(count().await, json!(1));
    assert_eq!(admin.get(&format!("{ROLE}/scope?id={role}")).await.data()["siteIds"], json!([place.site]));

    // Which targets go with a scope.
    let keeper = kit::cohort::registrar(&server).await;
    let class = keeper.post("/adult/pc/class/save", place.class("C1")).await.id();
    let scoped = async |client: &Client<'_>, role: i64, scope: &str, sites: &[i64], classes: &[i64]| {
        let version: i32 = server.one(&format!("select version from platform.sys_role where id = {role}")).await;
        let form =
            json!({ "roleId": role, "dataScope": scope, "siteIds": sites, "classIds": classes, "version": version });
        let answer = client.put(&format!("{ROLE}/scope"), form).await;
        (answer.code() != 200).then(|| answer.msg().to_owned())
    };
    let told = async |sites: &[i64], classes: &[i64], scope: &str| scoped(&admin, role, scope, sites, classes).await;
    assert_eq!(told(&[place.site], &[], "whole_school").await.as_deref(), Some("数据范围为指定站点时才能选择站点"));
    assert_eq!(told(&[], &[class], "named_sites").await.as_deref(), Some("数据范围为指定班级时才能选择班级"));
    assert_eq!(told(&[], &[class], "named_classes").await, None);
    let operator = server.operator().await;
    let template = new_role(&operator, "按站点查询", "template").await;
    assert_eq!(scoped(&operator, template, "named_sites", &[], &[]).await, None);
    let refused = scoped(&operator, template, "named_sites", &[place.site], &[]).await;
    assert_eq!(refused.as_deref(), Some("模板不属于任何院校，站点和班级在分配给账号时指定"));
    let platform = new_role(&operator, "巡查", "platform").await;
    let refused = scoped(&operator, platform, "named_sites", &[], &[]).await;
    assert_eq!(refused.as_deref(), Some("平台角色的数据范围固定为全校"));
}

#[tokio::test]
async fn a_menu_is_made_moved_and_deleted_within_its_rules() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let form = |parent: i64, name: &str| json!({ "parentId": parent, "clientType": 1, "menuName": name, "menuType": "directory" });
    let save = async |body: Value| operator.post(&format!("{MENU}/save"), body).await;
    let one = save(form(0, "一级")).await.id();
    let two = save(form(one, "二级")).await.id();
    let three = save(form(two, "三级")).await.id();
    let four = save(form(three, "四级")).await.id();
    assert_eq!(save(form(four, "五级")).await.refused(), (422, "菜单最多四级"));
    let mut moved = form(two, "一级");
    moved["id"] = json!(one);
    moved["version"] = json!(1);
    let inside = operator.put(&format!("{MENU}/edit"), moved).await;
    assert_eq!(inside.refused(), (422, "不能移到自己或自己的下级之下"));
    let mut page = form(one, "学信网");
    page["menuType"] = json!("page");
    assert_eq!(save(page.clone()).await.refused(), (422, "页面的路径不能为空"));
    page["frameUrl"] = json!("https://www.chsi.com.cn/xlcx?a=1");
    let frame = save(page.clone()).await.id();
    let path: String = server.one(&format!("select path from platform.sys_menu where id = {frame}")).await;
    assert_eq!(path, "/iframe?url=https%3A%2F%2Fwww.chsi.com.cn%2Fxlcx%3Fa%3D1", "told apart by its address");
    assert_eq!(save(page).await.refused(), (422, "该路径已有菜单"));
    let menus = server.admin_of(1).await.get("/system/pc/sys/school/user/menu").await;
    assert!(menus.body.to_string().contains("https://www.chsi.com.cn/"), "an outside page is shown at once");
    let refused = operator.delete(&format!("{MENU}/delete?id={one}")).await;
    assert_eq!(refused.refused(), (409, "请先删除下级菜单或权限（2个）"));
    for id in [frame, four, three, two, one] {
        assert_eq!(operator.delete(&format!("{MENU}/delete?id={id}")).await.code(), 200);
    }
    let built_in: i64 =
        server.one("select id from platform.sys_menu where path = '/sys/role/list' and client_type = 0").await;
    assert_eq!(operator.delete(&format!("{MENU}/delete?id={built_in}")).await.refused(), (409, "内置数据不能删除"));
    // The way back stays open.
    let menus: i64 = server.one("select id from platform.sys_menu where path = '/sys/menu/list'").await;
    let directory: i64 = server.one(&format!("select parent_id from platform.sys_menu where id = {menus}")).await;
    for id in [menus, directory] {
        let refused = switch(&operator, &format!("{MENU}/disableOrEnableMenu"), id).await;
        assert_eq!(refused.refused(), (409, "停用后将无法再管理菜单，不能停用该菜单"));
    }
    let level = operator.get(&format!("{MENU}/list?clientType=0&parentId={directory}")).await;
    assert!(level.data().as_array().expect("menus").iter().any(|menu| menu["path"] == json!("/sys/menu/list")));
}

#[tokio::test]
async fn a_permission_is_one_of_the_servers_codes() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let page: i64 = server.one("select id from platform.sys_menu where path = '/schoolPC/basicData/site'").await;
    let form = |code: &str| json!({ "menuId": page, "permissionName": "导出成绩", "permissionCode": code });
    let save = async |code: &str| operator.post(&format!("{PERMISSION}/save"), form(code)).await;
    assert_eq!(save("adult:pc:site:fly").await.refused(), (422, "权限标识不在系统目录中"));
    assert_eq!(save("adult:pc:site:list").await.refused(), (422, "该菜单下已有此权限"));
    let id = save("adult:pc:grade:export").await.id();
    let edit = json!({ "id": id, "version": 1, "menuId": page, "permissionName": "导出年级", "permissionCode": "adult:pc:grade:export" });
    assert_eq!(operator.put(&format!("{PERMISSION}/edit"), edit).await.code(), 200);
    let list = operator.get(&format!("{PERMISSION}/list?menuId={page}")).await;
    assert!(list.data().as_array().expect("rows").iter().any(|row| row["permissionName"] == json!("导出年级")));
    assert_eq!(operator.delete(&format!("{PERMISSION}/delete?id={id}")).await.code(), 200);
    assert_eq!(operator.get(&format!("{PERMISSION}/view?id={id}")).await.code(), 404);
    let needed = rows_of(&server, 0, "system:pc:sys:menu:list").await;
    let refused = switch(&operator, &format!("{PERMISSION}/disableOrEnablePermission"), needed[0]).await;
    assert_eq!(refused.refused(), (409, "停用后将无法再管理菜单和权限，不能停用该权限"));
}

/// Pages that 01 §12 gives to the roles that ship, as far as their screens do; none of them may lie behind another role.
const OPENED: [(&str, &[&str]); 14] = [
    (
        "operations",
        &[
            "/course/record/list",
            "/platformPC/basicData/grade",
            "/system/banner/list",
            "/user/msg/list",
            "/user/msg/scene/list",
            "/user/psd/info/list",
            "/user/psd/list/conf/list",
        ],
    ),
    ("service", &["/platformPC/supportCenter/studentsSupport", "/platformPC/supportCenter/schoolSupport"]),
    (
        "finance",
        &[
            "/user/account/extract/log/list",
            "/user/distribution/list",
            "/user/order/info/list",
            "/user/pay/channel/list",
            "/user/pay/rule/list",
        ],
    ),
    ("audit", &["/data/sys/log/list", "/data/sys/log/userLog", "/data/user/log/login/list", "/druid/index"]),
    ("support", &["/data/sys/log/userLog", "/schoolPC/basicData/grade", "/user/msg/list"]),
    ("school_admin", &["/data/sys/log/userLog", "/schoolPC/userManagerment/teacherList", "/user/msg/list"]),
    ("recruitment", &["/schoolPC/recruitStudents/preRegistration/preRegistrationList"]),
    ("status", &["/schoolPC/studentStatus/studentRoll/BeRegistered", "/schoolPC/userManagerment/studentList"]),
    ("teaching", &["/schoolPC/basicData/term"]),
    ("teaching_secretary", &["/schoolPC/educational/teachingPlan", "/schoolPC/educational/selection/courseAllocation"]),
    (
        "site_teaching",
        &[
            "/schoolPC/educational/selection/courseOpening",
            "/schoolPC/educational/selection/courseAllocation",
            "/schoolPC/educational/selection/curriculaVariable",
        ],
    ),
    (
        "site_admin",
        &[
            "/schoolPC/recruitStudents/preRegistration/preRegistrationList",
            "/schoolPC/studentStatus/studentRoll/BeRegistered",
        ],
    ),
    ("class_manager", &["/schoolPC/studentStatus/studentRoll/BeRegistered"]),
    ("query", &["/data/sys/log/userLog", "/schoolPC/recruitStudents/preRegistration/preRegistrationList"]),
];

/// Somebody with a role that ships, and nothing else.
async fn holder<'s>(server: &'s Server, key: &str) -> Client<'s> {
    let role_id = role(server, key).await;
    if server.one::<i16>(&format!("select client_type from platform.sys_role where id = {role_id}")).await == 0 {
        let root = server.operator().await;
        let name = format!("seeded_{key}");
        let user = root.post(&format!("{USER}/save"), new_user(&name, &[role_id])).await.id();
        server
            .run(&format!(
                "update platform.sys_user set must_change_password = false, password_hash = (
                     select password_hash from platform.sys_user where login_name = 'operator') where id = {user}"
            ))
            .await;
        return server.signed_in(&name, "login").await;
    }
    let name = server.account(1, &[], "whole_school", &[]).await;
    server
        .run(&format!(
            "update platform.sys_user_role ur set role_id = {role_id}
             from platform.sys_user u where u.id = ur.user_id and u.login_name = '{name}'"
        ))
        .await;
    server.signed_in(&name, "schoolLogin").await
}

fn paths_of(menu: &Value, found: &mut Vec<String>) {
    for node in menu.as_array().into_iter().flatten() {
        found.extend(node["path"].as_str().map(ToOwned::to_owned));
        paths_of(&node["children"], found);
    }
}

#[tokio::test]
async fn the_roles_that_ship_open_their_pages_and_what_the_pages_show() {
    let server = Server::start().await;
    let document: Value = serde_json::from_str(include_str!("../../openapi.json")).expect("a document");
    for (key, expected) in OPENED {
        let client = holder(&server, key).await;
        let inside = client.get("/system/pc/sys/school/user/menu").await;
        let (area, menu) =
            if inside.code() == 200 { (1, inside) } else { (0, client.get(&format!("{USER}/menu")).await) };
        let mut seen = Vec::new();
        paths_of(menu.data(), &mut seen);
        for page in expected {
            assert!(seen.iter().any(|path| path == page), "{key} cannot open {page}: {seen:?}");
        }
        for page in &seen {
            let opened_by: Option<String> = server
                .one(&format!(
                    "select max(open_code) from platform.sys_menu
                     where client_type = {area} and path = '{page}' and shipped and not hidden and menu_type = 'page'"
                ))
                .await;
            let Some(code) = opened_by.filter(|code| code.ends_with("ist")) else { continue };
            let (path, method) = list_of(&document, &code);
            // Menus are listed of one area, fields of one stage.
            let path = if path.ends_with("/sys/menu/list") { format!("{path}?clientType={area}") } else { path };
            let asked =
                if path.contains("fieldAttribute") { json!({ "stage": "pre_registration" }) } else { json!({}) };
            let answer = if method == "get" { client.get(&path).await } else { client.post(&path, asked).await };
            // Some of the operators' pages over a school's data ask for the school first, some for the semester or the report.
            let school_first = area == 0 && answer.refused() == (422, "请选择院校");
            let other_first = ["请选择学期", "请选择统计报表"].map(|words| (422, words)).contains(&answer.refused());
            assert!(answer.code() == 200 || school_first || other_first, "{key} at {page}: {}", answer.body);
        }
    }
}

/// Of what is closed a 教务员 closes courses, and no semester (part 03 §0.4).
#[tokio::test]
async fn a_teaching_clerk_closes_courses_and_no_semester() {
    let server = Server::start().await;
    let closes: Vec<String> = server
        .one(
            "select array_agg(distinct p.permission_code) from platform.sys_role r
             join platform.sys_role_permission g on g.role_id = r.id
             join platform.sys_permission p on p.id = g.permission_id
             where r.seed_key = 'teaching_clerk' and p.permission_code like '%:close'",
        )
        .await;
    assert!(closes.iter().any(|code| code == "adult:pc:courseOpening:close"), "{closes:?}");
    assert!(!closes.iter().any(|code| code == "adult:pc:semester:close"), "{closes:?}");
}

/// The call that needs a code and ends in `list`, or the only one.
fn list_of(document: &Value, code: &str) -> (String, String) {
    let calls = document["paths"].as_object().expect("paths").iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods").iter();
        methods.filter(|(_, call)| call["x-permission"] == code).map(|(method, _)| (path.clone(), method.clone()))
    });
    calls
        .max_by_key(|(path, _)| path.to_lowercase().ends_with("list"))
        .unwrap_or_else(|| panic!("{code} opens nothing"))
}

/// 01 §1.6: somebody who sees a part of the school is told which.
#[tokio::test]
async fn an_account_knows_the_names_of_its_data_scope() {
    let server = Server::start().await;
    let admin = kit::cohort::registrar(&server).await;
    let p = kit::cohort::cohort(&admin).await;
    let narrow = server.staff_within(1, &["adult:pc:site:list"], "named_sites", &[p.site]).await;
    let info = narrow.get("/system/pc/api/sys/user/getSchoolAccountInfo").await;
    assert_eq!(info.data()["dataScope"], json!({ "kind": "named_sites", "names": ["城东教学点"] }));
}

/// Part 03 §0.4: what a 站点教务 enters the school confirms; a 阅卷教师 marks, and neither hands out sheets nor corrects keys.
#[tokio::test]
async fn who_teaches_at_a_site_and_who_marks_decide_nothing_for_the_school() {
    let server = Server::start().await;
    for (key, theirs, others) in [
        (
            "site_teaching",
            &["adult:pc:offlineInstruction:submit", "adult:pc:courseArrange:list", "exam:pc:tasks:student:export"],
            &["adult:pc:offlineInstruction:confirm", "adult:pc:courseArrange:save", "exam:pc:tasks:marking:list"],
        ),
        (
            "marker",
            &["exam:pc:tasks:marking:list", "exam:pc:tasks:marking:edit", "exam:pc:tasks:marking:return"],
            &["exam:pc:tasks:marking:assign", "exam:pc:tasks:marking:rejudge", "exam:pc:tasks:list"],
        ),
    ] {
        let client = holder(&server, key).await;
        let answer = client.get("/system/pc/sys/user/permission").await;
        let held = answer.data().as_array().expect("codes");
        for code in theirs {
            assert!(held.contains(&json!(code)), "{key} lacks {code}");
        }
        for code in others {
            assert!(!held.contains(&json!(code)), "{key} has {code}");
        }
    }
    let marker = holder(&server, "marker").await;
    let mut pages = Vec::new();
    paths_of(marker.get("/system/pc/sys/school/user/menu").await.data(), &mut pages);
    assert!(pages.iter().any(|page| page == "/schoolPC/educational/onlineWork/onlineWorkMarking"), "{pages:?}");
    let marking = marker.post("/exam/pc/tasks/marking/list", json!({ "tab": "pending" })).await;
    assert_eq!(marking.code(), 200, "{}", marking.body);
}
