//! 教室: the rooms of a site, in which it teaches and examines (part 03 A2).
//!
//! A room lies where its site lies, also in the data scope: a person of some sites sees their rooms, a person of some
//! classes the rooms of the classes' sites.

mod form;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, History, Ids, Paged, Part, Reply, Result,
    Saved, Scope, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    naming::sought_word,
    options::{Asked, OptionItem, Source},
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
pub use unit_rules::classroom::{ClassroomForm, ClassroomType};

pub(crate) use sheet::ClassroomImport;

use form::{insert, update};

permissions! {
    pages "/schoolPC/basicData/site", "/platformPC/basicData/site";
    EachSchool Reads       ListClassrooms        = "adult:pc:classroom:list" "教室列表";
    EachSchool Reads       ViewClassroom         = "adult:pc:classroom:view" "查看教室";
    EachSchool Writes      SaveClassroom         = "adult:pc:classroom:save" "新增教室";
    EachSchool Writes      EditClassroom         = "adult:pc:classroom:edit" "编辑教室";
    EachSchool Writes      DeleteClassroom       = "adult:pc:classroom:delete" "删除教室";
    EachSchool Writes      DeleteClassrooms      = "adult:pc:classroom:batchDel" "批量删除教室";
    EachSchool Writes      ChangeClassroomStatus = "adult:pc:classroom:update:status" "启用停用教室";
    EachSchool ReadsLogged ExportClassrooms      = "adult:pc:classroom:export" "导出教室";
    EachSchool Writes      ImportClassrooms      = "adult:pc:classroom:import" "导入教室";
    EachSchool Reads       FetchClassroomSheet   = "adult:pc:classroom:import" "导入教室";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ClassroomType::ENUMERATION],
    entities: &[Entity { table: "classroom", name: "教室", counted: "间教室" }],
    jobs: &[export_job::<Classrooms>(), import_job::<ByRow<ClassroomImport>>()],
    histories: &[History { table: "classroom", code: "adult:pc:classroom:view", scope: Some(("site_id", None)) }],
    options: &[Source::new("classroom", |connection, asked| Box::pin(options(connection, asked)))
        .below("教室的站点")
        .with::<ClassroomFields>()],
    ..Part::NONE
};

/// A room, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Classroom {
    /// 编号
    pub id: i64,
    /// 站点
    pub site_id: i64,
    /// 站点名称
    pub site_name: String,
    /// 楼宇
    pub building: String,
    /// 房间号
    pub room_no: String,
    /// 名称
    pub name: String,
    /// 类型
    pub room_type: ClassroomType,
    /// 容量
    pub capacity: i32,
    /// 考试容量
    pub exam_capacity: Option<i32>,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassroomFilter {
    /// 名称、楼宇或房间号
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
    /// 类型
    pub room_type: Option<ClassroomType>,
    /// 启用
    pub enabled: Option<bool>,
}

pub struct Classrooms;

