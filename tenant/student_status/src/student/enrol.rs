//! 建档: the only way in which a student comes into the register (02 §9.1, §9.7).

use infra::{Error, OnConstraint, Result, Tx, pinyin};
use people::account::{NewAccount, OwnerKind, open_accounts};
use student_numbers::allocation::remember;
use student_status_rules::{
    check::active_already,
    new_student::{Event, NewStudent, tenths},
};

use super::quota;
use crate::{enums::StudentStatus, id_card};

/// One column of the new rows.
macro_rules! column {
    ($rows:ident, $row:ident => $value:expr) => {
        $rows.iter().map(|$row| $value).collect::<Vec<_>>()
    };
}

/// Enters checked students: the rows, the beginning of their history, and accounts for those with a number. Answers
/// their ids in the order of the rows.
///
/// # Errors
/// 422 or 409 when somebody took a number, or entered the person, since the check; 409 beyond the school's quota.
pub async fn enrol(tx: &mut Tx, students: &[NewStudent]) -> Result<Vec<i64>> {
    let counted = |new: &&NewStudent| matches!(new.status, StudentStatus::Registered | StudentStatus::Suspended);
    quota::admit(tx, students.iter().filter(counted).count()).await?;
    id_card::hold(tx, &students.iter().map(|new| new.id_card_no.as_str()).collect::<Vec<_>>()).await?;
    let ids = insert(tx, students).await?;
    let numbered = || ids.iter().zip(students);
    let events: Vec<(i64, Event)> =
        numbered().flat_map(|(id, new)| new.history().into_iter().map(|event| (*id, event))).collect();
    record(tx, &events).await?;
    let numbers: Vec<(i64, &str)> =
        numbered().filter_map(|(id, new)| new.student_no.as_deref().map(|number| (*id, number))).collect();
    remember(tx, &numbers).await?;
    let accounts: Vec<NewAccount<'_>> = numbered()
        .filter_map(|(id, new)| {
            let login_name = new.login_name()?;
            Some(NewAccount { owner_id: *id, login_name, enabled: new.account_enabled })
        })
        .collect();
    if !accounts.is_empty() {
        open_accounts(tx, OwnerKind::Student, &accounts).await?;
    }
    Ok(ids)
}

