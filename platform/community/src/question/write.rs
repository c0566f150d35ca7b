//! A learner asks.

use community_rules::{
    enums::{CommunityStatus, LabelType},
    writing::{titled, written},
};
use infra::{Change, Result, RichText, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;

use crate::label;

/// What a learner sends.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommunityQuestionForm {
    /// 标题
    #[oai(validator(max_length = 60))]
    pub title: String,
    /// 内容
    pub content: RichText,
    /// 标签
    /// 最多5个
    #[oai(default, validator(max_items = 5))]
    pub label_ids: Vec<i64>,
}

impl Example for CommunityQuestionForm {
    fn example() -> Self {
        Self {
            title: "英语统考怎么准备".to_owned(),
            content: RichText::cleaned("<p>基础较弱，三个月够吗？</p>"),
            label_ids: Vec::new(),
        }
    }
}

/// A question whose words were looked at.
#[derive(Debug, Clone)]
pub struct NewQuestion {
    pub form: CommunityQuestionForm,
    /// The learner, and the name under which they ask.
    pub learner: (i64, String),
    pub status: CommunityStatus,
    pub ip: Option<String>,
}

impl CommunityQuestionForm {
    /// The form as it is looked at for words.
    ///
    /// # Errors
    /// 422 at the field.
    pub(crate) fn checked(mut self) -> Result<Self> {
        self.title = titled(&self.title)?;
        written(&self.content)?;
        Ok(self)
    }
}

/// Keeps a question. Answers its number.
///
/// # Errors
/// 422 at `labelIds` for a label that cannot be chosen.
pub async fn ask(tx: &mut Tx, new: NewQuestion) -> Result<(i64, Change)> {
    let NewQuestion { form, learner: (learner, name), status, ip } = new;
    let labels = label::held(tx, &form.label_ids, LabelType::Question).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.community_question (title, content, learner_id, learner_name, audit_status, ip, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        form.title,
        form.content.as_str(),
        learner,
        name,
        status.as_str(),
        ip,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.community_question_label (question_id, label_id)
         select $1::bigint, l.id from unnest($2::bigint[]) as l (id)",
        id,
        &labels
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "title": form.title, "auditStatus": status.as_str() });
    Ok((id, Change::event("community_question", id, "insert", what)))
}
