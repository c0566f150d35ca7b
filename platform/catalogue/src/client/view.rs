//! The page of a course: what it consists of, who teaches it, what is said of it and what is recommended beside it.

use std::collections::{HashMap, HashSet};

use catalogue_rules::watch::{CourseRight, Watched, may_watch};
use infra::{App, Error, Result, RichText, clock::Moment};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{
    attachment::{Of, ShownAttachment, of_lessons},
    list::{ShownCourse, Wanted, select},
};
use crate::watch::right;

/// So much of what has no end of its own stands on the page.
const COMMENTS: i64 = 20;
/// Of each comment.
const REPLIES: i64 = 10;
const BESIDE: i64 = 8;

/// A lesson, as far as everybody may know it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownPeriod {
    /// 课时编号
    id: i64,
    /// 课时名称
    period_name: String,
    /// 试看
    is_free: bool,
    /// 时长(秒)
    /// 没有回放的直播为计划时长
    duration_seconds: Option<i32>,
    /// 开始时间
    /// 直播课时
    starts_at: Option<Moment>,
    /// 结束时间
    /// 直播课时
    ends_at: Option<Moment>,
    /// 可播放
    /// 录播，或已有回放的直播
    playable: bool,
    /// 附件
    attachments: Vec<ShownAttachment>,
}

/// A chapter with its lessons.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownChapter {
    /// 章节编号
    id: i64,
    /// 章节名称
    chapter_name: String,
    /// 章节简介
    chapter_desc: Option<String>,
    /// 课时
    periods: Vec<ShownPeriod>,
}

/// Who teaches the course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownLecturer {
    /// 编号
    id: i64,
    /// 姓名
    lecturer_name: String,
    /// 职位
    position: Option<String>,
    /// 头像
    head_img: Option<String>,
    /// 简介
    introduce: Option<String>,
}

/// An answer to a comment.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownReply {
    /// 编号
    id: i64,
    /// 用户
    learner_name: String,
    /// 运营方回复
    by_operator: bool,
    /// 内容
    content: String,
    /// 发表时间
    created_at: Moment,
}

/// What a learner says of the course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownComment {
    /// 编号
    id: i64,
    /// 用户
    learner_name: String,
    /// 内容
    content: String,
    /// 置顶
    is_top: bool,
    /// 点赞
    like_count: i64,
    /// 发表时间
    created_at: Moment,
    /// 回复
    /// 最早的10条
    replies: Vec<ShownReply>,
}

/// A course on the shelf with its page.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownCourseView {
    #[oai(flatten)]
    course: ShownCourse,
    /// 课程介绍
    introduce: Option<RichText>,
    /// 讲师介绍
    lecturer: ShownLecturer,
    /// 章节课时
    chapters: Vec<ShownChapter>,
    /// 评论
    /// 置顶的在前，最近20条
    comments: Vec<ShownComment>,
    /// 详情页推荐
    recommends: Vec<ShownCourse>,
}

/// `learner` is who looks, if they are signed in.
///
/// # Errors
/// 404 for a course that is not on the shelf.
pub(super) async fn of(
    app: &App,
    connection: &mut PgConnection,
    id: i64,
    learner: Option<i64>,
) -> Result<ShownCourseView> {
    let now = app.clock().now();
    let course = select(connection, now, Wanted::One(id)).await?.pop().ok_or_else(Error::not_found)?;
    let introduce = sqlx::query_scalar!(
        r#"select introduce as "introduce: RichText" from platform.online_course where id = $1"#,
        id
    )
    .fetch_one(&mut *connection)
    .await?;
    let lecturer = sqlx::query_as!(
        ShownLecturer,
        "select id, lecturer_name, position, head_img, introduce from platform.lecturer where id = $1",
        course.lecturer_id
    )
    .fetch_one(&mut *connection)
    .await?;
    Ok(ShownCourseView {
        introduce,
        lecturer,
        chapters: chapters(app, connection, &course, learner).await?,
        comments: comments(connection, id).await?,
        recommends: select(connection, now, Wanted::BesideOf(id, BESIDE)).await?,
        course,
    })
}

