//! Whether a person may be entered so: the one check of 新增, 编辑 and 导入 (02 §0.3, §1, §3). What others have in common with
//! the person is looked for in [`super::duplicates`].

use std::borrow::Cow;

use chrono::NaiveDate;
use field_attributes::{
    enums::FieldStage,
    stage::{Given, StageFields},
};
use infra::{App, FieldError, Result, Scope, naming};
use recruitment_rules::name::{name, name_fits};
use serde_json::{Map, Value};
use sqlx::PgConnection;
use student_status::{
    enums::{PreEduLevel, StudyForm},
    student::{
        check::NOT_YOURS,
        references::{Word, words},
    },
};
use term::EntryLevel;

use super::{form::PreRegistrationForm, offer::Offer, view::PreRegistration};
use crate::{
    enums::AttachmentKind,
    id_card::{self, Gender, Typed},
};

/// What a form refers to, read once for it or for a whole sheet.
#[derive(Debug)]
pub(crate) struct Known {
    pub offer: Offer,
    pub fields: StageFields,
    pub ethnicities: Vec<Word>,
    pub political: Vec<Word>,
}

impl Known {
    /// # Errors
    /// 422 at `batchId` when there is no such batch.
    pub async fn load(app: &App, connection: &mut PgConnection, batch: i64) -> Result<Self> {
        let offer = Offer::load(connection, batch).await?;
        let fields = StageFields::load(app, connection, FieldStage::PreRegistration).await?;
        let (ethnicities, political) = words(app).await?;
        Ok(Self { offer, fields, ethnicities, political })
    }
}

/// A checked form with what follows from it.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub gender: Gender,
    /// Name and number as they are stored, gender and birthday as the number says.
    pub form: PreRegistrationForm,
    pub study_form: StudyForm,
    /// The school's own values as they are stored.
    pub extra: Map<String, Value>,
}

/// Where a form comes from: a sheet has no files, which come in later (02 §1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Form,
    Sheet,
}

/// A form as it will be stored, or everything that is wrong with it. What stays as it was `before` may be switched off
/// meanwhile.
///
/// # Errors
/// One sentence for each wrong field, under the field's name on the wire.
pub(crate) fn check(
    form: &PreRegistrationForm,
    known: &Known,
    scope: &Scope,
    today: NaiveDate,
    before: Option<&PreRegistration>,
    door: Door,
) -> Result<Person, Vec<FieldError>> {
    let mut wrong = Wrong::default();
    let mut form = form.clone();
    form.name = name(&form.name);
    if !name_fits(&form.name) {
        wrong.at("name", "姓名应为2至40个汉字或字母");
    }
    let gender = person(&mut form, known, today, &mut wrong);
    reachable(&form, &mut wrong);
    dictionaries(&form, known, before, &mut wrong);
    let study_form = place(&form, known, scope, before, &mut wrong);
    // What a number says of the person is not missed while the number is wrong.
    let derived = |field: &str| gender.is_none() && matches!(field, "gender" | "birthday");
    let to_come = |field: &str| door == Door::Sheet && known.fields.is_file(field);
    let told = known.fields.wrong(|key| given(&form, key)).into_iter();
    wrong.0.extend(told.filter(|told| !derived(&told.field) && !to_come(&told.field)));
    papers(&form, known, before, &mut wrong);
    let kept = before.map(|before| before.extra.clone().into_iter().collect()).unwrap_or_default();
    let extra = known.fields.own_values(&form.extra, &kept).map_err(|own| wrong.0.extend(own)).ok();
    match (gender, study_form, extra) {
        (Some(gender), Some(study_form), Some(extra)) if wrong.0.is_empty() => {
            Ok(Person { gender, form, study_form, extra })
        }
        _ => Err(wrong.0),
    }
}

