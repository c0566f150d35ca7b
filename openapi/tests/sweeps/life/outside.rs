//! A school's life as an operator lives it from outside: the same calls with the school named (00 §3, 05 F).

use std::collections::BTreeSet;

use kit::{
    Server,
    accounts::{all_school_codes, operator_with},
    rows::manage,
};
use openapi::document;
use serde_json::json;

use super::{
    Life, Sent, admission, recruitment, registration,
    school::{self, deletions, digest},
    send, statistics,
};

/// Operations that operators alone have over a school's data.
fn from_outside() -> BTreeSet<String> {
    let shown = document::document();
    document::operations(shown)
        .filter(|(_, _, operation)| {
            operation["x-area"] == json!("platform") && operation["x-school-data"] == json!(true)
        })
        .filter_map(|(_, _, operation)| operation["operationId"].as_str().map(ToOwned::to_owned))
        .collect()
}

/// Every call that the operators' area has over a school's data, made there: it does the same, and leaves the same trail.
/// Then those who may not repeat it: an operator of another school, and people inside, who name no school at all.
#[tokio::test]
async fn an_operator_lives_it_from_outside() {
    let server = Server::start().await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let mut life = Life::of(&server, server.staff(1, &codes).await);
    life.outside = Some((server.operator().await, 1));
    let made = school::live(&mut life).await;

    let from_outside = from_outside();
    recruitment::destroy(&mut life).await;
    registration::destroy(&mut life).await;
    admission::destroy(&mut life).await;
    statistics::rebuild(&mut life).await;
    let lived: BTreeSet<String> = life.calls.iter().map(|call| call.operation.clone()).collect();
    assert_eq!(from_outside.difference(&lived).collect::<Vec<_>>(), Vec::<&String>::new(), "no valid call is known");

    let acted: i64 = server.one("select count(*) from school_1.audit_log where actor_type = 'platform'").await;
    assert!(acted > 100, "{acted} rows of the trail name the operator");
    let strayed: i64 = server.one("select count(*) from school_2.audit_log where actor_type = 'platform'").await;
    assert_eq!(strayed, 0, "a row of another school");

    let narrow = operator_with(&server, "narrow", &codes).await;
    manage(&server, "narrow", &[2]).await;
    let before = digest(&server).await;
    for call in life.calls.iter().filter(|call| call.path.contains("schoolId=1")) {
        let answer = send(&narrow, &call.method, &call.path, &call.sent).await;
        assert_eq!(answer.code(), 404, "{} {}: {}", call.method, call.path, answer.body);
        let inside = send(&life.client, &call.method, &call.path, &call.sent).await;
        let refused = if from_outside.contains(&call.operation) { 403 } else { 400 };
        assert_eq!(inside.code(), refused, "{} {}: {}", call.method, call.path, inside.body);
    }
    assert_eq!(digest(&server).await, before, "somebody who may not changed a row");

    // Whoever made the narrow account signed in as the operator once more.
    life.outside = Some((server.operator().await, 1));
    for call in deletions(&made) {
        match call.sent {
            Sent::Json(body) => {
                let answer = life.post(&call.path, body).await;
                assert_eq!(answer["done"], json!(1), "{} {answer}", call.path);
            }
            _ => {
                life.delete(&call.path).await;
            }
        }
    }
}
