//! Every list of teaching, examinations, scores, theses and graduation, with the filters that it offers.

use serde_json::{Value, json};

use crate::{
    large_school::{Sample, Taught},
    list_calls::{Call, List, Whose, by, keyword, list},
};

/// The lists that take a body.
pub fn posted(of: &Sample, taught: &Taught) -> Vec<List> {
    let mut lists = questions(of, taught);
    lists.extend(plans(of, taught));
    lists.extend(selections(of, taught));
    lists.extend(lessons(of, taught));
    lists.extend(study(of, taught));
    lists.extend(homework(of, taught));
    lists.extend(examinations(of, taught));
    lists.extend(answers(of, taught));
    lists.extend(seats(of, taught));
    lists.extend(scores(of, taught));
    lists.extend(theses(of, taught));
    lists.extend(graduates(taught));
    lists
}

fn questions(of: &Sample, taught: &Taught) -> Vec<List> {
    vec![
        list(
            "question banks",
            "/exam/pc/questionBank/list",
            vec![
                keyword("name", "会计学"),
                by("courseId", taught.course),
                by("usage", "exam"),
                by("organizationId", of.department),
                by("visibility", "school"),
                by("enabled", true),
            ],
        ),
        list(
            "questions",
            "/exam/pc/exam/problem/list",
            vec![
                keyword("words", "会计学原理12"),
                by("courseId", taught.course),
                by("bankId", taught.bank),
                by("chapterId", taught.chapter),
                by("type", "essay"),
                by("difficulty", "hard"),
                by("knowledgePointId", taught.point),
                by("status", "pending_review"),
                by("status", "enabled"),
                by("source", "copy"),
                by("usedFrom", 18),
                by("scoreRateTo", 25),
                by("discriminationTo", 0.1),
                by("usableFor", "exam"),
                ("not in a paper".to_owned(), json!({ "courseId": taught.course, "excludePaperId": taught.paper })),
            ],
        ),
        list(
            "papers",
            "/exam/pc/exam/info/list",
            vec![
                keyword("code", "E00913"),
                by("courseId", taught.course),
                by("kind", "practice"),
                by("composeMode", "rule"),
                by("status", "pending_review"),
                by("latestOnly", true),
            ],
        ),
        list(
            "rules of papers",
            "/exam/pc/exam/rule/list",
            vec![keyword("name", "期末"), by("kind", "exam"), by("enabled", true)],
        ),
        list(
            "snapshots of papers",
            "/exam/pc/exam/info/snapshot/list",
            vec![
                keyword("name", "会计学原理"),
                by("paperId", taught.paper),
                by("courseId", taught.course),
                by("kind", "homework"),
            ],
        ),
    ]
}

fn plans(of: &Sample, taught: &Taught) -> Vec<List> {
    let place = || {
        vec![by("gradeId", of.grade), by("levelId", of.level), by("majorId", of.major), by("courseId", taught.course)]
    };
    let with = |more: Vec<(String, Value)>| {
        let mut filters = place();
        filters.extend(more);
        filters
    };
    vec![
        list(
            "teaching plans",
            "/adult/pc/teachingPlan/list",
            vec![
                keyword("name", "专业146"),
                by("gradeId", of.grade),
                by("levelId", of.level),
                by("majorId", of.major),
                by("studyForm", "part_time"),
                by("organizationId", of.organization),
                by("status", "submitted"),
                by("latestOnly", true),
            ],
        ),
        list("courses of a plan", "/adult/pc/planCourse/list", Vec::new()).saying(json!({ "planId": taught.plan })),
        list(
            "openings",
            "/adult/pc/courseOpening/list",
            with(vec![
                by("semesterId", taught.semester),
                keyword("code", &taught.course_code),
                by("kind", "retake"),
                by("nature", "elective"),
                by("teachingMode", "blended"),
                by("status", "opened"),
                by("allocated", false),
                by("hasRecords", false),
            ]),
        ),
        list(
            "allocations",
            "/adult/pc/courseAllocation/list",
            with(vec![
                by("semesterId", taught.semester),
                by("openingId", taught.opening),
                by("siteId", of.site),
                by("classId", of.class),
                by("teacherId", taught.teacher),
                by("allocated", false),
            ]),
        ),
        list(
            "work of teachers",
            "/adult/pc/courseAllocation/workload/list",
            vec![by("organizationId", of.department), keyword("name", &of.teacher_name)],
        )
        .saying(json!({ "semesterId": taught.semester })),
        list(
            "credits of courses",
            "/adult/pc/courseCredit/list",
            with(vec![by("planId", taught.plan), by("termNo", 3), by("nature", "elective")]),
        ),
        list(
            "credits of students",
            "/adult/pc/courseCredit/student/list",
            vec![
                keyword("name", &of.student_name),
                keyword("number", &of.student_no),
                by("gradeId", of.grade),
                by("levelId", of.level),
                by("majorId", of.major),
                by("siteId", of.site),
                by("classId", of.class),
            ],
        ),
        list(
            "rules of selection",
            "/adult/pc/selectionRule/list",
            vec![by("semesterId", taught.semester), by("gradeId", of.grade)],
        ),
    ]
}

