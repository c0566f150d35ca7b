//! 课时: what a learner opens: a video, a document, a live lesson, a link (part 03 A6). The wire calls it schoolPeriod.
//!
//! A period belongs to one record and hangs on a chapter of the same course; both are proved by foreign keys. The state of
//! its video is the settings module's, which asks the channel.

pub(crate) mod form;
mod list;
mod sheet;

use infra::{
    Allowed, Body, Change, Edit, EnabledChange, Entity, Error, Part, Reply, Result, Saved, Tx, permissions, reply,
    transfer::{self, Attachment, ImportAnswer, undo_job},
};
use poem_openapi::{
    Multipart, Object, OpenApi,
    param::Query,
    types::{Example, multipart::Upload},
};
use serde_json::json;
use settings::media::Adoption;

pub use course_rules::period::{PeriodForm, PeriodKind};
pub use list::{Period, PeriodFilter};

use crate::into_course::{self, Lines, Sent};

permissions! {
    pages
        "/schoolPC/basicData/course/record/list/{courseId}", "/platformPC/basicData/course/record/list/chapterList";
    EachSchool Reads  ListPeriods        = "course:pc:schoolPeriod:list" "课时列表";
    EachSchool Writes SavePeriod         = "course:pc:schoolPeriod:save" "新增课时";
    EachSchool Writes EditPeriod         = "course:pc:schoolPeriod:edit" "编辑课时";
    EachSchool Writes SortPeriods        = "course:pc:schoolPeriod:edit" "编辑课时";
    EachSchool Writes RetryPeriod        = "course:pc:schoolPeriod:edit" "编辑课时";
    EachSchool Writes DeletePeriod       = "course:pc:schoolPeriod:delete" "删除课时";
    EachSchool Writes ChangePeriodStatus = "course:pc:schoolPeriod:update:status" "启用停用课时";
    EachSchool Writes ImportPeriods      = "course:pc:schoolPeriod:import" "导入课时";
    EachSchool Reads  FetchPeriodSheet   = "course:pc:schoolPeriod:import" "导入课时";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[PeriodKind::ENUMERATION],
    entities: &[Entity { table: "course_period", name: "课时", counted: "个课时" }],
    jobs: &[undo_job::<sheet::PeriodLines>()],
    ..Part::NONE
};

/// The periods of one chapter of a record, in their order.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PeriodOrder {
    /// 课程资源
    pub course_record_id: i64,
    /// 章节
    pub chapter_id: i64,
    /// 课时
    #[oai(validator(min_items = 1, max_items = 2000))]
    pub ids: Vec<i64>,
}

impl Example for PeriodOrder {
    fn example() -> Self {
        Self { course_record_id: 1, chapter_id: 1, ids: vec![1] }
    }
}

/// `{id}` of `retry`.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PeriodRetry {
    /// 编号
    pub id: i64,
}

impl Example for PeriodRetry {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct PeriodImportForm {
    /// 课程资源
    pub course_record_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    pub sha256: Option<String>,
}

pub struct Periods;

#[OpenApi(prefix_path = "/course/pc/schoolPeriod", tag = "crate::Tag::Courses")]
impl Periods {
    /// 课时列表
    #[oai(path = "/list", method = "post", operation_id = "listPeriods")]
    async fn list(&self, caller: Allowed<ListPeriods>, Body(filter): Body<PeriodFilter>) -> Result<Reply<Vec<Period>>> {
        let mut tx = caller.read().await?;
        Ok(reply(list::select(&mut tx, None, &filter).await?))
    }

