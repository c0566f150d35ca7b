//! What is typed of a homework, and how it is written (part 03 B6).

use std::collections::BTreeSet;

use homework_rules::form::{GIVEN, HomeworkForm, HomeworkMarkerForm, HomeworkTargetForm, as_published, check, usual};
use infra::{
    Change, Edit, Error, OnConstraint, Result, Scope, Tx,
    naming::{switched_off, tidy},
    pinyin,
};
use poem_openapi::types::ToJSON;
use question_bank::{
    enums::PaperKind,
    question::stored,
    score::{is_score, points, tenths},
    text::QuestionText,
};
use serde_json::Value;
use sqlx::{PgConnection, types::Json};

use super::{Held, NOT_ALL_CLASSES, locked, steps::deadlines};
use crate::enums::{AttemptScoring, HomeworkKind, HomeworkPaperMode, HomeworkPurpose, HomeworkStatus, ShowAnswer};

/// The form with what it leaves open decided, and without what its kind does not have.
async fn resolved(connection: &mut PgConnection, mut form: HomeworkForm) -> Result<HomeworkForm> {
    form.title = tidy(&form.title);
    check(&form)?;
    if form.purpose == HomeworkPurpose::Homework {
        form.chapter_id = None;
    }
    let total = match (form.kind, form.paper_mode) {
        (HomeworkKind::Upload, _) => {
            (form.paper_mode, form.rule_id, form.paper_ids) = (None, None, Vec::new());
            tenths(form.total_score.unwrap_or_default())
        }
        (HomeworkKind::Paper, Some(HomeworkPaperMode::RandomRule)) => {
            form.paper_ids.clear();
            of_rule(connection, form.course_id, form.rule_id).await?
        }
        (HomeworkKind::Paper, _) => {
            form.rule_id = None;
            of_papers(connection, form.course_id, &form.paper_ids).await?
        }
    };
    if form.kind == HomeworkKind::Paper {
        (form.instruction, form.upload) = (None, None);
    }
    form.total_score = Some(points(total));
    let pass = form.pass_score.unwrap_or_else(|| points(total * 6 / 10));
    if !is_score(pass, 0, total) {
        return Err(Error::field("passScore", "及格分应在0到总分之间，最多一位小数"));
    }
    form.pass_score = Some(pass);
    usual(&mut form);
    if form.required_progress.is_none() {
        form.required_progress = Some(usual_progress(connection, &form.targets).await?);
    }
    Ok(form)
}

/// The highest that the openings ask of their own homework.
async fn usual_progress(connection: &mut PgConnection, targets: &[HomeworkTargetForm]) -> Result<f64> {
    let openings: Vec<i64> = targets.iter().map(|target| target.opening_id).collect();
    Ok(sqlx::query_scalar!(
        r#"select coalesce(max(required_progress), 0)::float8 as "required!" from online_teaching where id = any($1)"#,
        &openings
    )
    .fetch_one(connection)
    .await?)
}

/// The score that the papers have, in tenths.
async fn of_papers(connection: &mut PgConnection, course: i64, ids: &[i64]) -> Result<i64> {
    let wrong = |message: String| Err(Error::field("paperIds", message));
    let papers = sqlx::query!(
        r#"select name, course_id, kind as "kind: PaperKind", (total_score * 10)::bigint as "total!"
           from paper where id = any($1) order by id"#,
        ids
    )
    .fetch_all(connection)
    .await?;
    if papers.len() < ids.len() {
        return wrong("所选试卷不存在或有重复，请重新选择".to_owned());
    }
    for paper in &papers {
        if paper.course_id != course {
            return wrong(format!("试卷“{}”不是该课程的试卷", paper.name));
        }
        if !matches!(paper.kind, PaperKind::Homework | PaperKind::Practice) {
            return wrong(format!("试卷“{}”用于{}，不能用于作业", paper.name, paper.kind.zh()));
        }
    }
    let total = papers.first().map_or(0, |paper| paper.total);
    if papers.iter().any(|paper| paper.total != total) {
        return wrong("各试卷的总分应相同".to_owned());
    }
    Ok(total)
}

