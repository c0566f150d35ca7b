//! The schools that are measured on; made once and kept.

use std::time::Duration;

use accounts::{
    account::{self, NewAccount},
    session::{self, NewSession},
};
use infra::{App, Change, Error, token::Area, tx};
use poem::{Endpoint, Request, http::Method};
use schools::school::NewSchool;
use sqlx::{AssertSqlSafe, Executor};

use crate::{Anything, actor};

/// Students of the school that lists are measured on.
pub const STUDENTS: i64 = 200_000;
/// How long a session lasts: longer than every list takes.
const VALID: chrono::Duration = chrono::Duration::hours(8);

/// The number of the school with a code.
pub async fn known(app: &App, code: &str) -> Result<Option<i64>, Anything> {
    Ok(sqlx::query_scalar("select id from platform.school where code = $1")
        .bind(code)
        .fetch_optional(app.db().owner())
        .await?)
}

/// A school with so many students; made once.
pub async fn with_students(app: &App, code: &str, students: i64) -> Result<i64, Anything> {
    if let Some(id) = known(app, code).await? {
        return Ok(id);
    }
    let id = open(app, code, &format!("测试大学{code}")).await?;
    let mut owner = app.db().owner().acquire().await?;
    let schema = format!("school_{id}");
    owner.execute(AssertSqlSafe(format!("set search_path = {schema}, ext"))).await?;
    owner
        .execute(
            "insert into grade (code, name, entry_year, created_by, updated_by) select y::text, y || '级', y, 0, 0 from generate_series(2017, 2026) y;
             insert into level (code, name, entry_level, national_level, schooling_years, max_years, min_hours, created_by, updated_by)
                 values ('ZSB', '专升本', 'associate_to_bachelor', 'bachelor', 2.5, 5, 1600, 0, 0);
             insert into site (code, name, kind, created_by, updated_by) select n::text, '站点' || n, 'headquarter', 0, 0 from generate_series(1, 40) n;
             insert into major (code, name, national_major_id, national_code, national_name, level_id, schooling_years, total_credits, created_by, updated_by)
                 select n::text, '专业' || n, n, n::text, '专业', (select id from level), 2.5, 90, 0, 0 from generate_series(1, 20) n;",
        )
        .await?;
    owner
        .execute(AssertSqlSafe(format!(
            "insert into student (student_no, name, name_grams, pinyin, initials, id_card_no, grade_id, level_id, major_id, study_form,
                 schooling_years, site_id, enrolled_on, expected_graduation_on, max_study_end_on, status, source, created_at, created_by, updated_by)
             select lpad(n::text, 12, '0'), '学生' || n, array['学', '生', '学生'], 'xuesheng', 'xs',
                    '429900' || to_char(date '1970-01-01' + (n / 1000)::int, 'YYYYMMDD') || lpad((n % 1000)::text, 3, '0') || 'X', g.id, l.id, m.id, 'non_full_time', 2.5, s.id,
                    '2024-03-01', '2026-07-10', '2029-02-28', 'graduated', 'legacy', now() - n * interval '1 second', 0, 0
             from generate_series(1, {students}) n
             join lateral (select id from grade order by id offset n % 10 limit 1) g on true
             join lateral (select id from major order by id offset n % 20 limit 1) m on true
             join lateral (select id from site order by id offset n % 40 limit 1) s on true
             cross join level l"
        )))
        .await?;
    owner.execute("analyze").await?;
    Ok(id)
}

