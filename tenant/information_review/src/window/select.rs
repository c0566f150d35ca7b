//! How windows are read.

use information_review_rules::window::phase;
use infra::{Error, Result, clock::Moment};
use poem_openapi::Object;
use sqlx::PgConnection;

use crate::enums::{InformationKind, InformationWindowPhase};

/// A window, as stored and as shown.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase")]
pub struct InformationWindow {
    /// 编号
    pub id: i64,
    /// 年级编号
    pub grade_ids: Vec<i64>,
    /// 年级
    pub grade_names: Vec<String>,
    /// 开始时间
    pub opens_at: Moment,
    /// 截止时间
    pub closes_at: Moment,
    /// 承诺书
    pub template_text: Option<String>,
    /// 承诺书版本
    /// 修改承诺书时加一；已签署的保留原文
    pub template_version: i32,
    /// 需要签名
    pub require_signature: bool,
    /// 需要人脸核验
    pub require_face: bool,
    /// 启用
    pub enabled: bool,
    /// 采集阶段
    pub phase: InformationWindowPhase,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// The windows of a kind, the newest first.
///
/// # Errors
/// Those of the database.
pub(crate) async fn all(
    connection: &mut PgConnection,
    kind: InformationKind,
    now: Moment,
) -> Result<Vec<InformationWindow>> {
    select(connection, kind, None, now).await
}

/// One window of a kind.
///
/// # Errors
/// 404 when there is none.
pub(super) async fn find(
    connection: &mut PgConnection,
    kind: InformationKind,
    id: i64,
    now: Moment,
) -> Result<InformationWindow> {
    select(connection, kind, Some(id), now).await?.pop().ok_or_else(Error::not_found)
}

async fn select(
    connection: &mut PgConnection,
    kind: InformationKind,
    only: Option<i64>,
    now: Moment,
) -> Result<Vec<InformationWindow>> {
    let rows = sqlx::query!(
        r#"select w.id, w.opens_at, w.closes_at, w.template_text, w.template_version, w.require_signature, w.require_face,
                  w.enabled, w.created_at, w.version,
                  array(select g.id from information_window_grade o join grade g on g.id = o.grade_id
                        where o.information_window_id = w.id order by g.entry_year, g.code) as "grade_ids!",
                  array(select g.name from information_window_grade o join grade g on g.id = o.grade_id
                        where o.information_window_id = w.id order by g.entry_year, g.code) as "grade_names!: Vec<String>"
           from information_window w
           where w.kind = $1 and ($2::bigint is null or w.id = $2)
           order by w.created_at desc, w.id desc"#,
        kind.as_str(),
        only
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| InformationWindow {
            id: row.id,
            grade_ids: row.grade_ids,
            grade_names: row.grade_names,
            opens_at: row.opens_at,
            closes_at: row.closes_at,
            template_text: row.template_text,
            template_version: row.template_version,
            require_signature: row.require_signature,
            require_face: row.require_face,
            enabled: row.enabled,
            phase: phase(row.enabled, row.opens_at, row.closes_at, now),
            created_at: row.created_at,
            version: row.version,
        })
        .collect())
}