/// Of whom a list of what students have is asked.
fn people(of: &Sample) -> Vec<(String, Value)> {
    vec![
        keyword("name", &of.student_name),
        keyword("number", &of.student_no),
        by("gradeId", of.grade),
        by("majorId", of.major),
        by("siteId", of.site),
        by("classId", of.class),
    ]
}

fn people_and(of: &Sample, more: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let mut filters = people(of);
    filters.extend(more);
    filters
}

fn selections(of: &Sample, taught: &Taught) -> Vec<List> {
    vec![
        list(
            "selections",
            "/adult/pc/adult/selection/list",
            people_and(
                of,
                vec![
                    by("levelId", of.level),
                    by("semesterId", taught.semester),
                    by("courseId", taught.course),
                    by("openingId", taught.opening),
                    by("studentId", of.student),
                    by("source", "retake"),
                    by("status", "pending"),
                    by("status", "selected"),
                    by("nature", "elective"),
                    by("repeated", true),
                    by("failed", true),
                    (
                        "semester, status".to_owned(),
                        json!({ "semesterId": taught.semester, "status": "dropped", "siteId": of.site }),
                    ),
                ],
            ),
        ),
        list(
            "figures of selections",
            "/adult/pc/adult/selection/stat/list",
            vec![
                by("semesterId", taught.semester),
                by("courseId", taught.course),
                by("gradeId", of.grade),
                by("majorId", of.major),
                by("nature", "elective"),
                by("status", "opened"),
            ],
        ),
    ]
}

fn lessons(of: &Sample, taught: &Taught) -> Vec<List> {
    let dates = json!({ "dateFrom": "2026-03-01", "dateTo": "2026-03-31" });
    vec![
        list(
            "timetable",
            "/adult/pc/courseArrange/list",
            vec![
                by("semesterId", taught.semester),
                by("courseId", taught.met_course),
                by("openingId", taught.met_opening),
                by("teacherId", taught.teacher),
                by("classId", of.class),
                by("siteId", of.site),
                by("classroomId", taught.classroom),
                by("kind", "lecture"),
                ("dates".to_owned(), dates.clone()),
                by("status", "draft"),
            ],
        ),
        list(
            "courses to be arranged",
            "/adult/pc/courseArrange/pending/list",
            vec![
                by("semesterId", taught.semester),
                by("courseId", taught.met_course),
                by("siteId", of.site),
                by("classId", of.class),
                by("teacherId", taught.teacher),
                by("unfinished", true),
            ],
        ),
        list("blocked times", "/adult/pc/courseArrange/block/list", vec![by("kind", "teacher"), by("ahead", true)]),
        list(
            "lessons with attendance",
            "/adult/pc/offlineInstruction/attendance/session/list",
            vec![
                by("semesterId", taught.last_semester),
                by("courseId", taught.met_course),
                by("classId", of.class),
                by("teacherId", taught.teacher),
                ("dates".to_owned(), dates),
            ],
        ),
        list(
            "scores of lessons",
            "/adult/pc/offlineInstruction/list",
            people_and(
                of,
                vec![
                    by("semesterId", taught.last_semester),
                    by("courseId", taught.met_course),
                    by("openingId", taught.met_opening),
                    by("teacherId", taught.teacher),
                    by("status", "submitted"),
                ],
            ),
        ),
    ]
}

