//! The closed sets of scores (part 04 §12).

use infra::{Part, enumeration};

pub const PART: Part = Part {
    enumerations: &[
        ScoreKind::ENUMERATION,
        ScoreMark::ENUMERATION,
        GradingMode::ENUMERATION,
        ExamRound::ENUMERATION,
        SheetRound::ENUMERATION,
        EffectiveRound::ENUMERATION,
        CourseScoreStatus::ENUMERATION,
        SheetStatus::ENUMERATION,
        SheetSource::ENUMERATION,
        ExamScoreSource::ENUMERATION,
        ComponentKind::ENUMERATION,
        ComponentSource::ENUMERATION,
        Applicability::ENUMERATION,
        HomeworkMethod::ENUMERATION,
        AttendanceScoreSource::ENUMERATION,
        MakeupMethod::ENUMERATION,
        AbsentTotal::ENUMERATION,
        CheatingMakeup::ENUMERATION,
        PartMissing::ENUMERATION,
        GpaScale::ENUMERATION,
        ScoreOrigin::ENUMERATION,
        ScorePart::ENUMERATION,
        ScoreCorrectionTarget::ENUMERATION,
        ScoreCorrectionReason::ENUMERATION,
        ScoreCorrectionStatus::ENUMERATION,
        FailedKind::ENUMERATION,
    ],
    ..Part::NONE
};

enumeration! {
    /// 成绩项
    pub enum ScoreKind = "scoreKind" {
        Study = "study" "课程学习成绩",
        Homework = "homework" "在线作业成绩",
        FinalExam = "final_exam" "期末考试成绩",
        Attendance = "attendance" "考勤成绩",
        Questions = "questions" "答疑成绩",
        Thesis = "thesis" "论文成绩",
        Review = "review" "评阅成绩",
        Defense = "defense" "答辩成绩",
        Total = "total" "总评成绩",
        GraduationTotal = "graduation_total" "毕业总成绩",
    }
}

impl ScoreKind {
    /// Whether a rule of the kind may name a course.
    pub const fn may_name_course(self) -> bool {
        !matches!(self, Self::Thesis | Self::Review | Self::Defense | Self::GraduationTotal)
    }
}

enumeration! {
    /// 特殊情况
    pub enum ScoreMark = "scoreMark" {
        Normal = "normal" "正常",
        Absent = "absent" "缺考",
        Deferred = "deferred" "缓考",
        Violation = "violation" "违纪",
        Cheating = "cheating" "作弊",
        Disqualified = "disqualified" "取消资格",
        Exempt = "exempt" "免修",
    }
}

enumeration! {
    /// 记分方式
    pub enum GradingMode = "gradingMode" {
        Percent = "percent" "百分制",
        FiveLevel = "five_level" "五级制",
        TwoLevel = "two_level" "两级制",
    }
}

enumeration! {
    /// 考试性质
    pub enum ExamRound = "examRound" {
        First = "first" "正考",
        Deferred = "deferred" "缓考",
        Makeup = "makeup" "补考",
        FinalMakeup = "final_makeup" "毕业补考",
    }
}

impl ExamRound {
    pub const fn effective(self) -> EffectiveRound {
        match self {
            Self::First => EffectiveRound::First,
            Self::Deferred => EffectiveRound::Deferred,
            Self::Makeup => EffectiveRound::Makeup,
            Self::FinalMakeup => EffectiveRound::FinalMakeup,
        }
    }

    /// Whether it counts as the first examination of its selection.
    pub const fn is_first(self) -> bool {
        matches!(self, Self::First | Self::Deferred)
    }
}

enumeration! {
    /// 登记表性质
    pub enum SheetRound = "sheetRound" {
        First = "first" "正考",
        Makeup = "makeup" "补考",
        FinalMakeup = "final_makeup" "毕业补考",
    }
}

impl SheetRound {
    pub const fn exam(self) -> ExamRound {
        match self {
            Self::First => ExamRound::First,
            Self::Makeup => ExamRound::Makeup,
            Self::FinalMakeup => ExamRound::FinalMakeup,
        }
    }
}

enumeration! {
    /// 有效成绩性质
    pub enum EffectiveRound = "effectiveRound" {
        First = "first" "正考",
        Deferred = "deferred" "缓考",
        Makeup = "makeup" "补考",
        FinalMakeup = "final_makeup" "毕业补考",
        Exempt = "exempt" "免修",
    }
}

enumeration! {
    /// 课程成绩状态
    pub enum CourseScoreStatus = "courseScoreStatus" {
        Computing = "computing" "计算中",
        Pending = "pending" "审核中",
        Published = "published" "已发布",
        Locked = "locked" "已锁定",
    }
}

impl CourseScoreStatus {
    /// Whether students see it.
    pub const fn is_out(self) -> bool {
        matches!(self, Self::Published | Self::Locked)
    }
}

enumeration! {
    /// 登记表状态
    pub enum SheetStatus = "sheetStatus" {
        Pending = "pending" "待录入",
        Entering = "entering" "录入中",
        Submitted = "submitted" "待初审",
        FirstReviewed = "first_reviewed" "待终审",
        Reviewed = "reviewed" "待发布",
        Published = "published" "已发布",
        Locked = "locked" "已锁定",
        Returned = "returned" "已退回",
    }
}

impl SheetStatus {
    /// Whether values may still be entered.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Pending | Self::Entering | Self::Returned)
    }
}

enumeration! {
    /// 登记表来源
    pub enum SheetSource = "sheetSource" {
        Online = "online" "线上",
        Offline = "offline" "线下",
        Assessment = "assessment" "考查",
    }
}

