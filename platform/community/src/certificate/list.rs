//! How certificates are read, and their sheet.

use chrono::NaiveDate;
use community_rules::{
    certificate::is_badge,
    enums::{CertType, CommunityCertificateStatus},
};
use futures_util::TryStreamExt;
use infra::{
    App, Error, Paging, Result, Scope,
    clock::{Moment, day_began, day_ended},
    files,
    sheet::{Cell, Column},
    transfer::{Export, Rows},
};
use poem_openapi::Object;
use sqlx::PgConnection;

use super::CommunityCertificates;

/// What a learner says that they are.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityCertificate {
    /// 编号
    pub id: i64,
    /// 学员编号
    pub learner_id: i64,
    /// 申请人
    pub learner_name: String,
    /// 认证类型
    pub cert_type: CertType,
    /// 认证名称
    pub title: String,
    /// 证明材料数
    pub proof_count: i64,
    /// 认证状态
    pub audit_status: CommunityCertificateStatus,
    /// 审核意见
    pub opinion: Option<String>,
    /// 审核人
    pub auditor_name: Option<String>,
    /// 审核时间
    pub audited_at: Option<Moment>,
    /// 有效期至
    /// 空为长期有效
    pub expires_on: Option<NaiveDate>,
    /// 展示徽章
    /// 审核通过且在有效期内
    pub badge: bool,
    /// 撤销原因
    pub revoke_reason: Option<String>,
    /// 申请时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// A private file that proves it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CertificateProof {
    /// 键
    pub key: String,
    /// 短时地址
    /// 文件已不存在的没有
    pub address: Option<String>,
}

/// A certificate with its proofs.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityCertificateView {
    #[oai(flatten)]
    pub certificate: CommunityCertificate,
    /// 证明材料
    pub proofs: Vec<CertificateProof>,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct CommunityCertificateFilter {
    /// 申请人
    #[oai(validator(max_length = 30))]
    pub learner_name: Option<String>,
    /// 认证名称
    #[oai(validator(max_length = 20))]
    pub title: Option<String>,
    /// 认证类型
    pub cert_type: Option<CertType>,
    /// 认证状态
    pub audit_status: Option<CommunityCertificateStatus>,
    /// 申请日期起
    pub created_from: Option<NaiveDate>,
    /// 申请日期止
    pub created_to: Option<NaiveDate>,
}

/// Those that wait before all others, then the newest.
pub(super) fn select<'c>(
    connection: &'c mut PgConnection,
    today: NaiveDate,
    only: Option<i64>,
    filter: &CommunityCertificateFilter,
    page: Option<Paging>,
) -> Rows<'c, CommunityCertificate> {
    let rows = sqlx::query!(
        r#"select c.id, c.learner_id, c.learner_name, c.cert_type as "cert_type: CertType", c.title,
                  cardinality(c.proof_keys)::bigint as "proof_count!", c.audit_status as "audit_status: CommunityCertificateStatus",
                  c.opinion, (select u.real_name from platform.sys_user u where u.id = c.audited_by) as "auditor_name?",
                  c.audited_at, c.expires_on, c.revoke_reason, c.created_at, c.version
           from platform.community_certificate c
           where ($1::bigint is null or c.id = $1)
             and ($2::text is null or strpos(c.learner_name, $2) > 0)
             and ($3::text is null or strpos(c.title, $3) > 0)
             and ($4::text is null or c.cert_type = $4)
             and ($5::text is null or c.audit_status = $5)
             and ($6::timestamptz is null or c.created_at >= $6)
             and ($7::timestamptz is null or c.created_at < $7)
           order by c.audit_status = 'pending' desc, c.created_at desc, c.id desc limit $8 offset $9"#,
        only,
        filter.learner_name,
        filter.title,
        filter.cert_type.map(CertType::as_str),
        filter.audit_status.map(CommunityCertificateStatus::as_str),
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection)
    .map_ok(move |row| CommunityCertificate {
        id: row.id,
        learner_id: row.learner_id,
        learner_name: row.learner_name,
        cert_type: row.cert_type,
        title: row.title,
        proof_count: row.proof_count,
        audit_status: row.audit_status,
        opinion: row.opinion,
        auditor_name: row.auditor_name,
        audited_at: row.audited_at,
        expires_on: row.expires_on,
        badge: is_badge(row.audit_status, row.expires_on, today),
        revoke_reason: row.revoke_reason,
        created_at: row.created_at,
        version: row.version,
    });
    Box::pin(rows)
}

