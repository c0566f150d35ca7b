//! 横幅: pictures at the top of the clients (01 §8): the platform's on the operator's clients, a school's on its own. Both
//! have a table of this name, and a caller reaches only the one of the area where the session is.

use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Edit, EnabledChange, Entity, Error, History, Page, Paged, Paging, Part, Public, Reply,
    Result, Saved, clock::Moment, enumeration, permissions, reply, transfer::Rows,
};
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

permissions! {
    pages "/system/banner/list", "/system/banner/add", "/system/banner/edit";
    AtHome Reads  ListBanners        = "system:pc:banner:list" "横幅列表";
    AtHome Reads  ViewBanner         = "system:pc:banner:view" "查看横幅";
    AtHome Writes SaveBanner         = "system:pc:banner:save" "新增横幅";
    AtHome Writes EditBanner         = "system:pc:banner:edit" "编辑横幅";
    AtHome Writes DeleteBanner       = "system:pc:banner:delete" "删除横幅";
    AtHome Writes ChangeBannerStatus = "system:pc:banner:update:status" "启用停用横幅";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[
        Terminal::ENUMERATION,
        BannerPosition::ENUMERATION,
        LinkTarget::ENUMERATION,
        BannerStanding::ENUMERATION,
    ],
    entities: &[Entity { table: "banner", name: "横幅", counted: "个横幅" }],
    histories: &[History { table: "banner", code: "system:pc:banner:view", scope: None }],
    ..Part::NONE
};

/// More are not shown at one position.
const MOST_SHOWN: i64 = 10;

enumeration! {
    /// 端
    pub enum Terminal = "terminal" {
        Pc = "pc" "电脑端",
        H5 = "h5" "手机网页",
        MiniProgram = "mini_program" "小程序",
    }
}

enumeration! {
    /// 位置
    pub enum BannerPosition = "bannerPosition" {
        Home = "home" "首页",
        Login = "login" "登录页",
        Course = "course" "课程页",
    }
}

enumeration! {
    /// 打开方式
    pub enum LinkTarget = "linkTarget" {
        Self_ = "self" "当前窗口",
        Blank = "blank" "新窗口",
    }
}

enumeration! {
    /// 展示状态
    pub enum BannerStanding = "bannerStanding" {
        Waiting = "waiting" "未开始",
        Shown = "shown" "展示中",
        Ended = "ended" "已结束",
        Disabled = "disabled" "停用",
    }
}

/// A banner as its keepers see it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Banner {
    /// 编号
    pub id: i64,
    /// 标题
    pub title: String,
    /// 图片
    pub image_url: String,
    /// 链接
    pub link_url: Option<String>,
    /// 打开方式
    pub target: LinkTarget,
    /// 端
    pub terminal: Terminal,
    /// 位置
    pub position: BannerPosition,
    /// 开始时间
    pub begins_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 展示状态
    pub standing: BannerStanding,
    /// 排序
    pub sort: i32,
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
pub struct BannerFilter {
    /// 标题
    #[oai(validator(max_length = 50))]
    pub title: Option<String>,
    /// 位置
    pub position: Option<BannerPosition>,
    /// 端
    pub terminal: Option<Terminal>,
    /// 状态
    pub standing: Option<BannerStanding>,
}

/// What a person types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct BannerForm {
    /// 标题
    #[oai(validator(max_length = 50))]
    pub title: String,
    /// 图片
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 300, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub image_url: String,
    /// 链接
    /// 以 http://、https:// 或 / 开头
    #[oai(validator(max_length = 140, pattern = r"^(https?://[^\s/\\?#@]+([/?#][^\s\\]*)?|/([^\s/\\][^\s\\]*)?)$"))]
    pub link_url: Option<String>,
    /// 打开方式
    #[oai(default = "same_window")]
    pub target: LinkTarget,
    /// 端
    pub terminal: Terminal,
    /// 位置
    pub position: BannerPosition,
    /// 开始时间
    pub begins_at: Option<Moment>,
    /// 结束时间
    pub ends_at: Option<Moment>,
    /// 排序
    #[oai(default = "first", validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort: i32,
    /// 启用
    #[oai(default = "on")]
    pub enabled: bool,
}

fn same_window() -> LinkTarget {
    LinkTarget::Self_
}

fn first() -> i32 {
    1
}

fn on() -> bool {
    true
}

