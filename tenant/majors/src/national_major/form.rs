//! What an operator types of a national major, what its code says, and how it is written.

use infra::{Change, Edit, Error, FieldError, OnConstraint, Result, Scope, Tx, across::Keyed, naming::tidy, pinyin};
use poem_openapi::{Object, types::Example};
use term::NationalLevel;

use super::{
    Discipline, NationalMajors,
    code::{national_code_allowed, national_code_controlled, national_code_special},
};

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

const LONGEST_DEGREE: usize = 20;

impl NationalMajorForm {
    /// The form with blanks folded, when all fits together.
    ///
    /// # Errors
    /// 422 at every field that the code, the level or the discipline contradicts.
    pub(super) fn checked(mut self) -> Result<Self> {
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

/// A person who writes a major vouches for its code, so it is no longer 待核对.
pub(super) async fn insert(tx: &mut Tx, form: NationalMajorForm) -> Result<(i64, Change)> {
    let form = form.checked()?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into platform.national_major (code, name, level, discipline_code, discipline, category_code, category, degrees,
             special, controlled, year, former_code, initials, created_by, updated_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14) returning id",
        form.code,
        form.name,
        form.level.as_str(),
        form.discipline_code.as_str(),
        form.discipline_code.zh(),
        form.category_code,
        form.category,
        &form.degrees,
        national_code_special(&form.code),
        national_code_controlled(&form.code),
        form.year,
        form.former_code,
        pinyin::text_initials(&form.name),
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    Ok((id, Change::created("national_major", id, &form)))
}

/// A checked form, as it replaces what is stored.
///
/// # Errors
/// 409 when it was changed meanwhile, 422 for the code of another.
pub(super) async fn update(tx: &mut Tx, edit: Edit<NationalMajorForm>) -> Result<Change> {
    let Edit { id, version, form } = edit;
    let whole = Scope::whole_school();
    let before = NationalMajors::find(tx, id, &whole).await?;
    let by = tx.by();
    let changed = sqlx::query!(
        "update platform.national_major
         set code = $3, name = $4, level = $5, discipline_code = $6, discipline = $7, category_code = $8, category = $9,
             degrees = $10, special = $11, controlled = $12, year = $13, former_code = $14, checked = 'confirmed',
             initials = $15, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1 and version = $2",
        id,
        version,
        form.code,
        form.name,
        form.level.as_str(),
        form.discipline_code.as_str(),
        form.discipline_code.zh(),
        form.category_code,
        form.category,
        &form.degrees,
        national_code_special(&form.code),
        national_code_controlled(&form.code),
        form.year,
        form.former_code,
        pinyin::text_initials(&form.name),
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|constraint| explain_constraint(constraint, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("national_major", id).await);
    }
    let after = NationalMajors::find(tx, id, &whole).await?;
    Ok(Change::edited("national_major", id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &NationalMajorForm) -> Option<Error> {
    (constraint == "national_major_code_taken")
        .then(|| Error::field("code", format!("{}年版中代码“{}”已存在", form.year, form.code)))
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
}
