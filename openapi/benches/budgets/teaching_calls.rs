//! The lists of teaching, with each filter that they offer.

use serde_json::{Value, json};

use crate::{
    large_school::TeachingSample,
    list_calls::{List, by, keyword, list},
};

/// The lists of question bank, papers, plans, openings, selection, study, homework and face-to-face scores.
pub fn posted(of: &TeachingSample) -> Vec<List> {
    let mut lists = questions(of);
    lists.extend(openings(of));
    lists.extend(learning(of));
    lists
}

fn questions(of: &TeachingSample) -> Vec<List> {
    let fields =
        |more: &[(&str, Value)]| more.iter().map(|(field, value)| by(field, value.clone())).collect::<Vec<_>>();
    let mut asked = vec![
        keyword("part of the stem", "固定资产"),
        keyword("the number in a stem", "7919"),
        ("bank, type, difficulty".to_owned(), json!({ "bankId": of.bank, "type": "essay", "difficulty": "hard" })),
        ("sorted by use".to_owned(), json!({ "sortField": "usedCount", "sortOrder": "desc" })),
    ];
    asked.extend(fields(&[
        ("bankId", of.bank.into()),
        ("courseId", of.bank_course.into()),
        ("chapterId", of.chapter.into()),
        ("knowledgePointId", of.knowledge_point.into()),
        ("type", "single_choice".into()),
        ("difficulty", "easy".into()),
        ("status", "pending_review".into()),
        ("source", "copy".into()),
        ("usedFrom", 20.into()),
        ("usedTo", 0.into()),
        ("scoreRateTo", 10.into()),
        ("discriminationTo", json!(0.2)),
        ("usableFor", "exam".into()),
        ("excludePaperId", of.paper.into()),
    ]));
    vec![
        list("questions", "/exam/pc/exam/problem/list", asked),
        list(
            "question banks",
            "/exam/pc/questionBank/list",
            vec![
                keyword("name", "会计"),
                by("courseId", of.bank_course),
                by("usage", "exam"),
                by("organizationId", of.organization),
                by("visibility", "school"),
                by("enabled", false),
            ],
        ),
        list(
            "papers",
            "/exam/pc/exam/info/list",
            vec![
                keyword("name", "试卷12"),
                by("courseId", of.bank_course),
                by("kind", "exam"),
                by("composeMode", "rule"),
                by("status", "pending_review"),
                by("latestOnly", true),
            ],
        ),
        list(
            "paper rules",
            "/exam/pc/exam/rule/list",
            vec![keyword("name", "规则12"), by("courseId", of.bank_course), by("kind", "makeup"), by("enabled", false)],
        ),
        list(
            "paper snapshots",
            "/exam/pc/exam/info/snapshot/list",
            vec![
                keyword("name", "试卷12"),
                by("courseId", of.bank_course),
                by("kind", "practice"),
                by("paperId", of.paper),
            ],
        ),
        list(
            "teaching plans",
            "/adult/pc/teachingPlan/list",
            vec![
                keyword("name", "2024"),
                by("gradeId", of.grade),
                by("levelId", of.level),
                by("majorId", of.major),
                by("organizationId", of.organization),
                by("studyForm", "part_time"),
                by("status", "draft"),
                by("latestOnly", true),
            ],
        ),
    ]
}

/// Filters of what is opened for a cohort.
fn cohort(of: &TeachingSample) -> Vec<(String, Value)> {
    vec![
        by("semesterId", of.semester),
        by("courseId", of.course),
        by("gradeId", of.grade),
        by("majorId", of.major),
        ("semester, grade".to_owned(), json!({ "semesterId": of.semester, "gradeId": of.grade })),
    ]
}

