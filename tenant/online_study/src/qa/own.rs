//! Questions in the students' client: one's own and those of the course, asking and answering (part 03 B10).

use infra::{
    Body, Change, Client, Error, Page, Paging, Reads, Reply, Result, Saved,
    clock::{Moment, day_began},
    reply,
};
use online_study_rules::course::Course;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use serde_json::json;
use sqlx::PgConnection;

use super::{
    select::{QaReply, replies_of},
    write::{Answer, answer, screened, screened_reply},
};
use crate::{
    StudentClient, WritesOwn,
    course::{course_of, course_of_student},
    enums::ReplyKind,
};

/// Questions that a student asks in a course on one day at the most, so that nobody buries those of the others.
const ASKED_A_DAY: i64 = 50;
/// Answers of students to one question at the most: all of them are read with it.
const ANSWERS: i64 = 200;

/// A question as students see it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnQa {
    /// 编号
    pub id: i64,
    /// 本人的提问
    pub own: bool,
    /// 提问人
    pub student_name: String,
    /// 章节编号
    pub chapter_id: Option<i64>,
    /// 章节
    pub chapter_title: Option<String>,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 优质
    pub excellent: bool,
    /// 隐藏
    /// 仅本人可见
    pub hidden: bool,
    /// 回复
    pub replies: Vec<QaReply>,
    /// 提问时间
    pub created_at: Moment,
}

/// What a student asks.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnQaForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 选课编号
    pub selection_id: i64,
    /// 章节
    pub chapter_id: Option<i64>,
    /// 标题
    #[oai(validator(min_length = 1, max_length = 100))]
    pub title: String,
    /// 内容
    #[oai(validator(min_length = 1, max_length = 2000))]
    pub content: String,
}

impl Example for OwnQaForm {
    fn example() -> Self {
        Self {
            request_id: "7d1f0c82".to_owned(),
            selection_id: 1,
            chapter_id: None,
            title: "复利的计算".to_owned(),
            content: "按月复利时年利率如何换算？".to_owned(),
        }
    }
}

/// What a student answers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnQaReply {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 答疑编号
    pub qa_id: i64,
    /// 内容
    #[oai(validator(min_length = 1, max_length = 2000))]
    pub content: String,
}

impl Example for OwnQaReply {
    fn example() -> Self {
        Self { request_id: "7d1f0c83".to_owned(), qa_id: 1, content: "见教材例3-2。".to_owned() }
    }
}

pub struct OwnQas;

