//! 课程答疑: what students ask in a course, and who answers: fellow students, teachers, staff (part 03 B5, B10).

mod own;
mod select;
mod teacher;
mod write;

use infra::{
    Allowed, Body, Change, Edit, Entity, History, Paged, Part, Reply, Result, Saved,
    across::{self, Keyed, SchoolPage},
    permissions, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};

pub use own::{OwnQa, OwnQaForm, OwnQaReply};
pub use select::{CourseQa, CourseQaFilter, QaReply};
pub use teacher::{TeacherCourse, TeacherQaReply};

use crate::enums::ReplyKind;
use write::{Answer, answer, screened_reply};

permissions! {
    pages "/schoolPC/educational/selection/onlineTeaching", "/platformPC/educational/selection/onlineTeaching";
    EachSchool Reads  ListQas  = "adult:pc:onlineTeaching:list" "在线教学列表";
    InSchool   Writes ReplyQa  = "adult:pc:onlineTeaching:reply" "回复课程答疑";
    InSchool   Writes EditQa   = "adult:pc:onlineTeaching:edit" "编辑在线教学";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[
        Entity { table: "course_qa", name: "课程答疑", counted: "条课程答疑" },
        Entity { table: "course_qa_reply", name: "课程答疑回复", counted: "条答疑回复" },
    ],
    histories: &[History {
        table: "course_qa",
        code: "adult:pc:onlineTeaching:view",
        // It lies where its student is.
        scope: Some((
            "(select s.site_id from course_selection c join student s on s.id = c.student_id
              where c.id = course_qa.selection_id)",
            Some(
                "(select s.class_id from course_selection c join student s on s.id = c.student_id
                  where c.id = course_qa.selection_id)",
            ),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// What a clerk answers.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct QaReplyForm {
    /// 答疑编号
    pub id: i64,
    /// 内容
    #[oai(validator(min_length = 1, max_length = 2000))]
    pub content: String,
}

impl Example for QaReplyForm {
    fn example() -> Self {
        Self { id: 1, content: "请参考教材第三章第二节。".to_owned() }
    }
}

/// How a question is marked.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct QaMarks {
    /// 优质
    pub excellent: bool,
    /// 隐藏
    pub hidden: bool,
}

impl Example for QaMarks {
    fn example() -> Self {
        Self { excellent: true, hidden: false }
    }
}

/// The list of questions.
pub struct Qas;

pub struct QaRows;

#[OpenApi(prefix_path = "/adult/pc/onlineTeaching", tag = "crate::Tag::OnlineStudy")]
impl QaRows {
    /// 课程答疑列表
    #[oai(path = "/qa/list", method = "post", operation_id = "listCourseQas")]
    async fn list(
        &self,
        caller: Allowed<ListQas>,
        Body(asked): Body<Paged<CourseQaFilter>>,
    ) -> Result<Reply<SchoolPage<CourseQa>>> {
        across::list::<Qas, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 回复课程答疑
    #[oai(path = "/qa/reply", method = "put", operation_id = "replyCourseQa")]
    async fn give(&self, caller: Allowed<ReplyQa>, Body(form): Body<QaReplyForm>) -> Result<Reply<Saved>> {
        let content = screened_reply(caller.app(), &form.content).await?;
        let mut tx = caller.begin().await?;
        let question = Qas::find(&mut tx, form.id, &caller.scope()).await?;
        let (by_id, by_name) = (tx.by(), tx.actor().name.clone());
        let given = Answer { kind: ReplyKind::Staff, by_id, by_name, content };
        let change = answer(&mut tx, question.id, given).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: question.id }))
    }

    /// 标记课程答疑
    /// 标为优质或隐藏；隐藏的提问只有本人可见，不计入提问数
    #[oai(path = "/qa/edit", method = "put", operation_id = "editCourseQa")]
    async fn mark(&self, caller: Allowed<EditQa>, Body(edit): Body<Edit<QaMarks>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let question = Qas::find(&mut tx, id, &caller.scope()).await?;
        let before = QaMarks { excellent: question.excellent, hidden: question.hidden };
        let by = tx.by();
        let changed = sqlx::query!(
            "update course_qa set excellent = $3, hidden = $4, updated_at = now(), updated_by = $5, version = version + 1
             where id = $1 and version = $2",
            id,
            edit.version,
            edit.form.excellent,
            edit.form.hidden,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("course_qa", id).await);
        }
        tx.commit(Change::edited("course_qa", id, &before, &edit.form)).await?;
        Ok(reply(Saved { id }))
    }
}

/// The operations on questions, of staff, students and teachers.
pub(crate) fn api() -> impl OpenApi {
    (QaRows, own::OwnQas, teacher::TeacherCourses)
}
