//! How questions are read by staff, with their answers.

use std::collections::HashMap;

use infra::{
    Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::Qas;
use crate::enums::ReplyKind;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct QaReply {
    /// 回复人类别
    pub by_kind: ReplyKind,
    /// 回复人
    pub by_name: String,
    /// 内容
    pub content: String,
    /// 回复时间
    pub at: Moment,
}

/// A question with its answers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseQa {
    /// 编号
    pub id: i64,
    /// 选课编号
    pub selection_id: i64,
    /// 学号
    pub student_no: Option<String>,
    /// 姓名
    pub student_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 章节
    pub chapter_title: Option<String>,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 优质
    pub excellent: bool,
    /// 隐藏
    pub hidden: bool,
    /// 教师已回复
    pub answered: bool,
    /// 回复
    pub replies: Vec<QaReply>,
    /// 提问时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CourseQaFilter {
    /// 学期
    pub semester_id: Option<i64>,
    /// 课程
    pub course_id: Option<i64>,
    /// 开课
    pub opening_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 标题
    #[oai(validator(max_length = 100))]
    pub title: Option<String>,
    /// 教师已回复
    pub answered: Option<bool>,
    /// 优质
    pub excellent: Option<bool>,
    /// 隐藏
    pub hidden: Option<bool>,
    /// 学期
    /// 编码或名称包含；查看全部院校时代替学期编号
    #[oai(validator(max_length = 50))]
    pub semester_text: Option<String>,
    /// 课程
    /// 编码或名称包含；查看全部院校时代替课程编号
    #[oai(validator(max_length = 50))]
    pub course_text: Option<String>,
    /// 班级
    /// 编码或名称包含；查看全部院校时代替班级编号
    #[oai(validator(max_length = 50))]
    pub class_text: Option<String>,
}

struct Row {
    id: i64,
    selection_id: i64,
    student_no: Option<String>,
    student_name: String,
    class_name: Option<String>,
    semester_name: String,
    course_code: String,
    course_name: String,
    chapter_title: Option<String>,
    title: String,
    content: String,
    excellent: bool,
    hidden: bool,
    created_at: Moment,
    version: i32,
}

impl Row {
    fn with(self, replies: Vec<QaReply>) -> CourseQa {
        CourseQa {
            id: self.id,
            selection_id: self.selection_id,
            student_no: self.student_no,
            student_name: self.student_name,
            class_name: self.class_name,
            semester_name: self.semester_name,
            course_code: self.course_code,
            course_name: self.course_name,
            chapter_title: self.chapter_title,
            title: self.title,
            content: self.content,
            excellent: self.excellent,
            hidden: self.hidden,
            answered: replies.iter().any(|reply| reply.by_kind != ReplyKind::Student),
            replies,
            created_at: self.created_at,
            version: self.version,
        }
    }
}

impl Keyed for Qas {
    type Filter = CourseQaFilter;
    type Row = CourseQa;

    fn id(row: &CourseQa) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &CourseQaFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.semester_text.as_deref(),
            filter.course_text.as_deref(),
            filter.class_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select q.id, q.created_at, count(*) over () as "total!"
               from course_qa q
               join course_selection c on c.id = q.selection_id
               join student s on s.id = c.student_id
               where ($1::bigint[] is null or s.site_id = any($1) or s.class_id = any($2::bigint[]))
                 and ($3::bigint is null or c.semester_id = $3)
                 and ($4::bigint is null or c.course_id = $4)
                 and ($5::bigint is null or c.opening_id = $5)
                 and ($6::bigint is null or c.class_id = $6)
                 and ($7::text is null or strpos(q.title, $7) > 0)
                 and ($8::boolean is null or $8 = exists (
                          select from course_qa_reply r where r.qa_id = q.id and r.by_kind in ('teacher', 'staff')))
                 and ($9::boolean is null or q.excellent = $9)
                 and ($10::boolean is null or q.hidden = $10)
                 and ($11::bigint is null or q.id = $11)
                 and ($12::timestamptz is null or q.created_at <= $12)
                 and (($15::text[])[1] is null or c.semester_id = any(array(
                          select x.id from semester x where strpos(lower(x.code), ($15::text[])[1]) > 0 or strpos(lower(x.name), ($15::text[])[1]) > 0)))
                 and (($15::text[])[2] is null or c.course_id = any(array(
                          select x.id from course x where strpos(lower(x.code), ($15::text[])[2]) > 0 or strpos(lower(x.name), ($15::text[])[2]) > 0)))
                 and (($15::text[])[3] is null or c.class_id = any(array(
                          select x.id from class x where strpos(lower(x.code), ($15::text[])[3]) > 0 or strpos(lower(x.name), ($15::text[])[3]) > 0)))
               order by q.created_at desc, q.id
               limit $13 offset $14"#,
            scope.sites(),
            scope.classes(),
            filter.semester_id,
            filter.course_id,
            filter.opening_id,
            filter.class_id,
            filter.title,
            filter.answered,
            filter.excellent,
            filter.hidden,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset,
            texts.as_deref() as _
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<CourseQa>> {
        let rows = sqlx::query_as!(
            Row,
            r#"select q.id as "id!", q.selection_id as "selection_id!", s.student_no as "student_no?", s.name as "student_name!",
                      k.name as "class_name?", e.name as "semester_name!", u.code as "course_code!", u.name as "course_name!",
                      h.title as "chapter_title?", q.title as "title!", q.content as "content!", q.excellent as "excellent!",
                      q.hidden as "hidden!", q.created_at as "created_at!", q.version as "version!"
               from course_qa q
               join course_selection c on c.id = q.selection_id
               join student s on s.id = c.student_id
               join semester e on e.id = c.semester_id
               join course u on u.id = c.course_id
               left join class k on k.id = c.class_id
               left join course_chapter h on h.id = q.chapter_id
               where q.id = any($1)"#,
            ids
        )
        .fetch_all(&mut *connection)
        .await?;
        let mut replies = replies_of(connection, ids).await?;
        let with_replies = rows.into_iter().map(|row| {
            let own = replies.remove(&row.id).unwrap_or_default();
            row.with(own)
        });
        Ok(with_replies.collect())
    }
}

/// The answers of questions in their order.
pub(super) async fn replies_of(
    connection: &mut PgConnection,
    questions: &[i64],
) -> sqlx::Result<HashMap<i64, Vec<QaReply>>> {
    let rows = sqlx::query!(
        r#"select qa_id, by_kind as "by_kind: ReplyKind", by_name, content, created_at
           from course_qa_reply where qa_id = any($1) order by created_at, id"#,
        questions
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<i64, Vec<QaReply>> = HashMap::new();
    for row in rows {
        let reply = QaReply { by_kind: row.by_kind, by_name: row.by_name, content: row.content, at: row.created_at };
        found.entry(row.qa_id).or_default().push(reply);
    }
    Ok(found)
}