impl Example for BannerForm {
    fn example() -> Self {
        Self {
            title: "2026年秋季招生".to_owned(),
            image_url: "/admin/files/public/platform/202611/banner.png".to_owned(),
            link_url: None,
            target: LinkTarget::Self_,
            terminal: Terminal::Pc,
            position: BannerPosition::Home,
            begins_at: None,
            ends_at: None,
            sort: 1,
            enabled: true,
        }
    }
}

impl BannerForm {
    fn check(&self) -> Result<()> {
        match (self.begins_at, self.ends_at) {
            (Some(begin), Some(end)) if end <= begin => Err(Error::field("endsAt", "结束时间必须晚于开始时间")),
            _ => Ok(()),
        }
    }
}

pub struct Banners;

#[OpenApi(prefix_path = "/system/pc/banner", tag = "crate::Tag::Settings")]
impl Banners {
    /// 横幅列表
    #[oai(path = "/list", method = "post", operation_id = "listBanners")]
    async fn list(
        &self,
        caller: Allowed<ListBanners>,
        Body(asked): Body<Paged<BannerFilter>>,
    ) -> Result<Reply<Page<Banner>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let now = caller.app().clock().now();
        let mut tx = caller.read().await?;
        let total = count(&mut tx, &filter, now).await?;
        let list = select(&mut tx, None, &filter, now, Some(paging)).try_collect().await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 查看横幅
    #[oai(path = "/view", method = "get", operation_id = "viewBanner")]
    async fn view(
        &self,
        caller: Allowed<ViewBanner>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Banner>> {
        let mut tx = caller.read().await?;
        Ok(reply(find(&mut tx, id.0, caller.app().clock().now()).await?))
    }

    /// 新增横幅
    #[oai(path = "/save", method = "post", operation_id = "saveBanner")]
    async fn save(&self, caller: Allowed<SaveBanner>, Body(form): Body<BannerForm>) -> Result<Reply<Saved>> {
        form.check()?;
        let mut tx = caller.begin().await?;
        let by = tx.by();
        let id = sqlx::query_scalar!(
            "insert into banner (title, image_url, link_url, target, terminal, position, begins_at, ends_at, sort, enabled,
                 created_by, updated_by)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
            form.title,
            form.image_url,
            form.link_url,
            form.target.as_str(),
            form.terminal.as_str(),
            form.position.as_str(),
            form.begins_at,
            form.ends_at,
            form.sort,
            form.enabled,
            by
        )
        .fetch_one(&mut *tx)
        .await?;
        tx.commit(Change::created("banner", id, &form)).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑横幅
    #[oai(path = "/edit", method = "put", operation_id = "editBanner")]
    async fn edit(&self, caller: Allowed<EditBanner>, Body(edit): Body<Edit<BannerForm>>) -> Result<Reply<Saved>> {
        let form = edit.form;
        form.check()?;
        let now = caller.app().clock().now();
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, edit.id, now).await?;
        let by = tx.by();
        let changed = sqlx::query!(
            "update banner set title = $3, image_url = $4, link_url = $5, target = $6, terminal = $7, position = $8, begins_at = $9,
                    ends_at = $10, sort = $11, enabled = $12, updated_at = now(), updated_by = $13, version = version + 1
             where id = $1 and version = $2",
            edit.id,
            edit.version,
            form.title,
            form.image_url,
            form.link_url,
            form.target.as_str(),
            form.terminal.as_str(),
            form.position.as_str(),
            form.begins_at,
            form.ends_at,
            form.sort,
            form.enabled,
            by
        )
        .execute(&mut *tx)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(tx.stale("banner", edit.id).await);
        }
        let after = find(&mut tx, edit.id, now).await?;
        tx.commit(Change::edited("banner", edit.id, &before, &after)).await?;
        Ok(reply(Saved { id: edit.id }))
    }

    /// 删除横幅
    #[oai(path = "/delete", method = "delete", operation_id = "deleteBanner")]
    async fn delete(
        &self,
        caller: Allowed<DeleteBanner>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let before = find(&mut tx, id.0, caller.app().clock().now()).await?;
        tx.remove("banner", id.0, &before.title).await?;
        tx.commit(Change::deleted("banner", id.0, &before)).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 启用停用横幅
    #[oai(path = "/update/status", method = "put", operation_id = "changeBannerStatus")]
    async fn change_status(
        &self,
        caller: Allowed<ChangeBannerStatus>,
        Body(wanted): Body<EnabledChange>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = tx.set_enabled("banner", &wanted).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: wanted.id }))
    }
}

