//! 国家专业: a major of the ministry's catalogues, what an operator types of it, and what a row of a sheet changes (part 03 A3).

use infra::{
    Error, FieldError, Result,
    naming::{switched_off, tidy},
    transfer::RowDifference,
};
use poem_openapi::{Object, types::Example};
use term::NationalLevel;

use crate::{code::national_code_allowed, discipline::Discipline};

/// A major of the ministry's catalogue.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase")]
pub struct NationalMajor {
    /// 编号
    pub id: i64,
    /// 专业代码
    pub code: String,
    /// 专业名称
    pub name: String,
    /// 培养层次
    pub level: NationalLevel,
    /// 门类代码
    pub discipline_code: String,
    /// 学科门类
    pub discipline: String,
    /// 专业类代码
    pub category_code: Option<String>,
    /// 专业类
    pub category: Option<String>,
    /// 可授学位
    pub degrees: Vec<String>,
    /// 特设
    pub special: bool,
    /// 国控
    pub controlled: bool,
    /// 目录年版
    pub year: i32,
    /// 原代码
    pub former_code: Option<String>,
    /// 待核对
    pub uncertain: bool,
    /// 启用
    pub enabled: bool,
    /// 版本
    pub version: i32,
}

/// What a school's major copies of it and is checked against.
#[derive(Debug, Clone)]
pub struct KnownNationalMajor {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub level: NationalLevel,
    pub degrees: Vec<String>,
    pub enabled: bool,
}

impl KnownNationalMajor {
    /// Whether a school may choose it.
    ///
    /// # Errors
    /// 422 when the major was switched off.
    pub fn usable(&self) -> Result<()> {
        if self.enabled { Ok(()) } else { Err(switched_off("nationalMajorId", &self.name)) }
    }
}

/// What an operator types.
#[derive(Debug, Clone, PartialEq, Eq, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct NationalMajorForm {
    /// 专业代码
    /// 本科6位数字可带T、K、TK，或7位数字带T、TK；专科6位数字可带K；成人补充目录为B加6位数字
    #[oai(validator(max_length = 9))]
    pub code: String,
    /// 专业名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 培养层次
    pub level: NationalLevel,
    /// 门类
    pub discipline_code: Discipline,
    /// 专业类代码
    #[oai(validator(pattern = "^[0-9]{4}$"))]
    pub category_code: Option<String>,
    /// 专业类
    #[oai(validator(max_length = 50))]
    pub category: Option<String>,
    /// 可授学位
    #[oai(default, validator(max_items = 5))]
    pub degrees: Vec<String>,
    /// 目录年版
    #[oai(validator(minimum(value = "1980"), maximum(value = "2100")))]
    pub year: i32,
    /// 原代码
    #[oai(validator(max_length = 9))]
    pub former_code: Option<String>,
}

impl Example for NationalMajorForm {
    fn example() -> Self {
        Self {
            code: "120299T".to_owned(),
            name: "数字财务管理".to_owned(),
            level: NationalLevel::Bachelor,
            discipline_code: Discipline::Management,
            category_code: Some("1202".to_owned()),
            category: Some("工商管理类".to_owned()),
            degrees: vec!["管理学学士".to_owned()],
            year: 2026,
            former_code: None,
        }
    }
}

/// Characters of a degree.
const LONGEST_DEGREE: usize = 20;

impl NationalMajorForm {
    /// The form with blanks folded, when all fits together.
    ///
    /// # Errors
    /// 422 at every field that the code, the level or the discipline contradicts.
    pub fn checked(mut self) -> Result<Self> {
        self.name = tidy(&self.name);
        self.category = self.category.as_deref().map(tidy);
        let wrong = self.wrong();
        if wrong.is_empty() { Ok(self) } else { Err(Error::fields(wrong)) }
    }

