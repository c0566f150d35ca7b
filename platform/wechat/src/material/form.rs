//! What an operator makes of a material, and how it is written.

use infra::{
    Change, Edit, Error, Result, RichText, Tx,
    files::{adopt_kind, release},
    naming::tidy,
    unreferred,
};
use poem_openapi::{Object, types::Example};
use wechat_rules::{
    enums::GzhMaterialType,
    material::{limits, whole},
};

use super::list::{GzhArticle, GzhMaterial, articles, find};

/// Characters of an article, marks not counted.
const LONGEST: usize = 20_000;

/// An article.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GzhArticleForm {
    /// 标题
    #[oai(validator(max_length = 64))]
    pub title: String,
    /// 作者
    #[oai(validator(max_length = 16))]
    pub author: Option<String>,
    /// 摘要
    #[oai(validator(max_length = 120))]
    pub digest: Option<String>,
    /// 封面素材
    /// 图片素材
    pub cover_id: i64,
    /// 内容
    pub content: RichText,
    /// 原文链接
    /// 点击图文后打开的网页，以 http:// 或 https:// 开头
    #[oai(validator(max_length = 300, pattern = r"^https?://[^\s/\\?#@]+([/?#][^\s\\]*)?$"))]
    pub link_url: String,
}

impl Example for GzhArticleForm {
    fn example() -> Self {
        Self {
            title: "2027年招生简章".to_owned(),
            author: None,
            digest: Some("报名时间、专业和学费".to_owned()),
            cover_id: 1,
            content: RichText::cleaned("<p>欢迎报考。</p>"),
            link_url: "https://www.example.com/recruit".to_owned(),
        }
    }
}

/// What an operator makes.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GzhMaterialForm {
    /// 素材类型
    /// 保存后不能修改
    pub material_type: GzhMaterialType,
    /// 名称
    #[oai(validator(max_length = 60))]
    pub name: String,
    /// 文件
    /// 图片2MB，语音2MB且60秒以内，视频10MB；以 /system/pc/upload 上传的私有附件
    #[oai(validator(max_length = 200))]
    pub file_key: Option<String>,
    /// 时长(秒)
    /// 语音填写，最多60秒
    #[oai(validator(minimum(value = "1"), maximum(value = "60")))]
    pub duration_seconds: Option<i32>,
    /// 图文
    /// 最多8篇
    #[oai(default, validator(max_items = 8))]
    pub articles: Vec<GzhArticleForm>,
}

impl Example for GzhMaterialForm {
    fn example() -> Self {
        Self {
            material_type: GzhMaterialType::Image,
            name: "封面".to_owned(),
            file_key: Some("private/platform/202611/0123456789abcdefghijklmnopqrstuv.png".to_owned()),
            duration_seconds: None,
            articles: Vec::new(),
        }
    }
}

impl GzhMaterialForm {
    /// The form with what its type is made of and nothing else. What came from the provider has no file here.
    ///
    /// # Errors
    /// 422 at the field.
    fn checked(mut self, came: bool) -> Result<Self> {
        self.name = tidy(&self.name);
        if self.name.is_empty() {
            return Err(Error::field("name", "请填写名称"));
        }
        if self.material_type == GzhMaterialType::News {
            (self.file_key, self.duration_seconds) = (None, None);
        } else {
            self.articles.clear();
            if self.material_type != GzhMaterialType::Voice {
                self.duration_seconds = None;
            }
        }
        let came = came && self.file_key.is_none();
        if !came || self.material_type == GzhMaterialType::News {
            whole(self.material_type, self.file_key.is_some(), self.duration_seconds, self.articles.len())?;
        }
        for article in &self.articles {
            if article.content.is_blank() {
                return Err(Error::field("articles", format!("请填写“{}”的内容", article.title)));
            }
            article.content.at_most("articles", "图文内容", LONGEST)?;
        }
        Ok(self)
    }
}

/// Takes a file over.
///
/// # Errors
/// 422 at `fileKey` for another kind or size.
async fn take(tx: &mut Tx, id: i64, kind: GzhMaterialType, key: &str) -> Result<()> {
    let Some((extensions, most)) = limits(kind) else { return Ok(()) };
    let taken = adopt_kind(tx, key, ("gzh_material", id), extensions, most).await;
    taken.map(|_| ()).map_err(|error| match error.code {
        422 => Error::field("fileKey", error.msg),
        _ => error,
    })
}

/// Writes the articles anew.
///
/// # Errors
/// 422 at `articles` for a cover that is no picture among the materials.
async fn lay_out(tx: &mut Tx, id: i64, articles: &[GzhArticleForm]) -> Result<()> {
    sqlx::query!("delete from platform.gzh_article where material_id = $1", id).execute(&mut **tx).await?;
    for (article, position) in articles.iter().zip(1_i32..) {
        let cover = sqlx::query_scalar!(
            "select id from platform.gzh_material where id = $1 and material_type = 'image' for share",
            article.cover_id
        )
        .fetch_optional(&mut **tx)
        .await?;
        if cover.is_none() {
            return Err(Error::field("articles", format!("请为“{}”选择图片素材作为封面", article.title)));
        }
        sqlx::query!(
            "insert into platform.gzh_article (material_id, position, title, author, digest, cover_id, content, link_url)
             values ($1, $2, $3, $4, $5, $6, $7, $8)",
            id,
            position,
            tidy(&article.title),
            article.author,
            article.digest,
            article.cover_id,
            article.content.as_str(),
            article.link_url
        )
        .execute(&mut **tx)
        .await?;
    }
    Ok(())
}

