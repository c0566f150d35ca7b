//! The four guards between two schools, taken away one at a time: the next one still denies.
//!
//! (a) the school comes from the claim, (b) `set local role`, (c) `search_path`, (d) a login role without rights.
//! Nothing in the server can switch a guard off, so the test does what a mistake in the code would do, on a bare connection.

use kit::{Server, rows::grade};
use poem::http::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

/// What a transaction with this opening statement can read of school 2's grades.
async fn sees(connection: &mut PgConnection, opening: &str, table: &str) -> Result<i64, String> {
    let mut tx = connection.begin().await.expect("a transaction");
    tx.execute(AssertSqlSafe(opening.to_owned())).await.expect(opening);
    let count = sqlx::query_scalar(AssertSqlSafe(format!("select count(*) from {table}"))).fetch_one(&mut *tx).await;
    count.map_err(|error| {
        error.as_database_error().and_then(|e| e.code().map(|code| code.into_owned())).unwrap_or_default()
    })
}

/// "Permission denied", and what a name in a schema without rights looks like: "no such table".
const DENIED: &str = "42501";
const UNSEEN: &str = "42P01";

#[tokio::test]
async fn each_guard_denies_alone() {
    let server = Server::start().await;
    grade(&server, 2, 2026).await;
    let role = |school: i64| format!("template_for_tests_school_{school}");
    let mut bare = server.bare().await;
    let right = format!("set local role {}; set local search_path = school_1, ext", role(1));
    assert_eq!(sees(&mut bare, &right, "grade").await, Ok(0), "all guards stand: one's own school is read");
    assert_eq!(sees(&mut bare, &right, "school_2.grade").await, Err(DENIED.to_owned()));

    // (b) forgotten: the login role has no right of its own (d).
    assert_eq!(sees(&mut bare, "set local search_path = school_2, ext", "grade").await, Err(UNSEEN.to_owned()));

    // (c) wrong: the school's role has no right elsewhere (b).
    let wrong_path = format!("set local role {}; set local search_path = school_2, ext", role(1));
    assert_eq!(sees(&mut bare, &wrong_path, "grade").await, Err(UNSEEN.to_owned()));

    // (d) missing: a login role that inherits every school's rights.
    let leaky = format!("leaky_{}", std::process::id());
    server.run(&format!("create role {leaky} login inherit")).await;
    for school in [1, 2] {
        server.run(&format!("grant {} to {leaky}", role(school))).await;
    }
    let mut inherits = server.bare_as(&leaky).await;
    assert_eq!(
        sees(&mut inherits, "set local search_path = school_2, ext", "grade").await,
        Ok(1),
        "without (b) and (d) it leaks"
    );
    assert_eq!(sees(&mut inherits, &right, "school_2.grade").await, Err(DENIED.to_owned()), "(b) still denies");
    assert_eq!(
        sees(&mut inherits, "set local search_path = school_1, ext", "grade").await,
        Ok(0),
        "(c) still names one school"
    );
    inherits.close().await.expect("closed");
    server.run(&format!("drop role {leaky}")).await;
}

/// (a): nothing that a caller sends chooses the school.
#[tokio::test]
async fn a_caller_cannot_name_a_school() {
    let server = Server::start().await;
    let staff = server.staff(1, &[]).await;
    for path in ["/system/pc/job/view?id=1&schoolId=2", "/system/pc/api/enum/list?schoolId=2"] {
        assert_eq!(staff.get(path).await.refused(), (400, "请求参数不正确"));
    }
    let header = staff.with_header(Method::POST, "/system/pc/job/list", ("schoolId", "2"), &json!({})).await;
    assert_eq!(header.code(), 400);
    let forged = staff.token.as_deref().map(|token| {
        let mut parts: Vec<&str> = token.split('.').collect();
        let payload = "eyJqdGkiOiIwMDAwMDAwMC0wMDAwLTAwMDAtMDAwMC0wMDAwMDAwMDAwMDAiLCJzdWIiOjEsImtpbmQiOiJhY2NvdW50IiwiYXJlYSI6InNjaG9vbCIsInNjaG9vbElkIjoyLCJyb290IjoiMDAwMDAwMDAtMDAwMC0wMDAwLTAwMDAtMDAwMDAwMDAwMDAwIiwicm8iOmZhbHNlLCJpYXQiOjAsImV4cCI6OTk5OTk5OTk5OSwidiI6MX0";
        parts[1] = payload;
        parts.join(".")
    });
    let answer = staff.with_token(forged.as_deref()).get("/system/pc/sys/user/permission").await;
    assert_eq!(answer.refused(), (301, "请先登录"));
}

/// An opening statement that fails half-way must not leave its connection in the pool (sqlx 0.9 forgets it).
#[tokio::test]
async fn a_school_whose_role_is_gone_does_not_poison_the_others() {
    let server = Server::start().await;
    let (one, two) = (server.staff(1, &[]).await, server.staff(2, &[]).await);
    server.run("update platform.school set db_role = 'nobody_at_all' where id = 1").await;
    server.tell("school:1").await;
    let presign = json!({ "fileName": "a.pdf", "size": 1, "contentType": "application/pdf", "type": 3 });
    for _ in 0..8 {
        assert_eq!(one.post("/system/pc/upload/presign", presign.clone()).await.code(), 500);
    }
    for _ in 0..8 {
        assert_eq!(two.post("/system/pc/upload/presign", presign.clone()).await.code(), 200);
    }
}
