//! 新增, 编辑 and 复制 of articles. Title, keywords, text, attachments and video are a draft until they are published; category, place,
//! schools and times are in force at once.

use infra::{Change, Edit, Error, OnConstraint, Result, Tx, access::Caller, clock::Moment, naming::tidy};
use poem_openapi::{Object, types::Example};
use support_rules::{article, enums::SupportAudience, text::ArticleText};

use super::{Record, Text, find, held};
use crate::{author::Author, category, due, files, question, source};

/// Keywords of an article, and characters of one.
const MOST_KEYWORDS: usize = 10;
const LONGEST_KEYWORD: usize = 20;

/// What an editor types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpArticleForm {
    /// 分类
    pub category_id: i64,
    /// 标题
    #[oai(validator(min_length = 2, max_length = 80))]
    pub title: String,
    /// 关键词
    /// 最多10个，每个不超过20个字
    #[oai(default, validator(max_items = 10))]
    pub keywords: Vec<String>,
    /// 正文
    pub content: ArticleText,
    /// 附件编号
    #[oai(default, validator(max_items = 10))]
    pub file_ids: Vec<i64>,
    /// 视频
    pub video_asset_id: Option<i64>,
    /// 适用院校
    /// 仅平台文章；空为全部院校
    #[oai(default, validator(max_items = 1000))]
    pub school_ids: Vec<i64>,
    /// 置顶
    #[oai(default)]
    pub pinned: bool,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 定时下线
    pub offline_at: Option<Moment>,
}

impl Example for HelpArticleForm {
    fn example() -> Self {
        Self {
            category_id: 1,
            title: "如何打印准考证".to_owned(),
            keywords: vec!["准考证".to_owned(), "打印".to_owned()],
            content: ArticleText::written("登录后进入“考试”，点击“打印准考证”。"),
            file_ids: Vec::new(),
            video_asset_id: None,
            school_ids: Vec::new(),
            pinned: false,
            sort: 1,
            offline_at: None,
        }
    }
}

/// A new article.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewHelpArticle {
    /// 复制自
    /// 被复制的文章，其附件可以沿用
    pub copied_from: Option<i64>,
    /// 由咨询转入
    /// 转为文章的咨询
    pub question_id: Option<i64>,
    #[oai(flatten)]
    pub form: HelpArticleForm,
}

impl Example for NewHelpArticle {
    fn example() -> Self {
        Self { copied_from: None, question_id: None, form: HelpArticleForm::example() }
    }
}

/// Writes a draft; of a question it becomes the answer that others find.
///
/// # Errors
/// 400 for a question where none of the audience lie; 404 for one that is not the caller's to see; 409 when five articles of the category
/// are pinned; 422 at the fields that are not right, also for schools for which the caller does not act.
pub(crate) async fn save(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    reach: Option<&question::Reach>,
    new: NewHelpArticle,
) -> Result<i64> {
    let author = Author::of(caller, &mut tx, audience).await?;
    let form = new.form.checked(&author, &mut tx, None).await?;
    category::usable(&mut tx, audience, form.category_id).await?;
    may_be_pinned(&mut tx, &form, None).await?;
    let lent = match new.copied_from {
        Some(from) => {
            held(&mut tx, audience, from).await?;
            files_of(&mut tx, from).await?
        }
        None => Vec::new(),
    };
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into support_article (audience, category_id, title, keywords, content, file_ids, video_asset_id, school_ids, pinned,
             sort, offline_at, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12) returning id",
        audience.as_str(),
        form.category_id,
        form.title,
        &form.keywords,
        form.content.as_str(),
        &form.file_ids,
        form.video_asset_id,
        &form.school_ids,
        form.pinned,
        form.sort,
        form.offline_at,
        by
    )
    .fetch_one(&mut *tx)
    .await
    .on_constraint(explained)?;
    files::keep(&mut tx, ("support_article", id), &form.file_ids, files::ATTACHMENTS, &lent).await?;
    let mut changes = vec![Change::created("support_article", id, &form)];
    if let Some(question) = new.question_id {
        let reach = reach.ok_or_else(Error::malformed)?;
        changes.push(question::became(&mut tx, reach, question, id).await?);
    }
    tx.commit_all(changes).await?;
    goes_offline(caller, &form).await?;
    Ok(id)
}

/// # Errors
/// 404 for an article of another audience, 403 for one of schools for which the caller does not act, 409 when somebody else changed it
/// meanwhile, otherwise as [`save`].
pub(crate) async fn edit(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    edit: Edit<HelpArticleForm>,
) -> Result<i64> {
    let author = Author::of(caller, &mut tx, audience).await?;
    tx.lock("support_article", edit.id).await?;
    let before = author.held(&mut tx, edit.id).await?;
    let form = edit.form.checked(&author, &mut tx, Some(&before)).await?;
    if form.category_id != before.category_id {
        category::usable(&mut tx, audience, form.category_id).await?;
    }
    may_be_pinned(&mut tx, &form, Some((edit.id, &before))).await?;
    let own = files_of(&mut tx, edit.id).await?;
    files::keep(&mut tx, ("support_article", edit.id), &form.file_ids, files::ATTACHMENTS, &own).await?;
    let published = Text::published(&mut tx, edit.id, before.version_no).await?;
    let changed = published.as_ref() != Some(&form.text());
    let by = tx.by();
    let written = sqlx::query!(
        "update support_article set category_id = $3, title = $4, keywords = $5, content = $6, file_ids = $7, video_asset_id = $8,
                school_ids = $9, pinned = $10, sort = $11, offline_at = $12, changed = $13, updated_at = now(), updated_by = $14,
                version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.category_id,
        form.title,
        &form.keywords,
        form.content.as_str(),
        &form.file_ids,
        form.video_asset_id,
        &form.school_ids,
        form.pinned,
        form.sort,
        form.offline_at,
        changed,
        by
    )
    .execute(&mut *tx)
    .await
    .on_constraint(explained)?;
    if written.rows_affected() == 0 {
        return Err(tx.stale("support_article", edit.id).await);
    }
    let after = find(&mut tx, edit.id).await?;
    tx.commit(Change::edited("support_article", edit.id, &before, &after)).await?;
    goes_offline(caller, &form).await?;
    Ok(edit.id)
}

