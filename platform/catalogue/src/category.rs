//! 分类: where the content of the site stands (01 §9.2). Each kind of content has a tree of its own, of at most three
//! levels; a tree is reached only by the operations of its kind. Those of exams, questions and blogs stand with what is sorted there, and
//! are made of the functions here.

mod form;
mod live;
mod record;
mod resource;
mod sheet;
mod tree;

use futures_util::TryStreamExt;
use infra::{
    Change, Edit, Entity, Error, History, KindCodes, OnConstraint, Part, Result, Tx,
    clock::Moment,
    enumeration, just_referred,
    naming::switched_off,
    transfer::{Rows, export_job},
    unreferred,
};
use poem_openapi::{Object, types::Example};
use sqlx::PgConnection;

pub use form::CategoryForm;
pub use live::LiveCategories;
pub use record::RecordCategories;
pub use resource::ResourceCategories;
pub use sheet::{COLUMNS, matching};
pub use tree::{CategoryNode, build_tree};

pub const PART: Part = Part {
    permissions: &[record::PERMISSIONS, live::PERMISSIONS, resource::PERMISSIONS],
    enumerations: &[CategoryType::ENUMERATION],
    entities: &[Entity { table: "online_category", name: "线上分类", counted: "条分类" }],
    jobs: &[export_job::<RecordCategories>(), export_job::<LiveCategories>(), export_job::<ResourceCategories>()],
    histories: &[History { table: "online_category", code: "course:pc:category:record:view", scope: None }],
    kinds: &[KindCodes {
        table: "online_category",
        kind: "select category_type from platform.online_category where id = $1",
        codes: &[
            (CategoryType::Record.as_str(), "course:pc:category:record:view"),
            (CategoryType::Live.as_str(), "course:pc:category:live:view"),
            (CategoryType::Resource.as_str(), "course:pc:category:resource:view"),
            (CategoryType::Exam.as_str(), "exam:pc:category:info:view"),
            (CategoryType::Problem.as_str(), "exam:pc:category:problem:view"),
        ],
    }],
    ..Part::NONE
};

enumeration! {
    /// 分类类型
    pub enum CategoryType = "categoryType" {
        Record = "record" "录播课程",
        Live = "live" "直播课程",
        Resource = "resource" "文库资源",
        Exam = "exam" "考试",
        Problem = "problem" "试题",
        Blog = "blog" "博客",
    }
}

/// A category, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Category {
    /// 编号
    pub id: i64,
    /// 分类类型
    pub category_type: CategoryType,
    /// 上级分类
    pub parent_id: Option<i64>,
    /// 上级分类名称
    pub parent_name: Option<String>,
    /// 名称
    pub category_name: String,
    /// 图标
    pub icon: Option<String>,
    /// 备注
    pub remark: Option<String>,
    /// 排序
    pub sort: i32,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What the tree is narrowed to; above a match its superiors stay.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CategoryFilter {
    /// 名称
    #[oai(validator(max_length = 20))]
    pub category_name: Option<String>,
    /// 启用
    pub enabled: Option<bool>,
}

impl Example for CategoryFilter {
    fn example() -> Self {
        Self::default()
    }
}

/// All categories of a kind, or one of them, siblings in their order.
pub fn select(connection: &mut PgConnection, kind: CategoryType, only: Option<i64>) -> Rows<'_, Category> {
    let rows = sqlx::query_as!(
        Category,
        r#"select c.id, c.category_type as "category_type: _", c.parent_id, p.category_name as "parent_name?", c.category_name, c.icon,
                  c.remark, c.sort, c.enabled, c.created_at, c.version
           from platform.online_category c left join platform.online_category p on p.id = c.parent_id
           where c.category_type = $1 and ($2::bigint is null or c.id = $2)
           order by c.sort, c.id"#,
        kind.as_str(),
        only
    )
    .fetch(connection);
    Box::pin(rows)
}

/// # Errors
/// 404 also for a category of another kind.
pub async fn find(connection: &mut PgConnection, kind: CategoryType, id: i64) -> Result<Category> {
    select(connection, kind, Some(id)).try_next().await?.ok_or_else(Error::not_found)
}

/// A category of a kind that is chosen for something; the one that it had `before` may have been switched off since. It stays until the
/// transaction ends.
///
/// # Errors
/// 422 at `categoryId`.
pub async fn may_be_chosen(tx: &mut Tx, kind: &str, id: i64, before: Option<i64>) -> Result<()> {
    let known = sqlx::query!(
        "select category_name, enabled from platform.online_category where id = $1 and category_type = $2 for share",
        id,
        kind
    )
    .fetch_optional(&mut **tx)
    .await?;
    match known {
        None => Err(Error::field("categoryId", "所选分类不存在，请重新选择")),
        Some(known) if !known.enabled && before != Some(id) => Err(switched_off("categoryId", &known.category_name)),
        Some(_) => Ok(()),
    }
}

/// The shape of the trees, which nobody else changes until this transaction ends: two moves that are each right could
/// together make a circle.
async fn lock(tx: &mut Tx, kind: CategoryType) -> Result<tree::Units> {
    sqlx::query!("lock table platform.online_category in share row exclusive mode").execute(&mut **tx).await?;
    let rows = sqlx::query!(
        "select id, parent_id, category_name, enabled from platform.online_category where category_type = $1",
        kind.as_str()
    )
    .fetch_all(&mut **tx)
    .await?;
    let unit = |parent, name, enabled| tree::Unit { parent, name, enabled };
    Ok(rows.into_iter().map(|row| (row.id, unit(row.parent_id, row.category_name, row.enabled))).collect())
}

/// # Errors
/// 422 at `parentId` for a place that would break the tree, at `categoryName` for a name that a sibling has.
pub async fn insert(tx: &mut Tx, kind: CategoryType, form: CategoryForm) -> Result<(i64, Change)> {
    let form = form.tidy();
    form.check_place(&lock(tx, kind).await?, None)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.online_category (category_type, parent_id, category_name, icon, remark, sort, enabled, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
        kind.as_str(),
        form.parent_id,
        form.category_name,
        form.icon,
        form.remark,
        form.sort,
        form.enabled,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    Ok((id, Change::created("online_category", id, &form)))
}

/// # Errors
/// As [`insert`]; 404 for a category of another kind, 409 when somebody else edited meanwhile.
pub async fn update(tx: &mut Tx, kind: CategoryType, edit: Edit<CategoryForm>) -> Result<Change> {
    let form = edit.form.tidy();
    let units = lock(tx, kind).await?;
    let before = find(tx, kind, edit.id).await?;
    form.check_place(&units, Some(&before))?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.online_category set parent_id = $3, category_name = $4, icon = $5, remark = $6, sort = $7, enabled = $8,
                updated_at = now(), updated_by = $9, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.parent_id,
        form.category_name,
        form.icon,
        form.remark,
        form.sort,
        form.enabled,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| form.explain_constraint(constraint))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("online_category", edit.id).await);
    }
    let after = find(tx, kind, edit.id).await?;
    Ok(Change::edited("online_category", edit.id, &before, &after))
}

/// # Errors
/// 409 with the numbers of the categories below it and of the content that stands in it.
pub async fn remove(tx: &mut Tx, kind: CategoryType, id: i64) -> Result<Change> {
    let before = find(tx, kind, id).await?;
    unreferred(tx, "online_category", id).await?;
    sqlx::query!("delete from platform.online_category where id = $1", id)
        .execute(&mut **tx)
        .await
        .on_constraint(just_referred)?;
    Ok(Change::deleted("online_category", id, &before))
}
