//! 讲师审核: learners who ask to teach (01 §9.5).
//!
//! ```text
//! pending ─approve→ approved: becomes the lecturer, or changes who is one already
//!         ─reject→  rejected, with an opinion; they may ask again
//! ```
//! A learner has one application that waits. Of two auditors at once the second is told.

mod list;
mod sheet;

use catalogue_rules::audit::{AuditDecision, CourseDecision};
use futures_util::TryStreamExt;
use infra::{
    Allowed, Body, Change, Entity, Error, History, OnConstraint, Page, Paged, Part, Reply, Result, Saved, Tx,
    UnmaskedFields, enumeration, permissions, pinyin, reply,
    transfer::{self, Exported, export_job},
};
use lecturer_rules::lecturer::{LecturerForm, completed};
use poem_openapi::{OpenApi, param::Query};
use scenes::{Person, PersonKind, Persons, notify, template::Values};

use crate::lecturer;

pub use list::{LecturerAudit, LecturerAuditFilter};

use list::{find, segments, select};

permissions! {
    pages "/user/lecturer/audit/list";
    InPlatform Reads       ListLecturerAudits   = "user:pc:lecturer:audit:list" "讲师审核列表";
    InPlatform Reads       ViewLecturerAudit    = "user:pc:lecturer:audit:view" "查看讲师审核";
    InPlatform Writes      AuditLecturer        = "user:pc:lecturer:audit:audit" "审核讲师";
    InPlatform ReadsLogged ExportLecturerAudits = "user:pc:lecturer:audit:export" "导出讲师审核";
}

pub const PART: Part = Part {
    permissions: &[PERMISSIONS],
    enumerations: &[LecturerAuditStatus::ENUMERATION],
    entities: &[Entity { table: "lecturer_audit", name: "讲师申请", counted: "个讲师申请" }],
    jobs: &[export_job::<LecturerAudits>()],
    plain: &[PLAIN],
    histories: &[History { table: "lecturer_audit", code: "user:pc:lecturer:audit:view", scope: None }],
    ..Part::NONE
};

/// Who may see a lecturer's phone may see it before they are one.
const PLAIN: UnmaskedFields = UnmaskedFields {
    entity: "lecturerAudit",
    table: "platform.lecturer_audit",
    code: "user:pc:lecturer:viewPlain",
    fields: &[("phone", "phone"), ("email", "email")],
    scope: ("id", None),
    live: None,
    platform: Some("$2::bigint is null and $3::bigint is not null"),
};

enumeration! {
    /// 讲师审核状态
    pub enum LecturerAuditStatus = "auditStatus" {
        Pending = "pending" "待审核",
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
    }
}

pub struct LecturerAudits;

#[OpenApi(prefix_path = "/user/pc/lecturer/audit", tag = "crate::Tag::Lecturers")]
impl LecturerAudits {
    /// 讲师审核列表
    #[oai(path = "/list", method = "post", operation_id = "listLecturerAudits")]
    async fn list(
        &self,
        caller: Allowed<ListLecturerAudits>,
        Body(asked): Body<Paged<LecturerAuditFilter>>,
    ) -> Result<Reply<Page<LecturerAudit>>> {
        let (paging, filter) = (asked.paging()?, asked.filter);
        let mut tx = caller.read().await?;
        let segments = segments(&mut tx, &filter).await?;
        let mut list: Vec<LecturerAudit> = select(&mut tx, None, &filter, Some(paging)).try_collect().await?;
        list.iter_mut().for_each(LecturerAudit::mask);
        let state = filter.audit_status.map(LecturerAuditStatus::as_str);
        Ok(reply(paging.page_of_state(segments, state, list)))
    }

    /// 查看讲师审核
    #[oai(path = "/view", method = "get", operation_id = "viewLecturerAudit")]
    async fn view(
        &self,
        caller: Allowed<ViewLecturerAudit>,
        /// 编号
        id: Query<i64>,
    ) -> Result<Reply<LecturerAudit>> {
        let mut tx = caller.read().await?;
        let mut found = find(&mut tx, id.0).await?;
        found.mask();
        Ok(reply(found))
    }

    /// 审核讲师
    #[oai(path = "/audit", method = "put", operation_id = "auditLecturer")]
    async fn decide_one(
        &self,
        caller: Allowed<AuditLecturer>,
        Body(decision): Body<AuditDecision>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let changes = decide(&mut tx, &decision).await?;
        tx.commit_all(changes).await?;
        Ok(reply(Saved { id: decision.id }))
    }

