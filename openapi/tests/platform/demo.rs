//! Invented people stay where they belong: in databases and schools made for them (05 G1, 01 §11).

use kit::{Client, Server};
use serde_json::{Value, json};

const REFUSED: &str =
    "本数据库不是为演示建立的，不能写入或清除演示数据；请换用空的数据库，确需继续请加上 --allow-production";
const HOME: &str = "/data/pc/dashboard/platform";

/// What a command answered: its exit code, what it printed, and the lines by which it says why it did nothing.
#[derive(Debug)]
struct Ended {
    code: i32,
    printed: String,
    mistakes: Vec<String>,
}

impl Ended {
    fn refused(self, why: &str) {
        assert_eq!((self.code, self.mistakes), (2, vec![why.to_owned()]));
    }

    fn well(self) -> String {
        assert_eq!((self.code, &self.mistakes), (0, &Vec::new()), "{}", self.printed);
        self.printed
    }
}

async fn program(server: &Server, arguments: &[&str]) -> Ended {
    let output =
        server.program(arguments).stdin(std::process::Stdio::null()).output().await.expect("the program answers");
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    Ended {
        code: output.status.code().expect("it ended by itself"),
        printed: String::from_utf8(output.stdout).expect("UTF-8"),
        mistakes: told.lines().filter_map(|line| line.strip_prefix("error: ")).map(ToOwned::to_owned).collect(),
    }
}

/// All that stands of schools, accounts and the operators' site but what is the demonstration's.
async fn others(server: &Server) -> String {
    server
        .one(
            "select concat_ws('|',
                 (select md5(string_agg(s::text, ',' order by id)) from platform.school s where not demo),
                 (select md5(string_agg(u::text, ',' order by id)) from platform.sys_user u
                  where id not in (select row_id from platform.demo_row where table_name = 'sys_user')),
                 (select count(*) from platform.sys_user_school b join platform.school s on s.id = b.school_id and not s.demo),
                 (select count(*) from platform.lecturer where id not in (select row_id from platform.demo_row where table_name = 'lecturer')),
                 (select count(*) from school_1.student), (select count(*) from school_2.student))",
        )
        .await
}

async fn digest(server: &Server, school: i64) -> String {
    server
        .one(&format!(
            "select concat_ws('|', (select md5(string_agg(s::text, ',' order by id)) from school_{school}.student s),
                 (select count(*) from school_{school}.site), (select count(*) from school_{school}.course),
                 (select count(*) from school_{school}.pre_registration), (select count(*) from school_{school}.teacher),
                 (select count(*) from school_{school}.event_outbox), (select count(*) from school_{school}.msg where creator_name = '演示数据'),
                 (select count(*) from platform.sys_user), (select count(*) from platform.demo_row))"
        ))
        .await
}