fn study(of: &Sample, taught: &Taught) -> Vec<List> {
    let progress = || {
        people_and(
            of,
            vec![
                by("semesterId", taught.semester),
                by("courseId", taught.course),
                by("openingId", taught.opening),
                by("progressTo", 10),
                ("progress 90 to 99".to_owned(), json!({ "progressFrom": 90, "progressTo": 99 })),
                ("not seen lately".to_owned(), json!({ "lastBefore": "2026-09-01T00:00:00+08:00" })),
            ],
        )
    };
    vec![
        list(
            "courses studied on the net",
            "/adult/pc/onlineTeaching/list",
            vec![
                keyword("code", &taught.course_code),
                by("semesterId", taught.semester),
                by("courseId", taught.course),
                by("gradeId", of.grade),
                by("majorId", of.major),
                by("resource", "missing"),
                by("openingStatus", "opened"),
            ],
        ),
        list("progress of study", "/adult/pc/onlineTeaching/progress/list", progress()),
        list("figures of study", "/adult/pc/onlineTeaching/progress/stat", progress()),
        list(
            "questions of students",
            "/adult/pc/onlineTeaching/qa/list",
            vec![
                by("semesterId", taught.semester),
                by("courseId", taught.course),
                by("openingId", taught.opening),
                by("classId", of.class),
                by("title", "第3讲"),
                by("answered", false),
                by("excellent", true),
                by("hidden", true),
            ],
        ),
    ]
}

fn homework(of: &Sample, taught: &Taught) -> Vec<List> {
    let course = || vec![by("semesterId", taught.semester), by("courseId", taught.course)];
    let course_and = |more: Vec<(String, Value)>| {
        let mut filters = course();
        filters.extend(more);
        filters
    };
    vec![
        list(
            "homework",
            "/exam/pc/tasks/list",
            course_and(vec![
                by("openingId", taught.opening),
                by("title", "测验"),
                by("purpose", "chapter_test"),
                by("kind", "upload"),
                by("status", "draft"),
                by("phase", "running"),
                by("createdByName", "王老师"),
            ]),
        ),
        list(
            "homework by course",
            "/exam/pc/tasks/course/list",
            course_and(vec![keyword("code", &taught.course_code), by("hasHomework", false)]),
        ),
        list(
            "homework of students",
            "/exam/pc/tasks/student/list",
            people_and(
                of,
                course_and(vec![
                    by("levelId", of.level),
                    by("homeworkId", taught.homework),
                    by("state", "in_progress"),
                    by("state", "marked"),
                    ("score 50 to 55".to_owned(), json!({ "scoreFrom": 50, "scoreTo": 55 })),
                    by("late", true),
                ]),
            ),
        ),
        list(
            "sheets to be marked",
            "/exam/pc/tasks/marking/list",
            people_and(
                of,
                course_and(vec![
                    by("tab", "pending"),
                    by("tab", "marked"),
                    by("tab", "returned"),
                    by("tab", "similar"),
                    by("homeworkId", taught.homework),
                    by("markerId", taught.teacher),
                    by("late", true),
                    by("similarityFrom", 28),
                    (
                        "handed in".to_owned(),
                        json!({ "submittedFrom": "2026-04-01T00:00:00+08:00", "submittedTo": "2026-04-08T00:00:00+08:00" }),
                    ),
                ]),
            ),
        ),
        list(
            "progress of marking",
            "/exam/pc/tasks/marking/progress/list",
            course_and(vec![by("homeworkId", taught.homework), by("teacherId", taught.teacher), by("pending", true)]),
        ),
        list(
            "answers that are alike",
            "/exam/pc/tasks/marking/similarity/list",
            vec![by("homeworkId", taught.homework), by("verdict", "confirmed"), by("percentFrom", 95)],
        ),
    ]
}

