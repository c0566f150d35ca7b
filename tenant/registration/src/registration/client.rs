//! 报到 at a site, in its client: who is to come, and what became of them (02 §13). Everything goes the way of the console, within
//! the site of the person; only nobody reports there outside of the time that the batch has for it.

use infra::{
    Body, Client, Error, Page, Paged, Reads, Reply, Result, Saved, Scope, Writes, across::Listed, clients, reply,
};
use people::site_staff::site_of;
use poem_openapi::{Object, OpenApi, types::Example};
use registration_rules::{leave::said, report::Late};
use sqlx::PgConnection;

use super::{
    held::held_one,
    leave,
    list::{List, RegistrationFilter, RegistrationRow},
    report::{RegistrationReport, Reported, Reporting, report_one},
    reserve::{self, RegistrationReserve},
};
use crate::enums::RegistrationStatus;

clients! {
    /// People of a site, in the client of sites.
    pub SiteClient = "site";
}

/// What a list in the client asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteRegistrationFilter {
    /// 招生批次
    pub batch_id: Option<i64>,
    /// 状态
    pub status: Option<RegistrationStatus>,
    /// 关键字
    /// 姓名、证件号、手机、考生号或学号
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
}

/// Somebody is at the site.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteRegistrationReport {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    #[oai(flatten)]
    pub report: RegistrationReport,
}

impl Example for SiteRegistrationReport {
    fn example() -> Self {
        Self { request_id: "5c2f7a40".to_owned(), report: RegistrationReport::example() }
    }
}

/// Whose place the site wants kept.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteRegistrationReserve {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    #[oai(flatten)]
    pub reserve: RegistrationReserve,
}

impl Example for SiteRegistrationReserve {
    fn example() -> Self {
        Self { request_id: "5c2f7a41".to_owned(), reserve: RegistrationReserve::example() }
    }
}

/// Who told the site that they do not come.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteRegistrationAbandon {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 原因
    /// 2至200个字符
    #[oai(validator(max_length = 200))]
    pub reason: Option<String>,
}

impl Example for SiteRegistrationAbandon {
    fn example() -> Self {
        Self { request_id: "5c2f7a42".to_owned(), id: 1, version: 1, reason: Some("本人放弃入学".to_owned()) }
    }
}

pub struct OwnRegistrations;

#[OpenApi(prefix_path = "/user/client/registration", tag = "crate::Tag::Registration")]
impl OwnRegistrations {
    /// 站点报到列表
    #[oai(path = "/list", method = "post", operation_id = "listRegistrationsOfSite")]
    async fn list(
        &self,
        caller: Client<SiteClient, Reads>,
        Body(asked): Body<Paged<SiteRegistrationFilter>>,
    ) -> Result<Reply<Page<RegistrationRow>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        let SiteRegistrationFilter { batch_id, status, keyword } = asked.filter;
        let filter = RegistrationFilter { batch_id, status, keyword, ..RegistrationFilter::default() };
        let (total, list) = <List as Listed>::page(&mut tx, &filter, &scope, paging).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 站点办理报到
    /// 只在报到时间内
    #[oai(path = "/report", method = "post", operation_id = "reportRegistrationAtSite")]
    async fn report(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SiteRegistrationReport>,
    ) -> Result<Reply<Reported>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        let how = Reporting { late: Late::default(), verified: None };
        let (reported, mut changes) = report_one(&mut tx, wanted.report, &how, &scope).await?;
        let last = changes.pop().ok_or_else(|| Error::internal("a report without a record"))?;
        tx.record(&changes).await?;
        tx.commit(last, reported).await
    }

    /// 站点办理保留入学资格
    #[oai(path = "/reserve", method = "post", operation_id = "reserveRegistrationAtSite")]
    async fn reserve(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SiteRegistrationReserve>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        let id = wanted.reserve.id;
        let change = reserve::reserve(&mut tx, wanted.reserve, &scope).await?;
        tx.commit(change, Saved { id }).await
    }

    /// 站点办理放弃入学资格
    #[oai(path = "/abandon", method = "post", operation_id = "abandonRegistrationAtSite")]
    async fn abandon(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SiteRegistrationAbandon>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let SiteRegistrationAbandon { id, version, reason, .. } = wanted;
        let reason = said("reason", reason)?;
        let scope = own(&mut tx, caller.session.person_id).await?;
        let person = held_one(&mut tx, id, Some(version), &scope).await?;
        let change = leave::abandon(&mut tx, person, &reason).await?;
        tx.commit(change, Saved { id }).await
    }
}

/// The site of the person, and nothing else.
async fn own(connection: &mut PgConnection, person: i64) -> Result<Scope> {
    Ok(Scope::limited(vec![site_of(connection, person).await?], Vec::new()))
}