/// What a form holds in a built-in field, or whether it has a file for one of the school's own.
pub(crate) fn given<'f>(form: &'f PreRegistrationForm, key: &str) -> Given<'f> {
    match key {
        "name" => Given::text(Some(&form.name)),
        "idCardNo" => Given::text(Some(&form.id_card_no)),
        "gender" => Given::some(form.gender),
        "birthday" => Given::some(form.birthday),
        "ethnicity" => Given::text(form.ethnicity.as_deref()),
        "politicalStatus" => Given::text(form.political_status.as_deref()),
        "phone" => Given::text(Some(&form.phone)),
        "email" => Given::text(form.email.as_deref()),
        "address" => Given::text(form.address.as_deref()),
        "postalCode" => Given::text(form.postal_code.as_deref()),
        "examCategory" => Given::some(form.exam_category),
        "preEduLevel" => Given::some(form.pre_edu_level),
        "preEduSchool" => Given::text(form.pre_edu_school.as_deref()),
        "preEduMajor" => Given::text(form.pre_edu_major.as_deref()),
        "preEduCertificateNo" => Given::text(form.pre_edu_certificate_no.as_deref()),
        "preEduGraduatedOn" => Given::some(form.pre_edu_graduated_on),
        "workUnit" => Given::text(form.work_unit.as_deref()),
        "occupation" => Given::text(form.occupation.as_deref()),
        "hukouPlace" => Given::text(form.hukou_place.as_deref()),
        "referrer" => Given::text(form.referrer.as_deref()),
        "photo" => Given::some(form.photo.as_ref()),
        "attachments" => Given::some(form.attachments.first()),
        // Always there: the schema of the body asks for them.
        "idCardType" | "levelId" | "majorId" | "siteId" => Given::Something,
        own => Given::some(form.attachments.iter().find(|paper| paper.kind == own)),
    }
}

#[derive(Debug, Default)]
struct Wrong(Vec<FieldError>);

impl Wrong {
    fn at(&mut self, field: &str, message: impl Into<String>) {
        self.0.push(FieldError { field: field.to_owned(), message: message.into() });
    }

    fn switched_off(&mut self, field: &str, name: &str) {
        self.at(field, naming::is_switched_off(name));
    }
}

/// The number, and what it says of the person; the age at entry.
fn person(form: &mut PreRegistrationForm, known: &Known, today: NaiveDate, wrong: &mut Wrong) -> Option<Gender> {
    let typed = Typed { birthday: form.birthday, gender: form.gender };
    let card = match id_card::check(form.id_card_type, &form.id_card_no, typed, today) {
        Ok(card) => card,
        Err(error) => {
            wrong.at(error.field(), error.to_string());
            return None;
        }
    };
    form.id_card_no = card.number;
    form.birthday = card.birthday;
    form.gender = card.gender;
    match (card.birthday, known.offer.entry_on) {
        (Some(birthday), _) if birthday > today => wrong.at("birthday", "出生日期不能晚于今天"),
        (Some(birthday), Some(entry_on)) => {
            if let Err(error) = id_card::age_at_entry(birthday, entry_on) {
                wrong.at(error.field(), error.to_string());
            }
        }
        _ => {}
    }
    if card.gender.is_none() {
        wrong.at("gender", "请选择性别");
    }
    card.gender
}

/// A value with the stars of a mask that is not the mask of what is stored.
fn reachable(form: &PreRegistrationForm, wrong: &mut Wrong) {
    let values = [
        ("phone", "手机", Some(&form.phone), "*"),
        ("email", "邮箱", form.email.as_ref(), "***@"),
        ("address", "通讯地址", form.address.as_ref(), "***"),
        ("hukouPlace", "户籍地", form.hukou_place.as_ref(), "***"),
    ];
    for (field, label, value, stars) in values {
        if value.is_some_and(|value| value.contains(stars)) {
            wrong.at(field, format!("{label}不完整，请填写完整内容"));
        }
    }
}

