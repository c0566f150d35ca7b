//! 编辑: what is free to change of a student. Key fields are corrected or changed by their own steps (02 §0.4).

use classes::class::class_seats;
use infra::{
    Allowed, Body, Change, Error, OnConstraint, Reply, Result, Scope, Tx, Warned, naming::is_switched_off, reply,
};
use poem_openapi::OpenApi;
use serde_json::json;
use student_status_rules::{
    check::{NOT_YOURS, class_differs, free_wrong, political_status},
    edit::{allow_move, moves_key_field, whole},
    form::{FreeFields, StudentEdit},
    new_student::tenths,
    references::References,
    student::Student,
    warnings::of_site,
};

use super::{EditStudent, find, references::Only};

/// Told of every key field that would change (02 §0.4).
const KEY_FIELD: &str = "该字段为学籍关键信息，请走信息更正或学籍异动";

pub struct Edit;

#[OpenApi(prefix_path = "/adult/pc/studentRoll", tag = "crate::Tag::StudentStatus")]
impl Edit {
    /// 编辑学籍
    #[oai(path = "/edit", method = "put", operation_id = "editStudent")]
    async fn edit(&self, caller: Allowed<EditStudent>, Body(edit): Body<StudentEdit>) -> Result<Reply<Warned>> {
        let mut tx = caller.begin().await?;
        let scope = caller.scope();
        let before = lock(&mut tx, edit.id, &scope).await?;
        if moves_key_field(&before, &edit) {
            return Err(Error::conflict(KEY_FIELD));
        }
        let (site_id, class_id) = (edit.site_id.unwrap_or(before.site_id), edit.class_id.or(before.class_id));
        let free = whole(edit.free, &before);
        let app = tx.app().clone();
        let only = Only {
            grade: Some(0),
            level: Some(0),
            major: Some(0),
            site: Some(site_id),
            class: Some(class_id.unwrap_or(0)),
        };
        let known = only.load(&app, &mut tx).await?;
        let mut wrong = free_wrong(&free);
        // A word that was switched off since may stay.
        if free.political_status != before.political_status {
            wrong.extend(political_status(free.political_status.as_deref(), &known.political));
        }
        let moved = (site_id, class_id) != (before.site_id, before.class_id);
        if moved {
            allow_move(&before)?;
            wrong.extend(place_wrong(&before, site_id, class_id, &known, &scope));
        }
        if !wrong.is_empty() {
            return Err(Error::fields(wrong));
        }
        if let Some(class_id) = class_id.filter(|_| class_id != before.class_id) {
            class_seats(&mut tx, class_id).await?.admit(1)?;
        }
        update(&mut tx, &before, edit.version, (site_id, class_id), &free).await?;
        if moved {
            note_move(&mut tx, &before, site_id, class_id).await?;
        }
        // The row may have left the scope with its class.
        let after = find(&mut tx, Some(edit.id), None, &Scope::whole_school()).await?;
        tx.commit(Change::edited("student", edit.id, &before, &after)).await?;
        // Key fields do not change here, so only another site is worth a look.
        let site = known.sites.get(&site_id).filter(|_| site_id != before.site_id);
        let warnings = site.map(|site| of_site(site, app.clock().today())).unwrap_or_default();
        Ok(reply(Warned { id: edit.id, warnings: warnings.into_iter().map(|warning| warning.message).collect() }))
    }
}

/// The student as it stands; nobody else changes it until this transaction ends.
pub(crate) async fn lock(tx: &mut Tx, id: i64, scope: &Scope) -> Result<Student> {
    tx.lock("student", id).await?;
    find(tx, Some(id), None, scope).await
}

fn place_wrong(
    before: &Student,
    site_id: i64,
    class_id: Option<i64>,
    known: &References,
    scope: &Scope,
) -> Vec<infra::FieldError> {
    let at = |field: &str, message: String| infra::FieldError { field: field.to_owned(), message };
    let mut wrong = Vec::new();
    match known.sites.get(&site_id) {
        None => wrong.push(at("siteId", "所选站点不存在，请重新选择".to_owned())),
        Some(_) if !scope.sees(Some(site_id), class_id) => wrong.push(at("siteId", NOT_YOURS.to_owned())),
        Some(site) if site_id != before.site_id && site.status != "active" => {
            wrong.push(at("siteId", is_switched_off(&site.name)));
        }
        Some(_) => {}
    }
    match class_id.map(|id| known.classes.get(&id)) {
        None => {}
        Some(None) => wrong.push(at("classId", "所选班级不存在，请重新选择".to_owned())),
        Some(Some(class)) if class_id != before.class_id && !class.enabled => {
            wrong.push(at("classId", is_switched_off(&class.name)));
        }
        Some(Some(class)) => {
            wrong.extend(class_differs(class, [before.grade_id, before.level_id, before.major_id, site_id]));
        }
    }
    wrong
}

async fn update(
    tx: &mut Tx,
    before: &Student,
    version: i32,
    (site_id, class_id): (i64, Option<i64>),
    free: &FreeFields,
) -> Result<()> {
    let by = tx.by();
    let changed = sqlx::query!(
        "update student set former_name = $3, political_status = $4, phone = $5, email = $6, address = $7, postal_code = $8,
                work_unit = $9, occupation = $10, native_place = $11, hukou_place = $12, emergency_contact = $13,
                emergency_phone = $14, pre_edu_level = $15, pre_edu_school = $16, pre_edu_major = $17,
                pre_edu_certificate_no = $18, pre_edu_graduated_on = $19, total_score = $20::integer / 10.0,
                exam_category = $21, remark = $22, site_id = $23, class_id = $24,
                updated_at = now(), updated_by = $25, version = version + 1
         where id = $1 and version = $2",
        before.id,
        version,
        free.former_name,
        free.political_status,
        free.phone,
        free.email,
        free.address,
        free.postal_code,
        free.work_unit,
        free.occupation,
        free.native_place,
        free.hukou_place,
        free.emergency_contact,
        free.emergency_phone,
        free.pre_edu_level as _,
        free.pre_edu_school,
        free.pre_edu_major,
        free.pre_edu_certificate_no,
        free.pre_edu_graduated_on,
        free.total_score.map(tenths),
        free.exam_category as _,
        free.remark,
        site_id,
        class_id,
        by
    )
    .execute(&mut **tx)
    .await
    // The class was moved between the look at it and the update.
    .on_constraint(|name| {
        (name == "student_class_mismatch").then(|| Error::field("classId", "与班级的年级、层次、专业或站点不一致"))
    })?;
    if changed.rows_affected() == 0 { Err(tx.stale("student", before.id).await) } else { Ok(()) }
}

/// A change of site or class stands in the history.
async fn note_move(tx: &mut Tx, before: &Student, site_id: i64, class_id: Option<i64>) -> Result<()> {
    let (by, today) = (tx.by(), tx.app().clock().today());
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, before, after, effective_on,
                                            created_by, updated_by)
         values ($1, 'class_change', $2, $2, $3, $4, $5, $6, $6)",
        before.id,
        before.status.as_str(),
        json!({ "siteId": before.site_id, "classId": before.class_id }),
        json!({ "siteId": site_id, "classId": class_id }),
        today,
        by
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
