//! 自动分班: what is wished, and the plan (02 §9.5).

use classes::class::{Cohort, create::Naming};
use infra::{Error, Result, Scope, migrate::hex};
use poem_openapi::{Object, types::Example};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::division::{DivisionMode, DivisionOrder};

/// Whom to divide, and how.
#[derive(Debug)]
pub struct Wish {
    pub grade_id: i64,
    pub level_ids: Option<Vec<i64>>,
    pub major_ids: Option<Vec<i64>>,
    pub site_ids: Option<Vec<i64>>,
    pub mode: DivisionMode,
    pub order: DivisionOrder,
    pub capacity: i32,
    pub least: i32,
    pub use_existing: bool,
    pub naming: Naming,
    pub scope: Scope,
}

/// A class of the plan.
#[derive(Debug)]
pub struct Seating {
    /// Whether the division makes it.
    pub new: bool,
    /// None for a class that is still to be made.
    pub class_id: Option<i64>,
    pub name: String,
    pub capacity: i64,
    pub taken: i64,
    pub students: Vec<i64>,
}

/// The students of one grade, level, major and site.
#[derive(Debug)]
pub struct Group {
    pub cohort: Cohort,
    pub level: String,
    pub major: String,
    pub site: String,
    pub students: usize,
    pub classes: Vec<Seating>,
}

impl Group {
    pub fn new_classes(&self) -> usize {
        self.classes.iter().filter(|class| class.new).count()
    }
}

/// The same for the same plan only: who comes into which class, and what the class is called.
pub fn hash(groups: &[Group]) -> String {
    let told: Vec<_> = groups
        .iter()
        .flat_map(|group| group.classes.iter().map(|class| json!([class.class_id, class.name, class.students])))
        .collect();
    hex(&Sha256::digest(json!(told).to_string()))
}

/// The least size of a class when nobody says otherwise (02 §9.5).
pub const LEAST: i32 = 20;

/// Whom to divide, and how.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AutomaticDivision {
    /// 年级
    pub grade_id: i64,
    /// 层次
    /// 不填表示全部
    pub level_ids: Option<Vec<i64>>,
    /// 专业
    /// 不填表示全部
    pub major_ids: Option<Vec<i64>>,
    /// 站点
    /// 不填表示全部
    pub site_ids: Option<Vec<i64>>,
    /// 分班方式
    pub mode: DivisionMode,
    /// 班级容量
    /// 不填时取学校默认值
    #[oai(validator(minimum(value = "1"), maximum(value = "500")))]
    pub capacity: Option<i32>,
    /// 最小人数
    /// 依次填满时，最后一个班不足此人数则与前一个班平分
    #[oai(validator(minimum(value = "0"), maximum(value = "500")))]
    pub min_size: Option<i32>,
    /// 分班顺序
    pub order: DivisionOrder,
    /// 先补满已有班级
    #[oai(default)]
    pub use_existing: bool,
    /// 班级名称格式
    /// 可用 {grade} {level} {major} {site} {n}，不填时按年级、层次、专业、站点和序号生成
    #[oai(validator(max_length = 60))]
    pub name_pattern: Option<String>,
    /// 仅预览
    #[oai(default)]
    pub dry_run: bool,
    /// 预览的摘要
    #[oai(validator(max_length = 64))]
    pub plan_hash: Option<String>,
}

impl Example for AutomaticDivision {
    fn example() -> Self {
        Self {
            grade_id: 1,
            level_ids: None,
            major_ids: None,
            site_ids: None,
            mode: DivisionMode::Balance,
            capacity: Some(50),
            min_size: Some(LEAST),
            order: DivisionOrder::NamePinyin,
            use_existing: false,
            name_pattern: None,
            dry_run: true,
            plan_hash: None,
        }
    }
}

/// # Errors
/// 422 at the field that contradicts another.
pub fn wish(wanted: &AutomaticDivision, usual: i32, scope: Scope) -> Result<Wish> {
    let (capacity, least) = (wanted.capacity.unwrap_or(usual), wanted.min_size.unwrap_or(LEAST));
    if least > capacity && wanted.min_size.is_some() {
        return Err(Error::field("minSize", "最小人数不能大于班级容量"));
    }
    if wanted.use_existing && wanted.mode == DivisionMode::Balance {
        return Err(Error::field("useExisting", "人数均衡只新建班级，要补满已有班级请选择依次填满"));
    }
    Ok(Wish {
        grade_id: wanted.grade_id,
        level_ids: wanted.level_ids.clone(),
        major_ids: wanted.major_ids.clone(),
        site_ids: wanted.site_ids.clone(),
        mode: wanted.mode,
        order: wanted.order,
        capacity,
        least: least.min(capacity),
        use_existing: wanted.use_existing,
        naming: Naming::of(wanted.name_pattern.clone())?,
        scope,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &str, students: &[i64]) -> Group {
        let class = Seating {
            new: true,
            class_id: None,
            name: name.to_owned(),
            capacity: 50,
            taken: 0,
            students: students.to_vec(),
        };
        Group {
            cohort: Cohort { grade_id: 1, level_id: 1, major_id: 1, site_id: 1 },
            level: String::new(),
            major: String::new(),
            site: String::new(),
            students: students.len(),
            classes: vec![class],
        }
    }

    #[test]
    fn another_student_or_class_is_another_plan() {
        let one = hash(&[group("1班", &[1, 2])]);
        assert_eq!(one, hash(&[group("1班", &[1, 2])]));
        assert_ne!(one, hash(&[group("1班", &[1, 2, 3])]));
        assert_ne!(one, hash(&[group("1班", &[2, 1])]));
        assert_ne!(one, hash(&[group("2班", &[1, 2])]));
        assert_eq!(one.len(), 64);
    }

    fn told_of(change: impl FnOnce(&mut AutomaticDivision)) -> String {
        let mut wanted = AutomaticDivision::example();
        change(&mut wanted);
        wish(&wanted, 50, Scope::whole_school())
            .map_or_else(|error| error.msg.into_owned(), |wish| format!("{}/{}", wish.capacity, wish.least))
    }

    #[test]
    fn capacity_and_least_size_have_their_usual_values() {
        assert_eq!(told_of(|wanted| (wanted.capacity, wanted.min_size) = (None, None)), "50/20");
        assert_eq!(told_of(|wanted| (wanted.capacity, wanted.min_size) = (Some(15), None)), "15/15");
        assert_eq!(
            told_of(|wanted| (wanted.capacity, wanted.min_size) = (Some(15), Some(20))),
            "最小人数不能大于班级容量"
        );
        assert_eq!(told_of(|wanted| wanted.use_existing = true), "人数均衡只新建班级，要补满已有班级请选择依次填满");
    }
}
