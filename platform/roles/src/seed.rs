//! Menus, permissions and roles that ship with the server (01 §12).
//!
//! Seeding adds what is missing and remembers each pair it ever added, so that what people removed does not come back
//! and what they renamed, moved or switched off stays so. Only `shipped` follows the server: whether its console has the screen.

use std::collections::HashMap;

use infra::{Error, Result, module::Modules};
use sqlx::PgConnection;

/// The menu tree of both areas; file order is sort order.
const MENUS: &str = include_str!("../data/menus.tsv");

/// A role that ships, with the codes it takes.
struct SeedRole {
    key: &'static str,
    name: &'static str,
    client_type: i16,
    data_scope: &'static str,
    takes: fn(code: &str, page: &str) -> bool,
}

/// What looks and changes nothing; some pages open by a code that is named after what they show.
fn reads_only(code: &str) -> bool {
    const ACTIONS: [&str; 10] = [
        ":list",
        ":siteList",
        ":view",
        ":selectPageList",
        ":options:view",
        ":userLog",
        ":verify",
        ":statistics",
        ":checkStatistics",
        ":failureLog",
    ];
    ACTIONS.iter().any(|action| code.ends_with(action))
}

/// What the person at a site does for those who want to study there; what they sent in is judged by the school.
fn enters_applicants(code: &str, page: &str) -> bool {
    let actions = [":list", ":view", ":save", ":edit", ":import", ":export"];
    match page.rsplit('/').next() {
        Some("preRegistrationList") => actions.iter().any(|action| code.ends_with(action)),
        Some("preRegistrationBatch") => reads_only(code),
        _ => false,
    }
}

fn personal(code: &str) -> bool {
    code.ends_with(":exportPlain") || code.ends_with(":viewPlain")
}

fn below(page: &str, directories: &[&str]) -> bool {
    directories.iter().any(|directory| page.split('/').any(|part| part == *directory))
}

/// Held by every seeded school role: the selectors of all forms read options, and everybody begins at the home page.
fn options(code: &str) -> bool {
    matches!(code, "adult:pc:options:view" | HOME)
}

/// Opens the home page of both areas.
const HOME: &str = "data:pc:dashboard:view";

/// The customers of the operators' site.
const LEARNERS: &str = "/user/ext/list";

/// What membership is sold as.
const MEMBERSHIPS: &str = "/system/vip/set/list";

/// The timetable stands among the pages of examinations.
const TIMETABLE: &str = "adult:pc:courseArrange:";

