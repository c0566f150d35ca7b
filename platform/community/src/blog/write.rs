//! A learner writes a blog, and becomes a blogger by the first one.

use catalogue::category::{CategoryType, may_be_chosen};
use community_rules::{
    enums::{ArticleType, CommunityStatus, LabelType},
    writing::{source, summary, titled, written},
};
use infra::{Change, Result, RichText, Tx};
use poem_openapi::{Object, types::Example};
use serde_json::json;

use crate::{blogger, label};

/// What a learner sends.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CommunityBlogForm {
    /// 标题
    #[oai(validator(max_length = 60))]
    pub title: String,
    /// 内容
    pub content: RichText,
    /// 摘要
    /// 不填时取内容的开头
    #[oai(validator(max_length = 200))]
    pub summary: Option<String>,
    /// 封面
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub cover: Option<String>,
    /// 分类
    pub category_id: Option<i64>,
    /// 标签
    /// 最多5个
    #[oai(default, validator(max_items = 5))]
    pub label_ids: Vec<i64>,
    /// 文章类型
    pub article_type: ArticleType,
    /// 原文链接
    /// 转载时必填，以 http:// 或 https:// 开头
    #[oai(validator(max_length = 300, pattern = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    pub source_url: Option<String>,
}

impl Example for CommunityBlogForm {
    fn example() -> Self {
        Self {
            title: "在职备考的三个月".to_owned(),
            content: RichText::cleaned("<p>每天学一小时，周末做真题。</p>"),
            summary: None,
            cover: None,
            category_id: None,
            label_ids: Vec::new(),
            article_type: ArticleType::Original,
            source_url: None,
        }
    }
}

/// A blog whose words were looked at.
#[derive(Debug, Clone)]
pub struct NewBlog {
    pub form: CommunityBlogForm,
    /// The learner, and the name under which they write.
    pub learner: (i64, String),
    pub status: CommunityStatus,
    pub ip: Option<String>,
}

impl CommunityBlogForm {
    /// The form as it is looked at for words: a title that is not blank, a summary, a source where there must be one.
    ///
    /// # Errors
    /// 422 at the field.
    pub(crate) fn checked(mut self) -> Result<Self> {
        self.title = titled(&self.title)?;
        written(&self.content)?;
        self.source_url = source(self.article_type, self.source_url)?;
        self.summary = Some(summary(self.summary, &self.content));
        Ok(self)
    }
}

/// Keeps a blog. Answers its number.
///
/// # Errors
/// 422 at the field for a category or label that cannot be chosen; 409 for a blogger who is switched off.
pub async fn write(tx: &mut Tx, new: NewBlog) -> Result<(i64, Vec<Change>)> {
    let NewBlog { form, learner, status, ip } = new;
    if let Some(category) = form.category_id {
        may_be_chosen(tx, CategoryType::Blog.as_str(), category, None).await?;
    }
    let labels = label::held(tx, &form.label_ids, LabelType::Blog).await?;
    let (blogger, made) = blogger::writing(tx, learner).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.blog (title, content, summary, cover, category_id, blogger_id, article_type, source_url, audit_status,
             ip, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        form.title,
        form.content.as_str(),
        form.summary,
        form.cover,
        form.category_id,
        blogger,
        form.article_type.as_str(),
        form.source_url,
        status.as_str(),
        ip,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into platform.blog_label (blog_id, label_id) select $1::bigint, l.id from unnest($2::bigint[]) as l (id)",
        id,
        &labels
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "title": form.title, "bloggerId": blogger, "auditStatus": status.as_str() });
    let mut changes = vec![Change::event("blog", id, "insert", what)];
    changes.extend(made);
    Ok((id, changes))
}
