//! A site's own plan in its client: it sees the batch, declares and submits before the deadline (02 §13). Everything goes
//! the way of the console, within the site of the person.

use infra::{
    Body, Change, Client, Edit, Error, Reads, Reply, Result, Saved, Scope, Writes, across::Keyed, clients,
    clock::Moment, reply,
};
use majors::major::StudyForm;
use people::site_staff::site_of;
use poem_openapi::{Object, OpenApi, param::Query, types::Example};
use sqlx::PgConnection;

use super::{
    SiteEnrollmentForm, SiteEnrollmentLineForm, SiteEnrollmentView, SiteEnrollments,
    form::{insert, update},
    review::{self, SiteEnrollmentStep},
    select::{address, viewed},
};
use crate::batch::{EnrollmentBatchStatus, Running, running};

clients! {
    /// People of a site, in the client of sites.
    pub SiteClient = "site";
}

/// A major that the site may declare.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct DeclarableMajor {
    /// 招生专业
    pub enrollment_major_id: i64,
    /// 专业代码
    pub major_code: String,
    /// 专业
    pub major_name: String,
    /// 层次
    pub level_name: String,
    /// 学习形式
    pub study_form: StudyForm,
    /// 学费(分/学年)
    pub tuition: i64,
}

/// The site's plan of a batch, and what it may declare.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnSiteEnrollment {
    /// 招生批次
    pub batch_id: i64,
    /// 批次
    pub batch_name: String,
    /// 站点申报截止
    pub site_apply_ends_at: Option<Moment>,
    /// 可以申报
    pub open: bool,
    /// 可申报专业
    pub majors: Vec<DeclarableMajor>,
    /// 本站点的申报
    pub plan: Option<SiteEnrollmentView>,
}

/// What a site declares; its plan is made or replaced as a whole.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnSiteEnrollmentForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 招生批次
    pub batch_id: i64,
    /// 版本
    /// 修改已有申报时填写
    pub version: Option<i32>,
    /// 联系人
    #[oai(validator(max_length = 30))]
    pub contact_name: Option<String>,
    /// 联系电话
    #[oai(validator(max_length = 30))]
    pub contact_phone: Option<String>,
    /// 附件
    #[oai(validator(max_length = 140))]
    pub attachment_key: Option<String>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
    /// 申报专业
    #[oai(validator(min_items = 1, max_items = 500))]
    pub lines: Vec<SiteEnrollmentLineForm>,
}

impl Example for OwnSiteEnrollmentForm {
    fn example() -> Self {
        let SiteEnrollmentForm { batch_id, contact_name, contact_phone, lines, .. } = SiteEnrollmentForm::example();
        Self {
            request_id: "3b9e6a10".to_owned(),
            batch_id,
            version: None,
            contact_name,
            contact_phone,
            attachment_key: None,
            remark: None,
            lines,
        }
    }
}

/// The site's plan that it sends to the school.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnSiteEnrollmentSubmission {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    #[oai(flatten)]
    pub step: SiteEnrollmentStep,
}

impl Example for OwnSiteEnrollmentSubmission {
    fn example() -> Self {
        Self { request_id: "3b9e6a11".to_owned(), step: SiteEnrollmentStep::example() }
    }
}

pub struct OwnPlan;

