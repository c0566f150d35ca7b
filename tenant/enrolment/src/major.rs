//! 招生专业: what a batch recruits for (02 §4). Only a major that was filed for the batch's grade; the authority knows it by a
//! code of its own, which is unique within a level.

mod forecast;
mod form;
mod options;
mod sheet;

use infra::{
    Allowed, Body, Change, Edit, Entity, Error, History, Page, Paged, Part, Reply, Result, Saved, Scope, Tx,
    across::{Key, KeyQuery, Keyed, Listed},
    options::Source,
    permissions, reply,
    transfer::import_job,
};
use majors::major::StudyForm;
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use student_status::enums::ExamCategory;

use crate::batch::running;
pub use form::{EnrollmentMajorForm, EnrollmentMajorSave};
use form::{insert, update};
use options::{EnrollmentMajorFields, options};
pub(crate) use sheet::EnrollmentMajorSheet;

permissions! {
    pages "/schoolPC/recruitStudents/enrollmentBatch";
    InSchool    Reads  ListEnrollmentMajors      = "adult:pc:enrollment:list" "招生批次列表";
    WholeSchool Writes EditEnrollmentMajors      = "adult:pc:enrollment:edit" "编辑招生批次";
    InSchool    Reads  FetchEnrollmentMajorSheet = "adult:pc:enrollment:edit" "编辑招生批次";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "enrollment_major", name: "招生专业", counted: "个招生专业" }],
    jobs: &[import_job::<EnrollmentMajorSheet>()],
    histories: &[History { table: "enrollment_major", code: "adult:pc:enrollment:view", scope: None }],
    options: &[Source::new("enrollmentMajor", |connection, asked| Box::pin(options(connection, asked)))
        .below("招生专业的批次")
        .with::<EnrollmentMajorFields>()],
    ..Part::NONE
};

/// A major of a batch, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct EnrollmentMajor {
    /// 编号
    pub id: i64,
    /// 招生批次
    pub batch_id: i64,
    /// 学校专业
    pub major_id: i64,
    /// 专业代码
    pub major_code: String,
    /// 专业
    pub name: String,
    /// 层次编号
    pub level_id: i64,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 招办专业代码
    pub authority_code: Option<String>,
    /// 招办专业名称
    pub authority_name: Option<String>,
    /// 科类
    pub exam_category: Option<ExamCategory>,
    /// 计划数
    pub quota: i32,
    /// 学费(分/学年)
    pub tuition: i64,
    /// 已分配
    /// 核定给站点的人数，数据范围内的站点
    pub allocated: i64,
    /// 已录取
    /// 不含不予入学和已注销，数据范围内的站点
    pub admitted: i64,
    /// 已报到
    /// 数据范围内的站点
    pub reported: i64,
    /// 完成率
    /// 已录取占计划数的百分比，一位小数；只有数据范围为全校的人员可见，没有计划时为空
    pub completion_rate: Option<f64>,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

