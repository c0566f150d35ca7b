//! 阅卷教师 of a setup, on paper also who enters its sheets (part 04 §4.1, §4.4).

mod assign;
mod select;

use infra::{
    Allowed, Body, Change, Entity, Error, Page, Paged, Part, Reply, Result, Saved, Scope, Tx,
    across::Listed,
    permissions, reply,
    transfer::{self, Exported, export_job},
};
use poem_openapi::{OpenApi, param::Query};

pub use assign::{Assignments, recount};
pub use select::{ExamMarker, ExamMarkerFilter, MarkedSetup};

permissions! {
    pages
        "/schoolPC/examination/offlineIndex/markingTeacher",
        "/schoolPC/examination/offlineIndex/offlineTestList",
        "/schoolPC/examination/onlineIndex/onlineExamMarking";
    InSchool Reads       ListExamMarkers   = "offline:pc:offline:marker:list" "阅卷教师列表";
    InSchool Reads       ViewExamMarkers   = "offline:pc:offline:marker:view" "查看阅卷教师";
    InSchool Writes      AssignExamMarkers = "offline:pc:offline:marker:assign" "分配阅卷教师";
    InSchool Writes      AutoExamMarkers   = "offline:pc:offline:marker:auto" "自动分配阅卷教师";
    InSchool Writes      RemindExamMarkers = "offline:pc:offline:marker:remind" "催办阅卷";
    InSchool Writes      DeleteExamMarker  = "offline:pc:offline:marker:delete" "移除阅卷教师";
    InSchool ReadsLogged ExportExamMarkers = "offline:pc:offline:marker:export" "导出阅卷教师";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "exam_marker", name: "阅卷教师", counted: "个阅卷任务" }],
    jobs: &[export_job::<Markers>()],
    option_pages: PAGES,
    ..Part::NONE
};

/// The list of markers.
pub struct Markers;

#[OpenApi(prefix_path = "/offline/pc/offline/marker", tag = "crate::Tag::Exams")]
impl Markers {
    /// 阅卷教师列表
    #[oai(path = "/list", method = "post", operation_id = "listExamMarkers")]
    async fn list(
        &self,
        caller: Allowed<ListExamMarkers>,
        Body(asked): Body<Paged<ExamMarkerFilter>>,
    ) -> Result<Reply<Page<ExamMarker>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, rows) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, rows)))
    }

    /// 查看阅卷教师
    /// 一个考试的阅卷教师和进度
    #[oai(path = "/view", method = "get", operation_id = "viewExamMarkers")]
    async fn view(
        &self,
        caller: Allowed<ViewExamMarkers>,
        /// 考试
        #[oai(name = "setupId")]
        setup_id: Query<i64>,
    ) -> Result<Reply<MarkedSetup>> {
        let mut tx = caller.read().await?;
        Ok(reply(select::of_setup(&mut tx, setup_id.0, &caller.scope()).await?))
    }

    /// 移除阅卷教师
    #[oai(path = "/delete", method = "delete", operation_id = "deleteExamMarker")]
    async fn delete(
        &self,
        caller: Allowed<DeleteExamMarker>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 导出阅卷教师
    #[oai(path = "/export", method = "post", operation_id = "exportExamMarkers")]
    async fn export(
        &self,
        caller: Allowed<ExportExamMarkers>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExamMarkerFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// # Errors
/// 404 beyond the scope; 409 for who marked already.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Vec<Change>> {
    let row = sqlx::query!(
        r#"select m.setup_id, m.teacher_id, m.done, s.mode as "mode: crate::enums::ExamMode" from exam_marker m
           join exam_setup s on s.id = m.setup_id where m.id = $1"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    crate::setup::held(tx, row.setup_id, row.mode, scope).await?;
    let before = select::one(tx, id).await?;
    if before.done > 0 {
        return Err(Error::conflict(format!("该教师已阅 {} 份，不能移除", before.done)));
    }
    sqlx::query!("delete from exam_marker where id = $1", id).execute(&mut **tx).await?;
    Ok(vec![Change::deleted("exam_marker", id, &before)])
}
