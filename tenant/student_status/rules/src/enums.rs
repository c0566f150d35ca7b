//! The closed sets of the register (02 §0.7, §9.1).

use infra::{Error, Part, Result, enumeration};
use term::EntryLevel;

pub use majors::major::StudyForm;
pub use people::account::AccountState;

pub const PART: Part = Part {
    enumerations: &[
        StudentStatus::ENUMERATION,
        RegisterResult::ENUMERATION,
        StudentSource::ENUMERATION,
        PreEduLevel::ENUMERATION,
        ExamCategory::ENUMERATION,
        WithdrawReason::ENUMERATION,
        StatusChangeKind::ENUMERATION,
        FeeFlag::ENUMERATION,
        PhotoKind::ENUMERATION,
        RegisterScope::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 学籍状态
    pub enum StudentStatus = "studentStatus" {
        PendingRegistration = "pending_registration" "待注册",
        Registered = "registered" "在籍",
        Suspended = "suspended" "休学",
        Withdrawn = "withdrawn" "退学",
        TransferredOut = "transferred_out" "转出",
        Expired = "expired" "超学制",
        Graduated = "graduated" "毕业",
        Completed = "completed" "结业",
        Incomplete = "incomplete" "肄业",
    }
}

impl StudentStatus {
    /// An enrolment that goes on: a person has one at most (02 §0.2).
    pub const fn is_active(self) -> bool {
        match self {
            Self::PendingRegistration | Self::Registered | Self::Suspended | Self::Expired => true,
            Self::Withdrawn | Self::TransferredOut | Self::Graduated | Self::Completed | Self::Incomplete => false,
        }
    }

    /// Whether somebody of this status chooses courses, studies and answers (part 03 B10).
    ///
    /// # Errors
    /// 403 for whoever does not study now.
    pub fn may_study(self) -> Result<()> {
        match self {
            Self::PendingRegistration | Self::Registered => Ok(()),
            Self::Suspended
            | Self::Withdrawn
            | Self::TransferredOut
            | Self::Expired
            | Self::Graduated
            | Self::Completed
            | Self::Incomplete => Err(Error::new(403, "当前学籍状态不能学习")),
        }
    }

    /// What ended the enrolment, as the history names it.
    pub const fn ending(self) -> Option<StatusChangeKind> {
        match self {
            Self::PendingRegistration | Self::Registered | Self::Suspended | Self::Expired => None,
            Self::Withdrawn => Some(StatusChangeKind::Dropout),
            Self::TransferredOut => Some(StatusChangeKind::TransferOut),
            Self::Graduated => Some(StatusChangeKind::Graduate),
            Self::Completed => Some(StatusChangeKind::Complete),
            Self::Incomplete => Some(StatusChangeKind::Incomplete),
        }
    }
}

enumeration! {
    /// 注册结果
    pub enum RegisterResult = "registerResult" {
        None = "none" "未上报",
        Exported = "exported" "已导出",
        Accepted = "accepted" "已注册",
        Rejected = "rejected" "未通过",
    }
}

enumeration! {
    /// 来源
    pub enum StudentSource = "studentSource" {
        Report = "report" "报到",
        TransferIn = "transfer_in" "转入",
        Legacy = "legacy" "历史导入",
    }
}

enumeration! {
    /// 入学前学历
    pub enum PreEduLevel = "preEduLevel" {
        SeniorHigh = "senior_high" "普通高中",
        VocationalHigh = "vocational_high" "中职/职高/技校",
        Equivalent = "equivalent" "同等学力",
        Associate = "associate" "专科",
        Bachelor = "bachelor" "本科",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 科类
    pub enum ExamCategory = "examCategory" {
        Liberal = "liberal" "文史类",
        Science = "science" "理工类",
        ArtsTcm = "arts_tcm" "文史中医类",
        Art = "art" "艺术类",
        Engineering = "engineering" "理工类",
        Economics = "economics" "经济管理类",
        Law = "law" "法学类",
        Education = "education" "教育学类",
        Agriculture = "agriculture" "农学类",
        Medicine = "medicine" "医学类",
    }
}

impl ExamCategory {
    /// 理工类 is the name of two categories; the level tells which is meant.
    pub const fn at(self, level: EntryLevel) -> Self {
        match (self, level) {
            (Self::Science | Self::Engineering, EntryLevel::AssociateToBachelor) => Self::Engineering,
            (Self::Science | Self::Engineering, _) => Self::Science,
            (other, _) => other,
        }
    }
}

enumeration! {
    /// 退学原因
    pub enum WithdrawReason = "withdrawReason" {
        Voluntary = "voluntary" "本人申请",
        Overdue = "overdue" "逾期未注册/未复学",
        ExceedYears = "exceed_years" "超过最长学习年限",
        Academic = "academic" "学业原因",
        Disciplinary = "disciplinary" "开除学籍",
        QualificationFailed = "qualification_failed" "资格复查不合格",
        Duplicate = "duplicate" "重复学籍",
        Deceased = "deceased" "死亡",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 变动类型
    pub enum StatusChangeKind = "statusChangeKind" {
        Enrol = "enrol" "入学",
        Register = "register" "注册",
        Professional = "professional" "转专业",
        Hierarchical = "hierarchical" "转层次",
        ClassChange = "class_change" "转班",
        Dropout = "dropout" "退学",
        Suspension = "suspension" "休学",
        Return = "return" "复学",
        TransferOut = "transfer_out" "转出",
        Expire = "expire" "超学制",
        Graduate = "graduate" "毕业",
        Complete = "complete" "结业",
        Incomplete = "incomplete" "肄业",
        Correction = "correction" "更正",
        Revoke = "revoke" "撤销",
    }
}

enumeration! {
    /// 欠费
    pub enum FeeFlag = "feeFlag" {
        None = "none" "无",
        Arrears = "arrears" "欠费",
    }
}

enumeration! {
    /// 照片类型
    pub enum PhotoKind = "photoKind" {
        Admission = "admission" "录取照片",
        Enrol = "enrol" "入学照片",
        Graduation = "graduation" "学历照片",
    }
}

enumeration! {
    /// 名册页签
    pub enum RegisterScope = "studentScope" {
        All = "all" "全部",
        PendingRegistration = "pending_registration" "待注册",
        Registered = "registered" "在籍",
        Suspended = "suspended" "休学",
        Expired = "expired" "超学制",
        Left = "left" "退学与转出",
        Finished = "finished" "毕(结)业",
    }
}

impl RegisterScope {
    /// Whom the tab or screen shows (02 §9.10).
    pub fn shows(self, status: StudentStatus) -> bool {
        match self {
            Self::All => status.is_active(),
            Self::PendingRegistration => status == StudentStatus::PendingRegistration,
            Self::Registered => status == StudentStatus::Registered,
            Self::Suspended => status == StudentStatus::Suspended,
            Self::Expired => status == StudentStatus::Expired,
            Self::Left => matches!(status, StudentStatus::Withdrawn | StudentStatus::TransferredOut),
            Self::Finished => {
                matches!(status, StudentStatus::Graduated | StudentStatus::Completed | StudentStatus::Incomplete)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_statuses_are_active_and_the_others_have_an_ending() {
        let active: Vec<&str> =
            StudentStatus::CHOICES.iter().filter(|(_, status)| status.is_active()).map(|(word, _)| *word).collect();
        assert_eq!(active, ["待注册", "在籍", "休学", "超学制"]);
        for (word, status) in StudentStatus::CHOICES {
            assert_eq!(status.is_active(), status.ending().is_none(), "{word}");
        }
    }

    #[test]
    fn everybody_stands_in_one_of_the_three_screens() {
        let screens = [RegisterScope::All, RegisterScope::Left, RegisterScope::Finished];
        for (word, status) in StudentStatus::CHOICES {
            assert_eq!(screens.iter().filter(|screen| screen.shows(*status)).count(), 1, "{word}");
        }
    }
}
