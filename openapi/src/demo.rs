//! Demonstration schools with invented people (05 G), as far as the tables exist: two schools of 2,000 students each.
//!
//! Only a school that is marked as a demonstration (key `demo` of its settings) and holds no business rows is filled.

mod courses;
mod fill;
mod people;
mod person;
mod plan;
mod recruitment;
mod rooms;

use accounts::account::{self, NewAccount};
use infra::{App, Change, Error, Result, Tx, audit::Actor, tx};
use schools::school::NewSchool;
use serde_json::json;

/// The password of every demonstration account. Printed at every start of `make run`; exists nowhere else.
pub const PASSWORD: &str = "Chengjiao@2026";

/// Of each demonstration school.
const STUDENTS: usize = 2_000;
const SEED: u64 = 42;

/// Accounts of the platform: name, real name, whether it is the first one.
const OPERATORS: [(&str, &str, bool); 15] = [
    ("admin", "演示运营", true),
    ("admin2", "演示运维", false),
    ("admin3", "演示配置", false),
    ("admin4", "演示权限", false),
    ("admin5", "演示审计", false),
    ("admin6", "演示消息", false),
    ("admin7", "演示值守", false),
    ("admin8", "演示院校", false),
    ("admin9", "演示监控", false),
    ("admin10", "演示客户端", false),
    ("admin11", "演示数据", false),
    ("admin12", "演示督办", false),
    ("admin13", "演示网校", false),
    ("admin14", "演示课程", false),
    ("admin15", "演示招生", false),
];

/// Roles that get an account in each school: suffix of the name, real name, seeded role.
const STAFF: [(&str, &str, &str); 9] = [
    ("zs", "招生管理员", "recruitment"),
    ("zb", "招办管理员", "recruitment"),
    ("xj", "学籍管理员", "status"),
    ("fb", "分班管理员", "status"),
    ("jw", "教务管理员", "teaching"),
    ("kc", "课程管理员", "teaching"),
    ("zd", "站点管理员", "site_admin"),
    ("cx", "查询人员", "query"),
    ("yh", "用户管理员", "school_admin"),
];

struct School {
    code: &'static str,
    name: &'static str,
    short_name: &'static str,
    color: &'static str,
    province: &'static str,
}

const SCHOOLS: [School; 2] = [
    School {
        code: "demo01", name: "东湖示范学院（演示）", short_name: "东湖学院", color: "#165DFF", province: "42"
    },
    School {
        code: "demo02", name: "南岭示范大学（演示）", short_name: "南岭大学", color: "#0E7A5F", province: "44"
    },
];

/// What is printed for the person who tries the product.
pub fn accounts() -> String {
    let operators = OPERATORS.map(|(name, _, _)| name).join("、");
    let mut lines = vec![format!("演示账号，密码均为 {PASSWORD}"), format!("  平台登录：{operators}")];
    for school in &SCHOOLS {
        let names: Vec<String> =
            STAFF.iter().map(|(suffix, role, _)| format!("{}_{suffix}（{role}）", school.code)).collect();
        lines.push(format!("  院校登录：{}_admin（院校管理员）、{}", school.code, names.join("、")));
    }
    lines.join("\n")
}

fn actor() -> Actor {
    Actor {
        kind: "job".to_owned(),
        id: 0,
        name: "演示数据".to_owned(),
        on_behalf_of: None,
        ip: "127.0.0.1".to_owned(),
        trace_id: "-".to_owned(),
    }
}

/// Makes what is missing: the operators, their courses, the two schools, their people. Does nothing the second time.
pub async fn fill(app: &App, progress: impl Fn(&str)) -> Result<()> {
    make_operators(app).await?;
    catalogue::demo::fill(begin(app).await?).await?;
    for school in &SCHOOLS {
        let id = match id_of(app, school.code).await? {
            Some(id) => id,
            None => {
                progress(&format!("正在开通 {}", school.name));
                open(app, school).await?
            }
        };
        let directory = app.school(id).await?.ok_or_else(Error::not_found)?;
        let mut tx = tx::at_the_server_in(app, &directory, actor()).await?;
        if fill::is_empty(&mut tx).await? {
            progress(&format!("正在生成 {} 的{STUDENTS}名学生", school.name));
            let first_site = fill::school(tx, school.province, STUDENTS, SEED + id.unsigned_abs()).await?;
            make_staff(app, id, school, first_site).await?;
            messages::demo::fill(tx::at_the_server_in(app, &directory, actor()).await?).await?;
        }
    }
    Ok(())
}