/// The score that a rule draws, in tenths.
async fn of_rule(connection: &mut PgConnection, course: i64, rule: Option<i64>) -> Result<i64> {
    let rule = sqlx::query!(
        r#"select name, course_id, kind as "kind: PaperKind", enabled, (total_score * 10)::bigint as "total!"
           from paper_rule where id = $1"#,
        rule
    )
    .fetch_optional(connection)
    .await?
    .ok_or_else(|| Error::field("ruleId", "所选组卷策略不存在，请重新选择"))?;
    if rule.course_id != course || !matches!(rule.kind, PaperKind::Homework | PaperKind::Practice) {
        return Err(Error::field("ruleId", format!("组卷策略“{}”不是该课程的作业策略", rule.name)));
    }
    if !rule.enabled {
        return Err(switched_off("ruleId", &rule.name));
    }
    Ok(rule.total)
}

/// Which of these classes lie within a scope that is not the whole school.
pub(super) async fn within(connection: &mut PgConnection, classes: &[i64], scope: &Scope) -> Result<BTreeSet<i64>> {
    let seen = sqlx::query_scalar!(
        "select id from class where id = any($1) and (site_id = any($2::bigint[]) or id = any($3::bigint[]))",
        classes,
        scope.sites(),
        scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(seen.into_iter().collect())
}

/// Openings that are opened or will be, of the semester and course, in the scope; teachers who are there.
async fn check_people(tx: &mut Tx, form: &HomeworkForm, before: Option<&HomeworkForm>, scope: &Scope) -> Result<()> {
    let openings: Vec<i64> = form.targets.iter().map(|target| target.opening_id).collect();
    let known = course_selection::opening::hold(tx, &openings).await?;
    for target in &form.targets {
        let opening = known
            .get(&target.opening_id)
            .filter(|opening| opening.semester_id == form.semester_id && opening.course_id == form.course_id)
            .ok_or_else(|| Error::field("targets", "所选开课不是该学期该课程的开课，请重新选择"))?;
        opening.in_open_semester()?;
        if opening.status == course_selection::enums::OpeningStatus::Cancelled {
            return Err(Error::field("targets", "所选开课已取消，请重新选择"));
        }
    }
    if !scope.is_whole() {
        let classes: Vec<i64> = form.targets.iter().filter_map(|target| target.class_id).collect();
        let seen = within(tx, &classes, scope).await?;
        if form.targets.iter().any(|target| target.class_id.is_none_or(|id| !seen.contains(&id))) {
            return Err(Error::new(403, NOT_ALL_CLASSES));
        }
    }
    let kept: BTreeSet<i64> =
        before.into_iter().flat_map(|before| &before.markers).map(|marker| marker.teacher_id).collect();
    for marker in form.markers.iter().filter(|marker| !kept.contains(&marker.teacher_id)) {
        let teacher = sqlx::query!(
            r#"select name, status = 'active' as "active!" from teacher where id = $1"#,
            marker.teacher_id
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("markers", "所选教师不存在，请重新选择"))?;
        if !teacher.active {
            return Err(Error::field("markers", format!("教师“{}”已离职或停用", teacher.name)));
        }
    }
    Ok(())
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "homework_title_taken" => Some(Error::field("title", "该课程本学期已有同名作业")),
        "homework_of_semester" => Some(Error::field("semesterId", "所选学期不存在，请重新选择")),
        "homework_of_course" => Some(Error::field("courseId", "所选课程不存在，请重新选择")),
        "homework_of_chapter" => Some(Error::field("chapterId", "所选章节不是该课程的章节，请重新选择")),
        "homework_target_of_class" => Some(Error::field("targets", "所选班级不存在，请重新选择")),
        "homework_marker_taken" => Some(Error::field("markers", "批阅教师有重复，请检查")),
        "homework_marker_of_class" => Some(Error::field("markers", "批阅班级不存在，请重新选择")),
        _ => None,
    }
}

