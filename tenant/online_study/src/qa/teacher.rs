//! The teachers' client: the courses that somebody teaches, tutors or marks, with what is asked there, and answering it (part 03
//! B10). A teacher reaches the classes for which they are allocated; a row that names a class goes before one for all.

use std::collections::HashMap;

use course_opening::enums::AllocationRole;
use infra::{Body, Client, Error, Reads, Reply, Result, Saved, clock::Moment, reply};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use super::write::{Answer, answer, screened_reply};
use crate::{TeacherClient, WritesOwn, enums::ReplyKind};

/// Questions without an answer of a teacher that are told of a course.
const WAITING: i64 = 50;

/// A class that a teacher has in a course.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TeacherClass {
    /// 班级编号
    /// 没有班级的学生为空
    pub class_id: Option<i64>,
    /// 班级
    pub class_name: Option<String>,
    /// 角色
    pub roles: Vec<AllocationRole>,
    /// 人数
    pub student_count: i64,
    /// 平均进度(%)
    pub average_progress: f64,
}

/// A question that waits for a teacher.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct WaitingQa {
    /// 答疑编号
    pub qa_id: i64,
    /// 提问人
    pub student_name: String,
    /// 班级
    pub class_name: Option<String>,
    /// 标题
    pub title: String,
    /// 内容
    pub content: String,
    /// 提问时间
    pub asked_at: Moment,
}

/// A course that somebody teaches.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct TeacherCourse {
    /// 开课编号
    pub opening_id: i64,
    /// 学期编号
    pub semester_id: i64,
    /// 学期
    pub semester_name: String,
    /// 课程代码
    pub course_code: String,
    /// 课程
    pub course_name: String,
    /// 年级
    pub grade_name: Option<String>,
    /// 专业
    pub major_name: Option<String>,
    /// 班级
    pub classes: Vec<TeacherClass>,
    /// 待回复的提问
    /// 最近50条
    pub waiting_questions: Vec<WaitingQa>,
}

/// What a teacher answers.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct TeacherQaReply {
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

impl Example for TeacherQaReply {
    fn example() -> Self {
        Self {
            request_id: "7d1f0c84".to_owned(), qa_id: 1, content: "月利率为年利率的十二分之一。".to_owned()
        }
    }
}

pub struct TeacherCourses;

#[OpenApi(prefix_path = "/user/client/teacher", tag = "crate::Tag::OnlineStudy")]
impl TeacherCourses {
    /// 教师课程
    #[oai(path = "/course/list", method = "get", operation_id = "listTeacherCourses")]
    async fn list(
        &self,
        caller: Client<TeacherClient, Reads>,
        /// 学期
        /// 不填为当前学期
        #[oai(name = "semesterId")]
        semester_id: Query<Option<i64>>,
    ) -> Result<Reply<Vec<TeacherCourse>>> {
        let mut tx = caller.read().await?;
        Ok(reply(courses(&mut tx, caller.session.person_id, semester_id.0).await?))
    }

    /// 教师回复答疑
    #[oai(path = "/qa/reply", method = "post", operation_id = "replyTeacherQa")]
    async fn give(
        &self,
        caller: Client<TeacherClient, WritesOwn>,
        Body(form): Body<TeacherQaReply>,
    ) -> Result<Reply<Saved>> {
        let content = screened_reply(&caller.app, &form.content).await?;
        let mut tx = caller.begin_once(&form.request_id, &form).await?;
        let teacher = caller.session.person_id;
        let reached = sqlx::query_scalar!(
            r#"select exists (
                   select from course_qa q
                   join course_selection c on c.id = q.selection_id
                   join course_allocation a on a.opening_id = c.opening_id and a.teacher_id = $2
                   where q.id = $1
                     and (a.class_id = c.class_id
                          or a.class_id is null and not exists (
                              select from course_allocation b
                              where b.opening_id = a.opening_id and b.role = a.role and b.class_id = c.class_id))) as "reached!""#,
            form.qa_id,
            teacher
        )
        .fetch_one(&mut **tx)
        .await?;
        if !reached {
            return Err(Error::not_found());
        }
        let by_name = caller.session.person_name.clone();
        let given = Answer { kind: ReplyKind::Teacher, by_id: teacher, by_name, content };
        let change = answer(&mut tx, form.qa_id, given).await?;
        tx.commit(change, Saved { id: form.qa_id }).await
    }
}

