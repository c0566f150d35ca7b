//! The closed sets of examinations (part 04 §1–§3).

use infra::{Part, enumeration};

pub use courses::course::AssessMode;
pub use homework_rules::enums::AttemptScoring;
pub use papers::enums::PaperVariant;
pub use scores_rules::enums::{ExamRound, ScoreMark};

pub const PART: Part = Part {
    enumerations: &[
        TestBatchKind::ENUMERATION,
        TestBatchStatus::ENUMERATION,
        ExamModeOfBatch::ENUMERATION,
        ExamMode::ENUMERATION,
        ExamSetupStatus::ENUMERATION,
        ExamPhase::ENUMERATION,
        MarkingStatus::ENUMERATION,
        MarkingMode::ENUMERATION,
        ExamPaperMode::ENUMERATION,
        ShowScoreMode::ENUMERATION,
        RiskLevel::ENUMERATION,
        ExamEvent::ENUMERATION,
        ExamEligibility::ENUMERATION,
        ExamAttendance::ENUMERATION,
        ViolationLevel::ENUMERATION,
        ViolationClause::ENUMERATION,
        ViolationPenalty::ENUMERATION,
        ViolationSource::ENUMERATION,
        ViolationStatus::ENUMERATION,
        DeferralReason::ENUMERATION,
        DeferralStatus::ENUMERATION,
        DeferralApplicant::ENUMERATION,
        MarkerScope::ENUMERATION,
        MarkerStatus::ENUMERATION,
        FaceMode::ENUMERATION,
        ReopenMode::ENUMERATION,
        ExamCommandKind::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 批次类型
    pub enum TestBatchKind = "testBatchKind" {
        Final = "final" "期末考试",
        Makeup = "makeup" "补考",
        FinalMakeup = "final_makeup" "毕业补考",
    }
}

enumeration! {
    /// 批次状态
    pub enum TestBatchStatus = "testBatchStatus" {
        Draft = "draft" "草稿",
        Active = "active" "进行中",
        Closed = "closed" "已结束",
        Archived = "archived" "已归档",
    }
}

enumeration! {
    /// 批次的考试方式
    pub enum ExamModeOfBatch = "examMode" {
        Online = "online" "线上",
        Offline = "offline" "线下",
        Mixed = "mixed" "混合",
    }
}

enumeration! {
    /// 考试方式
    pub enum ExamMode = "examSetupMode" {
        Online = "online" "线上",
        Offline = "offline" "线下",
    }
}

enumeration! {
    /// 考试安排状态
    pub enum ExamSetupStatus = "examSetupStatus" {
        Draft = "draft" "草稿",
        Submitted = "submitted" "待审核",
        Approved = "approved" "已审核",
        Published = "published" "已发布",
        Closed = "closed" "已结束",
        Cancelled = "cancelled" "已取消",
    }
}

enumeration! {
    /// 考试阶段
    pub enum ExamPhase = "examPhase" {
        NotStarted = "not_started" "未开始",
        Running = "running" "进行中",
        Ended = "ended" "已截止",
    }
}

enumeration! {
    /// 阅卷状态
    pub enum MarkingStatus = "markingStatus" {
        None = "none" "未开始",
        Marking = "marking" "阅卷中",
        Done = "done" "已完成",
        Transferred = "transferred" "已转入成绩",
    }
}

enumeration! {
    /// 阅卷方式
    pub enum MarkingMode = "markingMode" {
        Auto = "auto" "全自动",
        Single = "single" "单评",
        Double = "double" "双评",
    }
}

enumeration! {
    /// 出卷方式
    pub enum ExamPaperMode = "examPaperMode" {
        Fixed = "fixed" "固定",
        RandomPool = "random_pool" "多套随机",
        ByClass = "by_class" "按班级",
        RandomRule = "random_rule" "每人随机",
    }
}

enumeration! {
    /// 公布时间
    pub enum ShowScoreMode = "showScoreMode" {
        Never = "never" "不公布",
        AfterSubmit = "after_submit" "交卷后",
        AfterEnd = "after_end" "考试结束后",
        AfterPublish = "after_publish" "成绩发布后",
    }
}

enumeration! {
    /// 风险等级
    pub enum RiskLevel = "riskLevel" {
        Low = "low" "低",
        Medium = "medium" "中",
        High = "high" "高",
    }
}

enumeration! {
    /// 考试事件
    pub enum ExamEvent = "examEvent" {
        Enter = "enter" "进入考试",
        LeavePage = "leave_page" "离开页面",
        ReturnPage = "return_page" "返回页面",
        FullscreenExit = "fullscreen_exit" "退出全屏",
        Copy = "copy" "复制",
        Paste = "paste" "粘贴",
        MultiDevice = "multi_device" "多设备登录",
        IpChange = "ip_change" "网络地址变化",
        FacePass = "face_pass" "人脸核验通过",
        FaceMismatch = "face_mismatch" "人脸不符",
        FaceMissing = "face_missing" "未检测到人脸",
        MultiFace = "multi_face" "检测到多张人脸",
        Snapshot = "snapshot" "监考照片",
        Idle = "idle" "长时间无操作",
        NetworkLost = "network_lost" "网络中断",
        NetworkBack = "network_back" "网络恢复",
        Warn = "warn" "监考警告",
        ForceSubmit = "force_submit" "强制交卷",
        ReleaseDevice = "release_device" "解除设备",
        Extend = "extend" "加时",
    }
}

enumeration! {
    /// 考试资格
    pub enum ExamEligibility = "examEligibility" {
        Eligible = "eligible" "正常",
        Disqualified = "disqualified" "取消资格",
        Deferred = "deferred" "缓考",
        Exempt = "exempt" "免修",
    }
}

enumeration! {
    /// 到考情况
    pub enum ExamAttendance = "examAttendance" {
        Unknown = "unknown" "未登记",
        Present = "present" "到考",
        Absent = "absent" "缺考",
    }
}

enumeration! {
    /// 违规性质
    pub enum ViolationLevel = "violationLevel" {
        None = "none" "无",
        Violation = "violation" "违纪",
        Cheating = "cheating" "作弊",
    }
}

enumeration! {
    /// 违规条款
    pub enum ViolationClause = "violationClause" {
        W1 = "W1" "W1 携带规定以外物品",
        W2 = "W2" "W2 未在规定座位",
        W3 = "W3" "W3 开考信号前或结束后答题",
        W4 = "W4" "W4 旁窥、交头接耳",
        W5 = "W5" "W5 喧哗影响秩序",
        W6 = "W6" "W6 擅自离场",
        W7 = "W7" "W7 带出试卷草稿纸",
        W8 = "W8" "W8 用规定外笔纸或作标记",
        W9 = "W9" "W9 其他违纪",
        W10 = "W10" "W10 切屏超限",
        Z1 = "Z1" "Z1 携带相关材料或存储设备",
        Z2 = "Z2" "Z2 抄袭或协助抄袭",
        Z3 = "Z3" "Z3 抢夺窃取胁迫",
        Z4 = "Z4" "Z4 携带收发信息设备",
        Z5 = "Z5" "Z5 代考",
        Z6 = "Z6" "Z6 故意销毁试卷",
        Z7 = "Z7" "Z7 填写他人信息",
        Z8 = "Z8" "Z8 传接交换",
        Z9 = "Z9" "Z9 其他作弊",
        Z10 = "Z10" "Z10 人脸核验不符",
    }
}

enumeration! {
    /// 违规处理
    pub enum ViolationPenalty = "violationPenalty" {
        ScoreVoid = "score_void" "取消该科成绩",
        BatchVoid = "batch_void" "本批次各科成绩无效",
        Discipline = "discipline" "另给处分",
    }
}

enumeration! {
    /// 违规来源
    pub enum ViolationSource = "violationSource" {
        OnlineMonitor = "online_monitor" "在线监考",
        Invigilator = "invigilator" "监考员",
        Marking = "marking" "阅卷",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 违规记录状态
    pub enum ViolationStatus = "violationStatus" {
        Reported = "reported" "已登记",
        Confirmed = "confirmed" "已认定",
        Dismissed = "dismissed" "不成立",
        Revoked = "revoked" "已撤销",
    }
}

enumeration! {
    /// 缓考原因
    pub enum DeferralReason = "deferralReason" {
        Illness = "illness" "因病",
        Work = "work" "因公",
        Family = "family" "家庭原因",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 缓考状态
    pub enum DeferralStatus = "deferralStatus" {
        Applied = "applied" "待审核",
        Approved = "approved" "已批准",
        Rejected = "rejected" "已驳回",
        Cancelled = "cancelled" "已撤销",
        Used = "used" "已补考",
    }
}

enumeration! {
    /// 缓考申请人
    pub enum DeferralApplicant = "deferralApplicant" {
        Student = "student" "学生",
        Staff = "staff" "代为申请",
    }
}

enumeration! {
    /// 阅卷范围
    pub enum MarkerScope = "markerScope" {
        All = "all" "全部",
        ByClass = "by_class" "按班级",
        ByQuestion = "by_question" "按题目",
    }
}

enumeration! {
    /// 阅卷任务状态
    pub enum MarkerStatus = "markerStatus" {
        Assigned = "assigned" "已分配",
        Working = "working" "阅卷中",
        Finished = "finished" "已完成",
    }
}

enumeration! {
    /// 人脸核验
    pub enum FaceMode = "faceMode" {
        None = "none" "不核验",
        Entry = "entry" "进入时",
        Periodic = "periodic" "进入时和考试中",
    }
}

enumeration! {
    /// 重开方式
    pub enum ReopenMode = "reopenMode" {
        NewAttempt = "new_attempt" "重新作答",
        Resume = "resume" "继续作答",
    }
}

enumeration! {
    /// 监考指令
    pub enum ExamCommandKind = "examCommandKind" {
        Warn = "warn" "警告",
        Submit = "submit" "交卷",
        Extend = "extend" "加时",
    }
}

impl ViolationClause {
    /// Whether the clause is one of cheating.
    pub fn is_cheating(self) -> bool {
        self.as_str().starts_with('Z')
    }
}

impl TestBatchKind {
    /// The round of what is set in such a batch.
    pub const fn round(self) -> scores_rules::enums::ExamRound {
        match self {
            Self::Final => scores_rules::enums::ExamRound::First,
            Self::Makeup => scores_rules::enums::ExamRound::Makeup,
            Self::FinalMakeup => scores_rules::enums::ExamRound::FinalMakeup,
        }
    }
}
