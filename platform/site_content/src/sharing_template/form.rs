//! What an operator types of a template, and how it is written.

use infra::{Change, Edit, Result, Tx, naming::tidy};
use poem_openapi::{Object, types::Example};
use site_content_rules::poster::{self, PosterElement};

use super::{PosterTemplate, ShareType, list::find};
use crate::removal::remove;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PosterTemplateForm {
    /// 名称
    #[oai(validator(max_length = 30))]
    pub name: String,
    /// 分享类型
    pub share_type: ShareType,
    /// 背景图
    /// 750×1334像素，以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub bg_image: String,
    /// 元素
    /// 必须有二维码，不能超出背景图
    #[oai(validator(min_items = 1, max_items = 20))]
    pub elements: Vec<PosterElement>,
    /// 默认模板
    /// 每种分享类型一个；设为默认后原来的默认模板不再是默认
    #[oai(default)]
    pub is_default: bool,
    /// 排序
    /// 从小到大排列；拖动列表中的行也可调整
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for PosterTemplateForm {
    fn example() -> Self {
        Self {
            name: "课程海报".to_owned(),
            share_type: ShareType::Course,
            bg_image: "/admin/files/public/platform/202611/poster.png".to_owned(),
            elements: vec![PosterElement::example()],
            is_default: true,
            sort: 0,
            enabled: true,
        }
    }
}

impl PosterTemplateForm {
    /// Inner runs of blanks become one blank.
    fn tidy(mut self) -> Self {
        self.name = tidy(&self.name);
        self
    }
}

/// # Errors
/// 422 without a QR code, or for what reaches beyond the picture.
pub(super) async fn insert(tx: &mut Tx, form: PosterTemplateForm) -> Result<(i64, Change)> {
    let form = form.tidy();
    poster::check(&form.elements)?;
    if form.is_default {
        take_default(tx, form.share_type, None).await?;
    }
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.sharing_template (name, share_type, bg_image, elements, is_default, sort, enabled,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        form.name,
        form.share_type.as_str(),
        form.bg_image,
        poster::to_stored(&form.elements),
        form.is_default,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await?;
    Ok((id, Change::created("sharing_template", id, &form)))
}

/// # Errors
/// As [`insert`], and 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<PosterTemplateForm>) -> Result<Change> {
    let form = edit.form.tidy();
    poster::check(&form.elements)?;
    let before: PosterTemplate = find(tx, edit.id).await?;
    if form.is_default {
        take_default(tx, form.share_type, Some(edit.id)).await?;
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.sharing_template set name = $3, share_type = $4, bg_image = $5, elements = $6,
                is_default = $7, sort = $8, enabled = $9, updated_at = now(), updated_by = $10, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.name,
        form.share_type.as_str(),
        form.bg_image,
        poster::to_stored(&form.elements),
        form.is_default,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("sharing_template", edit.id).await);
    }
    let after = find(tx, edit.id).await?;
    Ok(Change::edited("sharing_template", edit.id, &before, &after))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = find(tx, id).await?;
    remove(tx, "sharing_template", id, &before.name, &before).await
}

/// Whatever was the default of its kind is none any more.
async fn take_default(tx: &mut Tx, kind: ShareType, but: Option<i64>) -> Result<()> {
    // Two that become the default at once are one after the other.
    sqlx::query!("lock table platform.sharing_template in share row exclusive mode").execute(&mut **tx).await?;
    let by = tx.by();
    let taken = sqlx::query_scalar!(
        "update platform.sharing_template set is_default = false, updated_at = now(), updated_by = $3,
                version = version + 1
         where share_type = $1 and is_default and ($2::bigint is null or id <> $2) returning id",
        kind.as_str(),
        but,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let changes: Vec<Change> =
        taken.into_iter().map(|id| Change::status("sharing_template", id, "isDefault", true, false)).collect();
    tx.record(&changes).await
}
