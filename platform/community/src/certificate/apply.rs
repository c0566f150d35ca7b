//! A learner asks for a certificate.

use std::collections::HashSet;

use community_rules::enums::CertType;
use infra::{
    Change, Error, OnConstraint, Result, Tx,
    files::{Takes, adopt_of},
    naming::tidy,
};
use poem_openapi::{Object, types::Example};
use serde_json::json;

/// Of the uploads: pictures of papers that say who somebody is.
const PURPOSE: &str = "identity";

/// What a learner sends.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommunityCertificateForm {
    /// 认证类型
    pub cert_type: CertType,
    /// 认证名称
    #[oai(validator(max_length = 20))]
    pub title: String,
    /// 证明材料
    /// 以 /user/client/upload 按用途 identity 上传的私有附件，1至5个
    #[oai(validator(min_items = 1, max_items = 5))]
    pub proof_keys: Vec<String>,
}

impl Example for CommunityCertificateForm {
    fn example() -> Self {
        Self {
            cert_type: CertType::Teacher,
            title: "中学英语教师".to_owned(),
            proof_keys: vec!["private/platform/202611/0123456789abcdefghijklmnopqrstuv.jpg".to_owned()],
        }
    }
}

/// A learner asks for a certificate under a name. Answers its number.
///
/// # Errors
/// 422 at the field for a blank name and for a file that was not uploaded; 409 while another of theirs waits.
pub async fn apply(
    tx: &mut Tx,
    (learner, name): (i64, String),
    mut form: CommunityCertificateForm,
) -> Result<(i64, Change)> {
    let title = tidy(&form.title);
    if title.is_empty() {
        return Err(Error::field("title", "请填写认证名称"));
    }
    // Who sends a proof twice has sent one.
    let mut once = HashSet::new();
    form.proof_keys.retain(|key| once.insert(key.clone()));
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.community_certificate (learner_id, learner_name, cert_type, title, proof_keys, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $6) returning id",
        learner,
        name,
        form.cert_type.as_str(),
        title,
        &form.proof_keys,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "community_certificate_pending_once").then(|| Error::conflict("您的认证正在审核，请耐心等待"))
    })?;
    for key in &form.proof_keys {
        adopt_of(tx, key, ("community_certificate", id), PURPOSE, Takes::Paper).await.map_err(at_proofs)?;
    }
    let what = json!({ "certType": form.cert_type.as_str(), "title": title, "proofCount": form.proof_keys.len() });
    Ok((id, Change::event("community_certificate", id, "insert", what)))
}

/// The refusal of a file, at the field that names it.
fn at_proofs(error: Error) -> Error {
    if error.code == 422 { Error::field("proofKeys", error.msg) } else { error }
}