/// Chapters in their order, those without lessons too.
async fn chapters(
    app: &App,
    connection: &mut PgConnection,
    shown: &ShownCourse,
    learner: Option<i64>,
) -> Result<Vec<ShownChapter>> {
    let course = shown.id;
    let bought = match learner {
        Some(learner) => right(connection, learner, course, app.clock().now()).await?,
        None => CourseRight::Nothing,
    };
    let chapters = sqlx::query!(
        "select id, chapter_name, chapter_desc from platform.online_chapter where course_id = $1 order by sort, id",
        course
    )
    .fetch_all(&mut *connection)
    .await?;
    let rows = sqlx::query!(
        r#"select p.chapter_id as "chapter_id!", p.id as "id!", p.period_name as "period_name!", p.is_free as "is_free!",
                  coalesce(m.duration, extract(epoch from p.ends_at - p.starts_at)::integer) as "duration?", p.starts_at as "starts_at?", p.ends_at as "ends_at?",
                  coalesce(m.state = 'ready', false) as "playable!"
           from platform.online_period p
           join platform.online_chapter h on h.id = p.chapter_id
           left join platform.media_asset m on m.id = coalesce(p.media_asset_id, p.replay_asset_id)
           where h.course_id = $1
           order by p.sort, p.id"#,
        course
    )
    .fetch_all(&mut *connection)
    .await?;
    let tried: HashSet<i64> = rows.iter().filter(|row| row.is_free).map(|row| row.id).collect();
    let open = |period: i64| {
        let is_free = shown.is_free || tried.contains(&period);
        learner.is_some() && may_watch(Watched { enabled: true, on_sale: true, is_free, right: bought }).is_ok()
    };
    let mut attachments = of_lessons(app, connection, Of::Course(course), open).await?;
    let mut of_chapter: HashMap<i64, Vec<ShownPeriod>> = HashMap::new();
    for row in rows {
        of_chapter.entry(row.chapter_id).or_default().push(ShownPeriod {
            attachments: attachments.remove(&row.id).unwrap_or_default(),
            id: row.id,
            period_name: row.period_name,
            is_free: row.is_free,
            duration_seconds: row.duration,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            playable: row.playable,
        });
    }
    Ok(chapters
        .into_iter()
        .map(|row| ShownChapter {
            id: row.id,
            chapter_name: row.chapter_name,
            chapter_desc: row.chapter_desc,
            periods: of_chapter.remove(&row.id).unwrap_or_default(),
        })
        .collect())
}

/// What may be seen of what was said, with the answers to it.
async fn comments(connection: &mut PgConnection, course: i64) -> Result<Vec<ShownComment>> {
    let rows = sqlx::query!(
        "select id, learner_name, content, is_top, like_count, created_at from platform.course_comment
         where course_id = $1 and parent_id is null and audit_status = 'approved'
         order by is_top desc, created_at desc, id desc limit $2",
        course,
        COMMENTS
    )
    .fetch_all(&mut *connection)
    .await?;
    let shown: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let answers = sqlx::query!(
        r#"select c.id as "parent_id!", a.id as "id!", a.learner_name as "learner_name!", a.by_operator as "by_operator!",
                  a.content as "content!", a.created_at as "created_at!"
           from unnest($1::bigint[]) as c (id)
           cross join lateral (
               select r.id, r.learner_name, r.learner_id is null as by_operator, r.content, r.created_at
               from platform.course_comment r
               where r.parent_id = c.id and r.audit_status = 'approved'
               order by r.id limit $2) a
           order by a.id"#,
        &shown,
        REPLIES
    )
    .fetch_all(connection)
    .await?;
    let mut replies: HashMap<i64, Vec<ShownReply>> = HashMap::new();
    for row in answers {
        replies.entry(row.parent_id).or_default().push(ShownReply {
            id: row.id,
            learner_name: row.learner_name,
            by_operator: row.by_operator,
            content: row.content,
            created_at: row.created_at,
        });
    }
    Ok(rows
        .into_iter()
        .map(|row| ShownComment {
            replies: replies.remove(&row.id).unwrap_or_default(),
            id: row.id,
            learner_name: row.learner_name,
            content: row.content,
            is_top: row.is_top,
            like_count: row.like_count,
            created_at: row.created_at,
        })
        .collect())
}