/// What lies at the provider under this number is wanted no more.
pub(super) async fn drop_there(tx: &mut Tx, media_id: &str, kind: GzhMaterialType) -> Result<()> {
    sqlx::query!(
        "insert into platform.gzh_dropped_media (media_id, material_type) values ($1, $2)
         on conflict on constraint gzh_dropped_media_key do nothing",
        media_id,
        kind.as_str()
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// What shows a picture that is another one now goes to the provider anew too.
async fn show_anew(tx: &mut Tx, cover: i64) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "with shown as (
             select m.id, m.media_id from platform.gzh_material m
             where m.media_id is not null
               and exists (select from platform.gzh_article a where a.material_id = m.id and a.cover_id = $1)
             for update
         ), anew as (
             update platform.gzh_material m
             set media_id = null, media_url = null, synced_at = null,
                 updated_at = now(), updated_by = $2, version = m.version + 1
             from shown where m.id = shown.id
         )
         insert into platform.gzh_dropped_media (media_id, material_type) select media_id, 'news' from shown
         on conflict on constraint gzh_dropped_media_key do nothing",
        cover,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

pub(crate) async fn insert(tx: &mut Tx, form: GzhMaterialForm) -> Result<(i64, Change)> {
    let form = form.checked(false)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.gzh_material (material_type, name, file_key, duration_seconds, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $5) returning id",
        form.material_type.as_str(),
        form.name,
        form.file_key,
        form.duration_seconds,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    if let Some(key) = &form.file_key {
        take(tx, id, form.material_type, key).await?;
    }
    lay_out(tx, id, &form.articles).await?;
    Ok((id, Change::created("gzh_material", id, &form)))
}

/// Whether the articles are other ones.
fn differ(before: &[GzhArticle], after: &[GzhArticleForm]) -> bool {
    let one = |before: &GzhArticle, after: &GzhArticleForm| {
        before.title == tidy(&after.title)
            && before.author == after.author
            && before.digest == after.digest
            && before.cover_id == Some(after.cover_id)
            && before.content == after.content
            && before.link_url.as_deref() == Some(after.link_url.as_str())
    };
    before.len() != after.len() || !before.iter().zip(after).all(|(before, after)| one(before, after))
}

/// A material that nobody else changes until the transaction ends.
async fn hold(tx: &mut Tx, id: i64) -> Result<GzhMaterial> {
    tx.lock("gzh_material", id).await?;
    let app = tx.app().clone();
    find(&app, tx, id).await
}

/// What is made of something else than before goes to the provider anew.
///
/// # Errors
/// As of a new one; 409 for another type, or when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<GzhMaterialForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let before = hold(tx, id).await?;
    if before.material_type != form.material_type {
        return Err(Error::conflict("素材类型不能修改，请新增素材"));
    }
    let form = form.checked(before.file_key.is_none())?;
    let written = articles(tx, id).await?;
    let other_file = form.file_key != before.file_key && form.file_key.is_some();
    let anew = other_file || differ(&written, &form.articles);
    let key = form.file_key.clone().or_else(|| before.file_key.clone());
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.gzh_material
         set name = $3, file_key = $4, duration_seconds = $5,
             media_id = case when $6 then null else media_id end, media_url = case when $6 then null else media_url end,
             synced_at = case when $6 then null else synced_at end,
             updated_at = now(), updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.name,
        key,
        form.duration_seconds,
        anew,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("gzh_material", id).await);
    }
    if other_file {
        if let Some(key) = &form.file_key {
            take(tx, id, form.material_type, key).await?;
        }
        let former: Vec<String> = before.file_key.iter().cloned().collect();
        release(tx, &former).await?;
    }
    if anew {
        if let Some(media_id) = &before.media_id {
            drop_there(tx, media_id, before.material_type).await?;
            show_anew(tx, id).await?;
        }
        lay_out(tx, id, &form.articles).await?;
    }
    let after = hold(tx, id).await?;
    Ok(Change::edited("gzh_material", id, &before, &after))
}

/// # Errors
/// 409 while a reply sends it or an article shows it.
pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = hold(tx, id).await?;
    sqlx::query!("delete from platform.gzh_article where material_id = $1", id).execute(&mut **tx).await?;
    unreferred(tx, "gzh_material", id).await?;
    tx.remove("gzh_material", id, &before.name).await?;
    if let Some(media_id) = &before.media_id {
        drop_there(tx, media_id, before.material_type).await?;
    }
    let keys: Vec<String> = before.file_key.iter().cloned().collect();
    release(tx, &keys).await?;
    Ok(Change::deleted("gzh_material", id, &before))
}
