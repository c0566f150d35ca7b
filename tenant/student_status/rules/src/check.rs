//! Whether a student may be entered: what the form says and what it refers to (02 §0.2–0.4, §9.1, §9.3, §9.7).

use chrono::NaiveDate;
use infra::{
    FieldError, Result, Scope,
    naming::{self, tidy},
};
use people::id_card::{self, IdCardType, Typed};

use crate::{
    dates,
    enums::{RegisterResult, StudentSource, StudentStatus, StudyForm},
    form::{FreeFields, StudentForm},
    new_student::{NewStudent, tenths},
    references::{ClassRef, References, Word},
};

/// Told of a row outside the caller's data scope (02 §0.6).
pub const NOT_YOURS: &str = "无权操作该数据";

/// A form as it will be stored, or everything that is wrong with it.
///
/// # Errors
/// One sentence for each wrong field, under the field's name on the wire.
pub fn check(
    form: &StudentForm,
    known: &References,
    scope: &Scope,
    today: NaiveDate,
) -> Result<NewStudent, Vec<FieldError>> {
    let mut wrong = Wrong::default();
    let person = person(form, known, today, &mut wrong);
    let dates = study_dates(form, known, scope, &mut wrong);
    let status = form.status.unwrap_or(StudentStatus::PendingRegistration);
    standing(form, status, today, &mut wrong);
    match (person, dates) {
        (Some(person), Some(dates)) if wrong.0.is_empty() => Ok(NewStudent {
            name: tidy(&form.name),
            gender: person.gender,
            birthday: person.birthday,
            ethnicity: form.ethnicity.clone(),
            id_card_type: form.id_card_type.unwrap_or(IdCardType::ResidentId),
            id_card_no: person.number,
            student_no: form.student_no.clone(),
            examinee_no: form.examinee_no.clone(),
            grade_id: form.grade_id,
            level_id: form.level_id,
            major_id: form.major_id,
            study_form: form.study_form,
            schooling_half_years: dates.half_years,
            site_id: form.site_id,
            class_id: form.class_id,
            enrolled_on: form.enrolled_on,
            expected_graduation_on: dates.expected_on,
            max_study_end_on: dates.longest_on,
            status,
            status_reason: form.status_reason,
            registered_on: form.registered_on,
            register_result: register_result(status, form.registered_on),
            ended_on: form.ended_on,
            source: form.source.unwrap_or(StudentSource::Legacy),
            account_enabled: account_enabled(status, form.ended_on, known.graduate_account_days, today),
            free: form.free.clone(),
        }),
        _ => Err(wrong.0),
    }
}

#[derive(Debug, Default)]
pub struct Wrong(pub Vec<FieldError>);

impl Wrong {
    pub fn at(&mut self, field: &str, message: impl Into<String>) {
        self.0.push(FieldError { field: field.to_owned(), message: message.into() });
    }

    fn switched_off(&mut self, field: &str, name: &str) {
        self.at(field, naming::is_switched_off(name));
    }
}

/// The number, birthday and gender; the age at entry; the words of the dictionaries; how to reach the person.
fn person(form: &StudentForm, known: &References, today: NaiveDate, wrong: &mut Wrong) -> Option<id_card::IdCard> {
    let said = Identity {
        name: &form.name,
        id_card_type: form.id_card_type.unwrap_or(IdCardType::ResidentId),
        id_card_no: &form.id_card_no,
        typed: Typed { birthday: form.birthday, gender: form.gender },
        ethnicity: form.ethnicity.as_deref(),
        enrolled_on: form.enrolled_on,
    };
    let (card, of_identity) = identity(&said, &known.ethnicities, today);
    wrong.0.extend(of_identity);
    word("politicalStatus", "政治面貌", form.free.political_status.as_deref(), &known.political, wrong);
    wrong.0.extend(free_wrong(&form.free));
    card
}

/// Who somebody is said to be, and when they began.
#[derive(Debug, Clone, Copy)]
pub struct Identity<'a> {
    pub name: &'a str,
    pub id_card_type: IdCardType,
    pub id_card_no: &'a str,
    /// What was typed beside the number.
    pub typed: Typed,
    pub ethnicity: Option<&'a str>,
    pub enrolled_on: NaiveDate,
}

