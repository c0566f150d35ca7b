//! People who sign in to the console, with the rights that a story needs.

use std::sync::atomic::Ordering;

use ::accounts::account::{self, NewAccount};
use infra::Change;
use openapi::modules;
use serde_json::{Value, json};

use crate::{Client, PASSWORD, Server, server::NEXT};

pub const USER: &str = "/system/pc/sys/user";

pub async fn role(server: &Server, seed_key: &str) -> i64 {
    server.one(&format!("select id from platform.sys_role where seed_key = '{seed_key}'")).await
}

/// The administrator of a school, past their first change of password.
pub async fn admin(server: &Server, school: i64) -> Client<'_> {
    let name = format!("demo0{school}_admin");
    server.run(&format!("update platform.sys_user set must_change_password = false where login_name = '{name}'")).await;
    server.admin_of(school).await
}

/// A second operator with these codes alone, signed in.
pub async fn operator_with<'s>(server: &'s Server, login_name: &str, codes: &[&str]) -> Client<'s> {
    let root = server.operator().await;
    let role = root.post(&format!("{USER}/save"), new_user(login_name, &[role(server, "audit").await])).await.id();
    server.run(&format!("update platform.sys_user set must_change_password = false, password_hash = (select password_hash from platform.sys_user where login_name = 'operator') where id = {role}")).await;
    let codes = codes.iter().map(|code| format!("'{code}'")).collect::<Vec<_>>().join(",");
    server
        .run(&format!(
            "with made as (insert into platform.sys_role (role_name, client_type, created_by, updated_by) values ('{login_name}', 0, 0, 0) returning id),
                  granted as (insert into platform.sys_role_permission (role_id, permission_id)
                      select made.id, p.id from made, platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
                      where m.client_type = 0 and p.permission_code in ({codes}))
             update platform.sys_user_role set role_id = made.id from made where user_id = {role}"
        ))
        .await;
    server.signed_in(login_name, "login").await
}

pub fn new_user(login_name: &str, roles: &[i64]) -> Value {
    json!({ "loginName": login_name, "realName": "王五", "roleIdList": roles })
}

impl Server {
    /// Makes an account at a school with a role of its own; answers its name.
    pub async fn account(&self, school: i64, codes: &[&str], data_scope: &str, targets: &[i64]) -> String {
        let login_name = format!("staff{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let mut tx = self.begin().await;
        let now = self.app.clock().now();
        let new = NewAccount {
            login_name: &login_name,
            real_name: "教务员",
            phone: None,
            user_type: "school",
            password: PASSWORD,
            must_change: false,
            built_in: false,
        };
        let user = account::create(&mut tx, &new, now).await.expect("an account");
        account::bind(&mut tx, user, school, false).await.expect("bound");
        let role: i64 = sqlx::query_scalar(
            "insert into platform.sys_role (role_name, client_type, school_id, data_scope, created_by, updated_by)
             values ($1, 1, $2, $3, 0, 0) returning id",
        )
        .bind(&login_name)
        .bind(school)
        .bind(data_scope)
        .fetch_one(&mut *tx)
        .await
        .expect("a role");
        sqlx::query(
            "insert into platform.sys_user_role (user_id, role_id, school_id, created_by) values ($1, $2, $3, 0)",
        )
        .bind(user)
        .bind(role)
        .bind(school)
        .execute(&mut *tx)
        .await
        .expect("given");
        let codes: Vec<String> = codes.iter().map(|code| (*code).to_owned()).collect();
        let granted = sqlx::query(
            "insert into platform.sys_role_permission (role_id, permission_id)
             select $1, p.id from platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
             where m.client_type = 1 and p.permission_code = any($2)",
        )
        .bind(role)
        .bind(&codes)
        .execute(&mut *tx)
        .await
        .expect("granted");
        assert!(
            granted.rows_affected() >= codes.len() as u64,
            "not all of {codes:?} are seeded under a page of the school area"
        );
        let kind = if data_scope == "named_classes" { "class" } else { "site" };
        for target in targets {
            sqlx::query("insert into platform.sys_role_scope (role_id, target_type, target_id) values ($1, $2, $3)")
                .bind(role)
                .bind(kind)
                .bind(target)
                .execute(&mut *tx)
                .await
                .expect("a target");
        }
        tx.commit(Change::event("sys_user", user, "insert", json!({}))).await.expect("committed");
        login_name
    }

    /// Makes a platform account with a role of its own that has these codes of the operators' area, for all schools or for
    /// these; answers its name.
    pub async fn platform_account(&self, codes: &[String], schools: Option<&[i64]>) -> String {
        let login_name = format!("oper{}", NEXT.fetch_add(1, Ordering::Relaxed));
        let mut tx = self.begin().await;
        let now = self.app.clock().now();
        let new = NewAccount {
            login_name: &login_name,
            real_name: "运营员",
            phone: None,
            user_type: "platform",
            password: PASSWORD,
            must_change: false,
            built_in: false,
        };
        let user = account::create(&mut tx, &new, now).await.expect("an account");
        sqlx::query(
            "with made as (
                 insert into platform.sys_role (role_name, client_type, created_by, updated_by) values ($2, 0, 0, 0) returning id),
             given as (
                 insert into platform.sys_user_role (user_id, role_id, created_by) select $1, id, 0 from made)
             insert into platform.sys_role_permission (role_id, permission_id)
             select made.id, p.id from made, platform.sys_permission p join platform.sys_menu m on m.id = p.menu_id
             where m.client_type = 0 and p.permission_code = any($3)",
        )
        .bind(user)
        .bind(&login_name)
        .bind(codes)
        .execute(&mut *tx)
        .await
        .expect("a role");
        if let Some(schools) = schools {
            sqlx::query("update platform.sys_user set school_scope = 'listed' where id = $1")
                .bind(user)
                .execute(&mut *tx)
                .await
                .expect("some schools");
            for school in schools {
                account::bind(&mut tx, user, *school, false).await.expect("bound");
            }
        }
        tx.commit(Change::event("sys_user", user, "insert", json!({}))).await.expect("committed");
        login_name
    }
}

/// Every code that a page of the school area has.
pub fn all_school_codes() -> Vec<String> {
    let pages: std::collections::BTreeSet<&str> = include_str!("../../../platform/roles/data/menus.tsv")
        .lines()
        .filter_map(|line| line.strip_prefix("1\t")?.split('\t').next())
        .collect();
    let codes: std::collections::BTreeSet<&str> = modules::modules()
        .permissions()
        .filter(|entry| entry.pages.iter().any(|page| pages.contains(page)))
        .map(|entry| entry.code)
        .collect();
    codes.into_iter().map(ToOwned::to_owned).collect()
}
