//! What 毕业登记 asks for (02 §11.1).

use field_attributes::{
    enums::FieldStage,
    stage::{Given, StageFields},
};
use information_review_rules::{
    assessment::too_short,
    resume::{gaps, resume_wrong},
};
use infra::{Error, FieldError, Result, Tx, mask};
use student_status::student::{Student, references::words};

use crate::{
    content::{GraduationInformationContent, GraduationInformationForm},
    enums::InformationKind,
    information::{
        held::Form,
        items,
        locked::Locked,
        submit::{Filled, Hand, own_file, own_values, stored, whole},
    },
};

const KIND: InformationKind = InformationKind::GraduationInformation;

/// The form as it is stored; complete, where it is handed in.
///
/// # Errors
/// 422 at each field that is missing or wrong.
pub(super) async fn filled(
    tx: &mut Tx,
    form: GraduationInformationForm,
    (before, student): (&Form, &Student),
    hand: Hand<'_>,
) -> Result<Filled> {
    let app = tx.app().clone();
    let fields = StageFields::load(&app, tx, FieldStage::GraduationInformation).await?;
    let former: GraduationInformationContent = before.content()?;
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
    let extra = own_values(&fields, typed, &former.extra, form.submit).unwrap_or_else(|told| {
        wrong.extend(told);
        former.extra.clone()
    });
    let said = |key: &str, typed: &Option<String>, former: &Option<String>| {
        if locked.asks(key) { typed.clone().filter(|text| !text.trim().is_empty()) } else { former.clone() }
    };
    let contact_after = whole(
        said("contactAfter", &form.contact_after, &former.contact_after),
        former.contact_after.as_deref(),
        None,
        |text| mask::shapes(text).into_owned(),
    );
    if contact_after.as_deref().is_some_and(|text| text.contains("**")) {
        wrong.push(FieldError {
            field: "contactAfter".to_owned(), message: "请填写完整的毕业后联系方式".to_owned()
        });
    }
    let content = GraduationInformationContent {
        items: items.clone(),
        resume: if locked.asks("resume") { form.resume.clone() } else { former.resume.clone() },
        family: if locked.asks("family") { form.family.clone() } else { former.family.clone() },
        self_assessment: said("selfAssessment", &form.self_assessment, &former.self_assessment),
        practice: said("practice", &form.practice, &former.practice),
        thesis_title: said("thesisTitle", &form.thesis_title, &former.thesis_title),
        rewards: said("rewards", &form.rewards, &former.rewards),
        punishments: said("punishments", &form.punishments, &former.punishments),
        contact_after,
        extra,
    };
    wrong.extend(resume_wrong(&content.resume));
    if form.submit {
        wrong.extend(fields.wrong(|key| match key {
            "resume" => Given::some(content.resume.first()),
            "family" => Given::some(content.family.first()),
            "selfAssessment" => Given::text(content.self_assessment.as_deref()),
            "practice" => Given::text(content.practice.as_deref()),
            "thesisTitle" => Given::text(content.thesis_title.as_deref()),
            "rewards" => Given::text(content.rewards.as_deref()),
            "punishments" => Given::text(content.punishments.as_deref()),
            "contactAfter" => Given::text(content.contact_after.as_deref()),
            own => own_file(&files, own),
        }));
        wrong.extend(too_short(content.self_assessment.as_deref()));
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
        warnings,
        ..Filled::default()
    })
}
