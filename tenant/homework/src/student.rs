//! 学生作业: a row of each student of a homework (part 03 B6).

mod select;
mod sheet;
mod view;
mod why;

use infra::{
    Allowed, Body, Entity, Error, History, Paged, Part, Reply, Result, Scope,
    across::{self, SchoolPage},
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;

pub use select::{StudentHomework, StudentHomeworkFilter};
pub use view::{StudentHomeworkSheet, StudentHomeworkView};
pub use why::{ReplayedItem, ScoreExplained, ScoreSheet};

permissions! {
    pages
        "/schoolPC/educational/onlineWork/onlineWork",
        "/platformPC/educational/onlineWork/onlineWork";
    EachSchool Reads       ListStudentHomework   = "exam:pc:tasks:student:list" "学生作业列表";
    EachSchool Reads       ViewStudentHomework   = "exam:pc:tasks:student:view" "查看学生作业";
    EachSchool ReadsLogged ExportStudentHomework = "exam:pc:tasks:student:export" "导出学生作业";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "homework_student", name: "学生作业", counted: "份学生作业" }],
    jobs: &[export_job::<StudentHomeworks>()],
    histories: &[History {
        table: "homework_student",
        code: "exam:pc:tasks:student:view",
        // A row lies where its student is.
        scope: Some((
            "(select y.site_id from course_selection c join student y on y.id = c.student_id
              where c.id = homework_student.selection_id)",
            Some(
                "(select y.class_id from course_selection c join student y on y.id = c.student_id
                  where c.id = homework_student.selection_id)",
            ),
        )),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of students with their homework.
pub struct StudentHomeworks;

#[OpenApi(prefix_path = "/exam/pc/tasks/student", tag = "crate::Tag::Homework")]
impl StudentHomeworks {
    /// 学生作业列表
    #[oai(path = "/list", method = "post", operation_id = "listStudentHomework")]
    async fn list(
        &self,
        caller: Allowed<ListStudentHomework>,
        Body(asked): Body<Paged<StudentHomeworkFilter>>,
    ) -> Result<Reply<SchoolPage<StudentHomework>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看学生作业
    #[oai(path = "/view", method = "get", operation_id = "viewStudentHomework")]
    async fn view(
        &self,
        caller: Allowed<ViewStudentHomework>,
        /// 学生作业
        #[oai(name = "homeworkStudentId")]
        homework_student_id: Query<i64>,
    ) -> Result<Reply<StudentHomeworkView>> {
        let mut tx = caller.read().await?;
        visible(&mut tx, homework_student_id.0, &caller.scope()).await?;
        Ok(reply(view::viewed(&mut tx, homework_student_id.0).await?))
    }

    /// 得分说明
    /// 每次答卷的得分由哪些题、按哪个版本的答案和规则得来，并重算一遍
    #[oai(path = "/why", method = "get", operation_id = "explainStudentHomework")]
    async fn why(
        &self,
        caller: Allowed<ViewStudentHomework>,
        /// 学生作业
        #[oai(name = "homeworkStudentId")]
        homework_student_id: Query<i64>,
    ) -> Result<Reply<ScoreExplained>> {
        let mut tx = caller.read().await?;
        visible(&mut tx, homework_student_id.0, &caller.scope()).await?;
        Ok(reply(why::explained(&mut tx, homework_student_id.0).await?))
    }

    /// 导出学生作业
    #[oai(path = "/export", method = "post", operation_id = "exportStudentHomework")]
    async fn export(
        &self,
        caller: Allowed<ExportStudentHomework>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<StudentHomeworkFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// # Errors
/// 404 for a row that is not there, or whose student lies outside the scope.
pub(crate) async fn visible(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<()> {
    let seen = sqlx::query_scalar!(
        r#"select exists (
               select from homework_student s
               join course_selection c on c.id = s.selection_id
               join student y on y.id = c.student_id
               where s.id = $1 and ($2::bigint[] is null or y.site_id = any($2) or y.class_id = any($3::bigint[]))) as "seen!""#,
        id,
        scope.sites(),
        scope.classes()
    )
    .fetch_one(connection)
    .await?;
    if seen { Ok(()) } else { Err(Error::not_found()) }
}
