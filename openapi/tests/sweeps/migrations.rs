//! The schemas: what every table must have, and that running the migrations again changes nothing.

use infra::migrate::{SCHOOL, run, structure_hash};
use kit::Server;
use sqlx::{Connection, Executor};

#[tokio::test]
async fn a_second_run_touches_nothing() {
    let server = Server::start().await;
    let report = openapi::upgrade::run(server.app.db(), &openapi::modules::modules(), |_, _| {}).await.expect("runs");
    assert_eq!((report.platform_files, report.schools_current, report.schools_migrated), (0, 2, 0));
    assert!(report.failed.is_empty());
}

/// Rights to a new table come with the schema's default, so that an upgrade takes away what is too much.
#[tokio::test]
async fn what_is_written_once_stays_so_after_an_upgrade() {
    let server = Server::start().await;
    let modules = openapi::modules::modules();
    let tables: Vec<&str> = ["audit_log"].into_iter().chain(modules.written_once()).collect();
    let role: String = server.one("select db_role from platform.school where id = 1").await;
    for table in &tables {
        // Fails where a module names a table that is not there.
        server.run(&format!("grant update, delete on school_1.{table} to {role}")).await;
    }
    server.run("update platform.school set schema_checksum = 'of an older release' where id = 1").await;
    let report = openapi::upgrade::run(server.app.db(), &modules, |_, _| {}).await.expect("runs");
    assert_eq!((report.schools_current, report.schools_migrated), (1, 1), "{:?}", report.failed);
    for table in tables {
        for right in ["update", "delete"] {
            let may: bool =
                server.one(&format!("select has_table_privilege('{role}', 'school_1.{table}', '{right}')")).await;
            assert!(!may, "{right} on {table}");
        }
    }
}

/// The rows of these tables, without their numbers and when they were written.
fn rows(schema: &str, tables: &[String]) -> String {
    let each: Vec<String> = tables
        .iter()
        .map(|table| {
            format!(
                "select '{table} ' || (to_jsonb(r) - '{{id,created_at,updated_at,counted_at}}'::text[])::text as line
                 from {schema}.{table} r"
            )
        })
        .collect();
    format!("select string_agg(line, ' ' order by line) from ({}) s", each.join(" union all "))
}

/// Opening adds a role, its rights and the first settings to what the files make, and nothing else; and no two schools that are
/// opened in one moment get in each other's way.
#[tokio::test]
async fn a_school_that_is_opened_has_what_the_files_make() {
    let server = Server::start().await;
    let (one, two) = tokio::join!(server.open_school("10601", "甲示范大学"), server.open_school("10602", "乙示范大学"));
    let mut owner = server.owner().await;
    owner.execute("create schema bare").await.expect("a schema");
    assert_eq!(run(&mut owner, "bare", &SCHOOL).await.expect("the files run"), SCHOOL.iter().count());
    assert_eq!(run(&mut owner, "bare", &SCHOOL).await.expect("nothing is left"), 0);
    let made = structure_hash(&mut owner, "bare").await.expect("a hash");
    let files = |schema: &str| {
        format!(
            "select string_agg(format('%s %s %s %s', version, description, success, encode(checksum, 'hex')), ' ' order by version)
             from {schema}._sqlx_migrations"
        )
    };
    let ran: String = server.one(&files("bare")).await;
    let tables: Vec<String> = server
        .one(
            "select array_agg(tablename::text order by tablename) from pg_tables
             where schemaname = 'bare' and tablename <> '_sqlx_migrations'",
        )
        .await;
    let mut seeded = Vec::new();
    for table in tables {
        if server.one::<bool>(&format!("select exists (select from bare.{table})")).await {
            seeded.push(table);
        }
    }
    assert!(seeded.iter().any(|table| table == "field_attribute"), "{seeded:?}");
    let seeds: String = server.one(&rows("bare", &seeded)).await;
    for id in [one, two] {
        let schema = format!("school_{id}");
        let recorded: String = server.one(&format!("select structure_hash from platform.school where id = {id}")).await;
        let seen = structure_hash(&mut owner, &schema).await.expect("a hash");
        // Taken while it was opened and now, when others look.
        assert_eq!((&recorded, &seen), (&made, &made), "{schema}");
        assert_eq!(server.one::<String>(&files(&schema)).await, ran, "{schema}");
        assert_eq!(server.one::<String>(&rows(&schema, &seeded)).await, seeds, "{schema}");
        let role: String = server.one(&format!("select db_role from platform.school where id = {id}")).await;
        for (table, right, may) in
            [("grade", "insert", true), ("audit_log", "update", false), ("_sqlx_migrations", "insert", false)]
        {
            let sql = format!("select has_table_privilege('{role}', '{schema}.{table}', '{right}')");
            assert_eq!(server.one::<bool>(&sql).await, may, "{right} on {schema}.{table}");
        }
    }
}

#[tokio::test]
async fn both_schools_have_the_same_structure() {
    let server = Server::start().await;
    let hashes: i64 = server.one("select count(distinct structure_hash) from platform.school").await;
    assert_eq!(hashes, 1);
}