impl EnrollmentMajor {
    /// What was typed of it.
    fn as_saved(&self) -> EnrollmentMajorSave {
        EnrollmentMajorSave {
            batch_id: self.batch_id,
            form: EnrollmentMajorForm {
                major_id: self.major_id,
                authority_code: self.authority_code.clone(),
                authority_name: self.authority_name.clone(),
                exam_category: self.exam_category,
                quota: self.quota,
                tuition: self.tuition,
                enabled: self.enabled,
            },
        }
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct EnrollmentMajorFilter {
    /// 招生批次
    pub batch_id: Option<i64>,
    /// 专业代码、名称或招办代码
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 层次
    pub level_id: Option<i64>,
    /// 启用
    pub enabled: Option<bool>,
}

pub struct EnrollmentMajors;

#[OpenApi(prefix_path = "/adult/pc/enrollmentMajor", tag = "crate::Tag::Enrolment")]
impl EnrollmentMajors {
    /// 招生专业列表
    #[oai(path = "/list", method = "post", operation_id = "listEnrollmentMajors")]
    async fn list(
        &self,
        caller: Allowed<ListEnrollmentMajors>,
        Body(asked): Body<Paged<EnrollmentMajorFilter>>,
    ) -> Result<Reply<Page<EnrollmentMajor>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let (total, list) = <Self as Listed>::page(&mut tx, &asked.filter, &caller.scope(), paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 新增招生专业
    #[oai(path = "/save", method = "post", operation_id = "saveEnrollmentMajor")]
    async fn save(
        &self,
        caller: Allowed<EditEnrollmentMajors>,
        Body(save): Body<EnrollmentMajorSave>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, save).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑招生专业
    #[oai(path = "/edit", method = "put", operation_id = "editEnrollmentMajor")]
    async fn edit(
        &self,
        caller: Allowed<EditEnrollmentMajors>,
        Body(edit): Body<Edit<EnrollmentMajorForm>>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除招生专业
    #[oai(path = "/delete", method = "delete", operation_id = "deleteEnrollmentMajor")]
    async fn delete(
        &self,
        caller: Allowed<EditEnrollmentMajors>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }
}

impl Keyed for EnrollmentMajors {
    type Filter = EnrollmentMajorFilter;
    type Row = EnrollmentMajor;

    fn id(row: &EnrollmentMajor) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &EnrollmentMajorFilter,
        _scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select e.id, e.created_at, count(*) over () as "total!"
               from enrollment_major e join major m on m.id = e.major_id join level l on l.id = e.level_id
               where ($1::bigint is null or e.batch_id = $1)
                 and ($2::text is null or strpos(m.name, $2) > 0 or starts_with(lower(m.code), lower($2))
                      or lower(e.authority_code) = lower($2))
                 and ($3::bigint is null or e.level_id = $3)
                 and ($4::boolean is null or e.enabled = $4)
                 and ($5::bigint is null or e.id = $5)
                 and ($6::timestamptz is null or e.created_at <= $6)
               order by case when $6::timestamptz is null then l.sort_no end, case when $6::timestamptz is null then l.code end,
                        case when $6::timestamptz is null then m.code end, e.created_at desc, e.id
               limit $7 offset $8"#,
            filter.batch_id,
            filter.keyword,
            filter.level_id,
            filter.enabled,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<EnrollmentMajor>> {
        sqlx::query_as!(
            EnrollmentMajor,
            r#"select e.id, e.batch_id, e.major_id, m.code as major_code, m.name, e.level_id, l.name as level_name,
                      m.study_form as "study_form: _", e.authority_code, e.authority_name, e.exam_category as "exam_category: _",
                      e.quota, e.tuition,
                      (select coalesce(sum(n.quota_approved), 0) from site_enrollment_line n
                       join site_enrollment p on p.id = n.site_enrollment_id
                       where n.enrollment_major_id = e.id and ($2::bigint[] is null or p.site_id = any($2))) as "allocated!",
                      a.admitted as "admitted!",
                      (select count(*) from registration r where r.enrollment_major_id = e.id and r.status = 'reported'
                         and r.deleted_at is null and ($2::bigint[] is null or r.site_id = any($2))) as "reported!",
                      case when $2::bigint[] is null then round(100.0 * a.admitted / nullif(e.quota, 0), 1)::float8 end
                          as completion_rate,
                      e.enabled, e.version
               from enrollment_major e join major m on m.id = e.major_id join level l on l.id = e.level_id
               cross join lateral (
                   select count(*) as admitted from admission a
                   where a.enrollment_major_id = e.id and a.deleted_at is null and a.status not in ('rejected', 'cancelled')
                     and ($2::bigint[] is null or a.site_id = any($2))) a
               where e.id = any($1)"#,
            ids,
            scope.sites()
        )
        .fetch_all(connection)
        .await
    }
}

/// The operations on majors of batches.
pub(crate) fn api() -> impl OpenApi {
    (EnrollmentMajors, forecast::Forecast, sheet::Sheet)
}

/// The records of majors that were made together. The trail keeps what is typed of a major: whoever opens one reads it, also
/// who sees some sites alone, so it does not tell what sites were granted.
///
/// # Errors
/// Those of the database.
pub(crate) async fn entered(connection: &mut PgConnection, ids: &[i64]) -> Result<Vec<Change>> {
    let made = <EnrollmentMajors as Keyed>::rows(connection, ids, &Scope::whole_school()).await?;
    Ok(made.into_iter().map(|major| Change::created("enrollment_major", major.id, &major.as_saved())).collect())
}

/// The major of a running batch; nobody grants of it meanwhile.
async fn lock(tx: &mut Tx, id: i64) -> Result<EnrollmentMajor> {
    let batch = sqlx::query_scalar!("select batch_id from enrollment_major where id = $1", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    running(tx, batch).await?;
    tx.lock("enrollment_major", id).await?;
    EnrollmentMajors::find(tx, id, &Scope::whole_school()).await
}

/// # Errors
/// 409 when sites plan for it, or people were admitted to it.
async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = lock(tx, id).await?;
    tx.remove("enrollment_major", id, &before.name).await?;
    Ok(Change::deleted("enrollment_major", id, &before.as_saved()))
}
