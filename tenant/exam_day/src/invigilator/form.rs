//! What is typed of an invigilator, and how it is written.

use exam_seat_rules::enums::InvigilatorKind;
use infra::{Change, Edit, Error, OnConstraint, Result, Scope, Tx, across::Keyed, mask, naming::tidy, pinyin};
use people::id_card::Gender;
use poem_openapi::{Object, types::Example};

use super::{Invigilator, Invigilators};

const NO_SITE: &str = "所选站点不存在，请重新选择";

/// What is typed. A teacher's name, gender and phone are theirs.
#[derive(Debug, Clone, PartialEq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct InvigilatorForm {
    /// 类型
    pub kind: InvigilatorKind,
    /// 教师
    /// 本校教师必填
    pub teacher_id: Option<i64>,
    /// 姓名
    /// 外聘必填
    #[oai(validator(max_length = 50))]
    pub name: Option<String>,
    /// 性别
    pub gender: Option<Gender>,
    /// 手机号
    /// 应为11位手机号
    #[oai(validator(pattern = "^1[3-9][0-9]([0-9]{4}|[*]{4})[0-9]{4}$"))]
    pub phone: Option<String>,
    /// 身份证号
    #[oai(validator(max_length = 30))]
    pub id_card_no: Option<String>,
    /// 教学站点
    pub site_id: i64,
    /// 可用
    /// 不填为是
    pub available: Option<bool>,
    /// 备注
    #[oai(validator(max_length = 200))]
    pub remark: Option<String>,
}

impl Example for InvigilatorForm {
    fn example() -> Self {
        Self {
            kind: InvigilatorKind::External,
            teacher_id: None,
            name: Some("陈监考".to_owned()),
            gender: Some(Gender::Female),
            phone: Some("13900000003".to_owned()),
            id_card_no: None,
            site_id: 1,
            available: Some(true),
            remark: None,
        }
    }
}

fn explain(constraint: &str) -> Option<Error> {
    match constraint {
        "invigilator_teacher_taken" => Some(Error::field("teacherId", "该教师已是监考员")),
        "invigilator_external_taken" => Some(Error::field("idCardNo", "该身份证号的监考员已存在")),
        "invigilator_of_site" => Some(Error::field("siteId", NO_SITE)),
        _ => None,
    }
}

/// A number that is sent masked is kept as it stands.
fn whole(
    field: &str,
    typed: Option<String>,
    stored: Option<&str>,
    masked: fn(&str) -> String,
) -> Result<Option<String>> {
    let kept = mask::kept(typed, stored, masked).filter(|text| !text.is_empty());
    if kept.as_deref().is_some_and(|text| text.contains('*')) {
        return Err(Error::field(field, "请填写完整内容，不修改时保留原内容"));
    }
    Ok(kept)
}

/// # Errors
/// 422 for a site beyond the scope.
pub(super) fn at_site(site: i64, scope: &Scope) -> Result<()> {
    if scope.sees(Some(site), None) { Ok(()) } else { Err(Error::field("siteId", NO_SITE)) }
}

/// The form with what it takes over of a teacher, and its numbers whole.
async fn completed(
    tx: &mut Tx,
    mut form: InvigilatorForm,
    before: Option<&Invigilator>,
    scope: &Scope,
) -> Result<InvigilatorForm> {
    at_site(form.site_id, scope)?;
    form.phone = whole("phone", form.phone, before.and_then(|one| one.phone.as_deref()), mask::phone)?;
    form.id_card_no =
        whole("idCardNo", form.id_card_no, before.and_then(|one| one.id_card_no.as_deref()), mask::id_card)?;
    form.id_card_no = form.id_card_no.map(|number| number.trim().to_uppercase());
    form.available = form.available.or(Some(true));
    form.remark = form.remark.filter(|text| !text.is_empty());
    match form.kind {
        InvigilatorKind::Teacher => {
            let id = form.teacher_id.ok_or_else(|| Error::field("teacherId", "请选择教师"))?;
            let teacher = sqlx::query!(
                r#"select name, gender as "gender: Gender", phone, status = 'active' as "active!" from teacher where id = $1"#,
                id
            )
            .fetch_optional(&mut **tx)
            .await?
            .ok_or_else(|| Error::field("teacherId", "所选教师不存在，请重新选择"))?;
            // Whoever is one already stays one.
            if !teacher.active && before.and_then(|one| one.teacher_id) != Some(id) {
                return Err(Error::field("teacherId", format!("教师“{}”已离职或停用", teacher.name)));
            }
            form.name = Some(teacher.name);
            form.gender = teacher.gender;
            form.phone = form.phone.or(Some(teacher.phone));
        }
        InvigilatorKind::External => {
            form.teacher_id = None;
            let name = form.name.as_deref().map(tidy).filter(|name| !name.is_empty());
            form.name = Some(name.ok_or_else(|| Error::field("name", "请填写姓名"))?);
            if form.phone.is_none() {
                return Err(Error::field("phone", "请填写手机号"));
            }
        }
    }
    Ok(form)
}

