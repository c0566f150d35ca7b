//! Changes in the clients: a student sees which windows are open, tries, asks, looks and takes back; the people of a site ask in
//! a student's place and say what the site thinks (02 §13). Everything goes the way of the console, of the student's own person
//! or within the site of the staff.

use chrono::NaiveDate;
use infra::{
    Body, Client, Error, Page, Paged, Reads, Reply, Result, Saved, Scope, Tx, Writes, across::Listed, clients,
    clock::Moment, reply,
};
use people::site_staff::site_of;
use poem_openapi::{Object, OpenApi, types::Example};
use student_status::student::correct;

use super::{
    ChangeFilter, ChangeForm, ChangeReason, ChangeResult, ChangeSave, ChangeSource, ChangeStatus, ChangeTarget,
    ChangeView, Changes,
    form::{Applicant, insert},
    look::{ChangeCheck, ChangeChecked, Trying, checked},
    rules::Turn,
    select::viewed,
    steps::{Going, turn},
};
use crate::{ChangeType, batch};

clients! {
    /// Students, and people of a site, each in their own client.
    pub StudentOrSiteClient = "student", "site";
    /// Students.
    pub StudentClient = "student";
    /// People of a site.
    pub SiteClient = "site";
}

/// A window that is open to a student.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct OpenChangeBatch {
    /// 编号
    pub id: i64,
    /// 名称
    pub name: String,
    /// 类型
    pub types: Vec<ChangeType>,
    /// 开始时间
    pub starts_at: Moment,
    /// 结束时间
    pub ends_at: Moment,
    /// 生效日期
    pub effective_on: Option<NaiveDate>,
}

/// What a list in a client asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct OwnChangeFilter {
    /// 异动状态
    pub status: Option<ChangeStatus>,
    /// 类型
    #[oai(rename = "type")]
    pub kind: Option<ChangeType>,
}

/// What a student tries.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnChangeCheck {
    /// 批次
    pub batch_id: Option<i64>,
    /// 类型
    #[oai(rename = "type")]
    pub kind: ChangeType,
    /// 异动后
    #[oai(default)]
    pub after: ChangeTarget,
    /// 原因
    pub reason_code: Option<ChangeReason>,
    /// 休学开始
    pub suspend_from: Option<NaiveDate>,
    /// 休学月数
    pub suspend_months: Option<i32>,
}

impl Example for OwnChangeCheck {
    fn example() -> Self {
        let ChangeCheck { batch_id, kind, after, reason_code, suspend_from, suspend_months, .. } =
            ChangeCheck::example();
        Self { batch_id, kind, after, reason_code, suspend_from, suspend_months }
    }
}

/// What a student asks for.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnChangeForm {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 批次
    pub batch_id: Option<i64>,
    /// 类型
    #[oai(rename = "type")]
    pub kind: ChangeType,
    /// 异动后
    #[oai(default)]
    pub after: ChangeTarget,
    /// 原因
    pub reason_code: Option<ChangeReason>,
    /// 说明
    /// 2至500个字符
    #[oai(validator(min_length = 2, max_length = 500))]
    pub reason: String,
    /// 附件
    #[oai(default, validator(max_items = 20))]
    pub attachments: Vec<String>,
    /// 休学开始
    pub suspend_from: Option<NaiveDate>,
    /// 休学月数
    /// 6或12
    pub suspend_months: Option<i32>,
    /// 转入院校
    #[oai(validator(max_length = 100))]
    pub target_school_name: Option<String>,
}

impl Example for OwnChangeForm {
    fn example() -> Self {
        let ChangeForm { batch_id, kind, after, reason_code, reason, suspend_from, suspend_months, .. } =
            ChangeForm::example();
        Self {
            request_id: "7d1f0c54".to_owned(),
            batch_id,
            kind,
            after,
            reason_code,
            reason,
            attachments: Vec::new(),
            suspend_from,
            suspend_months,
            target_school_name: None,
        }
    }
}

/// What a site asks for in a student's place.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteChangeForm {
    /// 学生
    pub student_id: i64,
    #[oai(flatten)]
    pub form: OwnChangeForm,
}

impl Example for SiteChangeForm {
    fn example() -> Self {
        Self { student_id: 1, form: OwnChangeForm::example() }
    }
}

