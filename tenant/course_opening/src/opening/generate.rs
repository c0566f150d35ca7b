//! 按计划生成开课: every course that an effective plan has in the semester becomes a draft, once, however often it is asked for
//! (part 03 B2).
//!
//! ```text
//! grades in one of their terms ─→ effective plan of each major ─→ its courses of that term ─→ created │ existing │ skipped, why
//! ```
//! Who generates holds the semester and the plans: two who do it at once wait for each other, and the second finds what the first
//! made; no other version comes into effect meanwhile.

use std::collections::{HashMap, HashSet};

use course_opening_rules::generation::{
    Cohort, GeneratedOpenings, GeneratedPlan, GenerationSkip, Plan, PlanCourse, Stands,
};
use infra::{
    Allowed, Body, Change, Error, Reply, Result, Scope, Tx,
    access::Permission,
    across::Keyed,
    jobs::{self, JobKind, JobRun, NewJob, Outcome},
    reply,
};
use poem_openapi::{
    Object, OpenApi,
    types::{Example, ParseFromJSON, ToJSON},
};
use serde_json::json;
use sqlx::PgConnection;

use teaching_plan::effective;

use super::{CourseOpening, GenerateOpenings, Openings};
use crate::{
    enums::{GenerationReason, OpeningStatus},
    of_whole_school,
};

pub(super) const JOB: JobKind = JobKind {
    kind: "course_opening.generate",
    code: Some(GenerateOpenings::CODE),
    run: |run| Box::pin(work(run)),
    headings: None,
};

/// More are written by a job.
const DIRECT: usize = 500;

/// What is generated.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OpeningGeneration {
    /// 学期
    pub semester_id: i64,
    /// 年级
    /// 不填为全部启用的年级
    #[oai(validator(min_items = 1, max_items = 200))]
    pub grade_ids: Option<Vec<i64>>,
    /// 专业
    /// 不填为全部专业
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub major_ids: Option<Vec<i64>>,
    /// 仅检查
    #[oai(default)]
    pub dry_run: bool,
}

impl Example for OpeningGeneration {
    fn example() -> Self {
        Self { semester_id: 1, grade_ids: None, major_ids: None, dry_run: true }
    }
}

pub struct Generation;

#[OpenApi(prefix_path = "/adult/pc/courseOpening", tag = "crate::Tag::CourseOpening")]
impl Generation {
    /// 按计划生成开课
    #[oai(path = "/generate", method = "post", operation_id = "generateOpenings")]
    async fn generate(
        &self,
        caller: Allowed<GenerateOpenings>,
        Body(wanted): Body<OpeningGeneration>,
    ) -> Result<Reply<GeneratedOpenings>> {
        of_whole_school(&caller.scope())?;
        let wish = Wish::of(&wanted);
        let mut tx = caller.begin_long().await?;
        if !wanted.dry_run {
            hold(&mut tx, &wish).await?;
        }
        let plan = look(&mut tx, &wish).await?;
        if wanted.dry_run {
            return Ok(reply(plan.told()));
        }
        if plan.new.len() > DIRECT {
            drop(tx);
            let job = NewJob {
                kind: JOB.kind,
                target: wanted.semester_id.to_string(),
                title: format!("生成开课（{}个）", plan.new.len()),
                params: json!({ "wanted": wanted.to_json() }),
            };
            let job_id = Some(jobs::start(caller.caller(), job).await?);
            return Ok(reply(GeneratedOpenings { job_id, ..plan.told() }));
        }
        let changes = write(&mut tx, &wish, &plan).await?;
        if !changes.is_empty() {
            tx.commit_all(changes).await?;
        }
        Ok(reply(plan.told()))
    }
}

/// The same as a job, looked at anew.
async fn work(run: JobRun) -> Result<Outcome> {
    of_whole_school(&run.scope(GenerateOpenings::CODE).await?)?;
    let wanted = OpeningGeneration::parse_from_json(Some(run.params["wanted"].clone()))
        .map_err(|error| Error::internal(error.into_message()))?;
    let mut tx = run.begin().await?;
    let (told, changes) = generate(&mut tx, &Wish::of(&wanted)).await?;
    run.progress("生成开课", told.created, told.created).await?;
    let message = format!("新增{}个，已有{}个，未生成{}个", told.created, told.existing, told.skipped);
    let outcome = Outcome { message, ..Outcome::default() };
    run.mark_done(&mut tx, &outcome).await?;
    tx.commit_all(changes).await?;
    Ok(outcome)
}

