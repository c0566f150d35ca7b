//! What an auditor decides of a course, a lecturer or a comment (01 §9.2, §9.3, §9.5).

use infra::{Error, Result, enumeration};
use poem_openapi::{Object, types::Example};

enumeration! {
    /// 审核结果
    pub enum CourseDecision = "courseDecision" {
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
    }
}

/// `{id, auditStatus, auditOpinion, version}`
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AuditDecision {
    /// 编号
    pub id: i64,
    /// 审核结果
    pub audit_status: CourseDecision,
    /// 审核意见
    /// 不通过时必填
    #[oai(validator(max_length = 200))]
    pub audit_opinion: Option<String>,
    /// 版本
    pub version: Option<i32>,
}

impl Example for AuditDecision {
    fn example() -> Self {
        Self { id: 1, audit_status: CourseDecision::Approved, audit_opinion: None, version: None }
    }
}

impl AuditDecision {
    /// # Errors
    /// 422 for a rejection without opinion.
    pub fn check(&self) -> Result<()> {
        opinion_is_there(self.audit_status, self.audit_opinion.as_deref())
    }
}

/// The same decision on several.
#[derive(Debug, Clone, Object)]
#[oai(rename_all = "camelCase", example)]
pub struct AuditDecisions {
    /// 编号
    #[oai(validator(min_items = 1, max_items = 200))]
    pub ids: Vec<i64>,
    /// 审核结果
    pub audit_status: CourseDecision,
    /// 审核意见
    /// 不通过时必填
    #[oai(validator(max_length = 200))]
    pub audit_opinion: Option<String>,
}

impl Example for AuditDecisions {
    fn example() -> Self {
        Self { ids: vec![1], audit_status: CourseDecision::Approved, audit_opinion: None }
    }
}

impl AuditDecisions {
    /// # Errors
    /// 422 for a rejection without opinion.
    pub fn check(&self) -> Result<()> {
        opinion_is_there(self.audit_status, self.audit_opinion.as_deref())
    }

    /// In the order of their numbers, so that two auditors of the same rows do not wait for each other.
    pub fn each(self) -> impl Iterator<Item = AuditDecision> {
        let Self { mut ids, audit_status, audit_opinion } = self;
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(move |id| AuditDecision {
            id,
            audit_status,
            audit_opinion: audit_opinion.clone(),
            version: None,
        })
    }
}

/// An auditor says why they reject.
///
/// # Errors
/// 422 for a rejection without opinion.
pub fn opinion_is_there(decision: CourseDecision, opinion: Option<&str>) -> Result<()> {
    match (decision, opinion) {
        (CourseDecision::Rejected, None) => Err(Error::field("auditOpinion", "请填写审核意见")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_rejects_says_why() {
        let told = |decision, opinion| opinion_is_there(decision, opinion).map_err(|error| error.msg.into_owned());
        assert_eq!(told(CourseDecision::Rejected, None), Err("请填写审核意见".to_owned()));
        assert_eq!(told(CourseDecision::Rejected, Some("封面不清晰")), Ok(()));
        assert_eq!(told(CourseDecision::Approved, None), Ok(()));
    }

    #[test]
    fn several_are_decided_on_once_and_in_their_order() {
        let decisions = AuditDecisions {
            ids: vec![7, 3, 7],
            audit_status: CourseDecision::Rejected,
            audit_opinion: Some("封面不清晰".to_owned()),
        };
        assert!(decisions.check().is_ok());
        let each: Vec<(i64, Option<String>)> = decisions.each().map(|one| (one.id, one.audit_opinion)).collect();
        assert_eq!(each, [(3, Some("封面不清晰".to_owned())), (7, Some("封面不清晰".to_owned()))]);
    }
}
