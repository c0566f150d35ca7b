//! 录取计划对比: how many of each major are at which site, against what was planned (02 §6).

use enrolment::batch::EnrollmentBatchStatus;
use infra::{Allowed, Error, Reply, Result, Scope, reply};
use majors::major::StudyForm;
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::{PgConnection, types::Json};

use super::ListAdmissions;

/// How many of a major a site has.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize, Object)]
#[serde(rename_all = "camelCase")]
#[oai(rename_all = "camelCase")]
pub struct SiteAdmissions {
    /// 站点编号
    pub site_id: i64,
    /// 站点
    pub site_name: String,
    /// 核定人数
    /// 没有核定时为空
    pub quota: Option<i64>,
    /// 录取人数
    pub admitted: i64,
}

/// A major of the batch with its sites.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MajorAdmissions {
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
    /// 录取人数
    /// 不含不予入学和已注销，数据范围内的站点
    pub admitted: i64,
    /// 待分配人数
    /// 只有数据范围为全校的人员可见
    pub unassigned: Option<i64>,
    /// 站点
    pub sites: Vec<SiteAdmissions>,
}

/// What was planned of a batch, and who was admitted.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct AdmissionQuota {
    /// 招生批次
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 批次状态
    pub status: EnrollmentBatchStatus,
    /// 专业
    pub majors: Vec<MajorAdmissions>,
}

pub struct Quotas;

#[OpenApi(prefix_path = "/adult/pc/admission", tag = "crate::Tag::Admission")]
impl Quotas {
    /// 录取计划对比
    #[oai(path = "/quota", method = "get", operation_id = "viewAdmissionQuota")]
    async fn quota(
        &self,
        caller: Allowed<ListAdmissions>,
        /// 招生批次
        #[oai(name = "batchId")]
        batch_id: Query<i64>,
    ) -> Result<Reply<AdmissionQuota>> {
        let mut tx = caller.read().await?;
        Ok(reply(quota(&mut tx, batch_id.0, &caller.scope()).await?))
    }
}

async fn quota(connection: &mut PgConnection, batch: i64, scope: &Scope) -> Result<AdmissionQuota> {
    let known = sqlx::query!(
        r#"select name, status as "status: EnrollmentBatchStatus" from enrollment_batch where id = $1"#,
        batch
    )
    .fetch_optional(&mut *connection)
    .await?
    .ok_or_else(Error::not_found)?;
    let rows = sqlx::query!(
        r#"with people as (
               select enrollment_major_id, site_id, count(*) as admitted from admission
               where batch_id = $1 and status in ('imported', 'assigned', 'audited') and deleted_at is null
                 and ($2::bigint[] is null or site_id = any($2))
               group by enrollment_major_id, site_id),
           planned as (
               select n.enrollment_major_id, p.site_id, n.quota_approved as quota
               from site_enrollment p join site_enrollment_line n on n.site_enrollment_id = p.id
               where p.batch_id = $1 and p.status = 'approved' and ($2::bigint[] is null or p.site_id = any($2)))
           select e.id, m.code, m.name, l.name as level_name, m.study_form as "study_form: StudyForm", e.quota,
                  (select coalesce(sum(a.admitted), 0)::bigint from people a where a.enrollment_major_id = e.id) as "admitted!",
                  case when $2::bigint[] is null then coalesce((select a.admitted from people a
                      where a.enrollment_major_id = e.id and a.site_id is null), 0) end as unassigned,
                  (select coalesce(json_agg(json_build_object('siteId', s.id, 'siteName', s.name, 'quota', w.quota,
                                                              'admitted', coalesce(a.admitted, 0)) order by s.code), '[]')
                   from site s
                   left join planned w on w.site_id = s.id and w.enrollment_major_id = e.id
                   left join people a on a.site_id = s.id and a.enrollment_major_id = e.id
                   where w.site_id is not null or a.site_id is not null) as "sites!: Json<Vec<SiteAdmissions>>"
           from enrollment_major e
           join major m on m.id = e.major_id
           join level l on l.id = e.level_id
           where e.batch_id = $1
           order by l.sort_no, l.code, m.code"#,
        batch,
        scope.sites()
    )
    .fetch_all(connection)
    .await?;
    let majors = rows.into_iter().map(|row| MajorAdmissions {
        enrollment_major_id: row.id,
        major_code: row.code,
        major_name: row.name,
        level_name: row.level_name,
        study_form: row.study_form,
        quota: row.quota,
        admitted: row.admitted,
        unassigned: row.unassigned,
        sites: row.sites.0,
    });
    Ok(AdmissionQuota { batch_id: batch, batch_name: known.name, status: known.status, majors: majors.collect() })
}
