//! 发放, 作废 and 补办.

use certificate_rules::{
    enums::CertificateStatus,
    steps::{CertificateTurn, after},
};
use chrono::NaiveDate;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Error, OnConstraint, Reply, Result, Saved, Scope, Tx, across::Keyed,
    files::adopt_kind, reply,
};
use poem_openapi::{Object, OpenApi, types::Example};
use serde_json::json;

use super::{Certificates, IssueCertificates, ReissueCertificate, VoidCertificate, select::Certificate};
use crate::offered::void;

const SIGNATURE: [&str; 3] = ["jpg", "jpeg", "png"];
const SIGNATURE_MB: i64 = 2;

/// To whom certificates are handed.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CertificateIssue {
    /// 证书
    #[oai(validator(min_items = 1, max_items = 500))]
    pub ids: Vec<i64>,
    /// 领取人
    /// 不填为本人
    #[oai(validator(min_length = 2, max_length = 30))]
    pub receiver: Option<String>,
    /// 与本人关系
    /// 不填为本人
    #[oai(validator(min_length = 1, max_length = 20))]
    pub relation: Option<String>,
    /// 领取人证件号
    #[oai(validator(min_length = 5, max_length = 20))]
    pub receiver_id_card_no: Option<String>,
    /// 领取日期
    pub issued_on: NaiveDate,
    /// 签名图片
    /// 只用于一本证书
    #[oai(validator(max_length = 200))]
    pub sign_file_key: Option<String>,
}

impl Example for CertificateIssue {
    fn example() -> Self {
        Self {
            ids: vec![1],
            receiver: None,
            relation: None,
            receiver_id_card_no: None,
            issued_on: NaiveDate::default(),
            sign_file_key: None,
        }
    }
}

/// A certificate that is no more.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CertificateVoid {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
    /// 已收回
    /// 已发放的证书必须先收回
    #[oai(default)]
    pub returned: bool,
}

impl Example for CertificateVoid {
    fn example() -> Self {
        Self { id: 1, version: 1, reason: "打印错误".to_owned(), returned: false }
    }
}

/// 证明书 of one that was lost.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CertificateReissue {
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 证明书编号
    #[oai(validator(min_length = 2, max_length = 40))]
    pub number: String,
    /// 原因
    #[oai(validator(min_length = 2, max_length = 200))]
    pub reason: String,
}

impl Example for CertificateReissue {
    fn example() -> Self {
        Self { id: 1, version: 1, number: "证明2028001".to_owned(), reason: "遗失".to_owned() }
    }
}

pub struct Steps;

#[OpenApi(prefix_path = "/adult/pc/certificate", tag = "crate::Tag::Certificates")]
impl Steps {
    /// 发放证书
    #[oai(path = "/issue", method = "put", operation_id = "issueCertificates")]
    async fn issue(
        &self,
        caller: Allowed<IssueCertificates>,
        Body(wanted): Body<CertificateIssue>,
    ) -> Result<Reply<BulkResult>> {
        if wanted.sign_file_key.is_some() && wanted.ids.len() > 1 {
            return Err(Error::field("signFileKey", "签名图片只能用于一本证书"));
        }
        if wanted.issued_on > caller.app().clock().today() {
            return Err(Error::field("issuedOn", "领取日期不能晚于今天"));
        }
        let scope = caller.scope();
        let mut bulk = Bulk::named(caller.begin().await?, "certificate", "holder->>'name'");
        for id in wanted.ids.clone() {
            let outcome = issue(bulk.row().await?, id, &wanted, &scope).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 作废证书
    #[oai(path = "/void", method = "put", operation_id = "voidCertificate")]
    async fn void(
        &self,
        caller: Allowed<VoidCertificate>,
        Body(wanted): Body<CertificateVoid>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, wanted.id, Some(wanted.version), &caller.scope()).await?;
        if before.status == CertificateStatus::Issued && !wanted.returned {
            return Err(Error::conflict("证书已发放，请先收回"));
        }
        let change = void(&mut tx, before.id, before.status, &wanted.reason).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }

    /// 补办证明书
    #[oai(path = "/reissue", method = "put", operation_id = "reissueCertificate")]
    async fn reissue(
        &self,
        caller: Allowed<ReissueCertificate>,
        Body(wanted): Body<CertificateReissue>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = held(&mut tx, wanted.id, Some(wanted.version), &caller.scope()).await?;
        after(before.status, CertificateTurn::Reissue).map_err(Error::conflict)?;
        let (by, now, today) = (tx.by(), tx.app().clock().now(), tx.app().clock().today());
        sqlx::query!(
            "update certificate set reissue_no = $2, reissue_reason = $3, reissued_on = $4, updated_at = $5, updated_by = $6,
                    version = version + 1
             where id = $1",
            wanted.id,
            wanted.number,
            wanted.reason,
            today,
            now as _,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(|constraint| match constraint {
            "certificate_reissue_taken" => Some(Error::field("number", "证明书编号已存在")),
            _ => None,
        })?;
        let change = Change::edited(
            "certificate",
            wanted.id,
            &json!({ "reissueNo": before.reissue_no, "reissueReason": before.reissue_reason }),
            &json!({ "reissueNo": wanted.number, "reissueReason": wanted.reason }),
        );
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// Holds a certificate within the scope.
///
/// # Errors
/// 404 beyond the scope; 409 when it was changed since it was read.
pub(super) async fn held(tx: &mut Tx, id: i64, version: Option<i32>, scope: &Scope) -> Result<Certificate> {
    tx.lock("certificate", id).await?;
    let before = Certificates::find(tx, id, scope).await?;
    if version.is_some_and(|version| version != before.version) {
        return Err(tx.stale("certificate", id).await);
    }
    Ok(before)
}

async fn issue(tx: &mut Tx, id: i64, wanted: &CertificateIssue, scope: &Scope) -> Result<Change> {
    let before = held(tx, id, None, scope).await?;
    let to = after(before.status, CertificateTurn::Issue { imported: before.imported }).map_err(Error::conflict)?;
    let receiver = wanted.receiver.clone().unwrap_or_else(|| before.name.clone());
    let relation = wanted.relation.clone().unwrap_or_else(|| "本人".to_owned());
    let sign = match &wanted.sign_file_key {
        Some(key) => Some(adopt_kind(tx, key, ("certificate", id), &SIGNATURE, SIGNATURE_MB).await?),
        None => None,
    };
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update certificate set status = $2, receiver = $3, receiver_relation = $4, receiver_id_card_no = upper($5), issued_on = $6,
                sign_file_id = $7, updated_at = $8, updated_by = $9, version = version + 1
         where id = $1",
        id,
        to.as_str(),
        receiver,
        relation,
        wanted.receiver_id_card_no,
        wanted.issued_on,
        sign,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(Change::edited(
        "certificate",
        id,
        &json!({ "status": before.status.as_str(), "receiver": before.receiver, "issuedOn": before.issued_on }),
        &json!({ "status": to.as_str(), "receiver": receiver, "issuedOn": wanted.issued_on }),
    ))
}
