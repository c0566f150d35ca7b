//! 班级成绩: learner × exam, the best of each one's finished attempts in the class.

mod list;
mod sheet;

use infra::{
    Allowed, Body, Page, Paged, Part, Reply, Result, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query};

pub use list::{QuizClassExam, QuizClassScore, QuizClassScoreFilter, QuizExamScore};

use list::{count, exams, page};

permissions! {
    pages "/exam/grade/info/list";
    InPlatform Reads       ListQuizClassScores   = "exam:pc:grade:info:score:list" "考试班级成绩列表";
    InPlatform ReadsLogged ExportQuizClassScores = "exam:pc:grade:info:score:export" "导出考试班级成绩";
}

pub const PART: Part = Part { permissions: &[PERMISSIONS], jobs: &[export_job::<QuizClassScores>()], ..Part::NONE };

/// A page of members with their scores, and the exams that the columns are of.
#[derive(Debug, Object)]
pub struct QuizClassScorePage {
    #[oai(flatten)]
    page: Page<QuizClassScore>,
    /// 考试
    /// 班级安排的考试，先开放的在前
    exams: Vec<QuizClassExam>,
}

pub struct QuizClassScores;

#[OpenApi(prefix_path = "/exam/pc/grade/info/score", tag = "crate::Tag::QuizClasses")]
impl QuizClassScores {
    /// 考试班级成绩列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizClassScores")]
    async fn list(
        &self,
        caller: Allowed<ListQuizClassScores>,
        Body(asked): Body<Paged<QuizClassScoreFilter>>,
    ) -> Result<Reply<QuizClassScorePage>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let exams = exams(&mut tx, filter.grade_id).await?;
        let list = page(&mut tx, &filter, paging).await?;
        Ok(reply(QuizClassScorePage { page: paging.page(total, list), exams }))
    }

    /// 导出考试班级成绩
    /// 每名成员的每场考试一行
    #[oai(path = "/export", method = "post", operation_id = "exportQuizClassScores")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizClassScores>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<QuizClassScoreFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
