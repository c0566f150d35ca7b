//! 报到详情: one person with what was checked, paid, decided and handed in.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use field_attributes::attribute::{FormField, form_of};
use infra::{Allowed, App, Error, Reply, Result, Scope, clock::Moment, files, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use serde_json::Value;
use sqlx::PgConnection;

use super::{
    ViewRegistration, list,
    own::{self, RegistrationFile},
};
use crate::enums::FeeSource;

/// What only the view has beside the line of the list.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationDetail {
    /// 出生日期
    pub birthday: NaiveDate,
    /// 学制
    pub schooling_years: f64,
    /// 年级编号
    pub grade_id: i64,
    /// 层次编号
    pub level_id: i64,
    /// 专业编号
    pub major_id: i64,
    /// 报到开始
    pub report_starts_at: Option<Moment>,
    /// 报到结束
    pub report_ends_at: Option<Moment>,
    /// 缴费时间
    pub paid_at: Option<Moment>,
    /// 缴费来源
    pub fee_source: Option<FeeSource>,
    /// 流水号
    pub trade_no: Option<String>,
    /// 附件文件名
    pub attachment_name: Option<String>,
    /// 报到人
    /// 办理报到的人员
    pub reported_by: Option<String>,
    /// 班级
    pub class_name: Option<String>,
    /// 原报到编号
    /// 由以前的批次保留入学资格而来
    pub previous_id: Option<i64>,
    /// 后续报到编号
    /// 保留入学资格后转入的批次
    pub next_id: Option<i64>,
    /// 在报到时间内
    pub can_report_now: bool,
}

/// A registration as people see it: personal values masked, files as short-lived addresses.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct RegistrationView {
    #[oai(flatten)]
    pub row: list::RegistrationRow,
    #[oai(flatten)]
    pub detail: RegistrationDetail,
    /// 附件地址
    pub attachment_url: Option<String>,
    /// 报到照片地址
    pub photo_url: Option<String>,
    /// 录取照片地址
    pub admission_photo_url: Option<String>,
    /// 本校字段
    /// 学校在报到环节要求填写的自定义字段，按顺序
    pub own_fields: Vec<FormField>,
    /// 自定义字段
    /// 本校字段的值，以字段标识为名
    pub extra: BTreeMap<String, Value>,
    /// 自定义文件
    /// 本校图片和文件字段的文件
    pub files: Vec<RegistrationFile>,
}

pub struct View;

#[OpenApi(prefix_path = "/adult/pc/registration", tag = "crate::Tag::Registration")]
impl View {
    /// 查看报到
    #[oai(path = "/view", method = "get", operation_id = "viewRegistration")]
    async fn view(
        &self,
        caller: Allowed<ViewRegistration>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<RegistrationView>> {
        let mut tx = caller.read().await?;
        Ok(reply(view(caller.app(), &mut tx, id.0, &caller.scope(), Kept::Live).await?))
    }
}

/// Where a registration lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    Live,
    InBin,
}

/// The registration of this id that lies there, if the scope shows it, masked.
///
/// # Errors
/// 404 when there is none, or it lies outside the scope.
pub(crate) async fn view(
    app: &App,
    connection: &mut PgConnection,
    id: i64,
    scope: &Scope,
    kept: Kept,
) -> Result<RegistrationView> {
    let row = list::one(connection, id, scope, kept == Kept::InBin).await?;
    let mut row = row.ok_or_else(Error::not_found)?;
    row.mask();
    let found = sqlx::query!(
        r#"select r.birthday, r.schooling_years::float8 as "schooling_years!", r.grade_id, r.level_id, r.major_id,
                  b.report_starts_at, b.report_ends_at, r.paid_at, r.fee_source as "fee_source: FeeSource", r.trade_no,
                  (select o.original_name from file_object o where o.id = r.attachment_id) as attachment_name,
                  r.attachment_id, r.photo_id, a.photo_id as admission_photo_id, r.reported_by, c.name as "class_name?",
                  r.previous_id,
                  (select n.id from registration n where n.previous_id = r.id and n.deleted_at is null) as next_id,
                  (b.status = 'open' and (b.report_starts_at is null or b.report_starts_at <= $2)
                   and (b.report_ends_at is null or b.report_ends_at > $2)) as "can_report_now!"
           from registration r
           join admission a on a.id = r.admission_id
           join enrollment_batch b on b.id = r.batch_id
           left join student s on s.id = r.student_id
           left join class c on c.id = s.class_id
           where r.id = $1"#,
        id,
        app.clock().now()
    )
    .fetch_one(&mut *connection)
    .await?;
    let own_fields = form_of(&own::asked(app, connection).await?);
    Ok(RegistrationView {
        own_fields,
        extra: row.extra.0.clone(),
        files: own::shown(app, connection, id).await?,
        row,
        attachment_url: address(app, connection, found.attachment_id).await?,
        photo_url: address(app, connection, found.photo_id).await?,
        admission_photo_url: address(app, connection, found.admission_photo_id).await?,
        detail: RegistrationDetail {
            birthday: found.birthday,
            schooling_years: found.schooling_years,
            grade_id: found.grade_id,
            level_id: found.level_id,
            major_id: found.major_id,
            report_starts_at: found.report_starts_at,
            report_ends_at: found.report_ends_at,
            paid_at: found.paid_at,
            fee_source: found.fee_source,
            trade_no: found.trade_no,
            attachment_name: found.attachment_name,
            reported_by: found.reported_by,
            class_name: found.class_name,
            previous_id: found.previous_id,
            next_id: found.next_id,
            can_report_now: found.can_report_now,
        },
    })
}

/// The short-lived address of a file.
pub(super) async fn address(app: &App, connection: &mut PgConnection, file: Option<i64>) -> Result<Option<String>> {
    match file {
        Some(file) => Ok(files::address(app, connection, file).await?.map(|(url, _)| url)),
        None => Ok(None),
    }
}
