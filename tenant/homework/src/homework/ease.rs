//! 延期, 免做 and 督促: what a homework and single students of it are given besides (part 03 B6).

use infra::{Allowed, Body, Bulk, BulkResult, Change, Error, Reply, Result, Saved, Scope, Tx, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, types::Example};
use scenes::{Person, PersonKind, Persons, notify};
use serde_json::json;

use super::{
    ExemptHomework, ExtendHomework, Held, RemindHomework, held, locked, of_row,
    steps::{deadlines, longer},
};
use crate::{
    enums::{HomeworkStatus, HomeworkStudentState},
    marking::write::settled,
    sheet::{Sheet, Task, achievement_locked, follow, results, sheet, task},
    student::visible,
};

/// What one student is given.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentExtension {
    /// 学生作业
    pub homework_student_id: i64,
    /// 延期至
    pub extended_until: Option<Moment>,
    /// 增加次数
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub extra_attempts: Option<i32>,
}

/// How much longer a homework goes on, for all or for some.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeworkExtension {
    /// 作业
    pub id: i64,
    /// 截止时间
    /// 全部学生的新截止时间
    pub ends_at: Option<Moment>,
    /// 学生
    /// 个别延期或增加次数
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub students: Option<Vec<StudentExtension>>,
}

impl Example for HomeworkExtension {
    fn example() -> Self {
        let student = StudentExtension {
            homework_student_id: 1,
            extended_until: Some(Moment::default()),
            extra_attempts: Some(1),
        };
        Self { id: 1, ends_at: None, students: Some(vec![student]) }
    }
}

/// Who need not do a homework, and why.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HomeworkExemption {
    /// 学生作业
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub homework_student_ids: Vec<i64>,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for HomeworkExemption {
    fn example() -> Self {
        Self { homework_student_ids: vec![1], reason: "因病住院".to_owned() }
    }
}

/// Which homework.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct HomeworkReminder {
    /// 作业
    pub id: i64,
}