const ROLES: &[SeedRole] = &[
    SeedRole { key: "super", name: "超级管理员", client_type: 0, data_scope: "whole_school", takes: |_, _| true },
    SeedRole {
        key: "operations",
        name: "平台运营",
        client_type: 0,
        data_scope: "whole_school",
        takes: |code, page| {
            let catalogue = ["/platformPC/basicData", "/course", "/user/msg", "/user/psd", "/system/banner"];
            let site = [
                "/system/nav",
                "/system/adv",
                "/system/zone",
                "/system/website",
                "/system/sharing",
                "/system/search",
                "/exam",
                "/community",
                "/gzh",
            ];
            catalogue.iter().chain(&site).any(|folder| page.starts_with(folder))
                || page == MEMBERSHIPS
                || page == "/user/chosen/list"
                || page.starts_with("/marketing/")
                || matches!(page, "/user/lecturer/list" | LEARNERS) && !personal(code)
                || reads_only(code) && page == "/sys/school/list"
                || code == HOME
        },
    },
    SeedRole {
        key: "service",
        name: "客服",
        client_type: 0,
        data_scope: "whole_school",
        takes: |code, page| {
            let comments = ["course:pc:comment:", "user:pc:community:blog:comment:"];
            let theirs = below(page, &["supportCenter"]) || comments.iter().any(|of| code.starts_with(of));
            theirs
                || reads_only(code) && page == "/community/blog/list"
                || page == LEARNERS && !personal(code)
                // Whoever makes somebody a member chooses among what is sold.
                || reads_only(code) && matches!(page, "/sys/school/list" | MEMBERSHIPS)
                || code == HOME
        },
    },
    SeedRole {
        key: "finance",
        name: "财务",
        client_type: 0,
        data_scope: "whole_school",
        takes: |code, page| {
            let money = ["/user/order/", "/user/pay/", "/user/account/", "/user/distribution/"];
            money.iter().any(|folder| page.starts_with(folder)) || code == HOME
        },
    },
    SeedRole {
        key: "audit",
        name: "审计",
        client_type: 0,
        data_scope: "whole_school",
        takes: |code, _| reads_only(code),
    },
    SeedRole {
        key: "support",
        name: "驻校支持",
        client_type: 1,
        data_scope: "whole_school",
        takes: |code, _| !personal(code),
    },
    SeedRole {
        key: "school_admin",
        name: "院校管理员",
        client_type: 1,
        data_scope: "whole_school",
        takes: |_, _| true,
    },
    SeedRole {
        key: "recruitment",
        name: "招生管理员",
        client_type: 1,
        data_scope: "whole_school",
        takes: |code, page| below(page, &["recruitStudents"]) || options(code),
    },
    SeedRole {
        key: "status",
        name: "学籍管理员",
        client_type: 1,
        data_scope: "whole_school",
        // 班级人数 stands among the students' accounts and counts by class.
        takes: |code, page| {
            below(page, &["studentStatus", "information", "userManagerment"])
                || code == "adult:pc:class:list"
                || options(code)
        },
    },
    SeedRole {
        key: "teaching",
        name: "教务管理员",
        client_type: 1,
        data_scope: "whole_school",
        takes: |code, page| below(page, &["basicData", "educational"]) || code.starts_with(TIMETABLE) || options(code),
    },
    SeedRole {
        key: "teaching_clerk",
        name: "教务员",
        client_type: 1,
        data_scope: "whole_school",
        takes: |code, page| {
            let held_back = [":audit", ":delete", ":batchDel", ":rejudge", "semester:close"];
            let theirs = below(page, &["basicData", "educational"]) || code.starts_with(TIMETABLE);
            theirs && !held_back.iter().any(|action| code.ends_with(action)) || options(code)
        },
    },
    SeedRole {
        key: "question_bank",
        name: "题库管理员",
        client_type: 1,
        data_scope: "whole_school",
        takes: |code, _| {
            let entities = ["exam:pc:exam:", "exam:pc:questionBank:", "course:pc:schoolChapter:"];
            entities.iter().any(|entity| code.starts_with(entity)) || options(code)
        },
    },
    SeedRole {
        key: "teaching_secretary",
        name: "教学秘书",
        client_type: 1,
        data_scope: "whole_school",
        takes: |code, _| {
            let entities =
                ["adult:pc:teachingPlan:", "adult:pc:planCourse:", "adult:pc:courseAllocation:", "exam:pc:tasks:"];
            let decides = code.ends_with(":audit") || code.ends_with(":reject");
            entities.iter().any(|entity| code.starts_with(entity)) && !decides || options(code)
        },
    },
    SeedRole {
        key: "site_teaching",
        name: "站点教务",
        client_type: 1,
        data_scope: "named_sites",
        takes: |code, _| {
            let entities = [
                "adult:pc:courseOpening:",
                "adult:pc:courseAllocation:",
                "adult:pc:adult:selection:",
                "exam:pc:tasks:",
                TIMETABLE,
            ];
            let looks = [":list", ":view", ":export"].iter().any(|action| code.ends_with(action))
                && !code.starts_with("exam:pc:tasks:marking:");
            // What they enter of the lessons at their sites is confirmed by the school.
            let enters = code.starts_with("adult:pc:offlineInstruction:") && !code.ends_with(":confirm");
            entities.iter().any(|entity| code.starts_with(entity)) && looks || enters || options(code)
        },
    },
    SeedRole {
        key: "marker",
        name: "阅卷教师",
        client_type: 1,
        // They mark the classes that they are given (part 03 B7).
        data_scope: "named_classes",
        takes: |code, _| {
            let directs = code.ends_with(":assign") || code.ends_with(":rejudge");
            code.starts_with("exam:pc:tasks:marking:") && !directs || options(code)
        },
    },
    SeedRole {
        key: "site_admin",
        name: "站点管理员",
        client_type: 1,
        data_scope: "named_sites",
        takes: |code, page| {
            below(page, &["studentStatus", "userManagerment", "basicData"])
                && (reads_only(code) || code.ends_with(":export"))
                || enters_applicants(code, page)
                || options(code)
        },
    },
    SeedRole {
        key: "class_manager",
        name: "班主任",
        client_type: 1,
        data_scope: "named_classes",
        takes: |code, page| below(page, &["studentStatus"]) && reads_only(code) || options(code),
    },
    SeedRole {
        key: "query",
        name: "查询",
        client_type: 1,
        data_scope: "whole_school",
        takes: |code, _| reads_only(code),
    },
];

/// Adds what is missing; the caller holds the migration lock and commits.
pub async fn run(connection: &mut PgConnection, modules: &Modules, shipped: &str) -> Result<()> {
    menus(connection, shipped).await?;
    permissions(connection, modules).await?;
    roles(connection).await
}

