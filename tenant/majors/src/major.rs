//! 学校专业: what a school offers, each mapped to a major of the national catalogue (part 03 A3).

mod form;
mod foundation;
mod options;
mod sheet;

use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, EnabledChange, Entity, History, Ids, Paged, Part, Reply, Result,
    Saved, Scope, Sorted, Tx, Warned,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    enumeration,
    naming::resolve_id,
    options::Source,
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
pub use major_rules::major::{MajorForm, StudyForm};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;

use crate::national_major;

pub use options::{KnownMajor, by_code};
use options::{MajorFields, options};
pub(crate) use sheet::MajorImport;

use form::{Written, insert, update};

permissions! {
    pages "/schoolPC/basicData/major/schoolMajor", "/platformPC/basicData/major/schoolMajor";
    EachSchool Reads       ListMajors        = "adult:pc:major:list" "学校专业列表";
    EachSchool Reads       ViewMajor         = "adult:pc:major:view" "查看学校专业";
    EachSchool Writes      SaveMajor         = "adult:pc:major:save" "新增学校专业";
    EachSchool Writes      EditMajor         = "adult:pc:major:edit" "编辑学校专业";
    EachSchool Writes      DeleteMajor       = "adult:pc:major:delete" "删除学校专业";
    EachSchool Writes      DeleteMajors      = "adult:pc:major:batchDel" "批量删除学校专业";
    EachSchool Writes      ChangeMajorStatus = "adult:pc:major:update:status" "启用停用学校专业";
    EachSchool ReadsLogged ExportMajors      = "adult:pc:major:export" "导出学校专业";
    EachSchool Writes      ImportMajors      = "adult:pc:major:import" "导入学校专业";
    EachSchool Reads       FetchMajorSheet   = "adult:pc:major:import" "导入学校专业";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[StudyForm::ENUMERATION, MajorSort::ENUMERATION],
    entities: &[Entity { table: "major", name: "学校专业", counted: "个专业" }],
    jobs: &[export_job::<Majors>(), import_job::<ByRow<MajorImport>>()],
    histories: &[History { table: "major", code: "adult:pc:major:view", scope: None }],
    options: &[Source::new("major", |connection, asked| Box::pin(options(connection, asked)))
        .below("专业的层次")
        .with::<MajorFields>()],
    option_pages: PAGES,
    foundations: &[foundation::FOUNDATION],
    ..Part::NONE
};

/// A major that the school offers, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Major {
    /// 编号
    pub id: i64,
    /// 校内专业代码
    pub code: String,
    /// 名称
    pub name: String,
    /// 国家专业
    pub national_major_id: i64,
    /// 国家专业代码
    pub national_code: String,
    /// 国家专业名称
    pub national_name: String,
    /// 层次
    pub level_id: i64,
    /// 层次名称
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 专业方向
    pub direction: String,
    /// 学制
    pub schooling_years: f64,
    /// 毕业总学分
    pub total_credits: f64,
    /// 开办学院
    pub organization_id: Option<i64>,
    /// 开办学院名称
    pub organization_name: Option<String>,
    /// 是否授学位
    pub degree_awarded: bool,
    /// 学位
    pub degree: Option<String>,
    /// 学费(分/年)
    pub tuition_per_year: Option<i64>,
    /// 启用
    pub enabled: bool,
    /// 排序
    pub sort_no: i32,
    /// 备注
    pub remark: Option<String>,
    /// 在籍人数
    pub student_count: i64,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct MajorFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 层次
    pub level_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 开办学院
    pub organization_id: Option<i64>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 开办学院
    /// 编码或名称包含；查看全部院校时代替开办学院编号
    #[oai(validator(max_length = 50))]
    pub organization_text: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
}

enumeration! {
    /// 专业排序字段
    pub enum MajorSort = "majorSort" {
        Code = "code" "专业代码",
        Name = "name" "专业名称",
        LevelName = "levelName" "层次",
        SchoolingYears = "schoolingYears" "学制",
        TotalCredits = "totalCredits" "总学分",
        StudentCount = "studentCount" "在籍人数",
    }
}

pub struct Majors;

#[OpenApi(prefix_path = "/adult/pc/major", tag = "crate::Tag::Majors")]
impl Majors {
    /// 学校专业列表
    #[oai(path = "/list", method = "post", operation_id = "listMajors")]
    async fn list(
        &self,
        caller: Allowed<ListMajors>,
        Body(asked): Body<Sorted<MajorFilter, MajorSort>>,
    ) -> Result<Reply<SchoolPage<Major>>> {
        across::list::<Self, _>(&caller, asked.paging()?, asked.filter).await
    }

