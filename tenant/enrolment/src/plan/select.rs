//! How plans are read, with their lines and figures.

use infra::{
    App, Result, Scope,
    across::{Key, KeyQuery, Keyed},
    clock::Moment,
    files, mask,
    naming::sought_word,
};
use majors::major::StudyForm;
use poem_openapi::Object;
use sqlx::PgConnection;

use super::{SiteEnrollmentStatus, SiteEnrollments};

/// A site's plan, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteEnrollment {
    /// 编号
    pub id: i64,
    /// 招生批次
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 教学站点
    pub site_id: i64,
    /// 站点编码
    pub site_code: String,
    /// 站点
    pub site_name: String,
    /// 专业数
    pub major_count: i64,
    /// 申报总数
    pub quota_applied: i64,
    /// 核定总数
    /// 核定前为空
    pub quota_approved: Option<i64>,
    /// 已录取
    pub admitted: i64,
    /// 已报到
    pub reported: i64,
    /// 完成率
    /// 已录取占核定总数的百分比，一位小数；没有核定人数时为空
    pub completion_rate: Option<f64>,
    /// 状态
    pub status: SiteEnrollmentStatus,
    /// 提交时间
    pub submitted_at: Option<Moment>,
    /// 联系人
    pub contact_name: Option<String>,
    /// 联系电话
    pub contact_phone: Option<String>,
    /// 备注
    pub remark: Option<String>,
    /// 审核意见
    pub review_remark: Option<String>,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl SiteEnrollment {
    /// As everybody sees it; the whole number is one call for one plan (05 E4).
    pub(super) fn mask(&mut self) {
        self.contact_phone = self.contact_phone.as_deref().map(mask::phone);
    }
}

/// How many people of a major.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteEnrollmentLine {
    /// 编号
    pub id: i64,
    /// 招生专业
    pub enrollment_major_id: i64,
    /// 专业代码
    pub major_code: String,
    /// 专业
    pub major_name: String,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 计划数
    pub quota: i32,
    /// 剩余计划
    /// 其他站点核定后剩余的人数；只有数据范围为全校的人员可见
    pub remaining: Option<i64>,
    /// 申报人数
    pub quota_applied: i32,
    /// 核定人数
    pub quota_approved: Option<i32>,
    /// 已录取
    pub admitted: i64,
    /// 已报到
    pub reported: i64,
}

/// A plan with what only its own page needs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteEnrollmentView {
    #[oai(flatten)]
    pub plan: SiteEnrollment,
    /// 申报专业
    pub lines: Vec<SiteEnrollmentLine>,
    /// 站点容量
    pub capacity: i32,
    /// 在籍人数
    pub student_count: i64,
    /// 附件
    pub attachment_key: Option<String>,
    /// 附件文件名
    pub attachment_name: Option<String>,
    /// 附件地址
    pub attachment_url: Option<String>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteEnrollmentFilter {
    /// 招生批次
    pub batch_id: Option<i64>,
    /// 站点
    pub site_id: Option<i64>,
    /// 站点编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 状态
    pub status: Option<SiteEnrollmentStatus>,
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
}

impl Keyed for SiteEnrollments {
    type Filter = SiteEnrollmentFilter;
    type Row = SiteEnrollment;

    fn id(row: &SiteEnrollment) -> i64 {
        row.id
    }

    fn states(filter: &SiteEnrollmentFilter) -> Vec<(&'static str, SiteEnrollmentFilter)> {
        let of = |status: SiteEnrollmentStatus| SiteEnrollmentFilter { status: Some(status), ..filter.clone() };
        SiteEnrollmentStatus::CHOICES.iter().map(|(_, status)| (status.as_str(), of(*status))).collect()
    }

