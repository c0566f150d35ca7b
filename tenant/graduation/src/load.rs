//! What the rules look at, read at once for many students.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use graduation_rules::{
    enums::{DisciplineType, ExternalExamType, RulePurpose, RuleSeverity},
    facts::{
        CourseResult, DegreeFacts, InternshipState, OutsideExam, PhotoState, PlanFacts, PlanKind, PlannedCourse,
        PlannedGroup, StudentFacts, ThesisResult,
    },
    rules::{Place, Rule, RuleSet},
};
use infra::Result;
use scores::offered::standing_of;
use sqlx::PgConnection;
use student_status::enums::StudentStatus;
use term::EntryLevel;

/// The rules of a purpose that are switched on.
///
/// # Errors
/// Those of the database.
pub(crate) async fn rules(connection: &mut PgConnection, purpose: RulePurpose) -> Result<RuleSet> {
    let rows = sqlx::query!(
        r#"select id, rule_code, grade_id, level_id, major_id, severity as "severity: RuleSeverity", waivable, params
           from graduation_rule where purpose = $1 and enabled"#,
        purpose.as_str()
    )
    .fetch_all(connection)
    .await?;
    let rules = rows.into_iter().map(|row| Rule {
        id: row.id,
        code: row.rule_code,
        grade: row.grade_id,
        level: row.level_id,
        major: row.major_id,
        severity: row.severity,
        waivable: row.waivable,
        params: row.params,
    });
    Ok(RuleSet { rules: rules.collect() })
}

/// By grade and major.
pub(crate) type Plans = HashMap<(i64, i64), PlanFacts>;

