//! What is of the whole school is changed by nobody who sees some sites or classes alone (01 §2.2.2, 02 §4, §5, §9.4, §11.1, §11.4,
//! 05 B3).
//!
//! The operations come from the document; what stands below says of which rooms all that writes must be among them.

use std::collections::BTreeSet;

use kit::Server;
use openapi::document;
use poem::http::Method;
use serde_json::{Value, json};

/// Rooms in which every write is the whole school's.
const ROOMS: [&str; 22] = [
    "/adult/pc/changeBatch/",
    "/adult/pc/enrollmentBatch/",
    "/adult/pc/enrollmentMajor/",
    "/adult/pc/graduate/rule/",
    "/adult/pc/planCourse/",
    "/adult/pc/planGroup/",
    "/adult/pc/score/rule/",
    "/adult/pc/studentRoll/studentNoRule/",
    "/adult/pc/supervise/rule/",
    "/adult/pc/thesis/adviser/",
    "/adult/pc/thesis/defense/",
    "/adult/pc/thesis/plan/",
    "/exam/pc/test/batch/",
    "/offline/pc/offline/session/",
    "/user/pc/admissionCommitment/window/",
    "/user/pc/admissionInformation/window/",
    "/user/pc/graduationInformation/window/",
    "/user/pc/schoolInfo/",
    "/system/pc/support/school/category/",
    "/system/pc/support/site/category/",
    "/system/pc/support/student/category/",
    "/system/pc/support/teacher/category/",
];
/// What is decided about the plans of sites; what a site declares is its own.
const DECISIONS: [&str; 5] = [
    "auditSiteEnrollment",
    "importSiteEnrollments",
    "rejectSiteEnrollment",
    "reviewSiteEnrollments",
    "revokeSiteEnrollment",
];

fn operations() -> Vec<(Method, &'static String, &'static Value)> {
    document::operations(document::document())
        .map(|(method, path, operation)| (method.parse().expect("a method"), path, operation))
        .collect()
}

fn id(operation: &Value) -> &str {
    operation["operationId"].as_str().unwrap_or_default()
}

#[test]
fn every_write_of_these_rooms_is_the_whole_schools() {
    let open: Vec<&str> = operations()
        .into_iter()
        .filter(|(_, path, operation)| {
            ROOMS.iter().any(|room| path.starts_with(room)) || DECISIONS.contains(&id(operation))
        })
        .filter(|(_, _, operation)| operation["x-writes"] == json!(true) && operation["x-whole-school"] != json!(true))
        .map(|(_, _, operation)| id(operation))
        .collect();
    assert_eq!(open, [""; 0], "anybody with the code may change it for every site");
}

#[tokio::test]
async fn whoever_sees_a_part_of_the_school_changes_nothing_of_the_whole() {
    let server = Server::start().await;
    let marked: Vec<_> =
        operations().into_iter().filter(|(_, _, operation)| operation["x-whole-school"] == json!(true)).collect();
    assert!(marked.len() > 15, "{} operations", marked.len());
    let codes: BTreeSet<&str> =
        marked.iter().filter_map(|(_, _, operation)| operation["x-permission"].as_str()).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    let whole = server.staff(1, &codes).await;
    for scope in ["named_sites", "named_classes"] {
        let narrow = server.staff_within(1, &codes, scope, &[1]).await;
        for (method, path, operation) in &marked {
            let refused = narrow.json(method.clone(), path, &json!({})).await;
            let (code, told) = (refused.code(), refused.msg());
            assert_eq!(code, 403, "{scope} {method} {path}: {}", refused.body);
            assert!(
                told.starts_with("您只能管理已分配的站点或班级，“") && told.ends_with("”请由数据范围为全校的人员办理"),
                "{method} {path} tells {told}"
            );
            // The same call of somebody who sees the school is not refused for who calls.
            let answer = whole.json(method.clone(), path, &json!({})).await;
            assert_ne!(answer.code(), 403, "{}: {}", id(operation), answer.body);
        }
    }
}