/// For what is generated.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub semester_id: i64,
    pub grade_ids: Option<Vec<i64>>,
    pub major_ids: Option<Vec<i64>>,
}

impl Wish {
    fn of(wanted: &OpeningGeneration) -> Self {
        Self {
            semester_id: wanted.semester_id,
            grade_ids: wanted.grade_ids.clone(),
            major_ids: wanted.major_ids.clone(),
        }
    }
}

/// Generates, and tells how it went.
///
/// # Errors
/// 404 for no semester, 409 when it is closed.
pub(crate) async fn generate(tx: &mut Tx, wish: &Wish) -> Result<(GeneratedOpenings, Vec<Change>)> {
    hold(tx, wish).await?;
    let plan = look(tx, wish).await?;
    let changes = write(tx, wish, &plan).await?;
    Ok((plan.told(), changes))
}

/// Holds the semester, then the plans in effect of the grades and majors.
///
/// # Errors
/// 409 when a version came into effect meanwhile, or somebody else holds one for too long.
async fn hold(tx: &mut Tx, wish: &Wish) -> Result<()> {
    sqlx::query_scalar!("select id from semester where id = $1 for no key update", wish.semester_id)
        .fetch_optional(&mut **tx)
        .await?;
    let plans = in_effect(tx, wish).await?;
    let held = effective::hold(tx, &plans).await?;
    // What came into effect while those were waited for is not held, and could be replaced before its openings are written.
    if in_effect(tx, wish).await?.iter().any(|plan| !held.contains(plan)) {
        return Err(Error::conflict("教学计划刚有新版本生效，请重新生成"));
    }
    Ok(())
}

async fn in_effect(connection: &mut PgConnection, wish: &Wish) -> sqlx::Result<Vec<i64>> {
    sqlx::query_scalar!(
        "select id from teaching_plan
         where status = 'effective' and ($1::bigint[] is null or grade_id = any($1))
           and ($2::bigint[] is null or major_id = any($2))",
        wish.grade_ids.as_deref(),
        wish.major_ids.as_deref()
    )
    .fetch_all(connection)
    .await
}