/// Makes a homework, a draft.
///
/// # Errors
/// 403 for classes beyond the scope; 409 when the semester is closed; 422 for what cannot be chosen.
pub(crate) async fn insert(tx: &mut Tx, form: HomeworkForm, scope: &Scope) -> Result<(i64, Change)> {
    check_people(tx, &form, None, scope).await?;
    let form = resolved(tx, form).await?;
    let (by, name) = (tx.by(), tx.actor().name.clone());
    let id = sqlx::query_scalar!(
        "insert into homework (semester_id, course_id, title, purpose, chapter_id, kind, paper_mode, rule_id, instruction, upload,
             total_score, pass_score, starts_at, ends_at, late_until, late_penalty, duration_minutes, max_attempts,
             attempt_scoring, min_interval_minutes, shuffle_questions, shuffle_options, show_answer, required_progress, weight,
             similarity_threshold, mark_due_at, initials, created_by_name, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::float8::numeric, $12::float8::numeric, $13, $14, $15, $16, $17,
             $18, $19, $20, $21, $22, $23, $24::float8::numeric, $25::float8::numeric, $26, $27, $28, $29, $30, $30)
         returning id",
        form.semester_id,
        form.course_id,
        form.title,
        form.purpose.as_str(),
        form.chapter_id,
        form.kind.as_str(),
        form.paper_mode.map(HomeworkPaperMode::as_str),
        form.rule_id,
        form.instruction.as_ref().map(QuestionText::as_str),
        form.upload.as_ref().and_then(ToJSON::to_json),
        form.total_score,
        form.pass_score,
        form.starts_at as _,
        form.ends_at as _,
        form.late_until as _,
        form.late_penalty,
        form.duration_minutes,
        form.max_attempts,
        form.attempt_scoring.map(AttemptScoring::as_str),
        form.min_interval_minutes,
        form.shuffle_questions,
        form.shuffle_options,
        form.show_answer.map(ShowAnswer::as_str),
        form.required_progress,
        form.weight,
        form.similarity_threshold,
        form.mark_due_at as _,
        pinyin::text_initials(&form.title),
        name,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    parts(tx, id, &form).await?;
    Ok((id, Change::created("homework", id, &form)))
}