/// A banner as a client shows it.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ShownBanner {
    /// 编号
    id: i64,
    /// 标题
    title: String,
    /// 图片
    image_url: String,
    /// 链接
    link_url: Option<String>,
    /// 打开方式
    target: LinkTarget,
}

pub struct ShownBanners;

#[OpenApi(tag = "crate::Tag::Settings")]
impl ShownBanners {
    /// 客户端横幅
    #[oai(path = "/system/client/banner", method = "get", operation_id = "listShownBanners")]
    async fn shown(
        &self,
        caller: Public,
        /// 位置
        position: Query<BannerPosition>,
        /// 端
        terminal: Query<Terminal>,
    ) -> Result<Reply<Vec<ShownBanner>>> {
        // As for the website info, the host decides whose clients these are.
        let mut tx = caller.at_host().await?;
        let shown = sqlx::query_as!(
            ShownBanner,
            r#"select id, title, image_url, link_url, target as "target: _" from banner
               where position = $1 and terminal = $2 and enabled
                 and (begins_at is null or begins_at <= $3) and (ends_at is null or ends_at > $3)
               order by sort, id desc limit $4"#,
            position.0.as_str(),
            terminal.0.as_str(),
            caller.app.clock().now(),
            MOST_SHOWN
        )
        .fetch_all(&mut *tx)
        .await?;
        Ok(reply(shown))
    }
}

struct Row {
    id: i64,
    title: String,
    image_url: String,
    link_url: Option<String>,
    target: LinkTarget,
    terminal: Terminal,
    position: BannerPosition,
    begins_at: Option<Moment>,
    ends_at: Option<Moment>,
    standing: BannerStanding,
    sort: i32,
    enabled: bool,
    created_at: Moment,
    version: i32,
}

impl From<Row> for Banner {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            title: row.title,
            image_url: row.image_url,
            link_url: row.link_url,
            target: row.target,
            terminal: row.terminal,
            position: row.position,
            begins_at: row.begins_at,
            ends_at: row.ends_at,
            standing: row.standing,
            sort: row.sort,
            enabled: row.enabled,
            created_at: row.created_at,
            version: row.version,
        }
    }
}

fn select<'c>(
    connection: &'c mut PgConnection,
    only: Option<i64>,
    filter: &BannerFilter,
    now: Moment,
    page: Option<Paging>,
) -> Rows<'c, Banner> {
    let rows = sqlx::query_as!(
        Row,
        r#"select b.id, b.title, b.image_url, b.link_url, b.target as "target: _", b.terminal as "terminal: _",
                  b.position as "position: _", b.begins_at, b.ends_at, s.standing as "standing!: _", b.sort, b.enabled,
                  b.created_at, b.version
           from banner b
           cross join lateral (select case when not b.enabled then 'disabled' when b.begins_at > $2 then 'waiting'
                                           when b.ends_at <= $2 then 'ended' else 'shown' end as standing) s
           where ($1::bigint is null or b.id = $1)
             and ($3::text is null or strpos(b.title, $3) > 0)
             and ($4::text is null or b.position = $4)
             and ($5::text is null or b.terminal = $5)
             and ($6::text is null or s.standing = $6)
           order by b.sort, b.id desc limit $7 offset $8"#,
        only,
        now,
        filter.title,
        filter.position.map(BannerPosition::as_str),
        filter.terminal.map(Terminal::as_str),
        filter.standing.map(BannerStanding::as_str),
        page.map(Paging::limit),
        page.map(Paging::offset)
    )
    .fetch(connection);
    Box::pin(rows.map_ok(Banner::from))
}

async fn count(connection: &mut PgConnection, filter: &BannerFilter, now: Moment) -> Result<i64> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "count!" from banner b
           cross join lateral (select case when not b.enabled then 'disabled' when b.begins_at > $1 then 'waiting'
                                           when b.ends_at <= $1 then 'ended' else 'shown' end as standing) s
           where ($2::text is null or strpos(b.title, $2) > 0)
             and ($3::text is null or b.position = $3)
             and ($4::text is null or b.terminal = $4)
             and ($5::text is null or s.standing = $5)"#,
        now,
        filter.title,
        filter.position.map(BannerPosition::as_str),
        filter.terminal.map(Terminal::as_str),
        filter.standing.map(BannerStanding::as_str)
    )
    .fetch_one(connection)
    .await?;
    Ok(total)
}

async fn find(connection: &mut PgConnection, id: i64, now: Moment) -> Result<Banner> {
    let found = select(connection, Some(id), &BannerFilter::default(), now, None).try_next().await?;
    found.ok_or_else(Error::not_found)
}
