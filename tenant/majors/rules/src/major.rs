//! 学校专业: what a registrar types of a major, and what follows from level and national major (part 03 A3).

use calendar::level::KnownLevel;
use infra::{Error, Result, enumeration};
use poem_openapi::{Object, types::Example};

use crate::{code::national_code_controlled, national_major::KnownNationalMajor};

enumeration! {
    /// 学习形式
    pub enum StudyForm = "studyForm" {
        NonFullTime = "non_full_time" "非脱产",
        Correspondence = "correspondence" "函授",
        PartTime = "part_time" "业余",
        FullTime = "full_time" "脱产",
        Online = "online" "网络教育",
    }
}

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct MajorForm {
    /// 校内专业代码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 国家专业
    pub national_major_id: i64,
    /// 层次
    pub level_id: i64,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 专业方向
    #[oai(validator(max_length = 50))]
    pub direction: Option<String>,
    /// 学制
    #[oai(validator(minimum(value = "2"), maximum(value = "6"), multiple_of = 0.5))]
    pub schooling_years: Option<f64>,
    /// 毕业总学分
    #[oai(validator(minimum(value = "40"), maximum(value = "250")))]
    pub total_credits: f64,
    /// 开办学院
    pub organization_id: Option<i64>,
    /// 是否授学位
    #[oai(default)]
    pub degree_awarded: bool,
    /// 学位
    #[oai(validator(max_length = 20))]
    pub degree: Option<String>,
    /// 学费(分/年)
    #[oai(validator(minimum(value = "0"), maximum(value = "100000000")))]
    pub tuition_per_year: Option<i64>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for MajorForm {
    fn example() -> Self {
        Self {
            code: "KJ01".to_owned(),
            name: "会计学".to_owned(),
            national_major_id: 1,
            level_id: 1,
            study_form: Some(StudyForm::NonFullTime),
            direction: None,
            schooling_years: None,
            total_credits: 92.0,
            organization_id: None,
            degree_awarded: false,
            degree: None,
            tuition_per_year: Some(240_000),
            sort_no: 0,
            remark: None,
        }
    }
}

/// Whether form, level and national major fit together.
///
/// # Errors
/// 422 for credits finer than tenths, when level and national major are of different kinds, or when the degree is none of
/// the national major's.
pub fn check(form: &MajorForm, level: &KnownLevel, national: &KnownNationalMajor) -> Result<()> {
    // Not a validator: a tenth is no binary float, so its multiples cannot be told by dividing.
    if ((form.total_credits * 10.0).round() / 10.0 - form.total_credits).abs() > 1e-9 {
        return Err(Error::field("totalCredits", "毕业总学分最多一位小数"));
    }
    let wanted = level.entry_level.national_level();
    if wanted != national.level {
        return Err(Error::field("levelId", format!("层次“{}”只能选择{}专业", level.name, wanted.zh())));
    }
    match form.degree.as_ref().filter(|_| form.degree_awarded) {
        None if form.degree_awarded => Err(Error::field("degree", "授学位的专业须选择学位")),
        Some(degree) if !national.degrees.contains(degree) => {
            Err(Error::field("degree", format!("“{degree}”不是国家专业“{}”可授的学位", national.name)))
        }
        _ => Ok(()),
    }
}

/// By how much 学制 may differ from the level's without a word.
const USUAL_DIFFERENCE: f64 = 0.5;

/// What whoever saves should look at again (03 A3); `chosen` is the national major that was not there before.
pub fn warnings(schooling_years: f64, level: &KnownLevel, chosen: Option<&KnownNationalMajor>) -> Vec<String> {
    let controlled = chosen.filter(|national| national_code_controlled(&national.code));
    let controlled = controlled.map(|_| "国控专业，须取得主管部门同意".to_owned());
    let differs = (schooling_years - level.schooling_years).abs() > USUAL_DIFFERENCE;
    let differs = differs.then(|| {
        format!(
            "学制{schooling_years}年与层次“{}”的{}年相差超过{USUAL_DIFFERENCE}年，请核对",
            level.name, level.schooling_years
        )
    });
    controlled.into_iter().chain(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use term::{EntryLevel, NationalLevel};

    fn level(entry_level: EntryLevel) -> KnownLevel {
        KnownLevel {
            id: 1,
            name: entry_level.zh().to_owned(),
            entry_level,
            schooling_years: 2.5,
            max_years: 5.0,
            enabled: true,
        }
    }

    fn accounting() -> KnownNationalMajor {
        KnownNationalMajor {
            id: 1,
            code: "120203K".to_owned(),
            name: "会计学".to_owned(),
            level: NationalLevel::Bachelor,
            degrees: vec!["管理学学士".to_owned()],
            enabled: true,
        }
    }

    fn told(entry_level: EntryLevel, degree_awarded: bool, degree: Option<&str>) -> String {
        let form = MajorForm { degree_awarded, degree: degree.map(ToOwned::to_owned), ..MajorForm::example() };
        check(&form, &level(entry_level), &accounting())
            .map_or_else(|error| error.msg.into_owned(), |()| "可以".to_owned())
    }

    #[test]
    fn a_level_takes_majors_of_its_own_kind() {
        assert_eq!(told(EntryLevel::AssociateToBachelor, false, None), "可以");
        assert_eq!(told(EntryLevel::HighSchoolToBachelor, false, None), "可以");
        assert_eq!(told(EntryLevel::HighSchoolToAssociate, false, None), "层次“高起专”只能选择专科专业");
    }

    #[test]
    fn a_controlled_major_and_an_odd_schooling_are_worth_a_look() {
        let told = |years, code: &str, chosen: bool| {
            let national = KnownNationalMajor { code: code.to_owned(), ..accounting() };
            warnings(years, &level(EntryLevel::AssociateToBachelor), chosen.then_some(&national)).join("；")
        };
        assert_eq!(told(3.0, "120201", true), "");
        assert_eq!(told(2.0, "120203K", true), "国控专业，须取得主管部门同意");
        assert_eq!(told(2.5, "120203K", false), "", "it was chosen before");
        assert_eq!(told(4.0, "120201", true), "学制4年与层次“专升本”的2.5年相差超过0.5年，请核对");
    }

    #[test]
    fn credits_have_one_place() {
        let told = |total_credits| {
            let form = MajorForm { total_credits, ..MajorForm::example() };
            check(&form, &level(EntryLevel::AssociateToBachelor), &accounting())
                .map_or_else(|e| e.msg.into_owned(), |()| "可以".to_owned())
        };
        assert_eq!(told(92.5), "可以");
        assert_eq!(told(80.1), "可以");
        assert_eq!(told(80.15), "毕业总学分最多一位小数");
    }

    #[test]
    fn a_degree_is_one_of_the_national_majors() {
        let told = |awarded, degree| told(EntryLevel::AssociateToBachelor, awarded, degree);
        assert_eq!(told(true, Some("管理学学士")), "可以");
        assert_eq!(told(true, None), "授学位的专业须选择学位");
        assert_eq!(told(true, Some("工学学士")), "“工学学士”不是国家专业“会计学”可授的学位");
        assert_eq!(told(false, Some("工学学士")), "可以");
    }
}
