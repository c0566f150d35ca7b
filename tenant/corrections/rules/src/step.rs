//! What a step of a correction must come with (part 02 §9.6).

use infra::{Error, Result};

use crate::{
    correction::Turn,
    enums::{CorrectionResult, CorrectionStatus},
};

/// A step of one correction.
#[derive(Debug)]
pub struct Step {
    pub id: i64,
    pub version: i32,
    pub turn: Turn,
    /// Of the province.
    pub document_no: Option<String>,
    pub remark: Option<String>,
}

/// What a step must come with.
///
/// # Errors
/// 422 at `remark` when a refusal has no reason; at `provinceDocNo` when the province's decision has no number, or another's
/// has one.
pub fn complete(from: CorrectionStatus, step: &Step) -> Result<()> {
    match step.turn {
        Turn::Site(CorrectionResult::Reject) | Turn::Audit(CorrectionResult::Reject) => {
            let told = step.remark.as_deref().is_some_and(|remark| remark.chars().count() >= 2);
            if told { Ok(()) } else { Err(Error::field("remark", "请填写原因")) }
        }
        Turn::Audit(CorrectionResult::Pass) => match (from, &step.document_no) {
            (CorrectionStatus::PendingProvince, None) => Err(Error::field("provinceDocNo", "请填写省厅批复文号")),
            (CorrectionStatus::PendingProvince, Some(_)) | (_, None) => Ok(()),
            (_, Some(_)) => Err(Error::field("provinceDocNo", "尚未报省厅，请不要填写省厅文号")),
        },
        Turn::Site(CorrectionResult::Pass) | Turn::Cancel => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_comes_with_its_reason_or_its_number() {
        use CorrectionStatus::{PendingProvince, PendingSchool, PendingSite};
        let told = |from, turn, document_no: Option<&str>, remark: Option<&str>| {
            let (document_no, remark) = (document_no.map(str::to_owned), remark.map(str::to_owned));
            complete(from, &Step { id: 1, version: 1, turn, document_no, remark }).err().map(|error| error.msg)
        };
        let (pass, reject) = (Turn::Audit(CorrectionResult::Pass), Turn::Audit(CorrectionResult::Reject));
        assert_eq!(told(PendingSchool, pass, None, None), None);
        assert_eq!(told(PendingSchool, pass, Some("1号"), None).as_deref(), Some("尚未报省厅，请不要填写省厅文号"));
        assert_eq!(told(PendingProvince, pass, None, None).as_deref(), Some("请填写省厅批复文号"));
        assert_eq!(told(PendingProvince, pass, Some("1号"), None), None);
        assert_eq!(told(PendingProvince, reject, None, Some("不符")), None);
        assert_eq!(told(PendingProvince, reject, None, Some("否")).as_deref(), Some("请填写原因"));
        assert_eq!(told(PendingSite, Turn::Site(CorrectionResult::Reject), None, None).as_deref(), Some("请填写原因"));
        assert_eq!(told(PendingSite, Turn::Cancel, None, None), None);
    }
}
