//! 专区文章: what stands on a shelf. A blog that visitors no longer see is left out on the site, and is told here as 已失效.

use community_rules::enums::Showing;
use infra::{
    Allowed, Body, BulkResult, Change, Entity, Error, OnConstraint, Page, Paged, Paging, Part, Reply, Result, Saved,
    Tx, clock::Moment, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use site_content::order::{SiteOrder, ordered};
use sqlx::PgConnection;

use super::list::find as find_zone;

permissions! {
    pages "/community/article/zone/list";
    InPlatform Reads  ListArticleZoneItems  = "user:pc:community:article:zone:item:list" "专区文章列表";
    InPlatform Writes SaveArticleZoneItem   = "user:pc:community:article:zone:item:save" "新增专区文章";
    InPlatform Writes DeleteArticleZoneItem = "user:pc:community:article:zone:item:delete" "删除专区文章";
    InPlatform Writes SortArticleZoneItems  = "user:pc:community:article:zone:item:sort" "专区文章排序";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "article_zone_item", name: "专区文章", counted: "条专区文章" }],
    ..Part::NONE
};

/// A blog on a shelf.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArticleZoneItem {
    /// 编号
    pub id: i64,
    /// 博客
    pub blog_id: i64,
    /// 标题
    pub title: String,
    /// 博主
    pub blogger_name: String,
    /// 状态
    /// 未通过审核、已下架或博主停用的博客不在网站上展示
    pub state: Showing,
    /// 排序
    pub sort: i32,
    /// 添加时间
    pub created_at: Moment,
}

/// Of which shelf.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct ArticleZoneItemFilter {
    /// 专区
    pub zone_id: i64,
}

/// What is put on a shelf, behind what stands there.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewArticleZoneItem {
    /// 专区
    pub zone_id: i64,
    /// 博客
    pub blog_id: i64,
}

impl Example for NewArticleZoneItem {
    fn example() -> Self {
        Self { zone_id: 1, blog_id: 1 }
    }
}

pub struct ArticleZoneItems;

#[OpenApi(prefix_path = "/user/pc/community/article/zone/item", tag = "crate::Tag::Community")]
impl ArticleZoneItems {
    /// 专区文章列表
    #[oai(path = "/list", method = "post", operation_id = "listArticleZoneItems")]
    async fn list(
        &self,
        caller: Allowed<ListArticleZoneItems>,
        Body(asked): Body<Paged<ArticleZoneItemFilter>>,
    ) -> Result<Reply<Page<ArticleZoneItem>>> {
        let (paging, zone) = (asked.paging()?, asked.filter.zone_id);
        let mut tx = caller.read().await?;
        find_zone(&mut tx, zone).await?;
        let total = sqlx::query_scalar!(
            r#"select count(*) as "count!" from platform.article_zone_item where zone_id = $1"#,
            zone
        )
        .fetch_one(&mut *tx)
        .await?;
        let list = select(&mut tx, zone, paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 新增专区文章
    #[oai(path = "/save", method = "post", operation_id = "saveArticleZoneItem")]
    async fn save(
        &self,
        caller: Allowed<SaveArticleZoneItem>,
        Body(new): Body<NewArticleZoneItem>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, &new).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除专区文章
    /// 只是移出专区
    #[oai(path = "/delete", method = "delete", operation_id = "deleteArticleZoneItem")]
    async fn delete(
        &self,
        caller: Allowed<DeleteArticleZoneItem>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 专区文章排序
    #[oai(path = "/sort", method = "put", operation_id = "sortArticleZoneItems")]
    async fn sort(
        &self,
        caller: Allowed<SortArticleZoneItems>,
        Body(order): Body<SiteOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("article_zone_item", &["zone_id"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }
}

async fn select(connection: &mut PgConnection, zone: i64, page: Paging) -> Result<Vec<ArticleZoneItem>> {
    let rows = sqlx::query_as!(
        ArticleZoneItem,
        r#"select i.id, i.blog_id, b.title, g.blogger_name,
                  case when b.audit_status = 'approved' and b.putaway = 'on' and g.enabled then 'shown' else 'lost' end
                      as "state!: _",
                  i.sort, i.created_at
           from platform.article_zone_item i
           join platform.blog b on b.id = i.blog_id
           join platform.blogger g on g.id = b.blogger_id
           where i.zone_id = $1
           order by i.sort, i.id desc limit $2 offset $3"#,
        zone,
        page.limit(),
        page.offset()
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// # Errors
/// 404 for a shelf that is gone; 409 for a blog that is gone; 422 for one that visitors do not see, or that stands there.
async fn insert(tx: &mut Tx, new: &NewArticleZoneItem) -> Result<(i64, Change)> {
    tx.lock("article_zone", new.zone_id).await?;
    find_zone(tx, new.zone_id).await?;
    let seen = sqlx::query_scalar!(
        r#"select b.audit_status = 'approved' and b.putaway = 'on' and g.enabled as "seen!"
           from platform.blog b join platform.blogger g on g.id = b.blogger_id where b.id = $1 for share of b"#,
        new.blog_id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(|| Error::conflict("博客不存在或已被删除，请刷新"))?;
    if !seen {
        return Err(Error::field("blogId", "所选博客未在网站上展示，请重新选择"));
    }
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.article_zone_item (zone_id, blog_id, sort, created_by, updated_by)
         select $1, $2, coalesce(max(i.sort), 0) + 1, $3, $3 from platform.article_zone_item i where i.zone_id = $1
         returning id",
        new.zone_id,
        new.blog_id,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "article_zone_item_taken").then(|| Error::field("blogId", "该博客已在专区中"))
    })?;
    Ok((id, Change::created("article_zone_item", id, new)))
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let gone = sqlx::query!("delete from platform.article_zone_item where id = $1 returning zone_id, blog_id", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    let was = NewArticleZoneItem { zone_id: gone.zone_id, blog_id: gone.blog_id };
    Ok(Change::deleted("article_zone_item", id, &was))
}