async fn look(connection: &mut PgConnection, wish: &Wish) -> Result<Plan> {
    let semester = sqlx::query!(
        r#"select name, closed_at is not null as "closed!", year * 2 + case season when 'autumn' then 1 else 0 end as "ordinal!"
           from semester where id = $1"#,
        wish.semester_id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(|| Error::field("semesterId", "所选学期不存在，请重新选择"))?;
    if semester.closed {
        return Err(Error::conflict(format!("学期“{}”已关闭，不能修改", semester.name)));
    }
    let cohorts = cohorts(connection, wish, semester.ordinal).await?;
    let courses = courses(connection, &cohorts).await?;
    let stands = standing(connection, wish.semester_id).await?;
    let mut plan = Plan::default();
    for cohort in &cohorts {
        let own = cohort.plan_id.and_then(|id| courses.get(&id)).map_or(&[] as &[PlanCourse], Vec::as_slice);
        plan.add(cohort, own, &stands);
    }
    let with_cohorts: HashSet<i64> = cohorts.iter().map(|cohort| cohort.grade_id).collect();
    for grade in grades(connection, wish, semester.ordinal).await? {
        if !with_cohorts.contains(&grade.grade_id) {
            plan.plans.push(grade);
        }
    }
    Ok(plan)
}

/// Majors of the grades that are in one of their terms: those with a plan in effect, and those with students or classes.
async fn cohorts(connection: &mut PgConnection, wish: &Wish, ordinal: i32) -> Result<Vec<Cohort>> {
    Ok(sqlx::query_as!(
        Cohort,
        r#"select g.id as grade_id, g.name as grade_name, m.id as major_id, m.name as major_name, t.term_no as "term_no!",
                  p.id as "plan_id?", p.name as "plan_name?", n.students as "students!", n.expected as "expected!"
           from (select grade_id, major_id from teaching_plan where status = 'effective'
                 union
                 select grade_id, major_id from student where status in ('registered', 'pending_registration')
                 union
                 select grade_id, major_id from class where enabled) c
           join grade g on g.id = c.grade_id and g.enabled
           join major m on m.id = c.major_id
           join level l on l.id = m.level_id
           cross join lateral (
               select $2::integer - (g.entry_year * 2 + case g.entry_season when 'autumn' then 1 else 0 end) + 1 as term_no) t
           left join teaching_plan p on p.grade_id = c.grade_id and p.major_id = c.major_id and p.status = 'effective'
           cross join lateral (
               select count(*) filter (where s.active) as students,
                      count(*) filter (where s.status in ('registered', 'pending_registration')) as expected
               from student s
               where s.grade_id = c.grade_id and s.level_id = m.level_id and s.major_id = c.major_id) n
           where t.term_no between 1 and (l.schooling_years * 2)::integer
             and ($1::bigint[] is null or g.id = any($1))
             and ($3::bigint[] is null or m.id = any($3))
           order by g.sort_no, g.code, m.sort_no, m.code"#,
        wish.grade_ids.as_deref(),
        ordinal,
        wish.major_ids.as_deref()
    )
    .fetch_all(connection)
    .await?)
}

/// Grades in one of the terms of the longest level, each as one without any plan.
async fn grades(connection: &mut PgConnection, wish: &Wish, ordinal: i32) -> Result<Vec<GeneratedPlan>> {
    if wish.major_ids.is_some() {
        return Ok(Vec::new());
    }
    let rows = sqlx::query!(
        r#"select g.id, g.name, t.term_no as "term_no!"
           from grade g
           cross join lateral (
               select $2::integer - (g.entry_year * 2 + case g.entry_season when 'autumn' then 1 else 0 end) + 1 as term_no) t
           where g.enabled and ($1::bigint[] is null or g.id = any($1))
             and t.term_no between 1 and (select coalesce(max((l.schooling_years * 2)::integer), 0) from level l where l.enabled)
           order by g.sort_no, g.code"#,
        wish.grade_ids.as_deref(),
        ordinal
    )
    .fetch_all(connection)
    .await?;
    let none = GenerationSkip { reason: GenerationReason::NoEffectivePlan, count: 0, courses: Vec::new() };
    let plan = |id, name, term_no| GeneratedPlan {
        plan_id: None,
        plan_name: None,
        grade_id: id,
        grade_name: name,
        major_id: None,
        major_name: None,
        term_no,
        students: 0,
        created: 0,
        existing: 0,
        skipped: 0,
        skips: vec![none.clone()],
    };
    Ok(rows.into_iter().map(|row| plan(row.id, row.name, row.term_no)).collect())
}

/// The courses of the plans in the term of their cohort, by plan.
async fn courses(connection: &mut PgConnection, cohorts: &[Cohort]) -> Result<HashMap<i64, Vec<PlanCourse>>> {
    let (plans, terms): (Vec<i64>, Vec<i32>) =
        cohorts.iter().filter_map(|cohort| Some((cohort.plan_id?, cohort.term_no))).unzip();
    let rows = sqlx::query!(
        "select x.id, x.plan_id, x.course_id, u.name, u.enabled
         from unnest($1::bigint[], $2::integer[]) as w (plan, term)
         join plan_course x on x.plan_id = w.plan and x.term_no = w.term
         join course u on u.id = x.course_id
         order by x.plan_id, x.sort_no, u.code",
        &plans,
        &terms
    )
    .fetch_all(connection)
    .await?;
    let mut courses: HashMap<i64, Vec<PlanCourse>> = HashMap::new();
    for row in rows {
        let course = PlanCourse { id: row.id, course_id: row.course_id, name: row.name, enabled: row.enabled };
        courses.entry(row.plan_id).or_default().push(course);
    }
    Ok(courses)
}

/// The openings by plan of a semester that are not cancelled, by course, grade and major.
async fn standing(connection: &mut PgConnection, semester: i64) -> Result<HashMap<(i64, i64, i64), Stands>> {
    let rows = sqlx::query!(
        r#"select o.id, o.course_id, o.grade_id as "grade_id!", o.major_id as "major_id!",
                  o.status as "status: OpeningStatus", u.name as course_name
           from course_opening o join course u on u.id = o.course_id
           where o.semester_id = $1 and o.kind = 'plan' and o.status <> 'cancelled'"#,
        semester
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let stands = Stands { id: row.id, status: row.status, course_name: row.course_name };
            ((row.course_id, row.grade_id, row.major_id), stands)
        })
        .collect())
}

