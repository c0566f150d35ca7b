//! What the audit of admissions asks (02 §6, §16): who was audited is to come, and who is audited no more is not.

use futures_util::future::BoxFuture;
use infra::{Change, Error, OnConstraint, Part, Result, Tx};
use serde_json::json;

use crate::enums::RegistrationStatus;

/// Has these admissions, which are held and audited, report: each with a copy of name, number, site and major. Who had waited
/// until the audit was taken back waits again, with what was brought and paid.
///
/// # Errors
/// 409 when one of them has a registration.
pub async fn open(tx: &mut Tx, admissions: &[i64]) -> Result<Vec<Change>> {
    let (by, now) = (tx.by(), tx.app().clock().now());
    let back = sqlx::query!(
        "update registration r
         set deleted_at = null, deleted_by = null, site_id = a.site_id, phone = a.phone, pending_since = $2, updated_at = now(),
             updated_by = $3, version = r.version + 1
         from admission a
         where a.id = any($1) and r.id = (
             select max(o.id) from registration o
             where o.admission_id = a.id and o.batch_id = a.batch_id and o.deleted_at is not null and o.status = 'pending')
           and r.enrollment_major_id = a.enrollment_major_id
           and not exists (select from registration n where n.admission_id = a.id and n.deleted_at is null and not n.carried_on)
         returning r.id, r.admission_id",
        admissions,
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let returned: Vec<i64> = back.iter().map(|row| row.admission_id).collect();
    let new: Vec<i64> = admissions.iter().copied().filter(|id| !returned.contains(id)).collect();
    let rows = sqlx::query!(
        "insert into registration (
             admission_id, batch_id, grade_id, enrollment_major_id, major_id, level_id, study_form, schooling_years, site_id,
             examinee_no, name, name_grams, pinyin, initials, gender, birthday, id_card_type, id_card_no, phone, pending_since,
             created_by, updated_by)
         select a.id, a.batch_id, a.grade_id, a.enrollment_major_id, a.major_id, a.level_id, a.study_form, a.schooling_years,
                a.site_id, a.examinee_no, a.name, a.name_grams, a.pinyin, a.initials, a.gender, a.birthday, a.id_card_type,
                a.id_card_no, a.phone, $2, $3, $3
         from admission a where a.id = any($1) order by a.id
         returning id, admission_id",
        &new,
        now as _,
        by
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(|constraint| {
        (constraint == "registration_admission_taken").then(|| Error::conflict("该生已有报到数据，不能重复审核"))
    })?;
    let opened = rows.into_iter().map(|row| {
        let what = json!({ "admissionId": row.admission_id, "status": RegistrationStatus::Pending.as_str() });
        Change::event("registration", row.id, "insert", what)
    });
    let returned = back
        .into_iter()
        .map(|row| Change::event("registration", row.id, "recover", json!({ "admissionId": row.admission_id })));
    Ok(returned.chain(opened).collect())
}

/// Moves the registration of an admission that is audited no more into the bin; none when it has none.
///
/// # Errors
/// 409 unless the person still waits, or when they went on from another batch.
pub async fn withdraw(tx: &mut Tx, admission: i64) -> Result<Option<Change>> {
    let row = sqlx::query!(
        r#"select id, status as "status: RegistrationStatus", previous_id from registration
           where admission_id = $1 and deleted_at is null and not carried_on for no key update"#,
        admission
    )
    .fetch_optional(&mut **tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    if row.status != RegistrationStatus::Pending {
        let state = row.status.zh();
        let state = state.strip_prefix('已').unwrap_or(state);
        return Err(Error::conflict(format!("该生已{state}，不能撤销审核")));
    }
    if row.previous_id.is_some() {
        return Err(Error::conflict("该生已转入之后的批次，请先删除该批次的报到数据再撤销审核"));
    }
    let (by, now) = (tx.by(), tx.app().clock().now());
    sqlx::query!(
        "update registration set deleted_at = $2, deleted_by = $3, updated_at = now(), updated_by = $3, version = version + 1
         where id = $1",
        row.id,
        now as _,
        by
    )
    .execute(&mut **tx)
    .await?;
    let what = json!({ "admissionId": admission, "status": row.status.as_str() });
    Ok(Some(Change::event("registration", row.id, "delete", what)))
}

pub const PART: Part = Part { corrected: Some(corrected), ..Part::NONE };

/// Whoever reported is listed by what the register calls them since. The admission stays as the authority has it.
fn corrected<'a>(tx: &'a mut Tx, table: &'static str, id: i64) -> BoxFuture<'a, Result<()>> {
    Box::pin(async move { if table == "student" { follow_student(tx, id).await } else { Ok(()) } })
}

async fn follow_student(tx: &mut Tx, student: i64) -> Result<()> {
    let by = tx.by();
    let rows = sqlx::query!(
        r#"update registration r
           set name = s.name, name_grams = s.name_grams, pinyin = s.pinyin, initials = s.initials,
               gender = coalesce(s.gender, r.gender), birthday = coalesce(s.birthday, r.birthday), id_card_type = s.id_card_type,
               id_card_no = s.id_card_no, examinee_no = coalesce(s.examinee_no, r.examinee_no), updated_at = now(),
               updated_by = $2, version = r.version + 1
           from student s join registration o on o.student_id = s.id
           where s.id = $1 and r.id = o.id
             and (r.name, r.id_card_type, r.id_card_no, r.gender, r.birthday, r.examinee_no)
                 is distinct from (s.name, s.id_card_type, s.id_card_no, coalesce(s.gender, r.gender),
                                   coalesce(s.birthday, r.birthday), coalesce(s.examinee_no, r.examinee_no))
           returning r.id, o.name as "was_name!", r.name, o.id_card_type as "was_id_card_type!", r.id_card_type,
                     o.id_card_no as "was_id_card_no!", r.id_card_no, o.gender as "was_gender!", r.gender,
                     o.birthday as "was_birthday!", r.birthday, o.examinee_no as "was_examinee_no!", r.examinee_no"#,
        student,
        by
    )
    .fetch_all(&mut **tx)
    .await?;
    let changes = rows.into_iter().map(|row| {
        let was = json!({
            "name": row.was_name, "idCardType": row.was_id_card_type, "idCardNo": row.was_id_card_no,
            "gender": row.was_gender, "birthday": row.was_birthday, "examineeNo": row.was_examinee_no,
        });
        let is = json!({
            "name": row.name, "idCardType": row.id_card_type, "idCardNo": row.id_card_no, "gender": row.gender,
            "birthday": row.birthday, "examineeNo": row.examinee_no,
        });
        Change::edited("registration", row.id, &was, &is)
    });
    let changes: Vec<Change> = changes.collect();
    tx.record(&changes).await
}

/// Whoever is to come is called by the number that the admission has now.
///
/// # Errors
/// Those of the database.
pub async fn follow_phone(tx: &mut Tx, admission: i64, phone: Option<&str>) -> Result<Vec<Change>> {
    // The form that is open at a desk has no phone: its version stays.
    let rows = sqlx::query!(
        "update registration r set phone = $2 from registration o
         where o.id = r.id and r.admission_id = $1 and r.deleted_at is null and not r.carried_on and r.phone is distinct from $2
         returning r.id, o.phone",
        admission,
        phone
    )
    .fetch_all(&mut **tx)
    .await?;
    Ok(rows.into_iter().map(|row| Change::status("registration", row.id, "phone", row.phone, phone)).collect())
}
