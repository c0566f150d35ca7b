//! 教学站点: where a school meets its students (part 03 A2).
//!
//! ```text
//! active 在用 ↔ suspended 停招;   either ─→ closed 撤销 ─(with a reason)→ suspended
//! ```
//! Sites lie in the data scope: a person of some sites sees these, a person of some classes the sites of the classes.

mod change_status;
mod form;
mod options;
mod region;
mod sheet;

use chrono::NaiveDate;
use infra::{
    Allowed, Body, Bulk, BulkResult, Change, Edit, Entity, History, Ids, Paged, Part, Reply, Result, Saved, Scope,
    Sorted, Tx, UnmaskedFields,
    across::{self, Key, KeyQuery, Keyed, SchoolPage},
    enumeration, mask,
    naming::{resolve_id, sought_word},
    options::Source,
    permissions, reply,
    transfer::{self, Attachment, ByRow, Exported, ImportAnswer, ImportForm, export_job, import_job},
};
use poem_openapi::{Object, OpenApi, param::Query};
use sqlx::PgConnection;
use unit_rules::region::prefix;
pub use unit_rules::site::SiteStatus;

pub(crate) use change_status::ChangeStatus;
use options::options;
pub use options::{KnownSite, by_code};
pub(crate) use sheet::SiteImport;

pub use form::SiteForm;
use form::{insert, update};

permissions! {
    pages "/schoolPC/basicData/site", "/platformPC/basicData/site";
    EachSchool Reads       ListSites     = "adult:pc:site:list" "站点列表";
    EachSchool Reads       ViewSite      = "adult:pc:site:view" "查看站点";
    EachSchool Writes      SaveSite      = "adult:pc:site:save" "新增站点";
    EachSchool Writes      EditSite      = "adult:pc:site:edit" "编辑站点";
    EachSchool Writes      DeleteSite    = "adult:pc:site:delete" "删除站点";
    EachSchool Writes      DeleteSites   = "adult:pc:site:batchDel" "批量删除站点";
    EachSchool ReadsLogged ExportSites   = "adult:pc:site:export" "导出站点";
    EachSchool Writes      ImportSites   = "adult:pc:site:import" "导入站点";
    EachSchool Reads       FetchSiteSheet = "adult:pc:site:import" "导入站点";
    EachSchool ReadsLogged ViewPlainSite  = "adult:pc:site:viewPlain" "查看站点完整联系方式";
    EachSchool ReadsLogged ExportPlainSites = "adult:pc:site:exportPlain" "导出站点完整联系方式";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS, change_status::PERMISSIONS],
    enumerations: &[SiteKind::ENUMERATION, SiteStatus::ENUMERATION, SiteSort::ENUMERATION],
    entities: &[Entity { table: "site", name: "站点", counted: "个站点" }],
    jobs: &[export_job::<Sites>(), import_job::<ByRow<SiteImport>>()],
    plain: &[UnmaskedFields {
        entity: "site",
        table: "site",
        code: "adult:pc:site:viewPlain",
        fields: &[("phone", "phone"), ("email", "email"), ("address", "address")],
        scope: ("id", None),
        live: None,
        platform: None,
    }],
    histories: &[History { table: "site", code: "adult:pc:site:view", scope: Some(("id", None)) }],
    options: &[Source::new("site", |connection, asked| Box::pin(options(connection, asked))).below("站点的管理机构")],
    option_pages: PAGES,
    ..Part::NONE
};

enumeration! {
    /// 站点类型
    pub enum SiteKind = "siteKind" {
        Headquarter = "headquarter" "校本部",
        External = "external" "校外教学点",
        Cooperative = "cooperative" "合作点",
    }
}

/// A teaching site, as stored and as shown.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct Site {
    /// 编号
    pub id: i64,
    /// 编码
    pub code: String,
    /// 名称
    pub name: String,
    /// 简称
    pub short_name: Option<String>,
    /// 类型
    pub kind: SiteKind,
    /// 管理机构
    pub organization_id: Option<i64>,
    /// 管理机构名称
    pub organization_name: Option<String>,
    /// 设点单位
    pub host_unit: Option<String>,
    /// 备案编号
    pub filing_no: Option<String>,
    /// 备案有效期
    pub filing_expires_on: Option<NaiveDate>,
    /// 所在地区
    pub region: Option<String>,
    /// 所在地区名称
    pub region_name: Option<String>,
    /// 地址
    pub address: Option<String>,
    /// 联系人
    pub contact: Option<String>,
    /// 电话
    pub phone: Option<String>,
    /// 邮箱
    pub email: Option<String>,
    /// 可容纳人数
    pub capacity: i32,
    /// 状态
    pub status: SiteStatus,
    /// 班级数
    pub class_count: i64,
    /// 在籍人数
    pub student_count: i64,
    /// 版本
    pub version: i32,
}