#[OpenApi(prefix_path = "/user/client/study/qa", tag = "crate::Tag::OnlineStudy")]
impl OwnQas {
    /// 课程答疑
    /// 本人的提问和同一课程的其他提问
    #[oai(path = "/list", method = "get", operation_id = "listOwnQas")]
    async fn list(
        &self,
        caller: Client<StudentClient, Reads>,
        /// 选课编号
        #[oai(name = "selectionId")]
        selection_id: Query<i64>,
        /// 当前页
        #[oai(name = "pageCurrent")]
        page_current: Query<Option<i64>>,
        /// 每页条数
        #[oai(name = "pageSize")]
        page_size: Query<Option<i64>>,
    ) -> Result<Reply<Page<OwnQa>>> {
        let paging = Paging::of(page_current.0, page_size.0)?;
        let mut tx = caller.read().await?;
        let course = course_of_student(&mut tx, selection_id.0, caller.session.person_id).await?;
        course.is_taken()?;
        let (total, rows) = visible(&mut tx, &course, paging).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 提问
    #[oai(path = "/save", method = "post", operation_id = "saveOwnQa")]
    async fn save(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(form): Body<OwnQaForm>,
    ) -> Result<Reply<Saved>> {
        let (title, title_waits) = screened(&caller.app, &form.title).await?;
        let (content, content_waits) = screened(&caller.app, &form.content).await?;
        if title.is_empty() {
            return Err(Error::field("title", "请填写标题"));
        }
        if content.is_empty() {
            return Err(Error::field("content", "请填写内容"));
        }
        let mut tx = caller.begin_once(&form.request_id, &form).await?;
        let course = course_of_student(&mut tx, form.selection_id, caller.session.person_id).await?;
        course.may_study()?;
        course.is_taken()?;
        let since = day_began(caller.app.clock().today());
        let asked = sqlx::query_scalar!(
            r#"select count(*) as "count!" from course_qa where selection_id = $1 and created_at >= $2"#,
            course.selection_id,
            since as _
        )
        .fetch_one(&mut **tx)
        .await?;
        if asked >= ASKED_A_DAY {
            return Err(Error::too_many(format!("今日在该课程已提问{ASKED_A_DAY}次，请明天再提问")));
        }
        // What somebody should look at first is the student's own until somebody shows it.
        let hidden = title_waits || content_waits;
        let id = sqlx::query_scalar!(
            r#"insert into course_qa (selection_id, chapter_id, title, content, hidden, created_by, updated_by)
             select $1::bigint, h.id, $4::text, $5::text, $6::boolean, 0, 0
             from (select $2::bigint as wanted) w
             left join course_chapter h on h.id = w.wanted and h.course_id = $3
             where w.wanted is null or h.id is not null
             returning id as "id!""#,
            course.selection_id,
            form.chapter_id,
            course.course_id,
            title,
            content,
            hidden
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("chapterId", "所选章节不属于该课程，请重新选择"))?;
        let what = json!({
            "selectionId": course.selection_id, "chapterId": form.chapter_id, "title": title, "content": content,
            "hidden": hidden,
        });
        tx.commit(Change::event("course_qa", id, "insert", what), Saved { id }).await
    }

    /// 回答同学提问
    #[oai(path = "/reply", method = "post", operation_id = "replyOwnQa")]
    async fn give(
        &self,
        caller: Client<StudentClient, WritesOwn>,
        Body(form): Body<OwnQaReply>,
    ) -> Result<Reply<Saved>> {
        let content = screened_reply(&caller.app, &form.content).await?;
        let mut tx = caller.begin_once(&form.request_id, &form).await?;
        let student = caller.session.person_id;
        // Through which selection the student sees the question: one of the same course and semester.
        let own = sqlx::query_scalar!(
            "select c.id from course_qa q
             join course_selection a on a.id = q.selection_id
             join course_selection c on c.course_id = a.course_id and c.semester_id = a.semester_id
                                    and c.student_id = $2 and c.status in ('selected', 'completed')
             where q.id = $1 and (not q.hidden or a.student_id = $2)
             order by c.id limit 1",
            form.qa_id,
            student
        )
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let course = course_of(&mut tx, own).await?;
        course.may_study()?;
        let answers = sqlx::query_scalar!(
            r#"select count(*) as "count!" from course_qa_reply where qa_id = $1 and by_kind = 'student'"#,
            form.qa_id
        )
        .fetch_one(&mut **tx)
        .await?;
        if answers >= ANSWERS {
            return Err(Error::conflict(format!("该提问已有{ANSWERS}条同学回答，不能再回答")));
        }
        let given = Answer { kind: ReplyKind::Student, by_id: student, by_name: course.student_name, content };
        let change = answer(&mut tx, form.qa_id, given).await?;
        tx.commit(change, Saved { id: form.qa_id }).await
    }
}

/// The student's own questions and those that are shown to all who study the course in the semester, the newest first.
async fn visible(connection: &mut PgConnection, course: &Course, paging: Paging) -> Result<(i64, Vec<OwnQa>)> {
    let rows = sqlx::query!(
        r#"select q.id as "id!", c.student_id = $3 as "own!", s.name as "student_name!", q.chapter_id as "chapter_id?",
                  h.title as "chapter_title?", q.title as "title!", q.content as "content!", q.excellent as "excellent!",
                  q.hidden as "hidden!", q.created_at as "created_at!"
           from course_selection c
           join course_qa q on q.selection_id = c.id
           join student s on s.id = c.student_id
           left join course_chapter h on h.id = q.chapter_id
           where c.semester_id = $1 and c.course_id = $2 and (not q.hidden or c.student_id = $3)
           order by q.created_at desc, q.id
           limit $4 offset $5"#,
        course.semester_id,
        course.course_id,
        course.student_id,
        paging.limit(),
        paging.offset()
    )
    .fetch_all(&mut *connection)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from course_selection c join course_qa q on q.selection_id = c.id
           where c.semester_id = $1 and c.course_id = $2 and (not q.hidden or c.student_id = $3)"#,
        course.semester_id,
        course.course_id,
        course.student_id
    )
    .fetch_one(&mut *connection)
    .await?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut replies = replies_of(connection, &ids).await?;
    let shown = rows.into_iter().map(|row| OwnQa {
        id: row.id,
        own: row.own,
        student_name: row.student_name,
        chapter_id: row.chapter_id,
        chapter_title: row.chapter_title,
        title: row.title,
        content: row.content,
        excellent: row.excellent,
        hidden: row.hidden,
        replies: replies.remove(&row.id).unwrap_or_default(),
        created_at: row.created_at,
    });
    Ok((total, shown.collect()))
}
