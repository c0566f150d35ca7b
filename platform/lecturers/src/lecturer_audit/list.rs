//! How applications are read.

use chrono::NaiveDate;
use futures_util::TryStreamExt;
use infra::{
    Error, Paging, Result,
    across::Segment,
    clock::{Moment, day_began, day_ended},
    mask,
    transfer::Rows,
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::LecturerAuditStatus;

/// An application to teach.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct LecturerAudit {
    /// 编号
    pub id: i64,
    /// 学员编号
    pub learner_id: i64,
    /// 姓名
    pub lecturer_name: String,
    /// 手机
    pub phone: String,
    /// 邮箱
    pub email: Option<String>,
    /// 职位
    pub position: Option<String>,
    /// 头像
    pub head_img: Option<String>,
    /// 简介
    pub introduce: Option<String>,
    /// 分成比例
    pub lecturer_proportion: f64,
    /// 审核状态
    pub audit_status: LecturerAuditStatus,
    /// 审核意见
    pub audit_opinion: Option<String>,
    /// 审核人
    pub auditor_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 申请时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

impl LecturerAudit {
    /// As lists show them; the whole values are one call for one person (05 E4).
    pub fn mask(&mut self) {
        self.phone = mask::phone(&self.phone);
        self.email = self.email.as_deref().map(mask::email);
    }
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct LecturerAuditFilter {
    /// 姓名或手机
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 审核状态
    pub audit_status: Option<LecturerAuditStatus>,
    /// 申请日期起
    pub created_from: Option<NaiveDate>,
    /// 申请日期止
    pub created_to: Option<NaiveDate>,
}

/// Those that wait before all others, then the newest.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &LecturerAuditFilter,
    page: Option<Paging>,
) -> Rows<'c, LecturerAudit> {
    let rows = sqlx::query_as!(
        LecturerAudit,
        r#"select a.id, a.learner_id, a.lecturer_name, a.phone, a.email, a.position, a.head_img, a.introduce,
                  a.lecturer_proportion::float8 as "lecturer_proportion!", a.audit_status as "audit_status: _", a.audit_opinion,
                  (select u.real_name from platform.sys_user u where u.id = a.audited_by) as "auditor_name?", a.audited_at,
                  a.created_at, a.version
           from platform.lecturer_audit a
           where ($1::bigint is null or a.id = $1)
             and ($2::text is null or strpos(a.lecturer_name, $2) > 0 or starts_with(a.initials, lower($2)) or a.phone = $2)
             and ($3::text is null or a.audit_status = $3)
             and ($4::timestamptz is null or a.created_at >= $4)
             and ($5::timestamptz is null or a.created_at < $5)
           order by a.audit_status = 'pending' desc, a.created_at desc, a.id desc limit $6 offset $7"#,
        only,
        filter.keyword,
        filter.audit_status.map(LecturerAuditStatus::as_str),
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows)
}

/// How many applications are in each state, whichever of them the filter wants.
pub(super) async fn segments(connection: &mut PgConnection, filter: &LecturerAuditFilter) -> Result<Vec<Segment>> {
    let segments = sqlx::query_as!(
        Segment,
        r#"select a.audit_status as "value!", count(*) as "count!" from platform.lecturer_audit a
           where ($1::text is null or strpos(a.lecturer_name, $1) > 0 or starts_with(a.initials, lower($1)) or a.phone = $1)
             and ($2::timestamptz is null or a.created_at >= $2)
             and ($3::timestamptz is null or a.created_at < $3)
           group by a.audit_status order by a.audit_status"#,
        filter.keyword,
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_all(connection)
    .await?;
    Ok(segments)
}

pub(super) async fn find(connection: &mut PgConnection, id: i64) -> Result<LecturerAudit> {
    let found = select(connection, Some(id), &LecturerAuditFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
