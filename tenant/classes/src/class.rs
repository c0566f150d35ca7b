//! 班级: students of one grade, level, major and site (part 03 A4). Who sits in which class is the students' module's.
//!
//! The study form follows from the major. The number in the name comes from a counter that never goes back, so that the
//! number of a deleted class does not return. Classes lie in the data scope, by site or by class.

mod cohort;
pub mod create;
mod form;
pub mod generate;
pub mod graduation;
mod manager;
mod options;
pub(crate) mod roll_over;
mod seats;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, Error, History, Ids, Paged, Part, Reply,
    Result, Saved, Scope, Sorted, Tx,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    clock::Moment,
    enumeration,
    naming::resolve_id,
    options::Source,
    permissions, reply,
    setting::Settings,
    transfer::{self, Exported, export_job},
};
use majors::major::StudyForm;
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

pub use cohort::Cohort;
pub use manager::{ManagedClass, class_managers, class_set_manager, managed_classes};
use options::{ClassFields, options};
pub use options::{KnownClass, by_code};
pub use seats::{Seats, class_seats, default_capacity, seats_of_classes};
pub use sheet::ClassRows;

pub use form::ClassForm;
use form::{insert, update};

permissions! {
    pages "/schoolPC/basicData/classes", "/platformPC/basicData/classes";
    EachSchool Reads       ListClasses       = "adult:pc:class:list" "班级列表";
    EachSchool Reads       ViewClass         = "adult:pc:class:view" "查看班级";
    InSchool   Writes      SaveClass         = "adult:pc:class:save" "新增班级";
    InSchool   Writes      EditClass         = "adult:pc:class:edit" "编辑班级";
    InSchool   Writes      DeleteClass       = "adult:pc:class:delete" "删除班级";
    InSchool   Writes      DeleteClasses     = "adult:pc:class:batchDel" "批量删除班级";
    InSchool   Writes      ChangeClassStatus = "adult:pc:class:update:status" "启用停用班级";
    EachSchool ReadsLogged ExportClasses     = "adult:pc:class:export" "导出班级";
    InSchool   Writes      ImportClasses     = "adult:pc:class:import" "导入班级";
    InSchool   Reads       FetchClassSheet   = "adult:pc:class:import" "导入班级";
}

pub const PART: Part = Part {
    enumerations: &[ClassSort::ENUMERATION],
    permissions: &[PERMISSIONS, generate::PERMISSIONS],
    entities: &[Entity { table: "class", name: "班级", counted: "个班级" }],
    jobs: &[export_job::<Classes>()],
    histories: &[History { table: "class", code: "adult:pc:class:view", scope: Some(("site_id", Some("id"))) }],
    options: &[Source::new("class", |connection, asked| Box::pin(options(connection, asked)))
        .below("班级的站点")
        .with::<ClassFields>()],
    option_pages: PAGES,
    settings: &[Settings { group: "teaching", settings: &[seats::CLASS_CAPACITY_DEFAULT] }],
    ..Part::NONE
};

/// A class, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Class {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 年级
    pub grade_id: i64,
    /// 年级名称
    pub grade_name: String,
    /// 层次
    pub level_id: i64,
    /// 层次名称
    pub level_name: String,
    /// 专业
    pub major_id: i64,
    /// 专业名称
    pub major_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 站点
    pub site_id: i64,
    /// 站点名称
    pub site_name: String,
    /// 班主任
    pub manager_id: Option<i64>,
    /// 班主任姓名
    pub manager_name: Option<String>,
    /// 序号
    pub seq: i32,
    /// 容量
    pub capacity: i32,
    /// 人数
    pub student_count: i64,
    /// 毕业时间
    /// 最后一名在籍学生离校之后的当晚
    pub graduated_at: Option<Moment>,
    /// 启用
    pub enabled: bool,
    /// 备注
    pub remark: Option<String>,
    /// 版本
    pub version: i32,
}