/// The number with what it says, unless it is refused; and all that is wrong with the key fields of a person.
pub fn identity(
    said: &Identity<'_>,
    ethnicities: &[Word],
    today: NaiveDate,
) -> (Option<id_card::IdCard>, Vec<FieldError>) {
    let mut wrong = Wrong::default();
    if said.name.is_empty() {
        wrong.at("name", "姓名不能为空");
    }
    let card = match id_card::check(said.id_card_type, said.id_card_no, said.typed, today) {
        Ok(card) => Some(card),
        Err(error) => {
            wrong.at(error.field(), error.to_string());
            None
        }
    };
    if let Some(birthday) = card.as_ref().and_then(|card| card.birthday) {
        if birthday > today {
            wrong.at("birthday", "出生日期不能晚于今天");
        } else if let Err(error) = id_card::age_at_entry(birthday, said.enrolled_on) {
            wrong.at(error.field(), error.to_string());
        }
    }
    word("ethnicity", "民族", said.ethnicity, ethnicities, &mut wrong);
    (card, wrong.0)
}

/// What a form's schema cannot say of the free fields.
pub fn free_wrong(free: &FreeFields) -> Vec<FieldError> {
    let mut wrong = unmasked(free);
    // Tenths are not exact in a binary float, so `multiple_of` would refuse 187.3.
    if free.total_score.is_some_and(|score| (score * 10.0 - f64::from(tenths(score))).abs() > 1e-6) {
        wrong.push(FieldError { field: "totalScore".to_owned(), message: "入学总分最多一位小数".to_owned() });
    }
    wrong
}

/// A value with the stars of a mask that is not the mask of what is stored.
pub fn unmasked(free: &FreeFields) -> Vec<FieldError> {
    [
        ("phone", "手机", &free.phone, "*"),
        ("emergencyPhone", "紧急联系电话", &free.emergency_phone, "*"),
        ("email", "邮箱", &free.email, "***@"),
        ("address", "通讯地址", &free.address, "***"),
        ("hukouPlace", "户口所在地", &free.hukou_place, "***"),
    ]
    .into_iter()
    .filter(|(_, _, value, stars)| value.as_deref().is_some_and(|value| value.contains(stars)))
    .map(|(field, label, _, _)| FieldError {
        field: field.to_owned(),
        message: format!("{label}不完整，请填写完整内容"),
    })
    .collect()
}

/// A value of a dictionary must be there and not switched off.
fn word(field: &str, label: &str, value: Option<&str>, words: &[Word], wrong: &mut Wrong) {
    let Some(value) = value else { return };
    match words.iter().find(|word| word.value == value) {
        None => wrong.at(field, format!("{label}取值无效，请重新选择")),
        Some(word) if !word.enabled => wrong.switched_off(field, &word.label),
        Some(_) => {}
    }
}

pub fn political_status(value: Option<&str>, words: &[Word]) -> Vec<FieldError> {
    let mut wrong = Wrong::default();
    word("politicalStatus", "政治面貌", value, words, &mut wrong);
    wrong.0
}

/// What follows from where somebody studies.
struct StudyDates {
    half_years: i32,
    expected_on: NaiveDate,
    longest_on: NaiveDate,
}

/// What the enrolment refers to: all there, switched on, fitting each other, in the caller's scope; and its dates.
fn study_dates(form: &StudentForm, known: &References, scope: &Scope, wrong: &mut Wrong) -> Option<StudyDates> {
    let missing = |label: &str| format!("所选{label}不存在，请重新选择");
    let grade = known.grades.get(&form.grade_id);
    match grade {
        None => wrong.at("gradeId", missing("年级")),
        Some(grade) if !grade.enabled => wrong.switched_off("gradeId", &grade.name),
        Some(_) => {}
    }
    let level = known.levels.get(&form.level_id);
    match level {
        None => wrong.at("levelId", missing("层次")),
        Some(level) if !level.enabled => wrong.switched_off("levelId", &level.name),
        Some(_) => {}
    }
    let major = known.majors.get(&form.major_id);
    match major {
        None => wrong.at("majorId", missing("专业")),
        Some(major) if !major.enabled => wrong.switched_off("majorId", &major.name),
        Some(major) => {
            if let Some(level) = level.filter(|level| level.id != major.level_id) {
                wrong.at("majorId", format!("专业“{}”不属于层次“{}”", major.name, level.name));
            }
            if let Some(grade) = grade
                && !form_allowed(form.study_form, major.study_form, grade.entered.year)
            {
                wrong.at("studyForm", format!("学习形式与专业“{}”的{}不符", major.name, major.study_form.zh()));
            }
        }
    }
    match known.sites.get(&form.site_id) {
        None => wrong.at("siteId", missing("站点")),
        Some(_) if !scope.sees(Some(form.site_id), form.class_id) => wrong.at("siteId", NOT_YOURS),
        Some(site) if site.status != "active" => wrong.switched_off("siteId", &site.name),
        Some(_) => {}
    }
    if let Some(id) = form.class_id {
        match known.classes.get(&id) {
            None => wrong.at("classId", missing("班级")),
            Some(class) if !class.enabled => wrong.switched_off("classId", &class.name),
            Some(class) => {
                let own = [form.grade_id, form.level_id, form.major_id, form.site_id];
                wrong.0.extend(class_differs(class, own));
            }
        }
    }
    let half_years =
        term::half_years(form.schooling_years).filter(|half_years| term::schooling_years_allowed(*half_years));
    if half_years.is_none() {
        wrong.at("schoolingYears", "学制应为2至6年，且为0.5的倍数");
    }
    let (grade, level, half_years) = (grade?, level?, half_years?);
    let expected_on = dates::expected_graduation_on(grade.entered, half_years, known.graduate_dates);
    let longest_on = dates::max_study_end_on(form.enrolled_on, level.max_half_years, 0);
    match (expected_on, longest_on) {
        (Some(expected_on), Some(longest_on)) if expected_on > form.enrolled_on && longest_on > form.enrolled_on => {
            Some(StudyDates { half_years, expected_on, longest_on })
        }
        _ => {
            wrong.at("enrolledOn", format!("入学日期与年级“{}”不符", grade.name));
            None
        }
    }
}

