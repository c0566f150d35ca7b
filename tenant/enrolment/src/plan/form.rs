//! What a site declares, and how it is written.

use std::collections::HashSet;

use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, files, mask};
use poem_openapi::{Object, types::Example};
use student_status::student::check::NOT_YOURS;
use units::site::{KnownSite, SiteStatus};

use super::{SiteEnrollmentStatus, SiteEnrollmentView, SiteEnrollments, lock, select::kept};
use crate::batch::running;

/// For how many people of a major.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct SiteEnrollmentLineForm {
    /// 招生专业
    pub enrollment_major_id: i64,
    /// 申报人数
    #[oai(validator(minimum(value = "1"), maximum(value = "9999")))]
    pub quota_applied: i32,
}

/// What a site declares.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SiteEnrollmentForm {
    /// 招生批次
    pub batch_id: i64,
    /// 教学站点
    pub site_id: i64,
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

impl Example for SiteEnrollmentForm {
    fn example() -> Self {
        Self {
            batch_id: 1,
            site_id: 1,
            contact_name: Some("刘站长".to_owned()),
            contact_phone: Some("027-87654321".to_owned()),
            attachment_key: None,
            remark: None,
            lines: vec![SiteEnrollmentLineForm { enrollment_major_id: 1, quota_applied: 50 }],
        }
    }
}

/// Whether the site may plan.
///
/// # Errors
/// 422 at `siteId`.
async fn check_site(tx: &mut Tx, id: i64, kept: bool, scope: &Scope) -> Result<()> {
    let site =
        sqlx::query_as!(KnownSite, r#"select id, name, status as "status: SiteStatus" from site where id = $1"#, id)
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("siteId", "所选站点不存在，请重新选择"))?;
    if !scope.sees(Some(id), None) {
        return Err(Error::field("siteId", NOT_YOURS));
    }
    if kept { Ok(()) } else { site.enrols("siteId") }
}

/// Whether the majors are the batch's, each once; a major that is switched off stays where it was.
///
/// # Errors
/// 422 at the line.
async fn check_lines(tx: &mut Tx, form: &SiteEnrollmentForm, before: Option<&SiteEnrollmentView>) -> Result<()> {
    let wanted: Vec<i64> = form.lines.iter().map(|line| line.enrollment_major_id).collect();
    // None of them goes away before the lines are written.
    sqlx::query_scalar!("select id from enrollment_major where id = any($1) order by id for key share", &wanted)
        .fetch_all(&mut **tx)
        .await?;
    let known = sqlx::query!(
        r#"select w.id as "id!", m.name as "name?", e.enabled as "enabled?"
           from unnest($1::bigint[]) with ordinality as w (id, place)
           left join enrollment_major e on e.id = w.id and e.batch_id = $2
           left join major m on m.id = e.major_id
           order by w.place"#,
        &wanted,
        form.batch_id
    )
    .fetch_all(&mut **tx)
    .await?;
    let mut seen = HashSet::new();
    for (n, row) in known.into_iter().enumerate() {
        let refused = |message: String| Err(Error::field(&format!("lines[{n}].enrollmentMajorId"), message));
        let Some(name) = row.name else {
            return refused("所选专业不在本批次中，请重新选择".to_owned());
        };
        let kept = before.is_some_and(|plan| plan.lines.iter().any(|line| line.enrollment_major_id == row.id));
        if row.enabled != Some(true) && !kept {
            return refused(infra::naming::is_switched_off(&name));
        }
        if !seen.insert(row.id) {
            return refused(format!("“{name}”只能申报一次"));
        }
    }
    Ok(())
}

/// # Errors
/// 422 for stars that are not the mask of what is stored.
fn reachable(form: &SiteEnrollmentForm) -> Result<()> {
    if form.contact_phone.as_deref().is_some_and(|phone| phone.contains('*')) {
        return Err(Error::field("contactPhone", "请填写完整的联系电话"));
    }
    Ok(())
}

pub(super) async fn insert(tx: &mut Tx, form: SiteEnrollmentForm, scope: &Scope) -> Result<(i64, Change)> {
    reachable(&form)?;
    running(tx, form.batch_id).await?;
    check_site(tx, form.site_id, false, scope).await?;
    check_lines(tx, &form, None).await?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into site_enrollment (batch_id, site_id, contact_name, contact_phone, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $6) returning id",
        form.batch_id,
        form.site_id,
        form.contact_name,
        form.contact_phone,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    set_lines(tx, id, &form).await?;
    set_attachment(tx, id, None, form.attachment_key.as_deref()).await?;
    Ok((id, Change::created("site_enrollment", id, &form)))
}