async fn insert(tx: &mut Tx, students: &[NewStudent]) -> Result<Vec<i64>> {
    let by = tx.by();
    sqlx::query_scalar!(
        "insert into student (
             student_no, examinee_no, name, name_grams, pinyin, initials, former_name, gender, birthday, ethnicity,
             political_status, id_card_type, id_card_no, phone, email, address, postal_code, work_unit, occupation,
             native_place, hukou_place, emergency_contact, emergency_phone, pre_edu_level, pre_edu_school, pre_edu_major,
             pre_edu_certificate_no, pre_edu_graduated_on, grade_id, level_id, major_id, study_form, schooling_years,
             site_id, class_id, enrolled_on, expected_graduation_on, max_study_end_on, status, status_reason,
             registered_on, register_result, total_score, exam_category, source, remark, ended_on, created_by, updated_by)
         select
             r.student_no, r.examinee_no, r.name, string_to_array(r.grams, ' '), r.pinyin, r.initials, r.former_name,
             r.gender, r.birthday, r.ethnicity, r.political_status, r.id_card_type, r.id_card_no, r.phone, r.email,
             r.address, r.postal_code, r.work_unit, r.occupation, r.native_place, r.hukou_place, r.emergency_contact,
             r.emergency_phone, r.pre_edu_level, r.pre_edu_school, r.pre_edu_major, r.pre_edu_certificate_no,
             r.pre_edu_graduated_on, r.grade_id, r.level_id, r.major_id, r.study_form, r.half_years / 2.0, r.site_id,
             r.class_id, r.enrolled_on, r.expected_graduation_on, r.max_study_end_on, r.status, r.status_reason,
             r.registered_on, r.register_result, r.score_tenths / 10.0, r.exam_category, r.source, r.remark,
             r.ended_on, $1, $1
         from unnest(
             $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::date[],
             $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[],
             $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[], $25::text[], $26::text[],
             $27::text[], $28::text[], $29::date[], $30::bigint[], $31::bigint[], $32::bigint[], $33::text[],
             $34::integer[], $35::bigint[], $36::bigint[], $37::date[], $38::date[], $39::date[], $40::text[],
             $41::text[], $42::date[], $43::text[], $44::integer[], $45::text[], $46::text[], $47::text[], $48::date[]
         ) with ordinality as r (
             student_no, examinee_no, name, grams, pinyin, initials, former_name, gender, birthday, ethnicity,
             political_status, id_card_type, id_card_no, phone, email, address, postal_code, work_unit, occupation,
             native_place, hukou_place, emergency_contact, emergency_phone, pre_edu_level, pre_edu_school, pre_edu_major,
             pre_edu_certificate_no, pre_edu_graduated_on, grade_id, level_id, major_id, study_form, half_years, site_id,
             class_id, enrolled_on, expected_graduation_on, max_study_end_on, status, status_reason, registered_on,
             register_result, score_tenths, exam_category, source, remark, ended_on, place)
         order by r.place
         returning id",
        by,
        column!(students, new => new.student_no.as_deref()) as _,
        column!(students, new => new.examinee_no.as_deref()) as _,
        column!(students, new => new.name.as_str()) as _,
        // No gram has a blank.
        column!(students, new => pinyin::grams(&new.name).join(" ")) as _,
        column!(students, new => pinyin::pinyin(&new.name)) as _,
        column!(students, new => pinyin::initials(&new.name)) as _,
        column!(students, new => new.free.former_name.as_deref()) as _,
        column!(students, new => new.gender) as _,
        column!(students, new => new.birthday) as _,
        column!(students, new => new.ethnicity.as_deref()) as _,
        column!(students, new => new.free.political_status.as_deref()) as _,
        column!(students, new => new.id_card_type) as _,
        column!(students, new => new.id_card_no.as_str()) as _,
        column!(students, new => new.free.phone.as_deref()) as _,
        column!(students, new => new.free.email.as_deref()) as _,
        column!(students, new => new.free.address.as_deref()) as _,
        column!(students, new => new.free.postal_code.as_deref()) as _,
        column!(students, new => new.free.work_unit.as_deref()) as _,
        column!(students, new => new.free.occupation.as_deref()) as _,
        column!(students, new => new.free.native_place.as_deref()) as _,
        column!(students, new => new.free.hukou_place.as_deref()) as _,
        column!(students, new => new.free.emergency_contact.as_deref()) as _,
        column!(students, new => new.free.emergency_phone.as_deref()) as _,
        column!(students, new => new.free.pre_edu_level) as _,
        column!(students, new => new.free.pre_edu_school.as_deref()) as _,
        column!(students, new => new.free.pre_edu_major.as_deref()) as _,
        column!(students, new => new.free.pre_edu_certificate_no.as_deref()) as _,
        column!(students, new => new.free.pre_edu_graduated_on) as _,
        column!(students, new => new.grade_id) as _,
        column!(students, new => new.level_id) as _,
        column!(students, new => new.major_id) as _,
        column!(students, new => new.study_form) as _,
        column!(students, new => new.schooling_half_years) as _,
        column!(students, new => new.site_id) as _,
        column!(students, new => new.class_id) as _,
        column!(students, new => new.enrolled_on) as _,
        column!(students, new => new.expected_graduation_on) as _,
        column!(students, new => new.max_study_end_on) as _,
        column!(students, new => new.status) as _,
        column!(students, new => new.status_reason) as _,
        column!(students, new => new.registered_on) as _,
        column!(students, new => new.register_result) as _,
        column!(students, new => new.free.total_score.map(tenths)) as _,
        column!(students, new => new.free.exam_category) as _,
        column!(students, new => new.source) as _,
        column!(students, new => new.free.remark.as_deref()) as _,
        column!(students, new => new.ended_on) as _
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(refused)
}

/// Somebody else was quicker than the check.
pub(super) fn refused(constraint: &str) -> Option<Error> {
    match constraint {
        "student_no_taken" => Some(Error::field("studentNo", "学号已存在")),
        "student_examinee_no_taken" => Some(Error::field("examineeNo", "考生号已存在")),
        // The class was moved between the look at it and the insert.
        "student_class_mismatch" => Some(Error::field("classId", "与班级的年级、层次、专业或站点不一致")),
        "student_id_card_active_taken" => Some(Error::field("idCardNo", active_already(None))),
        _ => None,
    }
}

/// Adds rows to the history.
async fn record(tx: &mut Tx, events: &[(i64, Event)]) -> Result<()> {
    let by = tx.by();
    sqlx::query!(
        "insert into student_status_change (student_id, kind, from_status, to_status, after, reason, effective_on,
                                            created_by, updated_by)
         select e.student_id, e.kind, e.from_status, e.to_status, e.after, e.reason, e.effective_on, $1, $1
         from unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::date[])
              with ordinality as e (student_id, kind, from_status, to_status, after, reason, effective_on, place)
         order by e.place",
        by,
        column!(events, event => event.0) as _,
        column!(events, event => event.1.kind) as _,
        column!(events, event => event.1.from) as _,
        column!(events, event => event.1.to) as _,
        column!(events, event => event.1.after.clone()) as _,
        column!(events, event => event.1.reason) as _,
        column!(events, event => event.1.on) as _
    )
    .execute(&mut **tx)
    .await?;
    Ok(())
}