/// Values of dictionaries are there and not switched off.
fn dictionaries(form: &PreRegistrationForm, known: &Known, before: Option<&PreRegistration>, wrong: &mut Wrong) {
    let mut word = |field: &str, label: &str, value: Option<&str>, stays: Option<&str>, words: &[Word]| {
        let Some(value) = value.filter(|value| Some(*value) != stays) else { return };
        match words.iter().find(|word| word.value == value) {
            None => wrong.at(field, format!("{label}取值无效，请重新选择")),
            Some(word) if !word.enabled => wrong.switched_off(field, &word.label),
            Some(_) => {}
        }
    };
    let stays = before.and_then(|before| before.ethnicity.as_deref());
    word("ethnicity", "民族", form.ethnicity.as_deref(), stays, &known.ethnicities);
    let stays = before.and_then(|before| before.political_status.as_deref());
    word("politicalStatus", "政治面貌", form.political_status.as_deref(), stays, &known.political);
}

/// Level, major and site are in the batch's offer, fit each other, are switched on, and the site is the caller's. Answers
/// the major's study form.
fn place(
    form: &PreRegistrationForm,
    known: &Known,
    scope: &Scope,
    before: Option<&PreRegistration>,
    wrong: &mut Wrong,
) -> Option<StudyForm> {
    let offer = &known.offer;
    let level = offer.levels.get(&form.level_id);
    match level {
        None => wrong.at("levelId", format!("批次“{}”不招收该层次", offer.batch_name)),
        Some(level) if level.entry_level == EntryLevel::AssociateToBachelor => {
            // 专升本 asks for a diploma of 专科 at least.
            let enough = matches!(form.pre_edu_level, None | Some(PreEduLevel::Associate | PreEduLevel::Bachelor));
            if !enough {
                wrong.at("preEduLevel", "专升本的入学前学历应为专科或本科");
            }
        }
        Some(_) => {}
    }
    let major = offer.majors.get(&form.major_id);
    match major {
        None => wrong.at("majorId", format!("批次“{}”不招收该专业", offer.batch_name)),
        Some(major) if !major.enabled && before.is_none_or(|before| before.major_id != major.id) => {
            wrong.switched_off("majorId", &major.name);
        }
        Some(major) => {
            if let Some(level) = level.filter(|level| level.id != major.level_id) {
                wrong.at("majorId", format!("专业“{}”不属于层次“{}”", major.name, level.name));
            }
        }
    }
    if let Some(message) = site_wrong(form.site_id, form.major_id, offer, scope, before) {
        wrong.at("siteId", message);
    }
    major.map(|major| major.study_form)
}

/// Why nobody can be entered for this major at this site; none when they can.
pub(super) fn site_wrong(
    site: i64,
    major: i64,
    offer: &Offer,
    scope: &Scope,
    before: Option<&PreRegistration>,
) -> Option<Cow<'static, str>> {
    let stays = before.is_some_and(|before| before.site_id == site && before.major_id == major);
    match (offer.sites.get(&site), offer.majors.get(&major)) {
        (None, _) => Some("所选站点不存在，请重新选择".into()),
        (Some(_), _) if !scope.sees(Some(site), None) => Some(NOT_YOURS.into()),
        _ if stays => None,
        (Some(site), _) if !site.active => Some(naming::is_switched_off(&site.name).into()),
        (Some(site), Some(major)) if !offer.at(major, site.id) => {
            Some(format!("站点“{}”在本批次不招收“{}”", site.name, major.name).into())
        }
        (Some(_), _) => None,
    }
}

/// Papers are of the four kinds, or of a field of the school's own; what lies there already stays.
fn papers(form: &PreRegistrationForm, known: &Known, before: Option<&PreRegistration>, wrong: &mut Wrong) {
    for (index, paper) in form.attachments.iter().enumerate() {
        let there = |before: &PreRegistration| before.attachments.iter().any(|old| old.key == paper.key);
        if before.is_some_and(there) {
            continue;
        }
        if !is_usual(&paper.kind) && !known.fields.file_keys().any(|key| key == paper.kind) {
            wrong.at(&format!("attachments[{index}].kind"), "没有该材料字段或已停用，请刷新后重新上传");
        }
    }
}

/// Whether papers of a kind are those of every school, and no field of one school's own.
pub(super) fn is_usual(kind: &str) -> bool {
    AttachmentKind::CHOICES.iter().any(|(_, usual)| usual.as_str() == kind)
}
