//! 网站首页: all that visitors see of this module, in one answer (01 §9.11). Only what is enabled, within its time, and what can be
//! seen where it stands.

use std::collections::HashMap;

use catalogue::category::CategoryType;
use infra::{Public, Reply, Result, RichText, clock::Moment, pace::Pace, reply};
use poem_openapi::{Object, OpenApi, param::Query};
use settings::{
    banner::LinkTarget,
    config::{ConfigKind, in_force, kinds::WebsiteConfig},
};
use sqlx::PgConnection;

use crate::{
    filter::SiteTerminal,
    search_word::SearchWordType,
    zone::{ZoneLayout, ZoneType},
};

/// So many pictures turn on the home page (01 §9.1).
const CAROUSEL: i64 = 8;

/// Anybody may ask for the page, so it never answers with more than this of a list that has no end of its own.
const ZONES: i64 = 50;
const SCHOOLS: i64 = 500;
const LINKS: i64 = 200;
/// Columns before what stands below them.
const FOOTER: i64 = 200;
/// Of each kind of word.
const WORDS: i64 = 50;
/// People who share an address open it, each once a visit.
const OF_ADDRESS: Pace = Pace::per_minute(240);

/// An entry of the bar.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownNav {
    /// 编号
    id: i64,
    /// 标题
    nav_title: String,
    /// 链接
    nav_url: String,
    /// 打开方式
    target: LinkTarget,
    /// 图标
    icon: Option<String>,
}

/// An advertisement.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownAdvertisement {
    /// 编号
    id: i64,
    /// 标题
    adv_title: String,
    /// 图片
    adv_img: String,
    /// 链接
    adv_url: Option<String>,
    /// 打开方式
    target: LinkTarget,
    /// 可关闭
    closable: bool,
    /// 背景色
    bg_color: Option<String>,
}

/// Something on a shelf.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownZoneItem {
    /// 内容编号
    ref_id: i64,
    /// 名称
    name: String,
    /// 图片
    /// 课程、试卷和博客的封面，讲师的头像
    picture: Option<String>,
    /// 副标题
    /// 课程和试卷的讲师，博客的博主，讲师的职位
    caption: Option<String>,
    /// 原价(分)
    price_original: Option<i64>,
    /// 优惠价(分)
    price_sale: Option<i64>,
}

/// A shelf.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownZone {
    /// 编号
    id: i64,
    /// 标题
    zone_title: String,
    /// 说明
    zone_desc: Option<String>,
    /// 类型
    zone_type: ZoneType,
    /// 布局
    layout: ZoneLayout,
    /// 内容
    items: Vec<ShownZoneItem>,
}

/// A school.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownSchool {
    /// 编号
    id: i64,
    /// 院校名称
    school_name: String,
    /// 院校标志
    logo: Option<String>,
    /// 封面
    cover_img: Option<String>,
    /// 宣传语
    slogan: Option<String>,
    /// 链接
    link_url: Option<String>,
}

/// A category.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownCategory {
    /// 分类
    category_id: i64,
    /// 分类类型
    category_type: CategoryType,
    /// 标题
    title: String,
    /// 图标
    icon: Option<String>,
}

/// What stands below a column at the foot of the site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownFooterEntry {
    /// 编号
    id: i64,
    /// 标题
    nav_title: String,
    /// 链接
    link_url: Option<String>,
    /// 文章内容
    content: Option<RichText>,
}

/// A column at the foot of the site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownFooterColumn {
    /// 编号
    id: i64,
    /// 标题
    nav_title: String,
    /// 链接
    link_url: Option<String>,
    /// 文章内容
    content: Option<RichText>,
    /// 下级导航
    entries: Vec<ShownFooterEntry>,
}

/// A link to another site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownLink {
    /// 名称
    link_name: String,
    /// 链接
    link_url: String,
    /// 标志
    logo: Option<String>,
    /// 打开方式
    target: LinkTarget,
}

/// A word of the search.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownWord {
    /// 搜索词
    word: String,
    /// 类型
    word_type: SearchWordType,
    /// 跳转链接
    jump_url: Option<String>,
}

/// The home page.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteHome {
    /// 头部导航
    navs: Vec<ShownNav>,
    /// 顶部广告
    top: Option<ShownAdvertisement>,
    /// 首页轮播
    carousel: Vec<ShownAdvertisement>,
    /// 首页专区
    zones: Vec<ShownZone>,
    /// 院校专区
    schools: Vec<ShownSchool>,
    /// 首页分类
    categories: Vec<ShownCategory>,
    /// 底部导航
    footer: Vec<ShownFooterColumn>,
    /// 友情链接
    links: Vec<ShownLink>,
    /// 搜索词
    words: Vec<ShownWord>,
    /// 站点信息
    site: Option<ShownSite>,
}

