//! Statistics of homework and examinations: the worked numbers of part 05 A4.

use kit::{
    Client, Server,
    cohort::registrar,
    homework::{approved, published, short_answers, task},
    questions::bank,
    scores,
    statistics::{EXAM, WORK, Worked, ordered, refreshed, roster, table},
};
use serde_json::{Value, json};

fn numbers(of: &[f64]) -> Vec<Value> {
    of.iter().map(|number| json!(number)).collect()
}

/// Everybody of both classes in the order of their numbers, as `s` with their place `n`.
fn everybody(of: &Worked) -> String {
    ordered(of.classes[0]).replace(
        &format!("where c.class_id = {}", of.classes[0]),
        &format!("where c.class_id in ({}, {})", of.classes[0], of.classes[1]),
    )
}

/// Homework H: 60 rows, of which 2 are exempt and 1 void; 30 marked, 12 handed in, 1 returned, 40 of the 43 in time.
async fn handed_in(server: &Server, admin: &Client<'_>, of: &Worked) -> i64 {
    let bank = bank(admin, of.course, "ZY", "homework").await;
    let words = short_answers(admin, bank, 1).await;
    let paper = approved(admin, of.course, &[], &words).await;
    let homework = published(admin, task(server, (of.spring, of.course, of.opening), paper, 600)).await;
    server
        .run(&format!(
            "update school_1.homework_student x
             set state = case when s.n <= 30 then 'marked' when s.n <= 42 then 'submitted' when s.n = 43 then 'returned'
                              when s.n <= 45 then 'exempt' when s.n = 46 then 'void' else 'not_started' end,
                 exempt_reason = case when s.n in (44, 45) then '病假' end,
                 former_state = case when s.n = 46 then 'not_started' end,
                 submitted_at = case when s.n <= 43 then now() end, late = s.n in (1, 2, 3),
                 final_score = case when s.n <= 26 then 85.0 when s.n = 27 then 76.0 when s.n <= 30 then 50.0 end,
                 updated_at = now()
             from {} where x.selection_id = s.id",
            everybody(of)
        ))
        .await;
    homework
}

/// 05 A4: homework H, and A9-2: five marks that fall below 60 change what passed, whether it is looked at once or twice.
#[tokio::test]
async fn homework_has_the_figures_of_the_worked_example() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let of = roster(&server, &admin).await;
    let homework = handed_in(&server, &admin, &of).await;
    refreshed(&admin).await;
    let courses = table(&admin, &format!("{WORK}/list"), json!({ "level": "course" })).await;
    let shown = ["should", "handed", "handRate", "onTimeRate", "pending", "markRate", "average", "passRate"];
    assert_eq!(
        courses.figures("合计", &shown),
        numbers(&[57.0, 43.0, 75.4, 93.0, 12.0, 71.4, 81.2, 90.0]),
        "{:?}",
        courses.answer
    );
    let tasks = table(&admin, &format!("{WORK}/list"), json!({ "level": "task" })).await;
    assert_eq!(tasks.figures("第一次作业", &["should", "handed"]), numbers(&[57.0, 43.0]));
    // By the homework itself the figures are the same, and of another time there are none.
    let named = table(&admin, &format!("{WORK}/list"), json!({ "level": "class", "homeworkId": homework })).await;
    assert_eq!(
        named.figures("合计", &shown),
        numbers(&[57.0, 43.0, 75.4, 93.0, 12.0, 71.4, 81.2, 90.0]),
        "{:?}",
        named.answer
    );
    assert_eq!(named.names(), ["K1", "K2"]);
    let later = json!({ "level": "course", "endsFrom": "2099-01-01" });
    let none = table(&admin, &format!("{WORK}/list"), later).await;
    assert!(none.names().is_empty(), "{}", none.answer);
    let charts = admin.post(&format!("{WORK}/chart"), json!({ "homeworkId": homework })).await.data().clone();
    let scores = charts["charts"].as_array().expect("charts").iter().find(|chart| chart["key"] == json!("scores"));
    let points = &scores.expect("a chart")["series"][0]["points"];
    assert_eq!((&points[0]["value"], &points[3]["value"]), (&json!(3.0), &json!(26.0)), "{points}");
    server
        .run(&format!(
            "update school_1.homework_student x set final_score = 55.0, updated_at = now()
             from {} where x.selection_id = s.id and x.homework_id = {homework} and s.n between 1 and 5",
            everybody(&of)
        ))
        .await;
    for _ in 0..2 {
        refreshed(&admin).await;
        let courses = table(&admin, &format!("{WORK}/list"), json!({ "level": "course" })).await;
        assert_eq!(courses.figures("合计", &["passRate"]), numbers(&[73.3]));
    }
    assert_eq!(server.one::<i64>("select sum(hw_passed)::bigint from school_1.stat_opening_class").await, 22);
}

