//! What a registrar types of a level, what follows from it, and how it is written.

use infra::{
    Change, Edit, Error, OnConstraint, Referred, Result, Scope, Tx,
    across::Keyed,
    naming::{code_taken, name_taken, tidy},
    pinyin,
};
use poem_openapi::{Object, types::Example};
use term::EntryLevel;

use super::{Level, Levels};

/// What a registrar types; numbers that are not typed are the national ones of the entry level.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct LevelForm {
    /// 编码
    /// 1至32位字母、数字、下划线或短横线
    #[oai(validator(pattern = "^[A-Za-z0-9_-]{1,32}$"))]
    pub code: String,
    /// 名称
    #[oai(validator(max_length = 100))]
    pub name: String,
    /// 起点层次
    pub entry_level: EntryLevel,
    /// 学制
    #[oai(validator(minimum(value = "2"), maximum(value = "6"), multiple_of = 0.5))]
    pub schooling_years: Option<f64>,
    /// 最长修业年限
    #[oai(validator(minimum(value = "2"), maximum(value = "20"), multiple_of = 0.5))]
    pub max_years: Option<f64>,
    /// 最低总学时
    #[oai(validator(minimum(value = "0"), maximum(value = "100000")))]
    pub min_hours: Option<i32>,
    /// 每学分学时下限
    #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
    pub hours_per_credit_min: Option<i32>,
    /// 每学分学时上限
    #[oai(validator(minimum(value = "1"), maximum(value = "1000")))]
    pub hours_per_credit_max: Option<i32>,
    /// 线下教学最低比例(%)
    #[oai(validator(minimum(value = "0"), maximum(value = "100")))]
    pub min_offline_ratio: Option<i32>,
    /// 排序
    #[oai(default, validator(minimum(value = "0"), maximum(value = "9999")))]
    pub sort_no: i32,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
}

impl Example for LevelForm {
    fn example() -> Self {
        Self {
            code: "ZSB".to_owned(),
            name: "专升本".to_owned(),
            entry_level: EntryLevel::AssociateToBachelor,
            schooling_years: Some(2.5),
            max_years: None,
            min_hours: None,
            hours_per_credit_min: None,
            hours_per_credit_max: None,
            min_offline_ratio: None,
            sort_no: 0,
            remark: None,
        }
    }
}

/// A form with the national values where nothing was typed.
#[derive(Debug)]
struct Complete {
    code: String,
    name: String,
    entry_level: EntryLevel,
    schooling_years: f64,
    max_years: f64,
    min_hours: i32,
    hours_per_credit_min: i32,
    hours_per_credit_max: i32,
    min_offline_ratio: i32,
    sort_no: i32,
    remark: Option<String>,
}

impl Complete {
    /// # Errors
    /// 422 for years or hours that contradict each other, typed or taken from the entry level.
    fn of(form: LevelForm) -> Result<Self> {
        let national = form.entry_level.defaults();
        let years = |halves: i32| f64::from(halves) / 2.0;
        let complete = Self {
            code: form.code,
            name: tidy(&form.name),
            entry_level: form.entry_level,
            schooling_years: form.schooling_years.unwrap_or_else(|| years(national.schooling_half_years)),
            max_years: form.max_years.unwrap_or_else(|| years(national.max_half_years)),
            min_hours: form.min_hours.unwrap_or(national.min_hours),
            hours_per_credit_min: form.hours_per_credit_min.unwrap_or(national.hours_per_credit_min),
            hours_per_credit_max: form.hours_per_credit_max.unwrap_or(national.hours_per_credit_max),
            min_offline_ratio: form.min_offline_ratio.unwrap_or(national.min_offline_ratio),
            sort_no: form.sort_no,
            remark: form.remark,
        };
        if complete.max_years < complete.schooling_years {
            return Err(Error::field("maxYears", "最长修业年限不能小于学制"));
        }
        if complete.hours_per_credit_max < complete.hours_per_credit_min {
            return Err(Error::field("hoursPerCreditMax", "每学分学时上限不能小于下限"));
        }
        Ok(complete)
    }
}

/// The first field that other rows rely on and that this edit would change.
fn changed_locked_field(before: &Level, form: &Complete) -> Option<&'static str> {
    if before.entry_level != form.entry_level {
        Some("起点层次")
    } else if before.schooling_years != form.schooling_years {
        // Halves are exact in a binary float.
        Some("学制")
    } else {
        None
    }
}

/// Every plan, rule and place belongs to a major of the level: the majors are told only where nothing else relies on it.
fn those_who_rely(users: Referred) -> Referred {
    let (majors, others): (Vec<_>, Vec<_>) = users.references.into_iter().partition(|of| of.entity == "major");
    Referred { references: if others.is_empty() { majors } else { others } }
}