#[OpenApi(prefix_path = "/user/client/siteEnrollment", tag = "crate::Tag::Enrolment")]
impl OwnPlan {
    /// 站点招生计划
    #[oai(path = "/view", method = "get", operation_id = "viewOwnSiteEnrollment")]
    async fn view(
        &self,
        caller: Client<SiteClient, Reads>,
        /// 招生批次
        /// 不填时为最近开放的批次
        #[oai(name = "batchId")]
        batch_id: Query<Option<i64>>,
    ) -> Result<Reply<OwnSiteEnrollment>> {
        let mut tx = caller.read().await?;
        let site = site_of(&mut tx, caller.session.person_id).await?;
        let batch = sqlx::query_as!(
            Running,
            r#"select id, name, grade_id, status as "status: EnrollmentBatchStatus", site_apply_ends_at from enrollment_batch
               where status <> 'draft' and ($1::bigint is null or id = $1)
               order by status <> 'open', created_at desc, id limit 1"#,
            batch_id.0
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or_else(Error::not_found)?;
        let scope = Scope::limited(vec![site], Vec::new());
        let plan = match plan_of(&mut tx, batch.id, site).await? {
            Some(id) => {
                let plan = SiteEnrollments::find(&mut tx, id, &scope).await?;
                let mut view = viewed(&mut tx, plan, &scope).await?;
                view.attachment_url = address(&caller.app, &mut tx, id).await?;
                view.plan.mask();
                Some(view)
            }
            None => None,
        };
        let majors = declarable(&mut tx, batch.id).await?;
        let open = in_time(&batch, caller.app.clock().now()).is_ok();
        Ok(reply(OwnSiteEnrollment {
            batch_id: batch.id,
            batch_name: batch.name,
            site_apply_ends_at: batch.site_apply_ends_at,
            open,
            majors,
            plan,
        }))
    }

    /// 保存站点招生计划
    #[oai(path = "/save", method = "post", operation_id = "saveOwnSiteEnrollment")]
    async fn save(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<OwnSiteEnrollmentForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let site = site_of(&mut tx, caller.session.person_id).await?;
        in_time(&running(&mut tx, wanted.batch_id).await?, caller.app.clock().now())?;
        let version = wanted.version;
        let form = SiteEnrollmentForm {
            batch_id: wanted.batch_id,
            site_id: site,
            contact_name: wanted.contact_name,
            contact_phone: wanted.contact_phone,
            attachment_key: wanted.attachment_key,
            remark: wanted.remark,
            lines: wanted.lines,
        };
        let scope = Scope::limited(vec![site], Vec::new());
        let (id, change): (i64, Change) = match plan_of(&mut tx, form.batch_id, site).await? {
            Some(id) => {
                let version = version.ok_or_else(|| Error::field("version", "本站点已有申报，请刷新后修改"))?;
                (id, update(&mut tx, Edit { id, version, form }, &scope).await?)
            }
            None => insert(&mut tx, form, &scope).await?,
        };
        tx.commit(change, Saved { id }).await
    }

    /// 提交站点招生计划
    #[oai(path = "/submit", method = "post", operation_id = "submitOwnSiteEnrollment")]
    async fn submit(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<OwnSiteEnrollmentSubmission>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let site = site_of(&mut tx, caller.session.person_id).await?;
        let (scope, step) = (Scope::limited(vec![site], Vec::new()), wanted.step);
        let plan = SiteEnrollments::find(&mut tx, step.id, &scope).await?;
        in_time(&running(&mut tx, plan.batch_id).await?, caller.app.clock().now())?;
        let change = review::submit(&mut tx, step, &scope).await?;
        tx.commit(change, Saved { id: step.id }).await
    }
}

/// # Errors
/// 409 when sites do not declare any more, or not yet.
fn in_time(batch: &Running, now: Moment) -> Result<()> {
    if batch.status != EnrollmentBatchStatus::Open {
        return Err(Error::conflict(format!("招生批次“{}”未开放", batch.name)));
    }
    match batch.site_apply_ends_at {
        Some(ends) if now >= ends => Err(Error::conflict("申报已截止")),
        _ => Ok(()),
    }
}

async fn plan_of(connection: &mut PgConnection, batch: i64, site: i64) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!("select id from site_enrollment where batch_id = $1 and site_id = $2", batch, site)
        .fetch_optional(connection)
        .await?)
}

async fn declarable(connection: &mut PgConnection, batch: i64) -> Result<Vec<DeclarableMajor>> {
    Ok(sqlx::query_as!(
        DeclarableMajor,
        r#"select e.id as enrollment_major_id, m.code as major_code, m.name as major_name, l.name as level_name,
                  m.study_form as "study_form: _", e.tuition
           from enrollment_major e join major m on m.id = e.major_id join level l on l.id = e.level_id
           where e.batch_id = $1 and e.enabled order by l.sort_no, l.code, m.code"#,
        batch
    )
    .fetch_all(connection)
    .await?)
}