/// 05 A4: who left is on no roster, whether homework is told by course, one by one, or by its own number.
#[tokio::test]
async fn who_left_counts_in_no_figure_of_homework() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let of = roster(&server, &admin).await;
    let homework = handed_in(&server, &admin, &of).await;
    let today = server.app.clock().today();
    server
        .run(&format!(
            "with gone as (update school_1.course_selection c set updated_at = now()
                           from {} where c.id = s.id and s.n = 1 returning c.student_id)
             update school_1.student y set status = 'withdrawn', status_reason = 'voluntary', ended_on = '{today}'
             from gone where y.id = gone.student_id",
            everybody(&of)
        ))
        .await;
    refreshed(&admin).await;
    let shown = ["should", "handed", "average", "passRate"];
    let wanted = numbers(&[56.0, 42.0, 81.1, 89.7]);
    let courses = table(&admin, &format!("{WORK}/list"), json!({ "level": "course" })).await;
    assert_eq!(courses.figures("合计", &shown), wanted, "{}", courses.answer);
    let tasks = table(&admin, &format!("{WORK}/list"), json!({ "level": "task" })).await;
    assert_eq!(tasks.figures("第一次作业", &shown), wanted, "{}", tasks.answer);
    let named = table(&admin, &format!("{WORK}/list"), json!({ "level": "course", "homeworkId": homework })).await;
    assert_eq!(named.figures("合计", &shown), wanted, "{}", named.answer);
    let people = table(&admin, &format!("{WORK}/list"), json!({ "level": "student", "homeworkId": homework })).await;
    assert_eq!(people.names().len(), 59);
}

/// 05 A4: 60 candidates, of whom 54 should come and 50 did; one of them cheated, 45 passed.
#[tokio::test]
async fn an_examination_has_the_figures_of_the_worked_example() {
    let server = Server::start().await;
    let admin = registrar(&server).await;
    let of = roster(&server, &admin).await;
    let batch = scores::batch(&server, of.spring, "P1").await;
    let setup: i64 = server
        .one(&format!(
            "insert into school_1.exam_setup (batch_id, mode, course_id, semester_id, name, round, assess_mode, status, published_at,
                 created_by, updated_by)
             values ({batch}, 'offline', {}, {}, '课程A1期末考试', 'first', 'closed_book', 'published', now(), 0, 0) returning id",
            of.course, of.spring
        ))
        .await;
    server
        .run(&format!(
            "with candidates as (
                 insert into school_1.exam_candidate (setup_id, selection_id, batch_id, course_id, student_id, round, eligibility,
                     attendance, created_by, updated_by)
                 select {setup}, s.id, {batch}, {course}, s.student_id, 'first',
                        case when s.n <= 3 then 'disqualified' when s.n <= 5 then 'deferred' when s.n = 6 then 'exempt' else 'eligible' end,
                        case when s.n <= 6 then 'unknown' when s.n <= 10 then 'absent' else 'present' end, 0, 0
                 from {who} returning id, selection_id, student_id, attendance),
             placed as (select c.*, s.n from candidates c join {who} on s.id = c.selection_id),
             sums as (
                 insert into school_1.course_score (selection_id, student_id, course_id, semester_id, attempt_no, credits, nature,
                     created_by, updated_by)
                 select p.selection_id, p.student_id, {course}, {semester}, 1, 3, 'compulsory', 0, 0 from placed p where p.n > 10
                 returning id, selection_id)
             insert into school_1.exam_score (course_score_id, round, setup_id, candidate_id, value, mark, source, published, created_by,
                 updated_by)
             select x.id, 'first', {setup}, p.id,
                    case when p.n = 11 then null when p.n <= 15 then 55.5 else 80.0 end,
                    case when p.n = 11 then 'cheating' else 'normal' end, 'offline_entry', true, 0, 0
             from sums x join placed p on p.selection_id = x.selection_id",
            course = of.course,
            semester = of.spring,
            who = everybody(&of)
        ))
        .await;
    server
        .run(
            "with told as (
                 insert into school_1.exam_violation (candidate_id, level, clause, description, source, reported_by, status, decided_at,
                     penalty, created_by, updated_by)
                 select candidate_id, 'cheating', 'Z1', '夹带', 'invigilator', 0, 'confirmed', now(), 'score_void', 0, 0
                 from school_1.exam_score where mark = 'cheating' returning id, candidate_id)
             update school_1.exam_candidate c set violation_level = 'cheating', violation_id = told.id
             from told where told.candidate_id = c.id",
        )
        .await;
    refreshed(&admin).await;
    let exams = table(&admin, &format!("{EXAM}/list"), json!({ "level": "exam" })).await;
    let shown =
        ["should", "present", "absent", "attendRate", "average", "passRate", "cheating", "disqualified", "deferred"];
    let wanted = numbers(&[54.0, 50.0, 4.0, 92.6, 78.0, 78.9, 1.0, 3.0, 2.0]);
    assert_eq!(exams.figures("课程A1期末考试", &shown), wanted, "{}", exams.answer);
    assert_eq!(exams.figures("合计", &shown), wanted);
    assert_eq!(
        exams.figures("合计", &["median", "most", "fewest", "band0", "band3"]),
        numbers(&[80.0, 80.0, 55.5, 4.0, 45.0])
    );
    let sites = table(&admin, &format!("{EXAM}/siteList"), json!({})).await;
    let should: f64 = sites.names().iter().filter_map(|site| sites.figures(site, &["should"])[0].as_f64()).sum();
    assert!((should - 54.0).abs() < f64::EPSILON);
    let charts = admin.post(&format!("{EXAM}/chart"), json!({})).await;
    assert!(charts.data()["charts"].as_array().is_some_and(|charts| charts.len() >= 2), "{}", charts.body);
    let narrow =
        server.staff_within(1, &["data:pc:examinationStatistics:list"], "named_classes", &[of.classes[1]]).await;
    let own = table(&narrow, &format!("{EXAM}/list"), json!({ "level": "class" })).await;
    assert_eq!(own.names(), ["K2"]);
}
