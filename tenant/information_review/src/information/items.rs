//! 核对项: what the register says of a student, item by item, and what the student says to it (02 §11.1).

use chrono::NaiveDate;
use infra::{App, FieldError, Result, mask, naming::tidy};
use poem_openapi::Object;
use student_status::{
    id_card::{Gender, fold, normalise},
    student::{
        Student,
        correct::KeyFields,
        references::{Word, words},
    },
};

use crate::{
    content::{CheckedItem, ItemAnswer},
    enums::{InformationItem, InformationKind},
};

/// An item as it is shown beside what the register says.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct ItemShown {
    /// 核对项
    pub key: InformationItem,
    /// 名称
    pub label: String,
    /// 登记的信息
    pub registered: Option<String>,
    /// 无误
    /// 尚未核对时为空
    pub ok: Option<bool>,
    /// 应为
    pub declared: Option<String>,
    /// 应为的代码
    /// 性别、民族、政治面貌为代码
    pub declared_value: Option<String>,
    /// 已处理
    /// 无误，或登记的信息已与应为一致
    pub settled: bool,
}

/// The items of a group; 入学资格审查 has none.
pub(crate) fn of_kind(kind: InformationKind) -> &'static [InformationItem] {
    use InformationItem::{
        AdmissionPhoto, Birthday, EnrolledOn, Ethnicity, ExamineeNo, ExpectedGraduationOn, Gender, GraduationPhoto,
        IdCardNo, Level, Major, Name, PoliticalStatus, SchoolingYears, StudyForm,
    };
    match kind {
        InformationKind::AdmissionInformation => &[
            Name,
            Gender,
            Birthday,
            IdCardNo,
            Ethnicity,
            PoliticalStatus,
            ExamineeNo,
            Level,
            Major,
            StudyForm,
            SchoolingYears,
            EnrolledOn,
            AdmissionPhoto,
        ],
        InformationKind::AdmissionCommitment => &[],
        InformationKind::GraduationInformation => &[
            Name,
            Gender,
            Birthday,
            IdCardNo,
            Ethnicity,
            PoliticalStatus,
            ExamineeNo,
            Level,
            Major,
            StudyForm,
            SchoolingYears,
            EnrolledOn,
            ExpectedGraduationOn,
            GraduationPhoto,
        ],
    }
}

/// What the register says, as it is stored: codes of dictionaries, days as `2026-03-01`, of a picture whether there is one.
pub(crate) fn registered(student: &Student, item: InformationItem) -> Option<String> {
    let picture = |photo: Option<i64>| Some(if photo.is_some() { "有" } else { "无" }.to_owned());
    match item {
        InformationItem::Name => Some(student.name.clone()),
        InformationItem::Gender => student.gender.map(|gender| gender.as_str().to_owned()),
        InformationItem::Birthday => student.birthday.map(|day| day.to_string()),
        InformationItem::IdCardNo => Some(student.id_card_no.clone()),
        InformationItem::Ethnicity => student.ethnicity.clone(),
        InformationItem::PoliticalStatus => student.political_status.clone(),
        InformationItem::ExamineeNo => student.examinee_no.clone(),
        InformationItem::Level => Some(student.level_name.clone()),
        InformationItem::Major => Some(student.major_name.clone()),
        InformationItem::StudyForm => Some(student.study_form.zh().to_owned()),
        InformationItem::SchoolingYears => Some(student.schooling_years.to_string()),
        InformationItem::EnrolledOn => Some(student.enrolled_on.to_string()),
        InformationItem::AdmissionPhoto => picture(student.admission_photo_id),
        InformationItem::ExpectedGraduationOn => Some(student.expected_graduation_on.to_string()),
        InformationItem::GraduationPhoto => picture(student.graduation_photo_id),
    }
}

/// Pictures are wrong without anything that could be said in their place.
fn is_picture(item: InformationItem) -> bool {
    matches!(item, InformationItem::AdmissionPhoto | InformationItem::GraduationPhoto)
}

/// What the student says is right by now: nothing is wrong, the register says so meanwhile, or the approval itself writes it.
pub(crate) fn settled(student: &Student, item: &CheckedItem) -> bool {
    item.ok
        // No key field: the approval writes it (02 §0.4).
        || item.key == InformationItem::PoliticalStatus
        || (!is_picture(item.key) && item.declared.is_some() && registered(student, item.key) == item.declared)
}

/// The answers beside what the register says; what came back masked is what was said before, or what the register says.
///
/// # Errors
/// A sentence at `items` for each item that is not answered, or wrong without saying what is right.
pub(crate) fn answered(
    student: &Student,
    kind: InformationKind,
    answers: &[ItemAnswer],
    (before, political): (&[CheckedItem], &[Word]),
) -> Result<Vec<CheckedItem>, Vec<FieldError>> {
    let mut wrong = Vec::new();
    let mut at = |key: InformationItem, what: &str| {
        wrong.push(FieldError { field: "items".to_owned(), message: format!("{}{what}", key.zh()) });
    };
    let mut checked = Vec::new();
    for &key in of_kind(kind) {
        let Some(answer) = answers.iter().find(|answer| answer.key == key) else {
            at(key, "尚未核对");
            continue;
        };
        let item = told(student, answer, before);
        if !item.ok && !is_picture(key) {
            match item.declared.as_deref() {
                None => at(key, "有误时请填写正确的信息"),
                Some(text) if Some(text) == item.registered.as_deref() => at(key, "与登记的信息相同，请选择无误"),
                Some(text) if !reads(key, text, political) => at(key, "填写的格式不正确"),
                Some(_) => {}
            }
        }
        checked.push(item);
    }
    if wrong.is_empty() { Ok(checked) } else { Err(wrong) }
}