/// A change that a student takes back.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct OwnChangeCancel {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 说明
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for OwnChangeCancel {
    fn example() -> Self {
        Self { request_id: "7d1f0c55".to_owned(), id: 1, version: 1, remark: None }
    }
}

/// What a site thinks of a change.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteChangeReview {
    /// 请求编号
    /// 24小时内以同一编号重发时，只办理一次，返回第一次的结果
    #[oai(validator(min_length = 1, max_length = 64))]
    pub request_id: String,
    /// 编号
    pub id: i64,
    /// 版本
    pub version: i32,
    /// 异动审核结果
    pub result: ChangeResult,
    /// 意见
    /// 不通过时填写，2至200个字符
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for SiteChangeReview {
    fn example() -> Self {
        Self { request_id: "7d1f0c56".to_owned(), id: 1, version: 1, result: ChangeResult::Pass, remark: None }
    }
}

impl OwnChangeForm {
    fn of(self, student_id: i64) -> ChangeSave {
        let form = ChangeForm {
            student_id,
            batch_id: self.batch_id,
            kind: self.kind,
            after: self.after,
            reason_code: self.reason_code,
            reason: self.reason,
            attachments: self.attachments,
            suspend_from: self.suspend_from,
            suspend_months: self.suspend_months,
            target_school_name: self.target_school_name,
            // Whether the number is another, and when it takes effect, the school decides.
            renumber: false,
            effective_on: None,
        };
        ChangeSave { form, submit: true }
    }
}

/// What somebody of a site sees.
async fn of_site(tx: &mut Tx, person: i64) -> Result<Scope> {
    Ok(Scope::limited(vec![site_of(tx, person).await?], Vec::new()))
}

pub struct OwnChanges;

#[OpenApi(prefix_path = "/user/client/change", tag = "crate::Tag::StatusChange")]
impl OwnChanges {
    /// 可申请的异动批次
    /// 进行中、适用于本人年级并允许学员申请的批次
    #[oai(path = "/batches", method = "get", operation_id = "listOpenChangeBatches")]
    async fn batches(&self, caller: Client<StudentClient, Reads>) -> Result<Reply<Vec<OpenChangeBatch>>> {
        let mut tx = caller.read().await?;
        let own = correct::seen(&mut tx, caller.session.person_id, &Scope::whole_school()).await?;
        let open = batch::open_to_students(&mut tx, own.grade_id, caller.app.clock().now()).await?;
        let shown = open.into_iter().map(|batch| OpenChangeBatch {
            id: batch.id,
            name: batch.name,
            types: batch.types.iter().filter_map(|word| ChangeType::parse(word)).collect(),
            starts_at: batch.starts_at,
            ends_at: batch.ends_at,
            effective_on: batch.effective_on,
        });
        Ok(reply(shown.collect()))
    }

    /// 检查异动申请
    #[oai(path = "/check", method = "post", operation_id = "checkOwnChange")]
    async fn check(
        &self,
        caller: Client<StudentClient, Reads>,
        Body(wanted): Body<OwnChangeCheck>,
    ) -> Result<Reply<ChangeChecked>> {
        let mut tx = caller.read().await?;
        let own = correct::seen(&mut tx, caller.session.person_id, &Scope::whole_school()).await?;
        let OwnChangeCheck { batch_id, kind, after, reason_code, suspend_from, suspend_months } = wanted;
        let wanted = ChangeCheck {
            student_id: own.id,
            batch_id,
            kind,
            after,
            reason_code,
            suspend_from,
            suspend_months,
            id: None,
        };
        let trying = Trying { but: None, by_student: true, waived: false, told_to: &Scope::default() };
        let (now, today) = (caller.app.clock().now(), caller.app.clock().today());
        Ok(reply(checked(&mut tx, &own, &wanted, trying, (now, today)).await?))
    }

