//! 专区内容: what stands on a shelf. Whatever visitors no longer see is left out on the site, and is told here as 已失效.

use infra::{
    Allowed, Body, BulkResult, Change, Entity, Error, OnConstraint, Page, Paged, Paging, Part, Reply, Result, Saved,
    Tx, clock::Moment, enumeration, permissions, reply,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use super::{SiteZone, ZoneType, list::find as find_zone};
use crate::{
    choice::{SiteChoice, content},
    order::{SiteOrder, ordered},
};

permissions! {
    pages "/system/zone/pc/list", "/system/zone/app/list";
    InPlatform Reads  ListSiteZoneItems   = "system:pc:zone:item:list" "专区内容列表";
    InPlatform Reads  ChooseSiteZoneItem  = "system:pc:zone:item:save" "新增专区内容";
    InPlatform Writes SaveSiteZoneItem    = "system:pc:zone:item:save" "新增专区内容";
    InPlatform Writes DeleteSiteZoneItem  = "system:pc:zone:item:delete" "删除专区内容";
    InPlatform Writes SortSiteZoneItems   = "system:pc:zone:item:sort" "专区内容排序";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[ZoneItemState::ENUMERATION],
    entities: &[Entity { table: "zone_item", name: "专区内容", counted: "项专区内容" }],
    ..Part::NONE
};

enumeration! {
    /// 内容状态
    pub enum ZoneItemState = "zoneItemState" {
        Shown = "shown" "正常",
        Lost = "lost" "已失效",
    }
}

/// Something on a shelf.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteZoneItem {
    /// 编号
    pub id: i64,
    /// 内容编号
    pub ref_id: i64,
    /// 名称
    /// 已删除的内容没有名称
    pub name: Option<String>,
    /// 状态
    /// 已下架、停用或删除的内容不在网站上展示
    pub state: ZoneItemState,
    /// 排序
    pub sort: i32,
    /// 添加时间
    pub created_at: Moment,
}

/// Of which shelf.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteZoneItemFilter {
    /// 专区
    pub zone_id: i64,
}

/// What is put on a shelf, behind what stands there.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NewSiteZoneItem {
    /// 专区
    pub zone_id: i64,
    /// 内容
    pub ref_id: i64,
}

impl Example for NewSiteZoneItem {
    fn example() -> Self {
        Self { zone_id: 1, ref_id: 1 }
    }
}

pub struct SiteZoneItems;

