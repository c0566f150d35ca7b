//! 推广链接: which poster, agent or advertisement brought somebody (part 05 A2, A5). The operators have their own for their own site; a
//! school's may belong to a site, whose people then see and keep their own links alone.

use infra::{
    Allowed, Body, Change, Edit, EnabledChange, Entity, Error, History, OnConstraint, Page, Paged, Paging, Part, Reply,
    Result, Saved, Scope, Tx, clock::Moment, permissions, reply,
};
use people::{account::OwnerKind, setting::client_url};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;
use statistics_rules::enums::VisitPage;

use crate::words::{CHANNELS, Word, label, offered, words};

permissions! {
    pages "/schoolPC/webStieManage/fromStatistics", "/platformPC/webStieManage/fromStatistics";
    AtHome Reads  ListPromotionLinks   = "data:pc:promotionLink:list" "推广链接列表";
    AtHome Reads  DrawPromotionLink    = "data:pc:promotionLink:list" "推广链接列表";
    AtHome Writes SavePromotionLink    = "data:pc:promotionLink:save" "新增推广链接";
    AtHome Writes EditPromotionLink    = "data:pc:promotionLink:edit" "编辑推广链接";
    AtHome Writes DeletePromotionLink  = "data:pc:promotionLink:delete" "删除推广链接";
    AtHome Writes SwitchPromotionLink  = "data:pc:promotionLink:update:status" "启用停用推广链接";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    entities: &[Entity { table: "promotion_link", name: "推广链接", counted: "个推广链接" }],
    histories: &[History {
        table: "promotion_link",
        code: "data:pc:promotionLink:list",
        scope: Some(("site_id", None)),
    }],
    option_pages: PAGES,
    ..Part::NONE
};

/// Characters of a code, without signs that are mistaken for others.
const SIGNS: &[u8] = b"abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH: usize = 8;

/// A link as its keepers see it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct PromotionLink {
    /// 编号
    pub id: i64,
    /// 推广码
    pub code: String,
    /// 名称
    pub name: String,
    /// 来源渠道
    pub source_channel: String,
    /// 来源渠道名称
    pub channel_name: String,
    /// 站点
    pub site_id: Option<i64>,
    /// 站点名称
    pub site_name: Option<String>,
    /// 目标页面
    pub target_page: VisitPage,
    /// 预报名批次
    pub batch_id: Option<i64>,
    /// 预报名批次名称
    pub batch_name: Option<String>,
    /// 浏览量
    pub views: i64,
    /// 启用
    pub enabled: bool,
    /// 创建时间
    pub created_at: Moment,
    /// 版本
    pub version: i32,
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct PromotionFilter {
    /// 名称
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 来源渠道
    #[oai(validator(max_length = 50))]
    pub source_channel: Option<String>,
    /// 站点
    pub site_id: Option<i64>,
    /// 启用
    pub enabled: Option<bool>,
}

/// What a person types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PromotionForm {
    /// 名称
    #[oai(validator(min_length = 1, max_length = 50))]
    pub name: String,
    /// 来源渠道
    #[oai(validator(min_length = 1, max_length = 50))]
    pub source_channel: String,
    /// 站点
    /// 平台的链接没有站点
    pub site_id: Option<i64>,
    /// 目标页面
    pub target_page: VisitPage,
    /// 预报名批次
    /// 目标页面为报名时可选
    pub batch_id: Option<i64>,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn on() -> bool {
    true
}

impl Example for PromotionForm {
    fn example() -> Self {
        Self {
            name: "地铁站海报".to_owned(),
            source_channel: "poster".to_owned(),
            site_id: None,
            target_page: VisitPage::Enrol,
            batch_id: None,
            enabled: true,
        }
    }
}

/// Where a link leads, as text and for a QR code.
#[derive(Debug, Clone, Object)]
pub struct PromotionAddress {
    /// 名称
    pub name: String,
    /// 地址
    pub url: String,
}

