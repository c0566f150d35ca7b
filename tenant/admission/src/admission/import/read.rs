//! What a row of the authority's file says. What its data are is the register's basis: a number that fails its check is a problem
//! of the person, no error of the file (02 §6.4-5).

use std::collections::{BTreeMap, HashMap};

use admission_rules::major::major_of;
use chrono::NaiveDate;
use enrolment::{admitting::RecruitedMajor, batch::EnrollmentField};
use infra::sheet::Row;
use majors::major::StudyForm;
use serde::{Deserialize, Serialize};
use student_status::{
    enums::{ExamCategory, PreEduLevel},
    student::references::Word,
};

use super::{super::person::is_broken, maps::Reading};
use crate::{
    enums::AdmissionIssue,
    id_card::{self, Gender, IdCardType, Typed, age_at_entry, fold, normalise},
};

/// A total is at most 600, in tenths.
const MOST_POINTS: i64 = 6_000;

/// What the authority says of somebody. It goes into statements under the names of the columns, and is read as the trail has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all(deserialize = "camelCase"))]
pub(super) struct Taken {
    pub examinee_no: String,
    pub ticket_no: Option<String>,
    pub name: String,
    pub gender: String,
    pub birthday: NaiveDate,
    pub id_card_no: String,
    pub ethnicity: Option<String>,
    pub political_status: Option<String>,
    pub enrollment_major_id: i64,
    pub authority_major_code: String,
    pub authority_major_name: Option<String>,
    pub exam_category: Option<String>,
    /// Tenths of a point.
    pub total_score: Option<i32>,
    pub bonus_score: Option<i32>,
    pub scores: BTreeMap<String, i64>,
    pub pre_edu_level: Option<String>,
    pub pre_edu_school: Option<String>,
    pub pre_edu_graduated_on: Option<NaiveDate>,
    pub work_started_on: Option<NaiveDate>,
    pub admitted_on: Option<NaiveDate>,
    #[serde(rename(deserialize = "rawSecret"))]
    pub raw: BTreeMap<String, String>,
}

/// A row that was understood.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub row: u32,
    pub taken: Taken,
    pub major: RecruitedMajor,
    pub phone: Option<String>,
    pub address: Option<String>,
    pub postal_code: Option<String>,
    /// Of the file alone.
    pub issues: Vec<AdmissionIssue>,
    /// The site that the file names, where it is one of the school's.
    pub site: Option<i64>,
}

/// What rows are understood with.
#[derive(Debug)]
pub(super) struct Known {
    pub reading: Reading,
    /// By level and the authority's code, in upper case.
    pub majors: HashMap<(i64, String), RecruitedMajor>,
    /// By code and by name, in lower case.
    pub sites: HashMap<String, i64>,
    /// Values of the dictionary by themselves and by their labels.
    pub ethnicities: HashMap<String, String>,
    pub political: HashMap<String, String>,
    pub today: NaiveDate,
    pub enrolled_on: NaiveDate,
}

/// A dictionary as [`Known`] has it.
pub(super) fn by_value(words: &[Word]) -> HashMap<String, String> {
    words.iter().flat_map(|word| [&word.label, &word.value].map(|key| (key.clone(), word.value.clone()))).collect()
}

/// A row as it is read, field by field.
struct Fields<'r> {
    row: &'r mut Row,
    known: &'r Known,
}