#[OpenApi(prefix_path = "/system/pc/zone/item", tag = "crate::Tag::SiteContent")]
impl SiteZoneItems {
    /// 专区内容列表
    #[oai(path = "/list", method = "post", operation_id = "listSiteZoneItems")]
    async fn list(
        &self,
        caller: Allowed<ListSiteZoneItems>,
        Body(asked): Body<Paged<SiteZoneItemFilter>>,
    ) -> Result<Reply<Page<SiteZoneItem>>> {
        let (paging, zone) = (asked.paging()?, asked.filter.zone_id);
        let mut tx = caller.read().await?;
        find_zone(&mut tx, zone).await?;
        let total =
            sqlx::query_scalar!(r#"select count(*) as "count!" from platform.zone_item where zone_id = $1"#, zone)
                .fetch_one(&mut *tx)
                .await?;
        let list = select(&mut tx, zone, paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 可选的专区内容
    #[oai(path = "/available/list", method = "get", operation_id = "listAvailableSiteZoneItems")]
    async fn available(
        &self,
        caller: Allowed<ChooseSiteZoneItem>,
        /// 专区
        #[oai(name = "zoneId")]
        zone_id: Query<i64>,
        /// 名称
        keyword: Query<Option<String>>,
    ) -> Result<Reply<Vec<SiteChoice>>> {
        let mut tx = caller.read().await?;
        let zone = find_zone(&mut tx, zone_id.0).await?;
        Ok(reply(content(&mut tx, zone.id, zone.zone_type, keyword.0.as_deref()).await?))
    }

    /// 新增专区内容
    #[oai(path = "/save", method = "post", operation_id = "saveSiteZoneItem")]
    async fn save(&self, caller: Allowed<SaveSiteZoneItem>, Body(new): Body<NewSiteZoneItem>) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        // The shelf keeps its type while something is put on it.
        tx.lock("zone", new.zone_id).await?;
        let zone = find_zone(&mut tx, new.zone_id).await?;
        if !is_seen(&mut tx, &zone, new.ref_id).await? {
            return Err(Error::field("refId", "所选内容不存在或未上架，请重新选择"));
        }
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into platform.zone_item (zone_id, ref_id, sort, created_by, updated_by)
             select $1, $2, coalesce(max(i.sort), 0) + 1, $3, $3 from platform.zone_item i where i.zone_id = $1
             returning id",
            new.zone_id,
            new.ref_id,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(|constraint| {
            (constraint == "zone_item_taken").then(|| Error::field("refId", "该内容已在专区中"))
        })?;
        tx.commit(Change::created("zone_item", id, &new)).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除专区内容
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSiteZoneItem")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSiteZoneItem>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 专区内容排序
    #[oai(path = "/sort", method = "put", operation_id = "sortSiteZoneItems")]
    async fn sort(
        &self,
        caller: Allowed<SortSiteZoneItems>,
        Body(order): Body<SiteOrder>,
    ) -> Result<Reply<BulkResult>> {
        let mut tx = caller.begin().await?;
        let changes = tx.reorder("zone_item", &["zone_id"], &order.ids).await?;
        tx.commit_all(changes).await?;
        Ok(reply(ordered(&order)?))
    }
}

async fn select(connection: &mut PgConnection, zone: i64, page: Paging) -> Result<Vec<SiteZoneItem>> {
    let rows = sqlx::query_as!(
        SiteZoneItem,
        r#"select i.id, i.ref_id, coalesce(c.course_name, x.exam_name, b.title, l.lecturer_name) as "name?",
                  case when (c.enabled and c.putaway = 'on' and c.audit_status = 'approved')
                            or (x.enabled and x.putaway = 'on' and x.audit_status = 'approved')
                            or (b.audit_status = 'approved' and b.putaway = 'on' and g.enabled) or l.enabled
                       then 'shown' else 'lost' end as "state!: _",
                  i.sort, i.created_at
           from platform.zone_item i
           join platform.zone z on z.id = i.zone_id
           left join platform.online_course c on c.id = i.ref_id and c.course_type = z.zone_type
           left join platform.online_exam x on x.id = i.ref_id and z.zone_type = 'exam'
           left join platform.blog b on b.id = i.ref_id and z.zone_type = 'blog'
           left join platform.blogger g on g.id = b.blogger_id
           left join platform.lecturer l on l.id = i.ref_id and z.zone_type = 'lecturer'
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

/// Whether visitors see it, and it is of the shelf's kind.
async fn is_seen(connection: &mut PgConnection, zone: &SiteZone, id: i64) -> Result<bool> {
    let seen = match zone.zone_type {
        ZoneType::Lecturer => {
            sqlx::query_scalar!(
                r#"select exists (select from platform.lecturer where id = $1 and enabled) as "seen!""#,
                id
            )
            .fetch_one(connection)
            .await?
        }
        ZoneType::Record | ZoneType::Live | ZoneType::Resource => {
            sqlx::query_scalar!(
                r#"select exists (
                       select from platform.online_course
                       where id = $1 and course_type = $2 and enabled and putaway = 'on' and audit_status = 'approved'
                   ) as "seen!""#,
                id,
                zone.zone_type.as_str()
            )
            .fetch_one(connection)
            .await?
        }
        ZoneType::Exam => {
            sqlx::query_scalar!(
                r#"select exists (
                       select from platform.online_exam
                       where id = $1 and enabled and putaway = 'on' and audit_status = 'approved'
                   ) as "seen!""#,
                id
            )
            .fetch_one(connection)
            .await?
        }
        ZoneType::Blog => {
            sqlx::query_scalar!(
                r#"select exists (
                       select from platform.blog b join platform.blogger g on g.id = b.blogger_id
                       where b.id = $1 and b.audit_status = 'approved' and b.putaway = 'on' and g.enabled
                   ) as "seen!""#,
                id
            )
            .fetch_one(connection)
            .await?
        }
    };
    Ok(seen)
}

async fn remove(tx: &mut Tx, id: i64) -> Result<Change> {
    let gone = sqlx::query!("delete from platform.zone_item where id = $1 returning zone_id, ref_id", id)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(Error::not_found)?;
    Ok(Change::deleted("zone_item", id, &NewSiteZoneItem { zone_id: gone.zone_id, ref_id: gone.ref_id }))
}
