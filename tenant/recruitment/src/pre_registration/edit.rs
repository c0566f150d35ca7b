//! 编辑: what is typed of a person, again (02 §3). Who the person is changes until 网报, what they want to study until the
//! province has admitted them.

use infra::{Allowed, Body, Change, Error, OnConstraint, Reply, Result, Saved, Scope, Tx, mask, pinyin, reply};
use poem_openapi::OpenApi;
use serde_json::Value;

use super::{
    EditPreRegistration,
    check::{Door, Known, Person, check, is_usual},
    duplicates::{self, Common},
    files::{set_papers, set_photo},
    form::{AttachmentForm, PreRegistrationEdit, PreRegistrationForm},
    insert::refused,
    view::{PreRegistration, find, lock},
};
use crate::{
    enums::{ExamStatus, PreRegistrationStatus},
    id_card,
};

pub struct Edit;

#[OpenApi(prefix_path = "/adult/pc/preRegistration", tag = "crate::Tag::Recruitment")]
impl Edit {
    /// 编辑预报名
    #[oai(path = "/edit", method = "put", operation_id = "editPreRegistration")]
    async fn edit(
        &self,
        caller: Allowed<EditPreRegistration>,
        Body(edit): Body<PreRegistrationEdit>,
    ) -> Result<Reply<Saved>> {
        let mut tx = caller.begin().await?;
        let change = revise(&mut tx, &edit, &caller.scope()).await?;
        tx.commit(change).await?;
        Ok(reply(Saved { id: edit.id }))
    }
}

/// What staff typed of somebody, in the console or at a site.
///
/// # Errors
/// 404 beyond the scope; 409 for what may not be changed any more, or was since it was read; 422 for what is wrong.
pub(super) async fn revise(tx: &mut Tx, edit: &PreRegistrationEdit, scope: &Scope) -> Result<Change> {
    let before = lock(tx, edit.id, scope).await?;
    editable(&before)?;
    let form = whole(edit.form.clone(), &before);
    person_stays(&before, &form)?;
    let app = tx.app().clone();
    let known = Known::load(&app, tx, before.batch_id).await?;
    let form = asked(form, |key| known.fields.asks(key), &before);
    let person = check(&form, &known, scope, app.clock().today(), Some(&before), Door::Form).map_err(Error::fields)?;
    let common = common(tx, &known, &person, &before).await?;
    if !common.wrong.is_empty() {
        return Err(Error::fields(common.wrong));
    }
    store(tx, &before, edit, &person, &common).await?;
    changed(tx, &before).await
}

/// Writes the checked form with its files.
pub(super) async fn store(
    tx: &mut Tx,
    before: &PreRegistration,
    edit: &PreRegistrationEdit,
    person: &Person,
    common: &Common,
) -> Result<()> {
    update(tx, before, edit, person, common).await?;
    set_photo(tx, before.id, before.photo.as_deref(), person.form.photo.as_deref()).await?;
    set_papers(tx, before.id, &before.attachments, &person.form.attachments).await
}

/// The record of what became of a row; it may have left the scope with its site.
pub(super) async fn changed(tx: &mut Tx, before: &PreRegistration) -> Result<Change> {
    let (after, _) = find(tx, before.id, &Scope::whole_school()).await?;
    Ok(Change::edited("pre_registration", before.id, before, &after))
}

/// Whether anything of it may be changed.
///
/// # Errors
/// 409.
pub(super) fn editable(before: &PreRegistration) -> Result<()> {
    use PreRegistrationStatus::{Approved, Cancelled, Pending, Rejected, Returned};
    match (before.status, before.exam_status) {
        (_, ExamStatus::Admitted) => Err(Error::conflict("该人员已录取，预报名不能再修改")),
        (Pending | Returned | Approved, _) => Ok(()),
        (Rejected | Cancelled, _) => {
            Err(Error::conflict(format!("{}的预报名不能修改，请先恢复待审", before.status.zh())))
        }
    }
}

/// What came back masked was not typed.
pub(super) fn whole(typed: PreRegistrationForm, before: &PreRegistration) -> PreRegistrationForm {
    let number = mask::kept(Some(typed.id_card_no.clone()), Some(&before.id_card_no), mask::id_card);
    let phone = mask::kept(Some(typed.phone.clone()), Some(&before.phone), mask::phone);
    PreRegistrationForm {
        id_card_no: number.unwrap_or_default(),
        phone: phone.unwrap_or_default(),
        email: mask::kept(typed.email, before.email.as_deref(), mask::email),
        address: mask::kept(typed.address, before.address.as_deref(), mask::address),
        hukou_place: mask::kept(typed.hukou_place, before.hukou_place.as_deref(), mask::address),
        ..typed
    }
}

