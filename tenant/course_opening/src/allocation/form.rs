//! What is typed of an allocation, and how it is written.

use course_opening_rules::allocation_sheet::{TWICE, lectures_already};
use course_selection::opening::{self, Opening};
use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, naming::is_switched_off};
use poem_openapi::{Object, types::Example};
use student_status::student::check::NOT_YOURS;
use timetable::opening::{LecturerChange, give_to};

use super::{AllocationForm, CourseAllocation, select::find};
use crate::{
    enums::{AllocationRole, OpeningKind, OpeningStatus},
    of_all_classes,
};

/// Several at once.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct AllocationsForm {
    /// 任课安排
    #[oai(validator(min_items = 1, max_items = 500))]
    pub items: Vec<AllocationForm>,
}

impl Example for AllocationsForm {
    fn example() -> Self {
        Self { items: vec![AllocationForm::example()] }
    }
}

/// Holds the openings, in the order of their ids.
pub(super) async fn hold(tx: &mut Tx, openings: &[i64]) -> Result<()> {
    opening::hold(tx, openings).await?;
    Ok(())
}

/// The openings of these allocations, held.
pub(super) async fn hold_of(tx: &mut Tx, ids: &[i64]) -> Result<()> {
    let openings = sqlx::query_scalar!("select distinct opening_id from course_allocation where id = any($1)", ids)
        .fetch_all(&mut **tx)
        .await?;
    hold(tx, &openings).await
}

/// The opening, held, when it still takes teachers.
///
/// # Errors
/// 422 at `openingId` for none; 409 when it is over, or its semester closed.
async fn going_on(tx: &mut Tx, id: i64) -> Result<Opening> {
    let held = opening::hold(tx, &[id]).await?.remove(&id);
    let opening = held.ok_or_else(|| Error::field("openingId", "所选开课不存在，请重新选择"))?;
    takes_teachers(&opening)?;
    Ok(opening)
}

/// # Errors
/// 409 for an opening that is over, or whose semester is closed.
pub(super) fn takes_teachers(opening: &Opening) -> Result<()> {
    opening.in_open_semester()?;
    match opening.status {
        OpeningStatus::Draft | OpeningStatus::Opened => Ok(()),
        OpeningStatus::Closed | OpeningStatus::Cancelled => {
            let told = format!("“{}”为{}，不能修改任课安排", opening.course_name, opening.status.zh());
            Err(Error::conflict(told))
        }
    }
}

