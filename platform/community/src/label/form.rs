//! What an operator types of a label, how it is written, and how one is hung on what a learner sends.

use community_rules::{enums::LabelType, label::chosen};
use infra::{Change, Edit, Error, OnConstraint, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};
use site_content::removal::remove;

use super::list::find;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommunityLabelForm {
    /// 标签名称
    #[oai(validator(max_length = 10))]
    pub label_name: String,
    /// 类型
    /// 已被引用的标签不能修改
    pub label_type: LabelType,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for CommunityLabelForm {
    fn example() -> Self {
        Self { label_name: "备考经验".to_owned(), label_type: LabelType::Blog, enabled: true }
    }
}

fn taken(constraint: &str) -> Option<Error> {
    (constraint == "community_label_taken").then(|| Error::field("labelName", "标签名称已存在"))
}

impl CommunityLabelForm {
    /// # Errors
    /// 422 for a name of blanks.
    fn tidy(mut self) -> Result<Self> {
        self.label_name = tidy(&self.label_name);
        if self.label_name.is_empty() { Err(Error::field("labelName", "请填写标签名称")) } else { Ok(self) }
    }
}

pub(crate) async fn insert(tx: &mut Tx, form: CommunityLabelForm) -> Result<(i64, Change)> {
    let form = form.tidy()?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.community_label (label_name, label_type, enabled, created_by, updated_by)
         values ($1, $2, $3, $4, $4) returning id",
        form.label_name,
        form.label_type.as_str(),
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(taken)?;
    Ok((id, Change::created("community_label", id, &form)))
}

/// # Errors
/// 409 for another type of a label that something bears, or when somebody else changed it meanwhile; 422 for a name that another has.
pub(super) async fn update(tx: &mut Tx, edit: Edit<CommunityLabelForm>) -> Result<Change> {
    let (id, version, form) = (edit.id, edit.version, edit.form.tidy()?);
    tx.lock("community_label", id).await?;
    let before = find(tx, id).await?;
    if before.ref_count > 0 && before.label_type != form.label_type {
        return Err(Error::conflict("标签已被引用，不能修改类型"));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.community_label set label_name = $3, label_type = $4, enabled = $5, updated_at = now(), updated_by = $6,
                version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.label_name,
        form.label_type.as_str(),
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(taken)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("community_label", id).await);
    }
    let after = find(tx, id).await?;
    Ok(Change::edited("community_label", id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    tx.lock("community_label", id).await?;
    let before = find(tx, id).await?;
    remove(tx, "community_label", id, &before.label_name, &before).await
}

/// The labels that somebody chose, which nobody merges or changes until the transaction ends.
///
/// # Errors
/// 422 at `labelIds` for too many of them, and for one that is not there, switched off or of another type.
pub(crate) async fn held(tx: &mut Tx, ids: &[i64], kind: LabelType) -> Result<Vec<i64>> {
    let wanted = chosen(ids)?;
    let known = sqlx::query_scalar!(
        "select id from platform.community_label where id = any($1) and label_type = $2 and enabled order by id for share",
        &wanted,
        kind.as_str()
    )
    .fetch_all(&mut **tx)
    .await?;
    if known.len() == wanted.len() {
        Ok(known)
    } else {
        Err(Error::field("labelIds", "所选标签不存在或已停用，请重新选择"))
    }
}
