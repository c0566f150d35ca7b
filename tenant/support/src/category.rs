//! 帮助分类: how the articles of an audience are laid out, a tree of at most two levels (part 05 B2, B5).

use futures_util::TryStreamExt;
use infra::{
    BulkResult, Change, Edit, Entity, Error, OnConstraint, Part, Result, Tx,
    access::Caller,
    naming::{switched_off, tidy},
    transfer::Rows,
    tree::{Branch, Misplaced, Shape, build_tree},
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;
use support_rules::enums::{SupportAudience, SupportSource};

use crate::{author::Author, source};

pub const PART: Part = Part {
    enumerations: &[SupportAudience::ENUMERATION, SupportSource::ENUMERATION],
    entities: &[Entity { table: "support_category", name: "帮助分类", counted: "个帮助分类" }],
    ..Part::NONE
};

/// Levels of a tree.
const DEEPEST: usize = 2;

/// A category, as its desk sees it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct HelpCategory {
    /// 编号
    pub id: i64,
    /// 上级分类
    pub parent_id: Option<i64>,
    /// 名称
    pub name: String,
    /// 图标
    pub icon: Option<String>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 文章数
    /// 不含下级分类的文章
    pub articles: i64,
    /// 版本
    pub version: i32,
}

impl Branch for HelpCategory {
    fn id(&self) -> i64 {
        self.id
    }

    fn parent_id(&self) -> Option<i64> {
        self.parent_id
    }
}

/// A category with those below it.
#[derive(Debug, Clone, Object)]
pub struct HelpCategoryNode {
    #[oai(flatten)]
    pub category: HelpCategory,
    /// 下级分类
    pub children: Vec<HelpCategoryNode>,
}

/// What the tree is narrowed to; above a match its superior stays.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpCategoryFilter {
    /// 来源
    /// 院校可查看平台的分类；不填时为当前区域自己的分类
    pub source: Option<SupportSource>,
    /// 名称
    #[oai(validator(max_length = 20))]
    pub name: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
}

impl Example for HelpCategoryFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// What an editor types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct HelpCategoryForm {
    /// 上级分类
    pub parent_id: Option<i64>,
    /// 名称
    #[oai(validator(max_length = 20))]
    pub name: String,
    /// 图标
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub icon: Option<String>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for HelpCategoryForm {
    fn example() -> Self {
        Self { parent_id: None, name: "报名与缴费".to_owned(), icon: None, sort: 1, enabled: true }
    }
}

/// The order of siblings.
#[derive(Debug, Clone, Object)]
#[oai(example)]
pub struct HelpCategoryOrder {
    /// 编号
    /// 同级分类的编号，按新的顺序
    #[oai(validator(min_items = 1, max_items = 1000))]
    pub ids: Vec<i64>,
}

impl Example for HelpCategoryOrder {
    fn example() -> Self {
        Self { ids: vec![2, 1] }
    }
}

/// The categories of an audience as a tree.
///
/// # Errors
/// 400 for a source that the caller's area does not have.
pub(crate) async fn list(
    caller: &Caller,
    audience: SupportAudience,
    filter: &HelpCategoryFilter,
) -> Result<Vec<HelpCategoryNode>> {
    let mut place = source::of(caller, filter.source).await?;
    let all: Vec<HelpCategory> = select(&mut place.tx, audience, None, place.school).try_collect().await?;
    let matches = |category: &HelpCategory| {
        filter.name.as_ref().is_none_or(|name| category.name.contains(name.as_str()))
            && filter.enabled.is_none_or(|enabled| category.enabled == enabled)
    };
    Ok(build_tree(all, matches, |category, children| HelpCategoryNode { category, children }))
}

/// # Errors
/// 403 for operators of some schools alone, 422 for a place that would break the tree, or a name that a sibling has.
pub(crate) async fn save(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    form: HelpCategoryForm,
) -> Result<i64> {
    Author::of(caller, &mut tx, audience).await?.may_arrange()?;
    let form = form.tidied()?;
    may_stand(&lock_all(&mut tx, audience).await?, None, &form)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into support_category (audience, parent_id, name, icon, sort, enabled, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $7) returning id",
        audience.as_str(),
        form.parent_id,
        form.name,
        form.icon,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut *tx)
    .await
    .on_constraint(|constraint| taken(constraint, &form.name))?;
    tx.commit(Change::created("support_category", id, &form)).await?;
    Ok(id)
}