pub(super) async fn insert(tx: &mut Tx, form: LevelForm) -> Result<(i64, Change)> {
    let typed = form.clone();
    let form = Complete::of(form)?;
    let by = tx.by();
    let id = sqlx::query_scalar!(
        "insert into level (code, name, entry_level, national_level, schooling_years, max_years, min_hours,
             hours_per_credit_min, hours_per_credit_max, min_offline_ratio, initials, sort_no, remark, created_by, updated_by)
         values ($1, $2, $3, $4, $5::float8::numeric, $6::float8::numeric, $7, $8, $9, $10, $11, $12, $13, $14, $14)
         returning id",
        form.code,
        form.name,
        form.entry_level.as_str(),
        form.entry_level.national_level().as_str(),
        form.schooling_years,
        form.max_years,
        form.min_hours,
        form.hours_per_credit_min,
        form.hours_per_credit_max,
        form.min_offline_ratio,
        pinyin::text_initials(&form.name),
        form.sort_no,
        form.remark,
        by
    )
    .fetch_one(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    Ok((id, Change::created("level", id, &typed)))
}

/// # Errors
/// 409 when it was changed meanwhile, or when others rely on what would change.
pub(super) async fn update(tx: &mut Tx, edit: Edit<LevelForm>) -> Result<Change> {
    let form = Complete::of(edit.form)?;
    let whole = Scope::whole_school();
    tx.lock("level", edit.id).await?;
    let before = Levels::find(tx, edit.id, &whole).await?;
    if let Some(field) = changed_locked_field(&before, &form)
        && let Some(users) = tx.referring("level", edit.id).await?
    {
        let users = those_who_rely(users);
        return Err(users.refuse(format!("已有{users}使用该层次，不能修改{field}")));
    }
    let by = tx.by();
    let changed = sqlx::query!(
        "update level set code = $3, name = $4, entry_level = $5, national_level = $6,
                schooling_years = $7::float8::numeric, max_years = $8::float8::numeric, min_hours = $9,
                hours_per_credit_min = $10, hours_per_credit_max = $11, min_offline_ratio = $12, initials = $13,
                sort_no = $14, remark = $15, updated_at = now(), updated_by = $16, version = version + 1
         where id = $1 and version = $2",
        edit.id,
        edit.version,
        form.code,
        form.name,
        form.entry_level.as_str(),
        form.entry_level.national_level().as_str(),
        form.schooling_years,
        form.max_years,
        form.min_hours,
        form.hours_per_credit_min,
        form.hours_per_credit_max,
        form.min_offline_ratio,
        pinyin::text_initials(&form.name),
        form.sort_no,
        form.remark,
        by
    )
    .execute(&mut **tx)
    .await
    .on_constraint(|name| explain_constraint(name, &form))?;
    if changed.rows_affected() == 0 {
        return Err(tx.stale("level", edit.id).await);
    }
    let after = Levels::find(tx, edit.id, &whole).await?;
    Ok(Change::edited("level", edit.id, &before, &after))
}

fn explain_constraint(constraint: &str, form: &Complete) -> Option<Error> {
    match constraint {
        "level_code_taken" => Some(code_taken(&form.code)),
        "level_name_taken" => Some(name_taken(&form.name)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use infra::Reference;

    use super::*;

    #[test]
    fn majors_are_told_where_nothing_else_relies() {
        let by = |entity: &str, counted: &str, count| Reference {
            entity: entity.to_owned(),
            counted: counted.to_owned(),
            count,
            field: "levelId".to_owned(),
            id: 7,
        };
        let told = |references: Vec<Reference>| those_who_rely(Referred { references }).to_string();
        let (major, plans) = (by("major", "个专业", 1), by("teaching_plan", "个教学计划", 3));
        assert_eq!(told(vec![major.clone()]), "1个专业");
        assert_eq!(told(vec![major, plans]), "3个教学计划");
    }

    #[test]
    fn what_is_not_typed_is_national() {
        let form = LevelForm { schooling_years: None, ..LevelForm::example() };
        let complete = Complete::of(form).expect("national values agree");
        assert_eq!((complete.schooling_years, complete.max_years, complete.min_hours), (2.5, 5.0, 1600));
    }

    #[test]
    fn years_and_hours_must_agree() {
        let told = |form: LevelForm| Complete::of(form).expect_err("they contradict").msg;
        assert_eq!(told(LevelForm { max_years: Some(2.0), ..LevelForm::example() }), "最长修业年限不能小于学制");
        // 6 years of schooling, and the national 5 at most.
        assert_eq!(told(LevelForm { schooling_years: Some(6.0), ..LevelForm::example() }), "最长修业年限不能小于学制");
        assert_eq!(
            told(LevelForm { hours_per_credit_min: Some(20), ..LevelForm::example() }),
            "每学分学时上限不能小于下限"
        );
    }
}
