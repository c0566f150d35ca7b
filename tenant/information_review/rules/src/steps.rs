//! The way of a form: who lets it pass or sends it back, and with what (02 §11.2).

use infra::{Error, Result};

use crate::enums::{CommitmentConclusion, InformationItem, InformationKind, InformationResult, InformationStatus};

/// Who says what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    Class(InformationResult),
    School(InformationResult),
    /// Sent back, and nothing else: what is approved stays so.
    Reject,
}

/// A step of one form.
#[derive(Debug, Clone)]
pub struct Going {
    pub id: i64,
    pub version: i32,
    pub kind: InformationKind,
    pub turn: Turn,
    /// Of 入学资格审查.
    pub conclusion: Option<CommitmentConclusion>,
    pub remark: Option<String>,
}

/// The status behind a step.
///
/// # Errors
/// The refusal in Chinese.
pub fn after(from: InformationStatus, turn: Turn, class_manager_reviews: bool) -> Result<InformationStatus, String> {
    use InformationResult::{Pass, Return};
    use InformationStatus::{Approved, ClassPassed, NotSubmitted, Returned, Submitted};
    match (turn, from) {
        (Turn::Class(_), _) if !class_manager_reviews => Err("院校未启用班主任审核，由学校审核".to_owned()),
        (Turn::Class(Pass), Submitted) => Ok(ClassPassed),
        (Turn::School(Pass), Submitted) if class_manager_reviews => Err("待班主任审核".to_owned()),
        (Turn::School(Pass), Submitted | ClassPassed) => Ok(Approved),
        (Turn::Class(Return), Submitted)
        | (Turn::School(Return), Submitted | ClassPassed | Approved)
        | (Turn::Reject, Submitted | ClassPassed) => Ok(Returned),
        (Turn::Class(Pass) | Turn::School(Pass), NotSubmitted | ClassPassed | Approved | Returned) => {
            Err(format!("当前状态为{}，不能审核通过", from.zh()))
        }
        (
            Turn::Class(Return) | Turn::School(Return) | Turn::Reject,
            NotSubmitted | ClassPassed | Approved | Returned,
        ) => Err(format!("当前状态为{}，不能退回", from.zh())),
    }
}

/// What a step must come with.
///
/// # Errors
/// 422 at `remark` when a refusal has no reason; at `conclusion` when an approval of 入学资格审查 is not qualified, or another form
/// has a conclusion.
pub fn complete(going: &Going) -> Result<()> {
    use CommitmentConclusion::{Qualified, Supplement, Unqualified};
    let passes = matches!(going.turn, Turn::Class(InformationResult::Pass) | Turn::School(InformationResult::Pass));
    let told = going.remark.as_deref().is_some_and(|remark| remark.trim().chars().count() >= 2);
    if !passes && !told {
        return Err(Error::field("remark", "请填写原因"));
    }
    match (going.kind, going.turn, going.conclusion) {
        (InformationKind::AdmissionCommitment, Turn::School(InformationResult::Pass), conclusion) => match conclusion {
            Some(Qualified) => Ok(()),
            None => Err(Error::field("conclusion", "请选择审查结论")),
            Some(Unqualified | Supplement) => Err(Error::field("conclusion", "审查结论为合格的才能通过，其余请退回")),
        },
        (
            InformationKind::AdmissionCommitment,
            Turn::School(InformationResult::Return) | Turn::Reject,
            Some(Qualified),
        ) => Err(Error::field("conclusion", "退回的审查结论应为不合格或待补材料")),
        (InformationKind::AdmissionCommitment, _, _) | (_, _, None) => Ok(()),
        (_, _, Some(_)) => Err(Error::field("conclusion", "该信息没有审查结论")),
    }
}

/// Whether a correction changes the item (02 §9.6).
pub fn is_corrected(item: InformationItem) -> bool {
    use InformationItem::{Birthday, Ethnicity, ExamineeNo, Gender, IdCardNo, Name};
    matches!(item, Name | Gender | Birthday | Ethnicity | IdCardNo | ExamineeNo)
}