/// What the operators say of their site (01 §3.1): for search engines, below the page, and what people agree to.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownSite {
    /// 站点标题
    title: String,
    /// 标志
    logo: Option<String>,
    /// 关键词
    keywords: Option<String>,
    /// 描述
    description: Option<String>,
    /// 版权
    copyright: Option<String>,
    /// 备案号
    icp: Option<String>,
    /// 公安备案号
    police_record: Option<String>,
    /// 客服电话
    service_phone: Option<String>,
    /// 用户协议
    user_agreement: Option<String>,
    /// 隐私政策
    privacy_policy: Option<String>,
    /// 讲师协议
    lecturer_agreement: Option<String>,
}

impl From<WebsiteConfig> for ShownSite {
    fn from(site: WebsiteConfig) -> Self {
        Self {
            title: site.title,
            logo: site.logo,
            keywords: site.keywords,
            description: site.description,
            copyright: site.copyright,
            icp: site.icp,
            police_record: site.police_record,
            service_phone: site.service_phone,
            user_agreement: site.user_agreement,
            privacy_policy: site.privacy_policy,
            lecturer_agreement: site.lecturer_agreement,
        }
    }
}

pub struct SiteHomes;

#[OpenApi(tag = "crate::Tag::SiteContent")]
impl SiteHomes {
    /// 网站首页数据
    #[oai(path = "/system/client/site/home", method = "get", operation_id = "viewSiteHome")]
    async fn home(
        &self,
        caller: Public,
        /// 端
        terminal: Query<SiteTerminal>,
    ) -> Result<Reply<SiteHome>> {
        caller.app.in_pace("site home", &caller.visit.ip, OF_ADDRESS)?;
        let (terminal, now) = (terminal.0.as_str(), caller.app.clock().now());
        let site = in_force::<WebsiteConfig>(&caller.app, ConfigKind::Website, None).await?.map(ShownSite::from);
        let mut tx = caller.platform().await?;
        let top = advertisements(&mut tx, "top", terminal, now, 1).await?.pop();
        Ok(reply(SiteHome {
            navs: navs(&mut tx, terminal).await?,
            top,
            carousel: advertisements(&mut tx, "carousel", terminal, now, CAROUSEL).await?,
            zones: zones(&mut tx, terminal).await?,
            schools: schools(&mut tx, terminal).await?,
            categories: categories(&mut tx, terminal).await?,
            footer: footer(&mut tx).await?,
            links: links(&mut tx).await?,
            words: words(&mut tx, terminal).await?,
            site,
        }))
    }
}