impl Example for HomeworkReminder {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// How many people were told.
#[derive(Debug, Clone, Object)]
pub struct HomeworkReminded {
    /// 已提醒人数
    pub told: i64,
}

pub struct Easements;

#[OpenApi(prefix_path = "/exam/pc/tasks", tag = "crate::Tag::Homework")]
impl Easements {
    /// 作业延期
    /// 全部学生延长截止时间，或给个别学生延期、增加次数
    #[oai(path = "/extend", method = "put", operation_id = "extendHomework")]
    async fn extend(
        &self,
        caller: Allowed<ExtendHomework>,
        Body(wanted): Body<HomeworkExtension>,
    ) -> Result<Reply<Saved>> {
        if wanted.ends_at.is_none() && wanted.students.is_none() {
            return Err(Error::field("endsAt", "请填写新的截止时间，或选择要延期的学生"));
        }
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let mut changes = Vec::new();
        if let Some(ends_at) = wanted.ends_at {
            let held = locked(&mut tx, wanted.id, &scope).await?;
            changes.push(for_all(&mut tx, &held, ends_at).await?);
        }
        if let Some(mut students) = wanted.students {
            students.sort_by_key(|student| student.homework_student_id);
            super::viewable(&mut tx, wanted.id, &scope).await?;
            let held = held(&mut tx, wanted.id).await?;
            held.in_open_semester()?;
            for student in &students {
                changes.extend(for_one(&mut tx, &held, student, &scope).await?);
            }
            deadlines(&mut tx, wanted.id).await?;
        }
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 作业免做
    #[oai(path = "/exempt", method = "put", operation_id = "exemptHomework")]
    async fn exempt(
        &self,
        caller: Allowed<ExemptHomework>,
        Body(wanted): Body<HomeworkExemption>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let ids = in_order(&mut tx, &wanted.homework_student_ids).await?;
        let mut bulk = of_students(tx);
        for id in ids {
            let outcome = exempt(bulk.row().await?, id, &wanted.reason, &caller.scope()).await;
            bulk.ended(id, outcome.map_err(of_row)).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 督促未交作业
    #[oai(path = "/remind", method = "post", operation_id = "remindHomework")]
    async fn remind(
        &self,
        caller: Allowed<RemindHomework>,
        Body(wanted): Body<HomeworkReminder>,
    ) -> Result<Reply<HomeworkReminded>> {
        let mut tx = caller.begin().await?;
        super::viewable(&mut tx, wanted.id, &caller.scope()).await?;
        let held = held(&mut tx, wanted.id).await?;
        if held.status != HomeworkStatus::Published {
            return Err(Error::conflict(format!("作业{}，只能督促已发布的作业", held.status.zh())));
        }
        let scope = caller.scope();
        let students = sqlx::query_scalar!(
            "select distinct c.student_id
             from homework_student s
             join course_selection c on c.id = s.selection_id
             join student y on y.id = c.student_id
             where s.homework_id = $1 and s.state in ('not_started', 'in_progress', 'returned')
               and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))
             order by c.student_id",
            wanted.id,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(&mut *tx)
        .await?;
        let told = i64::try_from(students.len()).map_err(Error::internal)?;
        tell_due(&mut tx, &held, &students, None).await?;
        tx.commit(Change::event("homework", wanted.id, "remind", json!({ "told": told }))).await?;
        Ok(reply(HomeworkReminded { told }))
    }
}

/// Tells students that a homework waits for them.
pub(crate) async fn tell_due(tx: &mut Tx, held: &Held, students: &[i64], once: Option<&str>) -> Result<()> {
    if students.is_empty() {
        return Ok(());
    }
    let persons = students.iter().map(|id| Person { kind: PersonKind::Student, id: *id }).collect();
    let until = held.late_until.unwrap_or(held.ends_at);
    let values = [
        ("course".to_owned(), held.course_name.clone()),
        ("title".to_owned(), held.title.clone()),
        ("endsAt".to_owned(), until.format("%Y-%m-%d %H:%M").to_string()),
    ];
    notify(tx, "homework_due_24h", Persons::Recipients(persons), values.into(), once).await
}

/// The rows as they are held: homework by homework. What is not there stands last.
async fn in_order(tx: &mut Tx, ids: &[i64]) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar!(
        r#"select w.id as "id!" from unnest($1::bigint[]) as w (id) left join homework_student s on s.id = w.id
           order by s.homework_id nulls last, w.id"#,
        ids
    )
    .fetch_all(&mut **tx)
    .await?)
}

/// A bulk step over rows of students. People know one by its student.
fn of_students(tx: Tx) -> Bulk {
    let table = "(select s.id, y.name from homework_student s join course_selection c on c.id = s.selection_id
                  join student y on y.id = c.student_id) work";
    Bulk::named(tx, table, "name")
}

async fn for_all(tx: &mut Tx, held: &Held, ends_at: Moment) -> Result<Change> {
    if held.status != HomeworkStatus::Published {
        return Err(Error::conflict(format!("作业{}，只有已发布的可以延期", held.status.zh())));
    }
    if ends_at <= held.ends_at || ends_at <= tx.app().clock().now() {
        return Err(Error::field("endsAt", "新的截止时间应晚于原截止时间和当前时间"));
    }
    longer(tx, held, ends_at).await?;
    let (before, after) = (held.ends_at.to_rfc3339(), ends_at.to_rfc3339());
    Ok(Change::status("homework", held.id, "endsAt", before, after))
}

