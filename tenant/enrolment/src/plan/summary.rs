//! 按专业汇总: what of each major the sites took on.

use infra::{Allowed, Body, Reply, Result, reply};
use majors::major::StudyForm;
use poem_openapi::{Object, OpenApi, types::Example};

use super::ListSiteEnrollments;

/// Of which batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MajorSummaryOf {
    /// 招生批次
    pub batch_id: i64,
}

impl Example for MajorSummaryOf {
    fn example() -> Self {
        Self { batch_id: 1 }
    }
}

/// A major with what its sites took on.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct MajorSummary {
    /// 招生专业
    pub id: i64,
    /// 专业代码
    pub major_code: String,
    /// 专业
    pub major_name: String,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 计划
    pub quota: i32,
    /// 申报
    /// 数据范围内的站点
    pub applied: i64,
    /// 已分配
    /// 数据范围内的站点
    pub allocated: i64,
    /// 剩余
    /// 只有数据范围为全校的人员可见
    pub remaining: Option<i64>,
    /// 站点数
    pub site_count: i64,
    /// 录取
    /// 不含不予入学和已注销，数据范围内的站点
    pub admitted: i64,
    /// 报到
    /// 数据范围内的站点
    pub reported: i64,
}

pub struct Summary;

#[OpenApi(prefix_path = "/adult/pc/siteEnrollment", tag = "crate::Tag::Enrolment")]
impl Summary {
    /// 站点招生按专业汇总
    #[oai(path = "/majorSummary", method = "post", operation_id = "summarizeSiteEnrollments")]
    async fn summary(
        &self,
        caller: Allowed<ListSiteEnrollments>,
        Body(asked): Body<MajorSummaryOf>,
    ) -> Result<Reply<Vec<MajorSummary>>> {
        let scope = caller.scope();
        let mut tx = caller.read().await?;
        let rows = sqlx::query_as!(
            MajorSummary,
            r#"select e.id, m.code as major_code, m.name as major_name, l.name as level_name, m.study_form as "study_form: _",
                      e.quota, sites.applied as "applied!", sites.allocated as "allocated!",
                      case when $2::bigint[] is null then e.quota - sites.allocated end as remaining,
                      sites.plans as "site_count!",
                      (select count(*) from admission a
                       where a.enrollment_major_id = e.id and a.deleted_at is null and a.status not in ('rejected', 'cancelled')
                         and ($2::bigint[] is null or a.site_id = any($2))) as "admitted!",
                      (select count(*) from registration r
                       where r.enrollment_major_id = e.id and r.status = 'reported' and r.deleted_at is null
                         and ($2::bigint[] is null or r.site_id = any($2))) as "reported!"
               from enrollment_major e
               join major m on m.id = e.major_id
               join level l on l.id = e.level_id
               cross join lateral (
                   select count(*) as plans, coalesce(sum(n.quota_applied), 0) as applied,
                          coalesce(sum(n.quota_approved), 0) as allocated
                   from site_enrollment_line n join site_enrollment p on p.id = n.site_enrollment_id
                   where n.enrollment_major_id = e.id and ($2::bigint[] is null or p.site_id = any($2))) sites
               where e.batch_id = $1
               order by l.sort_no, l.code, m.code"#,
            asked.batch_id,
            scope.sites()
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(rows))
    }
}