/// Asks for a look when an article that was just committed has a moment to go.
async fn goes_offline(caller: &Caller, form: &HelpArticleForm) -> Result<()> {
    match form.offline_at {
        Some(at) => due::note(caller.app(), caller.session.school_id, at).await,
        None => Ok(()),
    }
}

impl HelpArticleForm {
    fn text(&self) -> Text {
        Text {
            title: self.title.clone(),
            keywords: self.keywords.clone(),
            content: self.content.clone(),
            file_ids: self.file_ids.clone(),
            video_asset_id: self.video_asset_id,
        }
    }

    /// # Errors
    /// 400 for schools of a school's own article, 422 at the fields that are not right.
    async fn checked(mut self, author: &Author, tx: &mut Tx, before: Option<&Record>) -> Result<Self> {
        self.title = tidy(&self.title);
        if self.title.chars().count() < 2 {
            return Err(Error::field("title", "标题不能少于2个字"));
        }
        let mut keywords: Vec<String> = Vec::new();
        for keyword in self.keywords.iter().map(|keyword| tidy(keyword)).filter(|keyword| !keyword.is_empty()) {
            if keyword.chars().count() > LONGEST_KEYWORD {
                return Err(Error::field("keywords", format!("每个关键词不能超过{LONGEST_KEYWORD}个字")));
            }
            if !keywords.contains(&keyword) {
                keywords.push(keyword);
            }
        }
        keywords.truncate(MOST_KEYWORDS);
        self.keywords = keywords;
        self.content.check("content", "正文")?;
        self.school_ids.sort_unstable();
        self.school_ids.dedup();
        if author.school.is_some() {
            if !self.school_ids.is_empty() {
                return Err(Error::malformed());
            }
        } else {
            self.schools_exist(author, tx, before).await?;
        }
        let now = tx.app().clock().now();
        let kept = before.and_then(|before| before.offline_at);
        if self.offline_at.is_some_and(|at| at <= now && Some(at) != kept) {
            return Err(Error::field("offlineAt", "定时下线时间必须晚于当前时间"));
        }
        Ok(self)
    }

    /// An operator writes for schools that they may act for; those that an article has already stay.
    async fn schools_exist(&self, author: &Author, tx: &mut Tx, before: Option<&Record>) -> Result<()> {
        if self.school_ids.is_empty() && !author.writes_for_all() {
            return Err(Error::field("schoolIds", "您只能管理部分院校，请选择适用院校"));
        }
        let known = before.map_or(&[][..], |before| before.school_ids.as_slice());
        let new: Vec<i64> = self.school_ids.iter().filter(|id| !known.contains(id)).copied().collect();
        let names = source::school_names(tx, &new).await?;
        let meant = |id: &i64| names.contains_key(id) && author.acts_for(*id);
        if new.iter().all(meant) {
            Ok(())
        } else {
            Err(Error::field("schoolIds", "所选院校不存在，请重新选择"))
        }
    }
}

/// # Errors
/// 409 when five others of the category are pinned already.
async fn may_be_pinned(tx: &mut Tx, form: &HelpArticleForm, before: Option<(i64, &Record)>) -> Result<()> {
    let stays = before.is_some_and(|(_, before)| before.pinned && before.category_id == form.category_id);
    if !form.pinned || stays {
        return Ok(());
    }
    room_for_pinned(tx, form.category_id, before.map(|(id, _)| id)).await
}

/// # Errors
/// 409 when five others of the category are pinned already.
pub(super) async fn room_for_pinned(tx: &mut Tx, category: i64, article: Option<i64>) -> Result<()> {
    // Two that are pinned in one moment wait for each other.
    tx.lock("support_category", category).await?;
    let others = sqlx::query_scalar!(
        r#"select count(*) as "count!" from support_article
           where category_id = $1 and pinned and ($2::bigint is null or id <> $2)"#,
        category,
        article
    )
    .fetch_one(&mut **tx)
    .await?;
    article::may_be_pinned(others).map_err(|refusal| Error::conflict(refusal.to_string()))
}

/// The files that an article and its versions hold.
pub(super) async fn files_of(tx: &mut Tx, id: i64) -> Result<Vec<i64>> {
    let files = sqlx::query_scalar!(
        r#"select unnest(file_ids) as "id!" from support_article where id = $1
           union
           select unnest(file_ids) from support_article_version where article_id = $1"#,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(files)
}

pub(super) fn explained(constraint: &str) -> Option<Error> {
    match constraint {
        "support_article_title_taken" => Some(Error::field("title", "该分类下已有相同标题的文章")),
        "support_article_of_category" => Some(Error::field("categoryId", "所选分类已被删除，请重新选择")),
        "support_article_of_video" => Some(Error::field("videoAssetId", "所选视频不存在，请重新选择")),
        "support_article_time_order" => Some(Error::field("offlineAt", "定时下线时间必须晚于定时发布时间")),
        _ => None,
    }
}