#[tokio::test]
async fn a_database_of_customers_takes_no_demonstration() {
    let server = Server::start().await;
    let before = others(&server).await;
    for command in [&["demo", "fill"][..], &["demo", "platform"], &["demo", "clear"], &["serve", "--demo"]] {
        program(&server, command).await.refused(REFUSED);
    }
    program(&server, &["demo", "fill", "--school", "demo03", "--create"]).await.refused(REFUSED);
    program(&server, &["demo", "study"]).await.refused("本数据库不是为演示建立的，不能模拟学习");
    // Nobody typed the word.
    let allowed = ["demo", "fill", "--school", "demo03", "--create", "--allow-production"];
    program(&server, &allowed).await.refused("未确认，没有做任何更改");
    let sure = |arguments: &[&'static str]| [arguments, &["--allow-production", "--yes"]].concat();
    let all = program(&server, &sure(&["demo", "fill"])).await;
    all.refused("正式数据库中须用 --school 指明一所演示院校");
    // The school of this code is a real one, whatever is allowed.
    for command in [&["demo", "fill", "--school", "demo01"][..], &["demo", "clear", "--school", "demo01"]] {
        program(&server, &sure(command)).await.refused("院校demo01不是演示院校，不能写入或清除演示数据");
    }
    assert_eq!(others(&server).await, before);
    let marks: i64 = server.one("select count(*) from platform.demonstration").await;
    assert_eq!(marks, 0, "a database with schools and accounts is never marked");
    // Neither is a school by a call.
    let operator = server.operator().await;
    let school = operator.get("/system/pc/sys/school/view?id=2").await;
    let edit = json!({
        "id": 2, "version": school.data()["version"], "name": school.data()["name"], "expiresOn": school.data()["expiresOn"],
        "remark": "合作院校",
    });
    let mut flagged = edit.clone();
    flagged["demo"] = json!(true);
    let path = "/system/pc/sys/school/edit";
    assert_eq!(operator.put(path, flagged).await.code(), 400, "no form has the flag");
    assert_eq!(operator.put(path, edit).await.code(), 200);
    let kept: String = server.one("select demo || ' ' || remark from platform.school where id = 2").await;
    assert_eq!(kept, "false 合作院校");
}

#[tokio::test]
async fn a_demonstration_school_is_filled_checked_and_taken_away_again() {
    let server = Server::start().await;
    let before = others(&server).await;
    let fill = |students: &'static str| {
        let asked = ["demo", "fill", "--school", "demo03", "--create", "--seed", "7", "--verify"];
        [&asked[..], &["--students", students, "--allow-production", "--yes"]].concat()
    };
    let printed = program(&server, &fill("300")).await.well();
    assert!(printed.contains("demo03: 完整") && printed.contains("demo03_admin"), "{printed}");
    assert!(!printed.contains(openapi::demo::PASSWORD), "no password that everybody knows");
    let known: i64 = server.one("select count(*) from platform.sys_user where login_name ~ '^admin[0-9]*$'").await;
    assert_eq!(known, 0, "no operator of the demonstration beside real ones");
    let school: i64 = server.one("select id from platform.school where code = 'demo03' and demo").await;
    let filled = digest(&server, school).await;
    program(&server, &fill("300")).await.well();
    assert_eq!(digest(&server, school).await, filled, "the second time nothing changes");
    program(&server, &["demo", "verify"]).await.well();

    server
        .run(&format!(
            "with refused as (select id from school_{school}.forecast_major where status = 'rejected'),
                  sites as (delete from school_{school}.forecast_major_site where forecast_major_id in (select id from refused))
             update school_{school}.forecast_major set status = 'draft' where id in (select id from refused)"
        ))
        .await;
    server.run(&format!("delete from school_{school}.class_manager_site")).await;
    server.run(&format!("update school_{school}.class set manager_id = null where manager_id is not null")).await;
    server
        .run(&format!("update school_{school}.supervise_case set manager_id = null where manager_id is not null"))
        .await;
    server.run(&format!("delete from school_{school}.class_manager")).await;
    let lacking = program(&server, &["demo", "verify"]).await;
    let classes: i64 = server.one(&format!("select count(*) from school_{school}.class")).await;
    let managers = format!("demo03：班主任应为{}，实际为0", people::demo::managers_for(classes));
    let away = ["停用的班主任", "离职的班主任", "未通过的专业申报"].map(|what| format!("demo03：缺少{what}"));
    assert_eq!((lacking.code, lacking.mistakes), (1, [vec![managers], away.to_vec()].concat()));

    // What somebody else wrote there is not filled over.
    server.run(&format!("delete from school_{school}.school_setting where key = 'demoFilled'")).await;
    program(&server, &fill("300")).await.refused("该院校已有业务数据，不能写入演示数据");

    program(&server, &["demo", "platform", "--allow-production", "--yes"]).await.well();
    assert_eq!(server.one::<i64>("select count(*) from platform.lecturer").await, 1);
    assert_eq!(server.one::<i64>("select count(*) from platform.user_ext").await, i64::from(learners::demo::LEARNERS));
    program(&server, &["demo", "clear", "--allow-production", "--yes"]).await.well();
    let left: i64 = server
        .one(&format!(
            "select (select count(*) from pg_namespace where nspname = 'school_{school}')
                  + (select count(*) from platform.sys_user where login_name like 'demo03%')
                  + (select count(*) from platform.demo_row) + (select count(*) from platform.lecturer)
                  + (select count(*) from platform.online_course) + (select count(*) from platform.media_asset)
                  + (select count(*) from platform.user_ext) + (select count(*) from platform.vip_set)
                  + (select count(*) from platform.online_exam) + (select count(*) from platform.online_problem)
                  + (select count(*) from platform.exam_grade_info) + (select count(*) from platform.online_category)
                  + (select count(*) from platform.blog) + (select count(*) from platform.blogger)
                  + (select count(*) from platform.community_label) + (select count(*) from platform.gzh_menu)
                  + (select count(*) from platform.gzh_auto_reply)"
        ))
        .await;
    assert_eq!(left, 0, "all of the demonstration is gone");
    assert_eq!(others(&server).await, before, "and nothing else");
    program(&server, &fill("10")).await.well();
}

async fn schools(operator: &Client<'_>, filter: Value) -> Value {
    operator.post("/system/pc/sys/school/list", filter).await.data()["totalCount"].clone()
}

#[tokio::test]
async fn demonstration_schools_are_marked_and_do_not_count() {
    let server = Server::start().await;
    let operator = server.operator().await;
    let trial = async |query: &str| {
        let home = operator.get(&format!("{HOME}{query}")).await;
        let card = home.data()["cards"].as_array().expect("cards").iter().find(|card| card["key"] == "trialSchools");
        let card = card.expect("a card").clone();
        (home.data()["demo"].clone(), card["value"].clone(), card["link"].clone())
    };
    let list = "/sys/school/list?status=trial";
    assert_eq!(trial("").await, (Value::Null, json!(2), json!(list)), "there is none");
    server.run("update platform.school set demo = true where id = 2").await;
    server.run("select pg_notify('chengjiao', 'school:2')").await;
    assert_eq!(trial("").await, (json!(false), json!(1), json!(format!("{list}&demo=false"))));
    assert_eq!(trial("?demo=true").await, (json!(true), json!(2), json!(list)));
    assert_eq!(schools(&operator, json!({})).await, json!(2));
    assert_eq!(schools(&operator, json!({ "demo": false })).await, json!(1));
    assert_eq!(operator.get("/system/pc/sys/school/view?id=2").await.data()["demo"], json!(true));
    for (school, demo) in [(1, false), (2, true)] {
        let staff = server.staff(school, &[]).await;
        let own = staff.get("/system/pc/api/sys/user/getSchoolAccountInfo").await;
        assert_eq!(own.data()["schoolDemo"], json!(demo));
    }
    // Where all is demonstration, it counts without asking.
    server.run("insert into platform.demonstration (id) values (true)").await;
    assert_eq!(trial("").await, (json!(true), json!(2), json!(list)));
}