    fn wrong(&self) -> Vec<FieldError> {
        let mut wrong = Vec::new();
        let mut at = |field: &str, message: String| wrong.push(FieldError { field: field.to_owned(), message });
        let discipline = self.discipline_code;
        let class = self.category_code.as_deref();
        if !national_code_allowed(self.level, &self.code) {
            at("code", format!("“{}”不是{}专业代码", self.code, self.level.zh()));
        } else if let Some(begins) = [class, Some(discipline.as_str())].into_iter().flatten().next()
            && !self.code.starts_with('B')
            && !self.code.starts_with(begins)
        {
            at("code", format!("专业代码应以{begins}开头"));
        }
        if discipline.level() != self.level {
            at("disciplineCode", format!("“{}”不是{}的门类", discipline.zh(), self.level.zh()));
        }
        if class.is_some_and(|class| !class.starts_with(discipline.as_str())) {
            at("categoryCode", format!("专业类代码应以门类代码{}开头", discipline.as_str()));
        }
        match (class, self.category.as_deref()) {
            (Some(_), None) => at("category", "请填写专业类名称".to_owned()),
            (None, Some(_)) => at("categoryCode", "请填写专业类代码".to_owned()),
            (Some(_), Some(_)) | (None, None) => {}
        }
        if self.level == NationalLevel::Associate && !self.degrees.is_empty() {
            at("degrees", "专科专业不授学位".to_owned());
        } else if self
            .degrees
            .iter()
            .any(|degree| degree.is_empty() || degree.contains('|') || degree.chars().count() > LONGEST_DEGREE)
        {
            at("degrees", format!("学位名称不能为空，最多{LONGEST_DEGREE}个字"));
        }
        wrong
    }
}

/// A stored major as the row leaves it.
pub fn applied(before: &NationalMajor, form: &NationalMajorForm) -> NationalMajor {
    NationalMajor {
        name: form.name.clone(),
        level: form.level,
        discipline_code: form.discipline_code.as_str().to_owned(),
        discipline: form.discipline_code.zh().to_owned(),
        category_code: form.category_code.clone(),
        category: form.category.clone(),
        degrees: form.degrees.clone(),
        uncertain: false,
        enabled: before.enabled || before.uncertain,
        ..before.clone()
    }
}

/// What the row changes of the major that is there; one line without a column for a new one.
pub fn differences(row: u32, before: Option<&NationalMajor>, form: &NationalMajorForm) -> Vec<RowDifference> {
    let line = |column: &str, before: String, after: String| RowDifference {
        row,
        name: format!("{} {}", form.code, form.name),
        column: column.to_owned(),
        before,
        after,
    };
    let Some(before) = before else { return vec![line("", String::new(), String::new())] };
    let word = |text: &Option<String>| text.clone().unwrap_or_default();
    let yes_no = |yes: bool| if yes { "是" } else { "否" }.to_owned();
    let pairs = [
        ("专业名称", before.name.clone(), form.name.clone()),
        ("培养层次", before.level.zh().to_owned(), form.level.zh().to_owned()),
        ("门类代码", before.discipline_code.clone(), form.discipline_code.as_str().to_owned()),
        ("专业类代码", word(&before.category_code), word(&form.category_code)),
        ("专业类名称", word(&before.category), word(&form.category)),
        ("可授学位", before.degrees.join("|"), form.degrees.join("|")),
        ("待核对", yes_no(before.uncertain), yes_no(false)),
        // It was switched off only because its code was not sure.
        ("启用", yes_no(before.enabled), yes_no(before.enabled || before.uncertain)),
    ];
    pairs
        .into_iter()
        .filter(|(_, before, after)| before != after)
        .map(|(column, before, after)| line(column, before, after))
        .collect()
}

/// How many schools offer a major, with how many of theirs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Users {
    pub schools: i64,
    pub majors: i64,
}