impl Fields<'_> {
    fn column(&self, field: EnrollmentField) -> Option<String> {
        self.known.reading.column(field).map(ToOwned::to_owned)
    }

    /// The text of a field; none where the file has no such column, or the cell is empty.
    fn text(&mut self, field: EnrollmentField) -> Option<String> {
        let column = self.column(field)?;
        self.row.text(&column)
    }

    fn required(&mut self, field: EnrollmentField) -> Option<String> {
        let column = self.column(field)?;
        Some(self.row.required(&column)).filter(|text| !text.is_empty())
    }

    fn refuse(&mut self, field: EnrollmentField, message: impl Into<String>) {
        let column = self.column(field).unwrap_or_default();
        self.row.refuse_once(&column, message);
    }

    fn warn(&mut self, field: EnrollmentField, message: impl Into<String>) {
        let column = self.column(field).unwrap_or_default();
        self.row.warn(&column, message);
    }

    /// A text that is kept when it is short enough; the whole of it stands in the raw data.
    fn short(&mut self, field: EnrollmentField, most: usize) -> Option<String> {
        let text = self.text(field)?;
        if text.chars().count() <= most {
            return Some(text);
        }
        self.warn(field, format!("超过{most}个字符，只保留在原始数据中"));
        None
    }

    /// A day that is kept when it is one.
    fn day(&mut self, field: EnrollmentField) -> Option<NaiveDate> {
        let column = self.column(field)?;
        let text = self.row.peek(&column)?;
        // Of some days only the month is told: 201507.
        let month = (text.len() == 6).then(|| NaiveDate::parse_from_str(&format!("{text}01"), "%Y%m%d").ok());
        if let Some(Some(day)) = month {
            return Some(day);
        }
        // A day that nobody could mean is no error of the whole file.
        let day = self.row.peek_date(&column);
        if day.is_none() {
            self.warn(field, format!("“{text}”不是日期，只保留在原始数据中"));
        }
        day
    }

    /// Tenths of a point.
    fn points(&mut self, field: EnrollmentField) -> Option<i32> {
        let column = self.column(field)?;
        let points = self.row.decimal(&column, 1)?;
        match i32::try_from(points) {
            Ok(tenths) if (0..=MOST_POINTS).contains(&points) => Some(tenths),
            _ => {
                self.refuse(field, "分数应在0到600之间");
                None
            }
        }
    }

    /// What a code means by the batch's map.
    fn coded(&mut self, field: EnrollmentField) -> Option<(String, Option<String>)> {
        let code = self.text(field)?;
        let value = self.known.reading.value(field, &code).map(ToOwned::to_owned);
        Some((code, value))
    }

    fn examinee_no(&mut self) -> Option<String> {
        const FIELD: EnrollmentField = EnrollmentField::ExamineeNo;
        let column = self.column(FIELD)?;
        if self.row.is_number(&column) {
            self.refuse(FIELD, "考生号应为文本（可能丢失前导零）");
            return None;
        }
        let number = self.required(FIELD)?;
        if (8..=18).contains(&number.len()) && number.bytes().all(|sign| sign.is_ascii_alphanumeric()) {
            return Some(number);
        }
        self.refuse(FIELD, "考生号应为8至18位数字或字母");
        None
    }

    fn name(&mut self) -> Option<String> {
        let name = self.required(EnrollmentField::Name)?;
        if name.chars().count() <= 50 {
            return Some(name);
        }
        self.refuse(EnrollmentField::Name, "姓名不能超过50个字符");
        None
    }

    fn id_card_no(&mut self) -> Option<String> {
        let number = normalise(IdCardType::ResidentId, &self.required(EnrollmentField::IdCardNo)?);
        if number.chars().count() <= 20 {
            return Some(number);
        }
        self.refuse(EnrollmentField::IdCardNo, "身份证号不能超过20位");
        None
    }

    fn gender(&mut self) -> Option<Gender> {
        let code = self.required(EnrollmentField::Gender)?;
        let by_map = self.known.reading.value(EnrollmentField::Gender, &code).and_then(Gender::parse);
        let by_word = || Gender::CHOICES.iter().find(|(word, _)| *word == code).map(|(_, gender)| *gender);
        let gender = by_map.or_else(by_word);
        if gender.is_none() {
            self.refuse(EnrollmentField::Gender, format!("性别代码“{code}”未对应性别，请填写代码映射"));
        }
        gender
    }

    fn birthday(&mut self) -> Option<NaiveDate> {
        self.required(EnrollmentField::Birthday)?;
        let column = self.column(EnrollmentField::Birthday)?;
        self.row.date(&column)
    }

    /// Nothing is assumed of a level's code: a person said once for the batch what it means.
    fn level(&mut self) -> Option<i64> {
        let code = self.required(EnrollmentField::Level)?;
        let level = self.known.reading.value(EnrollmentField::Level, &code).and_then(|value| value.parse().ok());
        if level.is_none() {
            self.refuse(EnrollmentField::Level, format!("层次代码“{code}”未对应层次，请填写代码映射"));
        }
        level
    }

    fn study_form(&mut self) -> Option<StudyForm> {
        let (code, value) = self.coded(EnrollmentField::StudyForm)?;
        let by_word = || StudyForm::CHOICES.iter().find(|(word, _)| *word == code).map(|(_, form)| *form);
        let form = value.as_deref().and_then(StudyForm::parse).or_else(by_word);
        if form.is_none() {
            self.warn(EnrollmentField::StudyForm, format!("学习形式代码“{code}”未对应学习形式，按专业的学习形式"));
        }
        form
    }

    fn major(&mut self) -> Option<RecruitedMajor> {
        const FIELD: EnrollmentField = EnrollmentField::AuthorityCode;
        let code = self.required(FIELD);
        let (level, form) = (self.level(), self.study_form());
        let (code, level) = (code?, level?);
        match major_of(self.known.majors.get(&(level, code.to_uppercase())), form, &code) {
            Ok(major) => Some(major.clone()),
            Err(why) => {
                self.refuse(FIELD, why);
                None
            }
        }
    }

    /// 民族 of one digit lost its zero.
    fn ethnicity(&mut self) -> Option<String> {
        let (code, value) = self.coded(EnrollmentField::Ethnicity)?;
        let padded = value.unwrap_or_else(|| format!("{code:0>2}"));
        let word = self.known.ethnicities.get(&padded).cloned();
        self.of_dictionary(EnrollmentField::Ethnicity, &code, word)
    }

    fn political_status(&mut self) -> Option<String> {
        let (code, value) = self.coded(EnrollmentField::PoliticalStatus)?;
        let word = self.known.political.get(value.as_ref().unwrap_or(&code)).cloned();
        self.of_dictionary(EnrollmentField::PoliticalStatus, &code, word)
    }

    fn of_dictionary(&mut self, field: EnrollmentField, code: &str, word: Option<String>) -> Option<String> {
        if word.is_none() {
            self.warn(field, format!("“{code}”不是字典中的{}，只保留在原始数据中", field.zh()));
        }
        word
    }

    /// Whether the authority calls the major as the school does, and how long it lasts.
    fn compare(&mut self, major: &RecruitedMajor) {
        let named = self.text(EnrollmentField::AuthorityName);
        let ours = major.authority_name.as_deref().unwrap_or(&major.name);
        if let Some(named) = named.filter(|named| named != ours && *named != major.name) {
            self.warn(EnrollmentField::AuthorityName, format!("招办专业名称“{named}”与本批次的“{ours}”不同"));
        }
        let Some(column) = self.column(EnrollmentField::SchoolingYears) else { return };
        if self.row.peek(&column).is_none() {
            return;
        }
        if self.row.peek_decimal(&column, 1) != Some(major.schooling_years) {
            let ours = major.schooling_years as f64 / 10.0;
            self.warn(EnrollmentField::SchoolingYears, format!("学制与专业“{}”的{ours}年不同", major.name));
        }
    }

    fn scores(&mut self) -> BTreeMap<String, i64> {
        let columns = self.known.reading.scores.clone();
        let mut scores = BTreeMap::new();
        for column in columns {
            match (self.row.peek_decimal(&column, 1), self.row.peek(&column)) {
                (Some(points), _) => {
                    scores.insert(column, points);
                }
                (None, Some(text)) => self.row.warn(&column, format!("“{text}”不是分数，只保留在原始数据中")),
                (None, None) => {}
            }
        }
        scores
    }

    /// The site by its code or its name, and whether the file names one that is not here.
    fn site(&mut self) -> (Option<i64>, bool) {
        let Some(named) = self.text(EnrollmentField::Site) else { return (None, false) };
        let site = self.known.sites.get(&named.to_lowercase()).copied();
        (site, site.is_none())
    }
}