async fn menus(connection: &mut PgConnection, shipped: &str) -> Result<()> {
    let shipped: Vec<&str> = shipped.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(MENUS.as_bytes());
    let mut ids: HashMap<(i16, String), i64> = HashMap::new();
    for (line, row) in reader.records().enumerate() {
        let row = row.map_err(Error::internal)?;
        let field = |n: usize| row.get(n).unwrap_or_default().trim();
        let client_type: i16 = field(0).parse().map_err(|_| Error::internal(format!("menus.tsv line {}", line + 2)))?;
        let (path, title, parent, icon, code) = (field(1), field(2), field(3), field(4), field(5));
        let is_page = !code.is_empty() || !has_children(path, client_type);
        let parent_id =
            if parent.is_empty() { 0 } else { ids.get(&(client_type, parent.to_owned())).copied().unwrap_or(0) };
        let known = sqlx::query_scalar!(
            "select id from platform.sys_menu where client_type = $1 and path = $2",
            client_type,
            path
        )
        .fetch_optional(&mut *connection)
        .await?;
        let id = match known {
            Some(id) => {
                sqlx::query!(
                    "update platform.sys_menu set shipped = $2 where id = $1 and shipped <> $2",
                    id,
                    shipped.contains(&path)
                )
                .execute(&mut *connection)
                .await?;
                Some(id)
            }
            None if first_time(connection, "menu", &format!("{client_type}{path}")).await? => Some(
                sqlx::query_scalar!(
                    "insert into platform.sys_menu (parent_id, client_type, menu_name, menu_type, path, icon, sort, hidden, built_in,
                         shipped, open_code, created_by, updated_by)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, true, $9, $10, 0, 0) returning id",
                    parent_id,
                    client_type,
                    title,
                    if is_page { "page" } else { "directory" },
                    path,
                    icon,
                    i32::try_from(line).unwrap_or(i32::MAX) + 1,
                    icon.is_empty(),
                    is_page && shipped.contains(&path),
                    Some(code).filter(|code| !code.is_empty())
                )
                .fetch_one(&mut *connection)
                .await?,
            ),
            None => None,
        };
        if let Some(id) = id {
            ids.insert((client_type, path.to_owned()), id);
        }
    }
    Ok(())
}

fn has_children(path: &str, client_type: i16) -> bool {
    let parent = format!("\t{path}\t");
    MENUS.lines().any(|line| {
        line.starts_with(&format!("{client_type}\t")) && {
            let mut fields = line.split('\t');
            fields.nth(3).is_some_and(|field| format!("\t{field}\t") == parent)
        }
    })
}

/// Whether this pair was never seeded; from now on it was.
async fn first_time(connection: &mut PgConnection, kind: &str, key: &str) -> Result<bool> {
    let added =
        sqlx::query!("insert into platform.seed_done (kind, key) values ($1, $2) on conflict do nothing", kind, key)
            .execute(connection)
            .await?;
    Ok(added.rows_affected() == 1)
}

async fn permissions(connection: &mut PgConnection, modules: &Modules) -> Result<()> {
    let menus = sqlx::query!("select id, client_type, path from platform.sys_menu").fetch_all(&mut *connection).await?;
    for entry in modules.permissions() {
        let shown = |client_type: i16| client_type == 0 || entry.school;
        for menu in menus.iter().filter(|menu| shown(menu.client_type) && entry.pages.contains(&menu.path.as_str())) {
            let key = format!("{}{} {}", menu.client_type, menu.path, entry.code);
            if first_time(connection, "permission", &key).await? {
                sqlx::query!(
                    "insert into platform.sys_permission (menu_id, permission_name, permission_code, created_by, updated_by)
                     values ($1, $2, $3, 0, 0) on conflict (menu_id, permission_code) do nothing",
                    menu.id,
                    entry.name,
                    entry.code
                )
                .execute(&mut *connection)
                .await?;
            }
        }
    }
    Ok(())
}

async fn roles(connection: &mut PgConnection) -> Result<()> {
    for role in ROLES {
        if first_time(connection, "role", role.key).await? {
            sqlx::query!(
                "insert into platform.sys_role (role_name, client_type, data_scope, built_in, seed_key, created_by, updated_by)
                 values ($1, $2, $3, $4, $5, 0, 0) on conflict do nothing",
                role.name,
                role.client_type,
                role.data_scope,
                matches!(role.key, "super" | "school_admin"),
                role.key
            )
            .execute(&mut *connection)
            .await?;
        }
        let Some(role_id) = sqlx::query_scalar!("select id from platform.sys_role where seed_key = $1", role.key)
            .fetch_optional(&mut *connection)
            .await?
        else {
            continue;
        };
        let granted = sqlx::query!(
            "select p.id, p.permission_code, m.path, m.id as menu_id from platform.sys_permission p
             join platform.sys_menu m on m.id = p.menu_id
             where m.client_type = $2
               and not exists (select from platform.sys_role_permission rp where rp.role_id = $1 and rp.permission_id = p.id)",
            role_id,
            role.client_type
        )
        .fetch_all(&mut *connection)
        .await?;
        for row in granted.into_iter().filter(|row| (role.takes)(&row.permission_code, &row.path)) {
            let key = format!("{} {} {}", role.key, row.path, row.permission_code);
            // The super administrator is kept complete; the others get each pair once.
            if role.key == "super" || first_time(connection, "role_permission", &key).await? {
                sqlx::query!(
                    "insert into platform.sys_role_permission (role_id, permission_id) values ($1, $2) on conflict do nothing",
                    role_id,
                    row.id
                )
                .execute(&mut *connection)
                .await?;
                sqlx::query!(
                    "with recursive up as (
                         select id, parent_id from platform.sys_menu where id = $2
                         union all
                         select m.id, m.parent_id from platform.sys_menu m join up on up.parent_id = m.id)
                     insert into platform.sys_role_menu (role_id, menu_id) select $1, id from up on conflict do nothing",
                    role_id,
                    row.menu_id
                )
                .execute(&mut *connection)
                .await?;
            }
        }
    }
    Ok(())
}