/// The plans of grades and majors.
///
/// # Errors
/// Those of the database.
pub(crate) async fn plans(connection: &mut PgConnection, places: &HashSet<(i64, i64)>) -> Result<Plans> {
    let (grades, majors): (Vec<i64>, Vec<i64>) = places.iter().copied().unzip();
    let heads = sqlx::query!(
        r#"select p.plan_id as "id!", p.grade_id as "grade!", p.major_id as "major!", (p.total_credits * 10)::bigint as "total!"
           from graduation_plan p
           join unnest($1::bigint[], $2::bigint[]) as w (grade, major) on w.grade = p.grade_id and w.major = p.major_id"#,
        &grades,
        &majors
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = heads.iter().map(|head| head.id).collect();
    let courses = sqlx::query!(
        r#"select c.plan_id, c.course_id, u.name, u.kind, c.nature, c.degree_course, c.elective_group_id
           from plan_course c join course u on u.id = c.course_id
           where c.plan_id = any($1) order by c.plan_id, c.term_no, c.sort_no, c.id"#,
        &ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let groups = sqlx::query!(
        r#"select id, plan_id, name, (min_credits * 10)::bigint as "min_credits!", min_courses
           from plan_elective_group where plan_id = any($1) order by plan_id, sort_no, id"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    let mut plans = Plans::new();
    for head in heads {
        let own = courses.iter().filter(|course| course.plan_id == head.id);
        let compulsory = own.clone().filter(|course| course.nature == "compulsory").map(|course| PlannedCourse {
            course: course.course_id,
            name: course.name.clone(),
            kind: match course.kind.as_str() {
                "internship" => PlanKind::Internship,
                "thesis" => PlanKind::Thesis,
                _ => PlanKind::Study,
            },
            degree: course.degree_course,
        });
        let groups = groups.iter().filter(|group| group.plan_id == head.id).map(|group| PlannedGroup {
            name: group.name.clone(),
            min_credits: group.min_credits,
            min_courses: group.min_courses.map(i64::from),
            courses: own
                .clone()
                .filter(|course| course.elective_group_id == Some(group.id))
                .map(|course| course.course_id)
                .collect(),
        });
        let plan = PlanFacts { total: head.total, compulsory: compulsory.collect(), groups: groups.collect() };
        plans.insert((head.grade, head.major), plan);
    }
    Ok(plans)
}

/// The published scores of students, by student and course.
async fn results(connection: &mut PgConnection, students: &[i64]) -> Result<HashMap<i64, HashMap<i64, CourseResult>>> {
    let rows = sqlx::query!(
        r#"select student_id as "student!", course_id as "course!", coalesce(passed, false) as "passed!",
                  coalesce(display_text, '') as "text!", coalesce((earned_credits * 10)::bigint, 0) as "earned!",
                  (total * 10)::bigint as "total?"
           from transcript_score where student_id = any($1)"#,
        students
    )
    .fetch_all(connection)
    .await?;
    let mut results: HashMap<i64, HashMap<i64, CourseResult>> = HashMap::new();
    for row in rows {
        let result = CourseResult { passed: row.passed, text: row.text, earned: row.earned, total: row.total };
        results.entry(row.student).or_default().insert(row.course, result);
    }
    Ok(results)
}

async fn internships(connection: &mut PgConnection, students: &[i64]) -> Result<HashMap<i64, InternshipState>> {
    let rows = sqlx::query!(
        r#"select distinct on (student_id) student_id, status, waived, (score * 10)::bigint as "score?"
           from internship where student_id = any($1)
           order by student_id, (status = 'passed') desc, score desc nulls last, id desc"#,
        students
    )
    .fetch_all(connection)
    .await?;
    let state = rows.into_iter().map(|row| {
        let state = match (row.status.as_str(), row.score) {
            ("passed", Some(score)) if score < 600 && !row.waived => InternshipState::Failed(score),
            ("passed", _) => InternshipState::Passed,
            ("draft", _) => InternshipState::Missing,
            _ => InternshipState::Waiting,
        };
        (row.student_id, state)
    });
    Ok(state.collect())
}

async fn theses(connection: &mut PgConnection, students: &[i64]) -> Result<HashMap<i64, ThesisResult>> {
    let rows = sqlx::query!(
        r#"select distinct on (g.student_id) g.student_id as "student!", (g.total * 10)::bigint as "total!",
                  coalesce(c.passed, g.total >= 60) as "passed!"
           from graduation_score g left join course_score c on c.selection_id = g.selection_id
           where g.student_id = any($1) and g.status in ('published', 'locked')
           order by g.student_id, coalesce(c.passed, g.total >= 60) desc, g.total desc, g.id desc"#,
        students
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.student, ThesisResult { total: row.total, passed: row.passed })).collect())
}

/// What of the scores of students waits.
async fn waiting(connection: &mut PgConnection, students: &[i64]) -> Result<HashMap<i64, Vec<String>>> {
    let rows = sqlx::query!(
        r#"select w.student as "student!", w.told as "told!" from (
               select c.student_id as student, '《' || u.name || '》成绩未发布' as told
               from score_sheet_row r
               join score_sheet s on s.id = r.sheet_id and s.status not in ('published', 'locked')
               join course_score c on c.id = r.course_score_id
               join course u on u.id = c.course_id
               where c.student_id = any($1) and not r.excluded
               union
               select c.student_id, '《' || u.name || '》成绩更正未处理'
               from score_correction x
               join course_score c on c.id = x.course_score_id
               join course u on u.id = c.course_id
               where c.student_id = any($1) and x.status = 'applied'
               union
               select e.student_id, '《' || u.name || '》违规未处理'
               from exam_violation v
               join exam_candidate e on e.id = v.candidate_id
               join course u on u.id = e.course_id
               where e.student_id = any($1) and v.status = 'reported') w
           order by w.student, w.told"#,
        students
    )
    .fetch_all(connection)
    .await?;
    let mut waiting: HashMap<i64, Vec<String>> = HashMap::new();
    for row in rows {
        waiting.entry(row.student).or_default().push(row.told);
    }
    Ok(waiting)
}

