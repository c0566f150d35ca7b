//! The only way in which a person comes into a batch (02 §3).

use infra::{Error, OnConstraint, Result, Tx, pinyin};
use recruitment_rules::phase::phase;
use serde_json::Value;

use super::{check::Person, duplicates::Common, offer::Offer};
use crate::enums::{BatchPhase, PersonSource, PreRegistrationStatus};

/// A checked person with what was found of others.
pub(super) struct Entry<'p> {
    pub person: &'p Person,
    pub common: &'p Common,
    /// Something that the stage asks for is still to come, so that somebody must look before they are approved.
    pub incomplete: bool,
}

/// One column of the new rows.
macro_rules! column {
    ($rows:ident, $row:ident => $value:expr) => {
        $rows.iter().map(|$row| $value).collect::<Vec<_>>()
    };
}

/// Whether anybody may still be entered here: staff may until the grade is switched off, also behind the batch's end and
/// when it was switched off (02 §2).
///
/// # Errors
/// 422 at `batchId`.
pub(super) fn open_to_staff(offer: &Offer) -> Result<()> {
    if !offer.grade_enabled {
        return Err(Error::field("batchId", format!("年级“{}”已停用，不能再报名", offer.grade_name)));
    }
    Ok(())
}

/// Whether people and sites may enter now: only while the batch is open (02 §2).
///
/// # Errors
/// 409.
pub(super) fn open_now(phase: BatchPhase) -> Result<()> {
    match phase {
        BatchPhase::Open => Ok(()),
        BatchPhase::NotStarted => Err(Error::conflict("预报名未开始")),
        BatchPhase::Ended => Err(Error::conflict("预报名已结束")),
        BatchPhase::Closed => Err(Error::conflict("预报名已停用")),
    }
}

/// The same for a batch that the site names.
///
/// # Errors
/// 409, and 422 at `batchId` when there is no such batch.
pub(super) async fn open_to_site(tx: &mut Tx, batch: i64) -> Result<()> {
    let now = tx.app().clock().now();
    let row = sqlx::query!("select enabled, starts_at, ends_at from pre_registration_batch where id = $1", batch)
        .fetch_optional(&mut **tx)
        .await?
        .ok_or_else(|| Error::field("batchId", "所选批次不存在，请重新选择"))?;
    open_now(phase(row.enabled, row.starts_at, row.ends_at, now))
}

