//! The schemas: what every table must have, and that running the migrations again changes nothing.

use crate::kit::Server;

#[tokio::test]
async fn a_second_run_touches_nothing() {
    let server = Server::start().await;
    let report = openapi::upgrade::run(server.app.db(), &openapi::rooms::rooms(), |_, _| {}).await.expect("runs");
    assert_eq!((report.platform_files, report.schools_current, report.schools_migrated), (0, 2, 0));
    assert!(report.failed.is_empty());
}

#[tokio::test]
async fn both_schools_have_the_same_structure() {
    let server = Server::start().await;
    let hashes: i64 = server.one("select count(distinct structure_hash) from platform.school").await;
    assert_eq!(hashes, 1);
}

/// Business tables carry who, when and the version (00 §5); logs, join tables and counters have reasons of their own.
#[tokio::test]
async fn business_tables_have_the_six_columns() {
    const OTHERS: &str = "'audit_log','sys_log','login_log','job','job_done','file_object','idempotency_key','server_key','seed_done',
        'seed_load','sys_password_history','sys_login_guard','sys_challenge','sys_session','sys_role_scope','sys_user_role',
        'sys_user_role_scope','sys_role_menu','sys_role_permission','sys_param','region','school_setting','class_counter','plain_view_count','_sqlx_migrations'";
    let server = Server::start().await;
    let bare: Option<String> = server
        .one(&format!(
            "select string_agg(t.table_schema || '.' || t.table_name, ', ') from information_schema.tables t
             where t.table_schema in ('platform', 'school_1') and t.table_name not in ({OTHERS})
               and (select count(*) from information_schema.columns c
                    where c.table_schema = t.table_schema and c.table_name = t.table_name
                      and c.column_name in ('id', 'created_at', 'created_by', 'updated_at', 'updated_by', 'version')) < 6"
        ))
        .await;
    assert_eq!(bare, None);
}

#[tokio::test]
async fn names_of_constraints_are_short_and_every_table_has_a_key() {
    let server = Server::start().await;
    let wrong: Option<String> = server
        .one(
            r"select string_agg(conname, ', ') from pg_constraint c join pg_namespace n on n.oid = c.connamespace
              where n.nspname in ('platform', 'school_1') and conrelid::regclass::text !~ '_sqlx_migrations'
                and (length(conname) > 50 or conname ~ '_\d+$')",
        )
        .await;
    assert_eq!(wrong, None);
    let keyless: Option<String> = server
        .one(
            "select string_agg(c.relname, ', ') from pg_class c join pg_namespace n on n.oid = c.relnamespace
             where n.nspname in ('platform', 'school_1') and c.relkind = 'r'
               and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')",
        )
        .await;
    assert_eq!(keyless, None);
}

#[tokio::test]
async fn tables_have_built_in_types_and_no_triggers_or_functions() {
    let server = Server::start().await;
    let odd: Option<String> = server
        .one(
            "select string_agg(table_name || '.' || column_name, ', ') from information_schema.columns
             where table_schema in ('platform', 'school_1') and (data_type = 'USER-DEFINED' or domain_name is not null)",
        )
        .await;
    assert_eq!(odd, None);
    let code: i64 = server
        .one(
            "select (select count(*) from pg_trigger where not tgisinternal)
                  + (select count(*) from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('platform', 'school_1'))",
        )
        .await;
    assert_eq!(code, 0);
}