/// A student studies in the form of the major, or, of a grade before 2026, in one of the two that were then replaced by
/// 非脱产 (00 §7).
fn form_allowed(own: StudyForm, of_major: StudyForm, entry_year: i32) -> bool {
    match own {
        StudyForm::Correspondence | StudyForm::PartTime => own == of_major || entry_year < 2026,
        StudyForm::NonFullTime | StudyForm::FullTime | StudyForm::Online => own == of_major,
    }
}

/// A class holds students of its own grade, level, major and site only (02 §9.5).
pub fn class_differs(class: &ClassRef, own: [i64; 4]) -> Option<FieldError> {
    place_differs(own, [class.grade_id, class.level_id, class.major_id, class.site_id])
        .map(|message| FieldError { field: "classId".to_owned(), message })
}

/// In which of grade, level, major and site a student differs from a class, in words.
pub fn place_differs(own: [i64; 4], of_class: [i64; 4]) -> Option<String> {
    let words: Vec<&str> = ["年级", "层次", "专业", "站点"]
        .into_iter()
        .zip(own.into_iter().zip(of_class))
        .filter(|(_, (own, other))| own != other)
        .map(|(word, _)| word)
        .collect();
    (!words.is_empty()).then(|| format!("与班级的{}不一致", words.join("、")))
}

/// Status, reason and dates must tell the same story.
fn standing(form: &StudentForm, status: StudentStatus, today: NaiveDate, wrong: &mut Wrong) {
    if form.source == Some(StudentSource::Report) {
        wrong.at("source", "来源只能是历史导入或转入，报到的学生由报到登记产生");
    }
    if form.status_reason.is_some() && status != StudentStatus::Withdrawn {
        wrong.at("statusReason", "只有退学的学生填写状态原因");
    }
    if status == StudentStatus::Withdrawn && form.class_id.is_some() {
        wrong.at("classId", "退学的学生不在班级中，请不要填写班级");
    }
    if let Some(on) = form.registered_on {
        if status == StudentStatus::PendingRegistration {
            wrong.at("registeredOn", "待注册的学生没有注册日期");
        } else if on < form.enrolled_on || on > today {
            wrong.at("registeredOn", "注册日期应在入学日期与今天之间");
        }
    }
    if let Some(on) = form.ended_on {
        if status.is_active() {
            wrong.at("endedOn", format!("{}的学生没有毕业日期", status.zh()));
        } else if on < form.enrolled_on || on > today {
            wrong.at("endedOn", "毕业日期应在入学日期与今天之间");
        }
    }
}

/// Who has left 待注册 was registered; who withdrew only when a date says so.
fn register_result(status: StudentStatus, registered_on: Option<NaiveDate>) -> RegisterResult {
    match status {
        StudentStatus::PendingRegistration => RegisterResult::None,
        StudentStatus::Withdrawn if registered_on.is_none() => RegisterResult::None,
        _ => RegisterResult::Accepted,
    }
}

/// Whether the new account is open: never of a withdrawn student, and of others who left only for some time after.
pub fn account_enabled(status: StudentStatus, ended_on: Option<NaiveDate>, days: i64, today: NaiveDate) -> bool {
    match status {
        StudentStatus::Withdrawn => false,
        status if status.is_active() => true,
        _ => ended_on.is_some_and(|on| (today - on).num_days() <= days),
    }
}

/// A person has one active enrolment (02 §0.2).
pub fn active_already(number: Option<&str>) -> String {
    format!("该人员为在籍学生（{}），不能重复建档", number.unwrap_or("学号未生成"))
}

#[cfg(test)]
pub(crate) mod tests;