enumeration! {
    /// 考试成绩来源
    pub enum ExamScoreSource = "examScoreSource" {
        Online = "online" "线上",
        OfflineEntry = "offline_entry" "录入",
        Import = "import" "导入",
    }
}

enumeration! {
    /// 平时成绩项
    pub enum ComponentKind = "componentKind" {
        Study = "study" "学习成绩",
        Homework = "homework" "作业成绩",
        Attendance = "attendance" "考勤成绩",
        Questions = "questions" "答疑成绩",
    }
}

impl ComponentKind {
    pub const ALL: [Self; 4] = [Self::Study, Self::Homework, Self::Attendance, Self::Questions];

    pub const fn score(self) -> ScoreKind {
        match self {
            Self::Study => ScoreKind::Study,
            Self::Homework => ScoreKind::Homework,
            Self::Attendance => ScoreKind::Attendance,
            Self::Questions => ScoreKind::Questions,
        }
    }

    /// Whether people may enter it, and by which a computed value gives way.
    pub const fn is_entered(self) -> bool {
        matches!(self, Self::Attendance | Self::Questions)
    }
}

enumeration! {
    /// 成绩项来源
    pub enum ComponentSource = "componentSource" {
        Computed = "computed" "系统计算",
        Imported = "imported" "导入",
        Entered = "entered" "录入",
    }
}

enumeration! {
    /// 适用性
    pub enum Applicability = "applicability" {
        Value = "value" "有成绩",
        None = "none" "无成绩",
        NotApplicable = "not_applicable" "不适用",
    }
}

enumeration! {
    /// 作业计算方法
    pub enum HomeworkMethod = "homeworkMethod" {
        Weighted = "weighted" "加权平均",
        BestN = "best_n" "最好的若干次",
        IgnoreMissed = "ignore_missed" "不计未交",
    }
}

enumeration! {
    /// 考勤成绩取自
    pub enum AttendanceScoreSource = "attendanceScoreSource" {
        InstructionTotal = "instruction_total" "面授总成绩",
        InstructionAttendance = "instruction_attendance" "面授出勤成绩",
        Deduct = "deduct" "按缺勤扣分",
        ImportOnly = "import_only" "只用导入值",
    }
}

enumeration! {
    /// 补考成绩计算
    pub enum MakeupMethod = "makeupMethod" {
        ExamOnlyCapped = "exam_only_capped" "只看卷面，及格封顶",
        RecomputeCapped = "recompute_capped" "按公式重算，及格封顶",
        Recompute = "recompute" "按公式重算",
    }
}

enumeration! {
    /// 缺考总评
    pub enum AbsentTotal = "absentTotal" {
        Zero = "zero" "总评计0分",
        Compute = "compute" "卷面计0分",
    }
}

enumeration! {
    /// 作弊补考
    pub enum CheatingMakeup = "cheatingMakeup" {
        None = "none" "不能补考",
        OnceBeforeGraduation = "once_before_graduation" "毕业前一次",
    }
}

enumeration! {
    /// 缺项处理
    pub enum PartMissing = "missingPart" {
        Zero = "zero" "计0分",
        Redistribute = "redistribute" "按其余项折算",
        Block = "block" "不能提交",
    }
}

enumeration! {
    /// 绩点算法
    pub enum GpaScale = "gpaScale" {
        Linear5 = "linear_5" "五分线性",
        Band4 = "band_4" "四分分段",
    }
}

enumeration! {
    /// 成绩来由
    pub enum ScoreOrigin = "scoreOrigin" {
        Examined = "examined" "考试成绩",
        History = "history" "历史成绩",
        Thesis = "thesis" "毕业论文",
        Internship = "internship" "实习",
    }
}

enumeration! {
    /// 成绩组成项
    pub enum ScorePart = "scorePart" {
        Study = "study" "学习成绩",
        Homework = "homework" "作业成绩",
        Attendance = "attendance" "考勤成绩",
        Questions = "questions" "答疑成绩",
        Internship = "internship" "实习成绩",
        Thesis = "thesis" "论文成绩",
        Review = "review" "评阅成绩",
        Defense = "defense" "答辩成绩",
        Unit = "unit" "单位评分",
        Teacher = "teacher" "教师评分",
    }
}

impl ScorePart {
    /// Whether it is a part of a score that ends with an examination.
    pub const fn is_usual(self) -> bool {
        matches!(self, Self::Study | Self::Homework | Self::Attendance | Self::Questions)
    }
}

enumeration! {
    /// 更正内容
    pub enum ScoreCorrectionTarget = "scoreCorrectionTarget" {
        Exam = "exam" "卷面",
        Component = "component" "平时项",
        Mark = "mark" "特殊情况",
    }
}

enumeration! {
    /// 更正原因
    pub enum ScoreCorrectionReason = "scoreCorrectionReason" {
        EntryError = "entry_error" "录入错误",
        MarkingError = "marking_error" "阅卷错误",
        Recount = "recount" "复核",
        Violation = "violation" "违规认定",
        Other = "other" "其他",
    }
}

enumeration! {
    /// 更正状态
    pub enum ScoreCorrectionStatus = "scoreCorrectionStatus" {
        Applied = "applied" "待审核",
        Approved = "approved" "已生效",
        Rejected = "rejected" "已驳回",
        Cancelled = "cancelled" "已撤销",
    }
}

enumeration! {
    /// 不及格类型
    pub enum FailedKind = "failedKind" {
        Failed = "failed" "不及格",
        Absent = "absent" "缺考",
        Deferred = "deferred" "缓考",
        Violation = "violation" "违纪",
        Cheating = "cheating" "作弊",
    }
}
