//! Bulk steps of the operators' area over the accounts of several schools (00 §3, 05 F 8, 02 §12.2–12.4).

use kit::{
    Answer, Client, Server,
    accounts::{all_school_codes, operator_with},
    cohort::cohort,
    fields,
    rows::manage,
    students::{save, student},
    teachers::{TEACHER, teacher},
};
use serde_json::{Value, json};

use crate::{across::changed, machine_tokens::issued};

const ACCOUNT: &str = "/user/pc/student";
const STAFF: &str = "/user/pc/siteStaff";
const CHANGE: &str = "user:pc:student:changeStatus";
const EAST: &str = "东湖示范学院";
const SOUTH: &str = "南岭示范大学";
const GONE: &str = "记录不存在或已被删除";

/// So many students with accounts in schools 1 and 2, as an operator's step names them: by school, then by number.
async fn students(server: &Server, counts: [usize; 2]) -> Vec<Value> {
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    for (school, count) in [1, 2].into_iter().zip(counts) {
        let staff = server.staff(school, &codes).await;
        let p = cohort(&staff).await;
        for n in 1..=count {
            save(&staff, student(&p, n)).await;
        }
    }
    named(&server.operator().await, ACCOUNT).await
}

/// The rows of a list over schools, as a step names them.
async fn named(operator: &Client<'_>, entity: &str) -> Vec<Value> {
    let listed = operator.post(&format!("{entity}/list"), json!({})).await;
    let mut rows = listed.data()["list"].as_array().expect("rows").clone();
    rows.sort_by_key(|row| (row["schoolId"].as_i64(), row["id"].as_i64()));
    rows.iter()
        .map(|row| json!({ "schoolId": row["schoolId"], "id": row["id"], "version": row["accountVersion"] }))
        .collect()
}

async fn disable(client: &Client<'_>, items: &[Value]) -> Answer {
    disable_at(client, "", items).await
}

async fn disable_at(client: &Client<'_>, query: &str, items: &[Value]) -> Answer {
    client.put(&format!("{ACCOUNT}/update/status{query}"), json!({ "items": items, "enabled": false })).await
}

/// Accounts of a school that are switched off.
async fn off(server: &Server, school: i64) -> i64 {
    server.one(&format!("select count(*) from school_{school}.client_account where not enabled")).await
}

/// Who did this in the trail of a school, once for each row.
async fn trail(server: &Server, school: i64, action: &str) -> Vec<String> {
    sqlx::query_scalar(sqlx::AssertSqlSafe(format!(
        "select actor_type || ' ' || actor_name from school_{school}.audit_log
         where entity_type = 'client_account' and action = '{action}' order by id"
    )))
    .fetch_all(&mut server.owner().await)
    .await
    .expect("the trail")
}

/// What a row that was left as it is says.
fn failure(item: &Value, school: &str, msg: &str) -> Value {
    json!({ "schoolId": item["schoolId"], "schoolName": school, "id": item["id"], "name": "", "msg": msg })
}

fn outcome(school: i64, name: &str, done: i64, failed: i64) -> Value {
    json!({ "schoolId": school, "schoolName": name, "done": done, "failed": failed })
}

/// 05 F scenario 6.
#[tokio::test]
async fn a_suspended_school_keeps_its_accounts_and_the_others_are_disabled() {
    let server = Server::start().await;
    let items = students(&server, [3, 2]).await;
    let operator = server.operator().await;
    let suspend = json!({ "id": 2, "reason": "未续费" });
    assert_eq!(operator.put("/system/pc/sys/school/suspend", suspend).await.id(), 2);
    let answer = disable(&operator, &items).await;
    let told = answer.data();
    assert_eq!(told["done"], json!(3));
    let failed: Vec<Value> = items[3..].iter().map(|item| failure(item, SOUTH, "院校已停用，仅可查看")).collect();
    assert_eq!(told["failed"], json!(failed));
    assert_eq!(told["schools"], json!([outcome(1, EAST, 3, 0), outcome(2, SOUTH, 0, 2)]));
    assert_eq!((off(&server, 1).await, off(&server, 2).await), (3, 0));
    assert_eq!(trail(&server, 1, "status").await, ["platform 运营一"; 3]);
    assert!(trail(&server, 2, "status").await.is_empty());
}