/// # Errors
/// 404 outside the scope; 409 for a homework that is not given to anybody, and for who need not do it; 422 without anything, and
/// for a time that would be none longer.
async fn for_one(tx: &mut Tx, held: &Held, wanted: &StudentExtension, scope: &Scope) -> Result<Vec<Change>> {
    let id = wanted.homework_student_id;
    visible(tx, id, scope).await?;
    tx.lock("homework_student", id).await?;
    let before: Task = task(tx, id).await?;
    if before.homework_id != held.id {
        return Err(Error::not_found());
    }
    if !matches!(held.status, HomeworkStatus::Published | HomeworkStatus::Closed) {
        return Err(Error::conflict(format!("作业{}，不能延期", held.status.zh())));
    }
    if matches!(before.state, HomeworkStudentState::Exempt | HomeworkStudentState::Void) {
        return Err(Error::conflict(format!("该学生的作业为{}，不能延期", before.state.zh())));
    }
    if wanted.extended_until.is_none() && wanted.extra_attempts.is_none() {
        return Err(Error::field("students", "请填写延期时间或增加的次数"));
    }
    if wanted.extended_until.is_some_and(|until| until <= tx.app().clock().now() || until <= held.ends_at) {
        return Err(Error::field("students", "延期时间应晚于作业的截止时间和当前时间"));
    }
    let by = tx.by();
    sqlx::query!(
        "update homework_student
         set extended_until = coalesce($2::timestamptz, extended_until), extra_attempts = coalesce($3, extra_attempts),
             state = case when state = 'missed' and $2::timestamptz is not null then 'not_started' else state end,
             updated_at = now(), updated_by = $4, version = version + 1
         where id = $1",
        id,
        wanted.extended_until as _,
        wanted.extra_attempts,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({
        "extendedUntil": wanted.extended_until.map(|at| at.to_rfc3339()), "extraAttempts": wanted.extra_attempts,
    });
    let mut changes = vec![Change::event("homework_student", id, "update", what)];
    if wanted.extended_until.is_some() {
        // Who missed it may begin after all.
        results::changed(tx, held.id, Some(&[id])).await?;
        changes.extend(late_no_more(tx, id).await?);
    }
    Ok(changes)
}

/// Whoever is given longer is not late (part 03 B6), also with what was handed in before; a published score stays.
async fn late_no_more(tx: &mut Tx, id: i64) -> Result<Vec<Change>> {
    let late = sqlx::query_scalar!(
        "select id from answer_sheet where homework_student_id = $1 and late and mark_state in ('submitted', 'marked') order by id",
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    let eased = task(tx, id).await?;
    if late.is_empty() || !achievement_locked(tx, &[eased.selection_id]).await?.is_empty() {
        return Ok(Vec::new());
    }
    let mut changes = Vec::new();
    for one in late {
        tx.lock("answer_sheet", one).await?;
        let late: Sheet = sheet(tx, one).await?;
        settled(tx, &eased, &late).await?;
        changes.push(Change::status("answer_sheet", one, "late", true, false));
    }
    changes.extend(follow(tx, &eased).await?);
    Ok(changes)
}

/// # Errors
/// 404 outside the scope; 409 for who answers now, and for rows that are void.
async fn exempt(tx: &mut Tx, id: i64, reason: &str, scope: &Scope) -> Result<Change> {
    visible(tx, id, scope).await?;
    let homework = task(tx, id).await?.homework_id;
    held(tx, homework).await?.in_open_semester()?;
    tx.lock("homework_student", id).await?;
    let before = task(tx, id).await?;
    match before.state {
        HomeworkStudentState::InProgress => return Err(Error::conflict("该学生正在作答，请在提交后办理")),
        HomeworkStudentState::Exempt | HomeworkStudentState::Void => {
            return Err(Error::conflict(format!("该学生的作业为{}，不能免做", before.state.zh())));
        }
        HomeworkStudentState::NotStarted
        | HomeworkStudentState::Submitted
        | HomeworkStudentState::Marked
        | HomeworkStudentState::Returned
        | HomeworkStudentState::Missed => {}
    }
    let by = tx.by();
    sqlx::query!(
        "update homework_student set state = 'exempt', exempt_reason = $2, updated_at = now(), updated_by = $3,
                version = version + 1
         where id = $1",
        id,
        reason,
        by
    )
    .execute(&mut **tx)
    .await?;
    results::changed(tx, homework, Some(&[id])).await?;
    let to = HomeworkStudentState::Exempt.as_str();
    Ok(Change::status("homework_student", id, "state", before.state.as_str(), to).because(Some(reason)))
}
