//! 在籍学生, 退学与转出 and 毕(结)业学生: what a list asks for (02 §9.10).

use chrono::NaiveDate;
use infra::{Scope, clock::Moment};
use poem_openapi::Object;

use crate::{
    enums::{PhotoKind, RegisterResult, RegisterScope, StudentSource, StudentStatus, StudyForm, WithdrawReason},
    register::Wanted,
};

/// What the list asks for.
#[derive(Debug, Clone, Default, Object)]
#[oai(rename_all = "camelCase")]
pub struct StudentFilter {
    /// 页签
    /// 不填时不限学籍状态
    pub scope: Option<RegisterScope>,
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
    /// 学籍状态
    #[oai(validator(max_items = 9))]
    pub status: Option<Vec<StudentStatus>>,
    /// 注册结果
    pub register_result: Option<RegisterResult>,
    /// 是否分班
    pub assigned: Option<bool>,
    /// 照片缺失
    pub photo_missing: Option<PhotoKind>,
    /// 入学日期起
    pub enrolled_from: Option<NaiveDate>,
    /// 入学日期止
    pub enrolled_to: Option<NaiveDate>,
    /// 来源
    pub source: Option<StudentSource>,
    /// 状态原因
    pub status_reason: Option<WithdrawReason>,
    /// 离校日期起
    pub ended_from: Option<NaiveDate>,
    /// 离校日期止
    pub ended_to: Option<NaiveDate>,
    /// 名单
    /// 姓名、学号、考生号、证件号或手机，最多500项
    #[oai(validator(max_items = 500))]
    pub among: Option<Vec<String>>,
    /// 导入时间
    /// 一次导入的学生，时间见导入结果
    pub entered_at: Option<Moment>,
}

impl StudentFilter {
    /// Ready for the statement: the tab narrows the statuses.
    pub fn wanted(&self, scope: &Scope) -> Wanted {
        let tab: Option<Vec<StudentStatus>> = self.scope.map(|scope| {
            StudentStatus::CHOICES.iter().map(|(_, status)| *status).filter(|status| scope.shows(*status)).collect()
        });
        // An empty selection is none.
        let chosen = self.status.clone().filter(|chosen| !chosen.is_empty());
        let statuses = match (tab, chosen) {
            (Some(tab), Some(chosen)) => Some(chosen.into_iter().filter(|status| tab.contains(status)).collect()),
            (tab, chosen) => tab.or(chosen),
        };
        let (status, statuses) = Wanted::one_or_many(statuses);
        Wanted {
            grade_id: self.grade_id,
            level_id: self.level_id,
            major_id: self.major_id,
            study_form: self.study_form,
            site_id: self.site_id,
            class_id: self.class_id,
            keyword: Wanted::keyword(self.keyword.as_deref()),
            status,
            statuses,
            register_result: self.register_result,
            assigned: self.assigned,
            photo_missing: self.photo_missing,
            enrolled_from: self.enrolled_from,
            enrolled_to: self.enrolled_to,
            source: self.source,
            status_reason: self.status_reason,
            ended_from: self.ended_from,
            ended_to: self.ended_to,
            among: infra::among::named(self.among.as_deref()),
            entered_at: self.entered_at,
            texts: infra::naming::sought([
                self.grade_text.as_deref(),
                self.level_text.as_deref(),
                self.major_text.as_deref(),
                self.site_text.as_deref(),
                self.class_text.as_deref(),
            ]),
            scope: scope.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statuses(scope: RegisterScope, status: &[StudentStatus]) -> (Option<StudentStatus>, Option<Vec<String>>) {
        let filter = StudentFilter { scope: Some(scope), status: Some(status.to_vec()), ..StudentFilter::default() };
        let wanted = filter.wanted(&Scope::whole_school());
        (wanted.status, wanted.statuses)
    }

    #[test]
    fn the_tab_narrows_the_statuses() {
        use StudentStatus::{Registered, Suspended};
        let four = (["pending_registration", "registered", "suspended", "expired"]).map(ToOwned::to_owned).to_vec();
        assert_eq!(statuses(RegisterScope::All, &[]), (None, Some(four)));
        assert_eq!(statuses(RegisterScope::All, &[StudentStatus::Graduated]), (None, Some(Vec::new())));
        assert_eq!(statuses(RegisterScope::Registered, &[]), (Some(Registered), None));
        assert_eq!(statuses(RegisterScope::Registered, &[Registered, Suspended]), (Some(Registered), None));
        assert_eq!(statuses(RegisterScope::Registered, &[Suspended]), (None, Some(Vec::new())));
        assert_eq!(statuses(RegisterScope::All, &[Suspended]), (Some(Suspended), None));
    }
}