fn examinations(of: &Sample, taught: &Taught) -> Vec<List> {
    let setups = |course: i64| {
        vec![
            by("name", "会计学原理"),
            by("batchId", taught.batch),
            by("semesterId", taught.last_semester),
            by("courseId", course),
            by("classId", of.class),
            by("siteId", of.site),
            by("round", "first"),
            by("phase", "not_started"),
            by("status", "draft"),
            by("markingStatus", "transferred"),
        ]
    };
    let candidates = |course: i64, setup: i64| {
        vec![
            keyword("name", &of.student_name),
            keyword("number", &of.student_no),
            by("batchId", taught.batch),
            by("setupId", setup),
            by("courseId", course),
            by("studentId", of.student),
            by("siteId", of.site),
            by("classId", of.class),
            by("eligibility", "disqualified"),
            by("attendance", "absent"),
            by("violationLevel", "cheating"),
            by("removed", true),
        ]
    };
    vec![
        list(
            "batches of examinations",
            "/exam/pc/test/batch/list",
            vec![by("name", "2025"), by("semesterId", taught.semester), by("kind", "makeup"), by("status", "archived")],
        ),
        list("examinations on the net", "/exam/pc/online/setup/list", setups(taught.net_course)),
        list("examinations on paper", "/offline/pc/offline/setup/list", setups(taught.met_course)),
        list(
            "candidates on the net",
            "/exam/pc/online/candidate/list",
            candidates(taught.net_course, taught.online_setup),
        ),
        list(
            "candidates on paper",
            "/offline/pc/offline/candidate/list",
            candidates(taught.met_course, taught.offline_setup),
        ),
        list(
            "who sits again",
            "/offline/pc/offline/setup/makeup/candidates",
            vec![
                keyword("name", &of.student_name),
                by("originBatchId", taught.batch),
                by("semesterId", taught.last_semester),
                by("courseId", taught.met_course),
                by("kind", "absent"),
                by("siteId", of.site),
                by("classId", of.class),
                by("gradeId", of.grade),
                by("exhausted", true),
                by("arranged", true),
            ],
        )
        .saying(json!({ "batchId": taught.makeup_batch })),
        list(
            "deferrals",
            "/exam/pc/deferral/list",
            vec![
                keyword("name", &of.student_name),
                by("batchId", taught.active_batch),
                by("courseId", taught.met_course),
                by("mode", "online"),
                by("siteId", of.site),
                by("reasonType", "work"),
                by("status", "applied"),
            ],
        ),
        list(
            "violations",
            "/exam/pc/violation/list",
            vec![
                keyword("name", &of.student_name),
                by("batchId", taught.batch),
                by("mode", "offline"),
                by("siteId", of.site),
                by("level", "cheating"),
                by("clause", "Z1"),
                by("status", "reported"),
            ],
        ),
        list(
            "markers",
            "/offline/pc/offline/marker/list",
            vec![
                by("batchId", taught.batch),
                by("setupId", taught.online_setup),
                by("mode", "online"),
                by("teacherId", taught.teacher),
                by("status", "working"),
                by("overdue", true),
            ],
        ),
    ]
}

fn answers(of: &Sample, taught: &Taught) -> Vec<List> {
    let asked = |more: Vec<(String, Value)>| {
        let mut filters = vec![
            by("batchId", taught.batch),
            by("setupId", taught.online_setup),
            by("courseId", taught.net_course),
            by("siteId", of.site),
            by("classId", of.class),
            by("studentId", of.student),
        ];
        filters.extend(more);
        filters
    };
    vec![
        list(
            "attempts",
            "/exam/pc/online/attempt/list",
            asked(vec![
                keyword("name", &of.student_name),
                by("markState", "marked"),
                by("entered", false),
                by("submitKind", "forced"),
                by("riskLevel", "high"),
                by("violationLevel", "cheating"),
            ]),
        ),
        list("examination records", "/adult/pc/exam/achievement/record/list", asked(vec![by("status", "submitted")])),
        list(
            "marking of examinations",
            "/exam/pc/online/mark/list",
            vec![
                by("batchId", taught.batch),
                by("courseId", taught.net_course),
                by("teacherId", taught.teacher),
                by("markingStatus", "transferred"),
            ],
        ),
    ]
}

fn seats(of: &Sample, taught: &Taught) -> Vec<List> {
    vec![
        list("examination sites", "/offline/pc/offline/manage/point/list", Vec::new())
            .saying(json!({ "batchId": taught.batch })),
        list(
            "examination rooms",
            "/offline/pc/offline/room/list",
            vec![
                keyword("number", "101"),
                by("siteId", of.site),
                by("building", "教学楼1"),
                by("roomType", "computer"),
                by("enabled", true),
            ],
        ),
        list(
            "sessions",
            "/offline/pc/offline/session/list",
            vec![by("batchId", taught.batch), by("siteId", of.site), by("status", "finished")],
        ),
        list(
            "seats",
            "/offline/pc/offline/user/room/list",
            vec![
                by("batchId", taught.batch),
                by("sessionId", taught.session),
                by("siteId", of.site),
                by("courseId", taught.met_course),
                by("studentNo", of.student_no.as_str()),
                by("name", of.student_name.as_str()),
                by("seated", false),
            ],
        ),
        list(
            "invigilators",
            "/offline/pc/offline/invigilator/list",
            vec![by("name", "王"), by("siteId", of.site), by("kind", "external"), by("available", true)],
        ),
        list(
            "duties",
            "/offline/pc/offline/invigilator/duty/list",
            vec![
                by("batchId", taught.batch),
                by("sessionId", taught.session),
                by("siteId", of.site),
                by("short", true),
            ],
        ),
        list(
            "work of invigilators",
            "/offline/pc/offline/invigilator/workload/list",
            vec![by("batchId", taught.batch), by("siteId", of.site), by("kind", "teacher")],
        ),
        list(
            "records of rooms",
            "/offline/pc/offline/manage/list",
            vec![
                by("batchId", taught.batch),
                by("sessionId", taught.session),
                by("siteId", of.site),
                by("status", "recorded"),
            ],
        ),
    ]
}