pub struct PromotionLinks;

#[OpenApi(prefix_path = "/data/pc/promotionLink", tag = "crate::Tag::Statistics")]
impl PromotionLinks {
    /// 推广链接列表
    #[oai(path = "/list", method = "post", operation_id = "listPromotionLinks")]
    async fn list(
        &self,
        caller: Allowed<ListPromotionLinks>,
        Body(asked): Body<Paged<PromotionFilter>>,
    ) -> Result<Reply<Page<PromotionLink>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let channels = words(caller.app(), CHANNELS).await?;
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter, &caller.scope()).await?;
        let mut list = select(&mut tx, None, &filter, &caller.scope(), Some(paging)).await?;
        tell(&mut tx, &mut list, &channels, caller.school_id().is_some()).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 推广链接二维码
    /// 返回链接地址，由页面绘制二维码
    #[oai(path = "/qrcode", method = "get", operation_id = "drawPromotionLink")]
    async fn qrcode(
        &self,
        caller: Allowed<DrawPromotionLink>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<PromotionAddress>> {
        let mut tx = caller.read().await?;
        let link = find(&mut tx, id.0, &caller.scope()).await?;
        let site = match &caller.school {
            Some(school) => client_url(&mut tx, OwnerKind::Student, school.domain.as_deref()).await?,
            None => format!("https://{}", caller.visit.host),
        };
        let token = match link.batch_id {
            Some(batch) => {
                sqlx::query_scalar!("select public_token from pre_registration_batch where id = $1", batch)
                    .fetch_optional(&mut *tx)
                    .await?
            }
            None => None,
        };
        Ok(reply(PromotionAddress { url: address(&site, &link, token.as_deref()), name: link.name }))
    }

    /// 新增推广链接
    #[oai(path = "/save", method = "post", operation_id = "savePromotionLink")]
    async fn save(&self, caller: Allowed<SavePromotionLink>, Body(form): Body<PromotionForm>) -> Result<Reply<Saved>> {
        let channels = words(caller.app(), CHANNELS).await?;
        offered(&channels, "sourceChannel", &form.source_channel)?;
        let mut tx = caller.begin().await?;
        check(&mut tx, &form, &caller.scope(), caller.school_id().is_some()).await?;
        let by = tx.by();
        let code = caller.app().random().text(SIGNS, CODE_LENGTH);
        let id = sqlx::query_scalar!(
            "insert into promotion_link (code, name, source_channel, site_id, target_page, batch_id, enabled, created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning id",
            code,
            form.name,
            form.source_channel,
            form.site_id,
            form.target_page.as_str(),
            form.batch_id,
            form.enabled,
            by
        )
        .fetch_one(&mut *tx)
        .await
        .on_constraint(refused)?;
        tx.commit(Change::created("promotion_link", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑推广链接
    #[oai(path = "/edit", method = "put", operation_id = "editPromotionLink")]
    async fn edit(
        &self,
        caller: Allowed<EditPromotionLink>,
        Body(edit): Body<Edit<PromotionForm>>,
    ) -> Result<Reply<Saved>> {
        let form = edit.form;
        let channels = words(caller.app(), CHANNELS).await?;
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id, &caller.scope()).await?;
        if before.source_channel != form.source_channel {
            offered(&channels, "sourceChannel", &form.source_channel)?;
        }
        check(&mut tx, &form, &caller.scope(), caller.school_id().is_some()).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update promotion_link set name = $3, source_channel = $4, site_id = $5, target_page = $6, batch_id = $7, enabled = $8,
                    updated_at = now(), updated_by = $9, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.name,
            form.source_channel,
            form.site_id,
            form.target_page.as_str(),
            form.batch_id,
            form.enabled,
            by
        )
        .execute(&mut *tx)
        .await
        .on_constraint(refused)?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("promotion_link", edit.id).await);
        }
        let after = find(&mut tx, edit.id, &caller.scope()).await?;
        tx.commit(Change::edited("promotion_link", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除推广链接
    /// 有访问的链接只能停用
    #[oai(path = "/delete", method = "delete", operation_id = "deletePromotionLink")]
    async fn delete(
        &self,
        caller: Allowed<DeletePromotionLink>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0, &caller.scope()).await?;
        let visits = views(&mut tx, &[id.0]).await?.first().map_or(0, |(_, views)| *views);
        if visits > 0 {
            return Err(Error::conflict(format!("该链接已有{visits}次访问，请停用")));
        }
        tx.remove("promotion_link", id.0, &before.name).await?;
        tx.commit(Change::deleted("promotion_link", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用推广链接
    /// 停用后打开该链接的访问不再计入该链接
    #[oai(path = "/update/status", method = "put", operation_id = "switchPromotionLink")]
    async fn switch(
        &self,
        caller: Allowed<SwitchPromotionLink>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        find(&mut tx, wanted.id, &caller.scope()).await?;
        let change = tx.set_enabled("promotion_link", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

fn refused(constraint: &str) -> Option<Error> {
    match constraint {
        "promotion_link_name_taken" => Some(Error::field("name", "已有同名的推广链接")),
        "promotion_link_code_taken" => Some(Error::conflict("推广码重复，请重试")),
        _ => None,
    }
}

/// Where the client opens the page, and by which link somebody came.
fn address(site: &str, link: &PromotionLink, token: Option<&str>) -> String {
    let site = site.trim_end_matches('/');
    let page = match (link.target_page, token) {
        (VisitPage::Enrol, Some(token)) => {
            return format!("{site}/preRegistration?publicToken={token}&link={}", link.code);
        }
        (VisitPage::Enrol, None) => "preRegistration",
        (VisitPage::Course, _) => "course",
        (VisitPage::Help, _) => "help",
        (VisitPage::Home | VisitPage::Other, _) => "",
    };
    format!("{site}/{page}?link={}", link.code)
}

/// # Errors
/// 422 when what the link leads to does not fit the page, is not there or, of sites, lies outside the scope.
async fn check(tx: &mut Tx, form: &PromotionForm, scope: &Scope, in_school: bool) -> Result<()> {
    if form.batch_id.is_some() && form.target_page != VisitPage::Enrol {
        return Err(Error::field("batchId", "只有目标页面为报名的链接可以选择预报名批次"));
    }
    if !in_school {
        return match (form.site_id, form.batch_id) {
            (None, None) => Ok(()),
            (Some(_), _) => Err(Error::field("siteId", "平台的链接没有站点")),
            (None, Some(_)) => Err(Error::field("batchId", "平台的链接没有预报名批次")),
        };
    }
    if !scope.sees(form.site_id, None) {
        return Err(Error::field("siteId", "请选择您负责的站点"));
    }
    if let Some(site) = form.site_id {
        let known = sqlx::query_scalar!(r#"select exists (select from site where id = $1) as "known!""#, site)
            .fetch_one(&mut **tx)
            .await?;
        if !known {
            return Err(Error::field("siteId", "站点不存在，请重新选择"));
        }
    }
    if let Some(batch) = form.batch_id {
        let known = sqlx::query_scalar!(
            r#"select exists (select from pre_registration_batch where id = $1) as "known!""#,
            batch
        )
        .fetch_one(&mut **tx)
        .await?;
        if !known {
            return Err(Error::field("batchId", "预报名批次不存在，请重新选择"));
        }
    }
    Ok(())
}

struct Row {
    id: i64,
    code: String,
    name: String,
    source_channel: String,
    site_id: Option<i64>,
    target_page: VisitPage,
    batch_id: Option<i64>,
    enabled: bool,
    created_at: Moment,
    version: i32,
}

impl From<Row> for PromotionLink {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            code: row.code,
            name: row.name,
            channel_name: row.source_channel.clone(),
            source_channel: row.source_channel,
            site_id: row.site_id,
            site_name: None,
            target_page: row.target_page,
            batch_id: row.batch_id,
            batch_name: None,
            views: 0,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

async fn count(connection: &mut PgConnection, filter: &PromotionFilter, scope: &Scope) -> Result<i64> {
    Ok(sqlx::query_scalar!(
        r#"select count(*) as "count!" from promotion_link l
           where ($1::bigint[] is null or l.site_id = any($1))
             and ($2::text is null or strpos(l.name, $2) > 0) and ($3::text is null or l.source_channel = $3)
             and ($4::bigint is null or l.site_id = $4) and ($5::boolean is null or l.enabled = $5)"#,
        scope.sites(),
        filter.name,
        filter.source_channel,
        filter.site_id,
        filter.enabled
    )
    .fetch_one(connection)
    .await?)
}

/// Links within the scope, the newest first; the same in a school and in `platform`.
async fn select(
    connection: &mut PgConnection,
    only: Option<i64>,
    filter: &PromotionFilter,
    scope: &Scope,
    page: Option<Paging>,
) -> Result<Vec<PromotionLink>> {
    let rows = sqlx::query_as!(
        Row,
        r#"select l.id, l.code, l.name, l.source_channel, l.site_id, l.target_page as "target_page: _", l.batch_id, l.enabled,
                  l.created_at, l.version
           from promotion_link l
           where ($1::bigint[] is null or l.site_id = any($1))
             and ($2::text is null or strpos(l.name, $2) > 0) and ($3::text is null or l.source_channel = $3)
             and ($4::bigint is null or l.site_id = $4) and ($5::boolean is null or l.enabled = $5)
             and ($6::bigint is null or l.id = $6)
           order by l.created_at desc, l.id limit $7 offset $8"#,
        scope.sites(),
        filter.name,
        filter.source_channel,
        filter.site_id,
        filter.enabled,
        only,
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(PromotionLink::from).collect())
}

/// # Errors
/// 404 when there is none within the scope.
async fn find(connection: &mut PgConnection, id: i64, scope: &Scope) -> Result<PromotionLink> {
    let mut found = select(connection, Some(id), &PromotionFilter::default(), scope, None).await?;
    found.pop().ok_or_else(Error::not_found)
}

/// How often each link was opened: what is counted already, and what is still kept one by one.
async fn views(connection: &mut PgConnection, links: &[i64]) -> Result<Vec<(i64, i64)>> {
    let rows = sqlx::query!(
        r#"select k.id as "id!", greatest((select coalesce(sum(d.pv), 0)::bigint from visit_day d
                                           where d.link_id = k.id and d.link_id <> 0),
                                          (select count(*) from visit v where v.link_id = k.id and v.link_id <> 0)) as "views!"
           from unnest($1::bigint[]) as k (id)"#,
        links
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.views)).collect())
}

/// Adds what stands in other tables.
async fn tell(
    connection: &mut PgConnection,
    list: &mut [PromotionLink],
    channels: &[Word],
    in_school: bool,
) -> Result<()> {
    let ids: Vec<i64> = list.iter().map(|link| link.id).collect();
    let views = views(connection, &ids).await?;
    for link in list.iter_mut() {
        link.channel_name = label(channels, &link.source_channel);
        link.views = views.iter().find(|(id, _)| *id == link.id).map_or(0, |(_, views)| *views);
    }
    if !in_school {
        return Ok(());
    }
    let names = sqlx::query!(
        r#"select l.id as "id!", s.name as "site?", b.name as "batch?" from promotion_link l
           left join site s on s.id = l.site_id left join pre_registration_batch b on b.id = l.batch_id
           where l.id = any($1) and (s.id is not null or b.id is not null)"#,
        &ids
    )
    .fetch_all(connection)
    .await?;
    for row in names {
        if let Some(link) = list.iter_mut().find(|link| link.id == row.id) {
            link.site_name = row.site;
            link.batch_name = row.batch;
        }
    }
    Ok(())
}