/// Whether what a site declared may still be changed.
fn editable(status: SiteEnrollmentStatus) -> Result<()> {
    match status {
        SiteEnrollmentStatus::Draft | SiteEnrollmentStatus::Rejected => Ok(()),
        SiteEnrollmentStatus::Submitted => Err(Error::conflict("已提交的申报不能修改，请先退回")),
        SiteEnrollmentStatus::Approved => Err(Error::conflict("已核定的申报不能修改，请先撤销核定")),
    }
}

/// What was sent back is a draft again. A masked phone that was not touched stays.
///
/// # Errors
/// 404 outside the scope; 409 when it was submitted or changed meanwhile; 422 for what cannot be chosen.
pub(super) async fn update(tx: &mut Tx, edit: Edit<SiteEnrollmentForm>, scope: &Scope) -> Result<Change> {
    let mut form = edit.form;
    let before = lock(tx, edit.id, scope).await?;
    editable(before.plan.status)?;
    if form.batch_id != before.plan.batch_id {
        return Err(Error::field("batchId", "申报的招生批次不能更换，请另行新增"));
    }
    form.contact_phone = mask::kept(form.contact_phone, before.plan.contact_phone.as_deref(), mask::phone);
    reachable(&form)?;
    check_site(tx, form.site_id, form.site_id == before.plan.site_id, scope).await?;
    check_lines(tx, &form, Some(&before)).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update site_enrollment set site_id = $3, contact_name = $4, contact_phone = $5, remark = $6, status = 'draft',
                updated_at = now(), updated_by = $7, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.site_id,
        form.contact_name,
        form.contact_phone,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain_constraint)?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("site_enrollment", edit.id).await);
    }
    set_lines(tx, edit.id, &form).await?;
    set_attachment(tx, edit.id, before.attachment_key.as_deref(), form.attachment_key.as_deref()).await?;
    let plan = SiteEnrollments::find(tx, edit.id, scope).await?;
    let after = kept(tx, plan).await?;
    Ok(Change::edited("site_enrollment", edit.id, &before, &after))
}

/// Replaces the lines of a plan.
async fn set_lines(tx: &mut Tx, id: i64, form: &SiteEnrollmentForm) -> Result<()> {
    let majors: Vec<i64> = form.lines.iter().map(|line| line.enrollment_major_id).collect();
    let applied: Vec<i32> = form.lines.iter().map(|line| line.quota_applied).collect();
    sqlx::query!(
        "delete from site_enrollment_line where site_enrollment_id = $1 and enrollment_major_id <> all($2)",
        id,
        &majors
    )
    .execute(&mut **tx)
    .await?;
    sqlx::query!(
        "insert into site_enrollment_line (site_enrollment_id, batch_id, enrollment_major_id, quota_applied)
         select $1, $2, w.major, w.applied from unnest($3::bigint[], $4::integer[]) as w (major, applied)
         on conflict on constraint site_enrollment_line_major_taken
         do update set quota_applied = excluded.quota_applied, quota_approved = null",
        id,
        form.batch_id,
        &majors,
        &applied
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}

/// # Errors
/// 422 at `attachmentKey` when the upload was not completed.
async fn set_attachment(tx: &mut Tx, id: i64, before: Option<&str>, wanted: Option<&str>) -> Result<()> {
    if before == wanted {
        return Ok(());
    }
    let file = match wanted {
        Some(key) => {
            let adopted = files::adopt(tx, key, "site_enrollment", id).await;
            Some(adopted.map_err(|error| match error.code {
                422 => Error::field("attachmentKey", error.msg),
                _ => error,
            })?)
        }
        None => None,
    };
    sqlx::query!("update site_enrollment set attachment_id = $2 where id = $1", id, file).execute(&mut **tx).await?;
    if let Some(before) = before {
        files::release(tx, &[before.to_owned()]).await?;
    }
    Ok(())
}

pub(super) fn explain_constraint(constraint: &str) -> Option<Error> {
    (constraint == "site_enrollment_site_taken").then(|| Error::field("siteId", "该站点在本批次已有申报"))
}