#[tokio::test]
async fn a_school_that_is_being_migrated_is_not_changed() {
    let server = Server::start().await;
    let items = students(&server, [1, 1]).await;
    let operator = server.operator().await;
    server.run("update platform.school set schema_version = 0 where id = 2").await;
    changed(&server, 2).await;
    let answer = disable(&operator, &items).await;
    assert_eq!(answer.data()["done"], json!(1));
    assert_eq!(answer.data()["failed"], json!([failure(&items[1], SOUTH, "院校升级中，暂不能修改")]));
    assert_eq!((off(&server, 1).await, off(&server, 2).await), (1, 0));
}

/// A row of each school fails by itself, and each school keeps its own trail.
#[tokio::test]
async fn each_school_has_its_own_rows_failures_and_trail() {
    let server = Server::start().await;
    let items = students(&server, [2, 3]).await;
    let operator = server.operator().await;
    assert_eq!(disable(&operator, &items[4..]).await.data()["done"], json!(1));
    // Schools come in their order and the rows of each in the call's, whatever lies between them.
    let mixed: Vec<Value> = [4, 0, 2, 1, 3].into_iter().map(|n| items[n].clone()).collect();
    let reset = operator.post(&format!("{ACCOUNT}/resetPassword"), json!({ "items": mixed })).await;
    let told = reset.data();
    assert_eq!(told["done"], json!(4));
    assert_eq!(told["schools"], json!([outcome(1, EAST, 2, 0), outcome(2, SOUTH, 2, 1)]));
    let failed = told["failed"].as_array().expect("rows");
    assert_eq!(failed.len(), 1);
    assert_eq!(
        (&failed[0]["schoolId"], &failed[0]["id"], &failed[0]["name"]),
        (&json!(2), &items[4]["id"], &json!("张晓梅"))
    );
    let why = failed[0]["msg"].as_str().expect("a reason");
    assert!(why.starts_with("数据已被运营一于") && why.ends_with("修改，请刷新后重试"), "{why}");
    for school in [1, 2] {
        assert_eq!(trail(&server, school, "resetPassword").await, ["platform 运营一"; 2], "school {school}");
    }
    let outside: i64 = server.one("select count(*) from platform.audit_log where entity_type = 'client_account'").await;
    assert_eq!(outside, 0, "a school's trail is in its schema");
    // The call itself is one row of the operation log: of no school, of no record, with the schools it went to.
    server
        .wait_until(
            "select exists (select from platform.sys_log
                 where permission_code = 'user:pc:student:resetPassword' and school_id is null and entity_id is null
                   and notes->'schools' = '[1, 2]'::jsonb)",
        )
        .await;
    // The same call again finds every row changed, and does nothing twice.
    let again = operator.post(&format!("{ACCOUNT}/resetPassword"), json!({ "items": mixed })).await;
    assert_eq!((&again.data()["done"], again.data()["failed"].as_array().map(Vec::len)), (&json!(0), Some(5)));
}

#[tokio::test]
async fn a_school_that_fails_undoes_nothing_in_the_others() {
    let server = Server::start().await;
    let items = students(&server, [1, 1]).await;
    let operator = server.operator().await;
    // The first in order fails; the second is done all the same.
    server.run("alter table school_1.client_account rename to gone").await;
    let answer = disable(&operator, &items).await;
    assert_eq!(answer.data()["done"], json!(1));
    assert_eq!(answer.data()["failed"], json!([failure(&items[0], EAST, "系统繁忙，请稍后再试")]));
    assert_eq!(off(&server, 2).await, 1);
    let kept: i64 = server.one("select count(*) from school_1.gone where enabled").await;
    assert_eq!(kept, 1);
}