async fn id_of(app: &App, code: &str) -> Result<Option<i64>> {
    let mut tx = app.platform_read().await?;
    let id = sqlx::query_scalar!("select id from platform.school where code = $1 and deleted_at is null", code)
        .fetch_optional(&mut *tx)
        .await?;
    Ok(id)
}

async fn exists(app: &App, login_name: &str) -> Result<bool> {
    let mut tx = app.platform_read().await?;
    let known = sqlx::query_scalar!(
        r#"select exists (select from platform.sys_user where login_name = $1) as "known!""#,
        login_name
    )
    .fetch_one(&mut *tx)
    .await?;
    Ok(known)
}

async fn begin(app: &App) -> Result<Tx> {
    tx::at_the_server(app, actor()).await
}

/// The first operator, and a colleague with the same rights who is not built in.
async fn make_operators(app: &App) -> Result<()> {
    for (login_name, real_name, built_in) in OPERATORS {
        if exists(app, login_name).await? {
            continue;
        }
        let mut tx = begin(app).await?;
        let new = NewAccount {
            login_name,
            real_name,
            phone: None,
            user_type: "platform",
            password: PASSWORD,
            must_change: false,
            built_in,
        };
        let now = app.clock().now();
        let id = account::create(&mut tx, &new, now).await?;
        account::give_role(&mut tx, id, "super", None).await?;
        account::give_role(&mut tx, id, "support", None).await?;
        tx.commit(Change::event("sys_user", id, "insert", json!({ "loginName": login_name }))).await?;
    }
    Ok(())
}

async fn open(app: &App, school: &School) -> Result<i64> {
    let mut new = NewSchool::named(school.code, school.name);
    new.status = schools::school::NewSchoolStatus::Active;
    new.form.short_name = Some(school.short_name.to_owned());
    new.form.brand_color = Some(school.color.to_owned());
    let opened = schools::school::open(begin(app).await?, &new, Some(PASSWORD.to_owned())).await?;
    infra::jobs::wake(app);
    let mut ready = false;
    for _ in 0..600 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        let mut tx = app.platform_read().await?;
        let state = sqlx::query_scalar!("select provision_state from platform.school where id = $1", opened.id)
            .fetch_one(&mut *tx)
            .await?;
        match state.as_str() {
            "ready" => {
                ready = true;
                break;
            }
            "failed" => return Err(Error::conflict("演示院校开通失败，请查看任务中心")),
            _ => {}
        }
    }
    if !ready {
        return Err(Error::conflict("演示院校30秒内未开通完成，请稍后重试"));
    }
    let directory = app.school(opened.id).await?.ok_or_else(Error::not_found)?;
    let mut tx = tx::at_the_server_in(app, &directory, actor()).await?;
    sqlx::query!("insert into school_setting (key, value, created_by, updated_by) values ('demo', 'true', 0, 0) on conflict (key) do nothing")
        .execute(&mut *tx)
        .await?;
    tx.commit(Change::event("school_setting", 0, "insert", json!({ "demo": true }))).await?;
    let mut tx = begin(app).await?;
    let admin = format!("{}_admin", school.code);
    sqlx::query!("update platform.sys_user set must_change_password = false where login_name = $1", admin)
        .execute(&mut *tx)
        .await?;
    tx.commit(Change::event("sys_user", 0, "update", json!({ "loginName": admin }))).await?;
    Ok(opened.id)
}

/// One account for each role that ships; the site administrator sees one site.
async fn make_staff(app: &App, school_id: i64, school: &School, first_site: i64) -> Result<()> {
    let now = app.clock().now();
    for (suffix, real_name, role) in STAFF {
        let login_name = format!("{}_{suffix}", school.code);
        if exists(app, &login_name).await? {
            continue;
        }
        let mut tx = begin(app).await?;
        let new = NewAccount {
            login_name: &login_name,
            real_name,
            phone: None,
            user_type: "school",
            password: PASSWORD,
            must_change: false,
            built_in: false,
        };
        let id = account::create(&mut tx, &new, now).await?;
        account::bind(&mut tx, id, school_id, false).await?;
        account::give_role(&mut tx, id, role, Some(school_id)).await?;
        if role == "site_admin" {
            sqlx::query!(
                "insert into platform.sys_user_role_scope (user_role_id, target_type, target_id)
                 select id, 'site', $2 from platform.sys_user_role where user_id = $1",
                id,
                first_site
            )
            .execute(&mut *tx)
            .await?;
        }
        tx.commit(Change::event("sys_user", id, "insert", json!({ "loginName": login_name }))).await?;
    }
    Ok(())
}