impl Class {
    fn cohort(&self) -> Cohort {
        Cohort { grade_id: self.grade_id, level_id: self.level_id, major_id: self.major_id, site_id: self.site_id }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ClassFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 站点
    pub site_id: Option<i64>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
    /// 班主任
    pub manager_id: Option<i64>,
    /// 启用
    pub enabled: Option<bool>,
}

enumeration! {
    /// 班级排序字段
    pub enum ClassSort = "classSort" {
        Code = "code" "编码",
        Name = "name" "名称",
        GradeName = "gradeName" "年级",
        MajorName = "majorName" "专业",
        SiteName = "siteName" "站点",
        ManagerName = "managerName" "班主任",
        Capacity = "capacity" "容量",
        StudentCount = "studentCount" "人数",
    }
}

pub struct Classes;

#[OpenApi(prefix_path = "/adult/pc/class", tag = "crate::Tag::Classes")]
impl Classes {
    /// 班级列表
    #[oai(path = "/list", method = "post", operation_id = "listClasses")]
    async fn list(
        &self,
        caller: Allowed<ListClasses>,
        Body(asked): Body<Sorted<ClassFilter, ClassSort>>,
    ) -> Result<Reply<SchoolPage<Class>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看班级
    #[oai(path = "/view", method = "get", operation_id = "viewClass")]
    async fn view(
        &self,
        caller: Allowed<ViewClass>,
        /// 编号
        id: Query<Option<i64>>,
        /// 编码
        code: Query<Option<String>>,
    ) -> Result<Reply<Class>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "class", id.0, code.0).await?;
        Ok(reply(Self::find(&mut tx, id, &caller.scope()).await?))
    }

    /// 新增班级
    #[oai(path = "/save", method = "post", operation_id = "saveClass")]
    async fn save(&self, caller: Allowed<SaveClass>, Body(form): Body<ClassForm>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form, &caller.scope(), None).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑班级
    #[oai(path = "/edit", method = "put", operation_id = "editClass")]
    async fn edit(&self, caller: Allowed<EditClass>, Body(edit): Body<Edit<ClassForm>>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit, &caller.scope()).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除班级
    #[oai(path = "/delete", method = "delete", operation_id = "deleteClass")]
    async fn delete(
        &self,
        caller: Allowed<DeleteClass>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除班级
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteClasses")]
    async fn delete_many(&self, caller: Allowed<DeleteClasses>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "class");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用班级
    #[oai(path = "/update/status", method = "put", operation_id = "changeClassStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeClassStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        Self::find(&mut tx, wanted.id, &caller.scope()).await?;
        if wanted.enabled {
            at_open_site(&mut tx, wanted.id).await?;
        }
        let change = tx.set_enabled("class", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出班级
    #[oai(path = "/export", method = "post", operation_id = "exportClasses")]
    async fn export(
        &self,
        caller: Allowed<ExportClasses>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<ClassFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

impl Keyed for Classes {
    type Filter = ClassFilter;
    type Row = Class;

    fn id(row: &Class) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &ClassFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([
            filter.grade_text.as_deref(),
            filter.level_text.as_deref(),
            filter.major_text.as_deref(),
            filter.site_text.as_deref(),
        ]);
        sqlx::query_as!(
            Key,
            r#"select c.id, c.created_at, count(*) over () as "total!"
               from class c join major m on m.id = c.major_id
               where ($1::bigint[] is null or c.site_id = any($1) or c.id = any($2::bigint[]))
                 and ($3::text is null or strpos(c.name, $3) > 0 or starts_with(lower(c.code), lower($3)))
                 and ($4::bigint is null or c.grade_id = $4)
                 and ($5::bigint is null or c.level_id = $5)
                 and ($6::bigint is null or c.major_id = $6)
                 and ($7::text is null or m.study_form = $7)
                 and ($8::bigint is null or c.site_id = $8)
                 and ($9::boolean is null or c.enabled = $9)
                 and ($10::bigint is null or c.manager_id = $10)
                 and (($11::text[])[1] is null or c.grade_id = any(array(
                          select x.id from grade x where strpos(lower(x.code), ($11::text[])[1]) > 0 or strpos(lower(x.name), ($11::text[])[1]) > 0)))
                 and (($11::text[])[2] is null or c.level_id = any(array(
                          select x.id from level x where strpos(lower(x.code), ($11::text[])[2]) > 0 or strpos(lower(x.name), ($11::text[])[2]) > 0)))
                 and (($11::text[])[3] is null or c.major_id = any(array(
                          select x.id from major x where strpos(lower(x.code), ($11::text[])[3]) > 0 or strpos(lower(x.name), ($11::text[])[3]) > 0)))
                 and (($11::text[])[4] is null or c.site_id = any(array(
                          select x.id from site x where strpos(lower(x.code), ($11::text[])[4]) > 0 or strpos(lower(x.name), ($11::text[])[4]) > 0)))
                 and ($12::bigint is null or c.id = $12)
                 and ($13::timestamptz is null or c.created_at <= $13)
               order by case when $13::timestamptz is null then c.code end, c.created_at desc, c.id
               limit $14 offset $15"#,
            scope.sites(),
            scope.classes(),
            filter.keyword,
            filter.grade_id,
            filter.level_id,
            filter.major_id,
            filter.study_form.map(StudyForm::as_str),
            filter.site_id,
            filter.enabled,
            filter.manager_id,
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<Class>> {
        sqlx::query_as!(
            Class,
            r#"select c.id, c.code, c.name, c.grade_id, g.name as grade_name, c.level_id, l.name as level_name, c.major_id,
                      m.name as major_name, m.study_form as "study_form: _", c.site_id, s.name as site_name, c.manager_id,
                      (select w.name from class_manager w where w.id = c.manager_id) as manager_name, c.seq, c.capacity,
                      (select count(*) from student t where t.class_id = c.id and t.active) as "student_count!",
                      c.graduated_at, c.enabled, c.remark, c.version
               from class c
               join grade g on g.id = c.grade_id
               join level l on l.id = c.level_id
               join major m on m.id = c.major_id
               join site s on s.id = c.site_id
               where c.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// Whether the site of a class stands: one that was closed has no class in use (part 03 A2). Whoever closes it waits.
///
/// # Errors
/// 409 at a closed site.
async fn at_open_site(tx: &mut Tx, id: i64) -> Result<()> {
    let site = sqlx::query!(
        r#"select s.name, s.status = 'closed' as "closed!" from class c join site s on s.id = c.site_id
           where c.id = $1 for share of s"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    match site {
        Some(site) if site.closed => Err(Error::conflict(format!("站点“{}”已撤销，不能启用班级", site.name))),
        Some(_) | None => Ok(()),
    }
}

/// Only a class that never had a student goes.
async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    tx.lock("class", id).await?;
    let before = Classes::find(tx, id, scope).await?;
    let once_here = sqlx::query_scalar!(
        r#"select count(distinct student_id) as "count!" from student_status_change
           where before @> jsonb_build_object('classId', $1::bigint) or after @> jsonb_build_object('classId', $1::bigint)"#,
        id
    )
    .fetch_one(&mut **tx)
    .await?;
    tx.remove("class", id, &before.name).await?;
    if once_here > 0 {
        return Err(Error::conflict(format!("“{}”曾有{once_here}名学生，不能删除", before.name)));
    }
    Ok(Change::deleted("class", id, &before))
}