    /// 导出讲师审核
    #[oai(path = "/export", method = "post", operation_id = "exportLecturerAudits")]
    async fn export(
        &self,
        caller: Allowed<ExportLecturerAudits>,
        /// 作为任务
        job: Query<Option<bool>>,
        Body(asked): Body<Paged<LecturerAuditFilter>>,
    ) -> Result<Exported> {
        transfer::export::<Self>(&caller, asked.filter, job.0).await
    }
}

/// A learner asks to teach, with `usual` as their part of each sale unless they ask for another. Answers the application's number.
///
/// # Errors
/// 422 at the field; 409 while an application of theirs waits.
pub async fn apply(tx: &mut Tx, learner: i64, form: LecturerForm, usual: f64) -> Result<(i64, Change)> {
    let (form, proportion) = completed(form, None, usual)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.lecturer_audit (learner_id, lecturer_name, initials, phone, email, position, head_img, introduce,
             lecturer_proportion, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9::float8::numeric, $10, $10) returning id",
        learner,
        form.lecturer_name,
        pinyin::initials(&form.lecturer_name),
        form.phone,
        form.email,
        form.position,
        form.head_img,
        form.introduce,
        proportion,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "lecturer_audit_pending_once").then(|| Error::conflict("您的申请正在审核，请耐心等待"))
    })?;
    Ok((id, Change::created("lecturer_audit", id, &form)))
}

/// Tells whoever asked what was decided (01 §12).
async fn tell(tx: &mut Tx, learner: i64, decision: &AuditDecision) -> Result<()> {
    let values = Values::from([
        ("result".to_owned(), decision.audit_status.zh().to_owned()),
        ("remark".to_owned(), decision.audit_opinion.clone().unwrap_or_default()),
    ]);
    let asked = Persons::Recipients(vec![Person { kind: PersonKind::Learner, id: learner }]);
    notify(tx, "lecturer_audit_result", asked, values, Some(&format!("lecturer_audit_result:{}", decision.id))).await
}

/// Approval makes the lecturer in the same transaction, in which whoever asked is told.
///
/// # Errors
/// 422 for a rejection without opinion; 409 for an application that somebody else has decided on.
async fn decide(tx: &mut Tx, decision: &AuditDecision) -> Result<Vec<Change>> {
    decision.check()?;
    let waiting = sqlx::query!(
        r#"select learner_id, lecturer_name, phone, email, position, head_img, introduce,
                  lecturer_proportion::float8 as "lecturer_proportion!", audit_status as "audit_status: LecturerAuditStatus", version
           from platform.lecturer_audit where id = $1 for update"#,
        decision.id
    )
    .fetch_optional(&mut **tx)
    .await?
    .ok_or_else(Error::not_found)?;
    match waiting.audit_status {
        LecturerAuditStatus::Pending => {}
        LecturerAuditStatus::Approved | LecturerAuditStatus::Rejected => {
            return Err(Error::conflict("该申请已审核，请刷新"));
        }
    }
    if decision.version.is_some_and(|read| read != waiting.version) {
        return Err(tx.stale("lecturer_audit", decision.id).await);
    }
    let by = tx.by();
    sqlx::query!(
        "update platform.lecturer_audit
         set audit_status = $2, audit_opinion = $3, audited_by = $4, audited_at = now(), updated_at = now(), updated_by = $4,
             version = version + 1
         where id = $1",
        decision.id,
        decision.audit_status.as_str(),
        decision.audit_opinion,
        by
    )
    .execute(&mut **tx)
    .await?;
    tell(tx, waiting.learner_id, decision).await?;
    let status = Change::status(
        "lecturer_audit",
        decision.id,
        "auditStatus",
        LecturerAuditStatus::Pending.as_str(),
        decision.audit_status.as_str(),
    );
    let mut changes = vec![status.because(decision.audit_opinion.as_deref())];
    if decision.audit_status == CourseDecision::Approved {
        let form = LecturerForm {
            lecturer_name: waiting.lecturer_name,
            phone: waiting.phone,
            email: waiting.email,
            position: waiting.position,
            head_img: waiting.head_img,
            lecturer_proportion: Some(waiting.lecturer_proportion),
            introduce: waiting.introduce,
        };
        changes.push(lecturer::admit(tx, waiting.learner_id, form, waiting.lecturer_proportion).await?);
    }
    Ok(changes)
}
