//! What an auditor decides of a course, a lecturer or a comment (01 §9.2, §9.3, §9.5).

use infra::{Error, Result, enumeration};

enumeration! {
    /// 审核结果
    pub enum CourseDecision = "courseDecision" {
        Approved = "approved" "通过",
        Rejected = "rejected" "不通过",
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
}
