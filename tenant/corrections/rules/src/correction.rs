//! What may be corrected, by which evidence, and how a correction goes on: rules over loaded values alone (02 §9.6).

use infra::{Error, FieldError, Result, setting::Setting};
use student_status_rules::{
    enums::{RegisterResult, StudentStatus},
    key_fields::KeyFields,
};

use crate::enums::{CorrectionKind, CorrectionResult, CorrectionStatus, EvidenceKind};

/// Whether name and number may be corrected at once.
pub const BOTH_ALLOWED: Setting =
    Setting::yes_no("correctionBothAllowed", "允许同时更正姓名和证件号", false, "允许时须上传公安证明");

/// The standing of a student, as far as corrections look at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub status: StudentStatus,
    pub register_result: RegisterResult,
}

/// Why a student's key fields are not corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Closed {
    #[error("学历已注册，不可更正身份信息")]
    Diploma,
    #[error("学籍已上报学信网，录取信息有误的更正已关闭")]
    Admission,
}

impl From<Closed> for Error {
    fn from(closed: Closed) -> Self {
        match closed {
            Closed::Diploma => Self::conflict(closed.to_string()),
            Closed::Admission => Self::field("kind", closed.to_string()),
        }
    }
}

/// After the diploma nothing is corrected; after the registration with 学信网, nothing of the admission.
///
/// # Errors
/// Why these are not corrected.
pub fn is_open_to(standing: Standing, kind: CorrectionKind) -> Result<(), Closed> {
    match standing.status {
        StudentStatus::Graduated | StudentStatus::Completed => return Err(Closed::Diploma),
        StudentStatus::PendingRegistration
        | StudentStatus::Registered
        | StudentStatus::Suspended
        | StudentStatus::Withdrawn
        | StudentStatus::TransferredOut
        | StudentStatus::Expired
        | StudentStatus::Incomplete => {}
    }
    match (kind, standing.register_result) {
        (CorrectionKind::ChangedByPolice, _)
        | (CorrectionKind::DataError, RegisterResult::None | RegisterResult::Rejected) => Ok(()),
        (CorrectionKind::DataError, RegisterResult::Exported | RegisterResult::Accepted) => Err(Closed::Admission),
    }
}

/// The province decides about whom 学信网 has as a student.
pub fn is_the_provinces(standing: Standing) -> bool {
    standing.status == StudentStatus::Registered || standing.register_result == RegisterResult::Accepted
}

/// Whether the fields may be corrected together, and by this evidence; everything that is wrong.
pub fn wrong(after: &KeyFields, evidence: &[EvidenceKind], both_allowed: bool) -> Vec<FieldError> {
    let at = |field: &str, message: String| FieldError { field: field.to_owned(), message };
    if after.is_empty() {
        return vec![at("name", "没有需要更正的内容，请填写更正后的信息".to_owned())];
    }
    // The document is its kind and its number (02 §0.2): another kind is as much another document as another number.
    let document = after.id_card_no.is_some() || after.id_card_type.is_some();
    let both = after.name.is_some() && document;
    if both && !both_allowed {
        let field = if after.id_card_no.is_some() { "idCardNo" } else { "idCardType" };
        return vec![at(field, "姓名和身份证号不能同时更正".to_owned())];
    }
    let wanted = [
        (EvidenceKind::IdCard, document),
        (EvidenceKind::Hukou, document),
        (EvidenceKind::PoliceCertificate, both || document && after.birthday.is_some()),
    ];
    let missing: Vec<&str> = wanted
        .into_iter()
        .filter(|(kind, wanted)| *wanted && !evidence.contains(kind))
        .map(|(kind, _)| kind.zh())
        .collect();
    if missing.is_empty() {
        Vec::new()
    } else {
        vec![at("attachments", format!("缺少材料：{}", missing.join("、")))]
    }
}

/// Where a correction goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The site says what it thinks of it.
    Site(CorrectionResult),
    /// The school decides, also in the place of a site that does not.
    Audit(CorrectionResult),
    Cancel,
}

