//! 学生账号: what a list asks for (02 §12.3).

use chrono::NaiveDate;
use infra::{
    Scope,
    clock::{Moment, day_began, day_ended},
};
use poem_openapi::Object;

use crate::{
    enums::{AccountState, StudyForm},
    register::Wanted,
};

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentAccountFilter {
    /// 年级
    pub grade_id: Option<i64>,
    /// 层次
    pub level_id: Option<i64>,
    /// 专业
    pub major_id: Option<i64>,
    /// 学习形式
    pub study_form: Option<StudyForm>,
    /// 站点
    pub site_id: Option<i64>,
    /// 班级
    pub class_id: Option<i64>,
    /// 年级
    /// 编码或名称包含；查看全部院校时代替年级编号
    #[oai(validator(max_length = 50))]
    pub grade_text: Option<String>,
    /// 层次
    /// 编码或名称包含；查看全部院校时代替层次编号
    #[oai(validator(max_length = 50))]
    pub level_text: Option<String>,
    /// 专业
    /// 编码或名称包含；查看全部院校时代替专业编号
    #[oai(validator(max_length = 50))]
    pub major_text: Option<String>,
    /// 站点
    /// 编码或名称包含；查看全部院校时代替站点编号
    #[oai(validator(max_length = 50))]
    pub site_text: Option<String>,
    /// 班级
    /// 编码或名称包含；查看全部院校时代替班级编号
    #[oai(validator(max_length = 50))]
    pub class_text: Option<String>,
    /// 关键字
    #[oai(validator(max_length = 50))]
    pub keyword: Option<String>,
    /// 账号状态
    pub account_state: Option<AccountState>,
    /// 是否登录过
    pub signed_in: Option<bool>,
    /// 最近登录起
    pub last_login_from: Option<NaiveDate>,
    /// 最近登录止
    pub last_login_to: Option<NaiveDate>,
}

/// The filters of the account, beside those of the student.
#[derive(Debug)]
pub struct Asked {
    pub state: Option<AccountState>,
    pub signed_in: Option<bool>,
    pub from: Option<Moment>,
    /// The first moment of the day after the last.
    pub until: Option<Moment>,
}

impl StudentAccountFilter {
    pub fn wanted(&self, scope: &Scope) -> Wanted {
        Wanted {
            grade_id: self.grade_id,
            level_id: self.level_id,
            major_id: self.major_id,
            study_form: self.study_form,
            site_id: self.site_id,
            class_id: self.class_id,
            keyword: Wanted::keyword(self.keyword.as_deref()),
            texts: infra::naming::sought([
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
                self.class_text.as_deref(),
            ]),
            scope: scope.clone(),
            ..Wanted::default()
        }
    }

    pub fn asked(&self) -> Asked {
        Asked {
            state: self.account_state,
            signed_in: self.signed_in,
            from: self.last_login_from.map(day_began),
            until: self.last_login_to.map(day_ended),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_day_counts_to_its_end() {
        let day = |text: &str| text.parse::<NaiveDate>().ok();
        let filter = StudentAccountFilter {
            last_login_from: day("2026-05-01"),
            last_login_to: day("2026-05-31"),
            ..StudentAccountFilter::default()
        };
        let asked = filter.asked();
        assert_eq!(asked.from.map(|at| at.to_rfc3339()).as_deref(), Some("2026-05-01T00:00:00+08:00"));
        assert_eq!(asked.until.map(|at| at.to_rfc3339()).as_deref(), Some("2026-06-01T00:00:00+08:00"));
    }
}