/// Whether the caller may allocate there, and the class belongs to the opening.
///
/// # Errors
/// 403 for all classes when the caller sees some; 422 at `classId`.
async fn check_class(tx: &mut Tx, opening: &Opening, class: Option<i64>, kept: bool, scope: &Scope) -> Result<()> {
    let Some(id) = class else { return of_all_classes(tx, &[opening.id], scope).await };
    let class = sqlx::query!("select name, enabled, grade_id, major_id, site_id from class where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("classId", "所选班级不存在，请重新选择"))?;
    if !scope.sees(Some(class.site_id), Some(id)) {
        return Err(Error::field("classId", NOT_YOURS));
    }
    // Those who repeat a course, or make up for it, may come from any class.
    let own = opening.kind != OpeningKind::Plan || opening.is_for(class.grade_id, class.major_id);
    if !own && !on_roster(tx, opening.id, id).await? {
        return Err(Error::field("classId", format!("班级“{}”不属于该开课的年级和专业", class.name)));
    }
    if !class.enabled && !kept {
        return Err(Error::field("classId", is_switched_off(&class.name)));
    }
    Ok(())
}

/// Whether somebody of the class is in the opening.
async fn on_roster(tx: &mut Tx, opening: i64, class: i64) -> Result<bool> {
    let found = sqlx::query_scalar!(
        r#"select exists (select from course_selection
                          where opening_id = $1 and class_id = $2
                            and status in ('pending', 'selected', 'completed')) as "found!""#,
        opening,
        class
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok(found)
}

/// # Errors
/// 422 at `teacherId` for who is not there any more.
pub(super) async fn check_teacher(tx: &mut Tx, id: i64, field: &str) -> Result<String> {
    let teacher = sqlx::query!(r#"select name, status = 'active' as "active!" from teacher where id = $1"#, id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field(field, "所选教师不存在，请重新选择"))?;
    if teacher.active { Ok(teacher.name) } else { Err(Error::field(field, left(&teacher.name))) }
}

/// A class has one lecturer, and so have all of an opening together.
///
/// # Errors
/// 422 at `teacherId` with the name of who lectures already.
async fn check_lecturer(tx: &mut Tx, form: &AllocationForm, but: Option<i64>) -> Result<()> {
    if form.role != AllocationRole::Lecturer {
        return Ok(());
    }
    let other = sqlx::query_scalar!(
        "select t.name from course_allocation a join teacher t on t.id = a.teacher_id
         where a.opening_id = $1 and a.role = 'lecturer' and a.class_id is not distinct from $2
           and ($3::bigint is null or a.id <> $3)",
        form.opening_id,
        form.class_id,
        but
    )
    .fetch_optional(&mut **tx)
    .await?;
    other.map_or(Ok(()), |name| Err(Error::field("teacherId", lectures_already(form.class_id, &name))))
}

/// Of a teacher who is not there any more.
pub(super) fn left(name: &str) -> String {
    format!("教师“{name}”已离职或停用")
}

pub(super) async fn insert(tx: &mut Tx, form: &AllocationForm, scope: &Scope) -> Result<(i64, Change)> {
    let opening = going_on(tx, form.opening_id).await?;
    check_class(tx, &opening, form.class_id, false, scope).await?;
    check_teacher(tx, form.teacher_id, "teacherId").await?;
    check_lecturer(tx, form, None).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into course_allocation (opening_id, class_id, teacher_id, role, hours, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.opening_id,
        form.class_id,
        form.teacher_id,
        form.role.as_str(),
        form.hours,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok((id, Change::created("course_allocation", id, form)))
}

/// # Errors
/// 404 outside the scope; 403 for an allocation of all classes when the caller sees some; 409 when it is over or changed
/// meanwhile, and with all that a new lecturer has at the times of lessons ahead; 422 for what cannot be chosen.
pub(super) async fn update(
    tx: &mut Tx,
    edit: &Edit<AllocationForm>,
    with_timetable: bool,
    scope: &Scope,
) -> Result<Change> {
    let form = &edit.form;
    if with_timetable {
        // The timetable stands before the openings in the order of locks.
        timetable::hold(tx).await?;
    }
    hold_of(tx, &[edit.id]).await?;
    let before = find(tx, edit.id, scope).await?;
    if form.opening_id != before.opening_id {
        return Err(Error::field("openingId", "任课安排的开课不能更换，请另行新增"));
    }
    let opening = going_on(tx, before.opening_id).await?;
    check_class(tx, &opening, before.class_id, true, scope).await?;
    check_class(tx, &opening, form.class_id, form.class_id == before.class_id, scope).await?;
    if form.teacher_id != before.teacher_id {
        check_teacher(tx, form.teacher_id, "teacherId").await?;
    }
    check_lecturer(tx, form, Some(edit.id)).await?;
    if (form.teacher_id, form.role, form.class_id) != (before.teacher_id, before.role, before.class_id) {
        marks_nothing(tx, &before).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update course_allocation set class_id = $3, teacher_id = $4, role = $5, hours = $6, remark = $7, updated_at = now(),
                updated_by = $8, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.class_id,
        form.teacher_id,
        form.role.as_str(),
        form.hours,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("course_allocation", edit.id).await);
    }
    let lectures = before.role == AllocationRole::Lecturer && form.role == AllocationRole::Lecturer;
    if with_timetable && lectures && form.class_id == before.class_id && form.teacher_id != before.teacher_id {
        let lessons = LecturerChange {
            opening_id: before.opening_id,
            class_id: before.class_id,
            from: before.teacher_id,
            to: form.teacher_id,
        };
        let moved = give_to(tx, lessons, scope).await?;
        tx.record(&moved).await?;
    }
    let after = find(tx, edit.id, scope).await?;
    Ok(Change::edited("course_allocation", edit.id, &before, &after))
}

/// # Errors
/// 404 outside the scope; 403 for one of all classes when the caller sees some; 409 when it is over.
pub(super) async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    hold_of(tx, &[id]).await?;
    let before = find(tx, id, scope).await?;
    let opening = going_on(tx, before.opening_id).await?;
    if before.class_id.is_none() {
        of_all_classes(tx, &[opening.id], scope).await?;
    }
    marks_nothing(tx, &before).await?;
    tx.remove("course_allocation", id, &before.teacher_name).await?;
    Ok(Change::deleted("course_allocation", id, &before))
}

/// # Errors
/// 409 for a marker to whom sheets of the opening were given that are not marked yet.
async fn marks_nothing(tx: &mut Tx, allocation: &CourseAllocation) -> Result<()> {
    if allocation.role != AllocationRole::Marker {
        return Ok(());
    }
    let open = sqlx::query_scalar!(
        r#"select count(*) as "open!"
           from answer_sheet a
           join homework_student s on s.id = a.homework_student_id
           join course_selection c on c.id = s.selection_id
           where a.marker_id = $1 and a.mark_state = 'submitted' and s.state not in ('exempt', 'void') and c.opening_id = $2
             and ($3::bigint is null or c.class_id = $3)"#,
        allocation.teacher_id,
        allocation.opening_id,
        allocation.class_id
    )
    .fetch_one(&mut **tx)
    .await?;
    if open == 0 {
        Ok(())
    } else {
        Err(Error::conflict(format!("该教师还有{open}份待批答卷，请先转交")))
    }
}

pub(super) fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "course_allocation_taken" => Some(Error::field("teacherId", TWICE)),
        "course_allocation_lecturer_taken" => Some(Error::field("teacherId", "该班级已有主讲教师")),
        _ => None,
    }
}
