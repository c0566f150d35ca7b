//! Every list of basic data, courses, people, recruitment and the register, with each filter that it offers. The lists of teaching and
//! examinations are in [`taught_calls`](crate::taught_calls), those of the operators' site in [`site_calls`](crate::site_calls).

use serde_json::{Value, json};

use crate::large_school::Sample;

/// Where the rows of a list lie, and who asks for it.
#[derive(Debug, Clone, Copy)]
pub enum Whose {
    School,
    /// A table of the platform, asked for inside a school.
    Platform(&'static str),
    /// A table of the platform that operators alone ask for.
    Operators(&'static str),
}

/// One call of a list.
#[derive(Debug, Clone)]
pub struct Call {
    pub what: String,
    pub path: String,
    /// None of a call whose path says all.
    pub body: Option<String>,
    pub whose: Whose,
}

impl Call {
    /// The schema of its statements, and what one of them says.
    pub fn place(&self, school: i64) -> (String, &'static str) {
        match self.whose {
            Whose::School => (format!("school_{school}"), "from "),
            Whose::Platform(table) | Whose::Operators(table) => ("platform".to_owned(), table),
        }
    }
}

/// A list that takes its filters in a body.
pub struct List {
    what: &'static str,
    path: &'static str,
    whose: Whose,
    /// What each of its calls must say.
    base: Value,
    filters: Vec<(String, Value)>,
}

impl List {
    /// The list, each of whose calls says this.
    pub fn saying(self, base: Value) -> Self {
        Self { base, ..self }
    }

    /// The list, which operators alone ask for; its statements name this table.
    pub fn of_operators(self, table: &'static str) -> Self {
        Self { whose: Whose::Operators(table), ..self }
    }

    pub fn what(&self) -> &'static str {
        self.what
    }

    pub fn first(&self) -> Call {
        self.call("first page", &json!({}))
    }

    /// The first page, the last when there are more, and each filter; `pages` as the answer tells them, if it does.
    pub fn calls(&self, pages: Option<i64>) -> Vec<Call> {
        let mut calls = match pages {
            None => vec![self.call("all", &json!({}))],
            Some(0 | 1) => vec![self.first()],
            Some(last) => vec![self.first(), self.call("last page", &json!({ "pageCurrent": last }))],
        };
        calls.extend(self.filters.iter().map(|(name, filter)| self.call(name, filter)));
        calls
    }

    fn call(&self, name: &str, filter: &Value) -> Call {
        let mut body = self.base.clone();
        if let (Value::Object(body), Value::Object(filter)) = (&mut body, filter.clone()) {
            body.extend(filter);
        }
        Call {
            what: format!("{}, {name}", self.what),
            path: self.path.to_owned(),
            body: Some(body.to_string()),
            whose: self.whose,
        }
    }
}

pub fn list(what: &'static str, path: &'static str, filters: Vec<(String, Value)>) -> List {
    List { what, path, whose: Whose::School, base: json!({}), filters }
}

pub fn by(field: &str, value: impl Into<Value>) -> (String, Value) {
    let value: Value = value.into();
    (format!("{field} {value}"), json!({ field: value }))
}

pub fn keyword(kind: &str, text: &str) -> (String, Value) {
    (format!("keyword: {kind}"), json!({ "keyword": text }))
}

/// The lists that take a body.
pub fn posted(of: &Sample) -> Vec<List> {
    let mut lists = basic_data(of);
    lists.extend(courses(of));
    lists.extend(people(of));
    lists.extend(register(of));
    lists.extend(recruitment(of));
    lists.extend(requests(of));
    lists
}

fn basic_data(of: &Sample) -> Vec<List> {
    vec![
        list(
            "grades",
            "/adult/pc/grade/list",
            vec![keyword("code", "202"), by("entrySeason", "spring"), by("enabled", true)],
        ),
        list(
            "levels",
            "/adult/pc/arrangement/list",
            vec![keyword("name", "本科"), by("entryLevel", "associate_to_bachelor"), by("enabled", true)],
        ),
        list(
            "semesters",
            "/adult/pc/semester/list",
            vec![by("year", 2026), by("season", "autumn"), by("current", true), by("closed", false)],
        ),
        list("organizations", "/adult/pc/organize/list", Vec::new()),
        list(
            "sites",
            "/adult/pc/site/list",
            vec![
                keyword("name", "教学点1"),
                by("kind", "external"),
                by("region", "420000"),
                by("organizationId", of.organization),
                by("status", "active"),
                by("filingExpired", true),
            ],
        ),
        List {
            whose: Whose::Platform("national_major"),
            ..list(
                "national majors",
                "/adult/pc/nationalMajor/list",
                vec![
                    keyword("name", "会计"),
                    by("level", "bachelor"),
                    by("disciplineCode", "08"),
                    by("year", 2026),
                    by("controlled", true),
                    by("enabled", true),
                ],
            )
        },
        list(
            "majors",
            "/adult/pc/major/list",
            vec![
                keyword("name", "专业1"),
                by("levelId", of.level),
                by("studyForm", "part_time"),
                by("organizationId", of.organization),
                by("enabled", true),
            ],
        ),
        list(
            "filings",
            "/adult/pc/forecastingMajor/list",
            vec![
                keyword("name", "专业12"),
                by("year", 2026),
                by("levelId", of.level),
                by("studyForm", "part_time"),
                by("status", "filed"),
            ],
        ),
        list(
            "classes",
            "/adult/pc/class/list",
            vec![
                keyword("name", "专业12"),
                keyword("code", &of.class_code),
                by("gradeId", of.grade),
                by("levelId", of.level),
                by("majorId", of.major),
                by("studyForm", "part_time"),
                by("siteId", of.site),
                by("managerId", of.manager),
                by("enabled", true),
            ],
        ),
        list(
            "classrooms",
            "/adult/pc/classroom/list",
            vec![keyword("number", "101"), by("siteId", of.site), by("roomType", "computer"), by("enabled", true)],
        ),
    ]
}

fn courses(of: &Sample) -> Vec<List> {
    vec![
        list("types of courses", "/adult/pc/curriculumType/list", Vec::new()),
        list(
            "courses",
            "/course/pc/collegeCurriculum/list",
            vec![
                keyword("name", "会计学"),
                keyword("code", "K01000"),
                keyword("initials", "kjxyl1"),
                by("typeId", of.curriculum_type),
                by("kind", "theory"),
                by("organizationId", of.department),
                by("examForm", "check"),
                by("source", "purchased"),
                ("credits".to_owned(), json!({ "creditsFrom": 2.5, "creditsTo": 3 })),
                by("enabled", true),
            ],
        ),
        list(
            "course records",
            "/course/pc/schoolCourse/list",
            vec![
                by("courseId", of.course),
                by("name", of.record_name.as_str()),
                by("lecturerName", of.lecturer.as_str()),
                by("source", "purchased"),
                by("status", "draft"),
            ],
        ),
        list("periods of a record", "/course/pc/schoolPeriod/list", vec![by("chapterId", of.chapter)])
            .saying(json!({ "courseRecordId": of.record })),
        list("knowledge points of a course", "/course/pc/knowledgePoint/list", Vec::new())
            .saying(json!({ "courseId": of.course })),
    ]
}

fn people(of: &Sample) -> Vec<List> {
    vec![
        list(
            "teachers",
            "/user/pc/teacher/list",
            vec![
                keyword("name", &of.teacher_name),
                keyword("number", "T01234"),
                keyword("phone", "13800001234"),
                by("organizationId", of.department),
                by("title", "professor"),
                by("kind", "external"),
                by("duty", "tutor"),
                by("status", "left"),
            ],
        ),
        list(
            "site staff",
            "/user/pc/siteStaff/list",
            vec![
                keyword("name", &of.staff_name),
                keyword("phone", "13700000123"),
                by("siteId", of.site),
                by("duty", "finance"),
                by("status", "left"),
            ],
        ),
        list(
            "class managers",
            "/user/pc/classManager/list",
            vec![
                keyword("name", &of.manager_name),
                keyword("number", "M0123"),
                by("siteId", of.site),
                by("status", "disabled"),
            ],
        ),
    ]
}

/// Whom both lists of students find by the keyword and by where they study.
fn students(of: &Sample) -> Vec<(String, Value)> {
    let surname: String = of.student_name.chars().take(1).collect();
    let given: String = of.student_name.chars().skip(1).collect();
    vec![
        keyword("number", &of.student_no),
        // Grade and all but the last two digits: a hundred numbers at the most.
        keyword("number's beginning", &of.student_no[..of.student_no.len() - 2]),
        keyword("name", &of.student_name),
        keyword("part of a name", &given),
        keyword("surname", &surname),
        keyword("initials", &of.student_initials),
        keyword("ID number", &of.id_card_no),
        keyword("phone", &of.phone),
        by("siteId", of.site),
        by("classId", of.class),
        by("gradeId", of.grade),
        by("majorId", of.major),
        by("levelId", of.level),
        by("studyForm", "part_time"),
        ("site, grade, level".to_owned(), json!({ "siteId": of.site, "gradeId": of.grade, "levelId": of.level })),
    ]
}

fn register(of: &Sample) -> Vec<List> {
    let mut register = students(of);
    register.extend([
        by("scope", "registered"),
        by("scope", "pending_registration"),
        by("status", ["suspended"]),
        by("status", ["suspended", "withdrawn", "expired"]),
        by("registerResult", "rejected"),
        by("assigned", false),
        by("photoMissing", "admission"),
        by("source", "transfer_in"),
        ("enrolled".to_owned(), json!({ "enrolledFrom": "2025-01-01", "enrolledTo": "2025-12-31" })),
        ("gradeId, not seated".to_owned(), json!({ "gradeId": of.grade, "assigned": false })),
        ("siteId, registered".to_owned(), json!({ "siteId": of.site, "scope": "registered" })),
    ]);
    let mut accounts = students(of);
    accounts.extend([
        by("accountState", "none"),
        by("accountState", "disabled"),
        by("accountState", "enabled"),
        by("accountState", "locked"),
        by("signedIn", false),
        ("last sign-in".to_owned(), json!({ "lastLoginFrom": "2026-06-01", "lastLoginTo": "2026-06-30" })),
    ]);
    vec![
        list("students", "/adult/pc/studentRoll/list", register),
        list("student accounts", "/user/pc/student/list", accounts),
    ]
}

/// Whom the lists of recruitment find by the keyword and by where they want to study.
fn applicants(of: &Sample) -> Vec<(String, Value)> {
    let given: String = of.student_name.chars().skip(1).collect();
    vec![
        keyword("name", &of.student_name),
        keyword("part of a name", &given),
        keyword("initials", &of.student_initials),
        keyword("ID number", &of.id_card_no),
        keyword("examinee number", &of.examinee_no),
        by("gradeId", of.grade),
        by("levelId", of.level),
        by("majorId", of.major),
        by("studyForm", "part_time"),
        by("siteId", of.site),
        ("created".to_owned(), json!({ "createdFrom": "2026-06-01", "createdTo": "2026-06-30" })),
    ]
}

fn recruitment(of: &Sample) -> Vec<List> {
    let with = |more: Vec<(String, Value)>| {
        let mut filters = applicants(of);
        filters.extend(more);
        filters
    };
    let deleted = |batch: i64| {
        vec![
            keyword("name", &of.student_name),
            by("batchId", batch),
            ("deleted".to_owned(), json!({ "deletedFrom": "2026-06-01", "deletedTo": "2026-06-30" })),
        ]
    };
    vec![
        list("batches of pre-registration", "/adult/pc/preRegistrationBatch/list", Vec::new()),
        list(
            "pre-registrations",
            "/adult/pc/preRegistration/list",
            with(vec![
                by("batchId", of.pre_registration_batch),
                by("status", "pending"),
                by("examStatus", "not_admitted"),
                by("reached", "reported"),
                by("source", "site_client"),
                ("batch, status".to_owned(), json!({ "batchId": of.pre_registration_batch, "status": "returned" })),
            ]),
        ),
        list("deleted pre-registrations", "/adult/pc/preRegistrationDeleted/list", deleted(of.pre_registration_batch)),
        list("batches of recruitment", "/adult/pc/enrollmentBatch/list", Vec::new()),
        list("majors of a batch", "/adult/pc/enrollmentMajor/list", vec![by("batchId", of.enrollment_batch)]),
        list(
            "plans of sites",
            "/adult/pc/siteEnrollment/list",
            vec![by("batchId", of.enrollment_batch), by("siteId", of.site), by("status", "submitted")],
        ),
        list(
            "admissions",
            "/adult/pc/admission/list",
            with(vec![
                by("batchId", of.enrollment_batch),
                by("importId", of.admission_import),
                by("matchStatus", "unmatched"),
                by("status", "assigned"),
                by("issue", "photo_missing"),
                by("hasIssue", true),
                by("assigned", false),
                ("batch, status".to_owned(), json!({ "batchId": of.enrollment_batch, "status": "imported" })),
            ]),
        ),
        list("deleted admissions", "/adult/pc/admissionDeleted/list", deleted(of.enrollment_batch)),
        list(
            "registrations",
            "/adult/pc/registration/list",
            with(vec![
                by("batchId", of.enrollment_batch),
                by("status", "pending"),
                by("feePaid", false),
                by("identityVerified", false),
                ("batch, status".to_owned(), json!({ "batchId": of.enrollment_batch, "status": "no_show" })),
            ]),
        ),
        list("deleted registrations", "/adult/pc/registrationDeleted/list", deleted(of.enrollment_batch)),
    ]
}

/// What is asked for students who study, and the register of a day.
fn requests(of: &Sample) -> Vec<List> {
    let found = |more: Vec<(String, Value)>| {
        let mut filters = vec![
            keyword("name", &of.student_name),
            keyword("number", &of.student_no),
            by("gradeId", of.grade),
            by("levelId", of.level),
            by("majorId", of.major),
            by("siteId", of.site),
            by("classId", of.class),
        ];
        filters.extend(more);
        filters
    };
    let information = |what, path, more: Vec<(String, Value)>| {
        let mut filters = found(more);
        filters.extend([
            by("studyForm", "part_time"),
            by("unassigned", true),
            by("managerId", of.manager),
            by("status", "submitted"),
            by("counted", true),
            ("grade, status".to_owned(), json!({ "gradeId": of.grade, "status": "returned" })),
        ]);
        list(what, path, filters)
    };
    vec![
        list(
            "register of a day",
            "/adult/pc/studentRoll/asOf/list",
            found(vec![by("status", ["suspended"]), by("status", ["registered"])]),
        )
        .saying(json!({ "on": "2025-06-30" })),
        list(
            "status changes",
            "/adult/pc/change/list",
            found(vec![
                by("types", ["suspension"]),
                by("status", ["pending_school"]),
                by("batchId", of.change_batch),
                by("studyForm", "part_time"),
                by("source", "site_client"),
                ("created".to_owned(), json!({ "createdFrom": "2026-06-01", "createdTo": "2026-06-30" })),
                ("effective".to_owned(), json!({ "effectiveFrom": "2026-06-01", "effectiveTo": "2026-06-30" })),
            ]),
        ),
        list(
            "corrections",
            "/adult/pc/correction/list",
            found(vec![
                by("status", "pending_school"),
                by("kind", "data_error"),
                by("source", "student_client"),
                ("created".to_owned(), json!({ "createdFrom": "2026-06-01", "createdTo": "2026-06-30" })),
            ]),
        ),
        information(
            "admission information",
            "/user/pc/admissionInformation/list",
            vec![by("mismatched", true), by("enrolPhoto", false)],
        ),
        information(
            "commitments",
            "/user/pc/admissionCommitment/list",
            vec![
                by("evidenceKind", "report"),
                by("conclusion", "qualified"),
                by("signed", false),
                by("chsiPreCheck", "to_check"),
            ],
        ),
        information(
            "graduation information",
            "/user/pc/graduationInformation/list",
            vec![by("photoCheck", "different"), by("graduationPhoto", false)],
        ),
    ]
}

/// The lists whose path says all.
pub fn fetched(of: &Sample) -> Vec<Call> {
    let call = |what: String, path: String, whose: Whose| Call { what, path, body: None, whose };
    let of_school = |what: &str, path: String| call(what.to_owned(), path, Whose::School);
    let mut calls = vec![
        of_school("chapters of a course", format!("/course/pc/schoolChapter/list?courseId={}", of.course)),
        of_school("history of a student", format!("/adult/pc/studentRoll/history?id={}", of.student)),
        of_school("roster of a class", format!("/adult/pc/class/roster?id={}", of.class)),
    ];
    for (what, query) in [
        ("first page", "pageList"),
        ("last page", "pageList?pageCurrent=3"),
        ("clientKind", "pageList?clientKind=student"),
        ("of students", "studentList"),
        ("of teachers", "teacherList"),
        ("of sites", "siteList"),
    ] {
        let path = format!("/user/pc/menu/{query}");
        calls.push(call(format!("client menus, {what}"), path, Whose::Operators("user_menu")));
    }
    for kind in [
        "grade",
        "level",
        "semester",
        "organization",
        "site",
        "classroom",
        "major",
        "class",
        "curriculumType",
        "course",
        "courseRecord",
        "chapter",
        "knowledgePoint",
        "classManager",
    ] {
        calls.push(of_school(&format!("options {kind}"), format!("/adult/pc/options/{kind}")));
    }
    for (kind, parent) in [
        ("classroom", of.site),
        ("class", of.site),
        ("course", of.curriculum_type),
        ("courseRecord", of.course),
        ("chapter", of.course),
        ("knowledgePoint", of.course),
        ("classManager", of.site),
    ] {
        let path = format!("/adult/pc/options/{kind}?parentId={parent}");
        calls.push(of_school(&format!("options {kind}, parentId"), path));
    }
    let path = "/adult/pc/options/nationalMajor".to_owned();
    calls.push(call("options nationalMajor".to_owned(), path, Whose::Platform("national_major")));
    calls
}