/// As lists show it; a whole value is one call for one site (05 E4).
fn hide(site: &mut Site) {
    site.phone = site.phone.as_deref().map(mask::phone);
    site.email = site.email.as_deref().map(mask::email);
    site.address = site.address.as_deref().map(mask::address);
}

/// What a list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteFilter {
    /// 编码或名称
    #[oai(validator(max_length = 100))]
    pub keyword: Option<String>,
    /// 类型
    pub kind: Option<SiteKind>,
    /// 地区
    /// 省、市或县的六位行政区划代码
    #[oai(validator(pattern = "^[0-9]{6}$"))]
    pub region: Option<String>,
    /// 管理机构
    pub organization_id: Option<i64>,
    /// 管理机构
    /// 编码或名称包含；查看全部院校时代替管理机构编号
    #[oai(validator(max_length = 50))]
    pub organization_text: Option<String>,
    /// 状态
    pub status: Option<SiteStatus>,
    /// 备案已过期
    pub filing_expired: Option<bool>,
}

/// What a list asks for, and the day on which it looks whether filings have expired.
#[derive(Debug, Default)]
pub struct SitesOn {
    filter: SiteFilter,
    day: NaiveDate,
}

enumeration! {
    /// 站点排序字段
    pub enum SiteSort = "siteSort" {
        Code = "code" "编码",
        Name = "name" "名称",
        FilingExpiresOn = "filingExpiresOn" "备案有效期",
        Capacity = "capacity" "容量",
        ClassCount = "classCount" "班级数",
        StudentCount = "studentCount" "在籍人数",
    }
}

pub struct Sites;

#[OpenApi(prefix_path = "/adult/pc/site", tag = "crate::Tag::Units")]
impl Sites {
    /// 站点列表
    #[oai(path = "/list", method = "post", operation_id = "listSites")]
    async fn list(
        &self,
        caller: Allowed<ListSites>,
        Body(asked): Body<Sorted<SiteFilter, SiteSort>>,
    ) -> Result<Reply<SchoolPage<Site>>> {
        let paging = asked.paging()?;
        let on = SitesOn { filter: asked.filter, day: caller.app().clock().today() };
        let mut answer = across::list::<Self, _>(&caller, paging, on).await?;
        let regions = region::names(caller.app()).await?;
        for site in &mut answer.0.data.list {
            region::name(&regions, &mut site.row);
            hide(&mut site.row);
        }
        Ok(answer)
    }

    /// 查看站点
    #[oai(path = "/view", method = "get", operation_id = "viewSite")]
    async fn view(
        &self,
        caller: Allowed<ViewSite>,
        /// 编号
        id: Query<Option<i64>>,
        /// 编码
        code: Query<Option<String>>,
    ) -> Result<Reply<Site>> {
        let mut tx = caller.read().await?;
        let id = resolve_id(&mut tx, "site", id.0, code.0).await?;
        let mut site = Self::find(&mut tx, id, &caller.scope()).await?;
        drop(tx);
        region::name(&region::names(caller.app()).await?, &mut site);
        hide(&mut site);
        Ok(reply(site))
    }

    /// 新增站点
    #[oai(path = "/save", method = "post", operation_id = "saveSite")]
    async fn save(&self, caller: Allowed<SaveSite>, Body(form): Body<SiteForm>) -> Result<Reply<Saved>> {
        region::check(caller.app(), form.region.as_deref()).await?;
        let mut tx = caller.begin().await?;
        let (id, change) = insert(&mut tx, form, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 编辑站点
    #[oai(path = "/edit", method = "put", operation_id = "editSite")]
    async fn edit(&self, caller: Allowed<EditSite>, Body(edit): Body<Edit<SiteForm>>) -> Result<Reply<Saved>> {
        region::check(caller.app(), edit.form.region.as_deref()).await?;
        let mut tx = caller.begin().await?;
        let (id, change) = (edit.id, update(&mut tx, edit, &caller.scope()).await?);
        tx.commit(change).await?;
        Ok(reply(Saved { id }))
    }

    /// 删除站点
    #[oai(path = "/delete", method = "delete", operation_id = "deleteSite")]
    async fn delete(
        &self,
        caller: Allowed<DeleteSite>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = remove(&mut tx, id.0, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: id.0 }))
    }