/// Another's school is told from none by nothing: not even its name.
#[tokio::test]
async fn a_school_that_is_not_the_operators_has_no_rows() {
    let server = Server::start().await;
    let mut items = students(&server, [1, 1]).await;
    manage(&server, "operator", &[1]).await;
    let never = json!({ "schoolId": 999, "id": items[1]["id"], "version": 1 });
    items.push(never);
    let operator = server.operator().await;
    let answer = disable(&operator, &items).await;
    assert_eq!(answer.data()["done"], json!(1));
    let unseen = |school: i64| json!({ "schoolId": school, "id": items[1]["id"], "name": "", "msg": GONE });
    assert_eq!(answer.data()["failed"], json!([unseen(2), unseen(999)]));
    let nothing = |school: i64| json!({ "schoolId": school, "done": 0, "failed": 1 });
    assert_eq!(answer.data()["schools"], json!([outcome(1, EAST, 1, 0), nothing(2), nothing(999)]));
    assert_eq!((off(&server, 1).await, off(&server, 2).await), (1, 0));
    // A suspended one of somebody else's says no more.
    server.run("update platform.school set status = 'suspended' where id = 2").await;
    changed(&server, 2).await;
    assert_eq!(disable(&operator, &items[1..2]).await.data()["failed"], json!([unseen(2)]));
}

#[tokio::test]
async fn who_lacks_the_permission_and_programs_do_nothing_in_any_school() {
    let server = Server::start().await;
    let items = students(&server, [1, 1]).await;
    let clerk = operator_with(&server, "clerk", &["user:pc:student:list"]).await;
    assert_eq!(disable(&clerk, &items).await.refused(), (403, "没有操作权限"));
    let operator = server.operator().await;
    let (_, program) = issued(&server, &operator, &[CHANGE, "system:pc:sys:school:enter"]).await;
    let refused = disable(&program, &items).await;
    assert_eq!(refused.refused(), (403, "当前身份与所选区域不一致，请重新进入"));
    assert_eq!((off(&server, 1).await, off(&server, 2).await), (0, 0));
}

