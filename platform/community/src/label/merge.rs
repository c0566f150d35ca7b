//! 合并: labels fall together in one.

use community_rules::{
    enums::LabelType,
    label::{merged, of_one_type},
};
use infra::{Change, Error, Result, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;

/// `{fromIds, toId}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommunityLabelMerge {
    /// 被合并的标签
    #[oai(validator(min_items = 1, max_items = 200))]
    pub from_ids: Vec<i64>,
    /// 合并到
    pub to_id: i64,
}

impl Example for CommunityLabelMerge {
    fn example() -> Self {
        Self { from_ids: vec![1], to_id: 2 }
    }
}

/// What bore one of them bears the other, once; they go.
///
/// # Errors
/// 422 at `fromIds` for the label itself or one of another type; 404 for one that is gone.
pub(super) async fn merge(tx: &mut Tx, wanted: &CommunityLabelMerge) -> Result<Vec<Change>> {
    let (from, to) = (merged(&wanted.from_ids, wanted.to_id)?, wanted.to_id);
    let mut all = from.clone();
    all.push(to);
    let labels = sqlx::query!(
        r#"select id, label_name, label_type as "label_type: LabelType" from platform.community_label
           where id = any($1) order by id for update"#,
        &all
    )
    .fetch_all(&mut **tx)
    .await?;
    if labels.len() != all.len() {
        return Err(Error::not_found());
    }
    of_one_type(labels.iter().map(|label| label.label_type))?;
    sqlx::query!(
        "insert into platform.blog_label (blog_id, label_id)
         select distinct blog_id, $2::bigint from platform.blog_label where label_id = any($1)
         on conflict on constraint blog_label_key do nothing",
        &from,
        to
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.blog_label where label_id = any($1)", &from).execute(&mut **tx).await?;
    sqlx::query!(
        "insert into platform.community_question_label (question_id, label_id)
         select distinct question_id, $2::bigint from platform.community_question_label where label_id = any($1)
         on conflict on constraint community_question_label_key do nothing",
        &from,
        to
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!("delete from platform.community_question_label where label_id = any($1)", &from)
        .execute(&mut **tx)
        .await?;
    sqlx::query!("delete from platform.community_label where id = any($1)", &from).execute(&mut **tx).await?;
    let names: Vec<&str> =
        labels.iter().filter(|label| label.id != to).map(|label| label.label_name.as_str()).collect();
    let mut changes = vec![Change::event("community_label", to, "merge", json!({ "labelNames": names }))];
    changes.extend(
        labels.iter().filter(|label| label.id != to).map(|label| {
            Change::event("community_label", label.id, "delete", json!({ "labelName": label.label_name }))
        }),
    );
    Ok(changes)
}
