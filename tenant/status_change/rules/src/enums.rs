//! The closed sets of 学籍异动 (02 §10).

use infra::enumeration;
use student_status_rules::enums::WithdrawReason;

enumeration! {
    /// 异动类型
    pub enum ChangeType = "changeType" {
        Professional = "professional" "转专业",
        Hierarchical = "hierarchical" "转层次",
        ClassChange = "class_change" "转班/转站点",
        Dropout = "dropout" "退学",
        Suspension = "suspension" "休学",
        Return = "return" "复学",
        TransferOut = "transfer_out" "转学(转出)",
    }
}

enumeration! {
    /// 异动批次阶段
    pub enum ChangeBatchPhase = "changeBatchPhase" {
        NotStarted = "not_started" "未开始",
        Open = "open" "进行中",
        Ended = "ended" "已结束",
        Closed = "closed" "已停用",
    }
}

enumeration! {
    /// 异动状态
    pub enum ChangeStatus = "changeStatus" {
        Draft = "draft" "草稿",
        PendingSite = "pending_site" "待站点审核",
        PendingTargetSite = "pending_target_site" "待接收站点",
        PendingSchool = "pending_school" "待学校审批",
        Approved = "approved" "已批准待生效",
        Executed = "executed" "已生效",
        Rejected = "rejected" "不批准",
        Cancelled = "cancelled" "已撤回",
        Revoked = "revoked" "已撤销",
    }
}

enumeration! {
    /// 异动原因
    pub enum ChangeReason = "changeReason" {
        Voluntary = "voluntary" "本人申请",
        Overdue = "overdue" "逾期未注册/未复学",
        ExceedYears = "exceed_years" "超过最长学习年限",
        Academic = "academic" "学业原因",
        Disciplinary = "disciplinary" "开除学籍",
        QualificationFailed = "qualification_failed" "资格复查不合格",
        Duplicate = "duplicate" "重复学籍",
        Deceased = "deceased" "死亡",
        Illness = "illness" "因病",
        Military = "military" "应征入伍",
        Childbirth = "childbirth" "生育",
        Work = "work" "工作原因",
        Family = "family" "家庭原因",
        Other = "other" "其他",
    }
}

impl ChangeReason {
    /// Why somebody withdraws; none for what is only a reason of a suspension.
    pub fn of_withdrawal(self) -> Option<WithdrawReason> {
        WithdrawReason::parse(self.as_str())
    }

    /// Whether somebody may be suspended for it.
    pub const fn is_of_suspension(self) -> bool {
        matches!(self, Self::Illness | Self::Military | Self::Childbirth | Self::Work | Self::Family | Self::Other)
    }
}

enumeration! {
    /// 异动来源
    pub enum ChangeSource = "changeSource" {
        StudentClient = "student_client" "学员端",
        SiteClient = "site_client" "站点端",
        BackOffice = "back_office" "后台",
        Import = "import" "导入",
    }
}

enumeration! {
    /// 异动页签
    pub enum ChangeScope = "changeScope" {
        All = "all" "全部",
        PendingSite = "pending_site" "待站点",
        PendingTargetSite = "pending_target_site" "待接收站点",
        PendingSchool = "pending_school" "待学校审批",
        Approved = "approved" "已批准待生效",
        Results = "results" "办理结果",
    }
}

impl ChangeScope {
    /// What the tab or screen shows (02 §10).
    pub fn shows(self, status: ChangeStatus) -> bool {
        match self {
            Self::All => true,
            Self::PendingSite => status == ChangeStatus::PendingSite,
            Self::PendingTargetSite => status == ChangeStatus::PendingTargetSite,
            Self::PendingSchool => status == ChangeStatus::PendingSchool,
            Self::Approved => status == ChangeStatus::Approved,
            Self::Results => {
                matches!(status, ChangeStatus::Approved | ChangeStatus::Executed | ChangeStatus::Revoked)
            }
        }
    }
}

enumeration! {
    /// 办理环节
    pub enum ChangeStage = "changeStage" {
        Save = "save" "保存草稿",
        Edit = "edit" "修改",
        Submit = "submit" "提交",
        Site = "site" "站点审核",
        TargetSite = "target_site" "接收站点审核",
        School = "school" "学校审批",
        Execute = "execute" "生效",
        Alert = "alert" "未能生效",
        Cancel = "cancel" "撤回",
        Revoke = "revoke" "撤销",
    }
}

enumeration! {
    /// 异动审核结果
    pub enum ChangeResult = "changeResult" {
        Pass = "pass" "通过",
        Reject = "reject" "不通过",
    }
}

enumeration! {
    /// 异动统计方式
    pub enum ChangeStatisticBy = "changeStatisticBy" {
        Type = "type" "按类型",
        Month = "month" "按月",
        Reason = "reason" "按原因",
        Site = "site" "按站点",
        Flow = "flow" "按专业流向",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_one_of_a_withdrawal_or_of_a_suspension() {
        let words = |holds: fn(ChangeReason) -> bool| {
            ChangeReason::CHOICES.iter().filter(|(_, reason)| holds(*reason)).map(|(word, _)| *word).collect::<Vec<_>>()
        };
        assert_eq!(words(ChangeReason::is_of_suspension), ["因病", "应征入伍", "生育", "工作原因", "家庭原因", "其他"]);
        assert_eq!(words(|reason| reason.of_withdrawal().is_some()).len(), 9);
        assert!(words(|reason| reason.of_withdrawal().is_none() && !reason.is_of_suspension()).is_empty());
        for (word, reason) in WithdrawReason::CHOICES {
            assert!(ChangeReason::parse(reason.as_str()).is_some(), "{word}");
        }
    }
}
