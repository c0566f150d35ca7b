//! Pre-registrations of a site, in its client (02 §13): whom it entered, or was given. Everything goes the way of the console,
//! within the site of the person; only nobody enters there outside of the time of the batch.

use infra::{
    Body, Change, Client, Page, Paged, Reads, Reply, Result, Saved, Scope, Writes,
    across::Listed,
    clients, reply,
    transfer::{self, Attachment, ImportAnswer, ImportForm},
};
use people::site_staff::site_of;
use poem_openapi::{Multipart, Object, OpenApi, param::Query, types::Example, types::multipart::Upload};
use sqlx::PgConnection;

use super::{
    edit::revise,
    form::{PreRegistrationEdit, PreRegistrationSave},
    import::{SiteSheet, template_of},
    insert::open_to_site,
    list::{List, PreRegistrationFilter},
    save::add,
    view::{Kept, PreRegistration, find_all},
};
use crate::enums::{PersonSource, PreRegistrationStatus};

clients! {
    /// People of a site, in the client of sites.
    pub SiteClient = "site";
}

/// What a list in the client asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SitePreRegistrationFilter {
    /// 批次
    pub batch_id: Option<i64>,
    /// 审核状态
    pub status: Option<PreRegistrationStatus>,
    /// 关键字
    /// 姓名、证件号、手机、网报号或考生号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

/// Somebody whom a site enters.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SitePreRegistrationSave {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    #[oai(flatten)]
    pub person: PreRegistrationSave,
}

impl Example for SitePreRegistrationSave {
    fn example() -> Self {
        Self { request_id: "3a9d1e70".to_owned(), person: PreRegistrationSave::example() }
    }
}

/// What a site typed of somebody, again.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SitePreRegistrationEdit {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    #[oai(flatten)]
    pub edit: PreRegistrationEdit,
}

impl Example for SitePreRegistrationEdit {
    fn example() -> Self {
        Self { request_id: "3a9d1e71".to_owned(), edit: PreRegistrationEdit::example() }
    }
}

/// The multipart body of the import.
#[derive(Debug, Multipart)]
#[oai(rename_all = "camelCase")]
pub struct SitePreRegistrationImport {
    /// 请求编号
    pub request_id: String,
    /// 批次
    pub batch_id: i64,
    /// 文件
    pub file: Upload,
    /// 仅检查
    pub dry_run: Option<bool>,
    /// 检查时文件的摘要
    /// 仅检查时应答的 sha256；与本次文件不同时拒绝导入
    pub sha256: Option<String>,
}

pub struct OwnPreRegistrations;

#[OpenApi(prefix_path = "/user/client/preRegistration", tag = "crate::Tag::Recruitment")]
impl OwnPreRegistrations {
    /// 站点预报名列表
    #[oai(path = "/list", method = "post", operation_id = "listPreRegistrationsOfSite")]
    async fn list(
        &self,
        caller: Client<SiteClient, Reads>,
        Body(asked): Body<Paged<SitePreRegistrationFilter>>,
    ) -> Result<Reply<Page<PreRegistration>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        let SitePreRegistrationFilter { batch_id, status, keyword } = asked.filter;
        let filter = PreRegistrationFilter { batch_id, status, keyword, ..PreRegistrationFilter::default() };
        let (total, rows) = <List as Listed>::page(&mut tx, &filter, &scope, paging).await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut found = find_all(&mut tx, &ids, &scope, Kept::Live).await?;
        // In the order of the list.
        found.sort_by_key(|(person, _)| ids.iter().position(|id| *id == person.id));
        let list = found.into_iter().map(|(person, _)| person.masked()).collect();
        Ok(reply(paging.page(total, list)))
    }

    /// 站点新增预报名
    /// 只在批次进行中
    #[oai(path = "/save", method = "post", operation_id = "savePreRegistrationOfSite")]
    async fn save(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SitePreRegistrationSave>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        open_to_site(&mut tx, wanted.person.batch_id).await?;
        let id = add(&mut tx, &wanted.person, &scope, PersonSource::SiteClient).await?;
        tx.commit(Change::created("pre_registration", id, &wanted.person), Saved { id }).await
    }

    /// 站点编辑预报名
    #[oai(path = "/edit", method = "put", operation_id = "editPreRegistrationOfSite")]
    async fn edit(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SitePreRegistrationEdit>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        let change = revise(&mut tx, &wanted.edit, &scope).await?;
        tx.commit(change, Saved { id: wanted.edit.id }).await
    }

    /// 站点预报名导入模板
    #[oai(path = "/import/template", method = "get", operation_id = "sitePreRegistrationImportTemplate")]
    async fn template(
        &self,
        caller: Client<SiteClient, Reads>,
        /// 批次
        /// 填写后模板带有该批次可选的层次、专业和本站点
        #[oai(name = "batchId")]
        batch_id: Query<Option<i64>>,
    ) -> Result<Attachment> {
        let mut tx = caller.read().await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        let template = template_of(&caller.app, &mut tx, batch_id.0, &scope).await?;
        drop(tx);
        transfer::workbook(&caller.app, template).await
    }

    /// 站点导入预报名
    /// 只在批次进行中，一次最多2000行
    #[oai(path = "/import", method = "post", operation_id = "importPreRegistrationsOfSite")]
    async fn import(
        &self,
        caller: Client<SiteClient, Writes>,
        form: SitePreRegistrationImport,
    ) -> Result<Reply<ImportAnswer>> {
        let SitePreRegistrationImport { request_id, batch_id, file, dry_run, sha256 } = form;
        if !(1..=64).contains(&request_id.chars().count()) || request_id.chars().any(char::is_control) {
            return Err(infra::Error::field("requestId", "请求编号应为1至64个字符"));
        }
        let mut tx = caller.read().await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        drop(tx);
        let form = ImportForm { file, dry_run, sha256 };
        transfer::import_once::<SiteSheet, _, _>(&caller, form, &request_id, scope, Some(batch_id)).await
    }
}

/// The site of the person, and nothing else.
async fn own(connection: &mut PgConnection, person: i64) -> Result<Scope> {
    Ok(Scope::limited(vec![site_of(connection, person).await?], Vec::new()))
}
