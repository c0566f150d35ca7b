//! 选课规则: what is typed of one (part 03 B2).

use chrono::NaiveDate;
use infra::{
    Error, Result,
    clock::{Moment, day_began},
};
use poem_openapi::{Object, types::Example};

/// What is typed of a rule.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct SelectionRuleForm {
    /// 学期
    pub semester_id: i64,
    /// 年级
    /// 不填为全部年级
    pub grade_id: Option<i64>,
    /// 专业
    /// 不填为全部专业
    pub major_id: Option<i64>,
    /// 学期序
    /// 不填为全部
    #[oai(validator(minimum(value = "1"), maximum(value = "12")))]
    pub term_no: Option<i32>,
    /// 学分下限
    pub min_credits: f64,
    /// 学分上限
    pub max_credits: f64,
    /// 选课开始时间
    pub select_starts_at: Moment,
    /// 选课结束时间
    pub select_ends_at: Moment,
    /// 退选截止时间
    pub drop_ends_at: Moment,
    /// 须审核
    #[oai(default)]
    pub need_audit: bool,
}

impl Example for SelectionRuleForm {
    fn example() -> Self {
        let at = |day| day_began(NaiveDate::from_ymd_opt(2026, 3, day).unwrap_or_default());
        Self {
            semester_id: 1,
            grade_id: None,
            major_id: None,
            term_no: None,
            min_credits: 10.0,
            max_credits: 20.0,
            select_starts_at: at(1),
            select_ends_at: at(15),
            drop_ends_at: at(22),
            need_audit: false,
        }
    }
}

impl SelectionRuleForm {
    /// # Errors
    /// 422 at what contradicts another field.
    pub fn check(&self) -> Result<()> {
        let credits = |credits: f64| (0.0..=250.0).contains(&credits) && is_tenth(credits);
        if !credits(self.min_credits) {
            return Err(Error::field("minCredits", "学分下限应在0到250之间，最多一位小数"));
        }
        if !credits(self.max_credits) {
            return Err(Error::field("maxCredits", "学分上限应在0到250之间，最多一位小数"));
        }
        if self.min_credits > self.max_credits {
            return Err(Error::field("maxCredits", "学分上限不能低于学分下限"));
        }
        if self.select_ends_at <= self.select_starts_at {
            return Err(Error::field("selectEndsAt", "选课结束时间应晚于开始时间"));
        }
        if self.drop_ends_at < self.select_starts_at {
            return Err(Error::field("dropEndsAt", "退选截止时间不能早于选课开始时间"));
        }
        Ok(())
    }
}

/// Whether a number has at most one place, as far as binary floating point can say.
fn is_tenth(number: f64) -> bool {
    let tenths = number * 10.0;
    (tenths - tenths.round()).abs() < 1e-9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credits_and_times_are_in_order() {
        let told = |form: SelectionRuleForm| form.check().err().map(|error| error.msg.into_owned());
        let form = SelectionRuleForm::example;
        assert_eq!(told(form()), None);
        for credits in [1.1, 16.1, 0.3, 248.7] {
            assert_eq!(told(SelectionRuleForm { min_credits: 0.0, max_credits: credits, ..form() }), None, "{credits}");
        }
        let fine = SelectionRuleForm { max_credits: 20.05, ..form() };
        assert_eq!(told(fine).as_deref(), Some("学分上限应在0到250之间，最多一位小数"));
        assert_eq!(
            told(SelectionRuleForm { min_credits: 21.0, ..form() }).as_deref(),
            Some("学分上限不能低于学分下限")
        );
        let ends = SelectionRuleForm { select_ends_at: form().select_starts_at, ..form() };
        assert_eq!(told(ends).as_deref(), Some("选课结束时间应晚于开始时间"));
        let late = SelectionRuleForm { drop_ends_at: form().select_starts_at - chrono::Duration::days(1), ..form() };
        assert_eq!(told(late).as_deref(), Some("退选截止时间不能早于选课开始时间"));
    }
}