pub(super) async fn count(connection: &mut PgConnection, filter: &CommunityCertificateFilter) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from platform.community_certificate c
           where ($1::text is null or strpos(c.learner_name, $1) > 0)
             and ($2::text is null or strpos(c.title, $2) > 0)
             and ($3::text is null or c.cert_type = $3)
             and ($4::text is null or c.audit_status = $4)
             and ($5::timestamptz is null or c.created_at >= $5)
             and ($6::timestamptz is null or c.created_at < $6)"#,
        filter.learner_name,
        filter.title,
        filter.cert_type.map(CertType::as_str),
        filter.audit_status.map(CommunityCertificateStatus::as_str),
        filter.created_from.map(day_began),
        filter.created_to.map(day_ended)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

pub(super) async fn find(connection: &mut PgConnection, today: NaiveDate, id: i64) -> Result<CommunityCertificate> {
    let found = select(connection, today, Some(id), &CommunityCertificateFilter::default(), None).try_next().await?;
    found.ok_or_else(Error::not_found)
}

pub(super) async fn view(app: &App, connection: &mut PgConnection, id: i64) -> Result<CommunityCertificateView> {
    let certificate = find(connection, app.clock().today(), id).await?;
    let keys = sqlx::query_scalar!("select proof_keys from platform.community_certificate where id = $1", id)
        .fetch_one(&mut *connection)
        .await?;
    let mut proofs = Vec::with_capacity(keys.len());
    for key in keys {
        let address = files::address_of_key(app, &mut *connection, &key).await?;
        proofs.push(CertificateProof { key, address });
    }
    Ok(CommunityCertificateView { certificate, proofs })
}

impl Export for CommunityCertificates {
    type Filter = CommunityCertificateFilter;
    type Row = CommunityCertificate;
    const KIND: &'static str = "communityCertificate.export";
    type Permission = super::ExportCommunityCertificates;
    const TITLE: &'static str = "认证";
    const COLUMNS: &'static [Column<CommunityCertificate>] = &[
        Column { heading: "申请人", width: 16, cell: |row| Cell::Text(row.learner_name.clone()) },
        Column { heading: "认证类型", width: 10, cell: |row| Cell::Text(row.cert_type.zh().to_owned()) },
        Column { heading: "认证名称", width: 24, cell: |row| Cell::Text(row.title.clone()) },
        Column { heading: "证明材料数", width: 12, cell: |row| Cell::Int(row.proof_count) },
        Column { heading: "认证状态", width: 10, cell: |row| Cell::Text(row.audit_status.zh().to_owned()) },
        Column { heading: "审核意见", width: 30, cell: |row| Cell::text(row.opinion.clone()) },
        Column { heading: "审核人", width: 12, cell: |row| Cell::text(row.auditor_name.clone()) },
        Column { heading: "审核时间", width: 20, cell: |row| Cell::time(row.audited_at) },
        Column { heading: "有效期至", width: 12, cell: |row| Cell::date(row.expires_on) },
        Column { heading: "展示徽章", width: 10, cell: |row| Cell::Bool(row.badge) },
        Column { heading: "撤销原因", width: 30, cell: |row| Cell::text(row.revoke_reason.clone()) },
        Column { heading: "申请时间", width: 20, cell: |row| Cell::DateTime(row.created_at) },
    ];

    async fn rows<'c>(
        app: &App,
        connection: &'c mut PgConnection,
        filter: &CommunityCertificateFilter,
        _scope: &Scope,
    ) -> Result<Rows<'c, CommunityCertificate>> {
        Ok(select(connection, app.clock().today(), None, filter, None))
    }
}