/// Targets, markers and papers of a homework.
async fn parts(tx: &mut Tx, id: i64, form: &HomeworkForm) -> Result<()> {
    sqlx::query!("delete from homework_target where homework_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_marker where homework_id = $1", id).execute(&mut **tx).await?;
    sqlx::query!("delete from homework_paper where homework_id = $1", id).execute(&mut **tx).await?;
    let openings: Vec<i64> = form.targets.iter().map(|target| target.opening_id).collect();
    let classes: Vec<Option<i64>> = form.targets.iter().map(|target| target.class_id).collect();
    sqlx::query!(
        "insert into homework_target (homework_id, semester_id, course_id, opening_id, class_id)
         select $1, $2, $3, t.opening, t.class from unnest($4::bigint[], $5::bigint[]) as t (opening, class)",
        id,
        form.semester_id,
        form.course_id,
        &openings,
        &classes as &[Option<i64>]
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    for marker in &form.markers {
        sqlx::query!(
            "insert into homework_marker (homework_id, teacher_id, class_id, question_seqs, quota) values ($1, $2, $3, $4, $5)",
            id,
            marker.teacher_id,
            marker.class_id,
            &marker.question_seqs,
            marker.quota
        )
        .execute(&mut **tx)
        .await
        .on_constraint(explain)?;
    }
    sqlx::query!(
        "insert into homework_paper (homework_id, paper_id, sort_no)
         select $1, p.id, p.place::integer from unnest($2::bigint[]) with ordinality as p (id, place)",
        id,
        &form.paper_ids
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// A homework as it was typed.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn form_of(connection: &mut PgConnection, id: i64) -> Result<HomeworkForm> {
    let row = sqlx::query!(
        r#"select semester_id, course_id, title, purpose as "purpose: HomeworkPurpose", chapter_id,
                  kind as "kind: HomeworkKind", paper_mode as "paper_mode: HomeworkPaperMode", rule_id,
                  instruction as "instruction: QuestionText", upload as "upload: Json<Value>",
                  total_score::float8 as "total!", pass_score::float8 as "pass!", starts_at, ends_at, late_until, late_penalty,
                  duration_minutes, max_attempts, attempt_scoring as "attempt_scoring: AttemptScoring", min_interval_minutes,
                  shuffle_questions, shuffle_options, show_answer as "show_answer: ShowAnswer",
                  required_progress::float8 as "progress!", weight::float8 as "weight!", similarity_threshold, mark_due_at
           from homework where id = $1"#,
        id
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let mut targets = sqlx::query_as!(
        HomeworkTargetForm,
        "select opening_id, class_id from homework_target where homework_id = $1 order by id",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut markers = sqlx::query_as!(
        HomeworkMarkerForm,
        "select teacher_id, class_id, question_seqs, quota from homework_marker where homework_id = $1 order by id",
        id
    )
    .fetch_all(&mut *connection)
    .await?;
    let paper_ids =
        sqlx::query_scalar!("select paper_id from homework_paper where homework_id = $1 order by sort_no", id)
            .fetch_all(connection)
            .await?;
    targets.sort();
    markers.sort();
    Ok(HomeworkForm {
        semester_id: row.semester_id,
        course_id: row.course_id,
        title: row.title,
        purpose: row.purpose,
        chapter_id: row.chapter_id,
        kind: row.kind,
        paper_mode: row.paper_mode,
        paper_ids,
        rule_id: row.rule_id,
        instruction: row.instruction,
        upload: row.upload.map(|upload| stored(upload.0)).transpose()?,
        total_score: Some(row.total),
        pass_score: Some(row.pass),
        starts_at: row.starts_at,
        ends_at: row.ends_at,
        late_until: row.late_until,
        late_penalty: row.late_penalty,
        duration_minutes: row.duration_minutes,
        max_attempts: Some(row.max_attempts),
        attempt_scoring: Some(row.attempt_scoring),
        min_interval_minutes: row.min_interval_minutes,
        shuffle_questions: row.shuffle_questions,
        shuffle_options: row.shuffle_options,
        show_answer: Some(row.show_answer),
        required_progress: Some(row.progress),
        weight: Some(row.weight),
        similarity_threshold: row.similarity_threshold,
        mark_due_at: row.mark_due_at,
        targets,
        markers,
    })
}

/// # Errors
/// 404 outside the scope; 403 for classes beyond it; 409 when it changed meanwhile and, once it was published, for what does not
/// change any more: of what is closed the times neither; 422 for what cannot be chosen.
pub(crate) async fn update(tx: &mut Tx, edit: Edit<HomeworkForm>, scope: &Scope) -> Result<Change> {
    let held = locked(tx, edit.id, scope).await?;
    held.as_read(tx, edit.version).await?;
    let before = form_of(tx, edit.id).await?;
    let mut wanted = edit.form;
    if held.status == HomeworkStatus::Closed
        && (wanted.ends_at, wanted.late_until) != (before.ends_at, before.late_until)
    {
        return Err(Error::conflict("作业已截止，请先重新开放再修改时间"));
    }
    if !held.status.is_open_to_edits() {
        // What its papers come to was decided when they were frozen.
        if wanted.total_score.is_some_and(|total| Some(total) != before.total_score) {
            return Err(Error::conflict(GIVEN));
        }
        (wanted.total_score, wanted.pass_score) = (before.total_score, wanted.pass_score.or(before.pass_score));
        wanted.required_progress = wanted.required_progress.or(before.required_progress);
        usual(&mut wanted);
        wanted.title = tidy(&wanted.title);
        check(&wanted)?;
        as_published(&before, &wanted)?;
        check_people(tx, &wanted, Some(&before), scope).await?;
    } else {
        check_people(tx, &wanted, Some(&before), scope).await?;
        wanted = resolved(tx, wanted).await?;
    }
    write(tx, &held, &wanted).await?;
    Ok(Change::edited("homework", edit.id, &before, &wanted))
}

/// Writes a homework as it is wanted; it is held.
pub(crate) async fn write(tx: &mut Tx, held: &Held, form: &HomeworkForm) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update homework
         set semester_id = $2, course_id = $3, title = $4, purpose = $5, chapter_id = $6, kind = $7, paper_mode = $8,
             rule_id = $9, instruction = $10, upload = $11, total_score = $12::float8::numeric,
             pass_score = $13::float8::numeric, starts_at = $14, ends_at = $15, late_until = $16, late_penalty = $17,
             duration_minutes = $18, max_attempts = $19, attempt_scoring = $20, min_interval_minutes = $21,
             shuffle_questions = $22, shuffle_options = $23, show_answer = $24, required_progress = $25::float8::numeric,
             weight = $26::float8::numeric, similarity_threshold = $27, mark_due_at = $28, initials = $29,
             updated_at = now(), updated_by = $30, version = version + 1
         where id = $1",
        held.id,
        form.semester_id,
        form.course_id,
        form.title,
        form.purpose.as_str(),
        form.chapter_id,
        form.kind.as_str(),
        form.paper_mode.map(HomeworkPaperMode::as_str),
        form.rule_id,
        form.instruction.as_ref().map(QuestionText::as_str),
        form.upload.as_ref().and_then(ToJSON::to_json),
        form.total_score,
        form.pass_score,
        form.starts_at as _,
        form.ends_at as _,
        form.late_until as _,
        form.late_penalty,
        form.duration_minutes,
        form.max_attempts,
        form.attempt_scoring.map(AttemptScoring::as_str),
        form.min_interval_minutes,
        form.shuffle_questions,
        form.shuffle_options,
        form.show_answer.map(ShowAnswer::as_str),
        form.required_progress,
        form.weight,
        form.similarity_threshold,
        form.mark_due_at as _,
        pinyin::text_initials(&form.title),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    parts(tx, held.id, form).await?;
    deadlines(tx, held.id).await
}