#[OpenApi(prefix_path = "/adult/pc/classroom", tag = "crate::Tag::Units")]
impl Classrooms {
    /// 教室列表
    #[oai(path = "/list", method = "post", operation_id = "listClassrooms")]
    async fn list(
        &self,
        caller: Allowed<ListClassrooms>,
        Body(asked): Body<Paged<ClassroomFilter>>,
    ) -> Result<Reply<SchoolPage<Classroom>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看教室
    #[oai(path = "/view", method = "get", operation_id = "viewClassroom")]
    async fn view(
        &self,
        caller: Allowed<ViewClassroom>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Classroom>> {
        let mut tx = caller.read().await?;
        Ok(reply(Self::find(&mut tx, id.0, &caller.scope()).await?))
    }

    /// 新增教室
    #[oai(path = "/save", method = "post", operation_id = "saveClassroom")]
    async fn save(&self, caller: Allowed<SaveClassroom>, Body(form): Body<ClassroomForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑教室
    #[oai(path = "/edit", method = "put", operation_id = "editClassroom")]
    async fn edit(
        &self,
        caller: Allowed<EditClassroom>,
        Body(edit): Body<Edit<ClassroomForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit, &caller.scope()).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除教室
    #[oai(path = "/delete", method = "delete", operation_id = "deleteClassroom")]
    async fn delete(
        &self,
        caller: Allowed<DeleteClassroom>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除教室
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteClassrooms")]
    async fn delete_many(&self, caller: Allowed<DeleteClassrooms>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "classroom");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用教室
    #[oai(path = "/update/status", method = "put", operation_id = "changeClassroomStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeClassroomStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        Self::find(&mut tx, wanted.id, &caller.scope()).await?;
        let change = tx.set_enabled("classroom", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出教室
    #[oai(path = "/export", method = "post", operation_id = "exportClassrooms")]
    async fn export(
        &self,
        caller: Allowed<ExportClassrooms>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ClassroomFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 教室导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchClassroomImportTemplate")]
    async fn template(&self, caller: Allowed<FetchClassroomSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<ClassroomImport>, _>(&caller).await
    }

    /// 导入教室
    #[oai(path = "/import", method = "post", operation_id = "importClassrooms")]
    async fn import(&self, caller: Allowed<ImportClassrooms>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<ClassroomImport>>(&caller, form).await
    }
}

impl Keyed for Classrooms {
    type Filter = ClassroomFilter;
    type Row = Classroom;

    fn id(row: &Classroom) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ClassroomFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select r.id, r.created_at, count(*) over () as "total!"
               from classroom r join site s on s.id = r.site_id
               where ($1::bigint[] is null or r.site_id = any($1)
                      or exists (select from class c where c.site_id = r.site_id and c.id = any($2::bigint[])))
                 and ($3::text is null or strpos(r.name, $3) > 0 or strpos(r.building, $3) > 0
                      or starts_with(lower(r.room_no), lower($3)))
                 and ($4::bigint is null or r.site_id = $4)
                 and ($11::text is null or r.site_id = any(array(
                          select x.id from site x where strpos(lower(x.code), $11) > 0 or strpos(lower(x.name), $11) > 0)))
                 and ($5::text is null or r.room_type = $5)
                 and ($6::boolean is null or r.enabled = $6)
                 and ($7::bigint is null or r.id = $7)
                 and ($8::timestamptz is null or r.created_at <= $8)
               order by case when $8::timestamptz is null then s.code end, case when $8::timestamptz is null then r.building end,
                        case when $8::timestamptz is null then r.room_no end, r.created_at desc, r.id
               limit $9 offset $10"#,
            scope.sites(),
            scope.classes(),
            filter.keyword,
            filter.site_id,
            filter.room_type.map(ClassroomType::as_str),
            filter.enabled,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset,
            sought_word(filter.site_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Classroom>> {
        sqlx::query_as!(
            Classroom,
            r#"select r.id, r.site_id, s.name as site_name, r.building, r.room_no, r.name, r.room_type as "room_type: _", r.capacity,
                      r.exam_capacity, r.enabled, r.version
               from classroom r join site s on s.id = r.site_id
               where r.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = Classrooms::find(tx, id, scope).await?;
    tx.remove("classroom", id, &before.name).await?;
    Ok(Change::deleted("classroom", id, &before))
}

/// What a room has as an option.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
struct ClassroomFields {
    /// 站点
    site_id: Option<i64>,
}

/// The rooms of a site for selectors.
pub(crate) async fn options(connection: &mut PgConnection, asked: &Asked) -> Result<Vec<OptionItem>> {
    let rows = sqlx::query!(
        r#"select r.id, r.room_no, r.name, r.enabled, r.site_id from classroom r
           where (r.enabled or not $2)
             and ($1::text is null or strpos(r.name, $1) > 0 or starts_with(lower(r.room_no), lower($1))
                  or starts_with(r.initials, lower($1)))
             and ($3::bigint is null or r.site_id = $3)
             and ($4::bigint[] is null or r.site_id = any($4)
                  or exists (select from class c where c.site_id = r.site_id and c.id = any($5::bigint[])))
           order by r.site_id, r.building, r.room_no limit 200"#,
        asked.keyword,
        asked.only_enabled,
        asked.parent_id,
        asked.scope.sites(),
        asked.scope.classes()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let fields = ClassroomFields { site_id: Some(row.site_id) };
            OptionItem::of(row.id, row.name, row.room_no, row.enabled).below(row.site_id).with(&fields)
        })
        .collect())
}
