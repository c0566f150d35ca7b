//! 考试班级: who teaches it, how many it takes, and the code that lets them in.

mod form;
mod list;
mod sheet;

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Bulk, BulkResult, Edit, EnabledChange, Entity, History, Ids, Page, Paged, Part, Reply, Result,
    Saved, permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use quiz_rules::enums::QuizClassVerify;

pub use form::QuizClassForm;
pub use list::{QuizClass, QuizClassFilter};

pub(crate) use form::{LockedClass, insert, lock};

use form::{remove, reset_code, update};
use list::{count, find, select};

permissions! {
    pages "/exam/grade/info/list";
    InPlatform Reads       ListQuizClasses       = "exam:pc:grade:info:list" "考试班级列表";
    InPlatform Reads       ViewQuizClass         = "exam:pc:grade:info:view" "查看考试班级";
    InPlatform Writes      SaveQuizClass         = "exam:pc:grade:info:save" "新增考试班级";
    InPlatform Writes      EditQuizClass         = "exam:pc:grade:info:edit" "编辑考试班级";
    InPlatform Writes      DeleteQuizClass       = "exam:pc:grade:info:delete" "删除考试班级";
    InPlatform Writes      DeleteQuizClasses     = "exam:pc:grade:info:batchDel" "批量删除考试班级";
    InPlatform Writes      ChangeQuizClassStatus = "exam:pc:grade:info:update:status" "启用停用考试班级";
    InPlatform Writes      ResetQuizClassCode    = "exam:pc:grade:info:resetCode" "更换考试班级邀请码";
    InPlatform ReadsLogged ExportQuizClasses     = "exam:pc:grade:info:export" "导出考试班级";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[QuizClassVerify::ENUMERATION],
    entities: &[Entity { table: "exam_grade_info", name: "考试班级", counted: "个考试班级" }],
    jobs: &[export_job::<QuizClasses>()],
    histories: &[History { table: "exam_grade_info", code: "exam:pc:grade:info:view", scope: None }],
    ..Part::NONE
};

/// A class, with the version that was read.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct QuizClassItem {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: Option<i32>,
}

impl Example for QuizClassItem {
    fn example() -> Self {
        Self { id: 1, version: None }
    }
}

/// The code that lets learners in from now on.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct QuizClassCode {
    /// 编号
    pub id: i64,
    /// 邀请码
    pub invite_code: String,
}

pub struct QuizClasses;

#[OpenApi(prefix_path = "/exam/pc/grade/info", tag = "crate::Tag::QuizClasses")]
impl QuizClasses {
    /// 考试班级列表
    #[oai(path = "/list", method = "post", operation_id = "listQuizClasses")]
    async fn list(
        &self,
        caller: Allowed<ListQuizClasses>,
        Body(asked): Body<Paged<QuizClassFilter>>,
    ) -> Result<Reply<Page<QuizClass>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter).await?;
        let list = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看考试班级
    #[oai(path = "/view", method = "get", operation_id = "viewQuizClass")]
    async fn view(
        &self,
        caller: Allowed<ViewQuizClass>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<QuizClass>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0).await?))
    }

    /// 新增考试班级
    /// 邀请码自动生成
    #[oai(path = "/save", method = "post", operation_id = "saveQuizClass")]
    async fn save(&self, caller: Allowed<SaveQuizClass>, Body(form): Body<QuizClassForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑考试班级
    #[oai(path = "/edit", method = "put", operation_id = "editQuizClass")]
    async fn edit(
        &self,
        caller: Allowed<EditQuizClass>,
        Body(edit): Body<Edit<QuizClassForm>>,
    ) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除考试班级
    /// 有成员或考试记录的班级不能删除
    #[oai(path = "/delete", method = "delete", operation_id = "deleteQuizClass")]
    async fn delete(
        &self,
        caller: Allowed<DeleteQuizClass>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除考试班级
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteQuizClasses")]
    async fn delete_many(&self, caller: Allowed<DeleteQuizClasses>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::named(caller.begin().await?, "exam_grade_info", "grade_name");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用考试班级
    #[oai(path = "/update/status", method = "put", operation_id = "changeQuizClassStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeQuizClassStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("exam_grade_info", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 更换考试班级邀请码
    /// 原邀请码立即失效
    #[oai(path = "/resetCode", method = "put", operation_id = "resetQuizClassCode")]
    async fn reset_code(
        &self,
        caller: Allowed<ResetQuizClassCode>,
        Body(wanted): Body<QuizClassItem>,
    ) -> Result<Reply<QuizClassCode>> {
        let mut tx = caller.begin().await?;
        let (invite_code, change) = reset_code(&mut tx, &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(QuizClassCode { id: wanted.id, invite_code }))
    }

    /// 导出考试班级
    #[oai(path = "/export", method = "post", operation_id = "exportQuizClasses")]
    async fn export(
        &self,
        caller: Allowed<ExportQuizClasses>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<QuizClassFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}