/// Why a step is not to be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("当前状态为{}，不能审核", .0.zh())]
    Decided(CorrectionStatus),
    #[error("当前状态为{}，不能取消", .0.zh())]
    Over(CorrectionStatus),
    #[error("当前状态为{}，不能修改", .0.zh())]
    Underway(CorrectionStatus),
    #[error("只能修改本人提交的信息更正")]
    NotOwn,
    #[error("本人提交的信息更正须由他人审核")]
    Own,
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::conflict(refusal.to_string())
    }
}

/// The status behind a step.
///
/// # Errors
/// Why the step is not to be had.
pub fn after(from: CorrectionStatus, turn: Turn, is_the_provinces: bool) -> Result<CorrectionStatus, Refusal> {
    use CorrectionResult::{Pass, Reject};
    use CorrectionStatus::{Approved, Cancelled, PendingProvince, PendingSchool, PendingSite, Rejected};
    match (turn, from) {
        (Turn::Site(Pass) | Turn::Audit(Pass), PendingSite) => Ok(PendingSchool),
        (Turn::Audit(Pass), PendingSchool) if is_the_provinces => Ok(PendingProvince),
        (Turn::Audit(Pass), PendingSchool | PendingProvince) => Ok(Approved),
        (Turn::Site(Reject), PendingSite) | (Turn::Audit(Reject), PendingSite | PendingSchool | PendingProvince) => {
            Ok(Rejected)
        }
        (Turn::Site(_), PendingSchool | PendingProvince)
        | (Turn::Site(_) | Turn::Audit(_), Approved | Rejected | Cancelled) => Err(Refusal::Decided(from)),
        (Turn::Cancel, PendingSite | PendingSchool | PendingProvince) => Ok(Cancelled),
        (Turn::Cancel, Approved | Rejected | Cancelled) => Err(Refusal::Over(from)),
    }
}

/// Who asked may change it until somebody has looked at it: what staff asked for begins at the school.
///
/// # Errors
/// Why they may not.
pub fn may_edit(status: CorrectionStatus, own: bool) -> Result<(), Refusal> {
    match status {
        _ if !own => Err(Refusal::NotOwn),
        CorrectionStatus::PendingSchool => Ok(()),
        CorrectionStatus::PendingSite
        | CorrectionStatus::PendingProvince
        | CorrectionStatus::Approved
        | CorrectionStatus::Rejected
        | CorrectionStatus::Cancelled => Err(Refusal::Underway(status)),
    }
}

#[cfg(test)]
mod tests {
    use CorrectionResult::{Pass, Reject};
    use CorrectionStatus::{Approved, Cancelled, PendingProvince, PendingSchool, PendingSite, Rejected};
    use people_rules::id_card::IdCardType;

    use super::*;

    const ALL: [CorrectionStatus; 6] = [PendingSite, PendingSchool, PendingProvince, Approved, Rejected, Cancelled];

    fn row(turn: Turn, province: bool) -> [String; 6] {
        ALL.map(|from| after(from, turn, province).map_or_else(|refusal| refusal.to_string(), |to| to.zh().to_owned()))
    }

    fn decided(from: CorrectionStatus) -> String {
        format!("当前状态为{}，不能审核", from.zh())
    }

    #[test]
    fn a_correction_goes_its_way() {
        let over = [Approved, Rejected, Cancelled].map(decided);
        assert_eq!(row(Turn::Audit(Pass), true)[..3], ["待学校", "待省厅", "已更正"]);
        assert_eq!(row(Turn::Audit(Pass), false)[..3], ["待学校", "已更正", "已更正"]);
        assert_eq!(row(Turn::Audit(Reject), true)[..3], ["不通过", "不通过", "不通过"]);
        assert_eq!(row(Turn::Audit(Pass), true)[3..], over);
        assert_eq!(row(Turn::Site(Pass), true)[..2], ["待学校".to_owned(), decided(PendingSchool)]);
        assert_eq!(row(Turn::Site(Reject), true)[0], "不通过");
        assert_eq!(row(Turn::Cancel, false)[..4], ["已取消", "已取消", "已取消", "当前状态为已更正，不能取消"]);
    }