fn openings(of: &TeachingSample) -> Vec<List> {
    let with = |more: Vec<(String, Value)>| {
        let mut filters = cohort(of);
        filters.extend(more);
        filters
    };
    vec![
        list(
            "openings",
            "/adult/pc/courseOpening/list",
            with(vec![
                keyword("course", "会计学"),
                by("levelId", of.level),
                by("kind", "retake"),
                by("nature", "elective"),
                by("status", "opened"),
                by("teachingMode", "blended"),
                by("allocated", false),
                by("hasRecords", false),
            ]),
        ),
        list(
            "allocations",
            "/adult/pc/courseAllocation/list",
            with(vec![
                by("levelId", of.level),
                by("classId", of.class),
                by("siteId", of.site),
                by("teacherId", of.teacher),
                by("openingId", of.opening),
                by("allocated", false),
            ]),
        ),
        list(
            "workload of teachers",
            "/adult/pc/courseAllocation/workload/list",
            vec![keyword("number", "T012"), by("organizationId", of.organization)],
        )
        .saying(json!({ "semesterId": of.semester })),
        list(
            "credits of courses",
            "/adult/pc/courseCredit/list",
            vec![
                by("planId", of.plan),
                by("courseId", of.course),
                by("gradeId", of.grade),
                by("levelId", of.level),
                by("majorId", of.major),
                by("nature", "compulsory"),
                by("termNo", 2),
            ],
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
            "selections",
            "/adult/pc/adult/selection/list",
            with(vec![
                keyword("name", &of.student_name),
                keyword("number", &of.student_no),
                by("levelId", of.level),
                by("classId", of.class),
                by("siteId", of.site),
                by("openingId", of.opening),
                by("nature", "elective"),
                by("source", "self"),
                by("status", "pending"),
                by("failed", true),
                by("repeated", true),
            ]),
        ),
        list(
            "selections by opening",
            "/adult/pc/adult/selection/stat/list",
            with(vec![by("nature", "elective"), by("status", "opened")]),
        ),
    ]
}

fn learning(of: &TeachingSample) -> Vec<List> {
    let with = |more: Vec<(String, Value)>| {
        let mut filters = cohort(of);
        filters.extend([
            keyword("name", &of.student_name),
            keyword("number", &of.student_no),
            by("classId", of.class),
            by("siteId", of.site),
        ]);
        filters.extend(more);
        filters
    };
    let marked = |tab: &str| {
        with(vec![
            by("homeworkId", of.homework),
            by("markerId", of.teacher),
            by("questionId", of.question),
            by("late", true),
            by("similarityFrom", 60),
            ("submitted".to_owned(), json!({ "submittedFrom": "2026-10-01", "submittedTo": "2026-10-07" })),
            ("course".to_owned(), json!({ "tab": tab, "courseId": of.course })),
        ])
    };
    let to_mark = |what: &'static str, tab: &str| {
        list(what, "/exam/pc/tasks/marking/list", marked(tab)).saying(json!({ "tab": tab }))
    };
    vec![
        list("online teaching", "/adult/pc/onlineTeaching/list", {
            let mut filters = cohort(of);
            filters.extend([keyword("course", "会计学"), by("openingStatus", "opened"), by("resource", "missing")]);
            filters
        }),
        list(
            "progress of study",
            "/adult/pc/onlineTeaching/progress/list",
            with(vec![
                by("openingId", of.opening),
                by("progressFrom", 90),
                by("progressTo", 10),
                by("lastBefore", "2026-11-20"),
            ]),
        ),
        list(
            "homework",
            "/exam/pc/tasks/list",
            vec![
                by("semesterId", of.semester),
                by("courseId", of.course),
                by("openingId", of.opening),
                by("title", "会计学"),
                by("kind", "upload"),
                by("purpose", "chapter_test"),
                by("phase", "running"),
                by("status", "draft"),
                ("ends".to_owned(), json!({ "endsFrom": "2026-11-01", "endsTo": "2026-11-30" })),
            ],
        ),
        list(
            "homework by course",
            "/exam/pc/tasks/course/list",
            vec![keyword("course", "会计学"), by("courseId", of.course), by("hasHomework", false)],
        )
        .saying(json!({ "semesterId": of.semester })),
        list(
            "homework of students",
            "/exam/pc/tasks/student/list",
            with(vec![
                by("levelId", of.level),
                by("homeworkId", of.homework),
                by("state", "missed"),
                by("late", true),
                by("scoreFrom", 95),
                by("scoreTo", 20),
            ]),
        ),
        to_mark("sheets to mark", "pending"),
        to_mark("marked sheets", "marked"),
        list(
            "progress of marking",
            "/exam/pc/tasks/marking/progress/list",
            vec![
                by("semesterId", of.semester),
                by("courseId", of.course),
                by("homeworkId", of.homework),
                by("teacherId", of.teacher),
                by("pending", true),
            ],
        ),
        list(
            "similar answers",
            "/exam/pc/tasks/marking/similarity/list",
            vec![by("percentFrom", 80), by("verdict", "open")],
        )
        .saying(json!({ "homeworkId": of.homework })),
        list(
            "face-to-face scores",
            "/adult/pc/offlineInstruction/list",
            with(vec![by("openingId", of.opening), by("teacherId", of.teacher), by("status", "submitted")]),
        ),
    ]
}
