//! Supervision: three classes that study a course for fifty days, and those of them who fall behind (part 05 C4).

use serde_json::{Value, json};

use crate::{
    Answer, Client, Server,
    clients::{self, entered},
    cohort::{Cohort, cohort},
    lessons::called,
    openings::{generate, id_of, open, plan, semester},
    plans,
    rows::students,
    site_staff::{MANAGER, STAFF},
    students::id_number,
};

pub use crate::client::with;

pub const SUPERVISE: &str = "/adult/pc/supervise";
pub const RULE: &str = "/adult/pc/supervise/rule";
pub const OWN: &str = "/user/client/supervise";

/// 学生1 to 学生4 in K1 of B01, 学生5 and 学生6 in K2 of B02, both at the first site; 学生7 and 学生8 in K3 of B03 at the other. All of
/// them study the courses A1, A2 and so on online; everybody signed in yesterday and is done with everything.
pub struct Supervised {
    pub p: Cohort,
    pub other_site: i64,
    pub spring: i64,
    pub courses: Vec<i64>,
    pub openings: Vec<i64>,
    pub classes: [i64; 3],
    pub managers: [i64; 3],
    /// In the order of their numbers.
    pub students: Vec<i64>,
}

impl Supervised {
    pub fn student(&self, n: usize) -> i64 {
        self.students[n - 1]
    }
}

/// School 1 with so many courses, on the fiftieth of 133 days of the semester; answers somebody with every right there.
pub async fn supervised(server: &Server, courses: usize) -> (Client<'_>, Supervised) {
    let (admin, _) = clients::school(server).await;
    let p = cohort(&admin).await;
    let site = json!({ "code": "CX", "name": "城西教学点", "kind": "headquarter", "phone": "13800000002" });
    let other_site = admin.post("/adult/pc/site/save", site).await.id();
    let mut made = Vec::new();
    for n in 1..=courses {
        made.push(plans::course(&admin, &format!("A{n}"), 3.0, 54, 0).await);
    }
    let spring = semester(&admin, "2026-1").await;
    admin.put("/adult/pc/semester/setCurrent", json!({ "id": spring })).await.data();
    let planned: Vec<(i64, &str, i32)> = made.iter().map(|course| (*course, "compulsory", 1)).collect();
    plan(server, &p, &planned).await;
    let mut classes = [0; 3];
    let mut managers = [0; 3];
    for (place, (site, first, count)) in [(p.site, 1, 4), (p.site, 5, 2), (other_site, 7, 2)].into_iter().enumerate() {
        let n = place + 1;
        let class = with(called(&p, &format!("K{n}")), json!({ "siteId": site }));
        classes[place] = admin.post("/adult/pc/class/save", class).await.id();
        let manager = json!({ "workNo": format!("B0{n}"), "name": format!("班主任{n}"), "phone": format!("1370000000{n}"),
            "idCardNo": id_number(70 + n), "siteIds": [site] });
        managers[place] = admin.post(&format!("{MANAGER}/save"), manager).await.id();
        students(server, &p, site, Some(classes[place]), first, count).await;
        server
            .run(&format!("update school_1.class set manager_id = {} where id = {}", managers[place], classes[place]))
            .await;
    }
    generate(&admin, spring).await;
    let mut openings = Vec::new();
    for course in &made {
        let opening = id_of(&admin, spring, *course).await;
        open(&admin, opening).await;
        openings.push(opening);
    }
    server
        .run(
            "update school_1.course_opening set teaching_mode = 'online';
             insert into school_1.course_record (course_id, name, is_default, status, created_by, updated_by)
             select id, '录播', true, 'published', 0, 0 from school_1.course",
        )
        .await;
    let students: Vec<i64> = server.one("select array_agg(id order by student_no) from school_1.student").await;
    let supervised = Supervised { p, other_site, spring, courses: made, openings, classes, managers, students };
    day(server, &supervised, 50).await;
    for n in 1..=supervised.students.len() {
        signed_in(server, &supervised, n, 1).await;
        for opening in supervised.openings.clone() {
            studied(server, &supervised, (n, opening), "100.0").await;
        }
    }
    (admin, supervised)
}