fn scores(of: &Sample, taught: &Taught) -> Vec<List> {
    let of_last = |more: Vec<(String, Value)>| {
        let mut filters = people_and(
            of,
            vec![
                by("levelId", of.level),
                by("semesterId", taught.last_semester),
                by("courseId", taught.net_course),
                by("studentId", of.student),
            ],
        );
        filters.extend(more);
        filters
    };
    let sheets = |more: Vec<(String, Value)>| {
        let mut filters = vec![
            by("batchId", taught.batch),
            by("semesterId", taught.last_semester),
            by("siteId", of.site),
            by("gradeId", of.grade),
            by("levelId", of.level),
            by("majorId", of.major),
            by("classId", of.class),
            by("courseId", taught.net_course),
            by("teacherId", taught.teacher),
            by("overdue", true),
        ];
        filters.extend(more);
        filters
    };
    vec![
        list(
            "scores",
            "/adult/pc/adult/achievement/list",
            of_last(vec![
                by("nature", "elective"),
                by("passed", false),
                by("mark", "absent"),
                by("round", "makeup"),
                ("total 90 to 99".to_owned(), json!({ "totalFrom": 90, "totalTo": 99 })),
                by("status", "locked"),
                by("drafts", true),
            ]),
        ),
        list(
            "scores by student",
            "/adult/pc/adult/achievement/list",
            people_and(of, vec![by("levelId", of.level), by("semesterId", taught.last_semester), by("warning", true)]),
        )
        .saying(json!({ "dimension": "student" })),
        list(
            "components of scores",
            "/adult/pc/score/component/list",
            of_last(vec![by("applicability", "none"), by("source", "imported"), by("changed", true)]),
        )
        .saying(json!({ "kind": "homework" })),
        list(
            "scores of examinations",
            "/adult/pc/score/component/exam/list",
            of_last(vec![by("round", "makeup"), by("mark", "absent"), by("source", "online"), by("published", false)]),
        ),
        list(
            "sheets of scores",
            "/adult/pc/score/sheet/list",
            sheets(vec![
                by("rounds", ["makeup", "final_makeup"]),
                by("source", "offline"),
                by("status", "first_reviewed"),
                by("entered", true),
                by("sheetNo", "CJ00000123"),
            ]),
        ),
        list(
            "scores on paper",
            "/adult/pc/score/offline/list",
            sheets(vec![
                keyword("name", &of.student_name),
                by("round", "makeup"),
                by("mark", "absent"),
                ("points 90 to 99".to_owned(), json!({ "rawFrom": 90, "rawTo": 99 })),
                by("sheetStatus", "first_reviewed"),
            ]),
        ),
        list(
            "corrections of scores",
            "/adult/pc/score/correction/list",
            vec![
                keyword("name", &of.student_name),
                by("semesterId", taught.last_semester),
                by("courseId", taught.net_course),
                by("target", "exam"),
                by("reasonType", "recount"),
                by("status", "applied"),
            ],
        ),
        list("rules of scores", "/adult/pc/score/rule/list", vec![by("kind", "total"), by("enabled", true)]),
    ]
}

