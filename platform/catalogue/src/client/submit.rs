//! A lecturer hands in a course of theirs, new or changed; it waits for the auditors as a version of the course (01 §9.2, §9.11).
//!
//! The lecturer of the content is whoever sends it, whatever the content says. Videos of others' courses and files of others are not
//! theirs to hand in: an auditor sees no more of them than a title.

use std::collections::HashSet;

use catalogue_rules::{
    content::RecordContent,
    course::{CourseContent, SiteCourseKind},
};
use infra::{Change, Customer, Error, FieldError, ReadTx, Result, Tx, Writes, body::check};
use poem_openapi::{
    Object,
    types::{Any, Example, ToJSON},
};
use serde_json::{Map, Value, json};
use settings::sensitive::{Screened, screen_field};

use super::LearnerClient;
use crate::course::{CourseAuditStatus, CourseSubmission, Typed, insert, update};

/// Told while a version of the course waits.
const WAITS: &str = "该课程有待审核版本";

/// What a lecturer hands in.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CourseSubmit {
    /// 课程编号
    /// 修改已有课程时填写
    pub id: Option<i64>,
    /// 版本
    /// 修改已有课程时可填写，不一致时不提交
    pub version: Option<i32>,
    /// 课程类型
    pub course_type: SiteCourseKind,
    /// 课程内容
    /// 与后台同类课程的内容相同：名称、分类、封面、介绍、价格，以及章节课时或资源文件
    pub content: Any<Map<String, Value>>,
}

impl Example for CourseSubmit {
    fn example() -> Self {
        let content = match RecordContent::example().to_json() {
            Some(Value::Object(content)) => content,
            _ => Map::new(),
        };
        Self { id: None, version: None, course_type: SiteCourseKind::Record, content: Any(content) }
    }
}

/// A version that waits for the auditors.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseSubmitted {
    /// 课程编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 审核状态
    pub audit_status: CourseAuditStatus,
}

/// # Errors
/// 403 for whoever is no lecturer, or one who was switched off; 404 for a course of somebody else; 409 while a version of the course
/// waits or an operator has a draft of it, and when nothing differs from what is published; 422 at the field of the content.
pub(super) async fn submit(caller: &Customer<LearnerClient, Writes>, sent: CourseSubmit) -> Result<CourseSubmitted> {
    let lecturer = lecturer_of(&mut caller.read().await?, caller.session.person_id).await?;
    let content = screened(caller, typed(sent.course_type, sent.content.0, lecturer).map_err(within)?).await?;
    let mut tx = caller.begin().await?;
    files_are_theirs(&mut tx, (caller.session.kind.as_str(), caller.session.person_id), sent.id, &content).await?;
    let (id, change) = match sent.id {
        Some(id) => (id, resubmitted(&mut tx, lecturer, (id, sent.version), content).await?),
        None => first(&mut tx, lecturer, content).await?,
    };
    let version =
        sqlx::query_scalar!("select version from platform.online_course where id = $1", id).fetch_one(&mut *tx).await?;
    tx.commit(change).await?;
    Ok(CourseSubmitted { id, version, audit_status: CourseAuditStatus::Pending })
}

/// # Errors
/// 403 for whoever is no lecturer, or one who was switched off.
async fn lecturer_of(tx: &mut ReadTx, learner: i64) -> Result<i64> {
    let lecturer = sqlx::query!("select id, enabled from platform.lecturer where learner_id = $1", learner)
        .fetch_optional(&mut **tx)
        .await?;
    match lecturer {
        None => Err(Error::new(403, "您还不是讲师，请先申请讲师")),
        Some(lecturer) if !lecturer.enabled => Err(Error::new(403, "您的讲师资格已停用，请联系客服")),
        Some(lecturer) => Ok(lecturer.id),
    }
}

/// The content as its kind has it, checked like that of an operator.
fn typed(kind: SiteCourseKind, mut content: Map<String, Value>, lecturer: i64) -> Result<CourseContent> {
    content.insert("lecturerId".to_owned(), json!(lecturer));
    // What stands before the number of buyers is the operator's to say.
    content.remove("countBuyBase");
    let content = Value::Object(content);
    Ok(match kind {
        SiteCourseKind::Record => CourseContent::Record(check(content)?),
        SiteCourseKind::Live => CourseContent::Live(check(content)?),
        SiteCourseKind::Resource => CourseContent::Resource(check(content)?),
    })
}

/// What is wrong in the content, at its place in what was sent.
fn within(error: Error) -> Error {
    match serde_json::from_value::<Vec<FieldError>>(error.data.clone()) {
        Ok(fields) if error.code == 422 => {
            let placed =
                fields.into_iter().map(|wrong| FieldError { field: format!("content.{}", wrong.field), ..wrong });
            Error::fields(placed.collect())
        }
        _ => error,
    }
}

/// The content with the words of the library masked in its name; an auditor reads the rest. What may not be kept at all is refused
/// in both.
async fn screened(caller: &Customer<LearnerClient, Writes>, mut content: CourseContent) -> Result<CourseContent> {
    let app = &caller.app;
    let head = content.head();
    if let Some(introduce) = head.introduce {
        screen_field(app, "content.introduce", &introduce.plain()).await?;
    }
    let name = match screen_field(app, "content.courseName", head.course_name).await? {
        Screened::Publish(name) | Screened::Review(name) => name,
    };
    match &mut content {
        CourseContent::Record(content) => content.course_name = name,
        CourseContent::Live(content) => content.course_name = name,
        CourseContent::Resource(content) => content.course_name = name,
    }
    Ok(content)
}