pub async fn open(app: &App, code: &str, name: &str) -> Result<i64, Anything> {
    let opened = schools::school::open(
        tx::at_the_server(app, actor()).await?,
        &NewSchool::named(code, name),
        Some("Xian#2026qiu".to_owned()),
    )
    .await?;
    infra::jobs::wake(app);
    for _ in 0..4000 {
        let ready: bool = sqlx::query_scalar("select provision_state = 'ready' from platform.school where id = $1")
            .bind(opened.id)
            .fetch_one(app.db().owner())
            .await?;
        if ready {
            return Ok(opened.id);
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Err(Box::new(Error::conflict("the school was not ready in time")))
}

/// A session of somebody with every right in the school.
pub async fn token(app: &App, school: i64) -> Result<String, Anything> {
    let mut tx = tx::at_the_server(app, actor()).await?;
    let now = app.clock().now();
    let user: i64 = sqlx::query_scalar("select user_id from platform.sys_user_school where school_id = $1")
        .bind(school)
        .fetch_one(&mut *tx)
        .await?;
    sqlx::query("update platform.sys_user set must_change_password = false where id = $1")
        .bind(user)
        .execute(&mut *tx)
        .await?;
    let new = NewSession {
        user_id: user,
        area: Area::School,
        school_id: Some(school),
        below: None,
        act: None,
        reason: None,
        read_only: false,
        expires_at: now + VALID,
    };
    let token = session::open(&mut tx, &infra::http::RequestOrigin::default(), new, now).await?.token;
    tx.commit_untracked("a measurement").await?;
    Ok(token)
}

/// A session of an operator of these schools alone, with every right.
pub async fn operator(app: &App, schools: &[i64]) -> Result<String, Anything> {
    let mut tx = tx::at_the_server(app, actor()).await?;
    let now = app.clock().now();
    let name = format!("across{}", now.timestamp_millis());
    let new = NewAccount {
        login_name: &name,
        real_name: "跨校",
        phone: None,
        user_type: "platform",
        password: "Xian#2026qiu",
        must_change: false,
        built_in: false,
    };
    let user_id = account::create(&mut tx, &new, now).await?;
    account::give_role(&mut tx, user_id, "super", None).await?;
    sqlx::query("update platform.sys_user set school_scope = 'listed' where id = $1")
        .bind(user_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query(
        "insert into platform.sys_user_school (user_id, school_id, created_by, updated_by) select $1, unnest($2::bigint[]), 0, 0",
    )
    .bind(user_id)
    .bind(schools)
    .execute(&mut *tx)
    .await?;
    let session = NewSession {
        user_id,
        area: Area::Platform,
        school_id: None,
        below: None,
        act: None,
        reason: None,
        read_only: false,
        expires_at: now + VALID,
    };
    let token = session::open(&mut tx, &infra::http::RequestOrigin::default(), session, now).await?.token;
    tx.commit(Change::event("sys_user", user_id, "insert", serde_json::json!({}))).await?;
    Ok(token)
}

/// The answer of a call with a JSON body.
pub async fn post(endpoint: &impl Endpoint, token: &str, path: &str, body: &str) -> Result<String, Anything> {
    send(endpoint, Method::POST, token, path, body).await
}

pub async fn put(endpoint: &impl Endpoint, token: &str, path: &str, body: &str) -> Result<String, Anything> {
    send(endpoint, Method::PUT, token, path, body).await
}

async fn send(
    endpoint: &impl Endpoint,
    method: Method,
    token: &str,
    path: &str,
    body: &str,
) -> Result<String, Anything> {
    let request = Request::builder()
        .method(method)
        .uri_str(format!("/admin/apis{path}"))
        .header("token", token)
        .content_type("application/json")
        .body(body.to_owned());
    answered(endpoint, request).await
}

/// The answer of a call whose path says all.
pub async fn get(endpoint: &impl Endpoint, token: &str, path: &str) -> Result<String, Anything> {
    let request = Request::builder().uri_str(format!("/admin/apis{path}")).header("token", token).finish();
    answered(endpoint, request).await
}

async fn answered(endpoint: &impl Endpoint, request: Request) -> Result<String, Anything> {
    let answer = endpoint.get_response(request).await.into_body().into_string().await?;
    if answer.contains(r#""code":200"#) { Ok(answer) } else { Err(answer.into()) }
}