    /// 批量删除站点
    #[oai(path = "/batchDel", method = "post", operation_id = "deleteSites")]
    async fn delete_many(&self, caller: Allowed<DeleteSites>, Body(ids): Body<Ids>) -> Result<Reply<BulkResult>> {
        let mut bulk = Bulk::new(caller.begin().await?, "site");
        for id in ids.ids {
            let outcome = remove(bulk.row().await?, id, &caller.scope()).await;
            bulk.ended(id, outcome).await?;
        }
        Ok(reply(bulk.commit().await?))
    }

    /// 导出站点
    #[oai(path = "/export", method = "post", operation_id = "exportSites")]
    async fn export(
        &self,
        caller: Allowed<ExportSites>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<SiteFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }

    /// 站点导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "fetchSiteImportTemplate")]
    async fn template(&self, caller: Allowed<FetchSiteSheet>) -> Result<Attachment> {
        transfer::template::<ByRow<SiteImport>, _>(&caller).await
    }

    /// 导入站点
    #[oai(path = "/import", method = "post", operation_id = "importSites")]
    async fn import(&self, caller: Allowed<ImportSites>, form: ImportForm) -> Result<Reply<ImportAnswer>> {
        transfer::import::<ByRow<SiteImport>>(&caller, form).await
    }
}

impl Keyed for Sites {
    type Filter = SitesOn;
    type Row = Site;

    fn id(row: &Site) -> i64 {
        row.id
    }

    async fn matching(
        connection: &mut PgConnection,
        SitesOn { filter, day }: &SitesOn,
        scope: &Scope,
        wanted: KeyQuery,
    ) -> sqlx::Result<Vec<Key>> {
        sqlx::query_as!(
            Key,
            r#"select s.id, s.created_at, count(*) over () as "total!"
               from site s
               where ($1::bigint[] is null or s.id = any($1)
                      or exists (select from class c where c.site_id = s.id and c.id = any($2::bigint[])))
                 and ($3::text is null or strpos(s.name, $3) > 0 or starts_with(lower(s.code), lower($3)))
                 and ($4::text is null or s.kind = $4)
                 and ($5::text is null or s.region like $5 || '%')
                 and ($6::bigint is null or s.organization_id = $6)
                 and ($14::text is null or s.organization_id = any(array(
                          select x.id from organization x where strpos(lower(x.code), $14) > 0 or strpos(lower(x.name), $14) > 0)))
                 and ($7::text is null or s.status = $7)
                 and ($8::boolean is null or coalesce(s.filing_expires_on < $9, false) = $8)
                 and ($10::bigint is null or s.id = $10)
                 and ($11::timestamptz is null or s.created_at <= $11)
               order by case when $11::timestamptz is null then s.code end, s.created_at desc, s.id
               limit $12 offset $13"#,
            scope.sites(),
            scope.classes(),
            filter.keyword,
            filter.kind.map(SiteKind::as_str),
            filter.region.as_deref().map(prefix),
            filter.organization_id,
            filter.status.map(SiteStatus::as_str),
            filter.filing_expired,
            *day,
            wanted.id,
            wanted.newest_until,
            wanted.limit,
            wanted.offset,
            sought_word(filter.organization_text.as_deref())
        )
        .fetch_all(connection)
        .await
    }

    async fn rows(connection: &mut PgConnection, ids: &[i64], scope: &Scope) -> sqlx::Result<Vec<Site>> {
        sqlx::query_as!(
            Site,
            r#"select s.id, s.code, s.name, s.short_name, s.kind as "kind: _", s.organization_id,
                      (select o.name from organization o where o.id = s.organization_id) as organization_name,
                      s.host_unit, s.filing_no, s.filing_expires_on, s.region, null::text as region_name, s.address, s.contact,
                      s.phone, s.email, s.capacity, s.status as "status: _",
                      (select count(*) from class c where c.site_id = s.id
                         and ($2::bigint[] is null or c.site_id = any($2) or c.id = any($3::bigint[]))) as "class_count!",
                      (select count(*) from student t where t.site_id = s.id and t.active
                         and ($2::bigint[] is null or t.site_id = any($2) or t.class_id = any($3::bigint[]))) as "student_count!",
                      s.version
               from site s
               where s.id = any($1)"#,
            ids,
            scope.sites(),
            scope.classes()
        )
        .fetch_all(connection)
        .await
    }
}

async fn remove(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Change> {
    let before = Sites::find(tx, id, scope).await?;
    tx.remove("site", id, &before.name).await?;
    Ok(Change::deleted("site", id, &before))
}