/// What a row says; none, with the reasons on the row, when it is wrong.
pub(super) fn read(row: &mut Row, known: &Known) -> Option<Read> {
    let raw: BTreeMap<String, String> = row.texts().map(|(column, text)| (column.to_owned(), text)).collect();
    let number = row.number();
    let mut fields = Fields { row, known };
    let (examinee_no, name, id_card_no) = (fields.examinee_no(), fields.name(), fields.id_card_no());
    let (gender, birthday, major) = (fields.gender(), fields.birthday(), fields.major());
    let total_score = fields.points(EnrollmentField::TotalScore);
    let bonus_score = fields.points(EnrollmentField::BonusScore);
    if !fields.row.errors().is_empty() {
        return None;
    }
    let (examinee_no, name, id_card_no) = (examinee_no?, name?, id_card_no?);
    let (gender, birthday, major) = (gender?, birthday?, major?);
    fields.compare(&major);
    let mut issues = Vec::new();
    let typed = Typed { birthday: Some(birthday), gender: Some(gender) };
    let card = id_card::check(IdCardType::ResidentId, &id_card_no, typed, known.today);
    let age = age_at_entry(birthday, known.enrolled_on);
    if card.is_err() || age.is_err() {
        issues.push(AdmissionIssue::IdChecksum);
        let why = card.err().or(age.err());
        fields.warn(EnrollmentField::IdCardNo, why.map_or_else(String::new, |why| why.to_string()));
    } else if let Ok(Some(young_or_old)) = age {
        fields.warn(EnrollmentField::Birthday, young_or_old.to_string());
    }
    if is_broken(&name) {
        issues.push(AdmissionIssue::NameDiffers);
        fields.warn(EnrollmentField::Name, "姓名中有缺字");
    }
    let (site, unknown) = fields.site();
    if unknown {
        issues.push(AdmissionIssue::SiteMissing);
    }
    let category = fields.coded(EnrollmentField::ExamCategory).and_then(|(code, value)| {
        let by_word = || ExamCategory::CHOICES.iter().find(|(word, _)| *word == code).map(|(_, category)| *category);
        value.as_deref().and_then(ExamCategory::parse).or_else(by_word)
    });
    let category = category.or(major.exam_category).map(|category| category.at(major.entry_level));
    let pre_edu = fields.coded(EnrollmentField::PreEduLevel).and_then(|(code, value)| {
        let by_word = || PreEduLevel::CHOICES.iter().find(|(word, _)| *word == code).map(|(_, level)| *level);
        value.as_deref().and_then(PreEduLevel::parse).or_else(by_word)
    });
    let taken = Taken {
        ticket_no: fields.short(EnrollmentField::TicketNo, 20).map(|number| fold(&number)),
        ethnicity: fields.ethnicity(),
        political_status: fields.political_status(),
        authority_major_code: fields.text(EnrollmentField::AuthorityCode).unwrap_or_default(),
        authority_major_name: fields.short(EnrollmentField::AuthorityName, 100),
        exam_category: category.map(|category| category.as_str().to_owned()),
        total_score,
        bonus_score,
        scores: fields.scores(),
        pre_edu_level: pre_edu.map(|level| level.as_str().to_owned()),
        pre_edu_school: fields.short(EnrollmentField::PreEduSchool, 100),
        pre_edu_graduated_on: fields.day(EnrollmentField::PreEduGraduatedOn),
        work_started_on: fields.day(EnrollmentField::WorkStartedOn),
        admitted_on: fields.day(EnrollmentField::AdmittedOn),
        enrollment_major_id: major.id,
        gender: gender.as_str().to_owned(),
        examinee_no,
        name,
        birthday,
        id_card_no,
        raw,
    };
    Some(Read {
        row: number,
        phone: fields.short(EnrollmentField::Phone, 20),
        address: fields.short(EnrollmentField::Address, 200),
        postal_code: fields.short(EnrollmentField::PostalCode, 6),
        taken,
        major,
        issues,
        site,
    })
}