#[tokio::test]
async fn an_item_chooses_no_school_where_the_call_means_one() {
    let server = Server::start().await;
    let items = students(&server, [1, 1]).await;
    let inside = server.staff(1, &[CHANGE]).await;
    let refused = disable_at(&inside, "?schoolId=1", &items[..1]).await;
    assert_eq!((refused.status, refused.refused()), (400, (400, "请求参数不正确")));
    let stray = "items[1].schoolId: 该记录不属于当前院校，请刷新后重试";
    assert_eq!(fields(&disable(&inside, &items).await), [stray]);
    let operator = server.operator().await;
    assert_eq!(fields(&disable_at(&operator, "?schoolId=1", &items).await), [stray]);
    assert_eq!((off(&server, 1).await, off(&server, 2).await), (0, 0), "a call with a stray does nothing");
    let own = disable(&inside, &items[..1]).await;
    assert_eq!(own.data(), &json!({ "done": 1, "failed": [] }), "inside nobody is told whose a row is");
    let other = disable_at(&operator, "?schoolId=2", &items[1..]).await;
    assert_eq!(other.data(), &json!({ "done": 1, "failed": [], "schools": [outcome(2, SOUTH, 1, 0)] }));
    // What is done inside a school alone takes no school at all.
    let codes = all_school_codes();
    let all = server.staff(1, &codes.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let generate = all.post(&format!("{ACCOUNT}/generate"), json!({ "items": items[..1] })).await;
    assert_eq!((generate.status, generate.code()), (400, 400));
}

#[tokio::test]
async fn each_item_names_its_school_and_a_call_has_its_limits() {
    let server = Server::start().await;
    let items = students(&server, [1, 1]).await;
    let operator = server.operator().await;
    let mut half = items.clone();
    half[1].as_object_mut().expect("an item").remove("schoolId");
    assert_eq!(fields(&disable(&operator, &half).await), ["schoolId: 请选择院校"]);
    let many = |count: i64, schools: i64| -> Vec<Value> {
        (0..count).map(|n| json!({ "schoolId": n % schools + 1, "id": n + 1, "version": 1 })).collect()
    };
    let refused = disable(&operator, &many(201, 201)).await;
    assert_eq!(fields(&refused), ["items: 一次最多办理200所院校的记录，请分批办理"]);
    assert_eq!(fields(&disable(&operator, &many(1001, 2)).await), ["items: 勾选的记录最多1000项"]);
    assert_eq!(fields(&disable(&operator, &[]).await), ["items: 勾选的记录至少选择一项"]);
    // What a filter names is one school's.
    let by_filter = json!({ "filter": {}, "enabled": false });
    let refused = operator.put(&format!("{ACCOUNT}/update/status"), by_filter.clone()).await;
    assert_eq!(fields(&refused), ["schoolId: 请选择院校"]);
    let started = operator.put(&format!("{ACCOUNT}/update/status?schoolId=2"), by_filter).await;
    let job = kit::jobs::ended(&operator, &started.data()["jobId"]).await;
    assert_eq!(job["message"], json!("共1条，成功1条，失败0条"));
    assert_eq!((off(&server, 1).await, off(&server, 2).await), (0, 1));
}

/// 02 §12.2, §12.4: the same steps on teachers and on the staff of sites, and the passwords that are told once.
#[tokio::test]
async fn teachers_and_staff_of_sites_are_reset_unlocked_and_disabled_in_their_schools() {
    let server = Server::start().await;
    let codes = all_school_codes();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    for school in [1, 2] {
        let staff = server.staff(school, &codes).await;
        let unit = json!({ "code": "JG", "name": "经济管理学院", "kind": "college" });
        let unit = staff.post("/adult/pc/organize/save", unit).await.id();
        staff.post(&format!("{TEACHER}/save"), teacher(unit, 1)).await.id();
        let site = cohort(&staff).await.site;
        let person = json!({ "siteId": site, "name": "刘站长", "phone": "13600000001", "duty": "principal" });
        staff.post(&format!("{STAFF}/save"), person).await.id();
        let locked = "failed_count = 5, locked_until = now() + interval '10 minutes'";
        server.run(&format!("update school_{school}.client_account set {locked}")).await;
    }
    let operator = server.operator().await;
    for entity in [TEACHER, STAFF] {
        let unlock = json!({ "items": named(&operator, entity).await });
        let unlocked = operator.put(&format!("{entity}/unlock"), unlock).await;
        assert_eq!(unlocked.data()["schools"], json!([outcome(1, EAST, 1, 0), outcome(2, SOUTH, 1, 0)]), "{entity}");
        let reset = json!({ "items": named(&operator, entity).await });
        let reset = operator.post(&format!("{entity}/resetPassword"), reset).await;
        assert_eq!(reset.data()["done"], json!(2), "{entity}");
        let told: Vec<(i64, &str)> = reset.data()["passwords"]
            .as_array()
            .expect("passwords")
            .iter()
            .map(|row| {
                let password = row["password"].as_str().expect("a password");
                assert!(password.len() >= 8, "{row}");
                (row["schoolId"].as_i64().expect("a school"), row["schoolName"].as_str().expect("its name"))
            })
            .collect();
        // Only the staff of sites have no ID number, of which the school's rule makes the initial password.
        let random = if entity == STAFF { vec![(1, EAST), (2, SOUTH)] } else { Vec::new() };
        assert_eq!(told, random, "{entity}");
        let disable = json!({ "items": named(&operator, entity).await, "enabled": false });
        let disabled = operator.put(&format!("{entity}/update/status"), disable).await;
        assert_eq!(disabled.data()["done"], json!(2), "{entity}");
    }
    for school in [1, 2] {
        assert_eq!(off(&server, school).await, 2, "school {school}");
        let open: i64 =
            server.one(&format!("select count(*) from school_{school}.client_account where failed_count > 0")).await;
        assert_eq!(open, 0, "school {school}");
        for action in ["unlock", "resetPassword", "status"] {
            assert_eq!(trail(&server, school, action).await, ["platform 运营一"; 2], "school {school} {action}");
        }
    }
}
