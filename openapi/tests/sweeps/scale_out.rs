//! What a school's schema must keep to, so that it can be placed on any node of a cluster with schema-based sharding. Proved
//! over all migrations and all checked statements; what stood before the rule is named with its reason.

use std::{collections::BTreeSet, fs, path::Path, sync::LazyLock};

use kit::Server;
use regex::Regex;
use serde_json::Value;

use crate::owners::{files, root};

/// Files that break a rule, most of them before it was one, and why they may.
const FROZEN: [(&str, &str); 3] = [
    ("0016_logs_kept.sql", "turns logs of the platform, which is never sharded, into partitions of a month"),
    ("0023_field_attributes.sql", "takes the platform's template over once, while the school is opened"),
    ("0111_field_attributes_information.sql", "takes the template of two stages over that 0023 did not know"),
];

/// A statement of a migration, in lower case without comments and texts, with its file.
struct Migrated {
    area: &'static str,
    file: String,
    sql: String,
}

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern")
}

/// Without comments and without what stands between quotes.
fn bare(sql: &str) -> String {
    static NOISE: LazyLock<Regex> = LazyLock::new(|| pattern(r"--[^\n]*|'(?:[^']|'')*'"));
    let quiet = NOISE.replace_all(sql, |found: &regex::Captures<'_>| if found[0].starts_with('-') { "" } else { "''" });
    quiet.to_lowercase()
}

fn migrations() -> Vec<Migrated> {
    let mut found = Vec::new();
    for area in ["platform", "school"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../migrations").join(area);
        for entry in fs::read_dir(folder).expect("migrations") {
            let path = entry.expect("a file").path();
            let file = path.file_name().expect("a name").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("text");
            found.extend(text.split("\n--;;\n").map(|sql| Migrated { area, file: file.clone(), sql: bare(sql) }));
        }
    }
    found
}

/// The statements that the macros checked.
fn statements() -> Vec<String> {
    let mut kept = Vec::new();
    for area in ["infra", "platform", "tenant", "openapi"] {
        files(&root().join(area), ".json", &mut kept);
    }
    let found: BTreeSet<String> = kept
        .iter()
        .filter(|path| path.parent().is_some_and(|folder| folder.ends_with(".sqlx")))
        .map(|path| fs::read_to_string(path).expect("text"))
        .map(|text| serde_json::from_str::<Value>(&text).expect("JSON")["query"].as_str().map(bare).expect("a query"))
        .collect();
    found.into_iter().collect()
}

/// Commas outside of brackets: an ALTER with one has two steps.
fn steps(sql: &str) -> usize {
    let mut depth = 0_i32;
    1 + sql
        .chars()
        .filter(|sign| {
            depth += i32::from(*sign == '(') - i32::from(*sign == ')');
            *sign == ',' && depth == 0
        })
        .count()
}

#[test]
fn a_migration_is_made_of_statements_that_a_cluster_can_send_on() {
    let rule = pattern(r"\b(check\s*\(|unique\s*(?:nulls not distinct\s*)?\(|primary key|references\s|foreign key)");
    let named = pattern(r"constraint\s+[a-z0-9_]+\s+(?:foreign key\s*\([^)]*\)\s*)?$");
    let constraint = pattern(r"constraint\s+([a-z0-9_]+)");
    let mut broken = Vec::new();
    let migrations = migrations();
    assert!(migrations.len() > 200, "{} statements", migrations.len());
    for Migrated { area, file, sql } in &migrations {
        if FROZEN.iter().any(|(known, _)| known == file) {
            continue;
        }
        let sql = sql.trim();
        let mut say = |what: &str| broken.push(format!("{area}/{file}: {what}: {}", &sql[..sql.len().min(80)]));
        if sql.trim_end_matches(';').contains(';') {
            say("one statement a message");
        }
        if sql.starts_with("do ") || pattern(r"^create (or replace )?(function|procedure|trigger)").is_match(sql) {
            say("nothing is made inside a function or block");
        }
        if sql.starts_with("alter table") && steps(sql) > 1 {
            say("one step an ALTER");
        }
        if sql.contains("rename constraint") || pattern(r"\bdeferrable\b").is_match(sql) {
            say("constraints are neither renamed nor deferred");
        }
        if sql.starts_with("alter") && sql.contains("as identity") {
            say("identity stands in create table");
        }
        if *area == "school" && sql.contains("platform.") {
            say("a school's schema names no other");
        }
        for found in rule.find_iter(sql) {
            if !named.is_match(&sql[..found.start()]) && !named.is_match(sql[..found.start()].trim_end()) {
                say(&format!("a name for {}", found.as_str()));
            }
        }
        for name in constraint.captures_iter(sql).map(|found| found[1].to_owned()) {
            if name.len() > 50 || pattern(r"_\d+$").is_match(&name) {
                say(&format!("{name} is longer than 50 or ends like a shard"));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn a_statement_over_a_school_can_be_sent_to_its_node() {
    let table = pattern(r"(?:from|join|into|update)\s+([a-z_]+)\b");
    let created = pattern(r"create table ([a-z_]+)");
    let schools: BTreeSet<String> = migrations()
        .iter()
        .filter(|migrated| migrated.area == "school")
        .flat_map(|migrated| created.captures_iter(&migrated.sql).map(|found| found[1].to_owned()).collect::<Vec<_>>())
        .collect();
    let volatile = pattern(r"random\(\)|gen_random_uuid|clock_timestamp|nextval|setval");
    let now_in_conflict = pattern(r"on conflict[^;]*do update\s+set[^;]*\bnow\(\)");
    let select_in_values = pattern(r"insert into [^;]*?\)\s*values\s*\([^;]*\(\s*select\b");
    let mut broken = Vec::new();
    let statements = statements();
    assert!(statements.len() > 900, "{} statements", statements.len());
    for sql in &statements {
        // `from platform.x` names the schema where a table's name would stand.
        let of_school = table.captures_iter(sql).any(|found| &found[1] != "platform" && schools.contains(&found[1]));
        if !of_school {
            continue;
        }
        let mut say =
            |what: &str| broken.push(format!("{what}: {}", sql.split_whitespace().collect::<Vec<_>>().join(" ")));
        if sql.contains("platform.") {
            say("no statement goes over two schemas");
        }
        if pattern(r"\bmerge into\b").is_match(sql) {
            say("no MERGE");
        }
        if pattern(r"^\s*(update|delete)\b").is_match(sql) && volatile.is_match(sql) {
            say("nothing volatile in a change");
        }
        if now_in_conflict.is_match(sql) {
            say("on conflict sets what was to be inserted");
        }
        if select_in_values.is_match(sql) {
            say("no select inside values");
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[tokio::test]
async fn every_number_that_is_given_out_is_a_bigint() {
    let server = Server::start().await;
    let narrow: Vec<String> = server
        .one(
            "select coalesce(array_agg(table_schema || '.' || table_name order by 1), '{}')
             from information_schema.columns
             where table_schema in ('platform', 'school_1') and is_identity = 'YES' and data_type <> 'bigint'",
        )
        .await;
    assert_eq!(narrow, Vec::<String>::new());
}
