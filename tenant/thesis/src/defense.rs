//! 答辩: groups of a plan, who is defended in them when, and how it went (part 04 §8.1).

mod arrange;
mod form;
mod record;
mod select;

use infra::{
    Allowed, App, Body, Bulk, BulkResult, Change, Edit, Error, History, Ids, Page, Paged, Part, Reply, Result, Saved,
    Scope, Tx,
    across::{Keyed, Listed},
    permissions, reply,
    sheet::{Cell, Column},
    transfer::{self, Export, Exported, Rows, export_job},
};
use poem_openapi::{OpenApi, param::Query};
use sqlx::PgConnection;
use thesis_rules::enums::DefenseGroupStatus;

pub use form::{DefenseGroupForm, DefenseMemberForm};
pub use select::{DefenseGroup, DefenseGroupFilter, DefenseGroups};

permissions! {
    pages "/schoolPC/graduate/thesis/list";
    InSchool    Reads       ListGroups    = "adult:pc:thesis:defense:list" "答辩组列表";
    InSchool    Reads       ViewGroup     = "adult:pc:thesis:defense:view" "查看答辩组";
    InSchool    ReadsLogged ExportGroups  = "adult:pc:thesis:defense:export" "导出答辩组";
    WholeSchool Writes      SaveGroup     = "adult:pc:thesis:defense:save" "新增答辩组";
    WholeSchool Writes      EditGroup     = "adult:pc:thesis:defense:edit" "编辑答辩组";
    WholeSchool Writes      DeleteGroup   = "adult:pc:thesis:defense:delete" "删除答辩组";
    WholeSchool Writes      DeleteGroups  = "adult:pc:thesis:defense:batchDel" "批量删除答辩组";
    InSchool    Writes      Arrange       = "adult:pc:thesis:arrange" "安排答辩";
    InSchool    Writes      AutoArrange   = "adult:pc:thesis:autoArrange" "自动安排答辩";
    InSchool    Writes      RecordDefense = "adult:pc:thesis:defense" "登记答辩结果";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    jobs: &[export_job::<DefenseGroups>()],
    histories: &[History { table: "defense_group", code: "adult:pc:thesis:defense:view", scope: None }],
    option_pages: PAGES,
    ..Part::NONE
};

impl Export for DefenseGroups {
    type Filter = DefenseGroupFilter;
    type Row = DefenseGroup;
    const KIND: &'static str = "defense_group.export";
    type Permission = ExportGroups;
    const TITLE: &'static str = "答辩组";
    const COLUMNS: &'static [Column<DefenseGroup>] = &[
        Column { heading: "论文批次", width: 24, cell: |row| Cell::Text(row.plan_name.clone()) },
        Column { heading: "答辩组", width: 18, cell: |row| Cell::Text(row.form.name.clone()) },
        Column { heading: "方式", width: 8, cell: |row| Cell::Text(row.form.mode.zh().to_owned()) },
        Column { heading: "时间", width: 20, cell: |row| Cell::time(row.form.held_at) },
        Column { heading: "地点", width: 24, cell: |row| Cell::text(row.form.place.as_deref()) },
        Column { heading: "成员", width: 30, cell: |row| Cell::Text(row.member_names.clone()) },
        Column { heading: "秘书", width: 12, cell: |row| Cell::text(row.secretary_name.as_deref()) },
        Column { heading: "学生数", width: 8, cell: |row| Cell::Int(row.slot_count) },
        Column { heading: "状态", width: 10, cell: |row| Cell::Text(row.status.zh().to_owned()) },
    ];

    async fn rows<'c>(
        _app: &App,
        connection: &'c mut PgConnection,
        filter: &DefenseGroupFilter,
        scope: &Scope,
    ) -> Result<Rows<'c, DefenseGroup>> {
        Self::all(connection, filter, scope).await
    }
}

pub struct GroupList;

#[OpenApi(prefix_path = "/adult/pc/thesis/defense", tag = "crate::Tag::Thesis")]
impl GroupList {
    /// 答辩组列表
    #[oai(path = "/list", method = "post", operation_id = "listDefenseGroups")]
    async fn list(
        &self,
        caller: Allowed<ListGroups>,
        Body(asked): Body<Paged<DefenseGroupFilter>>,
    ) -> Result<Reply<Page<DefenseGroup>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <DefenseGroups as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看答辩组
    /// 含答辩安排
    #[oai(path = "/view", method = "get", operation_id = "viewDefenseGroup")]
    async fn view(
        &self,
        caller: Allowed<ViewGroup>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<select::DefenseGroupView>> {
        let mut tx = caller.read().await?;
        Ok(reply(select::viewed(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 导出答辩组
    #[oai(path = "/export", method = "post", operation_id = "exportDefenseGroups")]
    async fn export(
        &self,
        caller: Allowed<ExportGroups>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<DefenseGroupFilter>>,
    ) -> Result<Exported> {
        transfer::export::<DefenseGroups>(&caller, asked.filter, job.0).await
    }

    /// 新增答辩组
    #[oai(path = "/save", method = "post", operation_id = "saveDefenseGroup")]
    async fn save(&self, caller: Allowed<SaveGroup>, Body(group): Body<DefenseGroupForm>) -> Result<Reply<Saved>> {
        let mut tx = match caller.begin().await {
            Ok(tx) => tx,
            Err(error) => return error.replayed().map(|id| reply(Saved { id })).ok_or(error),
        };
        let (id, change) = form::insert(&mut tx, &group).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑答辩组
    /// 已安排的修改时间、地点或成员后须重新安排
    #[oai(path = "/edit", method = "put", operation_id = "editDefenseGroup")]
    async fn edit(&self, caller: Allowed<EditGroup>, Body(edit): Body<Edit<DefenseGroupForm>>) -> Result<Reply<Saved>> {
        let id = edit.id;
        let mut tx = caller.begin().await?;
        let change = form::update(&mut tx, &edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除答辩组
    #[oai(path = "/delete", method = "delete", operation_id = "deleteDefenseGroup")]
    async fn delete(
        &self,
        caller: Allowed<DeleteGroup>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除答辩组
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteDefenseGroups")]
    async fn delete_many(&self, caller: Allowed<DeleteGroups>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "defense_group");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }
}

/// The operations on groups and defences.
pub(crate) fn api() -> impl OpenApi {
    (GroupList, arrange::Arranging, record::Recording)
}

/// # Errors
/// 409 for a group that is arranged.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    tx.lock("defense_group", id).await?;
    let found = DefenseGroups::find(tx, id, scope).await?;
    if found.status != DefenseGroupStatus::Draft || found.slot_count > 0 {
        return Err(Error::conflict(format!("“{}”已安排{}名学生，不能删除", found.form.name, found.slot_count)));
    }
    sqlx::query!("delete from defense_member where group_id = $1", id).execute(&mut **tx).await?;
    tx.remove("defense_group", id, &found.form.name).await?;
    Ok(Change::deleted("defense_group", id, &found.form))
}