    #[test]
    fn who_asked_edits_until_somebody_looked() {
        assert_eq!(may_edit(PendingSchool, true), Ok(()));
        assert_eq!(may_edit(PendingSchool, false), Err(Refusal::NotOwn));
        assert_eq!(may_edit(PendingProvince, true), Err(Refusal::Underway(PendingProvince)));
    }

    #[test]
    fn the_registration_and_the_diploma_close_a_file() {
        let told = |status, register_result, kind| {
            is_open_to(Standing { status, register_result }, kind).err().map(|closed| closed.to_string())
        };
        let (error, police) = (CorrectionKind::DataError, CorrectionKind::ChangedByPolice);
        let admission = Some("学籍已上报学信网，录取信息有误的更正已关闭".to_owned());
        let waiting = StudentStatus::PendingRegistration;
        assert_eq!(told(waiting, RegisterResult::None, error), None);
        assert_eq!(told(waiting, RegisterResult::Rejected, error), None);
        assert_eq!(told(waiting, RegisterResult::Exported, error), admission);
        assert_eq!(told(StudentStatus::Registered, RegisterResult::Accepted, error), admission);
        assert_eq!(told(StudentStatus::Registered, RegisterResult::Accepted, police), None);
        for status in [StudentStatus::Graduated, StudentStatus::Completed] {
            let told = told(status, RegisterResult::Accepted, police);
            assert_eq!(told.as_deref(), Some("学历已注册，不可更正身份信息"));
        }
        let is_the_provinces = |status, register_result| is_the_provinces(Standing { status, register_result });
        assert!(is_the_provinces(StudentStatus::Suspended, RegisterResult::Accepted));
        assert!(!is_the_provinces(waiting, RegisterResult::Rejected));
    }

    #[test]
    fn each_value_has_its_evidence() {
        use EvidenceKind::{Hukou, IdCard, PoliceCertificate};
        let name = || KeyFields { name: Some("李四".to_owned()), ..KeyFields::default() };
        let number = || KeyFields { id_card_no: Some("429900199603150216".to_owned()), ..KeyFields::default() };
        let told = |after: &KeyFields, evidence: &[EvidenceKind], both| {
            let wrong = wrong(after, evidence, both);
            wrong.into_iter().map(|wrong| format!("{}: {}", wrong.field, wrong.message)).collect::<Vec<_>>()
        };
        let nothing: [&str; 0] = [];
        assert_eq!(told(&name(), &[], false), nothing);
        assert_eq!(told(&number(), &[], false), ["attachments: 缺少材料：身份证、户口簿"]);
        assert_eq!(told(&number(), &[IdCard, Hukou], false), nothing);
        let kind = || KeyFields { id_card_type: Some(IdCardType::HmtResidence), ..KeyFields::default() };
        assert_eq!(told(&kind(), &[], false), ["attachments: 缺少材料：身份证、户口簿"]);
        assert_eq!(told(&kind(), &[IdCard, Hukou], false), nothing);
        let named = KeyFields { name: name().name, ..kind() };
        assert_eq!(told(&named, &[IdCard, Hukou], false), ["idCardType: 姓名和身份证号不能同时更正"]);
        let born = KeyFields { birthday: "1996-03-15".parse().ok(), ..number() };
        assert_eq!(told(&born, &[IdCard, Hukou], false), ["attachments: 缺少材料：公安证明"]);
        let both = KeyFields { name: name().name, ..number() };
        assert_eq!(told(&both, &[IdCard, Hukou], false), ["idCardNo: 姓名和身份证号不能同时更正"]);
        assert_eq!(told(&both, &[IdCard, Hukou], true), ["attachments: 缺少材料：公安证明"]);
        assert_eq!(told(&both, &[IdCard, Hukou, PoliceCertificate], true), nothing);
        assert_eq!(told(&KeyFields::default(), &[], true), ["name: 没有需要更正的内容，请填写更正后的信息"]);
    }
}