/// The videos that lessons play, each with its place in what was sent.
fn played(content: &CourseContent) -> Vec<(String, i64)> {
    let place = |chapter: usize, period: usize| format!("content.chapters[{chapter}].periods[{period}]");
    let mut found = Vec::new();
    match content {
        CourseContent::Record(content) => {
            for (at, chapter) in content.chapters.iter().enumerate() {
                for (lesson, period) in chapter.periods.iter().enumerate() {
                    found.push((format!("{}.mediaAssetId", place(at, lesson)), period.media_asset_id));
                }
            }
        }
        CourseContent::Live(content) => {
            for (at, chapter) in content.chapters.iter().enumerate() {
                for (lesson, period) in chapter.periods.iter().enumerate() {
                    let replay = period.replay_asset_id.map(|id| (format!("{}.replayAssetId", place(at, lesson)), id));
                    found.extend(replay);
                }
            }
        }
        CourseContent::Resource(_) => {}
    }
    found
}

/// # Errors
/// 422 at the lessons that play a video of somebody else's course, and of none of theirs.
async fn media_are_theirs(tx: &mut Tx, lecturer: i64, content: &CourseContent) -> Result<()> {
    let played = played(content);
    let ids: Vec<i64> = played.iter().map(|(_, id)| *id).collect();
    let others = sqlx::query_scalar!(
        r#"select m.id as "id!"
           from unnest($1::bigint[]) as m (id)
           join platform.online_period p on p.media_asset_id = m.id or p.replay_asset_id = m.id
           join platform.online_chapter h on h.id = p.chapter_id
           join platform.online_course c on c.id = h.course_id
           group by m.id having not bool_or(c.lecturer_id = $2)"#,
        &ids,
        lecturer
    )
    .fetch_all(&mut **tx)
    .await?;
    let others: HashSet<i64> = others.into_iter().collect();
    let wrong: Vec<FieldError> = played
        .into_iter()
        .filter(|(_, id)| others.contains(id))
        .map(|(field, _)| FieldError {
            field,
            message: "所选音视频已用于其他讲师的课程，请选择自己的音视频".to_owned(),
        })
        .collect();
    if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong)) }
}

/// The file of a resource and the files of lessons came from whoever hands them in, or are the course's already.
///
/// # Errors
/// 422 at each, in the words for a file that is not there.
async fn files_are_theirs(
    tx: &mut Tx,
    (kind, person): (&str, i64),
    course: Option<i64>,
    content: &CourseContent,
) -> Result<()> {
    let mut named: Vec<(String, String)> = Vec::new();
    if let CourseContent::Resource(resource) = content {
        named.extend(resource.resource_file_key.as_ref().map(|key| ("resourceFileKey".to_owned(), key.clone())));
    }
    for lesson in content.attachments() {
        named.extend(lesson.keys.iter().map(|key| (lesson.field(), key.clone())));
    }
    let keys: Vec<String> = named.iter().map(|(_, key)| key.clone()).collect();
    let theirs = sqlx::query_scalar!(
        "select key from platform.file_object
         where key = any($1)
           and (uploader_type = $2 and uploader_id = $3 or owner_type = 'online_course' and owner_id = $4)",
        &keys,
        kind,
        person,
        course
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut wrong: Vec<String> = named
        .into_iter()
        .filter(|(_, key)| !theirs.contains(key))
        .map(|(field, _)| format!("content.{field}"))
        .collect();
    wrong.dedup();
    let told = |field| FieldError { field, message: "文件不存在或未上传完成，请重新上传".to_owned() };
    if wrong.is_empty() { Ok(()) } else { Err(Error::fields(wrong.into_iter().map(told).collect())) }
}

/// A new course. Sent again while it waits it is the same one, which is told.
async fn first(tx: &mut Tx, lecturer: i64, content: CourseContent) -> Result<(i64, Change)> {
    // Two that come at once follow each other.
    sqlx::query!("select id from platform.lecturer where id = $1 for no key update", lecturer)
        .fetch_optional(&mut **tx)
        .await?;
    let waits = sqlx::query_scalar!(
        r#"select exists (
               select from platform.online_course
               where lecturer_id = $1 and course_type = $2 and course_name = $3 and audit_status = 'pending'
                 and published_revision_id is null) as "waits!""#,
        lecturer,
        content.kind().as_str(),
        content.head().course_name
    )
    .fetch_one(&mut **tx)
    .await?;
    if waits {
        return Err(Error::conflict(WAITS));
    }
    media_are_theirs(tx, lecturer, &content).await?;
    insert(tx, CourseSubmission::Review, content, false).await.map_err(within)
}

/// A new version of a course of theirs. What an operator has begun of it is not written over.
async fn resubmitted(
    tx: &mut Tx,
    lecturer: i64,
    (id, read): (i64, Option<i32>),
    content: CourseContent,
) -> Result<Change> {
    let course = sqlx::query!(
        "select lecturer_id, enabled, count_buy_base, version from platform.online_course where id = $1 and course_type = $2 for update",
        id,
        content.kind().as_str()
    )
    .fetch_optional(&mut **tx)
    .await?
    .filter(|course| course.lecturer_id == lecturer && course.enabled)
    .ok_or_else(Error::not_found)?;
    let drafted = sqlx::query_scalar!(
        r#"select exists (
               select from platform.online_course_revision
               where course_id = $1 and audit_status = 'draft' and submitter_id <> 0) as "drafted!""#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if drafted {
        return Err(Error::conflict("平台正在修改该课程，请稍后再提交"));
    }
    media_are_theirs(tx, lecturer, &content).await?;
    let version = read.unwrap_or(course.version);
    let content = content.with_buy_base(course.count_buy_base);
    update(tx, Typed { id, version, submission: CourseSubmission::Review, content }).await.map_err(within)
}
