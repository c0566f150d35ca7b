//! 考场: the rooms in which a site examines (part 04 §4.1). One lies where its site lies, also in the data scope.

mod form;
mod generate;
mod select;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, Page, Paged, Part,
    Reply, Result, Saved, Scope, Tx,
    across::{Keyed, Listed},
    options::{Asked, OptionItem, Source},
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

pub use form::ExamRoomForm;
pub(crate) use form::insert;
use form::update;
pub use generate::{ExamRoomsGenerated, ExamRoomsWanted};
pub use select::{ExamRoom, ExamRoomFilter};
use sheet::ExamRoomSheet;

permissions! {
    pages "/schoolPC/examination/offlineIndex/examRoom";
    InSchool Reads       ListExamRooms        = "offline:pc:offline:room:list" "考场列表";
    InSchool Reads       ViewExamRoom         = "offline:pc:offline:room:view" "查看考场";
    InSchool Writes      SaveExamRoom         = "offline:pc:offline:room:save" "新增考场";
    InSchool Writes      EditExamRoom         = "offline:pc:offline:room:edit" "编辑考场";
    InSchool Writes      DeleteExamRoom       = "offline:pc:offline:room:delete" "删除考场";
    InSchool Writes      DeleteExamRooms      = "offline:pc:offline:room:batchDel" "批量删除考场";
    InSchool Writes      ChangeExamRoomStatus = "offline:pc:offline:room:update:status" "启用停用考场";
    InSchool ReadsLogged ExportExamRooms      = "offline:pc:offline:room:export" "导出考场";
    InSchool Writes      ImportExamRooms      = "offline:pc:offline:room:import" "导入考场";
    InSchool Reads       FetchExamRoomSheet   = "offline:pc:offline:room:import" "导入考场";
    InSchool Writes      MakeExamRooms        = "offline:pc:offline:room:generate" "从教室生成考场";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "exam_room", name: "考场", counted: "个考场" }],
    jobs: &[export_job::<Rooms>(), import_job::<ByRow<ExamRoomSheet>>()],
    histories: &[History { table: "exam_room", code: "offline:pc:offline:room:view", scope: Some(("site_id", None)) }],
    options: &[Source::new("examRoom", |connection, asked| Box::pin(options(connection, asked)))
        .below("考场的站点")
        .with::<ExamRoomFields>()],
    option_pages: PAGES,
    ..Part::NONE
};

pub struct Rooms;

#[OpenApi(prefix_path = "/offline/pc/offline/room", tag = "crate::Tag::ExamSeats")]
impl Rooms {
    /// 考场列表
    #[oai(path = "/list", method = "post", operation_id = "listExamRooms")]
    async fn list(
        &self,
        caller: Allowed<ListExamRooms>,
        Body(asked): Body<Paged<ExamRoomFilter>>,
    ) -> Result<Reply<Page<ExamRoom>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看考场
    #[oai(path = "/view", method = "get", operation_id = "viewExamRoom")]
    async fn view(
        &self,
        caller: Allowed<ViewExamRoom>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<ExamRoom>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增考场
    #[oai(path = "/save", method = "post", operation_id = "saveExamRoom")]
    async fn save(&self, caller: Allowed<SaveExamRoom>, Body(form): Body<ExamRoomForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑考场
    #[oai(path = "/edit", method = "put", operation_id = "editExamRoom")]
    async fn edit(&self, caller: Allowed<EditExamRoom>, Body(edit): Body<Edit<ExamRoomForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = update(&mut tx, edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除考场
    #[oai(path = "/delete", method = "delete", operation_id = "deleteExamRoom")]
    async fn delete(
        &self,
        caller: Allowed<DeleteExamRoom>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除考场
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteExamRooms")]
    async fn delete_many(&self, caller: Allowed<DeleteExamRooms>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "exam_room");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用考场
    #[oai(path = "/update/status", method = "put", operation_id = "changeExamRoomStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeExamRoomStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        Self::find(&mut tx, wanted.id, &caller.scope()).await?;
        let change = tx.set_enabled("exam_room", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 从教室生成考场
    /// 有考试容量、还没有对应考场的教室
    #[oai(path = "/generate", method = "post", operation_id = "generateExamRooms")]
    async fn generate(
        &self,
        caller: Allowed<MakeExamRooms>,
        Body(wanted): Body<ExamRoomsWanted>,
    ) -> Result<Reply<ExamRoomsGenerated>> {
        let mut tx = caller.begin().await?;
        let changes = generate::generate(&mut tx, &wanted, &caller.scope()).await?;
        let ids = changes.iter().map(Change::id).collect();
        tx.commit_all(changes).await?;
        Ok(reply(ExamRoomsGenerated { ids }))
    }

    /// 导出考场
    #[oai(path = "/export", method = "post", operation_id = "exportExamRooms")]
    async fn export(
        &self,
        caller: Allowed<ExportExamRooms>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ExamRoomFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 考场导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchExamRoomImportTemplate")]
    async fn template(&self, caller: Allowed<FetchExamRoomSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<ExamRoomSheet>, _>(&caller).await
    }

    /// 导入考场
    #[oai(path = "/import", method = "post", operation_id = "importExamRooms")]
    async fn import(&self, caller: Allowed<ImportExamRooms>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<ExamRoomSheet>>(&caller, form).await
    }
}

/// How many sit there, in whatever session.
async fn seats_of(connection: &mut PgConnection, room: i64) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from offline_session_room r join offline_seat t on t.session_room_id = r.id
           where r.room_id = $1"#,
        room
    )
    .fetch_one(connection)
    .await?)
}

async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = Rooms::find(tx, id, scope).await?;
    tx.lock("exam_room", id).await?;
    let seats = seats_of(tx, id).await?;
    if seats > 0 {
        return Err(Error::conflict(format!("该考场已编排 {seats} 名考生")));
    }
    tx.remove("exam_room", id, &before.name).await?;
    Ok(Change::deleted("exam_room", id, &before))
}

/// What a room has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
struct ExamRoomFields {
    /// 站点
    site_id: Option<i64>,
    /// 考位数
    capacity: Option<i32>,
}

/// The rooms of a site for selectors.
async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select r.id, r.room_no, r.name, r.enabled, r.site_id, r.capacity from exam_room r
           where (r.enabled or not $2)
             and ($1::text is null or strpos(r.name, $1) > 0 or starts_with(lower(r.room_no), lower($1))
                  or starts_with(r.initials, lower($1)))
             and ($3::bigint is null or r.site_id = $3)
             and ($4::bigint[] is null or r.site_id = any($4))
           order by r.site_id, r.priority, r.id limit $5"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.scope.sites(),
        asked.most
    )
    .fetch_all(connection)
    .await?;
    let item = rows.into_iter().map(|row| {
        let fields = ExamRoomFields { site_id: Some(row.site_id), capacity: Some(row.capacity) };
        OptionItem::of(row.id, row.name, row.room_no, row.enabled).below(row.site_id).with(&fields)
    });
    Ok(item.collect())
}