/// Whatever differs between two schools on one version shows in the hash of their structure.
#[tokio::test]
async fn every_change_of_structure_shows_in_its_hash() {
    let server = Server::start().await;
    let mut owner = server.owner().await;
    let before = structure_hash(&mut owner, "school_1").await.expect("a hash");
    for change in [
        "create table school_1.another (id bigint primary key)",
        "drop table school_1.banner",
        "alter table school_1.grade add column another text",
        "alter table school_1.grade drop column remark",
        "alter table school_1.grade rename column remark to note",
        "alter table school_1.grade alter column code type varchar(40)",
        "alter table school_1.grade alter column code drop not null",
        "alter table school_1.grade alter column enabled drop default",
        "alter table school_1.grade alter column enabled set default false",
        "alter table school_1.grade alter column id drop identity",
        "alter table school_1.grade alter column id set generated by default",
        "alter table school_1.grade add constraint grade_another check (length(code) < 99)",
        "alter table school_1.class drop constraint class_of_grade",
        "create index another on school_1.grade (name)",
        "create unique index another on school_1.student (student_no, id)",
        "drop index school_1.student_newest",
    ] {
        let mut tx = owner.begin().await.expect("a transaction");
        tx.execute(change).await.expect(change);
        let after = structure_hash(&mut tx, "school_1").await.expect("a hash");
        assert_ne!(after, before, "{change}");
        tx.rollback().await.expect("undone");
    }
    assert_eq!(structure_hash(&mut owner, "school_1").await.expect("a hash"), before);
}

/// Business tables carry who, when and the version (00 §5); logs, join tables and counters have reasons of their own.
#[tokio::test]
async fn business_tables_have_the_six_columns() {
    const OTHERS: &str = "'audit_log','sys_log','login_log','job','job_done','job_part','import_run','import_record','client_request','site_enrollment_line','file_object','file_usage','idempotency_key','server_key','seed_done',
        'seed_load','sys_password_history','sys_login_guard','sys_challenge','sys_session','sys_role_scope','sys_user_role',
        'sys_user_role_scope','sys_role_menu','sys_role_permission','sys_param','region','school_setting','class_counter','forecast_major_site','pre_registration_batch_level','pre_registration_batch_major','pre_registration_batch_site','pre_registration_file','pre_registration_code','public_code_sent','student_correction_file','student_correction_step','information_window_grade','student_information_file','student_information_step','information_reminder','registration_file','change_batch_grade','student_change_counter','student_change_file','student_change_step','course_prerequisite','question_bank_member','question_knowledge','question_media','question_quality','paper_section','paper_question','paper_extra_bank','paper_rule_item','paper_rule_bank','paper_rule_chapter','paper_rule_point','paper_snapshot','snapshot_question','snapshot_correction','homework_target','homework_marker','homework_paper','homework_snapshot','answer_item','answer_file','homework_result','exam_setup_class','exam_setup_paper','exam_deferral_file','exam_violation_file','exam_setup_time','exam_marker_progress','offline_session_site','exam_ticket','exam_event','offline_room_file','score_sheet_file','score_correction_file','transcript_issue','transcript_score','graduation_outcome','graduation_plan','thesis_extension','defense_member','certificate_sequence','archive_sequence','archive_item_file','course_arrange_class','course_arrange_assistant','attendance_summary','plain_view_count','one_click_entry','log_seal','sys_recovery_code','overview_school','msg_delivery','msg_attempt','msg_recorded','msg_receipt','event_outbox','msg_school','client_session','customer_session','learner_code','teacher_major','class_manager_site','demonstration','demo_row','saved_view_pin','student_no_rule_grade','student_no_counter','student_number','study_shape','study_progress','study_course_progress','study_day','study_reminder','study_session','course_qa_reply','study_summary','qa_summary','opening_class','support_article_version','support_read','support_search_miss','support_reply','support_hidden','support_due','support_count','client_login','stat_study_day','stat_login_day','stat_class_day','stat_opening_class','stat_exam_class','stat_progress_day','stat_school_day','stat_school_term','stat_school_month','stat_visit_day','stat_dirty','stat_run','stat_watch','visit','visit_conversion','visit_day','supervise_flag','supervise_contact_file','supervise_remind','supervise_transfer','supervise_scan','supervise_day','supervise_phone_view','account_journal','online_study','online_course_study','online_study_day','online_exam_problem','blog_label','community_question_label','gzh_article','gzh_dropped_media','gzh_keyword','gzh_fan','gzh_callback','_sqlx_migrations'";
    let server = Server::start().await;
    let bare: Option<String> = server
        .one(&format!(
            "select string_agg(t.table_schema || '.' || t.table_name, ', ') from information_schema.tables t
             where t.table_schema in ('platform', 'school_1') and t.table_name not in ({OTHERS})
               and not (select c.relispartition from pg_class c where c.oid = format('%I.%I', t.table_schema, t.table_name)::regclass)
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