/// Lets so many days of the 133 of the semester be over when today is.
pub async fn day(server: &Server, of: &Supervised, days: i64) {
    let today = server.app.clock().today();
    let starts = today - chrono::Duration::days(days - 1);
    let ends = starts + chrono::Duration::days(132);
    let row =
        format!("update school_1.semester set starts_on = '{starts}', ends_on = '{ends}' where id = {}", of.spring);
    server.run(&row).await;
}

/// Lets a student have signed in last so many days ago; none: never.
pub async fn signed_in(server: &Server, of: &Supervised, n: usize, days: i64) {
    let student = of.student(n);
    let now = server.app.clock().now();
    let day = server.app.clock().today() - chrono::Duration::days(days);
    server
        .run(&format!(
            "delete from school_1.stat_login_day where owner_kind = 'student' and owner_id = {student};
             insert into school_1.stat_login_day (date, owner_kind, owner_id, class_id, site_id, logins, active_seconds, first_at, last_at,
                 device_mask, hour_mask, computed_at)
             select '{day}', 'student', id, class_id, site_id, 1, 600, '{now}', '{now}', 1, 1, '{now}'
             from school_1.student where id = {student}"
        ))
        .await;
}

/// Lets a student never have signed in, nor studied anything.
pub async fn never_came(server: &Server, of: &Supervised, n: usize) {
    let student = of.student(n);
    server
        .run(&format!(
            "delete from school_1.stat_login_day where owner_id = {student};
             delete from school_1.study_course_progress
             where id in (select id from school_1.course_selection where student_id = {student})"
        ))
        .await;
}

/// Lets a student be so far in the course of an opening.
pub async fn studied(server: &Server, of: &Supervised, (n, opening): (usize, i64), progress: &str) {
    let now = server.app.clock().now();
    server
        .run(&format!(
            "insert into school_1.study_course_progress (id, opening_id, progress, study_seconds, last_at, updated_at)
             select id, opening_id, {progress}, 3600, '{now}', '{now}' from school_1.course_selection
             where student_id = {} and opening_id = {opening}
             on conflict (id) do update set progress = excluded.progress",
            of.student(n)
        ))
        .await;
}

/// The three of 05 C4: 学生1 has done 12.0, 学生2 5.0 and 学生3 nothing, and never signed in.
pub async fn behind(server: &Server, of: &Supervised) {
    studied(server, of, (1, of.openings[0]), "12.0").await;
    studied(server, of, (2, of.openings[0]), "5.0").await;
    never_came(server, of, 3).await;
}

/// Scans everybody whom the client sees.
pub async fn scan(client: &Client<'_>) -> Value {
    client.post(&format!("{SUPERVISE}/scan"), json!({})).await.data().clone()
}

/// The case of a student, as a list shows it; null where there is none.
pub async fn case_of(client: &Client<'_>, student: i64) -> Value {
    let listed = client.post(&format!("{SUPERVISE}/list"), json!({ "studentId": student })).await;
    listed.data()["list"][0].clone()
}

/// A case as it was read, for its steps.
pub async fn item(client: &Client<'_>, student: i64) -> Value {
    let case = case_of(client, student).await;
    json!({ "id": case["id"], "version": case["version"] })
}

/// A telephone call with a student, as a form.
pub fn called_up(case: &Value, content: &str) -> Value {
    json!({ "caseId": case, "contactWay": "phone", "contactResult": "promised", "content": content })
}

/// Records a telephone call.
pub async fn call_up(client: &Client<'_>, case: &Value, content: &str) -> Answer {
    client.post(&format!("{SUPERVISE}/contact"), called_up(case, content)).await
}

/// The manager of the n-th class in their client.
pub async fn manager(server: &Server, n: usize) -> Client<'_> {
    entered(server, &format!("B0{n}"), &format!("Aa@{}", &id_number(70 + n)[12..]), "class_manager").await
}

/// Somebody of a site in their client.
pub async fn site_person<'s>(server: &'s Server, admin: &Client<'_>, site: i64) -> Client<'s> {
    let person = json!({ "siteId": site, "name": "刘站长", "phone": "13600000001", "duty": "academic", "idCardNo": id_number(60) });
    admin.post(&format!("{STAFF}/save"), person).await.id();
    entered(server, "13600000001", &format!("Aa@{}", &id_number(60)[12..]), "site_staff").await
}
