//! What students confirm themselves and somebody looked at goes into the register: how to reach them, and from which school they
//! come (02 §11.2).

use chrono::NaiveDate;
use infra::{Change, Error, OnConstraint, Result, Scope, Tx};
use student_status_rules::student::Student;

use super::find;
use crate::enums::PreEduLevel;

/// The free fields that a student confirms; what is none stays as it is.
#[derive(Debug, Clone, Default)]
pub struct Confirmed {
    pub political_status: Option<String>,
    pub phone: Option<String>,
    pub email: Option<String>,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    pub work_unit: Option<String>,
    pub occupation: Option<String>,
    pub native_place: Option<String>,
    pub emergency_contact: Option<String>,
    pub emergency_phone: Option<String>,
    /// 入学照片, a file that stays with the record that it was handed in with.
    pub enrol_photo_id: Option<i64>,
}

/// 入学前学历, as its evidence says.
#[derive(Debug, Clone, Default)]
pub struct PreEducation {
    pub level: Option<PreEduLevel>,
    pub school: Option<String>,
    pub major: Option<String>,
    pub certificate_no: Option<String>,
    pub graduated_on: Option<NaiveDate>,
}

/// Writes what was confirmed into the file of a student who is held.
///
/// # Errors
/// Those of the database.
pub async fn confirm(tx: &mut Tx, student: &Student, confirmed: &Confirmed) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update student set political_status = coalesce($2, political_status), phone = coalesce($3, phone),
                email = coalesce($4, email), address = coalesce($5, address), postal_code = coalesce($6, postal_code),
                work_unit = coalesce($7, work_unit), occupation = coalesce($8, occupation),
                native_place = coalesce($9, native_place), emergency_contact = coalesce($10, emergency_contact),
                emergency_phone = coalesce($11, emergency_phone), enrol_photo_id = coalesce($12, enrol_photo_id),
                updated_at = now(), updated_by = $13, version = version + 1
         where id = $1",
        student.id,
        confirmed.political_status,
        confirmed.phone,
        confirmed.email,
        confirmed.address,
        confirmed.postal_code,
        confirmed.work_unit,
        confirmed.occupation,
        confirmed.native_place,
        confirmed.emergency_contact,
        confirmed.emergency_phone,
        confirmed.enrol_photo_id,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| {
        (name == "student_political_status_shape").then(|| Error::conflict("政治面貌不是字典中的代码，请退回学生修改"))
    })?;
    told(tx, student).await
}

/// Writes the former education into the file of a student who is held.
///
/// # Errors
/// Those of the database.
pub async fn educate(tx: &mut Tx, student: &Student, former: &PreEducation) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "update student set pre_edu_level = coalesce($2, pre_edu_level), pre_edu_school = coalesce($3, pre_edu_school),
                pre_edu_major = coalesce($4, pre_edu_major),
                pre_edu_certificate_no = coalesce($5, pre_edu_certificate_no),
                pre_edu_graduated_on = coalesce($6, pre_edu_graduated_on),
                updated_at = now(), updated_by = $7, version = version + 1
         where id = $1",
        student.id,
        former.level as _,
        former.school,
        former.major,
        former.certificate_no,
        former.graduated_on,
        by
    )
    .execute(&mut **tx)
    .await?;
    told(tx, student).await
}

async fn told(tx: &mut Tx, before: &Student) -> Result<()> {
    let after = find(tx, Some(before.id), None, &Scope::whole_school()).await?;
    tx.record(&[Change::edited("student", before.id, before, &after)]).await
}
