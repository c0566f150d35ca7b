//! What of the library of courses another school may take over: all but the college, the syllabus and the cover, which are a
//! school's own; and no material.

use std::collections::{HashMap, HashSet};

use futures_util::TryStreamExt;
use infra::{
    Change, Error, Result, Tx,
    access::Permission,
    body,
    foundation::{Foundation, Piece},
};
use poem_openapi::types::ToJSON;
use serde_json::{Value, json};
use sqlx::PgConnection;

use super::{
    Course, CourseFilter, CourseForm, ListCourses, SaveCourse,
    form::{insert, prepare},
    prerequisites, select,
};
use crate::curriculum_type;

pub(super) const FOUNDATION: Foundation = Foundation {
    kind: "course",
    name: "课程库",
    needs: &["curriculumType"],
    reads: ListCourses::CODE,
    adds: SaveCourse::CODE,
    all: |_, connection| Box::pin(all(connection)),
    add: |tx, _, piece| Box::pin(add(tx, piece)),
};

async fn all(connection: &mut PgConnection) -> Result<Vec<Piece>> {
    let types: HashMap<i64, String> = sqlx::query!("select id, code from curriculum_type")
        .fetch_all(&mut *connection)
        .await?
        .into_iter()
        .map(|row| (row.id, row.code))
        .collect();
    let courses: Vec<Course> = select(connection, None, &CourseFilter::default(), None).try_collect().await?;
    let codes: HashMap<i64, String> = courses.iter().map(|course| (course.id, course.code.clone())).collect();
    Ok(earlier_first(courses).into_iter().map(|course| piece(course, &types, &codes)).collect())
}

/// Each behind those that must be passed before it.
fn earlier_first(courses: Vec<Course>) -> Vec<Course> {
    let mut ordered = Vec::with_capacity(courses.len());
    let mut placed = HashSet::new();
    let mut left = courses;
    while !left.is_empty() {
        let before = left.len();
        let (ready, rest): (Vec<Course>, Vec<Course>) =
            left.into_iter().partition(|course| course.prerequisite_ids.iter().all(|earlier| placed.contains(earlier)));
        placed.extend(ready.iter().map(|course| course.id));
        ordered.extend(ready);
        if rest.len() == before {
            // There are no circles; should there be one, it is told when its courses are added.
            ordered.extend(rest);
            break;
        }
        left = rest;
    }
    ordered
}

fn piece(course: Course, types: &HashMap<i64, String>, codes: &HashMap<i64, String>) -> Piece {
    let earlier: Vec<&String> = course.prerequisite_ids.iter().filter_map(|id| codes.get(id)).collect();
    let refers = json!({
        "typeCode": types.get(&course.type_id),
        "typeName": course.type_name,
        "prerequisiteCodes": earlier,
    });
    let form = CourseForm {
        code: course.code.clone(),
        name: course.name.clone(),
        english_name: course.english_name,
        type_id: 0,
        kind: Some(course.kind),
        organization_id: None,
        credits: course.credits,
        hours: Some(course.hours),
        lecture_hours: course.lecture_hours,
        online_hours: course.online_hours,
        practice_hours: course.practice_hours,
        self_study_hours: course.self_study_hours,
        exam_form: Some(course.exam_form),
        assess_mode: course.assess_mode,
        degree_course: course.degree_course,
        prerequisite_ids: Vec::new(),
        textbook: course.textbook,
        introduction: course.introduction,
        syllabus_key: None,
        cover_url: None,
        source: Some(course.source),
        sort_no: course.sort_no,
    };
    let form = form.to_json().unwrap_or_default();
    Piece { key: course.code, name: course.name, in_use: course.enabled, form, refers }
}

/// # Errors
/// 409 when the school does not have the type, or a course that must be passed before.
async fn add(tx: &mut Tx, piece: Piece) -> Result<Change> {
    let mut form = piece.form;
    let code = piece.refers["typeCode"].as_str().unwrap_or_default();
    let types = curriculum_type::all(tx).await?;
    let of_type = types.iter().find(|(other, _)| other.eq_ignore_ascii_case(code));
    let (_, of_type) = of_type.ok_or_else(|| {
        let name = piece.refers["typeName"].as_str().unwrap_or_default();
        Error::conflict(format!("没有编码为“{code}”的课程类型（{name}），请先复制或新增课程类型"))
    })?;
    form["typeId"] = json!(of_type.id);
    form["prerequisiteIds"] = json!(earlier(tx, &piece.refers["prerequisiteCodes"]).await?);
    let course = prepare(tx, body::check::<CourseForm>(form)?, None).await?;
    prerequisites::check(tx, &course.typed.prerequisite_ids, &[]).await?;
    Ok(insert(tx, &course).await?.1)
}

/// The school's own courses of these codes.
async fn earlier(tx: &mut Tx, codes: &Value) -> Result<Vec<i64>> {
    let wanted: Vec<String> =
        codes.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_lowercase).collect();
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let found = sqlx::query!(r#"select id, lower(code) as "code!" from course where lower(code) = any($1)"#, &wanted)
        .fetch_all(&mut **tx)
        .await?;
    match wanted.iter().find(|code| !found.iter().any(|row| row.code == **code)) {
        Some(code) => Err(Error::conflict(format!("没有先修课程“{}”，请先新增该课程", code.to_uppercase()))),
        None => Ok(found.into_iter().map(|row| row.id).collect()),
    }
}