/// # Errors
/// 422 for what is missing, taken, or beyond the scope.
pub(super) async fn insert(tx: &mut Tx, form: InvigilatorForm, scope: &Scope) -> Result<(i64, Change)> {
    let form = completed(tx, form, None, scope).await?;
    let by = tx.by();
    let name = form.name.clone().unwrap_or_default();
    let id = sqlx::query_scalar!(
        "insert into invigilator (kind, teacher_id, name, initials, gender, id_card_no, phone, site_id, available, remark, created_by,
             updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning id",
        form.kind.as_str(),
        form.teacher_id,
        name,
        pinyin::text_initials(&name),
        form.gender.map(Gender::as_str),
        form.id_card_no,
        form.phone,
        form.site_id,
        form.available,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok((id, Change::created("invigilator", id, &form)))
}

/// A teacher as an invigilator of a site.
///
/// # Errors
/// As [`insert`].
pub(super) async fn of_teacher(tx: &mut Tx, teacher: i64, site: i64, scope: &Scope) -> Result<Change> {
    let form = InvigilatorForm {
        kind: InvigilatorKind::Teacher,
        teacher_id: Some(teacher),
        name: None,
        gender: None,
        phone: None,
        id_card_no: None,
        site_id: site,
        available: None,
        remark: None,
    };
    insert(tx, form, scope).await.map(|(_, change)| change)
}

/// # Errors
/// 404 beyond the scope; 409 when it changed since it was read; 422 as [`insert`].
pub(super) async fn update(tx: &mut Tx, edit: Edit<InvigilatorForm>, scope: &Scope) -> Result<Change> {
    let id = edit.id;
    tx.lock("invigilator", id).await?;
    let before = Invigilators::find(tx, id, scope).await?;
    if before.version != edit.version {
        return Err(tx.stale("invigilator", id).await);
    }
    let form = completed(tx, edit.form, Some(&before), scope).await?;
    if (before.kind, before.teacher_id) != (form.kind, form.teacher_id) && before.duty_count > 0 {
        return Err(Error::conflict("该监考员已有监考安排，不能修改类型和教师"));
    }
    let was = InvigilatorForm {
        kind: before.kind,
        teacher_id: before.teacher_id,
        name: Some(before.name),
        gender: before.gender,
        phone: before.phone,
        id_card_no: before.id_card_no,
        site_id: before.site_id,
        available: Some(before.available),
        remark: before.remark,
    };
    let by = tx.by();
    let name = form.name.clone().unwrap_or_default();
    sqlx::query!(
        "update invigilator
         set kind = $2, teacher_id = $3, name = $4, initials = $5, gender = $6, id_card_no = $7, phone = $8, site_id = $9,
             available = $10, remark = $11, updated_at = now(), updated_by = $12, version = version + 1
         where id = $1",
        id,
        form.kind.as_str(),
        form.teacher_id,
        name,
        pinyin::text_initials(&name),
        form.gender.map(Gender::as_str),
        form.id_card_no,
        form.phone,
        form.site_id,
        form.available,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(explain)?;
    Ok(Change::edited("invigilator", id, &was, &form))
}
