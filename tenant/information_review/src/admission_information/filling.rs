//! What 学籍注册信息核对 asks for (02 §11.1).

use field_attributes::{
    enums::FieldStage,
    stage::{Given, StageFields},
};
use information_review_rules::resume::{gaps, resume_wrong};
use infra::{Error, FieldError, Result, Tx, mask};
use student_status::student::{Student, references::words};

use crate::{
    content::{AdmissionInformationContent, AdmissionInformationForm},
    enums::InformationKind,
    information::{
        held::Form,
        items,
        locked::Locked,
        submit::{Filled, Hand, own_file, own_values, stored, whole},
    },
};

const KIND: InformationKind = InformationKind::AdmissionInformation;

/// The form as it is stored; complete, where it is handed in.
///
/// # Errors
/// 422 at each field that is missing or wrong.
pub(super) async fn filled(
    tx: &mut Tx,
    form: AdmissionInformationForm,
    (before, student): (&Form, &Student),
    hand: Hand<'_>,
) -> Result<Filled> {
    let app = tx.app().clone();
    let fields = StageFields::load(&app, tx, FieldStage::AdmissionInformation).await?;
    let former: AdmissionInformationContent = before.content()?;
    let mut wrong = Vec::new();
    let items = if form.submit {
        let (_, political) = words(&app).await?;
        items::answered(student, KIND, &form.items, (&former.items, &political)).unwrap_or_else(|told| {
            wrong.extend(told);
            Vec::new()
        })
    } else {
        items::noted(student, KIND, &form.items, &former.items)
    };
    let locked = Locked::of(&fields, hand);
    let typed = locked.extra(form.extra.clone(), &former.extra);
    let files = locked.files(tx, before.id, &form.files).await?;
    let photo = form.enrol_photo.clone().filter(|_| !locked.holds("enrolPhoto"));
    let extra = own_values(&fields, typed, &former.extra, form.submit).unwrap_or_else(|told| {
        wrong.extend(told);
        former.extra.clone()
    });
    let contact = contact(&form, &former, student, (&fields, &locked));
    let content = AdmissionInformationContent { items: items.clone(), extra, ..contact };
    wrong.extend(masked(&content));
    wrong.extend(resume_wrong(&content.resume));
    if form.submit {
        let photographed = photo.is_some() || before.photo_id.or(student.enrol_photo_id).is_some();
        wrong.extend(fields.wrong(|key| match key {
            "phone" => Given::text(content.phone.as_deref()),
            "email" => Given::text(content.email.as_deref()),
            "address" => Given::text(content.address.as_deref()),
            "postalCode" => Given::text(content.postal_code.as_deref()),
            "workUnit" => Given::text(content.work_unit.as_deref()),
            "occupation" => Given::text(content.occupation.as_deref()),
            "nativePlace" => Given::text(content.native_place.as_deref()),
            "emergencyContact" => Given::text(content.emergency_contact.as_deref()),
            "emergencyPhone" => Given::text(content.emergency_phone.as_deref()),
            "resume" => Given::some(content.resume.first()),
            "enrolPhoto" => Given::some(photographed.then_some(())),
            own => own_file(&files, own),
        }));
    }
    if !wrong.is_empty() {
        return Err(Error::fields(wrong));
    }
    let warnings = gaps(&content.resume, app.clock().today());
    Ok(Filled {
        submit: form.submit,
        content: stored(&content),
        items,
        files,
        signature: form.signature,
        photo,
        evidence: form.evidence,
        warnings,
        ..Filled::default()
    })
}

/// How to reach the person, and the résumé. What the school does not ask for stays; what a student may not change is as the
/// register has it.
fn contact(
    form: &AdmissionInformationForm,
    former: &AdmissionInformationContent,
    student: &Student,
    (fields, locked): (&StageFields, &Locked<'_>),
) -> AdmissionInformationContent {
    let said =
        |key: &str, typed: &Option<String>, former: &Option<String>, own: &Option<String>, mask: fn(&str) -> String| {
            if !fields.asks(key) {
                former.clone()
            } else if locked.holds(key) {
                own.clone()
            } else {
                whole(typed.clone(), former.as_deref(), own.as_deref(), mask).filter(|text| !text.trim().is_empty())
            }
        };
    let plain: fn(&str) -> String = ToOwned::to_owned;
    AdmissionInformationContent {
        phone: said("phone", &form.phone, &former.phone, &student.phone, mask::phone),
        email: said("email", &form.email, &former.email, &student.email, mask::email),
        address: said("address", &form.address, &former.address, &student.address, mask::address),
        postal_code: said("postalCode", &form.postal_code, &former.postal_code, &student.postal_code, plain),
        work_unit: said("workUnit", &form.work_unit, &former.work_unit, &student.work_unit, plain),
        occupation: said("occupation", &form.occupation, &former.occupation, &student.occupation, plain),
        native_place: said("nativePlace", &form.native_place, &former.native_place, &student.native_place, plain),
        emergency_contact: said(
            "emergencyContact",
            &form.emergency_contact,
            &former.emergency_contact,
            &student.emergency_contact,
            plain,
        ),
        emergency_phone: said(
            "emergencyPhone",
            &form.emergency_phone,
            &former.emergency_phone,
            &student.emergency_phone,
            mask::phone,
        ),
        resume: if locked.asks("resume") { form.resume.clone() } else { former.resume.clone() },
        ..AdmissionInformationContent::default()
    }
}

/// Values with the stars of a mask that is not the mask of what is stored.
fn masked(content: &AdmissionInformationContent) -> Vec<FieldError> {
    [
        ("phone", "手机", &content.phone, "*"),
        ("emergencyPhone", "紧急联系电话", &content.emergency_phone, "*"),
        ("email", "邮箱", &content.email, "***"),
        ("address", "通讯地址", &content.address, "***"),
    ]
    .into_iter()
    .filter(|(_, _, value, stars)| value.as_deref().is_some_and(|value| value.contains(stars)))
    .map(|(field, label, _, _)| FieldError { field: field.to_owned(), message: format!("请填写完整的{label}") })
    .collect()
}