    async fn matching(
        connection: &mut PgConnection,
        filter: &SiteEnrollmentFilter,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select p.id, p.created_at, count(*) over () as "total!"
               from site_enrollment p join site s on s.id = p.site_id
               where ($1::bigint[] is null or p.site_id = any($1))
                 and ($2::bigint is null or p.batch_id = $2)
                 and ($3::bigint is null or p.site_id = $3)
                 and ($4::text is null or strpos(s.name, $4) > 0 or starts_with(lower(s.code), lower($4)))
                 and ($5::text is null or p.status = $5)
                 and ($6::bigint is null or p.id = $6)
                 and ($7::timestamptz is null or p.created_at <= $7)
                 and ($10::text is null or strpos(lower(s.code), $10) > 0 or strpos(lower(s.name), $10) > 0)
               order by p.created_at desc, p.id
               limit $8 offset $9"#,
            scope.sites(),
            filter.batch_id,
            filter.site_id,
            filter.keyword,
            filter.status.map(SiteEnrollmentStatus::as_str),
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset,
            sought_word(filter.site_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], _scope: &Scope) -> sqlx::Result<Vec<SiteEnrollment>> {
        sqlx::query_as!(
            SiteEnrollment,
            r#"select p.id, p.batch_id, b.name as batch_name, p.site_id, s.code as site_code, s.name as site_name,
                      lines.majors as "major_count!", lines.applied as "quota_applied!", lines.approved as quota_approved,
                      people.admitted as "admitted!",
                      (select count(*) from registration r
                       where r.enrollment_major_id in (select id from enrollment_major where batch_id = p.batch_id)
                         and r.site_id = p.site_id and r.status = 'reported' and r.deleted_at is null) as "reported!",
                      round(100.0 * people.admitted / nullif(lines.approved, 0), 1)::float8 as completion_rate,
                      p.status as "status: _", p.submitted_at, p.contact_name, p.contact_phone, p.remark, p.review_remark,
                      p.created_at, p.version
               from site_enrollment p
               join enrollment_batch b on b.id = p.batch_id
               join site s on s.id = p.site_id
               cross join lateral (
                   select count(*) as majors, coalesce(sum(n.quota_applied), 0) as applied, sum(n.quota_approved) as approved
                   from site_enrollment_line n where n.site_enrollment_id = p.id) lines
               cross join lateral (
                   select count(*) as admitted from admission a
                   where a.enrollment_major_id in (select id from enrollment_major where batch_id = p.batch_id)
                     and a.site_id = p.site_id and a.status in ('assigned', 'audited')
                     and a.deleted_at is null) people
               where p.id = any($1)"#,
            ids
        )
        .fetch_all(connection)
        .await
    }
}

/// The plan as the trail keeps it, which the site reads too: without what other sites leave of a major.
pub(super) async fn kept(connection: &mut PgConnection, plan: SiteEnrollment) -> Result<SiteEnrollmentView> {
    viewed(connection, plan, &Scope::limited(Vec::new(), Vec::new())).await
}

/// A plan with its lines. What other sites leave of a major is told to those alone who may see these sites.
pub(super) async fn viewed(
    connection: &mut PgConnection,
    plan: SiteEnrollment,
    scope: &Scope,
) -> Result<SiteEnrollmentView> {
    let lines = sqlx::query_as!(
        SiteEnrollmentLine,
        r#"select n.id, n.enrollment_major_id, m.code as major_code, m.name as major_name, l.name as level_name,
                  m.study_form as "study_form: _", e.quota,
                  case when $2 then e.quota - (
                      select coalesce(sum(o.quota_approved), 0) from site_enrollment_line o
                      where o.enrollment_major_id = e.id and o.site_enrollment_id <> $1) end as remaining,
                  n.quota_applied, n.quota_approved,
                  (select count(*) from admission a
                   where a.enrollment_major_id = e.id and a.site_id = p.site_id and a.status in ('assigned', 'audited')
                     and a.deleted_at is null) as "admitted!",
                  (select count(*) from registration r
                   where r.enrollment_major_id = e.id and r.site_id = p.site_id and r.status = 'reported'
                     and r.deleted_at is null) as "reported!"
           from site_enrollment_line n
           join site_enrollment p on p.id = n.site_enrollment_id
           join enrollment_major e on e.id = n.enrollment_major_id
           join major m on m.id = e.major_id
           join level l on l.id = e.level_id
           where n.site_enrollment_id = $1
           order by l.sort_no, l.code, m.code"#,
        plan.id,
        scope.is_whole()
    )
    .fetch_all(&mut *connection)
    .await?;
    let beside = sqlx::query!(
        r#"select s.capacity, (select count(*) from student t where t.site_id = s.id and t.active) as "students!",
                  (select o.key from file_object o where o.id = p.attachment_id) as key,
                  (select o.original_name from file_object o where o.id = p.attachment_id) as original_name
           from site_enrollment p join site s on s.id = p.site_id where p.id = $1"#,
        plan.id
    )
    .fetch_one(connection)
    .await?;
    Ok(SiteEnrollmentView {
        plan,
        lines,
        capacity: beside.capacity,
        student_count: beside.students,
        attachment_key: beside.key,
        attachment_name: beside.original_name,
        attachment_url: None,
    })
}

/// The short-lived address of a plan's attachment.
pub(super) async fn address(app: &App, connection: &mut PgConnection, id: i64) -> Result<Option<String>> {
    let file = sqlx::query_scalar!("select attachment_id from site_enrollment where id = $1", id)
        .fetch_optional(&mut *connection)
        .await?
        .flatten();
    let Some(file) = file else { return Ok(None) };
    Ok(files::address(app, connection, file).await?.map(|(url, _)| url))
}