fn theses(of: &Sample, taught: &Taught) -> Vec<List> {
    let place = |more: Vec<(String, Value)>| {
        let mut filters = vec![
            keyword("name", &of.student_name),
            by("planId", taught.thesis_plan),
            by("levelId", of.level),
            by("majorId", of.major),
            by("siteId", of.site),
            by("adviserId", taught.adviser),
        ];
        filters.extend(more);
        filters
    };
    vec![
        list(
            "plans of theses",
            "/adult/pc/thesis/plan/list",
            vec![by("semesterId", taught.last_semester), by("status", "active")],
        ),
        list("advisers", "/adult/pc/thesis/adviser/list", vec![by("planId", taught.thesis_plan), by("name", "王")]),
        list(
            "topics",
            "/adult/pc/thesis/topic/list",
            vec![
                by("planId", taught.thesis_plan),
                by("title", "研究之12"),
                by("teacherId", taught.adviser),
                by("status", "submitted"),
                by("free", true),
            ],
        ),
        list(
            "theses",
            "/adult/pc/thesis/list",
            place(vec![
                by("stage", "draft"),
                by("stageStatus", "returned"),
                by("status", "finished"),
                by("overdue", true),
            ]),
        ),
        list(
            "groups of defence",
            "/adult/pc/thesis/defense/list",
            vec![by("planId", taught.thesis_plan), by("name", "第12"), by("status", "arranged")],
        ),
        list(
            "internships",
            "/adult/pc/practice/list",
            place(vec![
                by("semesterId", taught.last_semester),
                by("status", "submitted"),
                by("entered", false),
                by("applyWaiver", true),
            ]),
        ),
        list(
            "scores of graduation",
            "/adult/pc/graduation/score/list",
            place(vec![
                by("semesterId", taught.last_semester),
                by("status", "submitted"),
                ("thesis without a score".to_owned(), json!({ "part": "thesis", "entered": false })),
            ]),
        ),
    ]
}

fn graduates(taught: &Taught) -> Vec<List> {
    let found = |more: Vec<(String, Value)>| {
        let mut filters = vec![
            keyword("name", &taught.graduate_name),
            keyword("number", &taught.graduate_no),
            by("siteId", taught.graduate_site),
        ];
        filters.extend(more);
        filters
    };
    let of_batch = |more: Vec<(String, Value)>| {
        let mut filters = found(vec![by("batchId", taught.graduation_batch), by("majorId", taught.graduate_major)]);
        filters.extend(more);
        filters
    };
    vec![
        list(
            "batches of graduation",
            "/adult/pc/graduate/batch/list",
            vec![by("name", "2022"), by("year", 2023), by("season", "autumn"), by("status", "auditing")],
        ),
        list(
            "graduates",
            "/adult/pc/graduate/user/list",
            of_batch(vec![
                by("auditResult", "failed"),
                by("failedRule", "credits"),
                by("decision", "complete"),
                by("stale", true),
                by("status", "listed"),
                ("batch, status".to_owned(), json!({ "batchId": taught.auditing_batch, "status": "decided" })),
            ]),
        ),
        list(
            "degrees",
            "/adult/pc/degree/list",
            of_batch(vec![by("auditResult", "failed"), by("decision", "refused"), by("status", "applied")]),
        ),
        list(
            "certificates",
            "/adult/pc/certificate/list",
            of_batch(vec![
                by("kind", "degree"),
                by("status", "printed"),
                by("number", taught.certificate.as_str()),
                by("number", &taught.certificate[..14]),
            ]),
        ),
        list(
            "archives",
            "/adult/pc/archive/list",
            of_batch(vec![by("status", "collecting"), by("missing", "certificate")]),
        ),
        list(
            "rules of graduation",
            "/adult/pc/graduate/rule/list",
            vec![by("purpose", "degree"), by("ruleCode", "credits"), by("enabled", true)],
        ),
        list(
            "punishments",
            "/adult/pc/discipline/list",
            found(vec![
                by("type", "probation"),
                by("status", "released"),
                ("decided".to_owned(), json!({ "decidedFrom": "2026-01-01", "decidedTo": "2026-01-31" })),
            ]),
        ),
        list(
            "outside examinations",
            "/adult/pc/external/exam/list",
            found(vec![
                by("type", "cet4"),
                by("passed", false),
                ("dates".to_owned(), json!({ "examFrom": "2025-01-01", "examTo": "2025-01-31" })),
            ]),
        ),
    ]
}

/// The lists whose path says all.
pub fn fetched(taught: &Taught) -> Vec<Call> {
    let of_school = |what: &str, path: String| Call { what: what.to_owned(), path, body: None, whose: Whose::School };
    vec![
        of_school("plans of a semester", format!("/adult/pc/teachingPlan/bySemester?semesterId={}", taught.semester)),
        of_school("grades and majors without a plan", "/adult/pc/teachingPlan/missing".to_owned()),
        of_school("lesson times", "/adult/pc/courseArrange/period/list".to_owned()),
        of_school(
            "attendance of a lesson",
            format!("/adult/pc/offlineInstruction/attendance/list?sessionId={}", taught.lesson),
        ),
        of_school("rows of a sheet of scores", format!("/adult/pc/score/sheet/rows?sheetId={}", taught.sheet)),
        of_school("events of an attempt", format!("/exam/pc/online/attempt/events?sheetId={}", taught.attempt)),
    ]
}
