//! What an operator types of a recommendation, and how it is written.

use community_rules::enums::{RecommendPlace, RecommendRef};
use infra::{Change, Edit, Error, OnConstraint, Result, Tx};
use poem_openapi::{Object, types::Example};

use super::list::find;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommunityRecommendForm {
    /// 推荐对象
    pub ref_type: RecommendRef,
    /// 对象编号
    pub ref_id: i64,
    /// 位置
    pub position: RecommendPlace,
    /// 排序
    /// 同一位置中从小到大排列；拖动列表中的行也可调整
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn first() -> i32 {
    1
}

fn on() -> bool {
    true
}

impl Example for CommunityRecommendForm {
    fn example() -> Self {
        Self { ref_type: RecommendRef::Blog, ref_id: 1, position: RecommendPlace::Home, sort: 1, enabled: true }
    }
}

fn explain(constraint: &str) -> Option<Error> {
    (constraint == "community_recommend_taken").then(|| Error::conflict("该内容在此位置已有推荐"))
}

impl CommunityRecommendForm {
    /// The columns of the three kinds, of which one is meant.
    fn columns(&self) -> [Option<i64>; 3] {
        let of = |kind| (self.ref_type == kind).then_some(self.ref_id);
        [of(RecommendRef::Blog), of(RecommendRef::Question), of(RecommendRef::Blogger)]
    }

    /// # Errors
    /// 409 for what is gone; 422 for what visitors do not see.
    async fn is_seen(&self, tx: &mut Tx) -> Result<()> {
        let seen = match self.ref_type {
            RecommendRef::Blog => {
                sqlx::query_scalar!(
                    r#"select b.audit_status = 'approved' and b.putaway = 'on' and g.enabled as "seen!"
                       from platform.blog b join platform.blogger g on g.id = b.blogger_id where b.id = $1 for share of b"#,
                    self.ref_id
                )
                .fetch_optional(&mut **tx)
                .await?
            }
            RecommendRef::Question => {
                sqlx::query_scalar!(
                    r#"select audit_status = 'approved' as "seen!" from platform.community_question where id = $1 for share"#,
                    self.ref_id
                )
                .fetch_optional(&mut **tx)
                .await?
            }
            RecommendRef::Blogger => {
                sqlx::query_scalar!(
                    r#"select enabled as "seen!" from platform.blogger where id = $1 for share"#,
                    self.ref_id
                )
                .fetch_optional(&mut **tx)
                .await?
            }
        };
        match seen {
            Some(true) => Ok(()),
            Some(false) => Err(Error::field("refId", "所选内容未在网站上展示，请重新选择")),
            None => Err(Error::conflict(format!("{}不存在或已被删除，请刷新", self.ref_type.zh()))),
        }
    }
}

pub(crate) async fn insert(tx: &mut Tx, form: &CommunityRecommendForm) -> Result<(i64, Change)> {
    form.is_seen(tx).await?;
    let [blog, question, blogger] = form.columns();
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.community_recommend (ref_type, blog_id, question_id, blogger_id, position, sort, enabled, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.ref_type.as_str(),
        blog,
        question,
        blogger,
        form.position.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok((id, Change::created("community_recommend", id, form)))
}

/// # Errors
/// As of a new one, unless it goes on showing the same; 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<CommunityRecommendForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    tx.lock("community_recommend", id).await?;
    let before = find(tx, id).await?;
    if (before.ref_type, before.ref_id) != (form.ref_type, form.ref_id) {
        form.is_seen(tx).await?;
    }
    let [blog, question, blogger] = form.columns();
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.community_recommend set ref_type = $3, blog_id = $4, question_id = $5, blogger_id = $6, position = $7,
                sort = $8, enabled = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.ref_type.as_str(),
        blog,
        question,
        blogger,
        form.position.as_str(),
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("community_recommend", id).await);
    }
    let after = find(tx, id).await?;
    Ok(Change::edited("community_recommend", id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    tx.remove("community_recommend", id, &before.name).await?;
    Ok(Change::deleted("community_recommend", id, &before))
}
