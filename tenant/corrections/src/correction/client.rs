//! Corrections in the clients: a student asks and looks, the site says what it thinks of it (02 §13). Everything goes the way
//! of the console, of the student's own person or within the site of the staff.

use correction_rules::{correction::Turn, step::Step};
use infra::{Body, Client, Page, Paged, Reads, Reply, Result, Scope, Warned, Writes, across::Listed, clients, reply};
use people::site_staff::site_of;
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::correct::KeyFields;

use super::{
    CorrectionEvidenceForm, CorrectionFilter, CorrectionForm, CorrectionKind, CorrectionResult, CorrectionSource,
    CorrectionStatus, CorrectionView, Corrections,
    form::{Applicant, insert},
    select::viewed,
    steps::turn,
};

clients! {
    /// Students, and people of a site, each in their own client.
    pub StudentOrSiteClient = "student", "site";
    /// Students.
    pub StudentClient = "student";
    /// People of a site.
    pub SiteClient = "site";
}

/// What a list in a client asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnCorrectionFilter {
    /// 更正状态
    pub status: Option<CorrectionStatus>,
}

/// What a student asks to have corrected.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnCorrectionForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 更正类型
    pub kind: CorrectionKind,
    /// 说明
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 材料
    #[oai(default, validator(max_items = 20))]
    pub attachments: Vec<CorrectionEvidenceForm>,
    #[oai(flatten)]
    pub fields: KeyFields,
}

impl Example for OwnCorrectionForm {
    fn example() -> Self {
        let CorrectionForm { kind, reason, attachments, fields, .. } = CorrectionForm::example();
        Self { request_id: "7d1f0c52".to_owned(), kind, reason, attachments, fields }
    }
}

/// What the site thinks of a correction.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct CorrectionSiteReview {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 更正审核结果
    pub result: CorrectionResult,
    /// 原因
    /// 不通过时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for CorrectionSiteReview {
    fn example() -> Self {
        Self { request_id: "7d1f0c53".to_owned(), id: 1, version: 1, result: CorrectionResult::Pass, remark: None }
    }
}

pub struct OwnCorrections;

#[OpenApi(prefix_path = "/user/client/correction", tag = "crate::Tag::Corrections")]
impl OwnCorrections {
    /// 客户端信息更正列表
    /// 学员为本人的更正，站点人员为本站点学生的更正
    #[oai(path = "/list", method = "post", operation_id = "listOwnCorrections")]
    async fn list(
        &self,
        caller: Client<StudentOrSiteClient, Reads>,
        Body(asked): Body<Paged<OwnCorrectionFilter>>,
    ) -> Result<Reply<Page<CorrectionView>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let mut filter = CorrectionFilter { status: asked.filter.status, ..CorrectionFilter::default() };
        let scope = if caller.session.client == "site" {
            Scope::limited(vec![site_of(&mut tx, caller.session.person_id).await?], Vec::new())
        } else {
            filter.student_id = Some(caller.session.person_id);
            Scope::whole_school()
        };
        let (total, mut rows) = <Corrections as Listed>::page(&mut tx, &filter, &scope, paging).await?;
        for correction in &mut rows {
            correction.mask();
        }
        let list = viewed(&caller.app, &mut tx, rows).await?;
        Ok(reply(paging.page(total, list)))
    }

    /// 客户端申请信息更正
    #[oai(path = "/submit", method = "post", operation_id = "submitOwnCorrection")]
    async fn submit(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<OwnCorrectionForm>,
    ) -> Result<Reply<Warned>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let OwnCorrectionForm { kind, reason, attachments, fields, .. } = wanted;
        let scope = Scope::whole_school();
        let form = CorrectionForm { student_id: caller.session.person_id, kind, reason, attachments, fields };
        let applicant = Applicant {
            source: CorrectionSource::StudentClient,
            begins: CorrectionStatus::PendingSite,
            // Staff in the place of the student stay who they are: they do not decide about it.
            account: caller.session.acting.as_ref().map(|acting| acting.user_id),
            scope: &scope,
        };
        let (saved, change) = insert(&mut tx, form, &applicant).await?;
        tx.commit(change, saved).await
    }

    /// 站点审核信息更正
    #[oai(path = "/siteReview", method = "put", operation_id = "reviewCorrectionOfSite")]
    async fn site_review(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<CorrectionSiteReview>,
    ) -> Result<Reply<Warned>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let CorrectionSiteReview { id, version, result, remark, .. } = wanted;
        let scope = Scope::limited(vec![site_of(&mut tx, caller.session.person_id).await?], Vec::new());
        let step = Step { id, version, turn: Turn::Site(result), document_no: None, remark };
        let (warned, change) = turn(&mut tx, step, &scope).await?;
        tx.commit(change, warned).await
    }
}