/// What the school asks for no more is neither shown nor written: it stays as it was (02 §1).
pub(super) fn asked(
    typed: PreRegistrationForm,
    asks: impl Fn(&str) -> bool,
    before: &PreRegistration,
) -> PreRegistrationForm {
    let kept = PreRegistrationForm::from(before);
    // The usual papers are one field; each of the school's own is one.
    let open = |paper: &AttachmentForm| asks(if is_usual(&paper.kind) { "attachments" } else { paper.kind.as_str() });
    let papers = typed.attachments.into_iter().filter(&open);
    let attachments = papers.chain(kept.attachments.into_iter().filter(|paper| !open(paper))).collect();
    macro_rules! unless_asked {
        ($($key:literal $field:ident),+) => {
            PreRegistrationForm { attachments, $($field: if asks($key) { typed.$field } else { kept.$field },)+ ..typed }
        };
    }
    unless_asked!(
        "birthday" birthday, "ethnicity" ethnicity, "politicalStatus" political_status, "email" email, "address" address,
        "postalCode" postal_code, "examCategory" exam_category, "preEduLevel" pre_edu_level,
        "preEduSchool" pre_edu_school, "preEduMajor" pre_edu_major, "preEduCertificateNo" pre_edu_certificate_no,
        "preEduGraduatedOn" pre_edu_graduated_on, "workUnit" work_unit, "occupation" occupation,
        "hukouPlace" hukou_place, "referrer" referrer, "photo" photo
    )
}

/// From 网报 on the province knows the person by these.
pub(super) fn person_stays(before: &PreRegistration, form: &PreRegistrationForm) -> Result<()> {
    let differs = before.name != form.name
        || before.id_card_type != form.id_card_type
        || before.id_card_no != form.id_card_no
        || form.gender.is_some_and(|gender| gender != before.gender)
        || (form.birthday.is_some() && form.birthday != before.birthday);
    match before.exam_status {
        ExamStatus::None => Ok(()),
        ExamStatus::Registered | ExamStatus::Admitted | ExamStatus::NotAdmitted if !differs => Ok(()),
        ExamStatus::Registered | ExamStatus::Admitted | ExamStatus::NotAdmitted => {
            Err(Error::conflict("该人员已网报，姓名、性别、出生日期和证件不能修改"))
        }
    }
}

/// Who has the same number or phone; a number that stays was looked for when it came.
pub(super) async fn common(tx: &mut Tx, known: &Known, person: &Person, before: &PreRegistration) -> Result<Common> {
    let now = tx.app().clock().now();
    let same = (person.form.id_card_type, &person.form.id_card_no) == (before.id_card_type, &before.id_card_no);
    if !same {
        id_card::hold(tx, &[&person.form.id_card_no]).await?;
    }
    let found = duplicates::look(tx, &known.offer, &[person], Some(before.id), now).await?.remove(0);
    if same {
        return Ok(Common { student: before.dup_student, phone: found.phone, ..Common::default() });
    }
    Ok(found)
}

/// 网报号 or 考生号 say that the person registered with the province; without both they did not yet.
fn exam_status(before: &PreRegistration, edit: &PreRegistrationEdit) -> ExamStatus {
    let numbered = edit.provincial_reg_no.is_some() || edit.examinee_no.is_some();
    match (before.exam_status, numbered) {
        (ExamStatus::None, true) => ExamStatus::Registered,
        (ExamStatus::Registered, false) => ExamStatus::None,
        (status, _) => status,
    }
}

async fn update(
    tx: &mut Tx,
    before: &PreRegistration,
    edit: &PreRegistrationEdit,
    person: &Person,
    common: &Common,
) -> Result<()> {
    let by = tx.by();
    let form = &person.form;
    let changed = sqlx::query!(
        "update pre_registration set name = $3, name_grams = $4, pinyin = $5, initials = $6, gender = $7, birthday = $8,
                ethnicity = $9, political_status = $10, id_card_type = $11, id_card_no = $12, phone = $13,
                phone_duplicate = $14, email = $15, address = $16, postal_code = $17, level_id = $18, major_id = $19,
                site_id = $20, study_form = $21, exam_category = $22, pre_edu_level = $23, pre_edu_school = $24,
                pre_edu_major = $25, pre_edu_certificate_no = $26, pre_edu_graduated_on = $27, work_unit = $28,
                occupation = $29, hukou_place = $30, referrer = $31, extra = $32, dup_student = $33,
                provincial_reg_no = $34, examinee_no = $35, exam_status = $36,
                updated_at = now(), updated_by = $37, version = version + 1
         where id = $1 and version = $2",
        before.id,
        edit.version,
        form.name,
        &pinyin::grams(&form.name),
        pinyin::pinyin(&form.name),
        pinyin::initials(&form.name),
        person.gender.as_str(),
        form.birthday,
        form.ethnicity,
        form.political_status,
        form.id_card_type.as_str(),
        form.id_card_no,
        form.phone,
        common.phone,
        form.email,
        form.address,
        form.postal_code,
        form.level_id,
        form.major_id,
        form.site_id,
        person.study_form.as_str(),
        form.exam_category as _,
        form.pre_edu_level as _,
        form.pre_edu_school,
        form.pre_edu_major,
        form.pre_edu_certificate_no,
        form.pre_edu_graduated_on,
        form.work_unit,
        form.occupation,
        form.hukou_place,
        form.referrer,
        Value::Object(person.extra.clone()),
        common.student,
        edit.provincial_reg_no,
        edit.examinee_no,
        exam_status(before, edit).as_str(),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(refused)?;
    if changed.rows_affected() == 0 { Err(tx.stale("pre_registration", before.id).await) } else { Ok(()) }
}
