//! What an operator types of a reply, and how it is written. The keywords of what is in use stand in a table of their own, where each
//! has one place.

use infra::{Change, Edit, EnabledChange, Error, OnConstraint, Result, Tx};
use poem_openapi::{Object, types::Example};
use wechat_rules::{
    enums::{GzhMatchMode, GzhMaterialType, GzhReplyKind, GzhReplyType},
    keyword::checked,
};

use super::list::{GzhAutoReply, find};

/// Characters of an answer in words: what the provider takes, in Chinese.
const LONGEST: usize = 600;

/// What an operator types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct GzhAutoReplyForm {
    /// 回复场景
    pub reply_kind: GzhReplyKind,
    /// 关键词
    /// 关键词回复填写，最多20个，不区分大小写
    #[oai(default, validator(max_items = 50))]
    pub keywords: Vec<String>,
    /// 匹配方式
    /// 关键词回复填写
    pub match_mode: Option<GzhMatchMode>,
    /// 回复类型
    pub reply_type: GzhReplyType,
    /// 回复内容
    /// 文字回复填写，最多600个字
    #[oai(validator(max_length = 600))]
    pub content: Option<String>,
    /// 素材
    /// 其他回复选择同类型的素材
    pub material_id: Option<i64>,
    /// 排序
    /// 关键词一样长时从小到大
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

impl Example for GzhAutoReplyForm {
    fn example() -> Self {
        Self {
            reply_kind: GzhReplyKind::Keyword,
            keywords: vec!["报名".to_owned()],
            match_mode: Some(GzhMatchMode::Contains),
            reply_type: GzhReplyType::Text,
            content: Some("报名时间为每年8月至9月。".to_owned()),
            material_id: None,
            sort: 1,
            enabled: true,
        }
    }
}

impl GzhAutoReplyForm {
    /// The form with what its kind and type need, and nothing else.
    ///
    /// # Errors
    /// 422 at the field.
    fn checked(mut self) -> Result<Self> {
        if self.reply_kind == GzhReplyKind::Keyword {
            self.keywords = checked(&self.keywords)?;
            self.match_mode = Some(self.match_mode.ok_or_else(|| Error::field("matchMode", "请选择匹配方式"))?);
        } else {
            self.keywords.clear();
            self.match_mode = None;
        }
        if self.reply_type == GzhReplyType::Text {
            self.material_id = None;
            let text = self.content.as_deref().map(str::trim).filter(|text| !text.is_empty());
            let text = text.ok_or_else(|| Error::field("content", "请填写回复内容"))?;
            if text.chars().count() > LONGEST {
                return Err(Error::field("content", format!("回复内容不能超过{LONGEST}个字")));
            }
            self.content = Some(text.to_owned());
        } else {
            self.content = None;
            if self.material_id.is_none() {
                return Err(Error::field("materialId", "请选择素材"));
            }
        }
        Ok(self)
    }

    /// # Errors
    /// 422 at `materialId` for a material that is not there or of another type.
    async fn has_material(&self, tx: &mut Tx) -> Result<()> {
        let Some(kind) = self.reply_type.material() else { return Ok(()) };
        let known = sqlx::query_scalar!(
            "select id from platform.gzh_material where id = $1 and material_type = $2 for share",
            self.material_id,
            kind.as_str()
        )
        .fetch_optional(&mut **tx)
        .await?;
        match known {
            Some(_) => Ok(()),
            None => Err(Error::field("materialId", format!("请选择{}素材", kind.zh()))),
        }
    }
}

/// Takes the keywords of a reply that is in use from now on.
///
/// # Errors
/// 409 `关键词已存在：{k}` for one of another reply.
async fn take(tx: &mut Tx, id: i64, keywords: &[String]) -> Result<()> {
    let mut sorted = keywords.to_vec();
    // Two who take some of the same wait for each other in one order.
    sorted.sort_unstable();
    let taken = sqlx::query_scalar!(
        "insert into platform.gzh_keyword (keyword, reply_id) select k.word, $2::bigint from unnest($1::text[]) as k (word)
         on conflict on constraint gzh_keyword_key do nothing returning keyword",
        &sorted,
        id
    )
    .fetch_all(&mut **tx)
    .await?;
    match keywords.iter().find(|keyword| !taken.contains(keyword)) {
        None => Ok(()),
        Some(keyword) => Err(Error::conflict(format!("关键词已存在：{keyword}"))),
    }
}

async fn give_up(tx: &mut Tx, id: i64) -> Result<()> {
    sqlx::query!("delete from platform.gzh_keyword where reply_id = $1", id).execute(&mut **tx).await?;
    Ok(())
}