    /// 查看学校专业
    #[oai(path = "/view", method = "get", operation_id = "viewMajor")]
    async fn view(
        &self,
        caller: Allowed<ViewMajor>,
        /// 编号
        id: Query<Option<i64>>,
        /// 校内专业代码
        code: Query<Option<String>>,
    ) -> Result<Reply<Major>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "major", id.0, code.0).await?;
        Ok(reply(Self::find(&mut tx, id, &caller.scope()).await?))
    }

    /// 新增学校专业
    #[oai(path = "/save", method = "post", operation_id = "saveMajor")]
    async fn save(&self, caller: Allowed<SaveMajor>, Body(form): Body<MajorForm>) -> Result<Reply<Warned>> {
        let national = national_major::chosen(&mut *caller.platform().await?, form.national_major_id).await?;
        let mut tx = caller.begin().await?;
        let Written { id, change, warnings } = insert(&mut tx, form, &national).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 编辑学校专业
    #[oai(path = "/edit", method = "put", operation_id = "editMajor")]
    async fn edit(&self, caller: Allowed<EditMajor>, Body(edit): Body<Edit<MajorForm>>) -> Result<Reply<Warned>> {
        let national = national_major::chosen(&mut *caller.platform().await?, edit.form.national_major_id).await?;
        let mut tx = caller.begin().await?;
        let Written { id, change, warnings } = update(&mut tx, edit, &national).await?;
        tx.commit(change).await?;
        Ok(reply(Warned { id, warnings }))
    }

    /// 删除学校专业
    #[oai(path = "/delete", method = "delete", operation_id = "deleteMajor")]
    async fn delete(
        &self,
        caller: Allowed<DeleteMajor>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除学校专业
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteMajors")]
    async fn delete_many(&self, caller: Allowed<DeleteMajors>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "major");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 启用停用学校专业
    #[oai(path = "/update/status", method = "put", operation_id = "changeMajorStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeMajorStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("major", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 导出学校专业
    #[oai(path = "/export", method = "post", operation_id = "exportMajors")]
    async fn export(
        &self,
        caller: Allowed<ExportMajors>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<MajorFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 学校专业导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchMajorImportTemplate")]
    async fn template(&self, caller: Allowed<FetchMajorSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<MajorImport>, _>(&caller).await
    }

    /// 导入学校专业
    #[oai(path = "/import", method = "post", operation_id = "importMajors")]
    async fn import(&self, caller: Allowed<ImportMajors>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<MajorImport>>(&caller, form).await
    }
}

impl Keyed for Majors {
    type Filter = MajorFilter;
    type Row = Major;

    fn id(row: &Major) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &MajorFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        let texts = infra::naming::sought([filter.level_text.as_deref(), filter.organization_text.as_deref()]);
        sqlx::query_as!(
            Key,
            r#"select m.id, m.created_at, count(*) over () as "total!"
               from major m
               where ($1::text is null or strpos(m.name, $1) > 0 or starts_with(lower(m.code), lower($1)))
                 and ($2::bigint is null or m.level_id = $2)
                 and ($3::text is null or m.study_form = $3)
                 and ($4::bigint is null or m.organization_id = $4)
                 and ($5::boolean is null or m.enabled = $5)
                 and (($6::text[])[1] is null or m.level_id = any(array(
                          select x.id from level x where strpos(lower(x.code), ($6::text[])[1]) > 0 or strpos(lower(x.name), ($6::text[])[1]) > 0)))
                 and (($6::text[])[2] is null or m.organization_id = any(array(
                          select x.id from organization x where strpos(lower(x.code), ($6::text[])[2]) > 0 or strpos(lower(x.name), ($6::text[])[2]) > 0)))
                 and ($7::bigint is null or m.id = $7)
                 and ($8::timestamptz is null or m.created_at <= $8)
               order by case when $8::timestamptz is null then m.sort_no end, case when $8::timestamptz is null then m.code end,
                        m.created_at desc, m.id
               limit $9 offset $10"#,
            filter.keyword,
            filter.level_id,
            filter.study_form.map(StudyForm::as_str),
            filter.organization_id,
            filter.enabled,
            texts.as_deref() as _,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<Major>> {
        sqlx::query_as!(
            Major,
            r#"select m.id, m.code, m.name, m.national_major_id, m.national_code, m.national_name, m.level_id,
                      l.name as level_name, m.study_form as "study_form: _", m.direction,
                      m.schooling_years::float8 as "schooling_years!", m.total_credits::float8 as "total_credits!",
                      m.organization_id,
                      (select o.name from organization o where o.id = m.organization_id) as organization_name,
                      m.degree_awarded, m.degree, m.tuition_per_year, m.enabled, m.sort_no, m.remark,
                      (select count(*) from student s where s.major_id = m.id and s.active
                         and ($2::bigint[] is null or s.site_id = any($2) or s.class_id = any($3::bigint[]))) as "student_count!",
                      m.version
               from major m join level l on l.id = m.level_id
               where m.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = Majors::find(tx, id, &Scope::whole_school()).await?;
    tx.remove("major", id, &before.name).await?;
    Ok(Change::deleted("major", id, &before))
}