/// # Errors
/// 404 for a category of another audience, 409 when somebody else changed it meanwhile, 403 and 422 as [`save`].
pub(crate) async fn edit(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    edit: Edit<HelpCategoryForm>,
) -> Result<i64> {
    Author::of(caller, &mut tx, audience).await?.may_arrange()?;
    let form = edit.form.tidied()?;
    let all = lock_all(&mut tx, audience).await?;
    let before = find(&mut tx, audience, edit.id).await?;
    may_stand(&all, Some(&before), &form)?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update support_category set parent_id = $3, name = $4, icon = $5, sort = $6, enabled = $7, updated_at = now(),
                updated_by = $8, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.parent_id,
        form.name,
        form.icon,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut *tx)
    .await
    .on_constraint(|constraint| taken(constraint, &form.name))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("support_category", edit.id).await);
    }
    let after = find(&mut tx, audience, edit.id).await?;
    tx.commit(Change::edited("support_category", edit.id, &before, &after)).await?;
    Ok(edit.id)
}

/// Questions of the category lose it: they say enough without.
///
/// # Errors
/// 404 for a category of another audience, 403 as [`save`], 409 while it has articles or categories below it.
pub(crate) async fn delete(caller: &Caller, mut tx: Tx, audience: SupportAudience, id: i64) -> Result<i64> {
    Author::of(caller, &mut tx, audience).await?.may_arrange()?;
    lock_all(&mut tx, audience).await?;
    let before = find(&mut tx, audience, id).await?;
    if before.articles > 0 {
        return Err(Error::conflict(format!("分类下有{}篇文章，不能删除", before.articles)));
    }
    let below = sqlx::query_scalar!(r#"select count(*) as "count!" from support_category where parent_id = $1"#, id)
        .fetch_one(&mut *tx)
        .await?;
    if below > 0 {
        return Err(Error::conflict(format!("分类下有{below}个下级分类，不能删除")));
    }
    sqlx::query!("update support_question set category_id = null where category_id = $1", id).execute(&mut *tx).await?;
    tx.remove("support_category", id, &before.name).await?;
    tx.commit(Change::deleted("support_category", id, &before)).await?;
    Ok(id)
}

/// Puts siblings into an order.
///
/// # Errors
/// 403 as [`save`], 404 when one is not of the audience, 422 when they do not stand below the same category.
pub(crate) async fn sort(
    caller: &Caller,
    mut tx: Tx,
    audience: SupportAudience,
    order: HelpCategoryOrder,
) -> Result<BulkResult> {
    Author::of(caller, &mut tx, audience).await?.may_arrange()?;
    let all = lock_all(&mut tx, audience).await?;
    let mut changes = Vec::with_capacity(order.ids.len());
    let mut above = None;
    for (place, id) in order.ids.iter().enumerate() {
        let known = all.iter().find(|category| category.id == *id).ok_or_else(Error::not_found)?;
        if *above.get_or_insert(known.parent_id) != known.parent_id {
            return Err(Error::field("ids", "只能调整同级分类的顺序"));
        }
        let sort = i32::try_from(place + 1).map_err(Error::internal)?;
        if known.sort != sort {
            changes.push(Change::status("support_category", *id, "sort", known.sort, sort));
        }
    }
    let by = tx.by();
    sqlx::query!(
        "update support_category c set sort = w.place, updated_at = now(), updated_by = $2, version = c.version + 1
         from unnest($1::bigint[]) with ordinality as w (id, place)
         where c.id = w.id and c.sort <> w.place",
        &order.ids,
        by
    )
    .execute(&mut *tx)
    .await?;
    tx.commit_all(changes).await?;
    Ok(BulkResult { done: i64::try_from(order.ids.len()).map_err(Error::internal)?, failed: Vec::new() })
}

impl HelpCategoryForm {
    fn tidied(self) -> Result<Self> {
        let name = tidy(&self.name);
        if name.is_empty() {
            return Err(Error::field("name", "请填写名称"));
        }
        Ok(Self { name, ..self })
    }
}

/// What the rules of the tree must know of a category.
pub(crate) struct Known {
    id: i64,
    parent_id: Option<i64>,
    name: String,
    sort: i32,
    enabled: bool,
}

/// The categories of an audience, whose tree nobody else changes until this transaction ends: two moves that are each right could
/// together make a circle.
async fn lock_all(tx: &mut Tx, audience: SupportAudience) -> Result<Vec<Known>> {
    sqlx::query!("lock table support_category in share row exclusive mode").execute(&mut **tx).await?;
    let all = sqlx::query_as!(
        Known,
        "select id, parent_id, name, sort, enabled from support_category where audience = $1",
        audience.as_str()
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(all)
}

/// # Errors
/// 422 at `parentId` for a place that would break the tree, or below a category that was switched off.
fn may_stand(all: &[Known], before: Option<&HelpCategory>, form: &HelpCategoryForm) -> Result<()> {
    let moved = before.is_none_or(|before| before.parent_id != form.parent_id);
    let Some(parent) = form.parent_id.filter(|_| moved) else { return Ok(()) };
    let shape: Shape = all.iter().map(|category| (category.id, category.parent_id)).collect();
    let told = |misplaced| {
        let message = match misplaced {
            Misplaced::Unknown => "所选上级分类不存在，请重新选择",
            Misplaced::BelowItself => "不能移动到自己的下级分类",
            Misplaced::TooDeep => "分类最多2级",
        };
        Error::field("parentId", message)
    };
    shape.may_stand(before.map(|before| before.id), parent, DEEPEST).map_err(told)?;
    match all.iter().find(|category| category.id == parent) {
        Some(parent) if !parent.enabled => Err(switched_off("parentId", &parent.name)),
        _ => Ok(()),
    }
}

fn taken(constraint: &str, name: &str) -> Option<Error> {
    (constraint == "support_category_name_taken").then(|| Error::field("name", format!("同级分类中名称“{name}”已存在")))
}

/// The categories of an audience, or one of them, siblings in their order. With a school they are the platform's as that school's
/// people find them.
fn select(
    connection: &mut PgConnection,
    audience: SupportAudience,
    only: Option<i64>,
    school: Option<i64>,
) -> Rows<'_, HelpCategory> {
    let rows = sqlx::query_as!(
        HelpCategory,
        r#"select c.id, c.parent_id, c.name, c.icon, c.sort, c.enabled,
                  (select count(*) from support_article a
                   where a.category_id = c.id
                     and ($3::bigint is null
                          or a.status = 'published' and (a.school_ids = '{}' or $3 = any(a.school_ids)))) as "articles!",
                  c.version
           from support_category c
           where c.audience = $1 and ($2::bigint is null or c.id = $2) and ($3::bigint is null or c.enabled)
           order by c.sort, c.id"#,
        audience.as_str(),
        only,
        school
    )
    .fetch(connection);
    Box::pin(rows)
}

async fn find(connection: &mut PgConnection, audience: SupportAudience, id: i64) -> Result<HelpCategory> {
    select(connection, audience, Some(id), None).try_next().await?.ok_or_else(Error::not_found)
}

/// # Errors
/// 422 at `categoryId` for a category that the audience does not have, or that is switched off, or stands below one that is.
pub(crate) async fn usable(connection: &mut PgConnection, audience: SupportAudience, id: i64) -> Result<()> {
    let found = sqlx::query!(
        r#"select c.name, c.enabled and coalesce(p.enabled, true) as "enabled!"
           from support_category c left join support_category p on p.id = c.parent_id
           where c.id = $1 and c.audience = $2"#,
        id,
        audience.as_str()
    )
    .fetch_optional(connection)
    .await?;
    match found {
        None => Err(Error::field("categoryId", "所选分类不存在，请重新选择")),
        Some(category) if !category.enabled => Err(switched_off("categoryId", &category.name)),
        Some(_) => Ok(()),
    }
}
