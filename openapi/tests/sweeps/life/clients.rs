//! The life of a person in their client.

use kit::{
    Server,
    clients::{self, OWN},
};
use poem::http::Method;
use serde_json::json;

use super::{Life, Sent, client_information, forgotten, support};

/// Operations whose valid call has a story of its own (clients.rs, corrections.rs, course_selection.rs, enrolment.rs, homework.rs,
/// homework_marking.rs, instruction.rs, online_study.rs, public_pre_registration.rs, registration_lists.rs, status_change.rs,
/// supervision.rs, timetable.rs).
const ELSEWHERE: [&str; 116] = [
    // Of a session that staff began.
    "renewClientToken",
    // Of a student, and of somebody of a site.
    "submitOwnCorrection",
    "listOwnCorrections",
    "reviewCorrectionOfSite",
    "listPreRegistrationsOfSite",
    "savePreRegistrationOfSite",
    "editPreRegistrationOfSite",
    "importPreRegistrationsOfSite",
    "sitePreRegistrationImportTemplate",
    "viewOwnSiteEnrollment",
    "saveOwnSiteEnrollment",
    "submitOwnSiteEnrollment",
    "listRegistrationsOfSite",
    "reportRegistrationAtSite",
    "reserveRegistrationAtSite",
    "abandonRegistrationAtSite",
    "listOpenChangeBatches",
    "checkOwnChange",
    "listOwnChanges",
    "submitOwnChange",
    "cancelOwnChange",
    "saveChangeOfSite",
    "reviewOwnChangeOfSite",
    "acceptOwnChangeOfSite",
    "listAvailableCourses",
    "submitOwnSelections",
    "dropOwnSelection",
    "viewOwnChapters",
    "playPeriod",
    "beatStudy",
    "listOwnQas",
    "saveOwnQa",
    "replyOwnQa",
    "listTeacherCourses",
    "replyTeacherQa",
    "listOwnCourses",
    "listOwnTasks",
    "startTask",
    "saveTaskAnswers",
    "announceTaskFile",
    "submitTask",
    "viewTaskResult",
    "listOwnMarking",
    "openOwnSheet",
    "saveOwnMarks",
    "submitOwnMarks",
    "returnOwnSheets",
    "listOwnTimetable",
    "listTeacherTimetable",
    "viewOwnFeed",
    "renewOwnFeed",
    "revokeOwnFeed",
    "registerOwnAttendance",
    "listOwnScoreSheets",
    "listOwnScoreSheetRows",
    "enterOwnScores",
    "submitOwnScoreSheet",
    "listOwnScores",
    "viewOwnThesis",
    "listOwnThesisTopics",
    "selectOwnThesisTopic",
    "proposeOwnThesisTopic",
    "saveOwnThesisDocument",
    "listOwnThesisComments",
    "listAdvisedTheses",
    "decideOwnThesis",
    "scoreOwnThesis",
    "saveOwnInternship",
    "viewOwnInternships",
    "listOwnExams",
    "viewOwnExam",
    "startOwnExam",
    "saveOwnExamAnswers",
    "submitOwnExam",
    "viewOwnExamResult",
    "beatOwnExam",
    "announceOwnExamFile",
    "listOwnExamMarking",
    "openOwnExamSheet",
    "saveOwnExamMarks",
    "submitOwnExamMarks",
    "saveOwnDeferral",
    "listOwnDeferrals",
    "cancelOwnDeferral",
    "viewOwnExamTicket",
    "viewOwnGraduation",
    "applyOwnDegree",
    "viewOwnDegree",
    // Of whoever looks after students.
    "listOwnSuperviseCases",
    "viewOwnSuperviseCase",
    "saveOwnSuperviseContact",
    "remindOwnSuperviseStudents",
    "viewOwnStudentPhone",
    // Of a learner of the operators' site (platform/learners.rs, platform/orders.rs, platform/marketing.rs).
    "viewOwnLearner",
    "editOwnLearner",
    "createOrder",
    "payOrder",
    "cancelOrder",
    "receiveCoupon",
    // The same (platform/quizzes.rs, platform/quiz_classes.rs).
    "startOwnQuiz",
    "saveOwnQuiz",
    "submitOwnQuiz",
    "joinQuizClass",
    // The same, of what they write (platform/community.rs).
    "saveOwnBlog",
    "saveOwnQuestion",
    "saveOwnCommunityComment",
    "saveOwnCertificate",
    // The same, of the site's courses and of lecturers (platform/site_visitors.rs, platform/site_lecturers.rs).
    "playSiteLesson",
    "reportSiteProgress",
    "saveOwnCourseComment",
    "saveOwnCourseRating",
    "clickSearchWord",
    "submitCourse",
    "applyLecturer",
    "saveBankCard",
    "applyExtract",
];

/// No operation of the clients may be forgotten: the kit asks each for its row in the trail.
#[tokio::test]
async fn every_operation_of_the_clients_lives() {
    let server = Server::start().await;
    let (admin, _) = clients::school(&server).await;
    let mut life = Life::of(&server, clients::signed_in(&server).await);
    life.get("/user/client/menu").await;
    life.post("/user/client/session/beat", json!({ "seq": 1, "visible": true })).await;
    life.post("/data/client/visit/save", json!({ "page": "home", "terminal": "h5" })).await;
    life.post("/user/client/msg/list", json!({})).await;
    life.get("/user/client/msg/unread").await;
    life.put("/user/client/msg/read", json!({ "ids": [1] })).await;
    let form =
        json!({ "fileName": "论文.pdf", "size": 5, "contentType": "application/pdf", "type": 3, "purpose": "thesis" });
    let ticket = life.post("/user/client/upload/presign", form).await;
    let address = ticket["url"].as_str().expect("an address");
    life.client.raw(Method::PUT, address, Some("application/pdf"), b"12345".to_vec()).await;
    life.post("/user/client/upload/complete", json!({ "key": ticket["key"] })).await;
    let large = json!({ "fileName": "论文.pdf", "size": 40 << 20, "contentType": "application/pdf", "type": 3, "purpose": "thesis" });
    let ticket = life.post("/user/client/upload/presign", large).await;
    life.post("/user/client/upload/parts", json!({ "key": ticket["key"] })).await;
    support::client(&mut life).await;
    let new = "Third#2026qiu";
    let passwords = json!({
        "oldPassword": server.cipher(OWN), "loginPassword": server.cipher(new), "confirmPassword": server.cipher(new),
    });
    life.put("/user/client/password", passwords).await;
    life.client = clients::with_token(&server, &clients::sign_in(&server, "T001", new, "teacher").await);
    life.call(Method::POST, "/user/client/logout", Sent::Nothing).await;
    client_information::live(&mut life, &admin).await;
    assert_eq!(forgotten(&life, &["client"], &ELSEWHERE), Vec::<String>::new(), "no valid call is known");
}