async fn disciplines(
    connection: &mut PgConnection,
    students: &[i64],
) -> Result<HashMap<i64, Vec<(DisciplineType, NaiveDate, bool)>>> {
    let rows = sqlx::query!(
        r#"select student_id, type as "kind: DisciplineType", decided_on, status = 'effective' as "effective!"
           from student_discipline where student_id = any($1) and status <> 'revoked' order by student_id, decided_on, id"#,
        students
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<i64, Vec<(DisciplineType, NaiveDate, bool)>> = HashMap::new();
    for row in rows {
        found.entry(row.student_id).or_default().push((row.kind, row.decided_on, row.effective));
    }
    Ok(found)
}

/// What is asked of these students for graduation, in the order of their numbers.
///
/// # Errors
/// Those of the database.
pub(crate) async fn students(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<StudentFacts>> {
    let people = sqlx::query!(
        r#"select y.id as "id!", y.status as "status!: StudentStatus", y.expected_graduation_on as "expected_on!",
                  y.max_study_end_on as "longest_on!", y.grade_id as "grade!", y.level_id as "level!", y.major_id as "major!",
                  l.entry_level as "entry!: EntryLevel", y.fee_flag = 'arrears' as "arrears!",
                  y.graduation_photo_id is not null as "has_photo!", coalesce(g.status = 'approved', false) as "approved!",
                  g.photo_check as "photo_check?", coalesce(c.chsi_pre_check in ('passed', 'not_required'), false) as "prior!"
           from student y
           join level l on l.id = y.level_id
           left join student_information g on g.student_id = y.id and g.kind = 'graduation_information'
           left join student_information c on c.student_id = y.id and c.kind = 'admission_commitment'
           where y.id = any($1) order by y.id"#,
        ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let standing = standing_of(connection, ids).await?;
    let mut results = results(connection, ids).await?;
    let internships = internships(connection, ids).await?;
    let mut theses = theses(connection, ids).await?;
    let mut disciplines = disciplines(connection, ids).await?;
    let mut waiting = waiting(connection, ids).await?;
    let facts = people.into_iter().map(|row| StudentFacts {
        student: row.id,
        place: Place { grade: row.grade, level: row.level, major: row.major },
        status: row.status,
        expected_on: row.expected_on,
        longest_on: row.longest_on,
        second_stage: row.entry == EntryLevel::AssociateToBachelor,
        earned: standing.get(&row.id).map_or(0, |standing| standing.earned),
        results: results.remove(&row.id).unwrap_or_default(),
        internship: internships.get(&row.id).copied().unwrap_or_default(),
        thesis: theses.remove(&row.id),
        arrears: row.arrears,
        disciplines: disciplines
            .remove(&row.id)
            .unwrap_or_default()
            .into_iter()
            .filter(|(_, _, effective)| *effective)
            .map(|(kind, on, _)| (kind, on))
            .collect(),
        information_approved: row.approved,
        has_photo: row.has_photo,
        photo: match row.photo_check.as_deref() {
            Some("same") => PhotoState::Same,
            Some("different") => PhotoState::Different,
            _ => PhotoState::NotCompared,
        },
        prior_diploma: row.prior,
        waiting: waiting.remove(&row.id).unwrap_or_default(),
    });
    Ok(facts.collect())
}

/// An internship that was exempted, or passed as a course, needs no report.
pub(crate) fn settled(mut student: StudentFacts, plan: Option<&PlanFacts>) -> StudentFacts {
    let mut courses =
        plan.iter().flat_map(|plan| &plan.compulsory).filter(|course| course.kind == PlanKind::Internship).peekable();
    let passed = courses.peek().is_some()
        && courses.all(|course| student.results.get(&course.course).is_some_and(|result| result.passed));
    if passed {
        student.internship = InternshipState::Passed;
    }
    student
}

/// What is asked of these students for a degree, by student.
///
/// # Errors
/// Those of the database.
pub(crate) async fn degree(
    connection: &mut PgConnection,
    applied: &[(i64, NaiveDate)],
) -> Result<HashMap<i64, DegreeFacts>> {
    let ids: Vec<i64> = applied.iter().map(|(student, _)| *student).collect();
    let on: HashMap<i64, NaiveDate> = applied.iter().copied().collect();
    let people = sqlx::query!(
        r#"select y.id as "id!", y.grade_id as "grade!", y.level_id as "level!", y.major_id as "major!",
                  l.entry_level <> 'high_school_to_associate' as "bachelor!",
                  case when y.status = 'graduated' then y.ended_on end as "graduated_on?",
                  exists (select from graduation_user g where g.student_id = y.id and g.status = 'decided'
                          and g.decision = 'graduate') as "decided!",
                  exists (select from exam_candidate c where c.student_id = y.id and c.violation_level = 'cheating')
                  or exists (select from course_score c where c.student_id = y.id and c.first_mark = 'cheating') as "cheated!"
           from student y join level l on l.id = y.level_id
           where y.id = any($1)"#,
        &ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let standing = standing_of(connection, &ids).await?;
    let results = results(connection, &ids).await?;
    let theses = theses(connection, &ids).await?;
    let mut disciplines = disciplines(connection, &ids).await?;
    let exams = sqlx::query!(
        r#"select student_id, type as "kind: ExternalExamType", (score * 10)::bigint as "score?", passed
           from external_exam_score where student_id = any($1) order by student_id, exam_date desc, id"#,
        &ids
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut outside: HashMap<i64, Vec<OutsideExam>> = HashMap::new();
    for row in exams {
        let exam = OutsideExam { kind: row.kind, score: row.score, passed: row.passed };
        outside.entry(row.student_id).or_default().push(exam);
    }
    let places = people.iter().map(|row| (row.grade, row.major)).collect();
    let degree_courses = degree_courses(connection, &places).await?;
    let mut facts = HashMap::new();
    for row in people {
        let own = results.get(&row.id);
        let courses = degree_courses.get(&(row.grade, row.major)).map(Vec::as_slice).unwrap_or_default();
        let standing = standing.get(&row.id);
        let fact = DegreeFacts {
            student: row.id,
            place: Place { grade: row.grade, level: row.level, major: row.major },
            bachelor: row.bachelor,
            graduated_on: row.graduated_on,
            graduation_decided: row.decided,
            average: standing.and_then(|standing| standing.average),
            degree_courses: courses
                .iter()
                .map(|(course, name)| {
                    let total = own.and_then(|own| own.get(course)).and_then(|result| result.total);
                    (name.clone(), total)
                })
                .collect(),
            exams: outside.remove(&row.id).unwrap_or_default(),
            thesis: theses.get(&row.id).map(|thesis| thesis.total),
            cheated: row.cheated,
            disciplines: disciplines.remove(&row.id).unwrap_or_default().into_iter().map(|(kind, _, _)| kind).collect(),
            applied_on: on.get(&row.id).copied().unwrap_or_default(),
            first_failed: standing.map_or(0, |standing| standing.first_failed),
        };
        facts.insert(row.id, fact);
    }
    Ok(facts)
}

/// The degree courses of plans, whatever their nature, by grade and major.
async fn degree_courses(
    connection: &mut PgConnection,
    places: &HashSet<(i64, i64)>,
) -> Result<HashMap<(i64, i64), Vec<(i64, String)>>> {
    let (grades, majors): (Vec<i64>, Vec<i64>) = places.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"select p.grade_id as "grade!", p.major_id as "major!", c.course_id as "course!", u.name as "name!"
           from graduation_plan p
           join unnest($1::bigint[], $2::bigint[]) as w (grade, major) on w.grade = p.grade_id and w.major = p.major_id
           join plan_course c on c.plan_id = p.plan_id and c.degree_course
           join course u on u.id = c.course_id
           order by p.grade_id, p.major_id, c.term_no, c.sort_no, c.id"#,
        &grades,
        &majors
    )
    .fetch_all(connection)
    .await?;
    let mut courses: HashMap<(i64, i64), Vec<(i64, String)>> = HashMap::new();
    for row in rows {
        courses.entry((row.grade, row.major)).or_default().push((row.course, row.name));
    }
    Ok(courses)
}
