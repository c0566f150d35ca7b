//! What a registrar types of a plan's head, and the credits that follow from it (part 03 B1).

use infra::{Error, Result};
use poem_openapi::{Object, types::Example};

use crate::credit::{is_half, shown, tenths};

/// What a registrar types.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct PlanForm {
    /// 年级
    /// 保存后不能修改
    pub grade_id: i64,
    /// 专业
    /// 保存后不能修改
    pub major_id: i64,
    /// 层次
    /// 不填为专业的层次
    pub level_id: Option<i64>,
    /// 名称
    /// 不填时按年级、层次、专业和版本命名
    #[oai(validator(max_length = 100))]
    pub name: Option<String>,
    /// 总学分
    /// 不填为专业的毕业总学分
    pub total_credits: Option<f64>,
    /// 必修学分
    /// 不填为总学分减选修学分
    pub min_compulsory_credits: Option<f64>,
    /// 选修学分
    /// 不填为总学分减必修学分
    pub min_elective_credits: Option<f64>,
    /// 学期数
    /// 不填为层次的学期数
    #[oai(validator(minimum(value = "1"), maximum(value = "12")))]
    pub term_count: Option<i32>,
    /// 培养目标
    #[oai(validator(max_length = 2000))]
    pub objective: Option<String>,
    /// 备注
    #[oai(validator(max_length = 500))]
    pub remark: Option<String>,
    /// 附件
    #[oai(validator(max_length = 140))]
    pub file_key: Option<String>,
}

impl Example for PlanForm {
    fn example() -> Self {
        Self {
            grade_id: 1,
            major_id: 1,
            level_id: None,
            name: None,
            total_credits: Some(92.0),
            min_compulsory_credits: Some(88.0),
            min_elective_credits: Some(4.0),
            term_count: None,
            objective: None,
            remark: None,
            file_key: None,
        }
    }
}

/// What a plan must reach, in tenths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Required {
    pub total: i64,
    pub compulsory: i64,
    pub elective: i64,
}

/// What was typed of the credits, completed by what the major asks for.
///
/// # Errors
/// 422 at the field: no halves, or compulsory and elective credits that do not make the total.
pub fn required(form: &PlanForm, of_major: i64) -> Result<Required> {
    for (field, label, credits) in [
        ("totalCredits", "总学分", form.total_credits),
        ("minCompulsoryCredits", "必修学分", form.min_compulsory_credits),
        ("minElectiveCredits", "选修学分", form.min_elective_credits),
    ] {
        if credits.is_some_and(|credits| !is_half(credits, 0, 2_500)) {
            return Err(Error::field(field, format!("{label}应在0到250之间，为0.5的倍数")));
        }
    }
    let (compulsory, elective) = (form.min_compulsory_credits.map(tenths), form.min_elective_credits.map(tenths));
    let total = form.total_credits.map_or(of_major, tenths);
    let (compulsory, elective) = match (compulsory, elective) {
        (Some(compulsory), Some(elective)) => (compulsory, elective),
        (Some(compulsory), None) => (compulsory, total - compulsory),
        (None, Some(elective)) => (total - elective, elective),
        (None, None) => (total, 0),
    };
    if total < 5 {
        return Err(Error::field("totalCredits", "总学分应不少于0.5"));
    }
    if compulsory < 0 || elective < 0 || compulsory + elective != total {
        let sum = shown(compulsory.max(0) + elective.max(0));
        return Err(Error::field("totalCredits", format!("总学分应等于必修学分与选修学分之和{sum}")));
    }
    Ok(Required { total, compulsory, elective })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(total: Option<f64>, compulsory: Option<f64>, elective: Option<f64>) -> PlanForm {
        PlanForm {
            total_credits: total,
            min_compulsory_credits: compulsory,
            min_elective_credits: elective,
            ..<PlanForm as Example>::example()
        }
    }

    #[test]
    fn compulsory_and_elective_credits_make_the_total() {
        let right = Ok(Required { total: 920, compulsory: 880, elective: 40 });
        assert_eq!(required(&form(None, Some(88.0), None), 920), right);
        assert_eq!(required(&form(Some(92.0), None, Some(4.0)), 900), right);
        assert_eq!(required(&form(Some(92.0), Some(88.0), Some(4.0)), 900), right);
        assert_eq!(
            required(&form(Some(92.0), Some(86.0), Some(4.0)), 920),
            Err(Error::field("totalCredits", "总学分应等于必修学分与选修学分之和90.0"))
        );
        assert_eq!(
            required(&form(None, Some(88.3), None), 920),
            Err(Error::field("minCompulsoryCredits", "必修学分应在0到250之间，为0.5的倍数"))
        );
        assert!(required(&form(Some(92.0), Some(96.0), None), 920).is_err());
    }
}
