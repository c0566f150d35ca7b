//! What every writing call owes the audit trail (00 §5), checked at each call of each story.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::{Answer, Server};
use openapi::document;
use poem::http::Method;
use serde_json::json;

/// Calls that write and whose record is not the audit trail.
const ELSEWHERE: [&str; 19] = [
    // The login log, and the school's trail when the school is entered.
    "createSchoolToken",
    // A session's own end.
    "renewSchoolEntry",
    "renewClientToken",
    // The login log.
    "logoutClient",
    // What servers remember is no data.
    "dropCaches",
    // A second completion changes nothing; the file's row came with its presigning.
    "completeUpload",
    "completeClientUpload",
    // A session of study with its beats, which stay for two years.
    "playPeriod",
    "beatStudy",
    // How far a learner of the site is is its own record.
    "reportSiteProgress",
    // Clicks are counters.
    "clickSearchWord",
    // Reads, words about them and searches without a hit are counters.
    "viewHelpArticle",
    "rateHelpArticle",
    "searchHelp",
    "viewOwnHelpArticle",
    "rateOwnHelpArticle",
    "searchOwnHelp",
    // Of a sign-in, which stays for two years.
    "beatSession",
    // Figures follow from rows that have their own trail.
    "refreshStatistics",
];

/// Number of each operation that writes, by method and path.
static WRITING: LazyLock<BTreeMap<(String, String), String>> = LazyLock::new(|| {
    let shown = document::document();
    document::operations(shown)
        .filter(|(_, _, operation)| {
            operation["x-writes"] == json!(true) && operation["x-permission"] != json!("public")
        })
        .map(|(method, path, operation)| {
            ((method, path.clone()), operation["operationId"].as_str().unwrap_or_default().to_owned())
        })
        .collect()
});

/// Whether a successful call must have left a row: it writes, did something, and did it itself.
pub(crate) fn is_wanted(method: &Method, path: &str, answer: &Answer) -> bool {
    let plain = path.split('?').next().unwrap_or(path);
    let Some(operation) = WRITING.get(&(method.to_string(), plain.to_owned())) else { return false };
    let data = &answer.body["data"];
    let starts_job = data["jobId"].is_i64();
    let nothing = |field: &str| data[field] == json!(0);
    // Row by row it was told why nobody was added.
    let rows = data["rows"].as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(|row| row["added"] == 0));
    let did = !rows && !["created", "done", "imported", "matched"].into_iter().any(nothing);
    did && !starts_job && !ELSEWHERE.contains(&operation.as_str())
}

/// Rows of the trail under a call's trace, in `platform` and in every school.
pub(crate) async fn rows(server: &Server, trace: &str) -> i64 {
    let schemas: Vec<String> = sqlx::query_scalar(
        "select n.nspname::text from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relname = 'audit_log' order by 1",
    )
    .fetch_all(&server.looks)
    .await
    .expect("schemas");
    let counts: Vec<String> = schemas
        .iter()
        .map(|schema| format!("(select count(*) from {schema}.audit_log where trace_id = '{trace}')"))
        .collect();
    server.one(&format!("select {}", counts.join(" + "))).await
}