    /// 异动申请列表
    /// 学员为本人的异动，不含学校和站点未提交的草稿；站点人员为本站点学生的异动和转入本站点的异动
    #[oai(path = "/list", method = "post", operation_id = "listOwnChanges")]
    async fn list(
        &self,
        caller: Client<StudentOrSiteClient, Reads>,
        Body(asked): Body<Paged<OwnChangeFilter>>,
    ) -> Result<Reply<Page<ChangeView>>> {
        let paging = asked.paging()?;
        let mut tx = caller.read().await?;
        let mut filter = ChangeFilter {
            status: asked.filter.status.map(|status| vec![status]),
            types: asked.filter.kind.map(|kind| vec![kind]),
            ..ChangeFilter::default()
        };
        let of_site = caller.session.client == "site";
        let scope = if of_site {
            Scope::limited(vec![site_of(&mut tx, caller.session.person_id).await?], Vec::new())
        } else {
            filter.student_id = Some(caller.session.person_id);
            filter.of_student = true;
            Scope::whole_school()
        };
        let (total, rows) = <Changes as Listed>::page(&mut tx, &filter, &scope, paging).await?;
        let mut list = viewed(&caller.app, &mut tx, rows).await?;
        if !of_site {
            list.iter_mut().for_each(ChangeView::show_to_student);
        }
        Ok(reply(paging.page(total, list)))
    }

    /// 提交异动申请
    #[oai(path = "/submit", method = "post", operation_id = "submitOwnChange")]
    async fn submit(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<OwnChangeForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let scope = Scope::whole_school();
        let applicant = Applicant {
            source: ChangeSource::StudentClient,
            account: caller.session.acting.as_ref().map(|acting| acting.user_id),
            scope: &scope,
            waiver: None,
        };
        let (id, change) = insert(&mut tx, wanted.of(caller.session.person_id), &applicant).await?;
        tx.commit(change, Saved { id }).await
    }

    /// 撤回异动申请
    /// 本人提交而尚未批准的申请
    #[oai(path = "/cancel", method = "put", operation_id = "cancelOwnChange")]
    async fn cancel(
        &self,
        caller: Client<StudentClient, Writes>,
        Body(wanted): Body<OwnChangeCancel>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let OwnChangeCancel { id, version, remark, .. } = wanted;
        let own = super::form::find_own(&mut tx, id, &Scope::whole_school()).await?;
        if own.student_id != caller.session.person_id {
            return Err(Error::not_found());
        }
        if own.source != ChangeSource::StudentClient {
            return Err(Error::new(403, "该异动不是本人提交的，不能撤回，请联系学校或站点"));
        }
        let going = Going::new(id, version, Turn::Withdraw, remark);
        let change = turn(&mut tx, going, &Scope::whole_school()).await?;
        tx.commit(change, Saved { id }).await
    }

    /// 站点代办异动
    #[oai(path = "/save", method = "post", operation_id = "saveChangeOfSite")]
    async fn save(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SiteChangeForm>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.form.request_id, &wanted).await?;
        let scope = of_site(&mut tx, caller.session.person_id).await?;
        let applicant = Applicant {
            source: ChangeSource::SiteClient,
            account: caller.session.acting.as_ref().map(|acting| acting.user_id),
            scope: &scope,
            waiver: None,
        };
        let SiteChangeForm { student_id, form } = wanted;
        let (id, change) = insert(&mut tx, form.of(student_id), &applicant).await?;
        tx.commit(change, Saved { id }).await
    }

    /// 站点审核异动
    #[oai(path = "/siteReview", method = "post", operation_id = "reviewOwnChangeOfSite")]
    async fn site_review(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SiteChangeReview>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let SiteChangeReview { id, version, result, remark, .. } = wanted;
        let scope = of_site(&mut tx, caller.session.person_id).await?;
        let change = turn(&mut tx, Going::new(id, version, Turn::Site(result), remark), &scope).await?;
        tx.commit(change, Saved { id }).await
    }

    /// 接收站点审核异动
    #[oai(path = "/acceptReview", method = "post", operation_id = "acceptOwnChangeOfSite")]
    async fn accept(
        &self,
        caller: Client<SiteClient, Writes>,
        Body(wanted): Body<SiteChangeReview>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin_once(&wanted.request_id, &wanted).await?;
        let SiteChangeReview { id, version, result, remark, .. } = wanted;
        let scope = of_site(&mut tx, caller.session.person_id).await?;
        let change = turn(&mut tx, Going::new(id, version, Turn::Target(result), remark), &scope).await?;
        tx.commit(change, Saved { id }).await
    }
}
