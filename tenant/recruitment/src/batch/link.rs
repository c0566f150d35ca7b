//! 报名链接: where people find the form of a batch, and its renewal (02 §2). Whoever has the address may open the form; an old one
//! opens nothing.

use field_attributes::{
    attribute::{FormField, form_of},
    enums::FieldStage,
    stage::StageFields,
};
use infra::{Allowed, App, Body, Change, Error, Public, Reply, Result, RichText, Saved, Scope, clock::Moment, reply};
use people::{account::OwnerKind, setting::client_url};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use recruitment_rules::phase::phase;
use serde_json::json;
use sqlx::PgConnection;

use super::{ResetBatchLink, lock, select::PreRegistrationBatchView};
use crate::{
    enums::BatchPhase,
    pre_registration::offer::{BatchOffer, Offer, shown},
};

/// Without signs that are mistaken for others when somebody types a link.
const SIGNS: &[u8] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// A new 报名链接码.
pub(crate) fn new_token(app: &App) -> String {
    app.random().text(SIGNS, 12)
}

/// The batch whose link becomes another.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct ResetLink {
    /// 编号
    id: i64,
}

impl Example for ResetLink {
    fn example() -> Self {
        Self { id: 1 }
    }
}

/// What somebody sees who opens the link of a batch.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PublicForm {
    /// 年级
    grade_name: String,
    /// 开始时间
    starts_at: Moment,
    /// 结束时间
    ends_at: Moment,
    /// 阶段
    phase: BatchPhase,
    /// 需审核
    need_audit: bool,
    /// 报名须知
    notice: Option<RichText>,
    /// 字段
    fields: Vec<FormField>,
    #[oai(flatten)]
    offer: BatchOffer,
}

pub struct Links;

#[OpenApi(prefix_path = "/adult/pc/preRegistrationBatch", tag = "crate::Tag::Recruitment")]
impl Links {
    /// 重置报名链接
    /// 原链接和二维码随即失效
    #[oai(path = "/resetToken", method = "put", operation_id = "resetPreRegistrationLink")]
    async fn reset(&self, caller: Allowed<ResetBatchLink>, Body(wanted): Body<ResetLink>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        lock(&mut tx, wanted.id, caller.app().clock().now()).await?;
        let (token, by) = (new_token(caller.app()), tx.by());
        sqlx::query!(
            "update pre_registration_batch set public_token = $2, updated_at = now(), updated_by = $3, version = version + 1
             where id = $1",
            wanted.id,
            token,
            by
        )
        .execute(&mut *tx)
        .await?;
        tx.commit(Change::event("pre_registration_batch", wanted.id, "reset_link", json!({}))).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

pub struct PublicForms;

#[OpenApi(prefix_path = "/user/client/publicPreRegistration", tag = "crate::Tag::Recruitment")]
impl PublicForms {
    /// 公开报名表单
    #[oai(path = "/form", method = "get", operation_id = "viewPublicPreRegistrationForm")]
    async fn form(
        &self,
        caller: Public,
        /// 报名链接码
        #[oai(name = "publicToken", validator(max_length = 12))]
        public_token: Query<String>,
    ) -> Result<Reply<PublicForm>> {
        let invalid = || Error::new(404, "报名链接已失效");
        let (app, now) = (&caller.app, caller.app.clock().now());
        app.school_of_host(&caller.visit.host).await?.ok_or_else(invalid)?;
        let mut tx = caller.at_host().await?;
        let batch = sqlx::query!(
            r#"select b.id, g.name as grade_name, b.starts_at, b.ends_at, b.need_audit, b.enabled, b.notice as "notice: RichText"
               from pre_registration_batch b join grade g on g.id = b.grade_id where b.public_token = $1"#,
            public_token.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(invalid)?;
        let stage = StageFields::load(app, &mut tx, FieldStage::PreRegistration).await?;
        // Only what can be chosen now.
        let mut offer = shown(Offer::load(&mut tx, batch.id).await?, &Scope::whole_school());
        offer.majors.retain(|major| major.enabled);
        offer.sites.retain(|site| site.active);
        Ok(reply(PublicForm {
            grade_name: batch.grade_name,
            starts_at: batch.starts_at,
            ends_at: batch.ends_at,
            phase: phase(batch.enabled, batch.starts_at, batch.ends_at, now),
            need_audit: batch.need_audit,
            notice: batch.notice,
            fields: form_of(&stage),
            offer,
        }))
    }
}

/// Says where the form of a batch is; nowhere while the school has told no address of the students' client.
///
/// # Errors
/// When the setting cannot be read.
pub(super) async fn tell(
    connection: &mut PgConnection,
    batch: &mut PreRegistrationBatchView,
    domain: Option<&str>,
) -> Result<()> {
    let client = match client_url(connection, OwnerKind::Student, domain).await {
        Ok(client) => client,
        Err(error) if error.code == 409 => return Ok(()),
        Err(error) => return Err(error),
    };
    let client = client.trim_end_matches('/');
    batch.link = Some(format!("{client}/preRegistration?publicToken={}", batch.public_token));
    Ok(())
}