/// What to do about items that are open: some wait for their correction, others no correction changes (02 §9.6).
pub fn held_back(open: &[InformationItem]) -> String {
    let others: Vec<&str> = open.iter().filter(|key| !is_corrected(**key)).map(|key| key.zh()).collect();
    let begin = format!("存在{}项核对不符", open.len());
    let rest = format!("{}不在更正之列，请办理学籍异动或退回", others.join("、"));
    match (others.len(), open.len()) {
        (0, _) => format!("{begin}，请先处理信息更正"),
        (some, all) if some == all => format!("{begin}，{rest}"),
        _ => format!("{begin}，请先处理信息更正；{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_goes_its_way() {
        use InformationResult::{Pass, Return};
        use InformationStatus::{Approved, ClassPassed, NotSubmitted, Returned, Submitted};
        let told = |from, turn, by_class: bool| after(from, turn, by_class);
        assert_eq!(told(Submitted, Turn::School(Pass), false), Ok(Approved));
        assert_eq!(told(Submitted, Turn::School(Pass), true), Err("待班主任审核".to_owned()));
        assert_eq!(told(ClassPassed, Turn::School(Pass), true), Ok(Approved));
        assert_eq!(told(Submitted, Turn::Class(Pass), true), Ok(ClassPassed));
        assert_eq!(told(Submitted, Turn::Class(Return), true), Ok(Returned));
        assert!(told(Submitted, Turn::Class(Pass), false).is_err());
        assert_eq!(told(Approved, Turn::School(Return), false), Ok(Returned));
        assert_eq!(told(Approved, Turn::Reject, false), Err("当前状态为已通过，不能退回".to_owned()));
        assert_eq!(told(NotSubmitted, Turn::School(Pass), false), Err("当前状态为未提交，不能审核通过".to_owned()));
        assert_eq!(told(ClassPassed, Turn::Class(Return), true), Err("当前状态为班主任通过，不能退回".to_owned()));
    }

    #[test]
    fn what_is_open_says_what_to_do() {
        use InformationItem::{GraduationPhoto, Major, Name};
        assert_eq!(held_back(&[Name]), "存在1项核对不符，请先处理信息更正");
        let told = held_back(&[Major, GraduationPhoto]);
        assert_eq!(told, "存在2项核对不符，专业、学历照片不在更正之列，请办理学籍异动或退回");
        let told = held_back(&[Name, Major]);
        assert_eq!(told, "存在2项核对不符，请先处理信息更正；专业不在更正之列，请办理学籍异动或退回");
    }

    #[test]
    fn a_verdict_comes_with_its_reason_or_its_conclusion() {
        use CommitmentConclusion::{Qualified, Supplement, Unqualified};
        use InformationResult::{Pass, Return};
        let told = |kind, result, conclusion, remark: Option<&str>| {
            let remark = remark.map(str::to_owned);
            let going = Going { id: 1, version: 1, kind, turn: Turn::School(result), conclusion, remark };
            complete(&going).err().map(|error| error.msg.into_owned())
        };
        let (information, commitment) = (InformationKind::AdmissionInformation, InformationKind::AdmissionCommitment);
        assert_eq!(told(information, Pass, None, None), None);
        assert_eq!(told(information, Return, None, Some("否")).as_deref(), Some("请填写原因"));
        assert_eq!(told(information, Pass, Some(Qualified), None).as_deref(), Some("该信息没有审查结论"));
        assert_eq!(told(commitment, Pass, Some(Qualified), None), None);
        assert_eq!(told(commitment, Pass, None, None).as_deref(), Some("请选择审查结论"));
        assert!(told(commitment, Pass, Some(Supplement), None).is_some());
        assert_eq!(told(commitment, Return, Some(Unqualified), Some("证书有误")), None);
        assert!(told(commitment, Return, Some(Qualified), Some("证书有误")).is_some());
    }
}