/// What a teacher has in a semester, else in the current one.
async fn courses(connection: &mut PgConnection, teacher: i64, semester: Option<i64>) -> Result<Vec<TeacherCourse>> {
    let openings = sqlx::query!(
        r#"select o.id as "id!", e.id as "semester_id!", e.name as "semester_name!", u.code as "course_code!",
                  u.name as "course_name!", g.name as "grade_name?", m.name as "major_name?"
           from course_opening o
           join semester e on e.id = o.semester_id
           join course u on u.id = o.course_id
           left join grade g on g.id = o.grade_id
           left join major m on m.id = o.major_id
           where o.status in ('opened', 'closed') and ($2::bigint is null and e.current or e.id = $2)
             and exists (select from course_allocation a where a.opening_id = o.id and a.teacher_id = $1)
           order by u.code, o.id"#,
        teacher,
        semester
    )
    .fetch_all(&mut *connection)
    .await?;
    let ids: Vec<i64> = openings.iter().map(|row| row.id).collect();
    let mut classes = classes_of(connection, teacher, &ids).await?;
    let mut waiting = waiting_in(connection, teacher, &ids).await?;
    Ok(openings
        .into_iter()
        .map(|row| TeacherCourse {
            opening_id: row.id,
            semester_id: row.semester_id,
            semester_name: row.semester_name,
            course_code: row.course_code,
            course_name: row.course_name,
            grade_name: row.grade_name,
            major_name: row.major_name,
            classes: classes.remove(&row.id).unwrap_or_default(),
            waiting_questions: waiting.remove(&row.id).unwrap_or_default(),
        })
        .collect())
}

/// By opening, the classes of a teacher.
async fn classes_of(
    connection: &mut PgConnection,
    teacher: i64,
    openings: &[i64],
) -> Result<HashMap<i64, Vec<TeacherClass>>> {
    let rows = sqlx::query!(
        r#"select c.opening_id as "opening_id!", c.class_id as "class_id?", k.name as "class_name?",
                  n.roles as "roles!: Vec<AllocationRole>", count(*) as "students!",
                  round(avg(coalesce(x.progress, 0)), 1)::float8 as "average!"
           from course_selection c
           left join class k on k.id = c.class_id
           left join study_course_progress x on x.id = c.id
           cross join lateral (
               select array_agg(distinct a.role) as roles from course_allocation a
               where a.opening_id = c.opening_id and a.teacher_id = $1
                 and (a.class_id = c.class_id
                      or a.class_id is null and not exists (
                          select from course_allocation b
                          where b.opening_id = a.opening_id and b.role = a.role and b.class_id = c.class_id))) n
           where c.opening_id = any($2) and c.status in ('selected', 'completed') and n.roles is not null
           group by c.opening_id, c.class_id, k.name, n.roles
           order by k.name nulls last"#,
        teacher,
        openings
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<i64, Vec<TeacherClass>> = HashMap::new();
    for row in rows {
        found.entry(row.opening_id).or_default().push(TeacherClass {
            class_id: row.class_id,
            class_name: row.class_name,
            roles: row.roles,
            student_count: row.students,
            average_progress: row.average,
        });
    }
    Ok(found)
}

/// By opening, the questions that no teacher and nobody of the staff answered.
async fn waiting_in(
    connection: &mut PgConnection,
    teacher: i64,
    openings: &[i64],
) -> Result<HashMap<i64, Vec<WaitingQa>>> {
    let rows = sqlx::query!(
        r#"select w.opening_id as "opening_id!", q.id as "id!", q.title as "title!", q.content as "content!",
                  q.created_at as "created_at!", q.student_name as "student_name!", q.class_name as "class_name?"
           from unnest($2::bigint[]) as w (opening_id)
           cross join lateral (
               select q.id, q.title, q.content, q.created_at, s.name as student_name, k.name as class_name
               from course_selection c
               join course_qa q on q.selection_id = c.id and not q.hidden
               join student s on s.id = c.student_id
               left join class k on k.id = c.class_id
               where c.opening_id = w.opening_id
                 and not exists (select from course_qa_reply r where r.qa_id = q.id and r.by_kind in ('teacher', 'staff'))
                 and exists (
                     select from course_allocation a
                     where a.opening_id = c.opening_id and a.teacher_id = $1
                       and (a.class_id = c.class_id
                            or a.class_id is null and not exists (
                                select from course_allocation b
                                where b.opening_id = a.opening_id and b.role = a.role and b.class_id = c.class_id)))
               order by q.created_at desc, q.id limit $3) q
           order by w.opening_id, q.created_at desc, q.id"#,
        teacher,
        openings,
        WAITING
    )
    .fetch_all(connection)
    .await?;
    let mut found: HashMap<i64, Vec<WaitingQa>> = HashMap::new();
    for row in rows {
        found.entry(row.opening_id).or_default().push(WaitingQa {
            qa_id: row.id,
            student_name: row.student_name,
            class_name: row.class_name,
            title: row.title,
            content: row.content,
            asked_at: row.created_at,
        });
    }
    Ok(found)
}
