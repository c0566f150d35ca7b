//! The closed sets of graduation (part 04 §12).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        GraduationBatchKind::ENUMERATION,
        GraduationBatchStatus::ENUMERATION,
        GraduationUserStatus::ENUMERATION,
        GraduationDecision::ENUMERATION,
        GraduationAuditResult::ENUMERATION,
        SiteOpinion::ENUMERATION,
        RulePurpose::ENUMERATION,
        GraduationRuleCode::ENUMERATION,
        DegreeRuleCode::ENUMERATION,
        RuleSeverity::ENUMERATION,
        DisciplineType::ENUMERATION,
        DisciplineStatus::ENUMERATION,
        ExternalExamType::ENUMERATION,
        DegreeStatus::ENUMERATION,
        DegreeDecision::ENUMERATION,
        DegreeSource::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 毕业批次类型
    pub enum GraduationBatchKind = "graduationBatchKind" {
        Regular = "regular" "正常毕业",
        Conversion = "conversion" "结业换毕业",
    }
}

enumeration! {
    /// 毕业批次状态
    pub enum GraduationBatchStatus = "graduationBatchStatus" {
        Draft = "draft" "草稿",
        Auditing = "auditing" "审核中",
        Confirmed = "confirmed" "已确认",
        Registered = "registered" "已注册",
        Archived = "archived" "已归档",
    }
}

enumeration! {
    /// 毕业生状态
    pub enum GraduationUserStatus = "graduationUserStatus" {
        Listed = "listed" "已列入",
        SiteChecked = "site_checked" "站点已初审",
        Decided = "decided" "已终审",
        Confirmed = "confirmed" "已生效",
        Removed = "removed" "已移出",
        Revoked = "revoked" "已撤销",
    }
}

impl GraduationUserStatus {
    /// Whether the student is in the batch and waits for it.
    pub const fn is_open(self) -> bool {
        match self {
            Self::Listed | Self::SiteChecked | Self::Decided => true,
            Self::Confirmed | Self::Removed | Self::Revoked => false,
        }
    }
}

enumeration! {
    /// 毕业结论
    pub enum GraduationDecision = "graduationDecision" {
        None = "none" "未终审",
        Graduate = "graduate" "毕业",
        Complete = "complete" "结业",
        Delay = "delay" "延期",
        Incomplete = "incomplete" "肄业",
    }
}

enumeration! {
    /// 毕业审核结果
    pub enum GraduationAuditResult = "graduationAuditResult" {
        Pending = "pending" "待审核",
        Passed = "passed" "符合",
        Failed = "failed" "不符合",
    }
}

enumeration! {
    /// 站点意见
    pub enum SiteOpinion = "siteOpinion" {
        None = "none" "未初审",
        Agree = "agree" "同意",
        Disagree = "disagree" "不同意",
    }
}

enumeration! {
    /// 条件用途
    pub enum RulePurpose = "graduationRulePurpose" {
        Graduation = "graduation" "毕业",
        Degree = "degree" "学位",
    }
}

enumeration! {
    /// 毕业条件
    pub enum GraduationRuleCode = "graduationRuleCode" {
        Status = "status" "R01 学籍状态",
        Duration = "duration" "R02 修业年限",
        Credits = "credits" "R03 总学分",
        Compulsory = "compulsory" "R04 必修课程",
        Elective = "elective" "R05 选修学分",
        Internship = "internship" "R06 实习",
        Thesis = "thesis" "R07 毕业论文",
        Fee = "fee" "R08 缴费",
        Discipline = "discipline" "R09 处分",
        Information = "information" "R10 毕业登记",
        Photo = "photo" "R11 学历照片与三照比对",
        PriorDiploma = "prior_diploma" "R12 前置学历清查",
        ScoresSettled = "scores_settled" "R13 成绩无待办",
    }
}

enumeration! {
    /// 学位条件
    pub enum DegreeRuleCode = "degreeRuleCode" {
        Graduated = "graduated" "D01 毕业",
        Average = "average" "D02 加权平均分",
        DegreeCourses = "degree_courses" "D03 学位课程",
        ForeignLanguage = "foreign_language" "D04 外语",
        Thesis = "thesis" "D05 毕业论文",
        Integrity = "integrity" "D06 诚信",
        Within = "within" "D07 申请期限",
        Failures = "failures" "D08 初考不及格",
    }
}

enumeration! {
    /// 条件强度
    pub enum RuleSeverity = "graduationRuleSeverity" {
        Must = "must" "必须",
        Warn = "warn" "提示",
    }
}

enumeration! {
    /// 处分类型
    pub enum DisciplineType = "disciplineType" {
        Warning = "warning" "警告",
        SeriousWarning = "serious_warning" "严重警告",
        Demerit = "demerit" "记过",
        Probation = "probation" "留校察看",
        Expulsion = "expulsion" "开除学籍",
    }
}

impl DisciplineType {
    /// Demerit or worse: no degree for whoever ever had it.
    pub const fn bars_degree(self) -> bool {
        match self {
            Self::Warning | Self::SeriousWarning => false,
            Self::Demerit | Self::Probation | Self::Expulsion => true,
        }
    }
}

enumeration! {
    /// 处分状态
    pub enum DisciplineStatus = "disciplineStatus" {
        Effective = "effective" "生效中",
        Released = "released" "已解除",
        Revoked = "revoked" "已撤销",
    }
}

enumeration! {
    /// 校外考试类型
    pub enum ExternalExamType = "externalExamType" {
        DegreeEnglish = "degree_english" "学位外语",
        Cet4 = "cet4" "大学英语四级",
        Cet6 = "cet6" "大学英语六级",
        Pets3 = "pets3" "公共英语三级",
        NationalSelfStudy = "national_self_study" "自学考试",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 学位申请状态
    pub enum DegreeStatus = "degreeStatus" {
        Applied = "applied" "已申请",
        Audited = "audited" "已审核",
        Approved = "approved" "已通过",
        Awarded = "awarded" "已授予",
        Refused = "refused" "未通过",
    }
}

enumeration! {
    /// 学位评定
    pub enum DegreeDecision = "degreeDecision" {
        None = "none" "未评定",
        Approved = "approved" "授予",
        Refused = "refused" "不授予",
    }
}

enumeration! {
    /// 申请来源
    pub enum DegreeSource = "degreeSource" {
        Student = "student" "本人",
        Staff = "staff" "代申请",
    }
}