async fn navs(connection: &mut PgConnection, terminal: &str) -> Result<Vec<ShownNav>> {
    let rows = sqlx::query_as!(
        ShownNav,
        r#"select id, nav_title, nav_url, target as "target: _", icon from platform.nav_bar
           where terminal = $1 and enabled order by sort, id desc"#,
        terminal
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

async fn advertisements(
    connection: &mut PgConnection,
    place: &str,
    terminal: &str,
    now: Moment,
    most: i64,
) -> Result<Vec<ShownAdvertisement>> {
    let rows = sqlx::query_as!(
        ShownAdvertisement,
        r#"select id, adv_title, adv_img, adv_url, target as "target: _", closable, bg_color from platform.adv
           where adv_location = $1 and terminal = $2 and enabled and begins_at <= $3 and ends_at > $3
           order by sort, id desc limit $4"#,
        place,
        terminal,
        now,
        most
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Shelves with as much of what can be seen as each shows.
async fn zones(connection: &mut PgConnection, terminal: &str) -> Result<Vec<ShownZone>> {
    let zones = sqlx::query!(
        r#"select id, zone_title, zone_desc, zone_type as "zone_type: ZoneType", layout as "layout: ZoneLayout"
           from platform.zone where terminal = $1 and enabled
           order by sort, id desc limit $2"#,
        terminal,
        ZONES
    )
    .fetch_all(&mut *connection)
    .await?;
    let shown: Vec<i64> = zones.iter().map(|zone| zone.id).collect();
    let rows = sqlx::query!(
        r#"select s.zone_id as "zone_id!", s.ref_id as "ref_id!", s.name as "name!", s.picture as "picture?",
                  s.caption as "caption?", s.price_original as "price_original?", s.price_sale as "price_sale?"
           from platform.zone z
           cross join lateral (
               select i.zone_id, i.ref_id, coalesce(c.course_name, x.exam_name, b.title, l.lecturer_name) as name,
                      coalesce(c.cover, x.cover, b.cover, l.head_img) as picture,
                      coalesce(t.lecturer_name, g.blogger_name, l.position) as caption,
                      coalesce(c.price_original, x.price_original) as price_original,
                      coalesce(c.price_sale, x.price_sale) as price_sale, i.sort, i.id
               from platform.zone_item i
               left join platform.online_course c on c.id = i.ref_id and c.course_type = z.zone_type
                                                 and c.enabled and c.putaway = 'on' and c.audit_status = 'approved'
               left join platform.online_exam x on x.id = i.ref_id and z.zone_type = 'exam'
                                               and x.enabled and x.putaway = 'on' and x.audit_status = 'approved'
               left join (platform.blog b join platform.blogger g on g.id = b.blogger_id and g.enabled)
                   on b.id = i.ref_id and z.zone_type = 'blog' and b.audit_status = 'approved' and b.putaway = 'on'
               left join platform.lecturer t on t.id = coalesce(c.lecturer_id, x.lecturer_id)
               left join platform.lecturer l on l.id = i.ref_id and z.zone_type = 'lecturer' and l.enabled
               where i.zone_id = z.id and coalesce(c.id, x.id, b.id, l.id) is not null
               order by i.sort, i.id desc limit z.show_count) s
           where z.id = any($1)
           order by s.zone_id, s.sort, s.id desc"#,
        &shown
    )
    .fetch_all(connection)
    .await?;
    let mut items: HashMap<i64, Vec<ShownZoneItem>> = HashMap::new();
    for row in rows {
        items.entry(row.zone_id).or_default().push(ShownZoneItem {
            ref_id: row.ref_id,
            name: row.name,
            picture: row.picture,
            caption: row.caption,
            price_original: row.price_original,
            price_sale: row.price_sale,
        });
    }
    Ok(zones
        .into_iter()
        .map(|zone| ShownZone {
            items: items.remove(&zone.id).unwrap_or_default(),
            id: zone.id,
            zone_title: zone.zone_title,
            zone_desc: zone.zone_desc,
            zone_type: zone.zone_type,
            layout: zone.layout,
        })
        .collect())
}

async fn schools(connection: &mut PgConnection, terminal: &str) -> Result<Vec<ShownSchool>> {
    let rows = sqlx::query_as!(
        ShownSchool,
        r#"select z.id, s.name as school_name, s.logo, z.cover_img, z.slogan,
                  coalesce(z.link_url, 'https://' || s.domain) as "link_url?"
           from platform.zone_school z
           join platform.school s on s.id = z.school_id
           where z.enabled and z.terminal in ('both', $1) and s.status in ('trial', 'active') and s.deleted_at is null
           order by z.sort, z.id desc limit $2"#,
        terminal,
        SCHOOLS
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Those that are in use, with all above them.
async fn categories(connection: &mut PgConnection, terminal: &str) -> Result<Vec<ShownCategory>> {
    let rows = sqlx::query_as!(
        ShownCategory,
        r#"select h.category_id as "category_id!", c.category_type as "category_type!: _",
                  coalesce(h.title, c.category_name) as "title!", coalesce(h.icon, c.icon) as "icon?"
           from platform.home_category h
           join platform.online_category c on c.id = h.category_id
           left join platform.online_category p on p.id = c.parent_id
           left join platform.online_category g on g.id = p.parent_id
           where h.terminal = $1 and h.enabled and c.enabled and coalesce(p.enabled, true) and coalesce(g.enabled, true)
           order by h.sort, h.id desc"#,
        terminal
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// Enabled columns, each with what is enabled below it.
async fn footer(connection: &mut PgConnection) -> Result<Vec<ShownFooterColumn>> {
    let rows = sqlx::query!(
        r#"select w.id as "id!", w.parent_id as "parent_id?", w.nav_title as "nav_title!", w.link_url as "link_url?",
                  w.content as "content?: RichText"
           from platform.website_nav w
           left join platform.website_nav p on p.id = w.parent_id
           where w.enabled and coalesce(p.enabled, true)
           order by w.parent_id is not null, w.sort, w.id desc limit $1"#,
        FOOTER
    )
    .fetch_all(connection)
    .await?;
    let (mut columns, mut below) = (Vec::new(), HashMap::<i64, Vec<ShownFooterEntry>>::new());
    for row in rows {
        let (id, nav_title, link_url, content) = (row.id, row.nav_title, row.link_url, row.content);
        match row.parent_id {
            Some(parent) => {
                below.entry(parent).or_default().push(ShownFooterEntry { id, nav_title, link_url, content })
            }
            None => columns.push(ShownFooterColumn { id, nav_title, link_url, content, entries: Vec::new() }),
        }
    }
    for column in &mut columns {
        column.entries = below.remove(&column.id).unwrap_or_default();
    }
    Ok(columns)
}

async fn links(connection: &mut PgConnection) -> Result<Vec<ShownLink>> {
    let rows = sqlx::query_as!(
        ShownLink,
        r#"select link_name, link_url, logo, target as "target: _" from platform.website_link
           where enabled order by sort, id desc limit $1"#,
        LINKS
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

async fn words(connection: &mut PgConnection, terminal: &str) -> Result<Vec<ShownWord>> {
    let rows = sqlx::query_as!(
        ShownWord,
        r#"select w.word as "word!", w.word_type as "word_type!: _", w.jump_url as "jump_url?"
           from (values ('hot'), ('placeholder')) as k (kind)
           cross join lateral (
               select s.word, s.word_type, s.jump_url, s.sort, s.id from platform.search_word s
               where s.terminal = $1 and s.enabled and s.word_type = k.kind
               order by s.sort, s.id desc limit $2) w
           order by w.word_type, w.sort, w.id desc"#,
        terminal,
        WORDS
    )
    .fetch_all(connection)
    .await?;
    Ok(rows)
}
