//! A line of the file of new students, in the order and the widths that 学信网 takes, and why somebody has none (02 §14.2).

use chrono::NaiveDate;
use infra::sheet::dbf::{DbfColumn, width_of};
use people::id_card::Gender;
use student_status::enums::StudyForm;

const fn column(name: &'static str, width: u8) -> DbfColumn {
    DbfColumn { name, width }
}

/// The columns; widths in bytes of GB18030.
pub(crate) const COLUMNS: [DbfColumn; 18] = [
    column("KSH", 18),
    column("XH", 15),
    column("XM", 40),
    column("XB", 2),
    column("CSRQ", 8),
    column("SFZH", 18),
    column("ZZMM", 16),
    column("MZ", 24),
    column("ZYDM", 6),
    column("ZYMC", 50),
    column("FY", 24),
    column("XSH", 24),
    column("BH", 24),
    column("CC", 12),
    column("XXXS", 10),
    column("XZ", 3),
    column("RXRQ", 8),
    column("YJBYRQ", 8),
];

/// What the columns are called among people.
pub(crate) const NAMES: [&str; 18] = [
    "考生号",
    "学号",
    "姓名",
    "性别",
    "出生日期",
    "身份证号",
    "政治面貌",
    "民族",
    "专业代码",
    "专业名称",
    "分院",
    "系所函",
    "班号",
    "层次",
    "学习形式",
    "学制",
    "入学日期",
    "预计毕业日期",
];

/// The column of 学号, which a school may let be longer.
const NUMBER: usize = 1;

/// The columns of the site and of the class.
pub(crate) const SITE: usize = 11;
pub(crate) const CLASS: usize = 12;

/// A name, or the shorter one by which the same is known where the name is too wide for its column.
pub(crate) fn fitting(column: usize, name: String, shorter: Option<String>) -> String {
    let fits = |text: &str| COLUMNS.get(column).is_some_and(|column| width_of(text) <= usize::from(column.width));
    if fits(&name) { name } else { shorter.filter(|text| !text.is_empty() && fits(text)).unwrap_or(name) }
}

/// The columns for these lines: that of 学号 as wide as the longest, where a school lets them be longer.
pub(crate) fn wide_enough(lines: &[Vec<String>]) -> [DbfColumn; 18] {
    let mut columns = COLUMNS;
    let longest = lines.iter().filter_map(|line| line.get(NUMBER)).map(|number| width_of(number)).max().unwrap_or(0);
    let number = &mut columns[NUMBER];
    number.width = number.width.max(u8::try_from(longest).unwrap_or(u8::MAX));
    columns
}

/// What the authority admitted somebody with.
#[derive(Debug, Clone)]
pub(crate) struct Admitted {
    pub name: String,
    pub gender: Option<Gender>,
    pub birthday: Option<NaiveDate>,
    pub id_card_no: String,
    pub major_id: i64,
    pub level_id: i64,
    pub study_form: StudyForm,
    pub schooling_years: f64,
}

/// Somebody who waits for registration, with all that the file says of them.
#[derive(Debug, Clone)]
pub(crate) struct Waiting {
    pub id: i64,
    pub examinee_no: Option<String>,
    pub student_no: Option<String>,
    pub name: String,
    pub gender: Option<Gender>,
    pub birthday: Option<NaiveDate>,
    pub id_card_no: String,
    /// As people read them.
    pub political_status: Option<String>,
    pub ethnicity: Option<String>,
    pub major_id: i64,
    pub national_code: String,
    pub major_name: String,
    pub organization_name: Option<String>,
    pub site_name: String,
    pub class_name: Option<String>,
    pub level_id: i64,
    /// As 学信网 calls it.
    pub level: String,
    pub study_form: StudyForm,
    pub schooling_years: f64,
    pub enrolled_on: NaiveDate,
    pub expected_graduation_on: NaiveDate,
    pub pictured: bool,
    pub information_approved: bool,
    pub commitment_approved: bool,
    /// 审查结论不合格, or 前置学历清查未通过.
    pub unqualified: bool,
    /// None for who was not admitted here: transferred, or entered from old papers.
    pub admitted: Option<Admitted>,
    /// Fields that an approved correction changed.
    pub corrected: Vec<String>,
}

/// What a school asks for before somebody is sent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub commitment: bool,
    pub short_numbers: bool,
}