fn one_in_use(kind: GzhReplyKind) -> impl FnOnce(&str) -> Option<Error> {
    move |constraint| {
        (constraint == "gzh_auto_reply_one_in_use")
            .then(|| Error::conflict(format!("已有启用的{}，请先停用", kind.zh())))
    }
}

pub(crate) async fn insert(tx: &mut Tx, form: GzhAutoReplyForm) -> Result<(i64, Change)> {
    let form = form.checked()?;
    form.has_material(tx).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.gzh_auto_reply (reply_kind, keywords, match_mode, reply_type, content, material_id, sort, enabled,
             created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9) returning id",
        form.reply_kind.as_str(),
        &form.keywords,
        form.match_mode.map(GzhMatchMode::as_str),
        form.reply_type.as_str(),
        form.content,
        form.material_id,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(one_in_use(form.reply_kind))?;
    if form.enabled {
        take(tx, id, &form.keywords).await?;
    }
    Ok((id, Change::created("gzh_auto_reply", id, &form)))
}

/// A reply that nobody else changes until the transaction ends.
async fn hold(tx: &mut Tx, id: i64) -> Result<GzhAutoReply> {
    tx.lock("gzh_auto_reply", id).await?;
    find(tx, id).await
}

/// # Errors
/// As of a new one; 409 when somebody else changed it meanwhile.
pub(super) async fn update(tx: &mut Tx, edit: Edit<GzhAutoReplyForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let form = form.checked()?;
    let before = hold(tx, id).await?;
    form.has_material(tx).await?;
    give_up(tx, id).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.gzh_auto_reply set reply_kind = $3, keywords = $4, match_mode = $5, reply_type = $6, content = $7,
                material_id = $8, sort = $9, enabled = $10, updated_at = now(), updated_by = $11, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.reply_kind.as_str(),
        &form.keywords,
        form.match_mode.map(GzhMatchMode::as_str),
        form.reply_type.as_str(),
        form.content,
        form.material_id,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(one_in_use(form.reply_kind))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("gzh_auto_reply", id).await);
    }
    if form.enabled {
        take(tx, id, &form.keywords).await?;
    }
    let after = find(tx, id).await?;
    Ok(Change::edited("gzh_auto_reply", id, &before, &after))
}

/// # Errors
/// 409 for another of its kind, or of its keywords, in use.
pub(super) async fn switch(tx: &mut Tx, wanted: &EnabledChange) -> Result<Change> {
    let before = hold(tx, wanted.id).await?;
    if wanted.version.is_some_and(|read| read != before.version) {
        return Err(tx.stale("gzh_auto_reply", wanted.id).await);
    }
    if before.enabled == wanted.enabled {
        return Ok(Change::nothing("gzh_auto_reply", wanted.id));
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.gzh_auto_reply set enabled = $2, updated_at = now(), updated_by = $3, version = version + 1 where id = $1",
        wanted.id,
        wanted.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(one_in_use(before.reply_kind))?;
    if wanted.enabled {
        take(tx, wanted.id, &before.keywords).await?;
    } else {
        give_up(tx, wanted.id).await?;
    }
    Ok(Change::status("gzh_auto_reply", wanted.id, "enabled", before.enabled, wanted.enabled))
}

pub(super) async fn delete(tx: &mut Tx, id: i64) -> Result<Change> {
    let before = hold(tx, id).await?;
    give_up(tx, id).await?;
    tx.remove("gzh_auto_reply", id, before.reply_kind.zh()).await?;
    Ok(Change::deleted("gzh_auto_reply", id, &before))
}

/// What is worth a second look: a reply whose material is not at the provider yet, or whose articles lead nowhere, answers nothing.
pub(super) async fn waiting(tx: &mut Tx, id: i64) -> Result<Option<String>> {
    let silent = sqlx::query!(
        r#"select m.name, m.material_type as "material_type: GzhMaterialType"
           from platform.gzh_auto_reply r join platform.gzh_material m on m.id = r.material_id
           where r.id = $1 and case m.material_type
                     when 'news' then not exists (
                         select from platform.gzh_article a where a.material_id = m.id and a.link_url is not null)
                     else m.media_id is null end"#,
        id
    )
    .fetch_optional(&mut **tx)
    .await?;
    Ok(silent.map(|material| match material.material_type {
        GzhMaterialType::News => format!("图文“{}”没有原文链接，填写后才会回复", material.name),
        GzhMaterialType::Image | GzhMaterialType::Voice | GzhMaterialType::Video => {
            format!("素材“{}”尚未同步到微信，同步后才会回复", material.name)
        }
    }))
}