impl Users {
    /// That nobody uses the major.
    ///
    /// # Errors
    /// 409 with both numbers when somebody uses the major; `what` says what can then not be done.
    pub fn none_or(self, what: &str) -> Result<()> {
        let Self { schools, majors } = self;
        if majors == 0 {
            return Ok(());
        }
        Err(Error::conflict(format!("已被{schools}所院校的{majors}个专业使用{what}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(change: impl FnOnce(&mut NationalMajorForm)) -> Vec<String> {
        let mut form = NationalMajorForm::example();
        change(&mut form);
        form.wrong().into_iter().map(|wrong| format!("{}: {}", wrong.field, wrong.message)).collect()
    }

    #[test]
    fn code_class_discipline_and_level_fit_together() {
        assert_eq!(told(|_| {}), Vec::<String>::new());
        assert_eq!(told(|form| form.code = "12020X".to_owned()), ["code: “12020X”不是本科专业代码"]);
        assert_eq!(told(|form| form.code = "120303K".to_owned()), ["code: 专业代码应以1202开头"]);
        assert_eq!(told(|form| form.code = "B120203".to_owned()), Vec::<String>::new());
        assert_eq!(
            told(|form| form.discipline_code = Discipline::FinanceAndCommerce),
            ["disciplineCode: “财经商贸大类”不是本科的门类", "categoryCode: 专业类代码应以门类代码53开头"]
        );
        assert_eq!(told(|form| form.category = None), ["category: 请填写专业类名称"]);
        assert_eq!(told(|form| form.category_code = None), ["categoryCode: 请填写专业类代码"]);
        // Discipline 14 has no classes.
        assert_eq!(
            told(|form| {
                form.code = "140101".to_owned();
                form.discipline_code = Discipline::Interdisciplinary;
                (form.category_code, form.category) = (None, None);
            }),
            Vec::<String>::new()
        );
    }

    #[test]
    fn only_bachelors_have_degrees() {
        let associate = |form: &mut NationalMajorForm| {
            form.code = "530302".to_owned();
            form.level = NationalLevel::Associate;
            form.discipline_code = Discipline::FinanceAndCommerce;
            form.category_code = Some("5303".to_owned());
        };
        assert_eq!(told(associate), ["degrees: 专科专业不授学位"]);
        assert_eq!(
            told(|form| {
                associate(form);
                form.degrees.clear();
            }),
            Vec::<String>::new()
        );
        assert_eq!(told(|form| form.degrees = vec![String::new()]), ["degrees: 学位名称不能为空，最多20个字"]);
    }

    fn stored() -> NationalMajor {
        let form = NationalMajorForm::example();
        NationalMajor {
            id: 7,
            code: form.code,
            name: form.name,
            level: form.level,
            discipline_code: form.discipline_code.as_str().to_owned(),
            discipline: form.discipline_code.zh().to_owned(),
            category_code: form.category_code,
            category: form.category,
            degrees: form.degrees,
            special: true,
            controlled: false,
            year: form.year,
            former_code: None,
            uncertain: false,
            enabled: true,
            version: 1,
        }
    }

    #[test]
    fn a_row_tells_what_it_changes() {
        let told = |before: Option<NationalMajor>| -> Vec<String> {
            differences(5, before.as_ref(), &NationalMajorForm::example())
                .into_iter()
                .map(|difference| format!("{} {}→{}", difference.column, difference.before, difference.after))
                .collect()
        };
        assert_eq!(told(None), [" →"]);
        assert_eq!(told(Some(stored())), Vec::<String>::new());
        assert_eq!(
            told(Some(NationalMajor { name: "财务管理".to_owned(), ..stored() })),
            ["专业名称 财务管理→数字财务管理"]
        );
        assert_eq!(
            told(Some(NationalMajor { uncertain: true, enabled: false, ..stored() })),
            ["待核对 是→否", "启用 否→是"]
        );
        let after =
            applied(&NationalMajor { uncertain: true, enabled: false, ..stored() }, &NationalMajorForm::example());
        assert!(after.enabled && !after.uncertain);
    }

    #[test]
    fn a_used_major_names_its_users() {
        assert!(Users::default().none_or("").is_ok());
        let used = Users { schools: 2, majors: 3 };
        assert_eq!(used.none_or("").expect_err("used").msg, "已被2所院校的3个专业使用");
        assert_eq!(used.none_or("，不能修改代码").expect_err("used").msg, "已被2所院校的3个专业使用，不能修改代码");
    }
}