async fn write(tx: &mut Tx, wish: &Wish, plan: &Plan) -> Result<Vec<Change>> {
    let by = tx.by();
    let made = sqlx::query!(
        "insert into course_opening (semester_id, kind, plan_course_id, course_id, grade_id, level_id, major_id, term_no, type_id,
             nature, elective_group_id, credits, hours, lecture_hours, online_hours, practice_hours, self_study_hours, exam_form,
             assess_mode, teaching_mode, created_by, updated_by)
         select $1, 'plan', x.id, x.course_id, p.grade_id, p.level_id, p.major_id, x.term_no, x.type_id, x.nature,
                x.elective_group_id, x.credits, x.hours, x.lecture_hours, x.online_hours, x.practice_hours, x.self_study_hours,
                x.exam_form, x.assess_mode,
                case when x.lecture_hours + x.practice_hours = 0 then 'online' when x.online_hours = 0 then 'offline'
                     else 'blended' end, $3, $3
         from plan_course x join teaching_plan p on p.id = x.plan_id
         where x.id = any($2)
         order by p.id, x.sort_no, x.id
         on conflict do nothing
         returning id, plan_course_id, course_id",
        wish.semester_id,
        &plan.new,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let made = made.into_iter().map(|row| {
        let what = json!({
            "semesterId": wish.semester_id, "planCourseId": row.plan_course_id, "courseId": row.course_id,
            "status": OpeningStatus::Draft.as_str(),
        });
        Change::event("course_opening", row.id, "insert", what)
    });
    let mut changes: Vec<Change> = made.collect();
    changes.extend(refresh(tx, &plan.refreshed).await?);
    Ok(changes)
}

/// Drafts take over what the plan in effect says; what is as it says already stays untouched.
async fn refresh(tx: &mut Tx, drafts: &[(i64, i64)]) -> Result<Vec<Change>> {
    if drafts.is_empty() {
        return Ok(Vec::new());
    }
    let by = tx.by();
    let (ids, courses): (Vec<i64>, Vec<i64>) = drafts.iter().copied().unzip();
    let before = shown(tx, &ids).await?;
    let changed = sqlx::query_scalar!(
        r#"update course_opening o
         set plan_course_id = x.id, term_no = x.term_no, type_id = x.type_id, nature = x.nature,
             elective_group_id = x.elective_group_id, credits = x.credits, hours = x.hours, lecture_hours = x.lecture_hours,
             online_hours = x.online_hours, practice_hours = x.practice_hours, self_study_hours = x.self_study_hours,
             exam_form = x.exam_form, assess_mode = x.assess_mode, updated_at = now(), updated_by = $3, version = o.version + 1
         from unnest($1::bigint[], $2::bigint[]) as w (opening, course)
         join plan_course x on x.id = w.course
         where o.id = w.opening and o.status = 'draft'
           and (o.plan_course_id, o.term_no, o.type_id, o.nature, o.elective_group_id, o.credits, o.hours, o.lecture_hours,
                o.online_hours, o.practice_hours, o.self_study_hours, o.exam_form, o.assess_mode)
               is distinct from
               (x.id, x.term_no, x.type_id, x.nature, x.elective_group_id, x.credits, x.hours, x.lecture_hours,
                x.online_hours, x.practice_hours, x.self_study_hours, x.exam_form, x.assess_mode)
         returning o.id"#,
        &ids,
        &courses,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let after: HashMap<i64, CourseOpening> = shown(tx, &changed).await?;
    let change = |id: &i64| Some(Change::edited("course_opening", *id, before.get(id)?, after.get(id)?));
    Ok(changed.iter().filter_map(change).collect())
}

async fn shown(tx: &mut Tx, ids: &[i64]) -> Result<HashMap<i64, CourseOpening>> {
    let rows = <Openings as Keyed>::rows(tx, ids, &Scope::whole_school()).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