impl Waiting {
    /// The values of the columns.
    pub fn values(&self) -> Vec<String> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let day = |day: NaiveDate| day.format("%Y%m%d").to_string();
        vec![
            text(&self.examinee_no),
            text(&self.student_no),
            self.name.clone(),
            self.gender.map_or_else(String::new, |gender| gender.zh().to_owned()),
            self.birthday.map(day).unwrap_or_default(),
            self.id_card_no.clone(),
            text(&self.political_status),
            text(&self.ethnicity),
            self.national_code.clone(),
            self.major_name.clone(),
            text(&self.organization_name),
            self.site_name.clone(),
            text(&self.class_name),
            self.level.clone(),
            self.study_form.zh().to_owned(),
            self.schooling_years.to_string(),
            day(self.enrolled_on),
            day(self.expected_graduation_on),
        ]
    }

    /// Everything for which the student is not sent; none: they are.
    pub fn reasons(&self, values: &[String], asked: Asked) -> Vec<String> {
        let mut reasons: Vec<String> = [
            (self.examinee_no.is_none(), "没有考生号"),
            (self.student_no.is_none(), "没有学号"),
            (!self.pictured, "没有照片"),
            (!self.information_approved, "学籍注册信息未审核通过"),
            (asked.commitment && !self.commitment_approved, "入学资格审查未审核通过"),
            (self.unqualified, "入学资格审查不合格"),
        ]
        .into_iter()
        .filter(|(wrong, _)| *wrong)
        .map(|(_, reason)| reason.to_owned())
        .collect();
        for (place, ((column, name), value)) in COLUMNS.iter().zip(NAMES).zip(values).enumerate() {
            let wide = width_of(value);
            if wide <= usize::from(column.width) {
                continue;
            }
            match (place == NUMBER, asked.short_numbers) {
                (true, true) => reasons.push(format!("学号超过{}位", column.width)),
                (true, false) => {}
                (false, _) => reasons.push(format!("{name}超过{}字节（现为{wide}字节）", column.width)),
            }
        }
        let differs = self.differs();
        if !differs.is_empty() {
            reasons.push(format!("与录取数据不一致：{}", differs.join("、")));
        }
        reasons
    }

    /// What is otherwise than the authority admitted, and no correction explains.
    fn differs(&self) -> Vec<&'static str> {
        let Some(admitted) = &self.admitted else { return Vec::new() };
        // A new number brings its birthday and gender along.
        let explained = |field: &str| self.corrected.iter().any(|name| name == field);
        [
            (self.name != admitted.name && !explained("name"), "姓名"),
            (self.gender != admitted.gender && !explained("gender"), "性别"),
            (self.birthday != admitted.birthday && !explained("birthday"), "出生日期"),
            (self.id_card_no != admitted.id_card_no && !explained("idCardNo"), "身份证号"),
            (self.major_id != admitted.major_id, "专业"),
            (self.level_id != admitted.level_id, "层次"),
            (self.study_form != admitted.study_form, "学习形式"),
            ((self.schooling_years - admitted.schooling_years).abs() > 0.01, "学制"),
        ]
        .into_iter()
        .filter(|(differs, _)| *differs)
        .map(|(_, name)| name)
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting() -> Waiting {
        let (birthday, gender) = ("1999-03-07".parse().ok(), Some(Gender::Female));
        Waiting {
            id: 1,
            examinee_no: Some("26420101150001".to_owned()),
            student_no: Some("26304120070023".to_owned()),
            name: "张晓玫".to_owned(),
            gender,
            birthday,
            id_card_no: "420106199903074521".to_owned(),
            political_status: Some("群众".to_owned()),
            ethnicity: Some("汉族".to_owned()),
            major_id: 1,
            national_code: "120203".to_owned(),
            major_name: "会计学".to_owned(),
            organization_name: Some("继续教育学院".to_owned()),
            site_name: "城东站".to_owned(),
            class_name: Some("2026级会计学1班".to_owned()),
            level_id: 1,
            level: "专升本".to_owned(),
            study_form: StudyForm::NonFullTime,
            schooling_years: 2.5,
            enrolled_on: "2026-03-01".parse().expect("a day"),
            expected_graduation_on: "2028-07-10".parse().expect("a day"),
            pictured: true,
            information_approved: true,
            commitment_approved: true,
            unqualified: false,
            admitted: Some(Admitted {
                name: "张晓玫".to_owned(),
                gender,
                birthday,
                id_card_no: "420106199903074521".to_owned(),
                major_id: 1,
                level_id: 1,
                study_form: StudyForm::NonFullTime,
                schooling_years: 2.5,
            }),
            corrected: Vec::new(),
        }
    }

    const ASKED: Asked = Asked { commitment: true, short_numbers: true };

    fn told(change: impl FnOnce(&mut Waiting), asked: Asked) -> Vec<String> {
        let mut one = waiting();
        change(&mut one);
        one.reasons(&one.values(), asked)
    }

    #[test]
    fn a_line_is_as_the_register_takes_it() {
        let line = waiting().values();
        assert_eq!(
            line[..8],
            ["26420101150001", "26304120070023", "张晓玫", "女", "19990307", "420106199903074521", "群众", "汉族"]
        );
        assert_eq!(line[8..13], ["120203", "会计学", "继续教育学院", "城东站", "2026级会计学1班"]);
        assert_eq!(line[13..], ["专升本", "非脱产", "2.5", "20260301", "20280710"]);
        assert_eq!(Waiting { schooling_years: 5.0, ..waiting() }.values()[15], "5");
    }

    #[test]
    fn who_lacks_something_is_not_sent() {
        assert!(told(|_| {}, ASKED).is_empty());
        assert_eq!(told(|one| one.student_no = None, ASKED), ["没有学号"]);
        assert_eq!(told(|one| one.information_approved = false, ASKED), ["学籍注册信息未审核通过"]);
        assert_eq!(told(|one| one.commitment_approved = false, ASKED), ["入学资格审查未审核通过"]);
        assert!(told(|one| one.commitment_approved = false, Asked { commitment: false, ..ASKED }).is_empty());
    }

    #[test]
    fn nothing_is_cut() {
        let long = |one: &mut Waiting| one.student_no = Some("2630412007002300".to_owned());
        assert_eq!(told(long, ASKED), ["学号超过15位"]);
        assert!(told(long, Asked { short_numbers: false, ..ASKED }).is_empty());
        let class = |one: &mut Waiting| one.class_name = Some("二零二六级会计学专升本一班".to_owned());
        assert_eq!(told(class, ASKED), ["班号超过24字节（现为26字节）"]);
        let rare = |one: &mut Waiting| one.class_name = Some("㐂㐂㐂㐂㐂㐂㐂".to_owned());
        assert_eq!(told(rare, ASKED), ["班号超过24字节（现为28字节）"]);
    }

    #[test]
    fn the_column_of_long_numbers_is_wider() {
        let line = |number: &str| vec![String::new(), number.to_owned()];
        assert_eq!(wide_enough(&[line("26304120070023")])[NUMBER].width, 15);
        assert_eq!(wide_enough(&[line("26"), line("26304120070023001")])[NUMBER].width, 17);
    }

    #[test]
    fn a_class_with_a_long_name_goes_by_its_code() {
        let of = |name: &str| fitting(CLASS, name.to_owned(), Some("2026KJ01".to_owned()));
        assert_eq!(of("2026级会计学1班"), "2026级会计学1班");
        assert_eq!(of("2026级专升本会计学城东1班"), "2026KJ01");
        assert_eq!((COLUMNS[SITE].name, COLUMNS[CLASS].name), ("XSH", "BH"));
        assert_eq!(fitting(SITE, "华".repeat(13), None), "华".repeat(13), "never cut");
    }

    #[test]
    fn who_differs_from_the_admission_is_not_sent_unless_a_correction_explains_it() {
        let renamed = |one: &mut Waiting| one.name = "张晓梅".to_owned();
        assert_eq!(told(renamed, ASKED), ["与录取数据不一致：姓名"]);
        let corrected = |one: &mut Waiting| {
            one.name = "张晓梅".to_owned();
            one.corrected = vec!["name".to_owned()];
        };
        assert!(told(corrected, ASKED).is_empty());
        let moved = |one: &mut Waiting| (one.major_id, one.schooling_years) = (2, 3.0);
        assert_eq!(told(moved, ASKED), ["与录取数据不一致：专业、学制"]);
        assert!(told(|one| (one.admitted, one.major_id) = (None, 2), ASKED).is_empty());
    }
}