/// The answers of a draft, as far as they go.
pub(crate) fn noted(
    student: &Student,
    kind: InformationKind,
    answers: &[ItemAnswer],
    before: &[CheckedItem],
) -> Vec<CheckedItem> {
    let of_kind = of_kind(kind).iter();
    let given = of_kind.filter_map(|key| answers.iter().find(|answer| answer.key == *key));
    given.map(|answer| told(student, answer, before)).collect()
}

fn told(student: &Student, answer: &ItemAnswer, before: &[CheckedItem]) -> CheckedItem {
    let registered = registered(student, answer.key);
    let typed = answer.declared.as_deref().map(str::trim).filter(|text| !text.is_empty() && !answer.ok);
    let mut declared = typed.map(|text| match answer.key {
        InformationItem::Name => tidy(text),
        InformationItem::ExamineeNo => fold(text),
        _ => text.to_owned(),
    });
    if answer.key == InformationItem::IdCardNo {
        let said = before.iter().find(|item| item.key == answer.key).and_then(|item| item.declared.as_deref());
        declared = mask::kept(declared, said, mask::id_card);
        declared = mask::kept(declared, registered.as_deref(), mask::id_card);
        // As it would be stored, so that it is found corrected.
        declared =
            declared.map(|number| if number.contains('*') { number } else { normalise(student.id_card_type, &number) });
    }
    CheckedItem { key: answer.key, registered, ok: answer.ok, declared }
}

/// Whether what is said can be a value of the item.
fn reads(key: InformationItem, text: &str, political: &[Word]) -> bool {
    match key {
        InformationItem::PoliticalStatus => political.iter().any(|word| word.enabled && word.value == text),
        InformationItem::Name => (2..=50).contains(&text.chars().count()),
        InformationItem::IdCardNo => text.len() <= 40 && !text.contains('*'),
        InformationItem::Gender => Gender::parse(text).is_some(),
        InformationItem::Birthday | InformationItem::EnrolledOn | InformationItem::ExpectedGraduationOn => {
            text.parse::<NaiveDate>().is_ok()
        }
        InformationItem::ExamineeNo => {
            (4..=20).contains(&text.len())
                && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        }
        InformationItem::Ethnicity
        | InformationItem::Level
        | InformationItem::Major
        | InformationItem::StudyForm
        | InformationItem::SchoolingYears
        | InformationItem::AdmissionPhoto
        | InformationItem::GraduationPhoto => true,
    }
}

/// What is said in the place of a wrong item.
pub(crate) fn declared(checked: &[CheckedItem], key: InformationItem) -> Option<String> {
    checked.iter().find(|item| item.key == key && !item.ok).and_then(|item| item.declared.clone())
}

/// The key fields that the wrong items ask to have corrected; what no correction changes is not among them (02 §9.6).
pub(crate) fn corrections(checked: &[CheckedItem]) -> KeyFields {
    let said = |key: InformationItem| declared(checked, key);
    KeyFields {
        name: said(InformationItem::Name),
        gender: said(InformationItem::Gender).and_then(|word| Gender::parse(&word)),
        birthday: said(InformationItem::Birthday).and_then(|day| day.parse().ok()),
        ethnicity: said(InformationItem::Ethnicity),
        id_card_type: None,
        id_card_no: said(InformationItem::IdCardNo),
        examinee_no: said(InformationItem::ExamineeNo),
    }
}

/// The items of a form as people read them: what the register says now, and what was said to it.
///
/// # Errors
/// Those of the database.
pub(crate) async fn shown(
    app: &App,
    student: &Student,
    kind: InformationKind,
    stored: &[CheckedItem],
) -> Result<Vec<ItemShown>> {
    let (ethnicities, political) = words(app).await?;
    Ok(of_kind(kind).iter().map(|key| show(student, *key, stored, (&ethnicities, &political))).collect())
}

/// One item, with the words of 民族 and 政治面貌 at hand.
pub(crate) fn show(
    student: &Student,
    key: InformationItem,
    stored: &[CheckedItem],
    (ethnicities, political): (&[Word], &[Word]),
) -> ItemShown {
    let read = |value: Option<String>| {
        let value = value?;
        let words = match key {
            InformationItem::Ethnicity => ethnicities,
            InformationItem::PoliticalStatus => political,
            InformationItem::Gender => return Some(Gender::parse(&value).map_or(value, |word| word.zh().to_owned())),
            _ => return Some(value),
        };
        Some(words.iter().find(|word| word.value == value).map_or(value, |word| word.label.clone()))
    };
    let item = stored.iter().find(|item| item.key == key);
    ItemShown {
        key,
        label: key.zh().to_owned(),
        registered: read(registered(student, key)),
        ok: item.map(|item| item.ok),
        declared: item.and_then(|item| read(item.declared.clone())),
        declared_value: item.and_then(|item| item.declared.clone()),
        settled: item.is_some_and(|item| settled(student, item)),
    }
}