/// Enters checked people; without an audit whoever is complete is approved on arrival. Answers their ids in the order of the rows.
///
/// # Errors
/// 422 when somebody entered the person, or the offer changed, since the check.
pub(super) async fn insert(
    tx: &mut Tx,
    offer: &Offer,
    entries: &[Entry<'_>],
    source: PersonSource,
) -> Result<Vec<i64>> {
    let by = tx.by();
    let status = |entry: &Entry<'_>| match offer.need_audit || entry.incomplete {
        true => PreRegistrationStatus::Pending,
        false => PreRegistrationStatus::Approved,
    };
    sqlx::query_scalar!(
        "insert into pre_registration (
             batch_id, grade_id, name, name_grams, pinyin, initials, gender, birthday, ethnicity, political_status,
             id_card_type, id_card_no, phone, phone_duplicate, email, address, postal_code, level_id, major_id, site_id,
             study_form, exam_category, pre_edu_level, pre_edu_school, pre_edu_major, pre_edu_certificate_no,
             pre_edu_graduated_on, work_unit, occupation, hukou_place, referrer, extra, dup_student, source, status,
             created_by, updated_by)
         select
             $2, $3, r.name, string_to_array(r.grams, ' '), r.pinyin, r.initials, r.gender, r.birthday, r.ethnicity,
             r.political_status, r.id_card_type, r.id_card_no, r.phone, r.phone_duplicate, r.email, r.address,
             r.postal_code, r.level_id, r.major_id, r.site_id, r.study_form, r.exam_category, r.pre_edu_level,
             r.pre_edu_school, r.pre_edu_major, r.pre_edu_certificate_no, r.pre_edu_graduated_on, r.work_unit,
             r.occupation, r.hukou_place, r.referrer, r.extra, r.dup_student, $4, r.status, $1, $1
         from unnest(
             $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::date[], $12::text[], $13::text[],
             $14::text[], $15::text[], $16::text[], $17::boolean[], $18::text[], $19::text[], $20::text[],
             $21::bigint[], $22::bigint[], $23::bigint[], $24::text[], $25::text[], $26::text[], $27::text[],
             $28::text[], $29::text[], $30::date[], $31::text[], $32::text[], $33::text[], $34::text[], $35::jsonb[],
             $36::boolean[], $5::text[]
         ) with ordinality as r (
             name, grams, pinyin, initials, gender, birthday, ethnicity, political_status, id_card_type, id_card_no,
             phone, phone_duplicate, email, address, postal_code, level_id, major_id, site_id, study_form,
             exam_category, pre_edu_level, pre_edu_school, pre_edu_major, pre_edu_certificate_no,
             pre_edu_graduated_on, work_unit, occupation, hukou_place, referrer, extra, dup_student, status, place)
         order by r.place
         returning id",
        by,
        offer.batch_id,
        offer.grade_id,
        source.as_str(),
        column!(entries, new => status(new).as_str()) as _,
        column!(entries, new => new.person.form.name.as_str()) as _,
        // No gram has a blank.
        column!(entries, new => pinyin::grams(&new.person.form.name).join(" ")) as _,
        column!(entries, new => pinyin::pinyin(&new.person.form.name)) as _,
        column!(entries, new => pinyin::initials(&new.person.form.name)) as _,
        column!(entries, new => new.person.gender) as _,
        column!(entries, new => new.person.form.birthday) as _,
        column!(entries, new => new.person.form.ethnicity.as_deref()) as _,
        column!(entries, new => new.person.form.political_status.as_deref()) as _,
        column!(entries, new => new.person.form.id_card_type) as _,
        column!(entries, new => new.person.form.id_card_no.as_str()) as _,
        column!(entries, new => new.person.form.phone.as_str()) as _,
        column!(entries, new => new.common.phone) as _,
        column!(entries, new => new.person.form.email.as_deref()) as _,
        column!(entries, new => new.person.form.address.as_deref()) as _,
        column!(entries, new => new.person.form.postal_code.as_deref()) as _,
        column!(entries, new => new.person.form.level_id) as _,
        column!(entries, new => new.person.form.major_id) as _,
        column!(entries, new => new.person.form.site_id) as _,
        column!(entries, new => new.person.study_form) as _,
        column!(entries, new => new.person.form.exam_category) as _,
        column!(entries, new => new.person.form.pre_edu_level) as _,
        column!(entries, new => new.person.form.pre_edu_school.as_deref()) as _,
        column!(entries, new => new.person.form.pre_edu_major.as_deref()) as _,
        column!(entries, new => new.person.form.pre_edu_certificate_no.as_deref()) as _,
        column!(entries, new => new.person.form.pre_edu_graduated_on) as _,
        column!(entries, new => new.person.form.work_unit.as_deref()) as _,
        column!(entries, new => new.person.form.occupation.as_deref()) as _,
        column!(entries, new => new.person.form.hukou_place.as_deref()) as _,
        column!(entries, new => new.person.form.referrer.as_deref()) as _,
        column!(entries, new => Value::Object(new.person.extra.clone())) as _,
        column!(entries, new => new.common.student) as _
    )
    .fetch_all(&mut **tx)
    .await
    .on_constraint(refused)
}

/// Somebody else was quicker than the check.
pub(super) fn refused(constraint: &str) -> Option<Error> {
    let (field, message) = match constraint {
        "pre_registration_id_card_taken" => ("idCardNo", "该证件号在本批次已有预报名"),
        "pre_registration_examinee_no_taken" => ("examineeNo", "考生号已被本批次其他人使用"),
        "pre_registration_provincial_reg_no_taken" => ("provincialRegNo", "网报号已被本批次其他人使用"),
        "pre_registration_not_offered" | "pre_registration_major_not_of_level" => {
            ("majorId", "本批次已不招收该专业，请重新选择")
        }
        "pre_registration_level_of_batch" => ("levelId", "本批次已不招收该层次，请重新选择"),
        _ => return None,
    };
    Some(Error::field(field, message))
}