    /// 新增课时
    #[oai(path = "/save", method = "post", operation_id = "savePeriod")]
    async fn save(&self, caller: Allowed<SavePeriod>, Body(form): Body<PeriodForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let told = in_record(form.course_record_id, "insertPeriod", &form.title);
        let (id, change) = form::insert(&mut tx, form).await?;
        tx.commit_all(vec![change, told]).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑课时
    #[oai(path = "/edit", method = "put", operation_id = "editPeriod")]
    async fn edit(&self, caller: Allowed<EditPeriod>, Body(edit): Body<Edit<PeriodForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let id = edit.id;
        let told = in_record(edit.form.course_record_id, "updatePeriod", &edit.form.title);
        let change = form::update(&mut tx, edit).await?;
        tx.commit_all(vec![change, told]).await?;
        Ok(reply(Saved { id }))
    }

    /// 课时排序
    #[oai(path = "/sort", method = "put", operation_id = "sortPeriods")]
    async fn sort(&self, caller: Allowed<SortPeriods>, Body(order): Body<PeriodOrder>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = sort(&mut tx, &order).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: order.course_record_id }))
    }

    /// 课时重试转码
    #[oai(path = "/retry", method = "put", operation_id = "retryPeriod")]
    async fn retry(&self, caller: Allowed<RetryPeriod>, Body(wanted): Body<PeriodRetry>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let media = list::find(&mut tx, wanted.id).await?.media_asset_id;
        let media = media.ok_or_else(|| Error::conflict("该课时没有音视频，无需重试"))?;
        let change = settings::media::retry(&mut tx, media).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 删除课时
    #[oai(path = "/delete", method = "delete", operation_id = "deletePeriod")]
    async fn delete(
        &self,
        caller: Allowed<DeletePeriod>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = remove(&mut tx, id.0).await?;
        tx.commit_all(changes.into()).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用课时
    #[oai(path = "/update/status", method = "put", operation_id = "changePeriodStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangePeriodStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let period = list::find(&mut tx, wanted.id).await?;
        let change = tx.set_enabled("course_period", &wanted).await?;
        let action = if wanted.enabled { "enablePeriod" } else { "disablePeriod" };
        let told = (!change.is_nothing()).then(|| in_record(period.course_record_id, action, &period.title));
        tx.commit_all(std::iter::once(change).chain(told).collect()).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 课时导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchPeriodImportTemplate")]
    async fn template(
        &self,
        caller: Allowed<FetchPeriodSheet>,
        /// 课程资源
        /// 其课程的章节可在模板中选择
        #[oai(name = "courseRecordId")]
        course_record_id: Query<Option<i64>>,
    ) -> Result<Attachment> {
        let template = match course_record_id.0 {
            Some(record) => sheet::template_of(&mut *caller.read().await?, record).await?,
            None => sheet::PeriodLines::template(),
        };
        transfer::workbook(caller.app(), template).await
    }

    /// 导入课时
    #[oai(path = "/import", method = "post", operation_id = "importPeriods")]
    async fn import(&self, caller: Allowed<ImportPeriods>, form: PeriodImportForm) -> Result<Reply<ImportAnswer>> {
        let media = Adoption::start(caller.app(), caller.school_id()).await?;
        let mut tx = caller.begin_long().await?;
        let lines = sheet::PeriodLines::start(&mut tx, form.course_record_id, media).await?;
        let sent = Sent { file: form.file, dry_run: form.dry_run.unwrap_or(false), sha256: form.sha256 };
        into_course::import(&caller, tx, lines, sent).await
    }
}

/// The line in the log of the record, which tells what became of its periods.
fn in_record(record: i64, action: &'static str, title: &str) -> Change {
    Change::event("course_record", record, action, json!({ "title": title }))
}

/// The change of the period, and the line in the log of its record.
///
/// # Errors
/// 409 for one that somebody studied.
async fn remove(tx: &mut Tx, id: i64) -> Result<[Change; 2]> {
    let before = list::find(tx, id).await?;
    let learners = sqlx::query_scalar!(
        r#"select count(*) as "learners!" from (
               select selection_id from study_progress where period_id = $1
               union select selection_id from study_session where period_id = $1) studied"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    if learners > 0 {
        return Err(Error::conflict(format!("已有{learners}名学生学习该课时，请改为停用")));
    }
    let document = form::document(tx, id).await?;
    tx.remove("course_period", id, &before.title).await?;
    form::let_go(tx, &document).await?;
    let told = in_record(before.course_record_id, "deletePeriod", &before.title);
    Ok([Change::deleted("course_period", id, &before), told])
}

/// # Errors
/// 409 when the chapter has other periods than those that are sent.
async fn sort(tx: &mut Tx, order: &PeriodOrder) -> Result<Change> {
    let mut known = sqlx::query_scalar!(
        "select id from course_period where course_record_id = $1 and chapter_id = $2 order by id for update",
        order.course_record_id,
        order.chapter_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut wanted = order.ids.clone();
    known.sort_unstable();
    wanted.sort_unstable();
    if known != wanted {
        return Err(Error::conflict("课时已变化，请刷新"));
    }
    let by = tx.by();
    sqlx::query!(
        "update course_period p set sort_no = o.place::integer, updated_at = now(), updated_by = $2, version = version + 1
         from unnest($1::bigint[]) with ordinality as o (id, place) where p.id = o.id and p.sort_no <> o.place::integer",
        &order.ids,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::event("course_record", order.course_record_id, "sortPeriods", json!({ "periodIds": order.ids })))
}
